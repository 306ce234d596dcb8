"""What odd and hostile files cost: ``python benchmarks/hostile.py [NAME ...]``.

Each text is imported into a new library, given a pass and exported, or read as a manuscript, at a
size and at four times that size: processor seconds of both, and their ratio. What grows with the
square of its size takes sixteen times as long; a ratio above ``MOST_RATIO`` fails. A list in a
list has sixteen times the text for four times the levels, so its ratio is one of text.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stderr
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

from papertrack.actions.cite.manuscripts import read_manuscripts
from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.reading import mark_pass
from papertrack.cli.app import run
from papertrack.documents.manuscripts.latex import has_other_fonts
from papertrack.documents.manuscripts.registry import SUFFIXES
from papertrack.errors import PapertrackError
from papertrack.library import Library
from papertrack.store.documents import DocumentKind
from papertrack.store.store import Store

MOST_RATIO = 7.0
"""Four times as long, with room for what is sorted and for a machine that is not quiet."""
LEAST_SECONDS = 0.05
"""Below it a ratio says nothing."""
TITLE = "[A Title of Some Words](https://arxiv.org/abs/2001.00001)"


def _lines(line: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: "# Papers\n\n" + "".join(map(line, range(size)))


def _table(header: Callable[[int], str], row: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: f"# Papers\n\n{header(size)}\n{row(size)}\n"


TEXTS: dict[str, tuple[int, Callable[[int], str]]] = {
    "entries of one title": (750, _lines(lambda n: f"- [Same Title](https://example.org/{n})\n")),
    "preprints of one title": (
        750,
        _lines(lambda n: f"- [Same Title](https://arxiv.org/abs/2001.{n:05})\n"),
    ),
    "one paper again and again": (750, _lines(lambda _: f"- {TITLE}\n")),
    "one address, other titles": (750, _lines(lambda n: f"- [Title {n}](https://example.org)\n")),
    "entries without links": (750, _lines(lambda n: f"- A title of words, Ada Lovelace, {n}\n")),
    "a section for each": (
        750,
        _lines(lambda n: f"## Section {n}\n\n- [Title {n}](https://arxiv.org/abs/2001.{n:05})\n\n"),
    ),
    "links below one entry": (
        750,
        lambda size: f"# Papers\n\n- {TITLE}\n" + "  - [pdf](https://example.org/x)\n" * size,
    ),
    "links in one line": (750, lambda size: "# Papers\n\n- " + f"{TITLE} " * size + "\n"),
    "empty brackets": (3_000, lambda size: "# Papers\n\n- " + "[]" * size + "\n"),
    "opening brackets": (3_000, lambda size: "# Papers\n\n- " + "[" * size + "\n"),
    "opening pictures": (3_000, lambda size: "# Papers\n\n- " + "![" * size + "\n"),
    "pictures in links": (750, lambda size: "# Papers\n\n- " + "[![a](b)](c) " * size + "\n"),
    "emphasis that opens": (5_000, lambda size: "# Papers\n\n- " + "**a " * size + "\n"),
    "quotes that open": (5_000, lambda size: "# Papers\n\n- " + '"a ' * size + "\n"),
    "separators": (5_000, lambda size: f"# Papers\n\n- {TITLE}" + " - x" * size + "\n"),
    "blanks in a label": (
        5_000,
        lambda size: f"# Papers\n\n- [T{' ' * size}x](https://example.org)\n",
    ),
    "bars": (3_000, lambda size: "# Papers\n\n- " + "| " * size + "\n"),
    "dashes": (3_000, lambda size: "# Papers\n\n- " + "—" * size + "\n"),
    "signs in a heading": (5_000, lambda size: f"# Papers\n\n## x{'{' * size}x\n\n- {TITLE}\n"),
    "signs in a header": (
        5_000,
        _table(lambda size: f"| x{'[' * size}x | a |\n|--|--|", lambda _: f"| {TITLE} | b |"),
    ),
    "stars": (3_000, lambda size: "# Papers\n\n- " + "⭐" * size + "\n"),
    "tags that open": (3_000, lambda size: "# Papers\n\n- " + "<a " * size + "\n"),
    "tables in tables": (750, lambda size: "# Papers\n\n" + "<table><tr><td>" * size + "\n"),
    "definitions of one label": (
        1_500,
        lambda size: "# Papers\n\n- [a][x]\n\n" + "[x]: https://example.org\n" * size,
    ),
    "a list in a list in one line": (500, lambda size: "# Papers\n\n" + "- " * size + TITLE + "\n"),
    "a list in a list": (500, _lines(lambda n: f"{'  ' * n}- {TITLE}{n}\n")),
    "a numbered list in a list": (500, _lines(lambda n: f"{'   ' * n}1. {TITLE}{n}\n")),
    "a quote in a quote": (500, _lines(lambda n: f"{'> ' * n}{TITLE}{n}\n")),
    "columns": (
        750,
        _table(
            lambda size: "|" + " a |" * size + "\n|" + "--|" * size,
            lambda size: ("|" + f" {TITLE} |" * size + "\n") * 2,
        ),
    ),
    "cells beyond the columns": (
        3_000,
        _table(lambda _: "| a | b |\n|--|--|", lambda size: "|" * size),
    ),
}


def _entries(fields: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: "".join(f"@misc{{k{n}, {fields(n)}}}\n" for n in range(size))


def _ris(lines: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: "".join(f"TY  - JOUR\n{lines(n)}\nER  - \n" for n in range(size))


def _json(item: Callable[[int], object]) -> Callable[[int], str]:
    return lambda size: json.dumps([item(n) for n in range(size)])


def _bookmarks(link: Callable[[int], str]) -> Callable[[int], str]:
    head = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>"
    return lambda size: head + "".join(map(link, range(size))) + "</DL>"


def _once(text: str) -> Callable[[int], str]:
    """One record in whose title something stands again and again."""
    return lambda size: text.replace("AGAIN", "[" * size)


FILES: dict[str, tuple[str, int, Callable[[int], str]]] = {
    "bib: entries of one title": ("x.bib", 750, _entries(lambda _: "title = {Same Title}")),
    "bib: one title and many brackets": (
        "x.bib",
        3_000,
        lambda n: "@misc{k, title = {T " + "[]" * n + "}, note = {" + "|" * n + "}}",
    ),
    "bib: entries of one key": ("x.bib", 300, lambda n: "@misc{k, title = {A Title}}\n" * n),
    "bib: one DOI": ("x.bib", 300, _entries(lambda n: f"title = {{T {n}}}, doi = {{10.1/x}}")),
    "bib: a ring of parents": (
        "x.bib",
        300,
        _entries(lambda n: f"title = {{T {n}}}, crossref = {{k{n + 1}}}"),
    ),
    "bib: strings of strings": (
        "x.bib",
        1_000,
        lambda n: (
            '@string{a0 = "x"}\n'
            + "".join(f"@string{{a{i} = a{i - 1} # a{i - 1}}}\n" for i in range(1, n))
            + f"@misc{{k, title = a{n - 1}}}\n"
        ),
    ),
    "bib: blanks in a field": (
        "x.bib",
        10_000,
        lambda n: f"@misc{{k, title = {{T}}, journal = {{{' ' * n}x}}}}\n",
    ),
    "bib: xdata in xdata": (
        "x.bib",
        2_000,
        lambda n: f"@misc{{k, title = {{T}}, note = {{{'xdata=' * n}}}}}\n",
    ),
    "bib: groups": (
        "x.bib",
        2_000,
        lambda n: f"@misc{{k, title = {{T}}, groups = {{{','.join(map(str, range(n)))}}}}}\n",
    ),
    "bib: braces that open": ("x.bib", 20_000, lambda n: "@misc{k, title = {" + "{" * n),
    "bib: entries that do not close": ("x.bib", 1_000, lambda n: "@misc{k, title = {T\n" * n),
    "bib: quotes": ("x.bib", 10_000, lambda n: '@misc{k, title = "' + '" # "' * n + '"}'),
    "bib: fields": ("x.bib", 3_000, lambda n: "@misc{k, title = {T}" + ", a = {b}" * n + "}"),
    "bib: authors": ("x.bib", 3_000, _once("@misc{k, title = {T}, author = {A B AGAIN}}")),
    "bib: names": (
        "x.bib",
        2_000,
        lambda n: "@misc{k, title = {T}, author = {" + "A B and " * n + "C D}}",
    ),
    "bib: blanks in a name": (
        "x.bib",
        20_000,
        lambda n: f"@misc{{k, title = {{T}}, author = {{A{'; ' * n}x}}}}",
    ),
    "bib: commands": ("x.bib", 5_000, lambda n: "@misc{k, title = {T" + "\\'" * n + "}}"),
    "bib: dollars": ("x.bib", 5_000, lambda n: "@misc{k, title = {T" + "$a" * n + "}}"),
    "bib: preambles": ("x.bib", 1_000, lambda n: '@preamble{"\\def\\x{}"}\n' * n + "@misc{k}"),
    "ris: entries of one title": ("x.ris", 750, _ris(lambda _: "TI  - Same Title")),
    "ris: authors": ("x.ris", 2_000, lambda n: f"TY  - JOUR\nTI  - T\n{'AU  - A, B' * n}\nER  - "),
    "ris: brackets": ("x.ris", 5_000, _once("TY  - JOUR\nTI  - T AGAIN\nER  - \n")),
    "json: items of one title": (
        "x.json",
        750,
        _json(lambda n: {"id": f"k{n}", "type": "book", "title": "Same Title"}),
    ),
    "json: brackets": ("x.json", 20_000, lambda n: "[" * n),
    "json: authors": (
        "x.json",
        2_000,
        lambda n: json.dumps(
            [{"id": "k", "type": "book", "title": "T", "author": [{"family": "A"}] * n}]
        ),
    ),
    "json: tags in a title": (
        "x.json",
        5_000,
        lambda n: json.dumps([{"id": "k", "type": "book", "title": "T " + "<i>" * n}]),
    ),
    "json: lines of a note": (
        "x.json",
        2_000,
        lambda n: json.dumps(
            [
                {
                    "id": "k",
                    "type": "book",
                    "title": "T",
                    "note": "".join(f"tex.f{i}: v\n" for i in range(n)),
                }
            ]
        ),
    ),
    "html: folders": (
        "x.html",
        2_000,
        lambda n: (
            "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n"
            + "".join(
                f'<DT><H3>F{i}</H3><DL><p><DT><A HREF="https://arxiv.org/abs/2001.{i:05}">T</A></DL>\n'
                for i in range(n)
            )
        ),
    ),
    "json: blanks in a note": (
        "x.json",
        10_000,
        lambda n: json.dumps(
            [{"id": "k", "type": "book", "title": "T", "note": f"a: x{' ' * n}y"}]
        ),
    ),
    "html: links of one title": (
        "x.html",
        750,
        _bookmarks(lambda n: f'<DT><A HREF="https://example.org/{n}">Same Title</A>'),
    ),
    "html: folders in folders": ("x.html", 1_000, _bookmarks(lambda n: f"<DT><H3>{n}</H3><DL><p>")),
    "html: tags that open": ("x.html", 5_000, _bookmarks(lambda _: "<b <a ")),
    "html: one README of tags": ("README.md", 3_000, lambda n: "<p><b><i><a href='x'>" * n),
    "html: comments that open": ("README.md", 5_000, lambda n: "# P\n\n" + "<!-- " * n),
    "tex: citations": ("x.tex", 5_000, lambda n: "\\cite{k}" * n),
    "tex: citations that open": ("x.tex", 5_000, lambda n: "\\cite[" * n),
    "tex: groups": ("x.tex", 5_000, lambda n: "{" * n + "\\cite{k}"),
    "tex: conditionals": ("x.tex", 5_000, lambda n: "\\iffalse " * n + "\\fi " * n),
    "tex: switches": ("x.tex", 2_000, lambda n: "\\newif\\ifx\\xtrue\\ifx " * n),
    "tex: verbatim": ("x.tex", 5_000, lambda n: "\\begin{verbatim}" * n),
    "tex: verb": ("x.tex", 5_000, lambda n: "\\verb|" * n),
    "tex: addresses": ("x.tex", 5_000, lambda n: "\\url{" * n),
    "tex: comments": ("x.tex", 5_000, lambda n: "%\n" * n),
    "tex: empty lines": ("x.tex", 5_000, lambda n: "\n" * n),
    "tex: packages that open": ("x.tex", 5_000, lambda n: "\\usepackage[" * n),
    "tex: blanks after a package": ("x.tex", 10_000, lambda n: "\\usepackage" + " " * n),
    "tex: one long name": ("x.tex", 500, lambda n: f"\\{'cite' * n}x{{k}}"),
    "tex: macros": (
        "x.tex",
        500,
        lambda n: "".join(f"\\def\\a{'b' * (i % 50)}{i}{{\\cite{{k}}}}" for i in range(n)),
    ),
    "tex: macros in macros": ("x.tex", 2_000, lambda n: "\\newcommand{\\a}{" * n),
    "typst: brackets": ("x.typ", 5_000, lambda n: "#[" * n + "@k"),
    "typst: comments": ("x.typ", 5_000, lambda n: "/*" * n),
    "typst: blanks in a definition": ("x.typ", 10_000, lambda n: f"#let a{' ' * n}x"),
    "typst: brackets that close others": ("x.typ", 5_000, lambda n: "#[" * n + ")" * 2 * n),
    "tex: citations in citations": ("x.tex", 2_000, lambda n: "\\cite{" * n + "}" * n),
    "tex: marks that open": ("x.tex", 3_000, lambda n: "\\MakeShortVerb[" * n),
    "tex: one macro of many keys": (
        "x.tex",
        500,
        lambda n: f"\\def\\a{{{'b,' * 490}}}\\cite{{" + "\\a" * n + "}",
    ),
    "bcf: citations that open": ("x.bcf", 3_000, lambda n: "<bcf:citekey " * n),
    "tex: folders of files": (
        "x.tex",
        500,
        lambda n: (
            f"\\def\\input@path{{{''.join(f'{{{i}/}}' for i in range(n))}}}" + "\\include{b}" * n
        ),
    ),
    "tex: blanks in a definition": ("x.tex", 10_000, lambda n: f"\\def{' ' * n}x"),
    "org: citations that open": ("x.org", 5_000, lambda n: "[cite:" * n),
    "org: brackets in citations": ("x.org", 2_000, lambda n: "[cite:[x]" * n),
    "org: an open name": ("x.org", 10_000, lambda n: '#+include: "' + "a" * n),
    "org: code that opens": ("x.org", 5_000, lambda n: "src_a{" * n),
    "org: blocks": ("x.org", 3_000, lambda n: "#+begin_src\n" * n),
    "markdown: empty lines": ("x.qmd", 20_000, lambda n: "---\n" + "\n" * n),
    "markdown: citations": ("x.qmd", 3_000, lambda n: "[@k; " * n),
    "markdown: fences": (
        "x.qmd",
        3_000,
        lambda n: "".join("`" * (i % 90) + "\n" for i in range(n)),
    ),
}
"""Other files than READMEs, by their name."""


def seconds_of(text: str, name: str = "README.md") -> float:
    """Return the processor seconds of importing a file, a pass, and exporting it; or of reading a
    manuscript."""
    with tempfile.TemporaryDirectory() as folder:
        library = Library(Path(folder))
        library.database.parent.mkdir(parents=True)
        path = library.root / name
        path.write_bytes(text.encode())
        if path.suffix in {*SUFFIXES} - {".md"}:
            start = time.process_time()
            read_manuscripts([path])
            has_other_fonts(text)
            return time.process_time() - start
        library.settings_path.touch()
        now = datetime(2026, 1, 1, tzinfo=UTC)
        with Store.create(library.database, now=lambda: now) as store:
            start = time.process_time()
            try:
                if path.suffix in (".md", ".bib"):
                    import_file(store, library, path)
                else:
                    with redirect_stderr(StringIO()):
                        run(["--library", folder, "--quiet", "import", str(path)])
                first = store.select_column("SELECT id FROM papers ORDER BY id LIMIT 1")
                if first:
                    mark_pass(store, first, 1)
                kind: DocumentKind = "bibtex" if path.suffix == ".bib" else "markdown"
                list(export_registered(store, library, kind))
            except PapertrackError as refused:  # A sentence is an answer.
                print(f"    {refused}")
            return time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    every = {name: ("README.md", *how) for name, how in TEXTS.items()} | FILES
    chosen = parser.parse_args().names or list(every)
    is_bad = False
    for name in chosen:
        file, size, make = every[name]
        texts = make(size), make(4 * size)
        small, large = (seconds_of(text, file) for text in texts)
        longer = max(1, len(texts[1]) / len(texts[0]) / 4)
        ratio = large / max(small, LEAST_SECONDS) / longer
        is_bad |= ratio > MOST_RATIO
        said = f"{small:.2f} s, four times as much {large:.2f} s ({ratio:.1f} times)"
        print("ok  " if ratio <= MOST_RATIO else "OVER", f"{name}: {said}", flush=True)
    return 1 if is_bad else 0


if __name__ == "__main__":
    sys.exit(main())

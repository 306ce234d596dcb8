"""What odd and hostile READMEs cost: ``python benchmarks/hostile.py [NAME ...]``.

Each text is imported into a new library, given a pass and exported, at a size and at four times
that size: processor seconds of both, and their ratio. What grows with the square of its size takes
sixteen times as long; a ratio above ``MOST_RATIO`` fails.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.reading import mark_pass
from papertrack.errors import PapertrackError
from papertrack.library import Library
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
    "tags that open": (3_000, lambda size: "# Papers\n\n- " + "<a " * size + "\n"),
    "tables in tables": (750, lambda size: "# Papers\n\n" + "<table><tr><td>" * size + "\n"),
    "definitions of one label": (
        1_500,
        lambda size: "# Papers\n\n- [a][x]\n\n" + "[x]: https://example.org\n" * size,
    ),
    "a list in a list in one line": (500, lambda size: "# Papers\n\n" + "- " * size + TITLE + "\n"),
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


def seconds_of(text: str) -> float:
    """Return the processor seconds of importing a README, a pass, and exporting it."""
    with tempfile.TemporaryDirectory() as folder:
        library = Library(Path(folder))
        library.database.parent.mkdir(parents=True)
        path = library.root / "README.md"
        path.write_bytes(text.encode())
        now = datetime(2026, 1, 1, tzinfo=UTC)
        with Store.create(library.database, now=lambda: now) as store:
            start = time.process_time()
            try:
                import_file(store, library, path)
                first = store.select_column("SELECT id FROM papers ORDER BY id LIMIT 1")
                mark_pass(store, first, 1)
                list(export_registered(store, library, "markdown"))
            except PapertrackError as refused:  # A sentence is an answer.
                print(f"    {refused}")
            return time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    chosen = parser.parse_args().names or list(TEXTS)
    is_bad = False
    for name in chosen:
        size, make = TEXTS[name]
        small, large = seconds_of(make(size)), seconds_of(make(4 * size))
        ratio = large / max(small, LEAST_SECONDS)
        is_bad |= ratio > MOST_RATIO
        said = f"{small:.2f} s, four times as much {large:.2f} s ({ratio:.1f} times)"
        print("ok  " if ratio <= MOST_RATIO else "OVER", f"{name}: {said}", flush=True)
    return 1 if is_bad else 0


if __name__ == "__main__":
    sys.exit(main())

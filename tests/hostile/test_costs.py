"""Odd texts cost in proportion, or are refused by name (security.md, row 2.3)."""

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.hostile import FILES, MOST_RATIO, TEXTS, seconds_of
from papertrack.actions.cite.manuscripts import read_manuscripts
from papertrack.documents.conflict_markers import split_conflicts
from papertrack.documents.markdown.grammar.likeness import names_in
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.name_lists import read_names
from papertrack.documents.merge import merge_words
from papertrack.documents.records import parse_record
from papertrack.errors import DocumentError
from papertrack.importers.html import markdown_of
from papertrack.matching.judge import Description, Verdict, judge
from papertrack.matching.people import compare_authors
from papertrack.matching.words import tokens_of
from papertrack.records import Author
from papertrack.sources.feeds import html_text, parse_feed_page
from papertrack.sync.bibtex import linking
from papertrack.text import clean_lines, title_key
from tests.cli.commands import Command
from tests.corpus import in_turn
from tests.timing import assert_at_most, assert_seconds

LINK = "[A Title of Words](https://arxiv.org/abs/2001.{:05})"
GITHUB = "https://github.com/a/b"
EVERY = {name: ("README.md", *how) for name, how in TEXTS.items()} | FILES
TRIED = {
    "entries of one title": 100,
    "empty brackets": 3_000,
    "opening pictures": 3_000,
    "cells beyond the columns": 3_000,
    "blanks in a label": 2_000,
    "bib: blanks in a field": 5_000,
    "bars": 1_000,
    "dashes": 1_000,
    "signs in a header": 3_000,
    "stars": 1_000,
    "columns": 100,
    "a list in a list": 100,
    "a list in a list in one line": 200,
    "bib: entries of one title": 75,
    "bib: one title and many brackets": 3_000,
    "bib: blanks in a name": 5_000,
    "ris: entries of one title": 75,
    "json: items of one title": 75,
    "json: blanks in a note": 5_000,
    "json: lines of a note": 2_000,
    "markdown: empty lines": 5_000,
    "html: links of one title": 75,
    "html: one README of tags": 1_000,
    "tex: empty lines": 10_000,
    "bib: groups": 2_000,
    "bib: xdata in xdata": 2_000,
    "tex: blanks after a package": 5_000,
    "tex: one long name": 500,
    "tex: groups": 5_000,
    "tex: citations in citations": 1_000,
    "tex: marks that open": 3_000,
    "tex: one macro of many keys": 500,
    "bcf: citations that open": 3_000,
    "tex: folders of files": 500,
    "tex: blanks in a definition": 10_000,
    "typst: blanks in a definition": 10_000,
    "typst: brackets that close others": 2_500,
    "org: brackets in citations": 1_000,
    "org: an open name": 10_000,
    "org: code that opens": 5_000,
}
"""As many levels, entries, signs; and four times as many."""


@pytest.mark.parametrize("name", TRIED)
def test_four_times_as_much_costs_in_proportion(name: str) -> None:
    file, _, make = EVERY[name]
    texts = make(TRIED[name]), make(4 * TRIED[name])
    longer = len(texts[1]) / len(texts[0])
    most = MOST_RATIO / 4 * longer
    small, large = (lambda text=text: seconds_of(text, file) for text in texts)
    assert_at_most(most, lambda: large() / max(small(), 0.1))


@pytest.mark.parametrize(("blanks", "marker"), [("  ", "- "), ("\t", "- "), ("   ", "1. ")])
def test_lists_that_nest_too_deep_are_told_in_one_sentence(
    papertrack: Command, home: Path, blanks: str, marker: str
) -> None:
    papertrack("init")
    lines = [f"{blanks * n}{marker}{LINK.format(n + 1)}" for n in range(300)]
    lines += [f"{marker}{LINK.format(99998)} ✅", f"{marker}{LINK.format(99999)}"]
    text = "# Papers\n\n" + "\n".join(lines) + "\n"
    Path("README.md").write_text(text)
    ran = papertrack("import", "README.md")
    assert ran.code == 0
    assert ran.err.count("are nested too deep") == 1
    assert "README.md:23: From here to line 302 lists are nested too deep" in ran.err
    assert len(papertrack("list", "--limit", 99).out.splitlines()) == 22
    papertrack("pass", "arxiv:2001.99999", 1)
    papertrack("export", "--md")
    changed = Path("README.md").read_text()
    assert changed != text
    assert changed.splitlines()[:302] == text.splitlines()[:302], "no line of it is lost"


def test_what_stands_around_a_deep_list_is_read() -> None:
    lines = [f"{'  ' * n}- {LINK.format(n)}" for n in range(60)]
    behind = [f"{'  ' * n}- {LINK.format(100 + n)}" for n in reversed(range(20))]
    entries = parse_document("\n".join([*lines, *behind])).entries
    numbers = [int(one.identifiers[0].value.rpartition(".")[2]) for one in entries]
    assert numbers == [*range(20), *reversed(range(100, 120))]
    assert all(len(one.identifiers) == 1 for one in entries)


@pytest.mark.parametrize("sign", "{(<`;")
def test_a_heading_of_one_sign_is_read_at_once(sign: str) -> None:
    headings = (
        f"## {around}{sign * 30_000}{around}\n\n- {LINK.format(1)}\n" for around in ("", "x")
    )
    text = "# Papers\n\n" + "\n".join(headings)
    assert_seconds(4, lambda: parse_document(text))


def test_a_name_of_stars_is_read_at_once() -> None:
    assert_seconds(1, lambda: names_in(f"A{'*' * 30_000}x, B C"))


@pytest.mark.parametrize("sign", ["(a", "(a ", "[a", "*a", "“a"])
def test_openers_that_nobody_closes_are_read_at_once(sign: str) -> None:
    text = f"# Papers\n\n- [A Title{sign * 5_000} of Words](https://arxiv.org/abs/2001.00001)\n"
    assert_seconds(2, lambda: parse_document(text * 2))


@in_turn(
    run=[" ", "\t", "\u00a0", "[a] ", "# ", " & "],
    line=[
        "- [A Title of Words{}B](https://arxiv.org/abs/2001.00001)\n",
        "- [A Title of Words](https://arxiv.org/abs/2001.00001), Ann Bee,{}Cy Dee, ICLR 2020{}x\n",
        "### A Title of Words{}B\n\n[paper](https://arxiv.org/abs/2001.00001){}x\n",
        "- Ann Bee,{}Cy Dee. A Title of Words{}B. 2020. https://arxiv.org/abs/2001.00001\n",
    ],
)
def test_runs_of_blanks_and_signs_in_an_entry_are_read_at_once(line: str, run: str) -> None:
    text = "# Papers\n\n" + 3 * line.replace("{}", run * (40_000 // len(run)))
    assert_seconds(2, lambda: parse_document(text))


def test_words_that_are_all_alike_are_merged_at_once() -> None:
    words = "a " * 5_000
    assert_seconds(2, lambda: merge_words(f"x {words}y", f"✅ x {words}y", f"{words}p"))


def test_a_conflict_of_empty_lines_is_read_at_once() -> None:
    blank = b"\n" * 20_000
    data = b"<<<<<<< ours\n%bx\n=======\ny\n%b>>>>>>> theirs\n" % (blank, blank)
    assert_seconds(2, lambda: split_conflicts(data))


def test_a_name_of_blanks_is_read_at_once() -> None:
    assert_seconds(1, lambda: read_names(f"Ada{' ' * 30_000}Lovelace", ("Ada Lovelace",)))


@pytest.mark.parametrize("sign", [" ", "\t", ";", "<br>"])
def test_a_cell_of_blanks_or_separators_is_read_at_once(sign: str) -> None:
    cell = LINK.format(1).replace(" of", f"{sign * 10_000} of")
    text = f"| Title | Venue |\n|---|---|\n| {cell} | NeurIPS |\n"
    assert_seconds(2, lambda: parse_document(text))


@pytest.mark.parametrize("start", ["<a ", "<p><!-- <a x=' --><a href='>' ", '<a x="<" '])
def test_html_of_many_attributes_is_read_at_once(start: str) -> None:
    html = start + " ".join(f"a{number}" for number in range(40_000)) + ">A Word</a>"
    assert_seconds(1, lambda: markdown_of(html * 2))
    assert_seconds(1, lambda: html_text(html, "text/html"))


@pytest.mark.parametrize(
    "tag", ["<category>{}</category>", "<a:Subject xmlns:a='b'>{}</a:Subject>"]
)
def test_a_feed_of_many_tags_is_read_at_once(tag: str) -> None:
    tags = "".join(map(tag.format, range(16_000)))
    item = f"<title>Paged Attention</title>{tags}<link>https://example.org/a</link>"
    feed = f"<rss version='2.0'><channel><title>F</title><item>{item}</item></channel></rss>"
    (read,) = parse_feed_page(feed.encode(), "https://example.org/feed").items
    assert read.announcement.facts.title == "Paged Attention"
    assert_seconds(2, lambda: parse_feed_page(feed.encode(), "https://example.org/feed"))


def test_items_beyond_the_first_2000_cost_little() -> None:
    feed = f"<rss version='2.0'><channel><title>F</title>{'<item/>' * 200_000}</channel></rss>"
    page = parse_feed_page(feed.encode(), "https://example.org/feed")
    assert "only the first 2,000 of 200,000 items were read" in page.problems
    assert_seconds(2, lambda: parse_feed_page(feed.encode(), "https://example.org/feed"))


@pytest.mark.parametrize("start", ["", "x = {", "[", "[[", '"a" . ', "'a#'."])
def test_a_toml_key_of_many_parts_is_refused_at_once(start: str) -> None:
    with pytest.raises(DocumentError, match="more than 20 parts"):
        assert_seconds(2, lambda: parse_record(f"{start}{'a.' * 20_000}a = 1".encode()))


def test_a_paper_of_many_draft_keys_is_imported_at_once(papertrack: Command, home: Path) -> None:
    papertrack("init")
    Path("ids.txt").write_text("2001.00001\n")
    papertrack("import", "ids.txt")
    (paper,) = json.loads(papertrack("export", "--json", "-o", "-").out)
    keys = {"citekey_aliases": ["same"] * 40_000, "draft_keys": [f"k{n}" for n in range(40_000)]}
    Path("papers.json").write_text(json.dumps([paper | keys]))
    assert_seconds(4, lambda: papertrack("import", "papers.json"))


def test_a_letter_of_many_marks_is_read_at_once() -> None:
    """Unicode puts the marks on a letter in order, in the square of their number."""
    for marks in ("\u0301\u0323", "\uff9e\u0301", "\u0f73"):
        title = f"A Title{marks * 30_000} of Words"
        text = f"# Papers\n\n- [{title}](https://arxiv.org/abs/2001.00001)\n"
        assert_seconds(2, lambda text=text: parse_document(text))
        assert_seconds(2, lambda title=title: title_key(title))
        assert_seconds(2, lambda title=title: clean_lines(title))
        assert_seconds(2, lambda title=title: tokens_of(title))


def test_only_marks_after_a_hundred_on_one_letter_are_left_out() -> None:
    rule, flags = "═" * 200, "🇩🇪" * 200
    for text in (rule, flags, "e\u0323\u0301" * 200, "한국어 논문" * 50):
        assert clean_lines(text) == unicodedata.normalize("NFC", text)
    assert clean_lines("x" + "\u0301" * 200 + "═y") == "x" + "\u0301" * 100 + "═y"


def test_many_authors_of_one_family_name_are_compared_at_once() -> None:
    lists = [[Author(f"N{n}{end} Smith") for n in range(4_000)] for end in ("a", "b")]
    assert_seconds(3, lambda: compare_authors(*lists))
    lists[1][2_000] = lists[0][3_999]
    common = compare_authors(lists[0][3_999:], lists[1])
    assert common is not None
    assert not common.other_given_names, "the same name is found among however many"


@pytest.mark.parametrize("macro", ["", r"\newcommand{\m%d}{x}"])
def test_manuscripts_that_include_each_other_in_a_chain_are_read_at_once(
    tmp_path: Path, macro: str
) -> None:
    for n in range(300):
        text = f"{macro % n if macro else ''}\\cite{{k{n}}}\\input{{m{n + 1}}}\n"
        (tmp_path / f"m{n}.tex").write_text(text)
    assert_seconds(2, lambda: read_manuscripts([tmp_path / "m0.tex"]))
    files = read_manuscripts([tmp_path / "m0.tex"])
    assert [c.citekey for f in files for c in f.citations] == [f"k{n}" for n in range(300)]


def test_a_macro_that_a_later_file_defines_holds_in_an_earlier_one(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text("\\input{a}\\take{c}\\mine{one}")
    (tmp_path / "a.tex").write_text("\\newcommand{\\take}[1]{\\input{#1}}")
    (tmp_path / "c.tex").write_text("\\newcommand{\\mine}[1]{\\cite{#1}}\\mine{two}")
    files = read_manuscripts([tmp_path / "main.tex"])
    assert [c.citekey for f in files for c in f.citations] == ["one", "two"]


def test_tex_is_asked_for_some_names_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = tmp_path / "asked"
    program = tmp_path / "kpsewhich"
    program.write_text(f"#!/bin/sh\necho >> {asked}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    (tmp_path / "m.tex").write_text("".join(f"\\input{{n{n}}}\n" for n in range(250)))
    (file,) = read_manuscripts([tmp_path / "m.tex"])
    assert len(file.missing) == 250
    assert len(asked.read_text().splitlines()) == 200


def test_texts_and_comments_of_toml_may_have_many_dots() -> None:
    text, dots = "", "a." * 30
    for sign in ('"', "'", '"""', "'''"):
        text += f"k{len(text)} = {sign}\\" + f"{dots}{sign} # {dots}\n"
    with pytest.raises(DocumentError, match="citekey: Field required"):
        parse_record(text.replace('"\\', '"\\"').encode())


def test_a_title_of_years_is_imported_at_once(papertrack: Command, home: Path) -> None:
    papertrack("init")
    title = f"A Title of {'2020 ' * 4_000}Words"
    Path("README.md").write_text(f"# Papers\n\n- [{title}](https://arxiv.org/abs/2001.00001)\n")
    assert_seconds(5, lambda: papertrack("import", "README.md"))


@pytest.mark.parametrize(
    ("name", "most", "make"),
    [
        ("ids.txt", 2, lambda _: "2001.00001\n"),
        ("links.html", 10, lambda n: f'<DT><A HREF="{GITHUB}">Paged Attention{"!" * n}</A>\n'),
    ],
)
def test_a_work_that_a_file_names_often_is_compared_a_few_times(
    papertrack: Command,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    most: int,
    make: Callable[[int], str],
) -> None:
    """500 bookmarks of one address, under titles that differ by a sign, took 32 s."""
    compared = []

    def count(*given: Description, has_key: bool) -> Verdict:
        compared.append(given)
        return judge(*given, has_key=has_key)

    monkeypatch.setattr(linking, "judge", count)
    papertrack("init")
    head = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n" if name.endswith("html") else ""
    Path(name).write_text(head + "".join(map(make, range(100))))
    assert papertrack("import", name).code == 0
    assert 0 < len(compared) <= most * 100

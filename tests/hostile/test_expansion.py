"""What a few lines stand for is bounded, and refused by name (security.md, rows 2.2)."""

import json
import resource
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from papertrack.documents.bibtex.parse import MOST_ADDED, parse_bibtex
from papertrack.documents.manuscripts.latex_commands import Lexicon, define
from papertrack.importers.html import markdown_of
from papertrack.text import clean
from tests.cli.commands import Command


@pytest.fixture(autouse=True)
def bounded() -> Iterator[None]:
    """Each within some seconds, and without a great part of the memory."""
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    yield
    scale = 1 if sys.platform == "darwin" else 1024
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * scale < 400 * 2**20
    assert time.process_time() - start < 20


def laughs(first: str, more: Callable[[int], str], levels: int = 40) -> str:
    return first + "".join(map(more, range(1, levels)))


STRINGS = laughs(
    '@string{a0 = "lol lol lol "}\n',
    lambda n: f"@string{{a{n} = {' # '.join([f'a{n - 1}'] * 9)}}}\n",
)


def test_billion_laughs_by_strings(papertrack: Command, home: Path) -> None:
    papertrack("init")
    Path("laughs.bib").write_text(STRINGS + "@misc{x, title = a39}\n@misc{y, title = {Kept}}\n")
    ran = papertrack("import", "laughs.bib", "--json")
    assert ran.code == 0
    assert "cut there" in ran.out
    assert "Kept" in papertrack("list").out


def test_what_strings_add_to_all_entries_is_bounded_and_the_rest_refused_by_name() -> None:
    joined = " # ".join(["a20"] * 40)
    text = STRINGS + "".join(f"@misc{{x{n}, title = {{T}}, note = {joined}}}\n" for n in range(500))
    found = parse_bibtex(text)
    assert sum(len(one.fields[1][1]) for one in found.entries) <= MOST_ADDED
    refused = [one for one in found.skipped if one.reason.startswith("not used")]
    assert len(refused) == 500 - len(found.entries)
    assert "x499" in refused[-1].text


def test_what_parents_add_is_bounded() -> None:
    parent = "@proceedings{p, title = {P}, publisher = {" + "long " * 20_000 + "}}\n"
    children = "".join(
        f"@inproceedings{{x{n}, title = {{T{n}}}, crossref = {{p}}}}\n" for n in range(500)
    )
    found = parse_bibtex(children + parent)
    assert 10 < len(found.entries) < 100
    assert len(found.entries) + len(found.skipped) == 501


def test_yaml_aliases(papertrack: Command, home: Path) -> None:
    papertrack("init")
    bomb = "title: A\nref: b\na0: &a0 [lol, lol, lol, lol]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 20)
    )
    for number, text in enumerate(
        (
            f"{bomb}tags: *a19\n",
            f"{bomb}type: *a19\n",
            "title: A\nref: c\nx: &x {a: *x}\n",
            "title: A\nref: d\na0: &a0 {k: v}\n"
            + "".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, 40)),
        )
    ):
        folder = Path("papis") / str(number)
        folder.mkdir(parents=True)
        (folder / "info.yaml").write_text(text)
    kept = Path("papis/kept")
    kept.mkdir()
    # As PyYAML writes a list that two of the authors share.
    (kept / "info.yaml").write_text(
        "title: Kept\nref: kept\nauthor_list:\n- {family: Lovelace, given: Ada, affiliation: &id1 "
        "[]}\n- {family: Byron, given: Anne, affiliation: *id1}\n"
    )
    report = json.loads(papertrack("import", "papis", "--json").out)
    assert (report["imported"], len(report["skipped"])) == (1, 4)
    assert "Kept" in papertrack("list").out


@pytest.mark.parametrize(
    "odd",
    [
        *("!!bool abc", "!!timestamp abc", '!!int ""', '!!int "-"', '!!float ""'),
        *("1:" * 60_000 + "1", "1:" * 300 + "1.5", "0x" + "f" * 5_000, "0b" + "1" * 100_000),
    ],
)
def test_a_value_that_is_no_yaml_costs_its_own_file_alone(
    papertrack: Command, home: Path, odd: str
) -> None:
    """PyYAML raises other errors than its own for them, or reckons with thousands of digits."""
    papertrack("init")
    for name, text in {"a": f"title: Odd\nx: {odd}\n", "b": "title: Kept\n"}.items():
        (Path("papis") / name).mkdir(parents=True)
        (Path("papis") / name / "info.yaml").write_text(text)
    report = json.loads(papertrack("import", "papis", "--json").out)
    assert (report["imported"], len(report["skipped"])) == (1, 1)


@pytest.mark.parametrize("digits", ["²", "9" * 5_000])
def test_digits_that_are_no_number_stop_no_import(
    papertrack: Command, home: Path, digits: str
) -> None:
    papertrack("init")
    Path("papis/a").mkdir(parents=True)
    Path("papis/a/info.yaml").write_text(f'title: A\nyear: 2020\nmonth: "{digits}"\n')
    Path("bookmarks.html").write_text(
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p><DT><A "
        f'HREF="https://arxiv.org/abs/2309.06180" ADD_DATE="{digits}">A title</A></DL>'
    )
    for name in ("papis", "bookmarks.html"):
        assert json.loads(papertrack("import", name, "--json").out)["imported"] == 1


def test_macros_of_manuscripts() -> None:
    text = r"\def\a{\b\b\b\b}" + "".join(
        rf"\def\{chr(98 + n)}{{{(chr(92) + chr(99 + n)) * 9}}}" for n in range(20)
    )
    lexicon = Lexicon(define(text))
    assert len(lexicon.expanded(r"\a")) < 1_000_000
    loop = Lexicon(define(r"\def\x{\y\y}\def\y{\x\x}\newcommand\z[1]{\z{\z{#1}}}"))
    assert len(loop.expanded(r"\x")) < 1_000_000
    assert loop.command("z") is None


def test_entities(papertrack: Command, home: Path) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a0 "lol">' + "".join(
        f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 20)
    )
    papertrack("init")
    Path("bookmarks.html").write_text(
        f"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n{bomb}]>\n<DL><p><DT><A "
        'HREF="https://arxiv.org/abs/2309.06180">&a19;</A></DL>'
    )
    assert "Traceback" not in papertrack("import", "bookmarks.html").err
    Path("README.md").write_text(f"- [T&a19; {'&amp;' * 10_000}](https://example.org/x)\n{bomb}\n")
    assert papertrack("import", "README.md").code == 0
    assert len(clean("&amp;" * 10_000)) <= 50_000


def test_a_note_that_is_nested_deep_is_kept_as_text() -> None:
    assert "the end" in markdown_of("<div>" * 3_000 + "the end")


def test_a_page_of_a_pdf_that_unpacks_to_much_is_not_read(papertrack: Command, home: Path) -> None:
    papertrack("init")
    drawn = zlib.compress(b"BT /F1 12 Tf " + b"(aaaaaaaa) Tj " * 500_000 + b"ET", 1)
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(drawn), drawn),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    whole = b"".join(b"%d 0 obj\n%s\nendobj\n" % one for one in enumerate(parts, 1))
    Path("A Title of Words.pdf").write_bytes(
        b"%PDF-1.5\n" + whole + b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n0\n%%EOF"
    )
    assert papertrack("import", "A Title of Words.pdf").code == 0
    assert "A Title of Words" in papertrack("list").out

"""What can be read of a damaged library is read; nothing is written until it is restored."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.commands import Command
from tests.cli.test_backup import DAMAGES, DATABASE

PAPERS = 300


@pytest.fixture
def long_shelf(papertrack: Command, home: Path) -> Path:
    """A library of many pages, with thoughts in it."""
    papertrack("init")
    rows = "".join(
        f"| [Paper {n} about {'pages ' * 9}](https://arxiv.org/abs/2401.{n + 1:05}) | ✅ |\n"
        for n in range(PAPERS)
    )
    (home / "README.md").write_text(f"# List\n\n## Serving\n\n| Title | Read |\n|---|---|\n{rows}")
    papertrack("import", "README.md")
    for n in (3, 150, 299):
        papertrack("pass", f"2401.{n + 1:05}", "2", "--takeaway", f"Thought {n}", "--minutes", "7")
    return home


def pages_of(table: str) -> list[int]:
    """Where the pages of a table are, if this SQLite tells; else the table is looked for."""
    with closing(sqlite3.connect(DATABASE)) as db:
        try:
            rows = db.execute(
                "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'", (table,)
            ).fetchall()
        except sqlite3.OperationalError:
            pytest.skip("this SQLite has no dbstat")
    return [row[0] for row in rows]


def spoil(page: int) -> None:
    data = bytearray(DATABASE.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    data[(page - 1) * size : page * size] = b"\xff" * size
    DATABASE.write_bytes(data)


def read(papertrack: Command, *arguments: str) -> list[dict[str, object]]:
    """What a command prints of a damaged library, which it says."""
    ran = papertrack(*arguments)
    assert ran.code == 1, ran.err
    assert "is damaged" in ran.err
    assert "can be read of it" in ran.err
    assert "internal error" not in ran.err
    return list(json.loads(ran.out))


def test_of_a_bad_page_of_papers_only_its_papers_lose_something(
    papertrack: Command, long_shelf: Path
) -> None:
    pages = pages_of("papers")
    assert len(pages) > 5
    spoil(pages[len(pages) // 2])
    listed = read(papertrack, "list", "--json")
    assert len(listed) == PAPERS
    whole = [paper for paper in listed if paper["title"]]
    assert PAPERS - 60 < len(whole) < PAPERS
    # Their identifiers, marks and thoughts stand elsewhere.
    for paper in listed:
        assert paper["arxiv_id"], paper
        assert paper["readings"], paper
    thoughts = {one["takeaway"] for paper in listed for one in paper["readings"]}  # type: ignore[attr-defined]
    assert {"Thought 3", "Thought 150", "Thought 299"} <= thoughts


@pytest.mark.parametrize("table", ["readings", "identifiers", "paper_states", "tags", "links"])
def test_a_bad_page_of_what_belongs_to_papers_loses_no_paper(
    papertrack: Command, long_shelf: Path, table: str
) -> None:
    spoil(pages_of(table)[-1])
    for arguments in (("list", "--json"), ("export", "--json", "-o", "-")):
        ran = papertrack(*arguments)
        assert ran.code in (0, 1)
        assert len(json.loads(ran.out)) == PAPERS, ran.err
    assert "internal error" not in papertrack("stats").err


def test_a_file_that_is_cut_off_is_read_as_far_as_it_goes(
    papertrack: Command, long_shelf: Path
) -> None:
    data = DATABASE.read_bytes()
    DATABASE.write_bytes(data[: len(data) * 9 // 10])
    assert read(papertrack, "list", "--json")


def test_a_lost_header_costs_nothing(papertrack: Command, long_shelf: Path) -> None:
    before = json.loads(papertrack("export", "--json", "-o", "-").out)
    data = bytearray(DATABASE.read_bytes())
    data[:40] = b"x" * 40
    DATABASE.write_bytes(data)
    assert read(papertrack, "export", "--json", "-o", "-") == before


@pytest.mark.parametrize("letter", ["[not json", b"\xff\xfe wrong".decode("latin-1")])
def test_a_wrong_letter_in_a_list_is_told_and_the_rest_read(
    papertrack: Command, long_shelf: Path, letter: str
) -> None:
    with closing(sqlite3.connect(DATABASE, isolation_level=None)) as db:
        db.create_function("indexed_form", 1, lambda text: text, deterministic=True)
        db.execute("UPDATE journal_state SET last_paper_id = -1")
        db.execute("UPDATE papers SET arxiv_categories = ? WHERE id = 3", (letter,))
        db.execute("UPDATE papers SET title = CAST(x'41FF42' AS TEXT) WHERE id = 4")
    assert len(read(papertrack, "list", "--json")) == PAPERS


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_reading_a_damaged_library_ends_in_sentences_and_writes_nothing(
    papertrack: Command, shelf: Path, damage: Callable[[], None]
) -> None:
    damage()
    before = DATABASE.read_bytes() if DATABASE.exists() else None
    for arguments in (
        *(["list"], ["show", "zero"], ["stats"], ["export", "--json", "-o", "-"]),
        *(["export", "--bib", "-o", "-"], ["export", "--md", "-o", "-"]),
    ):
        ran = papertrack(*arguments)
        # A page that is not asked for harms nobody.
        assert ran.code in (0, 1, 3), (arguments, ran.err)
        assert "internal error" not in ran.err
        assert ran.code == 0 or ran.err
        assert before == (DATABASE.read_bytes() if DATABASE.exists() else None)


def test_a_document_is_never_written_from_what_is_left(
    papertrack: Command, long_shelf: Path
) -> None:
    spoil(pages_of("papers")[3])
    before = Path("README.md").read_bytes()
    assert papertrack("export").code == 1
    assert papertrack("export", "--md").code == 1
    assert papertrack("sync").code == 1
    assert Path("README.md").read_bytes() == before


def test_what_is_left_goes_into_a_new_library(papertrack: Command, long_shelf: Path) -> None:
    spoil(pages_of("papers")[3])
    assert papertrack("export", "--json", "-o", "left.json").code == 1
    papertrack("init", "anew")
    assert papertrack("--library", "anew", "import", "left.json").code == 0
    listed = json.loads(papertrack("--library", "anew", "list", "--json").out)
    assert len(listed) == PAPERS

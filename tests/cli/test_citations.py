"""Who cites whom among the papers of a library is known from its PDFs."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import pytest

from papertrack.store import citations
from tests.cli.commands import Command
from tests.cli.conftest import furnish
from tests.pdfs.made import make_pdf

TITLES = {
    "a": "Drafting Tokens Ahead of Time",
    "b": "Lamps That Read in the Dark",
    "c": "A <Bold> Survey of Reading Lamps",
}


@pytest.fixture
def library(papertrack: Command, home: Path, made_shelf: Path) -> Path:
    """Three papers: b cites a by its title, c cites a and b."""

    def citing() -> None:
        papertrack("init")
        entries = [
            f"@article{{{key}, title={{{title}}}, year={{202{n}}}, "
            "author={Love, Ada and Roe, Jane}}"
            for n, (key, title) in enumerate(TITLES.items())
        ]
        (home / "refs.bib").write_text("\n".join(entries))
        papertrack("import", home / "refs.bib")
        make_pdf(home / "pdfs/a.pdf", [TITLES["a"], f"In {TITLES['b']}, Love shows lamps."])
        make_pdf(home / "pdfs/b.pdf", [TITLES["b"], "References", cited("a")])
        make_pdf(
            home / "pdfs/c.pdf", [TITLES["c"], "References", cited("a"), cited("b"), cited("c")]
        )

    furnish(home, made_shelf, citing)
    return home


def cited(key: str) -> str:
    year = 2020 + [*TITLES].index(key)
    return f"[{year - 2019}] Ada Love and Jane Roe. {year}. {TITLES[key]}. Light 3, 5-9."


def keys(papertrack: Command, *query: str) -> set[str]:
    return {paper["citekey"] for paper in json.loads(papertrack("list", "--json", *query).out)}


def test_queries_know_both_directions(papertrack: Command, library: Path) -> None:
    assert keys(papertrack, "cites:a") == {"b", "c"}
    assert keys(papertrack, "cited-by:c") == {"a", "b"}
    assert keys(papertrack, "cited_by:c year:2020") == {"a"}
    assert keys(papertrack, "cites:a NOT cites:b") == {"b"}
    assert keys(papertrack, "cites:c") == set()
    assert keys(papertrack, "cites:nobody") == set()
    assert "No paper is named 'cc'. There is 'c'." in papertrack("list", "cites:cc").err
    assert "is named" not in papertrack("list", "cites:c").err
    assert "No paper is named 'cc'." in papertrack("list", "cites:cc OR year:2020").err
    assert "is named" not in papertrack("list", "cites:a OR year:2020").err
    assert "No paper is named '2301.99999'." in papertrack("list", "cited-by:2301.99999").err


def test_new_papers_new_titles_and_new_pdfs_are_known(papertrack: Command, library: Path) -> None:
    assert keys(papertrack, "cites:a") == {"b", "c"}
    papertrack("edit", "a", "title=Another Title Altogether")
    assert keys(papertrack, "cites:a") == set()
    papertrack("undo")
    assert keys(papertrack, "cites:a") == {"b", "c"}
    (library / "pdfs/b.pdf").unlink()
    assert keys(papertrack, "cites:a") == {"c"}
    make_pdf(library / "pdfs/b.pdf", ["References", cited("c")])
    assert keys(papertrack, "cited-by:b") == {"c"}


def test_undo_redo_and_a_restored_library_are_followed(papertrack: Command, library: Path) -> None:
    assert keys(papertrack, "cites:a") == {"b", "c"}
    papertrack("backup")
    papertrack("edit", "a", "title=Another Title Altogether")
    assert keys(papertrack, "cites:a") == set()
    papertrack("undo")
    assert keys(papertrack, "cites:a") == {"b", "c"}
    papertrack("redo")
    assert keys(papertrack, "cites:a") == set()
    assert papertrack("backup", "--restore").code == 0
    papertrack("edit", "b", "title=Another Title Altogether")
    assert keys(papertrack, "cites:a") == {"b", "c"}
    assert keys(papertrack, "cites:b") == set()


def test_an_index_that_others_wrote_is_compared_again(papertrack: Command, library: Path) -> None:
    assert keys(papertrack, "cites:a") == {"b", "c"}
    for place in ("", "[", "[1, 2]", '[{}, "", [[]]]', "[1e400, 0, 0]"):
        with closing(sqlite3.connect(library / "data/pdf-texts.db")) as index, index:
            index.execute("UPDATE compared_until SET place = ?", (place,))
            index.execute("DELETE FROM citations")
        assert keys(papertrack, "cites:a") == {"b", "c"}, place


def test_a_dry_run_leaves_citations_as_they_are(papertrack: Command, library: Path) -> None:
    assert keys(papertrack, "cites:a") == {"b", "c"}
    papertrack("edit", "a", "title=Another Title Altogether", "-n")
    papertrack("table", "cites:a", "-n")
    assert keys(papertrack, "cites:a") == {"b", "c"}


def test_only_pdfs_that_may_cite_a_changed_paper_are_compared(
    papertrack: Command, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papertrack("list", "cites:a")
    compare, compared = citations._compare, []
    monkeypatch.setattr(
        citations, "_compare", lambda *args: (compared.append(args), compare(*args))[1]
    )
    papertrack("edit", "a", "venue=Light")
    papertrack("add", "2401.00001", "--offline")
    assert keys(papertrack, "cites:b") == {"c"}
    compared.clear()
    papertrack("edit", "b", "title=Lamps That Read")
    assert keys(papertrack, "cites:b") == set()
    assert len(compared) == 1


def test_a_paper_is_shown_with_its_citations(papertrack: Command, library: Path) -> None:
    papertrack("pdf", "index")
    shown = papertrack("show", "b").out
    assert "cites       a Drafting Tokens Ahead of Time" in shown
    assert "cited by    c A <Bold> Survey of Reading Lamps" in shown


def test_what_to_read_next_names_who_cites_it(papertrack: Command, library: Path) -> None:
    papertrack("save", "a", "b", "c")
    papertrack("pass", "c", "3")
    papertrack("pass", "b", "3")
    papertrack("pdf", "index")
    ran = papertrack("queue", "--next")
    assert "cited by two papers you read to the third pass" in ran.err
    found = json.loads(papertrack("queue", "--next", "--json").out)
    assert (found["citekey"], found["reason"]) == (
        "a",
        "cited by two papers you read to the third pass",
    )


def test_a_graph_is_drawn_and_written_again(papertrack: Command, library: Path) -> None:
    assert "3 citations among 3 papers" in papertrack("stats", "--graph", "g.svg").err
    drawn = (library / "g.svg").read_text()
    texts = [element.text for element in ElementTree.fromstring(drawn).iter()]
    assert TITLES["c"] in texts
    assert papertrack("stats", "--graph", "g.svg").code == 0
    assert (library / "g.svg").read_text() == drawn
    graph = json.loads(papertrack("stats", "--graph", "g.dot", "--json").out)
    assert (graph["papers"], graph["citations"]) == (3, 3)
    assert '"c" -> "b";' in (library / "g.dot").read_text()
    (library / "mine.dot").write_text("mine")
    assert papertrack("stats", "--graph", "mine.dot").code == 5
    assert papertrack("stats", "--graph", "g.png").code == 2
    assert papertrack("stats", "--graph", "new.dot", "-n").code == 0
    assert not (library / "new.dot").exists()

"""New papers are written as they are read again, one or many."""

from pathlib import Path

from papertrack.records import Author, Identifier, Link, PaperFacts
from papertrack.store.lookup import find_paper, get_papers
from papertrack.store.papers import NewPaper, add_new_papers, add_paper
from papertrack.store.store import Store
from papertrack.store.versions import get_originals
from tests.store.conftest import ticking_clock

FACTS = PaperFacts(
    title="Cien años de BERT",
    identifiers=(Identifier("doi", "10.1/a"), Identifier("arxiv", "2401.00001")),
    authors=(Author("Gabriel García Márquez", family="García Márquez"), Author("Ada Lovelace")),
    links=(Link("code", "https://example.org/a"), Link("paper", "https://example.org/b")),
    publication=(("volume", "3"), ("pages", "1–9")),
    venue="A Venue",
    year=2024,
    is_withdrawn=False,
)


def test_papers_written_together_are_read_as_they_were(tmp_path: Path) -> None:
    with Store.create(tmp_path / "p.db", now=ticking_clock()) as store:
        with store.action("import"):
            add_paper(store, PaperFacts(title="First"), source="test")
            ids = add_new_papers(
                store,
                [
                    NewPaper(FACTS, "a", True, ("b", "c"), "saved", (("x.bib:a", "@misc{a}"),)),
                    NewPaper(PaperFacts(title="Other"), "d", decision="inbox"),
                ],
                source="test",
            )
        first, second = get_papers(store, ids)
        assert ids == [2, 3]
        assert first.facts == FACTS
        assert (first.citekey, first.citekey_aliases) == ("a", ("b", "c"))
        assert (second.facts.title, second.decision) == ("Other", "inbox")
        assert get_originals(store, ids[0]) == {"x.bib:a": "@misc{a}"}


def test_papers_written_together_go_with_one_undo_and_come_back(tmp_path: Path) -> None:
    with Store.create(tmp_path / "p.db", now=ticking_clock()) as store:
        with store.action("import"):
            ids = add_new_papers(store, [NewPaper(FACTS, "a", True, ("b",))], source="test")
        before = get_papers(store, ids)
        store.undo()
        assert get_papers(store, ids) == []
        store.redo()
        assert get_papers(store, ids) == before


def test_a_page_without_identifiers_is_found_by_its_address(tmp_path: Path) -> None:
    with Store.create(tmp_path / "p.db", now=ticking_clock()) as store:
        page = PaperFacts(title="A Page", links=(Link("paper", "http://www.example.org/a/"),))
        with store.action("add"):
            added = add_paper(store, page, source="test")
        assert find_paper(store, [Identifier("url", "https://example.org/a")]) == added

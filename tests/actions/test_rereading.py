"""A newer papertrack reads a list better: the library follows, and loses nothing."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from papertrack.actions.reading import mark_pass
from papertrack.actions.undo import undo
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.read.document import parse_document
from papertrack.records import PaperFacts
from papertrack.store.papers import complete_paper
from papertrack.store.states import add_tags
from papertrack.sync.markdown import reading
from tests.actions.conftest import Desk

NewDesk = Callable[[str], Desk]
Misread = Callable[[Sequence[Entry]], Sequence[Entry]]

TEXT = """# List

## Serving

- [Paged Memory for Serving](https://arxiv.org/abs/2309.10001) ✅
- [Chunked Prefills](https://example.org/chunked) ✅ ✅
- [Drafting Ahead](https://arxiv.org/abs/2211.10002)
"""
PAGED, CHUNKED, DRAFT = "2309.10001", "https://example.org/chunked", "2211.10002"


@pytest.fixture
def read_as(monkeypatch: pytest.MonkeyPatch) -> Callable[[Misread | None], None]:
    """Let documents be read as an earlier papertrack did; or, given None, as this one does."""

    def set_reader(misread: Misread | None) -> None:
        def parse(text: str, *settings: Any) -> Document:
            document = parse_document(text, *settings)
            if misread is None:
                return document
            return replace(document, entries=tuple(misread(document.entries)), parse=parse)

        monkeypatch.setattr(reading, "parse_document", parse)
        monkeypatch.setattr("papertrack.sync.in_step.__version__", str(id(parse)))

    return set_reader


def saying(index: int, **fields: Any) -> Misread:
    """The entries with one that says other fields, and goes by its title if it has no number."""

    def misread(entries: Sequence[Entry]) -> Sequence[Entry]:
        one = entries[index]
        told = replace(one, fields=replace(one.fields, **fields))
        return [*entries[:index], told, *entries[index + 1 :]]

    return misread


def without_first(entries: Sequence[Entry]) -> Sequence[Entry]:
    return [replace(entry, index=number) for number, entry in enumerate(entries[1:])]


def known(desk: Desk) -> list[tuple[str | None, int, tuple[str, ...], object]]:
    return [
        (paper.facts.title, paper.passes_done, paper.tags, paper.categories)
        for paper in desk.papers()
    ]


Reader = Callable[[Misread | None], None]


def test_a_title_read_better_is_taken_and_said_once(new_desk: NewDesk, read_as: Reader) -> None:
    desk = new_desk(TEXT)
    read_as(saying(0, title="[23]", description="Paged Memory for Serving"))
    desk.import_readme()
    with desk.store.action("tag"):
        add_tags(desk.store, [desk.id(PAGED)], ["mine"])
    mark_pass(desk.store, [desk.id(PAGED)], 3)
    before = known(desk)
    read_as(None)
    report = desk.import_readme()
    (title,) = [one for one in report.reread if one.field == "title"]
    assert (title.before, title.after, title.line) == ("[23]", "Paged Memory for Serving", 5)
    assert (report.papers_new, report.papers_changed, report.conflicts) == (0, 1, ())
    place = (("Serving",),)
    assert known(desk)[0] == ("Paged Memory for Serving", 3, ("mine",), place)
    assert desk.paper(PAGED).facts.description is None
    assert desk.import_readme().reread == ()
    undo(desk.store, desk.library)
    assert known(desk) == before


def test_a_title_that_the_reader_edited_stays(new_desk: NewDesk, read_as: Reader) -> None:
    desk = new_desk(TEXT)
    read_as(saying(0, title="[23]"))
    desk.import_readme()
    desk.edit(PAGED, "title=My Name for It")
    read_as(None)
    report = desk.import_readme()
    assert (report.conflicts, report.reread) == ((), ())
    assert desk.paper(PAGED).facts.title == "My Name for It"
    desk.export()
    assert desk.read() == TEXT.replace("Paged Memory for Serving", "My Name for It")


def test_a_title_of_a_better_source_stays(new_desk: NewDesk, read_as: Reader) -> None:
    desk = new_desk(TEXT)
    read_as(saying(0, title="[23]"))
    desk.import_readme()
    with desk.store.action("enrich"):
        facts = PaperFacts(title="Paged Memory, as arXiv Has It")
        complete_paper(desk.store, desk.id(PAGED), facts, source="arxiv")
    read_as(None)
    assert desk.import_readme().reread == ()
    assert desk.paper(PAGED).facts.title == "Paged Memory, as arXiv Has It"
    assert not desk.export().has_changes


def test_an_entry_known_by_its_title_keeps_its_paper(new_desk: NewDesk, read_as: Reader) -> None:
    text = TEXT.replace(
        "[Chunked Prefills](https://example.org/chunked) ✅ ✅", "[ ] Chunked Prefills"
    )

    def by_title(entries: Sequence[Entry]) -> Sequence[Entry]:
        one = replace(entries[1], key="title:paper", identifiers=())
        return saying(1, title="📄 Paper")([entries[0], one, *entries[2:]])

    desk = new_desk(text)
    read_as(by_title)
    desk.import_readme()
    desk.export()
    with desk.store.action("tag"):
        add_tags(desk.store, [desk.papers()[1].id], ["mine"])
    read_as(None)
    assert not desk.export().has_changes
    report = desk.import_readme()
    assert (report.papers_new, report.deleted) == (0, ())
    assert known(desk)[1][0] == "Chunked Prefills"
    assert known(desk)[1][2] == ("mine",)


def test_an_export_before_the_import_writes_no_misreading(
    new_desk: NewDesk, read_as: Reader
) -> None:
    desk = new_desk(TEXT)
    read_as(saying(2, title="[23]", passes=None))
    desk.import_readme()
    read_as(None)
    assert not desk.export().has_changes
    mark_pass(desk.store, [desk.id(DRAFT)], 1)
    assert not desk.export().conflicts
    marked = TEXT.replace("2211.10002)", "2211.10002) ✅")
    assert desk.read() == marked
    (title,) = [one for one in desk.import_readme().reread if one.field == "title"]
    assert title.after == "Drafting Ahead"
    assert desk.paper(DRAFT).passes_done == 1
    assert not desk.export().has_changes


def test_passes_ratings_and_tags_are_never_lost(new_desk: NewDesk, read_as: Reader) -> None:
    desk = new_desk(TEXT)
    read_as(saying(1, passes=3, rating=4, tags=("short",)))
    desk.import_readme()
    read_as(None)
    report = desk.import_readme(on_deleted="discard")
    assert (report.conflicts, report.taken_back) == ((), ())
    paper = desk.paper(CHUNKED)
    assert (paper.passes_done, paper.rating, paper.tags) == (3, 4, ("short",))
    assert not desk.export().has_changes
    assert desk.read() == TEXT


def test_marks_that_were_not_read_are_taken(new_desk: NewDesk, read_as: Reader) -> None:
    desk = new_desk(TEXT)
    read_as(saying(1, passes=0))
    desk.import_readme()
    read_as(None)
    (told,) = desk.import_readme().reread
    assert (told.field, told.before, told.after) == ("passes", 0, 2)
    assert not desk.export().has_changes


def test_what_was_not_read_before_is_new(new_desk: NewDesk, read_as: Reader) -> None:
    desk = new_desk(TEXT)
    read_as(without_first)
    desk.import_readme()
    read_as(None)
    report = desk.import_readme()
    assert (report.papers_new, report.newly_read, report.deleted) == (1, 1, ())
    assert desk.import_readme().newly_read == 0


def test_what_is_no_longer_taken_for_an_entry_stays_whatever_becomes_of_deleted_ones(
    new_desk: NewDesk, read_as: Reader
) -> None:
    desk = new_desk(TEXT)
    read_as(None)
    desk.import_readme()
    key = desk.paper(PAGED).citekey
    read_as(without_first)
    report = desk.import_readme(on_deleted="discard")
    assert (report.deleted, report.no_longer_read) == ((), (key,))
    assert desk.paper(PAGED).decision == "saved"
    assert not desk.export().has_changes


def test_an_edit_beside_what_is_read_better_is_taken_too(
    new_desk: NewDesk, read_as: Reader
) -> None:
    desk = new_desk(TEXT)
    read_as(saying(0, title="[23]"))
    desk.import_readme()
    read_as(None)
    desk.replace("Drafting Ahead", "Drafting Far Ahead")
    report = desk.import_readme()
    assert [one.field for one in report.reread] == ["title"]
    assert [paper.facts.title for paper in desk.papers()] == [
        "Paged Memory for Serving",
        "Chunked Prefills",
        "Drafting Far Ahead",
    ]


def test_an_edited_definition_is_an_edit(desk: Desk) -> None:
    desk.replace("https://github.com/example/paged", "https://github.com/example/pages")
    assert desk.import_readme().reread == ()
    code = [link.url for link in desk.paper(PAGED).facts.links if link.role == "code"]
    assert code == ["https://github.com/example/pages"]

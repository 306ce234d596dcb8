"""Titles that arXiv tells say where the titles of a list stand."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from papertrack.actions.document_settings import describe_document, reading_hints
from papertrack.actions.reading import mark_pass
from papertrack.actions.undo import undo
from papertrack.records import PaperFacts
from papertrack.store.known import known_titles
from papertrack.store.lookup import field_sources
from papertrack.store.papers import READER, complete_paper
from tests.actions.conftest import Desk

LETTERS = "ABCDEF"
TEXT = "# List\n\n## Serving\n\n" + "".join(
    f"- Deep Sea Diver {letter} | Blue Whale Song {letter} | "
    f"[pdf](https://arxiv.org/abs/2401.0000{n})\n"
    for n, letter in enumerate(LETTERS, 1)
)
NAMES = ("Deep Sea Diver", "Blue Whale Song")


@pytest.fixture
def desk(new_desk: Callable[[str], Desk]) -> Desk:
    made = new_desk(TEXT)
    made.import_readme()
    return made


def titles(desk: Desk) -> list[str | None]:
    return [paper.facts.title for paper in desk.papers()]


def tell(desk: Desk, name: str, letters: Sequence[str], source: str = "arxiv") -> None:
    """Let a source say the titles of these works."""
    with desk.store.action("enrich"):
        for n, letter in enumerate(letters, 1):
            facts = PaperFacts(title=f"{name} {letter}")
            complete_paper(desk.store, desk.id(f"2401.0000{n}"), facts, source=source)


def other_name(desk: Desk) -> str:
    """The one of the two names that was not taken for the title."""
    (name,) = (name for name in NAMES if not str(titles(desk)[5]).startswith(name))
    return name


def test_titles_from_arxiv_say_where_those_of_other_entries_stand(desk: Desk) -> None:
    name = other_name(desk)
    tell(desk, name, "ABCDE")
    before = titles(desk)
    assert not desk.export().has_changes
    report = desk.import_readme()
    assert titles(desk) == [f"{name} {letter}" for letter in LETTERS]
    assert (report.conflicts, report.papers_new, report.deleted) == ((), 0, ())
    assert [(one.field, one.after) for one in report.reread if one.field == "title"] == [
        ("title", f"{name} F")
    ]
    assert desk.import_readme().reread == ()
    assert not desk.export().has_changes
    undo(desk.store, desk.library)
    assert titles(desk) == before
    assert not desk.export().has_changes
    assert desk.read() == TEXT


def test_a_list_that_is_new_is_read_by_what_the_library_knows(
    desk: Desk, new_desk: Callable[[str], Desk]
) -> None:
    name = other_name(desk)
    lines = TEXT.splitlines(keepends=True)
    first = new_desk("".join(lines[:-1]))
    first.import_readme()
    tell(first, name, "ABCDE")
    first.write(TEXT)
    first.import_readme()
    assert titles(first)[5] == f"{name} F"


def test_marks_are_written_where_titles_are_read_otherwise_since(
    new_desk: Callable[[str], Desk],
) -> None:
    text = TEXT.replace("2401.00001)", "2401.00001) ✅")
    desk = new_desk(text)
    desk.import_readme()
    name = other_name(desk)
    tell(desk, name, "ABCDE")
    mark_pass(desk.store, [desk.id("2401.00006")], 1)
    desk.export()
    marked = text.replace("2401.00006)", "2401.00006) ✅")
    assert desk.read() == marked
    desk.import_readme()
    assert titles(desk)[5] == f"{name} F"
    assert not desk.export().has_changes


def test_an_edit_of_a_row_that_is_read_otherwise_is_taken(
    new_desk: Callable[[str], Desk],
) -> None:
    desk = new_desk(TEXT.replace("2401.00001)", "2401.00001) ✅"))
    desk.import_readme()
    name = other_name(desk)
    tell(desk, name, "ABCDE")
    desk.replace("2401.00002)", "2401.00002) ✅")
    desk.replace(f"{name} F", f"{name} Far")
    edited = desk.read()
    report = desk.import_readme()
    assert (report.conflicts, report.papers_new, report.deleted) == ((), 0, ())
    assert titles(desk) == [*(f"{name} {letter}" for letter in "ABCDE"), f"{name} Far"]
    assert desk.paper("2401.00002").passes_done == 1
    assert field_sources(desk.store, desk.id("2401.00002"))["title"] == "arxiv"
    assert not desk.export().has_changes
    assert desk.read() == edited


def test_a_list_is_shown_as_it_is_read(desk: Desk) -> None:
    name = other_name(desk)
    tell(desk, name, "ABCDE")
    by = reading_hints(desk.store, desk.library, desk.readme)
    grammar: Any = describe_document(desk.readme, *by)["grammar"]
    (title,) = (part for part in grammar.lists[0].parts if part.role == "title")
    assert all(example.startswith(name) for example in title.examples)


def test_only_titles_of_sources_are_known(desk: Desk) -> None:
    assert known_titles(desk.store) == {}
    tell(desk, "My Own Name", "A", READER)
    assert known_titles(desk.store) == {}
    tell(desk, "Another Name", "AB")
    assert known_titles(desk.store) == {"arxiv:2401.00002": "Another Name B"}

"""The engine of syncing with a format it has never seen: lines of ``id | title | marks``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from papertrack.actions.reading import mark_pass
from papertrack.documents.hunks import Hunk, Unit, apply_hunks, hunk_at
from papertrack.records import Identifier, Paper, PaperFacts
from papertrack.store.documents import (
    DocumentKind,
    EntryState,
    RegisteredDocument,
    StoredEntry,
    find_document,
)
from papertrack.store.lookup import find_papers, get_paper
from papertrack.store.papers import edit_paper, remove_paper
from papertrack.store.states import set_passes
from papertrack.store.store import Store
from papertrack.sync.format import Format, Linked, Told, Written
from papertrack.sync.history import Former, History, gone
from papertrack.sync.items import Add, Asking, Item, Plan, Refused, Remove, Set, match_by
from papertrack.sync.linking import Linker
from papertrack.sync.report import DocumentExport, ImportReport
from papertrack.sync.take import take
from papertrack.sync.threeway import Fields, Values
from papertrack.sync.write import write

LIST = """\
2309.10001 | Paged Memory for Serving | *
2211.10002 | Drafting Ahead | **
2207.10003 | Orca-like Batching |
"""
PAGED, DRAFT, ORCA = "2309.10001", "2211.10002", "2207.10003"


class Line(Item):
    @property
    def parts(self) -> list[str]:
        return [part.strip() for part in self.text.split("|")]

    @cached_property
    def values(self) -> Values:
        return {"title": self.parts[1], "passes": len(self.parts[2])}

    @cached_property
    def facts(self) -> PaperFacts:
        return PaperFacts(self.parts[1], identifiers=(Identifier("arxiv", self.parts[0]),))


class Lines(Format):
    """A list, and all that the engine asks of a format."""

    kind: DocumentKind = "bibtex"  # A library knows no other kinds.
    source = "list"
    fields = Fields(sets=(), single=("title", "passes"), outgoing=("title", "passes"))

    def __init__(self, store: Store, path: Path, text: str, data: bytes) -> None:
        self.store, self.path, self.text, self.data = store, path, text, data
        self.name = path.name
        self.told = Told()
        lines = text.splitlines(keepends=True)
        self.items = [
            Line(number, line.split(" ")[0], number + 1, (), line)
            for number, line in enumerate(lines)
        ]

    def encoded(self) -> bytes:
        return self.text.encode()

    def library_values(self, paper: Paper) -> Values:
        return {"title": paper.facts.title, "passes": paper.passes_done}

    def max_passes(self, items: Sequence[Item]) -> int | None:
        return 2

    def matches(self, stored: Sequence[StoredEntry]) -> dict[int, int]:
        return match_by([(lambda e: [e.key], lambda item: [item.key])], stored, self.items)

    def owner(self, item: Item) -> int | None:
        return next(iter(find_papers(self.store, item.identifiers).values()), None)

    def link(self, items: Sequence[Item], asking: Asking) -> Sequence[Linked]:
        linked = Linker(self.store, self.source).link(items, asking)
        papers = [get_paper(self.store, one.paper_id) for one in linked]
        return [
            replace(one, library=self.library_values(paper))
            for one, paper in zip(linked, papers, strict=True)
        ]

    def put_back(
        self, stored: Sequence[StoredEntry], history: History
    ) -> tuple[Lines, Sequence[StoredEntry]]:
        again = {self._owner_of(one.entry): one for one in history.removed if one.is_ours}
        again.pop(None, None)
        units, _ = apply_hunks(self._units(), [self._hunk_of(o, history) for o in again.values()])
        state = EntryState.LINKED
        back = [gone(o.entry)._replace(paper_id=paper, state=state) for paper, o in again.items()]
        return self.with_text("".join(unit.text for unit in units)), [*stored, *back]

    def write(self, plan: Plan, history: History) -> Written:
        lines = {item.number: item.text for item in self.items}
        refused = []
        added = [change for change in plan.changes if isinstance(change, Add)]
        for change in plan.changes:
            if isinstance(change, Set):
                if change.field == "title" and "|" in change.value:
                    refused.append(Refused(change, "A title with a bar has no place here."))
                    continue
                address, title, marks = (part.strip() for part in lines[change.number].split("|"))
                title = change.value if change.field == "title" else title
                marks = "*" * change.value if change.field == "passes" else marks
                lines[change.number] = f"{address} | {title} | {marks}".rstrip() + "\n"
            elif isinstance(change, Remove):
                del lines[change.number]
        new = [f"{a.paper.facts.identifier('arxiv')} | {a.paper.facts.title} |\n" for a in added]
        document = self.with_text("".join([*lines.values(), *new]))
        places = {number: place for place, number in enumerate(lines)}
        return Written(
            document,
            {
                position: document.items[places[one.number]]
                for position, one in enumerate(plan.kept)
                if one.number in places
            },
            list(zip(added, document.items[len(lines) :], strict=True)),
            refused,
        )

    def _owner_of(self, entry: StoredEntry) -> int | None:
        identifier = Identifier("arxiv", entry.key)
        return find_papers(self.store, [identifier]).get(identifier)

    def _hunk_of(self, former: Former, history: History) -> Hunk:
        then = self.with_text(history.texts_around(former)[0])
        at = next(item.number for item in then.items if item.text == former.entry.text)
        return hunk_at(then._units(), (at, at + 1), at)

    def _units(self) -> list[Unit]:
        return [Unit(item.key, item.text) for item in self.items]

    def with_text(self, text: str) -> Lines:
        return Lines(self.store, self.path, text, self.data)


class Desk:
    """A library, and a list that it feeds."""

    def __init__(self, store: Store, path: Path) -> None:
        self.store, self.path = store, path
        path.write_text(LIST)
        assert self.take().papers_new == 3

    def _read(self, registered: RegisteredDocument | None) -> Lines:
        data = self.path.read_bytes()
        return Lines(self.store, self.path, data.decode(), data)

    def take(self, **options: Any) -> ImportReport:
        return take(self.store, self.path.name, self._read, **options)

    def write(self, **options: Any) -> DocumentExport:
        registered = find_document(self.store, self.path.name)
        assert registered is not None
        return write(self.store, registered, self._read, **options)

    def replace(self, old: str, new: str) -> None:
        assert old in self.path.read_text()
        self.path.write_text(self.path.read_text().replace(old, new))

    def paper(self, arxiv_id: str) -> Paper:
        identifier = Identifier("arxiv", arxiv_id)
        return get_paper(self.store, find_papers(self.store, [identifier])[identifier])

    def retitle(self, arxiv_id: str, title: str) -> None:
        with self.store.action("edit"):
            edit_paper(self.store, self.paper(arxiv_id).id, "title", title)

    def text(self) -> str:
        return self.path.read_text()


@pytest.fixture
def desk(store: Store, tmp_path: Path) -> Desk:
    return Desk(store, tmp_path / "papers.list")


def test_works_listed_twice_among_many_new_ones_are_one_paper_in_the_order_of_the_list(
    desk: Desk,
) -> None:
    new = [f"2401.{n:05d} | Work {n} of a Long List | *\n" for n in range(10001, 10241)]
    twice = [
        "2401.10003 | Work 3 of a Long List, Extended | **\n",
        "2402.10001 | Work 10120 of a Long List |\n",
        f"{ORCA} | Orca-like Batching | *\n",
    ]
    desk.path.write_text(LIST + "".join([*new[:120], *twice, *new[120:]]))
    report = desk.take()
    assert report.papers_new == 241, "A preprint of another number is another paper."
    assert desk.paper("2401.10003").passes_done == 2
    ids = [desk.paper(line[:10]).id for line in new]
    assert ids == sorted(ids)
    assert desk.paper("2401.10120").id < desk.paper("2402.10001").id < desk.paper("2401.10121").id
    assert not desk.take().has_changes


def test_a_list_is_imported_and_exported_without_a_change(desk: Desk) -> None:
    assert desk.paper(DRAFT).passes_done == 2
    assert not desk.take().has_changes
    assert not desk.write().has_changes
    assert desk.text() == LIST


def test_edits_on_both_sides_reach_the_other_one(desk: Desk) -> None:
    desk.replace("Drafting Ahead", "Drafting Far Ahead")
    desk.retitle(ORCA, "Batching like Orca")
    with desk.store.action("pass"):
        set_passes(desk.store, desk.paper(PAGED).id, 2)
    desk.take()
    desk.write()
    assert desk.paper(DRAFT).facts.title == "Drafting Far Ahead"
    assert f"{ORCA} | Batching like Orca |\n" in desk.text()
    assert f"{PAGED} | Paged Memory for Serving | **\n" in desk.text()
    assert not desk.take().has_changes
    assert not desk.write().has_changes


@pytest.mark.parametrize(("prefer", "title"), [("file", "By Hand"), ("library", "By Command")])
def test_an_edit_of_one_title_on_both_sides_is_a_conflict_until_it_is_decided(
    desk: Desk, prefer: str, title: str
) -> None:
    desk.replace("Drafting Ahead", "By Hand")
    desk.retitle(DRAFT, "By Command")
    for _ in range(2):
        (conflict,) = desk.take().conflicts
        assert (conflict.field, conflict.file_value) == ("title", "By Hand")
        assert len(desk.write().conflicts) == 1
    assert not desk.take(prefer=prefer).conflicts
    desk.write()
    assert desk.paper(DRAFT).facts.title == title
    assert f"| {title} |" in desk.text()


def test_what_a_list_has_no_place_for_is_told_once_and_waits(desk: Desk) -> None:
    desk.retitle(DRAFT, "Drafting | Ahead")
    assert desk.write().refused == (
        "drafting2022ahead (line 2): A title with a bar has no place here.",
    )
    assert desk.write().refused == ()
    with desk.store.action("pass"):
        set_passes(desk.store, desk.paper(DRAFT).id, 3)
    assert "no sign for a third pass" in desk.write().refused[0]
    assert desk.write().refused == ()
    desk.retitle(DRAFT, "Drafting and More")
    desk.write()
    assert f"{DRAFT} | Drafting and More | **\n" in desk.text()


@pytest.mark.parametrize("fate", ["unlink", "discard", "put-back"])
def test_a_deleted_line_is_told_and_settled(desk: Desk, fate: str) -> None:
    desk.replace(f"{ORCA} | Orca-like Batching |\n", "")
    citekey = desk.paper(ORCA).citekey
    assert desk.take(on_deleted=fate).deleted == (citekey,)
    assert (desk.paper(ORCA).decision == "discarded") == (fate == "discard")
    desk.write()
    assert (ORCA in desk.text()) == (fate == "put-back")
    assert not desk.take().has_changes


def test_a_removed_paper_takes_its_line_along_and_both_come_back_where_they_were(
    desk: Desk,
) -> None:
    with desk.store.action("rm"):
        remove_paper(desk.store, desk.paper(DRAFT).id)
    desk.write()
    assert DRAFT not in desk.text()
    desk.store.undo()
    desk.write()
    assert desk.text() == LIST
    assert not desk.write().has_changes


def test_a_line_of_a_removed_paper_that_says_something_new_is_asked_about(desk: Desk) -> None:
    with desk.store.action("rm"):
        remove_paper(desk.store, desk.paper(DRAFT).id)
    desk.replace("Drafting Ahead", "Drafting Again")
    assert [conflict.field for conflict in desk.write().conflicts] == ["paper"]
    assert desk.take(prefer="file").papers_new == 1
    assert desk.paper(DRAFT).facts.title == "Drafting Again"


def test_a_dry_run_changes_neither_side(desk: Desk) -> None:
    desk.replace("Drafting Ahead", "Drafting Again")
    with desk.store.trial():
        assert desk.take().papers_changed == 1
    assert desk.paper(DRAFT).facts.title == "Drafting Ahead"
    desk.retitle(PAGED, "Pages")
    before = desk.text()
    with desk.store.trial():
        assert desk.write().has_changes
    assert desk.text() == before


def test_marks_taken_from_a_line_take_no_thoughts_along_unasked(desk: Desk) -> None:
    mark_pass(desk.store, [desk.paper(PAGED).id], 2, takeaway="Pages pay off.")
    desk.write()
    desk.replace("Serving | **", "Serving | *")
    assert [conflict.field for conflict in desk.take().conflicts] == ["passes"]
    assert desk.paper(PAGED).passes_done == 2
    (taken,) = desk.take(prefer="file").taken_back
    assert taken.reading.takeaway == "Pages pay off."

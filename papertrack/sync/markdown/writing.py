"""Make an export's changes in the text of a README."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

from papertrack.category_paths import format_path
from papertrack.documents.markdown.model import Document, Entry, EntryFields
from papertrack.documents.markdown.roles import is_web
from papertrack.documents.markdown.write.edit_types import (
    Add,
    Edit,
    Edited,
    Move,
    Refusal,
    Remove,
    SetDate,
    SetLink,
    SetPasses,
    SetRating,
    SetTitle,
    SetVenue,
)
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.documents.markdown.write.hunks import OldText, hunks_around, with_old_texts
from papertrack.identifiers import identify
from papertrack.identifiers.derived import address_of
from papertrack.library import Library
from papertrack.library.paths import note_name, note_url
from papertrack.matching.publications import published_address
from papertrack.records import Link, Paper
from papertrack.store.store import Store
from papertrack.sync import items as changes
from papertrack.sync.history import Former, History, Steps, accepted, in_order
from papertrack.sync.items import Change, Item, Plan, Refused, is_about
from papertrack.sync.markdown import reading
from papertrack.sync.markdown.reading import MarkdownItem, ReadDocument

_NOT_SHOWN = ("author", "related", "note")
"""Roles of links that a new entry does not get from ``facts.links``."""
_FIELDS = {
    SetPasses: "passes",
    SetRating: "rating",
    SetTitle: "title",
    SetDate: "date",
    SetVenue: "venue",
}


def field_of(edit: Edit) -> str | None:
    """Return the field that an edit sets; None if it adds, moves or removes an entry."""
    return edit.role if isinstance(edit, SetLink) else _FIELDS.get(type(edit))


@dataclass
class Writing:
    """Makes a plan's changes in one README, and keeps what to report about them."""

    store: Store
    library: Library
    name: str
    read: ReadDocument
    items: Sequence[MarkdownItem]
    """The document's items."""
    plan: Plan
    history: History
    placed: Mapping[int, Item] = field(default_factory=dict)
    added: Sequence[tuple[changes.Add, Item]] = ()
    refused: list[Refused] = field(default_factory=list)
    refused_of_added: list[tuple[changes.Add, str | None, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.start = self.read.document
        self.change_of = {self._edit_for(change): change for change in self.plan.changes}
        self.new = {
            edit: change
            for edit, change in self.change_of.items()
            if isinstance(edit, Add) and isinstance(change, changes.Add)
        }

    def write(self) -> Document:
        """Return the document with the changes made.

        Sets ``placed``, ``added``, ``refused`` and ``refused_of_added`` (see ``Written``).
        """
        start, finished = self._give_back()
        edits = [e for e in self.change_of if isinstance(e, Add) or e.entry_index not in finished]
        document, numbers, rows = self._edit(edits, start)
        items = self._items(document)
        self.placed = {
            position: items[numbers[entry.number]]
            for position, entry in enumerate(self.plan.kept)
            if entry.number in numbers
        }
        self.added = [(self.new[edit], items[number]) for number, edit in rows.items()]
        return document

    def _give_back(self) -> tuple[Document, set[int]]:
        """Give rows their former text if it has the values that the plan sets.

        Returns the document, and the numbers of these rows, which need no other change.
        """

        def make(batch: Sequence[Steps]) -> Document:
            if not batch:
                return self.start
            olds = {number: olds_of[number] for number, _ in batch}
            return self.read.document.parse_again(with_old_texts(self.start, olds))

        def find_misread(document: Document, batch: Sequence[Steps]) -> Sequence[Steps]:
            if len(document.entries) != len(self.items):
                return batch
            items = self._items(document)
            return [s for s in batch if items[s[0]].values != s[1][0].entry.base]

        steps = list(self.history.find_steps(self.plan, self.items, reading.FIELDS))
        olds_of = {number: self._old_text(number, former) for number, (former, *_) in steps}
        document, returned = accepted(steps, make, find_misread)
        return document, {number for number, _ in returned}

    def _old_text(self, number: int, former: Former) -> OldText:
        """Return an entry's former text, and former text elsewhere, such as link definitions."""
        then = self.read.document.parse_again(self.history.texts_around(former)[0])
        index = reading.index_of(then, former.entry)
        hunks = () if index is None else hunks_around(then, index, self.start, number)
        return OldText(former.entry.text, in_order(hunks, former))

    def _edit_for(self, change: Change) -> Edit:
        match change:
            case changes.Add(paper, category):
                return Add(category, fields_of_new(paper, self.library, self.read.path))
            case changes.Remove(number):
                return Remove(number)
            case changes.Move(number, _, category):
                return Move(number, category)
            case changes.Set(number, _, "title", value):
                return SetTitle(number, value or "")
            case changes.Set(number, paper, "passes", value):
                return SetPasses(number, value or 0, day_of_pass(paper, value or 0))
            case changes.Set(number, _, "rating", value):
                return SetRating(number, value)
            case changes.Set(number, _, "date", value):
                return SetDate(number, value)
            case changes.Set(number, paper, "venue", value):
                venue = None if value is None else paper.facts.venue
                return SetVenue(number, venue, paper.facts.year, published_address(paper.facts))
        return self._link_edit(change)

    def _link_edit(self, change: changes.Set) -> Edit:
        number, value = change.number, change.value
        role, entry = change.field, self.start.entries[number]
        replaced = self._as_written(entry, role, change.instead) if change.instead else None
        url, label = value, None
        if value is not None:
            url = value if is_web(value) else note_url(self.library, self.read.path, value)
            links = change.paper.facts.links
            label = next((i.label for i in links if (i.role, i.url) == (role, value)), None)
        return SetLink(number, role, url, label, replaced)  # type: ignore[arg-type]

    def _as_written(self, entry: Entry, role: str, target: str) -> str:
        """Return a link's target as written in the file: for a note, its relative path."""
        links = [link.url for link in entry.fields.links if link.role == role]
        urls = (url for url in links if note_name(self.library, self.read.path, url) == target)
        return target if is_web(target) else next(urls, target)

    def _edit(
        self, edits: Sequence[Edit], start: Document
    ) -> tuple[Document, dict[int, int], dict[int, Add]]:
        """Apply edits; return the document, the new numbers of its entries, and its new rows."""
        edited, entered, rows = self._made(edits, start)
        if lost := [e for e in entered if isinstance(e, Add) and e not in rows.values()]:
            # They would not be parsed as their papers, so every export would add them again.
            self._refuse([Refusal(edit, self._unwritten(edit)) for edit in lost])
            edits = [edit for edit in edits if edit not in lost]
            edited, entered, rows = self._made(edits, start)
        # Only now: without the lost edits, other edits may be refused than before.
        self._refuse(edited.refused)
        document = edited.document or start
        numbers = _numbers_after(start, document, _removed_by(edits, edited), entered)
        return self._completed(document, rows, edited.notes), numbers, rows

    def _made(
        self, edits: Sequence[Edit], start: Document
    ) -> tuple[Edited, dict[Edit, int], dict[int, Add]]:
        """Apply edits; return the result, and the numbers of added and moved entries.

        Also returns the added rows that are parsed as their papers, by number.
        """
        edited = apply_edits(start, edits)
        document = edited.document or start
        spans = sorted((entry.span[0], entry.index) for entry in document.entries)
        entered = {
            edit: spans[bisect_left(spans, (place,))][1] for edit, place in edited.places.items()
        }
        items = self._items(document)
        rows = {
            number: edit
            for edit, number in entered.items()
            if isinstance(edit, Add) and self._is_row(items[number], edit)
        }
        return edited, entered, rows

    def _is_row(self, item: Item, edit: Add) -> bool:
        is_there = item.category == edit.category
        return is_there and is_about(self.store, item, self.new[edit].paper)

    def _items(self, document: Document) -> Sequence[MarkdownItem]:
        if document is self.start:
            return self.items
        return reading.items_of(document, self.library, self.read.path)

    def _unwritten(self, edit: Add) -> str:
        where = f"{self.name}, section {format_path(edit.category)}"
        return (
            f"{where}: a row for {edit.fields.title!r} could not be written in the "
            "style of the list."
        )

    def _refuse(self, refusals: Sequence[Refusal]) -> None:
        self.refused += [Refused(self.change_of[r.edit], r.reason) for r in refusals]

    def _completed(
        self, document: Document, rows: Mapping[int, Add], notes: Sequence[Refusal]
    ) -> Document:
        """Return the document with values added to new rows that the rows still lack.

        ``notes`` are about what the rows left out.
        """
        edits = [edit for index, add in rows.items() for edit in self._rest(index, add)]
        edited = apply_edits(document, edits)
        self.refused_of_added = [
            (self.new[rows[refusal.edit.entry_index]], field_of(refusal.edit), refusal.reason)
            for refusal in edited.refused
            if not isinstance(refusal.edit, Add)
        ]
        self.refused_of_added += [
            (self.new[note.edit], None, note.reason)
            for note in notes
            if isinstance(note.edit, Add) and note.edit in rows.values()
        ]
        return edited.document or document

    def _rest(self, index: int, add: Add) -> Iterator[Edit]:
        """Yield edits that set links, passes and rating of a new row.

        The row was modeled on a neighbor, and may lack them. An edit of a value that is there
        changes nothing, and one without a place is refused.
        """
        fields = add.fields
        for link in fields.links:
            if link.role in reading.EXPORTED_ROLES:
                yield SetLink(index, link.role, link.url, link.label)
        if fields.passes:
            day = day_of_pass(self.new[add].paper, fields.passes)
            yield SetPasses(index, fields.passes, day)
        if fields.rating:
            yield SetRating(index, fields.rating)


def _removed_by(edits: Sequence[Edit], edited: Edited) -> set[int]:
    """Return the numbers of the entries that edits removed."""
    refused = {refusal.edit for refusal in edited.refused}
    return {e.entry_index for e in edits if isinstance(e, Remove) and e not in refused}


def _numbers_after(
    before: Document, after: Document, removed: Set[int], entered: Mapping[Edit, int]
) -> dict[int, int]:
    """Return the numbers of the entries after edits, by their numbers before.

    Moved entries are where they ``entered``, with the entries within them; all others that were not
    ``removed`` stay in their order.
    """
    moves = {e.entry_index: number for e, number in entered.items() if isinstance(e, Move)}
    gone = removed | moves.keys()
    numbers: dict[int, int] = {}
    for old, new in moves.items():
        block = [old, *(n for n in _within(before, old) if n not in gone)]
        numbers |= {number: new + place for place, number in enumerate(block)}
    gone |= numbers.keys()
    taken = {*numbers.values(), *entered.values()}
    stay = [entry.index for entry in before.entries if entry.index not in gone]
    free = [entry.index for entry in after.entries if entry.index not in taken]
    return numbers | dict(zip(stay, free, strict=True))


def _within(document: Document, number: int) -> list[int]:
    """Return the numbers of the entries nested in an entry."""
    first, last = document.entries[number].span
    return [entry.index for entry in document.entries if first < entry.span[0] < last]


def fields_of_new(paper: Paper, library: Library, document: Path) -> EntryFields:
    """Return the fields of a new entry of a paper."""
    facts = paper.facts
    return EntryFields(
        title=facts.title or "",
        kind=facts.kind,
        passes=paper.passes_done,
        rating=paper.rating,
        date=reading.day_submitted(paper),
        links=tuple(_links_of(paper, library, document)),
        tags=paper.tags,
        description=facts.description,
        authors=tuple(author.name for author in facts.authors),
        venue=facts.venue,
        year=facts.year,
    )


def _links_of(paper: Paper, library: Library, document: Path) -> Iterator[Link]:
    paper_link = _link_to_paper(paper)
    if paper_link is not None:
        yield paper_link
    address = paper_link.url if paper_link else None
    for link in paper.facts.links:
        if link.role not in _NOT_SHOWN and link.url != address:
            yield link
    for name in paper.notes:
        yield Link("note", note_url(library, document, name))


def _link_to_paper(paper: Paper) -> Link | None:
    """Return the link to the paper itself; None if no address is known.

    If that is a link to its code, it keeps the role ``code``.
    """
    links = paper.facts.links
    by_id = (link for link in links if identify(link.url) in paper.facts.identifiers)
    link = next((link for link in links if link.role == "paper"), None) or next(by_id, None)
    if link is not None:
        return link if link.role == "code" else link._replace(role="paper")
    address = address_of(paper)
    return None if address is None else Link("paper", address)


def day_of_pass(paper: Paper, number: int) -> str | None:
    """Return the date of the last reading with this pass; None if unknown."""
    days = [reading.at for reading in paper.readings if reading.pass_number == number]
    return next((at[:10] for at in reversed(days) if at), None)

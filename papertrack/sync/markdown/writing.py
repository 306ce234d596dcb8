"""Make an export's changes in the text of a README."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
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
from papertrack.store.documents import StoredEntry
from papertrack.store.store import Store
from papertrack.sync import items as changes
from papertrack.sync.history import Former, History, Steps, accepted, in_order
from papertrack.sync.items import Category, Change, Item, Plan, Refused, is_about
from papertrack.sync.markdown import reading
from papertrack.sync.markdown.matching import match_entries, match_in_order
from papertrack.sync.markdown.reading import MarkdownItem, ReadDocument
from papertrack.text import title_key

_NOT_SHOWN = ("author", "related", "note")
"""Roles of links that a new entry does not get from ``facts.links``."""
_BY_TITLE = "title:"
"""The prefix of keys of entries that are identified only by their title."""
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
    refused_of_added: Sequence[tuple[changes.Add, str | None, str]] = ()
    _refused_of_rows: Sequence[tuple[Add, str | None, str]] = ()

    def __post_init__(self) -> None:
        self.start = self.read.document
        self.stored = {entry.number: entry.stored for entry in self.plan.kept}
        """The stored entries by item number."""
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
        document = self._edit(edits, start)
        items = self._items(document)
        staying = self._left()
        matches = match_entries(list(staying.values()), items)
        places = list(staying)
        rows = self._rows(_without(items, matches), list(self.new))
        matches |= self._matched_in_order(places, matches, rows, len(items))
        self.placed = {places[position]: items[number] for number, position in matches.items()}
        self.added = [(self.new[edit], items[number]) for number, edit in rows.items()]
        # A completed row may be parsed as another paper than before, so rows go by their edits.
        added_edits = set(rows.values())
        self.refused_of_added = [
            (self.new[edit], field, reason)
            for edit, field, reason in self._refused_of_rows
            if edit in added_edits
        ]
        return document

    def _left(self) -> dict[int, StoredEntry]:
        """Return the entries that stay in the document, by position in the plan's ``kept``.

        Their titles are those of the edited text: an entry whose new title was refused keeps the
        old one. Removed entries are left out, because a new row may have the same name.
        """
        refused = [refusal.change for refusal in self.refused]
        kept_titles = {
            change.number
            for change in refused
            if isinstance(change, changes.Set) and change.field == "title"
        }
        removed = self._done(changes.Remove)
        return {
            place: self._as_titled(row) if row.number in kept_titles else _as_named(row.stored)
            for place, row in enumerate(self.plan.kept)
            if row.number not in removed
        }

    def _matched_in_order(
        self, places: Sequence[int], matches: Mapping[int, int], rows: Iterable[int], count: int
    ) -> dict[int, int]:
        """Match the remaining entries, whose names have changed, with items by their order.

        ``places`` are the positions of the entries in the plan, ``matches`` the matches so far,
        ``rows`` the numbers of new rows, and ``count`` is the number of items.
        """
        moves = self._done(changes.Move)
        numbers = [self.plan.kept[place].number for place in places]
        in_order = sorted((n, at) for at, n in enumerate(numbers) if n not in {None, *moves})
        moved_here = {n for n, at in matches.items() if numbers[at] in moves}
        return match_in_order([at for _, at in in_order], matches, {*rows, *moved_here}, count)

    def _done(self, kind: type[changes.Move | changes.Remove]) -> set[int]:
        """Return the numbers of the items that were moved, or removed, without refused changes."""
        return _numbers_of(self.plan.changes, kind) - _numbers_of(
            (refusal.change for refusal in self.refused), kind
        )

    def _as_titled(self, entry: changes.Kept) -> StoredEntry:
        title = None if entry.number is None else self.items[entry.number].title
        return entry.stored._replace(base=entry.stored.base | {"title": title})

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

    def _edit(self, edits: list[Edit], start: Document) -> Document:
        edited, document, rows = self._made(edits, start)
        if lost := [edit for edit in _new_in(edits, edited) if edit not in rows.values()]:
            # They would not be parsed as their papers, so every export would add them again.
            self._refuse([Refusal(edit, self._unwritten(edit)) for edit in lost])
            edited, document, rows = self._made([edit for edit in edits if edit not in lost], start)
        # Only now: without the lost edits, other edits may be refused than before.
        self._refuse(edited.refused)
        completed = self._completed(document, rows)
        notes = [(n.edit, None, n.reason) for n in edited.notes if isinstance(n.edit, Add)]
        self._refused_of_rows = [*self._refused_of_rows, *notes]
        return completed

    def _made(
        self, edits: Sequence[Edit], start: Document
    ) -> tuple[Edited, Document, dict[int, Add]]:
        """Apply edits; return them with their refusals, the new document, and its new rows."""
        edited = apply_edits(start, edits)
        if edited.text == start.text:
            return edited, start, {}
        document = self.read.document.parse_again(edited.text)
        return edited, document, self._new_rows(document, _new_in(edits, edited))

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

    def _completed(self, document: Document, rows: Mapping[int, Add]) -> Document:
        """Return the document with values added to new rows that the rows still lack."""
        edits = [edit for index, add in rows.items() for edit in self._rest(index, add)]
        if not edits:
            return document
        edited = apply_edits(document, edits)
        self._refused_of_rows = [
            (rows[refusal.edit.entry_index], field_of(refusal.edit), refusal.reason)
            for refusal in edited.refused
            if not isinstance(refusal.edit, Add)
        ]
        is_same = edited.text == document.text
        return document if is_same else self.read.document.parse_again(edited.text)

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

    def _new_rows(self, document: Document, added: Sequence[Add]) -> dict[int, Add]:
        """Return the rows that the edits ``added`` to a document, by item number.

        A row that was there before does not count, even if it is about the same paper.
        """
        if not added:
            return {}
        items = self._items(document)
        # A paper whose row the user deleted may have a new row elsewhere.
        present = [stored for stored in self._left().values() if stored.is_in_file]
        return self._rows(_without(items, match_entries(present, items)), added)

    def _rows(self, items: Sequence[Item], added: Sequence[Add]) -> dict[int, Add]:
        """Match items with added rows by paper; return the edits by item number."""
        waiting: dict[Category, list[Add]] = {}
        for edit in added:
            waiting.setdefault(edit.category, []).append(edit)
        rows: dict[int, Add] = {}
        for item in items:
            for edit in waiting.get(item.category, ()):
                if is_about(self.store, item, self.new[edit].paper):
                    rows[item.number] = edit
                    waiting[item.category].remove(edit)
                    break
        return rows


def _as_named(entry: StoredEntry) -> StoredEntry:
    """Return an entry, with the key of its present title if only that identifies it."""
    key = title_key(entry.base.get("title") or "")
    is_renamed = key and entry.key.startswith(_BY_TITLE)
    return entry._replace(key=f"{_BY_TITLE}{key}") if is_renamed else entry


def _numbers_of(several: Iterable[Change], kind: type[changes.Move | changes.Remove]) -> set[int]:
    """Return the item numbers of changes of one kind."""
    return {change.number for change in several if isinstance(change, kind)}


def _new_in(edits: Sequence[Edit], edited: Edited) -> list[Add]:
    """Return the edits that added an entry, without refused ones."""
    refused = [refusal.edit for refusal in edited.refused]
    return [edit for edit in edits if isinstance(edit, Add) and edit not in refused]


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
    if link is not None and link.role == "code":
        return link
    address = link.url if link else address_of(paper)
    return None if address is None else Link("paper", address, link.label if link else None)


def day_of_pass(paper: Paper, number: int) -> str | None:
    """Return the date of the last reading with this pass; None if unknown."""
    days = [reading.at for reading in paper.readings if reading.pass_number == number]
    return next((at[:10] for at in reversed(days) if at), None)


def _without(items: Sequence[Item], numbers: Container[int]) -> list[Item]:
    """Return the items except those with these numbers."""
    return [item for item in items if item.number not in numbers]

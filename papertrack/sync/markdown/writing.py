"""Making an export's changes in a README."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from papertrack.documents.markdown.model import Document, Entry, EntryFields
from papertrack.documents.markdown.roles import is_web
from papertrack.documents.markdown.write.edits import (
    Add,
    Edit,
    Move,
    Refusal,
    Remove,
    SetDate,
    SetLink,
    SetPasses,
    SetRating,
    SetTitle,
    Taken,
    apply_edits,
)
from papertrack.identifiers import identify
from papertrack.identifiers.derived import address_of
from papertrack.library import Library
from papertrack.library.paths import note_name, note_url
from papertrack.records import Link, Paper
from papertrack.store.categories import format_path
from papertrack.store.store import Store
from papertrack.sync import changes
from papertrack.sync.changes import Change, Plan, Refused
from papertrack.sync.history import History
from papertrack.sync.items import Item, is_about
from papertrack.sync.markdown.history import Rows
from papertrack.sync.markdown.matching import match_entries
from papertrack.sync.markdown.reading import ReadDocument
from papertrack.sync.markdown.values import EXPORTED_ROLES, MarkdownItem, day_submitted, items_of

_Edit = TypeVar("_Edit", bound=Edit)
_FIELDS = {SetPasses: "passes", SetRating: "rating", SetTitle: "title", SetDate: "date"}


def field_of(edit: Edit) -> str | None:
    """The field that an edit sets, by its name among the values; None for an entry as a whole."""
    return edit.role if isinstance(edit, SetLink) else _FIELDS.get(type(edit))


@dataclass(slots=True)
class Outcome:
    """A README with the changes made."""

    document: Document
    refused: list[Refused] = field(default_factory=list)
    refused_of_added: list[tuple[int, str | None, str]] = field(default_factory=list)
    placed: dict[int, Item] = field(default_factory=dict)
    added: list[tuple[changes.Add, Item]] = field(default_factory=list)


class Writing:
    """The writing of one README."""

    def __init__(
        self,
        store: Store,
        library: Library,
        name: str,
        read: ReadDocument,
        items: Sequence[MarkdownItem],
        plan: Plan,
        history: History,
    ) -> None:
        self.store = store
        self.library = library
        self.name = name
        self.read = read
        self.items = items
        """The document's, of which it is known by now what they say."""
        self.plan = plan
        self.history = history
        self.start = read.document
        self.change_of: dict[Edit, Change] = {}
        for change in plan.changes:
            self.change_of[self._edit_for(change)] = change
        self.positions = {
            kept.number: position
            for position, kept in enumerate(plan.kept)
            if kept.number is not None
        }

    def write(self) -> Outcome:
        rows = Rows(self.library, self.read, self.history, self.plan)
        start, done = rows.give_back()
        edits = [edit for edit in self.change_of if _entry_index(edit) not in done]
        outcome, taken = self._edit(edits, start)
        rows.note_edits(outcome.document, taken)
        self._note_removed(taken)
        self._place(outcome)
        return outcome

    def _edit_for(self, change: Change) -> Edit:
        if isinstance(change, changes.Add):
            fields = fields_of_new(change.paper, self.library, self.read.path)
            return Add(change.category, fields)
        if isinstance(change, changes.Remove):
            return Remove(change.number)
        if isinstance(change, changes.Move):
            return Move(change.number, change.category)
        return self._set_edit(change)

    def _set_edit(self, change: changes.Set) -> Edit:
        number, value = change.number, change.value
        if change.field == "title":
            return SetTitle(number, value or "")
        if change.field == "passes":
            return SetPasses(number, value or 0, day_of_pass(change.paper, value or 0))
        if change.field == "rating":
            return SetRating(number, value)
        if change.field == "date":
            return SetDate(number, value)
        return self._link_edit(change)

    def _link_edit(self, change: changes.Set) -> Edit:
        number, value = change.number, change.value
        role, entry = change.field, self.start.entries[number]
        replaced = self._as_written(entry, role, change.instead) if change.instead else None
        if value is None:
            return SetLink(number, role, None, None, replaced)  # type: ignore[arg-type]
        url = value if is_web(value) else note_url(self.library, self.read.path, value)
        links = change.paper.facts.links
        label = next((i.label for i in links if (i.role, i.url) == (role, value)), None)
        return SetLink(number, role, url, label, replaced)  # type: ignore[arg-type]

    def _as_written(self, entry: Entry, role: str, target: str) -> str:
        """The address of a link as the file has it: a note's name is not its relative path."""
        links = [link.url for link in entry.fields.links if link.role == role]
        found = (url for url in links if note_name(self.library, self.read.path, url) == target)
        return target if is_web(target) else next(found, target)

    def _edit(self, edits: list[Edit], start: Document) -> tuple[Outcome, Sequence[Taken]]:
        edited = apply_edits(start, edits)
        outcome = Outcome(start)
        self._refuse(outcome, edited.refused)
        if edited.text == start.text:
            return outcome, edited.taken
        document = self.read.parse_again(edited.text)
        not_made = {refusal.edit for refusal in edited.refused}
        added = [edit for edit in edits if isinstance(edit, Add) and edit not in not_made]
        if lost := self._lost(document, added):
            # They would be added again and again.
            self._refuse(outcome, [Refusal(edit, self._unwritten(edit)) for edit in lost])
            edited = apply_edits(start, _but(edits, lost))
            document, added = self.read.parse_again(edited.text), _but(added, lost)
        outcome.document = self._completed(document, added, outcome)
        return outcome, edited.taken

    def _lost(self, document: Document, added: Sequence[Add]) -> list[Add]:
        """Rows that are not read back as what they are for."""
        found = self._rows(self._items(document), added).values()
        return [edit for edit in added if edit not in found]

    def _items(self, document: Document) -> Sequence[MarkdownItem]:
        if document is self.start:
            return self.items
        return items_of(document, self.library, self.read.path)

    def _unwritten(self, edit: Add) -> str:
        where = f"{self.name}, section {format_path(edit.category)}"
        return f"{where}: a row for {edit.fields.title!r} could not be written in its style."

    def _refuse(self, outcome: Outcome, refused: Sequence[Refusal]) -> None:
        outcome.refused += [Refused(self.change_of[one.edit], one.reason) for one in refused]

    def _completed(self, document: Document, added: Sequence[Add], outcome: Outcome) -> Document:
        """The document with its new rows saying all that they are for."""
        rows = self._rows(self._items(document), added)
        more = [edit for index, add in rows.items() for edit in self._rest(index, add)]
        if not more:
            return document
        edited = apply_edits(document, more)
        outcome.refused_of_added = [
            (one.edit.entry_index, field_of(one.edit), one.reason)
            for one in edited.refused
            if not isinstance(one.edit, Add)
        ]
        return document if edited.text == document.text else self.read.parse_again(edited.text)

    def _rest(self, index: int, add: Add) -> Iterator[Edit]:
        """What else a new row is to say than the row that it was written after: what is there
        already stays, and what has no place is refused."""
        fields = add.fields
        for link in fields.links:
            if link.role in EXPORTED_ROLES:
                yield SetLink(index, link.role, link.url, link.label)
        if fields.passes:
            change = self.change_of[add]
            assert isinstance(change, changes.Add)
            yield SetPasses(index, fields.passes, day_of_pass(change.paper, fields.passes))
        if fields.rating:
            yield SetRating(index, fields.rating)

    def _rows(self, items: Sequence[Item], added: Collection[Add]) -> dict[int, Add]:
        """Number of an item → the row added that it is, for those that are one; each row once."""
        waiting: dict[tuple[str, ...], list[Add]] = {}
        for edit in added:
            waiting.setdefault(edit.category, []).append(edit)
        rows: dict[int, Add] = {}
        for item in items:
            for edit in waiting.get(item.category, ()):
                change = self.change_of[edit]
                assert isinstance(change, changes.Add)
                if is_about(self.store, item, change.paper):
                    rows[item.number] = edit
                    waiting[item.category].remove(edit)
                    break
        return rows

    def _note_removed(self, taken: Sequence[Taken]) -> None:
        """Note what is cut out, as it was and where."""
        for cut in taken:
            if isinstance(cut.edit, Move | Remove):
                entry = self.start.entries[cut.edit.entry_index]
                kept = self.plan.kept[self.positions[entry.index]].stored
                text = self.start.text[slice(*entry.span)]
                before = replace(kept, text=text, category=entry.category)
                self.history.note_removed(before, cut.hunks)

    def _place(self, outcome: Outcome) -> None:
        """Find out which entry of the new document is which."""
        items = self._items(outcome.document)
        matches = match_entries([kept.stored for kept in self.plan.kept], items)
        outcome.placed = {position: items[number] for number, position in matches.items()}
        added = [edit for edit in self.change_of if isinstance(edit, Add)]
        unmatched = [item for item in items if item.number not in matches]
        for number, edit in self._rows(unmatched, added).items():
            change = self.change_of[edit]
            if isinstance(change, changes.Add):
                outcome.added.append((change, items[number]))


def _but(edits: Sequence[_Edit], lost: Collection[Edit]) -> list[_Edit]:
    return [edit for edit in edits if edit not in lost]


def _entry_index(edit: Edit) -> int | None:
    return None if isinstance(edit, Add) else edit.entry_index


def fields_of_new(paper: Paper, library: Library, document: Path) -> EntryFields:
    """What a new entry of the paper is to say, as far as the document has places for it."""
    facts = paper.facts
    return EntryFields(
        title=facts.title or "",
        kind=facts.kind,
        passes=paper.passes_done,
        rating=paper.rating,
        date=day_submitted(paper),
        links=tuple(_links_of(paper, library, document)),
        tags=paper.tags,
        description=facts.description,
        authors=tuple(author.name for author in facts.authors),
        venue=facts.venue,
    )


def _links_of(paper: Paper, library: Library, document: Path) -> Iterator[Link]:
    own = _own_link(paper)
    if own is not None:
        yield own
    address = own.url if own else None
    for link in paper.facts.links:
        if link.role in EXPORTED_ROLES and link.url != address:
            yield link
    for name in paper.notes:
        yield Link("note", note_url(library, document, name))


def _own_link(paper: Paper) -> Link | None:
    """The link that shows the paper itself; one to its code stays that."""
    links = paper.facts.links
    named = (link for link in links if identify(link.url) in paper.facts.identifiers)
    own = next((link for link in links if link.role == "paper"), None) or next(named, None)
    if own is not None and own.role == "code":
        return own
    address = own.url if own else address_of(paper)
    return None if address is None else Link("paper", address)


def day_of_pass(paper: Paper, number: int) -> str | None:
    """The day when a pass was last done, if it is known."""
    read = [reading.at for reading in paper.readings if reading.pass_number == number]
    return next((at[:10] for at in reversed(read) if at), None)

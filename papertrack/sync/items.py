"""Items (the entries of a document), planned changes to them, and conflict resolution."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from papertrack.records import Identifier, Paper, PaperFacts, Skipped
from papertrack.store.database import to_json
from papertrack.store.documents import RegisteredDocument, StoredEntry
from papertrack.store.lookup import citekey_of, find_papers
from papertrack.store.store import Store
from papertrack.store.written_files import digest_of
from papertrack.sync.threeway import SCHEMES, Conflict, Fields, Prefer, Side, Values
from papertrack.text import group, title_key

Category = tuple[str, ...]


@dataclass
class Item:
    """One entry of a document as it is now in the file. Each format has a subclass."""

    number: int
    """The position among the document's items, counted from 0."""
    key: str
    """Identifies the entry within the document."""
    line: int
    """Counted from 1."""
    category: Category
    """The section that contains the entry; empty in documents without sections."""
    text: str
    """The entry's text, or a fingerprint of it."""

    @cached_property
    def values(self) -> Values:
        """The entry's values by field, as plain JSON."""
        raise NotImplementedError

    def values_since(self, before: StoredEntry) -> Values:
        """Return the values, with former values of fields that no longer have a place.

        Otherwise a column removed from a table would remove its values from the library.
        """
        return self.values

    @cached_property
    def facts(self) -> PaperFacts:
        """The facts that the entry states about its paper."""
        raise NotImplementedError

    @property
    def title(self) -> str | None:
        return self.facts.title

    @property
    def identifiers(self) -> tuple[Identifier, ...]:
        """The identifiers of the entry's paper, strongest first."""
        return self.facts.identifiers

    @property
    def categories(self) -> Sequence[Category]:
        """The categories to which the entry adds its paper."""
        return [self.category] if self.category else []

    @property
    def name(self) -> str:
        """The name shown to the user while the item has no paper."""
        return self.title or self.key

    @property
    def words(self) -> str:
        """The entry's full text in the file."""
        return self.text

    def entry_of(self, paper_id: int, library: Values) -> StoredEntry:
        """Return the entry to store for a new item of this paper.

        ``library`` are the library's values of the paper.
        """
        return StoredEntry(
            self.key, paper_id, self.category, self.text, base=self.values, library=library
        )

    def entry_since(self, before: StoredEntry) -> StoredEntry:
        """Return a stored entry with the item's present key, text, category and values."""
        now = before._replace(key=self.key, category=self.category, text=self.text)
        return now._replace(base=self.values)

    @property
    def read_at(self) -> str | None:
        """The date of the entry's reading mark."""
        return None


def is_about(store: Store, item: Item, paper: Paper) -> bool:
    """Return whether an item is about this paper.

    It is if they share an identifier, or have the same title and no other paper has one of the
    item's identifiers. URLs of other papers do not count, because works may share a page.
    """
    owners = find_papers(store, item.identifiers)
    if paper.id in owners.values():
        return True
    is_open = all(identifier.scheme == "url" for identifier in owners)
    return is_open and item.title == paper.facts.title


def papers_in(
    store: Store, items: Sequence[Item], present: Sequence[StoredEntry]
) -> set[int | None]:
    """Return the ids of papers that already have an entry in the file.

    ``present`` are the stored entries of the file; an item that is not imported yet counts by its
    identifiers.
    """
    papers = {entry.paper_id for entry in present}
    identifiers = [identifier for item in items for identifier in item.identifiers]
    return {*papers, *find_papers(store, identifiers).values()}


Names = Sequence[Hashable]
Rule = tuple[Callable[[StoredEntry], Names], Callable[[Item], Names]]
"""Functions that return the names of a stored entry and of an item.

A stored entry and an item that share a name are the same entry.
"""


def match_by(
    rules: Sequence[Rule], stored: Sequence[StoredEntry], items: Sequence[Item]
) -> dict[int, int]:
    """Match items with stored entries; return positions in ``stored`` by item number.

    Tries each rule, strongest first, on all items before the next one. If several stored entries
    share a name, those in the file come before unlinked ones.
    """
    matches: dict[int, int] = {}
    used: set[int] = set()
    candidates = sorted(range(len(stored)), key=lambda position: not stored[position].is_in_file)
    for names_of_stored, names_of_item in rules:
        waiting: dict[Hashable, deque[int]] = {}
        for position in candidates:
            if position not in used:
                for name in names_of_stored(stored[position]):
                    waiting.setdefault(name, deque()).append(position)
        for item in items if waiting else ():
            if item.number not in matches:
                match = _take(waiting, names_of_item(item), used)
                if match is not None:
                    matches[item.number] = match
                    used.add(match)
    return matches


def _take(waiting: dict[Hashable, deque[int]], names: Names, used: set[int]) -> int | None:
    for name in names:
        positions = waiting.get(name, deque())
        while positions:
            position = positions.popleft()
            if position not in used:
                return position
    return None


def names_of_title(title: str | None) -> Names:
    """Return the key for comparing a title, in a list that is empty without a title."""
    key = title_key(title) if title else ""
    return [key] if key else []


@dataclass(frozen=True, slots=True)
class Set:
    """Set a field of an item; in a field with several values, replace one of them."""

    number: int
    """The item's number."""
    paper: Paper
    field: str
    value: Any
    """The new value, or the member to add; None removes the value, or the member ``instead``."""
    instead: Any = None
    """The member to replace."""

    def applied_to(self, members: Sequence[Any]) -> list[Any]:
        """Return the members of a set after this change."""
        rest = [member for member in members if member not in (self.instead, self.value)]
        return rest if self.value is None else [*rest, self.value]


def values_after(values: Values, sets: Sequence[Set], fields: Fields) -> Values:
    """Return an item's values after these changes, even if the item has no place for them."""
    after = dict(values)
    for edit in sets:
        is_of_set = edit.field in fields.sets
        after[edit.field] = edit.applied_to(after.get(edit.field, [])) if is_of_set else edit.value
    return after


@dataclass(frozen=True, slots=True)
class Move:
    """Move an item to another section of the document."""

    number: int
    paper: Paper
    category: Category


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove an item from the document."""

    number: int


@dataclass(frozen=True, slots=True)
class Add:
    """Add an item for a paper to a section of the document."""

    paper: Paper
    category: Category


Change = Set | Move | Remove | Add


@dataclass(slots=True)
class Kept:
    """An entry of the document, and what to store about it after the export."""

    stored: StoredEntry
    """The entry to store, before it is updated from the written file."""
    number: int | None = None
    """The number of its item; None if the entry is not in the file."""
    unsettled: set[str] | None = None
    """Fields in conflict or waiting for an import; None to store the entry unchanged."""
    then: Values | None = None
    """The library's values at the last sync.

    They stay stored for fields whose change was refused, so that the next export tries again.
    """
    beyond: int | None = None
    """The number of passes the document can show, if the paper has more; else None."""
    is_removed: bool = False
    reread: Collection[str] = ()
    """Fields parsed differently than last time from the same text, for the next import."""


@dataclass(slots=True)
class Plan:
    """The changes to make in one document, and the entries to store after them."""

    changes: list[Change] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """Sentences about values that the document has no place for."""
    kept: list[Kept] = field(default_factory=list)

    @property
    def all_sets(self) -> dict[int, list[Set]]:
        """The values to set, by item number."""
        return group((c.number, c) for c in self.changes if isinstance(c, Set))

    @property
    def sets(self) -> dict[int, list[Set]]:
        """The values to set in items that are not moved or removed, by item number."""
        leaving = {change.number for change in self.changes if isinstance(change, Move | Remove)}
        return {number: sets for number, sets in self.all_sets.items() if number not in leaving}


@dataclass(frozen=True, slots=True)
class Refused:
    """A planned change that could not be made."""

    change: Change
    reason: str
    """A sentence for the user."""


@dataclass(slots=True)
class ReportedValues:
    """The values reported as having no place in a document, so that each is reported once."""

    before: set[str]
    """The values that the last export reported, as JSON."""
    now: set[str] = field(default_factory=set)

    def record(self, paper_id: int, name: str, value: Any) -> bool:
        """Record that a document has no place for a value of a paper.

        Returns whether the value is new: the last export did not report it.
        """
        about = to_json([paper_id, name, value])
        self.now.add(about)
        return about not in self.before


@dataclass
class Resolver:
    """Resolves the conflicts of one document, and collects those left unresolved."""

    store: Store
    document: str
    """The document's name."""
    prefer: Prefer
    items: Sequence[Item] = ()
    """All items of the document, to find identifiers that several of them have."""
    conflicts: list[Conflict] = field(default_factory=list)
    """The unresolved conflicts."""
    faults: list[Skipped] = field(default_factory=list)
    """Identifiers that the document gives to two works; only an edit of it can resolve them."""

    def ask(
        self, line: int, citekey: str, field: str, base: Any, file: Any, library: Any
    ) -> Side | None:
        """Resolve a conflict: return the side to follow, or None to leave both as they are.

        An identifier that the document gives to two works is not a conflict. It stays with its
        paper, and is added to ``faults``.
        """
        owner = owner_of(self.store, field, file)
        key = None if owner is None else citekey_of(self.store, owner)
        other = key if key != citekey else None
        if other is not None and self._shown[Identifier(field, file)] > 1:
            reason = (
                f"its {field}:{file} also belongs to {other} in this file, and can identify only "
                "one of them"
            )
            self.faults.append(Skipped(line, reason, citekey))
            return None
        conflict = Conflict(self.document, line, citekey, field, base, file, library, other)
        side = self.prefer(conflict) if callable(self.prefer) else self.prefer
        if side is None:
            self.conflicts.append(conflict)
        return side

    def new_faults(self, data: bytes, registered: RegisteredDocument | None) -> list[Skipped]:
        """Return the faults, or none if the last import read the same bytes and reported them."""
        is_known = registered is not None and registered.digest == digest_of(data)
        return [] if is_known else self.faults

    @cached_property
    def _shown(self) -> Counter[Identifier]:
        """The number of items that have each identifier."""
        return Counter(identifier for item in self.items for identifier in {*item.identifiers})


def owner_of(store: Store, name: str, value: Any) -> int | None:
    """Return the paper that has this value as its identifier.

    Returns None if no paper has it, or if the field ``name`` is not an identifier.
    """
    if name not in SCHEMES or not value:
        return None
    return find_papers(store, [Identifier(name, value)]).get(Identifier(name, value))

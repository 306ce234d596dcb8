"""The entries of a document as the engine knows them, which is which of last time's, what an
export changes in them, and who is right where a file and the library differ."""

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
from papertrack.text import title_key

Category = tuple[str, ...]
_AT_ONCE = 300
"""Identifiers that are looked up in one query."""


@dataclass
class Item:
    """One entry of a document as it reads now. Formats add what only they know of it."""

    number: int
    """Its place among the document's items, counted from 0."""
    key: str
    """Which entry of the document it is."""
    line: int
    """Counted from 1."""
    category: Category
    """The section it stands in; empty where there are none."""
    text: str
    """Its own text, or what stands for it."""

    @cached_property
    def values(self) -> Values:
        """What it says, by field, as plain JSON."""
        raise NotImplementedError

    def values_since(self, before: StoredEntry) -> Values:
        """What it says, and of what it had a place for last time and has none now, what that said:
        a column that was dropped takes nothing away."""
        return self.values

    @cached_property
    def facts(self) -> PaperFacts:
        """What it says of the paper itself."""
        raise NotImplementedError

    @property
    def title(self) -> str | None:
        return self.facts.title

    @property
    def identifiers(self) -> tuple[Identifier, ...]:
        """Its own identifiers, strongest first."""
        return self.facts.identifiers

    @property
    def name(self) -> str:
        """What the reader knows it by when it has no paper."""
        return self.title or self.key

    @property
    def words(self) -> str:
        """All that it says, as the file has it."""
        return self.text

    def entry_of(self, paper_id: int, library: Values) -> StoredEntry:
        """What is to be remembered of it as a new entry of the paper, of which the library says
        that."""
        return StoredEntry(
            self.key, paper_id, self.category, self.text, base=self.values, library=library
        )

    @property
    def read_at(self) -> str | None:
        """The day of its reading mark."""
        return None


def is_about(store: Store, item: Item, paper: Paper) -> bool:
    """Whether an item is the paper's by its identifiers or, if nobody has those, its title; one
    that only tells an address, which works may share, also by its title."""
    owners = find_papers(store, item.identifiers)
    if paper.id in owners.values():
        return True
    is_open = all(identifier.scheme == "url" for identifier in owners)
    return is_open and item.title == paper.facts.title


def papers_in(
    store: Store, items: Sequence[Item], present: Sequence[StoredEntry]
) -> set[int | None]:
    """Return the papers that need no new entry, because the file has one.

    The entry may be written by hand and not yet imported.
    """
    papers = {entry.paper_id for entry in present}
    identifiers = [identifier for item in items for identifier in item.identifiers]
    for start in range(0, len(identifiers), _AT_ONCE):
        papers.update(find_papers(store, identifiers[start : start + _AT_ONCE]).values())
    return papers


Names = Sequence[Hashable]
Rule = tuple[Callable[[StoredEntry], Names], Callable[[Item], Names]]
"""The names of a stored entry, and of an item: if they share one, they are the same."""


def match_by(
    rules: Sequence[Rule], stored: Sequence[StoredEntry], items: Sequence[Item]
) -> dict[int, int]:
    """Return the positions in ``stored`` of the same entries, by item number.

    Tries every rule on all items before the next weaker one. Of entries with one name, those in the
    file come before unlinked ones.
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
    """Return the key by which a title is compared; nothing without a title."""
    key = title_key(title) if title else ""
    return [key] if key else []


@dataclass(frozen=True, slots=True)
class Set:
    """Let an item say another value of a field; of a set, one member in place of another."""

    number: int
    """The item's."""
    paper: Paper
    field: str
    value: Any
    """The value, or the member to add; None takes the value, or the member ``instead``, away."""
    instead: Any = None
    """The member that gives way."""

    def applied_to(self, members: Sequence[Any]) -> list[Any]:
        """Return the members of a set after this change."""
        rest = [member for member in members if member not in (self.instead, self.value)]
        return rest if self.value is None else [*rest, self.value]


def values_after(values: Values, sets: Sequence[Set], fields: Fields) -> Values:
    """Return an item's values after these changes, even without places for them."""
    after = dict(values)
    for edit in sets:
        is_of_set = edit.field in fields.sets
        after[edit.field] = edit.applied_to(after.get(edit.field, [])) if is_of_set else edit.value
    return after


@dataclass(frozen=True, slots=True)
class Move:
    """Move an item to another section that the document has."""

    number: int
    paper: Paper
    category: Category


@dataclass(frozen=True, slots=True)
class Remove:
    """Take an item out."""

    number: int


@dataclass(frozen=True, slots=True)
class Add:
    """Add an item for a paper to a section that the document has."""

    paper: Paper
    category: Category


Change = Set | Move | Remove | Add


@dataclass(slots=True)
class Kept:
    """An entry that an export keeps, and what to remember of it once the changes are made."""

    stored: StoredEntry
    """As it is to be remembered, but for what the changed file says."""
    number: int | None = None
    """The item that it is; None when it is not in the file."""
    unsettled: set[str] | None = None
    """Fields where the file waits to be imported, or is in conflict; None to leave it alone."""
    then: Values | None = None
    """What the library said when last in step: still so where a change is refused, so that it is
    made as soon as the document has a place for it."""
    beyond: int | None = None
    """How many passes the document can tell, when the paper has more."""
    is_removed: bool = False
    reread: Collection[str] = ()
    """Fields that are read otherwise than last time, of the same text: an import takes them."""


@dataclass(slots=True)
class Plan:
    """The changes of one document, and what to remember once they are made."""

    changes: list[Change] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """Sentences about what the document has no place for."""
    kept: list[Kept] = field(default_factory=list)

    @property
    def all_sets(self) -> dict[int, list[Set]]:
        """The values to set of each item, by its number."""
        sets: dict[int, list[Set]] = {}
        for change in self.changes:
            if isinstance(change, Set):
                sets.setdefault(change.number, []).append(change)
        return sets

    @property
    def sets(self) -> dict[int, list[Set]]:
        """Those of the items that stay where they are."""
        leaving = {change.number for change in self.changes if isinstance(change, Move | Remove)}
        return {number: sets for number, sets in self.all_sets.items() if number not in leaving}


@dataclass(frozen=True, slots=True)
class Refused:
    """A change that was not made."""

    change: Change
    reason: str
    """A sentence for the user."""


@dataclass(slots=True)
class ReportedValues:
    """What is reported as having no place in a document: each of it once, until it is
    otherwise."""

    before: set[str]
    """What was reported by the export before."""
    now: set[str] = field(default_factory=set)

    def record(self, paper_id: int, name: str, value: Any) -> bool:
        """Note what the library says of a paper, and the document cannot; return whether that was
        not reported before."""
        about = to_json([paper_id, name, value])
        self.now.add(about)
        return about not in self.before


@dataclass
class Resolver:
    """What is asked about one document."""

    store: Store
    document: str
    prefer: Prefer
    items: Sequence[Item] = ()
    """The document's, of which several may show one identifier."""
    conflicts: list[Conflict] = field(default_factory=list)
    """What nobody decided."""
    faults: list[Skipped] = field(default_factory=list)
    """Identifiers that the document gives to two works: only there it can be mended."""

    def ask(
        self, line: int, citekey: str, field: str, base: Any, file: Any, library: Any
    ) -> Side | None:
        """Return the side to follow, or None to leave both as they are.

        An identifier that the document gives to two works is no question to the reader: it stays
        with its paper until the document changes.
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
        """Return the document's own faults, unless its bytes are unchanged."""
        is_known = registered is not None and registered.digest == digest_of(data)
        return [] if is_known else self.faults

    @cached_property
    def _shown(self) -> Counter[Identifier]:
        """The number of items that have each identifier."""
        return Counter(identifier for item in self.items for identifier in {*item.identifiers})


def owner_of(store: Store, name: str, value: Any) -> int | None:
    """Return the paper that has the identifier; None for a value that is not one."""
    if name not in SCHEMES or not value:
        return None
    return find_papers(store, [Identifier(name, value)]).get(Identifier(name, value))

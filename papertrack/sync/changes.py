"""What an export changes in a document, and what it remembers of each entry."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from papertrack.records import Paper
from papertrack.store.documents import StoredEntry
from papertrack.sync.items import Category
from papertrack.sync.threeway import Fields, Values


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
        """The members of a set after this change, from those before it."""
        kept = [member for member in members if member not in (self.instead, self.value)]
        return kept if self.value is None else [*kept, self.value]


def values_after(values: Values, sets: Sequence[Set], fields: Fields) -> Values:
    """What an item is to say that says ``values``, whether it has a place for all of it or not."""
    after = dict(values)
    for one in sets:
        is_of_set = one.field in fields.sets
        after[one.field] = one.applied_to(after.get(one.field, [])) if is_of_set else one.value
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
    known: list[Change] = field(default_factory=list)
    """Changes that were refused before: if they are again, the reader knows why."""
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

"""Asking who is right where a file and the library differ, and collecting what nobody decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from papertrack.records import Identifier
from papertrack.store.lookup import citekey_of, find_papers
from papertrack.store.store import Store
from papertrack.sync.items import Item
from papertrack.sync.threeway import SCHEMES, Conflict, Prefer, Side


@dataclass(slots=True)
class Asking:
    """What is asked about one document."""

    store: Store
    document: str
    prefer: Prefer
    items: Sequence[Item] = ()
    """The document's, of which several may show one identifier."""
    conflicts: list[Conflict] = field(default_factory=list)
    """What nobody decided."""

    def ask(
        self, line: int, citekey: str, field: str, base: Any, file: Any, library: Any
    ) -> Side | None:
        """The side to follow, or None to leave both as they are."""
        owner = owner_of(self.store, field, file)
        key = None if owner is None else citekey_of(self.store, owner)
        other = key if key != citekey else None
        conflict = Conflict(self.document, line, citekey, field, base, file, library, other)
        side = self.prefer(conflict) if callable(self.prefer) else self.prefer
        if side is None:
            self.conflicts.append(conflict)
        elif conflict.owner is not None:
            given = sum(Identifier(field, file) in item.identifiers for item in self.items)
            if given > 1:
                return "library"  # The file gives it to both: it stays with the one that has it.
        return side


def owner_of(store: Store, name: str, value: Any) -> int | None:
    """The paper that has the identifier; None also for a value that is no identifier."""
    if name not in SCHEMES or not value:
        return None
    return find_papers(store, [Identifier(name, value)]).get(Identifier(name, value))

"""Asking who is right where a file and the library differ, and collecting what nobody decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from papertrack.records import Identifier, Skipped
from papertrack.store.documents import RegisteredDocument
from papertrack.store.files.written_files import digest_of
from papertrack.store.lookup import citekey_of, find_papers
from papertrack.store.store import Store
from papertrack.sync.items import Item
from papertrack.sync.threeway import SCHEMES, Conflict, Prefer, Side


@dataclass
class Asking:
    """What is asked about one document."""

    store: Store
    document: str
    prefer: Prefer
    items: Sequence[Item] = ()
    """The document's, of which several may show one identifier."""
    conflicts: list[Conflict] = field(default_factory=list)
    """What nobody decided."""
    own_faults: list[Skipped] = field(default_factory=list)
    """Identifiers that the document gives to two works: only there it can be mended."""

    def ask(
        self, line: int, citekey: str, field: str, base: Any, file: Any, library: Any
    ) -> Side | None:
        """The side to follow, or None to leave both as they are.

        An identifier that the document itself gives to two works is no question to the reader: it
        stays with the one that has it, until the document says otherwise.
        """
        owner = owner_of(self.store, field, file)
        key = None if owner is None else citekey_of(self.store, owner)
        other = key if key != citekey else None
        if other is not None and self.gives_to_several(Identifier(field, file)):
            self.own_faults.append(_given_twice(line, citekey, f"{field}:{file}", other))
            return None
        conflict = Conflict(self.document, line, citekey, field, base, file, library, other)
        side = self.prefer(conflict) if callable(self.prefer) else self.prefer
        if side is None:
            self.conflicts.append(conflict)
        return side

    def new_faults(self, data: bytes, last: RegisteredDocument | None) -> list[Skipped]:
        """The document's own faults, each told once: bytes that are those of last time have no
        new ones."""
        is_known = last is not None and last.digest == digest_of(data)
        return [] if is_known else self.own_faults

    def gives_to_several(self, identifier: Identifier) -> bool:
        """Whether several of the document's items show an identifier."""
        return self._shown[identifier] > 1

    @cached_property
    def _shown(self) -> Counter[Identifier]:
        """How many of the items show each identifier."""
        return Counter(one for item in self.items for one in {*item.identifiers})


def _given_twice(line: int, citekey: str, named: str, owner: str) -> Skipped:
    reason = f"its {named} is also that of {owner} in this file, and names only one of them"
    return Skipped(line, reason, citekey)


def owner_of(store: Store, name: str, value: Any) -> int | None:
    """The paper that has the identifier; None also for a value that is no identifier."""
    if name not in SCHEMES or not value:
        return None
    return find_papers(store, [Identifier(name, value)]).get(Identifier(name, value))

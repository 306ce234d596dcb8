"""What a source of papers is: the one shape that enriching and adding know of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from papertrack.records import Identifier
from papertrack.sources.record import SourceRecord

if TYPE_CHECKING:
    from papertrack.sources.transport import Door


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came of the identifiers that were asked for: each of them is in exactly one part."""

    records: tuple[SourceRecord, ...]
    missing: tuple[Identifier, ...] = ()
    """The source does not know them, for sure."""
    unclear: tuple[Identifier, ...] = ()
    """The answer says nothing sure about them: ask another source, or another day."""


class Source(Protocol):
    """One service that describes works; its class inherits from this one."""

    name: str
    """Kept beside what it says of a paper, so that it never changes: ``datacite``."""
    title: str
    """As messages name it: ``DataCite``."""
    setting: str
    """The name of the setting for its address, in the table ``[arxiv]``: ``datacite_url``."""
    url: str
    """Its address, where that setting gives no other."""
    schemes: tuple[str, ...]
    """The schemes of identifiers that it can be asked by: ``arxiv``, ``doi``, ``acl``."""
    ids_per_request: int = 1
    stands_in_for: tuple[str, ...] = ()
    """Schemes for which it knows less than others do: those complete its records later."""

    def answers_for(self, identifier: Identifier) -> bool:
        """Whether it may know this work, so that it is worth a request."""
        return identifier.scheme in self.schemes

    def fetch(self, identifiers: Sequence[Identifier], door: Door) -> Fetched:
        """What it says of these works, at most ``ids_per_request``. Raises SourceFailure."""
        ...

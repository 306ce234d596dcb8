"""What a service that knows publications is: it is asked about works, and says what it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from papertrack.matching.publications import Record
from papertrack.records import Identifier

if TYPE_CHECKING:
    from papertrack.sources.transport import Door


class Sought(NamedTuple):
    """A work that is asked about."""

    identifiers: tuple[Identifier, ...]
    title: str | None = None
    author: str | None = None
    """The first one, for who can only be searched."""

    def value(self, scheme: str) -> str | None:
        """Its first identifier of a scheme; None without one."""
        return next((one.value for one in self.identifiers if one.scheme == scheme), None)


Told = Mapping[Sought, tuple[Record, ...]]
"""Work → what is said of it, nothing where the service knows none; of others it said nothing."""


class Witness(Protocol):
    """One service that knows publications; its class inherits from this one."""

    name: str
    """Kept beside what it says of a paper, so that it never changes: ``crossref``."""
    title: str
    """As messages name it: ``Crossref``."""
    setting: str
    """The name of the setting for its address, in the table ``[sources]``: ``crossref_url``."""
    url: str
    """Its address, where that setting gives no other."""
    key_setting: str | None = None
    """The name of the setting for the key with which it is asked, if it knows keys."""
    pace: float = 1.0
    """The least seconds between two requests."""
    schemes: tuple[str, ...] = ()
    """The schemes of identifiers that it can be asked by; none where titles are searched."""
    works_per_request: int = 1

    def answers_for(self, work: Sought) -> bool:
        """Whether it can be asked about this work."""
        return any(one.scheme in self.schemes for one in work.identifiers)

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Told:
        """What it says of these works, at most ``works_per_request``. Raises SourceFailure."""
        ...

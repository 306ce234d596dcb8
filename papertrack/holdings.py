"""Further records of a library, for data that is not shown with papers (see ``records``).

They are separate because most commands only need papers, and each record costs some start-up time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from papertrack.records import AnnouncementKind, PaperFacts


@dataclass(frozen=True, slots=True)
class Announcement:
    """An entry of arXiv's daily announcements for one category, or an item of a feed."""

    arxiv_id: str
    """The id in canonical form, without version. For an item of a feed, its identifier's value."""
    version: int | None
    """None from the listing pages, which do not have it."""
    kind: AnnouncementKind
    """New, cross-list or replacement, relative to the requested category."""
    facts: PaperFacts
    scheme: str = "arxiv"
    """The identifier's scheme; for an item of a feed often ``doi`` or ``url``."""


@dataclass(frozen=True, slots=True)
class FieldSource:
    """Which source gave a field, or answered for an identifier, and when."""

    field: str
    """A field's name, or an identifier: ``arxiv:2309.06180``."""
    source: str
    """The source; ``user`` for what the user typed."""
    at: str


@dataclass(frozen=True, slots=True)
class KeptSuggestion:
    """A value from a source that differs from the library's, and the user's answer."""

    field: str
    value: Any
    """The value as in JSON."""
    source: str
    at: str
    state: Literal["open", "accepted", "rejected"]


@dataclass(frozen=True, slots=True)
class FoundBy:
    """A topic that found a paper, and why."""

    topic: str
    reason: str
    score: float
    found_at: str


@dataclass(frozen=True, slots=True)
class Details:
    """Data of a paper that is not shown, under names that are valid in any library."""

    is_citekey_given: bool = False
    """Whether the key may be used in a document; then it never changes by itself."""
    decided_at: str | None = None
    in_hand_since: str | None = None
    sources: tuple[FieldSource, ...] = ()
    suggestions: tuple[KeptSuggestion, ...] = ()
    originals: tuple[tuple[str, str], ...] = ()
    """Source and original text of the records from which it was made."""
    different: tuple[str, ...] = ()
    """Citation keys of papers that the user called different works."""
    found: tuple[FoundBy, ...] = ()
    places: tuple[tuple[tuple[str, ...], int], ...] = ()
    """Its categories, and its position in each."""
    wish: str | None = None
    """``more`` or ``less``, if the user wants more or fewer papers like it."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A saved search."""

    id: int
    name: str
    query: str
    """As ``queries.format_query`` writes it."""
    arxiv_categories: tuple[str, ...]
    """The arXiv categories to watch; empty means those in the settings."""
    has_cross_lists: bool
    """Whether it includes papers with another primary category."""
    category: tuple[str, ...]
    """The user's category for its matches; empty for none."""
    is_paused: bool
    added: str
    feeds: tuple[str, ...] = ()
    """Feeds to search too (see ``identifiers.feeds``); without categories, only these."""


@dataclass(frozen=True, slots=True)
class FedFile:
    """A README or ``.bib`` file that a library exports to, and the user's settings for it."""

    file: str
    kind: Literal["markdown", "bibtex"]
    settings: dict[str, str]


@dataclass(frozen=True, slots=True)
class Holdings:
    """A library's data besides its papers."""

    categories: tuple[tuple[str, ...], ...] = ()
    """All categories in the user's order, parents first."""
    topics: tuple[Topic, ...] = ()
    documents: tuple[FedFile, ...] = ()
    forgotten: tuple[str, ...] = ()
    """Words and authors that the ranking ignores."""

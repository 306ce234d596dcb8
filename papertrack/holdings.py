"""What a library holds beside the papers that are shown: records as those of ``records``.

They are apart because most commands know papers only, and each record costs them some start-up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from papertrack.records import AnnouncementKind, PaperFacts


@dataclass(frozen=True, slots=True)
class Announcement:
    """One line of arXiv's daily announcements, as one source shows it for one category; or an item
    of a feed."""

    arxiv_id: str
    """Canonical, never with a version. Of an item of a feed the value of what names it."""
    version: int | None
    """None from the listing pages, which do not show it."""
    kind: AnnouncementKind
    """Relative to the category that was asked."""
    facts: PaperFacts
    scheme: str = "arxiv"
    """What names it: of an item of a feed often ``doi`` or ``url``."""


@dataclass(frozen=True, slots=True)
class FieldSource:
    """Which source gave a field, or answered about an identifier, and when."""

    field: str
    """A field's name, or an identifier: ``arxiv:2309.06180``."""
    source: str
    """``user`` for what the reader typed."""
    at: str


@dataclass(frozen=True, slots=True)
class KeptSuggestion:
    """What a source said against a value that stayed, and what the reader said to that."""

    field: str
    value: Any
    """As JSON has it."""
    source: str
    at: str
    state: Literal["open", "accepted", "rejected"]


@dataclass(frozen=True, slots=True)
class FoundBy:
    """That a topic found a paper, and why."""

    topic: str
    reason: str
    score: float
    found_at: str


@dataclass(frozen=True, slots=True)
class Details:
    """What a library keeps of a paper beside what is shown, by names that hold anywhere."""

    is_citekey_given: bool = False
    """Whether the key may be in somebody's text, and never changes by itself."""
    decided_at: str | None = None
    in_hand_since: str | None = None
    sources: tuple[FieldSource, ...] = ()
    suggestions: tuple[KeptSuggestion, ...] = ()
    originals: tuple[tuple[str, str], ...] = ()
    """Source and text of the records that it was made from, word for word."""
    different: tuple[str, ...] = ()
    """Citekeys of papers that the reader called other works."""
    found: tuple[FoundBy, ...] = ()
    places: tuple[tuple[tuple[str, ...], int], ...] = ()
    """Its categories, and where it stands in each."""
    wish: str | None = None
    """``more`` or ``less``, if the reader wants more or less like it."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A standing query."""

    id: int
    name: str
    query: str
    """As ``queries.format_query`` writes it."""
    arxiv_categories: tuple[str, ...]
    """Where it looks; empty means where the settings say."""
    has_cross_lists: bool
    """Whether it also takes papers whose primary category is another one."""
    category: tuple[str, ...]
    """The reader's own category for what it finds; empty for none."""
    is_paused: bool
    added: str
    feeds: tuple[str, ...] = ()
    """Feeds in which it looks, too (see ``identifiers.feeds``); with feeds alone, nowhere else."""


@dataclass(frozen=True, slots=True)
class FedFile:
    """A README or ``.bib`` that a library feeds, and what its reader set for it."""

    file: str
    kind: Literal["markdown", "bibtex"]
    settings: dict[str, str]


@dataclass(frozen=True, slots=True)
class Holdings:
    """What a library has beside its papers."""

    categories: tuple[tuple[str, ...], ...] = ()
    """All of them in the reader's order, parents first."""
    topics: tuple[Topic, ...] = ()
    documents: tuple[FedFile, ...] = ()
    forgotten: tuple[str, ...] = ()
    """Words and authors that shall say nothing in the ranking."""

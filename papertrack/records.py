"""The records that packages exchange: frozen, plain data, with no I/O and no SQL.

They are named tuples, which a short command creates faster than dataclasses or pydantic models.
Foreign data (files, the network) is checked by whoever makes a record from it; ``contract`` defines
their JSON.

Dates are ISO 8601 texts, as precise as they are known: ``"2023-09"``, ``"2023-09-12"`` or
``"2023-09-12T17:50:04+00:00"``. Unknown values are None, never an empty text.
"""

# Without `from __future__ import annotations`: those of named tuples would be texts then, each
# compiled at every start.

from typing import Literal, NamedTuple, get_args

Kind = Literal["paper", "post", "project", "resource"]
Decision = Literal["inbox", "saved", "discarded"]
AnnouncementKind = Literal["new", "cross", "replace", "replace-cross"]
LinkRole = Literal[
    "paper",  # the work itself: arXiv, a publisher, a post's own address
    "pdf",
    "code",
    "project",
    "note",  # the user's own note file or page on it
    "author",
    "translation",
    "video",
    "slides",
    "post",  # somebody's article about it
    "data",
    "model",
    "demo",
    "related",  # another work that the same entry names
    "other",
]

KINDS: tuple[Kind, ...] = get_args(Kind)
DECISIONS: tuple[Decision, ...] = get_args(Decision)
LINK_ROLES: tuple[LinkRole, ...] = get_args(LinkRole)
READER = "user"
"""The source of values that the user typed."""
PASSES = (1, 2, 3)
"""The three passes of S. Keshav, *How to Read a Paper* (2007)."""
DEFAULT_TEMPLATE = "{auth}{year}{shorttitle}"
"""The default template for citekeys. It is Google Scholar's form, ``kwon2023efficient``, which many
.bib files use."""


class Identifier(NamedTuple):
    """An identifier of a work in one scheme, in canonical form (see ``identifiers``)."""

    scheme: str
    """``arxiv``, ``doi``, ``openreview``, ``acl``, ``dblp`` or ``url``."""
    value: str
    """``2309.06180`` (never a version), ``10.1145/3600006.3613165``, a normalised address."""


class Link(NamedTuple):
    """A link to something about the paper."""

    role: LinkRole
    url: str
    """An http(s) address, or a path for a note."""
    label: str | None = None


class Author(NamedTuple):
    """One author, as printed: ``"Woosuk Kwon"``; collaborations are one author."""

    name: str
    affiliation: str | None = None
    family: str | None = None
    """The last name with its particles, where ``text.split_name`` would not find it: ``"García
    Márquez"``, or all of ``"World Health Organization"``, which has no first name."""


class Reading(NamedTuple):
    """One pass through a paper, done once."""

    pass_number: int
    """1, 2 or 3."""
    at: str | None = None
    """When; None if a README only marks that it was done."""
    minutes: int | None = None
    version: int | None = None
    """The arXiv version that was read."""
    takeaway: str | None = None


class PaperFacts(NamedTuple):
    """What a source says about a paper: never a decision, a pass or other data of the user."""

    title: str | None = None
    kind: Kind = "paper"
    identifiers: tuple[Identifier, ...] = ()
    authors: tuple[Author, ...] = ()
    links: tuple[Link, ...] = ()
    abstract: str | None = None
    description: str | None = None
    """A short description by the curator of a list."""
    submitted: str | None = None
    """When version 1 was submitted, or the month that the source shows."""
    updated: str | None = None
    announced: str | None = None
    version: int | None = None
    primary_category: str | None = None
    """arXiv's primary category, such as ``cs.LG``."""
    arxiv_categories: tuple[str, ...] = ()
    """arXiv's categories, primary first."""
    comment: str | None = None
    journal_ref: str | None = None
    venue: str | None = None
    """The journal, proceedings or conference."""
    year: int | None = None
    """The year of publication at the venue."""
    published_type: str | None = None
    """The BibTeX type of the published version: ``article``, ``inproceedings``."""
    publication: tuple[tuple[str, str], ...] = ()
    """Further BibTeX fields of the published version, in order: volume, pages, publisher."""
    licence: str | None = None
    is_withdrawn: bool | None = None

    def identifier(self, scheme: str) -> str | None:
        """Return the value of the first identifier in ``scheme`` (``arxiv``, ``doi``, …), or
        None."""
        for found in self.identifiers:  # In a third of a generator's time.
            if found.scheme == scheme:
                return found.value
        return None


class Paper(NamedTuple):
    """A paper in the library: what sources say, together with what the user decided."""

    id: int
    citekey: str
    facts: PaperFacts
    added: str
    decision: Decision = "saved"
    decision_reason: str | None = None
    passes_done: int = 0
    readings: tuple[Reading, ...] = ()
    rating: int | None = None
    """1 to 5."""
    categories: tuple[tuple[str, ...], ...] = ()
    """Category paths of the user: ``("LLM", "Speculative Decoding")``."""
    tags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Note files, as paths relative to the library."""
    topics: tuple[str, ...] = ()
    citekey_aliases: tuple[str, ...] = ()
    draft_keys: tuple[str, ...] = ()
    """Aliases that were never in a file, clipboard or editor."""
    snoozed_until: str | None = None
    """The day until which it is snoozed."""


class Skipped(NamedTuple):
    """A piece of a source that was not understood: reported with its place, never dropped."""

    line: int
    """Counted from 1."""
    reason: str
    text: str
    """The piece itself, shortened to 200 characters and cleaned."""

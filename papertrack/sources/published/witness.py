"""What a service that knows publications is: it is asked about works, and says what it has, as
records that are cleaned here, in BibTeX's types and fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol
from urllib.parse import urlencode

from papertrack.identifiers import parse_arxiv_id, parse_doi
from papertrack.matching.publications import Record, Remark
from papertrack.matching.venues import is_series, is_server
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.sources import answers
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import SourceFailure, unexpected
from papertrack.text import clean

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
        """Whether it can be asked about this work: by an identifier, else whatever has a title."""
        if not self.schemes:
            return bool(work.title)
        return any(one.scheme in self.schemes for one in work.identifiers)

    def ask(self, door: Door, path: str = "", **words: str) -> object:
        """The JSON that it answers at a path below its address, None for what it does not know.
        Raises SourceFailure."""
        asked = f"{door.endpoints[self.setting]}{path}"
        response = door.ask_api(
            f"{asked}?{urlencode(words)}" if words else asked,
            expect=frozenset({200} if words else {200, 404}),
        )
        return None if response.status == 404 else answers.read_json(response) or {}

    def unexpected(self, what: str, door: Door) -> SourceFailure:
        """The failure of an answer that holds something else than was asked for."""
        return unexpected(what, host_of(door.endpoints[self.setting]))

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Told:
        """What it says of these works, at most ``works_per_request``. Raises SourceFailure."""
        ...


_TAG = re.compile(r"<[^<>]*>")
_ABSTRACT = re.compile(r"^abstract\b[.:\s]*", re.IGNORECASE)
_RANGE = re.compile(r"\s*[-–—]+\s*")


def make_record(
    source: str,
    *,
    title: str | None,
    authors: Iterable[Author],
    venues: Iterable[str],
    year: int | None,
    type: str | None,
    doi: str | None = None,
    arxiv: Iterable[str] = (),
    others: Iterable[Identifier] = (),
    fields: Iterable[tuple[str, str | None]] = (),
    abstract: str | None = None,
    is_retracted: bool | None = None,
    remarks: Iterable[Remark] = (),
) -> Record:
    """One record of cleaned text.

    Of several ``venues`` the one that is no series is the work's, the series a field; ``arxiv`` are
    addresses, DOIs or ids of the preprint that the service itself links the work to.
    """
    named = [clean(one) for one in venues if clean(one)]
    proper = [one for one in named if not is_series(one)]
    venue = (proper or named)[-1] if named else None
    series = [one for one in named if one != venue and is_series(one)][:1]
    said = list(remarks)
    if venue and not proper:
        said.append("series")
    if venue and is_server(venue):
        said.append("preprint")
    facts = PaperFacts(
        title=clean(title or "") or None,
        identifiers=tuple(_identifiers(doi, arxiv, others)),
        authors=tuple(one for one in authors if one.name),
        # Of JATS or HTML.
        abstract=_ABSTRACT.sub("", clean(_TAG.sub(" ", abstract or ""))) or None,
        venue=venue,
        year=year,
        published_type=type,
        publication=tuple(_fields([*(("series", one) for one in series), *fields])),
        is_withdrawn=is_retracted,
    )
    return Record(source, facts, frozenset(said))


def _identifiers(
    doi: str | None, arxiv: Iterable[str], others: Iterable[Identifier]
) -> Iterator[Identifier]:
    known = parse_doi(doi) if doi else None
    linked = [found.id for one in (*arxiv, doi or "") if (found := parse_arxiv_id(one))]
    if known and not parse_arxiv_id(known):
        yield Identifier("doi", known)
    yield from (Identifier("arxiv", one) for one in dict.fromkeys(linked))
    yield from others


def _fields(fields: Iterable[tuple[str, str | None]]) -> Iterator[tuple[str, str]]:
    for name, value in fields:
        if plain := clean(value or ""):
            yield name, _RANGE.sub("--", plain) if name == "pages" else plain


def person(given: str | None, family: str | None, name: str | None = None) -> Author:
    """An author of the parts of a name, or of a whole one."""
    family, given = clean(family or ""), clean(given or "")
    if not family:
        return Author(clean(name or given))
    return Author(f"{given} {family}".strip(), family=family if " " in family else None)


def type_by_venue(venue: str | None) -> str | None:
    """The BibTeX type that a venue's name tells where nothing else does."""
    from papertrack.identifiers.derived import is_proceedings

    if venue is None:
        return None
    return "inproceedings" if is_proceedings(venue) else "article"

"""The protocol of services that know publications: they are asked about works and return
records, cleaned here, in BibTeX types and fields."""

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
    from papertrack.sources.source import Source
    from papertrack.sources.transport import Door


class Sought(NamedTuple):
    """A work to ask about."""

    identifiers: tuple[Identifier, ...]
    title: str | None = None
    author: str | None = None
    """The first author, for services that can only be searched."""

    def value(self, scheme: str) -> str | None:
        """Return its first identifier in a scheme; None if it has none."""
        return next((one.value for one in self.identifiers if one.scheme == scheme), None)


Hits = Mapping[Sought, tuple[Record, ...]]
"""Work → its records, none if the service does not know it; works that are missing got no clear
answer."""


class Witness(Protocol):
    """A service that knows publications; its class inherits from this one."""

    name: str
    """Stored with its data, so it never changes: ``crossref``."""
    title: str
    """Its name in messages: ``Crossref``."""
    setting: str
    """The setting for its address, in the table ``[sources]``: ``crossref_url``."""
    url: str
    """Its address if that setting is not set."""
    key_setting: str | None = None
    """The setting for its key, if it has keys."""
    pace: float = 1.0
    """The least number of seconds between two requests."""
    schemes: tuple[str, ...] = ()
    """The identifier schemes that it knows; empty if titles are searched."""
    works_per_request: int = 1

    def answers_for(self, work: Sought) -> bool:
        """Return whether it can be asked about this work: by an identifier, else if it has a
        title."""
        if not self.schemes:
            return bool(work.title)
        return any(one.scheme in self.schemes for one in work.identifiers)

    def batch_size(self, key: str | None) -> int:
        """Return about how many works one request can ask."""
        return self.works_per_request

    def ask(self, door: Door, path: str = "", **words: str) -> object:
        """Return the JSON at a path below its address, None for an unknown work. Raises
        SourceFailure."""
        asked = f"{door.endpoints[self.setting]}{path}"
        response = door.ask_api(
            f"{asked}?{urlencode(words)}" if words else asked,
            expect=frozenset({200} if words else {200, 404}),
        )
        return None if response.status == 404 else answers.read_json(response) or {}

    def unexpected(self, what: str, door: Door) -> SourceFailure:
        """Return the failure for a response that contains something else than requested."""
        return unexpected(what, host_of(door.endpoints[self.setting]))

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Hits:
        """Fetch records of these works, at most ``batch_size``. Raises SourceFailure."""
        ...


class OfSource(Witness):
    """A source of metadata, asked about works like a service that knows publications."""

    def __init__(self, source: Source, name: str, scheme: str, remark: Remark) -> None:
        self.name, self.title, self.setting, self.url = (
            name,
            source.title,
            source.setting,
            source.url,
        )
        self.schemes = (scheme,)
        self.works_per_request = source.ids_per_request
        self._source, self._remarks = source, frozenset({remark})

    def _identifier(self, work: Sought) -> Identifier:
        return Identifier(self.schemes[0], work.value(self.schemes[0]) or "")

    def answers_for(self, work: Sought) -> bool:
        """Return whether the source may know the work's identifier."""
        return super().answers_for(work) and self._source.answers_for(self._identifier(work))

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Hits:
        """Fetch the records of these works."""
        asked = {work: self._identifier(work) for work in works}
        fetched = self._source.fetch(list(dict.fromkeys(asked.values())), door)
        told: dict[Identifier, tuple[Record, ...]] = dict.fromkeys(fetched.missing, ())
        for one in fetched.records:
            told[one.identifier] = (Record(self.name, one.facts, self._remarks),)
        return {work: told[one] for work, one in asked.items() if one in told}


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
    """Make a record of cleaned text.

    Of several ``venues``, the one that is not a series is the work's, and the series becomes a
    field; ``arxiv`` are addresses, DOIs or ids of the preprint to which the service itself links
    the work.
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
    """Make an author from the parts of a name, or from a whole one."""
    family, given = clean(family or ""), clean(given or "")
    if not family:
        return Author(clean(name or given))
    return Author(f"{given} {family}".strip(), family=family if " " in family else None)


def type_by_venue(venue: str | None) -> str | None:
    """Return the BibTeX type that the venue's name suggests, if nothing else says it."""
    from papertrack.identifiers.derived import is_proceedings

    if venue is None:
        return None
    return "inproceedings" if is_proceedings(venue) else "article"

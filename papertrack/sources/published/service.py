"""The protocol of services that know publications.

Services look works up and return records with clean text, in BibTeX types and fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
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


Hits = Mapping[PaperFacts, tuple[Record, ...]]
"""Each work and its records: none if unknown; works that are left out got no clear answer."""


class Service:
    """A service that knows publications. Services inherit from this class."""

    name: str
    """Stored with its data, so it never changes: ``crossref``."""
    title: str
    """The name in messages: ``Crossref``."""
    setting: str
    """The setting for the address, in the table ``[sources]``: ``crossref_url``."""
    url: str
    """The default address."""
    key_setting: str | None = None
    """The setting for the API key, if the service has keys."""
    pace: float = 1.0
    """The least number of seconds between two requests."""
    schemes: tuple[str, ...] = ()
    """The identifier schemes that it can look up; empty if it searches titles."""
    works_per_request: int = 1

    def answers_for(self, work: PaperFacts) -> bool:
        """Return whether it can look up this work, by an identifier or by title."""
        if not self.schemes:
            return bool(work.title)
        return any(identifier.scheme in self.schemes for identifier in work.identifiers)

    def key(self, door: Door) -> str | None:
        """Return the user's API key, if there is one."""
        return door.keys.get(self.key_setting) if self.key_setting else None

    def batch_size(self, door: Door) -> int:
        """Return how many works fit into one request."""
        return self.works_per_request

    def fetch(self, works: Sequence[PaperFacts], door: Door) -> Hits:
        """Fetch the records of at most ``batch_size`` works. Raises SourceFailure."""
        return {work: tuple(self.find(work, door)) for work in works}

    def find(self, work: PaperFacts, door: Door) -> Iterable[Record]:
        """Fetch the records of one work; none if it is unknown. Raises SourceFailure.

        Services that ask about several works at once define ``fetch`` instead.
        """
        raise NotImplementedError

    def ask(self, door: Door, path: str = "", **words: str) -> object:
        """Return the JSON at a path of the address; None for an unknown work.

        Raises SourceFailure.
        """
        url = f"{door.endpoints[self.setting]}{path}"
        response = door.ask_api(
            f"{url}?{urlencode(words)}" if words else url,
            expect=frozenset({200} if words else {200, 404}),
        )
        return None if response.status == 404 else answers.read_json(response) or {}

    def ask_list(self, door: Door, path: str, *place: str, **words: str) -> list[dict[str, object]]:
        """Return the works in the list at a place of the answer. Raises SourceFailure."""
        *parents, name = place
        works = answers.table(self.ask(door, path, **words), *parents).get(name)
        if not isinstance(works, list):
            raise self.unexpected("no list of works", door)
        return answers.tables(works)

    def unexpected(self, content: str, door: Door, status: int = 200) -> SourceFailure:
        """Return the failure for a response that contains something else than requested."""
        return unexpected(content, host_of(door.endpoints[self.setting]), status)


class OfSource(Service):
    """Adapts a source of metadata to the protocol of services that know publications."""

    def __init__(self, source: Source, name: str, scheme: str, remark: Remark) -> None:
        self.name, self.title, self.setting = name, source.title, source.setting
        self.schemes, self.works_per_request = (scheme,), source.ids_per_request
        self._source, self._remarks = source, frozenset({remark})

    def _identifier(self, work: PaperFacts) -> Identifier:
        return Identifier(self.schemes[0], work.identifier(self.schemes[0]) or "")

    def answers_for(self, work: PaperFacts) -> bool:
        """Return whether the source may know the work's identifier."""
        return super().answers_for(work) and self._source.answers_for(self._identifier(work))

    def fetch(self, works: Sequence[PaperFacts], door: Door) -> Hits:
        """Fetch the records of these works."""
        identifiers = {work: self._identifier(work) for work in works}
        found = self._source.fetch(list(dict.fromkeys(identifiers.values())), door)
        records = {
            identifier: (Record(self.name, record.facts, self._remarks),) if record else ()
            for identifier, record in found.items()
        }
        return {w: records[i] for w, i in identifiers.items() if i in records}


_TAG = re.compile(r"<[^<>]*>")
_ABSTRACT = re.compile(r"^abstract\b[.:\s]*", re.IGNORECASE)
_KEY = re.compile(r"[!-~]{1,200}")
"""A key of DBLP, ACL or OpenReview."""
_RANGE = re.compile(r"(?<!\s)\s*[-–—]+\s*")


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
    """Make a record from a service's texts.

    If there are several ``venues``, the one that is not a series counts, and the series becomes a
    field. ``arxiv`` are URLs, DOIs or ids of the preprint to which the service links the work.
    """
    venue_names = [clean(name) for name in venues if clean(name)]
    proper = [name for name in venue_names if not is_series(name)]
    venue = (proper or venue_names)[-1] if venue_names else None
    series = [name for name in venue_names if name != venue and is_series(name)][:1]
    all_remarks = list(remarks)
    if venue and not proper:
        all_remarks.append("series")
    if venue and is_server(venue):
        all_remarks.append("preprint")
    facts = PaperFacts(
        title=clean(title or "") or None,
        identifiers=tuple(_identifiers_of(doi, arxiv, others)),
        authors=tuple(author for author in authors if author.name),
        # The abstract may be in JATS or HTML.
        abstract=_ABSTRACT.sub("", clean(_TAG.sub(" ", abstract or ""))) or None,
        venue=venue,
        year=year,
        published_type=type,
        publication=tuple(_fields([*(("series", name) for name in series), *fields])),
        is_withdrawn=is_retracted,
    )
    return Record(source, facts, frozenset(all_remarks))


def _identifiers_of(
    doi: str | None, arxiv: Iterable[str], others: Iterable[Identifier]
) -> Iterator[Identifier]:
    parsed_doi = parse_doi(doi) if doi else None
    arxiv_ids = [arxiv_id.id for text in (*arxiv, doi or "") if (arxiv_id := parse_arxiv_id(text))]
    if parsed_doi and not parse_arxiv_id(parsed_doi):
        yield Identifier("doi", parsed_doi)
    yield from (Identifier("arxiv", arxiv_id) for arxiv_id in dict.fromkeys(arxiv_ids))
    yield from (other for other in others if _KEY.fullmatch(other.value))


def _fields(fields: Iterable[tuple[str, str | None]]) -> Iterator[tuple[str, str]]:
    for name, value in fields:
        if plain := clean(value or ""):
            yield name, _RANGE.sub("--", plain) if name == "pages" else plain


def person(given: str | None, family: str | None, name: str | None = None) -> Author:
    """Make an author from the parts of a name, or from a full name."""
    family, given = clean(family or ""), clean(given or "")
    if not family:
        return Author(clean(name or given))
    return Author(f"{given} {family}".strip(), family=family if " " in family else None)


def type_by_venue(venue: str | None) -> str | None:
    """Return the BibTeX type that the venue's name suggests."""
    from papertrack.identifiers.derived import is_proceedings

    if venue is None:
        return None
    return "inproceedings" if is_proceedings(venue) else "article"

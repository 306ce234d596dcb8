"""arXiv's query API, through the ``arxiv`` package, on the one door.

The package builds the query and parses the results. It would take an error page for an empty
result and a cut one for a whole, so each body is checked first, and what the package sees is a
feed that holds the sound entries and nothing else.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING

import arxiv
from lxml import etree

from papertrack.identifiers import ArxivId, parse_arxiv_id
from papertrack.records import Author
from papertrack.sources.arxiv_record import ArxivRecord, make_facts
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import BadAnswer
from papertrack.sources.xml import parse_xml
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

# The package warns of odd entries; without a handler Python would print that to the terminal.
logging.getLogger("arxiv").addHandler(logging.NullHandler())

BATCH_IDS = 50
"""Ids per request. arXiv names no limit; others had to go from 50 to 20 (zotero-arxiv-daily#119)
when answers grew slow, and at 50 the address stays under 1 KB."""
CONTENT_TYPES = ("application/atom+xml", "application/xml", "text/xml")
NAMESPACES = {
    "atom": "http://www.w3.org/2005/Atom",
    "opensearch": "http://a9.com/-/spec/opensearch/1.1/",
}
_ENTRY_ID = re.compile(r"https?://arxiv\.org/abs/(.+)")


class ApiError(BadAnswer):
    """arXiv answered with its error entry, such as "incorrect id format for abc"."""

    def __init__(self, summary: str, *, host: str, status: int) -> None:
        super().__init__(f"answered {status} and says: {summary}", host=host, status=status)
        self.summary = summary


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came of the ids that were asked for: each of them is in exactly one of the three."""

    records: tuple[ArxivRecord, ...]
    missing: tuple[str, ...]
    """arXiv does not know them, or they are no ids."""
    unclear: tuple[str, ...] = ()
    """The answer says nothing sure about them: ask another source, or another day."""


@dataclass(frozen=True, slots=True)
class ApiPage:
    """One page of results."""

    records: tuple[ArxivRecord, ...]
    total: int
    """How many results the query has in all, by arXiv's count."""
    unreadable: int
    """Entries on the page that lack something a paper has."""


def fetch_papers(door: Door, arxiv_ids: Sequence[str]) -> Fetched:
    """The current records of these papers (or of a version that is named), in a few requests.

    Raises SourceFailure; ``fetch_in_batches`` keeps what came before a failure.
    """
    parts = list(fetch_in_batches(door, arxiv_ids))
    return Fetched(
        tuple(record for part in parts for record in part.records),
        tuple(arxiv_id for part in parts for arxiv_id in part.missing),
        tuple(arxiv_id for part in parts for arxiv_id in part.unclear),
    )


def fetch_in_batches(door: Door, arxiv_ids: Sequence[str]) -> Iterator[Fetched]:
    """As ``fetch_papers``, one part per request of at most 50 ids.

    Texts that are no arXiv id are never sent: they are missing in the first part.
    """
    asked: dict[str, str] = {}
    no_ids = []
    for text in arxiv_ids:
        known = parse_arxiv_id(text)
        if known:
            asked[known.id] = _spelled(known)
        else:
            no_ids.append(text)
    if no_ids:
        yield Fetched((), tuple(no_ids))
    ids = list(asked)
    for first in range(0, len(ids), BATCH_IDS):
        yield _fetch_batch(door, {one: asked[one] for one in ids[first : first + BATCH_IDS]})


def parse_api_feed(
    body: bytes, *, host: str = "export.arxiv.org", status: int = 200
) -> tuple[ArxivRecord, ...]:
    """The papers of one answer of the API. Pure.

    Entries that lack an id, a title, an author or a date are left out. Raises BadAnswer for a
    body that is not a whole Atom feed with as many entries as it says, ApiError for an error.
    """
    return _results(arxiv.Search(), 1, lambda url: (body, host, status)).records


def fetch_page(door: Door, search: arxiv.Search, size: int) -> ApiPage:
    """The first ``size`` results of a search of the ``arxiv`` package. Raises SourceFailure."""

    def ask(url: str) -> tuple[bytes, str, int]:
        response = door.get(url, accept=CONTENT_TYPES, expect=frozenset({200, 400}))
        return response.body, host_of(response.url), response.status

    return _results(search, size, ask, door.endpoints.api_url)


def _fetch_batch(door: Door, asked: Mapping[str, str]) -> Fetched:
    """One request, or two when arXiv rejects an id; ``asked`` is id → its spelling."""
    wanted = dict(asked)
    rejected: tuple[str, ...] = ()
    try:
        page = _fetch_ids(door, wanted)
    except ApiError as error:
        # One id that arXiv takes for malformed fails the whole list.
        rejected = tuple(one for one, spelled in wanted.items() if spelled in error.summary.split())
        for one in rejected:
            del wanted[one]
        if not rejected:
            raise
        if not wanted:
            return Fetched((), rejected)
        page = _fetch_ids(door, wanted)
    records = {record.arxiv_id: record for record in page.records}
    strangers = sorted(set(records) - set(wanted))
    if strangers or page.total > len(wanted):
        named = f", such as {strangers[0]}" if strangers else f": {page.total} of {len(wanted)}"
        raise BadAnswer(
            f"answered 200 with papers that were not asked for{named}",
            host=host_of(door.endpoints.api_url),
            status=200,
        )
    absent = tuple(one for one in wanted if one not in records)
    # arXiv was seen to answer "no results" for queries that have some.
    is_sure = records and not page.unreadable
    return Fetched(
        tuple(records.values()),
        rejected + (absent if is_sure else ()),
        () if is_sure else absent,
    )


def _fetch_ids(door: Door, asked: Mapping[str, str]) -> ApiPage:
    # Without max_results arXiv cuts a list at 10, silently.
    search = arxiv.Search(id_list=list(asked.values()), max_results=len(asked))
    return fetch_page(door, search, len(asked))


def _spelled(known: ArxivId) -> str:
    return known.id if known.version is None else f"{known.id}v{known.version}"


class _Session:
    """The session of an ``arxiv.Client``: asks ``ask`` and hands over checked feeds only."""

    def __init__(self, ask: Callable[[str], tuple[bytes, str, int]]) -> None:
        self._ask = ask
        self.total = 0
        self.unreadable = 0

    def get(self, url: str, headers: Mapping[str, str]) -> SimpleNamespace:
        body, host, status = self._ask(url)
        feed, self.total = _check(body, host, status)
        entries = feed.findall("atom:entry", NAMESPACES)
        unsound = [entry for entry in entries if not _is_sound(entry)]
        for entry in unsound:
            feed.remove(entry)
        self.unreadable = len(unsound)
        # With this count the client is content with one page.
        _count_element(feed, "totalResults").text = str(len(entries) - len(unsound))
        return SimpleNamespace(status_code=200, content=etree.tostring(feed))


def _results(
    search: arxiv.Search,
    size: int,
    ask: Callable[[str], tuple[bytes, str, int]],
    api_url: str = "",
) -> ApiPage:
    session = _Session(ask)
    client = arxiv.Client(page_size=size, delay_seconds=0, num_retries=0)
    client.query_url_format = api_url + "?{}"
    client._session = session
    records = tuple(_record(result) for result in client.results(search))
    return ApiPage(records, session.total, session.unreadable)


def _check(body: bytes, host: str, status: int) -> tuple[etree._Element, int]:
    """The feed and its total, if it is one that arXiv means. Raises BadAnswer."""
    feed = parse_xml(body, host=host, status=status)
    if feed.tag != "{http://www.w3.org/2005/Atom}feed":
        raise BadAnswer(f"answered {status} with no Atom feed", host=host, status=status)
    entries = feed.findall("atom:entry", NAMESPACES)
    for entry in entries:
        if "/api/errors" in (entry.findtext("atom:id", "", NAMESPACES)):
            summary = clean(entry.findtext("atom:summary", "", NAMESPACES))[:200]
            raise ApiError(summary or "no reason given", host=host, status=status)
    try:
        total = int(_count_element(feed, "totalResults").text or "")
        start = int(_count_element(feed, "startIndex").text or "")
        size = int(feed.findtext("opensearch:itemsPerPage", str(total), NAMESPACES))
    except (ValueError, LookupError):
        raise BadAnswer(
            f"answered {status} with a feed that does not count its results",
            host=host,
            status=status,
        ) from None
    if status != 200 or len(entries) != max(0, min(size, total - start)):
        raise BadAnswer(
            f"answered {status} with {len(entries)} entries, of {total} from number {start} on",
            host=host,
            status=status,
        )
    return feed, total


def _count_element(feed: etree._Element, name: str) -> etree._Element:
    element = feed.find(f"opensearch:{name}", NAMESPACES)
    if element is None:
        raise LookupError(name)
    return element


def _is_sound(entry: etree._Element) -> bool:
    """Whether it is a paper with all that a paper has: nothing else may reach the library."""

    def text(path: str) -> str:
        return entry.findtext(path, "", NAMESPACES).strip()

    known = _paper_of(text("atom:id"))
    try:
        for path in ("atom:published", "atom:updated"):
            datetime.fromisoformat(text(path))
    except ValueError:
        return False
    return bool(
        known and text("atom:title") and text("atom:summary") and text("atom:author/atom:name")
    )


def _paper_of(entry_id: str) -> ArxivId | None:
    address = _ENTRY_ID.fullmatch(entry_id.strip())
    return parse_arxiv_id(address[1]) if address else None


def _record(result: arxiv.Result) -> ArxivRecord:
    known = _paper_of(result.entry_id)
    assert known, "only sound entries reach the package"
    return ArxivRecord(
        known.id,
        known.version,
        make_facts(
            known.id,
            known.version,
            title=result.title,
            abstract=result.summary,
            authors=[
                Author(clean(author.name), clean("; ".join(author.affiliation)) or None)
                for author in result.authors
                if author.name.strip()
            ],
            categories=[*filter(None, [result.primary_category]), *result.categories],
            submitted=result.published.isoformat(),
            updated=result.updated.isoformat(),
            comment=result.comment,
            journal_ref=result.journal_ref,
            doi=result.doi,
        ),
        "arxiv-api",
    )

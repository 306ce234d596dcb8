"""arXiv's query API, through the ``arxiv`` package and the one door.

The package builds the query and parses the results. It would take an error page for an empty
result and a truncated one for a complete one, so each body is checked first, and the package
gets a feed with the valid entries only. It is imported when arXiv is asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, NamedTuple

from papertrack.identifiers import ArxivId, parse_arxiv_id
from papertrack.records import Author, Identifier
from papertrack.sources.answers import parse_xml
from papertrack.sources.endpoints import ARXIV, host_of
from papertrack.sources.failures import BadAnswer, unexpected
from papertrack.sources.source import Fetched, Source, SourceRecord, make_facts
from papertrack.text import clean

if TYPE_CHECKING:
    import arxiv
    from lxml import etree

    from papertrack.sources.exchange import Response
    from papertrack.sources.transport import Door

CONTENT_TYPES = ("application/atom+xml", "application/xml", "text/xml")
NAMESPACES = {
    "atom": "http://www.w3.org/2005/Atom",
    "opensearch": "http://a9.com/-/spec/opensearch/1.1/",
}
_ENTRY_ID = re.compile(r"https?://arxiv\.org/abs/(.+)")
_DATES = ("atom:published", "atom:updated")
_TEXTS = ("atom:title", "atom:summary", "atom:author/atom:name")


class ApiError(BadAnswer):
    """arXiv's error entry, such as "incorrect id format for abc"."""

    def __init__(self, summary: str, *, host: str, status: int) -> None:
        super().__init__(f"answered {status} and says: {summary}", host=host, status=status)
        self.summary = summary


class ApiPage(NamedTuple):
    """One page of results."""

    records: tuple[SourceRecord, ...]
    total: int
    """The total number of results, according to arXiv."""
    unreadable: int
    """Entries on the page that lack something that every paper has."""


class ArxivApi(Source):
    """Current records of papers by arXiv id: all of arXiv's data except the licence."""

    name = "arxiv-api"
    title = "arXiv"
    setting = "api_url"
    url = ARXIV["api_url"]
    schemes = ("arxiv",)
    ids_per_request = 50
    """arXiv names no limit; others had to go from 50 to 20 (zotero-arxiv-daily#119) when answers
    grew slow, and at 50 the address stays under 1 KB."""

    def fetch(self, identifiers: Sequence[Identifier], door: Door) -> Fetched:
        """Fetch the records in one request, or two if arXiv rejects an id. Invalid ids are never
        sent."""
        wanted = [one for one in identifiers if parse_arxiv_id(one.value)]
        page, accepted = _fetch_accepted(door, wanted)
        _check_asked(page, accepted, host_of(door.endpoints[self.setting]))
        came = {record.identifier for record in page.records}
        missing = [one for one in identifiers if one not in accepted]
        # arXiv was seen to answer "no results" for queries that have some.
        if came and not page.unreadable:
            missing += [one for one in accepted if one not in came]
        return Fetched(page.records, tuple(missing))


def fetch_page(door: Door, search: arxiv.Search, size: int) -> ApiPage:
    """Return the first ``size`` results of a search of the ``arxiv`` package. Raises
    SourceFailure.

    Entries without an id, a title, an author or a date are left out. The failure is a BadAnswer
    for a body that is not a complete Atom feed with as many entries as it declares, ApiError for
    an error.
    """
    import logging

    import arxiv

    # The package warns of odd entries; without a handler Python would print that to the terminal.
    logging.getLogger("arxiv").addHandler(logging.NullHandler())
    session = _Session(door)
    client = arxiv.Client(page_size=size, delay_seconds=0, num_retries=0)
    client.query_url_format = door.endpoints["api_url"] + "?{}"
    client._session = session
    records = tuple(_record(result) for result in client.results(search))
    return ApiPage(records, session.total, session.unreadable)


def _fetch_accepted(
    door: Door, papers: Sequence[Identifier]
) -> tuple[ApiPage, Sequence[Identifier]]:
    """Their page, and those of them that arXiv takes for ids: one that is none fails them all."""
    try:
        return _fetch_ids(door, papers), papers
    except ApiError as error:
        accepted = [one for one in papers if one.value not in error.summary.split()]
        if len(accepted) == len(papers):
            raise
        return _fetch_ids(door, accepted), accepted


def _fetch_ids(door: Door, papers: Sequence[Identifier]) -> ApiPage:
    import arxiv

    ids = [paper.value for paper in papers]
    if not ids:
        return ApiPage((), 0, 0)
    # Without max_results arXiv cuts a list at 10, silently.
    return fetch_page(door, arxiv.Search(id_list=ids, max_results=len(ids)), len(ids))


def _check_asked(page: ApiPage, wanted: Sequence[Identifier], host: str) -> None:
    """Raise BadAnswer when the page has papers that were not asked for."""
    came = (record.identifier for record in page.records)
    strangers = sorted(one.value for one in came if one not in wanted)
    if strangers:
        raise unexpected(f"papers that were not asked for, such as {strangers[0]}", host)
    if page.total > len(wanted):
        raise unexpected(f"papers that were not asked for: {page.total} of {len(wanted)}", host)


class _Session:
    """The session of an ``arxiv.Client``: asks the door and hands over checked feeds only."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self.total = 0
        self.unreadable = 0

    def get(self, url: str, headers: Mapping[str, str]) -> SimpleNamespace:
        from lxml import etree

        response = self._door.get(url, accept=CONTENT_TYPES, expect=frozenset({200, 400}))
        feed, self.total = _checked_feed(response)
        entries = feed.findall("atom:entry", NAMESPACES)
        unsound = [entry for entry in entries if not _is_sound(entry)]
        for entry in unsound:
            feed.remove(entry)
        self.unreadable = len(unsound)
        # With this count the client is content with one page.
        _count_element(feed, "totalResults").text = str(len(entries) - len(unsound))
        return SimpleNamespace(status_code=200, content=etree.tostring(feed))


def _checked_feed(response: Response) -> tuple[etree._Element, int]:
    """The feed and its total, if it is one that arXiv means. Raises BadAnswer."""
    host, status = host_of(response.url), response.status
    feed = parse_xml(response.body, host=host, status=status)
    if feed.tag != "{http://www.w3.org/2005/Atom}feed":
        raise unexpected("no Atom feed", host, status)
    entries = feed.findall("atom:entry", NAMESPACES)
    for entry in entries:
        if "/api/errors" in (entry.findtext("atom:id", "", NAMESPACES)):
            summary = clean(entry.findtext("atom:summary", "", NAMESPACES))[:200]
            raise ApiError(summary or "no reason given", host=host, status=status)
    try:
        total, start = (
            int(_count_element(feed, name).text or "") for name in ("totalResults", "startIndex")
        )
        size = int(feed.findtext("opensearch:itemsPerPage", str(total), NAMESPACES))
    except (ValueError, LookupError):
        raise unexpected("a feed that does not count its results", host, status) from None
    if status != 200 or len(entries) != max(0, min(size, total - start)):
        what = f"{len(entries)} entries, of {total} from number {start} on"
        raise unexpected(what, host, status)
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

    try:
        for path in _DATES:
            datetime.fromisoformat(text(path))
    except ValueError:
        return False
    return _paper_of(text("atom:id")) is not None and all(map(text, _TEXTS))


def _paper_of(entry_id: str) -> ArxivId | None:
    address = _ENTRY_ID.fullmatch(entry_id.strip())
    return parse_arxiv_id(address[1]) if address else None


def _record(result: arxiv.Result) -> SourceRecord:
    known = _paper_of(result.entry_id)
    assert known, "only sound entries reach the package"
    identifier = Identifier("arxiv", known.id)
    facts = make_facts(
        identifier,
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
    )
    return SourceRecord(identifier, facts, ArxivApi.name)

"""arXiv's query API, through the ``arxiv`` package and the ``Door``.

The package builds the query and parses the results. But it takes an error page for an empty result,
and a truncated feed for a complete one. So each body is checked first, and the package gets a feed
with the valid entries only. It is imported when first needed.
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
from papertrack.sources.source import Answers, Source, SourceRecord, make_facts
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
    """How many entries on the page lack something that every paper has."""


class ArxivApi(Source):
    """Current records of papers by arXiv id: all of arXiv's data except the licence."""

    name = "arxiv-api"
    title = "arXiv"
    setting = "api_url"
    url = ARXIV["api_url"]
    schemes = ("arxiv",)
    ids_per_request = 50
    """arXiv states no limit. Other projects went from 50 to 20 when answers grew slow
    (zotero-arxiv-daily#119). With 50, the URL stays under 1 KB."""

    def fetch(self, identifiers: Sequence[Identifier], door: Door) -> Answers:
        """Fetch the records in one request, or two if arXiv rejects an id. Skips invalid ids."""
        valid = [identifier for identifier in identifiers if parse_arxiv_id(identifier.value)]
        page, accepted = _fetch_accepted(door, valid)
        _check_requested(page, accepted, host_of(door.endpoints[self.setting]))
        records = {record.identifier: record for record in page.records}
        missing = [identifier for identifier in identifiers if identifier not in accepted]
        # arXiv sometimes answers "no results" for queries that have some.
        if records and not page.unreadable:
            missing += [identifier for identifier in accepted if identifier not in records]
        return {**records, **dict.fromkeys(missing)}


def fetch_page(door: Door, search: arxiv.Search, size: int) -> ApiPage:
    """Return the first ``size`` results of a search of the ``arxiv`` package.

    Entries without an id, a title, an author or a date are left out. Raises SourceFailure:
    BadAnswer for a body that is not a complete Atom feed with as many entries as it declares,
    ApiError for an error.
    """
    import logging

    import arxiv

    # The package logs odd entries; without a handler, Python prints that to the terminal.
    logging.getLogger("arxiv").addHandler(logging.NullHandler())
    session = _Session(door)
    client = arxiv.Client(page_size=size, delay_seconds=0, num_retries=0)
    client.query_url_format = door.endpoints["api_url"] + "?{}"
    client._session = session
    records = tuple(_parse_result(result) for result in client.results(search))
    return ApiPage(records, session.total, session.unreadable)


def _fetch_accepted(
    door: Door, papers: Sequence[Identifier]
) -> tuple[ApiPage, Sequence[Identifier]]:
    """Return the results page and the papers whose ids arXiv accepts; one bad id fails all."""
    try:
        return _fetch_ids(door, papers), papers
    except ApiError as error:
        accepted = [paper for paper in papers if paper.value not in error.summary.split()]
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


def _check_requested(page: ApiPage, requested: Sequence[Identifier], host: str) -> None:
    """Raise BadAnswer if the page has papers that were not requested."""
    received = (record.identifier for record in page.records)
    unexpected_ids = sorted(i.value for i in received if i not in requested)
    if unexpected_ids:
        raise unexpected(f"papers that were not requested, such as {unexpected_ids[0]}", host)
    if page.total > len(requested):
        raise unexpected(f"papers that were not requested: {page.total} of {len(requested)}", host)


class _Session:
    """The session of an ``arxiv.Client``: uses the ``Door`` and returns checked feeds only."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self.total = 0
        self.unreadable = 0

    def get(self, url: str, headers: Mapping[str, str]) -> SimpleNamespace:
        from lxml import etree

        response = self._door.get(url, accept=CONTENT_TYPES, expect=frozenset({200, 400}))
        feed, self.total = _check_feed(response)
        entries = feed.findall("atom:entry", NAMESPACES)
        incomplete = [entry for entry in entries if not _is_complete(entry)]
        for entry in incomplete:
            feed.remove(entry)
        self.unreadable = len(incomplete)
        # With this count the client does not ask for a second page.
        _count_element(feed, "totalResults").text = str(len(entries) - len(incomplete))
        return SimpleNamespace(status_code=200, content=etree.tostring(feed))


def _check_feed(response: Response) -> tuple[etree._Element, int]:
    """Return the feed and its total if it is a complete result. Raises BadAnswer."""
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
        content = f"{len(entries)} entries, of {total} from number {start} on"
        raise unexpected(content, host, status)
    return feed, total


def _count_element(feed: etree._Element, name: str) -> etree._Element:
    element = feed.find(f"opensearch:{name}", NAMESPACES)
    if element is None:
        raise LookupError(name)
    return element


def _is_complete(entry: etree._Element) -> bool:
    """Return whether an entry has all that a paper has; other entries are left out."""

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


def _parse_result(result: arxiv.Result) -> SourceRecord:
    arxiv_id = _paper_of(result.entry_id)
    assert arxiv_id, "only sound entries reach the package"
    identifier = Identifier("arxiv", arxiv_id.id)
    facts = make_facts(
        identifier,
        arxiv_id.version,
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

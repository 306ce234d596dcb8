"""arXiv by OAI-PMH: single records if the query API is unavailable, and all changes of a day.

The format is arXivRaw, the only one with versions. https://info.arxiv.org/help/oa/index.html,
http://www.openarchives.org/OAI/openarchivesprotocol.html
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from papertrack.identifiers import parse_arxiv_id
from papertrack.records import Identifier
from papertrack.sources.answers import parse_xml
from papertrack.sources.endpoints import ARXIV, host_of
from papertrack.sources.failures import BadAnswer, unexpected
from papertrack.sources.source import Answers, Source, SourceRecord, make_facts, split_authors
from papertrack.text import clean

if TYPE_CHECKING:
    from lxml import etree

    from papertrack.sources.exchange import Response
    from papertrack.sources.transport import Door

CONTENT_TYPES = ("text/xml", "application/xml")
HARVEST_DEADLINE_SECONDS = 240.0
"""For a page of 2,000 records; arXiv gives up with a 503 after about 183 seconds."""
MAX_PAGES = 200
"""400,000 records, more than a year has: a longer harvest is an error."""
GROUPS = ("cs", "econ", "eess", "math", "q-bio", "q-fin", "stat")
"""Groups of arXiv's taxonomy with one archive of the same name."""
NOTHING_FOUND = ("noRecordsMatch", "idDoesNotExist")
NAMESPACES = {
    "oai": "http://www.openarchives.org/OAI/2.0/",
    "raw": "http://arxiv.org/OAI/arXivRaw/",
}


class OaiPage(NamedTuple):
    """One page of a harvest."""

    records: tuple[SourceRecord, ...]
    unreadable: int
    """How many records lack something that every paper has."""
    resumption_token: str | None
    """The token for the next page; None on the last page."""
    responded: date | None
    """The server's date (UTC) in the response; changes of later days are not in it."""


class ArxivOai(Source):
    """Looks up the current record of one paper by its arXiv id, with its licence."""

    name = "oai"
    title = "arXiv's OAI-PMH"
    setting = "oai_url"
    url = ARXIV["oai_url"]
    schemes = ("arxiv",)

    def fetch(self, identifiers: Sequence[Identifier], door: Door) -> Answers:
        """Fetch the record of one paper."""
        (paper,) = identifiers
        arguments = {"verb": "GetRecord", "identifier": f"oai:arXiv.org:{paper.value}"} | _PREFIX
        page = _read(door.get(_address(door, arguments), accept=CONTENT_TYPES))
        if page.unreadable or any(record.identifier != paper for record in page.records):
            host = host_of(door.endpoints[self.setting])
            raise unexpected(f"something else than {paper.value}", host)
        return {paper: next(iter(page.records), None)}


def fetch_since(door: Door, set_spec: str, since: date) -> Iterator[OaiPage]:
    """Yield pages of what changed in a set (``cs:cs:LG``, ``math``) since a day, inclusive.

    The day is that of a record's last change, not of its submission. Raises SourceFailure, also
    after some pages (these are valid; start again from ``since``), and BadAnswer for a harvest that
    does not end.
    """
    arguments = {"verb": "ListRecords", "set": set_spec, "from": since.isoformat()} | _PREFIX
    tokens: set[str] = set()
    for _ in range(MAX_PAGES):
        address = _address(door, arguments)
        page = _read(door.get(address, accept=CONTENT_TYPES, deadline=HARVEST_DEADLINE_SECONDS))
        yield page
        if page.resumption_token is None:
            return
        if page.resumption_token in tokens:
            break
        tokens.add(page.resumption_token)
        arguments = {"verb": "ListRecords", "resumptionToken": page.resumption_token}
    host = host_of(door.endpoints["oai_url"])
    raise unexpected(f"a harvest that does not end ({len(tokens)} pages)", host)


def set_of_category(category: str) -> str:
    """Return the set of a category: ``cs.LG`` → ``cs:cs:LG``, ``hep-th`` → ``physics:hep-th``.

    All archives of physics are in the group ``physics``; each other archive is its own group.
    """
    archive, _, name = category.partition(".")
    group = archive if archive in GROUPS else "physics"
    return ":".join(filter(None, (group, archive, name)))


def parse_oai(body: bytes, *, host: str = "oaipmh.arxiv.org", status: int = 200) -> OaiPage:
    """Parse one response to GetRecord or ListRecords. Pure.

    "No records match" and an unknown id give an empty page. Raises BadAnswer for other protocol
    errors, and for a body that is not a valid response.
    """
    root = parse_xml(body, host=host, status=status)
    if root.tag != f"{{{NAMESPACES['oai']}}}OAI-PMH":
        raise unexpected("no OAI-PMH", host, status)
    responded = None
    with suppress(ValueError):  # ``2026-11-20T10:00:00Z``.
        day = root.findtext("oai:responseDate", "", NAMESPACES).strip()[:10]
        responded = date.fromisoformat(day)
    error = root.find("oai:error", NAMESPACES)
    if error is not None:
        code = error.get("code", "")
        if code in NOTHING_FOUND:
            return OaiPage((), 0, None, responded)
        message = clean(f"{code} {error.text or ''}")[:200]
        raise BadAnswer(f"answered {status} and says: {message}", host=host, status=status)
    for name in ("oai:GetRecord", "oai:ListRecords"):
        if (answer := root.find(name, NAMESPACES)) is not None:
            return _page(answer, responded)
    raise unexpected("no records", host, status)


def _page(answer: etree._Element, responded: date | None) -> OaiPage:
    parsed = [
        _record(element)
        for element in answer.findall("oai:record", NAMESPACES)
        if element.find("oai:header[@status='deleted']", NAMESPACES) is None
    ]
    records = tuple(filter(None, parsed))
    token = answer.findtext("oai:resumptionToken", "", NAMESPACES).strip()
    return OaiPage(records, len(parsed) - len(records), token or None, responded)


_PREFIX = {"metadataPrefix": "arXivRaw"}


def _address(door: Door, arguments: dict[str, str]) -> str:
    return f"{door.endpoints['oai_url']}?{urlencode(arguments)}"


def _read(response: Response) -> OaiPage:
    return parse_oai(response.body, host=host_of(response.url), status=response.status)


def _record(element: etree._Element) -> SourceRecord | None:
    """Return the paper in a record; None if it lacks what a paper has."""
    from papertrack.latex.decode import decode_letters

    raw = element.find("oai:metadata/raw:arXivRaw", NAMESPACES)
    if raw is None:
        return None

    def text(name: str) -> str:
        return decode_letters(raw.findtext(f"raw:{name}", "", NAMESPACES))

    arxiv_id, versions = parse_arxiv_id(text("id")), _versions(raw)
    authors = split_authors(raw.findtext("raw:authors", "", NAMESPACES))
    has_texts = text("title").strip() and text("abstract").strip()
    if arxiv_id is None or not (has_texts and authors and 1 in versions):
        return None
    identifier = Identifier("arxiv", arxiv_id.id)
    facts = make_facts(
        identifier,
        max(versions),
        title=text("title"),
        abstract=text("abstract"),
        authors=authors,
        categories=text("categories").split(),
        submitted=versions[1],
        updated=versions[max(versions)],
        comment=text("comments"),
        journal_ref=text("journal-ref"),
        doi=text("doi"),
        licence=text("license"),
    )
    return SourceRecord(identifier, facts, ArxivOai.name)


def _versions(raw: etree._Element) -> dict[int, str]:
    """Return the number and time of each version."""
    from papertrack.sources.transport import parse_mail_date

    versions = {}
    for element in raw.findall("raw:version", NAMESPACES):
        number = element.get("version", "").removeprefix("v")
        when = parse_mail_date(element.findtext("raw:date", "", NAMESPACES))
        if number.isascii() and number.isdigit() and when:
            versions[int(number[:9])] = when.astimezone(UTC).isoformat()
    return versions

"""arXiv's daily announcements: the Atom feeds of a category's day, and the listing pages.

feedparser reads a feed only after lxml has checked it: alone, it takes an HTML page for an empty
feed and half a feed for a complete one. It gets bytes, fetches nothing and repairs no markup,
because abstracts are full of ``<``. The feed's dates are unreliable (yesterday's batch was seen
under today's date), so ids decide what is new.

``/list/CATEGORY/new`` of today and ``/catchup`` of the last 90 days are HTML pages. They state
their date and counts, so a page with other contents is an error and not a quiet day. The format is
that of arXiv/arxiv-browse, templates ``list/new.html`` and ``catchup.html`` (2026).
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, get_args
from urllib.parse import quote

from papertrack.holdings import Announcement
from papertrack.identifiers import parse_arxiv_id
from papertrack.latex.decode import decode_letters
from papertrack.records import AnnouncementKind, Author, Identifier
from papertrack.sources.answers import parse_xml, read_feed
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import UnknownCategory, unexpected
from papertrack.sources.feeds import trim
from papertrack.sources.source import make_facts, split_authors
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.transport import Door


FEED_TYPES = ("application/atom+xml", "application/xml", "text/xml")
MAX_ENTRIES = 2000
"""arXiv/arxiv-feed cuts feeds here, and cuts off *new* papers (database.py, 2025)."""
TITLE_END = "updates on arXiv.org"
KINDS: dict[str, AnnouncementKind] = {kind: kind for kind in get_args(AnnouncementKind)}
_FEED_ID = re.compile(r"oai:arXiv\.org:(.+)")
_ABSTRACT = re.compile(r"arXiv:\S+ Announce Type: \S+\s*Abstract:\s?(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class AnnouncementBatch:
    """The announcements in one feed; if it is empty, arXiv says that there are none."""

    announcements: tuple[Announcement, ...]
    """The announcements in the feed's order, each paper once."""
    is_truncated: bool
    """Whether the feed is at its limit, so that the listing page may have more new papers."""
    unreadable: tuple[str, ...]
    """Why entries were left out."""


def fetch_announcements(door: Door, category: str) -> AnnouncementBatch:
    """Fetch the latest announcements in one arXiv category.

    Raises SourceFailure; UnknownCategory if arXiv has no feed for the category.
    """
    response = door.get(
        f"{door.endpoints['feed_url']}/{quote(category)}",
        accept=FEED_TYPES,
        expect=frozenset({200, 400}),
    )
    host = host_of(response.url)
    if response.status == 400:
        raise UnknownCategory(
            f"answered 400: it has no feed for the category {category!r}", host=host, status=400
        )
    return parse_announcements(response.body, host=host)


def parse_announcements(body: bytes, *, host: str = "rss.arxiv.org") -> AnnouncementBatch:
    """Parse the announcements of one Atom feed. Pure.

    Accepts only well-formed XML without DOCTYPE, in Atom format, with the title of an arXiv feed.
    Raises BadAnswer for anything else, and if no entry can be read.
    """
    feed = _read(body, host)
    announcements: dict[str, Announcement] = {}
    unreadable = []
    for entry in feed.entries:
        try:
            announcement = _parse_entry(entry)
        except ValueError as error:
            unreadable.append(str(error))
        else:
            announcements.setdefault(announcement.arxiv_id, announcement)
    if unreadable and not announcements:
        raise unexpected(f"a feed in which {unreadable[0]}", host)
    return AnnouncementBatch(
        tuple(announcements.values()), len(feed.entries) >= MAX_ENTRIES, tuple(unreadable)
    )


def _read(body: bytes, host: str) -> Any:
    """Parse an arXiv feed with feedparser. Raises BadAnswer."""
    root = parse_xml(body, host=host)
    trim(root)
    feed = read_feed(root, host)
    title = clean(feed.feed.get("title", ""))
    is_atom = feed.get("version") == "atom10" and not feed.bozo
    if not is_atom or not title.endswith(TITLE_END):
        content = f"a feed titled {title[:80]!r}" if title else "no feed of arXiv's"
        raise unexpected(content, host)
    return feed


def _parse_entry(entry: Mapping[str, Any]) -> Announcement:
    """Parse an announcement. Raises ValueError, with the reason, if the entry is not one."""
    name = entry.get("id", "")
    match = _FEED_ID.fullmatch(name)
    arxiv_id = parse_arxiv_id(match[1]) if match else None
    if arxiv_id is None or arxiv_id.version is None:
        raise ValueError(f"an entry has the id {name[:60]!r}")
    type_name = entry.get("arxiv_announce_type", "")
    kind = KINDS.get(type_name)
    if kind is None:
        raise ValueError(f"{arxiv_id.id} is announced as {type_name[:60]!r}")
    summary = _ABSTRACT.fullmatch(entry.get("summary", ""))
    title = entry.get("title", "")
    if not title or not summary:
        raise ValueError(f"{arxiv_id.id} has no title or no abstract")
    facts = make_facts(
        Identifier("arxiv", arxiv_id.id),
        arxiv_id.version,
        title=decode_letters(title),
        abstract=decode_letters(summary[1]),
        authors=split_authors(entry.get("author", "")),
        categories=[tag["term"] for tag in entry.get("tags", ()) if tag["term"]],
        journal_ref=decode_letters(entry.get("arxiv_journal_reference", "")),
        doi=entry.get("arxiv_doi", ""),
        licence=entry.get("rights", ""),
    )
    return Announcement(arxiv_id.id, arxiv_id.version, kind, facts)


CATCHUP_DAYS = 90
"""How far back arXiv's catch-up pages go (arxiv-browse, controllers/catchup_page.py)."""
MAX_PAGES = 5
_DAY = re.compile(
    r"(?:Showing new listings for|Catchup results for .{1,200}? on) "
    r"[A-Z][a-z]+, ([0-9]{1,2}) ([A-Z][a-z]+) ([0-9]{4})"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
"""Our own list, because strptime reads month names in the user's language."""
_SECTION = re.compile(
    r"(New|Cross|Replacement) submissions \("
    r"(?:continued, )?showing (?:first |last )?([0-9]+) of ([0-9]+) entries\)"
)
_TOTAL = re.compile(r"[Tt]otal of ([0-9]+) entries")
_CATEGORY = re.compile(r"\(([a-z-]+(?:\.[A-Za-z-]+)?)\)")
AUTHORS = ".//div[@class='list-authors']/a"
_KINDS: dict[str, AnnouncementKind] = {"New": "new", "Cross": "cross", "Replacement": "replace"}


@dataclass(frozen=True, slots=True)
class Listing:
    """One listing page."""

    day: date
    """The day of the announcement, as the page states it."""
    announcements: tuple[Announcement, ...]
    """In the order of the page: new papers, cross-lists, replacements."""
    total: int
    """How many announcements the day has on all pages."""


def fetch_listing(door: Door, category: str) -> Listing:
    """Fetch the newest announcements of a category, of any day.

    If there are fewer than the total, ``fetch_catchup`` has the rest of that day. Raises
    SourceFailure.
    """
    response = door.get(
        f"{door.endpoints['listing_url']}/{quote(category)}/new", accept=("text/html",)
    )
    return parse_listing(response.body, category, host=host_of(response.url))


def fetch_catchup(door: Door, category: str, day: date) -> Listing:
    """Fetch all announcements of a category on one of the last 90 days.

    Raises SourceFailure; arXiv answers 400 for an earlier day.
    """
    announcements: list[Announcement] = []
    for page in range(1, MAX_PAGES + 1):
        # arXiv answers 400 to any other parameter, or to another order.
        url = f"{door.endpoints['catchup_url']}/{quote(category)}/{day}?abs=True"
        response = door.get(f"{url}&page={page}" if page > 1 else url, accept=("text/html",))
        host = host_of(response.url)
        listing = parse_listing(response.body, category, host=host)
        if listing.day != day:
            raise unexpected(f"the listing of {listing.day} instead of {day}", host)
        announcements += listing.announcements
        if len(announcements) >= listing.total:
            break
    if len(announcements) != listing.total:
        raise unexpected(f"{len(announcements)} of {listing.total} announcements of {day}", host)
    return Listing(day, tuple(announcements), listing.total)


def parse_listing(body: bytes, category: str, *, host: str = "arxiv.org") -> Listing:
    """Parse one listing or catch-up page of a category or archive. Pure.

    The pages call every replacement "replaced". One with another primary category becomes
    ``replace-cross``, as in the feeds. Raises BadAnswer for any other page, and if the number of
    entries differs from its headings.
    """

    page = _parse_page(body, host)
    day = _declared_day(page)
    if day is None:
        raise unexpected("a page that is not a listing", host)
    announcements: list[Announcement] = []
    sum_of_sections = 0
    for section in page.iter("dl"):
        section_total, section_announcements = _section(section, category, day, host)
        announcements += section_announcements
        sum_of_sections += section_total
    declared = _TOTAL.search(clean(page.text_content()))
    total = int(declared[1][:9]) if declared else sum_of_sections
    if total < len(announcements) or (total and not announcements):
        raise unexpected(f"{len(announcements)} entries of {total}", host)
    return Listing(day, tuple(announcements), total)


def _parse_page(body: bytes, host: str) -> Any:  # The stubs of lxml.html are incomplete.
    """Return the tree of a complete page. Raises BadAnswer."""
    from lxml import html

    if b"</html>" not in body[-200:].lower():
        raise unexpected("a page that is cut short", host)
    try:
        return html.document_fromstring(body, parser=html.HTMLParser(encoding="utf-8"))
    except (ValueError, html.etree.ParserError, html.etree.XMLSyntaxError):
        raise unexpected("no page", host) from None


def _section(section: Any, category: str, day: date, host: str) -> tuple[int, list[Announcement]]:
    """Return how many entries a section has in all, and those on this page."""
    heading = _SECTION.search(clean(section.findtext("h3", "")))
    if heading is None:
        raise unexpected("a listing with a section that does not count its entries", host)
    count, section_total = int(heading[2][:9]), int(heading[3][:9])
    parsed = [
        _parse_list_entry(dt, dd, _KINDS[heading[1]], category, day)
        for dt, dd in zip(section.iter("dt"), section.iter("dd"), strict=False)
    ]
    rows = [row for row in parsed if row is not None]
    if len(rows) != count or count > section_total:
        raise unexpected(f"{len(rows)} readable entries of {count} under {heading[0][:80]!r}", host)
    return section_total, rows


def _declared_day(page: Any) -> date | None:
    for heading in page.iter("h1", "h3"):
        match = _DAY.fullmatch(clean(heading.text_content()))
        if match and match[2][:3].lower() in _MONTHS:
            month = _MONTHS.index(match[2][:3].lower()) + 1
            with contextlib.suppress(ValueError):
                return date(int(match[3]), month, int(match[1]))
    return None


def _parse_list_entry(
    dt: Any, dd: Any, kind: AnnouncementKind, category: str, day: date
) -> Announcement | None:
    link = dt.find(".//a[@title='Abstract']")
    arxiv_id = parse_arxiv_id(clean(link.text_content())) if link is not None else None
    title = _labelled_text(dd, "list-title")
    subjects = _labelled_text(dd, "list-subjects")
    categories = _CATEGORY.findall(subjects)
    if arxiv_id is None or not title or not categories:
        return None
    if kind == "replace" and category not in (categories[0], categories[0].partition(".")[0]):
        kind = "replace-cross"
    abstract = dd.find(".//p")
    version = 1 if kind == "new" else None
    facts = make_facts(
        Identifier("arxiv", arxiv_id.id),
        version,
        title=title,
        abstract="" if abstract is None else str(abstract.text_content()).strip("\n"),
        authors=[Author(clean(str(name.text_content()))) for name in dd.iterfind(AUTHORS)],
        categories=categories,
        announced=day.isoformat(),
        comment=_labelled_text(dd, "list-comments"),
        journal_ref=_labelled_text(dd, "list-journal-ref"),
    )
    return Announcement(arxiv_id.id, version, kind, facts)


def _labelled_text(dd: Any, name: str) -> str:
    """Return the text of one labelled line, without its label."""
    for style in (f"{name} mathjax", name):
        if (element := dd.find(f".//div[@class='{style}']")) is not None:
            return clean(clean(element.text_content()).partition(":")[2])
    return ""

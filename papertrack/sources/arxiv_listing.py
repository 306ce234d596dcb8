"""arXiv's listing pages: today's ``/list/CATEGORY/new`` and ``/catchup`` for 90 days back.

They are HTML and promise nothing, but they declare their own date and counts: a page that holds
something else than it declares is an error and never a quiet day. The shape is that of
arXiv/arxiv-browse, templates ``list/new.html`` and ``catchup.html`` (2026).
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from lxml import html

from papertrack.identifiers import parse_arxiv_id
from papertrack.records import Announcement, AnnouncementKind, Author, Identifier
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import unexpected
from papertrack.sources.source import make_facts
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

CONTENT_TYPES = ("text/html",)
CATCHUP_DAYS = 90
"""How far back arXiv's catch-up pages go (arxiv-browse, controllers/catchup_page.py)."""
MAX_PAGES = 5
_DAY = re.compile(
    r"(?:Showing new listings for|Catchup results for .{1,200}? on) "
    r"[A-Z][a-z]+, ([0-9]{1,2}) ([A-Z][a-z]+) ([0-9]{4})"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
"""Of our own: strptime would read them in the user's language."""
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
    """The day of the announcement, as the page itself says."""
    announcements: tuple[Announcement, ...]
    """In the page's order: new ones, cross-lists, replacements."""
    total: int
    """How many announcements the day has in all, over all pages."""


def fetch_listing(door: Door, category: str) -> Listing:
    """The newest announcements of a category, whichever day they are of.

    When they are fewer than their total, ``fetch_catchup`` has that day's others. Raises
    SourceFailure.
    """
    response = door.get(
        f"{door.endpoints['listing_url']}/{quote(category)}/new", accept=CONTENT_TYPES
    )
    return parse_listing(response.body, category, host=host_of(response.url))


def fetch_catchup(door: Door, category: str, day: date) -> Listing:
    """All announcements of a category on one of the last 90 days.

    Raises SourceFailure; arXiv answers 400 for a day that is too long ago.
    """
    found: list[Announcement] = []
    for page in range(1, MAX_PAGES + 1):
        # Any other parameter, or another order, is a 400.
        url = f"{door.endpoints['catchup_url']}/{quote(category)}/{day}?abs=True"
        response = door.get(f"{url}&page={page}" if page > 1 else url, accept=CONTENT_TYPES)
        host = host_of(response.url)
        listing = parse_listing(response.body, category, host=host)
        if listing.day != day:
            raise unexpected(f"the listing of {listing.day} instead of {day}", host)
        found += listing.announcements
        if len(found) >= listing.total:
            break
    if len(found) != listing.total:
        raise unexpected(f"{len(found)} of {listing.total} announcements of {day}", host)
    return Listing(day, tuple(found), listing.total)


def parse_listing(body: bytes, category: str, *, host: str = "arxiv.org") -> Listing:
    """One listing or catch-up page of a category or archive. Pure.

    The pages call every replacement "replaced": one whose primary category is another is a
    ``replace-cross``, as in the feeds. Raises BadAnswer when it is none, or holds other entries
    than its headings count.
    """

    page = _page(body, host)
    day = _declared_day(page)
    if day is None:
        raise unexpected("a page that is not a listing", host)
    announcements: list[Announcement] = []
    counted = 0
    for section in page.iter("dl"):
        of_all, found = _section(section, category, day, host)
        announcements += found
        counted += of_all
    declared = _TOTAL.search(clean(page.text_content()))
    total = int(declared[1][:9]) if declared else counted
    if total < len(announcements) or (total and not announcements):
        raise unexpected(f"{len(announcements)} entries of {total}", host)
    return Listing(day, tuple(announcements), total)


def _page(body: bytes, host: str) -> Any:  # The stubs of lxml.html know little.
    """The tree of a complete page. Raises BadAnswer."""
    if b"</html>" not in body[-200:].lower():
        raise unexpected("a page that is cut short", host)
    try:
        return html.document_fromstring(body, parser=html.HTMLParser(encoding="utf-8"))
    except (ValueError, html.etree.ParserError, html.etree.XMLSyntaxError):
        raise unexpected("no page", host) from None


def _section(section: Any, category: str, day: date, host: str) -> tuple[int, list[Announcement]]:
    """How many entries a section has in all, and those of them on this page."""
    heading = _SECTION.search(clean(section.findtext("h3", "")))
    if heading is None:
        raise unexpected("a listing with a section that does not count its entries", host)
    shown, of_all = int(heading[2][:9]), int(heading[3][:9])
    found = [
        _announcement(dt, dd, _KINDS[heading[1]], category, day)
        for dt, dd in zip(section.iter("dt"), section.iter("dd"), strict=False)
    ]
    read = [one for one in found if one is not None]
    if len(read) != shown or shown > of_all:
        raise unexpected(f"{len(read)} readable entries of {shown} under {heading[0][:80]!r}", host)
    return of_all, read


def _declared_day(page: Any) -> date | None:
    for heading in page.iter("h1", "h3"):
        match = _DAY.fullmatch(clean(heading.text_content()))
        if match and match[2][:3].lower() in _MONTHS:
            month = _MONTHS.index(match[2][:3].lower()) + 1
            with contextlib.suppress(ValueError):
                return date(int(match[3]), month, int(match[1]))
    return None


def _announcement(
    dt: Any, dd: Any, kind: AnnouncementKind, category: str, day: date
) -> Announcement | None:
    link = dt.find(".//a[@title='Abstract']")
    known = parse_arxiv_id(clean(link.text_content())) if link is not None else None
    title = _part(dd, "list-title")
    subjects = _part(dd, "list-subjects")
    categories = _CATEGORY.findall(subjects)
    if known is None or not title or not categories:
        return None
    if kind == "replace" and category not in (categories[0], categories[0].partition(".")[0]):
        kind = "replace-cross"
    abstract = dd.find(".//p")
    version = 1 if kind == "new" else None
    facts = make_facts(
        Identifier("arxiv", known.id),
        version,
        title=title,
        abstract="" if abstract is None else str(abstract.text_content()).strip("\n"),
        authors=[Author(clean(str(name.text_content()))) for name in dd.iterfind(AUTHORS)],
        categories=categories,
        announced=day.isoformat(),
        comment=_part(dd, "list-comments"),
        journal_ref=_part(dd, "list-journal-ref"),
    )
    return Announcement(known.id, version, kind, facts)


def _part(dd: Any, name: str) -> str:
    """The text of one labelled line, without its label."""
    for style in (f"{name} mathjax", name):
        if (element := dd.find(f".//div[@class='{style}']")) is not None:
            return clean(clean(element.text_content()).partition(":")[2])
    return ""

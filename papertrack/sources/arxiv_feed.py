"""arXiv's daily announcements from its Atom feeds: one category, one day, no history.

Only what is a feed of arXiv's beyond doubt is read. feedparser says what kind of feed it is and
how it is titled; alone it would take an HTML page for an empty feed and half a feed for a whole
one, so lxml checks the document first. The entries are read from lxml's tree: feedparser needs
twenty times as long for a busy day. The feed's own dates say nothing (yesterday's batch was seen
under today's date): what is new is decided by ids.
"""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import feedparser

from papertrack.identifiers import ArxivId, parse_arxiv_id
from papertrack.latex.decode import decode_letters
from papertrack.records import Announcement, AnnouncementKind, Identifier, PaperFacts
from papertrack.sources.author_line import split_authors
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import BadAnswer, UnknownCategory
from papertrack.sources.record import make_facts
from papertrack.sources.xml import parse_xml
from papertrack.text import clean

if TYPE_CHECKING:
    from lxml import etree

    from papertrack.sources.transport import Door

CONTENT_TYPES = ("application/atom+xml", "application/xml", "text/xml")
MAX_ENTRIES = 2000
"""arXiv/arxiv-feed cuts a feed here, and what it cuts are *new* papers (database.py, 2025)."""
TITLE_END = "updates on arXiv.org"
KINDS: dict[str, AnnouncementKind] = {
    "new": "new",
    "cross": "cross",
    "replace": "replace",
    "replace-cross": "replace-cross",
}
_ENTRY, _CATEGORY, _ID, _SUMMARY, _TITLE = (
    f"{{http://www.w3.org/2005/Atom}}{name}"
    for name in ("entry", "category", "id", "summary", "title")
)
_KIND, _JOURNAL, _DOI = (
    f"{{http://arxiv.org/schemas/atom}}{name}"
    for name in ("announce_type", "journal_reference", "DOI")
)
_CREATOR, _RIGHTS = (
    f"{{http://purl.org/dc/elements/1.1/}}{name}" for name in ("creator", "rights")
)
_ENTRY_ID = re.compile(r"oai:arXiv\.org:(.+)")
_ABSTRACT = re.compile(r"arXiv:\S+ Announce Type: \S+\s*Abstract:\s?(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class AnnouncementBatch:
    """What one feed announces. An empty one is arXiv's word that there is nothing."""

    announcements: tuple[Announcement, ...]
    """In the feed's order, each paper once."""
    is_truncated: bool
    """Whether the feed is full: new papers may be missing, and the listing page has them."""
    unreadable: tuple[str, ...]
    """What is wrong with the entries that were left out."""


def fetch_announcements(door: Door, category: str) -> AnnouncementBatch:
    """The latest announcements in one arXiv category.

    Raises SourceFailure; UnknownCategory, which names it, when arXiv has no feed for it.
    """
    response = door.get(
        f"{door.endpoints['feed_url']}/{quote(category)}",
        accept=CONTENT_TYPES,
        expect=frozenset({200, 400}),
    )
    host = host_of(response.url)
    if response.status == 400:
        raise UnknownCategory(
            f"answered 400: it has no feed for the category {category!r}", host=host, status=400
        )
    return parse_announcements(response.body, host=host)


def parse_announcements(body: bytes, *, host: str = "rss.arxiv.org") -> AnnouncementBatch:
    """The announcements of one Atom feed. Pure.

    Accepted is only well-formed XML without DOCTYPE, in Atom's format, whose title is that of
    arXiv's feeds. Raises BadAnswer for all else, and when no entry can be read.
    """
    root = parse_xml(body, host=host)
    entries = root.findall(_ENTRY)
    version, title = _kind_of_feed(root)
    if version != "atom10" or not title.endswith(TITLE_END):
        what = f"a feed titled {title[:80]!r}" if title else "no feed of arXiv's"
        raise BadAnswer(f"answered 200 with {what}", host=host, status=200)
    announcements: dict[str, Announcement] = {}
    unreadable = []
    for entry in entries:
        try:
            announcement = _announcement(entry)
        except ValueError as error:
            unreadable.append(str(error))
        else:
            announcements.setdefault(announcement.arxiv_id, announcement)
    if unreadable and not announcements:
        raise BadAnswer(f"answered 200 with a feed in which {unreadable[0]}", host=host, status=200)
    return AnnouncementBatch(
        tuple(announcements.values()), len(entries) >= MAX_ENTRIES, tuple(unreadable)
    )


def _kind_of_feed(root: etree._Element) -> tuple[str, str]:
    """feedparser's name of the format (empty for none) and the title, from a feed's frame."""
    from lxml import etree

    frame = etree.Element(root.tag)
    frame.extend(deepcopy(child) for child in root if child.tag != _ENTRY)
    # Bytes only: from a text, feedparser might open an address or a file.
    source = BytesIO(etree.tostring(frame, encoding="utf-8", xml_declaration=True))
    feed: Any = feedparser.parse(source, sanitize_html=False, resolve_relative_uris=False)
    return "" if feed.bozo else str(feed.get("version", "")), clean(feed.feed.get("title", ""))


def _announcement(entry: etree._Element) -> Announcement:
    """Raises ValueError, with the reason, for an entry that is no announcement."""
    texts: dict[Any, str] = {}  # By tag; lxml gives a comment a function for one.
    categories = []
    for child in entry:
        tag = child.tag
        if tag != _CATEGORY:
            texts[tag] = child.text or ""
        elif term := child.get("term"):
            categories.append(term)
    name = texts.get(_ID, "").strip()
    match = _ENTRY_ID.fullmatch(name)
    known = parse_arxiv_id(match[1]) if match else None
    if known is None or known.version is None:
        raise ValueError(f"an entry has the id {name[:60]!r}")
    announced = texts.get(_KIND, "").strip()
    kind = KINDS.get(announced)
    if kind is None:
        raise ValueError(f"{known.id} is announced as {announced[:60]!r}")
    summary = _ABSTRACT.fullmatch(texts.get(_SUMMARY, ""))
    title = texts.get(_TITLE, "")
    if not title.strip() or not summary:
        raise ValueError(f"{known.id} has no title or no abstract")
    facts = _facts(
        known,
        title,
        summary[1],
        texts.get(_CREATOR, ""),
        tuple(categories),
        texts.get(_JOURNAL, ""),
        texts.get(_DOI, ""),
        texts.get(_RIGHTS, ""),
    )
    return Announcement(known.id, known.version, kind, facts)


@lru_cache(maxsize=MAX_ENTRIES)
def _facts(
    paper: ArxivId,
    title: str,
    abstract: str,
    authors: str,
    categories: tuple[str, ...],
    journal_ref: str,
    doi: str,
    licence: str,
) -> PaperFacts:
    """The texts of one entry, cleaned. A paper in several categories comes in each one's feed."""
    return make_facts(
        Identifier("arxiv", paper.id),
        paper.version,
        title=decode_letters(title),
        abstract=decode_letters(abstract),
        authors=split_authors(authors),
        categories=categories,
        journal_ref=decode_letters(journal_ref),
        doi=doi,
        licence=licence,
    )

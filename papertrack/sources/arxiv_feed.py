"""arXiv's daily announcements from its Atom feeds: one category, one day, no history.

feedparser reads the feed, and only what is a feed of arXiv's beyond doubt: alone it would take an
HTML page for an empty feed and half a feed for a whole one, so lxml checks the document first. It
gets bytes, fetches nothing, and mends no markup: abstracts are full of ``<``. The feed's own dates
say nothing (yesterday's batch was seen under today's date): what is new is decided by ids.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, get_args
from urllib.parse import quote

import feedparser

from papertrack.identifiers import ArxivId, parse_arxiv_id
from papertrack.latex.decode import decode_letters
from papertrack.records import Announcement, AnnouncementKind, Identifier, PaperFacts
from papertrack.sources.author_line import split_authors
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import UnknownCategory, unexpected
from papertrack.sources.source import make_facts
from papertrack.sources.xml import parse_xml
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

CONTENT_TYPES = ("application/atom+xml", "application/xml", "text/xml")
MAX_ENTRIES = 2000
"""arXiv/arxiv-feed cuts a feed here, and what it cuts are *new* papers (database.py, 2025)."""
TITLE_END = "updates on arXiv.org"
KINDS: dict[str, AnnouncementKind] = {kind: kind for kind in get_args(AnnouncementKind)}
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
    feed = _read(body, host)
    announcements: dict[str, Announcement] = {}
    unreadable = []
    for entry in feed.entries:
        try:
            announcement = _announcement(entry)
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
    """What feedparser reads in a feed of arXiv's. Raises BadAnswer."""
    from lxml import etree

    root = parse_xml(body, host=host)
    # Bytes only, as from a text feedparser might open an address or a file; and those that lxml
    # understood, whatever encoding they came in.
    source = BytesIO(etree.tostring(root, encoding="utf-8", xml_declaration=True))
    feed: Any = feedparser.parse(source, sanitize_html=False, resolve_relative_uris=False)
    title = clean(feed.feed.get("title", ""))
    is_atom = feed.get("version") == "atom10" and not feed.bozo
    if not is_atom or not title.endswith(TITLE_END):
        what = f"a feed titled {title[:80]!r}" if title else "no feed of arXiv's"
        raise unexpected(what, host)
    return feed


def _announcement(entry: Mapping[str, Any]) -> Announcement:
    """Raises ValueError, with the reason, for an entry that is no announcement."""
    name = entry.get("id", "")
    match = _ENTRY_ID.fullmatch(name)
    known = parse_arxiv_id(match[1]) if match else None
    if known is None or known.version is None:
        raise ValueError(f"an entry has the id {name[:60]!r}")
    announced = entry.get("arxiv_announce_type", "")
    kind = KINDS.get(announced)
    if kind is None:
        raise ValueError(f"{known.id} is announced as {announced[:60]!r}")
    summary = _ABSTRACT.fullmatch(entry.get("summary", ""))
    title = entry.get("title", "")
    if not title or not summary:
        raise ValueError(f"{known.id} has no title or no abstract")
    facts = _facts(
        known,
        title,
        summary[1],
        entry.get("author", ""),
        tuple(tag["term"] for tag in entry.get("tags", ()) if tag["term"]),
        entry.get("arxiv_journal_reference", ""),
        entry.get("arxiv_doi", ""),
        entry.get("rights", ""),
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

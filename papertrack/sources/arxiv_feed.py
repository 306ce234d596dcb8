"""arXiv's daily announcements from its Atom feeds: one category, one day, no history.

feedparser reads them, from bytes and with sanitising off, but only what is a feed of arXiv's
beyond doubt: it would take an HTML page for an empty feed and half a feed for a whole one. The
feed's own dates say nothing (yesterday's batch was seen under today's date): what is new is
decided by ids.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import feedparser

from papertrack.identifiers import parse_arxiv_id
from papertrack.records import Announcement, AnnouncementKind
from papertrack.sources.arxiv_record import make_facts
from papertrack.sources.author_line import split_authors
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import BadAnswer
from papertrack.sources.tex import tex_to_unicode
from papertrack.sources.xml import parse_xml
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

CONTENT_TYPES = ("application/atom+xml", "application/rss+xml", "application/xml", "text/xml")
MAX_ENTRIES = 2000
"""arXiv/arxiv-feed cuts a feed here, and what it cuts are *new* papers (database.py, 2025)."""
TITLE_END = "updates on arXiv.org"
KINDS: dict[str, AnnouncementKind] = {
    "new": "new",
    "cross": "cross",
    "replace": "replace",
    "replace-cross": "replace-cross",
}
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

    Raises SourceFailure; an unknown category is a BadAnswer that names it.
    """
    response = door.get(
        f"{door.endpoints.feed_url}/{quote(category)}",
        accept=CONTENT_TYPES,
        expect=frozenset({200, 400}),
    )
    host = host_of(response.url)
    if response.status == 400:
        raise BadAnswer(
            f"answered 400: it has no feed for the category {category!r}", host=host, status=400
        )
    return parse_announcements(response.body, host=host)


def parse_announcements(body: bytes, *, host: str = "rss.arxiv.org") -> AnnouncementBatch:
    """The announcements of one feed, Atom or RSS 2.0. Pure.

    Accepted is only well-formed XML without DOCTYPE, in one of the two formats, whose title is
    that of arXiv's feeds. Raises BadAnswer for all else, and when no entry can be read.
    """
    parse_xml(body, host=host)
    feed: Any = feedparser.parse(BytesIO(body), sanitize_html=False, resolve_relative_uris=False)
    title = clean(str(feed.feed.get("title", "")))
    is_arxivs = (
        feed.get("version") in ("atom10", "rss20") and not feed.bozo and title.endswith(TITLE_END)
    )
    if not is_arxivs:
        what = f"a feed titled {title[:80]!r}" if title else "no feed of arXiv's"
        raise BadAnswer(f"answered 200 with {what}", host=host, status=200)
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
        raise BadAnswer(f"answered 200 with a feed in which {unreadable[0]}", host=host, status=200)
    return AnnouncementBatch(
        tuple(announcements.values()), len(feed.entries) >= MAX_ENTRIES, tuple(unreadable)
    )


def _announcement(entry: Any) -> Announcement:
    """Raises ValueError, with the reason, for an entry that is no announcement."""
    name = str(entry.get("id", ""))
    match = _ENTRY_ID.fullmatch(name)
    known = parse_arxiv_id(match[1]) if match else None
    if known is None or known.version is None:
        raise ValueError(f"an entry has the id {name[:60]!r}")
    kind = KINDS.get(str(entry.get("arxiv_announce_type", "")))
    if kind is None:
        raise ValueError(f"{known.id} is announced as {entry.get('arxiv_announce_type')!r}")
    summary = _ABSTRACT.fullmatch(str(entry.get("summary", "")))
    title = clean(tex_to_unicode(str(entry.get("title", ""))))
    if not title or not summary:
        raise ValueError(f"{known.id} has no title or no abstract")
    facts = make_facts(
        known.id,
        known.version,
        title=title,
        abstract=tex_to_unicode(summary[1]),
        authors=split_authors(str(entry.get("author", ""))),
        categories=(str(tag.get("term")) for tag in entry.get("tags", ())),
        journal_ref=tex_to_unicode(str(entry.get("arxiv_journal_reference", ""))),
        doi=str(entry.get("arxiv_doi", "")),
        licence=str(entry.get("rights", "")),
    )
    return Announcement(known.id, known.version, kind, facts)

"""Papers as an Atom feed (RFC 4287), for any feed reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import escape, quoteattr

from papertrack.exporters.digest import abstract_of, http_address, title_of
from papertrack.identifiers.derived import address_of
from papertrack.records import Paper
from papertrack.text import clean


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One paper in the feed."""

    paper: Paper
    topics: tuple[str, ...]
    reason: str
    updated: str
    """When a topic found it: ISO 8601 with offset."""


def to_atom(entries: Sequence[FeedEntry], *, name: str, updated: str) -> str:
    """The feed, newest entry first as given.

    ``name`` tells this feed from all others for ever, ``updated`` (ISO 8601 with offset) is the
    feed's time when it has no entry.
    """
    times = [entry.updated for entry in entries]
    newest = max(times, key=datetime.fromisoformat, default=updated)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<id>{uuid5(NAMESPACE_URL, f'papertrack:{name}').urn}</id>",
        "<title>papertrack: inbox</title>",
        f"<updated>{escape(newest)}</updated>",
        '<generator uri="https://pypi.org/project/papertrack-cli/">papertrack</generator>',
        *map(_entry, entries),
        "</feed>",
    ]
    return "\n".join(lines) + "\n"


def _entry(entry: FeedEntry) -> str:
    paper = entry.paper
    address = http_address(address_of(paper))
    authors = [author.name for author in paper.facts.authors] or ["unknown"]
    paragraphs = [f"Matched: {clean(entry.reason)}", *abstract_of(paper)]
    parts = [
        f"<id>{escape(address or uuid5(NAMESPACE_URL, f'papertrack:{paper.citekey}').urn)}</id>",
        f"<title>{escape(title_of(paper))}</title>",
        f"<updated>{escape(entry.updated)}</updated>",
        *(f"<author><name>{escape(clean(name) or 'unknown')}</name></author>" for name in authors),
        *(f"<category term={quoteattr(clean(topic))}/>" for topic in entry.topics),
        f'<link rel="alternate" href={quoteattr(address)}/>' if address else "",
        # Type text: a reader shows it as it is, and takes no markup from it.
        f'<content type="text">{escape(chr(10).join(paragraphs))}</content>',
    ]
    return "<entry>" + "\n".join(part for part in parts if part) + "</entry>"

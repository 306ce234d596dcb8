"""A digest as one HTML page that needs nothing else: no script, no image, no font, no request."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from papertrack.exporters.digest import (
    Digest,
    DigestEntry,
    abstract_of,
    byline_of,
    http_address,
    links_of,
    title_of,
)
from papertrack.identifiers.derived import address_of
from papertrack.records import Paper
from papertrack.text import clean

_STYLE = """
:root { color-scheme: light dark; --dim: #666; --line: #ddd; --mark: #8a5a00 }
@media (prefers-color-scheme: dark) { :root { --dim: #999; --line: #444; --mark: #e0b050 } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h2 { border-bottom: 1px solid var(--line); margin-top: 2.5rem }
h3 { margin: 1.5rem 0 0; font-size: 1.05rem }
p { margin: .25rem 0 } .dim, .why { color: var(--dim); font-size: .9rem }
.known, .note { color: var(--mark) } details { margin: .25rem 0 }
"""


def to_html(digest: Digest) -> str:
    """The page, safe against markup in titles; its policy forbids everything but its own style."""
    return "\n".join(_lines(digest)) + "\n"


def _lines(digest: Digest) -> Iterator[str]:
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    yield "<!DOCTYPE html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(digest.title)}</title><style>{_STYLE}</style></head><body>"
    yield f"<h1>{escape(digest.title)}</h1><p>{escape(digest.summary)}.</p>"
    yield from (f'<p class="note">⚠️ {escape(clean(note))}</p>' for note in digest.notes)
    for topic in digest.topics:
        yield f"<h2>{escape(clean(topic.name))}</h2>"
        for entry in topic.entries:
            yield from _entry(entry)
    if digest.replaced:
        yield "<h2>New versions of your papers</h2><ul>"
        for one in digest.replaced:
            version = f" (v{one.version})" if one.version else ""
            yield f"<li>{_title(one.paper)}{version}</li>"
        yield "</ul>"
    yield "</body></html>"


def _entry(entry: DigestEntry) -> Iterator[str]:
    yield f"<article><h3>{_title(entry.paper)}</h3>"
    yield f'<p class="dim">{escape(byline_of(entry.paper))}</p>'
    known = '<span class="known">already in your list</span> · ' if entry.is_known else ""
    yield f'<p class="why">{known}matched: {escape(clean(entry.reason))}</p>'
    links = [f'<a href="{escape(url)}">{escape(name)}</a>' for name, url in links_of(entry.paper)]
    if links:
        yield f'<p class="dim">{" · ".join(links)}</p>'
    paragraphs = abstract_of(entry.paper)
    if paragraphs:
        yield "<details open><summary>Abstract</summary>"
        yield from (f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
        yield "</details>"
    yield "</article>"


def _title(paper: Paper) -> str:
    title = escape(title_of(paper))
    address = http_address(address_of(paper))
    return f'<a href="{escape(address)}">{title}</a>' if address else title

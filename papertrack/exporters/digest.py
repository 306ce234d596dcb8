"""Write digests (what the topics found, best first) as Markdown, plain text, HTML and JSON, and the
inbox as an Atom feed (RFC 4287)."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape as escape_html
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import escape, quoteattr

from papertrack.exporters.json import paper_to_json
from papertrack.exporters.markdown import escape_markdown
from papertrack.identifiers.derived import address_of
from papertrack.records import Link, Paper
from papertrack.text import clean, clean_block, group, moment_of, plural

NAMED_AUTHORS = 8
"""If there are more authors, the rest are counted."""
TEXT_WIDTH = 78
SHOWN_LINKS = ("pdf", "code", "project", "model", "data", "demo", "video")
"""Roles of links that are shown besides the paper's own address."""

_JSON_KEYS = (
    *("id", "citekey", "title", "authors", "arxiv_id", "version", "url", "abstract"),
    *("arxiv_categories", "announced", "decision"),
)
_STYLE = """
:root { color-scheme: light dark; --dim: #666; --line: #ddd; --mark: #8a5a00 }
@media (prefers-color-scheme: dark) { :root { --dim: #999; --line: #444; --mark: #e0b050 } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h2 { border-bottom: 1px solid var(--line); margin-top: 2.5rem }
h3 { margin: 1.5rem 0 0; font-size: 1.05rem } p { margin: .25rem 0 }
h3 ~ p { color: var(--dim); font-size: .9rem } strong { color: var(--mark) }
blockquote { margin: .25rem 0 } blockquote p { color: initial; font-size: 1rem }
"""
_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>{style}</style></head><body>
"""


@dataclass(frozen=True, slots=True)
class DigestEntry:
    """A paper that a topic found."""

    paper: Paper
    reason: str
    """Why it matched: ``speculative decoding (title, abstract)``."""
    score: float
    is_known: bool
    """Whether the library had it before the topic found it."""


@dataclass(frozen=True, slots=True)
class DigestTopic:
    """One topic and its matches, best first; or another part of the digest."""

    name: str
    entries: tuple[DigestEntry, ...]
    part: str = "topic"
    """``topic``; ``outside`` the topics, chosen by rank; ``unexpected``: a random choice of papers
    that the user probably does not want; ``unlikely``: the others of these."""


@dataclass(frozen=True, slots=True)
class DigestReplacement:
    """A saved or read paper with a new announced version."""

    paper: Paper
    version: int | None


@dataclass(frozen=True, slots=True)
class Digest:
    """What is new on a day, or since a day."""

    since: str
    """ISO date."""
    until: str
    """ISO date, included."""
    topics: tuple[DigestTopic, ...]
    """Topics that found something."""
    replaced: tuple[DigestReplacement, ...] = ()
    notes: tuple[str, ...] = ()
    """What could not be fetched, and warnings: sentences."""

    @property
    def title(self) -> str:
        days = self.until if self.since == self.until else f"{self.since} to {self.until}"
        return f"New papers, {days}"

    @property
    def summary(self) -> str:
        """Return ``3 papers in 2 topics``; papers that the library had before are not counted."""
        new = {e.paper.id for topic in self.topics for e in topic.entries if not e.is_known}
        matched = [topic for topic in self.topics if topic.part == "topic"]
        topics = sum(any(not e.is_known for e in topic.entries) for topic in matched)
        if not new:
            return "No new papers"
        papers = plural(len(new), "paper")
        return f"{papers} in {plural(topics, 'topic')}" if topics else papers


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One paper in the feed."""

    paper: Paper
    topics: tuple[str, ...]
    reason: str
    updated: str
    """When a topic found it, or when it was added: ISO 8601 with offset."""
    address: str | None = None
    """The address of its own page on the site; otherwise its address elsewhere."""


def to_markdown(digest: Digest) -> str:
    """Return Markdown for GitHub and the like; markup in titles is shown, not interpreted."""
    return "\n".join(_markdown_lines(digest)) + "\n"


def _markdown_lines(digest: Digest) -> Iterator[str]:
    yield from (f"# {digest.title}", "", f"{digest.summary}.")
    if digest.notes:
        yield from ("", *(f"> ⚠️ {escape_markdown(note)}" for note in digest.notes))
    for topic in digest.topics:
        yield from ("", f"## {escape_markdown(topic.name)}")
        for entry in topic.entries:
            yield from ("", *_markdown_entry(entry))
    if digest.replaced:
        yield from ("", "## New versions of your papers", "")
        for replacement in digest.replaced:
            yield f"- {_markdown_title(replacement.paper)}{_version(replacement)}"


def _markdown_entry(entry: DigestEntry) -> Iterator[str]:
    paper = entry.paper
    yield from (f"### {_markdown_title(paper)}", "", escape_markdown(byline_of(paper)), "")
    prefix = "**already in your list** · " if entry.is_known else ""
    yield f"{prefix}matched: {escape_markdown(entry.reason)}"
    links = [f"[{label}](<{url}>)" for label, url in links_of(paper)]
    if links:
        yield from ("", " · ".join(links))
    for number, paragraph in enumerate(abstract_of(paper)):
        yield ">" if number else ""
        yield f"> {escape_markdown(paragraph)}"


def _markdown_title(paper: Paper) -> str:
    title = escape_markdown(title_of(paper))
    address = http_address(address_of(paper))
    return f"[{title}](<{address}>)" if address else title


def to_text(digest: Digest) -> str:
    """Return plain text of at most 78 columns, for a terminal or a mail."""
    return "\n".join(_text_lines(digest)) + "\n"


def _text_lines(digest: Digest) -> Iterator[str]:
    yield digest.title
    yield "=" * len(digest.title)
    yield f"{digest.summary}."
    for note in digest.notes:
        yield from _wrapped(f"! {clean(note)}", "  ")
    for topic in digest.topics:
        name = clean(topic.name)
        yield from ("", name, "-" * len(name))
        for entry in topic.entries:
            yield ""
            yield from _wrapped(f"* {title_of(entry.paper)}", "  ")
            yield from _wrapped(f"  {byline_of(entry.paper)}", "  ")
            prefix = "already in your list; " if entry.is_known else ""
            yield from _wrapped(f"  {prefix}matched: {clean(entry.reason)}", "  ")
            if address := http_address(address_of(entry.paper)):
                yield f"  {address}"
            for label, url in links_of(entry.paper):
                yield f"  {label}: {url}"
            for paragraph in abstract_of(entry.paper):
                yield from _wrapped(f"    {paragraph}", "    ")
    if digest.replaced:
        yield from ("", "New versions of your papers", "---------------------------")
        for replacement in digest.replaced:
            yield from _wrapped(f"* {title_of(replacement.paper)}{_version(replacement)}", "  ")


def to_html(digest: Digest) -> str:
    """Return an HTML page; titles are escaped, and its policy forbids everything but its own
    style."""
    # Imported here because the other formats do not need it.
    import pyromark

    head = _PAGE.format(title=escape_html(digest.title), style=_STYLE)
    return f"{head}{pyromark.html(to_markdown(digest))}</body></html>\n"


def to_json(digest: Digest) -> str:
    """Return one JSON object: ``since``, ``until``, ``topics`` (``name``, ``part``, ``papers``),
    ``replaced``, ``notes``.

    A paper has ``id``, ``citekey``, ``title``, ``authors``, ``arxiv_id``, ``version``, ``url``,
    ``abstract``, ``arxiv_categories``, ``announced``, ``decision``, ``reason``, ``score`` and
    ``already_known``.
    """
    value = {
        "since": digest.since,
        "until": digest.until,
        "topics": [
            {
                "name": topic.name,
                "part": topic.part,
                "papers": [
                    _json_paper(e.paper)
                    | {"reason": e.reason, "score": e.score, "already_known": e.is_known}
                    for e in topic.entries
                ],
            }
            for topic in digest.topics
        ],
        "replaced": [
            {**_json_paper(new.paper), "new_version": new.version} for new in digest.replaced
        ],
        "notes": list(digest.notes),
    }
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _json_paper(paper: Paper) -> dict[str, object]:
    extra = {"url": http_address(address_of(paper)), "announced": paper.facts.announced}
    fields = paper_to_json(paper) | extra
    return {name: fields[name] for name in _JSON_KEYS}


def to_atom_of_digest(digest: Digest) -> str:
    """Return the digest as a feed of its papers, each once, with the topics that found it."""
    by_paper = group(
        (entry.paper.id, (topic.name, entry)) for topic in digest.topics for entry in topic.entries
    )
    updated = f"{digest.until}T00:00:00+00:00"
    entries = [
        FeedEntry(
            matches[0][1].paper,
            tuple(name for name, _ in matches),
            "; ".join(dict.fromkeys(entry.reason for _, entry in matches)),
            updated,
        )
        for matches in by_paper.values()
    ]
    return to_atom(entries, name=f"digest:{digest.since}:{digest.until}", updated=updated)


def to_atom(
    entries: Sequence[FeedEntry],
    *,
    name: str,
    updated: str,
    title: str = "papertrack: inbox",
    place: str | None = None,
) -> str:
    """Return the feed; entries are given newest first.

    ``name`` distinguishes this feed from all others for ever, ``updated`` (ISO 8601 with offset) is
    the feed's time when it has no entry, ``place`` is the address or name of its file, if known.
    """
    newest = max((entry.updated for entry in entries), key=moment_of, default=updated)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<id>{uuid5(NAMESPACE_URL, f'papertrack:{name}').urn}</id>",
        f"<title>{escape(clean(title))}</title>",
        f"<updated>{escape(newest)}</updated>",
        f'<link rel="self" href={quoteattr(place)}/>' if place else "",
        '<generator uri="https://pypi.org/project/papertrack-cli/">papertrack</generator>',
        *map(_atom_entry, entries),
        "</feed>",
    ]
    return "\n".join(filter(None, lines)) + "\n"


def _atom_entry(entry: FeedEntry) -> str:
    paper = entry.paper
    address = entry.address or http_address(address_of(paper))
    authors = [author.name for author in paper.facts.authors] or ["unknown"]
    matched = [f"Matched: {clean(entry.reason)}"] if entry.reason else []
    paragraphs = [*matched, *abstract_of(paper)]
    parts = [
        f"<id>{escape(address or uuid5(NAMESPACE_URL, f'papertrack:{paper.citekey}').urn)}</id>",
        f"<title>{escape(title_of(paper))}</title>",
        f"<updated>{escape(entry.updated)}</updated>",
        *(f"<author><name>{escape(clean(name) or 'unknown')}</name></author>" for name in authors),
        *(f"<category term={quoteattr(clean(topic))}/>" for topic in entry.topics),
        f'<link rel="alternate" href={quoteattr(address)}/>' if address else "",
        # With the type "text", feed readers show it as it is, without markup.
        f'<content type="text">{escape(chr(10).join(paragraphs))}</content>',
    ]
    return "<entry>" + "\n".join(part for part in parts if part) + "</entry>"


def title_of(paper: Paper) -> str:
    """Return the title on one clean line, or another name of the paper."""
    return clean(paper.facts.title or "") or paper.facts.identifier("arxiv") or paper.citekey


def byline_of(paper: Paper) -> str:
    """Return authors, category and comment on one line: ``A. B, C. D and 9 more · cs.LG · 12
    pages``."""
    names = [author.name for author in paper.facts.authors]
    authors = ", ".join(names[:NAMED_AUTHORS])
    if len(names) > NAMED_AUTHORS:
        authors += f" and {len(names) - NAMED_AUTHORS} more"
    parts = (authors, ", ".join(paper.facts.arxiv_categories), paper.facts.comment or "")
    return clean(" · ".join(part for part in parts if part))


def abstract_of(paper: Paper) -> list[str]:
    """Return the paragraphs of the abstract, each on one clean line."""
    return [line for line in clean_block(paper.facts.abstract or "").split("\n") if line]


def links_of(paper: Paper) -> list[tuple[str, str]]:
    """Return labels and http(s) addresses of links other than the paper's own page."""
    arxiv_id = paper.facts.identifier("arxiv")
    links = list(paper.facts.links)
    if arxiv_id and not any(link.role == "pdf" for link in links):
        links.insert(0, Link("pdf", f"https://arxiv.org/pdf/{arxiv_id}"))
    addresses = ((link.role, http_address(link.url)) for link in links if link.role in SHOWN_LINKS)
    return [(role, url) for role, url in addresses if url]


def http_address(url: str | None) -> str | None:
    """Return the address if it is http(s) and has no character that could end a link early, else
    None."""
    if url is None or not url.lower().startswith(("https://", "http://")):
        return None
    return url if url.isprintable() and not set(url) & set("<>\"' \\`") else None


def _version(replacement: DigestReplacement) -> str:
    return f" (v{replacement.version})" if replacement.version else ""


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, TEXT_WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )

"""A digest: what the topics found, by topic, best first; as Markdown, plain text and JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from papertrack.exporters.markdown import escape_markdown
from papertrack.identifiers.derived import address_of
from papertrack.records import Link, Paper
from papertrack.text import clean, clean_block

NAMED_AUTHORS = 8
"""With more of them, the rest are counted."""
TEXT_WIDTH = 78
SHOWN_LINKS = ("pdf", "code", "project", "model", "data", "demo", "video")
"""Roles of links that are worth a place beside the paper's own address."""


@dataclass(frozen=True, slots=True)
class DigestEntry:
    """A paper that a topic found."""

    paper: Paper
    reason: str
    """Why it matched: ``speculative decoding (title, abstract)``."""
    score: float
    is_known: bool
    """Whether it was in the library before the topic found it."""


@dataclass(frozen=True, slots=True)
class DigestTopic:
    """One topic and what it found, best first."""

    name: str
    entries: tuple[DigestEntry, ...]


@dataclass(frozen=True, slots=True)
class DigestReplacement:
    """A saved or read paper of which a new version was announced."""

    paper: Paper
    version: int | None


@dataclass(frozen=True, slots=True)
class Digest:
    """What to tell the reader of a day, or of all days since one."""

    since: str
    """ISO date."""
    until: str
    """ISO date, included."""
    topics: tuple[DigestTopic, ...]
    """Those that found something."""
    replaced: tuple[DigestReplacement, ...] = ()
    notes: tuple[str, ...] = ()
    """What could not be looked at, and warnings: sentences."""

    @property
    def title(self) -> str:
        days = self.until if self.since == self.until else f"{self.since} to {self.until}"
        return f"New papers, {days}"

    @property
    def summary(self) -> str:
        """``3 papers in 2 topics``; papers that were in the library before are not counted."""
        new = {e.paper.id for topic in self.topics for e in topic.entries if not e.is_known}
        topics = sum(any(not e.is_known for e in topic.entries) for topic in self.topics)
        if not new:
            return "No new papers"
        return f"{_count(len(new), 'paper')} in {_count(topics, 'topic')}"


def to_markdown(digest: Digest) -> str:
    """A document for GitHub and the like; whatever is in a title is shown, never obeyed."""
    return "\n".join(_markdown_lines(digest)) + "\n"


def _markdown_lines(digest: Digest) -> Iterator[str]:
    yield f"# {digest.title}"
    yield ""
    yield f"{digest.summary}."
    if digest.notes:
        yield ""
        yield from (f"> ⚠️ {escape_markdown(note)}" for note in digest.notes)
    for topic in digest.topics:
        yield ""
        yield f"## {escape_markdown(topic.name)}"
        for entry in topic.entries:
            yield ""
            yield from _markdown_entry(entry)
    if digest.replaced:
        yield ""
        yield "## New versions of your papers"
        yield ""
        for one in digest.replaced:
            yield f"- {_markdown_title(one.paper)}{_version(one)}"


def _markdown_entry(entry: DigestEntry) -> Iterator[str]:
    yield f"### {_markdown_title(entry.paper)}"
    yield ""
    yield escape_markdown(byline_of(entry.paper))
    yield ""
    known = "**already in your list** · " if entry.is_known else ""
    yield f"{known}matched: {escape_markdown(entry.reason)}"
    links = [f"[{label}](<{url}>)" for label, url in links_of(entry.paper)]
    if links:
        yield ""
        yield " · ".join(links)
    for number, paragraph in enumerate(abstract_of(entry.paper)):
        yield ">" if number else ""
        yield f"> {escape_markdown(paragraph)}"


def _markdown_title(paper: Paper) -> str:
    title = escape_markdown(title_of(paper))
    address = http_address(address_of(paper))
    return f"[{title}](<{address}>)" if address else title


def to_text(digest: Digest) -> str:
    """Plain text of at most 78 columns, for a terminal or a mail."""
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
            known = "already in your list; " if entry.is_known else ""
            yield from _wrapped(f"  {known}matched: {clean(entry.reason)}", "  ")
            if address := http_address(address_of(entry.paper)):
                yield f"  {address}"
            for label, url in links_of(entry.paper):
                yield f"  {label}: {url}"
            for paragraph in abstract_of(entry.paper):
                yield from _wrapped(f"    {paragraph}", "    ")
    if digest.replaced:
        yield from ("", "New versions of your papers", "---------------------------")
        for one in digest.replaced:
            yield from _wrapped(f"* {title_of(one.paper)}{_version(one)}", "  ")


def to_json(digest: Digest) -> str:
    """One object: ``since``, ``until``, ``topics`` (``name``, ``papers``), ``replaced``, ``notes``.

    A paper has ``id``, ``citekey``, ``title``, ``authors``, ``arxiv_id``, ``version``, ``url``,
    ``abstract``, ``arxiv_categories``, ``announced``, ``decision``, ``reason``, ``score`` and
    ``already_known``.
    """
    value = {
        "since": digest.since,
        "until": digest.until,
        "topics": [
            {"name": topic.name, "papers": [_json_entry(entry) for entry in topic.entries]}
            for topic in digest.topics
        ],
        "replaced": [
            {**_json_paper(one.paper), "new_version": one.version} for one in digest.replaced
        ],
        "notes": list(digest.notes),
    }
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _json_entry(entry: DigestEntry) -> dict[str, object]:
    return {
        **_json_paper(entry.paper),
        "reason": entry.reason,
        "score": entry.score,
        "already_known": entry.is_known,
    }


def _json_paper(paper: Paper) -> dict[str, object]:
    facts = paper.facts
    return {
        "id": paper.id,
        "citekey": paper.citekey,
        "title": facts.title,
        "authors": [author.name for author in facts.authors],
        "arxiv_id": facts.identifier("arxiv"),
        "version": facts.version,
        "url": http_address(address_of(paper)),
        "abstract": facts.abstract,
        "arxiv_categories": list(facts.arxiv_categories),
        "announced": facts.announced,
        "decision": paper.decision,
    }


def title_of(paper: Paper) -> str:
    """The title on one clean line, or what else names the paper."""
    return clean(paper.facts.title or "") or paper.facts.identifier("arxiv") or paper.citekey


def byline_of(paper: Paper) -> str:
    """Authors, category and comment on one line: ``A. B, C. D and 9 more · cs.LG · 12 pages``."""
    names = [author.name for author in paper.facts.authors]
    shown = ", ".join(names[:NAMED_AUTHORS])
    if len(names) > NAMED_AUTHORS:
        shown += f" and {len(names) - NAMED_AUTHORS} more"
    parts = (shown, ", ".join(paper.facts.arxiv_categories), paper.facts.comment or "")
    return clean(" · ".join(part for part in parts if part))


def abstract_of(paper: Paper) -> list[str]:
    """The paragraphs of the abstract, each on one clean line."""
    return [line for line in clean_block(paper.facts.abstract or "").split("\n") if line]


def links_of(paper: Paper) -> list[tuple[str, str]]:
    """Label and http(s) address of what can be opened besides the paper's own page."""
    arxiv_id = paper.facts.identifier("arxiv")
    links = list(paper.facts.links)
    if arxiv_id and not any(link.role == "pdf" for link in links):
        links.insert(0, Link("pdf", f"https://arxiv.org/pdf/{arxiv_id}"))
    found = ((link.role, http_address(link.url)) for link in links if link.role in SHOWN_LINKS)
    return [(role, url) for role, url in found if url]


def http_address(url: str | None) -> str | None:
    """The address if it is http(s) and has nothing that could end a link early, else None."""
    if url is None or not url.lower().startswith(("https://", "http://")):
        return None
    return url if url.isprintable() and not set(url) & set("<>\"' \\`") else None


def _version(one: DigestReplacement) -> str:
    return f" (v{one.version})" if one.version else ""


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, TEXT_WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"

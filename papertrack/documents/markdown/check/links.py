"""Check links, references (``[text][label]``) and their definitions.

Also lists the local files that a document links to. Code and comments are skipped, because they
contain no links on the rendered page.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from papertrack.documents.markdown.check.findings import Finding, FindingKind
from papertrack.documents.markdown.model import Definition, Document, PlacedLink
from papertrack.documents.markdown.syntax import (
    Block,
    Inline,
    Syntax,
    by_label,
    is_comment,
    normalise_label,
    parse_syntax,
    walk,
)
from papertrack.documents.markdown.values import Span, blanked
from papertrack.text import shorten


@dataclass(frozen=True, slots=True)
class Stretch:
    """One stretch of running text: a row, a heading, a paragraph, or an item's own lines."""

    block: Block
    start: int
    inline: Inline
    """Its links."""
    visible: str
    """Its text with code and comments blanked. Offsets stay the same."""


def running_text(syntax: Syntax) -> Iterator[Stretch]:
    """Yield the stretches of running text in order."""
    for block in walk(syntax.blocks):
        for span in _spans(syntax, block):
            inline = syntax.inline(span)
            visible = blanked(syntax.text, span, [*inline.codes, *inline.hidden])
            yield Stretch(block, span[0], inline, visible)


def _spans(syntax: Syntax, block: Block) -> list[Span]:
    """Return the spans of running text in a block; each row of a table is one."""
    if block.kind == "table":
        return [syntax.line_span(number) for number in range(block.first, block.end)]
    is_text = block.kind in ("heading", "paragraph", "html") and not is_comment(syntax, block)
    return [(block.start, syntax.ends[block.end - 1])] if is_text else []


_BROKEN = re.compile(r"[^A-Za-z0-9/?#.]{1,9}[A-Za-z][A-Za-z0-9+.-]{0,19}://")
"""The start of a web address that was pasted with something before its scheme."""


def check_links(document: Document, stretches: Sequence[Stretch]) -> Iterator[Finding]:
    """Yield links without address or text, and addresses that no browser follows.

    A badge without an address (``[![arXiv](…)]()``) is a placeholder and not reported.
    """
    for link in (link for stretch in stretches for link in stretch.inline.links):
        text = document.text[slice(*link.label_span)].strip()
        line = document.line_of(link.span[0])
        named = f"The link “{shorten(text, 80)}”"
        if link.form == "inline" and not link.url and not link.is_badge:
            yield Finding(line, "empty-link", f"{named} has no address.", text)
        elif _is_invisible(link, text):
            message = f"The link to {shorten(link.url, 80)} has no text: it cannot be seen."
            yield Finding(line, "empty-link", message, link.url)
        if _BROKEN.match(link.url):
            message = f"{named} leads nowhere: {shorten(link.url, 80)} is not an address."
            message += " What is the text before the scheme?"
            yield Finding(line, "broken-address", message, link.url)


def _is_invisible(link: PlacedLink, text: str) -> bool:
    return link.form in ("inline", "reference") and not text and not link.url.startswith("#")


_LABEL = re.compile(r"\[(?P<label>(?:[^\[\]\\]|\\.){1,999}+)\](?!:)", re.DOTALL)
_REFERENCE = re.compile(r"\]\[(?P<label>(?:[^\[\]\\]|\\.){1,999}+)\](?!\()", re.DOTALL)
_NOT_FOR_LINKS = re.compile(r"\^|//$|#$|comment$")
"""Labels of footnotes, and labels that people use for comments: ``[//]: # (text)``."""


def check_references(document: Document, stretches: Sequence[Stretch]) -> Iterator[Finding]:
    """Yield undefined references, and definitions that are repeated or unused.

    A shortcut reference (``[text]`` alone) is never reported, because it may be just brackets.
    """
    first = by_label(document.definitions)
    paragraphs = {
        number
        for stretch in stretches
        if stretch.block.kind == "paragraph"
        for number in range(stretch.block.first, stretch.block.end)
    }
    for definition in document.definitions:
        before = first[normalise_label(definition.label)]
        if before.url != definition.url:
            message = f"[{definition.label}] is defined in line {before.line + 1} already, as "
            message += f"{shorten(before.url, 80)}, which its links use."
            yield _of_definition(definition, "repeated-definition", message)
        elif definition.line in paragraphs:
            message = f"[{definition.label}] is shown as text: there must be a blank line"
            message += " between it and a paragraph."
            yield _of_definition(definition, "undefined-reference", message)
    yield from _undefined(document, stretches)
    # Rows that are commented out for now keep their definitions.
    used = {normalise_label(match["label"]) for match in _LABEL.finditer(document.text)}
    for label, definition in first.items():
        if label not in used and not _NOT_FOR_LINKS.match(label):
            message = f"[{definition.label}] is defined, but no link uses it."
            yield _of_definition(definition, "unused-definition", message)


def _of_definition(definition: Definition, kind: FindingKind, message: str) -> Finding:
    return Finding(definition.line + 1, kind, message, normalise_label(definition.label))


class _Candidate(NamedTuple):
    """Two adjacent pairs of brackets without a target: ``[text][label]``."""

    offset: int
    label: str
    is_picture: bool


def _undefined(document: Document, stretches: Sequence[Stretch]) -> Iterator[Finding]:
    """Yield references without a definition.

    Lists also write tags in adjacent brackets: ``[ICML][Oral]``. Pictures and small numbers always
    count as references. Others count only if most brackets of their kind are references.
    """
    prose = [stretch for stretch in stretches if stretch.block.kind != "html"]
    candidates = [candidate for stretch in prose for candidate in _candidates(stretch)]
    labels = [label for stretch in prose for label in _resolved(stretch)]
    widths = {1, 2, 3} | {len(label) for label in labels if label.isdecimal()}
    names = sum(not label.isdecimal() for label in labels)
    has_names = names >= max(1, sum(not candidate.label.isdecimal() for candidate in candidates))
    for candidate in candidates:
        is_number = candidate.label.isdecimal()
        if candidate.is_picture or (len(candidate.label) in widths if is_number else has_names):
            message = f"[{shorten(candidate.label, 80)}] is not defined, so no link is shown."
            line = document.line_of(candidate.offset)
            yield Finding(line, "undefined-reference", message, normalise_label(candidate.label))


def _resolved(stretch: Stretch) -> list[str]:
    """Return the labels of references that have a definition."""
    links = stretch.inline.links
    return [link.reference for link in links if link.reference and link.reference != link.label]


def _candidates(stretch: Stretch) -> Iterator[_Candidate]:
    """Yield what looks like a reference but has no definition, outside of link texts."""
    definitions, links = stretch.inline.syntax.by_label, stretch.inline.links
    starts = [link.label_span[0] for link in links]
    for match in _REFERENCE.finditer(stretch.visible):
        label, offset = match["label"], stretch.start + match.start()
        at = bisect_right(starts, offset) - 1
        is_text_of_link = at >= 0 and offset < links[at].label_span[1]
        if is_text_of_link or normalise_label(label) in definitions or label.startswith("^"):
            continue
        opening = stretch.visible.rfind("[", max(match.start() - 1000, 0), match.start())
        before = stretch.visible[max(opening - 1, 0) : max(opening, 0)]
        text = stretch.visible[opening + 1 : match.start()]
        # Array indexes, x[i][j], and two citations, [1][2], are not references.
        if not before.isalnum() and not (text.isdecimal() and label.isdecimal()):
            yield _Candidate(offset, label, before == "!")


_OF_THE_FORGE = re.compile(
    r"(?:\.\./){1,9}(?:issues|pulls?|wiki|discussions|releases|actions|projects|stargazers|network"
    r"|graphs|security|compare|commits?|blob|tree|raw|edit|new|milestones|labels|forks)(?:/|$)"
)
"""Pages of a repository, as READMEs on GitHub link them."""


class LocalLink(NamedTuple):
    """A link to a file beside the document."""

    line: int
    path: str
    """The path from the document's folder, with ``/``."""
    is_note: bool
    """Whether it is an entry's link to a note."""


def local_links(document: Document) -> Iterator[LocalLink]:
    """Yield the links and pictures that point to files beside the document, in order.

    A path from the root of a repository is left out, because the document does not show where that
    is.
    """
    links = (link for entry in document.entries for link in entry.anatomy.links)
    notes = {link.span for link in links if link.role == "note"}
    for stretch in running_text(parse_syntax(document)):
        inline = stretch.inline
        urls = [(link.span, link.url) for link in inline.links]
        urls += [(span, url) for span, (_, url) in inline.pictures.items()]
        for span, url in sorted(urls):
            if path := _path_beside(url):
                yield LocalLink(document.line_of(span[0]), path, span in notes)


def _path_beside(url: str) -> str | None:
    """Return the path that an address has relative to the document's folder, or None."""
    if _BROKEN.match(url) or _OF_THE_FORGE.match(url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    is_elsewhere = parts.scheme or parts.netloc or parts.path.startswith(("/", "\\", "{", "<"))
    return None if is_elsewhere else unquote(parts.path)

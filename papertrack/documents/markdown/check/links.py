"""What is wrong with a document's links: definitions, references, links without target or text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from papertrack.documents.markdown.check.types import Finding
from papertrack.documents.markdown.model import Definition, Document
from papertrack.documents.markdown.read.blocks import Block, Lines, is_comment, walk
from papertrack.documents.markdown.read.inline import Inline, normalise_label, scan_inline
from papertrack.documents.markdown.values import Span
from papertrack.text import shorten

_LABEL = re.compile(r"\[(?P<label>(?:[^\[\]\\]|\\.){1,999}+)\](?!:)", re.DOTALL)
_REFERENCE = re.compile(r"\]\[(?P<label>(?:[^\[\]\\]|\\.){1,999}+)\](?!\()", re.DOTALL)
_FENCE = re.compile(r"[ \t>]*(?P<fence>`{3,}|~{3,})")
_NOT_FOR_LINKS = re.compile(r"\^|//$|#$|comment$")
"""Labels of footnotes, and those that people use to write a comment: ``[//]: # (text)``."""

_BROKEN = re.compile(r"[^A-Za-z0-9/?#.]{1,9}[A-Za-z][A-Za-z0-9+.-]{0,19}://")
"""The start of an address that was pasted with something before its scheme."""


def is_broken(url: str) -> bool:
    """Return whether an address was meant for the web and leads nowhere."""
    return _BROKEN.match(url) is not None


def check_links(document: Document, lines: Lines, blocks: Sequence[Block]) -> Iterator[Finding]:
    """Yield what is wrong with references, their definitions, and links without target or text.

    Code and comments are not looked at: nothing in them is a link on the rendered page. A
    shortcut reference (``[text]`` alone) is never called undefined: it may be just brackets.
    """
    blocks = list(walk(blocks))
    fenced = _fenced_lines(lines)
    definitions = [d for d in document.definitions if d.line not in fenced]
    first: dict[str, Definition] = {}
    for definition in definitions:
        first.setdefault(normalise_label(definition.label), definition)
    yield from _badly_defined(definitions, first, blocks)
    used: set[str] = set()
    for block, span in _stretches(lines, blocks):
        inline = scan_inline(document.text, *span, first)
        visible = _masked(document.text, span, [*inline.codes, *inline.hidden])
        used.update(normalise_label(match["label"]) for match in _LABEL.finditer(visible))
        if block.kind != "html":
            yield from _undefined(document, span, visible, inline, first)
        yield from _unfollowable(document, inline)
    for label, definition in first.items():
        if label not in used and not _NOT_FOR_LINKS.match(label):
            message = f"[{definition.label}] is defined, and no link uses it."
            yield Finding(definition.line + 1, "unused-definition", message)


def _badly_defined(
    definitions: Sequence[Definition], first: Mapping[str, Definition], blocks: Sequence[Block]
) -> Iterator[Finding]:
    """Yield definitions that Markdown ignores: a label's second one, and lines of a paragraph."""
    within = {n for b in blocks if b.kind == "paragraph" for n in range(b.first, b.end)}
    for definition in definitions:
        before = first[normalise_label(definition.label)]
        if before.url != definition.url:
            message = f"[{definition.label}] is defined in line {before.line + 1} already, as "
            message += f"{shorten(before.url, 80)}, which is what its links lead to."
            yield Finding(definition.line + 1, "repeated-definition", message)
        elif definition.line in within:
            message = f"[{definition.label}] is shown as text: a definition needs a blank line"
            message += " between itself and a paragraph."
            yield Finding(definition.line + 1, "undefined-reference", message)


def _fenced_lines(lines: Lines) -> set[int]:
    """Return the lines within fenced code."""
    fenced: set[int] = set()
    fence = ""
    for number, start in enumerate(lines.starts):
        match = _FENCE.match(lines.text, start, lines.ends[number])
        if fence:
            fenced.add(number)
            if match and match["fence"].startswith(fence):
                fence = ""
        elif match:
            fence = match["fence"]
    return fenced


def _stretches(lines: Lines, blocks: Sequence[Block]) -> Iterator[tuple[Block, Span]]:
    """Yield the stretches of running text and the blocks that hold them; a row is one."""
    for block in blocks:
        if block.kind == "table":
            for number in range(block.first, block.end):
                yield block, (lines.starts[number], lines.ends[number])
        elif block.kind in ("heading", "paragraph") or (
            block.kind == "html" and not is_comment(lines, block)
        ):
            yield block, (block.start, lines.ends[block.end - 1])


def _masked(text: str, span: Span, hidden: Sequence[Span]) -> str:
    """Return the stretch with what is hidden in it blanked, each offset kept."""
    parts, position = [], span[0]
    for start, end in sorted(hidden):
        parts += [text[position:start], " " * (end - start)]
        position = end
    return "".join([*parts, text[position : span[1]]])


def _undefined(
    document: Document,
    span: Span,
    visible: str,
    inline: Inline,
    known: Mapping[str, Definition],
) -> Iterator[Finding]:
    labels = iter(inline.links)
    link = next(labels, None)
    for match in _REFERENCE.finditer(visible):
        offset = span[0] + match.start()
        while link is not None and link.span[1] <= offset:
            link = next(labels, None)
        label = match["label"]
        is_text_of_link = link is not None and link.label_span[0] <= offset < link.label_span[1]
        is_known = normalise_label(label) in known or label.startswith("^")
        if not is_text_of_link and not is_known:
            message = f"[{shorten(label, 80)}] is not defined: no link is shown."
            yield Finding(document.line_of(offset), "undefined-reference", message)


def _unfollowable(document: Document, inline: Inline) -> Iterator[Finding]:
    for link in inline.links:
        text = document.text[slice(*link.label_span)].strip()
        line = document.line_of(link.span[0])
        if link.form == "inline" and not link.url:
            message = f"The link “{shorten(text, 80)}” has no address."
            yield Finding(line, "empty-link", message)
        elif link.form in ("inline", "reference") and not text:
            message = f"The link to {shorten(link.url, 80)} has no text: it cannot be seen."
            yield Finding(line, "empty-link", message)
        if is_broken(link.url):
            message = f"The link “{shorten(text, 80)}” leads nowhere: {shorten(link.url, 80)} is no"
            yield Finding(line, "broken-address", f"{message} address. What is before the scheme?")

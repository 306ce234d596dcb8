"""The running text of a document, in stretches with their links.

Code and comments are not looked at: nothing in them is a link on the rendered page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from papertrack.documents.markdown.model import Definition, Document, Lines
from papertrack.documents.markdown.read.blocks import Block, is_comment
from papertrack.documents.markdown.read.inline import Inline, by_label
from papertrack.documents.markdown.values import Span

_FENCE = re.compile(r"[ \t>]*(?P<fence>`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of running text: a row, a heading, a paragraph, an item's own lines."""

    block: Block
    start: int
    inline: Inline
    """Its links."""
    visible: str
    """Its text with code and comments blanked, each offset kept."""


def running_text(
    document: Document,
    blocks: Sequence[Block],
    is_wanted: Callable[[str], object] = lambda text: True,
) -> Iterator[Stretch]:
    """Yield the stretches of running text whose text is wanted, in their order."""
    definitions = by_label(visible_definitions(document))
    for block, span in _spans(document, blocks):
        if not is_wanted(document.text[slice(*span)]):
            continue
        inline = Inline(document.text, span, definitions)
        visible = _masked(document.text, span, [*inline.codes, *inline.hidden])
        yield Stretch(block, span[0], inline, visible)


def visible_definitions(document: Document) -> list[Definition]:
    """Return the link definitions that do not stand in fenced code."""
    fenced = _fenced_lines(document)
    return [one for one in document.definitions if one.line not in fenced]


def _fenced_lines(lines: Lines) -> set[int]:
    """Return the lines within fenced code."""
    fenced: set[int] = set()
    fence = ""
    for number in range(len(lines.starts)):
        match = _FENCE.match(lines.line(number))
        if fence:
            fenced.add(number)
            if match and match["fence"].startswith(fence):
                fence = ""
        elif match:
            fence = match["fence"]
    return fenced


def _spans(lines: Lines, blocks: Sequence[Block]) -> Iterator[tuple[Block, Span]]:
    """Yield the stretches of running text and the blocks that hold them; a row is one."""
    for block in blocks:
        if block.kind == "table":
            for number in range(block.first, block.end):
                yield block, lines.line_span(number)
        elif block.kind in ("heading", "paragraph", "html") and not is_comment(lines, block):
            yield block, (block.start, lines.ends[block.end - 1])


def _masked(text: str, span: Span, hidden: Sequence[Span]) -> str:
    """Return the stretch with what is hidden in it blanked, each offset kept."""
    parts, position = [], span[0]
    for start, end in sorted(hidden):
        parts += [text[position:start], " " * (end - start)]
        position = end
    return "".join([*parts, text[position : span[1]]])

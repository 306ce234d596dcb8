"""The running text of a document, in stretches with their links.

Code and comments are not looked at: nothing in them is a link on the rendered page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from papertrack.documents.markdown.model import Lines
from papertrack.documents.markdown.syntax import Block, Inline, Syntax, is_comment, walk
from papertrack.documents.markdown.values import Span


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
    syntax: Syntax, is_wanted: Callable[[str], object] = lambda text: True
) -> Iterator[Stretch]:
    """Yield the stretches of running text whose text is wanted, in their order."""
    for block, span in _spans(syntax, list(walk(syntax.blocks))):
        if is_wanted(syntax.text[slice(*span)]):
            inline = syntax.inline(span)
            visible = _masked(syntax.text, span, [*inline.codes, *inline.hidden])
            yield Stretch(block, span[0], inline, visible)


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

"""Replacements of spans of a text, made together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.values import Span


@dataclass(frozen=True, slots=True)
class Patch:
    """Put ``text`` in the place of ``span``; an empty span is an insertion."""

    span: Span
    text: str
    rank: int = 0
    """Insertions at one place stand in the order of their ranks, equal ranks as they were made."""


def replaced(text: str, span: Span, content: str) -> Patch:
    """Replace a span; with nothing, the blank that kept it apart goes too."""
    start, end = span
    if not content:
        if text[start - 1 : start] == " ":
            start -= 1
        elif text[end : end + 1] == " ":
            end += 1
    return Patch((start, end), content)


def inserted(document: Document, offset: int, lines: str, rank: int = 0) -> Patch:
    """Insert whole lines, given without the last one's end; behind a last line of the document
    that has none, the line end comes first."""
    end = document.style.line_end
    is_open = offset and document.text[offset - 1] not in "\r\n"
    return Patch((offset, offset), end + lines if is_open else lines + end, rank)


def overlaps(first: Sequence[Patch], second: Sequence[Patch]) -> bool:
    """Return whether two sets of patches meet, so that one cannot be made without the other.

    Insertions at one place do not meet; an insertion at the edge of a replacement does not.
    """
    return any(a.span[0] < b.span[1] and b.span[0] < a.span[1] for a in first for b in second)


def patched(text: str, patches: Sequence[Patch]) -> str:
    """Return the text with all patches made. They must not overlap."""
    pieces, position = [], 0
    for patch in sorted(patches, key=lambda patch: (patch.span, patch.rank)):
        pieces.append(text[position : patch.span[0]])
        pieces.append(patch.text)
        position = patch.span[1]
    pieces.append(text[position:])
    return "".join(pieces)


def moved(offset: int, patches: Sequence[Patch]) -> int:
    """Return where an offset of the old text is in the patched text.

    Text inserted right before the offset pushes it on.
    """
    before = (patch for patch in patches if patch.span[1] <= offset)
    return offset + sum(len(patch.text) - (patch.span[1] - patch.span[0]) for patch in before)

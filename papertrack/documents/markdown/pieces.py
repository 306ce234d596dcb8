"""The pieces of a README from heading to heading, as far as each is read by itself."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise

from papertrack.documents.markdown.model import Document


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands from one heading to the next, or before the first."""

    start: int
    first: int
    """The index of its first entry."""
    is_own: bool
    """Whether its entries are in sections that begin in it."""


def find_pieces(document: Document) -> list[Piece]:
    """Return the pieces of a document, in order."""
    edges = [*_starts(document), len(document.text) + 1]
    entries = [entry.span[0] for entry in document.entries]
    firsts = [bisect_left(entries, edge) for edge in edges]
    opened = [document.sections[entry.section].heading_span[0] for entry in document.entries]
    return [
        Piece(start, first, all(start <= at < end for at in opened[first:last]))
        for (start, end), (first, last) in zip(pairwise(edges), pairwise(firsts), strict=True)
    ]


def _starts(document: Document) -> list[int]:
    """Return where the text and its headings that nothing encloses start."""
    headings = [section.heading_span for section in document.sections]
    starts = {start for start, end in headings if end and document.text.startswith("#", start)}
    return sorted({0, *starts})

"""Three versions of a .bib file made one, entry by entry."""

from __future__ import annotations

from collections.abc import Hashable

from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.documents.merge import Labels, Merged, Piece, Span, cut_lines, merge_pieces


def merge_bibs(base: str, ours: str, theirs: str, labels: Labels) -> Merged:
    """Merge two versions of a .bib file that come from ``base``.

    Raises DocumentError for a text that has conflict markers already.
    """
    return merge_pieces(_cut(base), _cut(ours), _cut(theirs), labels)


def _cut(text: str) -> list[Piece]:
    spans: dict[Span, Hashable] = {}
    for entry in parse_bibtex(text).entries:
        start = text.rfind("\n", 0, entry.span[0]) + 1
        end = text.find("\n", entry.span[1]) + 1 or len(text)
        if entry.citekey:
            spans[start, end] = entry.citekey.casefold()
    return cut_lines(text, spans)

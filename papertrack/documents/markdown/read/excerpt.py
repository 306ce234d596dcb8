"""A few sections of a long README, which are read as they are read within it.

What stands under a heading is read by itself, but for the headings above it, the link definitions
that it names, and what the whole text says of reading marks. Where all marks of a document are
check marks or boxes, a mark of one section is written as it would be in all of it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from papertrack.documents.markdown.marks.registry import USUAL, marks_in
from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.pieces import Piece
from papertrack.documents.markdown.read.document import read_part
from papertrack.documents.markdown.read.doubts import find_doubts
from papertrack.documents.markdown.syntax import cut_lines, labels_in, normalise_label
from papertrack.documents.markdown.values import Span

_DEFINED = re.compile(r"^ {0,3}\[((?:[^\[\]\\\r\n]|\\.){1,999})\]:[^\r\n]*(?:\r\n|\n|\r|\Z)", re.M)
_HEADING = re.compile(r"#[^\r\n]*(?:\r\n|\n|\r|\Z)")
_CHECKS = re.compile(rf"{USUAL.usual}(?: {USUAL.usual}){{0,2}}")
_BOXES = re.compile(r"\[[ x]\]")


def has_usual_marks(document: Document) -> bool:
    """Return whether each part of a document tells how marks are written in all of it: all are
    ``✅``, or all boxes to tick, and there is no doubt about any."""
    is_one = not document.style.marks.unread and not document.other_marks
    is_usual = is_one and _are_usual(_mark_texts(document))
    return is_usual and not any(find_doubts(document, document.entries, document.tables))


def _mark_texts(document: Document) -> set[str]:
    marks = [entry.anatomy.mark for entry in document.entries]
    return {document.text[slice(*mark.span)] for mark in marks if mark}


def _are_usual(texts: Collection[str]) -> bool:
    return any(all(map(form.fullmatch, texts)) for form in (_CHECKS, _BOXES))


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of a text, which are all of these stretches of it."""

    text: str
    spans: tuple[Span, ...]

    def put_back(self, whole: str, edited: str) -> str | None:
        """Return the whole text with the excerpt's lines as edited; None when lines were added to
        them or taken away."""
        after = self._edited_spans(edited)
        if after is None:
            return None
        parts, position = [], 0
        for (start, end), span in zip(self.spans, after, strict=True):
            parts += [whole[position:start], edited[slice(*span)]]
            position = end
        return "".join([*parts, whole[position:]])

    def moved(self, pieces: Sequence[Piece], edited: str) -> list[Piece]:
        """Return the pieces of the whole text as they stand in it with the edited lines."""
        ends = [end for _, end in self.spans]
        grown = [*accumulate(self._growths(edited), initial=0)]
        starts = [piece.start + grown[bisect_right(ends, piece.start)] for piece in pieces]
        return [replace(one, start=start) for one, start in zip(pieces, starts, strict=True)]

    def _growths(self, edited: str) -> list[int]:
        """Return by how much each of the stretches is longer than before."""
        return [
            (new_end - new) - (end - start)
            for (start, end), (new, new_end) in zip(
                self.spans, self._edited_spans(edited) or self.spans, strict=True
            )
        ]

    def _edited_spans(self, edited: str) -> list[Span] | None:
        """Return where the stretches stand in the excerpt as edited."""
        before, after = cut_lines(self.text).starts, cut_lines(edited).starts
        if len(before) != len(after):
            return None
        edges = [0, *accumulate(end - start for start, end in self.spans)]
        places = dict(zip(before, after, strict=True)) | {len(self.text): len(edited)}
        return [(places[start], places[end]) for start, end in pairwise(edges)]


def take_excerpt(text: str, pieces: Sequence[Piece], chosen: Collection[int]) -> Excerpt:
    """Return the chosen pieces, by their positions, with the headings of all others and with the
    link definitions that they name."""
    bounds = list(pairwise([*(piece.start for piece in pieces), len(text)]))
    named = set().union(*(labels_in(text[slice(*bounds[number])]) for number in chosen))
    spans: list[Span] = []
    for number, bound in enumerate(bounds):
        spans += [bound] if number in chosen else _kept_lines(text, bound, named)
    return Excerpt("".join(text[slice(*span)] for span in spans), tuple(spans))


def _kept_lines(text: str, piece: Span, named: Collection[str]) -> list[Span]:
    """Return where the heading of a piece stands, and the definitions that are named."""
    start, end = piece
    heading = _HEADING.match(text, start, end)
    found = _DEFINED.finditer(text, heading.end() if heading else start, end)
    defined = [one.span() for one in found if normalise_label(one[1]) in named]
    return [heading.span(), *defined] if heading else defined


def read_excerpt(excerpt: Excerpt, whole: str, settings: Mapping[str, str]) -> Document:
    """Return what an excerpt of a text holds; what is made of it is read likewise."""
    lines = cut_lines(whole)
    shown = [lines.line(number) for number in range(len(lines.starts))]
    return read_part(excerpt.text, settings, marks_in(whole, shown, settings))

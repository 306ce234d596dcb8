"""All kinds of reading marks, in the order in which they are looked for. The next one goes here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from papertrack.documents.markdown.marks.kind import (
    Box,
    CellReader,
    Day,
    Mark,
    MarkKind,
    MarkStyle,
    RepeatedSign,
    Word,
)
from papertrack.documents.markdown.values import Span, most_common

_CHECK = r"(?:✅|✔️|✔|☑️|☑|:white_check_mark:|:heavy_check_mark:|:ballot_box_with_check:)"
USUAL = RepeatedSign("check", "check marks", signs=_CHECK, usual="✅")
"""The kind that is written where a document has a place for marks and shows none."""
KINDS: tuple[MarkKind, ...] = (
    USUAL,
    Box(),
    Word(),
    Day(),
)


def kind_of(style: MarkStyle) -> MarkKind:
    """Return the kind of marks that a style writes."""
    return style.kind or USUAL


def cell_reader(cells: Sequence[str]) -> CellReader:
    """Return what reads the cells of a reading column, whose contents all ``cells`` are."""
    readers = [kind.cell_reader(cells) for kind in KINDS]

    def read(text: str, span: Span) -> Mark | None:
        return next(filter(None, (reader(text, span) for reader in readers)), None)

    return read


def mark_before_title(text: str, start: int, end: int) -> Mark | None:
    """Return the mark that stands right at ``start``, before an item's title."""
    return next(filter(None, (kind.before_title(text, start, end) for kind in KINDS)), None)


def mark_beside_title(text: str, gaps: Sequence[Span]) -> Mark | None:
    """Return the mark in what an item says outside its links."""
    return next(filter(None, (kind.beside_title(text, gaps) for kind in KINDS)), None)


def is_only_marks(text: str) -> bool:
    """Return whether a text is nothing but signs that are reading marks wherever they stand."""
    return any(kind.fills(text) for kind in KINDS)


def unmarked(text: str) -> str:
    """Return the text before a title without any pass being marked in it."""
    for kind in KINDS:
        text = kind.unmarked(text)
    return text


def without_signs(text: str) -> str:
    """Return a text without the signs that are reading marks."""
    for kind in KINDS:
        text = re.sub(kind.signs, " ", text) if kind.signs else text
    return text


def marks_mean_read(text: str) -> bool:
    """Return whether no legend of a document says that a mark's sign means something else."""
    return all(kind.allows(text) for kind in KINDS)


def learn_marks(text: str, marks: Sequence[Mark], start: MarkStyle) -> MarkStyle:
    """Return how these marks of a document are written; ``start`` says what they do not show."""
    style = start
    for kind in KINDS:
        if kind.signs and (shown := _shown(text, marks, kind)):
            style = kind.learn(style, shown)  # An item of another kind than most keeps its own.
    main = most_common([mark.kind for mark in marks if mark.passes])
    main = main or most_common([mark.kind for mark in marks])
    if main is None:
        return style
    style = replace(style, kind=main, max_passes=main.max_passes)
    return main.learn(style, _shown(text, marks, main))


def _shown(text: str, marks: Sequence[Mark], kind: MarkKind) -> list[tuple[int, str]]:
    return [(mark.passes, text[slice(*mark.span)]) for mark in marks if mark.kind is kind]


def cell_text(style: MarkStyle, passes: int, at: str | None = None) -> str | None:
    """Return a reading mark for a cell; None when what it needs is not known."""
    written = kind_of(style).write(style, passes, at)
    return style.unread or "" if written == "" and not passes else written

"""How a document, and each of its groups, writes reading marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from papertrack.documents.markdown.marks.kind import Mark, MarkStyle
from papertrack.documents.markdown.marks.registry import USUAL, kind_of, learn_marks
from papertrack.documents.markdown.model import Entry, Group, Table
from papertrack.documents.markdown.values import most_common


def learn_mark_style(text: str, entries: Sequence[Entry], tables: Sequence[Table]) -> MarkStyle:
    """Return how most reading marks of a document are written."""
    style = _learnt(text, entries, MarkStyle())
    if style.kind is None and any(table.column_of("passes") is not None for table in tables):
        return replace(style, kind=USUAL)
    return style


def _learnt(text: str, entries: Sequence[Entry], start: MarkStyle) -> MarkStyle:
    found = filter(None, (entry.anatomy.mark for entry in entries))
    # Where a mark goes into an empty cell of HTML shows none.
    marks = [mark for mark in found if mark.span[0] < mark.span[1]]
    style = learn_marks(text, marks, start)
    if style.unread is not None:
        return style
    # What stands for unread where other marks stand for read: ❌, or nothing.
    unread = [entry.anatomy.mark for entry in entries if _is_unread(entry)]
    return replace(style, unread=most_common([_sign(text, mark) for mark in unread]))


def _is_unread(entry: Entry) -> bool:
    mark = entry.anatomy.mark
    return entry.fields.passes == 0 and not (mark is not None and mark.is_begun)


def _sign(text: str, mark: Mark | None) -> str:
    """Return what a mark adds to an entry: nothing if it is a slot that all have."""
    return "" if mark is None or mark.kind.is_slot else text[slice(*mark.span)]


def learn_other_marks(
    text: str, entries: Sequence[Entry], style: MarkStyle
) -> dict[Group, MarkStyle]:
    """Return how the groups write marks that do so otherwise than the document mostly does: by
    boxes, words or dates among check marks, or by another sign."""
    groups: dict[Group, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    start = MarkStyle(separator=style.separator)
    learnt = {
        group: _learnt(text, own, start)
        for group, own in groups.items()
        if any(_shows_style(text, entry.anatomy.mark, style) for entry in own)
    }
    return {group: own for group, own in learnt.items() if _differs(own, style)}


def learn_pass_cells(text: str, entries: Sequence[Entry]) -> dict[Group, MarkStyle]:
    """Return how tables with a column for each pass mark one."""
    groups: dict[Group, list[Entry]] = {}
    for entry in entries:
        if entry.anatomy.pass_cells:
            groups.setdefault(entry.group, []).append(entry)
    return {group: _style_of_cells(text, own) for group, own in groups.items()}


def _style_of_cells(text: str, entries: Sequence[Entry]) -> MarkStyle:
    cells = [cell for entry in entries for cell in entry.anatomy.pass_cells]
    marks = [cell.mark for cell in cells if cell.mark]
    kind = most_common([mark.kind for mark in marks if mark.passes])
    kind = kind or most_common([mark.kind for mark in marks]) or USUAL
    shown = [(mark.passes, text[slice(*mark.span)]) for mark in marks if mark.kind is kind]
    style = kind.learn(MarkStyle(kind=kind), shown) if shown else MarkStyle(kind=kind)
    return replace(style, kind=kind, max_passes=max(cell.number for cell in cells))


def _shows_style(text: str, mark: Mark | None, style: MarkStyle) -> bool:
    """Whether a mark shows how its group marks passes: the sign for unread goes with any kind."""
    if mark is None or mark.is_begun:
        return False
    return mark.passes > 0 or text[slice(*mark.span)] != style.unread


def _differs(own: MarkStyle, style: MarkStyle) -> bool:
    if own.kind is not style.kind or own.words != style.words:
        return True
    return (own.unread or "") != (style.unread or "") or (
        bool(kind_of(own).signs) and own.sign != style.sign
    )

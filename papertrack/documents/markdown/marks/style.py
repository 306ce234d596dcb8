"""Learn how a document, and each of its groups, writes reading marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from papertrack.documents.markdown.marks.kind import Mark, MarkKind, MarkSamples, MarkStyle
from papertrack.documents.markdown.marks.kinds import ROW, USUAL, count_signs
from papertrack.documents.markdown.model import Entry, Group, Table, by_group
from papertrack.documents.markdown.values import most_common


def kind_of(style: MarkStyle) -> MarkKind:
    """Return the kind of marks that a style writes."""
    return style.kind or USUAL


def mark_text(style: MarkStyle, passes: int, at: str | None = None) -> str | None:
    """Return the mark for this number of passes; None if its date is needed but unknown."""
    return kind_of(style).write(style, passes, at)


def style_like(text: str, mark: Mark | None, style: MarkStyle) -> MarkStyle:
    """Return the mark style for one entry, given the style of its group.

    It differs from the group's if the entry's own mark is another sign or slot. A word keeps the
    group's style, because words are recognized as marks only where most marks are words.
    """
    if mark is None or mark.kind is style.kind or not (mark.kind.signs or mark.kind.is_slot):
        return style
    if text[slice(*mark.span)] in style.words:
        return style  # ``✅✅✅`` among ``✅✅⬜``.
    samples = MarkSamples(text, [mark] if mark.span[0] < mark.span[1] else [])
    return replace(mark.kind.learn(style, samples), kind=mark.kind)


def learn_mark_style(text: str, entries: Sequence[Entry], tables: Sequence[Table]) -> MarkStyle:
    """Learn the style of most reading marks in a document."""
    style = _learn_style(text, entries, MarkStyle())
    if style.kind is None and any(table.column_of("passes") is not None for table in tables):
        return replace(style, kind=USUAL)
    return style


def learn_other_styles(
    text: str, entries: Sequence[Entry], style: MarkStyle
) -> dict[Group, MarkStyle]:
    """Learn the mark styles of groups that differ from the document's.

    Examples: boxes, words or dates instead of check marks, or another sign.
    """
    start = MarkStyle(separator=style.separator)
    others = {}
    for group, group_entries in by_group(entries).items():
        if any(_shows_style(text, entry.anatomy.mark, style) for entry in group_entries):
            learnt = _learn_style(text, group_entries, start)
            if _differs(learnt, style):
                others[group] = learnt
    return others


def learn_pass_cells(text: str, entries: Sequence[Entry]) -> dict[Group, MarkStyle]:
    """Learn the mark styles of tables with a column per pass."""
    return {
        group: replace(
            _style_of(text, [cell.mark for cell in cells if cell.mark], MarkStyle(kind=USUAL)),
            max_passes=max(cell.number for cell in cells),
        )
        for group, group_entries in by_group(entries).items()
        if (cells := [cell for entry in group_entries for cell in entry.anatomy.pass_cells])
    }


def _learn_style(text: str, entries: Sequence[Entry], start: MarkStyle) -> MarkStyle:
    """Return ``start`` completed with what the marks of these entries show."""
    marks = filter(None, (entry.anatomy.mark for entry in entries))
    # An empty span is the place for a mark in an empty HTML cell, not a mark.
    style = _style_of(text, [mark for mark in marks if mark.span[0] < mark.span[1]], start)
    if style.unread is not None:
        return style
    # Marks for unread entries may be of another kind, such as ❌.
    unread = [entry.anatomy.mark for entry in entries if _is_unread(entry)]
    return replace(style, unread=most_common([_sign(text, mark) for mark in unread]))


def _style_of(text: str, marks: Sequence[Mark], start: MarkStyle) -> MarkStyle:
    """Return ``start`` completed with what these marks show."""
    kind = most_common([mark.kind for mark in marks if mark.passes])
    kind = kind or most_common([mark.kind for mark in marks])
    if kind is None:
        return start
    kinds = (ROW, USUAL) if kind is USUAL and _fill_rows(text, marks) else (kind,)
    kind = kinds[0]
    shown = MarkSamples(text, [mark for mark in marks if mark.kind in kinds])
    return replace(kind.learn(start, shown), kind=kind)


def _fill_rows(text: str, marks: Sequence[Mark]) -> bool:
    """Return whether check marks are full rows, ``✅✅✅``, beside others such as ``✅✅⬜``."""
    widths = {count_signs(text[slice(*mark.span)]) for mark in marks if mark.kind is ROW}
    return len(widths) == 1 and widths >= {mark.passes for mark in marks if mark.kind is USUAL}


def _is_unread(entry: Entry) -> bool:
    mark = entry.anatomy.mark
    return entry.fields.passes == 0 and not (mark is not None and mark.is_begun)


def _sign(text: str, mark: Mark | None) -> str:
    """Return the text of a mark; "" for a slot, which read and unread entries have."""
    return "" if mark is None or mark.kind.is_slot else text[slice(*mark.span)]


def _shows_style(text: str, mark: Mark | None, style: MarkStyle) -> bool:
    """Return whether a mark shows how passes are written, unlike a sign for *unread*."""
    if mark is None or mark.is_begun:
        return False
    return mark.passes > 0 or text[slice(*mark.span)] != style.unread


def _differs(learnt: MarkStyle, style: MarkStyle) -> bool:
    is_other = learnt.kind is not style.kind or learnt.words != style.words
    is_other = is_other or (learnt.unread or "") != (style.unread or "")
    return is_other or (bool(kind_of(learnt).signs) and learnt.sign != style.sign)

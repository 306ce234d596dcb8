"""How a document writes things, learnt from what it already holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import gcd

from papertrack.documents.markdown.marks.kind import Mark, MarkStyle
from papertrack.documents.markdown.marks.registry import USUAL, kind_of, learn_marks
from papertrack.documents.markdown.model import (
    Definition,
    Entry,
    Group,
    LinkForm,
    Order,
    Section,
    Style,
    Table,
)
from papertrack.documents.markdown.read.blocks import Lines
from papertrack.documents.markdown.read.dates import date_pattern, sort_date
from papertrack.documents.markdown.values import STAR, most_common
from papertrack.text import title_key

_NUMBERED_ITEM = re.compile(r"[ \t]*([0-9]{1,9})[.)]")
_BULLET = re.compile(r"[ \t>]*([-+*])[ \t]")
USUAL_BLOCK = 5
"""The numbers that a paper's block of link definitions has in the lists that have such blocks."""


def learn_style(
    lines: Lines,
    entries: Sequence[Entry],
    tables: Sequence[Table],
    sections: Sequence[Section],
    definitions: Sequence[Definition],
) -> Style:
    """Return the style of a document from its parts."""
    patterns = [p for entry in entries if (p := date_pattern(lines.text, entry))]
    named = _named(lines, entries, definitions)
    columns = dict.fromkeys(table.roles for table in tables)
    return Style(
        line_end=_line_end(lines),
        marks=_learn_marks(lines.text, entries, tables),
        rating=_rating_sign(lines, entries),
        link_form=_link_form(entries),
        block_size=learn_block_size(lines, definitions, named),
        has_title_comments=_has_title_comments(lines, definitions, named),
        date_format=most_common(patterns),
        bullet=_bullet(lines, entries),
        orders=tuple((s.path, order_of(s, entries)) for s in sections if s.entries),
        is_numbering_constant=_is_numbering_constant(lines, entries),
        columns=tuple(columns),
    )


def _learn_marks(text: str, entries: Sequence[Entry], tables: Sequence[Table]) -> MarkStyle:
    marks = [entry.anatomy.mark for entry in entries if entry.anatomy.mark]
    style = learn_marks(text, marks, MarkStyle())
    if style.kind is None and any(table.column_of("passes") is not None for table in tables):
        style = replace(style, kind=USUAL)
    return style if style.words else replace(style, unread=_unread_sign(text, entries))


def learn_other_marks(
    text: str, entries: Sequence[Entry], style: MarkStyle
) -> dict[Group, MarkStyle]:
    """Return how the groups write marks that do so otherwise than the document mostly does: by
    boxes, words or dates among check marks, or by another sign."""
    marks: dict[Group, list[Mark]] = {}
    for entry in entries:
        mark = entry.anatomy.mark
        # The sign for unread goes with any kind of mark.
        if mark and (mark.passes or text[slice(*mark.span)] != style.unread):
            marks.setdefault(entry.group, []).append(mark)
    start = MarkStyle(separator=style.separator)
    learnt = {group: learn_marks(text, own, start) for group, own in marks.items()}
    return {group: own for group, own in learnt.items() if not _is_alike(own, style)}


def _is_alike(own: MarkStyle, style: MarkStyle) -> bool:
    has_own_sign = bool(kind_of(own).signs) and own.sign != style.sign
    return own.kind is style.kind and not has_own_sign


def order_of(section: Section, entries: Sequence[Entry]) -> Order:
    """Return how a section's entries are sorted by date: at most one in ten may stray.

    Where no dates are shown, those of arXiv ids count, if there are enough to be no accident.
    """
    held = [entries[i] for i in section.entries]
    dates = [date for entry in held if (date := sort_date(entry))]
    steps = Counter((second > first) - (second < first) for first, second in pairwise(dates))
    rising, falling = steps[1], steps[-1]
    shows_dates = any(entry.fields.date for entry in held)
    if rising + falling < (1 if shows_dates else 4):
        return "none"
    if min(rising, falling) * 10 > rising + falling:
        return "none"
    return "ascending" if rising > falling else "descending"


def learn_block_size(
    lines: Lines, definitions: Sequence[Definition], named: Sequence[Definition]
) -> int | None:
    """Return the size of each paper's block of numbers, or None if numbers come in no blocks.

    A block starts behind a comment line; the step between starts is the size if three of four
    starts are a whole number of steps apart. Too few blocks for that have their common divisor,
    if their comments are titles (``named``): five, as usual, where nothing speaks against it.
    """
    commented = [d for d in definitions if _comment_above(lines, d) is not None]
    steps = _steps(_numbers(commented))
    if len(steps) >= 2:
        size = most_common(steps) or 1
        if size > 1 and sum(step % size == 0 for step in steps) * 4 >= len(steps) * 3:
            return size
    numbers = _numbers(named)
    size = gcd(*_steps(numbers)) if numbers else 1
    if size % USUAL_BLOCK == 0:
        return USUAL_BLOCK
    return size if size > 1 else None


def _numbers(definitions: Sequence[Definition]) -> list[int]:
    return [int(definition.label) for definition in definitions if definition.label.isdecimal()]


def _steps(starts: Sequence[int]) -> list[int]:
    return [second - first for first, second in pairwise(sorted(starts)) if second > first]


def _comment_above(lines: Lines, definition: Definition) -> str | None:
    """Return the comment on the line above a definition."""
    if definition.line == 0:
        return None
    line = lines.line(definition.line - 1).strip()
    return line.removesuffix("-->")[4:] if line.startswith("<!--") else None


def _named(
    lines: Lines, entries: Sequence[Entry], definitions: Sequence[Definition]
) -> list[Definition]:
    """Return the definitions below a comment that is the title of an entry."""
    comments = [(d, title_key(c)) for d in definitions if (c := _comment_above(lines, d))]
    titles = {title_key(entry.fields.title) for entry in entries} if comments else set()
    return [definition for definition, comment in comments if comment and comment in titles]


def _has_title_comments(
    lines: Lines, definitions: Sequence[Definition], named: Sequence[Definition]
) -> bool:
    if len(definitions) < 5 * len(named):
        return True
    count = sum(_comment_above(lines, definition) is not None for definition in definitions)
    return count > 2 and count * 5 > len(definitions)


def _line_end(lines: Lines) -> str:
    text = lines.text
    crlf = text.count("\r\n")
    lone = {"\r\n": crlf, "\n": text.count("\n") - crlf, "\r": text.count("\r") - crlf}
    return max(("\n", "\r\n", "\r"), key=lambda end: lone[end])


def _unread_sign(text: str, entries: Sequence[Entry]) -> str | None:
    """Return what stands for *unread* where other marks than words stand for *read*: ❌."""
    unread = [entry.anatomy.mark for entry in entries if entry.fields.passes == 0]
    texts = [text[slice(*mark.span)] if mark and not mark.kind.is_slot else "" for mark in unread]
    return most_common(texts) or None


def _rating_sign(lines: Lines, entries: Sequence[Entry]) -> str | None:
    signs = [
        match.group()
        for entry in entries
        if entry.anatomy.rating and (match := STAR.match(lines.text, *entry.anatomy.rating))
    ]
    return most_common(signs)


def _link_form(entries: Sequence[Entry]) -> LinkForm:
    forms: list[LinkForm] = [
        link.form for entry in entries for link in entry.anatomy.links[:1] if link.form != "text"
    ]
    return max(dict.fromkeys(forms), key=forms.count) if forms else "inline"


def _bullet(lines: Lines, entries: Sequence[Entry]) -> str | None:
    bullets = [
        match[1]
        for entry in entries
        if entry.shape == "item" and (match := _BULLET.match(lines.text, entry.span[0]))
    ]
    return most_common(bullets)


def _is_numbering_constant(lines: Lines, entries: Sequence[Entry]) -> bool:
    numbers = [
        match[1]
        for entry in entries
        if entry.shape == "numbered" and (match := _NUMBERED_ITEM.match(lines.text, entry.span[0]))
    ]
    return len(numbers) > 2 and numbers.count("1") * 2 > len(numbers)

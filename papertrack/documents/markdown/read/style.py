"""How a document writes things, learnt from what it already holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import gcd

from papertrack.documents.markdown.model import (
    Definition,
    Entry,
    Group,
    LinkForm,
    Mark,
    MarkKind,
    Order,
    Section,
    Style,
    Table,
)
from papertrack.documents.markdown.read.blocks import Lines
from papertrack.documents.markdown.read.rows import roles_of
from papertrack.documents.markdown.values import (
    CHECK,
    SKIMMED_WORDS,
    find_date,
    is_word_in,
    most_common,
    read_word_for,
)
from papertrack.identifiers import arxiv_month
from papertrack.text import title_key

_NUMBERED_ITEM = re.compile(r"[ \t]*([0-9]{1,9})[.)]")
_BULLET = re.compile(r"[ \t>]*([-+*])[ \t]")
_CHECK = re.compile(CHECK)
_STAR = re.compile(r"⭐️|⭐|🌟|★|:star2?:")
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
    marks = [entry.anatomy.mark for entry in entries if entry.anatomy.mark]
    kind = _mark_kind(marks, tables)
    patterns = [p for entry in entries if (p := date_pattern(lines.text, entry))]
    named = _named(lines, entries, definitions)
    columns = dict.fromkeys(roles_of(table.columns) for table in tables)
    return Style(
        line_end=_line_end(lines),
        mark=kind,
        mark_text=_mark_text(lines, marks),
        mark_separator=" " if (between := _mark_separator(lines, marks)) is None else between,
        words=_mark_words(lines, marks) if kind == "word" else (_unread_sign(lines, entries), None),
        rating=_rating_sign(lines, entries),
        link_form=_link_form(entries),
        block_size=learn_block_size(lines, definitions, named),
        has_title_comments=_has_title_comments(lines, definitions, named),
        date_format=most_common(patterns),
        read_date_format=_read_date_format(lines, marks),
        bullet=_bullet(lines, entries),
        orders=tuple((s.path, order_of(s, entries)) for s in sections if s.entries),
        is_numbering_constant=_is_numbering_constant(lines, entries),
        columns=tuple(columns),
    )


def learn_other_styles(lines: Lines, entries: Sequence[Entry], style: Style) -> dict[Group, Style]:
    """Return the styles of the groups that mark passes otherwise than the document mostly does:
    by boxes, words or dates among check marks, or by another sign."""
    marks: dict[Group, list[Mark]] = {}
    for entry in entries:
        mark = entry.anatomy.mark
        # The sign for unread goes with any kind of mark.
        if mark and (mark.passes or lines.text[slice(*mark.span)] != style.words[0]):
            marks.setdefault(entry.group, []).append(mark)
    others = {}
    for group, own in marks.items():
        kind, text = _mark_kind(own, ()), _mark_text(lines, own)
        between = _mark_separator(lines, own)
        if kind != style.mark or (kind == "check" and text != style.mark_text):
            others[group] = replace(
                style,
                mark=kind,
                mark_text=text,
                mark_separator=style.mark_separator if between is None else between,
                words=_mark_words(lines, own) if kind == "word" else (None, None),
                read_date_format=_read_date_format(lines, own),
            )
    return others


def date_pattern(text: str, entry: Entry) -> str | None:
    """Return how an entry writes its date."""
    if entry.anatomy.date is None:
        return None
    found = find_date(text, *entry.anatomy.date)
    return found.pattern if found else None


def sort_date(entry: Entry) -> str | None:
    """Return the date by which an entry is sorted: as written, else the month of its arXiv id."""
    if entry.fields.date:
        return entry.fields.date
    for identifier in entry.identifiers:
        if identifier.scheme == "arxiv":
            return arxiv_month(identifier.value)
    return None


def order_of(section: Section, entries: Sequence[Entry]) -> Order:
    """Return how a section's entries are sorted by date: at most one in ten may stray.

    Where no dates are shown, those of arXiv ids count, if there are enough to be no accident.
    """
    held = [entries[i] for i in section.entries]
    dates = [date for entry in held if (date := sort_date(entry))]
    rising = sum(first < second for first, second in pairwise(dates))
    falling = sum(first > second for first, second in pairwise(dates))
    shows_dates = any(entry.fields.date for entry in held)
    if rising + falling < (1 if shows_dates else 4):
        return "none"
    if rising and falling * 10 <= rising + falling:
        return "ascending"
    if falling and rising * 10 <= rising + falling:
        return "descending"
    return "none"


def learn_block_size(
    lines: Lines, definitions: Sequence[Definition], named: Sequence[Definition]
) -> int | None:
    """Return the size of each paper's block of numbers, or None if numbers come in no blocks.

    A block starts behind a comment line; the step between starts is the size if three of four
    starts are a whole number of steps apart. Too few blocks for that have their common divisor,
    if their comments are titles (``named``): five, as usual, where nothing speaks against it.
    """
    starts = [
        int(definition.label)
        for definition in definitions
        if definition.label.isdecimal() and _comment_above(lines, definition) is not None
    ]
    steps = _steps(starts)
    if len(steps) >= 2:
        size = max(dict.fromkeys(steps), key=steps.count)
        if size > 1 and sum(step % size == 0 for step in steps) * 4 >= len(steps) * 3:
            return size
    numbers = [int(definition.label) for definition in named if definition.label.isdecimal()]
    if not numbers:
        return None
    size = gcd(*_steps(numbers))
    return USUAL_BLOCK if size % USUAL_BLOCK == 0 else size if size > 1 else None


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


def _mark_kind(marks: Sequence[Mark], tables: Sequence[Table]) -> MarkKind | None:
    kinds = [mark.kind for mark in marks if mark.passes] or [mark.kind for mark in marks]
    if kinds:
        return max(dict.fromkeys(kinds), key=kinds.count)
    return "check" if any(table.column_of("passes") is not None for table in tables) else None


def _mark_text(lines: Lines, marks: Sequence[Mark]) -> str:
    checks = [lines.text[slice(*mark.span)] for mark in marks if mark.kind == "check"]
    return most_common([_CHECK.findall(check)[0] for check in checks]) or "✅"


def _read_date_format(lines: Lines, marks: Sequence[Mark]) -> str | None:
    dates = [find_date(lines.text, *mark.span) for mark in marks if mark.kind == "date"]
    return most_common([found.pattern for found in dates if found])


def _mark_separator(lines: Lines, marks: Sequence[Mark]) -> str | None:
    """What stands between two marks; None where there are never two."""
    texts = [lines.text[slice(*m.span)] for m in marks if m.kind == "check" and m.passes > 1]
    separators = [_CHECK.sub("\0", text).strip("\0").split("\0")[0] for text in texts]
    return most_common(separators)


def _mark_words(lines: Lines, marks: Sequence[Mark]) -> tuple[str | None, ...]:
    words = [(mark.passes, lines.text[slice(*mark.span)]) for mark in marks if mark.kind == "word"]
    unread = most_common([word for passes, word in words if passes == 0])
    skimmed = most_common([word for _, word in words if is_word_in(word, SKIMMED_WORDS)])
    read = most_common([word for passes, word in words if passes and word != skimmed])
    if read is None:
        read = read_word_for(unread or skimmed or "")
    return (unread, read) if skimmed is None else (unread, skimmed, read)


def _unread_sign(lines: Lines, entries: Sequence[Entry]) -> str | None:
    """Return what stands for *unread* where other marks than words stand for *read*: ❌."""
    unread = [entry.anatomy.mark for entry in entries if entry.fields.passes == 0]
    texts = [
        lines.text[slice(*mark.span)] if mark and mark.kind == "word" else "" for mark in unread
    ]
    return most_common(texts) or None


def _rating_sign(lines: Lines, entries: Sequence[Entry]) -> str | None:
    signs = [
        match.group()
        for entry in entries
        if entry.anatomy.rating and (match := _STAR.match(lines.text, *entry.anatomy.rating))
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

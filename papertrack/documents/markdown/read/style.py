"""How a document writes things, learnt from it: signs, dates, orders and blocks of definitions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import gcd
from operator import attrgetter

from papertrack.documents.markdown.marks.style import (
    learn_mark_style,
)
from papertrack.documents.markdown.model import (
    Definition,
    Entry,
    Lines,
    Order,
    Section,
    Shape,
    Style,
    Table,
)
from papertrack.documents.markdown.values import STAR, Span, find_date, most_common
from papertrack.identifiers.derived import submitted_of
from papertrack.text import title_key

_NUMBERED_ITEM = re.compile(r"[ \t]*(?P<sign>[0-9]{1,9})[.)]")
_BULLET = re.compile(r"[ \t>]*(?P<sign>[-+*])[ \t]")
_RATING = re.compile(f"(?P<sign>{STAR.pattern})")
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
    text = lines.text
    ratings = filter(None, (entry.anatomy.rating for entry in entries))
    crlf = text.count("\r\n")
    ends = {"\n": text.count("\n") - crlf, "\r\n": crlf, "\r": text.count("\r") - crlf}
    forms = [link.form for entry in entries for link in entry.anatomy.links[:1]]
    block_size, has_title_comments = _learn_definitions(lines, entries, definitions)
    return Style(
        line_end=max(ends, key=ends.__getitem__),
        marks=learn_mark_style(text, entries, tables),
        rating=most_common(_starts(_RATING, text, ratings)),
        link_form=most_common([form for form in forms if form not in ("text", "wiki")]) or "inline",
        block_size=block_size,
        has_title_comments=has_title_comments,
        date_format=most_common([p for entry in entries if (p := date_pattern(text, entry))]),
        bullet=most_common(_starts(_BULLET, text, _spans(entries, "item"))),
        orders=tuple((s.path, _order_of(s, entries)) for s in sections if s.entries),
        is_numbering_constant=_is_numbering_constant(text, entries),
        columns=tuple(dict.fromkeys(map(attrgetter("columns"), tables))),
    )


def _is_numbering_constant(text: str, entries: Sequence[Entry]) -> bool:
    """Return whether most items say the number of the one before them in their list: that lists
    begin with 1 says nothing."""
    numbered = [entry for entry in entries if entry.shape == "numbered"]
    groups: dict[object, list[Span]] = {}
    for entry in numbered:
        groups.setdefault(entry.group, []).append(entry.span)
    lists = [_starts(_NUMBERED_ITEM, text, spans) for spans in groups.values()]
    repeats = [one == other for numbers in lists for one, other in pairwise(numbers)]
    return len(numbered) > 2 and 2 * sum(repeats) > len(repeats)


def _spans(entries: Sequence[Entry], shape: Shape) -> list[Span]:
    return [entry.span for entry in entries if entry.shape == shape]


def _starts(pattern: re.Pattern[str], text: str, spans: Iterable[Span]) -> list[str]:
    """Return the signs that these stretches start with."""
    matches = (pattern.match(text, *span) for span in spans)
    return [match["sign"] for match in filter(None, matches)]


def _order_of(section: Section, entries: Sequence[Entry]) -> Order:
    """Return how a section's entries are sorted by date: at most one in ten may stray.

    Where no dates are shown, those of arXiv ids count, if there are enough to be no accident.
    """
    held = [entries[i] for i in section.entries]
    dates = [date for entry in held if (date := sort_date(entry))]
    steps = Counter((second > first) - (second < first) for first, second in pairwise(dates))
    rising, falling = steps[1], steps[-1]
    shows_dates = any(entry.fields.date for entry in held)
    dated = rising + falling
    if dated < (1 if shows_dates else 4) or min(rising, falling) * 10 > dated:
        return "none"
    return "ascending" if rising > falling else "descending"


def _learn_definitions(
    lines: Lines, entries: Sequence[Entry], definitions: Sequence[Definition]
) -> tuple[int | None, bool]:
    """Return the size of each paper's block of numbers, and whether comments stand above them."""
    above = [(found, lines.line(found.line - 1).strip()) for found in definitions if found.line]
    commented = [(found, line) for found, line in above if line.startswith("<!--")]
    titles = {title_key(entry.fields.title) for entry in entries} - {""} if commented else set()
    named = [d for d, line in commented if title_key(line.removesuffix("-->")[4:]) in titles]
    are_most = len(commented) > 2 and len(commented) * 5 > len(definitions)
    size = _learn_block_size([found for found, _ in commented], named)
    return size, are_most or len(definitions) < 5 * len(named)


def _learn_block_size(commented: Sequence[Definition], named: Sequence[Definition]) -> int | None:
    """Return the size of each paper's block of numbers, or None if numbers come in no blocks.

    A block starts behind a comment line; the step between starts is the size if three of four
    starts are a whole number of steps apart. Too few blocks for that have their common divisor,
    if their comments are titles (``named``): five, as usual, where nothing speaks against it.
    """
    steps = _steps(commented)
    if len(steps) >= 2:
        size = most_common(steps) or 1
        if size > 1 and sum(step % size == 0 for step in steps) * 4 >= len(steps) * 3:
            return size
    if not any(definition.label.isdecimal() for definition in named):
        return None
    size = gcd(*_steps(named))
    if size % USUAL_BLOCK == 0:
        return USUAL_BLOCK
    return size if size > 1 else None


def _steps(definitions: Sequence[Definition]) -> list[int]:
    """Return how far the numbers of definitions are apart."""
    numbers = sorted(int(found.label) for found in definitions if found.label.isdecimal())
    return [second - first for first, second in pairwise(numbers) if second > first]


def date_pattern(text: str, entry: Entry) -> str | None:
    """Return how an entry writes its date."""
    found = find_date(text, *entry.anatomy.date) if entry.anatomy.date else None
    return found.pattern if found else None


def sort_date(entry: Entry) -> str | None:
    """Return the date by which an entry is sorted: as written, else the month of its arXiv id."""
    return entry.fields.date or submitted_of(entry.identifiers, None)

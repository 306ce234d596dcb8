"""Learn the style of a document: signs, dates, orders and blocks of link definitions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import gcd
from operator import attrgetter

from papertrack.documents.markdown.marks.style import learn_mark_style
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
"""The usual number of link definitions per paper, in lists with such blocks."""


def learn_style(
    lines: Lines,
    entries: Sequence[Entry],
    tables: Sequence[Table],
    sections: Sequence[Section],
    definitions: Sequence[Definition],
) -> Style:
    """Learn the style of a document from its parts."""
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
    """Return whether most items repeat the number of the item before.

    Several lists that each start with 1 are no evidence.
    """
    numbered = [entry for entry in entries if entry.shape == "numbered"]
    groups: dict[object, list[Span]] = {}
    for entry in numbered:
        groups.setdefault(entry.group, []).append(entry.span)
    lists = [_starts(_NUMBERED_ITEM, text, spans) for spans in groups.values()]
    repeats = [number == following for numbers in lists for number, following in pairwise(numbers)]
    return len(numbered) > 2 and 2 * sum(repeats) > len(repeats)


def _spans(entries: Sequence[Entry], shape: Shape) -> list[Span]:
    return [entry.span for entry in entries if entry.shape == shape]


def _starts(pattern: re.Pattern[str], text: str, spans: Iterable[Span]) -> list[str]:
    """Return the signs at the start of these spans."""
    matches = (pattern.match(text, *span) for span in spans)
    return [match["sign"] for match in filter(None, matches)]


def _order_of(section: Section, entries: Sequence[Entry]) -> Order:
    """Return how the entries of a section are sorted by date.

    One in ten may be out of order. If there are no dates, the months of arXiv ids are used, but
    more entries are needed then.
    """
    section_entries = [entries[i] for i in section.entries]
    days = (entry.fields.date or submitted_of(entry.identifiers, None) for entry in section_entries)
    dates = list(filter(None, days))
    steps = Counter((second > first) - (second < first) for first, second in pairwise(dates))
    rising, falling = steps[1], steps[-1]
    shows_dates = any(entry.fields.date for entry in section_entries)
    dated = rising + falling
    if dated < (1 if shows_dates else 4) or min(rising, falling) * 10 > dated:
        return "none"
    return "ascending" if rising > falling else "descending"


def _learn_definitions(
    lines: Lines, entries: Sequence[Entry], definitions: Sequence[Definition]
) -> tuple[int | None, bool]:
    """Return how many numbers each paper has, and whether comments with its title are usual."""
    above = [(defn, lines.line(defn.line - 1).strip()) for defn in definitions if defn.line]
    commented = [(defn, line) for defn, line in above if line.startswith("<!--")]
    titles = {title_key(entry.fields.title) for entry in entries} - {""} if commented else set()
    titled = [d for d, line in commented if title_key(line.removesuffix("-->")[4:]) in titles]
    are_most = len(commented) > 2 and len(commented) * 5 > len(definitions)
    size = _learn_block_size([defn for defn, _ in commented], titled)
    return size, are_most or len(definitions) < 5 * len(titled)


def _learn_block_size(commented: Sequence[Definition], titled: Sequence[Definition]) -> int | None:
    """Return how many numbers are reserved for each paper; None without such blocks.

    A block starts after a comment. If three of four steps from one start to the next are multiples
    of the most common step, this step is the size. If there are too few blocks, the size is the
    common divisor of the steps between blocks with titles (``titled``), or the usual size if that
    divides it.
    """
    steps = _steps(commented)
    if len(steps) >= 2:
        size = most_common(steps) or 1
        if size > 1 and sum(step % size == 0 for step in steps) * 4 >= len(steps) * 3:
            return size
    if not any(definition.label.isdecimal() for definition in titled):
        return None
    size = gcd(*_steps(titled))
    if size % USUAL_BLOCK == 0:
        return USUAL_BLOCK
    return size if size > 1 else None


def _steps(definitions: Sequence[Definition]) -> list[int]:
    """Return the differences between consecutive numbers of definitions."""
    numbers = sorted(int(defn.label) for defn in definitions if defn.label.isdecimal())
    return [second - first for first, second in pairwise(numbers) if second > first]


def date_pattern(text: str, entry: Entry) -> str | None:
    """Return the format of an entry's date, or None."""
    date = find_date(text, *entry.anatomy.date) if entry.anatomy.date else None
    return date.pattern if date else None

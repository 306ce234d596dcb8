"""Reading marks that were not understood, or only by habit: told with their lines, never silent."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from papertrack.documents.markdown.marks.vocabulary import CIRCLES
from papertrack.documents.markdown.model import Entry, Lines, Table, by_group
from papertrack.documents.markdown.read.columns import content_span
from papertrack.documents.markdown.syntax import front_matter_end
from papertrack.documents.markdown.values import MEDAL, STAR
from papertrack.records import Skipped
from papertrack.text import shorten

_NOTHING = ("", "null", "n/a", "none", "无", ":heavy_minus_sign:")
_MANY = 8
"""More different texts than this under one header, and no mark among them, are no marks."""
_HALF_READ = re.compile("[🟡🟠]")
_COLOURED = (*CIRCLES, "🔵", "⚫", "🟣", "🟤")
Held = Sequence[tuple[Entry, str]]
"""Entries, with the sign at the place of each one's mark that is not understood."""


def find_doubts(
    lines: Lines, entries: Sequence[Entry], tables: Sequence[Table]
) -> Iterator[Skipped]:
    """Yield what stands at the place of a reading mark and is not understood, or only by habit."""
    for (kind, index), own in by_group(entries).items():
        if kind == "table":
            yield from _doubts_of_table(lines, own, tables[index])
        else:
            yield from _doubts_of_list(lines, own)
    yield from _by_habit(lines, entries)


_TITLE = re.compile(r"[ \t]*(?:-[ \t]+)?[\"']?(?:title|paper)[\"']?[ \t]*:[ \t]*\S")
_LISTED = re.compile(r"[ \t]*-[ \t]+\S")


def find_front_matter(lines: Lines) -> Iterator[Skipped]:
    """Yield a sentence on works that only the front matter lists, which no page shows."""
    numbers = range(1, front_matter_end(lines) - 1)
    listed = [number for number in numbers if _LISTED.match(lines.line(number))]
    titles = [number for number in numbers if listed and _TITLE.match(lines.line(number))]
    if titles and titles[-1] >= listed[0]:
        reason = f"The front matter has a list ({len(titles)} titles), which is not read."
        yield Skipped(listed[0] + 1, reason, shorten(lines.line(titles[0]).strip()))


def _doubts_of_table(lines: Lines, entries: Sequence[Entry], table: Table) -> Iterator[Skipped]:
    column = table.column_of("passes")
    if column is None:
        return
    cells = [(e, _cell(lines.text, e, column)) for e in entries if e.anatomy.mark is None]
    unknown = [(entry, cell) for entry, cell in cells if cell.lower() not in _NOTHING]
    if len({cell for _, cell in unknown}) <= _MANY or len(unknown) * 2 < len(entries):
        yield from _unknown(lines, unknown)
        return
    header = table.columns[column].header
    reason = (
        f"What stands under {header!r} is not understood as reading marks; say what they mean "
        f"(--set mark.SIGN=PASSES), or what the column holds (--set 'column.{header}=other')."
    )
    yield _skipped(lines, unknown[0][0], reason)


def _cell(text: str, entry: Entry, column: int) -> str:
    cells = entry.anatomy.cells
    return text[slice(*content_span(text, cells[column]))] if column < len(cells) else ""


def _unknown(lines: Lines, held: Held) -> Iterator[Skipped]:
    """Yield each different sign once, where it stands first."""
    for sign in dict.fromkeys(sign for _, sign in held):
        found = [entry for entry, other in held if other == sign]
        also = ", ".join(str(entry.line) for entry in found[1:6]) + ", …" * (len(found) > 6)
        where = f" (also in line {also})" if also else ""
        shown = shorten(sign, 40)
        reason = (
            f"The mark {shown} is not understood{where}; say how many passes it stands for: "
            f"papertrack documents FILE --set 'mark.{shown}=1'."
        )
        yield _skipped(lines, found[0], reason)


def _skipped(lines: Lines, entry: Entry, reason: str) -> Skipped:
    return Skipped(entry.line, reason, shorten(lines.line(entry.line - 1)))


def _doubts_of_list(lines: Lines, entries: Sequence[Entry]) -> Iterator[Skipped]:
    """Yield the signs before titles where others have their marks, or that look like marks."""
    marked = [entry for entry in entries if _is_before_title(entry)]
    beside = {sign for entry in marked for sign in _signs(lines.text, entry)}
    bare = [(e, _signs(lines.text, e)[:1]) for e in entries if e.anatomy.mark is None]
    held = [(entry, sign) for entry, signs in bare for sign in signs if sign not in beside]
    yield from _unknown(lines, held if len(marked) > 1 else _coloured(held, len(entries)))


def _coloured(held: Held, count: int) -> Held:
    """Return the circles of a list, half of whose items, or more, have one of several colours."""
    circles = [(entry, sign) for entry, sign in held if sign in _COLOURED]
    are_marks = len({sign for _, sign in circles}) > 1 and len(circles) * 2 >= count
    return circles if are_marks else []


def _lead(text: str, entry: Entry) -> str:
    title = entry.anatomy.title
    start = entry.anatomy.own[0]
    return text[start : title[0]] if title and start < title[0] < start + 60 else ""


def _is_before_title(entry: Entry) -> bool:
    mark, title = entry.anatomy.mark, entry.anatomy.title
    return mark is not None and title is not None and mark.span[0] < title[0]


def _signs(text: str, entry: Entry) -> list[str]:
    """Return the pictorial signs before a title that are neither stars nor medals."""
    lead = _lead(text, entry)
    if lead.isascii():
        return []
    rest = STAR.sub("", MEDAL.sub("", lead))
    return [sign for sign in rest if unicodedata.category(sign) == "So"]


def _by_habit(lines: Lines, entries: Sequence[Entry]) -> Iterator[Skipped]:
    """Yield a sentence on signs for something between unread and read that no legend explains."""
    for entry in entries:
        mark = entry.anatomy.mark
        sign = lines.text[slice(*mark.span)] if mark and mark.is_begun else ""
        if _HALF_READ.search(sign):
            reason = (
                f"{sign} is taken for begun, no pass done; if it means something else, say "
                f"so: papertrack documents FILE --set 'mark.{sign}=1'."
            )
            yield _skipped(lines, entry, reason)
            return

"""Whole entries added, removed, moved: at their places, in a document's order and spacing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from papertrack.documents.markdown.model import Document, Entry, EntryFields, Section, Table
from papertrack.documents.markdown.values import Span, most_common
from papertrack.documents.markdown.write.edit_types import Add, Edit, Move, NoPlaceError
from papertrack.documents.markdown.write.numbering import Numbering
from papertrack.documents.markdown.write.order import (
    Standing,
    counts_down,
    order_of,
    position_in,
    rank_of,
    standing_of,
)
from papertrack.documents.markdown.write.patches import Patch, inserted
from papertrack.identifiers import arxiv_month, parse_arxiv_id
from papertrack.text import fold

_BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*")
_BLANK_BEFORE = re.compile(r"(?:\r\n|\n|\r)(?:\r\n|\n|\r)\Z")
_NUMBER = re.compile(r"([ \t>]*)([0-9]{1,9})([.)])")
_INDENT = re.compile(r"[ \t>]*")
_MARKER = re.compile(r"[ \t>]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]")


@dataclass(frozen=True)
class Place:
    """Where a new entry of a category goes."""

    document: Document
    section: Section
    table: Table | None
    """The table that it is a row of, if it is one."""

    @cached_property
    def neighbours(self) -> list[Entry]:
        """The entries that it will stand among, for one that is no row."""
        return _neighbours_of(self.document, self.section)

    def put(self, lines: str, fields: EntryFields, ahead: int) -> Patch:
        """Return the insertion of its lines, given without the last one's end, behind as many
        other new ones of its section."""
        standing = Standing(fields.date, fields.title)
        if self.table is not None:
            return _placed_row(self.document, self.section, self.table, lines, standing)
        return _placed_item(self, lines, standing, ahead)


def place_of(document: Document, category: tuple[str, ...], title: str = "") -> Place:
    """Return where a new entry of a category goes. Raises NoPlaceError if there is none."""
    section = _section_of(document, category, title)
    table = _table_of(document, section)
    place = Place(document, section, None)
    is_listed = table is not None and len(document.rows_of(table)) < len(place.neighbours)
    return place if is_listed else Place(document, section, table)


def date_of(fields: EntryFields) -> str | None:
    """Return the date by which a new entry is sorted: as known, else its arXiv id's month."""
    ids = (paper.id for link in fields.links if (paper := parse_arxiv_id(link.url)))
    return fields.date or next(map(arxiv_month, ids), None)


def removed(document: Document, numbering: Numbering, entry: Entry) -> list[Patch]:
    """Return the patches that take an entry out.

    Raises NoPlaceError for the last of the works that stand in one row.
    """
    if entry.is_shared and len(_beside(document, entry)) < 2:
        raise NoPlaceError("It is the last work of its row, which says more than that.")
    return [_cut(document, entry), *numbering.unneeded(entry, entry.anatomy.links, entry.span)]


def _beside(document: Document, entry: Entry) -> list[Entry]:
    """Return the works that stand in the row of one, itself included."""
    entries = document.entries_of(document.table_of(entry))
    return [other for other in entries if other.line == entry.line]


def _within_row(document: Document, entry: Entry) -> Span:
    """Return the stretch of one of several works in a cell, with what parts it from another."""
    works = _beside(document, entry)
    number = works.index(entry)
    if number + 1 < len(works):
        return entry.span[0], works[number + 1].span[0]
    return (works[number - 1] if number else entry).span[1 if number else 0], entry.span[1]


def without_entries(document: Document, indices: Sequence[int]) -> tuple[str, set[int]]:
    """Return the text without these entries, and which were cut out: not those in which another
    one is nested. Their definitions stay."""
    text, upper = document.text, len(document.text)
    done: set[int] = set()
    for index in sorted(indices, reverse=True):
        entry = document.entries[index]
        if _before_line_end(document.text, entry.span[1]) > upper:
            continue
        start, end = _cut(document, entry).span
        end = min(end, upper)  # The blank lines between two are cut out once.
        if end == len(text) < len(document.text):
            start = _start_of_last(text, start)
        text, upper = text[:start] + text[end:], start
        done.add(index)
    return text, done


def _start_of_last(text: str, start: int) -> int:
    """Return where a last line is cut: with the line end before it where the text has no last."""
    return start if text.endswith(("\n", "\r")) else _before_line_end(text, start)


def sections_entered(document: Document, edit: Edit) -> list[int]:
    """Return the index of the section that an edit puts an entry into, if it does. Raises
    NoPlaceError if there is none."""
    if not isinstance(edit, Add | Move):
        return []
    title = edit.fields.title if isinstance(edit, Add) else ""
    return [_section_of(document, edit.category, title).index]


def moved_entry(document: Document, entry: Entry, edit: Move, added: Sequence[int]) -> list[Patch]:
    """Return the patches that move an entry; its definitions stay where they are. ``added`` are
    the sections of other entries that come with it."""
    section = _section_of(document, edit.category)
    if section.index == entry.section:
        return []
    if entry.is_shared:
        raise NoPlaceError("Other works stand in the same row.")
    text = document.text[slice(*entry.span)].rstrip("\r\n")
    ahead = added.count(section.index)
    return [_cut(document, entry), _moved_into(document, section, entry, text, ahead)]


def _moved_into(document: Document, section: Section, entry: Entry, text: str, ahead: int) -> Patch:
    """Return the patch that puts an entry's text into a section that is written in its shape."""
    table = _table_of(document, section)
    if entry.shape == "row" and table is not None:
        if document.table_of(entry).columns != table.columns:
            raise NoPlaceError("The other category's table has other columns.")
        return _placed_row(document, section, table, text, standing_of(entry))
    place = Place(document, section, table)
    shapes = {other.shape for other in place.neighbours}
    if entry.shape == "row" or table is not None or shapes != {entry.shape}:
        raise NoPlaceError("The other category is written in another shape.")
    return _placed_item(place, text, standing_of(entry), ahead)


def _placed_row(
    document: Document, section: Section, table: Table, line: str, standing: Standing
) -> Patch:
    """Return the insertion of a row at its place in the table's order."""
    rows = document.rows_of(table)
    if not rows and document.entries_of(table):
        raise NoPlaceError("Each row of the table lists several works.")
    order = order_of(document, section, rows)
    index = position_in(rows, order, standing)
    if index < len(rows):
        at = rows[index].span[0]
    else:
        at = rows[-1].span[1] if rows else document.line_start(table.header_line + 2)
    return inserted(document, at, line, rank_of(order, standing))


def _neighbours_of(document: Document, section: Section) -> list[Entry]:
    """Return the entries of a section at its outer level, of the shape that most have."""
    entries = [document.entries[i] for i in section.entries]
    shape = most_common([entry.shape for entry in entries if entry.shape != "row"])
    alike = [entry for entry in entries if entry.shape == shape]
    indents = [_indent(document, entry) for entry in alike]
    outer = min(indents, default=0)  # One blank more makes no item of another one's.
    return [entry for entry, indent in zip(alike, indents, strict=True) if indent < outer + 2]


def _indent(document: Document, entry: Entry) -> int:
    match = _INDENT.match(document.text, entry.span[0])
    return len(match.group().expandtabs(4)) if match else 0


def _placed_item(place: Place, lines: str, standing: Standing, ahead: int) -> Patch:
    """Return the insertion of an item at its place, apart from its neighbours as they are."""
    document, neighbours = place.document, place.neighbours
    lines = _numbered(document, lines, neighbours, ahead)
    end = document.style.line_end
    if not neighbours:
        return inserted(document, place.section.heading_span[1], end + lines)
    index, rank = _index_and_rank(place, lines, standing, ahead)
    gap = end * _gap(document, neighbours)
    if index == 0:
        start = neighbours[0].span[0]
        gap = end if neighbours[0].shape == "heading" else gap
        return Patch((start, start), lines + end + gap, rank)
    at = _end_of_item(document, neighbours[index - 1])
    if neighbours[0].shape == "heading" and not _BLANK_BEFORE.search(document.text[:at][-4:]):
        gap = end  # What is below a heading ends with a blank line, but for the last of a file.
    return inserted(document, at, gap + lines, rank)


def _index_and_rank(place: Place, lines: str, standing: Standing, ahead: int) -> tuple[int, int]:
    """Return before which neighbour an item belongs, and where among other new ones there: those
    that are counted stand in the order of their numbers."""
    document, neighbours = place.document, place.neighbours
    if counts_down(document, neighbours):
        return 0, -ahead
    if lines[:1].isdigit() and not document.style.is_numbering_constant:
        return len(neighbours), ahead
    order = order_of(document, place.section, neighbours)
    return position_in(neighbours, order, standing), rank_of(order, standing)


def _numbered(document: Document, text: str, neighbours: Sequence[Entry], ahead: int) -> str:
    """Return a numbered item with the number that follows its section's and those of the new ones
    ``ahead`` of it, or the constant one."""
    match = _NUMBER.match(text)
    if match is None or document.style.is_numbering_constant:
        return text
    numbers = [
        int(found[2])
        for entry in neighbours
        if (found := _NUMBER.match(document.text, entry.span[0]))
    ]
    number = max(numbers, default=0) + 1 + ahead
    return f"{match[1]}{number}{match[3]}{text[match.end() :]}"


def _gap(document: Document, neighbours: Sequence[Entry]) -> int:
    """Return how many blank lines stand between neighbours, mostly."""
    gaps = []
    for first, second in pairwise(neighbours):
        between = document.text[_end_of_item(document, first) : second.span[0]]
        if not between.strip():
            gaps.append(len(between.splitlines()))
    return most_common(gaps) or 0


def _end_of_item(document: Document, entry: Entry) -> int:
    """Return where an entry ends with the entries nested under it."""
    marker = _MARKER.match(document.text, entry.span[0])
    content = len(marker.group().expandtabs(4)) if marker else _indent(document, entry) + 1
    end = entry.span[1]
    for other in document.entries[entry.index + 1 :]:
        if other.section != entry.section or _indent(document, other) < content:
            break
        end = other.span[1]
    return end


def _cut(document: Document, entry: Entry) -> Patch:
    """Return the patch that takes an entry's lines out, with the blank lines that kept it apart.

    These are those before it; those behind it for the first of a list.
    """
    if entry.is_shared:
        return Patch(_within_row(document, entry), "")
    start, end = entry.span
    if entry.shape in ("item", "numbered", "paragraph", "heading"):
        start, end = _with_blank_lines(document, entry)
    if end == len(document.text):
        start = _start_of_last(document.text, start)
    return Patch((start, end), "")


def _with_blank_lines(document: Document, entry: Entry) -> Span:
    start, end = entry.span
    neighbours = _neighbours_of(document, document.sections[entry.section])
    indices = [other.index for other in neighbours]
    if entry.index not in indices:
        return start, end
    number = indices.index(entry.index)
    if number:
        before = _end_of_item(document, neighbours[number - 1])
        if not document.text[before:start].strip():
            return before, end
    elif len(neighbours) > 1:
        after = _BLANK_LINES.match(document.text, end)
        if after and after.end() == neighbours[1].span[0]:
            return start, after.end()
    return start, end


def _before_line_end(text: str, offset: int) -> int:
    """Return an offset without the one line end before it."""
    if text.endswith("\r\n", 0, offset):
        return offset - 2
    return offset - 1 if offset and text[offset - 1] in "\r\n" else offset


def _section_of(document: Document, category: tuple[str, ...], title: str = "") -> Section:
    """Return the section of a category: one with entries or a table if several have its path, as
    where a document says everything in two languages, the one whose titles are in that of a title.

    Raises NoPlaceError if there is none.
    """
    wanted = list(map(fold, category))
    found = [section for section in document.sections if list(map(fold, section.path)) == wanted]
    if not found:
        raise NoPlaceError(f"The document has no category {'/'.join(category)}.")
    held = [section for section in found if section.entries or section.tables]
    alike = (one for one in held if _is_latin(document, one) == title.isascii())
    return next(alike, next(iter(held), found[0]))


def _is_latin(document: Document, section: Section) -> bool:
    """Whether most titles of a section have no other letters than those of English."""
    titles = [document.entries[index].fields.title for index in section.entries]
    return 2 * sum(title.isascii() for title in titles) >= len(titles)


def _table_of(document: Document, section: Section) -> Table | None:
    """Return the table that a new row of a section goes to: its largest."""
    tables = [document.tables[index] for index in section.tables]
    return max(tables, key=lambda table: table.end_row - table.header_line, default=None)

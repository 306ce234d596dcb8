"""Add, remove and move whole entries, following the order of their section.

Blank lines around them are adapted. Counters of entries (``**Papers: 123**``, ``-
[Serving](#serving) (12)``) are updated if they were correct before. Headings are not changed,
because they are names of categories.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from papertrack.documents.markdown.model import Document, Entry, EntryFields, Order, Section, Table
from papertrack.documents.markdown.values import Span, most_common
from papertrack.documents.markdown.write.definitions import Numbering
from papertrack.documents.markdown.write.edit_types import (
    Add,
    Edit,
    Move,
    NoPlaceError,
    Patch,
    inserted,
    patched,
)
from papertrack.documents.markdown.write.markup import indent_of
from papertrack.identifiers import arxiv_month
from papertrack.identifiers.derived import submitted_of
from papertrack.matching.venues import names_venue_and_year, parsed_venue, venue_year
from papertrack.text import fold, title_key

NEIGHBOURS = 60
"""How many entries around a new one show how to write it."""
_BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*")
_BLANK_BEFORE = re.compile(r"(?:\r\n|\n|\r)(?:\r\n|\n|\r)\Z")
_NUMBER = re.compile(r"([ \t>]*)([0-9]{1,9})([.)])")
_MARKER = re.compile(r"[ \t>]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]")


@dataclass(frozen=True)
class Place:
    """The place for a new entry of a category."""

    document: Document
    section: Section
    table: Table | None
    """The table for the new row; None if the new entry is an item."""

    @cached_property
    def neighbours(self) -> list[Entry]:
        """The entries of the section that are not rows, to insert an item among."""
        return _neighbours_of(self.document, self.section)

    @cached_property
    def ordered(self) -> OrderedEntries:
        """The rows of the table, or the neighbours, in order."""
        rows = self.neighbours if self.table is None else self.document.rows_of(self.table)
        return OrderedEntries(self.document, self.section, rows)

    def nearest(self, fields: EntryFields, ahead: int) -> list[Entry]:
        """Return the entries around the new one, nearest first."""
        entries, sort_key = self.ordered.entries, sort_key_of_new(fields)
        if self.table is not None:
            at = self.ordered.position_of(sort_key)
        else:
            first = self.document.text[entries[0].span[0] :][:1] if entries else ""
            at = _index_and_rank(self, first, sort_key, ahead)[0] if entries else 0
        around = range(max(at - NEIGHBOURS, 0), min(at + NEIGHBOURS, len(entries)))
        return [entries[n] for n in sorted(around, key=lambda n: abs(n + 0.6 - at))]

    def insertion(self, lines: str, sort_key: SortKey, ahead: int) -> Patch:
        """Return the patch that inserts lines, given without the last line end.

        ``ahead`` is the number of new entries that precede this one in the section.
        """
        if self.table is not None:
            return _insert_row(self, self.table, lines, sort_key)
        return _insert_item(self, lines, sort_key, ahead)


def place_of(document: Document, category: tuple[str, ...], title: str = "") -> Place:
    """Return the place for a new entry of a category.

    Raises NoPlaceError if the category does not exist.
    """
    section = _section_of(document, category, title)
    table = _table_of(document, section)
    place = Place(document, section, None)
    is_listed = table is not None and len(document.rows_of(table)) < len(place.neighbours)
    return place if is_listed else Place(document, section, table)


def sort_key_of_new(fields: EntryFields) -> SortKey:
    """Return the sort key of a new entry."""
    arxiv = next((arxiv_id for arxiv_id in fields.arxiv_ids if "/" not in arxiv_id), "")
    year = str((fields.venue and fields.year) or "")
    return SortKey(date_of(fields), fields.title, arxiv, year, fields.venue or "")


def date_of(fields: EntryFields) -> str | None:
    """Return the date by which a new entry is sorted: its own, or the month of its arXiv id."""
    return fields.date or next(map(arxiv_month, fields.arxiv_ids), None)


def removed(document: Document, numbering: Numbering, entry: Entry) -> list[Patch]:
    """Return the patches that remove an entry.

    Raises NoPlaceError for the only work in a cell for several works.
    """
    if entry.is_shared and len(_works_in_row(document, entry)) < 2:
        raise NoPlaceError("It is the last work in its row, but the row contains more than that.")
    return [_cut(document, entry), *numbering.remove_unused(entry, entry.anatomy.links, entry.span)]


def _works_in_row(document: Document, entry: Entry) -> list[Entry]:
    """Return the works in an entry's row, including the entry."""
    entries = document.entries_of(document.table_of(entry))
    return [other for other in entries if other.line == entry.line]


def without_entries(document: Document, indices: Sequence[int]) -> tuple[str, set[int]]:
    """Return the text without these entries, and the indexes of those that were removed.

    An entry is kept if an entry nested in it is removed too. Definitions stay.
    """
    text, upper = document.text, len(document.text)
    gone: set[int] = set()
    for index in sorted(indices, reverse=True):
        entry = document.entries[index]
        if _before_line_end(document.text, entry.span[1]) > upper:
            continue
        start, end = _cut(document, entry).span
        end = min(end, upper)  # Blank lines between two removed entries are removed only once.
        if end == len(text) < len(document.text) and not text.endswith(("\n", "\r")):
            start = _before_line_end(text, start)
        text, upper = text[:start] + text[end:], start
        gone.add(index)
    return text, gone


def sections_entered(document: Document, edit: Edit) -> list[int]:
    """Return the index of the section that an edit adds an entry to, if any.

    Raises NoPlaceError if the category does not exist.
    """
    if not isinstance(edit, Add | Move):
        return []
    title = edit.fields.title if isinstance(edit, Add) else ""
    return [_section_of(document, edit.category, title).index]


def moved_entry(document: Document, entry: Entry, edit: Move, added: Sequence[int]) -> list[Patch]:
    """Return the patches that move an entry. Its definitions stay where they are.

    ``added`` are the sections of other entries that are added in the same round.
    """
    section = _section_of(document, edit.category)
    if section.index == entry.section:
        return []
    if entry.is_shared:
        raise NoPlaceError("The same row contains other works.")
    text = document.text[slice(*entry.span)].rstrip("\r\n")
    table, sort_key = _table_of(document, section), sort_key_of(entry)
    place = Place(document, section, table)
    shapes = {other.shape for other in place.neighbours} - {"row"}
    if entry.shape == "row" and table is not None:
        if document.table_of(entry).columns != table.columns:
            raise NoPlaceError("The table of the other category has other columns.")
    elif table is not None or shapes != {entry.shape}:
        raise NoPlaceError("The entries of the other category have another form.")
    return [_cut(document, entry), place.insertion(text, sort_key, added.count(section.index))]


def _insert_row(place: Place, table: Table, line: str, sort_key: SortKey) -> Patch:
    """Return the patch that inserts a row at its place in the order of the table."""
    document, ordered = place.document, place.ordered
    rows = ordered.entries
    if not rows and document.entries_of(table):
        raise NoPlaceError("Each row of the table lists several works.")
    index = ordered.position_of(sort_key)
    if index < len(rows):
        at = rows[index].span[0]
    else:
        at = rows[-1].span[1] if rows else document.line_start(table.header_line + 2)
    return inserted(document, at, line, rank_of(ordered.order, sort_key))


def _neighbours_of(document: Document, section: Section) -> list[Entry]:
    """Return the entries of a section with its most common shape, except nested ones."""
    entries = [document.entries[i] for i in section.entries]
    shape = most_common([entry.shape for entry in entries if entry.shape != "row"])
    alike = [entry for entry in entries if entry.shape == shape]
    indents = [indent_of(document.text, entry.span[0]) for entry in alike]
    outer = min(indents, default=0)  # A single further blank does not nest an item.
    return [entry for entry, indent in zip(alike, indents, strict=True) if indent < outer + 2]


def _insert_item(place: Place, lines: str, sort_key: SortKey, ahead: int) -> Patch:
    """Return the patch that inserts an item, with blank lines as between its neighbours."""
    document, neighbours = place.document, place.neighbours
    lines = _numbered(document, lines, neighbours, ahead)
    end = document.style.line_end
    if not neighbours:
        return inserted(document, place.section.heading_span[1], end + lines)
    index, rank = _index_and_rank(place, lines, sort_key, ahead)
    gap = end * _gap(document, neighbours)
    if index == 0:
        start = neighbours[0].span[0]
        gap = end if neighbours[0].shape == "heading" else gap
        return Patch((start, start), lines + end + gap, rank)
    at = _end_of_item(document, neighbours[index - 1])
    if neighbours[0].shape == "heading" and not _BLANK_BEFORE.search(document.text[:at][-4:]):
        gap = end  # At the end of the file, the blank line before a heading is missing.
    return inserted(document, at, gap + lines, rank)


def _index_and_rank(place: Place, lines: str, sort_key: SortKey, ahead: int) -> tuple[int, int]:
    """Return the index of the neighbour before which an item goes, and its rank there.

    The rank orders the new items at one place. In numbered lists, it follows their numbers.
    """
    document, neighbours = place.document, place.neighbours
    if counts_down(document, neighbours):
        return 0, -ahead
    if lines[:1].isdigit() and not document.style.is_numbering_constant:
        return len(neighbours), ahead
    return place.ordered.position_of(sort_key), rank_of(place.ordered.order, sort_key)


def _numbered(document: Document, text: str, neighbours: Sequence[Entry], ahead: int) -> str:
    """Return a numbered item with the next number of its section.

    ``ahead`` new items precede it. If all numbers in the document are 1, it keeps its number.
    """
    match = _NUMBER.match(text)
    if match is None or document.style.is_numbering_constant:
        return text
    matches = (_NUMBER.match(document.text, entry.span[0]) for entry in neighbours)
    numbers = [int(other[2]) for other in matches if other]
    number = max(numbers, default=0) + 1 + ahead
    return f"{match[1]}{number}{match[3]}{text[match.end() :]}"


def _gap(document: Document, neighbours: Sequence[Entry]) -> int:
    """Return the usual number of blank lines between neighbours."""
    if neighbours[0].shape == "html_row":  # A blank line would end the HTML block.
        return 0
    pairs = ((_end_of_item(document, item), other.span[0]) for item, other in pairwise(neighbours))
    gaps = (document.text[slice(*pair)] for pair in pairs)
    return most_common([len(gap.splitlines()) for gap in gaps if not gap.strip()]) or 0


def _end_of_item(document: Document, entry: Entry) -> int:
    """Return where an entry ends, including entries nested below it."""
    marker = _MARKER.match(document.text, entry.span[0])
    shift = indent_of(document.text, entry.span[0]) + 1
    content = len(marker.group().expandtabs(4)) if marker else shift
    end = entry.span[1]
    for other in document.entries[entry.index + 1 :]:
        if other.section != entry.section or indent_of(document.text, other.span[0]) < content:
            break
        end = other.span[1]
    return end


def _cut(document: Document, entry: Entry) -> Patch:
    """Return the patch that removes an entry's lines, and the blank lines around it.

    These are the blank lines before it, or after it for the first entry of a list. If the document
    does not end with a line end, the one before its last entry is removed instead.
    """
    text, (start, end) = document.text, entry.span
    if entry.is_shared:  # One of several works in a cell is removed together with its separator.
        works_in_row = _works_in_row(document, entry)
        number = works_in_row.index(entry)
        if number + 1 < len(works_in_row):
            return Patch((start, works_in_row[number + 1].span[0]), "")
        return Patch((works_in_row[number - 1].span[1] if number else start, end), "")
    if entry.shape in ("item", "numbered", "paragraph", "heading", "details"):
        start, end = _with_blank_lines(document, entry)
    elif entry.shape == "html_row" and text[end : end + 1] in ("\r", "\n"):
        number = document.line_of(start) - 1
        if not text[document.line_start(number) : start].strip():
            start, end = document.line_start(number), document.line_start(document.line_of(end))
    if end == len(text) and not text.endswith(("\n", "\r")):
        start = _before_line_end(text, start)
    return Patch((start, end), "")


def _with_blank_lines(document: Document, entry: Entry) -> Span:
    """Return an entry's span with the blank lines before it, or after it if it is the first."""
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
    """Return an offset without one line end directly before it."""
    if text.endswith("\r\n", 0, offset):
        return offset - 2
    return offset - 1 if offset and text[offset - 1] in "\r\n" else offset


def _section_of(document: Document, category: tuple[str, ...], title: str = "") -> Section:
    """Return the section of a category.

    Of several sections with its path, one with entries or a table is chosen; in a bilingual
    document, the one in the language of ``title``. Raises NoPlaceError if there is none.
    """
    wanted = list(map(fold, category))
    matching = [section for section in document.sections if list(map(fold, section.path)) == wanted]
    if not matching:
        raise NoPlaceError(f"The document has no category {'/'.join(category)}.")
    filled = [section for section in matching if section.entries or section.tables]
    alike = (candidate for candidate in filled if _is_latin(document, candidate) == title.isascii())
    return next(alike, next(iter(filled), matching[0]))


def _is_latin(document: Document, section: Section) -> bool:
    """Return whether most titles of a section are in ASCII letters."""
    titles = [document.entries[index].fields.title for index in section.entries]
    return 2 * sum(title.isascii() for title in titles) >= len(titles)


def _table_of(document: Document, section: Section) -> Table | None:
    """Return the table for new rows of a section, its largest one, or None."""
    tables = [document.tables[index] for index in section.tables]
    return max(tables, key=lambda table: table.end_row - table.header_line, default=None)


_ENOUGH_TITLES = 5
_COUNTED = re.compile(r"[ \t>]*(?:[-+*][ \t]+)?\W{0,4}(?P<number>[0-9]{1,4})(?![0-9])\W")


def _find_order(sort_keys: Sequence[SortKey]) -> Order:
    """Return the order of entries with these sort keys, by date or else by year of the venue.

    All steps from one entry to the next must have this direction, or most of many steps.
    """
    if (by_date := _direction([sort_key.by_date for sort_key in sort_keys])) != "none":
        return by_date
    return _direction([sort_key.by_year for sort_key in sort_keys])


def _direction(keys: Sequence[_Key | None]) -> Order:
    """Return the direction of most steps between these keys."""
    present = [key for key in keys if key]
    steps = Counter(_compare(second, first) for first, second in pairwise(present))
    most, fewest = max(steps[1], steps[-1]), min(steps[1], steps[-1])
    if most < 2 or (fewest and (most + fewest < 4 or most < 2 * fewest)):
        return "none"
    return "ascending" if steps[1] > steps[-1] else "descending"


def _compare(left: _Key, right: _Key) -> int:
    """Return 1 if the first key is later, -1 if it is earlier, 0 if that is unknown."""
    precision = min(len(left[0]), len(right[0]))
    first, second = left[0][:precision], right[0][:precision]
    if first == second and left[1] and right[1] and left[1][:4] == right[1][:4]:
        first, second = left[1], right[1]
    return (first > second) - (first < second)


_Key = tuple[str, str]
"""A date or a year, and an arXiv id, which orders entries within a year."""


class SortKey(NamedTuple):
    """What an entry is sorted by."""

    date: str | None
    title: str
    arxiv: str = ""
    """Its arXiv id, if it has the form used since 2007."""
    year: str = ""
    """The year of its venue."""
    venue: str = ""

    @property
    def by_date(self) -> _Key | None:
        """Its date and arXiv id, or None."""
        return (self.date, self.arxiv) if self.date else None

    @property
    def by_year(self) -> _Key | None:
        """The year of its venue, in the same form, or None."""
        return (self.year, "") if self.year else None


def sort_key_of(entry: Entry) -> SortKey:
    """Return the sort key of an existing entry."""
    ids = (identifier.value for identifier in entry.identifiers if identifier.scheme == "arxiv")
    arxiv = next((identifier for identifier in ids if "/" not in identifier), "")
    date = entry.fields.date or submitted_of(entry.identifiers, None)
    year = venue_year(entry.fields.venue or "")
    return SortKey(date, entry.fields.title, arxiv, str(year or ""), entry.fields.venue or "")


@dataclass(frozen=True)
class OrderedEntries:
    """The entries of a section, among which a new one is inserted."""

    document: Document
    section: Section
    entries: Sequence[Entry]

    @cached_property
    def order(self) -> Order:
        """Their order by date. A section that is too short to show one has the document's."""
        orders, section = dict(self.document.style.orders), self.section
        section_order = orders.get(section.path, "none")
        if section_order == "none" and "order" not in self.document.settings:
            section_order = _find_order(self._keys)
        if section_order != "none" or len(section.entries) > 2:
            return section_order
        known_orders: list[Order] = [order for order in orders.values() if order != "none"]
        return most_common(known_orders) or "none"

    @cached_property
    def _titles(self) -> list[str]:
        """Their titles, if the entries are sorted by title; else empty."""
        keys = [title_key(entry.fields.title) for entry in self.entries]
        return keys if len(set(keys)) >= _ENOUGH_TITLES and keys == sorted(keys) else []

    @cached_property
    def _keys(self) -> list[SortKey]:
        return list(map(sort_key_of, self.entries))

    @cached_property
    def _is_by_venue(self) -> bool:
        """Whether only the years of their venues show the order."""
        return self.order != "none" and _direction([k.by_date for k in self._keys]) != self.order

    def position_of(self, sort_key: SortKey) -> int:
        """Return the index at which to insert an entry.

        Among entries of the same month, it goes to the end if dates are ascending, and to the start
        if they are descending. If years of venues show the order, it goes to the entries of its
        venue. Without an order or a date, it goes to the end.
        """
        if self._titles:
            return bisect_right(self._titles, title_key(sort_key.title))
        keys, key = [item.by_date for item in self._keys], sort_key.by_date
        rises, count = self.order == "ascending", len(self.entries)
        if sort_key.year and self._is_by_venue:
            keys, key = [item.by_year for item in self._keys], sort_key.by_year
            if same := _same_venue(self._keys, sort_key):
                return same[-1] + 1 if rises else same[0]
        if self.order == "none" or key is None:
            return count
        older = [n for n, other in enumerate(keys) if other and _compare(other, key) <= 0]
        if rises:
            return older[-1] + 1 if older else 0
        return older[0] if older else count


def _same_venue(keys: Sequence[SortKey], sort_key: SortKey) -> list[int]:
    """Return the indexes of the entries with the same venue and year as another one.

    Empty unless most entries of a venue are together in the list.
    """
    venues = [key.venue for key in keys if key.venue]
    follow = sum(first == second for first, second in pairwise(venues))
    if 2 * follow < len(venues) or not sort_key.venue:
        return []
    year = int(sort_key.year) if sort_key.year else None
    name = parsed_venue(sort_key.venue)[0] or sort_key.venue
    same = [n for n, o in enumerate(keys) if o.venue and names_venue_and_year(o.venue, name, year)]
    return same if len(same) > 1 else []


def counts_down(document: Document, entries: Sequence[Entry]) -> bool:
    """Return whether entries are numbered in descending order: ``[12]``, ``[11]``, …"""
    matches = [_COUNTED.match(document.text, *entry.span) for entry in entries]
    numbers = [int(match["number"]) for match in matches if match]
    falls = all(first > second for first, second in pairwise(numbers))
    return len(numbers) > 2 and len(numbers) == len(entries) and falls


def rank_of(order: Order, sort_key: SortKey) -> int:
    """Return the rank of an entry among insertions at one place."""
    date = sort_key.date
    if order == "none" or date is None:
        return 0
    number = int((date.replace("-", "") + "0000")[:8])
    return number if order == "ascending" else -number


_FEWEST = 5
"""A smaller counter may be correct by accident."""
_TOTAL = re.compile(
    r"^(?:[-+*>][ \t]+)?\W{0,4}[^\W\d_][\w ]{1,30}[:：]\W{0,4}(?P<labelled>[0-9]{1,6})\W{0,4}$"
    r"|(?<![\w.,-])(?P<counted>[0-9]{1,6})(?=\s?(?:papers|works|entries|articles|resources|篇))"
    r"|\btotal\b\W{1,6}(?P<total>[0-9]{1,6})(?![\w.,/-])"
    r"|/badge/[^-/\s)]{2,30}-(?P<badge>[0-9]{1,6})(?=-)",
    re.IGNORECASE,
)
_CONTENTS = re.compile(
    r"^[ \t]*(?:[-+*]|[0-9]+[.)])[ \t]+\[(?P<name>[^\[\]]+)\]\(#[^()]*\)"
    r"\W{1,4}(?P<section>[0-9]+)\W*$"
)


def with_true_counters(before: Document, after: Document) -> str:
    """Return the text of ``after``, with the counters updated that were correct in ``before``."""
    if len(before.entries) == len(after.entries) and _sizes(before) == _sizes(after):
        return after.text
    correct = {
        key
        for key, (span, count) in _counters(before).items()
        if int(before.text[slice(*span)]) == count and (count >= _FEWEST or key[0])
    }
    counters = _counters(after).items()
    patches = [Patch(span, str(count)) for key, (span, count) in counters if key in correct]
    return patched(after.text, patches) if patches else after.text


def _sizes(document: Document) -> Counter[str]:
    """Return how many entries each section has, including its subsections."""
    sizes: Counter[str] = Counter()
    for entry in document.entries:
        sizes.update({fold(part) for part in entry.category})
    return sizes


def _counters(document: Document) -> dict[tuple[str, str, int], tuple[Span, int]]:
    """Return the numbers that look like counters, with their spans and the correct counts.

    Numbers in entries and headings are ignored. The key is the counted section, or "" for the
    document, the line around the number, and which one it is among equal ones.
    """
    sizes, entry_lines = _sizes(document), set[int]()
    for entry in document.entries:
        last = document.line_of(max(entry.span[1] - 1, entry.span[0]))
        entry_lines.update(range(entry.line - 1, last))
    seen: Counter[tuple[str, str]] = Counter()
    counters = {}
    for number, start in enumerate(document.starts):
        line = document.line(number)
        matches = (*_CONTENTS.finditer(line), *_TOTAL.finditer(line))
        for match in () if number in entry_lines or line.startswith("#") else matches:
            first, end = match.span(match.lastgroup or 0)
            section = fold(match["name"]) if match.lastgroup == "section" else ""
            name = section, line[:first] + line[end:]
            seen[name] += 1
            count = sizes[section] if section else len(document.entries)
            counters[(*name, seen[name])] = (start + first, start + end), count
    return counters

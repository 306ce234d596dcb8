"""Pipe tables: their columns, and an entry from each row that names a thing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from papertrack.documents.markdown.marks.registry import cell_reader
from papertrack.documents.markdown.model import (
    Anatomy,
    Column,
    Definition,
    Entry,
    EntryFields,
    Field,
    PlacedLink,
    Table,
)
from papertrack.documents.markdown.read.blocks import Block, Lines
from papertrack.documents.markdown.read.columns import column_roles, content_span, split_row
from papertrack.documents.markdown.read.inline import scan_inline
from papertrack.documents.markdown.read.naming import (
    base_key,
    inner_span,
    kind_of,
    own_identifiers,
    place_links,
    plain,
    text_identifiers,
    titled_role,
)
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.values import (
    Span,
    find_date,
    find_rating,
    medal_tags,
)
from papertrack.records import Identifier, Kind, Link

_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_PICTURE = re.compile(
    r"!\[[^\[\]]{0,500}\](?:\([^()\s]{0,2000}\)|\[[^\[\]]{0,500}\])|<img [^>]{0,2000}>"
)
_SEPARATOR = re.compile(r"[,;、，；]\s*|\s/\s|<br\s*/?>")
_ONE_TO_FIVE = re.compile(r"[1-5]")
_LIST_ROLES = ("paper", "passes", "rating", "code", "date")
_PLACES: dict[str, Field] = {
    "title": "title",
    "paper": "paper",
    "passes": "passes",
    "rating": "rating",
    "date": "date",
    "code": "code",
    "note": "note",
    "author": "author",
}


def read_table(
    lines: Lines, block: Block, index: int, section: int, chosen_roles: Mapping[str, str]
) -> Table:
    """Return a table's columns and extent; ``chosen_roles`` is as for ``column_roles``."""
    rows = [_cells(lines, number) for number in range(block.first, block.end)]
    texts = [[lines.text[slice(*cell)] for cell in row] for row in rows]
    return Table(
        index=index,
        section=section,
        span=lines.span(block.first, block.end),
        header_line=block.first,
        end_row=block.end,
        columns=column_roles(texts[0], texts[2:], chosen_roles),
        is_aligned=_is_aligned(texts),
    )


def _cells(lines: Lines, number: int) -> tuple[Span, ...]:
    return split_row(lines.text, lines.starts[number], lines.ends[number])


def _is_aligned(texts: Sequence[Sequence[str]]) -> bool:
    """Whether most rows pad their first cells to the width of the delimiter row's."""
    if len(texts) < 4:
        return False
    widths = [len(cell) for cell in texts[1][:-1]]
    equal = sum([len(cell) for cell in row[: len(widths)]] == widths for row in texts[2:])
    return max(widths, default=0) > 5 and equal * 2 > len(texts) - 2


def read_rows(
    lines: Lines,
    table: Table,
    category: tuple[str, ...],
    definitions: Mapping[str, Definition],
    *,
    marks_mean_read: bool,
) -> list[Entry]:
    """Return the entries of a table; none if it is no list of things (settings, a legend)."""
    entries = []
    reader = _RowReader(lines, table, category, definitions, marks_mean_read)
    for number in range(table.header_line + 2, table.end_row):
        entry = reader.read(number)
        if entry is not None:
            entries.append(entry)
    roles = {column.role for column in table.columns}
    has_links = any(entry.anatomy.links for entry in entries)
    if has_links or ("title" in roles and roles.intersection(_LIST_ROLES)):
        return entries
    return []


class _RowReader:
    """What all rows of a table share."""

    def __init__(
        self,
        lines: Lines,
        table: Table,
        category: tuple[str, ...],
        definitions: Mapping[str, Definition],
        marks_mean_read: bool,
    ) -> None:
        self.lines = lines
        self.text = lines.text
        self.table = table
        self.category = category
        self.definitions = definitions
        self.roles = [column.role for column in table.columns]
        if not marks_mean_read:
            self.roles = ["other" if role == "passes" else role for role in self.roles]
        self.paper_columns = [i for i, role in enumerate(self.roles) if role == "paper"]
        self.is_blog_table = "author" in self.roles and not self.paper_columns
        self.find_mark = cell_reader(self.reading_cells())
        self.places = self.find_places()

    def reading_cells(self) -> list[str]:
        if "passes" not in self.roles:
            return []
        column = self.roles.index("passes")
        numbers = range(self.table.header_line + 2, self.table.end_row)
        rows = (_cells(self.lines, number) for number in numbers)
        return [self.text[slice(*row[column])] for row in rows if column < len(row)]

    def find_places(self) -> frozenset[Field]:
        places: set[Field] = {_PLACES[role] for role in self.roles if role in _PLACES}
        return frozenset(places | {"title", "paper", "move"})

    def read(self, number: int) -> Entry | None:
        cells = _cells(self.lines, number)
        links = [link for i, cell in enumerate(cells) for link in self.cell_links(i, cell)]
        title, title_link = self.find_title(cells, links)
        if title is None and not links:
            return None
        shown = self.text[slice(*title)].replace("\\|", "|") if title else links[0].label
        name = plain(shown)  # A table unescapes its pipes first, even those in code spans.
        row_end = self.lines.ends[number]
        row_span = (self.lines.starts[number], self.lines.after(number))
        written = text_identifiers(self.text, (row_span[0], row_end), links)
        identifiers, related = own_identifiers(title_link, [*links, *written], self.paper_columns)
        kind = kind_of(identifiers, title_link, links, is_blog_table=self.is_blog_table)
        kind = "paper" if not links and kind == "resource" else kind
        if title_link is not None and title_link.role != "author":
            role = titled_role(title_link, kind)
            links = [replace(link, role=role) if link is title_link else link for link in links]
        anatomy = self.anatomy(cells, title, tuple(links), row_span[0], row_end)
        key_url = title_link.url if title_link else ""
        return Entry(
            index=-1,
            span=row_span,
            line=number + 1,
            shape="row",
            section=self.table.section,
            category=self.category,
            fields=self.fields(cells, anatomy, name, kind, related),
            identifiers=identifiers,
            key=base_key(identifiers, name, key_url),
            places=self.places,
            anatomy=anatomy,
        )

    def cell_links(self, number: int, cell: Span) -> list[PlacedLink]:
        segment = self.text[slice(*cell)]
        if "[" not in segment and "<" not in segment and "://" not in segment:
            return []
        inline = scan_inline(self.text, *cell, self.definitions)
        role = self.roles[number] if number < len(self.roles) else "other"
        return place_links(self.text, inline, role, number)

    def find_title(
        self, cells: Sequence[Span], links: Sequence[PlacedLink]
    ) -> tuple[Span | None, PlacedLink | None]:
        """Return the title's span and, if it is one, its link."""
        number = self.title_column(cells, links)
        if number is None or number >= len(cells):
            return None, None
        for link in links:
            if link.column == number and not link.is_badge and not role_word(link.label):
                return inner_span(self.text, link.label_span), link
        start, end = cells[number]
        stops = [match.start() for match in _BREAK.finditer(self.text, start, end)]
        stops += [match.start() for match in _PICTURE.finditer(self.text, start, end)]
        stops += [link.span[0] for link in links if link.column == number]
        stops = [stop for stop in stops if self.text[start:stop].strip(" \t*_[(")]
        span = inner_span(self.text, (start, min(stops, default=end)))
        return (span, None) if span[0] < span[1] else (None, None)

    def title_column(self, cells: Sequence[Span], links: Sequence[PlacedLink]) -> int | None:
        """The title's column; without one, the cell of the first link that is no mere role word,
        then the first cell with words."""
        if "title" in self.roles:
            return self.roles.index("title")
        for link in links:
            if link.role != "author" and not link.is_badge and not role_word(link.label):
                return link.column
        for number, cell in enumerate(cells):
            if self.roles[number] in ("other", "description") and self.text[slice(*cell)].strip():
                return number
        return None

    def anatomy(
        self,
        cells: tuple[Span, ...],
        title: Span | None,
        links: tuple[PlacedLink, ...],
        start: int,
        end: int,
    ) -> Anatomy:
        date = rating = mark = None
        if (cell := self.cell(cells, "date")) and (found := find_date(self.text, *cell)):
            date = (found.start, found.end)
        if (cell := self.cell(cells, "rating")) and cell[0] < cell[1]:
            stars = find_rating(self.text, *cell)
            if stars:
                rating = stars[1:]
            elif _ONE_TO_FIVE.fullmatch(self.text, *cell):
                rating = cell
        if cell := self.cell(cells, "passes"):
            mark = self.find_mark(self.text, cell)
        return Anatomy((start, end), title, date, mark, rating, links, cells, self.table.index)

    def cell(self, cells: Sequence[Span], role: str) -> Span | None:
        """Return the content of the row's cell in the column with this role."""
        if role not in self.roles:
            return None
        number = self.roles.index(role)
        return content_span(self.text, cells[number]) if number < len(cells) else None

    def fields(
        self,
        cells: Sequence[Span],
        anatomy: Anatomy,
        name: str,
        kind: Kind,
        related: tuple[Identifier, ...],
    ) -> EntryFields:
        text = self.text
        passes = anatomy.mark.passes if anatomy.mark else None
        if passes is None and "passes" in self.roles:
            mark_cell = self.cell(cells, "passes")
            passes = 0 if mark_cell is None or mark_cell[0] == mark_cell[1] else None
        rating = None
        if anatomy.rating:
            stars = find_rating(text, *anatomy.rating)
            rating = stars[0] if stars else int(text[slice(*anatomy.rating)])
        date = find_date(text, *anatomy.date) if anatomy.date else None
        return EntryFields(
            title=name,
            title_markup=text[slice(*anatomy.title)] if anatomy.title else None,
            kind=kind,
            passes=passes,
            read_at=anatomy.mark.read_at if anatomy.mark else None,
            rating=rating,
            date=date.iso if date else None,
            links=plain_links(anatomy.links),
            tags=(*self.listed(cells, "tags"), *medal_tags(text[slice(*anatomy.own)])),
            description=self.words(cells, anatomy.links, ("description", "note")),
            authors=tuple(name.lstrip("@") for name in self.listed(cells, "author")),
            venue=self.words(cells, anatomy.links, ("venue",)),
            related=related,
        )

    def listed(self, cells: Sequence[Span], role: str) -> tuple[str, ...]:
        """Return the parts of a cell that holds several names, plain."""
        cell = self.cell(cells, role)
        if cell is None:
            return ()
        parts = (plain(part) for part in _SEPARATOR.split(self.text[slice(*cell)]))
        return tuple(part for part in parts if part)

    def words(
        self, cells: Sequence[Span], links: Sequence[PlacedLink], roles: Sequence[str]
    ) -> str | None:
        """Return the text of the first of these columns that is more than links."""
        for role in roles:
            cell = self.cell(cells, role)
            if cell is None:
                continue
            rest, position = "", cell[0]
            for link in links:
                if cell[0] <= link.span[0] < cell[1]:
                    rest += self.text[position : link.span[0]]
                    position = link.span[1]
            rest += self.text[position : cell[1]]
            if plain(rest).strip(" ,;|/"):
                return plain(self.text[slice(*cell)])
        return None


def plain_links(links: Sequence[PlacedLink]) -> tuple[Link, ...]:
    """Return links as records, each address once: the first stands."""
    found: dict[str, Link] = {}
    for link in links:
        if link.url:
            found.setdefault(link.url, Link(link.role, link.url, link.label or None))
    return tuple(found.values())


def roles_of(columns: Sequence[Column]) -> tuple[tuple[str, str], ...]:
    """Return (header, role) of each column."""
    return tuple((column.header, column.role) for column in columns)

"""Pipe tables: their columns, and an entry from each row that names a thing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from papertrack.documents.markdown.marks.kind import Mark
from papertrack.documents.markdown.marks.registry import cell_reader
from papertrack.documents.markdown.model import Entry, Field, PlacedLink, Table, Unit
from papertrack.documents.markdown.read.blocks import Block, Context, Lines
from papertrack.documents.markdown.read.columns import column_roles, content_span, split_row
from papertrack.documents.markdown.read.inline import inner_span, plain
from papertrack.documents.markdown.read.naming import Naming, named_entry, text_identifiers
from papertrack.documents.markdown.roles import links_in, role_word
from papertrack.documents.markdown.values import FoundDate, Span, find_date, find_rating, medal_tags

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


@dataclass(frozen=True, slots=True)
class TableText:
    """A table's rows, each cut into cells: the header, the delimiter row, and those below."""

    lines: Lines
    block: Block
    rows: tuple[tuple[Span, ...], ...]

    @classmethod
    def of(cls, lines: Lines, block: Block) -> TableText:
        """Return the table of a block."""
        numbers = range(block.first, block.end)
        ends = ((lines.starts[number], lines.ends[number]) for number in numbers)
        return cls(lines, block, tuple(split_row(lines.text, *span) for span in ends))

    def shown(self, row: Sequence[Span]) -> list[str]:
        """Return a row's cells as they are written."""
        return [self.lines.text[slice(*cell)] for cell in row]

    def column(self, number: int) -> list[str]:
        """Return the cells of a column below the header; short rows have none."""
        held = [row[number] for row in self.rows[2:] if number < len(row)]
        return self.shown(held)


def read_table(
    table: TableText, index: int, section: int, chosen_roles: Mapping[str, str]
) -> Table:
    """Return a table's columns and extent; ``chosen_roles`` is as for ``column_roles``."""
    texts = [table.shown(row) for row in table.rows]
    return Table(
        index=index,
        section=section,
        span=table.lines.span(table.block.first, table.block.end),
        header_line=table.block.first,
        end_row=table.block.end,
        columns=column_roles(texts[0], texts[2:], chosen_roles),
        is_aligned=_is_aligned(texts),
    )


def _is_aligned(texts: Sequence[Sequence[str]]) -> bool:
    """Whether most rows pad their first cells to the width of the delimiter row's."""
    if len(texts) < 4:
        return False
    widths = [len(cell) for cell in texts[1][:-1]]
    equal = sum([len(cell) for cell in row[: len(widths)]] == widths for row in texts[2:])
    return max(widths, default=0) > 5 and equal * 2 > len(texts) - 2


def read_rows(context: Context, text: TableText, table: Table) -> list[Entry]:
    """Return the entries of a table; none if it is no list of things (settings, a legend)."""
    roles = [column.role for column in table.columns]
    if not context.marks_mean_read:
        roles = ["other" if role == "passes" else role for role in roles]
    entries = _RowReader(context, text, table, roles).read_all(text.rows[2:])
    is_list = any(entry.anatomy.links for entry in entries) or _has_list_columns(table)
    return entries if is_list else []


def _has_list_columns(table: Table) -> bool:
    """Whether a table has a column of titles and another that a list of papers has."""
    roles = {column.role for column in table.columns}
    return "title" in roles and not roles.isdisjoint(_LIST_ROLES)


class _RowReader:
    """What all rows of a table share."""

    def __init__(
        self,
        context: Context,
        table_text: TableText,
        table: Table,
        roles: list[str],
    ) -> None:
        self.context = context
        self.lines = context.lines
        self.text = context.text
        self.table = table
        self.roles = roles
        self.column_of = {role: number for number, role in reversed([*enumerate(roles)])}
        self.paper_columns = [i for i, role in enumerate(roles) if role == "paper"]
        self.is_blog_table = "author" in roles and not self.paper_columns
        marks = self.column_of.get("passes")
        self.find_mark = cell_reader([] if marks is None else table_text.column(marks))
        places: set[Field] = {_PLACES[role] for role in roles if role in _PLACES}
        places.update(("title", "paper", "move"))
        self.places = frozenset(places)

    def read_all(self, rows: Sequence[tuple[Span, ...]]) -> list[Entry]:
        """Return the entries of the table's rows."""
        numbered = enumerate(rows, start=self.table.header_line + 2)
        found = (self.read(number, cells) for number, cells in numbered)
        return [entry for entry in found if entry is not None]

    def read(self, number: int, cells: tuple[Span, ...]) -> Entry | None:
        """Return the entry of a line; None if it names nothing."""
        links = [link for i, cell in enumerate(cells) for link in self.cell_links(i, cell)]
        title, title_link = self.find_title(cells, links)
        if title is None and not links:
            return None
        span = (self.lines.starts[number], self.lines.after(number))
        own = (span[0], self.lines.ends[number])
        naming = Naming(
            name=self.name_of(title, links),
            title=title_link,
            links=links,
            written=text_identifiers(self.text, own, links),
            paper_columns=self.paper_columns,
            is_paper=not links and not self.is_blog_table,
            is_blog_table=self.is_blog_table,
        )
        row = _Row(self, cells, links)
        return named_entry(
            self.context,
            row.unit(own, title),
            naming,
            shape="row",
            span=span,
            passes=row.passes_without_mark(),
            places=self.places,
            table=self.table,
            cells=cells,
        )

    def name_of(self, title: Span | None, links: Sequence[PlacedLink]) -> str:
        """Return a title as plain text. A table unescapes its pipes first, even in code spans."""
        return plain(self.text[slice(*title)].replace("\\|", "|") if title else links[0].label)

    def cell_links(self, number: int, cell: Span) -> list[PlacedLink]:
        """Return the links of a cell with their roles."""
        segment = self.text[slice(*cell)]
        if "[" not in segment and "<" not in segment and "://" not in segment:
            return []
        role = self.roles[number] if number < len(self.roles) else "other"
        return links_in(self.context, cell, role, number)

    def find_title(
        self, cells: Sequence[Span], links: Sequence[PlacedLink]
    ) -> tuple[Span | None, PlacedLink | None]:
        """Return the title's span and, if it is one, its link."""
        number = self.title_column(cells, links)
        if number is None or number >= len(cells):
            return None, None
        held = [link for link in links if link.column == number]
        for link in held:
            if not link.is_badge and not role_word(link.label):
                return inner_span(self.text, link.label_span), link
        span = inner_span(self.text, self.words_of(cells[number], held))
        return (span, None) if span[0] < span[1] else (None, None)

    def words_of(self, cell: Span, links: Sequence[PlacedLink]) -> Span:
        """Return a cell's words up to the first line break, picture or link behind them."""
        start, end = cell
        stops = [match.start() for match in _BREAK.finditer(self.text, start, end)]
        stops += [match.start() for match in _PICTURE.finditer(self.text, start, end)]
        stops += [link.span[0] for link in links]
        behind = [stop for stop in stops if self.text[start:stop].strip(" \t*_[(")]
        return start, min(behind, default=end)

    def title_column(self, cells: Sequence[Span], links: Sequence[PlacedLink]) -> int | None:
        """The title's column; without one, the cell of the first link that is no mere role word,
        then the first cell with words."""
        if "title" in self.column_of:
            return self.column_of["title"]
        for link in links:
            if link.role != "author" and not link.is_badge and not role_word(link.label):
                return link.column
        for number, cell in enumerate(cells):
            if self.roles[number] in ("other", "description") and self.text[slice(*cell)].strip():
                return number
        return None


@dataclass(frozen=True, slots=True)
class _Row:
    """The cells of one row, asked for by the roles of their columns."""

    reader: _RowReader
    cells: Sequence[Span]
    links: Sequence[PlacedLink]

    def unit(self, own: Span, title: Span | None) -> Unit:
        """Return what the row says."""
        text = self.reader.text
        date, rating = self.date(), self.rating()
        return Unit(
            span=own,
            title=title,
            mark=self.mark(),
            rating=rating[0] if rating else None,
            rating_span=rating[1:] if rating else None,
            date=date.iso if date else None,
            date_span=(date.start, date.end) if date else None,
            tags=(*self.listed("tags"), *medal_tags(text[slice(*own)])),
            venue=self.words("venue"),
            description=self.words("description") or self.words("note"),
            authors=tuple(name.lstrip("@") for name in self.listed("author")),
        )

    def cell(self, role: str) -> Span | None:
        """Return the content of the row's cell in the column with this role."""
        number = self.reader.column_of.get(role)
        if number is None or number >= len(self.cells):
            return None
        return content_span(self.reader.text, self.cells[number])

    def date(self) -> FoundDate | None:
        cell = self.cell("date")
        return find_date(self.reader.text, *cell) if cell else None

    def rating(self) -> tuple[int, int, int] | None:
        """Return (rating, start, end) of stars, of a score, or of a bare number from 1 to 5."""
        cell = self.cell("rating")
        if cell is None:
            return None
        stars = find_rating(self.reader.text, *cell)
        if stars is None and _ONE_TO_FIVE.fullmatch(self.reader.text, *cell):
            return int(self.reader.text[slice(*cell)]), *cell
        return stars

    def mark(self) -> Mark | None:
        cell = self.cell("passes")
        return self.reader.find_mark(self.reader.text, cell) if cell else None

    def passes_without_mark(self) -> int | None:
        """Return 0 for an empty place for a mark, None for one that holds something else."""
        if "passes" not in self.reader.column_of:
            return None
        cell = self.cell("passes")
        return 0 if cell is None or cell[0] == cell[1] else None

    def listed(self, role: str) -> tuple[str, ...]:
        """Return the parts of a cell that holds several names, plain."""
        cell = self.cell(role)
        if cell is None:
            return ()
        parts = (plain(part) for part in _SEPARATOR.split(self.reader.text[slice(*cell)]))
        return tuple(part for part in parts if part)

    def words(self, role: str) -> str | None:
        """Return the text of a cell that is more than links."""
        cell, text = self.cell(role), self.reader.text
        if cell is None:
            return None
        rest, position = "", cell[0]
        for link in self.links:
            if cell[0] <= link.span[0] < cell[1]:
                rest += text[position : link.span[0]]
                position = link.span[1]
        rest += text[position : cell[1]]
        return plain(text[slice(*cell)]) if plain(rest).strip(" ,;|/") else None

"""Pipe tables: their columns, and an entry from each row that names a thing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from papertrack.documents.markdown.model import (
    Anatomy,
    Entry,
    EntryFields,
    Field,
    PlacedLink,
    Table,
    Unit,
)
from papertrack.documents.markdown.read.blocks import Block, Context
from papertrack.documents.markdown.read.columns import ROLES, column_roles, content_span, split_row
from papertrack.documents.markdown.read.inline import inner_span, links_in, plain
from papertrack.documents.markdown.read.naming import Naming, named_entry, text_identifiers
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.values import Span, find_date, find_rating, medal_tags

_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_PICTURE = re.compile(
    r"!\[[^\[\]]{0,500}\](?:\([^()\s]{0,2000}\)|\[[^\[\]]{0,500}\])|<img [^>]{0,2000}>"
)
_SEPARATOR = re.compile(r"[,;、，；]\s*|\s/\s|<br\s*/?>")
_ONE_TO_FIVE = re.compile(r"[1-5]")
_LIST_ROLES = ("paper", "passes", "rating", "code", "date")
"""What a list of papers has a column for, besides that of titles."""
_PLACES: frozenset[Field] = frozenset(
    ("title", "paper", "passes", "rating", "date", "code", "note", "author")
)
"""The roles of columns that are places for a field."""
_PLACES_OF_ALL: frozenset[Field] = frozenset(("title", "paper", "move"))
"""What every row has a place for."""


def read_table(
    context: Context, block: Block, index: int, section: int, chosen_roles: Mapping[str, str]
) -> tuple[Table, list[Entry]]:
    """Return a table and its entries; none if it is no list of things (settings, a legend).

    ``chosen_roles`` is as for ``column_roles``.
    """
    numbers = range(block.first, block.end)
    rows = [split_row(context.text, *context.line_span(number)) for number in numbers]
    texts = [[context.text[slice(*cell)] for cell in row] for row in rows]
    table = Table(
        index=index,
        section=section,
        span=context.span(block.first, block.end),
        header_line=block.first,
        end_row=block.end,
        columns=column_roles(texts[0], texts[2:], chosen_roles),
        is_aligned=_is_aligned(texts),
    )
    reader = _RowReader(context, table, texts[2:])
    found = (reader.read(number, row) for number, row in enumerate(rows[2:], start=block.first + 2))
    entries = list(filter(None, found))
    roles = {column.role for column in table.columns}
    has_list_columns = "title" in roles and not roles.isdisjoint(_LIST_ROLES)
    is_list = has_list_columns or any(entry.anatomy.links for entry in entries)
    return table, entries if is_list else []


def _is_aligned(texts: Sequence[Sequence[str]]) -> bool:
    """Whether most rows pad their first cells to the width of the delimiter row's."""
    if len(texts) < 4:
        return False
    widths = list(map(len, texts[1][:-1]))
    equal = sum(list(map(len, row[: len(widths)])) == widths for row in texts[2:])
    return max(widths, default=0) > 5 and equal * 2 > len(texts) - 2


class _RowReader:
    """What all rows of a table share."""

    def __init__(self, context: Context, table: Table, texts: Sequence[Sequence[str]]) -> None:
        """``texts`` are the cells of the rows below the header; short rows have fewer."""
        self.context = context
        self.text = context.text
        self.table = table
        ignored = "" if context.marks.mean_read else "passes"
        roles = ["other" if one.role == ignored else one.role for one in table.columns]
        self.roles = roles
        self.column_of = {role: number for number, role in reversed([*enumerate(roles)])}
        self.paper_columns = [i for i, role in enumerate(roles) if role == "paper"]
        self.is_blog_table = "author" in roles and not self.paper_columns
        marks = self.column_of.get("passes", len(roles))
        held = [row[marks] for row in texts if marks < len(row)]
        self.find_mark = context.marks.cell_reader(held)
        self.places = _PLACES.intersection(roles) | _PLACES_OF_ALL

    def read(self, number: int, cells: tuple[Span, ...]) -> Entry | None:
        """Return the entry of a line; None if it names nothing."""
        links: list[PlacedLink] = []
        for column, (cell, role) in enumerate(zip(cells, self.roles, strict=False)):
            links += links_in(self.context, cell, role, column)
        title, title_link = self.find_title(cells, links)
        if title is None and not links:
            return None
        span = self.context.span(number, number + 1)
        own = self.context.line_span(number)
        naming = Naming(
            # A table unescapes its pipes first, even in code spans.
            name=plain(self.text[slice(*title)].replace("\\|", "|") if title else links[0].label),
            title=title_link,
            links=links,
            written=text_identifiers(self.text, own, links),
            paper_columns=self.paper_columns,
            is_paper=not links and not self.is_blog_table,
            is_blog_table=self.is_blog_table,
        )
        unit = self.unit(own, title, cells, links)
        return named_entry(self.context, unit, naming, shape="row", span=span, places=self.places)

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
        stops = [link.span[0] for link in links]
        for pattern in (_BREAK, _PICTURE):
            stops += [match.start() for match in pattern.finditer(self.text, start, end)]
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

    def unit(
        self, own: Span, title: Span | None, cells: Sequence[Span], links: Sequence[PlacedLink]
    ) -> Unit:
        """Return what a row says, cell by cell."""
        text = self.text
        held = dict.fromkeys(ROLES, (0, 0))  # A cell that is not there says what an empty one does.
        for role, number in self.column_of.items():
            if number < len(cells):
                held[role] = content_span(text, cells[number])
        date = find_date(text, *held["date"])
        rating, rating_span = self.rating(held["rating"])
        start, end = held["passes"]
        mark = self.find_mark(text, (start, end))
        # An empty place for a mark says that there was no pass; what is no mark says nothing.
        passes = 0 if "passes" in self.column_of and start == end else None
        fields = EntryFields(
            passes=mark.passes if mark else passes,
            read_at=mark.read_at if mark else None,
            rating=rating,
            date=date.iso if date else None,
            tags=(*self.listed(held["tags"]), *medal_tags(text[slice(*own)])),
            venue=self.words(held["venue"], links),
            description=self.words(held["description"], links) or self.words(held["note"], links),
            authors=tuple(name.lstrip("@") for name in self.listed(held["author"])),
        )
        return Unit(
            fields,
            Anatomy(
                own=own,
                title=title,
                date=date.span if date else None,
                mark=mark,
                rating=rating_span,
                cells=tuple(cells),
                table=self.table.index,
            ),
        )

    def rating(self, cell: Span) -> tuple[int, Span] | tuple[None, None]:
        """Return stars, a score, or a bare number from 1 to 5, and where it stands."""
        if _ONE_TO_FIVE.fullmatch(self.text, *cell):
            return int(self.text[slice(*cell)]), cell
        return find_rating(self.text, *cell) or (None, None)

    def listed(self, cell: Span) -> list[str]:
        """Return the parts of a cell that holds several names, plain."""
        return list(filter(None, map(plain, _SEPARATOR.split(self.text[slice(*cell)]))))

    def words(self, cell: Span, links: Sequence[PlacedLink]) -> str | None:
        """Return the text of a cell that is more than links."""
        rest, position = "", cell[0]
        for link in links:
            if cell[0] <= link.span[0] < cell[1]:
                rest += self.text[position : link.span[0]]
                position = link.span[1]
        rest += self.text[position : cell[1]]
        return plain(self.text[slice(*cell)]) if plain(rest).strip(" ,;|/") else None

"""Read pipe tables: split rows into cells, and read an entry from each row."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from papertrack.documents.markdown.grammar.cells import (
    Cell,
    TitleCell,
    Work,
    first_said,
    parts_of_cells,
    read_title_cell,
    works_column,
    works_in,
)
from papertrack.documents.markdown.grammar.columns import (
    SAMPLE,
    TableGrammar,
    learn_table,
    title_piece,
)
from papertrack.documents.markdown.grammar.likeness import (
    is_pen_name,
    people_in,
    title_likeness,
    venue_likeness,
)
from papertrack.documents.markdown.grammar.looks import is_date
from papertrack.documents.markdown.grammar.titles import title_within
from papertrack.documents.markdown.headers import PASS_ROLES, ROLES
from papertrack.documents.markdown.marks.kind import CellReader, Mark
from papertrack.documents.markdown.model import (
    Anatomy,
    Entry,
    EntryFields,
    Field,
    Part,
    PassCell,
    PlacedLink,
    Table,
    Unit,
)
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.read.naming import Naming, named_entry
from papertrack.documents.markdown.read.written import id_in_cell, written_ids
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.syntax import Block, plain, walk
from papertrack.documents.markdown.values import (
    Span,
    blanked,
    find_date,
    find_rating,
    medal_tags,
    of_scale,
    stripped,
)
from papertrack.identifiers import parse_arxiv_id
from papertrack.text import fold

_PIPE = re.compile(r"(?<!\\)\|")


def split_row(text: str, start: int, end: int) -> tuple[Span, ...]:
    r"""Return the span of each cell of a row, padding included, without the outer pipes.

    As in GFM, ``\\|`` never ends a cell, not even in a code span, and every other pipe does.
    ``start`` is where the row starts, after the marks of a quote or list item.
    """
    start = end - len(text[start:end].lstrip(" \t>"))
    if not text.startswith("|", start, end):
        start -= 1  # The edge before the first cell, in place of a pipe.
    edges = [start, *(match.start() for match in _PIPE.finditer(text, start + 1, end))]
    cells = [(edge + 1, pipe) for edge, pipe in pairwise(edges)]
    if text[edges[-1] + 1 : end].strip():
        cells.append((edges[-1] + 1, end))
    return tuple(cells)


def content_span(text: str, cell: Span) -> Span:
    """Return a cell's span without its padding; an empty cell gives an empty span inside it."""
    return stripped(text, cell, " \t")


def learn_tables(
    context: Context, blocks: Sequence[Block], chosen: Mapping[str, str]
) -> dict[int, TableGrammar]:
    """Return the grammar of each table, by the line of its header.

    ``chosen`` are the reader's settings for columns: folded header → role.
    """
    alike: dict[tuple[str, ...], list[Block]] = defaultdict(list)
    for block in walk(blocks):
        if block.kind == "table":
            header = split_row(context.text, *context.line_span(block.first))
            alike[tuple(fold(context.text[slice(*cell)]) for cell in header)].append(block)
    learnt: dict[int, TableGrammar] = {}
    for tables in alike.values():
        grammar = _learn(context, tables, chosen)
        learnt |= {block.first: grammar for block in tables}
    return learnt


def _learn(context: Context, tables: Sequence[Block], chosen: Mapping[str, str]) -> TableGrammar:
    """Return the grammar of tables with the same headers."""
    lines = [number for block in tables for number in range(block.first + 2, block.end)]
    step = -(-len(lines) // SAMPLE) or 1
    rows = [_row(context, number) for number in lines[::step]]
    header = split_row(context.text, *context.line_span(tables[0].first))
    headers = [context.text[slice(*cell)] for cell in header]
    grammar = learn_table(headers, rows, chosen)
    return replace(grammar, works=works_column(grammar.columns, rows))


def _row(context: Context, number: int) -> list[Cell]:
    """Return the cells of a sample row."""
    return [Cell(context, cell) for cell in split_row(context.text, *context.line_span(number))]


_SEPARATOR = re.compile(r"[,;、，；]\s*|\s/\s|<br\s*/?>")
_STYLED = ("bold", "italic", "code")
_LONGEST_VENUE = 40
_SURE_VENUE = 0.7
_NUMBER = re.compile(r"[0-9]{1,2}")
_OF_TEN = re.compile(r"(?:[6-9]|10)(?:\.[0-9])?(?:[ ]?/[ ]?10)?|[0-9](?:\.[0-9])?[ ]?/[ ]?10")
_WORDED = ("venue", "description", "note")
"""Roles of columns whose text is taken unchanged."""
_LIST_ROLES = ("paper", "passes", *PASS_ROLES, "rating", "code", "date")
"""Columns that show that a table with titles is a list of papers."""
_PLACES: frozenset[Field] = frozenset(
    ("title", "paper", "passes", "rating", "date", "code", "note", "author")
)
"""Column roles that are places for a field."""
_PLACES_OF_ALL: frozenset[Field] = frozenset(("title", "paper", "move"))
"""The places that every row has."""


def read_table(
    context: Context, block: Block, index: int, section: int, grammar: TableGrammar
) -> tuple[Table | None, list[Entry]]:
    """Return a table and its entries.

    A table that is not a list, such as settings or a legend, has no entries. It is not returned
    either if no header mentions titles.
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
        columns=grammar.columns,
        is_aligned=_is_aligned(texts),
    )
    reader = _RowReader(context, table, grammar, texts[2:])
    lists = (reader.read(number, row) for number, row in enumerate(rows[2:], start=block.first + 2))
    entries = list(chain.from_iterable(lists))
    if _is_list(grammar, entries):
        return table, entries
    return (table if "title" in grammar.said else None), []


def _is_list(grammar: TableGrammar, entries: Sequence[Entry]) -> bool:
    """Return whether a table lists works, by its headers or by a link or id in it."""
    of_passes = {column.role for column in grammar.columns}.intersection(PASS_ROLES)
    has_columns = "title" in grammar.said and not (grammar.said | of_passes).isdisjoint(_LIST_ROLES)
    return has_columns or any(entry.anatomy.links or entry.identifiers for entry in entries)


def _is_aligned(texts: Sequence[Sequence[str]]) -> bool:
    """Return whether most rows pad their first cells to the width of the delimiter row's."""
    if len(texts) < 4:
        return False
    widths = list(map(len, texts[1][:-1]))
    equal = sum(list(map(len, row[: len(widths)])) == widths for row in texts[2:])
    return max(widths, default=0) > 5 and equal * 2 > len(texts) - 2


def _names_thing(link: PlacedLink) -> bool:
    """Return whether a link's label may be a title."""
    return not link.is_badge and role_word(link.label) is None


class _RowReader:
    """Reads the rows of one table."""

    def __init__(
        self,
        context: Context,
        table: Table,
        grammar: TableGrammar,
        texts: Sequence[Sequence[str]],
    ) -> None:
        """``texts`` are the cells of the rows below the header; short rows have fewer."""
        self.context = context
        self.text = context.text
        self.table = table
        self.title_kind, self.works = grammar.title_kind, grammar.works
        ignored = "" if context.marks.mean_read else "passes"
        roles = ["other" if column.role == ignored else column.role for column in table.columns]
        self.roles = roles
        self.column_of = {role: number for number, role in reversed([*enumerate(roles)])}
        self.paper_columns = [i for i, role in enumerate(roles) if role == "paper"]
        self.is_blog_table = "author" in roles and not self.paper_columns
        self.find_mark = context.marks.cell_reader(self.cells_of("passes", texts))
        self.says_authors = "author" in grammar.said
        scores = self.cells_of("rating", texts)
        self.best_score = 10 if any(map(_OF_TEN.fullmatch, scores)) else 5
        self.pass_readers = self.readers_of_passes(texts) if context.marks.mean_read else []
        self.places = _PLACES.intersection(roles) | _PLACES_OF_ALL
        if self.pass_readers:
            self.places |= {"passes"}

    def cells_of(self, role: str, texts: Sequence[Sequence[str]]) -> list[str]:
        """Return the texts of a role's column."""
        at = self.column_of.get(role)
        return [] if at is None else [row[at].strip() for row in texts if at < len(row)]

    def readers_of_passes(
        self, texts: Sequence[Sequence[str]]
    ) -> list[tuple[int, int, CellReader]]:
        """Return pass, column and reader of each column for a single pass."""
        columns = [
            (number, self.column_of[role])
            for number, role in enumerate(PASS_ROLES, start=1)
            if role in self.column_of
        ]
        cells = [row[column] for _, column in columns for row in texts if column < len(row)]
        reader = self.context.marks.cell_reader(cells)
        return [(number, column, reader) for number, column in columns]

    def pass_cells(self, cells: Sequence[Cell]) -> tuple[PassCell, ...]:
        """Return the cells of a row in columns for a single pass."""
        pass_cells = []
        for number, column, reader in self.pass_readers:
            span = content_span(self.text, cells[column].span) if column < len(cells) else (0, 0)
            mark = reader(self.text, span) if span[0] < span[1] else None
            pass_cells.append(PassCell(number, column, mark))
        return tuple(pass_cells)

    def read(self, number: int, spans: tuple[Span, ...]) -> list[Entry]:
        """Return the entry of a row, or one for each work that a cell lists."""
        cells = [
            Cell(self.context, span, role, column)
            for column, (span, role) in enumerate(zip(spans, self.roles, strict=False))
        ]
        if works := self.works_in(cells):
            return list(map(self.shared, works))
        entry = self.whole(number, cells)
        return [entry] if entry else []

    def works_in(self, cells: Sequence[Cell]) -> list[Work]:
        """Return the works in a cell of several, or a single one if other rows list several."""
        listed, title = self.works, self.column_of.get("title", len(cells))
        if listed is not None and listed < len(cells):
            return works_in(cells[listed])
        if title >= len(cells) or len(cells[title].links) < 2:
            return []
        works = works_in(cells[title])
        return works if len(works) > 1 else []

    def shared(self, work: Work) -> Entry:
        """Return the entry of one of the works in a cell."""
        is_named = parse_arxiv_id(work.piece.text) is None and "://" not in work.piece.text
        naming = Naming(name=work.piece.text, title=work.piece.link, links=work.links)
        anatomy = Anatomy(
            own=work.span,
            title=work.piece.span if is_named else None,
            table=self.table.index,
        )
        return named_entry(
            self.context,
            Unit(EntryFields(), anatomy),
            naming,
            shape="row",
            span=work.span,
            places=frozenset(("title",)),
        )

    def whole(self, number: int, cells: Sequence[Cell]) -> Entry | None:
        """Return the entry of a whole row; None if it names no work."""
        links = [link for cell in cells for link in cell.links]
        head = self.find_title(cells, links)
        if (head.title is None and not links) or self.names_group(cells, head):
            return None
        span = self.context.span(number, number + 1)
        own = self.context.line_span(number)
        title = head.title
        naming = Naming(
            # GFM unescapes pipes in tables first, even in code spans.
            name=plain(self.text[slice(*title)].replace("\\|", "|") if title else links[0].label),
            title=head.link,
            links=links,
            written=[*written_ids(self.text, own, links), *self.ids_in(cells)],
            paper_columns=self.paper_columns,
            is_paper=not links and not self.is_blog_table,
            is_blog_table=self.is_blog_table,
        )
        unit = self.unit(own, cells, head)
        return named_entry(self.context, unit, naming, shape="row", span=span, places=self.places)

    def ids_in(self, cells: Sequence[Cell]) -> list[PlacedLink]:
        """Return the arXiv ids that fill cells, as links."""
        return list(filter(None, (id_in_cell(self.text, cell.span) for cell in cells)))

    def names_group(self, cells: Sequence[Cell], head: TitleCell) -> bool:
        """Return whether a row names the group of rows below it.

        It has one text, which is short and styled differently from the titles.
        """
        filled = [cell for cell in cells if cell.is_filled]
        if len(filled) != 1 or filled[0].links or len(cells) < 2:
            return False
        is_apart = head.kind in _STYLED and head.kind != self.title_kind
        return is_apart and title_likeness(plain(self.text[slice(*(head.title or (0, 0)))])) < 0.7

    def find_title(self, cells: Sequence[Cell], links: Sequence[PlacedLink]) -> TitleCell:
        """Return the title of a row and the other parts of its cell."""
        number = self.title_column(cells, links)
        if number is None or number >= len(cells):
            return TitleCell()
        cell = cells[number]
        if piece := title_piece(cell.pieces, self.title_kind):
            return read_title_cell(self.text, cell, piece, number)
        link = next(filter(_names_thing, cell.links), None)
        return TitleCell(number, title_within(self.text, link.label_span) if link else None, link)

    def title_column(self, cells: Sequence[Cell], links: Sequence[PlacedLink]) -> int | None:
        """Return the title's column.

        Without one, it is the cell of the first link that is not only a role word, then the first
        cell with words.
        """
        if "title" in self.column_of:
            return self.column_of["title"]
        linked = (link.column for link in links if link.role != "author" and _names_thing(link))
        return next(linked, self.first_words(cells))

    def first_words(self, cells: Sequence[Cell]) -> int | None:
        """Return the first cell with words in a column of unknown content."""
        roles = zip(self.roles, cells, strict=False)
        worded = (role in ("other", "description") and bool(cell.text) for role, cell in roles)
        return next((number for number, has_words in enumerate(worded) if has_words), None)

    def unit(self, own: Span, cells: Sequence[Cell], head: TitleCell) -> Unit:
        """Return the unit of a row, read cell by cell."""
        text = self.text
        spans = self.spans(cells)
        venue = spans["venue"]
        dated = venue if is_date(text[slice(*venue)]) else (0, 0)  # A year alone is not a venue.
        date = find_date(text, *spans["date"]) or head.date(text) or find_date(text, *dated)
        rating, rating_span = self.rating(spans["rating"])
        mark = self.find_mark(text, spans["passes"]) if "passes" in self.column_of else None
        pass_cells = self.pass_cells(cells)
        done = [one for one in pass_cells if one.mark and one.mark.passes]
        marked = [one for one in (mark, *(cell.mark for cell in reversed(done))) if one]
        parts = (*head.parts, *parts_of_cells(self.roles, cells, head.column))
        anatomy = Anatomy(
            own=own,
            title=head.title,
            date=date.span if date else None,
            mark=mark,
            pass_cells=pass_cells,
            rating=rating_span,
            cells=tuple(cell.span for cell in cells),
            table=self.table.index,
            parts=parts,
        )
        fields = EntryFields(
            passes=self.passes_of(mark, done, spans["passes"]),
            read_at=next((one.read_at for one in marked if one.read_at), None),
            rating=rating,
            date=date.iso if date else None,
            tags=(*self.listed(spans["tags"]), *head.tags(text), *medal_tags(text[slice(*own)])),
            authors=self.authors(parts),
        )
        return Unit(self.with_words(fields, cells, spans, parts), anatomy)

    def spans(self, cells: Sequence[Cell]) -> dict[str, Span]:
        """Return the content span of each role's column in a row."""
        spans = dict.fromkeys(ROLES, (0, 0))  # A missing cell counts as an empty one.
        for role, number in self.column_of.items():
            if number < len(cells):
                spans[role] = content_span(self.text, cells[number].span)
        return spans

    def passes_of(self, mark: Mark | None, done: Sequence[PassCell], cell: Span) -> int | None:
        """Return the number of passes that a row shows.

        An empty place for a mark means 0. A text that is not a mark gives None.
        """
        if self.pass_readers:
            return max((pass_cell.number for pass_cell in done), default=0)
        if mark:
            return mark.passes
        return 0 if "passes" in self.column_of and cell[0] == cell[1] else None

    def with_words(
        self,
        fields: EntryFields,
        cells: Sequence[Cell],
        spans: Mapping[str, Span],
        parts: Sequence[Part],
    ) -> EntryFields:
        """Return the fields with the texts of the columns of words."""
        words = {role: self.words(cells, role) for role in _WORDED}
        if is_date(words["venue"] or ""):
            words["venue"] = None
        return replace(
            fields,
            venue=words["venue"]
            or self.beside_year(spans["date"])
            or first_said(self.text, parts, "venue"),
            description=words["description"] or words["note"],
        )

    def beside_year(self, cell: Span) -> str | None:
        """Return a venue from the cell of the year: ``ICML 2013``."""
        text = self.text[slice(*cell)]
        is_bare = is_date(text) or len(text) > _LONGEST_VENUE
        return None if is_bare or venue_likeness(text) < _SURE_VENUE else plain(text)

    def authors(self, parts: Sequence[Part]) -> tuple[str, ...]:
        """Return the people that a row names, without organisations and projects."""
        texts = [plain(self.text[slice(*part.span)]) for part in parts if part.role == "authors"]
        is_sure = self.says_authors and not self.is_blog_table
        names = tuple(chain.from_iterable(people_in(text, is_sure=is_sure) for text in texts))
        if names or not self.is_blog_table:
            return names
        return tuple(text.lstrip("@") for text in texts if is_pen_name(text))

    def rating(self, cell: Span) -> tuple[int, Span] | tuple[None, None]:
        """Return stars, a score, or a bare number from 1 to 5, and its span."""
        if _NUMBER.fullmatch(self.text, *cell):
            rating = of_scale(int(self.text[slice(*cell)]), self.best_score)
            return (rating, cell) if rating else (None, None)
        return find_rating(self.text, *cell) or (None, None)

    def listed(self, cell: Span) -> list[str]:
        """Return the texts in a cell of several names, without markup."""
        return list(filter(None, map(plain, _SEPARATOR.split(self.text[slice(*cell)]))))

    def words(self, cells: Sequence[Cell], role: str) -> str | None:
        """Return the text of a role's cell without the pictures beside it.

        None if the cell has only links or signs for an empty cell.
        """
        at = self.column_of.get(role, len(cells))
        if at >= len(cells):
            return None
        span, inline = cells[at].span, cells[at].inline
        links = [link.span for link in cells[at].links]
        for pictures in ([*inline.pictures] if inline else [], []):
            if any(map(str.isalnum, plain(blanked(self.text, span, links + pictures)))):
                return plain(blanked(self.text, span, pictures))
        return None

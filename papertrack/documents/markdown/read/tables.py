"""Read tables: split rows into cells, and read an entry from each row.

First come pipe tables, then rows and items in HTML.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from papertrack.documents.markdown.grammar.cells import (
    Cell,
    TitleCell,
    Work,
    first_text,
    parts_of_cells,
    read_title_cell,
    with_cells,
    works_column,
    works_in,
)
from papertrack.documents.markdown.grammar.columns import (
    SAMPLE,
    TableGrammar,
    column_roles,
    learn_table,
    title_piece,
)
from papertrack.documents.markdown.grammar.likeness import (
    is_date,
    is_pen_name,
    people_in,
    title_likeness,
    venue_likeness,
)
from papertrack.documents.markdown.grammar.titles import title_within
from papertrack.documents.markdown.headers import PASS_ROLES, ROLES
from papertrack.documents.markdown.link_labels import names_work
from papertrack.documents.markdown.marks.kind import CellReader, Mark, MarkKind
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
from papertrack.documents.markdown.read import lists
from papertrack.documents.markdown.read.bare_identifiers import id_in_cell, written_ids
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.read.entry_builder import EntryEvidence, entry_from_evidence
from papertrack.documents.markdown.syntax import Block, plain, walk
from papertrack.documents.markdown.values import (
    Span,
    blanked,
    find_date,
    find_rating,
    medal_tags,
    most_common,
    of_scale,
    stripped,
)
from papertrack.identifiers import parse_arxiv_id
from papertrack.text import fold

_PIPE = re.compile(r"(?<!\\)\|")


def split_row(text: str, start: int, end: int) -> tuple[Span, ...]:
    r"""Return the span of each cell of a row, including padding, without the outer pipes.

    As in GFM, ``\|`` never ends a cell, and any other pipe does, even in a code span. ``start`` is
    after the marks of a quote or a list item.
    """
    start = end - len(text[start:end].lstrip(" \t>"))
    if not text.startswith("|", start, end):
        start -= 1  # Without an outer pipe, the first cell starts here.
    edges = [start, *(match.start() for match in _PIPE.finditer(text, start + 1, end))]
    cells = [(edge + 1, pipe) for edge, pipe in pairwise(edges)]
    if text[edges[-1] + 1 : end].strip():
        cells.append((edges[-1] + 1, end))
    return tuple(cells)


def content_span(text: str, cell: Span) -> Span:
    """Return a cell's span without padding. For an empty cell, it is an empty span inside it."""
    return stripped(text, cell, " \t")


def learn_tables(
    context: Context, blocks: Sequence[Block], chosen: Mapping[str, str]
) -> dict[int, TableGrammar]:
    """Learn the grammar of each table. Returns it by the line of the table's header.

    ``chosen`` are the user's settings for columns: folded header → role.
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
    """Learn the grammar of tables with the same headers."""
    lines = [number for block in tables for number in range(block.first + 2, block.end)]
    step = -(-len(lines) // SAMPLE) or 1
    spans = [split_row(context.text, *context.line_span(number)) for number in lines[::step]]
    rows = [[Cell(context, cell) for cell in row] for row in spans]
    header = split_row(context.text, *context.line_span(tables[0].first))
    headers = [context.text[slice(*cell)] for cell in header]
    grammar = learn_table(headers, rows, chosen)
    # Titles in emphasis or links are already separate from authors.
    has_authors = grammar.title_kind == "plain" and _are_mixed(context, _titles_of(grammar, rows))
    return replace(grammar, works_at=works_column(grammar.columns, rows), has_authors=has_authors)


def _titles_of(grammar: TableGrammar, rows: Sequence[Sequence[Cell]]) -> list[Cell]:
    """Return the cells of the title column."""
    at = next((n for n, column in enumerate(grammar.columns) if column.role == "title"), None)
    return [row[at] for row in rows if at is not None and at < len(row)]


def _are_mixed(context: Context, titles: Sequence[Cell]) -> bool:
    """Return whether most title cells also name the authors, in plain text."""
    read = (lists.read_unit(context, cell.span) for cell in titles if _is_unstyled(cell))
    return sum(bool(u.anatomy.title and u.fields.authors) for u in read) * 2 > len(titles)


def _is_unstyled(cell: Cell) -> bool:
    """Return whether a cell has only plain text and links."""
    return {piece.kind for piece in cell.pieces} <= {"plain", "link"}


_SEPARATOR = re.compile(r"[,;、，；]\s*|\s/\s|<br\s*/?>")
_STYLED = ("bold", "italic", "code")
_LONGEST_VENUE = 40
_SURE_VENUE = 0.7
_NUMBER = re.compile(r"[0-9]{1,2}")
_OF_TEN = re.compile(r"(?:[6-9]|10)(?:\.[0-9])?(?:[ ]?/[ ]?10)?|[0-9](?:\.[0-9])?[ ]?/[ ]?10")
_WORDED = ("venue", "description", "note")
"""Roles of columns whose text is used unchanged."""
_LIST_ROLES = ("paper", "venue", "passes", *PASS_ROLES, "rating", "code", "date")
"""Columns which show that a table with titles is a list of papers."""
_PLACES: frozenset[Field] = frozenset(
    ("title", "paper", "passes", "rating", "date", "code", "note", "author")
)
"""Column roles that are places for a field."""
_PLACES_OF_ALL: frozenset[Field] = frozenset(("title", "paper", "move"))
"""The fields that every row has a place for."""


def read_table(
    context: Context, block: Block, index: int, section: int, grammar: TableGrammar
) -> tuple[Table | None, list[Entry]]:
    """Return a table and its entries.

    A table that is not a list of works, such as settings or a legend, has no entries. Unless one of
    its headers is for titles, None is returned for it.
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
    return (table if "title" in grammar.roles else None), []


def _is_list(grammar: TableGrammar, entries: Sequence[Entry]) -> bool:
    """Return whether a table lists works, by its headers or by a link or an id in it."""
    learnt = {column.role for column in grammar.columns}.intersection((*PASS_ROLES, "venue"))
    has_columns = "title" in grammar.roles and not (grammar.roles | learnt).isdisjoint(_LIST_ROLES)
    return has_columns or any(entry.anatomy.links or entry.identifiers for entry in entries)


def _is_aligned(texts: Sequence[Sequence[str]]) -> bool:
    """Return whether most rows are padded to the widths of the delimiter row."""
    if len(texts) < 4:
        return False
    widths = list(map(len, texts[1][:-1]))
    equal = sum(list(map(len, row[: len(widths)])) == widths for row in texts[2:])
    return max(widths, default=0) > 5 and equal * 2 > len(texts) - 2


class _RowReader:
    """Reads the rows of one table."""

    def __init__(
        self, context: Context, table: Table, grammar: TableGrammar, texts: Sequence[Sequence[str]]
    ) -> None:
        """``texts`` are the cells of the rows below the header. Short rows have fewer cells."""
        self.context = context
        self.text = context.text
        self.table = table
        self.grammar = grammar
        means_read = context.marks.mean_read
        ignored = ("passes", *PASS_ROLES) if not means_read else ()
        roles = ["other" if column.role in ignored else column.role for column in table.columns]
        self.roles = roles
        self.column_of = {role: number for number, role in reversed([*enumerate(roles)])}
        self.paper_columns = [i for i, role in enumerate(roles) if role == "paper"]
        self.is_blog_table = "author" in roles and not self.paper_columns
        self.has_author_header = "author" in grammar.roles
        cells = {
            role: [row[at].strip() for row in texts if at < len(row)]
            for role, at in self.column_of.items()
        }
        self.find_mark = context.marks.cell_reader(cells.get("passes", ()))
        is_of_ten = any(map(_OF_TEN.fullmatch, cells.get("rating", ())))
        self.best_score = 10 if is_of_ten else 5
        passes = [role for role in PASS_ROLES if role in cells]
        self.pass_columns = [(PASS_ROLES.index(role) + 1, self.column_of[role]) for role in passes]
        """The passes and their columns, in a table with one column per pass."""
        self.find_pass = context.marks.cell_reader(text for role in passes for text in cells[role])
        self.places = _PLACES.intersection(roles) | _PLACES_OF_ALL
        if self.pass_columns:
            self.places |= {"passes"}

    def read(self, number: int, spans: tuple[Span, ...]) -> list[Entry]:
        """Return the entry of a row, or an entry for each work that one of its cells lists."""
        cells = [
            Cell(self.context, span, role, column)
            for column, (span, role) in enumerate(zip(spans, self.roles, strict=False))
        ]
        if works := self.works_in(cells):
            return list(map(self.entry_of_work, works))
        entry = self.entry_of_row(number, cells)
        return [entry] if entry else []

    def works_in(self, cells: Sequence[Cell]) -> list[Work]:
        """Return the works that a cell lists. A single work counts if other rows list several."""
        listed, title = self.grammar.works_at, self.column_of.get("title", len(cells))
        if listed is not None and listed < len(cells):
            return works_in(cells[listed])
        if title >= len(cells) or len(cells[title].links) < 2:
            return []
        works = works_in(cells[title])
        return works if len(works) > 1 else []

    def entry_of_work(self, work: Work) -> Entry:
        """Return the entry of one of several works in a cell."""
        is_named = parse_arxiv_id(work.piece.text) is None and "://" not in work.piece.text
        evidence = EntryEvidence(name=work.piece.text, title=work.piece.link, links=work.links)
        anatomy = Anatomy(
            body=work.span, title=work.piece.span if is_named else None, table=self.table.index
        )
        return entry_from_evidence(
            self.context,
            Unit(EntryFields(), anatomy),
            evidence,
            shape="row",
            span=work.span,
            places=frozenset(("title",)),
        )

    def entry_of_row(self, number: int, cells: Sequence[Cell]) -> Entry | None:
        """Return the entry of a whole row; None if it names no work."""
        links = [link for cell in cells for link in cell.links]
        head = self.find_title(cells, links)
        if (head.title is None and not links) or self.names_group(cells, head):
            return None
        line, title = self.context.line_span(number), head.title
        ids = filter(None, (id_in_cell(self.text, cell.span) for cell in cells))
        evidence = EntryEvidence(
            # GFM unescapes pipes in tables first, even in code spans.
            name=plain(self.text[slice(*title)].replace("\\|", "|") if title else links[0].label),
            title=head.link,
            links=links,
            written=[*written_ids(self.text, line, links), *ids],
            paper_columns=self.paper_columns,
            is_paper=not links and not self.is_blog_table,
            is_blog_table=self.is_blog_table,
        )
        return entry_from_evidence(
            self.context,
            self.unit(line, cells, head),
            evidence,
            shape="row",
            span=self.context.span(number, number + 1),
            places=self.places,
        )

    def names_group(self, cells: Sequence[Cell], head: TitleCell) -> bool:
        """Return whether a row is a heading for the rows below it.

        Only one of its cells has a text, which is short and styled differently from titles.
        """
        filled = [cell for cell in cells if cell.is_filled]
        if len(filled) != 1 or filled[0].links or len(cells) < 2:
            return False
        is_apart = head.kind in _STYLED and head.kind != self.grammar.title_kind
        return is_apart and title_likeness(plain(self.text[slice(*(head.title or (0, 0)))])) < 0.7

    def find_title(self, cells: Sequence[Cell], links: Sequence[PlacedLink]) -> TitleCell:
        """Return the title of a row, and the other parts of its cell."""
        # Links that may be the title are no badges, and their labels name no role.
        labelled = [link for link in links if not link.is_badge and names_work(link.label)]
        number = self.column_of.get("title", self.first_named(cells, labelled))
        if number is None or number >= len(cells):
            return TitleCell()
        if self.grammar.has_authors and _is_unstyled(cells[number]):
            unit = lists.read_unit(self.context, cells[number].span)
            others = tuple(part for part in unit.anatomy.parts if part.role != "title")
            return TitleCell(number, unit.anatomy.title, None, "plain", others)
        if piece := title_piece(cells[number].pieces, self.grammar.title_kind):
            return read_title_cell(self.text, cells[number], piece, number)
        link = next((link for link in labelled if link.column == number), None)
        return TitleCell(number, title_within(self.text, link.label_span) if link else None, link)

    def first_named(self, cells: Sequence[Cell], named_links: Sequence[PlacedLink]) -> int | None:
        """Return the column of the first link labelled with a name, or else of the first words."""
        columns = [link.column for link in named_links if link.role != "author"]
        worded = [
            at for at, cell in enumerate(cells) if any(names_work(x.text) for x in cell.pieces)
        ]
        for roles in (("other", "description"), ("tags",)):
            columns += [at for at in worded if self.roles[at] in roles]
        return next(iter(columns), None)

    def unit(self, line: Span, cells: Sequence[Cell], head: TitleCell) -> Unit:
        """Return the unit of a row, read cell by cell.

        An empty cell for marks means 0 passes. Text in it that is no mark gives None.
        """
        text, contents = self.text, [content_span(self.text, cell.span) for cell in cells]
        spans = dict.fromkeys(ROLES, (0, 0))  # A missing cell counts as empty.
        spans |= {role: contents[at] for role, at in self.column_of.items() if at < len(cells)}
        dates = (
            find_date(text, *spans["date"]),
            head.date(text),
            # A date alone in the cell of the venue is the date.
            find_date(text, *spans["venue"]) if is_date(text[slice(*spans["venue"])]) else None,
        )
        date = next(filter(None, dates), None)
        rating, rating_span = self.rating(spans["rating"])
        mark = self.find_mark(text, spans["passes"]) if "passes" in self.column_of else None
        pass_cells = tuple(
            PassCell(number, at, self.find_pass(text, contents[at]) if filled else None)
            for number, at in self.pass_columns
            for filled in [at < len(cells) and contents[at][0] < contents[at][1]]
        )
        done = [item for item in pass_cells if item.mark and item.mark.passes]
        marked = filter(None, (mark, *(cell.mark for cell in reversed(done))))
        is_unread = "passes" in self.column_of and spans["passes"][0] == spans["passes"][1]
        passes = mark.passes if mark else 0 if is_unread else None
        if pass_cells:
            passes = max((pass_cell.number for pass_cell in done), default=0)
        parts = (*head.parts, *parts_of_cells(self.roles, cells, head.column))
        anatomy = Anatomy(
            body=line,
            title=head.title,
            date=date.span if date else None,
            mark=mark,
            pass_cells=pass_cells,
            rating=rating_span,
            cells=tuple(cell.span for cell in cells),
            table=self.table.index,
            parts=parts,
        )
        tags = filter(None, map(plain, _SEPARATOR.split(text[slice(*spans["tags"])])))
        words = {role: self.words(cells, role) for role in _WORDED}
        venue = None if is_date(words["venue"] or "") else words["venue"]
        fields = EntryFields(
            passes=passes,
            read_at=next((item.read_at for item in marked if item.read_at), None),
            rating=rating,
            date=date.iso if date else None,
            tags=(*tags, *head.tags(text), *medal_tags(text[slice(*line)])),
            authors=self.authors(parts),
            venue=venue or self.venue_with_year(spans["date"]) or first_text(text, parts, "venue"),
            description=words["description"] or words["note"],
        )
        return Unit(fields, anatomy)

    def venue_with_year(self, cell: Span) -> str | None:
        """Return the venue in a date cell such as ``ICML 2013``, or None."""
        text = self.text[slice(*cell)]
        is_bare = is_date(text) or len(text) > _LONGEST_VENUE
        return None if is_bare or venue_likeness(text) < _SURE_VENUE else plain(text)

    def authors(self, parts: Sequence[Part]) -> tuple[str, ...]:
        """Return the people that a row names, without organisations and projects."""
        texts = [plain(self.text[slice(*part.span)]) for part in parts if part.role == "authors"]
        is_sure = self.has_author_header and not self.is_blog_table
        names = tuple(chain.from_iterable(people_in(text, is_sure=is_sure) for text in texts))
        if names or not self.is_blog_table:
            return names
        return tuple(text.lstrip("@") for text in texts if is_pen_name(text))

    def rating(self, cell: Span) -> tuple[int, Span] | tuple[None, None]:
        """Return stars, a score, or a bare number as 1 to 5, and its span."""
        if _NUMBER.fullmatch(self.text, *cell):
            rating = of_scale(int(self.text[slice(*cell)]), self.best_score)
            return (rating, cell) if rating else (None, None)
        return find_rating(self.text, *cell) or (None, None)

    def words(self, cells: Sequence[Cell], role: str) -> str | None:
        """Return the text of the first cell with this role, without the pictures in it.

        None if the cell has only links or is empty.
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


_CELL = re.compile(
    r"<(?P<name>td|th)\b[^<>]{0,500}>(?P<inner>[^<]*+(?:<(?!/?(?:td|th|tr)\b)[^<]*+)*+)",
    re.IGNORECASE,
)
_ROW = re.compile(r"<(?P<name>tr|li|dt)\b[^<>]{0,500}>", re.IGNORECASE)
_ROW_END = re.compile(r"</(?:tr|li)\s*>", re.IGNORECASE)
_TABLE = re.compile(r"<table\b", re.IGNORECASE)


def pieces_of(text: str, start: int, end: int) -> list[Span]:
    """Split HTML at table rows and list items. A row ends at its ``</tr>``."""
    cuts = [match.start() for match in _ROW.finditer(text, start, end)]
    cuts += [match.end() for match in _ROW_END.finditer(text, start, end)]
    cuts += [match.start() for match in _TABLE.finditer(text, start, end)]
    edges = [start, *sorted(cuts), end]
    return [(first, last) for first, last in pairwise(edges) if text[first:last].strip()]


def is_row(text: str, span: Span) -> bool:
    """Return whether a piece of HTML starts a row or an item."""
    return _ROW.match(text, span[0]) is not None


@dataclass(frozen=True, slots=True)
class MarkColumn:
    """The column of reading marks in an HTML table."""

    number: int
    width: int
    """The number of cells in a complete row."""
    kind: MarkKind | None
    """The kind of most marks in it."""
    find: CellReader

    def mark_in(self, text: str, cells: Sequence[Span]) -> Mark | None:
        """Return the mark of a row; for an empty cell, a mark that shows the place for one."""
        if len(cells) != self.width:
            return None
        span = stripped(text, cells[self.number])
        if span[0] < span[1]:
            mark = self.find(text, span)
            return replace(mark, is_placed=True) if mark else None
        return Mark(self.kind, span, 0, is_placed=True) if self.kind else None


def mark_columns(
    context: Context, pieces: Sequence[Span], chosen: Mapping[str, str]
) -> dict[Span, MarkColumn]:
    """Return the column of marks for each piece of HTML that is a row of a table with one.

    ``chosen`` are the user's settings for columns: folded header → role.
    """
    columns: dict[Span, MarkColumn] = {}
    table: list[Span] = []
    for piece in (*pieces, None):
        if piece is None or _TABLE.match(context.text, piece[0]):
            column = _mark_column(context, table, chosen) if context.marks.mean_read else None
            columns |= dict.fromkeys(table, column) if column else {}
            table = []
        if piece is not None and is_row(context.text, piece):
            table.append(piece)
    return columns


def _mark_column(
    context: Context, table: Sequence[Span], chosen: Mapping[str, str]
) -> MarkColumn | None:
    """Return the column of reading marks of an HTML table, or None."""
    text = context.text
    names = {match["name"].lower() for row in table[:1] for match in _CELL.finditer(text, *row)}
    head, *others = [_cells_of(text, row) for row in table] or [[]]
    body = [row for row in others if len(row) == len(head)]
    if not body or names != {"th"}:
        return None
    headers = [text[slice(*cell)] for cell in head]
    columns = column_roles(headers, [[Cell(context, cell) for cell in row] for row in body], chosen)
    number = next((n for n, column in enumerate(columns) if column.role == "passes"), None)
    if number is None:
        return None
    spans = [stripped(text, row[number]) for row in body]
    find = context.marks.cell_reader([text[slice(*span)] for span in spans])
    marks = (find(text, span) for span in spans if span[0] < span[1])
    return MarkColumn(number, len(head), most_common([mark.kind for mark in marks if mark]), find)


def _cells_of(text: str, span: Span) -> list[Span]:
    return [match.span("inner") for match in _CELL.finditer(text, *span)]


def read_row(
    context: Context, span: Span, column: MarkColumn | None = None
) -> tuple[Unit, list[Span]]:
    """Return the unit of the HTML cell that names the work, and the spans of the other cells.

    It is the cell whose first words read most like a title. ``column`` is the column of marks.
    """
    text, cells = context.text, _cells_of(context.text, span)
    mark = column.mark_in(text, cells) if column else None
    read = (lists.read_unit(context, cell) for cell in cells)
    units = [(unit, title) for unit in read if (title := unit.anatomy.title) is not None]
    if not units:
        return lists.read_unit(context, span), []
    linked = [pair for pair in units if pair[0].leading_link] or units[:1]
    named_unit, _ = max(linked, key=lambda pair: title_likeness(plain(text[slice(*pair[1])])))
    others = list(filter(named_unit.anatomy.body.__ne__, cells))
    return lists.with_mark(with_cells(text, named_unit, others), mark), others

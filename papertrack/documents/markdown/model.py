"""The parts of a document: sections, entries, fields, and their places.

A span is a pair of character offsets into ``Document.text``, start included, end excluded. A
document is never rendered anew: an edit replaces only the bytes of a span.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Literal

from papertrack.documents.markdown.marks.kind import Mark, MarkStyle
from papertrack.documents.markdown.values import Span, holds
from papertrack.identifiers import parse_arxiv_id
from papertrack.records import Identifier, Kind, Link, LinkRole, Skipped

Shape = Literal["row", "item", "numbered", "details", "html_row", "heading", "paragraph"]
Field = Literal["title", "paper", "passes", "rating", "date", "code", "note", "author", "move"]
"""The fields that an entry may have a place for."""
LinkForm = Literal["inline", "reference", "autolink", "bare", "html", "wiki", "text"]
PartRole = Literal[
    "number",
    "mark",
    "tag",
    "sign",
    "title",
    "name",
    "authors",
    "venue",
    "date",
    "link",
    "rating",
    "details",
]
"""What a part of an entry holds.

A ``name`` is another name of the work: ``DPO:`` before a title. A ``number`` counts entries:
``[12]``. A ``sign`` is an emoji that is neither mark nor rating.
"""
HINT_ROLES: tuple[PartRole, ...] = ("authors", "venue", "date")
"""What the reader may point out in one entry, besides its title."""
Order = Literal["ascending", "descending", "none"]
Group = tuple[Literal["table", "section"], int]
"""Entries that are written alike: the rows of a table, or the other entries of a section."""


@dataclass(frozen=True, slots=True)
class PlacedLink:
    """A link and its place in the text."""

    role: LinkRole
    url: str
    """Its target; empty for ``[Title]()``."""
    label: str
    """Its visible text, without markup; for a badge, the picture's description."""
    span: Span
    """The whole link, brackets included."""
    label_span: Span
    """The text between the brackets."""
    url_span: Span
    """The address itself. For a reference link it is in the definition."""
    form: LinkForm
    reference: str | None = None
    """The definition's label, as written, for a reference link."""
    is_badge: bool = False
    column: int | None = None
    """The column of its cell, for a row."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an entry with one role. The text between parts is separators."""

    role: PartRole
    span: Span
    """Its words, without surrounding brackets, quotes or emphasis."""
    link: PlacedLink | None = None
    """The link, for a link or for the title, venue or authors in its label."""


Skip = tuple[int, PlacedLink | Literal["code"] | None]
"""The end of a link, a code span or something without words, and which of these it is."""


@dataclass(frozen=True, slots=True)
class ParsedText:
    """The parts that a stretch of text was split into."""

    title: Span | None
    parts: tuple[Part, ...]
    """All parts except links, the title included."""
    certainty: float
    """From 0 to 1: how certain it is that the title was recognized correctly."""
    is_date_hinted: bool = False
    """Whether the reader pointed out where dates stand."""
    links: tuple[tuple[Span, LinkRole], ...] = ()
    """Spans of addresses whose role the reader declared."""
    is_declared: bool = False
    """Whether the entry fits a pattern that the reader declared."""


_SURE = 0.6
"""Below this certainty, most titles are wrong."""
_WORDS = ("name", "authors", "details")
"""Roles of words that might as well be the title."""


@dataclass(frozen=True, slots=True)
class PassCell:
    """The cell of one pass, in a table with one column per pass."""

    number: int
    """The pass, 1 to 3."""
    column: int
    mark: Mark | None
    """The mark in it; None if the cell is empty."""


@dataclass(frozen=True, slots=True)
class Anatomy:
    """The places of an entry's fields. A span is None if the entry lacks the field."""

    own_span: Span
    """The entry's own first lines, without nested items: where a list item is edited."""
    title: Span | None = None
    """The title without surrounding markup, such as a link, ``<u>`` or ``**``."""
    date: Span | None = None
    mark: Mark | None = None
    pass_cells: tuple[PassCell, ...] = ()
    """The cells, if each pass has its own; ``mark`` is None then."""
    rating: Span | None = None
    links: tuple[PlacedLink, ...] = ()
    """All links of the entry in order, except pictures and links within the page."""
    cells: tuple[Span, ...] = ()
    """The content of each cell, padding included, for a row."""
    table: int | None = None
    parts: tuple[Part, ...] = ()
    """The parts of the entry's own text, in order. They do not overlap."""
    below: tuple[Part, ...] = ()
    """The parts of the lines below its own text."""
    certainty: float = 1.0
    """From 0 to 1: how certain it is that the title was recognized correctly."""
    is_declared: bool = False
    """Whether the entry fits a pattern that the reader declared."""

    @property
    def is_title_sure(self) -> bool:
        """Whether the title may be replaced: it is probable, or nothing else could be it."""
        return self.certainty >= _SURE or not any(part.role in _WORDS for part in self.parts)

    def is_title(self, link: PlacedLink) -> bool:
        """Return whether the title is in the label of this link."""
        return self.title is not None and holds(link.label_span, self.title)

    @property
    def title_link(self) -> PlacedLink | None:
        """The link whose label holds the title."""
        return next(filter(self.is_title, self.links), None)


@dataclass(frozen=True, slots=True)
class EntryFields:
    """The values of an entry's fields. A missing value is None or empty."""

    title: str = ""
    kind: Kind = "paper"
    passes: int | None = None
    """0 to 3; None if the entry has no place for a reading mark."""
    read_at: str | None = None
    rating: int | None = None
    """1 to 5."""
    date: str | None = None
    """ISO 8601, as precise as it is written: ``2023``, ``2023-09``, ``2023-09-12``."""
    links: tuple[Link, ...] = ()
    tags: tuple[str, ...] = ()
    description: str | None = None
    authors: tuple[str, ...] = ()
    venue: str | None = None
    year: int | None = None
    """The year of publication, if known independently of the date."""
    related: tuple[Identifier, ...] = ()

    @property
    def arxiv_ids(self) -> list[str]:
        """The arXiv ids that its links lead to."""
        return [paper.id for link in self.links if (paper := parse_arxiv_id(link.url))]


@dataclass(frozen=True, slots=True)
class Unit:
    """What was read from one stretch of text, before it gets identifiers and a key."""

    fields: EntryFields
    anatomy: Anatomy
    title_link: PlacedLink | None = None
    leading_link: PlacedLink | None = None
    """The title link, if only marks and tags precede it."""

    @property
    def links(self) -> tuple[PlacedLink, ...]:
        return self.anatomy.links


@dataclass(frozen=True, slots=True)
class Entry:
    """One work in the document, known by a link, an identifier or a written reference."""

    span: Span
    line: int
    """Counted from 1."""
    shape: Shape
    fields: EntryFields
    identifiers: tuple[Identifier, ...]
    """Its own identifiers, strongest first."""
    key: str
    """A stable name: ``arxiv:2309.06180``, ``url:…`` or ``title:…``.

    It changes only if the entry names another work. A second entry with the same name gets ``…#2``.
    """
    places: frozenset[Field]
    anatomy: Anatomy
    index: int = -1
    section: int = -1
    category: tuple[str, ...] = ()

    @property
    def is_shared(self) -> bool:
        """Whether it shares a table row with other works: its span is part of a cell."""
        return self.shape == "row" and not self.anatomy.cells

    @property
    def group(self) -> Group:
        """The group of entries that are written like it."""
        table = self.anatomy.table
        return ("section", self.section) if table is None else ("table", table)


def by_group(entries: Iterable[Entry]) -> dict[Group, list[Entry]]:
    """Return the entries of each table and section. Those of one group are written alike."""
    groups: dict[Group, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    return groups


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, or a bold line that serves as one, and what is below it."""

    index: int
    path: tuple[str, ...]
    line: int
    heading_span: Span
    """The heading's line; ``(0, 0)`` for the text before the first heading."""
    entries: tuple[int, ...] = ()
    tables: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    header: str
    role: str
    """What its cells hold; see ``columns.ROLES``."""


@dataclass(frozen=True, slots=True)
class Table:
    """A pipe table."""

    index: int
    section: int
    span: Span
    header_line: int
    """Counted from 0, like ``end_row``."""
    end_row: int
    columns: tuple[Column, ...]
    is_aligned: bool
    """Whether cells are padded to the width of their column."""

    def column_of(self, role: str) -> int | None:
        """Return the first column with this role."""
        return next((i for i, column in enumerate(self.columns) if column.role == role), None)


@dataclass(frozen=True, slots=True)
class Definition:
    """A link definition: ``[86]: https://arxiv.org/abs/2312.00752``."""

    label: str
    url: str
    span: Span
    """The whole line, its line end included."""
    url_span: Span
    line: int
    """Counted from 0."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A work that prose or a footnote mentions, and that is not an entry of the list."""

    identifier: Identifier
    title: str
    """The title there, if any."""
    line: int
    """Counted from 1."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a document is written, learnt from its text."""

    line_end: str = "\n"
    marks: MarkStyle = field(default_factory=MarkStyle)
    rating: str | None = None
    """The sign that a rating repeats: ``⭐️``."""
    link_form: LinkForm = "inline"
    block_size: int | None = None
    """How many numbers each paper's block of link definitions has; None if there are no blocks."""
    has_title_comments: bool = False
    date_format: str | None = None
    """A ``strftime`` pattern of %Y, %y, %m, %d, %b, %B."""
    chosen_date_format: str | None = None
    """A ``date_format`` set by the reader. It overrides the format of neighbouring rows."""
    bullet: str | None = None
    orders: tuple[tuple[tuple[str, ...], Order], ...] = ()
    """How each category is sorted by date."""
    is_numbering_constant: bool = False
    """Whether every item of a numbered list is written ``1.``."""
    columns: tuple[tuple[Column, ...], ...] = ()
    """The columns of each kind of table."""

    def to_dict(self) -> dict[str, object]:
        """Return the style as plain data, with names that a reader understands."""
        return {
            "line_end": {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}[self.line_end],
            **self.marks.to_dict(),
            "rating": self.rating,
            "links": self.link_form,
            "definition_block": self.block_size,
            "title_comments": self.has_title_comments,
            "date_format": self.chosen_date_format or self.date_format,
            "bullet": self.bullet,
            "orders": {"/".join(path): order for path, order in self.orders if order != "none"},
            "numbering": "constant" if self.is_numbering_constant else "counting",
            "tables": [list(map(asdict, columns)) for columns in self.columns],
        }


@dataclass(frozen=True)
class Lines:
    """A text split into lines without changing a character. Lines count from 0."""

    text: str
    starts: tuple[int, ...] = field(repr=False)
    """Where each line starts."""
    ends: tuple[int, ...] = field(repr=False)
    """Where each line ends, its line end not included."""

    def line(self, number: int) -> str:
        """Return a line without its line end."""
        return self.text[self.starts[number] : self.ends[number]]

    def line_span(self, number: int) -> Span:
        """Return the span of a line, without its line end."""
        return self.starts[number], self.ends[number]

    def line_start(self, number: int) -> int:
        """Return where a line starts; for the line after the last, where the text ends."""
        return self.starts[number] if number < len(self.starts) else len(self.text)

    def span(self, first: int, end: int) -> Span:
        """Return the span of the lines from ``first`` up to, not including, ``end``."""
        return self.starts[first], self.line_start(end)

    def line_of(self, offset: int) -> int:
        """Return the line of an offset, counted from 1."""
        return bisect_right(self.starts, offset)


@dataclass(frozen=True)
class Document(Lines):
    """A README and what was read from it."""

    title: str | None
    sections: tuple[Section, ...]
    entries: tuple[Entry, ...]
    tables: tuple[Table, ...]
    definitions: tuple[Definition, ...]
    style: Style
    skipped: tuple[Skipped, ...]
    """Content with links that was not understood."""
    mentioned: tuple[Mention, ...]
    """Works that are only mentioned, each once."""
    parse: Parse = field(repr=False, compare=False)
    """The function that read this text: it reads a text with settings."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """The reader's settings for this document. Every later version is read with them."""
    other_marks: Mapping[Group, MarkStyle] = field(default_factory=dict)
    """The mark styles of groups that differ from the rest of the document."""

    def parse_again(self, text: str) -> Document:
        """Parse a changed version of this text with the same settings."""
        return self.parse(text, self.settings)

    def rows_of(self, table: Table) -> list[Entry]:
        """Return the entries of a table that have a whole row."""
        return [entry for entry in self.entries_of(table) if not entry.is_shared]

    def entries_of(self, table: Table) -> list[Entry]:
        """Return all entries of a table."""
        entries = (self.entries[index] for index in self.sections[table.section].entries)
        return [entry for entry in entries if entry.anatomy.table == table.index]

    def table_of(self, entry: Entry) -> Table:
        """Return the table of a row."""
        assert entry.anatomy.table is not None, "only rows are in tables"
        return self.tables[entry.anatomy.table]

    def marks_of(self, group: Group) -> MarkStyle:
        """Return the style of a group's reading marks."""
        return self.other_marks.get(group, self.style.marks)

    @cached_property
    def has_formulas(self) -> bool:
        """Whether a title holds a formula: ``HarrisZ$^+$``."""
        titles = (entry for entry in self.entries if entry.fields.title.count("$") > 1)
        return any("\\$" not in self.text[slice(*entry.span)] for entry in titles)

    @cached_property
    def categories(self) -> tuple[tuple[str, ...], ...]:
        """Return the paths of sections with entries or an (even empty) table, in order."""
        paths = (s.path for s in self.sections if s.path and (s.entries or s.tables))
        return tuple(dict.fromkeys(paths))


Parse = Callable[[str, Mapping[str, str]], Document]
"""Reads a text with the reader's settings."""

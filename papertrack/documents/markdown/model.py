"""The result of parsing a README: sections, entries, fields and their positions.

A span is a pair of offsets into ``Document.text``, the end excluded. A document is never rendered
anew; an edit replaces only the text of a span.
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
"""What a part of an entry is.

A ``name`` is another name of the work, such as ``DPO:`` before a title. A ``number`` counts
entries: ``[12]``. A ``sign`` is an emoji that is neither mark nor rating.
"""
HINTS: tuple[PartRole, ...] = ("authors", "venue", "date")
"""Roles, besides the title, that the user can set for one entry as an example for the others."""
Order = Literal["ascending", "descending", "none"]
Group = tuple[Literal["table", "section"], int]
"""Identifies entries that are written alike: the rows of a table, or the other entries of a
section."""


@dataclass(frozen=True, slots=True)
class PlacedLink:
    """A link and its position in the text."""

    role: LinkRole
    url: str
    """Its address; empty for ``[Title]()``."""
    label: str
    """Its visible text, without markup. For a badge, the description of the picture."""
    span: Span
    """The whole link, including brackets."""
    label_span: Span
    """The text between the brackets."""
    url_span: Span
    """The address itself. The address of a reference link is in its definition."""
    form: LinkForm
    reference: str | None = None
    """The label of the definition, as written, for a reference link."""
    is_badge: bool = False
    column: int | None = None
    """The index of its column, in a table row."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an entry that has one role. The text between parts is separators and markup."""

    role: PartRole
    span: Span
    """Its words, without the brackets, quotes or emphasis around them."""
    link: PlacedLink | None = None
    """The link, for a part that is a link or the label of one."""


Skip = tuple[int, PlacedLink | Literal["code"] | None]
"""The end of a link, a code span or a text without words; then the link, ``"code"`` or None."""


@dataclass(frozen=True, slots=True)
class ParsedText:
    """The parts of an entry's own text."""

    title: Span | None
    parts: tuple[Part, ...]
    """All parts except links; the title is included."""
    certainty: float
    """From 0 to 1: how certainly the title was recognized."""
    is_date_hinted: bool = False
    """Whether the user's settings give the date of one entry as an example."""
    links: tuple[tuple[Span, LinkRole], ...] = ()
    """Spans of addresses, each with the role that the user's pattern gives it."""
    is_declared: bool = False
    """Whether the text matches a pattern that the user declared."""


_SURE = 0.6
"""Below this certainty, most titles turn out wrong."""
_WORDS = ("name", "authors", "details")
"""Roles of words that may be the title instead."""


@dataclass(frozen=True, slots=True)
class PassCell:
    """A row's cell for one pass, in a table with a column per pass."""

    number: int
    """The pass, 1 to 3."""
    column: int
    mark: Mark | None
    """The mark in the cell; None if it is empty."""


@dataclass(frozen=True, slots=True)
class Anatomy:
    """The positions of an entry's fields. A span is None if the entry lacks the field."""

    body: Span
    """The entry's first paragraph or row, without nested items. Edits of an item are made here."""
    title: Span | None = None
    """The title without markup around it, such as a link, ``<u>`` or ``**``."""
    date: Span | None = None
    mark: Mark | None = None
    pass_cells: tuple[PassCell, ...] = ()
    """The cells of the passes, in a table with a column per pass; ``mark`` is None then."""
    rating: Span | None = None
    links: tuple[PlacedLink, ...] = ()
    """All links of the entry in order, except pictures and links within the page."""
    cells: tuple[Span, ...] = ()
    """The content of each cell of a row, including padding."""
    table: int | None = None
    parts: tuple[Part, ...] = ()
    """The parts within ``body``, in order. They do not overlap."""
    below: tuple[Part, ...] = ()
    """The parts of the lines below ``body``."""
    certainty: float = 1.0
    """From 0 to 1: how certainly the title was recognized."""
    is_declared: bool = False
    """Whether the entry matches a pattern that the user declared."""

    @property
    def is_title_sure(self) -> bool:
        """Whether the title is certain enough to be replaced, or nothing else can be the title."""
        return self.certainty >= _SURE or not any(part.role in _WORDS for part in self.parts)

    def is_title(self, link: PlacedLink) -> bool:
        """Return whether a link's label contains the title."""
        return self.title is not None and holds(link.label_span, self.title)

    @property
    def title_link(self) -> PlacedLink | None:
        """The link whose label contains the title."""
        return next(filter(self.is_title, self.links), None)


@dataclass(frozen=True, slots=True)
class EntryFields:
    """The values of an entry's fields. Missing values are None or empty."""

    title: str = ""
    kind: Kind = "paper"
    passes: int | None = None
    """0 to 3; None if the entry has no place for a reading mark."""
    read_at: str | None = None
    rating: int | None = None
    """1 to 5."""
    date: str | None = None
    """In ISO 8601, as precise as in the text: ``2023``, ``2023-09``, ``2023-09-12``."""
    links: tuple[Link, ...] = ()
    tags: tuple[str, ...] = ()
    description: str | None = None
    authors: tuple[str, ...] = ()
    venue: str | None = None
    year: int | None = None
    """The year of publication, if it does not come from the date."""
    related: tuple[Identifier, ...] = ()

    @property
    def arxiv_ids(self) -> list[str]:
        """The arXiv ids in its links."""
        return [paper.id for link in self.links if (paper := parse_arxiv_id(link.url))]


@dataclass(frozen=True, slots=True)
class Unit:
    """What was read from one stretch of text, before identifiers and a key are assigned."""

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
    """One work in the document, with a link, an identifier or a bibliographic reference."""

    span: Span
    line: int
    """Counted from 1."""
    shape: Shape
    fields: EntryFields
    identifiers: tuple[Identifier, ...]
    """The identifiers of the work, strongest first."""
    key: str
    """A name that is unique in the document: ``arxiv:2309.06180``, ``url:…`` or ``title:…``.

    It stays the same as long as the entry names the same work. A second entry of the same work gets
    ``…#2``.
    """
    places: frozenset[Field]
    anatomy: Anatomy
    index: int = -1
    section: int = -1
    category: tuple[str, ...] = ()

    @property
    def is_shared(self) -> bool:
        """Whether it is one of several works in a table row, so its span is only part of a cell."""
        return self.shape == "row" and not self.anatomy.cells

    @property
    def group(self) -> Group:
        """The group of entries that are written like it."""
        table = self.anatomy.table
        return ("section", self.section) if table is None else ("table", table)


def by_group(entries: Iterable[Entry]) -> dict[Group, list[Entry]]:
    """Return the entries by table or section. The entries of a group are written alike."""
    groups: dict[Group, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    return groups


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, or a bold line that serves as one, and the entries and tables below it."""

    index: int
    path: tuple[str, ...]
    line: int
    heading_span: Span
    """The line of the heading; ``(0, 0)`` for the text before the first heading."""
    entries: tuple[int, ...] = ()
    tables: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    header: str
    role: str
    """What its cells contain; see ``headers.ROLES``."""


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
        """Return the index of the first column with this role, or None."""
        return next((i for i, column in enumerate(self.columns) if column.role == role), None)


@dataclass(frozen=True, slots=True)
class Definition:
    """A link definition: ``[86]: https://arxiv.org/abs/2312.00752``."""

    label: str
    url: str
    span: Span
    """The whole line, including its line end."""
    url_span: Span
    line: int
    """Counted from 0."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A work that running text or a footnote mentions, but that has no entry."""

    identifier: Identifier
    title: str
    """The label of the link to it, if there is one."""
    line: int
    """Counted from 1."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a document is written, learnt from its text."""

    line_end: str = "\n"
    marks: MarkStyle = field(default_factory=MarkStyle)
    rating: str | None = None
    """The sign that is repeated in ratings: ``⭐️``."""
    link_form: LinkForm = "inline"
    block_size: int | None = None
    """How many numbers are reserved for each paper's link definitions; None without such blocks."""
    has_title_comments: bool = False
    """Whether a comment with the paper's title precedes its definitions."""
    date_format: str | None = None
    """A ``strftime`` pattern of %Y, %y, %m, %d, %b, %B."""
    chosen_date_format: str | None = None
    """The user's ``date-format`` setting. It overrides the format of neighbouring rows."""
    bullet: str | None = None
    orders: tuple[tuple[tuple[str, ...], Order], ...] = ()
    """How the entries of each category are sorted by date."""
    is_numbering_constant: bool = False
    """Whether every item of numbered lists has the number ``1.``"""
    columns: tuple[tuple[Column, ...], ...] = ()
    """The columns of each kind of table."""
    wrap_width: int = 0
    """The width at which the lines of items are wrapped; 0 if they are not."""

    def to_dict(self) -> dict[str, object]:
        """Return the style as JSON data, with names that users understand."""
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
    """A text split into lines. Lines are counted from 0."""

    text: str
    starts: tuple[int, ...] = field(repr=False)
    """The offset where each line starts."""
    ends: tuple[int, ...] = field(repr=False)
    """The offset where each line ends, before its line end."""

    def line(self, number: int) -> str:
        """Return a line without its line end."""
        return self.text[self.starts[number] : self.ends[number]]

    def line_span(self, number: int) -> Span:
        """Return the span of a line, without its line end."""
        return self.starts[number], self.ends[number]

    def line_start(self, number: int) -> int:
        """Return where a line starts. The line after the last one starts at the end of the text."""
        return self.starts[number] if number < len(self.starts) else len(self.text)

    def span(self, first: int, end: int) -> Span:
        """Return the span of the lines from ``first`` to ``end``, the latter excluded."""
        return self.starts[first], self.line_start(end)

    def line_of(self, offset: int) -> int:
        """Return the line of an offset, counted from 1."""
        return bisect_right(self.starts, offset)


@dataclass(frozen=True)
class Document(Lines):
    """A README and everything that was read from it."""

    title: str | None
    sections: tuple[Section, ...]
    entries: tuple[Entry, ...]
    tables: tuple[Table, ...]
    definitions: tuple[Definition, ...]
    style: Style
    skipped: tuple[Skipped, ...]
    """Text with links that was not understood."""
    mentioned: tuple[Mention, ...]
    """Works that are mentioned without having an entry, each once."""
    parse: Parse = field(repr=False, compare=False)
    """The function that parsed this text. It parses any text with settings."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """The user's settings for this document. Changed versions are parsed with them too."""
    other_marks: Mapping[Group, MarkStyle] = field(default_factory=dict)
    """The mark styles of groups that differ from the rest of the document."""

    def parse_again(self, text: str) -> Document:
        """Parse a changed version of this text with the same settings."""
        return self.parse(text, self.settings)

    def rows_of(self, table: Table) -> list[Entry]:
        """Return the entries of a table that are whole rows."""
        return [entry for entry in self.entries_of(table) if not entry.is_shared]

    def entries_of(self, table: Table) -> list[Entry]:
        """Return all entries of a table, including several in one row."""
        entries = (self.entries[index] for index in self.sections[table.section].entries)
        return [entry for entry in entries if entry.anatomy.table == table.index]

    def table_of(self, entry: Entry) -> Table:
        """Return the table of an entry that is in one."""
        assert entry.anatomy.table is not None, "only rows are in tables"
        return self.tables[entry.anatomy.table]

    def marks_of(self, group: Group) -> MarkStyle:
        """Return the style of the reading marks in a group."""
        return self.other_marks.get(group, self.style.marks)

    @cached_property
    def has_formulas(self) -> bool:
        """Whether a title contains a TeX formula: ``HarrisZ$^+$``."""
        titles = (entry for entry in self.entries if entry.fields.title.count("$") > 1)
        return any("\\$" not in self.text[slice(*entry.span)] for entry in titles)

    @cached_property
    def categories(self) -> tuple[tuple[str, ...], ...]:
        """The paths of sections with entries or a table, in order. The table may be empty."""
        paths = (s.path for s in self.sections if s.path and (s.entries or s.tables))
        return tuple(dict.fromkeys(paths))


Parse = Callable[[str, Mapping[str, str]], Document]
"""A function that parses a text with the user's settings."""

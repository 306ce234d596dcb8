"""What a document is made of: sections, entries, their fields and where each field stands.

A span is a pair of character offsets into ``Document.text``, start included, end excluded.
Nothing here is ever written back as a whole: spans are what lets an edit touch only its own bytes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Literal

from papertrack.documents.markdown.marks.kind import Mark, MarkStyle
from papertrack.documents.markdown.values import Span
from papertrack.records import Identifier, Kind, Link, LinkRole, Skipped

Shape = Literal["row", "item", "numbered", "details", "html_row", "heading", "paragraph"]
Field = Literal["title", "paper", "passes", "rating", "date", "code", "note", "author", "move"]
"""What an entry may have a place for."""
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
"""What a part of an entry says. A ``name`` is another name of the work: ``DPO:`` before a title; a
``number`` counts entries: ``[12]``; a ``sign`` is an emoji that says neither mark nor rating."""
TAUGHT: tuple[PartRole, ...] = ("authors", "venue", "date")
"""What the reader may say of one entry, besides its title."""
Order = Literal["ascending", "descending", "none"]
Group = tuple[Literal["table", "section"], int]
"""Entries that are written alike: the rows of a table, or what else a section lists, by index."""


@dataclass(frozen=True, slots=True)
class PlacedLink:
    """A link as it stands in the text."""

    role: LinkRole
    url: str
    """Its target; empty for ``[Title]()``."""
    label: str
    """Its visible text, plain; for a badge the picture's description."""
    span: Span
    """All of it, brackets included."""
    label_span: Span
    """Between the brackets."""
    url_span: Span
    """The address itself; of a reference link, in its definition."""
    form: LinkForm
    reference: str | None = None
    """The label of its definition, as written, for a reference link."""
    is_badge: bool = False
    column: int | None = None
    """The cell that holds it, for a row."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of an entry that says one thing; what is between parts are separators."""

    role: PartRole
    span: Span
    """What says it, without brackets, quotes or emphasis around it."""
    link: PlacedLink | None = None
    """Of a link, and of what is the label of one: a title, a venue, authors."""


Skip = tuple[int, PlacedLink | Literal["code"] | None]
"""Where a link, a code span or something without words ends, and which of these it is."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the words of a stretch say."""

    title: Span | None
    parts: tuple[Part, ...]
    """All that is not a link, the title too."""
    certainty: float
    """From 0 to 1: how sure it is that the title is the title."""
    is_date_taught: bool = False
    """Whether the reader said where dates stand."""
    links: tuple[tuple[Span, LinkRole], ...] = ()
    """Where addresses stand of which the reader declared what they are for."""
    is_declared: bool = False
    """Whether the reader declared that entries are written so."""


_SURE = 0.6
"""Below this certainty most titles are wrong."""
_WORDS = ("name", "authors", "details")
"""What words say that may as well be the title."""


@dataclass(frozen=True, slots=True)
class PassCell:
    """The place of one pass, in a table that has a column for each."""

    number: int
    """1 to 3."""
    column: int
    mark: Mark | None
    """What it holds; None of an empty one."""


@dataclass(frozen=True, slots=True)
class Anatomy:
    """Where an entry's fields stand. Every span is None when the entry has no such thing."""

    own: Span
    """The entry's own first lines, without sub-items: where a list item is edited."""
    title: Span | None = None
    """The title as a reader would select it: inside the link, the ``<u>`` and the ``**``."""
    date: Span | None = None
    mark: Mark | None = None
    pass_cells: tuple[PassCell, ...] = ()
    """Where each pass has a place of its own; ``mark`` is None then."""
    rating: Span | None = None
    links: tuple[PlacedLink, ...] = ()
    """All links of the entry in their order, pictures and links within the page excepted."""
    cells: tuple[Span, ...] = ()
    """Each cell between its pipes, padding included, for a row."""
    table: int | None = None
    parts: tuple[Part, ...] = ()
    """What of the entry's own text says what, in the order of the text; none overlaps another."""
    below: tuple[Part, ...] = ()
    """What the lines below its own text say."""
    certainty: float = 1.0
    """From 0 to 1: how sure it is that the title is the title."""
    is_declared: bool = False
    """Whether it is written as the reader declared that entries are."""

    @property
    def is_title_sure(self) -> bool:
        """Whether the title may be replaced as such: it is likely one, or no other words are."""
        return self.certainty >= _SURE or not any(part.role in _WORDS for part in self.parts)

    def is_title(self, link: PlacedLink) -> bool:
        """Return whether the title stands in the label of a link."""
        title = self.title
        return (
            title is not None and link.label_span[0] <= title[0] and title[1] <= link.label_span[1]
        )

    @property
    def title_link(self) -> PlacedLink | None:
        """The link that the title is."""
        return next(filter(self.is_title, self.links), None)


@dataclass(frozen=True, slots=True)
class EntryFields:
    """What an entry says. What it does not say is None or empty."""

    title: str = ""
    kind: Kind = "paper"
    passes: int | None = None
    """0 to 3; None when the entry has no place for a reading mark."""
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
    """When it was published, where that is known apart from the date."""
    related: tuple[Identifier, ...] = ()

    @property
    def main_link(self) -> Link | None:
        """The link that stands for the thing: to the paper, or to its code."""
        return next((link for link in self.links if link.role in ("paper", "code")), None)


@dataclass(frozen=True, slots=True)
class Unit:
    """What was found in one stretch of text, which is not named yet."""

    fields: EntryFields
    anatomy: Anatomy
    title_link: PlacedLink | None = None
    leading_link: PlacedLink | None = None
    """The title link, if it stands at the start, marks and tags aside."""

    @property
    def links(self) -> tuple[PlacedLink, ...]:
        return self.anatomy.links


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that the document names: by a link, an identifier or a reference written out."""

    span: Span
    line: int
    """Counted from 1."""
    shape: Shape
    fields: EntryFields
    identifiers: tuple[Identifier, ...]
    """Its own, strongest first."""
    key: str
    """The same as long as the entry names the same thing: ``arxiv:2309.06180``, ``url:…`` or
    ``title:…``; a second entry with the same name is ``…#2``."""
    places: frozenset[Field]
    anatomy: Anatomy
    index: int = -1
    section: int = -1
    category: tuple[str, ...] = ()

    @property
    def is_shared(self) -> bool:
        """Whether it is one of several works in a row: its span is a stretch of a cell."""
        return self.shape == "row" and not self.anatomy.cells

    @property
    def group(self) -> Group:
        """What it is written like."""
        table = self.anatomy.table
        return ("section", self.section) if table is None else ("table", table)


def by_group(entries: Iterable[Entry]) -> dict[Group, list[Entry]]:
    """Return the entries of each table and section, which are written alike."""
    groups: dict[Group, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    return groups


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, or a bold lead-in line, and what stands under it."""

    index: int
    path: tuple[str, ...]
    line: int
    heading_span: Span
    """Of the heading's line; ``(0, 0)`` for what is before the first heading."""
    entries: tuple[int, ...] = ()
    tables: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    header: str
    role: str
    """What its cells hold: see ``columns.ROLES``."""


@dataclass(frozen=True, slots=True)
class Table:
    """A pipe table."""

    index: int
    section: int
    span: Span
    header_line: int
    """Counted from 0, like ``first_row`` and ``end_row``."""
    end_row: int
    columns: tuple[Column, ...]
    is_aligned: bool
    """Whether its cells are padded to the width of their column."""

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
    """A work that prose or a footnote names, which is no entry of the list."""

    identifier: Identifier
    title: str
    """What it is called there, if it is."""
    line: int
    """Counted from 1."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a document writes things, learnt from it."""

    line_end: str = "\n"
    marks: MarkStyle = field(default_factory=MarkStyle)
    rating: str | None = None
    """The sign that is repeated: ``⭐️``."""
    link_form: LinkForm = "inline"
    block_size: int | None = None
    """How many numbers each paper's block of link definitions has; None without such blocks."""
    has_title_comments: bool = False
    date_format: str | None = None
    """A ``strftime`` pattern of %Y, %y, %m, %d, %b, %B."""
    chosen_date_format: str | None = None
    """As ``date_format``, set by the reader: it goes before how the rows around write theirs."""
    bullet: str | None = None
    orders: tuple[tuple[tuple[str, ...], Order], ...] = ()
    """How each category is sorted by date."""
    is_numbering_constant: bool = False
    """Whether every item of numbered lists is written ``1.``."""
    columns: tuple[tuple[Column, ...], ...] = ()
    """Those of each different kind of table."""

    def to_dict(self) -> dict[str, object]:
        """Return the style as plain data with names a reader understands."""
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
    """A text cut into lines, without changing a character. Their numbers count from 0."""

    text: str
    starts: tuple[int, ...] = field(repr=False)
    """Where each line starts."""
    ends: tuple[int, ...] = field(repr=False)
    """Where each line ends, its line end not included."""

    def line(self, number: int) -> str:
        """Return a line without its line end."""
        return self.text[self.starts[number] : self.ends[number]]

    def line_span(self, number: int) -> Span:
        """Return where a line stands, without its line end."""
        return self.starts[number], self.ends[number]

    def line_start(self, number: int) -> int:
        """Return where a line starts; behind the last one, where the text ends."""
        return self.starts[number] if number < len(self.starts) else len(self.text)

    def span(self, first: int, end: int) -> Span:
        """Return the span of the lines from ``first`` up to, not including, ``end``."""
        return self.starts[first], self.line_start(end)

    def line_of(self, offset: int) -> int:
        """Return the line of an offset, counted from 1."""
        return bisect_right(self.starts, offset)


@dataclass(frozen=True)
class Document(Lines):
    """A README as text, with what was understood of it."""

    title: str | None
    sections: tuple[Section, ...]
    entries: tuple[Entry, ...]
    tables: tuple[Table, ...]
    definitions: tuple[Definition, ...]
    style: Style
    skipped: tuple[Skipped, ...]
    """Content with links that was not understood."""
    mentioned: tuple[Mention, ...]
    """Works that are only named in passing, each once."""
    parse: Parse = field(repr=False, compare=False)
    """What reads a text with settings: what read this one."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What the reader says about it: any text that comes from it is read with that."""
    other_marks: Mapping[Group, MarkStyle] = field(default_factory=dict)
    """Of the groups whose reading marks are of another kind than most of the document's."""

    def parse_again(self, text: str) -> Document:
        """Return a text that comes from this one, read as this one was."""
        return self.parse(text, self.settings)

    def rows_of(self, table: Table) -> list[Entry]:
        """Return the entries of a table that have a row of their own."""
        return [entry for entry in self.entries_of(table) if not entry.is_shared]

    def entries_of(self, table: Table) -> list[Entry]:
        """Return all entries of a table."""
        entries = (self.entries[index] for index in self.sections[table.section].entries)
        return [entry for entry in entries if entry.anatomy.table == table.index]

    def table_of(self, entry: Entry) -> Table:
        """Return the table that a row is in."""
        assert entry.anatomy.table is not None, "only rows are in tables"
        return self.tables[entry.anatomy.table]

    def marks_of(self, group: Group) -> MarkStyle:
        """Return how a group's reading marks are written."""
        return self.other_marks.get(group, self.style.marks)

    @cached_property
    def has_formulas(self) -> bool:
        """Whether a title holds a formula: ``HarrisZ$^+$``."""
        titles = (entry for entry in self.entries if entry.fields.title.count("$") > 1)
        return any("\\$" not in self.text[slice(*entry.span)] for entry in titles)

    @cached_property
    def categories(self) -> tuple[tuple[str, ...], ...]:
        """Return the paths of the sections that hold entries or an (empty) table, in order."""
        paths = (s.path for s in self.sections if s.path and (s.entries or s.tables))
        return tuple(dict.fromkeys(paths))


Parse = Callable[[str, Mapping[str, str]], Document]
"""Reads a text, with what its reader set about it."""

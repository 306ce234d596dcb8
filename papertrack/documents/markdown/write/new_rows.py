"""New rows, written as the other rows of their table are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from papertrack.documents.markdown.marks.registry import cell_text
from papertrack.documents.markdown.model import Document, Entry, EntryFields, PlacedLink, Table
from papertrack.documents.markdown.read.columns import content_span, split_row
from papertrack.documents.markdown.read.dates import date_pattern
from papertrack.documents.markdown.values import Span, most_common, write_date
from papertrack.documents.markdown.write.cells import column_width, empty_word, model_rows
from papertrack.documents.markdown.write.links import (
    find_sample,
    link_markup,
    link_separator,
    title_sample,
)
from papertrack.documents.markdown.write.markup import escape_text, linked_title, wrapping
from papertrack.documents.markdown.write.numbering import Block, Numbering
from papertrack.documents.markdown.write.patches import Patch
from papertrack.records import Link

_EMPHASIS = (("**", "**"), ("*", "*"), ("<u>", "</u>"), ("<b>", "</b>"))


def new_row(
    document: Document, numbering: Numbering, table: Table, fields: EntryFields
) -> tuple[str, list[Patch]]:
    """Return a row in the table's style, without its line end, and the patches that define its
    links."""
    block: Block = {}, []
    if _uses_references(document, table):
        rows = [entry for entry in document.entries if entry.anatomy.table is not None]
        like = [row for row in rows if document.table_of(row).columns == table.columns]
        urls = [link.url for link in _shown_links(fields, table)]
        block = numbering.block(fields.title, urls, like)
    return _NewRow(document, table, fields, block[0]).text(), block[1]


def _shown_links(fields: EntryFields, table: Table) -> list[Link]:
    """Return the links of a new row that it shows, the title's first."""
    roles = {column.role for column in table.columns}
    main = fields.main_link
    others = [link for link in fields.links if link.role in roles and link != main]
    return [main, *others] if main else others


def _uses_references(document: Document, table: Table) -> bool:
    """Return whether the titles of a table, or of the document's tables, are reference links."""
    rows = _like_rows(document, table)
    forms = [link.form for row in rows for link in row.anatomy.links]
    return forms.count("reference") * 2 > len(forms)


def _like_rows(document: Document, table: Table) -> list[Entry]:
    """Return the rows of a table; of an empty one, those of tables with the same columns."""
    rows = model_rows(document, table)
    if rows:
        return rows
    all_rows = [entry for entry in document.entries if entry.anatomy.table is not None]
    same = [e for e in all_rows if document.table_of(e).columns == table.columns]
    return same or all_rows


@dataclass(frozen=True)
class _NewRow:
    """What the cells of a new row are made from."""

    document: Document
    table: Table
    fields: EntryFields
    references: Mapping[str, str]
    """The labels of the definitions of its links by address."""

    @cached_property
    def models(self) -> list[Entry]:
        """The rows that the new one is like."""
        return _like_rows(self.document, self.table)

    def text(self) -> str:
        """Return the whole row."""
        line, cells = self._model_line()
        lead, trail, empty = self._padding(cells)
        headed = [column for column in self.table.columns if column.header]
        contents = map(self._content, range(len(headed or self.table.columns)))
        shown = [lead + content + trail if content else empty for content in contents]
        if self.table.is_aligned:
            shown = [
                cell.ljust(column_width(self.document, self.table, number))
                for number, cell in enumerate(shown)
            ]
        if not cells:
            return f"|{'|'.join(shown)}|"
        opening = self.document.text[line[0] : cells[0][0]]
        closing = self.document.text[cells[-1][1] : line[1]]
        return opening + "|".join(shown) + closing.rstrip()

    def _model_line(self) -> tuple[Span, tuple[Span, ...]]:
        """Return (line, cells) of the table's last entry, or of its header."""
        rows = self.document.rows_of(self.table)
        if rows:
            anatomy = rows[-1].anatomy
            return anatomy.own, anatomy.cells[: len(self.table.columns)]
        line = self.document.line_span(self.table.header_line)
        return line, split_row(self.document.text, *line)

    def _padding(self, header: tuple[Span, ...]) -> tuple[str, str, str]:
        """Return (blanks before, blanks behind, an empty cell) as the document's rows have them."""
        cells = [cell for row in self.models for cell in row.anatomy.cells] or [*header]
        texts = [self.document.text[slice(*cell)] for cell in cells]
        filled = [text for text in texts if text.strip()]
        lead = most_common([text[: len(text) - len(text.lstrip())] for text in filled]) or ""
        trail = most_common([text[len(text.rstrip()) :] for text in filled]) or ""
        blank = most_common([text for text in texts if not text.strip()])
        return lead, trail, (lead if blank is None else blank)

    def _content(self, number: int) -> str:
        """Return what a cell says: of its column's role, else links of that role."""
        role = self.table.columns[number].role
        write = _WRITERS.get(role)
        return self._links(number, role) if write is None else write(self)

    def passes(self) -> str:
        """Return the reading mark; nothing where the day of reading would have to be known."""
        marks = self.document.marks_of(("table", self.table.index))
        return cell_text(marks, self.fields.passes or 0) or ""

    def _links(self, number: int, role: str) -> str:
        """Return the links of a role, or what the column has for nothing."""
        links = [self._link(number, link) for link in self.fields.links if link.role == role]
        separator = link_separator(self.document, self.table, number)
        return separator.join(links) or empty_word(self.document, self.table, number)

    def title(self) -> str:
        """Return the title as the other titles of the table stand: linked or not, bold or not.

        It is linked if most are, or if no other column could show the paper's link.
        """
        main = self.fields.main_link
        models = [row for row in self.models if row.anatomy.title]
        linked = [row for row in models if row.anatomy.title_link]
        wants_link = len(linked) * 2 >= len(models) or self.table.column_of("paper") is None
        if main is None or not wants_link:
            return self._plain_title([row for row in models if not row.anatomy.title_link])
        model = linked[-1] if linked else None
        reference = self.references.get(main.url)
        return linked_title(self.document.text, model, self.fields.title, main.url, reference)

    def _plain_title(self, models: list[Entry]) -> str:
        """Return the title with the emphasis around the last model's."""
        text, title = self.document.text, escape_text(self.fields.title)
        start, end = (models[-1].anatomy.title if models else None) or (0, 0)
        opening, closing = wrapping(text, (start, end), _EMPHASIS)
        return opening + title + closing

    def date(self) -> str:
        """Return the date with the emphasis that the table's dates have."""
        written = date_text(self.document, self.table, self.fields.date)
        column = self.table.column_of("date")
        dated = [row for row in model_rows(self.document, self.table) if row.anatomy.date]
        if not written or not dated or column is None:
            return written or ""
        start, end = content_span(self.document.text, dated[0].anatomy.cells[column])
        first, behind = dated[0].anatomy.date or (start, end)
        before, after = self.document.text[start:first], self.document.text[behind:end]
        return before + written + after if len(before + after) <= 8 else written

    def _link(self, number: int, link: Link) -> str:
        """Return a link as its column's links are written."""
        sample: PlacedLink | None = None
        if self.models:
            sample = find_sample(self.document, self.models[-1], number, link.url)
            sample = sample or title_sample(self.models[-1])
        label = None if link.role == "paper" else link.label
        new = Link(link.role, link.url, label)
        return link_markup(self.document, sample, number, new, self.references.get(link.url))


_WRITERS: dict[str, Callable[[_NewRow], str]] = {
    "title": _NewRow.title,
    "date": _NewRow.date,
    "passes": _NewRow.passes,
    "rating": lambda row: rating_text(row.document, row.fields.rating),
    "author": lambda row: ", ".join(map(escape_text, row.fields.authors)),
    "tags": lambda row: ", ".join(map(escape_text, row.fields.tags)),
    "description": lambda row: escape_text(row.fields.description or ""),
    "venue": lambda row: escape_text(row.fields.venue or ""),
}
"""What a cell says, by the role of its column. Every other role is one of links."""


def rating_text(document: Document, rating: int | None) -> str:
    """Return a rating in the document's style."""
    return (document.style.rating or "⭐️") * (rating or 0)


def date_text(document: Document, table: Table, date: str | None) -> str | None:
    """Return a date as the table writes dates; None if it is not known precisely enough."""
    if date is None:
        return ""
    rows = model_rows(document, table)
    patterns = [p for row in rows if (p := date_pattern(document.text, row))]
    style = document.style
    pattern = style.chosen_date_format or most_common(patterns) or style.date_format or "%Y/%m"
    return write_date(date, pattern)

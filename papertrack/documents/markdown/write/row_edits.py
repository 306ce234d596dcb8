"""Links, dates and ratings in the cells of a row, written as the table's other rows have them."""

from __future__ import annotations

from heapq import nsmallest
from itertools import pairwise

from papertrack.documents.markdown.model import Document, Entry, PlacedLink, Table
from papertrack.documents.markdown.read.columns import content_span
from papertrack.documents.markdown.read.dates import date_pattern
from papertrack.documents.markdown.roles import host_role
from papertrack.documents.markdown.values import most_common, write_date
from papertrack.documents.markdown.write.cells import (
    MODELS,
    is_empty_cell,
    model_rows,
    set_cell,
    table_of_row,
)
from papertrack.documents.markdown.write.markup import (
    escape_text,
    like,
    most_usual,
    repository_label,
    safe_url,
    wrapping,
)
from papertrack.documents.markdown.write.numbering import Numbering
from papertrack.documents.markdown.write.patches import Patch
from papertrack.records import Link


def set_row_link(
    document: Document, numbering: Numbering, entry: Entry, link: Link
) -> list[Patch] | None:
    """Return the patches that add a link to the row's column of this role; None without a model.

    It is written as the nearest link in that column is, then as the row's title is.
    """
    table = table_of_row(document, entry)
    column = table.column_of(link.role)
    if column is None:
        return None
    sample = find_sample(document, entry, column, link.url) or title_sample(entry)
    reference, patches = numbering.reference_like(sample, entry, link.url)
    markup = link_markup(document, sample, column, link, reference)
    held = [other for other in entry.anatomy.links if other.column == column]
    if held and not is_empty_cell(document, entry, column):
        end = content_span(document.text, entry.anatomy.cells[column])[1]
        return [Patch((end, end), link_separator(document, table, column) + markup), *patches]
    return [*set_cell(document, entry, link.role, markup), *patches]


def link_markup(
    document: Document, sample: PlacedLink | None, column: int, link: Link, reference: str | None
) -> str:
    """Return a link after a sample; one from another column gives its form, not its label."""
    label = link.label or (repository_label(sample, link.url) if link.role == "code" else None)
    if sample is None:
        return f"[{escape_text(label or 'link')}]({safe_url(link.url)})"
    if sample.column != column:
        return like(document.text, sample, link.url, label or "link", reference)
    opening, closing = wrapping(document.text, sample)
    return opening + like(document.text, sample, link.url, label, reference) + closing


def find_sample(document: Document, entry: Entry, column: int, url: str = "") -> PlacedLink | None:
    """Return a link in the same column of the row's or a like table: the nearest of those written
    as most around are.

    One to the same sort of host is preferred: a repository's badge is no model for a page's.
    """
    role = table_of_row(document, entry).columns[column].role
    wanted = host_role(url)
    found = [
        (host_role(link.url) != wanted, abs(other.line - entry.line), link)
        for other in document.entries
        if _role_of_column(document, other, column) == role
        for link in other.anatomy.links
        if link.column == column
    ]
    near = nsmallest(MODELS, found, key=lambda sample: sample[:2])
    same = [link for is_other, _, link in near if is_other == near[0][0]]
    return most_usual(document.text, same)


def _role_of_column(document: Document, entry: Entry, column: int) -> str | None:
    """Return the role of a column of the table that an entry is a row of, if it is one."""
    if entry.anatomy.table is None:
        return None
    columns = document.tables[entry.anatomy.table].columns
    return columns[column].role if column < len(columns) else None


def link_separator(document: Document, table: Table, column: int) -> str:
    """Return what stands between two links of one cell: ``, `` unless the rows show another."""
    gaps = []
    for row in model_rows(document, table):
        links = [link for link in row.anatomy.links if link.column == column]
        for first, second in pairwise(links):
            gaps.append(document.text[first.span[1] : second.span[0]])
    return most_common([gap for gap in gaps if len(gap) <= 12]) or ", "


def title_sample(entry: Entry) -> PlacedLink | None:
    """Return the first link of a row that is no badge: mostly the title's."""
    return next((link for link in entry.anatomy.links if not link.is_badge), None)


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

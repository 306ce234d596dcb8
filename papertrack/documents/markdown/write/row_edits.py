"""Edits of pipe-table rows: each replaces what a cell holds, or adds or drops a whole line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nsmallest
from itertools import pairwise

from papertrack.documents.markdown.marks.registry import cell_text
from papertrack.documents.markdown.model import (
    Document,
    Entry,
    EntryFields,
    PlacedLink,
    Table,
)
from papertrack.documents.markdown.read.columns import content_span, split_row
from papertrack.documents.markdown.read.style import date_pattern
from papertrack.documents.markdown.roles import host_role
from papertrack.documents.markdown.values import Span, most_common, write_date
from papertrack.documents.markdown.write.cells import (
    MODELS,
    column_width,
    empty_word,
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
from papertrack.documents.markdown.write.placement import rows_of
from papertrack.records import Link, LinkRole


def set_row_link(
    document: Document,
    numbering: Numbering,
    entry: Entry,
    role: LinkRole,
    url: str,
    label: str | None,
) -> list[Patch] | None:
    """Return the patches that add a link to the row's column of this role; None without a model.

    It is written as the nearest link in that column is, then as the row's title is.
    """
    table = table_of_row(document, entry)
    column = table.column_of(role)
    if column is None:
        return None
    sample = find_sample(document, entry, column, url) or title_sample(entry)
    reference: str | None = None
    patches: list[Patch] = []
    if sample is not None and sample.form == "reference":
        reference, patches = numbering.extra(entry, url)
    markup = link_markup(
        document, sample, role, url, label, reference, is_same_column(sample, column)
    )
    links = [link for link in entry.anatomy.links if link.column == column]
    if links and not is_empty_cell(document, entry, column):
        end = content_span(document.text, entry.anatomy.cells[column])[1]
        return [Patch((end, end), link_separator(document, table, column) + markup), *patches]
    return [*set_cell(document, entry, role, markup), *patches]


def is_same_column(sample: PlacedLink | None, column: int) -> bool:
    return sample is not None and sample.column == column


def link_markup(
    document: Document,
    sample: PlacedLink | None,
    role: LinkRole,
    url: str,
    label: str | None,
    reference: str | None,
    is_model: bool,
) -> str:
    """Return a link after a sample; one from another column gives its form, not its label."""
    given = label or (repository_label(sample, url) if role == "code" else None)
    if sample is None:
        return f"[{escape_text(given or 'link')}]({safe_url(url)})"
    if not is_model:
        return like(document.text, sample, url, given or "link", reference)
    opening, closing = wrapping(document.text, sample)
    return opening + like(document.text, sample, url, given, reference) + closing


def find_sample(document: Document, entry: Entry, column: int, url: str = "") -> PlacedLink | None:
    """Return a link in the same column of the row's or a like table: the nearest of those written
    as most around are.

    One to the same sort of host is preferred: a repository's badge is no model for a page's.
    """
    role = table_of_row(document, entry).columns[column].role
    wanted = host_role(url)
    found: list[tuple[bool, int, PlacedLink]] = []
    for other in document.entries:
        if other.anatomy.table is None:
            continue
        theirs = document.tables[other.anatomy.table]
        if column >= len(theirs.columns) or theirs.columns[column].role != role:
            continue
        for link in other.anatomy.links:
            if link.column == column:
                distance = abs(other.line - entry.line)
                found.append((host_role(link.url) != wanted, distance, link))
    near = nsmallest(MODELS, found, key=lambda sample: sample[:2])
    same = [link for is_other, _, link in near if is_other == near[0][0]]
    return most_usual(document.text, same)


def link_separator(document: Document, table: Table, column: int) -> str:
    """Return what stands between two links of one cell: ``, `` unless the rows show another."""
    gaps = []
    for row in model_rows(document, table):
        links = [link for link in row.anatomy.links if link.column == column]
        for first, second in pairwise(links):
            gaps.append(document.text[first.span[1] : second.span[0]])
    return most_common([gap for gap in gaps if len(gap) <= 12]) or ", "


def title_sample(entry: Entry) -> PlacedLink | None:
    return next((link for link in entry.anatomy.links if not link.is_badge), None)


def row_text(
    document: Document, table: Table, fields: EntryFields, references: Mapping[str, str]
) -> str:
    """Return a new row in the table's style, without its line end; ``references`` are the labels
    of the definitions of its links by address."""
    model = _model_row(document, table)
    line, cells = model
    contents = [
        _cell_content(document, table, number, fields, references)
        for number in range(len([c for c in table.columns if c.header]) or len(table.columns))
    ]
    lead, trail, empty = _padding(document, table, line, cells)
    shown = [lead + content + trail if content else empty for content in contents]
    if table.is_aligned:
        widths = [column_width(document, table, number) for number in range(len(shown))]
        shown = [cell.ljust(width) for cell, width in zip(shown, widths, strict=True)]
    opening = document.text[line[0] : cells[0][0]] if cells else "|"
    closing = document.text[cells[-1][1] : line[1]] if cells else "|"
    return opening + "|".join(shown) + closing.rstrip()


def _model_row(document: Document, table: Table) -> tuple[Span, tuple[Span, ...]]:
    """Return (line, cells) of the table's last entry, or of its header."""
    rows = rows_of(document, table)
    if rows:
        anatomy = rows[-1].anatomy
        full = anatomy.cells[: len(table.columns)]
        return anatomy.own, full
    start = document.line_starts[table.header_line]
    end = document.line_starts[table.header_line + 1]
    while end > start and document.text[end - 1] in "\r\n":
        end -= 1
    return (start, end), split_row(document.text, start, end)


def _padding(
    document: Document, table: Table, line: Span, cells: Sequence[Span]
) -> tuple[str, str, str]:
    """Return (blanks before, blanks behind, an empty cell) as the document's rows have them."""
    rows = _like_rows(document, table)
    texts = [document.text[slice(*cell)] for row in rows for cell in row.anatomy.cells]
    texts = texts or [document.text[slice(*cell)] for cell in cells]
    filled = [text for text in texts if text.strip()]
    leads = [text[: len(text) - len(text.lstrip())] for text in filled]
    trails = [text[len(text.rstrip()) :] for text in filled]
    blank = most_common([text for text in texts if not text.strip()])
    lead, trail = most_common(leads) or "", most_common(trails) or ""
    return lead, trail, (lead if blank is None else blank)


def _cell_content(
    document: Document,
    table: Table,
    number: int,
    fields: EntryFields,
    references: Mapping[str, str],
) -> str:
    role = table.columns[number].role
    if role == "title":
        return _title_cell(document, table, fields, references)
    if role == "date":
        return _date_cell(document, table, fields.date)
    if role == "passes":
        return cell_text(document.marks_of(("table", table.index)), fields.passes or 0) or ""
    if role == "rating":
        return rating_text(document, fields.rating)
    if role == "author":
        return ", ".join(escape_text(name) for name in fields.authors)
    if role in ("description", "venue"):
        return escape_text((fields.description if role == "description" else fields.venue) or "")
    if role == "tags":
        return ", ".join(escape_text(tag) for tag in fields.tags)
    links = [link for link in fields.links if link.role == role]
    parts = [_new_link(document, table, number, link, references) for link in links]
    return link_separator(document, table, number).join(parts) or empty_word(
        document, table, number
    )


def _new_link(
    document: Document, table: Table, number: int, link: Link, references: Mapping[str, str]
) -> str:
    """Return a link of a new row as its column's links are written."""
    rows = _like_rows(document, table)
    sample = find_sample(document, rows[-1], number, link.url) if rows else None
    sample = sample or (title_sample(rows[-1]) if rows else None)
    label = None if link.role == "paper" else link.label
    reference = references.get(link.url)
    same = is_same_column(sample, number)
    return link_markup(document, sample, link.role, link.url, label, reference, same)


def _date_cell(document: Document, table: Table, date: str | None) -> str:
    """Return a date with the emphasis that the table's dates have."""
    written = date_text(document, table, date)
    column = table.column_of("date")
    for row in model_rows(document, table):
        if written and row.anatomy.date and column is not None:
            start, end = content_span(document.text, row.anatomy.cells[column])
            before = document.text[start : row.anatomy.date[0]]
            after = document.text[row.anatomy.date[1] : end]
            return before + written + after if len(before + after) <= 8 else written
    return written or ""


def _title_cell(
    document: Document, table: Table, fields: EntryFields, references: Mapping[str, str]
) -> str:
    """Return the title as the other titles of the table stand: linked or not, bold or not.

    It is linked if most are, or if no other column could show the paper's link.
    """
    main = next((link for link in fields.links if link.role in ("paper", "code")), None)
    models = [(row, _title_link(row)) for row in _like_rows(document, table) if row.anatomy.title]
    linked = [pair for pair in models if pair[1] is not None]
    plain_ones = [pair for pair in models if pair[1] is None]
    wants_link = len(linked) >= len(plain_ones) or table.column_of("paper") is None
    before = after = ""
    if main is None or not wants_link:
        for row, _ in reversed(plain_ones):
            before, after = _around(document, row)
            break
        return before + escape_text(fields.title) + after
    for row, link in reversed(linked):
        if link is not None and row.anatomy.title is not None:
            before = document.text[link.label_span[0] : row.anatomy.title[0]]
            after = document.text[row.anatomy.title[1] : link.label_span[1]]
            break
    reference = references.get(main.url)
    target = f"[{reference}]" if reference else f"({safe_url(main.url)})"
    return f"[{before}{escape_text(fields.title)}{after}]{target}"


def _like_rows(document: Document, table: Table) -> list[Entry]:
    """Return the rows of a table; of an empty one, those of tables with the same columns."""
    rows = model_rows(document, table)
    if rows:
        return rows
    all_rows = [entry for entry in document.entries if entry.anatomy.table is not None]
    same = [e for e in all_rows if table_of_row(document, e).columns == table.columns]
    return same or all_rows


def _title_link(row: Entry) -> PlacedLink | None:
    title = row.anatomy.title
    return next((k for k in row.anatomy.links if title and _holds(k.label_span, title)), None)


def _around(document: Document, row: Entry) -> tuple[str, str]:
    """Return the emphasis around a title that is no link."""
    title = row.anatomy.title or (0, 0)
    for opening, closing in (("**", "**"), ("*", "*"), ("<u>", "</u>"), ("<b>", "</b>")):
        if document.text.endswith(opening, 0, title[0]) and document.text.startswith(
            closing, title[1]
        ):
            return opening, closing
    return "", ""


def _holds(outer: Span, inner: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def uses_references(document: Document, table: Table) -> bool:
    """Return whether the titles of a table, or of the document's tables, are reference links."""
    rows = _like_rows(document, table)
    forms = [link.form for row in rows for link in row.anatomy.links]
    return forms.count("reference") * 2 > len(forms)


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

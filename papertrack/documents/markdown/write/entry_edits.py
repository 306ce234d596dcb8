"""Whole entries added, removed and moved, as lines in a document's own order and spacing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from papertrack.documents.markdown.model import Document, Entry, EntryFields, Section, Table
from papertrack.documents.markdown.read.dates import sort_date
from papertrack.documents.markdown.values import Span, most_common
from papertrack.documents.markdown.write.cells import table_of_row
from papertrack.documents.markdown.write.edit_types import Add, Move, NoPlaceError
from papertrack.documents.markdown.write.new_items import (
    choose_model,
    composed,
    marked,
    numbered,
    shows_main_link,
)
from papertrack.documents.markdown.write.new_rows import row_text, uses_references
from papertrack.documents.markdown.write.numbering import Numbering
from papertrack.documents.markdown.write.patches import Patch, overlaps, patched
from papertrack.documents.markdown.write.placement import (
    find_section,
    order_for,
    position_in,
    rank_of,
    rows_of,
    table_of,
)
from papertrack.identifiers import arxiv_month, parse_arxiv_id
from papertrack.records import Link

_BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*")
_INDENT = re.compile(r"[ \t>]*")


def added(document: Document, numbering: Numbering, edit: Add) -> list[Patch]:
    """Return the patches that add a new entry: its line, and its link definitions."""
    section = find_section(document, edit.category)
    if section is None:
        name = "/".join(edit.category)
        raise NoPlaceError(f"The document has no category {name}.")
    table = table_of(document, section)
    if table is not None:
        return _added_row(document, numbering, section, table, edit.fields)
    return _added_item(document, numbering, section, edit.fields)


def removed(document: Document, numbering: Numbering, entry: Entry) -> list[Patch]:
    """Return the patches that take an entry out."""
    return [_cut(document, entry), *numbering.unneeded(entry)]


def without_entries(document: Document, indices: Sequence[int]) -> tuple[str, set[int]]:
    """Return the text without these entries, and which were cut out: not those whose blank lines
    are shared with another one's. Their definitions stay."""
    cuts: list[Patch] = []
    done: set[int] = set()
    for index in indices:
        cut = _cut(document, document.entries[index])
        if not overlaps(cuts, [cut]):
            cuts.append(cut)
            done.add(index)
    return patched(document.text, cuts), done


def moved_entry(document: Document, numbering: Numbering, entry: Entry, edit: Move) -> list[Patch]:
    """Return the patches that move an entry; its definitions stay where they are."""
    section = find_section(document, edit.category)
    if section is None:
        name = "/".join(edit.category)
        raise NoPlaceError(f"The document has no category {name}.")
    if section.index == entry.section:
        return []
    table = table_of(document, section)
    cut = _cut(document, entry)
    text = document.text[slice(*entry.span)].rstrip("\r\n")
    date = sort_date(entry)
    if entry.shape == "row" and table is not None:
        if table_of_row(document, entry).roles != table.roles:
            raise NoPlaceError("The other category's table has other columns.")
        return [cut, _placed_row(document, section, table, text, date)]
    neighbours = _neighbours(document, section)
    if entry.shape == "row" or table is not None or not neighbours:
        raise NoPlaceError("The other category is written in another shape.")
    if neighbours[0].shape != entry.shape:
        raise NoPlaceError("The other category is written in another shape.")
    lines = numbered(document, text, neighbours)
    return [cut, _placed_item(document, section, neighbours, lines, date)]


def _date_of(fields: EntryFields) -> str | None:
    """Return the date by which a new entry is sorted."""
    if fields.date:
        return fields.date
    for link in fields.links:
        if paper := parse_arxiv_id(link.url):
            return arxiv_month(paper.id)
    return None


def _added_row(
    document: Document,
    numbering: Numbering,
    section: Section,
    table: Table,
    fields: EntryFields,
) -> list[Patch]:
    fields = _with_date(fields)
    roles = {column.role for column in table.columns}
    shown = _shown_links(fields, roles)
    labels: dict[str, str] = {}
    patches: list[Patch] = []
    if uses_references(document, table):
        like = [e for e in document.entries if _has_columns(document, e, table)]
        block = numbering.block(fields.title, [link.url for link in shown], like)
        labels, patches = block.labels, block.patches
    line = row_text(document, table, fields, labels)
    return [_placed_row(document, section, table, line, _date_of(fields)), *patches]


def _with_date(fields: EntryFields) -> EntryFields:
    return replace(fields, date=fields.date or _date_of(fields))


def _has_columns(document: Document, entry: Entry, table: Table) -> bool:
    index = entry.anatomy.table
    return index is not None and document.tables[index].roles == table.roles


def _shown_links(fields: EntryFields, roles: set[str]) -> list[Link]:
    """Return the links of a new row that it shows, the title's first."""
    main = [link for link in fields.links if link.role in ("paper", "code")][:1]
    return main + [link for link in fields.links if link.role in roles and link not in main]


def _placed_row(
    document: Document, section: Section, table: Table, line: str, date: str | None
) -> Patch:
    """Return the insertion of a row at its place in the table's order."""
    rows = rows_of(document, table)
    order = order_for(document, section)
    index = position_in(rows, order, date)
    if index < len(rows):
        return _inserted(document, rows[index].span[0], line, rank_of(order, date))
    end = rows[-1].span[1] if rows else _after_header(document, table)
    return _inserted(document, end, line, rank_of(order, date))


def _after_header(document: Document, table: Table) -> int:
    return document.line_start(table.header_line + 2)


def _inserted(document: Document, offset: int, lines: str, rank: int) -> Patch:
    """Insert whole lines; behind a last line without a line end, the line end comes first."""
    end = document.style.line_end
    if offset and document.text[offset - 1] not in "\r\n":
        return Patch((offset, offset), end + lines, rank)
    return Patch((offset, offset), lines + end, rank)


def _added_item(
    document: Document, numbering: Numbering, section: Section, fields: EntryFields
) -> list[Patch]:
    neighbours = _neighbours(document, section)
    model = _model_for(document, neighbours)
    fields = _with_date(fields)
    labels: dict[str, str] = {}
    patches: list[Patch] = []
    if any(link.form == "reference" for link in model.anatomy.links[:1]):
        like = [e for e in document.entries if e.shape == model.shape]
        block = numbering.block(fields.title, [link.url for link in fields.links[:1]], like)
        labels, patches = block.labels, block.patches
    line = marked(document, composed(document, model, fields, labels), neighbours)
    line = numbered(document, line, neighbours)
    placed = _placed_item(document, section, neighbours, line, _date_of(fields))
    return [placed, *patches]


def _model_for(document: Document, neighbours: Sequence[Entry]) -> Entry:
    """Return the entry that a new item is written like: one that links to its paper if there is
    one, rather beside the new one than elsewhere."""
    model = choose_model(document, neighbours)
    if model is None or not shows_main_link(model):
        shapes = {entry.shape for entry in neighbours[:1]} | {"item", "numbered"}
        others = [entry for entry in document.entries if entry.shape in shapes]
        other = choose_model(document, others)
        if model is None or (other and shows_main_link(other)):
            model = other
    if model is None or model.shape in ("row", "html_row", "details", "heading"):
        raise NoPlaceError("The category holds nothing that a new entry could be written like.")
    return model


def _neighbours(document: Document, section: Section) -> list[Entry]:
    """Return the entries of a section at its outer level, of the shape that most have."""
    entries = [document.entries[i] for i in section.entries]
    shape = most_common([entry.shape for entry in entries if entry.shape != "row"])
    alike = [entry for entry in entries if entry.shape == shape]
    indents = [_indent(document, entry) for entry in alike]
    outer = min(indents, default=0)
    return [entry for entry, indent in zip(alike, indents, strict=True) if indent == outer]


def _indent(document: Document, entry: Entry) -> int:
    match = _INDENT.match(document.text, entry.span[0])
    return len(match.group().expandtabs(4)) if match else 0


def _placed_item(
    document: Document,
    section: Section,
    neighbours: Sequence[Entry],
    lines: str,
    date: str | None,
) -> Patch:
    """Return the insertion of an item at its place, apart from its neighbours as they are."""
    end = document.style.line_end
    if not neighbours:
        return _inserted(document, section.heading_span[1], end + lines, 0)
    order = order_for(document, section)
    is_counting = lines[:1].isdigit() and not document.style.is_numbering_constant
    index = len(neighbours) if is_counting else position_in(neighbours, order, date)
    gap = end * _gap(document, neighbours)
    if index == 0:
        start = neighbours[0].span[0]
        return Patch((start, start), lines + end + gap, rank_of(order, date))
    at = _end_of_item(document, neighbours[index - 1])
    if at and document.text[at - 1] not in "\r\n":
        return Patch((at, at), end + gap + lines, rank_of(order, date))
    return Patch((at, at), gap + lines + end, rank_of(order, date))


def _gap(document: Document, neighbours: Sequence[Entry]) -> int:
    """Return how many blank lines stand between neighbours, mostly."""
    gaps = []
    for first, second in pairwise(neighbours):
        between = document.text[_end_of_item(document, first) : second.span[0]]
        if not between.strip():
            gaps.append(len(between.splitlines()))
    return most_common(gaps) or 0


def _end_of_item(document: Document, entry: Entry) -> int:
    """Return where an entry ends with the entries nested under it."""
    end, indent = entry.span[1], _indent(document, entry)
    for other in document.entries[entry.index + 1 :]:
        if other.section != entry.section or _indent(document, other) <= indent:
            break
        end = other.span[1]
    return end


def _cut(document: Document, entry: Entry) -> Patch:
    """Return the patch that takes an entry's lines out, with the blank lines that kept it apart.

    These are those before it; those behind it for the first of a list.
    """
    start, end = entry.span
    if entry.shape in ("item", "numbered", "paragraph"):
        start, end = _with_blank_lines(document, entry)
    if end == len(document.text) and document.text[end - 1 : end] not in ("\n", "\r"):
        start = _before_line_end(document.text, start)
    return Patch((start, end), "")


def _with_blank_lines(document: Document, entry: Entry) -> Span:
    start, end = entry.span
    neighbours = _neighbours(document, document.sections[entry.section])
    indices = [other.index for other in neighbours]
    if entry.index not in indices:
        return start, end
    number = indices.index(entry.index)
    if number:
        before = _end_of_item(document, neighbours[number - 1])
        if not document.text[before:start].strip():
            return before, end
    elif len(neighbours) > 1:
        after = _BLANK_LINES.match(document.text, end)
        if after and after.end() == neighbours[1].span[0]:
            return start, after.end()
    return start, end


def _before_line_end(text: str, offset: int) -> int:
    """Return an offset without the one line end before it."""
    if text.endswith("\r\n", 0, offset):
        return offset - 2
    return offset - 1 if offset and text[offset - 1] in "\r\n" else offset

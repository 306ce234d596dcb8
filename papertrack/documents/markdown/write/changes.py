"""From one edit to its patches. What a document has no place for raises ``NoPlaceError``."""

from __future__ import annotations

from dataclasses import replace

from papertrack.documents.markdown.marks.registry import cell_text, kind_of
from papertrack.documents.markdown.model import Document, Entry, EntryFields
from papertrack.documents.markdown.read.dates import date_like
from papertrack.documents.markdown.write.cells import set_value
from papertrack.documents.markdown.write.edit_types import (
    Add,
    Edit,
    Move,
    NoPlaceError,
    Remove,
    SetDate,
    SetLink,
    SetPasses,
    SetRating,
    SetTitle,
)
from papertrack.documents.markdown.write.entry_edits import (
    moved_entry,
    neighbours_of,
    placed_item,
    placed_row,
    removed,
    section_of,
    table_of,
)
from papertrack.documents.markdown.write.links import end_of_words, set_link
from papertrack.documents.markdown.write.markup import escape_title
from papertrack.documents.markdown.write.new_items import new_item
from papertrack.documents.markdown.write.new_rows import date_text, new_row, rating_text
from papertrack.documents.markdown.write.numbering import Numbering
from papertrack.documents.markdown.write.patches import Patch, replaced
from papertrack.identifiers import arxiv_month, parse_arxiv_id


def patches_of(
    document: Document, numbering: Numbering, edit: Edit, entry: Entry | None
) -> list[Patch]:
    """Return the patches that make one edit; none if the document already says so."""
    if isinstance(edit, Add):
        return _added(document, numbering, edit)
    assert entry is not None, "every edit but Add has an entry"
    match edit:
        case SetTitle():
            return _title(document, numbering, entry, edit)
        case SetLink():
            return set_link(document, numbering, entry, edit)
        case Move():
            return moved_entry(document, entry, edit)
        case Remove():
            return removed(document, numbering, entry)
        case _:
            return _value(document, entry, edit)


def _added(document: Document, numbering: Numbering, edit: Add) -> list[Patch]:
    """Return the patches that add a new entry: its line, and its link definitions."""
    section = section_of(document, edit.category)
    fields = replace(edit.fields, date=_date_of(edit.fields))
    table = table_of(document, section)
    if table is not None:
        line, definitions = new_row(document, numbering, table, fields)
        return [placed_row(document, section, table, line, fields.date), *definitions]
    neighbours = neighbours_of(document, section)
    line, definitions = new_item(document, numbering, neighbours, fields)
    return [placed_item(document, section, neighbours, line, fields.date), *definitions]


def _date_of(fields: EntryFields) -> str | None:
    """Return the date by which a new entry is sorted."""
    ids = (paper.id for link in fields.links if (paper := parse_arxiv_id(link.url)))
    return fields.date or next(map(arxiv_month, ids), None)


_VALUES = {
    SetPasses: ("passes", "reading mark"),
    SetRating: ("rating", "rating"),
    SetDate: ("date", "date"),
}
"""The fields that edits set, and what they are called."""


def _value(document: Document, entry: Entry, edit: SetPasses | SetRating | SetDate) -> list[Patch]:
    """Return the patch that writes a value: into its cell, or where an entry that is no row has
    it, or others have theirs."""
    field, called = _VALUES[type(edit)]
    if field not in entry.places:
        raise NoPlaceError(f"The document has no place for a {called}.")
    if getattr(edit, field) == getattr(entry.fields, field):
        return []
    anatomy = entry.anatomy
    match edit:
        case SetPasses():
            marks, done = document.marks_of(entry.group), entry.fields.passes or 0
            if done > 0 and edit.passes > 0 and marks.max_passes == 1:
                return []
            span = anatomy.mark.span if anatomy.mark else None
            text = _mark_text(document, entry, edit)
        case SetRating():
            span, text = anatomy.rating, rating_text(document, edit.rating)
        case SetDate():
            span, text = anatomy.date, _date_text(document, entry, edit)
    if entry.shape == "row":
        return set_value(document, entry, field, span, text)
    if span is not None:
        is_same = document.text[slice(*span)].strip() == text
        return [] if is_same else [replaced(document.text, span, text)]
    if not text:
        return []
    if field == "passes" and _marks_come_first(document, entry):
        start = anatomy.own[0]
        return [Patch((start, start), text + " ")]
    end = end_of_words(document, entry)
    return [Patch((end, end), " " + text)]


def _mark_text(document: Document, entry: Entry, edit: SetPasses) -> str:
    """Return a reading mark; one for an item is of the kind that it has, else the document's."""
    style, mark = document.marks_of(entry.group), entry.anatomy.mark
    kind = kind_of(style)
    if entry.shape == "row":
        text, reason = cell_text(style, edit.passes, edit.at), kind.needs
    else:
        if mark is not None and (mark.kind.signs or mark.kind.is_slot):
            kind = mark.kind  # Words, however, are known only where most marks are words.
        text = None if kind.is_only_in_cells else kind.write(style, edit.passes, None)
        reason = "The document has no place for a reading mark."
    if text is None:
        raise NoPlaceError(reason)
    return text


def _marks_come_first(document: Document, entry: Entry) -> bool:
    """Whether the document's marks stand before titles."""
    for other in document.entries:
        mark, title = other.anatomy.mark, other.anatomy.title
        if other.shape == entry.shape and mark and title:
            return mark.span[0] < title[0]
    return False


def _date_text(document: Document, entry: Entry, edit: SetDate) -> str:
    """Return a date as the table, or an entry that is no row, writes its own."""
    text = None
    if entry.shape == "row":
        text = date_text(document, document.table_of(entry), edit.date)
    elif edit.date and entry.anatomy.date:
        text = date_like(document, entry, edit.date)
    if text is None:
        raise NoPlaceError("The date is not known as precisely as the document writes dates.")
    return text


def _title(document: Document, numbering: Numbering, entry: Entry, edit: SetTitle) -> list[Patch]:
    span = entry.anatomy.title
    if span is None or not entry.fields.title:  # A picture in the place of a title stays.
        raise NoPlaceError("The entry shows no title.")
    if edit.title == entry.fields.title:
        return []
    return [
        Patch(span, escape_title(document.text, edit.title, entry)),
        *numbering.retitled(entry, edit.title),
    ]

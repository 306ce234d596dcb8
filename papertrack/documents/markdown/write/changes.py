"""From one edit to its patches. What a document has no place for raises ``NoPlaceError``."""

from __future__ import annotations

from dataclasses import replace

from papertrack.documents.markdown.marks.registry import cell_text, kind_of
from papertrack.documents.markdown.model import Document, Entry, EntryFields, PlacedLink
from papertrack.documents.markdown.read.columns import content_span
from papertrack.documents.markdown.values import Span
from papertrack.documents.markdown.write.cells import set_cell, set_value
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
)
from papertrack.documents.markdown.write.item_edits import (
    drop_item_link,
    set_item_date,
    set_item_link,
    set_item_passes,
    set_item_rating,
)
from papertrack.documents.markdown.write.markup import escape_title, is_safe_target, safe_url
from papertrack.documents.markdown.write.new_items import new_item
from papertrack.documents.markdown.write.numbering import Numbering
from papertrack.documents.markdown.write.patches import Patch
from papertrack.documents.markdown.write.placement import section_of, table_of
from papertrack.documents.markdown.write.row_edits import (
    date_text,
    new_row,
    rating_text,
    set_row_link,
)
from papertrack.documents.markdown.write.samples import label_like
from papertrack.identifiers import arxiv_month, parse_arxiv_id
from papertrack.records import Link


def patches_of(
    document: Document, numbering: Numbering, edit: Edit, entry: Entry | None
) -> list[Patch]:
    """Return the patches that make one edit; none if the document already says so."""
    if isinstance(edit, Add):
        return _added(document, numbering, edit)
    assert entry is not None, "every edit but Add has an entry"
    if isinstance(edit, SetTitle):
        return _title(document, numbering, entry, edit)
    if isinstance(edit, SetLink):
        return _link(document, numbering, entry, edit)
    if isinstance(edit, Move):
        return moved_entry(document, numbering, entry, edit)
    if isinstance(edit, Remove):
        return removed(document, numbering, entry)
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
    if fields.date:
        return fields.date
    for link in fields.links:
        if paper := parse_arxiv_id(link.url):
            return arxiv_month(paper.id)
    return None


_VALUES = {
    SetPasses: ("passes", "reading mark"),
    SetRating: ("rating", "rating"),
    SetDate: ("date", "date"),
}
"""The fields that edits set, and what they are called."""


def _value(document: Document, entry: Entry, edit: SetPasses | SetRating | SetDate) -> list[Patch]:
    field, called = _VALUES[type(edit)]
    if field not in entry.places:
        raise NoPlaceError(f"The document has no place for a {called}.")
    if getattr(edit, field) == getattr(entry.fields, field):
        return []
    if isinstance(edit, SetPasses):
        return _passes(document, entry, edit)
    if isinstance(edit, SetRating):
        return _rating(document, entry, edit)
    return _date(document, entry, edit)


def _passes(document: Document, entry: Entry, edit: SetPasses) -> list[Patch]:
    marks, mark = document.marks_of(entry.group), entry.anatomy.mark
    if (entry.fields.passes or 0) > 0 and edit.passes > 0 and marks.max_passes == 1:
        return []
    if entry.shape != "row":
        return set_item_passes(document, entry, edit.passes)
    text = cell_text(marks, edit.passes, edit.at)
    if text is None:
        raise NoPlaceError(kind_of(marks).needs)
    return set_value(document, entry, "passes", mark.span if mark else None, text)


def _rating(document: Document, entry: Entry, edit: SetRating) -> list[Patch]:
    text = rating_text(document, edit.rating)
    if entry.shape == "row":
        return set_value(document, entry, "rating", entry.anatomy.rating, text)
    return set_item_rating(document, entry, text)


def _date(document: Document, entry: Entry, edit: SetDate) -> list[Patch]:
    patches = None
    if entry.shape == "row":
        written = date_text(document, document.table_of(entry), edit.date)
        if written is not None:
            patches = set_value(document, entry, "date", entry.anatomy.date, written)
    elif edit.date:
        patches = set_item_date(document, entry, edit.date)
    if patches is None:
        raise NoPlaceError("The date is not known as precisely as the document writes dates.")
    return patches


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


def _link(document: Document, numbering: Numbering, entry: Entry, edit: SetLink) -> list[Patch]:
    links = entry.anatomy.links
    if edit.url is None:
        return _without_links(document, numbering, entry, _dropped_links(entry, edit))
    if not is_safe_target(edit.url):
        raise NoPlaceError("Only web addresses and relative paths are written into a document.")
    if any(link.url in (edit.url, safe_url(edit.url)) for link in links):
        return []
    replaces = edit.replaces
    if replaces is None and edit.role == "paper":
        replaces = _main_address(entry)
    if replaces is not None:
        return _retargeted(document, numbering, entry, replaces, edit)
    link = Link(edit.role, edit.url, edit.label)
    set_link = set_row_link if entry.shape == "row" else set_item_link
    patches = set_link(document, numbering, entry, link)
    if patches is None:
        raise NoPlaceError(f"The document has no place for a {edit.role} link.")
    return patches


def _dropped_links(entry: Entry, edit: SetLink) -> list[PlacedLink]:
    """Return the links that an edit takes away: those to one address, or all of the role."""
    links = entry.anatomy.links
    if edit.replaces:
        return [link for link in links if link.url == edit.replaces]
    return [link for link in links if link.role == edit.role]


def _main_address(entry: Entry) -> str | None:
    """Return the address of the link that stands for the paper: the first, if none says so."""
    links = entry.anatomy.links
    papers = [link.url for link in links if link.role in ("paper", "pdf")]
    return next(iter([*papers, *(link.url for link in links)]), None)


def _retargeted(
    document: Document, numbering: Numbering, entry: Entry, old: str, edit: SetLink
) -> list[Patch]:
    """Give all of an entry's links to one address another address, and what names it in labels."""
    found = [link for link in entry.anatomy.links if link.url == old and link.form != "text"]
    if not found:
        raise NoPlaceError(f"The entry has no link to {old}.")
    url = edit.url or ""
    patches: dict[Span, Patch] = {}
    for link in found:
        new = [
            *_label_patches(document, entry, link, edit),
            *_target_patches(numbering, entry, link, url),
        ]
        patches |= {patch.span: patch for patch in new}
    return list(patches.values())


def _label_patches(
    document: Document, entry: Entry, link: PlacedLink, edit: SetLink
) -> list[Patch]:
    """Return the patch of a label that names what its link leads to; a title says the same."""
    is_address = link.label_span == link.url_span
    if is_address or (link.label != link.url and entry.anatomy.is_title(link)):
        return []
    label = label_like(document.text, link, edit.url or "", edit.label)
    is_same = label == document.text[slice(*link.label_span)]
    return [] if is_same else [Patch(link.label_span, label)]


def _target_patches(numbering: Numbering, entry: Entry, link: PlacedLink, url: str) -> list[Patch]:
    """Return the patches that lead a link elsewhere; a definition that others use stays."""
    if link.reference is None or not numbering.is_shared(link.reference, entry):
        return [Patch(link.url_span, safe_url(url))]
    label, patches = numbering.extra(entry, url)
    return [*patches, Patch((link.label_span[1] + 2, link.span[1] - 1), label)]


def _without_links(
    document: Document, numbering: Numbering, entry: Entry, gone: list[PlacedLink]
) -> list[Patch]:
    """Take links out of an entry, their cell emptied or the separator gone with them."""
    if any(entry.anatomy.is_title(link) for link in gone):
        raise NoPlaceError("The title's own link stays: a title without it is not an entry.")
    patches: list[Patch] = []
    for column in dict.fromkeys(link.column for link in gone):
        held = [link for link in gone if link.column == column]
        if column is None:
            patches += [drop_item_link(document, entry, link) for link in held]
        else:
            patches += _without_in_cell(document, entry, column, held)
    for link in gone:
        if link.reference and not numbering.is_shared(link.reference, entry):
            patches += numbering.dropped_label(link.reference, entry.fields.title)
    return patches


def _without_in_cell(
    document: Document, entry: Entry, column: int, gone: list[PlacedLink]
) -> list[Patch]:
    held = [link for link in entry.anatomy.links if link.column == column]
    if len(held) == len(gone):
        return set_cell(document, entry, column, "")
    start, _ = content_span(document.text, entry.anatomy.cells[column])
    patches = []
    for link in gone:
        number = held.index(link)
        if number:
            patches.append(Patch((held[number - 1].span[1], link.span[1]), ""))
        else:
            patches.append(Patch((start, held[1].span[0]), ""))
    return patches

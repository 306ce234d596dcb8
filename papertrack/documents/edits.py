"""Edits of a document: the smallest span that says something different is replaced, no more.

An edit that the document has no place for is refused with a reason, never forced; the others are
made. Edits do not depend on each other's order, except that several edits of one place are made in
the order given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from papertrack.documents.changes import NoPlaceError, patches_of
from papertrack.documents.document import parse_document
from papertrack.documents.edit_types import (
    Add,
    Edit,
    Edited,
    Move,
    Refusal,
    Remove,
    SetDate,
    SetLink,
    SetPasses,
    SetRating,
    SetTitle,
)
from papertrack.documents.model import Document
from papertrack.documents.numbering import Numbering
from papertrack.documents.patches import Patch, moved, overlaps, patched

__all__ = [
    "Add",
    "Edit",
    "Edited",
    "Move",
    "Refusal",
    "Remove",
    "SetDate",
    "SetLink",
    "SetPasses",
    "SetRating",
    "SetTitle",
    "apply_edits",
]


def apply_edits(document: Document, edits: Sequence[Edit]) -> Edited:
    """Return the document's text with the edits made, and those that it has no place for.

    Edits name entries of the document as given. Without edits the text is the same object.
    """
    refused: list[Refusal] = []
    pending = [(edit, _start_of(document, edit)) for edit in edits]
    while pending:
        document, pending = _one_round(document, pending, refused)
    return Edited(document.text, tuple(refused))


_Pending = list[tuple[Edit, int | None]]


def _start_of(document: Document, edit: Edit) -> int | None:
    """Return where the edited entry starts: what finds it again in a patched text."""
    return None if isinstance(edit, Add) else document.entries[edit.entry_index].span[0]


def _one_round(
    document: Document, pending: _Pending, refused: list[Refusal]
) -> tuple[Document, _Pending]:
    """Make the edits that do not meet; return the new document and the edits still to be made."""
    starts = {entry.span[0]: entry for entry in document.entries}
    numbering = Numbering(document)
    made: list[Patch] = []
    later: _Pending = []
    for edit, start in pending:
        entry = starts.get(start) if start is not None else None
        if start is not None and entry is None:
            refused.append(Refusal(edit, "The entry is no longer in the document."))
            continue
        touched_later = any(other == start and start is not None for _, other in later)
        try:
            patches = patches_of(document, numbering, edit, entry)
        except NoPlaceError as error:
            refused.append(Refusal(edit, str(error)))
            continue
        if touched_later or overlaps(made, patches):
            later.append((edit, start))
            numbering = Numbering(document) if not made else numbering
        else:
            made += patches
    if not made:
        return document, []
    text = patched(document.text, made)
    still = [(edit, None if start is None else moved(start, made)) for edit, start in later]
    return (parse_document(text) if still else replace(document, text=text)), still

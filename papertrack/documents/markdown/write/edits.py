"""Edits of a document: the smallest span that says something different is replaced, no more.

An edit that the document has no place for is refused with a reason, never forced; the others are
made. Edits do not depend on each other's order, except that several edits of one place are made in
the order given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.changes import patches_of
from papertrack.documents.markdown.write.edit_types import (
    Add,
    Edit,
    Edited,
    Move,
    NoPlaceError,
    Refusal,
    Remove,
    SetDate,
    SetLink,
    SetPasses,
    SetRating,
    SetTitle,
    Taken,
)
from papertrack.documents.markdown.write.hunks import hunks_of, units_of
from papertrack.documents.markdown.write.numbering import Numbering
from papertrack.documents.markdown.write.patches import Patch, moved, overlaps, patched
from papertrack.text import clean

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
    "Taken",
    "apply_edits",
]


def apply_edits(document: Document, edits: Sequence[Edit]) -> Edited:
    """Return the document's text with the edits made, and those that were not, with reasons.

    Edits name entries of the document as given. Without edits the text is the same object. The
    edited text is read again: an edit that would cost another entry, or the edited one, is refused.
    """
    edited = _made(document, edits)
    if _is_whole(document, edits, edited):
        return edited
    kept: list[Edit] = []
    refused = list(edited.refused)
    for edit in edits:
        if edit in (refusal.edit for refusal in edited.refused):
            continue
        trial = _made(document, [edit])
        if _is_whole(document, [edit], trial):
            kept.append(edit)
        else:
            refused.append(Refusal(edit, "The entry would not be read as itself afterwards."))
    edited = _made(document, kept)
    if not _is_whole(document, kept, edited):
        reason = "The edits could not be made together."
        return Edited(document.text, (*refused, *(Refusal(edit, reason) for edit in kept)))
    return replace(edited, refused=tuple(refused))


def _made(document: Document, edits: Sequence[Edit]) -> Edited:
    """Make edits without looking back."""
    refused: list[Refusal] = []
    taken: list[Taken] = []
    # An entry is changed where it stands before it goes or moves.
    ordered = sorted(edits, key=lambda edit: 2 * isinstance(edit, Move) + isinstance(edit, Remove))
    pending = [(edit, _start_of(document, edit)) for edit in ordered]
    done = 0
    while pending:
        size = len(document.text) + 1
        document, pending = _one_round(document, pending, refused, taken, done)
        done += size
    return Edited(document.text, tuple(refused), tuple(taken))


def _is_whole(document: Document, edits: Sequence[Edit], edited: Edited) -> bool:
    """Return whether the edited text holds all entries: the untouched under their own names, the
    retitled ones under their new titles, the others under their identifiers or titles."""
    if edited.text == document.text:
        return True
    unmade = [refusal.edit for refusal in edited.refused]
    made = [edit for edit in edits if edit not in unmade]
    added = sum(isinstance(edit, Add) for edit in made)
    removed = {edit.entry_index for edit in made if isinstance(edit, Remove)}
    touched = {edit.entry_index for edit in made if not isinstance(edit, Add)}
    after = parse_document(edited.text, document.settings).entries
    untouched = Counter(_name(entry) for entry in document.entries if entry.index not in touched)
    count = len(document.entries) + added - len(removed)
    titles = {clean(edit.title) for edit in made if isinstance(edit, SetTitle)}
    if not titles <= {entry.fields.title for entry in after}:
        return False
    retitled = {edit.entry_index for edit in made if isinstance(edit, SetTitle)}
    names = Counter(entry.fields.title for entry in after)
    known = {entry.identifiers for entry in after} | {n for n, count in names.items() if count == 1}
    for index in touched - removed - retitled:
        entry = document.entries[index]
        if not known & {entry.identifiers or None, entry.fields.title or None}:
            return False  # It has become something else: its own link was taken for another one.
    return len(after) == count and untouched <= Counter(_name(entry) for entry in after)


def _name(entry: Entry) -> tuple[object, ...]:
    """Return what an entry names, whatever else names it too."""
    return entry.identifiers or (entry.fields.title,)


_Pending = list[tuple[Edit, int | None]]


def _start_of(document: Document, edit: Edit) -> int | None:
    """Return where the edited entry starts: what finds it again in a patched text."""
    return None if isinstance(edit, Add) else document.entries[edit.entry_index].span[0]


def _one_round(
    document: Document,
    pending: _Pending,
    refused: list[Refusal],
    taken: list[Taken],
    done: int,
) -> tuple[Document, _Pending]:
    """Make the edits that do not meet; return the new document and the edits still to be made.

    ``done`` is greater than the order of any piece that was cut out before.
    """
    starts = {entry.span[0]: entry for entry in document.entries}
    numbering = Numbering(document)
    reaches_out = any(isinstance(edit, Move | Remove | SetLink | SetTitle) for edit, _ in pending)
    units = units_of(document) if reaches_out else []
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
            if entry is not None and (out := _reaching_out(edit, entry, patches)):
                taken.append(Taken(edit, hunks_of(document, units, out, done)))
    if not made:
        return document, []
    text = patched(document.text, made)
    still: _Pending = []
    for edit, start in later:
        if start is not None and _is_cut(start, made):
            refused.append(Refusal(edit, "The entry is no longer where it was."))
        else:
            still.append((edit, None if start is None else moved(start, made)))
    if still:
        return parse_document(text, document.settings), still
    return replace(document, text=text), still


def _reaching_out(edit: Edit, entry: Entry, patches: Sequence[Patch]) -> list[Patch]:
    """Return the patches that cut an entry out, or change what is outside of it."""
    start, end = entry.span
    if isinstance(edit, Move | Remove):
        return [patch for patch in patches if not patch.text]
    if isinstance(edit, SetLink | SetTitle):
        return [p for p in patches if p.span[0] >= end or p.span[1] <= start != p.span[0]]
    return []


def _is_cut(offset: int, patches: Sequence[Patch]) -> bool:
    return any(p.span[0] <= offset < p.span[1] and not p.text for p in patches)

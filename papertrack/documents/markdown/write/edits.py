"""Edits of a document: the smallest span that says something different is replaced, no more.

An edit that the document has no place for is refused with a reason, never forced; the others are
made. Edits do not depend on each other's order, except that several edits of one place are made in
the order given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.write.changes import patches_of
from papertrack.documents.markdown.write.edit_types import (
    Add,
    Edit,
    Edited,
    Move,
    NoPlaceError,
    Refusal,
    Remove,
    SetLink,
    SetTitle,
    Taken,
)
from papertrack.documents.markdown.write.hunks import hunks_of, units_of
from papertrack.documents.markdown.write.numbering import Numbering
from papertrack.documents.markdown.write.patches import Patch, moved, overlaps, patched
from papertrack.text import clean


def apply_edits(document: Document, edits: Sequence[Edit]) -> Edited:
    """Return the document's text with the edits made, and those that were not, with reasons.

    Edits name entries of the document as given. Without edits the text is the same object. The
    edited text is read again: an edit that would cost another entry, or the edited one, is refused.
    """
    edited = _Making(document, edits).make()
    if _is_whole(document, edits, edited):
        return edited
    kept: list[Edit] = []
    refused = list(edited.refused)
    unmade = [refusal.edit for refusal in edited.refused]
    for edit in edits:
        if edit in unmade:
            continue
        if _is_whole(document, [edit], _Making(document, [edit]).make()):
            kept.append(edit)
        else:
            refused.append(Refusal(edit, "The entry would not be read as itself afterwards."))
    edited = _Making(document, kept).make()
    if not _is_whole(document, kept, edited):
        reason = "The edits could not be made together."
        return Edited(document.text, (*refused, *(Refusal(edit, reason) for edit in kept)))
    return replace(edited, refused=tuple(refused))


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An edit still to be made."""

    edit: Edit
    start: int | None
    """Where the entry starts, which finds it again in a patched text; None for a new one."""


class _Making:
    """Edits made without looking back, in rounds: in each those that do not meet."""

    def __init__(self, document: Document, edits: Sequence[Edit]) -> None:
        self.document = document
        self.refused: list[Refusal] = []
        self.taken: list[Taken] = []
        self.done = 0
        """Greater than the order of any hunk of the rounds before."""
        # An entry is changed where it stands before it goes or moves.
        ordered = sorted(edits, key=lambda one: 2 * isinstance(one, Move) + isinstance(one, Remove))
        self.waiting = [_Waiting(edit, _start_of(document, edit)) for edit in ordered]

    def make(self) -> Edited:
        """Make the edits."""
        while self.waiting:
            size = len(self.document.text) + 1
            self._make_round()
            self.done += size
        return Edited(self.document.text, tuple(self.refused), tuple(self.taken))

    def _make_round(self) -> None:
        """Make the edits that do not meet; the others wait for the next round."""
        starts = {entry.span[0]: entry for entry in self.document.entries}
        reaches_out = any(isinstance(one.edit, _REACHING_OUT) for one in self.waiting)
        units = units_of(self.document) if reaches_out else []
        numbering = Numbering(self.document)
        made: list[Patch] = []
        later: list[_Waiting] = []
        for one in self.waiting:
            entry = None if one.start is None else starts.get(one.start)
            patches = self._patches(numbering, one, entry)
            if patches is None:
                continue
            if _waits_behind(one, later) or overlaps(made, patches):
                later.append(one)
                continue
            made += patches
            if entry is not None and (out := _reaching_out(one.edit, entry, patches)):
                hunks = hunks_of(self.document, units, out, self.done)
                self.taken.append(Taken(one.edit, hunks))
        self._patch(made, later)

    def _patches(
        self, numbering: Numbering, one: _Waiting, entry: Entry | None
    ) -> list[Patch] | None:
        """Return the patches of one edit; None if it is refused."""
        try:
            if entry is None and one.start is not None:
                raise NoPlaceError("The entry is no longer in the document.")
            return patches_of(self.document, numbering, one.edit, entry)
        except NoPlaceError as error:
            self.refused.append(Refusal(one.edit, str(error)))
            return None

    def _patch(self, made: Sequence[Patch], later: Sequence[_Waiting]) -> None:
        """Patch the document, and find the entries of the edits that wait in the new text."""
        self.waiting = []
        for one in later:
            if one.start is not None and _is_cut(one.start, made):
                self.refused.append(Refusal(one.edit, "The entry is no longer where it was."))
            else:
                start = None if one.start is None else moved(one.start, made)
                self.waiting.append(replace(one, start=start))
        text = patched(self.document.text, made) if made else self.document.text
        if self.waiting:
            self.document = self.document.parse_again(text)
        else:
            self.document = replace(self.document, text=text)


_REACHING_OUT = (Move, Remove, SetLink, SetTitle)
"""The edits that change something outside of their entries."""


def _start_of(document: Document, edit: Edit) -> int | None:
    return None if isinstance(edit, Add) else document.entries[edit.entry_index].span[0]


def _waits_behind(one: _Waiting, later: Sequence[_Waiting]) -> bool:
    """Whether an edit of the same entry has to wait."""
    return one.start is not None and any(other.start == one.start for other in later)


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


def _is_whole(document: Document, edits: Sequence[Edit], edited: Edited) -> bool:
    """Return whether the edited text holds as many entries as it should: the untouched under
    their own names, the retitled ones under their new titles, the others under their identifiers
    or titles, none of which has become something else, its own link taken for another one."""
    if edited.text == document.text:
        return True
    unmade = [refusal.edit for refusal in edited.refused]
    made = [edit for edit in edits if edit not in unmade]
    touched, removed, renamed = (_touched(made, kind) for kind in (object, Remove, SetTitle))
    after = document.parse_again(edited.text).entries
    titles = Counter(entry.fields.title for entry in after)
    known: set[object] = {entry.identifiers for entry in after}
    known |= {title for title, count in titles.items() if count == 1}
    changed = [document.entries[index] for index in touched - removed - renamed]
    untouched = Counter(_name(entry) for entry in document.entries if entry.index not in touched)
    added = sum(isinstance(edit, Add) for edit in made)
    return (
        {clean(edit.title) for edit in made if isinstance(edit, SetTitle)} <= titles.keys()
        and all(known & {one.identifiers or None, one.fields.title or None} for one in changed)
        and len(after) == len(document.entries) + added - len(removed)
        and untouched <= Counter(_name(entry) for entry in after)
    )


def _touched(made: Sequence[Edit], kind: type) -> set[int]:
    """Return the indexes of the entries that edits of this kind are about."""
    return {
        edit.entry_index for edit in made if isinstance(edit, kind) and not isinstance(edit, Add)
    }


def _name(entry: Entry) -> tuple[object, ...]:
    """Return what an entry names, whatever else names it too."""
    return entry.identifiers or (entry.fields.title,)

"""Giving an entry its old text again when the library takes back what exports wrote into it.

An edit writes a title, a mark or a link in the document's style. What stood there before may have
said the same in its own way, with markup that no edit would write: that is kept, and comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.write.edit_types import (
    Add,
    Edit,
    Move,
    SetDate,
    SetLink,
    SetPasses,
    SetRating,
    SetTitle,
    Taken,
)
from papertrack.documents.markdown.write.giving_back import OldText, with_old_texts
from papertrack.documents.markdown.write.numbering import Numbering
from papertrack.documents.markdown.write.taking import from_plain, to_plain
from papertrack.library import Library
from papertrack.store.documents import FormerText, Values
from papertrack.sync.export_plan import Plan, field_of, unbroken
from papertrack.sync.markdown.items import items_of
from papertrack.sync.markdown.matching import match_entries
from papertrack.sync.markdown.reading import ReadDocument
from papertrack.sync.markdown.values import EXPORTED_ROLES, EXPORTED_SCALARS

ValuesOf = Callable[[Entry], Values]
"""What an entry says, by field."""


@dataclass(frozen=True, slots=True)
class GivenBack:
    """A document whose entries have their old texts where they say the same again."""

    document: Document
    former: dict[int, list[FormerText]] = field(default_factory=dict)
    """What to remember of the entries that were edited, by their id."""
    indexes: frozenset[int] = frozenset()
    """The entries, as the edits name them, that got their old text: all of theirs is done."""


@dataclass(frozen=True, slots=True)
class _Edited:
    """One entry that an export edited, or could not edit."""

    entry_id: int
    before: FormerText
    edit_index: int
    """As the edits name it."""
    index: int
    """Among the entries of the edited document."""
    history: list[FormerText]
    """What it was earlier, if nobody has touched it since."""
    was: int | None
    """Which of these says what the entry is to say now."""


def give_back(
    read: ReadDocument,
    plan: Plan,
    start: Document,
    edited: Document,
    taken: Sequence[Taken],
    values_of: ValuesOf,
) -> GivenBack:
    """Put the old text of entries back into ``edited``, made from ``start`` by the plan's edits."""
    changed = _find_edited(plan, start, edited, taken, values_of)
    document = edited
    wanted = {one.index: one for one in changed if one.was is not None}
    while wanted:
        olds = {index: _old_text(one) for index, one in wanted.items()}
        document = read.parse_again(with_old_texts(start, edited, olds))
        is_whole = len(document.entries) == len(edited.entries)
        failed = [
            index
            for index, one in wanted.items()
            if not is_whole or values_of(document.entries[index]) != one.history[one.was or 0].base
        ]
        if not failed:
            break
        document = edited
        for index in failed:
            del wanted[index]
    remembered = {
        one.entry_id: (
            one.history[: one.was] if one.index in wanted else [*one.history, one.before]
        )
        for one in changed
        if one.index in wanted or one.before.text != one.before.replaced_by
    }
    indexes = frozenset(one.edit_index for one in wanted.values())
    return GivenBack(document, remembered, indexes)


def _old_text(edited: _Edited) -> OldText:
    """The text to give back, and all definitions that were cut out since."""
    since = edited.history[edited.was or 0 :]
    pieces = [from_plain(piece) for one in since for piece in one.pieces]
    ordered = [replace(piece, order=order) for order, piece in enumerate(pieces)]
    comment = next((one.comment for one in since if one.comment), None)
    return OldText(since[0].text, tuple(ordered), comment)


def _find_edited(
    plan: Plan,
    start: Document,
    edited: Document,
    taken: Sequence[Taken],
    values_of: ValuesOf,
) -> list[_Edited]:
    cut: dict[int, list[dict[str, object]]] = {}
    for one in taken:
        if isinstance(one.edit, SetLink):
            plain = map(to_plain, sorted(one.pieces, key=lambda piece: piece.order))
            cut.setdefault(one.edit.entry_index, []).extend(plain)
    edits: dict[int, list[Edit]] = {}
    for edit in plan.edits:
        if not isinstance(edit, Add):
            edits.setdefault(edit.entry_index, []).append(edit)
    if not edits:
        return []
    # Only titles, keys and identifiers are compared: no file is looked at.
    matches = match_entries(plan.kept, items_of(edited, Library(Path()), Path()))
    numbers = {position: n for n, position in matches.items()}
    numbering = Numbering(start)
    found = []
    for index in sorted(edits):
        position = plan.positions[index]
        entry_id = plan.kept[position].id
        is_moved = any(isinstance(edit, Move) for edit in edits[index])
        if entry_id is None or is_moved or position not in numbers:
            continue
        old, new = start.entries[index], edited.entries[numbers[position]]
        text, replaced_by = start.text[slice(*old.span)], edited.text[slice(*new.span)]
        history = unbroken(plan.former.get(entry_id, []), text)
        says = _wanted(values_of(old), values_of(new), edits[index])
        was = next((n for n, one in enumerate(history) if _exported(one.base) == says), None)
        before = FormerText(
            text,
            values_of(old),
            replaced_by,
            cut.get(index, []),
            _comment(numbering, old) if "title" in map(field_of, edits[index]) else None,
        )
        found.append(_Edited(entry_id, before, index, new.index, history, was))
    return found


def _comment(numbering: Numbering, entry: Entry) -> str | None:
    span = numbering.comment_of(entry)
    return numbering.document.text[slice(*span)] if span else None


def _wanted(before: Values, after: Values, edits: Sequence[Edit]) -> Values:
    """What the edits of one entry are for, whether the document has a place for all of it or not.

    A note is named by the library, not by its address in the document: of it counts what is read.
    """
    values = before | {"note": after["note"]}
    for edit in edits:
        if isinstance(edit, SetLink) and edit.role != "note":
            values[edit.role] = edit.applied_to(values.get(edit.role, []))
        elif isinstance(edit, SetTitle):
            values["title"] = edit.title
        elif isinstance(edit, SetDate):
            values["date"] = edit.date
        elif isinstance(edit, SetPasses):
            values["passes"] = edit.passes
        elif isinstance(edit, SetRating):
            values["rating"] = edit.rating
    return _exported(values)


def _exported(values: Values) -> Values:
    """What an export writes: nothing else can have changed where no other hand was."""
    said: Values = {name: values.get(name) for name in EXPORTED_SCALARS}
    return said | {role: sorted(values.get(role, [])) for role in EXPORTED_ROLES}

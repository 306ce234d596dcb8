"""Giving an entry its old text again when the library takes back what exports wrote into it.

An edit writes a title, a mark or a link in the document's style. What stood there before may have
said the same in its own way, with markup that no edit would write: that is kept, and comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from papertrack.actions.document_files import ReadDocument
from papertrack.actions.export_plan import Plan, unbroken
from papertrack.actions.matching import match_entries
from papertrack.documents.edit_types import Add, Move, SetDate, SetLink, Taken
from papertrack.documents.giving_back import OldText, with_old_texts
from papertrack.documents.model import Document, Entry
from papertrack.documents.taking import from_plain, to_plain
from papertrack.store.documents import FormerText, Values

ValuesOf = Callable[[Entry], Values]
"""What an entry says, by field."""


@dataclass(frozen=True, slots=True)
class GivenBack:
    """A document whose entries have their old texts where they say the same again."""

    document: Document
    former: dict[int, list[FormerText]] = field(default_factory=dict)
    """What to remember of the entries that were edited, by their id."""


@dataclass(frozen=True, slots=True)
class _Edited:
    """One entry that an export edited."""

    entry_id: int
    before: FormerText
    index: int
    """Among the entries of the edited document."""
    history: list[FormerText]
    """What it was earlier, if nobody has touched it since."""
    was: int | None
    """Which of these says what the entry says now."""


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
    }
    return GivenBack(document, remembered)


def _old_text(edited: _Edited) -> OldText:
    """The text to give back, and all definitions that were cut out since."""
    since = edited.history[edited.was or 0 :]
    pieces = [from_plain(piece) for one in since for piece in one.pieces]
    ordered = [replace(piece, order=order) for order, piece in enumerate(pieces)]
    return OldText(since[0].text, tuple(ordered))


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
    wanted: dict[int, Values] = {}
    for edit in plan.edits:
        if isinstance(edit, SetDate) and edit.date:
            wanted[edit.entry_index] = {"date": edit.date}
    moved = {edit.entry_index for edit in plan.edits if isinstance(edit, Move)}
    indexes = {edit.entry_index for edit in plan.edits if not isinstance(edit, Add)} - moved
    numbers = {position: n for n, position in match_entries(plan.kept, edited.entries).items()}
    found = []
    for index in sorted(indexes):
        position = plan.positions[index]
        entry_id = plan.kept[position].id
        if entry_id is None or position not in numbers:
            continue
        old, new = start.entries[index], edited.entries[numbers[position]]
        text, replaced_by = start.text[slice(*old.span)], edited.text[slice(*new.span)]
        if text == replaced_by:
            continue
        history = unbroken(plan.former.get(entry_id, []), text)
        # A date may stand there less precisely than the library wants it.
        says = values_of(new) | wanted.get(index, {})
        was = next((n for n, one in enumerate(history) if one.base == says), None)
        before = FormerText(text, values_of(old), replaced_by, cut.get(index, []))
        found.append(_Edited(entry_id, before, new.index, history, was))
    return found

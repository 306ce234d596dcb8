"""Restore earlier states of a document's entries.

If a value returns to a former one, for example by undo, the entry gets its former text back. An
entry that was removed, or that the user deleted and wants back, returns to its place. Both happen
only if the new text is then parsed as intended.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, TypeVar

from papertrack.documents.hunks import Hunk
from papertrack.records import Paper
from papertrack.store.documents import EntryState, StoredEntry, read_documents
from papertrack.store.store import Store
from papertrack.store.versions import Version, changed_entries, texts_of
from papertrack.sync.items import Category, Item, Plan, values_after
from papertrack.sync.threeway import Fields, Values
from papertrack.text import group

Steps = tuple[int, list["Former"]]
"""The number of an item, and its earlier states, beginning with the one to restore."""
_Made = TypeVar("_Made")
_Proposal = TypeVar("_Proposal")
_Read = TypeVar("_Read", bound="_HasItems")
_SPAN = 40
"""The number of bits for the order of hunks within one version."""


def entry_of(text: str, *, has_words: bool = False) -> StoredEntry | None:
    """Parse an entry of a stored version; None for an item that had no entry then.

    With ``has_words``, the entry's text is the full text of its item in the file.
    """
    if (columns := json.loads(text)) is None:
        return None
    *values, words = columns
    entry = StoredEntry(*values)
    return entry._replace(
        category=tuple(entry.category),
        state=EntryState(entry.state),
        text=words if has_words and words is not None else entry.text,
    )


def text_of(store: Store, version: Version) -> str:
    """Return the document's text in a version."""
    return "".join(texts_of(store, version.lines))


@dataclass(frozen=True, slots=True)
class Former:
    """The state of an entry in one version of its document, before the next version changed it."""

    entry: StoredEntry
    """The entry, with its full text in the file as ``text``."""
    after: StoredEntry | None
    """The entry in the next version; None if it was removed."""
    then: Version
    """The version with this state."""
    now: Version
    """The next version."""

    @property
    def is_ours(self) -> bool:
        """Return whether papertrack made the change, and nobody edited the file meanwhile."""
        return self.now.is_ours


def _formers(store: Store, document_id: int) -> Iterator[tuple[list[Former], list[StoredEntry]]]:
    """Yield the entries that each version changed: their former states, and the new entries.

    The newest version comes first.
    """
    for then, now, *texts in changed_entries(store, document_id):
        had, has = ([entry_of(text, has_words=True) for text in part] for part in texts)
        before = {_ident(entry): entry for entry in had if entry}
        after = {_ident(entry): entry for entry in has if entry}
        formers = [Former(entry, after.get(ident), then, now) for ident, entry in before.items()]
        places = {ident: (entry.key, entry.category) for ident, entry in before.items()}
        added = [entry for ident, entry in after.items() if places.get(ident) != _name(entry)]
        yield formers, added


def _ident(entry: StoredEntry) -> object:
    return _name(entry) if entry.id is None else entry.id


def _name(entry: StoredEntry) -> tuple[str, Category]:
    return entry.key, entry.category


def accepted(
    proposals: Sequence[_Proposal],
    make: Callable[[Sequence[_Proposal]], _Made],
    find_misread: Callable[[_Made, Sequence[_Proposal]], Sequence[_Proposal]],
) -> tuple[_Made, list[_Proposal]]:
    """Apply as many proposals as possible; return the result and the proposals applied.

    ``make`` applies proposals, and ``find_misread`` returns those that the result does not show as
    intended. They are dropped, and the others are applied again.
    """
    batch = list(proposals)
    while True:
        result = make(batch)
        misread = find_misread(result, batch)
        if not misread:
            return result, batch
        batch = [proposal for proposal in batch if proposal not in misread]


class History:
    """The earlier states of the entries of one document."""

    def __init__(self, store: Store, document_id: int) -> None:
        self._store = store
        self.document_id = document_id
        self._edited: dict[int, list[Former]] = {}
        """Former states by entry id, oldest first."""
        self._before_text: dict[str, Former] = {}
        """Former states by the text that replaced them, for entries that have a new id."""
        removed: dict[tuple[str, Category], Former] = {}
        added_names: set[tuple[str, Category]] = set()
        for formers, added in _formers(store, document_id):
            for state in formers:
                self._take(state)
                # An entry that the user moved by hand stays where it is now.
                is_moved = state.after is not None and state.after.category != state.entry.category
                is_gone = state.after is None or (is_moved and state.is_ours)
                if is_gone and (name := _name(state.entry)) not in added_names:
                    removed.setdefault(name, state)
            added_names.update(map(_name, added))
        self.removed = list(removed.values())[::-1]
        """The last states of entries that were removed and not restored, in order of removal."""

    @property
    def versions(self) -> set[int]:
        """The ids of versions that are needed to restore removed entries."""
        return {version.id for former in self.removed for version in (former.then, former.now)}

    def _take(self, state: Former) -> None:
        """Add a former state, older than those before, if the entry's text was edited."""
        if state.after is None or state.after.text == state.entry.text or state.entry.id is None:
            return
        self._edited.setdefault(state.entry.id, []).insert(0, state)
        self._before_text.setdefault(state.after.text, state)

    def steps_of(self, entry_id: int | None, text: str) -> list[Former]:
        """Return the earlier states of an entry whose text is now ``text``, oldest first.

        Goes back until the last edit by somebody else.
        """
        steps: list[Former] = []
        for former in reversed(self._edited.get(entry_id or 0, [])):
            if not former.is_ours or former.after is None or former.after.text != text:
                return steps
            steps.insert(0, former)
            text = former.entry.text
        while (step := self._before_text.get(text)) and step.is_ours and step not in steps:
            steps.insert(0, step)
            text = step.entry.text
        return steps

    def find_steps(self, plan: Plan, items: Sequence[Item], fields: Fields) -> Iterator[Steps]:
        """Yield the entries that a plan returns to an earlier state, with the states since."""
        stored = {entry.number: entry.stored for entry in plan.kept}
        for number, sets in plan.sets.items():
            item, names = items[number], {change.field for change in sets}
            goal = fields.exported(values_after(item.values, sets, fields), names)
            steps = self.steps_of(stored[number].id, item.words)
            while steps and fields.exported(steps[0].entry.base, names) != goal:
                steps = steps[1:]
            if steps:
                yield number, steps

    def former_of(self, deleted: StoredEntry) -> Former | None:
        """Return the former state of a deleted entry; None if it is not stored."""
        return next((f for f in self.removed[::-1] if _is_former(f.entry, deleted)), None)

    def texts_around(self, former: Former) -> tuple[str, str]:
        """Return the document's texts before and after the change of a former state."""
        return text_of(self._store, former.then), text_of(self._store, former.now)

    def returns_elsewhere(self, paper: Paper, category: Sequence[str]) -> bool:
        """Return whether another document, and not this one, will get the paper's entry back.

        That is the case if the entry was removed from the category's section there, but never here.
        """
        if self._has_left(paper, category):
            return False
        return any(history._has_left(paper, category) for history in self._others)

    @cached_property
    def _others(self) -> Sequence[History]:
        ids = [document.id for document in read_documents(self._store)]
        return [History(self._store, number) for number in ids if number != self.document_id]

    def _has_left(self, paper: Paper, category: Sequence[str]) -> bool:
        entries = (f.entry for f in self.removed if f.entry.category == tuple(category))
        return any(_is_of(former.base, paper) for former in entries)


def _is_of(values: Values, paper: Paper) -> bool:
    """Return whether these values of an entry match a paper by identifier or title.

    The title counts only if they have no identifier scheme in common.
    """
    pairs = {(identifier.scheme, identifier.value) for identifier in paper.facts.identifiers}
    stated = set(map(tuple, values.get("identifiers", ())))
    if pairs & stated:
        return True
    is_other = not {scheme for scheme, _ in pairs}.isdisjoint(scheme for scheme, _ in stated)
    return not is_other and values.get("title") == paper.facts.title


def _is_former(former: StoredEntry, entry: StoredEntry) -> bool:
    is_same = former.text == entry.text or former.category == entry.category
    return is_same and former.key == entry.key


def gone(entry: StoredEntry) -> StoredEntry:
    """Return a removed entry without its id and paper, which the library may no longer have."""
    return entry._replace(paper_id=None, id=None, state=EntryState.REMOVED)


def in_order(hunks: Sequence[Hunk], former: Former) -> tuple[Hunk, ...]:
    """Number the hunks of an entry so that entries removed in different versions stay in order."""
    first = former.then.id << _SPAN
    return tuple(replace(hunk, order=first + hunk.order) for hunk in hunks)


@dataclass(frozen=True, slots=True)
class Return:
    """An entry to put back into its document."""

    entry: StoredEntry
    """The former entry, with its id if the store still has it."""
    paper_id: int
    hunks: tuple[Hunk, ...]
    """The text to insert."""
    position: int | None = None
    """The position among the stored entries of one that moves back; None if it was removed."""


class _HasItems(Protocol):
    @property
    def items(self) -> Sequence[Item]: ...


def put_back(
    returns: Sequence[Return],
    start: _Read,
    apply: Callable[[Sequence[Hunk]], tuple[_Read, Collection[Hunk]]],
    name_of: Callable[[Item | StoredEntry], object],
    says: Callable[[Item, StoredEntry], bool],
) -> tuple[_Read, list[Return]]:
    """Put entries back into a document; return the new document and the entries restored.

    Leaves out entries that would not be parsed as before. ``apply`` inserts hunks into ``start``,
    and returns the document and the hunks without a place. ``name_of`` identifies entries, and
    ``says`` returns whether an item has the values of an entry with its name.
    """

    def make(batch: Sequence[Return]) -> tuple[_Read, Collection[Hunk]]:
        return apply([hunk for ret in batch for hunk in ret.hunks]) if batch else (start, ())

    def find_misread(pair: tuple[_Read, Collection[Hunk]], batch: Sequence[Return]) -> list[Return]:
        document, lost = pair
        added = Counter(map(name_of, document.items))
        added.subtract(map(name_of, start.items))
        items = group((name_of(item), item) for item in document.items)
        misread = [ret for ret in batch if any(hunk in lost for hunk in ret.hunks)]
        for ret in batch:
            was = ret.entry
            name = name_of(was)
            added[name] -= 1
            is_said = any(says(item, was) for item in items.get(name, ()))
            if added[name] < 0 or not (is_said or ret.position is not None):
                misread.append(ret)
        return misread

    (document, _), accepted_returns = accepted(returns, make, find_misread)
    return document, accepted_returns


def with_returned(
    stored: Sequence[StoredEntry],
    items: Sequence[Item],
    returns: Sequence[Return],
    name_of: Callable[[Item | StoredEntry], object],
) -> list[StoredEntry]:
    """Return the entries to store for a document into which ``returns`` were put back."""
    result = list(stored)
    returned: list[StoredEntry] = []
    items_by_name = group((name_of(item), item) for item in items)
    for ret in returns:
        was = ret.entry
        if ret.position is not None:
            result[ret.position] = result[ret.position]._replace(category=was.category)
            continue
        # Both sides had the same values; otherwise the removal would have been a conflict.
        candidates = items_by_name[name_of(was)]
        again = next((i for i in candidates if i.title == was.base.get("title")), candidates[0])
        now = was._replace(paper_id=ret.paper_id, text=again.text, base=again.values)
        returned.append(now._replace(state=EntryState.LINKED))
    # A wanted entry is among the returned ones now, or has moved back.
    waited = {ret.entry.id for ret in returns} - {None}
    return [entry for entry in result if entry.id not in waited] + returned

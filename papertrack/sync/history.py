"""The earlier states of a document's entries, and how to restore them.

If a value of the library is what it was once, its entry gets its former text back. An entry that
was removed, or that the reader deleted and wants back, returns to its place. Both happen only if
the text then reads as wanted.
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
from papertrack.store.documents import EntryState, StoredEntry, other_documents
from papertrack.store.store import Store
from papertrack.store.versions import Version, changed_entries, texts_of
from papertrack.sync.items import Category, Item, Plan, values_after
from papertrack.sync.threeway import Fields, Values

Steps = tuple[int, list["Former"]]
"""The number of an entry, and its earlier states from the wanted one on."""
_Made = TypeVar("_Made")
_Proposal = TypeVar("_Proposal")
_Read = TypeVar("_Read", bound="_HasItems")
_SPAN = 40
"""Bits of the orders of hunks of one version."""


def entry_of(text: str, *, has_words: bool = False) -> StoredEntry | None:
    """Return the entry stored as this text; ``has_words``: with the words of its item as text."""
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
    """Return the text of a version."""
    return "".join(texts_of(store, version.lines))


@dataclass(frozen=True, slots=True)
class Former:
    """What an entry was in one version of its document, if the next version differs."""

    entry: StoredEntry
    """With the words of its item as text."""
    after: StoredEntry | None
    """The entry in the next version; None if it was removed."""
    then: Version
    now: Version

    @property
    def is_ours(self) -> bool:
        """Return whether papertrack alone made the change."""
        return self.now.is_ours


def _formers(store: Store, document_id: int) -> Iterator[tuple[list[Former], list[StoredEntry]]]:
    """Yield each version's former entries, and the entries that are new in the next version.

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
    """Apply all proposals, without those whose result does not read as wanted.

    Returns the result, and the proposals in it, of which there may be none.
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
        """The former entries by entry id, oldest first."""
        self._before_text: dict[str, Former] = {}
        """The former entries by the text that replaced them, for entries with another id now."""
        removed: dict[tuple[str, Category], Former] = {}
        added_names: set[tuple[str, Category]] = set()
        for formers, added in _formers(store, document_id):
            for state in formers:
                self._take(state)
                # An entry that the reader moved by hand stays where it is now.
                is_moved = state.after is not None and state.after.category != state.entry.category
                is_gone = state.after is None or (is_moved and state.is_ours)
                if is_gone and (name := _name(state.entry)) not in added_names:
                    removed.setdefault(name, state)
            added_names.update(map(_name, added))
        self.removed = list(removed.values())[::-1]
        """Entries that were taken out and did not come back, in that order."""

    @property
    def versions(self) -> set[int]:
        """Return the versions that show what was removed, and where it stood."""
        return {version.id for former in self.removed for version in (former.then, former.now)}

    def _take(self, state: Former) -> None:
        """Add a former entry, which is older than all so far, if its text was edited."""
        if state.after is None or state.after.text == state.entry.text or state.entry.id is None:
            return
        self._edited.setdefault(state.entry.id, []).insert(0, state)
        self._before_text.setdefault(state.after.text, state)

    def steps_of(self, entry_id: int | None, text: str) -> list[Former]:
        """Return the earlier states of an entry whose text is ``text``, oldest first.

        Leaves out the states before an edit that papertrack did not make alone.
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
        """Yield the earlier states of entries that have the values the plan sets."""
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
        """Return the document's texts with the entry, and without it."""
        return text_of(self._store, former.then), text_of(self._store, former.now)

    def returns_elsewhere(self, paper: Paper, category: Sequence[str]) -> bool:
        """Return whether the paper's entry returns to another document.

        It does if it was removed from that document's section of this category, but not from here.
        """
        if self._has_left(paper, category):
            return False
        return any(history._has_left(paper, category) for history in self._others)

    @cached_property
    def _others(self) -> Sequence[History]:
        ids = other_documents(self._store, self.document_id)
        return [History(self._store, document_id) for document_id in ids]

    def _has_left(self, paper: Paper, category: Sequence[str]) -> bool:
        entries = (f.entry for f in self.removed if f.entry.category == tuple(category))
        return any(_is_of(former.base, paper) for former in entries)


def _is_of(values: Values, paper: Paper) -> bool:
    """Return whether an entry with these values is the paper's, by identifier or title.

    The title counts only if no identifier differs from the paper's of its scheme.
    """
    own = {(identifier.scheme, identifier.value) for identifier in paper.facts.identifiers}
    stated = set(map(tuple, values.get("identifiers", ())))
    if own & stated:
        return True
    is_other = not {scheme for scheme, _ in own}.isdisjoint(scheme for scheme, _ in stated)
    return not is_other and values.get("title") == paper.facts.title


def _is_former(former: StoredEntry, entry: StoredEntry) -> bool:
    is_same = former.text == entry.text or former.category == entry.category
    return is_same and former.key == entry.key


def gone(entry: StoredEntry) -> StoredEntry:
    """Return the entry without its id and paper, so that nothing is found by them."""
    return entry._replace(paper_id=None, id=None, state=EntryState.REMOVED)


def in_order(hunks: Sequence[Hunk], former: Former) -> tuple[Hunk, ...]:
    """Return the hunks of an entry in the order in which entries were removed."""
    first = former.then.id << _SPAN
    return tuple(replace(hunk, order=first + hunk.order) for hunk in hunks)


@dataclass(frozen=True, slots=True)
class Return:
    """One entry to put back."""

    entry: StoredEntry
    """The former entry; with its id if one is stored under it."""
    paper_id: int
    hunks: tuple[Hunk, ...]
    position: int | None = None
    """The position of the stored entry that moves back; None if it was removed."""


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
    """Put back all entries that read as they were; return the document and these entries.

    ``apply`` puts hunks into ``start``, and returns the document and the hunks that found no place.
    ``says`` tells whether an item has the values of an entry of its name.
    """

    def make(batch: Sequence[Return]) -> tuple[_Read, Collection[Hunk]]:
        return apply([hunk for ret in batch for hunk in ret.hunks]) if batch else (start, ())

    def find_misread(pair: tuple[_Read, Collection[Hunk]], batch: Sequence[Return]) -> list[Return]:
        document, lost = pair
        added = Counter(map(name_of, document.items))
        added.subtract(map(name_of, start.items))
        items = by_name(document.items, name_of)
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


def by_name(
    items: Sequence[Item], name_of: Callable[[Item | StoredEntry], object]
) -> dict[object, list[Item]]:
    """Group the items by name."""
    groups: dict[object, list[Item]] = {}
    for item in items:
        groups.setdefault(name_of(item), []).append(item)
    return groups


def with_returned(
    stored: Sequence[StoredEntry],
    items: Sequence[Item],
    returns: Sequence[Return],
    name_of: Callable[[Item | StoredEntry], object],
) -> list[StoredEntry]:
    """Return the stored entries of a document once these entries are back in it."""
    result = list(stored)
    returned: list[StoredEntry] = []
    items_by_name = by_name(items, name_of)
    for ret in returns:
        was = ret.entry
        if ret.position is not None:
            result[ret.position] = result[ret.position]._replace(category=was.category)
            continue
        # Both sides agreed on the lines, or the removal would have been a conflict.
        candidates = items_by_name[name_of(was)]
        again = next((i for i in candidates if i.title == was.base.get("title")), candidates[0])
        now = was._replace(paper_id=ret.paper_id, text=again.text, base=again.values)
        returned.append(now._replace(state=EntryState.LINKED))
    # A wanted entry is now there under its own id, or where it moved back to.
    waited = {ret.entry.id for ret in returns} - {None}
    return [entry for entry in result if entry.id not in waited] + returned

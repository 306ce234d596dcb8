"""What the entries of a document were in its earlier versions, and bringing that back.

When a value of the library is again what it was, the entry gets the text again that it had, and
one that was taken out, or that the reader deleted and wants back, comes back where it was; but only
if the text then reads as wanted.
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
"""The number of an entry, and what leads back to what it was, that first."""
_Made = TypeVar("_Made")
_Proposal = TypeVar("_Proposal")
_Read = TypeVar("_Read", bound="_HasItems")
_SPAN = 40
"""Bits of the orders of hunks of one version."""


def entry_of(text: str, *, has_words: bool = False) -> StoredEntry | None:
    """Return the entry that a version keeps as this text; ``has_words``: with its own words in the
    place of what stands for them."""
    if (told := json.loads(text)) is None:
        return None
    *said, words = told
    entry = StoredEntry(*said)
    return entry._replace(
        category=tuple(entry.category),
        state=EntryState(entry.state),
        text=words if has_words and words is not None else entry.text,
    )


def text_of(store: Store, version: Version) -> str:
    """Return the text that a document was."""
    return "".join(texts_of(store, version.lines))


@dataclass(frozen=True, slots=True)
class Former:
    """What an entry was in one version of its document, and not in the next one any more."""

    entry: StoredEntry
    """As it was, with its own words."""
    after: StoredEntry | None
    """What it was then; None where it was taken out."""
    then: Version
    now: Version

    @property
    def is_ours(self) -> bool:
        """Whether papertrack alone did that."""
        return self.now.is_ours


def _formers(store: Store, document_id: int) -> Iterator[tuple[list[Former], list[StoredEntry]]]:
    """Yield what entries were before each version, and the entries that came with it; the newest
    version first."""
    for then, now, *texts in changed_entries(store, document_id):
        had, has = ([entry_of(text, has_words=True) for text in one] for one in texts)
        before = {_ident(one): one for one in had if one}
        after = {_ident(one): one for one in has if one}
        formers = [Former(one, after.get(ident), then, now) for ident, one in before.items()]
        places = {ident: (one.key, one.category) for ident, one in before.items()}
        came = [one for ident, one in after.items() if places.get(ident) != _name(one)]
        yield formers, came


def _ident(entry: StoredEntry) -> object:
    return _name(entry) if entry.id is None else entry.id


def _name(entry: StoredEntry) -> tuple[str, Category]:
    return entry.key, entry.category


def accepted(
    proposals: Sequence[_Proposal],
    make: Callable[[Sequence[_Proposal]], _Made],
    find_misread: Callable[[_Made, Sequence[_Proposal]], Sequence[_Proposal]],
) -> tuple[_Made, list[_Proposal]]:
    """Make what all proposals together give, without those that are then not read as wanted.

    Return that, and the proposals in it, of which there may be none.
    """
    left = list(proposals)
    while True:
        made = make(left)
        misread = find_misread(made, left)
        if not misread:
            return made, left
        left = [one for one in left if one not in misread]


class History:
    """What the entries of one document were, by its versions."""

    def __init__(self, store: Store, document_id: int) -> None:
        self._store = store
        self.document_id = document_id
        self._edited: dict[int, list[Former]] = {}
        """What entries were before each edit, oldest first."""
        self._before_text: dict[str, Former] = {}
        """The same by what an edit made of them: an entry that comes back under another number is
        known by its text alone."""
        removed: dict[tuple[str, Category], Former] = {}
        came: set[tuple[str, Category]] = set()
        for formers, new in _formers(store, document_id):
            for one in formers:
                self._take(one)
                # One that the reader moved by hand stays where it is now.
                is_moved = one.after is not None and one.after.category != one.entry.category
                is_gone = one.after is None or (is_moved and one.is_ours)
                if is_gone and (name := _name(one.entry)) not in came:
                    removed.setdefault(name, one)
            came.update(map(_name, new))
        self.removed = list(removed.values())[::-1]
        """Entries that were taken out and did not come back, in that order."""

    @property
    def versions(self) -> set[int]:
        """The versions that tell what was taken out, and where it stood."""
        return {version.id for one in self.removed for version in (one.then, one.now)}

    def _take(self, one: Former) -> None:
        """Take an edit in, if it is one, which is older than all so far."""
        if one.after is None or one.after.text == one.entry.text or one.entry.id is None:
            return
        self._edited.setdefault(one.entry.id, []).insert(0, one)
        self._before_text.setdefault(one.after.text, one)

    def steps_of(self, entry_id: int | None, text: str) -> list[Former]:
        """What an entry that is ``text`` now was earlier, oldest first; nothing from before another
        hand touched it."""
        steps: list[Former] = []
        for one in reversed(self._edited.get(entry_id or 0, [])):
            if not one.is_ours or one.after is None or one.after.text != text:
                return steps
            steps.insert(0, one)
            text = one.entry.text
        while (step := self._before_text.get(text)) and step.is_ours and step not in steps:
            steps.insert(0, step)
            text = step.entry.text
        return steps

    def find_steps(self, plan: Plan, items: Sequence[Item], fields: Fields) -> Iterator[Steps]:
        """What leads back to where entries said what the plan's changes are for."""
        stored = {kept.number: kept.stored for kept in plan.kept}
        for number, sets in plan.sets.items():
            item, names = items[number], {change.field for change in sets}
            wanted = fields.exported(values_after(item.values, sets, fields), names)
            steps = self.steps_of(stored[number].id, item.words)
            while steps and fields.exported(steps[0].entry.base, names) != wanted:
                steps = steps[1:]
            if steps:
                yield number, steps

    def former_of(self, wanted: StoredEntry) -> Former | None:
        """What an entry was that was deleted and is wanted back; None where that is not known."""
        return next((one for one in self.removed[::-1] if _is_former(one.entry, wanted)), None)

    def texts_around(self, former: Former) -> tuple[str, str]:
        """The document's texts with an entry as it was, and as it was no more."""
        return text_of(self._store, former.then), text_of(self._store, former.now)

    def returns_elsewhere(self, paper: Paper, category: Sequence[str]) -> bool:
        """Whether the paper's entry was taken out of another document's section of this category,
        where it comes back, and not out of this one's too."""
        if self._has_left(paper, category):
            return False
        return any(one._has_left(paper, category) for one in self._others)

    @cached_property
    def _others(self) -> Sequence[History]:
        ids = other_documents(self._store, self.document_id)
        return [History(self._store, one) for one in ids]

    def _has_left(self, paper: Paper, category: Sequence[str]) -> bool:
        here = (one.entry for one in self.removed if one.entry.category == tuple(category))
        return any(_is_of(one.base, paper) for one in here)


def _is_of(said: Values, paper: Paper) -> bool:
    """Whether an entry that said this was the paper's: by an identifier, or by its title where none
    speaks against that."""
    own = {(one.scheme, one.value) for one in paper.facts.identifiers}
    told = set(map(tuple, said.get("identifiers", ())))
    if own & told:
        return True
    is_other = not {scheme for scheme, _ in own}.isdisjoint(scheme for scheme, _ in told)
    return not is_other and said.get("title") == paper.facts.title


def _is_former(former: StoredEntry, entry: StoredEntry) -> bool:
    is_same = former.text == entry.text or former.category == entry.category
    return is_same and former.key == entry.key


def gone(entry: StoredEntry) -> StoredEntry:
    """An entry that is no more: nothing is known of it under its number or its paper's."""
    return entry._replace(paper_id=None, id=None, state=EntryState.REMOVED)


def in_order(hunks: Sequence[Hunk], former: Former) -> tuple[Hunk, ...]:
    """What an entry was taken out with, so that it comes back before what had gone earlier."""
    first = former.then.id << _SPAN
    return tuple(replace(hunk, order=first + hunk.order) for hunk in hunks)


@dataclass(frozen=True, slots=True)
class Return:
    """One entry to put back."""

    entry: StoredEntry
    """As it was; with its number where it is known under one."""
    paper_id: int
    hunks: tuple[Hunk, ...]
    position: int | None = None
    """Where in the stored entries the one is that moves back; None for one that was taken out."""


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
    """What all entries that can come back as they were give, and which these are.

    ``apply`` puts hunks into ``start``, and returns what is read then and those that found no
    place. ``says`` tells whether an item says what an entry of its name said.
    """

    def make(left: Sequence[Return]) -> tuple[_Read, Collection[Hunk]]:
        return apply([hunk for one in left for hunk in one.hunks]) if left else (start, ())

    def find_misread(made: tuple[_Read, Collection[Hunk]], left: Sequence[Return]) -> list[Return]:
        read, lost = made
        added = Counter(map(name_of, read.items))
        added.subtract(map(name_of, start.items))
        said = by_name(read.items, name_of)
        misread = [one for one in left if any(hunk in lost for hunk in one.hunks)]
        for one in left:
            was = one.entry
            name = name_of(was)
            added[name] -= 1
            is_said = any(says(item, was) for item in said.get(name, ()))
            if added[name] < 0 or not (is_said or one.position is not None):
                misread.append(one)
        return misread

    (read, _), done = accepted(returns, make, find_misread)
    return read, done


def by_name(
    items: Sequence[Item], name_of: Callable[[Item | StoredEntry], object]
) -> dict[object, list[Item]]:
    """The items by what they are known by."""
    named: dict[object, list[Item]] = {}
    for item in items:
        named.setdefault(name_of(item), []).append(item)
    return named


def with_returned(
    stored: Sequence[StoredEntry],
    items: Sequence[Item],
    done: Sequence[Return],
    name_of: Callable[[Item | StoredEntry], object],
) -> list[StoredEntry]:
    """What is remembered of a document's entries once those are back, among these items."""
    result = list(stored)
    returned: list[StoredEntry] = []
    said = by_name(items, name_of)
    for one in done:
        was = one.entry
        if one.position is not None:
            result[one.position] = result[one.position]._replace(category=was.category)
            continue
        # Both sides were in step on what the lines say, or the removal would have been asked about.
        same = said[name_of(was)]
        again = next((item for item in same if item.title == was.base.get("title")), same[0])
        now = was._replace(paper_id=one.paper_id, text=again.text, base=again.values)
        returned.append(now._replace(state=EntryState.LINKED))
    # What was wanted back is there under its own number, or where it moved back to.
    waited = {one.entry.id for one in done} - {None}
    return [entry for entry in result if entry.id not in waited] + returned

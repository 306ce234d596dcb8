"""What exports did to the entries of a document, and taking it back, whatever its format.

When a value of the library is again what it was, the entry gets the text again that it had, and
one that was taken out, or that the reader deleted and wants back, comes back where it was; but only
if the text then reads as wanted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from papertrack.documents.hunks import Hunk, from_plain, to_plain
from papertrack.records import Paper
from papertrack.store.documents import EntryState, StoredEntry
from papertrack.store.files.history import Former, read_history, read_removed, write_history
from papertrack.store.store import Store
from papertrack.sync.changes import Plan, values_after
from papertrack.sync.items import Item
from papertrack.sync.threeway import Fields, Values

Steps = tuple[int, list[Former]]
"""The number of an entry, and what leads back to what it was, that first."""
_Made = TypeVar("_Made")
_Proposal = TypeVar("_Proposal")
_Read = TypeVar("_Read", bound="_HasItems")


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
    """What exports did to the entries of one document: asked before an export changes anything,
    told what it changed, and written with it."""

    def __init__(self, store: Store, document_id: int) -> None:
        self._store = store
        self.document_id = document_id
        known = read_history(store, document_id)
        self.removed = [one for one in known if one.replaced_by is None]
        """Entries that were taken out and did not come back, in that order."""
        self._edited: dict[int, list[Former]] = {}
        self._before_removal: dict[str, Former] = {}
        """Edits of entries that were then taken out, by what they made of them: an entry that
        comes back is known by its text alone."""
        for one in known:
            self._take(one)
        self._added: list[Former] = []
        self._forgotten: list[Former] = []
        orders = [int(hunk["order"]) for one in known for hunk in one.hunks]
        self._next_order = max(orders, default=-1) + 1

    def _take(self, one: Former) -> None:
        """Take an edit in that was noted."""
        if one.replaced_by is None:
            return
        if one.entry.id is None:
            self._before_removal[one.replaced_by] = one
        else:
            self._edited.setdefault(one.entry.id, []).append(one)

    def steps_of(self, entry_id: int | None, text: str) -> list[Former]:
        """What an entry that is ``text`` now was earlier, oldest first; nothing once another hand
        has touched it."""
        steps = self._steps_here(entry_id)
        if steps and steps[-1].replaced_by != text:
            return []
        return self._steps_before(steps[0].entry.text if steps else text) + steps

    def _steps_here(self, entry_id: int | None) -> list[Former]:
        """The edits of an entry since it came, or came back, oldest first."""
        return [] if entry_id is None else self._edited.get(entry_id, [])

    def _steps_before(self, text: str) -> list[Former]:
        """The edits that made this text of an entry before it was taken out, oldest first."""
        steps: list[Former] = []
        while (step := self._before_removal.get(text)) is not None and step not in steps:
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

    def texts_written(self, entry_id: int | None) -> list[str]:
        """What exports made of an entry, oldest first."""
        return [one.replaced_by or "" for one in self._steps_here(entry_id)]

    def note_edited(
        self, known: StoredEntry, item: Item, after: str, hunks: Iterable[Hunk] = ()
    ) -> None:
        """An export made the text ``after`` of an item."""
        before = known._replace(text=item.words, base=item.values)
        if before.text == after:
            return
        steps = self.steps_of(before.id, before.text)
        was = next((number for number, one in enumerate(steps) if one.entry.text == after), None)
        kept = steps if was is None else steps[:was]
        noted = steps or self._steps_here(before.id)
        self._forgotten += [one for one in noted if one not in kept]
        if was is None:
            self._added.append(Former(before, after, self._to_plain(hunks)))

    def note_removed(
        self, entry: StoredEntry, hunks: Sequence[Hunk], *, is_moved: bool = False
    ) -> None:
        """An entry was taken out: it takes the place of an older one of the same name.

        What it was before its edits is kept with it; one that is moved keeps it anyway.
        """
        if hunks:
            edits = () if is_moved else self._steps_here(entry.id)
            self._added += [one._replace(entry=one.entry._replace(id=None)) for one in edits]
            name = entry.key, entry.category
            same = [one for one in self.removed if (one.entry.key, one.entry.category) == name]
            self._forgotten += same
            former = entry._replace(paper_id=None, id=None, state=EntryState.REMOVED)
            self._added.append(Former(former, None, self._to_plain(hunks)))

    def former_of(self, wanted: StoredEntry) -> Former:
        """What an entry was that was deleted and is wanted back, if it was noted then; it stays
        noted, because that may be undone and done again."""
        known = next((one for one in self.removed[::-1] if _is_former(one.entry, wanted)), None)
        if known is None:
            return Former(wanted, None, [])
        own = known.entry._replace(id=wanted.id, paper_id=wanted.paper_id)
        return known._replace(entry=own._replace(category=wanted.category), id=None)

    def note_returned(self, removed: Iterable[Former]) -> None:
        """Entries that had been taken out are there again."""
        self._forgotten += removed

    def returns_elsewhere(self, paper: Paper, category: Sequence[str]) -> bool:
        """Whether the paper's entry was taken out of another document's section of this category,
        where it comes back, and not out of this one's too."""
        removed = read_removed(self._store, category)
        owners = {document_id for document_id, said in removed if _is_of(said, paper)}
        return bool(owners) and self.document_id not in owners

    def write(self) -> None:
        """Remember what was noted."""
        forgotten = {one.id for one in self._forgotten if one.id is not None}
        write_history(self._store, self.document_id, self._added, forgotten)

    def _to_plain(self, hunks: Iterable[Hunk]) -> list[dict[str, object]]:
        first = self._next_order
        return [to_plain(replace(hunk, order=first + hunk.order)) for hunk in hunks]


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


def hunks_of(steps: Iterable[Former]) -> tuple[Hunk, ...]:
    """What else of the file the steps changed, or what they took out."""
    return tuple(from_plain(hunk) for one in steps for hunk in one.hunks)


@dataclass(frozen=True, slots=True)
class Return:
    """One entry to put back."""

    removed: Former
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
            was = one.removed.entry
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
        was = one.removed.entry
        if one.position is not None:
            result[one.position] = result[one.position]._replace(category=was.category)
            continue
        # Both sides were in step on what the lines say, or the removal would have been asked about.
        same = said[name_of(was)]
        again = next((item for item in same if item.title == was.base.get("title")), same[0])
        now = was._replace(paper_id=one.paper_id, text=again.text, base=again.values)
        returned.append(now._replace(state=EntryState.LINKED))
    # What was wanted back is there under its own number, or where it moved back to.
    waited = {one.removed.entry.id for one in done} - {None}
    return [entry for entry in result if entry.id not in waited] + returned

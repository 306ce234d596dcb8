"""Taking back what exports did to a README: edited rows as they were, and those that were removed
or moved at their old places, with all that the library does not know of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from papertrack.documents.hunks import Hunk
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.write.edit_types import Add, Taken
from papertrack.documents.markdown.write.entry_edits import without_entries
from papertrack.documents.markdown.write.hunks import (
    OldText,
    as_it_is_now,
    hunk_of_entry,
    with_hunks,
    with_old_texts,
)
from papertrack.library import Library
from papertrack.records import Identifier
from papertrack.store.documents import EntryState, StoredEntry, papers_without_entry
from papertrack.store.history import Former
from papertrack.store.lookup import find_papers, get_paper, get_papers
from papertrack.store.store import Store
from papertrack.sync.changes import Plan, values_after
from papertrack.sync.history import History, Return, accepted, hunks_of, put_back
from papertrack.sync.markdown.matching import match_entries, stem_of
from papertrack.sync.markdown.reading import ReadDocument
from papertrack.sync.markdown.values import FIELDS, entry_values, items_of
from papertrack.sync.threeway import Values

_Steps = tuple[int, list[Former]]
"""The number of an entry, and what leads back to what it was."""


def put_back_entries(
    store: Store,
    library: Library,
    read: ReadDocument,
    stored: list[StoredEntry],
    history: History,
) -> tuple[Document, list[StoredEntry]]:
    """Put back the entries whose papers are in their old category again, and move back those that
    an export moved. What cannot come back as it was is left to be written anew.

    Returns the document then, and what is remembered of its entries.
    """
    unchanged = read.document, stored
    if not history.removed:
        return unchanged
    matches = match_entries(stored, items_of(read.document, library, read.path))
    returns = list(_Returns(store, read, stored, matches).find(history.removed))
    if not returns:
        return unchanged
    start, returns = _without_moving(read, matches, returns)

    def apply(hunks: Sequence[Hunk]) -> tuple[Document, Sequence[Hunk]]:
        text, lost = with_hunks(start, hunks)
        return read.parse_again(text), lost

    document, done = put_back(returns, start, apply, _names, _name)
    # A row may have been cut out whose place is not found.
    if not _works(read.document) <= _works(document):
        return unchanged
    history.note_returned(one.removed for one in done)
    return document, _with_returned(library, read, document, stored, done)


def _without_moving(
    read: ReadDocument, matches: Mapping[int, int], returns: Sequence[Return]
) -> tuple[Document, list[Return]]:
    """The document without the rows that move back, and what can return to it."""
    places = {position: number for number, position in matches.items()}
    leaving = [places[one.position] for one in returns if one.position is not None]
    if not leaving:
        return read.document, list(returns)
    text, gone = without_entries(read.document, leaving)
    start = read.parse_again(text)
    if len(start.entries) != len(read.document.entries) - len(gone):
        return read.document, [one for one in returns if one.position is None]
    return start, [one for one in returns if one.position is None or places[one.position] in gone]


@dataclass(frozen=True, slots=True)
class _Returns:
    """Which removed entries the library wants in their old categories again."""

    store: Store
    read: ReadDocument
    stored: Sequence[StoredEntry]
    matches: Mapping[int, int]

    def find(self, removed: Sequence[Former]) -> Iterator[Return]:
        entries = self.read.document.entries
        by_hand = {stem_of(e.key) for number, e in enumerate(entries) if number not in self.matches}
        waiting: dict[tuple[str, ...], list[int]] = {}
        used: set[int] = set()
        for one in removed:
            category = one.entry.category
            if category not in waiting:
                waiting[category] = papers_without_entry(self.store, category)
            paper_id = self._paper_of(one.entry, waiting[category])
            if paper_id is None or stem_of(one.entry.key) in by_hand:
                continue
            moving = self._moving(paper_id, used)
            hunks = hunks_of([one])
            if moving is None:
                yield Return(one, paper_id, hunks)
                continue
            number, position = moving
            used.add(position)
            now = self.read.document.text[slice(*entries[number].span)]
            key, was = one.entry.key, one.entry.text
            again = tuple(as_it_is_now(hunk, key, was, now) for hunk in hunks)
            yield Return(one, paper_id, again, position)

    def _paper_of(self, entry: StoredEntry, waiting: Sequence[int]) -> int | None:
        """The paper that has no row in the entry's category, and is what the entry is about; or
        had further rows there, of which this is one."""
        identifiers = [Identifier(*pair) for pair in entry.base.get("identifiers", ())]
        owners = [o for o in find_papers(self.store, identifiers).values() if o in waiting]
        if not identifiers:
            owners = self._papers_titled(entry.base.get("title") or "", waiting)
        return owners[0] if owners else self._paper_of_further(entry)

    def _papers_titled(self, title: str, waiting: Sequence[int]) -> list[int]:
        """The papers of this title; without one, the only paper that has none."""
        papers = get_papers(self.store, waiting)
        same = [paper.id for paper in papers if (paper.facts.title or "") == title]
        return same if title or len(same) == 1 else []

    def _paper_of_further(self, entry: StoredEntry) -> int | None:
        stem = stem_of(entry.key)
        present = [self.stored[position] for position in self.matches.values()]
        rows = [e for e in present if (stem_of(e.key), e.category) == (stem, entry.category)]
        if stem == entry.key or not rows or len(rows) >= int(entry.key.removeprefix(f"{stem}#")):
            return None
        owner = rows[0].paper_id
        is_in_it = owner is not None and entry.category in get_paper(self.store, owner).categories
        return owner if is_in_it else None

    def _moving(self, paper_id: int, used: set[int]) -> tuple[int, int] | None:
        """The row of the paper, as (index, position), that is where the paper is no more."""
        held = get_paper(self.store, paper_id).categories
        for number, position in self.matches.items():
            before = self.stored[position]
            if before.paper_id == paper_id and before.is_in_file and position not in used:
                shown = self.read.document.entries[number].category
                if before.category not in held and shown == before.category:
                    return number, position
        return None


def _with_returned(
    library: Library,
    read: ReadDocument,
    document: Document,
    stored: Sequence[StoredEntry],
    done: Sequence[Return],
) -> list[StoredEntry]:
    result = list(stored)
    said: dict[object, list[Entry]] = {}
    for entry in document.entries:
        said.setdefault(_name(entry), []).append(entry)
    for one in done:
        was = one.removed.entry
        if one.position is not None:
            result[one.position] = replace(result[one.position], category=was.category)
            continue
        # Both sides were in step on what the lines say, or the removal would have been asked about.
        same = said[_name(was)]
        again = next((e for e in same if e.fields.title == was.base.get("title")), same[0])
        base = entry_values(again, library, read.path)
        linked = EntryState.LINKED
        result.append(replace(was, paper_id=one.paper_id, base=base, state=linked))
    return result


def _name(entry: Entry | StoredEntry) -> object:
    return stem_of(entry.key), entry.category


def _names(document: Document) -> Counter[object]:
    return Counter(map(_name, document.entries))


def _works(document: Document) -> Counter[object]:
    return Counter(entry.identifiers or (entry.fields.title,) for entry in document.entries)


def remember_deleted(
    store: Store, document_id: int, stored: Sequence[StoredEntry], deleted: Sequence[StoredEntry]
) -> None:
    """Remember entries that were deleted in the file, and are to be put back: from among
    ``stored``, all that the file had, in its order."""
    history = History(store, document_id)
    known = [entry for entry in stored if entry.is_in_file]
    texts = [(entry.key, entry.text) for entry in known]
    places = {entry.id: position for position, entry in enumerate(known)}
    for entry in deleted:
        history.note_removed(entry, [hunk_of_entry(texts, places[entry.id])])
    history.write()


def _hunks_of_entry(taken: Sequence[Taken], number: int) -> Iterator[Hunk]:
    for one in taken:
        if not isinstance(one.edit, Add) and one.edit.entry_index == number:
            yield from one.hunks


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows that a plan edits where they stand, to be given back what they were."""

    library: Library
    read: ReadDocument
    history: History
    plan: Plan

    def give_back(self) -> tuple[Document, set[int]]:
        """The document with the rows as they were of which that says what the plan's changes are
        for, and their numbers: these changes need not be made."""
        start = self.read.document
        proposals = list(self._find_steps())

        def make(left: Sequence[_Steps]) -> Document:
            if not left:
                return start
            olds = {number: OldText(steps[0].entry.text, hunks_of(steps)) for number, steps in left}
            return self.read.parse_again(with_old_texts(start, olds))

        def find_misread(made: Document, left: Sequence[_Steps]) -> Sequence[_Steps]:
            if len(made.entries) != len(start.entries):
                return left
            return [
                (number, steps)
                for number, steps in left
                if self._values(made.entries[number]) != steps[0].entry.base
            ]

        document, done = accepted(proposals, make, find_misread)
        return document, {number for number, _ in done}

    def _find_steps(self) -> Iterator[_Steps]:
        start = self.read.document
        stored = self._stored()
        for number, sets in self.plan.sets.items():
            entry = start.entries[number]
            wanted = FIELDS.exported(values_after(self._values(entry), sets, FIELDS))
            text = start.text[slice(*entry.span)]
            steps = self.history.steps_back(stored[number].id, text, wanted, FIELDS.exported)
            if steps:
                yield number, steps

    def note_edits(self, edited: Document, taken: Sequence[Taken]) -> None:
        """Remember what the rows were."""
        start, stored = self.read.document, self._stored()
        if not self.plan.sets or edited is start:
            return
        kept = [one.stored for one in self.plan.kept]
        matches = match_entries(kept, items_of(edited, self.library, self.read.path))
        places = {self.plan.kept[position].number: n for n, position in matches.items()}
        for number in self.plan.sets:
            if number in places:
                old, new = start.entries[number], edited.entries[places[number]]
                text, after = start.text[slice(*old.span)], edited.text[slice(*new.span)]
                before = replace(stored[number], text=text, base=self._values(old))
                self.history.note_edited(before, after, _hunks_of_entry(taken, number))

    def _stored(self) -> dict[int | None, StoredEntry]:
        return {kept.number: kept.stored for kept in self.plan.kept}

    def _values(self, entry: Entry) -> Values:
        return entry_values(entry, self.library, self.read.path)

"""Taking back what exports took out of a README or moved: rows come back at their old places, with
all that the library does not know of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from papertrack.documents.hunks import Hunk
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.write.entry_edits import without_entries
from papertrack.documents.markdown.write.hunks import as_it_is_now, hunk_of_entry, with_hunks
from papertrack.library import Library
from papertrack.records import Identifier
from papertrack.store.documents import EntryState, StoredEntry, papers_without_entry
from papertrack.store.history import Former
from papertrack.store.lookup import find_papers, get_paper, get_papers
from papertrack.store.store import Store
from papertrack.sync.history import History, Return, hunks_of, put_back
from papertrack.sync.items import Category
from papertrack.sync.markdown.matching import match_entries, stem_of
from papertrack.sync.markdown.reading import ReadDocument
from papertrack.sync.markdown.values import MarkdownItem, items_of


def put_back_entries(
    store: Store, library: Library, read: ReadDocument, stored: list[StoredEntry], history: History
) -> tuple[Document, list[StoredEntry]]:
    """Put back the entries whose papers are in their old category again, and move back those that
    an export moved. What cannot come back as it was is left to be written anew.

    Returns the document then, and what is remembered of its entries.
    """
    unchanged = read.document, stored
    if not history.removed:
        return unchanged
    items = items_of(read.document, library, read.path)
    matches = match_entries(stored, items)
    returns = list(_Returns(store, items, stored, matches).find(history.removed))
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
    return document, _with_returned(items_of(document, library, read.path), stored, done)


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
    items: Sequence[MarkdownItem]
    stored: Sequence[StoredEntry]
    matches: Mapping[int, int]

    def find(self, removed: Sequence[Former]) -> Iterator[Return]:
        by_hand = {stem_of(i.key) for i in self.items if i.number not in self.matches}
        waiting: dict[Category, list[int]] = {}
        used: set[int] = set()
        for one in removed:
            category = one.entry.category
            if category not in waiting:
                waiting[category] = papers_without_entry(self.store, category)
            paper_id = self._paper_of(one.entry, waiting[category])
            if paper_id is None or stem_of(one.entry.key) in by_hand:
                continue
            hunks, moving = hunks_of([one]), self._moving(paper_id, used)
            if moving is None:
                yield Return(one, paper_id, hunks)
                continue
            item, position = moving
            used.add(position)
            key, was = one.entry.key, one.entry.text
            again = tuple(as_it_is_now(hunk, key, was, item.text) for hunk in hunks)
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

    def _moving(self, paper_id: int, used: set[int]) -> tuple[MarkdownItem, int] | None:
        """The row of the paper, and its position, that is where the paper is no more."""
        held = get_paper(self.store, paper_id).categories
        for number, position in self.matches.items():
            before, item = self.stored[position], self.items[number]
            is_free = before.is_in_file and position not in used
            is_left = before.category not in held and item.category == before.category
            if before.paper_id == paper_id and is_free and is_left:
                return item, position
        return None


def _with_returned(
    items: Sequence[MarkdownItem], stored: Sequence[StoredEntry], done: Sequence[Return]
) -> list[StoredEntry]:
    result = list(stored)
    said: dict[object, list[MarkdownItem]] = {}
    for item in items:
        said.setdefault(_name(item), []).append(item)
    for one in done:
        was = one.removed.entry
        if one.position is not None:
            result[one.position] = replace(result[one.position], category=was.category)
            continue
        # Both sides were in step on what the lines say, or the removal would have been asked about.
        same = said[_name(was)]
        again = next((item for item in same if item.title == was.base.get("title")), same[0])
        linked = EntryState.LINKED
        result.append(replace(was, paper_id=one.paper_id, base=again.values, state=linked))
    return result


def _name(entry: Entry | MarkdownItem | StoredEntry) -> object:
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

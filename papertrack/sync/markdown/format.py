"""The document format of READMEs.

Rows that an export removed or moved can return to their old places, including text that the library
knows nothing of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from papertrack.documents.encoding import encode_document
from papertrack.documents.hunks import Hunk
from papertrack.documents.markdown.kept_tables import KeptTable, fill_tables
from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.repair import find_damage
from papertrack.documents.markdown.write.entries import with_true_counters, without_entries
from papertrack.documents.markdown.write.hunks import hunks_of_gone, with_hunks
from papertrack.documents.markdown.write.summary import find_doubt
from papertrack.library import Library
from papertrack.matching.venues import is_venue_with_year, names_venue_and_year
from papertrack.records import LINK_ROLES, Identifier, Paper
from papertrack.store.categories import ensure_categories
from papertrack.store.documents import (
    EntryState,
    RegisteredDocument,
    StoredEntry,
    papers_without_entry,
)
from papertrack.store.known import known_titles
from papertrack.store.lookup import fields_of_reader, find_papers, get_paper, get_papers
from papertrack.store.store import Store
from papertrack.store.written_files import digest_of
from papertrack.sync.format import Entries, Format, ImportNotes, Linked, Written
from papertrack.sync.history import Former, History, Return, gone, in_order, put_back, with_returned
from papertrack.sync.in_step import index_note
from papertrack.sync.items import Category, Item, Plan, Resolver
from papertrack.sync.linking import ListLinker, is_pasted
from papertrack.sync.markdown import reading
from papertrack.sync.markdown.matching import (
    follow_headings,
    match_edited,
    match_entries,
    number_of,
    stem_of,
    work_of,
)
from papertrack.sync.markdown.reading import MarkdownItem, ReadDocument
from papertrack.sync.markdown.writing import Writing
from papertrack.sync.threeway import Values


@dataclass(eq=False)
class MarkdownFormat(Format):
    """A README."""

    kind = "markdown"
    source = reading.SOURCE
    fields = reading.FIELDS

    store: Store
    library: Library
    name: str
    read: ReadDocument
    is_as_known: bool = False
    is_of_others: bool = False
    """Whether other devices have imported it, and this one reads it for the first time."""
    make_table: Callable[[str], str] | None = None
    """Returns the Markdown that the marker of a generated table asks for."""
    items: Sequence[MarkdownItem] = field(init=False)

    def __post_init__(self) -> None:
        document = self.read.document
        self.path, self.data, self.encoding = self.read.path, self.read.data, self.read.encoding
        self.text, self.title = document.text, document.title
        self.sections = list(dict.fromkeys(s.path for s in document.sections if s.path))
        self.items = reading.items_of(document, self.library, self.path)
        skipped = (*document.skipped, *self.read.damage)
        by_line = sorted(skipped, key=attrgetter("line"))
        self.notes = ImportNotes(skipped=by_line, mentioned=len(document.mentioned))
        parts = self.store, self.source, self.notes, self.sections, self.is_of_others
        self.linker = ListLinker(*parts)

    def library_values(self, paper: Paper) -> Values:
        return reading.library_values(paper, fields_of_reader(self.store, paper.id))

    def with_entry_wording(self, items: Sequence[Item], values: Values) -> Values:
        venue = values["venue"]
        venues = (item.values["venue"] for item in items)
        wording = next((v for v in venues if venue and v and is_venue_with_year(v, venue)), venue)
        return values | {"venue": wording}

    def max_passes(self, items: Sequence[Item]) -> int | None:
        document = self.read.document
        groups = (document.entries[item.number].group for item in items)
        return max(document.marks_of(group).max_passes for group in groups)

    def matches(self, stored: Sequence[StoredEntry]) -> dict[int, int]:
        return match_edited(stored, self.items) if stored else {}

    def find_reparsed(self, item: Item, before: StoredEntry) -> set[str]:
        if before.state is not EntryState.LINKED or item.text != before.text:
            return set()
        names = self.fields.changed_in(item.values, before.base)
        links = self.read.document.entries[item.number].anatomy.links if names else ()
        # A link by reference has its address in another line, which somebody may have edited.
        if not self.is_as_known and any(link.form == "reference" for link in links):
            names -= {*LINK_ROLES, "identifiers", "kind"}
        return names

    def owner(self, item: Item, before: StoredEntry) -> int | None:
        return self.linker.owner(item)

    def is_elsewhere(self, paper: Paper) -> bool:
        return self.linker.is_elsewhere(paper)

    def accepts(self, item: Item, before: StoredEntry, paper: Paper, name: str, value: Any) -> bool:
        """Return whether to write a changed value; not a venue that the entry has already."""
        venue, facts = item.values["venue"] if name == "venue" else None, paper.facts
        return not (venue and names_venue_and_year(venue, facts.venue or "", facts.year))

    def begin_import(
        self, stored: Sequence[StoredEntry], matches: Mapping[int, int]
    ) -> Sequence[StoredEntry]:
        """Rename the categories of renamed headings; the first import creates all categories."""
        document = self.read.document
        if not stored:
            ensure_categories(self.store, document.categories)
            self.notes.notices += find_doubt(document)
        renamed = follow_headings(self.store, self.name, document, stored, matches)
        stored, self.notes.renamed = renamed
        return stored

    def link(self, items: Sequence[Item], resolver: Resolver) -> Sequence[Linked]:
        return self.linker.link(items, resolver)

    def end_import(self, entries: Entries) -> None:
        """Update the search index with the notes that the document links to."""
        names = {name for item in self.items for name in item.values["note"] if "://" not in name}
        for name in sorted(names):
            index_note(self.store, self.library, name)

    def repeated_notes(self, entries: Entries, data: bytes) -> ImportNotes:
        damage = self.read.damage if data == self.data else find_damage(self.text)
        document = self.read.document
        skipped = sorted((*document.skipped, *damage), key=attrgetter("line"))
        return ImportNotes(skipped, [], len(document.mentioned))

    def with_text(self, text: str) -> MarkdownFormat:
        return self._again(self.read.document.parse_again(text))

    def with_tables(self, resolver: Resolver) -> tuple[MarkdownFormat, Sequence[str]]:
        if self.make_table is None:
            return self, ()

        def may_replace(table: KeptTable, text: str, new_text: str) -> bool:
            return resolver.ask(table.line, "a table", "text", None, text, new_text) == "library"

        text, refused = fill_tables(self.text, self.make_table, may_replace)
        return self if text == self.text else self.with_text(text), refused

    def encoded(self) -> bytes:
        return encode_document(self.text, self.read.encoding)

    def matches_written(self, stored: Sequence[StoredEntry]) -> dict[int, int]:
        return match_entries(stored, self.items)

    def unedited_values(self, paper: Paper) -> Values:
        return {"title": paper.facts.title, "date": reading.day_submitted(paper)}

    def put_back(
        self, stored: Sequence[StoredEntry], history: History
    ) -> tuple[MarkdownFormat, Sequence[StoredEntry]]:
        """Put back rows whose papers are in their old category again.

        Rows that an export moved are moved back. A row that would not be parsed as before is left
        out, and the export writes a new one.
        """
        matches = match_entries(stored, self.items)
        parts = self.store, self.read.document, self.items
        returns = list(_Returns(*parts, stored, matches, history).find())
        if not returns:
            return self, stored
        start, returns = self._without_moving(matches, returns)

        def apply(hunks: Sequence[Hunk]) -> tuple[MarkdownFormat, Sequence[Hunk]]:
            text, lost = with_hunks(start.read.document, hunks)
            return self._again(self._counted(self.read.document.parse_again(text))), lost

        again, accepted_returns = put_back(returns, start, apply, _name, _says)
        # A moving row may have been removed without a place to insert it.
        if not _works(self.items) <= _works(again.items):
            return self, stored
        return again, with_returned(stored, again.items, accepted_returns, _name)

    def _without_moving(
        self, matches: Mapping[int, int], returns: Sequence[Return]
    ) -> tuple[MarkdownFormat, list[Return]]:
        """Remove the rows that move back; return the document and the returns still possible."""
        places = {position: number for number, position in matches.items()}
        leaving = [places[ret.position] for ret in returns if ret.position is not None]
        if not leaving:
            return self, list(returns)
        text, removed = without_entries(self.read.document, leaving)
        start = self.with_text(text)
        if len(start.items) != len(self.items) - len(removed):
            return self, [ret for ret in returns if ret.position is None]
        returning = [r for r in returns if r.position is None or places[r.position] in removed]
        return start, returning

    def write(self, plan: Plan, history: History) -> Written:
        writing = Writing(self.store, self.library, self.name, self.read, self.items, plan, history)
        document = self._again(self._counted(writing.write()))
        placed, added = writing.placed, writing.added
        return Written(document, placed, added, writing.refused, writing.refused_of_added)

    def _counted(self, document: Document) -> Document:
        """Update the counters of entries in an edited version of this document."""
        text = with_true_counters(self.read.document, document)
        return document if text == document.text else document.parse_again(text)

    def _again(self, document: Document) -> MarkdownFormat:
        """Return this document with another parsed text."""
        if document is self.read.document:
            return self
        return replace(self, read=replace(self.read, document=document))


@dataclass(frozen=True, slots=True)
class _Returns:
    """Finds removed rows to put back, because their papers are in the old categories again."""

    store: Store
    document: Document
    items: Sequence[MarkdownItem]
    stored: Sequence[StoredEntry]
    matches: Mapping[int, int]
    history: History

    def find(self) -> Iterator[Return]:
        by_hand = {work_of(i) for i in self.items if i.number not in self.matches}
        used: set[int] = set()
        for former, entry, paper_id in (*self._find_removed(), *self._find_wanted()):
            if work_of(entry) in by_hand:
                continue
            item, position = self._moving(paper_id, used)
            if hunks := self._hunks_of(former, item.text if item else None):
                used.add(-1 if position is None else position)
                yield Return(entry, paper_id, hunks, position)

    def _hunks_of(self, former: Former, words: str | None) -> tuple[Hunk, ...]:
        """Return the text removed with an entry; nothing if a part of it is still there.

        ``words`` is the entry's text at its present place, if it was moved.
        """
        texts = self.history.texts_around(former)
        then, now = map(self.document.parse_again, texts)
        index = reading.index_of(then, former.entry)
        moved = None if former.after is None else reading.index_of(now, former.after)
        hunks = () if index is None else hunks_of_gone(then, index, now, moved, words)
        return in_order(hunks, former)

    def _find_removed(self) -> Iterator[tuple[Former, StoredEntry, int]]:
        """Yield removed rows whose papers have no entry in the row's category, and duplicates.

        A duplicate is one of several rows of a paper in a category, of which another is present.
        """
        waiting: dict[Category, list[int]] = {}
        rows = [self.stored[position] for position in self.matches.values()]
        for former in sorted(self.history.removed, key=lambda former: number_of(former.entry.key)):
            category = former.entry.category
            if category not in waiting:
                waiting[category] = papers_without_entry(self.store, category)
            paper_id = self._paper_of(former.entry, waiting[category])
            if paper_id is not None:
                waiting[category].remove(paper_id)
            elif former.is_ours:  # A row deleted by hand must not come back unasked.
                paper_id = self._paper_of_further(former.entry, rows)
            if paper_id is not None:
                rows.append(former.entry._replace(paper_id=paper_id))
                yield former, gone(former.entry), paper_id

    def _find_wanted(self) -> Iterator[tuple[Former, StoredEntry, int]]:
        """Yield entries that the user deleted from the file and wants back."""
        matched = set(self.matches.values())
        for position, entry in enumerate(self.stored):
            if entry.state is EntryState.WANTED and position not in matched:
                former = self.history.former_of(entry)
                if former and entry.category in get_paper(self.store, entry.paper).categories:
                    yield former, entry, entry.paper

    def _paper_of(self, entry: StoredEntry, waiting: Sequence[int]) -> int | None:
        """Return the paper of a removed entry; None if it is not among those ``waiting``."""
        owners = find_papers(self.store, _identifiers_of(entry))
        sound = {i: owner for i, owner in owners.items() if not self._is_pasted(entry, owner)}
        candidates = [owner for owner in sound.values() if owner in waiting]
        # An address that works of different titles share identifies none of them.
        if not candidates and all(identifier.scheme == "url" for identifier in sound):
            candidates = self._titled(entry, waiting)
        return candidates[0] if candidates else None

    def _is_pasted(self, entry: StoredEntry, owner: int) -> bool:
        """Return whether the entry has an identifier that was pasted from another paper."""
        title, identifiers = entry.base.get("title"), _identifiers_of(entry)
        return any(is_pasted(self.store, identifier, owner, title) for identifier in identifiers)

    def _titled(self, entry: StoredEntry, waiting: Sequence[int]) -> list[int]:
        """Return the papers with the entry's title, or with one that an export had replaced.

        If one of these titles is missing, returns a paper only if there is no other candidate.
        """
        titles = self._titles_of(entry)
        papers = get_papers(self.store, waiting)
        ids = [paper.id for paper in papers if (paper.facts.title or "") in titles]
        return ids if "" not in titles or len(ids) == 1 else []

    def _titles_of(self, entry: StoredEntry) -> set[str]:
        steps = self.history.steps_of(None, entry.text)
        return {state.base.get("title") or "" for state in (entry, *(step.entry for step in steps))}

    def _paper_of_further(self, entry: StoredEntry, rows: Sequence[StoredEntry]) -> int | None:
        """Return the paper of which a removed entry was a duplicate row; None if it was not.

        The paper has a row in the category, present or returning, but fewer rows than before.
        """
        twins = [row for row in rows if work_of(row) == work_of(entry)]
        owner = next((row.paper_id for row in twins if row.category == entry.category), None)
        if owner is None or len(twins) >= number_of(entry.key) or self._is_pasted(entry, owner):
            return None
        return owner if entry.category in get_paper(self.store, owner).categories else None

    def _moving(
        self, paper_id: int, used: set[int]
    ) -> tuple[MarkdownItem, int] | tuple[None, None]:
        """Return the paper's row in a category that it has left, and its stored position."""
        categories = get_paper(self.store, paper_id).categories
        for number, position in self.matches.items():
            before, item = self.stored[position], self.items[number]
            is_free = before.is_in_file and position not in used
            is_left = before.category not in categories and item.category == before.category
            if before.paper_id == paper_id and is_free and is_left:
                return item, position
        return None, None


def _identifiers_of(entry: StoredEntry) -> list[Identifier]:
    return [Identifier(*pair) for pair in entry.base.get("identifiers", ())]


def _name(entry: Item | StoredEntry) -> object:
    return stem_of(entry.key), entry.category


def _says(item: Item, was: StoredEntry) -> bool:
    """Return whether a restored row has its former values, even if columns have changed."""
    return reading.FIELDS.exported(item.values) == reading.FIELDS.exported(was.base)


def _works(items: Sequence[Item]) -> Counter[object]:
    return Counter(item.identifiers or (item.title,) for item in items)


@dataclass(frozen=True)
class MarkdownReader:
    """Reads and parses the README at ``path``; ``data`` replaces the file's content."""

    store: Store
    library: Library
    path: Path
    name: str
    is_repaired: bool = False
    data: bytes | None = None
    make_table: Callable[[str], str] | None = None

    def __call__(self, registered: RegisteredDocument | None) -> MarkdownFormat:
        settings = registered.settings if registered else None
        titles = known_titles(self.store)
        file = reading.read_document(
            self.path, settings, titles, is_repaired=self.is_repaired, data=self.data
        )
        is_as_known = registered is not None and registered.digest == digest_of(file.data)
        is_of_others = registered is not None and registered.is_unread
        return MarkdownFormat(
            *(self.store, self.library, self.name, file, is_as_known, is_of_others), self.make_table
        )

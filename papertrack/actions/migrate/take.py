"""Import another tool's items as one action that accounts for each item.

The first time, an item becomes a paper or is matched with one, by the rule for .bib files. Later
imports bring only what changed there, and nothing that the reader changed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from papertrack.actions.migrate.again import Update, record_of, said_of, tags_of
from papertrack.actions.migrate.made import Making
from papertrack.actions.migrate.statuses import Meaning, Statuses
from papertrack.category_paths import format_path
from papertrack.documents.bibtex.model import BibEntry
from papertrack.importers.model import Item, Source
from papertrack.library import Library
from papertrack.store.categories import ensure_category
from papertrack.store.citekeys import Citekeys
from papertrack.store.journal import changed_papers
from papertrack.store.lookup import citekey_of
from papertrack.store.originals import TakenItem, removed_items, set_added, taken_items
from papertrack.store.papers import add_note, keep_original
from papertrack.store.states import decide
from papertrack.store.store import Store
from papertrack.sync.bibtex.linking import Grouped, Linking, group_entries
from papertrack.sync.format import Told
from papertrack.sync.report import ImportReport, Merged, SkippedItem
from papertrack.text import few, plural, shorten

Progress = Callable[[int, int, str], None]
"""How many items of how many are done, and what is being done."""
_STEP = 250
"""Progress is reported each time this many items are done."""
_One = TypeVar("_One")
REMOVED = "you removed it here"


def take_source(
    store: Store,
    library: Library,
    name: str,
    source: Source,
    *,
    statuses: Statuses | None = None,
    is_copying: bool = False,
    progress: Progress = lambda done, total, doing: None,
) -> ImportReport:
    """Import all items of a source, as one action that can be undone.

    Notes become files in the library; other files are linked from its PDF folder, or copied. Raises
    PapertrackError, with nothing imported, if one of them cannot be made.
    """
    with store.action("import", name) as action:
        taking = _Taking(store, library, source, statuses or Statuses(), is_copying, progress)
        taking.take()
        added, changed = changed_papers(store, action.id)
        new = plural(len(added), "new paper")
        action.summary = f"{name} ({source.tool}): {new}, {len(changed)} changed"
    papers = set(taking.papers.values())
    return ImportReport(
        file=name,
        papers_new=len(added),
        papers_changed=len(changed & papers),
        papers_unchanged=len(papers - added - changed),
        entries=len(source.items),
        skipped=tuple(taking.skipped),
        conflicts=(),
        deleted=(),
        is_registered=False,
        is_first=not taking.known,
        items=source.count,
        imported=taking.imported,
        merged=tuple(taking.merged),
        merged_items=taking.merged_items,
        counts=dict(source.counts),
        categories=tuple(map(format_path, source.categories)),
        told=(*source.notices, *_about_missing(source), *taking.told),
    )


def _about_missing(source: Source) -> list[str]:
    """Return a sentence about files that are named but missing."""
    missing = [file.title for item in source.items for file in item.files if file.problem]
    if not missing:
        return []
    return [f"The files of {plural(len(missing), 'attachment')} are not available: {few(missing)}."]


@dataclass(slots=True)
class _Taking:
    store: Store
    library: Library
    source: Source
    statuses: Statuses
    is_copying: bool
    progress: Progress
    known: Mapping[str, TakenItem] = field(default_factory=dict)
    papers: dict[str, int] = field(default_factory=dict)
    """Item key → its paper."""
    imported: int = 0
    merged: list[Merged] = field(default_factory=list)
    merged_items: int = 0
    skipped: list[SkippedItem] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def take(self) -> None:
        """Import each item, or count it as skipped."""
        self.known = taken_items(self.store, self.source.tool)
        removed = removed_items(self.store, self.source.tool) - self.known.keys()
        for number, one in enumerate(self.source.left_out, start=1):
            self.skipped.append(SkippedItem(number, one.reason, shorten(one.name), one.key))
        for path in self.source.categories:
            ensure_category(self.store, path)
        fresh, again = [], []
        for item in self.source.items:
            if item.key in self.known:
                again.append(item)
            elif item.key in removed:
                self._skip_whole(item, REMOVED)
            else:
                fresh.append(item)
        making = Making(self.store, self.library, self.is_copying)
        self._take_fresh(fresh, making)
        self._take_again(again, making)
        making.put_in_place()

    def _take_fresh(self, items: Sequence[Item], making: Making) -> None:
        if not items:
            return
        meanings = [self.statuses.of(item) for item in items]
        entries = [
            _entry_of(number, item, meaning)
            for number, (item, meaning) in enumerate(zip(items, meanings, strict=True))
        ]
        looking = self._counted(entries, "matching with your papers")
        grouped = group_entries(self.store, entries, looking)
        had = {work.paper_id for work in grouped.works}
        names = {entry.span: item.key for entry, item in zip(entries, items, strict=True)}
        told, tool = Told(), self.source.tool
        keys = Citekeys(self.store)
        linked = Linking(self.store, grouped, tool, names, keys, told, tool).link()
        self.told += [f"{notice.text}: {notice.reason}" for notice in told.notices]
        seen: set[int] = set()
        counted = self._counted(items, "writing notes and links")
        for entry, item, meaning in zip(entries, counted, meanings, strict=True):
            paper_id = linked[entry.span].paper_id
            is_new = paper_id not in had and paper_id not in seen
            seen.add(paper_id)
            self.papers[item.key] = paper_id
            given = self._give(item, paper_id, making, meaning if is_new else None)
            self._count(given, paper_id, is_new=is_new)
        self._set_dates(items, had, grouped)

    def _counted(self, some: Sequence[_One], doing: str) -> Iterator[_One]:
        """Yield each item, reporting progress."""
        for done, one in enumerate(some, start=1):
            yield one
            if done % _STEP == 0 or done == len(some):
                self.progress(done, len(some), doing)

    def _give(self, item: Item, paper_id: int, making: Making, meaning: Meaning | None) -> Item:
        """Give a paper the item's notes and files, and a new paper its decision; return the item
        without what could not be read."""
        if meaning is not None and meaning.decision != "saved":
            decide(self.store, paper_id, meaning.decision)
        if not item.notes and not item.files:
            return item
        citekey = citekey_of(self.store, paper_id)
        made = self._make_notes(item, paper_id, citekey, making)
        files = making.files(citekey, item.files)
        self.told += files.told()
        given = item.without(files.problems)
        made |= files.names
        if made or files.problems:  # Otherwise what is kept says it already.
            record = record_of(given, made)
            keep_original(self.store, paper_id, f"{self.source.tool}:{item.key}", record)
        return given

    def _make_notes(
        self, item: Item, paper_id: int, citekey: str, making: Making
    ) -> dict[str, str | None]:
        """Make the notes of an item that do not exist yet."""
        made: dict[str, str | None] = {}
        for note in item.notes:
            if note.text:
                name = making.note(self.source.tool, citekey, note.key, note.text)
                add_note(self.store, paper_id, name)
                made[name] = None
        return made

    def _take_again(self, items: Sequence[Item], making: Making) -> None:
        """Import what changed in items that were imported before."""
        for item in self._counted(items, "looking for changes"):
            paper_id, record = self.known[item.key]
            self.papers[item.key] = paper_id
            if record.get("said") != said_of(item):
                meaning = self.statuses.of(item)
                update = Update(self.store, self.source.tool, making, item, paper_id, record)
                self.told += update.take(meaning)
                item = update.item
            self._count(item, paper_id, is_new=False)

    def _set_dates(self, items: Sequence[Item], had: set[int | None], grouped: Grouped) -> None:
        dates: dict[int, str] = {}
        for item in items:
            paper_id = self.papers[item.key]
            if item.added and paper_id not in had:
                dates[paper_id] = min(item.added, dates.get(paper_id, item.added))
        set_added(self.store, dates.items())

    def _count(self, item: Item, paper_id: int, *, is_new: bool) -> None:
        lost = [file for file in item.files if file.problem and file.stands_for]
        for file in lost:
            self._skip(file.key, file.title, file.problem)
        parts = sum(note.stands_for for note in item.notes)
        parts += sum(file.stands_for for file in item.files) - len(lost)
        if item.key in self.known:
            self.merged_items += item.stands_for + parts
            return
        self.imported += parts
        if is_new:
            self.imported += item.stands_for
            return
        self.merged_items += item.stands_for
        citekey = citekey_of(self.store, paper_id)
        self.merged.append(Merged(item.key, shorten(item.name), citekey))

    def _skip_whole(self, item: Item, reason: str) -> None:
        """Count an item as skipped, with everything that belongs to it."""
        for _ in range(item.stands_for):
            self._skip(item.key, item.name, reason)
        for note in item.notes:
            for _ in range(note.stands_for):
                self._skip(note.key, item.name, reason)
        for file in item.files:
            for _ in range(file.stands_for):
                self._skip(file.key, file.title, reason)

    def _skip(self, key: str, name: str, reason: str) -> None:
        self.skipped.append(SkippedItem(len(self.skipped) + 1, reason, shorten(name), key))


def _entry_of(number: int, item: Item, meaning: Meaning | None) -> BibEntry:
    """Return an item as a .bib entry, for matching and for making papers."""
    record = record_of(item, {})
    passes = max(item.passes, meaning.passes if meaning else 0)
    return BibEntry(
        citekey=item.citekeys[0] if item.citekeys else None,
        type=item.type,
        facts=item.facts,
        raw=record,
        span=(number, number),
        line=number + 1,
        whole=record,
        tags=tuple(tags_of(said_of(item))),
        categories=item.categories,
        passes=passes or None,
        rating=item.rating,
        citekey_aliases=item.citekeys[1:],
    )

"""Importing a README: its entries become papers, and later its changes the library's changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from papertrack.documents.markdown.model import Entry
from papertrack.library import Library
from papertrack.library.paths import name_of_file
from papertrack.records import Paper
from papertrack.store import journal
from papertrack.store.categories import (
    ensure_category,
    format_path,
    put_in_category,
    take_out_of_category,
)
from papertrack.store.documents import (
    EntryState,
    StoredEntry,
    entries_of_paper,
    find_document,
    read_entries,
    register_document,
    remove_entry,
    set_library_values,
    write_entries,
)
from papertrack.store.lookup import citekey_of, fields_of_reader, get_paper, get_papers
from papertrack.store.states import decide
from papertrack.store.store import Store
from papertrack.sync.handing_on import hand_on, still_waiting
from papertrack.sync.markdown.headings import Renamed, follow_headings
from papertrack.sync.markdown.linking import Linker
from papertrack.sync.markdown.matching import match_entries, unlinked
from papertrack.sync.markdown.reading import ReadDocument, read_document
from papertrack.sync.markdown.values import (
    Values,
    capped,
    entry_notes,
    entry_values,
    library_values,
)
from papertrack.sync.notes import index_note
from papertrack.sync.putting_back import remember_deleted
from papertrack.sync.report import (
    ImportReport,
    TakenBack,
    find_taken_back,
    holds_thoughts,
)
from papertrack.sync.taking_over import apply_merge
from papertrack.sync.threeway import (
    Conflict,
    OnDeleted,
    Prefer,
    Side,
    aggregate,
    decide_conflict,
    decide_deleted,
    keep_in_step,
    merge,
)

Category = tuple[str, ...]
STDIN = "-"
"""The name of a document that is no file."""


def import_document(
    store: Store,
    library: Library,
    path: Path,
    *,
    repair_encoding: bool = False,
    prefer: Prefer = None,
    on_deleted: OnDeleted = "unlink",
    citekey_template: str = "{auth}{year}{shorttitle}",
    dry_run: bool = False,
    data: bytes | None = None,
) -> ImportReport:
    """Read a Markdown file into the library, and make it a document that the library feeds.

    The first time each entry becomes a saved paper, or is found to be one. Later only what
    changed in the file since the last time is taken; what changed on both sides is a conflict.
    ``on_deleted`` says what becomes of a paper whose entry is gone: it stays, unlinked; it is
    discarded; or the next export puts its row back. With ``repair_encoding`` papers are made from
    the repaired text, and the file, which stays as it is, is not made a document; nor is ``data``
    that comes from elsewhere, whose links to notes are those of a file at ``path``.
    Raises NotFoundError, PapertrackError or DocumentError when the file cannot be read.
    """
    name = name_of_file(library, path) if data is None else STDIN
    is_registered = data is None and not repair_encoding
    with store.action("import", name, dry_run=dry_run) as action:
        # Read while no other papertrack can export: what that wrote must not look undone by hand.
        registered = find_document(store, name)
        settings = registered.settings if registered else None
        read = read_document(path, settings, is_repaired=repair_encoding, data=data)
        linker = Linker(store, library, path, name, citekey_template)
        run = _Import(store, read, linker, prefer, on_deleted)
        run.run(is_registered=is_registered)
        added, changed = journal.changed_papers(store.connection, action.id)
    linked = {entry.paper_id for entry in run.results.values()}
    return ImportReport(
        file=name,
        papers_new=len(added),
        papers_changed=len(changed),
        papers_unchanged=len(linked - added - changed - {None}),
        entries=len(read.document.entries),
        skipped=tuple(sorted((*read.document.skipped, *read.damage), key=lambda s: s.line)),
        conflicts=tuple(run.conflicts),
        deleted=tuple(run.deleted),
        is_registered=is_registered,
        is_first=registered is None,
        taken_back=tuple(run.taken_back),
        renamed=tuple((format_path(old), format_path(new)) for old, new in run.renamed),
    )


class _Import:
    """One import under way: what has been found out and done so far."""

    def __init__(
        self,
        store: Store,
        read: ReadDocument,
        linker: Linker,
        prefer: Prefer,
        on_deleted: OnDeleted,
    ) -> None:
        self.store = store
        self.read = read
        self.linker = linker
        self.prefer = prefer
        self.on_deleted = on_deleted
        self.document_id: int | None = None
        self.conflicts: list[Conflict] = []
        self.deleted: list[str] = []
        self.taken_back: list[TakenBack] = []
        self.renamed: list[Renamed] = []
        self.values = [
            entry_values(entry, linker.library, read.path) for entry in read.document.entries
        ]
        self.results: dict[int, StoredEntry] = {}
        """What to store of each entry, by its index."""
        self.unlinked: list[StoredEntry] = []
        """What to store of entries that are not in the file (any more)."""
        self.linked: dict[int, Paper | None] = {}
        """Papers that got a first entry in this document, as they were before; None if new."""
        self.left: list[tuple[int, Category]] = []
        """Papers and the categories where an entry of theirs was."""

    def run(self, *, is_registered: bool) -> None:
        stored: list[StoredEntry] = []
        if is_registered:
            document = self.read.document
            self.document_id = register_document(
                self.store,
                self.linker.document,
                "markdown",
                title=document.title,
                digest=self.read.digest,
            )
            stored = read_entries(self.store, self.document_id)
        if not stored:
            self._make_categories()
        notes = [values["note"] for values in self.values]
        matches = match_entries(stored, self.read.document.entries, notes) if stored else {}
        stored, self.renamed = follow_headings(
            self.store, self.linker.document, self.read.document, stored, matches
        )
        fresh, groups, gone = self._classify(stored, matches)
        for paper_id, pairs in groups.items():
            lost = [before for before in gone if before.paper_id == paper_id]
            self._merge(paper_id, pairs, lost)
        for entry in fresh:
            self._link(entry)
        to_put_back = self._settle_gone(gone)
        self._settle_returned()
        self._leave_categories()
        self._note_library_values()
        if self.document_id is not None:
            results = [self.results[index] for index in sorted(self.results)]
            write_entries(self.store, self.document_id, [*results, *self.unlinked])
            remember_deleted(self.store, self.document_id, stored, to_put_back)
        self._index_notes()

    def _make_categories(self) -> None:
        """Make the document's categories in its order, also those that are still empty."""
        for path in self.read.document.categories:
            ensure_category(self.store, path)

    def _classify(
        self, stored: list[StoredEntry], matches: dict[int, int]
    ) -> tuple[
        list[Entry],
        dict[int, list[tuple[Entry, StoredEntry]]],
        list[StoredEntry],
    ]:
        """The entries to link to a paper, those known by their paper, and those gone."""
        entries = self.read.document.entries
        fresh: list[Entry] = []
        groups: dict[int, list[tuple[Entry, StoredEntry]]] = {}
        matched = set(matches.values())
        gone = [before for n, before in enumerate(stored) if n not in matched]
        self.unlinked = [b for n, b in enumerate(stored) if n not in matched and not b.is_in_file]
        for number, entry in enumerate(entries):
            before = stored[matches[number]] if number in matches else None
            if before is None:
                fresh.append(entry)
            elif before.state is EntryState.REMOVED:
                if self.linker.owner(entry) is not None:
                    fresh.append(entry)
                elif (kept := self._keep_removed(entry, before)) is not None:
                    self.results[entry.index] = kept
                else:
                    fresh.append(entry)
            elif self.linker.owner(entry) in (None, before.paper_id):
                groups.setdefault(before.paper, []).append((entry, before))
            else:
                fresh.append(entry)
                gone.append(before)
        gone = [before for before in gone if before.is_in_file]
        return fresh, groups, gone

    def _keep_removed(self, entry: Entry, before: StoredEntry) -> StoredEntry | None:
        """What to store of an entry whose paper was removed from the library.

        Its row waits to be removed too. None when it has changed since and is to be a paper again.
        """
        if self.values[entry.index] == before.base:
            return before
        title = entry.fields.title
        side = self._ask(entry, title, "paper", before.base.get("title"), title, None)
        if side == "file":
            return None
        return self._stored(entry, before, before.library) if side == "library" else before

    def _link(self, entry: Entry) -> None:
        linked = self.linker.link(entry)
        self.linked.setdefault(linked.paper_id, linked.before)
        if linked.conflict is not None:
            self.conflicts.append(linked.conflict)
        self.results[entry.index] = self._stored(entry, None, {}, paper_id=linked.paper_id)

    def _merge(
        self, paper_id: int, pairs: list[tuple[Entry, StoredEntry]], lost: list[StoredEntry]
    ) -> None:
        """Take over what changed in the entries that one paper has in this document."""
        is_same = not lost and all(
            self.values[entry.index] == before.base and entry.category == before.category
            for entry, before in pairs
        )
        if is_same:
            for entry, before in pairs:
                self.results[entry.index] = self._stored(entry, before, before.library)
            return
        paper = get_paper(self.store, paper_id)
        entries = [entry for entry, _ in pairs]
        document = self.read.document
        then = pairs[0][1].library
        limit = max(document.marks_of(entry.group).max_passes for entry in entries)
        merged = merge(
            aggregate([before.base for _, before in pairs] + [before.base for before in lost]),
            aggregate([self.values[entry.index] for entry in entries]),
            capped(then, limit),
            capped(library_values(paper, fields_of_reader(self.store, paper_id)), limit),
            lambda *field: self._ask(entries[0], paper.citekey, *field),
            # Marks taken from a row by mistake take no thoughts along unasked.
            held={"passes"} if any(map(holds_thoughts, paper.readings)) else (),
        )
        if merged.then["passes"] == limit < then.get("passes", 0):
            merged.then["passes"] = then["passes"]
        self.taken_back += find_taken_back(paper, merged.scalars.get("passes", 3))
        apply_merge(self.store, paper_id, merged, entries)
        for entry, before in pairs:
            category = self._move(paper, entry, before)
            result = self._stored(entry, before, merged.then)
            kept = {name: before.base[name] for name in merged.open if name in before.base}
            base = {**result.base, **kept}
            self.results[entry.index] = replace(result, base=base, category=category)

    def _move(self, paper: Paper, entry: Entry, before: StoredEntry) -> Category:
        """Follow an entry to another section; return the category that both are in step on."""
        old, new = before.category, entry.category
        if old == new:
            return new
        if old and old not in paper.categories and new not in paper.categories:
            held = [list(path) for path in paper.categories]
            side = self._ask(entry, paper.citekey, "category", list(old), list(new), held)
            if side is None:
                return old
            if side == "library":
                return new
            self.left += [(paper.id, path) for path in paper.categories]
        if new:
            put_in_category(self.store, paper.id, new)
        if old:
            self.left.append((paper.id, old))
        return new

    def _settle_gone(self, gone: list[StoredEntry]) -> list[StoredEntry]:
        """Unlink (or discard) the papers whose last entry is gone; return those to put back."""
        to_put_back = []
        present = {entry.paper_id for entry in self.results.values()}
        for before in gone:
            if before.state is EntryState.REMOVED:
                continue
            paper_id = before.paper
            elsewhere = [] if paper_id in present else self._entries_elsewhere(paper_id)
            if paper_id in present or elsewhere:
                self.left.append((paper_id, before.category))
                hand_on(self.store, paper_id, before.library, elsewhere)
                continue
            self.deleted.append(citekey_of(self.store, paper_id))
            fate = decide_deleted(self.deleted[-1], self.linker.document, self.on_deleted)
            if fate == "put-back":
                to_put_back.append(before)
                continue
            if fate == "discard":
                decide(self.store, paper_id, "discarded", f"deleted from {self.linker.document}")
            self.unlinked += unlinked(before, get_paper(self.store, paper_id).categories)
        return to_put_back

    def _settle_returned(self) -> None:
        """A paper that was unlinked somewhere and has an entry again is unlinked no more."""
        present = {entry.paper_id for entry in self.results.values()}
        for before in self.unlinked:
            if before.paper in present:
                self.left.append((before.paper, before.category))
        self.unlinked = [entry for entry in self.unlinked if entry.paper_id not in present]
        waiting: dict[int | None, Values] = {}
        for paper_id, known in self.linked.items():
            if known is None:
                continue
            for entry in entries_of_paper(self.store, paper_id):
                if entry.document_id != self.document_id and not entry.is_in_file:
                    remove_entry(self.store, entry.id)
                    self.left.append((paper_id, entry.category))
                    waiting[paper_id] = still_waiting(self.store, known, entry.library)
        for index, result in self.results.items():
            if result.id is None and result.paper_id in waiting:
                self.results[index] = replace(result, library=waiting[result.paper_id])

    def _leave_categories(self) -> None:
        """Take papers out of the categories where no document lists them any more."""
        listed = {(entry.paper_id, entry.category) for entry in self.results.values()}
        for paper_id, category in dict.fromkeys(self.left):
            elsewhere = {entry.category for entry in self._entries_elsewhere(paper_id)}
            is_in_it = category in get_paper(self.store, paper_id).categories
            if is_in_it and (paper_id, category) not in listed and category not in elsewhere:
                take_out_of_category(self.store, paper_id, category)

    def _note_library_values(self) -> None:
        """Store what the library says of the papers linked now: nothing of it waits for export."""
        after = self._library_values(list(self.linked))
        for index, entry in self.results.items():
            if entry.paper_id not in self.linked:
                continue
            values = after[entry.paper]
            before = self.linked[entry.paper]
            if entry.library and before is not None:
                old = library_values(before, fields_of_reader(self.store, before.id))
                values = keep_in_step(entry.library, old, values)
            self.results[index] = replace(entry, library=values)
        for paper_id, before in self.linked.items():
            if before is None:
                continue
            old = library_values(before, fields_of_reader(self.store, paper_id))
            for placed in self._entries_elsewhere(paper_id):
                values = keep_in_step(placed.library, old, after[paper_id])
                set_library_values(self.store, placed.id, values)

    def _library_values(self, paper_ids: list[int]) -> dict[int, Values]:
        return {
            paper.id: library_values(paper, fields_of_reader(self.store, paper.id))
            for paper in get_papers(self.store, paper_ids)
        }

    def _entries_elsewhere(self, paper_id: int) -> list[Any]:
        return [
            entry
            for entry in entries_of_paper(self.store, paper_id)
            if entry.document_id != self.document_id and entry.is_in_file
        ]

    def _stored(
        self,
        entry: Entry,
        before: StoredEntry | None,
        library: Values,
        *,
        paper_id: int | None = None,
    ) -> StoredEntry:
        start, end = entry.span
        return StoredEntry(
            key=entry.key,
            paper_id=before.paper_id if before is not None else paper_id,
            category=entry.category,
            text=self.read.document.text[start:end],
            base=self.values[entry.index],
            library=library,
            id=before.id if before is not None else None,
            state=_state_in_file(before),
            refused=before.refused if before is not None else {},
            held_in=before.held_in if before is not None else None,
        )

    def _ask(
        self, entry: Entry, citekey: str, field: str, base: Any, file: Any, library: Any
    ) -> Side | None:
        conflict = Conflict(self.linker.document, entry.line, citekey, field, base, file, library)
        side = decide_conflict(conflict, self.prefer)
        if side is None:
            self.conflicts.append(conflict)
        return side

    def _index_notes(self) -> None:
        names = {
            name
            for entry in self.read.document.entries
            for name in entry_notes(entry, self.linker.library, self.read.path)
            if "://" not in name
        }
        for name in sorted(names):
            index_note(self.store, self.linker.library, name)


def _state_in_file(before: StoredEntry | None) -> EntryState:
    """What an entry is that stands in the file: one that was taken out is back."""
    is_removed = before is not None and before.state is EntryState.REMOVED
    return EntryState.REMOVED if is_removed else EntryState.LINKED

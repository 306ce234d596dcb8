"""Exporting to registered .bib files: what changed in the library, and no other byte."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from papertrack.documents.bibtex import (
    AddEntry,
    BibEdit,
    BibEntry,
    RemoveEntry,
    encode_bib,
    removed_hunk,
)
from papertrack.documents.bibtex.fresh import entry_of
from papertrack.errors import DocumentError, PapertrackError
from papertrack.library import Library
from papertrack.library.files import replace_file
from papertrack.library.paths import path_of_name
from papertrack.records import Paper
from papertrack.store.citekeys import Citekeys
from papertrack.store.documents import (
    EntryState,
    RegisteredDocument,
    StoredEntry,
    read_entries,
    register_document,
    write_entries,
)
from papertrack.store.lookup import find_papers, get_papers
from papertrack.store.store import Store
from papertrack.sync.bibtex.fields import dialect_of, entry_edits
from papertrack.sync.bibtex.history import (
    EntryChange,
    apply_changes,
    change_of,
    return_entries,
)
from papertrack.sync.bibtex.reading import (
    ReadBib,
    entry_keys,
    items_of,
    match_bib_entries,
    read_bib,
)
from papertrack.sync.bibtex.values import (
    PUBLISHED,
    READING,
    entry_values,
    fingerprint,
    paper_values,
)
from papertrack.sync.diffs import diff_of
from papertrack.sync.history import History
from papertrack.sync.markdown.reading import digest_of
from papertrack.sync.report import DocumentExport, choose_documents
from papertrack.sync.taking_over import PUBLICATION
from papertrack.sync.threeway import Conflict, Prefer, Side, Values, compare, decide_conflict


def export_bib_documents(
    store: Store,
    library: Library,
    *,
    paths: Sequence[Path] = (),
    added: Sequence[int] = (),
    prefer: Prefer = None,
    protect: Sequence[str] = (),
    dry_run: bool = False,
) -> list[DocumentExport]:
    """Bring the registered .bib files, or those at ``paths``, up to date.

    Of an entry only the fields change whose value changed in the library and not in the file; the
    papers ``added`` that have no entry get one at the end; entries of papers that were removed go.
    What the reader did (passes, tags, groups) is never written. Raises NotFoundError for a path
    that is no document; other failures are told with their document.
    """
    exports = []
    for registered in choose_documents(store, library, paths, "bibtex"):
        path = path_of_name(library, registered.path)
        try:
            run = _Export(store, registered, read_bib(path), prefer, protect)
            # As for READMEs, the file is replaced inside the transaction.
            with store.action("export", registered.path, can_undo=False, dry_run=dry_run):
                exports.append(run.export(added, dry_run=dry_run))
        except PapertrackError as error:
            exports.append(DocumentExport(registered.path, path, "", 0, 0, (), (), False, error))
    return exports


@dataclass(slots=True)
class _Plan:
    """The edits of one file, and what to remember of each entry that it keeps, in their order."""

    edits: list[BibEdit] = field(default_factory=list)
    """Entries that come and go."""
    changes: dict[int, EntryChange] = field(default_factory=dict)
    """Position in ``kept`` → what changes in that entry."""
    kept: list[tuple[StoredEntry | None, Values, set[str]]] = field(default_factory=list)
    """For each entry that stays: as stored, the library's values, and the names of the values
    where the file waits to be imported or is in conflict."""
    added: list[Paper] = field(default_factory=list)
    rest: list[StoredEntry] = field(default_factory=list)
    """Stored entries that are not in the file."""


class _Export:
    """The export of one .bib file."""

    def __init__(
        self,
        store: Store,
        registered: RegisteredDocument,
        read: ReadBib,
        prefer: Prefer,
        protect: Sequence[str],
    ) -> None:
        self.store = store
        self.registered = registered
        self.read = read
        self.text_before = read.text
        self.prefer = prefer
        self.protect = protect
        self.dialect = dialect_of(read.bib)
        self.history = History(store, registered.id)
        self.conflicts: list[Conflict] = []

    def export(self, added: Sequence[int], *, dry_run: bool) -> DocumentExport:
        name = self.registered.path
        plan = self._plan(added)
        # With the entries in it that came back.
        text, entries, data = self.read.text, self.read.bib.entries, self.read.data
        if plan.edits or plan.changes:
            text, entries = apply_changes(text, plan.edits, plan.changes)
        is_changed = text != self.text_before
        if is_changed:
            data = encode_bib(text, self.read.encoding)
        if len(entries) != len(plan.kept) + len(plan.added):
            raise DocumentError(
                f"{name} would not be read again as it was written. It was left as it is; "
                "please report this with the file."
            )
        self._note_edited(plan, entries)
        if not dry_run:
            self.history.write()
            if is_changed:
                replace_file(self.read.path, self.read.data, data)
            self._remember(plan, entries, data)
        diff, lines_added, lines_removed = diff_of(name, self.text_before, text)
        return DocumentExport(
            file=name,
            path=self.read.path,
            diff=diff,
            lines_added=lines_added,
            lines_removed=lines_removed,
            refused=(),
            conflicts=tuple(self.conflicts),
            is_written=is_changed and not dry_run,
        )

    def _plan(self, added: Sequence[int]) -> _Plan:
        stored = read_entries(self.store, self.registered.id)
        present = self._papers_in_file(self._matches(stored))
        name = self.registered.path
        back = return_entries(self.store, self.read, name, stored, present, self.history)
        self.read = back.read
        plan = _Plan()
        returned = {one.paper_id for one in back.stored}
        present |= returned
        stored = [one for one in stored if one.paper_id not in returned] + [*back.stored]
        entries = self.read.bib.entries
        self.citekeys = {entry.citekey for entry in entries}
        self.keys = entry_keys(entries)
        matches = self._matches(stored)
        linked = [one.paper_id for one in stored if one.paper_id is not None]
        papers = {paper.id: paper for paper in get_papers(self.store, linked)}
        said = _published_values(matches.values())
        for number, entry in enumerate(entries):
            before = matches.get(number)
            if before is None or not before.is_in_file:
                plan.kept.append((before, before.library if before else {}, set()))
            elif before.state is EntryState.REMOVED:
                self._plan_removed(plan, number, before)
            else:
                self._plan_entry(plan, entry, before, papers[before.paper], said)
        found = {id(before) for before in matches.values()}
        rest = [one for one in stored if id(one) not in found]
        wanted = [one.paper for one in rest if one.state is EntryState.WANTED]
        dropped = EntryState.WANTED, EntryState.REMOVED
        plan.rest = [one for one in rest if one.state not in dropped]
        for paper in get_papers(self.store, [*wanted, *added]):
            if paper.id not in present:
                present.add(paper.id)
                plan.added.append(paper)
                plan.edits.append(self._new_entry(paper))
        return plan

    def _matches(self, stored: Sequence[StoredEntry]) -> dict[int, StoredEntry]:
        matches = match_bib_entries(stored, items_of(self.read.bib))
        return {number: stored[position] for number, position in matches.items()}

    def _papers_in_file(self, matches: Mapping[int, StoredEntry]) -> set[int | None]:
        """The papers that need no new entry: they have one, be it by hand and not yet imported."""
        present = {one.paper_id for one in matches.values()}
        identifiers = [i for entry in self.read.bib.entries for i in entry.facts.identifiers]
        for start in range(0, len(identifiers), 300):
            present.update(find_papers(self.store, identifiers[start : start + 300]).values())
        return present

    def _new_entry(self, paper: Paper) -> AddEntry:
        return AddEntry(entry_of(paper, dialect=self.dialect, protect=self.protect))

    def _plan_removed(self, plan: _Plan, number: int, before: StoredEntry) -> None:
        """The paper was removed from the library: so is its entry, unless it says something new."""
        entry = self.read.bib.entries[number]
        if fingerprint(entry) != before.text:
            title = before.base.get("title")
            if self._ask(entry, before.key, "paper", title, entry.facts.title, None) != "library":
                plan.kept.append((before, before.library, {*before.base, *entry_values(entry)}))
                return
        plan.edits.append(RemoveEntry(entry.span[0]))
        hunk = removed_hunk(self.read.text, self.read.bib.entries, self.keys, number)
        self.history.note_removed(replace(before, key=self.keys[number]), [hunk])

    def _plan_entry(
        self,
        plan: _Plan,
        entry: BibEntry,
        before: StoredEntry,
        paper: Paper,
        said: Collection[tuple[int, str, str]],
    ) -> None:
        file, base, then = entry_values(entry), before.base, before.library
        now = paper_values(paper)
        waiting = {n for n in {*file, *base} if file.get(n) != base.get(n)}
        library = dict(now)
        changed = []
        for name in sorted({*now, *then}.difference(READING)):
            wanted = now.get(name)
            if wanted == then.get(name):
                continue
            if base.get(name) != then.get(name) and _said(paper.id, name, then.get(name)) in said:
                continue  # The paper's other entry says it: this one is of the preprint.
            if name == "citekey" and entry.citekey not in (then.get(name), wanted):
                continue  # It stands under one of the paper's other keys, which names it still.
            if name == "citekey" and wanted != entry.citekey and wanted in self.citekeys:
                continue  # Two entries under one key would be an error in every manuscript.
            if file.get(name) != wanted:
                outcome = compare(base.get(name), file.get(name), then.get(name), wanted)
                side: Side | None = "library"
                if outcome == "conflict":
                    values = base.get(name), file.get(name), wanted
                    side = self._ask(entry, paper.citekey, name, *values)
                if side != "library":
                    _put(library, name, then.get(name))
                    continue
                changed.append(name)
            waiting.discard(name)
        edits = entry_edits(entry, paper, changed, self.dialect, self.protect)
        if edits:
            change = change_of(entry, edits, now, changed, self.history, before.id)
            plan.changes[len(plan.kept)] = change
        plan.kept.append((before, library, waiting))

    def _remember(self, plan: _Plan, entries: Sequence[BibEntry], data: bytes) -> None:
        """Store what both sides say now, except where the file waits to be imported."""
        keys = entry_keys(entries)
        results = []
        for number, (before, library, waiting) in enumerate(plan.kept):
            if before is None:
                continue  # Added by hand: the next import reads it.
            base = entry_values(entries[number])
            for name in waiting:
                _put(base, name, before.base.get(name))
            state = before.state
            if before.is_in_file and state is not EntryState.REMOVED:
                state = EntryState.UNSETTLED if waiting else EntryState.LINKED
            text = fingerprint(entries[number])
            if waiting or not before.is_in_file:
                text = before.text
            results.append(
                replace(
                    before, key=keys[number], text=text, base=base, library=library, state=state
                )
            )
        for number, paper in enumerate(plan.added, start=len(plan.kept)):
            entry = entries[number]
            results.append(
                StoredEntry(
                    key=keys[number],
                    paper_id=paper.id,
                    category=(),
                    text=fingerprint(entry),
                    base=entry_values(entry),
                    library=paper_values(paper),
                )
            )
        if plan.added:
            Citekeys(self.store).freeze([paper.id for paper in plan.added])
        write_entries(self.store, self.registered.id, [*results, *plan.rest])
        register_document(
            self.store, self.registered.path, "bibtex", title=None, digest=digest_of(data)
        )

    def _note_edited(self, plan: _Plan, entries: Sequence[BibEntry]) -> None:
        by_start = {entry.span[0]: entry for entry in self.read.bib.entries}
        for place, change in plan.changes.items():
            before, old = plan.kept[place][0], by_start[change.start]
            if before is not None:
                was = replace(before, text=old.raw, base=entry_values(old))
                self.history.note_edited(was, entries[place].raw)

    def _ask(
        self, entry: BibEntry, citekey: str, field: str, base: Any, file: Any, library: Any
    ) -> Side | None:
        conflict = Conflict(self.registered.path, entry.line, citekey, field, base, file, library)
        side = decide_conflict(conflict, self.prefer)
        if side is None:
            self.conflicts.append(conflict)
        return side


def _published_values(entries: Iterable[StoredEntry]) -> set[tuple[int, str, str]]:
    """What entries in the file say of how their paper was published, as the library does."""
    return {
        _said(entry.paper, name, value)
        for entry in entries
        if entry.state is not EntryState.REMOVED
        for name, value in entry.base.items()
        if name in PUBLISHED or name.startswith(PUBLICATION)
    }


def _said(paper_id: int, name: str, value: Any) -> tuple[int, str, str]:
    return paper_id, name, str(value)


def _put(values: Values, name: str, value: Any) -> None:
    if value is None:
        values.pop(name, None)
    else:
        values[name] = value

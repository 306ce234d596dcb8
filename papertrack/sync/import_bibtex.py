"""Importing a .bib file: its entries become papers, and later its changes the library's."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from papertrack.documents.bibtex import BibEntry
from papertrack.library import Library
from papertrack.library.paths import name_of_file
from papertrack.records import Identifier, Skipped
from papertrack.store import journal
from papertrack.store.documents import (
    EntryState,
    StoredEntry,
    find_document,
    read_entries,
    register_document,
    write_entries,
)
from papertrack.store.lookup import citekey_of
from papertrack.store.states import decide
from papertrack.store.store import Store
from papertrack.sync.bibtex.linking import link_works
from papertrack.sync.bibtex.reading import ReadBib, entry_keys, match_bib_entries, read_bib
from papertrack.sync.bibtex.values import entry_values, fingerprint
from papertrack.sync.bibtex.works import Clash, group_entries
from papertrack.sync.import_bibtex_merge import merge_entry, owner_of, take_identifier
from papertrack.sync.markdown.reading import digest_of
from papertrack.sync.report import ImportReport, JoinedEntries
from papertrack.sync.threeway import (
    Conflict,
    OnDeleted,
    Prefer,
    Side,
    decide_conflict,
    decide_deleted,
)
from papertrack.text import shorten


def import_bibtex(
    store: Store,
    library: Library,
    path: Path,
    *,
    prefer: Prefer = None,
    on_deleted: OnDeleted = "unlink",
    citekey_template: str = "{auth}{year}{shorttitle}",
    dry_run: bool = False,
) -> ImportReport:
    """Read a .bib file into the library, and make it a document that the library feeds.

    The first time each entry becomes a saved paper with the entry's key, or is found to be one of
    the library or of the file (see ``group_entries``); its text is kept with the paper. Later only
    what changed in the file is taken; what changed on both sides is a conflict. ``on_deleted`` is
    as for READMEs. Raises NotFoundError, PapertrackError or DocumentError when it cannot be read.
    """
    name = name_of_file(library, path)
    with (
        _without_collection(),
        store.action("import", name, dry_run=dry_run) as action,
    ):
        is_first = find_document(store, name) is None
        # Read while no other papertrack can export: what that wrote must not look undone by hand.
        read = read_bib(path)
        run = _Import(store, read, name, prefer, on_deleted, citekey_template)
        run.run()
        added, changed = journal.changed_papers(store.connection, action.id)
    linked = {entry.paper_id for entry in run.results.values()}
    return ImportReport(
        file=name,
        papers_new=len(added),
        papers_changed=len(changed),
        papers_unchanged=len(linked - added - changed - {None}),
        entries=len(read.bib.entries),
        skipped=read.bib.skipped,
        conflicts=tuple(run.conflicts),
        deleted=tuple(run.deleted),
        is_registered=True,
        is_first=is_first,
        notices=tuple(sorted(run.notices, key=lambda notice: notice.line)),
        encoding=read.encoding,
        joined=tuple(run.joined),
    )


@contextmanager
def _without_collection() -> Iterator[None]:
    """Stop looking for garbage: an import makes a million objects that stay, and few cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _Import:
    """One import under way: what has been found out and done so far."""

    def __init__(
        self,
        store: Store,
        read: ReadBib,
        name: str,
        prefer: Prefer,
        on_deleted: OnDeleted,
        citekey_template: str,
    ) -> None:
        self.store = store
        self.read = read
        self.name = name
        self.prefer = prefer
        self.on_deleted = on_deleted
        self.citekey_template = citekey_template
        self.entries = read.bib.entries
        self.keys = entry_keys(self.entries)
        self.conflicts: list[Conflict] = []
        self.deleted: list[str] = []
        self.joined: list[JoinedEntries] = []
        self.notices = [
            Skipped(entry.line, problem, shorten(entry.raw))
            for entry in self.entries
            for problem in entry.problems
        ]
        self.results: dict[int, StoredEntry] = {}
        """What to store of each entry, by its position in the file."""
        self.gone: dict[int, StoredEntry] = {}
        """What to store of entries that are not in the file (any more), by the stored id()."""

    def run(self) -> None:
        document_id = register_document(
            self.store, self.name, "bibtex", title=None, digest=digest_of(self.read.data)
        )
        stored = read_entries(self.store, document_id)
        matches = match_bib_entries(stored, self.entries) if stored else {}
        fresh = []
        for number, entry in enumerate(self.entries):
            before = matches.get(number)
            if before is None or before.state is EntryState.UNLINKED:
                fresh.append(number)
            elif self._is_unchanged(entry, before):
                self.results[number] = before
            elif before.state is EntryState.REMOVED:
                self._settle_removed(number, before, fresh)
            else:
                self._merge(number, before)
        self._link(fresh)
        found = {id(before) for before in matches.values()}
        self._settle_gone([before for before in stored if id(before) not in found])
        entries = self._in_order(stored, {id(before): at for at, before in matches.items()})
        if entries != stored:
            write_entries(self.store, document_id, entries)

    @staticmethod
    def _is_unchanged(entry: BibEntry, before: StoredEntry) -> bool:
        is_settled = before.state in (EntryState.LINKED, EntryState.REMOVED)
        return is_settled and fingerprint(entry) == before.text

    def _in_order(self, stored: list[StoredEntry], places: dict[int, int]) -> list[StoredEntry]:
        """The file's entries, each followed by those that came after it and are gone.

        ``places`` are the positions in the file of stored entries, by their id().
        """
        place = -1
        gone: dict[int, list[StoredEntry]] = {}
        for before in stored:
            place = places.get(id(before), place)
            if id(before) in self.gone:
                gone.setdefault(place, []).append(self.gone[id(before)])
        entries = gone.get(-1, [])
        for number in sorted(self.results):
            entries += [self.results[number], *gone.get(number, [])]
        return entries

    def _link(self, fresh: list[int]) -> None:
        """Find or make the papers of the entries that the library has not seen here."""
        number_of = {id(self.entries[number]): number for number in fresh}
        grouped = group_entries(self.store, [self.entries[number] for number in fresh])
        known = [work.paper_id is not None for work in grouped.works]
        linked = link_works(self.store, grouped, self.name, self.citekey_template)
        self.notices += linked.notices
        for work, (paper_id, values) in zip(grouped.works, linked.papers, strict=True):
            for entry in work.entries:
                number = number_of[id(entry)]
                self.results[number] = StoredEntry(
                    key=self.keys[number],
                    paper_id=paper_id,
                    category=(),
                    text=fingerprint(entry),
                    base=entry_values(entry),
                    library=dict(values),
                )
        for work, is_known in zip(grouped.works, known, strict=True):
            if work.paper_id is not None and (is_known or len(work.entries) > 1):
                lines = tuple(entry.line for entry in work.entries)
                citekey = citekey_of(self.store, work.paper_id)
                self.joined.append(JoinedEntries(citekey, lines, is_known))
        for clash in grouped.clashes:
            self._settle_clash(number_of[id(clash.entry)], clash)

    def _settle_clash(self, number: int, clash: Clash) -> None:
        """Ask whose the entry's identifiers are that belong to other works than its own."""
        entry, result = clash.entry, self.results[number]
        paper_id = result.paper_id
        assert paper_id is not None
        for identifier, owner in zip(clash.identifiers, clash.owners, strict=True):
            scheme, value = identifier.scheme, identifier.value
            if owner.paper_id in (paper_id, None):
                continue
            owner_key = citekey_of(self.store, owner.paper_id)
            if scheme == "url" or result.base.get(scheme) != value:
                # Works may share a page, which stays a link of both. Of other values that are not
                # compared again it is enough to know.
                named = f"address {value}" if scheme == "url" else f"{scheme}:{value}"
                reason = f"its {named} is that of {owner_key}, and names only one of them"
                self.notices.append(Skipped(entry.line, reason, shorten(entry.raw)))
                continue
            library = result.library.get(scheme)
            side = self._ask(entry, citekey_of(self.store, paper_id), scheme, None, value, library)
            if side == "file":
                take_identifier(self.store, paper_id, identifier)
                result.library[scheme] = value
            elif side is None:
                del result.base[scheme]
                self.results[number] = result = replace(result, state=EntryState.UNSETTLED)

    def _settle_removed(self, number: int, before: StoredEntry, fresh: list[int]) -> None:
        """An entry that changed although its paper was removed from the library."""
        entry = self.entries[number]
        title = entry.facts.title
        side = self._ask(entry, before.key, "paper", before.base.get("title"), title, None)
        if side == "file":
            fresh.append(number)
        elif side == "library":
            base, text = entry_values(entry), fingerprint(entry)
            self.results[number] = replace(before, key=self.keys[number], base=base, text=text)
        else:
            self.results[number] = before

    def _merge(self, number: int, before: StoredEntry) -> None:
        entry = self.entries[number]
        base, then = merge_entry(self.store, self.name, entry, before, self._ask)
        is_settled = base == entry_values(entry)
        self.results[number] = replace(
            before,
            key=self.keys[number],
            text=fingerprint(entry) if is_settled else before.text,
            base=base,
            library=then,
            state=EntryState.LINKED if is_settled else EntryState.UNSETTLED,
        )

    def _settle_gone(self, gone: list[StoredEntry]) -> None:
        """Unlink (or discard, or have put back) the papers whose entries are gone."""
        present = {entry.paper_id for entry in self.results.values()}
        for before in gone:
            if before.state is EntryState.REMOVED or before.paper in present:
                continue
            if not before.is_in_file:
                self.gone[id(before)] = before
                continue
            self.deleted.append(citekey_of(self.store, before.paper))
            fate = decide_deleted(self.deleted[-1], self.name, self.on_deleted)
            if fate == "put-back":
                # Said by nobody yet: the next export writes it.
                self.gone[id(before)] = replace(before, state=EntryState.WANTED)
                continue
            if fate == "discard":
                decide(self.store, before.paper, "discarded", f"deleted from {self.name}")
            self.gone[id(before)] = replace(before, state=EntryState.UNLINKED)

    def _is_repeated(self, identifier: Identifier) -> bool:
        """Whether several entries have it."""
        return sum(identifier in entry.facts.identifiers for entry in self.entries) > 1

    def _ask(
        self, entry: BibEntry, citekey: str, field: str, base: Any, file: Any, library: Any
    ) -> Side | None:
        conflict = Conflict(self.name, entry.line, citekey, field, base, file, library)
        owner = owner_of(self.store, field, file)
        if owner is not None and (owner_key := citekey_of(self.store, owner)) != citekey:
            conflict = replace(conflict, owner=owner_key)
        side = decide_conflict(conflict, self.prefer)
        if side is None:
            self.conflicts.append(conflict)
        elif conflict.owner is not None and self._is_repeated(Identifier(field, file)):
            return "library"  # The file gives it to both: it stays with the one that has it.
        return side

"""Import a document: turn its entries into papers, and merge its later changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from papertrack.category_paths import format_path
from papertrack.records import Paper
from papertrack.store import documents, journal
from papertrack.store.categories import put_in_category
from papertrack.store.documents import EntryState, StoredEntry
from papertrack.store.lookup import citekey_of, each_paper, get_paper, get_papers
from papertrack.store.states import decide
from papertrack.store.store import Store
from papertrack.sync import document_export, threeway
from papertrack.sync.apply_import import PaperUpdate, Places, find_cleared, find_reread, rebase
from papertrack.sync.document_export import keep_read_version, texts_now
from papertrack.sync.format import Format, Reader
from papertrack.sync.in_step import find_unchanged
from papertrack.sync.items import Category, Item, Resolver, owner_of
from papertrack.sync.linking import SharedAddresses, settle_corrections
from papertrack.sync.report import ImportReport, Reread, TakenBack, find_taken_back, holds_thoughts
from papertrack.sync.threeway import Merged, OnDeleted, Prefer, Side, Values
from papertrack.text import group

Pairs = list[tuple[Item, StoredEntry]]
"""The items of a paper with their stored entries."""


def import_document(
    store: Store,
    name: str,
    read: Reader,
    *,
    is_registered: bool = True,
    prefer: Prefer = None,
    on_deleted: OnDeleted = "unlink",
) -> ImportReport:
    """Import a document; with ``is_registered``, the library keeps it up to date.

    The first import finds or adds a paper for each entry. Later imports apply only what changed in
    the file; ``prefer`` resolves conflicts. ``on_deleted`` decides what happens to a paper whose
    entry was deleted: it stays in the library without an entry, it is discarded, or the next export
    restores the entry. Raises what ``read`` raises.
    """
    with store.action("import", name) as action:
        registered = documents.find_document(store, name)
        if registered is None and is_registered and documents.has_shared_changes(store):
            registered = documents.register_unread(store, name)
        # Read inside the action, so that no other process can export meanwhile: what it wrote would
        # look like edits by hand.
        document = read(registered)
        before = registered and find_unchanged(store, registered.id, document.path)
        document_id = document.register(store, document.data) if is_registered else None
        resolver = Resolver(store, name, prefer, document.items)
        run = _DocumentImport(store, document, document_id, resolver, on_deleted)
        run.run()
        if document_id is not None:
            if registered and registered.is_unread:
                _unlink_missing(store, document, document_id, action.id)
            if not resolver.conflicts:
                _, changed = journal.changed_papers(store, action.id)
                was_in_step = registered is None or bool(before and before.is_written)
                is_written = was_in_step and run.is_in_step(changed)
                parts = document, run.results, document.data
                document_export.keep_read(store, document_id, *parts, is_written=is_written)
            now = texts_now(store, document_id, document, run.results)
        listed = {entry.paper_id for entry in run.results.values()}
        run.results.clear()  # Frees memory for the version's texts, which are as long as the file.
        if document_id is not None:
            keep_read_version(store, document_id, document.data, now, action.id)
        added, changed = journal.changed_papers(store, action.id)
    notes = document.notes
    return ImportReport(
        file=name,
        papers_new=len(added),
        papers_changed=len(changed),
        papers_unchanged=len(listed - added - changed - {None}),
        entries=len(document.items),
        skipped=tuple(notes.skipped),
        conflicts=tuple(resolver.conflicts),
        deleted=tuple(run.deleted),
        is_registered=is_registered,
        is_first=registered is None or registered.is_unread,
        notices=(*notes.notices, *resolver.new_faults(document.data, registered)),
        mentioned=notes.mentioned,
        encoding=document.encoding,
        taken_back=tuple(run.taken_back),
        renamed=tuple((format_path(old), format_path(new)) for old, new in notes.renamed),
        joined=tuple(notes.joined),
        reread=tuple(run.reread),
        newly_read=run.newly_read,
        no_longer_read=tuple(run.no_longer_read),
    )


@dataclass
class _DocumentImport:
    """One import of a document, with its results so far."""

    store: Store
    document: Format
    document_id: int | None
    resolver: Resolver
    on_deleted: OnDeleted
    deleted: list[str] = field(default_factory=list)
    taken_back: list[TakenBack] = field(default_factory=list)
    reread: list[Reread] = field(default_factory=list)
    newly_read: int = 0
    no_longer_read: list[str] = field(default_factory=list)
    results: dict[int, StoredEntry] = field(default_factory=dict)
    """The entries to store, by item number."""
    unlinked: list[StoredEntry] = field(default_factory=list)
    """The entries to store that are not in the file."""

    def __post_init__(self) -> None:
        self.places = Places(self.store, self.document, self.document_id)
        self.shared = SharedAddresses(self.store, self.document.items)

    def run(self) -> None:
        """Import the document, and store its entries."""
        remembered: list[StoredEntry] = []
        if self.document_id is not None:
            remembered = documents.read_entries(self.store, self.document_id)
        matches = self.document.matches(remembered)
        stored = self.document.begin_import(remembered, matches)
        fresh, groups, unmatched = self._classify(stored, matches)
        self.unlinked = [before for before in unmatched if not before.is_in_file]
        deleted = [before for before in unmatched if before.is_in_file]
        lost = self._lost(deleted)
        for pairs in groups:
            self._merge(pairs, lost.get(pairs[0][1].paper_id, []))
        self._link(fresh)
        if remembered and self.document.is_as_known:
            self.newly_read = len(fresh)
        self._settle_gone(deleted)
        self.places.settle(self.results)
        if self.document_id is not None:
            entries = self._in_order(stored, matches)
            if entries != remembered:
                documents.write_entries(self.store, self.document_id, entries)
        self.document.end_import({} if self.document_id is None else self.results)

    def is_in_step(self, changed: Collection[int]) -> bool:
        """Return whether an export would have nothing to write, if it had nothing before.

        That is the case if no value of a ``changed`` or newly linked paper waits for an export, and
        no section lacks an entry. New papers have the values of their entries.
        """
        fields, values_of = self.document.fields, self.document.library_values
        joined = (paper_id for paper_id, before in self.places.linked.items() if before)
        papers = each_paper(self.store, sorted({*changed, *joined}))
        now = {paper.id: values_of(paper) for paper in papers}
        pairs = ((entry.library, now.get(entry.paper_id or 0)) for entry in self.results.values())
        return not (
            any(values and threeway.find_waiting(fields, then, values) for then, values in pairs)
            or any(documents.papers_without_entry(self.store, s) for s in self.document.sections)
        )

    def _lost(self, deleted: Sequence[StoredEntry]) -> dict[int | None, list[StoredEntry]]:
        """Return a list's deleted entries, by paper.

        Values that only a deleted row had are removed from its paper. Those of a deleted .bib entry
        stay, so the result is empty for a .bib file.
        """
        rows = deleted if self.document.fields.is_listing else ()
        return group((row.paper_id, row) for row in rows if not self._is_still_there(row))

    def _classify(
        self, stored: Sequence[StoredEntry], matches: Mapping[int, int]
    ) -> tuple[list[Item], list[Pairs], list[StoredEntry]]:
        """Return the items to link, the known items grouped by paper, and the missing entries."""
        fresh: list[Item] = []
        groups: dict[int, Pairs] = {}
        matched = set(matches.values())
        unmatched = [before for n, before in enumerate(stored) if n not in matched]
        for item in self.document.items:
            if item.number not in matches:
                fresh.append(item)
                continue
            before = stored[matches[item.number]]
            if before.state is EntryState.REMOVED:
                fresh += [item] if self._is_paper_again(item, before) else []
            elif self.document.owner(item, before) in (None, before.paper):
                name = before.paper if self.document.fields.is_listing else item.number
                groups.setdefault(name, []).append((item, before))
            else:
                fresh.append(item)
                unmatched.append(before)
        return fresh, list(groups.values()), unmatched

    def _is_paper_again(self, item: Item, before: StoredEntry) -> bool:
        """Return whether the item of a removed paper becomes a paper again.

        It does if the library has its identifiers again, or if it was edited and the conflict is
        resolved in favor of the file.
        """
        if self.document.owner(item, before) is not None:
            return True
        self.results[item.number] = before
        if self.document.is_unchanged(item, before):
            return False
        then = before.base.get("title")
        side = self.resolver.ask(item.line, item.name, "paper", then, item.title, None)
        if side == "library":
            self.results[item.number] = _refresh(item, before)
        return side == "file"

    def _link(self, fresh: Sequence[Item]) -> None:
        """Find or add the papers of new items."""
        for item, linked in zip(fresh, self.document.link(fresh, self.resolver), strict=True):
            self.places.linked.setdefault(linked.paper_id, linked.before)
            entry = item.entry_of(linked.paper_id, {})
            if linked.open:
                base = {n: value for n, value in entry.base.items() if n not in linked.open}
                entry = entry._replace(base=base, state=EntryState.UNSETTLED)
            self.results[item.number] = entry

    def _merge(self, pairs: Pairs, lost: Sequence[StoredEntry]) -> None:
        """Merge the changes of a paper's items in this document.

        ``lost`` are the paper's deleted entries; values that only they had are removed.
        """
        is_unchanged = self.document.is_unchanged
        if not lost and all(
            item.category == before.category and is_unchanged(item, before)
            for item, before in pairs
        ):
            self.results |= {item.number: _refresh(item, before) for item, before in pairs}
            return
        paper = get_paper(self.store, pairs[0][1].paper)
        reread = set().union(*(self.document.find_reparsed(*pair) for pair in pairs))
        pairs = [(item, rebase(self.document, item, before, paper)) for item, before in pairs]
        fields = self.document.fields
        entries = [*(before for _, before in pairs), *lost]
        base = threeway.aggregate(fields, [before.base for before in entries])
        then = threeway.aggregate(fields, [before.library for before in entries])
        merged = self._merged(paper, pairs, base, then)
        items = [item for item, _ in pairs]
        merged.scalars |= find_cleared(paper, items, base, reread)
        self._update_paper(paper, items, merged, reread)
        for item, before in pairs:
            kept = merged.then
            if len(pairs) > 1:
                now = merged.then
                kept = threeway.keep_in_step(fields, before.library, then, now, item.values)
            self._remember(paper, item, before, merged.open, kept)

    def _update_paper(
        self, paper: Paper, items: Sequence[Item], merged: Merged, names: set[str]
    ) -> None:
        """Write the merged values; ``names`` are fields parsed differently, which are reported."""
        resolver = None if "identifiers" in names else self.resolver
        settle_corrections(self.store, resolver, paper, items, merged)
        self.taken_back += find_taken_back(paper, merged.scalars.get("passes", 3) or 0)
        PaperUpdate(self.store, self.document, paper, items, self.shared).apply(merged)
        if names:
            self.reread += find_reread(paper, get_paper(self.store, paper.id), items[0].line, names)

    def _remember(
        self, paper: Paper, item: Item, before: StoredEntry, is_open: Collection[str], then: Values
    ) -> None:
        """Set the entry to store: present values, but former ones of fields in conflict.

        ``then`` are the library's values to store.
        """
        result = _refresh(item, before)
        base = dict(result.base)
        for name in is_open:
            threeway.leave_as_before(base, name, before.base)
        if is_open:
            # The former text makes the next import compare the entry again.
            result = result._replace(text=before.text, state=EntryState.UNSETTLED)
        category = self._move(paper, item, before)
        self.results[item.number] = result._replace(base=base, library=then, category=category)
        self.document.keep(item, paper.id)

    def _merged(self, paper: Paper, pairs: Pairs, base: Values, then: Values) -> Merged:
        fields = self.document.fields
        items = [item for item, _ in pairs]
        limit = self.document.max_passes(items)
        now = self.document.with_entry_wording(items, self.document.library_values(paper))

        def ask(name: str, base: Any, file: Any, library: Any) -> Side | None:
            return self.resolver.ask(items[0].line, paper.citekey, name, base, file, library)

        merged = threeway.merge(
            fields,
            base,
            threeway.aggregate(fields, [item.values_since(before) for item, before in pairs]),
            threeway.capped(then, limit),
            threeway.capped(now, limit),
            ask,
            # A mark removed by mistake must not silently remove takeaways.
            held={"passes"} if any(map(holds_thoughts, paper.readings)) else (),
            is_taken=lambda name, value: owner_of(self.store, name, value) not in (None, paper.id),
        )
        if limit is not None and merged.then.get("passes") == limit < then.get("passes", 0):
            merged.then["passes"] = then["passes"]
        return merged

    def _move(self, paper: Paper, item: Item, before: StoredEntry) -> Category:
        """Move a paper with its item to another category; return the category to store."""
        old, new = before.category, item.category
        if old == new or (not before.is_in_file and self.document.is_elsewhere(paper)):
            return new
        if old and old not in paper.categories and new not in paper.categories:
            paths = [list(path) for path in paper.categories]
            values = list(old), list(new), paths
            side = self.resolver.ask(item.line, paper.citekey, "category", *values)
            if side is None:
                return old
            if side == "library":
                return new
            self.places.left += [(paper.id, path) for path in paper.categories]
        if new:
            put_in_category(self.store, [paper.id], new)
        if old:
            self.places.left.append((paper.id, old))
        return new

    def _settle_gone(self, deleted: Sequence[StoredEntry]) -> None:
        """Unlink or discard papers whose entries were deleted, or let their entries return."""
        present = {entry.paper_id for entry in self.results.values()}
        self._drop_unlinked(present)
        for before in deleted:
            is_left = before.state is not EntryState.REMOVED
            if is_left and not self._is_elsewhere(before, before.paper in present):
                self._settle_deleted(before)

    def _drop_unlinked(self, present: Collection[int | None]) -> None:
        """Forget the unlinked entries of papers that have an entry again."""
        for entry in self.unlinked:
            is_again = entry.paper in present
            if is_again and not self.document.is_elsewhere(get_paper(self.store, entry.paper)):
                self.places.left.append((entry.paper, entry.category))
        self.unlinked = [entry for entry in self.unlinked if entry.paper not in present]

    def _is_elsewhere(self, before: StoredEntry, is_present: bool) -> bool:
        """Return whether the paper has another entry; if so, its waiting values go there."""
        elsewhere = [] if is_present else self.places.entries_elsewhere(before.paper)
        if not is_present and not elsewhere:
            return False
        self.places.left.append((before.paper, before.category))
        self.places.pass_on(before.paper, before.library, elsewhere)
        return True

    def _settle_deleted(self, before: StoredEntry) -> None:
        """Apply the user's choice to a paper whose last entry was deleted."""
        name = self.document.name
        if self._is_still_there(before):
            # Nobody deleted it, but its text is no longer parsed as an entry.
            self.no_longer_read.append(citekey_of(self.store, before.paper))
            self.unlinked += self._unlinked(before)
            return
        self.deleted.append(citekey_of(self.store, before.paper))
        fate = self.on_deleted
        if callable(fate):
            fate = fate(self.deleted[-1], name)
        if fate == "discard":
            decide(self.store, before.paper, "discarded", f"deleted from {name}")
        is_back = fate == "put-back"
        wanted = [before._replace(state=EntryState.WANTED)]
        self.unlinked += wanted if is_back else self._unlinked(before)

    def _is_still_there(self, before: StoredEntry) -> bool:
        """Return whether a missing entry's text is still in the unchanged file, outside entries."""
        if not self.document.is_as_known or not before.text:
            return False
        count = sum(before.text in item.text for item in self.document.items)
        return self.document.text.count(before.text) > count

    def _unlinked(self, before: StoredEntry) -> list[StoredEntry]:
        """Return the unlinked entries to store for one that the user deleted from the file.

        A list gets one for each of the paper's categories, so that no export adds a row in another
        section.
        """
        before = before._replace(state=EntryState.UNLINKED)
        categories: Sequence[Category] = ()
        if self.document.fields.is_listing:
            categories = get_paper(self.store, before.paper).categories
        if before.category in categories or not categories:
            return [before]
        first, *others = (before._replace(category=path) for path in categories)
        return [first, *(other._replace(id=None) for other in others)]

    def _in_order(
        self, stored: Sequence[StoredEntry], matches: Mapping[int, int]
    ) -> list[StoredEntry]:
        """Return all entries to store, in order.

        The items come first, each followed by the wanted entries that came after it; then the
        unlinked entries.
        """
        wanted = {entry.id: entry for entry in self.unlinked if entry.state is EntryState.WANTED}
        numbers = {stored[position].id: number for number, position in matches.items()}
        placed = [(number, False, result) for number, result in self.results.items()]
        place = -1
        for before in stored:
            place = numbers.get(before.id, place)
            if before.id in wanted:
                placed.append((place, True, wanted[before.id]))
        placed.sort(key=itemgetter(0, 1))
        others = (entry for entry in self.unlinked if entry.state is not EntryState.WANTED)
        return [*(entry for _, _, entry in placed), *others]


def _refresh(item: Item, before: StoredEntry) -> StoredEntry:
    """Return a stored entry as its item is now."""
    is_removed = before.state is EntryState.REMOVED
    state = EntryState.REMOVED if is_removed else EntryState.LINKED
    return item.entry_since(before)._replace(state=state)


def _unlink_missing(store: Store, document: Format, document_id: int, action_id: int) -> None:
    """Store unlinked entries for papers of other devices that a list lacks.

    So this device does not add rows for them: somebody deleted the rows, or the device that added
    the papers will write them. Call it after the import has stored the document's entries.
    """
    unlisted: list[StoredEntry] = []
    for section in document.sections if document.fields.is_listing else ():
        waiting = documents.papers_without_entry(store, section)
        missing = get_papers(store, documents.placed_by_others(store, waiting, action_id))
        values_of = document.library_values
        unlisted += [
            StoredEntry("", paper.id, section, "", {}, values_of(paper), state=EntryState.UNLINKED)
            for paper in missing
        ]
    if unlisted:
        present = documents.read_entries(store, document_id)
        documents.write_entries(store, document_id, [*present, *unlisted])

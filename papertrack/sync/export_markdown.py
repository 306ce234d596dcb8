"""Exporting to the registered documents: what changed in the library, and no other byte."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from papertrack.documents.encoding import encode_document
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.write.edits import (
    Add,
    Edit,
    Move,
    Refusal,
    Remove,
    SetLink,
    SetPasses,
    SetRating,
    Taken,
    apply_edits,
)
from papertrack.errors import PapertrackError
from papertrack.library import Library
from papertrack.library.files import replace_file
from papertrack.library.paths import path_of_name
from papertrack.store.categories import format_path
from papertrack.store.documents import (
    RefusedRow,
    RegisteredDocument,
    StoredEntry,
    read_entries,
    read_refused_rows,
    register_document,
    write_entries,
    write_refused_rows,
)
from papertrack.store.lookup import fields_of_reader, find_papers, get_paper
from papertrack.store.store import Store
from papertrack.sync.diffs import diff_of
from papertrack.sync.export_new import day_of_pass
from papertrack.sync.export_plan import Plan, Planner, field_of
from papertrack.sync.history import History
from papertrack.sync.markdown.history import Rows, put_back_entries
from papertrack.sync.markdown.items import items_of
from papertrack.sync.markdown.matching import match_entries
from papertrack.sync.markdown.reading import ReadDocument, digest_of, read_document
from papertrack.sync.markdown.values import EXPORTED_ROLES, entry_values, library_values
from papertrack.sync.report import DocumentExport, choose_documents
from papertrack.sync.threeway import Prefer, Values


def export_documents(
    store: Store,
    library: Library,
    *,
    paths: Sequence[Path] = (),
    prefer: Prefer = None,
    dry_run: bool = False,
) -> list[DocumentExport]:
    """Bring the registered Markdown documents, or those at ``paths``, up to date.

    Every file is read anew; a value is written when it changed in the library and not in the
    file. Files are replaced as a whole or not at all, and not when they change meanwhile. With
    ``dry_run`` nothing is written. Raises NotFoundError for a path that is no document.
    """
    documents = choose_documents(store, library, paths)
    exports = []
    for registered in documents:
        try:
            exports.append(_export(store, library, registered, prefer, dry_run=dry_run))
        except PapertrackError as error:
            path = path_of_name(library, registered.path)
            exports.append(DocumentExport(registered.path, path, "", 0, 0, (), (), False, error))
    return exports


def _export(
    store: Store,
    library: Library,
    registered: RegisteredDocument,
    prefer: Prefer,
    *,
    dry_run: bool,
) -> DocumentExport:
    path = path_of_name(library, registered.path)
    if dry_run:
        read = read_document(path, registered.settings)
        return _Exporter(store, library, registered, read, prefer).export(dry_run=True)
    # The file is read and replaced inside the transaction: two exports take turns, and a crash in
    # between leaves the new file beside the old memory of it, which the next run finds agreeing.
    with store.action("export", registered.path, can_undo=False):
        read = read_document(path, registered.settings)
        return _Exporter(store, library, registered, read, prefer).export(dry_run=False)


@dataclass(slots=True)
class _Outcome:
    """What came of the edits of one document."""

    document: Document
    refused: list[Refusal]
    taken: tuple[Taken, ...]
    refused_of_added: list[Refusal] = field(default_factory=list)
    """As ``refused``, of rows that were added: their edits name entries of ``document``."""


@dataclass(frozen=True, slots=True)
class _Exporter:
    """The export of one document."""

    store: Store
    library: Library
    registered: RegisteredDocument
    read: ReadDocument
    prefer: Prefer

    def export(self, *, dry_run: bool) -> DocumentExport:
        name, document_id = self.registered.path, self.registered.id
        stored = read_entries(self.store, document_id)
        history = History(self.store, document_id)
        back = put_back_entries(self.store, self.library, self.read, stored, history)
        planner = Planner(self.store, self.library, back.read, name, history, self.prefer)
        plan = planner.make_plan(back.stored)
        start = back.read.document
        rows = Rows(self.library, self.read, history)
        outcome = self._edit(plan, *rows.give_back(plan, start))
        rows.note_edits(plan, start, outcome.document, outcome.taken)
        self._note_removed(plan, start, outcome.taken, history)
        text = outcome.document.text
        data = encode_document(text, self.read.decoded)
        is_changed = data != self.read.data
        told = read_refused_rows(self.store, document_id)
        reasons = list(_new_reasons(plan, outcome, told))
        if not dry_run:
            history.write()
            if is_changed:
                replace_file(self.read.path, self.read.data, data)
            self._remember(plan, outcome, data)
            if told != (refused := _refused_rows(plan, outcome)):
                write_refused_rows(self.store, document_id, refused)
        diff, added, removed = diff_of(name, self.read.document.text, text)
        return DocumentExport(
            file=name,
            path=self.read.path,
            diff=diff,
            lines_added=added,
            lines_removed=removed,
            refused=tuple(dict.fromkeys((*plan.refused, *reasons))),
            conflicts=tuple(plan.conflicts),
            is_written=is_changed and not dry_run,
        )

    def _edit(self, plan: Plan, start: Document, done: Collection[int]) -> _Outcome:
        """Make the edits but those of the entries in ``done``."""
        edits = [edit for edit in plan.edits if _entry_index(edit) not in done]
        edited = apply_edits(start, edits)
        outcome = _Outcome(start, list(edited.refused), edited.taken)
        if edited.text != start.text:
            self._check_rows(plan, edits, start, outcome, self.read.parse_again(edited.text))
        return outcome

    def _check_rows(
        self,
        plan: Plan,
        edits: list[Edit],
        start: Document,
        outcome: _Outcome,
        document: Document,
    ) -> None:
        """Complete the rows that were added, and leave those out that are not read back as what
        they are for: they would be added again and again."""
        not_made = {refusal.edit for refusal in outcome.refused}
        rows = self._added_rows(document.entries, plan.added)
        lost = [edit for edit in plan.added if edit not in not_made | set(rows.values())]
        for edit in lost:
            plan.edits.remove(edit)
            edits.remove(edit)
            where = f"{self.registered.path}, section {format_path(edit.category)}"
            reason = f"{where}: a row for {edit.fields.title!r} could not be written in its style."
            outcome.refused.append(Refusal(edit, reason))
        if lost:
            edited = apply_edits(start, edits)
            outcome.taken = edited.taken
            document = self.read.parse_again(edited.text)
            rows = self._added_rows(document.entries, plan.added)
        more = [edit for row, add in rows.items() for edit in self._rest(row, add, plan.added[add])]
        if more:
            edited = apply_edits(document, more)
            outcome.refused_of_added = list(edited.refused)
        if more and edited.text != document.text:
            document = self.read.parse_again(edited.text)
        outcome.document = document

    def _values(self, entry: Entry) -> Values:
        return entry_values(entry, self.library, self.read.path)

    def _rest(self, index: int, add: Add, paper_id: int) -> Iterator[Edit]:
        """What else a new row is to say than the row that it was written after: what is there
        already stays, and what has no place is refused."""
        fields = add.fields
        for link in fields.links:
            if link.role in EXPORTED_ROLES:
                yield SetLink(index, link.role, link.url, link.label)
        if fields.passes:
            paper = get_paper(self.store, paper_id)
            yield SetPasses(index, fields.passes, day_of_pass(paper, fields.passes))
        if fields.rating:
            yield SetRating(index, fields.rating)

    def _remember(self, plan: Plan, outcome: _Outcome, data: bytes) -> None:
        """Store what both sides say now, except where the file waits to be imported."""
        document = outcome.document
        _keep_refused(plan, outcome.refused)
        register_document(
            self.store,
            self.registered.path,
            "markdown",
            title=document.title,
            digest=digest_of(data),
        )
        matches = match_entries(plan.kept, items_of(document, self.library, self.read.path))
        unmatched = [entry for n, entry in enumerate(document.entries) if n not in matches]
        added = self._added_rows(unmatched, plan.added)
        results: list[StoredEntry] = []
        for number, entry in enumerate(document.entries):
            if number in matches:
                position = matches[number]
                unsettled = plan.unsettled.get(position)
                before = plan.kept[position]
                results.append(
                    before
                    if unsettled is None
                    else self._settled(before, entry, document, unsettled)
                )
            elif entry.index in added:
                paper_id = plan.added[added[entry.index]]
                results.append(self._new(entry, document, paper_id, outcome.refused_of_added))
        gone = set(matches.values()) | plan.removed
        rest = [entry for n, entry in enumerate(plan.kept) if n not in gone]
        write_entries(self.store, self.registered.id, [*results, *rest])

    def _note_removed(
        self, plan: Plan, start: Document, taken: Sequence[Taken], history: History
    ) -> None:
        """Note what is cut out, as it was and where."""
        for cut in taken:
            if isinstance(cut.edit, Move | Remove):
                entry = start.entries[cut.edit.entry_index]
                kept = plan.kept[plan.positions[entry.index]]
                text = start.text[slice(*entry.span)]
                before = replace(kept, text=text, category=entry.category)
                history.note_removed(before, cut.hunks)

    def _settled(
        self, before: StoredEntry, entry: Entry, document: Document, unsettled: set[str]
    ) -> StoredEntry:
        values = self._values(entry)
        for name in unsettled & set(values):
            if name in before.base:
                values[name] = before.base[name]
            else:
                del values[name]
        text = document.text[slice(*entry.span)]
        # A row that could not be moved is still where it was.
        category = before.category if "category" in unsettled else entry.category
        return replace(before, key=entry.key, text=text, base=values, category=category)

    def _added_rows(self, entries: Sequence[Entry], added: Mapping[Add, int]) -> dict[int, Add]:
        """Index of an entry → the row added that it is, for those that are one; each row once."""
        waiting: dict[tuple[str, ...], dict[Add, int]] = {}
        for edit, paper_id in added.items():
            waiting.setdefault(edit.category, {})[edit] = paper_id
        rows: dict[int, Add] = {}
        for entry in entries:
            candidates = waiting.get(entry.category)
            if not candidates:
                continue
            owners = find_papers(self.store, entry.identifiers).values()
            for edit, paper_id in candidates.items():
                if paper_id in owners if owners else entry.fields.title == edit.fields.title:
                    rows[entry.index] = edit
                    del candidates[edit]
                    break
        return rows

    def _new(
        self, entry: Entry, document: Document, paper_id: int, refused: Sequence[Refusal]
    ) -> StoredEntry:
        paper = get_paper(self.store, paper_id)
        base = self._values(entry)
        now = library_values(paper, fields_of_reader(self.store, paper_id))
        fields = [field_of(r.edit) for r in refused if _entry_index(r.edit) == entry.index]
        names = {name for name in fields if name}
        return StoredEntry(
            key=entry.key,
            paper_id=paper_id,
            category=entry.category,
            text=document.text[slice(*entry.span)],
            base=base,
            library=_without_refused(now, base, names),
            refused={name: now.get(name) for name in names},
        )


def _keep_refused(plan: Plan, refused: Sequence[Refusal]) -> None:
    """Let what the document has no place for wait: it counts as not yet written."""
    names: dict[int, set[str]] = {position: set() for position in plan.library}
    for refusal in refused:
        index, name = _entry_index(refusal.edit), field_of(refusal.edit)
        if name is not None and index is not None:
            names[plan.positions[index]].add(name)
    not_made = {refusal.edit for refusal in refused}
    then = {position: dict(values) for position, values in plan.library.items()}
    for edit in plan.edits:
        if isinstance(edit, SetLink) and edit not in not_made:
            # Of several links of a role, some may have been written and some not.
            values = then[plan.positions[edit.entry_index]]
            values[edit.role] = edit.applied_to(values.get(edit.role, []))
    for position, values in then.items():
        entry = plan.kept[position]
        told = {name: entry.library.get(name) for name in names[position]}
        library = _without_refused(entry.library, values, names[position])
        if position in plan.beyond and "passes" not in names[position]:
            told["passes"] = library["passes"]
            library["passes"] = plan.beyond[position]
        plan.kept[position] = replace(entry, library=library, refused=told)


def _without_refused(now: Values, then: Values, names: Collection[str]) -> Values:
    """What the library counts as having said, with these fields as before."""
    kept = dict(now)
    for name in names:
        kept.pop(name, None)
        if name in then:
            kept[name] = then[name]
    return kept


def _refused_rows(plan: Plan, outcome: _Outcome) -> set[RefusedRow]:
    return {
        (plan.added[refusal.edit], refusal.edit.category, refusal.reason)
        for refusal in outcome.refused
        if isinstance(refusal.edit, Add)
    }


def _new_reasons(plan: Plan, outcome: _Outcome, told: Collection[RefusedRow]) -> Iterator[str]:
    """Sentences about edits that the document has no place for, and that were not told before."""
    for refusal in outcome.refused:
        if refusal.edit not in plan.said and not isinstance(refusal.edit, Add):
            yield refusal.reason
    for _, _, reason in sorted(_refused_rows(plan, outcome).difference(told)):
        yield reason
    for refusal in outcome.refused_of_added:
        yield refusal.reason


def _entry_index(edit: Edit) -> int | None:
    return None if isinstance(edit, Add) else edit.entry_index

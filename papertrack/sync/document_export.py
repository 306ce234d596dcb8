"""Export to registered documents: write what changed in the library, and nothing else.

An export stores an intent with the old content, replaces the file, and then commits the library. If
it is killed before the commit, the next run restores the old content (see ``actions.recover``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papertrack.differences import unified_diff
from papertrack.errors import NotFoundError, PapertrackError
from papertrack.library import intents, intents_folder
from papertrack.library.files import (
    NotConfirmed,
    attributes_lost,
    attributes_of,
    keep_copy,
    not_kept,
    read_file,
    replace_file,
)
from papertrack.library.intents import Intent
from papertrack.store import documents, versions
from papertrack.store.database import to_json
from papertrack.store.documents import EntryState, RegisteredDocument, StoredEntry
from papertrack.store.journal import revision
from papertrack.store.store import Ending, Store
from papertrack.store.written_files import digest_of, remember_written
from papertrack.sync.format import Entries, Format, Reader, Written
from papertrack.sync.history import History, entry_of, text_of
from papertrack.sync.in_step import last_read, reader_of
from papertrack.sync.items import (
    Add,
    Category,
    Change,
    Item,
    Kept,
    Move,
    Plan,
    Remove,
    ReportedValues,
    Resolver,
    Set,
    values_after,
)
from papertrack.sync.plan import Planner
from papertrack.sync.report import DocumentExport
from papertrack.sync.threeway import Prefer, Values, leave_as_before
from papertrack.text import few, group

_SHOWN = 5
"""The most papers that one sentence names."""


def export_document(
    store: Store,
    registered: RegisteredDocument,
    read: Reader,
    *,
    added: Sequence[int] = (),
    prefer: Prefer = None,
) -> DocumentExport:
    """Write the library's changes to a registered document.

    Reads the file, and writes the values that changed in the library but not in the file. The
    papers ``added`` get an entry in a document without sections for categories. A trial store
    (``--dry-run``) writes nothing. Raises what ``read`` raises, DocumentError if the new text would
    not be parsed as intended, ConflictError if the file changes meanwhile, and PapertrackError if
    it cannot be written.
    """
    # The file is read and replaced inside the transaction, so that two exports take turns.
    action = store.action("export", registered.path, can_undo=False)
    with nullcontext() if store.is_trial else action:
        resolver = Resolver(store, registered.path, prefer)
        export = Export(store, registered, read(registered), resolver)
        return export.export(added)


@dataclass(frozen=True, slots=True)
class Export:
    """The export of one document."""

    store: Store
    registered: RegisteredDocument
    document: Format
    resolver: Resolver

    def export(self, added: Sequence[int]) -> DocumentExport:
        """Plan the changes, write the file, and store its entries and version."""
        document, document_id = self.document, self.registered.id
        remembered = documents.read_entries(self.store, document_id)
        history = History(self.store, document_id)
        entries = [_wanted_again(entry, added) for entry in remembered]
        start: Format = document
        stored: Sequence[StoredEntry] = entries
        if back := go_back(self.store, document_id, document, entries):
            start, stored = back
        elif history.removed or any(entry.state is EntryState.WANTED for entry in entries):
            start, stored = document.put_back(entries, history)
        start, no_tables = start.with_tables(self.resolver)
        notices = ReportedValues(documents.read_reported(self.store, document_id))
        planner = Planner(self.store, start, history, self.resolver, notices)
        plan = planner.make_plan(stored, added)
        written = start.write(plan, history)
        text = written.document.text
        data = document.data if text == document.text else written.document.encoded()
        news = self._find_news(written, start.items, notices)
        reasons = [*plan.refused, *_sentences(news)]
        lost: tuple[str, ...] = ()
        if not self.store.is_trial:
            keep_seen_version(self.store, document_id, document, remembered)
            if data != document.data:
                name = self.registered.path
                lost = replace_document(self.store, name, document.path, document.data, data)
            results = self._remember(plan, written, data)
            if notices.now != notices.before:
                documents.write_reported(self.store, document_id, notices.now)
            is_left = reasons or self.resolver.conflicts or no_tables
            if not is_left and is_all_read(self.store, document_id, document, written, results):
                keep_read(self.store, document_id, written.document, results, data, is_written=True)
            else:
                documents.write_in_step(self.store, document_id, None)
            now = texts_now(self.store, document_id, written.document, results)
            keep_written_version(self.store, document_id, data, now)
        return DocumentExport(
            file=self.registered.path,
            path=document.path,
            diff=unified_diff(document.text, text, f"a/{document.name}", f"b/{document.name}"),
            refused=tuple(dict.fromkeys([*no_tables, *reasons])),
            conflicts=tuple(self.resolver.conflicts),
            is_written=data != document.data and not self.store.is_trial,
            not_kept=(*written.lost, *lost),
        )

    def _find_news(
        self, written: Written, items: Sequence[Item], notices: ReportedValues
    ) -> Iterator[tuple[str, str]]:
        """Yield the changes that were refused, with the reasons, unless reported before."""
        for refusal in written.refused:
            match refusal.change:
                case Remove():
                    is_news = True
                case Add(paper, category):
                    is_news = notices.record(paper.id, "row", [category, refusal.reason])
                case Move(_, paper):
                    is_news = notices.record(paper.id, "category", paper.categories)
                case Set(_, paper, name):
                    value = written.document.library_values(paper).get(name)
                    is_news = notices.record(paper.id, name, value)
            if is_news:
                yield _name_of_change(refusal.change, items), refusal.reason
        for add, place, reason in written.refused_of_added:
            if place is not None:
                value = written.document.library_values(add.paper).get(place)
                notices.record(add.paper.id, place, value)
            yield add.paper.citekey, reason

    def _remember(self, plan: Plan, written: Written, data: bytes) -> Entries:
        """Store the document's entries after the export; return them by item number."""
        results, absent = self.settle(plan, written)
        written.document.end_export([add.paper for add, _ in written.added])
        is_known = digest_of(self.document.data) == self.registered.digest
        has_waiting = len(results) != len(written.document.items) or any(
            e.unsettled or (e.number is None and e.stored.is_in_file) for e in plan.kept
        )
        # Content with edits by hand that wait for an import does not count as known.
        if is_known or not has_waiting:
            written.document.register(self.store, data)
        entries = [results[number] for number in sorted(results)]
        if data != self.document.data:
            for number, entry in results.items():
                if entry.paper_id is not None and entry.state is EntryState.LINKED:
                    written.document.keep(written.document.items[number], entry.paper_id)
        documents.write_entries(self.store, self.registered.id, [*entries, *absent])
        return results

    def settle(self, plan: Plan, written: Written) -> tuple[Entries, list[StoredEntry]]:
        """Return the entries to store: those of items, by number, and those without an item."""
        self._keep_refused(plan, written)
        results: dict[int, StoredEntry] = {}
        absent = []
        for position, entry in enumerate(plan.kept):
            item = written.placed.get(position)
            if item is not None:
                results[item.number] = self._settled(entry, item)
            elif not entry.is_removed:
                absent.append(entry.stored)
        for add, item in written.added:
            results[item.number] = self._new(add, item, written)
        return results, absent

    def _settled(self, entry: Kept, item: Item) -> StoredEntry:
        before, unsettled = entry.stored, entry.unsettled
        if unsettled is None:
            return before
        values = dict(item.values)
        for name in (*unsettled, *entry.reread):
            leave_as_before(values, name, before.base)
        state = before.state
        if state is not EntryState.REMOVED:
            state = EntryState.UNSETTLED if unsettled else EntryState.LINKED
        return before._replace(
            key=item.key,
            text=before.text if unsettled and self.document.fields.stands_for_text else item.text,
            base=values,
            # An entry that could not be moved is still where it was.
            category=before.category if "category" in unsettled else item.category,
            state=state,
        )

    def _new(self, add: Add, item: Item, written: Written) -> StoredEntry:
        now = written.document.library_values(add.paper)
        names = {name for refused, name, _ in written.refused_of_added if name and refused is add}
        return item.entry_of(add.paper.id, _without_refused(now, item.values, names))

    def _keep_refused(self, plan: Plan, written: Written) -> None:
        """Keep the former library values of refused changes, so that exports try them again."""
        changes = (refusal.change for refusal in written.refused)
        refused = group((c.number, c) for c in changes if not isinstance(c, Add))
        all_sets = plan.all_sets
        for entry in plan.kept:
            if entry.then is None or entry.number is None:
                continue
            sets, unmade = all_sets.get(entry.number, ()), refused.get(entry.number, ())
            names = {change.field for change in sets if change in unmade}
            # Some members of a set may be written although others are refused.
            written_sets = [change for change in sets if change not in unmade]
            members = [c for c in written_sets if c.field in self.document.fields.sets]
            then = values_after(entry.then, members, self.document.fields)
            library = _without_refused(entry.stored.library, then, names)
            if entry.beyond is not None and "passes" not in names:
                library["passes"] = entry.beyond
            entry.stored = entry.stored._replace(library=library)


def _wanted_again(entry: StoredEntry, added: Sequence[int]) -> StoredEntry:
    """Return an entry, in the state ``wanted`` if the user deleted it but adds its paper again."""
    is_again = entry.state is EntryState.UNLINKED and entry.paper_id in added
    return entry._replace(state=EntryState.WANTED) if is_again else entry


def _without_refused(now: Values, then: Values, names: Collection[str]) -> Values:
    """Return the values ``now``, but with the fields in ``names`` as they were ``then``."""
    values: dict[str, Any] = {name: value for name, value in now.items() if name not in names}
    return values | {name: then[name] for name in names if name in then}


def _name_of_change(change: Change, items: Sequence[Item]) -> str:
    """Return a name for a change: the citation key and line, or the name of a removed item."""
    if isinstance(change, Remove):
        return items[change.number].name
    key = change.paper.citekey
    return key if isinstance(change, Add) else f"{key} (line {items[change.number].line})"


def _sentences(news: Iterable[tuple[str, str]]) -> list[str]:
    """Return a sentence for each reason, with the names that it applies to."""
    names = group(dict.fromkeys((reason, name) for name, reason in news))
    return [f"{few(alike, _SHOWN)}: {reason}" for reason, alike in names.items()]


Merge = Callable[[Intent, bytes], bytes | None]
"""Undoes a run's edits in the current content of a file, and keeps others.

Returns None if both edited the same place.
"""


@dataclass(frozen=True, slots=True)
class RolledBackFile:
    """A file that an interrupted run had written, and what became of it."""

    path: Path
    outcome: str
    """A sentence on whether the old content was restored."""


def replace_document(
    store: Store, name: str, path: Path, expected: bytes, data: bytes, *, is_ours: bool = True
) -> tuple[str, ...]:
    """Replace a file within the open action; restore it if the action fails.

    ``name`` is the file's name in the library, ``expected`` its present content. Without
    ``is_ours``, for example for a note, the new content is not recorded as papertrack's. Returns
    sentences on attributes that the file lost. Raises ConflictError if the content is not as
    expected, and PapertrackError if the file cannot be written.
    """
    lost, attributes = (not_kept(path) if path.exists() else ()), attributes_of(path)
    try:
        intent = intents.announce(intents_folder(store.path), name, path, expected, data)
    except OSError as error:
        raise PapertrackError(
            f"{path} was not written: its previous version could not be saved "
            f"({error.strerror or error}). Make room beside the library, and try again."
        ) from error
    store.at_end(Ending(intent.forget, lambda: roll_back(intent)))
    remember_written(store, name, data if is_ours else b"", intent.token)
    try:
        replace_file(path, expected, data)
    except NotConfirmed as error:
        # The error ends the transaction, and that restores the file.
        raise PapertrackError(
            f"The disk did not confirm that {path} was written, so the old content was "
            "restored. Check the disk, and try again."
        ) from error
    return (*lost, *attributes_lost(attributes, path))


def roll_back(intent: Intent, without: Merge | None = None) -> RolledBackFile | None:
    """Undo what an interrupted run wrote to a file; return the outcome.

    Edits made since are kept if ``without`` can separate them from the run's. Otherwise the file is
    left alone, and its former content saved beside it. Returns None if the run had not replaced the
    file, or if the file is gone. If the file cannot be written, the intent stays for another try.
    """
    try:
        outcome = _roll_back(intent, without)
    except NotFoundError:
        outcome = None  # The user has removed the file since.
    except PapertrackError as error:
        return RolledBackFile(intent.path, str(error))
    intent.forget()
    return None if outcome is None else RolledBackFile(intent.path, outcome)


def _roll_back(intent: Intent, without: Merge | None) -> str | None:
    present = read_file(intent.path)
    if present == intent.old:
        return None
    if present == intent.new:
        replace_file(intent.path, present, intent.old)
        return (
            f"An interrupted run had written {intent.path}; the old content was restored. "
            "Run the command again."
        )
    merged = without(intent, present) if without else None
    if merged is not None:
        replace_file(intent.path, present, merged)
        return (
            f"An interrupted run had written {intent.path}, which you edited since; its "
            "changes were taken back, and your edits kept. Run the command again."
        )
    copy = keep_copy(intent.path, intent.old)
    return (
        f"An interrupted run had written {intent.path}, which you edited since in the "
        "same places. The file was left alone; its content before that run is in "
        f"{copy.name} beside it."
    )


# -- Recording that a document is in step with the library (see ``in_step``).


def is_all_read(
    store: Store, document_id: int, before: Format, written: Written, stored: Entries
) -> bool:
    """Return whether an import has read all changes of a file that an export has now written."""
    in_step = last_read(store, document_id, before.path)
    return (
        in_step is not None
        and in_step.digest == digest_of(before.data)
        and all(
            item.number in stored and stored[item.number].base == item.values
            for item in written.document.items
        )
    )


def keep_read(
    store: Store,
    document_id: int,
    document: Format,
    stored: Entries,
    data: bytes,
    *,
    is_written: bool,
) -> None:
    """Record that a document is in step, with the notes that the next import repeats.

    ``is_written`` means that an export would have nothing to write either. Records the opposite if
    an entry has an open conflict or waits for an import or export.
    """
    repeated = document.repeated_notes(stored, data)
    notes = {note for entry in stored.values() for note in entry.base.get("note", ())}
    report = {
        "entries": len(stored),
        "papers_unchanged": len({entry.paper_id for entry in stored.values()}),
        "encoding": document.encoding,
        "skipped": [line._asdict() for line in repeated.skipped],
        "notices": [line._asdict() for line in repeated.notices],
        "mentioned": repeated.mentioned,
        "notes": sorted(note for note in notes if "://" not in note),
    }
    reader = reader_of(document.path)
    now = documents.InStep(digest_of(data), reader, revision(store), is_written, report)
    is_settled = documents.is_settled(store, document_id)
    documents.write_in_step(store, document_id, now if is_settled else None)


# -- Earlier versions of a document, found by the actions that were done at the time.
#
# An undo returns the library to an earlier state. The next export then gives the file its text of
# that time, and stores the entries of that time. This is exact for any number of edits, but only
# possible if nobody else wrote to the file since. Otherwise single entries are restored from the
# same versions (see ``history``).

Texts = tuple[list[str], list[str]]
"""The pieces of a document, and the stored entries of its items as JSON, in order."""
_PIECES = re.compile(r"(?:[^\n]+\n?|\n)(?:(?=\s)[^\n]*\n?){0,30}+")
"""A line with the indented and empty ones below it, such as a .bib entry."""


def texts_now(store: Store, document_id: int, document: Format, stored: Entries) -> Texts:
    """Return a document's present pieces and entries, to store as a version.

    ``stored`` are the stored entries, by item number.
    """
    ids = documents.entry_ids(store, document_id)
    entries = [_plain(item, stored.get(item.number), ids) for item in document.items]
    return _PIECES.findall(document.text), entries


def _plain(item: Item, entry: StoredEntry | None, ids: Mapping[tuple[str, Category], int]) -> str:
    if entry is None:
        return to_json(None)
    entry = entry._replace(id=ids.get((entry.key, entry.category), entry.id))
    words = None if item.words == entry.text else item.words
    return to_json([*entry, words])


def keep_read_version(
    store: Store, document_id: int, data: bytes, texts: Texts, action_id: int
) -> None:
    """Store the version of a document that an import read.

    ``action_id`` is the import. Its actions are recorded with the version only if the file agreed
    with the library before: if it is new, edited, or matched the earlier actions.
    """
    newest, digest = versions.newest_version(store, document_id), digest_of(data)
    is_same = newest is not None and newest.digest == digest
    before = versions.done_now(store, without=action_id)
    is_in_step = newest is None or not is_same or versions.is_of_moment(store, newest, before)
    number = _keep_texts(store, document_id, digest, texts, is_ours=is_same)
    if is_in_step:
        versions.add_moment(store, number, versions.done_now(store))


def keep_seen_version(
    store: Store, document_id: int, document: Format, stored: Sequence[StoredEntry]
) -> None:
    """Store the version of a document that an export reads, before it writes.

    Somebody may have edited the file since the last version, or its ``stored`` entries may have
    changed.
    """
    newest, digest = versions.newest_version(store, document_id), digest_of(document.data)
    is_same = newest is not None and newest.digest == digest
    matched = {number: stored[at] for number, at in document.matches_written(stored).items()}
    if not is_same:
        items = document.items
        matched = {number: items[number].entry_since(entry) for number, entry in matched.items()}
    entries = [_plain(item, matched.get(item.number), {}) for item in document.items]
    texts = _PIECES.findall(document.text), entries
    _keep_texts(store, document_id, digest, texts, is_ours=is_same)


def keep_written_version(store: Store, document_id: int, data: bytes, texts: Texts) -> None:
    """Store the version of a document that an export wrote."""
    number = _keep_texts(store, document_id, digest_of(data), texts, is_ours=True)
    versions.add_moment(store, number, versions.done_now(store))


def _keep_texts(store: Store, document_id: int, digest: str, texts: Texts, *, is_ours: bool) -> int:
    number = versions.keep_version(store, document_id, digest, texts, is_ours=is_ours)
    if versions.are_too_many(store, document_id):
        versions.forget_older(store, document_id, History(store, document_id).versions)
    return number


def go_back(
    store: Store, document_id: int, document: Format, stored: Sequence[StoredEntry]
) -> tuple[Format, Sequence[StoredEntry]] | None:
    """Return a document as it was when the library had its present state, and its entries then.

    The entries are those of its items, in order, then the unlinked ones. Returns None if there is
    no such version, or if somebody else has edited the file since.
    """
    if any(entry.state is EntryState.WANTED for entry in stored):
        return None
    newest = versions.newest_version(store, document_id)
    then = versions.version_of(store, document_id, versions.done_now(store))
    if newest is None or then is None or newest.digest != digest_of(document.data):
        return None
    entries = [entry_of(text) for text in versions.texts_of(store, then.entries)]
    present = [entry for entry in entries if entry is not None]
    if then.id == newest.id or len(present) < len(entries):
        return None
    again = document.with_text(text_of(store, then))
    if len(again.items) != len(present) or digest_of(again.encoded()) != then.digest:
        return None
    away = [entry for entry in stored if entry.state is EntryState.UNLINKED]
    return again, [*_with_numbers(present, stored), *away]


def _with_numbers(
    entries: Sequence[StoredEntry], stored: Sequence[StoredEntry]
) -> list[StoredEntry]:
    """Give entries of an earlier version the ids of the stored entries that they replace."""
    stored_ids = {entry.id for entry in stored}
    kept_ids = {entry.id for entry in entries} & stored_ids
    id_of_place = {
        (entry.key, entry.category, entry.paper_id): entry.id
        for entry in stored
        if entry.id not in kept_ids and entry.state is not EntryState.UNLINKED
    }
    return [
        entry
        if entry.id in stored_ids
        else entry._replace(id=id_of_place.pop((entry.key, entry.category, entry.paper_id), None))
        for entry in entries
    ]

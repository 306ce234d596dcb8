"""Exporting to the registered documents: what changed in the library, and no other byte.

A file is replaced and remembered in one step, as far as a crash can tell: the intent is put down
first, then the file is replaced, then the library commits. What a killed run left is taken back by
the next one (see ``actions.recover``): the file is what the library remembers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papertrack import __version__
from papertrack.differences import unified_diff
from papertrack.errors import NotFoundError, PapertrackError
from papertrack.library import Library, intents, intents_folder, is_of_repository
from papertrack.library.files import (
    NotConfirmed,
    attributes_lost,
    attributes_of,
    not_kept,
    read_file,
    replace_file,
    write_file,
)
from papertrack.library.intents import Intent
from papertrack.library.paths import path_of_name
from papertrack.records import Skipped
from papertrack.store import documents
from papertrack.store.database import to_json
from papertrack.store.documents import (
    EntryState,
    InStep,
    RegisteredDocument,
    StoredEntry,
    entry_ids,
)
from papertrack.store.index import remember_note
from papertrack.store.journal import revision
from papertrack.store.store import Ending, Store
from papertrack.store.versions import (
    add_moment,
    are_too_many,
    done_now,
    forget_older,
    is_of_moment,
    keep_version,
    newest_version,
    texts_of,
    version_of,
)
from papertrack.store.written_files import digest_of, remember_written
from papertrack.sync.format import Entries, Format, Reader, Written
from papertrack.sync.history import History, entry_of, text_of
from papertrack.sync.items import (
    Add,
    Asking,
    Category,
    Change,
    Item,
    Kept,
    Move,
    Plan,
    Remove,
    Set,
    Told,
    values_after,
)
from papertrack.sync.plan import Planner
from papertrack.sync.report import DocumentExport, ImportReport
from papertrack.sync.threeway import Prefer, Values, leave_as_before
from papertrack.text import few

_NAMED = 5
"""Papers that one sentence names."""


def write(
    store: Store,
    registered: RegisteredDocument,
    read: Reader,
    *,
    added: Sequence[int] = (),
    prefer: Prefer = None,
) -> DocumentExport:
    """Bring a registered document up to date.

    The file is read again; a value is written when it changed in the library and not in the file.
    The file is replaced as a whole or not at all, and not when it changes meanwhile. The papers
    ``added`` get an entry where the document itself does not tell what it lists. In a trial
    nothing is written. Raises what ``read`` raises, and DocumentError.
    """
    # The file is read and replaced inside the transaction, so that two exports take turns.
    action = store.action("export", registered.path, can_undo=False)
    with nullcontext() if store.is_trial else action:
        asking = Asking(store, registered.path, prefer)
        export = Export(store, registered, read(registered), asking)
        return export.export(added)


@dataclass(frozen=True, slots=True)
class Export:
    """The export of one document."""

    store: Store
    registered: RegisteredDocument
    document: Format
    asking: Asking

    def export(self, added: Sequence[int]) -> DocumentExport:
        document, document_id = self.document, self.registered.id
        kept = documents.read_entries(self.store, document_id)
        history = History(self.store, document_id)
        entries = [_asked_for(entry, added) for entry in kept]
        start: Format = document
        stored: Sequence[StoredEntry] = entries
        if back := go_back(self.store, document_id, document, entries):
            start, stored = back
        elif history.removed or any(entry.state is EntryState.WANTED for entry in entries):
            start, stored = document.put_back(entries, history)
        start, no_tables = start.with_tables(self.asking)
        told = Told(documents.read_told(self.store, document_id))
        planner = Planner(self.store, start, history, self.asking, told)
        plan = planner.make_plan(stored, added)
        written = start.write(plan, history)
        text = written.document.text
        data = document.data if text == document.text else written.document.encoded()
        about = self._find_news(written, start.items, told)
        reasons = [*plan.refused, *_sentences(about)]
        lost: tuple[str, ...] = ()
        if not self.store.is_trial:
            keep_seen_version(self.store, document_id, document, kept)
            if data != document.data:
                name = self.registered.path
                lost = replace_document(self.store, name, document.path, document.data, data)
            known = self._remember(plan, written, data)
            if told.now != told.before:
                documents.write_told(self.store, document_id, told.now)
            if reasons or self.asking.conflicts or no_tables:
                documents.write_in_step(self.store, document_id, None)
            else:
                keep_written(self.store, document_id, document, written.document, known, data)
            now = texts_now(self.store, document_id, written.document, known)
            keep_written_version(self.store, document_id, data, now)
        return DocumentExport(
            file=self.registered.path,
            path=document.path,
            diff=unified_diff(document.text, text, f"a/{document.name}", f"b/{document.name}"),
            refused=tuple(dict.fromkeys([*no_tables, *reasons])),
            conflicts=tuple(self.asking.conflicts),
            is_written=data != document.data and not self.store.is_trial,
            not_kept=(*written.lost, *lost),
        )

    def _find_news(
        self, written: Written, items: Sequence[Item], told: Told
    ) -> Iterator[tuple[str, str]]:
        """Yield what the document has no place for, and why, unless that was reported before."""
        for one in written.refused:
            match one.change:
                case Remove():
                    is_news = True
                case Add(paper, category):
                    is_news = told.is_news(paper.id, "row", [category, one.reason])
                case Move(_, paper):
                    is_news = told.is_news(paper.id, "category", paper.categories)
                case Set(_, paper, name):
                    said = written.document.library_values(paper).get(name)
                    is_news = told.is_news(paper.id, name, said)
            if is_news:
                yield _name_of_change(one.change, items), one.reason
        for add, place, reason in written.refused_of_added:
            if place is not None:
                said = written.document.library_values(add.paper).get(place)
                told.is_news(add.paper.id, place, said)
            yield add.paper.citekey, reason

    def _remember(self, plan: Plan, written: Written, data: bytes) -> Entries:
        """Store, and return by item, what both sides say now, except where the file waits to be
        imported."""
        results, rest = self.settle(plan, written)
        written.document.end_export([add.paper for add, _ in written.added])
        is_known = digest_of(self.document.data) == self.registered.digest
        has_waiting = len(results) != len(written.document.items) or any(
            kept.unsettled or (kept.number is None and kept.stored.is_in_file) for kept in plan.kept
        )
        # Bytes with edits by hand, which wait for an import, are not those that it knows.
        if is_known or not has_waiting:
            written.document.register(self.store, data)
        entries = [results[number] for number in sorted(results)]
        if data != self.document.data:
            for number, entry in results.items():
                if entry.paper_id is not None and entry.state is EntryState.LINKED:
                    written.document.keep(written.document.items[number], entry.paper_id)
        documents.write_entries(self.store, self.registered.id, [*entries, *rest])
        return results

    def settle(self, plan: Plan, written: Written) -> tuple[Entries, list[StoredEntry]]:
        """What is to be remembered of each item that there is now, and of what is none."""
        self._keep_refused(plan, written)
        results: dict[int, StoredEntry] = {}
        rest = []
        for position, kept in enumerate(plan.kept):
            item = written.placed.get(position)
            if item is not None:
                results[item.number] = self._settled(kept, item)
            elif not kept.is_removed:
                rest.append(kept.stored)
        for add, item in written.added:
            results[item.number] = self._new(add, item, written)
        return results, rest

    def _settled(self, kept: Kept, item: Item) -> StoredEntry:
        before, unsettled = kept.stored, kept.unsettled
        if unsettled is None:
            return before
        values = dict(item.values)
        for name in (*unsettled, *kept.reread):
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
        names = {name for one, name, _ in written.refused_of_added if name and one is add}
        return item.entry_of(add.paper.id, _without_refused(now, item.values, names))

    def _keep_refused(self, plan: Plan, written: Written) -> None:
        """Let what the document has no place for wait: it counts as not yet written."""
        refused: dict[int, list[Change]] = {}
        for one in written.refused:
            if not isinstance(one.change, Add):
                refused.setdefault(one.change.number, []).append(one.change)
        all_sets = plan.all_sets
        for kept in plan.kept:
            if kept.then is None or kept.number is None:
                continue
            sets, unmade = all_sets.get(kept.number, ()), refused.get(kept.number, ())
            names = {one.field for one in sets if one in unmade}
            # Of the members of a set that are to be written, some may not be.
            made = [one for one in sets if one not in unmade]
            members = [one for one in made if one.field in self.document.fields.sets]
            then = values_after(kept.then, members, self.document.fields)
            library = _without_refused(kept.stored.library, then, names)
            if kept.beyond is not None and "passes" not in names:
                library["passes"] = kept.beyond
            kept.stored = kept.stored._replace(library=library)


def _asked_for(entry: StoredEntry, added: Sequence[int]) -> StoredEntry:
    """An entry that the reader took out of the file, and asks for again."""
    is_again = entry.state is EntryState.UNLINKED and entry.paper_id in added
    return entry._replace(state=EntryState.WANTED) if is_again else entry


def _without_refused(now: Values, then: Values, names: Collection[str]) -> Values:
    """What the library counts as having said, with these fields as before."""
    kept: dict[str, Any] = {name: value for name, value in now.items() if name not in names}
    return kept | {name: then[name] for name in names if name in then}


def _name_of_change(change: Change, items: Sequence[Item]) -> str:
    """Return what a change is about: the paper's key, and the line if it has one."""
    if isinstance(change, Remove):
        return items[change.number].name
    key = change.paper.citekey
    return key if isinstance(change, Add) else f"{key} (line {items[change.number].line})"


def _sentences(told: Iterable[tuple[str, str]]) -> list[str]:
    """Return each reason once, after the papers that it is about."""
    names: dict[str, list[str]] = {}
    for name, reason in told:
        if name not in names.setdefault(reason, []):
            names[reason].append(name)
    return [f"{few(several, _NAMED)}: {reason}" for reason, several in names.items()]


Merge = Callable[[Intent, bytes], bytes | None]
"""Returns a file as it is now without what a run wrote; None where both are about the same."""


@dataclass(frozen=True, slots=True)
class TakenBackFile:
    """A file in which something was written that the library does not remember."""

    path: Path
    told: str
    """What became of it, as a sentence."""


def replace_document(
    store: Store, name: str, path: Path, seen: bytes, data: bytes, *, is_ours: bool = True
) -> tuple[str, ...]:
    """Replace a file within the action that is open: the library remembers it, or it stays.

    ``name`` is what the library calls it, ``seen`` what it must still hold. One that is not
    ``ours``, as a note is, is not taken later for what papertrack alone wrote. Returns what the
    file could not keep, as sentences. Raises ConflictError when it has changed, and PapertrackError
    when it cannot be written.
    """
    lost, attributes = (not_kept(path) if path.exists() else ()), attributes_of(path)
    try:
        intent = intents.announce(intents_folder(store.path), name, path, seen, data)
    except OSError as error:
        raise PapertrackError(
            f"{path} was not written: its previous version could not be saved "
            f"({error.strerror or error}). Make room beside the library, and try again."
        ) from error
    store.at_end(Ending(intent.forget, lambda: take_back(intent)))
    remember_written(store, name, data if is_ours else b"", intent.token)
    try:
        replace_file(path, seen, data)
    except NotConfirmed as error:
        # With the transaction, which this ends, the file goes back.
        raise PapertrackError(
            f"The disk did not confirm that {path} was written, so the old content was "
            "restored. Check the disk, and try again."
        ) from error
    return (*lost, *attributes_lost(attributes, path))


def take_back(intent: Intent, without: Merge | None = None) -> TakenBackFile | None:
    """Bring a file back to what it was; edits that were made by hand since then stay, if there is a
    way to merge them.

    None if it was not replaced yet. Where it cannot be written, the intent stays for a later try.
    """
    try:
        told = _take_back(intent, without)
    except NotFoundError:
        told = None  # The reader has removed it since.
    except PapertrackError as error:
        return TakenBackFile(intent.path, str(error))
    intent.forget()
    return None if told is None else TakenBackFile(intent.path, told)


def _take_back(intent: Intent, without: Merge | None) -> str | None:
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
    kept = intent.path.with_name(f"{intent.path.name}.before-{intent.token}")
    write_file(kept, intent.old)
    return (
        f"An interrupted run had written {intent.path}, which you edited since in the "
        "same places. The file was left alone; its content before that run is in "
        f"{kept.name} beside it."
    )


# -- Documents that are in step with the library: nothing is read, and nothing written.
#
# A file is in step if its bytes are those that were read or written last, and the journal tells
# of nothing that was done, undone or redone since.


def keep_read(store: Store, document_id: int, document: Format, known: Entries) -> None:
    """Keep that an import took all that a file says, of which ``known`` is remembered."""
    _keep(store, document_id, document, known, document.data, is_written=False)


def keep_written(
    store: Store, document_id: int, before: Format, now: Format, known: Entries, data: bytes
) -> None:
    """Keep that an export made ``data`` of a file, and left nothing to write or report; unless
    the file said what no import had taken."""
    last, reader = documents.read_in_step(store, document_id), _reader_of(now.path)
    was_read = last and (last.digest, last.reader) == (digest_of(before.data), reader)
    is_all_known = all(
        item.number in known and known[item.number].base == item.values for item in now.items
    )
    if was_read and is_all_known:
        _keep(store, document_id, now, known, data, is_written=True)
    else:
        documents.write_in_step(store, document_id, None)


def _keep(
    store: Store, document_id: int, document: Format, known: Entries, data: bytes, is_written: bool
) -> None:
    """Keep that a document holds ``data``, unless something in it waits to be settled; and what an
    import reports that need not read it."""
    told = document.told_again(known, data)
    report = {
        "encoding": document.encoding,
        "skipped": [one._asdict() for one in told.skipped],
        "notices": [one._asdict() for one in told.notices],
        "mentioned": told.mentioned,
    }
    reader = _reader_of(document.path)
    now = InStep(digest_of(data), reader, revision(store), is_written, report)
    is_settled = documents.is_settled(store, document_id)
    documents.write_in_step(store, document_id, now if is_settled else None)


def import_in_step(store: Store, library: Library, path: Path, name: str) -> ImportReport | None:
    """Return what an import comes to that finds nothing new; None if that is not certain."""
    with store.transaction():
        registered = documents.find_document(store, name)
        known = _find_known(store, registered, path) if registered else None
        if registered is None or known is None:
            return None
        entries, papers = documents.entry_counts(store, registered.id)
        if not entries:
            return None
        notes = documents.notes_in_entries(store, registered.id)
        for note in notes if registered.kind == "markdown" else ():
            if "://" not in note:
                index_note(store, library, note)
    return ImportReport(
        file=name,
        papers_unchanged=papers,
        entries=entries,
        skipped=tuple(Skipped(**one) for one in known.report["skipped"]),
        is_registered=True,
        notices=tuple(Skipped(**one) for one in known.report["notices"]),
        mentioned=known.report["mentioned"],
        encoding=known.report["encoding"],
    )


def export_in_step(
    store: Store, registered: RegisteredDocument, path: Path
) -> DocumentExport | None:
    """Return what an export comes to that has nothing to write; None if that is not certain."""
    with nullcontext() if store.is_trial else store.transaction():
        known = _find_known(store, registered, path)
    if known is None or not known.is_written:
        return None
    return DocumentExport(registered.path, path, "", (), (), is_written=False)


def _find_known(store: Store, registered: RegisteredDocument, path: Path) -> InStep | None:
    """Return what is known of a file, if nothing happened to it or the library since."""
    known = documents.read_in_step(store, registered.id)
    if known is None or known.reader != _reader_of(path) or known.at != revision(store):
        return None
    is_same = {known.digest, registered.digest} == {digest_of(read_file(path))}
    return known if is_same else None


def _reader_of(path: Path) -> str:
    """Return what reads a file: this version, and from where, for its links to notes."""
    # Not resolved, as names of files are not.
    where = os.path.abspath(path)  # noqa: PTH100
    return digest_of(f"{__version__}\n{where}".encode("utf-8", "surrogatepass"))


MAX_INDEXED = 1_000_000
"""Bytes of a note file that the search looks at."""


def index_note(store: Store, library: Library, name: str) -> None:
    """Let the search know what the note says now. A file outside the library is not read, nor one
    of git's: what a README calls a note may be published."""
    path = path_of_name(library, name)
    real, root = path.resolve(), library.root.resolve()
    is_inside = real.is_relative_to(root) and not is_of_repository(real.relative_to(root))
    if not is_inside or not path.is_file():
        return
    text = read_file(path)[:MAX_INDEXED].decode("utf-8", errors="replace")
    with store.action("note"):
        remember_note(store, name, text)


# -- The way back: earlier versions of a document, by what had been done when it was so.
#
# Undone, an edit leaves the library as it was when the file said so: then the file gets the text
# again that it had, and each entry is remembered as it was then. That is exact however many edits
# came together, but only for a file that nobody else wrote since; whatever else is taken back,
# single entries give (see ``history``), which come from the same versions.

Texts = tuple[list[str], list[str]]
"""The lines of a document, and what is remembered of its items, in order."""


def texts_now(store: Store, document_id: int, document: Format, known: Entries) -> Texts:
    """Return what a document is whose items are ``known``, as they are stored."""
    ids = entry_ids(store, document_id)
    entries = [_plain(item, known.get(item.number), ids) for item in document.items]
    return document.text.splitlines(keepends=True), entries


def _plain(item: Item, entry: StoredEntry | None, ids: Mapping[tuple[str, Category], int]) -> str:
    if entry is None:
        return to_json(None)
    entry = entry._replace(id=ids.get((entry.key, entry.category), entry.id))
    words = None if item.words == entry.text else item.words
    return to_json([*entry, words])


def keep_read_version(
    store: Store, document_id: int, data: bytes, texts: Texts, action_id: int
) -> None:
    """Keep what a document is that was read in an action.

    Whether the file then says what the library says only an export knows: of one that is as it was
    it is so if it was so before the action.
    """
    newest, digest = newest_version(store, document_id), digest_of(data)
    is_same = newest is not None and newest.digest == digest
    before = done_now(store, without=action_id)
    is_in_step = newest is None or not is_same or is_of_moment(store, newest, before)
    number = _kept(store, document_id, digest, texts, is_ours=is_same)
    if is_in_step:
        add_moment(store, number, done_now(store))


def keep_seen_version(
    store: Store, document_id: int, document: Format, stored: Sequence[StoredEntry]
) -> None:
    """Keep what a document is that an export finds, if it is not what was kept last: another hand
    may have written it, and what is ``stored`` of its entries may be otherwise since."""
    newest, digest = newest_version(store, document_id), digest_of(document.data)
    is_same = newest is not None and newest.digest == digest
    known = {number: stored[at] for number, at in document.matches_written(stored).items()}
    if not is_same:
        for number, entry in known.items():
            item = document.items[number]
            now = entry._replace(key=item.key, category=item.category, text=item.text)
            known[number] = now._replace(base=item.values)
    entries = [_plain(item, known.get(item.number), {}) for item in document.items]
    texts = document.text.splitlines(keepends=True), entries
    _kept(store, document_id, digest, texts, is_ours=is_same)


def keep_written_version(store: Store, document_id: int, data: bytes, texts: Texts) -> None:
    """Keep what a document is that an export wrote."""
    number = _kept(store, document_id, digest_of(data), texts, is_ours=True)
    add_moment(store, number, done_now(store))


def _kept(store: Store, document_id: int, digest: str, texts: Texts, *, is_ours: bool) -> int:
    number = keep_version(store, document_id, digest, texts, is_ours=is_ours)
    if are_too_many(store, document_id):
        forget_older(store, document_id, History(store, document_id).versions)
    return number


def go_back(
    store: Store,
    document_id: int,
    document: Format,
    stored: Sequence[StoredEntry],
) -> tuple[Format, Sequence[StoredEntry]] | None:
    """Return a document as it was when the library held what it holds now, and what is then to be
    remembered: of each item in order, then of what was taken out by hand. None where it was never
    otherwise, or where another hand wrote since."""
    if any(entry.state is EntryState.WANTED for entry in stored):
        return None
    newest, then = (
        newest_version(store, document_id),
        version_of(store, document_id, done_now(store)),
    )
    if newest is None or then is None or newest.digest != digest_of(document.data):
        return None
    entries = [entry_of(text) for text in texts_of(store, then.entries)]
    known = [entry for entry in entries if entry is not None]
    if then.id == newest.id or len(known) < len(entries):
        return None
    again = document.with_text(text_of(store, then))
    if len(again.items) != len(known) or digest_of(again.encoded()) != then.digest:
        return None
    away = [entry for entry in stored if entry.state is EntryState.UNLINKED]
    return again, [*_with_numbers(known, stored), *away]


def _with_numbers(
    entries: Sequence[StoredEntry], stored: Sequence[StoredEntry]
) -> list[StoredEntry]:
    """Return entries of then with the numbers that they have now: their own, or those of what
    stands in their place since."""
    there = {entry.id for entry in stored}
    own = {entry.id for entry in entries} & there
    others = {
        (entry.key, entry.category, entry.paper_id): entry.id
        for entry in stored
        if entry.id not in own and entry.state is not EntryState.UNLINKED
    }
    return [
        entry
        if entry.id in there
        else entry._replace(id=others.pop((entry.key, entry.category, entry.paper_id), None))
        for entry in entries
    ]

"""Exporting to the registered documents: what changed in the library, and no other byte.

A file is replaced and remembered in one step, as far as a crash can tell: the intent is put down
first, then the file is replaced, then the library commits. What a killed run left is taken back by
the next one (see ``actions.recover``): the file is what the library remembers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
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
    not_kept,
    read_file,
    replace_file,
    write_file,
)
from papertrack.library.intents import Intent
from papertrack.store import documents
from papertrack.store.documents import EntryState, RegisteredDocument, StoredEntry
from papertrack.store.store import Ending, Store
from papertrack.store.written_files import digest_of, remember_written
from papertrack.sync.format import Entries, Format, Reader, Written
from papertrack.sync.history import History
from papertrack.sync.in_step import keep_written
from papertrack.sync.items import (
    Add,
    Asking,
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
from papertrack.sync.report import DocumentExport
from papertrack.sync.threeway import Prefer, Values, leave_as_before
from papertrack.sync.way_back import go_back, keep_seen_version, keep_written_version, texts_now
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
        back = go_back(self.store, document_id, document, entries)
        start, stored = back or document.put_back(entries, history)
        start, no_tables = start.with_tables(self.asking)
        told = Told(documents.read_told(self.store, document_id))
        planner = Planner(self.store, start, history, self.asking, told)
        plan = planner.make_plan(stored, added)
        written = start.write(plan, history)
        text = written.document.text
        data = document.data if text == document.text else written.document.encoded()
        about = self._find_news(written, start.items, told)
        reasons = [*(no_tables or ()), *plan.refused, *_sentences(about)]
        lost: tuple[str, ...] = ()
        if not self.store.is_trial:
            keep_seen_version(self.store, document_id, document, kept)
            if data != document.data:
                name = self.registered.path
                lost = replace_document(self.store, name, document.path, document.data, data)
            known = self._remember(plan, written, data)
            if told.now != told.before:
                documents.write_told(self.store, document_id, told.now)
            # What a table says may change without the journal: notes are files.
            if reasons or self.asking.conflicts or no_tables is not None:
                documents.write_in_step(self.store, document_id, None)
            else:
                keep_written(self.store, document_id, document, written.document, known, data)
            now = texts_now(self.store, document_id, written.document, known)
            keep_written_version(self.store, document_id, data, now)
        return DocumentExport(
            file=self.registered.path,
            path=document.path,
            diff=unified_diff(document.text, text, f"a/{document.name}", f"b/{document.name}"),
            refused=tuple(dict.fromkeys(reasons)),
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
        papers = {item.number: add.paper for add, item in written.added}
        for number, place, reason in written.refused_of_added:
            if place is not None:
                said = written.document.library_values(papers[number]).get(place)
                told.is_news(papers[number].id, place, said)
            yield papers[number].citekey, reason

    def _remember(self, plan: Plan, written: Written, data: bytes) -> Entries:
        """Store, and return by item, what both sides say now, except where the file waits to be
        imported."""
        results, rest = self.settle(plan, written)
        written.document.end_export([add.paper for add, _ in written.added])
        is_known = digest_of(self.document.data) == self.registered.digest
        # Bytes with edits by hand, which wait for an import, are not those that it knows.
        if is_known or not self._has_waiting(plan, len(results) == len(written.document.items)):
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

    def _has_waiting(self, plan: Plan, are_all_known: bool) -> bool:
        """Whether the file says what no import has taken yet."""
        is_gone = any(k.number is None and k.stored.is_in_file for k in plan.kept)
        return not are_all_known or is_gone or any(kept.unsettled for kept in plan.kept)

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
        refused = written.refused_of_added
        names = {name for number, name, _ in refused if name and number == item.number}
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
            _keep_waiting(kept, then, names)


def _asked_for(entry: StoredEntry, added: Sequence[int]) -> StoredEntry:
    """An entry that the reader took out of the file, and asks for again."""
    is_again = entry.state is EntryState.UNLINKED and entry.paper_id in added
    return entry._replace(state=EntryState.WANTED) if is_again else entry


def _keep_waiting(kept: Kept, then: Values, names: Collection[str]) -> None:
    """Let these fields of an entry count as the library had them ``then``."""
    library = _without_refused(kept.stored.library, then, names)
    if kept.beyond is not None and "passes" not in names:
        library["passes"] = kept.beyond
    kept.stored = kept.stored._replace(library=library)


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
            f"The disk did not confirm that {path} was written, so it was brought back to what it "
            "was. Check the disk, and try again."
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
            f"An interrupted run had written {intent.path}; it is as it was before. "
            "Run the command again."
        )
    merged = without(intent, present) if without else None
    if merged is not None:
        replace_file(intent.path, present, merged)
        return (
            f"An interrupted run had written {intent.path}, which you edited since; what that "
            "run wrote is taken back, and your edits are in it. Run the command again."
        )
    kept = intent.path.with_name(f"{intent.path.name}.before-{intent.token}")
    write_file(kept, intent.old)
    return (
        f"An interrupted run had written {intent.path}, which you edited since in the same "
        f"places. It was left alone; what it was before that run is in {kept.name} beside it."
    )

"""Writing fields of few entries of a .bib file of which only these entries are read.

An entry that needs nothing of its file says alone what it says there. Where it stands tells its
text, which the fingerprint that is remembered proves to be the one that was read there. Whatever
else is to be written, or is not exactly as it was remembered, needs all of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from papertrack.differences import unified_diff
from papertrack.documents.bibtex.fresh import dialect_of
from papertrack.documents.bibtex.grounds import REFERRING
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.documents.bibtex.scan import lone_entry
from papertrack.documents.encoding import decode_bib, encode_bib
from papertrack.errors import DocumentError
from papertrack.library.files import read_file
from papertrack.store.documents import (
    EntryState,
    RegisteredDocument,
    StoredEntry,
    read_refused_rows,
    register_document,
    update_entries,
)
from papertrack.store.files.in_step import present_revision, write_in_step
from papertrack.store.files.kept_texts import read_texts
from papertrack.store.files.written_files import digest_of
from papertrack.store.store import Store
from papertrack.sync.asking import Asking
from papertrack.sync.bibtex.format import BibFormat
from papertrack.sync.bibtex.in_step import Concerned, find_concerned
from papertrack.sync.bibtex.reading import FIELDS, BibItem, ReadBib
from papertrack.sync.changes import Change, Plan, Set
from papertrack.sync.format import Written
from papertrack.sync.history import History
from papertrack.sync.plan import Planner
from papertrack.sync.replacing import replace_document
from papertrack.sync.report import DocumentExport
from papertrack.sync.stamps import stamp_of
from papertrack.sync.versions import Edited
from papertrack.sync.write import Export

_APART = "\n\n"
"""What stands between the entries that are read."""
_NAMED = re.compile(r"\s*=([^}]*)")
"""The value of a field that names other entries: at least all that it names."""
_OF_OTHERS = frozenset({"citekey", "url"})
"""Fields that what is read of other entries hangs on."""
Maker = Callable[..., BibFormat]


@dataclass(frozen=True, slots=True)
class _Part:
    """The entries of a file that are read."""

    text: str
    """Of the whole file."""
    encoding: str
    starts: list[int]
    """Where each entry stands there."""
    document: BibFormat
    """The entries alone."""
    stored: list[StoredEntry]
    is_told_of: bool
    """Whether there is something to tell of the file."""

    def is_as_remembered(self) -> bool:
        """Whether the entries are those that were read of the whole file."""
        items = self.document.items
        return len(items) == len(self.stored) and all(map(_is_same, items, self.stored))

    def is_for_entry_alone(self, change: Change) -> bool:
        """Whether nothing that is read of another entry hangs on what changes."""
        if not isinstance(change, Set) or change.field in _OF_OTHERS:
            return False
        # Entries of several titles at one address are told apart by these.
        return change.field != "title" or "url" not in self.document.items[change.number].values

    def with_entries(self, written: BibFormat) -> str:
        """The text of the whole file with these entries as they are written."""
        text = self.text
        edits = zip(self.starts, self.document.items, written.items, strict=True)
        for start, old, new in reversed(list(edits)):
            text = text[:start] + new.entry.raw + text[start + len(old.entry.raw) :]
        return text


def _is_same(item: BibItem, stored: StoredEntry) -> bool:
    says_the_same = (item.key, item.text, item.values) == (stored.key, stored.text, stored.base)
    return says_the_same and not item.entry.problems


def export_in_part(
    store: Store, registered: RegisteredDocument, path: Path, make: Maker
) -> DocumentExport | None:
    """Write what changed in few entries; None, and nothing is done, if that takes more than fields
    of entries that need nothing else of a file that is as it was. ``make`` makes a document."""
    action = store.action("export", registered.path, can_undo=False)
    with nullcontext() if store.is_trial else action:
        concerned = find_concerned(store, registered, path)
        part = concerned and _read_part(store, registered, path, concerned, make)
        if concerned is None or part is None or not part.is_as_remembered():
            return None
        made = _make(store, registered, part)
        if made is None or not made.edited.is_as_it_was():
            return None
        lost: tuple[str, ...] = ()
        if not store.is_trial:
            lost = _keep(store, registered, concerned, part, made)
    is_written = made.text != part.text and not store.is_trial
    diff = unified_diff(part.text, made.text, f"a/{registered.path}", f"b/{registered.path}")
    return DocumentExport(registered.path, path, diff, (), (), is_written, not_kept=lost)


def _read_part(
    store: Store, registered: RegisteredDocument, path: Path, concerned: Concerned, make: Maker
) -> _Part | None:
    """Read the entries concerned; None where one may not be understood without its file."""
    stored = {entry.id: entry for entry in concerned.entries}
    if any(entry.state is not EntryState.LINKED for entry in stored.values()):
        return None
    data = read_file(path)
    if digest_of(data) != concerned.known.digest:
        return None
    text, encoding = decode_bib(data)
    places = dict(_places(store, text, stored))
    if len(places) < len(stored):
        return None
    order = sorted(places, key=lambda number: places[number][0])
    raws = [places[number][1] for number in order]
    alone = _APART.join(raws)
    read = ReadBib(path, data, alone, encoding, parse_bibtex(alone, file=str(path)))
    document = make(read=read, dialect=concerned.known.told["dialect"])
    starts = [places[number][0] for number in order]
    told = concerned.known.told
    is_told_of = bool(told["skipped"] or told["notices"])
    in_order = [stored[number] for number in order]
    return _Part(text, encoding, starts, document, in_order, is_told_of)


def _places(
    store: Store, text: str, stored: dict[int | None, StoredEntry]
) -> Iterator[tuple[int | None, tuple[int, str]]]:
    """Where these entries stand in the file, and their texts: those that are there once, need
    nothing else of it, and are needed by nothing else."""
    folded = text.casefold()
    if "preamble" in folded:
        return  # It may hold commands that entries need.
    referring = list(_referring(folded))
    for row in read_texts(store, sorted({entry.paper for entry in stored.values()})):
        entry = row.entry
        if entry is None or entry.id not in stored or digest_of(_coded(row.text)) != entry.text:
            continue
        start = text.find(row.text)
        is_once = start >= 0 and text.find(row.text, start + 1) < 0
        key = entry.key.casefold()
        if is_once and not any(key in named for named in referring):
            yield entry.id, (start, row.text)


def _referring(folded: str) -> Iterator[str]:
    """The values of all fields in the text that name other entries."""
    for name in REFERRING:
        at = folded.find(name)  # In a hundredth of the time of a pattern for all of them.
        while at >= 0:
            if value := _NAMED.match(folded, at + len(name)):
                yield value[1]
            at = folded.find(name, at + 1)


def _coded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class _Made:
    """A file with its entries written."""

    text: str
    """Of the whole file."""
    written: BibFormat
    """The entries alone."""
    entries: list[StoredEntry]
    """What is to be remembered of them."""
    history: History
    edited: Edited


@dataclass(frozen=True, slots=True)
class _Writing:
    """What writes the fields."""

    store: Store
    registered: RegisteredDocument
    part: _Part
    asking: Asking
    history: History

    def may_write(self, plan: Plan) -> bool:
        """Whether the plan takes no more than setting fields of these entries."""
        is_more = self.asking.conflicts or plan.refused
        if is_more or not all(map(self.part.is_for_entry_alone, plan.changes)):
            return False
        if read_refused_rows(self.store, self.registered.id):
            return False
        # A text of an entry that comes back may name what stands elsewhere in the file.
        return all(self._back(plan))

    def _back(self, plan: Plan) -> Iterator[bool]:
        """Of each text that an entry had and may have again, whether it needs nothing else."""
        for _, steps in self.history.find_steps(plan, self.part.document.items, FIELDS):
            yield lone_entry(steps[0].entry.text, REFERRING) is not None

    def write(self, plan: Plan) -> tuple[BibFormat, Written] | None:
        try:
            done = self.part.document.write(plan, self.history)
        except DocumentError:
            return None  # It says what is wrong with all of the file.
        written = done.document
        if done.refused or not isinstance(written, BibFormat):
            return None
        return (written, done) if _reads_on(self.part.document, written) else None

    def entries(self, plan: Plan, done: Written) -> list[StoredEntry] | None:
        """What is to be remembered of the entries."""
        export = Export(self.store, self.registered, self.part.document, self.asking)
        results, rest = export.settle(plan, done)
        are_all = not rest and len(results) == len(self.part.stored)
        return [results[number] for number in sorted(results)] if are_all else None

    def edited(self, text: str, entries: list[StoredEntry]) -> Edited:
        stamps = {entry.id: stamp_of(FIELDS, entry) for entry in entries}
        digest = self.registered.digest or ""
        return Edited(self.store, self.registered.id, digest, self.part.text, text, stamps)


def _make(store: Store, registered: RegisteredDocument, part: _Part) -> _Made | None:
    """Write the fields; None if that takes more than them."""
    asking, history = Asking(store, registered.path, None), History(store, registered.id)
    plan = Planner(store, part.document, history, asking).make_plan(part.stored, ())
    writing = _Writing(store, registered, part, asking, history)
    made = writing.write(plan) if writing.may_write(plan) else None
    if made is None:
        return None
    written, done = made
    text, entries = part.with_entries(written), writing.entries(plan, done)
    if entries is None or (part.is_told_of and text.count("\n") != part.text.count("\n")):
        return None  # What a reading tells names lines.
    return _Made(text, written, entries, history, writing.edited(text, entries))


def _reads_on(before: BibFormat, now: BibFormat) -> bool:
    """Whether all else of a file is read with these entries as it was before."""
    addresses = [[item.values.get("url") for item in one.items] for one in (before, now)]
    is_same = addresses[0] == addresses[1] and dialect_of(before.read.bib) == dialect_of(
        now.read.bib
    )
    return is_same and all(lone_entry(item.entry.raw, REFERRING) for item in now.items)


def _keep(
    store: Store,
    registered: RegisteredDocument,
    concerned: Concerned,
    part: _Part,
    made: _Made,
) -> tuple[str, ...]:
    """Write the file, and keep that it is in step; all else of it is as it was. Return what it
    could not keep."""
    data, known = part.document.data, concerned.known
    lost: tuple[str, ...] = ()
    made.history.write()
    if made.text != part.text:
        data = encode_bib(made.text, part.encoding)
        lost = replace_document(
            store, registered.path, part.document.path, part.document.data, data
        )
    changed = [
        (item, now)
        for item, now, before in zip(made.written.items, made.entries, part.stored, strict=True)
        if now != before
    ]
    for item, now in changed:
        made.written.keep(item, now.paper)
    update_entries(store, [now for _, now in changed])
    digest = digest_of(data)
    register_document(
        store, registered.path, registered.kind, title=registered.title, digest=digest
    )
    known = replace(known, digest=digest, written_at=present_revision(store))
    write_in_step(store, registered.id, known)
    made.edited.keep(digest)
    return lost

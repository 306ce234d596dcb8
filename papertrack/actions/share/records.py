"""Write the library's changes to record files, and import changes that others made in them.

The files are authoritative. The database is a cache of them, together with private data. No link
or command in a file is followed or run, and an invalid record is reported, skipped and left
unchanged.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, timedelta
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from papertrack.actions.watch.calendar import list_days
from papertrack.documents.conflict_markers import split_conflicts
from papertrack.documents.records import (
    LARGEST,
    SETS,
    Record,
    classes,
    element_key,
    fold,
    format_record,
    is_name,
    known_part,
    mark_removed,
    merge_records,
    parse_record,
    parse_valid_record,
    patch,
    unmark_removed,
)
from papertrack.errors import DocumentError, UsageError
from papertrack.library import TABLES, Library, read_stamps, stamp_of
from papertrack.library.files import read_plain, replace_whole, safe_path, write_new
from papertrack.library.settings_in_force import parse_settings, read_settings_text
from papertrack.store import records as db
from papertrack.store.journal import SHARE_VERB, part_of_action
from papertrack.store.papers import merge_papers, remove_paper
from papertrack.store.records import RecordFile
from papertrack.store.store import Ending, Store
from papertrack.store.watch.feeds import note_newest
from papertrack.text import clean, few, plural, title_key, valid_moment

_MAX_SINGLE_SYNCS = 50
"""The most files that are synced to disk one by one; more files are synced by one call."""
MAX_REMOVALS, MAX_MERGES = 20, 5
_FIRST_DAY = date(1991, 8, 14)
"""The first day of arXiv; earlier days are not valid."""
_MAX_GAP = timedelta(days=400)
"""The most days that one record can mark as fetched."""


@dataclass(slots=True)
class ImportedChanges:
    """The result of importing changes by others."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    merged: int = 0
    """Papers that were merged into others."""
    waiting: tuple[str, ...] = ()
    """Citation keys of papers whose removal waits for confirmation."""
    messages: list[str] = field(default_factory=list)
    """Messages for the user."""

    @property
    def summary(self) -> str:
        """Return how many papers changed, were added, removed and merged."""
        numbers = f"{self.added} added, {self.removed} removed"
        merged = f", {self.merged} merged into others" if self.merged else ""
        return f"{plural(self.changed, 'paper')} changed, {numbers}{merged}"


def private_kinds(store: Store, library: Library, environ: Mapping[str, str]) -> frozenset[str]:
    """Return the kinds of data that stay on this machine.

    That is the user's choice, or all kinds until the user chooses. The library's settings
    can only add kinds; unreadable settings add all. Raises UsageError.
    """
    kinds, _ = db.chosen_private(store)
    if text := environ.get("PAPERTRACK_SHARE_PRIVATE"):
        kinds = db.private_kinds_of(text, "PAPERTRACK_SHARE_PRIVATE")
    path = library.settings_path
    try:
        share = parse_settings(read_settings_text(path), path).get("share")
        if share is None:  # The usual case; checking settings is slow for a short command.
            return kinds
        from papertrack.library.setting_values import check_settings

        return kinds | frozenset(check_settings({"share": share}, str(path)).share.private or ())
    except UsageError:
        return kinds | db.UNANSWERED


# -- Write records --------------------------------------------------------------------------------


def write_changed(
    store: Store, library: Library, environ: Mapping[str, str], paper_ids: Iterable[int]
) -> None:
    """Update the records of these papers, and the tables, from the library.

    Part of a transaction. Raises UsageError for invalid settings.
    """
    kinds, paper_ids = private_kinds(store, library, environ), list(paper_ids)
    db.give_keys(store)
    db.name_records(store, paper_ids)
    papers = db.read_papers(store, paper_ids)
    names = db.names_of(store, papers)
    orphans = db.orphans(store)
    file_names = [db.file_of(name) for group in names.values() for name in group]
    files = db.record_files(store, [*file_names, *orphans, *TABLES])
    aliases = _aliases(_record_of(files.get("categories.toml")))
    new = {name: mark_removed(_record_of(files[name])) for name in orphans}
    for paper_id, record in papers.items():
        old = {name: _record_of(files.get(db.file_of(name))) for name in names[paper_id]}
        written = _paper_records(store, old, record, aliases, kinds)
        if len(written) > 1:
            ordered = record | _in_order(record, known_part(fold([*written.values()])))
            with part_of_action(store):
                db.write_papers(store, {paper_id: (record, ordered)})
        new |= written
    for name, record in db.read_tables(store).items():
        new[name] = _table_record(name, _record_of(files.get(name)), record, aliases)
    _write(store, library, [_stage(store, files.get(name), name, new[name]) for name in new])


def _write(store: Store, library: Library, names: Iterable[str | None]) -> None:
    """Write these files at the end of the open transaction.

    If the process stops before that, the next command writes them.
    """
    paths = [name for name in names if name]
    if paths and not store.is_trial:
        store.at_end(Ending(partial(write_files, store, library, paths), lambda: None))


def _table_record(name: str, old: Record, now: Record, aliases: Mapping[str, str]) -> Record:
    if name == "categories.toml":  # A category with two keys gets the same values under both.
        entries = now.get("categories", {})
        same = {key: entries[first] for key, first in aliases.items() if first in entries}
        now = {"categories": entries | same}
    return patch([old], known_part(old, name), now)[0]


def _paper_records(
    store: Store,
    old: Mapping[str, Record],
    record: Record,
    aliases: Mapping[str, str],
    kinds: frozenset[str],
) -> dict[str, Record]:
    """Return the new records of one paper, by file name. ``old`` has its records by their names."""
    links = _own_links(store, old)
    works = classes({name: [n for n in links[name] if n in old] for name in old})
    firsts = sorted(works, key=lambda n: (old[n].get("citekey") != record["citekey"], n))
    for first in firsts[1:]:
        links[first].append(firsts[0])
    (order,) = classes(links).values()
    entries = [
        with_aliases(unmark_removed(old[name]) or {"added": record["added"]}, aliases)
        for name in order
    ]
    for name, entry in zip(order, entries, strict=True):
        entry["same_as"] = links[name]
    stored = known_part(fold(entries))
    patched = patch(entries, stored, db.veil(record, stored, kinds))
    return {db.file_of(name): new for name, new in zip(order, patched, strict=True)}


def _in_order(record: Record, folded: Record) -> Record:
    """Return the record's sets in the order of its files, which every other machine has."""

    def elements(of: Record, name: str) -> list[str]:
        return sorted(map(element_key, of.get(name, ())))

    sets = record.keys() & SETS
    return {n: folded[n] for n in sets if elements(record, n) == elements(folded, n)}


def _own_links(store: Store, records: Mapping[str, Record]) -> dict[str, list[str]]:
    """Return what each record is the same as, without records that belong to another paper."""
    links = {name: record.get("same_as", ()) for name, record in records.items()}
    foreign = db.papers_of(store, {n for names in links.values() for n in names} - records.keys())
    return {name: [n for n in names if n not in foreign] for name, names in links.items()}


def _record_of(file: RecordFile | None) -> Record:
    """Return the record that a file should contain; an empty one without a file."""
    return (_parse(file.text, file.name) or {}) if file is not None else {}


@lru_cache(20_000)  # A new clone parses each record several times. Callers do not change results.
def _parse(text: str, name: str) -> Record | None:
    """Parse a record; None for an empty or invalid text, and for one to be merged first."""
    with suppress(DocumentError):
        if text and not split_conflicts(text.encode()):
            return parse_valid_record(text.encode(), name)
    return None


def _parse_merged(text: str, name: str) -> Record:
    return _parse(text, name) or parse_record(text.encode(), name)


def _stage(store: Store, file: RecordFile | None, name: str, record: Record) -> str | None:
    """Store what a file should contain; return its name if the file must be written."""
    file = file or RecordFile(name, "", None, "", None)
    if _record_of(file) == record and (file.text or name not in TABLES):
        return None
    base = file.text if file.base is None else file.base
    db.keep_file(store, file._replace(text=format_record(record), base=base), record)
    return name


def _aliases(categories: Record) -> dict[str, str]:
    """Map keys of categories to the first key with the same path."""
    table = categories.get("categories", {})
    aliases: dict[str, str] = {}
    for _ in range(10):  # Merging two parents can give their children the same path.
        keys: dict[tuple[str | None, str], str] = {}
        for key in sorted(table):
            parent = table[key].get("parent")
            place = aliases.get(parent, parent), table[key]["name"]
            if (first := keys.setdefault(place, key)) != key:
                aliases[key] = first
    return aliases


def with_aliases(record: Record, aliases: Mapping[str, str]) -> Record:
    """Return a copy of the record with one key for each category."""
    if "categories" not in record:
        return dict(record)
    keys = [aliases.get(key, key) for key in record["categories"]]
    return record | {"categories": list(dict.fromkeys(keys))}


def write_files(store: Store, library: Library, names: Sequence[str]) -> None:
    """Write these files, except those changed by others; the next command retries failed ones."""
    written: dict[str, tuple[str, str | None]] = {}
    is_synced = len(names) <= _MAX_SINGLE_SYNCS
    replace = replace_whole if is_synced else _replace_unsynced
    # The lock keeps other processes from writing these files meanwhile.
    with store.transaction():
        for name, file in db.record_files(store, names).items():
            with suppress(OSError):
                path = safe_path(library.root, name)
                data, text = read_plain(path, LARGEST + 1), file.text.encode()
                if data != text and (data or b"") == (file.base or "").encode():
                    path.parent.mkdir(exist_ok=True)
                    replace(path, text)
                    data = text
                if data == text:
                    written[name] = (stamp_of(path.lstat()), None)
        if not is_synced and hasattr(os, "sync"):
            os.sync()
        db.note_stamps(store, written)


def _replace_unsynced(path: Path, data: bytes) -> None:
    """Replace a file atomically, without syncing it to disk. Raises OSError."""
    temporary = path.with_name(f".{path.name}.new")
    write_new(temporary, data)
    temporary.replace(path)


# -- Import changes by others ---------------------------------------------------------------------


class ChangeImport:
    """One import of changed files."""

    def __init__(self, store: Store, library: Library, kinds: frozenset[str], confirms: bool):
        self.store, self.library, self.kinds, self.confirms = store, library, kinds, confirms
        self.result = ImportedChanges()
        self.stamps: Mapping[str, str] = {}
        self.files: Mapping[str, RecordFile] = {}
        """The state of each file after the last import."""
        self.new_stamps: dict[str, tuple[str, str | None]] = {}
        self.to_write: list[str] = []
        self.changes: dict[str, Record] = {}
        """The changed records, by file."""
        self.texts: dict[str, str] = {}
        """The texts of the files that others changed."""
        self.works: Mapping[str, Sequence[str]] = {}
        """The changed works: the first record's name → the names of all records of the work."""
        self.owners: Mapping[str, int] = {}
        """Record name → the paper it belongs to, if any."""

    def run(self) -> ImportedChanges:
        # The lock keeps other processes from changing the library meanwhile.
        with self.store.transaction():
            self._import()
        if self.to_write and not self.store.is_trial:
            write_files(self.store, self.library, self.to_write)
        return self.result

    def _import(self) -> None:
        self.stamps, self.files = read_stamps(self.library), db.record_files(self.store)
        for name, stamp in self.stamps.items():
            self._check_file(name, stamp)
        missing = sorted(self.files.keys() - self.stamps.keys())
        self.to_write += missing
        if lost := [name for name in missing if self.files[name].base is None]:
            self.result.messages.append(
                f"{few(lost)} {'was' if len(lost) == 1 else 'were'} deleted and restored. "
                "Remove a paper with `papertrack rm`."
            )
        for name in missing:
            db.keep_file(self.store, self.files[name]._replace(base=""), self._record(name))
        problems = (problem for _, (_, problem) in sorted(self.new_stamps.items()))
        self.result.messages += filter(None, problems)
        if self.changes:
            with self.store.action(SHARE_VERB, "") as action:
                self._apply()
                action.summary = self.result.summary
        db.note_stamps(self.store, self.new_stamps)

    def _check_file(self, name: str, stamp: str) -> None:
        file = self.files.get(name)
        if file is not None and file.stamp == stamp and file.base is None:
            self.result.messages += filter(None, [file.problem])
        elif name not in TABLES and not is_name(db.stem_of(name)):
            # The name may be invalid text, so it is not stored.
            self.result.messages.append(
                f"{clean(name)} is not a valid name for a record. It was left as it is."
            )
        else:
            try:
                self._read_changed(name, stamp, file or RecordFile(name, "", None, "", None))
            except (DocumentError, OSError) as error:
                message = f"{name} {error.strerror}" if isinstance(error, OSError) else str(error)
                problem = f"{message.rstrip('.')}. It was left as it is and not used."
                if file is None:
                    file = RecordFile(name, "", None, stamp, problem)
                    db.keep_file(self.store, file, {"removed": True})
                self.new_stamps[name] = (stamp, problem)

    def _read_changed(self, name: str, stamp: str, file: RecordFile) -> None:
        """Read a changed file. Raises DocumentError and OSError."""
        data = read_plain(safe_path(self.library.root, name), LARGEST + 1)
        if data is None:
            return
        if file.text and data == file.text.encode():
            self.new_stamps[name] = (stamp, None)
        elif file.base is not None and data == file.base.encode():
            self.to_write.append(name)
        else:
            text = data.decode("utf-8", "replace")
            if text.encode() != data:
                raise DocumentError(f"{name} is not in UTF-8")
            record = _parse_merged(text, name)
            if file.base is not None and file.text:
                base = _parse_merged(file.base, name) if file.base else None
                record = merge_records(base, _record_of(file), record)
            self.changes[name], self.texts[name] = record, text

    def _record(self, name: str) -> Record:
        return self.changes.get(name) or _record_of(self.files.get(name))

    # Apply the changes.

    def _apply(self) -> None:
        aliases = self._import_tables()
        self._find_works({db.stem_of(name) for name in self.changes if name not in TABLES})
        records = {
            first: fold([self._record(db.file_of(name)) for name in names])
            for first, names in self.works.items()
        }
        self._defer_removals(records)
        papers = self._assign_papers(records)
        stored, changes = db.read_papers(self.store, papers.values()), {}
        for first, paper_id in papers.items():
            record = with_aliases(known_part(records[first]), aliases)
            files = [self.files.get(db.file_of(name)) for name in self.works[first]]
            base = fold(list(map(_record_of, files))) if all(files) else {}
            own = stored[paper_id]
            changes[paper_id] = own, db.unveil(record, base, own, self.kinds)
        db.write_papers(self.store, changes)
        for name, record in self.changes.items():
            self._store_file(name, record)

    def _find_works(self, stems: set[str]) -> None:
        """Find the works of these records, and works that belong to the same papers."""
        links = db.same_as(self.store)
        for stem in stems:
            links[stem] = list(self._record(db.file_of(stem)).get("same_as", ()))
        self._link_equal(stems, links)
        works = classes(links)
        first_of = {name: first for first, names in works.items() for name in names}
        pending, affected = {first_of[name] for name in stems}, set[str]()
        while not pending <= affected:
            affected |= pending
            members = {name for first in affected for name in works[first]}
            self.owners = db.papers_of(self.store, members)
            related = db.names_of(self.store, set(self.owners.values()))
            pending = {first_of[n] for names in related.values() for n in names if n in first_of}
        self.works = {first: works[first] for first in sorted(affected)}

    def _store_file(self, name: str, record: Record) -> None:
        file, stamp = self.files.get(name), self.stamps.get(name, "")
        text, base = self.texts.get(name, file.text if file else ""), None
        if _parse(text, name) != record:
            base, text = text, format_record(record)
            self.to_write.append(name)
        if name not in self.stamps:
            base = ""  # The file was deleted and will be written again.
        db.keep_file(self.store, RecordFile(name, text, base, stamp, None), record)

    def _import_tables(self) -> dict[str, str]:
        """Import the tables; return the categories with several keys as ``_aliases`` does."""
        tables = db.read_tables(self.store)
        aliases = self._import_categories()
        if "topics.toml" in self.changes:
            db.write_topics(self.store, tables["topics.toml"], self.changes["topics.toml"])
        watch = self.changes.get("watch.toml", {})
        self._import_days(watch.get("days", {}))
        self._import_newest(watch.get("newest", {}))
        return aliases

    def _import_categories(self) -> dict[str, str]:
        table = dict(self._record("categories.toml").get("categories", {}))
        category_lists = [record.get("categories") for record in self.changes.values()]
        # Restore a category that one side removed while the other added papers to it.
        for key in {key for keys in category_lists if isinstance(keys, list) for key in keys}:
            table.setdefault(key, {"name": key.rpartition("/")[2] or key})
        aliases = _aliases({"categories": table})
        if self.changes.keys() - {"topics.toml", "watch.toml"}:
            db.write_categories(self.store, table, aliases)
        return aliases

    def _import_days(self, days: Mapping[str, str]) -> None:
        """Record which listings others have fetched, up to today.

        A date in the future, by a wrong clock or on purpose, would stop the watch until then.
        """
        today = self.store.now().astimezone(UTC).date()
        for listing, text in days.items():
            day = date.fromisoformat(text)
            last = db.last_known_day(self.store, listing)
            if day > today:
                self.result.messages.append(
                    f"watch.toml says that {listing} was fetched for {day}, which is in "
                    "the future: refused."
                )
            elif day >= _FIRST_DAY and (last is None or text > last):
                first = day if last is None else date.fromisoformat(last) + timedelta(days=1)
                first = max(first, day - _MAX_GAP)
                dates = [str(d) for d in reversed(list_days(first, day))]
                db.note_looked(self.store, listing, dates if text in dates else [*dates, text])

    def _import_newest(self, newest: Mapping[str, str]) -> None:
        """Record the newest items of feeds that others have seen; none may be in the future."""
        tomorrow = self.store.now().astimezone(UTC).date() + timedelta(days=1)
        for feed, text in newest.items():
            name, _, at = text.rpartition(" ")
            moment = valid_moment(at) or ""
            if name and moment[:10] == at[:10] <= str(tomorrow):
                note_newest(self.store, feed, text)
            else:
                self.result.messages.append(
                    f"watch.toml names an item of {feed} that cannot be its newest: refused."
                )

    def _link_equal(self, stems: set[str], links: dict[str, list[str]]) -> None:
        """Link records of one work that two sides added under different names.

        They have an arXiv id or a DOI in common, and their titles agree.
        """
        stem_of: dict[str, str] = {}
        identifiers = {identifier for stem in stems for identifier in self._identifiers_of(stem)}
        for stem in sorted(stems.union(db.records_with(self.store, identifiers))):
            name = db.file_of(stem)
            for identifier in filter(identifiers.__contains__, self._identifiers_of(stem)):
                other = stem_of.setdefault(identifier, stem)
                if other in (stem, *links.get(stem, ())) or not self._are_equal(stem, other):
                    continue
                links[stem] = [*links.get(stem, ()), other]
                self.changes[name] = self._record(name) | {"same_as": links[stem]}

    def _identifiers_of(self, stem: str) -> list[str]:
        """Return a record's arXiv ids and DOIs; none if the paper is removed."""
        record = self._record(db.file_of(stem))
        identifiers = () if record.get("removed") else record.get("identifiers", ())
        return [i for i in identifiers if i.startswith(("arxiv:", "doi:"))]

    def _are_equal(self, stem: str, other: str) -> bool:
        """Whether two records may be one work: no different titles, and not marked as different."""
        first, second = (self._record(db.file_of(name)) for name in (stem, other))
        titles = {title_key(title) for record in (first, second) if (title := record.get("title"))}
        is_different = other in first.get("different", ()) or stem in second.get("different", ())
        return len(titles) < 2 and not is_different

    def _defer_removals(self, records: dict[str, Record]) -> None:
        """Leave out removals and merges of many papers until the user confirms them."""
        sizes = {first: len(set(self._owners_of(first))) for first in records}
        removed = {first: n for first, n in sizes.items() if n and records[first].get("removed")}
        merged = {first: n - 1 for first, n in sizes.items() if n > 1 and first not in removed}
        count, total = sum(removed.values()), len(db.all_papers(self.store))
        limit = min(MAX_REMOVALS, max(1, total // 10))
        if self.confirms or (count <= limit >= sum(merged.values()) - MAX_MERGES):
            return
        deferred = removed | merged
        self.result.waiting = tuple(sorted(str(records[first]["citekey"]) for first in deferred))
        self.result.messages.append(
            f"Others removed or merged {plural(sum(deferred.values()), 'paper')} of {total}: "
            f"{few(self.result.waiting)}. They stay here until you accept that with "
            "`papertrack sync --confirm`."
        )
        for first in deferred:
            del records[first]
            for name in self.works[first]:
                self.changes.pop(db.file_of(name), None)

    def _owners_of(self, first: str) -> list[int]:
        """Return the papers of a work, in the order of its records."""
        return [self.owners[name] for name in self.works[first] if name in self.owners]

    def _assign_papers(self, records: Mapping[str, Record]) -> dict[str, int]:
        """Map works to papers, after adding, merging, splitting and removing papers."""
        papers: dict[str, int] = {}
        used: set[int] = set()
        # A paper that was several works keeps the one that is not removed.
        for first in sorted(records, key=lambda name: bool(records[name].get("removed"))):
            if free := [paper_id for paper_id in self._owners_of(first) if paper_id not in used]:
                papers[first] = free[0]
                used.add(free[0])
        removed = [first for first in papers if records[first].get("removed")]
        kept = [first for first, record in records.items() if not record.get("removed")]
        new = [first for first in kept if first not in papers]
        added = db.add_empty(self.store, [records[first] for first in new])
        papers |= zip(new, added, strict=True)
        self.result.added, self.result.changed = len(new), len(kept) - len(new)
        for first in kept:
            for other in sorted(set(self._owners_of(first)) - used):
                merge_papers(self.store, papers[first], other)
                used.add(other)
                self.result.merged += 1
            db.give_records(self.store, dict.fromkeys(self.works[first], papers[first]))
        for first in removed:
            remove_paper(self.store, papers.pop(first))
        self.result.removed += len(removed)
        return papers


# -- Contradictions -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A field that two sides set differently."""

    file: str
    title: str
    field: str
    shown: Any
    values: tuple[Any, ...]


def read_contradictions(store: Store) -> list[Contradiction]:
    """Return the open contradictions."""
    contradictions = []
    for file in db.with_conflicts(store):
        record = _record_of(file)
        for path, conflict in record.get("conflicts", {}).items():
            shown: Any = record
            for part in [path] if path in record else path.split("."):
                shown = shown.get(part) if isinstance(shown, dict) else None
            title = str(record.get("citekey") or file.name)
            values = tuple(conflict["values"])
            contradictions.append(Contradiction(file.name, title, path, shown, values))
    return contradictions


def settle_all(store: Store, library: Library) -> int:
    """Keep the shown values in all contradictions; return the number of fields."""
    with store.transaction():
        count, names = len(read_contradictions(store)), list[str | None]()
        for file in db.with_conflicts(store):
            settled = {k: v for k, v in _record_of(file).items() if k != "conflicts"}
            names.append(_stage(store, file, file.name, settled))
        _write(store, library, names)
    return count

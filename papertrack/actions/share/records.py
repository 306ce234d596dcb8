"""Records: every command that changes something writes them, and reads those of others.

The files are the truth; the database is a cache of them, together with private data. Nothing in
a file is followed, run or trusted unchecked: an invalid record is reported, skipped and left as
it is.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from papertrack.actions.watch.calendar import list_days
from papertrack.documents.records.merge import (
    Record,
    classes,
    fold,
    merge_records,
    patch,
)
from papertrack.documents.records.text import (
    LARGEST,
    PAPERS,
    TABLES,
    format_record,
    is_name,
    known_part,
    parse_record,
)
from papertrack.errors import DocumentError, UsageError
from papertrack.library import Library
from papertrack.library.files import replace_whole, write_new
from papertrack.library.settings_in_force import parse_settings, read_settings_text
from papertrack.store import records as kept
from papertrack.store.journal import TAKE_IN
from papertrack.store.papers import merge_papers, remove_paper
from papertrack.store.records import RecordFile
from papertrack.store.store import Ending, Store
from papertrack.store.watch.feeds import note_newest
from papertrack.text import clean, few, plural, title_key

_SYNCED_ONE_BY_ONE = 50
"""Up to this many files are synced to disk one by one; more of them by one call."""
MOST_REMOVALS, MOST_MERGES = 20, 5
_FIRST_DAY = date(1991, 8, 14)
"""The first day of arXiv; earlier days are not valid."""
_LONGEST_GAP = timedelta(days=400)
"""Up to this many days are taken as fetched at once; nobody asks for older ones."""


@dataclass(slots=True)
class Taken:
    """The changes of others that were read."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    merged: int = 0
    """Papers that were merged into others."""
    waiting: tuple[str, ...] = ()
    """Citation keys of papers whose removal waits for confirmation."""
    told: list[str] = field(default_factory=list)
    """Messages for the reader."""

    @property
    def summary(self) -> str:
        """Return what changed, in numbers that hide no loss."""
        numbers = f"{self.added} added, {self.removed} removed"
        merged = f", {self.merged} merged into others" if self.merged else ""
        return f"{plural(self.changed, 'paper')} changed, {numbers}{merged}"


def private_kinds(store: Store, library: Library, environ: Mapping[str, str]) -> frozenset[str]:
    """Return the kinds of data that stay on this machine: the reader's choice, or all until the
    reader is asked. The library's own settings can only add to it, and add all if they cannot be
    read. Raises UsageError."""
    answered = kept.answered_private(store)
    if said := environ.get("PAPERTRACK_SHARE_PRIVATE"):
        answered = kept.private_kinds_of(said, "PAPERTRACK_SHARE_PRIVATE")
    kinds = kept.UNANSWERED if answered is None else answered
    path = library.settings_path
    try:
        share = parse_settings(read_settings_text(path), path).get("share")
        if share is None:  # Mostly, and to check takes longer than a short command.
            return kinds
        from papertrack.library.setting_values import check_settings

        return kinds | frozenset(check_settings({"share": share}, str(path)).share.private or ())
    except UsageError:
        return kinds | kept.UNANSWERED


def connect(store: Store, library: Library, environ: Mapping[str, str]) -> None:
    """Let the store write records of what it changes, if the library is shared. Raises
    UsageError for invalid settings."""
    if kept.is_shared(store):
        kinds = private_kinds(store, library, environ)
        store.on_change = partial(_write_changed, library, kinds)


# -- out ------------------------------------------------------------------------------------------


def _write_changed(
    library: Library, kinds: frozenset[str], store: Store, touched: Iterable[int]
) -> None:
    """Let the records say what the library says of these papers, and the tables."""
    touched = list(touched)
    kept.give_keys(store)
    kept.name_records(store, touched)
    now = kept.read_papers(store, touched)
    names = kept.names_of(store, now)
    gone = kept.orphans(store)
    stems = [kept.file_of(name) for several in names.values() for name in several]
    files = kept.record_files(store, [*stems, *gone, *TABLES])
    alias = _aliases(_record_of(files.get("categories.toml")))
    changed = {name: _record_of(files[name]) | {"removed": True} for name in gone}
    for paper_id, record in now.items():
        changed |= _written(store, files, names[paper_id], record, alias, kinds)
    for name, record in kept.read_tables(store).items():
        changed[name] = _table_written(name, _record_of(files.get(name)), record)
    _write(store, library, [_keep(store, files.get(name), name, changed[name]) for name in changed])


def _write(store: Store, library: Library, names: Iterable[str | None]) -> None:
    """Write these files at the end of the open transaction. Who is stopped before that has the next
    command look at them."""
    paths = [name for name in names if name]
    if paths and not store.is_trial:
        store.at_end(Ending(partial(write_files, store, library, paths), lambda: None))


def _written(
    store: Store,
    files: Mapping[str, RecordFile],
    names: Sequence[str],
    record: Record,
    alias: Mapping[str, str],
    kinds: frozenset[str],
) -> dict[str, Record]:
    """The records of one paper as they are to be: name of the file → record."""
    old = {name: dict(_record_of(files.get(kept.file_of(name)))) for name in names}
    others = {one for each in old.values() for one in each.get("same_as", ()) if one not in old}
    # A link to another paper that is there is none any more.
    apart = kept.papers_of(store, others)
    for each in old.values():
        each.pop("removed", None)
        if "same_as" in each:
            each["same_as"] = [one for one in each["same_as"] if one not in apart]
    links = {name: [o for o in each.get("same_as", ()) if o in old] for name, each in old.items()}
    parts = classes(links)
    firsts = sorted(parts, key=lambda one: (old[one].get("citekey") != record["citekey"], one))
    for one in firsts[1:]:
        old[one]["same_as"] = [*old[one].get("same_as", ()), firsts[0]]
    order = [name for one in firsts for name in parts[one]]
    several = [old[name] or {"added": record["added"]} for name in order]
    before = with_aliases(known_part(fold(several)), alias)
    for name in [*before.get("categories", ())]:
        for each in several:  # A category has one key from now on.
            if name not in each.get("categories", [name]) and "categories" in each:
                each["categories"] = [alias.get(one, one) for one in each["categories"]]
    patched = patch(several, before, kept.veil(record, before, kinds))
    return {kept.file_of(name): one for name, one in zip(order, patched, strict=True)}


def _table_written(name: str, old: Record, now: Record) -> Record:
    known = known_part(old, name)
    if name != "categories.toml":
        return patch([old], known, now)[0]
    alias = _aliases(old)
    known = {k: one for k, one in known.get("categories", {}).items() if k not in alias}
    new = patch([old], {"categories": known}, now)[0]
    # What has two keys is called the same under both.
    entries = dict(new.get("categories", {}))
    for key, canonical in alias.items():
        if canonical in entries:
            entries[key] = entries[key] | entries[canonical]
        else:
            entries.pop(key, None)
    return new | {"categories": entries} if entries else new


def _record_of(file: RecordFile | None) -> Record:
    """What a file of ours is to say; nothing of one that is not there."""
    return (_parsed(file.text, file.name) or {}) if file is not None else {}


@lru_cache(20_000)  # A clone's first look reads each several times. Nobody changes what it returns.
def _parsed(text: str, name: str) -> Record | None:
    """The record that a text of ours is; None of one that is empty, or none."""
    with suppress(DocumentError):
        return parse_record(text.encode(), name) if text else None
    return None


def _keep(store: Store, file: RecordFile | None, name: str, record: Record) -> str | None:
    """Remember what a file is to hold; return its name if that is something else."""
    file = file or RecordFile(name, "", None, "", None)
    if _record_of(file) == record and (file.text or name not in TABLES):
        return None
    base = file.text if file.base is None else file.base
    kept.keep_file(store, file._replace(text=format_record(record), base=base), record)
    return name


def _aliases(categories: Record) -> dict[str, str]:
    """The keys of categories that have the path of another one → that one's key."""
    table = categories.get("categories", {})
    found: dict[tuple[str | None, str], str] = {}
    alias: dict[str, str] = {}
    for _ in range(10):  # What is in two that are one may be one then.
        found.clear()
        before = dict(alias)
        for key in sorted(table):
            parent = table[key].get("parent")
            place = alias.get(parent, parent), table[key]["name"]
            if (first := found.setdefault(place, key)) != key:
                alias[key] = first
        if alias == before:
            break
    return alias


def with_aliases(record: Record, alias: Mapping[str, str]) -> Record:
    """Return the record with one key for each category."""
    if not alias or "categories" not in record:
        return record
    return record | {
        "categories": list(dict.fromkeys(alias.get(one, one) for one in record["categories"]))
    }


def write_files(store: Store, library: Library, names: Sequence[str]) -> None:
    """Write these files, unless somebody changed them since; the next command writes those that
    failed."""
    done: dict[str, tuple[str, str | None]] = {}
    is_synced = len(names) <= _SYNCED_ONE_BY_ONE
    replace = replace_whole if is_synced else _replace_unsynced
    # What another process writes meanwhile would be taken for what this one wrote.
    with store.transaction():
        for name, file in kept.record_files(store, names).items():
            with suppress(OSError):
                path = safe_path(library.root, name)
                data, text = _read(path), file.text.encode()
                if data != text and (data or b"") == (file.base or "").encode():
                    path.parent.mkdir(exist_ok=True)
                    replace(path, text)
                    data = text
                if data == text:
                    done[name] = (_stamp(path.lstat()), None)
        if not is_synced and hasattr(os, "sync"):
            os.sync()
        kept.note_stamps(store, done)


def _replace_unsynced(path: Path, data: bytes) -> None:
    """Replace a file at once, so that a kill leaves no half of it, and sync it later. Raises
    OSError."""
    beside = path.with_name(f".{path.name}.new")
    write_new(beside, data)
    beside.replace(path)


def safe_path(root: Path, name: str) -> Path:
    """Return the path of one of our files. Raises OSError if a link or a file is on the way, or
    if it is not a plain file."""
    path = root
    parts = name.split("/")
    for part in parts:
        path = path / part
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            continue
        if not (stat.S_ISREG(mode) if path.name == parts[-1] else stat.S_ISDIR(mode)):
            raise NotADirectoryError(20, "is a link, or not a plain file", str(path))
    return path


def _read(path: Path) -> bytes | None:
    """What a file of ours holds; None where it is not there. Raises OSError, also for a link."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(22, "is not a plain file", str(path))
        return file.read(LARGEST + 1)


def _stamp(found: os.stat_result) -> str:
    return f"{found.st_size}:{found.st_mtime_ns}:{found.st_ino}"


# -- in -------------------------------------------------------------------------------------------


def look(library: Library) -> dict[str, str]:
    """Return the files of a shared library with their stamps, and those that are not valid by
    name."""
    found: dict[str, str] = {}
    folder = library.root / PAPERS
    with suppress(OSError):
        for entry in os.scandir(folder) if not folder.is_symlink() else ():
            if entry.name.endswith(".toml"):
                found[f"{PAPERS}/{entry.name}"] = _stamp(entry.stat(follow_symlinks=False))
    for name in TABLES:
        with suppress(OSError):
            found[name] = _stamp((library.root / name).lstat())
    return found


def take_in(
    store: Store, library: Library, environ: Mapping[str, str], *, confirms: bool = False
) -> Taken:
    """Read what others changed in the files since the last time, as one action.

    Removals of many papers wait until the reader ``confirms`` them. Raises StoreError and
    UsageError.
    """
    connect(store, library, environ)
    if look(library) == kept.known_stamps(store):
        return Taken()
    return _TakingIn(store, library, environ, confirms).run()


@dataclass(slots=True)
class _TakingIn:
    """One taking in of files that changed."""

    store: Store
    library: Library
    environ: Mapping[str, str]
    confirms: bool
    taken: Taken = field(default_factory=Taken)
    stamps: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, RecordFile] = field(default_factory=dict)
    """What is known of the files."""
    in_step: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    unwritten: list[str] = field(default_factory=list)
    news: dict[str, Record] = field(default_factory=dict)
    """The records that changed, by file."""
    texts: dict[str, str] = field(default_factory=dict)
    cache: dict[str, Record] = field(default_factory=dict)
    parts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The works that changed: the names of their records by the first of them."""
    owners: Mapping[str, int] = field(default_factory=dict)
    """Whose these records are, of those that are some paper's."""

    def run(self) -> Taken:
        # What another process changes meanwhile is not yet, or not only, in its files.
        with self.store.transaction():
            self._take_in()
        if self.unwritten and not self.store.is_trial:
            write_files(self.store, self.library, self.unwritten)
        return self.taken

    def _take_in(self) -> None:
        self.stamps, self.files = look(self.library), kept.record_files(self.store)
        for name, stamp in self.stamps.items():
            self._look_at(name, stamp)
        missing = sorted(self.files.keys() - self.stamps.keys())
        self.unwritten += missing
        if lost := [name for name in missing if self.files[name].base is None]:
            self.taken.told.append(
                f"{few(lost)} {'was' if len(lost) == 1 else 'were'} deleted, and written again: a "
                "record is never deleted. `papertrack rm` marks it."
            )
        for name in missing:
            kept.keep_file(self.store, self.files[name]._replace(base=""), self._record(name))
        problems = (problem for _, (_, problem) in sorted(self.in_step.items()))
        self.taken.told += filter(None, problems)
        if self.news:
            with self.store.action(TAKE_IN, "") as action:
                self._apply()
                action.summary = self.taken.summary
        kept.note_stamps(self.store, self.in_step)

    def _look_at(self, name: str, stamp: str) -> None:
        file = self.files.get(name)
        if file is not None and file.stamp == stamp and file.base is None:
            self.taken.told += filter(None, [file.problem])
        elif name not in TABLES and not is_name(kept.stem_of(name)):
            # It may be no text at all: nothing of it is kept, not even its name.
            self.taken.told.append(
                f"{clean(name)} is not a valid name for a record. It was left as it is."
            )
        else:
            try:
                self._read_changed(name, stamp, file or RecordFile(name, "", None, "", None))
            except (DocumentError, OSError) as error:
                said = f"{name} {error.strerror}" if isinstance(error, OSError) else str(error)
                problem = f"{said.rstrip('.')}. It was left as it is and not used."
                if file is None:
                    file = RecordFile(name, "", None, stamp, problem)
                    kept.keep_file(self.store, file, {"removed": True})
                self.in_step[name] = (stamp, problem)

    def _read_changed(self, name: str, stamp: str, file: RecordFile) -> None:
        """Read a file that is not as it was. Raises DocumentError and OSError."""
        data = _read(safe_path(self.library.root, name))
        if data is None:
            return
        if file.text and data == file.text.encode():
            self.in_step[name] = (stamp, None)
        elif file.base is not None and data == file.base.encode():
            self.unwritten.append(name)
        else:
            text = data.decode("utf-8", "replace")
            if text.encode() != data:
                raise DocumentError(f"{name} is not in UTF-8")
            record = _parsed(text, name) or parse_record(data, name)
            if file.base is not None and file.text:
                record = merge_records(_parsed(file.base, name), _record_of(file), record)
            self.news[name], self.texts[name] = record, text

    def _record(self, name: str) -> Record:
        if name not in self.cache:
            self.cache[name] = self.news.get(name) or _record_of(self.files.get(name))
        return self.cache[name]

    # Applying.

    def _apply(self) -> None:
        self._take_tables()
        self._find_works({kept.stem_of(name) for name in self.news if name not in TABLES})
        folded = {
            first: fold([self._record(kept.file_of(name)) for name in names])
            for first, names in self.parts.items()
        }
        self._hold_back(folded)
        self._write_papers(folded, self._papers_of(folded))
        for name in self.news:
            self._keep(name)

    def _find_works(self, news: set[str]) -> None:
        """Find the works that these records are of, and those that are one paper with them."""
        links = kept.same_as(self.store)
        for stem in news:
            links[stem] = list(self._record(kept.file_of(stem)).get("same_as", ()))
        self._join_alike(news, links)
        parts = classes(links)
        first_of = {name: first for first, names in parts.items() for name in names}
        beyond, affected = {first_of[name] for name in news}, set[str]()
        while not beyond <= affected:
            affected |= beyond
            members = {name for first in affected for name in parts[first]}
            self.owners = kept.papers_of(self.store, members)
            more = kept.names_of(self.store, set(self.owners.values()))
            beyond = {first_of[n] for names in more.values() for n in names if n in first_of}
        self.parts = {first: parts[first] for first in sorted(affected)}

    def _write_papers(self, folded: Mapping[str, Record], papers: Mapping[str, int]) -> None:
        """Let the papers of these works be what their records say."""
        store, alias = self.store, _aliases(self._record("categories.toml"))
        kinds = private_kinds(store, self.library, self.environ)
        before = kept.read_papers(store, papers.values())
        after: dict[int, Record] = {}
        for first, paper_id in papers.items():
            record = with_aliases(known_part(folded[first]), alias)
            files = [self.files.get(kept.file_of(name)) for name in self.parts[first]]
            was = fold(list(map(_record_of, files))) if all(files) else {}
            after[paper_id] = kept.unveil(record, was, before[paper_id], kinds)
            kept.take_away(store, paper_id, before[paper_id], after[paper_id])
        for paper_id, record in after.items():
            kept.write_paper(store, paper_id, before[paper_id], record)

    def _keep(self, name: str) -> None:
        text, record = self.texts[name], self.news[name]
        base = None
        if _parsed(text, name) != record or "<<<<<<<" in text:
            base, text = text, format_record(record)
            self.unwritten.append(name)
        if name not in self.stamps:
            base = ""  # It was deleted, and is written again.
        file = RecordFile(name, text, base, self.stamps.get(name, ""), None)
        kept.keep_file(self.store, file, record)

    def _take_tables(self) -> None:
        here = kept.read_tables(self.store)
        if self.news.keys() - {"topics.toml", "watch.toml"}:
            self._take_categories()
        if "topics.toml" in self.news:
            kept.write_topics(self.store, here["topics.toml"], self.news["topics.toml"])
        watched = self.news.get("watch.toml", {})
        self._take_days(watched.get("days", {}))
        self._take_newest(watched.get("newest", {}))

    def _take_categories(self) -> None:
        table = dict(self._record("categories.toml").get("categories", {}))
        filed = [record.get("categories") for record in self.news.values()]
        # What somebody filed under a category that another one removed is filed there still.
        for key in {key for keys in filed if isinstance(keys, list) for key in keys}:
            table.setdefault(key, {"name": key.rpartition("/")[2] or key})
        self.cache["categories.toml"] = {"categories": table}
        alias = _aliases(self.cache["categories.toml"])
        entries = {key: dict(table[key]) for key in sorted(table.keys() - alias.keys())}
        for entry in entries.values():
            if "parent" in entry:
                entry["parent"] = alias.get(entry["parent"], entry["parent"])
        kept.write_categories(self.store, entries, alias)

    def _take_days(self, days: Mapping[str, str]) -> None:
        """Note which lists others have read, up to today: a wrong clock, or who means harm, could
        keep the watch from looking for as long as they say."""
        today = self.store.now().astimezone(UTC).date()
        for listing, text in days.items():
            day = date.min
            with suppress(ValueError):
                day = date.fromisoformat(text)
            last = kept.last_known_day(self.store, listing)
            if day > today:
                self.taken.told.append(
                    f"watch.toml says that {listing} was fetched for {day}, which is in "
                    "the future: refused."
                )
            elif day >= _FIRST_DAY and (last is None or text > last):
                first = day if last is None else date.fromisoformat(last) + timedelta(days=1)
                first = max(first, day - _LONGEST_GAP)
                known = [str(one) for one in reversed(list_days(first, day))]
                kept.note_looked(self.store, listing, known if text in known else [*known, text])

    def _take_newest(self, newest: Mapping[str, str]) -> None:
        """Note which items of feeds others have seen; none of the future, as of days."""
        tomorrow = self.store.now().astimezone(UTC).date() + timedelta(days=1)
        for feed, text in newest.items():
            name, _, at = text.rpartition(" ")
            is_past = False
            with suppress(ValueError):
                is_past = datetime.fromisoformat(at).date() <= tomorrow and name != ""
            if is_past:
                note_newest(self.store, feed, text)
            else:
                self.taken.told.append(
                    f"watch.toml names an item of {feed} that cannot be its newest: refused."
                )

    def _join_alike(self, news: set[str], links: dict[str, list[str]]) -> None:
        """Let records that were added on two sides under different names be one work, if both have
        an identifier of arXiv or DOI, and titles that agree."""
        of_identifier: dict[str, str] = {}
        wanted = {one for stem in news for one in self._identifiers_of(stem)}
        for stem in sorted(news.union(kept.records_with(self.store, wanted))):
            name = kept.file_of(stem)
            for one in filter(wanted.__contains__, self._identifiers_of(stem)):
                other = of_identifier.setdefault(one, stem)
                if other in (stem, *links.get(stem, ())) or not self._are_alike(stem, other):
                    continue
                links[stem] = [*links.get(stem, ()), other]
                self.news[name] = self.cache[name] = self._record(name) | {"same_as": links[stem]}
                self.texts.setdefault(name, self.files[name].text if name in self.files else "")

    def _identifiers_of(self, stem: str) -> list[str]:
        """What a record that is not removed has of arXiv's identifiers and DOIs."""
        record = self._record(kept.file_of(stem))
        known = () if record.get("removed") else record.get("identifiers", ())
        return [one for one in known if one.startswith(("arxiv:", "doi:"))]

    def _are_alike(self, stem: str, other: str) -> bool:
        """Whether nothing tells two records from each other: no title, and no reader's word."""
        one, two = (self._record(kept.file_of(name)) for name in (stem, other))
        titles = {title_key(title) for each in (one, two) if (title := each.get("title"))}
        is_told = other in one.get("different", ()) or stem in two.get("different", ())
        return len(titles) < 2 and not is_told

    def _hold_back(self, folded: dict[str, Record]) -> None:
        """Let removals of many papers wait, and many merges, if nobody has confirmed them."""
        owned = {one: len(set(self._owners_of(one))) for one in folded}
        removed = {one: n for one, n in owned.items() if n and folded[one].get("removed")}
        merged = {one: n - 1 for one, n in owned.items() if n > 1 and one not in removed}
        count, total = sum(removed.values()), len(kept.all_papers(self.store))
        most = min(MOST_REMOVALS, max(1, total // 10))
        if self.confirms or (count <= most >= sum(merged.values()) - MOST_MERGES):
            return
        going = removed | merged
        self.taken.waiting = tuple(sorted(str(folded[one]["citekey"]) for one in going))
        self.taken.told.append(
            f"{plural(sum(going.values()), 'paper')} of {total} removed by others, or merged: "
            f"{few(self.taken.waiting)}. `papertrack sync --confirm` accepts that; until then "
            "they stay here."
        )
        for first in going:
            del folded[first]
            for name in self.parts[first]:
                self.news.pop(kept.file_of(name), None)

    def _owners_of(self, first: str) -> list[int]:
        """The papers that a work is, in the order of its records."""
        return [self.owners[name] for name in self.parts[first] if name in self.owners]

    def _papers_of(self, folded: Mapping[str, Record]) -> dict[str, int]:
        """Which paper each work is, after those that are one were merged, others parted, and those
        that are gone removed."""
        papers: dict[str, int] = {}
        taken: set[int] = set()
        # A paper that was two of them stays the one that stays.
        for first in sorted(folded, key=lambda one: bool(folded[one].get("removed"))):
            if free := [one for one in self._owners_of(first) if one not in taken]:
                papers[first] = free[0]
                taken.add(free[0])
        gone = [first for first in papers if folded[first].get("removed")]
        for first in [one for one, record in folded.items() if not record.get("removed")]:
            if first in papers:
                self.taken.changed += 1
            else:
                papers[first] = kept.add_empty(self.store, folded[first])
                self.taken.added += 1
            for other in sorted(set(self._owners_of(first)) - taken):
                merge_papers(self.store, papers[first], other)
                taken.add(other)
                self.taken.merged += 1
            kept.give_records(self.store, dict.fromkeys(self.parts[first], papers[first]))
        for first in gone:
            remove_paper(self.store, papers.pop(first))
        self.taken.removed += len(gone)
        return papers


# -- contradictions -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A field that two sides set differently."""

    file: str
    title: str
    field: str
    shown: Any
    values: tuple[Any, ...]


def read_contradictions(store: Store) -> list[Contradiction]:
    """Return the contradictions that are not settled."""
    found = []
    for file in kept.with_conflicts(store):
        record = _record_of(file)
        for path, conflict in record.get("conflicts", {}).items():
            shown: Any = record
            for part in [path] if path in record else path.split("."):
                shown = shown.get(part) if isinstance(shown, dict) else None
            title = str(record.get("citekey") or file.name)
            values = tuple(conflict["values"])
            found.append(Contradiction(file.name, title, path, shown, values))
    return found


def settle_all(store: Store, library: Library) -> int:
    """Keep the shown values in all contradictions; return the number of fields."""
    with store.transaction():
        count = len(read_contradictions(store))
        files = kept.with_conflicts(store)
        settled = [{k: v for k, v in _record_of(one).items() if k != "conflicts"} for one in files]
        pairs = zip(files, settled, strict=True)
        _write(store, library, [_keep(store, file, file.name, record) for file, record in pairs])
    return count

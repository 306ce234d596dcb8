"""Find problems in a library, say how to fix them, and repair what is safe to repair."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Literal

from papertrack.actions.backups import damage_of
from papertrack.actions.daily_backup import lacks_backup
from papertrack.actions.notes import bring_back_note
from papertrack.actions.pdfs import missing_sentences
from papertrack.actions.recover import recover
from papertrack.documents.encoding import decode_bib, decode_document
from papertrack.errors import PapertrackError, StoreError
from papertrack.library import Library, intents, is_shared
from papertrack.library.files import leftovers, read_file, remove_leftovers
from papertrack.library.paths import path_of_name
from papertrack.store import health
from papertrack.store.documents import read_documents
from papertrack.store.index import note_text
from papertrack.store.pdfs import known_pdfs
from papertrack.store.store import Store, backups_of
from papertrack.store.watch.announcements import last_runs
from papertrack.text import few

Part = Literal[
    "database",
    "search",
    "document",
    "note",
    "pdf",
    "backup",
    "interrupted",
    "leftover",
    "schedule",
    "sharing",
]


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem."""

    part: Part
    message: str
    is_repaired: bool = False


@dataclass(frozen=True, slots=True)
class Health:
    """All problems that were found, and the space that was freed."""

    findings: list[Finding]
    compacted: Compacted | None
    """None if it was not requested, or the database is damaged."""


def examine(library: Library, now: datetime, broken: Iterable[str] = ()) -> list[Finding]:
    """Return all problems of a library; writes nothing, and raises nothing for what it finds.

    If the database itself is damaged, the files that it names are not checked. ``broken`` are
    sentences about schedulers that cannot run the watch.
    """
    findings = [Finding("database", message) for message in damage_of(library)]
    if not findings:
        with Store.open_copy(library.database, now=lambda: now) as store:
            findings += [Finding("database", message) for message in health.find_unreadable(store)]
            if not findings:
                store.pdf_folders = library.pdf_folders
                findings += _check_pdfs(store)
                findings += _check_named_files(store, library)
                findings += _check_watch(store)
                if is_shared(library):  # Files that others can write.
                    from papertrack.store.records import record_files

                    problems = [file.problem for file in record_files(store).values()]
                    findings += [Finding("sharing", problem) for problem in problems if problem]
            store.close()
        findings += _check_age(library)
    findings += [Finding("schedule", message) for message in broken]
    return [*findings, *_check_backups(library, now), *_check_leftovers(library)]


def repair(library: Library, findings: list[Finding], now: datetime) -> list[Finding]:
    """Repair what is safe to repair, and return the findings with the repaired ones marked.

    Rebuilds the search index, sets up git's merge driver, takes back or removes what killed runs
    left, and, if there is no backup, rebuilds a damaged database from the logs of a shared library.
    Raises StoreError and PapertrackError.
    """
    for folder in _folders(library):
        remove_leftovers(folder)
    for place in intents.unreadable(library.intents):
        intents.set_aside(place)
    parts = {finding.part for finding in findings}
    if "database" in parts:
        _rebuild(library, now)
    else:
        with Store.open(library.database, now=lambda: now) as store:
            recover(store, library)
            for name in _lost_notes(store, library):
                with suppress(PapertrackError):
                    bring_back_note(store, library, name)
            if "search" in parts:
                health.rebuild_search(store)
    if "sharing" in parts:
        from papertrack.actions.share import inside_documents
        from papertrack.actions.share.repository import Repository

        with Store.open(library.database, now=lambda: now) as store:
            Repository(library).register(inside_documents(store))
    broken = [finding.message for finding in findings if finding.part == "schedule"]
    left = {finding.message for finding in examine(library, now, broken)}
    return [replace(finding, is_repaired=finding.message not in left) for finding in findings]


def _rebuild(library: Library, now: datetime) -> None:
    """Rebuild a damaged database from the records if there is no backup; the damaged file is kept
    beside it."""
    if not is_shared(library) or any(backups_of(library.database)):
        return
    from papertrack.actions.share import import_changes
    from papertrack.actions.share.repository import rebuild

    name = f"{library.database.name}.damaged-{now:%Y%m%d%H%M%S}"
    library.database.replace(library.database.with_name(name))
    rebuild(library, lambda: now)
    with Store.open(library.database, now=lambda: now) as store:
        import_changes(store, library, os.environ)


@dataclass(frozen=True, slots=True)
class Compacted:
    """Bytes that rewriting the database saved."""

    before: int
    after: int


def compact_library(library: Library, now: datetime, *, is_trial: bool) -> Compacted:
    """Rewrite the database, or a copy in a dry run, without unused space. Raises StoreError, and
    then the database is unchanged."""
    opened = Store.open_copy if is_trial else Store.open
    with opened(library.database, now=lambda: now) as store:
        before = health.size_of(store)
        health.compact(store)
        after = health.size_of(store)
        store.close()
    return Compacted(before, after)


def _check_named_files(store: Store, library: Library) -> Iterator[Finding]:
    if health.is_search_broken(store):
        yield Finding(
            "search",
            "The search index does not match the papers. `papertrack doctor --repair` rebuilds it.",
        )
    for document in read_documents(store):
        path = path_of_name(library, document.path)
        decode = decode_bib if document.kind == "bibtex" else decode_document
        try:
            decode(read_file(path))
        except PapertrackError as error:
            yield Finding("document", f"The registered file {document.path}: {error}")
    for name in _lost_notes(store, library):
        is_kept = note_text(store, name) is not None
        way = (
            "`papertrack doctor --repair`, or `papertrack note`, restores the version that was "
            "last read."
            if is_kept
            else "Restore it, or start a new one with `papertrack note`."
        )
        yield Finding("note", f"The note {name} is missing. {way}")


def _check_pdfs(store: Store) -> Iterator[Finding]:
    """Report linked PDFs that are no longer there, and those that belong to no paper."""
    pdfs = known_pdfs(store)
    yield from (Finding("pdf", message) for message in missing_sentences(store, pdfs))
    names = {file.path.name.lower() for file in pdfs}
    for path in sorted(path for folder in store.pdf_folders for path in folder.glob("*")):
        if path.suffix.lower() == ".pdf" and path.name.lower() not in names:
            yield Finding(
                "pdf",
                f"{path} belongs to no paper. Rename it to the citation key of one, such as "
                "kwon2023efficient.pdf, or remove it.",
            )


def _lost_notes(store: Store, library: Library) -> list[str]:
    return [
        name
        for name in health.note_paths(store)
        if "://" not in name and not path_of_name(library, name).is_file()
    ]


def _check_watch(store: Store) -> Iterator[Finding]:
    """Report the last run of the watch if it did not finish or could not fetch something."""
    for run in last_runs(store):
        silent = [look.category for look in run.looks if look.state == "could-not-look"]
        problems = [] if run.finished_at else ["did not finish"]
        problems += [f"could not fetch {few(silent)}"] if silent else []
        for problem in problems:
            message = f"The watch of {run.at[:10]} {problem}. `papertrack watch` tries again."
            yield Finding("schedule", message)


def _check_age(library: Library) -> Iterator[Finding]:
    """Report a backup that is newer than the database: then an old copy was put back."""
    last = health.last_action(library.database, is_in_use=True)
    for path in backups_of(library.database):
        with suppress(StoreError):
            backup = health.last_action(path)
            if backup > last and backup[0] > last[0]:
                yield Finding(
                    "database",
                    f"The database is older than its backup {path.name}: its last action is of "
                    f"{last[1][:10] or 'no day'}, the backup's of {backup[1][:10]}. Was an old "
                    "copy put back? `papertrack backup --restore` restores the newest backup.",
                )
                return


def _check_backups(library: Library, now: datetime) -> Iterator[Finding]:
    for path in backups_of(library.database):
        try:
            health.checked_copy(path)
        except StoreError:
            yield Finding("backup", f"The backup {path} is damaged, or not a library. Remove it.")
    if lacks_backup(library, now):
        yield Finding("backup", "There is no backup of the library. `papertrack backup` makes one.")


def _check_leftovers(library: Library) -> Iterator[Finding]:
    if intents.pending(library.intents, partial(path_of_name, library)):
        yield Finding(
            "interrupted",
            f"An interrupted run left an unfinished change in {library.intents}. "
            "`papertrack doctor --repair`, or any command that opens the library, takes it back.",
        )
    for place in intents.unreadable(library.intents):
        yield Finding(
            "interrupted",
            f"An unfinished change of an interrupted run cannot be read: {place}. "
            "`papertrack doctor --repair` renames the file and ignores it.",
        )
    for folder in _folders(library):
        for path in leftovers(folder):
            yield Finding(
                "leftover",
                f"A killed run left the unfinished file {path}. `papertrack doctor --repair` "
                "removes it.",
            )


def _folders(library: Library) -> tuple[Path, ...]:
    own = library.database.parent, library.backups, library.intents
    open_ones = library.exports, library.notes, library.pdfs
    below = (path for folder in open_ones for path in folder.rglob("*") if path.is_dir())
    return library.root, *own, *open_ones, *below

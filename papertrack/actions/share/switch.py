"""Beginning to share a library, and rebuilding one from its logs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from papertrack.actions.share.device import introduce, name_device
from papertrack.actions.share.driver import ATTRIBUTE, register_driver
from papertrack.actions.share.logs import grown, sizes
from papertrack.library import FILE_OF_LOGS, Library
from papertrack.library.files import read_file, write_file
from papertrack.library.trust import refuse_outside
from papertrack.store.documents import read_documents
from papertrack.store.share import kept
from papertrack.store.share.lines import differences
from papertrack.store.share.lists import known_lists
from papertrack.store.share.names import Names
from papertrack.store.share.private import private_kinds, veiled
from papertrack.store.share.rows import Rows, Things
from papertrack.store.share.saying import everything, read_touched
from papertrack.store.share.taking import take_in
from papertrack.store.store import Store

_IGNORED = ("data/", "pdfs/", "*.bak")
"""What each device has for itself."""
_LOGS = ("* -text",)
"""Logs are the same bytes everywhere."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What ``share on`` did."""

    device: str
    lines: int
    """How many lines its log began with; none where the library was shared already."""
    files: tuple[str, ...]
    """Files of git that were made or added to."""
    has_driver: bool
    """Whether git was told only now how it merges lists by entries in this clone."""
    private: frozenset[str]
    """Which kinds of what the reader notes stay here."""


def share(store: Store, library: Library, environ: Mapping[str, str]) -> Shared:
    """Have all devices told from now on what is done here, and first of all that is there.

    Of a library that is shared only what is missing is written, such as by a run that was killed.
    Raises PapertrackError when a file cannot be written, UsageError for a device's name that is
    none.
    """
    lines = 0
    if kept.own_device(store) is None:
        lines = introduce(store, library, environ)
    else:
        store.complete_log()
    files = write_files_of_git(store, library)
    has_driver = not store.is_trial and register_driver(library)
    return Shared(kept.own_device(store) or "", lines, files, has_driver, private_kinds(store))


def write_files_of_git(store: Store, library: Library) -> tuple[str, ...]:
    """Add the lines that git's files lack; return the names of those that lacked any.

    Raises PapertrackError when one cannot be written.
    """
    merged = (_merged(one.path) for one in read_documents(store))
    private = ("notes/",) if "notes" in private_kinds(store) else ()
    files = {
        ".gitignore": _IGNORED + private,
        ".gitattributes": tuple(line for line in merged if line),
        f"{library.journal.name}/{FILE_OF_LOGS}": _LOGS,
    }
    for name in files:
        refuse_outside(library, library.root / name)
    return tuple(
        name
        for name, wanted in files.items()
        if _add_lines(library.root / name, wanted, is_trial=store.is_trial)
    )


def _merged(document: str) -> str | None:
    """The line that has a document merged by entries; None for one that is elsewhere, or whose
    name git would take for a pattern."""
    if Path(document).is_absolute() or not set(document).isdisjoint('*?[]"\\'):
        return None
    pattern = f'"/{document}"' if " " in document else f"/{document}"
    return f"{pattern} {ATTRIBUTE}"


def _add_lines(path: Path, wanted: tuple[str, ...], *, is_trial: bool) -> bool:
    """Add the lines that a file does not have; return whether there were any."""
    text = read_file(path).decode("utf-8", "replace") if path.exists() else ""
    present = {line.strip() for line in text.splitlines()}
    missing = [line for line in wanted if line not in present]
    if missing and not is_trial:
        gap = "" if not text or text.endswith("\n") else "\n"
        write_file(path, (text + gap + "\n".join(missing) + "\n").encode())
    return bool(missing)


def rebuild(library: Library, environ: Mapping[str, str], now: Callable[[], datetime]) -> None:
    """Make the database of a library of which only files are here, such as a fresh clone.

    Raises PapertrackError when it cannot be made.
    """
    with Store.create(library.database, now=now) as store:
        name_device(store, library, environ)


@dataclass(frozen=True, slots=True)
class Difference:
    """What the logs say of a cell of a thing, and what the library says."""

    thing: str
    cell: str
    logs: object
    library: object


def check(store: Store, library: Library) -> list[Difference]:
    """Build a library from the logs alone, and compare it with this one."""
    from_logs = _built_from_logs(library, store.now)
    names, kinds = Names(store), private_kinds(store)
    here = read_touched(Rows(store, names), everything(store)) | known_lists(store)
    found = []
    for thing in sorted(here.keys() | from_logs.keys()):
        logs = from_logs.get(thing, {})
        own = veiled(here.get(thing, {}), logs, kinds)
        found += [
            Difference(thing, cell, said, is_)
            for cell, (said, is_) in differences(logs, own).items()
        ]
    return found


def _built_from_logs(library: Library, now: Callable[[], datetime]) -> Things:
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.create(Path(folder) / "papertrack.db", now=now) as store,
    ):
        logs = grown(library.journal, sizes(library.journal), {})
        with store.transaction():
            take_in(store, [line for log in logs for line in log.read.lines])
        return read_touched(Rows(store, Names(store)), everything(store)) | known_lists(store)

"""Make, thin out and restore backups of the library's database."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from filecmp import cmp
from pathlib import Path

from papertrack.errors import (
    ConflictError,
    DamagedError,
    NotFoundError,
    PapertrackError,
    StoreError,
    UsageError,
)
from papertrack.library import BACKUP_NAME, Library
from papertrack.library.files import replace_whole, sync_folder, write_file
from papertrack.library.trust import refuse_link, refuse_outside, refuse_planted
from papertrack.store.health import Copy, checked_copy, find_damage, find_unreadable, locked
from papertrack.store.store import Store, backups_of
from papertrack.text import few, plural

DAYS_KEPT, WEEKS_KEPT = 7, 4
"""The newest backup of this many days, and of this many weeks, is kept."""
_LOGS = ("-journal", "-wal")
"""Files that SQLite may leave beside a database; their content belongs to it."""


@dataclass(frozen=True, slots=True)
class BackedUp:
    """A backup that was made."""

    file: Path
    papers: int
    removed: tuple[Path, ...]
    """Older backups that were removed to make room for it."""

    def sentences(self) -> Iterator[str]:
        yield f"{self.file}: {plural(self.papers, 'paper')}, checked."


@dataclass(frozen=True, slots=True)
class Restored:
    """A backup that was restored."""

    file: Path
    papers: int
    kept: Path | None
    """Where the replaced database is now; None if there was none."""
    outside: tuple[str, ...]
    """Documents outside the library's folder that it updates from now on."""

    def sentences(self) -> Iterator[str]:
        previous = f" The previous database is in {self.kept}." if self.kept else ""
        yield f"Restored {plural(self.papers, 'paper')} from {self.file}.{previous}"
        if self.outside:
            yield (
                f"It reads and writes files outside the library: {few(self.outside)}. If they are "
                "not part of your library, `papertrack documents FILE --forget` leaves them alone."
            )


def back_up(library: Library, now: datetime, *, dry_run: bool = False) -> BackedUp:
    """Make a checked backup in the library's backup folder, and thin out older ones.

    Raises StoreError when the library is damaged or cannot be read: existing backups are kept then.
    Raises PapertrackError when the backup cannot be written.
    """
    target = library.backups / f"{now.astimezone(UTC):{BACKUP_NAME}}.db"
    refuse_planted(library, target)
    copy = checked_copy(library.database, is_in_use=True)
    if dry_run:
        return BackedUp(target, copy.papers, ())
    write_file(target, copy.data)
    return BackedUp(target, copy.papers, tuple(_thin_out(library)))


def back_up_to(
    library: Library, target: Path, *, is_forced: bool = False, dry_run: bool = False
) -> BackedUp:
    """Write a checked copy of the library's database to a file that the user chose.

    Raises ConflictError if the file exists, unless ``is_forced``; UsageError for the library
    itself; and the errors of ``back_up``.
    """
    refuse_link(target)
    if target.exists():
        if library.database.exists() and target.samefile(library.database):
            raise UsageError(f"{target} is the library itself. Name another file.")
        if not is_forced:
            raise ConflictError(
                f"{target} exists already and was left as it is. Name another file, or add "
                "--force to replace it."
            )
    copy = checked_copy(library.database, is_in_use=True)
    if not dry_run:
        write_file(target, copy.data)
    return BackedUp(target, copy.papers, ())


def restore(
    library: Library,
    now: Callable[[], datetime],
    file: Path | None = None,
    *,
    dry_run: bool = False,
) -> Restored:
    """Restore the library's database from a backup; the replaced database is kept beside it.

    Without a ``file``, restores the newest backup that can be read completely, or else the newest
    undamaged one. Raises NotFoundError when there is no such file or backup; StoreError when it is
    damaged, not a library or of a newer papertrack, or when another papertrack is writing;
    PapertrackError when it cannot be written.
    """
    refuse_outside(library, library.database)
    if file is not None and not file.exists():
        raise NotFoundError(
            f"There is no file {file}. Name a backup in {library.backups}, or leave out the name "
            "to restore the newest."
        )
    source, copy = (
        _newest_readable(library, now) if file is None else (file, _copy_of(library, file))
    )
    target = Path(os.path.realpath(library.database))
    if target.exists() and source.samefile(target):
        raise UsageError(f"{source} is the library itself. Name one of its backups.")
    previous = _free_name(target) if target.exists() else None
    if not dry_run:
        with locked(target):
            previous = _keep(target)
            write_file(target, copy.data)
    return Restored(source, copy.papers, previous, copy.outside)


def _copy_of(library: Library, file: Path) -> Copy:
    """Return a copy of the backup that the user named. Raises the errors of ``restore``."""
    try:
        if file.stat().st_size:
            return checked_copy(file)
        damage = "it is empty"
    except DamagedError as error:
        damage = str(error.__cause__ or error)
    raise StoreError(
        f"{file} is damaged, or not a library ({damage}). Nothing was restored: name another "
        f"backup in {library.backups}, or leave out the name to restore the newest undamaged one."
    )


def _newest_readable(library: Library, now: Callable[[], datetime]) -> tuple[Path, Copy]:
    """Return the newest backup that can be read, else the newest whose pages are undamaged."""
    unreadable: tuple[Path, Copy] | None = None
    for path in backups_of(library.database):
        try:
            whole = path, checked_copy(path)
            with closing(Store.open_copy(path, now=now, is_in_use=False)) as store:
                wrong = list(find_unreadable(store))
        except StoreError:
            continue
        if not wrong:
            return whole
        unreadable = unreadable or whole
    if unreadable:
        return unreadable
    raise NotFoundError(
        f"{library.database} has no undamaged backup. Name a file: "
        "`papertrack backup --restore FILE`."
    )


def _keep(database: Path) -> Path | None:
    """Give the database, and the files that SQLite left beside it, a second name.

    Uses hard links, so that a process that has the database open keeps the same file and lock.
    Returns None if the database is lost.
    """
    if database.exists():  # A killed restore may have given it a name.
        for name in database.parent.glob(f"{database.name}.before-restore-*"):
            # A link may lead to the database itself, which will be replaced.
            if not name.is_symlink() and cmp(name, database, shallow=False):
                return name
    copy = _free_name(database)
    try:
        for suffix in _LOGS:
            log = database.with_name(database.name + suffix)
            if log.exists():
                log.replace(copy.with_name(copy.name + suffix))
        if not database.exists():
            return None
        try:
            copy.hardlink_to(database)
        except OSError:  # Not every disk has links.
            replace_whole(copy, database.read_bytes())
        sync_folder(copy.parent)
    except OSError as error:
        raise PapertrackError(
            f"{database} could not be saved as {copy.name}: {error.strerror or error}. Nothing "
            "was restored."
        ) from error
    return copy


def _free_name(database: Path) -> Path:
    number = 1
    while (path := database.with_name(f"{database.name}.before-restore-{number}")).exists():
        number += 1
    return path


def _thin_out(library: Library) -> Iterator[Path]:
    """Remove backups in the backup folder that no day or week needs."""
    times = {}
    for path in library.backups.glob("*.db"):
        with suppress(ValueError):  # Somebody else put it there.
            times[path] = datetime.strptime(path.stem, BACKUP_NAME).replace(tzinfo=UTC)
    by_age = sorted(times.items(), key=lambda backup: backup[1], reverse=True)
    needed: set[Path] = set()
    for format, count in (("%Y-%m-%d", DAYS_KEPT), ("%G-%V", WEEKS_KEPT)):
        # The newest of each, as it is the first.
        newest = {f"{time:{format}}": path for path, time in reversed(by_age)}
        needed.update(newest[when] for when in sorted(newest)[-count:])
    for path, _ in by_age:
        if path not in needed:
            path.unlink(missing_ok=True)
            yield path


def damage_of(library: Library) -> list[str]:
    """Return what is wrong with the database as a whole, a sentence each."""
    return list(find_damage(library.database))

"""Making this device's log shorter, once it is years long."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from papertrack.actions.share.logs import about_unreadable, read_logs, sizes
from papertrack.actions.share.repository import uncommitted
from papertrack.errors import PapertrackError, UsageError
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.store.share import kept
from papertrack.store.share.compaction import (
    compact,
    counting_of,
    is_replaced,
    month_of,
    said_nowhere,
)
from papertrack.store.share.lines import Line, each_once, is_compaction, read_lines
from papertrack.store.share.outbox import complete
from papertrack.store.store import Store
from papertrack.text import few, plural


@dataclass(frozen=True, slots=True)
class Compacted:
    """What became of the logs of this device."""

    replaced: tuple[str, ...]
    """The paths of the logs that are gone, in the journal's folder."""
    file: str | None
    """The path of the one that is there in their place; None where it would be no shorter."""
    lines: int
    """How many lines they had."""
    kept: int
    """How many of those still count, and are in it."""


def compact_logs(store: Store, library: Library, before: str | None) -> Compacted | None:
    """Put what still counts of this device's logs of all months before one (``2026-01``; else that
    of a year ago) into one log. None when there is nothing to put together.

    What others say is not touched, and nothing of the library changes. Raises UsageError for a
    library that is not shared and for what is no month that is past, PapertrackError for a log that
    cannot be read or written, of which git has not what will be left out, or that was cut.
    """
    device = kept.own_device(store)
    if device is None:
        raise UsageError("This library is not shared: `papertrack share on` begins to.")
    month = _first_kept(before, store.now())
    paths = sorted(path for path in sizes(library.journal) if _is_older(path, device, month))
    if not any(_is_to_replace(store, path) for path in paths):
        return None
    until = max(filter(None, map(month_of, paths)))
    with store.transaction():
        _write_rest(store, library)
        count, lines = _read_whole(store, library, paths)
        # What was left over when it was put together before is told whole and in part.
        counting = each_once(counting_of(store, lines))
        # One line more says what they were put together from.
        if len(counting) + 1 >= count:
            return Compacted((), None, count, len(counting))
        _refuse_uncommitted(library, paths)
        _refuse_cut(store, library, device)
        file = compact(store, lines, counting, until, paths)
    if not store.is_trial:
        _remove(library, file, paths)
    return Compacted(tuple(paths), file, count, len(counting))


def _first_kept(before: str | None, now: datetime) -> str:
    if before is None:
        return f"{now.year - 1:04}-{now.month:02}"
    if (
        not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", before)
        or before > f"{now.year:04}-{now.month:02}"
    ):
        raise UsageError(
            f"{before!r} is no month until now, such as {now.year:04}-01. The log of this month is "
            "still written."
        )
    return before


def _is_older(path: str, device: str, before: str) -> bool:
    month = month_of(path)
    return path.startswith(f"{device}/") and month is not None and month < before


def _is_to_replace(store: Store, path: str) -> bool:
    """Whether a log is none that was put together before, or was left over then."""
    return path.count(".") == 1 or is_replaced(store, path)


def _write_rest(store: Store, library: Library) -> None:
    """Write what another command of this device has just done, and has yet to put into the log."""
    if store.is_trial:
        return
    try:
        complete(store, library.journal)
    except OSError as error:
        raise PapertrackError(
            f"The log of this device could not be written: {error.strerror} ({error.filename}). "
            "Nothing was changed. Make room, and run this again."
        ) from error


def _read_whole(store: Store, library: Library, paths: Sequence[str]) -> tuple[int, Sequence[Line]]:
    """How many lines there are, and each once. Raises PapertrackError where one is not known
    here."""
    count = 0
    found: list[Line] = []
    for path in paths:
        read = read_lines(read_file(library.journal / path))
        if read.unreadable:
            raise PapertrackError(about_unreadable(path, read))
        if waiting := kept.unknown(store, read.lines):
            _refuse_cut(store, library, path.partition("/")[0])  # A line that was edited.
            raise PapertrackError(
                f"journal/{path}: {plural(len(waiting), 'line')} could not be taken in yet; "
                "`papertrack share status` tells how much of this device's waits for other logs."
            )
        count += len(read.lines)
        found += read.lines
    return count, each_once(found)


def _refuse_cut(store: Store, library: Library, device: str) -> None:
    """Raise PapertrackError where the logs have not all that counts: it would be in no clone, and
    nobody would ask for it any more."""
    if things := said_nowhere(store, device, read_logs(library.journal, device)):
        raise PapertrackError(
            f"What this device said of {few(things)} is in none of its logs any more: one was cut, "
            f"edited or removed. Bring it back first (`git checkout HEAD -- journal/{device}`, or "
            "from a backup), and run this again."
        )


def _refuse_uncommitted(library: Library, paths: Sequence[str]) -> None:
    """Raise PapertrackError where the library is in a repository of git that has not all of these
    logs: what is left out of them would be nowhere."""
    if changed := uncommitted(library, [library.journal / path for path in paths]):
        raise PapertrackError(
            f"Not all of {few(changed)} is committed, and what is left out would be nowhere. "
            "`papertrack sync --git` commits it; then run this again. If journal/ is not to be in "
            "git, name it in .gitignore."
        )


def _remove(library: Library, file: str, paths: Sequence[str]) -> None:
    """Take the former logs away once the new one is there."""
    new = library.journal / file
    try:
        if not new.exists() or not any(map(is_compaction, read_lines(read_file(new)).lines)):
            raise PapertrackError(
                f"journal/{file} could not be written; nothing is lost, and the next command "
                "writes it. Then run this again."
            )
        for path in paths:
            (library.journal / path).unlink(missing_ok=True)
    except OSError as error:
        raise PapertrackError(
            f"{error.filename} could not be removed: {error.strerror}. What still counts of it is "
            f"in journal/{file} as well; run this again."
        ) from error

"""``papertrack cite --tex … --watch``: the list is kept current while the manuscript changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from papertrack.errors import PapertrackError

SECONDS = 1.0
"""Between two looks at the files: a save is seen before the next LaTeX run is started by hand."""

Seen = dict[Path, tuple[int, int] | None]


def keep_current(
    write: Callable[[], Iterable[Path]],
    more: Sequence[Path],
    *,
    warn: Callable[[str], None],
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Call ``write`` now and whenever a file that it read, or one of ``more``, has changed.

    ``write`` gives the files that it read, or would have if they were there. What it cannot do is
    told once, since an editor may be at work on them; it goes on until it is interrupted.
    """
    files: list[Path] = list(more)
    told = ""
    seen: Seen | None = None
    while True:
        now = _looked_at(files)
        if now != seen:
            try:
                files = [*more, *write()]
                told = ""
            except PapertrackError as error:
                told = _tell_once(str(error), told, warn)
            seen = _looked_at(files)
        sleep(SECONDS)


def _tell_once(message: str, told: str, warn: Callable[[str], None]) -> str:
    if message != told:
        warn(message)
    return message


def _looked_at(files: Sequence[Path]) -> Seen:
    return {path: _stamp(path) for path in files}


def _stamp(path: Path) -> tuple[int, int] | None:
    """What tells that a file was changed; None where there is none (yet)."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size

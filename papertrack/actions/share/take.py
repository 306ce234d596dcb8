"""Taking in what other devices wrote into their logs, before anything else is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from papertrack.actions.share.device import follow_private, introduce, name_device, settle_device
from papertrack.actions.share.logs import (
    GrownLog,
    about_unreadable,
    grown,
    read_logs,
    replaced,
    shrunk,
    sizes,
)
from papertrack.errors import PapertrackError
from papertrack.library import Library
from papertrack.matching.judge import Answer, Description, judge
from papertrack.store.categories import merge_categories
from papertrack.store.lookup import get_paper
from papertrack.store.papers import merge_papers
from papertrack.store.share import kept
from papertrack.store.share.compaction import is_replaced, said_nowhere, unsaid
from papertrack.store.share.fold import resolve, resolve_all
from papertrack.store.share.names import Names
from papertrack.store.share.outbox import (
    NEVER,
    LogMark,
    complete,
    forget_logs,
    log_marks,
    mark_log,
)
from papertrack.store.share.taking import Revived, Taken, settle, take_in
from papertrack.store.share.writing import table_of
from papertrack.store.store import Store
from papertrack.text import plural


@dataclass(slots=True)
class LookedAt:
    """What came of looking at the logs."""

    taken: Taken = field(default_factory=Taken)
    told: list[str] = field(default_factory=list)
    """What the reader has to know."""


def take_in_logs(store: Store, library: Library, environ: Mapping[str, str]) -> LookedAt:
    """Take in what other devices did since this one looked last; finish the own log first.

    Raises StoreError, and PapertrackError for a file that cannot be read or written.
    """
    looked = LookedAt()
    try:
        _take_in(store, library, environ, looked)
    except OSError as error:
        raise PapertrackError(
            f"The logs of other devices could not be read: {error.strerror} ({error.filename})."
        ) from error
    return looked


def _take_in(store: Store, library: Library, environ: Mapping[str, str], looked: LookedAt) -> None:
    if kept.own_device(store) is None:
        # What is here is said before anything is taken in: the same papers are the same then.
        lines = introduce(store, library, environ)
        looked.told += [_introduced(kept.own_device(store))] if lines else []
    elif (former := settle_device(store, library, environ)) is not None:
        looked.told.append(_renamed(former, kept.own_device(store)))
    follow_private(store, library, environ)
    folder = library.journal
    if not store.is_trial and complete(store, folder):
        # Somebody else wrote into this device's log, or took something out of it.
        former = kept.own_device(store)
        looked.told.append(_renamed(former, name_device(store, library, environ)))
    found, marks = sizes(folder), log_marks(store)
    has_grown = any(size > _looked_at(marks.get(path)) for path, size in found.items())
    logs = grown(folder, found, marks) if has_grown else []
    # Another one may have taken the place of a log, with acts that nobody here knows.
    logs += [log for log in replaced(folder, found, marks) if kept.unknown(store, log.read.lines)]
    if logs:
        with store.transaction():  # With what follows from it, or not at all.
            _take_logs(store, logs, looked)
            _join_clashing(store, looked)
    if missing := shrunk(found, marks):
        looked.told += _ask_about(store, folder, missing)


def _ask_about(store: Store, folder: Path, missing: Sequence[str]) -> list[str]:
    """Questions about logs that are shorter or gone, other than those whose device made one of
    several, and those that lost nothing: what could not be read was taken out, or a copy is gone
    whose every line is in another log. These are read anew as far as they are there."""
    settled = [
        path for path in missing if is_replaced(store, path) or _is_said(store, folder, path)
    ]
    if settled:
        with store.transaction():
            forget_logs(store, settled)
    return [_question(path) for path in missing if path not in settled]


def _is_said(store: Store, folder: Path, path: str) -> bool:
    """Whether all that the device of a log said is in its logs that are there."""
    device = path.partition("/")[0]
    lines = read_logs(folder, device)
    return not unsaid(store, device, lines) and not said_nowhere(store, device, lines)


def _looked_at(mark: LogMark | None) -> int:
    """How much of a log was looked at: what waits is looked at again only when something came."""
    return max(mark.size, mark.waiting) if mark else 0


def _introduced(name: str | None) -> str:
    return (
        "Another device's log is here: this library is shared from now on, and this device is "
        f"called {name}. What both held is one. Commit journal/ with your files."
    )


def _renamed(former: str | None, name: str | None) -> str:
    if former == name:  # As the reader's environment says.
        return (
            f"What this device, {former}, wrote last is not what its log says: a backup restored, "
            "or another device of that name. What the log says is taken in; nothing was lost."
        )
    return (
        f"What this device, {former}, wrote last is not what its log says: the folder was copied, "
        f"or a backup restored. From now on it is called {name}; nothing was lost."
    )


def _came_back(revived: Revived) -> str:
    citekey, line, _ = revived
    return (
        f"{citekey} is there again, with all that it had: {line.act.device} did not know that it "
        f"was removed here, and has worked on it ({line.verb})."
    )


def _question(path: str) -> str:
    return (
        f"journal/{path} is shorter than it was. What it said still counts here. If nobody meant "
        f"that: `git checkout HEAD -- journal/{path}`."
    )


def _take_logs(store: Store, logs: Sequence[GrownLog], looked: LookedAt) -> None:
    lines = [line for log in logs for line in log.read.lines]
    looked.taken = taken = take_in(store, lines)
    waiting, marks = set(map(id, taken.waiting)), log_marks(store)
    for log in logs:
        mark = log.mark
        if any(id(line) in waiting for line in log.read.lines):
            mark = marks.get(log.path, NEVER)._replace(waiting=mark.size)
        mark_log(store, log.path, mark)
    looked.told += [about_unreadable(log.path, log.read) for log in logs if log.read.unreadable]
    own = kept.own_device(store)
    looked.told += [_came_back(one) for one in taken.revived if own in one.removers]
    if taken.waiting:
        count = plural(len(taken.waiting), "line")
        looked.told.append(f"{count} of the logs stand on others that have not come yet.")
    if taken.refused:
        count = plural(len(taken.refused), "line")
        looked.told.append(f"{count} of the logs do not fit this library; they are kept.")


def _join_clashing(store: Store, looked: LookedAt) -> None:
    """Make one of what two devices added under different names, and say what is otherwise here
    than they said."""
    if not (clashes := looked.taken.clashes):
        return
    became: dict[str, str] = {}
    for pair in sorted({tuple(sorted(pair)) for pair in clashes}):
        # Of three the second pair may name what the first pair has made one with another.
        now = sorted({became.get(name, name) for name in pair})
        if len(now) > 1 and _join(store, looked, now):
            kept_name, gone = now
            became = {name: kept_name if to == gone else to for name, to in became.items()}
            became[gone] = kept_name
    settle(store, "settle", {name for pair in clashes for name in pair}, "")
    store.complete_log()


def _join(store: Store, looked: LookedAt, pair: Sequence[str]) -> bool:
    """Make one of two things of which only one can be, if they are the same; return whether."""
    kept_id, other_id = map(Names(store).row_of, pair)
    if kept_id is None or other_id is None or kept_id == other_id:
        return False
    if table_of(pair[0]) == "papers":
        return _join_papers(store, pair, kept_id, other_id)
    if table_of(pair[0]) == "categories":
        return _join_categories(store, looked, pair, kept_id, other_id)
    return False


def _join_categories(
    store: Store, looked: LookedAt, pair: Sequence[str], kept_id: int, other_id: int
) -> bool:
    """Make one of two categories that two devices called the same."""
    said = [kept.load(store, name) for name in pair]
    above = [resolve(one, "categories/parent_id") for one in said]
    names = [resolve(one, "categories/name") for one in said]
    if above[0] != above[1] or names[0] != names[1]:
        return False
    name = str(names[0])
    with store.action("merge", f"the categories called {name}") as action:
        merge_categories(store, kept_id, other_id, name)
    kept.leave_to_name(store, action.id)
    looked.told.append(
        f"Two devices called different categories {name}: they are one, with all that was in both."
    )
    return True


def _join_papers(store: Store, pair: Sequence[str], kept_id: int, other_id: int) -> bool:
    """Make one of two papers to which two devices gave one identifier, if they are one work."""
    descriptions = [Description.of(get_paper(store, one).facts) for one in (kept_id, other_id)]
    if not _share_identifier(store, pair) or judge(*descriptions).answer is Answer.DIFFERENT:
        return False
    with store.action("merge", "added on two devices") as action:
        merge_papers(store, kept_id, other_id)
    kept.leave_to_name(store, action.id)
    return True


def _share_identifier(store: Store, pair: Sequence[str]) -> bool:
    first, second = (resolve_all(kept.load(store, name)) for name in pair)
    return any(cell.startswith("identifiers/") for cell in first.keys() & second.keys())

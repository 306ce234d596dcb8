"""Three-way merging: what a file and the library each say now, and said when last in step.

A change on one side is carried to the other. A change on both sides to different values is a
conflict: shown, left alone, or decided by the reader. All of it pure; values are plain JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from papertrack.sync.markdown.values import (
    EXPORTED_ROLES,
    EXPORTED_SCALARS,
    SCALARS,
    SETS,
    Values,
)

Side = Literal["file", "library"]
Outcome = Literal["same", "file", "library", "agreed", "conflict"]
"""Which side changed; ``agreed`` when both changed to the same."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A field that the file and the library have changed to different values."""

    file: str
    line: int
    """The entry's, counted from 1."""
    citekey: str
    field: str
    base: Any
    """What the file said when both were last in step; None when they never were."""
    file_value: Any
    library_value: Any
    owner: str | None = None
    """The citekey of another paper that has the identifier which the file gives this one."""


Prefer = Side | Callable[[Conflict], Side | None] | None
"""Who is right in a conflict: one side always, whoever is asked, or nobody (it stays)."""

Fate = Literal["unlink", "discard", "put-back"]
OnDeleted = Fate | Callable[[str, str], Fate]
"""What becomes of a paper whose entry is gone, or who says so, told its citekey and the file."""

Ask = Callable[[str, Any, Any, Any], Side | None]
"""Field, base, the file's value, the library's → the side to follow, None to leave both."""


@dataclass(slots=True)
class Merged:
    """What an import has to do about one paper."""

    scalars: Values = field(default_factory=dict)
    """New values for the library."""
    added: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    removed: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    """Members of sets to add to and to take from the library."""
    open: set[str] = field(default_factory=set)
    """Fields in conflict that nobody decided."""
    then: Values = field(default_factory=dict)
    """What the library counts as having said when last in step, from now on."""


def decide_conflict(conflict: Conflict, prefer: Prefer) -> Side | None:
    """The side to follow, or None to leave both as they are."""
    return prefer(conflict) if callable(prefer) else prefer


def decide_deleted(citekey: str, file: str, on_deleted: OnDeleted) -> Fate:
    """What becomes of a paper whose entry is no longer in the file."""
    return on_deleted(citekey, file) if callable(on_deleted) else on_deleted


def compare(base: Any, file: Any, then: Any, now: Any) -> Outcome:
    """Compare one value.

    ``base`` and ``file`` are the file's last and present value, ``then`` and ``now`` the library's.
    """
    is_file_changed, is_library_changed = file != base, now != then
    if is_file_changed and is_library_changed:
        return "agreed" if file == now else "conflict"
    if is_file_changed:
        return "file"
    return "library" if is_library_changed else "same"


@dataclass(frozen=True, slots=True)
class SetChanges:
    """What each side added to a set and took from it, in order."""

    file_added: tuple[Any, ...]
    file_removed: tuple[Any, ...]
    library_added: tuple[Any, ...]
    library_removed: tuple[Any, ...]

    @property
    def is_conflict(self) -> bool:
        """Whether both sides replaced the same member, by different ones."""
        return bool(
            any(member in self.library_removed for member in self.file_removed)
            and self.file_added
            and self.library_added
            and sorted(self.file_added) != sorted(self.library_added)
        )


def compare_sets(
    base: Sequence[Any], file: Sequence[Any], then: Sequence[Any], now: Sequence[Any]
) -> SetChanges:
    """Compare two sets, such as the code links of a paper. Most changes can be united."""
    return SetChanges(
        file_added=without(file, base),
        file_removed=without(base, file),
        library_added=without(now, then),
        library_removed=without(then, now),
    )


def without(members: Iterable[Any], others: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(member for member in members if member not in others)


def merge(
    base: Values,
    file: Values,
    then: Values,
    now: Values,
    ask: Ask,
    *,
    held: Collection[str] = (),
) -> Merged:
    """What the file's changes since ``base`` mean for a library, changed since ``then`` to ``now``.

    Fields in ``held`` are not lowered unasked: the library knows more of them than the file. A
    field that the file has no place for, or had none for before, is not compared: a new column of
    empty cells takes nothing away.
    """
    merged = Merged(then=dict(then))
    for name in SCALARS:
        if name in file and name in base:
            is_held = name in held and (file[name] or 0) < (now.get(name) or 0)
            sides = (base[name], file[name], then.get(name), now.get(name))
            _merge_scalar(merged, name, sides, ask, is_held=is_held)
        elif _says_more(name, file.get(name), now.get(name)):
            merged.scalars[name] = file[name]
            merged.then[name] = file[name]
    for name in SETS:
        lists = (values.get(name, []) for values in (base, file, then, now))
        _merge_set(merged, name, compare_sets(*lists), file.get(name, []), now.get(name, []), ask)
    return merged


def _says_more(name: str, file: Any, now: Any) -> bool:
    """Whether a file that had no place for the value before tells what the library did not know."""
    return bool(file) and (not now or (name == "passes" and file > now))


def _merge_scalar(
    merged: Merged, name: str, sides: tuple[Any, Any, Any, Any], ask: Ask, *, is_held: bool
) -> None:
    base, file, _, now = sides
    outcome = compare(*sides)
    if outcome == "file" and is_held:
        outcome = "conflict"
    side: Side | None = "file" if outcome == "file" else None
    if outcome == "conflict":
        side = ask(name, base, file, now)
        if side is None:
            merged.open.add(name)
    if side == "file" and file != now:
        merged.scalars[name] = file
    if side is not None or outcome == "agreed":
        # What the library keeps against the file counts as changed since: it goes out again.
        merged.then[name] = file


def _merge_set(
    merged: Merged, name: str, changes: SetChanges, file: Any, now: Any, ask: Ask
) -> None:
    added, removed = without(changes.file_added, now), changes.file_removed
    pending_added, pending_removed = changes.library_added, changes.library_removed
    if name in EXPORTED_ROLES and changes.is_conflict:
        side = ask(name, list(changes.file_removed), list(file), list(now))
        if side is None:
            merged.open.add(name)
            return
        if side == "library":
            # As if the file's replacement had been taken and then replaced in the library.
            merged.then[name] = list(file)
            return
        removed = (*removed, *changes.library_added)
        pending_added = pending_removed = ()
    if added:
        merged.added[name] = added
    if removed := tuple(member for member in removed if member in now):
        merged.removed[name] = removed
    after = [*without(now, removed), *added]
    merged.then[name] = [
        *without(after, without(pending_added, changes.file_added)),
        *without(pending_removed, changes.file_removed),
    ]


def find_waiting(then: Values, now: Values) -> Values:
    """What the library said ``then`` of each value that waits for an export: now it says other."""
    missing: Values = dict.fromkeys(EXPORTED_SCALARS) | {role: [] for role in EXPORTED_ROLES}
    return {
        name: then.get(name, nothing)
        for name, nothing in missing.items()
        if (then.get(name) or None) != (now.get(name) or None)
    }


def keep_in_step(then: Values, before: Values, after: Values) -> Values:
    """``then`` after a change of the library, from ``before`` to ``after``, not to be exported.

    What waited for an export still does.
    """
    kept = dict(then)
    for name in SCALARS:
        if then.get(name) == before.get(name):
            kept[name] = after.get(name)
    for name in SETS:
        old, new = before.get(name, []), after.get(name, [])
        members = without(then.get(name, []), without(old, new))
        kept[name] = [*members, *without(without(new, old), members)]
    return kept


def aggregate(several: Sequence[Mapping[str, Any]]) -> Values:
    """What the entries of one document say together of the paper that they share.

    The most passes and the best rating, the first of other values, the union of sets.
    """
    first, *others = several
    values = dict(first)
    for other in others:
        for name, value in other.items():
            mine = values.get(name)
            if name in SETS:
                values[name] = [*(mine or []), *without(value, mine or [])]
            elif name in ("passes", "rating") and value is not None:
                values[name] = max(mine or 0, value)
            elif mine is None:
                values[name] = value
    return values

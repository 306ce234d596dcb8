"""Three-way merging: what a file and the library each say now, and said when last in step.

A change on one side is carried to the other. A change on both sides to different values is a
conflict: shown, left alone, or decided by the reader. All of it pure; values are plain JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Values = dict[str, Any]
"""What an entry, or the library of its paper, says: by field, as plain JSON."""

SCHEMES = ("arxiv", "doi", "url")
"""Identifiers of which an entry may show one each, as fields of their own."""
PUBLICATION = "publication."
"""The start of the names of the published version's further fields: ``publication.pages``."""

OF_READING = ("passes", "rating")
"""What the reader says of a paper, and no list of the work: it is the same wherever it stands."""

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
"""What becomes of a paper whose entry is gone, or who says so, by its citekey and the file."""

Ask = Callable[[str, Any, Any, Any], Side | None]
"""Field, base, the file's value, the library's → the side to follow, None to leave both."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Which fields the entries of a format and the library tell each other, and which way."""

    sets: tuple[str, ...]
    """Fields that hold several values, written as lists."""
    single: tuple[str, ...] = ()
    """Fields of one value. Without any, whatever is said that is not of ``sets``."""
    outgoing: tuple[str, ...] = ()
    """What goes out to an entry that is there, single values first. All else only comes in."""
    incoming: tuple[str, ...] = ()
    """Without ``outgoing``: what does not go out, while all else does."""
    along: tuple[tuple[str, str], ...] = ()
    """Fields that an export changes along with another one, each with that."""
    has_places: bool = False
    """Whether an entry may lack the place for a value: then a missing one says nothing."""
    stands_for_text: bool = False
    """Whether an entry's stored text tells that it is unchanged: it stays until all is settled."""
    unsaid: tuple[str, ...] = ()
    """Of which the library says nothing, or only what the reader edited: it must not go out again
    because the file said it."""
    is_listing: bool = False
    """Whether where the documents of the format list a paper is where the library has it."""
    yields: bool = False
    """Whether what a better source says of a paper stays, whatever a document says."""

    def single_in(self, *sides: Values) -> list[str]:
        """Return the single-valued fields that these values have."""
        if self.single:
            return list(self.single)
        names = dict.fromkeys(name for side in sides for name in side)
        return [name for name in names if name not in self.sets]

    def outgoing_in(self, *sides: Values) -> list[str]:
        """Return the exported fields among these, single ones before sets."""
        if self.outgoing:
            return list(self.outgoing)
        return sorted({name for side in sides for name in side}.difference(self.incoming))

    def changed_in(self, file: Values, base: Values) -> set[str]:
        """Return the fields of a file that have changed since the last sync."""
        names = set(file) if self.has_places else {*file, *base}
        return {name for name in names if file.get(name) != base.get(name)}

    def exported(self, values: Values, changed: Collection[str] = ()) -> Values:
        """Return the values that an export writes, in one form.

        If some are ``changed``, leaves out others that go along with these.
        """
        along = {name for name, leader in self.along if leader in changed and name not in changed}
        outgoing = {n: values.get(n) for n in self.outgoing_in(values) if n not in along}
        return {
            name: sorted(value) if name in self.sets else value
            for name, value in outgoing.items()
            if value not in (None, [])
        }

    def put(self, values: Values, name: str, value: Any) -> None:
        """Set a value; None removes it, unless it stands for an empty place."""
        if value is None and not self.has_places:
            values.pop(name, None)
        else:
            values[name] = value


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


IsTaken = Callable[[str, Any], bool]
"""Whether another paper has the value of a field that only one paper can have."""


def merge(
    fields: Fields,
    base: Values,
    file: Values,
    then: Values,
    now: Values,
    ask: Ask,
    *,
    held: Collection[str] = (),
    is_taken: IsTaken = lambda name, value: False,
) -> Merged:
    """What the file's changes since ``base`` mean for a library, changed since ``then`` to ``now``.

    Fields in ``held`` are not lowered unasked: the library knows more of them than the file; nor is
    a value that ``is_taken`` by another paper taken unasked. Where entries may lack places, a field
    that the file has no place for, or had none for before, is not compared: a new column of empty
    cells takes nothing away.
    """
    merged = Merged(then=dict(then))
    for name in fields.single_in(base, file):
        sides = (base.get(name), file.get(name), then.get(name), now.get(name))
        if not fields.has_places or (name in file and name in base):
            _merge_single(merged, fields, name, sides, ask, held, is_taken)
        elif _says_more(name, file.get(name), now.get(name)):
            merged.scalars[name] = file[name]
            merged.then[name] = file[name]
    for name in fields.sets:
        members = [values.get(name, []) for values in (base, file, then, now)]
        _merge_members(merged, fields, name, members, ask)
    return merged


def _says_more(name: str, file: Any, now: Any) -> bool:
    """Return whether a new place in the file has a value that the library lacks."""
    return bool(file) and (not now or (name == "passes" and file > now))


def _merge_single(
    merged: Merged,
    fields: Fields,
    name: str,
    sides: tuple[Any, Any, Any, Any],
    ask: Ask,
    held: Collection[str],
    is_taken: IsTaken,
) -> None:
    base, file, _, now = sides
    outcome = compare(*sides)
    if outcome in ("same", "library"):
        return
    is_of_another = outcome == "file" and is_taken(name, file)
    is_held = outcome == "file" and name in held and (file or 0) < (now or 0)
    is_asked = outcome == "conflict" or is_of_another or is_held
    side = ask(name, base, file, now) if is_asked else "file"
    if side is None:
        merged.open.add(name)
    elif side == "file" or not is_of_another:
        # What the library keeps against the file counts as changed since: it goes out again.
        fields.put(merged.then, name, file)
    if side == "file" and file != now:
        merged.scalars[name] = file


def _merge_members(
    merged: Merged, fields: Fields, name: str, members: Sequence[Sequence[Any]], ask: Ask
) -> None:
    """Merge a set; ``members`` are the four sides', in the order of ``compare_sets``."""
    base, file, then, now = members
    changes = compare_sets(base, file, then, now)
    if name in fields.outgoing and changes.is_conflict:
        side = ask(name, list(changes.file_removed), list(file), list(now))
        if side is None:
            merged.open.add(name)
            return
        if side == "library":
            # As if the file's replacement had been taken and then replaced in the library.
            merged.then[name] = list(file)
            return
        dropped = (*changes.file_removed, *without(changes.library_added, file))
        changes = SetChanges(changes.file_added, dropped, (), ())
    added = without(changes.file_added, now)
    removed = tuple(member for member in changes.file_removed if member in now)
    if added:
        merged.added[name] = added
    if removed:
        merged.removed[name] = removed
    members_now = [*without(now, removed), *added]
    merged_then = [
        *without(members_now, without(changes.library_added, changes.file_added)),
        *without(changes.library_removed, changes.file_removed),
    ]
    if merged_then or name in merged.then:
        merged.then[name] = merged_then


def then_of_one(
    fields: Fields, before: Values, file: Values, then: Values, after: Values
) -> Values:
    """Return the library's values at the last sync with one of several entries.

    ``before`` are its former ones, and ``file`` the entry's values. ``then`` are those of all
    entries, ``after`` those that count now. A value that another entry has again and this one has
    not waits for an export.
    """
    own = dict(before)
    for name in [name for name in {**then, **after} if then.get(name) != after.get(name)]:
        if name in fields.sets:
            own[name] = _changed_along(name, before, then, after)
        elif name in fields.unsaid or file.get(name) == after.get(name):
            leave_as_before(own, name, after)
    return own


def with_changes(values: Values, then: Values, now: Values) -> Values:
    """Return the values, updated with what has changed between then and now."""
    names = {name for name in then.keys() | now.keys() if then.get(name) != now.get(name)}
    unchanged = {name: value for name, value in values.items() if name not in names}
    return unchanged | {name: now[name] for name in names if name in now}


def leave_as_before(values: Values, name: str, before: Values) -> None:
    """Set a value to what it was before, or remove it if it was missing."""
    if name in before:
        values[name] = before[name]
    else:
        values.pop(name, None)


def capped(values: Values, max_passes: int | None) -> Values:
    """Return the values with no more passes than a document's marks can show."""
    if max_passes is None:
        return values
    return {**values, "passes": min(values.get("passes") or 0, max_passes)}


def find_waiting(fields: Fields, then: Values, now: Values) -> Values:
    """Return the library's former values of the fields that wait for an export."""
    return {
        name: then.get(name, [] if name in fields.sets else None)
        for name in fields.outgoing_in(then, now)
        if (then.get(name) or None) != (now.get(name) or None)
    }


def keep_in_step(fields: Fields, then: Values, before: Values, after: Values) -> Values:
    """``then`` after a change of the library, from ``before`` to ``after``, not to be exported.

    What waited for an export still does.
    """
    values = dict(then)
    for name in fields.single_in(then, before, after):
        if then.get(name) == before.get(name):
            values[name] = after.get(name)
    for name in fields.sets:
        values[name] = _changed_along(name, then, before, after)
    return values


def _changed_along(name: str, values: Values, before: Values, after: Values) -> list[Any]:
    """Return a set's members with the changes from ``before`` to ``after``."""
    old, new = before.get(name, []), after.get(name, [])
    members = without(values.get(name, []), without(old, new))
    return [*members, *without(without(new, old), members)]


def aggregate(fields: Fields, entries: Sequence[Mapping[str, Any]]) -> Values:
    """Return the values of a paper's entries in one document together.

    Takes the most passes, the best rating, the first of other values, and the union of sets.
    """
    first, *rest = entries
    values = dict(first)
    for entry in rest:
        for name, value in entry.items():
            own = values.get(name)
            if name in fields.sets:
                values[name] = [*(own or []), *without(value, own or [])]
            elif name in ("passes", "rating") and value is not None:
                values[name] = max(own or 0, value)
            elif own is None:
                values[name] = value
    return values

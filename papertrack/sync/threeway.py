"""Three-way merge of the values of a file and the library since their last sync.

A change on one side is applied to the other. Different changes on both sides are a conflict, which
the user resolves or which stays open. All functions are pure; values are plain JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Values = dict[str, Any]
"""The values of an entry, or of its paper in the library, by field, as plain JSON."""

SCHEMES = ("arxiv", "doi", "url")
"""Identifier schemes that are single fields of a .bib entry."""
PUBLICATION = "publication."
"""The prefix of fields of the published version, such as ``publication.pages``."""

COLUMNS = {"type": "published_type"}
"""Fields that have another name in the store."""
OF_READING = ("passes", "rating")
"""Fields that describe the user's reading: every document shows the same values."""

Side = Literal["file", "library"]
Outcome = Literal["same", "file", "library", "agreed", "conflict"]
"""Which side changed; ``agreed`` if both changed to the same value."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A field that was changed to different values in the file and the library."""

    file: str
    line: int
    """The line of the entry, counted from 1."""
    citekey: str
    field: str
    base: Any
    """The file's value at the last sync; None if there was none."""
    file_value: Any
    library_value: Any
    owner: str | None = None
    """The citation key of the paper that already has the identifier in ``file_value``."""


Prefer = Side | Callable[[Conflict], Side | None] | None
"""How to resolve conflicts: always by one side, by a callback, or not at all (None)."""

Fate = Literal["unlink", "discard", "put-back"]
OnDeleted = Fate | Callable[[str, str], Fate]
"""What to do with a paper whose entry was deleted from a file.

A callback gets the citation key and the file's name.
"""

Ask = Callable[[str, Any, Any, Any], Side | None]
"""Resolves a conflict: gets the field, its base, and the values of the file and the library.

Returns the side to follow, or None to leave both as they are.
"""


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a format's entries, and in which directions they are synced."""

    sets: tuple[str, ...]
    """Fields with several values, stored as lists."""
    single: tuple[str, ...] = ()
    """Fields with one value; if empty, all fields that are not in ``sets``."""
    outgoing: tuple[str, ...] = ()
    """Fields that are exported to existing entries, single ones first; others are only imported.

    If empty, all fields but the ``incoming`` ones are exported.
    """
    incoming: tuple[str, ...] = ()
    """Fields that are only imported. Used if ``outgoing`` is empty."""
    along: tuple[tuple[str, str], ...] = ()
    """Pairs of fields: an export that changes the second also changes the first."""
    has_places: bool = False
    """Whether an entry may lack a place for a field; then a missing value is not a removal."""
    stands_for_text: bool = False
    """Whether stored texts are fingerprints that show if an entry changed.

    Then the old one stays stored until the entry has no unsettled field.
    """
    unsaid: tuple[str, ...] = ()
    """Fields for which the library has a value only if the user edited it.

    Otherwise a value read from the file would be exported again.
    """
    is_listing: bool = False
    """Whether sections are categories: listing a paper in one puts it in the category."""
    yields: bool = False
    """Whether an import leaves fields alone that a better source has set."""

    def single_in(self, *sides: Values) -> list[str]:
        """Return the fields with one value, of the format or among these values."""
        if self.single:
            return list(self.single)
        names = dict.fromkeys(name for side in sides for name in side)
        return [name for name in names if name not in self.sets]

    def outgoing_in(self, *sides: Values) -> list[str]:
        """Return the fields that are exported, of the format or among these values."""
        if self.outgoing:
            return list(self.outgoing)
        return sorted({name for side in sides for name in side}.difference(self.incoming))

    def changed_in(self, file: Values, base: Values) -> set[str]:
        """Return the fields in which an entry's values differ from those of the last sync."""
        names = set(file) if self.has_places else {*file, *base}
        return {name for name in names if file.get(name) != base.get(name)}

    def exported(self, values: Values, changed: Collection[str] = ()) -> Values:
        """Return the values of exported fields, normalized for comparison.

        Leaves out empty values, and fields that change along with one of the ``changed`` fields.
        """
        along = {name for name, leader in self.along if leader in changed and name not in changed}
        outgoing = {n: values.get(n) for n in self.outgoing_in(values) if n not in along}
        return {
            name: sorted(value) if name in self.sets else value
            for name, value in outgoing.items()
            if value not in (None, [])
        }

    def put(self, values: Values, name: str, value: Any) -> None:
        """Set a value; None removes it, or marks an empty place in formats that have places."""
        if value is None and not self.has_places:
            values.pop(name, None)
        else:
            values[name] = value


@dataclass(slots=True)
class Merged:
    """The changes that an import makes to one paper."""

    scalars: Values = field(default_factory=dict)
    """New values of fields with one value."""
    added: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    """Members to add to fields with several values."""
    removed: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    """Members to remove from them."""
    open: set[str] = field(default_factory=set)
    """Fields with an unresolved conflict."""
    then: Values = field(default_factory=dict)
    """The library's values to store as those of the last sync; others wait for an export."""


def compare(base: Any, file: Any, then: Any, now: Any) -> Outcome:
    """Return which sides changed a value since the last sync.

    ``base`` and ``file`` are the file's former and present value, ``then`` and ``now`` those of the
    library.
    """
    is_file_changed, is_library_changed = file != base, now != then
    if is_file_changed and is_library_changed:
        return "agreed" if file == now else "conflict"
    if is_file_changed:
        return "file"
    return "library" if is_library_changed else "same"


@dataclass(frozen=True, slots=True)
class SetChanges:
    """The members that each side added to a set and removed from it, in order."""

    file_added: tuple[Any, ...]
    file_removed: tuple[Any, ...]
    library_added: tuple[Any, ...]
    library_removed: tuple[Any, ...]

    @property
    def is_conflict(self) -> bool:
        """Return whether both sides replaced the same member by different ones."""
        return bool(
            any(member in self.library_removed for member in self.file_removed)
            and self.file_added
            and self.library_added
            and sorted(self.file_added) != sorted(self.library_added)
        )


def compare_sets(
    base: Sequence[Any], file: Sequence[Any], then: Sequence[Any], now: Sequence[Any]
) -> SetChanges:
    """Return how each side changed a set since the last sync.

    The parameters are those of ``compare``. Unlike single values, most changes can be combined.
    """
    return SetChanges(
        file_added=without(file, base),
        file_removed=without(base, file),
        library_added=without(now, then),
        library_removed=without(then, now),
    )


def without(members: Iterable[Any], others: Sequence[Any]) -> tuple[Any, ...]:
    """Return the members that are not among the others, in order."""
    return tuple(member for member in members if member not in others)


IsTaken = Callable[[str, Any], bool]
"""Returns whether another paper has this identifier; gets the field and its value."""


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
    """Merge the file's changes from ``base`` to ``file`` into the library.

    The library has changed from ``then`` to ``now``. ``ask`` resolves conflicts. It is also asked
    before a field in ``held`` is lowered, because the library knows more than the file, and about
    an identifier that ``is_taken`` by another paper. In formats with places, a field is compared
    only if the file has a place for it now and had one before, so that a new column of empty cells
    removes nothing.
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
        # A value that the library keeps counts as changed since the sync, so it is exported.
        fields.put(merged.then, name, file)
    if side == "file" and file != now:
        merged.scalars[name] = file


def _merge_members(
    merged: Merged, fields: Fields, name: str, members: Sequence[Sequence[Any]], ask: Ask
) -> None:
    """Merge a set; ``members`` are the parameters of ``compare_sets``, in order."""
    base, file, then, now = members
    changes = compare_sets(base, file, then, now)
    if name in fields.outgoing and changes.is_conflict:
        side = ask(name, list(changes.file_removed), list(file), list(now))
        if side is None:
            merged.open.add(name)
            return
        if side == "library":
            # As if the library had imported the file's replacement and then replaced it.
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


def leave_as_before(values: Values, name: str, before: Values) -> None:
    """Reset a value to the one in ``before``; remove it if it is missing there."""
    if name in before:
        values[name] = before[name]
    else:
        values.pop(name, None)


def capped(values: Values, max_passes: int | None) -> Values:
    """Return the values with at most ``max_passes`` passes; None sets no limit."""
    if max_passes is None:
        return values
    return {**values, "passes": min(values.get("passes") or 0, max_passes)}


def find_waiting(fields: Fields, then: Values, now: Values) -> Values:
    """Return the former values of fields that the library changed and has yet to export.

    ``then`` are the library's values at the last sync, ``now`` the present ones.
    """
    return {
        name: then.get(name, [] if name in fields.sets else None)
        for name in fields.outgoing_in(then, now)
        if (then.get(name) or None) != (now.get(name) or None)
    }


def keep_in_step(
    fields: Fields, then: Values, before: Values, after: Values, file: Values | None = None
) -> Values:
    """Return ``then`` with a change of the library applied that must not be exported.

    ``then`` are the library's values stored with an entry; the change is from ``before`` to
    ``after``. Earlier changes still wait for their export. If a paper has several entries, ``file``
    are the values of this one: what it does not show is exported to it.
    """
    values = dict(then)
    for name in [name for name in {**before, **after} if before.get(name) != after.get(name)]:
        if name in fields.sets:
            old, new = before.get(name, []), after.get(name, [])
            members = without(then.get(name, []), without(old, new))
            values[name] = [*members, *without(without(new, old), members)]
        elif file is None:
            if then.get(name) == before.get(name):
                leave_as_before(values, name, after)
        elif name in fields.unsaid or file.get(name) == after.get(name):
            leave_as_before(values, name, after)
    return values


def aggregate(fields: Fields, entries: Sequence[Mapping[str, Any]]) -> Values:
    """Combine the values of a paper's several entries in one document.

    Takes the most passes, the best rating, the first of other values, and the union of sets.
    """
    first, *rest = entries
    values = dict(first)
    for entry in rest:
        for name, value in entry.items():
            present = values.get(name)
            if name in fields.sets:
                values[name] = [*(present or []), *without(value, present or [])]
            elif name in OF_READING and value is not None:
                values[name] = max(present or 0, value)
            elif present is None:
                values[name] = value
    return values

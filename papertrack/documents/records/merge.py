"""Merge three versions of a record or table, and combine records of one work. Pure.

These are plain functions over dictionaries. ``sync``'s engine is separate: it matches rows with
papers, and edits texts that people laid out. A record has a name, and papertrack writes its whole
text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from papertrack.records import READER

Record = dict[str, Any]
SETS = (
    *("identifiers", "aliases", "links", "categories", "tags", "notes", "rejected", "different"),
    *("same_as", "forgotten"),
)
"""Fields that are sets: one side's additions and removals survive the other side's."""
MAPS = ("readings", "topics", "categories", "sources", "days", "newest")
"""Fields with entries of their own, each merged field by field.

``categories`` is a set of keys in a paper, and a map of their names in ``categories.toml``.
"""
_FIRST = ("added", "queue")
"""Fields where the earlier of two values wins."""
_LAST = ("order", "score", "cited", "days", "newest", "found", "updated", "announced", "version")
"""Fields where the later or larger of two values wins. No reader sets them."""


def element_key(element: Any) -> str:
    """Return the key that identifies an element of a set."""
    if isinstance(element, dict):
        names = [name for name in ("role", "url", "field", "value") if name in element]
        element = {name: element[name] for name in names} or element
    return _as_text(element)


def _as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _without_time(value: Any) -> Any:
    """Return a value without the time at which it was set."""
    return {k: v for k, v in value.items() if k != "at"} if isinstance(value, dict) else value


def merge_records(base: Record | None, ours: Record, theirs: Record) -> Record:
    """Merge both sides of a record or table. Contradictions are kept under ``conflicts``.

    Without a base, a known value beats an unknown one. A removal does not delete what the other
    side has changed.
    """
    return _Merge(base or {}, ours, theirs).merged()


class _Merge:
    """Three versions of a record, and the contradictions between them."""

    def __init__(self, *sides: Record) -> None:
        self.sides = sides
        self.contradictions: dict[str, list[Any]] = {}

    def merged(self) -> Record:
        was, ours, theirs = self.sides
        fields = {name: self._field(name) for name in dict.fromkeys([*ours, *theirs])}
        out = {name: value for name, value in fields.items() if value not in (None, [], {})}
        for side, other in ((ours, theirs), (theirs, ours)):
            if other.get("removed") and not side.get("removed") and _differs(side, was):
                out.pop("removed", None)
        if self.contradictions:
            contradictions = sorted(self.contradictions.items())
            out["conflicts"] = {path: {"values": values} for path, values in contradictions}
        return _each_once(out)

    def _field(self, name: str) -> Any:
        if name == "conflicts":
            return None
        sides = [side.get(name) for side in self.sides]
        kinds: tuple[tuple[Iterable[str], type, Callable[..., Any]], ...]
        kinds = (SETS, list, _merge_sets), (MAPS, dict, partial(self._map, name))
        for names, kind, merged in kinds:
            if name in names and _are_all(kind, sides):
                return merged(*(side or kind() for side in sides))
        return self._value(name, name, *sides)

    def _map(self, name: str, was: Record, ours: Record, theirs: Record) -> Record:
        out: Record = {}
        for key in dict.fromkeys([*ours, *theirs]):
            b, o, t = entries = [side.get(key) for side in (was, ours, theirs)]
            if not _are_all(dict, entries):
                out[key] = self._value(name, f"{name}.{key}", b, o, t)
            elif o is None or t is None:
                # One side removed it. It stays if the other side changed or added it.
                out[key] = (o or t) if (o or t) != b else None
            else:
                out[key] = self._entry(f"{name}.{key}", b or {}, o, t)
        return _compact(out)

    def _entry(self, path: str, *sides: Record) -> Record:
        names = dict.fromkeys([*sides[1], *sides[2]])
        rows = {name: [side.get(name) for side in sides] for name in names}
        return _compact({name: self._value(name, f"{path}.{name}", *rows[name]) for name in names})

    def _value(self, field: str, path: str, b: Any, o: Any, t: Any) -> Any:
        rivals = [side.get("conflicts", {}).get(path, {}).get("values", []) for side in self.sides]
        was, ours, theirs = zip(map(_without_time, (b, o, t)), rivals, strict=True)
        if theirs in (ours, was):
            value, disputed = o, rivals[1]
        elif ours == was:
            value, disputed = t, rivals[2]
        elif b is None and None in (o, t):  # Both sides added it, and one of them has no value.
            value, disputed = (t, rivals[2]) if o is None else (o, rivals[1])
        else:
            value, disputed = self._of_two(field, path, (o, rivals[1]), (t, rivals[2]))
        if disputed:
            self.contradictions[path] = disputed
        return value

    def _of_two(self, field: str, path: str, ours: _Contested, theirs: _Contested) -> _Contested:
        """Return the value of a field that both sides changed, and its contradictions."""
        values = [value for value, _ in (ours, theirs) if value is not None]
        if field in (*_FIRST, *_LAST, "sources"):
            return (min if field in _FIRST else max)(values, key=_when, default=None), []
        if (is_theirs := _by_source(path, *self.sides[1:])) is not None:
            return theirs if is_theirs else ours
        texts = {_as_text(_without_time(value)): value for value in [*values, *ours[1], *theirs[1]]}
        return max(values, key=_as_text, default=None), [texts[text] for text in sorted(texts)]


_Contested = tuple[Any, list[Any]]


def _are_all(kind: type, sides: Iterable[Any]) -> bool:
    """Return whether all values that exist are of one kind.

    A newer version may use another kind.
    """
    return {type(side) for side in sides if side is not None} == {kind}


def _compact(values: Record) -> Record:
    return {name: value for name, value in values.items() if value is not None}


def _differs(side: Record, was: Record) -> bool:
    return any(side.get(name) != was.get(name) for name in {*side, *was} - {"removed"})


def _merge_sets(was: Sequence[Any], ours: Sequence[Any], theirs: Sequence[Any]) -> list[Any]:
    keys = [{element_key(element) for element in side} for side in (was, ours, theirs)]
    elements = {element_key(element): element for element in [*theirs, *ours]}
    order = dict.fromkeys(map(element_key, [*ours, *theirs]))
    return [
        elements[key] for key in order if (key in keys[1]) == (key in keys[2]) or key not in keys[0]
    ]


def _when(value: Any) -> Any:
    """Return a sort key for two values of a field.

    It is the time of the source; the reader's value comes last.
    """
    if not isinstance(value, str):
        return (False, *(("", value) if isinstance(value, int | float) else (_as_text(value), 0)))
    source, _, at = value.partition(" ")
    return source == READER, at or source, 0, source


def _by_source(path: str, ours: Record, theirs: Record) -> bool | None:
    """Return whether theirs wins, as the reader's value or a source's later one.

    None if both are the reader's.
    """
    sources = [side.get("sources") for side in (ours, theirs)]
    origins = [origin.get(path) for origin in sources if isinstance(origin, dict)]
    texts = [origin for origin in origins if isinstance(origin, str)]
    if len(texts) < 2 or all(origin.startswith(f"{READER} ") for origin in texts):
        return None
    return bool(_when(texts[1]) > _when(texts[0]))


def _each_once(record: Record) -> Record:
    """Return the record without duplicate readings.

    Two sides may have imported the same reading from one file.
    """
    readings = record.get("readings")
    if not isinstance(readings, dict):
        return record
    first_keys: dict[str, str] = {}
    for key in sorted(readings):
        first_keys.setdefault(_as_text(readings[key]), key)
    keys = set(first_keys.values())
    return record | {"readings": {key: reading for key, reading in readings.items() if key in keys}}


def classes(same_as: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Group records of one work: the main record's name → the names of all, main first.

    The main record is the first by name that is not marked as the same as another.
    """
    top = {name: name for name in same_as}

    def find(name: str) -> str:
        while top[name] != name:
            top[name] = name = top[top[name]]
        return name

    for name in sorted(same_as):
        for other in same_as[name]:
            if other in top:
                top[find(name)] = find(other)
    groups: dict[str, list[str]] = {}
    for name in sorted(same_as):
        groups.setdefault(find(name), []).append(name)
    ordered = (
        sorted(names, key=lambda name: (bool(same_as[name]), name)) for names in groups.values()
    )
    return {names[0]: names for names in ordered}


def fold(records: Sequence[Record]) -> Record:
    """Combine records of one work. The first one's values win; sets and maps add up.

    The result is removed only if all records are.
    """
    records = [record for record in records if record]
    if len(records) < 2:
        return dict(*records)
    out: Record = {}
    for record in records:
        for name, value in record.items():
            out[name] = _of_both(name, out[name], value) if name in out else value
    out["added"] = min(record["added"] for record in records)
    out.pop("same_as", None)
    if not all(record.get("removed") for record in records):
        out.pop("removed", None)
    return _each_once(out)


def _of_both(name: str, first: Any, other: Any) -> Any:
    if name in SETS and _are_all(list, (first, other)):
        keys = {element_key(element) for element in first}
        return [*first, *(element for element in other if element_key(element) not in keys)]
    is_map = name in (*MAPS, "conflicts") and _are_all(dict, (first, other))
    return other | first if is_map else first


def patch(records: Sequence[Record], before: Record, now: Record) -> list[Record]:
    """Change the records of one work so that together they say ``now``.

    Together they said ``before``. Added and changed values go into the first record. Removed values
    go from all. Editing a field resolves its conflict.
    """
    patched = [dict(record) for record in records]
    for name in dict.fromkeys([*before, *now]):
        if before.get(name) != now.get(name) and name not in _KEPT:
            _patch_field(patched, name, before.get(name), now.get(name))
    return [{k: v for k, v in record.items() if v not in ([], {})} for record in patched]


_KEPT = ("conflicts", "same_as", "removed", "added")


def _patch_field(records: list[Record], name: str, was: Any, value: Any) -> None:
    kind = type(was or value)
    if name in SETS and kind is list:
        _patch_set(records, name, was or [], value or [])
    elif name in MAPS and kind is dict:
        _patch_map(records, name, was or {}, value or {})
    else:
        _put(records, name, was, value)


def _put(records: list[Record], name: str, was: Any, value: Any) -> None:
    if value is None:
        for record in records:
            record.pop(name, None)
        _decide(records, name)
    elif _without_time(value) != _without_time(was):
        records[0][name] = value
        _decide(records, name)


def _decide(records: list[Record], path: str) -> None:
    """Resolve the conflicts of a field, and of the fields below it."""
    for record in records:
        record["conflicts"] = {
            key: conflict
            for key, conflict in record.get("conflicts", {}).items()
            if not f"{key}.".startswith(f"{path}.")
        }


def _patch_set(records: list[Record], name: str, was: Sequence[Any], now: Sequence[Any]) -> None:
    removed = {*map(element_key, was)} - {*map(element_key, now)}
    changed = [item for item in now if item not in was]
    again = removed | {*map(element_key, changed)}
    for record in records:
        if name in record:
            record[name] = [item for item in record[name] if element_key(item) not in again]
    records[0][name] = [*records[0].get(name, []), *changed]


def _patch_map(records: list[Record], name: str, was: Record, now: Record) -> None:
    for key in dict.fromkeys([*was, *now]):
        if was.get(key) == now.get(key):
            continue
        owner = next((record for record in records if key in record.get(name, {})), records[0])
        old = owner.get(name, {}).get(key, {})
        for record in records:
            record[name] = {k: v for k, v in record.get(name, {}).items() if k != key}
        _decide(records, f"{name}.{key}")
        if key in now:
            owner[name] |= {key: _with_unknown(now[key], old, was.get(key) or {})}


def _with_unknown(entry: Any, old: Any, known_fields: Any) -> Any:
    """Return the entry, with the old entry's fields that this version does not know."""
    if not isinstance(entry, dict):
        return entry
    return {name: value for name, value in old.items() if name not in known_fields} | entry

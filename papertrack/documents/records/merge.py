"""One merge of three versions of a record or table, and papers that are one work seen as one. Pure.

A plain function over dictionaries, beside ``sync``'s engine: that one finds out which row is which
paper, and writes texts that people laid out. A record has its name, and its text is ours.
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
"""Fields that are sets: what one side adds or takes away, the other does not undo."""
MAPS = ("readings", "topics", "categories", "sources", "days", "newest")
"""Fields with entries of their own, each merged field by field. Of a paper ``categories`` is a set
of keys, of ``categories.toml`` what they are called."""
_FIRST = ("added", "queue")
"""Of two the earlier counts."""
_LAST = ("order", "score", "cited", "days", "newest", "found", "updated", "announced", "version")
"""Of two the later, or larger, counts: no reader set them."""


def element_key(element: Any) -> str:
    """What tells an element of a set from others."""
    if isinstance(element, dict):
        names = [name for name in ("role", "url", "field", "value") if name in element]
        element = {name: element[name] for name in names} or element
    return _as_text(element)


def _as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _said(value: Any) -> Any:
    """A value without when it was set, of what can be set twice to the same."""
    return {k: v for k, v in value.items() if k != "at"} if isinstance(value, dict) else value


def merge_records(base: Record | None, ours: Record, theirs: Record) -> Record:
    """What both sides made of a record or table. What contradicts is kept under ``conflicts``.

    With no base, what is known beats what is not. A removal does not take away what the other side
    has worked on.
    """
    return _Merge(base or {}, ours, theirs).merged()


class _Merge:
    """Three versions of a record, and what contradicts in them."""

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
            told = sorted(self.contradictions.items())
            out["conflicts"] = {path: {"values": values} for path, values in told}
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
                # Taken away by one side; it stays if the other side changed it, or added it.
                out[key] = (o or t) if (o or t) != b else None
            else:
                out[key] = self._entry(f"{name}.{key}", b or {}, o, t)
        return _known(out)

    def _entry(self, path: str, *sides: Record) -> Record:
        names = dict.fromkeys([*sides[1], *sides[2]])
        each = {name: [side.get(name) for side in sides] for name in names}
        return _known({name: self._value(name, f"{path}.{name}", *each[name]) for name in names})

    def _value(self, field: str, path: str, b: Any, o: Any, t: Any) -> Any:
        told = [side.get("conflicts", {}).get(path, {}).get("values", []) for side in self.sides]
        was, ours, theirs = zip(map(_said, (b, o, t)), told, strict=True)
        if theirs in (ours, was):
            value, both = o, told[1]
        elif ours == was:
            value, both = t, told[2]
        elif b is None and None in (o, t):  # Added on both sides, and one knows nothing.
            value, both = (t, told[2]) if o is None else (o, told[1])
        else:
            value, both = self._of_two(field, path, (o, told[1]), (t, told[2]))
        if both:
            self.contradictions[path] = both
        return value

    def _of_two(self, field: str, path: str, ours: _Told, theirs: _Told) -> _Told:
        """What a field is that both sides changed, and what contradicts in it."""
        known = [value for value, _ in (ours, theirs) if value is not None]
        if field in (*_FIRST, *_LAST, "sources"):
            return (min if field in _FIRST else max)(known, key=_when, default=None), []
        if (is_theirs := _by_source(path, *self.sides[1:])) is not None:
            return theirs if is_theirs else ours
        several = [*known, *ours[1], *theirs[1]]
        values = {_as_text(_said(one)): one for one in several}
        return max(known, key=_as_text, default=None), [values[text] for text in sorted(values)]


_Told = tuple[Any, list[Any]]


def _are_all(kind: type, sides: Iterable[Any]) -> bool:
    """Whether those that are there are of one kind: a newer papertrack may have another."""
    return {type(side) for side in sides if side is not None} == {kind}


def _known(values: Record) -> Record:
    return {name: value for name, value in values.items() if value is not None}


def _differs(side: Record, was: Record) -> bool:
    return any(side.get(name) != was.get(name) for name in {*side, *was} - {"removed"})


def _merge_sets(was: Sequence[Any], ours: Sequence[Any], theirs: Sequence[Any]) -> list[Any]:
    keys = [{element_key(one) for one in side} for side in (was, ours, theirs)]
    found = {element_key(one): one for one in [*theirs, *ours]}
    order = dict.fromkeys(map(element_key, [*ours, *theirs]))
    return [
        found[key] for key in order if (key in keys[1]) == (key in keys[2]) or key not in keys[0]
    ]


def _when(value: Any) -> Any:
    """What two values are ordered by: of a source its time, but the reader's word comes last."""
    if not isinstance(value, str):
        return (False, *(("", value) if isinstance(value, int | float) else (_as_text(value), 0)))
    source, _, at = value.partition(" ")
    return source == READER, at or source, 0, source


def _by_source(path: str, ours: Record, theirs: Record) -> bool | None:
    """Whether theirs counts, as it is the reader's word or a source's later one; None where both
    are the reader's."""
    sources = [side.get("sources") for side in (ours, theirs)]
    told = [one.get(path) for one in sources if isinstance(one, dict)]
    texts = [one for one in told if isinstance(one, str)]
    if len(texts) < 2 or all(one.startswith(f"{READER} ") for one in texts):
        return None
    return bool(_when(texts[1]) > _when(texts[0]))


def _each_once(record: Record) -> Record:
    """The record without readings that another one tells as well, such as both took from one
    file."""
    readings = record.get("readings")
    if not isinstance(readings, dict):
        return record
    found: dict[str, str] = {}
    for key in sorted(readings):
        found.setdefault(_as_text(readings[key]), key)
    kept = set(found.values())
    return record | {"readings": {key: one for key, one in readings.items() if key in kept}}


def classes(same_as: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """The records that are one work, by the one that stands for all: name → names, that one first.

    It is the first by name that says of no other that it is the same.
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
    found: dict[str, list[str]] = {}
    for name in sorted(same_as):
        found.setdefault(find(name), []).append(name)
    several = (
        sorted(names, key=lambda name: (bool(same_as[name]), name)) for names in found.values()
    )
    return {names[0]: names for names in several}


def fold(records: Sequence[Record]) -> Record:
    """Records of one work seen as one: the first one's values, then the others'; sets and maps add
    up. It is removed if all are."""
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
        keys = {element_key(one) for one in first}
        return [*first, *(one for one in other if element_key(one) not in keys)]
    is_map = name in (*MAPS, "conflicts") and _are_all(dict, (first, other))
    return other | first if is_map else first


def patch(records: Sequence[Record], before: Record, now: Record) -> list[Record]:
    """The records of one work, of which all together said ``before``, so that they say ``now``.

    What is added or set goes into the first; what is taken away goes from all. An edit of a field
    decides what contradicted in it.
    """
    found = [dict(record) for record in records]
    for name in dict.fromkeys([*before, *now]):
        if before.get(name) != now.get(name) and name not in _KEPT:
            _patch_field(found, name, before.get(name), now.get(name))
    return [{k: v for k, v in record.items() if v not in ([], {})} for record in found]


_KEPT = ("conflicts", "same_as", "removed", "added")


def _patch_field(found: list[Record], name: str, was: Any, value: Any) -> None:
    kind = type(was or value)
    if name in SETS and kind is list:
        _patch_set(found, name, was or [], value or [])
    elif name in MAPS and kind is dict:
        _patch_map(found, name, was or {}, value or {})
    else:
        _put(found, name, was, value)


def _put(found: list[Record], name: str, was: Any, value: Any) -> None:
    if value is None:
        for record in found:
            record.pop(name, None)
        _decide(found, name)
    elif _said(value) != _said(was):
        found[0][name] = value
        _decide(found, name)


def _decide(found: list[Record], path: str) -> None:
    """Let nothing contradict any more in a field, or below it."""
    for record in found:
        record["conflicts"] = {
            key: one
            for key, one in record.get("conflicts", {}).items()
            if not f"{key}.".startswith(f"{path}.")
        }


def _patch_set(found: list[Record], name: str, was: Sequence[Any], now: Sequence[Any]) -> None:
    gone = {*map(element_key, was)} - {*map(element_key, now)}
    changed = [one for one in now if one not in was]
    again = gone | {*map(element_key, changed)}
    for record in found:
        if name in record:
            record[name] = [one for one in record[name] if element_key(one) not in again]
    found[0][name] = [*found[0].get(name, []), *changed]


def _patch_map(found: list[Record], name: str, was: Record, now: Record) -> None:
    for key in dict.fromkeys([*was, *now]):
        if was.get(key) == now.get(key):
            continue
        owner = next((record for record in found if key in record.get(name, {})), found[0])
        old = owner.get(name, {}).get(key, {})
        for record in found:
            record[name] = {k: v for k, v in record.get(name, {}).items() if k != key}
        _decide(found, f"{name}.{key}")
        if key in now:
            owner[name] |= {key: _with_unknown(now[key], old, was.get(key) or {})}


def _with_unknown(entry: Any, old: Any, known: Any) -> Any:
    """The entry, with what a newer papertrack says in the old one."""
    if not isinstance(entry, dict):
        return entry
    return {name: value for name, value in old.items() if name not in known} | entry

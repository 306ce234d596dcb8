"""One merge of three versions of a record or table, and papers that are one work seen as one. Pure.

A plain function over dictionaries, beside ``sync``'s engine: that one finds out which row is which
paper, and writes texts that people laid out. A record has its name, and its text is ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from papertrack.records import READER

Record = dict[str, Any]
SETS = (
    *("identifiers", "aliases", "links", "categories", "tags", "notes", "rejected", "different"),
    *("same_as", "forgotten"),
)
"""Fields that are sets: what one side adds or takes away, the other does not undo."""
MAPS = ("readings", "topics", "categories", "sources", "days")
"""Fields with entries of their own, each merged field by field. Of a paper ``categories`` is a set
of keys, of ``categories.toml`` what they are called."""
_FIRST = ("added", "queue")
"""Of two the earlier counts."""
_LAST = ("order", "score", "cited", "days", "found", "updated", "announced", "version")
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
        out: Record = {}
        for name in dict.fromkeys([*ours, *theirs]):
            sides = [side.get(name) for side in self.sides]
            if name == "conflicts":
                continue
            if name in SETS and any(isinstance(side, list) for side in sides):
                value: Any = _merge_sets(*([] if side is None else side for side in sides))
            elif name in MAPS and any(isinstance(side, dict) for side in sides):
                value = self._map(name, *({} if side is None else side for side in sides))
            else:
                value = self._value(name, name, *sides)
            if value not in (None, [], {}):
                out[name] = value
        if "readings" in out:
            out["readings"] = _each_once(out["readings"])
        for side, other in ((ours, theirs), (theirs, ours)):
            if other.get("removed") and not side.get("removed") and _differs(side, was):
                out.pop("removed", None)
        if self.contradictions:
            told = sorted(self.contradictions.items())
            out["conflicts"] = {path: {"values": values} for path, values in told}
        return out

    def _map(self, name: str, was: Record, ours: Record, theirs: Record) -> Record:
        out: Record = {}
        for key in dict.fromkeys([*ours, *theirs]):
            b, o, t = entries = [side.get(key) for side in (was, ours, theirs)]
            if not any(isinstance(one, dict) for one in entries):
                value = self._value(name, f"{name}.{key}", b, o, t)
            elif o is None or t is None:
                # Taken away by one side; it stays if the other side changed it, or added it.
                value = (o or t) if b is None or (o or t) != b else None
            else:
                fields = {
                    field: self._value(
                        field,
                        f"{name}.{key}.{field}",
                        (b or {}).get(field),
                        o.get(field),
                        t.get(field),
                    )
                    for field in dict.fromkeys([*o, *t])
                }
                value = {field: one for field, one in fields.items() if one is not None}
            if value is not None:
                out[key] = value
        return out

    def _value(self, field: str, path: str, b: Any, o: Any, t: Any) -> Any:
        cb, co, ct = (side.get("conflicts", {}).get(path, {}).get("values") for side in self.sides)
        if (_said(o), co) == (_said(t), ct) or (_said(t), ct) == (_said(b), cb):
            value, both = o, co
        elif (_said(o), co) == (_said(b), cb):
            value, both = t, ct
        elif b is None and None in (o, t):  # Added on both sides, and one knows nothing.
            value, both = (t, ct) if o is None else (o, co)
        else:
            known = [one for one in (o, t) if one is not None]
            both = None
            if field in (*_FIRST, *_LAST, "sources"):
                value = (min if field in _FIRST else max)(known, key=_when) if known else None
            elif (is_theirs := _by_source(path, *self.sides[1:])) is not None:
                value, both = (t, ct) if is_theirs else (o, co)
            else:
                value = max(known, key=_as_text) if known else None
                values = {_as_text(_said(one)): one for one in [*known, *(co or ()), *(ct or ())]}
                both = [values[text] for text in sorted(values)]
        if both:
            self.contradictions[path] = both
        return value


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
    if isinstance(value, str) and " " in value:
        source, _, at = value.partition(" ")
        return source == READER, at, source
    return value


def _by_source(path: str, ours: Record, theirs: Record) -> bool | None:
    """Whether theirs counts, as it is the reader's word or a source's later one; None where both
    are the reader's."""
    told = [side.get("sources", {}).get(path) for side in (ours, theirs)]
    if None in told or all(one.startswith(f"{READER} ") for one in told):
        return None
    return bool(_when(told[1]) > _when(told[0]))


def _each_once(readings: Mapping[str, Record]) -> dict[str, Record]:
    """Readings without those that another one tells as well, such as both took from one file."""
    found: dict[str, str] = {}
    for key in sorted(readings):
        found.setdefault(_as_text(readings[key]), key)
    kept = set(found.values())
    return {key: one for key, one in readings.items() if key in kept}


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
        return records[0] if records else {}
    out: Record = {}
    for record in records:
        for name, value in record.items():
            if name == "conflicts":
                continue
            if name in SETS and isinstance(value, list):
                keys = {element_key(one) for one in out.get(name, ())}
                out[name] = [*out.get(name, []), *(v for v in value if element_key(v) not in keys)]
            elif name in MAPS and isinstance(value, dict):
                out[name] = value | out.get(name, {})
            elif name not in out:
                out[name] = value
    out["added"] = min(record["added"] for record in records)
    out.pop("same_as", None)
    if not all(record.get("removed") for record in records):
        out.pop("removed", None)
    conflicts: dict[str, Any] = {}
    for record in reversed(records):
        conflicts |= record.get("conflicts", {})
    if conflicts:
        out["conflicts"] = conflicts
    if "readings" in out:
        out["readings"] = _each_once(out["readings"])
    return out


def patch(records: Sequence[Record], before: Record, now: Record) -> list[Record]:
    """The records of one work, of which all together said ``before``, so that they say ``now``.

    What is added or set goes into the first; what is taken away goes from all. An edit of a field
    decides what contradicted in it.
    """
    found = [dict(record) for record in records]
    for name in dict.fromkeys([*before, *now]):
        was, value = before.get(name), now.get(name)
        if was == value or name in ("conflicts", "same_as", "removed", "added"):
            continue
        if name in SETS and not isinstance(was or value, dict):
            _patch_set(found, name, was or [], value or [])
        elif name in MAPS and isinstance(was or value, dict):
            _patch_map(found, name, was or {}, value or {})
        else:
            _put(found, name, name, was, value)
    return [{k: v for k, v in record.items() if v not in ([], {})} for record in found]


def _put(found: list[Record], name: str, path: str, was: Any, value: Any) -> None:
    if value is None:
        for record in found:
            record.pop(name, None)
    elif _said(value) != _said(was):
        found[0][name] = value
    else:
        return
    for record in found:
        record["conflicts"] = {
            key: one for key, one in record.get("conflicts", {}).items() if key != path
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
            start = f"{name}.{key}"
            record["conflicts"] = {
                path: one
                for path, one in record.get("conflicts", {}).items()
                if path != start and not path.startswith(start + ".")
            }
        if key in now:
            entry = now[key]
            if isinstance(entry, dict):  # What a newer papertrack says of it stays.
                known = was.get(key) or {}
                entry = {k: v for k, v in old.items() if k not in known} | entry
            owner[name] = owner[name] | {key: entry}

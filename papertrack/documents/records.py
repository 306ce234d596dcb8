"""The records of a shared library: TOML texts that git can merge, one fact per line. Pure.

A record or table is a plain dictionary. Fields that papertrack does not know are kept and written
back. ``sync``'s engine is separate: it matches rows with papers, and edits texts that people laid
out. A record has a name, and papertrack writes its whole text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time
from functools import partial, reduce
from hashlib import sha256
from itertools import chain
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    create_model,
)

from papertrack.contract import Day, check_suggestion
from papertrack.documents.conflict_markers import split_conflicts
from papertrack.errors import DocumentError
from papertrack.identifiers import parse_arxiv_id, parse_doi
from papertrack.identifiers.citekeys import is_kept_citekey
from papertrack.identifiers.feeds import is_kept_name
from papertrack.records import READER, Decision, Kind, LinkRole
from papertrack.text import clean, clean_block, group, parse_toml, split_doubled

Record = dict[str, Any]
LARGEST = 1_000_000
"""The most bytes that a record or table may have."""
SETS = (
    *("identifiers", "aliases", "links", "categories", "tags", "notes", "rejected", "different"),
    *("same_as", "forgotten"),
)
"""Fields that are sets: one side's additions and removals survive the other side's."""
MAPS = ("readings", "topics", "categories", "sources", "days", "newest", "conflicts")
"""Fields with entries of their own, each merged field by field.

``categories`` is a set of keys in a paper, and a map of their names in ``categories.toml``.
"""
_FIRST = ("added", "queue")
"""Fields where the earlier of two values wins."""
_LAST = ("order", "score", "cited", "days", "newest", "found", "updated", "announced", "version")
"""Fields where the later or larger of two values wins. No reader sets them."""
_REMOVAL = ("removed", "removed_from")
"""The mark of a removed paper, and the digest of the record that was removed."""
_BLOCKS = ("abstract", "takeaway")
"""Fields that keep their line breaks."""
_NAME = r"[a-z0-9][a-z0-9._-]{0,99}"
_LONGEST_NAME = 255
"""The most bytes in a file's name that systems allow."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_as_text = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode

# -- What a record may contain --------------------------------------------------------------------


def is_name(name: str) -> bool:
    """Return whether a record may have this file name on every system."""
    return re.fullmatch(_NAME, name) is not None and ".." not in name and name[-1] != "."


def _checked(kind: Any, is_valid: Callable[[Any], bool], problem: str) -> Any:
    """Return the type of values that are also valid; of others pydantic names the problem."""

    def check(value: Any) -> Any:
        if not is_valid(value):
            raise ValueError(problem)
        return value

    return Annotated[kind, AfterValidator(check)]


def _is_inside(path: str) -> bool:
    """Return whether a path stays in the library's folder on every system."""
    parts = path.lower().split("/")
    names = {"", ".", "..", ".git"}.isdisjoint(parts)
    if any(len(part.encode(errors="replace")) > _LONGEST_NAME for part in parts):
        return False
    return names and not path.startswith("~") and "\\" not in path and ":" not in path


def _is_identifier(text: str) -> bool:
    scheme, _, value = text.partition(":")
    if scheme == "arxiv":
        found = parse_arxiv_id(value)
        return found is not None and (found.id, found.version) == (value, None)
    return scheme != "doi" or parse_doi(value) == value


def _is_suggestion(rejected: Any) -> bool:
    check_suggestion(rejected.field, rejected.value)
    return True


def _short(most: int) -> Any:
    return Annotated[str, StringConstraints(min_length=1, max_length=most)]


_LINE: Any = _short(2_000)
_TEXT: Any = _short(100_000)
_LABEL: Any = _short(200)


def _like(pattern: str) -> Any:
    return Annotated[str, StringConstraints(pattern=f"^{pattern}$")]


def _whole(least: int, most: int) -> Any:
    return Annotated[int, Field(ge=least, le=most)]


def _many(kind: Any, most: int = 5_000) -> Any:
    return Annotated[list[kind], Field(max_length=most)]


def _map(kind: Any, most: int = 5_000, key: Any = _LABEL) -> Any:
    return Annotated[dict[key, kind], Field(max_length=most)]


def _shape(_required: str, /, **fields: Any) -> Any:
    """Make a model of a table with these known fields, of which some are required."""
    make: Any = create_model
    typed = {
        name: (kind, ...) if name in _required.split() else (kind | None, None)
        for name, kind in fields.items()
    }
    return make("Shape", __config__=ConfigDict(strict=True, extra="allow"), **typed)


_STAMP = _checked(
    _like(r"\d{4}-\d\d-\d\d([T ][\d:.+Z-]{1,30})?"),
    # In another time zone, it may be a day earlier or later.
    lambda text: date.min.year < datetime.fromisoformat(text).year < date.max.year,
    "is not a time",
)
_WHOLE_DAY = _checked(Day, lambda text: len(text) == len("2026-01-01"), "is no day")
_KEY = _checked(_short(1_000), is_kept_citekey, "is not a citation key")
_FEED = _checked(_LINE, is_kept_name, "is not the address of a feed")
_VERSION = _whole(1, 10_000)

_CONFLICTS = _map(_shape("values", values=_many(Any, 100)))
_ENTRIES: Mapping[str, type[BaseModel]] = {
    "decision": _shape("is", **{"is": Decision}, at=_STAMP, reason=_LINE),
    "authors": _shape("name", **dict.fromkeys(("name", "affiliation", "family"), _LINE)),
    "links": _shape("role url", role=LinkRole, url=_short(4_000), label=_LINE),
    "rejected": _shape("field value source", field=_short(40), value=_TEXT, source=_LINE),
    "readings": _shape(
        "pass",
        **{"pass": Literal[1, 2, 3]},
        at=Day,
        minutes=_whole(1, 100_000),
        version=_VERSION,
        takeaway=_TEXT,
    ),
    "topics": _shape("reason score at", reason=_TEXT, score=float, at=_STAMP),
    "categories.toml": _shape("name", name=_short(500), parent=_LABEL, order=_whole(0, 10**6)),
    "topics.toml": _shape(
        "name query added",
        name=_short(500),
        query=Annotated[str, StringConstraints(max_length=100_000)],
        **dict.fromkeys(("arxiv_categories", "category"), _many(_LINE)),
        feeds=_many(_FEED, 500),
        **dict.fromkeys(("has_cross_lists", "is_paused"), bool),
        added=_STAMP,
    ),
}
"""What the entries of a field contain, or of the map in a table."""
_PAPER = _shape(
    "added citekey",
    removed=bool,
    removed_from=_like("[0-9a-f]{16}"),
    citekey=_KEY,
    title=_LINE,
    kind=Kind,
    added=_STAMP,
    decision=_ENTRIES["decision"],
    rating=_whole(1, 5),
    queue=_STAMP,
    snoozed=Day,
    wish=Literal["more", "less"],
    cited=bool,
    **dict.fromkeys(("abstract", "description"), _TEXT),
    **dict.fromkeys(("submitted", "updated", "announced"), Day),
    version=_VERSION,
    primary_category=_LINE,
    arxiv_categories=_many(_LINE),
    **dict.fromkeys(("comment", "journal_ref", "venue"), _LINE),
    year=_whole(0, 9_999),
    published_type=_LINE,
    publication=_many(Annotated[list[_TEXT], Field(min_length=2, max_length=2)], 200),
    licence=_LINE,
    is_withdrawn=bool,
    authors=_many(_LINE | _ENTRIES["authors"], 10_000),
    identifiers=_many(
        _checked(_like(r"[a-z]{2,20}:.{1,2000}"), _is_identifier, "is no identifier of its scheme")
    ),
    aliases=_many(_KEY),
    links=_many(_ENTRIES["links"]),
    categories=_many(_LINE),
    tags=_many(_LABEL),
    notes=_many(_checked(_short(1_000), _is_inside, "is not a path inside the library")),
    rejected=_many(_checked(_ENTRIES["rejected"], _is_suggestion, "is no suggestion")),
    **dict.fromkeys(("different", "same_as"), _many(_like(_NAME))),
    conflicts=_CONFLICTS,
    readings=_map(_ENTRIES["readings"]),
    sources=_map(Annotated[_short(100), StringConstraints(pattern=r"^\S+ \S+$")], 100),
    topics=_map(_ENTRIES["topics"]),
)
"""The fields of a record, in the order of its text; unknown ones follow."""
_ORDER = {name: place for place, name in enumerate(_PAPER.model_fields)}
_MODELS: Mapping[str, type[BaseModel]] = {
    file: _shape("", **fields, conflicts=_CONFLICTS)
    for file, fields in {
        "categories.toml": {"categories": _map(_ENTRIES["categories.toml"])},
        "topics.toml": {"topics": _map(_ENTRIES["topics.toml"], 1_000), "forgotten": _many(_LABEL)},
        "watch.toml": {"days": _map(_WHOLE_DAY, 1_000), "newest": _map(_LINE, 1_000, _FEED)},
    }.items()
}


def known_part(record: Record, file: str = "") -> Record:
    """Return what the database can hold of a record or table: fields that this version knows."""
    fields = _MODELS.get(file, _PAPER).model_fields
    out = {name: record[name] for name in record if name in fields and name != "conflicts"}
    for name in out:
        if (shape := _ENTRIES.get(file or name)) and _kind(name, out[name]) is dict:
            out[name] = {key: _known(entry, shape) for key, entry in out[name].items()}
        elif shape:
            out[name] = _known(out[name], shape)
    return out


def _known(entry: Any, shape: type[BaseModel]) -> Any:
    if isinstance(entry, list):
        return [_known(item, shape) for item in entry]
    if not isinstance(entry, dict):
        return entry
    return {name: value for name, value in entry.items() if name in shape.model_fields}


# -- Text -----------------------------------------------------------------------------------------


def parse_record(data: bytes, file: str = "") -> Record:
    """Parse a record, or a table, such as ``categories.toml``, if ``file`` names one.

    A file that was committed with git's conflict markers is merged first, and so is one in which a
    merge of its lines put a key or table twice. Raises DocumentError for anything that is not a
    record, with the reason.
    """
    if len(data) > LARGEST:
        raise DocumentError(f"{file} is larger than {LARGEST:,} bytes.")
    if torn := split_conflicts(data):
        # Each side is a record, but the merged record may still be invalid.
        data = merge_record_files((torn.base, torn.ours, torn.theirs), file)
    try:
        return parse_valid_record(data, file)
    except DocumentError:
        with suppress(DocumentError, ValueError):
            sides = [parse_valid_record(s.encode(), file) for s in split_doubled(data.decode())]
            merged = format_record(reduce(partial(merge_records, None), sides))
            return parse_valid_record(merged.encode(), file)
        raise


def parse_valid_record(data: bytes, file: str) -> Record:
    """Parse a record or table that is not to be merged first. Raises DocumentError."""
    try:
        record: Record = _cleaned(parse_toml(data.decode().replace("\r\n", "\n")))
        _MODELS.get(file, _PAPER).model_validate(record)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise DocumentError(clean(f"{file}: {place}: {first['msg']}")[:300]) from None
    except (ValueError, RecursionError) as error:
        raise DocumentError(clean(f"{file} is not TOML: {error}")[:300]) from None
    record = _valued(record)
    if "removed_from" in record and record["removed_from"] != _digest(record):
        return unmark_removed(record)  # Others changed it, and git merged the texts.
    return record


def _cleaned(value: Any, name: str = "", depth: int = 0) -> Any:
    if depth > 20:
        raise ValueError("its tables are nested too deep")
    if isinstance(value, str):
        return clean_block(value) if name in _BLOCKS else clean(value)
    if isinstance(value, dict):
        return {clean(key): _cleaned(item, key, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_cleaned(item, name, depth + 1) for item in value]
    if isinstance(value, int | float) and not abs(value) < 2**53:
        raise ValueError(f"{name} is too large a number")
    # A date without quotes.
    return value.isoformat() if isinstance(value, date | datetime | time) else value


def mark_removed(record: Record) -> Record:
    """Return the record marked as removed, and from which content it was removed."""
    return record | {"removed": True, "removed_from": _digest(record)}


def unmark_removed(record: Record) -> Record:
    """Return the record without the mark of a removal."""
    return {name: value for name, value in record.items() if name not in _REMOVAL}


def _digest(record: Record) -> str:
    return sha256(_as_text(unmark_removed(record)).encode()).hexdigest()[:16]


def format_record(record: Record) -> str:
    """Format a record or table as text: facts in a fixed order, with blank lines between."""
    names = sorted(record, key=lambda name: (_ORDER.get(name, len(_ORDER)), name))
    maps = [name for name in names if _kind(name, record[name]) is dict]
    facts = (_fact(name, record[name]) for name in names if name not in maps)
    return "\n".join([*facts, *(text for name in maps for text in _entries(name, record[name]))])


def _fact(name: str, value: Any) -> str:
    if _kind(name, value) is list:
        return f"{_key(name)} = [\n" + "".join(f"  {_value(item)},\n" for item in value) + "]\n"
    return f"{_key(name)} = {_value(value)}\n"


def _entries(name: str, entries: Record) -> Iterator[str]:
    if any(not isinstance(entry, dict) for entry in entries.values()):
        yield f"[{name}]\n"
        yield from (_fact(key, entry) for key, entry in sorted(entries.items()))
        return
    for key, entry in sorted(entries.items(), key=lambda pair: (str(pair[1].get("at", "")), pair)):
        facts = "".join(f"{_key(field)} = {_value(value)}\n" for field, value in entry.items())
        yield f"[{name}.{_key(key)}]\n{facts}"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _value(name)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        facts = (f"{_key(key)} = {_value(item)}" for key, item in value.items())
        return "{ " + ", ".join(facts) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    # JSON strings and numbers are valid TOML, except DEL.
    return _as_text(value).replace("\x7f", "\\u007f")


# -- Parts of fields ------------------------------------------------------------------------------

_Kind = type[list[Any]] | type[dict[str, Any]] | None


def _kind(name: str, *values: Any) -> _Kind:
    """Return list for a set, dict for a map, and None for a field with a single value.

    A newer version may use another kind, which is then a single value.
    """
    types = {type(value) for value in values if value is not None}
    if types == {list}:
        return list if name in SETS else None
    return dict if types == {dict} and name in MAPS else None


def _split(kind: _Kind, value: Any) -> dict[str, Any]:
    """Return the elements of a set, the entries of a map, or a single value, by their keys."""
    if kind is None:
        return {} if value is None else {"": value}
    if not isinstance(value, kind):
        return {}
    return value if isinstance(value, dict) else {element_key(item): item for item in value}


def _join(kind: _Kind, parts: dict[str, Any]) -> Any:
    """Return the value of which ``_split`` made these parts."""
    if kind is None:
        return parts.get("")
    return parts if kind is dict else [*parts.values()]


def element_key(element: Any) -> str:
    """Return the key that identifies an element of a set."""
    if isinstance(element, dict):
        names = [name for name in ("role", "url", "field", "value") if name in element]
        element = {name: element[name] for name in names} or element
    return _as_text(element)


def _without_time(value: Any) -> Any:
    return {k: v for k, v in value.items() if k != "at"} if isinstance(value, dict) else value


def _valued(values: Record) -> Record:
    return {name: value for name, value in values.items() if value not in (None, [], {})}


# -- Merging three versions -----------------------------------------------------------------------


def merge_records(base: Record | None, ours: Record, theirs: Record) -> Record:
    """Merge both sides of a record or table. Contradictions are kept under ``conflicts``.

    Without a base, a known value beats an unknown one. A removal does not delete what the other
    side has changed.
    """
    return _Merge(base or {}, ours, theirs).merged()


def merge_record_files(versions: Sequence[bytes], file: str) -> bytes:
    """Merge three versions of a record's or table's file, of which empty ones did not exist.

    An empty table has no entries. An invalid base counts as none. Raises DocumentError if a side is
    no record.
    """
    if file not in _MODELS and not all(data.strip() for data in versions[1:]):
        return versions[1] or versions[2]
    base, (ours, theirs) = None, (parse_record(data, file) for data in versions[1:])
    with suppress(DocumentError):
        base = parse_record(versions[0], file)
    return format_record(merge_records(base, ours, theirs)).encode()


_Contested = tuple[Any, list[Any]]
"""A value, and the values that contradict each other."""


class _Merge:
    """Three versions of a record, and the contradictions between them."""

    def __init__(self, *sides: Record) -> None:
        self.sides = sides
        self.contradictions: dict[str, list[Any]] = {}

    def merged(self) -> Record:
        was, ours, theirs = self.sides
        names = {**ours, **theirs}.keys() - {"conflicts", *_REMOVAL}
        out = _valued({name: self._field(name) for name in names})
        if self.contradictions:
            contradictions = sorted(self.contradictions.items())
            out["conflicts"] = {path: {"values": values} for path, values in contradictions}
        out = _each_once(out)
        kept = [_digest(side) for side in (ours, theirs) if not side.get("removed")]
        unchanged = [] if was.get("removed") else [_digest(was)]
        return mark_removed(out) if kept in ([], unchanged) else out

    def _field(self, name: str) -> Any:
        values = [side.get(name) for side in self.sides]
        kind = _kind(name, *values)
        sides = [_split(kind, value) for value in values]
        parts = {
            key: self._part(
                kind, name, f"{name}.{key}" if kind else name, *(side.get(key) for side in sides)
            )
            for key in dict.fromkeys([*sides[1], *sides[2]])
        }
        return _join(kind, _valued(parts))

    def _part(self, kind: _Kind, name: str, path: str, b: Any, o: Any, t: Any) -> Any:
        """Merge a single value, an element of a set, or an entry of a map."""
        if kind and None in (o, t):
            # One side removed it. It stays if the other side changed or added it.
            return (o or t) if (o or t) != b else None
        if not (kind is dict and isinstance(o, dict) and isinstance(t, dict)):
            return self._value(name, path, b, o, t)
        base = b if isinstance(b, dict) else {}
        return _valued(
            {
                field: self._value(
                    field, f"{path}.{field}", base.get(field), o.get(field), t.get(field)
                )
                for field in dict.fromkeys([*o, *t])
            }
        )

    def _value(self, field: str, path: str, b: Any, o: Any, t: Any) -> Any:
        known = [_contradictions(side, path) for side in self.sides]
        was, ours, theirs = zip(map(_without_time, (b, o, t)), known, strict=True)
        if theirs in (ours, was) or (b is None and t is None):
            value, both = o, known[1]
        elif ours == was or (b is None and o is None):
            value, both = t, known[2]
        else:
            value, both = self._of_two(field, path, (o, known[1]), (t, known[2]))
        if both:
            self.contradictions[path] = both
        return value

    def _of_two(self, field: str, path: str, ours: _Contested, theirs: _Contested) -> _Contested:
        """Return the value of a field that both sides changed, and its contradictions."""
        values = [value for value, _ in (ours, theirs) if value is not None]
        if field in (*_FIRST, *_LAST, *SETS, "sources"):
            return (min if field in _FIRST else max)(values, key=_when, default=None), []
        origins = [origin for side in self.sides[1:] if (origin := _origin(side, path))]
        if len(origins) == 2 and not all(o.startswith(f"{READER} ") for o in origins):
            return theirs if _when(origins[1]) > _when(origins[0]) else ours
        texts = {_as_text(_without_time(v)): v for v in (*values, *ours[1], *theirs[1])}
        return max(values, key=_as_text, default=None), [texts[text] for text in sorted(texts)]


def _contradictions(record: Record, path: str) -> list[Any]:
    """Return the values that contradict each other; none in a record that is not valid."""
    with suppress(AttributeError, KeyError, TypeError):
        return [*record["conflicts"][path]["values"]]
    return []


def _when(value: Any) -> Any:
    """Return a sort key for two values of a field.

    It is the time of the source; the user's value comes last.
    """
    if not isinstance(value, str):
        return (False, *(("", value) if isinstance(value, int | float) else (_as_text(value), 0)))
    source, _, at = value.partition(" ")
    return source == READER, at or source, 0, source


def _origin(record: Record, field: str) -> str | None:
    """Return the source and time of a field's value."""
    sources = record.get("sources")
    origin = sources.get(field) if isinstance(sources, dict) else None
    return origin if isinstance(origin, str) else None


def _each_once(record: Record) -> Record:
    """Return the record without duplicate readings.

    Two sides may have imported the same reading from one file.
    """
    readings = record.get("readings")
    if not isinstance(readings, dict):
        return record
    first = {_as_text(readings[key]): key for key in sorted(readings, reverse=True)}
    kept = {key: entry for key, entry in readings.items() if first[_as_text(entry)] == key}
    return record | {"readings": kept}


# -- Records of one work --------------------------------------------------------------------------


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
    ordered = sorted(same_as, key=lambda name: (bool(same_as[name]), name))
    groups = group((find(name), name) for name in ordered)
    return {names[0]: names for names in groups.values()}


def fold(records: Sequence[Record]) -> Record:
    """Combine records of one work. The first record's values win; sets and maps are united.

    The result is removed only if all records are.
    """
    records = [record for record in records if record]
    if len(records) < 2:
        return dict(*records)
    out: Record = {}
    for name in dict.fromkeys(chain.from_iterable(records)):
        values = [record.get(name) for record in records]
        kind, parts = _kind(name, *values), dict[str, Any]()
        for key, part in chain.from_iterable(_split(kind, value).items() for value in values):
            parts.setdefault(key, part)
        out[name] = _join(kind, parts)
    out["added"] = min(record["added"] for record in records)
    out.pop("same_as", None)
    is_removed = all(record.get("removed") for record in records)
    return _each_once(out if is_removed else unmark_removed(out))


def patch(records: Sequence[Record], before: Record, now: Record) -> list[Record]:
    """Change the records of one work so that, combined, they equal ``now``.

    Combined, they equal ``before`` at first. Added and changed values go into the first record, or
    into the first that has the element or entry. Removed values go from all. Editing a field
    resolves its conflict.
    """
    patched, edited = [dict(record) for record in records], list[str]()
    for name in {**before, **now}.keys() - {"conflicts", "same_as", "added", *_REMOVAL}:
        was, value = before.get(name), now.get(name)
        kind = _kind(name, was, value)
        if was == value or (kind is None and _without_time(was) == _without_time(value)):
            continue
        parts = [{**_split(kind, record.get(name))} for record in patched]
        old, new = _split(kind, was), _split(kind, value)
        for key in _put_all(kind, parts, old, new):
            paths = _edited(f"{name}.{key}", old.get(key), new.get(key))
            edited += paths if kind is dict else [f"{name}."]
        for record, part in zip(patched, parts, strict=True):
            record[name] = _join(kind, part)
    return [_valued(record | {"conflicts": _open(record, edited)}) for record in patched]


def _put_all(kind: _Kind, parts: Sequence[Record], was: Record, now: Record) -> list[str]:
    """Change the parts of a field in each record; return the keys of those that differ."""
    keys = [key for key in {**was, **now} if was.get(key) != now.get(key)]
    for key in keys:
        owner = next((part for part in parts if kind and key in part), parts[0])
        if key in now:
            owner[key] = _with_unknown(now[key], owner.get(key), was.get(key))
        else:
            for part in parts:
                part.pop(key, None)
    return keys


def _edited(path: str, was: Any, now: Any) -> list[str]:
    """Return the paths of the fields that differ in an entry; empty fields may be left out."""
    if not (isinstance(was, dict) and isinstance(now, dict)):
        return [f"{path}."]
    names = [name for name in was | now if (was.get(name) or None) != (now.get(name) or None)]
    return [f"{path}.{name}." for name in names]


def _with_unknown(value: Any, old: Any, known: Any) -> Any:
    """Return the value with the fields of the old one that this version does not know."""
    if not (isinstance(value, dict) and isinstance(old, dict)):
        return value
    return {name: item for name, item in old.items() if name not in (known or {})} | value


def _open(record: Record, edited: Iterable[str]) -> Record:
    """Return the conflicts of a record but those in fields that were edited."""
    conflicts = record.get("conflicts", {}).items()
    return {path: c for path, c in conflicts if not f"{path}.".startswith(tuple(edited))}

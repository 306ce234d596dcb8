"""Read and write records as TOML, one fact per line, so that git can merge them.

A record is a plain dictionary. Fields that papertrack does not know are kept and written back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time
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

from papertrack.contract import check_suggestion
from papertrack.documents.records.merge import MAPS, SETS, Record, merge_records
from papertrack.documents.torn import take_apart
from papertrack.errors import DocumentError
from papertrack.identifiers import parse_arxiv_id, parse_doi
from papertrack.identifiers.citekeys import is_citekey
from papertrack.identifiers.feeds import is_kept_name
from papertrack.records import Decision, Kind, LinkRole
from papertrack.text import clean, clean_block, parse_toml

LARGEST = 1_000_000
"""The most bytes that a record or table may have."""
PAPERS = "papers"
"""The folder of the records."""
TABLES = ("categories.toml", "topics.toml", "watch.toml")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BLOCKS = ("abstract", "takeaway")
"""Fields that keep their line breaks."""
_ORDER = (
    *("removed", "citekey", "title", "kind", "added", "decision", "rating", "queue", "snoozed"),
    *("wish", "cited", "abstract", "description", "submitted", "updated", "announced", "version"),
    *("primary_category", "arxiv_categories", "comment", "journal_ref", "venue", "year"),
    *("published_type", "publication", "licence", "is_withdrawn", "authors"),
    *("identifiers", "aliases", "links", "categories", "tags", "notes", "rejected", "different"),
    *("same_as", "forgotten"),
)
"""The order of the fields at the top of a record. Other fields follow."""


def is_name(name: str) -> bool:
    """Return whether a record may have this file name on every system."""
    return _NAME.fullmatch(name) is not None and ".." not in name and name[-1] != "."


def _checked(is_valid: Callable[[Any], bool], problem: str) -> AfterValidator:
    """Make a validator of values; the error for an invalid value is ``problem``."""

    def check(value: Any) -> Any:
        if not is_valid(value):
            raise ValueError(problem)
        return value

    return AfterValidator(check)


def _is_inside(path: str) -> bool:
    """Return whether a path stays in the library's folder on every system."""
    names = {"", ".", "..", ".git"}.isdisjoint(part.lower() for part in path.split("/"))
    return names and not path.startswith("~") and "\\" not in path and ":" not in path


def _is_time(text: str) -> bool:
    return bool(datetime.fromisoformat(text))


def _is_identifier(text: str) -> bool:
    scheme, _, value = text.partition(":")
    if scheme == "arxiv":
        parsed = parse_arxiv_id(value)
        return parsed is not None and (parsed.id, parsed.version) == (value, None)
    return scheme != "doi" or parse_doi(value) == value


def _is_suggestion(rejected: Any) -> bool:
    check_suggestion(rejected.field, rejected.value)
    return True


def _short(most: int) -> Any:
    return Annotated[str, StringConstraints(min_length=1, max_length=most)]


Line: Any = _short(2_000)
Text: Any = _short(100_000)
Stamp: Any = Annotated[_short(40), _checked(_is_time, "is not a time")]
Day: Any = Annotated[
    str, StringConstraints(pattern=r"^\d{4}(-\d\d(-\d\d([T ][\d:.+Z-]{1,30})?)?)?$")
]
Key: Any = Annotated[_short(200), _checked(is_citekey, "is not a citation key")]
Feed: Any = Annotated[Line, _checked(is_kept_name, "is not the address of a feed")]
Version: Any = Annotated[int, Field(ge=1, le=10_000)]
Lines: Any = Annotated[list[Line], Field(max_length=5_000)]
Name: Any = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]{0,99}$")]
_STRICT = ConfigDict(strict=True, extra="allow")


def _shape(_title: str, /, **fields: Any) -> Any:
    """Make a model of a table with these known fields.

    A field that is not a tuple is optional.
    """
    typed = {
        key: value if isinstance(value, tuple) else (value | None, None)
        for key, value in fields.items()
    }
    make: Any = create_model
    return make(_title, __config__=_STRICT, **typed)


_Decided = _shape("Decided", **{"is": (Decision, ...)}, at=Stamp, reason=Line)
_Author = _shape("Author", name=(Line, ...), affiliation=Line, family=Line)
_Link = _shape("Link", role=(LinkRole, ...), url=(_short(4_000), ...), label=Line)
_Rejected = _shape("Rejected", field=(_short(40), ...), value=(Text, ...), source=(Line, ...))
_Reading = _shape(
    "Reading",
    **{"pass": (Literal[1, 2, 3], ...)},
    at=Day,
    minutes=Annotated[int, Field(ge=1, le=100_000)],
    version=Version,
    takeaway=Text,
)
_TopicMatch = _shape("Found", reason=(Text, ...), score=(float, ...), at=(Stamp, ...))
_Conflict = _shape("Conflict", values=(Annotated[list[Any], Field(max_length=100)], ...))


def _many(kind: Any, most: int = 5_000) -> Any:
    return Annotated[list[kind], Field(max_length=most)]


_LABEL: Any = _short(200)


def _map(kind: Any, most: int = 5_000) -> Any:
    return Annotated[dict[_LABEL, kind], Field(max_length=most)]


_Paper = _shape(
    "Paper",
    added=(Stamp, ...),
    citekey=(Key, ...),
    kind=Kind,
    removed=bool,
    cited=bool,
    is_withdrawn=bool,
    **dict.fromkeys(
        ("title", "comment", "journal_ref", "venue", "published_type", "licence"), Line
    ),
    **dict.fromkeys(("abstract", "description"), Text),
    **dict.fromkeys(("submitted", "updated", "announced", "snoozed"), Day),
    primary_category=Line,
    queue=Stamp,
    version=Version,
    year=Annotated[int, Field(ge=0, le=9_999)],
    rating=Annotated[int, Field(ge=1, le=5)],
    wish=Literal["more", "less"],
    decision=_Decided,
    arxiv_categories=Lines,
    publication=_many(Annotated[list[Text], Field(min_length=2, max_length=2)], 200),
    authors=_many(Line | _Author, 10_000),
    identifiers=_many(
        Annotated[
            str,
            StringConstraints(pattern=r"^[a-z]{2,20}:.{1,2000}$"),
            _checked(_is_identifier, "is not an identifier of its scheme"),
        ]
    ),
    aliases=_many(Key),
    links=_many(_Link),
    categories=Lines,
    tags=_many(_short(200)),
    notes=_many(Annotated[_short(1_000), _checked(_is_inside, "is not a path inside the library")]),
    rejected=_many(Annotated[_Rejected, _checked(_is_suggestion, "is no suggestion")]),
    different=_many(Name),
    same_as=_many(Name),
    readings=_map(_Reading),
    topics=_map(_TopicMatch),
    sources=_map(Annotated[_short(100), StringConstraints(pattern=r"^\S+ \S+$")], 100),
    conflicts=_map(_Conflict, 500),
)
_Category = _shape(
    "Category",
    name=(_short(500), ...),
    parent=_short(200),
    order=Annotated[int, Field(ge=0, le=10**6)],
)
_Topic = _shape(
    "Topic",
    name=(_short(500), ...),
    query=(Annotated[str, StringConstraints(max_length=100_000)], ...),
    arxiv_categories=Lines,
    feeds=_many(Feed, 500),
    category=Lines,
    has_cross_lists=bool,
    is_paused=bool,
    added=(Stamp, ...),
)
_MODELS: Mapping[str, type[BaseModel]] = {
    "categories.toml": _shape("Categories", categories=_map(_Category), conflicts=_map(_Conflict)),
    "topics.toml": _shape(
        "Topics",
        topics=_map(_Topic, 1_000),
        forgotten=_many(_short(200)),
        conflicts=_map(_Conflict),
    ),
    "watch.toml": _shape(
        "Watch",
        days=_map(Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\d$")], 1_000),
        newest=Annotated[dict[Feed, Line], Field(max_length=1_000)],
    ),
}


def parse_record(data: bytes, file: str = "") -> Record:
    """Parse a record, or one of ``TABLES`` if ``file`` names it.

    A file that was committed with git's conflict markers is merged first. Raises DocumentError for
    anything that is not a record, with the reason.
    """
    if len(data) > LARGEST:
        raise DocumentError(f"{file} is larger than {LARGEST:,} bytes.")
    if torn := take_apart(data):
        base, ours, theirs = (
            _parsed(side, file) if side.strip() else {}
            for side in (torn.base, torn.ours, torn.theirs)
        )
        # Each side is a record, but the merged record may still be invalid.
        data = format_record(merge_records(base, ours, theirs)).encode()
    return _parsed(data, file)


def _parsed(data: bytes, file: str) -> Record:
    try:
        record: Record = _cleaned(parse_toml(data.decode().replace("\r\n", "\n")))
        _MODELS.get(file, _Paper).model_validate(record)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise DocumentError(clean(f"{file}: {place}: {first['msg']}")[:300]) from None
    except (ValueError, RecursionError) as error:
        raise DocumentError(clean(f"{file} is not TOML: {error}")[:300]) from None
    return {name: value for name, value in record.items() if value not in ([], {})}


def _cleaned(value: Any, name: str = "", depth: int = 0) -> Any:
    if depth > 20:
        raise ValueError("its tables are nested too deep")
    if isinstance(value, str):
        return clean_block(value) if name in _BLOCKS else clean(value)
    if isinstance(value, dict):
        return {clean(key): _cleaned(item, key, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_cleaned(item, name, depth + 1) for item in value]
    return _plain(value, name)


def _plain(value: Any, name: str) -> Any:
    if isinstance(value, int | float) and not abs(value) < 2**53:
        raise ValueError(f"{name} is too large a number")
    # A date without quotes.
    return value.isoformat() if isinstance(value, date | datetime | time) else value


def format_record(record: Record) -> str:
    """Format a record or table as text: facts in a fixed order, with blank lines between."""
    names = [name for name in _ORDER if name in record]
    names += sorted(name for name in record if name not in _ORDER)
    top = (_fact(name, record[name]) for name in names if not _is_map(name, record[name]))
    tables = (
        text for name in names if _is_map(name, record[name]) for text in _map_of(name, record)
    )
    return "\n".join([*top, *tables])


def known_part(record: Record, file: str = "") -> Record:
    """Return a record or table without the fields that this version does not know.

    The database can hold only known fields.
    """
    out: Record = {}
    for name, value in record.items():
        if name not in _MODELS.get(file, _Paper).model_fields:
            continue
        shape = _ENTRIES.get(file + name)
        if shape and isinstance(value, dict):
            value = {key: _known_fields(item, shape) for key, item in value.items()}
        elif shape and isinstance(value, list):
            value = [_known_fields(item, shape) for item in value]
        out[name] = value
    return out


_ENTRIES = {
    **{"authors": _Author, "links": _Link, "rejected": _Rejected, "readings": _Reading},
    **{"topics": _TopicMatch, "topics.tomltopics": _Topic, "categories.tomlcategories": _Category},
}


def _known_fields(entry: Any, shape: type[BaseModel]) -> Any:
    if not isinstance(entry, dict):
        return entry
    return {name: value for name, value in entry.items() if name in shape.model_fields}


def _is_map(name: str, value: object) -> bool:
    return name in (*MAPS, "conflicts") and isinstance(value, dict)


def _fact(name: str, value: Any) -> str:
    if name in SETS and isinstance(value, list):
        return f"{_key(name)} = [\n" + "".join(f"  {_value(item)},\n" for item in value) + "]\n"
    return f"{_key(name)} = {_value(value)}\n"


def _map_of(name: str, record: Record) -> Iterator[str]:
    entries = record[name]
    if any(not isinstance(item, dict) for item in entries.values()):
        yield f"[{name}]\n"
        yield from (_fact(key, item) for key, item in sorted(entries.items()))
        return
    for key, entry in sorted(entries.items(), key=lambda row: (str(row[1].get("at", "")), row[0])):
        facts = "".join(f"{_key(field)} = {_value(item)}\n" for field, item in entry.items())
        yield f"[{name}.{_key(key)}]\n{facts}"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _value(name)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(v)}" for key, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    # JSON strings and numbers are valid TOML, except DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")

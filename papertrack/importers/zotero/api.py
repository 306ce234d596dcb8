"""Read the JSON of Zotero's local API into the same rows as Zotero's database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from papertrack.importers.model import Source
from papertrack.importers.zotero.items import source_of
from papertrack.importers.zotero.rows import (
    Creator,
    RawAnnotation,
    RawCollection,
    RawFile,
    RawItem,
    Rows,
)

JsonObject = Mapping[str, Any]
_MODES = {"imported_file": 0, "imported_url": 1, "linked_file": 2, "linked_url": 3}
_ANNOTATIONS = {"highlight": 1, "note": 2, "image": 3, "ink": 4, "underline": 5, "text": 6}
_NO_FIELDS = frozenset(
    "key version itemType creators tags collections relations dateAdded dateModified parentItem "
    "deleted note attachments notes linkMode contentType path filename".split()
)


class Library(NamedTuple):
    """One library in the answer: the user's own, or a group's."""

    number: int
    name: str | None
    """The group's name."""
    items: Sequence[JsonObject]
    tree: Sequence[JsonObject]
    """The library's collections."""


def read_libraries(libraries: Sequence[Library]) -> Source:
    """Return the contents of these libraries, as an importer of a database does."""
    rows = Rows()
    for library in libraries:
        _add(rows, library)
    return source_of(rows, _folder_of(libraries))


def _add(rows: Rows, library: Library) -> None:
    """Read one library; items and collections are numbered in their order."""
    if library.name is not None:
        rows.groups[library.number] = library.number, library.name
    items, tree = _by_key(library.items), _by_key(library.tree)
    numbers = {key: number for number, key in enumerate(items, len(rows.items) + 1)}
    places = {key: number for number, key in enumerate(tree, len(rows.collections) + 1)}
    for key, told in tree.items():
        parent, is_gone = places.get(_text(told.get("parentCollection"))), bool(told.get("deleted"))
        name = _text(told.get("name"))
        rows.collections[places[key]] = RawCollection(name, parent, library.number, is_gone)
    for key, told in items.items():
        added = _text(told.get("dateAdded")).replace("T", " ").removesuffix("Z")
        item = RawItem(numbers[key], _text(told.get("itemType")), library.number, key, added)
        inside = map(_text, told.get("collections", ()))
        item.collections = [places[name] for name in inside if name in places]
        _read_item(item, told)
        _read_part(item, told, numbers.get(_text(told.get("parentItem"))))
        rows.items[item.id] = item


def _read_item(item: RawItem, told: JsonObject) -> None:
    item.fields = {
        name: str(value)
        for name, value in told.items()
        if name not in _NO_FIELDS and isinstance(value, str | int) and str(value)
    }
    item.creators = [*map(_creator, _dicts(told.get("creators")))]
    tags = _dicts(told.get("tags"))
    item.tags = [(_text(one.get("tag")), int(one.get("type") == 1)) for one in tags]
    item.is_deleted = bool(told.get("deleted"))
    item.related = list(_related(told.get("relations")))


def _read_part(item: RawItem, told: JsonObject, parent: int | None) -> None:
    """Read a note, a file or an annotation."""
    if item.type in ("note", "attachment"):
        item.parent, item.note = parent, _text(told.get("note"))
    if item.type == "attachment":
        mode = _MODES.get(_text(told.get("linkMode")), 0)
        item.file = RawFile(mode, _text(told.get("contentType")), _path(told))
    if item.type == "annotation" and parent is not None:
        names = ("AuthorName", "Text", "Comment", "Color", "PageLabel", "SortIndex")
        words = (_text(told.get(f"annotation{name}")) for name in names)
        kind = _ANNOTATIONS.get(_text(told.get("annotationType")), 0)
        item.parent, item.annotation = parent, RawAnnotation(kind, *words)


def _creator(one: JsonObject) -> Creator:
    name = _text(one.get("name"))
    family = name or _text(one.get("lastName"))
    return Creator(_text(one.get("creatorType")), _text(one.get("firstName")), family, bool(name))


def _related(told: Any) -> Iterator[str]:
    found = told.get("dc:relation") if isinstance(told, dict) else None
    yield from (str(one) for one in (found if isinstance(found, list) else [found]) if one)


def _path(told: JsonObject) -> str:
    """Return a file's path in the form of Zotero's database."""
    path = _text(told.get("path"))
    name = _text(told.get("filename"))
    if name and not path.startswith(("storage:", "attachments:", "/")):
        return f"storage:{name}"
    return path


def _folder_of(libraries: Sequence[Library]) -> Path | None:
    """Return Zotero's folder, found by the first file in its storage."""
    for item in (item for library in libraries for item in library.items):
        links = item.get("links")
        enclosure = links.get("enclosure") if isinstance(links, dict) else None
        place = _text(enclosure.get("href")) if isinstance(enclosure, dict) else ""
        path = Path(unquote(place[7:]) if place.startswith("file://") else place)
        if path.is_absolute() and len(path.parts) > 3 and path.parents[1].name == "storage":
            return path.parents[2]
    return None


def _by_key(answered: Sequence[JsonObject]) -> dict[str, JsonObject]:
    """Return the content of each item or collection, by its key."""
    return {_text(one.get("key")): one for one in _dicts([all_.get("data") for all_ in answered])}


def _dicts(told: Any) -> list[JsonObject]:
    return [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []


def _text(value: Any) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""

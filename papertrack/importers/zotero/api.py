"""Put the JSON of Zotero's local API into the same rows as Zotero's database."""

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
    """A library in a response: the user's own, or a group's."""

    number: int
    name: str | None
    """The group's name."""
    items: Sequence[JsonObject]
    tree: Sequence[JsonObject]
    """The library's collections."""


def read_libraries(libraries: Sequence[Library]) -> Source:
    """Return the items of these libraries."""
    rows = Rows()
    for library in libraries:
        _add(rows, library)
    return source_of(rows, _folder_of(libraries))


def _add(rows: Rows, library: Library) -> None:
    """Add one library to the rows; its items and collections are numbered in order."""
    if library.name is not None:
        rows.groups[library.number] = library.number, library.name
    items, tree = _by_key(library.items), _by_key(library.tree)
    numbers = {key: number for number, key in enumerate(items, len(rows.items) + 1)}
    places = {key: number for number, key in enumerate(tree, len(rows.collections) + 1)}
    for key, data in tree.items():
        parent, is_gone = places.get(_text(data.get("parentCollection"))), bool(data.get("deleted"))
        name = _text(data.get("name"))
        rows.collections[places[key]] = RawCollection(name, parent, library.number, is_gone)
    for key, data in items.items():
        added = _text(data.get("dateAdded")).replace("T", " ").removesuffix("Z")
        item = RawItem(numbers[key], _text(data.get("itemType")), library.number, key, added)
        inside = data.get("collections")
        names = map(_text, inside if isinstance(inside, list) else ())
        item.collections = [places[name] for name in names if name in places]
        _read_item(item, data)
        _read_part(item, data, numbers.get(_text(data.get("parentItem"))))
        rows.items[item.id] = item


def _read_item(item: RawItem, data: JsonObject) -> None:
    item.fields = {
        name: str(value)
        for name, value in data.items()
        if name not in _NO_FIELDS and isinstance(value, str | int) and str(value)
    }
    item.creators = [*map(_creator, _dicts(data.get("creators")))]
    tags = _dicts(data.get("tags"))
    item.tags = [(_text(tag.get("tag")), int(tag.get("type") == 1)) for tag in tags]
    item.is_deleted = bool(data.get("deleted"))
    item.related = list(_related(data.get("relations")))


def _read_part(item: RawItem, data: JsonObject, parent: int | None) -> None:
    """Read the content of a note, a file or an annotation."""
    if item.type in ("note", "attachment"):
        item.parent, item.note = parent, _text(data.get("note"))
    if item.type == "attachment":
        mode = _MODES.get(_text(data.get("linkMode")), 0)
        item.file = RawFile(mode, _text(data.get("contentType")), _path(data))
    if item.type == "annotation" and parent is not None:
        names = ("AuthorName", "Text", "Comment", "Color", "PageLabel", "SortIndex")
        words = (_text(data.get(f"annotation{name}")) for name in names)
        kind = _ANNOTATIONS.get(_text(data.get("annotationType")), 0)
        item.parent, item.annotation = parent, RawAnnotation(kind, *words)


def _creator(data: JsonObject) -> Creator:
    name = _text(data.get("name"))
    family = name or _text(data.get("lastName"))
    return Creator(_text(data.get("creatorType")), _text(data.get("firstName")), family, bool(name))


def _related(relations: Any) -> Iterator[str]:
    urls = relations.get("dc:relation") if isinstance(relations, dict) else None
    yield from (str(url) for url in (urls if isinstance(urls, list) else [urls]) if url)


def _path(data: JsonObject) -> str:
    """Return a file's path in the form of Zotero's database."""
    path = _text(data.get("path"))
    name = _text(data.get("filename"))
    if name and not path.startswith(("storage:", "attachments:", "/")):
        return f"storage:{name}"
    return path


def _folder_of(libraries: Sequence[Library]) -> Path | None:
    """Return Zotero's folder, known from the first file in its storage."""
    for item in (item for library in libraries for item in library.items):
        links = item.get("links")
        enclosure = links.get("enclosure") if isinstance(links, dict) else None
        place = _text(enclosure.get("href")) if isinstance(enclosure, dict) else ""
        path = Path(unquote(place[7:]) if place.startswith("file://") else place)
        if path.is_absolute() and len(path.parts) > 3 and path.parents[1].name == "storage":
            return path.parents[2]
    return None


def _by_key(answered: Sequence[JsonObject]) -> dict[str, JsonObject]:
    """Return the data of items or collections by their keys."""
    return {_text(item.get("key")): item for item in _dicts([row.get("data") for row in answered])}


def _dicts(value: Any) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""

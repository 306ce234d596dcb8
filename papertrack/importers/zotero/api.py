"""What Zotero's local API answers, as JSON, put into the same rows as its database."""

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
    RawNote,
    Rows,
)

Told = Mapping[str, Any]
_MODES = {"imported_file": 0, "imported_url": 1, "linked_file": 2, "linked_url": 3}
_ANNOTATIONS = {"highlight": 1, "note": 2, "image": 3, "ink": 4, "underline": 5, "text": 6}
_NO_FIELDS = frozenset(
    "key version itemType creators tags collections relations dateAdded dateModified parentItem "
    "deleted note attachments notes linkMode contentType path filename".split()
)


class Library(NamedTuple):
    """One library of an answer: the reader's own, or a group's."""

    number: int
    name: str | None
    """The group's."""
    items: Sequence[Told]
    tree: Sequence[Told]
    """Its collections."""


def read_libraries(libraries: Sequence[Library]) -> Source:
    """What the local API answered."""
    making = _Making()
    for library in libraries:
        making.add(library)
    making.rows.count = len(making.rows.items)
    return source_of(making.rows, _folder_of(libraries))


class _Making:
    """Rows under way: items and collections are numbered in their order."""

    def __init__(self) -> None:
        self.rows = Rows()
        self.numbers: dict[tuple[int, str], int] = {}
        self.collections: dict[tuple[int, str], int] = {}

    def add(self, library: Library) -> None:
        """Take one library."""
        if library.name is not None:
            self.rows.groups[library.number] = library.number, library.name
        items, tree = _data(library.items), _data(library.tree)
        for told in items:
            key = library.number, _text(told.get("key"))
            self.numbers.setdefault(key, len(self.numbers) + 1)
        for told in tree:
            key = library.number, _text(told.get("key"))
            self.collections.setdefault(key, len(self.collections) + 1)
        for told in tree:
            self._add_collection(library.number, told)
        for told in items:
            self._add_item(library.number, told)

    def _add_collection(self, library: int, told: Told) -> None:
        number = self.collections[library, _text(told.get("key"))]
        parent = self.collections.get((library, _text(told.get("parentCollection"))))
        gone = bool(told.get("deleted"))
        self.rows.collections[number] = RawCollection(
            number, _text(told.get("name")), parent, library, gone
        )

    def _add_item(self, library: int, told: Told) -> None:
        rows, key = self.rows, _text(told.get("key"))
        number = self.numbers[library, key]
        type_ = _text(told.get("itemType"))
        added = _text(told.get("dateAdded")).replace("T", " ").removesuffix("Z")
        rows.items.append(RawItem(number, type_, library, key, added))
        rows.fields[number] = {
            name: str(value)
            for name, value in told.items()
            if name not in _NO_FIELDS and isinstance(value, str | int) and str(value)
        }
        rows.creators[number] = [*map(_creator, _dicts(told.get("creators")))]
        rows.tags[number] = [
            (_text(one.get("tag")), int(one.get("type") == 1)) for one in _dicts(told.get("tags"))
        ]
        inside = ((library, _text(name)) for name in told.get("collections", ()))
        rows.members[number] = [self.collections[at] for at in inside if at in self.collections]
        if told.get("deleted"):
            rows.deleted.add(number)
        rows.related[number] = list(_related(told.get("relations")))
        self._add_part(
            number, type_, told, self.numbers.get((library, _text(told.get("parentItem"))))
        )

    def _add_part(self, number: int, type_: str, told: Told, parent: int | None) -> None:
        if type_ == "note" or (type_ == "attachment" and told.get("note")):
            self.rows.notes[number] = RawNote(parent, _text(told.get("note")))
        if type_ == "attachment":
            mode = _MODES.get(_text(told.get("linkMode")), 0)
            self.rows.files[number] = RawFile(
                parent, mode, _text(told.get("contentType")), _path(told)
            )
        if type_ == "annotation" and parent is not None:
            self.rows.annotations[number] = RawAnnotation(
                parent,
                _ANNOTATIONS.get(_text(told.get("annotationType")), 0),
                *(
                    _text(told.get(f"annotation{name}"))
                    for name in ("AuthorName", "Text", "Comment", "Color", "PageLabel", "SortIndex")
                ),
            )


def _creator(one: Told) -> Creator:
    name = _text(one.get("name"))
    family = name or _text(one.get("lastName"))
    return Creator(_text(one.get("creatorType")), _text(one.get("firstName")), family, bool(name))


def _related(told: Any) -> Iterator[str]:
    found = told.get("dc:relation") if isinstance(told, dict) else None
    yield from (str(one) for one in (found if isinstance(found, list) else [found]) if one)


def _path(told: Told) -> str:
    """Where a file is, as Zotero's database says it."""
    path = _text(told.get("path"))
    name = _text(told.get("filename"))
    if name and not path.startswith(("storage:", "attachments:", "/")):
        return f"storage:{name}"
    return path


def _folder_of(libraries: Sequence[Library]) -> Path | None:
    """Zotero's folder, of the first file that lies in its storage."""
    for item in (item for library in libraries for item in library.items):
        links = item.get("links")
        enclosure = links.get("enclosure") if isinstance(links, dict) else None
        place = _text(enclosure.get("href")) if isinstance(enclosure, dict) else ""
        path = Path(unquote(place[7:]) if place.startswith("file://") else place)
        if path.is_absolute() and len(path.parts) > 3 and path.parents[1].name == "storage":
            return path.parents[2]
    return None


def _data(answered: Sequence[Told]) -> list[Told]:
    """What is in each item or collection."""
    return _dicts([one.get("data") for one in answered])


def _dicts(told: Any) -> list[Told]:
    return [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []


def _text(value: Any) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""

"""Items of Zotero's as JSON: of its local API, and as Better BibTeX exports them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from papertrack.importers.found import Found
from papertrack.importers.model import Source
from papertrack.importers.zotero.reader import source_of
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


class Library:
    """One library of an answer: the reader's own, or a group's."""

    def __init__(self, number: int, name: str | None, items: Sequence[Told], tree: Sequence[Told]):
        """``name`` is the group's; of the ``items`` and the ``tree`` of collections it is what
        stands under ``data``."""
        self.number = number
        self.name = name
        self.items = items
        self.tree = tree


def is_better_bibtex(found: Found) -> bool:
    """Whether it is what Better BibTeX exports as its own JSON, or an answer of Zotero's API."""
    items, _ = _exported(found.json)
    return bool(items) and all("itemType" in one for one in items[:20])


def read_better_bibtex(found: Found) -> Source:
    """The items of such a file; its files are where it says."""
    items, collections = _exported(found.json)
    flat = [part for item in items for part in _flattened(item)]
    source = source_of(rows_of([Library(1, None, flat, collections)]), _storage_of(flat))
    source.tool = "better-bibtex"  # A part of a library: what it lacks has not left Zotero.
    return source


def read_libraries(libraries: Sequence[Library], enclosures: Sequence[str]) -> Source:
    """What the local API answered; ``enclosures`` are the addresses of its files."""
    return source_of(rows_of(libraries), _folder_of(enclosures))


def rows_of(libraries: Sequence[Library]) -> Rows:
    """The same as tables: items are numbered in their order."""
    making = _Making()
    for library in libraries:
        making.add(library)
    making.rows.count = len(making.rows.items)
    return making.rows


class _Making:
    def __init__(self) -> None:
        empty: Any = {}
        self.rows = Rows([], {}, defaultdict(list), defaultdict(list), {}, {}, {}, {}, empty, set(),
                         set(), set(), {})  # fmt: skip
        self.rows.members = defaultdict(list)
        self.numbers: dict[tuple[int, str], int] = {}
        self.collections: dict[tuple[int, str], int] = {}

    def add(self, library: Library) -> None:
        """Take one library."""
        if library.name is not None:
            self.rows.groups[library.number] = library.number, library.name
        self._number(library)
        for told in library.tree:
            self._add_collection(library.number, told)
        for told in library.items:
            self._add_item(library.number, told)

    def _number(self, library: Library) -> None:
        for told in library.items:
            key = library.number, _text(told.get("key"))
            self.numbers.setdefault(key, len(self.numbers) + 1)
        for told in library.tree:
            key = library.number, _text(told.get("key"))
            self.collections.setdefault(key, len(self.collections) + 1)

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
        rows.creators[number] += map(_creator, _dicts(told.get("creators")))
        rows.tags[number] += [
            (_text(one.get("tag")), int(one.get("type") == 1)) for one in _dicts(told.get("tags"))
        ]
        for name in told.get("collections") or ():
            if (at := self.collections.get((library, _text(name)))) is not None:
                rows.members[number].append(at)
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


def _exported(told: Any) -> tuple[list[Told], list[Told]]:
    """The items and the collections of a file."""
    if isinstance(told, list):
        data = [one.get("data") for one in told if isinstance(one, dict)]
        return [one for one in data if isinstance(one, dict)], []
    if not isinstance(told, dict):
        return [], []
    items = _dicts(told.get("items"))
    collections = told.get("collections")
    tree = list(collections.values()) if isinstance(collections, dict) else []
    return _with_keys(items, _dicts(tree)), [
        {**one, "parentCollection": one.get("parent")} for one in _dicts(tree)
    ]


def _with_keys(items: Sequence[Told], tree: Sequence[Told]) -> list[Told]:
    """Items with the keys of their collections: Better BibTeX lists items by collection."""
    members: dict[str, list[str]] = defaultdict(list)
    for collection in tree:
        for item in collection.get("items") or ():
            members[str(item)].append(_text(collection.get("key")))
    found: list[Told] = []
    for number, item in enumerate(items, start=1):
        own = _text(item.get("itemKey")) or _text(item.get("key")) or str(number)
        inside = members.get(str(item.get("itemID")), []) + members.get(own, [])
        named = dict(item, key=own, collections=inside)
        citekey = _text(item.get("citationKey")) or _text(item.get("citekey"))
        found.append(dict(named, citationKey=citekey) if citekey else named)
    return found


def _flattened(item: Told) -> Iterator[Told]:
    """An item, and its notes and files as items of their own."""
    yield item
    key = _text(item.get("key"))
    for kind, parts in (("note", item.get("notes")), ("attachment", item.get("attachments"))):
        for number, part in enumerate(parts if isinstance(parts, list) else ()):
            told = part if isinstance(part, dict) else {"note": _text(part)}
            own = _text(told.get("key")) or f"{key}-{kind}{number}"
            yield dict(told, key=own, itemType=kind, parentItem=key, linkMode=_mode(told))


def _mode(told: Told) -> str:
    return _text(told.get("linkMode")) or ("linked_file" if told.get("path") else "linked_url")


def _storage_of(items: Sequence[Told]) -> Path | None:
    return _folder_of([_text(item.get("path")) for item in items])


def _folder_of(places: Sequence[str]) -> Path | None:
    """Zotero's folder, of the first file that lies in its storage."""
    for place in places:
        path = Path(unquote(urlsplit(place).path) if place.startswith("file://") else place)
        if path.is_absolute() and len(path.parts) > 3 and path.parents[1].name == "storage":
            return path.parents[2]
    return None


def _dicts(told: Any) -> list[Told]:
    return [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []


def _text(value: Any) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""

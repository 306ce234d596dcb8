"""What the tables of a Zotero database say, by item; of any schema since 2018.

A table or a column that this database does not have yet says nothing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from papertrack.importers.database import ForeignDatabase

NEEDED = ("items", "itemData", "itemDataValues", "creators", "itemCreators", "collections")


class RawItem(NamedTuple):
    """One row of ``items``."""

    id: int
    type: str
    library: int
    key: str
    added: str


class Creator(NamedTuple):
    role: str
    given: str
    family: str
    is_one_name: bool


class RawNote(NamedTuple):
    parent: int | None
    html: str


class RawFile(NamedTuple):
    parent: int | None
    mode: int | None
    content_type: str
    path: str


class RawAnnotation(NamedTuple):
    parent: int
    type: int
    author: str
    text: str
    comment: str
    colour: str
    page: str
    order: str


class RawCollection(NamedTuple):
    id: int
    name: str
    parent: int | None
    library: int
    is_deleted: bool


@dataclass(slots=True)
class Rows:
    """All that is read of a database."""

    items: list[RawItem] = field(default_factory=list)
    fields: dict[int, dict[str, str]] = field(default_factory=dict)
    creators: dict[int, list[Creator]] = field(default_factory=dict)
    tags: dict[int, list[tuple[str, int]]] = field(default_factory=dict)
    """By item the tags, each with its type: 1 for those that no reader gave."""
    notes: dict[int, RawNote] = field(default_factory=dict)
    files: dict[int, RawFile] = field(default_factory=dict)
    annotations: dict[int, RawAnnotation] = field(default_factory=dict)
    collections: dict[int, RawCollection] = field(default_factory=dict)
    members: dict[int, list[int]] = field(default_factory=dict)
    """By item the collections that it is in."""
    deleted: set[int] = field(default_factory=set)
    feeds: set[int] = field(default_factory=set)
    """Libraries that are feeds."""
    feed_items: set[int] = field(default_factory=set)
    groups: dict[int, tuple[int, str]] = field(default_factory=dict)
    """By library the number and the name of the group whose it is: the same on every machine."""
    related: dict[int, list[str]] = field(default_factory=dict)
    """By item the addresses of those that it is related to."""
    count: int = 0


def read_rows(database: ForeignDatabase) -> Rows:
    """Read all of a database. Raises DocumentError for one that is damaged."""
    reading = _Reading(database)
    rows = Rows(
        items=reading.items(),
        fields=reading.fields(),
        creators=reading.creators(),
        tags=reading.tags(),
        notes=reading.notes(),
        files=reading.files(),
        annotations=reading.annotations(),
        collections=reading.collections(),
        members=reading.members(),
        deleted=reading.numbers("deletedItems", "itemID"),
        feeds=reading.feeds(),
        feed_items=reading.numbers("feedItems", "itemID"),
        groups=reading.groups(),
        related=reading.related(),
        count=database.number("SELECT count(*) FROM items"),
    )
    # Whatever its type says, what is attached to something is no work.
    for kind, parts in (
        ("note", rows.notes),
        ("attachment", rows.files),
        ("annotation", rows.annotations),
    ):
        rows.items = [one._replace(type=kind) if one.id in parts else one for one in rows.items]
    return rows


@dataclass(frozen=True, slots=True)
class _Reading:
    database: ForeignDatabase

    def _either(self, *tables: str) -> str:
        """The first of these tables that there is: custom types and fields are in their own."""
        return next((one for one in tables if self.database.has(one)), tables[-1])

    def _column(self, table: str, name: str, otherwise: str = "NULL") -> str:
        return name if name in self.database.columns(table) else otherwise

    def items(self) -> list[RawItem]:
        types = self._either("itemTypesCombined", "itemTypes")
        found = self.database.rows(
            f"""SELECT i.itemID, t.typeName, i.libraryID, i.key, i.dateAdded
                FROM items i LEFT JOIN {types} t ON t.itemTypeID = i.itemTypeID
                ORDER BY i.libraryID, i.itemID"""
        )
        return [
            RawItem(number, text_of(type_), library or 0, text_of(key) or str(number), text_of(at))
            for number, type_, library, key, at in found
        ]

    def fields(self) -> dict[int, dict[str, str]]:
        names = self._either("fieldsCombined", "fields")
        found = self.database.rows(
            f"""SELECT d.itemID, f.fieldName, v.value FROM itemData d
                JOIN {names} f ON f.fieldID = d.fieldID
                JOIN itemDataValues v ON v.valueID = d.valueID"""
        )
        fields: dict[int, dict[str, str]] = defaultdict(dict)
        for item, name, value in found:
            fields[item][text_of(name)] = text_of(value)
        return fields

    def creators(self) -> dict[int, list[Creator]]:
        mode = self._column("creators", "fieldMode", "0")
        found = self.database.rows(
            f"""SELECT ic.itemID, t.creatorType, c.firstName, c.lastName, {mode}
                FROM itemCreators ic JOIN creators c ON c.creatorID = ic.creatorID
                LEFT JOIN creatorTypes t ON t.creatorTypeID = ic.creatorTypeID
                ORDER BY ic.itemID, ic.orderIndex"""
        )
        creators: dict[int, list[Creator]] = defaultdict(list)
        for item, role, given, family, one_name in found:
            names = text_of(given), text_of(family)
            creators[item].append(Creator(text_of(role), *names, one_name == 1))
        return creators

    def tags(self) -> dict[int, list[tuple[str, int]]]:
        if not self.database.has("itemTags", "tags"):
            return {}
        kind = self._column("itemTags", "type", "0")
        found = self.database.rows(
            f"""SELECT it.itemID, t.name, {kind} FROM itemTags it
                JOIN tags t ON t.tagID = it.tagID ORDER BY it.itemID, t.name"""
        )
        tags: dict[int, list[tuple[str, int]]] = defaultdict(list)
        for item, name, kind_of_tag in found:
            tags[item].append((text_of(name), int(kind_of_tag or 0)))
        return tags

    def notes(self) -> dict[int, RawNote]:
        if not self.database.has("itemNotes"):
            return {}
        found = self.database.rows("SELECT itemID, parentItemID, note FROM itemNotes")
        return {item: RawNote(parent, text_of(note)) for item, parent, note in found}

    def files(self) -> dict[int, RawFile]:
        if not self.database.has("itemAttachments"):
            return {}
        found = self.database.rows(
            "SELECT itemID, parentItemID, linkMode, contentType, path FROM itemAttachments"
        )
        return {
            item: RawFile(parent, mode, text_of(content_type), text_of(path))
            for item, parent, mode, content_type, path in found
        }

    def annotations(self) -> dict[int, RawAnnotation]:
        columns = "itemID parentItemID type authorName text comment color pageLabel sortIndex"
        if not self.database.columns("itemAnnotations").issuperset(columns.split()):
            return {}
        found = self.database.rows(f"SELECT {', '.join(columns.split())} FROM itemAnnotations")
        return {
            row[0]: RawAnnotation(row[1], _number(row[2]), *map(text_of, row[3:])) for row in found
        }

    def collections(self) -> dict[int, RawCollection]:
        gone = self.numbers("deletedCollections", "collectionID")
        found = self.database.rows(
            """SELECT collectionID, collectionName, parentCollectionID, libraryID
               FROM collections ORDER BY libraryID, collectionName, collectionID"""
        )
        return {
            row[0]: RawCollection(row[0], text_of(row[1]), row[2], row[3] or 0, row[0] in gone)
            for row in found
        }

    def members(self) -> dict[int, list[int]]:
        members: dict[int, list[int]] = defaultdict(list)
        if self.database.has("collectionItems"):
            order = self._column("collectionItems", "orderIndex", "0")
            found = self.database.rows(
                f"SELECT itemID, collectionID FROM collectionItems ORDER BY collectionID, {order}"
            )
            for item, collection in found:
                members[item].append(collection)
        return members

    def numbers(self, table: str, column: str) -> set[int]:
        """The numbers that a table lists; none if there is no such table."""
        if column not in self.database.columns(table):
            return set()
        return {row[0] for row in self.database.rows(f"SELECT {column} FROM {table}")}

    def feeds(self) -> set[int]:
        kinds = self.numbers("feeds", "libraryID")
        if "type" in self.database.columns("libraries"):
            found = self.database.rows("SELECT libraryID FROM libraries WHERE type = 'feed'")
            kinds |= {row[0] for row in found}
        return kinds

    def groups(self) -> dict[int, tuple[int, str]]:
        if not self.database.columns("groups").issuperset(("libraryID", "groupID", "name")):
            return {}
        found = self.database.rows("SELECT libraryID, groupID, name FROM groups")
        return {library: (number, text_of(name)) for library, number, name in found}

    def related(self) -> dict[int, list[str]]:
        if not self.database.has("itemRelations", "relationPredicates"):
            return {}
        found = self.database.rows(
            """SELECT r.itemID, r.object FROM itemRelations r JOIN relationPredicates p
               ON p.predicateID = r.predicateID WHERE p.predicate = 'dc:relation'"""
        )
        related: dict[int, list[str]] = defaultdict(list)
        for item, address in found:
            related[item].append(text_of(address))
        return related


def text_of(value: object) -> str:
    """A value of a foreign table as text: SQLite keeps anything anywhere."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value)


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0

"""Read the tables of a Zotero database, of any schema since 2018.

Tables and columns that a database lacks count as empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from papertrack.importers.database import ForeignDatabase

NEEDED = ("items", "itemData", "itemDataValues", "creators", "itemCreators", "collections")


class Creator(NamedTuple):
    role: str
    given: str
    family: str
    is_one_name: bool


class RawFile(NamedTuple):
    mode: int | None
    content_type: str
    path: str


class RawAnnotation(NamedTuple):
    type: int
    author: str
    text: str
    comment: str
    colour: str
    page: str
    order: str


@dataclass(slots=True)
class RawItem:
    """One item, with its values from all tables."""

    id: int
    type: str
    library: int
    key: str
    added: str
    parent: int | None = None
    """The item that a note, a file or an annotation is attached to."""
    fields: dict[str, str] = field(default_factory=dict)
    creators: list[Creator] = field(default_factory=list)
    tags: list[tuple[str, int]] = field(default_factory=list)
    """Each tag with its type: 1 for automatic tags."""
    note: str = ""
    """The HTML of a note."""
    file: RawFile | None = None
    annotation: RawAnnotation | None = None
    collections: list[int] = field(default_factory=list)
    related: list[str] = field(default_factory=list)
    """The addresses of the items that it is related to."""
    is_deleted: bool = False
    is_of_feed: bool = False


class RawCollection(NamedTuple):
    name: str
    parent: int | None
    library: int
    is_hidden: bool
    """Whether it is in the bin, or belongs to a feed."""


@dataclass(slots=True)
class Rows:
    """Everything that is read from a database, by number."""

    items: dict[int, RawItem] = field(default_factory=dict)
    collections: dict[int, RawCollection] = field(default_factory=dict)
    groups: dict[int, tuple[int, str]] = field(default_factory=dict)
    """Library → the number and name of its group, which are the same on every machine."""


def read_rows(database: ForeignDatabase) -> Rows:
    """Read a whole database. Raises DocumentError for a damaged one."""
    reading = _Reading(database)
    reading.read_items()
    reading.read_fields()
    reading.read_parts()
    reading.read_collections()
    return reading.rows


@dataclass(frozen=True, slots=True)
class _Reading:
    database: ForeignDatabase
    rows: Rows = field(default_factory=Rows)

    def _either(self, *tables: str) -> str:
        """Return the first of these tables that exists: custom types and fields have their own."""
        return next((table for table in tables if self.database.has(table)), tables[-1])

    def _column(self, table: str, name: str, otherwise: str = "NULL") -> str:
        return name if name in self.database.columns(table) else otherwise

    def _numbers(self, table: str, column: str) -> set[int]:
        """Return the numbers in a column; none if there is no such table or column."""
        if column not in self.database.columns(table):
            return set()
        return {row[0] for row in self.database.rows(f"SELECT {column} FROM {table}")}

    def _of_items(self, sql: str, *tables: str) -> Iterator[tuple[RawItem, list[Any]]]:
        """Yield the rows about items, whose first column names the item; none if a table is
        missing."""
        for number, *rest in self.database.rows(sql) if self.database.has(*tables) else ():
            if item := self.rows.items.get(number):
                yield item, rest

    def read_items(self) -> None:
        types = self._either("itemTypesCombined", "itemTypes")
        rows = self.database.rows(
            f"""SELECT i.itemID, t.typeName, i.libraryID, i.key, i.dateAdded
                FROM items i LEFT JOIN {types} t ON t.itemTypeID = i.itemTypeID
                ORDER BY i.libraryID, i.itemID"""
        )
        feeds, deleted = self._feeds(), self._numbers("deletedItems", "itemID")
        feed_items = self._numbers("feedItems", "itemID")
        for number, type_, library, key, at in rows:
            self.rows.items[number] = RawItem(
                *(number, text_of(type_), library or 0, text_of(key) or str(number), text_of(at)),
                is_deleted=number in deleted,
                is_of_feed=library in feeds or number in feed_items,
            )

    def _feeds(self) -> set[int]:
        """Return the numbers of the libraries that are feeds."""
        feeds = self._numbers("feeds", "libraryID")
        if "type" in self.database.columns("libraries"):
            rows = self.database.rows("SELECT libraryID FROM libraries WHERE type = 'feed'")
            feeds |= {row[0] for row in rows}
        return feeds

    def read_fields(self) -> None:
        names = self._either("fieldsCombined", "fields")
        fields = f"""SELECT d.itemID, f.fieldName, v.value FROM itemData d
                     JOIN {names} f ON f.fieldID = d.fieldID
                     JOIN itemDataValues v ON v.valueID = d.valueID"""
        for item, (name, value) in self._of_items(fields):
            item.fields[text_of(name)] = text_of(value)
        creators = f"""SELECT ic.itemID, t.creatorType, c.firstName, c.lastName,
                              {self._column("creators", "fieldMode", "0")}
                       FROM itemCreators ic JOIN creators c ON c.creatorID = ic.creatorID
                       LEFT JOIN creatorTypes t ON t.creatorTypeID = ic.creatorTypeID
                       ORDER BY ic.itemID, ic.orderIndex"""
        for item, (role, given, family, mode) in self._of_items(creators):
            words = text_of(role), text_of(given), text_of(family)
            item.creators.append(Creator(*words, mode == 1))
        tags = f"""SELECT it.itemID, t.name, {self._column("itemTags", "type", "0")}
                   FROM itemTags it JOIN tags t ON t.tagID = it.tagID ORDER BY it.itemID, t.name"""
        for item, (name, kind) in self._of_items(tags, "itemTags", "tags"):
            item.tags.append((text_of(name), int(kind == 1)))
        related = """SELECT r.itemID, r.object FROM itemRelations r JOIN relationPredicates p
                     ON p.predicateID = r.predicateID WHERE p.predicate = 'dc:relation'"""
        for item, (address,) in self._of_items(related, "itemRelations", "relationPredicates"):
            item.related.append(text_of(address))

    def read_parts(self) -> None:
        """Read notes, files and annotations.

        Whatever is attached to an item is not a work itself, whatever its type.
        """
        notes = "SELECT itemID, parentItemID, note FROM itemNotes"
        for item, (parent, note) in self._of_items(notes, "itemNotes"):
            item.type, item.parent, item.note = "note", parent, text_of(note)
        files = "SELECT itemID, parentItemID, linkMode, contentType, path FROM itemAttachments"
        for item, (parent, mode, *words) in self._of_items(files, "itemAttachments"):
            item.type, item.parent = "attachment", parent
            item.file = RawFile(mode, *map(text_of, words))
        columns = "itemID parentItemID type authorName text comment color pageLabel sortIndex"
        if self.database.columns("itemAnnotations").issuperset(columns.split()):
            annotations = f"SELECT {', '.join(columns.split())} FROM itemAnnotations"
            for item, (parent, kind, *words) in self._of_items(annotations):
                item.type, item.parent = "annotation", parent
                number = kind if isinstance(kind, int) else 0
                item.annotation = RawAnnotation(number, *map(text_of, words))

    def read_collections(self) -> None:
        deleted, feeds = self._numbers("deletedCollections", "collectionID"), self._feeds()
        rows = self.database.rows(
            """SELECT collectionID, collectionName, parentCollectionID, libraryID
               FROM collections ORDER BY libraryID, collectionName, collectionID"""
        )
        for number, name, parent, library in rows:
            is_hidden = number in deleted or library in feeds
            self.rows.collections[number] = RawCollection(
                text_of(name), parent, library or 0, is_hidden
            )
        order = self._column("collectionItems", "orderIndex", "0")
        members = f"SELECT itemID, collectionID FROM collectionItems ORDER BY collectionID, {order}"
        for item, (collection,) in self._of_items(members, "collectionItems"):
            item.collections.append(collection)
        if self.database.columns("groups").issuperset(("libraryID", "groupID", "name")):
            groups = self.database.rows("SELECT libraryID, groupID, name FROM groups")
            self.rows.groups = {
                library: (number, text_of(name)) for library, number, name in groups
            }


def text_of(value: object) -> str:
    """Return a value of a foreign table as text: SQLite stores any type in any column."""
    if value is None:
        return ""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)

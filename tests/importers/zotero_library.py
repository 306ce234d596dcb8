"""A Zotero library made for the tests: the tables as Zotero's own schema has them, with something
of everything that a reader may have in it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

_TABLES = """
CREATE TABLE version (schema TEXT PRIMARY KEY, version INT NOT NULL);
CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL, editable INT);
CREATE TABLE groups (groupID INTEGER PRIMARY KEY, libraryID INT, name TEXT, description TEXT);
CREATE TABLE feeds (libraryID INTEGER PRIMARY KEY, name TEXT, url TEXT);
CREATE TABLE feedItems (itemID INTEGER PRIMARY KEY, guid TEXT);
CREATE TABLE itemTypesCombined (itemTypeID INT PRIMARY KEY, typeName TEXT, display INT);
CREATE TABLE fieldsCombined (fieldID INT PRIMARY KEY, fieldName TEXT NOT NULL);
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL, dateAdded TIMESTAMP,
    dateModified TIMESTAMP, libraryID INT NOT NULL, key TEXT NOT NULL, UNIQUE (libraryID, key));
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID, PRIMARY KEY (itemID, fieldID));
CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT);
CREATE TABLE itemCreators (itemID INT, creatorID INT, creatorTypeID INT, orderIndex INT);
CREATE TABLE collections (collectionID INTEGER PRIMARY KEY, collectionName TEXT NOT NULL,
    parentCollectionID INT, libraryID INT NOT NULL, key TEXT NOT NULL);
CREATE TABLE deletedCollections (collectionID INTEGER PRIMARY KEY, dateDeleted);
CREATE TABLE collectionItems (collectionID INT, itemID INT, orderIndex INT DEFAULT 0);
CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE itemTags (itemID INT, tagID INT, type INT);
CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT);
CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT,
    contentType TEXT, path TEXT);
CREATE TABLE itemAnnotations (itemID INTEGER PRIMARY KEY, parentItemID INT, type INTEGER,
    authorName TEXT, text TEXT, comment TEXT, color TEXT, pageLabel TEXT, sortIndex TEXT,
    position TEXT, isExternal INT);
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY, dateDeleted);
CREATE TABLE relationPredicates (predicateID INTEGER PRIMARY KEY, predicate TEXT UNIQUE);
CREATE TABLE itemRelations (itemID INT, predicateID INT, object TEXT);
INSERT INTO version VALUES ('userdata', 125);
INSERT INTO relationPredicates VALUES (1, 'dc:relation');
"""
_TYPES = "note attachment annotation journalArticle conferencePaper preprint book webpage thesis"
_ROLES = "author editor contributor"


@dataclass
class ZoteroLibrary:
    """A Zotero data folder that is being filled."""

    folder: Path
    connection: sqlite3.Connection
    keys: dict[str, int] = field(default_factory=dict)

    def add(
        self,
        key: str,
        type_: str = "journalArticle",
        *,
        library: int = 1,
        authors: tuple[tuple[str, str], ...] = (),
        **fields: str,
    ) -> int:
        """Add an item and return its number; an author without a first name is an organisation."""
        types = _TYPES.split()
        cursor = self.connection.execute(
            "INSERT INTO items VALUES (NULL, ?, '2024-02-03 04:05:06', '', ?, ?)",
            (types.index(type_), library, key),
        )
        item = cursor.lastrowid or 0
        self.keys[key] = item
        for name, value in fields.items():
            self.set(item, name, value)
        for order, (given, family) in enumerate(authors):
            self._write("creators", None, given, family, 0 if given else 1)
            creator = self._last("creators", "creatorID")
            self._write("itemCreators", item, creator, 0, order)
        return item

    def set(self, item: int, name: str, value: str) -> None:
        """Set a field of an item."""
        run = self.connection.execute
        run(
            "INSERT OR IGNORE INTO fieldsCombined SELECT ifnull(max(fieldID), 0) + 1, ?1 "
            "FROM fieldsCombined HAVING NOT EXISTS "
            "(SELECT 1 FROM fieldsCombined WHERE fieldName = ?1)",
            (name,),
        )
        run("INSERT OR IGNORE INTO itemDataValues (value) VALUES (?)", (value,))
        run(
            "INSERT OR REPLACE INTO itemData SELECT ?, "
            "(SELECT fieldID FROM fieldsCombined WHERE fieldName = ?), "
            "(SELECT valueID FROM itemDataValues WHERE value = ?)",
            (item, name, value),
        )

    def collection(self, name: str, parent: int | None = None, library: int = 1) -> int:
        """Add a collection and return its number."""
        self._write("collections", None, name, parent, library, f"C{name[:6]}{parent}")
        return self._last("collections", "collectionID")

    def put(self, item: int, *collections: int) -> None:
        """Put an item into collections."""
        for collection in collections:
            self._write("collectionItems", collection, item, 0)

    def tag(self, item: int, name: str, *, is_automatic: bool = False) -> None:
        """Give an item a tag."""
        self.connection.execute("INSERT OR IGNORE INTO tags (name) VALUES (?)", (name,))
        self.connection.execute(
            "INSERT INTO itemTags SELECT ?, tagID, ? FROM tags WHERE name = ?",
            (item, int(is_automatic), name),
        )

    def note(self, key: str, html: str, parent: int | None) -> int:
        """Add a note."""
        item = self.add(key, "note")
        self._write("itemNotes", item, parent, html, "")
        return item

    def file(
        self,
        key: str,
        name: str,
        parent: int | None,
        *,
        content: bytes | None = b"%PDF-1.5 x",
        mode: int = 0,
        path: str | None = None,
        url: str = "",
    ) -> int:
        """Attach a file, which is in the storage unless its path is another one."""
        item = self.add(key, "attachment", **({"url": url} if url else {}))
        kind = "application/pdf" if name.endswith(".pdf") else "text/html"
        self._write("itemAttachments", item, parent, mode, kind, path or f"storage:{name}")
        if content is not None and path is None:
            place = self.folder / "storage" / key
            place.mkdir(parents=True)
            (place / name).write_bytes(content)
        return item

    def annotation(
        self, key: str, parent: int, text: str, comment: str = "", page: str = ""
    ) -> int:
        """Mark something in a file."""
        item = self.add(key, "annotation")
        about = (item, parent, 1, None, text, comment, "#ffd400", page, f"{page:>05}", "{}", 0)
        self._write("itemAnnotations", *about)
        return item

    def bin(self, item: int) -> None:
        """Put an item into the bin."""
        self._write("deletedItems", item, "2024-03-01")

    def relate(self, item: int, key: str) -> None:
        """Relate an item to another one."""
        self._write("itemRelations", item, 1, f"http://zotero.org/users/local/x/items/{key}")

    def number(self, sql: str) -> int:
        """One number of the database."""
        return int(self.connection.execute(sql).fetchone()[0])

    def close(self) -> None:
        """Let go of the database."""
        self.connection.commit()
        self.connection.close()

    def _write(self, table: str, *values: object) -> None:
        marks = ", ".join("?" * len(values))
        self.connection.execute(f"INSERT INTO {table} VALUES ({marks})", values)

    def _last(self, table: str, column: str) -> int:
        return self.number(f"SELECT max({column}) FROM {table}")


def make_library(folder: Path) -> ZoteroLibrary:
    """A new library with nothing in it but Zotero's own tables."""
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(folder / "zotero.sqlite", isolation_level=None)
    connection.executescript(_TABLES)
    connection.executemany(
        "INSERT INTO itemTypesCombined VALUES (?, ?, 1)", list(enumerate(_TYPES.split()))
    )
    connection.executemany("INSERT INTO creatorTypes VALUES (?, ?)", enumerate(_ROLES.split()))
    connection.executemany(
        "INSERT INTO libraries VALUES (?, ?, 1)", [(1, "user"), (2, "group"), (3, "feed")]
    )
    connection.execute("INSERT INTO groups VALUES (77, 2, 'Reading Group', '')")
    return ZoteroLibrary(folder, connection)


def make_desk(folder: Path) -> ZoteroLibrary:
    """A library with something of everything: 19 items, of which 7 are works to be taken."""
    zotero = make_library(folder)
    lamps = zotero.collection("Lamps")
    old, new = zotero.collection("Old", lamps), zotero.collection("New", lamps)
    other = zotero.collection("Other")
    zotero.collection("Old", other)  # Of one name with another, elsewhere.
    shared = zotero.collection("Shared", library=2)
    gone = zotero.collection("Gone")
    zotero._write("deletedCollections", gone, "2024-03-01")

    lamp = zotero.add(
        "LAMP2345",
        authors=(("Ama", "Osei"), ("Gabriel", "García Márquez"), ("", "World Lamp Society")),
        title="A Lamp for <i>Lost</i> Papers: 100% & more_than $5",
        publicationTitle="Journal of Lists",
        volume="7",
        issue="2",
        pages="1-9",
        date="2021-05-00 May 2021",
        DOI="10.1000/lamp.5",
        abstractNote="What is lost & found.",
        extra="Citation Key: osei2021lamp\nRead_Status: Read\n"
        "Read_Status_Date: 2024-02-02\nAsk Mira",
    )
    zotero.put(lamp, old, new, gone)
    zotero.tag(lamp, "lost & found")
    zotero.tag(lamp, "Lighting", is_automatic=True)
    zotero.note("NOTE2345", "<h2>Why</h2><p>It is <b>bright</b>.</p><script>x()</script>", lamp)
    pdf = zotero.file("FILE2345", "lamp.pdf", lamp)
    zotero.annotation("ANNO2345", pdf, "lost is\nnot gone", "Really?", "3")
    zotero.annotation("ANNO3456", pdf, "second", "", "12")
    zotero.file("HTML2345", "page.html", lamp, content=b"<p>x</p>")
    zotero.file("ADDR2345", "", lamp, mode=3, content=None, url="https://x.example/code")

    preprint = zotero.add(
        "PREP2345",
        "preprint",
        title="Drafting Ahead",
        repository="arXiv",
        date="2022-11-03 2022",
        archiveID="arXiv:2211.10002",
        authors=(("Per", "Lind"),),
        extra="arXiv:2211.10002 [cs.LG]",
    )
    zotero.put(preprint, new)
    zotero.relate(preprint, "LAMP2345")
    zotero.file("LOST2345", "not-there.pdf", preprint, content=None)
    zotero.add("BOOK2345", "book", title="Drawers", publisher="Wood", ISBN="9780977920174")
    zotero.add("THES2345", "thesis", title="On Chairs", university="Oak", thesisType="PhD thesis")
    zotero.add(
        "TWIN2345",
        title="A Lamp for Lost Papers: 100% & more_than $5",
        DOI="10.1000/lamp.5",
        authors=(("Ama", "Osei"),),
    )
    group = zotero.add(
        "GRUP2345", "webpage", library=2, title="Of us all", url="https://x.example/a"
    )
    zotero.put(group, shared)
    zotero.add("GRUP3456", "book", library=2, title="A book of the group that is in none")

    binned = zotero.add("BINN2345", title="Thrown away")
    zotero.bin(binned)
    zotero.note("BINN3456", "<p>x</p>", binned)
    zotero.add("FEED2345", "webpage", library=3, title="News")
    zotero.file("ORPH2345", "alone.pdf", None)
    zotero.note("ORPH3456", "<p>alone</p>", None)
    return zotero


def count_items(folder: Path) -> int:
    """How many items the database has."""
    with closing(sqlite3.connect(folder / "zotero.sqlite")) as connection:
        return int(connection.execute("SELECT count(*) FROM items").fetchone()[0])

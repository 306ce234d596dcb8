"""What can still be read of a damaged library: a library in memory with all rows that are left.

SQLite gives up a table at the first bad page. Here each table is read up to such a page and on
behind it; a paper whose own row is lost keeps what other tables have of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from papertrack.errors import StoreError
from papertrack.store import index
from papertrack.store.changes.triggers import OF_A_PAPER, unwatched
from papertrack.store.database import Database
from papertrack.store.store import SCHEMA_VERSION, Store

_MAGIC = b"SQLite format 3\0"
_PAGE_SIZES = (4096, 8192, 16384, 32768, 65536, 2048, 1024, 512)
"""What a page can have, the likely ones first: the head says it, and may be lost."""
_HEAD = 40
"""Bytes that are the same in all libraries, but for counts that SQLite finds out itself."""
_FURTHEST = 2**40
"""No table has as many rows."""
_BESIDE = ("note_texts", "written_files", "shown_citekeys")
_LISTS = {
    "papers": ("arxiv_categories", "publication"),
    "topics": ("arxiv_categories", "category"),
}
"""Columns that hold a list as JSON."""
_OBJECTS = {"documents": ("settings",), "entries": ("base", "library", "refused")}
"""Columns that hold an object as JSON."""


@dataclass(slots=True)
class Salvaged:
    """A library that was read as far as it can be."""

    store: Store
    """In memory: what is written there is forgotten."""
    papers: int = 0
    """How many papers are whole, or lack rows that belong to them."""
    stubs: int = 0
    """Of how many others only what other tables have of them is known."""
    torn: set[str] = field(default_factory=set)
    """Tables of which rows are lost."""


def salvage(path: Path, *, now: Callable[[], datetime]) -> Salvaged:
    """Read what can be read. Raises StoreError when that is no paper at all."""
    found = Salvaged(Store.in_memory(path, now=now))
    try:
        with closing(_opened(path)) as source:
            _Reading(Database(source), found).read()
    except sqlite3.DatabaseError as error:
        raise StoreError(f"Nothing can be read of {path} ({error}).") from error
    if not found.papers + found.stubs:
        raise StoreError(f"No paper can be read of {path}.")
    return found


def _opened(path: Path) -> sqlite3.Connection:
    """A copy of the file in memory, which is opened though it is damaged."""
    try:
        data = bytearray(path.read_bytes())
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}.") from error
    if data.startswith(_MAGIC):
        return _in_memory(bytes(data))
    for size in _PAGE_SIZES:
        with closing(sqlite3.connect(":memory:")) as empty:
            empty.execute(f"PRAGMA page_size = {size}")
            empty.execute("CREATE TABLE t (x)")
            data[:_HEAD] = empty.serialize()[:_HEAD]
        copy = _in_memory(bytes(data))
        with suppress(sqlite3.DatabaseError):
            if copy.execute("SELECT name FROM sqlite_schema WHERE name = 'papers'").fetchone():
                return copy
        copy.close()
    raise StoreError(f"{path} is no library, or nothing of it is left.")


def _in_memory(data: bytes) -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:", isolation_level=None)
    copy.deserialize(data)
    copy.text_factory = lambda text: text.decode("utf-8", "replace")
    # With it a file is read that is shorter than it says, and a schema as far as it can be.
    copy.execute("PRAGMA writable_schema = ON")
    copy.execute("PRAGMA trusted_schema = OFF")
    return copy


@dataclass(slots=True)
class _Reading:
    source: Database
    found: Salvaged
    ids: list[int] = field(default_factory=list)
    """The papers that are known by now."""

    @property
    def store(self) -> Store:
        return self.found.store

    def read(self) -> None:
        """Read every table, and make one library of it."""
        self._refuse_newer()
        with self.store.transaction(), unwatched(self.store):
            for table in ("papers", "categories", "topics", "documents", *_BESIDE):
                self._copy(table)
            self._know_papers()
            for table in (*OF_A_PAPER, "entries"):
                self._copy(table)
            self._complete()
            index.catch_up(self.store)

    def _refuse_newer(self) -> None:
        with suppress(sqlite3.DatabaseError):
            found = int(self.source.select_value("PRAGMA user_version"))
            # A wrong letter may stand there, too: a number that no papertrack ever has.
            if SCHEMA_VERSION < found < SCHEMA_VERSION + 1000:
                raise StoreError(
                    "It was made by a newer papertrack: upgrade papertrack to read it."
                )

    def _know_papers(self) -> None:
        """Give papers whose own row is lost another one, with their key if an index has it."""
        self.ids = self.store.select_column("SELECT id FROM papers ORDER BY id")
        self.found.papers = len(self.ids)
        known = set(self.ids)
        named = self._keys()
        lost = (self._named("paper_states") | self._named("readings") | set(named)) - known
        for paper_id in sorted(lost):
            key = named.get(paper_id, f"lost{paper_id}")
            self.found.torn.add("papers")
            with suppress(sqlite3.IntegrityError):
                row = (paper_id, key, self.store.stamp())
                self.store.insert("papers (id, citekey, added)", row)
                self.found.stubs += 1
        self.ids = self.store.select_column("SELECT id FROM papers ORDER BY id")

    def _keys(self) -> dict[int, str]:
        """The citekeys of papers, as the index of them says."""
        with suppress(sqlite3.DatabaseError):
            return {
                number: key
                for key, number in self.source.execute(
                    "SELECT citekey, rowid FROM papers INDEXED BY sqlite_autoindex_papers_1"
                )
                if isinstance(number, int)
            }
        return {}

    def _named(self, table: str) -> set[int]:
        """The papers that the rows of a table belong to."""
        columns = self._columns(table)
        if "paper_id" not in columns:
            return set()
        at = columns.index("paper_id")
        return {row[at] for row in self._rows(table, columns)}

    def _columns(self, table: str) -> list[str]:
        """The columns that a table has there and here, its rowid first; none if it is lost."""
        sql = f"PRAGMA table_info({table})"
        here = [row[1] for row in self.store.execute(sql)]
        there = {row[1] for row in self.source.execute(sql)}
        return [name for name in here if name in there]

    def _copy(self, table: str) -> None:
        columns = self._columns(table)
        if not columns:
            if table not in _BESIDE:  # An older papertrack may not have had it.
                self.found.torn.add(table)
            return
        into = f"{table} ({', '.join(columns)})"
        owners = set(self.ids) if "paper_id" in columns and table != "entries" else None
        for row in self._rows(table, columns):
            if owners is not None and row[columns.index("paper_id")] not in owners:
                continue
            try:
                self.store.insert(into, row)
            except sqlite3.IntegrityError:
                self.found.torn.add(table)

    def _rows(self, table: str, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
        listed = ", ".join(columns)
        if self._has_rowid(table):
            yield from self._by_rowid(table, listed)
        else:
            yield from self._by_paper(table, listed, by_paper="paper_id" in columns)

    def _has_rowid(self, table: str) -> bool:
        made = self.store.select_value("SELECT sql FROM sqlite_schema WHERE name = ?", (table,))
        return "WITHOUT ROWID" not in str(made)

    def _by_rowid(self, table: str, listed: str) -> Iterator[Sequence[Any]]:
        """The rows in order, and behind each bad page on."""
        sql = f"SELECT rowid, {listed} FROM {table} NOT INDEXED WHERE rowid >= ? ORDER BY rowid"
        start: int | None = 0
        while start is not None:
            try:
                for row in self.source.execute(sql, (start,)):
                    if row[0] < start:  # A bad page may tell any number, and the same for ever.
                        raise sqlite3.DatabaseError("These rows are out of order.")
                    yield row[1:]
                    start = row[0] + 1
                return
            except sqlite3.DatabaseError:
                self.found.torn.add(table)
                start = self._next_readable(f"{sql} LIMIT 1", start or 0)

    def _next_readable(self, sql: str, start: int) -> int | None:
        """The first rowid behind ``start``, which cannot be read, from which on it can."""
        bad, step = start, 1
        while not self._is_readable(sql, start + step):
            bad, step = start + step, step * 2
            if step > _FURTHEST:
                return None
        good = start + step
        while good - bad > 1:
            middle = (good + bad) // 2
            bad, good = (bad, middle) if self._is_readable(sql, middle) else (middle, good)
        return good

    def _is_readable(self, sql: str, start: int) -> bool:
        try:
            rows = self.source.execute(sql, (start,)).fetchall()
        except sqlite3.DatabaseError:
            return False
        return all(row[0] >= start for row in rows)

    def _by_paper(self, table: str, listed: str, *, by_paper: bool) -> Iterator[Sequence[Any]]:
        """All rows at once, or where one cannot be read those of each paper."""
        sql = f"SELECT {listed} FROM {table}"
        try:
            yield from self.source.execute(sql).fetchall()
            return
        except sqlite3.DatabaseError:
            self.found.torn.add(table)
        for paper_id in self.ids if by_paper else ():
            with suppress(sqlite3.DatabaseError):
                yield from self.source.execute(f"{sql} WHERE paper_id = ?", (paper_id,)).fetchall()

    def _complete(self) -> None:
        """Let every paper have a state, and what its readings say; let go what hangs in the air."""
        execute = self.store.execute
        execute(
            """INSERT INTO paper_states (paper_id) SELECT id FROM papers
               WHERE id NOT IN (SELECT paper_id FROM paper_states)"""
        )
        execute(
            """UPDATE paper_states AS s SET passes_done = max(passes_done, ifnull(
                   (SELECT max(pass) FROM readings r WHERE r.paper_id = s.paper_id), 0))"""
        )
        execute(
            """UPDATE categories SET parent_id = NULL
               WHERE parent_id NOT IN (SELECT id FROM categories)"""
        )
        for column, table, of in (
            ("category_id", "paper_categories", "categories"),
            ("topic_id", "paper_topics", "topics"),
            ("document_id", "entries", "documents"),
            ("other_id", "different", "papers"),
        ):
            execute(f"DELETE FROM {table} WHERE {column} NOT IN (SELECT id FROM {of})")
        execute("UPDATE entries SET paper_id = NULL WHERE paper_id NOT IN (SELECT id FROM papers)")
        for empty, columns in (("[]", _LISTS), ("{}", _OBJECTS)):
            self._mend_json(empty, columns)

    def _mend_json(self, empty: str, columns: Mapping[str, Sequence[str]]) -> None:
        """Empty what cannot be read as JSON for a wrong letter in it."""
        for table, names in columns.items():
            for name in names:
                mended = self.store.execute(
                    f"UPDATE {table} SET {name} = ? WHERE NOT json_valid({name})", (empty,)
                )
                if mended.rowcount:
                    self.found.torn.add(table)

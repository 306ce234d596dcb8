"""The PDFs of the library: the paper of each, and the index of their text.

The index is a separate database beside the library's, rebuilt from the files whenever it is
missing or invalid: it contains no data of the reader.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from papertrack.errors import DamagedError, StoreError
from papertrack.foreign_database import BESIDE, refuse_unsafe
from papertrack.pdfs.texts import indexed_text, references_of, words_of
from papertrack.store.database import Database, address_of, run_script
from papertrack.store.store import Store, readable_errors
from papertrack.store.versions import made_of_papers

_INDEX = "pdf-texts.db"
_SCHEMA = """\
CREATE TABLE files ( -- 4: another number where the same PDF gives other texts
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, mark TEXT NOT NULL, problem TEXT NOT NULL
) STRICT

CREATE TABLE pages (
    id INTEGER PRIMARY KEY, file_id INTEGER NOT NULL, number INTEGER NOT NULL, text BLOB NOT NULL
) STRICT

CREATE INDEX pages_by_file ON pages (file_id)

CREATE TABLE reference_lists (
    file_id INTEGER PRIMARY KEY, text BLOB NOT NULL, is_new INTEGER NOT NULL
) STRICT

CREATE TABLE citations (
    file_id INTEGER NOT NULL, paper_id INTEGER NOT NULL, PRIMARY KEY (file_id, paper_id)
) STRICT, WITHOUT ROWID

CREATE TABLE compared_papers (paper_id INTEGER PRIMARY KEY, mark TEXT NOT NULL) STRICT

CREATE VIRTUAL TABLE words USING fts5 (
    text, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'
)"""
_NO_DAMAGE = tuple(
    f"SQLITE_{reason}" for reason in ("BUSY", "LOCKED", "IOERR", "FULL", "CANTOPEN", "READONLY")
)
"""Errors that say nothing against the file."""


class PdfFile(NamedTuple):
    """A PDF of the library."""

    paper_id: int
    name: str
    """As the index calls it: its path from the library's database."""
    path: Path
    mark: str
    """Tells its content from what it held before: size and time of change."""


class Place(NamedTuple):
    """A page that contains a phrase."""

    name: str
    """Of the file."""
    page: int
    """From 1."""
    page_id: int


def pdf_name(citekey: str, arxiv_id: str | None, paper_id: int) -> str:
    """Return the file name of a paper's PDF."""
    # What only asks whether there is an index need not know the rules of names.
    from papertrack.identifiers.citekeys import file_stem

    stem = file_stem(citekey)
    if stem == citekey.lower():
        return f"{stem}.pdf"
    # Several keys give this stem: what makes the work one keeps their files apart.
    return f"{stem}-{(arxiv_id or str(paper_id)).replace('/', '-')}.pdf"


def pdf_files(store: Store, paper_ids: Iterable[int] | None = None) -> list[PdfFile]:
    """The PDFs that are there, of these papers or of all: fetched ones, under the key or a former
    one, before those that imports or `pdf add` linked or copied."""
    found: dict[str, PdfFile] = {}
    # Whether there is any file of a name is known for all at once: to look for each of those that
    # 10,000 papers may have takes most of a second. Not every disk tells capitals apart.
    present = {name.lower() for folder in store.pdf_folders for name in _names_in(folder)}
    for paper_id, file_name, target in _known_names(store, paper_ids) if present else ():
        for folder in store.pdf_folders if file_name.lower() in present else ():
            path = folder / file_name
            name = os.path.relpath(path, store.path.parent)
            is_own = folder == store.pdf_folders[0]
            if name not in found and (mark := _mark(path, target, is_own=is_own)):
                found[name] = PdfFile(paper_id, name, path, mark)
                break
    return list(found.values())


def _names_in(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError:
        return []


def _known_names(
    store: Store, paper_ids: Iterable[int] | None
) -> Iterator[tuple[int, str, str | None]]:
    """Names that papers' PDFs may have, and what those lead to that imports made as links."""
    ids = None if paper_ids is None else list(paper_ids)
    which = "1" if ids is None else "p.id IN (SELECT value FROM json_each(?))"
    rows = store.execute(
        f"""SELECT p.id, k.citekey, (SELECT value FROM identifiers i WHERE i.paper_id = p.id
                AND i.scheme = 'arxiv' ORDER BY i.position LIMIT 1)
            FROM papers p JOIN (SELECT id, citekey, 0 AS age FROM papers
                UNION ALL SELECT paper_id, alias, 1 FROM citekey_aliases) k ON k.id = p.id
            WHERE {which} ORDER BY p.id, k.age""",
        () if ids is None else (ids,),
    )
    for paper_id, citekey, arxiv_id in rows:
        yield paper_id, pdf_name(citekey, arxiv_id, paper_id), None
    for paper_id, name, target in made_of_papers(store, ids):
        if name.startswith("pdfs/") and name.endswith(".pdf"):
            yield paper_id, name.removeprefix("pdfs/"), target


def _mark(path: Path, target: str | None, *, is_own: bool) -> str | None:
    """The mark of a file; None where there is none. In a folder that others may fill, a link is one
    only if an import of the reader's made it."""
    with suppress(OSError):
        if not is_own and path.is_symlink() and str(path.readlink()) != target:
            return None
        status = path.stat()
        if path.is_file():
            return f"{status.st_size}-{status.st_mtime_ns}"
    return None


class PdfIndex:
    """The text of PDFs. Use it in a ``with`` block of ``open_index``."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def known(self) -> dict[str, str]:
        """Return the files in it by name, with their marks."""
        return dict(self._db.execute("SELECT name, mark FROM files").fetchall())

    def problems(self) -> dict[str, str]:
        """Return why files could not be read or have no text, by name."""
        return dict(self._db.execute("SELECT name, problem FROM files WHERE problem <> ''"))

    def count_pages(self) -> int:
        return int(self._db.select_value("SELECT count(*) FROM pages"))

    def put(self, name: str, mark: str, pages: Iterable[str], problem: str = "") -> None:
        """Store the text of a file, replacing an earlier one."""
        pages = list(pages)
        with _transaction(self._db):
            self._remove(name)
            file_id = self._db.insert(
                "files (name, mark, problem)", (name, mark, problem)
            ).lastrowid
            for number, text in enumerate(pages, start=1):
                if text.strip():
                    packed = zlib.compress(text.encode())
                    page = self._db.insert(
                        "pages (file_id, number, text)", (file_id, number, packed)
                    )
                    self._db.insert("words (rowid, text)", (page.lastrowid, indexed_text(text)))
            if references := references_of(pages):
                row = (file_id, zlib.compress(references.encode()), 1)
                self._db.insert("reference_lists (file_id, text, is_new)", row)

    def remove(self, names: Iterable[str]) -> None:
        """Forget files that no longer exist."""
        with _transaction(self._db):
            for name in names:
                self._remove(name)

    def _remove(self, name: str) -> None:
        file_id = self._db.select_value("SELECT id FROM files WHERE name = ?", (name,))
        if file_id is None:
            return
        pages = self._db.execute("SELECT id, text FROM pages WHERE file_id = ?", (file_id,))
        for page_id, packed in pages.fetchall():
            # FTS5 keeps no text here: it takes a page out by what was put in.
            self._db.insert(
                "words (words, rowid, text)", ("delete", page_id, indexed_text(_unpacked(packed)))
            )
        for table in ("pages", "reference_lists", "citations"):
            self._db.execute(f"DELETE FROM {table} WHERE file_id = ?", (file_id,))
        self._db.execute("DELETE FROM files WHERE id = ?", (file_id,))

    def places_of(self, phrase: str, *, is_start: bool = False) -> list[Place]:
        """Return the pages that contain a phrase, file by file, in page order. With ``is_start``
        its last word may be incomplete."""
        words = words_of(phrase)
        if not words:
            return []
        return self._db.select_records(
            Place,
            """SELECT f.name, p.number, p.id FROM words w JOIN pages p ON p.id = w.rowid
               JOIN files f ON f.id = p.file_id WHERE words MATCH ? ORDER BY 1, 2""",
            (f'"{words}"{" *" if is_start else ""}',),
        )

    def text_of(self, place: Place) -> str:
        """Return the text of a page."""
        packed = self._db.select_value("SELECT text FROM pages WHERE id = ?", (place.page_id,))
        return _unpacked(packed)

    def references(self, *, is_new: bool) -> list[tuple[int, str]]:
        """The references of each file, by its number: of those that were compared with the
        library's papers, or of new ones."""
        rows = self._db.execute(
            "SELECT file_id, text FROM reference_lists WHERE is_new = ?", (is_new,)
        )
        return [(file_id, _unpacked(packed)) for file_id, packed in rows]

    def compared_papers(self) -> dict[int, str]:
        """The papers that were looked for in references: their marks then."""
        return dict(self._db.execute("SELECT paper_id, mark FROM compared_papers").fetchall())

    def cited(self) -> list[tuple[str, int]]:
        """Each file, by its name, with each paper that its references name."""
        return self._db.execute(
            "SELECT f.name, c.paper_id FROM citations c JOIN files f ON f.id = c.file_id"
        ).fetchall()

    def keep_citations(
        self,
        found: Iterable[tuple[int, int]],
        marks: Mapping[int, str],
        gone: Iterable[int],
        files: Iterable[int],
    ) -> None:
        """Keep what a comparison ``found``, files with papers: of papers with these ``marks``, in
        place of what was known of them, and of ``files``; and forget papers that are ``gone``."""
        listed = "IN (SELECT value FROM json_each(?))"
        with _transaction(self._db):
            for table in ("compared_papers", "citations"):
                self._db.execute(f"DELETE FROM {table} WHERE paper_id {listed}", ([*marks, *gone],))
            self._db.insert_many("compared_papers (paper_id, mark)", marks.items())
            self._db.insert_many("citations (file_id, paper_id)", found, "DO NOTHING")
            self._db.execute(
                f"UPDATE reference_lists SET is_new = 0 WHERE file_id {listed}", ([*files],)
            )


@contextmanager
def _transaction(db: Database) -> Iterator[None]:
    with db.connection:
        db.execute("BEGIN IMMEDIATE")
        yield


_MOST_LETTERS = 4 * 200_000


def _unpacked(packed: bytes) -> str:
    """The text of a page; no more of it than a page may have, whoever wrote the index."""
    return zlib.decompressobj().decompress(packed, _MOST_LETTERS).decode("utf-8", "replace")


@contextmanager
def open_index(store: Store) -> Iterator[PdfIndex]:
    """Open the index of a library's PDFs; it is made if missing, and rebuilt if invalid.

    Raises StoreError when it cannot be written, DiskError when the disk is full or fails.
    """
    path = store.path.with_name(_INDEX)
    if store.is_read_only:
        raise StoreError(f"{path} belongs to a library that is not trusted, and was not opened.")
    try:
        with readable_errors(path):
            try:
                db = _opened(path)
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorname", "").startswith(_NO_DAMAGE):
                    raise
                _delete(path)
                db = _opened(path)
            with closing(db.connection):
                yield PdfIndex(db)
    except DamagedError as error:
        _delete(path)
        raise StoreError(
            "The index of PDFs was damaged and has been removed. Run this again to rebuild it."
        ) from error


def has_index(store: Store) -> bool:
    """Return whether any PDF was ever indexed."""
    return store.path.with_name(_INDEX).is_file()


def _opened(path: Path) -> Database:
    refuse_unsafe(path)
    if path.is_symlink():
        raise StoreError(f"{path} is a link, and papertrack makes none there. Remove it.")
    connection = sqlite3.connect(address_of(path), uri=True, isolation_level=None, timeout=10)
    try:
        db = Database(connection)
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("PRAGMA cell_size_check = ON")
        if _is_empty(db):
            with _transaction(db):
                if _is_empty(db):  # Another process may have been faster.
                    run_script(db, _SCHEMA)
        if not _is_ours(db):
            raise sqlite3.DatabaseError("it has another schema")
    except BaseException:
        connection.close()
        raise
    return db


def _is_empty(db: Database) -> bool:
    return not db.select_value("SELECT count(*) FROM sqlite_schema")


def _is_ours(db: Database) -> bool:
    """Whether the schema is just what our statements make, and nothing that a stranger planted."""
    asked = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name"
    with closing(sqlite3.connect(":memory:")) as fresh:
        run_script(Database(fresh), _SCHEMA)
        return fresh.execute(asked).fetchall() == db.execute(asked).fetchall()


def _delete(path: Path) -> None:
    for suffix in ("", *BESIDE):
        with suppress(OSError):
            path.with_name(path.name + suffix).unlink()

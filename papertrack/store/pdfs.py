"""The PDFs of the library: the paper of each, and the index of their text.

The index is a separate database beside the library's, rebuilt from the files whenever it is missing
or invalid: it contains no data of the user.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import chain
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
CREATE TABLE IF NOT EXISTS files ( -- 5: another number where the same PDF gives other texts
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, mark TEXT NOT NULL, problem TEXT NOT NULL
) STRICT

CREATE TABLE IF NOT EXISTS pages (
    id INTEGER PRIMARY KEY, file_id INTEGER NOT NULL, number INTEGER NOT NULL, text BLOB NOT NULL
) STRICT

CREATE INDEX IF NOT EXISTS pages_by_file ON pages (file_id)

CREATE TABLE IF NOT EXISTS reference_lists (
    file_id INTEGER PRIMARY KEY, is_new INTEGER NOT NULL, text BLOB NOT NULL, letters TEXT NOT NULL
) STRICT

CREATE TABLE IF NOT EXISTS citations (
    paper_id INTEGER NOT NULL, file_id INTEGER NOT NULL, PRIMARY KEY (paper_id, file_id)
) STRICT, WITHOUT ROWID

CREATE INDEX IF NOT EXISTS citations_by_file ON citations (file_id)

CREATE TABLE IF NOT EXISTS compared_until (place TEXT NOT NULL) STRICT

CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
    text, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'
)"""
_NO_DAMAGE = tuple(
    f"SQLITE_{reason}" for reason in ("BUSY", "LOCKED", "IOERR", "FULL", "CANTOPEN", "READONLY")
)
"""Errors that do not mean that the file is unreadable."""


_MOST_OF_REFERENCES = 400_000
"""The most letters of a list of references: those of thousands of references."""
_MOST_PARTS = 6
"""The most parts of a file's name, as a number and an id may follow the key."""


class PdfFile(NamedTuple):
    """A PDF of the library."""

    paper_id: int
    name: str
    """Its name in the index: the path from the library's database."""
    path: Path
    mark: str
    """The size and time of modification, to detect changes; empty for a link to a missing file."""


class Place(NamedTuple):
    """A page that contains a phrase."""

    name: str
    """The name of the file."""
    page: int
    """Counted from 1."""
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


def present_pdfs(store: Store, paper_ids: Iterable[int] | None = None) -> list[PdfFile]:
    """Return the ``known_pdfs`` that exist."""
    return [file for file in known_pdfs(store, paper_ids) if file.mark]


def known_pdfs(
    store: Store, paper_ids: Iterable[int] | None = None, names: Iterable[str] | None = None
) -> list[PdfFile]:
    """Return the PDFs of these papers or with these ``names``, or all.

    Includes links to missing files. Fetched PDFs, named after a current or former key, come before
    those that imports or `pdf add` linked or copied.
    """
    if names is None:
        names = map(str, chain.from_iterable(folder.glob("*") for folder in store.pdf_folders))
    present = {Path(name).name for name in names if name.lower().endswith(".pdf")}
    if not present:
        return []
    # To look at each of 10,000 papers would take a tenth of a second.
    ids = _likely_owners(store, present) if paper_ids is None else list(paper_ids)
    # Not every disk tells capitals apart.
    lower = {name.lower() for name in present}
    found = _files_of(store, _known_names(store, ids), lower)
    if paper_ids is None and len(found) < len(present):
        found = _files_of(store, _known_names(store, None), lower) | found
    return list(found.values())


def _files_of(
    store: Store, known: Iterable[tuple[int, str, str | None]], present: Container[str]
) -> dict[str, PdfFile]:
    """Return the known files by name; ``present`` has the existing names, in lower case."""
    found: dict[str, PdfFile] = {}
    for paper_id, file_name, target in known:
        for folder in store.pdf_folders if file_name.lower() in present else ():
            path = folder / file_name
            name = os.path.relpath(path, store.path.parent)
            is_own = folder == store.pdf_folders[0]
            mark = _mark(path, target, is_own=is_own)
            if name not in found and mark is not None:
                found[name] = PdfFile(paper_id, name, path, mark)
                break
    return found


def _likely_owners(store: Store, names: Iterable[str]) -> list[int]:
    """Return the papers of these PDFs, for names that begin with a key or end with an id."""
    parts = set()
    for name in names:
        words = name[:-4].split("-")
        parts |= {"-".join(words[:count]) for count in range(len(words), 0, -1)[:_MOST_PARTS]}
        for end in ("-".join(words[-count:]) for count in (1, 2, 3)):
            parts |= {end, "/".join(end.rsplit("-", 1))}
    return store.select_column(
        """WITH parts AS MATERIALIZED (SELECT value FROM json_each(?))
           SELECT id FROM parts CROSS JOIN papers ON citekey = value
           UNION SELECT paper_id FROM parts CROSS JOIN citekey_aliases ON alias = value
           UNION SELECT id FROM parts CROSS JOIN papers ON id = value
           UNION SELECT paper_id FROM parts CROSS JOIN identifiers i
           ON i.scheme = 'arxiv' AND i.value = parts.value""",
        (sorted(parts),),
    )


def _known_names(
    store: Store, paper_ids: list[int] | None
) -> Iterator[tuple[int, str, str | None]]:
    """Yield the names that PDFs of these papers may have.

    Each comes with its paper and, if an import made it as a link, its target. With None, yields
    only files that imports made, for all papers.
    """
    rows = store.execute(
        """WITH wanted (id) AS (SELECT value FROM json_each(?)), keys (id, key, age) AS (
               SELECT p.id, p.citekey, 0 FROM wanted CROSS JOIN papers p ON p.id = wanted.id
               UNION ALL SELECT paper_id, alias, 1
               FROM wanted CROSS JOIN citekey_aliases ON paper_id = wanted.id)
           SELECT id, key, (SELECT value FROM identifiers i WHERE i.paper_id = keys.id
               AND i.scheme = 'arxiv' ORDER BY i.position LIMIT 1)
           FROM keys ORDER BY id, age""",
        (paper_ids or [],),
    )
    for paper_id, citekey, arxiv_id in rows:
        yield paper_id, pdf_name(citekey, arxiv_id, paper_id), None
    for paper_id, name, target in made_of_papers(store, paper_ids):
        yield paper_id, name.removeprefix("pdfs/"), target


def _mark(path: Path, target: str | None, *, is_own: bool) -> str | None:
    """Return the mark of a file; "" for a link to a missing one, None without a file.

    In a folder to which others can write, a link counts only if the user's import made it.
    """
    is_link = path.is_symlink()
    with suppress(OSError):
        if is_link and not is_own and str(path.readlink()) != target:
            return None
        status = path.stat()
        return f"{status.st_size}-{status.st_mtime_ns}" if path.is_file() else None
    return "" if is_link else None


class PdfIndex(Database):
    """The text of PDFs. Use it in a ``with`` block of ``open_index``."""

    def known(self) -> dict[str, str]:
        """Return the files in it by name, with their marks."""
        return dict(self.execute("SELECT name, mark FROM files").fetchall())

    def problems(self) -> dict[str, str]:
        """Return why files could not be read or have no text, by name."""
        return dict(self.execute("SELECT name, problem FROM files WHERE problem <> ''").fetchall())

    def count_pages(self) -> int:
        return int(self.select_value("SELECT count(*) FROM pages"))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self.connection:
            self.execute("BEGIN IMMEDIATE")
            yield

    def put(self, name: str, mark: str, pages: Sequence[str], problem: str = "") -> None:
        """Store the text of a file, replacing an earlier one."""
        with self.transaction():
            self._remove(name)
            file = self.insert("files (name, mark, problem)", (name, mark, problem)).lastrowid
            for number, text in enumerate(pages, start=1):
                if text.strip():
                    row = (file, number, zlib.compress(text.encode()))
                    page = self.insert("pages (file_id, number, text)", row).lastrowid
                    self.insert("words (rowid, text)", (page, indexed_text(text)))
            if references := references_of(pages)[:_MOST_OF_REFERENCES]:
                # Who only asks for PDFs need not know what references say.
                from papertrack.matching.citations import letters_of

                packed = zlib.compress(references.encode())
                self.insert(
                    "reference_lists (file_id, is_new, text, letters)",
                    (file, True, packed, letters_of(references)),
                )

    def remove(self, names: Iterable[str]) -> None:
        """Forget files that no longer exist."""
        with self.transaction():
            for name in names:
                self._remove(name)

    def _remove(self, name: str) -> None:
        file = self.select_value("SELECT id FROM files WHERE name = ?", (name,))
        pages = self.execute("SELECT id, text FROM pages WHERE file_id = ?", (file,)).fetchall()
        for page, packed in pages:
            # FTS5 keeps no text here: it takes a page out by what was put in.
            row = ("delete", page, indexed_text(unpacked(packed)))
            self.insert("words (words, rowid, text)", row)
        for table in ("pages", "reference_lists", "citations"):
            self.execute(f"DELETE FROM {table} WHERE file_id = ?", (file,))
        self.execute("DELETE FROM files WHERE id = ?", (file,))

    def places_of(self, phrase: str, *, is_start: bool = False) -> list[Place]:
        """Return the pages that contain a phrase, file by file, in page order.

        With ``is_start``, the last word may be incomplete. Returns none for a phrase without words.
        """
        return self.select_records(
            Place,
            """SELECT f.name, p.number, p.id FROM words w JOIN pages p ON p.id = w.rowid
               JOIN files f ON f.id = p.file_id WHERE words MATCH ? ORDER BY 1, 2""",
            (f'"{words_of(phrase)}"{" *" if is_start else ""}',),
        )

    def text_of(self, place: Place) -> str:
        """Return the text of a page."""
        return unpacked(self.select_value("SELECT text FROM pages WHERE id = ?", (place.page_id,)))


_MOST_LETTERS = 4 * 200_000


def unpacked(packed: bytes) -> str:
    """Unpack a text of the index, cut to the length of a page.

    Anybody may have written it.
    """
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
                yield db
    except DamagedError as error:
        _delete(path)
        raise StoreError(
            "The index of PDFs was damaged and has been removed. Run this again to rebuild it."
        ) from error


def has_index(store: Store) -> bool:
    """Return whether any PDF was ever indexed."""
    return store.path.with_name(_INDEX).is_file()


def _opened(path: Path) -> PdfIndex:
    refuse_unsafe(path)
    if path.is_symlink():
        raise StoreError(f"{path} is a link that papertrack did not make. Remove it.")
    connection = sqlite3.connect(address_of(path), uri=True, isolation_level=None, timeout=10)
    try:
        db = PdfIndex(connection)
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("PRAGMA cell_size_check = ON")
        if not db.select_value("SELECT count(*) FROM sqlite_schema"):
            with db.transaction():
                run_script(db, _SCHEMA)
        if not _is_ours(db):
            raise sqlite3.DatabaseError("it has another schema")
    except BaseException:
        connection.close()
        raise
    return db


def _is_ours(db: Database) -> bool:
    """Return whether the schema is exactly ours, with nothing that a stranger planted."""
    asked = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name"
    with closing(sqlite3.connect(":memory:")) as fresh:
        run_script(Database(fresh), _SCHEMA)
        return fresh.execute(asked).fetchall() == db.execute(asked).fetchall()


def _delete(path: Path) -> None:
    for suffix in ("", *BESIDE):
        with suppress(OSError):
            path.with_name(path.name + suffix).unlink()

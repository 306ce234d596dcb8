"""One entry of a real README deleted, and added again, by a library that fed the file before."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from papertrack.actions.add import add_references
from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.organise import move_papers
from papertrack.documents.encoding import decode_document
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.write.edit_types import Remove
from papertrack.documents.markdown.write.edits import apply_edits
from papertrack.identifiers import url_of
from papertrack.library import Library
from papertrack.store.documents import find_document, read_entries
from papertrack.store.lookup import get_paper
from papertrack.store.store import Store

NAME = "README.md"


class ListInLibrary:
    """A README that a library has imported whole, for each entry anew."""

    def __init__(self, folder: Path, path: Path) -> None:
        self.folder = folder
        self.data = path.read_bytes()
        self.text, _ = decode_document(self.data)
        with self._opened("whole") as (store, library):
            self._import(store, library, self.text)

    @contextmanager
    def _opened(self, name: str) -> Iterator[tuple[Store, Library]]:
        library = Library(self.folder / name)
        now = datetime(2026, 11, 22, tzinfo=UTC)
        with closing(Store.create(library.database, now=lambda: now)) as store:
            yield store, library

    def _import(self, store: Store, library: Library, text: str) -> None:
        path = library.root / NAME
        path.write_bytes(self.data if text == self.text else text.encode("utf-8"))
        import_file(store, library, path)

    def again(self, document: Document, entry: Entry) -> tuple[str, str]:
        """Return the file's text without the entry, and with it deleted, imported, added again and
        exported; twice the same where nothing came back."""
        shutil.rmtree(self.folder / "one", ignore_errors=True)
        shutil.copytree(self.folder / "whole", self.folder / "one")
        without = without_entry(document, entry)
        with self._opened("one") as (store, library):
            paper_id = _paper_of(store, entry)
            self._import(store, library, without)
            _add_again(store, paper_id, entry.category)
            export_registered(store, library, "markdown")
            return without, decode_document((library.root / NAME).read_bytes())[0]


def without_entry(document: Document, entry: Entry) -> str:
    """Return the text without an entry, and without the definitions that only it used."""
    edited = apply_edits(document, [Remove(entry.index)])
    if not edited.refused:
        return edited.text
    return document.text[: entry.span[0]] + document.text[entry.span[1] :]


def _paper_of(store: Store, entry: Entry) -> int:
    registered = find_document(store, NAME)
    assert registered is not None
    return read_entries(store, registered.id)[entry.index].paper


def _add_again(store: Store, paper_id: int, category: tuple[str, ...]) -> None:
    """Add a paper as its reader does: by what names it, else by its category."""
    names = [url_of(identifier) for identifier in get_paper(store, paper_id).facts.identifiers]
    if names:
        add_references(store, names[:1], category=category or None)
    elif category:
        move_papers(store, [paper_id], category, is_added=True)

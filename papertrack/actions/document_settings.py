"""What papertrack learnt about a document, and the user's corrections."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from papertrack.documents.markdown.marks.document_marks import DECLARED
from papertrack.documents.markdown.model import HINTS
from papertrack.documents.markdown.pattern import ENTRY
from papertrack.documents.markdown.settings import COLUMN, check_setting
from papertrack.documents.markdown.write.summary import LineShown as LineShown
from papertrack.documents.markdown.write.summary import ListShown as ListShown
from papertrack.documents.markdown.write.summary import Summary as Summary
from papertrack.documents.markdown.write.summary import summarise
from papertrack.errors import NotFoundError, UsageError
from papertrack.library import Library
from papertrack.library.paths import BIBTEX_SUFFIXES, name_of_file
from papertrack.store.documents import (
    RegisteredDocument,
    compare_again,
    find_document,
    forget_document,
    set_document_settings,
)
from papertrack.store.known import known_titles
from papertrack.store.store import Store
from papertrack.sync.markdown.reading import read_document


def get_document(store: Store, library: Library, path: Path) -> RegisteredDocument:
    """Return the registered document at this path. Raises NotFoundError."""
    document = find_document(store, name_of_file(library, path))
    if document is None:
        raise NotFoundError(
            f"{path} is not a document of this library. `papertrack documents` lists them."
        )
    return document


def reading_hints(
    store: Store, library: Library, path: Path
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the user's settings for this file, and known titles that help to read lists."""
    document = find_document(store, name_of_file(library, path))
    return document.settings if document else {}, known_titles(store)


def describe_document(
    path: Path, settings: Mapping[str, str], titles: Mapping[str, str] | None = None
) -> dict[str, object]:
    """Return how a file is read and written, as plain data: what was learnt and what was set.

    For a .bib file: its dialect, encoding, line ends, entries, @strings and JabRef groups. Raises
    NotFoundError, PapertrackError or DocumentError when the file cannot be read.
    """
    if path.suffix.lower() in BIBTEX_SUFFIXES:
        return _describe_bib(path)
    document = read_document(path, settings, titles).document
    grammar, style = summarise(document), document.style.to_dict()
    return {**style, "grammar": grammar, "settings": dict(settings)}


def _describe_bib(path: Path) -> dict[str, object]:
    from papertrack.documents.bibtex.fresh import dialect_of
    from papertrack.sync.bibtex.reading import read_bib

    read = read_bib(path)
    return {
        "dialect": dialect_of(read.bib),
        "encoding": read.encoding,
        "line_end": "CRLF" if "\r\n" in read.text else "LF",
        "entries": len(read.bib.entries),
        "skipped": len(read.bib.skipped),
        "strings": sorted(read.bib.strings),
        "groups": [list(path) for path in read.bib.groups],
    }


def change_settings(
    store: Store, library: Library, path: Path, changes: Mapping[str, str | None]
) -> bool:
    """Change settings of a document; None removes one. Return whether anything changed.

    A change in how the file is read affects its papers only with the next import. Raises
    NotFoundError if the file is not a document, UsageError for a setting that is unknown or has no
    effect.
    """
    registered = get_document(store, library, path)
    if registered.kind == "bibtex":
        raise UsageError(f"{path} is a .bib file: only READMEs have something to set.")
    document = read_document(path).document
    for key, value in changes.items():
        if value is not None:
            check_setting(document, key, value)
        elif key not in registered.settings:
            raise UsageError(f"{key} is not set for {registered.path}.")
    merged = {**registered.settings, **changes}
    settings = {key: value for key, value in merged.items() if value is not None}
    if settings == registered.settings:
        return False
    summary = ", ".join(f"{key}={value or ''}" for key, value in changes.items())
    with store.action("documents", f"{registered.path}: {summary}"):
        set_document_settings(store, registered.id, settings)
        if any(map(is_about_reading, changes)):
            # If the user corrects what marks mean, wrong readings of them are undone. A
            # newer papertrack alone never undoes them.
            compare_again(store, registered.id)
    return True


def is_about_reading(key: str) -> bool:
    """Return whether a setting changes how a file is read, rather than how it is written."""
    about_entries = key.partition(".")[0] == ENTRY
    return about_entries or key in ("checks", "title", *HINTS) or key.startswith((COLUMN, DECLARED))


def forget(store: Store, library: Library, path: Path) -> str:
    """Stop updating a file; return its name. Raises NotFoundError if it is not a document."""
    document = get_document(store, library, path)
    with store.action("documents", f"forget {document.path}"):
        forget_document(store, document.id)
    return document.path

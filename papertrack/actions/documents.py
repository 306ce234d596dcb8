"""Import files of any format, and update the registered documents."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from papertrack.actions.recover import recover
from papertrack.documents.encoding import decode_bib
from papertrack.errors import DiskError, DocumentError, NotFoundError, PapertrackError, UsageError
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.library.paths import BIBTEX_SUFFIXES, name_of_file, path_of_name
from papertrack.library.trust import refuse_outside
from papertrack.store.documents import (
    DocumentKind,
    RegisteredDocument,
    find_document,
    read_documents,
)
from papertrack.store.store import Store
from papertrack.sync.in_step import export_in_step, import_in_step
from papertrack.sync.report import DocumentExport as DocumentExport
from papertrack.sync.report import ImportReport as ImportReport
from papertrack.sync.report import JoinedEntries as JoinedEntries
from papertrack.sync.report import Merged as Merged
from papertrack.sync.report import Reread as Reread
from papertrack.sync.report import TakenBack as TakenBack
from papertrack.sync.report import choose_documents
from papertrack.sync.threeway import Conflict as Conflict
from papertrack.sync.threeway import Fate as Fate
from papertrack.sync.threeway import OnDeleted as OnDeleted
from papertrack.sync.threeway import Prefer as Prefer
from papertrack.sync.threeway import Side as Side
from papertrack.text import is_plain_path

if TYPE_CHECKING:
    from papertrack.sync.format import Reader

STDIN = "-"
"""The name for text that does not come from a file."""


def import_file(
    store: Store,
    library: Library,
    path: Path,
    *,
    repair_encoding: bool = False,
    prefer: Prefer = None,
    on_deleted: OnDeleted = "unlink",
    data: bytes | None = None,
) -> ImportReport:
    """Import a file, and register it as a document to keep up to date (see ``take``).

    The name decides the format: BibTeX, otherwise Markdown; a file from ``export --json`` is
    imported as data and not registered. With ``repair_encoding``, papers are made from the repaired
    text of a README; the file is not changed and not registered. The same holds for ``data`` from
    elsewhere, whose note links are resolved as in a file at ``path``. Raises UsageError when a .bib
    file is to be repaired; NotFoundError, PapertrackError or DocumentError when the file cannot be
    read.
    """
    recover(store, library)
    name = name_of_file(library, path) if data is None else STDIN
    is_registered = data is None and not repair_encoding
    registered = find_document(store, name) if is_registered else None
    _refuse_odd_name(registered, path, name)
    if registered is not None:
        _refuse_gone(registered, path)
        if report := import_in_step(store, library, registered, path):
            return report
    elif is_registered and (library_file := _library_file(path)) is not None:
        from papertrack.actions.migrate.library_file import import_library

        return import_library(store, name, library_file, prefer=prefer)
    # Most imports have nothing to read.
    from papertrack.sync.document_import import import_document

    read: Reader
    if path.suffix.lower() in BIBTEX_SUFFIXES:
        if repair_encoding:
            raise UsageError(
                f"{path}: --repair-encoding is for READMEs; .bib files do not need it."
            )
        from papertrack.sync.bibtex.format import bib_reader

        read = bib_reader(store, path, name, elsewhere=_bibs(store, library))
    else:
        from papertrack.sync.markdown.format import MarkdownReader

        read = MarkdownReader(store, library, path, name, repair_encoding, data)
    return import_document(
        store, name, read, is_registered=is_registered, prefer=prefer, on_deleted=on_deleted
    )


def _bibs(store: Store, library: Library) -> list[Path]:
    """Return the registered .bib files, because one may use what another defines."""
    paths = (path_of_name(library, document.path) for document in read_documents(store, "bibtex"))
    return [path for path in paths if path.is_file()]


def _library_file(path: Path) -> str | None:
    """Return the text of a file that ``export --json`` wrote; None for others. Raises DocumentError
    if the content does not fit the name, and the errors of ``read_file``."""
    try:
        text = decode_bib(read_file(path))[0]  # Only as much as shows its format.
    except DocumentError:
        text = ""  # The reader of its format says what is wrong with it.
    if text.lstrip().startswith("["):
        from papertrack.documents.library_file import is_library_file

        if is_library_file(text):
            return text
    _check_format(path, text)
    return None


def _check_format(path: Path, text: str) -> None:
    """Raise DocumentError if the content does not fit the name, so that no wrong file is
    registered."""
    from papertrack.documents.recognize import foreign_format, is_bibtex

    if path.suffix.lower() in BIBTEX_SUFFIXES:
        if is_bibtex(text):
            return
        raise DocumentError(f"{path} has no BibTeX entry. It was not imported: check the file.")
    if (other := foreign_format(text, path.suffix)) is not None:
        from papertrack.importers.registry import can_be_imported

        hint = " Rename it to .bib, and import it again." if other == "BibTeX" else ""
        raise DocumentError(
            f"{path} is {other}, not a README or .bib file. It was not imported."
            f"{hint or f' {can_be_imported()}.'}"
        )


def export_registered(
    store: Store,
    library: Library,
    kind: DocumentKind,
    *,
    paths: Sequence[Path] = (),
    added: Sequence[int] = (),
    prefer: Prefer = None,
    protect: Sequence[str] = (),
    extra: Sequence[str] = (),
) -> list[DocumentExport]:
    """Update the registered documents of a kind, or those at ``paths`` (see ``write``).

    The papers ``added`` get an entry in .bib files that lack it, with the ``extra`` fields;
    ``protect`` lists words whose capitals are kept. Raises NotFoundError for a path that is not a
    document; other failures are reported with their document.
    """
    recover(store, library)
    exports = []
    # READMEs list papers by their sections.
    rows = added if kind == "bibtex" else ()
    for registered in choose_documents(store, library, paths, kind):
        path = path_of_name(library, registered.path)
        try:
            refuse_outside(library, path)
            if registered.is_unread:
                # Otherwise its entries would seem to be deleted.
                import_file(store, library, path)
            done = _export(store, library, registered, rows, prefer, (protect, extra))
        except DiskError:
            raise  # The next file would fail in the same way.
        except PapertrackError as error:
            done = DocumentExport(registered.path, path, "", (), (), False, error)
        exports.append(done)
    return exports


def _export(
    store: Store,
    library: Library,
    registered: RegisteredDocument,
    added: Sequence[int],
    prefer: Prefer,
    words: tuple[Sequence[str], Sequence[str]],
) -> DocumentExport:
    """Update one document; ``words`` are those of ``bib_reader``."""
    path = path_of_name(library, registered.path)
    _refuse_gone(registered, path)
    report = None if added else export_in_step(store, registered, path)
    if report and _are_tables_current(store, library, registered, path):
        return report

    from papertrack.sync.document_export import export_document

    read: Reader
    if registered.kind == "bibtex":
        from papertrack.sync.bibtex.format import bib_reader

        read = bib_reader(store, path, registered.path, *words, _bibs(store, library))
    else:
        from papertrack.actions.table import readme_tables
        from papertrack.sync.markdown.format import MarkdownReader

        make = readme_tables(store, library, registered)
        read = MarkdownReader(store, library, path, registered.path, make_table=make)
    return export_document(store, registered, read, added=added, prefer=prefer)


def _are_tables_current(
    store: Store, library: Library, registered: RegisteredDocument, path: Path
) -> bool:
    """Return whether the tables in a README are up to date, without reading its entries.

    They may be out of date though no entry changed: notes are files, which change without the
    journal, and some queries depend on the day.
    """
    data = read_file(path)
    # In UTF-16, which a README may be in, each letter has a zero byte.
    if registered.kind != "markdown" or b"papertrack table" not in data.replace(b"\0", b""):
        return True  # Most READMEs have no tables, and need no import of what makes them.
    from papertrack.actions.table import readme_tables
    from papertrack.documents.markdown.kept_tables import are_current

    return are_current(data, readme_tables(store, library, registered))


def _refuse_odd_name(registered: RegisteredDocument | None, path: Path, name: str) -> None:
    if registered is None and path.exists() and not is_plain_path(name):
        raise UsageError(
            f"{name!a} is not UTF-8 or has control characters. Rename the file or folder, and run "
            "this again."
        )


def _refuse_gone(registered: RegisteredDocument, path: Path) -> None:
    """Raise NotFoundError if the file of a document no longer exists."""
    if not os.path.lexists(path):
        forget = f"papertrack documents {shlex.quote(registered.path)} --forget"
        raise NotFoundError(
            f"The registered file {registered.path} is missing. Restore it, or run `{forget}`: "
            "its papers stay."
        )

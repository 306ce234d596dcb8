"""What runs that read no file have in common, whatever its format: it is in step already."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import papertrack
from papertrack.records import Skipped
from papertrack.store.documents import RegisteredDocument
from papertrack.store.files.history import read_history
from papertrack.store.files.in_step import (
    Change,
    InStep,
    is_settled,
    present_revision,
    write_in_step,
)
from papertrack.store.files.versions import stays_as_it_is
from papertrack.store.files.written_files import digest_of
from papertrack.store.store import Store
from papertrack.sync.report import DocumentExport, ImportReport

_READ_BY = ("documents", "identifiers", "latex", "store", "sync", "text.py")
"""What decides what a file is understood to say, and what becomes of that."""
_LIBRARIES = ("pyromark", "pylatexenc")


@cache
def code_digest() -> str:
    """A digest of all code that decides what a file says: a version may be at work in progress."""
    root = Path(papertrack.__file__).parent
    digest = hashlib.sha256()
    for name in _READ_BY:
        for path in sorted([root / name, *(root / name).rglob("*.py")]):
            digest.update(path.read_bytes() if path.is_file() else b"")
    for library in _LIBRARIES:
        for path in _top_of(library):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _top_of(library: str) -> list[Path]:
    """Return the modules at the top of a library, one of which tells its version: to load what
    reads that of a distribution would take longer than to read all of our own code."""
    spec = find_spec(library)
    return sorted(Path(spec.origin).parent.glob("*.py")) if spec and spec.origin else []


def reader_of(path: Path, *more: object) -> str:
    """Return what reads a file: the code, where the file stands, and what ``more`` it is seen
    from."""
    # Not resolved, as names of files are not.
    where = "\n".join(map(str, (*more, os.path.abspath(path), code_digest())))  # noqa: PTH100
    return digest_of(where.encode("utf-8", "surrogatepass"))


def is_as_known(
    store: Store, registered: RegisteredDocument, known: InStep, data: bytes, reader: str
) -> bool:
    """Whether a file that holds ``data`` is the one that is known, and nothing waits in it."""
    is_same = {known.digest, registered.digest} == {digest_of(data)} and known.reader == reader
    return is_same and is_settled(store, registered.id)


def has_removed(store: Store, document_id: int) -> bool:
    """Whether there are entries that an export took out, and that may come back."""
    return any(one.replaced_by is None for one in read_history(store, document_id))


def keep_up(
    store: Store, document_id: int, known: InStep, changes: Sequence[Change], *, is_export: bool
) -> None:
    """Keep that all these changes are of no consequence for an import, or an export."""
    if changes and not store.is_trial:
        now = present_revision(store)
        later = replace(known, written_at=now) if is_export else replace(known, read_at=now)
        write_in_step(store, document_id, later)
        if is_export:
            stays_as_it_is(store, document_id, known.digest)


def nothing_read(name: str, known: InStep, *, entries: int, papers: int) -> ImportReport:
    """Return what an import tells that finds nothing new."""
    return ImportReport(
        file=name,
        papers_new=0,
        papers_changed=0,
        papers_unchanged=papers,
        entries=entries,
        skipped=_skipped(known.told["skipped"]),
        conflicts=(),
        deleted=(),
        is_registered=True,
        is_first=False,
        notices=_skipped(known.told["notices"]),
        mentioned=known.told.get("mentioned", 0),
        encoding=known.told["encoding"],
    )


def _skipped(pieces: Sequence[dict[str, Any]]) -> tuple[Skipped, ...]:
    return tuple(Skipped(**piece) for piece in pieces)


def nothing_written(registered: RegisteredDocument, path: Path) -> DocumentExport:
    """Return what an export tells that has nothing to write."""
    return DocumentExport(registered.path, path, "", (), (), is_written=False)

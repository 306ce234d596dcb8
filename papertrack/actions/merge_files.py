"""Merging three versions of a file, as git does it, but entry by entry. It needs no library."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from papertrack.documents.versions import merge_versions
from papertrack.library.files import read_file, replace_file
from papertrack.library.paths import BIBTEX_SUFFIXES


@dataclass(frozen=True, slots=True)
class MergedFile:
    """What became of three versions of a file."""

    data: bytes
    """The merged file's."""
    conflicts: int
    is_written: bool


def merge_files(
    base: Path, ours: Path, theirs: Path, *, name: str | None = None, is_written: bool = True
) -> MergedFile:
    """Merge what ``ours`` and ``theirs`` made of ``base``, and write it into ``ours``.

    ``name`` is what the file is called, where ``ours`` is called otherwise, as git's copies are: it
    tells a .bib file from a README. Raises NotFoundError, PapertrackError or DocumentError, with
    ours as it is, when a version is not there, cannot be read, or holds markers of a conflict.
    """
    paths = (base, ours, theirs)
    datas = [read_file(path) for path in paths]
    is_bib = Path(name or ours).suffix.lower() in BIBTEX_SUFFIXES
    data, conflicts = merge_versions(datas, is_bib=is_bib, names=[str(path) for path in paths])
    is_written = is_written and data != datas[1]
    if is_written:
        replace_file(ours, datas[1], data)
    return MergedFile(data, conflicts, is_written)

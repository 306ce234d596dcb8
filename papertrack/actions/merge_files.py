"""Merging three versions of a file, as git does it, but entry by entry. It needs no library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from papertrack.documents.records.merge import merge_records
from papertrack.documents.records.text import PAPERS, TABLES, format_record, parse_record
from papertrack.documents.versions import merge_versions
from papertrack.errors import DocumentError
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
    path = Path(name or ours)
    if path.suffix == ".toml":
        data, conflicts = _merge_records(datas, path)
    else:
        is_bib = path.suffix.lower() in BIBTEX_SUFFIXES
        data, conflicts = merge_versions(datas, is_bib=is_bib, names=[str(path) for path in paths])
    is_written = is_written and data != datas[1]
    if is_written:
        replace_file(ours, datas[1], data)
    return MergedFile(data, conflicts, is_written)


def _merge_records(datas: Sequence[bytes], path: Path) -> tuple[bytes, int]:
    """Merge three versions of a record: what contradicts is in it, and no conflict of git's. Raises
    DocumentError where a side is no record, or it is another kind of file."""
    if path.parent.name != PAPERS and path.name not in TABLES:
        raise DocumentError(f"{path} is no record. Merge it with `git merge-file`.")
    base, ours, theirs = (parse_record(data, path.name) if data.strip() else None for data in datas)
    if ours is None or theirs is None:
        return datas[1] or datas[2], 0
    return format_record(merge_records(base, ours, theirs)).encode(), 0

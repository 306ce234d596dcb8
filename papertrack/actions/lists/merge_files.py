"""Merge versions of a file entry by entry: three versions from git, or the two sides of conflict
markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from papertrack.actions.lists.git import OFFLINE, ask_git
from papertrack.documents.records.merge import merge_records
from papertrack.documents.records.text import PAPERS, TABLES, format_record, parse_record
from papertrack.documents.torn import Torn, take_apart
from papertrack.documents.versions import merge_versions
from papertrack.errors import DocumentError
from papertrack.library import Library
from papertrack.library.files import read_file, replace_file
from papertrack.library.paths import BIBTEX_SUFFIXES, find_repository, name_of_file
from papertrack.library.trust import is_trusted
from papertrack.store.store import Store
from papertrack.store.written_files import ReplacedFile, keep_replaced
from papertrack.sync.write import replace_document
from papertrack.text import shorten


@dataclass(frozen=True, slots=True)
class MergedFile:
    """The result of merging three versions of a file."""

    data: bytes
    """The merged file's."""
    conflicts: int
    is_written: bool


def merge_files(
    base: Path, ours: Path, theirs: Path, *, name: str | None = None, is_written: bool = True
) -> MergedFile:
    """Merge the changes of ``ours`` and ``theirs`` since ``base``, and write the result into
    ``ours``.

    ``name`` is the file's real name if ``ours`` is a copy, as in git; it tells a .bib file from
    a README. Raises NotFoundError, PapertrackError or DocumentError, leaving ours as it is, when
    a version is missing, cannot be read, or contains conflict markers.
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
        raise DocumentError(f"{path} is not a record. Merge it with `git merge-file`.")
    base, ours, theirs = (parse_record(data, path.name) if data.strip() else None for data in datas)
    if ours is None or theirs is None:
        return datas[1] or datas[2], 0
    return format_record(merge_records(base, ours, theirs)).encode(), 0


_WIDTH = 200


@dataclass(frozen=True, slots=True)
class Resolved:
    """The result of resolving a file with conflict markers."""

    path: Path
    found: int
    """How many conflicts it had."""
    told: tuple[str, ...]
    """The remaining conflicts, as sentences with both sides."""
    torn: bytes
    """Its old content."""
    merged: bytes
    """Its new content."""


def merge_torn(library: Library, path: Path) -> Resolved | None:
    """Merge the sides of conflict markers entry by entry; None for a file without markers, or
    with malformed ones.

    The result contains what both sides added, and their changes to different entries or
    different parts of one. Only contradictions stay between markers. Raises NotFoundError,
    PapertrackError and DocumentError.
    """
    data = read_file(path)
    torn = take_apart(data)
    if torn is None:
        return None
    base = _base_in_git(library, path) or torn.base
    is_bib = path.suffix.lower() in BIBTEX_SUFFIXES
    merged, _ = merge_versions([base, torn.ours, torn.theirs], is_bib=is_bib)
    told = tuple(_told(path, take_apart(merged)))
    return Resolved(path, len(torn.conflicts), told, data, merged)


def write_resolved(store: Store, library: Library, resolved: Resolved) -> None:
    """Write the merged content into the file; undo restores the markers.

    Raises ConflictError when the file has changed since, and PapertrackError, with the file as
    it was.
    """
    path, torn, merged = resolved.path, resolved.torn, resolved.merged
    if merged == torn:
        return
    name = name_of_file(library, path)
    with store.action("resolve", f"the merge in {name}") as action:
        keep_replaced(store, action.id, ReplacedFile(name, torn, merged))
        replace_document(store, name, path, torn, merged)


def _base_in_git(library: Library, path: Path) -> bytes | None:
    """What both sides began with, if git is in the midst of their merge, and may be asked."""
    folder = find_repository(path.parent.resolve())
    if folder is None or not is_trusted(library):
        return None
    name = (path.parent.resolve() / path.name).relative_to(folder).as_posix()
    found = ask_git(folder, "cat-file", "blob", f":1:{name}", environ=OFFLINE)
    return None if found.code else found.out


def _told(path: Path, torn: Torn | None) -> list[str]:
    if torn is None:
        return []
    return [
        f"{path.name}, line {one.line}: this side says {_words(one.ours)}, the other one "
        f"{_words(one.theirs)}."
        for one in torn.conflicts
    ]


def _words(lines: list[bytes]) -> str:
    text = b" ".join(line.strip() for line in lines).decode("utf-8", "replace")
    return f"`{shorten(text, _WIDTH)}`" if text else "nothing"

"""Merge versions of a file entry by entry: git's three versions, or two sides of a conflict."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from papertrack.actions.lists.git import OFFLINE, ask_git
from papertrack.documents.conflict_markers import ConflictedFile, split_conflicts
from papertrack.documents.records import merge_record_files
from papertrack.documents.versions import merge_versions
from papertrack.errors import DocumentError
from papertrack.library import PAPERS, TABLES, Library
from papertrack.library.files import read_file, replace_file
from papertrack.library.paths import BIBTEX_SUFFIXES, find_repository, name_of_file
from papertrack.library.trust import is_trusted
from papertrack.store.store import Store
from papertrack.store.written_files import ReplacedFile, keep_replaced
from papertrack.sync.document_export import replace_document
from papertrack.text import shorten


@dataclass(frozen=True, slots=True)
class MergedFile:
    """The result of merging three versions of a file."""

    data: bytes
    """The merged content."""
    conflicts: int
    is_written: bool


def merge_files(
    base: Path, ours: Path, theirs: Path, *, name: str | None = None, is_written: bool = True
) -> MergedFile:
    """Merge the changes in ``ours`` and ``theirs`` since ``base`` into ``ours``.

    ``name`` is the file's real name if ``ours`` is a copy, as in git; its suffix decides how to
    merge. Raises NotFoundError, PapertrackError or DocumentError, and leaves ``ours`` unchanged,
    when a version is missing, cannot be read, or contains conflict markers.
    """
    paths = (base, ours, theirs)
    texts = [read_file(path) for path in paths]
    path = Path(name or ours)
    if path.suffix == ".toml":
        if path.parent.name != PAPERS and path.name not in TABLES:
            raise DocumentError(f"{path} is not a record. Merge it with `git merge-file`.")
        data, conflicts = merge_record_files(texts, path.name), 0
    else:
        is_bib = path.suffix.lower() in BIBTEX_SUFFIXES
        data, conflicts = merge_versions(texts, is_bib=is_bib, names=[str(path) for path in paths])
    is_written = is_written and data != texts[1]
    if is_written:
        replace_file(ours, texts[1], data)
    return MergedFile(data, conflicts, is_written)


_WIDTH = 200


@dataclass(frozen=True, slots=True)
class Resolved:
    """The result of resolving a file with conflict markers."""

    path: Path
    conflicts: int
    """How many conflicts it had."""
    messages: tuple[str, ...]
    """Messages about the remaining conflicts, with both sides."""
    torn: bytes
    """Its old content."""
    merged: bytes
    """Its new content."""


def merge_torn(library: Library, path: Path) -> Resolved | None:
    """Merge the two sides of git's conflict markers entry by entry.

    Only contradictions stay between markers. Returns None for a file without markers or with
    malformed ones. Raises NotFoundError, PapertrackError and DocumentError.
    """
    data = read_file(path)
    torn = split_conflicts(data)
    if torn is None:
        return None
    base = _base_in_git(library, path) or torn.base
    is_bib = path.suffix.lower() in BIBTEX_SUFFIXES
    merged, _ = merge_versions([base, torn.ours, torn.theirs], is_bib=is_bib)
    messages = tuple(_describe_conflicts(path, split_conflicts(merged)))
    return Resolved(path, len(torn.conflicts), messages, data, merged)


def write_resolved(store: Store, library: Library, resolved: Resolved) -> None:
    """Write the merged content into the file; undo restores the markers.

    Raises ConflictError when the file has changed since, and PapertrackError; both leave the
    file unchanged.
    """
    path, torn, merged = resolved.path, resolved.torn, resolved.merged
    if merged == torn:
        return
    name = name_of_file(library, path)
    with store.action("resolve", f"the merge in {name}") as action:
        keep_replaced(store, action.id, ReplacedFile(name, torn, merged))
        replace_document(store, name, path, torn, merged)


def _base_in_git(library: Library, path: Path) -> bytes | None:
    """Return the file's base version in git's unfinished merge.

    Returns None without one, or if the library is not trusted.
    """
    folder = find_repository(path.parent.resolve())
    if folder is None or not is_trusted(library):
        return None
    name = (path.parent.resolve() / path.name).relative_to(folder).as_posix()
    result = ask_git(folder, "cat-file", "blob", f":1:{name}", environ=OFFLINE)
    return None if result.code else result.output


def _describe_conflicts(path: Path, torn: ConflictedFile | None) -> list[str]:
    if torn is None:
        return []
    return [
        f"{path.name}, line {conflict.line}: this side says {_quote(conflict.ours)}, the other one "
        f"{_quote(conflict.theirs)}."
        for conflict in torn.conflicts
    ]


def _quote(lines: list[bytes]) -> str:
    text = b" ".join(line.strip() for line in lines).decode("utf-8", "replace")
    return f"`{shorten(text, _WIDTH)}`" if text else "nothing"

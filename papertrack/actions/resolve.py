"""Finishing a list that arrived with markers of a merge in it: by entries, as far as it goes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from papertrack.actions.git import ask_git
from papertrack.documents.torn import Torn, take_apart
from papertrack.documents.versions import merge_versions
from papertrack.library import Library
from papertrack.library.files import read_file
from papertrack.library.paths import BIBTEX_SUFFIXES, find_repository, name_of_file
from papertrack.library.trust import is_trusted
from papertrack.store.files.written_files import ReplacedFile, keep_replaced
from papertrack.store.store import Store
from papertrack.sync.write import replace_document
from papertrack.text import shorten

_WIDTH = 200


@dataclass(frozen=True, slots=True)
class Resolved:
    """What became of a file with markers."""

    path: Path
    found: int
    """Conflicts that were in it."""
    told: tuple[str, ...]
    """Those that are left, between markers, in sentences with both sides."""
    torn: bytes
    """What it held."""
    merged: bytes
    """What it is to hold."""


def merge_torn(library: Library, path: Path) -> Resolved | None:
    """Merge by entries what met in a file; None for one without markers, or with such as make no
    sense.

    What both sides added, and what they did to different entries or to different parts of one, is
    in what it is to hold. Only what contradicts stays between markers. Raises NotFoundError,
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
    """Let the file hold what was merged; undo gives it back what stood between its markers.

    Raises ConflictError when it has changed since, and PapertrackError, with the file as it was.
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
    found = ask_git(folder, "cat-file", "blob", f":1:{name}")
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

"""Regenerate citekeys, and replace former keys in the files that cite them."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import filterfalse
from operator import attrgetter
from pathlib import Path

from papertrack.actions.cite.manuscripts import Manuscript, read_manuscripts
from papertrack.documents.bibtex.blocks import read_blocks
from papertrack.documents.bibtex.edit import with_entries, with_key
from papertrack.documents.bibtex.grounds import references_of, with_references
from papertrack.documents.encoding import encode_bib
from papertrack.documents.manuscripts.registry import SUFFIXES
from papertrack.errors import NotFoundError
from papertrack.library.files import replace_file
from papertrack.store.citekeys import Citekeys
from papertrack.store.listing import find_ids
from papertrack.store.lookup import citekey_of, get_papers
from papertrack.store.store import Store
from papertrack.sync.bibtex.reading import read_bib
from papertrack.text import group


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """A paper whose key changed."""

    citekey_before: str
    citekey: str


@dataclass(frozen=True, slots=True)
class KeyUse:
    """A place in a file that uses a former key."""

    file: Path
    line: int
    """Counted from 1."""
    before: str
    after: str
    by_hand: bool = False
    """Whether only the user can change it: a macro makes the key, a comment splits it, or the
    file is outside the user's folders."""


@dataclass(frozen=True, slots=True)
class UpdatedFile:
    """A file that cites papers, before and after its former keys are replaced."""

    path: Path
    before: bytes
    after: bytes
    uses: tuple[KeyUse, ...]


def regenerate_keys(store: Store, paper_ids: Sequence[int] | None) -> list[Rekeyed]:
    """Regenerate the keys of these papers, or of all (None); return the papers whose key changed.

    A former key still names its paper, and no other paper can get it. Keys stay unique in lower
    case. Raises UsageError for an invalid template.
    """
    if paper_ids is None:
        paper_ids = find_ids(store, order="id")
    rekeyed = []
    with store.action("rekey") as action:
        keys = Citekeys(store)
        for paper in get_papers(store, paper_ids):
            after = keys.make(paper.facts, paper_id=paper.id)
            if after != paper.citekey:
                keys.rename(paper.id, after)
                rekeyed.append(Rekeyed(paper.citekey, after))
        action.summary = ", ".join(f"{key.citekey_before} to {key.citekey}" for key in rekeyed)
    return rekeyed


def rename_key(store: Store, paper_id: int, after: str) -> list[Rekeyed]:
    """Rename a paper's key as the user typed it; return an empty list if nothing changed.

    Raises ConflictError if the key belongs to another paper.
    """
    before = citekey_of(store, paper_id)
    with store.action("rekey", f"{before} to {after}"):
        Citekeys(store).rename(paper_id, after)
    return [Rekeyed(before, after)] if before != after else []


def former_keys(store: Store, paper_ids: Sequence[int] | None) -> list[Rekeyed]:
    """Return former keys of these papers, or of all (None), with those that undo removed."""
    if paper_ids is None:
        paper_ids = find_ids(store, order="id")
    undone = group((paper_id, key) for key, paper_id in Citekeys(store).undone().items())
    return [
        Rekeyed(key, paper.citekey)
        for paper in get_papers(store, paper_ids)
        for key in (*paper.citekey_aliases, *undone.get(paper.id, ()))
    ]


def update_files(
    paths: Sequence[Path], rekeyed: Sequence[Rekeyed], commands: Sequence[str] = ()
) -> list[UpdatedFile]:
    """Replace former keys in these files or folders and in included files; write nothing yet.

    Returns the files with former keys. Leaves a .bib entry as it is if another entry has the new
    key. Only reports uses in files outside the folders of ``paths``, since a foreign manuscript
    can include any file. ``commands`` are citing macros from the settings. Raises NotFoundError
    for a path that does not exist.
    """
    new_keys = {change.citekey_before: change.citekey for change in rekeyed}
    files = list(dict.fromkeys(_files(paths)))
    manuscripts = read_manuscripts(list(filterfalse(_is_bib, files)), commands)
    results = [
        *(_update_manuscript(manuscript, new_keys) for manuscript in manuscripts),
        *(_update_bib(path, new_keys) for path in filter(_is_bib, files)),
    ]
    # A link to a file allows the folder of the link and that of its target.
    folders = [(path,) if path.is_dir() else (path.parent, path.resolve().parent) for path in paths]
    places = {os.path.realpath(folder) for folders in folders for folder in folders}
    results = [_protect_outside(file, places) for file in results]
    return sorted(filter(attrgetter("uses"), results), key=lambda file: str(file.path))


def _protect_outside(file: UpdatedFile, places: Collection[str]) -> UpdatedFile:
    """Leave a file outside these folders unchanged, and mark its uses for the user."""
    real = os.path.realpath(file.path)
    if any(os.path.commonpath((place, real)) == place for place in places):
        return file
    uses = tuple(replace(use, by_hand=True) for use in file.uses)
    return replace(file, after=file.before, uses=uses)


def write_keys(files: Sequence[UpdatedFile]) -> None:
    """Write the new keys into these files, and change no other byte."""
    for file in files:
        if file.after != file.before:
            replace_file(file.path, file.before, file.after)


def _is_bib(path: Path) -> bool:
    return path.suffix.lower() == ".bib"


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            for file in sorted(filter(Path.is_file, path.rglob("*"))):
                is_hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
                if file.suffix.lower() in {*SUFFIXES, ".bib"} and not is_hidden:
                    yield file
        elif path.exists():
            yield path
        else:
            raise NotFoundError(f"There is no file or folder {path}. Check the name.")


def _update_bib(path: Path, new_keys: dict[str, str]) -> UpdatedFile:
    file = read_bib(path)
    citekeys = {entry.citekey for entry in file.bib.entries if entry.citekey}
    # A key without an entry here may name the parent of an entry, in another file.
    changes = {key: new_key for key, new_key in new_keys.items() if key not in citekeys}
    used_keys = {key.casefold() for key in citekeys}
    for key in dict.fromkeys(entry.citekey or "" for entry in file.bib.entries):
        # If two entries have former keys of one work, only the first gets the new key.
        new_key = new_keys.get(key, key).casefold()
        if key in new_keys and (new_key == key.casefold() or new_key not in used_keys):
            changes[key] = new_keys[key]
            used_keys.add(new_key)
    new_texts = {
        entry.span: with_key(entry.raw, changes[entry.citekey])
        for entry in file.bib.entries
        if entry.citekey in changes
    }
    spellings = {key.casefold(): key for key in changes}
    new_by_lower = {lower: changes[key] for lower, key in spellings.items()}
    text = with_references(with_entries(file.text, new_texts), new_by_lower)
    keys = (
        (block.line, key)
        for block in read_blocks(file.text)
        if block.kind == "entry"
        for key in (block.key, *(spellings.get(lower, "") for lower in references_of(block)))
    )
    uses = tuple(KeyUse(path, line, key, changes[key]) for line, key in keys if key in changes)
    data = encode_bib(text, file.encoding, file.data) if uses else file.data
    return UpdatedFile(path, file.data, data, uses)


def _update_manuscript(manuscript: Manuscript, new_keys: dict[str, str]) -> UpdatedFile:
    pieces: list[str] = []
    uses: list[KeyUse] = []
    end = 0
    text = manuscript.text
    for citation in manuscript.citations:
        key = new_keys.get(citation.citekey)
        if key is None:
            continue
        spelled = manuscript.language.spelled(text, citation, key)
        by_hand = spelled is None
        uses.append(KeyUse(manuscript.path, citation.line, citation.citekey, key, by_hand))
        if spelled is not None:
            pieces += text[end : citation.start], spelled
            end = citation.end
    data = "".join((*pieces, text[end:])).encode("utf-8", "surrogateescape")
    return UpdatedFile(manuscript.path, manuscript.data, data, tuple(uses))

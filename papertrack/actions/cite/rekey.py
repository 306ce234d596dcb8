"""Make citekeys again, and replace former keys in the files that cite them."""

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


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """A paper whose key changed."""

    citekey_before: str
    citekey: str


@dataclass(frozen=True, slots=True)
class KeyUse:
    """A place in a file that has a former key."""

    file: Path
    line: int
    """Counted from 1."""
    before: str
    after: str
    by_hand: bool = False
    """Whether it must be changed by hand: a macro makes the key, a comment splits it, or the file
    is outside the folders that were named."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A file with former keys, and its text with the current ones."""

    path: Path
    before: bytes
    after: bytes
    uses: tuple[KeyUse, ...]


def rekey_papers(store: Store, paper_ids: Sequence[int] | None) -> list[Rekeyed]:
    """Give these papers, or all (None), the keys that the template makes; return those changed.

    A former key still names its paper, and no other paper can get it. Keys stay unique regardless
    of case. Raises UsageError for an invalid template.
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
        action.summary = ", ".join(f"{one.citekey_before} to {one.citekey}" for one in rekeyed)
    return rekeyed


def rename_key(store: Store, paper_id: int, after: str) -> list[Rekeyed]:
    """Give a paper a key that the reader typed; does nothing if the paper has it. Raises
    ConflictError if it belongs to another paper."""
    before = citekey_of(store, paper_id)
    with store.action("rekey", f"{before} to {after}"):
        Citekeys(store).rename(paper_id, after)
    return [Rekeyed(before, after)] if before != after else []


def former_keys(store: Store, paper_ids: Sequence[int] | None) -> list[Rekeyed]:
    """Return other keys that name these papers, or all (None): former keys, and keys that undo took
    back."""
    if paper_ids is None:
        paper_ids = find_ids(store, order="id")
    undone: dict[int, list[str]] = {}
    for key, paper_id in Citekeys(store).undone().items():
        undone.setdefault(paper_id, []).append(key)
    return [
        Rekeyed(key, paper.citekey)
        for paper in get_papers(store, paper_ids)
        for key in (*paper.citekey_aliases, *undone.get(paper.id, ()))
    ]


def follow_keys(
    paths: Sequence[Path], rekeyed: Sequence[Rekeyed], commands: Sequence[str] = ()
) -> list[Followed]:
    """Return the files, or those in the folders and what they include, that still have former keys.

    A .bib entry is left as it is if another entry has the new key. A file outside the named folders
    is only reported, since a stranger's manuscript can include any file. ``commands`` are macros
    that cite, from the settings. Raises NotFoundError for a path that does not exist.
    """
    after = {one.citekey_before: one.citekey for one in rekeyed}
    files = list(dict.fromkeys(_files(paths)))
    manuscripts = read_manuscripts(list(filterfalse(_is_bib, files)), commands)
    followed = [
        *(_followed_in_text(manuscript, after) for manuscript in manuscripts),
        *(_followed_in_bib(path, after) for path in filter(_is_bib, files)),
    ]
    # The named folder, or the folder of the file; of a link, also that of its target.
    named = [(path,) if path.is_dir() else (path.parent, path.resolve().parent) for path in paths]
    places = {os.path.realpath(folder) for folders in named for folder in folders}
    followed = [_by_hand_outside(one, places) for one in followed]
    return sorted(filter(attrgetter("uses"), followed), key=lambda one: str(one.path))


def _by_hand_outside(file: Followed, places: Collection[str]) -> Followed:
    """Return a file that is in one of these folders; one that is not is left to the reader."""
    real = os.path.realpath(file.path)
    if any(os.path.commonpath((place, real)) == place for place in places):
        return file
    uses = tuple(replace(use, by_hand=True) for use in file.uses)
    return replace(file, after=file.before, uses=uses)


def write_keys(followed: Sequence[Followed]) -> None:
    """Write the new keys into these files, changing no other byte."""
    for file in followed:
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


def _followed_in_bib(path: Path, after: dict[str, str]) -> Followed:
    read = read_bib(path)
    there = {entry.citekey for entry in read.bib.entries if entry.citekey}
    # What is no entry of this file may be the parent of one, in another file.
    new = {key: one for key, one in after.items() if key not in there}
    taken = {key.casefold() for key in there}
    for key in dict.fromkeys(entry.citekey or "" for entry in read.bib.entries):
        # If two entries have former keys of one work, only the first gets the new key.
        wanted = after.get(key, key).casefold()
        if key in after and (wanted == key.casefold() or wanted not in taken):
            new[key] = after[key]
            taken.add(wanted)
    changed = {
        entry.span: with_key(entry.raw, new[entry.citekey])
        for entry in read.bib.entries
        if entry.citekey in new
    }
    spelled = {key.casefold(): key for key in new}
    renamed = {lower: new[key] for lower, key in spelled.items()}
    text = with_references(with_entries(read.text, changed), renamed)
    named = (
        (block.line, key)
        for block in read_blocks(read.text)
        if block.kind == "entry"
        for key in (block.key, *(spelled.get(lower, "") for lower in references_of(block)))
    )
    uses = tuple(KeyUse(path, line, key, new[key]) for line, key in named if key in new)
    return Followed(
        path, read.data, encode_bib(text, read.encoding, read.data) if uses else read.data, uses
    )


def _followed_in_text(manuscript: Manuscript, after: dict[str, str]) -> Followed:
    pieces: list[str] = []
    uses: list[KeyUse] = []
    done = 0
    text = manuscript.text
    for citation in manuscript.citations:
        key = after.get(citation.citekey)
        if key is None:
            continue
        spelled = manuscript.language.spelled(text, citation, key)
        by_hand = spelled is None
        uses.append(KeyUse(manuscript.path, citation.line, citation.citekey, key, by_hand))
        if spelled is not None:
            pieces += text[done : citation.start], spelled
            done = citation.end
    written = "".join((*pieces, text[done:])).encode("utf-8", "surrogateescape")
    return Followed(manuscript.path, manuscript.data, written, tuple(uses))

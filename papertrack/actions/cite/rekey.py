"""Making citekeys anew, and following them in the files where they are cited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from papertrack.actions.cite.citing import Manuscript, read_manuscript
from papertrack.documents.bibtex.edit import with_entries, with_key
from papertrack.documents.encoding import encode_bib
from papertrack.errors import NotFoundError
from papertrack.library.files import replace_file
from papertrack.store.citekeys import Citekeys
from papertrack.store.listing import find_ids
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from papertrack.sync.bibtex.reading import ReadBib, read_bib

SUFFIXES = (".tex", ".ltx", ".md", ".markdown", ".qmd", ".rmd", ".typ", ".bib")
"""The files that are looked at in a folder."""


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """A paper with another key."""

    paper_id: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class KeyUse:
    """A place where a key stands that is now a former one."""

    file: Path
    line: int
    """Counted from 1."""
    before: str
    after: str


def rekey_papers(store: Store, paper_ids: Sequence[int] | None) -> list[Rekeyed]:
    """Give these papers, or all (None), the keys that the template makes; return the changed.

    A former key goes on to name its paper, and no other paper can get it. Keys stay unique
    without regard to case. Raises UsageError for an impossible template.
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
                rekeyed.append(Rekeyed(paper.id, paper.citekey, after))
        action.summary = ", ".join(f"{one.before} to {one.after}" for one in rekeyed)
    return rekeyed


def former_keys(store: Store, paper_ids: Sequence[int] | None) -> list[Rekeyed]:
    """What else names these papers, or all (None), in files: former keys, and those that were
    taken back by undo."""
    if paper_ids is None:
        paper_ids = find_ids(store, order="id")
    undone: dict[int, list[str]] = {}
    for key, paper_id in Citekeys(store).undone().items():
        undone.setdefault(paper_id, []).append(key)
    return [
        Rekeyed(paper.id, key, paper.citekey)
        for paper in get_papers(store, paper_ids)
        for key in (*paper.citekey_aliases, *undone.get(paper.id, ()))
    ]


def find_key_uses(paths: Sequence[Path], rekeyed: Sequence[Rekeyed]) -> list[KeyUse]:
    """Where the files, or those in the folders, still have a former key.

    An entry of a .bib file stays where another one has the new key. Raises NotFoundError for a
    path that is not there.
    """
    after = {one.before: one.after for one in rekeyed}
    uses = []
    for path in _files(paths):
        standing = list(_keys_in(path))
        taken = {key for key, _ in standing} if path.suffix.lower() == ".bib" else set()
        uses += [
            KeyUse(path, line, key, after[key])
            for key, line in standing
            if key in after and after[key] not in taken
        ]
    return uses


def replace_keys(uses: Sequence[KeyUse]) -> None:
    """Write the new keys in these places; every other byte of the files stays."""
    for path in dict.fromkeys(use.file for use in uses):
        after = {use.before: use.after for use in uses if use.file == path}
        if path.suffix.lower() == ".bib":
            read = read_bib(path)
            data = encode_bib(_with_keys(read, after), read.encoding)
            replace_file(path, read.data, data)
        else:
            manuscript = read_manuscript(path)
            text = _with_citations(manuscript, after)
            replace_file(path, manuscript.data, text.encode("utf-8", "surrogateescape"))


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            found = (one for one in path.rglob("*") if one.suffix.lower() in SUFFIXES)
            yield from sorted(
                one
                for one in found
                if one.is_file() and not any(p.startswith(".") for p in one.relative_to(path).parts)
            )
        elif path.exists():
            yield path
        else:
            raise NotFoundError(f"There is no file or folder {path}. Check the name.")


def _keys_in(path: Path) -> Iterator[tuple[str, int]]:
    if path.suffix.lower() == ".bib":
        for entry in read_bib(path).bib.entries:
            yield entry.citekey or "", entry.line
    else:
        for citation in read_manuscript(path).citations:
            yield citation.citekey, citation.line


def _with_keys(read: ReadBib, after: dict[str, str]) -> str:
    changed = {
        entry.span: with_key(entry.raw, after[entry.citekey])
        for entry in read.bib.entries
        if entry.citekey in after
    }
    return with_entries(read.text, changed)


def _with_citations(manuscript: Manuscript, after: dict[str, str]) -> str:
    pieces: list[str] = []
    done = 0
    text = manuscript.text
    for citation in sorted(manuscript.citations, key=lambda one: one.start):
        key, start = citation.citekey, citation.start
        # A key that is broken over two lines is not found as it is written, and stays.
        if key in after and text.startswith(key, start):
            pieces += text[done:start], after[key]
            done = start + len(key)
    return "".join((*pieces, text[done:]))

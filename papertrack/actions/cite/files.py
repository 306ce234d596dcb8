"""Manuscripts as they were read: the files named, and those that they take in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from papertrack.documents.manuscripts import (
    Citation,
    Inclusion,
    find_citations,
    find_inclusions,
)
from papertrack.library.files import read_file


@dataclass(frozen=True, slots=True)
class Manuscript:
    """One file that cites."""

    path: Path
    data: bytes
    text: str
    """With bytes that are no UTF-8 as lone surrogates (PEP 383), so that it can be written back."""
    citations: tuple[Citation, ...]
    missing: tuple[Inclusion, ...] = ()
    """Files of its author's that it takes in and that are not there."""


def read_manuscripts(paths: Sequence[Path]) -> list[Manuscript]:
    """These files in their order, each followed by those that it takes in and that are there.

    Raises NotFoundError or PapertrackError for a file named that cannot be read.
    """
    found: dict[Path, Manuscript] = {}
    waiting = list(reversed(paths))
    while waiting:
        path = waiting.pop()
        if path.resolve() in found:
            continue
        manuscript = read_manuscript(path)
        taken_in = []
        missing = []
        for inclusion in find_inclusions(manuscript.text, path.name):
            places = _places(manuscript.path, inclusion, paths)
            present = [place for place in places if place.is_file()]
            taken_in += present
            if not present and _is_the_authors(inclusion, places):
                missing.append(inclusion)
        found[path.resolve()] = replace(manuscript, missing=tuple(missing))
        waiting += reversed(taken_in)
    return list(found.values())


def read_manuscript(path: Path) -> Manuscript:
    """One file. Its name tells its format; LaTeX if unknown."""
    data = read_file(path)
    text = data.decode("utf-8", "surrogateescape")
    return Manuscript(path, data, text, tuple(find_citations(text, path.name)))


def _places(path: Path, inclusion: Inclusion, roots: Sequence[Path]) -> list[Path]:
    """LaTeX looks for them from the folder of the main file; \\subfile and Typst from that of the
    file, but Typst from the main file's for a name that begins with a slash."""
    suffix = path.suffix.lower()
    name = inclusion.name if Path(inclusion.name).suffix.lower() == suffix else ""
    name = (name or inclusion.name + suffix).lstrip("/" if suffix == ".typ" else "")
    return [folder / name for folder in dict.fromkeys((*(r.parent for r in roots), path.parent))]


def _is_the_authors(inclusion: Inclusion, places: Sequence[Path]) -> bool:
    """Whether a file that is in none of the places is one of the author's: \\input takes TeX's
    own files too, by a name that shows no folder which is there."""
    if inclusion.command != "input":
        return True
    return "/" in inclusion.name and any(place.parent.is_dir() for place in places)

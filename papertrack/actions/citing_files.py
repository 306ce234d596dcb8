"""Manuscripts as they were read: the files named, and those that they take in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from papertrack.library.files import read_file
from papertrack.sources.citations import Citation, find_citations

# \input{intro}, \include{intro} and \subfile{intro} in TeX, \@input{intro.aux} in .aux files.
_INCLUDED = re.compile(
    r"^[^%\n]*?\\(?:input|include|subfile|@input)\s*\{([^{}\n]+)\}", re.MULTILINE
)
_TEX = (".tex", ".ltx", ".latex")


@dataclass(frozen=True, slots=True)
class Manuscript:
    """One file that cites."""

    path: Path
    data: bytes
    text: str
    """With bytes that are no UTF-8 as lone surrogates (PEP 383), so that it can be written back."""
    citations: tuple[Citation, ...]


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
        found[path.resolve()] = manuscript
        waiting += reversed([one for one in _included(manuscript, paths) if one.is_file()])
    return list(found.values())


def read_manuscript(path: Path) -> Manuscript:
    """One file. Its name tells its format; LaTeX if unknown."""
    data = read_file(path)
    text = data.decode("utf-8", "surrogateescape")
    return Manuscript(path, data, text, tuple(find_citations(text, path.name)))


def _included(manuscript: Manuscript, roots: Sequence[Path]) -> list[Path]:
    """LaTeX looks for them from the folder of the main file; \\subfile from that of the file."""
    suffix = manuscript.path.suffix.lower()
    if suffix not in (*_TEX, ".aux"):
        return []
    names = [match.group(1).strip() for match in _INCLUDED.finditer(manuscript.text)]
    folders = dict.fromkeys((*(root.parent for root in roots), manuscript.path.parent))
    return [
        folder / (name if Path(name).suffix.lower() == suffix else name + suffix)
        for name in names
        for folder in folders
    ]

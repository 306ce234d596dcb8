"""Read manuscripts with the files that they include; each is read by the definitions of all."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from papertrack.documents.manuscripts.latex_commands import parse_command
from papertrack.documents.manuscripts.model import Citation, Defined, Inclusion
from papertrack.documents.manuscripts.registry import Language, language_of
from papertrack.errors import PapertrackError
from papertrack.library.files import read_file

_FROM_THE_FILE = ("subimport", "subinputfrom", "subincludefrom", "subfile", "subfileinclude")
_SECONDS = 10


@dataclass(slots=True)
class Manuscript:
    """One file that cites works."""

    path: Path
    root: Path
    """The file named by the reader that leads to this one."""
    data: bytes
    text: str
    """Bytes that are not UTF-8 are lone surrogates (PEP 383), so that they can be written back."""
    language: Language
    defines: Defined
    citations: tuple[Citation, ...] = ()
    included: list[Path] = field(default_factory=list)
    missing: list[Inclusion] = field(default_factory=list)
    """The author's own files that it includes and that do not exist."""


def read_manuscripts(paths: Sequence[Path], commands: Sequence[str] = ()) -> list[Manuscript]:
    r"""Read these files in order, each followed by the files that it includes.

    ``commands`` are macros from the settings: ``\olimport[folder]{file}``. Raises NotFoundError or
    PapertrackError for a named file that cannot be read, UsageError for an invalid command.
    """
    reading = _Reading(Defined(commands=dict(map(parse_command, commands))))
    for path in paths:
        reading.add(path, path)
    reading.follow()
    return list(reading.in_order(paths))


def files_of(manuscripts: Sequence[Manuscript]) -> list[Path]:
    """Return the files of these manuscripts, and the paths where missing ones may appear."""
    files = [one.path for one in manuscripts]
    files += [
        one.path.parent / name
        for one in manuscripts
        for inclusion in one.missing
        for name in inclusion.files
    ]
    return files


class _Reading:
    """The files of some manuscripts, by real path."""

    def __init__(self, said: Defined) -> None:
        self._said = said
        self._files: dict[Path, Manuscript] = {}
        self._of_tex: dict[str, Path | None] = {}

    def add(self, path: Path, root: Path) -> None:
        """Read a file that was not read before."""
        if path.resolve() not in self._files:
            data = read_file(path)
            if b"\0" in data:
                raise PapertrackError(
                    f"{path} is not a text file: it contains NUL bytes. Name the manuscript "
                    "itself, in UTF-8."
                )
            text = data.decode("utf-8", "surrogateescape")
            language = language_of(path.name, text)
            made = Manuscript(path, root, data, text, language, language.define(text))
            self._files[path.resolve()] = made

    def follow(self) -> None:
        """Read all included files, and repeat until no file brings new definitions."""
        count = 0
        while count != len(self._files):
            count = len(self._files)
            defined = Defined()
            for file in self._files.values():
                defined = defined.with_those_of(file.defines)
            for file in list(self._files.values()):
                own = defined.with_those_of(file.defines).with_those_of(self._said)
                found = file.language.scan(file.text, own)
                file.citations, file.included, file.missing = found.citations, [], []
                for inclusion in found.inclusions:
                    path = self._find(file, inclusion)
                    if path is None:
                        file.missing.append(inclusion)
                    elif path.name:
                        self.add(path, file.root)
                        file.included.append(path)

    def _find(self, file: Manuscript, inclusion: Inclusion) -> Path | None:
        """Return the included file; it has no name if it does not belong to the author."""
        for place in _places(file, inclusion):
            if os.path.isfile(place):  # noqa: PTH113 - the name may be too long for any file.
                return place
        if not inclusion.is_needed:
            return Path()
        if not inclusion.files:
            return None  # A macro that nobody defined says its name.
        name = inclusion.files[0]
        if file.language.name == "LaTeX" and name not in self._of_tex:
            self._of_tex[name] = _ask_tex(name)
        return self._of_tex.get(name)

    def in_order(self, paths: Sequence[Path]) -> Iterator[Manuscript]:
        """Return each file once, before the files that it includes."""
        seen: set[Path] = set()
        waiting = list(reversed(paths))
        while waiting:
            path = waiting.pop().resolve()
            if path in seen:
                continue
            seen.add(path)
            file = self._files[path]
            yield file
            waiting += reversed(file.included)


def _places(file: Manuscript, inclusion: Inclusion) -> Iterator[Path]:
    """Return the paths to try. LaTeX resolves names from the folder of the main file; \\subfile and
    the other languages from the folder of the including file; Typst resolves names that begin with
    a slash from the main file's folder."""
    folders = [file.root.parent, file.path.parent]
    if file.language.name != "LaTeX" or inclusion.command in _FROM_THE_FILE:
        folders.reverse()
    is_typst = file.language.name == "Typst"
    for folder in dict.fromkeys(folders):
        for name in inclusion.files:
            yield folder / (name.lstrip("/") if is_typst else name)


def _ask_tex(name: str) -> Path | None:
    """Return where TeX finds a file elsewhere; it has no name if it belongs to TeX."""
    program = shutil.which("kpsewhich")
    if program is None or name.startswith("-"):
        return None
    try:
        done = subprocess.run(
            [program, name], capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None
    found = Path(done.stdout.strip()) if done.stdout.strip() else None
    # What lies in a tree of TeX's is of a package; elsewhere it is the author's ($TEXINPUTS).
    is_of_tex = found is not None and any("texmf" in part for part in found.parts)
    return Path() if is_of_tex else found

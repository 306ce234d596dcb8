"""Read manuscripts with the files they include. Definitions in one file hold in all of them."""

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

_RELATIVE_COMMANDS = ("subimport", "subinputfrom", "subincludefrom", "subfile", "subfileinclude")
_SECONDS = 10
_MOST_ROUNDS = 20
"""How often files are read again because others have defined macros since."""
_MOST_ASKED = 200
"""The most names for which TeX is asked: it needs a process for each."""


@dataclass(slots=True)
class Manuscript:
    """One file that cites works."""

    path: Path
    root: Path
    """The user's main file, which includes this one directly or through others."""
    data: bytes
    text: str
    """Invalid UTF-8 bytes become lone surrogates (PEP 383), so that they can be written back."""
    language: Language
    defines: Defined
    citations: tuple[Citation, ...] = ()
    included: list[Path] = field(default_factory=list)
    missing: list[Inclusion] = field(default_factory=list)
    """Inclusions of the author's own files that do not exist."""


def read_manuscripts(paths: Sequence[Path], commands: Sequence[str] = ()) -> list[Manuscript]:
    r"""Read these files in order, each followed by the files it includes.

    ``commands`` are macros from the settings: ``\olimport[folder]{file}``. Raises NotFoundError or
    PapertrackError for one of ``paths`` that cannot be read, UsageError for an invalid command.
    """
    loader = _Loader(Defined(commands=dict(map(parse_command, commands))))
    for path in paths:
        loader.add(path, path)
    loader.read_included()
    return list(loader.in_order(paths))


def files_of(manuscripts: Sequence[Manuscript]) -> list[Path]:
    """Return the manuscripts' paths, and the paths at which missing inclusions may appear."""
    files = [manuscript.path for manuscript in manuscripts]
    files += [
        manuscript.path.parent / name
        for manuscript in manuscripts
        for inclusion in manuscript.missing
        for name in inclusion.files
    ]
    return files


class _Loader:
    """Loads manuscripts and the files they include, each once by its real path."""

    def __init__(self, macros: Defined) -> None:
        self._macros = macros
        self._shared = Defined()
        self._files: dict[Path, Manuscript] = {}
        self._in_order: list[Manuscript] = []
        self._read_with: dict[Path, Defined] = {}
        """The definitions with which a file was read."""
        self._tex_paths: dict[str, Path | None] = {}

    def add(self, path: Path, root: Path) -> None:
        """Read a file, unless it was read before."""
        if path.resolve() not in self._files:
            data = read_file(path)
            if b"\0" in data:
                raise PapertrackError(
                    f"{path} is not a text file: it contains NUL bytes. Name the manuscript "
                    "itself, in UTF-8."
                )
            text = data.decode("utf-8", "surrogateescape")
            language = language_of(path.name, text)
            manuscript = Manuscript(path, root, data, text, language, language.define(text))
            self._files[path.resolve()] = manuscript
            self._in_order.append(manuscript)
            self._shared = self._shared.with_those_of(manuscript.defines)

    def read_included(self) -> None:
        """Read included files until there are no more; each may bring new definitions.

        A file is read again only with other definitions, so that a long chain takes linear time.
        """
        for _ in range(_MOST_ROUNDS):
            count = len(self._in_order)
            for file in self._in_order:  # It grows.
                definitions = self._shared.with_those_of(file.defines).with_those_of(self._macros)
                if self._read_with.get(file.path) == definitions:
                    continue
                self._read_with[file.path] = definitions
                scan = file.language.scan(file.text, definitions)
                file.citations, file.included, file.missing = scan.citations, [], []
                for inclusion in scan.inclusions:
                    path = self._find(file, inclusion)
                    if path is None:
                        file.missing.append(inclusion)
                    elif path.name:
                        self.add(path, file.root)
                        file.included.append(path)
            if count == len(self._in_order):
                break

    def _find(self, file: Manuscript, inclusion: Inclusion) -> Path | None:
        """Find an included file. An empty path means that the file is not the author's."""
        # Unlike Path.is_file, this allows a name that is too long for any file.
        if path := next(filter(os.path.isfile, _candidates(file, inclusion)), None):
            return path
        if not inclusion.is_needed:
            return Path()
        if not inclusion.files:
            return None  # The name is in a macro that is not defined.
        name = inclusion.files[0]
        is_unknown = all((name not in self._tex_paths, len(self._tex_paths) < _MOST_ASKED))
        if is_unknown and file.language.name == "LaTeX":
            self._tex_paths[name] = _ask_tex(name)
        return self._tex_paths.get(name)

    def in_order(self, paths: Sequence[Path]) -> Iterator[Manuscript]:
        """Yield each file once, before the files it includes."""
        visited: set[Path] = set()
        stack = list(reversed(paths))
        while stack:
            path = stack.pop().resolve()
            if path in visited:
                continue
            visited.add(path)
            file = self._files[path]
            yield file
            stack += reversed(file.included)


def _candidates(file: Manuscript, inclusion: Inclusion) -> Iterator[Path]:
    """Yield the paths to try for an inclusion.

    LaTeX resolves names from the main file's folder. \\subfile and other languages resolve them
    from the including file's folder; Typst names with a leading slash are in the main folder.
    """
    folders = [file.root.parent, file.path.parent]
    if file.language.name != "LaTeX" or inclusion.command in _RELATIVE_COMMANDS:
        folders.reverse()
    is_typst = file.language.name == "Typst"
    for folder in dict.fromkeys(folders):
        for name in inclusion.files:
            yield folder / name.lstrip("/" * is_typst)


def _ask_tex(name: str) -> Path | None:
    """Ask TeX for a file in other folders. An empty path means that it is TeX's own file."""
    program = shutil.which("kpsewhich")
    if program is None or name.startswith("-"):
        return None
    try:
        process = subprocess.run(
            [program, name], capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None
    found = process.stdout.strip()
    # Files in a texmf tree belong to packages; others are the author's ($TEXINPUTS).
    return Path(found * ("texmf" not in found)) if found else None

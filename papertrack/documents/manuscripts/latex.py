"""Find the citation keys and included files of a LaTeX text.

One scanner finds keys and replaces them. Macros are read with their arguments as LaTeX reads them,
so that brackets and braces in a note, or parentheses after a citation, do not confuse it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from operator import itemgetter

from papertrack.documents.manuscripts import latex_commands
from papertrack.documents.manuscripts.latex_live import NOTHING, Argument, Arguments, live_latex
from papertrack.documents.manuscripts.model import (
    Citation,
    Command,
    Defined,
    FileRole,
    IncludedFile,
    Inclusion,
    Scan,
    Take,
    inclusions_in,
)
from papertrack.text import line_counter, unescape

_BARE_FILE = re.compile(r'[ \t]+(?:"([^"\n]+)"|([^\s\\{}"|%\0]+))')
_KEY = re.compile(rf"[^,\s{NOTHING}](?:[^,]*[^,\s{NOTHING}])?")
_PART = re.compile(r"(?<![^,])\s*([^,#\s](?:[^,#]*[^,#\s])?)\s*(?![^,])")
"""A key in the text that a macro stands for. A key with an argument in it, ``#1``, is left out."""
_COMMENT = re.compile(rf"{NOTHING}+\n?{NOTHING}*")
_MADE_BY_MACRO = re.compile(r"[\\#{}]")
_OPTIONAL_FILE = re.compile(r"\\IfFileExists\s*\{([^{}]+)\}")
_CHILD = re.compile(r"^<<[^\n]*?\bchild\s*=\s*([\"'])(?P<name>[^\"'\n]+)\1", re.MULTILINE)
_UNKNOWN_FILE = re.compile(r"(?!.*\\jobname)[^#|\n]*\\[A-Za-z@][^#\n]*")
_NO_OTHER = ("\0", "\0")
"""Affixes that no key has: a citation with them is never rewritten."""
_EXACT = ("include", "includefrom", "subincludefrom")


def scan(text: str, defined: Defined) -> Scan:
    """Return the citations and inclusions of a text.

    ``defined`` holds the definitions of this and other files.
    """
    result = _Scanner(text, latex_commands.Lexicon(defined)).result()
    return Scan(result.citations, (*result.inclusions, *inclusions_in(text, _CHILD)))


class _Scanner:
    """Scans one text once."""

    def __init__(self, text: str, lexicon: latex_commands.Lexicon) -> None:
        self._live = live_latex(text, lexicon.verbatim, lexicon.switches)
        self._lexicon = lexicon
        self._arguments = Arguments(self._live)
        self._inclusions: list[tuple[int, str, IncludedFile]] = []
        self._citations: list[Citation] = []
        self._unprinted = [(-1, -1)]
        """The spans of arguments that macros leave out, after one that is before any place."""
        self._bodies = latex_commands.bodies_in(self._live, self._arguments)
        self._outer_ends: list[int] = []
        """Where the macros end whose arguments contain the current place."""

    def result(self) -> Scan:
        """Return the citations and inclusions, each in order."""
        defined = latex_commands.names_defined(self._live)
        for macro in latex_commands.MACRO.finditer(self._live):
            command, at = self._command(macro)
            if command is not None and macro.start() not in defined:
                self._read(command, macro, at)
        return Scan(tuple(self._with_lines()), tuple(self._resolved_inclusions()))

    def _command(self, macro: re.Match[str]) -> tuple[Command | None, int]:
        """Return the command of a macro, if known, and where its arguments start."""
        if macro["name"] == "begin" and (
            environment := latex_commands.ENVIRONMENT.match(self._live, macro.end())
        ):
            macro, name = environment, latex_commands.begin_of(environment["name"])
        else:
            name = macro["name"]
        return self._lexicon.command(name) if name else None, macro.end()

    def _read(self, command: Command, macro: re.Match[str], at: int) -> None:
        args, missing = self._arguments.of(command, at)
        name = macro["name"]
        if self._is_too_deep(at, args):
            return
        if any((not missing, command.repeats and args)):
            self._add_citations(command, args)
            texts = {argument.number: self._written(argument) for argument in args}
            self._inclusions += ((macro.start(), name, file.named(texts)) for file in command.files)
        elif name == "input" and (bare := _BARE_FILE.match(self._live, macro.end())):
            self._inclusions.append((macro.start(), name, IncludedFile("file", bare[1] or bare[2])))

    def _is_too_deep(self, at: int, args: Sequence[Argument]) -> bool:
        """Return whether a macro is within the arguments of too many others."""
        self._outer_ends = [end for end in self._outer_ends if end > at]
        is_too_deep = len(self._outer_ends) > latex_commands.DEEPEST
        self._outer_ends += () if is_too_deep else (args[-1].end if args else at,)
        return is_too_deep

    def _written(self, argument: Argument) -> str:
        return _COMMENT.sub("", self._live[argument.start : argument.end]).strip()

    def _add_citations(self, command: Command, arguments: Iterable[Argument]) -> None:
        for argument in arguments:
            for take in argument.group.takes:
                if take.role == "unprinted":
                    self._unprinted.append((argument.start, argument.end))
                else:
                    self._citations += self._keys(argument, take, is_guess=command.is_guess)

    def _keys(self, argument: Argument, take: Take, *, is_guess: bool) -> Iterator[Citation]:
        """Yield the comma-separated keys of an argument, without line numbers yet."""
        matches = list(_KEY.finditer(self._live, argument.start, argument.end))
        written = [" ".join(_COMMENT.sub("", key.group()).split()) for key in matches]
        # A guess counts only if all words look like keys; otherwise the argument is ordinary text.
        if is_guess and not all(map(latex_commands.LOOKS_LIKE_A_KEY.fullmatch, written)):
            return
        is_cited = take.role == "keys"
        for key, name in zip(matches, written, strict=True):
            if not _MADE_BY_MACRO.search(name):
                citekey = f"{take.before}{name}{take.after}"
                affixes = (take.before, take.after)
                yield Citation(citekey, 0, key.start(), key.end(), is_cited, affixes)
            elif "\\" in name and not _is_in(self._bodies, key.start()):
                # An unknown macro stays as written and is reported; it cannot hide another key.
                for part in dict.fromkeys(_PART.findall(self._lexicon.expanded(name))):
                    citekey = f"{take.before}{part}{take.after}"
                    yield Citation(citekey, 0, key.start(), key.end(), is_cited, _NO_OTHER)

    def _with_lines(self) -> Iterator[Citation]:
        line_of = line_counter(self._live)
        starts, ends = zip(*sorted(self._unprinted), strict=True)
        unprinted = list(zip(starts, accumulate(ends, max), strict=True))
        places = {(cite.start, cite.citekey): cite for cite in self._citations}
        for (start, citekey), cite in sorted(places.items()):
            is_cited = all((cite.is_cited, not _is_in(unprinted, start)))
            yield Citation(citekey, line_of(start), start, cite.end, is_cited, cite.affixes)

    def _expanded_path(self, name: str) -> str:
        path = re.sub("//+", "/", self._lexicon.expanded(name))
        return path if "\\" in path else re.sub("[{}]", "", path)

    def _resolved_inclusions(self) -> Iterator[Inclusion]:
        line_of = line_counter(self._live)
        optional = set(_OPTIONAL_FILE.findall(self._live))
        for start, command, file in self._inclusions:
            line = line_of(start)
            names = [file.name] if file.role == "file" else file.name.split(",")
            for name in map(str.strip, names):
                path = self._expanded_path(name)
                if path and not any((_MADE_BY_MACRO.search(path), path.startswith("|"))):
                    inclusion = self._inclusion(command, path, line, file.role)
                    is_needed = inclusion.is_needed and not optional.intersection(inclusion.files)
                    yield replace(inclusion, is_needed=is_needed)
                elif _UNKNOWN_FILE.fullmatch(name) and not _is_in(self._bodies, start):
                    yield Inclusion(command, name, line)

    def _inclusion(self, command: str, name: str, line: int, role: FileRole) -> Inclusion:
        if role != "file":
            ending = ".sty" if role == "package" else ".cls"
            return Inclusion(command, name, line, (name + ending,), is_needed=False)
        name = name.strip('"')
        files = [name] if name.endswith(".tex") else [f"{name}.tex"]
        files += [name] if command not in _EXACT else []
        places = tuple(folder + file for folder in ["", *self._lexicon.folders] for file in files)
        return Inclusion(command, name, line, places, is_needed=command != "InputIfFileExists")


def _is_in(spans: Sequence[tuple[int, int]], at: int) -> bool:
    """Return whether a place is in one of these spans. The first span must be before any place."""
    return at < spans[bisect_right(spans, at, key=itemgetter(0)) - 1][1]


# -- Whether a LaTeX manuscript has fonts for more than Latin letters.

_LOADED = re.compile(
    r"\\(?:usepackage|RequirePackage|documentclass)\s*+(?:\[([^\]]{0,2000})\])?\s*\{([^}]{0,2000})\}"
)
_PROGRAM = re.compile(r"^[ \t]*%[ \t]*![ \t]*TEX\s+(?:TS-)?program\s*=\s*(?:xe|lua)", re.I | re.M)
_OF_OTHER_SCRIPTS = re.compile(
    r"fontspec|mathspec|polyglossia|unicode-math|CJK|ctex|kotex|luatexja|ltj|bxjs|u?p?js(?:article|book)"
)
"""Parts of the names of packages and classes that print all or Asian letters."""
_LATIN = frozenset({"", "OT1", "T1", "TS1"})
"""Font encodings with Latin letters, except Vietnamese ones."""


def has_other_fonts(text: str) -> bool:
    """Return whether a text can print more than Latin letters.

    It names a program, a package or a font encoding for that.
    """
    return bool(_PROGRAM.search(text)) or any(
        _OF_OTHER_SCRIPTS.search(names)
        or (names.strip() == "fontenc" and not set(re.split(r"\s*,\s*", options)) <= _LATIN)
        for options, names in _LOADED.findall(text)
    )


# -- Files that LaTeX and biblatex write: .aux and .bcf.

_AUX_CITATION = re.compile(r"^\\(?:citation|abx@aux@cite(?:\{[0-9]+\})?)\{([^{}]*)\}", re.MULTILINE)
_AUX_INCLUSION = re.compile(r"^\\(?P<command>@input)\{(?P<name>[^{}\n]+)\}", re.MULTILINE)
# A set of the document stands for its members.
_BCF_CITEKEY = re.compile(
    r'<bcf:citekey\b(?:[^<>]*members="([^"<>]*)"|[^<>]*>([^<]*)</bcf:citekey>)'
)
_LISTED_KEY = re.compile(r"[^,\s](?:[^,]*[^,\s])?")


def scan_aux(text: str, defined: Defined) -> Scan:
    """Return the citations and further files that an .aux file lists."""
    return Scan(tuple(_listed(text, _AUX_CITATION)), tuple(inclusions_in(text, _AUX_INCLUSION)))


def scan_bcf(text: str, defined: Defined) -> Scan:
    """Return the citations that biblatex passes to biber."""
    return Scan(tuple(_listed(text, _BCF_CITEKEY, unescape)))


def _listed(
    text: str, pattern: re.Pattern[str], decode: Callable[[str], str] = str
) -> Iterator[Citation]:
    line_of = line_counter(text)
    for match in pattern.finditer(text):
        for key in _LISTED_KEY.finditer(text, *match.span(match.lastindex or 0)):
            yield Citation(decode(" ".join(key.group().split())), line_of(key.start()), *key.span())

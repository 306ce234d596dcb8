"""What is found in manuscripts, what they define for citing, and texts with parts blanked out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

EVERYTHING = "*"
r"""The key of ``\nocite{*}``."""
Bracket = Literal["<", "[", "(", "{", "*"]
Switched = Literal["new", "true", "false", "perhaps"]
r"""A switch is made by ``\newif``, set, or set where that is not always read."""
Role = Literal["keys", "named", "file", "folder", "package", "class"]


@dataclass(frozen=True, slots=True)
class Citation:
    """One key, at one place."""

    citekey: str
    """``*`` for LaTeX's ``\\nocite{*}``, which cites everything."""
    line: int
    """Counted from 1."""
    start: int = field(default=0, compare=False)
    """Where the key begins in the text."""
    end: int = field(default=0, compare=False)
    is_cited: bool = True
    """False where the key is only named, as in ``\\defcitealias{key}{text}``."""
    affixes: tuple[str, str] = field(default=("", ""), compare=False)
    """What a macro of the author's puts before and after what is in the text."""

    def spelled(self, citekey: str) -> str | None:
        """What must be in this place to mean ``citekey``; None where nothing can."""
        before, after = self.affixes
        rest = citekey.removeprefix(before)
        if len(before) + len(rest) != len(citekey) or not rest.endswith(after):
            return None
        return rest.removesuffix(after) or None


@dataclass(frozen=True, slots=True)
class Inclusion:
    """A file that a manuscript takes in."""

    command: str
    """``input``, ``include``, ``subfile``, ``import``, ``@input`` or the like."""
    name: str
    """As it is written: without an ending, as a rule."""
    line: int
    """Counted from 1."""
    files: tuple[str, ...] = field(default=(), compare=False)
    """What the file may be called, the likeliest first."""
    is_needed: bool = True
    """False where the manuscript is complete without it, as with ``\\InputIfFileExists``."""


@dataclass(frozen=True, slots=True)
class Take:
    """What a macro does with an argument."""

    role: Role
    before: str = ""
    """What the macro puts before it: in ``\\cite{rfc#1}`` "rfc"."""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """One argument of a macro."""

    bracket: Bracket
    takes: tuple[Take, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """A macro that takes keys or files."""

    groups: tuple[Group, ...]
    """Its arguments in their order; all but those in braces may be left out."""
    repeats: bool = False
    """Whether what follows its arguments in parentheses may come again and again."""
    is_guess: bool = False
    """Whether only its name says that it cites."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A macro that a manuscript defines."""

    brackets: tuple[Bracket, ...]
    """Of its arguments, in their order; ``*`` for a star."""
    body: str


@dataclass(frozen=True, slots=True)
class Defined:
    """What manuscripts define that their citations are read by."""

    macros: Mapping[str, Definition] = field(default_factory=dict)
    """Of LaTeX, by their names."""
    commands: Mapping[str, Command] = field(default_factory=dict)
    """Of LaTeX, said by the reader's settings, or by a definition that says it outright."""
    verbatim: frozenset[str] = frozenset()
    """LaTeX's environments in which nothing is cited, and characters between which nothing is."""
    switches: Mapping[str, frozenset[Switched]] = field(default_factory=dict)
    r"""What is done with LaTeX's switches, by their names: ``draft`` of ``\ifdraft``."""
    functions: frozenset[str] = frozenset()
    """Typst's functions that take keys."""

    def with_those_of(self, other: Defined) -> Defined:
        """Both; what ``other`` defines again counts."""
        return Defined(
            {**self.macros, **other.macros},
            {**self.commands, **other.commands},
            self.verbatim | other.verbatim,
            {
                name: self.switches.get(name, frozenset()) | other.switches.get(name, frozenset())
                for name in {**self.switches, **other.switches}
            },
            self.functions | other.functions,
        )


@dataclass(frozen=True, slots=True)
class Found:
    """What one text cites and takes in, each in its order."""

    citations: tuple[Citation, ...]
    inclusions: tuple[Inclusion, ...] = ()


# -- Text with blanks where nothing is cited, so that the offsets of all else stay.

_VISIBLE = re.compile(r"[^\r\n]")


def blanked(text: str) -> str:
    """Blanks in the place of ``text``; its lines stay."""
    return _VISIBLE.sub(" ", text)


def without_spans(text: str, spans: list[tuple[int, int]]) -> str:
    """``text`` with blanks in these spans, which are in order and apart."""
    pieces: list[str] = []
    done = 0
    for start, end in spans:
        pieces += text[done:start], blanked(text[start:end])
        done = end
    return "".join([*pieces, text[done:]])


def without(text: str, starts: re.Pattern[str], end_of: Callable[[re.Match[str]], str]) -> str:
    """``text`` with blanks from each start to its end, which ``end_of`` gives as a pattern.

    A start without an end is ordinary text; so is one that ``end_of`` gives "" for. An end that
    was missing once is not looked for again.
    """
    spans: list[tuple[int, int]] = []
    missing = {""}
    at = 0
    while start := starts.search(text, at):
        at = start.end()
        wanted = end_of(start)
        if wanted in missing:
            continue
        end = re.compile(wanted, re.MULTILINE).search(text, at)
        if end is None:
            missing.add(wanted)
            continue
        spans.append((start.start(), end.end()))
        at = max(at, end.end())
    return without_spans(text, spans)

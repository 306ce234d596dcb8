"""What manuscripts cite and define, and functions to blank out parts of a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from papertrack.text import line_counter

EVERYTHING = "*"
r"""The key of ``\nocite{*}``."""
Bracket = Literal["<", "[", "(", "{", "*"]
Switched = Literal["new", "true", "false", "perhaps"]
r"""``\newif`` creates a switch. It is ``perhaps`` set if the text that sets it is not always
read."""
Role = Literal["keys", "named", "unprinted"]
"""Keys that are cited or only named, or text that a macro takes and does not print."""
FileRole = Literal["file", "package", "class"]
_PARAMETER = re.compile(r"#(\d)(/*)")


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation of one key, and its place."""

    citekey: str
    """``*`` for LaTeX's ``\\nocite{*}``, which cites everything."""
    line: int
    """Counted from 1."""
    start: int = field(default=0, compare=False)
    """Where the key starts in the text."""
    end: int = field(default=0, compare=False)
    is_cited: bool = True
    r"""False if the key is only named, as in ``\\defcitealias{key}{text}``, or is not printed."""
    affixes: tuple[str, str] = field(default=("", ""), compare=False)
    """What a macro of the author puts before and after the text to make the key."""

    def spelled(self, citekey: str) -> str | None:
        """Return the text to write here for ``citekey``; None if the affixes do not allow it."""
        before, after = self.affixes
        rest = citekey.removeprefix(before)
        if len(before) + len(rest) != len(citekey) or not rest.endswith(after):
            return None
        return rest.removesuffix(after) or None


@dataclass(frozen=True, slots=True)
class Inclusion:
    """A file that a manuscript includes."""

    command: str
    """``input``, ``include``, ``subfile``, ``import``, ``@input`` or the like."""
    name: str
    """The name as written, usually without an extension."""
    line: int
    """Counted from 1."""
    files: tuple[str, ...] = field(default=(), compare=False)
    """Possible file names, the likeliest first."""
    is_needed: bool = True
    r"""False if the manuscript is complete without it, as with ``\\InputIfFileExists``."""


def inclusions_in(
    text: str, pattern: re.Pattern[str], is_live: Callable[[re.Match[str]], bool] = bool
) -> Iterator[Inclusion]:
    """Yield the files that matches of ``pattern`` name.

    Its groups whose names start with "name" have the file's name, and "command" the command.
    """
    line_of = line_counter(text)
    for match in filter(is_live, pattern.finditer(text)):
        groups = match.groupdict()
        name = next(value for group, value in groups.items() if value and group[:4] == "name")
        command = groups.get("command") or "include"
        yield Inclusion(command, name, line_of(match.start()), (name,))


@dataclass(frozen=True, slots=True)
class Take:
    """How a macro uses an argument that has keys."""

    role: Role
    before: str = ""
    r"""What the macro puts before it: "rfc" in ``\\cite{rfc#1}``."""
    after: str = ""


class IncludedFile(NamedTuple):
    """A file that a macro includes."""

    role: FileRole
    name: str
    """Has ``#1`` for the first argument: ``chapters/#1``."""

    def named(self, args: Mapping[str, str]) -> IncludedFile:
        """Return the file with the given arguments in its name; missing ones are left out."""
        return self._replace(
            name=_PARAMETER.sub(lambda n: args[n[1]] + n[2] if n[1] in args else "", self.name)
        )


@dataclass(frozen=True, slots=True)
class Group:
    """One argument of a macro."""

    bracket: Bracket
    takes: tuple[Take, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """A macro that takes keys or files."""

    groups: tuple[Group, ...]
    """Its arguments in order. All except those in braces are optional."""
    repeats: bool = False
    """Whether the arguments after those in parentheses may repeat."""
    is_guess: bool = False
    """Whether the only evidence is its name."""
    files: tuple[IncludedFile, ...] = ()

    @property
    def takes_any(self) -> bool:
        """Whether it takes keys or files."""
        return bool(self.files) or any(group.takes for group in self.groups)

    @property
    def is_citing(self) -> bool:
        """Whether it cites keys."""
        return any(take.role == "keys" for group in self.groups for take in group.takes)


@dataclass(frozen=True, slots=True)
class Definition:
    """A macro that a manuscript defines."""

    brackets: tuple[Bracket, ...]
    """The brackets of its arguments, in order; ``*`` for a star."""
    body: str
    is_certain: bool = False
    """Whether it holds everywhere: it is the only one, outside of groups and conditionals."""


@dataclass(frozen=True, slots=True)
class Defined:
    """Definitions in manuscripts that matter for reading citations."""

    macros: Mapping[str, Definition] = field(default_factory=dict)
    """LaTeX macros by name."""
    commands: Mapping[str, Command] = field(default_factory=dict)
    """LaTeX commands from the settings, or from definitions that declare what they take."""
    verbatim: frozenset[str] = frozenset()
    """LaTeX environments, and delimiting characters, that contain no citations."""
    switches: Mapping[str, frozenset[Switched]] = field(default_factory=dict)
    r"""LaTeX switches by name, such as ``draft`` for ``\ifdraft``, and what is done with them."""
    functions: frozenset[str] = frozenset()
    """Typst functions that take keys."""

    def with_those_of(self, other: Defined) -> Defined:
        """Combine two sets of definitions; those of ``other`` win."""
        both = self.macros.keys() & other.macros.keys()
        doubtful = (name for name in both if self.macros[name] != other.macros[name])
        unlike = {name: replace(other.macros[name], is_certain=False) for name in doubtful}
        return Defined(
            {**self.macros, **other.macros, **unlike},
            {**self.commands, **other.commands},
            self.verbatim | other.verbatim,
            {
                name: self.switches.get(name, frozenset()) | other.switches.get(name, frozenset())
                for name in {**self.switches, **other.switches}
            },
            self.functions | other.functions,
        )


@dataclass(frozen=True, slots=True)
class Scan:
    """The citations and inclusions of one text, each in order."""

    citations: tuple[Citation, ...]
    inclusions: tuple[Inclusion, ...] = ()


# -- Blanking out text without changing the offsets of the rest.

_VISIBLE = re.compile(r"[^\r\n]")


def blanked(text: str) -> str:
    """Replace a text by blanks; its line breaks stay."""
    return _VISIBLE.sub(" ", text)


def without_spans(text: str, spans: list[tuple[int, int]]) -> str:
    """Blank out spans, in any order."""
    pieces: list[str] = []
    done = 0
    for start, end in sorted(spans):
        pieces += text[done:start], blanked(text[max(start, done) : end])
        done = max(done, end)
    return "".join([*pieces, text[done:]])


def without(text: str, starts: re.Pattern[str], end_of: Callable[[re.Match[str]], str]) -> str:
    """Blank out each span from a start to its end, whose pattern ``end_of`` returns.

    A start without an end is ordinary text, and so is one whose pattern is "". An end that was
    missing once is not searched again.
    """
    spans: list[tuple[int, int]] = []
    missing = {""}
    at = 0
    while start := starts.search(text, at):
        at = start.end()
        pattern = end_of(start)
        if pattern in missing:
            continue
        end = re.compile(pattern, re.MULTILINE).search(text, at)
        if end is None:
            missing.add(pattern)
            continue
        spans.append((start.start(), end.end()))
        at = max(at, end.end())
    return without_spans(text, spans)

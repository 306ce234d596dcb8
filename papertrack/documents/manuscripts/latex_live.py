"""Blank out the parts of a text that LaTeX does not read.

These are comments, verbatim text, false branches, and everything after the document's end.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from papertrack.documents.manuscripts.model import Bracket, Command, Group, Switched, blanked

NOTHING = "\0"
"""Replaces each character of a comment. Unlike a blank, it does not separate words."""
BLANK = rf"(?:[ \t\r{NOTHING}]|\n(?!\s*\n))*+"
"""What may stand between a macro and its arguments: anything blank except an empty line."""

_VERBATIM = {
    name + star
    for name in (
        "verbatim lstlisting minted comment filecontents Verbatim BVerbatim LVerbatim SaveVerbatim"
        " VerbatimOut spverbatim verbatimtab listing@verbatim tcblisting luacode pycode pyverbatim"
        " sagesilent asy Sinput Soutput"
    ).split()
    for star in ("", "*")
}
_WITHOUT_OPTIONS = frozenset(("verbatim", "verbatim*", "comment", "comment*"))
"""Verbatim environments that treat a bracket after their name as content."""
_OPTIONS = re.compile(r"[ \t]*\[(?:[^\[\]{}]|\{(?:[^{}]|\{[^{}]*\})*\}){0,2000}\]")
"""Options of a listing; its caption may contain citations."""
# What starts dead text, or must be skipped whole so that nothing inside seems to start any.
_START = re.compile(
    r"\\(?P<verb>verb|Verb|lstinline|mintinline|path)(?![A-Za-z@])"
    r"|\\(?P<address>url|nolinkurl|href|hyperref@url)(?![A-Za-z@])"
    r"|\\begin\s*\{(?P<environment>[A-Za-z@]+\*?)\}|(?P<comment>%)"
    r"|\\if(?P<truth>false|true)(?![A-Za-z@])|\\if(?P<switch>[A-Za-z@]+)|(?P<else>\\else)(?![A-Za-z@])"
    r"|(?P<expand>\\expandafter)(?![A-Za-z@])|(?P<end>\\end\s*\{document\}|\\endinput(?![A-Za-z@]))"
    r"|^(?P<chunk><<[^\n]*>>=[ \t\r]*)$|\\.",
    re.DOTALL | re.MULTILINE,
)
_COMMENT = re.compile(r"%[^\n]*(?:\n[ \t]*)?")
_VERB = re.compile(
    r"\*?(?:\[[^\]\n]{0,500}\])?(?:\{[\w+-]{0,50}\}(?=[^\w\s]))?"
    r"(?:\{(?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]{0,500}\}){0,500}\}){0,500}\}"
    r"|(?P<mark>[^A-Za-z0-9*\s{\[])[^\n]{0,500}?(?P=mark))"
)
_ADDRESS = re.compile(r"\s*(?:\[[^\]\n]{0,500}\]\s*)?\{(?:[^{}\n]|\{[^{}\n]*\}){0,2000}\}")
# A macro with an argument in braces, such as \ifthenelse{…}, is not a TeX conditional.
_CONDITIONAL = re.compile(
    r"%[^\n]*|\\newif\s*\\if[A-Za-z@]+"
    r"|\\(?:(?P<if>if(?!f(?![A-Za-z@]))[A-Za-z@]*)(?![A-Za-z@])(?!\s*\{)"
    r"|(?P<else>else)(?![A-Za-z@])|(?P<fi>fi)(?![A-Za-z@]))|\\.",
    re.DOTALL,
)
_NEW_VERBATIM = re.compile(
    r"\\(?:lstnewenvironment|DefineVerbatimEnvironment|RecustomVerbatimEnvironment|newtcblisting"
    r"|excludecomment|NewTCBListing|DeclareTCBListing)\s*\{(\w+\*?)\}"
    r"|\\newminted\s*(?:\[(\w+)\])?\s*\{(\w+)\}"
)
_NEW_MARK = re.compile(
    r"\\(?:MakeShortVerb|DefineShortVerb|lstMakeShortInline)\*?(?:\[[^\]\n]{0,500}\])?\s*\{?\\?([^\w\s{}])"
)
_CHUNK_END = r"^@[ \t\r]*$"


def verbatim_environments(text: str) -> frozenset[str]:
    """Return the verbatim environments and verbatim characters that a text defines."""
    environments = (
        plain or own or f"{language}code" for plain, own, language in _NEW_VERBATIM.findall(text)
    )
    return frozenset((*environments, *_NEW_MARK.findall(text)))


def live_latex(
    text: str, verbatim: Collection[str] = (), switches: Mapping[str, bool] = MappingProxyType({})
) -> str:
    r"""Return the text with blanks for what LaTeX does not read. Offsets stay the same.

    ``verbatim`` are additional verbatim environments and characters. ``switches`` gives the values
    of conditionals, such as ``draft`` for ``\ifdraft``.
    """
    return _Reading(text, _VERBATIM | set(verbatim), switches).live()


class _Reading:
    """Reads one text from start to end."""

    def __init__(self, text: str, verbatim: Collection[str], switches: Mapping[str, bool]) -> None:
        self._text = text
        self._verbatim = verbatim
        self._switches = switches
        marks = "".join(re.escape(name) for name in verbatim if not name[0].isalpha())
        more = rf"(?P<mark>[{marks}])|" if marks else ""
        self._start = re.compile(more + _START.pattern, _START.flags)
        self._pieces: list[str] = []
        self._done = 0
        self._ends: dict[str, list[int]] = {}
        self._branches: dict[int, tuple[int | None, int]] | None = None
        self._dead_ends: dict[int, int] = {}

    def live(self) -> str:
        at = 0
        while start := self._start.search(self._text, at):
            # Each kind of start has a method that blanks out what is dead, and returns its end.
            skip = getattr(self, f"_skip_{start.lastgroup}", None)
            at = max(skip(start) if skip else 0, start.end())
        return "".join([*self._pieces, self._text[self._done :]])

    def _blank(self, start: int, end: int, char: str | None = None) -> int:
        """Blank out a span, and return its end."""
        part = self._text[start:end]
        part = blanked(part) if char is None else re.sub(r"[^\n]", char, part)
        self._pieces += self._text[self._done : start], part
        self._done = end
        return end

    def _skip_comment(self, start: re.Match[str]) -> int:
        comment = _COMMENT.match(self._text, start.start())
        end = comment.end() if comment else start.end()
        return self._blank(start.start(), end, NOTHING)

    def _skip_expand(self, start: re.Match[str]) -> int:
        r"""Blank out ``\expandafter``: macros in keys are expanded anyway."""
        return self._blank(*start.span(), NOTHING)

    def _skip_verb(self, start: re.Match[str]) -> int:
        verbatim = _VERB.match(self._text, start.end())
        return self._blank(start.start(), verbatim.end()) if verbatim else 0

    def _skip_mark(self, start: re.Match[str]) -> int:
        end = self._text.find(start.group(), start.end(), start.end() + 500)
        is_in_line = end >= 0 and "\n" not in self._text[start.end() : end]
        return self._blank(start.start(), end + 1) if is_in_line else 0

    def _skip_address(self, start: re.Match[str]) -> int:
        # In an address, % does not start a comment.
        address = _ADDRESS.match(self._text, start.end())
        return self._blank(start.end(), address.end()) if address else 0

    def _skip_environment(self, start: re.Match[str]) -> int:
        name = start["environment"]
        if name not in self._verbatim:
            return 0
        end = self._next(rf"\\end\s*\{{{re.escape(name)}\}}", start.end())
        if not end:
            return 0
        options = None if name in _WITHOUT_OPTIONS else _OPTIONS.match(self._text, start.end())
        return self._blank(options.end() if options else start.start(), end)

    def _skip_chunk(self, start: re.Match[str]) -> int:
        end = self._next(_CHUNK_END, start.end())
        return self._blank(start.start(), end) if end else 0

    def _skip_end(self, start: re.Match[str]) -> int:
        # After \endinput TeX still reads the rest of the line.
        at = start.start()
        if start.group().startswith(r"\endinput"):
            at = self._text.find("\n", at)
        return self._blank(at if at >= 0 else len(self._text), len(self._text))

    def _skip_truth(self, start: re.Match[str]) -> int:
        r"""Blank out the branch of a conditional that LaTeX does not read.

        In ``\iffalse … \else … \fi`` it is the first one, in ``\iftrue`` the second.
        """
        switch = start["switch"]
        if switch and switch not in self._switches:
            return 0
        if self._branches is None:
            self._branches = _branches(self._text)
        if start.end() not in self._branches:
            return 0
        middle, end = self._branches[start.end()]
        is_true = start["truth"] == "true"
        if switch:
            is_true = self._switches[switch] and not self._is_set_below(switch, start.start())
        if not is_true:
            return self._blank(start.start(), end if middle is None else middle)
        if middle is not None:
            self._dead_ends[middle] = end
        return 0

    _skip_switch = _skip_truth

    def _is_set_below(self, switch: str, at: int) -> bool:
        """Return whether this text defines a switch above a place but sets it only below."""
        start = self._next(rf"\\newif\s*\\if{switch}(?![A-Za-z@])", 0)
        return 0 < start <= at < self._next(rf"\\{switch}true(?![A-Za-z@])", 0)

    def _skip_else(self, start: re.Match[str]) -> int:
        end = self._dead_ends.get(start.start())
        return self._blank(start.start(), end) if end else 0

    def _next(self, pattern: str, at: int) -> int:
        """Return the end of the next match of ``pattern``; 0 if there is none."""
        if pattern not in self._ends:
            self._ends[pattern] = [match.end() for match in re.finditer(pattern, self._text, re.M)]
        ends = self._ends[pattern]
        index = bisect_left(ends, at)
        return ends[index] if index < len(ends) else 0


_SWITCHING = re.compile(
    r"\\newif\s*\\if(?P<new>[A-Za-z@]+)|(?P<open>\{)|(?P<close>\})"
    r"|\\(?P<name>(?!if)[A-Za-z@]+?)(?P<value>true|false)(?![A-Za-z@])"
    rf"|{_CONDITIONAL.pattern}",
    re.DOTALL,
)


def switches_in(live: str) -> dict[str, frozenset[Switched]]:
    """Return what a live text does with each switch.

    A switch that is set in braces, or in a branch of a conditional, is only perhaps set.
    """
    uses: dict[str, set[Switched]] = {}
    depth = 0
    for token in _SWITCHING.finditer(live):
        depth += bool(token["open"] or token["if"]) - bool(token["close"] or token["fi"])
        if token["new"]:
            uses.setdefault(token["new"], set()).add("new")
        elif token["name"]:
            value: Switched = "true" if token["value"] == "true" else "false"
            uses.setdefault(token["name"], set()).add("perhaps" if depth > 0 else value)
    return {name: frozenset(values) for name, values in uses.items()}


_OPENING = re.compile(
    r"\\(?:(?P<open>begin|bgroup)|(?P<close>end|egroup))(?:group)?(?![A-Za-z@])"
    rf"|{_CONDITIONAL.pattern}",
    re.DOTALL,
)


def opened_groups(live: str, start: int, end: int) -> int:
    """Return how many more conditionals, and groups without braces, start than end in a stretch."""
    kinds = Counter(token.lastgroup for token in _OPENING.finditer(live, start, end))
    return kinds["open"] + kinds["if"] - kinds["close"] - kinds["fi"]


def known_switches(uses: Mapping[str, frozenset[Switched]]) -> dict[str, bool]:
    """Return the value of each switch that is certain. A new switch is false."""
    return {
        name: "true" in values
        for name, values in uses.items()
        if ("new" in values and values <= {"new", "true"}) or values == {"new", "false"}
    }


def _branches(text: str) -> dict[int, tuple[int | None, int]]:
    r"""Find the branches of all conditionals.

    Maps the end of a conditional's name to the starts of its ``\else``, if any, and its ``\fi``.
    """
    branches: dict[int, tuple[int | None, int]] = {}
    open_ones: list[tuple[int, int | None]] = []
    for token in _CONDITIONAL.finditer(text):
        if token["if"]:
            open_ones.append((token.end(), None))
        elif token["else"] and open_ones and open_ones[-1][1] is None:
            open_ones[-1] = (open_ones[-1][0], token.start())
        elif token["fi"] and open_ones:
            begin, middle = open_ones.pop()
            branches[begin] = (middle, token.start())
    return branches


# -- The arguments of LaTeX macros, by matching brackets.

_BRACKET = re.compile(r"\\.|[{}\[\]()<>]", re.DOTALL)
_CLOSED_BY = {"{": "}", "[": "]", "(": ")", "<": ">"}
_BLANK = re.compile(BLANK)
_STAR = re.compile(rf"{BLANK}\*")


class Argument(NamedTuple):
    """One argument of a macro: its group, and the span inside its brackets."""

    group: Group
    start: int
    end: int
    number: str
    """Its place among the macro's arguments, counted from 1 as in ``#1``."""


class Arguments:
    """Reads arguments of one text. Each bracket is matched only once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._closing = _closing_brackets(text)

    def of(self, command: Command, at: int) -> tuple[list[Argument], tuple[Group, ...]]:
        """Return the arguments of the macro whose name ends at ``at``, and the missing groups."""
        if star := _STAR.match(self._text, at):
            at = star.end()
        arguments: list[Argument] = []
        once, again = _parts(command)
        missing, at = self._read(once, at, arguments)
        if again and not missing:
            missing, at = self._read(again, at, arguments)
            more: list[Argument] = []
            while not missing and not self._read(again, at, more)[0]:
                at = more[-1].end + 1
                arguments += more
                more = []
        return arguments, missing

    def text_at(self, at: int, *, brackets: Bracket = "{") -> tuple[str, int] | None:
        """Return the text in the brackets that start at ``at``, and where they end.

        Blanks before the brackets are skipped.
        """
        args, _ = self.of(Command((Group(brackets),)), at)
        return (self._text[args[0].start : args[0].end], args[0].end + 1) if args else None

    def _read(
        self, groups: tuple[Group, ...], at: int, given_arguments: list[Argument]
    ) -> tuple[tuple[Group, ...], int]:
        """Append the arguments for these groups to ``given_arguments``.

        Returns the missing groups if a group in braces is missing, and where to read on.
        """
        past = 0
        for index, group in enumerate(groups):
            blank = _BLANK.match(self._text, at)
            start = blank.end() if blank else at
            end = self._close(group, start)
            if end is not None:
                given_arguments.append(Argument(group, start + 1, end, str(index + 1)))
                at, past = end + 1, index + 1
            elif group.bracket == "{":
                return groups[past:], at
        return (), at

    def _close(self, group: Group, start: int) -> int | None:
        """Return where the argument that starts at ``start`` ends, or None."""
        if not self._text.startswith(group.bracket, start):
            return None
        first, nested = self._closing.get(start, (None, None))
        # Brackets do not nest in LaTeX, but some packages nest them.
        if nested is not None and first is not None and not self._goes_on(first + 1):
            return nested if self._goes_on(nested + 1) else first
        return first

    def _goes_on(self, at: int) -> bool:
        blank = _BLANK.match(self._text, at)
        at = blank.end() if blank else at
        return self._text[at : at + 1] in _CLOSED_BY


def _parts(command: Command) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    """Return the groups that come once, and the groups that may repeat."""
    if not command.repeats:
        return command.groups, ()
    once = tuple(group for group in command.groups if group.bracket == "(")
    return once, tuple(group for group in command.groups if group.bracket != "(")


def _closing_brackets(text: str) -> dict[int, tuple[int, int | None]]:
    """Map each opening bracket to where TeX closes it, and where it would close if nested.

    TeX takes the first closing bracket that is not in braces of its own.
    """
    closing: dict[int, tuple[int, int | None]] = {}
    levels = [_Level(-1, defaultdict(list), defaultdict(list))]
    for match in _BRACKET.finditer(text):
        char, at, level = match.group()[0], match.start(), levels[-1]
        if char == "{":
            levels.append(_Level(at, defaultdict(list), defaultdict(list)))
        elif char == "}" and len(levels) > 1:
            closing[levels.pop().start] = (at, None)
        elif char in "[(<":
            level.waiting[_CLOSED_BY[char]].append(at)
            level.nested[_CLOSED_BY[char]].append(at)
        elif level.nested[char]:
            closing.update(dict.fromkeys(level.waiting.pop(char, ()), (at, None)))
            start = level.nested[char].pop()
            closing[start] = (closing[start][0], at)
    return closing


class _Level(NamedTuple):
    """The brackets that are open inside one pair of braces, by what closes them."""

    start: int
    waiting: defaultdict[str, list[int]]
    """Those that TeX has not closed yet."""
    nested: defaultdict[str, list[int]]

"""The arguments of LaTeX's macros, by the brackets that belong together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from papertrack.documents.manuscripts.latex_live import BLANK
from papertrack.documents.manuscripts.model import Bracket, Command, Group

_BRACKET = re.compile(r"\\.|[{}\[\]()<>]", re.DOTALL)
_CLOSED_BY = {"{": "}", "[": "]", "(": ")", "<": ">"}
_BLANK = re.compile(BLANK)
_STAR = re.compile(rf"{BLANK}\*")


class Argument(NamedTuple):
    """One argument of a macro: what it is for, and where what is in its brackets is."""

    group: Group
    start: int
    end: int


class Arguments:
    """Reads arguments in one text, each bracket of which is looked at once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._closing = _closing_brackets(text)

    def of(self, command: Command, at: int) -> tuple[list[Argument], tuple[Group, ...]]:
        """What a macro whose name ends at ``at`` is given, and what of it is missing there."""
        if star := _STAR.match(self._text, at):
            at = star.end()
        found: list[Argument] = []
        once, again = _parts(command)
        missing, at = self._read(once, at, found)
        if again and not missing:
            missing, at = self._read(again, at, found)
            more: list[Argument] = []
            while not missing and not self._read(again, at, more)[0]:
                at = more[-1].end + 1
                found += more
                more = []
        return found, missing

    def text_at(self, at: int, *, brackets: Bracket = "{") -> tuple[str, int] | None:
        """What is in the brackets that begin at ``at``, but for blanks, and where they end."""
        found, _ = self.of(Command((Group(brackets),)), at)
        return (self._text[found[0].start : found[0].end], found[0].end + 1) if found else None

    def _read(
        self, groups: tuple[Group, ...], at: int, found: list[Argument]
    ) -> tuple[tuple[Group, ...], int]:
        """Add the arguments for these groups; where one in braces is missing, the groups after the
        last that is there, and where to read on."""
        given = 0
        for index, group in enumerate(groups):
            blank = _BLANK.match(self._text, at)
            start = blank.end() if blank else at
            end = self._close(group, start)
            if end is not None:
                found.append(Argument(group, start + 1, end))
                at, given = end + 1, index + 1
            elif group.bracket == "{":
                return groups[given:], at
        return (), at

    def _close(self, group: Group, start: int) -> int | None:
        """Where the argument that begins at ``start`` ends, if one begins there."""
        if not self._text.startswith(group.bracket, start):
            return None
        first, nested = self._closing.get(start, (None, None))
        # As LaTeX reads them, brackets do not nest; some packages' do.
        if nested is not None and first is not None and not self._goes_on(first + 1):
            return nested if self._goes_on(nested + 1) else first
        return first

    def _goes_on(self, at: int) -> bool:
        blank = _BLANK.match(self._text, at)
        return self._text[blank.end() if blank else at :][:1] in _CLOSED_BY


def _parts(command: Command) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    """The groups that come once, and those that may come again and again."""
    if not command.repeats:
        return command.groups, ()
    once = tuple(group for group in command.groups if group.bracket == "(")
    return once, tuple(group for group in command.groups if group.bracket != "(")


def _closing_brackets(text: str) -> dict[int, tuple[int, int | None]]:
    """Where a bracket stands → where TeX takes it to close, and where it would if it nested.

    TeX takes the first closing one that is in no braces of its own.
    """
    closing: dict[int, tuple[int, int | None]] = {}
    levels = [_Level(-1)]
    for found in _BRACKET.finditer(text):
        char, at = found.group()[0], found.start()
        if char == "{":
            levels.append(_Level(at))
        elif char == "}" and len(levels) > 1:
            closing[levels.pop().start] = (at, None)
        elif char in "[(<":
            levels[-1].open(char, at)
        elif char in "])>":
            closing.update(levels[-1].close(char, at, closing))
    return closing


class _Level:
    """The brackets that are in the same braces."""

    def __init__(self, start: int) -> None:
        self.start = start
        self._waiting: dict[str, list[int]] = {}
        self._nested: dict[str, list[int]] = {}

    def open(self, char: str, at: int) -> None:
        self._waiting.setdefault(_CLOSED_BY[char], []).append(at)
        self._nested.setdefault(_CLOSED_BY[char], []).append(at)

    def close(
        self, char: str, at: int, known: dict[int, tuple[int, int | None]]
    ) -> Iterator[tuple[int, tuple[int, int | None]]]:
        for start in self._waiting.pop(char, ()):
            yield start, (at, None)
        if self._nested.get(char):
            start = self._nested[char].pop()
            yield start, (known[start][0] if start in known else at, at)

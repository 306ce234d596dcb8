"""Whether what opens in an entry is closed again: brackets, emphasis, quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from heapq import nlargest

_SIGN = re.compile(r"\\.|[\[\](){}【】（）]|\*{1,3}|`+|\"|“|”")
_MARKER = r"[ \t>]*(?:[-+*]|[0-9]+[.)])[ \t]+"
_FIRST, _FURTHER = re.compile(_MARKER), re.compile(rf"(?<=[\r\n]){_MARKER}")
_PAIRS = dict(zip("[({【（“", "])}】）”", strict=True))
_CLOSING = frozenset(_PAIRS.values())
_WAYS = 16
"""So many ways are gone on with."""
Open = tuple[str, ...]
"""The signs that would close what is open, the innermost last."""


def still_open(before: Open, text: str) -> Open | None:
    """Return what is open behind a text; None if it closes what is not open, or not in its turn."""
    stack = list(before)
    marker = None if stack else _FIRST.match(text)
    for sign in _SIGN.findall(_FURTHER.sub("", text), marker.end() if marker else 0):
        if sign.startswith("\\"):
            continue
        if stack and stack[-1] == sign:
            stack.pop()
        elif sign in _CLOSING or sign in stack:
            return None
        else:
            stack.append(_PAIRS.get(sign, sign))
    return tuple(stack)


def is_balanced(texts: Iterable[str]) -> bool:
    """Return whether all that these texts, one behind the other, open is closed."""
    left: Open | None = ()
    for text in texts:
        left = None if left is None else still_open(left, text)
    return left == ()


def closed_choice(choices: Sequence[Sequence[str]]) -> list[str] | None:
    """Return one text of each choice, of which the likeliest come first, such that all that they
    open is closed; None if no such texts are found."""
    ways: dict[Open, tuple[int, tuple[str, ...]]] = {(): (0, ())}
    for texts in choices:
        ways = dict(nlargest(_WAYS, _gone_on(ways, texts).items(), key=lambda way: way[1][0]))
    found = ways.get(())
    return [*found[1]] if found else None


def _gone_on(
    ways: dict[Open, tuple[int, tuple[str, ...]]], texts: Sequence[str]
) -> dict[Open, tuple[int, tuple[str, ...]]]:
    """Return the best way to each state by one more text; each step aside counts once."""
    reached: dict[Open, tuple[int, tuple[str, ...]]] = {}
    for before, (score, chosen) in ways.items():
        for aside, text in enumerate(texts):
            after = still_open(before, text)
            if after is not None and (after not in reached or reached[after][0] < score - aside):
                reached[after] = (score - aside, (*chosen, text))
    return reached

"""BibTeX values: delimiters, ``#`` and @string names; lists and parts outside braces."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

MAX_STRING = 5000
"""Characters that an expanded @string may have: a few lines can double it to gigabytes."""

_PIECE = re.compile(r'\s*([{"]|[^\s{"#]+)')


def unquoted(value: str, strings: Mapping[str, str]) -> str:
    """``{a} # b # "c"`` → the text it stands for; an unknown name stands for itself."""
    if value[:1] == "{" and value.find("}") == len(value) - 1:
        return value[1:-1]
    if value[:1] == '"' and value.find('"', 1) == len(value) - 1:
        return value[1:-1]
    pieces = []
    at = 0
    while match := _PIECE.match(value, at):
        opening = match.group(1)
        if opening in '{"':
            end = _closing(value, match.end(), opening)
            pieces.append(value[match.end() : end])
            at = end + 1
        else:
            pieces.append(strings.get(opening.casefold(), opening))
            at = match.end()
        hash_sign = re.compile(r"\s*#").match(value, at)
        at = hash_sign.end() if hash_sign else at
    return "".join(pieces)


def _closing(value: str, start: int, opening: str) -> int:
    """Where the piece that opened before ``start`` ends; the end of the value if nowhere.

    As in bibtexparser, a brace or quote after a backslash does not count.
    """
    depth = 0
    for match in re.compile(r'(?<!\\)[{}"]').finditer(value, start):
        sign = match.group()
        if sign == "{":
            depth += 1
        elif sign == "}":
            if depth == 0 and opening == "{":
                return match.start()
            depth -= 1
        elif opening == '"' and depth <= 0:
            return match.start()
    return len(value)


@cache
def _braces_or(separator: re.Pattern[str]) -> re.Pattern[str]:
    return re.compile(rf"[{{}}]|{separator.pattern}", separator.flags)


def split_outside_braces(text: str, separator: re.Pattern[str]) -> list[str]:
    """The parts of ``text`` between the matches of ``separator`` that no brace encloses."""
    parts = separator.split(text)
    if all(part.count("{") == part.count("}") for part in parts):
        return parts  # As braces are in pairs between them, no separator stands within one.
    parts = []
    depth = done = 0
    for match in _braces_or(separator).finditer(text):
        if match.group() == "{":
            depth += 1
        elif match.group() == "}":
            depth -= 1
        elif depth <= 0:
            parts.append(text[done : match.start()])
            done = match.end()
    return [*parts, text[done:]]

"""Values of fields as a .bib file writes them: pieces in delimiters and names of @strings, of which
styles know the months."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

_MOST_JOINED = 200_000
"""Characters."""
_PIECE = re.compile(r'\s*([{"]|[^\s{"#]+)')
_JOINT = re.compile(r"\s*#")
_DELIMITER = re.compile(r'[{}"]')

MONTH_NAMES = {
    name[:3].lower(): name
    for name in (
        *("January", "February", "March", "April", "May", "June", "July", "August"),
        *("September", "October", "November", "December"),
    )
}
"""BibTeX's names of the months, and what its styles print."""
MONTHS = tuple(MONTH_NAMES)
"""These names, which stand without delimiters."""


class Piece(NamedTuple):
    """One part of a value, and where it stands there."""

    text: str
    """Without delimiters."""
    start: int
    is_name: bool
    """Whether it may be the name of a @string: it is no number and has no delimiters."""


def pieces(value: str) -> Iterator[Piece]:
    """``{a} # b # "c"`` → its three pieces."""
    at = 0
    while match := _PIECE.match(value, at):
        opening = match.group(1)
        if opening in '{"':
            end = _closing(value, match.end(), opening)
            yield Piece(value[match.end() : end], match.end(), False)
            at = end + 1
        else:
            yield Piece(opening, match.start(1), not opening.isdigit())
            at = match.end()
        joint = _JOINT.match(value, at)
        at = joint.end() if joint else at


def unquoted(value: str, strings: Mapping[str, str]) -> str:
    """``{a} # b # "c"`` → the text it stands for; an unknown name stands for itself. What several
    pieces stand for is cut where @strings that double each other would fill the memory."""
    texts = [
        strings.get(piece.text.casefold(), piece.text) if piece.is_name else piece.text
        for piece in pieces(value)
    ]
    return "".join(texts) if len(texts) < 2 else "".join(texts)[:_MOST_JOINED]


def is_joined(value: str) -> bool:
    """Whether ``#`` stands between its pieces; without one a comma is missing, or braces are."""
    return all(
        "#" in value[one.start + len(one.text) : other.start]
        for one, other in pairwise(pieces(value))
    )


def names_in(value: str) -> list[str]:
    """The names of @strings in a value, in small letters."""
    return [piece.text.casefold() for piece in pieces(value) if piece.is_name]


def with_names(value: str, renamed: Mapping[str, str]) -> str:
    """The value with other names of @strings: by the old ones in small letters."""
    for piece in reversed(list(pieces(value))):
        new = renamed.get(piece.text.casefold()) if piece.is_name else None
        if new is not None:
            value = value[: piece.start] + new + value[piece.start + len(piece.text) :]
    return value


def delimited_as(value: str, old: str) -> str:
    """``value`` between delimiters like those of ``old``, as far as they can hold it."""
    # A quotation mark outside of braces would end a value between two.
    if old[:1] == '"' and _closing(value, 0, '"') >= len(value):
        return f'"{value}"'
    if old.isdigit() and value.isdigit():
        return value
    return "{" + value + "}"


def _closing(value: str, start: int, opening: str) -> int:
    """Where the piece that opened before ``start`` ends; the end of the value if nowhere."""
    depth = 0
    for match in _DELIMITER.finditer(value, start):
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

"""Values of fields, and lists of names as BibTeX and biblatex write them ↔ authors as printed.

bibtexparser parts lists and names. Beside each call stand the forms that it reads otherwise;
docs/dependencies.md lists them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from bibtexparser.middlewares.names import (
    InvalidNameError,
    NameParts,
    parse_single_name_into_parts,
    split_multiple_persons_names,
)

from papertrack.identifiers.derived import NOT_IN_NAMES, OTHERS, parts_of
from papertrack.latex.decode import decode_latex
from papertrack.latex.encode import escape_text
from papertrack.records import Author
from papertrack.text import split_name

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
    """Whether ``#`` is between its pieces; without it a comma or a brace is missing."""
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


_BACKSLASH = "\ue000"
_NOBODY = re.compile(
    r"\A(?:and(?:\s+|\Z))++|(?:\s+and)++\Z|(?<=\s)(?:and\s+)+(?=and\s)", re.IGNORECASE
)
_OTHERS = Author("et al.")
_SUFFIX = re.compile(r"(?:jr|sr)\.?|i{2,3}|iv", re.IGNORECASE)


def parse_names(value: str) -> tuple[Author, ...]:
    """``"van Beethoven, Ludwig and {H1 Collaboration} and others"`` → three authors.

    Names are as printed, first names first; ``others`` is ``et al.``, and nobody alone. Where the
    file shows a family name that ``text.split_name`` would not find, the author has it.
    """
    authors = tuple(author for author in map(_author, split_names(value)) if author.name)
    return () if authors == (_OTHERS,) else authors


def split_names(value: str) -> list[str]:
    """The names of a list as they are written there."""
    # bibtexparser loses a backslash behind "and", and takes a second "and" for a name.
    shown = _NOBODY.sub("", " ".join(value.split())).replace("\\", _BACKSLASH)
    return [part.replace(_BACKSLASH, "\\") for part in split_multiple_persons_names(shown)]


def _author(part: str) -> Author:
    if part.casefold() == "others":
        return _OTHERS
    pieces = _split_at_commas(part.strip(", "))
    if "family=" in part.replace(" ", "") and (author := _extended(pieces)) is not None:
        return author
    try:
        parts = parse_single_name_into_parts(", ".join(pieces))
    except InvalidNameError:
        # With more commas than two, or braces that do not balance, nothing is moved.
        return Author(decode_latex(part))
    family, first, suffix = (
        decode_latex(" ".join(words))
        for words in ([*parts.von, *parts.last], parts.first, parts.jr)
    )
    if len(pieces) == 1:
        # Who stands there without a comma is parted as in READMEs and on arXiv, so that a person
        # has one family name; but braces around several words show it.
        is_shown = any(re.search("[ ~]", word) for word in parts.last)
        name = decode_latex(part)
        return with_family(name, family if is_shown else "")
    if _SUFFIX.fullmatch(first):
        # "King, Martin Luther, Jr." and "King, Jr." are as common as the rule.
        suffix, first = first, suffix if suffix and not _SUFFIX.fullmatch(suffix) else ""
    before, _, last = family.rpartition(" ")
    if not suffix and before and _SUFFIX.fullmatch(last):
        family, suffix = before.rstrip(","), last
    return with_family(" ".join(filter(None, (first, family, suffix))), family)


def with_family(name: str, family: str) -> Author:
    """The author of this name, with the family name if it is not the one that is expected."""
    found, _, _ = split_name(name)
    return Author(name, family=family if family and found != family else None)


def _extended(pieces: Sequence[str]) -> Author | None:
    """biblatex's ``given=Hans, prefix=von, family=Berg, suffix=Jr`` (manual, 3.7)."""
    named = {}
    for piece in pieces:
        key, equals, value = piece.partition("=")
        if not equals:
            return None
        named[key.strip().casefold()] = decode_latex(value.strip().strip('"'))
    family = " ".join(filter(None, (named.get("prefix"), named.get("family"))))
    name = " ".join(filter(None, (named.get("given"), family, named.get("suffix"))))
    return with_family(name, family)


def _split_at_commas(text: str) -> list[str]:
    """The parts of a name between the commas that no brace encloses."""
    parts = [""]
    depth = 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if char == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]


def format_names(authors: Sequence[Author], *, encode: bool, old: str = "") -> str:
    """The value of an ``author`` field; "et al." at the end becomes BibTeX's ``others``. A name
    that is in the ``old`` value stays as it is written there."""
    known = {_author(part).name: part for part in split_names(old)}
    names = (known.get(one.name) or format_name(one, encode=encode) for one in authors)
    formatted = [*filter(None, names)]
    if formatted and formatted[-1].strip("{}").casefold() in OTHERS:
        formatted[-1] = "others"
    return " and ".join(formatted)


def format_name(author: Author, *, encode: bool) -> str:
    """``Ludwig van Beethoven`` → ``van Beethoven, Ludwig``; a collective is one braced word."""
    parts = parts_of(author)
    family, first, suffix = (escape_text(part, encode=encode) for part in parts)
    if first:
        jr = [suffix] if suffix else []
        return str(NameParts(first=[first], last=[family], jr=jr).merge_last_name_first)
    is_word = (
        not NOT_IN_NAMES.intersection(parts[0]) and " " not in parts[0] and "," not in parts[0]
    )
    return family if is_word else "{" + family + "}"

"""Lists of names as BibTeX and biblatex write them ↔ authors as printed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from operator import attrgetter

from papertrack.identifiers.derived import NOT_IN_NAMES, OTHERS, parts_of, plain_name
from papertrack.latex.decode import decode_latex
from papertrack.latex.encode import escape_text
from papertrack.records import Author
from papertrack.text import split_name

_AND = re.compile(r"(?<![^ ])and(?![^ ])", re.IGNORECASE)
_COMMA = re.compile(r" ?, ?")
# Most names are one of these three. First names in capitals: other words may be particles.
_AS_PRINTED = re.compile(r"(?!(?i:others)\Z)[A-Za-z.]++(?:[ '-][A-Za-z.]++)*+")
_TWO_WORDS = re.compile(r"([^\W\d_]+), ([^\W\d_]+)")
_FAMILY_FIRST = re.compile(
    r"([A-Z][a-z]*+(?:['-]?[A-Z][a-z]*+)*+), ([A-Z][a-z.]*+(?:[ -]?[A-Z][a-z.]*+)*+)"
)
_OTHERS = Author("et al.")
_name_of = attrgetter("name")
_SUFFIX = re.compile(r"(?:jr|sr)\.?|i{2,3}|iv", re.IGNORECASE)


def parse_names(value: str) -> tuple[Author, ...]:
    """``"van Beethoven, Ludwig and {H1 Collaboration} and others"`` → three authors.

    Names are as printed, first names first; ``others`` is ``et al.``, and nobody alone. Where the
    file shows a family name that ``text.split_name`` would not find, the author has it.
    """
    parts = split_outside_braces(" ".join(value.split()), _AND)
    authors = tuple(filter(_name_of, map(_author, map(str.strip, parts))))
    return () if authors == (_OTHERS,) else authors


@lru_cache(maxsize=4096)  # A reader's file names the same people again and again.
def _author(part: str) -> Author:
    if _AS_PRINTED.fullmatch(part):
        return Author(part)
    words = _TWO_WORDS.fullmatch(part) or _FAMILY_FIRST.fullmatch(part)
    if words and not any(map(_SUFFIX.fullmatch, words.groups())):
        return Author(f"{words[2]} {words[1]}")
    return _any_author(part)


def _any_author(part: str) -> Author:
    """A name of any form; ``_author`` has the same of plain ones in a fifth of the time."""
    if part.casefold() == "others":
        return _OTHERS
    if part[:1] == "{" and part.find("}") == len(part) - 1:
        return with_family(decode_latex(part), decode_latex(part))
    if "family=" in part.replace(" ", "") and (author := _extended(part)) is not None:
        return author
    return _in_pieces(_pieces(part))


def _pieces(part: str) -> list[str]:
    """What commas part, without the empty ones at the end."""
    pieces = list(map(decode_latex, split_outside_braces(part, _COMMA)))
    while len(pieces) > 1 and not pieces[-1]:
        pieces.pop()
    return pieces


def _in_pieces(pieces: list[str]) -> Author:
    """``von Last, First`` or ``von Last, Jr, First``; without a comma it is as printed."""
    suffixes = [place for place in range(1, len(pieces)) if _SUFFIX.fullmatch(pieces[place])]
    if len(pieces) == 3 and suffixes:
        # "King, Martin Luther, Jr." is as common as the rule.
        suffix = pieces.pop(suffixes[-1])
        family, first = pieces
    elif len(pieces) == 2 and not suffixes:
        family, first = pieces
        family, suffix = _without_suffix(family)
    else:
        # With commas and no rule for them nothing is moved.
        return Author(", ".join(pieces) if len(pieces) > 2 else " ".join(pieces))
    return with_family(" ".join(filter(None, (first, family, suffix))), family)


def _without_suffix(family: str) -> tuple[str, str]:
    before, _, last_word = family.rpartition(" ")
    if before and _SUFFIX.fullmatch(last_word):
        return before.rstrip(","), last_word
    return family, ""


def with_family(name: str, family: str) -> Author:
    found, _, _ = split_name(name)
    return Author(name, family=family if family and found != family else None)


def _extended(part: str) -> Author | None:
    """biblatex's ``given=Hans, prefix=von, family=Berg, suffix=Jr`` (manual, 3.7)."""
    named = {}
    for piece in split_outside_braces(part, _COMMA):
        key, equals, value = piece.partition("=")
        if not equals:
            return None
        named[key.strip().casefold()] = decode_latex(value.strip().strip('"'))
    family = " ".join(filter(None, (named.get("prefix"), named.get("family"))))
    name = " ".join(filter(None, (named.get("given"), family, named.get("suffix"))))
    return with_family(name, family)


@cache
def _braces_or(separator: re.Pattern[str]) -> re.Pattern[str]:
    return re.compile(rf"[{{}}]|{separator.pattern}", separator.flags)


def split_outside_braces(text: str, separator: re.Pattern[str]) -> list[str]:
    """The parts of ``text`` between the matches of ``separator`` that no brace encloses."""
    parts = separator.split(text)
    if "{" not in text and "}" not in text:
        return parts
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


def format_names(authors: Sequence[Author], *, encode: bool) -> str:
    """The value of an ``author`` field; "et al." at the end becomes BibTeX's ``others``."""
    written = [_plain_name(one) or format_name(one, encode=encode) for one in authors]
    formatted = list(filter(None, written))
    if formatted and formatted[-1].strip("{}").casefold() in OTHERS:
        formatted[-1] = "others"
    return " and ".join(formatted)


def _plain_name(author: Author) -> str:
    """The name as ``format_name`` has it, in a fifth of the time; empty unless it is of plain
    words, as most are."""
    found = plain_name().fullmatch(author.name) if author.family is None else None
    return f"{found[2]}, {found[1]}" if found else ""


@lru_cache(maxsize=4096)  # The same people stand in a reader's papers again and again.
def format_name(author: Author, *, encode: bool) -> str:
    """``Ludwig van Beethoven`` → ``van Beethoven, Ludwig``; a collective is one braced word."""
    family, first, suffix = parts_of(author)
    if not first:
        name = escape_text(family, encode=encode)
        is_word = not NOT_IN_NAMES.intersection(family) and " " not in family and "," not in family
        return name if is_word else "{" + name + "}"
    pieces = [family, suffix, first] if suffix else [family, first]
    return ", ".join(escape_text(piece, encode=encode) for piece in pieces)

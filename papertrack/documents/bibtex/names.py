"""Parse and format the values of .bib fields, and lists of names.

bibtexparser splits lists and names. A comment at each call names the forms that it reads
differently; docs/dependencies.md lists them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from operator import attrgetter
from typing import NamedTuple

from bibtexparser.middlewares.names import (
    InvalidNameError,
    NameParts,
    parse_single_name_into_parts,
    split_multiple_persons_names,
)

from papertrack.documents.bibtex.blocks import replaced
from papertrack.identifiers.derived import NOT_IN_NAMES, OTHERS, parts_of
from papertrack.latex.decode import decode_latex
from papertrack.latex.encode import escape_text
from papertrack.records import Author
from papertrack.text import split_name

_MOST_JOINED = 200_000
"""The most characters of a joined value."""
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
"""BibTeX's month names → what its styles print."""
MONTHS = tuple(MONTH_NAMES)
"""BibTeX's month names, which need no delimiters."""


class Piece(NamedTuple):
    """One piece of a value and its place there."""

    text: str
    """The text without delimiters."""
    start: int
    is_name: bool
    """Whether it may name a @string: it is not a number and has no delimiters."""
    is_joined: bool
    """Whether it is the first, or ``#`` stands before it; if not, a comma or a brace is missing."""


def pieces(value: str) -> Iterator[Piece]:
    """Yield the pieces of a value: three in ``{a} # b # "c"``."""
    if value.rfind("{") == 0 and value.find("}") == len(value) - 1:
        yield Piece(value[1:-1], 1, False, True)  # As by far the most values are.
        return
    at, is_joined = 0, True
    while match := _PIECE.match(value, at):
        opening = match.group(1)
        if opening in '{"':
            end = _closing(value, match.end(), opening)
            yield Piece(value[match.end() : end], match.end(), False, is_joined)
            at = end + 1
        else:
            yield Piece(opening, match.start(1), not opening.isdigit(), is_joined)
            at = match.end()
        joint = _JOINT.match(value, at)
        at, is_joined = (joint.end(), True) if joint else (at, False)


def unquoted(value: str, strings: Mapping[str, str]) -> str:
    """Return the text of a value such as ``{a} # b # "c"``, with its @strings resolved.

    An unknown name is kept as it is. As in BibTeX, the value ends where ``#`` is missing. Joined
    values are cut at a limit, because @strings that double each other could fill the memory.
    """
    texts = [
        strings.get(piece.text.casefold(), piece.text) if piece.is_name else piece.text
        for piece in takewhile(attrgetter("is_joined"), pieces(value))
    ]
    return "".join(texts) if len(texts) < 2 else "".join(texts)[:_MOST_JOINED]


def names_in(value: str) -> list[str]:
    """Return the @string names in a value, in lower case."""
    return [piece.text.casefold() for piece in pieces(value) if piece.is_name]


def with_names(value: str, renamed: Mapping[str, str]) -> str:
    """Return the value with @strings renamed: old name in lower case → new name."""
    names = (piece for piece in pieces(value) if piece.is_name and piece.text.casefold() in renamed)
    return replaced(
        value, [(p.start, p.start + len(p.text), renamed[p.text.casefold()]) for p in names]
    )


def delimited_as(value: str, old: str) -> str:
    """Return ``value`` in the delimiters of ``old``, or in braces if those cannot hold it."""
    # A quotation mark outside of braces would end a quoted value.
    if old[:1] == '"' and _closing(value, 0, '"') >= len(value):
        return f'"{value}"'
    return value if old.isdigit() and value.isdigit() else "{" + value + "}"


def _closing(value: str, start: int, opening: str) -> int:
    """Return where a piece that opened before ``start`` ends, or the end of the value."""
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
_TILDE = "\ue001"
_NOBODY = re.compile(
    r"\A(?:and(?:\s+|\Z))++|(?:\s+and)++\Z|(?<=\s)(?:and\s+)+(?=and\s)", re.IGNORECASE
)
_OTHERS = Author("et al.")
_SIGN_IN_NAMES = re.compile("[{},]")
_MARKED = re.compile("[,{=]")
"""A name without these signs is as printed: it shows no family name."""
_SUFFIX = re.compile(r"(?:jr|sr)\.?|i{2,3}|iv", re.IGNORECASE)


def parse_names(value: str) -> tuple[Author, ...]:
    """Parse a list of names to authors.

    ``"van Beethoven, Ludwig and {H1 Collaboration} and others"`` gives three. Names are as printed,
    first names first. ``others`` becomes ``et al.``, but ``others`` alone gives no author.
    ``Author.family`` is set if ``text.split_name`` would find another family name.
    """
    authors = tuple(author for author in map(_author, split_names(value)) if author.name)
    return () if authors == (_OTHERS,) else authors


def split_names(value: str) -> list[str]:
    """Split a list into its names, as written."""
    # bibtexparser drops a backslash after "and", and reads a second "and" as a name.
    shown = _NOBODY.sub("", " ".join(value.split())).replace("\\", _BACKSLASH)
    return [part.replace(_BACKSLASH, "\\") for part in split_multiple_persons_names(shown)]


def _author(part: str) -> Author:
    if part.casefold() == "others":
        return _OTHERS
    if not _MARKED.search(part):
        return Author(decode_latex(part))
    pieces = _split_at_commas(part.strip(", "))
    if "family=" in part.replace(" ", "") and (author := _extended(pieces)) is not None:
        return author
    try:
        # A tilde is a blank to bibtexparser, also as an accent: Jo\~{a}o.
        parts = parse_single_name_into_parts(", ".join(pieces).replace("\\~", _TILDE))
    except InvalidNameError:
        # A name with more than two commas, or with unbalanced braces, stays as it is.
        return Author(decode_latex(part))
    family, first, suffix = (
        decode_latex(" ".join(words).replace(_TILDE, "\\~"))
        for words in ([*parts.von, *parts.last], parts.first, parts.jr)
    )
    if len(pieces) == 1:
        # A name without a comma is split as in READMEs and on arXiv, so that a person has one
        # family name. Braces around several words mark the family name.
        is_shown = any(re.search("[ ~]", word) for word in parts.last)
        name = decode_latex(part)
        return with_family(name, family if is_shown else "")
    if _SUFFIX.fullmatch(first):
        # "King, Martin Luther, Jr." and "King, Jr." are as common as BibTeX's own form.
        suffix, first = first, suffix if suffix and not _SUFFIX.fullmatch(suffix) else ""
    before, _, last = family.rpartition(" ")
    if not suffix and before and _SUFFIX.fullmatch(last):
        family, suffix = before.rstrip(","), last
    return with_family(" ".join(filter(None, (first, family, suffix))), family)


def with_family(name: str, family: str) -> Author:
    """Return the author; the family name is stored only if ``split_name`` finds another."""
    expected, _, _ = split_name(name)
    return Author(name, family=family if family and expected != family else None)


def _extended(pieces: Sequence[str]) -> Author | None:
    """Parse biblatex's ``given=Hans, prefix=von, family=Berg, suffix=Jr`` (manual, 3.7)."""
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
    """Split a name at the commas outside of braces."""
    parts: list[str] = []
    depth = done = 0
    for sign in _SIGN_IN_NAMES.finditer(text):
        depth += (sign[0] == "{") - (sign[0] == "}")
        if sign[0] == "," and depth <= 0:
            parts.append(text[done : sign.start()].strip())
            done = sign.end()
    return [*parts, text[done:].strip()]


def format_names(authors: Sequence[Author], *, encode: bool, old: str = "") -> str:
    """Format the value of an ``author`` field.

    "et al." at the end becomes BibTeX's ``others``. A name that is in the ``old`` value keeps its
    spelling there.
    """
    old_names = {_author(part).name: part for part in split_names(old)}
    names = (old_names.get(author.name) or format_name(author, encode=encode) for author in authors)
    formatted = [*filter(None, names)]
    if formatted and formatted[-1].strip("{}").casefold() in OTHERS:
        formatted[-1] = "others"
    return " and ".join(formatted)


def format_name(author: Author, *, encode: bool) -> str:
    """Format ``Ludwig van Beethoven`` as ``van Beethoven, Ludwig``.

    A group's name is put in braces, so that it stays whole.
    """
    parts = parts_of(author)
    family, first, suffix = (escape_text(part, encode=encode) for part in parts)
    if first:
        jr = [suffix] if suffix else []
        return str(NameParts(first=[first], last=[family], jr=jr).merge_last_name_first)
    is_word = NOT_IN_NAMES.union(" ,").isdisjoint(parts[0])
    return family if is_word else "{" + family + "}"

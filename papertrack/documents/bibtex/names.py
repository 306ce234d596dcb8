"""Lists of names as BibTeX and biblatex write them ↔ authors as printed.

bibtexparser parts lists and names. Beside each call stand the forms that it reads otherwise;
docs/dependencies.md lists them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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

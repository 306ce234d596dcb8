"""Names of authors as BibTeX reads them: ``von Last, Jr, First``, joined by ``and``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from papertrack.latex import escape_text
from papertrack.latex.tables import SPECIALS
from papertrack.records import Author
from papertrack.text import clean, split_name

_COLLECTIVE = re.compile(
    r"\b(?:collaborations?|consortium|team|group|project|initiative|committee|network|society"
    r"|association|foundation|institute|university|laborator(?:y|ies)|community|authors"
    r"|inc|ltd|llc|gmbh)\b",
    re.IGNORECASE,
)
# No name of a person holds these, and biber makes initials of macros that do not compile.
_NOT_IN_NAMES = frozenset(SPECIALS)
_OTHERS = frozenset({"et al", "et al.", "others", "and others"})
_AND = re.compile(r"(?:^|\s)and(?:\s|$)", re.IGNORECASE)


def format_names(authors: Sequence[Author], *, encode: bool) -> str:
    """The value of an ``author`` field; "et al." at the end becomes BibTeX's ``others``."""
    named = [author for author in authors if not author.name.isspace() and clean(author.name)]
    is_cut = bool(named) and clean(named[-1].name).casefold() in _OTHERS
    formatted = [format_name(author, encode=encode) for author in named[: -1 if is_cut else None]]
    return " and ".join([*formatted, "others"] if is_cut else formatted)


def format_name(author: Author, *, encode: bool) -> str:
    """``Ludwig van Beethoven`` → ``van Beethoven, Ludwig``; a collective is one braced word."""
    family, first, suffix = parts_of(author)
    if not first:
        name = escape_text(family, encode=encode)
        is_word = not _NOT_IN_NAMES.intersection(family) and " " not in family and "," not in family
        return name if is_word else "{" + name + "}"
    pieces = [family, suffix, first] if suffix else [family, first]
    return ", ".join(escape_text(piece, encode=encode) for piece in pieces)


def parts_of(author: Author) -> tuple[str, str, str]:
    """Family name, first names and suffix; the whole name and nothing for one without parts.

    These are collectives, "et al.", and what holds "and", several commas or signs that no person's
    name has.
    """
    name = clean(author.name)
    family, first, suffix = split_name(name)
    if author.family is not None:
        family = clean(author.family)
        rest = name.removesuffix(suffix).rstrip(", ") if not family.endswith(suffix) else name
        suffix = "" if rest == name else suffix
        at = rest.rfind(family)
        first = f"{rest[: max(at, 0)]} {rest[at + len(family) :]}".strip(" ,") if at >= 0 else rest
    is_whole = (
        name.casefold() in _OTHERS
        or _COLLECTIVE.search(name)
        or _AND.search(name)
        or "," in first + family
        or not _NOT_IN_NAMES.isdisjoint(name)
    )
    return (name, "", "") if is_whole or not first or not family else (family, first, suffix)

"""Names of authors as BibTeX reads them: ``von Last, Jr, First``, joined by ``and``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from papertrack.latex import escape_text
from papertrack.records import Author
from papertrack.text import clean, split_name

_COLLECTIVE = re.compile(
    r"\b(?:collaborations?|consortium|team|group|project|initiative|committee|network|society"
    r"|association|foundation|institute|university|laborator(?:y|ies)|community|authors"
    r"|inc|ltd|llc|gmbh)\b",
    re.IGNORECASE,
)
_OTHERS = frozenset({"et al", "et al.", "others", "and others"})
_AND = re.compile(r"(?:^|\s)and(?:\s|$)", re.IGNORECASE)


def format_names(authors: Sequence[Author], *, encode: bool) -> str:
    """The value of an ``author`` field; "et al." at the end becomes BibTeX's ``others``."""
    named = [author for author in authors if not author.name.isspace() and clean(author.name)]
    is_cut = bool(named) and clean(named[-1].name).casefold() in _OTHERS
    formatted = [format_name(author, encode=encode) for author in named[: -1 if is_cut else None]]
    return " and ".join([*formatted, "others"] if is_cut else formatted)


def format_name(author: Author, *, encode: bool) -> str:
    """``Ludwig van Beethoven`` → ``van Beethoven, Ludwig``; a collective is one braced word.

    A name that holds "and" or several commas is kept whole in braces: guessing would split it.
    """
    name = clean(author.name)
    family, first, suffix = split_name(name)
    if author.family is not None:
        suffix = "" if author.family.endswith(suffix) else suffix
        family, first = _around(author.family, name, suffix)
    is_whole = family == name or _COLLECTIVE.search(name) or _AND.search(name) or "," in first
    if (is_whole and " " in name) or "," in family or (not first and "," in name) or not family:
        return "{" + escape_text(name, encode=encode) + "}"
    pieces = [family, suffix, first] if suffix else [family, first] if first else [family]
    return ", ".join(escape_text(piece, encode=encode) for piece in pieces)


def _around(family: str, name: str, suffix: str) -> tuple[str, str]:
    """A known family name, and the rest of the name as the first names."""
    rest = name.removesuffix(suffix).rstrip(", ")
    if rest.endswith(family):
        return family, rest.removesuffix(family).strip()
    return family, rest.replace(family, "", 1).strip(" ,")

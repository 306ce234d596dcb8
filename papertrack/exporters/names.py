"""Names of authors as BibTeX reads them: ``von Last, Jr, First``, joined by ``and``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from papertrack.exporters.latex import escape_text
from papertrack.records import Author
from papertrack.text import clean

_SUFFIXES = frozenset({"jr", "jr.", "sr", "sr.", "ii", "iii", "iv"})
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
    names = [name for author in authors if (name := clean(author.name))]
    is_cut = bool(names) and names[-1].casefold() in _OTHERS
    formatted = [format_name(name, encode=encode) for name in (names[:-1] if is_cut else names)]
    return " and ".join([*formatted, "others"] if is_cut else formatted)


def format_name(name: str, *, encode: bool) -> str:
    """``"Ludwig van Beethoven"`` → ``van Beethoven, Ludwig``; a collective is one braced word.

    Particles are the words in small letters before the last name, as BibTeX has it (Patashnik,
    *BibTeXing*, 1988, section 4); a suffix is ``Jr``, ``Sr`` or ``II`` to ``IV``, after a comma or
    not. A name that holds "and" or several commas is kept whole in braces: guessing would split it.
    """
    words, suffix = _without_suffix(clean(name))
    parts = [part.strip() for part in words.split(",")]
    if _COLLECTIVE.search(name) or _AND.search(words) or len(parts) > 2 or "" in parts:
        return "{" + escape_text(name, encode=encode) + "}"
    last, first = parts if len(parts) == 2 else _split(parts[0].split(" "))
    pieces = [last, suffix, first] if suffix else [last, first]
    if not first and not suffix:
        return escape_text(last, encode=encode)
    return ", ".join(escape_text(piece, encode=encode) for piece in pieces)


def _without_suffix(name: str) -> tuple[str, str]:
    words = name.split(" ")
    if len(words) > 2 and words[-1].casefold() in _SUFFIXES:
        return " ".join(words[:-1]).rstrip(","), words[-1]
    return name, ""


def _split(words: list[str]) -> tuple[str, str]:
    """Last name with its particles, and first names."""
    for place, word in enumerate(words[1:-1], start=1):
        if word.isalpha() and word.islower():
            return " ".join(words[place:]), " ".join(words[:place])
    return words[-1], " ".join(words[:-1])

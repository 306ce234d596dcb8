"""Author lists that come as one line, as OAI-PMH's arXivRaw and the daily feeds print them."""

from __future__ import annotations

import re

from papertrack.latex.decode import decode_letters
from papertrack.records import Author
from papertrack.text import clean

_GROUPS = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
"""A parenthesis with at most one more inside: ``((1) MIT, (2) ETH)``."""
_NUMBERED = re.compile(r"\(([0-9]{1,3})\)([^()]*)")
_SEPARATOR = re.compile(r",\s*(?:and|&)\s+|,|;|\s+(?:and|&)\s+|:\s")
_SUFFIX = re.compile(r"(?:Jr|Sr)\.?|I{2,3}|IV", re.IGNORECASE)
_LONGEST_SUFFIX = 3
_NOT_PLAIN = ("(", ";", "&", ":", " and ")
"""What a line has that is more than names and commas."""
_HELD = "\ue000"
"""Stands for a parenthesis while the line is split; private use, so that no name holds it."""


def split_authors(line: str) -> tuple[Author, ...]:
    """The authors of ``A. Ba, C. De (MIT, CSAIL) and F. Gh Jr``, in order, with affiliations.

    arXiv's form (https://info.arxiv.org/help/prep.html#author): names apart by commas or "and",
    affiliations in parentheses, or numbers there and a numbered list in a last double parenthesis.
    Never loses a name: text that fits no form is a name.
    """
    line = clean(decode_letters(line)).replace(_HELD, "")
    if not any(sign in line for sign in _NOT_PLAIN):
        return _plain_authors(line)
    groups = _GROUPS.findall(line)
    places = dict(_NUMBERED.findall(groups[-1])) if groups else {}
    if places:
        line = line[: line.rindex(f"({groups.pop()})")]
    held = iter(groups)
    authors: list[Author] = []
    for piece in _SEPARATOR.split(_GROUPS.sub(_HELD, line)):
        name = clean(piece.replace(_HELD, " "))
        wheres = [next(held) for _ in range(piece.count(_HELD))]
        if name:
            _add(authors, name, _where(wheres, places))
    return tuple(authors)


def _add(authors: list[Author], name: str, affiliation: str | None) -> None:
    """A suffix that a comma parts from its name belongs to the author before."""
    if authors and len(name) <= _LONGEST_SUFFIX and _SUFFIX.fullmatch(name):
        authors[-1] = Author(f"{authors[-1].name} {name}", authors[-1].affiliation)
    else:
        authors.append(Author(name, affiliation))


def _where(texts: list[str], places: dict[str, str]) -> str | None:
    """What the parentheses after a name say."""
    return "; ".join(place for text in texts for place in _places(text, places)) or None


def _plain_authors(line: str) -> tuple[Author, ...]:
    """Names with nothing but commas between them: nearly every line, in a tenth of the time."""
    authors: list[Author] = []
    for piece in line.split(","):
        if name := piece.strip():
            _add(authors, name, None)
    return tuple(authors)


def _places(text: str, places: dict[str, str]) -> list[str]:
    """What a parenthesis after a name says: itself, or what its numbers stand for."""
    numbers = re.findall(r"[0-9]+", text)
    if places and numbers and not re.search(r"[A-Za-z]{4}", text):
        return [clean(places[number]).strip(" ,;.") for number in numbers if number in places]
    return [clean(text)] if text.strip() else []

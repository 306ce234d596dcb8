"""References written out: ``Kipf, T., & Welling, M. (2017). Semi-supervised … . ICLR.``

Only the parts of the usual styles that are certain are read: a title in quotes, or the sentence
behind the year. What does not fit is no reference.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from papertrack.documents.markdown.values import Span

_YEAR = r"(?:19|20)[0-9]{2}[a-z]?"
_QUOTED = re.compile(r"[\"“](?P<title>[^\"“”\r\n]{8,400})[\"”]")
_AFTER_YEAR = re.compile(rf"(?:\((?P<year>{_YEAR})\)|[.,] (?P<year2>{_YEAR}))[.,]? (?P<title>\S)")
_SENTENCE_END = re.compile(r"[.?!](?=\s|$)|,? arXiv")
_ANY_YEAR = re.compile(rf"(?<![0-9/.]){_YEAR}(?![0-9]|\.[0-9])")
"""Not the first half of an arXiv id: ``1911.02549``."""
_PARTICLES = frozenset(
    ("de", "der", "den", "van", "von", "da", "di", "du", "la", "le", "el", "bin")
)
_SEPARATOR = re.compile(r",?\s+(?:and|&)\s+|;\s*|,\s*")
_INITIALS = re.compile(r"[A-Z]\.?(?:[ -]?[A-Z]\.?){0,3}")
_YEAR_AT_END = re.compile(rf"[,.]\s*{_YEAR}(?:, [A-Z][a-z]{{2,8}})?\.?$")
_ET_AL = re.compile(r",?\s+et\.?\s?al\.?,?")
_AFFILIATION = re.compile(r"\([^()]{0,200}\)|\{[^{}]{0,200}\}")


@dataclass(frozen=True, slots=True)
class Citation:
    """A reference that was understood."""

    title: Span
    authors: tuple[str, ...]
    year: str | None
    year_span: Span | None


def read_citation(text: str, span: Span) -> Citation | None:
    """Return a reference that fills a stretch of text, or None."""
    start, end = span
    stop = min(end, start + 3000)
    quoted = _QUOTED.search(text, start, stop)
    if quoted:
        title, title_start = _without_end(text, quoted.span("title")), quoted.start()
        year = _ANY_YEAR.search(text, start, stop)
        found = (year.group()[:4], (year.start(), year.start() + 4)) if year else None
    else:
        match = _AFTER_YEAR.search(text, start, stop)
        if match is None:
            return None
        sentence = _SENTENCE_END.search(text, match.start("title"), stop)
        title = (match.start("title"), sentence.start() if sentence else stop)
        title, title_start = _without_end(text, title), match.start()
        group = "year" if match["year"] else "year2"
        found = (match[group][:4], (match.start(group), match.start(group) + 4))
    authors = names_in(text[start:title_start])
    if not authors or title[1] - title[0] < 8:
        return None
    return Citation(title, authors, found[0] if found else None, found[1] if found else None)


def _without_end(text: str, span: Span) -> Span:
    start, end = span
    while end > start and text[end - 1] in " .,\t\r\n":
        end -= 1
    return start, end


def names_in(text: str) -> tuple[str, ...]:
    """Return the names of a list of authors, ``()`` if it is none.

    ``Kipf, T. N., & Welling, M.`` and ``Thomas Kipf and Max Welling`` alike; affiliations in
    brackets are left out. Every part must look like a name: capitals, no digits, four words.
    """
    bare = _ET_AL.sub("", _AFFILIATION.sub("", text)).strip(" \t\r\n.,;:*_")
    bare = _YEAR_AT_END.sub("", bare)
    parts = [part.strip(" .*_") for part in _SEPARATOR.split(bare)]
    names: list[str] = []
    for part in filter(None, parts):
        if names and _INITIALS.fullmatch(part) and "." not in names[-1]:
            names[-1] = f"{part}. {names[-1]}" if len(part) == 1 else f"{part} {names[-1]}"
        elif _is_name(part):
            names.append(part)
        else:
            return ()
    return tuple(names)


def _is_name(text: str) -> bool:
    words = text.replace(".", ". ").split()
    if not 1 <= len(words) <= 5 or len(text) > 45 or any(c.isdigit() or c in ":/" for c in text):
        return False
    return all(
        word[0].isupper() or word in _PARTICLES or not word[0].isascii() for word in words
    ) and any(word[0].isalpha() for word in words)

"""References written out: ``Kipf, T., & Welling, M. (2017). Semi-supervised … . ICLR.``

Only the parts of the usual styles that are certain are read: a title in quotes, or the sentence
behind the year. What does not fit is no reference.
"""

from __future__ import annotations

import re
from dataclasses import replace

from papertrack.documents.markdown.model import Unit
from papertrack.documents.markdown.read.blocks import Context

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


def read_cited(context: Context, unit: Unit) -> Unit | None:
    """Return an item that is a reference written out, read as one; None for any other."""
    text, (start, end) = context.text, unit.anatomy.own
    stop = min(end, start + 3000)
    if unit.title_link:
        return None
    if quoted := _QUOTED.search(text, start, stop):
        title, behind_names = quoted.span("title"), quoted.start()
        year = _ANY_YEAR.search(text, start, stop)
        at = year.start() if year else None
    elif match := _AFTER_YEAR.search(text, start, stop):
        sentence = _SENTENCE_END.search(text, match.start("title"), stop)
        title = (match.start("title"), sentence.start() if sentence else stop)
        behind_names, at = match.start(), match.start("year" if match["year"] else "year2")
    else:
        return None
    title = (title[0], title[0] + len(text[slice(*title)].rstrip(" .,\t\r\n")))
    authors = names_in(text[start:behind_names])
    is_link = any(link.span[0] < title[1] and title[0] < link.span[1] for link in unit.links)
    if is_link or not authors or title[1] - title[0] < 8:
        return None
    date, span = (None, None) if at is None else (text[at : at + 4], (at, at + 4))
    fields = replace(unit.fields, authors=authors, date=date, description=None, venue=None)
    return replace(unit, fields=fields, anatomy=replace(unit.anatomy, title=title, date=span))


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

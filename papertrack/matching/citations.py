"""Which of many works a list of references cites.

A work is cited by its arXiv id or DOI, or by its whole title, with signs before and behind it and
names right before that. So a title in running text is no citation, nor one that is a part of
another.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from papertrack.identifiers import arxiv_month, find_arxiv_ids, parse_doi
from papertrack.identifiers.derived import is_telling
from papertrack.matching.people import people_of
from papertrack.matching.titles import answers_of
from papertrack.records import Author, Identifier
from papertrack.text import fold, title_key

_SIGNS = re.compile(
    r"[\s'’‘]*(?:[.,:;?!](?=[\s.,:;'’‘\"“”„»)\]]|$)|[()\[\]\"“”„«»])[\s.,:;?!()\[\]\"“”„«»'’‘]*"
)
"""What parts a reference: ``3.5`` and ``GPT-4`` are whole."""
_BEFORE = re.compile(r"[.);\]”\"“„«»!?,'‘][.):;]*[\"“„«'‘]*$|[.)]:$")
"""Signs behind which a title may begin: a colon only behind the names of LNCS, ``Ba, J.:``."""
_AFTER = ("", *'.,?!;”"»([')
_MOST_PIECES = 12
"""Into which signs part one title."""
_START = 8
"""Letters of a title that a text must begin with to be compared with titles."""
_WORD_OF_PROSE = re.compile(
    r"(?<![\w'’-])(?!(?:and|et|al|und|y|e|eds?|jr|the|team|van|von|der|den|de|del|della|la|le|du|di|da"
    r"|dos|das|el|bin|ibn|zu|zur|ter|ten|in|press)(?!\w))[a-zà-öø-ÿ]{2,}"
)
"""A word that no list of names and years has."""
_MOST_OF_NAMES = 3000
_OTHER_AUTHORS = 2
"""Without the first author, so many others must stand before a title."""
_SHORT_WORDS = 3
_LONG_WORDS = 5
_NEAR_YEAR = 250
_PART = re.compile(r"(?:part|volume|vol|book|teil|band)?(?:[ivx]{1,4}|\d{1,2})")
"""What makes the next work of a title that stands before it."""
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+")
_WORDS = re.compile(r"[^\W\d_]+")


class Work(NamedTuple):
    """What a reference says of a paper."""

    paper_id: int
    title: str
    authors: tuple[str, ...]
    """Names of the first of them."""
    years: tuple[int, ...]
    """Of publication and of submission, as far as they are known; a reference may say the next."""
    identifiers: tuple[Identifier, ...]
    """arXiv ids and DOIs."""


class _Piece(NamedTuple):
    key: str
    start: int
    end: int
    before: str
    """The signs in front of it."""
    after: str


@dataclass(slots=True)
class Works:
    """Known works, to be found in references."""

    _by_title: dict[str, list[Work]] = field(default_factory=dict)
    _by_identifier: dict[tuple[str, str], int] = field(default_factory=dict)
    _starts: set[str] = field(default_factory=set)
    _is_few: bool = False

    @classmethod
    def of(cls, works: Collection[Work]) -> Works:
        found = cls(_is_few=len(works) <= 100)
        for work in works:
            for one in work.identifiers:
                found._by_identifier[one.scheme, one.value] = work.paper_id
            if key := title_key(work.title):
                found._by_title.setdefault(key, []).append(work)
                found._starts.add(key[:_START])
        return found

    def cited_in(self, references: str) -> set[int]:
        """The works, by their papers' ids, that these references name."""
        found = {
            self._by_identifier[one]
            for one in _identifiers(references) & self._by_identifier.keys()
        }
        if self._is_few:
            # Most references have none of a few titles, and need not be parted for them.
            whole = title_key(references)
            if not any(key in whole for key in self._by_title):
                return found
        pieces = _pieces(references)
        at = 0
        while at < len(pieces):
            end, works = self._titled(references, pieces, at)
            found.update(work.paper_id for work in works)
            at = end
        return found

    def _titled(self, text: str, pieces: Sequence[_Piece], at: int) -> tuple[int, list[Work]]:
        """The works whose title begins at a piece, the longest one, and the piece behind it."""
        key, best = "", (at + 1, list[Work]())
        if not _BEFORE.search(pieces[at].before):
            return best
        for end in range(at + 1, min(at + _MOST_PIECES, len(pieces)) + 1):
            key += pieces[end - 1].key
            if key[:_START] not in self._starts and len(key) >= _START:
                break
            works = [w for w in self._by_title.get(key, ()) if _is_named(w, text, pieces, at, end)]
            if works:
                best = end, works
        return best


def _pieces(text: str) -> list[_Piece]:
    signs = [
        (0, 0, "."),
        *((m.start(), m.end(), "".join(m[0].split())) for m in _SIGNS.finditer(text)),
    ]
    signs.append((len(text), len(text), "."))
    return [
        _Piece(key, start, end, before, after)
        for (_, start, before), (end, _, after) in pairwise(signs)
        if (key := title_key(text[start:end]))
    ]


def _is_named(work: Work, text: str, pieces: Sequence[_Piece], at: int, end: int) -> bool:
    """Whether the pieces from ``at`` to ``end``, which say the work's title, cite it."""
    first, last = pieces[at], pieces[end - 1]
    after = last.after.lstrip("'’")[:1]
    if after not in _AFTER or (after in ("?", "!") and after not in work.title[-2:]):
        return False
    # A reply, an erratum or a second part is another work.
    before = text[pieces[at - 1].start : first.start] if at else ""
    is_answered = answers_of(before + work.title) != answers_of(work.title)
    if is_answered or (end < len(pieces) and _PART.fullmatch(pieces[end].key)):
        return False
    near = text[max(0, first.start - _NEAR_YEAR // 4) : last.end + _NEAR_YEAR]
    return _is_by_its_authors(work, text[: first.start], near)


def _is_by_its_authors(work: Work, before: str, near: str) -> bool:
    """Whether the text before a title ends with its authors, as far as they are known; what that
    leaves open, its year must say, which stands near."""
    before = before[-_MOST_OF_NAMES:]
    prose = [match.end() for match in _WORD_OF_PROSE.finditer(before)]
    words = {*_WORDS.findall(fold(before[prose[-1] if prose else 0 :]))}
    people = people_of([Author(name) for name in work.authors])
    present = [not words.isdisjoint(_WORDS.findall(one.family)[-1:]) for one in people]
    # Another work of the same title may have an author of the same name.
    if not words or (present and not present[0] and sum(present) < _OTHER_AUTHORS):
        return False
    count = len(work.title.split())
    # So few words are also a part of other titles.
    is_short = count < _SHORT_WORDS or not is_telling(title_key(work.title))
    if present and not is_short:
        return True
    months = [arxiv_month(one.value) for one in work.identifiers if one.scheme == "arxiv"]
    years = {*work.years, *(int(month[:4]) for month in months)}
    has_year = any(str(year + by) in near for year in years for by in (0, 1))
    if is_short:
        return bool(present) and has_year and not before.rstrip().endswith(",")
    return count >= _LONG_WORDS and (has_year or not years)


def _identifiers(text: str) -> set[tuple[str, str]]:
    """The arXiv ids and DOIs that a text names, also those that the end of a line parts."""
    found = set()
    for variant in (text, text.replace("\n", "")):
        found |= {("arxiv", one.id) for one in find_arxiv_ids(variant)}
        found |= {("doi", doi) for one in _DOI.findall(variant) if (doi := parse_doi(one))}
    return found

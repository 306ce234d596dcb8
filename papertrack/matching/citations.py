"""Which of many works a list of references cites.

A work is cited by its arXiv id or DOI, or by its whole title, with signs before and behind it and
names right before that. So a title in running text is no citation, nor one that is a part of
another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from papertrack.identifiers import arxiv_month, find_arxiv_ids, parse_doi
from papertrack.identifiers.derived import is_telling
from papertrack.matching.people import people_of
from papertrack.matching.titles import answers_of
from papertrack.records import Identifier, Paper, PaperFacts
from papertrack.text import fold, title_key

_SIGNS = re.compile(
    r"[\s'’‘]*(?:[.,:;?!](?=[\s.,:;'’‘\"“”„»)\]]|$)|[()\[\]\"“”„«»])[\s.,:;?!()\[\]\"“”„«»'’‘]*"
)
"""What parts a reference: ``3.5`` and ``GPT-4`` are whole."""
_BEFORE = re.compile(r"[.);\]”\"“„«»!?,'‘][.):;]*[\"“„«'‘]*$|[.)]:$")
"""Signs behind which a title may begin: a colon only behind the names of LNCS, ``Ba, J.:``."""
_AFTER = ("", *'.,?!;”"»([')
_MOST_PIECES = 8
"""Into which signs part one title."""
_LONGEST_TITLE = 500
_MOST_AUTHORS = 10
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


class _Piece(NamedTuple):
    key: str
    start: int
    end: int
    before: str
    """The signs in front of it."""
    after: str


def letters_of(references: str) -> str:
    """The letters and digits of references: those that cite a paper have one of its keys."""
    return "".join(piece.key for piece in _pieces(references))


def keys_of(paper: Paper) -> set[str]:
    """The letters and digits of a paper's title, and of its identifiers."""
    names = [one.value for one in paper.facts.identifiers]
    return {*map(title_key, [*names, paper.facts.title or ""])} - {""}


def named_in(references: str) -> tuple[set[Identifier], set[str]]:
    """The identifiers in references, and the key of each text that may be a title in them."""
    pieces = _pieces(references)
    keys = {key for at in range(len(pieces)) for key, _ in _texts_from(pieces, at)}
    return _identifiers(references), keys


def cited_in(references: str, papers: Iterable[Paper]) -> set[int]:
    """Those of the papers, by their ids, that the references cite."""
    identifiers, pieces = _identifiers(references), _pieces(references)
    cited, titled = set[int](), dict[str, list[Paper]]()
    for paper in papers:
        titled.setdefault(title_key(paper.facts.title or ""), []).append(paper)
        if identifiers & {*paper.facts.identifiers}:
            cited.add(paper.id)
    at = 0
    while at < len(pieces):
        longest, behind = list[Paper](), at + 1
        for key, end in _texts_from(pieces, at):
            if named := [
                p for p in titled.get(key, ()) if _is_named(p, references, pieces, at, end)
            ]:
                longest, behind = named, end
        # What is a title within a longer one is none.
        cited.update(paper.id for paper in longest)
        at = behind
    return cited


def _texts_from(pieces: Sequence[_Piece], at: int) -> Iterator[tuple[str, int]]:
    """The texts that may be a title and begin with a piece, each with the piece behind it."""
    key = ""
    if _BEFORE.search(pieces[at].before):
        for end in range(at + 1, min(at + _MOST_PIECES, len(pieces)) + 1):
            key += pieces[end - 1].key
            if len(key) > _LONGEST_TITLE:
                break
            yield key, end


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


def _is_named(paper: Paper, text: str, pieces: Sequence[_Piece], at: int, end: int) -> bool:
    """Whether the pieces from ``at`` to ``end``, which say the paper's title, cite it."""
    first, last, title = pieces[at], pieces[end - 1], paper.facts.title or ""
    after = last.after.lstrip("'’")[:1]
    if after not in _AFTER or (after in ("?", "!") and after not in title[-2:]):
        return False
    # A reply, an erratum or a second part is another work.
    before = text[pieces[at - 1].start : first.start] if at else ""
    is_answered = answers_of(before + title) != answers_of(title)
    if is_answered or (end < len(pieces) and _PART.fullmatch(pieces[end].key)):
        return False
    near = text[max(0, first.start - _NEAR_YEAR // 4) : last.end + _NEAR_YEAR]
    return _is_by_its_authors(paper.facts, text[: first.start], near)


def _is_by_its_authors(facts: PaperFacts, before: str, near: str) -> bool:
    """Whether the text before a title ends with its authors, as far as they are known; what that
    leaves open, its year must say, which stands near."""
    before, title = before[-_MOST_OF_NAMES:], facts.title or ""
    prose = [match.end() for match in _WORD_OF_PROSE.finditer(before)]
    words = {*_WORDS.findall(fold(before[prose[-1] if prose else 0 :]))}
    people = people_of(facts.authors[:_MOST_AUTHORS])
    present = [not words.isdisjoint(_WORDS.findall(one.family)[-1:]) for one in people]
    # Another work of the same title may have an author of the same name.
    if not words or (present and not present[0] and sum(present) < _OTHER_AUTHORS):
        return False
    count = len(title.split())
    # So few words are also a part of other titles.
    is_short = count < _SHORT_WORDS or not is_telling(title_key(title))
    if present and not is_short:
        return True
    # Of publication and submission; a reference may say the next year.
    dates = [facts.submitted or "", str(facts.year or "")]
    dates += [arxiv_month(one.value) for one in facts.identifiers if one.scheme == "arxiv"]
    years = [int(date[:4]) for date in dates if date[:4].isdecimal()]
    has_year = any(str(year + by) in near for year in years for by in (0, 1))
    if is_short:
        return bool(present) and has_year and not before.rstrip().endswith(",")
    return count >= _LONG_WORDS and (has_year or not years)


def _identifiers(text: str) -> set[Identifier]:
    """The arXiv ids and DOIs that a text names, also those that the end of a line parts."""
    found = set()
    for variant in (text, text.replace("\n", "")):
        found |= {Identifier("arxiv", one.id) for one in find_arxiv_ids(variant)}
        found |= {Identifier("doi", doi) for doi in map(parse_doi, _DOI.findall(variant)) if doi}
    return found

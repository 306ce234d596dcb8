"""Find which of many works a list of references cites.

A work is cited by its arXiv id or DOI, or by its whole title with punctuation around it and names
right before it. So a title in running text, or one that is part of another title, does not count.
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
from papertrack.matching.words import pattern_of
from papertrack.records import Identifier, Paper, PaperFacts
from papertrack.text import fold, title_key

_PUNCTUATION = re.compile(
    r"(?<![\s'’‘])[\s'’‘]*(?:[.,:;?!](?=[\s.,:;'’‘\"“”„»)\]]|$)|[()\[\]\"“”„«»])[\s.,:;?!()\[\]\"“”„«»'’‘]*"
)
"""Punctuation between the parts of a reference; ``3.5`` and ``GPT-4`` stay whole."""
_ENDS_BEFORE_TITLE = re.compile(r"[.);\]”\"“„«»!?,'‘][.):;]*[\"“„«'‘]*$|[.)]:$")
"""Signs after which a title may begin; a colon only after names, as in LNCS: ``Ba, J.:``."""
_SIGNS_AFTER_TITLE = ("", *'.,?!;”"»([')
_MAX_PIECES = 8
"""Pieces into which punctuation may split one title."""
_MAX_TITLE = 500
_MAX_AUTHORS = 10
_WORD_OF_PROSE = r"(?<![\w'’-])(?!(?:<beside names>)(?!\w))[a-zà-öø-ÿ]{2,}"
"""A word that does not occur in a list of names and years."""
_MAX_NAMES_TEXT = 3000
_MIN_OTHER_AUTHORS = 2
"""Authors that must be named before a title if the first author is not."""
_SHORT_TITLE = 3
_LONG_TITLE = 5
_YEAR_DISTANCE = 250
_PART = re.compile(r"(?:part|volume|vol|book|teil|band)?(?:[ivx]{1,4}|\d{1,2})")
"""A number of a part: after it, a title is that of another work."""
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+")
_WORDS = re.compile(r"[^\W\d_]+")


class _Piece(NamedTuple):
    key: str
    start: int
    end: int
    before: str
    """The signs before it."""
    after: str


def letters_of(references: str) -> str:
    """Return the letters and digits of references; they contain a key of each cited paper."""
    return "".join(piece.key for piece in _pieces(references))


def keys_of(paper: Paper) -> set[str]:
    """Return the letters and digits of a paper's title and identifiers."""
    names = [identifier.value for identifier in paper.facts.identifiers]
    return {*map(title_key, [*names, paper.facts.title or ""])} - {""}


def candidate_keys(references: str) -> tuple[set[Identifier], set[str]]:
    """Return the identifiers in references, and the keys of texts that may be titles."""
    pieces = _pieces(references)
    keys = {key for index in range(len(pieces)) for key, _ in _title_candidates(pieces, index)}
    return _identifiers(references), keys


def cited_in(references: str, papers: Iterable[Paper]) -> set[int]:
    """Return the ids of the papers that the references cite."""
    identifiers, pieces = _identifiers(references), _pieces(references)
    cited, by_title = set[int](), dict[str, list[Paper]]()
    for paper in papers:
        by_title.setdefault(title_key(paper.facts.title or ""), []).append(paper)
        if identifiers & {*paper.facts.identifiers}:
            cited.add(paper.id)
    index = 0
    while index < len(pieces):
        start, index = index, index + 1
        # A title inside a longer one does not count.
        for key, end in reversed([*_title_candidates(pieces, start)]):
            papers = by_title.get(key, ())
            if ids := {p.id for p in papers if _is_cited(p, references, pieces, start, end)}:
                cited, index = cited | ids, end
                break
    return cited


def _title_candidates(pieces: Sequence[_Piece], index: int) -> Iterator[tuple[str, int]]:
    """Yield the texts that may be a title from a piece on, each with the index after it."""
    key = ""
    if _ENDS_BEFORE_TITLE.search(pieces[index].before[-20:]):
        for end in range(index + 1, min(index + _MAX_PIECES, len(pieces)) + 1):
            key += pieces[end - 1].key
            if len(key) > _MAX_TITLE:
                break
            yield key, end


def _pieces(text: str) -> list[_Piece]:
    signs = [
        (0, 0, "."),
        *((m.start(), m.end(), "".join(m[0].split())) for m in _PUNCTUATION.finditer(text)),
    ]
    signs.append((len(text), len(text), "."))
    return [
        _Piece(key, start, end, before, after)
        for (_, start, before), (end, _, after) in pairwise(signs)
        if (key := title_key(text[start:end]))
    ]


def _is_cited(paper: Paper, text: str, pieces: Sequence[_Piece], start: int, end: int) -> bool:
    """Return whether the pieces from ``start`` to ``end``, the paper's title, cite the paper."""
    first, last, title = pieces[start], pieces[end - 1], paper.facts.title or ""
    after = last.after.lstrip("'’")[:1]
    if after not in _SIGNS_AFTER_TITLE or (after in ("?", "!") and after not in title[-2:]):
        return False
    # A reply, an erratum or a second part is another work.
    before = text[pieces[start - 1].start : first.start] if start else ""
    is_reply = answers_of(before + title) != answers_of(title)
    if is_reply or (end < len(pieces) and _PART.fullmatch(pieces[end].key)):
        return False
    near = text[max(0, first.start - _YEAR_DISTANCE // 4) : last.end + _YEAR_DISTANCE]
    return _has_authors_before(paper.facts, text[: first.start], near)


def _has_authors_before(facts: PaperFacts, before: str, near: str) -> bool:
    """Return whether the text before a title ends with the paper's authors, if they are known.

    If that is not enough, the paper's year must be near the title.
    """
    before, title = before[-_MAX_NAMES_TEXT:], facts.title or ""
    prose = [match.end() for match in pattern_of(_WORD_OF_PROSE).finditer(before)]
    words = {*_WORDS.findall(fold(before[prose[-1] if prose else 0 :]))}
    people = people_of(facts.authors[:_MAX_AUTHORS])
    present = [not words.isdisjoint(_WORDS.findall(person.family)[-1:]) for person in people]
    # Another work of the same title may have an author of the same name.
    if not words or (present and not present[0] and sum(present) < _MIN_OTHER_AUTHORS):
        return False
    count = len(title.split())
    # A title of so few words may be part of other titles.
    is_short = count < _SHORT_TITLE or not is_telling(title_key(title))
    if present and not is_short:
        return True
    # The years of publication and submission; a reference may give the year after.
    dates = [facts.submitted or "", str(facts.year or "")]
    dates += [arxiv_month(i.value) for i in facts.identifiers if i.scheme == "arxiv"]
    years = [int(date[:4]) for date in dates if date[:4].isdecimal()]
    has_year = any(str(year + delay) in near for year in years for delay in (0, 1))
    if is_short:
        return bool(present) and has_year and not before.rstrip().endswith(",")
    return count >= _LONG_TITLE and (has_year or not years)


def _identifiers(text: str) -> set[Identifier]:
    """Return the arXiv ids and DOIs in a text, also those that a line break splits."""
    identifiers = set()
    for variant in (text, text.replace("\n", "")):
        identifiers |= {Identifier("arxiv", arxiv_id.id) for arxiv_id in find_arxiv_ids(variant)}
        dois = filter(None, map(parse_doi, _DOI.findall(variant)))
        identifiers |= {Identifier("doi", doi) for doi in dois}
    return identifiers

"""Whether two titles are one, with more care than elsewhere: a companion has nearly the same."""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum, auto
from functools import lru_cache

from papertrack.identifiers.derived import is_telling
from papertrack.latex.display import readable
from papertrack.same_work.titles import Likeness, compare_titles
from papertrack.same_work.words import is_telling_apart, pieces_of, tokens_of
from papertrack.text import clean, fold, title_key

_TAG = re.compile(r"</?[a-z][a-z0-9]*(?::[a-z0-9]+)?(?:\s[^<>]*)?/?>", re.IGNORECASE)
_FOOTNOTE = re.compile(r"[*†‡§¶]+\s*$|(?<=\w)\.$")
_VERSION = re.compile(
    r"\b(?:(?:extended|full|long|short|journal|abridged|revised|updated|conference)"
    r" (?:version|abstract|paper|edition|report)|extension|extended|revisited|reloaded|poster|demo"
    r"|demonstration|tutorial|sequel|continued|technical report|student abstract"
    r"|work in progress|supplement\w*|book|second edition|retracted|withdrawn|publisher.{1,3}note"
    r"|(?:author|publisher) correction|expression of concern|replication|reproducibility|keynote"
    r"|invited talk|slides|abstract|thesis|dissertation|follow up|(?:first|second|third) part)\b"
)
_SPELLINGS = (
    (re.compile(r"our(?=$|a|e|i|l|s)"), "or"),
    (re.compile(r"(?<=[a-z]{3})is(?=e|i|a)"), "iz"),
    (re.compile(r"ys(?=e|i)"), "yz"),
    (re.compile(r"ae|oe"), "e"),
    (re.compile(r"tre(?=$|s)"), "ter"),
    (re.compile(r"([a-z])\1"), r"\1"),
    (re.compile(r"s$"), ""),
)
"""British and American, and one or many."""
_SMALL_WORDS = frozenset({"the", "a", "an", "of"})
_LONG_ENOUGH = 4
"""Words that a title without its subtitle has at least to name the same work still."""
_RUN = 3
"""Words in a row by which two abstracts are compared."""
_LEAST_RUNS = 20
_ALIKE = 0.4
"""The share of the shorter abstract's runs that the other has: companions share single phrases."""

_STEM = 5
"""Letters that two forms of one word begin with."""
_SAME = 0.8
"""The share of the longer abstract's runs, where no identifier says that they are of one work."""


class Titles(Enum):
    """How two titles are related."""

    ONE = auto()
    SHORTER = auto()
    """One lacks the other's subtitle, or the name before its colon."""
    OTHER = auto()


@lru_cache(maxsize=4096)
def plain_title(title: str) -> str:
    """A title without tags, TeX and the signs of a footnote."""
    return clean(_FOOTNOTE.sub("", readable(_TAG.sub("", title.replace("<sup>", "^")))))


@lru_cache(maxsize=4096)
def relate(one: str, other: str) -> tuple[Titles, str | None]:
    """How two titles are related, and what in them says that they are of two works."""
    one, other = plain_title(one), plain_title(other)
    compared = compare_titles(one, other)
    against = compared.against or _versions_apart(one, other)
    if compared.likeness is Likeness.SAME or _spelled(one) == _spelled(other) != ():
        return Titles.ONE, compared.against
    if against:
        return Titles.OTHER, against
    if compared.likeness is Likeness.CUT and _is_long_enough(one, other):
        return Titles.SHORTER, None
    return Titles.OTHER, None


def _versions_apart(one: str, other: str) -> str | None:
    """What kind of version only one of two titles says that it is."""
    said = [set(_VERSION.findall(fold(title))) for title in (one, other)]
    apart = sorted(said[0] ^ said[1])
    return f"only one says {apart[0]}" if apart else None


def _spelled(title: str) -> tuple[str, ...]:
    words = [word for word in tokens_of(title) if word not in _SMALL_WORDS]
    return tuple(map(_spelling, words))


def _spelling(word: str) -> str:
    if len(word) > 3 and word.isascii():
        for pattern, plain in _SPELLINGS:
            word = pattern.sub(plain, word)
    return word


def _is_long_enough(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=lambda title: len(tokens_of(title)))
    is_end = tokens_of(pieces_of(long)[-1])[-1:] == tokens_of(short)[-1:]
    return is_end or len(tokens_of(short)) >= _LONG_ENOUGH


def tells_enough(title: str) -> bool:
    """Whether a title tells what it names: not *Introduction*."""
    return is_telling(title_key(title)) and len(tokens_of(title)) > 1


@lru_cache(maxsize=1024)
def is_one_abstract(one: str | None, other: str | None) -> bool | None:
    """Whether two abstracts are one that was gone over: of companions they are two. None where
    one of them is missing, or says too little."""
    runs, others = _runs(one or ""), _runs(other or "")
    least = min(len(runs), len(others))
    return len(runs & others) >= _ALIKE * least if least >= _LEAST_RUNS else None


def is_same_abstract(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether works, each with its title and abstract, have one abstract nearly word for word.

    Works of one hand may share most of it: in those the words that the titles differ in are
    exchanged, or what tells works apart: a number, a letter, a *not*.
    """
    runs, others = _runs(one[1]), _runs(other[1])
    least, most = sorted((len(runs), len(others)))
    if least < _LEAST_RUNS or len(runs & others) < _SAME * most:
        return False
    renamed, exchanged = (_exchanged(*texts) for texts in zip(one, other, strict=True))
    if any(map(is_telling_apart, renamed | exchanged)):
        return False
    return not any(_is_of_one_stem(word, other) for word in renamed for other in exchanged)


def is_in_one_mould(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether works, each with its title and abstract, are companions of one hand: what each title
    has instead of the other one's words is in its abstract instead of them."""
    return _stands_instead(one, other) and _stands_instead(other, one)


def _stands_instead(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether a word that only this title has is in this abstract alone."""
    absent = _more(one[1], other[1]) - {*tokens_of(plain_title(other[1]))}
    return any(_is_of_one_stem(word, new) for word in _more(one[0], other[0]) for new in absent)


def _is_of_one_stem(word: str, other: str) -> bool:
    """Whether two words are one in two forms: *exciton* and *excitons*, *sensitive* and
    *insensitive*."""
    short, long = sorted((word, other), key=len)
    is_within = len(short) >= _STEM - 1 and short in long
    return word == other or is_within or word[:_STEM] == other[:_STEM]


def _exchanged(text: str, other: str) -> set[str]:
    """The words that one of two texts has more often than the other one."""
    return _more(text, other) | _more(other, text)


def _more(text: str, other: str) -> set[str]:
    """The words that the first of two texts has more often."""
    words, others = (Counter(tokens_of(plain_title(of))) for of in (text, other))
    return {*(words - others)}


def _runs(text: str) -> set[tuple[str, ...]]:
    words = tokens_of(plain_title(text))
    return {words[at : at + _RUN] for at in range(len(words) - _RUN + 1)}

"""Compare two titles or abstracts, and find the titles that are worth comparing.

A number, a letter, *not*, *reply* or *erratum* makes a title that of another work. Other letters
within a word are a typo. Another word is another work.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import lru_cache
from itertools import accumulate, chain, product
from typing import Literal, NamedTuple, TypeVar

from papertrack import differences
from papertrack.latex.display import readable
from papertrack.matching.words import (
    is_distinguishing,
    is_spelled_alike,
    pattern_of,
    respell,
    script_of,
    sound_of,
    terms,
    tokens_of,
)
from papertrack.text import clean, fold, normalize, strip_markup, title_key, unescape

_TAG = re.compile(r"</?[a-z][a-z0-9]*(?::[a-z0-9]+)?(?:\s[^<>]*)?/?>", re.IGNORECASE)
_FOOTNOTE = re.compile(r"(?<![*†‡§¶])[*†‡§¶]+\s*$|(?<=\w)\.$")
_LAMBDA = re.compile(r"(?<![^\W\d_])[λΛ](?![^\W\d_])")
"""Unicode names this letter LAMDA, so that its name alone would not compare equal."""
_SEPARATORS = re.compile(r"(?<!\s)\s*(?:[:;?!()\[\]—–|]|[.,](?=\s|$)|\s-+(?=\s))\s*")
"""Separators between a title and its subtitle, or between its parts."""
_SYMBOLS = re.compile(r"(?<=[^\W_])(?:#|\+\+|[*^(]*(\+)(?!\d|[^\W\d_]{2}))")
"""C# and C++, the successor of a program, and charges.

Of ``B+`` and ``B-``, only the plus counts: the other may be a hyphen. In ``2+1`` and ``text+image``
the sign joins two words.
"""
# Words by which a title says that it is about another work, or part of one.
_BEFORE_ANSWER = r"(?i)\W*(?:(?:<before answers>)\s+)*"
_ANSWER_AT_START = (
    rf"{_BEFORE_ANSWER}(<answers>|<replies>)(?!\w)(?:\W|\b(?:<after replies>|<after answers>)\b)*"
)
_ANSWER_AT_END = (
    rf"{_BEFORE_ANSWER}(?:(<answers>|<replies>)\W*$|(<replies>)\s+(?:<after replies>)\s)"
)
_FIRST_YEAR = 1000
"""A greater number is the year of something, and not that of a part."""
_ARTICLES = frozenset({"the", "a", "an", "of"})
_MIN_RATIO = 88
"""rapidfuzz's ratio, of 100, from which titles may differ by a typo only."""
_SLIP_LENGTH = 6
"""In words of this length a wrong letter is a typo; ``macro`` and ``micro`` are two words."""
_SHORT_WORD = 3
"""Words of up to this many letters say little about a title."""
_MAX_NAME_WORDS = 3
"""The name of a program or project has at most this many words."""
_FIRST_SYLLABLE = "\u1100"
"""From here on, a character is a syllable or word, so another one is no typo."""
_RELATED_SHARE = 0.5
"""The share of the shorter title's words that a reworded title keeps."""
_MIN_WORDS = 4
"""A title without its subtitle needs this many words to identify the work."""
_MIN_BEGINNING = 0.4
"""The least share of a title that a shortened reference has."""
MAX_TITLE = 2000
"""Letters of a title that are compared: real titles are shorter, broken ones may not be."""
_RUN_WORDS = 3
"""Abstracts are compared by sequences of this many words."""
_MIN_RUNS = 20
_REVISED_SHARE = 0.4
"""The share of the shorter abstract's sequences that a revised abstract keeps."""
_SAME_SHARE = 0.8
"""The share of the longer abstract's sequences if no identifier confirms the match."""
_STEM_LETTERS = 5
"""How many first letters two forms of a word share: *caching*, *caches*."""


class Likeness(Enum):
    """How alike two titles are."""

    SAME = auto()
    SPELLED = auto()
    """Equal but for British and American spelling, plural, or an article."""
    CUT = auto()
    """One lacks the subtitle of the other, or the name before its colon."""
    SLIP = auto()
    """They differ by a letter within a word, or by a small word."""
    WITHIN = auto()
    """One continues where the other ends."""
    RELATED = auto()
    """They share half of their words."""
    UNKNOWN = auto()
    """A title is missing, or they are in different scripts, so that one may be a translation."""
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Relation:
    """The result of comparing two titles."""

    likeness: Likeness
    against: str | None = None
    """The words that show that these are two works, in a message."""
    version: str | None = None
    """The words that show that one is another version: *extended*, *poster*."""
    is_telling_cut: bool = False
    """Whether a title that was cut still identifies the work."""

    @property
    def is_one(self) -> bool:
        """Whether both are the same title, in any spelling."""
        return self.likeness in (Likeness.SAME, Likeness.SPELLED) and self.against is None


@lru_cache(maxsize=4096)
def plain_title(title: str) -> str:
    """Return a title without HTML, TeX and footnote marks."""
    title = _TAG.sub("", unescape(title).replace("<sup>", "^"))
    return clean(_LAMBDA.sub("lambda", _FOOTNOTE.sub("", readable(title))))


@lru_cache(maxsize=4096)
def compare_titles(left: str | None, right: str | None) -> Relation:
    """Compare two titles, and find words that show that they are two works."""
    left, right = plain_title(left or ""), plain_title(right or "")
    if not title_key(left) or not title_key(right):
        return Relation(Likeness.UNKNOWN)
    relation = _compare(left, right)
    against = _only_one(answers_of(left) ^ answers_of(right)) or relation.against
    versions = pattern_of(r"\b(?:<versions>)\b")
    only_one = {*versions.findall(fold(left))} ^ {*versions.findall(fold(right))}
    version = None if relation.is_one else _only_one(only_one)
    return replace(relation, against=against, version=version)


def may_be_one_title(left: str | None, right: str | None) -> bool:
    """Return whether two titles are the same, with a typo or shortened."""
    titles = compare_titles(left, right)
    if titles.against or titles.version:
        return False
    if titles.is_one or titles.likeness is Likeness.SLIP or titles.is_telling_cut:
        return True
    short, long = sorted((title_key(plain_title(title or "")) for title in (left, right)), key=len)
    return len(short) >= _MIN_BEGINNING * len(long) > 0 and long.startswith(short)


def _compare(left: str, right: str) -> Relation:
    words, others = tokens_of(left), tokens_of(right)
    signs = _contradiction(_symbols(left), _symbols(right))
    if words == others or title_key(left) == title_key(right):
        numbers = (filter(str.isdecimal, both) for both in (words, others))
        return Relation(Likeness.SAME, signs or _contradiction(*map(tuple, numbers)))
    if _plain_spelling(words) == _plain_spelling(others) != []:
        return Relation(Likeness.SPELLED, signs)
    sounds = {sound_of(title, title_key(title)) for title in (left, right)}
    if len(sounds) == 1 and is_spelled_alike(left, right):
        # If both are in plain letters, neither is known to be a transliteration.
        is_plain = left.isascii() and right.isascii()
        return Relation(Likeness.SLIP if is_plain else Likeness.SAME, signs)
    short, long = (left, right) if len(words) <= len(others) else (right, left)
    return (
        _compare_cut(short, long)
        or _compare_slips(title_key(left), title_key(right), words, others)
        or _compare_words(left, right)
    )


def _symbols(title: str) -> tuple[str, ...]:
    matches = _SYMBOLS.finditer(normalize("NFKC", title))
    return tuple(sign[1] or sign[0] for sign in matches)


def _contradiction(left_words: Sequence[str], right_words: Sequence[str]) -> str | None:
    """Return a message on how numbers or signs of two titles differ; None if they agree."""
    left, right = " ".join(left_words), " ".join(right_words)
    if left == right:
        return None
    return (
        f"one title says {left}, the other {right}" if left and right else _only_one({left + right})
    )


def _only_one(words: Collection[str]) -> str | None:
    return f"only one title says {min(words)}" if words else None


def _plain_spelling(words: tuple[str, ...]) -> list[str]:
    """Return the words in British or American spelling as one, in the singular, no articles."""
    are_long = ((word, len(word) > _SHORT_WORD and word.isascii()) for word in words)
    plain = (respell(word, "plain spelling") if is_long else word for word, is_long in are_long)
    return [word for word in plain if word not in _ARTICLES]


def _compare_cut(short: str, long: str) -> Relation | None:
    """Compare titles of which the shorter is the beginning or end of the longer.

    The two parts are separated by a colon or the like. The first may be a name: ``BERT``, ``Slave
    Voyages``.
    """
    pieces, words = pieces_of(long), tokens_of(short)
    tokens = [tokens_of(piece) for piece in pieces]
    all_words = tuple(chain.from_iterable(tokens))
    ends = list(accumulate(map(len, tokens)))[:-1]
    if len(words) in ends and all_words[: len(words)] == words:
        rest = pieces[ends.index(len(words)) + 1 :]
        part = _part_number(rest[0]) or _part_number(rest[-1])
        against = _only_one({f"part {part}"} if part else ())
        return Relation(Likeness.CUT, against, is_telling_cut=len(words) >= _MIN_WORDS)
    start = len(all_words) - len(words)
    if start in ends and all_words[start:] == words:
        name = " ".join(pieces[: ends.index(start) + 1])
        if len(name.split()) <= _MAX_NAME_WORDS and not _part_number(name):
            return Relation(Likeness.CUT, is_telling_cut=True)
    return None


def _compare_slips(
    key: str, other_key: str, words: tuple[str, ...], others: tuple[str, ...]
) -> Relation | None:
    """Compare titles with nearly the same words; None if they differ by more."""
    # Imported here because only titles that differ need it.
    from rapidfuzz import fuzz

    plain = [{word for word in w if not is_distinguishing(word)} for w in (words, others)]
    ratio = fuzz.ratio(key[:MAX_TITLE], other_key[:MAX_TITLE])
    if ratio < _MIN_RATIO and (plain[0] != plain[1] or not plain[0]):
        return None
    changes = [
        (words[start:end], others[other_start:other_end])
        for start, end, other_start, other_end in differences.changes(words, others)
    ]
    sides = (chain.from_iterable(side) for side in zip(*changes, strict=True))
    distinguishing = [tuple(filter(is_distinguishing, side)) for side in sides]
    if any(distinguishing):
        against = _contradiction(*distinguishing) or "the titles have different numbers"
        return Relation(Likeness.RELATED, against)
    return Relation(Likeness.SLIP) if all(is_slip(*change) for change in changes) else None


def is_slip(left_words: tuple[str, ...], right_words: tuple[str, ...]) -> bool:
    """Return whether two groups of words differ by a typo, or by a small word."""
    a, b = "".join(left_words), "".join(right_words)
    if a == b:
        return True
    if not left_words or not right_words:
        return {*left_words, *right_words} <= {*terms("small words")}
    if a[0] != b[0] or max(a + b) >= _FIRST_SYLLABLE:
        return False
    # Imported here because only a mismatch needs it.
    from rapidfuzz.distance import OSA

    min_length = _SLIP_LENGTH if len(a) == len(b) else _SLIP_LENGTH - 1
    is_long = min(len(a), len(b)) >= min_length
    return a + "s" == b or b + "s" == a or (is_long and OSA.distance(a, b) == 1)


def _compare_words(left: str, right: str) -> Relation:
    """Compare titles of different words: one may be cut, or a work may have been renamed."""
    words, others = tokens_of(left), tokens_of(right)
    short, long = sorted((words, others), key=len)
    if long[: len(short)] == short:
        word = long[len(short)]
        return Relation(Likeness.WITHIN, _only_one({word} if is_distinguishing(word) else ()))
    if script_of(left) != script_of(right) and {*words}.isdisjoint(others):
        return Relation(Likeness.UNKNOWN)
    parts = _part_numbers(left), _part_numbers(right)
    against = _contradiction(*parts) if all(parts) else None
    contents = [{word for word in w if len(word) > _SHORT_WORD} for w in (words, others)]
    smaller = min(map(len, contents)) or 1
    is_related = len(contents[0] & contents[1]) >= _RELATED_SHARE * smaller
    return Relation(Likeness.RELATED if is_related else Likeness.OTHER, against)


@lru_cache(maxsize=4096)
def pieces_of(title: str) -> tuple[str, ...]:
    """Return the title and subtitles: the text between colons, dashes, brackets, sentences."""
    return tuple(filter(None, _SEPARATORS.split(strip_markup(title))))


def _part_number(piece: str) -> str | None:
    """Return the number if a piece is only ``II``, ``Part 2`` or ``Volume Three``; else None."""
    *words, number = tokens_of(piece) or ("",)
    is_number = number.isdecimal() and int(number[:9]) < _FIRST_YEAR
    return number if is_number and {*words} <= {*terms("parts")} else None


def _part_numbers(title: str) -> list[str]:
    """Return the part numbers in a title: ``["2"]`` for ``Hodge theory II: duality``."""
    # GPT-4 and COVID-19 are names.
    return [n for p in pieces_of(title) if (n := _part_number(p) or _part_number(p.split()[-1]))]


@lru_cache(maxsize=4096)
def answers_of(title: str) -> frozenset[str]:
    """Return the words, if any, by which a title refers to another work: *reply*, *comment*."""
    title, at = strip_markup(title), 0
    answers = []
    while match := pattern_of(_ANSWER_AT_START).match(title, at):
        answers.append(match[1])
        at = match.end()
    endings = filter(None, map(pattern_of(_ANSWER_AT_END).match, pieces_of(title)[1:]))
    answers += (match[1] or match[2] for match in endings)
    return frozenset(fold(word).rstrip("s") for word in answers)


@lru_cache(maxsize=1024)
def compare_abstracts(
    left: tuple[str, str], right: tuple[str, str]
) -> Literal["same", "revised", "other"] | None:
    """Compare the abstracts of two works, given as (title, abstract).

    Abstracts of companion papers, written by one pattern, are other ones: the words that are only
    in one title replace those of the other title there too. None if an abstract is too short.
    """
    runs, other_runs = _runs(left[1]), _runs(right[1])
    fewer, more = sorted((len(runs), len(other_runs)))
    if fewer < _MIN_RUNS:
        return None
    shared = len(runs & other_runs)
    replaced = _are_words_replaced(left, right), _are_words_replaced(right, left)
    if shared < _REVISED_SHARE * fewer or all(replaced):
        return "other"
    changed = _extra_words(left[1], right[1]) | _extra_words(right[1], left[1])
    is_same = shared >= _SAME_SHARE * more and not any(map(is_distinguishing, changed))
    return "same" if is_same and not any(replaced) else "revised"


def _are_words_replaced(work: tuple[str, str], other: tuple[str, str]) -> bool:
    """Return whether a word that the other title lacks is missing in its abstract too."""
    absent = _extra_words(work[1], other[1]) - {*tokens_of(plain_title(other[0]))}
    return _share_stem(_extra_words(work[0], other[0]), absent)


def _share_stem(words: set[str], others: set[str]) -> bool:
    """Return whether two words share a stem: *exciton*, *excitons*; *sensitive*, *insensitive*."""
    for short, long in (sorted(pair, key=len) for pair in product(words, others)):
        is_within = len(short) >= _STEM_LETTERS - 1 and short in long
        if short == long or is_within or short[:_STEM_LETTERS] == long[:_STEM_LETTERS]:
            return True
    return False


def _extra_words(text: str, other: str) -> set[str]:
    """Return the words that are more frequent in the first text."""
    counts, other_counts = (Counter(tokens_of(plain_title(source))) for source in (text, other))
    return {*(counts - other_counts)}


def _runs(text: str) -> set[tuple[str, ...]]:
    words = tokens_of(plain_title(text))
    return {words[at : at + _RUN_WORDS] for at in range(len(words) - _RUN_WORDS + 1)}


# -- Find the papers that are worth comparing, without comparing all pairs. Pure. The time grows as
# that of sorting: two titles that differ by a typo begin or end alike, so they are near each other
# in the order of their first letters, or in that of their last.

_WINDOW = 6
"""Each paper is compared with this many that follow it in each order."""

_T = TypeVar("_T")
Pair = tuple[int, int]
"""The ids of two papers, the smaller one first."""


class Titled(NamedTuple):
    """The facts of a paper that decide which others are worth comparing with it."""

    id: int
    title: str
    title_key: str
    """See ``text.title_key``; not empty."""
    author: str | None
    """The name of the first author."""


def near_pairs(papers: Sequence[Titled]) -> set[Pair]:
    """Return the pairs whose titles may be the same, spelled in two ways or with a typo.

    Neighbours in the order of titles are compared, among all papers, among those with the same
    first author, and among those whose titles sound alike.
    """
    families = [fold(paper.author or "").rpartition(" ")[2] for paper in papers]
    sounds = [sound_of(paper.title, paper.title_key) for paper in papers]
    forwards = [paper.title_key for paper in papers]
    backwards = [key[::-1] for key in forwards]
    pairs = set()
    for groups, ratio in (([""] * len(papers), 80), (families, 80), (sounds, 60)):
        for keys in (forwards, backwards):
            order = sorted(zip(groups, keys, papers, strict=True))
            for (group, _, left), (other, _, right) in neighbours(order):
                is_foreign = groups is sounds and script_of(left.title) != script_of(right.title)
                if group == other and (is_foreign or _is_near(left, right, ratio)):
                    pairs.add((min(left.id, right.id), max(left.id, right.id)))
    return pairs


def neighbours(items: Sequence[_T]) -> Iterator[tuple[_T, _T]]:
    """Yield each item with each of those that follow it closely."""
    return chain.from_iterable(
        zip(items, items[ahead:], strict=False) for ahead in range(1, _WINDOW + 1)
    )


def _is_near(left: Titled, right: Titled, min_ratio: int) -> bool:
    """Return whether two titles are worth a closer comparison, by rapidfuzz's ratio of 100."""
    # Imported here because most commands compare nothing.
    from rapidfuzz.fuzz import ratio

    short, long = sorted((left.title_key[:MAX_TITLE], right.title_key[:MAX_TITLE]), key=len)
    is_part = long.startswith(short) or long.endswith(short)
    return is_part or ratio(short, long, score_cutoff=min_ratio) > 0

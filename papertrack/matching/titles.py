"""How two titles or abstracts are related, and which of many titles are worth comparing.

A number, a letter, a *not*, a *reply* or an *erratum* makes another work of a title; letters within
one word are a slip, and another word is another work.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from itertools import accumulate, chain
from typing import NamedTuple, TypeVar

from papertrack import differences
from papertrack.latex.display import readable
from papertrack.matching.words import (
    SMALL_WORDS,
    is_spelled_alike,
    is_telling_apart,
    script_of,
    sound_of,
    tokens_of,
)
from papertrack.text import clean, fold, strip_markup, title_key

_TAG = re.compile(r"</?[a-z][a-z0-9]*(?::[a-z0-9]+)?(?:\s[^<>]*)?/?>", re.IGNORECASE)
_GREEK = re.compile(r"(?<![^\W\d_])[Α-Ωα-ω](?![^\W\d_])")
_FOOTNOTE = re.compile(r"[*†‡§¶]+\s*$|(?<=\w)\.$")
_PIECES = re.compile(r"\s*(?:[:;?!()\[\]—–|]|[.,](?=\s|$)|\s-+(?=\s))\s*")
"""What parts a title from its subtitle, or one part of it from the next."""
_SIGNS = re.compile(r"(?<=[^\W_])(?:#|\+\+|[*^(]*(\+)(?!\d|[^\W\d_]{2}))")
"""C# and C++, a program's successor, and charges: of ``B+`` and ``B-`` the one that is no hyphen.
In ``2+1`` and ``text+image`` the sign joins."""
_YEARS = range(1000, 2200)
_PARTS = frozenset(
    "part vol volume book chapter section lecture paper issue number no teil band buch kapitel heft"
    " partie tome livre chapitre parte tomo libro volumen capitulo capitolo deel del".split()
)

_REPLIES = (
    "reply|response|rejoinder|answer|comments?|erwiderung|antwort|kommentare?|r[eé]ponse"
    "|commentaires?|respuesta|r[eé]plica|comentarios?|risposta|commento|resposta|评论|回复|答复"
)
_ANSWERS = (
    f"{_REPLIES}|commentary|remarks?|discussion|critique|review"
    "|erratum|errata|corrigend(?:um|a)|corrections?|addend(?:um|a)|retraction|withdrawal|appendix"
    "|suppl[eé]ments?|(?:supplementary|supporting) (?:information|materials?|data)"
    "|expression of concern|(?:author|publisher|editor)['’]?s? note"
    "|editorial|preface|foreword|afterword|obituary|bemerkung(?:en)?|anmerkung(?:en)?"
    "|berichtigung|korrektur|nachtrag|anhang|rezension|besprechung|vorwort|remarques?"
    "|rectificati(?:f|on)|correctif|annexe|pr[eé]face|correcci[oó]n|rese[nñ]a|ap[eé]ndice"
    "|correzione|recensione|勘误|更正|訂正|返答|書評|书评"
)
"""Words by which a title says that it is about another work, or a piece of one."""
_DETERMINERS = (
    r"\W*(?:(?:an?|the|(?:author|publisher)['’]?s?['’]?|in|further|some|book|guest"
    r"|ein(?:e|ige)?|une?)\s+)*"
)
_LEADS = re.compile(rf"{_DETERMINERS}({_ANSWERS})(?!\w)", re.IGNORECASE)
_ENDS = re.compile(
    rf"{_DETERMINERS}(?:({_ANSWERS})\W*$|({_REPLIES})\s+(?:to|on|zur?m?|auf|[àa]|sur|d[eu])\s)",
    re.IGNORECASE,
)
_JOINS = re.compile(r"(?:\W|\b(?:to|on|of|for|the|and|[àa]|zur?m?|auf|de|sur|del|an?)\b)*")
_VERSION = re.compile(
    r"\b(?:(?:extended|full|long|short|journal|abridged|revised|updated|conference)"
    r" (?:version|abstract|paper|edition|report)|extension|extended|revisited|reloaded|poster|demo"
    r"|demonstration|tutorial|sequel|continued|technical report|student abstract"
    r"|work in progress|supplement\w*|book|second edition|retracted|withdrawn|replication"
    r"|reproducibility|keynote|invited talk|slides|abstract|thesis|dissertation|follow up"
    r"|(?:first|second|third) part)\b"
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
_ARTICLES = frozenset({"the", "a", "an", "of"})
_ALIKE = 88
"""rapidfuzz's ratio, of 100, from which titles may be one with a slip in it."""
_SLIP = 6
"""Letters from which on one wrong letter is a slip: ``macro`` and ``micro`` are two words."""
_SMALL = 3
"""Letters up to which a word tells little."""
_NAME = 3
"""Words that the name of a program or a project has at most."""
_FIRST_OF_WORDS = "\u1100"
"""From here on a character is a syllable or a word, and another one no slip."""
_RELATED = 0.5
"""The share of the shorter title's words that a reworded one keeps."""
_LONG_ENOUGH = 4
"""Words that a title without its subtitle has at least to name the same work still."""
LONG = 2000
"""Letters of a title that are compared one by one: no title has more, but what is none may."""
_RUN = 3
"""Words in a row by which two abstracts are compared."""
_LEAST_RUNS = 20
_GONE_OVER = 0.4
"""The share of the shorter abstract's runs that the other has: companions share single phrases."""
_SAME = 0.8
"""The share of the longer abstract's runs, where no identifier says that they are of one work."""
_STEM = 5
"""Letters that two forms of one word begin with."""


class Likeness(Enum):
    """How far two titles are alike."""

    SAME = auto()
    SPELLED = auto()
    """The same in British and American, of one or many, without an article."""
    CUT = auto()
    """One lacks the other's subtitle, or the name before its colon."""
    SLIP = auto()
    """They differ in a letter within a word, or a small word."""
    WITHIN = auto()
    """One continues where the other one ends."""
    RELATED = auto()
    """Half of their words are the same."""
    UNKNOWN = auto()
    """One has none, or they are in different scripts: one may be the other's translation."""
    OTHER = auto()


_ONE = (Likeness.SAME, Likeness.SPELLED)


@dataclass(frozen=True, slots=True)
class Compared:
    """How two titles are related."""

    likeness: Likeness
    against: str | None = None
    """What in the titles says that they are of two works."""
    version: str | None = None
    """What says that one is another version of the other work: *extended*, *poster*."""

    @property
    def is_one(self) -> bool:
        """Whether they are one title, however spelled."""
        return self.likeness in _ONE and self.against is None


@lru_cache(maxsize=4096)
def plain_title(title: str) -> str:
    """A title without HTML, TeX and the signs of a footnote."""
    title = _TAG.sub("", html.unescape(title).replace("<sup>", "^"))
    return clean(_FOOTNOTE.sub("", readable(title)))


@lru_cache(maxsize=4096)
def compare_titles(one: str | None, other: str | None) -> Compared:
    """Tell how two titles are related, and what in them speaks against one work."""
    one, other = plain_title(one or ""), plain_title(other or "")
    if not title_key(one) or not title_key(other):
        return Compared(Likeness.UNKNOWN)
    compared = _likeness(one, other)
    against = compared.against
    if answers := answers_of(one) ^ answers_of(other):
        against = f"only one title says {min(answers)}"
    apart = {*_VERSION.findall(fold(one))} ^ {*_VERSION.findall(fold(other))}
    is_version = apart and compared.likeness not in _ONE
    return Compared(
        compared.likeness, against, f"only one title says {min(apart)}" if is_version else None
    )


def is_long_enough(one: str, other: str) -> bool:
    """Whether of two titles the one without a subtitle, or a name, names the same work still."""
    short, long = sorted(map(plain_title, (one, other)), key=lambda title: len(tokens_of(title)))
    is_end = tokens_of(pieces_of(long)[-1])[-1:] == tokens_of(short)[-1:]
    return is_end or len(tokens_of(short)) >= _LONG_ENOUGH


def _likeness(one: str, other: str) -> Compared:
    words, others = tokens_of(one), tokens_of(other)
    is_same = words == others or title_key(one) == title_key(other)
    if is_same or _with_letters_named(one) == _with_letters_named(other):
        numbers = [
            (*filter(str.isdecimal, of), *_signs(title))
            for of, title in ((words, one), (others, other))
        ]
        return Compared(Likeness.SAME, _told_apart(*numbers))
    signs = _told_apart(_signs(one), _signs(other))
    if _spelled(words) == _spelled(others) != ():
        return Compared(Likeness.SPELLED, signs)
    sounds = {sound_of(title, title_key(title)) for title in (one, other)}
    if len(sounds) == 1 and is_spelled_alike(one, other):
        # Of plain letters nothing says that they stand for others.
        is_plain = one.isascii() and other.isascii()
        return Compared(Likeness.SLIP if is_plain else Likeness.SAME, signs)
    short, long = (one, other) if len(words) <= len(others) else (other, one)
    found = _cut(short, long) or _slipped(one, other, words, others)
    return found or _going_on(*sorted((words, others), key=len)) or _rest(one, other)


def _with_letters_named(title: str) -> tuple[str, ...]:
    """The words of a title with α as *alpha*."""
    return tokens_of(_GREEK.sub(_name_of, title))


def _name_of(letter: re.Match[str]) -> str:
    return unicodedata.name(letter[0]).rpartition(" ")[2].lower().replace("lamda", "lambda")


def _signs(title: str) -> tuple[str, ...]:
    found = _SIGNS.finditer(unicodedata.normalize("NFKC", title))
    return tuple(sign[1] or sign[0] for sign in found)


def _told_apart(words: Sequence[str], others: Sequence[str]) -> str | None:
    """What two titles say otherwise that makes two works of them; None where it is the same."""
    if words == others:
        return None
    one, other = " ".join(words), " ".join(others)
    if one and other:
        return f"one title says {one}, the other {other}"
    return f"only one title says {one or other}"


def _spelled(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words as British, American, one and many have them alike, without articles."""
    found = []
    for word in words:
        if len(word) > 3 and word.isascii():
            for pattern, plain in _SPELLINGS:
                word = pattern.sub(plain, word)
        if word not in _ARTICLES:
            found.append(word)
    return tuple(found)


def _cut(short: str, long: str) -> Compared | None:
    """The shorter title is what the longer one begins or ends with, up to a colon or the like; what
    it begins with may be what the work is called: ``BERT``, ``Slave Voyages``."""
    pieces, words = pieces_of(long), tokens_of(short)
    tokens = [tokens_of(piece) for piece in pieces]
    every = tuple(chain.from_iterable(tokens))
    for count, end in enumerate(list(accumulate(map(len, tokens)))[:-1], start=1):
        # Only what is as long can be the same: a long title may have thousands of pieces.
        if end == len(words) and every[:end] == words:
            parts = filter(None, (_part_number(pieces[count]), _part_number(pieces[-1])))
            number = next(parts, None)
            return Compared(Likeness.CUT, f"only one title says part {number}" if number else None)
        if len(every) - end == len(words) and every[end:] == words:
            name = " ".join(pieces[:count]).split()
            if len(name) <= _NAME and not _is_part(name):
                return Compared(Likeness.CUT)
    return None


def _slipped(
    one: str, other: str, words: tuple[str, ...], others: tuple[str, ...]
) -> Compared | None:
    """Nearly the same words: with a slip in them, or with one that makes another work of it."""
    # Imported here because only titles that differ pay for it.
    from rapidfuzz import fuzz

    keys = (title_key(title)[:LONG] for title in (one, other))
    plain = [{word for word in some if not is_telling_apart(word)} for some in (words, others)]
    if fuzz.ratio(*keys) < _ALIKE and (plain[0] != plain[1] or not plain[0]):
        return None
    changes = [
        (words[start:end], others[other_start:other_end])
        for start, end, other_start, other_end in differences.changes(words, others)
    ]
    sides = (chain.from_iterable(side) for side in zip(*changes, strict=True))
    apart = [tuple(filter(is_telling_apart, side)) for side in sides]
    if any(apart):
        return Compared(
            Likeness.RELATED, _told_apart(*apart) or "the titles have different numbers"
        )
    return Compared(Likeness.SLIP) if all(is_slip(*change) for change in changes) else None


def is_slip(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Whether words are one, spelled otherwise, or a small one is missing."""
    one, other = "".join(left), "".join(right)
    if one == other:
        return True
    if not left or not right:
        return {*left, *right} <= SMALL_WORDS
    if one[0] != other[0] or max(one + other) >= _FIRST_OF_WORDS:
        return False
    # Imported here because only a mismatch pays for it.
    from rapidfuzz.distance import OSA

    enough = _SLIP if len(one) == len(other) else _SLIP - 1
    is_long = min(len(one), len(other)) >= enough
    return one + "s" == other or other + "s" == one or (is_long and OSA.distance(one, other) == 1)


def _going_on(short: tuple[str, ...], long: tuple[str, ...]) -> Compared | None:
    """The longer title continues where the shorter one ends, as one that was cut by hand."""
    if long[: len(short)] != short:
        return None
    first = long[len(short)]
    return Compared(
        Likeness.WITHIN, f"only one title says {first}" if is_telling_apart(first) else None
    )


def _rest(one: str, other: str) -> Compared:
    """Titles of other words: a work may have been given another one."""
    words, others = {*tokens_of(one)}, {*tokens_of(other)}
    if script_of(one) != script_of(other) and not words & others:
        return Compared(Likeness.UNKNOWN)
    parts = _part_numbers(one), _part_numbers(other)
    against = _told_apart(*parts) if all(parts) else None
    contents = [{word for word in some if len(word) > _SMALL} for some in (words, others)]
    smaller = min(map(len, contents)) or 1
    is_related = len(contents[0] & contents[1]) >= _RELATED * smaller
    return Compared(Likeness.RELATED if is_related else Likeness.OTHER, against)


@lru_cache(maxsize=4096)
def pieces_of(title: str) -> tuple[str, ...]:
    """The title and its subtitles: what is between colons, dashes, brackets and sentences."""
    return tuple(filter(None, _PIECES.split(strip_markup(title))))


def _is_part(words: Sequence[str]) -> bool:
    """Whether these words, of the beginning of a title, only count: ``Part 2``, ``III``."""
    first, *rest = tokens_of(" ".join(words)) or ("",)
    return (first in _PARTS or first.isdecimal()) and all(word.isdecimal() for word in rest)


def _part_number(piece: str) -> str | None:
    """The number of a part: of ``II``, ``Part 2`` or ``Volume Three``, of nothing longer."""
    words = tokens_of(piece)
    if not 1 <= len(words) <= 2 or not words[-1].isdecimal() or int(words[-1]) in _YEARS:
        return None
    # GPT-4 and COVID-19 are names.
    return words[-1] if len(piece.split()) == len(words) else None


def _part_numbers(title: str) -> tuple[str, ...]:
    """Which part of a work a title says it is: ``("2",)`` of ``Hodge theory II: duality``."""
    found = []
    for piece in pieces_of(title):
        last = _part_number(piece.split()[-1]) or ""
        is_last = last and int(last) < min(_YEARS)
        found.append(_part_number(piece) or (last if is_last else ""))
    return tuple(filter(None, found))


@lru_cache(maxsize=4096)
def answers_of(title: str) -> frozenset[str]:
    """What a title says of being about another work: *reply* and *comment*; mostly nothing."""
    title, at = strip_markup(title), 0
    found = []
    while match := _LEADS.match(title, at):
        found.append(match[1])
        joined = _JOINS.match(title, match.end())
        at = joined.end() if joined else match.end()
    ends = filter(None, map(_ENDS.match, pieces_of(title)[1:]))
    found += (match[1] or match[2] for match in ends)
    return frozenset(fold(word).rstrip("s") for word in found)


@lru_cache(maxsize=1024)
def is_one_abstract(one: str | None, other: str | None) -> bool | None:
    """Whether two abstracts are one that was gone over: of companions they are two. None where
    one of them is missing, or says too little."""
    runs, others = _runs(one or ""), _runs(other or "")
    least = min(len(runs), len(others))
    return len(runs & others) >= _GONE_OVER * least if least >= _LEAST_RUNS else None


def is_same_abstract(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether works, each with its title and abstract, have one abstract nearly word for word.

    Works of one hand may share most of it: in those the words that the titles differ in are
    exchanged, or what tells works apart: a number, a letter, a *not*.
    """
    runs, others = _runs(one[1]), _runs(other[1])
    least, most = sorted((len(runs), len(others)))
    if least < _LEAST_RUNS or len(runs & others) < _SAME * most:
        return False
    renamed, exchanged = (
        _more(text, told) | _more(told, text) for text, told in zip(one, other, strict=True)
    )
    if any(map(is_telling_apart, renamed | exchanged)):
        return False
    return not any(_is_of_one_stem(word, other) for word in renamed for other in exchanged)


def is_in_one_mould(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether works, each with its title and abstract, are companions of one hand: what each title
    has instead of the other one's words is in its abstract instead of them."""
    for mine, others in ((one, other), (other, one)):
        absent = _more(mine[1], others[1]) - {*tokens_of(plain_title(others[0]))}
        words = _more(mine[0], others[0])
        if not any(_is_of_one_stem(word, new) for word in words for new in absent):
            return False
    return True


def _is_of_one_stem(word: str, other: str) -> bool:
    """Whether two words are one in two forms: *exciton* and *excitons*, *sensitive* and
    *insensitive*."""
    short, long = sorted((word, other), key=len)
    is_within = len(short) >= _STEM - 1 and short in long
    return word == other or is_within or word[:_STEM] == other[:_STEM]


def _more(text: str, other: str) -> set[str]:
    """The words that the first of two texts has more often."""
    words, others = (Counter(tokens_of(plain_title(of))) for of in (text, other))
    return {*(words - others)}


def _runs(text: str) -> set[tuple[str, ...]]:
    words = tokens_of(plain_title(text))
    return {words[at : at + _RUN] for at in range(len(words) - _RUN + 1)}


# -- Which of many papers are worth comparing: no pair of all pairs. Pure.
#
# The time grows as that of sorting. Two titles that are one but for a slip begin alike or end
# alike, so that they stand near each other in the order of their first letters or in that of
# their last.

_WINDOW = 6
"""Papers are compared with so many that follow them in each order."""
_PART = 4
"""Titles share this part of the shorter one's letters, at the beginning or at the end."""
_WORTH_A_LOOK = 80
"""rapidfuzz's ratio, of 100, under which two titles are not worth a closer look."""
_ALIKE_IN_SOUND = 60
"""The same for titles in one script that leave the same when what is spelled otherwise is gone."""

_T = TypeVar("_T")
Pair = tuple[int, int]
"""Two papers' numbers, the smaller one first."""


class Titled(NamedTuple):
    """As much of a paper as tells which others are worth comparing with it."""

    id: int
    title: str
    title_key: str
    """See ``text.title_key``; not empty."""
    author: str | None
    """The first one's name."""


def near_pairs(papers: Sequence[Titled]) -> set[Pair]:
    """The pairs whose titles may be one title: in two spellings, or nearly the same; of those with
    one beginning or end the neighbours, among all and among those with the same first author."""
    # Imported here because most commands never compare.
    from rapidfuzz.fuzz import ratio

    by_sound: dict[str, list[Titled]] = {}
    for paper in papers:
        by_sound.setdefault(sound_of(paper.title, paper.title_key), []).append(paper)
    pairs = {
        (one.id, other.id)
        for group in by_sound.values()
        for one, other in _windows(group)
        # Those that are the same stand beside each other in every order.
        if one.title_key[:LONG] != other.title_key[:LONG]
        and (
            script_of(one.title) != script_of(other.title)
            or ratio(one.title_key[:LONG], other.title_key[:LONG]) >= _ALIKE_IN_SOUND
        )
    }
    keys = [paper.title_key for paper in papers]
    # What is behind a name sees to it that no other one begins with it.
    families = [fold(paper.author or "").rpartition(" ")[2] + "\0" for paper in papers]
    for names in ([""] * len(papers), families):
        for written in (keys, [key[::-1] for key in keys]):
            order = sorted(
                zip(names, written, papers, strict=True), key=lambda row: row[0] + row[1]
            )
            for (name, key, one), (other_name, other_key, other) in _windows(order):
                is_begun = other_key.startswith(key[: len(key) // _PART])
                if name == other_name and is_begun and _may_be_one(key, other_key, ratio):
                    pairs.add((min(one.id, other.id), max(one.id, other.id)))
    return pairs


def neighbours(group: Sequence[int]) -> Iterator[Pair]:
    """The pairs of a group of which nothing but their order tells which are near each other."""
    return ((min(pair), max(pair)) for pair in _windows(group))


def _windows(row: Sequence[_T]) -> Iterator[tuple[_T, _T]]:
    """Each with those that follow it."""
    for at, one in enumerate(row):
        for other in row[at + 1 : at + 1 + _WINDOW]:
            yield one, other


def _may_be_one(one: str, other: str, ratio: Callable[..., float]) -> bool:
    """Whether two titles, by their keys, are worth a closer look."""
    short, long = sorted((one, other), key=len)
    if long.startswith(short) or long.endswith(short):
        return True
    return ratio(short[:LONG], long[:LONG], score_cutoff=_WORTH_A_LOOK) > 0

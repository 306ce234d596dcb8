"""Compare two titles or abstracts, and find the titles that are worth comparing.

A number, a letter, *not*, *reply* or *erratum* makes a title that of another work. Other letters
within a word are a typo. Another word is another work.
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
    is_distinguishing,
    is_spelled_alike,
    script_of,
    sound_of,
    tokens_of,
)
from papertrack.text import clean, fold, normalize, strip_markup, title_key

_TAG = re.compile(r"</?[a-z][a-z0-9]*(?::[a-z0-9]+)?(?:\s[^<>]*)?/?>", re.IGNORECASE)
_GREEK = re.compile(r"(?<![^\W\d_])[Α-Ωα-ω](?![^\W\d_])")
_FOOTNOTE = re.compile(r"[*†‡§¶]+\s*$|(?<=\w)\.$")
_SEPARATORS = re.compile(r"\s*(?:[:;?!()\[\]—–|]|[.,](?=\s|$)|\s-+(?=\s))\s*")
"""Separators between a title and its subtitle, or between its parts."""
_SYMBOLS = re.compile(r"(?<=[^\W_])(?:#|\+\+|[*^(]*(\+)(?!\d|[^\W\d_]{2}))")
"""C# and C++, the successor of a program, and charges.

Of ``B+`` and ``B-``, only the plus counts: the other may be a hyphen. In ``2+1`` and ``text+image``
the sign joins two words.
"""
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
"""Words by which a title says that it is about another work, or part of one."""
_DETERMINERS = (
    r"\W*(?:(?:an?|the|(?:author|publisher)['’]?s?['’]?|in|further|some|book|guest"
    r"|ein(?:e|ige)?|une?)\s+)*"
)
_ANSWER_AT_START = re.compile(rf"{_DETERMINERS}({_ANSWERS})(?!\w)", re.IGNORECASE)
_ANSWER_AT_END = re.compile(
    rf"{_DETERMINERS}(?:({_ANSWERS})\W*$|({_REPLIES})\s+(?:to|on|zur?m?|auf|[àa]|sur|d[eu])\s)",
    re.IGNORECASE,
)
_FILLER = re.compile(r"(?:\W|\b(?:to|on|of|for|the|and|[àa]|zur?m?|auf|de|sur|del|an?)\b)*")
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
"""British and American spelling, singular and plural."""
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


_EQUAL = (Likeness.SAME, Likeness.SPELLED)


@dataclass(frozen=True, slots=True)
class Relation:
    """The result of comparing two titles."""

    likeness: Likeness
    against: str | None = None
    """The words that show that these are two works, in a message."""
    version: str | None = None
    """The words that show that one is another version: *extended*, *poster*."""

    @property
    def is_one(self) -> bool:
        """Whether both are the same title, in any spelling."""
        return self.likeness in _EQUAL and self.against is None


@lru_cache(maxsize=4096)
def plain_title(title: str) -> str:
    """Return a title without HTML, TeX and footnote marks."""
    title = _TAG.sub("", html.unescape(title).replace("<sup>", "^"))
    return clean(_FOOTNOTE.sub("", readable(title)))


@lru_cache(maxsize=4096)
def compare_titles(left: str | None, right: str | None) -> Relation:
    """Compare two titles, and find words that show that they are two works."""
    left, right = plain_title(left or ""), plain_title(right or "")
    if not title_key(left) or not title_key(right):
        return Relation(Likeness.UNKNOWN)
    compared = _likeness(left, right)
    against = compared.against
    if answers := answers_of(left) ^ answers_of(right):
        against = f"only one title says {min(answers)}"
    versions = {*_VERSION.findall(fold(left))} ^ {*_VERSION.findall(fold(right))}
    is_version = versions and compared.likeness not in _EQUAL
    return Relation(
        compared.likeness, against, f"only one title says {min(versions)}" if is_version else None
    )


def is_long_enough(left: str, right: str) -> bool:
    """Return whether the shorter of two titles still identifies the work."""
    short, long = sorted(map(plain_title, (left, right)), key=lambda title: len(tokens_of(title)))
    is_end = tokens_of(pieces_of(long)[-1])[-1:] == tokens_of(short)[-1:]
    return is_end or len(tokens_of(short)) >= _MIN_WORDS


def _likeness(left: str, right: str) -> Relation:
    words, others = tokens_of(left), tokens_of(right)
    is_same = words == others or title_key(left) == title_key(right)
    if is_same or _with_letter_names(left) == _with_letter_names(right):
        numbers = [
            (*filter(str.isdecimal, words), *_symbols(title))
            for words, title in ((words, left), (others, right))
        ]
        return Relation(Likeness.SAME, _contradiction(*numbers))
    signs = _contradiction(_symbols(left), _symbols(right))
    if _plain_spelling(words) == _plain_spelling(others) != ():
        return Relation(Likeness.SPELLED, signs)
    sounds = {sound_of(title, title_key(title)) for title in (left, right)}
    if len(sounds) == 1 and is_spelled_alike(left, right):
        # If both are in plain letters, neither is known to be a transliteration.
        is_plain = left.isascii() and right.isascii()
        return Relation(Likeness.SLIP if is_plain else Likeness.SAME, signs)
    short, long = (left, right) if len(words) <= len(others) else (right, left)
    match = _compare_cut(short, long) or _compare_slips(left, right, words, others)
    return match or _compare_start(*sorted((words, others), key=len)) or _compare_words(left, right)


def _with_letter_names(title: str) -> tuple[str, ...]:
    """Return the words of a title with α as *alpha*."""
    return tokens_of(_GREEK.sub(_name_of, title))


def _name_of(letter: re.Match[str]) -> str:
    return unicodedata.name(letter[0]).rpartition(" ")[2].lower().replace("lamda", "lambda")


def _symbols(title: str) -> tuple[str, ...]:
    matches = _SYMBOLS.finditer(normalize("NFKC", title))
    return tuple(sign[1] or sign[0] for sign in matches)


def _contradiction(left_words: Sequence[str], right_words: Sequence[str]) -> str | None:
    """Return a message on how numbers or signs of two titles differ; None if they agree."""
    if left_words == right_words:
        return None
    left, right = " ".join(left_words), " ".join(right_words)
    if left and right:
        return f"one title says {left}, the other {right}"
    return f"only one title says {left or right}"


def _plain_spelling(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words in one spelling, in the singular, without articles."""
    plain_words = []
    for word in words:
        if len(word) > 3 and word.isascii():
            for pattern, plain in _SPELLINGS:
                word = pattern.sub(plain, word)
        if word not in _ARTICLES:
            plain_words.append(word)
    return tuple(plain_words)


def _compare_cut(short: str, long: str) -> Relation | None:
    """Compare titles of which the shorter is the beginning or end of the longer.

    The two parts are separated by a colon or the like. The first may be a name: ``BERT``, ``Slave
    Voyages``.
    """
    pieces, words = pieces_of(long), tokens_of(short)
    tokens = [tokens_of(piece) for piece in pieces]
    all_words = tuple(chain.from_iterable(tokens))
    for count, end in enumerate(list(accumulate(map(len, tokens)))[:-1], start=1):
        # Only a beginning of equal length can match: a long title may have thousands of pieces.
        if end == len(words) and all_words[:end] == words:
            parts = filter(None, (_part_number(pieces[count]), _part_number(pieces[-1])))
            number = next(parts, None)
            return Relation(Likeness.CUT, f"only one title says part {number}" if number else None)
        if len(all_words) - end == len(words) and all_words[end:] == words:
            name = " ".join(pieces[:count]).split()
            if len(name) <= _MAX_NAME_WORDS and not _is_part(name):
                return Relation(Likeness.CUT)
    return None


def _compare_slips(
    left: str, right: str, left_words: tuple[str, ...], right_words: tuple[str, ...]
) -> Relation | None:
    """Compare titles with nearly the same words; None if they differ by more."""
    # Imported here because only titles that differ need it.
    from rapidfuzz import fuzz

    keys = (title_key(title)[:MAX_TITLE] for title in (left, right))
    plain = [{word for word in w if not is_distinguishing(word)} for w in (left_words, right_words)]
    if fuzz.ratio(*keys) < _MIN_RATIO and (plain[0] != plain[1] or not plain[0]):
        return None
    changes = [
        (left_words[start:end], right_words[other_start:other_end])
        for start, end, other_start, other_end in differences.changes(left_words, right_words)
    ]
    sides = (chain.from_iterable(side) for side in zip(*changes, strict=True))
    distinguishing = [tuple(filter(is_distinguishing, side)) for side in sides]
    if any(distinguishing):
        return Relation(
            Likeness.RELATED, _contradiction(*distinguishing) or "the titles have different numbers"
        )
    return Relation(Likeness.SLIP) if all(is_slip(*change) for change in changes) else None


def is_slip(left_words: tuple[str, ...], right_words: tuple[str, ...]) -> bool:
    """Return whether two groups of words differ by a typo, or by a small word."""
    a, b = "".join(left_words), "".join(right_words)
    if a == b:
        return True
    if not left_words or not right_words:
        return {*left_words, *right_words} <= SMALL_WORDS
    if a[0] != b[0] or max(a + b) >= _FIRST_SYLLABLE:
        return False
    # Imported here because only a mismatch needs it.
    from rapidfuzz.distance import OSA

    min_length = _SLIP_LENGTH if len(a) == len(b) else _SLIP_LENGTH - 1
    is_long = min(len(a), len(b)) >= min_length
    return a + "s" == b or b + "s" == a or (is_long and OSA.distance(a, b) == 1)


def _compare_start(short: tuple[str, ...], long: tuple[str, ...]) -> Relation | None:
    """Compare titles of which the longer continues the shorter, which someone cut."""
    if long[: len(short)] != short:
        return None
    word = long[len(short)]
    return Relation(
        Likeness.WITHIN, f"only one title says {word}" if is_distinguishing(word) else None
    )


def _compare_words(left: str, right: str) -> Relation:
    """Compare titles of different words: a work may have been renamed."""
    left_words, right_words = {*tokens_of(left)}, {*tokens_of(right)}
    if script_of(left) != script_of(right) and not left_words & right_words:
        return Relation(Likeness.UNKNOWN)
    parts = _part_numbers(left), _part_numbers(right)
    against = _contradiction(*parts) if all(parts) else None
    contents = [{word for word in w if len(word) > _SHORT_WORD} for w in (left_words, right_words)]
    smaller = min(map(len, contents)) or 1
    is_related = len(contents[0] & contents[1]) >= _RELATED_SHARE * smaller
    return Relation(Likeness.RELATED if is_related else Likeness.OTHER, against)


@lru_cache(maxsize=4096)
def pieces_of(title: str) -> tuple[str, ...]:
    """Return the title and subtitles: the text between colons, dashes, brackets, sentences."""
    return tuple(filter(None, _SEPARATORS.split(strip_markup(title))))


def _is_part(words: Sequence[str]) -> bool:
    """Return whether the first words of a title are only a number: ``Part 2``, ``III``."""
    first, *rest = tokens_of(" ".join(words)) or ("",)
    return (first in _PARTS or first.isdecimal()) and all(word.isdecimal() for word in rest)


def _part_number(piece: str) -> str | None:
    """Return the number if a piece is only ``II``, ``Part 2`` or ``Volume Three``; else None."""
    words = tokens_of(piece)
    if not 1 <= len(words) <= 2 or not words[-1].isdecimal() or int(words[-1]) in _YEARS:
        return None
    # GPT-4 and COVID-19 are names.
    return words[-1] if len(piece.split()) == len(words) else None


def _part_numbers(title: str) -> tuple[str, ...]:
    """Return the part numbers in a title: ``("2",)`` for ``Hodge theory II: duality``."""
    numbers = []
    for piece in pieces_of(title):
        number = _part_number(piece.split()[-1]) or ""
        is_number = number and int(number) < min(_YEARS)
        numbers.append(_part_number(piece) or (number if is_number else ""))
    return tuple(filter(None, numbers))


@lru_cache(maxsize=4096)
def answers_of(title: str) -> frozenset[str]:
    """Return the words, if any, by which a title refers to another work: *reply*, *comment*."""
    title, at = strip_markup(title), 0
    answers = []
    while match := _ANSWER_AT_START.match(title, at):
        answers.append(match[1])
        filler = _FILLER.match(title, match.end())
        at = filler.end() if filler else match.end()
    endings = filter(None, map(_ANSWER_AT_END.match, pieces_of(title)[1:]))
    answers += (match[1] or match[2] for match in endings)
    return frozenset(fold(word).rstrip("s") for word in answers)


@lru_cache(maxsize=1024)
def is_revised_abstract(left: str | None, right: str | None) -> bool | None:
    """Return whether one abstract is a revision of the other.

    Abstracts of companion papers are not. None if an abstract is missing or too short.
    """
    left_runs, right_runs = _runs(left or ""), _runs(right or "")
    fewer = min(len(left_runs), len(right_runs))
    return len(left_runs & right_runs) >= _REVISED_SHARE * fewer if fewer >= _MIN_RUNS else None


def is_same_abstract(left: tuple[str, str], right: tuple[str, str]) -> bool:
    """Return whether two works, as (title, abstract), have nearly the same abstract.

    Different works by the same authors may have it too. Their abstracts then differ in the same
    words as their titles, or in a number, a letter or *not*.
    """
    left_runs, right_runs = _runs(left[1]), _runs(right[1])
    fewer, more = sorted((len(left_runs), len(right_runs)))
    if fewer < _MIN_RUNS or len(left_runs & right_runs) < _SAME_SHARE * more:
        return False
    renamed, exchanged = (
        _extra_words(t, o) | _extra_words(o, t) for t, o in zip(left, right, strict=True)
    )
    if any(map(is_distinguishing, renamed | exchanged)):
        return False
    return not any(_has_same_stem(word, new) for word in renamed for new in exchanged)


def is_by_pattern(left: tuple[str, str], right: tuple[str, str]) -> bool:
    """Return whether two works, as (title, abstract), are companions written by one pattern.

    In companions, the words that are only in one title replace those of the other title in the
    abstract too.
    """
    for work, other_work in ((left, right), (right, left)):
        absent = _extra_words(work[1], other_work[1]) - {*tokens_of(plain_title(other_work[0]))}
        words = _extra_words(work[0], other_work[0])
        if not any(_has_same_stem(word, new) for word in words for new in absent):
            return False
    return True


def _has_same_stem(word: str, other: str) -> bool:
    """Return whether two words share a stem: *exciton*, *excitons*; *sensitive*, *insensitive*."""
    short, long = sorted((word, other), key=len)
    is_within = len(short) >= _STEM_LETTERS - 1 and short in long
    return word == other or is_within or word[:_STEM_LETTERS] == other[:_STEM_LETTERS]


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
_PART_SHARE = 4
"""Alike titles share this part of the shorter one's letters, at the beginning or the end."""
_MIN_PAIR_RATIO = 80
"""rapidfuzz's ratio, of 100, below which two titles are not worth a closer comparison."""
_MIN_SOUND_RATIO = 60
"""The same for titles in one script with the same ``sound_of``."""

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

    Neighbours in the order of titles are compared, among all papers and among those with the same
    first author.
    """
    # Imported here because most commands compare nothing.
    from rapidfuzz.fuzz import ratio

    by_sound: dict[str, list[Titled]] = {}
    for paper in papers:
        by_sound.setdefault(sound_of(paper.title, paper.title_key), []).append(paper)
    pairs = {
        (left.id, right.id)
        for group in by_sound.values()
        for left, right in _window_pairs(group)
        # Equal titles are next to each other in every order.
        if left.title_key[:MAX_TITLE] != right.title_key[:MAX_TITLE]
        and (
            script_of(left.title) != script_of(right.title)
            or ratio(left.title_key[:MAX_TITLE], right.title_key[:MAX_TITLE]) >= _MIN_SOUND_RATIO
        )
    }
    keys = [paper.title_key for paper in papers]
    # The end marker prevents that a name is the beginning of another.
    families = [fold(paper.author or "").rpartition(" ")[2] + "\0" for paper in papers]
    for names in ([""] * len(papers), families):
        for ordered_keys in (keys, [key[::-1] for key in keys]):
            order = sorted(
                zip(names, ordered_keys, papers, strict=True), key=lambda row: row[0] + row[1]
            )
            for (name, key, left), (other_name, other_key, right) in _window_pairs(order):
                is_begun = other_key.startswith(key[: len(key) // _PART_SHARE])
                if name == other_name and is_begun and _may_be_same(key, other_key, ratio):
                    pairs.add((min(left.id, right.id), max(left.id, right.id)))
    return pairs


def neighbours(group: Sequence[int]) -> Iterator[Pair]:
    """Return the pairs of neighbours in a group that has no better order than its own."""
    return ((min(pair), max(pair)) for pair in _window_pairs(group))


def _window_pairs(items: Sequence[_T]) -> Iterator[tuple[_T, _T]]:
    """Yield each item with each of those that follow it closely."""
    for index, item in enumerate(items):
        for later in items[index + 1 : index + 1 + _WINDOW]:
            yield item, later


def _may_be_same(left: str, right: str, ratio: Callable[..., float]) -> bool:
    """Return whether two titles, by their keys, are worth a closer comparison."""
    short, long = sorted((left, right), key=len)
    if long.startswith(short) or long.endswith(short):
        return True
    return ratio(short[:MAX_TITLE], long[:MAX_TITLE], score_cutoff=_MIN_PAIR_RATIO) > 0

"""The words of a title as they are compared: numerals as numbers, and who answers whom."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from papertrack.text import fold, strip_markup

_PIECES = re.compile(r"\s*(?:[:;?!()\[\]—–|]|[.,](?=\s|$)|\s-+(?=\s))\s*")
"""What parts a title from its subtitle, or one part of it from the next."""
_RUNS = re.compile(r"[0-9]+|[^\W\d_]+")
_THOUSANDS = re.compile(r"(?<=[0-9])[,\u2009\u202f](?=[0-9]{3}(?![0-9]))")
_ROMAN = re.compile(r"x{0,3}(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10}
_NO_ROMAN = frozenset({"i", "v", "x", "xi", "vi"})
"""In small letters these are other words: a letter, *versus*, Greek."""
_NUMBER_WORDS = {
    word: str(number)
    for words in (
        "one two three four five six seven eight nine ten eleven twelve",
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    )
    for number, word in enumerate(words.split(), start=1)
}
_ORDINAL = re.compile(r"([0-9]+)(?:st|nd|rd|th)\b", re.IGNORECASE)
_SIGNS = re.compile(r"(?<=[^\W_])(?:\+\+|#)|(?<=[^\W\d_]{4})\+(?=\s*(?:$|:))")
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
    "|editorial|preface|foreword|afterword|obituary|bemerkung(?:en)?|anmerkung(?:en)?"
    "|berichtigung|korrektur|nachtrag|anhang|rezension|besprechung|vorwort|remarques?"
    "|rectificati(?:f|on)|correctif|annexe|pr[eé]face|correcci[oó]n|rese[nñ]a|ap[eé]ndice"
    "|correzione|recensione|勘误|更正|訂正|返答|書評|书评"
)
"""Words by which a title says that it is about another work, or a piece of one."""
_DETERMINERS = (
    r"\W*(?:(?:an?|the|author'?s'?|in|further|some|publisher'?s?|book|guest"
    r"|ein(?:e|ige)?|une?)\s+)*"
)
_LEADS = re.compile(rf"{_DETERMINERS}({_ANSWERS})(?!\w)", re.IGNORECASE)
_ENDS = re.compile(
    rf"{_DETERMINERS}(?:({_ANSWERS})\W*$|({_REPLIES})\s+(?:to|on|zur?m?|auf|[àa]|sur|d[eu])\s)",
    re.IGNORECASE,
)
_JOINS = re.compile(r"(?:\W|\b(?:to|on|of|for|the|and|[àa]|zur?m?|auf|de|sur|del|an?)\b)*")


@lru_cache(maxsize=4096)
def pieces_of(title: str) -> tuple[str, ...]:
    """The title and its subtitles: what stands between colons, dashes, brackets and sentences."""
    return tuple(filter(None, _PIECES.split(strip_markup(title))))


def tokens_of(text: str) -> tuple[str, ...]:
    """The words of a text, folded, letters and digits apart; numerals are numbers in digits.

    ``tokens_of("Hodge theory, Part II") == ("hodge", "theory", "part", "2")``
    """
    text = _ORDINAL.sub(r"\1", _THOUSANDS.sub("", strip_markup(text).replace("&", " and ")))
    return tuple(filter(None, map(_token, _RUNS.findall(text))))


def _token(word: str) -> str:
    folded = fold(word)
    if folded.isascii() and len(folded) <= 7:
        folded = _NUMBER_WORDS.get(folded, folded)
        is_meant = word.isupper() or folded not in _NO_ROMAN
        if is_meant and folded and _ROMAN.fullmatch(folded):
            return str(_roman(folded))
    return folded.lstrip("0") or "0" if folded.isdecimal() else folded


def _roman(numeral: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in numeral]
    signs = [-1 if one < other else 1 for one, other in itertools.pairwise(values)]
    return sum(sign * value for sign, value in zip([*signs, 1], values, strict=True))


def numbers_of(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The numbers among a title's words."""
    return tuple(word for word in tokens if word.isdecimal())


def signs_of(title: str) -> tuple[str, ...]:
    """The signs that make another name of a letter: C++ and C# are not C."""
    return tuple(_SIGNS.findall(title))


def is_telling_apart(word: str) -> bool:
    """Whether a word alone makes another work of a title: a number, a letter, a *not*."""
    return word.isdecimal() or (len(word) == 1 and word != "a") or word in ("not", "no", "non")


def is_part(words: Sequence[str]) -> bool:
    """Whether these words, of the beginning of a title, only count: ``Part 2``, ``III``."""
    first, *rest = tokens_of(" ".join(words)) or ("",)
    return (first in _PARTS or first.isdecimal()) and all(word.isdecimal() for word in rest)


def part_number(piece: str) -> str | None:
    """The number of a part: of ``II``, ``Part 2`` or ``Volume Three``, of nothing longer."""
    words = tokens_of(piece)
    if not 1 <= len(words) <= 2 or not words[-1].isdecimal() or int(words[-1]) in _YEARS:
        return None
    # GPT-4 and COVID-19 are names.
    return words[-1] if len(piece.split()) == len(words) else None


def part_numbers(title: str) -> tuple[str, ...]:
    """Which part of a work a title says it is: ``("2",)`` of ``Hodge theory II: duality``."""
    found = (part_number(piece) or _last_number(piece) for piece in pieces_of(title))
    return tuple(filter(None, found))


def _last_number(piece: str) -> str | None:
    last = piece.split()[-1:]
    number = part_number(last[0]) if last else None
    return number if number and int(number) < min(_YEARS) else None


@lru_cache(maxsize=4096)
def answers_of(title: str) -> frozenset[str]:
    """What a title says of being about another work: *reply* and *comment*; mostly nothing."""
    title = strip_markup(title)
    ends = filter(None, map(_ENDS.match, pieces_of(title)[1:]))
    return frozenset([*_leading(title), *(_singular(match[1] or match[2]) for match in ends)])


def _leading(text: str) -> Iterator[str]:
    """The words of this kind that a text begins with, one after another."""
    at = 0
    while match := _LEADS.match(text, at):
        yield _singular(match[1])
        joined = _JOINS.match(text, match.end())
        at = joined.end() if joined else match.end()


def _singular(word: str) -> str:
    return fold(word).rstrip("s")

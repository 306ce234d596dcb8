"""The words of titles and names as they are compared: numerals as numbers, in any spelling.

Umlauts are written out in one place, Cyrillic or Greek stands in Latin letters in another. Each
script has a dozen usual schemes (GOST, ISO 9, BGN, the Library of Congress, scholars' own; ELOT
743). None is read back: two spellings are one if the same is left of them when that in which the
schemes differ is taken away. What cannot be compared so, Chinese with Latin letters, is reported.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import Literal

from papertrack.text import fold, strip_markup

SMALL_WORDS = frozenset(
    "the a an of for and in on at to by with from as via de la le les des du der die das ein eine"
    " und et en el los las del di il y e".split()
)
"""Words that may be missing from a title or a name."""

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


def tokens_of(text: str) -> tuple[str, ...]:
    """The words of a text, folded, letters and digits apart; numerals are numbers in digits.

    ``tokens_of("Hodge theory, Part II") == ("hodge", "theory", "part", "2")``
    """
    text = strip_markup(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _THOUSANDS.sub("", text))
    text = _ORDINAL.sub(r"\1", _THOUSANDS.sub("", text.replace("&", " and ")))
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


def is_telling_apart(word: str) -> bool:
    """Whether a word alone makes another work of a title: a number, a letter, a *not*."""
    return word.isdecimal() or (len(word) == 1 and word != "a") or word in ("not", "no", "non")


Script = Literal["latin", "cyrillic", "greek", "other"]


def _letters(said: str) -> dict[int, str]:
    pairs = (pair.partition("=") for pair in said.split())
    return {ord(letter): latin for letter, _, latin in pairs}


# Letters as ``fold`` leaves them: without accents, so that й is и and ё is е.
_IN_LATIN = _letters(
    "а=a б=b в=v г=g д=d е=e ж=zh з=z и=i к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts"
    " ч=ch ш=sh щ=shch ъ= ы=y ь= э=e ю=yu я=ya і=i є=ye ґ=g ђ=dj ј=j љ=lj њ=nj ћ=c џ=dzh ѕ=dz ѣ=e"
    " α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s τ=t υ=y φ=f χ=ch"
    " ψ=ps ω=o"
)
_INITIALS = _letters(
    "в=vw г=gh е=ey ж=zj и=iyj к=kcq х=khcx ц=tcz ч=ct ш=s щ=s э=e ю=yju я=yji є=yjie ђ=d ћ=c џ=d"
    " й=yji і=iyj β=vb γ=gyj η=ieh ι=ijy κ=kc μ=mb ν=n ξ=xk ο=oh τ=td υ=yuih φ=fp χ=ckhx ω=oh"
)
"""With which letters a name may begin that begins with this one."""
_BEFORE_FOLDING = _letters("č=ch š=sh ž=zh ŝ=shch â=ya û=yu đ=dj") | dict.fromkeys(
    map(ord, "'’‘ʼʹʺ`´"), ""
)
"""What accents say in scholars' schemes, and signs for what is not spoken."""
_Rules = tuple[tuple[str, str], ...]
# Patterns are texts, which re compiles and keeps at their first use: start-up does not pay.
_TWICE = (r"(.)\1+", r"\1")
_SLAVIC: _Rules = (
    ("tsch|tch", "ch"),
    ("shch|shh|sht|sch|sh", "S"),
    ("ch", "C"),
    ("zh", "Z"),
    ("kh|ks|x", "h"),
    ("ts|tz|cz|c", "T"),
    ("w", "v"),
    ("[ijy]+o", "e"),
    ("[ijy]+(?=[aeu])", ""),
    ("[ijy]+", "i"),
    _TWICE,
)
_SLAVIC_ELSEWHERE: _Rules = (("tsch", "C"), ("(?<![st])ch|g", "kh"), *_SLAVIC)
"""Germans and Czechs write ch for х, where others have it for ч; Ukrainians hear г as h."""
_HELLENIC: _Rules = (
    ("th", "T"),
    ("ph", "f"),
    ("ks|x", "X"),
    ("kh|ch|h", ""),
    ("mp|b", "v"),
    ("nt", "d"),
    ("ng|nk|gk", "g"),
    ("ou|oy", "y"),
    ("(?<=[ae])[uyf]", "v"),
    ("[eiuy]+", "i"),
    _TWICE,
)
_UMLAUTS: _Rules = (("aa|ae", "a"), ("oe", "o"), ("ue", "u"), ("dj|dh", "d"), _TWICE)
_UNHEARD = str.maketrans("", "", "aeiouyjghkxtcsvzwbfpq")
"""Letters that some scheme writes otherwise."""


@lru_cache(maxsize=4096)
def script_of(text: str) -> Script:
    """The script that most of its letters are of; ``latin`` of none."""
    if text.isascii():
        return "latin"
    found = Counter(map(_script, filter(str.isalpha, text)))
    return max(found, key=lambda script: found[script], default="latin")


def _script(letter: str) -> Script:
    if letter < "\u0250" or "\u1e00" <= letter <= "\u1eff":
        return "latin"
    if letter < "\u0530":
        return "greek" if letter < "\u0400" else "cyrillic"
    return "greek" if "\u1f00" <= letter <= "\u1fff" else "other"


def sound_of(title: str, key: str) -> str:
    """What is left of a title in each of its spellings; of others too: to find, not to decide.

    ``key`` is its ``title_key``. Empty where that is.
    """
    if not title.isascii() and script_of(title) != "latin":
        key = "".join(filter(str.isalnum, _in_latin(fold(strip_markup(title)))))
    if not key:
        return ""
    left = key.translate(_UNHEARD)
    for letter in "dlmnr":  # Faster than a pattern, and an import asks it of each name.
        left = left.replace(2 * letter, letter)
    return "~" + left


def is_spelled_alike(one: str, other: str) -> bool:
    """Whether two titles or names are one, spelled by two schemes."""
    return any(_left(one, rules) == _left(other, rules) for rules in _rules_for(one, other))


def may_begin_alike(one: str, other: str) -> bool:
    """Whether two letters may begin one name: Ю and J, of *Jurij*."""
    return not {*_INITIALS.get(ord(one), _in_latin(one)[:1])}.isdisjoint(
        _INITIALS.get(ord(other), _in_latin(other)[:1])
    )


def _rules_for(one: str, other: str) -> tuple[_Rules, ...]:
    """By which rules two texts are compared, of their scripts."""
    scripts = {script_of(one), script_of(other)}
    if scripts == {"latin"}:
        return _UMLAUTS, _SLAVIC
    if "latin" not in scripts or "other" in scripts:
        return ()
    return (_SLAVIC, _SLAVIC_ELSEWHERE) if "cyrillic" in scripts else (_HELLENIC,)


@lru_cache(maxsize=4096)
def _left(text: str, rules: _Rules) -> str:
    """What is left of a text when that is taken away in which the schemes differ."""
    text = strip_markup(text).casefold()
    if rules is not _UMLAUTS:
        text = text.translate(_BEFORE_FOLDING)
    left = _in_latin(" ".join(tokens_of(text)))
    for pattern, letters in rules:
        left = re.sub(pattern, letters, left)
    return left.replace(" ", "")


def _in_latin(folded: str) -> str:
    return folded if folded.isascii() else folded.translate(_IN_LATIN)

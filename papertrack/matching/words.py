"""Split titles and names into words that compare equal in every spelling.

Numerals become numbers. Umlauts may be written out, and Cyrillic or Greek may be in Latin letters.
Each script has a dozen common schemes (GOST, ISO 9, BGN, the Library of Congress, those of
scholars; ELOT 743). None of them is reversed. Two spellings are the same if the same letters remain
after all letters in which the schemes differ are removed. Scripts that cannot be compared this way,
such as Chinese and Latin, are reported.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from functools import lru_cache
from typing import Literal

from papertrack.text import fold, normalize, strip_markup

SMALL_WORDS = frozenset(
    "the a an of for and in on at to by with from as via de la le les des du der die das ein eine"
    " und et en el los las del di il y e".split()
)
"""Words that may be missing from a title or a name."""

_RUNS = re.compile(r"[0-9]+|[^\W\d_]+")
_THOUSANDS = re.compile(r"(?<=[0-9])[,\u2009\u202f](?=[0-9]{3}(?![0-9]))")
_ROMAN = re.compile(r"x{0,3}(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10}
_NOT_ROMAN = frozenset({"i", "v", "x", "xi", "vi"})
"""In lower case these are other words: letters, *versus*, Greek letters."""
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
    """Return the words of a text, folded; letters and digits apart, numerals as digits.

    ``tokens_of("Hodge theory, Part II") == ("hodge", "theory", "part", "2")``
    """
    text = strip_markup(text)
    if not text.isascii():
        text = normalize("NFKC", _THOUSANDS.sub("", text))
    text = _ORDINAL.sub(r"\1", _THOUSANDS.sub("", text.replace("&", " and ")))
    return tuple(filter(None, map(_token, _RUNS.findall(text))))


def _token(word: str) -> str:
    folded = fold(word)
    if folded.isascii() and len(folded) <= 7:
        folded = _NUMBER_WORDS.get(folded, folded)
        is_numeral = word.isupper() or folded not in _NOT_ROMAN
        if is_numeral and folded and _ROMAN.fullmatch(folded):
            return str(_roman(folded))
    return folded.lstrip("0") or "0" if folded.isdecimal() else folded


def _roman(numeral: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in numeral]
    signs = [-1 if value < next_value else 1 for value, next_value in itertools.pairwise(values)]
    return sum(sign * value for sign, value in zip([*signs, 1], values, strict=True))


def is_distinguishing(word: str) -> bool:
    """Return whether a word alone makes a title another one: a number, a letter, *not*."""
    return word.isdecimal() or (len(word) == 1 and word != "a") or word in ("not", "no", "non")


Script = Literal["latin", "cyrillic", "greek", "other"]


def _letter_map(pairs_text: str) -> dict[int, str]:
    pairs = (pair.partition("=") for pair in pairs_text.split())
    return {ord(letter): latin for letter, _, latin in pairs}


# Letters after ``fold``, which removes accents: й is и and ё is е.
_IN_LATIN = _letter_map(
    "а=a б=b в=v г=g д=d е=e ж=zh з=z и=i к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts"
    " ч=ch ш=sh щ=shch ъ= ы=y ь= э=e ю=yu я=ya і=i є=ye ґ=g ђ=dj ј=j љ=lj њ=nj ћ=c џ=dzh ѕ=dz ѣ=e"
    " α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s τ=t υ=y φ=f χ=ch"
    " ψ=ps ω=o"
)
_INITIALS = _letter_map(
    "в=vw г=gh е=ey ж=zj и=iyj к=kcq х=khcx ц=tcz ч=ct ш=s щ=s э=e ю=yju я=yji є=yjie ђ=d ћ=c џ=d"
    " й=yji і=iyj β=vb γ=gyj η=ieh ι=ijy κ=kc μ=mb ν=n ξ=xk ο=oh τ=td υ=yuih φ=fp χ=ckhx ω=oh"
)
"""The Latin letters with which a name may begin that begins with this letter."""
_ACCENTED_SOUNDS = _letter_map("č=ch š=sh ž=zh ŝ=shch â=ya û=yu đ=dj") | dict.fromkeys(
    map(ord, "'’‘ʼʹʺ`´"), ""
)
"""Sounds of accented letters in scholars' schemes. Signs that are not spoken are removed."""
_Rules = tuple[tuple[str, str], ...]
# Patterns are strings, which re compiles at their first use, to keep the start-up fast.
_DOUBLE = (r"(.)\1+", r"\1")
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
    _DOUBLE,
)
_SLAVIC_ABROAD: _Rules = (("tsch", "C"), ("(?<![st])ch|g", "kh"), *_SLAVIC)
"""German and Czech write ch for х, others for ч; Ukrainian writes г as h."""
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
    _DOUBLE,
)
_UMLAUTS: _Rules = (("aa|ae", "a"), ("oe", "o"), ("ue", "u"), ("dj|dh", "d"), _DOUBLE)
_VARIABLE_LETTERS = str.maketrans("", "", "aeiouyjghkxtcsvzwbfpq")
"""Letters that some scheme writes in another way."""


@lru_cache(maxsize=4096)
def script_of(text: str) -> Script:
    """Return the script of most letters of a text; ``latin`` if it has no letters."""
    if text.isascii():
        return "latin"
    counts = Counter(map(_script, filter(str.isalpha, text)))
    return max(counts, key=lambda script: counts[script], default="latin")


def _script(letter: str) -> Script:
    if letter < "\u0250" or "\u1e00" <= letter <= "\u1eff":
        return "latin"
    if letter < "\u0530":
        return "greek" if letter < "\u0400" else "cyrillic"
    return "greek" if "\u1f00" <= letter <= "\u1fff" else "other"


def sound_of(title: str, key: str) -> str:
    """Return a search key that all spellings of a title share; other titles may share it too.

    ``key`` is the ``title_key`` of the title. The result is empty if the key is.
    """
    if not title.isascii() and script_of(title) != "latin":
        key = "".join(filter(str.isalnum, _in_latin(fold(strip_markup(title)))))
    if not key:
        return ""
    sound = key.translate(_VARIABLE_LETTERS)
    for letter in "dlmnr":  # Faster than a regular expression: imports call this for each name.
        sound = sound.replace(2 * letter, letter)
    return "~" + sound


def is_spelled_alike(left: str, right: str) -> bool:
    """Return whether two titles or names are the same in two transliterations."""
    return any(_skeleton(left, r) == _skeleton(right, r) for r in _rules_for(left, right))


def may_begin_alike(left: str, right: str) -> bool:
    """Return whether one name may begin with either letter: Ю and J of *Jurij*."""
    return not {*_INITIALS.get(ord(left), _in_latin(left)[:1])}.isdisjoint(
        _INITIALS.get(ord(right), _in_latin(right)[:1])
    )


def _rules_for(left: str, right: str) -> tuple[_Rules, ...]:
    """Return the sets of rules for comparing two texts, by their scripts."""
    scripts = {script_of(left), script_of(right)}
    if scripts == {"latin"}:
        return _UMLAUTS, _SLAVIC
    if "latin" not in scripts or "other" in scripts:
        return ()
    return (_SLAVIC, _SLAVIC_ABROAD) if "cyrillic" in scripts else (_HELLENIC,)


@lru_cache(maxsize=4096)
def _skeleton(text: str, rules: _Rules) -> str:
    """Return a text without the differences between transliteration schemes."""
    text = strip_markup(text).casefold()
    if rules is not _UMLAUTS:
        text = text.translate(_ACCENTED_SOUNDS)
    rest = _in_latin(" ".join(tokens_of(text)))
    for pattern, letters in rules:
        rest = re.sub(pattern, letters, rest)
    return rest.replace(" ", "")


def _in_latin(folded: str) -> str:
    return folded if folded.isascii() else folded.translate(_IN_LATIN)

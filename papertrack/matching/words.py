"""Split titles and names into words that compare equal in every spelling.

Numerals become numbers. Umlauts may be written out, and Cyrillic or Greek may be in Latin letters.
Each script has a dozen common schemes (GOST, ISO 9, BGN, the Library of Congress, those of
scholars; ELOT 743). None of them is reversed. Two spellings are the same if the same letters remain
after all letters in which the schemes differ are removed. Scripts that cannot be compared this way,
such as Chinese and Latin, are reported.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache
from pathlib import Path

from papertrack.text import fold, normalize, strip_markup

_RUNS = re.compile(r"[0-9]+|[^\W\d_]+")
_THOUSANDS = re.compile(r"(?<=[0-9])[,\u2009\u202f](?=[0-9]{3}(?![0-9]))")
_NOT_ROMAN = frozenset({"i", "v", "x", "xi", "vi"})
"""In lower case these are other words: letters, *versus*, Greek letters."""
_ORDINAL = re.compile(r"(?<![0-9])([0-9]+)(?:st|nd|rd|th)\b", re.IGNORECASE)


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
    if folded.isdecimal():
        return folded.lstrip("0") or "0"
    is_word = folded in _NOT_ROMAN and not word.isupper()
    return folded if is_word else table_of("numbers").get(folded, folded)


def is_distinguishing(word: str) -> bool:
    """Return whether a word alone makes a title another one: a number, a letter, *not*."""
    return word.isdecimal() or (len(word) == 1 and word != "a") or word in ("not", "no", "non")


@cache
def terms(name: str) -> tuple[str, ...]:
    """Return a list of ``terms.txt``: words and patterns, the alternatives of a pattern."""
    text = Path(__file__).with_name("terms.txt").read_text("utf-8")
    lists = (part.partition("]\n") for part in text.split("\n\n[")[1:])
    return next(tuple(lines.rstrip("\n").split("\n")) for title, _, lines in lists if title == name)


@cache
def table_of(name: str) -> dict[str, str]:
    """Return a list of ``terms.txt`` with values as a table: term to value."""
    rows = (line.partition(":") for line in terms(name))
    return {term: value for value, _, row in rows for term in row.split()}


@lru_cache(maxsize=4096)
def respell(text: str, name: str) -> str:
    """Replace the patterns of a list of ``terms.txt`` in a text, one after the other."""
    for line in terms(name):
        pattern, _, replacement = line.partition(" ->")
        text = re.sub(pattern, replacement.strip(), text)
    return text


@cache
def pattern_of(form: str) -> re.Pattern[str]:
    """Compile a pattern in which each ``<name>`` is replaced by the terms of that list."""
    return re.compile(
        re.sub(r"<([a-z]+(?: [a-z]+)*)>", lambda name: "|".join(terms(name[1])), form)
    )


_VARIABLE_LETTERS = str.maketrans("", "", "aeiouyjghkxtcsvzwbfpq")
"""Letters that some scheme writes in another way."""


@lru_cache(maxsize=4096)
def script_of(text: str) -> str:
    """Return the script of most letters of a text: latin, cyrillic, greek or other."""
    letters = "" if text.isascii() else filter(str.isalpha, text)
    scripts = Counter(unicodedata.name(letter, "").partition(" ")[0].lower() for letter in letters)
    script = max(scripts, key=scripts.__getitem__, default="latin")
    return script if script in ("latin", "cyrillic", "greek") else "other"


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
    scripts = {script_of(left), script_of(right)}
    if len(scripts) > 1 and ("latin" not in scripts or "other" in scripts):
        return False
    rules = "one script" if len(scripts) == 1 else "two scripts"
    return _skeleton(left, rules) == _skeleton(right, rules)


@lru_cache(maxsize=4096)
def _skeleton(text: str, rules: str) -> str:
    """Return a text without the differences between transliteration schemes."""
    # Before accents are removed: č is ch.
    words = tokens_of(_in_latin(normalize("NFC", text)))
    return respell(_in_latin(" ".join(words)), rules).replace(" ", "")


def _in_latin(folded: str) -> str:
    return folded.translate({ord(letter): latin for letter, latin in table_of("letters").items()})

"""The terms that the ranking uses: words and pairs of words, which are readable as reasons."""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from papertrack.text import fold

STOP_WORDS = frozenset(
    # Function words of English, the language of nearly all abstracts.
    "about above across after again against all almost alone along already also although always am "
    "among an and another any anything are around as at away back be became because become becomes "
    "been before behind being below between beyond both but by can cannot could did do does doing "
    "done down due during each either else enough especially etc even ever every everything few "
    "first for from further get give given gives go had has have having he hence her here him his "
    "how however if in indeed instead into is it its itself just last least less let like made "
    "mainly make makes making many may me might more moreover most mostly much must my namely near "
    "nearly need neither never nevertheless next no none nor not nothing now of off often on once "
    "one only onto or other others otherwise our ours out over own per perhaps put quite rather "
    "really same second see seem seems several shall she should since so some something sometimes "
    "still such take taken than that the their them themselves then there thereby therefore these "
    "they third this those though three through throughout thus to together too toward towards two "
    "under until up upon us use used uses using usually various very via was we well were what "
    "when where whereas whether which while who whole whom whose why will with within without "
    "would yet you your "
    # Words that abstracts of any field use about themselves.
    "paper papers work works present presents presented propose proposes proposed show shows shown "
    "showing demonstrate demonstrates demonstrated introduce introduces introduced study studies "
    "approach approaches method methods result results experiment experiments experimental "
    "experimentally extensive novel new recent recently existing previous prior state art "
    "outperform outperforms achieve achieves achieved achieving address addresses address aim aims "
    "based code available github https http www project page significantly significant "
    "including include includes".split()
)
TITLE_COUNT = 2
"""A word in the title counts as this many in the abstract."""

_NOT_PROSE = re.compile(r"\$[^$]*\$|\\[a-z]+|https?://\S+")
"""TeX and URLs."""
_PARTS = re.compile(r"[\u2e80-\u9fff\uac00-\ud7a3]|[^\W\d_]+|[^\w\s]")
"""Words, and characters that separate pairs of words.

In Chinese, Japanese and Korean, each character is a word, and two are a pair.
"""
_BREAK = "."
_NO_WORD = STOP_WORDS | {_BREAK, *string.ascii_lowercase}
"""Single letters come from formulas, so they are not words."""
_DIGITS_TABLE = bytes.maketrans((string.digits + "_-").encode(), b" " * 12)
_BREAKS_TABLE = bytes.maketrans(
    string.punctuation.replace("_", "").replace("-", "").encode(),
    _BREAK.encode() * (len(string.punctuation) - 2),
)

Terms = dict[str, float]
"""Words and pairs, with how often the text has them, and authors."""
AUTHOR = "@"
"""The prefix of authors among the terms."""
AUTHORS_WEIGHT = 0.5
"""The total weight of a paper's authors, as the length of a vector; words have 1."""


def terms_of(title: str, abstract: str, authors: Sequence[str] = ()) -> Terms:
    """Return the words and pairs of a paper with their counts, and its folded authors."""
    counts = Counter(_terms(title) * TITLE_COUNT + _terms(abstract))
    # Frequent words say more, but less than proportionally (sublinear counts).
    values = {count: 1.0 + math.log(count) for count in set(counts.values())}
    terms = {term: values[count] for term, count in counts.items()}
    names = {AUTHOR + fold(name) for name in authors}
    return terms | dict.fromkeys(sorted(names), AUTHORS_WEIGHT / math.sqrt(len(names) or 1))


def _terms(text: str) -> list[str]:
    words = words_of(text)
    pairs = [f"{first} {second}" for first, second in pairwise(words) if first and second]
    return [*filter(None, words), *pairs]


def words_of(text: str) -> list[str | None]:
    """Return the significant words in order; None in place of other words and separators."""
    text = fold(text)
    if "$" in text or "\\" in text or "://" in text:
        text = _NOT_PROSE.sub(f" {_BREAK} ", text)
    if text.isascii():
        # The same as the pattern below, in a third of the time.
        separated = text.encode().translate(_BREAKS_TABLE).replace(b".", b" . ")
        words = separated.translate(_DIGITS_TABLE).decode().split()
        return [None if word in _NO_WORD else word for word in words]
    parts = _PARTS.findall(text)
    return [None if word in _NO_WORD or not word.isalpha() else word for word in parts]

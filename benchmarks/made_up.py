"""Papers that nobody wrote, the same for the same number, with words as texts have them.

Words come as often as Zipf's law says: a few stand in every abstract, most in one of thousands.
Fifteen words would make every search find every paper, and every index small.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, product
from typing import NamedTuple

_STARTS = ("b", "c", "d", "f", "gr", "h", "k", "l", "m", "n", "p", "qu", "r", "st", "tr", "v", "w")
_VOWELS = ("a", "e", "i", "o", "u", "ea", "io")
_ENDS = ("l", "n", "r", "s", "t", "nt", "ng", "tion", "")
WORDS = 20_000
FAMILIES = 4_000
CATEGORIES = 40
MONTHS = 228
"""Nineteen years."""


class MadeUp(NamedTuple):
    """A paper with what a list tells of it."""

    arxiv_id: str
    citekey: str
    title: str
    authors: tuple[str, ...]
    abstract: str
    submitted: str
    passes_done: int
    decision: str
    category: str


def vocabulary(dice: random.Random) -> list[str]:
    """Make words, the most frequent first."""
    syllables = ["".join(parts) for parts in product(_STARTS, _VOWELS, _ENDS)]
    several = ("".join(dice.choices(syllables, k=dice.choice((1, 2, 2, 3)))) for _ in range(60_000))
    return list(dict.fromkeys(several))[:WORDS]


def made_up_papers(count: int) -> Iterator[MadeUp]:
    """Make papers, each with 150 to 200 words of abstract and up to twelve authors."""
    dice = random.Random(20261122)
    words = vocabulary(dice)
    weights = list(accumulate(1 / rank for rank in range(1, WORDS + 1)))
    families = [word.capitalize() for word in words[-FAMILIES:]]
    often = list(accumulate(1 / rank**0.5 for rank in range(1, FAMILIES + 1)))

    def text(length: int) -> str:
        return " ".join(dice.choices(words, cum_weights=weights, k=length)).capitalize()

    in_month: Counter[int] = Counter()
    for number in range(count):
        month = number * MONTHS // count
        in_month[month] += 1
        year, of_year = 7 + month // 12, month % 12 + 1
        last = dice.choices(families, cum_weights=often, k=dice.randint(1, 12))
        passes = dice.choices((0, 1, 2, 3), (6, 2, 1, 1))[0]
        yield MadeUp(
            f"{year:02}{of_year:02}.{in_month[month]:0{4 if year < 15 else 5}}",
            f"{last[0]}{2000 + year}n{number}".lower(),
            text(dice.randint(5, 12)),
            tuple(f"{dice.choice(families)[:5]} {name}" for name in last),
            text(dice.randint(150, 200)) + ".",
            f"20{year:02}-{of_year:02}-01T00:00:00+00:00",
            passes,
            "saved" if passes else dice.choice(("saved", "saved", "inbox", "discarded")),
            f"Topic {number % CATEGORIES}",
        )

"""How two titles are related: one, one cut short, one with a slip in it, or two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from itertools import accumulate

from papertrack import differences
from papertrack.same_work.spelling import is_spelled_alike, script_of, sound_of
from papertrack.same_work.words import (
    answers_of,
    is_part,
    is_telling_apart,
    numbers_of,
    part_number,
    part_numbers,
    pieces_of,
    signs_of,
    tokens_of,
)
from papertrack.text import title_key

_ALIKE = 88
"""rapidfuzz's ratio, of 100, from which titles may be one with a slip in it."""
_SLIP = 6
"""Letters from which on one wrong letter is a slip: ``macro`` and ``micro`` are two words."""
_SMALL = 3
"""Letters up to which a word may be missing: *the*, *of*, *for*."""
_NAME = 3
"""Words that the name of a program or a project has at most."""
_FIRST_OF_WORDS = "\u1100"
"""From here on a character is a syllable or a word, and another one no slip."""
_RELATED = 0.5
"""The share of the shorter title's words that a reworded one keeps."""
LONG = 2000
"""Letters of a title that are compared one by one: no title has more, but what is none may."""


class Likeness(Enum):
    """How far two titles are alike."""

    SAME = auto()
    CUT = auto()
    """One lacks the other's subtitle, or the name before its colon."""
    SLIP = auto()
    """They differ in a letter or a small word."""
    WITHIN = auto()
    """One goes on where the other one ends."""
    RELATED = auto()
    """Half of their words are the same."""
    UNKNOWN = auto()
    """One has none, or they are in different scripts: one may be the other's translation."""
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Compared:
    """How two titles are related."""

    likeness: Likeness
    against: str | None = None
    """What in the titles says that they are of two works."""


@lru_cache(maxsize=4096)
def compare_titles(one: str | None, other: str | None) -> Compared:
    """Tell how two titles are related, and what in them speaks against one work."""
    if not one or not other or not title_key(one) or not title_key(other):
        return Compared(Likeness.UNKNOWN)
    compared = _likeness(one, other)
    if answers := answers_of(one) ^ answers_of(other):
        return Compared(compared.likeness, f"only one is a {min(answers)}")
    return compared


def _likeness(one: str, other: str) -> Compared:
    words, others = tokens_of(one), tokens_of(other)
    if title_key(one) == title_key(other) or words == others:
        signs = [
            (*numbers_of(of), *signs_of(title)) for of, title in ((words, one), (others, other))
        ]
        return Compared(Likeness.SAME, _told_apart(*signs))
    if _is_respelled(one, other):
        # Of plain letters nothing says that they stand for others.
        is_plain = one.isascii() and other.isascii()
        told = _told_apart(signs_of(one), signs_of(other))
        return Compared(Likeness.SLIP if is_plain else Likeness.SAME, told)
    short, long = (one, other) if len(words) <= len(others) else (other, one)
    found = _cut(short, long) or _slipped(one, other, words, others)
    return found or _going_on(*sorted((words, others), key=len)) or _rest(one, other)


def _is_respelled(one: str, other: str) -> bool:
    sounds = (sound_of(title, title_key(title)) for title in (one, other))
    return len({*sounds}) == 1 and is_spelled_alike(one, other)


def _told_apart(numbers: tuple[str, ...], others: tuple[str, ...]) -> str | None:
    if numbers == others:
        return None
    told = (" ".join(some) or "none" for some in (numbers, others))
    return f"other numbers: {' and '.join(told)}"


def _cut(short: str, long: str) -> Compared | None:
    """The shorter title is what the longer one begins or ends with, up to a colon or the like."""
    pieces = pieces_of(long)
    if len(pieces) == 1:
        return None  # Most titles.
    words = tokens_of(short)
    ends = [*accumulate(len(tokens_of(piece)) for piece in pieces)]
    for count, end in enumerate(ends[:-1], start=1):
        # Only what is as long can be the same: a long title may have thousands of pieces.
        is_head, is_rest = end == len(words), ends[-1] - end == len(words)
        if not (is_head or is_rest):
            continue
        head, rest = pieces[:count], pieces[count:]
        if is_head and _words_of(head) == words:
            number = next(filter(None, map(part_number, (rest[0], rest[-1]))), None)
            return Compared(Likeness.CUT, f"only one is part {number}" if number else None)
        if is_rest and _words_of(rest) == words and _is_name(head):
            return Compared(Likeness.CUT)
    return None


def _words_of(pieces: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for piece in pieces for word in tokens_of(piece))


def _is_name(pieces: tuple[str, ...]) -> bool:
    """Whether this, before a colon, is what the work is called: ``BERT``, ``Slave Voyages``."""
    words = " ".join(pieces).split()
    return len(words) <= _NAME and not is_part(words)


def _slipped(
    one: str, other: str, words: tuple[str, ...], others: tuple[str, ...]
) -> Compared | None:
    """Nearly the same words: with a slip in them, or with one that makes another work of it."""
    # Imported here because only titles that differ pay for it.
    from rapidfuzz import fuzz

    keys = (title_key(title)[:LONG] for title in (one, other))
    if fuzz.ratio(*keys) < _ALIKE and not _share_most(words, others):
        return None
    changes = list(_changes(words, others))
    telling = {word for change in changes for part in change for word in part}
    apart = sorted(filter(is_telling_apart, telling))
    if apart:
        return Compared(Likeness.RELATED, f"only one says {', '.join(apart)}")
    if all(_is_slip("".join(left), "".join(right)) for left, right in changes):
        return Compared(Likeness.SLIP)
    return None


def _share_most(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether all words of one are the other's too, but for numbers."""
    plain = [{word for word in some if not is_telling_apart(word)} for some in (words, others)]
    return plain[0] == plain[1] != set()


def _changes(
    words: tuple[str, ...], others: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The words that differ, beside those that stand in their place."""
    for start, end, other_start, other_end in differences.changes(words, others):
        yield words[start:end], others[other_start:other_end]


def _is_slip(left: str, right: str) -> bool:
    """Whether two words are one, spelled otherwise, or a small one is missing."""
    if left == right:
        return True
    if not left or not right:
        return len(left + right) <= _SMALL
    if left[0] != right[0] or max(left + right) >= _FIRST_OF_WORDS:
        return False
    # Imported here because only a mismatch pays for it.
    from rapidfuzz.distance import OSA

    is_plural = left + "s" == right or right + "s" == left
    enough = _SLIP if len(left) == len(right) else _SLIP - 1
    return is_plural or (
        min(len(left), len(right)) >= enough and OSA.distance(left, right, score_cutoff=1) == 1
    )


def _going_on(short: tuple[str, ...], long: tuple[str, ...]) -> Compared | None:
    """The longer title goes on where the shorter one ends, as one that was cut by hand."""
    if long[: len(short)] != short:
        return None
    first = long[len(short)]
    return Compared(Likeness.WITHIN, f"only one says {first}" if is_telling_apart(first) else None)


def _rest(one: str, other: str) -> Compared:
    """Titles of other words: a work may have been given another one."""
    words, others = {*tokens_of(one)}, {*tokens_of(other)}
    if script_of(one) != script_of(other) and not words & others:
        return Compared(Likeness.UNKNOWN)
    parts = part_numbers(one), part_numbers(other)
    against = _told_apart(*parts) if all(parts) else None
    contents = [{word for word in some if len(word) > _SMALL} for some in (words, others)]
    smaller = min(map(len, contents)) or 1
    is_related = len(contents[0] & contents[1]) >= _RELATED * smaller
    return Compared(Likeness.RELATED if is_related else Likeness.OTHER, against)

"""The rule: two descriptions are of one work if their titles agree, or a trusted identifier does
and nothing speaks against it.

What speaks against it are numerals and versions, replies and errata, years, editions, volumes and
pages, authors, other identifiers, and what kind of work it is: a thesis is no article, a chapter
not its book. An address is less than an identifier: a site's works may have it in common, and the
versions of a program have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from papertrack.same_work.against import YEARS_OF_PRINT, Objection, objections
from papertrack.same_work.description import ALIKE, Description, Pair
from papertrack.same_work.titles import Likeness
from papertrack.text import plural

_MOST = 0.5
"""The share of the shorter list of authors that is enough where the titles agree."""
LISTED = 60
"""The least score of what may be one work."""


class Answer(Enum):
    """What a comparison comes to."""

    ONE = "one work"
    MAYBE = "may be one work"
    TWO = "two works"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether two descriptions are of one work, and why."""

    answer: Answer
    score: int
    """How likely they are: 0 for two works, else ``LISTED`` to 99."""
    reasons: tuple[str, ...]
    """What speaks for it."""
    against: tuple[str, ...] = ()
    """What speaks against it."""


def judge(one: Description, other: Description, *, has_key: bool = False) -> Verdict:
    """Tell whether two descriptions are of one work, may be, or are of two; with the reasons.

    ``has_key`` says that both stand under one citekey. Of what speaks against it what comes after
    something that nothing outweighs is not looked for.
    """
    pair = Pair(one, other, has_key)
    found = list(_up_to_final(objections(pair)))
    answer = _answer(pair, found)
    score = 0 if answer is Answer.TWO else _score(answer, pair, len(found))
    return Verdict(answer, score, tuple(_reasons(pair)), tuple(one.reason for one in found))


def _up_to_final(found: Iterable[Objection]) -> Iterator[Objection]:
    for objection in found:
        yield objection
        if objection.is_final:
            break


def _answer(pair: Pair, found: Sequence[Objection]) -> Answer:
    if found and found[-1].is_final:
        return Answer.TWO
    if not found and (_is_identified(pair) or _is_named(pair)):
        return Answer.ONE
    return Answer.MAYBE if _is_worth_a_look(pair, is_contradicted=bool(found)) else Answer.TWO


def _is_identified(pair: Pair) -> bool:
    """Whether an identifier says that they are one, and their titles or authors bear it out."""
    if pair.shared and pair.likeness in ALIKE:
        return True
    if not pair.is_registered:
        return False
    if pair.is_in_two_scripts:
        # A DOI is copied easily, and letters do not tell here whether it was.
        return pair.is_same_page and pair.share == 1
    return pair.likeness is Likeness.UNKNOWN or _is_retitled(pair)


def _is_retitled(pair: Pair) -> bool:
    """Whether a work may have got another title: a list's short name for it, or of the same people
    when it came out, or in a translation that stands on the same page."""
    if pair.share is None:
        return pair.has_short_title or pair.likeness in (Likeness.RELATED, Likeness.WITHIN)
    if pair.share < 1:
        return False
    if pair.is_same_page or (pair.likeness is Likeness.WITHIN and pair.is_same_venue is not False):
        return True
    # A DOI is copied easily from one entry to the next one.
    return pair.is_preprint_and_print and (pair.likeness is Likeness.RELATED or pair.is_on_arxiv)


def _is_named(pair: Pair) -> bool:
    """Whether title and authors say that they are one, or title, key and year."""
    if pair.likeness is not Likeness.SAME or pair.is_same_venue is False:
        return False
    if pair.is_telling and pair.share is not None:
        return pair.share >= _MOST
    is_same_year = pair.one.year == pair.other.year and pair.share == 1
    return pair.has_key and (pair.is_telling or is_same_year)


def _is_worth_a_look(pair: Pair, *, is_contradicted: bool) -> bool:
    """Whether a reader may want to see them side by side."""
    if pair.likeness is Likeness.SAME:
        is_near = pair.years <= YEARS_OF_PRINT and (pair.is_telling or pair.is_registered)
        return is_near and _has_authors(pair, _MOST)
    if pair.likeness in ALIKE:
        is_near = pair.years <= (YEARS_OF_PRINT if pair.is_preprint_and_print else 1)
        return is_near and _has_authors(pair, 1 if is_contradicted else _MOST)
    if pair.is_in_two_scripts:
        is_same_year = pair.one.year == pair.other.year is not None
        return pair.is_registered and (pair.share == 1 or is_same_year) and not is_contradicted
    is_same_print = pair.years == 0 and (pair.is_same_venue is True or pair.has_short_title)
    return pair.is_registered and pair.share == 1 and is_same_print and not is_contradicted


def _has_authors(pair: Pair, least: float) -> bool:
    """Whether enough authors are the same; where none are known a title must tell enough, or an
    address be the same."""
    if pair.share is not None:
        return pair.share >= least
    return bool(pair.shared) or (pair.likeness is Likeness.SAME and pair.is_telling)


_TOLD = {
    Likeness.SAME: (20, "same title"),
    Likeness.CUT: (12, "one title is the other cut short"),
    Likeness.SLIP: (10, "titles alike but for a slip"),
}


def _reasons(pair: Pair) -> Iterator[str]:
    """Yield what speaks for it."""
    for identifier in sorted(pair.shared, key=lambda one: (one.scheme, one.value))[:1]:
        yield f"same address: {identifier.scheme}:{identifier.value}"
    if pair.likeness in _TOLD:
        yield _TOLD[pair.likeness][1]
    if pair.share:
        people = min(len(pair.one.people), len(pair.other.people))
        yield f"{plural(round(pair.share * people), 'author')} in common"
    if pair.one.year and pair.one.year == pair.other.year:
        yield "same year"


def _score(answer: Answer, pair: Pair, objections: int) -> int:
    """How likely it is, in the range of the answer."""
    points, _ = _TOLD.get(pair.likeness, (0, ""))
    points += round(10 * (pair.share or 0)) - 8 * objections - min(5, pair.years)
    if pair.shared:
        points += 20 if pair.is_registered else 10
    return max(LISTED, min(99, (70 if answer is Answer.ONE else 55) + points))

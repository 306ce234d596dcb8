"""Read and write small values as people write them: dates, ratings, tags."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

Span = tuple[int, int]
"""Start and end offsets in a text; the end is excluded."""
NOTHING = frozenset(
    "- – — / null none nil n/a na tbd tba unknown :heavy_minus_sign: 无 没有 なし 없음".split()
)
"""Words, in lower case, that fill a cell or line without a value."""
_Value = TypeVar("_Value")
_MONTH_NAMES = (
    "January February March April May June July August September October November December"
).split()
_MONTHS = [name[:3].lower() for name in _MONTH_NAMES]
_MONTH = "|".join(f"{name}[a-z]{{0,6}}" for name in _MONTHS)
_NUMERIC = r"(?P<year>(?:19|20)[0-9]{2})([-/.])(?P<month>[0-9]{1,2})"
_CJK = r"(?P<year>(?:19|20)[0-9]{2})[ ]?年[ ]?(?P<month>[0-9]{1,2})[ ]?月"
_DATES: tuple[re.Pattern[str], ...] = tuple(
    re.compile(rf"(?<![0-9A-Za-z]){pattern}(?![0-9A-Za-z])", re.IGNORECASE)
    for pattern in (
        _NUMERIC + r"\2(?P<day>[0-9]{1,2})",
        r"(?P<month>[0-9]{1,2})/(?P<day>[0-9]{1,2})/(?P<year>[0-9]{4}|[0-9]{2})",
        r"(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})-(?P<year>(?:19|20)[0-9]{2})",
        r"(?P<day>[0-9]{1,2})\.[ ]?(?P<month>[0-9]{1,2})\.[ ]?(?P<year>(?:19|20)[0-9]{2})",
        _NUMERIC,
        r"(?<![0-9]\.)(?P<month>0[1-9]|1[0-2])\.(?P<year>(?:19|20)[0-9]{2})(?![/.-]\w)",
        rf"(?P<name>{_MONTH})\.?[ ](?P<day>[0-9]{{1,2}}),?[ ](?P<year>(?:19|20)[0-9]{{2}})",
        rf"(?P<day>[0-9]{{1,2}})[ ](?P<name>{_MONTH})\.?,?[ ](?P<year>(?:19|20)[0-9]{{2}})",
        rf"(?P<name>{_MONTH})\.?,?[ ](?P<year>(?:19|20)[0-9]{{2}})",
        _CJK + r"[ ]?(?P<day>[0-9]{1,2})[ ]?日",
        _CJK,
        r"(?<![0-9][-/.])(?P<year>(?:19|20)[0-9]{2})(?![-/.][0-9])",
    )
)
_LIKE_DATE = re.compile(r"(?:19|20)[0-9]{2}|[0-9]/[0-9]{1,2}/[0-9]{2}")
"""Matches a part of every date. Most texts do not match, so ``_DATES`` need not be tried."""


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date and its position in a text."""

    iso: str
    """``2023``, ``2023-09`` or ``2023-09-12``."""
    span: Span
    pattern: str
    """Its format, for ``write_date``: ``%Y/%m``, ``%B %d, %Y``."""


_OF_JOURNALS = (
    "Acad|Anal|Ann|Appl|Artif|Autom|Biol|Bull|Chem|Commun|Comput|Eng|Forum|Gener|Graph|Inf|Int"
    "|Intell|J|Knowl|Learn|Lett|Mach|Manag|Math|Med|Nat|Natl|Netw|Neurosci|Phys|Proc|Process"
    "|Psychol|Res|Rev|Robot|Sci|Secur|Soc|Softw|Stat|Surv|Symp|Syst|Technol|Theor|Trans|Vis"
)
ABBREVIATED_JOURNAL = re.compile(rf"\b(?:{_OF_JOURNALS})\.[ ](?:{_OF_JOURNALS})\b")
"""Two words of a journal's name as ISO 4 abbreviates it: ``J. Inf. Sci. Eng.``"""


def stripped(text: str, span: Span, signs: str | None = None) -> Span:
    """Return a span without the blanks, or the characters ``signs``, at its ends.

    If nothing is left, the result is an empty span at its end.
    """
    start, end = span
    kept = text[start:end].lstrip(signs)
    start = end - len(kept)
    return start, start + len(kept.rstrip(signs))


def holds(outer: Span, inner: Span) -> bool:
    """Return whether a span contains another one."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def blanked(text: str, span: Span, hidden: Iterable[Span]) -> str:
    """Return ``text[span]`` with the hidden spans replaced by blanks of the same length."""
    parts, position = [], span[0]
    for start, end in sorted(hidden):
        if start >= position:  # Otherwise it is inside the previous one.
            parts += [text[position:start], " " * (end - start)]
            position = end
    return "".join([*parts, text[position : span[1]]])


def find_date(text: str, start: int = 0, end: int = sys.maxsize) -> FoundDate | None:
    """Return the first of the most precise dates in ``text[start:end]``, or None.

    ``8/13/24`` is month/day/year, as in most lists that write dates so, and ``8.3.2024`` is
    day.month.year. A first number above 12 is the day. If other dates of the text show that days
    come first, this date is read the same way. A date with an impossible month or day is ignored.
    """
    if not _LIKE_DATE.search(text, start, end):
        return None
    matches = filter(None, (pattern.search(text, start, end) for pattern in _DATES))
    return next(filter(None, map(_date_of, matches)), None)


def find_dates(text: str, start: int, end: int) -> Iterator[FoundDate]:
    """Yield all dates in ``text[start:end]``, the most precise first. They do not overlap."""
    if not _LIKE_DATE.search(text, start, end):
        return
    for pattern in _DATES:
        dates = list(filter(None, map(_date_of, pattern.finditer(text, start, end))))
        yield from dates
        if dates:
            hidden = blanked(text, (start, end), [date.span for date in dates])
            text = text[:start] + hidden + text[end:]


def _date_of(match: re.Match[str]) -> FoundDate | None:
    """Return the date of a match; None if it has an impossible month or day."""
    read = _read(match.re, match.group(), _is_day_first(match))
    return FoundDate(read[0], match.span(), read[1]) if read else None


@lru_cache(maxsize=512)  # Cached, because thousands of entries share a few months.
def _read(date: re.Pattern[str], text: str, is_day_first: bool) -> tuple[str, str] | None:
    """Return the ISO date and its format; None if it has an impossible month or day."""
    match = date.fullmatch(text)
    if match is None:
        return None
    written = {part: value for part, value in match.groupdict().items() if value}
    numbers = [int(written[part]) for part in ("month", "day") if part in written]
    if "name" in written:
        numbers.insert(0, _MONTHS.index(written["name"][:3].lower()) + 1)
    if is_day_first:
        numbers.reverse()
    if not all(1 <= number <= most for number, most in zip(numbers, (12, 31), strict=False)):
        return None
    year = f"20{written['year']}"[-4:]
    pattern, position = "", 0  # The text with each number replaced by its directive.
    for part in sorted(written, key=match.start):
        pattern += text[position : match.start(part)]
        pattern += _directive(part, written[part], is_day_first)
        position = match.end(part)
    pattern += text[position:]
    return "-".join([year, *(f"{n:02d}" for n in numbers)]), pattern


_ORDERED = re.compile(
    r"(?<![0-9A-Za-z/-])(?P<first>[0-9]{1,2})(?P<sign>[/-])(?P<second>[0-9]{1,2})(?P=sign)"
    r"(?:(?:19|20)[0-9]{2}|(?<=/)[0-9]{2})(?![0-9A-Za-z/-])"
)


def _is_day_first(match: re.Match[str]) -> bool:
    """Return whether the number that a pattern calls the month is the day.

    Only dates that end with the year are ambiguous.
    """
    parts = match.re.groupindex
    if "day" not in parts or "name" in parts or match.start("year") == match.start():
        return False
    return int(match["month"]) > 12 or (
        match.start() == match.start("month") and _puts_days_first(match)
    )


def _puts_days_first(match: re.Match[str]) -> bool:
    """Return whether other dates of the text, with the same separator, put the day first.

    Some of them have a first number above 12, and none has such a second number.
    """
    sign = match.string[match.end("month")]
    return sign in "/-" and _day_places(match.string, sign) == {1}


@lru_cache(maxsize=4)
def _day_places(text: str, sign: str) -> set[int]:
    """Return the places, 1 or 2, where dates of a text have numbers above 12."""
    dates = [date for date in _ORDERED.finditer(text) if date["sign"] == sign]
    places = (("first", 1), ("second", 2))
    return {n for date in dates for place, n in places if 12 < int(date[place]) <= 31}


def _directive(part: str, written: str, is_day_first: bool) -> str:
    """Return the ``write_date`` directive for one part of a date."""
    if part == "year":
        return "%Y" if len(written) == 4 else "%y"
    if part == "name":
        return "%B" if len(written) > 3 and written.title() in _MONTH_NAMES else "%b"
    is_month = (part == "month") != is_day_first
    sign = "m" if is_month else "d"
    return f"%-{sign}" if len(written) == 1 else f"%{sign}"


def write_date(iso: str, pattern: str) -> str | None:
    """Write an ISO date in this format; None if the date is less precise than the format."""
    parts = list(map(int, iso[:10].split("-")))
    if (re.search("%-?d", pattern) and len(parts) < 3) or (
        re.search("%-?[mbB]", pattern) and len(parts) < 2
    ):
        return None
    year, month, day = (*parts, 1, 1)[:3]
    name = _MONTH_NAMES[month - 1]
    shown = {"%Y": f"{year:04d}", "%y": f"{year % 100:02d}", "%B": name, "%b": name[:3]}
    shown |= {"%m": f"{month:02d}", "%-m": f"{month}", "%d": f"{day:02d}", "%-d": f"{day}"}
    return re.sub("%(?:[YyBbmd]|-[md])", lambda directive: shown[directive[0]], pattern)


_STARS = re.compile(r"(?:⭐️|⭐|🌟|★|:star2?:)(?:[ \t]*(?:⭐️|⭐|🌟|★|:star2?:)){0,19}[☆]{0,10}")
STAR = re.compile(r"⭐️|⭐|🌟|★|:star2?:")
_WRITTEN_SCORE = re.compile(r"[0-9]{1,2}(?:(?P<between>[ ]?/[ ]?)(?P<of>5|10))?")
_MAY_RATE = re.compile("[⭐🌟★/]|:star")
_SCORE = re.compile(r"(?<![0-9/.])(?P<score>10|[1-9])(?:\.0)?[ ]?/[ ]?(?P<of>5|10)(?![0-9/])")


def find_rating(text: str, start: int, end: int) -> tuple[int, Span] | None:
    """Return the first stars or score (``4/5``, ``8/10``) as 1 to 5, and its span.

    A score that is not a whole number of stars is ignored.
    """
    if not _MAY_RATE.search(text, start, end):
        return None
    if match := _STARS.search(text, start, end):
        return min(len(STAR.findall(match.group())), 5), match.span()
    match = _SCORE.search(text, start, end)
    rating = of_scale(int(match["score"]), int(match["of"])) if match else None
    return (rating, match.span()) if match and rating else None


def of_scale(score: int, best: int) -> int | None:
    """Convert a score out of 5 or 10 to 1 to 5 stars; None if it is not a whole number."""
    rating, rest = divmod(score * 5, best)
    return rating if not rest and 1 <= rating <= 5 else None


def write_rating(rating: int, samples: Sequence[str]) -> str | None:
    """Write a rating as a number, in the form of the first sample: ``8/10``, ``4``.

    None if that sample is not a number. The scale ends at 10 if any sample is above 5.
    """
    match = _WRITTEN_SCORE.fullmatch(samples[0]) if samples else None
    if match is None:
        return None
    is_of_ten = any(sample.isdecimal() and int(sample[:9]) > 5 for sample in samples)
    best = int(match["of"] or (10 if is_of_ten else 5))
    return f"{rating * best // 5}{match['between'] or ''}{match['of'] or ''}"


PREFIX_TAG = r"[ \t]*(?:\[[A-Za-z][A-Za-z0-9 _/-]{1,39}\](?![\[(:])|【[^【】\n]{1,40}】)"
"""A status tag before a title: ``[Pending Review]``."""
_TAG = re.compile(PREFIX_TAG)
MEDAL = re.compile(
    r":(?P<medal>[a-z0-9_+-]{0,30}(?:medal|fire|trophy|crown)[a-z_]{0,20}):|(?P<sign>[🥇🥈🥉🔥🏆👑])"
)
_MEDAL_NAMES = {
    **{"🥇": "1st_place_medal", "🥈": "2nd_place_medal", "🥉": "3rd_place_medal"},
    **{"🔥": "fire", "🏆": "trophy", "👑": "crown"},
}


def prefix_tags(text: str, start: int, end: int) -> tuple[tuple[str, ...], int]:
    """Return the status tags at the start of a text (``[Pending Review]``), and their end."""
    tags = []
    while match := _TAG.match(text, start, end):
        tags.append(match.group().strip(" \t[]【】"))
        start = match.end()
    return tuple(tags), start


def medal_tags(text: str) -> tuple[str, ...]:
    """Return medals, flames and trophies as tags: ``1st_place_medal``, ``fire``."""
    if text.isascii() and ":" not in text:
        return ()
    names = (m["medal"] or _MEDAL_NAMES[m["sign"]] for m in MEDAL.finditer(text))
    return tuple(dict.fromkeys(names))


def most_common(values: Sequence[_Value]) -> _Value | None:
    """Return the most frequent value. Of equally frequent ones, the first is returned."""
    return max(dict.fromkeys(values), key=values.count) if values else None

"""Marks with a number in them: ``2/3``, ``2nd pass``, 两遍, ``x2``, ``50%``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from papertrack.documents.markdown.marks.kind import (
    MAX_PASSES,
    CellReader,
    Mark,
    MarkKind,
    MarkStyle,
    Shown,
    usual_of,
)
from papertrack.documents.markdown.values import Span, most_common

_FORMS: tuple[tuple[str, ...], ...] = (
    ("0th", "1st", "2nd", "3rd"),
    ("zeroth", "first", "second", "third"),
    ("zero", "one", "two", "three"),
    ("never", "once", "twice", "thrice"),
    ("零", "一", "两", "三"),
    ("零", "一", "二", "三"),
    ("-", "i", "ii", "iii"),
    ("0️⃣", "1️⃣", "2️⃣", "3️⃣"),
    ("⓪", "①", "②", "③"),
)
"""How numbers from 0 to 3 are written, beside the digits of all scripts."""
_ORDINALS = ("0th", "zeroth")
_BARE = ("-", "0️⃣", "⓪")
"""The forms that number an item where nothing stands beside them."""
_NUMBERS = sorted({number for form in _FORMS for number in form if number != "-"}, key=len)
_NUMBER = "|".join((*map(re.escape, reversed(_NUMBERS)), r"\d"))
_AROUND = r"[*_~`\[(【（ \t]*"
_BEHIND = r"[*_~`\])】） \t]*"
_FRAMES = tuple(
    re.compile(rf"(?P<before>{_AROUND}{before})(?P<number>{_NUMBER})(?P<after>{after}{_BEHIND})", 2)
    for before, after in (
        ("", r"[ ]?(?:[/／⁄∕]|of|out of)[ ]?(?P<of>\d)"),
        ("(?:第|已读|读了?|看了?)?", "[ ]?(?:遍|次|刷|回|周目)(?:已?读|阅读)?"),
        (r"(?:(?:pass|read|reading|round|step|stage|level)[ :#-]*|[x×])", ""),
        ("", r"(?:[ -]?(?:pass|read|reading|round|time|step)(?:es|s)?|[x×])?(?: done| read)?"),
    )
)
"""What may stand around the number; flag 2 is ``re.IGNORECASE``."""
_PLURAL = re.compile(r"(?P<word>\b(?:pass|read|reading|round|time|step))(?:es|s)?\b")


@dataclass(frozen=True, slots=True)
class _Count:
    """A counted mark taken apart: ``第``, 二, ``遍``."""

    passes: int
    before: str
    number: str
    form: tuple[str, ...]
    after: str
    of: int

    @property
    def is_numbering(self) -> bool:
        """Whether it is a number and no more, as items are numbered."""
        is_bare = self.form[0].isdecimal() or self.form[0] in _BARE
        return is_bare and not self.before.strip("*_ ") + self.after.strip("*_ .)")

    def written(self, passes: int) -> str:
        """Return it with another number."""
        number = self.form[passes]
        if self.number[:1].isupper():
            number = number.upper() if self.number.isupper() else number.capitalize()
        is_many = passes != 1 and self.form[0] not in _ORDINALS
        after = _PLURAL.sub(lambda match: _plural(match["word"], is_many), self.after)
        return self.before + number + after


def _plural(word: str, is_many: bool) -> str:
    if not is_many:
        return word
    return word + ("es" if word.endswith("ss") else "s")


def _count_of(token: str) -> _Count | None:
    for frame in _FRAMES:
        if match := frame.fullmatch(token):
            number = match["number"]
            form = _form_of(number.casefold(), match["before"])
            passes = int(number) if number.isdecimal() else form.index(number.casefold())
            of = int(match.groupdict().get("of") or MAX_PASSES)
            count = _Count(passes, match["before"], number, form, match["after"], of)
            return count if passes <= of <= MAX_PASSES else None
    return None


def _form_of(number: str, before: str) -> tuple[str, ...]:
    """Return the form of a number; of 一, which two forms share, the one that goes with it."""
    if number.isdecimal():
        return tuple(_in_digits_of(number, passes) for passes in range(MAX_PASSES + 1))
    forms = [form for form in _FORMS if number in form]
    return forms[-1] if before.endswith("第") else forms[0]


def passes_counted(phrase: str) -> int | None:
    """Return the number in a phrase like ``second pass``; None for any other phrase."""
    count = _count_of(phrase)
    return None if count is None or count.is_numbering else count.passes


class Count(MarkKind):
    """The number of passes: ``2/3``, ``2nd``, 两遍."""

    name = "count"
    called = "counts"
    max_passes = MAX_PASSES

    def find(self, text: str, span: Span) -> Mark | None:
        count = _count_of(text[slice(*span)])
        return Mark(self, span, count.passes) if count else None

    def of_list(self, token: str, span: Span) -> Mark | None:
        count = _count_of(token)
        return None if count is None or count.is_numbering else Mark(self, span, count.passes)

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        count = _count_of(most_common([text for passes, text in shown if passes]) or shown[0][1])
        assert count is not None, "only counts are marks of this kind"
        numbers = range(1, count.of + 1)
        words = tuple(usual_of(shown, n) or count.written(n) for n in numbers)
        return replace(style, unread=usual_of(shown, 0), words=words, max_passes=count.of)

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str:
        if passes:
            return style.words[min(passes, len(style.words)) - 1]
        if style.unread is not None:
            return style.unread
        count = _count_of(style.words[0])
        return count.written(0) if count and "/" in count.after else ""


def _in_digits_of(sample: str, number: int) -> str:
    """Return a number in the digits of the sample's script: ١٠٠ for 100 where others are ٥٠."""
    digit = next(filter(str.isdecimal, sample))
    zero = ord(digit) - int(digit)
    return "".join(chr(zero + int(one)) for one in str(number))


_SHARE = re.compile(r"[(\[]?(?P<share>\d{1,3})[ ]?[%％٪][)\]]?(?: (?:read|done|complete))?")
_THIRDS = (33, 34, 66, 67)


class Share(MarkKind):
    """How much of a work was read: ``50%``; all of it is a pass. A third of it is one where a
    column has other thirds than all and nothing."""

    name = "share"
    called = "percentages"

    def cell_reader(self, cells: Iterable[str]) -> CellReader:
        shares = filter(None, map(_SHARE.fullmatch, cells))
        are_thirds = any(int(share["share"]) in _THIRDS for share in shares)

        def read(text: str, span: Span) -> Mark | None:
            return self._mark(text[slice(*span)], span, are_thirds)

        return read

    def of_list(self, token: str, span: Span) -> Mark | None:
        share = _share_in(token)
        is_round = share is not None and (share % 5 == 0 or share in _THIRDS)
        return self._mark(token, span, are_thirds=False) if is_round else None

    def _mark(self, token: str, span: Span, are_thirds: bool) -> Mark | None:
        share = _share_in(token)
        if share is None or share > 100:
            return None
        passes = round(share * 3 / 100) if are_thirds else share // 100
        return Mark(self, span, passes, is_begun=not passes and share > 0)

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        usual = usual_of(shown, 1) or shown[0][1]
        zero = _with_number(0, usual)
        unread = zero if zero in {text for _, text in shown} else None
        numbers = (33, 67, 100) if _are_thirds(shown) else (100,)
        words = tuple(
            usual_of(shown, passes) or _with_number(number, usual)
            for passes, number in enumerate(numbers, start=1)
        )
        return replace(style, unread=unread, words=words, max_passes=len(words))


def _are_thirds(shown: Shown) -> bool:
    """Whether shares that are shown tell more than one pass apart."""
    return any(passes > 1 or _share_in(text) in _THIRDS for passes, text in shown)


def _share_in(text: str) -> int | None:
    match = _SHARE.fullmatch(text)
    return int(match["share"]) if match else None


def _with_number(number: int, text: str) -> str:
    return re.sub(r"\d+", lambda found: _in_digits_of(found.group(), number), text)

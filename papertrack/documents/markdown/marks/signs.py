"""Marks that are signs: one repeated for each pass, a box to tick, the day of reading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from papertrack.documents.markdown.marks.kind import (
    MAX_PASSES,
    CellReader,
    Mark,
    MarkKind,
    MarkStyle,
    Shown,
)
from papertrack.documents.markdown.values import Span, find_date, most_common, write_date

CHECK = r"(?:✅|✔️|✔|☑️|☑|:white_check_mark:|:heavy_check_mark:|:ballot_box_with_check:)"
_SHORTCODE = r":[a-z0-9_+-]{1,40}:"
_READING = re.compile(r"read|pass|skim|finish|done|complete|studied|读|看|遍|完", re.IGNORECASE)


class RepeatedSign(MarkKind):
    """A sign that stands once for each pass: ``✅ ✅``."""

    max_passes = MAX_PASSES

    def __init__(self, name: str, called: str, signs: str, usual: str) -> None:
        """``signs`` is a regular expression of all its spellings, ``usual`` the commonest."""
        self.name = name
        self.called = called
        self.signs = signs
        self.usual = usual
        self._one = re.compile(signs)
        self._run = re.compile(rf"{signs}(?:[ \t]*{signs}){{0,11}}")
        self._lead = re.compile(rf"{signs}[ ]?")
        self._legend = re.compile(
            rf"{signs}[`*_ ]*(?!{_SHORTCODE})[:：=–-]+[ \t]*(?P<meaning>[^\r\n|]{{2,120}})"
        )

    def cell_reader(self, cells: Iterable[str]) -> CellReader:
        return self._find

    def _find(self, text: str, span: Span) -> Mark | None:
        """Return the first run of signs: each is one pass, three at most."""
        match = self._run.search(text, *span)
        if match is None:
            return None
        count = len(self._one.findall(match.group()))
        return Mark(self, match.span(), min(count, self.max_passes))

    def beside_title(self, text: str, gaps: Sequence[Span]) -> Mark | None:
        found = (self._find(text, gap) for gap in gaps)
        return next((mark for mark in found if mark), None)

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        sign = most_common([self._one.findall(text)[0] for _, text in shown])
        several = [self._one.sub("\0", text) for passes, text in shown if passes > 1]
        separator = most_common([text.strip("\0").split("\0")[0] for text in several])
        return replace(
            style,
            sign=sign or self.usual,
            separator=style.separator if separator is None else separator,
        )

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str:
        sign = style.sign if self._one.fullmatch(style.sign) else self.usual
        return style.separator.join([sign] * passes)

    def unmarked(self, text: str) -> str:
        return self._lead.sub("", text)

    def fills(self, text: str) -> bool:
        return re.fullmatch(rf"[ \t]*(?:{self.signs}[ \t]*){{1,12}}", text) is not None

    def allows(self, text: str) -> bool:
        """A legend is a line like ``✅: The first pass``; one that speaks of reading settles it."""
        meanings = [match["meaning"] for match in self._legend.finditer(text)]
        return not meanings or any(_READING.search(meaning) for meaning in meanings)


class Box(MarkKind):
    """A box to tick: ``[x]``."""

    name = "box"
    called = "boxes to tick"
    is_slot = True
    _BOX = re.compile(r"\[(?P<state>[ xX])\](?=[ \t]|$)")

    def cell_reader(self, cells: Iterable[str]) -> CellReader:
        return self._find

    def _find(self, text: str, span: Span) -> Mark | None:
        match = self._BOX.search(text[slice(*span)])
        return self._mark(match, span[0]) if match else None

    def _mark(self, match: re.Match[str], offset: int = 0) -> Mark:
        start, end = match.span()
        return Mark(self, (offset + start, offset + end), int(match["state"] != " "))

    def before_title(self, text: str, start: int, end: int) -> Mark | None:
        match = self._BOX.match(text, start, end)
        return self._mark(match) if match else None

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str:
        return "[x]" if passes else "[ ]"

    def unmarked(self, text: str) -> str:
        return self._BOX.sub("[ ]", text)


class Day(MarkKind):
    """The day of reading, alone in its cell."""

    name = "date"
    called = "dates"
    is_only_in_cells = True
    needs = "The reading column holds dates, and the day of reading is not known."

    def cell_reader(self, cells: Iterable[str]) -> CellReader:
        return self._find

    def _find(self, text: str, span: Span) -> Mark | None:
        date = find_date(text, *span)
        if date is None or (date.start, date.end) != span:
            return None
        return Mark(self, span, 1, date.iso)

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        dates = [find_date(text) for _, text in shown]
        return replace(style, date_format=most_common([date.pattern for date in dates if date]))

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str | None:
        if not passes:
            return ""
        return write_date(at, style.date_format or "%Y-%m-%d") if at else None

"""Signs that stand once for each pass, boxes to tick, and the day of reading."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from papertrack.documents.markdown.marks.kind import (
    MAX_PASSES,
    Mark,
    MarkKind,
    MarkStyle,
    Shown,
)
from papertrack.documents.markdown.values import Span, find_date, most_common, write_date

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

    def find(self, text: str, span: Span) -> Mark | None:
        """Return the first run of signs: each is one pass, three at most."""
        match = self._run.search(text, *span)
        if match is None:
            return None
        count = len(self._one.findall(match.group()))
        return Mark(self, match.span(), min(count, self.max_passes))

    def beside_title(self, text: str, gaps: Sequence[Span]) -> Mark | None:
        return next(filter(None, (self.find(text, gap) for gap in gaps)), None)

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
        return not meanings or any(map(_READING.search, meanings))


class _Boxes(MarkKind):
    """Boxes to tick, however they are written."""

    is_slot = True
    _BOX: re.Pattern[str]

    def find(self, text: str, span: Span) -> Mark | None:
        return self._mark(self._BOX.search(text, *span))

    def before_title(self, text: str, start: int, end: int) -> Mark | None:
        return self._mark(self._BOX.match(text, start, end))

    def _mark(self, match: re.Match[str] | None) -> Mark | None:
        raise NotImplementedError


class Box(_Boxes):
    """A box to tick: ``[x]``."""

    name = "box"
    called = "boxes to tick"
    _BOX = re.compile(r"\[(?P<state>[ xX✓✔√/~])\](?=[ \t]|$)")

    def _mark(self, match: re.Match[str] | None) -> Mark | None:
        if match is None:
            return None
        state = match["state"]
        return Mark(self, match.span(), int(state not in " /~"), is_begun=state in "/~")

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        ticked = most_common([text for passes, text in shown if passes])
        return replace(style, words=(ticked or "[x]",))

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str:
        ticked = style.words[0] if style.words and self._BOX.fullmatch(style.words[0]) else "[x]"
        return ticked if passes else "[ ]"

    def unmarked(self, text: str) -> str:
        return self._BOX.sub("[ ]", text)


class HtmlBox(_Boxes):
    """A box to tick as HTML has it: ``<input type="checkbox" checked>``."""

    name = "html_box"
    called = "boxes to tick in HTML"
    _BOX = re.compile(r"<input\b[^<>]{0,200}?\btype=[\"']?checkbox\b[^<>]{0,200}>", re.IGNORECASE)
    _CHECKED = re.compile(
        r"[ \t]+checked(?:=(?:[\"'][^\"'<>]*[\"']|\w+))?(?=[\s/>])", re.IGNORECASE
    )
    _END = re.compile(r"[ \t]*/?>$")

    def _mark(self, match: re.Match[str] | None) -> Mark | None:
        if match is None:
            return None
        return Mark(self, match.span(), int(self._CHECKED.search(match.group()) is not None))

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        open_box = most_common([text for passes, text in shown if not passes])
        ticked = most_common([text for passes, text in shown if passes])
        ticked = ticked or self._END.sub(r" checked\g<0>", open_box or "")
        open_box = open_box or self._CHECKED.sub("", ticked)
        return replace(style, unread=open_box, words=(ticked,))

    def unmarked(self, text: str) -> str:
        return self._BOX.sub(lambda box: self._CHECKED.sub("", box.group()), text)


class Day(MarkKind):
    """The day of reading, alone in its cell."""

    name = "date"
    called = "dates"
    is_only_in_cells = True
    needs = "The reading column holds dates, and the day of reading is not known."

    def find(self, text: str, span: Span) -> Mark | None:
        date = find_date(text, *span)
        return Mark(self, span, 1, date.iso) if date and date.span == span else None

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        dates = [find_date(text) for _, text in shown]
        return replace(style, date_format=most_common([date.pattern for date in dates if date]))

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str | None:
        if not passes:
            return ""
        return write_date(at, style.date_format or "%Y-%m-%d") if at else None

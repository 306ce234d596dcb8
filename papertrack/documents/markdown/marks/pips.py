"""Marks drawn from repeated signs: ``●●○``, ``🟩🟩⬜``, ``xx``."""

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
from papertrack.documents.markdown.values import Span, most_common

_FULL = "●■◆▲🟩🟢✅☑✔✓▰█🌕⚫★"
_EMPTY = "○□◇△⬜⚪☐▱░🌑☆🔲"
_DRAWN = re.compile(
    rf"(?P<full>(?:[{_FULL}]\ufe0f?[ ]?)*)(?P<empty>(?:[{_EMPTY}]\ufe0f?[ ]?)*)(?<![ ])"
)
_SIGN = re.compile(rf"[{_FULL}{_EMPTY}]\ufe0f?")


def _drawn(cell: str) -> tuple[list[str], list[str]] | None:
    """Return the full signs of a cell and the empty ones; None if it shows anything else."""
    match = _DRAWN.fullmatch(cell)
    signs = _SIGN.findall(cell)
    if match is None or not 2 <= len(signs) <= MAX_PASSES:
        return None
    return _SIGN.findall(match["full"]), _SIGN.findall(match["empty"])


class Pips(MarkKind):
    """As many signs as there are passes, of which those that are done are full: ``●●○``."""

    name = "pips"
    called = "full and empty signs"
    max_passes = MAX_PASSES
    is_only_in_cells = True

    def cell_reader(self, cells: Iterable[str]) -> CellReader:
        if not any(all(drawn) for cell in cells if (drawn := _drawn(cell))):
            return self.find  # Nothing is both: each sign is a mark for itself.

        def read(text: str, span: Span) -> Mark | None:
            drawn = _drawn(text[slice(*span)])
            return Mark(self, span, len(drawn[0])) if drawn else None

        return read

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        cells = [drawn for _, text in shown if (drawn := _drawn(text))]
        full, empty = (_usual_sign(signs) for signs in zip(*cells, strict=True))
        width = max(len(done) + len(left) for done, left in cells)
        separator = " " if any(" " in text for _, text in shown) else ""
        rows = [separator.join(_row(full or "●", empty or "○", n, width)) for n in range(width + 1)]
        return replace(style, unread=rows[0], words=tuple(rows[1:]), max_passes=width)


def _usual_sign(signs: Iterable[Sequence[str]]) -> str | None:
    return most_common([sign for each in signs for sign in each])


def _row(full: str, empty: str, passes: int, width: int) -> list[str]:
    return [full] * passes + [empty] * (width - passes)


_TALLY = re.compile(r"(?P<sign>[xX*+])(?:[ ]?(?P=sign)){0,2}")
_CHECK = re.compile("[✅✔☑✓√]|:(?:white|heavy)_check_mark:")


class Tally(MarkKind):
    """A letter that stands once for each pass: ``x``, ``xx``. Beside check marks it says *no*."""

    name = "tally"
    called = "letters"
    max_passes = MAX_PASSES

    def cell_reader(self, cells: Iterable[str]) -> CellReader:
        means_no = any(map(_CHECK.search, cells))

        def read(text: str, span: Span) -> Mark | None:
            match = _TALLY.fullmatch(text[slice(*span)])
            if match is None or (means_no and match["sign"] not in "xX"):
                return None
            return Mark(self, span, 0 if means_no else match.group().count(match["sign"]))

        return read

    def of_list(self, token: str, span: Span) -> Mark | None:
        return Mark(self, span, 1) if token in ("x", "X") else None

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        read = [text for passes, text in shown if passes] or ["x"]
        sign = most_common([text[0] for text in read]) or "x"
        separator = " " if any(" " in text for text in read) else ""
        rows = tuple(separator.join([sign] * n) for n in range(1, MAX_PASSES + 1))
        return replace(style, words=rows, max_passes=MAX_PASSES)

"""What every kind of reading mark can do.

A reading mark is a claim of the reader's, so it is taken only where the document says it is one:
in a reading column, or beside an item's title. Stars, flames and medals are never reading marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from papertrack.documents.markdown.values import (
    Span,
    find_date,
    most_common,
    prefix_tags,
    write_date,
)

MAX_PASSES = 3


@dataclass(frozen=True, slots=True)
class Mark:
    """A reading mark as it stands in the text."""

    kind: MarkKind
    span: Span
    passes: int
    read_at: str | None = None


@dataclass(frozen=True, slots=True)
class MarkStyle:
    """How a document, or a group of its entries, writes reading marks."""

    kind: MarkKind | None = None
    """The kind that most marks are; None where nothing has a place for marks."""
    max_passes: int = MAX_PASSES
    """How many passes the marks can tell apart."""
    sign: str = "✅"
    """The sign of one pass, for kinds that repeat it."""
    separator: str = " "
    """What stands between the signs of several passes."""
    words: tuple[str, ...] = ()
    """The words for one pass and, where these are told apart, for more."""
    unread: str | None = None
    """What stands for *unread*: a word, or beside other kinds of marks a sign such as ``❌``."""
    date_format: str | None = None
    """A ``strftime`` pattern, for marks that are the day of reading."""

    def to_dict(self) -> dict[str, object]:
        """Return the style as plain data with names a reader understands."""
        has_sign = self.kind is not None and bool(self.kind.signs)
        return {
            "reading_mark": self.kind.name if self.kind else None,
            "reading_mark_text": self.sign if has_sign else None,
            "reading_mark_separator": self.separator if has_sign else None,
            "reading_words": list(filter(None, (self.unread, *self.words))) or None,
        }


CellReader = Callable[[str, Span], Mark | None]
"""Takes a text and where a cell's content stands; returns the mark that the cell holds."""
Shown = Sequence[tuple[int, str]]
"""The marks of one kind that a document shows: passes and text of each."""


class MarkKind:
    """One kind of reading mark. A new kind says what differs and is named in ``registry``."""

    name: str
    """One word, for ``documents --json``."""
    called: str
    """Its marks in a sentence: *boxes to tick*."""
    max_passes = 1
    signs = ""
    """A regular expression of the signs that one pass is marked by, each as often as it is
    repeated; empty for kinds that are no signs."""
    is_slot = False
    """Whether its sign for *unread* is a slot to fill, which a whole list has or has not."""
    is_only_in_cells = False
    needs = ""
    """A sentence: what else must be known to write it, for kinds that need more."""

    def find(self, text: str, span: Span) -> Mark | None:
        """Return the mark that a cell of a reading column holds."""
        return None

    def cell_reader(self, cells: Iterable[str]) -> CellReader:
        """Return what reads the cells of a reading column, whose contents all ``cells`` are: by
        ``find``, unless what a mark means depends on the others."""
        return self.find

    def before_title(self, text: str, start: int, end: int) -> Mark | None:
        """Return the mark that stands right at ``start``, before an item's title."""
        return None

    def beside_title(self, text: str, gaps: Sequence[Span]) -> Mark | None:
        """Return the mark in what an item says outside its links."""
        return None

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        """Return the style with how these marks are written."""
        return style

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str | None:
        """Return the mark for so many passes, the last done on the day ``at``.

        Nothing is an empty text; None says that what it needs is not known.
        """
        raise NotImplementedError

    def unmarked(self, text: str) -> str:
        """Return the text before a title without any pass being marked in it."""
        return text

    def fills(self, text: str) -> bool:
        """Return whether a text is nothing but these marks, which alone make it a reading mark."""
        return False

    def allows(self, text: str) -> bool:
        """Return whether a whole document says nothing against its being a reading mark."""
        return True

    def __repr__(self) -> str:
        return self.name


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


class Box(MarkKind):
    """A box to tick: ``[x]``."""

    name = "box"
    called = "boxes to tick"
    is_slot = True
    _BOX = re.compile(r"\[(?P<state>[ xX])\](?=[ \t]|$)")

    def find(self, text: str, span: Span) -> Mark | None:
        return self._mark(self._BOX.search(text, *span))

    def before_title(self, text: str, start: int, end: int) -> Mark | None:
        return self._mark(self._BOX.match(text, start, end))

    def _mark(self, match: re.Match[str] | None) -> Mark | None:
        return Mark(self, match.span(), int(match["state"] != " ")) if match else None

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


_UNREAD = (
    "unread, not read, todo, to do, to read, to-read, queued, queue, planned, later, no, n, "
    "未读, 待读, 想读, 否, ❌, :x:, ✗, ✘, -, —"
).split(", ")
_SKIMMED = "skimmed, skim, abstract only, glanced, 略读, 泛读, 粗读".split(", ")
_READ = (
    "read, done, finished, yes, y, complete, completed, 已读, 读完, 精读, 是, 已完成, 读"
).split(", ")
_READ_FOR = {
    **dict.fromkeys(("todo", "to do", "planned"), "done"),
    **{"no": "yes", "n": "y", "否": "是"},
    **dict.fromkeys(("未读", "待读", "想读"), "已读"),
    **dict.fromkeys(("略读", "泛读", "粗读"), "精读"),
}
"""The word for *read* that goes with one for something else, where that is not ``read``."""
_PASSES = dict.fromkeys(_UNREAD, 0) | dict.fromkeys(_SKIMMED + _READ, 1)
_AT_END = re.compile(r"[(\[](?P<word>[A-Za-z\u4e00-\u9fff -]{1,14})[)\]][ \t]*$")


class Word(MarkKind):
    """A word of a reading column, or in brackets beside a title: ``[Skimmed]``, ``(read)``.

    A word says that one pass is done, whatever the word; where the column tells *skimmed* and
    *read* apart, *read* is the second pass.
    """

    name = "word"
    called = "words"

    def cell_reader(self, cells: Iterable[str]) -> CellReader:
        passes = dict(_PASSES)
        if any(cell.strip().casefold() in _SKIMMED for cell in cells):
            passes |= dict.fromkeys(_READ, 2)

        def read(text: str, span: Span) -> Mark | None:
            count = passes.get(_bare(text[slice(*span)]))
            return None if count is None else Mark(self, span, count)

        return read

    def before_title(self, text: str, start: int, end: int) -> Mark | None:
        tags, after = prefix_tags(text, start, end)
        passes = _PASSES.get(tags[0].casefold()) if len(tags) == 1 else None
        return None if passes is None else Mark(self, (start, after), passes)

    def beside_title(self, text: str, gaps: Sequence[Span]) -> Mark | None:
        """Return a word in brackets at the very end."""
        start, end = gaps[-1]
        match = _AT_END.search(text, max(start, end - 40), end)
        passes = _PASSES.get(match["word"].strip().casefold()) if match else None
        return None if match is None or passes is None else Mark(self, match.span(), passes)

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        unread = most_common([word for passes, word in shown if passes == 0])
        skimmed = most_common([word for _, word in shown if _bare(word) in _SKIMMED])
        read = most_common([word for passes, word in shown if passes and word != skimmed])
        read = read or _read_word_for(unread or skimmed or "")
        words = tuple(filter(None, (skimmed, read)))
        return replace(style, unread=unread, words=words, max_passes=len(words))

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str:
        if not passes:
            return style.unread or ""
        return style.words[min(passes, len(style.words)) - 1]


def _bare(word: str) -> str:
    """Return a word without case and emphasis."""
    return word.strip("*_~ \t").casefold()


def _read_word_for(other: str) -> str:
    """Return the word for *read* that goes with a word for something else, written like it."""
    plain = other.strip("*_~ \t")
    if not plain[:1].isalpha():
        return "✅"
    word = _READ_FOR.get(plain.casefold(), "read")
    return other.replace(plain, word.capitalize() if plain[0].isupper() else word)

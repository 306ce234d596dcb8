"""Reading marks, and the interface of every kind of mark.

A reading mark is the reader's claim, so it counts only where the document shows that it is one: in
a reading column, or beside an item's title. Stars, flames and medals are never reading marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from papertrack.documents.markdown.marks.vocabulary import Level, bare, level_of, passes_of
from papertrack.documents.markdown.values import Span, most_common

MAX_PASSES = 3


@dataclass(frozen=True, slots=True)
class Mark:
    """A reading mark and its place in the text."""

    kind: MarkKind
    span: Span
    passes: int
    read_at: str | None = None
    is_begun: bool = False
    """Whether a pass was begun but none is done: ``reading``, ``50%``."""
    is_placed: bool = False
    """Whether it has its own cell or labelled line, which other entries may lack."""


@dataclass(frozen=True, slots=True)
class MarkStyle:
    """How a document, or a group of its entries, writes reading marks."""

    kind: MarkKind | None = None
    """The kind of most marks; None if entries have no place for marks."""
    max_passes: int = MAX_PASSES
    """How many passes the marks can distinguish."""
    sign: str = "✅"
    """The sign of one pass, for kinds that repeat it."""
    separator: str = " "
    """The text between the signs of several passes."""
    words: tuple[str, ...] = ()
    """The text for one pass, and for more if they are distinguished.

    Used by words, counts and all other kinds that do not repeat a sign.
    """
    unread: str | None = None
    """The text for *unread*: a word, or a sign such as ``❌`` beside other kinds."""
    date_format: str | None = None
    """A ``strftime`` pattern, for marks that are the date of reading."""

    def to_dict(self) -> dict[str, object]:
        """Return the style as plain data, with names that a reader understands."""
        has_sign = self.kind is not None and bool(self.kind.signs)
        return {
            "reading_mark": self.kind.name if self.kind else None,
            "reading_mark_text": self.sign if has_sign else None,
            "reading_mark_separator": self.separator if has_sign else None,
            "reading_words": list(filter(None, (self.unread, *self.words))) or None,
        }


class Slot:
    """The texts in one place of all siblings, such as the cells of a column.

    The meaning of one may depend on the others: ``x`` is *no* beside ✅.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.texts = tuple(texts)
        self._answers: dict[Callable[[str], object], bool] = {}

    def shows(self, test: Callable[[str], object]) -> bool:
        """Return whether any of the texts passes a test."""
        if test not in self._answers:
            self._answers[test] = any(map(test, self.texts))
        return self._answers[test]

    @cached_property
    def words(self) -> frozenset[str]:
        """The texts without surrounding signs."""
        return frozenset(map(bare, self.texts))

    @cached_property
    def passes(self) -> Mapping[Level | None, int]:
        """The level of reading → how many passes it stands for in this slot."""
        return passes_of(set(map(level_of, self.texts)))


class Shown:
    """The marks of one kind in a document, with their texts."""

    def __init__(self, text: str, marks: Iterable[Mark]) -> None:
        self.marks = [(mark, text[slice(*mark.span)]) for mark in marks]
        self.texts = [words for _, words in self.marks]

    def usual(self, passes: int) -> str | None:
        """Return how this number of passes is usually written; None if no mark shows it."""
        texts = [t for mark, t in self.marks if mark.passes == passes and not mark.is_begun]
        return most_common(texts)

    @property
    def sample(self) -> str:
        """A sample to imitate: the usual mark of finished passes, or else any."""
        read = [text for mark, text in self.marks if mark.passes]
        return most_common(read or self.texts) or ""

    @property
    def blank(self) -> str:
        """The blank between the signs of one mark."""
        return " " if any(" " in text for text in self.texts) else ""


class MarkKind:
    """One kind of reading mark. To add one, subclass this and list it in ``kinds.KINDS``."""

    name: str
    """One word, for ``documents --json``."""
    called: str
    """Its marks in a sentence: *boxes to tick*."""
    signs = ""
    """A regular expression of the signs for one pass, which repeat for more.

    Empty for kinds that do not use signs.
    """
    within: re.Pattern[str] | None = None
    """Finds the mark in a cell with other text; None for marks that fill their cells."""
    before: re.Pattern[str] | None = None
    """A mark before an item's title that needs no evidence from other items."""
    behind: re.Pattern[str] | None = None
    """A mark at the end of an item that needs no such evidence."""
    is_slot = False
    """Whether its sign for *unread* is a slot to fill, which all items of a list have."""
    is_only_in_cells = False
    needs = ""
    """A sentence about what else must be known to write it, for kinds that need more."""

    def read(self, text: str, span: Span, slot: Slot) -> Mark | None:
        """Return the mark that the text at ``span`` is, given the other texts of its slot."""
        raise NotImplementedError

    def find(self, text: str, span: Span, slot: Slot) -> Mark | None:
        """Return the mark in a stretch of a text, such as a cell of a reading column."""
        if self.within is None:
            return self.read(text[slice(*span)], span, slot)
        match = self.within.search(text, *span)
        return self.read(match.group(), match.span(), slot) if match else None

    def is_clear(self, text: str) -> bool:
        """Return whether such a text is a mark beside titles too, if most items have one."""
        return False

    def spell(self, shown: Shown) -> Sequence[str | None]:
        """Return how *unread*, one pass and so on are written, like the marks shown.

        None stands for what is not written.
        """
        raise NotImplementedError

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        """Return the style with the spelling of these marks."""
        unread, *words = self.spell(shown)
        filled = tuple(word for word in words if word)
        return replace(style, unread=unread, words=filled, max_passes=len(filled))

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str | None:
        """Return the mark for this number of passes, the last one done on the day ``at``.

        An empty text means that no mark is written; None, that the day is needed but unknown.
        """
        return style.words[min(passes, len(style.words)) - 1] if passes else style.unread or ""

    def __repr__(self) -> str:
        return self.name


CellReader = Callable[[str, Span], Mark | None]
"""Takes a text and the span of a cell's content; returns the mark in the cell."""

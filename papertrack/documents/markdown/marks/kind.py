"""What a reading mark is, and what every kind of them can do.

A reading mark is a claim of the reader's, so it is taken only where the document says it is one:
in a reading column, or beside an item's title. Stars, flames and medals are never reading marks.
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
    """A reading mark as it stands in the text."""

    kind: MarkKind
    span: Span
    passes: int
    read_at: str | None = None
    is_begun: bool = False
    """Whether it says that a pass was begun, none done: ``reading``, ``50%``."""
    is_placed: bool = False
    """Whether it has a place of its own, a cell or a labelled line, that others need not have."""


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
    """What is between the signs of several passes."""
    words: tuple[str, ...] = ()
    """What stands for one pass and, where these are distinguished, for more: of words, counts and
    whatever else is no repeated sign."""
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


class Slot:
    """The texts at one place of all siblings, as the cells of a column.

    What one of them means may depend on the others: ``x`` is *no* beside ✅.
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
        """The texts without what is around them."""
        return frozenset(map(bare, self.texts))

    @cached_property
    def passes(self) -> Mapping[Level | None, int]:
        """How many passes the words of the slot stand for, by how far they say that one read."""
        return passes_of(set(map(level_of, self.texts)))


class Shown:
    """The marks of one kind that a document shows, with their texts."""

    def __init__(self, text: str, marks: Iterable[Mark]) -> None:
        self.marks = [(mark, text[slice(*mark.span)]) for mark in marks]
        self.texts = [shown for _, shown in self.marks]

    def usual(self, passes: int) -> str | None:
        """Return how so many passes are mostly written; None where that is not shown."""
        own = [t for mark, t in self.marks if mark.passes == passes and not mark.is_begun]
        return most_common(own)

    @property
    def sample(self) -> str:
        """What others are written like: the usual mark of passes done, or else any."""
        read = [text for mark, text in self.marks if mark.passes]
        return most_common(read or self.texts) or ""

    @property
    def blank(self) -> str:
        """What is between the signs of one mark."""
        return " " if any(" " in text for text in self.texts) else ""


class MarkKind:
    """One kind of reading mark. A new kind says what differs and is named in ``kinds.KINDS``."""

    name: str
    """One word, for ``documents --json``."""
    called: str
    """Its marks in a sentence: *boxes to tick*."""
    signs = ""
    """A regular expression of the signs that one pass is marked by, each as often as it is
    repeated; empty for kinds that are no signs."""
    within: re.Pattern[str] | None = None
    """The mark within a cell that may say more; None for marks that fill their cells."""
    before: re.Pattern[str] | None = None
    """A mark right before an item's title that needs no proof from the other items."""
    behind: re.Pattern[str] | None = None
    """Such a mark at the end of an item."""
    is_slot = False
    """Whether its sign for *unread* is a slot to fill, which a whole list has or has not."""
    is_only_in_cells = False
    needs = ""
    """A sentence: what else must be known to write it, for kinds that need more."""

    def read(self, text: str, span: Span, slot: Slot) -> Mark | None:
        """Return the mark that a text at ``span`` is, among those of its slot."""
        raise NotImplementedError

    def find(self, text: str, span: Span, slot: Slot) -> Mark | None:
        """Return the mark in a stretch of a text, as a cell of a reading column is one."""
        if self.within is None:
            return self.read(text[slice(*span)], span, slot)
        match = self.within.search(text, *span)
        return self.read(match.group(), match.span(), slot) if match else None

    def is_clear(self, text: str) -> bool:
        """Return whether a mark of this kind speaks of reading beside titles too, where most items
        of a list have such a text there."""
        return False

    def spell(self, shown: Shown) -> Sequence[str | None]:
        """Return how *unread*, one pass and so on are written like the marks shown; None for what
        is not written."""
        raise NotImplementedError

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        """Return the style with how these marks are written."""
        unread, *words = self.spell(shown)
        filled = tuple(word for word in words if word)
        return replace(style, unread=unread, words=filled, max_passes=len(filled))

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str | None:
        """Return the mark for so many passes, the last done on the day ``at``, in this style.

        Nothing is an empty text; None says that what it needs is not known.
        """
        return style.words[min(passes, len(style.words)) - 1] if passes else style.unread or ""

    def __repr__(self) -> str:
        return self.name


CellReader = Callable[[str, Span], Mark | None]
"""Takes a text and where a cell's content stands; returns the mark that the cell holds."""

"""Reading marks, and the interface of every kind of mark.

A mark is a claim of the user, so a sign counts as a mark only where the document shows that it is
one: in a reading column, or beside the title of an item. Stars, flames and medals are never reading
marks.
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
    """A reading mark and its position in the text."""

    kind: MarkKind
    span: Span
    passes: int
    read_at: str | None = None
    is_begun: bool = False
    """Whether the first pass was started but not finished: ``reading``, ``50%``."""
    is_placed: bool = False
    """Whether it has a cell or a labelled line of its own, which other entries may lack."""


@dataclass(frozen=True, slots=True)
class MarkStyle:
    """How a document, or a group of its entries, writes reading marks."""

    kind: MarkKind | None = None
    """The most frequent kind of mark; None if entries have no place for marks."""
    max_passes: int = MAX_PASSES
    """How many passes the marks distinguish."""
    sign: str = "✅"
    """The sign for one pass, for kinds that repeat a sign."""
    separator: str = " "
    """The text between the signs of several passes."""
    words: tuple[str, ...] = ()
    """The text for one pass, and for more passes if they are distinguished.

    Used by all kinds that do not repeat a sign, such as words and counts.
    """
    unread: str | None = None
    """The text for *unread*: a word, or a sign such as ``❌``. None if unread entries have none."""
    date_format: str | None = None
    """A ``strftime`` pattern, for marks that are the date of reading."""

    def to_dict(self) -> dict[str, object]:
        """Return the style as JSON data, with names that users understand."""
        has_sign = self.kind is not None and bool(self.kind.signs)
        return {
            "reading_mark": self.kind.name if self.kind else None,
            "reading_mark_text": self.sign if has_sign else None,
            "reading_mark_separator": self.separator if has_sign else None,
            "reading_words": list(filter(None, (self.unread, *self.words))) or None,
        }


class Slot:
    """The texts at one place of all siblings, such as the cells of a column.

    The meaning of a mark may depend on the others: ``x`` means *no* beside ✅.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.texts = tuple(texts)
        self._answers: dict[Callable[[str], object], bool] = {}

    def shows(self, test: Callable[[str], object]) -> bool:
        """Return whether any of the texts passes a test. Results are cached."""
        if test not in self._answers:
            self._answers[test] = any(map(test, self.texts))
        return self._answers[test]

    @cached_property
    def words(self) -> frozenset[str]:
        """The texts without surrounding signs."""
        return frozenset(map(bare, self.texts))

    @cached_property
    def passes(self) -> Mapping[Level | None, int]:
        """Maps each level of reading to its number of passes in this slot."""
        return passes_of(set(map(level_of, self.texts)))


class MarkSamples:
    """The marks of one kind in a document, with their texts, to learn their style from."""

    def __init__(self, text: str, marks: Iterable[Mark]) -> None:
        self.marks = [(mark, text[slice(*mark.span)]) for mark in marks]
        self.texts = [words for _, words in self.marks]

    def usual(self, passes: int) -> str | None:
        """Return the usual text for this number of passes; None if no mark shows it."""
        texts = [t for mark, t in self.marks if mark.passes == passes and not mark.is_begun]
        return most_common(texts)

    @property
    def sample(self) -> str:
        """A mark to imitate: the most frequent one for finished passes, or else for any."""
        read = [text for mark, text in self.marks if mark.passes]
        return most_common(read or self.texts) or ""

    @property
    def blank(self) -> str:
        """The blank between the signs of one mark, or ""."""
        return " " if any(" " in text for text in self.texts) else ""


class MarkKind:
    """One kind of reading mark. To add a kind, subclass this and list it in ``kinds.KINDS``."""

    name: str
    """The kind in the JSON of ``documents``, as one word."""
    plural_name: str
    """The kind in messages, in the plural: *boxes to tick*."""
    signs = ""
    """A regular expression for the sign of one pass, which is repeated for more passes.

    Empty for kinds that do not repeat a sign.
    """
    within: re.Pattern[str] | None = None
    """Finds the mark in a cell with other text; None if the mark must fill its cell."""
    before: re.Pattern[str] | None = None
    """Matches a mark before an item's title that needs no evidence from other items."""
    behind: re.Pattern[str] | None = None
    """Matches a mark at the end of an item that needs no evidence from other items."""
    is_slot = False
    """Whether its sign for *unread* is to be filled in, like a box, so all items of a list have
    one."""
    is_only_in_cells = False
    needs = ""
    """A message for a mark that cannot be written, for kinds that need more than the passes."""

    def read(self, text: str, span: Span, slot: Slot) -> Mark | None:
        """Return the mark that a text is, or None. ``slot`` holds the texts of siblings."""
        raise NotImplementedError

    def find(self, text: str, span: Span, slot: Slot) -> Mark | None:
        """Return the mark in a stretch of text, such as a cell of a reading column, or None."""
        if self.within is None:
            return self.read(text[slice(*span)], span, slot)
        match = self.within.search(text, *span)
        return self.read(match.group(), match.span(), slot) if match else None

    def is_clear(self, text: str) -> bool:
        """Return whether this text beside titles is a mark if most items of a list have one."""
        return False

    def spell(self, samples: MarkSamples) -> Sequence[str | None]:
        """Return the texts for *unread*, one pass and so on, in the style of the samples.

        None stands for a text that is not written.
        """
        raise NotImplementedError

    def learn(self, style: MarkStyle, samples: MarkSamples) -> MarkStyle:
        """Return a style completed with the spelling of the samples."""
        unread, *words = self.spell(samples)
        filled = tuple(word for word in words if word)
        return replace(style, unread=unread, words=filled, max_passes=len(filled))

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str | None:
        """Return the mark for a number of passes. ``at`` is the day of the last pass.

        "" means that no mark is written; None means that the day is needed but unknown.
        """
        return style.words[min(passes, len(style.words)) - 1] if passes else style.unread or ""

    def __repr__(self) -> str:
        return self.name


CellReader = Callable[[str, Span], Mark | None]
"""Returns the mark in a cell, given the text and the span of the cell's content."""

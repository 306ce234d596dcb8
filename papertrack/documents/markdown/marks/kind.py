"""What every kind of reading mark can do.

A reading mark is a claim of the reader's, so it is taken only where the document says it is one:
in a reading column, or beside an item's title. Stars, flames and medals are never reading marks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

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
    """What stands between the signs of several passes."""
    words: tuple[str, ...] = ()
    """What stands for one pass and, where these are told apart, for more: of words, counts and
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


CellReader = Callable[[str, Span], Mark | None]
"""Takes a text and where a cell's content stands; returns the mark that the cell holds."""
Shown = Sequence[tuple[int, str]]
"""The marks of one kind that a document shows: passes and text of each."""


def usual_of(shown: Shown, passes: int) -> str | None:
    """Return how so many passes are mostly written; None where that is not shown."""
    return most_common([text for number, text in shown if number == passes])


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

    def of_list(self, token: str, span: Span) -> Mark | None:
        """Return the mark that ``token`` is where it stands alone before or behind the titles of a
        list, most of whose items show such a mark there."""
        return None

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        """Return the style with how these marks are written."""
        return style

    def write(self, style: MarkStyle, passes: int, at: str | None) -> str | None:
        """Return the mark for so many passes, the last done on the day ``at``, as the
        style's words have it.

        Nothing is an empty text; None says that what it needs is not known.
        """
        if not passes:
            return style.unread or ""
        return style.words[min(passes, len(style.words)) - 1]

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


class DocumentMarks(Protocol):
    """The reading marks of one document: how each is told from what is none."""

    @property
    def mean_read(self) -> bool:
        """Whether no legend says that the signs mean something else."""

    def cell_reader(self, cells: Sequence[str]) -> CellReader:
        """Return what reads the cells of a reading column, whose contents all ``cells`` are."""

    def before_title(self, text: str, start: int, end: int) -> Mark | None:
        """Return the mark that stands right at ``start``, before an item's title."""

    def beside_title(self, text: str, gaps: Sequence[Span]) -> Mark | None:
        """Return the mark in what an item says outside its links."""

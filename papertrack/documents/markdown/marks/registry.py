"""All kinds of reading marks, in the order in which they are looked for. The next one goes here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from papertrack.documents.markdown.marks.counts import Count, Share
from papertrack.documents.markdown.marks.kind import (
    CellReader,
    DocumentMarks,
    Mark,
    MarkKind,
    MarkStyle,
)
from papertrack.documents.markdown.marks.listed import ListedMarks, learn_listed
from papertrack.documents.markdown.marks.pips import Pips, Tally
from papertrack.documents.markdown.marks.said import Said, find_meanings
from papertrack.documents.markdown.marks.signs import Box, Day, HtmlBox, RepeatedSign
from papertrack.documents.markdown.marks.words import Word
from papertrack.documents.markdown.values import Span, most_common

_CHECK = (
    r"(?=[✅✔☑✓√:&])(?:✅|✔️|✔|☑️|☑|(?<![\w(])[✓√](?![\w({^\\-])"
    r"|:white_check_mark:|:heavy_check_mark:|:ballot_box_with_check:"
    r"|&(?:check|checkmark|#10003|#10004|#9745|#9989|#x2713|#x2714|#x2705);)"
)
USUAL = RepeatedSign("check", "check marks", signs=_CHECK, usual="✅")
"""The kind that is written where a document has a place for marks and shows none."""
KINDS: tuple[MarkKind, ...] = (
    USUAL,
    Box(),
    HtmlBox(),
    Word(),
    Count(),
    Share(),
    Pips(),
    Tally(),
    Day(),
)


def kind_of(style: MarkStyle) -> MarkKind:
    """Return the kind of marks that a style writes."""
    return style.kind or USUAL


@dataclass(frozen=True, slots=True)
class _Marks:
    """The reading marks of one document, by all kinds and by what its lists prove."""

    mean_read: bool
    kinds: tuple[MarkKind, ...]
    listed: ListedMarks

    def cell_reader(self, cells: Sequence[str]) -> CellReader:
        plain = [cell.strip() for cell in cells]
        readers = [kind.cell_reader(plain) for kind in self.kinds]

        def read(text: str, span: Span) -> Mark | None:
            marks = [mark for reader in readers if (mark := reader(text, span))]
            whole = (mark for mark in marks if mark.span == span)
            return next(whole, marks[0] if marks else None)

        return read

    def before_title(self, text: str, start: int, end: int) -> Mark | None:
        found = (kind.before_title(text, start, end) for kind in self.kinds)
        mark = next(filter(None, found), None)
        return mark or (self.listed.before_title(text, start, end) if self.mean_read else None)

    def beside_title(self, text: str, gaps: Sequence[Span]) -> Mark | None:
        if not self.mean_read:
            return None
        found = (kind.beside_title(text, gaps) for kind in self.kinds)
        return next(filter(None, found), None) or self.listed.behind_title(text, *gaps[-1])


def marks_in(text: str, lines: Sequence[str], settings: Mapping[str, str]) -> DocumentMarks:
    """Return the reading marks of a document, by its text and what the reader says about it."""
    checks = settings.get("checks")
    chosen = {
        key.removeprefix(SAID): int(value)
        for key, value in settings.items()
        if key.startswith(SAID)
    }
    said = Said({**find_meanings(lines), **chosen})
    kinds = (said, *KINDS) if said.meanings else KINDS
    mean_read = marks_mean_read(text) if checks is None else checks == "read"

    def understood(token: str, span: Span) -> Mark | None:
        return next(filter(None, (kind.of_list(token, span) for kind in kinds)), None)

    return _Marks(mean_read, kinds, learn_listed(lines, understood, said.of_list))


SAID = "mark."
"""What the settings that say what a mark means start with: ``mark.🟡``."""


def is_pass_mark(text: str) -> bool:
    """Return whether a text is one mark as a column for a single pass holds them: a sign, a box, a
    word, or the day of that pass."""
    plain = text.strip()
    found = (kind.cell_reader([plain])(plain, (0, len(plain))) for kind in KINDS)
    return any(mark.span == (0, len(plain)) for mark in found if mark)


def is_only_marks(text: str) -> bool:
    """Return whether a text is nothing but signs that are reading marks wherever they stand."""
    return any(kind.fills(text) for kind in KINDS)


def unmarked(text: str) -> str:
    """Return the text before a title without any pass being marked in it."""
    for kind in KINDS:
        text = kind.unmarked(text)
    return text


def without_signs(text: str) -> str:
    """Return a text without the signs that are reading marks."""
    for kind in KINDS:
        text = re.sub(kind.signs, " ", text) if kind.signs else text
    return text


def marks_mean_read(text: str) -> bool:
    """Return whether no legend of a document says that a mark's sign means something else."""
    return all(kind.allows(text) for kind in KINDS)


def learn_marks(text: str, marks: Sequence[Mark], start: MarkStyle) -> MarkStyle:
    """Return how these marks of a document are written; ``start`` says what they do not show."""
    style = start
    for kind in dict.fromkeys(mark.kind for mark in marks):
        if kind.signs and (shown := _shown(text, marks, kind)):
            style = kind.learn(style, shown)  # An item of another kind than most keeps its own.
    main = most_common([mark.kind for mark in marks if mark.passes])
    main = main or most_common([mark.kind for mark in marks])
    if main is None:
        return style
    style = replace(style, kind=main, max_passes=main.max_passes)
    return main.learn(style, _shown(text, marks, main))


def _shown(text: str, marks: Sequence[Mark], kind: MarkKind) -> list[tuple[int, str]]:
    return [(mark.passes, text[slice(*mark.span)]) for mark in marks if mark.kind is kind]


def cell_text(style: MarkStyle, passes: int, at: str | None = None) -> str | None:
    """Return a reading mark for a cell; None when what it needs is not known."""
    return written(kind_of(style), style, passes, at)


def written(kind: MarkKind, style: MarkStyle, passes: int, at: str | None) -> str | None:
    """Return a mark of a kind, or what stands for unread here; None when what it needs is not
    known."""
    text = kind.write(style, passes, at)
    return style.unread or "" if text == "" and not passes else text

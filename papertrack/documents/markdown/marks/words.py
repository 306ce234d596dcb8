"""Marks that are words: *read*, *skimmed*, *unread* and what else lists have for these."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from papertrack.documents.markdown.marks.kind import CellReader, Mark, MarkKind, MarkStyle, Shown
from papertrack.documents.markdown.values import Span, most_common, prefix_tags

UNREAD = frozenset(
    (
        *("unread", "not read", "todo", "to do", "to read", "to-read", "queued", "queue"),
        *("planned", "later", "no", "n", "未读", "待读", "想读", "否"),
        *("❌", ":x:", "✗", "✘", "-", "—"),
    )
)
SKIMMED = frozenset(("skimmed", "skim", "abstract only", "glanced", "略读", "泛读", "粗读"))
READ = frozenset(
    (
        *("read", "done", "finished", "yes", "y", "complete", "completed"),
        *("已读", "读完", "精读", "是", "已完成", "读"),
    )
)
_READ_FOR = {
    **dict.fromkeys(("todo", "to do", "planned"), "done"),
    **{"no": "yes", "n": "y", "否": "是"},
    **dict.fromkeys(("未读", "待读", "想读"), "已读"),
    **dict.fromkeys(("略读", "泛读", "粗读"), "精读"),
}
"""The word for *read* that goes with one for something else, where that is not ``read``."""
_PASSES = {**dict.fromkeys(UNREAD, 0), **dict.fromkeys(SKIMMED | READ, 1)}
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
        if any(cell.strip().casefold() in SKIMMED for cell in cells):
            passes |= dict.fromkeys(READ, 2)

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
        skimmed = most_common([word for _, word in shown if _bare(word) in SKIMMED])
        read = most_common([word for passes, word in shown if passes and word != skimmed])
        words = [
            word for word in (skimmed, read or _read_word_for(unread or skimmed or "")) if word
        ]
        return replace(style, unread=unread, words=tuple(words), max_passes=len(words))

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

"""Words and signs that say how far a work was read: ``to read``, ``[Skimmed]``, 已读, ⬜, 🟢."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from papertrack.documents.markdown.marks.kind import (
    CellReader,
    Mark,
    MarkKind,
    MarkStyle,
    Shown,
)
from papertrack.documents.markdown.marks.levels import (
    Level,
    bare,
    bare_of_list,
    level_of,
    passes_of,
    without_sign,
)
from papertrack.documents.markdown.values import Span, most_common, prefix_tags

_AT_END = re.compile(r"[(\[](?P<word>[A-Za-z\u4e00-\u9fff -]{1,14})[)\]][ \t]*$")
_EMPTY_BOX = re.compile(r"[☐⬜🔲]\ufe0f?(?=[ \t])")
_PICTURE_BEFORE = re.compile(r"^(?P<around>[*_~`\[(]*)[^\w\s*_~`\[(]+\s*(?=\w)")
_CLEAR = re.compile(r"read|skim|todo|to do|done|finished|queue|studied|[读看読]|[☐⬜🔲□❌✗✘]")
"""What speaks of reading outside of a reading column too."""
_READ_FOR = {
    **dict.fromkeys(("todo", "to do", "to-do", "planned"), "done"),
    **{"no": "yes", "n": "y", "否": "是", "not started": "finished", "pending": "done"},
    **dict.fromkeys(("未读", "待读", "想读", "没读", "在读", "阅读中"), "已读"),
    **dict.fromkeys(("略读", "泛读", "粗读"), "精读"),
    **dict.fromkeys(("未看", "待看", "没看"), "已看"),
    **{"未完成": "已完成", "进行中": "已完成", "未読": "既読", "積読": "読了", "読書中": "読了"},
    **{"por leer": "leído", "à lire": "lu", "ungelesen": "gelesen", "zu lesen": "gelesen"},
    **{"non": "oui", "nein": "ja", "não": "sim", "nee": "ja", "нет": "да", "nie": "tak"},
    **{"いいえ": "はい", "아니오": "예", "안 읽음": "읽음"},
    **{"da leggere": "letto", "não lido": "lido", "не прочитано": "прочитано"},
    **{"☐": "☑", "✗": "✓", "✘": "✔", "○": "●", "□": "■", "🌑": "🌕"},
    **dict.fromkeys("⚪🔴🟡🟠", "🟢"),
    **dict.fromkeys("🌒🌓🌔🌗", "🌕"),
    **dict.fromkeys("◐◔◑◕", "●"),
}
"""What says *read* where that is neither ``read`` nor, of signs, ✅."""


class Word(MarkKind):
    """A word or sign of a reading column, or beside a title: ``[Skimmed]``, ``(read)``.

    A word says that one pass is done, whatever the word; where the column tells *skimmed* and
    *read* apart, *read* is the second pass.
    """

    name = "word"
    called = "words"

    def cell_reader(self, cells: Iterable[str]) -> CellReader:
        plain = [bare(cell) for cell in cells]
        passes = passes_of(set(filter(None, map(level_of, cells))))
        # ○ beside × says yes, as in Japan; beside ● it is an empty sign.
        is_yes = "○" in plain and "●" not in plain and not _CROSSES.isdisjoint(plain)

        def read(text: str, span: Span) -> Mark | None:
            word = text[slice(*span)]
            level = Level.READ if is_yes and bare(word) == "○" else level_of(word)
            return self._mark(span, level, passes)

        return read

    def before_title(self, text: str, start: int, end: int) -> Mark | None:
        """Return a word in brackets, or an empty box."""
        if box := _EMPTY_BOX.match(text, start, end):
            return Mark(self, box.span(), 0)
        tags, after = prefix_tags(text, start, end)
        level = level_of(tags[0]) if len(tags) == 1 else None
        return self._mark((start, after), level, _ALONE)

    def beside_title(self, text: str, gaps: Sequence[Span]) -> Mark | None:
        """Return a word in brackets at the very end."""
        start, end = gaps[-1]
        match = _AT_END.search(text, max(start, end - 40), end)
        return self._mark(match.span(), level_of(match["word"]), _ALONE) if match else None

    def of_list(self, token: str, span: Span) -> Mark | None:
        is_clear = _CLEAR.search(token.casefold()) is not None
        return self._mark(span, level_of(bare_of_list(token)), _ALONE) if is_clear else None

    def _mark(self, span: Span, level: Level | None, passes: dict[Level, int]) -> Mark | None:
        if level is None:
            return None
        return Mark(self, span, passes[level], is_begun=level is Level.BEGUN)

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        said = [(_level_shown(passes, word), word) for passes, word in shown]
        by_level = {level: most_common([w for one, w in said if one is level]) for level in Level}
        words = list(filter(None, (by_level[level] for level in _DONE)))
        unread, skimmed = by_level[Level.UNREAD], by_level[Level.SKIMMED]
        if len(words) == (skimmed is not None):  # Nothing shows what *read* is called.
            words.append(read_word_for(skimmed or unread or by_level[Level.BEGUN] or ""))
        return replace(style, unread=unread, words=tuple(words), max_passes=len(words))


_CROSSES = frozenset("×✕✖❌✗✘")


def _level_shown(passes: int, word: str) -> Level | None:
    plain = bare_of_list(word)
    return Level.READ if passes and plain == "○" else level_of(plain)


_DONE = (Level.SKIMMED, Level.READ, Level.DEEP)
_ALONE = passes_of(())
"""What a word says where no column tells levels apart."""


def read_word_for(other: str) -> str:
    """Return what says *read* that goes with a word or sign for something else, written like it."""
    plain = other.strip("*_~` \t")
    bare = bare_of_list(plain)
    word = without_sign(bare)
    if not word[:1].isalpha():
        return _READ_FOR.get(bare, "✅")
    read = _READ_FOR.get(word, "read")
    start = plain.casefold().find(word)
    is_capital = start >= 0 and plain[start].isupper()
    read = read.capitalize() if is_capital else read
    pictured = _PICTURE_BEFORE.sub(r"\g<around>✅ ", other)
    kept = pictured if pictured != other else other
    inner = kept.casefold().find(word)
    return kept[:inner] + read + kept[inner + len(word) :] if inner >= 0 else read

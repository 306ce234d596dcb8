"""Marks whose meaning a document's legend, or its reader, says: ``🟢 read, 🟡 skimmed``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from papertrack.documents.markdown.marks.counts import passes_counted
from papertrack.documents.markdown.marks.kind import Mark, MarkKind, MarkStyle, Shown
from papertrack.documents.markdown.marks.levels import (
    LEVELS,
    Level,
    bare_of_list,
    level_of_phrase,
    passes_of,
)
from papertrack.documents.markdown.values import Span, most_common

_PICTURE = r"[^\w\s\x00-\x7f，。、；：（）【】「」“”‘’–—…·・\ufe0f\u200b\u200d]"
_SIGN = rf"(?:{_PICTURE}\ufe0f?|:[a-z_]{{3,30}}:)"
_EXPLAINED = re.compile(
    rf"(?P<sign>{_SIGN}(?:[ \t]*{_SIGN})*)"
    r"[`*_ \t]*(?P<is_parted>[:：=–—|-]*)[`*_ \t]*"
    rf"(?P<meaning>(?:(?!{_PICTURE})[^\r\n,;|、，；()（）:=]){{2,40}})"
)
_LINK = re.compile(r"\]\(|\]\[|://|<a ")
_OF_READING = re.compile(r"read|skim|pass|studied|读|看|遍|lu\b|leíd|gelesen|lido", re.IGNORECASE)
_ONE_SIGN = re.compile(_SIGN)


class Said(MarkKind):
    """A sign whose meaning is said for one document."""

    name = "said"
    called = "signs with a meaning of their own"

    def __init__(self, meanings: Mapping[str, int]) -> None:
        """``meanings`` are the passes that each sign stands for."""
        self.meanings = {bare_of_list(sign): passes for sign, passes in meanings.items()}
        self.spelled = {passes: sign for sign, passes in reversed([*meanings.items()])}
        self.max_passes = max([1, *meanings.values()])

    def find(self, text: str, span: Span) -> Mark | None:
        return self.of_list(text[slice(*span)], span)

    def of_list(self, token: str, span: Span) -> Mark | None:
        passes = self.meanings.get(bare_of_list(token))
        return None if passes is None else Mark(self, span, passes)

    def learn(self, style: MarkStyle, shown: Shown) -> MarkStyle:
        def usual(number: int) -> str | None:
            written = [text for passes, text in shown if passes == number]
            return most_common(written) or self.spelled.get(number)

        words = [usual(number) for number in range(1, self.max_passes + 1)]
        known = [word for word in words if word] or ["✅"]
        filled = tuple(word or known[0] for word in words)
        return replace(style, unread=usual(0), words=filled, max_passes=len(filled))


def find_meanings(lines: Iterable[str]) -> dict[str, int]:
    """Return the passes that the signs of a document's legend stand for; nothing where no legend
    speaks of reading, or where the legend says of all signs what they mean anyway."""
    explained = (pair for line in lines if _may_explain(line) for pair in _explained(line))
    found = dict(explained)
    if not any(map(_OF_READING.search, found.values())):
        return {}
    meanings = _meanings(found)
    return meanings if any(map(_says_more, meanings, meanings.values())) else {}


def _may_explain(line: str) -> bool:
    return not line.isascii() or ":" in line


def _meanings(found: Mapping[str, str]) -> dict[str, int]:
    """Return the passes that the words of a legend stand for: counted, or by how far one read."""
    said = {sign: level_of_phrase(words) for sign, words in found.items()}
    levels = {sign: level for sign, level in said.items() if level is not None}
    numbers = passes_of(set(levels.values()))
    meanings = {sign: numbers[level] for sign, level in levels.items()}
    counted = {sign: passes_counted(words.strip()) for sign, words in found.items()}
    return meanings | {sign: passes for sign, passes in counted.items() if passes is not None}


def _says_more(sign: str, passes: int) -> bool:
    """Whether a legend's sign would be understood otherwise, or not at all, without it."""
    plain = bare_of_list(sign)
    usual = 1 if plain in "✅✔☑✓√" else LEVELS.get(plain)
    return usual is None or passes != min(usual, 1) or usual is Level.BEGUN


def _explained(line: str) -> Iterator[tuple[str, str]]:
    """Yield the signs of a line of a legend, with what it says of each."""
    matches = [] if _LINK.search(line) else list(_EXPLAINED.finditer(line))
    is_list = len({match["sign"] for match in matches}) > 1
    for match in matches:
        is_short = len(match["meaning"].split()) <= 5
        is_one = _ONE_SIGN.fullmatch(match["sign"]) is not None
        if is_one and is_short and (is_list or match["is_parted"]):
            yield match["sign"].replace("\ufe0f", ""), match["meaning"]

"""Find the reading marks of a document: in columns, after labels and beside titles.

A legend may explain what they mean.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from papertrack.documents.markdown.headers import role_of_header
from papertrack.documents.markdown.marks import kinds, vocabulary
from papertrack.documents.markdown.marks.kind import CellReader, Mark, Slot
from papertrack.documents.markdown.values import Span, stripped
from papertrack.text import fold

DECLARED = "mark."
"""The prefix of settings for the meaning of a mark: ``mark.🟡``."""
_ALONE = Slot()
"""An empty slot. Beside titles, other marks do not change the meaning of a mark."""
_SEPARATORS = " \t:：|,，.–—-"
_TITLE = r"(?=\[(?![ xX]\])|\*\*|<a\s|[\"“])"
_LEAD = re.compile(
    rf"[ \t]*+(?P<token>[\[(](?=[0-9]|[^\[\]()\x00-\x7f])[^\[\]()\r\n]{{1,20}}[\])](?![(\[])"
    rf"|[^\[\]()<>\"“\r\n*]{{1,24}}?)[ \t:：|–—-]{{1,20}}+{_TITLE}"
)
_TAIL = re.compile(
    r"(?:(?<=[)\]>])[ \t:：|,，–—-]+|[ \t]+[–—|-][ \t]+)(?P<token>[^()\[\]<>\r\n|–—]{1,24})$"
    r"|[ \t](?P<bracketed>[(\[`][^()\[\]`\r\n]{1,20}[)\]`])$"
)
_LABELLED = re.compile(
    r"^[ \t>]*+(?:[-+*][ \t]+)?[*_]{0,2}(?P<label>[^\W\d_][^\n|:：*_]{0,20}?)[*_]{0,2}"
    r"[ ]?[:：][*_]{0,2}[ \t]*(?P<value>[^\s:：](?:[^\n:：]{0,40}[^\s:：])?)[ \t\r]*$",
    re.MULTILINE,
)


def settings_below(settings: Mapping[str, str], prefix: str) -> dict[str, str]:
    """Return the settings whose keys start with a prefix, by the rest of the key."""
    names = (name for name in settings if name.startswith(prefix))
    return {name.removeprefix(prefix): settings[name] for name in names}


class DocumentMarks:
    """Finds the reading marks of one document."""

    def __init__(self, text: str, lines: Sequence[str], settings: Mapping[str, str]) -> None:
        """Learn from the lines which texts beside titles are marks. ``settings`` are the user's."""
        chosen = {sign: int(value) for sign, value in settings_below(settings, DECLARED).items()}
        self._text = text
        self._declared = kinds.Declared({**_legend_meanings(lines), **chosen})
        self._kinds = (*([self._declared] if self._declared.meanings else []), *kinds.KINDS)
        checks = settings.get("checks")
        self.mean_read = _marks_mean_read(text) if checks is None else checks == "read"
        """Whether check marks mean *read*: no legend gives them another meaning."""
        self._leads: set[str] = set()
        self._tails: set[str] = set()
        for items in _lists(lines):
            self._leads |= self._proved_marks([*map(_lead_token, items)])
            self._tails |= self._proved_marks([*map(_tail_token, items)])

    def cell_reader(self, cells: Iterable[str]) -> CellReader:
        """Return a function that reads the marks of a column with these ``cells``."""
        return kinds.cell_reader(self._kinds, cells)

    def before_title(self, text: str, start: int, end: int) -> Mark | None:
        """Return the mark at ``start``, before the title of an item, or None."""
        for kind in self._kinds:
            match = kind.before.match(text, start, end) if kind.before else None
            if match and (mark := kind.read(match.group(), match.span(), _ALONE)):
                return mark
        return self._proved_mark(text, _lead_of(text, start, end), self._leads)

    def beside_title(self, text: str, gaps: Sequence[Span]) -> Mark | None:
        """Return the mark in an item's text outside of its links, or None."""
        if not self.mean_read:
            return None
        mark = next(filter(None, self._marks_without_proof(text, gaps)), None)
        return mark or self._proved_mark(text, _tail_of(text, *gaps[-1]), self._tails)

    def _marks_without_proof(self, text: str, gaps: Sequence[Span]) -> Iterator[Mark | None]:
        """Yield marks outside of an item's links that need no evidence from other items."""
        start, end = gaps[-1]
        for kind in self._kinds:
            yield from (kind.find(text, gap, _ALONE) for gap in gaps if kind.signs)
            if kind.behind and (match := kind.behind.search(text, max(start, end - 40), end)):
                yield kind.read(match.group(), match.span(), _ALONE)

    def behind_label(self, spans: Sequence[Span]) -> Mark | None:
        """Return the first mark in these spans that follows a label: ``Status: done``."""
        marks = self._labelled
        for start, end in spans:
            at = bisect_left(marks, start, key=lambda mark: mark.span[0])
            if at < len(marks) and marks[at].span[1] <= end:
                return marks[at]
        return None

    @cached_property
    def _labelled(self) -> list[Mark]:
        """All marks after labels that are also headers of reading columns.

        Examples: ``Status: done``, ``- Read: ✅``.
        """
        lines = _LABELLED.finditer(self._text) if self.mean_read else ()
        labelled = ((role_of_header(fold(line["label"]), line["label"]), line) for line in lines)
        spans = [line.span("value") for role, line in labelled if role == "passes"]
        read = self.cell_reader([self._text[slice(*span)] for span in spans])
        marks = (read(self._text, span) for span in spans)
        return [replace(mark, is_placed=True) for mark in marks if mark]

    def _proved_mark(self, text: str, span: Span | None, proved: set[str]) -> Mark | None:
        """Return the mark beside a title, if other items or the user's settings show that it is
        one."""
        if span is None or not self.mean_read:
            return None
        token = text[slice(*span)]
        mark = self._unambiguous_mark(token, span) if token in proved else None
        return mark or self._declared.read(token, span, _ALONE)

    def _unambiguous_mark(self, token: str, span: Span) -> Mark | None:
        """Return the mark that a text beside a title is, for kinds that are unambiguous there."""
        clear = (kind for kind in self._kinds if kind.is_clear(token))
        return next(filter(None, (kind.read(token, span, _ALONE) for kind in clear)), None)

    def _proved_marks(self, tokens: Sequence[str]) -> set[str]:
        """Return which of the texts beside the titles of a list are marks.

        A text beside one title may be anything. Words or counts of reading are marks if at least
        two items, and at least half of them, have one there. Numbers that count the items are not
        marks.
        """
        marks = {token: self._unambiguous_mark(token, (0, 0)) for token in tokens if token}
        passes = [mark.passes for token in tokens if (mark := marks.get(token))]
        is_series = passes == [*range(1, len(tokens) + 1)]
        if len(passes) < 2 or len(passes) * 2 < len(tokens) or is_series:
            return set()
        return {token for token, mark in marks.items() if mark}


_ITEM = re.compile(r"[ \t>]*(?:[-*+]|[0-9]{1,4}[.)])[ \t]+")


def _lists(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield the items of each list, as their first lines without markers."""
    items: list[str] = []
    for line in lines:
        if match := _ITEM.match(line):
            items.append(line[match.end() :])
        elif line[:1].strip() and items:
            yield items
            items = []
    yield items


def _lead_token(item: str) -> str:
    """Return the words before an item's title, or ""."""
    span = _lead_of(item)
    return item[slice(*span)] if span else ""


def _tail_token(item: str) -> str:
    """Return the words at the end of an item with links, or ""."""
    span = _tail_of(item) if "](" in item or "][" in item else None
    return item[slice(*span)] if span else ""


def _lead_of(text: str, start: int = 0, end: int | None = None) -> Span | None:
    """Return the span of the words before a title, or None."""
    match = _LEAD.match(text, start, len(text) if end is None else end)
    return stripped(text, match.span("token"), _SEPARATORS) if match else None


def _tail_of(text: str, start: int = 0, end: int | None = None) -> Span | None:
    """Return the span of the words at the end of an item, or None."""
    stop = start + len(text[start:end].rstrip())
    match = _TAIL.search(text, max(start - 1, stop - 30, 0), stop)
    if match is None:
        return None
    return stripped(text, match.span("token" if match["token"] else "bracketed"), _SEPARATORS)


_PICTURE = r"[^\w\s\x00-\x7f，。、；：（）【】「」“”‘’–—…·・\ufe0f\u200b\u200d]"
_SIGN = rf"(?:{_PICTURE}\ufe0f?|:[a-z_]{{3,30}}:)"
_EXPLAINED = re.compile(
    rf"(?P<sign>{_SIGN}(?:[ \t]*{_SIGN}){{0,20}}+)"
    r"[`*_ \t]*(?P<is_parted>[:：=–—|-]*)[`*_ \t]*"
    rf"(?P<meaning>(?:(?!{_PICTURE})[^\r\n,;|、，；()（）:=]){{2,40}})"
)
_LINK = re.compile(r"\]\(|\]\[|://|<a ")
_OF_READING = re.compile(r"read|skim|pass|studied|读|看|遍|lu\b|leíd|gelesen|lido", re.IGNORECASE)
_READING = re.compile(r"read|pass|skim|finish|done|complete|studied|读|看|遍|完", re.IGNORECASE)


def _marks_mean_read(text: str) -> bool:
    """Return whether no legend gives check marks a meaning other than *read*.

    A legend is a line like ``✅: The first pass``. If one legend of a sign mentions reading, its
    other legends do not matter.
    """

    def meanings(signs: str) -> list[str]:
        behind = r"[`*_ ]*(?!:[a-z0-9_+-]{1,40}:)[:：=–-]+[ \t]*(?P<meaning>[^\r\n|]{2,120})"
        return [match["meaning"] for match in re.finditer(signs + behind, text)]

    legends = (meanings(kind.signs) for kind in kinds.KINDS if kind.signs)
    return all(not legend or any(map(_READING.search, legend)) for legend in legends)


def _legend_meanings(lines: Iterable[str]) -> dict[str, int]:
    """Return the number of passes of each sign in the document's legend: ``🟢 read, 🟡 skimmed``.

    Empty if the legend does not mention reading, or gives the signs only their usual meanings.
    """
    explained = dict(pair for line in lines for pair in _legend_entries(line))
    if not any(map(_OF_READING.search, explained.values())):
        return {}
    numbers = vocabulary.passes_of(set(map(vocabulary.level_of_phrase, explained.values())))
    passes = {sign: _passes_of_words(words, numbers) for sign, words in explained.items()}
    meanings = {sign: number for sign, number in passes.items() if number is not None}
    return meanings if any(_adds_meaning(*pair) for pair in meanings.items()) else {}


def _passes_of_words(words: str, numbers: Mapping[vocabulary.Level | None, int]) -> int | None:
    """Return the passes that the words of a legend mean: a count, or a level of reading."""
    counted = kinds.passes_counted(words.strip())
    return numbers.get(vocabulary.level_of_phrase(words)) if counted is None else counted


def _legend_entries(line: str) -> Iterator[tuple[str, str]]:
    """Yield the signs in a line of a legend, each with its explanation."""
    may_explain = (not line.isascii() or ":" in line) and not _LINK.search(line)
    matches = list(_EXPLAINED.finditer(line)) if may_explain else []
    is_list = len({match["sign"] for match in matches}) > 1
    for match in matches:
        is_one = re.fullmatch(_SIGN, match["sign"]) is not None
        if is_one and len(match["meaning"].split()) <= 5 and (is_list or match["is_parted"]):
            yield match["sign"].replace("\ufe0f", ""), match["meaning"]


def _adds_meaning(sign: str, passes: int) -> bool:
    """Return whether a sign would be read differently, or not at all, without the legend."""
    plain = vocabulary.bare(sign)
    usual = 1 if plain in vocabulary.CHECKS else vocabulary.LEVELS.get(plain)
    return usual is None or passes != min(usual, 1) or usual is vocabulary.Level.BEGUN

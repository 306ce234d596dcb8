"""Which signs and words of a document are its reading marks: in columns, behind labels, beside
titles, and by its legend.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from papertrack.documents.markdown.headers import role_of_header
from papertrack.documents.markdown.marks import kinds
from papertrack.documents.markdown.marks.kind import CellReader, Mark, Slot
from papertrack.documents.markdown.marks.vocabulary import (
    CHECKS,
    LEVELS,
    Level,
    bare,
    level_of_phrase,
    passes_of,
)
from papertrack.documents.markdown.values import Span, stripped
from papertrack.text import fold

DECLARED = "mark."
"""What the settings that say what a mark means start with: ``mark.🟡``."""
_ALONE = Slot()
"""Beside titles nothing but the legend tells levels apart."""
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


class DocumentMarks:
    """The reading marks of one document: what is one, and what is not."""

    def __init__(self, text: str, lines: Sequence[str], settings: Mapping[str, str]) -> None:
        """``settings`` are what the reader says about the document."""
        chosen = {
            key.removeprefix(DECLARED): int(value)
            for key, value in settings.items()
            if key.startswith(DECLARED)
        }
        self._text = text
        self._declared = kinds.Declared({**_find_meanings(lines), **chosen})
        self._kinds = (*([self._declared] if self._declared.meanings else []), *kinds.KINDS)
        checks = settings.get("checks")
        self.mean_read = _marks_mean_read(text) if checks is None else checks == "read"
        """Whether no legend says that the signs mean something else."""
        self._leads: set[str] = set()
        self._tails: set[str] = set()
        for items in _lists(lines):
            self._leads |= self._proved([*map(_lead_token, items)])
            self._tails |= self._proved([*map(_tail_token, items)])

    def cell_reader(self, cells: Iterable[str]) -> CellReader:
        """Return what reads the cells of a reading column, whose contents all ``cells`` are."""
        return kinds.cell_reader(self._kinds, cells)

    def before_title(self, text: str, start: int, end: int) -> Mark | None:
        """Return the mark that stands right at ``start``, before an item's title."""
        for kind in self._kinds:
            match = kind.before.match(text, start, end) if kind.before else None
            if match and (mark := kind.read(match.group(), match.span(), _ALONE)):
                return mark
        return self._listed(text, _lead_of(text, start, end), self._leads)

    def beside_title(self, text: str, gaps: Sequence[Span]) -> Mark | None:
        """Return the mark in what an item says outside its links."""
        if not self.mean_read:
            return None
        mark = next(filter(None, self._unproved(text, gaps)), None)
        return mark or self._listed(text, _tail_of(text, *gaps[-1]), self._tails)

    def _unproved(self, text: str, gaps: Sequence[Span]) -> Iterator[Mark | None]:
        """Yield the marks outside an item's links that need no proof from the other items."""
        start, end = gaps[-1]
        for kind in self._kinds:
            yield from (kind.find(text, gap, _ALONE) for gap in gaps if kind.signs)
            if kind.behind and (match := kind.behind.search(text, max(start, end - 40), end)):
                yield kind.read(match.group(), match.span(), _ALONE)

    def behind_label(self, spans: Sequence[Span]) -> Mark | None:
        """Return the first mark in these stretches behind a label on a line of its own."""
        marks = self._labelled
        for start, end in spans:
            at = bisect_left(marks, start, key=lambda mark: mark.span[0])
            if at < len(marks) and marks[at].span[1] <= end:
                return marks[at]
        return None

    @cached_property
    def _labelled(self) -> list[Mark]:
        """The marks behind labels that say what a reading column's header would: ``Status: done``,
        ``- Read: ✅``."""
        lines = _LABELLED.finditer(self._text) if self.mean_read else ()
        spans = [one.span("value") for one in lines if _is_of_passes(one["label"])]
        read = self.cell_reader([self._text[slice(*span)] for span in spans])
        found = (read(self._text, span) for span in spans)
        return [replace(mark, is_placed=True) for mark in found if mark]

    def _listed(self, text: str, span: Span | None, proved: set[str]) -> Mark | None:
        """Return the mark beside a title if the list's other items show that it is one, or the user
        declared it."""
        if span is None or not self.mean_read:
            return None
        token = text[slice(*span)]
        mark = self._understood(token, span) if token in proved else None
        return mark or self._declared.read(token, span, _ALONE)

    def _understood(self, token: str, span: Span) -> Mark | None:
        clear = (kind for kind in self._kinds if kind.is_clear(token))
        return next(filter(None, (kind.read(token, span, _ALONE) for kind in clear)), None)

    def _proved(self, tokens: Sequence[str]) -> set[str]:
        """Return what is next to titles of a list and is a mark: what is before one title
        may be anything, but not a word or count of reading at half of the items, two at least."""
        marks = {token: self._understood(token, (0, 0)) for token in tokens if token}
        passes = [mark.passes for token in tokens if (mark := marks.get(token))]
        is_series = passes == [*range(1, len(tokens) + 1)]
        if len(passes) < 2 or len(passes) * 2 < len(tokens) or is_series:
            return set()
        return {token for token, mark in marks.items() if mark}


def _is_of_passes(label: str) -> bool:
    return role_of_header(fold(label), label) == "passes"


_ITEM = re.compile(r"[ \t>]*(?:[-*+]|[0-9]{1,4}[.)])[ \t]+")


def _lists(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield the items of each list: their first lines, without markers."""
    items: list[str] = []
    for line in lines:
        if match := _ITEM.match(line):
            items.append(line[match.end() :])
        elif line[:1].strip() and items:
            yield items
            items = []
    yield items


def _lead_token(item: str) -> str:
    span = _lead_of(item)
    return item[slice(*span)] if span else ""


def _tail_token(item: str) -> str:
    span = _tail_of(item) if "](" in item or "][" in item else None
    return item[slice(*span)] if span else ""


def _lead_of(text: str, start: int = 0, end: int | None = None) -> Span | None:
    """Return where the words stand that come before a title."""
    match = _LEAD.match(text, start, len(text) if end is None else end)
    return stripped(text, match.span("token"), _SEPARATORS) if match else None


def _tail_of(text: str, start: int = 0, end: int | None = None) -> Span | None:
    """Return where the words stand that end an item."""
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
    """Return whether no legend of a document gives the signs of marks another meaning.

    A legend is a line like ``✅: The first pass``; one that speaks of reading settles it.
    """

    def meanings(signs: str) -> list[str]:
        behind = r"[`*_ ]*(?!:[a-z0-9_+-]{1,40}:)[:：=–-]+[ \t]*(?P<meaning>[^\r\n|]{2,120})"
        return [match["meaning"] for match in re.finditer(signs + behind, text)]

    legends = (meanings(kind.signs) for kind in kinds.KINDS if kind.signs)
    return all(not legend or any(map(_READING.search, legend)) for legend in legends)


def _find_meanings(lines: Iterable[str]) -> dict[str, int]:
    """Return the passes that the signs of a document's legend stand for (``🟢 read, 🟡 skimmed``);
    nothing where it does not speak of reading, or says of all signs what they mean anyway."""
    found = dict(pair for line in lines for pair in _explained(line))
    if not any(map(_OF_READING.search, found.values())):
        return {}
    numbers = passes_of(set(map(level_of_phrase, found.values())))
    passes = {sign: _passes_meant(words, numbers) for sign, words in found.items()}
    meanings = {sign: number for sign, number in passes.items() if number is not None}
    return meanings if any(_says_more(*pair) for pair in meanings.items()) else {}


def _passes_meant(words: str, numbers: Mapping[Level | None, int]) -> int | None:
    """Return the passes that the words of a legend say: counted, or by how far one read."""
    counted = kinds.passes_counted(words.strip())
    return numbers.get(level_of_phrase(words)) if counted is None else counted


def _explained(line: str) -> Iterator[tuple[str, str]]:
    """Yield the signs of a line of a legend, with what it says of each."""
    may_explain = (not line.isascii() or ":" in line) and not _LINK.search(line)
    matches = list(_EXPLAINED.finditer(line)) if may_explain else []
    is_list = len({match["sign"] for match in matches}) > 1
    for match in matches:
        is_one = re.fullmatch(_SIGN, match["sign"]) is not None
        if is_one and len(match["meaning"].split()) <= 5 and (is_list or match["is_parted"]):
            yield match["sign"].replace("\ufe0f", ""), match["meaning"]


def _says_more(sign: str, passes: int) -> bool:
    """Whether a legend's sign would be understood otherwise, or not at all, without it."""
    plain = bare(sign)
    usual = 1 if plain in CHECKS else LEVELS.get(plain)
    return usual is None or passes != min(usual, 1) or usual is Level.BEGUN

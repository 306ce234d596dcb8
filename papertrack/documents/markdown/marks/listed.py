"""Marks beside the titles of a list that its items prove together: ``- 1/3 [Title](…)``.

What stands alone before one title may be anything; where at least half of a list's items have a
word or count of reading at that place, it is their mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from papertrack.documents.markdown.marks.kind import Mark
from papertrack.documents.markdown.values import Span, stripped

_ITEM = re.compile(r"[ \t>]*(?:[-*+]|[0-9]{1,4}[.)])[ \t]+")
_TITLE = r"(?=\[(?![ xX]\])|\*\*|<a\s|[\"“])"
_LEAD = re.compile(
    rf"[ \t]*(?P<token>[\[(](?=[0-9]|[^\[\]()\x00-\x7f])[^\[\]()\r\n]{{1,20}}[\])](?![(\[])"
    rf"|[^\[\]()<>\"“\r\n*]{{1,24}}?)(?P<gap>[ \t:：|–—-]+){_TITLE}"
)
_TAIL = re.compile(
    r"(?:(?<=[)\]>])[ \t:：|,，–—-]+|[ \t]+[–—|-][ \t]+)(?P<token>[^()\[\]<>\r\n|–—]{1,24})$"
    r"|[ \t](?P<bracketed>[(\[`][^()\[\]`\r\n]{1,20}[)\]`])$"
)
_SEPARATORS = " \t:：|,，.–—-"
Understood = Callable[[str, Span], Mark | None]


@dataclass(slots=True)
class ListedMarks:
    """What stands as a mark before titles, and behind them."""

    understood: Understood
    said: Understood
    """What the document or its reader explains, which needs no proof."""
    leads: set[str] = field(default_factory=set)
    tails: set[str] = field(default_factory=set)

    def before_title(self, text: str, start: int, end: int) -> Mark | None:
        """Return the mark that stands right at ``start``, before an item's title."""
        match = _LEAD.match(text, start, end)
        return self._mark(text, match.span("token"), self.leads) if match else None

    def behind_title(self, text: str, start: int, end: int) -> Mark | None:
        """Return the mark that ends an item, in the last ``start`` to ``end`` of it."""
        match = _tail_of(text, start, end)
        return self._mark(text, _span_of(match), self.tails) if match else None

    def _mark(self, text: str, span: Span, tokens: set[str]) -> Mark | None:
        span = stripped(text, span, _SEPARATORS)
        token = text[slice(*span)]
        mark = self.understood(token, span) if token in tokens else None
        return mark or self.said(token, span)


def _span_of(match: re.Match[str]) -> Span:
    return match.span("token" if match["token"] else "bracketed")


def _tail_of(text: str, start: int, end: int) -> re.Match[str] | None:
    stop = start + len(text[start:end].rstrip())
    return _TAIL.search(text, max(start - 1, stop - 30, 0), stop)


def learn_listed(lines: Iterable[str], understood: Understood, said: Understood) -> ListedMarks:
    """Return the marks beside titles that the lists of a document prove, or that are ``said``."""
    marks = ListedMarks(understood, said)
    for items in _lists(lines):
        marks.leads |= _proved([_lead(item) for item in items], understood)
        marks.tails |= _proved([_tail(item) for item in items], understood)
    return marks


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


def _lead(item: str) -> str:
    match = _LEAD.match(item)
    return match["token"].strip(_SEPARATORS) if match else ""


def _tail(item: str) -> str:
    match = _tail_of(item, 0, len(item)) if "](" in item or "][" in item else None
    return item[slice(*_span_of(match))].strip(_SEPARATORS) if match else ""


def _proved(tokens: Sequence[str], understood: Understood) -> set[str]:
    """Return the tokens of a list that are marks: of at least two items, and half of them."""
    read = [(token, mark) for token in tokens if token and (mark := understood(token, (0, 0)))]
    are_many = len(read) > 1 and len(read) * 2 >= len(tokens)
    if not are_many or _is_series([mark.passes for _, mark in read], len(tokens)):
        return set()
    return {token for token, _ in read}


def _is_series(passes: Sequence[int], count: int) -> bool:
    """Whether what looks like marks counts the items of a list: the parts of a series."""
    return [*passes] == [*range(1, count + 1)]

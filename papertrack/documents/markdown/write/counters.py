"""Numbers that say how many entries there are: ``**Papers: 123**``, ``- [Serving](#serving) (12)``.

A number is such a counter only if it is true before; then it is kept true. Headings are left alone:
their words are the names of categories.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.write.patches import Patch, patched
from papertrack.text import fold

_FEWEST = 5
"""A smaller number is true by accident."""
_TOTAL = re.compile(
    r"^(?:[-+*>][ \t]+)?\W{0,4}[^\W\d_][\w ]{1,30}[:：]\W{0,4}(?P<labelled>[0-9]{1,6})\W{0,4}$"
    r"|(?<![\w.,-])(?P<counted>[0-9]{1,6})(?=\s?(?:papers|works|entries|articles|resources|篇))"
    r"|\btotal\b\W{1,6}(?P<total>[0-9]{1,6})(?![\w.,/-])"
    r"|/badge/[^-/\s)]{2,30}-(?P<badge>[0-9]{1,6})(?=-)",
    re.IGNORECASE,
)
_CONTENTS = re.compile(
    r"^[ \t]*(?:[-+*]|[0-9]+[.)])[ \t]+\[(?P<name>[^\[\]]+)\]\(#[^()]*\)"
    r"\W{1,4}(?P<section>[0-9]+)\W*$"
)


def with_true_counters(before: Document, after: Document) -> str:
    """Return the text of ``after`` with the counters true that were true in ``before``."""
    if len(before.entries) == len(after.entries) and _sizes(before) == _sizes(after):
        return after.text
    true = {key for key, span in _counters(before) if _is_true(before, key[0], span)}
    found = [(key[0], span) for key, span in _counters(after) if key in true]
    patches = [Patch(span, str(_count(after, name))) for name, span in found]
    return patched(after.text, patches) if patches else after.text


_Name = tuple[str, str]
"""What is counted: everything, or a section; and the words around the number."""
_Span = tuple[int, int]


def _is_true(document: Document, name: _Name, span: _Span) -> bool:
    number = int(document.text[slice(*span)])
    return number == _count(document, name) and (number >= _FEWEST or bool(name[0]))


def _count(document: Document, name: _Name) -> int:
    return _sizes(document)[name[0]] if name[0] else len(document.entries)


def _sizes(document: Document) -> Counter[str]:
    """Return how many entries each section has, those of its own sections with them."""
    sizes: Counter[str] = Counter()
    for entry in document.entries:
        sizes.update({fold(part) for part in entry.category})
    return sizes


def _counters(document: Document) -> list[tuple[tuple[_Name, int], _Span]]:
    """Return what may be a counter: what it counts, which of several alike, and where."""
    seen: Counter[_Name] = Counter()
    found = []
    for name, span in _numbers(document):
        seen[name] += 1
        found.append(((name, seen[name]), span))
    return found


def _numbers(document: Document) -> Iterator[tuple[_Name, _Span]]:
    """Yield numbers outside of entries and headings that stand as counters do."""
    held = _entry_lines(document)
    for number, start in enumerate(document.starts):
        line = document.line(number)
        matches = (*_CONTENTS.finditer(line), *_TOTAL.finditer(line))
        for match in () if number in held or line.startswith("#") else matches:
            first, end = match.span(match.lastgroup or 0)
            yield _name_of(line, match), (start + first, start + end)


def _name_of(line: str, match: re.Match[str]) -> _Name:
    """Return what a number in a line counts, and the words around it."""
    first, end = match.span(match.lastgroup or 0)
    section = fold(match["name"]) if match.lastgroup == "section" else ""
    return section, line[:first] + line[end:]


def _entry_lines(document: Document) -> set[int]:
    """Return the lines that entries hold."""
    lines: set[int] = set()
    for entry in document.entries:
        last = document.line_of(max(entry.span[1] - 1, entry.span[0]))
        lines.update(range(entry.line - 1, last))
    return lines

"""Where the references stand in the text of a PDF (``matching.citations`` tells what they cite)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from papertrack.pdfs.passages import SOFT_HYPHEN
from papertrack.text import title_key

_HEADING = re.compile(
    r"(?:\d{1,2}|[ivx]+|[a-z])?(?:references?(?:andnotes|cited)?|bibliography|literature(?:cited)?"
    r"|workscited|literatur(?:verzeichnis)?|bibliographie|referencias|参考文献)"
)
"""The letters of a heading above references, numbered or not."""
_END = re.compile(
    r"(?:[a-z]|\d{1,2})?(?:appendi(?:x|ces)[a-z]?|supplementary\w{0,12}|acknowledge?ments?"
    r"|checklist|(?:about)?(?:the)?authors?(?:biograph(?:y|ies))?)"
)
"""Those of one that ends them."""
_LONGEST_HEADING = 40
_NUMBERED = re.compile(r"(?:\[\d{1,3}\]|\d{1,3}\.)\s")
_MANY_NUMBERED = 5
"""Lines of a page that begin with a number, where references have no heading."""


def references_of(pages: Sequence[str]) -> str:
    """The part of a PDF's text that holds its references; empty where it seems to have none."""
    lines = list(_lines_of(pages))
    kept = list(_below_headings(lines))
    if not kept:
        numbered = _numbered_pages(lines, len(pages))
        kept = [line for page, line in lines if page in numbered]
    return "\n".join(kept).replace(SOFT_HYPHEN + "\n", "").replace(SOFT_HYPHEN, "")


def _lines_of(pages: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines of all pages, each with its page, without numbers and heads of pages."""
    parted = [[line for line in page.splitlines() if title_key(line)] for page in pages]
    edges = Counter(_plain(line) for page in parted for line in {*page[:1], *page[-1:]})
    for number, page in enumerate(parted):
        for at, line in enumerate(page):
            is_edge = at in (0, len(page) - 1)
            if _plain(line) and not (is_edge and edges[_plain(line)] > 2):
                yield number, line


def _plain(line: str) -> str:
    return title_key(line[:200]).strip("0123456789")


def _below_headings(lines: Iterable[tuple[int, str]]) -> Iterator[str]:
    is_below = False
    for _, line in lines:
        key = title_key(line) if len(line) <= _LONGEST_HEADING else ""
        if _HEADING.fullmatch(key):
            is_below = True
        elif is_below and _END.fullmatch(key):
            is_below = False
        elif is_below:
            yield line


def _numbered_pages(lines: Iterable[tuple[int, str]], count: int) -> set[int]:
    numbered = Counter(page for page, line in lines if _NUMBERED.match(line))
    return {
        page for page, many in numbered.items() if many >= _MANY_NUMBERED and page >= count // 2
    }

"""Find phrases in the text of PDFs, with their sentences, and the lists of references.

``matching.citations`` finds what these cite. Words are compared as in the search: case, accents and
punctuation do not count. A word that a hyphen splits at the end of a line counts as one word
(``accep-tance``) and as two (``state-of``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from papertrack.text import fold, spaced_cjk, title_key

SOFT_HYPHEN = "\u00ad"
_WORD = re.compile(r"[^\W_]+")
_NEIGHBOURS = 8
"""How many words on each side of a split word are indexed with its parts."""
_BORDER = " \ue000 "
"""Separates texts in the index, so that no phrase spans two of them. SQLite takes it for a word,
but nobody can search for it."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?![a-z\d\s])|[。！？]")
_SPACES = re.compile(r"\s+")
_LONGEST = 300
"""The most letters of a sentence that are shown."""
_HEADING = re.compile(
    r"(?:\d{1,2}|[ivx]+|[a-z])?(?:references?(?:andnotes|cited)?|bibliography|literature(?:cited)?"
    r"|workscited|literatur(?:verzeichnis)?|bibliographie|referencias|参考文献)"
)
"""The letters of a heading above references, with or without a number."""
_END = re.compile(
    r"(?:[a-z]|\d{1,2})?(?:appendi(?:x|ces)[a-z]?|supplementary\w{0,12}|acknowledge?ments?"
    r"|checklist|(?:about)?(?:the)?authors?(?:biograph(?:y|ies))?)"
)
"""The letters of a heading that ends them."""
_LONGEST_HEADING = 40
_NUMBERED = re.compile(r"(?:\[\d{1,3}\]|\d{1,3}\.)\s")
_MANY_NUMBERED = 5
"""Lines that begin with a number, for references without a heading."""


def indexed_text(page: str) -> str:
    """Return the text of a page for the index, which splits it into words.

    It is the page with split words joined, then the surroundings of each as two words.
    """
    words = page.split()
    places = (
        " ".join(words[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS + 1]).replace(SOFT_HYPHEN, " ")
        for at, word in enumerate(words)
        if SOFT_HYPHEN in word
    )
    return spaced_cjk(fold(_BORDER.join([page.replace(SOFT_HYPHEN, ""), *places])))


def words_of(text: str) -> str:
    """Return the words of a text as they are compared, separated by blanks."""
    return " ".join(_WORD.findall(spaced_cjk(fold(text))))


def sentence_with(page: str, phrase: str, *, is_start: bool = False) -> str:
    """Return the sentence of a page that contains a phrase, on one line; empty without one.

    With ``is_start`` the last word may be incomplete. A long sentence is cut around the phrase.
    """
    wanted = words_of(phrase).split()
    if not wanted:
        return ""
    for text in (page.replace(SOFT_HYPHEN, ""), page.replace(SOFT_HYPHEN, "-")):
        if found := _place_of(text, wanted, is_start=is_start):
            return _around(text, *found)
    return ""


def _place_of(text: str, wanted: list[str], *, is_start: bool) -> tuple[int, int] | None:
    words = [
        (folded, match.start(), match.end())
        for match in _WORD.finditer(text)
        for folded in words_of(match[0]).split()
    ]
    for at in range(len(words) - len(wanted) + 1):
        here = [word for word, _, _ in words[at : at + len(wanted)]]
        is_last = here[-1].startswith(wanted[-1]) if is_start else here[-1] == wanted[-1]
        if is_last and here[:-1] == wanted[:-1]:
            return words[at][1], words[at + len(wanted) - 1][2]
    return None


def _around(text: str, start: int, end: int) -> str:
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    first = max(one for one in ends if one <= start)
    last = min(one for one in ends if one >= end)
    before, phrase, after = (
        _SPACES.sub(" ", part) for part in (text[first:start], text[start:end], text[end:last])
    )
    shown = max(_LONGEST - len(phrase), 0) // 2
    # What is too long is cut between words.
    if len(before) > shown:
        before = "… " + before[len(before) - shown :].partition(" ")[2]
    if len(after) > shown:
        after = after[:shown].rpartition(" ")[0] + " …"
    return f"{before}{phrase}{after}".strip()


def references_of(pages: Sequence[str]) -> str:
    """Return the part of a PDF's text with its references; empty if there seem to be none."""
    lines = list(_lines_of(pages))
    kept = list(_below_headings(lines))
    if not kept:
        numbered = _numbered_pages(lines, len(pages))
        kept = [line for page, line in lines if page in numbered]
    return "\n".join(kept).replace(SOFT_HYPHEN + "\n", "").replace(SOFT_HYPHEN, "")


def _lines_of(pages: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Return the lines of all pages, with their page, without page numbers and headers."""
    parted = [list(filter(title_key, page.splitlines())) for page in pages]
    edges = Counter(_plain(line) for page in parted for line in {*page[:1], *page[-1:]})
    for number, page in enumerate(parted):
        for at, line in enumerate(page):
            most = 2 if at in (0, len(page) - 1) else 2 * len(pages)
            if _plain(line) and edges[_plain(line)] <= most:
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

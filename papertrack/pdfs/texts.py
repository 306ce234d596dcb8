"""Search the text of PDFs: find a phrase with its sentence, and find the references
(``matching.citations`` reads them).

Words are compared as in the search: case, accents and punctuation do not count. A word that a
hyphen splits at the end of a line counts as one word (``accep-tance``) and as two (``state-of``).
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
"""Separates texts in the index, so that no phrase matches across them. SQLite sees it as a word
that nobody can search for."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?![a-z\d\s])|[。！？]")
_SPACES = re.compile(r"\s+")
_LONGEST = 300
"""The most letters of a sentence that are shown."""
_HEADING = re.compile(
    r"(?:\d{1,2}|[ivx]+|[a-z])?(?:references?(?:andnotes|cited)?|bibliography|literature(?:cited)?"
    r"|workscited|literatur(?:verzeichnis)?|bibliographie|referencias|参考文献)"
)
"""Headings above references, as letters and digits only."""
_END = re.compile(
    r"(?:[a-z]|\d{1,2})?(?:appendi(?:x|ces)[a-z]?|supplementary\w{0,12}|acknowledge?ments?"
    r"|checklist|(?:about)?(?:the)?authors?(?:biograph(?:y|ies))?)"
)
"""Headings that end the references."""
_LONGEST_HEADING = 40
_NUMBERED = re.compile(r"(?:\[\d{1,3}\]|\d{1,3}\.)\s")
_MANY_NUMBERED = 5
"""The least numbered lines by which a page has references without a heading."""


def indexed_text(page: str) -> str:
    """Return the text of a page for the index, which splits it into words itself.

    It is the page with split words joined, then the neighbourhood of each split word, with the word
    as two.
    """
    words = page.split()
    places = (
        " ".join(words[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS + 1]).replace(SOFT_HYPHEN, " ")
        for at, word in enumerate(words)
        if SOFT_HYPHEN in word
    )
    return spaced_cjk(fold(_BORDER.join([page.replace(SOFT_HYPHEN, ""), *places])))


def words_of(text: str) -> str:
    """Return the words of a text in the form in which they are compared, with blanks between
    them."""
    return " ".join(_WORD.findall(spaced_cjk(fold(text))))


def sentence_with(page: str, phrase: str, *, is_start: bool = False) -> str:
    """Return the sentence of a page that contains a phrase, on one line; "" if there is none.

    With ``is_start`` the last word of the phrase may be the beginning of a word. A long sentence is
    cut around the phrase.
    """
    words = words_of(phrase).split()
    if not words:
        return ""
    for text in (page.replace(SOFT_HYPHEN, ""), page.replace(SOFT_HYPHEN, "-")):
        if place := _place_of(text, words, is_start=is_start):
            return _around(text, *place)
    return ""


def _place_of(text: str, phrase: list[str], *, is_start: bool) -> tuple[int, int] | None:
    words = [
        (folded, match.start(), match.end())
        for match in _WORD.finditer(text)
        for folded in words_of(match[0]).split()
    ]
    for at in range(len(words) - len(phrase) + 1):
        part = [word for word, _, _ in words[at : at + len(phrase)]]
        is_last = part[-1].startswith(phrase[-1]) if is_start else part[-1] == phrase[-1]
        if is_last and part[:-1] == phrase[:-1]:
            return words[at][1], words[at + len(phrase) - 1][2]
    return None


def _around(text: str, start: int, end: int) -> str:
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    first = max(stop for stop in ends if stop <= start)
    last = min(stop for stop in ends if stop >= end)
    before, phrase, after = (
        _SPACES.sub(" ", part) for part in (text[first:start], text[start:end], text[end:last])
    )
    room = max(_LONGEST - len(phrase), 0) // 2
    # Long text is cut between words.
    if len(before) > room:
        before = "… " + before[len(before) - room :].partition(" ")[2]
    if len(after) > room:
        after = after[:room].rpartition(" ")[0] + " …"
    return f"{before}{phrase}{after}".strip()


def references_of(pages: Sequence[str]) -> str:
    """Return the part of a PDF's text with its references; "" if it seems to have none."""
    lines = list(_lines_of(pages))
    references = list(_below_headings(lines))
    if not references:
        numbered = _numbered_pages(lines, len(pages))
        references = [line for page, line in lines if page in numbered]
    return "\n".join(references).replace(SOFT_HYPHEN + "\n", "").replace(SOFT_HYPHEN, "")


def _lines_of(pages: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines of all pages with their pages, without page numbers and running heads."""
    by_page = [list(filter(title_key, page.splitlines())) for page in pages]
    edges = Counter(_plain(line) for page in by_page for line in {*page[:1], *page[-1:]})
    for number, page in enumerate(by_page):
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

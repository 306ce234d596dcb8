"""Export papers as a new Markdown document: six-column tables by category, links by reference.

This module never changes an existing document: ``documents`` edits those in place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from operator import attrgetter
from typing import Literal
from urllib.parse import quote

from papertrack.identifiers.derived import address_of, month_of
from papertrack.records import Paper
from papertrack.text import clean

Path = tuple[str, ...]

UNCATEGORISED = "Uncategorised"
"""The heading of papers without a category."""

_BADGE = "https://img.shields.io/badge/arXiv-b31b1b.svg"
_HEADER = """\
| Title | Date | arXiv | GitHub | Note | Read |
| :---- | :--- | :---- | :----- | :--- | :--- |
"""
_HEAD = """\
# Papers

> [!NOTE]
> The marks say how far each paper was read, in the three passes of S. Keshav,
> *How to Read a Paper*:
>
> - ✅: **first pass**, what it is about and whether to go on.
> - ✅ ✅: **second pass**, what it says, without the details.
> - ✅ ✅ ✅: **third pass**, how it is done, well enough to do it again.

"""
_BLOCK = 5
"""Each paper's link numbers start at a multiple of this plus one, with room for later links."""

_BACKSLASHED = frozenset("\\`*_[]|~")
# The rest of what shows as something else: tags, entities, mathematics, mentions, issue numbers,
# emoji names and bare addresses. They become entities.
_NOT_PLAIN = re.compile(
    r"[\\`*_\[\]|~<>$]|&(?=#?\w{1,32};)|@(?=\w)|#(?=[0-9])|:(?=[\w+-]{1,50}:|//)|\.(?<=\bwww\.)"
)
_ENTITY = re.compile(r"&(?=#?\w{1,32};)")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_URL_SAFE = "!#$%&'*+,-./:;=?@_~()"


def to_markdown(papers: Iterable[Paper], *, categories: Sequence[Path] = ()) -> str:
    """Return a document with one table per category, rows by date, and link definitions at the end.

    ``categories`` gives their order, with an empty table for those without papers; others follow by
    name. A paper in two categories has a row in each. Nothing in a text becomes markup, and only
    http(s) addresses are linked.
    """
    listed = sorted(papers, key=attrgetter("id"))
    links = _numbered(listed)
    parts = [_HEAD]
    for path, members in _sections(listed, categories):
        parts.append(f"{'#' * min(len(path) + 1, 6)} 📖 {escape_markdown(path[-1])}\n\n")
        if members is not None:
            members.sort(key=lambda paper: (not _when(paper), _when(paper), paper.id))
            parts += [_HEADER, *(_row(paper, links[paper.id]) for paper in members), "\n"]
    parts.append(_definitions(listed, links))
    return "".join(parts)


def escape_markdown(text: str) -> str:
    """Return ``text`` on one line, escaped so that GitHub shows exactly these characters, in table
    cells too."""
    return _NOT_PLAIN.sub(_escaped, clean(text))


@dataclass(frozen=True, slots=True)
class _NumberedLink:
    number: int
    column: Literal["title", "code", "note"]
    url: str
    label: str


def _numbered(papers: Sequence[Paper]) -> dict[int, list[_NumberedLink]]:
    """Return the links by paper id, numbered in blocks in the order of the papers."""
    links: dict[int, list[_NumberedLink]] = {}
    start = 1
    for paper in papers:
        links[paper.id] = list(_links_of(paper, count(start)))
        start += _BLOCK * max(1, -(-len(links[paper.id]) // _BLOCK))
    return links


def _links_of(paper: Paper, numbers: Iterator[int]) -> Iterator[_NumberedLink]:
    """Yield each link that can be shown: at most one own address, first."""
    if (address := http_target(address_of(paper) or "")) is not None:
        yield _NumberedLink(next(numbers), "title", address, "")
    for link in paper.facts.links:
        if link.role == "code" and (url := http_target(link.url)) is not None:
            label = link.label or link.url.rstrip("/").rpartition("/")[2]
            yield _NumberedLink(next(numbers), "code", url, label)
    notes = [*paper.notes, *(link.url for link in paper.facts.links if link.role == "note")]
    for note in dict.fromkeys(notes):
        yield _NumberedLink(next(numbers), "note", http_target(note) or _relative(note), "link")


def _sections(
    papers: Sequence[Paper], categories: Sequence[Path]
) -> Iterator[tuple[Path, list[Paper] | None]]:
    """Yield each category below its parent; None instead of papers where only children have
    papers."""
    others = {path for paper in papers for path in paper.categories} - {*categories}
    members: dict[Path, list[Paper]] = {path: [] for path in (*categories, *sorted(others))}
    for paper in papers:
        for path in paper.categories or ((UNCATEGORISED,),):
            members.setdefault(path, []).append(paper)
    rank: dict[Path, int] = {}
    for path in members:
        for above in _from_the_top(path):
            rank.setdefault(above, len(rank))
    for path in sorted(rank, key=lambda path: [rank[above] for above in _from_the_top(path)]):
        yield path, members.get(path)


def _from_the_top(path: Path) -> list[Path]:
    """Yield the parents of a category, and the category itself."""
    return [path[:depth] for depth in range(1, len(path) + 1)]


def _when(paper: Paper) -> str:
    """Return the month of a paper's first version; for a work without one, the publication year."""
    return month_of(paper) or str(paper.facts.year or "")


def _row(paper: Paper, links: Sequence[_NumberedLink]) -> str:
    title = f"<u>{escape_markdown(paper.facts.title or paper.citekey)}</u>"
    number = next((link.number for link in links if link.column == "title"), None)
    has_arxiv = number is not None and paper.facts.identifier("arxiv") is not None
    cells = [
        title if number is None else f"[{title}][{number}]",
        _when(paper).replace("-", "/"),
        f"[![arXiv][0]][{number}]" if has_arxiv else "",
        _linked(links, "code"),
        _linked(links, "note"),
        " ".join(["✅"] * paper.passes_done),
    ]
    return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|\n"


def _linked(links: Sequence[_NumberedLink], column: str) -> str:
    selected = (link for link in links if link.column == column)
    return ", ".join(f"[<u>{escape_markdown(link.label)}</u>][{link.number}]" for link in selected)


def _definitions(papers: Sequence[Paper], links: Mapping[int, Sequence[_NumberedLink]]) -> str:
    lines = [f"[0]: {_BADGE}"]
    for paper in papers:
        if links[paper.id]:
            # Two hyphens would end the comment.
            title = re.sub("-(?=-)", "- ", clean(paper.facts.title or paper.citekey))
            lines.append(f"<!-- {title} -->")
        lines += [f"[{link.number}]: {link.url}" for link in links[paper.id]]
    frame = f"<!{'-' * 31} Links {'-' * 31}>"
    return "\n".join([frame, *lines, frame, ""])


def http_target(url: str) -> str | None:
    """Return ``url`` in the form of a link definition, or None if it is not an http(s) address."""
    url = url.strip()
    return _quoted(url) if url.casefold().startswith(("http://", "https://")) else None


def _relative(path: str) -> str:
    """Return a note's path in the form of a link definition; a path that looks like a scheme stays
    a path."""
    path = path.strip()
    return _quoted(f"./{path}" if _SCHEME.match(path) or path.startswith("//") else path)


def _quoted(url: str) -> str:
    return _ENTITY.sub("&amp;", quote(url, safe=_URL_SAFE))


def _escaped(match: re.Match[str]) -> str:
    character = match.group()
    return f"\\{character}" if character in _BACKSLASHED else f"&#{ord(character)};"

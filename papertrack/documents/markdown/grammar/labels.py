"""Labels of links as patterns of what they lead to: ``{name}`` of a repository, badges of its path.

A pattern is a text in which pieces of the address are named: ``![stars](https://…/{path}?style=x)``
or ``{arxiv}``. A label that names nothing of its address is a pattern without pieces: ``Paper``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import parse_qsl, urlsplit

from papertrack.documents.markdown.roles import role_word
from papertrack.identifiers import parse_arxiv_id

_PIECE = re.compile(r"\{(url|path|arxiv|id|name|-[0-9])\}")
_SHORTEST = 4
"""Pieces of addresses that are shorter stand in labels by accident."""


def label_pattern(label: str, url: str) -> str:
    """Return a label with the pieces of its link's address named."""
    pattern = label.replace("{", "{{")
    if role_word(label):
        return pattern
    for name, piece in pieces_of(url):
        if len(piece) >= _SHORTEST or "/" in piece or piece == label.strip("[]"):
            pattern = _named(pattern, piece, name)
    return pattern


def _named(pattern: str, piece: str, name: str) -> str:
    """Return a pattern with a piece of an address named wherever it stands as a word."""
    if piece not in pattern:
        return pattern
    piece = re.escape(piece)
    found = re.compile(rf"(?:(?<![A-Za-z0-9{{])|(?<=%[0-9A-F]{{2}})){piece}(?![A-Za-z0-9}}])")
    return found.sub(f"{{{name}}}", pattern)


def label_of(pattern: str, url: str) -> str | None:
    """Return the label that a pattern has for an address; None if it has not these pieces."""
    pieces = dict(reversed([*pieces_of(url)]))
    if any(match[1] not in pieces for match in _PIECE.finditer(pattern)):
        return None
    return _PIECE.sub(lambda match: pieces[match[1]], pattern).replace("{{", "{")


def is_of_address(pattern: str) -> bool:
    """Return whether a pattern names a piece of the address."""
    return _PIECE.search(pattern) is not None


@lru_cache(maxsize=4096)
def pieces_of(url: str) -> tuple[tuple[str, str], ...]:
    """Return the pieces of an address that labels name, the longest kinds first; ``id`` is
    what tells the pages of a site apart."""
    return tuple(_find_pieces(url))


def _find_pieces(url: str) -> Iterator[tuple[str, str]]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    path = parts.path.strip("/")
    yield "url", url
    if arxiv := parse_arxiv_id(url):
        yield "arxiv", arxiv.id
    if "/" in path:
        yield "path", path.removesuffix(".git")
    names = path.split("/") if path else []
    values = [value for _, value in parse_qsl(parts.query)[:1]]
    # youtu.be/ID and youtube.com/watch?v=ID
    yield from (("id", own.removesuffix(".git")) for own in (*values, *names[-1:])[:1])
    yield from (("name", name.removesuffix(".git")) for name in names[-1:] if values)
    for number, name in enumerate(reversed(names[-5:-1]), start=2):
        yield f"-{number}", name


def site_of(url: str) -> str:
    """Return the host of an address without ``www``; empty if it has none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""

"""Several works in one cell, ``[A](…), [B](…)``: each is one, with a stretch of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from papertrack.documents.markdown.grammar.cells import Cell, Piece
from papertrack.documents.markdown.grammar.likeness import role_among, words_of
from papertrack.documents.markdown.model import Column, PlacedLink
from papertrack.documents.markdown.roles import role_word, strong_identifier
from papertrack.documents.markdown.values import Span

_SEPARATOR_END = re.compile(r"(?:\s|[,;、，；·•|/]|<br\s*/?>|\b(?:and|und|et|y)\b|&)+\Z|\A\Z")


@dataclass(frozen=True, slots=True)
class Work:
    """One of several works that a cell lists."""

    span: Span
    """Its stretch of the cell, without what parts it from the next one."""
    piece: Piece
    """What names it."""
    links: tuple[PlacedLink, ...]


def works_column(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> int | None:
    """Return the column that lists several works in most of its cells, if there is one; beside a
    column of topics, which are no links, a third is enough."""
    cells = [[row[number] for row in rows if number < len(row)] for number in range(len(columns))]
    least = {"title": 0.5}
    titles = (held for one, held in zip(columns, cells, strict=True) if one.role == "title")
    if not any(cell.links for held in titles for cell in held):
        least |= {"paper": 1 / 3, "other": 1 / 3}
    for number, column in enumerate(columns):
        if _share_of_lists(cells[number]) >= least.get(column.role, inf):
            return number
    return None


def _share_of_lists(cells: Sequence[Cell]) -> float:
    """Return how many of the filled cells list several works."""
    filled = [cell for cell in cells if cell.is_filled]
    return sum(len(works_in(cell)) > 1 for cell in filled) / max(len(filled), 1)


def works_in(cell: Cell) -> list[Work]:
    """Return the works that a cell lists; none if it says more of one, or is prose."""
    named = [piece for piece in cell.pieces if _names_work(piece)]
    return _parted(cell, named) if named and _is_list(cell, named) else []


def _parted(cell: Cell, named: Sequence[Piece]) -> list[Work]:
    """Return the stretches of a cell, each of which starts with one of these pieces."""
    text = cell.source
    stop = max(cell.pieces[-1].span[1], cell.links[-1].span[1])
    starts = [_start(text, piece, cell.span) for piece in named]
    return [
        Work((start, _end(text, start, behind)), piece, _links_in(cell, start, behind))
        for start, behind, piece in zip(starts, [*starts[1:], stop], named, strict=True)
    ]


def _names_work(piece: Piece) -> bool:
    """Whether a piece is the name or the id of a work that it links to."""
    link = piece.link if piece.kind == "link" else None
    if link is None or strong_identifier(link.url) is None or role_word(piece.text):
        return False
    return role_among(piece.text, ("venue", "date", "number")) is None


def _is_list(cell: Cell, named: Sequence[Piece]) -> bool:
    """Whether pieces that name works are a list of different ones, and not linked words of prose:
    a preprint and its published version have identifiers of two kinds."""
    beside = sum(words_of(piece.text) for piece in cell.pieces if piece.kind != "link")
    return beside <= 2 * len(named) and _are_different([one.link for one in named if one.link])


def _are_different(links: Sequence[PlacedLink]) -> bool:
    """Whether links lead to works with different identifiers of one kind."""
    found = [strong_identifier(link.url) for link in links]
    kinds = {one.scheme for one in found if one}
    return len(set(found)) == len(found) and len(kinds) == 1


def _start(text: str, piece: Piece, cell: Span) -> int:
    """Return where the link of a piece starts, with the emphasis around it."""
    start = piece.link.span[0] if piece.link else piece.span[0]
    while start > cell[0] and text[start - 1] in "*_":
        start -= 1
    return start


def _end(text: str, start: int, behind: int) -> int:
    """Return where a stretch ends before what parts it from the next one."""
    end = behind
    while text[end : end + 1] in ("*", "_") and not text[end - 1].isspace():
        end += 1
    match = _SEPARATOR_END.search(text, start, end)
    return match.start() if match else end


def _links_in(cell: Cell, start: int, behind: int) -> tuple[PlacedLink, ...]:
    return tuple(link for link in cell.links if start <= link.span[0] < behind)

"""The parts of a row: what its title's cell says besides the title, and what the others say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from papertrack.documents.markdown.grammar.cells import Cell, Piece, PieceKind
from papertrack.documents.markdown.grammar.likeness import role_among, venue_likeness
from papertrack.documents.markdown.grammar.looks import is_date
from papertrack.documents.markdown.grammar.names import people_in
from papertrack.documents.markdown.grammar.titles import cut_names, cut_title
from papertrack.documents.markdown.model import Part, PartRole, PlacedLink, Unit
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.values import FoundDate, Span, find_date

_OF_COLUMNS: dict[str, PartRole] = {
    **{"author": "authors", "venue": "venue", "tags": "tag", "number": "number", "name": "name"},
    **dict.fromkeys(("description", "note", "other"), "details"),
}
"""What the words of a column's cells are."""
_OF_FIELDS = ("title", "date", "rating", "passes")
"""The roles of columns whose cells say a field that is told as such."""


@dataclass(frozen=True, slots=True)
class TitleCell:
    """What the cell of a row says that has its title."""

    column: int | None = None
    title: Span | None = None
    link: PlacedLink | None = None
    """The link that the title is."""
    kind: PieceKind | None = None
    parts: tuple[Part, ...] = ()
    """What it says besides the title."""

    def date(self, text: str) -> FoundDate | None:
        """Return the date that stands beside the title."""
        dates = (part.span for part in self.parts if part.role == "date")
        return next((find_date(text, *span) for span in dates), None)

    def tags(self, text: str) -> tuple[str, ...]:
        """Return the tags before the title: ``[Pending Review]``."""
        tags = (part.span for part in self.parts if part.role == "tag")
        return tuple(
            plain(text[slice(*span)]) for span in tags if span[0] < (self.title or span)[0]
        )


def read_title_cell(text: str, cell: Cell, piece: Piece, column: int) -> TitleCell:
    """Return what the cell of a title says, whose title is this piece."""
    title, parts = cut_title(text, piece.span)
    others = (other for other in cell.pieces if other is not piece)
    told = (_parts_beside(text, other, is_before=other.span < piece.span) for other in others)
    parts += _joined(text, list(chain.from_iterable(told)))
    return TitleCell(column, title, piece.link, piece.kind, tuple(parts))


def _parts_beside(text: str, piece: Piece, *, is_before: bool) -> Iterator[Part]:
    """Yield what a piece beside a title says; nothing for a link that says it itself, nor for one
    that says what it is: ``[arXiv](…)``."""
    if piece.link is not None and role_word(piece.text) is not None:
        return
    is_words = piece.kind not in ("link", "badge")
    span, parts = cut_names(text, piece.span) if is_words else (piece.span, [])
    said = plain(text[slice(*span)]) if parts else piece.text
    roles: tuple[PartRole, ...] = ("venue", "authors", "date", "number", "name")
    role = role_among(said, roles if is_before else roles[:3])
    if role or not _is_label(piece):
        yield Part(role or "details", span, piece.link)
    yield from parts


def _is_label(piece: Piece) -> bool:
    return bool(piece.link) or piece.kind == "badge" or role_word(piece.text) is not None


def _joined(text: str, parts: Sequence[Part]) -> list[Part]:
    """Return parts with names that only a separator parts from each other as one."""
    joined: list[Part] = []
    for part in parts:
        last = joined[-1] if joined else part
        between = text[last.span[1] : part.span[0]].strip(" ,;&*_")
        if joined and part.role == last.role == "authors" and between in ("", "and", "<br>"):
            joined[-1] = Part("authors", (last.span[0], part.span[1]))
        else:
            joined.append(part)
    return joined


def parts_of_cells(
    roles: Sequence[str], cells: Sequence[Cell], title_column: int | None
) -> Iterator[Part]:
    """Yield what the cells of a row say besides its title's; links tell their own parts."""
    for number, (role, cell) in enumerate(zip(roles, cells, strict=False)):
        if number == title_column or role in _OF_FIELDS or not cell.is_filled:
            continue
        if role == "author":
            yield from _authors_in(cell)
        else:
            yield from _parts_in(cell, _OF_COLUMNS.get(role, "details"))


def _authors_in(cell: Cell) -> Iterator[Part]:
    """Yield the part that all of a cell with names is."""
    if cell.pieces:
        only = cell.pieces[0].link if len(cell.pieces) == 1 else None
        yield Part("authors", (cell.pieces[0].span[0], cell.pieces[-1].span[1]), only)


def _parts_in(cell: Cell, role: PartRole) -> Iterator[Part]:
    """Yield the parts of a cell; the label of a link may be a venue."""
    for piece in cell.pieces:
        if piece.kind not in ("badge", "link"):
            is_year = role == "venue" and is_date(piece.text)  # A year alone is no venue.
            yield Part("date" if is_year else role, piece.span)
        elif (said := _said_by(piece, role)) in ("venue", "name"):
            yield Part(said, piece.span, piece.link)


def _said_by(piece: Piece, role: PartRole) -> PartRole:
    """Return what a link's label says in a column whose words say this."""
    if piece.kind == "badge" or role_word(piece.text) is not None:
        return "link"
    return "venue" if venue_likeness(piece.text) > 0.7 else role


def first_said(text: str, parts: Sequence[Part], role: PartRole) -> str | None:
    """Return what the first part of a role says, plain."""
    return next((plain(text[slice(*part.span)]) for part in parts if part.role == role), None)


def with_cells(text: str, unit: Unit, cells: Sequence[Span]) -> Unit:
    """Return what a cell of an HTML row says with what the others beside it surely say."""
    said: dict[PartRole, str] = {}
    for span in cells:
        words = plain(text[slice(*span)])
        if (role := role_among(words, ("date", "venue", "authors"))) is not None:
            said.setdefault(role, words)
    date = find_date(said.get("date", ""))
    fields = unit.fields
    return replace(
        unit,
        fields=replace(
            fields,
            date=fields.date or (date.iso if date else None),
            venue=fields.venue or said.get("venue"),
            authors=fields.authors or people_in(said.get("authors", "")),
        ),
    )

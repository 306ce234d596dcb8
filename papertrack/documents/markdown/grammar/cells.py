"""Table cells: split them into pieces of one style, and find the parts and works in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Literal

from papertrack.documents.markdown.grammar import likeness
from papertrack.documents.markdown.grammar.titles import cut_names, cut_title
from papertrack.documents.markdown.model import Column, Part, PartRole, PlacedLink, Unit
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.roles import is_within_page, role_word, strong_identifier
from papertrack.documents.markdown.syntax import Inline, inner_span, plain
from papertrack.documents.markdown.values import NOTHING, FoundDate, Span, find_date

PieceKind = Literal["link", "badge", "bold", "italic", "code", "plain"]

_MARKUP = re.compile(r"[\[<*_`]|://")
_STYLED = re.compile(
    r"(?P<bold>\*\*\*?(?=\S)[^*]{1,900}+\*\*\*?|__(?=\S)[^_]{1,900}+__(?!\w)"
    r"|<(?P<strong>b|strong)>[^<]{1,900}+</(?P=strong)>)"
    r"|(?P<italic>(?<![\w*])\*(?=\S)[^*]{1,2000}+\*(?![\w*])|(?<!\w)_(?=\S)[^_]{1,2000}+_(?!\w)"
    r"|<(?P<em>i|em|sub|small)>[^<]{1,2000}+</(?P=em)>)",
    re.IGNORECASE,
)
_BREAK = re.compile(r"</?br\s*/?>", re.IGNORECASE)
_BEFORE = " \t,;:|>·•–—-"
_BEHIND = " \t,;:|·•–—-(["
_BRACKETS = {"(": ")", "[": "]", "【": "】", "（": "）", "“": "”", '"': '"'}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a cell that has one style, up to a line break."""

    kind: PieceKind
    span: Span
    """Its words, without brackets, emphasis and separators around them."""
    text: str
    """Its words without markup; for a badge, its description."""
    link: PlacedLink | None = None
    """The link of which it is the label. None also for a link within the page."""


_InlineSpan = tuple[int, int, Piece | None]
"""Start and end of a link, picture, code span or comment, and the piece that it is, if any."""


class Cell:
    """The content of a row's cell."""

    def __init__(
        self, context: Context, span: Span, role: str | None = None, column: int | None = None
    ) -> None:
        """``span`` is everything between the pipes; ``role`` is the role of the column."""
        self.span = span
        self.source = context.text
        self.text = context.text[slice(*span)].strip(" \t")
        """The text as written, without padding."""
        self.inline: Inline | None = None
        if _MARKUP.search(self.text):
            self.inline = Inline(context, span, role, column)

    @property
    def is_filled(self) -> bool:
        """Whether it has a value, rather than being empty or a dash."""
        return bool(self.text) and self.text.casefold() not in NOTHING

    @cached_property
    def links(self) -> Sequence[PlacedLink]:
        """Its links, except those within the page."""
        return self.inline.outward if self.inline else ()

    @cached_property
    def pieces(self) -> Sequence[Piece]:
        """Its pieces in order."""
        if not self.text or self.inline is None:
            return list(_plain_pieces(self.source, self.span)) if self.text else ()
        pieces: list[Piece] = []
        position = self.span[0]
        for start, end, piece in sorted(_inlines(self.source, self.inline), key=lambda x: x[:2]):
            if start >= position:
                pieces += [*_styled_pieces(self.source, (position, start)), *filter(None, [piece])]
                position = end
        return [*pieces, *_styled_pieces(self.source, (position, self.span[1]))]


def _inlines(text: str, inline: Inline) -> Iterator[_InlineSpan]:
    """Yield the links, pictures, code spans and comments of a cell, each with its piece.

    Code in the middle of a sentence, and a link within the page that is part of a word, are left
    out, so that they stay part of the text around them.
    """
    for link in inline.links:
        outward = None if is_within_page(link.url) else link
        start, end = link.span
        is_joined = text[end : end + 1].isalnum() or text[start - 1 : start].isalnum()
        if link.is_badge:
            yield start, end, Piece("badge", link.label_span, link.label, outward)
        elif outward or not is_joined:
            span = inner_span(text, link.label_span)
            words = _plain_cell_text(text, span) if "\\|" in link.label else link.label
            yield start, end, Piece("link", span, words, outward)
    for (start, end), (label, _) in inline.pictures.items():
        yield start, end, Piece("badge", (start, end), plain(label))
    yield from ((start, end, None) for start, end in inline.hidden)
    for start, end in inline.codes:
        if not _is_within_words(text[:start], text[end : inline.span[1]]):
            span = inner_span(text, (start + 1, end - 1))
            yield start, end, Piece("code", span, _plain_cell_text(text, span))


def _styled_pieces(text: str, gap: Span) -> Iterator[Piece]:
    """Yield the pieces of a text without links: emphasized ones, and those between them.

    Brackets around emphasized words belong to their piece: ``[**Name**]``.
    """
    position = gap[0]
    if text[slice(*gap)].isspace():
        return
    for match in _STYLED.finditer(text, *gap):
        if _is_within_words(text[position : match.start()], text[match.end() : gap[1]]):
            continue
        start, end = match.span()
        closing = _BRACKETS.get(text[start - 1 : start]) if start > gap[0] else None
        is_bracketed = closing is not None and end < gap[1] and text[end] == closing
        yield from _plain_pieces(text, (position, start - is_bracketed))
        kind: PieceKind = "bold" if match["bold"] else "italic"
        tag = match["strong"] or match["em"]
        width = len(tag) + 2 if tag else 0
        yield from _piece(text, kind, (start + width, end - width - bool(tag)))
        position = end + is_bracketed
    yield from _plain_pieces(text, (position, gap[1]))


def _is_within_words(before: str, behind: str) -> bool:
    """Return whether emphasized words are part of a word or sentence: ``*K*-Planes``.

    ``before`` and ``behind`` are the texts around them. Otherwise they are a piece of their own.
    """
    is_joined = before[-1:].isalnum() or behind[:1].isalnum() or behind[:1] in ("-", "’", "'")
    before, behind = before.rstrip(), behind.lstrip()
    is_between = before[-1:].isalnum() and (behind[:1].isalnum() or behind[:1] in ("-", "\\"))
    return bool(is_joined or is_between)


def _plain_pieces(text: str, gap: Span) -> Iterator[Piece]:
    """Yield the pieces of a text without links and emphasis: one for each line."""
    position, end = gap
    for match in _BREAK.finditer(text, *gap):
        yield from _piece(text, "plain", (position, match.start()))
        position = match.end()
    yield from _piece(text, "plain", (position, end))


def _piece(text: str, kind: PieceKind, span: Span) -> Iterator[Piece]:
    """Yield the piece of a span, if it has words."""
    words = _words(text, span)
    if any(map(str.isalnum, plain_words := _plain_cell_text(text, words))):
        yield Piece(kind, words, plain_words)


def _words(text: str, span: Span) -> Span:
    """Return a span without emphasis, separators and one pair of brackets around its words."""
    start, end = inner_span(text, span)
    while start < end and text[start] in _BEFORE:
        start += 1
    while start < end and text[end - 1] in _BEHIND:
        end -= 1
    closing = _BRACKETS.get(text[start : start + 1])
    if closing and start < end - 1 == text.find(closing, start + 1, end):
        return _words(text, (start + 1, end - 1))
    return (start, end) if (start, end) == span else _words(text, (start, end))


def _plain_cell_text(text: str, span: Span) -> str:
    """Return the text of a span in a table cell, without markup."""
    # GFM unescapes pipes in tables first, even in code spans.
    return plain(text[slice(*span)].replace("\\|", "|"))


_OF_COLUMNS: dict[str, PartRole] = {
    **{"author": "authors", "venue": "venue", "tags": "tag", "number": "number", "name": "name"},
    **dict.fromkeys(("description", "note", "other"), "details"),
}
"""The role of a part, by the role of its column."""
_OF_FIELDS = ("title", "date", "rating", "passes")
"""Roles of columns whose cells are read as fields, not as parts."""


@dataclass(frozen=True, slots=True)
class TitleCell:
    """The title and other parts of a row's title cell."""

    column: int | None = None
    title: Span | None = None
    link: PlacedLink | None = None
    """The link whose label is the title."""
    kind: PieceKind | None = None
    """The kind of the piece that is the title."""
    parts: tuple[Part, ...] = ()
    """The other parts of the cell."""

    def date(self, text: str) -> FoundDate | None:
        """Return the date in the cell, or None."""
        dates = (part.span for part in self.parts if part.role == "date")
        return next((find_date(text, *span) for span in dates), None)

    def tags(self, text: str) -> tuple[str, ...]:
        """Return the tags before the title: ``[Pending Review]``."""
        tags = (part.span for part in self.parts if part.role == "tag")
        return tuple(
            plain(text[slice(*span)]) for span in tags if span[0] < (self.title or span)[0]
        )


def read_title_cell(text: str, cell: Cell, piece: Piece, column: int) -> TitleCell:
    """Return the title and the other parts of a cell in which ``piece`` is the title."""
    title, parts = cut_title(text, piece.span)
    others = (other for other in cell.pieces if other is not piece)
    beside = (_parts_beside(text, other, is_before=other.span < piece.span) for other in others)
    parts += _joined(text, list(chain.from_iterable(beside)))
    return TitleCell(column, title, piece.link, piece.kind, tuple(parts))


def _parts_beside(text: str, piece: Piece, *, is_before: bool) -> Iterator[Part]:
    """Yield the parts of a piece beside the title.

    None for a link that is labelled with a role: ``[arXiv](…)``.
    """
    is_role = role_word(piece.text) is not None
    if piece.link is not None and is_role:
        return
    is_words = piece.kind not in ("link", "badge")
    span, parts = cut_names(text, piece.span) if is_words else (piece.span, [])
    words = plain(text[slice(*span)]) if parts else piece.text
    roles: tuple[PartRole, ...] = ("venue", "authors", "date", "number", "name")
    # A badge does not show a person or another name of the work.
    names_work = is_before and piece.kind != "badge"
    role = likeness.role_among(words, roles if names_work else roles[:3])
    if role or not any((piece.link, piece.kind == "badge", is_role)):
        yield Part(role or "details", span, piece.link)
    yield from parts


def _joined(text: str, parts: Sequence[Part]) -> list[Part]:
    """Join consecutive names into one part."""
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
    """Yield the parts of a row's cells, except those of the title's cell. Links are left out.

    A cell of authors is one part.
    """
    for number, (column, cell) in enumerate(zip(roles, cells, strict=False)):
        pieces = cell.pieces
        if number == title_column or column in _OF_FIELDS or not cell.is_filled or not pieces:
            continue
        if column == "author":
            only = pieces[0].link if len(pieces) == 1 else None
            yield Part("authors", (pieces[0].span[0], pieces[-1].span[1]), only)
        else:
            yield from _parts_in(pieces, _OF_COLUMNS.get(column, "details"))


def _parts_in(pieces: Sequence[Piece], role: PartRole) -> Iterator[Part]:
    """Yield the parts of a cell in a column of this role. A link's label may be a venue."""
    for piece in pieces:
        if piece.kind not in ("badge", "link"):
            # A year alone is not a venue.
            is_year = role == "venue" and likeness.is_date(piece.text)
            yield Part("date" if is_year else role, piece.span)
        elif piece.kind == "link" and role_word(piece.text) is None:
            label_role = "venue" if likeness.venue_likeness(piece.text) > 0.7 else role
            if label_role in ("venue", "name"):
                yield Part(label_role, piece.span, piece.link)


def first_text(text: str, parts: Sequence[Part], role: PartRole) -> str | None:
    """Return the text of the first part with this role, without markup, or None."""
    return next((plain(text[slice(*part.span)]) for part in parts if part.role == role), None)


def with_cells(text: str, unit: Unit, cells: Sequence[Span]) -> Unit:
    """Return the unit of an HTML cell, completed from the other cells of its row.

    Only dates, venues and names that are certain are used.
    """
    values: dict[PartRole, str] = {}
    for span in cells:
        words = plain(text[slice(*span)])
        if (role := likeness.role_among(words, ("date", "venue", "authors"))) is not None:
            values.setdefault(role, words)
    date = find_date(values.get("date", ""))
    fields = unit.fields
    return replace(
        unit,
        fields=replace(
            fields,
            date=fields.date or (date.iso if date else None),
            venue=fields.venue or values.get("venue"),
            authors=fields.authors or likeness.people_in(values.get("authors", "")),
        ),
    )


_SEPARATOR_END = re.compile(r"(?:[\s,;、，；·•|/&]|<br\s?/?>|\b(?:and|und|et|y)\b)\Z")
_LONGEST_SEPARATOR = len("<br />")


@dataclass(frozen=True, slots=True)
class Work:
    """One of several works in a cell."""

    span: Span
    """Its part of the cell, without the separator after it."""
    piece: Piece
    """The piece with its title or id."""
    links: tuple[PlacedLink, ...]


def works_column(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> int | None:
    """Return the index of the column that lists several works in most cells, or None.

    In a column of links or of unknown content, a third of the cells is enough if titles are not
    linked, because these may be topics.
    """
    cells = [[row[number] for row in rows if number < len(row)] for number in range(len(columns))]
    least = {"title": 0.5}
    titles = (group for col, group in zip(columns, cells, strict=True) if col.role == "title")
    if not any(cell.links for group in titles for cell in group):
        least |= {"paper": 1 / 3, "other": 1 / 3}
    for number, column in enumerate(columns):
        filled = [cell for cell in cells[number] if cell.is_filled]
        lists = sum(len(works_in(cell)) > 1 for cell in filled) if column.role in least else 0
        if column.role in least and lists >= least[column.role] * max(len(filled), 1):
            return number
    return None


def works_in(cell: Cell) -> list[Work]:
    """Return the works that a cell lists; none if it describes one work or is prose."""
    titles = [piece for piece in cell.pieces if _names_work(piece)]
    if not titles or not _is_list(cell, titles):
        return []
    text = cell.source
    stop = max(cell.pieces[-1].span[1], cell.links[-1].span[1])
    starts = [_start_of_work(text, piece, cell.span) for piece in titles]
    return [
        Work(
            (start, _end_of_work(text, start, behind)),
            piece,
            tuple(link for link in cell.links if start <= link.span[0] < behind),
        )
        for start, behind, piece in zip(starts, [*starts[1:], stop], titles, strict=True)
    ]


def _is_list(cell: Cell, titles: Sequence[Piece]) -> bool:
    """Return whether pieces that name works are a list, rather than links in prose.

    The identifiers must differ and have one scheme: a preprint and its published version are one
    work, with identifiers of different schemes.
    """
    identifiers = [strong_identifier(piece.link.url) for piece in titles if piece.link]
    schemes = {identifier.scheme for identifier in identifiers if identifier}
    beside = sum(likeness.words_of(piece.text) for piece in cell.pieces if piece.kind != "link")
    are_different = len(set(identifiers)) == len(identifiers)
    return beside <= 2 * len(titles) and are_different and len(schemes) == 1


def _names_work(piece: Piece) -> bool:
    """Return whether a piece is a link to a work, labelled with its title or id."""
    link = piece.link if piece.kind == "link" else None
    if link is None or strong_identifier(link.url) is None or role_word(piece.text):
        return False
    return likeness.role_among(piece.text, ("venue", "date", "number")) is None


def _start_of_work(text: str, piece: Piece, cell: Span) -> int:
    """Return where the link of a piece starts, including emphasis around it."""
    start = piece.link.span[0] if piece.link else piece.span[0]
    while start > cell[0] and text[start - 1] in "*_":
        start -= 1
    return start


def _end_of_work(text: str, start: int, behind: int) -> int:
    """Return where a work's part of the cell ends, before the separator."""
    end = behind
    while text[end : end + 1] in ("*", "_") and not text[end - 1].isspace():
        end += 1
    # Remove separators one by one: a single pattern would take quadratic time in a long run of
    # blanks.
    while match := _SEPARATOR_END.search(text, max(start, end - _LONGEST_SEPARATOR), end):
        end = match.start()
    return end

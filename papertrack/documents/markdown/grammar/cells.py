"""A cell cut into pieces: what is written alike, ``[Title](url) <br> *Authors* <br> ICLR'21``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from papertrack.documents.markdown.model import PlacedLink
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.roles import is_within_page
from papertrack.documents.markdown.syntax import Inline, inner_span, plain
from papertrack.documents.markdown.values import Span

PieceKind = Literal["link", "badge", "bold", "italic", "code", "plain"]

_MARKUP = re.compile(r"[\[<*_`]|://")
_STYLED = re.compile(
    r"(?P<bold>\*\*\*?(?=\S)[^*]{1,900}+\*\*\*?|__(?=\S)[^_]{1,900}+__(?!\w)"
    r"|<(?P<strong>b|strong)>[^<]{1,900}+</(?P=strong)>)"
    r"|(?P<italic>(?<![\w*])\*(?=\S)[^*]{1,2000}+\*(?![\w*])|(?<!\w)_(?=\S)[^_]{1,2000}+_(?!\w)"
    r"|<(?P<em>i|em|sub|small)>[^<]{1,2000}+</(?P=em)>)",
    re.IGNORECASE,
)
_NOTHING = frozenset("|-|–|—|/|null|none|n/a|tbd|:heavy_minus_sign:|无".split("|"))
_BREAK = re.compile(r"</?br\s*/?>", re.IGNORECASE)
_BEFORE = " \t,;:|>·•–—-"
_BEHIND = " \t,;:|·•–—-(["
_BRACKETS = {"(": ")", "[": "]", "【": "】", "（": "）", "“": "”", '"': '"'}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a cell that is written alike and goes up to a line break."""

    kind: PieceKind
    span: Span
    """Its words, without brackets, emphasis and separators around them."""
    text: str
    """The words, plain; of a badge what it says."""
    link: PlacedLink | None = None
    """The link that it is the label of; None for one within the page, too."""


_Taken = tuple[int, int, Piece | None]
"""Where something starts and ends that is cut out of the words, and the piece that it is."""


class Cell:
    """What a cell of a row holds."""

    def __init__(
        self, context: Context, span: Span, role: str | None = None, column: int | None = None
    ) -> None:
        """``span`` is all between its pipes, padding included; ``role`` is its column's."""
        self.span = span
        self.source = context.text
        self.text = context.text[slice(*span)].strip(" \t")
        """What it says, as written."""
        self.inline: Inline | None = None
        if _MARKUP.search(self.text):
            self.inline = Inline(context, span, role, column)

    @property
    def is_filled(self) -> bool:
        """Whether it says more than that there is nothing to say."""
        return self.text.casefold() not in _NOTHING

    @cached_property
    def links(self) -> Sequence[PlacedLink]:
        """Its links, those within the page left out."""
        return self.inline.outward if self.inline else ()

    @cached_property
    def pieces(self) -> Sequence[Piece]:
        """Its pieces in their order."""
        if not self.text or self.inline is None:
            return list(_plain_pieces(self.source, self.span)) if self.text else ()
        pieces: list[Piece] = []
        position = self.span[0]
        for start, end, found in sorted(_taken(self.source, self.inline), key=lambda one: one[:2]):
            if start >= position:
                pieces += [*_styled_pieces(self.source, (position, start)), *filter(None, [found])]
                position = end
        return [*pieces, *_styled_pieces(self.source, (position, self.span[1]))]


def _taken(text: str, inline: Inline) -> Iterator[_Taken]:
    """Yield where links, pictures, code and comments stand, with the piece that each is."""
    yield from filter(None, (_taken_link(text, link) for link in inline.links))
    for (start, end), (label, _) in inline.pictures.items():
        yield start, end, Piece("badge", (start, end), plain(label))
    yield from ((start, end, None) for start, end in inline.hidden)
    yield from _taken_codes(text, inline)


def _taken_link(text: str, link: PlacedLink) -> _Taken | None:
    """Return a link; None of one within the page that is a part of a word or sentence."""
    own = None if is_within_page(link.url) else link
    if link.is_badge:
        return *link.span, Piece("badge", link.label_span, link.label, own)
    if own is None and _is_joined(text, link.span):
        return None
    span = inner_span(text, link.label_span)
    said = _said(text, span) if "\\|" in link.label else link.label
    return *link.span, Piece("link", span, said, own)


def _taken_codes(text: str, inline: Inline) -> Iterator[_Taken]:
    for start, end in inline.codes:
        if not _is_within_words(text[:start], text[end : inline.span[1]]):
            span = inner_span(text, (start + 1, end - 1))
            yield start, end, Piece("code", span, _said(text, span))


def _styled_pieces(text: str, gap: Span) -> Iterator[Piece]:
    """Yield the pieces of what holds no link: emphasised ones, and those between."""
    position = gap[0]
    if text[slice(*gap)].isspace():
        return
    for match in _STYLED.finditer(text, *gap):
        if _is_within_words(text[position : match.start()], text[match.end() : gap[1]]):
            continue
        start, end = match.span()
        first, last = _with_brackets(text, (start, end), gap)
        yield from _plain_pieces(text, (position, first))
        kind: PieceKind = "bold" if match["bold"] else "italic"
        tag = match["strong"] or match["em"]
        width = len(tag) + 2 if tag else 0
        yield from _piece(text, kind, (start + width, end - width - bool(tag)))
        position = last
    yield from _plain_pieces(text, (position, gap[1]))


def _with_brackets(text: str, span: Span, within: Span) -> Span:
    """Return where emphasised words stand with the brackets around nothing else: ``[**Name**]``."""
    start, end = span
    closing = _BRACKETS.get(text[start - 1 : start]) if start > within[0] else None
    is_bracketed = closing is not None and end < within[1] and text[end] == closing
    return (start - 1, end + 1) if is_bracketed else span


def _is_joined(text: str, span: Span) -> bool:
    """Whether a stretch is a part of a word, or of a sentence in Chinese."""
    return text[span[1] : span[1] + 1].isalnum() or text[span[0] - 1 : span[0]].isalnum()


def _is_within_words(before: str, behind: str) -> bool:
    """Whether emphasis between these is that of words of a sentence, ``*K*-Planes``, or of a part
    of a word, rather than around something of its own."""
    is_joined = before[-1:].isalnum() or behind[:1].isalnum() or behind[:1] in ("-", "’", "'")
    before, behind = before.rstrip(), behind.lstrip()
    is_between = before[-1:].isalnum() and (behind[:1].isalnum() or behind[:1] in ("-", "\\"))
    return bool(is_joined or is_between)


def _plain_pieces(text: str, gap: Span) -> Iterator[Piece]:
    position, end = gap
    for match in _BREAK.finditer(text, *gap):
        yield from _piece(text, "plain", (position, match.start()))
        position = match.end()
    yield from _piece(text, "plain", (position, end))


def _piece(text: str, kind: PieceKind, span: Span) -> Iterator[Piece]:
    """Yield the piece of a span if it has any words."""
    words = _words(text, span)
    if any(map(str.isalnum, said := _said(text, words))):
        yield Piece(kind, words, said)


def _words(text: str, span: Span) -> Span:
    """Return a span without emphasis, separators and a pair of brackets around its words."""
    start, end = inner_span(text, span)
    while start < end and text[start] in _BEFORE:
        start += 1
    while start < end and text[end - 1] in _BEHIND:
        end -= 1
    closing = _BRACKETS.get(text[start : start + 1])
    if closing and start < end - 1 == text.find(closing, start + 1, end):
        return _words(text, (start + 1, end - 1))
    return (start, end) if (start, end) == span else _words(text, (start, end))


def _said(text: str, span: Span) -> str:
    # A table unescapes its pipes first, even in code spans.
    return plain(text[slice(*span)].replace("\\|", "|"))

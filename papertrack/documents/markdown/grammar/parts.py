"""The parts of an entry in the order of its text, gathered from what was read of it."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import replace

from papertrack.documents.markdown.model import Anatomy, Part, PlacedLink
from papertrack.documents.markdown.values import Span


def with_parts(anatomy: Anatomy, links: Sequence[PlacedLink]) -> Anatomy:
    """Return an anatomy with these links, whose parts name also its title, date, mark, rating and
    links.

    Where two of them overlap (a title and the link it is the label of) the first of these stands.
    """
    kept: list[Part] = []
    spans: list[Span] = []
    for part in (*_fields_of(anatomy, links), *anatomy.parts, *_links_of(anatomy, links)):
        start, end = part.span
        at = bisect(spans, part.span)
        is_behind = not at or spans[at - 1][1] <= start
        is_before = at == len(spans) or end <= spans[at][0]
        if is_behind and is_before and anatomy.own[0] <= start <= end <= anatomy.own[1]:
            kept.insert(at, part)
            spans.insert(at, part.span)
    return replace(anatomy, links=tuple(links), parts=tuple(kept))


def _fields_of(anatomy: Anatomy, links: Sequence[PlacedLink]) -> Iterator[Part]:
    if anatomy.title:
        yield Part("title", anatomy.title, next(filter(anatomy.is_title, links), None))
    if anatomy.date:
        yield Part("date", anatomy.date)
    if anatomy.mark:
        yield Part("mark", anatomy.mark.span)
    if anatomy.rating:
        yield Part("rating", anatomy.rating)


def _links_of(anatomy: Anatomy, links: Sequence[PlacedLink]) -> Iterator[Part]:
    return (Part("link", link.span, link) for link in links if not anatomy.is_title(link))

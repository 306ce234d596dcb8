"""The parts of an entry in the order of its text, gathered from what was read of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter

from papertrack.documents.markdown.model import Anatomy, Part, PlacedLink


def with_parts(anatomy: Anatomy, links: Sequence[PlacedLink]) -> Anatomy:
    """Return an anatomy with these links, whose parts name also its title, date, mark, rating and
    links.

    Where two of them overlap (a title and the link it is the label of) the first of these stands.
    """
    kept: list[Part] = []
    for part in (*_fields_of(anatomy, links), *anatomy.parts, *_links_of(anatomy, links)):
        is_own = anatomy.own[0] <= part.span[0] <= part.span[1] <= anatomy.own[1]
        if is_own and not _overlaps(part, kept):
            kept.append(part)
    parts = tuple(sorted(kept, key=attrgetter("span")))
    return replace(anatomy, links=tuple(links), parts=parts)


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


def _overlaps(part: Part, others: Iterable[Part]) -> bool:
    start, end = part.span
    return any(start < other.span[1] and other.span[0] < end for other in others)

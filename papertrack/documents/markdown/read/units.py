"""One list item, paragraph or heading: which of its words are title, date, mark, tags, description.

``- [x] (2023-09) **Title** :star::star: [[paper]](…) `Meta` - what it is`` is read from the left:
marks, status tags, medals and a date may stand before the title. The title is the link that comes
next, or the words in bold, or the words up to the first link. What follows is description.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from papertrack.documents.markdown.marks.kind import Mark
from papertrack.documents.markdown.marks.registry import (
    mark_before_title,
    mark_beside_title,
    without_signs,
)
from papertrack.documents.markdown.model import PlacedLink, Unit
from papertrack.documents.markdown.read.blocks import Context
from papertrack.documents.markdown.read.citations import read_citation
from papertrack.documents.markdown.read.inline import Inline, inner_span, plain, scan_inline
from papertrack.documents.markdown.roles import place_links, role_word, strong_identifier
from papertrack.documents.markdown.values import (
    Span,
    find_date,
    find_rating,
    medal_tags,
    prefix_tags,
)

_LEAD = re.compile(
    r"(?:[ \t\n]|:[a-z0-9_+-]{1,40}:|[^\w\s\[\]()<>*_`!\"'“‘「『《#$&@\\]"
    r"|&(?:nbsp|ensp|emsp);|<br\s*/?>)"
)
_DATE_LEAD = re.compile(r"[ \t]*[(\[]?[ \t]*(?=[0-9A-Z])")
_BOLD = re.compile(r"\*\*(?=\S)(?P<inner>(?:[^*\n]|\*(?!\*)){2,600}+)\*\*")
_VENUE = re.compile(
    r"[.,?!]?[ ]+(?P<venue>[^\W\d_][^.\[\]()]{0,60}?)[ ]?\((?P<year>(?:19|20)[0-9]{2})\)[. ]*$"
)
_TAIL = " \t\r\n-–—:：,，.。;；|/([（【*_~"
_ENTITY_END = re.compile(r"&#?[A-Za-z0-9]{1,10};\Z")
_LINE_END = re.compile(r"[\r\n]")
_DESCRIPTION_LIMIT = 2000


@dataclass(frozen=True, slots=True)
class _Date:
    iso: str
    span: Span


def read_unit(context: Context, span: Span) -> Unit:
    """Return what the stretch says. ``span`` starts behind the list marker."""
    text = context.text
    inline = scan_inline(text, *span, context.definitions)
    links = tuple(place_links(text, inline))
    gaps = _gaps(span, links)
    lead = _Lead(text, span)
    title = _TitleFinder(text, (lead.position, span[1]), links, inline).find()
    mark = lead.mark
    if context.marks_mean_read and mark is None:
        mark = mark_beside_title(text, gaps)
    title_span, venue, year = _without_venue(text, title)
    date = lead.date or _date_in_codes(text, inline) or year
    rating, rating_span = _rating(text, gaps)
    tags = (*lead.tags, *medal_tags(text[slice(*span)]), *_code_tags(text, inline))
    return Unit(
        span=span,
        title=title_span,
        title_link=title.link,
        links=links,
        starts_with_title=title.is_first,
        mark=mark,
        rating=rating,
        rating_span=rating_span,
        date=date.iso if date else None,
        date_span=date.span if date else None,
        tags=tuple(dict.fromkeys(tags)),
        venue=venue,
        description=_describe(text, span, title, links, inline),
    )


def read_cited(context: Context, unit: Unit) -> Unit | None:
    """Return an item that is a reference written out, read as one; None for any other."""
    citation = None if unit.title_link else read_citation(context.text, unit.span)
    if citation is None or any(
        link.span[0] < citation.title[1] and citation.title[0] < link.span[1] for link in unit.links
    ):
        return None
    return replace(
        unit,
        title=citation.title,
        authors=citation.authors,
        date=citation.year,
        date_span=citation.year_span,
        description=None,
        venue=None,
    )


class _Lead:
    """What stands before a title: marks, tags, a date, and blanks and signs between them."""

    def __init__(self, text: str, span: Span) -> None:
        self.text = text
        self.position, self.end = span
        self.mark: Mark | None = None
        self.tags: list[str] = []
        self.date: _Date | None = None
        steps = (self._take_mark, self._take_tags, self._take_date, self._take_sign)
        while self.position < self.end and any(take() for take in steps):
            pass

    def _take_mark(self) -> bool:
        if self.mark is not None:
            return False
        self.mark = mark_before_title(self.text, self.position, self.end)
        if self.mark is None:
            return False
        self.position = self.mark.span[1]
        return True

    def _take_tags(self) -> bool:
        tags, self.position = prefix_tags(self.text, self.position, self.end)
        self.tags.extend(tags)
        return bool(tags)

    def _take_date(self) -> bool:
        text, end = self.text, self.end
        opening = _DATE_LEAD.match(text, self.position, min(end, self.position + 60))
        if self.date is not None or opening is None:
            return False
        start = opening.end()
        found = find_date(text, start, min(start + 20, end))
        if found is None or found.start != start:
            return False
        self.date = _Date(found.iso, (start, found.end))
        self.position = found.end + (text[found.end : found.end + 1] in (")", "]"))
        return True

    def _take_sign(self) -> bool:
        sign = _LEAD.match(self.text, self.position, self.end)
        if sign is None:
            return False
        self.position = sign.end()
        return True


def _gaps(span: Span, links: Sequence[PlacedLink]) -> list[Span]:
    """Return what of a stretch no link holds; the last gap ends where the stretch does."""
    gaps, position = [], span[0]
    for link in links:
        if link.span[0] > position:
            gaps.append((position, link.span[0]))
        position = max(position, link.span[1])
    return [*gaps, (position, span[1])]


def _rating(text: str, gaps: Sequence[Span]) -> tuple[int | None, Span | None]:
    """Return the first rating that no link holds, and where it stands."""
    for gap in gaps:
        if found := find_rating(text, *gap):
            return found[0], found[1:]
    return None, None


@dataclass(frozen=True, slots=True)
class _Title:
    """The title of an entry."""

    span: Span | None = None
    link: PlacedLink | None = None
    """The link that it is."""
    is_first: bool = False
    """Whether it is a link at the very start."""


@dataclass(frozen=True, slots=True)
class _TitleFinder:
    """A stretch in which a title is looked for: the span starts where it may start."""

    text: str
    span: Span
    links: Sequence[PlacedLink]
    inline: Inline

    def find(self) -> _Title:
        """Return the link at the start, the words in bold, or the words up to the first link."""
        text, (start, end) = self.text, self.span
        candidates = [link for link in self.links if _may_be_title(link)]
        first = candidates[0] if candidates else None
        if first and not text[start : first.span[0]].strip(_TAIL):
            return self._linked(first, is_first=True)
        if bold := _BOLD.match(text, start, end):
            return _Title(inner_span(text, bold.span()))
        stop = self._first_stop()
        words = self._words_before(stop)
        if len(candidates) == 1 and candidates[0].span[0] == stop and self._is_remark(words):
            return self._linked(candidates[0])
        if words[0] < words[1]:
            return _Title(inner_span(text, words))
        return self._linked(first) if first else _Title()

    def _linked(self, link: PlacedLink, *, is_first: bool = False) -> _Title:
        return _Title(inner_span(self.text, link.label_span), link, is_first)

    def _first_stop(self) -> int:
        """Return where words that are no link must end: at a link, picture or tag."""
        stops = [link.span[0] for link in self.links]
        stops += [picture[0] for picture in self.inline.pictures]
        if self.links:
            behind = self.links[0].span[0]
            stops += [code[0] for code in self.inline.codes if code[0] > behind]
        return min(stops, default=self.span[1])

    def _words_before(self, stop: int) -> Span:
        """Return the words up to a stop; before links the first line's alone."""
        start = self.span[0]
        line_end = _LINE_END.search(self.text, start + 1, stop) if self.links else None
        return _trim(self.text, start, line_end.start() if line_end else stop)

    def _is_remark(self, words: Span) -> bool:
        """Whether words before a link are too few to be the title of an entry with such links."""
        is_labelled = any(role_word(link.label) in ("paper", "pdf") for link in self.links)
        return not is_labelled and words[1] - words[0] < 40


def _may_be_title(link: PlacedLink) -> bool:
    return not link.is_badge and not role_word(link.label) and link.label != link.url


def _trim(text: str, start: int, end: int) -> Span:
    """Cut separators off both ends of a title that is no link; escaped ones are its own."""
    while start < end and text[start] in " \t\r\n-–—:：,，.|":
        start += 1
    while end > start and text[end - 1] in _TAIL and not _is_kept(text, start, end):
        end -= 1
    return start, end


def _is_kept(text: str, start: int, end: int) -> bool:
    """Whether the separator before ``end`` belongs to a title: escaped, an entity's, or bold's."""
    if text[end - 2] == "\\" or text.startswith("**", end - 2):
        return True
    return _ENTITY_END.search(text, max(start, end - 12), end) is not None


def _without_venue(text: str, title: _Title) -> tuple[Span | None, str | None, _Date | None]:
    """Cut ``. SOSP(2019)`` off a title that is no link. Return (the rest, venue, year)."""
    if title.span is None or title.link is not None:
        return title.span, None, None
    start, end = title.span
    match = _VENUE.search(text, max(start, end - 90), end)
    if match is None and text.startswith(")", end):
        match = _VENUE.search(text, max(start, end - 90), end + 1)
    if match is None or match.start() <= start + 3:
        return title.span, None, None
    year = _Date(match["year"], match.span("year"))
    return (start, match.start()), plain(match["venue"]), year


def _date_in_codes(text: str, inline: Inline) -> _Date | None:
    """Return a date that is all of a code span: `` `2016` ``."""
    for start, end in inline.codes:
        inner = (start + 1, end - 1)
        found = find_date(text, *inner)
        if found and (found.start, found.end) == inner:
            return _Date(found.iso, inner)
    return None


def _code_tags(text: str, inline: Inline) -> tuple[str, ...]:
    """Return the code spans behind the first link that are no date: `` `Airbnb` ``."""
    if not inline.links:
        return ()
    behind = inline.links[0].span[1]
    names = [text[s + 1 : e - 1].strip("` ") for s, e in inline.codes if s >= behind]
    return tuple(name for name in names if name and len(name) < 40 and not find_date(name))


def _describe(
    text: str,
    span: Span,
    title: _Title,
    links: Sequence[PlacedLink],
    inline: Inline,
) -> str | None:
    """Return what follows the title, without links that are mere role words, marks and tags."""
    if title.span is None:
        return None
    position = title.link.span[1] if title.link else title.span[1]
    replaced = [(link.span, _said(text, link)) for link in links if link is not title.link]
    replaced += [(part, "") for part in (*inline.codes, *inline.pictures, *inline.hidden)]
    kept = plain(_with_replaced(text, position, span[1], sorted(replaced)))
    kept = re.sub(r":[a-z0-9_+-]{2,40}:|[⭐🌟★️]|\[[ \\]*\]|\([ ]*\)", " ", without_signs(kept))
    words = " ".join(kept.split()).strip(_TAIL + ")]）】\\")
    return words[:_DESCRIPTION_LIMIT] if sum(c.isalnum() for c in words) > 2 else None


def _with_replaced(text: str, position: int, end: int, replaced: Sequence[tuple[Span, str]]) -> str:
    """Return ``text[position:end]`` with each of the spans in it replaced."""
    kept = ""
    for (first, behind), said in replaced:
        if first >= position:
            kept += text[position:first] + said + " "
            position = behind
    return kept + text[position:end]


def _said(text: str, link: PlacedLink) -> str:
    """Return what a link adds to a description: nothing if it is a mere role word or address,
    but ``on [Zhihu](…)`` is part of a sentence."""
    is_label = link.is_badge or role_word(link.label) is not None or link.label == link.url
    before = text[max(link.span[0] - 2, 0) : link.span[0]]
    is_in_sentence = not link.is_badge and before[:1].isalpha() and before[1:] == " "
    return link.label if is_in_sentence or not is_label else ""


def names_thing(unit: Unit) -> bool:
    """Return whether a paragraph or item names a thing: a link that is no mere picture."""
    return any(not link.is_badge or strong_identifier(link.url) for link in unit.links)

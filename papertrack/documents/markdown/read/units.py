"""One list item, paragraph or heading: which of its words are title, date, mark, tags, description.

``- [x] (2023-09) **Title** :star::star: [[paper]](…) `Meta` - what it is`` is read from the left:
marks, status tags, medals and a date may stand before the title. The title is the link that comes
next, or the words in bold, or the words up to the first link. What follows is description.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from papertrack.documents.markdown.marks.kind import Mark
from papertrack.documents.markdown.marks.registry import (
    mark_before_title,
    mark_beside_title,
    without_signs,
)
from papertrack.documents.markdown.model import (
    Definition,
    PlacedLink,
)
from papertrack.documents.markdown.read.inline import Inline, scan_inline
from papertrack.documents.markdown.read.naming import inner_span, place_links, plain
from papertrack.documents.markdown.roles import role_word
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
_DESCRIPTION_LIMIT = 2000


@dataclass(frozen=True, slots=True)
class Unit:
    """What was found in one stretch of text."""

    span: Span
    title: Span | None
    title_link: PlacedLink | None
    links: tuple[PlacedLink, ...]
    starts_with_title: bool
    """Whether the title link stands at the start, marks and tags aside."""
    mark: Mark | None = None
    rating: int | None = None
    rating_span: Span | None = None
    date: str | None = None
    date_span: Span | None = None
    tags: tuple[str, ...] = ()
    venue: str | None = None
    description: str | None = None
    authors: tuple[str, ...] = ()


def read_unit(
    text: str, span: Span, definitions: Mapping[str, Definition], *, marks_mean_read: bool
) -> Unit:
    """Return what the stretch says. ``span`` starts behind the list marker."""
    inline = scan_inline(text, *span, definitions)
    links = tuple(place_links(text, inline, None, None))
    gaps = _gaps(span, links)
    mark, tags, date, lead_end = _read_lead(text, span)
    title, title_link, starts = _find_title(text, (lead_end, span[1]), links, inline)
    if marks_mean_read and mark is None:
        mark = mark_beside_title(text, gaps)
    title_span, venue, year = _without_venue(text, title, title_link)
    ratings = (find_rating(text, *gap) for gap in gaps)
    rating = next((found for found in ratings if found), None)
    date = date or _date_in_codes(text, inline) or year
    return Unit(
        span=span,
        title=title_span,
        title_link=title_link,
        links=links,
        starts_with_title=starts,
        mark=mark,
        rating=rating[0] if rating else None,
        rating_span=rating[1:] if rating else None,
        date=date[0] if date else None,
        date_span=date[1] if date else None,
        tags=(*tags, *medal_tags(text[slice(*span)]), *_code_tags(text, inline)),
        venue=venue,
        description=_describe(text, span, title, title_link, links, inline),
    )


_Date = tuple[str, Span]


def _read_lead(text: str, span: Span) -> tuple[Mark | None, list[str], _Date | None, int]:
    """Read what may stand before a title. Return (mark, tags, date, where the title starts)."""
    position, end = span
    mark: Mark | None = None
    tags: list[str] = []
    date: _Date | None = None
    while position < end:
        if mark is None and (mark := mark_before_title(text, position, end)):
            position = mark.span[1]
            continue
        found, after = prefix_tags(text, position, end)
        if found:
            tags.extend(found)
            position = after
            continue
        opening = _DATE_LEAD.match(text, position, min(end, position + 60))
        at = find_date(text, opening.end(), min(opening.end() + 20, end)) if opening else None
        if date is None and opening and at and at.start == opening.end():
            date = (at.iso, (at.start, at.end))
            position = at.end + (text[at.end : at.end + 1] in (")", "]"))
            continue
        lead = _LEAD.match(text, position, end)
        if lead is None:
            break
        position = lead.end()
    return mark, tags, date, position


def _gaps(span: Span, links: Sequence[PlacedLink]) -> list[Span]:
    """Return what of a stretch no link holds; the last gap ends where the stretch does."""
    gaps, position = [], span[0]
    for link in links:
        if link.span[0] > position:
            gaps.append((position, link.span[0]))
        position = max(position, link.span[1])
    return [*gaps, (position, span[1])]


def _find_title(
    text: str, span: Span, links: Sequence[PlacedLink], inline: Inline
) -> tuple[Span | None, PlacedLink | None, bool]:
    """Return (the title's span, its link if it is one, whether it stands at the start)."""
    candidates = [
        link
        for link in links
        if not link.is_badge and not role_word(link.label) and link.label != link.url
    ]
    first = candidates[0] if candidates else None
    start = span[0]
    if first and not text[start : first.span[0]].strip(_TAIL):
        return inner_span(text, first.label_span), first, True
    if bold := _BOLD.match(text, start, span[1]):
        return inner_span(text, bold.span()), None, True
    stops = [link.span[0] for link in links]
    stops += [picture[0] for picture in inline.pictures]
    stops += [code[0] for code in inline.codes if links and code[0] > links[0].span[0]]
    stop = min(stops, default=span[1])
    line_end = re.compile(r"[\r\n]").search(text, start + 1, stop)
    words = _trim(text, start, line_end.start() if line_end and links else stop)
    is_first_stop = first is not None and first.span[0] == stop
    is_labelled = any(role_word(link.label) in ("paper", "pdf") for link in links)
    if (
        first
        and is_first_stop
        and not is_labelled
        and words[1] - words[0] < 40
        and len(candidates) == 1
    ):
        return inner_span(text, first.label_span), first, False
    if words[0] < words[1]:
        return inner_span(text, words), None, False
    if first:
        return inner_span(text, first.label_span), first, False
    return None, None, False


def _trim(text: str, start: int, end: int) -> Span:
    """Cut separators off both ends of a title that is no link; escaped ones are its own."""
    while start < end and text[start] in " \t\r\n-–—:：,，.|":
        start += 1
    while (
        end > start
        and text[end - 1] in _TAIL
        and text[end - 2] != "\\"
        and not _ENTITY_END.search(text, max(start, end - 12), end)
        and not text.startswith("**", end - 2)
    ):
        end -= 1
    return start, end


def _without_venue(
    text: str, title: Span | None, title_link: PlacedLink | None
) -> tuple[Span | None, str | None, _Date | None]:
    """Cut ``. SOSP(2019)`` off a title that is no link."""
    if title is None or title_link is not None:
        return title, None, None
    match = _VENUE.search(text, max(title[0], title[1] - 90), title[1])
    if match is None:
        closing = text[title[1] : title[1] + 1] == ")"
        match = _VENUE.search(text, max(title[0], title[1] - 90), title[1] + 1) if closing else None
    if match is None or match.start() <= title[0] + 3:
        return title, None, None
    year = (match["year"], match.span("year"))
    return (title[0], match.start()), plain(match["venue"]), year


def _date_in_codes(text: str, inline: Inline) -> _Date | None:
    """Return a date that is all of a code span: `` `2016` ``."""
    for start, end in inline.codes:
        inner = (start + 1, end - 1)
        found = find_date(text, *inner)
        if found and (found.start, found.end) == inner:
            return found.iso, inner
    return None


def _code_tags(text: str, inline: Inline) -> tuple[str, ...]:
    """Return the code spans behind the first link that are no date: `` `Airbnb` ``."""
    start = inline.links[0].span[1] if inline.links else 0
    names = (
        text[s + 1 : e - 1].strip("` ") for s, e in inline.codes if inline.links and s >= start
    )
    return tuple(name for name in names if name and len(name) < 40 and not find_date(name))


def _describe(
    text: str,
    span: Span,
    title: Span | None,
    title_link: PlacedLink | None,
    links: Sequence[PlacedLink],
    inline: Inline,
) -> str | None:
    """Return what follows the title, without links that are mere role words, marks and tags."""
    if title is None:
        return None
    position = title_link.span[1] if title_link else title[1]
    gaps = [(link.span, _said(text, link)) for link in links if link is not title_link]
    gaps += [(span, "") for span in (*inline.codes, *inline.pictures, *inline.hidden)]
    kept = ""
    for (start, end), said in sorted(gaps):
        if start >= position:
            kept += text[position:start] + said + " "
            position = end
    kept = plain(kept + text[position : span[1]])
    kept = re.sub(r":[a-z0-9_+-]{2,40}:|[⭐🌟★️]|\[[ \\]*\]|\([ ]*\)", " ", without_signs(kept))
    words = " ".join(kept.split()).strip(_TAIL + ")]）】\\")
    return words[:_DESCRIPTION_LIMIT] if sum(c.isalnum() for c in words) > 2 else None


def _said(text: str, link: PlacedLink) -> str:
    """Return what a link adds to a description: nothing if it is a mere role word or address,
    but ``on [Zhihu](…)`` is part of a sentence."""
    is_label = link.is_badge or role_word(link.label) is not None or link.label == link.url
    before = text[max(link.span[0] - 2, 0) : link.span[0]]
    is_in_sentence = not link.is_badge and before[:1].isalpha() and before[1:] == " "
    return link.label if is_in_sentence or not is_label else ""

"""One list item, paragraph or heading: which of its words are title, date, mark, tags, description.

``- [x] (2023-09) **Title** :star::star: [[paper]](…) `Meta` - what it is`` is read from the left:
marks, status tags, medals and a date may stand before the title. The title is the link that comes
next, or the words in bold, or the words up to the first link. What follows is description.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from papertrack.documents.markdown.marks.kind import Mark
from papertrack.documents.markdown.marks.registry import (
    mark_before_title,
    mark_beside_title,
    without_signs,
)
from papertrack.documents.markdown.model import Anatomy, EntryFields, PlacedLink, Unit
from papertrack.documents.markdown.read.blocks import Context
from papertrack.documents.markdown.read.inline import Inline, inner_span, plain
from papertrack.documents.markdown.roles import role_word, strong_identifier
from papertrack.documents.markdown.values import (
    FoundDate,
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


def read_unit(context: Context, span: Span) -> Unit:
    """Return what the stretch says. ``span`` starts behind the list marker."""
    text = context.text
    inline = Inline(text, span, context.definitions)
    links = inline.outward
    gaps = _gaps(span, links)
    start, mark, status, date = _read_lead(text, span)
    title = _find_title(text, (start, span[1]), links, inline)
    if context.marks_mean_read and mark is None:
        mark = mark_beside_title(text, gaps)
    title_span, venue, year = _without_venue(text, title)
    date = date or _date_in_codes(text, inline) or year
    rating, rating_span = next(
        filter(None, (find_rating(text, *gap) for gap in gaps)), (None, None)
    )
    tags = (*status, *medal_tags(text[slice(*span)]), *_code_tags(text, inline))
    return Unit(
        EntryFields(
            passes=mark.passes if mark else None,
            read_at=mark.read_at if mark else None,
            rating=rating,
            date=date.iso if date else None,
            tags=tuple(dict.fromkeys(tags)),
            venue=venue,
            description=_describe(text, span[1], title, inline),
        ),
        Anatomy(
            own=span,
            title=title_span,
            date=date.span if date else None,
            mark=mark,
            rating=rating_span,
            links=tuple(links),
        ),
        title.link,
        title.is_first,
    )


def _read_lead(text: str, span: Span) -> tuple[int, Mark | None, tuple[str, ...], FoundDate | None]:
    """Return where the title may start, and the mark, tags and date that stand before it, with
    blanks and signs between them."""
    position, end = span
    mark: Mark | None = None
    tags: tuple[str, ...] = ()
    date: FoundDate | None = None
    while position < end:
        if mark is None and (mark := mark_before_title(text, position, end)):
            position = mark.span[1]
        elif (found := prefix_tags(text, position, end))[0]:
            tags, position = (*tags, *found[0]), found[1]
        elif date is None and (date := _date_at(text, position, end)):
            position = date.span[1]
            position += text[position : position + 1] in (")", "]")
        elif sign := _LEAD.match(text, position, end):
            position = sign.end()
        else:
            break
    return position, mark, tags, date


def _date_at(text: str, position: int, end: int) -> FoundDate | None:
    """Return the date that stands right here, but for blanks and an opening bracket."""
    opening = _DATE_LEAD.match(text, position, min(end, position + 60))
    start = opening.end() if opening else end
    found = find_date(text, start, min(start + 20, end))
    return found if found and found.span[0] == start else None


def _gaps(span: Span, links: Sequence[PlacedLink]) -> list[Span]:
    """Return what of a stretch no link holds; the last gap ends where the stretch does."""
    gaps, position = [], span[0]
    for link in links:
        if link.span[0] > position:
            gaps.append((position, link.span[0]))
        position = max(position, link.span[1])
    return [*gaps, (position, span[1])]


class _Title(NamedTuple):
    """The title of an entry."""

    span: Span | None
    link: PlacedLink | None = None
    """The link that it is."""
    is_first: bool = False
    """Whether it is a link at the very start."""


def _find_title(text: str, span: Span, links: Sequence[PlacedLink], inline: Inline) -> _Title:
    """Return the link at the start, the words in bold, or the words up to the first link."""
    start, end = span
    candidates = [link for link in links if _may_be_title(link)]
    first = candidates[0] if candidates else None
    if first and not text[start : first.span[0]].strip(_TAIL):
        return _Title(inner_span(text, first.label_span), first, is_first=True)
    if bold := _BOLD.match(text, start, end):
        return _Title(inner_span(text, bold.span()))
    stop = _first_stop(end, links, inline)
    # Before links the words are the first line's alone.
    line_end = _LINE_END.search(text, start + 1, stop) if links else None
    words = _trim(text, start, line_end.start() if line_end else stop)
    is_labelled = any(role_word(link.label) in ("paper", "pdf") for link in links)
    # Words before a link may be too few to be the title of an entry with such links.
    is_remark = not is_labelled and words[1] - words[0] < 40 and len(candidates) == 1
    if first and (words[0] >= words[1] or (is_remark and first.span[0] == stop)):
        return _Title(inner_span(text, first.label_span), first)
    return _Title(inner_span(text, words) if words[0] < words[1] else None)


def _may_be_title(link: PlacedLink) -> bool:
    return not link.is_badge and not role_word(link.label) and link.label != link.url


def _first_stop(end: int, links: Sequence[PlacedLink], inline: Inline) -> int:
    """Return where words that are no link must end: at a link, picture or tag."""
    stops = [start for start, _ in (*(link.span for link in links), *inline.pictures)]
    stops += [code[0] for code in inline.codes if links and code[0] > links[0].span[0]]
    return min(stops, default=end)


def _trim(text: str, start: int, end: int) -> Span:
    """Cut separators off both ends of a title that is no link; escaped ones are its own."""
    start = end - len(text[start:end].lstrip(" \t\r\n-–—:：,，.|"))
    while end > start and text[end - 1] in _TAIL and not _is_kept(text, start, end):
        end -= 1
    return start, end


def _is_kept(text: str, start: int, end: int) -> bool:
    """Whether the separator before ``end`` belongs to a title: escaped, an entity's, or bold's."""
    if text[end - 2] == "\\" or text.startswith("**", end - 2):
        return True
    return _ENTITY_END.search(text, max(start, end - 12), end) is not None


def _without_venue(text: str, title: _Title) -> tuple[Span | None, str | None, FoundDate | None]:
    """Cut ``. SOSP(2019)`` off a title that is no link. Return (the rest, venue, year)."""
    if title.span is None or title.link is not None:
        return title.span, None, None
    start, end = title.span
    match = _VENUE.search(text, max(start, end - 90), end)
    if match is None and text.startswith(")", end):
        match = _VENUE.search(text, max(start, end - 90), end + 1)
    if match is None or match.start() <= start + 3:
        return title.span, None, None
    year = FoundDate(match["year"], match.span("year"), "%Y")
    return (start, match.start()), plain(match["venue"]), year


def _date_in_codes(text: str, inline: Inline) -> FoundDate | None:
    """Return a date that is all of a code span: `` `2016` ``."""
    inner = ((start + 1, end - 1) for start, end in inline.codes)
    dates = (found for span in inner if (found := find_date(text, *span)) and found.span == span)
    return next(dates, None)


def _code_tags(text: str, inline: Inline) -> tuple[str, ...]:
    """Return the code spans behind the first link that are no date: `` `Airbnb` ``."""
    if not inline.links:
        return ()
    behind = inline.links[0].span[1]
    names = [text[s + 1 : e - 1].strip("` ") for s, e in inline.codes if s >= behind]
    return tuple(name for name in names if name and len(name) < 40 and not find_date(name))


def _describe(text: str, end: int, title: _Title, inline: Inline) -> str | None:
    """Return what follows the title, without links that are mere role words, marks and tags."""
    if title.span is None:
        return None
    position = title.link.span[1] if title.link else title.span[1]
    replaced = [(link.span, _said(text, link)) for link in inline.outward if link is not title.link]
    replaced += [(part, "") for part in (*inline.codes, *inline.pictures, *inline.hidden)]
    kept = ""
    for (first, behind), said in sorted(replaced):
        if first >= position:
            kept += text[position:first] + said + " "
            position = behind
    kept = without_signs(plain(kept + text[position:end]))
    kept = re.sub(r":[a-z0-9_+-]{2,40}:|[⭐🌟★️]|\[[ \\]*\]|\([ ]*\)", " ", kept)
    words = " ".join(kept.split()).strip(_TAIL + ")]）】\\")
    return words[:_DESCRIPTION_LIMIT] if sum(c.isalnum() for c in words) > 2 else None


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

"""Lists, paragraphs and headings: an entry from each item that names a thing.

A sub-item that starts with a link of its own is an entry; any other is detail of the item above
it (authors, keywords, ``Code: [official](…)``). An item without a link above such sub-items is a
bold lead-in: it names a category.

Of references written out, ``Kipf, T., & Welling, M. (2017). Semi-supervised … . ICLR.``, only the
parts of the usual styles that are certain are read: a title in quotes, or the sentence behind the
year. What does not fit is no reference.

``- [x] (2023-09) **Title** :star::star: [[paper]](…) `Meta` - what it is`` is read from the left:
marks, status tags, medals and a date may stand before the title. The title is the link that comes
next, or the words in bold, or the words up to the first link. What follows is description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from papertrack.documents.markdown.grammar.names import authors_in, names_in
from papertrack.documents.markdown.marks.kind import DocumentMarks, Mark
from papertrack.documents.markdown.marks.registry import without_signs
from papertrack.documents.markdown.model import (
    Anatomy,
    Entry,
    EntryFields,
    Lines,
    Part,
    PlacedLink,
    Unit,
)
from papertrack.documents.markdown.read.blocks import Block, Context
from papertrack.documents.markdown.read.inline import Inline, inner_span, plain
from papertrack.documents.markdown.read.naming import make_entry
from papertrack.documents.markdown.roles import is_web, is_within_page, role_word, strong_identifier
from papertrack.documents.markdown.values import (
    FoundDate,
    Span,
    find_date,
    find_rating,
    medal_tags,
    prefix_tags,
    stripped,
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
    start, mark, status, date = _read_lead(text, span, context.marks)
    title = _find_title(text, (start, span[1]), links, inline)
    if mark is None:
        mark = context.marks.beside_title(text, gaps)
    title_span, venue, year = _without_venue(text, title)
    date = date or _date_in_codes(text, inline) or year
    rating, rating_span = next(
        filter(None, (find_rating(text, *gap) for gap in gaps)), (None, None)
    )
    codes = _code_tags(text, inline)
    tags = (*status, *medal_tags(text[slice(*span)]), *(text[slice(*code)] for code in codes))
    parts = [Part("tag", found) for found in (*_tag_spans(text, span[0], start, status), *codes)]
    if venue and title_span and (at := text.find(venue, title_span[1], span[1])) >= 0:
        parts.append(Part("venue", (at, at + len(venue))))
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
            parts=tuple(parts),
        ),
        title.link,
        title.leading_link,
    )


def _read_lead(
    text: str, span: Span, marks: DocumentMarks
) -> tuple[int, Mark | None, tuple[str, ...], FoundDate | None]:
    """Return where the title may start, and the mark, tags and date that stand before it, with
    blanks and signs between them."""
    position, end = span
    mark: Mark | None = None
    tags: tuple[str, ...] = ()
    date: FoundDate | None = None
    while position < end:
        if mark is None and (mark := marks.before_title(text, position, end)):
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


def _tag_spans(text: str, start: int, end: int, tags: Sequence[str]) -> Iterator[Span]:
    """Yield where these tags, found in this order, stand."""
    for tag in tags:
        start = text.find(tag, start, end)
        yield start, start + len(tag)
        start += len(tag)


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
    leading_link: PlacedLink | None = None
    """The same, if it stands at the very start."""


def _find_title(text: str, span: Span, links: Sequence[PlacedLink], inline: Inline) -> _Title:
    """Return the link at the start, the words in bold, or the words up to the first link."""
    start, end = span
    candidates = list(filter(_may_be_title, links))
    first = candidates[0] if candidates else None
    if first and not text[start : first.span[0]].strip(_TAIL):
        return _Title(inner_span(text, first.label_span), first, first)
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


def _code_tags(text: str, inline: Inline) -> tuple[Span, ...]:
    """Return where the code spans behind the first link say what is no date: `` `Airbnb` ``."""
    if not inline.links:
        return ()
    behind = inline.links[0].span[1]
    names = [stripped(text, code, "` ") for code in inline.codes if code[0] >= behind]
    return tuple(
        (start, end)
        for start, end in names
        if 0 < end - start < 40 and not find_date(text, start, end)
    )


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
    return words[:_DESCRIPTION_LIMIT] if sum(map(str.isalnum, words)) > 2 else None


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


_YEAR = r"(?:19|20)[0-9]{2}[a-z]?"
_QUOTED = re.compile(r"[\"“](?P<title>[^\"“”\r\n]{8,400})[\"”]")
_AFTER_YEAR = re.compile(rf"(?:\((?P<year>{_YEAR})\)|[.,] (?P<year2>{_YEAR}))[.,]? (?P<title>\S)")
_SENTENCE_END = re.compile(r"[.?!](?=\s|$)|,? arXiv")
_ANY_YEAR = re.compile(rf"(?<![0-9/.]){_YEAR}(?![0-9]|\.[0-9])")
"""Not the first half of an arXiv id: ``1911.02549``."""


def read_cited(context: Context, unit: Unit) -> Unit | None:
    """Return an item that is a reference written out, read as one; None for any other."""
    text, (start, end) = context.text, unit.anatomy.own
    stop = min(end, start + 3000)
    if unit.title_link:
        return None
    if quoted := _QUOTED.search(text, start, stop):
        title, behind_names = quoted.span("title"), quoted.start()
        year = _ANY_YEAR.search(text, start, stop)
        at = year.start() if year else None
    elif match := _AFTER_YEAR.search(text, start, stop):
        sentence = _SENTENCE_END.search(text, match.start("title"), stop)
        title = (match.start("title"), sentence.start() if sentence else stop)
        behind_names, at = match.start(), match.start("year" if match["year"] else "year2")
    else:
        return None
    title = (title[0], title[0] + len(text[slice(*title)].rstrip(" .,\t\r\n")))
    authors = names_in(text[start:behind_names])
    is_link = any(link.span[0] < title[1] and title[0] < link.span[1] for link in unit.links)
    if is_link or not authors or title[1] - title[0] < 8:
        return None
    date, span = (None, None) if at is None else (text[at : at + 4], (at, at + 4))
    fields = replace(unit.fields, authors=authors, date=date, description=None, venue=None)
    return replace(unit, fields=fields, anatomy=replace(unit.anatomy, title=title, date=span))


_FIRST_AUTHOR = re.compile(r"(?P<name>[^\W\d_][^,:;]{2,60}?),? et\.? ?al\.?[,.;: ]*")
_SENTENCE = re.compile(r"(?<=[^\W\d_]{3})\.\s+")
"""The end of a sentence, not of an initial."""
_LABELLED = re.compile(r"[ \t]*(?:\*\*)?(?P<name>[A-Za-z]{3,12})(?:\*\*)?[:：]")


def own_span(lines: Lines, item: Block) -> Span | None:
    """Return the span of an item's first paragraph, behind its marker; None without one."""
    first = item.children[0] if item.children else None
    if first is None or first.kind not in ("paragraph", "heading"):
        return None
    return item.start, lines.ends[first.end - 1]


def sub_items(item: Block) -> list[Block]:
    """Return the items of the lists in an item."""
    return [sub for child in item.children if child.kind == "list" for sub in child.children]


def starts_entry(context: Context, item: Block) -> bool:
    """Return whether a sub-item starts with a link of its own rather than with a label."""
    span = own_span(context, item)
    return span is not None and read_unit(context, span).leading_link is not None


def paragraphs_of(item: Block) -> list[Block]:
    """Return the paragraphs and quotes of an item behind its first paragraph."""
    return [child for child in item.children[1:] if child.kind in ("paragraph", "quote")]


def read_item(context: Context, item: Block, unit: Unit, details: Sequence[Block]) -> Entry:
    """Return the entry of a list item; ``details`` are the sub-items and paragraphs that are
    part of it."""
    last = max([block.end for block in details], default=item.children[0].end)
    entry = make_entry(
        context,
        unit,
        shape="numbered" if item.marker[:1].isdigit() else "item",
        span=context.span(item.first, last),
        detail_spans=[context.span(block.first, block.end) for block in details],
    )
    fields = entry.fields
    texts = [_plain_detail(context, block) for block in details]
    authors, venue = _find_authors(texts)
    lead, description = _lead_author(fields.description)
    fields = replace(
        fields,
        authors=fields.authors or lead or authors,
        description=description or _summary(texts),
        venue=fields.venue or venue,
    )
    return replace(entry, fields=fields)


def _plain_detail(lines: Lines, block: Block) -> str:
    """Return a detail's first lines as plain text, without its list marker."""
    start = block.start if block.kind == "item" else lines.starts[block.first]
    _, end = own_span(lines, block) or (start, lines.ends[block.end - 1])
    return plain(lines.text[start : min(end, start + 5000)])


def _find_authors(texts: Sequence[str]) -> tuple[tuple[str, ...], str | None]:
    """Return (names, venue) of the first detail that is a list of names: ``A, B, C. ACL'24``."""
    for text in texts:
        if _LABELLED.match(text):
            continue
        names, *rest = _SENTENCE.split(text, maxsplit=1)
        found = authors_in(names)
        if len(found) > 1 or (found and "et al" in names):
            venue = rest[0].strip(" .()*_") if rest else ""
            return found, venue if 2 < len(venue) < 80 else None
    return (), None


def _lead_author(description: str | None) -> tuple[tuple[str, ...], str | None]:
    """Cut ``Dequan Wang et al., Paper: , Code`` into the author and what else is said."""
    match = _FIRST_AUTHOR.match(description or "")
    if description is None or match is None or not names_in(match["name"]):
        return (), description
    rest = description[match.end() :]
    words = filter(None, re.split(r"[,;|:：\s]+", rest))
    is_said = not all(map(role_word, words))
    return (match["name"],), rest.strip(" ,;|") or None if is_said else None


def _summary(texts: Sequence[str]) -> str | None:
    """Return the detail that calls itself a summary."""
    for text in texts:
        match = _LABELLED.match(text)
        if match and match["name"].casefold() in ("summary", "tldr", "about", "abstract"):
            return text[match.end() :].strip() or None
    return None


def paragraph_units(context: Context, block: Block) -> list[Unit]:
    """Return the stretches of a paragraph that may be entries: each line by itself if each is
    one, else the whole."""
    numbers = range(block.first, block.end)
    spans = [(max(block.start, context.starts[n]), context.ends[n]) for n in numbers]
    units = [read_unit(context, span) for span in spans] if len(spans) > 1 else []
    if units and all(unit.anatomy.title and is_paragraph_entry(unit) for unit in units):
        return units
    return [read_unit(context, (block.start, context.ends[block.end - 1]))]


def is_paragraph_entry(unit: Unit) -> bool:
    """Return whether a paragraph names a thing, rather than being prose with links in it.

    It does if it starts with a link to the web and goes on for no more than three lines' worth, if
    it has a link labelled as a role (``[[paper]](…)``), or if it links to a work with a registered
    identifier.
    """
    if any(
        strong_identifier(link.url) or role_word(link.label) in ("paper", "pdf", "code")
        for link in unit.links
    ):
        return True
    link = unit.leading_link
    return link is not None and is_web(link.url) and unit.anatomy.own[1] - link.span[1] < 300


def anchor_of(context: Context, unit: Unit) -> PlacedLink | None:
    """Return the first link of a stretch that leads to a place within the page."""
    links = Inline(context.text, unit.anatomy.own, context.definitions).links
    return next((link for link in links if is_within_page(link.url)), None)


def with_anchored_title(context: Context, unit: Unit) -> Unit:
    """Return an item without other links whose title is the label of one within the page, if it
    has one: ``- [x] [Title](#notes-on-it)``."""
    if (link := anchor_of(context, unit)) is None:
        return unit
    title = inner_span(context.text, link.label_span)
    return replace(unit, anatomy=replace(unit.anatomy, title=title))

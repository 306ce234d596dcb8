"""Read lists, paragraphs and headings: an entry from each item that names a work.

A nested item that starts with a link of its own, or below a reference with the authors of another
work, is an entry. Any other nested item is a detail of the item above it (authors, keywords,
``Code: [official](…)``). An item without a link above nested entries names a category.

Bibliographic references, such as ``Kipf, T., & Welling, M. (2017). Semi-supervised … . ICLR.``, are
read only in the usual styles, where the title is certain: in quotes, or the sentence after the
year.

``- [x] (2023-09) **Title** :star::star: [[paper]](…) `Meta` - what it is`` is read from the left.
Marks, status tags, medals and a date may precede the title. The title is the next link, or the
words in bold, or the words up to the first link. The rest is the description.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter

from papertrack.documents.markdown.grammar import likeness
from papertrack.documents.markdown.grammar.pieces import is_label
from papertrack.documents.markdown.link_labels import points_only
from papertrack.documents.markdown.marks.document_marks import DocumentMarks
from papertrack.documents.markdown.marks.kind import Mark
from papertrack.documents.markdown.marks.kinds import without_signs
from papertrack.documents.markdown.model import (
    Anatomy,
    Entry,
    EntryFields,
    ParsedText,
    Part,
    PlacedLink,
    Shape,
    Unit,
)
from papertrack.documents.markdown.read import detail_lines
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.read.entry_builder import make_entry
from papertrack.documents.markdown.roles import is_web, is_within_page, role_word, strong_identifier
from papertrack.documents.markdown.syntax import Block, Inline, inner_span, plain
from papertrack.documents.markdown.values import (
    FoundDate,
    Span,
    find_date,
    find_rating,
    holds,
    medal_tags,
    prefix_tags,
)
from papertrack.matching.venues import venue_year

_LEAD = re.compile(
    r"(?:[ \t\n]|:[a-z0-9_+-]{1,40}:|[^\w\s\[\]()<>*_`!\"'“‘「『《#$&@\\]"
    r"|&(?:nbsp|ensp|emsp);|<br\s*/?>)"
)
_DATE_LEAD = re.compile(r"[ \t]*[(\[]?[ \t]*(?=[0-9A-Z])")
_TAIL = " \t\r\n-–—:：,，.。;；|/([（【*_~"
_TAG = r"[^\W\d_](?:[^\W\d]|[/-](?=[^\W\d])){1,40}"
_HASHTAG = re.compile(rf"(?<!\S)#(?![0-9a-fA-F]{{3}}(?:[0-9a-fA-F]{{3}})?(?!\w))({_TAG})(?![\w-])")
_HASHTAGS = re.compile(rf"(?:(?<!\S)#{_TAG}[\s★☆⭐🌟.,;]{{0,9}}){{1,20}}(?:\Z|(?=\[))")
"""Tags at the end or before links, as in note programs: ``#lamps``."""
_DONE = re.compile(r"✅\s?(?P<day>20[0-9]{2}-[01][0-9]-[0-3][0-9])(?=\s*\Z)")
"""The day when a task was finished, as note programs write it."""
_OPENING = dict(zip(")]）】》」』", "([（【《「『", strict=True))
_DESCRIPTION_LIMIT = 2000
_IN = re.compile(r"In:? (?:the |[0-9]{4} )?[A-Z0-9]")
_OF_VENUE = frozenset(("venue", "date"))
_FEWEST_OF_REMARK = 3
_NO_REMARK = re.compile(r"[ \t]*(?:\[[ xX]\]|\|)")
_FEW = 0.6
"""The title likeness above which a text has three words or more."""
_REFERENCE = re.compile(r"\\?\[[0-9]{1,4}\\?\]\.?[ \t]")
"""The number of a reference: ``[1]``, ``[1].``, ``\\[1\\]``."""
_REFERENCES = re.compile(
    r"references?|bibliograph(?:y|ie)|literatur|références|referencias|参考文献|参考资料",
    re.IGNORECASE,
)
_CITATION = re.compile(
    r"(?P<names>[^\W\d_][^\d()\[\]<>:：]{1,100}?),?[ ]?"
    r"[(（](?P<year>(?:18|19|20)[0-9]{2})[a-z]?[)）]"
)


def read_unit(context: Context, span: Span) -> Unit:
    """Return the unit of a span, which starts after the list marker. Units are cached."""
    unit = context.units.get(span)
    if unit is None:
        unit = context.units[span] = _read_unit(context, span)
    return unit


def _read_unit(context: Context, span: Span) -> Unit:
    """Read the fields of a span and their positions."""
    text, inline = context.text, context.inline(span)
    links = inline.outward
    gaps = detail_lines.gaps_between(span, links)
    start, mark, status, date = _read_lead(text, span, context.marks)
    if mark is None:
        mark = context.marks.beside_title(text, gaps)
    parsed = context.grammar.parse(text, span, inline.skips(mark.span if mark else None))
    if mark and mark.passes and (done := _DONE.search(text, *span)):
        # This is the day when the box before the title was ticked.
        mark = replace(mark, read_at=done["day"])
        beside = (part for part in parsed.parts if not holds(done.span(), part.span))
        parsed = replace(parsed, parts=(*beside, Part("mark", done.span())))
    cited = _citation(text, parsed.title, links)
    if parsed.is_declared:
        roles, status = {where[0]: role for where, role in parsed.links}, ()
        links = [replace(link, role=roles.get(link.url_span[0], link.role)) for link in links]
    elif cited:
        kept = (part for part in parsed.parts if not holds(cited.span(), part.span))
        cited_parts = Part("authors", cited.span("names")), Part("date", cited.span("year"))
        parts = sorted([*kept, *cited_parts], key=attrgetter("span"))
        parsed = replace(parsed, parts=tuple(parts))
    title = parsed.title
    venue = next((part for part in parsed.parts if part.role == "venue"), None)
    part_dates = (find_date(text, *part.span) for part in parsed.parts if part.role == "date")
    dates = (date, next(filter(None, part_dates), None))
    date = next(filter(None, reversed(dates) if parsed.is_date_hinted else dates), None)
    rating, rating_span = next(
        filter(None, (_rating_in(text, gap, links) for gap in gaps)), (None, None)
    )
    title_link = next((link for link in links if title and holds(link.label_span, title)), None)
    return Unit(
        EntryFields(
            passes=mark.passes if mark else None,
            read_at=mark.read_at if mark else None,
            rating=rating,
            date=date.iso if date else None,
            tags=_tags_of(text, span, status, parsed.parts),
            venue=plain(text[slice(*venue.span)]) if venue else None,
            authors=detail_lines.authors_of(text, parsed.parts),
            description=_describe(text, span[1], parsed, title_link, inline, mark),
        ),
        Anatomy(
            body=span,
            title=title,
            date=date.span if date else None,
            mark=mark,
            rating=rating_span,
            links=tuple(links),
            parts=parsed.parts,
            certainty=parsed.certainty,
            is_declared=parsed.is_declared,
        ),
        title_link,
        _leading_link(text, start, links),
    )


def _rating_in(text: str, gap: Span, links: Sequence[PlacedLink]) -> tuple[int, Span] | None:
    """Return the stars or the score between links, or None.

    A star right before a labelled link, ``:star:[code](…)``, belongs to that link.
    """
    rating = find_rating(text, *gap)
    if rating is None or rating[1][1] < gap[1]:
        return rating
    behind = next((link for link in links if link.span[0] == gap[1]), None)
    return None if behind is not None and is_label(behind) else rating


def with_mark(unit: Unit, mark: Mark | None) -> Unit:
    """Return a unit with a mark from another line, unless it has a mark of its own."""
    if mark is None or unit.anatomy.mark is not None:
        return unit
    fields = replace(unit.fields, passes=mark.passes, read_at=mark.read_at)
    return replace(unit, fields=fields, anatomy=replace(unit.anatomy, mark=mark))


def _citation(text: str, title: Span | None, links: Sequence[PlacedLink]) -> re.Match[str] | None:
    """Match ``names`` and ``year`` in the label of the first link after a title, or return None.

    Example: ``A Title. [Quist, Odell (1984)](…)``. The title must not be a link, and a full stop or
    comma must precede the link: ``extended by [Quist (1984)](…)`` is about another work.
    """
    if title is None or any(holds(link.label_span, title) for link in links):
        return None
    behind = next((link for link in links if link.span[0] >= title[1]), None)
    before = text[title[0] : behind.span[0]].rstrip('*_"”’ \t\r\n') if behind else ""
    if behind is None or not before.endswith((".", ",", "?", "!", "。", "，", "？", "！")):
        return None
    cited = _CITATION.fullmatch(text, *behind.label_span)
    names = likeness.names_in(plain(cited["names"])) if cited else ()
    return cited if names and all(map(likeness.is_name, names)) else None


def _tags_of(text: str, span: Span, lead: Sequence[str], parts: Sequence[Part]) -> tuple[str, ...]:
    """Return the tags of a span, each once.

    These are the status tags before the title (unless they are another name of the work), medals,
    parts that are tags, and hashtags at the end.
    """
    names = {text[slice(*part.span)] for part in parts if part.role == "name"}
    before = [tag for tag in lead if tag not in names]
    tagged = [text[slice(*part.span)] for part in parts if part.role == "tag"]
    behind = _HASHTAGS.search(text, *span)
    hashed = _HASHTAG.findall(text, *behind.span()) if behind else []
    return tuple(dict.fromkeys((*before, *medal_tags(text[slice(*span)]), *tagged, *hashed)))


def _leading_link(text: str, start: int, links: Sequence[PlacedLink]) -> PlacedLink | None:
    """Return the link at the start of a span if it may be a title, else None.

    A link that runs into a word is part of a sentence: ``[노션](…)을 참고하세요``.
    """
    first = next((x for x in links if not (is_label(x) or points_only(x.label))), None)
    if first and text[first.span[1] : first.span[1] + 1].isalpha():
        return None
    return first if first and not text[start : first.span[0]].strip(_TAIL) else None


def _read_lead(
    text: str, span: Span, marks: DocumentMarks
) -> tuple[int, Mark | None, tuple[str, ...], FoundDate | None]:
    """Return where the title may start, and the mark, tags and date before it.

    Blanks and signs may separate them.
    """
    position, end = span
    mark: Mark | None = None
    tags: tuple[str, ...] = ()
    date: FoundDate | None = None
    while position < end:
        if mark is None and (mark := marks.before_title(text, position, end)):
            position = mark.span[1]
            continue
        tags_here, behind = prefix_tags(text, position, end)
        if tags_here:
            tags, position = (*tags, *tags_here), behind
            continue
        if date is None and (date := _date_at(text, position, end)):
            position = date.span[1] + (text[date.span[1] : date.span[1] + 1] in (")", "]"))
        elif sign := _LEAD.match(text, position, end):
            position = sign.end()
        else:
            break
    return position, mark, tags, date


def _date_at(text: str, position: int, end: int) -> FoundDate | None:
    """Return the date at this offset, after blanks and an opening bracket, or None."""
    opening = _DATE_LEAD.match(text, position, min(end, position + 60))
    start = opening.end() if opening else end
    date = find_date(text, start, min(start + 20, end))
    return date if date and date.span[0] == start else None


def _describe(
    text: str,
    end: int,
    parsed: ParsedText,
    title_link: PlacedLink | None,
    inline: Inline,
    mark: Mark | None,
) -> str | None:
    """Return the text after the title, without everything whose meaning is known.

    That is links labelled with roles, marks, tags and recognized parts. None if no words are left.
    """
    if parsed.title is None:
        return None
    position = title_link.span[1] if title_link else parsed.title[1]
    cited = _citation(text, parsed.title, inline.outward)
    replaced = [
        (link.span, "" if cited and holds(link.span, cited.span()) else _link_words(text, link))
        for link in inline.outward
        if link is not title_link
    ]
    spans = [*inline.codes, *inline.pictures, *inline.hidden, *([mark.span] if mark else [])]
    spans += (identifier.span for identifier in inline.written)
    spans += (match.span() for match in _HASHTAGS.finditer(text, position, end))
    spans += (part.span for part in parsed.parts if part.role != "details")
    kept = ""
    for (first, behind), words in sorted([*replaced, *((span, "") for span in spans)]):
        if first >= position:
            kept += text[position:first] + words + " "
            position = behind
    kept += text[position:end]
    if not _has_words(kept):
        return None  # Without markup, it would have even fewer letters.
    kept = _HASHTAGS.sub(" ", without_signs(plain(kept)))
    kept = re.sub(r":[a-z0-9_+-]{2,40}:|[⭐🌟★☆️]|\[[ \\]*\]|\([ ]*\)", " ", kept)
    listed = kept.split()
    word_places = [at for at, word in enumerate(listed) if any(map(str.isalnum, word))]
    trimmed = " ".join(listed[word_places[0] : word_places[-1] + 1]) if word_places else ""
    words = trimmed.strip(_TAIL + "".join(_OPENING) + "\\")
    closing = trimmed[trimmed.find(words) + len(words) :][:1]
    if closing in _OPENING and words.count(_OPENING[closing]) > words.count(closing):
        words += closing  # Keep the closing bracket of ``Ann Bee (MIT)``.
    return words[:_DESCRIPTION_LIMIT] if _has_words(words) else None


def _has_words(text: str) -> bool:
    """Return whether a text has more than two letters or digits."""
    return sum(map(str.isalnum, text)) > 2


def _link_words(text: str, link: PlacedLink) -> str:
    """Return the text of a link in a description: its label, or "" for a role or an address.

    The label stays if it is part of a sentence: ``on [Zhihu](…)``.
    """
    before = text[max(link.span[0] - 2, 0) : link.span[0]]
    is_in_sentence = not link.is_badge and before[:1].isalpha() and before[1:] == " "
    is_in_sentence &= not _HASHTAGS.search(text, max(link.span[0] - 42, 0), link.span[0])
    says_more = not is_label(link) and not points_only(link.label)
    return link.label if is_in_sentence or says_more else ""


def is_cited(context: Context, unit: Unit) -> bool:
    """Return whether an item without links is a bibliographic reference.

    It has authors, a title and a year, or a title and an identifier, or it matches a pattern that
    the user declared.
    """
    fields, anatomy = unit.fields, unit.anatomy
    if anatomy.title is None or unit.links:
        return False
    is_dated = fields.date is not None or venue_year(fields.venue or "") is not None
    if anatomy.is_declared or (fields.authors and is_dated):
        return True
    title = plain(context.text[slice(*anatomy.title)])
    return bool(context.inline(anatomy.body).written) and likeness.title_likeness(title) > _FEW


def is_reference(context: Context, unit: Unit, heading: str) -> bool:
    """Return whether a paragraph without links is a bibliographic reference.

    It has a number, or authors below a heading for references.
    """
    title = plain(context.text[slice(*(unit.anatomy.title or (0, 0)))])
    is_dated = unit.fields.date is not None and likeness.title_likeness(title) > _FEW
    is_listed = bool(unit.fields.authors) and _REFERENCES.fullmatch(heading) is not None
    is_numbered = _REFERENCE.match(context.text, *unit.anatomy.body) is not None
    return is_dated and not unit.links and (is_listed or is_numbered)


def names_thing(unit: Unit) -> bool:
    """Return whether a unit has a link that is not only a badge."""
    return any(not link.is_badge or strong_identifier(link.url) for link in unit.links)


def sub_items(item: Block) -> list[Block]:
    """Return the items nested in an item."""
    return [sub for child in item.children if child.kind == "list" for sub in child.children]


def items_or_self(context: Context, block: Block) -> Sequence[Block]:
    """Return the items of a list, the rows of a table about one work, or else the block itself."""
    if block.kind == "table":
        return detail_lines.rows_of_card(context, block)
    return block.children if block.kind == "list" else [block]


def starts_entry(context: Context, item: Block, *, in_reference: bool = False) -> bool:
    """Return whether a nested item is an entry of its own.

    It starts with a link of its own, not labelled with a role, or with a title whose citation is a
    link; or, if the item above it names its own authors, with authors before the link of their
    work.
    """
    span = detail_lines.first_paragraph_span(context, item)
    if span is None:
        return False
    links = context.links_in(span)
    is_perhaps_cited = any(_CITATION.fullmatch(context.text, *link.label_span) for link in links)
    if is_perhaps_cited and _citation(context.text, read_unit(context, span).anatomy.title, links):
        return True
    if in_reference and _names_authors_first(context, span, links):
        return True
    # Most nested items are details, so only the start of the item is read.
    start, *_ = _read_lead(context.text, span, context.marks)
    return _leading_link(context.text, start, context.inline(span).outward) is not None


def _names_authors_first(context: Context, span: Span, links: Sequence[PlacedLink]) -> bool:
    """Return whether authors stand before a link that is the title of their work."""
    works = (x for x in links if is_web(x.url) and x.role not in ("code", "video", "slides"))
    titles = [link.label_span for link in works]
    anatomy = read_unit(context, span).anatomy if titles else Anatomy(span)
    if anatomy.title not in titles or not anatomy.parts or anatomy.parts[0].role != "authors":
        return False
    is_first = not _has_words(plain(context.text[span[0] : anatomy.parts[0].span[0]]))
    return is_first and likeness.title_likeness(plain(context.text[slice(*anatomy.title)])) > _FEW


def paragraphs_of(item: Block) -> list[Block]:
    """Return the paragraphs and quotes of an item after its first paragraph."""
    return [child for child in item.children[1:] if child.kind in ("paragraph", "quote")]


def read_item(context: Context, item: Block, unit: Unit, details: Sequence[Block]) -> Entry:
    """Return the entry of a list item. ``details`` are its nested items and paragraphs."""
    last = max([block.end for block in details], default=item.children[0].end)
    spans = [context.span(block.first, block.end) for block in details]
    below = []
    for block in details:
        start = block.start if block.kind == "item" else context.starts[block.first]
        _, end = detail_lines.first_paragraph_span(context, block) or (
            start,
            context.ends[block.end - 1],
        )
        end = len(context.text[:end].rstrip(" \t|")) if block.kind == "paragraph" else end
        below.append((start, min(end, start + 5000)))
    unit = detail_lines.title_below(context, unit, below)
    entry = make_entry(
        context,
        with_mark(unit, context.marks.behind_label([unit.anatomy.body, *spans])),
        shape="numbered" if item.marker[:1].isdigit() else "item",
        span=context.span(item.first, last),
        detail_spans=spans,
    )
    below = [*detail_lines.below_first_line(context, unit.anatomy.body), *below]
    if not below:
        return entry
    entry = detail_lines.with_labelled(context, entry, detail_lines.labelled_values(context, below))
    return _with_remarks(context, entry, below)


def read_described(
    context: Context, head: Block, unit: Unit, below: Iterable[Block], shape: Shape
) -> Entry:
    """Return the entry of the block ``head``, described by the blocks below it."""
    item = Block("item", head.first, head.end, children=[head])
    details = [detail for block in below for detail in items_or_self(context, block)]
    return replace(read_item(context, item, unit, details), shape=shape)


def _with_remarks(context: Context, entry: Entry, lines: Sequence[Span]) -> Entry:
    """Return an entry completed from the lines below it that have no label.

    They contain names, ``A, B, C. ACL'24``, only a venue, or a remark. Values in the entry's own
    text take precedence.
    """
    below: list[Part] = []
    authors: tuple[str, ...] = ()
    for span in lines:
        label = detail_lines.label_at(context, span)
        role = detail_lines.role_of_words(label) if label else ""
        is_word = label is not None and label["words"].isalpha()
        if role not in ("", "author", "other") or (role == "other" and is_word):
            continue
        people, parts = _read_byline(context, span)
        authors = authors or people
        if not parts and role != "author" and span[0] >= entry.anatomy.body[1]:
            parts = list(_read_remark(context, span))
        below += parts
    first = {part.role: part for part in reversed(below)}
    texts = {role: detail_lines.part_text(context.text, part) for role, part in first.items()}
    date = find_date(context.text, *first["date"].span) if "date" in first else None
    fields = EntryFields(
        authors=authors,
        venue=texts.get("venue"),
        date=date.iso if date else None,
        description=texts.get("details", "")[:_DESCRIPTION_LIMIT] or None,
    )
    return detail_lines.completed(
        entry, fields, Anatomy((0, 0), date=date.span if date else None), below
    )


def _read_byline(context: Context, span: Span) -> tuple[tuple[str, ...], list[Part]]:
    """Return the people in a line below a title, and the parts of its authors, venue and date.

    Both are empty if the line is not a byline.
    """
    parts = context.grammar.parts_of_detail(context.text, span, context.inline(span).skips())
    people = detail_lines.people_of(context, span, parts)
    where = [part for part in parts if part.role in _OF_VENUE]
    is_alone = len(where) == len(parts) or _IN.match(context.text, *span) is not None
    are_named = bool(where) and all(
        detail_lines.is_named(detail_lines.part_text(context.text, part)) for part in where
    )
    if not people and not (is_alone and are_named):
        return (), []
    return people, [part for part in parts if part.role in (*_OF_VENUE, "authors")]


def _read_remark(context: Context, span: Span) -> Iterator[Part]:
    """Yield a line below a title as a remark, unless it only introduces links."""
    links = context.links_in(span)
    if _NO_REMARK.match(context.text, *span):
        return
    words = plain(context.text[slice(*span)])
    before = plain(context.text[span[0] : links[0].span[0]]).strip(" [(:：") if links else words
    is_linked = not before or role_word(before) or detail_lines.is_labels_only(context, span)
    if not is_linked and likeness.words_of(words) >= _FEWEST_OF_REMARK:
        yield Part("details", inner_span(context.text, span))


def paragraph_units(context: Context, block: Block) -> list[Unit]:
    """Return the units of a paragraph: one per line if all lines are entries, else one."""
    numbers = range(block.first, block.end)
    spans = [(max(block.start, context.starts[n]), context.ends[n]) for n in numbers]
    units = [read_unit(context, span) for span in spans] if len(spans) > 1 else []
    if units and all(
        _REFERENCE.match(context.text, start) or (unit.anatomy.title and is_paragraph_entry(unit))
        for (start, _), unit in zip(spans, units, strict=True)
    ):
        return units
    return [read_unit(context, (block.start, context.ends[block.end - 1]))]


def is_paragraph_entry(unit: Unit) -> bool:
    """Return whether a paragraph is an entry, rather than prose with links.

    It starts with a web link followed by less than 300 characters, or it has a link labelled with a
    role (``[[paper]](…)``), or a link to a work with a registered identifier, or authors before a
    link labelled with a venue and year.
    """
    where = unit.fields.venue if unit.fields.authors else None
    if unit.anatomy.is_declared or any(
        strong_identifier(link.url)
        or (is_label(link) and role_word(link.label) in ("paper", "pdf", "code"))
        or link.label == where
        for link in unit.links
    ):
        return True
    link = unit.leading_link
    return link is not None and is_web(link.url) and unit.anatomy.body[1] - link.span[1] < 300


def anchor_of(context: Context, unit: Unit) -> PlacedLink | None:
    """Return the first link of a unit to a place within the page, or None."""
    links = context.inline(unit.anatomy.body).links
    return next((link for link in links if is_within_page(link.url)), None)


def with_anchored_title(context: Context, unit: Unit) -> Unit:
    """Return a unit whose title is the label of a link within the page, if it has such a link.

    Example: ``- [x] [Title](#notes-on-it)``.
    """
    if (link := anchor_of(context, unit)) is None:
        return unit
    title = inner_span(context.text, link.label_span)
    return replace(unit, anatomy=replace(unit.anatomy, title=title))

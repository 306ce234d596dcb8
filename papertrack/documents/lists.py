"""Lists, paragraphs and headings: an entry from each item that names a thing.

A sub-item that starts with a link of its own is an entry; any other is detail of the item above
it (authors, keywords, ``Code: [official](…)``). An item without a link above such sub-items is a
bold lead-in: it names a category.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from papertrack.documents.blocks import Block, Lines
from papertrack.documents.inline import scan_inline
from papertrack.documents.model import (
    Anatomy,
    Definition,
    Entry,
    EntryFields,
    PlacedLink,
    Shape,
    Span,
)
from papertrack.documents.naming import (
    base_key,
    kind_of,
    own_identifiers,
    place_links,
    plain,
    text_identifiers,
    titled_role,
)
from papertrack.documents.roles import is_web, role_word, strong_identifier
from papertrack.documents.rows import plain_links
from papertrack.documents.units import Unit, read_unit

_NAME = re.compile(
    r"(?:[^\W\d_][\w.'’-]*\s+){1,4}[^\W\d_][\w.'’-]*|[^\W\d_][\w'’-]+,\s?(?:[A-Z]\.\s?)+"
)
_AFFILIATION = re.compile(r"\([^()]{0,200}\)|\{[^{}]{0,200}\}")
_LABELLED = re.compile(r"[ \t]*(?:\*\*)?(?P<name>[A-Za-z]{3,12})(?:\*\*)?[:：]")


@dataclass(frozen=True, slots=True)
class Context:
    """What the readers of a document's parts share."""

    lines: Lines
    definitions: Mapping[str, Definition]
    checks_mean_read: bool

    @property
    def text(self) -> str:
        return self.lines.text

    def unit(self, span: Span) -> Unit:
        """Read one stretch of text."""
        return read_unit(self.text, span, self.definitions, checks_mean_read=self.checks_mean_read)


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
    span = own_span(context.lines, item)
    if span is None:
        return False
    unit = context.unit(span)
    return unit.starts_with_title and unit.title_link is not None


def names_thing(unit: Unit) -> bool:
    """Return whether a paragraph or item names a thing: a link that is no mere picture."""
    return any(not link.is_badge or strong_identifier(link.url) for link in unit.links)


def read_item(
    context: Context, item: Block, unit: Unit, details: Sequence[Block], is_numbered: bool
) -> Entry:
    """Return the entry of a list item; ``details`` are the sub-items and paragraphs that are
    part of it."""
    lines = context.lines
    last = max([block.end for block in details], default=item.children[0].end)
    entry = make_entry(
        context,
        unit,
        shape="numbered" if is_numbered else "item",
        span=lines.span(item.first, last),
        detail_spans=[lines.span(block.first, block.end) for block in details],
    )
    fields = entry.fields
    texts = [plain_detail(lines, block) for block in details]
    authors = fields.authors or find_authors(texts)
    description = fields.description or _summary(texts)
    return replace(entry, fields=replace(fields, authors=authors, description=description))


def make_entry(
    context: Context,
    unit: Unit,
    *,
    shape: Shape,
    span: Span,
    detail_spans: Sequence[Span] = (),
    title: Span | None = None,
) -> Entry:
    """Return an entry from its own text and the links in its details; ``title`` overrides."""
    text = context.text
    details = [link for part in detail_spans for link in links_in(context, part)]
    links = [*unit.links, *details]
    title_span = title or unit.title
    name = plain(text[slice(*title_span)]) if title_span else ""
    name = name or next((link.label for link in links), "")
    written = text_identifiers(text, span, links)
    title_link = unit.title_link if title is None else None
    identifiers, related = own_identifiers(title_link, [*links, *written])
    kind = kind_of(identifiers, title_link, links)
    if title_link is not None:
        role = titled_role(title_link, kind)
        links = [replace(link, role=role) if link is title_link else link for link in links]
    anatomy = Anatomy(
        own=unit.span,
        title=title_span,
        date=unit.date_span,
        mark=unit.mark,
        rating=unit.rating_span,
        links=tuple(links),
    )
    return Entry(
        index=-1,
        span=span,
        line=context.lines.number_of(span[0]) + 1,
        shape=shape,
        section=-1,
        category=(),
        fields=EntryFields(
            title=name,
            title_markup=text[slice(*title_span)] if title_span else None,
            kind=kind,
            passes=unit.mark.passes if unit.mark else None,
            read_at=unit.mark.read_at if unit.mark else None,
            rating=unit.rating,
            date=unit.date,
            links=plain_links(links),
            tags=tuple(dict.fromkeys(unit.tags)),
            description=unit.description,
            venue=unit.venue,
            related=related,
        ),
        identifiers=identifiers,
        key=base_key(identifiers, name, title_link.url if title_link else ""),
        places=frozenset(),
        anatomy=anatomy,
    )


def links_in(context: Context, span: Span) -> list[PlacedLink]:
    """Return the links of a stretch, in-page ones left out."""
    inline = scan_inline(context.text, *span, context.definitions)
    return place_links(context.text, inline, None, None)


def plain_detail(lines: Lines, block: Block) -> str:
    """Return a detail's first lines as plain text, without its list marker."""
    start = block.start if block.kind == "item" else lines.starts[block.first]
    span = own_span(lines, block) if block.kind == "item" else None
    end = span[1] if span else lines.ends[block.end - 1]
    return plain(lines.text[start : min(end, start + 5000)])


def find_authors(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the names in the first text that is a list of names, ``()`` if there is none."""
    for text in texts:
        bare = _AFFILIATION.sub("", text.split("[")[0])
        bare = re.sub(r",?\s+et\.?\s?al\.?.*$", "", bare)
        parts = [part.strip(" .*_") for part in re.split(r",\s*(?:and\s+)?|;\s*|\s+and\s+", bare)]
        parts = [part for part in parts if part]
        names = [part for part in parts if _NAME.fullmatch(part) and len(part) < 50]
        if _LABELLED.match(text) or len(names) < 2 or len(names) * 4 < len(parts) * 3:
            continue
        return tuple(names)
    return ()


def _summary(texts: Sequence[str]) -> str | None:
    """Return the detail that calls itself a summary."""
    for text in texts:
        match = _LABELLED.match(text)
        if match and match["name"].casefold() in ("summary", "tldr", "about", "abstract"):
            return text[match.end() :].strip() or None
    return None


def paragraph_units(context: Context, block: Block) -> list[tuple[Span, Unit]]:
    """Return the stretches of a paragraph that may be entries: each line by itself if all lines
    start with a link, else the whole."""
    lines = context.lines
    whole = (block.start, lines.ends[block.end - 1])
    if block.end - block.first > 1:
        spans = [(lines.starts[n], lines.ends[n]) for n in range(block.first, block.end)]
        spans[0] = (block.start, spans[0][1])
        units = [context.unit(span) for span in spans]
        if all(unit.starts_with_title and unit.title_link for unit in units):
            return list(zip(spans, units, strict=True))
    return [(whole, context.unit(whole))]


def is_paragraph_entry(unit: Unit) -> bool:
    """Return whether a paragraph names a thing, rather than being prose with links in it.

    It does if it starts with a link to the web and goes on for no more than three lines' worth, if
    it has a link labelled as a role (``[[paper]](…)``), or if it links to a work with a registered
    identifier.
    """
    if any(strong_identifier(link.url) for link in unit.links):
        return True
    if any(role_word(link.label) in ("paper", "pdf", "code") for link in unit.links):
        return True
    link = unit.title_link
    if link is None or not unit.starts_with_title or not is_web(link.url):
        return False
    return unit.span[1] - link.span[1] < 300

"""Lists, paragraphs and headings: an entry from each item that names a thing.

A sub-item that starts with a link of its own is an entry; any other is detail of the item above
it (authors, keywords, ``Code: [official](…)``). An item without a link above such sub-items is a
bold lead-in: it names a category.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from papertrack.documents.markdown.model import Entry, Lines, Unit
from papertrack.documents.markdown.read.blocks import Block, Context
from papertrack.documents.markdown.read.citations import names_in
from papertrack.documents.markdown.read.inline import plain
from papertrack.documents.markdown.read.naming import make_entry
from papertrack.documents.markdown.read.units import read_unit
from papertrack.documents.markdown.roles import is_web, role_word, strong_identifier
from papertrack.documents.markdown.values import Span

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
    return span is not None and read_unit(context, span).starts_with_title


def paragraphs_of(item: Block) -> list[Block]:
    """Return the paragraphs of an item behind its first."""
    return [child for child in item.children[1:] if child.kind == "paragraph"]


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
        found = names_in(names)
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
    words = [word for word in re.split(r"[,;|:：\s]+", rest) if word]
    is_said = not all(role_word(word) for word in words)
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
    link = unit.title_link if unit.starts_with_title else None
    return link is not None and is_web(link.url) and unit.anatomy.own[1] - link.span[1] < 300


def read_titled(context: Context, blocks: Sequence[Block]) -> tuple[Entry | None, int]:
    """Return the entry of a heading that is a paper's title, and how many blocks it spans.

    The heading links to a work with a registered identifier, or the paragraph below it is nothing
    but links labelled as roles (``[paper](…) [code](…)``).
    """
    heading = blocks[0]
    line = context.line(heading.first)
    markup = line.strip().strip("#").strip()
    start = context.starts[heading.first] + line.find(markup)
    unit = read_unit(context, (start, start + len(markup)))
    bodies = [block for block in blocks[1:2] if block.kind == "paragraph"]
    spans = [context.span(block.first, block.end) for block in bodies]
    is_paper = any(_is_only_roles(read_unit(context, span)) for span in spans) and not unit.links
    if not is_paper and not _links_to_work(unit):
        return None, 0
    end = bodies[-1].end if bodies else heading.end
    span = context.span(heading.first, end)
    entry = make_entry(context, unit, shape="heading", span=span, detail_spans=spans)
    return entry, 1 + len(bodies)


def _links_to_work(unit: Unit) -> bool:
    """Whether a title is a link to a work with a registered identifier."""
    link = unit.title_link if unit.starts_with_title else None
    return link is not None and strong_identifier(link.url) is not None


def _is_only_roles(unit: Unit) -> bool:
    """Whether a paragraph is nothing but links labelled as roles."""
    roles = {role_word(link.label) for link in unit.links}
    has_words = unit.anatomy.title is not None or unit.fields.description is not None
    return bool(roles) and None not in roles and not has_words

"""Works spread over paragraphs: ``**Title**``, then *names*, then ``[[pdf]](…) [[code]](…)``.

A paragraph of nothing but links labelled as roles, or of names, a venue and a date, goes on with
the work above it: a paragraph, or the one item of a list, though nothing indents it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise

from papertrack.documents.markdown.grammar.likeness import (
    has_cjk,
    is_title_case,
    title_likeness,
)
from papertrack.documents.markdown.grammar.names import authors_in
from papertrack.documents.markdown.grammar.pieces import is_label
from papertrack.documents.markdown.model import Entry, PartRole, PlacedLink, Unit
from papertrack.documents.markdown.read import lists
from papertrack.documents.markdown.read.blocks import Block, Context, walk
from papertrack.documents.markdown.read.inline import inline_of, links_in, plain
from papertrack.documents.markdown.read.mentions import is_in_passing
from papertrack.documents.markdown.roles import role_word, strong_identifier
from papertrack.documents.markdown.values import Span
from papertrack.records import LinkRole

_OF_PAPER: tuple[LinkRole, ...] = ("paper", "pdf")
_OF_WORK: tuple[LinkRole, ...] = (*_OF_PAPER, "code", "project")
_OF_VENUE: frozenset[PartRole] = frozenset(("venue", "date"))
_OF_BYLINE: frozenset[PartRole] = frozenset(("authors", "venue", "date", "link", "tag", "number"))
_LIKE_A_TITLE = 0.4
_MANY = 3
"""So many works of a document that are spread alike show that it is how it writes them."""
_LONGEST_BYLINE = 2000
_TOLD_NAMES = re.compile(r"[\W_]*(?:作者|著者|저자)[\W_]*[:：]")
_QUOTES = re.compile("[\"“„«「『《]|''")


def is_links_alone(context: Context, block: Block) -> bool:
    """Return whether a block is a paragraph of links labelled as roles and nothing else, nor of
    badges alone."""
    links = _links_of(context, [block]) if block.kind == "paragraph" else []
    return any(not link.is_badge for link in links) and lists.is_labels_only(
        context, _span(context, block)
    )


def is_spread(context: Context, blocks: Sequence[Block]) -> bool:
    """Return whether many works of a document are spread over paragraphs."""
    return sum(_are_spread(context, *pair) for pair in pairwise(walk(blocks))) >= _MANY


def _are_spread(context: Context, block: Block, other: Block) -> bool:
    """Whether links of a work, or names with them, stand below a paragraph without any."""
    if block.kind != "paragraph" or other.kind != "paragraph" or _links_of(context, [block]):
        return False
    return bool(_links_of(context, [other])) and _goes_on(context, other, is_linked=False)


def with_follow_ups(
    context: Context, blocks: Sequence[Block], *, is_usual: bool
) -> Iterator[Block]:
    """Yield blocks, in which the paragraphs that go on with a list's item stand in it. ``is_usual``
    says that many works of the document are written so."""
    number = 0
    while number < len(blocks):
        below: list[Block] = []
        if blocks[number].kind == "list":
            below = _below_item(context, blocks, number, is_usual=is_usual)
        yield _joined(blocks[number], below) if below else blocks[number]
        number += 1 + len(below)


def _below_item(
    context: Context, blocks: Sequence[Block], number: int, *, is_usual: bool
) -> list[Block]:
    """Return the paragraphs that go on with the one item of a list, or with the last of titles
    alone: that says nothing of what they say."""
    *others, item = blocks[number].children
    own = lists.own_span(context, item)
    if own is None or lists.sub_items(item):
        return []
    links = links_in(context, own)
    if others and (links or any(_links_of_item(context, one) for one in others)):
        return []
    below = _follow_ups(context, islice(blocks, number + 1, None), is_linked=bool(links))
    if below and not links:
        unit = lists.read_unit(context, own)
        return below if _is_titled(context, unit, below, is_usual=is_usual) else []
    said = {role_word(link.label) for link in links} - {None}
    return [] if said & {role_word(link.label) for link in _links_of(context, below)} else below


def _links_of_item(context: Context, item: Block) -> list[PlacedLink]:
    own = lists.own_span(context, item)
    return links_in(context, own) if own else []


def _joined(block: Block, below: Sequence[Block]) -> Block:
    """Return a list with paragraphs as if they were indented under its last item."""
    *others, item = block.children
    end = below[-1].end
    item = replace(item, end=end, children=[*item.children, *below])
    return replace(block, end=end, children=[*others, item])


def read_spread(
    context: Context, blocks: Sequence[Block], *, is_usual: bool
) -> tuple[Entry | None, int]:
    """Return the entry of a paragraph with those below it that go on with it, and how many blocks
    that are; no entry if nothing goes on, or with no work. ``is_usual`` says that many works of
    the document are."""
    is_linked = bool(_links_of(context, blocks[:1]))
    below = _follow_ups(context, blocks[1:], is_linked=is_linked)
    units = lists.paragraph_units(context, blocks[0]) if below else []
    if len(units) != 1 or is_links_alone(context, blocks[0]):
        return None, 0
    if not _is_titled(context, units[0], below, is_usual=is_usual):
        return None, 0
    item = Block("item", blocks[0].first, blocks[0].end, children=[blocks[0]])
    entry = lists.read_item(context, item, units[0], below)
    return replace(entry, shape="paragraph"), 1 + len(below)


def _is_titled(context: Context, unit: Unit, below: Sequence[Block], *, is_usual: bool) -> bool:
    """Whether a paragraph has the title of the work that others below it go on with."""
    if unit.links:
        is_entry = lists.is_paragraph_entry(unit)
        return is_entry and not is_in_passing(context.text, unit)
    is_told = is_usual or _is_marked(context.text, unit)
    if not is_told and not is_links_alone(context, below[-1]):
        return False
    says_work = _says_work(_links_of(context, below), _OF_WORK)
    return says_work and _is_title(context.text, unit, is_told=is_told)


def _is_title(text: str, unit: Unit, *, is_told: bool) -> bool:
    """Whether a paragraph without links is a title and no sentence: its capitals tell, if nothing
    else does."""
    if unit.anatomy.title is None or text[unit.anatomy.own[1] - 1] in ":：":
        return False
    title = plain(text[slice(*unit.anatomy.title)])
    has_capitals = is_title_case(title.partition(" ")[2])  # Sentences begin with one, too.
    return (is_told or has_capitals) and title_likeness(title) >= _LIKE_A_TITLE


def _is_marked(text: str, unit: Unit) -> bool:
    """Whether emphasis ends with the title of a paragraph."""
    title = unit.anatomy.title
    return title is not None and text[title[1] : title[1] + 2].strip(".")[:1] in ("*", "_")


def _follow_ups(context: Context, blocks: Iterable[Block], *, is_linked: bool) -> list[Block]:
    """Return the first of some blocks that only go on with the work above them; ``is_linked`` says
    that this is linked there."""
    kept: list[Block] = []
    for block in blocks:
        if block.kind != "paragraph":
            break
        is_where = bool(kept) and _is_where(context, block)
        if not (is_where or _goes_on(context, block, is_linked=is_linked)):
            break
        kept.append(block)
    return kept


def _goes_on(context: Context, block: Block, *, is_linked: bool) -> bool:
    if is_links_alone(context, block):
        return True
    # What is linked above has a title: names with a link of their own may be another work's.
    is_other = is_linked and _says_work(_links_of(context, [block]), _OF_PAPER)
    return not is_other and _is_byline(context, _span(context, block))


def _is_where(context: Context, block: Block) -> bool:
    """Whether a paragraph only says where and when a work appeared: in bold it names a category."""
    span = _span(context, block)
    if span[1] - span[0] > _LONGEST_BYLINE or context.text.startswith(("**", "__"), span[0]):
        return False
    skips = inline_of(context, span).skips()
    parts = context.grammar.parts_of_detail(context.text, span, skips)
    return bool(parts) and {part.role for part in parts} <= _OF_VENUE


def _is_byline(context: Context, span: Span) -> bool:
    """Whether a stretch says who wrote a work, where and when, and nothing else."""
    text = context.text[slice(*span)]
    if len(text) > _LONGEST_BYLINE or text[-1] in ":：" or _QUOTES.search(text):
        return False
    if has_cjk(text) and not _TOLD_NAMES.match(text):
        return False  # A few characters between commas may be names or anything.
    inline = inline_of(context, span)
    named = [link for link in inline.outward if not is_label(link)]
    # ``[A Title](…), Ann Bee`` is a work; where people are linked, more than the first are.
    is_first_alone = len(named) == 1 and named[0].span[0] == span[0]
    if is_first_alone or any(link.role in _OF_PAPER for link in named):
        return False
    parts = context.grammar.parts_of_detail(context.text, span, inline.skips())
    others = (part for part in parts if part.role not in _OF_BYLINE)
    are_names = all(authors_in(plain(context.text[slice(*part.span)])) for part in others)
    return are_names and bool(lists.people_of(context, span, parts))


def _says_work(links: Iterable[PlacedLink], roles: Sequence[LinkRole]) -> bool:
    """Whether links name a work, by an identifier or as one of these."""
    return any(strong_identifier(one.url) or role_word(one.label) in roles for one in links)


def _links_of(context: Context, blocks: Iterable[Block]) -> list[PlacedLink]:
    return [link for block in blocks for link in links_in(context, _span(context, block))]


def _span(context: Context, block: Block) -> Span:
    """Return where the words of a paragraph stand."""
    return block.start, context.ends[block.end - 1]

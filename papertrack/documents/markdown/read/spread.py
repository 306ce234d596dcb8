"""Read works that are spread over several paragraphs.

``**Title**`` is followed by *names*, and then by ``[[pdf]](…) [[code]](…)``. A paragraph with only
labelled links, or only names, a venue and a date, continues the work above it. That is a paragraph,
or the only item of a list, even without indentation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile, zip_longest

from papertrack.documents.markdown.grammar.likeness import is_title_case, title_likeness, words_of
from papertrack.documents.markdown.model import Entry, PlacedLink, Unit
from papertrack.documents.markdown.read import lists
from papertrack.documents.markdown.read.below import (
    OF_PAPER,
    is_byline,
    is_labelled_list,
    is_links_alone,
    is_where,
    own_span,
    says_work,
    span_of,
)
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.read.left_out import is_in_passing
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.syntax import Block, plain, walk
from papertrack.documents.markdown.values import Span

_LIKE_A_TITLE = 0.4
_MANY = 3
"""How many works must be spread alike to show that the document writes them so."""
_MOST = 8
"""The most blocks that continue one work."""
_LONGEST_PROSE = 3
"""The most paragraphs and pictures between a title in bold and its links."""


def is_spread(context: Context, blocks: Sequence[Block]) -> bool:
    """Return whether many works of a document are spread over paragraphs."""
    return sum(_are_spread(context, *pair) for pair in pairwise(walk(blocks))) >= _MANY


def _are_spread(context: Context, block: Block, other: Block) -> bool:
    """Return whether a work's links, or names with them, follow a paragraph without links."""
    if block.kind != "paragraph" or other.kind != "paragraph" or _links_of(context, [block]):
        return False
    return bool(_links_of(context, [other])) and _goes_on(context, other, is_linked=False)


def with_follow_ups(
    context: Context, blocks: Sequence[Block], *, is_usual: bool
) -> Iterator[Block]:
    """Yield blocks, with paragraphs that continue a list's item moved into that item.

    ``is_usual`` tells that many works of the document are spread.
    """
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
    """Return the paragraphs that continue the last item of a list.

    It is the only item, or all items are titles without links.
    """
    *others, item = blocks[number].children
    own = own_span(context, item)
    if own is None or lists.sub_items(item):
        return []
    links = context.links_in(own)
    if others and (links or any(_links_of_item(context, other) for other in others)):
        return []
    below = _follow_ups(context, blocks[number + 1 : number + 1 + _MOST], is_linked=bool(links))
    if below and not links:
        unit = lists.read_unit(context, own)
        return below if _is_titled(context, unit, below, is_usual=is_usual) else []
    roles = {role_word(link.label) for link in links} - {None}
    return [] if roles & {role_word(link.label) for link in _links_of(context, below)} else below


def _links_of_item(context: Context, item: Block) -> Sequence[PlacedLink]:
    own = own_span(context, item)
    return context.links_in(own) if own else ()


def _joined(block: Block, below: Sequence[Block]) -> Block:
    """Return a list with paragraphs moved into its last item."""
    *others, item = block.children
    end = below[-1].end
    item = replace(item, end=end, children=[*item.children, *below])
    return replace(block, end=end, children=[*others, item])


def read_spread(
    context: Context, blocks: Sequence[Block], *, is_usual: bool
) -> tuple[Entry | None, int]:
    """Return the entry that a paragraph starts, and how many blocks it takes.

    No entry if nothing continues it, or if there is no work. ``is_usual`` tells that many works of
    the document are spread.
    """
    if (head := _head_of(blocks[0])) is None:
        return None, 0
    span = span_of(context, head)
    is_linked = bool(context.links_in(span))
    below = _follow_ups(context, blocks[1 : 1 + _MOST], is_linked=is_linked)
    if not is_linked and not _links_of(context, below) and _is_bold(context.text, span):
        below += _behind_prose(context, blocks[1 + len(below) :])
    units = lists.paragraph_units(context, head) if below else []
    if len(units) != 1 or is_links_alone(context, span):
        return None, 0
    if not _is_titled(context, units[0], below, is_usual=is_usual):
        return None, 0
    item = Block("item", head.first, head.end, children=[head])
    details = [
        part for block in below for part in (block.children if block.kind == "list" else [block])
    ]
    entry = lists.read_item(context, item, units[0], details)
    return replace(entry, shape="paragraph"), 1 + len(below)


def _head_of(block: Block) -> Block | None:
    """Return the paragraph that may hold a title: the block, or the only one of a quote."""
    inner = block.children if block.kind == "quote" else [block]
    return inner[0] if [part.kind for part in inner] == ["paragraph"] else None


def _is_bold(text: str, span: Span) -> bool:
    """Return whether a whole paragraph is in bold."""
    return text.startswith(("**", "__"), span[0]) and text.endswith(("**", "__"), *span)


def _behind_prose(context: Context, blocks: Sequence[Block]) -> list[Block]:
    """Return a few paragraphs without links, and the work's links below them.

    Empty if no such links follow.
    """
    prose = [*takewhile(lambda block: _is_prose(context, block), blocks[:_LONGEST_PROSE])]
    links = _follow_ups(context, blocks[len(prose) :], is_linked=False)
    return [*prose, *links] if _links_of(context, links[:1]) else []


def _is_prose(context: Context, block: Block) -> bool:
    span = _whole(context, block)
    return (
        block.kind in ("paragraph", "quote")
        and not context.links_in(span)
        and not _is_bold(context.text, span)
    )


def _is_titled(context: Context, unit: Unit, below: Sequence[Block], *, is_usual: bool) -> bool:
    """Return whether a paragraph has the title of the work that is continued below it."""
    if unit.links:
        is_entry = lists.is_paragraph_entry(unit) and not is_in_passing(context.text, unit)
        return is_entry and not is_byline(context, unit.anatomy.own)
    is_told = is_usual or _is_marked(context.text, unit)
    if not is_told and not _is_clear(context, below[-1]):
        return False
    if not says_work(_links_of(context, below)):
        return False
    is_sure = _is_bold(context.text, unit.anatomy.own) and _is_of_paper(context, below[0])
    return _is_title(context.text, unit, is_told=is_told, is_sure=is_sure)


def _is_of_paper(context: Context, block: Block) -> bool:
    """Return whether a paragraph is only names, or only the links of a paper.

    A single bold word above it is a title then; otherwise it is a category.
    """
    span = span_of(context, block)
    links = context.links_in(span)
    is_byline_alone = not links and is_byline(context, span)
    is_linked = says_work(links, OF_PAPER) and is_links_alone(context, span)
    return block.kind == "paragraph" and (is_byline_alone or is_linked)


def _is_clear(context: Context, block: Block) -> bool:
    """Return whether a block certainly continues a work; names with a link may not."""
    return block.kind == "list" or is_links_alone(context, span_of(context, block))


def _is_title(text: str, unit: Unit, *, is_told: bool, is_sure: bool) -> bool:
    """Return whether a paragraph without links is a title rather than a sentence.

    Without other evidence, its capitals decide.
    """
    if unit.anatomy.title is None or text[unit.anatomy.own[1] - 1] in ":：":
        return False
    title = plain(text[slice(*unit.anatomy.title)])
    if is_told:
        return is_sure or words_of(title) > 1  # Two words and two more may be a title or two names.
    has_capitals = is_title_case(title.partition(" ")[2])  # Sentences start with a capital too.
    return has_capitals and title_likeness(title) >= _LIKE_A_TITLE


def _is_marked(text: str, unit: Unit) -> bool:
    """Return whether emphasis ends with the title of a paragraph."""
    title = unit.anatomy.title
    return title is not None and text[title[1] : title[1] + 2].strip(".")[:1] in ("*", "_")


def _follow_ups(context: Context, blocks: Sequence[Block], *, is_linked: bool) -> list[Block]:
    """Return the first blocks that only continue the work above them.

    ``is_linked`` tells that the work has a link above. A block between its links and others is the
    next title.
    """
    kept: list[Block] = []
    for block, follower in zip_longest(blocks, blocks[1:]):
        is_more = _is_more(context, block, is_first=not kept, is_linked=is_linked)
        is_behind = is_linked or bool(_links_of(context, kept))
        if not is_more or (is_behind and _is_between(context, block, follower)):
            break
        kept.append(block)
    return kept


def _is_between(context: Context, block: Block, follower: Block | None) -> bool:
    """Return whether text without a link stands right above labelled links of a paper."""
    if follower is None or follower.kind != "paragraph" or _links_of(context, [block]):
        return False
    links = _links_of(context, [follower])
    return says_work(links, OF_PAPER) and is_links_alone(context, span_of(context, follower))


def _is_more(context: Context, block: Block, *, is_first: bool, is_linked: bool) -> bool:
    """Return whether a block only continues the work above it."""
    match block.kind:
        case "paragraph":
            is_one = _goes_on(context, block, is_linked=is_linked)
            return is_one or (not is_first and is_where(context, span_of(context, block)))
        case "quote":
            return bool(block.children) and all(
                _is_more(context, child, is_first=is_first, is_linked=is_linked)
                for child in block.children
            )
        case "list":
            return is_labelled_list(context, block)
        case _:
            return False


def _goes_on(context: Context, block: Block, *, is_linked: bool) -> bool:
    span = span_of(context, block)
    if is_links_alone(context, span):
        return True
    # The work above has its link already, so names with a link may belong to another.
    is_other = is_linked and says_work(context.links_in(span), OF_PAPER)
    return not is_other and is_byline(context, span)


def _links_of(context: Context, blocks: Iterable[Block]) -> list[PlacedLink]:
    return [link for block in blocks for link in context.links_in(_whole(context, block))]


def _whole(context: Context, block: Block) -> Span:
    """Return the span of all lines of a block."""
    return block.start, context.ends[block.end - 1]

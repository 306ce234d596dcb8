"""Read works that are described by several items of a list, or by several paragraphs.

In a list, a title, authors and links may be items one below the other. In paragraphs, ``**Title**``
is followed by *names*, and then by ``[[pdf]](…) [[code]](…)``. A paragraph with only labelled
links, or only names, a venue and a date, describes the work above it, which is a paragraph or the
last item of a list, even without indentation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile, zip_longest

from papertrack.documents.markdown.grammar.likeness import is_title_case, title_likeness, words_of
from papertrack.documents.markdown.grammar.pieces import is_label
from papertrack.documents.markdown.model import Entry, PlacedLink, Unit
from papertrack.documents.markdown.read import lists
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.read.detail_lines import (
    OF_PAPER,
    first_paragraph_span,
    is_byline,
    is_labelled_line,
    is_labelled_list,
    is_labelled_title,
    is_links_alone,
    is_of_work,
    is_venue_and_date,
    label_at,
    label_before_name,
    links_to_work,
    role_of_label,
    span_of,
)
from papertrack.documents.markdown.read.non_entries import is_in_passing
from papertrack.documents.markdown.roles import role_word, strong_identifier
from papertrack.documents.markdown.syntax import Block, plain, walk
from papertrack.documents.markdown.values import Span
from papertrack.records import LinkRole

_LIKE_A_TITLE = 0.4
_MANY = 3
"""How many works must be spread over paragraphs to show that the document writes them so."""
_MOST = 8
"""The most blocks that follow a title and describe its work."""
_LONGEST_PROSE = 3
"""The most paragraphs and pictures between a title in bold and its links."""


def is_spread(context: Context, blocks: Sequence[Block]) -> bool:
    """Return whether many works of a document are spread over paragraphs."""
    return sum(_are_spread(context, *pair) for pair in pairwise(walk(blocks))) >= _MANY


def _are_spread(context: Context, block: Block, other: Block) -> bool:
    """Return whether a paragraph without links precedes one with the links of a work."""
    if block.kind != "paragraph" or other.kind != "paragraph" or _links_of(context, [block]):
        return False
    return bool(_links_of(context, [other])) and _continues(context, other, is_linked=False)


def with_follow_ups(
    context: Context, blocks: Sequence[Block], *, is_usual: bool
) -> Iterator[Block]:
    """Yield the blocks, with paragraphs that describe the last item of a list moved into it.

    ``is_usual`` means that many works of the document are spread over paragraphs.
    """
    number = 0
    while number < len(blocks):
        block, below = blocks[number], list[Block]()
        if block.kind == "list":
            below = _below_item(context, blocks, number, is_usual=is_usual)
        if below:
            *others, item = block.children
            end = below[-1].end
            item = replace(item, end=end, children=[*item.children, *below])
            block = replace(block, end=end, children=[*others, item])
        yield block
        number += 1 + len(below)


def _below_item(
    context: Context, blocks: Sequence[Block], number: int, *, is_usual: bool
) -> list[Block]:
    """Return the paragraphs that describe the last item of a list.

    Either it is the only item, or no item of the list has links.
    """
    spans = [first_paragraph_span(context, item) for item in blocks[number].children]
    last_span = spans[-1]
    if last_span is None or lists.sub_items(blocks[number].children[-1]):
        return []
    links = context.links_in(last_span)
    if spans[1:] and any(context.links_in(span) for span in spans if span):
        return []
    below = _follow_ups(context, blocks[number + 1 : number + 1 + _MOST], is_linked=bool(links))
    if below and not links:
        unit = lists.read_unit(context, last_span)
        return below if _is_titled(context, unit, below, is_usual=is_usual) else []
    roles = {role_word(link.label) for link in links} - {None}
    return [] if roles & {role_word(link.label) for link in _links_of(context, below)} else below


def read_spread(
    context: Context, blocks: Sequence[Block], *, is_usual: bool
) -> tuple[Entry | None, int]:
    """Return the entry that starts with the first block, and how many blocks it takes.

    The first block is a paragraph, perhaps in a quote. Returns None if no block describes its work
    further, or if there is no work. ``is_usual`` means that many works of the document are spread
    over paragraphs.
    """
    heads = blocks[0].children if blocks[0].kind == "quote" else blocks[:1]
    if [part.kind for part in heads] != ["paragraph"]:
        return None, 0
    head, span = heads[0], span_of(context, heads[0])
    is_linked = bool(context.links_in(span))
    below = _follow_ups(context, blocks[1 : 1 + _MOST], is_linked=is_linked)
    if not is_linked and not _links_of(context, below) and _is_bold(context.text, span):
        below += _behind_prose(context, blocks[1 + len(below) :])
    units = lists.paragraph_units(context, head) if below else []
    if len(units) != 1 or is_links_alone(context, span):
        return None, 0
    if not _is_titled(context, units[0], below, is_usual=is_usual):
        return None, 0
    entry = lists.read_described(context, head, units[0], below, "paragraph")
    return entry, 1 + len(below)


def _is_bold(text: str, span: Span) -> bool:
    """Return whether a whole paragraph is in bold."""
    return text.startswith(("**", "__"), span[0]) and text.endswith(("**", "__"), *span)


def _behind_prose(context: Context, blocks: Sequence[Block]) -> list[Block]:
    """Return a few paragraphs of prose, and the links of a work below them.

    Empty if no such links follow.
    """

    def is_prose(block: Block) -> bool:
        span = _whole(context, block)
        is_plain = not context.links_in(span) and not _is_bold(context.text, span)
        return block.kind in ("paragraph", "quote") and is_plain

    prose = [*takewhile(is_prose, blocks[:_LONGEST_PROSE])]
    links = _follow_ups(context, blocks[len(prose) :], is_linked=False)
    return [*prose, *links] if _links_of(context, links[:1]) else []


def _is_titled(context: Context, unit: Unit, below: Sequence[Block], *, is_usual: bool) -> bool:
    """Return whether a paragraph has the title of the work that the blocks ``below`` describe.

    The last block must certainly belong to the work, unless the document writes works so or the
    title ends its emphasis. Names with a link are not certain.
    """
    text, title, last = context.text, unit.anatomy.title, below[-1]
    if unit.links:
        is_entry = lists.is_paragraph_entry(unit) and not is_in_passing(text, unit)
        return is_entry and not is_byline(context, unit.anatomy.body)
    is_marked = title is not None and text[title[1] : title[1] + 2].strip(".")[:1] in ("*", "_")
    is_expected = is_usual or is_marked
    is_clear = last.kind == "list" or is_links_alone(context, span_of(context, last))
    if not any((is_expected, is_clear)) or not links_to_work(_links_of(context, below)):
        return False
    is_sure = _is_bold(text, unit.anatomy.body) and _is_of_paper(context, below[0])
    return _is_title(text, unit, is_expected=is_expected, is_sure=is_sure)


def _is_of_paper(context: Context, block: Block) -> bool:
    """Return whether a paragraph has only names, or only the links of a paper.

    Then a single bold word above it is a title; otherwise it is a category.
    """
    span = span_of(context, block)
    links = context.links_in(span)
    is_byline_alone = not links and is_byline(context, span)
    is_linked = links_to_work(links, OF_PAPER) and is_links_alone(context, span)
    return block.kind == "paragraph" and (is_byline_alone or is_linked)


def _is_title(text: str, unit: Unit, *, is_expected: bool, is_sure: bool) -> bool:
    """Return whether a paragraph without links is a title rather than a sentence.

    If a title is expected, two words are enough; otherwise, capitals and length decide.
    """
    if unit.anatomy.title is None or text[unit.anatomy.body[1] - 1] in ":：":
        return False
    title = plain(text[slice(*unit.anatomy.title)])
    if is_expected:
        return is_sure or words_of(title) > 1  # A single word may be the name of a category.
    # The first word is left out, because sentences start with a capital too.
    has_capitals = is_title_case(title.partition(" ")[2])
    return has_capitals and title_likeness(title) >= _LIKE_A_TITLE


def _follow_ups(context: Context, blocks: Sequence[Block], *, is_linked: bool) -> list[Block]:
    """Return the first blocks that only describe the work above them.

    ``is_linked`` means that the work already has a link. If so, a block right above further links
    of a paper is the next title.
    """
    kept: list[Block] = []
    for block, follower in zip_longest(blocks, blocks[1:]):
        is_more = _continues_work(context, block, is_first=not kept, is_linked=is_linked)
        is_behind = is_linked or bool(_links_of(context, kept))
        if not is_more or (is_behind and _is_between(context, block, follower)):
            break
        kept.append(block)
    return kept


def _is_between(context: Context, block: Block, follower: Block | None) -> bool:
    """Return whether a block without links is right above the labelled links of a paper."""
    if follower is None or _links_of(context, [block]):
        return False
    if follower.kind != "paragraph":
        return follower.kind == "list" and is_labelled_list(context, follower)
    links = _links_of(context, [follower])
    return links_to_work(links, OF_PAPER) and is_links_alone(context, span_of(context, follower))


def _continues_work(context: Context, block: Block, *, is_first: bool, is_linked: bool) -> bool:
    """Return whether a block only describes the work above it."""
    match block.kind:
        case "paragraph":
            is_one = _continues(context, block, is_linked=is_linked)
            return is_one or (not is_first and is_venue_and_date(context, span_of(context, block)))
        case "quote":
            return bool(block.children) and all(
                _continues_work(context, child, is_first=is_first, is_linked=is_linked)
                for child in block.children
            )
        case "list":
            return is_labelled_list(context, block)
        case _:
            return False


def _continues(context: Context, block: Block, *, is_linked: bool) -> bool:
    """Return whether a paragraph has only labelled links, or only names and a venue."""
    span = span_of(context, block)
    if is_links_alone(context, span):
        return True
    # If the work above has a link already, names with a link may belong to the next work.
    is_other = is_linked and links_to_work(context.links_in(span), OF_PAPER)
    return not is_other and is_byline(context, span)


def _links_of(context: Context, blocks: Iterable[Block]) -> list[PlacedLink]:
    return [link for block in blocks for link in context.links_in(_whole(context, block))]


def _whole(context: Context, block: Block) -> Span:
    """Return the span of all lines of a block."""
    return block.start, context.ends[block.end - 1]


def by_work(context: Context, items: Sequence[Block]) -> Iterator[Block]:
    """Yield the items of a list, with those that describe one work joined into one.

    These are labelled lines, or names and labelled links below a title. Items with nested lists are
    not joined.
    """
    number = 0
    while number < len(items):
        end = _end_of_work(context, items, number)
        # If two lines, including the one after these, have the same label before a name, as in
        # ``Code: [One](…)``, each is about another thing.
        beside = items[number + 1 : end + 1]
        labels = Counter(label_before_name(context, span_of(context, item)) for item in beside)
        if any(label and count > 1 for label, count in labels.items()):
            end = number + 1
        first, *others = items[number:end]
        if others:
            below = Block("list", others[0].first, others[-1].end, children=others)
            first = replace(first, end=below.end, children=[*first.children, below])
        yield first
        number = end


def _end_of_work(context: Context, items: Sequence[Block], number: int) -> int:
    """Return the end of the items that describe the same work as this one."""
    end = number + 1
    if lists.sub_items(items[number]):
        return end
    if not _starts_work(context, items[number]):
        return _end_of_links(context, items, number)
    has_any = is_labelled_title(context, span_of(context, items[number]))
    while end < len(items) and _is_of_same(context, items[end], has_any=has_any):
        end += 1
    return end


def _starts_work(context: Context, item: Block) -> bool:
    """Return whether an item has a label for a title, or a label for papers before a title."""
    span = span_of(context, item)
    if is_labelled_title(context, span):
        return True
    label = label_at(context, span)
    if label is None or role_word(label["words"]) != "paper":
        return False
    links = context.links_in(span)
    return bool(links) and links[0].span[0] == label.end() and not is_label(links[0])


def _is_of_same(context: Context, item: Block, *, has_any: bool) -> bool:
    """Return whether an item has a label that belongs to the work of the item before it.

    After a label for a title, any label does (``has_any``). After a label for papers, only labels
    for the other links of a work do.
    """
    span = span_of(context, item)
    label = label_at(context, span)
    if label is None or lists.sub_items(item) or _starts_work(context, item):
        return False
    if has_any or role_of_label(label) == "other":
        return has_any
    return is_labelled_line(context, span) and is_of_work(context, span)


def _end_of_links(context: Context, items: Sequence[Block], number: int) -> int:
    """Return the end of the names and labelled links below an item that links to a work.

    Each role may occur once. A line of names or of a venue may occur once too, if it has a label,
    emphasis or code; otherwise it may be a bibliographic reference.
    """
    end = number + 1
    if end == len(items) or None in _roles_of(context, span_of(context, items[end])):
        return end  # In most lists, the next item is another work.
    first = span_of(context, items[number])
    links = context.links_in(first)
    if is_links_alone(context, first) or not links_to_work(links):
        return end
    used_roles = {role_word(link.label) for link in links} - {None}
    used_roles |= set(OF_PAPER) if any(strong_identifier(link.url) for link in links) else set()
    unused_tests = [is_byline, is_venue_and_date]
    while end < len(items) and not lists.sub_items(items[end]):
        span = span_of(context, items[end])
        roles = _roles_of(context, span)
        if roles & {*used_roles, None}:
            break
        if not roles:
            words = context.text[slice(*span)]
            is_marked = words[:1] == words[-1:] and words[:1] in ("*", "_", "`")
            is_apart = is_marked or label_at(context, span) is not None
            matching = [test for test in unused_tests if is_apart and test(context, span)]
            if not matching:
                break
            unused_tests.remove(matching[0])
        used_roles |= roles
        end += 1
    return end


def _roles_of(context: Context, span: Span) -> set[LinkRole | None]:
    """Return the roles of an item's links, by its label or theirs.

    The set contains None if a link has no role or if the item has other text.
    """
    links = context.links_in(span)
    label = label_at(context, span)
    label_role = role_word(label["words"]) if label and links else None
    if label_role is not None and is_labelled_line(context, span):
        return {label_role} if is_of_work(context, span) else {None}
    roles = {role_word(link.label) for link in links}
    return roles if not links or is_links_alone(context, span) else {None}

"""Join the items of a list that describe one work.

They are a title, authors and links, one below the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from papertrack.documents.markdown.grammar.pieces import is_label
from papertrack.documents.markdown.read.below import (
    OF_PAPER,
    is_byline,
    is_labelled_line,
    is_labelled_title,
    is_links_alone,
    is_of_work,
    is_where,
    label_at,
    label_of_named,
    role_of_label,
    says_work,
    span_of,
)
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.roles import role_word, strong_identifier
from papertrack.documents.markdown.syntax import Block
from papertrack.documents.markdown.values import Span
from papertrack.records import LinkRole


def by_work(context: Context, items: Sequence[Block]) -> Iterator[Block]:
    """Yield items, joined where several describe one work.

    They are labelled lines, or labelled links and names below a title. Items with nested lists stay
    as they are.
    """
    number = 0
    while number < len(items):
        end = _end_of_work(context, items, number)
        if _are_of_a_kind(context, items[number + 1 : end + 1]):
            end = number + 1
        yield _joined(items[number:end]) if end > number + 1 else items[number]
        number = end


def _end_of_work(context: Context, items: Sequence[Block], number: int) -> int:
    """Return the end of the items that describe one work with this one."""
    first, end = items[number], number + 1
    if _is_nested(first):
        return end
    if _starts_work(context, first):
        has_any = is_labelled_title(context, span_of(context, first))
        while end < len(items) and _is_of_same(context, items[end], has_any=has_any):
            end += 1
        return end
    return _end_of_links(context, items, number)


def _are_of_a_kind(context: Context, items: Sequence[Block]) -> bool:
    """Return whether items are separate things rather than parts of one work.

    The last of them is the one after the work's items. They are separate if two have the same label
    before a name: ``Code: [One](…)``.
    """
    labels = [label_of_named(context, span_of(context, item)) for item in items]
    return max(Counter(filter(None, labels)).values(), default=0) > 1


def _starts_work(context: Context, item: Block) -> bool:
    """Return whether an item has a title's label, or a paper's label before a titled link."""
    span = span_of(context, item)
    if is_labelled_title(context, span):
        return True
    label = label_at(context, span)
    if label is None or role_word(label["words"]) != "paper":
        return False
    links = context.links_in(span)
    return bool(links) and links[0].span[0] == label.end() and not is_label(links[0])


def _is_of_same(context: Context, item: Block, *, has_any: bool) -> bool:
    """Return whether an item's label continues the work of the item before it.

    After a title's label, any label does (``has_any``). After a paper's label, only labels of the
    work's other links do.
    """
    span = span_of(context, item)
    label = label_at(context, span)
    if label is None or _is_nested(item) or _starts_work(context, item):
        return False
    if has_any or role_of_label(label) == "other":
        return has_any
    return is_labelled_line(context, span) and is_of_work(context, span)


def _end_of_links(context: Context, items: Sequence[Block], number: int) -> int:
    """Return the end of the names and labelled links below an item with a work's link.

    Each role may occur once.
    """
    end = number + 1
    if end == len(items) or None in _roles_of(context, span_of(context, items[end])):
        return end  # Nearly always the next item is another work.
    first = span_of(context, items[number])
    links = context.links_in(first)
    if is_links_alone(context, first) or not says_work(links):
        return end
    roles_said = {role_word(link.label) for link in links} - {None}
    roles_said |= set(OF_PAPER) if any(strong_identifier(link.url) for link in links) else set()
    tells = [is_byline, is_where]
    while end < len(items) and not _is_nested(items[end]):
        span = span_of(context, items[end])
        roles = _roles_of(context, span)
        if roles & {*roles_said, None}:
            break
        if not roles:
            # A work has one line of names; a second one may be another work.
            told = [one for one in tells if one(context, span)] if _is_apart(context, span) else []
            if not told:
                break
            tells.remove(told[0])
        roles_said |= roles
        end += 1
    return end


def _roles_of(context: Context, span: Span) -> set[LinkRole | None]:
    """Return the roles of an item's links, by its label or theirs.

    The result has None if a link has no role or the item has other text.
    """
    links = context.links_in(span)
    label = label_at(context, span)
    label_role = role_word(label["words"]) if label and links else None
    if label_role is not None and is_labelled_line(context, span):
        return {label_role} if is_of_work(context, span) else {None}
    roles = {role_word(link.label) for link in links}
    return roles if not links or is_links_alone(context, span) else {None}


def _is_apart(context: Context, span: Span) -> bool:
    """Return whether an item is set off by a label, emphasis or code.

    Otherwise names and a venue may be a written reference.
    """
    signs = context.text[span[0]], context.text[span[1] - 1]
    is_marked = signs[0] == signs[1] and signs[0] in "*_`"
    return is_marked or label_at(context, span) is not None


def _is_nested(item: Block) -> bool:
    return any(child.kind == "list" for child in item.children)


def _joined(items: Sequence[Block]) -> Block:
    """Return several items as one, with the others nested below the first."""
    first, *others = items
    end = others[-1].end
    below = Block("list", others[0].first, end, children=others)
    return replace(first, end=end, children=[*first.children, below])

"""Titles behind a label: ``- BERT`` with ``- Title: Pre-training of …`` below it, and works whose
lines are items of their own, each with its label.

The words above such a line are a short name of the work, as curators call it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from papertrack.documents.markdown.grammar.pieces import is_label
from papertrack.documents.markdown.model import Part, Unit
from papertrack.documents.markdown.read.blocks import Block, Context
from papertrack.documents.markdown.read.columns import role_of_header
from papertrack.documents.markdown.read.inline import inner_span, links_in
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.values import Span
from papertrack.text import fold

_TITLE = re.compile(
    r"[ \t]*(?:[-+*][ \t]+)?[*_]{0,2}"
    r"(?:(?:paper[ ]|full[ ])?title|(?:论文|英文)?(?:标题|题目)|論文名|タイトル|제목|titel|titre"
    r"|título)"
    r"[*_]{0,2}[ ]?[:：][*_]{0,2}[ \t]*(?=\S)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"[ \t]*[*_]{0,2}(?P<words>[^\W\d_][^\n:：*_]{0,24}?)[*_]{0,2}[ ]?[:：][*_]{0,2}[ \t]*"
)


def title_below(context: Context, unit: Unit, below: Iterable[Span]) -> Unit:
    """Return what an item says with the title that a line below it is labelled as, if one is."""
    found = (match for span in below if (match := _TITLE.match(context.text, *span)))
    if (label := next(found, None)) is None:
        return unit
    end = next(span[1] for span in below if span[0] <= label.start() < span[1])
    return _with_title(context, unit, (label.end(), end))


def _with_title(context: Context, unit: Unit, rest: Span) -> Unit:
    """Return a unit whose title is all that stands behind a label, or the link that does."""
    span = inner_span(context.text, rest)
    link = next((one for one in links_in(context, span) if one.span == span), None)
    title = inner_span(context.text, link.label_span) if link else span
    parts = tuple(_as_name(part) for part in unit.anatomy.parts)
    anatomy = replace(unit.anatomy, title=title, parts=parts, certainty=1.0)
    return replace(unit, anatomy=anatomy, title_link=link)


def _as_name(part: Part) -> Part:
    return replace(part, role="name") if part.role == "title" else part


def is_labelled_title(context: Context, own: Span) -> bool:
    """Return whether an item starts with a label that says that a title follows."""
    return _TITLE.match(context.text, *own) is not None


def by_work(context: Context, items: Sequence[Block]) -> Iterator[Block]:
    """Yield items, those that together tell of one work as one: a title, its authors, its link,
    each behind its label. Items that have others below them stay as they are."""
    number = 0
    while number < len(items):
        end = _end_of_work(context, items, number)
        yield _joined(items[number:end]) if end > number + 1 else items[number]
        number = end


def _end_of_work(context: Context, items: Sequence[Block], number: int) -> int:
    """Return where the items end that tell of one work with this one: if it has the label of a
    title, those behind it that have other labels; if it has that of a paper, those that have labels
    of what else there is of one."""
    end, first = number + 1, items[number]
    if _is_nested(first) or not _starts_work(context, first):
        return end
    has_any = _TITLE.match(context.text, first.start) is not None
    while end < len(items) and _is_of_same(context, items[end], has_any=has_any):
        end += 1
    return end


def _starts_work(context: Context, item: Block) -> bool:
    """Whether an item has the label of a title, or of a paper before a link that is its title."""
    if _TITLE.match(context.text, item.start):
        return True
    label = _LABEL.match(context.text, item.start)
    if label is None or role_word(label["words"]) != "paper":
        return False
    links = links_in(context, (item.start, context.ends[item.end - 1]))
    return bool(links) and links[0].span[0] == label.end() and not is_label(links[0])


def _is_of_same(context: Context, item: Block, *, has_any: bool) -> bool:
    """Whether an item goes on with the work of the one before it; ``has_any`` says that any label
    tells."""
    label = _LABEL.match(context.text, item.start)
    if label is None or _is_nested(item) or _starts_work(context, item):
        return False
    words = label["words"]
    return has_any or bool(role_word(words)) or role_of_header(fold(words), words) != "other"


def _is_nested(item: Block) -> bool:
    return any(child.kind == "list" for child in item.children)


def _joined(items: Sequence[Block]) -> Block:
    """Return several items as one, with the others as what stands below the first."""
    first, *others = items
    end = others[-1].end
    below = Block("list", others[0].first, end, children=others)
    return replace(first, end=end, children=[*first.children, below])

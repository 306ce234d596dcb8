"""What only goes on with the work above it: links labelled as roles, names, a venue and a date,
and lines with labels such as ``- arXiv: https://…``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from papertrack.documents.markdown.grammar.likeness import has_cjk
from papertrack.documents.markdown.grammar.names import authors_in
from papertrack.documents.markdown.grammar.pieces import is_label
from papertrack.documents.markdown.model import PartRole, PlacedLink
from papertrack.documents.markdown.read import lists
from papertrack.documents.markdown.read.blocks import Block, Context
from papertrack.documents.markdown.read.columns import role_of_header
from papertrack.documents.markdown.read.inline import inline_of, links_in, plain
from papertrack.documents.markdown.roles import role_word, strong_identifier
from papertrack.documents.markdown.values import Span
from papertrack.records import LinkRole
from papertrack.text import fold

OF_PAPER: tuple[LinkRole, ...] = ("paper", "pdf")
OF_WORK: tuple[LinkRole, ...] = (*OF_PAPER, "code", "project")
_OF_VENUE: frozenset[PartRole] = frozenset(("venue", "date"))
_OF_BYLINE: frozenset[PartRole] = frozenset(("authors", "venue", "date", "link", "tag", "number"))
_LONGEST = 2000
"""Characters of names, a venue and a date."""
_QUOTES = re.compile("[\"“„«「『《]|''")
_LABEL = re.compile(
    r"[ \t]*[*_]{0,2}(?P<words>[^\W\d_][^\n:：*_]{0,24}?)[*_]{0,2}[ ]?[:：][*_]{0,2}[ \t]*"
)
_IN_BRACKETS = re.compile(r"\s*[(（].*")
"""What says more of a label: ``GitHub (official):``."""


def span_of(context: Context, block: Block) -> Span:
    """Return where the words of a paragraph, or of an item, stand."""
    return lists.own_span(context, block) or (block.start, context.ends[block.end - 1])


def label_at(context: Context, span: Span) -> re.Match[str] | None:
    """Return the label that a stretch starts with: its ``words`` and the colon behind them."""
    return _LABEL.match(context.text, *span)


def role_of_label(label: re.Match[str]) -> str:
    """Return what a label says, as a role of links or of columns; ``other`` of an unknown one."""
    words = _IN_BRACKETS.sub("", label["words"])
    return role_word(words) or role_of_header(fold(words), words)


def says_work(links: Iterable[PlacedLink], roles: Sequence[LinkRole] = OF_WORK) -> bool:
    """Return whether links name a work, by an identifier or as one of these."""
    return any(strong_identifier(one.url) or role_word(one.label) in roles for one in links)


def is_links_alone(context: Context, span: Span) -> bool:
    """Return whether a stretch is links labelled as roles and nothing else; badges are such if one
    leads to a work."""
    links = links_in(context, span)
    is_linked = any(not link.is_badge or strong_identifier(link.url) for link in links)
    return is_linked and lists.is_labels_only(context, span)


def is_where(context: Context, span: Span) -> bool:
    """Return whether a stretch only says where and when a work appeared: in bold it names a
    category."""
    if span[1] - span[0] > _LONGEST or context.text.startswith(("**", "__"), span[0]):
        return False
    skips = inline_of(context, span).skips()
    parts = context.grammar.parts_of_detail(context.text, span, skips)
    return bool(parts) and {part.role for part in parts} <= _OF_VENUE


def is_byline(context: Context, span: Span) -> bool:
    """Return whether a stretch says who wrote a work, where and when, and nothing else."""
    label = label_at(context, span)
    if label is not None:
        return role_of_label(label) == "author"
    text = context.text[slice(*span)]
    # A few characters of Chinese between commas may be names or anything.
    if len(text) > _LONGEST or text[-1:] in ":：" or _QUOTES.search(text) or has_cjk(text):
        return False
    inline = inline_of(context, span)
    named = [link for link in inline.outward if not is_label(link)]
    # ``[A Title](…), Ann Bee`` is a work; where people are linked, more than the first are.
    is_first_alone = len(named) == 1 and named[0].span[0] == span[0]
    if is_first_alone or any(link.role in OF_PAPER for link in named):
        return False
    parts = context.grammar.parts_of_detail(context.text, span, inline.skips())
    others = (part for part in parts if part.role not in _OF_BYLINE)
    are_names = all(authors_in(plain(context.text[slice(*part.span)])) for part in others)
    return are_names and bool(lists.people_of(context, span, parts))


def is_labelled_list(context: Context, block: Block) -> bool:
    """Return whether a block is a list all of whose items have known labels or are labelled links,
    and none the label of a title."""
    items = (span_of(context, item) for item in block.children)
    return block.kind == "list" and all(is_labelled_line(context, span) for span in items)


def is_labelled_line(context: Context, span: Span) -> bool:
    """Return whether a line tells of the work above it behind a label, or by labelled links: not
    of another one by its title, ``Reading: [A Title](…)``."""
    label = label_at(context, span)
    if label is None or role_of_label(label) in ("other", "title", "name"):
        return is_links_alone(context, span)
    first = next(iter(links_in(context, span)), None)
    is_titled = first is not None and first.span[0] == label.end() and not is_label(first)
    return not is_titled or not says_work([first] if first else (), OF_PAPER)

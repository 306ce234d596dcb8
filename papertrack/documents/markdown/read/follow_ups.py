"""What only goes on with the work above it: links labelled as roles, names, a venue and a date,
and lines with labels such as ``- arXiv: https://…``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from papertrack.documents.markdown.grammar.likeness import has_cjk, title_likeness, words_of
from papertrack.documents.markdown.grammar.names import authors_in
from papertrack.documents.markdown.grammar.pieces import is_label
from papertrack.documents.markdown.model import PartRole, PlacedLink
from papertrack.documents.markdown.read import lists
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.read.labelled import label_at, role_of_label
from papertrack.documents.markdown.roles import role_word, strong_identifier
from papertrack.documents.markdown.syntax import Block, plain
from papertrack.documents.markdown.values import Span
from papertrack.records import LinkRole

OF_PAPER: tuple[LinkRole, ...] = ("paper", "pdf")
OF_WORK: tuple[LinkRole, ...] = (*OF_PAPER, "code", "project")
_OF_VENUE: frozenset[PartRole] = frozenset(("venue", "date"))
_OF_BYLINE: frozenset[PartRole] = frozenset(("authors", "venue", "date", "link", "tag", "number"))
_LONGEST = 2000
"""Characters of names, a venue and a date."""
_LIKE_A_TITLE = 0.6
_QUOTES = re.compile("[\"“„«「『《]|''")


def span_of(context: Context, block: Block) -> Span:
    """Return where the words of a paragraph, or of an item, stand."""
    return lists.own_span(context, block) or (block.start, context.ends[block.end - 1])


def says_work(links: Iterable[PlacedLink], roles: Sequence[LinkRole] = OF_WORK) -> bool:
    """Return whether links name a work, by an identifier or as one of these."""
    return any(strong_identifier(one.url) or role_word(one.label) in roles for one in links)


def is_links_alone(context: Context, span: Span) -> bool:
    """Return whether a stretch is links labelled as roles and nothing else; badges are such if one
    leads to a work."""
    links = context.links_in(span)
    is_linked = any(not link.is_badge or strong_identifier(link.url) for link in links)
    return is_linked and lists.is_labels_only(context, span)


def is_where(context: Context, span: Span) -> bool:
    """Return whether a stretch only says where and when a work appeared: in bold it names a
    category."""
    if span[1] - span[0] > _LONGEST or context.text.startswith(("**", "__"), span[0]):
        return False
    skips = context.inline(span).skips()
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
    inline = context.inline(span)
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
    """Return whether a block is a list whose items tell of the work above it."""
    items = [span_of(context, item) for item in block.children]
    return block.kind == "list" and are_labelled_lines(context, items)


def are_labelled_lines(context: Context, spans: Sequence[Span]) -> bool:
    """Return whether lines have known labels or are labelled links, and none the label of a title;
    several that have one label before names, ``Code: [One](…)``, are things of a kind."""
    labels = Counter(filter(None, (label_of_named(context, span) for span in spans)))
    are_parts = max(labels.values(), default=0) <= 1
    return are_parts and all(is_labelled_line(context, span) for span in spans)


def is_labelled_line(context: Context, span: Span) -> bool:
    """Return whether a line tells of the work above it behind a label, or by labelled links: not
    of another one by its title, ``Reading: [A Title](…)``."""
    label = label_at(context, span)
    if label is None or role_of_label(label) in ("other", "title", "name"):
        return is_links_alone(context, span)
    return not _is_of_another(context, span, label)


def _is_of_another(context: Context, span: Span, label: re.Match[str]) -> bool:
    """Whether a title with its own link stands behind a label: of a paper, or of what is none,
    such as a post, behind a label for that."""
    links = context.links_in(span)
    if not links:
        return False
    first, role = links[0], role_word(label["words"])
    before = context.text[label.end() : first.span[0]]
    is_beside = role is not None and role not in OF_PAPER
    if first.span[0] > label.end():
        return is_beside and words_of(plain(before)) > 1 and says_work(links, OF_PAPER)
    if is_label(first):
        return False
    return says_work([first], OF_PAPER) or (is_beside and _is_title(first.label))


def _is_title(words: str) -> bool:
    """Whether the words of a link read like a title, and none of them says what it is for."""
    return title_likeness(words) > _LIKE_A_TITLE and not _says_role(words)


def _says_role(words: str) -> bool:
    return any(role_word(word.strip("()[],.")) for word in words.split())


def is_of_work(context: Context, span: Span) -> bool:
    """Return whether what stands behind the label of a line may be of the work in the line above:
    what has a name and is no code may be anything else, ``Dataset: [The Pile](…)``."""
    label = label_at(context, span)
    first = next(iter(context.links_in(span)), None)
    if label is None or first is None or role_word(label["words"]) is None:
        return True
    is_common = first.label.islower() and first.label.isalpha()
    return is_label(first) or first.role == "code" or is_common or _says_role(first.label)


def label_of_named(context: Context, span: Span) -> str | None:
    """Return the label, in small letters, of a line with a link that has a name of its own."""
    label = label_at(context, span)
    first = next(iter(context.links_in(span)), None) if label else None
    is_named = label is not None and first is not None and not is_label(first)
    return label["words"].strip().casefold() if label and is_named else None

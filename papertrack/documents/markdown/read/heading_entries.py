"""Read headings that are entries: ``### [1] [Title](url)``.

The blocks below such a heading describe its work. A heading is an entry

- if it links to a work with a registered identifier,
- if the headings of its level are links whose labels read like titles, or
- if labelled links of one work are in its line or below it. Only these links may be there
  (``[paper](…) [code](…)``), unless most headings of its level read like titles with one work
  below each; then names, a date or a summary may be there too.

A ``<details>`` about one paper is also an entry.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from papertrack.documents.markdown import syntax
from papertrack.documents.markdown.grammar.likeness import COUNTED, is_date, title_likeness
from papertrack.documents.markdown.grammar.pieces import is_label
from papertrack.documents.markdown.grammar.titles import cut_title, title_within
from papertrack.documents.markdown.model import Entry, Lines, Part, PlacedLink, Unit
from papertrack.documents.markdown.read import lists
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.read.detail_lines import (
    is_card,
    is_link_label,
    label_at,
    labelled_values,
    role_of_label,
    with_labelled,
)
from papertrack.documents.markdown.read.entry_builder import make_entry
from papertrack.documents.markdown.read.multi_block import read_spread
from papertrack.documents.markdown.read.non_entries import is_in_passing
from papertrack.documents.markdown.roles import STRONG_SCHEMES, is_web, role_word, strong_identifier
from papertrack.documents.markdown.values import Span
from papertrack.records import Identifier

_NUMBER = re.compile(
    r"(?:\[(?P<square>[0-9]{1,4})\]|\(?(?P<plain>[0-9]{1,4})[.)、:：])[ \t]+"
    rf"|(?P<named>{COUNTED})(?:[:.][ \t]+|[：、][ \t]*)",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"\s[-–—]\s(?P<words>[A-Z]{1,3}|[A-Z]{1,12}, ?[0-9]{1,3}|[A-Z]{1,3} [0-9]{1,3})$"
)
_OF_WORDS = ("title", "details")
_FEW_LINES = 40
"""How many lines below a heading are searched for the links of its work."""
_LIKELY = 0.6
"""How much a heading must read like a title if other headings of its level do not."""
_FEW = 3
"""How many headings of a level must have links to count as evidence."""


def levels_of_titles(context: Context, blocks: Sequence[syntax.Block]) -> frozenset[int]:
    """Return the levels of headings that are titles.

    Most of them read like titles, and link to the web or are above the links of one work.
    """
    headings: dict[int, list[tuple[syntax.Block, Span]]] = defaultdict(list)
    # The lines below a heading end at a table, because it describes many works.
    every = (block for block in syntax.walk(blocks) if block.kind in ("heading", "table"))
    parts = [block for block in every if not is_card(context, block)]
    end = max((block.end for block in blocks), default=0)
    for block, follower in pairwise([*parts, syntax.Block("rule", end, end)]):
        if block.kind == "heading":
            below = (block.end, min(follower.first, block.end + _FEW_LINES))
            headings[block.level].append((block, below))
    return frozenset(level for level, pairs in headings.items() if _are_titles(context, pairs))


def _likeness(context: Context, heading: syntax.Block, below: Span) -> float:
    """Return how much a heading reads like a title, from 0 to 1.

    0 if no links of a work are after its words or in the lines below it.
    """
    span = heading_words_span(context, heading)
    if link := _leading_link(context, span):
        return title_likeness(link.label)
    is_linked = _lead_to_work(context.links_in(span)) or _link_to_one_work(context, below)
    return title_likeness(_words_of(context, span)) if is_linked else 0.0


def _link_to_one_work(context: Context, lines: Span) -> bool:
    """Return whether lines have only labelled links, and exactly one work among them."""
    links = context.links_in(context.span(*lines)) if lines[0] < lines[1] else []
    return len(_works_of(links)) == 1 and all(map(is_label, links))


def _words_of(context: Context, span: Span) -> str:
    """Return the words of a heading before its links, without a number at its start."""
    number = _NUMBER.match(context.text, *span)
    end = next((link.span[0] for link in context.links_in(span)), span[1])
    return syntax.plain(context.text[number.end() if number else span[0] : end]).strip(" ([")


def _lead_to_work(links: Sequence[PlacedLink]) -> bool:
    """Return whether links lead to one work, and one of them is labelled with a role."""
    return len(_works_of(links)) == 1 and any(
        strong_identifier(n.url) and is_label(n) for n in links
    )


def _works_of(links: Sequence[PlacedLink]) -> set[Identifier]:
    """Return the identifiers of the works that links lead to."""
    return set(filter(None, (strong_identifier(link.url) for link in links)))


def _are_titles(context: Context, headings: Sequence[tuple[syntax.Block, Span]]) -> bool:
    """Return whether two of three headings read like titles and have links, perhaps below them."""
    linked: list[float] = []
    for count, (heading, below) in enumerate(headings, start=1):
        if likeness := _likeness(context, heading, below):
            linked.append(likeness)
        elif (count - len(linked)) * 3 > len(headings):
            return False  # The remaining headings cannot change the result.
    return len(linked) >= _FEW and sum(linked) >= 0.7 * len(linked)


def heading_words_span(context: Context, heading: syntax.Block) -> Span:
    """Return the span of a heading's text, without ``#`` signs."""
    line = context.line(heading.first)
    markup = line.strip().strip("#").strip()
    start = context.starts[heading.first] + line.find(markup)
    return start, start + len(markup)


def _leading_link(context: Context, span: Span) -> PlacedLink | None:
    """Return the web link at the start of a heading, after numbers and signs, or None."""
    links = context.links_in(span)
    link = next((each for each in links if not each.is_badge and not role_word(each.label)), None)
    if link is None or not is_web(link.url):
        return None
    return link if not any(map(str.isalpha, context.text[span[0] : link.span[0]])) else None


def read_titled(
    context: Context, blocks: Sequence[syntax.Block], levels: frozenset[int]
) -> tuple[Entry | None, int]:
    """Return the entry of a heading that is a title, and how many blocks it takes.

    None if the heading names a category. ``levels`` are those whose headings are titles.
    """
    heading = blocks[0]
    unit = _read_heading(context, heading_words_span(context, heading))
    below = [*_below(context, blocks, _works_of(unit.links))]
    if not _is_title(context, unit, below, is_usual=heading.level in levels):
        return None, 0
    if not unit.links:
        unit = _as_title(context.text, unit)
    details = (block for block in below if block.kind != "html")
    return lists.read_described(context, heading, unit, details, "heading"), 1 + len(below)


def read_bold_titled(context: Context, blocks: Sequence[syntax.Block]) -> tuple[Entry | None, int]:
    """Return the entry of a bold line above labelled items, and how many blocks it takes.

    Example: ``**A Title**`` above ``- Paper: …`` and ``- Code: …``.
    """
    if len(blocks) < 2 or (blocks[0].kind, blocks[1].kind) != ("paragraph", "list"):
        return None, 0
    line, below = blocks[:2]
    match = _BOLD_LINE.fullmatch(context.text, line.start, context.ends[line.end - 1])
    if match is None or not _are_labels(context, below.children):
        return None, 0
    unit = _as_title(context.text, _read_heading(context, match.span("words")))
    return lists.read_described(context, line, unit, [below], "paragraph"), 2


def _are_labels(context: Context, items: Sequence[syntax.Block]) -> bool:
    """Return whether items are labelled lines about one work.

    All have labels, most of which are known, and one of which is for links. No item names another
    work: ``[Layer Normalization](…)`` would, but ``[pdf]`` does not.
    """
    spans = [(item.start, context.ends[item.first]) for item in items]
    labels = list(filter(None, (label_at(context, span) for span in spans)))
    known_labels = [label for label in labels if role_of_label(label) not in ("other", "title")]
    links = [link for span in spans for link in context.links_in(span)]
    titled = [x for x in links if " " in x.label.strip() and role_word(x.label) is None]
    is_linked = any(map(is_link_label, labels)) and not _works_of(titled)
    return len(labels) == len(items) and len(known_labels) * 2 >= len(labels) and is_linked


_BOLD_LINE = re.compile(r"\s*(?P<sign>\*\*|__)(?P<words>[^\r\n]{8,300}?)(?P=sign)[ \t]*\\?")


def _below(
    context: Context, blocks: Sequence[syntax.Block], works: Collection[Identifier]
) -> Iterator[syntax.Block]:
    """Yield the blocks that describe the work of a heading.

    They end before a block about a work that is not in ``works``, if these are known.
    """
    number = 1
    while number < len(blocks):
        folded = _details_length(context, blocks[number:])
        part = blocks[number : number + (folded or 1)]
        span = context.span(part[0].first, part[-1].end)
        if _works_of(context.links_in(span)) if folded else not _is_detail(context, part[0]):
            return
        if works and any(work not in works for work in _works_named_in(context, blocks[number:])):
            return
        yield from part
        number += len(part)


def _works_named_in(context: Context, blocks: Sequence[syntax.Block]) -> Iterator[Identifier]:
    """Yield the works for which the first block, or those that continue it, would be entries."""
    entry, _ = read_spread(context, blocks, is_usual=False)
    if entry is not None:
        yield from (name for name in entry.identifiers if name.scheme in STRONG_SCHEMES)
    elif blocks[0].kind == "paragraph":
        for unit in lists.paragraph_units(context, blocks[0]):
            if not is_in_passing(context.text, unit):
                yield from _works_of([link for link in unit.links if not is_label(link)])


def _is_detail(context: Context, block: syntax.Block) -> bool:
    """Return whether a block below a heading describes its work.

    It is prose, or a list without entries, or one with only links labelled with roles.
    """
    if block.kind != "list":
        return block.kind in ("paragraph", "quote") or is_card(context, block)
    if not any(lists.starts_entry(context, item) for item in block.children):
        return True
    spans = (context.span(item.first, item.end) for item in block.children)
    links = (link for span in spans for link in context.links_in(span))
    first = next(links, None)
    return first is not None and is_label(first) and all(map(is_label, links))


def _is_title(
    context: Context, unit: Unit, below: Sequence[syntax.Block], *, is_usual: bool
) -> bool:
    """Return whether a heading is the title of a work.

    ``below`` are the blocks that may describe it. ``is_usual`` means that headings of its level are
    titles.
    """
    link, body = _leading_link(context, unit.anatomy.body), unit.anatomy.body
    if link is not None:
        return is_usual or strong_identifier(link.url) is not None
    if unit.links:
        reads_so = title_likeness(_words_of(context, body)) > _LIKELY
        # A heading above entries is a category, even if it links to a survey.
        return _lead_to_work(unit.links) and (is_usual or (reads_so and bool(below)))
    if is_usual and below and _link_to_one_work(context, (below[0].first, below[-1].end)):
        return True
    if not below or below[0].kind != "paragraph":
        return False
    span = context.span(below[0].first, below[0].end)
    if _is_only_address(context, span):
        return title_likeness(_words_of(context, body)) > _LIKELY
    first = lists.read_unit(context, span)
    has_words = first.anatomy.title is not None or first.fields.description is not None
    return bool(first.links) and all(role_word(x.label) for x in first.links) and not has_words


def _is_only_address(context: Context, span: Span) -> bool:
    """Return whether a paragraph is only the address of a work."""
    (*others, link) = context.links_in(span) or (None,)
    if link is None or others or link.form not in ("bare", "autolink"):
        return False
    leads_to_work = strong_identifier(link.url) is not None or link.role == "pdf"
    return leads_to_work and context.text[slice(*span)].strip(" \t\r\n<>") == link.url


def _read_heading(context: Context, span: Span) -> Unit:
    """Return the unit of a heading. A number at its start is a part of its own."""
    match = _NUMBER.match(context.text, *span)
    unit = lists.read_unit(context, (match.end() if match else span[0], span[1]))
    if match is None:
        return unit
    number = Part("number", match.span(match.lastgroup or 0))
    anatomy = replace(unit.anatomy, body=span, parts=(number, *unit.anatomy.parts))
    return replace(unit, anatomy=anatomy)


def _as_title(text: str, unit: Unit) -> Unit:
    """Return a heading's unit with all its words as the title.

    Signs before it, and a venue and date after it, are left out. The unit is not changed if the
    heading starts with another part, such as a name in brackets: ``[ResNet] Deep Residual
    Learning``. A name before a colon stays in the title.
    """
    anatomy, body = unit.anatomy, unit.anatomy.body
    others = (part for part in anatomy.parts if part.span[0] < body[0] + 3)
    is_first = any(
        text[part.span[0] - 1] in "[【{" if part.role == "name" else part.role not in _OF_WORDS
        for part in others
    )
    if anatomy.mark or is_first:
        return unit
    title, parts = cut_title(text, syntax.inner_span(text, body))
    if behind := _BEHIND.search(text, *title):  # Reading groups add initials or a number of pages.
        parts.append(Part("details", behind.span("words")))
        title = (title[0], behind.start())
    titled_anatomy = replace(anatomy, title=title_within(text, title), parts=tuple(parts))
    return replace(unit, anatomy=titled_anatomy)


LONGEST_DETAILS = 50
"""The most blocks of a ``<details>`` about one paper. A longer one contains a list."""

SUMMARY = re.compile(r"<summary\b[^<>]{0,500}>(?P<inner>.{0,2000}?)</summary>", re.I | re.S)


def read_details(context: Context, blocks: Sequence[syntax.Block]) -> tuple[Entry | None, int]:
    """Return the entry of a ``<details>`` about one paper, and how many blocks it takes.

    It is about one paper if its summary has a title and all its links lead to one work with a
    registered identifier. Otherwise, None is returned.
    """
    count = _details_length(context, blocks)
    span = context.span(blocks[0].first, blocks[count - 1].end)
    summary = SUMMARY.search(context.text, *span) if count else None
    tables_and_lists = (block for block in blocks[:count] if block.kind in ("table", "list"))
    if summary is None or not all(_is_of_one(context, block) for block in tables_and_lists):
        return None, 0
    works = {strong_identifier(link.url) for link in context.links_in(span)} - {None}
    unit = lists.read_unit(context, summary.span("inner"))
    if any((len(works) != 1, unit.anatomy.title is None, is_date(syntax.plain(summary["inner"])))):
        return None, 0
    rest = [(span[0], summary.start("inner")), (summary.end("inner"), span[1])]
    entry = make_entry(context, unit, shape="details", span=span, detail_spans=rest)
    return with_labelled(context, entry, labelled_values(context, rest[1:])), count


def _is_of_one(context: Context, block: syntax.Block) -> bool:
    """Return whether a table or list describes one work: only one item has a linked title."""
    spans = (context.span(item.first, item.end) for item in block.children)
    linked = (s for s in spans if context.links_in(s) and label_at(context, s) is None)
    titles = sum(lists.read_unit(context, span).anatomy.title is not None for span in linked)
    return titles < 2 and _is_detail(context, block)


def _details_length(lines: Lines, blocks: Sequence[syntax.Block]) -> int:
    """Return how many blocks the ``<details>`` takes that the first block opens; 0 if none."""
    depth = 0
    for count, block in enumerate(blocks, start=1):
        text = lines.text[slice(*lines.span(block.first, block.end))]
        opened = len(syntax.DETAILS.findall(text)) if block.kind == "html" else 0
        if count == 1 and not opened:
            return 0
        if block.kind == "html":
            depth += opened - len(syntax.DETAILS_END.findall(text))
            if depth <= 0:
                return count
    return 0

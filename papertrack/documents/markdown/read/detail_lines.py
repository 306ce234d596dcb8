"""Read the lines below an entry that describe its work.

They are labelled links, names, a venue and a date, or labelled values: ``- Venue: ICLR 2026``, ``📅
Date: March 9, 2025``. A label means the same as a column header.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from typing import Any

from papertrack.documents.markdown.grammar import likeness
from papertrack.documents.markdown.grammar.pieces import is_full_line, is_label
from papertrack.documents.markdown.headers import is_title_label, role_of_header
from papertrack.documents.markdown.model import (
    Anatomy,
    Entry,
    EntryFields,
    Lines,
    Part,
    PartRole,
    PlacedLink,
    Unit,
)
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.roles import role_word, strong_identifier
from papertrack.documents.markdown.syntax import Block, inner_span, plain
from papertrack.documents.markdown.values import NOTHING, Span, find_date, find_rating, stripped
from papertrack.records import LinkRole
from papertrack.text import fold

_LABEL = re.compile(
    r"[ \t>]*(?:[-+*][ \t]+)?[*_]{0,2}"
    r"(?:[^\w\s\[\]()<>*_`!\"'“‘「『《«#$&@\\]{1,4}[ \t]*)?[*_]{0,2}"
    r"(?P<words>[^\W\d_][^\n:：*_]{0,24}?)[*_]{0,2}[ ]?[:：]{1,2}[*_]{0,2}[ \t]*"
)
_CELL_LABEL = re.compile(
    r"[ \t>]*\|[ \t]*[*_]{0,2}(?P<words>[^\W\d_][^\n:：*_|]{0,24}?)"
    r"[:：]?[*_]{0,2}[:：]?[ \t]*\|[ \t]*"
)
_LINE_LABEL = re.compile(
    r"^[ \t>]*(?:[-+*][ \t]+)?[*_]{0,2}(?P<word>[^\W\d_]{1,15})[*_]{0,2}[ ]?[:：]", re.MULTILINE
)
_IN_BRACKETS = re.compile(r"\s*[(（].*")
"""A remark in a label: ``GitHub (official):``."""
_LONGEST_VENUE = 120
_PUBLISHERS = ("Springer", "Elsevier", "Wiley", "ACM", "IEEE", "MDPI", "Springer Nature")
_NOTHING = NOTHING | {"no", "under review", "to appear", "not published"}
_SMALL = frozenset(
    "a an and at for in of on the to und der die des de la le du et el y e preprint".split()
)
_COUNTS = ("stars", "score", "github stars")
"""Labels of numbers that are not the user's ratings."""
_SCORES = ("1", "2", "3", "4", "5")
_BETWEEN_TAGS = re.compile(r"\][,;、，；·| ]{0,5}\[|[,;、，；·|]")
_TAGGED = re.compile(r"`[^`\r\n]{1,60}`|(?<!\S)#[^\s#,;]{1,60}")


def label_at(lines: Lines, span: Span) -> re.Match[str] | None:
    """Match the label at the start of a line: its ``words`` and the colon, or its table cell."""
    in_row = lines.text[slice(*span)].lstrip(" \t>").startswith("|")
    return (_CELL_LABEL if in_row else _LABEL).match(lines.text, *span)


def role_of_label(label: re.Match[str]) -> str:
    """Return the role that a label names, of a link or of a column; ``other`` if unknown."""
    return role_word(_bare_words(label)) or role_of_words(label)


def role_of_words(label: re.Match[str]) -> str:
    """Return the column role that a label names; ``other`` if unknown."""
    words = _bare_words(label)
    return role_of_header(fold(words), words)


def is_card(lines: Lines, block: Block) -> bool:
    """Return whether a table describes one work: each row has a field's label and its value."""
    numbers = range(block.first + 2, block.end)
    if block.kind != "table" or any(lines.line(n).count("|") != 3 for n in numbers):
        return False
    labels = [label for n in numbers if (label := label_at(lines, lines.line_span(n)))]
    roles = [role_of_label(label) for label in labels]
    is_known = sum(role != "other" for role in roles) * 3 >= len(roles) * 2 > 2
    return is_known and len(labels) == len(numbers) == len({label["words"] for label in labels})


def rows_of_card(lines: Lines, block: Block) -> list[Block]:
    """Return the rows of a table that describes one work, as blocks."""
    numbers = (n for n in range(block.first, block.end) if n != block.first + 1)
    return [Block("paragraph", n, n + 1, start=lines.starts[n]) for n in numbers]


def is_link_label(label: re.Match[str]) -> bool:
    """Return whether a label names the role of a link: ``Paper (arXiv):``."""
    return role_word(_bare_words(label)) is not None


def _bare_words(label: re.Match[str]) -> str:
    """Return the words of a label without a remark in brackets."""
    return _IN_BRACKETS.sub("", label["words"])


def labelled_values(lines: Lines, spans: Iterable[Span]) -> dict[str, Span]:
    """Return the spans of the values after labels, by the column role of the label.

    Of several labels with one role, the first counts.
    """
    values: dict[str, Span] = {}
    for start, end in spans:
        first, last = lines.line_of(start) - 1, lines.line_of(max(start, end - 1))
        for line in map(lines.line_span, range(first, last)):
            stop = min(line[1], end)
            label = label_at(lines, (max(line[0], start), stop))
            if label is not None and label.end() < stop:
                value = stripped(lines.text, (label.end(), stop))
                is_number = lines.text[slice(*value)].isdigit()
                is_count = label["words"].casefold() in _COUNTS and is_number
                values.setdefault("other" if is_count else role_of_words(label), value)
    return values


def _tags_in(lines: Lines, span: Span) -> Iterator[Part]:
    """Yield the tags in a labelled line: ``[folding], [robots]``, ``#nlp #cv``."""
    spans = [match.span() for match in _TAGGED.finditer(lines.text, *span)]
    if not spans:
        edges = [at for match in _BETWEEN_TAGS.finditer(lines.text, *span) for at in match.span()]
        ends = iter([span[0], *edges, span[1]])
        spans = [*zip(ends, ends, strict=True)]
    for where in spans:
        start, end = stripped(lines.text, where, " []`*_")
        start += lines.text.startswith("#", start)
        tag = lines.text[start:end]
        if not is_nothing(tag) and "://" not in tag and "](" not in tag:
            yield Part("tag", (start, end))


def is_nothing(text: str) -> bool:
    """Return whether a value only says that there is none: ``N/A``, ``-``, ``TBD``."""
    return text.strip(" .()").casefold() in _NOTHING or not any(map(str.isalnum, text))


def is_named(text: str) -> bool:
    """Return whether words are a proper name, such as a venue's, rather than a sentence.

    All words except function words must have a capital.
    """
    words = re.findall(r"[^\W_][\w'’&/+.-]*", text)
    return all(not (word[0].islower() and word.islower()) or word in _SMALL for word in words)


def below_first_line(context: Context, span: Span) -> list[Span]:
    """Return the span of an item's first paragraph below its first line, if it has one.

    What an editor wrapped belongs to the first line.
    """
    text, width = context.text, context.grammar.wrap_width
    ends = (end.start() for end in re.compile("\n").finditer(text, *span))
    below = ((end + 1, span[1]) for end in ends if not is_full_line(text, end, width))
    return [*islice(below, 1)]


_ROLES: dict[str, PartRole] = {"author": "authors", "venue": "venue", "description": "details"}
"""The part role of a labelled value, by the role of its label."""


def with_labelled(lines: Lines, entry: Entry, labelled: Mapping[str, Span]) -> Entry:
    """Return an entry completed with the labelled values below it.

    Values in its own text take precedence. ``labelled`` maps the role of each label to the span of
    its value. A venue that is a year, a sentence or a publisher is ignored, and so is a date with
    other words around it, because it may be any date.
    """
    text, none = lines.text, (0, 0)
    words = {role: plain(text[slice(*span)]) for role, span in labelled.items()}
    values = {role: value for role, value in words.items() if not is_nothing(value)}
    venue = values.get("venue", "")
    is_other = (
        likeness.is_date(venue) or ":" in venue or venue in _PUBLISHERS or not is_named(venue)
    )
    if is_other or len(venue) >= _LONGEST_VENUE:
        values.pop("venue", None)
    names = values.get("author", "")  # Note programs write names as links: ``[[Ann Bee]]``.
    dated, (start, end) = labelled.get("date", none), labelled.get("rating", none)
    date = find_date(text, *dated)
    date = date if date and date.span == stripped(text, dated, " .()[]*_`") else None
    is_score = text[start:end] in _SCORES
    rated = (int(text[start:end]), (start, end)) if is_score else find_rating(text, start, end)
    tags = [*_tags_in(lines, labelled.get("tags", none))]
    fields = EntryFields(
        authors=likeness.people_in(re.sub(r"\[\[|\]\]", "", names), is_sure=bool(names)),
        venue=values.get("venue"),
        rating=rated[0] if rated else None,
        date=date.iso if date else None,
        tags=tuple(part_text(text, tag) for tag in tags),
        description=values.get("description"),
    )
    below = [Part(part, labelled[role]) for role, part in _ROLES.items() if role in values]
    below += [Part("date", date.span)] if date else []
    where = Anatomy(none, date=date.span if date else None, rating=rated[1] if rated else None)
    return completed(entry, fields, where, [*below, *tags])


_COMPLETED = ("authors", "venue", "rating", "date", "description")


def completed(entry: Entry, fields: EntryFields, where: Anatomy, below: Sequence[Part]) -> Entry:
    """Return an entry completed with fields from the lines below it, and their positions.

    Fields of its own text take precedence; tags are added to its own.
    """
    old, anatomy = entry.fields, entry.anatomy
    values: dict[str, Any] = {n: getattr(old, n) or getattr(fields, n) for n in _COMPLETED}
    parts = sorted((*anatomy.below, *below), key=attrgetter("span"))
    return replace(
        entry,
        fields=replace(old, tags=tuple(dict.fromkeys((*old.tags, *fields.tags))), **values),
        anatomy=replace(
            anatomy,
            date=anatomy.date or where.date,
            rating=anatomy.rating or where.rating,
            below=tuple(parts),
        ),
    )


def part_text(text: str, part: Part) -> str:
    """Return the text of a part, without markup."""
    return plain(text[slice(*part.span)])


_OPENING = re.compile(r"[*_ \t]*[\"“「『《]?(?=\S)")


def _after_title_label(lines: Lines, span: Span) -> int | None:
    """Return where a title starts after a label such as ``Title:``; None without such a label."""
    label = label_at(lines, span)
    opening = _OPENING.match(lines.text, label.end(), span[1]) if label else None
    names_title = label and is_title_label(_bare_words(label))
    return opening.end() if opening and names_title else None


def title_below(context: Context, unit: Unit, below: Iterable[Span]) -> Unit:
    """Return an item's unit with the title from a labelled line below it, if there is one."""
    starts = ((_after_title_label(context, span), span[1]) for span in below)
    rest = next(((start, end) for start, end in starts if start is not None), None)
    return unit if rest is None else _with_title(context, unit, rest)


def _with_title(context: Context, unit: Unit, rest: Span) -> Unit:
    """Return a unit whose title is the text after a label.

    If this text is a link, its label is the title. The former title becomes another name of the
    work.
    """
    span = inner_span(context.text, rest)
    link = next((candidate for candidate in context.links_in(span) if candidate.span == span), None)
    title = inner_span(context.text, link.label_span) if link else span
    parts = unit.anatomy.parts
    other_parts = (replace(part, role="name") if part.role == "title" else part for part in parts)
    anatomy = replace(unit.anatomy, title=title, parts=tuple(other_parts), certainty=1.0)
    return replace(unit, anatomy=anatomy, title_link=link)


def is_labelled_title(context: Context, span: Span) -> bool:
    """Return whether an item starts with a label for a title: ``Title:``."""
    return _after_title_label(context, span) is not None


OF_PAPER: tuple[LinkRole, ...] = ("paper", "pdf")
OF_WORK: tuple[LinkRole, ...] = (*OF_PAPER, "code", "project")
_OF_VENUE: frozenset[PartRole] = frozenset(("venue", "date"))
_OF_BYLINE: frozenset[PartRole] = frozenset(("authors", "venue", "date", "link", "tag", "number"))
_LONGEST = 2000
"""The longest byline in characters."""
_LIKE_A_TITLE = 0.6
_QUOTES = re.compile("[\"“„«「『《]|''")


def authors_of(text: str, parts: Sequence[Part]) -> tuple[str, ...]:
    """Return the authors' names in these parts, each once."""
    texts = (plain(text[slice(*part.span)]) for part in parts if part.role == "authors")
    return tuple(dict.fromkeys(name for words in texts for name in likeness.names_in(words)))


def gaps_between(span: Span, links: Sequence[PlacedLink]) -> list[Span]:
    """Return the parts of a span outside of links. The last one ends with the span."""
    gaps, position = [], span[0]
    for link in links:
        if link.span[0] > position:
            gaps.append((position, link.span[0]))
        position = max(position, link.span[1])
    return [*gaps, (position, span[1])]


def first_paragraph_span(lines: Lines, item: Block) -> Span | None:
    """Return the span of an item's first paragraph, without the marker; None if it has none."""
    first = item.children[0] if item.children else None
    if first is None or first.kind not in ("paragraph", "heading"):
        return None
    return item.start, lines.ends[first.end - 1]


def is_labels_only(context: Context, span: Span) -> bool:
    """Return whether a line has only links labelled with roles, and words for roles.

    Example: ``📄 Paper: [arXiv](…)``. A label such as ``链接：`` is ignored if several lines of the
    document start with it.
    """
    links = context.links_in(span)
    if not all(map(is_label, links)):
        return False  # This is the case for most entries, whose titles are links.
    label = _LINE_LABEL.match(context.text, *span)
    if label and has_usual_label(context, span):
        span = label.end(), span[1]
    words = "".join(context.text[slice(*gap)] for gap in gaps_between(span, links))
    return all(map(role_word, re.findall(r"[^\W\d_]+", words)))


def has_usual_label(context: Context, span: Span) -> bool:
    """Return whether a line starts with a label that other lines of the document have too."""
    label = _LINE_LABEL.match(context.text, *span)
    return label is not None and _line_labels(context.text)[label["word"]] > 1


@lru_cache(maxsize=4)
def _line_labels(text: str) -> Counter[str]:
    """Count the lines of a text by the label that they start with."""
    return Counter(match["word"] for match in _LINE_LABEL.finditer(text))


def people_of(context: Context, span: Span, parts: Sequence[Part]) -> tuple[str, ...]:
    """Return the people that a line below a title names, in its parts or as a whole.

    Labelled links in the line are ignored.
    """
    authors = authors_of(context.text, parts)
    if likeness.authors_in(", ".join(authors)):
        return authors
    labels = [link for link in context.links_in(span) if is_label(link)]
    words = plain(" ".join(context.text[slice(*gap)] for gap in gaps_between(span, labels)))
    whole = likeness.authors_in(words)
    return whole if len(whole) > 1 or "et al" in words else ()


def span_of(context: Context, block: Block) -> Span:
    """Return the span of an item's first paragraph, or of the whole block."""
    return first_paragraph_span(context, block) or (block.start, context.ends[block.end - 1])


def links_to_work(links: Iterable[PlacedLink], roles: Sequence[LinkRole] = OF_WORK) -> bool:
    """Return whether one of the links leads to a work.

    It has an identifier, or its label names one of these roles.
    """
    return any(strong_identifier(link.url) or role_word(link.label) in roles for link in links)


def is_links_alone(context: Context, span: Span) -> bool:
    """Return whether a line has only links labelled with roles.

    If these are badges, one of them must lead to a work.
    """
    links = context.links_in(span)
    is_linked = any(not link.is_badge or strong_identifier(link.url) for link in links)
    return is_linked and is_labels_only(context, span)


def is_venue_and_date(context: Context, span: Span) -> bool:
    """Return whether a line has only a venue and a date.

    A text in bold is a category instead.
    """
    if span[1] - span[0] > _LONGEST or context.text.startswith(("**", "__"), span[0]):
        return False
    skips = context.inline(span).skips()
    parts = context.grammar.parts_of_detail(context.text, span, skips)
    return bool(parts) and {part.role for part in parts} <= _OF_VENUE


def is_byline(context: Context, span: Span) -> bool:
    """Return whether a line has only the authors, venue and date of a work."""
    label, text = label_at(context, span), context.text[slice(*span)]
    if label is not None:
        return role_of_label(label) == "author"
    # Any few Chinese characters between commas may be names.
    if len(text) > _LONGEST or text[-1:] in ":：" or _QUOTES.search(text) or likeness.has_cjk(text):
        return False
    inline = context.inline(span)
    unlabelled = [link for link in inline.outward if not is_label(link)]
    # ``[A Title](…), Ann Bee`` is a work. In a byline, several people are linked or none.
    is_first_alone = len(unlabelled) == 1 and unlabelled[0].span[0] == span[0]
    if is_first_alone or any(link.role in OF_PAPER for link in unlabelled):
        return False
    parts = context.grammar.parts_of_detail(context.text, span, inline.skips())
    others = (part_text(context.text, part) for part in parts if part.role not in _OF_BYLINE)
    return all(map(likeness.authors_in, others)) and bool(people_of(context, span, parts))


def is_labelled_list(context: Context, block: Block) -> bool:
    """Return whether a block is a list whose items all describe the work above it."""
    items = [span_of(context, item) for item in block.children]
    return block.kind == "list" and are_labelled_lines(context, items)


def are_labelled_lines(context: Context, spans: Sequence[Span]) -> bool:
    """Return whether all lines describe the work above them: known labels, or labelled links.

    If several lines have the same label before a name, as in ``Code: [One](…)``, each is about
    another thing.
    """
    labels = Counter(filter(None, (label_before_name(context, span) for span in spans)))
    are_parts = max(labels.values(), default=0) <= 1
    return are_parts and all(is_labelled_line(context, span) for span in spans)


def is_labelled_line(context: Context, span: Span) -> bool:
    """Return whether a line describes the work above it, by a known label or labelled links.

    ``Reading: [A Title](…)`` is about another work instead.
    """
    label = label_at(context, span)
    if label is None or role_of_label(label) in ("other", "title", "name"):
        return is_links_alone(context, span)
    return not _titles_other_work(context, span, label)


def _titles_other_work(context: Context, span: Span, label: re.Match[str]) -> bool:
    """Return whether a title with a link of its own follows a label.

    It is the title of a paper, or after a label for other things, such as *post*, anything that
    reads like a title without a word for a role.
    """
    links = context.links_in(span)
    if not links:
        return False
    first, role = links[0], role_word(label["words"])
    is_beside = role is not None and role not in OF_PAPER
    if first.span[0] > label.end():
        before = plain(context.text[label.end() : first.span[0]])
        return is_beside and likeness.words_of(before) > 1 and links_to_work(links, OF_PAPER)
    if is_label(first):
        return False
    is_title = likeness.title_likeness(first.label) > _LIKE_A_TITLE and not _names_role(first.label)
    return links_to_work([first], OF_PAPER) or (is_beside and is_title)


def _names_role(words: str) -> bool:
    return any(role_word(word.strip("()[],.")) for word in words.split())


def is_of_work(context: Context, span: Span) -> bool:
    """Return whether a labelled line may be about the work in the line above.

    A link to another named thing is not, unless it is code: ``Dataset: [The Pile](…)``.
    """
    label = label_at(context, span)
    links = context.links_in(span)
    if label is None or not links or role_word(label["words"]) is None:
        return True
    first = links[0]
    is_common = first.label.islower() and first.label.isalpha()
    return is_label(first) or first.role == "code" or is_common or _names_role(first.label)


def label_before_name(context: Context, span: Span) -> str | None:
    """Return the label, in lower case, of a line whose first link has a name as its label; else
    None."""
    label, links = label_at(context, span), context.links_in(span)
    is_named = bool(links) and not is_label(links[0])
    return label["words"].strip().casefold() if label and is_named else None

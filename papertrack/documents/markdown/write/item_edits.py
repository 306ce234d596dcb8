"""Edits of list items, paragraphs and whatever else is no table row."""

from __future__ import annotations

import re
from heapq import nsmallest

from papertrack.documents.markdown.marks.kind import Mark, MarkStyle
from papertrack.documents.markdown.marks.registry import kind_of
from papertrack.documents.markdown.model import Document, Entry, PlacedLink
from papertrack.documents.markdown.read.dates import date_like
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.values import Span
from papertrack.documents.markdown.write.cells import MODELS
from papertrack.documents.markdown.write.edit_types import NoPlaceError
from papertrack.documents.markdown.write.markup import LABELLED, LETTERS, MARKER
from papertrack.documents.markdown.write.numbering import Numbering
from papertrack.documents.markdown.write.patches import Patch, inserted, replaced
from papertrack.documents.markdown.write.samples import like, most_usual, shown_label, wrapping
from papertrack.records import Link, LinkRole

_LAST_WORD = re.compile(r"(?<![^ \t(])(?P<word>[a-z]{1,40})[ ]\Z")
_ENDED = re.compile(r"^[\])）】*_~\"'”’.:]*")


def set_item_passes(document: Document, entry: Entry, passes: int) -> list[Patch]:
    """Return the patch that writes a reading mark where the entry has it, or others have theirs."""
    mark, style = entry.anatomy.mark, document.marks_of(entry.group)
    text = _mark_text(style, mark, passes)
    if mark is not None:
        return _rewritten(document, mark.span, text)
    if not text:
        return []
    if _marks_come_first(document, entry):
        start = entry.anatomy.own[0]
        return [Patch((start, start), text + " ")]
    end = _end_of_words(document, entry)
    return [Patch((end, end), " " + text)]


def _mark_text(style: MarkStyle, mark: Mark | None, passes: int) -> str:
    """Return a mark for an item: of the kind that it has, else of the document's."""
    kind = kind_of(style)
    if mark is not None and (mark.kind.signs or mark.kind.is_slot):
        kind = mark.kind  # Words, however, are known only where most marks are words.
    text = None if kind.is_only_in_cells else kind.write(style, passes, None)
    if text is None:
        raise NoPlaceError("The document has no place for a reading mark.")
    return text


def _marks_come_first(document: Document, entry: Entry) -> bool:
    """Whether the document's marks stand before titles."""
    for other in document.entries:
        mark, title = other.anatomy.mark, other.anatomy.title
        if other.shape == entry.shape and mark and title:
            return mark.span[0] < title[0]
    return False


def _end_of_words(document: Document, entry: Entry) -> int:
    start, end = entry.anatomy.own
    return start + len(document.text[start:end].rstrip(" \t\r\n\\"))


def _rewritten(document: Document, span: Span, text: str) -> list[Patch]:
    """Return the patch of a value that says something else already, if it does."""
    is_same = document.text[slice(*span)].strip() == text
    return [] if is_same else [replaced(document.text, span, text)]


def set_item_rating(document: Document, entry: Entry, text: str) -> list[Patch]:
    """Return the patch that writes a rating where the entry has it, or at the end of its line."""
    if entry.anatomy.rating is not None:
        return _rewritten(document, entry.anatomy.rating, text)
    if not text:
        return []
    end = _end_of_words(document, entry)
    return [Patch((end, end), " " + text)]


def set_item_date(document: Document, entry: Entry, date: str) -> list[Patch] | None:
    """Return the patch of an entry's date as it is written; None if it is not precise enough."""
    text = date_like(document, entry, date)
    span = entry.anatomy.date
    return None if span is None or text is None else _rewritten(document, span, text)


def set_item_link(
    document: Document, numbering: Numbering, entry: Entry, link: Link
) -> list[Patch] | None:
    """Return the patches that add a link behind the entry's last; None without any model."""
    model = _link_model(document, entry, link.role)
    if model is None:
        return _link_line(document, numbering, entry, link)
    owner, sample = model
    separator = separator_before(document, owner, sample)
    reference, patches = numbering.reference_like(sample, entry, link.url)
    opening, closing = wrapping(document.text, sample)
    markup = like(document.text, sample, link.url, shown_label(sample, link), reference)
    at = _end_of_links(document, entry)
    return [Patch((at, at), separator + opening + markup + closing), *patches]


def _end_of_links(document: Document, entry: Entry) -> int:
    """Return the offset behind an item's own last link, or behind its words."""
    start, end = entry.anatomy.own
    inside = [link for link in entry.anatomy.links if start <= link.span[0] < end]
    if not inside:
        return _end_of_words(document, entry)
    return inside[-1].span[1] + len(wrapping(document.text, inside[-1])[1])


def _link_line(
    document: Document, numbering: Numbering, entry: Entry, link: Link
) -> list[Patch] | None:
    """Return the patches that add a sub-item like ``  - Code: [Official](…)`` of the nearest
    entry that has one."""
    alike = [other for other in document.entries if other.shape == entry.shape]
    alike.sort(key=lambda other: abs(other.line - entry.line))
    details = (line for other in alike for line in _details(document, other, link.role))
    sample = next(details, None)
    if sample is None:
        return None
    reference, patches = numbering.reference_like(sample, entry, link.url)
    start, end = _line_of(document, sample.span)
    text = document.text
    markup = like(text, sample, link.url, shown_label(sample, link), reference)
    line = text[start : sample.span[0]] + markup + text[sample.span[1] : end].rstrip()
    return [inserted(document, entry.span[1], line), *patches]


def _details(document: Document, entry: Entry, role: LinkRole) -> list[PlacedLink]:
    """Return the links of a role that have a sub-item of an entry for themselves."""
    behind = [link for link in entry.anatomy.links if link.span[0] >= entry.anatomy.own[1]]
    return [link for link in behind if link.role == role and _has_own_line(document, link)]


def _line_of(document: Document, span: Span) -> Span:
    """Return the line that holds a span, without its line end."""
    return document.line_span(document.line_of(span[0]) - 1)


def _has_own_line(document: Document, link: PlacedLink) -> bool:
    """Whether a link is alone in a sub-item, but for the label of its role."""
    start, end = _line_of(document, link.span)
    before = document.text[start : link.span[0]]
    marker = MARKER.match(before)
    if marker is None or document.text[link.span[1] : end].strip():
        return False
    word = before[marker.end() :].strip(" *:：")
    return not word or role_word(word) is not None


def _link_model(
    document: Document, entry: Entry, role: LinkRole
) -> tuple[Entry, PlacedLink] | None:
    """Return an (entry, link) of the same shape that shows a link of this role: the nearest of
    those written as most around are."""
    found = [
        (abs(other.line - entry.line), other, link)
        for other in document.entries
        if other.shape == entry.shape
        for link in other.anatomy.links
        if link.role == role and _is_model(other, link)
    ]
    near = nsmallest(MODELS, found, key=lambda model: model[0])
    usual = most_usual(document.text, [link for _, _, link in near])
    return next(((other, link) for _, other, link in near if link is usual), None)


def _is_model(entry: Entry, link: PlacedLink) -> bool:
    """Whether a link stands in an entry's own lines, beside the title."""
    start, end = entry.anatomy.own
    is_inside = start <= link.span[0] < end
    return is_inside and not entry.anatomy.is_title(link) and link.form != "text"


def separator_before(document: Document, entry: Entry, link: PlacedLink) -> str:
    """Return what stands between a link and what is before it, if that is no word of the text."""
    text = document.text
    start = link.span[0] - len(wrapping(text, link)[0])
    ends = [other.span[1] for other in entry.anatomy.links]
    ends += [entry.anatomy.title[1]] if entry.anatomy.title else []
    gap = text[max((end for end in ends if end <= start), default=start) : start]
    labelled = LABELLED.search(gap)
    if labelled and role_word(labelled["word"]):
        return labelled.group()
    gap = " " if LETTERS.search(gap) else _ENDED.sub("", gap)
    return gap if gap and not gap.strip(" |,;·/-\n\r\t") else " "


def drop_item_link(document: Document, entry: Entry, link: PlacedLink) -> Patch:
    """Return the patch that takes a link away with its brackets and the separator before it; a
    sub-item that is nothing else goes as a whole."""
    if link.span[0] >= entry.anatomy.own[1] and _has_own_line(document, link):
        number = document.line_of(link.span[0]) - 1
        return Patch((document.line_start(number), document.line_start(number + 1)), "")
    opening, closing = wrapping(document.text, link)
    start, end = link.span[0] - len(opening), link.span[1] + len(closing)
    if _is_in_sentence(document, link, (start, end)):
        raise NoPlaceError("The link stands within a sentence, which would not be one without it.")
    separator = separator_before(document, entry, link)
    if document.text.endswith(separator, 0, start):
        start -= len(separator)
    first, last = _line_of(document, link.span)
    marker = MARKER.match(document.text, first)
    if marker and start < marker.end() <= link.span[0]:
        # The first words of a sub-item: its bullet stays, and what set the next words apart goes.
        start = marker.end()
        rest = document.text[end:last]
        end += len(rest) - len(rest.lstrip(" \t,;|·"))
    return Patch((start, end), "")


def _is_in_sentence(document: Document, link: PlacedLink, span: Span) -> bool:
    """Whether words lead to a link, and on from it, of which no one is its label."""
    first, last = _line_of(document, link.span)
    word = _LAST_WORD.search(document.text, max(first, span[0] - 60), span[0])
    if word is None or role_word(link.label) or role_word(word["word"]):
        return False
    return bool(document.text[span[1] : last].strip(" .,;"))

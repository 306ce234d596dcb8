"""Edits of list items, paragraphs and whatever else is no table row."""

from __future__ import annotations

import re
from heapq import nsmallest

from papertrack.documents.markdown.marks.kind import Mark, MarkStyle
from papertrack.documents.markdown.marks.registry import kind_of
from papertrack.documents.markdown.model import (
    Document,
    Entry,
    PlacedLink,
)
from papertrack.documents.markdown.read.style import date_pattern
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.values import Span, write_date
from papertrack.documents.markdown.write.cells import MODELS
from papertrack.documents.markdown.write.edit_types import NoPlaceError
from papertrack.documents.markdown.write.markup import (
    like,
    most_usual,
    repository_label,
    wrapping,
)
from papertrack.documents.markdown.write.numbering import Numbering
from papertrack.documents.markdown.write.patches import Patch, replaced
from papertrack.records import LinkRole

_LAST_WORD = re.compile(r"(?<![^ \t(])(?P<word>[a-z]{1,40})[ ]\Z")
MARKER = re.compile(r"[ \t>]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]+")
LETTERS = re.compile(r"[^\W_]")
LABELLED = re.compile(r"[,;|·]?\s*(?P<word>[^\W\d_]{2,12})\s?[:：]\s*(?:\*\*|\[|\()?$")
_ENDED = re.compile(r"^[\])）】*_~\"'”’.:]*")


def set_item_passes(document: Document, entry: Entry, passes: int) -> list[Patch]:
    """Return the patch that writes a reading mark where the entry has it, or others have theirs."""
    mark, style = entry.anatomy.mark, document.marks_of(entry.group)
    text = _mark_text(style, mark, passes)
    if mark is not None:
        if document.text[slice(*mark.span)].strip() == text:
            return []
        return [replaced(document.text, mark.span, text)]
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


def set_item_rating(document: Document, entry: Entry, rating: int | None) -> list[Patch]:
    """Return the patch that writes a rating where the entry has it, or at the end of its line."""
    text = (document.style.rating or "⭐️") * (rating or 0)
    span = entry.anatomy.rating
    if span is not None:
        return [] if document.text[slice(*span)] == text else [replaced(document.text, span, text)]
    if not text:
        return []
    end = _end_of_words(document, entry)
    return [Patch((end, end), " " + text)]


def set_item_date(document: Document, entry: Entry, date: str) -> list[Patch] | None:
    """Return the patch of an entry's date as it is written; None if it is not precise enough."""
    span = entry.anatomy.date
    pattern = document.style.chosen_date_format or date_pattern(document.text, entry)
    text = write_date(date, pattern) if pattern else None
    if span is None or text is None:
        return None
    return [] if document.text[slice(*span)] == text else [Patch(span, text)]


def set_item_link(
    document: Document,
    numbering: Numbering,
    entry: Entry,
    role: LinkRole,
    url: str,
    label: str | None,
) -> list[Patch] | None:
    """Return the patches that add a link behind the entry's last; None without any model."""
    model = link_model(document, entry, role)
    if model is None:
        return _link_line(document, numbering, entry, role, url, label)
    owner, sample = model
    separator = separator_before(document, owner, sample)
    reference: str | None = None
    patches: list[Patch] = []
    if sample.form == "reference":
        reference, patches = numbering.extra(entry, url)
    opening, closing = wrapping(document.text, sample)
    markup = like(document.text, sample, url, shown_label(sample, role, url, label), reference)
    start, end = entry.anatomy.own
    inside = [link for link in entry.anatomy.links if start <= link.span[0] < end]
    at = _end_of_words(document, entry)
    if inside:
        at = inside[-1].span[1] + len(wrapping(document.text, inside[-1])[1])
    return [Patch((at, at), separator + opening + markup + closing), *patches]


def _link_line(
    document: Document,
    numbering: Numbering,
    entry: Entry,
    role: LinkRole,
    url: str,
    label: str | None,
) -> list[Patch] | None:
    """Return the patches that add a sub-item like ``  - Code: [Official](…)`` of the nearest
    entry that has one."""
    found = None
    for other in document.entries:
        for link in other.anatomy.links if other.shape == entry.shape else ():
            distance = abs(other.line - entry.line)
            is_nearer = found is None or distance < found[0]
            is_detail = link.role == role and link.span[0] >= other.anatomy.own[1]
            if is_detail and is_nearer and _has_own_line(document, link):
                found = (distance, link)
    if found is None:
        return None
    sample = found[1]
    reference: str | None = None
    patches: list[Patch] = []
    if sample.form == "reference":
        reference, patches = numbering.extra(entry, url)
    start, end = _line_of(document, sample.span)
    text, line_end = document.text, document.style.line_end
    shown = shown_label(sample, role, url, label)
    markup = like(text, sample, url, shown, reference)
    line = text[start : sample.span[0]] + markup + text[sample.span[1] : end].rstrip()
    at = entry.span[1]
    if at and text[at - 1] not in "\r\n":
        return [Patch((at, at), line_end + line), *patches]
    return [Patch((at, at), line + line_end), *patches]


def _line_of(document: Document, span: Span) -> Span:
    """Return the line that holds a span, without its line end."""
    number = document.line_of(span[0]) - 1
    starts = document.line_starts
    end = starts[number + 1] if number + 1 < len(starts) else len(document.text)
    while end > span[1] and document.text[end - 1] in "\r\n":
        end -= 1
    return starts[number], end


def _has_own_line(document: Document, link: PlacedLink) -> bool:
    """Whether a link is alone in a sub-item, but for the label of its role."""
    start, end = _line_of(document, link.span)
    before = document.text[start : link.span[0]]
    marker = MARKER.match(before)
    word = before[marker.end() :].strip(" *:：") if marker else ""
    return (
        bool(marker)
        and not document.text[link.span[1] : end].strip()
        and (not word or role_word(word) is not None)
    )


def shown_label(sample: PlacedLink, role: LinkRole, url: str, label: str | None) -> str | None:
    """Return the visible text of a link written like ``sample``; None to keep the sample's."""
    if role_word(sample.label):
        return None
    return label or (repository_label(sample, url) if role == "code" else None)


def link_model(document: Document, entry: Entry, role: LinkRole) -> tuple[Entry, PlacedLink] | None:
    """Return an (entry, link) of the same shape that shows a link of this role: the nearest of
    those written as most around are."""
    found: list[tuple[int, Entry, PlacedLink]] = []
    for other in document.entries:
        if other.shape != entry.shape:
            continue
        for link in other.anatomy.links:
            is_own = other.anatomy.own[0] <= link.span[0] < other.anatomy.own[1]
            is_title = other.anatomy.title and holds(link.span, other.anatomy.title)
            if link.role == role and is_own and not is_title and link.form != "text":
                found.append((abs(other.line - entry.line), other, link))
    near = nsmallest(MODELS, found, key=lambda model: model[0])
    usual = most_usual(document.text, [link for _, _, link in near])
    return next(((other, link) for _, other, link in near if link is usual), None)


def separator_before(document: Document, entry: Entry, link: PlacedLink) -> str:
    """Return what stands between a link and what is before it, if that is no word of the text."""
    text, wrapped = document.text, wrapping(document.text, link)
    start = link.span[0] - len(wrapped[0])
    ends = [other.span[1] for other in entry.anatomy.links if other.span[1] <= start]
    if entry.anatomy.title and entry.anatomy.title[1] <= start:
        ends.append(entry.anatomy.title[1])
    gap = text[max(ends, default=start) : start]
    labelled = LABELLED.search(gap)
    if labelled and role_word(labelled["word"]):
        return labelled.group()
    gap = _ENDED.sub("", gap) if LETTERS.search(gap) is None else " "
    return gap if gap.strip(" |,;·/-\n\r\t") == "" and gap else " "


def drop_item_link(document: Document, entry: Entry, link: PlacedLink) -> Patch:
    """Return the patch that takes a link away with its brackets and the separator before it; a
    sub-item that is nothing else goes as a whole."""
    if link.span[0] >= entry.anatomy.own[1] and _has_own_line(document, link):
        number = document.line_of(link.span[0]) - 1
        starts = document.line_starts
        after = starts[number + 1] if number + 1 < len(starts) else len(document.text)
        return Patch((starts[number], after), "")
    opening, closing = wrapping(document.text, link)
    start, end = link.span[0] - len(opening), link.span[1] + len(closing)
    first, last = _line_of(document, link.span)
    word = _LAST_WORD.search(document.text, max(first, start - 60), start)
    is_labelled = role_word(link.label) or (word and role_word(word["word"]))
    if word and not is_labelled and document.text[end:last].strip(" .,;"):
        raise NoPlaceError("The link stands within a sentence, which would not be one without it.")
    separator = separator_before(document, entry, link)
    if document.text.endswith(separator, 0, start):
        start -= len(separator)
    marker = MARKER.match(document.text, _line_of(document, link.span)[0])
    if marker and start < marker.end() <= link.span[0]:
        # The first words of a sub-item: its bullet stays, and what set the next words apart goes.
        start = marker.end()
        rest = document.text[end : _line_of(document, link.span)[1]]
        end += len(rest) - len(rest.lstrip(" \t,;|·"))
    return Patch((start, end), "")


def holds(outer: Span, inner: Span) -> bool:
    """Return whether a span lies within another."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]

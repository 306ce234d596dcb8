"""Edits of list items, paragraphs and whatever else is no table row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import pairwise

from papertrack.documents.cells import MODELS
from papertrack.documents.edit_types import NoPlaceError
from papertrack.documents.markup import (
    escape_text,
    escape_title,
    like,
    most_usual,
    repository_label,
    safe_url,
    wrapping,
)
from papertrack.documents.model import Document, Entry, EntryFields, PlacedLink, Span
from papertrack.documents.numbering import Numbering
from papertrack.documents.patches import Patch, replaced
from papertrack.documents.roles import role_word
from papertrack.documents.row_edits import passes_text
from papertrack.documents.style import date_pattern
from papertrack.documents.values import BOX, CHECK, medal_tags, write_date
from papertrack.records import LinkRole

_LAST_WORD = re.compile(r"(?<![^ \t(])(?P<word>[a-z]{1,40})[ ]\Z")
_MARKER = re.compile(r"[ \t>]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]+")
_NUMBER = re.compile(r"([ \t>]*)([0-9]{1,9})([.)])")
_LETTERS = re.compile(r"[^\W_]")
_LABELLED = re.compile(r"[,;|·]?\s*(?P<word>[^\W\d_]{2,12})\s?[:：]\s*(?:\*\*|\[|\()?$")
_EDGE = re.compile(r"^[\])）】*_~\"'”’.,;:]*")
_ENDED = re.compile(r"^[\])）】*_~\"'”’.:]*")
_START = re.compile(r"[\[(（【*_\s|-]*$")
_SIGN = re.compile(r":[a-z0-9_+-]+:|<[a-z]+>")
_OPENING = re.compile(r"[\[(（【*_`]*$")
_CLOSING = re.compile(r"^[\])）】*_`,;:.]*\s*")
_MEDAL = re.compile(r":[a-z0-9_+-]*(?:medal|fire|trophy|crown)[a-z_]*:[ ]?|[🥇🥈🥉🔥🏆👑][ ]?")


def set_item_passes(document: Document, entry: Entry, passes: int) -> list[Patch]:
    """Return the patch that writes a reading mark where the entry has it, or others have theirs."""
    mark = entry.anatomy.mark
    style = document.style_of(entry.group)
    text = passes_text(style, passes)
    if mark is not None:
        if mark.kind == "box":
            text = "[x]" if passes else "[ ]"
        elif mark.kind == "check":
            text = style.mark_separator.join([style.mark_text] * passes)
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
    markup = like(document.text, sample, url, _shown_label(sample, role, url, label), reference)
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
    shown = _shown_label(sample, role, url, label)
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
    marker = _MARKER.match(before)
    word = before[marker.end() :].strip(" *:：") if marker else ""
    return (
        bool(marker)
        and not document.text[link.span[1] : end].strip()
        and (not word or role_word(word) is not None)
    )


def _shown_label(sample: PlacedLink, role: LinkRole, url: str, label: str | None) -> str | None:
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
            is_title = other.anatomy.title and _holds(link.span, other.anatomy.title)
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
    labelled = _LABELLED.search(gap)
    if labelled and role_word(labelled["word"]):
        return labelled.group()
    gap = _ENDED.sub("", gap) if _LETTERS.search(gap) is None else " "
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
    marker = _MARKER.match(document.text, _line_of(document, link.span)[0])
    if marker and start < marker.end() <= link.span[0]:
        # The first words of a sub-item: its bullet stays, and what set the next words apart goes.
        start = marker.end()
        rest = document.text[end : _line_of(document, link.span)[1]]
        end += len(rest) - len(rest.lstrip(" \t,;|·"))
    return Patch((start, end), "")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a model entry that a new entry has too, with its new text."""

    span: Span
    text: str


def composed(
    document: Document, model: Entry, fields: EntryFields, references: dict[str, str]
) -> str:
    """Return the first line of a new entry written as ``model`` is, without its line end.

    Date, title and main link are replaced, links of roles that the new one has too; other words
    and links of the model are left out.
    """
    text = document.text
    line_start = model.span[0]
    pieces = _pieces(document, model, fields, references)
    prefix = text[line_start : pieces[0].span[0]]
    date = model.anatomy.date
    if date and date[1] <= pieces[0].span[0]:
        prefix = _OPENING.sub("", text[line_start : date[0]])
        prefix += _CLOSING.sub("", text[date[1] : pieces[0].span[0]])
    shown = _new_prefix(prefix) + pieces[0].text
    for before, after in pairwise(pieces):
        shown += _glue(text[before.span[1] : after.span[0]]) + after.text
    tail = text[pieces[-1].span[1] : model.anatomy.own[1]]
    closing = _EDGE.match(tail)
    return shown + (closing.group() if closing else "").rstrip(",;: ")


def _pieces(
    document: Document, model: Entry, fields: EntryFields, references: dict[str, str]
) -> list[_Piece]:
    text, anatomy = document.text, model.anatomy
    assert anatomy.title is not None, "a model has a title"
    pieces = []
    pattern = document.style.chosen_date_format or date_pattern(text, model)
    is_before = anatomy.date is not None and anatomy.date[0] < anatomy.title[0]
    written = write_date(fields.date, pattern) if pattern and fields.date else None
    if anatomy.date and is_before and written:
        pieces.append(_Piece(anatomy.date, written))
    linked = next((k for k in anatomy.links if _holds(k.label_span, anatomy.title)), None)
    main = next((k for k in fields.links if k.role in ("paper", "code")), None)
    if linked is None:
        pieces.append(_Piece(anatomy.title, escape_title(text, fields.title, model)))
    else:
        before = text[linked.label_span[0] : anatomy.title[0]]
        after = text[anatomy.title[1] : linked.label_span[1]]
        shown = before + escape_text(fields.title) + after
        reference = references.get(main.url) if main and linked.form == "reference" else None
        target = f"[{reference}]" if reference else f"({safe_url(main.url) if main else ''})"
        pieces.append(_Piece(linked.span, f"[{shown}]{target}"))
    wanted = [link for link in fields.links if linked is None or link is not main]
    if linked is None and main and not _shows_paper(model):
        wanted.remove(main)
        pieces[-1] = _Piece(anatomy.title, f"[{escape_text(fields.title)}]({safe_url(main.url)})")
    end = anatomy.own[1]
    for link in anatomy.links:
        if link is linked or not anatomy.title[1] <= link.span[0] < end or link.form == "text":
            continue
        match = next((k for k in wanted if _same_role(k.role, link)), None)
        if match is None:
            continue
        wanted.remove(match)
        label = _shown_label(link, match.role, match.url, match.label)
        shown = like(text, link, match.url, label, references.get(match.url))
        pieces.append(_Piece(link.span, shown))
    return sorted(pieces, key=lambda piece: piece.span)


def _same_role(role: LinkRole, link: PlacedLink) -> bool:
    return role == link.role or (role == "paper" and link.role == "pdf")


def _new_prefix(prefix: str) -> str:
    """Return what stands before the first piece, without the model's own marks and medals."""
    prefix = BOX.sub("[ ]", prefix)
    prefix = re.sub(rf"{CHECK}[ ]?", "", prefix)
    return _MEDAL.sub("", prefix) if medal_tags(prefix) else prefix


def _glue(gap: str) -> str:
    """Return what stands between two pieces, without the model's own words."""
    labelled = _LABELLED.search(gap)
    if labelled and role_word(labelled["word"]):
        head = gap[: labelled.start()]
        opening = _EDGE.match(head)
        kept = opening.group() if opening and _LETTERS.search(head) else head
        return kept.rstrip(",; ") + (labelled.group() if kept or labelled.start() else gap)
    if _LETTERS.search(gap) is None:
        return gap
    opening, closing = _EDGE.match(gap), _START.search(gap)
    middle = (opening.group() if opening else "") + (closing.group() if closing else "")
    return middle or " "


def choose_model(document: Document, entries: Sequence[Entry]) -> Entry | None:
    """Return the entry that a new one is best written after: the one with the least of its own."""

    def burden(entry: Entry) -> tuple[int, int]:
        anatomy = entry.anatomy
        links = sum(link.role not in ("paper", "pdf") for link in anatomy.links)
        words = len(document.text[slice(*anatomy.own)]) - len(entry.fields.title)
        foreign = 4 * (not shows_main_link(entry)) + 8 * _starts_with_words(document, entry)
        return (links + foreign + 2 * len(entry.fields.tags), words)

    usable = [e for e in entries if e.anatomy.title is not None and _is_one_line(document, e)]
    return min(usable, key=burden, default=None)


def shows_main_link(entry: Entry) -> bool:
    """Return whether an entry links to its paper, or is a title that is a link."""
    title = entry.anatomy.title
    is_linked = any(title and _holds(k.label_span, title) for k in entry.anatomy.links)
    return is_linked or _shows_paper(entry)


def _shows_paper(entry: Entry) -> bool:
    return any(link.role in ("paper", "pdf") for link in entry.anatomy.links)


def _starts_with_words(document: Document, entry: Entry) -> bool:
    """Whether words that are no date or sign stand before the title."""
    anatomy = entry.anatomy
    assert anatomy.title is not None, "a model has a title"
    before = document.text[entry.span[0] : anatomy.title[0]]
    if anatomy.date and anatomy.date[1] <= anatomy.title[0]:
        before = before.replace(document.text[slice(*anatomy.date)], "")
    return _LETTERS.search(_SIGN.sub("", _MARKER.sub("", BOX.sub("", before), 1))) is not None


def _is_one_line(document: Document, entry: Entry) -> bool:
    start, end = entry.anatomy.own
    return not any(c in document.text[start:end] for c in "\r\n")


def marked(document: Document, text: str, neighbours: Sequence[Entry]) -> str:
    """Return an item with the indentation and bullet of its neighbours."""
    marker = _MARKER.match(document.text, neighbours[0].span[0]) if neighbours else None
    return text if marker is None else _MARKER.sub(marker.group(), text, count=1)


def numbered(document: Document, text: str, neighbours: Sequence[Entry]) -> str:
    """Return a numbered item with the number that follows its section's, or the constant one."""
    match = _NUMBER.match(text)
    if match is None or document.style.is_numbering_constant:
        return text
    numbers = [
        int(found[2])
        for entry in neighbours
        if (found := _NUMBER.match(document.text, entry.span[0]))
    ]
    number = max(numbers, default=0) + 1
    return f"{match[1]}{number}{match[3]}{text[match.end() :]}"


def _holds(outer: Span, inner: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]

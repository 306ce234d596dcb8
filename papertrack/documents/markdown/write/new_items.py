"""New list items and paragraphs, written as one that the document has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from papertrack.documents.markdown.marks.registry import unmarked
from papertrack.documents.markdown.model import (
    Document,
    Entry,
    EntryFields,
    PlacedLink,
)
from papertrack.documents.markdown.read.style import date_pattern
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.values import Span, medal_tags, write_date
from papertrack.documents.markdown.write.item_edits import (
    LABELLED,
    LETTERS,
    MARKER,
    holds,
    shown_label,
)
from papertrack.documents.markdown.write.markup import escape_text, escape_title, like, safe_url
from papertrack.records import LinkRole

_NUMBER = re.compile(r"([ \t>]*)([0-9]{1,9})([.)])")
_EDGE = re.compile(r"^[\])）】*_~\"'”’.,;:]*")
_START = re.compile(r"[\[(（【*_\s|-]*$")
_SIGN = re.compile(r":[a-z0-9_+-]+:|<[a-z]+>")
_OPENING = re.compile(r"[\[(（【*_`]*$")
_CLOSING = re.compile(r"^[\])）】*_`,;:.]*\s*")
_MEDAL = re.compile(r":[a-z0-9_+-]*(?:medal|fire|trophy|crown)[a-z_]*:[ ]?|[🥇🥈🥉🔥🏆👑][ ]?")


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
    linked = next((k for k in anatomy.links if holds(k.label_span, anatomy.title)), None)
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
        label = shown_label(link, match.role, match.url, match.label)
        shown = like(text, link, match.url, label, references.get(match.url))
        pieces.append(_Piece(link.span, shown))
    return sorted(pieces, key=lambda piece: piece.span)


def _same_role(role: LinkRole, link: PlacedLink) -> bool:
    return role == link.role or (role == "paper" and link.role == "pdf")


def _new_prefix(prefix: str) -> str:
    """Return what stands before the first piece, without the model's own marks and medals."""
    prefix = unmarked(prefix)
    return _MEDAL.sub("", prefix) if medal_tags(prefix) else prefix


def _glue(gap: str) -> str:
    """Return what stands between two pieces, without the model's own words."""
    labelled = LABELLED.search(gap)
    if labelled and role_word(labelled["word"]):
        head = gap[: labelled.start()]
        opening = _EDGE.match(head)
        kept = opening.group() if opening and LETTERS.search(head) else head
        return kept.rstrip(",; ") + (labelled.group() if kept or labelled.start() else gap)
    if LETTERS.search(gap) is None:
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
    is_linked = any(title and holds(k.label_span, title) for k in entry.anatomy.links)
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
    return LETTERS.search(_SIGN.sub("", MARKER.sub("", unmarked(before), 1))) is not None


def _is_one_line(document: Document, entry: Entry) -> bool:
    start, end = entry.anatomy.own
    return not any(c in document.text[start:end] for c in "\r\n")


def marked(document: Document, text: str, neighbours: Sequence[Entry]) -> str:
    """Return an item with the indentation and bullet of its neighbours."""
    marker = MARKER.match(document.text, neighbours[0].span[0]) if neighbours else None
    return text if marker is None else MARKER.sub(marker.group(), text, count=1)


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

"""Links of entries: added, led elsewhere and taken away, written as others in the document are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from heapq import nsmallest
from itertools import pairwise

from papertrack.documents.markdown.model import Document, Entry, PlacedLink, Table
from papertrack.documents.markdown.read.columns import content_span
from papertrack.documents.markdown.roles import host_role, role_word
from papertrack.documents.markdown.values import Span, most_common
from papertrack.documents.markdown.write import fields
from papertrack.documents.markdown.write.definitions import Numbering
from papertrack.documents.markdown.write.edit_types import NoPlaceError, SetLink, no_place
from papertrack.documents.markdown.write.markup import (
    LABELLED,
    LETTERS,
    MARKER,
    escape_text,
    is_safe_target,
    label_like,
    like,
    most_usual,
    repository_name,
    safe_url,
    wrapping,
)
from papertrack.documents.markdown.write.patches import Patch, inserted
from papertrack.records import Link, LinkRole

_LAST_WORD = re.compile(r"(?<![^ \t(])(?P<word>[a-z]{1,40})[ ]\Z")
_APART = re.compile(r"\A(?:[\s,;·/、，；]|\\\||(?<=\s)[&+-](?=\s)|<br ?/?>|&nbsp;|\b(?:and|or)\b)+")
_APART_BEHIND = re.compile(_APART.pattern.replace(r"\A", "") + r"\Z")
_NOTHING = re.compile(r"(?:[\s,;|·/\\()\[\]*_`~]|<(?!img\b)[^<>]*>)*")
_ENDED = re.compile(r"^[\])）】*_~\"'”’.:]*")


def set_link(document: Document, numbering: Numbering, entry: Entry, edit: SetLink) -> list[Patch]:
    """Return the patches that add a link to an entry, lead one elsewhere, or take links away."""
    links = entry.anatomy.links
    if edit.url is None:
        return _without_links(document, numbering, entry, edit)
    if not is_safe_target(edit.url):
        raise NoPlaceError("Only web addresses and relative paths are written into a document.")
    if any(link.url in (edit.url, safe_url(edit.url)) for link in links):
        return []
    if edit.is_beside:
        return _beside(document, numbering, entry, edit)
    replaces = edit.replaces
    if replaces is None and edit.role == "paper":
        replaces = _main_address(entry)
    if replaces is not None:
        return _retargeted(document, numbering, entry, replaces, edit.url, edit.label)
    link = Link(edit.role, edit.url, edit.label)
    add = _added_to_row if entry.shape == "row" else _added_to_item
    patches = add(document, numbering, entry, link)
    if patches is None:
        raise NoPlaceError(no_place(entry, f"{edit.role} link"))
    return patches


def _beside(document: Document, numbering: Numbering, entry: Entry, edit: SetLink) -> list[Patch]:
    """Return the patches that put a further link to the paper behind the entry's last one, with
    brackets like that one's and a label of its own."""
    assert edit.url is not None, "the caller has seen to that"
    links = [link for link in entry.anatomy.links if link.form != "text"]
    others = [link for link in reversed(links) if not entry.anatomy.is_title(link)]
    sample = next((link for link in others if link.role in ("paper", "pdf")), None)
    alike = sample or next(iter(others), None) or entry.anatomy.title_link
    reference, patches = numbering.reference_like(alike, entry, edit.url)
    target = f"[{reference}]" if reference else f"({safe_url(edit.url)})"
    opening, closing = (
        wrapping(document.text, alike.span) if alike and alike in others else ("", "")
    )
    markup = f"{opening}[{escape_text(edit.label or repository_name(edit.url))}]{target}{closing}"
    if sample is not None:
        at = sample.span[1] + len(closing)
    elif entry.shape == "row":
        at = content_span(document.text, _cell_of_title(entry))[1]
    else:
        at = _end_of_links(document, entry)
    return [Patch((at, at), _apart(document, entry, sample) + markup), *patches]


def _cell_of_title(entry: Entry) -> Span:
    """Return the cell of a row that holds its title; the first if it shows none."""
    title, cells = entry.anatomy.title, entry.anatomy.cells
    held = (cell for cell in cells if title and cell[0] <= title[0] and title[1] <= cell[1])
    return next(held, cells[0])


def _apart(document: Document, entry: Entry, sample: PlacedLink | None) -> str:
    """Return what sets a link apart from a sample before it."""
    if entry.shape != "row" or sample is None or sample.column is None:
        return " "
    return link_separator(document, document.table_of(entry), sample.column)


def _main_address(entry: Entry) -> str | None:
    """Return the address of the link that stands for the paper: the first, if none says so."""
    links = sorted(entry.anatomy.links, key=lambda link: link.role not in ("paper", "pdf"))
    return links[0].url if links else None


def _added_to_row(
    document: Document, numbering: Numbering, entry: Entry, link: Link
) -> list[Patch] | None:
    """Return the patches that add a link to the row's column of this role; None without a column.

    It is written as the nearest link in that column is, then as the row's title is, behind what
    stands there already. Raises NoPlaceError for a cell whose words are the entry's description.
    """
    table = document.table_of(entry)
    column = table.column_of(link.role)
    if column is None:
        return None
    sample = find_sample(document, entry, column, link.url) or title_sample(entry)
    reference, patches = numbering.reference_like(sample, entry, link.url)
    markup = link_markup(document, sample, column, link, reference)
    held = any(other.column == column for other in entry.anatomy.links)
    is_said = link.role == "note" and entry.fields.description is not None
    if not held and (is_said or fields.is_empty_cell(document, entry, column)):
        return [*fields.set_value(document, entry, link.role, None, markup), *patches]
    end = content_span(document.text, entry.anatomy.cells[column])[1]
    separator = link_separator(document, table, column) if held else " "
    return [Patch((end, end), separator + markup), *patches]


def _added_to_item(
    document: Document, numbering: Numbering, entry: Entry, link: Link
) -> list[Patch] | None:
    """Return the patches that add a link behind the entry's last; None without any model."""
    found = [
        (False, abs(other.line - entry.line), candidate)
        for other in document.entries
        if other.shape == entry.shape
        for candidate in other.anatomy.links
        if candidate.role == link.role and _is_model(other, candidate)
    ]
    sample = _usual_of_nearest(document, found)
    if sample is None:
        return _link_line(document, numbering, entry, link)
    owner = next(other for other in document.entries if sample in other.anatomy.links)
    separator = _separator_before(document, owner, sample)
    reference, patches = numbering.reference_like(sample, entry, link.url)
    markup = link_markup(document, sample, None, link, reference)
    at = _end_of_links(document, entry)
    return [Patch((at, at), separator + markup), *patches]


def _end_of_links(document: Document, entry: Entry) -> int:
    """Return the offset behind an item's own last link, or behind its words."""
    start, end = entry.anatomy.own
    inside = [link for link in entry.anatomy.links if start <= link.span[0] < end]
    if not inside:
        return fields.end_of_words(document, entry)
    return inside[-1].span[1] + len(wrapping(document.text, inside[-1].span)[1])


def link_markup(
    document: Document,
    sample: PlacedLink | None,
    column: int | None,
    link: Link,
    reference: str | None,
) -> str:
    """Return a link after a sample; one from another column gives its form, not its label."""
    if sample is None or sample.column != column:
        label = link.label or (repository_name(link.url) if link.role == "code" else "link")
        if sample is None:
            return f"[{escape_text(label)}]({safe_url(link.url)})"
        return like(document.text, sample, link.url, label, reference)
    opening, closing = wrapping(document.text, sample.span)
    return opening + like(document.text, sample, link.url, link.label, reference) + closing


def find_sample(document: Document, entry: Entry, column: int, url: str = "") -> PlacedLink | None:
    """Return a link in the same column of the row's or a like table: the nearest of those written
    as most around are.

    One to the same sort of host is preferred: a repository's badge is no model for a page's.
    """
    role = document.table_of(entry).columns[column].role
    wanted = host_role(url)
    found = [
        (host_role(link.url) != wanted, abs(other.line - entry.line), link)
        for table in document.tables
        if role in (alike.role for alike in table.columns[column : column + 1])
        for other in document.rows_of(table)
        for link in other.anatomy.links
        if link.column == column
    ]
    return _usual_of_nearest(document, found)


def _usual_of_nearest(
    document: Document, found: Sequence[tuple[bool, int, PlacedLink]]
) -> PlacedLink | None:
    """Return of (is of another sort, distance, link) one written as most are of the nearest."""
    near = nsmallest(fields.MODELS, found, key=lambda sample: sample[:2])
    same = [link for is_other, _, link in near if is_other == near[0][0]]
    return most_usual(document.text, same)


def link_separator(document: Document, table: Table, column: int) -> str:
    """Return what stands between two links of one cell: ``, `` unless the rows show another."""
    gaps = []
    for row in fields.model_rows(document, table):
        links = [link for link in row.anatomy.links if link.column == column]
        for first, second in pairwise(links):
            gaps.append(document.text[first.span[1] : second.span[0]])
    return most_common([gap for gap in gaps if len(gap) <= 12]) or ", "


def title_sample(entry: Entry) -> PlacedLink | None:
    """Return the first link of a row that is no badge: mostly the title's."""
    return next((link for link in entry.anatomy.links if not link.is_badge), None)


def _is_model(entry: Entry, link: PlacedLink) -> bool:
    """Whether a link stands in an entry's own lines, beside the title."""
    start, end = entry.anatomy.own
    is_inside = start <= link.span[0] < end
    return is_inside and not entry.anatomy.is_title(link) and link.form != "text"


def _separator_before(document: Document, entry: Entry, link: PlacedLink) -> str:
    """Return what stands between a link and what is before it, if that is no word of the text."""
    text = document.text
    start = link.span[0] - len(wrapping(text, link.span)[0])
    ends = [other.span[1] for other in entry.anatomy.links]
    ends += [entry.anatomy.title[1]] if entry.anatomy.title else []
    gap = text[max((end for end in ends if end <= start), default=start) : start]
    if labelled := _label_at_end(gap):
        return labelled.group()
    gap = " " if LETTERS.search(gap) else _ENDED.sub("", gap)
    return gap if gap and not gap.strip(" |,;·/-\n\r\t") else " "


def _label_at_end(text: str) -> re.Match[str] | None:
    """Return the word at the end of a text that says what the link behind it is for, if any."""
    labelled = LABELLED.search(text)
    return labelled if labelled and role_word(labelled["word"]) else None


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
    markup = like(text, sample, link.url, link.label, reference)
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


def _retargeted(
    document: Document, numbering: Numbering, entry: Entry, old: str, url: str, label: str | None
) -> list[Patch]:
    """Give all of an entry's links to one address another address, and what names it in labels."""
    found = [link for link in entry.anatomy.links if link.url == old and link.form != "text"]
    if not found:
        raise NoPlaceError(f"The entry has no link to {old}.")
    patches: dict[Span, Patch] = {}
    for link in found:
        new = _target_patches(numbering, entry, link, url)
        new += _label_patches(document, entry, link, url, label)
        patches |= {patch.span: patch for patch in new}
    return list(patches.values())


def _label_patches(
    document: Document, entry: Entry, link: PlacedLink, url: str, label: str | None
) -> list[Patch]:
    """Return the patch of a label that names what its link leads to; a title says the same."""
    is_address = link.label_span == link.url_span
    if is_address or (link.label != link.url and entry.anatomy.is_title(link)):
        return []
    shown = label_like(document.text, link, url, label)
    is_same = shown == document.text[slice(*link.label_span)]
    return [] if is_same else [Patch(link.label_span, shown)]


def _target_patches(numbering: Numbering, entry: Entry, link: PlacedLink, url: str) -> list[Patch]:
    """Return the patches that lead a link elsewhere; a definition that others use stays."""
    if link.reference is None or not numbering.is_used(link.reference, entry.span):
        return [Patch(link.url_span, safe_url(url))]
    label, patches = numbering.extra(entry, url)
    return [*patches, Patch((link.label_span[1] + 2, link.span[1] - 1), label)]


def _without_links(
    document: Document, numbering: Numbering, entry: Entry, edit: SetLink
) -> list[Patch]:
    """Take links out of an entry, with what set them apart: those to one address, or all of the
    role."""
    by, wanted = ("url", edit.replaces) if edit.replaces else ("role", edit.role)
    gone = [link for link in entry.anatomy.links if getattr(link, by) == wanted]
    if any(entry.anatomy.is_title(link) for link in gone):
        raise NoPlaceError("The title's own link stays: a title without it is not an entry.")
    patches = [_without_in_item(document, entry, link) for link in gone if link.column is None]
    for column in {link.column for link in gone if link.column is not None}:
        held = [link for link in gone if link.column == column]
        patches += _without_in_cell(document, entry, column, held)
    return [*patches, *numbering.unneeded(entry, gone, *(link.span for link in gone))]


def _without_in_cell(
    document: Document, entry: Entry, column: int, gone: list[PlacedLink]
) -> list[Patch]:
    """Return the patch that takes links out of a cell, with their brackets and what set them apart;
    all else stays."""
    start, end = content_span(document.text, entry.anatomy.cells[column])
    content = document.text[start:end]
    for link in reversed(gone):
        opening, closing = wrapping(document.text, link.span)
        before = content[: link.span[0] - len(opening) - start]
        after = content[link.span[1] + len(closing) - start :]
        _refuse_in_sentence(link, before, after)
        if labelled := _label_at_end(before):
            before = before[: labelled.start("word")]
        rest = _APART.sub("", after)
        is_last = rest in ("", after)
        content = _APART_BEHIND.sub("", before) + after if is_last else before + rest
    return fields.set_cell(document, entry, column, "" if _NOTHING.fullmatch(content) else content)


def _without_in_item(document: Document, entry: Entry, link: PlacedLink) -> Patch:
    """Return the patch that takes a link away with its brackets and the separator before it; a
    sub-item that is nothing else goes as a whole."""
    if link.span[0] >= entry.anatomy.own[1] and _has_own_line(document, link):
        number = document.line_of(link.span[0]) - 1
        return Patch((document.line_start(number), document.line_start(number + 1)), "")
    opening, closing = wrapping(document.text, link.span)
    start, end = link.span[0] - len(opening), link.span[1] + len(closing)
    first, last = _line_of(document, link.span)
    _refuse_in_sentence(link, document.text[first:start], document.text[end:last])
    separator = _separator_before(document, entry, link)
    if document.text.endswith(separator, 0, start):
        start -= len(separator)
    marker = MARKER.match(document.text, first)
    if marker and start < marker.end() <= link.span[0]:
        # The first words of a sub-item: its bullet stays, and what set the next words apart goes.
        start = marker.end()
        rest = document.text[end:last]
        end += len(rest) - len(rest.lstrip(" \t,;|·"))
    return Patch((start, end), "")


def _refuse_in_sentence(link: PlacedLink, before: str, after: str) -> None:
    """Raise NoPlaceError if words lead to a link, and on from it, of which no one is its label."""
    word = _LAST_WORD.search(before)
    is_label = word is None or role_word(link.label) or role_word(word["word"])
    if not is_label and after.strip(" .,;"):
        raise NoPlaceError("The link stands within a sentence, which would not be one without it.")

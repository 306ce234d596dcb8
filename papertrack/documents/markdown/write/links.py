"""Edits of an entry's links: add, retarget, remove.

A new link is written like the nearest links of its kind, by the same mechanism as new entries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from papertrack.documents.markdown.link_labels import arxiv_work
from papertrack.documents.markdown.model import Document, Entry, EntryFields, PlacedLink, Table
from papertrack.documents.markdown.read.tables import content_span
from papertrack.documents.markdown.roles import host_role, role_word
from papertrack.documents.markdown.values import Span, most_common
from papertrack.documents.markdown.write import fields
from papertrack.documents.markdown.write.definitions import Numbering
from papertrack.documents.markdown.write.edit_types import (
    NoPlaceError,
    Patch,
    SetLink,
    inserted,
    no_place,
)
from papertrack.documents.markdown.write.explain import Explainer, Piece, Siblings, Stretch
from papertrack.documents.markdown.write.facts import Paper
from papertrack.documents.markdown.write.markup import (
    LABELLED,
    LETTERS,
    MARKER,
    escape_text,
    is_safe_target,
    repository_name,
    safe_url,
    wrapping,
)
from papertrack.documents.markdown.write.new_entry import best_pattern, written
from papertrack.records import Link

_NEAREST = 8
"""So many links show how a new one is written."""
_LAST_WORD = re.compile(r"(?<![^ \t(])(?P<word>[a-z]{1,40})[ ]\Z")
_APART = re.compile(r"\A(?:[\s,;·/、，；]|\\\||(?<=\s)[&+-](?=\s)|<br ?/?>|&nbsp;|\b(?:and|or)\b)+")
_APART_BEHIND = re.compile(_APART.pattern.replace(r"\A", "") + r"\Z")
_NOTHING = re.compile(r"(?:[\s,;|·/\\()\[\]*_`~]|<(?!img\b)[^<>]*>)*")
_ENDED = re.compile(r"^[\])）】*_~\"'”’.:]*")
_Sample = tuple[Entry, PlacedLink]
"""A link that shows how others are written, and the entry that has it."""


@dataclass
class _OneLink(Paper):
    """The facts of one link, which takes the place of any sample's link."""

    def _link_for(self, piece: Piece, role: str, siblings: Siblings) -> Link | None:
        assert piece.link is not None, "it is the piece of a link"
        (link,) = self.fields.links
        self.given[arxiv_work(piece.link.url)] = link
        return link

    def _address(self, piece: Piece, url: str, siblings: Siblings) -> str:
        return url  # The library compares addresses, so it stays as it is.


@dataclass(frozen=True)
class Links:
    """Edits the links of one document."""

    document: Document
    numbering: Numbering
    explainer: Explainer

    def patches(self, entry: Entry, edit: SetLink) -> list[Patch]:
        """Return the patches that add a link, change its target, or remove links.

        Raises NoPlaceError where the document shows no place for the link.
        """
        links = entry.anatomy.links
        if edit.url is None:
            return self._removed(entry, edit)
        if not is_safe_target(edit.url):
            raise NoPlaceError("Only web addresses and relative paths are written into a document.")
        if any(link.url in (edit.url, safe_url(edit.url)) for link in links):
            return []
        if edit.is_beside:
            return self._beside(entry, edit.url, edit.label or repository_name(edit.url))
        replaces = edit.replaces
        if replaces is None and edit.role == "paper":
            replaces = _main_address(entry)
        link = Link(edit.role, edit.url, edit.label)
        if replaces is not None:
            return self._retargeted(entry, replaces, link)
        patches = self._in_row(entry, link) if entry.shape == "row" else self._in_item(entry, link)
        if patches is None:
            raise NoPlaceError(no_place(entry, f"{edit.role} link"))
        return patches

    def written(
        self, entry: Entry, link: Link, samples: Sequence[_Sample], *, is_bare: bool = False
    ) -> tuple[str, list[Patch], PlacedLink | None]:
        """Write a new link like most of the nearest samples.

        ``is_bare`` leaves out the brackets around it. Returns its Markdown, the patches that
        define it, and the sample that it follows; no sample where none could be used.
        """
        chunks = ((self._chunk(*sample, is_bare=is_bare), sample[1]) for sample in samples)
        whole = (one for one in chunks if any(p.kind.startswith("to:") for p in one[0].pieces))
        usable = list(islice(whole, _NEAREST))
        label = link.label or (repository_name(link.url) if link.role == "code" else "link")
        if not usable:
            return f"[{escape_text(label)}]({safe_url(link.url)})", [], None
        siblings = Siblings(self.document.text, [chunk for chunk, _ in usable])
        paper = _OneLink(self.document, EntryFields(label, links=(link,)), entry.shape)
        pattern = best_pattern(siblings, range(len(usable)), paper)
        sample = next(sample for chunk, sample in usable if chunk.span == pattern.span)
        reference, patches = self.numbering.reference_like(sample, entry, link.url)
        paper.references = {link.url: reference} if reference else {}
        return written(pattern, siblings, paper), patches, sample

    def _chunk(self, entry: Entry, link: PlacedLink, *, is_bare: bool) -> Stretch:
        """Cut a link, with the brackets around it, out of its entry as a stretch."""
        opening, closing = ("", "") if is_bare else wrapping(self.document.text, link.span)
        start, end = link.span[0] - len(opening), link.span[1] + len(closing)
        pieces = (piece for one in self.explainer.facts_of(entry) for piece in one.pieces)
        inside = tuple(one for one in pieces if start <= one.span[0] and one.span[1] <= end)
        return Stretch(entry, "link", (start, end), inside)

    def _nearest(
        self, entry: Entry, entries: Sequence[Entry], fits: Callable[[Entry, PlacedLink], bool]
    ) -> list[_Sample]:
        """Return the links that fit, those of the nearest entries first."""
        near = sorted(entries, key=lambda other: abs(other.line - entry.line))
        return [(one, link) for one in near for link in one.anatomy.links if fits(one, link)]

    def _beside(self, entry: Entry, url: str, label: str) -> list[Patch]:
        """Return the patches that add a second link to the paper behind the first.

        It gets the brackets of the first, and a label of its own.
        """
        links = [link for link in entry.anatomy.links if link.form != "text"]
        others = [link for link in reversed(links) if not entry.anatomy.is_title(link)]
        sample = next((link for link in others if link.role in ("paper", "pdf")), None)
        alike = sample or next(iter(others), None) or entry.anatomy.title_link
        reference, patches = self.numbering.reference_like(alike, entry, url)
        target = f"[{reference}]" if reference else f"({safe_url(url)})"
        opening, closing = "", ""
        if alike is not None and alike in others:
            opening, closing = wrapping(self.document.text, alike.span)
        separator = " "
        if sample is not None:
            at = sample.span[1] + len(closing)
            if sample.column is not None:
                separator = self._separator(self.document.table_of(entry), sample.column)
        elif entry.shape == "row":
            at = content_span(self.document.text, _cell_of_title(entry))[1]
        else:
            at = self._end_of_links(entry)
        markup = f"{opening}[{escape_text(label)}]{target}{closing}"
        return [Patch((at, at), separator + markup), *patches]

    def _in_row(self, entry: Entry, link: Link) -> list[Patch] | None:
        """Return the patches that add a link to the row's column for its role.

        The link follows what is in the cell already. It is written like other links in that
        column, else like the row's title. Returns None if the table has no such column. Raises
        NoPlaceError for a cell whose words are the entry's description.
        """
        table = self.document.table_of(entry)
        column = table.column_of(link.role)
        if column is None:
            return None
        samples = self._of_column(entry, column, link.url)
        own = [] if samples else [one for one in entry.anatomy.links if not one.is_badge][:1]
        markup, patches, _ = self.written(
            entry, link, samples or [(entry, one) for one in own], is_bare=not samples
        )
        has_links = any(other.column == column for other in entry.anatomy.links)
        is_said = link.role == "note" and entry.fields.description is not None
        if not has_links and (is_said or fields.is_empty_cell(self.document, entry, column)):
            return [*fields.set_value(self.document, entry, link.role, None, markup), *patches]
        end = content_span(self.document.text, entry.anatomy.cells[column])[1]
        separator = self._separator(table, column) if has_links else " "
        return [Patch((end, end), separator + markup), *patches]

    def _of_column(self, entry: Entry, column: int, url: str) -> list[_Sample]:
        """Return the links in the same column of this and similar tables, nearest first.

        Links to the same kind of host come alone: a repository's badge is no model for a page.
        """
        document, role = self.document, self.document.table_of(entry).columns[column].role
        tables = (t for t in document.tables if [c.role for c in t.columns[column:][:1]] == [role])
        rows = [row for table in tables for row in document.rows_of(table)]
        found = self._nearest(entry, rows, lambda _, link: link.column == column)
        same = [one for one in found if host_role(one[1].url) == host_role(url)]
        return same or found

    def _in_item(self, entry: Entry, link: Link) -> list[Patch] | None:
        """Return the patches that add a link behind the item's last; None without a sample."""
        alike = [other for other in self.document.entries if other.shape == entry.shape]
        samples = self._nearest(
            entry, alike, lambda owner, one: one.role == link.role and _is_model(owner, one)
        )
        markup, patches, sample = self.written(entry, link, samples)
        if sample is None:
            return self._as_line(entry, alike, link)
        owner = next(owner for owner, one in samples if one is sample)
        at = self._end_of_links(entry)
        return [Patch((at, at), self._separator_before(owner, sample) + markup), *patches]

    def _as_line(self, entry: Entry, alike: Sequence[Entry], link: Link) -> list[Patch] | None:
        """Return the patches that add a sub-item such as ``  - Code: [Official](…)``.

        The nearest entries with such a line show how. Returns None if there is none.
        """
        document, text = self.document, self.document.text

        def is_detail(owner: Entry, one: PlacedLink) -> bool:
            is_below = one.span[0] >= owner.anatomy.own[1]
            return is_below and one.role == link.role and _has_own_line(document, one)

        samples = self._nearest(entry, alike, is_detail)
        markup, patches, sample = self.written(entry, link, samples, is_bare=True)
        if sample is None:
            return None
        start, end = _line_of(document, sample.span)
        line = text[start : sample.span[0]] + markup + text[sample.span[1] : end].rstrip()
        return [inserted(document, entry.span[1], line), *patches]

    def _end_of_links(self, entry: Entry) -> int:
        """Return the offset behind an item's own last link, or behind its words."""
        start, end = entry.anatomy.own
        inside = [link for link in entry.anatomy.links if start <= link.span[0] < end]
        if not inside:
            return fields.end_of_words(self.document, entry)
        return inside[-1].span[1] + len(wrapping(self.document.text, inside[-1].span)[1])

    def _separator(self, table: Table, column: int) -> str:
        """Return the separator of links in one cell: ``, `` unless the rows show another."""
        gaps = []
        for row in fields.model_rows(self.document, table):
            links = [link for link in row.anatomy.links if link.column == column]
            for first, second in pairwise(links):
                gaps.append(self.document.text[first.span[1] : second.span[0]])
        return most_common([gap for gap in gaps if len(gap) <= 12]) or ", "

    def _separator_before(self, entry: Entry, link: PlacedLink) -> str:
        """Return the separator before a link, or the label that says what the link is for."""
        text = self.document.text
        start = link.span[0] - len(wrapping(text, link.span)[0])
        ends = [other.span[1] for other in entry.anatomy.links]
        ends += [entry.anatomy.title[1]] if entry.anatomy.title else []
        gap = text[max((end for end in ends if end <= start), default=start) : start]
        if labelled := _label_at_end(gap):
            return labelled.group()
        gap = " " if LETTERS.search(gap) else _ENDED.sub("", gap)
        return gap if gap and not gap.strip(" |,;·/-\n\r\t") else " "

    def _retargeted(self, entry: Entry, old: str, link: Link) -> list[Patch]:
        """Return the patches that change the target of all of an entry's links to one address.

        Labels that name the old target name the new one.
        """
        found = [one for one in entry.anatomy.links if one.url == old and one.form != "text"]
        if not found:
            raise NoPlaceError(f"The entry has no link to {old}.")
        patches: dict[Span, Patch] = {}
        for one in found:
            new = [*self._target(entry, one, link.url), *self._label(entry, one, link)]
            patches |= {patch.span: patch for patch in new}
        return list(patches.values())

    def _label(self, entry: Entry, placed: PlacedLink, link: Link) -> list[Patch]:
        """Return the patch that updates a link's label; a title as label stays as it is."""
        chunk = self._chunk(entry, placed, is_bare=True)
        siblings = Siblings(self.document.text, [chunk])
        new = replace(entry.fields, links=(link,))
        given = {arxiv_work(placed.url): link}
        paper = _OneLink(self.document, new, entry.shape, given=given, keeps_labels=True)
        named = [
            # Of a picture only what names the address is replaced.
            (
                p.span,
                paper.label_in(p.form, link.url) if placed.is_badge else paper.say(p, siblings),
            )
            for p in chunk.pieces
            if p.kind.startswith("label:")
        ]
        return [
            Patch(span, shown)
            for span, shown in named
            if shown is not None and shown != self.document.text[slice(*span)]
        ]

    def _target(self, entry: Entry, link: PlacedLink, url: str) -> list[Patch]:
        """Return the patches that change a link's target; a shared definition stays."""
        if link.reference is None or not self.numbering.is_used(link.reference, entry.span):
            return [Patch(link.url_span, safe_url(url))]
        label, patches = self.numbering.extra(entry, url)
        return [*patches, Patch((link.label_span[1] + 2, link.span[1] - 1), label)]

    def _removed(self, entry: Entry, edit: SetLink) -> list[Patch]:
        """Return the patches that remove an entry's links to one address, or all of a role.

        Their separators go with them.
        """
        by, wanted = ("url", edit.replaces) if edit.replaces else ("role", edit.role)
        gone = [link for link in entry.anatomy.links if getattr(link, by) == wanted]
        if any(entry.anatomy.is_title(link) for link in gone):
            raise NoPlaceError("The title's own link stays: a title without it is not an entry.")
        patches = [self._without_in_item(entry, link) for link in gone if link.column is None]
        for column in {link.column for link in gone if link.column is not None}:
            in_cell = [link for link in gone if link.column == column]
            patches += self._without_in_cell(entry, column, in_cell)
        return [*patches, *self.numbering.unneeded(entry, gone, *(link.span for link in gone))]

    def _without_in_cell(self, entry: Entry, column: int, gone: list[PlacedLink]) -> list[Patch]:
        """Return the patch that removes links from a cell, with brackets and separators.

        All else in the cell stays.
        """
        text = self.document.text
        start, end = content_span(text, entry.anatomy.cells[column])
        content = text[start:end]
        for link in reversed(gone):
            opening, closing = wrapping(text, link.span)
            before = content[: link.span[0] - len(opening) - start]
            after = content[link.span[1] + len(closing) - start :]
            _refuse_in_sentence(link, before, after)
            if labelled := _label_at_end(before):
                before = before[: labelled.start("word")]
            rest = _APART.sub("", after)
            is_last = rest in ("", after)
            content = _APART_BEHIND.sub("", before) + after if is_last else before + rest
        left = "" if _NOTHING.fullmatch(content) else content
        return fields.set_cell(self.document, entry, column, left)

    def _without_in_item(self, entry: Entry, link: PlacedLink) -> Patch:
        """Return the patch that removes a link with its brackets and the separator before it.

        A sub-item that holds nothing else goes as a whole.
        """
        document, text = self.document, self.document.text
        if link.span[0] >= entry.anatomy.own[1] and _has_own_line(document, link):
            number = document.line_of(link.span[0]) - 1
            return Patch((document.line_start(number), document.line_start(number + 1)), "")
        opening, closing = wrapping(text, link.span)
        start, end = link.span[0] - len(opening), link.span[1] + len(closing)
        first, last = _line_of(document, link.span)
        _refuse_in_sentence(link, text[first:start], text[end:last])
        separator = self._separator_before(entry, link)
        if text.endswith(separator, 0, start):
            start -= len(separator)
        marker = MARKER.match(text, first)
        if marker and start < marker.end() <= link.span[0]:
            # The first words of a sub-item: its bullet stays, and what set the next words apart
            # goes.
            start = marker.end()
            rest = text[end:last]
            end += len(rest) - len(rest.lstrip(" \t,;|·"))
        return Patch((start, end), "")


def _cell_of_title(entry: Entry) -> Span:
    """Return the cell of a row that holds its title; the first if it shows none."""
    title, cells = entry.anatomy.title, entry.anatomy.cells
    around = (cell for cell in cells if title and cell[0] <= title[0] and title[1] <= cell[1])
    return next(around, cells[0])


def _main_address(entry: Entry) -> str | None:
    """Return the address of the link that stands for the paper: the first, if none says so."""
    links = sorted(entry.anatomy.links, key=lambda link: link.role not in ("paper", "pdf"))
    return links[0].url if links else None


def _is_model(entry: Entry, link: PlacedLink) -> bool:
    """Whether a link stands in an entry's own lines, beside the title."""
    start, end = entry.anatomy.own
    is_inside = start <= link.span[0] < end
    return is_inside and not entry.anatomy.is_title(link) and link.form != "text"


def _label_at_end(text: str) -> re.Match[str] | None:
    """Return the word at the end of a text that says what the link behind it is for, if any."""
    labelled = LABELLED.search(text)
    return labelled if labelled and role_word(labelled["word"]) else None


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


def _refuse_in_sentence(link: PlacedLink, before: str, after: str) -> None:
    """Raise NoPlaceError if words lead to a link, and on from it, of which no one is its label."""
    word = _LAST_WORD.search(before)
    is_label = word is None or role_word(link.label) or role_word(word["word"])
    if not is_label and after.strip(" .,;"):
        raise NoPlaceError("The link stands within a sentence, which would not be one without it.")

"""Edit an entry's links and its venue.

A new link is written like the nearest links of its kind, with the same code as new entries. If a
preprint is published, its entry (with *arXiv 2024* or no venue) is changed to that of a published
work. Other published works show how venues are written, and whether to link to the publisher, the
preprint or both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, pairwise

from papertrack.documents.markdown.link_labels import arxiv_work
from papertrack.documents.markdown.model import (
    Document,
    Entry,
    EntryFields,
    Group,
    PlacedLink,
    Table,
)
from papertrack.documents.markdown.read.tables import content_span
from papertrack.documents.markdown.roles import host_role, role_word, strong_identifier
from papertrack.documents.markdown.values import Span, holds, most_common
from papertrack.documents.markdown.write import fields
from papertrack.documents.markdown.write.definitions import Numbering
from papertrack.documents.markdown.write.edit_types import (
    NoPlaceError,
    Patch,
    SetLink,
    SetVenue,
    inserted,
    no_place,
    overlaps,
)
from papertrack.documents.markdown.write.explain import Piece, Siblings, Splitter, Stretch
from papertrack.documents.markdown.write.facts import NewPaper, venue_name
from papertrack.documents.markdown.write.markup import (
    LABELLED,
    LETTERS,
    MARKER,
    escape_text,
    is_safe_target,
    light_escape,
    repository_name,
    safe_url,
    wrapping,
)
from papertrack.documents.markdown.write.new_entry import best_pattern, written
from papertrack.identifiers import parse_arxiv_id
from papertrack.matching.venues import YEAR, add_year, is_server, parsed_venue, venue_year
from papertrack.records import Link

_NEAREST = 8
"""How many links show how to write a new one."""
_LAST_WORD = re.compile(r"(?<![^ \t(])(?P<word>[a-z]{1,40})[ ]\Z")
_APART = re.compile(
    r"\A(?:[\s,;|·/、，；]|\\\||(?<=\s)[&+-](?=\s)|<br ?/?>|&nbsp;|\b(?:and|or)\b)+"
)
_APART_BEHIND = re.compile(_APART.pattern.replace(r"\A", "") + r"\Z")
_NOTHING = re.compile(r"(?:[\s,;|·/\\()\[\]*_`~]|<(?!img\b)[^<>]*>)*")
_ENDED = re.compile(r"^[\])）】*_~\"'”’.:]*")
_LONGEST_END = 200
"""How many characters before a link are searched for its label and what separates it."""
_Sample = tuple[Entry, PlacedLink]
"""An entry and one of its links, to imitate."""


@dataclass
class _SingleLink(NewPaper):
    """The facts of one link, which replaces the link of any sample."""

    def _link_for(self, piece: Piece, siblings: Siblings) -> Link | None:
        assert piece.link is not None, "it is the piece of a link"
        (link,) = self.fields.links
        self.replaced[arxiv_work(piece.link.url)] = link
        return link

    def _address(self, piece: Piece, url: str, siblings: Siblings) -> str:
        return url  # The library compares addresses, so the address is not changed.


@dataclass(frozen=True)
class LinkEditor:
    """Edits links and venues in one document."""

    document: Document
    numbering: Numbering
    splitter: Splitter
    _grouped: dict[Group, list[_Published]] = field(default_factory=dict)

    def patches(self, entry: Entry, edit: SetLink) -> list[Patch]:
        """Return the patches that add a link, change its address, or remove links.

        Raises NoPlaceError if the document shows no place for the link.
        """
        links = entry.anatomy.links
        if edit.url is None:
            return self._removed(entry, edit)
        if not is_safe_target(edit.url):
            raise NoPlaceError(
                "Only web addresses and relative paths can be written into a document."
            )
        if any(link.url in (edit.url, safe_url(edit.url)) for link in links):
            return []
        if edit.is_beside:
            return self._beside(entry, edit.url, edit.label or repository_name(edit.url))
        replaces = edit.replaces
        if replaces is None and edit.role == "paper" and links:
            # Replace the main link of the paper: the first one with such a role, or else the first.
            replaces = min(links, key=lambda link: link.role not in ("paper", "pdf")).url
        link = Link(edit.role, edit.url, edit.label)
        if replaces is not None:
            return self._retargeted(entry, replaces, link)
        patches = self._in_row(entry, link) if entry.shape == "row" else self._in_item(entry, link)
        if patches is None:
            raise NoPlaceError(no_place(entry, f"{edit.role} link"))
        return patches

    def _written(
        self, entry: Entry, link: Link, samples: Sequence[_Sample], *, is_bare: bool = False
    ) -> tuple[str, list[Patch], _Sample | None]:
        """Write a new link like most of the nearest samples.

        ``is_bare`` leaves out the brackets around it. Returns its Markdown, the patches that define
        its label, and the sample that was imitated, or None if no sample could be.
        """
        chunks = ((self._chunk(*sample, is_bare=is_bare), sample) for sample in samples)
        whole = (pair for pair in chunks if any(p.kind.startswith("to:") for p in pair[0].pieces))
        usable = list(islice(whole, _NEAREST))
        label = link.label or (repository_name(link.url) if link.role == "code" else "link")
        if not usable:
            return f"[{escape_text(label)}]({safe_url(link.url)})", [], None
        siblings = Siblings(self.document.text, [chunk for chunk, _ in usable])
        paper = _SingleLink(self.document, EntryFields(label, links=(link,)), entry.shape)
        pattern = best_pattern(siblings, range(len(usable)), paper)
        sample = next(sample for chunk, sample in usable if chunk.span == pattern.span)
        reference, patches = self.numbering.label_like(sample[1], entry, link.url)
        paper.references = {link.url: reference} if reference else {}
        return written(pattern, siblings, paper), patches, sample

    def _chunk(self, entry: Entry, link: PlacedLink, *, is_bare: bool) -> Stretch:
        """Return a link, with the brackets around it, as a stretch."""
        opening, closing = ("", "") if is_bare else wrapping(self.document.text, link.span)
        span = link.span[0] - len(opening), link.span[1] + len(closing)
        pieces = (piece for part in self.splitter.split(entry) for piece in part.pieces)
        return Stretch(entry, "link", span, tuple(p for p in pieces if holds(span, p.span)))

    def _nearest(
        self, entry: Entry, entries: Sequence[Entry], fits: Callable[[Entry, PlacedLink], bool]
    ) -> list[_Sample]:
        """Return the links that fit, those of the nearest entries first."""
        near = sorted(entries, key=lambda other: abs(other.line - entry.line))
        return [(item, link) for item in near for link in item.anatomy.links if fits(item, link)]

    def _beside(self, entry: Entry, url: str, label: str) -> list[Patch]:
        """Return the patches that add a second link of the paper after the first one.

        It gets the brackets of the first link, and its own label.
        """
        text, anatomy = self.document.text, entry.anatomy
        links = [link for link in anatomy.links if link.form != "text"]
        others = [link for link in reversed(links) if not anatomy.is_title(link)]
        sample = next((link for link in others if link.role in ("paper", "pdf")), None)
        alike = sample or next(iter(others), None)
        reference, patches = self.numbering.label_like(alike or anatomy.title_link, entry, url)
        target = f"[{reference}]" if reference else f"({safe_url(url)})"
        opening, closing = wrapping(text, alike.span) if alike else ("", "")
        separator = " "
        if sample is not None:
            at = sample.span[1] + len(closing)
            if sample.column is not None:
                separator = self._separator(self.document.table_of(entry), sample.column)
        elif entry.shape == "row":
            title, cells = anatomy.title, anatomy.cells
            holding = (cell for cell in cells if title and holds(cell, title))
            at = content_span(text, next(holding, cells[0]))[1]
        else:
            at = self._end_of_links(entry)
        markup = f"{opening}[{escape_text(label)}]{target}{closing}"
        return [Patch((at, at), separator + markup), *patches]

    def _in_row(self, entry: Entry, link: Link) -> list[Patch] | None:
        """Return the patches that add a link to the row's column for its role.

        It is added after the content of the cell, written like other links in that column, or else
        like the title's link. Returns None if the table has no such column. Raises NoPlaceError if
        the cell contains other text.
        """
        document, table = self.document, self.document.table_of(entry)
        column = table.column_of(link.role)
        if column is None:
            return None
        alike = (item for item in document.tables if item.columns[column:])
        tables = (item for item in alike if item.columns[column].role == link.role)
        rows = [row for item in tables for row in document.rows_of(item)]
        samples_found = self._nearest(entry, rows, lambda _, other: other.column == column)
        # Samples must have the same kind of host: the badge of a repository does not fit a web
        # page.
        same = [item for item in samples_found if host_role(item[1].url) == host_role(link.url)]
        own_link = [(entry, item) for item in entry.anatomy.links if not item.is_badge][:1]
        samples = same or samples_found or own_link
        markup, patches, _ = self._written(entry, link, samples, is_bare=samples is own_link)
        has_links = any(other.column == column for other in entry.anatomy.links)
        is_said = link.role == "note" and entry.fields.description is not None
        if not has_links and (is_said or fields.is_empty_cell(document, entry, column)):
            return [*fields.set_value(document, entry, link.role, None, markup), *patches]
        end = content_span(document.text, entry.anatomy.cells[column])[1]
        separator = self._separator(table, column) if has_links else " "
        return [Patch((end, end), separator + markup), *patches]

    def _in_item(self, entry: Entry, link: Link) -> list[Patch] | None:
        """Return the patches that add a link after the item's last one, or as a nested item.

        The nearest links with its role show which: ``  - Code: [Official](…)`` is nested. None if
        there are no such links.
        """
        document, text = self.document, self.document.text

        def is_beside(owner: Entry, candidate: PlacedLink) -> bool:
            is_inside = owner.anatomy.body[0] <= candidate.span[0] < owner.anatomy.body[1]
            is_other = not owner.anatomy.is_title(candidate) and candidate.form != "text"
            return candidate.role == link.role and is_inside and is_other

        def is_detail(owner: Entry, candidate: PlacedLink) -> bool:
            is_below = candidate.span[0] >= owner.anatomy.body[1]
            return is_below and candidate.role == link.role and _has_own_line(document, candidate)

        alike = [other for other in document.entries if other.shape == entry.shape]
        samples = self._nearest(entry, alike, is_beside)
        markup, patches, sample = self._written(entry, link, samples)
        if sample is not None:
            at = self._end_of_links(entry)
            return [Patch((at, at), self._separator_before(*sample) + markup), *patches]
        samples = self._nearest(entry, alike, is_detail)
        markup, patches, sample = self._written(entry, link, samples, is_bare=True)
        if sample is None:
            return None
        span = sample[1].span
        start, end = _line_of(document, span)
        line = text[start : span[0]] + markup + text[span[1] : end].rstrip()
        return [inserted(document, entry.span[1], line), *patches]

    def _end_of_links(self, entry: Entry) -> int:
        """Return the offset after the last link of an item's own text, or after its words."""
        start, end = entry.anatomy.body
        inside = [link for link in entry.anatomy.links if start <= link.span[0] < end]
        if not inside:
            return fields.end_of_words(self.document, entry)
        return inside[-1].span[1] + len(wrapping(self.document.text, inside[-1].span)[1])

    def _separator(self, table: Table, column: int) -> str:
        """Return the separator of links in one cell: ``, `` unless rows show another one."""
        gaps = []
        for row in fields.model_rows(self.document, table):
            links = [link for link in row.anatomy.links if link.column == column]
            for first, second in pairwise(links):
                gaps.append(self.document.text[first.span[1] : second.span[0]])
        return most_common([gap for gap in gaps if len(gap) <= 12]) or ", "

    def _separator_before(self, entry: Entry, link: PlacedLink) -> str:
        """Return the separator or the label that precedes a link."""
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
        """Return the patches that change all of an entry's links to an address.

        Labels that name the old target are updated.
        """
        links = [x for x in entry.anatomy.links if x.url == old and x.form != "text"]
        if not links:
            raise NoPlaceError(f"The entry has no link to {old}.")
        new = (self._target(entry, x, link.url) + self._label(entry, x, link) for x in links)
        return list({patch.span: patch for patches in new for patch in patches}.values())

    def _label(self, entry: Entry, placed: PlacedLink, link: Link) -> list[Patch]:
        """Return the patch that updates a link's label. A title as label is not changed."""
        chunk = self._chunk(entry, placed, is_bare=True)
        siblings = Siblings(self.document.text, [chunk])
        new = replace(entry.fields, links=(link,))
        replaced = {arxiv_work(placed.url): link}
        paper = _SingleLink(self.document, new, entry.shape, replaced=replaced, keeps_labels=True)
        patches = []
        for piece in (piece for piece in chunk.pieces if piece.kind.startswith("label:")):
            # In a badge, only the parts that repeat the address are replaced.
            badge = paper.label_in(piece.form, link.url) if placed.is_badge else None
            shown = badge if placed.is_badge else paper.text_for(piece, siblings)
            if shown is not None and shown != self.document.text[slice(*piece.span)]:
                patches.append(Patch(piece.span, shown))
        return patches

    def _target(self, entry: Entry, link: PlacedLink, url: str) -> list[Patch]:
        """Return the patches that change a link's address. A shared definition is not changed."""
        if link.reference is None or not self.numbering.is_used(link.reference, entry.span):
            return [Patch(link.url_span, safe_url(url))]
        label, patches = self.numbering.label_for_link(entry, url)
        return [*patches, Patch((link.label_span[1] + 2, link.span[1] - 1), label)]

    def _removed(self, entry: Entry, edit: SetLink) -> list[Patch]:
        """Return the patches that remove an entry's links to an address, or all with a role.

        Their brackets and separators are removed too, and nested items that contain nothing else.
        """
        document, patches = self.document, list[Patch]()
        by, wanted = ("url", edit.replaces) if edit.replaces else ("role", edit.role)
        gone = [link for link in entry.anatomy.links if getattr(link, by) == wanted]
        if any(entry.anatomy.is_title(link) for link in gone):
            raise NoPlaceError("The title's own link stays: a title without it is not an entry.")
        places: dict[Span, list[PlacedLink]] = {}
        lines = set[int]()
        for link in gone:
            line = _line_of(document, link.span)
            if link.column is not None:
                place = content_span(document.text, entry.anatomy.cells[link.column])
            elif link.span[0] >= entry.anatomy.body[1] and _has_own_line(document, link):
                lines.add(document.line_of(line[0]) - 1)
                continue
            else:
                marker = MARKER.match(document.text, *line)
                place = (marker.end() if marker else line[0]), line[1]
            places.setdefault(place, []).append(link)
        for place, links_here in places.items():
            left, old = self._without(place, links_here), document.text[slice(*place)]
            if links_here[0].column is not None:
                left = "" if _NOTHING.fullmatch(left) else left
                patches += fields.set_cell(document, entry, links_here[0].column, left)
            elif left.strip():
                head = fields.common_start(old, left)
                tail = fields.common_start(old[head:][::-1], left[head:][::-1])
                span = place[0] + head, place[1] - tail
                patches.append(Patch(span, left[head : len(left) - tail]))
            else:
                lines.add(document.line_of(place[0]) - 1)
        patches += [Patch(document.span(number, number + 1), "") for number in sorted(lines)]
        return [*patches, *self.numbering.remove_unused(entry, gone, *(link.span for link in gone))]

    def _without(self, place: Span, gone: Sequence[PlacedLink]) -> str:
        """Return the content of a cell or line without some links.

        Their brackets, labels and separators are removed too. Raises NoPlaceError if a link is part
        of a sentence.
        """
        text = self.document.text
        content = text[slice(*place)]
        for link in reversed(gone):
            opening, closing = wrapping(text, link.span)
            before = content[: link.span[0] - len(opening) - place[0]]
            after = content[link.span[1] + len(closing) - place[0] :]
            _refuse_in_sentence(link, before, after)
            if labelled := _label_at_end(before):
                before = before[: labelled.start("word")]
            first = before[:-_LONGEST_END] + _APART_BEHIND.sub("", before[-_LONGEST_END:])
            rest = _APART.sub("", after)
            is_first = before[-1:] in ("", "(", "[", "（", "【")
            # If a sign precedes the link, the blank after it is not needed as a separator.
            has_sign = bool(after.removesuffix(rest).strip())
            is_apart = has_sign and (first != before.rstrip() or not rest[:1].isalnum())
            is_behind = rest not in ("", after) and (is_first or (is_apart and before != first))
            content = before + rest if is_behind else first + after
        return content

    def set_venue(self, entry: Entry, edit: SetVenue) -> list[Patch]:
        """Return the patches that set where a work was published.

        Raises NoPlaceError if the entry has no place for it, or if the venue is to be removed,
        because the text that it replaced is unknown.
        """
        if edit.venue is None:
            raise NoPlaceError("The text that the venue replaced is not known.")
        alike, text = self._alike(entry), self.document.text
        span, name = venue_span(text, entry), self._venue(entry, alike, edit)
        labelled = [item for item in alike if item.is_label]
        both = [item for item in labelled if item.is_preprint_linked]
        if span is None and edit.url and _are_most(both, alike, 1):
            return self._beside(entry, edit.url, name)
        if span is None and _are_most(labelled, alike, 1):
            # *arXiv 2024* as label, where other entries have their venues.
            label = _preprint_label(entry)
            span = label.label_span if label else None
        shown = light_escape(name, entry.shape)
        if span is not None:
            behind = None if YEAR.search(name) else self._year_behind(entry)
            patches = [Patch((span[0], _end_of_number(text, span[1])), shown)]
            patches += [Patch(behind, str(edit.year))] if behind and edit.year else []
        elif entry.shape == "row" and self.document.table_of(entry).column_of("venue") is not None:
            patches = fields.set_value(self.document, entry, "venue", None, shown)
        else:
            raise NoPlaceError(no_place(entry, "venue"))
        links = self._link_publication(entry, alike, edit.url) if edit.url else []
        return [*patches, *(item for item in links if not overlaps(patches, [item]))]

    @cached_property
    def _published(self) -> list[_Published]:
        """The published works of the list."""
        return [work for entry in self.document.entries if (work := self._published_form(entry))]

    def _published_form(self, entry: Entry) -> _Published | None:
        """Return how an entry shows that it was published.

        None without a venue, or if the venue is a preprint server.
        """
        text = entry.fields.venue
        if text is None or venue_span(self.document.text, entry) is None or is_server(text):
            return None
        linked = [part.link for part in entry.anatomy.parts if part.role == "venue"]
        links = tuple(filter(_leads_to_publication, entry.anatomy.links))
        is_linked = any(parse_arxiv_id(link.url) for link in entry.anatomy.links)
        return _Published(entry, *parsed_venue(text), links, is_linked, any(linked[:1]))

    def _alike(self, entry: Entry) -> list[_Published]:
        """Return the published works to imitate: of the same table or section, or else of its
        shape."""
        if entry.group not in self._grouped:
            shaped = [work for work in self._published if work.entry.shape == entry.shape]
            near = [work for work in shaped if work.entry.group == entry.group]
            self._grouped[entry.group] = near if len(near) >= _LEAST else shaped
        return self._grouped[entry.group]

    def _venue(self, entry: Entry, alike: list[_Published], edit: SetVenue) -> str:
        """Return the venue and year in the style of other entries, or of the entry's old venue."""
        called = Counter(work.name for work in alike if work.name)
        elsewhere = Counter(work.name for work in self._published if work.name).most_common()
        name = venue_name(edit.venue or "", called, [work for work, _ in elsewhere])
        form = parsed_venue(entry.fields.venue)[1] if entry.fields.venue else _USUAL
        if form or not self._year_behind(entry):
            form = most_common([work.form for work in alike]) or "" if alike else form
        year = edit.year
        if year is None and edit.venue:  # The year is part of the venue's text.
            year = venue_year(edit.venue)
            form = form or parsed_venue(edit.venue)[1]
        return add_year(name, form, year) if year and form else name

    def _year_behind(self, entry: Entry) -> Span | None:
        """Return the span of a separate year right after a venue: ``arXiv preprint. (2019)``."""
        text, span = self.document.text, venue_span(self.document.text, entry)
        end = _end_of_number(text, span[1]) if span else len(text)
        dates = (part.span for part in entry.anatomy.parts if part.role == "date")
        behind = next((date for date in dates if date[0] >= end), None)
        if behind is None or _WORDS.search(text[end : behind[0]]):
            return None
        return behind if YEAR.fullmatch(text[slice(*behind)]) else None

    def _link_publication(self, entry: Entry, alike: list[_Published], url: str) -> list[Patch]:
        """Return the patches that link to the publication, as most published works do.

        The link replaces the preprint's link or is added beside it. Empty if the list does not show
        which.
        """
        links = entry.anatomy.links
        preprint = next((link for link in links if parse_arxiv_id(link.url)), None)
        if preprint is None or any(map(_leads_to_publication, links)):
            return []
        both = [work for work in alike if work.links and work.is_preprint_linked]
        instead = [work for work in alike if work.links and not work.is_preprint_linked]
        if _are_most(both, alike):
            column = most_common([work.links[0].column for work in both])
            if column is None or not fields.is_empty_cell(self.document, entry, column):
                return self._beside(entry, url, _shared_label(both) or "Paper")
            link = Link("paper", url, _shared_label(both))
            samples = [(work.entry, work.links[0]) for work in both]
            markup, more, _ = self._written(entry, link, samples)
            return [*fields.set_cell(self.document, entry, column, markup), *more]
        if not _are_most(instead, alike):
            return []
        patches = self._retargeted(entry, preprint.url, Link("paper", url))
        if not is_server(preprint.label) or entry.anatomy.is_title(preprint):
            return patches
        # Replace a label that names the preprint server, by the usual label for publications.
        is_label = any(work.is_label for work in instead)
        label = _shared_label(instead) or (preprint.label if is_label else None)
        if label is None:
            return patches
        label_patch = Patch(preprint.label_span, light_escape(label, entry.shape))
        return [*(work for work in patches if not overlaps([label_patch], [work])), label_patch]


def _label_at_end(text: str) -> re.Match[str] | None:
    """Match the word for a role, at the end of a text, that labels the link after it."""
    labelled = LABELLED.search(text, max(len(text) - _LONGEST_END, 0))
    return labelled if labelled and role_word(labelled["word"]) else None


def _refuse_in_sentence(link: PlacedLink, before: str, after: str) -> None:
    """Raise NoPlaceError if a link is part of a sentence."""
    word = _LAST_WORD.search(before)
    is_label = word is None or role_word(link.label) or role_word(word["word"])
    if not is_label and after.strip(" .,;"):
        raise NoPlaceError("The link is part of a sentence, which would be broken without it.")


def _line_of(document: Document, span: Span) -> Span:
    """Return the span of the line that contains a span, without its line end."""
    return document.line_span(document.line_of(span[0]) - 1)


def _has_own_line(document: Document, link: PlacedLink) -> bool:
    """Return whether a link is alone in a nested item, perhaps with a label."""
    start, end = _line_of(document, link.span)
    before = document.text[start : link.span[0]]
    marker = MARKER.match(before)
    if marker is None or document.text[link.span[1] : end].strip():
        return False
    word = before[marker.end() :].strip(" *:：")
    return not word or role_word(word) is not None


_NUMBER_BEHIND = re.compile(
    r"(?: arXiv)?:? ?(?:abs/)?[0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?(?: ?\[[\w.-]+\])?"
)
_WORDS = re.compile(r"[^\W_]|\|")
"""Text between a venue and a year that is unrelated: other words, or another cell."""
_USUAL = " %Y"
"""The format of a year after a venue if no other entry shows one."""
_LEAST = 2
"""How many entries must show how publications are linked."""


@dataclass(frozen=True, slots=True)
class _Published:
    """How a published work of the list writes its venue, and what it links to."""

    entry: Entry
    name: str | None
    """The venue without the year; None if other text follows."""
    form: str
    """The year and its separator: `` %Y`` after the name, ``%Y-|`` before it."""
    links: tuple[PlacedLink, ...]
    """The links to the publication."""
    is_preprint_linked: bool
    is_label: bool
    """Whether the venue is the label of a link."""


def venue_span(text: str, entry: Entry) -> Span | None:
    """Return the span of an entry's venue, in its own text or below.

    None if it has none, or if the text of the venue occurs twice.
    """
    for part in entry.anatomy.parts:
        if part.role == "venue":
            return part.span
    venue, start, end = entry.fields.venue, entry.anatomy.body[1], entry.span[1]
    if not venue or entry.shape == "row" or text.count(venue, start, end) != 1:
        return None
    at = text.index(venue, start, end)
    is_linked = any(link.span[0] < at < link.span[1] for link in entry.anatomy.links)
    return None if is_linked else (at, at + len(venue))


def _end_of_number(text: str, end: int) -> int:
    """Return where a preprint venue ends, including its number: ``arXiv:2401.00001``."""
    number = _NUMBER_BEHIND.match(text, end)
    return number.end() if number else end


def _are_most(some: list[_Published], alike: list[_Published], least: int = _LEAST) -> bool:
    """Return whether some of the works to imitate are the majority, and at least ``least``."""
    return len(some) >= least and len(some) * 2 > len(alike)


def _leads_to_publication(link: PlacedLink) -> bool:
    """Return whether a link leads to a publication, by its role and address."""
    is_strong = link.role == "paper" or strong_identifier(link.url) is not None
    return link.role in ("paper", "pdf") and is_strong and not parse_arxiv_id(link.url)


def _preprint_label(entry: Entry) -> PlacedLink | None:
    """Return the link whose label names a preprint server, with or without a year, or None."""
    links = (link for link in entry.anatomy.links if not entry.anatomy.is_title(link))
    return next((link for link in links if not link.is_badge and is_server(link.label)), None)


def _shared_label(several: list[_Published]) -> str | None:
    """Return the label that several links to publications share, or None."""
    firsts = [(work.entry.anatomy, work.links[0]) for work in several]
    labels = Counter(
        link.label for anatomy, link in firsts if not (anatomy.is_title(link) or link.is_badge)
    )
    label, count = next(iter(labels.most_common(1)), ("", 0))
    return label if count >= _LEAST else None

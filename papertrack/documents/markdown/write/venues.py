"""Where a work was published, written as its list writes it of others: name, year and link.

A row or item of a preprint, which says *arXiv 2024* or nothing, becomes one of a published work.
How those are written, and whether they link the publisher, the preprint or both, others show.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from papertrack.documents.markdown.model import Document, Entry, Group, PlacedLink
from papertrack.documents.markdown.roles import strong_identifier
from papertrack.documents.markdown.values import Span
from papertrack.documents.markdown.write import fields
from papertrack.documents.markdown.write.edit_types import (
    NoPlaceError,
    Patch,
    SetLink,
    SetVenue,
    no_place,
    overlaps,
)
from papertrack.documents.markdown.write.facts import venue_name
from papertrack.documents.markdown.write.links import Links
from papertrack.documents.markdown.write.markup import light_escape
from papertrack.identifiers import parse_arxiv_id
from papertrack.publication.venue_names import YEAR, dated, parsed_venue, venue_year
from papertrack.publication.venues import is_server
from papertrack.records import Link

_Value = TypeVar("_Value", bound=Hashable)
_NUMBER_BEHIND = re.compile(
    r"(?: arXiv)?:? ?(?:abs/)?[0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?(?: ?\[[\w.-]+\])?"
)
_WORDS = re.compile(r"[^\W_]|\|")
"""What parts a venue from a year elsewhere: other words, or another cell."""
_USUAL = " %Y"
"""How a year stands behind a venue where no other entry shows it."""
_LEAST = 2
"""Entries that show how published works are linked."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A published work of the list: how it says where it appeared, and what it links."""

    entry: Entry
    name: str | None
    """Without the year; None where more is said behind that."""
    form: str
    """What the year is and what stands between: `` %Y`` behind the name, ``%Y-|`` before it."""
    links: tuple[PlacedLink, ...]
    """Those to the published work."""
    is_preprint_linked: bool
    is_label: bool
    """Whether the venue is the label of a link."""


class Venues:
    """How one document says where works were published."""

    def __init__(self, document: Document, links: Links) -> None:
        self.document = document
        self.links = links
        self._grouped: dict[Group, list[_Said]] = {}

    def patches(self, entry: Entry, edit: SetVenue) -> list[Patch]:
        """Return the patches that say it. Raises NoPlaceError where the entry has no place for
        it, and for a venue that is taken away: what stood there before is not known."""
        if edit.venue is None:
            raise NoPlaceError("What stood in the place of the venue before is not known.")
        alike = self._alike(entry)
        if venue_span(self.document.text, entry) is None and _are_beside(alike) and edit.url:
            return self._linked_beside(entry, edit.url, self._written(entry, alike, edit))
        patches = self._venue_patches(entry, alike, edit)
        links = self._link_patches(entry, alike, edit.url) if edit.url else []
        return [*patches, *(one for one in links if not overlaps(patches, [one]))]

    @cached_property
    def _published(self) -> list[_Said]:
        """What the entries of published works say."""
        return [said for entry in self.document.entries if (said := self._said(entry))]

    def _said(self, entry: Entry) -> _Said | None:
        text, span = entry.fields.venue, venue_span(self.document.text, entry)
        if text is None or span is None or is_server(text):
            return None
        linked = [part.link for part in entry.anatomy.parts if part.role == "venue"]
        links = tuple(filter(_is_publishers, entry.anatomy.links))
        is_linked = any(parse_arxiv_id(link.url) for link in entry.anatomy.links)
        return _Said(entry, *parsed_venue(text), links, is_linked, any(linked[:1]))

    def _alike(self, entry: Entry) -> list[_Said]:
        """Those that an entry is to be like: of its table or section, else of its shape."""
        if entry.group not in self._grouped:
            shaped = [one for one in self._published if one.entry.shape == entry.shape]
            near = [one for one in shaped if one.entry.group == entry.group]
            self._grouped[entry.group] = near if len(near) >= _LEAST else shaped
        return self._grouped[entry.group]

    def _written(self, entry: Entry, alike: list[_Said], edit: SetVenue) -> str:
        """Return the venue with its year as others are written, else as the entry's own was."""
        name = venue_name(edit.venue or "", Counter(_names_in(alike)), self._names)
        form, year = self._form(entry, alike), edit.year
        if year is None and edit.venue:  # It is known as the venue itself says it.
            year = venue_year(edit.venue)
            form = form or parsed_venue(edit.venue)[1]
        return dated(name, form, year) if year and form else name

    def _form(self, entry: Entry, alike: list[_Said]) -> str:
        """Return how the year stands beside a venue; empty where it does not, or stands apart."""
        own = parsed_venue(entry.fields.venue)[1] if entry.fields.venue else _USUAL
        if not own and self._year_behind(entry):
            return ""
        return _usual(one.form for one in alike) if alike else own

    @cached_property
    def _names(self) -> list[str]:
        """What venues are called in all of the document, the most usual first."""
        return [name for name, _ in Counter(_names_in(self._published)).most_common()]

    def _venue_patches(self, entry: Entry, alike: list[_Said], edit: SetVenue) -> list[Patch]:
        name = self._written(entry, alike, edit)
        text = light_escape(name, entry.shape)
        span = venue_span(self.document.text, entry)
        if span is None and _are_most([one for one in alike if one.is_label], alike, least=1):
            label = _preprint_label(entry)  # *arXiv 2024*, where others have their venues.
            span = label.label_span if label else None
        if span is not None:
            behind = None if YEAR.search(name) else self._year_behind(entry)
            year = [Patch(behind, str(edit.year))] if behind and edit.year else []
            return [Patch(self._with_number(span), text), *year]
        if entry.shape != "row" or self.document.table_of(entry).column_of("venue") is None:
            raise NoPlaceError(no_place(entry, "venue"))
        return fields.set_value(self.document, entry, "venue", None, text)

    def _with_number(self, span: Span) -> Span:
        """Return where a preprint's place stands with its number there: ``arXiv:2401.00001``."""
        number = _NUMBER_BEHIND.match(self.document.text, span[1])
        return (span[0], number.end()) if number else span

    def _year_behind(self, entry: Entry) -> Span | None:
        """Return where a year stands apart right behind a venue: ``arXiv preprint. (2019)``."""
        text, span = self.document.text, venue_span(self.document.text, entry)
        end = self._with_number(span)[1] if span else len(text)
        dates = (part.span for part in entry.anatomy.parts if part.role == "date")
        behind = next((date for date in dates if date[0] >= end), None)
        if behind is None or _WORDS.search(text[end : behind[0]]):
            return None
        return behind if YEAR.fullmatch(text[slice(*behind)]) else None

    def _link_patches(self, entry: Entry, alike: list[_Said], url: str) -> list[Patch]:
        """Return the patches that lead the preprint's link to the published work, or put one to
        that beside it, as most of the others are linked; none where nothing shows which."""
        links = entry.anatomy.links
        preprint = next((link for link in links if parse_arxiv_id(link.url)), None)
        if preprint is None or any(map(_is_publishers, links)):
            return []
        linked = [one for one in alike if one.links]
        both = [one for one in linked if one.is_preprint_linked]
        instead = [one for one in linked if not one.is_preprint_linked]
        if _are_most(both, alike):
            return self._beside(entry, both, url)
        return self._instead(entry, preprint, instead, url) if _are_most(instead, alike) else []

    def _instead(
        self, entry: Entry, preprint: PlacedLink, others: list[_Said], url: str
    ) -> list[Patch]:
        """Return the patches that lead the preprint's link to the published work. One that names
        the preprint's server gets the others' label; without any it stays what it is."""
        edit = SetLink(entry.index, "paper", url, None, preprint.url)
        patches = self.links.patches(entry, edit)
        if not is_server(preprint.label) or entry.anatomy.is_title(preprint):
            return patches
        label = _shared_label(others)
        if label is None and any(one.is_label for one in others):
            label = preprint.label  # The venue takes its place.
        if label is None:
            return patches
        named = Patch(preprint.label_span, light_escape(label, entry.shape))
        return [*(one for one in patches if not overlaps([named], [one])), named]

    def _beside(self, entry: Entry, both: list[_Said], url: str) -> list[Patch]:
        """Return the patches that link the published work beside the preprint: in the column of
        others' such links, if that is one of their own."""
        column = _usual(one.links[0].column for one in both)
        if column is not None and fields.is_empty_cell(self.document, entry, column):
            link = Link("paper", url, _shared_label(both))
            samples = [(one.entry, one.links[0]) for one in both]
            markup, more, _ = self.links.written(entry, link, samples)
            return [*fields.set_cell(self.document, entry, column, markup), *more]
        return self._linked_beside(entry, url, _shared_label(both) or "Paper")

    def _linked_beside(self, entry: Entry, url: str, label: str) -> list[Patch]:
        edit = SetLink(entry.index, "paper", url, label, is_beside=True)
        return self.links.patches(entry, edit)


def venue_span(text: str, entry: Entry) -> Span | None:
    """Return where an entry says its venue, in its own lines or below them; None where it says
    none, or says the same twice."""
    parts = (part.span for part in entry.anatomy.parts if part.role == "venue")
    return next(parts, None) or _said_below(text, entry)


def _said_below(text: str, entry: Entry) -> Span | None:
    """Return where the lines below an entry's own say its venue."""
    venue, start, end = entry.fields.venue, entry.anatomy.own[1], entry.span[1]
    if not venue or entry.shape == "row" or text.count(venue, start, end) != 1:
        return None
    at = text.index(venue, start, end)
    is_linked = any(link.span[0] < at < link.span[1] for link in entry.anatomy.links)
    return None if is_linked else (at, at + len(venue))


def _names_in(several: Iterable[_Said]) -> list[str]:
    return [one.name for one in several if one.name]


def _usual(values: Iterable[_Value]) -> _Value:
    """Return the most frequent of some values, of which there is one at least."""
    return Counter(values).most_common(1)[0][0]


def _are_most(some: list[_Said], alike: list[_Said], least: int = _LEAST) -> bool:
    return len(some) >= least and len(some) * 2 > len(alike)


def _are_beside(alike: list[_Said]) -> bool:
    """Whether most say their venues as labels of links, beside one to the preprint."""
    return _are_most([one for one in alike if one.is_label and one.is_preprint_linked], alike, 1)


def _is_publishers(link: PlacedLink) -> bool:
    """Whether a link leads to a published work, as far as its address tells."""
    if link.role not in ("paper", "pdf") or parse_arxiv_id(link.url):
        return False
    return strong_identifier(link.url) is not None or link.role == "paper"


def _preprint_label(entry: Entry) -> PlacedLink | None:
    """Return the link to the preprint that is called after its server and its year."""
    links = (link for link in entry.anatomy.links if not entry.anatomy.is_title(link))
    return next((link for link in links if not link.is_badge and is_server(link.label)), None)


def _shared_label(several: list[_Said]) -> str | None:
    """Return what several links to published works are called; None where each has its own name."""
    labels = Counter(
        one.links[0].label
        for one in several
        if not one.entry.anatomy.is_title(one.links[0]) and not one.links[0].is_badge
    )
    label, count = next(iter(labels.most_common(1)), ("", 0))
    return label if count >= _LEAST else None

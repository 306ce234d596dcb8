"""Decide which work an entry is about, and build the entry.

An entry may contain the identifiers of several works. Those of its own work are, in this order: the
one of the title's link; those in a paper column, or of links that are labelled as a paper's
(``[[pdf]]``, an arXiv id); and, if the title is no link, the first one in its text. The other
identifiers belong to related works.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from papertrack.documents.markdown.grammar.likeness import words_of
from papertrack.documents.markdown.model import Anatomy, Entry, Field, Part, PlacedLink, Shape, Unit
from papertrack.documents.markdown.read.bare_identifiers import written_ids
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.roles import (
    STRONG_SCHEMES,
    host_role,
    is_local_pdf,
    is_web,
    role_word,
    strong_identifier,
)
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.values import Span, holds
from papertrack.identifiers import identify, parse_arxiv_id
from papertrack.records import Identifier, Kind, Link, LinkRole
from papertrack.text import title_key


def make_entry(
    context: Context, unit: Unit, *, shape: Shape, span: Span, detail_spans: Sequence[Span] = ()
) -> Entry:
    """Build an entry from its unit and from the links in its details."""
    text, title = context.text, unit.anatomy.title
    links = [*unit.links, *(link for part in detail_spans for link in context.links_in(part))]
    name = plain(text[slice(*title)]) if title else ""
    evidence = EntryEvidence(
        name or next((link.label for link in links), ""),
        unit.title_link,
        links,
        written_ids(text, span, links),
        is_paper=bool(unit.fields.authors or unit.fields.venue),
    )
    return entry_from_evidence(context, unit, evidence, shape=shape, span=span)


def entry_from_evidence(
    context: Context,
    unit: Unit,
    evidence: EntryEvidence,
    *,
    shape: Shape,
    span: Span,
    places: frozenset[Field] = frozenset(),
) -> Entry:
    """Build an entry from its unit and the evidence about its work. ``places`` are for rows."""
    identifiers, related = evidence.identifiers()
    kind = "paper" if evidence.is_paper else evidence.kind(identifiers)
    links = evidence.links_of(kind)
    title = evidence.name
    return Entry(
        span=span,
        line=context.line_of(span[0]),
        shape=shape,
        fields=replace(
            unit.fields, title=title, kind=kind, links=plain_links(links), related=related
        ),
        identifiers=identifiers,
        key=base_key(identifiers, title, evidence.title.url if evidence.title else ""),
        places=places,
        anatomy=with_parts(unit.anatomy, links),
    )


@dataclass(frozen=True, slots=True)
class EntryEvidence:
    """The evidence about which work an entry names."""

    name: str
    """The title, without markup."""
    title: PlacedLink | None
    """The link whose label is the title."""
    links: Sequence[PlacedLink]
    written: Sequence[PlacedLink] = ()
    """Identifiers that are written outside of links, as links."""
    paper_columns: Sequence[int] = ()
    is_paper: bool = False
    """Whether other evidence, such as authors or a venue, shows that it is a paper."""
    is_blog_table: bool = False
    """Whether it is in a table with authors but without a paper column."""

    def identifiers(self) -> tuple[tuple[Identifier, ...], tuple[Identifier, ...]]:
        """Return the identifiers of the entry's own work, strongest first, and of related works."""
        links = (*self.links, *self.written)
        strong = [(link, name) for link in links if (name := strong_identifier(link.url))]
        kept = {name.scheme: name for name in reversed(self._own_identifiers(strong))}
        # Without an identifier of a work, the address of the main link is used.
        main = _main_link(self.title, links)
        if not kept and main and (place := identify(main.url)):
            kept[place.scheme] = place
        ranked = tuple(kept[scheme] for scheme in (*STRONG_SCHEMES, "url") if scheme in kept)
        return ranked, tuple(dict.fromkeys(name for _, name in strong if name not in ranked))

    def _own_identifiers(self, strong: Sequence[tuple[PlacedLink, Identifier]]) -> list[Identifier]:
        """Return the identifiers of the entry's own work, the most certain first."""
        chosen = [name for link, name in strong if link is self.title]
        chosen += [name for link, name in strong if self._is_paper_link(link)]
        if chosen or self.title is not None:
            return chosen
        links_first = sorted(strong, key=lambda pair: pair[0].form == "text")
        return [name for _, name in links_first[:1]]

    def _is_paper_link(self, link: PlacedLink) -> bool:
        """Return whether a link is labelled as that of the entry's paper."""
        if link.column in self.paper_columns:
            return True
        if link.form == "text":
            return False
        if role_word(link.label) in ("paper", "pdf") or link.label == link.url:
            return True
        is_badge = link.is_badge and "arxiv" in link.label.casefold()
        return is_badge or parse_arxiv_id(link.label) is not None

    def kind(self, identifiers: Sequence[Identifier]) -> Kind:
        """Return the kind of the entry, by its identifiers, then by its main link."""
        if any(identifier.scheme in STRONG_SCHEMES for identifier in identifiers):
            return "paper"
        others = [link for link in self.links if link is not self.title]
        if any(map(_is_of_paper, others)):
            return "paper"
        is_title = words_of(self.name) >= _WORDS_OF_TITLE
        if self.title and (
            self.title.form == "wiki" or (is_title and is_local_pdf(self.title.url))
        ):
            return "paper"
        main = _main_link(self.title, self.links)
        if main and (role := host_role(main.url)):
            return _KINDS.get(role, "resource")
        if main and main.role in ("code", "project"):
            return "project"
        return "post" if self.is_blog_table else "resource"

    def links_of(self, kind: Kind) -> tuple[PlacedLink, ...]:
        """Return the links, with the role of the title's link corrected.

        It gets the role of the work itself, such as ``code`` for a repository.
        """
        title = self.title
        if title is None or (title.role == "author" and title.column is not None):
            return tuple(self.links)
        role: LinkRole = "paper" if is_web(title.url) else "note"
        host = host_role(title.url)
        if kind == "project" and host in ("code", "project"):
            role = host
        return tuple(replace(link, role=role) if link is title else link for link in self.links)


def _is_of_paper(link: PlacedLink) -> bool:
    """Return whether a link is a paper's, by its label or by a label before a bare address."""
    is_labelled = link.role in ("paper", "pdf") and link.form == "bare"
    is_said = role_word(link.label) in ("paper", "pdf")
    return is_said or (is_labelled and host_role(link.url) is None)


_WORDS_OF_TITLE = 3
"""The fewest words of a paper's title.

Shorter labels may be of other files: ``[Homework 1](hw1.pdf)``.
"""
_KINDS: dict[LinkRole, Kind] = {"paper": "paper", "pdf": "paper", "code": "project", "post": "post"}
"""The kind of an entry by the role of its main link's host."""


def _main_link(title: PlacedLink | None, links: Sequence[PlacedLink]) -> PlacedLink | None:
    """Return the link to use for an entry without an identifier of a work, or None."""
    if title is not None and title.url:
        return title
    candidates = [link for link in links if is_web(link.url) and link.role != "author"]
    papers = [link for link in candidates if link.role in ("paper", "pdf")]
    return next(iter(papers or candidates), None)


def base_key(identifiers: Sequence[Identifier], title: str, url: str) -> str:
    """Return a key that stays the same while the entry names the same work."""
    if identifiers:
        return f"{identifiers[0].scheme}:{identifiers[0].value}"
    return f"title:{key}" if (key := title_key(title)) else f"path:{url}"


def plain_links(links: Sequence[PlacedLink]) -> tuple[Link, ...]:
    """Return links as records, each address once, with its first role and label."""
    by_url: dict[str, Link] = {}
    for link in links:
        if link.url:
            by_url.setdefault(link.url, Link(link.role, link.url, link.label or None))
    return tuple(by_url.values())


def with_parts(anatomy: Anatomy, links: Sequence[PlacedLink]) -> Anatomy:
    """Return an anatomy with these links, and with all fields and links among its parts.

    If two parts overlap, such as a title and its link, the first one in order of precedence is
    kept: fields, parts, links.
    """
    kept: list[Part] = []
    spans: list[Span] = []
    unnamed = (Part("link", link.span, link) for link in links if not anatomy.is_title(link))
    for part in (*_fields_of(anatomy, links), *anatomy.parts, *unnamed):
        start, end = part.span
        at = bisect(spans, part.span)
        is_behind = not at or spans[at - 1][1] <= start
        is_before = at == len(spans) or end <= spans[at][0]
        if is_behind and is_before and anatomy.body[0] <= start <= end <= anatomy.body[1]:
            kept.insert(at, part)
            spans.insert(at, part.span)
    return replace(anatomy, links=tuple(links), parts=tuple(kept))


def _fields_of(anatomy: Anatomy, links: Sequence[PlacedLink]) -> Iterator[Part]:
    """Yield the fields of an anatomy as parts."""
    if anatomy.title:
        yield Part("title", anatomy.title, next(filter(anatomy.is_title, links), None))
    venues = (part.span for part in anatomy.parts if part.role == "venue")
    date = anatomy.date  # In ``2019-ICML``, the date is part of the venue.
    if date and not any(holds(venue, date) for venue in venues):
        yield Part("date", date)
    if anatomy.mark:
        yield Part("mark", anatomy.mark.span)
    if anatomy.rating:
        yield Part("rating", anatomy.rating)

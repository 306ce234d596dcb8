"""What an entry names: its title, its own identifiers, its kind, its key; and the entry itself.

An entry may hold several identifiers of works. Its own are found in this order: the link that is
the title; links in a paper column, or whose label or badge says paper (``[[pdf]]``, an arXiv id);
then, when the title is no link, the first identifier of a work in its text. What is left are works
that it only mentions: they are kept as related.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from papertrack.documents.markdown.model import (
    Anatomy,
    Entry,
    EntryFields,
    Field,
    PlacedLink,
    Shape,
    Table,
    Unit,
)
from papertrack.documents.markdown.read.blocks import Context
from papertrack.documents.markdown.read.inline import plain
from papertrack.documents.markdown.roles import (
    STRONG_SCHEMES,
    host_role,
    is_web,
    links_in,
    role_word,
    strong_identifier,
)
from papertrack.documents.markdown.values import Span
from papertrack.identifiers import identify, parse_arxiv_id
from papertrack.records import Identifier, Kind, Link, LinkRole
from papertrack.text import title_key

_TEXT_ID = re.compile(
    r"(?<![\w/:.])(?:arXiv[: ]\s?|abs/)([0-9]{4}\.[0-9]{4,5}|[a-z-]{2,9}/[0-9]{7})(?![0-9])",
    re.IGNORECASE,
)


def make_entry(
    context: Context, unit: Unit, *, shape: Shape, span: Span, detail_spans: Sequence[Span] = ()
) -> Entry:
    """Return an entry from the parts of its own text and the links in its details."""
    text = context.text
    links = [*unit.links]
    for part in detail_spans:
        links += links_in(context, part)
    name = plain(text[slice(*unit.title)]) if unit.title else ""
    name = name or next((link.label for link in links), "")
    written = text_identifiers(text, span, links)
    is_paper = bool(unit.authors)
    naming = Naming(name, unit.title_link, links, written, is_paper=is_paper)
    return named_entry(context, unit, naming, shape=shape, span=span)


def named_entry(
    context: Context,
    unit: Unit,
    naming: Naming,
    *,
    shape: Shape,
    span: Span,
    passes: int | None = None,
    places: frozenset[Field] = frozenset(),
    table: Table | None = None,
    cells: tuple[Span, ...] = (),
) -> Entry:
    """Return an entry from what its text says and what names it; ``passes`` are those of an entry
    without a mark; places, table and cells are a row's."""
    named = naming.resolve()
    mark = unit.mark
    return Entry(
        index=-1,
        span=span,
        line=context.lines.number_of(span[0]) + 1,
        shape=shape,
        section=-1,
        category=(),
        fields=EntryFields(
            title=naming.name,
            kind=named.kind,
            passes=mark.passes if mark else passes,
            read_at=mark.read_at if mark else None,
            rating=unit.rating,
            date=unit.date,
            links=plain_links(named.links),
            tags=unit.tags,
            description=unit.description,
            authors=unit.authors,
            venue=unit.venue,
            related=named.related,
        ),
        identifiers=named.identifiers,
        key=named.key,
        places=places,
        anatomy=Anatomy(
            own=unit.span,
            title=unit.title,
            date=unit.date_span,
            mark=mark,
            rating=unit.rating_span,
            links=named.links,
            cells=cells,
            table=table.index if table else None,
        ),
    )


def text_identifiers(text: str, span: Span, links: Sequence[PlacedLink]) -> list[PlacedLink]:
    """Return arXiv ids that are written out, ``arXiv:1706.03762``, outside links, as links."""
    found = []
    for match in _TEXT_ID.finditer(text, *span):
        if any(link.span[0] <= match.start() < link.span[1] for link in links):
            continue
        where = match.span()
        url = f"https://arxiv.org/abs/{match[1]}"
        found.append(PlacedLink("paper", url, match.group(), where, where, where, "text"))
    return found


@dataclass(frozen=True, slots=True)
class Named:
    """What an entry names."""

    identifiers: tuple[Identifier, ...]
    """Its own, strongest first."""
    related: tuple[Identifier, ...]
    """Those that it only mentions."""
    kind: Kind
    key: str
    links: tuple[PlacedLink, ...]
    """Those given, the title's own with the role of the thing itself."""


@dataclass(frozen=True, slots=True)
class Naming:
    """What an entry is named by: its links, and which of them stands where."""

    name: str
    """Its title, plain."""
    title: PlacedLink | None
    """The link that is the title."""
    links: Sequence[PlacedLink]
    written: Sequence[PlacedLink] = ()
    """Identifiers that are written out, as links."""
    paper_columns: Sequence[int] = ()
    is_paper: bool = False
    """Whether something else says that it is a paper, as names of authors do."""
    is_blog_table: bool = False

    def resolve(self) -> Named:
        """Return what the entry names."""
        identifiers, related = self._identifiers()
        kind = "paper" if self.is_paper else self._kind(identifiers)
        url = self.title.url if self.title else ""
        key = base_key(identifiers, self.name, url)
        return Named(identifiers, related, kind, key, self._with_role(kind))

    def _identifiers(self) -> tuple[tuple[Identifier, ...], tuple[Identifier, ...]]:
        """Return (the entry's own identifiers strongest first, those it only mentions)."""
        links = (*self.links, *self.written)
        strong = [(link, found) for link in links if (found := strong_identifier(link.url))]
        kept: dict[str, Identifier] = {}
        for identifier in self._own(strong):
            kept.setdefault(identifier.scheme, identifier)
        if not kept and (place := self._place()):
            kept[place.scheme] = place
        ranked = sorted(kept.values(), key=_strength)
        mentioned = dict.fromkeys(found for _, found in strong if found not in ranked)
        return tuple(ranked), tuple(mentioned)

    def _own(self, strong: Sequence[tuple[PlacedLink, Identifier]]) -> list[Identifier]:
        """Return those of the identifiers of works that are the entry's, the surest first."""
        own = [found for link, found in strong if link is self.title]
        own += [found for link, found in strong if self._says_paper(link)]
        if own or self.title is not None:
            return own
        linked = [found for link, found in strong if link.form != "text"]
        return (linked or [found for _, found in strong])[:1]

    def _place(self) -> Identifier | None:
        """Return the address that stands for the entry when no identifier of a work does."""
        main = _main_link(self.title, (*self.links, *self.written))
        return identify(main.url) if main else None

    def _says_paper(self, link: PlacedLink) -> bool:
        if link.column is not None and link.column in self.paper_columns:
            return True
        if link.form == "text":
            return False
        if role_word(link.label) in ("paper", "pdf") or link.label == link.url:
            return True
        is_badge = link.is_badge and "arxiv" in link.label.casefold()
        return is_badge or parse_arxiv_id(link.label) is not None

    def _kind(self, identifiers: Sequence[Identifier]) -> Kind:
        """Return what the entry is, judged by its own identifiers, then by its main link."""
        if any(identifier.scheme in STRONG_SCHEMES for identifier in identifiers):
            return "paper"
        others = [link for link in self.links if link is not self.title]
        if any(role_word(link.label) in ("paper", "pdf") for link in others):
            return "paper"
        main = _main_link(self.title, self.links)
        role = host_role(main.url) if main else None
        if role is None:
            return self._kind_without_host(main)
        return _KINDS.get(role, "resource")

    def _kind_without_host(self, main: PlacedLink | None) -> Kind:
        """Return the kind of an entry whose main link leads to no known host."""
        if main is not None and main.role in ("code", "project"):
            return "project"
        return "post" if self.is_blog_table else "resource"

    def _with_role(self, kind: Kind) -> tuple[PlacedLink, ...]:
        title = self.title
        if title is None or (title.role == "author" and title.column is not None):
            return tuple(self.links)
        role = _titled_role(title, kind)
        return tuple(replace(link, role=role) if link is title else link for link in self.links)


_KINDS: dict[LinkRole, Kind] = {
    "paper": "paper",
    "pdf": "paper",
    "code": "project",
    "post": "post",
}
"""What a thing is by the role of the host of its main link."""


def _strength(identifier: Identifier) -> int:
    order = (*STRONG_SCHEMES, "url")
    return order.index(identifier.scheme)


def _main_link(title: PlacedLink | None, links: Sequence[PlacedLink]) -> PlacedLink | None:
    """Return the link that stands for the entry when no identifier of a work does."""
    if title is not None and title.url:
        return title
    candidates = [link for link in links if is_web(link.url)]
    papers = [link for link in candidates if link.role in ("paper", "pdf")]
    others = [link for link in candidates if link.role != "author"]
    return next(iter([*papers, *others]), None)


def _titled_role(title: PlacedLink, kind: Kind) -> LinkRole:
    """Return the role of the link that is the title: the thing itself, code for a repository."""
    host = host_role(title.url)
    if kind == "project" and host in ("code", "project"):
        return host
    return "paper" if is_web(title.url) else "note"


def base_key(identifiers: Sequence[Identifier], title: str, url: str) -> str:
    """Return what stays the same while an entry names the same thing."""
    if identifiers:
        return f"{identifiers[0].scheme}:{identifiers[0].value}"
    if key := title_key(title):
        return f"title:{key}"
    return f"path:{url}"


def plain_links(links: Sequence[PlacedLink]) -> tuple[Link, ...]:
    """Return links as records, each address once: the first stands."""
    found: dict[str, Link] = {}
    for link in links:
        if link.url:
            found.setdefault(link.url, Link(link.role, link.url, link.label or None))
    return tuple(found.values())

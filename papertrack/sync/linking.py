"""Link entries of documents to papers: find or add the paper, and complete it from the entry.

``Linker`` is the same for all formats. Which entries are which paper depends on what they say: rows
of lists have a title and links, so ``ListLinker`` compares these. Entries of .bib files have
authors, years and keys too, by which ``bibtex.linking`` finds their works.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Generic, TypeVar

from papertrack.identifiers.addresses import normalise_url
from papertrack.identifiers.derived import is_telling, telling_length
from papertrack.matching.judge import ADDRESS, Answer, Description, judge
from papertrack.records import Author, Identifier, Link, Paper, PaperFacts, Skipped
from papertrack.store import papers
from papertrack.store.categories import put_in_category
from papertrack.store.citekeys import Citekeys
from papertrack.store.documents import entry_titles, find_document, papers_in_file
from papertrack.store.known import NO_SOURCES
from papertrack.store.lookup import (
    citekey_of,
    field_sources,
    find_by_title,
    find_papers,
    get_paper,
    get_papers,
    papers_at,
    title_key_of,
)
from papertrack.store.records import is_shared
from papertrack.store.states import add_tags, decide, rate, set_passes
from papertrack.store.store import Store
from papertrack.sync.format import ImportNotes, Linked
from papertrack.sync.items import Category, Item, Resolver
from papertrack.sync.threeway import Conflict, Merged, Side
from papertrack.text import fold, shorten, title_key


@dataclass(eq=False)
class Work:
    """A work, and its entries in a document."""

    items: Sequence[Item] = ()
    paper_id: int | None = None
    """Its paper; None until the library has one."""
    identifiers: Sequence[Identifier] = ()
    """Those of its entries' identifiers that its paper may have."""

    @property
    def paper(self) -> int:
        """Return the id of its paper, which must be known."""
        assert self.paper_id is not None
        return self.paper_id


_Work = TypeVar("_Work", bound=Work)


@dataclass
class Linker(ABC, Generic[_Work]):
    """Links the items of a document to papers. The format finds the works that they are about."""

    store: Store
    source: str
    """The source recorded for fields from the items."""
    notes: ImportNotes
    sections: Collection[Category] = ()
    is_of_others: bool = False
    """Whether other devices imported the document, and this one reads it for the first time."""

    def __post_init__(self) -> None:
        self.keys = Citekeys(self.store)

    @abstractmethod
    def works(self, items: Sequence[Item], resolver: Resolver) -> Iterator[_Work]:
        """Yield the works of the items, each after the papers of those before it are written."""

    def link(self, items: Sequence[Item], resolver: Resolver) -> list[Linked]:
        """Find or add each item's paper, and fill in what the paper lacks."""
        linked: dict[int, Linked] = {}
        for work in self.works(items, resolver):
            before = None
            if work.paper_id is None:
                first, *others = work.items
                facts = joined_facts(first.facts, [item.facts for item in others])
                work.paper_id = self.add(work, facts._replace(identifiers=tuple(work.identifiers)))
            else:
                before = get_paper(self.store, work.paper_id)
                self.complete(work, before)
            self._add_marks(work, before)
            self._add_places(work, before)
            linked |= {item.number: Linked(work.paper_id, before) for item in work.items}
        return [linked[item.number] for item in items]

    def add(self, work: _Work, facts: PaperFacts) -> int:
        """Add a paper with these facts; return its id."""
        return papers.add_paper(self.store, facts, source=self.source, keys=self.keys)

    def complete(self, work: _Work, paper: Paper) -> None:
        """Fill in what the library's paper lacks, and save it if it is in the inbox.

        Fields that the user edited stay. A file that is new only to this device saves nothing.
        """
        facts = joined_facts(paper.facts, [item.facts for item in work.items])
        owners = field_sources(self.store, paper.id)
        for name in papers.FIELDS:
            value = getattr(facts, name)
            if value != getattr(paper.facts, name) and owners.get(name) != papers.READER:
                papers.edit_paper(self.store, paper.id, name, value, source=self.source)
        papers.add_identifiers(self.store, paper.id, work.identifiers)
        papers.add_links(self.store, paper.id, facts.links)
        if paper.decision == "inbox" and not self.is_of_others:
            decide(self.store, paper.id, "saved")

    def _add_marks(self, work: _Work, before: Paper | None) -> None:
        """Give a paper its entries' reading marks: more passes, a first rating, and tags.

        ``before`` is the paper before the import; None if it is new.
        """
        passes, rating = (before.passes_done, before.rating) if before else (0, None)
        for item in work.items:
            values = item.values
            if (values.get("passes") or 0) > passes:
                passes = values["passes"]
                set_passes(self.store, work.paper, passes, at=item.read_at)
            if rating is None and values.get("rating"):
                rating = values["rating"]
                rate(self.store, work.paper, rating)
            add_tags(self.store, [work.paper], values.get("tags", ()))

    def _add_places(self, work: _Work, before: Paper | None) -> None:
        """Give a paper its entries' notes and categories."""
        for item in work.items:
            for note in item.values.get("note", ()):
                if "://" not in note:
                    papers.add_note(self.store, work.paper, note)
            if before is None or not self.is_elsewhere(before):
                for path in item.categories:
                    put_in_category(self.store, [work.paper], path)

    def is_elsewhere(self, paper: Paper) -> bool:
        """Return whether a known paper keeps its categories when a row of it is linked.

        In a shared library, its record says where it is, and the list has no section for that. So
        others left the row where it was, and git may have brought it back after a removal here.
        """
        if not self.sections or not {*paper.categories}.isdisjoint(self.sections):
            return False
        return self.is_of_others or bool(paper.categories and is_shared(self.store))


_PUBLISHED = ("venue", "year", "published_type", "publication")
"""The fields of a publication: together they replace those of the preprint."""


def joined_facts(facts: PaperFacts, entries: Iterable[PaperFacts]) -> PaperFacts:
    """Complete the facts from the entries in turn; a preprint takes over its publication.

    Identifiers stay as they are: who owns those of the entries is decided elsewhere.
    """
    for entry in entries:
        urls = {(link.role, link.url) for link in facts.links}
        links = (link for link in entry.links if (link.role, link.url) not in urls)
        facts = facts._replace(links=(*facts.links, *links), **_news(facts, entry))
    return facts


def _news(first: PaperFacts, second: PaperFacts) -> dict[str, Any]:
    """Return the fields of the first that the second completes or renews."""
    changes: dict[str, Any] = {}
    has_venue = (first.venue, second.venue) != (None, None)
    for name in papers.FIELDS:
        value, other = getattr(first, name), getattr(second, name)
        is_open = first.venue is None if name in _PUBLISHED and has_venue else value in (None, ())
        if name == "authors" and value and other:
            changes[name] = with_families(value, other)
        elif other not in (None, ()) and is_open:
            changes[name] = other
    return changes


def with_families(authors: Sequence[Author], others: Sequence[Author]) -> tuple[Author, ...]:
    """Return the authors, with the family names that the others show for them.

    arXiv and READMEs have names as printed, of which ``text.split_name`` cannot see that the last
    two words are the family name; a .bib file may show it.
    """
    if len(authors) != len(others):
        return tuple(authors)
    return tuple(
        author if author.family else author._replace(family=_end_of(author.name, full.family or ""))
        for author, full in zip(authors, others, strict=True)
    )


def _end_of(name: str, family: str) -> str | None:
    """Return the end of the name that spells this family name, ignoring accents and hyphens."""
    words = name.split(" ")
    ends = (" ".join(words[place:]) for place in range(len(words)))
    return next((end for end in ends if fold(end) == fold(family)), None)


_WORDS = 3
"""The fewest words that a title needs to be compared."""


def owners_of(
    store: Store, identifiers: Sequence[Identifier], title: str | None
) -> dict[Identifier, int]:
    """Return the papers that have these identifiers; for a URL, the title must match too."""
    return {
        identifier: paper_id
        for identifier, paper_id in find_papers(store, identifiers).items()
        if identifier.scheme != ADDRESS or may_have_title(store, paper_id, title)
    }


def may_have_title(store: Store, paper_id: int, title: str | None) -> bool:
    """Return whether a paper may have this title.

    It may if the library or a document has it, or if either title is missing.
    """
    key, paper_key = title_key(title or ""), title_key_of(store, paper_id)
    if not key or not paper_key or paper_key == key:
        return True
    return key in map(title_key, entry_titles(store, paper_id))


class SharedAddresses:
    """The URLs that several works share: links of their papers, but no identifiers.

    These are the URLs of ``items`` that papers without identifiers link to.
    """

    def __init__(self, store: Store, items: Sequence[Item]) -> None:
        self.store = store
        self.items = items

    @cached_property
    def found(self) -> dict[Identifier, dict[str, int]]:
        """The papers by URL, then by the key of their title; finding them reads all links."""
        found: dict[Identifier, dict[str, int]] = {}
        identifiers = chain.from_iterable(item.identifiers for item in self.items)
        addresses = dict.fromkeys(i.value for i in identifiers if i.scheme == ADDRESS)
        for paper_id, url, key in papers_at(self.store, list(addresses)):
            if normal := normalise_url(url):
                found.setdefault(Identifier(ADDRESS, normal), {})[key] = paper_id
        return found

    def find(self, identifiers: Sequence[Identifier], title: str | None) -> int | None:
        """Return the paper with this title that has one of these shared URLs."""
        at = (self.found.get(i, {}).get(title_key(title or "")) for i in identifiers)
        return next((paper_id for paper_id in at if paper_id is not None), None)

    def usable(
        self, identifiers: Sequence[Identifier], paper_id: int | None, title: str | None
    ) -> tuple[Identifier, ...]:
        """Return the identifiers that a paper with this title may have.

        ``paper_id`` is None for a new paper. If a paper with another title has one of the URLs, the
        URL becomes a mere link of both papers.
        """
        owners = find_papers(self.store, identifiers)
        for identifier, owner in owners.items():
            is_named = identifier.scheme != ADDRESS or may_have_title(self.store, owner, title)
            if owner != paper_id and not is_named:
                self._part(identifier, owner)
        own_title = {title_key(title or "")}
        return tuple(
            i
            for i in identifiers
            if owners.get(i, paper_id) == paper_id and self.found.get(i, {}).keys() <= own_title
        )

    def note(self, identifiers: Sequence[Identifier], title: str | None, paper_id: int) -> None:
        """Record that the paper with this title has those of these URLs that are shared."""
        for identifier in self.found.keys() & {*identifiers}:
            self.found[identifier].setdefault(title_key(title or ""), paper_id)

    def forget(self, url: str, paper_id: int) -> None:
        """Record that a paper no longer links to a URL."""
        identifier = Identifier(ADDRESS, normalise_url(url) or "")
        owners = self.found.get(identifier, {})
        self.found[identifier] = {key: n for key, n in owners.items() if n != paper_id}

    def _part(self, identifier: Identifier, owner: int) -> None:
        """Turn a paper's URL from an identifier into a mere link."""
        facts = get_paper(self.store, owner).facts
        if not any(normalise_url(link.url) == identifier.value for link in facts.links):
            papers.add_links(self.store, owner, [Link("paper", identifier.value)])
        papers.remove_identifiers(self.store, owner, [identifier])
        self.found.setdefault(identifier, {})[title_key(facts.title or "")] = owner


def is_pasted(store: Store, identifier: Identifier, owner: int, title: str | None) -> bool:
    """Return whether an entry has an identifier of ``owner`` by mistake.

    That is assumed if the entry's title clearly names another work than all titles of the paper.
    """
    if identifier.scheme == ADDRESS or may_have_title(store, owner, title):
        return False
    titles = [get_paper(store, owner).facts.title, *entry_titles(store, owner)]
    return all(_are_two_works(identifier, title or "", t) for t in titles if t)


def _are_two_works(identifier: Identifier, left: str, right: str) -> bool:
    """Return whether two titles with one identifier name two works.

    A short title, or a name before a colon, may stand for the whole title.
    """
    if min(len(left.split()), len(right.split())) < _WORDS:
        return False
    names = _names_within(left, right), _names_within(right, left)
    if True in names:
        return False
    pair = (Description(PaperFacts(title, identifiers=(identifier,))) for title in (left, right))
    return names == (False, False) or judge(*pair).answer is not Answer.SAME


def _names_within(title: str, other: str) -> bool | None:
    """Return whether ``other`` contains the title's name before a colon; None without a name."""
    name, colon, _ = title.partition(":")
    words = fold(name).split()
    if not colon or not 0 < len(words) < _WORDS:
        return None
    return f" {' '.join(words)} " in f" {' '.join(fold(other).replace(':', ' ').split())} "


def settle_corrections(
    store: Store, resolver: Resolver | None, paper: Paper, items: Sequence[Item], merged: Merged
) -> None:
    """Treat a changed identifier as a conflict if a source has confirmed the old one.

    Otherwise the new identifier is a correction, and ``merged`` is left as it is. Without a
    ``resolver``, the confirmed identifier stays.
    """
    removed = dict(merged.removed.get("identifiers", ()))
    added = dict(merged.added.get("identifiers", ()))
    schemes = sorted(removed.keys() & added.keys() - {ADDRESS})
    for scheme in schemes if _is_confirmed(store, paper, items[0].title) else ():
        values = removed[scheme], added[scheme], removed[scheme]
        side: Side | None = "library"
        if resolver is not None:
            side = resolver.ask(items[0].line, paper.citekey, scheme, *values)
        if side != "file":  # The library's value stays.
            for changes in (merged.removed, merged.added):
                pairs = changes.get("identifiers", ())
                changes["identifiers"] = tuple(pair for pair in pairs if pair[0] != scheme)
        if side is None:
            merged.open.add("identifiers")


def _is_confirmed(store: Store, paper: Paper, title: str | None) -> bool:
    """Return whether a source has completed the paper, and its title has not changed."""
    is_titled = title_key(paper.facts.title or "") == title_key(title or "")
    return is_titled and not {*field_sources(store, paper.id).values()} <= {*NO_SOURCES}


UNMISTAKABLE = 25
"""The number of letters from which a title identifies a work even if kinds differ."""

_MANY = 50
"""The number of papers with one title from which the title identifies none of them."""


class ListLinker(Linker[Work]):
    """Links the rows of a list, one after another, by identifiers or else by title.

    Rows seldom name authors. So an equal title is enough if nothing contradicts it, and an
    identifier counts unless the titles clearly name two works.
    """

    def works(self, items: Sequence[Item], resolver: Resolver) -> Iterator[Work]:
        shared = SharedAddresses(self.store, items)
        linked: set[int] = set()
        for item in items:
            owners, pasted = self._owners(item)
            paper_id = next(iter(owners.values()), None)
            paper_id = paper_id or shared.find(item.identifiers, item.title)
            usable = shared.usable(item.identifiers, paper_id, item.title)
            paper_id = paper_id or self._find_by_title(item, usable, resolver.document, linked)
            work = Work([item], paper_id, usable)
            yield work
            linked.add(work.paper)
            shared.note(item.identifiers, item.title, work.paper)
            self._report(item, work.paper, owners, pasted, resolver)

    def owner(self, item: Item) -> int | None:
        """Return the paper that has the item's strongest known identifier."""
        return next(iter(self._owners(item)[0].values()), None)

    def _owners(self, item: Item) -> tuple[dict[Identifier, int], dict[Identifier, int]]:
        """Return the papers that have the item's identifiers, and those of pasted ones."""
        owners = owners_of(self.store, item.identifiers, item.title)
        pasted = {
            identifier: paper_id
            for identifier, paper_id in owners.items()
            if is_pasted(self.store, identifier, paper_id, item.title)
        }
        return {i: owner for i, owner in owners.items() if i not in pasted}, pasted

    def _report(
        self,
        item: Item,
        paper_id: int,
        owners: Mapping[Identifier, int],
        pasted: Mapping[Identifier, int],
        resolver: Resolver,
    ) -> None:
        """Report an item's identifiers of other papers: pasted ones, and those in conflict."""
        for identifier in [i for i, owner in pasted.items() if owner != paper_id]:
            line = next(other.line for other in resolver.items if identifier in other.identifiers)
            owner_key = citekey_of(self.store, pasted[identifier])
            where = f"line {line}" if line < item.line else owner_key
            reason = (
                f"It has the {identifier.scheme} identifier of {where}, but another title: it "
                "became a separate paper without that identifier. Was it pasted by mistake?"
            )
            self.notes.notices.append(Skipped(item.line, reason, shorten(item.text)))
        if len(set(owners.values())) > 1:  # The strongest identifier decided.
            keys = [citekey_of(self.store, owner) for owner in dict.fromkeys(owners.values())]
            details = ("identifiers", None, [f"{i.scheme}:{i.value}" for i in owners], keys)
            resolver.conflicts.append(Conflict(resolver.document, item.line, keys[0], *details))

    def complete(self, work: Work, paper: Paper) -> None:
        if work.identifiers and not paper.facts.identifiers:
            papers.set_kind(self.store, paper.id, work.items[0].facts.kind)
        super().complete(work, paper)

    def _find_by_title(
        self, item: Item, usable: Sequence[Identifier], document: str, linked: Collection[int]
    ) -> int | None:
        """Return the paper with the item's title, unless identifiers or links contradict it.

        So a preprint matches its publication, but two blog posts called "Scaling Laws" at different
        URLs do not match. If several papers have the title, an item without identifiers is linked
        to one in its category; otherwise none is returned. At most ``_MANY`` papers are compared:
        thousands would take hours.
        """
        ids = find_by_title(self.store, item.title or "", limit=_MANY)
        if usable and len(ids) == _MANY:
            return None
        papers_of_title = get_papers(self.store, ids)
        candidates = [paper for paper in papers_of_title if self._is_same_work(item, usable, paper)]
        if len(candidates) > 1:
            return None if usable else self._waiting(candidates, item, document, linked)
        return candidates[0].id if candidates else None

    def _waiting(
        self, candidates: Sequence[Paper], item: Item, document: str, linked: Collection[int]
    ) -> int | None:
        """Choose one of several papers with the item's title; None if none fits.

        It must be in the item's category, and nothing may contradict it. Papers without an entry in
        this document come first. Without this choice, a list that several devices write would get
        another paper with every import.
        """
        ids = [paper.id for paper in candidates]
        registered = find_document(self.store, document)
        listed = papers_in_file(self.store, registered.id, ids) if registered else set()
        about = Description(item.facts)
        waiting = [
            (paper.id in listed or paper.id in linked, paper.citekey, paper.id)
            for paper in candidates
            if item.category in paper.categories
            and judge(about, Description(paper.facts)).answer is not Answer.DIFFERENT
        ]
        return min(waiting)[2] if waiting else None

    def _is_same_work(self, item: Item, usable: Sequence[Identifier], paper: Paper) -> bool:
        """Return whether a paper with the item's title may be the item's paper.

        ``usable`` are the item's identifiers without shared URLs.
        """
        schemes = {identifier.scheme for identifier in usable}
        paper_schemes = {identifier.scheme for identifier in paper.facts.identifiers}
        if schemes & paper_schemes:
            return False
        key = title_key(item.title or "")
        if paper.facts.kind != item.facts.kind:
            return telling_length(key) >= UNMISTAKABLE and not (schemes and paper_schemes)
        if not is_telling(key):
            return (
                not paper_schemes
                and _links_of_item(item) <= _links_of_paper(paper)
                and item.category in paper.categories
            )
        # Rows called "Basic Knowledge" that link to different files are different things.
        if telling_length(key) >= UNMISTAKABLE or schemes or paper_schemes:
            return True
        paper_links, item_links = _links_of_paper(paper), _links_of_item(item)
        return not (paper_links and item_links and paper_links.isdisjoint(item_links))


def _links_of_paper(paper: Paper) -> set[str]:
    return {link.url for link in paper.facts.links} | set(paper.notes)


def _links_of_item(item: Item) -> set[str]:
    return {link.url for link in item.facts.links} | set(item.values.get("note", ()))

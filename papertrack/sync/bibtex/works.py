"""Which entries of a .bib file are one work, and which paper of the library it is.

Pure but for reading what the library has of the identifiers, titles and keys in question: 10,000
entries are compared through dictionaries, never with each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from papertrack.documents.bibtex.model import BibEntry
from papertrack.identifiers.derived import family_names, is_telling
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.store.citekeys import Citekeys
from papertrack.store.known import read_known
from papertrack.store.lookup import get_originals
from papertrack.store.store import Store
from papertrack.text import fold, title_key

_YEARS_APART = 3
"""Years that may lie between a preprint and its publication; reprints come later."""
_ALIKE = 60
"""rapidfuzz's score, of 100, from which two titles may be those of one work."""
_SAME_PAGE = 90
"""The same where all that is shared is a web address, which a site's works may have in common."""
_EXCLUSIVE = ("arxiv", "doi", "acl", "openreview")
"""Schemes of which a work has one: two different ones are two works, or two publications."""
_NUMBER = re.compile(r"[0-9]+")
_WHERE = ("volume", "number", "pages")
"""Fields of a publication of which the first number tells it from another one."""


@dataclass(slots=True)
class Work:
    """One work: a paper of the library or one to be made, and its entries in the file."""

    paper_id: int | None
    title: str | None
    names: frozenset[str]
    """The last words of its authors' names, folded."""
    identifiers: dict[str, set[str]]
    year: int | None
    """Of its first entry, or as the library has it."""
    entries: list[BibEntry] = field(default_factory=list)
    printed: list[dict[str, int]] = field(default_factory=list)
    """Where it was published: year, volume, number and first page of each publication."""

    @property
    def paper(self) -> int:
        """Its paper, once that is known or made."""
        assert self.paper_id is not None
        return self.paper_id


@dataclass(slots=True)
class Grouped:
    """The works of a file's entries, in the order of their first ones."""

    works: list[Work] = field(default_factory=list)
    clashes: dict[tuple[int, int], dict[Identifier, Work]] = field(default_factory=dict)
    """By the span of an entry its identifiers and whose they are, where some belong to another
    work than it: it was not followed there."""

    def free_identifiers(self, work: Work) -> tuple[Identifier, ...]:
        """The identifiers of the work's entries but for those that belong to another work."""
        owners = [owned for owners in self.clashes.values() for owned in owners.items()]
        taken = {identifier for identifier, owner in owners if owner is not work}
        every = (identifier for entry in work.entries for identifier in entry.facts.identifiers)
        return tuple(identifier for identifier in dict.fromkeys(every) if identifier not in taken)


def group_entries(store: Store, entries: Sequence[BibEntry]) -> Grouped:
    """Find each entry's work: by its identifiers, else by title and authors, else by key and text.

    A preprint and its published version are so one work. An identifier is not believed when
    neither title nor authors are those of its owner; that is a clash, as are identifiers of
    different owners. Two works with the same title and authors, but two DOIs or another year,
    volume or page of print, stay two: introductions, or a talk and its article. A short title
    tells too little alone: its work has the same key and year too.
    """
    keys = [title_key(entry.facts.title or "") for entry in entries]
    finder = _Finder(store, entries, keys)
    grouped = Grouped()
    for entry, key in zip(entries, keys, strict=True):
        work, owners = finder.work_of(entry, key)
        if not work.entries:
            grouped.works.append(work)
        work.entries.append(entry)
        if any(owner is not work for owner in owners.values()):
            grouped.clashes[entry.span] = owners
    return grouped


def is_one_work(title: str | None, names: frozenset[str], work: Work, scheme: str) -> bool:
    """Whether an identifier in common may be believed: titles alike, or an author in common.

    Of an address the titles must be alike: one author's posts may all show that of their site.
    """
    is_address = scheme == "url"
    if not title or not work.title or (names & work.names and not is_address):
        return True
    if title_key(title) == title_key(work.title):
        return True
    # Imported here because only a mismatch pays for it.
    from rapidfuzz import fuzz, utils

    words = fold(title), fold(work.title)
    likeness = fuzz.token_set_ratio(*words, processor=utils.default_process)
    return likeness >= (_SAME_PAGE if is_address else _ALIKE)


class _Finder:
    """The works known so far, by what names them."""

    def __init__(self, store: Store, entries: Sequence[BibEntry], keys: Sequence[str]) -> None:
        self._by_identifier: dict[Identifier, Work] = {}
        self._by_title: dict[str, list[Work]] = {}
        self._by_paper: dict[int, Work] = {}
        self._store = store
        self._owners = Citekeys(store).owners()
        named = {self._owners.get((entry.citekey or "").lower()) for entry in entries} - {None}
        identifiers = (i for entry in entries for i in entry.facts.identifiers)
        for known in read_known(store, identifiers, filter(None, keys), filter(None, named)):
            names = family_names(map(Author, known.authors))
            printed = list(_printed(known.venue, known.year, known.publication))
            work = Work(known.id, known.title, names, {}, known.year, printed=printed)
            self._by_paper[known.id] = work
            self._remember(work, known.identifiers, known.title_key)

    def work_of(self, entry: BibEntry, key: str) -> tuple[Work, dict[Identifier, Work]]:
        """The work of an entry with this key of its title, made when it is new, and the works that
        its identifiers are known to belong to."""
        facts, names = entry.facts, family_names(entry.facts.authors)
        known = ((one, self._by_identifier.get(one)) for one in facts.identifiers)
        owners = {identifier: owner for identifier, owner in known if owner is not None}
        believed = (
            work
            for identifier, work in owners.items()
            if is_one_work(facts.title, names, work, identifier.scheme)
        )
        work = (
            next(believed, None)
            or self._by_same_title(entry, key, names)
            or self._by_same_text(entry)
            or Work(None, facts.title, names, {}, facts.year)
        )
        work.names |= names
        work.printed += _printed(facts.venue, facts.year, facts.publication)
        self._remember(work, facts.identifiers, key)
        return work, owners

    def _by_same_title(self, entry: BibEntry, key: str, names: frozenset[str]) -> Work | None:
        candidates = [
            work
            for work in self._by_title.get(key, ())
            if _is_compatible(entry.facts, work) and self._is_same_work(entry, key, names, work)
        ]
        return candidates[0] if len(candidates) == 1 else None

    def _is_same_work(self, entry: BibEntry, key: str, names: frozenset[str], work: Work) -> bool:
        """Whether more than their title says that the entry is of the work."""
        has_key = self._has_key(work, entry.citekey)
        if is_telling(key) and names and work.names:
            return bool(names & work.names) and (has_key or _is_printed_there(entry.facts, work))
        is_same_year = _are_same_people(names, work.names) and entry.facts.year == work.year
        return has_key and (is_telling(key) or is_same_year)

    def _has_key(self, work: Work, citekey: str | None) -> bool:
        if any(entry.citekey == citekey for entry in work.entries):
            return True
        return work.paper_id is not None and self._owner_of(citekey) is work

    def _by_same_text(self, entry: BibEntry) -> Work | None:
        """The paper that had this very entry, in a file that was imported from elsewhere."""
        work = self._owner_of(entry.citekey)
        if work is None or work.paper_id is None:
            return None
        texts = get_originals(self._store, work.paper_id).values()
        return work if any(entry.raw in text for text in texts) else None

    def _owner_of(self, citekey: str | None) -> Work | None:
        """The library's paper with this key."""
        return self._by_paper.get(self._owners.get((citekey or "").lower(), 0))

    def _remember(self, work: Work, identifiers: Iterable[Identifier], key: str) -> None:
        for identifier in identifiers:
            owner = self._by_identifier.setdefault(identifier, work)
            if owner is work:
                work.identifiers.setdefault(identifier.scheme, set()).add(identifier.value)
        if key:
            same = self._by_title.setdefault(key, [])
            if not any(other is work for other in same):
                same.append(work)


def _printed(
    venue: str | None, year: int | None, publication: Iterable[tuple[str, str]]
) -> Iterator[dict[str, int]]:
    """What tells this publication from others; nothing of a preprint, which has no venue."""
    if venue:
        told = {"year": year} if year else {}
        for name, value in publication:
            if name in _WHERE and (found := _NUMBER.search(value)):
                told[name] = int(found.group()[:9])
        yield told


def _is_printed_there(facts: PaperFacts, work: Work) -> bool:
    """Whether the entry, if it is published at all, may be one of the work's publications."""
    return all(
        told[name] == other[name]
        for told in _printed(facts.venue, facts.year, facts.publication)
        for other in work.printed
        for name in told.keys() & other.keys()
    )


def _are_same_people(names: frozenset[str], others: frozenset[str]) -> bool:
    """Whether both name somebody, and one all whom the other names: a list may end in others."""
    return bool(names and others) and (names <= others or others <= names)


def _is_compatible(facts: PaperFacts, work: Work) -> bool:
    """Whether no identifier and no year say that it is another work, or a reprint."""
    if facts.year and work.year and abs(facts.year - work.year) > _YEARS_APART:
        return False
    for scheme in _EXCLUSIVE:
        own = {i.value for i in facts.identifiers if i.scheme == scheme}
        others = work.identifiers.get(scheme, set())
        if own and others and not own & others:
            return False
    return True

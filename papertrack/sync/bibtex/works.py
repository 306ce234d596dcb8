"""Which entries of a .bib file are one work, and which paper of the library it is.

Pure but for reading what the library has of the identifiers, titles and keys in question: 10,000
entries are compared through dictionaries, never with each other.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from papertrack.documents.bibtex.model import BibEntry
from papertrack.records import Identifier
from papertrack.same_work.against import YEARS_OF_PRINT
from papertrack.same_work.description import Description
from papertrack.same_work.judge import Answer, Verdict, judge
from papertrack.store.citekeys import Citekeys
from papertrack.store.known import read_known
from papertrack.store.lookup import get_originals
from papertrack.store.store import Store
from papertrack.text import title_key


@dataclass(slots=True, eq=False)
class Work:
    """One work: a paper of the library or one to be made, and its entries in the file."""

    paper_id: int | None
    said: list[Description] = field(default_factory=list)
    """What the library and each of its entries say of it."""
    entries: list[BibEntry] = field(default_factory=list)

    @property
    def paper(self) -> int:
        """Its paper, once that is known or made."""
        assert self.paper_id is not None
        return self.paper_id

    def compare(self, told: Description, *, has_key: bool) -> Verdict | None:
        """How likely the work is what is described, which stands under a key of its paper if
        ``has_key``; None where something it says speaks against that."""
        best = None
        for said in self.said:
            verdict = judge(said, told, has_key=has_key or said.key == told.key is not None)
            if verdict.against:
                return None
            if verdict.answer is Answer.ONE and (best is None or verdict.score > best.score):
                best = verdict
        return best


@dataclass
class Grouped:
    """The works of a file's entries, in the order of their first ones."""

    works: list[Work] = field(default_factory=list)
    clashes: dict[tuple[int, int], dict[Identifier, Work]] = field(default_factory=dict)
    """By the span of an entry its identifiers and whose they are, where some belong to another
    work than it: it was not followed there."""

    def free_identifiers(self, work: Work) -> tuple[Identifier, ...]:
        """The identifiers of the work's entries but for those that belong to another work."""
        every = (identifier for entry in work.entries for identifier in entry.facts.identifiers)
        owners = self._owners
        return tuple(one for one in dict.fromkeys(every) if owners.get(one, work) is work)

    @cached_property
    def _owners(self) -> dict[Identifier, Work]:
        """Whose the identifiers are that were found to be another work's."""
        return {
            identifier: owner
            for owners in self.clashes.values()
            for identifier, owner in owners.items()
        }


def group_entries(store: Store, entries: Sequence[BibEntry]) -> Grouped:
    """Find each entry's work among those with one of its identifiers, its title or its key.

    A preprint and its published version are so one work; what speaks against that says
    ``same_work.judge``. An identifier of a work that the entry is not of is a clash.
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


class _Finder:
    """The works known so far, by what names them."""

    def __init__(self, store: Store, entries: Sequence[BibEntry], keys: Sequence[str]) -> None:
        self._by_identifier: dict[Identifier, Work] = {}
        self._titled = _Titled()
        self._by_paper: dict[int, Work] = {}
        self._store = store
        self._owners = Citekeys(store).owners()
        named = {self._owners.get((entry.citekey or "").lower()) for entry in entries} - {None}
        identifiers = (i for entry in entries for i in entry.facts.identifiers)
        for known in read_known(store, identifiers, filter(None, keys), filter(None, named)):
            work = Work(known.id, [known.description])
            self._by_paper[known.id] = work
            self._remember(work, known.identifiers, known.title_key, known.description)

    def work_of(self, entry: BibEntry, key: str) -> tuple[Work, dict[Identifier, Work]]:
        """The work of an entry with this key of its title, made when it is new, and the works that
        its identifiers are known to belong to."""
        told = Description.of(entry.facts, entry.citekey)
        known = ((one, self._by_identifier.get(one)) for one in entry.facts.identifiers)
        owners = {identifier: owner for identifier, owner in known if owner is not None}
        keyed = self._owner_of(entry.citekey)
        same = self._titled.find(key, told, keyed)
        found = self._by_same_text(entry) or self._likeliest(keyed, told, owners.values(), same)
        work = found or Work(None)
        work.said.append(told)
        self._remember(work, entry.facts.identifiers, key, told)
        return work, owners

    def _likeliest(
        self, keyed: Work | None, told: Description, owners: Iterable[Work], same: Iterable[Work]
    ) -> Work | None:
        """The work that the entry is most likely of: of those with its key, those with one of its
        identifiers, and those with its title. None where two with its title are as likely."""
        owning = {id(work) for work in owners}
        ranked: list[tuple[tuple[bool, bool, int], Work]] = []
        for work in {id(work): work for work in (*owners, *same)}.values():
            if verdict := work.compare(told, has_key=work is keyed):
                ranked.append(((work is keyed, id(work) in owning, verdict.score), work))
        ranked.sort(key=lambda pair: pair[0], reverse=True)
        is_tie = len(ranked) > 1 and ranked[0][0] == ranked[1][0] and not ranked[0][0][1]
        return ranked[0][1] if ranked and not is_tie else None

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

    def _remember(
        self, work: Work, identifiers: Iterable[Identifier], key: str, told: Description
    ) -> None:
        for identifier in identifiers:
            self._by_identifier.setdefault(identifier, work)
        if key:
            self._titled.add(key, told, work)


class _Titled:
    """Works by their titles, and what else two of one work have in common then.

    Hundreds may have one title, such as an observatory's yearly reports: of these only those are
    looked at that ``judge`` may call one work, which their title alone never makes them.
    """

    def __init__(self) -> None:
        self._by_names: dict[tuple[Hashable, ...], dict[int, Work]] = {}

    def add(self, key: str, told: Description, work: Work) -> None:
        """Remember what is told of a work with this key of its title."""
        names: list[Hashable] = [work, told.key, *told.identifiers]
        for person in told.people:
            names += [person.family, (person.family, told.year)]
        for name in filter(None, names):
            self._by_names.setdefault((key, name), {})[id(work)] = work

    def find(self, key: str, told: Description, keyed: Work | None) -> Iterable[Work]:
        """The works with this key of their title that have a person, about that year, an
        identifier or the citekey of what is told; ``keyed`` has its citekey."""
        names: list[Hashable] = [keyed, told.key, *told.identifiers]
        years = [None, *_years_near(told.year)] if told.year else []
        for person in told.people:
            names += [(person.family, year) for year in years] or [person.family]
        found: dict[int, Work] = {}
        for name in filter(None, names) if key else ():
            found |= self._by_names.get((key, name), {})
        return found.values()


def _years_near(year: int) -> Iterable[int]:
    return range(year - YEARS_OF_PRINT, year + YEARS_OF_PRINT + 1)

"""Entries of a .bib file → works → papers: new ones written together, known ones completed.

Which entries are one work is pure but for reading what the library has of the identifiers, titles
and keys in question: 10,000 entries are compared through dictionaries, never with each other.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

from papertrack.documents.bibtex.facts import BibEntry
from papertrack.identifiers.citekeys import unique_citekey
from papertrack.matching.judge import YEARS_OF_PRINT, Answer, Description, Verdict, judge
from papertrack.matching.people import Person
from papertrack.matching.words import sound_of
from papertrack.records import Author, Identifier, Paper, PaperFacts, Skipped
from papertrack.store.categories import put_in_category
from papertrack.store.citekeys import Citekeys, Taken
from papertrack.store.known import described, read_known, title_keys_of
from papertrack.store.lookup import citekey_of, field_sources, get_paper
from papertrack.store.papers import FIELDS, READER, NewPaper, add_new_papers, keep_original
from papertrack.store.store import Store
from papertrack.store.versions import get_originals
from papertrack.sync.bibtex.reading import SOURCE, paper_values
from papertrack.sync.format import Linked, Told
from papertrack.sync.linking import add_marks, complete, save_listed
from papertrack.sync.report import JoinedEntries
from papertrack.sync.threeway import Values
from papertrack.text import clean, fold, shorten, title_key

_ANY = 0
"""Under this year stands what is of any."""
_MANY = 50
"""So many descriptions of one work tell what it is, and what more works than these have in common
tells none of them: comparing everything with everything would take forever."""


@dataclass(eq=False)
class Work:
    """One work: a paper of the library or one to be made, and its entries in the file."""

    paper_id: int | None
    said: list[Description] = field(default_factory=list)
    """What the library and its entries say of it, the first ``_MANY`` of them."""
    entries: list[BibEntry] = field(default_factory=list)

    @property
    def paper(self) -> int:
        """Its paper, once that is known or made."""
        assert self.paper_id is not None
        return self.paper_id

    @cached_property
    def keys(self) -> Sequence[str]:
        """Its entries' own keys, then those in ``ids``; each once without regard to case. To be
        asked for when all of its entries are known."""
        own = [entry.citekey for entry in self.entries]
        aliases = [alias for entry in self.entries for alias in entry.citekey_aliases]
        by_lower: dict[str, str] = {}
        for key in filter(None, (clean(key or "") for key in (*own, *aliases))):
            by_lower.setdefault(key.lower(), key)
        return list(by_lower.values())

    def compare(self, told: Description, *, has_key: bool) -> Verdict | None:
        """How likely the work is what is described, which stands under a key of its paper if
        ``has_key``; None where something it says speaks against that."""
        best = None
        for said in self.said:
            verdict = judge(said, told, has_key=has_key or said.key == told.key is not None)
            if verdict.against:
                return None
            if verdict.answer is Answer.SAME and (best is None or verdict.strength > best.strength):
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
        return {one: owner for owners in self.clashes.values() for one, owner in owners.items()}


def group_entries(
    store: Store, entries: Sequence[BibEntry], counted: Iterable[BibEntry] | None = None
) -> Grouped:
    """Find each entry's work among those with one of its identifiers, its title or its key.

    A preprint and its published version are so one work; what speaks against that says
    ``matching.judge``. An identifier of a work that the entry is not of is a clash. ``counted``
    are the same entries, reported one after another to whom it concerns.
    """
    titles = [entry.facts.title or "" for entry in entries]
    sounds = [sound_of(title, title_key(title)) for title in titles]
    finder = _Finder(store, entries, {*sounds} - {""})
    grouped = Grouped()
    for entry, sound in zip(counted or entries, sounds, strict=True):
        work, owners = finder.work_of(entry, sound)
        if not work.entries:
            grouped.works.append(work)
        work.entries.append(entry)
        if any(owner is not work for owner in owners.values()):
            grouped.clashes[entry.span] = owners
    return grouped


def papers_by_key(store: Store, entries: Mapping[int, BibEntry]) -> dict[int, int]:
    """Which of these entries, by their numbers, have the key of a paper that they are of."""
    owners = Citekeys(store).owners_of([one.citekey for one in entries.values() if one.citekey])
    by_key = {key.lower(): paper_id for key, paper_id in owners.items()}
    found: dict[int, int] = {}
    for number, one in entries.items():
        paper_id = by_key.get((one.citekey or "").lower())
        if paper_id is not None and group_entries(store, [one]).works[0].paper_id == paper_id:
            found[number] = paper_id
    return found


class _Finder:
    """The works known so far, by what names them."""

    def __init__(self, store: Store, entries: Sequence[BibEntry], sounds: Set[str]) -> None:
        self._by_identifier: dict[Identifier, Work] = {}
        self._by_title: dict[Hashable, dict[tuple[int, Person | None], Work]] = {}
        """Works by how their titles sound, and a key, person or identifier besides."""
        self._by_paper: dict[int, Work] = {}
        self._store = store
        self._kept: dict[int, list[str]] = {}
        keys = {entry.citekey for entry in entries if entry.citekey}
        found = Citekeys(store).owners_of(keys).items()
        self._owners = {key.lower(): paper_id for key, paper_id in found}
        identifiers = (i for entry in entries for i in entry.facts.identifiers)
        titles = title_keys_of(store, lambda title, key: sound_of(title, key) in sounds)
        for known in read_known(store, identifiers, titles, self._owners.values()):
            told = described(known)
            work = Work(known.id, [told])
            self._by_paper[known.id] = work
            sound = sound_of(told.title or "", title_key(told.title or ""))
            self._remember(work, known.facts.identifiers, sound, told)

    def work_of(self, entry: BibEntry, sound: str) -> tuple[Work, dict[Identifier, Work]]:
        """The work of an entry whose title sounds so, made when it is new, and the works that
        its identifiers are known to belong to."""
        told = Description.of(entry.facts, entry.citekey)
        known = ((one, self._by_identifier.get(one)) for one in entry.facts.identifiers)
        owners = {identifier: owner for identifier, owner in known if owner is not None}
        keyed = self._owner_of(entry.citekey)
        same = self._with_title(sound, told, keyed)
        found = self._by_same_text(entry) or self._likeliest(keyed, told, owners.values(), same)
        work = found or Work(None)
        if len(work.said) < _MANY:
            work.said.append(told)
        self._remember(work, entry.facts.identifiers, sound, told)
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
                ranked.append(((work is keyed, id(work) in owning, verdict.strength), work))
        ranked.sort(key=lambda pair: pair[0], reverse=True)
        is_tie = len(ranked) > 1 and ranked[0][0] == ranked[1][0] and not ranked[0][0][1]
        return ranked[0][1] if ranked and not is_tie else None

    def _by_same_text(self, entry: BibEntry) -> Work | None:
        """The paper that had this very entry, in a file that was imported from elsewhere."""
        work = self._owner_of(entry.citekey)
        if work is None or work.paper_id is None:
            return None
        if work.paper_id not in self._kept:
            self._kept[work.paper_id] = [*get_originals(self._store, work.paper_id).values()]
        return work if any(entry.raw in text for text in self._kept[work.paper_id]) else None

    def _owner_of(self, citekey: str | None) -> Work | None:
        """The library's paper with this key."""
        return self._by_paper.get(self._owners.get((citekey or "").lower(), 0))

    def _remember(
        self, work: Work, identifiers: Iterable[Identifier], sound: str, told: Description
    ) -> None:
        for identifier in identifiers:
            self._by_identifier.setdefault(identifier, work)
        for name, person in _names_of(told, work, (_ANY, told.year)) if sound else ():
            self._by_title.setdefault((sound, name), {})[id(work), person] = work

    def _with_title(self, sound: str, told: Description, keyed: Work | None) -> list[Work]:
        """The works whose titles sound so that have a person about that year, an identifier or the
        citekey of what to report; ``keyed`` has its citekey.

        Hundreds may have one title, such as an observatory's yearly reports. Those with which it
        has the rarest in common are looked at, ``_MANY`` together: comparing everything with
        everything would take forever.
        """
        found: dict[int, Work] = {}
        names = _names_of(told, keyed, _years_near(told.year))
        named = [(self._by_title.get((sound, name), {}), person) for name, person in names]
        for works, person in sorted(named, key=lambda pair: len(pair[0])):
            if len(found) + len(works) > _MANY:
                break
            for (at, one), work in works.items():
                if one is None or (person and one.may_be(person)):  # Others sound so too.
                    found[at] = work
        return list(found.values())


def _names_of(
    told: Description, work: Work | None, years: Iterable[int | None]
) -> Iterator[tuple[Hashable, Person | None]]:
    """What tells a work from others of its title, and whose name that is."""
    yield from ((name, None) for name in (id(work), told.key, *told.identifiers) if name)
    for person, year in product(told.people, years):
        yield (person.sound, year), person


def _years_near(year: int | None) -> Iterable[int | None]:
    """The years that entries may give a work of this year; None is an unknown one."""
    if not year:
        return (_ANY,)
    return (None, *range(year - YEARS_OF_PRINT, year + YEARS_OF_PRINT + 1))


_PUBLISHED = ("venue", "year", "published_type", "publication")
"""What a published version says together: of a preprint it takes the place of the preprint's."""


@dataclass(frozen=True, slots=True)
class Linking:
    """What gives the works of a file their papers."""

    store: Store
    grouped: Grouped
    document: str
    names: Mapping[tuple[int, int], str]
    """Which entry of the document each is, by its span."""
    keys: Citekeys
    told: Told
    source: str = SOURCE
    """Who gives the fields."""
    is_of_others: bool = False
    """Whether other devices know the file, and this one reads it the first time."""

    def link(self) -> dict[tuple[int, int], Linked]:
        """Give every work its paper, new or completed, with keys, marks, groups and original text.

        Returns by the span of each entry the paper, and what the library says of it now.
        """
        works = self.grouped.works
        new = [work for work in works if work.paper_id is None]
        drafts = self._drafts(new)
        ids = add_new_papers(self.store, drafts, source=self.source)
        papers = {}
        for work, paper_id, draft in zip(new, ids, drafts, strict=True):
            work.paper_id = paper_id
            papers[paper_id] = Paper(paper_id, draft.citekey, draft.facts, added="")
        linked = {}
        for work in works:
            is_known = work.paper not in papers
            paper = self._complete(work) if is_known else papers[work.paper]
            if is_known or len(work.entries) > 1:
                lines = tuple(entry.line for entry in work.entries)
                keys = tuple(entry.citekey for entry in work.entries if entry.citekey)
                self.told.joined.append(JoinedEntries(paper.citekey, lines, is_known, keys))
            values = paper_values(_with_marks(self.store, paper, work.entries))
            for entry in work.entries:
                linked[entry.span] = Linked(paper.id, None, dict(values))
        return linked

    def _drafts(self, new: Sequence[Work]) -> list[NewPaper]:
        taken = Taken(self.store)
        claims = _claims(self.grouped.works, taken)
        for key in claims:
            taken.take(key)  # A key that an entry has is free for no other one's work.
        drafts = []
        for work in new:
            for key in work.keys:
                if claims.get(key.lower()) is work:
                    taken.release(key)
            drafts.append(self._draft(work, taken))
        return drafts

    def _draft(self, work: Work, taken: Taken) -> NewPaper:
        first, *others = work.entries
        facts = joined_facts(first.facts, others)
        if (free := self.grouped.free_identifiers(work)) != facts.identifiers:
            facts = facts._replace(identifiers=free)
        given = work.keys
        wanted = given[0] if given else self.keys.wanted(facts)
        citekey = unique_citekey(wanted, taken) if wanted in taken else wanted
        if given and citekey != wanted:
            self._tell_taken(first, wanted, citekey)
        taken.take(citekey)
        aliases = [key for key in given[1:] if key not in taken]
        for alias in aliases:
            taken.take(alias)
        return NewPaper(
            facts,
            citekey,
            is_citekey_given=bool(given),
            citekey_aliases=tuple(aliases),
            originals=tuple(self._originals(work).items()),
        )

    def _complete(self, work: Work) -> Paper:
        """Fill in what the library's paper lacks and the file's entries say."""
        store, paper = self.store, get_paper(self.store, work.paper)
        facts = joined_facts(paper.facts, work.entries)
        owners = field_sources(store, paper.id)
        changed = {
            name: getattr(facts, name)
            for name in FIELDS
            if getattr(facts, name) != getattr(paper.facts, name) and owners.get(name) != READER
        }
        free = self.grouped.free_identifiers(work)
        complete(store, paper, changed, free, facts.links, source=self.source)
        save_listed(store, paper, is_of_others=self.is_of_others)
        for source, text in self._originals(work).items():
            keep_original(store, paper.id, source, text)
        self._give_keys(paper, work)
        return get_paper(store, paper.id)

    def _give_keys(self, paper: Paper, work: Work) -> None:
        """Keys that are in the file name the paper: as its own if it has none that was given."""
        for key in work.keys:
            if key.lower() in (paper.citekey.lower(), *map(str.lower, paper.citekey_aliases)):
                continue
            if self.keys.are_frozen([paper.id]):
                is_free = self.keys.add_alias(paper.id, key)
            elif is_free := not self.keys.owners_of([key]):
                self.keys.rename(paper.id, key)
            if not is_free:
                self._tell_taken(work.entries[0], key, citekey_of(self.store, paper.id))

    def _tell_taken(self, entry: BibEntry, key: str, citekey: str) -> None:
        reason = f"its key {key!r} belongs to another paper: the library uses {citekey}"
        self.told.notices.append(Skipped(entry.line, reason, shorten(entry.raw)))

    def _originals(self, work: Work) -> dict[str, str]:
        """The entries' texts by ``file:key``."""
        return {f"{self.document}:{self.names[entry.span]}": entry.whole for entry in work.entries}


def _claims(works: Sequence[Work], taken: Container[str]) -> dict[str, Work]:
    """The free keys of the file, in small letters, and whose each is: as for BibTeX that of the
    first entry with it; keys in ``ids`` come after all entries' own."""
    entries = sorted(
        ((entry, work) for work in works for entry in work.entries), key=lambda pair: pair[0].span
    )
    claims: dict[str, Work] = {}
    for entry, work in entries:
        claims.setdefault(clean(entry.citekey or "").lower(), work)
    for entry, work in entries:
        for alias in entry.citekey_aliases:
            claims.setdefault(clean(alias).lower(), work)
    return {key: work for key, work in claims.items() if key and key not in taken}


def joined_facts(facts: PaperFacts, entries: Sequence[BibEntry]) -> PaperFacts:
    """The facts, completed by the entries' in turn; a preprint takes over how it was published.

    Identifiers stay: who owns those of the entries is another question.
    """
    for entry in entries:
        known = {(link.role, link.url) for link in facts.links}
        more = (link for link in entry.facts.links if (link.role, link.url) not in known)
        facts = facts._replace(links=(*facts.links, *more), **_news(facts, entry.facts))
    return facts


def _news(first: PaperFacts, second: PaperFacts) -> dict[str, Any]:
    """The fields of the first that the second completes or renews."""
    changes: dict[str, Any] = {}
    has_venue = (first.venue, second.venue) != (None, None)
    for name in FIELDS:
        old, new = getattr(first, name), getattr(second, name)
        is_open = first.venue is None if name in _PUBLISHED and has_venue else old in (None, ())
        if name == "authors" and old and new:
            changes[name] = with_families(old, new)
        elif new not in (None, ()) and is_open:
            changes[name] = new
    return changes


def with_families(known: Sequence[Author], told: Sequence[Author]) -> tuple[Author, ...]:
    """The known authors, with the family names that ``told`` shows of the same people.

    arXiv and READMEs have names as printed, of which ``text.split_name`` cannot see that the last
    two words are the family's; a .bib file may say so.
    """
    if len(known) != len(told):
        return tuple(known)
    return tuple(
        one if one.family else one._replace(family=_end_of(one.name, other.family or ""))
        for one, other in zip(known, told, strict=True)
    )


def _end_of(name: str, family: str) -> str | None:
    """The end of the name that spells this family name, accents and hyphens apart."""
    words = name.split(" ")
    ends = (" ".join(words[place:]) for place in range(len(words)))
    return next((end for end in ends if fold(end) == fold(family)), None)


def _with_marks(store: Store, paper: Paper, entries: Sequence[BibEntry]) -> Paper:
    """Write what other tools noted of the reading; return the paper with it."""
    said: Values = {
        "passes": max((entry.passes or 0 for entry in entries), default=0),
        "rating": next((entry.rating for entry in entries if entry.rating), None),
        "tags": [tag for entry in entries for tag in entry.tags],
    }
    paths = dict.fromkeys(path for entry in entries for path in entry.categories)
    add_marks(store, paper.id, paper, said)
    for path in paths:
        put_in_category(store, paper.id, path)
    return paper._replace(
        passes_done=max(said["passes"], paper.passes_done),
        rating=paper.rating or said["rating"],
        tags=tuple(dict.fromkeys((*paper.tags, *said["tags"]))),
        categories=tuple(dict.fromkeys((*paper.categories, *paths))),
    )

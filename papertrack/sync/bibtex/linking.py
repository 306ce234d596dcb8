"""Find the works of a .bib file's entries, then add or complete their papers.

Grouping entries into works only reads the library's identifiers, titles and keys. It finds works
through dictionaries, so that 10,000 entries are never compared pairwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

from papertrack.documents.bibtex.facts import BibEntry
from papertrack.identifiers.citekeys import unique_citekey
from papertrack.matching.judge import YEARS_OF_PRINT, Answer, Description, Verdict, judge
from papertrack.matching.people import Person, people_of
from papertrack.matching.words import sound_of
from papertrack.records import Author, Identifier, Paper, PaperFacts, Skipped
from papertrack.store.categories import ensure_categories, put_in_category
from papertrack.store.citekeys import Citekeys, Taken
from papertrack.store.known import described, read_known, title_keys_of
from papertrack.store.lookup import citekey_of, field_sources, get_paper
from papertrack.store.papers import FIELDS, READER, NewPaper, add_new_papers, keep_original
from papertrack.store.store import Store
from papertrack.store.versions import get_originals
from papertrack.sync.bibtex.reading import SOURCE, values_of
from papertrack.sync.format import ImportNotes, Linked
from papertrack.sync.linking import add_marks, complete, save_listed
from papertrack.sync.report import JoinedEntries
from papertrack.sync.threeway import Values
from papertrack.text import clean, fold, shorten, title_key

_ANY = 0
"""The year under which titles are stored for a description of any year."""
_MANY = 50
"""At most so many works are compared at once."""
_MAX_DESCRIPTIONS = 8
"""At most so many descriptions of one work are compared."""


@dataclass(eq=False)
class Work:
    """A work: a paper of the library or one to be added, and its entries in the file."""

    paper_id: int | None
    said: list[Description] = field(default_factory=list)
    """The first ``_MAX_DESCRIPTIONS`` descriptions of the work, by the library and its entries."""
    entries: list[BibEntry] = field(default_factory=list)

    @property
    def paper(self) -> int:
        """Return the id of its paper, which must be known."""
        assert self.paper_id is not None
        return self.paper_id

    @cached_property
    def keys(self) -> Sequence[str]:
        """The citation keys of its entries, then their aliases, each once in any case.

        Read it only when all entries are known.
        """
        own = [entry.citekey for entry in self.entries]
        aliases = [alias for entry in self.entries for alias in entry.citekey_aliases]
        by_lower: dict[str, str] = {}
        for key in filter(None, (clean(key or "") for key in (*own, *aliases))):
            by_lower.setdefault(key.lower(), key)
        return list(by_lower.values())

    def compare(self, entry: Description, *, has_key: bool) -> Verdict | None:
        """Return how likely the work is the one described; None if something contradicts it.

        ``has_key`` tells whether the description has a key of the work's paper.
        """
        best = None
        for own in self.said:
            verdict = judge(own, entry, has_key=has_key or own.key == entry.key is not None)
            if verdict.against:
                return None
            if verdict.answer is Answer.SAME and (best is None or verdict.strength > best.strength):
                best = verdict
        return best


@dataclass
class Grouped:
    """The works of a file's entries, in the order of their first entries."""

    owners: Mapping[Identifier, Work]
    """The work that had each identifier first, in the library or the file."""
    works: list[Work] = field(default_factory=list)

    def free_identifiers(self, work: Work) -> tuple[Identifier, ...]:
        """Return the entries' identifiers that do not belong to another work."""
        identifiers = dict.fromkeys(i for e in work.entries for i in e.facts.identifiers)
        return tuple(i for i in identifiers if self.owners[i] is work)


def group_entries(
    store: Store, entries: Sequence[BibEntry], counted: Iterable[BibEntry] | None = None
) -> Grouped:
    """Group entries into works by identifier, title or key.

    A preprint and its published version are one work unless ``matching.judge`` finds a
    contradiction. ``counted`` are the same entries, in an iterable that reports progress.
    """
    titles = [entry.facts.title or "" for entry in entries]
    sounds = [sound_of(title, title_key(title)) for title in titles]
    finder = _Finder(store, entries, {*sounds} - {""})
    grouped, times = Grouped(finder.by_identifier), Counter(sounds)
    for entry, sound in zip(counted or entries, sounds, strict=True):
        # A title that comes only once tells its work from all others.
        is_shared = times[sound] > 1 or sound in finder.by_title
        work = finder.work_of(entry, sound if is_shared else "")
        if not work.entries:
            grouped.works.append(work)
        work.entries.append(entry)
    return grouped


def papers_by_key(store: Store, entries: Mapping[int, BibEntry]) -> dict[int, int]:
    """Return the papers, by entry number, whose key and work the entries have."""
    owners = Citekeys(store).owners_of([e.citekey for e in entries.values() if e.citekey])
    by_key = {key.lower(): paper_id for key, paper_id in owners.items()}
    papers: dict[int, int] = {}
    for number, entry in entries.items():
        paper_id = by_key.get((entry.citekey or "").lower())
        if paper_id is not None and group_entries(store, [entry]).works[0].paper_id == paper_id:
            papers[number] = paper_id
    return papers


class _Finder:
    """The works known so far, by identifier, title and paper."""

    def __init__(self, store: Store, entries: Sequence[BibEntry], sounds: Set[str]) -> None:
        self.by_identifier: dict[Identifier, Work] = {}
        self.by_title: dict[str, dict[Hashable, dict[tuple[int, Person | None], Work]]] = {}
        """Works by the sound of their titles, then by a key, person or identifier."""
        self._by_paper: dict[int, Work] = {}
        self._store = store
        self._kept: dict[int, list[str]] = {}
        keys = {entry.citekey for entry in entries if entry.citekey}
        owners = Citekeys(store).owners_of(keys).items()
        self._owners = {key.lower(): paper_id for key, paper_id in owners}
        identifiers = (i for entry in entries for i in entry.facts.identifiers)
        titles = title_keys_of(store, lambda title, key: sound_of(title, key) in sounds)
        for paper in read_known(store, identifiers, titles, self._owners.values()):
            description = described(paper)
            work = Work(paper.id, [description])
            self._by_paper[paper.id] = work
            sound = sound_of(paper.facts.title or "", title_key(paper.facts.title or ""))
            self._remember(work, paper.facts.identifiers, sound, description)

    def work_of(self, entry: BibEntry, sound: str) -> Work:
        """Return an entry's work, new or known."""
        desc, identifiers = Description(entry.facts, entry.citekey), entry.facts.identifiers
        owners = [self.by_identifier[i] for i in identifiers if i in self.by_identifier]
        keyed = self._owner_of(entry.citekey)
        twins = self._with_title(sound, desc, keyed)
        match = self._by_same_text(entry) or self._likeliest(keyed, desc, owners, twins)
        work = match or Work(None)
        if len(work.said) < _MAX_DESCRIPTIONS and desc not in work.said:
            work.said.append(desc)
        self._remember(work, identifiers, sound, desc)
        return work

    def _likeliest(
        self, keyed: Work | None, entry: Description, owners: Sequence[Work], twins: Sequence[Work]
    ) -> Work | None:
        """Return the work that the entry most likely belongs to; None if two tie.

        Works with its key come first, then those with one of its identifiers, then those with its
        title.
        """
        owning = {id(work) for work in owners}
        ranked: list[tuple[tuple[bool, bool, int], Work]] = []
        for work in {id(work): work for work in (*owners, *twins)}.values():
            if verdict := work.compare(entry, has_key=work is keyed):
                ranked.append(((work is keyed, id(work) in owning, verdict.strength), work))
        ranked.sort(key=lambda pair: pair[0], reverse=True)
        is_tie = len(ranked) > 1 and ranked[0][0] == ranked[1][0] and not ranked[0][0][1]
        return ranked[0][1] if ranked and not is_tie else None

    def _by_same_text(self, entry: BibEntry) -> Work | None:
        """Return the paper that had this same entry in an imported file."""
        work = self._owner_of(entry.citekey)
        if work is None or work.paper_id is None:
            return None
        if work.paper_id not in self._kept:
            self._kept[work.paper_id] = [*get_originals(self._store, work.paper_id).values()]
        return work if any(entry.raw in text for text in self._kept[work.paper_id]) else None

    def _owner_of(self, citekey: str | None) -> Work | None:
        """Return the library's paper with this key."""
        return self._by_paper.get(self._owners.get((citekey or "").lower(), 0))

    def _remember(
        self, work: Work, identifiers: Iterable[Identifier], sound: str, description: Description
    ) -> None:
        for identifier in identifiers:
            self.by_identifier.setdefault(identifier, work)
        years = (_ANY, description.facts.year)
        for name, person in _names_of(description, work, years) if sound else ():
            works = self.by_title.setdefault(sound, {}).setdefault(name, {})
            works[id(work), person] = work

    def _with_title(self, sound: str, description: Description, keyed: Work | None) -> list[Work]:
        """Return the works of this title that share a person and year, identifier or key.

        ``keyed`` is the work with its key. Hundreds of works may have one title, such as an
        observatory's yearly reports. Only ``_MANY`` are compared, those with the rarest shared
        names first.
        """
        matches: dict[int, Work] = {}
        if not (by_name := self.by_title.get(sound)):
            return []
        names = _names_of(description, keyed, _years_near(description.facts.year))
        groups = [(by_name.get(name, {}), person) for name, person in names]
        for works, person in sorted(groups, key=lambda pair: len(pair[0])):
            if len(matches) + len(works) > _MANY:
                break
            for (at, other), work in works.items():
                if other is None or (person and other.may_be(person)):  # Others sound so too.
                    matches[at] = work
        return list(matches.values())


def _names_of(
    description: Description, work: Work | None, years: Iterable[int | None]
) -> Iterator[tuple[Hashable, Person | None]]:
    """Yield what tells works of one title apart, each with its person if it is a name."""
    yield from ((n, None) for n in (id(work), description.key, *description.identifiers) if n)
    for person, year in product(people_of(description.facts.authors), years):
        yield (person.sound, year), person


def _years_near(year: int | None) -> Iterable[int | None]:
    """Return the years that entries may give a work of this year; None is unknown."""
    if not year:
        return (_ANY,)
    return (None, *range(year - YEARS_OF_PRINT, year + YEARS_OF_PRINT + 1))


_PUBLISHED = ("venue", "year", "published_type", "publication")
"""The fields of a publication: together they replace those of the preprint."""


@dataclass(frozen=True, slots=True)
class Linking:
    """Links the works of a file to papers."""

    store: Store
    grouped: Grouped
    document: str
    names: Mapping[tuple[int, int], str]
    """The keys of the document's entries, by span."""
    keys: Citekeys
    notes: ImportNotes
    source: str = SOURCE
    """The source stored for the fields."""
    is_of_others: bool = False
    """Whether other devices know the file, and this one reads it for the first time."""

    def link(self) -> dict[tuple[int, int], Linked]:
        """Add or complete the paper of every work, with keys, marks, groups and original text.

        Returns the paper of each entry by its span, with the library's values now.
        """
        works = self.grouped.works
        entries = (entry for work in works for entry in work.entries)
        ensure_categories(self.store, (path for entry in entries for path in entry.categories))
        new_works = [work for work in works if work.paper_id is None]
        drafts = self._drafts(new_works)
        ids = add_new_papers(self.store, drafts, source=self.source)
        papers = {}
        for work, paper_id, draft in zip(new_works, ids, drafts, strict=True):
            work.paper_id = paper_id
            papers[paper_id] = Paper(paper_id, draft.citekey, draft.facts, added="")
        linked = {}
        for work in works:
            is_known = work.paper not in papers
            paper = self._complete(work) if is_known else papers[work.paper]
            if is_known or len(work.entries) > 1:
                lines = tuple(entry.line for entry in work.entries)
                keys = tuple(entry.citekey for entry in work.entries if entry.citekey)
                self.notes.joined.append(JoinedEntries(paper.citekey, lines, is_known, keys))
            values = values_of(_with_marks(self.store, paper, work.entries))
            for entry in work.entries:
                linked[entry.span] = Linked(paper.id, None, dict(values))
        return linked

    def _drafts(self, works: Sequence[Work]) -> list[NewPaper]:
        used_keys = Taken(self.store)
        claims = _claims(self.grouped.works, used_keys)
        for key in claims:
            used_keys.take(key)  # No other work may take the key of an entry.
        drafts = []
        for work in works:
            for key in work.keys:
                if claims.get(key.lower()) is work:
                    used_keys.release(key)
            drafts.append(self._draft(work, used_keys))
        return drafts

    def _draft(self, work: Work, used_keys: Taken) -> NewPaper:
        first, *others = work.entries
        facts = joined_facts(first.facts, others)
        if (free := self.grouped.free_identifiers(work)) != facts.identifiers:
            facts = facts._replace(identifiers=free)
        own_keys = work.keys
        key = own_keys[0] if own_keys else self.keys.wanted(facts)
        citekey = unique_citekey(key, used_keys) if key in used_keys else key
        if own_keys and citekey != key:
            self._tell_taken(first, key, citekey)
        used_keys.take(citekey)
        aliases = [key for key in own_keys[1:] if key not in used_keys]
        for alias in aliases:
            used_keys.take(alias)
        return NewPaper(
            facts,
            citekey,
            is_citekey_given=bool(own_keys),
            citekey_aliases=tuple(aliases),
            originals=tuple(self._originals(work).items()),
        )

    def _complete(self, work: Work) -> Paper:
        """Fill in what the library's paper lacks from the file's entries."""
        store, paper = self.store, get_paper(self.store, work.paper)
        facts = joined_facts(paper.facts, work.entries)
        owners = field_sources(store, paper.id)
        changes = {
            name: getattr(facts, name)
            for name in FIELDS
            if getattr(facts, name) != getattr(paper.facts, name) and owners.get(name) != READER
        }
        free = self.grouped.free_identifiers(work)
        complete(store, paper, changes, free, facts.links, source=self.source)
        save_listed(store, paper, is_of_others=self.is_of_others)
        for source, text in self._originals(work).items():
            keep_original(store, paper.id, source, text)
        self._give_keys(paper, work)
        return get_paper(store, paper.id)

    def _give_keys(self, paper: Paper, work: Work) -> None:
        """Give the paper the file's keys: as its own key if it has only a generated one."""
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
        self.notes.notices.append(Skipped(entry.line, reason, shorten(entry.raw)))

    def _originals(self, work: Work) -> dict[str, str]:
        """Return the entries' texts by ``file:key``."""
        return {f"{self.document}:{self.names[entry.span]}": entry.whole for entry in work.entries}


def _claims(works: Sequence[Work], used_keys: Container[str]) -> dict[str, Work]:
    """Return the works of the file's free keys, by key in lower case.

    The first entry with a key has it, as in BibTeX; keys in ``ids`` come after all entries' own
    keys.
    """
    entries = sorted(
        ((entry, work) for work in works for entry in work.entries), key=lambda pair: pair[0].span
    )
    claims: dict[str, Work] = {}
    for entry, work in entries:
        claims.setdefault(clean(entry.citekey or "").lower(), work)
    for entry, work in entries:
        for alias in entry.citekey_aliases:
            claims.setdefault(clean(alias).lower(), work)
    return {key: work for key, work in claims.items() if key and key not in used_keys}


def joined_facts(facts: PaperFacts, entries: Sequence[BibEntry]) -> PaperFacts:
    """Complete the facts from the entries in turn; a preprint takes over its publication.

    Identifiers stay as they are: who owns those of the entries is decided elsewhere.
    """
    for entry in entries:
        urls = {(link.role, link.url) for link in facts.links}
        links = (link for link in entry.facts.links if (link.role, link.url) not in urls)
        facts = facts._replace(links=(*facts.links, *links), **_news(facts, entry.facts))
    return facts


def _news(first: PaperFacts, second: PaperFacts) -> dict[str, Any]:
    """Return the fields of the first that the second completes or renews."""
    changes: dict[str, Any] = {}
    has_venue = (first.venue, second.venue) != (None, None)
    for name in FIELDS:
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


def _with_marks(store: Store, paper: Paper, entries: Sequence[BibEntry]) -> Paper:
    """Store the reading marks of other tools; return the paper with them."""
    marks: Values = {
        "passes": max((entry.passes_done for entry in entries), default=0),
        "rating": next((entry.rating for entry in entries if entry.rating), None),
        "tags": [tag for entry in entries for tag in entry.tags],
    }
    paths = dict.fromkeys(path for entry in entries for path in entry.categories)
    add_marks(store, paper.id, paper, marks)
    for path in paths:
        put_in_category(store, [paper.id], path)
    return paper._replace(
        passes_done=max(marks["passes"], paper.passes_done),
        rating=paper.rating or marks["rating"],
        tags=tuple(dict.fromkeys((*paper.tags, *marks["tags"]))),
        categories=tuple(dict.fromkeys((*paper.categories, *paths))),
    )

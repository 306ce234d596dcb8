"""Find the works of a .bib file's entries, and give their papers the file's citation keys.

Grouping entries into works only reads the library's identifiers, titles and keys. It finds works
through dictionaries, so that 10,000 entries are never compared pairwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from operator import itemgetter

from papertrack.documents.bibtex.facts import BibEntry
from papertrack.identifiers.citekeys import unique_citekey
from papertrack.matching.judge import YEARS_OF_PRINT, Answer, Description, Verdict, judge
from papertrack.matching.people import Person, people_of
from papertrack.matching.words import sound_of
from papertrack.records import Identifier, Paper, PaperFacts, Skipped
from papertrack.store.categories import ensure_categories
from papertrack.store.citekeys import Citekeys, Taken
from papertrack.store.known import described, read_known, title_keys_of
from papertrack.store.lookup import citekey_of
from papertrack.store.papers import NewPaper, add_new_papers, keep_original
from papertrack.store.store import Store
from papertrack.store.versions import get_originals
from papertrack.sync.bibtex.reading import BibItem
from papertrack.sync.items import Item, Resolver
from papertrack.sync.linking import Linker, Work
from papertrack.sync.report import JoinedEntries
from papertrack.text import clean, shorten, title_key

_ANY = 0
"""The year under which titles are stored for a description of any year."""
_MANY = 50
"""At most so many works are compared at once."""
_MAX_DESCRIPTIONS = 8
"""At most so many descriptions of one work are compared."""


@dataclass(eq=False)
class BibWork(Work):
    """A work, and how the library and the file describe it."""

    items: list[BibItem] = field(default_factory=list)
    is_known: bool = False
    """Whether the library had its paper before."""
    said: list[Description] = field(default_factory=list)
    """The first ``_MAX_DESCRIPTIONS`` descriptions of the work, by the library and its entries."""

    @cached_property
    def keys(self) -> Sequence[str]:
        """The citation keys of its entries, then their aliases, each once in any case.

        Read it only when all entries are known.
        """
        own = [item.entry.citekey for item in self.items]
        aliases = [alias for item in self.items for alias in item.entry.citekey_aliases]
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


class Grouping:
    """The works of a .bib file's items, by identifier, title or key.

    A preprint and its published version are one work unless ``matching.judge`` finds a
    contradiction. ``counted`` are the same items, in an iterable that reports progress.
    """

    def __init__(
        self, store: Store, items: Sequence[BibItem], counted: Iterable[BibItem] | None = None
    ) -> None:
        self.works: list[BibWork] = []
        """The works in the order of their first entries."""
        self.owners: dict[Identifier, BibWork] = {}
        """The work that had each identifier first, in the library or the file."""
        self._by_title: dict[str, dict[Hashable, dict[tuple[int, Person | None], BibWork]]] = {}
        """Works by the sound of their titles, then by a key, person or identifier."""
        self._by_paper: dict[int, BibWork] = {}
        self._store = store
        self._kept: dict[int, list[str]] = {}
        keys = Citekeys(store).owners_of({i.entry.citekey for i in items if i.entry.citekey})
        self._papers_by_key = {key.lower(): paper_id for key, paper_id in keys.items()}
        sounds = [sound_of(item.title or "", title_key(item.title or "")) for item in items]
        self._read_library(items, {*sounds} - {""})
        self._group(counted or items, sounds)

    def _group(self, items: Iterable[BibItem], sounds: Sequence[str]) -> None:
        """Find the work of each item, and which identifiers are the work's."""
        times = Counter(sounds)
        for item, sound in zip(items, sounds, strict=True):
            # A title that comes only once tells its work from all others.
            is_shared = times[sound] > 1 or sound in self._by_title
            work = self._work_of(item.entry, sound if is_shared else "")
            if not work.items:
                self.works.append(work)
            work.items.append(item)
        for work in self.works:
            identifiers = dict.fromkeys(i for item in work.items for i in item.identifiers)
            work.identifiers = [i for i in identifiers if self.owners[i] is work]

    def _read_library(self, items: Sequence[BibItem], sounds: Set[str]) -> None:
        """Add the works of papers that share an identifier, key or title with an item."""
        identifiers = (i for item in items for i in item.identifiers)
        titles = title_keys_of(self._store, lambda title, key: sound_of(title, key) in sounds)
        for paper in read_known(self._store, identifiers, titles, self._papers_by_key.values()):
            description = described(paper)
            work = BibWork(paper_id=paper.id, is_known=True, said=[description])
            self._by_paper[paper.id] = work
            sound = sound_of(paper.facts.title or "", title_key(paper.facts.title or ""))
            self._remember(work, paper.facts.identifiers, sound, description)

    def _work_of(self, entry: BibEntry, sound: str) -> BibWork:
        """Return an entry's work, new or known."""
        desc, identifiers = Description(entry.facts, entry.citekey), entry.facts.identifiers
        owners = [self.owners[i] for i in identifiers if i in self.owners]
        keyed = self._owner_of(entry.citekey)
        twins = self._with_title(sound, desc, keyed)
        match = self._by_same_text(entry) or self._likeliest(keyed, desc, owners, twins)
        work = match or BibWork()
        if len(work.said) < _MAX_DESCRIPTIONS and desc not in work.said:
            work.said.append(desc)
        self._remember(work, identifiers, sound, desc)
        return work

    def _likeliest(
        self,
        keyed: BibWork | None,
        entry: Description,
        owners: Sequence[BibWork],
        twins: Sequence[BibWork],
    ) -> BibWork | None:
        """Return the work that the entry most likely belongs to; None if two tie.

        Works with its key come first, then those with one of its identifiers, then those with its
        title.
        """
        owning = {id(work) for work in owners}
        ranked: list[tuple[tuple[bool, bool, int], BibWork]] = []
        for work in {id(work): work for work in (*owners, *twins)}.values():
            if verdict := work.compare(entry, has_key=work is keyed):
                ranked.append(((work is keyed, id(work) in owning, verdict.strength), work))
        ranked.sort(key=lambda pair: pair[0], reverse=True)
        is_tie = len(ranked) > 1 and ranked[0][0] == ranked[1][0] and not ranked[0][0][1]
        return ranked[0][1] if ranked and not is_tie else None

    def _by_same_text(self, entry: BibEntry) -> BibWork | None:
        """Return the paper that had this same entry in an imported file."""
        work = self._owner_of(entry.citekey)
        if work is None or work.paper_id is None:
            return None
        if work.paper_id not in self._kept:
            self._kept[work.paper_id] = [*get_originals(self._store, work.paper_id).values()]
        return work if any(entry.raw in text for text in self._kept[work.paper_id]) else None

    def _owner_of(self, citekey: str | None) -> BibWork | None:
        """Return the library's paper with this key."""
        return self._by_paper.get(self._papers_by_key.get((citekey or "").lower(), 0))

    def _remember(
        self, work: BibWork, identifiers: Iterable[Identifier], sound: str, description: Description
    ) -> None:
        for identifier in identifiers:
            self.owners.setdefault(identifier, work)
        years = (_ANY, description.facts.year)
        for name, person in _names_of(description, work, years) if sound else ():
            works = self._by_title.setdefault(sound, {}).setdefault(name, {})
            works[id(work), person] = work

    def _with_title(
        self, sound: str, description: Description, keyed: BibWork | None
    ) -> list[BibWork]:
        """Return the works of this title that share a person and year, identifier or key.

        ``keyed`` is the work with its key. Hundreds of works may have one title, such as an
        observatory's yearly reports. Only ``_MANY`` are compared, those with the rarest shared
        names first.
        """
        matches: dict[int, BibWork] = {}
        if not (by_name := self._by_title.get(sound)):
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
    description: Description, work: BibWork | None, years: Iterable[int | None]
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


@dataclass
class BibLinker(Linker[BibWork]):
    """Links the works of a file to papers, with their keys and original texts."""

    grouped: Grouping = field(kw_only=True)

    def works(self, items: Sequence[Item], resolver: Resolver) -> Iterator[BibWork]:
        """Yield the works, then report the entries that did not become a paper each."""
        works = self.grouped.works
        paths = (path for work in works for item in work.items for path in item.categories)
        ensure_categories(self.store, paths)
        self.document, self.used_keys = resolver.document, Taken(self.store)
        claims = _claims(works, self.used_keys)
        for key in claims:
            self.used_keys.take(key)  # No other work may take the key of an entry.
        for work in works:
            for key in work.keys:
                if claims.get(key.lower()) is work:
                    self.used_keys.release(key)
            yield work
        for work in works:
            self._report_joined(work)

    def _report_joined(self, work: BibWork) -> None:
        if not work.is_known and len(work.items) == 1:
            return
        lines = tuple(item.line for item in work.items)
        keys = tuple(item.entry.citekey for item in work.items if item.entry.citekey)
        citekey = citekey_of(self.store, work.paper)
        self.notes.joined.append(JoinedEntries(citekey, lines, work.is_known, keys))

    def add(self, work: BibWork, facts: PaperFacts) -> int:
        """Add a paper with its entries' keys, as far as they are free; return its id."""
        key = work.keys[0] if work.keys else self.keys.wanted(facts)
        citekey = unique_citekey(key, self.used_keys) if key in self.used_keys else key
        if work.keys and citekey != key:
            self._tell_taken(work, key, citekey)
        self.used_keys.take(citekey)
        new = NewPaper(
            facts,
            citekey,
            is_citekey_given=bool(work.keys),
            citekey_aliases=tuple(key for key in work.keys[1:] if key not in self.used_keys),
            originals=tuple(self._originals(work).items()),
        )
        (paper_id,) = add_new_papers(self.store, [new], source=self.source)
        return paper_id

    def complete(self, work: BibWork, paper: Paper) -> None:
        """Fill in what the paper lacks, and give it the file's keys.

        They become its own key if it has only a generated one.
        """
        super().complete(work, paper)
        for source, text in self._originals(work).items():
            keep_original(self.store, paper.id, source, text)
        for key in work.keys:
            if key.lower() in (paper.citekey.lower(), *map(str.lower, paper.citekey_aliases)):
                continue
            if key in self.used_keys:
                self._tell_taken(work, key, citekey_of(self.store, paper.id))
            elif self.keys.are_frozen([paper.id]):
                self.keys.add_alias(paper.id, key)
            else:
                self.keys.rename(paper.id, key)

    def _tell_taken(self, work: BibWork, key: str, citekey: str) -> None:
        first = work.items[0]
        reason = f"its key {key!r} belongs to another paper: the library uses {citekey}"
        self.notes.notices.append(Skipped(first.line, reason, shorten(first.words)))

    def _originals(self, work: BibWork) -> dict[str, str]:
        """Return the entries' texts by ``file:key``."""
        return {f"{self.document}:{item.key}": item.entry.whole for item in work.items}


def _claims(works: Sequence[BibWork], used_keys: Container[str]) -> dict[str, BibWork]:
    """Return the works of the file's free keys, by key in lower case.

    The first entry with a key has it, as in BibTeX; keys in ``ids`` come after all entries' own
    keys.
    """
    entries = [(item.number, item.entry, work) for work in works for item in work.items]
    entries.sort(key=itemgetter(0))
    claims: dict[str, BibWork] = {}
    for _, entry, work in entries:
        claims.setdefault(clean(entry.citekey or "").lower(), work)
    for _, entry, work in entries:
        for alias in entry.citekey_aliases:
            claims.setdefault(clean(alias).lower(), work)
    return {key: work for key, work in claims.items() if key and key not in used_keys}

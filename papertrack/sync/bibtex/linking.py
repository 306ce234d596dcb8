"""Works of a .bib file → papers: new ones written together, known ones completed."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from papertrack.documents.bibtex.model import BibEntry
from papertrack.identifiers.citekeys import unique_citekey
from papertrack.records import Author, Paper, PaperFacts, Skipped
from papertrack.store.categories import put_in_category
from papertrack.store.citekeys import Citekeys, Taken
from papertrack.store.lookup import citekey_of, field_sources, get_paper
from papertrack.store.papers import FIELDS, READER, NewPaper, add_new_papers, keep_original
from papertrack.store.store import Store
from papertrack.sync.bibtex.reading import SOURCE, paper_values
from papertrack.sync.bibtex.works import Grouped, Work
from papertrack.sync.format import Linked, Told
from papertrack.sync.linking import add_marks, complete, save_listed
from papertrack.sync.report import JoinedEntries
from papertrack.sync.threeway import Values
from papertrack.text import clean, fold, shorten

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
        """Keys that stand in the file name the paper: as its own if it has none that was given."""
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
        reason = f"its key {key!r} is that of another paper: the library calls this one {citekey}"
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
    for name in FIELDS:
        old, new = getattr(first, name), getattr(second, name)
        if name == "authors" and old and new:
            changes[name] = with_families(old, new)
        elif new not in (None, ()) and _is_taken(name, first, second):
            changes[name] = new
    return changes


def _is_taken(name: str, first: PaperFacts, second: PaperFacts) -> bool:
    """Whether what the second says of a field completes the first, or is newer."""
    if name in _PUBLISHED:
        if first.venue is not None:
            return False
        if second.venue is not None:
            return True
    return getattr(first, name) in (None, ())


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

"""What the library knows against a list: titles of other works, and preprints since published."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from papertrack.documents.bibtex.model import BibEntry, BibLibrary
from papertrack.documents.markdown.check.document import are_different, listed, quoted
from papertrack.documents.markdown.check.findings import Finding
from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.roles import STRONG_SCHEMES, strong_identifier
from papertrack.matching.venues import is_server
from papertrack.records import Identifier, Paper
from papertrack.store.known import NO_SOURCES, titles_of_sources
from papertrack.store.lookup import find_papers, get_papers
from papertrack.store.store import Store
from papertrack.store.suggestions import Proposed, read_proposed
from papertrack.text import fold, shorten, title_key

_SURE_SHARE = 0.8
"""The share of titles that must be the works' own, before every other one is wrong: some lists
translate them, or say what a work is about."""
_ARXIV_DOI = "10.48550/"


class _Pair(NamedTuple):
    """An entry and a paper of the library that its identifiers name."""

    entry: Entry
    identifier: Identifier
    paper_id: int


class KnownWorks:
    """A rule of ``Checking``: it compares entries with the papers of a library."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __call__(self, document: Document, before: Document | None) -> Iterator[Finding]:
        """Yield what contradicts the library, or is older than what it knows."""
        pairs = self._pairs(listed(document))
        paper_ids = sorted({pair.paper_id for pair in pairs})
        titles = titles_of_sources(self._store, paper_ids, without=NO_SOURCES)
        yield from _wrong_titles(pairs, titles)
        places = self._publications(paper_ids)
        for pair in pairs:
            if finding := _published(document, pair, places[pair.paper_id]):
                yield finding

    def of_bibliography(self, bib: BibLibrary) -> Iterator[Finding]:
        """Yield the entries of preprints that are known to have been published."""
        preprints = {
            Identifier("arxiv", arxiv_id): entry
            for entry in bib.entries
            if (arxiv_id := entry.facts.identifier("arxiv")) and not _is_of_venue(entry)
        }
        owners = find_papers(self._store, preprints)
        places = self._publications(sorted({*owners.values()}))
        for identifier, paper_id in owners.items():
            told, entry = places[paper_id].told, preprints[identifier]
            if told:
                about = f"arxiv:{identifier.value}"
                message = f"{entry.citekey} cites the preprint, but was published: {told}."
                yield Finding(entry.line, "published", message, about)

    def _publications(self, paper_ids: Sequence[int]) -> dict[int, _Publication]:
        """Where these papers appeared: as the library has it, or as it is proposed."""
        proposed = read_proposed(self._store, paper_ids)
        return {
            paper.id: _publication_of(paper, proposed.get(paper.id, ()))
            for paper in get_papers(self._store, paper_ids)
        }

    def _pairs(self, entries: Sequence[Entry]) -> list[_Pair]:
        """Return the entries whose identifiers name a single paper of the library."""
        own = {entry.index: _own(entry) for entry in entries}
        papers = find_papers(self._store, {one for names in own.values() for one in names})
        pairs = []
        for entry in entries:
            found = {papers[one]: one for one in reversed(own[entry.index]) if one in papers}
            if len(found) == 1:
                pairs += [_Pair(entry, name, paper_id) for paper_id, name in found.items()]
        return pairs


def _own(entry: Entry) -> list[Identifier]:
    return [one for one in entry.identifiers if one.scheme in STRONG_SCHEMES]


def _wrong_titles(pairs: Sequence[_Pair], titles: dict[int, list[str]]) -> Iterator[Finding]:
    known = [pair for pair in pairs if titles.get(pair.paper_id)]
    wrong = [pair for pair in known if _is_another(pair.entry, titles[pair.paper_id])]
    others = {title_key(title) for several in titles.values() for title in several}
    are_own = len(known) - len(wrong) >= len(known) * _SURE_SHARE
    for pair in wrong:
        if are_own or title_key(pair.entry.fields.title) in others:
            name, title = pair.identifier, shorten(titles[pair.paper_id][0], 120)
            message = f"{quoted(pair.entry)} links {name.scheme}:{name.value}, which is “{title}”."
            about = f"{name.scheme}:{name.value}"
            yield Finding(pair.entry.line, "wrong-title", message, about)


def _is_another(entry: Entry, titles: Sequence[str]) -> bool:
    """Whether the title of an entry is none of these; one in another script is a translation."""
    title = entry.fields.title
    is_latin = title_key(title).isascii()
    return all(title_key(one).isascii() == is_latin and are_different(title, one) for one in titles)


class _Publication(NamedTuple):
    """Where a paper is known to have appeared."""

    where: str | None
    dois: list[str]

    @property
    def told(self) -> str:
        """Nothing where it is not known to have appeared."""
        return ", ".join([*([shorten(self.where, 80)] if self.where else []), *self.dois[:1]])


def _publication_of(paper: Paper, proposed: Sequence[Proposed]) -> _Publication:
    where = paper.facts.venue or paper.facts.journal_ref
    if where and is_server(where):
        where = None
    dois = [f"doi:{one.value}" for one in paper.facts.identifiers if _is_of_publication(one)]
    for one in proposed:
        # What only a comment says is a claim; what the reader rejected is none.
        if one.state == "open" and one.value["evidence"] != "comment" and not (where or dois):
            where = f"{one.value['venue']} {one.value['year'] or ''}".strip()
            dois = [f"doi:{one.value['doi']}"] if one.value["doi"] else []
    return _Publication(where, dois)


def _is_of_venue(entry: BibEntry) -> bool:
    """Whether an entry says itself where the work appeared."""
    facts = entry.facts
    has_doi = any(map(_is_of_publication, facts.identifiers))
    return has_doi or (facts.venue is not None and not is_server(facts.venue))


def _published(document: Document, pair: _Pair, known: _Publication) -> Finding | None:
    """Return what to say of a preprint that is known to have been published, unless the entry
    links or names the publication."""
    entry = pair.entry
    arxiv_id = next((one.value for one in entry.identifiers if one.scheme == "arxiv"), None)
    where = known.where
    text = fold(document.text[slice(*entry.span)])
    is_told = _names_venue(entry) or _links_more(entry) or (where and fold(where) in text)
    if arxiv_id is None or is_told or not known.told:
        return None
    message = f"{quoted(entry)} links the preprint {arxiv_id}, but was published: {known.told}."
    return Finding(entry.line, "published", message, f"arxiv:{arxiv_id}")


def _names_venue(entry: Entry) -> bool:
    """Whether an entry says where the work appeared; *arXiv 2024* says that it has not."""
    return bool(entry.fields.venue) and not is_server(entry.fields.venue or "")


def _is_of_publication(identifier: Identifier) -> bool:
    return identifier.scheme == "doi" and not identifier.value.startswith(_ARXIV_DOI)


def _links_more(entry: Entry) -> bool:
    """Whether an entry links its work elsewhere than on arXiv."""
    links = [link for link in entry.fields.links if link.role in ("paper", "pdf")]
    found = [strong_identifier(link.url) for link in links]
    others = [one for one in entry.identifiers if _is_of_publication(one)]
    return bool(others) or any(one is None or one.scheme != "arxiv" for one in found)

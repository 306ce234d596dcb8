"""Audit references: ask sources about each, and compare its fields with their records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from papertrack.actions.online.fetching import Case, Outage, ServiceClients
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.documents.encoding import decode_bib
from papertrack.library.files import read_file
from papertrack.matching.audit import Finding, Verdict, audit, is_registered, is_same_title
from papertrack.matching.publications import Record
from papertrack.records import READER, Identifier, Paper
from papertrack.sources.datacite import DataCite
from papertrack.sources.published.registries import Crossref
from papertrack.sources.published.services import (
    ARXIV,
    LINKING,
    OTHER_DOIS,
    REGISTRIES,
    SEARCHED,
    title_of,
)
from papertrack.sources.transport import Door
from papertrack.store.lookup import field_sources, find_by_title, find_papers, get_papers
from papertrack.store.store import Store

_GROUP = 500
_KINDS = {"manual": "a manual", "software": "software", "online": "a page", "electronic": "a page"}
LIBRARY = "library"
"""The source's name for records that the library has from earlier answers."""
_OWN = (READER, "document", "bibtex", None)


@dataclass(kw_only=True)
class Reference(Case):
    """A work that a file, a manuscript or the library refers to, and what sources say of it."""

    key: str
    file: str | None = None
    line: int | None = None
    missing: set[Identifier] = field(default_factory=set)
    """Identifiers that name nothing."""

    @cached_property
    def verdict(self) -> Verdict:
        """Return the result, which is final when all sources were asked."""
        # A work of a kind that no registry lists needs no answer.
        is_answered = bool(self.answered) or not is_registered(self.facts)
        return self._judge(is_complete=is_answered and not self.unanswered)

    @property
    def needs_asking(self) -> bool:
        """Return whether the records do not show yet which work it is."""
        finding = self._judge(is_complete=True).finding
        return finding in (Finding.UNKNOWN, Finding.UNCHECKED, Finding.DIFFERS)

    @property
    def needs_search(self) -> bool:
        """Return whether a title search could help.

        It can for works without a record, and for identifiers that name a work of another title.
        """
        if not self.facts.title or not self.needs_asking:
            return False
        is_found = any(is_same_title(self.facts, record) for record in self.records)
        return not is_found and (is_registered(self.facts) or not self.facts.identifiers)

    @property
    def fields(self) -> tuple[str, ...]:
        """Return the names of fields that differ from the work's."""
        return tuple(dict.fromkeys(difference.field for difference in self.verdict.differences))

    @property
    def reason(self) -> str | None:
        """Return why it is unknown whether the work exists; None if it is known."""
        finding = self.verdict.finding
        if finding is Finding.NOT_LOOKED:
            return ", ".join(map(title_of, self.silent)) or "no source was asked"
        if finding is not Finding.UNCHECKED:
            return None
        kind = _KINDS.get(self.facts.published_type or "")
        has_address = any(i.scheme == "url" for i in self.facts.identifiers) or self.facts.links
        return kind or ("only an address" if has_address else "no registry lists such works")

    def _judge(self, *, is_complete: bool) -> Verdict:
        return audit(self.facts, self.records, is_complete=is_complete, missing=self.missing)


def references_in(path: Path) -> list[Reference]:
    """Return the references in a .bib file, except entries without title and identifier.

    Raises PapertrackError for a file that cannot be read.
    """
    bib = parse_bibtex(decode_bib(read_file(path))[0], file=str(path))
    return [
        Reference(key=entry.citekey or "", facts=entry.facts, file=str(path), line=entry.line)
        for entry in bib.entries
        if entry.facts.title or entry.facts.identifiers
    ]


def references_of(papers: Iterable[Paper]) -> list[Reference]:
    """Return papers of the library as references."""
    return [
        Reference(key=paper.citekey, facts=paper.facts) for paper in papers if paper.facts.title
    ]


@dataclass
class AuditRun:
    """One audit: sources to ask, and their failures. Without a door it asks the library only."""

    store: Store | None
    door: Door | None
    keys: Mapping[str, str | None]

    @cached_property
    def _clients(self) -> ServiceClients:
        return ServiceClients(self.door, self.keys)

    @property
    def outages(self) -> tuple[Outage, ...]:
        """Return the services that could not be asked, and why."""
        return self._clients.outages

    def audit(self, references: Sequence[Reference]) -> Iterator[Reference]:
        """Audit these references, in order."""
        for start in range(0, len(references), _GROUP):
            group = references[start : start + _GROUP]
            if self.store:
                self._ask_library(self.store, group)
            self._ask_services(group)
            yield from group

    def _ask_services(self, references: Sequence[Reference]) -> None:
        self._ask(ARXIV.name, references, "arxiv")
        for service in (*REGISTRIES, *OTHER_DOIS, *LINKING):
            waiting = [reference for reference in references if reference.needs_asking]
            self._ask(service.name, waiting, "doi" if service.name == Crossref.name else None)
        for service in reversed(SEARCHED):
            self._ask(service.name, [r for r in references if r.needs_search])

    def _ask(self, name: str, references: Iterable[Reference], scheme: str | None = None) -> None:
        """Ask a service about these works.

        It is authoritative on identifiers of the scheme: what it does not know does not exist.
        """
        for reference, hits in self._clients.ask(name, references):
            value = reference.facts.identifier(scheme) if scheme and () in hits.values() else None
            # Crossref does not know DataCite's DOIs.
            if value and not DataCite().answers_for(identifier := Identifier(scheme or "", value)):
                reference.missing.add(identifier)

    def _ask_library(self, store: Store, references: Sequence[Reference]) -> None:
        """Add the library's records of works with the same identifier or title."""
        # Papers from the user's own files are no evidence.
        is_from_source = cache(lambda paper_id: not _is_own(store, paper_id))
        papers_titled = cache(lambda title: [*filter(is_from_source, find_by_title(store, title))])
        for reference in references:
            facts = reference.facts
            ids = {*filter(is_from_source, find_papers(store, facts.identifiers).values())}
            ids |= {*papers_titled(facts.title)} if facts.title else set()
            papers = get_papers(store, sorted(ids))
            reference.records += [Record(LIBRARY, paper.facts) for paper in papers]


def _is_own(store: Store, paper_id: int) -> bool:
    """Whether a paper's title or authors come from the user or their files."""
    sources = field_sources(store, paper_id)
    return sources.get("title") in _OWN or sources.get("authors") in _OWN

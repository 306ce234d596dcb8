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
from papertrack.records import READER, Identifier, Paper, PaperFacts
from papertrack.sources.datacite import DataCite
from papertrack.sources.published.crossref import Crossref
from papertrack.sources.published.registry import (
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


@dataclass(frozen=True, slots=True)
class Reference:
    """A work that a file, a manuscript or the library refers to."""

    key: str
    facts: PaperFacts
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class AuditResult:
    """The findings about one reference."""

    reference: Reference
    verdict: Verdict
    asked: tuple[str, ...]
    silent: tuple[str, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """Return the names of fields that differ from the work's."""
        return tuple(dict.fromkeys(difference.field for difference in self.verdict.differences))

    @property
    def reason(self) -> str | None:
        """Return why it is unknown whether the work exists; None if it is known."""
        if self.verdict.finding is Finding.NOT_LOOKED:
            return ", ".join(map(title_of, self.silent)) or "no source was asked"
        if self.verdict.finding is not Finding.UNCHECKED:
            return None
        facts = self.reference.facts
        kind = _KINDS.get(facts.published_type or "")
        has_address = any(i.scheme == "url" for i in facts.identifiers) or facts.links
        return kind or ("only an address" if has_address else "no registry lists such works")


def references_in(path: Path) -> list[Reference]:
    """Return the references in a .bib file, except entries without title and identifier.

    Raises PapertrackError for a file that cannot be read.
    """
    bib = parse_bibtex(decode_bib(read_file(path))[0], file=str(path))
    return [
        Reference(entry.citekey or "", entry.facts, str(path), entry.line)
        for entry in bib.entries
        if entry.facts.title or entry.facts.identifiers
    ]


def references_of(papers: Iterable[Paper]) -> list[Reference]:
    """Return papers of the library as references."""
    return [Reference(paper.citekey, paper.facts) for paper in papers if paper.facts.title]


@dataclass(slots=True, kw_only=True)
class _ReferenceCase(Case):
    reference: Reference
    missing: set[Identifier] = field(default_factory=set)
    """Identifiers that name nothing."""

    @property
    def is_known(self) -> bool:
        """Whether the records show which work it is, so that no further source is asked."""
        verdict = self.judge()
        return verdict.finding not in (Finding.UNKNOWN, Finding.UNCHECKED, Finding.DIFFERS)

    @property
    def needs_search(self) -> bool:
        """Whether a title search could help.

        It can for works without a record, and for identifiers that name a work of another title.
        """
        if not self.facts.title or self.is_known:
            return False
        is_found = any(is_same_title(self.facts, record) for record in self.records)
        return not is_found and (is_registered(self.facts) or not self.facts.identifiers)

    def judge(self, *, is_complete: bool = True) -> Verdict:
        return audit(self.facts, self.records, is_complete=is_complete, missing=self.missing)


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

    def audit(self, references: Sequence[Reference]) -> Iterator[AuditResult]:
        """Audit these references, in order."""
        for start in range(0, len(references), _GROUP):
            group = references[start : start + _GROUP]
            cases = [_ReferenceCase(reference=ref, facts=ref.facts) for ref in group]
            if self.store:
                self._ask_library(self.store, cases)
            if self.door:
                self._ask_services(cases)
                for witness in reversed(SEARCHED):
                    self._ask(witness.name, [case for case in cases if case.needs_search])
            yield from map(_result_of, cases)

    def _ask(self, name: str, cases: Iterable[_ReferenceCase]) -> list[_ReferenceCase]:
        """Ask a service about these works; return those that it does not know."""
        answers = self._clients.ask(name, cases)
        for case, records in answers:
            case.records += records or ()
        return [case for case, records in answers if records == ()]

    def _ask_services(self, cases: Sequence[_ReferenceCase]) -> None:
        for case in self._ask(ARXIV.name, cases):
            case.missing.add(Identifier("arxiv", case.facts.identifier("arxiv") or ""))
        for witness in (*REGISTRIES, *OTHER_DOIS, *LINKING):
            unknown = self._ask(witness.name, [case for case in cases if not case.is_known])
            for case in unknown if witness.name == Crossref.name else ():
                doi = Identifier("doi", case.facts.identifier("doi") or "")
                if not DataCite().answers_for(doi):  # Crossref does not know DataCite's DOIs.
                    case.missing.add(doi)

    def _ask_library(self, store: Store, cases: Sequence[_ReferenceCase]) -> None:
        """Add the library's records of works with the same identifier or title."""
        # Papers from the reader's own files are no evidence.
        is_from_source = cache(lambda paper_id: not _is_own(store, paper_id))
        papers_titled = cache(lambda title: [*filter(is_from_source, find_by_title(store, title))])
        for case in cases:
            ids = {*filter(is_from_source, find_papers(store, case.facts.identifiers).values())}
            ids |= {*papers_titled(case.facts.title)} if case.facts.title else set()
            papers = get_papers(store, sorted(ids))
            case.records += [Record(LIBRARY, paper.facts) for paper in papers]


def _result_of(case: _ReferenceCase) -> AuditResult:
    # A work of a kind that no registry lists needs no answer.
    is_answered = bool(case.answered) or not is_registered(case.facts)
    verdict = case.judge(is_complete=is_answered and not case.silent)
    return AuditResult(
        case.reference, verdict, tuple(sorted(case.answered)), tuple(sorted(case.silent))
    )


def _is_own(store: Store, paper_id: int) -> bool:
    """Whether a paper's title or authors come from the reader or their files."""
    sources = field_sources(store, paper_id)
    return sources.get("title") in _OWN or sources.get("authors") in _OWN

"""Audit references: which sources to ask about each, and what they answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from papertrack.actions.online.fetching import Case, ServiceClients, Silence
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
"""The source of earlier answers in the library."""
_OWN = (READER, "document", "bibtex", None)


@dataclass(frozen=True, slots=True)
class Reference:
    """A work that a file, a manuscript or the library names."""

    key: str
    facts: PaperFacts
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Audited:
    """The findings about one reference."""

    reference: Reference
    verdict: Verdict
    asked: tuple[str, ...]
    silent: tuple[str, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """Return the fields that differ from the work's."""
        return tuple(dict.fromkeys(one.field for one in self.verdict.differences))

    @property
    def reason(self) -> str | None:
        """Return why nobody can say whether the work exists; None if somebody can."""
        if self.verdict.finding is Finding.NOT_LOOKED:
            return ", ".join(map(title_of, self.silent)) or "nobody was asked"
        if self.verdict.finding is not Finding.UNCHECKED:
            return None
        facts = self.reference.facts
        kind = _KINDS.get(facts.published_type or "")
        has_address = any(one.scheme == "url" for one in facts.identifiers) or facts.links
        return kind or ("only an address" if has_address else "no registry lists such works")


def references_in(path: Path) -> list[Reference]:
    """Return the works in a .bib file, except entries without title and identifier. Raises
    PapertrackError for a file that cannot be read."""
    bib = parse_bibtex(decode_bib(read_file(path))[0], file=str(path))
    return [
        Reference(one.citekey or "", one.facts, str(path), one.line)
        for one in bib.entries
        if one.facts.title or one.facts.identifiers
    ]


def references_of(papers: Iterable[Paper]) -> list[Reference]:
    """Return papers of the library as references."""
    return [Reference(paper.citekey, paper.facts) for paper in papers if paper.facts.title]


@dataclass(slots=True, kw_only=True)
class _Case(Case):
    reference: Reference
    missing: set[Identifier] = field(default_factory=set)
    """Identifiers that name nothing."""

    @property
    def is_known(self) -> bool:
        """Whether the work is found, so that nobody else need be asked."""
        verdict = self.judge()
        return verdict.finding not in (Finding.UNKNOWN, Finding.UNCHECKED, Finding.DIFFERS)

    @property
    def is_searched(self) -> bool:
        """Whether a search may tell more: of works that were not found, and of those with a title
        that is not what their identifier names."""
        if not self.facts.title or self.is_known:
            return False
        is_found = any(is_same_title(self.facts, one) for one in self.records)
        return not is_found and (is_registered(self.facts) or not self.facts.identifiers)

    def judge(self, *, is_complete: bool = True) -> Verdict:
        return audit(self.facts, self.records, is_complete=is_complete, missing=self.missing)


@dataclass
class Auditing:
    """One audit: the sources to ask, and their failures. Without a door only the library is
    asked."""

    store: Store | None
    door: Door | None
    keys: Mapping[str, str | None]

    @cached_property
    def _clients(self) -> ServiceClients:
        return ServiceClients(self.door, self.keys)

    @property
    def silences(self) -> tuple[Silence, ...]:
        """Return the services that could not be asked, and why."""
        return self._clients.silences

    def audit(self, references: Sequence[Reference]) -> Iterator[Audited]:
        """Audit these references, in order."""
        for start in range(0, len(references), _GROUP):
            group = references[start : start + _GROUP]
            cases = [_Case(reference=one, facts=one.facts) for one in group]
            if self.store:
                self._ask_library(self.store, cases)
            if self.door:
                self._ask_services(cases)
                for witness in reversed(SEARCHED):
                    self._ask(witness.name, [one for one in cases if one.is_searched])
            yield from map(_judged, cases)

    def _ask(self, name: str, cases: Iterable[_Case]) -> list[_Case]:
        """Ask a service about these works; return those that it says it does not know."""
        told = self._clients.ask(name, cases)
        for case, records in told:
            case.records += records or ()
        return [case for case, records in told if records == ()]

    def _ask_services(self, cases: Sequence[_Case]) -> None:
        for case in self._ask(ARXIV.name, cases):
            case.missing.add(Identifier("arxiv", case.facts.identifier("arxiv") or ""))
        for witness in (*REGISTRIES, *OTHER_DOIS, *LINKING):
            unknown = self._ask(witness.name, [one for one in cases if not one.is_known])
            for case in unknown if witness.name == Crossref.name else ():
                doi = Identifier("doi", case.facts.identifier("doi") or "")
                if not DataCite().answers_for(doi):  # What is registered there, it cannot know.
                    case.missing.add(doi)

    def _ask_library(self, store: Store, cases: Sequence[_Case]) -> None:
        """What sources have said already of works with one identifier or title."""
        # What the reader's own files say proves nothing about them.
        told_by_others = cache(lambda paper_id: not _is_own(store, paper_id))
        titled = cache(lambda title: [*filter(told_by_others, find_by_title(store, title))])
        for case in cases:
            like = {*filter(told_by_others, find_papers(store, case.facts.identifiers).values())}
            like |= {*titled(case.facts.title)} if case.facts.title else set()
            told = get_papers(store, sorted(like))
            case.records += [Record(LIBRARY, one.facts) for one in told]


def _judged(case: _Case) -> Audited:
    # Of what nobody keeps a register of, nobody need have been asked.
    is_answered = bool(case.answered) or not is_registered(case.facts)
    verdict = case.judge(is_complete=is_answered and not case.silent)
    return Audited(
        case.reference, verdict, tuple(sorted(case.answered)), tuple(sorted(case.silent))
    )


def _is_own(store: Store, paper_id: int) -> bool:
    """Whether nobody but the reader's files has said what this paper is."""
    sources = field_sources(store, paper_id)
    return sources.get("title") in _OWN or sources.get("authors") in _OWN

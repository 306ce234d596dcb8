"""Auditing references: who is asked about each, and what they say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from papertrack.actions.online.fetching import ARXIV, Hearings, Silence
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.documents.encoding import decode_bib
from papertrack.library.files import read_file
from papertrack.matching.audit import Finding, Verdict, audit, is_registered, is_same_title
from papertrack.matching.publications import Record
from papertrack.records import READER, Identifier, Paper, PaperFacts
from papertrack.sources.datacite import DataCite
from papertrack.sources.published.crossref import Crossref
from papertrack.sources.published.registry import (
    LINKING,
    OTHER_DOIS,
    REGISTRIES,
    SEARCHED,
    title_of,
)
from papertrack.sources.published.witness import Sought
from papertrack.sources.source import Fetched, SourceRecord
from papertrack.sources.transport import Door
from papertrack.store.lookup import field_sources, find_by_title, find_papers, get_papers
from papertrack.store.store import Store

_GROUP = 500
_KINDS = {"manual": "a manual", "software": "software", "online": "a page", "electronic": "a page"}
LIBRARY = "library"
"""The source of what the library was told by others before."""
_OWN = (READER, "document", "bibtex", None)


@dataclass(frozen=True, slots=True)
class Reference:
    """One work that a file, a manuscript or the library names."""

    key: str
    facts: PaperFacts
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Audited:
    """What was found of one reference."""

    reference: Reference
    verdict: Verdict
    asked: tuple[str, ...]
    silent: tuple[str, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that are not the work's."""
        return tuple(dict.fromkeys(one.field for one in self.verdict.differences))

    @property
    def reason(self) -> str | None:
        """Why nobody can say whether the work exists; None where somebody can."""
        if self.verdict.finding is Finding.NOT_LOOKED:
            return ", ".join(map(title_of, self.silent)) or "nobody was asked"
        if self.verdict.finding is not Finding.UNCHECKED:
            return None
        facts = self.reference.facts
        kind = _KINDS.get(facts.published_type or "")
        has_address = any(one.scheme == "url" for one in facts.identifiers) or facts.links
        return kind or ("only an address" if has_address else "no register has such works")


def references_in(path: Path) -> list[Reference]:
    """The works that a .bib file names, but for those without a title and an identifier. Raises
    PapertrackError for a file that cannot be read."""
    bib = parse_bibtex(decode_bib(read_file(path))[0], file=str(path))
    return [
        Reference(one.citekey or "", one.facts, str(path), one.line)
        for one in bib.entries
        if one.facts.title or one.facts.identifiers
    ]


def references_of(papers: Iterable[Paper]) -> list[Reference]:
    """The works that papers of the library are."""
    return [Reference(paper.citekey, paper.facts) for paper in papers if paper.facts.title]


@dataclass(slots=True)
class _Case:
    reference: Reference
    records: list[Record] = field(default_factory=list)
    heard: set[str] = field(default_factory=set)
    silent: set[str] = field(default_factory=set)
    missing: set[Identifier] = field(default_factory=set)
    """Identifiers that name nothing."""

    @property
    def sought(self) -> Sought:
        facts = self.reference.facts
        return Sought(facts.identifiers, facts.title, *(one.name for one in facts.authors[:1]))

    @property
    def is_known(self) -> bool:
        """Whether the work is found, so that nobody else need be asked."""
        verdict = self.judge()
        return verdict.finding not in (Finding.UNKNOWN, Finding.UNCHECKED, Finding.DIFFERS)

    def judge(self, *, is_complete: bool = True) -> Verdict:
        facts = self.reference.facts
        return audit(facts, self.records, is_complete=is_complete, missing=self.missing)


class Auditing:
    """One audit: whom it asks, and how they fail. Without a door only the library is asked."""

    def __init__(
        self, store: Store | None, door: Door | None, keys: Mapping[str, str | None]
    ) -> None:
        self._store = store
        self._has_door = door is not None
        self._hearings = Hearings(door, keys)

    @property
    def silences(self) -> tuple[Silence, ...]:
        """The services that could not be asked, and why."""
        return self._hearings.silences

    def audit(self, references: Sequence[Reference]) -> Iterator[Audited]:
        """Judge these references, in their order."""
        for start in range(0, len(references), _GROUP):
            cases = [_Case(one) for one in references[start : start + _GROUP]]
            if self._store:
                self._ask_library(self._store, cases)
            if self._has_door:
                self._ask_arxiv(cases)
            for witness in (*REGISTRIES, *OTHER_DOIS, *LINKING):
                self._ask(witness.name, [one for one in cases if not one.is_known])
            for witness in reversed(SEARCHED):
                self._ask(witness.name, [one for one in cases if _is_searched(one)])
            yield from map(self._judged, cases)

    def _ask_library(self, store: Store, cases: Sequence[_Case]) -> None:
        """What sources have told the library already, of works with one identifier or title."""
        # What the reader's own files say proves nothing about them.
        told_by_others = cache(lambda paper_id: not _is_own(store, paper_id))
        titled = cache(lambda title: [*filter(told_by_others, find_by_title(store, title))])
        for case in cases:
            facts = case.reference.facts
            like = {*filter(told_by_others, find_papers(store, facts.identifiers).values())}
            like |= {*titled(facts.title)} if facts.title else set()
            told = sorted(like)
            case.records += [Record(LIBRARY, one.facts) for one in get_papers(store, told)]

    def _ask_arxiv(self, cases: Sequence[_Case]) -> None:
        """Withdrawals and newer versions are arXiv's to tell, whoever knows the work."""
        by_id: dict[Identifier, list[_Case]] = {}
        for case in cases:
            if arxiv_id := case.reference.facts.identifier("arxiv"):
                by_id.setdefault(Identifier("arxiv", arxiv_id), []).append(case)
        for batch, told in self._hearings.ask_arxiv(list(by_id)):
            for one in batch:
                for case in by_id[one]:
                    _take_arxivs(case, one, told)

    def _ask(self, name: str, cases: Sequence[_Case]) -> None:
        hearing = self._hearings.by_name.get(name)
        if hearing is None:
            return
        asked = [one for one in cases if hearing.witness.answers_for(one.sought)]
        heard = hearing.ask([one.sought for one in asked]) if asked else {}
        for case in asked:
            if case.sought in heard:
                case.records += heard[case.sought]
                case.heard.add(name)
                case.missing |= _unregistered(case, name, heard[case.sought])
            else:
                case.silent.add(name)

    def _judged(self, case: _Case) -> Audited:
        # Of what nobody keeps a register of, nobody need have been asked.
        is_heard = bool(case.heard) or not is_registered(case.reference.facts)
        verdict = case.judge(is_complete=is_heard and not case.silent)
        return Audited(
            case.reference, verdict, tuple(sorted(case.heard)), tuple(sorted(case.silent))
        )


def _take_arxivs(case: _Case, one: Identifier, told: Fetched | None) -> None:
    """Take what arXiv says of the paper with this identifier; nothing where it did not answer."""
    if told is None:
        case.silent.add(ARXIV)
        return
    case.heard.add(ARXIV)
    case.missing |= {*told.missing} & {one}
    case.records += [_of(record) for record in told.records if record.identifier == one]


def _is_searched(case: _Case) -> bool:
    """Whether a search may tell more: of works that nobody has found, and of those with a title
    that is not what their identifier names."""
    facts = case.reference.facts
    if not facts.title or case.is_known:
        return False
    is_found = any(is_same_title(facts, one) for one in case.records)
    return not is_found and (is_registered(facts) or not facts.identifiers)


def _unregistered(case: _Case, name: str, told: Sequence[Record]) -> set[Identifier]:
    """The DOI that Crossref does not know, of a publisher that registers there."""
    dois = (one for one in case.reference.facts.identifiers if one.scheme == "doi")
    doi = next(dois, None)
    if doi is None or name != Crossref.name or told or DataCite().answers_for(doi):
        return set()
    return {doi}


def _is_own(store: Store, paper_id: int) -> bool:
    """Whether nobody but the reader's files has told what this paper is."""
    sources = field_sources(store, paper_id)
    return sources.get("title") in _OWN or sources.get("authors") in _OWN


def _of(record: SourceRecord) -> Record:
    return Record(record.source, record.facts, frozenset({"preprint"}))

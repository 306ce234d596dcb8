"""Audit references: ask sources about each, and compare its fields with their records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from papertrack.actions.online.fetching import Case, ServiceRun
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.documents.encoding import decode_bib
from papertrack.library.files import read_file
from papertrack.matching.audit import Finding, Verdict, audit, is_registered, is_same_title
from papertrack.matching.publications import Record
from papertrack.records import READER, Identifier, Paper
from papertrack.sources.published.services import (
    ARXIV,
    CROSSREF,
    DATACITE,
    LINKING,
    REGISTRIES,
    SEARCHED,
    title_of,
)
from papertrack.store.lookup import field_sources, find_by_title, find_papers, get_papers
from papertrack.store.store import Store

_GROUP = 500
_KINDS = {"manual": "a manual", "software": "software", "online": "a page", "electronic": "a page"}
_OWN = (READER, "document", "bibtex", None)
"""Sources of fields that are no evidence, because they are the user's or from their files."""


@dataclass(kw_only=True)
class Reference(Case):
    """A work that a file, a manuscript or the library refers to, and what sources say of it."""

    key: str
    file: str | None = None
    line: int | None = None
    stored: tuple[Record, ...] = ()
    """Records that the library has from earlier answers."""

    @property
    def records(self) -> list[Record]:
        """The records of the library and of services."""
        return [*self.stored, *super().records]

    @property
    def missing(self) -> list[Identifier]:
        """Identifiers that name nothing, according to their registry."""
        # Crossref does not know DataCite's DOIs.
        is_of_datacite = DATACITE.answers_for(self.request)
        registries = {"arxiv": ARXIV.name, "doi": "" if is_of_datacite else CROSSREF.name}
        return [
            Identifier(scheme, self.facts.identifier(scheme) or "")
            for scheme, name in registries.items()
            if self.answers.get((name, self.request)) == ()
        ]

    @cached_property
    def verdict(self) -> Verdict:
        """The result, which is final when all sources were asked."""
        # A work of a kind that no registry lists needs no answer.
        is_answered = bool(self.asked) or not is_registered(self.facts)
        return self._judge(is_complete=is_answered and not self.silent)

    @property
    def needs_asking(self) -> bool:
        """Whether the records do not show yet which work it is."""
        finding = self._judge(is_complete=True).finding
        return finding in (Finding.UNKNOWN, Finding.UNCHECKED, Finding.DIFFERS)

    @property
    def needs_search(self) -> bool:
        """Whether a title search could help.

        It can for works without a record, and for identifiers that name a work of another title.
        """
        is_searchable = is_registered(self.facts) or not self.facts.identifiers
        is_found = any(is_same_title(self.facts, record) for record in self.records)
        return is_searchable and not is_found and self.needs_asking

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of fields that differ from the work's."""
        return tuple(dict.fromkeys(difference.field for difference in self.verdict.differences))

    @property
    def reason(self) -> str | None:
        """Why it is unknown whether the work exists; None if it is known."""
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


class AuditRun(ServiceRun):
    """One audit. Without a door it asks the library only."""

    def audit(self, store: Store, references: Sequence[Reference]) -> Iterator[Reference]:
        """Audit these references, in order."""
        for start in range(0, len(references), _GROUP):
            group = references[start : start + _GROUP]
            _ask_library(store, group)
            self.ask(ARXIV, group)
            for service in (*REGISTRIES, DATACITE, *LINKING):
                self.ask(service, [reference for reference in group if reference.needs_asking])
            for service in reversed(SEARCHED):
                self.ask(service, [reference for reference in group if reference.needs_search])
            yield from group


def _ask_library(store: Store, references: Sequence[Reference]) -> None:
    """Add the library's records of works with the same identifier or title.

    Papers from the user's own files are no evidence.
    """

    @cache
    def is_from_source(paper_id: int) -> bool:
        sources = field_sources(store, paper_id)
        return not {sources.get("title"), sources.get("authors")} & {*_OWN}

    for reference in references:
        facts = reference.facts
        ids = {*find_papers(store, facts.identifiers).values()}
        ids |= {*find_by_title(store, facts.title)} if facts.title else set()
        papers = get_papers(store, sorted(filter(is_from_source, ids)))
        reference.stored = tuple(Record("library", paper.facts) for paper in papers)

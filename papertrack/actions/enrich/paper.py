"""Completing one paper by a source's record of it, without touching what is the reader's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal

from papertrack.identifiers.addresses import normalise_url
from papertrack.records import Author, Link, Paper, PaperFacts
from papertrack.sources.mentions import find_links, find_venue
from papertrack.sources.registry import title_of
from papertrack.sources.source import SourceRecord
from papertrack.store.answers import remember_answer
from papertrack.store.citekeys import Citekeys
from papertrack.store.lookup import citekey_of, field_sources, find_papers, get_paper
from papertrack.store.papers import READER, complete_paper, suggest
from papertrack.store.store import Store
from papertrack.store.suggestions import read_suggestions
from papertrack.text import fold, is_same_title

OFFERED_ROLES = ("code", "project", "data", "model", "demo", "video", "slides")
"""What an address in an abstract or a comment is offered as; others are mere references."""
KEPT_FROM = {
    "title": (READER, "document", "bibtex"),
    # A README's row often names the first author only: that is no text to keep.
    "authors": (READER, "bibtex"),
    "submitted": (READER,),
}
"""Fields that stay as the reader's own hand or files have them, and which sources these are."""


@dataclass(frozen=True, slots=True)
class News:
    """Something that happened to a paper since the library, or the reader, last saw it."""

    kind: Literal["version", "title", "withdrawn"]
    old: str | int | None
    """The version that was read, the former title; None for a withdrawal."""
    new: str | int | None


@dataclass(frozen=True, slots=True)
class EnrichedPaper:
    """What one record did to one paper."""

    paper_id: int
    citekey: str
    arxiv_id: str | None
    source: str
    """By its name in the registry: ``arxiv-api``, ``oai``, ``datacite``."""
    changed: tuple[str, ...]
    """The names of the fields that are new or different."""
    suggestions: int
    """How many new ones there are."""
    news: tuple[News, ...]
    conflicts: tuple[str, ...]
    """A sentence for each identifier that another paper has."""


def enrich_paper(
    store: Store, paper_id: int, record: SourceRecord, *, citekey_template: str
) -> EnrichedPaper:
    """Fill in what the record says; call it within an action.

    What the reader edited, and titles (from .bib files also authors) as their files have them,
    stay: where the source says something else, that becomes a suggestion. A citekey that was made
    while no author was known is replaced. Raises NotFoundError.
    """
    paper = get_paper(store, paper_id)
    facts, conflicts = _own_identifiers(store, paper_id, record)
    owners = field_sources(store, paper_id)
    keep = [field for field, sources in KEPT_FROM.items() if owners.get(field) in sources]
    facts = _without_less(paper.facts, facts)
    facts = _without_same(paper.facts, facts, keep)
    open_before = read_suggestions(store, paper_id=paper_id)
    changed = complete_paper(store, paper_id, facts, source=record.source, keep=keep)
    for field, value in _offers(paper.facts, record.facts):
        suggest(store, paper_id, field, value, source=record.source)
    remember_answer(store, paper_id, record.identifier, record.source)
    citekey = Citekeys(store, citekey_template).improve(paper)
    return EnrichedPaper(
        paper_id=paper_id,
        citekey=citekey,
        arxiv_id=facts.identifier("arxiv"),
        source=record.source,
        changed=tuple(changed),
        suggestions=len(set(read_suggestions(store, paper_id=paper_id)) - set(open_before)),
        news=_news(paper, facts, changed),
        conflicts=conflicts,
    )


def _own_identifiers(
    store: Store, paper_id: int, record: SourceRecord
) -> tuple[PaperFacts, tuple[str, ...]]:
    """The facts without identifiers that other papers have, and a sentence for each of those."""
    facts = record.facts
    theirs = {
        found: owner
        for found, owner in find_papers(store, facts.identifiers).items()
        if owner != paper_id
    }
    citekey = citekey_of(store, paper_id)
    conflicts = tuple(
        f"{found.scheme}:{found.value} belongs to {citekey_of(store, owner)}, and "
        f"{title_of(record.source)} says that it is {citekey}: `papertrack merge` makes them one, "
        "if they are."
        for found, owner in theirs.items()
    )
    kept = tuple(found for found in facts.identifiers if found not in theirs)
    return replace(facts, identifiers=kept), conflicts


def _without_less(known: PaperFacts, facts: PaperFacts) -> PaperFacts:
    """The facts without what says less than the library knows.

    That is all of an older version, and a month where the day is known.
    """
    if facts.version and known.version and facts.version < known.version:
        return _only_missing(known, facts)
    return replace(
        facts,
        submitted=_unless_less(known.submitted, facts.submitted),
        updated=_unless_less(known.updated, facts.updated),
    )


def _unless_less(known: str | None, date: str | None) -> str | None:
    return None if date and known and known.startswith(date) else date


def _only_missing(known: PaperFacts, facts: PaperFacts) -> PaperFacts:
    nothing = PaperFacts()
    present = {
        field.name: getattr(nothing, field.name)
        for field in fields(PaperFacts)
        if field.name != "identifiers" and getattr(known, field.name) not in (None, ())
    }
    return replace(facts, **present)


def _without_same(known: PaperFacts, facts: PaperFacts, kept: Sequence[str]) -> PaperFacts:
    """The facts without what only spells a text that is kept differently."""
    nothing = PaperFacts()
    same = {name: getattr(nothing, name) for name in kept if _is_same(name, known, facts)}
    return replace(facts, **same)


def _is_same(field: str, known: PaperFacts, facts: PaperFacts) -> bool:
    if field == "authors":
        return _names(known.authors) == _names(facts.authors)
    old, new = getattr(known, field) or "", getattr(facts, field) or ""
    return is_same_title(old, new) if field == "title" else new.startswith(old or "-")


def _names(authors: tuple[Author, ...]) -> list[str]:
    return [fold(author.name).replace(".", "") for author in authors]


def _offers(known: PaperFacts, facts: PaperFacts) -> Iterator[tuple[str, object]]:
    """What the authors mention and arXiv has no field for: addresses and a venue."""
    comment, abstract = facts.comment or "", facts.abstract or ""
    seen = {_comparable(link) for link in known.links}
    for link in (*find_links(comment), *find_links(abstract)):
        if link.role in OFFERED_ROLES and _comparable(link) not in seen:
            seen.add(_comparable(link))
            yield "links", (link.role, link.url, link.label)
    if known.venue is None and (venue := find_venue(comment)):
        yield "venue", venue


def _comparable(link: Link) -> str:
    return normalise_url(link.url) or link.url


def _news(before: Paper, facts: PaperFacts, changed: Sequence[str]) -> tuple[News, ...]:
    of_field = {
        "version": _news_of_version(before, facts),
        "title": _news_of_title(before, facts),
        "is_withdrawn": News("withdrawn", None, None) if facts.is_withdrawn else None,
    }
    return tuple(news for field, news in of_field.items() if news and field in changed)


def _news_of_version(before: Paper, facts: PaperFacts) -> News | None:
    read = max((reading.version or 0 for reading in before.readings), default=0)
    return News("version", read, facts.version) if 0 < read < (facts.version or 0) else None


def _news_of_title(before: Paper, facts: PaperFacts) -> News | None:
    old, new = before.facts.title, facts.title
    return News("title", old, new) if old and new and not is_same_title(old, new) else None

"""What is known of works that are asked for: by the library, where there is one, and by sources."""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.actions.enrich.references import resolve_reference
from papertrack.actions.online.fetching import fetch_in_time
from papertrack.actions.propose.request import Wanted
from papertrack.actions.propose.run import Found
from papertrack.errors import PapertrackError
from papertrack.records import Identifier, PaperFacts
from papertrack.sources import registry
from papertrack.sources.transport import Door
from papertrack.store.lookup import find_papers, get_paper
from papertrack.store.store import Store

SECONDS = 120.0
"""How long sources are waited for; nobody looks on where issues are answered."""


def facts_in_library(store: Store, wanted: Sequence[Wanted]) -> dict[Identifier, PaperFacts]:
    """Return what the library knows of works, of those with a title."""
    owners = find_papers(store, [one.identifier for one in wanted])
    facts = {identifier: get_paper(store, paper).facts for identifier, paper in owners.items()}
    return {identifier: known for identifier, known in facts.items() if known.title}


def identifiers_in_library(store: Store, reference: str) -> tuple[Identifier, ...]:
    """Return all identifiers of the paper that a reference names; none for any other text."""
    try:
        return get_paper(store, resolve_reference(store, reference)).facts.identifiers
    except PapertrackError:
        return ()


def ask_sources(door: Door, wanted: Sequence[Wanted]) -> Found:
    """Return what sources say of works; those that no source is for are not asked about."""
    asked = askable(wanted)
    if not asked:
        return Found()
    fetched = fetch_in_time(door, asked, SECONDS)
    facts = {identifier: record.facts for identifier, record in fetched.records.items()}
    is_unreachable = fetched.failure is not None
    return Found(facts, frozenset(asked), fetched.problem, is_unreachable)


def askable(wanted: Sequence[Wanted]) -> list[Identifier]:
    """Return what a source may know."""
    return [one.identifier for one in wanted if registry.best_identifier([one.identifier])]

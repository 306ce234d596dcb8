"""What sources can add to adding papers: their records at once, as far as they come in time."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from papertrack.actions.online.asked import asked_about
from papertrack.actions.online.fetching import fetch_in_time
from papertrack.identifiers import identify
from papertrack.records import Identifier
from papertrack.sources.record import SourceRecord
from papertrack.sources.registry import sources_for
from papertrack.sources.source import Source
from papertrack.sources.transport import Door
from papertrack.store.lookup import find_papers
from papertrack.store.store import Store
from papertrack.text import plural


def fetch_for_adding(
    store: Store, door: Door, texts: Sequence[str], *, seconds: float
) -> tuple[dict[Identifier, SourceRecord], str | None]:
    """The records of the works named, as far as they come in time, else why not.

    Papers that a source answered about before are not asked for, and of the others never more than
    one request to each source can hold.
    """
    named = {known for text in texts if (known := identify(text.strip()))}
    waiting = sorted(named - _answered(store, named), key=lambda one: (one.scheme, one.value))
    wanted: list[Identifier] = []
    problem = None
    for source, several in _by_source(waiting).items():
        most = source.ids_per_request
        wanted += several[:most]
        if len(several) > most:
            problem = f"{source.title} is asked about {plural(most, 'paper')} at once."
    if not wanted:
        return {}, None
    records, failure = fetch_in_time(door, wanted, seconds)
    return records, failure or problem


def _answered(store: Store, identifiers: Collection[Identifier]) -> set[Identifier]:
    """Those of papers of the library that a source has answered about."""
    owners = find_papers(store, identifiers)
    done = {one.paper_id for one in asked_about(store, list(owners.values())) if one.source}
    return {identifier for identifier, owner in owners.items() if owner in done}


def _by_source(identifiers: Sequence[Identifier]) -> dict[Source, list[Identifier]]:
    groups: dict[Source, list[Identifier]] = {}
    for identifier in identifiers:
        if sources := sources_for(identifier):
            groups.setdefault(sources[0], []).append(identifier)
    return groups

"""The sources of metadata. To add one, add a line here: see ``source``.

Importing this module is cheap: each source imports what it needs at its first use.
"""

from __future__ import annotations

from collections.abc import Iterable

from papertrack.records import Identifier
from papertrack.sources.arxiv_api import ArxivApi
from papertrack.sources.arxiv_oai import ArxivOai
from papertrack.sources.datacite import DataCite
from papertrack.sources.source import Source

SOURCES: tuple[Source, ...] = (
    ArxivApi(),
    ArxivOai(),
    DataCite(),
)
"""The sources, in order of preference: the first that answers is used."""


def sources_for(identifier: Identifier) -> list[Source]:
    """Return the sources that may know this identifier, in order of preference."""
    return [source for source in SOURCES if source.answers_for(identifier)]


def best_identifier(identifiers: Iterable[Identifier]) -> Identifier | None:
    """Return the identifier to look a work up by; None if no source knows any of them.

    The order of sources decides, so that arXiv completes a preprint even if it has a journal's DOI.
    """
    candidates = list(identifiers)
    usable = (i for source in SOURCES for i in candidates if source.answers_for(i))
    return next(usable, None)


def title_of(name: str) -> str:
    """Return a source's name for messages."""
    return next((source.title for source in SOURCES if source.name == name), name)


def has_stand_in(identifier: Identifier, name: str | None) -> bool:
    """Return whether this source is only a fallback for sources that know more."""
    return any(s.name == name and identifier.scheme in s.stands_in_for for s in SOURCES)

"""The sources of metadata. To add one, add a line here: see ``source``.

Importing this module is cheap: each source imports what it needs when it is used.
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
"""In order of preference: the first one that answers is used."""


def sources_for(identifier: Identifier) -> list[Source]:
    """Return the sources that may know this identifier, in order of preference."""
    return [source for source in SOURCES if source.answers_for(identifier)]


def best_identifier(identifiers: Iterable[Identifier]) -> Identifier | None:
    """Return the identifier by which to ask about a work; None if no source knows any of its
    identifiers.

    It is the one that the most preferred source knows, so that arXiv completes a preprint even
    if it has a journal's DOI.
    """
    known = list(identifiers)
    asked = (one for source in SOURCES for one in known if source.answers_for(one))
    return next(asked, None)


def title_of(name: str) -> str:
    """Return a source's name for messages."""
    return next((source.title for source in SOURCES if source.name == name), name)


def has_stand_in(identifier: Identifier, name: str | None) -> bool:
    """Return whether this source is only a fallback for sources that know more."""
    return any(s.name == name and identifier.scheme in s.stands_in_for for s in SOURCES)

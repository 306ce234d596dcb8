"""The sources that papers are completed from. The next one is a line here: see ``source``.

Importing this costs nothing: what a source needs to ask and to read is imported when it does.
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
"""In order of preference: the first one that answers is believed."""


def sources_for(identifier: Identifier) -> list[Source]:
    """Who may know the work of this identifier, in order of preference."""
    return [source for source in SOURCES if source.answers_for(identifier)]


def best_identifier(identifiers: Iterable[Identifier]) -> Identifier | None:
    """By which of a work's identifiers to ask about it; None when no source answers for any.

    It is the one that the most preferred source answers for, so that a preprint is completed by
    arXiv also when it has the DOI of a journal.
    """
    known = list(identifiers)
    asked = (one for source in SOURCES for one in known if source.answers_for(one))
    return next(asked, None)


def title_of(name: str) -> str:
    """How messages name the source of this name."""
    return next((source.title for source in SOURCES if source.name == name), name)


def has_stand_in(identifier: Identifier, name: str | None) -> bool:
    """Whether this source only stands in for those that know more of such works."""
    return any(s.name == name and identifier.scheme in s.stands_in_for for s in SOURCES)

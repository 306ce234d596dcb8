"""Who is asked where papers were published, in their order. The next one is a line here."""

from __future__ import annotations

from papertrack.sources.published.acl import AclAnthology
from papertrack.sources.published.crossref import Crossref, CrossrefSearch, DataCiteDois
from papertrack.sources.published.dblp import Dblp
from papertrack.sources.published.openalex import OpenAlex
from papertrack.sources.published.openreview import OpenReview
from papertrack.sources.published.semantic_scholar import SemanticScholar
from papertrack.sources.published.witness import Witness

REGISTRIES: tuple[Witness, ...] = (Crossref(), AclAnthology())
"""Who knows for sure what an identifier of a publication names."""
LINKING: tuple[Witness, ...] = (SemanticScholar(), OpenAlex())
"""Who knows which publication belongs to an arXiv id."""
SEARCHED: tuple[Witness, ...] = (Dblp(), OpenReview(), CrossrefSearch())
"""Who can only be searched by title: one request for each paper, the last resort."""
OTHER_DOIS: tuple[Witness, ...] = (DataCiteDois(),)
"""Who registers DOIs of other works than publications: asked about references alone."""
WITNESSES = (*REGISTRIES, *LINKING, *SEARCHED)
"""Those who have addresses of their own among the settings."""


def title_of(name: str) -> str:
    """How messages name who said something: the service of this name, or arXiv."""
    return next((one.title for one in (*WITNESSES, *OTHER_DOIS) if one.name == name), "arXiv")

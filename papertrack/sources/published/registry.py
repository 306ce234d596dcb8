"""The services that know publications, in order. To add one, add a line here."""

from __future__ import annotations

from papertrack.sources.arxiv_api import ArxivApi
from papertrack.sources.datacite import DataCite
from papertrack.sources.published.acl import AclAnthology
from papertrack.sources.published.crossref import Crossref, CrossrefSearch
from papertrack.sources.published.dblp import Dblp
from papertrack.sources.published.openalex import OpenAlex
from papertrack.sources.published.openreview import OpenReview
from papertrack.sources.published.semantic_scholar import SemanticScholar
from papertrack.sources.published.witness import OfSource, Witness

REGISTRIES: tuple[Witness, ...] = (Crossref(), AclAnthology())
"""Services that are authoritative on the identifiers of publications."""
LINKING: tuple[Witness, ...] = (SemanticScholar(), OpenAlex())
"""Services that link arXiv ids to publications."""
SEARCHED: tuple[Witness, ...] = (Dblp(), OpenReview(), CrossrefSearch())
"""Services that are searched by title, one request for each paper: the last resort."""
OTHER_DOIS: tuple[Witness, ...] = (OfSource(DataCite(), "datacite-dois", "doi", "registry"),)
"""The registry of software, data sets, theses and the proceedings of Dagstuhl.

Crossref does not have their DOIs. It is used for reference checks only.
"""
ARXIV = OfSource(ArxivApi(), ArxivApi.name, "arxiv", "preprint")
"""arXiv's own records, which are authoritative on withdrawals and newer versions."""
WITNESSES = (*REGISTRIES, *LINKING, *SEARCHED)
"""Services whose addresses are settings."""


def title_of(name: str) -> str:
    """Return the name of a service, or of arXiv, for messages."""
    return next((w.title for w in (*WITNESSES, *OTHER_DOIS) if w.name == name), "arXiv")

"""The services that know publications, in order. To add one, add a line here."""

from __future__ import annotations

from papertrack.sources.arxiv_api import ArxivApi
from papertrack.sources.datacite import DataCite
from papertrack.sources.published.linking import OpenAlex, SemanticScholar
from papertrack.sources.published.registries import AclAnthology, Crossref, CrossrefSearch
from papertrack.sources.published.searches import Dblp, OpenReview
from papertrack.sources.published.service import OfSource, Service

CROSSREF = Crossref()
REGISTRIES: tuple[Service, ...] = (CROSSREF, AclAnthology())
"""Services that are authoritative on the identifiers of publications."""
LINKING: tuple[Service, ...] = (SemanticScholar(), OpenAlex())
"""Services that link arXiv ids to publications."""
SEARCHED: tuple[Service, ...] = (Dblp(), OpenReview(), CrossrefSearch())
"""Services that are searched by title, one request for each paper: the last resort."""
DATACITE = OfSource(DataCite(), "datacite-dois", "doi", "registry")
"""The registry of software, data sets, theses and the proceedings of Dagstuhl.

Crossref does not have their DOIs. It is used for reference checks only.
"""
ARXIV = OfSource(ArxivApi(), ArxivApi.name, "arxiv", "preprint")
"""arXiv's own records, which are authoritative on withdrawals and newer versions."""
SERVICES = (*REGISTRIES, *LINKING, *SEARCHED)
"""Services whose addresses are settings."""


def title_of(name: str) -> str:
    """Return the name of a service, or of arXiv, for messages."""
    return next((s.title for s in (*SERVICES, DATACITE) if s.name == name), "arXiv")

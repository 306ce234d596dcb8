"""DataCite as a witness of references: software, data sets, theses and the proceedings of Dagstuhl
have DOIs that Crossref does not know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from papertrack.matching.publications import Record, Remark
from papertrack.records import Identifier
from papertrack.sources.datacite import DataCite
from papertrack.sources.published.witness import Sought, Told, Witness

if TYPE_CHECKING:
    from papertrack.sources.transport import Door


class DataCiteDois(Witness):
    """What the DOIs name that are not registered at Crossref."""

    name = "datacite-dois"
    title = DataCite.title
    setting = DataCite.setting
    url = DataCite.url
    schemes = ("doi",)

    def answers_for(self, work: Sought) -> bool:
        """Not for DOIs of publishers that register elsewhere."""
        doi = work.value("doi")
        return doi is not None and DataCite().answers_for(Identifier("doi", doi))

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Told:
        """The record of the one DOI."""
        (work,) = works
        told = DataCite().fetch((Identifier("doi", work.value("doi") or ""),), door)
        remarks: frozenset[Remark] = frozenset({"registry"})
        return {work: tuple(Record(self.name, one.facts, remarks) for one in told.records)}

"""The ACL Anthology: papers by their ids in it, as MODS. https://aclanthology.org/info/"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from papertrack.matching.publications import Record
from papertrack.matching.venues import year_in
from papertrack.records import Author, Identifier
from papertrack.sources.answers import parse_xml
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import unexpected
from papertrack.sources.published.witness import Hits, Sought, Witness, make_record, person

if TYPE_CHECKING:
    from lxml import etree

    from papertrack.sources.transport import Door

_MODS = {"m": "http://www.loc.gov/mods/v3"}


class AclAnthology(Witness):
    """The Anthology's own papers, including those without a DOI."""

    name = "acl-anthology"
    title = "the ACL Anthology"
    setting = "acl_url"
    url = "https://aclanthology.org"
    schemes = ("acl",)

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Hits:
        """Fetch the record of one work."""
        (work,) = works
        acl_id = work.value("acl") or ""
        response = door.ask_api(
            f"{door.endpoints[self.setting]}/{acl_id}.xml", expect=frozenset({200, 404})
        )
        if response.status == 404:
            return {work: ()}
        host = host_of(response.url)
        found = parse_xml(response.body, host=host, status=200).find("m:mods", _MODS)
        if found is None:
            raise unexpected("no record", host)
        return {work: (parse_mods(found, acl_id),)}


def parse_mods(mods: etree._Element, acl_id: str) -> Record:
    """Parse one paper of the Anthology as a record. Pure."""

    def said(path: str) -> str | None:
        return mods.findtext(path, None, _MODS)

    date = said("m:relatedItem/m:originInfo/m:dateIssued") or said("m:originInfo/m:dateIssued")
    pages = [said(f"m:part/m:extent/m:{end}") for end in ("start", "end")]
    return make_record(
        AclAnthology.name,
        title=said("m:titleInfo/m:title"),
        authors=[_author(one) for one in mods.findall("m:name[@type='personal']", _MODS)],
        venues=filter(None, [said("m:relatedItem[@type='host']/m:titleInfo/m:title")]),
        year=year_in(date or ""),
        type="inproceedings",
        doi=said("m:identifier[@type='doi']"),
        others=[Identifier("acl", acl_id)],
        fields=[("pages", "-".join(filter(None, pages)))],
        abstract=said("m:abstract"),
        remarks=["registry"],
    )


def _author(name: etree._Element) -> Author:
    given = " ".join(one.text or "" for one in name.findall("m:namePart[@type='given']", _MODS))
    return person(given, name.findtext("m:namePart[@type='family']", None, _MODS))

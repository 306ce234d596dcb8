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
    """Looks up papers of the Anthology, also those without a DOI."""

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
        mods = parse_xml(response.body, host=host, status=200).find("m:mods", _MODS)
        if mods is None:
            raise unexpected("no record", host)
        return {work: (parse_mods(mods, acl_id),)}


def parse_mods(mods: etree._Element, acl_id: str) -> Record:
    """Parse one paper of the Anthology as a record. Pure."""

    def text(path: str) -> str | None:
        return mods.findtext(path, None, _MODS)

    date = text("m:relatedItem/m:originInfo/m:dateIssued") or text("m:originInfo/m:dateIssued")
    pages = [text(f"m:part/m:extent/m:{end}") for end in ("start", "end")]
    return make_record(
        AclAnthology.name,
        title=text("m:titleInfo/m:title"),
        authors=[_author(name) for name in mods.findall("m:name[@type='personal']", _MODS)],
        venues=filter(None, [text("m:relatedItem[@type='host']/m:titleInfo/m:title")]),
        year=year_in(date or ""),
        type="inproceedings",
        doi=text("m:identifier[@type='doi']"),
        others=[Identifier("acl", acl_id)],
        fields=[("pages", "-".join(filter(None, pages)))],
        abstract=text("m:abstract"),
        remarks=["registry"],
    )


def _author(name: etree._Element) -> Author:
    given = " ".join(part.text or "" for part in name.findall("m:namePart[@type='given']", _MODS))
    return person(given, name.findtext("m:namePart[@type='family']", None, _MODS))

"""Registries of publications, which decide what their identifiers name: Crossref and the Anthology.

Crossref: https://api.crossref.org/swagger-ui/index.html; one request can filter by several DOIs,
and it asks for a contact address in the User-Agent. The ACL Anthology sends papers by their ids in
it, as MODS: https://aclanthology.org/info/.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from papertrack.matching.publications import Record, Remark
from papertrack.matching.venues import year_in
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.sources import answers
from papertrack.sources.endpoints import host_of
from papertrack.sources.published.service import (
    Hits,
    Service,
    make_record,
    person,
    type_by_venue,
)

if TYPE_CHECKING:
    from lxml import etree

    from papertrack.sources.transport import Door

_TYPES = {
    "journal-article": "article",
    "proceedings-article": "inproceedings",
    "dissertation": "phdthesis",
    "report": "techreport",
    "proceedings": "proceedings",
    **dict.fromkeys(("book-chapter", "book-section", "reference-entry"), "incollection"),
    **dict.fromkeys(("book", "monograph", "edited-book", "reference-book"), "book"),
}
_UPDATES = frozenset({"peer-review", "component", "grant"})
_RETRACTED = frozenset({"retraction", "withdrawal"})
_RESULTS = 8
"""Search results that are compared; the right one was once the eighth."""
_MODS = {"m": "http://www.loc.gov/mods/v3"}


class Crossref(Service):
    """Looks up works by DOI in the registry itself."""

    name = "crossref"
    title = "Crossref"
    setting = "crossref_url"
    url = "https://api.crossref.org"
    schemes = ("doi",)
    works_per_request = 40

    def fetch(self, works: Sequence[PaperFacts], door: Door) -> Hits:
        """Fetch the records of these DOIs; one with a comma, a separator of filters, goes alone."""
        dois = {work: (work.identifier("doi") or "").lower() for work in works}
        plain = [doi for doi in dois.values() if "," not in doi]
        words = {"filter": ",".join(f"doi:{doi}" for doi in plain), "rows": str(len(plain))}
        items = self.ask_list(door, "/works", "message", "items", **words) if plain else []
        for doi in {*dois.values()} - {*plain}:
            answer = self.ask(door, f"/works/{quote(doi, safe='/')}")
            items += answers.tables(answer, "message")
        by_doi = {str(record.doi).lower(): record for record in map(parse_work, items)}
        return {work: tuple(filter(None, [by_doi.get(doi)])) for work, doi in dois.items()}


class CrossrefSearch(Service):
    """Searches Crossref by title and author: the last resort."""

    name = "crossref-search"
    title = "Crossref's search"
    setting = Crossref.setting
    url = Crossref.url

    def find(self, work: PaperFacts, door: Door) -> Iterable[Record]:
        """Search by title and first author."""
        words = {"query.bibliographic": work.title or "", "rows": str(_RESULTS)}
        if work.authors:
            words["query.author"] = work.authors[0].name
        return map(parse_work, self.ask_list(door, "/works", "message", "items", **words))


class AclAnthology(Service):
    """Looks up papers of the Anthology, also those without a DOI."""

    name = "acl-anthology"
    title = "the ACL Anthology"
    setting = "acl_url"
    url = "https://aclanthology.org"
    schemes = ("acl",)

    def find(self, work: PaperFacts, door: Door) -> Iterable[Record]:
        """Fetch the record of one paper."""
        acl_id = work.identifier("acl") or ""
        response = door.ask_api(
            f"{door.endpoints[self.setting]}/{acl_id}.xml", expect=frozenset({200, 404})
        )
        if response.status == 404:
            return ()
        root = answers.parse_xml(response.body, host=host_of(response.url))
        mods = root.find("m:mods", _MODS)
        if mods is None:
            raise self.unexpected("no record", door)
        return (parse_mods(mods, acl_id),)


def parse_work(work: Mapping[str, object]) -> Record:
    """Parse one work of Crossref as a record. Pure."""
    kind = answers.text(work, "type") or ""
    updates = [answers.text(update, "type") for update in answers.tables(work, "updated-by")]
    titles = answers.texts(work, "container-title")
    venues = [*titles, *answers.texts(work, "event", "name")]
    type = _TYPES.get(kind)
    if type == "incollection" and "inproceedings" in map(type_by_venue, venues):
        type = "inproceedings"  # A chapter of proceedings in a series is a conference paper.
    title, subtitle = answers.text(work, "title"), answers.text(work, "subtitle")
    if title and subtitle and subtitle.casefold() not in title.casefold():
        title = f"{title}: {subtitle}"
    years = list(_years(work))
    record = make_record(
        Crossref.name,
        title=title,
        authors=(
            person(*(answers.text(author, part) for part in ("given", "family", "name")))
            for author in answers.tables(work, "author")
        ),
        venues=titles or venues,
        year=next(iter(years), None),
        type=type,
        doi=answers.text(work, "DOI"),
        arxiv=[
            answers.text(relation, "id") or ""
            for name in ("has-preprint", "is-version-of", "is-same-as")
            for relation in answers.tables(work, "relation", name)
        ],
        fields=(
            ("volume", answers.text(work, "volume")),
            ("number", answers.text(work, "issue")),
            ("pages", answers.text(work, "page") or answers.text(work, "article-number")),
            ("publisher", answers.text(work, "publisher")),
        ),
        abstract=answers.text(work, "abstract"),
        is_retracted=not _RETRACTED.isdisjoint(updates) or None,
        remarks=_remarks(work, kind),
    )
    return record._replace(years=frozenset(years))


def _years(work: Mapping[str, object]) -> Iterator[int]:
    """Yield the year in print first, then the years of other publication dates."""
    for name in ("published-print", "issued", "published", "published-online"):
        parts = answers.table(work, name).get("date-parts")
        first = parts[0] if isinstance(parts, list) and parts else None
        if year := answers.number(first[0]) if isinstance(first, list) and first else None:
            yield year


def _remarks(work: Mapping[str, object], kind: str) -> Iterator[Remark]:
    yield "registry"
    if kind == "posted-content":
        yield "preprint"
    if answers.tables(work, "update-to") or kind in _UPDATES:
        yield "update"


def parse_mods(mods: etree._Element, acl_id: str) -> Record:
    """Parse one paper of the Anthology as a record. Pure."""

    def text(path: str, element: etree._Element = mods) -> str | None:
        return element.findtext(path, None, _MODS)

    def author(name: etree._Element) -> Author:
        given = name.findall("m:namePart[@type='given']", _MODS)
        family = text("m:namePart[@type='family']", name)
        return person(" ".join(part.text or "" for part in given), family)

    date = text("m:relatedItem/m:originInfo/m:dateIssued") or text("m:originInfo/m:dateIssued")
    pages = [text(f"m:part/m:extent/m:{end}") for end in ("start", "end")]
    return make_record(
        AclAnthology.name,
        title=text("m:titleInfo/m:title"),
        authors=map(author, mods.findall("m:name[@type='personal']", _MODS)),
        venues=filter(None, [text("m:relatedItem[@type='host']/m:titleInfo/m:title")]),
        year=year_in(date or ""),
        type="inproceedings",
        doi=text("m:identifier[@type='doi']"),
        others=[Identifier("acl", acl_id)],
        fields=[("pages", "-".join(filter(None, pages)))],
        abstract=text("m:abstract"),
        remarks=["registry"],
    )

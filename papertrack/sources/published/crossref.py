"""Crossref, where publishers register DOIs: metadata of many works, and a search by title.

https://api.crossref.org/swagger-ui/index.html; one request can filter by several DOIs. Crossref
asks for a contact address in the User-Agent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from papertrack.matching.publications import Record, Remark
from papertrack.sources import answers
from papertrack.sources.published.witness import (
    Hits,
    Sought,
    Witness,
    make_record,
    person,
    type_by_venue,
)

if TYPE_CHECKING:
    from papertrack.sources.transport import Door


_TYPES = {
    "journal-article": "article",
    "proceedings-article": "inproceedings",
    "book-chapter": "incollection",
    "book-section": "incollection",
    "reference-entry": "incollection",
    "dissertation": "phdthesis",
    "report": "techreport",
    **dict.fromkeys(("book", "monograph", "edited-book", "reference-book"), "book"),
    "proceedings": "proceedings",
}
_UPDATES = frozenset({"peer-review", "component", "grant"})
_RETRACTED = frozenset({"retraction", "withdrawal"})
_RESULTS = 8
"""Search results that are compared; the right one was once the eighth."""


class Crossref(Witness):
    """Looks up works by DOI in the registry itself."""

    name = "crossref"
    title = "Crossref"
    setting = "crossref_url"
    url = "https://api.crossref.org"
    schemes = ("doi",)
    works_per_request = 40

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Hits:
        """Fetch the records of these DOIs; one with a comma, a separator of filters, goes alone."""
        dois = {work: doi.lower() for work in works if (doi := work.value("doi"))}
        plain = [doi for doi in dois.values() if "," not in doi]
        records = [*self._fetch_batch(plain, door)] if plain else []
        for doi in {*dois.values()} - {*plain}:
            records += self._fetch_single(doi, door)
        by_doi = {(record.doi or "").lower(): record for record in records}
        return {work: tuple(filter(None, [by_doi.get(doi)])) for work, doi in dois.items()}

    def _fetch_batch(self, dois: Sequence[str], door: Door) -> Iterator[Record]:
        filters = ",".join(f"doi:{doi}" for doi in dois)
        return map(parse_work, _items(self, door, filter=filters, rows=str(len(dois))))

    def _fetch_single(self, doi: str, door: Door) -> Iterator[Record]:
        if answer := self.ask(door, f"/works/{quote(doi, safe='/')}"):
            yield parse_work(answers.table(answer, "message"))


class CrossrefSearch(Witness):
    """Searches the same service by title and author: the last resort."""

    name = "crossref-search"
    title = "Crossref's search"
    setting = "crossref_url"
    url = Crossref.url

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Hits:
        """Search by title and first author."""
        (work,) = works
        words = {"query.bibliographic": work.title or "", "rows": str(_RESULTS)}
        if work.author:
            words["query.author"] = work.author
        return {work: tuple(map(parse_work, _items(self, door, **words)))}


def _items(witness: Witness, door: Door, **words: str) -> list[dict[str, object]]:
    """Return the works in one answer. Raises BadAnswer if it is not a list of works."""
    answer = witness.ask(door, "/works", **words)
    items = answers.table(answer, "message").get("items")
    if answers.text(answer, "status") != "ok" or not isinstance(items, list):
        raise witness.unexpected("no list of works", door)
    return answers.tables(items)


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
    record = make_record(
        Crossref.name,
        title=title,
        authors=(
            person(*(answers.text(author, part) for part in ("given", "family", "name")))
            for author in answers.tables(work, "author")
        ),
        venues=titles or venues,
        year=next(_years(work), None),
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
    return record._replace(years=frozenset(_years(work)))


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

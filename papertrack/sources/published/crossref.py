"""Crossref, where publishers register DOIs: metadata of many at once, and a search by title.

https://api.crossref.org/swagger-ui/index.html; a ``filter`` of several DOIs is one request.
Crossref asks for a contact address in the User-Agent.
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
_FOUND = 8
"""Results of a search that are looked at: the right one was seen in the eighth place."""


class Crossref(Witness):
    """Works by DOI, from the registry itself."""

    name = "crossref"
    title = "Crossref"
    setting = "crossref_url"
    url = "https://api.crossref.org"
    schemes = ("doi",)
    works_per_request = 40

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Hits:
        """Fetch the records of these DOIs. One with a comma is requested alone, since commas
        separate filters."""
        dois = {work: doi.lower() for work in works if (doi := work.value("doi"))}
        plain = [doi for doi in dois.values() if "," not in doi]
        records = [*self._listed(plain, door)] if plain else []
        for doi in {*dois.values()} - {*plain}:
            records += self._single(doi, door)
        found = {(one.doi or "").lower(): one for one in records}
        return {work: tuple(filter(None, [found.get(doi)])) for work, doi in dois.items()}

    def _listed(self, dois: Sequence[str], door: Door) -> Iterator[Record]:
        wanted = ",".join(f"doi:{doi}" for doi in dois)
        return map(parse_work, _items(self, door, filter=wanted, rows=str(len(dois))))

    def _single(self, doi: str, door: Door) -> Iterator[Record]:
        if told := self.ask(door, f"/works/{quote(doi, safe='/')}"):
            yield parse_work(answers.table(told, "message"))


class CrossrefSearch(Witness):
    """The search of the same service, if only title and author are known: the last resort."""

    name = "crossref-search"
    title = "Crossref's search"
    setting = "crossref_url"
    url = Crossref.url

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Hits:
        """Search by title and first author."""
        (work,) = works
        words = {"query.bibliographic": work.title or "", "rows": str(_FOUND)}
        if work.author:
            words["query.author"] = work.author
        return {work: tuple(map(parse_work, _items(self, door, **words)))}


def _items(witness: Witness, door: Door, **words: str) -> list[dict[str, object]]:
    """The works of one answer. Raises BadAnswer for anything else than a list of works."""
    answer = witness.ask(door, "/works", **words)
    items = answers.table(answer, "message").get("items")
    if answers.text(answer, "status") != "ok" or not isinstance(items, list):
        raise witness.unexpected("no list of works", door)
    return answers.tables(items)


def parse_work(work: Mapping[str, object]) -> Record:
    """Parse one work of Crossref as a record. Pure."""
    kind = answers.text(work, "type") or ""
    updates = [answers.text(one, "type") for one in answers.tables(work, "updated-by")]
    titles = answers.texts(work, "container-title")
    venues = [*titles, *answers.texts(work, "event", "name")]
    known = _TYPES.get(kind)
    if known == "incollection" and "inproceedings" in map(type_by_venue, venues):
        known = "inproceedings"  # A chapter of proceedings in a series is a paper of a conference.
    title, subtitle = answers.text(work, "title"), answers.text(work, "subtitle")
    if title and subtitle and subtitle.casefold() not in title.casefold():
        title = f"{title}: {subtitle}"
    record = make_record(
        Crossref.name,
        title=title,
        authors=(
            person(*(answers.text(one, part) for part in ("given", "family", "name")))
            for one in answers.tables(work, "author")
        ),
        venues=titles or venues,
        year=next(_years(work), None),
        type=known,
        doi=answers.text(work, "DOI"),
        arxiv=[
            answers.text(one, "id") or ""
            for name in ("has-preprint", "is-version-of", "is-same-as")
            for one in answers.tables(work, "relation", name)
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
    """The year of the printed work first; then when it was published otherwise."""
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

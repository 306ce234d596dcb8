"""OpenAlex: works by DOI, with preprint and publication as locations of one record.

https://docs.openalex.org. Since February 2026, lists and searches need a key. A single work by its
DOI is free, so without a key each work takes one request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from papertrack.identifiers import arxiv_doi, parse_arxiv_id, parse_doi
from papertrack.matching.publications import Record
from papertrack.matching.venues import is_server
from papertrack.records import Author
from papertrack.sources import answers
from papertrack.sources.published.witness import Hits, Sought, Witness, make_record, type_by_venue
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

_TYPES = {"book": "book", "book-chapter": "incollection", "dissertation": "phdthesis"}
_TYPE_OF_PLACE = {"conference": "inproceedings", "journal": "article"}
_BATCH = 50


class OpenAlex(Witness):
    """Looks up works by DOI, also by those that arXiv assigned."""

    name = "openalex"
    title = "OpenAlex"
    setting = "openalex_url"
    url = "https://api.openalex.org"
    key_setting = "openalex_key"
    schemes = ("arxiv", "doi")
    works_per_request = _BATCH

    def batch_size(self, key: str | None) -> int:
        """Return 1 without a key."""
        return self.works_per_request if key else 1

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Hits:
        """Fetch the records of these works with a key, or of one work without."""
        if key is None:
            (work,) = works
            answer = self.ask(door, f"/works/doi:{quote(_doi_of(work), safe='/')}")
            if answer is not None and not answers.text(answer, "id"):
                raise self.unexpected("no work", door)
            return {work: (parse_work(answers.table(answer)),) if answer else ()}
        dois = {_doi_of(work): work for work in works}
        words = {"filter": f"doi:{'|'.join(dois)}", "per-page": str(_BATCH), "api_key": key}
        results = answers.table(self.ask(door, "/works", **words)).get("results")
        if not isinstance(results, list):
            raise self.unexpected("no list of works", door)
        records: dict[Sought, tuple[Record, ...]] = dict.fromkeys(works, ())
        for result in answers.tables(results):
            for doi in _dois_in(result) & dois.keys():
                records[dois[doi]] = (*records[dois[doi]], parse_work(result))
        return records


def _doi_of(work: Sought) -> str:
    arxiv_id = work.value("arxiv")
    return (arxiv_doi(arxiv_id) if arxiv_id else work.value("doi") or "").lower()


def _dois_in(work: Mapping[str, object]) -> set[str]:
    """Return the DOIs of a work and its locations, in the form in which they are requested."""
    dois = filter(None, map(parse_doi, [answers.text(work, "doi") or "", *_addresses(work)]))
    arxiv = filter(None, map(parse_arxiv_id, _addresses(work)))
    return {doi.lower() for doi in dois} | {arxiv_doi(arxiv_id.id).lower() for arxiv_id in arxiv}


def _addresses(work: Mapping[str, object]) -> list[str]:
    places = answers.tables(work, "locations")
    return [answers.text(place, "landing_page_url") or "" for place in places]


def parse_work(work: Mapping[str, object]) -> Record:
    """Parse one work of OpenAlex as a record. Pure."""
    place = _publication_place(work)
    venue = answers.text(place, "source", "display_name")
    ends = (answers.text(work, "biblio", f"{end}_page") for end in ("first", "last"))
    kind = answers.text(work, "type") or ""
    addresses = answers.text(place, "landing_page_url"), answers.text(work, "doi")
    dois = filter(None, map(parse_doi, filter(None, addresses)))
    place_type = _TYPE_OF_PLACE.get(answers.text(place, "source", "type") or "")
    return make_record(
        OpenAlex.name,
        title=answers.text([work.get("title"), work.get("display_name")]),
        authors=(Author(_name(authorship)) for authorship in answers.tables(work, "authorships")),
        venues=[venue] if venue else [],
        year=answers.number(work, "publication_year"),
        type=_TYPES.get(kind) or place_type or type_by_venue(venue),
        doi=next((doi for doi in dois if not parse_arxiv_id(doi)), None),
        arxiv=_addresses(work),
        fields=(
            ("volume", answers.text(work, "biblio", "volume")),
            ("number", answers.text(work, "biblio", "issue")),
            ("pages", "-".join(dict.fromkeys(filter(None, ends)))),
        ),
        abstract=_abstract(answers.table(work, "abstract_inverted_index")),
        is_retracted=work.get("is_retracted") is True or None,
        remarks=["preprint"] if kind == "preprint" and not place else [],
    )


def _publication_place(work: Mapping[str, object]) -> dict[str, object]:
    """Return the first location that is not a repository; empty if there is none."""
    places = [*answers.tables(work, "primary_location"), *answers.tables(work, "locations")]
    for place in places:
        name, kind = (answers.text(place, "source", field) for field in ("display_name", "type"))
        if name and kind != "repository" and not is_server(name):
            return place
    return {}


def _name(authorship: Mapping[str, object]) -> str:
    author_name = answers.text(authorship, "author", "display_name")
    return clean(answers.text(authorship, "raw_author_name") or author_name or "")


def _abstract(index: Mapping[str, object]) -> str | None:
    """Return the text of an index that has the positions of each word."""
    by_position = sorted(
        (position, word)
        for word, places in index.items()
        if isinstance(places, list)
        for position in places
        if isinstance(position, int)
    )
    return " ".join(word for _, word in by_position) or None

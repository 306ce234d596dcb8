"""OpenAlex: works by DOI, preprint and publication as places of one record.

https://docs.openalex.org. Since February 2026 lists and searches need a key; a single work by its
DOI is free, so that without a key works are asked about one by one.
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
_PLACES = {"conference": "inproceedings", "journal": "article"}
_BATCH = 50


class OpenAlex(Witness):
    """Works by the DOIs that arXiv gave, and by others."""

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
        """Fetch the records of these works, with a key, or of one work."""
        if key is None:
            (work,) = works
            told = self.ask(door, f"/works/doi:{quote(_doi_of(work), safe='/')}")
            if told is not None and not answers.text(told, "id"):
                raise self.unexpected("no work", door)
            return {work: (parse_work(answers.table(told)),) if told else ()}
        dois = {_doi_of(work): work for work in works}
        words = {"filter": f"doi:{'|'.join(dois)}", "per-page": str(_BATCH), "api_key": key}
        results = answers.table(self.ask(door, "/works", **words)).get("results")
        if not isinstance(results, list):
            raise self.unexpected("no list of works", door)
        found: dict[Sought, tuple[Record, ...]] = dict.fromkeys(works, ())
        for one in answers.tables(results):
            for doi in _dois_in(one) & dois.keys():
                found[dois[doi]] = (*found[dois[doi]], parse_work(one))
        return found


def _doi_of(work: Sought) -> str:
    arxiv_id = work.value("arxiv")
    return (arxiv_doi(arxiv_id) if arxiv_id else work.value("doi") or "").lower()


def _dois_in(told: Mapping[str, object]) -> set[str]:
    """The DOIs of a work and of its places, as they are asked for."""
    known = filter(None, map(parse_doi, [answers.text(told, "doi") or "", *_addresses(told)]))
    arxiv = filter(None, map(parse_arxiv_id, _addresses(told)))
    return {doi.lower() for doi in known} | {arxiv_doi(one.id).lower() for one in arxiv}


def _addresses(told: Mapping[str, object]) -> list[str]:
    places = answers.tables(told, "locations")
    return [answers.text(place, "landing_page_url") or "" for place in places]


def parse_work(told: Mapping[str, object]) -> Record:
    """Parse one work of OpenAlex as a record. Pure."""
    place = _published_at(told)
    venue = answers.text(place, "source", "display_name")
    ends = (answers.text(told, "biblio", f"{end}_page") for end in ("first", "last"))
    kind = answers.text(told, "type") or ""
    addresses = answers.text(place, "landing_page_url"), answers.text(told, "doi")
    dois = filter(None, map(parse_doi, filter(None, addresses)))
    by_place = _PLACES.get(answers.text(place, "source", "type") or "")
    return make_record(
        OpenAlex.name,
        title=answers.text([told.get("title"), told.get("display_name")]),
        authors=(Author(_name(one)) for one in answers.tables(told, "authorships")),
        venues=[venue] if venue else [],
        year=answers.number(told, "publication_year"),
        type=_TYPES.get(kind) or by_place or type_by_venue(venue),
        doi=next((doi for doi in dois if not parse_arxiv_id(doi)), None),
        arxiv=_addresses(told),
        fields=(
            ("volume", answers.text(told, "biblio", "volume")),
            ("number", answers.text(told, "biblio", "issue")),
            ("pages", "-".join(dict.fromkeys(filter(None, ends)))),
        ),
        abstract=_abstract(answers.table(told, "abstract_inverted_index")),
        is_retracted=told.get("is_retracted") is True or None,
        remarks=["preprint"] if kind == "preprint" and not place else [],
    )


def _published_at(told: Mapping[str, object]) -> dict[str, object]:
    """The place where it appeared: the first that is no repository; nothing if there is none."""
    places = [*answers.tables(told, "primary_location"), *answers.tables(told, "locations")]
    for place in places:
        name, kind = (answers.text(place, "source", one) for one in ("display_name", "type"))
        if name and kind != "repository" and not is_server(name):
            return place
    return {}


def _name(authorship: Mapping[str, object]) -> str:
    own = answers.text(authorship, "author", "display_name")
    return clean(answers.text(authorship, "raw_author_name") or own or "")


def _abstract(index: Mapping[str, object]) -> str | None:
    """The text of which it keeps, for each word, where it stands."""
    placed = sorted(
        (at, word)
        for word, places in index.items()
        if isinstance(places, list)
        for at in places
        if isinstance(at, int)
    )
    return " ".join(word for _, word in placed) or None

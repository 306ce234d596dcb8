"""Services that link preprints to publications: Semantic Scholar and OpenAlex.

Semantic Scholar looks up to 500 works in one request: https://api.semanticscholar.org/api-docs/graph.
It merges preprint and publication into one record, at times of two works, so its links need a
confirmation. Its year may be the preprint's, unless the DBLP key in the record has the year of
publication. OpenAlex has preprint and publication as locations of one record. Since February 2026
its lists need a key; a single work by its DOI is free: https://docs.openalex.org.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from papertrack.identifiers import arxiv_doi, parse_arxiv_id, parse_doi
from papertrack.matching.publications import Record
from papertrack.matching.venues import full_year, is_server
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.sources import answers
from papertrack.sources.published.service import (
    Hits,
    Service,
    make_record,
    type_by_venue,
)
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

_FIELDS = "title,authors,year,venue,publicationVenue,journal,externalIds,publicationTypes,abstract"
_REFERENCES = ",".join(
    f"references.{name}" for name in ("title", "authors", "year", "venue", "externalIds")
)
_DBLP_YEAR = re.compile(r"^(conf|journals)/(?!corr/)[^/]+/[^/]*?([0-9]{2}|[0-9]{4})[a-z]*$")
_MOST_WORDS, _LONGEST_WORD = 10_000, 100
"""What is read of an abstract."""
_TYPES = {"book": "book", "book-chapter": "incollection", "dissertation": "phdthesis"}
_TYPE_OF_PLACE = {"conference": "inproceedings", "journal": "article"}


class SemanticScholar(Service):
    """Links arXiv ids and DOIs to publications."""

    name = "semantic-scholar"
    title = "Semantic Scholar"
    setting = "semantic_scholar_url"
    url = "https://api.semanticscholar.org/graph/v1"
    key_setting = "semantic_scholar_key"
    schemes = ("arxiv", "doi")
    works_per_request = 500
    fields = _FIELDS

    def fetch(self, works: Sequence[PaperFacts], door: Door) -> Hits:
        """Fetch the records of these works, in one request."""
        key = self.key(door)
        response = door.ask_api(
            f"{door.endpoints[self.setting]}/paper/batch?fields={self.fields}",
            payload=json.dumps({"ids": list(map(_id_of, works))}).encode(),
            headers={"x-api-key": key} if key else {},
            expect=frozenset({200, 400}),
        )
        answer = answers.read_json(response)
        if response.status == 400 and "No valid paper ids" in (answers.text(answer, "error") or ""):
            return dict.fromkeys(works, ())
        if not isinstance(answer, list) or len(answer) != len(works):
            raise self.unexpected("no list of these works", door, response.status)
        papers = map(answers.table, answer)
        return {work: self.records_in(paper) for work, paper in zip(works, papers, strict=True)}

    def records_in(self, paper: Mapping[str, object]) -> tuple[Record, ...]:
        """Return the records in the answer about one work, which is empty if it is unknown."""
        return (parse_paper(paper),) if paper else ()


class References(SemanticScholar):
    """Looks up the references of works at the same service, if they have titles."""

    name = "semantic-scholar-references"
    works_per_request = 50
    """Works have many references; an answer has at most 10 MB."""
    fields = _REFERENCES

    def records_in(self, paper: Mapping[str, object]) -> tuple[Record, ...]:
        """Return the works that one work cites."""
        references = answers.tables(paper, "references")
        return tuple(parse_paper(cited) for cited in references if answers.text(cited, "title"))


class OpenAlex(Service):
    """Looks up works by DOI, also by those that arXiv assigned."""

    name = "openalex"
    title = "OpenAlex"
    setting = "openalex_url"
    url = "https://api.openalex.org"
    key_setting = "openalex_key"
    schemes = ("arxiv", "doi")
    works_per_request = 50

    def batch_size(self, door: Door) -> int:
        """Return 1 without a key."""
        return self.works_per_request if self.key(door) else 1

    def fetch(self, works: Sequence[PaperFacts], door: Door) -> Hits:
        """Fetch the records of these works with a key, or of one work without."""
        key = self.key(door)
        if key is None:
            return super().fetch(works, door)
        dois = {_doi_of(work): work for work in works}
        words = {"filter": f"doi:{'|'.join(dois)}", "per-page": str(len(dois)), "api_key": key}
        records: dict[PaperFacts, tuple[Record, ...]] = dict.fromkeys(works, ())
        for result in self.ask_list(door, "/works", "results", **words):
            for doi in _dois_in(result) & dois.keys():
                records[dois[doi]] = (*records[dois[doi]], parse_work(result))
        return records

    def find(self, work: PaperFacts, door: Door) -> Iterable[Record]:
        """Fetch the record of one work."""
        answer = self.ask(door, f"/works/doi:{quote(_doi_of(work), safe='/')}")
        if answer is not None and not answers.text(answer, "id"):
            raise self.unexpected("no work", door)
        return (parse_work(answers.table(answer)),) if answer else ()


def _id_of(work: PaperFacts) -> str:
    arxiv_id = work.identifier("arxiv")
    return f"ARXIV:{arxiv_id}" if arxiv_id else f"DOI:{work.identifier('doi')}"


def _doi_of(work: PaperFacts) -> str:
    arxiv_id = work.identifier("arxiv")
    return (arxiv_doi(arxiv_id) if arxiv_id else work.identifier("doi") or "").lower()


def parse_paper(paper: Mapping[str, object]) -> Record:
    """Parse one paper of Semantic Scholar as a record. Pure."""
    places = (("publicationVenue", "name"), ("venue",), ("journal", "name"))
    venue = next(filter(None, (answers.text(paper, *place) for place in places)), None)
    key = answers.text(paper, "externalIds", "DBLP") or ""
    doi, acl = (answers.text(paper, "externalIds", name) for name in ("DOI", "ACL"))
    in_dblp = _DBLP_YEAR.match(key)
    kind = answers.text(paper, "publicationVenue", "type") or ""
    type, year = _TYPE_OF_PLACE.get(kind) or type_by_venue(venue), None
    if in_dblp:  # ``conf/iclr/KingmaB15`` is of 2015.
        type = "inproceedings" if in_dblp[1] == "conf" else "article"
        year = full_year(int(in_dblp[2]))
    parsed_doi = parse_doi(doi or "")
    is_guess = not year and (parsed_doi is None or parse_arxiv_id(parsed_doi) is not None)
    ids = (("acl", acl), ("dblp", key if in_dblp else None))
    return make_record(
        SemanticScholar.name,
        title=answers.text(paper, "title"),
        authors=(
            Author(clean(answers.text(author, "name") or ""))
            for author in answers.tables(paper, "authors")
        ),
        venues=filter(None, [venue]),
        year=year or answers.number(paper, "year"),
        type=type,
        doi=doi,
        arxiv=[answers.text(paper, "externalIds", "ArXiv") or ""],
        others=[Identifier(scheme, value) for scheme, value in ids if value],
        fields=((name, answers.text(paper, "journal", name)) for name in ("volume", "pages")),
        abstract=answers.text(paper, "abstract"),
        remarks=["guessed year"] if is_guess else [],
    )


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
        venues=filter(None, [venue]),
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


def _dois_in(work: Mapping[str, object]) -> set[str]:
    """Return the DOIs of a work and its locations, in the form in which they are requested."""
    dois = filter(None, map(parse_doi, [answers.text(work, "doi") or "", *_addresses(work)]))
    arxiv = filter(None, map(parse_arxiv_id, _addresses(work)))
    return {doi.lower() for doi in dois} | {arxiv_doi(arxiv_id.id).lower() for arxiv_id in arxiv}


def _addresses(work: Mapping[str, object]) -> list[str]:
    places = answers.tables(work, "locations")
    return [answers.text(place, "landing_page_url") or "" for place in places]


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
    """Return the text of an index that has the positions of each word.

    A few bytes may name one long word thousands of times.
    """
    words = {
        position: word[:_LONGEST_WORD]
        for word, places in index.items()
        if isinstance(places, list)
        for position in places
        if isinstance(position, int)
    }
    return " ".join(words[at] for at in sorted(words)[:_MOST_WORDS]) or None

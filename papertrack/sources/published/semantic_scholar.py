"""Semantic Scholar: up to 500 works in one request, by arXiv ids and DOIs.

https://api.semanticscholar.org/api-docs/graph. It merges preprint and publication into one record,
at times of two works, so its links need a confirmation. Its year may be the preprint's, unless the
DBLP key in the record has the year of publication.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from papertrack.identifiers import parse_arxiv_id, parse_doi
from papertrack.matching.publications import Record, Remark
from papertrack.matching.venues import full_year
from papertrack.records import Author, Identifier
from papertrack.sources import answers
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import unexpected
from papertrack.sources.published.witness import Hits, Sought, Witness, make_record, type_by_venue
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

_FIELDS = "title,authors,year,venue,publicationVenue,journal,externalIds,publicationTypes,abstract"
_REFERENCES = ",".join(
    f"references.{name}" for name in ("title", "authors", "year", "venue", "externalIds")
)
_DBLP_YEAR = re.compile(r"^(conf|journals)/(?!corr/)[^/]+/[^/]*?([0-9]{2}|[0-9]{4})[a-z]*$")


class SemanticScholar(Witness):
    """Links arXiv ids and DOIs to publications."""

    name = "semantic-scholar"
    title = "Semantic Scholar"
    setting = "semantic_scholar_url"
    url = "https://api.semanticscholar.org/graph/v1"
    key_setting = "semantic_scholar_key"
    schemes = ("arxiv", "doi")
    works_per_request = 500

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Hits:
        """Fetch the records of these works, in one request."""
        papers = ask_batch(door, [_id_of(work) for work in works], _FIELDS, key)
        return {
            work: (parse_paper(paper),) if paper else ()
            for work, paper in zip(works, papers, strict=True)
        }


class References(Witness):
    """Looks up the references of works at the same service."""

    name = "semantic-scholar-references"
    title = SemanticScholar.title
    setting = SemanticScholar.setting
    url = SemanticScholar.url
    key_setting = SemanticScholar.key_setting
    schemes = SemanticScholar.schemes
    works_per_request = 50
    """Works have many references; an answer has at most 10 MB."""

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Hits:
        """Fetch the works that each of these works cites, if they have titles."""
        papers = ask_batch(door, [_id_of(work) for work in works], _REFERENCES, key)
        return {
            work: tuple(
                parse_paper(reference)
                for reference in answers.tables(paper, "references")
                if answers.text(reference, "title")
            )
            for work, paper in zip(works, papers, strict=True)
        }


def ask_batch(
    door: Door, ids: Sequence[str], fields: str, key: str | None
) -> list[dict[str, object]]:
    """Return a record for each of these ids, an empty one for an unknown id.

    Raises SourceFailure, also if the response has another number of records.
    """
    response = door.ask_api(
        f"{door.endpoints[SemanticScholar.setting]}/paper/batch?fields={fields}",
        payload=json.dumps({"ids": list(ids)}).encode(),
        headers={"x-api-key": key} if key else {},
        expect=frozenset({200, 400}),
    )
    answer = answers.read_json(response)
    if response.status == 400:
        if "No valid paper ids" in str(answers.text(answer, "error")):
            return [{} for _ in ids]
        raise unexpected("no list of works", host_of(response.url), response.status)
    if not isinstance(answer, list) or len(answer) != len(ids):
        raise unexpected("another number of works than requested", host_of(response.url))
    return [answers.table(paper) for paper in answer]


def _id_of(work: Sought) -> str:
    arxiv_id = work.value("arxiv")
    return f"ARXIV:{arxiv_id}" if arxiv_id else f"DOI:{work.value('doi')}"


def parse_paper(paper: Mapping[str, object]) -> Record:
    """Parse one paper of Semantic Scholar as a record. Pure."""
    ids = answers.table(paper, "externalIds")
    places = (("publicationVenue", "name"), ("venue",), ("journal", "name"))
    venue = next(filter(None, (answers.text(paper, *place) for place in places)), None)
    key = answers.text(ids, "DBLP") or ""
    year_match, acl = _DBLP_YEAR.match(key), answers.text(ids, "ACL")
    # ``conf/iclr/KingmaB15`` is of 2015.
    year = full_year(int(year_match[2])) if year_match else None
    others = [Identifier("acl", acl)] if acl else []
    others += [Identifier("dblp", key)] if year_match else []
    doi = parse_doi(answers.text(ids, "DOI") or "")
    has_doi = doi is not None and parse_arxiv_id(doi) is None
    remarks: list[Remark] = [] if year or has_doi else ["guessed year"]
    return make_record(
        SemanticScholar.name,
        title=answers.text(paper, "title"),
        authors=(
            Author(clean(answers.text(author, "name") or ""))
            for author in answers.tables(paper, "authors")
        ),
        venues=[venue] if venue else [],
        year=year or answers.number(paper, "year"),
        type=_type(key, paper, venue),
        doi=answers.text(ids, "DOI"),
        arxiv=[answers.text(ids, "ArXiv") or ""],
        others=others,
        fields=((name, answers.text(paper, "journal", name)) for name in ("volume", "pages")),
        abstract=answers.text(paper, "abstract"),
        remarks=remarks,
    )


def _type(key: str, paper: Mapping[str, object], venue: str | None) -> str | None:
    if match := _DBLP_YEAR.match(key):
        return "inproceedings" if match[1] == "conf" else "article"
    kind = answers.text(paper, "publicationVenue", "type")
    type = {"conference": "inproceedings", "journal": "article"}.get(kind or "")
    return type or type_by_venue(venue)

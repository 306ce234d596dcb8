"""DBLP: a search by title, with the best coverage of computer science.

https://dblp.org/faq/How+to+use+the+dblp+search+API.html. At times it sends programs a check for
robots; this counts as no answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from papertrack.matching.publications import Record
from papertrack.records import Author, Identifier
from papertrack.sources import answers
from papertrack.sources.published.witness import Hits, Sought, Witness, make_record
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

_RESULTS = 8
_TYPES = {
    "Conference and Workshop Papers": "inproceedings",
    "Journal Articles": "article",
    "Books and Theses": "book",
    "Parts in Books or Collections": "incollection",
}


class Dblp(Witness):
    """Searches DBLP by title."""

    name = "dblp"
    title = "DBLP"
    setting = "dblp_url"
    url = "https://dblp.org/search/publ/api"
    pace = 2.0

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Hits:
        """Search by title and the first author's family name."""
        (work,) = works
        family = (work.author or "").rpartition(" ")[2]
        answer = self.ask(door, q=clean(f"{work.title} {family}"), format="json", h=str(_RESULTS))
        if "hits" not in answers.table(answer, "result"):
            raise self.unexpected("no list of works", door)
        hits = (
            answers.table(hit, "info") for hit in answers.tables(answer, "result", "hits", "hit")
        )
        return {work: tuple(map(parse_hit, hits))}


def parse_hit(info: Mapping[str, object]) -> Record:
    """Parse one publication of DBLP as a record. Pure."""
    authors = answers.table(info, "authors").get("author")
    key = answers.text(info, "key") or ""
    is_preprint = answers.text(info, "type") == "Informal and Other Publications"
    return make_record(
        Dblp.name,
        title=(answers.text(info, "title") or "").removesuffix("."),
        authors=[Author(clean(name)) for name in _names(authors)],
        venues=answers.texts(info, "venue")[:1],
        year=answers.number(info, "year"),
        type=_TYPES.get(answers.text(info, "type") or ""),
        doi=answers.text(info, "doi"),
        others=[Identifier("dblp", key)] if key else [],
        fields=[(name, answers.text(info, name)) for name in ("volume", "number", "pages")],
        remarks=["preprint"] if is_preprint or key.startswith("journals/corr/") else [],
    )


def _names(authors: object) -> list[str]:
    """Return author names without the number that distinguishes namesakes.

    Each is a text or an object with one: ``{"@pid": …, "text": "A. Ba 0001"}``.
    """
    entries = authors if isinstance(authors, list) else [authors]
    names = (entry.get("text") if isinstance(entry, dict) else entry for entry in entries)
    return [re.sub(r" \d{4}$", "", name) for name in names if isinstance(name, str)]

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

_FOUND = 8
_TYPES = {
    "Conference and Workshop Papers": "inproceedings",
    "Journal Articles": "article",
    "Books and Theses": "book",
    "Parts in Books or Collections": "incollection",
}


class Dblp(Witness):
    """Works by title in DBLP."""

    name = "dblp"
    title = "DBLP"
    setting = "dblp_url"
    url = "https://dblp.org/search/publ/api"
    pace = 2.0

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Hits:
        """Search by title and the first author's family name."""
        (work,) = works
        family = (work.author or "").rpartition(" ")[2]
        told = self.ask(door, q=clean(f"{work.title} {family}"), format="json", h=str(_FOUND))
        if "hits" not in answers.table(told, "result"):
            raise self.unexpected("no list of works", door)
        found = (
            answers.table(one, "info") for one in answers.tables(told, "result", "hits", "hit")
        )
        return {work: tuple(map(parse_hit, found))}


def parse_hit(info: Mapping[str, object]) -> Record:
    """Parse one publication of DBLP as a record. Pure."""
    named = answers.table(info, "authors").get("author")
    key = answers.text(info, "key") or ""
    is_preprint = answers.text(info, "type") == "Informal and Other Publications"
    return make_record(
        Dblp.name,
        title=(answers.text(info, "title") or "").removesuffix("."),
        authors=[Author(clean(one)) for one in _names(named)],
        venues=answers.texts(info, "venue")[:1],
        year=answers.number(info, "year"),
        type=_TYPES.get(answers.text(info, "type") or ""),
        doi=answers.text(info, "doi"),
        others=[Identifier("dblp", key)] if key else [],
        fields=[(name, answers.text(info, name)) for name in ("volume", "number", "pages")],
        remarks=["preprint"] if is_preprint or key.startswith("journals/corr/") else [],
    )


def _names(named: object) -> list[str]:
    """Names, of which each is a text or an object with one: ``{"@pid": …, "text": "A. Ba 0001"}``,
    without the number that tells namesakes apart."""
    several = named if isinstance(named, list) else [named]
    told = (one.get("text") if isinstance(one, dict) else one for one in several)
    return [re.sub(r" \d{4}$", "", one) for one in told if isinstance(one, str)]

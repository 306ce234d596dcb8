"""Services that can only be searched by title: DBLP and OpenReview.

DBLP has the best coverage of computer science. At times it sends programs a check for robots, which
counts as no answer: https://dblp.org/faq/How+to+use+the+dblp+search+API.html. Of OpenReview only
accepted papers count; notes from before 2023 have plain values, later ones ``{"value": …}``:
https://docs.openreview.net/reference/api-v2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from papertrack.matching.publications import Record
from papertrack.matching.venues import year_in
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.sources import answers
from papertrack.sources.published.service import Service, make_record
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

_RESULTS = "8"
_TYPES = {
    "Conference and Workshop Papers": "inproceedings",
    "Journal Articles": "article",
    "Books and Theses": "book",
    "Parts in Books or Collections": "incollection",
}
_REFUSED = re.compile(
    r"submitted to|withdrawn|rejected|desk[ _-]?reject|under review|submission\b|archived",
    re.IGNORECASE,
)
_ACCEPTANCE = re.compile(
    r"(?<!\s)\s*(?:\(?(?:poster|oral|spotlight|notable[- ]top[- ]\d+%|conference|accept(?:ed)?)\b"
    r".*)?$",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^accepted (?:by|at|to) ", re.IGNORECASE)


class Dblp(Service):
    """Searches DBLP by title."""

    name = "dblp"
    title = "DBLP"
    setting = "dblp_url"
    url = "https://dblp.org/search/publ/api"
    pace = 2.0

    def find(self, work: PaperFacts, door: Door) -> Iterable[Record]:
        """Search by title and the first author's family name."""
        family = work.authors[0].name.rpartition(" ")[2] if work.authors else ""
        answer = self.ask(door, q=clean(f"{work.title} {family}"), format="json", h=_RESULTS)
        if "hits" not in answers.table(answer, "result"):
            raise self.unexpected("no list of works", door)
        hits = answers.tables(answer, "result", "hits", "hit")
        return (parse_hit(answers.table(hit, "info")) for hit in hits)


class OpenReview(Service):
    """Searches OpenReview by title."""

    name = "openreview"
    title = "OpenReview"
    setting = "openreview_url"
    url = "https://api2.openreview.net"

    def find(self, work: PaperFacts, door: Door) -> Iterable[Record]:
        """Search by title."""
        words = {"term": work.title or "", "content": "all", "source": "forum", "limit": _RESULTS}
        return map(parse_note, self.ask_list(door, "/notes/search", "notes", **words))


def parse_hit(info: Mapping[str, object]) -> Record:
    """Parse one publication of DBLP as a record. Pure."""
    authors = answers.table(info, "authors").get("author")
    # Each is a text or an object with one: ``{"@pid": …, "text": "A. Ba 0001"}``.
    names = (
        answers.text(author, "text") if isinstance(author, dict) else answers.text(author)
        for author in (authors if isinstance(authors, list) else [authors])
    )
    key = answers.text(info, "key") or ""
    is_preprint = answers.text(info, "type") == "Informal and Other Publications"
    return make_record(
        Dblp.name,
        title=(answers.text(info, "title") or "").removesuffix("."),
        # Without the number that distinguishes namesakes.
        authors=[Author(clean(re.sub(r" \d{4}$", "", name))) for name in names if name],
        venues=answers.texts(info, "venue")[:1],
        year=answers.number(info, "year"),
        type=_TYPES.get(answers.text(info, "type") or ""),
        doi=answers.text(info, "doi"),
        others=[Identifier("dblp", key)] if key else [],
        fields=[(name, answers.text(info, name)) for name in ("volume", "number", "pages")],
        remarks=["preprint"] if is_preprint or key.startswith("journals/corr/") else [],
    )


def parse_note(note: Mapping[str, object]) -> Record:
    """Parse one note of OpenReview as a record. Pure."""
    content = {
        name: value.get("value") if isinstance(value, dict) else value
        for name, value in answers.table(note, "content").items()
    }
    venue = _LEAD.sub("", clean(answers.text(content, "venue") or ""))
    place = answers.text(content, "venueid") or ""
    forum = answers.text([note.get("forum"), note.get("id")])
    is_refused = not venue or any(map(_REFUSED.search, (venue, place)))
    is_journal = place.casefold().endswith(("tmlr", "jmlr", "dmlr"))
    return make_record(
        OpenReview.name,
        title=answers.text(content, "title"),
        authors=[Author(clean(name)) for name in answers.texts(content, "authors")],
        venues=[_ACCEPTANCE.sub("", venue)],
        year=year_in(venue) or year_in(place),
        type="article" if is_journal else "inproceedings",
        others=[Identifier("openreview", forum)] if forum else [],
        abstract=answers.text(content, "abstract"),
        remarks=["refused"] if is_refused else [],
    )

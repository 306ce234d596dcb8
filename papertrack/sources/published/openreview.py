"""OpenReview: a search by title. Only accepted papers count.

https://docs.openreview.net/reference/api-v2. Notes from before 2023 have plain values, later
ones ``{"value": …}``; single notes are behind a check for robots, the search is open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from papertrack.matching.publications import Record
from papertrack.matching.venues import year_in
from papertrack.records import Author, Identifier
from papertrack.sources import answers
from papertrack.sources.published.witness import Hits, Sought, Witness, make_record
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.sources.transport import Door

_RESULTS = 8
_REFUSED = re.compile(
    r"submitted to|withdrawn|rejected|desk[ _-]?reject|under review|submission\b|archived",
    re.IGNORECASE,
)
_ACCEPTANCE = re.compile(
    r"\s*(?:\(?(?:poster|oral|spotlight|notable[- ]top[- ]\d+%|conference|accept(?:ed)?)\b.*)?$",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^accepted (?:by|at|to) ", re.IGNORECASE)


class OpenReview(Witness):
    """Searches OpenReview by title."""

    name = "openreview"
    title = "OpenReview"
    setting = "openreview_url"
    url = "https://api2.openreview.net"

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Hits:
        """Search by title."""
        (work,) = works
        words = {"term": work.title or "", "content": "all", "source": "forum"}
        answer = self.ask(door, "/notes/search", **words, limit=str(_RESULTS))
        notes = answers.table(answer).get("notes")
        if not isinstance(notes, list):
            raise self.unexpected("no list of notes", door)
        return {work: tuple(map(parse_note, answers.tables(notes)))}


def parse_note(note: Mapping[str, object]) -> Record:
    """Parse one note of OpenReview as a record. Pure."""
    content = {name: _value(value) for name, value in answers.table(note, "content").items()}
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


def _value(value: object) -> object:
    return value.get("value") if isinstance(value, dict) else value

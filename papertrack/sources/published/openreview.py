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

_FOUND = 8
_REFUSED = re.compile(
    r"submitted to|withdrawn|rejected|desk[ _-]?reject|under review|submission\b|archived",
    re.IGNORECASE,
)
_HOW = re.compile(
    r"\s*(?:\(?(?:poster|oral|spotlight|notable[- ]top[- ]\d+%|conference|accept(?:ed)?)\b.*)?$",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^accepted (?:by|at|to) ", re.IGNORECASE)


class OpenReview(Witness):
    """Works by title in OpenReview."""

    name = "openreview"
    title = "OpenReview"
    setting = "openreview_url"
    url = "https://api2.openreview.net"

    def fetch(self, works: Sequence[Sought], door: Door, key: str | None) -> Hits:
        """Search by title."""
        (work,) = works
        words = {"term": work.title or "", "content": "all", "source": "forum"}
        told = self.ask(door, "/notes/search", **words, limit=str(_FOUND))
        notes = answers.table(told).get("notes")
        if not isinstance(notes, list):
            raise self.unexpected("no list of notes", door)
        return {work: tuple(map(parse_note, answers.tables(notes)))}


def parse_note(note: Mapping[str, object]) -> Record:
    """Parse one note of OpenReview as a record. Pure."""
    content = {name: _value(value) for name, value in answers.table(note, "content").items()}
    said = _LEAD.sub("", clean(answers.text(content, "venue") or ""))
    place = answers.text(content, "venueid") or ""
    forum = answers.text([note.get("forum"), note.get("id")])
    is_refused = not said or any(map(_REFUSED.search, (said, place)))
    is_journal = place.casefold().endswith(("tmlr", "jmlr", "dmlr"))
    return make_record(
        OpenReview.name,
        title=answers.text(content, "title"),
        authors=[Author(clean(name)) for name in answers.texts(content, "authors")],
        venues=[_HOW.sub("", said)],
        year=year_in(said) or year_in(place),
        type="article" if is_journal else "inproceedings",
        others=[Identifier("openreview", forum)] if forum else [],
        abstract=answers.text(content, "abstract"),
        remarks=["refused"] if is_refused else [],
    )


def _value(told: object) -> object:
    return told.get("value") if isinstance(told, dict) else told

"""How an entry writes its date, and the date by which it is sorted."""

from __future__ import annotations

from papertrack.documents.markdown.model import Entry
from papertrack.documents.markdown.values import find_date
from papertrack.identifiers.derived import submitted_of


def date_pattern(text: str, entry: Entry) -> str | None:
    """Return how an entry writes its date."""
    found = find_date(text, *entry.anatomy.date) if entry.anatomy.date else None
    return found.pattern if found else None


def sort_date(entry: Entry) -> str | None:
    """Return the date by which an entry is sorted: as written, else the month of its arXiv id."""
    return entry.fields.date or submitted_of(entry.identifiers, None)

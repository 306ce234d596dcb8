"""How an entry writes its date, and the date by which it is sorted."""

from __future__ import annotations

from papertrack.documents.markdown.model import Entry
from papertrack.documents.markdown.values import find_date
from papertrack.identifiers import arxiv_month


def date_pattern(text: str, entry: Entry) -> str | None:
    """Return how an entry writes its date."""
    if entry.anatomy.date is None:
        return None
    found = find_date(text, *entry.anatomy.date)
    return found.pattern if found else None


def sort_date(entry: Entry) -> str | None:
    """Return the date by which an entry is sorted: as written, else the month of its arXiv id."""
    if entry.fields.date:
        return entry.fields.date
    for identifier in entry.identifiers:
        if identifier.scheme == "arxiv":
            return arxiv_month(identifier.value)
    return None

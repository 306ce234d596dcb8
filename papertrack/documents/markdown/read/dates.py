"""How an entry writes its date, and the date by which it is sorted."""

from __future__ import annotations

from papertrack.documents.markdown.model import Document, Entry
from papertrack.documents.markdown.values import find_date, write_date
from papertrack.identifiers.derived import submitted_of


def date_pattern(text: str, entry: Entry) -> str | None:
    """Return how an entry writes its date."""
    found = find_date(text, *entry.anatomy.date) if entry.anatomy.date else None
    return found.pattern if found else None


def date_like(document: Document, entry: Entry, iso: str) -> str | None:
    """Return a date as the reader chose or an entry writes its own; None without such a way, or
    if the date is not known as precisely."""
    pattern = document.style.chosen_date_format or date_pattern(document.text, entry)
    return write_date(iso, pattern) if pattern else None


def sort_date(entry: Entry) -> str | None:
    """Return the date by which an entry is sorted: as written, else the month of its arXiv id."""
    return entry.fields.date or submitted_of(entry.identifiers, None)

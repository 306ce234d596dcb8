"""What cells say, by the role of their column alone: where no row shows how they say it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from papertrack.documents.markdown.marks.registry import cell_text
from papertrack.documents.markdown.model import Document, Entry, Table
from papertrack.documents.markdown.read.dates import date_pattern
from papertrack.documents.markdown.values import most_common, write_date, write_rating
from papertrack.documents.markdown.write.cells import model_rows
from papertrack.documents.markdown.write.links import find_sample, link_markup, title_sample
from papertrack.documents.markdown.write.markup import escape_text
from papertrack.documents.markdown.write.sayings import Saying
from papertrack.records import Link


def default_cell(saying: Saying, table: Table, number: int, models: Sequence[Entry]) -> str:
    """Return what a cell says: of its column's role, else links of that role."""
    role = table.columns[number].role
    if role in _WRITERS:
        return _WRITERS[role](saying, table)
    links = [link for link in saying.fields.links if link.role == role and link not in saying.said]
    saying.said += links
    return ", ".join(_link(saying.document, number, link, models) for link in links)


def _link(document: Document, number: int, link: Link, models: Sequence[Entry]) -> str:
    """Return a link as the table's other links are written."""
    sample = None
    if models:
        sample = find_sample(document, models[-1], number, link.url) or title_sample(models[-1])
    label = None if link.role == "paper" else link.label
    return link_markup(document, sample, number, Link(link.role, link.url, label), None)


def rating_text(document: Document, rating: int | None, samples: Sequence[str] = ()) -> str:
    """Return a rating written as others are, if these are numbers; else in the document's stars."""
    written = write_rating(rating, samples) if rating else None
    return written or (document.style.rating or "⭐️") * (rating or 0)


def rating_samples(document: Document, entry: Entry) -> list[str]:
    """Return the ratings of an entry and of the other rows of its table, as they are written."""
    others = () if entry.anatomy.table is None else document.rows_of(document.table_of(entry))
    spans = (one.anatomy.rating for one in (entry, *others))
    return [document.text[slice(*span)] for span in spans if span]


def date_text(document: Document, table: Table, date: str | None) -> str | None:
    """Return a date as the table writes dates; None if it is not known precisely enough."""
    if date is None:
        return ""
    rows = model_rows(document, table)
    patterns = [p for row in rows if (p := date_pattern(document.text, row))]
    style = document.style
    pattern = style.chosen_date_format or most_common(patterns) or style.date_format or "%Y/%m"
    return write_date(date, pattern)


def _passes(saying: Saying, table: Table) -> str:
    marks = saying.document.marks_of(("table", table.index))
    return cell_text(marks, saying.fields.passes or 0) or ""


_WRITERS: dict[str, Callable[[Saying, Table], str]] = {
    "title": lambda saying, table: escape_text(saying.fields.title),
    "date": lambda saying, table: date_text(saying.document, table, saying.fields.date) or "",
    "passes": _passes,
    "rating": lambda saying, table: rating_text(saying.document, saying.fields.rating),
    "author": lambda saying, table: ", ".join(map(escape_text, saying.fields.authors)),
    "tags": lambda saying, table: ", ".join(map(escape_text, saying.fields.tags)),
    "description": lambda saying, table: escape_text(saying.fields.description or ""),
    "venue": lambda saying, table: escape_text(saying.fields.venue or ""),
}
"""What a cell says, by the role of its column. Every other role is one of links."""

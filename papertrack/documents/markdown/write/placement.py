"""Where an entry belongs: the section of a category, and the place in that section's order."""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.documents.markdown.model import Document, Entry, Order, Section, Table
from papertrack.documents.markdown.read.dates import sort_date
from papertrack.documents.markdown.write.edit_types import NoPlaceError
from papertrack.text import fold


def section_of(document: Document, category: tuple[str, ...]) -> Section:
    """Return the section of a category: one with entries or a table if several have its path.

    Raises NoPlaceError if there is none.
    """
    wanted = tuple(fold(name) for name in category)
    found = [s for s in document.sections if tuple(fold(name) for name in s.path) == wanted]
    if not found:
        raise NoPlaceError(f"The document has no category {'/'.join(category)}.")
    return next((section for section in found if section.entries or section.tables), found[0])


def table_of(document: Document, section: Section) -> Table | None:
    """Return the table that a new row of a section goes to: its largest."""
    tables = [document.tables[index] for index in section.tables]
    return max(tables, key=lambda table: table.end_row - table.header_line, default=None)


def order_for(document: Document, section: Section) -> Order:
    """Return the order of a section; one without an order of its own has the document's."""
    orders = dict(document.style.orders)
    own = orders.get(section.path, "none")
    if own != "none" or len(section.entries) > 2:
        return own
    known: list[Order] = [order for order in orders.values() if order != "none"]
    return max(dict.fromkeys(known), key=known.count) if known else "none"


def position_in(entries: Sequence[Entry], order: Order, date: str | None) -> int:
    """Return the index in ``entries`` before which a thing of this date belongs.

    Entries of the same month stay before the new one when dates rise, behind it when they fall.
    Without an order or a date the new one goes to the end.
    """
    if order == "none" or date is None:
        return len(entries)
    if order == "ascending":
        for index in range(len(entries), 0, -1):
            other = sort_date(entries[index - 1])
            if other is not None and _cut(other, date) <= _cut(date, other):
                return index
        return 0
    for index, entry in enumerate(entries):
        other = sort_date(entry)
        if other is not None and _cut(other, date) <= _cut(date, other):
            return index
    return len(entries)


def rank_of(order: Order, date: str | None) -> int:
    """Return the rank among insertions at one place, as the order has it."""
    if order == "none" or date is None:
        return 0
    number = int((date.replace("-", "") + "0000")[:8])
    return number if order == "ascending" else -number


def _cut(date: str, other: str) -> str:
    """Return a date no more precise than another one."""
    return date[: min(len(date), len(other))]

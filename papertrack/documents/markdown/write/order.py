"""Where among its siblings an entry belongs, by the order that they are in.

That is the order by date that the section has. Without one, the titles may be sorted; else what
most steps from one entry to the next lean to says on which end the newest stand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from papertrack.documents.markdown.model import Document, Entry, Order, Section
from papertrack.documents.markdown.read.dates import sort_date
from papertrack.documents.markdown.values import most_common
from papertrack.text import title_key

_ENOUGH_TITLES = 5
_NUMBER = re.compile(r"[ \t>]*(?:[-+*][ \t]+)?\W{0,4}(?P<number>[0-9]{1,4})(?![0-9])\W")


def order_of(document: Document, section: Section, among: Sequence[Entry]) -> Order:
    """Return by date the order of a section; one without an order of its own, and too short to
    show that it has none, has the document's."""
    orders = dict(document.style.orders)
    own = orders.get(section.path, "none")
    if own != "none":
        return own
    if len(section.entries) > 2:
        return "none" if "order" in document.settings else _leaning(among)
    known: list[Order] = [order for order in orders.values() if order != "none"]
    return most_common(known) or "none"


def _leaning(entries: Sequence[Entry]) -> Order:
    """Return the order that twice as many steps have as the other one."""
    dates = [date for entry in entries if (date := sort_date(entry))]
    steps = Counter((second > first) - (second < first) for first, second in pairwise(dates))
    rising, falling = steps[1], steps[-1]
    if rising + falling < 4 or max(rising, falling) < 2 * min(rising, falling):
        return "none"
    return "ascending" if rising > falling else "descending"


class Standing(NamedTuple):
    """By what an entry is sorted."""

    date: str | None
    title: str


def standing_of(entry: Entry) -> Standing:
    """Return by what an entry that is there is sorted."""
    return Standing(sort_date(entry), entry.fields.title)


def position_in(entries: Sequence[Entry], order: Order, standing: Standing) -> int:
    """Return the index in ``entries`` before which a thing belongs.

    Entries of the same month stay before the new one when dates rise, behind it when they fall.
    Without an order or a date the new one goes to the end.
    """
    date = standing.date
    if is_alphabetical(entries):
        key = title_key(standing.title)
        return sum(title_key(entry.fields.title) <= key for entry in entries)
    if order == "none" or date is None:
        return len(entries)
    older = [number for number, entry in enumerate(entries) if _is_older(entry, date)]
    if order == "ascending":
        return older[-1] + 1 if older else 0
    return older[0] if older else len(entries)


def _is_older(entry: Entry, date: str) -> bool:
    """Whether an entry is of this date or an earlier one, as precisely as both are known."""
    other = sort_date(entry)
    precision = min(len(other or ""), len(date))
    return other is not None and other[:precision] <= date[:precision]


def is_alphabetical(entries: Sequence[Entry]) -> bool:
    """Return whether entries stand in the order of their titles."""
    keys = [title_key(entry.fields.title) for entry in entries]
    return len(set(keys)) >= _ENOUGH_TITLES and keys == sorted(keys)


def counts_down(document: Document, entries: Sequence[Entry]) -> bool:
    """Return whether entries are numbered from the last one on: ``[12]``, ``[11]``, …"""
    found = [_NUMBER.match(document.text, *entry.span) for entry in entries]
    numbers = [int(match["number"]) for match in found if match]
    falls = all(first > second for first, second in pairwise(numbers))
    return len(numbers) > 2 and len(numbers) == len(entries) and falls


def rank_of(order: Order, standing: Standing) -> int:
    """Return the rank among insertions at one place, as the order has it."""
    date = standing.date
    if order == "none" or date is None:
        return 0
    number = int((date.replace("-", "") + "0000")[:8])
    return number if order == "ascending" else -number

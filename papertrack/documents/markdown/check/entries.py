"""What is wrong with a document's entries: duplicates, dates against arXiv ids, no link at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papertrack.documents.markdown.check.types import Finding
from papertrack.documents.markdown.model import Document, Entry
from papertrack.identifiers import arxiv_month
from papertrack.text import shorten, title_key

UNMISTAKABLE = 25
"""Letters from which on the same title means the same work, whatever the addresses."""


def check_entries(document: Document) -> Iterator[Finding]:
    """Yield entries that name the same work, or whose date or links cannot be right."""
    yield from _duplicates(document.entries)
    yield from _dates(document.entries)
    yield from _without_link(document.entries)


def _duplicates(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield each entry for a work that an entry before it names already."""
    first: dict[object, Entry] = {}
    for entry in entries:
        title = title_key(entry.fields.title)
        names: list[object] = list(entry.identifiers)
        if len(title) >= UNMISTAKABLE:
            names.append(title)
        before = next((first[name] for name in names if name in first), None)
        if before is not None:
            yield _duplicate(entry, before)
        for name in names:
            first.setdefault(name, entry)


def _duplicate(entry: Entry, before: Entry) -> Finding:
    name = f"“{shorten(entry.fields.title, 80)}”"
    place = f"line {before.line}"
    if not _is_alike(entry.fields.title, before.fields.title):
        other = f"“{shorten(before.fields.title, 80)}”"
        message = f"{name} has the same address as {other} in {place}."
        return Finding(entry.line, "shared-address", message)
    if entry.category == before.category:
        message = f"{name} is in {place} already, in the same section."
        return Finding(entry.line, "duplicate", message)
    sections = " and ".join(" / ".join(path) or "no section" for path in _paths(before, entry))
    message = f"{name} is in {place} too: it is listed under {shorten(sections)}."
    return Finding(entry.line, "several-sections", message)


def _paths(*entries: Entry) -> list[tuple[str, ...]]:
    """Return the categories of the entries without what all of them start with."""
    paths = [entry.category for entry in entries]
    while all(len(path) > 1 for path in paths) and len({path[0] for path in paths}) == 1:
        paths = [path[1:] for path in paths]
    return paths


def _is_alike(title: str, other: str) -> bool:
    """Whether two titles may be two spellings of one: rather told apart too seldom."""
    from rapidfuzz import fuzz

    one, two = title_key(title), title_key(other)
    return not (one and two) or fuzz.partial_ratio(one, two) >= 60


def _dates(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield dates that contradict the arXiv id of their entry.

    Where most dates are the month of the id, every other one is wrong. Elsewhere they may be of a
    publication, a talk, a video: only a date more than a year before the id's cannot be right. An
    id's month may be the one after that of the submission.
    """
    dated = [(e, months) for e in entries if (months := _months_after_id(e)) is not None]
    precise = [months for entry, months in dated if _is_precise(entry)]
    are_of_ids = sum(abs(months) <= 1 for months in precise) * 2 > len(precise)
    for entry, months in dated:
        is_wrong = abs(months) > 1 if are_of_ids and _is_precise(entry) else months < -12
        if is_wrong:
            arxiv_id = _arxiv_id(entry)
            message = f"“{shorten(entry.fields.title, 80)}” is dated {entry.fields.date}, but "
            message += f"{arxiv_id} was submitted in {arxiv_month(arxiv_id)}."
            yield Finding(entry.line, "date", message)


def _is_precise(entry: Entry) -> bool:
    """Whether an entry's date is more than a year."""
    return len(entry.fields.date or "") > 4


def _arxiv_id(entry: Entry) -> str:
    """Return an entry's arXiv id, or nothing."""
    ids = (i.value for i in entry.identifiers if i.scheme == "arxiv")
    return next(ids, "")


def _months_after_id(entry: Entry) -> int | None:
    """How many months an entry's date is behind the month of its arXiv id; None without both.

    A year alone counts as its last month: it contradicts nothing within it.
    """
    date = entry.fields.date
    arxiv_id = _arxiv_id(entry)
    if date is None or not arxiv_id:
        return None
    return _months(date) - _months(arxiv_month(arxiv_id))


def _months(date: str) -> int:
    return int(date[:4]) * 12 + (int(date[5:7]) if len(date) > 4 else 12)


def _without_link(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield entries without any link, unless the list is mostly one of bare titles."""
    linkless = [entry for entry in entries if not entry.anatomy.links]
    if len(linkless) * 2 > len(entries):
        return
    for entry in linkless:
        message = f"“{shorten(entry.fields.title, 80)}” has no link."
        yield Finding(entry.line, "no-link", message)

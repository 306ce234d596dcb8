"""Lists in shapes that the reader was not tuned to, each with what a person reads in it.

``fixtures/golden/NAME.md`` is the list, ``NAME.json`` its entries in order: titles and identifiers
always; authors, venue, date, passes and category where the list tells them. What is not read right
yet is named in ``NOT_YET``: whoever mends a shape takes it off.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from papertrack.documents.markdown.model import Document, Entry
from tests.documents.samples import FIXTURES, fixture

LISTS = sorted(path.stem for path in (FIXTURES / "golden").glob("*.md"))

SAYS: dict[str, Callable[[Entry], object]] = {
    "title": lambda entry: entry.fields.title,
    "ids": lambda entry: [f"{own.scheme}:{own.value}" for own in entry.identifiers],
    "authors": lambda entry: list(entry.fields.authors),
    "venue": lambda entry: entry.fields.venue,
    "date": lambda entry: entry.fields.date,
    "passes": lambda entry: entry.fields.passes,
    "category": lambda entry: list(entry.category),
}
"""What an entry says, as it stands in the JSON files."""

NOT_YET: dict[str, str] = {
    "badges_only": "title",
    "dated_groups": "date",
    "link_labels": "title",
    "numbered_descending": "authors",
    "title_and_authors_table": "authors",
    "venue_link_first": "title",
}
"""For each list, what is not read right yet."""


@cache
def read(name: str) -> Document:
    """The document of a list, read once."""
    return fixture(f"golden/{name}.md")


@cache
def truth(name: str) -> list[dict[str, Any]]:
    """What a person reads in a list."""
    entries: list[dict[str, Any]] = json.loads(
        (FIXTURES / f"golden/{name}.json").read_text("utf-8")
    )
    return entries


def told(name: str) -> list[str]:
    """The fields that a list tells."""
    return [field for field in SAYS if any(field in entry for entry in truth(name))]


def cases() -> list[Any]:
    """Each field of each list, marked where it is known to be read wrong."""
    not_yet = pytest.mark.xfail(strict=True, reason="not read right yet: take it off if it is now")
    return [
        pytest.param(name, field, marks=[not_yet] if field in NOT_YET.get(name, "").split() else [])
        for name in LISTS
        for field in ("number", *told(name))
    ]


@pytest.mark.parametrize(("name", "field"), cases())
def test_a_list_is_read_as_a_person_reads_it(name: str, field: str) -> None:
    entries = read(name).entries
    if field == "number":
        assert len(entries) == len(truth(name))
        return
    expected = [(entry["title"], entry[field]) for entry in truth(name) if field in entry]
    by_place = zip(truth(name), entries, strict=False)
    assert [(e["title"], SAYS[field](found)) for e, found in by_place if field in e] == expected


def test_every_list_has_its_truth_and_only_known_ones_are_named() -> None:
    assert sorted(path.stem for path in (FIXTURES / "golden").glob("*.json")) == LISTS
    assert NOT_YET.keys() <= set(LISTS)

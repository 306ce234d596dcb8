"""What tells whether two papers are one work, for all of them at once; and that two are not."""

from __future__ import annotations

from typing import NamedTuple

from papertrack.errors import UsageError
from papertrack.records import Identifier
from papertrack.store.store import Store


class ComparedPaper(NamedTuple):
    """As much of a paper as is compared with others."""

    id: int
    citekey: str
    title: str
    title_key: str
    year: int | None
    authors: tuple[str, ...]
    identifiers: tuple[Identifier, ...]
    addresses: tuple[str, ...]
    """Where the work itself is found."""


def read_compared(store: Store) -> list[ComparedPaper]:
    """Every paper with a title, in the order of their titles' keys."""
    authors: dict[int, list[str]] = {}
    for paper_id, name in store.execute(
        "SELECT paper_id, name FROM authors ORDER BY paper_id, position"
    ):
        authors.setdefault(paper_id, []).append(name)
    identifiers: dict[int, list[Identifier]] = {}
    for paper_id, scheme, value in store.execute(
        "SELECT paper_id, scheme, value FROM identifiers ORDER BY paper_id, position"
    ):
        identifiers.setdefault(paper_id, []).append(Identifier(scheme, value))
    addresses: dict[int, list[str]] = {}
    for paper_id, url in store.execute(
        "SELECT paper_id, url FROM links WHERE role = 'paper' ORDER BY paper_id, position"
    ):
        addresses.setdefault(paper_id, []).append(url)
    rows = store.execute("""SELECT id, citekey, title, title_key,
           ifnull(year, CAST(substr(submitted, 1, 4) AS INTEGER)) FROM papers
           WHERE title_key <> '' ORDER BY title_key, id""")
    return [
        ComparedPaper(
            paper_id,
            citekey,
            title,
            key,
            year,
            tuple(authors.get(paper_id, ())),
            tuple(identifiers.get(paper_id, ())),
            tuple(addresses.get(paper_id, ())),
        )
        for paper_id, citekey, title, key, year in rows
    ]


def mark_different(store: Store, paper_id: int, other_id: int) -> None:
    """Remember that these two papers are two works."""
    if paper_id == other_id:
        raise UsageError("A paper is not different from itself: name two papers.")
    store.execute(
        "INSERT INTO different (paper_id, other_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
        (min(paper_id, other_id), max(paper_id, other_id)),
    )


def different_pairs(store: Store) -> set[tuple[int, int]]:
    """The pairs that the reader called different, the smaller number first."""
    return set(store.execute("SELECT paper_id, other_id FROM different").fetchall())

"""Writing new papers, many at once: one statement for each table, whatever their number."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from operator import attrgetter

from papertrack.records import Author, Decision, Link, PaperFacts
from papertrack.store.journal import MANY, journalled_together, without_insert_triggers
from papertrack.store.lookup import COLUMN_FIELDS, JSON_FIELDS
from papertrack.store.store import Store
from papertrack.text import title_key

FIELDS = (*COLUMN_FIELDS, *JSON_FIELDS, "is_withdrawn", "authors")
"""Fields whose source is remembered. Identifiers and links are sets: sources add to them."""
_fields_of = attrgetter(*FIELDS)
_columns_of = attrgetter(*COLUMN_FIELDS)


@dataclass(frozen=True, slots=True)
class NewPaper:
    """A paper to be written. Its key and its identifiers are free: the caller has seen to it."""

    facts: PaperFacts
    citekey: str
    is_citekey_given: bool = False
    citekey_aliases: tuple[str, ...] = ()
    decision: Decision = "saved"
    originals: tuple[tuple[str, str], ...] = ()
    """Source and text of the records that it was made from."""


def add_new_papers(store: Store, papers: Sequence[NewPaper], *, source: str) -> list[int]:
    """Write these papers and return their ids, in their order."""
    if not papers:
        return []
    row = store.execute("SELECT seq FROM sqlite_sequence WHERE name = 'papers'").fetchone()
    first = (row[0] if row else 0) + 1
    ids = list(range(first, first + len(papers)))
    numbered = list(zip(ids, papers, strict=True))
    are_many = len(papers) >= MANY
    with journalled_together(store, "papers") if are_many else nullcontext():
        _write_papers(store, numbered)
    with without_insert_triggers(store) if are_many else nullcontext():
        _write_parts(store, numbered, source)
    return ids


def known_fields(facts: PaperFacts) -> list[str]:
    """The names of the fields that these facts say something about."""
    told = zip(FIELDS, _fields_of(facts), strict=True)
    return [name for name, value in told if value is not None and value != ()]


def author_rows(paper_id: int, authors: Sequence[Author]) -> list[tuple[object, ...]]:
    """The rows of a paper's authors, in the order of AUTHOR_COLUMNS."""
    return [
        (paper_id, n, author.name, author.affiliation, author.family)
        for n, author in enumerate(authors)
    ]


AUTHOR_COLUMNS = "authors (paper_id, position, name, affiliation, family)"


def value_to_json(name: str, value: object) -> str:
    """The value of a field as the library keeps what is no plain column."""
    if name == "authors":
        value = [
            {"name": a.name, "affiliation": a.affiliation, "family": a.family}
            for a in value  # type: ignore[attr-defined]
        ]
    return json.dumps(value, ensure_ascii=False)


def _write_papers(store: Store, numbered: Sequence[tuple[int, NewPaper]]) -> None:
    now = store.stamp()
    names = (*COLUMN_FIELDS, *JSON_FIELDS, "is_withdrawn", "title_key")
    rows = []
    for n, paper in numbered:
        facts = paper.facts
        rows.append(
            (
                *(n, facts.kind, paper.citekey, int(paper.is_citekey_given), now),
                *_columns_of(facts),
                *(_list_to_json(getattr(facts, name)) for name in JSON_FIELDS),
                None if facts.is_withdrawn is None else int(facts.is_withdrawn),
                title_key(facts.title) if facts.title else None,
            )
        )
    columns = f"id, kind, citekey, is_citekey_given, added, {', '.join(names)}"
    _insert(store, f"papers ({columns})", rows)


def _list_to_json(value: tuple[object, ...]) -> str:
    return json.dumps(value, ensure_ascii=False) if value else "[]"


def _write_parts(store: Store, numbered: Sequence[tuple[int, NewPaper]], source: str) -> None:
    """The rows that belong to the papers; each generator is read by one statement."""
    now = store.stamp()
    parts: dict[str, Callable[[int, NewPaper], Iterable[tuple[object, ...]]]] = {
        "paper_states (paper_id, decision, decided_at)": lambda n, paper: [
            (n, paper.decision, None if paper.decision == "inbox" else now)
        ],
        AUTHOR_COLUMNS: lambda n, paper: author_rows(n, paper.facts.authors),
        "identifiers (scheme, value, paper_id, position)": lambda n, paper: [
            (i.scheme, i.value, n, at)
            for at, i in enumerate(dict.fromkeys(paper.facts.identifiers))
        ],
        "links (paper_id, position, role, url, label)": lambda n, paper: [
            (n, at, link.role, link.url, link.label)
            for at, link in enumerate(_distinct(paper.facts.links))
        ],
        "citekey_aliases (alias, paper_id)": lambda n, paper: [
            (alias, n) for alias in paper.citekey_aliases
        ],
        "originals (paper_id, source, text)": lambda n, paper: [
            (n, record, text) for record, text in paper.originals
        ],
        "field_sources (paper_id, field, source, at)": lambda n, paper: [
            (n, name, source, now) for name in sorted(known_fields(paper.facts))
        ],
    }
    for table, rows_of in parts.items():
        _insert(store, table, (row for n, paper in numbered for row in rows_of(n, paper)))


def _distinct(links: Sequence[Link]) -> list[Link]:
    """The links without those that only label an address anew."""
    by_target: dict[tuple[str, str], Link] = {}
    for link in links:
        by_target.setdefault((link.role, link.url), link)
    return list(by_target.values())


def _insert(store: Store, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    marks = ", ".join("?" * (table.count(",") + 1))
    store.connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

"""Listing papers: the rows that a list shows, selected by a query, ordered and paged by SQL."""

# Without `from __future__ import annotations`: see ``records``.

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from papertrack.errors import UsageError
from papertrack.store.store import Store

if TYPE_CHECKING:
    from papertrack.queries.nodes import Query

_PAGE = 500
"""Rows that are read together."""


class ListedPaper(NamedTuple):
    """One row of a list: what a reader looks at before opening the paper."""

    id: int
    citekey: str
    title: str | None
    first_author: str | None
    author_count: int
    arxiv_id: str | None
    version: int | None
    submitted: str | None
    announced: str | None
    added: str
    kind: str
    decision: str
    passes_done: int
    rating: int | None
    is_withdrawn: int | None
    version_read: int | None
    """The newest arXiv version that was read; older than ``version`` means outdated."""
    in_hand_since: str | None
    has_other_title: int
    """Whether it was read and arXiv has another title for it (an open suggestion)."""
    year: int | None = None
    """Of publication."""


_FIRST_AUTHOR = "(SELECT name FROM authors a WHERE a.paper_id = p.id AND a.position = 0)"
_ARXIV_ID = """(SELECT value FROM identifiers i WHERE i.paper_id = p.id AND i.scheme = 'arxiv'
                ORDER BY i.position LIMIT 1)"""
_TOPIC = """(SELECT t.name FROM paper_topics f JOIN topics t ON t.id = f.topic_id
             WHERE f.paper_id = p.id ORDER BY f.score DESC, t.name LIMIT 1)"""
_SELECT = f"""
    SELECT p.id, p.citekey, p.title,
        {_FIRST_AUTHOR},
        (SELECT ifnull(max(position) + 1, 0) FROM authors a WHERE a.paper_id = p.id),
        {_ARXIV_ID}, p.version, p.submitted, p.announced, p.added, p.kind,
        s.decision, s.passes_done, s.rating, p.is_withdrawn,
        CASE WHEN s.passes_done > 0
            THEN (SELECT max(version) FROM readings r WHERE r.paper_id = p.id) END,
        s.in_hand_since,
        s.passes_done > 0 AND EXISTS (SELECT 1 FROM suggestions g
            WHERE g.paper_id = p.id AND g.field = 'title' AND g.state = 'open'),
        p.year
    FROM papers p JOIN paper_states s ON s.paper_id = p.id
"""

ORDERS: dict[str, tuple[tuple[str, bool], ...]] = {
    "added": (("p.added", True), ("p.id", True)),
    "title": (("p.title COLLATE NOCASE", False), ("p.id", False)),
    "citekey": (("p.citekey", False),),
    "author": ((f"{_FIRST_AUTHOR} COLLATE NOCASE", False), ("p.id", False)),
    "submitted": (("p.submitted", True), ("p.id", True)),
    "announced": (("ifnull(p.announced, p.added)", True), ("p.id", True)),
    "decided": (("s.decided_at", True), ("p.id", True)),
    "pass": (("s.passes_done", True), ("p.id", False)),
    "rating": (("s.rating", True), ("p.id", False)),
    "read": (
        ("(SELECT max(at) FROM readings r WHERE r.paper_id = p.id)", True),
        ("p.id", False),
    ),
    "rank": (
        ("(SELECT score FROM ranks k WHERE k.paper_id = p.id)", True),
        ("(SELECT max(score) FROM paper_topics f WHERE f.paper_id = p.id)", True),
        ("ifnull(p.announced, p.added)", True),
        ("p.id", False),
    ),
    "topic": (
        (_TOPIC, False),
        ("(SELECT score FROM ranks k WHERE k.paper_id = p.id)", True),
        ("ifnull(p.announced, p.added)", True),
        ("p.id", False),
    ),
    "id": (("p.id", False),),
}
"""The orders a list can have: terms, and whether each is descending. Unknown values are last."""
_OF_STATE = "s."
"""Stands in all that is asked of a paper's state."""
_ITS_ID = re.compile(r"\bp\.id\b")
_OF_PAPER = re.compile(r"\bp\b")
"""Stands in all that is asked of the paper itself."""
_ITS_DATES = re.compile(r"\bp\.(?:id|added|announced)\b")
"""What the index ``papers_by_dates`` has of it."""
_INDEXED_ORDERS = ("added", "id")
"""Those in which papers are found one after the other, without sorting all of them."""
_ALWAYS_KNOWN = ("p.added", "p.id")
"""What no paper lacks: an index has it in both directions, but in neither with a place for NULL."""
_FEW_ASKED = 200
_LOOKED_AT_EACH = 20
"""How many of the first papers are looked at for each that is asked for."""


def each_paper(
    store: Store,
    query: "Query | None" = None,
    *,
    order: str = "added",
    is_reversed: bool = False,
    limit: int | None = None,
) -> Iterator[ListedPaper]:
    """The papers that match, as rows, in one of ORDERS, read a page at a time.

    Whatever their number, no more than a page of them is held; and between two pages, which a
    reader may look at for long, nobody else who wants to write is kept waiting.
    """
    ids = find_ids(store, query, order=order, is_reversed=is_reversed, limit=limit)
    for start in range(0, len(ids), _PAGE):
        yield from read_rows(store, ids[start : start + _PAGE])


def find_ids(
    store: Store,
    query: "Query | None" = None,
    *,
    order: str = "added",
    is_reversed: bool = False,
    limit: int | None = None,
) -> list[int]:
    """Only the ids: cheap for 100,000 papers, so that a screen reads whole rows by page."""
    # Rows are also read without a query, which need not wait for the language of queries.
    from papertrack.store import search

    condition, parameters = search.condition_of(store, query)
    if limit is not None and limit <= _FEW_ASKED and order in _INDEXED_ORDERS:
        found = _find_near(store, condition, parameters, order_by(order, is_reversed), limit)
        if len(found) == limit:
            return found
    return _find(store, condition, parameters, order, is_reversed, limit)


def find_ids_of_states(
    store: Store,
    states: Iterable[tuple[str, int]] | None,
    *,
    order: str,
    is_reversed: bool = False,
) -> list[int]:
    """The ids of the papers of some states (decision, passes done), or of all."""
    passes: dict[str, list[int]] = {}
    for decision, passes_done in states or ():
        passes.setdefault(decision, []).append(passes_done)
    # Said so, SQLite finds them by its index; a pair among pairs it compares with each paper.
    of_each = (
        f"(s.decision = ? AND s.passes_done IN ({', '.join(map(str, done))}))"
        for done in passes.values()
    )
    return _find(store, " OR ".join(of_each) or "1", tuple(passes), order, is_reversed)


def _find(
    store: Store,
    condition: str,
    parameters: Sequence[object],
    order: str,
    is_reversed: bool,
    limit: int | None = None,
) -> list[int]:
    asked = f"WHERE {condition} ORDER BY {order_by(order, is_reversed)} LIMIT ?"
    return store.select_column(_ids_of(asked), (*parameters, -1 if limit is None else limit))


def _find_near(
    store: Store, condition: str, parameters: Sequence[object], terms: str, limit: int
) -> list[int]:
    """Those that fulfil it among the first few papers of an order that an index has.

    The first few that fulfil what many do are here, so that they cost the same in any library:
    else all of the many are gathered and sorted, to be thrown away.
    """
    most = limit * _LOOKED_AT_EACH
    near = f"SELECT p.id FROM papers p ORDER BY {terms} LIMIT {most}"
    span = f"SELECT count(*), min(id), max(id) FROM ({near})"
    ((count, lowest, highest),) = store.execute(span)
    if count < most:
        return []  # These are all that there are: no need to look at them twice.
    from papertrack.store.search import asked_of_each

    # In a CASE, SQLite goes no further into a condition than until it is decided.
    fits = f"CASE WHEN {asked_of_each(condition, lowest, highest)} THEN 1 END"
    found = store.select_column(
        f"""SELECT id FROM (
                SELECT p.id, {fits} AS fits
                FROM papers p CROSS JOIN paper_states s ON s.paper_id = p.id
                ORDER BY {terms} LIMIT {most})
            WHERE fits LIMIT ?""",
        (*parameters, limit),
    )
    # What another process has put there in between was asked for no words.
    return found if all(lowest <= one <= highest for one in found) else []


def _ids_of(asked: str) -> str:
    """The statement for what is asked of papers, which reads no table that it can do without, and
    no texts for the sake of dates: every paper has its state, and 100,000 look-ups take their time.
    """
    if _OF_STATE not in asked:
        return f"SELECT p.id FROM papers p {asked}"
    of_states = _ITS_ID.sub("s.paper_id", asked)
    if not _OF_PAPER.search(of_states):
        return f"SELECT s.paper_id FROM paper_states s {of_states}"
    # SQLite itself takes a row by its number before it takes an index, however much of it it reads.
    index = "" if _OF_PAPER.search(_ITS_DATES.sub("", asked)) else "INDEXED BY papers_by_dates"
    return f"SELECT p.id FROM papers p {index} JOIN paper_states s ON s.paper_id = p.id {asked}"


def read_rows(store: Store, paper_ids: Sequence[int]) -> list[ListedPaper]:
    """The rows of these papers, in the order asked; unknown ids are left out."""
    rows = store.execute(
        f"{_SELECT} WHERE p.id IN (SELECT value FROM json_each(?))", (list(paper_ids),)
    )
    found = {row[0]: ListedPaper._make(row) for row in rows}
    return [found[paper_id] for paper_id in paper_ids if paper_id in found]


def order_by(order: str, is_reversed: bool = False) -> str:
    """The ORDER BY terms of a named order. Raises UsageError naming those there are."""
    if order not in ORDERS:
        raise UsageError(f"There is no order {order!r}; choose one of {', '.join(ORDERS)}.")
    return ", ".join(
        f"{term} {'DESC' if is_descending != is_reversed else 'ASC'}"
        f"{'' if term in _ALWAYS_KNOWN else ' NULLS LAST'}"
        for term, is_descending in ORDERS[order]
    )

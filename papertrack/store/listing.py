"""List papers: rows selected by a query, ordered and paged by SQL."""

# Without `from __future__ import annotations`: see ``records``.

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from papertrack.errors import UsageError
from papertrack.store.lookup import get_paper
from papertrack.store.store import Store
from papertrack.text import fold, group

if TYPE_CHECKING:
    from papertrack.queries.nodes import Query

_PAGE = 500
"""The number of rows read at once."""


class ListedPaper(NamedTuple):
    """A row of a list of papers: the data shown before a paper is opened."""

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
    """The newest arXiv version that was read; if older than ``version``, the paper is outdated."""
    in_hand_since: str | None
    has_other_title: int
    """Whether it was read and arXiv has another title for it (an open suggestion)."""
    year: int | None = None
    """The year of publication."""
    identifier: str | None = None
    """For a paper without a title, its first identifier, or else its citekey."""


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
        s.decision, min(s.passes_done, 3), max(0, min(s.rating, 5)), p.is_withdrawn,
        CASE WHEN s.passes_done > 0
            THEN (SELECT max(version) FROM readings r WHERE r.paper_id = p.id) END,
        s.in_hand_since,
        s.passes_done > 0 AND EXISTS (SELECT 1 FROM suggestions g
            WHERE g.paper_id = p.id AND g.field = 'title' AND g.state = 'open'),
        p.year,
        CASE WHEN p.title IS NULL THEN ifnull((SELECT value FROM identifiers i
            WHERE i.paper_id = p.id ORDER BY i.position LIMIT 1), p.citekey) END
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
    "read": (("(SELECT max(at) FROM readings r WHERE r.paper_id = p.id)", True), ("p.id", False)),
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
"""SQL for fields of a paper's state."""
_ITS_ID = re.compile(r"\bp\.id\b")
_OF_PAPER = re.compile(r"\bp\b")
"""SQL for fields of the paper itself."""
_ITS_DATES = re.compile(r"\bp\.(?:id|added|announced)\b")
"""Fields that are in the index ``papers_by_dates``."""
_ALWAYS_KNOWN = ("p.added", "p.id")
"""Terms that are never NULL, so that an index serves both directions."""


def each_paper(
    store: Store,
    query: "Query | None" = None,
    *,
    order: str = "added",
    is_reversed: bool = False,
    limit: int | None = None,
) -> Iterator[ListedPaper]:
    """Yield the matching papers as rows, in one of ORDERS, read page by page.

    Only one page is in memory, and other processes do not wait while a user looks at a page.
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
    """Return the ids of the matching papers, in one of ORDERS.

    This is fast for 100,000 papers, so that a screen can read rows page by page.
    """
    # Rows are also read without a query, which need not wait for the language of queries.
    from papertrack.store import search

    condition, parameters = search.condition_of(store, query)
    return _find(store, condition, parameters, order, is_reversed, limit)


def find_ids_of_states(
    store: Store, states: Iterable[tuple[str, int]] | None, *, order: str, is_reversed: bool = False
) -> list[int]:
    """Return the ids of the papers in some states (decision, passes done), or of all."""
    passes = group(states or ())
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


def _ids_of(asked: str) -> str:
    """Return the SQL statement for the ids of a list of papers.

    It reads only the tables and texts that it needs, because 100,000 look-ups of a state take time.
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
    """Return the rows of these papers, in the given order; unknown ids are left out."""
    rows = store.execute(
        f"{_SELECT} WHERE p.id IN (SELECT value FROM json_each(?))", (list(paper_ids),)
    )
    found = {row[0]: ListedPaper._make(row) for row in rows}
    return [found[paper_id] for paper_id in paper_ids if paper_id in found]


def order_by(order: str, is_reversed: bool = False) -> str:
    """Return the ORDER BY terms of a named order. Raises UsageError listing the valid ones."""
    if order not in ORDERS:
        raise UsageError(f"There is no order {order!r}; choose one of {', '.join(ORDERS)}.")
    return ", ".join(
        f"{term} {'DESC' if is_descending != is_reversed else 'ASC'}"
        f"{'' if term in _ALWAYS_KNOWN else ' NULLS LAST'}"
        for term, is_descending in ORDERS[order]
    )


_WORD = r"[a-z0-9]{4,40}"
_COMMON = frozenset(
    "with from that this what when which your based using towards toward over under into than more "
    "large language model models learning deep neural network networks efficient fast paper "
    "approach method methods system systems novel training".split()
)
_MAX_WORDS = 12


def related_papers(store: Store, paper_id: int, *, limit: int) -> list[ListedPaper]:
    """Return the papers that share most words with this one's title.

    Rare words count more (BM25).
    """
    title = fold(get_paper(store, paper_id).facts.title or "")
    words = [word for word in dict.fromkeys(re.findall(_WORD, title)) if word not in _COMMON]
    if not words:
        return []
    asked = " OR ".join(f'"{word}"' for word in words[:_MAX_WORDS])
    found = store.select_column(
        """SELECT rowid FROM search WHERE search MATCH ? AND rowid <> ?
           ORDER BY bm25(search, 10.0, 0.0, 1.0, 2.0, 4.0, 1.0) LIMIT ?""",
        (f"{{title abstract takeaways tags notes}} : ({asked})", paper_id, limit),
    )
    return read_rows(store, found)

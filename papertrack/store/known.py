"""What tells whether two papers are one work, of many papers at once; and which are different."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from papertrack.errors import UsageError
from papertrack.matching.judge import Description
from papertrack.matching.near import Titled
from papertrack.records import Author, Identifier
from papertrack.store.database import tuple_from_json
from papertrack.store.papers import READER
from papertrack.store.store import Store

NO_SOURCES = (READER, "document", "reference")
"""Who gives fields without knowing what an identifier stands for."""


class KnownPaper(NamedTuple):
    """As much of a paper as tells whether another one, or an entry somewhere, is about it."""

    id: int
    citekey: str
    title: str | None
    title_key: str
    year: int | None
    """Of publication, else of version 1."""
    venue: str | None
    type: str | None
    """As BibTeX has it."""
    publication: tuple[tuple[str, str], ...]
    authors: tuple[str, ...]
    identifiers: tuple[Identifier, ...]

    @property
    def description(self) -> Description:
        """What the library says of it, to compare with what others say."""
        return Description(
            *(self.title, tuple(map(Author, self.authors)), self.year, self.type, self.venue),
            self.publication,
            frozenset(self.identifiers),
        )


def read_known(
    store: Store,
    identifiers: Iterable[Identifier],
    title_keys: Iterable[str],
    paper_ids: Iterable[int] = (),
) -> list[KnownPaper]:
    """These papers, and those with one of the identifiers or titles (see ``text.title_key``)."""
    ids = store.select_column(
        """SELECT i.paper_id FROM json_each(?) asked JOIN identifiers i
           ON i.scheme = json_extract(asked.value, '$[0]')
           AND i.value = json_extract(asked.value, '$[1]')
           UNION SELECT id FROM papers WHERE title_key IN (SELECT value FROM json_each(?))
           UNION SELECT value FROM json_each(?)""",
        ([(i.scheme, i.value) for i in identifiers], list(title_keys), list(paper_ids)),
    )
    return _read(store, "IN (SELECT value FROM json_each(?))", (ids,))


def title_keys_of(store: Store, is_asked: Callable[[str, str], bool]) -> list[str]:
    """The keys of the titles that are asked for, by title and key, of all papers with one."""
    titles = store.execute("SELECT title, title_key FROM papers WHERE title_key <> ''")
    return [key for title, key in titles if is_asked(title, key)]


def read_titles(store: Store, paper_ids: Sequence[int] | None = None) -> list[Titled]:
    """Every paper with a title, or those of these."""
    asked = "" if paper_ids is None else "AND p.id IN (SELECT value FROM json_each(?))"
    rows = store.execute(
        f"""SELECT p.id, p.title, p.title_key, a.name FROM papers p
            LEFT JOIN authors a ON a.paper_id = p.id AND a.position = 0
            WHERE p.title_key <> '' {asked} ORDER BY p.id""",
        () if paper_ids is None else (list(paper_ids),),
    )
    return list(map(Titled._make, rows))


def read_addresses(store: Store, paper_ids: Sequence[int] | None = None) -> dict[int, list[str]]:
    """Where the works themselves are found, of all papers that say it, or of these."""
    asked = "" if paper_ids is None else "AND paper_id IN (SELECT value FROM json_each(?))"
    found = store.select_groups(
        f"""SELECT paper_id, url FROM links WHERE role = 'paper' {asked}
            ORDER BY paper_id, position""",
        () if paper_ids is None else (list(paper_ids),),
    )
    return {paper_id: [url for (url,) in urls] for paper_id, urls in found.items()}


def _read(store: Store, asked: str, parameters: Sequence[Any] = ()) -> list[KnownPaper]:
    def parts(sql: str) -> dict[int, list[list[str]]]:
        return store.select_groups(sql.replace("asked", asked), parameters)

    authors = parts("SELECT paper_id, name FROM authors WHERE paper_id asked ORDER BY 1, position")
    identifiers = parts("SELECT paper_id, scheme, value FROM identifiers WHERE paper_id asked")
    return [
        KnownPaper(
            *(paper_id, citekey, title, key or "", year, venue, type_),
            tuple_from_json(publication),
            tuple(name for (name,) in authors.get(paper_id, ())),
            tuple(Identifier(*names) for names in identifiers.get(paper_id, ())),
        )
        for paper_id, citekey, title, key, year, venue, type_, publication in store.execute(
            f"""SELECT id, citekey, title, title_key,
                ifnull(year, CAST(substr(submitted, 1, 4) AS INTEGER)), venue, published_type,
                publication
                FROM papers WHERE id {asked} ORDER BY id""",
            parameters,
        )
    ]


def mark_different(store: Store, paper_id: int, other_id: int) -> None:
    """Remember that these two papers are two works."""
    if paper_id == other_id:
        raise UsageError("A paper is not different from itself: name two papers.")
    pair = sorted((paper_id, other_id))
    store.insert("different (paper_id, other_id)", pair, on_conflict="DO NOTHING")


def different_pairs(store: Store) -> set[tuple[int, int]]:
    """The pairs that the reader called different, the smaller number first."""
    return set(store.execute("SELECT paper_id, other_id FROM different").fetchall())


def titles_of_sources(
    store: Store, paper_ids: Iterable[int], *, without: Iterable[str]
) -> dict[int, list[str]]:
    """The titles that sources gave these papers, whether they were taken or only suggested;
    ``without`` names sources that count for nothing."""
    groups = store.select_groups(
        """SELECT p.id, p.title FROM papers p JOIN field_sources f
           ON f.paper_id = p.id AND f.field = 'title'
           WHERE p.title <> '' AND p.id IN (SELECT value FROM json_each(?1))
           AND f.source NOT IN (SELECT value FROM json_each(?2))
           UNION SELECT paper_id, json_extract(value, '$') FROM suggestions
           WHERE field = 'title' AND paper_id IN (SELECT value FROM json_each(?1))
           AND source NOT IN (SELECT value FROM json_each(?2))
           ORDER BY 1""",
        (list(paper_ids), list(without)),
    )
    return {paper_id: [title for (title,) in rows] for paper_id, rows in groups.items()}


def known_titles(store: Store) -> dict[str, str]:
    """Return the titles that the library has of a source, by identifier: ``arxiv:1706.03762``.

    What READMEs or the reader say is left out: lists are read by these titles.
    """
    rows = store.execute(
        """SELECT i.scheme || ':' || i.value, p.title
           FROM field_sources f JOIN papers p ON p.id = f.paper_id
           JOIN identifiers i ON i.paper_id = p.id
           WHERE f.field = 'title' AND f.source NOT IN (SELECT value FROM json_each(?))
           AND p.title <> '' AND i.scheme <> 'url'""",
        (list(NO_SOURCES),),
    )
    return dict(rows.fetchall())

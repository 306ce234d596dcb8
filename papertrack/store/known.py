"""Read the data for deciding whether papers are one work, and store pairs that are not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from papertrack.errors import UsageError
from papertrack.matching.judge import Description
from papertrack.matching.titles import Titled
from papertrack.records import Identifier, Paper
from papertrack.store.lookup import find_named, get_papers
from papertrack.store.papers import READER, NewPaper, add_new_papers, remove_identifiers
from papertrack.store.store import Store

NO_SOURCES = (READER, "document", "reference")
"""Sources that cannot confirm which work an identifier belongs to."""


def described(paper: Paper) -> Description:
    """Return a paper's description for comparison with others.

    Its year is that of publication, or else of version 1.
    """
    facts = paper.facts
    if facts.year is None and facts.submitted:
        facts = facts._replace(year=int(facts.submitted[:4]))
    return Description(facts)


def read_known(
    store: Store,
    identifiers: Iterable[Identifier],
    title_keys: Iterable[str],
    paper_ids: Iterable[int] = (),
) -> list[Paper]:
    """Return the papers with these ids, or with one of the identifiers or title keys.

    See ``text.title_key`` for the keys.
    """
    ids = {*find_named(store, identifiers, title_keys), *paper_ids}
    return get_papers(store, sorted(ids))


def title_keys_of(store: Store, is_asked: Callable[[str, str], bool]) -> list[str]:
    """Return the title keys of all papers for which ``is_asked``, by title and key, is true."""
    titles = store.execute("SELECT title, title_key FROM papers WHERE title_key <> ''")
    return [key for title, key in titles if is_asked(title, key)]


def read_titles(store: Store, paper_ids: Sequence[int] | None = None) -> list[Titled]:
    """Return the title of every paper, or of these."""
    asked = "" if paper_ids is None else "AND p.id IN (SELECT value FROM json_each(?))"
    rows = store.execute(
        f"""SELECT p.id, p.title, p.title_key, a.name FROM papers p
            LEFT JOIN authors a ON a.paper_id = p.id AND a.position = 0
            WHERE p.title_key <> '' {asked} ORDER BY p.id""",
        () if paper_ids is None else (list(paper_ids),),
    )
    return list(map(Titled._make, rows))


def read_addresses(store: Store, paper_ids: Sequence[int] | None = None) -> dict[int, list[str]]:
    """Return the URLs of the works themselves by paper, for all papers or for these."""
    asked = "" if paper_ids is None else "AND paper_id IN (SELECT value FROM json_each(?))"
    found = store.select_groups(
        f"""SELECT paper_id, url FROM links WHERE role = 'paper' {asked}
            ORDER BY paper_id, position""",
        () if paper_ids is None else (list(paper_ids),),
    )
    return {paper_id: [url for (url,) in urls] for paper_id, urls in found.items()}


def mark_different(store: Store, paper_id: int, other_id: int) -> None:
    """Record that two papers are different works."""
    if paper_id == other_id:
        raise UsageError("Name two different papers.")
    pair = sorted((paper_id, other_id))
    store.insert("different (paper_id, other_id)", pair, on_conflict="DO NOTHING")


def different_pairs(store: Store) -> set[tuple[int, int]]:
    """Return the pairs of papers recorded as different works, the smaller id first."""
    return set(store.execute("SELECT paper_id, other_id FROM different").fetchall())


def titles_of_sources(
    store: Store, paper_ids: Iterable[int], *, without: Iterable[str]
) -> dict[int, list[str]]:
    """Return the titles that sources gave these papers, accepted or only suggested.

    Leaves out the sources in ``without``.
    """
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
    """Return the titles from sources, by identifier: ``arxiv:1706.03762``.

    Titles from READMEs or the user are left out, because lists are read with the help of these.
    """
    return store.select_dict(
        """SELECT i.scheme || ':' || i.value, p.title
           FROM field_sources f JOIN papers p ON p.id = f.paper_id
           JOIN identifiers i ON i.paper_id = p.id
           WHERE f.field = 'title' AND f.source NOT IN (SELECT value FROM json_each(?))
           AND p.title <> '' AND i.scheme <> 'url'""",
        (list(NO_SOURCES),),
    )


def split_paper(store: Store, paper_id: int, new: NewPaper, *, source: str) -> int:
    """Split a paper: add ``new`` with one of its keys; return the id of the new paper.

    The key, identifiers and original records of ``new`` are removed from the paper, and the two are
    recorded as different works.
    """
    facts = new.facts
    remove_identifiers(store, paper_id, facts.identifiers)
    store.execute(
        "DELETE FROM citekey_aliases WHERE alias = ? AND paper_id = ?", (new.citekey, paper_id)
    )
    store.execute(
        """DELETE FROM originals WHERE paper_id = ?
           AND source IN (SELECT value FROM json_each(?))""",
        (paper_id, [name for name, _ in new.originals]),
    )
    (new_id,) = add_new_papers(store, [new], source=source)
    mark_different(store, paper_id, new_id)
    return new_id


def find_merge(store: Store, citekey: str) -> int | None:
    """Return the number of the last `merge` of the paper with this key that is not undone."""
    found: int | None = store.select_value(
        """SELECT a.id FROM actions a JOIN changes c ON c.action_id = a.id
           WHERE a.verb = 'merge' AND a.state = 'done' AND c.table_name = 'papers'
           AND c.operation = 'delete' AND json_extract(c.old, '$.citekey') = ? COLLATE NOCASE
           ORDER BY a.id DESC LIMIT 1""",
        (citekey,),
    )
    return found

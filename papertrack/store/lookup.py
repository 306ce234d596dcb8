"""Finding papers and reading them whole: by identifier, title, citekey or any reference."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from papertrack.errors import ConflictError, NotFoundError
from papertrack.records import Author, Identifier, Link, Paper, PaperFacts, Reading
from papertrack.store import categories
from papertrack.store.store import Store
from papertrack.text import title_key

COLUMN_FIELDS = (
    "title",
    "abstract",
    "description",
    "submitted",
    "updated",
    "announced",
    "version",
    "primary_category",
    "comment",
    "journal_ref",
    "venue",
    "year",
    "published_type",
    "licence",
)
"""Fields of PaperFacts that are one plain column of ``papers``."""
JSON_FIELDS = ("arxiv_categories", "publication")
_CHUNK = 1000


def find_papers(store: Store, identifiers: Iterable[Identifier]) -> dict[Identifier, int]:
    """Which of these identifiers the library knows, and whose each one is."""
    wanted = {(i.scheme, i.value): i for i in identifiers}
    if not wanted:
        return {}
    # Terms joined by OR use the key's index one by one; a row-value IN would read the whole table.
    terms = " OR ".join("(scheme = ? AND value = ?)" for _ in wanted)
    rows = store.execute(
        f"SELECT scheme, value, paper_id FROM identifiers WHERE {terms}",
        [part for pair in wanted for part in pair],
    )
    found = {(scheme, value): paper_id for scheme, value, paper_id in rows}
    return {i: found[pair] for pair, i in wanted.items() if pair in found}


def find_paper(store: Store, identifiers: Sequence[Identifier]) -> int | None:
    """The paper that these identifiers name, if they name one.

    Raises ConflictError when they belong to different papers: they are never merged by guessing.
    """
    found = find_papers(store, identifiers)
    owners = sorted(set(found.values()))
    if len(owners) > 1:
        names = ", ".join(
            f"{i.scheme}:{i.value} is {citekey_of(store, p)}" for i, p in found.items()
        )
        raise ConflictError(
            f"These identifiers belong to different papers: {names}. "
            "Merge them with `papertrack merge` if they are one work."
        )
    return owners[0] if owners else None


def find_by_title(store: Store, title: str) -> list[int]:
    """The papers whose title is the same but for case, accents, markup and punctuation."""
    return store.select_column(
        "SELECT id FROM papers WHERE title_key = ? ORDER BY id", (title_key(title),)
    )


def citekey_of(store: Store, paper_id: int) -> str:
    row = store.execute("SELECT citekey FROM papers WHERE id = ?", (paper_id,)).fetchone()
    if row is None:
        raise NotFoundError(f"There is no paper with the number {paper_id}.")
    return str(row[0])


def get_paper(store: Store, paper_id: int) -> Paper:
    """One paper with all that belongs to it. Raises NotFoundError."""
    papers = get_papers(store, [paper_id])
    if not papers:
        raise NotFoundError(f"There is no paper with the number {paper_id}.")
    return papers[0]


def get_papers(store: Store, paper_ids: Sequence[int]) -> list[Paper]:
    """These papers with all that belongs to them, in the order asked; unknown ids are left out."""
    papers: list[Paper] = []
    for start in range(0, len(paper_ids), _CHUNK):
        papers += _read_chunk(store, paper_ids[start : start + _CHUNK])
    return papers


def _read_chunk(store: Store, paper_ids: Sequence[int]) -> list[Paper]:
    ids = json.dumps(list(paper_ids))

    def grouped(sql: str) -> dict[int, list[tuple[object, ...]]]:
        groups: dict[int, list[tuple[object, ...]]] = {}
        for paper_id, *rest in store.execute(
            sql.replace("IN ids", "IN (SELECT value FROM json_each(?))"), (ids,)
        ):
            groups.setdefault(paper_id, []).append(tuple(rest))
        return groups

    identifiers = grouped(
        """SELECT paper_id, scheme, value FROM identifiers WHERE paper_id IN ids
           ORDER BY paper_id, position, scheme"""
    )
    authors = grouped(
        """SELECT paper_id, name, affiliation, family FROM authors WHERE paper_id IN ids
           ORDER BY paper_id, position"""
    )
    links = grouped(
        """SELECT paper_id, role, url, label FROM links WHERE paper_id IN ids
           ORDER BY paper_id, position, id"""
    )
    readings = grouped(
        """SELECT paper_id, pass, at, minutes, version, takeaway FROM readings
           WHERE paper_id IN ids ORDER BY paper_id, pass, id"""
    )
    category_ids = grouped(
        """SELECT paper_id, category_id FROM paper_categories WHERE paper_id IN ids
           ORDER BY paper_id, category_id"""
    )
    tags = grouped("SELECT paper_id, tag FROM tags WHERE paper_id IN ids ORDER BY tag")
    notes = grouped(
        "SELECT paper_id, path FROM notes WHERE paper_id IN ids ORDER BY position, path"
    )
    aliases = grouped(
        "SELECT paper_id, alias FROM citekey_aliases WHERE paper_id IN ids ORDER BY alias"
    )
    topics = grouped(
        """SELECT pt.paper_id, t.name FROM paper_topics pt JOIN topics t ON t.id = pt.topic_id
           WHERE pt.paper_id IN ids ORDER BY t.name"""
    )
    paths = categories.paths(store)
    columns = ", ".join(f"p.{name}" for name in (*COLUMN_FIELDS, *JSON_FIELDS))
    rows = store.execute(
        f"""SELECT p.id, p.citekey, p.kind, p.added, p.is_withdrawn, s.decision,
                   s.decision_reason, s.passes_done, s.rating, {columns}
            FROM papers p JOIN paper_states s ON s.paper_id = p.id
            WHERE p.id IN (SELECT value FROM json_each(?))""",
        (ids,),
    )
    found = {}
    for row in rows:
        (paper_id, citekey, kind, added, is_withdrawn, decision, reason, passes, rating) = row[:9]
        values = dict(zip((*COLUMN_FIELDS, *JSON_FIELDS), row[9:], strict=True))
        values["arxiv_categories"] = tuple(json.loads(values["arxiv_categories"]))
        values["publication"] = tuple(tuple(pair) for pair in json.loads(values["publication"]))
        facts = PaperFacts(
            kind=kind,
            identifiers=tuple(Identifier(*i) for i in identifiers.get(paper_id, ())),  # type: ignore[arg-type]
            authors=tuple(Author(*a) for a in authors.get(paper_id, ())),  # type: ignore[arg-type]
            links=tuple(Link(*link) for link in links.get(paper_id, ())),  # type: ignore[arg-type]
            is_withdrawn=None if is_withdrawn is None else bool(is_withdrawn),
            **values,
        )
        found[paper_id] = Paper(
            id=paper_id,
            citekey=citekey,
            facts=facts,
            added=added,
            decision=decision,
            decision_reason=reason,
            passes_done=passes,
            readings=tuple(Reading(*r) for r in readings.get(paper_id, ())),  # type: ignore[arg-type]
            rating=rating,
            categories=tuple(sorted(paths[c[0]] for c in category_ids.get(paper_id, ()))),  # type: ignore[index]
            tags=tuple(str(t[0]) for t in tags.get(paper_id, ())),
            notes=tuple(str(n[0]) for n in notes.get(paper_id, ())),
            topics=tuple(str(t[0]) for t in topics.get(paper_id, ())),
            citekey_aliases=tuple(str(a[0]) for a in aliases.get(paper_id, ())),
        )
    return [found[paper_id] for paper_id in paper_ids if paper_id in found]


def field_sources(store: Store, paper_id: int) -> dict[str, str]:
    """Which source each field's value comes from."""
    rows = store.execute("SELECT field, source FROM field_sources WHERE paper_id = ?", (paper_id,))
    return dict(rows.fetchall())


def fields_of_reader(store: Store, paper_id: int) -> frozenset[str]:
    """The fields of the paper that the reader has edited."""
    rows = store.execute(
        "SELECT field FROM field_sources WHERE paper_id = ? AND source = 'user'", (paper_id,)
    )
    return frozenset(row[0] for row in rows)


def get_originals(store: Store, paper_id: int) -> dict[str, str]:
    """The paper's entries word for word, by where they stood: ``"refs.bib:key"``."""
    rows = store.execute(
        "SELECT source, text FROM originals WHERE paper_id = ? ORDER BY source", (paper_id,)
    )
    return dict(rows.fetchall())


def find_by_citekey(store: Store, citekey: str) -> int | None:
    """The paper that has, or had, this key, without regard to case."""
    row = store.execute(
        """SELECT id FROM papers WHERE citekey = ?1
           UNION ALL SELECT paper_id FROM citekey_aliases WHERE alias = ?1 LIMIT 1""",
        (citekey,),
    ).fetchone()
    return row[0] if row else None


def find_by_title_start(store: Store, start: str, *, limit: int = 6) -> list[int]:
    """The papers whose title starts so but for case, accents, markup and punctuation.

    Papers whose whole title it is are returned alone.
    """
    key = title_key(start)
    if not key:
        return []
    rows = store.execute(
        """SELECT id, title_key = ?1 FROM papers
           WHERE title_key >= ?1 AND title_key < ?1 || char(1114111)
           ORDER BY title_key, id LIMIT ?2""",
        (key, limit),
    ).fetchall()
    return [row[0] for row in rows if row[1]] or [row[0] for row in rows]


def papers_with_note(store: Store, path: str) -> list[int]:
    """The papers that this note file is about."""
    return store.select_column(
        "SELECT paper_id FROM notes WHERE path = ? ORDER BY paper_id", (path,)
    )


def all_names(store: Store) -> list[tuple[str, str | None]]:
    """Every paper's citekey and title: what a mistyped reference is compared with."""
    return store.execute("SELECT citekey, title FROM papers ORDER BY id").fetchall()

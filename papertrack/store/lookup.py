"""Find and read papers by identifier, title, citekey or any reference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from papertrack.errors import ConflictError, NotFoundError
from papertrack.records import Author, Identifier, Link, Paper, PaperFacts, Reading
from papertrack.store import categories
from papertrack.store.database import tuple_from_json
from papertrack.store.store import Store
from papertrack.text import title_key

COLUMN_FIELDS = (
    *("title", "abstract", "description", "submitted", "updated", "announced", "version"),
    *("primary_category", "comment", "journal_ref", "venue", "year", "published_type", "licence"),
)
"""Fields of PaperFacts that are one plain column of ``papers``."""
JSON_FIELDS = ("arxiv_categories", "publication")
_CHUNK = 500
_MAX_NAMED = 5
"""How many papers an error names."""


def find_papers(store: Store, identifiers: Iterable[Identifier]) -> dict[Identifier, int]:
    """Return the papers that have these identifiers."""
    by_pair = {(i.scheme, i.value): i for i in identifiers}
    rows = store.execute(
        """SELECT i.scheme, i.value, i.paper_id FROM json_each(?) asked JOIN identifiers i
           ON i.scheme = json_extract(asked.value, '$[0]')
           AND i.value = json_extract(asked.value, '$[1]')""",
        (list(by_pair),),
    )
    owners = {(scheme, value): paper_id for scheme, value, paper_id in rows}
    return {i: owners[pair] for pair, i in by_pair.items() if pair in owners}


def find_paper(store: Store, identifiers: Sequence[Identifier]) -> int | None:
    """Return the paper that these identifiers name, if any.

    Raises ConflictError if they belong to different papers: papers are never merged by guessing.
    """
    paper_of = find_papers(store, identifiers)
    owners = sorted(set(paper_of.values()))
    if len(owners) > 1:
        names = ", ".join(
            f"{i.scheme}:{i.value} is {citekey_of(store, p)}" for i, p in paper_of.items()
        )
        raise ConflictError(
            f"These identifiers belong to different papers: {names}. "
            "Merge them with `papertrack merge` if they are one work."
        )
    return owners[0] if owners else _only_paper_at(store, identifiers)


def _only_paper_at(store: Store, identifiers: Sequence[Identifier]) -> int | None:
    """Return the only paper that links to one of these URLs, which identify no paper.

    Raises ConflictError for a URL that several works share.
    """
    addresses = [identifier.value for identifier in identifiers if identifier.scheme == "url"]
    paper_ids = sorted({paper_id for paper_id, _, _ in papers_at(store, addresses)})
    if len(paper_ids) > 1:
        keys = ", ".join(citekey_of(store, paper_id) for paper_id in paper_ids[:_MAX_NAMED])
        ellipsis = ", …" if len(paper_ids) > _MAX_NAMED else ""
        raise ConflictError(
            f"Several papers have the address {addresses[0]}: {keys}{ellipsis}. Use a citekey."
        )
    return paper_ids[0] if paper_ids else None


def find_by_title(store: Store, title: str, *, limit: int = -1) -> list[int]:
    """Return the papers with this title, at most ``limit``.

    Case, accents, markup and punctuation do not count.
    """
    sql = "SELECT id FROM papers WHERE title_key = ? ORDER BY id LIMIT ?"
    return store.select_column(sql, (title_key(title), limit))


def known_title_keys(store: Store, keys: Iterable[str]) -> set[str]:
    """Return those of these title keys (see ``text.title_key``) that a paper of the library has."""
    sql = "SELECT title_key FROM papers WHERE title_key IN (SELECT value FROM json_each(?))"
    return set(store.select_column(sql, (list(keys),)))


def find_named(
    store: Store, identifiers: Iterable[Identifier], title_keys: Iterable[str]
) -> list[int]:
    """Return the papers with one of these identifiers or titles (see ``text.title_key``)."""
    return store.select_column(
        """SELECT i.paper_id FROM json_each(?) asked JOIN identifiers i
           ON i.scheme = json_extract(asked.value, '$[0]')
           AND i.value = json_extract(asked.value, '$[1]')
           UNION SELECT id FROM papers WHERE title_key IN (SELECT value FROM json_each(?))""",
        ([(i.scheme, i.value) for i in identifiers], list(title_keys)),
    )


def title_key_of(store: Store, paper_id: int) -> str:
    """Return the key of a paper's title (see ``text.title_key``); empty without a title."""
    key = store.select_value("SELECT title_key FROM papers WHERE id = ?", (paper_id,))
    return str(key or "")


def papers_at(store: Store, addresses: Sequence[str]) -> list[tuple[int, str, str]]:
    """Return the papers without identifiers that link to one of these normalised URLs.

    Returns each paper, the URL as it has it, and the key of its title.
    """
    spelled = {url: None for address in addresses for url in _spell_url(address)}
    if not spelled:
        return []
    # This reads all links, which have no index by URL; few papers result.
    return store.execute(
        """SELECT p.id, l.url, ifnull(p.title_key, '') FROM links l CROSS JOIN papers p
           ON p.id = l.paper_id WHERE l.url IN (SELECT value FROM json_each(?))
           AND NOT EXISTS (SELECT 1 FROM identifiers i WHERE i.paper_id = p.id)
           ORDER BY p.id DESC""",
        (list(spelled),),
    ).fetchall()


def _spell_url(address: str) -> list[str]:
    """Return the spellings of a normalised URL that links may have."""
    path = address.partition("://")[2]
    starts = ("https://", "http://", "https://www.", "http://www.")
    return [start + path + end for start in starts for end in ("", "/")]


def citekey_of(store: Store, paper_id: int) -> str:
    citekey = store.select_value("SELECT citekey FROM papers WHERE id = ?", (paper_id,))
    if citekey is None:
        raise NotFoundError(f"There is no paper with the number {paper_id}.")
    return str(citekey)


def citekeys_of(store: Store, paper_ids: Sequence[int]) -> list[str]:
    """Return the keys of these papers, in the given order; unknown ids are left out."""
    citekeys = store.select_dict(
        "SELECT id, citekey FROM papers WHERE id IN (SELECT value FROM json_each(?))",
        (list(paper_ids),),
    )
    return [citekeys[paper_id] for paper_id in paper_ids if paper_id in citekeys]


def get_paper(store: Store, paper_id: int) -> Paper:
    """Return one paper with all its data. Raises NotFoundError."""
    papers = get_papers(store, [paper_id])
    if not papers:
        raise NotFoundError(f"There is no paper with the number {paper_id}.")
    return papers[0]


def get_papers(store: Store, paper_ids: Sequence[int]) -> list[Paper]:
    """Return these papers with all their data, in the given order; unknown ids are left out."""
    return list(each_paper(store, paper_ids))


def each_paper(store: Store, paper_ids: Sequence[int]) -> Iterator[Paper]:
    """Yield these papers with all their data, a page at a time."""
    for start in range(0, len(paper_ids), _CHUNK):
        yield from _read_chunk(store, paper_ids[start : start + _CHUNK])


_READING = "pass, at, minutes, version, takeaway"
"""The columns of a reading, which sort readings in the same order on every device.

Two equal readings, as when two devices merged the same papers, are returned as one.
"""
_OF_ONE = f"paper_id, {_READING}"
_ASKED = "WHERE paper_id IN (SELECT value FROM json_each(?))"
_PARTS: dict[str, tuple[Callable[..., Any], str]] = {
    "identifiers": (
        Identifier,
        f"scheme, value FROM identifiers {_ASKED} ORDER BY paper_id, position, scheme",
    ),
    "authors": (
        Author,
        f"name, affiliation, family FROM authors {_ASKED} ORDER BY paper_id, position",
    ),
    "links": (Link, f"role, url, label FROM links {_ASKED} ORDER BY paper_id, position, role, url"),
    "readings": (
        Reading,
        f"{_READING} FROM readings {_ASKED} GROUP BY {_OF_ONE} ORDER BY {_OF_ONE}",
    ),
    "categories": (int, f"category_id FROM paper_categories {_ASKED}"),
    "tags": (str, f"tag FROM tags {_ASKED} ORDER BY paper_id, tag"),
    "notes": (str, f"path FROM notes {_ASKED} ORDER BY paper_id, position, path"),
    "citekey_aliases": (str, f"alias FROM citekey_aliases {_ASKED} ORDER BY paper_id, alias"),
    "draft_keys": (str, f"alias FROM citekey_aliases {_ASKED} AND NOT is_given ORDER BY alias"),
    "topics": (
        str,
        f"""t.name FROM paper_topics JOIN topics t ON t.id = topic_id {_ASKED}
            ORDER BY paper_id, t.name""",
    ),
}
"""Rows that belong to a paper, by field: their type, and SQL for their columns."""
_FACT_PARTS = ("identifiers", "authors", "links")
_STATES = ("decision", "decision_reason", "passes_done", "rating", "snoozed_until")
_STATES_SQL = (
    "decision, decision_reason, min(passes_done, 3), max(0, min(rating, 5)), snoozed_until"
)
"""A sign for each point of a stranger's 2^60 would fill the memory."""
_FACTS = ("kind", *COLUMN_FIELDS, *JSON_FIELDS, "is_withdrawn")


def _read_chunk(store: Store, paper_ids: Sequence[int]) -> list[Paper]:
    parts = _read_parts(store, paper_ids)
    rows = store.execute(
        f"""SELECT id, citekey, added, {_STATES_SQL}, {", ".join(_FACTS)}
            FROM papers JOIN paper_states ON paper_id = id
            WHERE id IN (SELECT value FROM json_each(?))""",
        (list(paper_ids),),
    )
    papers = {
        row[0]: _paper_of(row, {name: of.get(row[0], ()) for name, of in parts.items()})
        for row in rows
    }
    return [papers[paper_id] for paper_id in paper_ids if paper_id in papers]


def _read_parts(store: Store, paper_ids: Sequence[int]) -> dict[str, dict[int, tuple[Any, ...]]]:
    """Return the rows that belong to these papers, by name, then by paper."""
    parts: dict[str, dict[int, tuple[Any, ...]]] = {}
    for name, (make, sql) in _PARTS.items():
        groups = store.select_groups(f"SELECT paper_id, {sql}", (list(paper_ids),))
        parts[name] = {of: tuple(make(*row) for row in rows) for of, rows in groups.items()}
    places = parts["categories"]
    paths = categories.paths_of(store, (number for n in places.values() for number in n))
    parts["categories"] = {
        of: tuple(sorted([paths[number] for number in numbers])) for of, numbers in places.items()
    }
    return parts


def _paper_of(row: Sequence[Any], parts: dict[str, Any]) -> Paper:
    paper_id, citekey, added, *values = row
    fields = dict(zip((*_STATES, *_FACTS), values, strict=True))
    fields |= {name: tuple_from_json(fields[name]) for name in JSON_FIELDS}
    if fields["is_withdrawn"] is not None:
        fields["is_withdrawn"] = bool(fields["is_withdrawn"])
    own = {name: fields.pop(name) for name in _STATES}
    facts = PaperFacts(**fields, **{name: parts.pop(name) for name in _FACT_PARTS})
    return Paper(paper_id, citekey, facts, added, **own, **parts)


def field_sources(store: Store, paper_id: int) -> dict[str, str]:
    """Return the source of each field's value."""
    sql = "SELECT field, source FROM field_sources WHERE paper_id = ?"
    return store.select_dict(sql, (paper_id,))


def fields_of_reader(store: Store, paper_id: int) -> frozenset[str]:
    """Return the fields of the paper that the user has edited."""
    sources = field_sources(store, paper_id)
    return frozenset(field for field, source in sources.items() if source == "user")


def find_by_citekey(store: Store, citekey: str) -> int | None:
    """Return the paper that has or had this key, ignoring case."""
    paper_id: int | None = store.select_value(
        """SELECT id FROM papers WHERE citekey = ?1
           UNION ALL SELECT paper_id FROM citekey_aliases WHERE alias = ?1 LIMIT 1""",
        (citekey,),
    )
    return paper_id


def find_by_title_start(store: Store, start: str, *, limit: int = 6) -> list[int]:
    """Return the papers whose title starts like this.

    Case, accents, markup and punctuation do not count. If it is the whole title of some papers,
    only those are returned.
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
    """Return the papers that this note file is about."""
    return store.select_column(
        "SELECT paper_id FROM notes WHERE path = ? ORDER BY paper_id", (path,)
    )


def reference_names(store: Store) -> list[tuple[str, int]]:
    """Return all citation keys and titles, each with its paper, to correct mistyped references."""
    return store.execute(
        """SELECT citekey, id FROM papers
           UNION ALL SELECT title, id FROM papers WHERE title IS NOT NULL"""
    ).fetchall()


def all_names(store: Store) -> list[tuple[str, str | None]]:
    """Return every paper's citekey and title."""
    return store.execute("SELECT citekey, title FROM papers ORDER BY id").fetchall()


def documents_of(store: Store, paper_id: int) -> list[str]:
    """Return the paths of the documents that have an entry for the paper."""
    return store.select_column(
        """SELECT DISTINCT d.path FROM entries e JOIN documents d ON d.id = e.document_id
           WHERE e.paper_id = ? ORDER BY d.path""",
        (paper_id,),
    )

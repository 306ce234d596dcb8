"""The records of a shared library: papers, categories, topics and watched days.

``paper_records``, which the journal keeps, has the names of the papers' records. ``record_files``
has each file as this library wants it, and as it was when both agreed.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from papertrack.errors import UsageError
from papertrack.holdings import Details
from papertrack.records import Paper, PaperFacts
from papertrack.store.categories import merge_categories
from papertrack.store.citekeys import Citekeys
from papertrack.store.database import Database
from papertrack.store.journal import part_of_action, without_journal
from papertrack.store.lookup import COLUMN_FIELDS, JSON_FIELDS
from papertrack.store.papers import NewPaper, add_new_papers
from papertrack.store.store import Store
from papertrack.text import title_key

Record = dict[str, Any]
PRIVATE = ("takeaways", "minutes", "notes", "reasons", "discards")
"""Kinds of the user's data that can stay on this machine."""
UNANSWERED = frozenset(PRIVATE[:4])
"""Kinds that stay private until the user answers."""
_TEXTS = ("citekey", *COLUMN_FIELDS, "added")
"""Columns of ``papers`` that a record has unchanged."""
_COLUMNS = (*_TEXTS, *JSON_FIELDS, "kind", "is_withdrawn")
_DEFAULTS = {"kind": "paper", "decision": {"is": "inbox"}} | {name: [] for name in JSON_FIELDS}
_STATES = {"rating": "rating", "wish": "wish", "in_hand_since": "queue", "snoozed_until": "snoozed"}
_MAX_DEPTH = 100
"""The most levels of categories."""
_NO_NAME = re.compile(r"[^a-z0-9._-]+")


class RecordFile(NamedTuple):
    """The state of a file of the shared library."""

    name: str
    """The path, relative to the library's folder, with ``/``."""
    text: str
    """The content to write, according to the library."""
    base: str | None
    """The content at the last sync, while ``text`` may not be written yet."""
    stamp: str
    """Size and time of the file when it was last read."""
    problem: str | None
    """Why the file is not read."""


def is_shared(db: Database) -> bool:
    """Return whether the library writes records."""
    return db.select_value("SELECT 1 FROM share_self") is not None


def begin_sharing(store: Store) -> None:
    """Start writing records. Part of a transaction."""
    store.insert("share_self (id)", (1,), "DO NOTHING")


def end_sharing(store: Store) -> None:
    """Delete all data on records. Part of a transaction."""
    with without_journal(store):
        for table in ("share_self", "record_files", "paper_records"):
            store.execute(f"DELETE FROM {table}")


def private_kinds_of(words: str, question: str) -> frozenset[str]:
    """Return the kinds that the user names; none for ``nothing``.

    Raises UsageError, starting with the ``question``, for any other word: it would be shared.
    """
    kinds = {word for word in words.replace(",", " ").split() if word not in ("nothing", "none")}
    if wrong := sorted(kinds - {*PRIVATE}):
        raise UsageError(f"{question} {wrong[0]}: use some of {', '.join(PRIVATE)}, or nothing.")
    return frozenset(kinds)


def chosen_private(db: Database) -> tuple[frozenset[str], bool]:
    """Return the kinds that stay private, and whether the user has chosen them."""
    kinds = db.select_value("SELECT private FROM share_self")
    return (UNANSWERED, False) if kinds is None else (frozenset(json.loads(kinds)), True)


def answer_private(store: Store, kinds: Iterable[str]) -> None:
    """Store the kinds that stay private. Part of a transaction."""
    store.execute("UPDATE share_self SET private = ?", (sorted(kinds),))


def known_stamps(db: Database) -> dict[str, str]:
    """Return the stamp of each file by name; empty for files to be written."""
    return db.select_dict("SELECT name, iif(base IS NULL, stamp, '') FROM record_files")


def record_files(db: Database, names: Sequence[str] | None = None) -> dict[str, RecordFile]:
    """Return the known files, or those of these names, by name."""
    sql = "SELECT name, text, base, stamp, problem FROM record_files"
    if names is not None:
        sql += " WHERE name IN (SELECT value FROM json_each(?))"
    rows = db.execute(sql, () if names is None else (list(names),))
    return {row[0]: RecordFile(*row) for row in rows}


def same_as(db: Database) -> dict[str, list[str]]:
    """Return the names of records with those that they declare the same work."""
    rows = db.execute("SELECT name, same_as FROM record_files WHERE name LIKE 'papers/%'")
    return {stem_of(name): json.loads(names) for name, names in rows}


def with_conflicts(db: Database) -> list[RecordFile]:
    """Return the files with conflicts."""
    names = db.select_column("SELECT name FROM record_files WHERE has_conflicts ORDER BY name")
    return list(record_files(db, names).values())


def keep_file(store: Store, file: RecordFile, record: Record) -> None:
    """Store a file, and the flags of its record. Part of a transaction."""
    links, removed = record.get("same_as", []), bool(record.get("removed"))
    store.insert(
        """record_files
           (name, text, base, stamp, problem, same_as, is_removed, has_conflicts)""",
        (*file, links, removed, bool(record.get("conflicts"))),
        """(name) DO UPDATE SET text = excluded.text, base = excluded.base,
           stamp = excluded.stamp, problem = excluded.problem, same_as = excluded.same_as,
           is_removed = excluded.is_removed, has_conflicts = excluded.has_conflicts""",
    )


def note_stamps(store: Store, stamps: Mapping[str, tuple[str, str | None]]) -> None:
    """Store that files agree with the library, or their problems. Part of a transaction.

    ``stamps`` has a stamp and a problem by name.
    """
    store.connection.executemany(
        """UPDATE record_files SET stamp = ?2, problem = ?3,
           base = CASE WHEN ?3 IS NULL THEN NULL ELSE base END WHERE name = ?1""",
        [(name, *stamp_and_problem) for name, stamp_and_problem in stamps.items()],
    )


def stem_of(name: str) -> str:
    """Return a record's name from the name of its file."""
    return name.removeprefix("papers/").removesuffix(".toml")


def file_of(stem: str) -> str:
    """Return the name of a record's file."""
    return f"papers/{stem}.toml"


def names_of(db: Database, paper_ids: Iterable[int]) -> dict[int, list[str]]:
    """Return the names of these papers' records, by paper."""
    groups = db.select_groups(
        """SELECT paper_id, name FROM paper_records
           WHERE paper_id IN (SELECT value FROM json_each(?)) ORDER BY name""",
        (sorted(paper_ids),),
    )
    return {paper_id: [row[0] for row in rows] for paper_id, rows in groups.items()}


def papers_of(db: Database, names: Iterable[str]) -> dict[str, int]:
    """Return the papers of these records, by name."""
    return db.select_dict(
        """SELECT name, paper_id FROM paper_records
           WHERE name IN (SELECT value FROM json_each(?))""",
        (sorted(names),),
    )


def records_with(db: Database, identifiers: Iterable[str]) -> list[str]:
    """Return the records of papers that have one of these identifiers."""
    return db.select_column(
        """SELECT DISTINCT name FROM paper_records JOIN identifiers USING (paper_id)
           WHERE scheme || ':' || value IN (SELECT value FROM json_each(?))""",
        (sorted(identifiers),),
    )


def give_records(store: Store, papers: Mapping[str, int]) -> None:
    """Assign records to papers, by name."""
    with part_of_action(store):
        store.insert_many(
            "paper_records (name, paper_id)",
            papers.items(),
            "(name) DO UPDATE SET paper_id = excluded.paper_id WHERE paper_id <> excluded.paper_id",
        )


def name_records(store: Store, paper_ids: Iterable[int]) -> None:
    """Give each of these papers without a record a free name for one.

    The name comes from an identifier, or is random.
    """
    # By the index of papers: the key of identifiers would read all arXiv ids for each paper.
    rows = store.execute(
        """SELECT id, (SELECT json_group_array(value) FROM (
               SELECT value FROM identifiers WHERE paper_id = papers.id
               AND +scheme IN ('arxiv', 'doi') ORDER BY +scheme, value))
           FROM papers WHERE id IN (SELECT value FROM json_each(?))
           AND id NOT IN (SELECT paper_id FROM paper_records) ORDER BY id""",
        (sorted(paper_ids),),
    ).fetchall()
    paper_of_name: dict[str, int] = {}
    for paper_id, identifiers in rows:
        names = (_NO_NAME.sub("-", i.lower()).strip(".-")[:80] for i in json.loads(identifiers))
        free = (name for name in names if name not in paper_of_name and _is_free(store, name))
        paper_of_name[next(free, f"x-{secrets.token_hex(8)}")] = paper_id
    give_records(store, paper_of_name)


def _is_free(store: Store, name: str) -> bool:
    """Return whether no record has this name, and one may have it."""
    is_taken = store.select_value(
        """SELECT 1 FROM record_files WHERE name = ?1
           UNION SELECT 1 FROM paper_records WHERE name = ?2""",
        (file_of(name), name),
    )
    return bool(name) and ".." not in name and not is_taken


def orphans(db: Database) -> list[str]:
    """Return the records without a paper that are not yet marked as removed."""
    return db.select_column(
        """SELECT name FROM record_files WHERE name LIKE 'papers/%' AND NOT is_removed
           AND substr(name, 8, length(name) - 12) NOT IN (SELECT name FROM paper_records)"""
    )


def all_papers(db: Database) -> list[int]:
    """Return the ids of all papers."""
    return db.select_column("SELECT id FROM papers ORDER BY id")


# -- what the library has ------------------------------------------------------------------------


def read_papers(db: Database, paper_ids: Iterable[int]) -> dict[int, Record]:
    """Return the records of these papers by id, as the library has them."""
    ids = sorted(paper_ids)
    records: dict[int, Record] = {}
    columns = ", ".join((*_TEXTS, *JSON_FIELDS, *_STATES))
    for row in _rows(
        db,
        f"""id, kind, is_withdrawn, is_citekey_given OR EXISTS (
                SELECT 1 FROM shown_citekeys WHERE paper_id = papers.id) AS cited,
            decision, decision_reason, decided_at, {columns}
            FROM papers JOIN paper_states ON paper_id = id WHERE id IN wanted""",
        ids,
    ):
        records[row["id"]] = _facts(row)
    for name, part in _PARTS.items():
        select, order = part.select, part.order
        sql = f"paper_id AS owner, {select} WHERE paper_id IN wanted ORDER BY paper_id, {order}"
        for row in _rows(db, sql, ids):
            record, key = records.get(row.pop("owner"), {}), row.pop("key", None)
            entry = row["one"] if "one" in row else _without_none(row)
            if key is not None:
                record.setdefault(name, {})[key] = entry
            else:
                # An author with nothing but a name is stored as the name.
                is_name = name == "authors" and len(entry) == 1
                record.setdefault(name, []).append(entry["name"] if is_name else entry)
    return records


def _facts(row: Mapping[str, Any]) -> Record:
    record = {n: row[n] for n in _TEXTS} | {_STATES[column]: row[column] for column in _STATES}
    record |= {name: json.loads(row[name]) or None for name in JSON_FIELDS}
    record["cited"] = True if row["cited"] else None
    record["kind"] = None if row["kind"] == "paper" else row["kind"]
    record["is_withdrawn"] = None if row["is_withdrawn"] is None else bool(row["is_withdrawn"])
    if row["decision"] != "inbox":
        decision = {"is": row["decision"], "at": row["decided_at"]}
        record["decision"] = _without_none(decision | {"reason": row["decision_reason"]})
    return _without_none(record)


def _rows(db: Database, select: str, ids: Sequence[int]) -> Iterator[dict[str, Any]]:
    sql = f"WITH wanted AS (SELECT value FROM json_each(?1)) SELECT {select}"
    cursor = db.execute(sql, (list(ids),))
    names = [column[0] for column in cursor.description]
    return (dict(zip(names, row, strict=True)) for row in cursor.fetchall())


def _without_none(row: Mapping[str, Any]) -> Record:
    return {name: value for name, value in row.items() if value is not None}


class _Part(NamedTuple):
    """A list or map in a record, with SQL for the rows of paper ``?1`` that contain it."""

    select: str
    """Columns and table; ``one`` is an element of a list, ``key`` the key of an entry of a map."""
    order: str
    delete: str
    """Table and condition for the rows of elements or keys in ``gone``.

    For an ordered list, these are all rows, which are written again in order.
    """
    insert: str
    """Table, columns and query for the rows of the elements or entries in ``new``."""


def _plain(table: str, *columns: str) -> _Part:
    """Return the part of a record for a table whose rows are its entries or elements.

    With one column besides ``position``, a row is an element: the value itself. Otherwise it is an
    entry with these columns.
    """
    names = [column for column in columns if column != "position"]
    values = ", ".join(
        "key"
        if name in ("position", "key")
        else f"iif(type = 'object', value ->> '{name}', {'value' if name == names[0] else 'NULL'})"
        for name in columns
    )
    first = f"{columns[0]} COLLATE BINARY"
    return _Part(
        f"{', '.join(names)}{' AS one' * (len(names) == 1)} FROM {table}",
        f"{first}, {names[0]}",
        f"{table} WHERE paper_id = ?1" + f" AND {first} IN gone" * (columns[0] != "position"),
        f"{table} (paper_id, {', '.join(columns)}) SELECT ?1, {values} FROM new WHERE 1",
    )


_PARTS = {
    "identifiers": _Part(
        "scheme || ':' || value AS one FROM identifiers",
        "position, scheme, value",
        "identifiers WHERE paper_id = ?1 AND scheme || ':' || value IN gone",
        """identifiers (paper_id, position, scheme, value) SELECT ?1, key,
           substr(value, 1, instr(value, ':') - 1), substr(value, instr(value, ':') + 1)
           FROM new WHERE 1 ON CONFLICT (scheme, value) DO UPDATE SET position = excluded.position
           WHERE paper_id = excluded.paper_id AND position <> excluded.position""",
    ),
    "aliases": _plain("citekey_aliases", "alias"),
    "authors": _plain("authors", "position", "name", "affiliation", "family"),
    "links": _plain("links", "position", "role", "url", "label"),
    "categories": _Part(
        "key AS one FROM paper_categories JOIN categories c ON c.id = category_id AND key NOTNULL",
        "one",
        """paper_categories WHERE paper_id = ?1
           AND category_id IN (SELECT id FROM categories WHERE key IN gone)""",
        """paper_categories (paper_id, category_id, position) SELECT ?1, c.id,
           (SELECT ifnull(max(position) + 1, 0) FROM paper_categories WHERE category_id = c.id)
           FROM categories c WHERE c.key IN (SELECT value FROM new)""",
    ),
    "tags": _plain("tags", "tag"),
    "notes": _plain("notes", "position", "path"),
    "rejected": _Part(
        "field, value, source FROM (SELECT * FROM suggestions WHERE state = 'rejected')",
        "field, value",
        "suggestions WHERE paper_id = ?1 AND state = 'rejected'",
        """suggestions (paper_id, field, value, source, at, state) SELECT ?1, value ->> 'field',
           value ->> 'value', value ->> 'source', '', 'rejected' FROM new WHERE 1""",
    ),
    "different": _Part(
        # Only the record whose name comes first has it, so that it is stored once.
        """one FROM (SELECT own.paper_id, min(other.name) AS one FROM different d
             JOIN paper_records own ON own.paper_id IN (d.paper_id, d.other_id)
             JOIN paper_records other ON other.paper_id IN (d.paper_id, d.other_id)
                 AND other.paper_id <> own.paper_id
             WHERE own.paper_id IN wanted GROUP BY own.paper_id, other.paper_id
             HAVING min(own.name) < min(other.name))""",
        "one",
        """different WHERE ?1 IN (paper_id, other_id) AND iif(paper_id = ?1, other_id, paper_id)
           IN (SELECT r.paper_id FROM paper_records r WHERE r.name IN gone)""",
        """different (paper_id, other_id) SELECT min(?1, r.paper_id), max(?1, r.paper_id)
           FROM new JOIN paper_records r ON r.name = new.value WHERE r.paper_id <> ?1""",
    ),
    "readings": _plain("readings", "key", "pass", "at", "minutes", "version", "takeaway"),
    "topics": _Part(
        """t.key AS key, reason, score, found_at AS at
           FROM paper_topics JOIN topics t ON t.id = topic_id AND t.key NOTNULL""",
        "topic_id",
        """paper_topics WHERE paper_id = ?1
           AND topic_id IN (SELECT id FROM topics WHERE key IN gone)""",
        """paper_topics (paper_id, topic_id, reason, score, found_at)
           SELECT ?1, t.id, value ->> 'reason', value ->> 'score', value ->> 'at'
           FROM new JOIN topics t ON t.key = new.key WHERE 1""",
    ),
    "sources": _Part(
        "field AS key, source || ' ' || at AS one FROM field_sources",
        "field",
        "field_sources WHERE paper_id = ?1 AND field IN gone",
        """field_sources (paper_id, field, source, at) SELECT ?1, key,
           substr(value, 1, instr(value, ' ') - 1), substr(value, instr(value, ' ') + 1)
           FROM new WHERE 1""",
    ),
}
"""The parts of a record that are rows of other tables."""


# -- writing it -----------------------------------------------------------------------------------


def add_empty(store: Store, records: Sequence[Record]) -> list[int]:
    """Add papers with only the keys of their records; return their ids."""
    keys = Citekeys(store).keep([record["citekey"] for record in records])
    named = zip(keys, records, strict=True)
    was = [Paper(0, key, PaperFacts(), added=record["added"]) for key, record in named]
    empty = [NewPaper(p.facts, p.citekey, decision="inbox", former=(p, Details())) for p in was]
    return add_new_papers(store, empty, source="")


def write_papers(store: Store, papers: Mapping[int, tuple[Record, Record]]) -> None:
    """Update papers from their records: pairs of the present and the new one, by paper.

    An identifier or key that belongs to another paper stays there.
    """
    changes = [
        (part, paper_id, *_change(part, before.get(name), after.get(name)))
        for paper_id, (before, after) in papers.items()
        for name, part in _PARTS.items()
        if before.get(name) != after.get(name)
    ]
    # What goes from one paper may belong to another one now.
    for part, paper_id, gone, _ in changes:
        sql = f"WITH gone AS (SELECT value FROM json_each(?2)) DELETE FROM {part.delete}"
        if gone:
            store.execute(sql, (paper_id, gone))
    for paper_id, (before, after) in papers.items():
        if before.get("citekey") != after["citekey"]:
            _set(store, "papers", "id", paper_id, {"citekey": f"moving-{paper_id}"})
    for paper_id, (before, after) in papers.items():
        _write_columns(store, paper_id, before, after)
    for part, paper_id, _, new in changes:
        sql = f"WITH new AS (SELECT * FROM json_each(?2)) INSERT INTO {part.insert}"
        store.execute(f"{sql} ON CONFLICT DO NOTHING", (paper_id, new))


def _change(part: _Part, before: Any, after: Any) -> tuple[list[Any], Any]:
    """Return the elements or keys to delete, and the elements or entries to insert."""
    if isinstance(before or after, dict):
        old, new = before or {}, after or {}
        changed = {key for key in {*old, *new} if old.get(key) != new.get(key)}
        return [*changed & old.keys()], {key: new[key] for key in changed & new.keys()}
    old, new = before or [], after or []
    if "gone" in part.delete:
        return [element for element in old if element not in new], new
    # Rows are mostly added at the end; the others then keep their numbers.
    return [] if old == new[: len(old)] else old, new


def _write_columns(store: Store, paper_id: int, before: Record, after: Record) -> None:
    names = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    new = {name: after.get(name, _DEFAULTS.get(name)) for name in names}
    values = {name: new[name] for name in _COLUMNS if name in names}
    if "citekey" in new:
        key = Citekeys(store).make(PaperFacts(), wanted=new["citekey"], paper_id=paper_id)
        sql = "DELETE FROM citekey_aliases WHERE alias = ? AND paper_id = ?"
        store.execute(sql, (key, paper_id))
        values["citekey"] = key
    if "title" in new:
        values["title_key"] = title_key(new["title"]) if new["title"] else None
    _set(store, "papers", "id", paper_id, values)
    states = {column: new[name] for column, name in _STATES.items() if name in new}
    if decision := new.get("decision"):
        states |= {"decision": decision["is"], "decision_reason": decision.get("reason")}
        states["decided_at"] = decision.get("at")
    _set(store, "paper_states", "paper_id", paper_id, states)
    if after.get("cited"):
        store.insert("shown_citekeys (paper_id)", (paper_id,), "DO NOTHING")


def _set(store: Store, table: str, key: str, of: object, values: Record) -> None:
    if values:
        assignments = ", ".join(f"{name} = ?" for name in values)
        store.execute(f"UPDATE {table} SET {assignments} WHERE {key} = ?", (*values.values(), of))


# -- the tables -----------------------------------------------------------------------------------


def give_keys(store: Store) -> None:
    """Give categories and topics without a key their present name as key.

    Two machines that add the same one give it the same key. Part of an action or a transaction.
    """
    categories = store.execute(
        """WITH RECURSIVE tree (id, key, path) AS (
               SELECT id, key, name FROM categories WHERE parent_id IS NULL
               UNION ALL SELECT c.id, c.key, tree.path || '/' || c.name
               FROM categories c JOIN tree ON c.parent_id = tree.id)
           SELECT id, path FROM tree WHERE key IS NULL ORDER BY length(path)"""
    ).fetchall()
    topics = store.execute("SELECT id, name FROM topics WHERE key IS NULL").fetchall()
    with part_of_action(store):
        for table, rows in (("categories", categories), ("topics", topics)):
            for row_id, name in rows:
                key, number = name[:190], 1
                while store.select_value(f"SELECT 1 FROM {table} WHERE key = ?", (key,)):
                    number += 1
                    key = f"{name[:190]}-{number}"
                store.execute(f"UPDATE {table} SET key = ? WHERE id = ?", (key, row_id))


def read_tables(db: Database) -> dict[str, Record]:
    """Return the library's content of each table, by file name."""
    categories = _entries(
        db,
        """SELECT c.key, json_object('name', c.name, 'parent', p.key, 'order', c.position)
           FROM categories c LEFT JOIN categories p ON p.id = c.parent_id
           WHERE c.key NOTNULL ORDER BY c.key""",
    )
    topics = _entries(
        db,
        """SELECT key, json_object('name', name, 'query', query,
               'arxiv_categories', json(arxiv_categories), 'category', json(category),
               'has_cross_lists', json(iif(has_cross_lists, 'true', 'false')),
               'is_paused', json(iif(is_paused, 'true', 'false')), 'added', added,
               'feeds', json(nullif(feeds, '[]')))
           FROM topics WHERE key NOTNULL ORDER BY key""",
    )
    days = db.select_dict(
        """SELECT category, max(day) FROM announcement_days d WHERE NOT EXISTS (
               SELECT 1 FROM missed_days m WHERE m.category = d.category AND m.day <= d.day)
           GROUP BY category ORDER BY category"""
    )
    newest = "SELECT name, newest FROM feeds WHERE newest IS NOT NULL ORDER BY name"
    forgotten = db.select_column("SELECT term FROM forgotten ORDER BY term")
    tables: dict[str, Record] = {
        "categories.toml": {"categories": categories},
        "topics.toml": {"topics": topics, "forgotten": forgotten},
        "watch.toml": {"days": days, "newest": db.select_dict(newest)},
    }
    return {
        file: {name: value for name, value in record.items() if value}
        for file, record in tables.items()
    }


def _entries(db: Database, sql: str) -> dict[str, Record]:
    """Return the entries of a table by key, from columns selected as JSON."""
    return {key: _without_none(json.loads(entry)) for key, entry in db.execute(sql)}


def write_categories(store: Store, table: dict[str, Record], alias: Mapping[str, str]) -> None:
    """Update the categories from ``categories.toml``; those that are not empty stay.

    ``alias`` has keys of categories to merge, with the keys of those that stay.
    """
    table = {key: table[key] for key in sorted(table.keys() - alias.keys())}
    ids = dict(store.execute("SELECT key, id FROM categories WHERE key IS NOT NULL").fetchall())
    for key, canonical in alias.items():
        if key in ids and canonical in ids:
            merge_categories(store, ids[canonical], ids.pop(key), table[canonical]["name"])
        elif key in ids:
            ids[canonical] = ids.pop(key)
            store.execute("UPDATE categories SET key = ? WHERE id = ?", (canonical, ids[canonical]))

    depths: dict[str, int] = {}

    def ensure(key: str, below: int = 0) -> int | None:
        if key in depths and depths[key] < _MAX_DEPTH:
            return int(ids[key])
        if key not in table or key in depths or below > _MAX_DEPTH:
            return None
        depths[key] = _MAX_DEPTH  # A category within itself is left out.
        entry = table[key]
        above_key = alias.get(entry.get("parent", ""), entry.get("parent"))
        parent = ensure(above_key, below + 1) if above_key else None
        depths[key] = depths[above_key] + 1 if above_key and parent is not None else 0
        at = store.select_value(
            "SELECT id FROM categories WHERE ifnull(parent_id, 0) = ifnull(?, 0) AND name = ?",
            (parent, entry["name"]),
        )
        if key not in ids:
            if at is None:
                at = store.insert(
                    "categories (parent_id, name, position, key)",
                    (parent, entry["name"], entry.get("order", 0), key),
                ).lastrowid
            ids[key] = at
        elif at in (None, ids[key]):
            store.execute(
                """UPDATE categories SET (parent_id, name, position) = (?2, ?3, ?4) WHERE id = ?1
                   AND (parent_id, name, position) IS NOT (?2, ?3, ?4)""",
                (ids[key], parent, entry["name"], entry.get("order", 0)),
            )
        return int(ids[key])

    for key in table:
        ensure(key)
    for key in [k for k in ids if k not in table]:
        store.execute(
            """DELETE FROM categories WHERE id = ?1
               AND NOT EXISTS (SELECT 1 FROM paper_categories WHERE category_id = ?1)
               AND NOT EXISTS (SELECT 1 FROM categories WHERE parent_id = ?1)""",
            (ids[key],),
        )


_TOPIC = {
    **{"name": "", "query": "", "arxiv_categories": [], "category": []},
    **{"has_cross_lists": True, "is_paused": False, "feeds": [], "added": ""},
}
"""Columns of a topic that are in its entry, with their defaults."""


def write_topics(store: Store, before: Record, after: Record) -> None:
    """Update the topics, and the words that the ranking ignores, from ``topics.toml``."""
    was, now = before.get("topics", {}), after.get("topics", {})
    for key in was.keys() - now.keys():
        store.execute("DELETE FROM topics WHERE key = ?", (key,))
    for key, entry in now.items():
        if was.get(key) == entry:
            continue
        values, number = _TOPIC | {name: entry[name] for name in entry if name in _TOPIC}, 1
        is_used_sql = "SELECT 1 FROM topics WHERE name = ? AND key IS NOT ?"
        while store.select_value(is_used_sql, (values["name"], key)):
            number += 1
            values["name"] = f"{entry['name']} ({number})"
        if key in was:
            _set(store, "topics", "key", key, values)
        else:
            store.insert(f"topics ({', '.join(values)}, key)", (*values.values(), key))
    for term in set(before.get("forgotten", ())) - set(after.get("forgotten", ())):
        store.execute("DELETE FROM forgotten WHERE term = ?", (term,))
    for term in after.get("forgotten", ()):
        store.insert("forgotten (term)", (term,), "DO NOTHING")


def last_known_day(db: Database, category: str) -> str | None:
    """Return the last day for which this library knows a category's listing; None without one."""
    sql = "SELECT max(day) FROM announcement_days WHERE category = ?"
    return db.select_value(sql, (category,))  # type: ignore[no-any-return]


def note_looked(store: Store, category: str, days: Sequence[str]) -> None:
    """Record that others have read a category's listings of these days.

    The last day is recorded as that of the last look.
    """
    run = store.insert("watch_runs (at, day, finished_at)", (days[-1],) * 3)
    store.insert(
        "watch_looks (run_id, category, state, announced, unseen)",
        (run.lastrowid, category, "quiet", 0, 0),
    )
    for day in days:
        # The number of papers is unknown, but a list that was due has some.
        row = (category, day, "shared", 1)
        store.insert("announcement_days (category, day, source, announced)", row, "DO NOTHING")
        store.execute("DELETE FROM missed_days WHERE category = ? AND day = ?", (category, day))


# -- what stays here ------------------------------------------------------------------------------


def veil(now: Record, record: Record, kinds: frozenset[str]) -> Record:
    """Return the library's record without private kinds, which come from ``record``."""
    result = dict(now)
    columns = _columns(kinds)
    if columns and "readings" in now:
        bare = {
            key: {k: v for k, v in entry.items() if k not in columns}
            for key, entry in now["readings"].items()
        }
        result["readings"] = _with_columns(bare, record, columns)
    if "notes" in kinds:
        result["notes"] = record.get("notes")
    result["decision"] = _veiled(now.get("decision"), record.get("decision"), kinds)
    return _without_none(result)


def _veiled(decision: Any, shared: Any, kinds: frozenset[str]) -> Any:
    if not decision:
        return None
    if "discards" in kinds and decision["is"] == "discarded":
        return shared
    if "reasons" not in kinds:
        return decision
    is_same = shared is not None and shared["is"] == decision["is"]
    return _without_none(decision | {"reason": shared.get("reason") if is_same else None})


def _columns(kinds: frozenset[str]) -> list[str]:
    """Return the private columns of a reading."""
    return [kind for kind in ("takeaway", "minutes") if kind in kinds or f"{kind}s" in kinds]


def _with_columns(readings: Mapping[str, Record], other: Record, columns: Sequence[str]) -> Record:
    """Return the readings, with these columns from the other record."""
    other_readings = other.get("readings", {})
    return {
        key: entry | {k: v for k, v in other_readings.get(key, {}).items() if k in columns}
        for key, entry in readings.items()
    }


def unveil(record: Record, was: Record, own_record: Record, kinds: frozenset[str]) -> Record:
    """Return the record with the library's own values of private kinds.

    ``was`` is the former record.
    """
    result = dict(record)
    if "readings" in result:
        result["readings"] = _with_columns(result["readings"], own_record, _columns(kinds))
    if "notes" in kinds and "notes" in own_record:
        result["notes"] = list(dict.fromkeys([*own_record["notes"], *result.get("notes", ())]))
    decision, own = result.get("decision", {}), own_record.get("decision", {})
    is_ours = own.get("is") == "discarded" and decision == was.get("decision", {})
    if "discards" in kinds and is_ours:
        result["decision"] = own
    elif "reasons" in kinds and own.get("reason") and own["is"] == decision.get("is"):
        result["decision"] = decision | {"reason": own["reason"]}
    return result

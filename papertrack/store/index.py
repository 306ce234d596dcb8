"""The full-text index: what is searched, and how it follows the tables.

Indexed texts and searched words are folded: case, accents, width and hyphens do not count. FTS5's
tokenizer takes a run of Chinese, Japanese or Korean characters for one word, so these are indexed
and searched one by one.

The index contains no text of its own. To remove a paper, one must say what was indexed. So before
indexed data changes, triggers add its paper to ``unindexed``, which removes it from the index, and
at the end of the transaction these papers are indexed again.
"""

from __future__ import annotations

from collections.abc import Iterator

from papertrack.store.database import Database
from papertrack.text import clean, fold, is_plain, spaced_cjk

_INDEXED = {
    "title": "p.title",
    "authors": "(SELECT group_concat(name, ' | ') FROM authors WHERE paper_id = p.id)",
    "abstract": "ifnull(p.abstract, '') || ' ' || ifnull(p.description, '')",
    "takeaways": "(SELECT group_concat(takeaway, ' | ') FROM readings WHERE paper_id = p.id)",
    "tags": "(SELECT group_concat(tag, ' | ') FROM tags WHERE paper_id = p.id)",
    "notes": """(SELECT group_concat(t.text, ' | ') FROM notes n
                JOIN note_texts t ON t.path = n.path WHERE n.paper_id = p.id)""",
}
"""The columns of the index, each with the SQL expression for a paper's text in it."""
_COLUMNS = ", ".join(_INDEXED)
_TEXTS = ", ".join(f"indexed_form({text})" for text in _INDEXED.values())

_READ = {
    "papers": ("title", "abstract", "description"),
    "authors": ("paper_id", "name"),
    "readings": ("paper_id", "takeaway"),
    "tags": ("paper_id", "tag"),
    "notes": ("paper_id", "path"),
    "note_texts": ("path", "text"),
}
"""The columns, by table, whose changes change the indexed text."""
_PAPERS = {
    "papers": "SELECT {row}.id AS paper_id",
    "note_texts": "SELECT paper_id FROM notes WHERE path = {row}.path",
}
"""SQL for the papers of a row, by table, for tables without the column ``paper_id``."""
_PAPER = "SELECT {row}.paper_id AS paper_id"

_TAKE_OUT = "index_unindexed_insert_new"
"""The trigger that removes a noted paper from the index, unless the paper is new.

No other trigger knows what is indexed.
"""
_TAKING_OUT = f"""
        CREATE TRIGGER {_TAKE_OUT} AFTER INSERT ON unindexed
        WHEN EXISTS (SELECT 1 FROM search_docsize WHERE id = new.paper_id)
        BEGIN
            INSERT INTO search (search, rowid, {_COLUMNS})
            SELECT 'delete', p.id, {_TEXTS} FROM papers p WHERE p.id = new.paper_id;
        END
    """


def indexed_form(text: str | None) -> str:
    """Return the text as the index stores it: words separated by blanks; a SQL function."""
    if not text:
        return ""
    if is_plain(text):
        # What cleaning, folding and spacing come to for most texts, at a fifth of the time.
        text = text.lower().replace("-", " ").strip()
        return " ".join(text.split()) if "  " in text else text
    return spaced_cjk(fold(clean(text)))


def index_sql(db: Database) -> str:
    """Return the statement that made the index."""
    return str(db.select_value("SELECT sql FROM sqlite_schema WHERE name = 'search'"))


def index_triggers() -> dict[str, str]:
    """Return the triggers that remove papers from the index before their texts change, by name."""
    return {**dict(map(_trigger, *zip(*_events(), strict=True))), _TAKE_OUT: _TAKING_OUT}


def _events() -> Iterator[tuple[str, str, str]]:
    """Return table, operation and row for each trigger; an update may move a row."""
    for table in _READ:
        yield table, "insert", "new"
        yield table, "update", "old"
        yield table, "delete", "old"
        if table != "papers":
            yield table, "update", "new"


def _trigger(table: str, operation: str, row: str) -> tuple[str, str]:
    papers = _PAPERS.get(table, _PAPER).format(row=row)
    name, event = f"index_{table}_{operation}_{row}", operation.upper()
    # The last of the columns is the text itself: most passes have no takeaway.
    conditions = [] if table == "papers" else [f"{row}.{_READ[table][-1]} IS NOT NULL"]
    if operation == "update":
        event += f" OF {', '.join(_READ[table])}"
        changed = " OR ".join(f"old.{column} IS NOT new.{column}" for column in _READ[table])
        conditions.append(f"({changed})")
    # The number of a new paper is not known before.
    moment = "AFTER" if (table, operation) == ("papers", "insert") else "BEFORE"
    text = f"""
        CREATE TRIGGER {name} {moment} {event} ON {table}
        {f"WHEN {' AND '.join(conditions)}" if conditions else ""}
        BEGIN
            INSERT INTO unindexed SELECT paper_id FROM ({papers})
            WHERE paper_id NOT IN (SELECT paper_id FROM unindexed);
        END
    """
    return name, text


def catch_up(db: Database) -> None:
    """Update the index for papers whose texts have changed."""
    db.execute(
        f"""INSERT INTO search (rowid, {_COLUMNS}) SELECT p.id, {_TEXTS}
            FROM unindexed CROSS JOIN papers p ON p.id = paper_id ORDER BY paper_id"""
    )
    db.execute("DELETE FROM unindexed")


def is_stale(db: Database) -> bool:
    """Return whether the index differs from the tables, by comparing it with a new one."""
    db.execute(index_sql(db).replace("TABLE search", "TABLE temp.wanted"))
    db.execute(f"INSERT INTO temp.wanted (rowid, {_COLUMNS}) SELECT p.id, {_TEXTS} FROM papers p")
    words = [_words_of(db, "main", "search"), _words_of(db, "temp", "wanted")]
    db.execute("DROP TABLE temp.wanted")
    return words[0] != words[1]


def _words_of(db: Database, place: str, table: str) -> list[tuple[object, ...]]:
    db.execute(f"CREATE VIRTUAL TABLE temp.words USING fts5vocab('{place}', '{table}', 'col')")
    found = db.execute("SELECT term, col, doc, cnt FROM temp.words").fetchall()
    db.execute("DROP TABLE temp.words")
    return found


def note_text(db: Database, path: str) -> str | None:
    """Return a note's text, as it was last read."""
    found = db.select_value("SELECT text FROM note_texts WHERE path = ?", (path,))
    return None if found is None else str(found)


def remember_note(db: Database, path: str, text: str) -> None:
    """Store a note file's text for the search."""
    db.insert(
        "note_texts (path, text)", (path, text), on_conflict="DO UPDATE SET text = excluded.text"
    )


def has_words(text: str | None, words: str, is_prefix: bool) -> bool:
    """Return whether these folded words are next to each other in the text; a SQL function."""
    if text is None or not words:
        return False
    return f" {words}{'' if is_prefix else ' '}" in f" {indexed_form(text)} "

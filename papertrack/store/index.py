"""The full-text index: what is searched, and keeping it in step with the tables.

Texts are folded before they are indexed, and so are the words asked for: case, accents, width and
hyphens do not count. FTS5's tokenizer takes a run of Chinese, Japanese or Korean characters for one
word, so they are indexed, and asked for, one by one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from papertrack.text import clean, fold, spaced_cjk

COLUMNS = ("title", "authors", "abstract", "takeaways", "tags", "notes")
"""The columns of the index; ``abstract`` also holds a curator's description."""
_CHUNK = 1000

_TEXTS = """
    SELECT p.id, p.title,
        (SELECT group_concat(name, ' | ') FROM authors WHERE paper_id = p.id),
        ifnull(p.abstract, '') || ' ' || ifnull(p.description, ''),
        (SELECT group_concat(takeaway, ' | ') FROM readings WHERE paper_id = p.id),
        (SELECT group_concat(tag, ' | ') FROM tags WHERE paper_id = p.id),
        (SELECT group_concat(t.text, ' | ') FROM notes n JOIN note_texts t ON t.path = n.path
         WHERE n.paper_id = p.id)
    FROM papers p WHERE p.id IN (SELECT value FROM json_each(?))
"""


def indexed_form(text: str) -> str:
    """The text as the index holds it: words to be told apart at blanks."""
    if text.isascii() and text.isprintable():
        # What cleaning, folding and spacing come to for most texts, at a fifth of the time.
        text = text.lower().replace("-", " ").strip()
        return " ".join(text.split()) if "  " in text else text
    return spaced_cjk(fold(clean(text)))


def refresh(connection: sqlite3.Connection, paper_ids: Sequence[int]) -> None:
    """Make the index say what the tables say of these papers, those deleted included."""
    last = connection.execute("SELECT rowid FROM search ORDER BY rowid DESC LIMIT 1").fetchone()
    for start in range(0, len(paper_ids), _CHUNK):
        chunk = paper_ids[start : start + _CHUNK]
        ids = json.dumps(chunk)
        if last is not None and min(chunk) <= last[0]:
            # Looking for rows that are not there takes half as long as writing them.
            connection.execute(
                "DELETE FROM search WHERE rowid IN (SELECT value FROM json_each(?))", (ids,)
            )
        connection.executemany(
            f"INSERT INTO search (rowid, {', '.join(COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (paper_id, *(indexed_form(text) if text else "" for text in texts))
                for paper_id, *texts in connection.execute(_TEXTS, (ids,))
            ],
        )


def remember_note(connection: sqlite3.Connection, path: str, text: str) -> None:
    """Keep a note file's text for the search; its papers are indexed anew."""
    connection.execute(
        """INSERT INTO note_texts (path, text) VALUES (?, ?)
           ON CONFLICT (path) DO UPDATE SET text = excluded.text""",
        (path, text),
    )
    rows = connection.execute("SELECT paper_id FROM notes WHERE path = ?", (path,))
    refresh(connection, [row[0] for row in rows.fetchall()])


def has_words(text: str | None, words: str, is_prefix: bool) -> bool:
    """Whether these folded words stand next to each other in the text; a SQL function."""
    if text is None or not words:
        return False
    end = "" if is_prefix else " "
    return f" {words}{end}" in f" {indexed_form(text)} "

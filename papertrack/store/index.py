"""The full-text index: what is searched, and keeping it in step with the tables.

Texts are folded before they are indexed, and so are the words asked for: case, accents, width and
hyphens do not count. FTS5's tokenizer takes a run of Chinese, Japanese or Korean characters for one
word, so they are indexed, and asked for, one by one.
"""

from __future__ import annotations

from collections.abc import Sequence

from papertrack.store.database import Database
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


def refresh(db: Database, paper_ids: Sequence[int]) -> None:
    """Make the index say what the tables say of these papers, those deleted included."""
    last = db.select_value("SELECT rowid FROM search ORDER BY rowid DESC LIMIT 1") or 0
    for start in range(0, len(paper_ids), _CHUNK):
        ids = paper_ids[start : start + _CHUNK]
        if min(ids) <= last:
            # Looking for rows that are not there takes half as long as writing them.
            db.execute("DELETE FROM search WHERE rowid IN (SELECT value FROM json_each(?))", (ids,))
        db.insert_many(
            f"search (rowid, {', '.join(COLUMNS)})",
            (
                (paper_id, *(indexed_form(text) if text else "" for text in texts))
                for paper_id, *texts in db.execute(_TEXTS, (ids,)).fetchall()
            ),
        )


def remember_note(db: Database, path: str, text: str) -> None:
    """Keep a note file's text for the search; its papers are indexed anew."""
    db.insert(
        "note_texts (path, text)", (path, text), on_conflict="DO UPDATE SET text = excluded.text"
    )
    refresh(db, db.select_column("SELECT paper_id FROM notes WHERE path = ?", (path,)))


def has_words(text: str | None, words: str, is_prefix: bool) -> bool:
    """Whether these folded words stand next to each other in the text; a SQL function."""
    if text is None or not words:
        return False
    end = "" if is_prefix else " "
    return f" {words}{end}" in f" {indexed_form(text)} "

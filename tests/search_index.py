"""What the search index holds: each word with its places, and which paper it is in."""

from __future__ import annotations

from papertrack.store.database import Database
from papertrack.store.health import rebuild_search
from papertrack.store.store import Store


def indexed_words(db: Database) -> list[tuple[object, ...]]:
    """Every place of every word: word, paper, column, place in it."""
    db.execute("DROP TABLE IF EXISTS temp.words")
    db.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, search, instance)")
    return db.execute("SELECT * FROM temp.words ORDER BY 1, 2, 3, 4").fetchall()


def words_indexed_anew(store: Store) -> list[tuple[object, ...]]:
    """What an index made of the same papers at once holds."""
    with Store.open_copy(store.path, now=store.now) as copy:
        rebuild_search(copy)
        words = indexed_words(copy)
        copy.close()
    return words

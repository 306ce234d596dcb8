"""Which words of the library a word may mean that none of them begins with."""

from __future__ import annotations

import re
from collections import Counter

from papertrack.store.index import indexed_form
from papertrack.store.store import Store

_SHORTEST = 3
"""Letters of a word below which nearly every word is like it."""
_MOST_TITLES = 500
_NEAR = 70
"""rapidfuzz's ratio, of 100, from which an indexed word may be meant by a mistyped one."""
_WORD = re.compile(r"[^\W_]+")


def words_like(store: Store, word: str, *, limit: int = 12) -> list[str]:
    """The words of titles that have this one in them, the commonest first; without any, indexed
    words that begin as it does and are spelled nearly so, the nearest first.

    Titles are searched in their index, and few of the indexed words are looked at: among 100,000
    papers no key waits for it. None for one of less than three letters.
    """
    sought = indexed_form(word).strip()
    if len(sought) < _SHORTEST:
        return []
    return _within_words(store, sought, limit) or spelled_like(store, sought, limit)


def _within_words(store: Store, sought: str, limit: int) -> list[str]:
    titles = store.select_column(
        "SELECT title FROM papers WHERE instr(title_key, ?) LIMIT ?", (sought, _MOST_TITLES)
    )
    words = Counter(
        word
        for title in titles
        for word in set(_WORD.findall(indexed_form(title)))
        if sought in word
    )
    return [word for word, _ in words.most_common(limit)]


def spelled_like(store: Store, sought: str, limit: int) -> list[str]:
    """Indexed words that begin as this one does and are spelled nearly so, the nearest first."""
    from rapidfuzz import fuzz, process

    store.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab(main, search, row)"
    )
    for start in (sought[:3], sought[:2]):
        known = store.select_column(
            "SELECT term FROM temp.words WHERE term >= ?1 AND term < ?1 || char(1114111)", (start,)
        )
        near = process.extract(sought, known, scorer=fuzz.ratio, score_cutoff=_NEAR, limit=limit)
        if near:
            return [term for term, _, _ in near]
    return []

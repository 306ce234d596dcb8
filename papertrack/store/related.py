"""Papers that are about the same as one: those whose texts share words of its title."""

from __future__ import annotations

import re

from papertrack.store.listing import ListedPaper, read_rows
from papertrack.store.lookup import get_paper
from papertrack.store.store import Store
from papertrack.text import fold

_WORD = r"[a-z0-9]{4,40}"
_COMMON = frozenset(
    "with from that this what when which your based using towards toward over under into than more "
    "large language model models learning deep neural network networks efficient fast paper "
    "approach method methods system systems novel training".split()
)
_MAX_WORDS = 12


def related_papers(store: Store, paper_id: int, *, limit: int) -> list[ListedPaper]:
    """The papers whose texts share most of this one's title words, weighed by rarity (BM25)."""
    title = fold(get_paper(store, paper_id).facts.title or "")
    words = [word for word in dict.fromkeys(re.findall(_WORD, title)) if word not in _COMMON]
    if not words:
        return []
    asked = " OR ".join(f'"{word}"' for word in words[:_MAX_WORDS])
    found = store.select_column(
        """SELECT rowid FROM search WHERE search MATCH ? AND rowid <> ?
           ORDER BY bm25(search, 10.0, 0.0, 1.0, 2.0, 4.0, 1.0) LIMIT ?""",
        (f"{{title abstract takeaways tags notes}} : ({asked})", paper_id, limit),
    )
    return read_rows(store, found)

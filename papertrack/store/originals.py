"""What was said of papers elsewhere, as it stood there: entries of .bib files, and other tools'
items."""

from __future__ import annotations

from collections.abc import Iterable

from papertrack.store.store import Store

IS_ITEM = """text LIKE '{"made"%'"""
"""SQL: what ``originals`` keeps of a paper is another tool's item, as JSON, and no entry of a file
word for word (``actions.migrate.again`` writes it)."""


def get_originals(store: Store, paper_id: int) -> dict[str, str]:
    """The paper's entries word for word, by where they stood: ``"refs.bib:key"``."""
    rows = store.execute(
        "SELECT source, text FROM originals WHERE paper_id = ? ORDER BY source", (paper_id,)
    )
    return dict(rows.fetchall())


def has_originals(store: Store) -> bool:
    """Whether any paper has an entry of a .bib file."""
    return bool(
        store.select_value(f"SELECT EXISTS (SELECT 1 FROM originals WHERE NOT ({IS_ITEM}))")
    )


def originals_with(store: Store, text: str) -> list[tuple[int, str]]:
    """The entries word for word in which this stands, without regard to case, with their papers."""
    rows = store.execute(
        f"""SELECT paper_id, text FROM originals WHERE text LIKE '%' || ? || '%'
           AND NOT ({IS_ITEM}) ORDER BY 1""",
        (text,),
    )
    return rows.fetchall()


def find_by_sources(store: Store, sources: Iterable[str]) -> list[int]:
    """The papers of which an entry stood in one of these places: ``"refs.bib:key"``."""
    return store.select_column(
        """SELECT DISTINCT paper_id FROM originals
           WHERE source IN (SELECT value FROM json_each(?)) ORDER BY paper_id""",
        (sorted(sources),),
    )

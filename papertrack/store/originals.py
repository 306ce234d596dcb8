"""What was said of papers elsewhere, as it stood there: entries of .bib files, by where they stood
(``refs.bib:key``), and other tools' items, by tool and key (``zotero:ABCD2345``)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from papertrack.store.database import Database
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


class TakenItem(NamedTuple):
    """An item that was taken before."""

    paper_id: int
    record: Mapping[str, Any]
    """What was kept of it."""


def taken_items(db: Database, tool: str) -> dict[str, TakenItem]:
    """The items of a tool that papers were made from or merged with, by key."""
    rows = db.execute(
        "SELECT source, paper_id, text FROM originals WHERE source GLOB ? || ':*'", (tool,)
    )
    return {
        source.partition(":")[2]: TakenItem(paper_id, _record_of(text))
        for source, paper_id, text in rows
    }


def removed_items(db: Database, tool: str) -> set[str]:
    """The items of a tool whose papers the reader removed, by key: they do not come again."""
    rows = db.execute(
        """SELECT json_extract(c.row_key, '$[1]') FROM changes c
           JOIN actions a ON a.id = c.action_id AND a.state = 'done'
           WHERE c.table_name = 'originals' AND c.operation = 'delete'
           AND json_extract(c.row_key, '$[1]') GLOB ? || ':*'""",
        (tool,),
    )
    return {source.partition(":")[2] for (source,) in rows}


def is_made_name(name: str) -> bool:
    """Whether a name is one that imports give to what they make. A file of a stranger's may say
    that anything was made by one."""
    return bool(re.fullmatch(r"(?:notes/(?!\.)[^/\\\0]+|pdfs)/(?!\.)[^/\\\0]+", name))


def without_links(text: str) -> str:
    """What was kept of another tool's item, without the links that were made of its files: a file
    that brings it from elsewhere makes none. Other texts come back as they are."""
    if not text.lower().startswith('{"made"'):
        return text
    found = _record_of(text)
    made = found["made"].items() if isinstance(found.get("made"), dict) else ()
    kept = {name: None for name, target in made if target is None and is_made_name(name)}
    record = json.dumps({"made": kept, "said": found.get("said", {})}, ensure_ascii=False)
    return record.encode("utf-8", "replace").decode()


def made_files(db: Database) -> dict[str, str | None]:
    """The files that imports made, by name: what those lead to that are links."""
    return {name: target for _, name, target in made_of_papers(db)}


def made_of_papers(
    db: Database, paper_ids: Iterable[int] | None = None
) -> Iterator[tuple[int, str, str | None]]:
    """The files that imports made of these papers' items, or of all: each with its paper and what
    it leads to if it is a link."""
    which = "1" if paper_ids is None else "o.paper_id IN (SELECT value FROM json_each(?))"
    rows = db.execute(
        f"""SELECT o.paper_id, j.key, j.value FROM originals o,
               json_each(iif(json_valid(o.text), o.text, '{{}}'), '$.made') j
           WHERE {which} AND o.{IS_ITEM} AND typeof(j.key) = 'text'
           AND typeof(j.value) IN ('text', 'null') ORDER BY o.paper_id""",
        () if paper_ids is None else (list(paper_ids),),
    )
    return (row for row in rows.fetchall() if is_made_name(row[1]))


def set_added(db: Database, dates: Iterable[tuple[int, str]]) -> None:
    """Say of papers when they were added elsewhere."""
    db.connection.executemany(
        "UPDATE papers SET added = ?2 WHERE id = ?1 AND added <> ?2", list(dates)
    )


def _record_of(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}

"""What things are called on every device, whatever their numbers are on each.

A name is given once, and kept: an identifier that is learnt later, or a category that is called
otherwise later, changes no name.
"""

from __future__ import annotations

import secrets
from hashlib import blake2s

from papertrack.store.database import Database, to_json
from papertrack.store.share.layout import PREFIX
from papertrack.store.share.private import private_columns, private_kinds

_PATH = """
    WITH RECURSIVE above (id, parent_id, path) AS (
        SELECT id, parent_id, name FROM categories WHERE id = ?1
        UNION ALL
        SELECT c.id, c.parent_id, c.name || '/' || above.path FROM categories c
        JOIN above ON c.id = above.parent_id)
    SELECT path FROM above WHERE parent_id IS NULL
"""
_BORN_AS = {
    "categories": _PATH,
    "topics": "SELECT name FROM topics WHERE id = ?1",
    "documents": "SELECT path FROM documents WHERE id = ?1",
    "forgotten": "SELECT term FROM forgotten WHERE id = ?1",
}
_IDENTIFIER = """
    SELECT scheme || ':' || value FROM identifiers
    WHERE paper_id = ?1 AND scheme IN ('arxiv', 'doi') ORDER BY scheme, position LIMIT 1
"""


class Names:
    """The names of a library's rows. One that has none yet gets one when it is asked for."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.born: list[tuple[str, int]] = []
        """Rows that were named since somebody looked here last."""

    def row_of(self, name: str) -> int | None:
        """The number of the row with a name."""
        found = self._db.select_value("SELECT row_id FROM share_names WHERE name = ?", (name,))
        return None if found is None else int(found)

    def names_of(self, table: str, row_id: int) -> list[str]:
        """All names of a row, the one that it goes by first."""
        return self._db.select_column(
            "SELECT name FROM share_names WHERE table_name = ? AND row_id = ? ORDER BY name",
            (table, row_id),
        )

    def name_of(self, table: str, row_id: int) -> str:
        """The name that a row goes by."""
        names = self.names_of(table, row_id)
        return names[0] if names else self._give_first(table, row_id)

    def give(self, table: str, row_id: int, name: str) -> None:
        """Call a row so; whatever was called so before is not any more."""
        self._note_former(name, table, row_id)
        self._db.insert(
            "share_names (name, table_name, row_id)",
            (name, table, row_id),
            "(name) DO UPDATE SET table_name = excluded.table_name, row_id = excluded.row_id",
        )

    def forget(self, name: str) -> None:
        """Take the name off a row that is gone."""
        self._note_former(name)
        self._db.execute("DELETE FROM share_names WHERE name = ?", (name,))

    def _note_former(self, name: str, table: str = "", row_id: int = 0) -> None:
        """Remember what has a name that it loses to another row."""
        self._db.execute(
            """INSERT INTO share_former_names (table_name, row_id, name)
               SELECT table_name, row_id, name FROM share_names
               WHERE name = ?1 AND NOT (table_name = ?2 AND row_id = ?3)
               ON CONFLICT DO NOTHING""",
            (name, table, row_id),
        )

    def forget_gone(self, name: str) -> None:
        """Take the name off its row, if that is gone."""
        row = self._db.execute(
            "SELECT table_name, row_id FROM share_names WHERE name = ?", (name,)
        ).fetchone()
        if row and not self._db.select_value(f"SELECT 1 FROM {row[0]} WHERE id = ?", row[1:]):
            self.forget(name)

    def is_anothers(self, table: str, row_id: int) -> bool:
        """Whether a row without a name was called as a row is that is there, or would be."""
        names = self._former(table, row_id) or [self._wanted(table, row_id)]
        return any(map(self._is_taken, names))

    def _is_taken(self, name: str) -> bool:
        self.forget_gone(name)
        return self.row_of(name) is not None

    def _former(self, table: str, row_id: int) -> list[str]:
        """What a row was called before it went, or lost its name."""
        return self._db.select_column(
            "SELECT name FROM share_former_names WHERE table_name = ? AND row_id = ? ORDER BY name",
            (table, row_id),
        )

    def _give_first(self, table: str, row_id: int) -> str:
        former = (name for name in self._former(table, row_id) if not self._is_taken(name))
        name = next(former, None) or self._free(self._wanted(table, row_id))
        self.give(table, row_id, name)
        self.born.append((table, row_id))
        return name

    def _wanted(self, table: str, row_id: int) -> str:
        if table == "papers":
            found = self._db.select_value(_IDENTIFIER, (row_id,))
            return str(found or f"paper:{secrets.token_hex(10)}")
        if sql := _BORN_AS.get(table):
            return PREFIX[table] + str(self._db.select_value(sql, (row_id,)))
        return self._by_content(table, row_id)

    def _by_content(self, table: str, row_id: int) -> str:
        """What a row of a paper is called that has no key: where two devices take one reading from
        the same file, it is the same one. Of what is private here nothing leaves with the name."""
        cursor = self._db.execute(f"SELECT * FROM {table} WHERE id = ?", (row_id,))
        row = dict(zip((one[0] for one in cursor.description), cursor.fetchone(), strict=True))
        private = private_columns(private_kinds(self._db)).get(table, set())
        said = {name: value for name, value in row.items() if name not in private | {"id"}}
        said |= {"paper_id": self.name_of("papers", row["paper_id"])}
        return blake2s(to_json(said).encode(), digest_size=8).hexdigest()

    def _free(self, wanted: str) -> str:
        name, number = wanted, 1
        while self._is_taken(name):
            number += 1
            name = f"{wanted}~{number}"
        return name

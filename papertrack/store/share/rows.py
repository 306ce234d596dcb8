"""Rows read as things: what the library says of them, by names in place of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from papertrack.store.database import Database
from papertrack.store.share.fold import PRESENT
from papertrack.store.share.layout import Layout, layouts, without_empty
from papertrack.store.share.lines import Cells
from papertrack.store.share.names import Names

Things = dict[str, Cells]
"""Name → what is known of the thing; nothing where it is not there."""


class Rows:
    """Reads rows of a library as things."""

    def __init__(self, db: Database, names: Names) -> None:
        self._db = db
        self.names = names
        self.layouts = layouts(db)

    def knows(self, cell: str) -> bool:
        """Whether a cell has a place in this library; one of a newer papertrack may have none."""
        table, _, name = cell.partition("/")
        layout = self.layouts.get(table)
        if layout is None:
            return cell == PRESENT
        return not layout.is_single or name in layout.columns

    def read(self, table: str, row_ids: Sequence[int]) -> Things:
        """The things that these rows are, with all that belongs to them. Those without a name get
        one, and so does what they refer to."""
        layout = self.layouts[table]
        rows = list(self._select(layout, "id", row_ids))
        names = {row["id"]: self.names.name_of(table, row["id"]) for row in rows}
        things: Things = {name: {} for name in names.values()}
        for row in rows:
            things[names[row["id"]]] |= {PRESENT: True} | self._columns(layout, row)
        if table == "papers":
            for part in self.layouts.values():
                if part.owner is not None:
                    self._read_part(part, names, things)
        return things

    def referring(self, table: str, row_id: int) -> set[int]:
        """The papers with rows that refer to a row, and go with it."""
        found: set[int] = set()
        for layout in self.layouts.values():
            for column, other in layout.references.items() if layout.owner else ():
                if other == table:
                    found |= self._owners(layout, f"{column} = ?", [row_id])
                    found |= self._others(layout, column, row_id) if other == "papers" else set()
        return found

    def _others(self, layout: Layout, column: str, row_id: int) -> set[int]:
        """The papers at the other end of a paper's pairs: either may be the one that is told."""
        sql = f"SELECT {column} FROM {layout.table} WHERE {layout.owner} = ?"
        return set(self._db.select_column(sql, (row_id,)))

    def holding(self, table: str, key: Sequence[object]) -> set[int]:
        """The paper that has a row which any could have, by the row's key."""
        layout = self.layouts.get(table)
        if layout is None or layout.owner is None:
            return set()
        columns = ("id",) if layout.has_number else layout.keys
        # Whose rows are told apart by the paper itself, those are no other's.
        if len(columns) != len(key):
            return set()
        return self._owners(layout, " AND ".join(f"{one} = ?" for one in columns), key)

    def unnamed(self, layout: Layout, papers: Iterable[int]) -> list[int]:
        """The rows of papers that have no name yet, of a table whose rows have names."""
        sql = f"""SELECT id FROM {layout.table}
                  WHERE {layout.owner} IN (SELECT value FROM json_each(?))
                  AND id NOT IN (SELECT row_id FROM share_names WHERE table_name = ?)
                  ORDER BY id"""
        return self._db.select_column(sql, (list(papers), layout.table))

    def _owners(self, layout: Layout, condition: str, values: Sequence[object]) -> set[int]:
        sql = f"SELECT {layout.owner} FROM {layout.table} WHERE {condition}"
        return set(self._db.select_column(sql, values))

    def _select(self, layout: Layout, column: str, ids: Iterable[int]) -> Iterator[dict[str, Any]]:
        order = "position" if layout.is_list else column
        cursor = self._db.execute(
            f"""SELECT * FROM {layout.table}
                WHERE {column} IN (SELECT value FROM json_each(?)) ORDER BY {column}, {order}""",
            (list(ids),),
        )
        columns = [one[0] for one in cursor.description]
        return (dict(zip(columns, row, strict=True)) for row in cursor.fetchall())

    def _columns(self, layout: Layout, row: dict[str, Any]) -> Cells:
        found = self._shared(layout, row)
        return {f"{layout.table}/{column}": value for column, value in found.items()}

    def _shared(self, layout: Layout, row: dict[str, Any]) -> dict[str, Any]:
        """What of a row is shared, with names where it refers to others."""
        found = without_empty((column, row[column]) for column in layout.columns)
        for column, table in layout.references.items():
            if column in found:
                found[column] = self.names.name_of(table, found[column])
        return found

    def _read_part(self, layout: Layout, names: dict[int, str], things: Things) -> None:
        assert layout.owner is not None
        pairs = "papers" in layout.references.values()
        read = self._pairs if pairs else self._owned
        # Asked once, not of each row of a whole library.
        is_single, is_list, is_named = layout.is_single, layout.is_list, layout.is_named
        for owner, row in read(layout, names):
            cells = things[owner]
            shared = self._shared(layout, row)
            if is_single:
                cells |= {f"{layout.table}/{name}": value for name, value in shared.items()}
            elif is_list:
                shared.pop("position")
                cells.setdefault(layout.table, []).append(shared)
            elif is_named:
                cells[f"{layout.table}/{self.names.name_of(layout.table, row['id'])}"] = shared
            else:
                cells[layout.cell_of(shared)] = shared

    def _owned(self, layout: Layout, names: dict[int, str]) -> Iterator[tuple[str, dict[str, Any]]]:
        assert layout.owner is not None
        for row in self._select(layout, layout.owner, names):
            yield names[row[layout.owner]], row

    def _pairs(self, layout: Layout, names: dict[int, str]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Rows between two papers: which of them has the lower number differs on each device, so
        that they belong to the one whose name comes first."""
        assert layout.owner is not None
        (other,) = layout.references
        for column in (layout.owner, other):
            for row in self._select(layout, column, names):
                ends = sorted((row[layout.owner], row[other]), key=self._paper)
                if ends[0] in names:
                    yield names[ends[0]], row | {layout.owner: ends[0], other: ends[1]}

    def _paper(self, paper_id: int) -> str:
        return self.names.name_of("papers", paper_id)

"""Things written as rows: what other devices say becomes what the library says."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count, product
from string import ascii_lowercase
from typing import Any

from papertrack.store.database import Database
from papertrack.store.documents import UNREAD
from papertrack.store.share import kept
from papertrack.store.share.fold import resolve, resolve_all
from papertrack.store.share.layout import PREFIX, THINGS, Layout
from papertrack.store.share.lines import Act, Cells, differences
from papertrack.store.share.private import private_columns, private_kinds
from papertrack.store.share.rows import Rows

Change = tuple[Cells, Cells]
"""All that is known of a thing, before and now."""
_Row = dict[str, Any]
_PLACE: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "categories": ("ifnull(parent_id, 0) = ifnull(?, 0) AND name = ?", ("parent_id", "name")),
    "topics": ("name = ?", ("name",)),
    "papers": ("citekey = ?", ("citekey",)),
    "forgotten": ("term = ?", ("term",)),
}
"""Tables of things of which only one can be at a place: how that one is found, and by what; the
last of it is what one can be called otherwise by."""
_CITEKEY = "papers/citekey"


def table_of(thing: str) -> str:
    """The table of a thing, by its name."""
    return next((table for table, start in PREFIX.items() if thing.startswith(start)), "papers")


def _depth(thing: str, changes: Mapping[str, Change]) -> int:
    """How many of the categories that change are above one."""
    depth, seen = 0, {thing}
    while thing in changes:
        before, now = changes[thing]
        thing = (now or before).get("categories/parent_id", "")
        if thing in seen:
            break
        seen.add(thing)
        depth += 1
    return depth


class Writing:
    """Writes things into the rows of a library, whose action is open."""

    def __init__(self, db: Database, rows: Rows, now: str) -> None:
        self._db = db
        self._now = now
        self._rows = rows
        self._names = rows.names
        self._private = private_columns(private_kinds(db))
        self.clashes: list[tuple[str, str]] = []
        """Pairs of things that both have what only one can have: an identifier, a place."""

    def write(self, changes: Mapping[str, Change]) -> None:
        """Write what is otherwise now: first what papers no longer have, then things, then what
        belongs to them, and last what goes."""
        # Rows before things: a row that goes with another's thing is one that nobody took away.
        for thing, (before, now) in sorted(changes.items(), key=lambda one: not one[1][1]):
            self._take_away(thing, before, now)
        coming = [(thing, *change) for thing, change in changes.items() if change[1]]
        coming.sort(key=lambda one: (THINGS.index(table_of(one[0])), _depth(one[0], changes)))
        self._free_moving_keys(coming)
        new = [self._write_thing(*one) for one in coming]
        for is_new, (thing, before, now) in zip(new, coming, strict=True):
            row_id = self._names.row_of(thing)
            if row_id is not None and table_of(thing) == "papers":
                self._write_parts(thing, row_id, {} if is_new else before, now)
        going = [thing for thing, (_, now) in changes.items() if not now]
        for thing in sorted(going, key=lambda one: -_depth(one, changes)):
            self._remove_category(thing)

    def _take_away(self, thing: str, before: Cells, now: Cells) -> None:
        row_id = self._names.row_of(thing)
        if row_id is None:
            return
        table = table_of(thing)
        if not now:
            if table != "categories":
                self._remove(thing, table, row_id)
            return
        for cell, value in before.items():
            layout = self._layout_of_row(cell)
            if layout and isinstance(value, dict) and cell not in now:
                self._delete_row(layout, row_id, cell, value)

    def _remove(self, thing: str, table: str, row_id: int) -> None:
        if self._names.names_of(table, row_id) == [thing]:
            # Who removed it did not know of these: they may be told again, should it come back.
            names = (
                self._names.name_of("papers", one) for one in self._rows.referring(table, row_id)
            )
            self.clashes += [(name, name) for name in names]
            self._db.execute(f"DELETE FROM {table} WHERE id = ?", (row_id,))
            self._names.forget(thing)

    def _remove_category(self, thing: str) -> None:
        """A category goes when nothing is in it: what another device put there stays there."""
        row_id = self._names.row_of(thing)
        if row_id is None or table_of(thing) != "categories":
            return
        if self._db.select_value(
            """SELECT EXISTS (SELECT 1 FROM paper_categories WHERE category_id = ?1)
               OR EXISTS (SELECT 1 FROM categories WHERE parent_id = ?1)""",
            (row_id,),
        ):
            self.clashes.append((thing, thing))
        else:
            self._remove(thing, "categories", row_id)

    def _number(self, table: str, name: str) -> int | None:
        """The row with a name; a category that another device has removed comes back."""
        row_id = self._names.row_of(name)
        if row_id is None and table == "categories":
            registers = kept.load(self._db, name)
            said = {cell: resolve(registers, cell) for cell in registers}
            if said:
                self._write_thing(name, {}, {c: v for c, v in said.items() if v is not None})
                self.clashes.append((name, name))
                row_id = self._names.row_of(name)
        return row_id

    # Things.

    def _free_moving_keys(self, coming: list[tuple[str, Cells, Cells]]) -> None:
        """Let papers exchange their citekeys: no two have one at any time."""
        moving = [
            self._names.row_of(thing)
            for thing, before, now in coming
            if before and before.get(_CITEKEY) != now.get(_CITEKEY)
        ]
        for row_id in moving if len(moving) > 1 else ():
            self._db.execute(
                "UPDATE papers SET citekey = ? WHERE id = ?", (f"moving-{row_id}", row_id)
            )

    def _keep_apart(self, layout: Layout, thing: str, row_id: int, values: _Row) -> _Row:
        """A row as it can be written where another thing is at its place: the one that had it
        first keeps it, on every device, and the other is called otherwise."""
        owner = self._owner_of_place(layout, row_id, values)
        if owner is None:
            return {}
        table, key = layout.table, _PLACE[layout.table][1][-1]
        other, wanted = self._names.name_of(table, owner), str(values[key])
        self.clashes.append((other, thing))
        if self._was_first(thing, other, f"{table}/{key}"):
            free = self._free_key(table, key, wanted, owner)
            self._db.execute(f"UPDATE {table} SET {key} = ? WHERE id = ?", (free, owner))
            return {}
        return {key: self._free_key(table, key, wanted, row_id)}

    def _was_first(self, thing: str, other: str, cell: str) -> bool:
        said = (kept.load(self._db, one).get(cell) for one in (thing, other))
        first, second = (heads[-1].act if heads else Act(0, "") for heads in said)
        return (first, thing) < (second, other)

    def _free_key(self, table: str, key: str, wanted: str, row_id: int) -> str:
        """The next that no other row has: of a citekey with letters, of a name with a number."""
        taken = set(
            self._db.select_column(f"SELECT lower({key}) FROM {table} WHERE id <> ?", (row_id,))
        )
        letters = ("".join(some) for n in count(1) for some in product(ascii_lowercase, repeat=n))
        endings = letters if table == "papers" else (f" ({n})" for n in count(2))
        return next(found for end in endings if (found := wanted + end).lower() not in taken)

    def _write_thing(self, thing: str, before: Cells, now: Cells) -> bool:
        """Write the row of a thing; return whether it is new."""
        table = table_of(thing)
        row_id = self._names.row_of(thing)
        layout = self._rows.layouts[table]
        values = self._values(layout, now)
        if row_id is None:
            self._insert_thing(thing, layout, values)
            return True
        changed = {
            c: new for c, (_, new) in differences(self._values(layout, before), values).items()
        }
        if changed:
            self._update_thing(thing, layout, row_id, changed)
        return False

    def _values(self, layout: Layout, cells: Cells) -> _Row:
        """The row of a thing, or of the table that has one row for each."""
        start = layout.table + "/"
        named = {c.removeprefix(start): v for c, v in cells.items() if c.startswith(start)}
        return self._numbered(layout, {c: v for c, v in named.items() if c in layout.columns})

    def _numbered(self, layout: Layout, row: _Row) -> _Row:
        """A row with numbers in place of names; without those that name nothing here."""
        return row | {
            column: self._number(table, row[column])
            for column, table in layout.references.items()
            if column in row
        }

    def _insert_thing(self, thing: str, layout: Layout, values: _Row) -> None:
        if layout.table == "documents":
            values |= {"digest": UNREAD, "synced_at": self._now}
        values |= self._keep_apart(layout, thing, 0, values)
        cursor = self._db.insert(f"{layout.table} ({', '.join(values)})", list(values.values()))
        assert cursor.lastrowid is not None
        self._names.give(layout.table, cursor.lastrowid, thing)

    def _update_thing(self, thing: str, layout: Layout, row_id: int, changed: _Row) -> None:
        found = self._db.execute(
            f"SELECT {', '.join(layout.columns)} FROM {layout.table} WHERE id = ?", (row_id,)
        ).fetchone()
        if self._is_below_itself(layout, row_id, changed):
            changed |= {"parent_id": None}
            self.clashes.append((thing, thing))
        present = dict(zip(layout.columns, found, strict=True)) | changed
        if changed.keys() & _PLACE.get(layout.table, ("", ()))[1]:
            changed |= self._keep_apart(layout, thing, row_id, present)
        assignments = ", ".join(f"{column} = ?" for column in changed)
        self._db.execute(
            f"UPDATE {layout.table} SET {assignments} WHERE id = ?", (*changed.values(), row_id)
        )

    def _owner_of_place(self, layout: Layout, row_id: int, values: _Row) -> int | None:
        """The other category at the same place, or the other topic of the same name."""
        if layout.table not in _PLACE:
            return None
        condition, keys = _PLACE[layout.table]
        found = self._db.select_value(
            f"SELECT id FROM {layout.table} WHERE {condition} AND id <> ?",
            (*map(values.get, keys), row_id),
        )
        return None if found is None else int(found)

    def _is_below_itself(self, layout: Layout, row_id: int, changed: _Row) -> bool:
        """Whether a category would be in one that is in it: each was put there on one device."""
        if layout.table != "categories" or changed.get("parent_id") is None:
            return False
        return bool(
            self._db.select_value(
                """WITH RECURSIVE above (id) AS (
                       SELECT ? UNION
                       SELECT c.parent_id FROM categories c JOIN above ON c.id = above.id)
                   SELECT EXISTS (SELECT 1 FROM above WHERE id = ?)""",
                (changed["parent_id"], row_id),
            )
        )

    # What belongs to a paper.

    def _write_parts(self, thing: str, row_id: int, before: Cells, now: Cells) -> None:
        for layout in self._rows.layouts.values():
            if layout.owner is None:
                continue
            if layout.is_single:
                self._write_single(layout, row_id, before, now)
            elif layout.is_list:
                self._write_list(layout, row_id, before, now)
        for cell, value in now.items():
            row_layout = self._layout_of_row(cell)
            if row_layout and isinstance(value, dict) and before.get(cell) != value:
                is_there = cell in before or row_layout.is_named
                self._write_row(row_layout, (thing, row_id), (cell, value), is_there=is_there)

    def _layout_of_row(self, cell: str) -> Layout | None:
        """The table of which a cell is one row; None of others, and of a newer papertrack's."""
        layout = self._rows.layouts.get(cell.partition("/")[0])
        if layout is None or layout.owner is None or layout.is_single or layout.is_list:
            return None
        return layout

    def _write_single(self, layout: Layout, row_id: int, before: Cells, now: Cells) -> None:
        was, values = self._values(layout, before), self._values(layout, now)
        if was == values:
            return
        columns = sorted(values.keys() | was.keys())
        changed = differences(was, values)
        updates = ", ".join(f"{column} = excluded.{column}" for column in changed)
        self._db.insert(
            f"{layout.table} ({', '.join([layout.owner or '', *columns])})",
            (row_id, *map(values.get, columns)),
            f"({layout.owner}) DO UPDATE SET {updates}",
        )

    def _write_list(self, layout: Layout, row_id: int, before: Cells, now: Cells) -> None:
        rows = now.get(layout.table) or []
        if rows == (before.get(layout.table) or []):
            return
        self._db.execute(f"DELETE FROM {layout.table} WHERE {layout.owner} = ?", (row_id,))
        columns = (layout.owner or "", *layout.columns)
        self._db.insert_many(
            f"{layout.table} ({', '.join(columns)})",
            [
                [({layout.owner: row_id, "position": n} | row).get(column) for column in columns]
                for n, row in enumerate(rows)
            ],
        )

    def _write_row(
        self, layout: Layout, owner: tuple[str, int], said: tuple[str, _Row], *, is_there: bool
    ) -> None:
        cell, value = said
        row = self._with_owner(layout, owner[1], value)
        if any(row[column] is None for column in layout.references if column in row):
            # What it refers to is gone here, or comes later.
            self.clashes.append((owner[0], owner[0]))
            return
        if layout.is_named and not self._may_have(layout, owner, cell):
            return
        if is_there and self._update_row(layout, cell, row):
            return
        cursor = self._db.insert(
            f"{layout.table} ({', '.join(row)})", list(row.values()), "DO NOTHING"
        )
        if not cursor.rowcount:
            if not self._update_row(layout, cell, row):
                self._take_over(layout, owner, cell, row)
        elif layout.is_named:
            assert cursor.lastrowid is not None
            self._names.give(layout.table, cursor.lastrowid, cell.partition("/")[2])

    def _with_owner(self, layout: Layout, row_id: int, value: _Row) -> _Row:
        known = {c: v for c, v in value.items() if c in layout.columns}
        row = {layout.owner or "": row_id} | self._numbered(layout, known)
        for column, table in layout.references.items():
            if table == "papers" and row.get(column) is not None:
                # A row between two papers stands with the one that has the lower number here.
                row |= dict(
                    zip((layout.owner or "", column), sorted((row_id, row[column])), strict=True)
                )
        return row

    def _where(self, layout: Layout, cell: str, row: _Row) -> tuple[str, list[Any]]:
        """How the row of a cell is found; one with a name may be another paper's."""
        if layout.is_named:
            return "id = ?", [self._names.row_of(cell.partition("/")[2])]
        columns = (layout.owner or "", *layout.keys)
        return " AND ".join(f"{column} = ?" for column in columns), [row[c] for c in columns]

    def _update_row(self, layout: Layout, cell: str, row: _Row) -> bool:
        """Whether there was such a row, which is as it should be then."""
        condition, keys = self._where(layout, cell, row)
        # What stays on each device came with no line.
        private = self._private.get(layout.table, set()) - row.keys()
        columns = (layout.owner or "", *(one for one in layout.columns if one not in private))
        assignments = ", ".join(f"{column} = ?" for column in columns)
        cursor = self._db.execute(
            f"UPDATE {layout.table} SET {assignments} WHERE {condition}",
            (*map(row.get, columns), *keys),
        )
        return bool(cursor.rowcount)

    def _delete_row(self, layout: Layout, row_id: int, cell: str, value: _Row) -> None:
        row = self._with_owner(layout, row_id, value)
        condition, keys = self._where(layout, cell, row)
        self._db.execute(
            f"DELETE FROM {layout.table} WHERE {condition} AND {layout.owner} = ?",
            (*keys, row[layout.owner or ""]),
        )

    def _take_over(self, layout: Layout, owner: tuple[str, int], cell: str, row: _Row) -> None:
        """Write a row that another paper has, if it is to be this one's."""
        condition = " AND ".join(f"{key} = ?" for key in layout.keys)
        keys = [row[key] for key in layout.keys]
        if self._is_for(owner, cell, self._holder(layout, condition, keys)):
            assignments = ", ".join(f"{column} = ?" for column in row)
            self._db.execute(
                f"UPDATE {layout.table} SET {assignments} WHERE {condition}", (*row.values(), *keys)
            )

    def _may_have(self, layout: Layout, owner: tuple[str, int], cell: str) -> bool:
        row_id = self._names.row_of(cell.partition("/")[2])
        return self._is_for(owner, cell, self._holder(layout, "id = ?", [row_id]))

    def _holder(self, layout: Layout, condition: str, keys: list[Any]) -> int | None:
        found = self._db.select_value(
            f"SELECT {layout.owner} FROM {layout.table} WHERE {condition}", keys
        )
        return None if found is None else int(found)

    def _is_for(self, owner: tuple[str, int], cell: str, holder: int | None) -> bool:
        """Of two papers that both say to have what only one can have, the one whose name comes
        first has it, on every device."""
        thing, row_id = owner
        if holder is None or holder == row_id:
            return True
        other = self._names.name_of("papers", holder)
        if cell not in resolve_all(kept.load(self._db, other)):
            return True  # It is on its way.
        self.clashes.append((other, thing))
        return thing < other

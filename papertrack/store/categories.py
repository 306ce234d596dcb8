"""The user's categories: a tree in the user's order, and the papers in it.

``category_paths`` defines how a path is written as text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from papertrack.category_paths import MAX_DEPTH, format_path
from papertrack.errors import ConflictError, NotFoundError, UsageError
from papertrack.store.database import tuple_from_json
from papertrack.store.store import Store

Path = tuple[str, ...]


_WITH_THOSE_ABOVE = """WITH RECURSIVE wanted(id) AS (
    SELECT value FROM json_each(?)
    UNION SELECT c.parent_id FROM wanted JOIN categories c USING (id) WHERE c.parent_id IS NOT NULL)
    SELECT id, parent_id, name FROM categories WHERE id IN (SELECT id FROM wanted)"""

_END = (
    "SELECT ifnull(max(position) + 1, 0) FROM categories WHERE ifnull(parent_id, 0) = ifnull(?, 0)"
)


def paths(store: Store) -> dict[int, Path]:
    """Return every category's path, by id."""
    return _paths_in(store.execute("SELECT id, parent_id, name FROM categories"))


def paths_of(store: Store, category_ids: Iterable[int]) -> dict[int, Path]:
    """Return the paths of these categories and their parents, by id."""
    asked = sorted({*category_ids})
    return _paths_in(store.execute(_WITH_THOSE_ABOVE, (asked,))) if asked else {}


def _paths_in(rows: Iterable[tuple[int, int | None, str]]) -> dict[int, Path]:
    nodes = {category_id: (parent_id, name) for category_id, parent_id, name in rows}
    found: dict[int, Path] = {}
    for category_id, (parent_id, name) in nodes.items():
        names = [name]
        # In a stranger's database, parents may go round in a circle.
        while parent_id and len(names) < MAX_DEPTH:
            parent_id, name = nodes[parent_id]
            names.append(name)
        found[category_id] = tuple(reversed(names))
    return found


def find_category(store: Store, path: Path) -> int | None:
    """Return the id of the category with this path."""
    category_id: int | None = None
    for name in path:
        if (category_id := _find_in(store, category_id, name)) is None:
            break
    return category_id


def _find_in(store: Store, parent_id: int | None, name: str) -> int | None:
    found = "SELECT id FROM categories WHERE ifnull(parent_id, 0) = ? AND name = ?"
    return store.select_value(found, (parent_id or 0, name))  # type: ignore[no-any-return]


def get_category(store: Store, path: Path) -> int:
    """Return the id of the category with this path.

    Raises NotFoundError, naming the nearest path, if there is none.
    """
    category_id = find_category(store, path)
    if category_id is None:
        # Imported here because only a mistake needs it.
        import difflib

        known = [format_path(one) for one in paths(store).values()]
        near = difflib.get_close_matches(format_path(path), known, n=1, cutoff=0.5)
        hint = f"Did you mean {near[0]}?" if near else "`papertrack category` shows them all."
        raise NotFoundError(f"There is no category {format_path(path)}. {hint}")
    return category_id


def ensure_category(store: Store, path: Path) -> int:
    """Return the id of the category with this path; create it if missing.

    New categories are the last among their siblings.
    """
    if not path:
        raise UsageError("A category needs a name.")
    return ensure_categories(store, [path])[path]


def ensure_categories(store: Store, wanted: Iterable[Path]) -> dict[Path, int]:
    """Return the ids of categories, making those that are missing in this order.

    A parent's last position is read once, because a list may have thousands of headings.
    """
    ids: dict[Path, int] = {}
    ends: dict[int | None, int] = {}
    for path in filter(None, wanted):
        category_id: Any = None
        for name in path:
            parent_id, category_id = category_id, _find_in(store, category_id, name)
            if category_id is None:
                if parent_id not in ends:
                    ends[parent_id] = store.select_value(_END, (parent_id,))
                row = (parent_id, name, ends[parent_id])
                category_id = store.insert("categories (parent_id, name, position)", row).lastrowid
                ends[parent_id] += 1
        ids[path] = category_id
    return ids


def ordered_paths(store: Store) -> list[tuple[Path, int]]:
    """Return all categories and their numbers of papers, in the user's order.

    Parents come before their subcategories.
    """
    children = store.select_groups(
        """SELECT ifnull(c.parent_id, 0), c.id, c.name,
               (SELECT count(*) FROM paper_categories pc WHERE pc.category_id = c.id)
           FROM categories c ORDER BY c.position, ifnull(c.key, c.name), c.id"""
    )
    ordered: list[tuple[Path, int]] = []
    pending: list[tuple[Path, int, int]] = [((), 0, 0)]
    while pending:  # Without recursion: a stranger's database may nest any number.
        path, parent_id, papers = pending.pop()
        ordered.append((path, papers))
        above, below = path[1 - MAX_DEPTH :], reversed(children.get(parent_id, ()))
        pending += [((*above, name), category_id, count) for category_id, name, count in below]
    return ordered[1:]


def put_in_category(store: Store, paper_ids: Iterable[int], path: Path) -> None:
    """Add these papers, one after another, at the end of a category; they stay in others."""
    category_id = ensure_category(store, path)
    store.connection.executemany(
        """INSERT INTO paper_categories (paper_id, category_id, position) VALUES (?1, ?2,
           (SELECT ifnull(max(position) + 1, 0) FROM paper_categories WHERE category_id = ?2))
           ON CONFLICT DO NOTHING""",
        [(paper_id, category_id) for paper_id in paper_ids],
    )


def take_out_of_category(store: Store, paper_id: int, path: Path) -> None:
    """Remove the paper from one category. Raises NotFoundError if it is not in it."""
    category_id = find_category(store, path)
    cursor = store.execute(
        "DELETE FROM paper_categories WHERE paper_id = ? AND category_id = ?",
        (paper_id, category_id),
    )
    if not cursor.rowcount:
        raise NotFoundError(f"The paper is not in the category {format_path(path)}.")


def rename_category(store: Store, path: Path, new: Path) -> None:
    """Give a category another name or parent, with everything in it.

    Under another parent it becomes the last. Entries that the user removed from a document
    there stay removed under the new name. Raises NotFoundError, and ConflictError when the new
    path exists or is inside the category.
    """
    category_id = get_category(store, path)
    if find_category(store, new) is not None:
        raise ConflictError(
            f"There is a category {format_path(new)} already: `papertrack move` puts papers there."
        )
    if new[: len(path)] == path:
        raise ConflictError(f"{format_path(path)} cannot be put into itself.")
    parent_id = ensure_category(store, new[:-1]) if len(new) > 1 else None
    store.execute(
        """UPDATE categories SET name = ?2, position =
           CASE WHEN parent_id IS ?1 THEN position ELSE
               (SELECT ifnull(max(position) + 1, 0) FROM categories WHERE parent_id IS ?1) END,
           parent_id = ?1 WHERE id = ?3""",
        (parent_id, new[-1], category_id),
    )
    rows = store.execute("SELECT id, category FROM entries WHERE state = 'unlinked'").fetchall()
    for entry_id, category in rows:
        listed = tuple_from_json(category)
        if listed[: len(path)] == path:
            moved = (*new, *listed[len(path) :])
            store.execute("UPDATE entries SET category = ? WHERE id = ?", (moved, entry_id))


def merge_categories(store: Store, kept_id: int, merged_id: int, name: str) -> None:
    """Merge two sibling categories, with everything in them, under this name.

    Their subcategories of the same name are merged too. A third sibling with this name stays
    separate.
    """
    ids = (kept_id, merged_id)
    pairs = store.execute(
        """SELECT o.id, k.id, o.name FROM categories o LEFT JOIN categories k
           ON k.parent_id = ?1 AND k.name = o.name AND k.id <> o.id WHERE o.parent_id = ?2""",
        ids,
    ).fetchall()
    for child_id, same_id, child in pairs:
        if same_id is None:
            store.execute("UPDATE categories SET parent_id = ? WHERE id = ?", (kept_id, child_id))
        else:
            merge_categories(store, same_id, child_id, child)
    store.execute(
        "UPDATE OR IGNORE paper_categories SET category_id = ?1 WHERE category_id = ?2", ids
    )
    store.execute("DELETE FROM categories WHERE id = ?", (merged_id,))
    store.execute("UPDATE OR IGNORE categories SET name = ? WHERE id = ?", (name, kept_id))


def place_category(store: Store, path: Path, position: int) -> None:
    """Put a category at a position (from 0) among its siblings; the others keep their order."""
    category_id = get_category(store, path)
    siblings = store.select_column(
        """SELECT id FROM categories WHERE id <> ?1 AND parent_id IS
               (SELECT parent_id FROM categories WHERE id = ?1) ORDER BY position, id""",
        (category_id,),
    )
    siblings.insert(position, category_id)
    for at, sibling in enumerate(siblings):
        store.execute(
            "UPDATE categories SET position = ?1 WHERE id = ?2 AND position <> ?1", (at, sibling)
        )


def remove_empty_category(store: Store, path: Path) -> None:
    """Remove an empty category. Raises NotFoundError, and ConflictError if it is not empty."""
    category_id = get_category(store, path)
    papers, categories = store.execute(
        """SELECT (SELECT count(*) FROM paper_categories WHERE category_id = ?1),
                  (SELECT count(*) FROM categories WHERE parent_id = ?1)""",
        (category_id,),
    ).fetchone()
    if papers or categories:
        what = "papers" if papers else "categories"
        raise ConflictError(
            f"The category {format_path(path)} is not empty: it has "
            f"{papers or categories} {what}. Move them elsewhere first."
        )
    store.execute("DELETE FROM categories WHERE id = ?", (category_id,))


def documents_with(store: Store, path: Path) -> list[str]:
    """Return the documents that list papers under the category or one below it, by path."""
    rows = store.execute(
        """SELECT DISTINCT d.path, e.category FROM entries e
           JOIN documents d ON d.id = e.document_id WHERE e.state <> 'unlinked' ORDER BY d.path"""
    )
    found = [name for name, listed in rows if tuple_from_json(listed)[: len(path)] == path]
    return list(dict.fromkeys(found))

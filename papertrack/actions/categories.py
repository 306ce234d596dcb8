"""The reader's own categories: making, renaming, ordering and removing them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from papertrack.errors import ConflictError, UsageError
from papertrack.store.categories import (
    Path,
    documents_with,
    ensure_category,
    find_category,
    format_path,
    get_category,
    ordered_paths,
    place_category,
    remove_empty_category,
)
from papertrack.store.documents import read_documents
from papertrack.store.store import Store
from papertrack.store.watch.topics import list_topics, rename_with_topics
from papertrack.text import clean

Place = Literal["first", "last", "before", "after"]


@dataclass(frozen=True, slots=True)
class Renamed:
    """What goes by the new name, and what does not yet."""

    topics: tuple[str, ...]
    """The topics that put what they find there, and now do so under the new name."""
    documents: tuple[str, ...]
    """The documents whose headings still say the old name: no heading is ever rewritten."""


def add_category(store: Store, path: Path, *, dry_run: bool = False) -> bool:
    """Make a category, with those above it; False when it is there already."""
    _refuse_hostile(path)
    if find_category(store, path) is not None:
        return False
    with store.action("category", f"add {format_path(path)}", dry_run=dry_run):
        ensure_category(store, path)
    return True


def change_path(store: Store, path: Path, new: Path, *, dry_run: bool = False) -> Renamed:
    """Give a category another name or another parent, with all that is in it.

    Raises NotFoundError, and ConflictError when the new path is taken or lies in the category.
    """
    _refuse_hostile(new)
    what = f"{format_path(path)} is {format_path(new)}"
    with store.action("category", what, dry_run=dry_run):
        return Renamed(rename_with_topics(store, path, new), tuple(documents_with(store, path)))


def has_no_heading(store: Store, path: Path) -> bool:
    """Whether there are READMEs, but no category yet, as there would be for each heading."""
    return find_category(store, path) is None and bool(read_documents(store, "markdown"))


def order_category(
    store: Store, path: Path, place: Place, other: Path | None = None, *, dry_run: bool = False
) -> None:
    """Put a category first or last of those beside it, or before or after ``other``.

    Raises NotFoundError, and UsageError when ``other`` is not beside it.
    """
    get_category(store, path)
    beside = [one for one, _ in ordered_paths(store) if one[:-1] == path[:-1] and one != path]
    if other is None:
        position = 0 if place == "first" else len(beside)
    else:
        get_category(store, other)
        if other not in beside:
            raise UsageError(
                f"{format_path(other)} is not beside {format_path(path)}, so it can be neither "
                "before nor after it. `papertrack category rename` moves one elsewhere."
            )
        position = beside.index(other) + (place == "after")
    where = f"{place} {format_path(other)}" if other else place
    with store.action("category", f"{format_path(path)} {where}", dry_run=dry_run):
        place_category(store, path, position)


def remove_category(store: Store, path: Path, *, dry_run: bool = False) -> None:
    """Remove an empty category. Raises NotFoundError, and ConflictError when it is not empty.

    So it does when a topic puts what it finds there, which would only make it anew.
    """
    with store.action("category", f"rm {format_path(path)}", dry_run=dry_run):
        remove_empty_category(store, path)
        for topic in list_topics(store):
            if topic.category == path:
                raise ConflictError(
                    f"The topic {topic.name} puts what it finds into {format_path(path)}. Give it "
                    f"another one first: `papertrack topic edit {topic.name} --category PATH`."
                )


def _refuse_hostile(path: Path) -> None:
    for name in path:
        if clean(name) != name:
            raise UsageError(f"{name!r} cannot name a category: it has invisible characters.")

"""Putting papers in order: tags, the reader's own categories, removal, making two papers one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from papertrack.category_paths import format_path
from papertrack.errors import ConflictError, NotFoundError, UsageError
from papertrack.store import categories
from papertrack.store.documents import feeds_lists, want_entries_again
from papertrack.store.lookup import citekeys_of, get_paper
from papertrack.store.papers import merge_papers, remove_paper
from papertrack.store.states import rename_tag, tag_all, tags_of_papers, untag_all
from papertrack.store.store import Store
from papertrack.text import clean, few, fold


class Moved(NamedTuple):
    """Where one paper was, and is."""

    paper_id: int
    citekey: str
    before: tuple[categories.Path, ...]
    after: tuple[categories.Path, ...]
    is_new_category: bool
    """Whether no category of that name was there before."""


class Tagged(NamedTuple):
    """The tags that one paper had, and has."""

    citekey: str
    before: tuple[str, ...]
    after: tuple[str, ...]


def tag_papers(
    store: Store, paper_ids: Sequence[int], *, add: Sequence[str] = (), remove: Sequence[str] = ()
) -> list[Tagged]:
    """Give papers tags and take tags from them. Raises UsageError for a tag without a letter."""
    what = [f"+{tag}" for tag in add] + [f"-{tag}" for tag in remove]
    citekeys = citekeys_of(store, paper_ids)
    with store.action("tag", f"{' '.join(what)}: {few(citekeys)}"):
        before = tags_of_papers(store, paper_ids)
        untag_all(store, paper_ids, remove)
        tag_all(store, paper_ids, add)
        after = tags_of_papers(store, paper_ids)
    return [
        Tagged(citekey, tuple(before[paper_id]), tuple(after[paper_id]))
        for citekey, paper_id in zip(citekeys, paper_ids, strict=True)
    ]


def rename_tag_everywhere(store: Store, old: str, new: str) -> int:
    """Call a tag something else; return how many papers had it. Raises NotFoundError."""
    with store.action("tag", f"{old} is {clean(new)}"):
        return rename_tag(store, old, new)


def move_papers(
    store: Store,
    paper_ids: Sequence[int],
    category: categories.Path,
    *,
    source: categories.Path | None = None,
    is_added: bool = False,
) -> list[Moved]:
    """Put papers in a category, made if there is none, and take them out of ``source``.

    Without ``source`` they leave every other category; with ``is_added`` none. Raises
    NotFoundError when a paper is not in ``source``.
    """
    if source is not None and is_added:
        raise UsageError("A paper is either moved from a category or put into one more.")
    is_new = categories.find_category(store, category) is None
    citekeys = citekeys_of(store, paper_ids)
    with store.action("move", f"{few(citekeys)} to {format_path(category)}"):
        before = categories.paths_of_papers(store, paper_ids)
        if source is not None:
            _refuse_outside(source, before, dict(zip(paper_ids, citekeys, strict=True)))
        left = [
            (paper_id, path)
            for paper_id, paths in before.items()
            for path in (paths if source is None else (source,))
            if path != category
        ]
        categories.take_out_of_categories(store, () if is_added else left)
        categories.put_all_in_category(store, paper_ids, category)
        want_entries_again(store, paper_ids, category)
        after = categories.paths_of_papers(store, paper_ids)
    return [
        Moved(paper_id, citekey, before[paper_id], after[paper_id], is_new)
        for paper_id, citekey in zip(paper_ids, citekeys, strict=True)
    ]


def _refuse_outside(
    source: categories.Path,
    listed: Mapping[int, Sequence[categories.Path]],
    citekeys: Mapping[int, str],
) -> None:
    """Raise NotFoundError where papers are not in the category that they are to leave."""
    outside = [citekeys[paper_id] for paper_id, paths in listed.items() if source not in paths]
    if outside:
        are = "is" if len(outside) == 1 else "are"
        raise NotFoundError(
            f"{few(outside)} {are} not in the category {format_path(source)}. Nothing was moved."
        )


def remove_papers(store: Store, paper_ids: Sequence[int]) -> None:
    """Take papers out of the library; the next export takes their rows out of the documents."""
    with store.action("rm", few(citekeys_of(store, paper_ids))):
        for paper_id in paper_ids:
            remove_paper(store, paper_id)


def merge_two_papers(store: Store, kept_id: int, merged_id: int) -> None:
    """Make two papers one: the first keeps its key and fields and gets what the second has more.

    Raises ConflictError when both are the same paper.
    """
    kept, merged = get_paper(store, kept_id), get_paper(store, merged_id)
    with store.action("merge", f"{merged.citekey} into {kept.citekey}"):
        merge_papers(store, kept_id, merged_id)


Place = Literal["first", "last", "before", "after"]


class Renamed(NamedTuple):
    """What goes by the new name, and what does not yet."""

    topics: tuple[str, ...]
    """The topics that put what they find there, and now do so under the new name."""
    documents: tuple[str, ...]
    """The documents whose headings still say the old name: no heading is ever rewritten."""


def add_category(store: Store, path: categories.Path) -> bool:
    """Make a category, with those above it; False when it is there already."""
    _refuse_hostile(path)
    if categories.find_category(store, path) is not None:
        return False
    with store.action("category", f"add {format_path(path)}"):
        categories.ensure_category(store, path)
    return True


def change_path(store: Store, path: categories.Path, new: categories.Path) -> Renamed:
    """Give a category another name or another parent, with all that is in it.

    Raises NotFoundError, and ConflictError when the new path is taken or lies in the category.
    """
    # Topics are no part of what tagging and moving papers needs.
    from papertrack.store.watch.topics import rename_with_topics

    _refuse_hostile(new)
    what = f"{format_path(path)} is {format_path(new)}"
    with store.action("category", what):
        return Renamed(
            rename_with_topics(store, path, new), tuple(categories.documents_with(store, path))
        )


def has_no_heading(store: Store, path: categories.Path) -> bool:
    """Whether there are READMEs, but no category yet, as there would be for each heading."""
    return categories.find_category(store, path) is None and feeds_lists(store)


def headings_within(store: Store, path: categories.Path) -> list[categories.Path]:
    """Return the categories that end with these names, in any case: those meant, perhaps."""
    wanted = [fold(name) for name in path]
    known = [one for one, _ in categories.ordered_paths(store) if len(one) > len(path)]
    return [one for one in known if [fold(name) for name in one[-len(path) :]] == wanted]


def order_category(
    store: Store, path: categories.Path, place: Place, other: categories.Path | None = None
) -> None:
    """Put a category first or last of those beside it, or before or after ``other``.

    Raises NotFoundError, and UsageError when ``other`` is not beside it.
    """
    categories.get_category(store, path)
    beside = [
        one for one, _ in categories.ordered_paths(store) if one[:-1] == path[:-1] and one != path
    ]
    if other is None:
        position = 0 if place == "first" else len(beside)
    else:
        categories.get_category(store, other)
        if other not in beside:
            raise UsageError(
                f"{format_path(other)} is not beside {format_path(path)}, "
                "so it can be neither before nor after it. `papertrack category rename` moves one "
                "elsewhere."
            )
        position = beside.index(other) + (place == "after")
    where = f"{place} {format_path(other)}" if other else place
    with store.action("category", f"{format_path(path)} {where}"):
        categories.place_category(store, path, position)


def remove_category(store: Store, path: categories.Path) -> None:
    """Remove an empty category. Raises NotFoundError, and ConflictError when it is not empty.

    So it does when a topic puts what it finds there, which would only make it anew.
    """
    from papertrack.store.watch.topics import list_topics

    with store.action("category", f"rm {format_path(path)}"):
        categories.remove_empty_category(store, path)
        for topic in list_topics(store):
            if topic.category == path:
                raise ConflictError(
                    f"The topic {topic.name} puts what it finds into "
                    f"{format_path(path)}. Give it another one first: "
                    f"`papertrack topic edit {topic.name} --category PATH`."
                )


def _refuse_hostile(path: categories.Path) -> None:
    for name in path:
        if clean(name) != name:
            raise UsageError(f"{name!r} cannot name a category: it has invisible characters.")

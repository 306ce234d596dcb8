"""Putting papers in order: tags, categories, removal, and making two papers one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from papertrack.errors import UsageError
from papertrack.store.categories import (
    find_category,
    format_path,
    put_in_category,
    take_out_of_category,
)
from papertrack.store.lookup import get_paper, get_papers
from papertrack.store.merging import merge_papers
from papertrack.store.papers import remove_paper
from papertrack.store.states import add_tags, remove_tags, rename_tag
from papertrack.store.store import Store
from papertrack.text import clean

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """Where one paper was, and is."""

    paper_id: int
    citekey: str
    before: tuple[Path, ...]
    after: tuple[Path, ...]
    is_new_category: bool
    """Whether no category of that name was there before."""


def tag_papers(
    store: Store,
    paper_ids: Sequence[int],
    *,
    add: Sequence[str] = (),
    remove: Sequence[str] = (),
    dry_run: bool = False,
) -> None:
    """Give papers tags and take tags from them. Raises UsageError for a tag without a letter."""
    what = [f"+{tag}" for tag in add] + [f"-{tag}" for tag in remove]
    with store.action("tag", f"{' '.join(what)}: {_names(store, paper_ids)}", dry_run=dry_run):
        for paper_id in paper_ids:
            remove_tags(store, paper_id, remove)
            add_tags(store, paper_id, add)


def rename_tag_everywhere(store: Store, old: str, new: str, *, dry_run: bool = False) -> int:
    """Call a tag something else; return how many papers had it. Raises NotFoundError."""
    with store.action("tag", f"{old} is {clean(new)}", dry_run=dry_run):
        return rename_tag(store, old, new)


def move_papers(
    store: Store,
    paper_ids: Sequence[int],
    category: Path,
    *,
    source: Path | None = None,
    is_added: bool = False,
    dry_run: bool = False,
) -> list[Moved]:
    """Put papers in a category, made if there is none, and take them out of ``source``.

    Without ``source`` they leave every other category; with ``is_added`` none. Raises
    NotFoundError when a paper is not in ``source``.
    """
    if source is not None and is_added:
        raise UsageError("A paper is either moved from a category or put into one more.")
    is_new = find_category(store, category) is None
    moved = []
    with store.action(
        "move", f"{_names(store, paper_ids)} to {format_path(category)}", dry_run=dry_run
    ):
        for paper_id in paper_ids:
            paper = get_paper(store, paper_id)
            left = paper.categories if source is None else (source,)
            for path in () if is_added else left:
                if path != category:
                    take_out_of_category(store, paper_id, path)
            put_in_category(store, paper_id, category)
            after = get_paper(store, paper_id).categories
            moved.append(Moved(paper_id, paper.citekey, paper.categories, after, is_new))
    return moved


def remove_papers(store: Store, paper_ids: Sequence[int], *, dry_run: bool = False) -> None:
    """Take papers out of the library; the next export takes their rows out of the documents."""
    with store.action("rm", _names(store, paper_ids), dry_run=dry_run):
        for paper_id in paper_ids:
            remove_paper(store, paper_id)


def merge_two_papers(store: Store, kept_id: int, merged_id: int, *, dry_run: bool = False) -> None:
    """Make two papers one: the first keeps its key and fields and gets what the second has more.

    Raises ConflictError when both are the same paper.
    """
    kept, merged = get_paper(store, kept_id), get_paper(store, merged_id)
    with store.action("merge", f"{merged.citekey} into {kept.citekey}", dry_run=dry_run):
        merge_papers(store, kept_id, merged_id)


def _names(store: Store, paper_ids: Sequence[int]) -> str:
    return ", ".join(paper.citekey for paper in get_papers(store, paper_ids))

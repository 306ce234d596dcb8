"""Organise papers: tags, the user's categories, removal, merging two papers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Self

from papertrack.actions.results import OfPapers
from papertrack.category_paths import format_path
from papertrack.errors import ConflictError, NotFoundError, UsageError
from papertrack.records import Paper
from papertrack.store import categories
from papertrack.store.documents import feeds_lists, want_entries_again
from papertrack.store.lookup import citekeys_of, get_paper, get_papers
from papertrack.store.papers import merge_papers, remove_paper
from papertrack.store.states import add_tags, remove_tags, rename_tag, tag_counts
from papertrack.store.store import Store
from papertrack.text import clean, few, fold, plural


@dataclass(frozen=True, slots=True)
class TaggedPaper:
    """The tags of one paper before and now."""

    citekey: str
    tags_before: list[str]
    tags: list[str]

    def sentences(self) -> Iterator[str]:
        yield f"{self.citekey}: tags {', '.join(self.tags) or 'none'}."


@dataclass(frozen=True, slots=True)
class Tagged(OfPapers):
    papers: list[TaggedPaper]


@dataclass(frozen=True, slots=True)
class TagRenamed:
    tag_before: str
    tag: str
    papers_changed: int

    def sentences(self) -> Iterator[str]:
        yield f"{self.tag_before} is {self.tag} on {plural(self.papers_changed, 'paper')}."


@dataclass(frozen=True, slots=True)
class MovedPaper:
    """The categories of one paper before and now."""

    citekey: str
    categories_before: list[str]
    categories: list[str]

    @property
    def has_changed(self) -> bool:
        return self.categories_before != self.categories

    def sentences(self) -> Iterator[str]:
        before, after = (", ".join(self.categories_before), ", ".join(self.categories))
        if self.has_changed:
            yield f"{self.citekey}: {before or 'no category'} → {after or 'no category'}."


@dataclass(frozen=True, slots=True)
class Moved:
    papers_changed: int
    papers_unchanged: int
    papers: list[MovedPaper]
    category: str
    is_new_category: bool
    """Whether the category is new."""

    @classmethod
    def of(cls, papers: list[MovedPaper], category: str, is_new: bool) -> Self:
        changed = sum(paper.has_changed for paper in papers)
        return cls(changed, len(papers) - changed, papers, category, is_new)

    def sentences(self) -> Iterator[str]:
        for moved_paper in self.papers:
            yield from moved_paper.sentences()
        if self.is_new_category and self.papers:
            yield f"{self.category} is a new category."


@dataclass(frozen=True, slots=True)
class Removed:
    papers_removed: int
    citekeys: list[str]

    @property
    def hint(self) -> str:
        pronoun = "it" if self.papers_removed == 1 else "them"
        return f"`papertrack undo` brings {pronoun} back." if self.citekeys else ""

    def sentences(self) -> Iterator[str]:
        if self.citekeys:
            yield f"Removed {', '.join(self.citekeys)}."


@dataclass(frozen=True, slots=True)
class Merged:
    citekey: str
    merged: str

    def sentences(self) -> Iterator[str]:
        yield f"Merged {self.merged} into {self.citekey}."


@dataclass(frozen=True, slots=True)
class SplitOff:
    """A paper that was split off another one."""

    citekey: str
    other: str

    def sentences(self) -> Iterator[str]:
        yield f"{self.citekey} is now a separate paper from {self.other}."


@dataclass(frozen=True, slots=True)
class CategoryAdded:
    category: str
    is_new: bool

    def sentences(self) -> Iterator[str]:
        new, old = f"Made {self.category}.", f"{self.category} exists already."
        yield new if self.is_new else old


@dataclass(frozen=True, slots=True)
class CategoryRenamed:
    """What was renamed, and what still has the old name."""

    category_before: str
    category: str
    topics: list[str]
    """Topics that file their matches there, now under the new name."""
    documents: list[str]
    """Documents whose headings still have the old name: papertrack rewrites no headings."""

    def sentences(self) -> Iterator[str]:
        yield f"{self.category_before} is now {self.category}."
        if self.topics:
            yield f"Changed in topics too: {', '.join(self.topics)}."
        if self.documents:
            yield f"Rename the heading in {', '.join(self.documents)} too, then import it."


@dataclass(frozen=True, slots=True)
class CategoryOrdered:
    category: str
    categories: list[str]
    place: str

    def sentences(self) -> Iterator[str]:
        yield f"{self.category} is {self.place}."


@dataclass(frozen=True, slots=True)
class CategoryRemoved:
    category: str

    def sentences(self) -> Iterator[str]:
        yield f"Removed {self.category}."


@dataclass(frozen=True, slots=True)
class CategoryCount:
    category: str
    papers: int


@dataclass(frozen=True, slots=True)
class TagCount:
    tag: str
    papers: int


def tag_papers(
    store: Store, paper_ids: Sequence[int], *, add: Sequence[str] = (), remove: Sequence[str] = ()
) -> Tagged:
    """Add tags to papers and remove tags. Raises UsageError for a tag without a letter."""
    changes = [f"+{tag}" for tag in add] + [f"-{tag}" for tag in remove]
    citekeys = citekeys_of(store, paper_ids)
    with store.action("tag", f"{' '.join(changes)}: {few(citekeys)}"):
        before = get_papers(store, paper_ids)
        remove_tags(store, paper_ids, remove)
        add_tags(store, paper_ids, add)
        after = get_papers(store, paper_ids)
    papers = [
        TaggedPaper(was.citekey, list(was.tags), list(now.tags))
        for was, now in zip(before, after, strict=True)
    ]
    return Tagged(papers)


def rename_tag_everywhere(store: Store, old: str, new: str) -> TagRenamed:
    """Rename a tag on all papers that have it. Raises NotFoundError."""
    with store.action("tag", f"{old} is {clean(new)}"):
        return TagRenamed(old, new, rename_tag(store, old, new))


def move_papers(
    store: Store,
    paper_ids: Sequence[int],
    category: categories.Path,
    *,
    source: categories.Path | None = None,
    is_added: bool = False,
) -> Moved:
    """Move papers to a category, made if necessary, and remove them from ``source``.

    Without ``source`` they leave all other categories; with ``is_added`` they leave none. Raises
    NotFoundError when a paper is not in ``source``.
    """
    if source is not None and is_added:
        raise UsageError("Either move a paper from a category, or add it to another one.")
    is_new = categories.find_category(store, category) is None
    citekeys = citekeys_of(store, paper_ids)
    with store.action("move", f"{few(citekeys)} to {format_path(category)}"):
        before = get_papers(store, paper_ids)
        if source is not None:
            _refuse_outside(source, before)
        for paper in () if is_added else before:
            for path in paper.categories if source is None else (source,):
                if path != category:
                    categories.take_out_of_category(store, paper.id, path)
        categories.put_in_category(store, paper_ids, category)
        want_entries_again(store, paper_ids, category)
        after = get_papers(store, paper_ids)
    papers = [
        MovedPaper(was.citekey, _shown(was.categories), _shown(now.categories))
        for was, now in zip(before, after, strict=True)
    ]
    return Moved.of(papers, format_path(category), is_new)


def _shown(paths: Sequence[categories.Path]) -> list[str]:
    return list(map(format_path, paths))


def _refuse_outside(source: categories.Path, papers: Sequence[Paper]) -> None:
    """Raise NotFoundError for papers that are not in the category that they should leave."""
    outside = [paper.citekey for paper in papers if source not in paper.categories]
    if outside:
        are = "is" if len(outside) == 1 else "are"
        raise NotFoundError(
            f"{few(outside)} {are} not in the category {format_path(source)}. Nothing was moved."
        )


def remove_papers(store: Store, paper_ids: Sequence[int]) -> Removed:
    """Remove papers from the library; the next export removes their rows from the documents."""
    citekeys = citekeys_of(store, paper_ids)
    with store.action("rm", few(citekeys)):
        for paper_id in paper_ids:
            remove_paper(store, paper_id)
    return Removed(len(citekeys), list(citekeys))


def merge_two_papers(store: Store, kept_id: int, merged_id: int) -> Merged:
    """Merge two papers: the first keeps its key and fields, and gets what it lacks from the second.

    Raises ConflictError when both are the same paper.
    """
    kept, merged = get_paper(store, kept_id), get_paper(store, merged_id)
    with store.action("merge", f"{merged.citekey} into {kept.citekey}"):
        merge_papers(store, kept_id, merged_id)
    return Merged(kept.citekey, merged.citekey)


Place = Literal["first", "last", "before", "after"]


def add_category(store: Store, path: categories.Path) -> CategoryAdded:
    """Make a category and those above it, unless they exist."""
    _refuse_hostile(path)
    is_new = categories.find_category(store, path) is None
    with store.action("category", f"add {format_path(path)}"):
        categories.ensure_category(store, path)
    return CategoryAdded(format_path(path), is_new)


def change_path(store: Store, path: categories.Path, new: categories.Path) -> CategoryRenamed:
    """Give a category another name or parent, with everything in it.

    Raises NotFoundError, and ConflictError when the new path exists or is inside the category.
    """
    # Imported here because tagging and moving papers need no topics.
    from papertrack.store.watch.topics import rename_with_topics

    _refuse_hostile(new)
    with store.action("category", f"{format_path(path)} renamed to {format_path(new)}"):
        return CategoryRenamed(
            format_path(path),
            format_path(new),
            list(rename_with_topics(store, path, new)),
            list(categories.documents_with(store, path)),
        )


def has_no_heading(store: Store, path: categories.Path) -> bool:
    """Return whether there are READMEs, but no category that matches their headings."""
    return categories.find_category(store, path) is None and feeds_lists(store)


def headings_within(store: Store, path: categories.Path) -> list[categories.Path]:
    """Return the categories that end with these names, in any case: suggestions for a typed
    path."""
    names = [fold(name) for name in path]
    paths = [full for full, _ in categories.ordered_paths(store) if len(full) > len(path)]
    return [full for full in paths if [fold(name) for name in full[-len(path) :]] == names]


def order_category(
    store: Store, path: categories.Path, place: Place, other: categories.Path | None = None
) -> CategoryOrdered:
    """Put a category first or last among its siblings, or before or after ``other``.

    Raises NotFoundError, and UsageError when ``other`` is not a sibling.
    """
    categories.get_category(store, path)
    paths = [full for full, _ in categories.ordered_paths(store)]
    beside = [peer for peer in paths if peer[:-1] == path[:-1] and peer != path]
    if other is None:
        position = 0 if place == "first" else len(beside)
    else:
        categories.get_category(store, other)
        if other not in beside:
            raise UsageError(
                f"{format_path(other)} and {format_path(path)} are not in the same category, so "
                "neither can be put before or after the other. "
                "`papertrack category PATH --rename NEW` moves one elsewhere."
            )
        position = beside.index(other) + (place == "after")
    where = f"{place} {format_path(other)}" if other else place
    with store.action("category", f"{format_path(path)} {where}"):
        categories.place_category(store, path, position)
    new_order = [format_path(full) for full, _ in categories.ordered_paths(store)]
    return CategoryOrdered(format_path(path), new_order, where)


def remove_category(store: Store, path: categories.Path) -> CategoryRemoved:
    """Remove an empty category. Raises NotFoundError, and ConflictError when it is not empty.

    Also raises ConflictError when a topic files its matches there, because the topic would make the
    category again.
    """
    from papertrack.store.watch.topics import list_topics

    with store.action("category", f"rm {format_path(path)}"):
        categories.remove_empty_category(store, path)
        for topic in list_topics(store):
            if topic.category == path:
                raise ConflictError(
                    f"The topic {topic.name} puts its matches into {format_path(path)}. Give it "
                    "another category first: "
                    f"`papertrack topic edit {topic.name} --category PATH`."
                )
    return CategoryRemoved(format_path(path))


def count_categories(store: Store) -> list[CategoryCount]:
    """Return the categories in the user's order, each with its number of papers."""
    return [
        CategoryCount(format_path(path), papers) for path, papers in categories.ordered_paths(store)
    ]


def count_tags(store: Store) -> list[TagCount]:
    """Return the tags, each with its number of papers."""
    return [TagCount(tag, papers) for tag, papers in tag_counts(store)]


def _refuse_hostile(path: categories.Path) -> None:
    for name in path:
        if clean(name) != name:
            raise UsageError(f"{name!r} cannot name a category: it has invisible characters.")

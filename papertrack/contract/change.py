"""What the commands print that change papers and categories."""

from __future__ import annotations

from typing import Literal

from papertrack.contract.arxiv import Candidate
from papertrack.contract.look import InCategory
from papertrack.contract.shapes import Count, DryRun, OfPaper, Shape, Text


class AddedPaper(Shape):
    reference: Text
    id: int | None
    citekey: Text
    outcome: Literal["new", "saved", "known"]
    is_waiting: bool


class FoundFor(Shape):
    reference: Text
    found: list[Candidate]


class Taken(Shape):
    """What adding or importing came to."""

    papers_new: Count
    papers_changed: Count
    papers_unchanged: Count


class Added(Taken):
    papers: list[AddedPaper]
    candidates: list[FoundFor]
    dry_run: bool = False


class Edited(OfPaper, DryRun):
    fields: list[Text]


class TaggedPaper(OfPaper):
    tags_before: list[Text]
    tags: list[Text]


class Tagged(TaggedPaper, DryRun):
    pass


class TaggedPapers(DryRun):
    papers: list[TaggedPaper]


class TagRenamed(DryRun):
    tag_before: Text
    tag: Text
    papers_changed: Count


class TagCount(Shape):
    tag: Text
    papers: Count


class MovedPaper(OfPaper):
    categories_before: list[Text]
    categories: list[Text]


class Moved(DryRun):
    papers_changed: Count
    papers_unchanged: Count
    papers: list[MovedPaper]


class Removed(DryRun):
    papers_removed: Count
    citekeys: list[Text]


class Merged(OfPaper, DryRun):
    merged: Text


class SplitOff(OfPaper, DryRun):
    other: Text


class Category(InCategory):
    category: Text


class CategoryRemoved(DryRun):
    category: Text


class CategoryAdded(CategoryRemoved):
    is_new: bool


class CategoryRenamed(DryRun):
    category_before: Text
    category: Text
    topics: list[Text]
    documents: list[Text]


class CategoryOrdered(CategoryRemoved):
    categories: list[Text]

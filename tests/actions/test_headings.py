"""Headings renamed by hand: the categories follow, with what waits there and what was taken out."""

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.documents import import_file
from papertrack.actions.organise import change_path, move_papers
from papertrack.actions.watch.topics import create_topic
from papertrack.store.categories import ordered_paths
from papertrack.store.watch.topics import list_topics
from papertrack.sync.markdown.matching import find_renamed
from tests.actions.conftest import CHUNKED, ORCA, PAGED, Desk

A, B, C, D = ("A",), ("B",), ("C",), ("D",)


@pytest.mark.parametrize(
    ("pairs", "before", "now", "expected"),
    [
        ([(A, B), (A, B)], [A], [B], [(A, B)]),
        ([(A, B), (A, B), (A, C)], [A, C], [B, C], [(A, B)]),
        # The old one is still there: rows were moved.
        ([(A, B)], [A], [A, B], []),
        # The new one was there: they were joined.
        ([(A, B), (A, B), (B, B)], [A, B], [B], []),
        # Two became one, or one two of the same size.
        ([(A, C), (B, C)], [A, B], [C], []),
        ([(A, B), (A, C)], [A], [B, C], []),
        # The name of a heading above changed; the level changed.
        ([((*A, "X"), (*B, "X"))], [A, (*A, "X")], [B, (*B, "X")], [(A, B)]),
        ([((*A, "X"), (*B, "X"))], [A, (*A, "X")], [A, (*B, "X")], [((*A, "X"), (*B, "X"))]),
        # Both names changed; that of a heading above, which lists nothing itself, too.
        (
            [(A, B), ((*A, "X"), (*B, "Y"))],
            [A, (*A, "X")],
            [B, (*B, "Y")],
            [(A, B), ((*A, "X"), (*B, "Y"))],
        ),
        (
            [((*A, "X"), (*B, "Y")), ((*A, "X"), (*B, "Y"))],
            [(*A, "X")],
            [(*B, "Y")],
            [(A, B), ((*A, "X"), (*B, "Y"))],
        ),
        # Of two sections in a new one only that with the old name below it became that.
        (
            [((*A, "X"), (*B, "Y")), ((*C, "X"), (*B, "X"))],
            [(*A, "X"), (*C, "X")],
            [(*B, "X"), (*B, "Y")],
            [(C, B), ((*A, "X"), (*B, "Y"))],
        ),
        ([(A, (*D, "A"))], [A], [D, (*D, "A")], [(A, (*D, "A"))]),
        ([(A, (*A, "X"))], [A], [(*A, "X")], []),
    ],
)
def test_a_heading_is_renamed_when_its_entries_are_those_of_the_old(
    pairs: list[tuple[tuple[str, ...], tuple[str, ...]]],
    before: list[tuple[str, ...]],
    now: list[tuple[str, ...]],
    expected: list[tuple[tuple[str, ...], tuple[str, ...]]],
) -> None:
    assert find_renamed(pairs, before, now) == expected


def names(desk: Desk) -> list[str]:
    return ["/".join(path) for path, _ in ordered_paths(desk.store)]


def test_the_category_keeps_its_place_and_its_topics(desk: Desk) -> None:
    create_topic(desk.store, "serving", "serving", category=("Serving",))
    desk.replace("## Serving", "## Inference")
    text = desk.read()
    report = desk.import_readme()
    assert report.renamed == (("Serving", "Inference"),)
    assert report.has_changes
    assert report.papers_changed == 0
    assert names(desk) == ["Inference", "Speculation", "Empty So Far"]
    assert desk.paper(PAGED).categories == (("Inference",),)
    assert [topic.category for topic in list_topics(desk.store)] == [("Inference",)]
    assert not desk.export().has_changes
    assert desk.read() == text
    assert not desk.import_readme().has_changes
    desk.store.undo()  # The import: an export that writes nothing is no action.
    assert names(desk) == ["Serving", "Speculation", "Empty So Far"]
    assert desk.paper(PAGED).categories == (("Serving",),)


def test_a_heading_and_the_one_above_it_are_renamed_at_once(desk: Desk) -> None:
    desk.replace("## Serving", "## Serving\n\n### Old")
    desk.import_readme()
    desk.replace("## Serving\n\n### Old", "## Inference\n\n### New")
    report = desk.import_readme()
    assert report.renamed == (
        ("Serving", "Inference"),
        ("Inference/Old", "Inference/New"),
    )
    assert names(desk) == ["Inference", "Inference/New", "Speculation", "Empty So Far"]
    assert not desk.export().has_changes


def test_a_paper_that_waits_in_a_renamed_section_gets_its_row_there(desk: Desk) -> None:
    add_references(desk.store, ["2401.99999"], category=("Serving",))
    desk.edit("2401.99999", "title=Zebra Drafts")
    desk.replace("## Serving", "## Inference")
    desk.import_readme()
    desk.export()
    assert "Zebra Drafts" in desk.read().partition("## Inference")[2].partition("## ")[0]


def test_a_paper_moved_in_the_library_leaves_a_section_that_was_renamed(desk: Desk) -> None:
    move_papers(desk.store, [desk.id(CHUNKED)], ("Speculation",))
    desk.replace("## Serving", "## Inference")
    assert desk.import_readme().conflicts == ()
    desk.export()
    assert "Chunked" not in desk.read().partition("## Inference")[2].partition("## ")[0]
    assert desk.paper(CHUNKED).categories == (("Speculation",),)


@pytest.mark.parametrize("is_first_in_library", [False, True])
def test_a_row_taken_out_stays_out_of_the_section_under_its_new_name(
    desk: Desk, is_first_in_library: bool
) -> None:
    row = next(line for line in desk.read().splitlines(keepends=True) if "Orca-like" in line)
    desk.replace(row, "")
    desk.import_readme()
    if is_first_in_library:
        change_path(desk.store, ("Serving",), ("Inference",))
    desk.replace("## Serving", "## Inference")
    desk.import_readme()
    assert not desk.export().has_changes
    assert desk.paper(ORCA).categories == (("Inference",),)


def test_a_category_that_another_file_lists_keeps_its_name(desk: Desk) -> None:
    other = desk.readme.with_name("OTHER.md")
    other.write_text("# Mine\n\n## Serving\n\n- [Other](https://arxiv.org/abs/2501.00001)\n")
    import_file(desk.store, desk.library, other)
    desk.replace("## Serving", "## Inference")
    assert desk.import_readme().renamed == ()
    assert desk.paper(PAGED).categories == (("Inference",),)
    assert desk.paper("2501.00001").categories == (("Serving",),)

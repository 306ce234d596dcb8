"""What is undone gives a file its bytes back, whatever exports made of it; edits by hand stay."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.actions.add import add_references
from papertrack.actions.documents import import_file
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.organise import merge_two_papers, move_papers, remove_papers
from papertrack.actions.reading import mark_pass, set_decision, set_rating
from papertrack.store import versions
from papertrack.sync import document_export
from tests.actions.conftest import CHUNKED, ORCA, PAGED, README, Desk

TWICE = """\
# List

## English

- [A Study of Many Things](https://arxiv.org/abs/2505.11111) (ICML 2025) · [code](https://github.com/example/things)
- [Another Study Altogether](https://arxiv.org/abs/2505.22222) (ICML 2025)

## 中文

- [Another Study Altogether](https://arxiv.org/abs/2505.22222)（ICML 2025）
- [A Study of Many Things](https://arxiv.org/abs/2505.11111)（ICML 2025） · [代码](https://github.com/example/things)
"""
OPTIONS = """\
# Generator

## Options

- `--key` `TEXT`: The key of the service (from https://github.com/settings/tokens).
- `--other` `TEXT`: The key of another one (from https://libraries.io/api).
- `--help`: Show this message and exit.

## Taking Part

- By taking part you agree to the [Rules of Conduct](https://github.com/example/list/blob/main/RULES.md).
- Send issues for any [wish](https://github.com/example/list/issues/new).
"""


@given(st.text("ab \t\r\n\f\u2028"))
def test_the_pieces_of_a_version_are_all_of_the_text(text: str) -> None:
    assert "".join(document_export._PIECES.findall(text)) == text


def test_an_entry_of_several_lines_is_one_piece_and_a_row_another() -> None:
    text = "@misc{a,\n  title = {A}\n}\n\n@misc{b,\n  title = {B}\n}\n| c |\n| d |\n"
    pieces = ["@misc{a,\n  title = {A}\n", "}\n\n", "@misc{b,\n  title = {B}\n", "}\n"]
    assert document_export._PIECES.findall(text) == [*pieces, "| c |\n", "| d |\n"]


def test_a_paper_with_two_rows_that_moved_to_and_fro_has_each_where_it_was(
    new_desk: Callable[[str], Desk],
) -> None:
    desk = new_desk(TWICE)
    desk.import_readme()
    for category in ("中文", "English"):
        move_papers(desk.store, [desk.id("2505.11111")], (category,))
        desk.export()
    assert desk.read() != TWICE
    desk.undo(2)
    assert desk.read() == TWICE


def test_a_link_removed_and_its_row_moved_in_one_export_come_back(desk: Desk) -> None:
    desk.edit(PAGED, "code=")
    move_papers(desk.store, [desk.id(PAGED)], ("Empty So Far",))
    desk.export()
    mark_pass(desk.store, [desk.id(CHUNKED)], 1)
    remove_papers(desk.store, [desk.id(ORCA)])
    desk.export()
    desk.undo(4)
    assert desk.read() == README


def test_a_merge_that_is_undone_leaves_no_link_behind(desk: Desk) -> None:
    desk.edit(CHUNKED, "code=https://github.com/example/chunked")
    desk.export()
    merge_two_papers(desk.store, desk.id(PAGED), desk.id(CHUNKED))
    desk.export()
    desk.undo(2)
    assert desk.read() == README


@pytest.mark.parametrize("is_imported", [False, True])
def test_what_was_written_by_hand_meanwhile_stays_when_an_edit_is_undone(
    desk: Desk, is_imported: bool
) -> None:
    mark_pass(desk.store, [desk.id(CHUNKED)], 1)
    remove_papers(desk.store, [desk.id(ORCA)])
    desk.export()
    desk.replace("# Reading List\n", "# Reading List\n\nWhat I read.\n")
    desk.replace("| 2023/09 |", "| 2023/09, twice |")
    if is_imported:
        desk.import_readme()
    desk.store.undo(desk.store.select_value("SELECT max(id) FROM actions WHERE verb = 'rm'"))
    desk.export()
    assert "What I read." in desk.read()
    assert "| 2023/09, twice |" in desk.read()
    assert "Orca-like Batching" in desk.read()


def test_rows_sorted_by_hand_stay_so_when_what_was_done_before_is_undone(desk: Desk) -> None:
    mark_pass(desk.store, [desk.id(CHUNKED)], 1)
    desk.export()
    rows = [line for line in desk.read().splitlines(True) if line.startswith("| [<u>")][1:3]
    desk.replace("".join(rows), "".join(rows[::-1]))
    by_hand = desk.read()
    desk.export()
    desk.undo()
    assert desk.read() == by_hand.replace("][3] | ✅ |", "][3] | |")


def test_a_row_that_is_new_stays_when_an_older_edit_is_undone(desk: Desk) -> None:
    desk.edit(PAGED, "title=Pages of Memory")
    older = desk.store.select_value("SELECT max(id) FROM actions")
    desk.export()
    add_references(desk.store, ["2401.00009"], category=("Serving",))
    desk.edit("2401.00009", "title=A New Row")
    desk.export()
    desk.store.undo(older)
    desk.export()
    assert "Paged Memory for Serving</u>" in desk.read()
    assert "A New Row" in desk.read()


def test_an_undone_removal_brings_a_row_back_that_older_versions_lack(desk: Desk) -> None:
    remove_papers(desk.store, [desk.id(PAGED)])
    removal = desk.store.select_value("SELECT max(id) FROM actions")
    desk.export()
    desk.edit(CHUNKED, "title=Prefills in Chunks")
    desk.export()
    desk.store.undo()
    desk.store.undo(removal)
    desk.export()
    assert desk.read() == README


def test_a_row_that_was_taken_out_anew_by_redo_comes_back_with_its_own_words(desk: Desk) -> None:
    desk.replace("| 2023/09 |", "| 2023/09, years of remarks |")
    desk.import_readme()
    start = desk.read()
    for reference in (ORCA, PAGED):
        remove_papers(desk.store, [desk.id(reference)])
    desk.export()
    for step in (desk.store.undo, desk.store.redo):
        step()
        step()
        desk.export()
    desk.undo()
    assert "| 2023/09, years of remarks |" in desk.read()
    assert "Orca-like Batching</u>" not in desk.read()
    desk.undo()
    assert desk.read() == start


def test_what_waited_only_meanwhile_is_forgotten_with_the_version_it_waited_in(
    new_desk: Callable[[str], Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = new_desk(README)
    add_references(desk.store, [ORCA])
    set_rating(desk.store, [desk.id(ORCA)], 4)
    desk.import_readme()
    desk.export()
    known = "SELECT library FROM entries ORDER BY position"
    start = desk.store.execute(known).fetchall()
    for reference in (PAGED, ORCA):
        remove_papers(desk.store, [desk.id(reference)])
    desk.export()
    # No row finds its place, so that one is written anew, and its rating has none.
    monkeypatch.setattr("papertrack.sync.markdown.format.hunks_of_gone", lambda *_: ())
    for _ in range(2):
        desk.undo()
    assert desk.read() == README
    assert desk.store.execute(known).fetchall() == start


def test_sync_that_reads_before_it_writes_takes_back_all_the_same(desk: Desk) -> None:
    desk.edit(PAGED, "title=Pages of Memory")
    add_references(desk.store, ["2401.00009"], category=("Serving",))
    desk.export()
    desk.store.undo()
    desk.store.undo()
    desk.import_readme()
    desk.export()
    assert desk.read() == README
    assert not desk.export().is_written


def test_an_entry_whose_new_title_is_refused_is_known_by_its_old_one(
    new_desk: Callable[[str], Desk],
) -> None:
    desk = new_desk(OPTIONS)
    desk.import_readme()
    paper = next(one for one in desk.papers() if one.facts.title == "Show this message and exit")
    assignments = [
        "title=Zebra *Crossings* | [in] Practice 3",
        "code=https://github.com/somebody/code48",
    ]
    edit_fields(desk.store, paper.id, parse_assignments(assignments))
    assert desk.export().refused
    assert "https://github.com/somebody/code48" in desk.read()
    again = desk.import_readme()
    assert (again.papers_new, again.deleted) == (0, ())
    desk.undo()
    assert desk.read() == OPTIONS


def test_of_versions_only_so_many_are_kept(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "MOST_VERSIONS", 3)
    for number in range(1, 6):
        desk.edit(PAGED, f"title=Title {number}")
        desk.export()
    assert desk.store.select_value("SELECT count(*) FROM versions") == 3
    desk.undo()
    assert "<u>Title 4</u>" in desk.read()


def test_a_row_taken_out_long_ago_is_known_by_its_own_words(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "MOST_VERSIONS", 3)
    desk.replace("| 2023/09 |", "| 2023/09, years of remarks |")
    desk.import_readme()
    remove_papers(desk.store, [desk.id(PAGED)])
    removal = desk.store.select_value("SELECT max(id) FROM actions")
    desk.export()
    for number in range(1, 8):
        desk.edit(CHUNKED, f"title=Title {number}")
        desk.export()
    desk.edit(CHUNKED, "title=Chunked Prefills")
    desk.export()
    desk.store.undo(removal)
    desk.export()
    assert "| 2023/09, years of remarks |" in desk.read()
    assert desk.store.select_value("SELECT count(*) FROM versions") <= 5


def test_a_file_that_is_forgotten_and_taken_in_again_starts_anew(desk: Desk) -> None:
    desk.edit(PAGED, "title=Pages of Memory")
    desk.export()
    with desk.store.action("forget"):
        desk.store.execute("DELETE FROM documents")
    import_file(desk.store, desk.library, desk.readme)
    assert desk.store.select_value("SELECT count(*) FROM versions") == 1


def test_a_row_that_stayed_of_a_discarded_paper_is_there_when_all_is_done_again(
    desk: Desk,
) -> None:
    add_references(desk.store, ["2401.00009"], category=("Serving",))
    desk.edit("2401.00009", "title=A New Row")
    desk.export()
    set_decision(desk.store, [desk.id("2401.00009")], "discarded")
    desk.export()
    end = desk.read()
    assert "A New Row" in end
    for step in (desk.store.undo, desk.store.redo):
        for _ in range(3):
            step()
        desk.export()
        assert (desk.read() == end) == (step == desk.store.redo)


ALIGNED = """\
# Papers (2)

## Serving (2)

| Title                                             | Read    |
| :------------------------------------------------ | :------ |
| [Paged Memory](https://arxiv.org/abs/2309.10001)  |         |
| [Draft Ahead](https://arxiv.org/abs/2211.10002)   |         |
"""
ACTS: dict[str, Callable[[Desk], object]] = {
    "pass": lambda desk: mark_pass(desk.store, [desk.id("2309.10001")], 3),
    "title": lambda desk: desk.edit("2309.10001", "title=The Paged Memory of All Large Servers"),
    "removal": lambda desk: remove_papers(desk.store, [desk.id("2309.10001")]),
    "new row": lambda desk: add_references(desk.store, ["2401.00009"], category=("Serving (2)",)),
}


@pytest.mark.parametrize("act", list(ACTS))
@pytest.mark.parametrize("later", ["pass", "title"])
def test_an_older_action_undone_leaves_what_it_would_be_without_it(
    act: str, later: str, new_desk: Callable[[str], Desk]
) -> None:
    """What no version says: all that came later stays, and the rest is as it was, but for the
    width of a cell that was written in a table that was not aligned then."""

    def act_later(desk: Desk) -> str:
        if later == "pass":
            mark_pass(desk.store, [desk.id("2211.10002")], 2)
        else:
            desk.edit("2211.10002", "title=Drafts")
        desk.export()
        return desk.read()

    never, once = new_desk(ALIGNED), new_desk(ALIGNED)
    never.import_readme()
    once.import_readme()
    ACTS[act](once)
    if act == "new row":
        once.edit("2401.00009", "title=A New One")
    actions = "SELECT id FROM actions WHERE state = 'done' AND can_undo ORDER BY id"
    undone = once.store.select_column(actions)[1:]
    once.export()
    assert once.read() != ALIGNED
    assert act_later(once) != act_later(never)
    for action_id in reversed(undone):
        once.store.undo(action_id)
    once.export()
    assert once.read().split() == never.read().split()
    if (act, later) not in (("title", "pass"), ("removal", "pass")):
        assert once.read() == never.read()

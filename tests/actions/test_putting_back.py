"""What exports took out of a README comes back as it was, where it was."""

from collections.abc import Callable

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.documents import export_registered, import_file
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.organise import move_papers, remove_papers
from papertrack.actions.reading import mark_pass, set_decision
from tests.actions.conftest import CHUNKED, DRAFT, ORCA, PAGED, README, Desk

NewDesk = Callable[[str], Desk]

ODD = """\
# List

## Serving

| Title | arXiv | Read |
| :---- | :---- | :--- |
| [<u>Paged Memory</u>][1]   | [![arXiv][0]][1] | ✅ ✅ (twice, slowly) | hidden | cells |
| [Chunked Prefills](https://arxiv.org/abs/2403.10004 "the v1") | x | |
| [<u>Orca-like Batching</u>][11] <!-- ask Ada --> | [![arXiv][0]][11] | |
| [<u>Late Arrival</u>][16] | [![arXiv][0]][16] | ✅ |

## Empty

| Title | arXiv | Read |
| :---- | :---- | :--- |

## Listed

* [First of All](https://arxiv.org/abs/2401.00001) - my favourite
  by [Ada](https://example.org/ada)

  - so many ideas
  - [code](https://github.com/example/first)

* **Second** [[paper]](https://arxiv.org/abs/2401.00002) 🏆
* [Third](https://arxiv.org/abs/2401.00003)

## Counted

1. [Number One](https://arxiv.org/abs/2402.00001)
2. [Number Two](https://arxiv.org/abs/2402.00002), see also page 3
3. [Number Three](https://arxiv.org/abs/2402.00003)

## Counted Too

1. [Other One](https://arxiv.org/abs/2402.00004)

[0]: https://img.shields.io/badge/arXiv-b31b1b.svg
<!-- Paged Memory -->
[1]: https://arxiv.org/abs/2309.10001 'Paged'
[2]: https://github.com/example/used-by-nobody
<!-- Orca-like Batching -->
[11]: <https://arxiv.org/abs/2207.10003v2>
<!-- Late Arrival -->
[16]: https://arxiv.org/abs/2407.10009"""
IDS = (
    *("2309.10001", "2403.10004", "2207.10003", "2407.10009"),
    *("2401.00001", "2401.00002", "2401.00003"),
    *("2402.00001", "2402.00002", "2402.00003", "2402.00004"),
)


def odd(new_desk: NewDesk, line_end: str = "\n") -> tuple[Desk, str]:
    readme = ODD.replace("\n", line_end)
    desk = new_desk(readme)
    assert desk.import_readme().papers_new == len(IDS)
    return desk, readme


@pytest.mark.parametrize(("paper", "line_end"), [*((one, "\n") for one in IDS), (IDS[0], "\r\n")])
def test_a_removed_paper_that_is_restored_has_its_lines_again(
    new_desk: NewDesk, paper: str, line_end: str
) -> None:
    desk, readme = odd(new_desk, line_end)
    remove_papers(desk.store, [desk.id(paper)])
    assert desk.export().lines_removed > 0
    assert paper not in desk.read()
    desk.undo()
    assert desk.read() == readme
    assert not desk.import_readme().has_changes
    assert not desk.export().has_changes
    desk.redo()
    assert paper not in desk.read()


@pytest.mark.parametrize("is_at_once", [True, False])
@pytest.mark.parametrize("order", [IDS, IDS[::-1]], ids=["forwards", "backwards"])
def test_all_papers_removed_and_restored_leave_the_bytes(
    new_desk: NewDesk, order: tuple[str, ...], is_at_once: bool
) -> None:
    desk, readme = odd(new_desk)
    for paper in order:
        remove_papers(desk.store, [desk.id(paper)])
        if not is_at_once:
            desk.export()
    desk.export()
    assert "arxiv.org" not in desk.read()
    for _ in order:
        desk.store.undo()
        if not is_at_once:
            desk.export()
    desk.export()
    assert desk.read() == readme
    assert not desk.import_readme().has_changes


def test_one_of_several_comes_back_alone_between_its_neighbours(new_desk: NewDesk) -> None:
    desk, readme = odd(new_desk)
    actions = []
    for paper in ("2403.10004", "2207.10003", "2407.10009"):
        remove_papers(desk.store, [desk.id(paper)])
        actions.append(desk.store.connection.execute("SELECT max(id) FROM actions").fetchone()[0])
    desk.export()
    desk.store.undo(actions[1])
    desk.export()
    rows = [line for line in readme.split("\n") if "arXiv][0]" in line and "Late" not in line]
    assert [line for line in desk.read().split("\n") if "arXiv][0]" in line] == rows
    desk.store.undo(actions[2])
    desk.store.undo(actions[0])
    desk.export()
    assert desk.read() == readme


def test_what_changed_meanwhile_is_changed_in_the_row_that_comes_back(new_desk: NewDesk) -> None:
    desk, readme = odd(new_desk)
    remove_papers(desk.store, [desk.id("2207.10003")])
    desk.export()
    desk.replace("* [Third]", "* A remark on [Third]")
    desk.replace("[Chunked Prefills]", "[Prefills in Chunks]")
    desk.import_readme()
    desk.store.undo(2)
    mark_pass(desk.store, [desk.id("2207.10003")], 1)
    desk.export()
    assert desk.read() == readme.replace("[11] | |", "[11] | ✅ |").replace(
        "* [Third]", "* A remark on [Third]"
    ).replace("[Chunked Prefills]", "[Prefills in Chunks]")


def test_a_paper_added_again_gets_its_old_row(new_desk: NewDesk) -> None:
    desk, _ = odd(new_desk)
    remove_papers(desk.store, [desk.id("2309.10001")])
    desk.export()
    add_references(desk.store, ["2309.10001"], category=("Serving",))
    desk.edit("2309.10001", "title=Paged Memory")
    desk.export()
    assert "(twice, slowly) | hidden | cells |" in desk.read()
    assert "[1]: https://arxiv.org/abs/2309.10001 'Paged'\n" in desk.read()
    assert desk.read().count("2309.10001") == 1


def test_a_paper_added_again_before_any_export_keeps_its_row(new_desk: NewDesk) -> None:
    desk, readme = odd(new_desk)
    remove_papers(desk.store, [desk.id("2309.10001")])
    add_references(desk.store, ["2309.10001"], category=("Serving",))
    desk.edit("2309.10001", "title=Paged Memory")
    mark_pass(desk.store, [desk.id("2309.10001")], 2)
    for _ in range(3):
        desk.export()
        assert desk.read() == readme
        assert not desk.import_readme().has_changes
    for _ in range(4):
        desk.undo()
    assert desk.read() == readme


def test_a_new_row_may_be_the_same_as_one_that_goes(new_desk: NewDesk) -> None:
    desk, _ = odd(new_desk)
    for _ in range(2):
        add_references(desk.store, ["2401.00009"], category=("Serving",))
        desk.edit("2401.00009", "title=A New Row")
        for _ in range(2):
            desk.export()
            assert desk.read().count("<u>A New Row</u>") == 1
        remove_papers(desk.store, [desk.id("2401.00009")])


@pytest.mark.parametrize(
    ("paper", "category"),
    [
        (ORCA, "Empty"),
        ("2407.10009", "Empty"),
        ("2401.00002", "Counted"),
        ("2401.00001", "Counted"),
        ("2402.00002", "Counted Too"),
        ("2402.00003", "Counted Too"),
    ],
)
def test_a_row_that_was_moved_returns_to_where_it_was(
    new_desk: NewDesk, paper: str, category: str
) -> None:
    desk, readme = odd(new_desk)
    move_papers(desk.store, [desk.id(paper)], (category,))
    desk.export()
    moved = desk.read()
    desk.undo()
    assert desk.read() == readme
    assert not desk.import_readme().has_changes
    desk.redo()
    assert desk.read() == moved


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_items_that_were_moved_to_the_end_of_the_file_return_together(
    new_desk: NewDesk, end: str, line_end: str
) -> None:
    sections = {"A": ("2401.00001", "2401.00002"), "B": ("2401.00003",), "C": ("2401.00004",)}
    lists = (
        "\n".join([f"## {name}", *(f"+ [Paper {id}](https://arxiv.org/abs/{id})" for id in ids)])
        for name, ids in sections.items()
    )
    readme = ("\n\n".join(["# List", *lists]) + end).replace("\n", line_end)
    desk = new_desk(readme)
    desk.import_readme()
    for paper in ("2401.00003", "2401.00001"):
        move_papers(desk.store, [desk.id(paper)], ("C",))
    desk.export()
    assert desk.read().index("2401.00004") < desk.read().index("2401.00001")
    desk.undo(2)
    assert desk.read() == readme


def test_an_item_edited_on_its_way_returns_as_it_was(new_desk: NewDesk) -> None:
    readme = """# List

## A

- One Paper of Mine [[paper]](https://arxiv.org/abs/2401.00001)
  - Ada Lovelace

- Two Papers of Mine [[paper]](https://arxiv.org/abs/2401.00002) [[code]](https://github.com/c/d)

## B

- Three Papers of Mine [[paper]](https://arxiv.org/abs/2401.00003)
"""
    desk = new_desk(readme)
    desk.import_readme()
    paper = desk.id("2401.00001")
    move_papers(desk.store, [paper], ("B",))
    edit_fields(desk.store, paper, parse_assignments(["code=https://github.com/a/b"]))
    desk.export()
    assert "github.com/a/b" in desk.read()
    edit_fields(desk.store, paper, parse_assignments(["code="]))
    desk.export()
    desk.undo(3)
    assert desk.read() == readme


def test_an_item_with_another_indentation_returns_with_its_blank_lines(new_desk: NewDesk) -> None:
    readme = """# List

## A

- [One Paper of Mine](https://arxiv.org/abs/2401.00001)

 - [Two Papers of Mine](https://arxiv.org/abs/2401.00002)
 Words below it.

---

## B

- [Three Papers of Mine](https://arxiv.org/abs/2401.00003)

- [Four Papers of Mine](https://arxiv.org/abs/2401.00004)

---
"""
    desk = new_desk(readme)
    desk.import_readme()
    move_papers(desk.store, [desk.id("2401.00002")], ("B",))
    desk.export()
    assert desk.read().index("2401.00002") > desk.read().index("2401.00004")
    desk.undo()
    assert desk.read() == readme


def test_a_row_marked_after_it_was_moved_returns_with_its_mark(desk: Desk) -> None:
    desk.write(README.replace("| ✅ ✅ ✅ |", "| ✅ ✅ ✅ | extra |"))
    desk.import_readme()
    before = desk.read()
    move_papers(desk.store, [desk.id(PAGED)], ("Speculation",))
    mark_pass(desk.store, [desk.id(DRAFT)], 3)
    desk.export()
    mark_pass(desk.store, [desk.id(CHUNKED)], 1)
    move_papers(desk.store, [desk.id(PAGED)], ("Serving",))
    desk.export()
    assert desk.read() == before.replace("[8] | | ✅ ✅ |", "[8] | | ✅ ✅ ✅ |").replace(
        "][3] | |", "][3] | ✅ |"
    )


def test_a_row_written_by_hand_meanwhile_is_not_written_again(new_desk: NewDesk) -> None:
    desk, _ = odd(new_desk)
    remove_papers(desk.store, [desk.id("2401.00003")])
    desk.export()
    desk.replace("* **Second**", "* [Third](https://arxiv.org/abs/2401.00003), again\n* **Second**")
    edited = desk.read()
    desk.store.undo()
    assert not desk.export().has_changes
    assert desk.read() == edited
    desk.import_readme()
    assert not desk.export().has_changes


def test_a_number_of_a_definition_given_away_meanwhile_is_not_taken_back(
    new_desk: NewDesk,
) -> None:
    desk, _ = odd(new_desk)
    remove_papers(desk.store, [desk.id("2207.10003")])
    desk.export()
    desk.replace("[16]: https", "[11]: https://example.org/other\n[16]: https")
    desk.undo()
    assert "[11]: https://example.org/other\n" in desk.read()
    assert desk.read().count("\n[11]: ") == 1
    assert "[<u>Orca-like Batching</u>]" in desk.read()
    assert not desk.export().has_changes


def test_a_section_that_is_gone_gets_no_row_back(new_desk: NewDesk) -> None:
    desk, _ = odd(new_desk)
    remove_papers(desk.store, [desk.id("2402.00004")])
    desk.export()
    desk.replace("## Counted Too\n", "## Something Else\n")
    edited = desk.read()
    desk.store.undo()
    assert not desk.export().has_changes
    assert desk.read() == edited


def test_a_discarded_paper_s_row_waits_for_nothing(new_desk: NewDesk) -> None:
    desk, readme = odd(new_desk)
    remove_papers(desk.store, [desk.id(ORCA)])
    desk.export()
    desk.store.undo()
    set_decision(desk.store, [desk.id(ORCA)], "discarded")
    assert not desk.export().has_changes
    desk.undo()
    assert desk.read() == readme


def test_only_a_dry_run_forgets_nothing(new_desk: NewDesk) -> None:
    desk, readme = odd(new_desk)
    remove_papers(desk.store, [desk.id(ORCA)])
    with desk.store.trial():
        desk.export()
    desk.export()
    desk.store.undo()
    with desk.store.trial():
        assert desk.export().has_changes
    desk.export()
    assert desk.read() == readme


def test_a_row_that_shows_a_picture_in_the_place_of_a_title_comes_back(new_desk: NewDesk) -> None:
    badge = '<a href="mailto:a@example.org"><img src="https://img.shields.io/badge/mail"></a>'
    readme = f"# A\n\n| Ask | Where |\n| --- | --- |\n| {badge} | here |\n"
    readme += "| [B](https://github.com/b/b) | there |\n"
    desk = new_desk(readme)
    desk.import_readme()
    (paper,) = (paper for paper in desk.papers() if paper.facts.title != "B")
    remove_papers(desk.store, [paper.id])
    assert desk.export().lines_removed == 1
    desk.undo()
    assert desk.read() == readme


def test_a_list_without_sections_gets_its_rows_back(new_desk: NewDesk) -> None:
    readme = "# A\n\n- [x] [One](https://arxiv.org/abs/2401.00001), twice\n"
    readme += "- [Two](https://arxiv.org/abs/2401.00002)\n"
    desk = new_desk(readme)
    desk.import_readme()
    add_references(desk.store, ["2401.00009"])
    remove_papers(desk.store, [desk.id("2401.00001")])
    assert desk.export().lines_removed == 1
    desk.undo()
    assert desk.read() == readme


def test_a_second_row_of_a_paper_comes_back_where_the_first_could_not_be_moved(
    new_desk: NewDesk,
) -> None:
    readme = """\
# A

## Items

- [One](https://arxiv.org/abs/2401.00001)
- [Two](https://arxiv.org/abs/2401.00002)
- again: [One](https://arxiv.org/abs/2401.00001)

## Rows

| Title | Year |
| --- | --- |
| [Three](https://arxiv.org/abs/2401.00003) | 2024 |
"""
    desk = new_desk(readme)
    desk.import_readme()
    move_papers(desk.store, [desk.id("2401.00001")], ("Rows",))
    assert desk.export().lines_removed == 1
    desk.export()
    desk.undo()
    assert desk.read() == readme
    assert not desk.export().has_changes
    assert not desk.import_readme().has_changes


OTHER = """\
# Other List

## Serving

| Title | arXiv |
| :---- | :---- |
| [Another One](https://arxiv.org/abs/2501.00001) | x |
"""


@pytest.mark.parametrize("is_other_first", [True, False])
def test_a_row_comes_back_where_it_was_and_in_no_other_list(
    new_desk: NewDesk, is_other_first: bool
) -> None:
    desk = new_desk(README)
    other = desk.readme.with_name("other.md")
    other.write_text(OTHER)
    for path in sorted((desk.readme, other), reverse=is_other_first, key=lambda one: one != other):
        import_file(desk.store, desk.library, path)
    _export_all(desk)
    remove_papers(desk.store, [desk.id(PAGED)])
    _export_all(desk)
    assert PAGED not in desk.read()
    desk.store.undo()
    _export_all(desk)
    assert (desk.read(), other.read_text()) == (README, OTHER)


def test_another_work_of_that_title_gets_its_row_in_the_first_list(new_desk: NewDesk) -> None:
    desk = new_desk(README)
    other = desk.readme.with_name("other.md")
    other.write_text(OTHER)
    for path in (desk.readme, other):
        import_file(desk.store, desk.library, path)
    remove_papers(desk.store, [desk.id("2501.00001")])
    _export_all(desk)
    add_references(desk.store, ["2502.00002"], category=("Serving",))
    desk.edit("2502.00002", "title=Another One")
    _export_all(desk)
    assert "2502.00002" in desk.read()


def _export_all(desk: Desk) -> None:
    for done in export_registered(desk.store, desk.library, "markdown"):
        assert done.error is None

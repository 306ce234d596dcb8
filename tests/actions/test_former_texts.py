"""A value that is taken back in the library leaves an entry as it was written by hand."""

from collections.abc import Callable

import pytest

from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.organise import remove_papers
from papertrack.actions.reading import mark_pass
from tests.actions.conftest import Desk
from tests.corpus import WHOLE

NewDesk = Callable[[str], Desk]

ODD = """\
# List

## Rows

| Title | Date | Paper | Code | Read |
| :---- | :--- | :---- | :--- | :--- |
| <u>[Left Open](https://arxiv.org/abs/2401.00001) | 2024 / 01 | x | [`a`](https://github.com/x/a) | unread |
| *[A **Bold** `Name`](https://arxiv.org/abs/2401.00002)* | Jan. 2024 | x | | ✅✅ (twice) |
| [H<sub>2</sub>O &amp; More][h2o] | 2024/01/03 | x | [code][h-code] | read |
| [Two Homes][5] | 2024/01/04 | x | [a][6], [b][7] | |

## Items

- **[First *of* All](https://arxiv.org/abs/2402.00001)** , 2024 - by Ada
  and ~~nobody~~ :heavy_check_mark:
- [ ] _[Second](https://arxiv.org/abs/2402.00002)_ (Feb 2024)
- [x] [Third](https://arxiv.org/abs/2402.00003)
    * GitHub: [third](https://github.com/x/third), in *Rust*
    * a thought

[h2o]: <https://arxiv.org/abs/2401.00003> 'H2O'
[h-code]: https://github.com/x/h2o
<!--Two <b>Homes</b>-->
[5]: https://arxiv.org/abs/2401.00004
[6]: https://github.com/x/six
[7]: https://github.com/x/seven
[8]: https://example.org/last
"""
# ruff: noqa: E501  # Table rows are one line each.
IDS = (
    "2401.00001",
    "2401.00002",
    "2401.00003",
    "2401.00004",
    "2402.00001",
    "2402.00002",
    "2402.00003",
)
EDITS = ("title=Another", "code=https://github.com/y/z", "code=", "submitted=2023-12-24")


def imported(new_desk: NewDesk, line_end: str = "\n") -> tuple[Desk, str]:
    desk = new_desk(readme := ODD.replace("\n", line_end))
    assert desk.import_readme().papers_new == len(IDS)
    return desk, readme


# Those left out here are taken back by the next test, all of them and step by step.
@pytest.mark.parametrize(
    ("paper", "line_end"),
    [*((one, "\n") for one in IDS[:: 1 if WHOLE else 2]), (IDS[0], "\r\n")],
)
def test_an_edit_taken_back_leaves_the_bytes(new_desk: NewDesk, paper: str, line_end: str) -> None:
    desk, readme = imported(new_desk, line_end)
    before = desk.paper(paper)
    for change in (*EDITS, "1", "2", "3"):
        if change.isdecimal():
            mark_pass(desk.store, [desk.id(paper)], int(change))
        else:
            desk.edit(paper, change)
        if desk.paper(paper) == before:
            continue
        desk.export()
        changed = desk.read()
        desk.undo()
        assert desk.read() == readme, change
        assert not desk.import_readme().has_changes, change
        desk.redo()
        assert desk.read() == changed, change
        desk.undo()
        assert desk.read() == readme, change


def test_edits_taken_back_one_by_one_go_back_step_by_step(new_desk: NewDesk) -> None:
    desk, readme = imported(new_desk)
    steps = [readme]
    for paper in IDS:
        for change in EDITS:
            before = desk.paper(paper)
            desk.edit(paper, change)
            if desk.paper(paper) != before:
                desk.export()
                steps.append(desk.read())
    assert len(set(steps)) > len(IDS) * 2
    for text in reversed(steps[:-1]):
        desk.undo()
        assert desk.read() == text


@pytest.mark.parametrize(
    ("change", "cell", "block"),
    [
        ("code=https://github.com/x/new", "![cover](c.jpg) [code](https://github.com/x/new)", True),
        ("code=https://github.com/x/b", "![cover](c.jpg) [b][2]", True),
        ("code=", "![cover](c.jpg)", False),
    ],
)
def test_links_come_and_go_beside_a_picture_with_their_block_of_definitions(
    new_desk: NewDesk, change: str, cell: str, block: bool
) -> None:
    links = "" if "new" in change else " [a][1], [b][2], [c][3]"
    comment = "<!-- Plain Title -->\n"
    desk = new_desk(
        readme := "# List\n\n| Title | Code |\n| --- | --- |\n"
        f"| Plain Title | ![cover](c.jpg){links} |\n"
        "| [Other](https://arxiv.org/abs/2401.00002) | [code](https://github.com/x/other) |\n\n"
        f"{comment}[1]: https://github.com/x/a\n[2]: https://github.com/x/b\n"
        "[3]: https://github.com/x/c\n<!-- Other -->\n[6]: https://github.com/x/six\n"
    )
    desk.import_readme()
    desk.edit("Plain Title", change)
    desk.export()
    assert f"| Plain Title | {cell} |\n" in desk.read()
    assert (comment in desk.read()) == block
    assert not desk.import_readme().has_changes
    desk.undo()
    assert desk.read() == readme


def test_a_value_set_back_by_hand_counts_as_taken_back(new_desk: NewDesk) -> None:
    desk, readme = imported(new_desk)
    was = desk.paper(IDS[1]).facts.title
    desk.edit(IDS[1], "title=Another")
    desk.export()
    desk.edit(IDS[1], f"title={was}")
    desk.export()
    assert desk.read() == readme


def test_what_was_written_by_hand_since_stays(new_desk: NewDesk) -> None:
    desk, _ = imported(new_desk)
    desk.edit(IDS[1], "title=Another")
    desk.export()
    desk.replace("✅✅ (twice)", "✅✅ (three times)")
    desk.import_readme()
    desk.edit(IDS[1], "title=A Bold Name")
    desk.export()
    assert "✅✅ (three times)" in desk.read()
    assert "Another" not in desk.read()


def test_other_changes_made_since_stay(new_desk: NewDesk) -> None:
    desk, _ = imported(new_desk)
    desk.edit(IDS[0], "title=Another")
    desk.export()
    mark_pass(desk.store, [desk.id(IDS[0])], 1)
    desk.export()
    desk.edit(IDS[0], "title=Left Open")
    desk.export()
    assert "Another" not in desk.read()
    assert desk.paper(IDS[0]).passes_done == 1
    assert not desk.import_readme().has_changes
    row = next(line for line in desk.read().splitlines() if IDS[0] in line)
    assert "unread" not in row


def test_links_of_which_one_stays_come_back_and_the_one_is_told_of_once(new_desk: NewDesk) -> None:
    readme = """\
# Projects

- [Trainer](https://github.com/x/trainer)
  - See also: [One](https://example.org/1), [Two](https://github.com/x/two), [Three](https://github.com/x/3), [Four](https://example.org/4)
- [Other](https://github.com/x/other)
"""
    desk = new_desk(readme)
    desk.import_readme()
    paper = desk.papers()[0]
    assert paper.facts.title == "Trainer"
    desk.edit(paper.citekey, "code=")
    exported = desk.export()
    assert "[One](https://example.org/1), [Four](https://example.org/4)\n" in desk.read()
    (told,) = exported.refused
    assert told.startswith("trainer (line 3): The title's own link stays")
    again = desk.export()
    assert (again.refused, again.has_changes) == ((), False)
    desk.undo()
    assert desk.read() == readme


@pytest.mark.parametrize("paper", IDS)
def test_an_entry_edited_before_it_was_removed_comes_back_as_it_was_before_both(
    new_desk: NewDesk, paper: str
) -> None:
    desk, readme = imported(new_desk)
    for title in ("Another *Odd* Title", "A Third One"):
        desk.edit(paper, f"title={title}")
        desk.export()
    edited = desk.read()
    remove_papers(desk.store, [desk.id(paper)])
    desk.export()
    desk.undo()
    assert desk.read() == edited
    desk.undo(2)
    assert desk.read() == readme


def test_an_entry_that_comes_back_edited_can_be_as_it_was_too(new_desk: NewDesk) -> None:
    desk, readme = imported(new_desk)
    desk.edit(IDS[1], "title=Another *Odd* Title")
    desk.export()
    remove_papers(desk.store, [desk.id(IDS[1])])
    desk.export()
    desk.store.undo()
    desk.edit(IDS[1], "title=A Third One")
    desk.export()
    desk.undo(2)
    assert desk.read() == readme


def test_a_retitled_entry_that_only_its_title_names_comes_back(new_desk: NewDesk) -> None:
    readme = """# List

## Notes

- [Weights That Change](weights.md): how they are sent around
- [Words That Stay](words.md): why they are kept
- [Works That Wait](works.md): when they are read
"""
    desk = new_desk(readme)
    desk.import_readme()
    paper = desk.id("Words That")
    edit_fields(desk.store, paper, parse_assignments(["title=Another *Odd* Title"]))
    desk.export()
    remove_papers(desk.store, [paper])
    desk.export()
    assert "words.md" not in desk.read()
    desk.undo(2)
    assert desk.read() == readme

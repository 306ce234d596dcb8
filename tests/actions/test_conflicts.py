"""Conflicts between README and library that are left open, or decided, lose nothing."""

import pytest

from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.organise import change_path, move_papers
from papertrack.actions.reading import mark_pass
from tests.actions.conftest import Desk

URL = "https://arxiv.org/abs/2401.00001"
LINKED = f"- Some Paper [[Paper]({URL})] [[GitHub](https://github.com/x/base)]\n"
AGAIN = f"- Some Paper [[Paper]({URL})]\n"


def test_an_open_conflict_of_a_paper_with_two_rows_can_still_be_decided(desk: Desk) -> None:
    desk.write(f"# List\n\n## One\n\n{LINKED}\n## Two\n\n{AGAIN}")
    desk.import_readme()
    paper = desk.id("2401.00001")
    edit_fields(desk.store, paper, parse_assignments(["code=https://github.com/x/library"]))
    desk.replace("github.com/x/base", "github.com/x/file")
    for _ in range(2):
        assert [found.field for found in desk.import_readme().conflicts] == ["code"]
        assert [found.field for found in desk.export().conflicts] == ["code"]
    assert not desk.import_readme(prefer="file").conflicts
    links = desk.paper("2401.00001").facts.links
    assert [link.url for link in links if link.role == "code"] == ["https://github.com/x/file"]
    assert desk.read().count("GitHub") == 1
    assert not desk.export().conflicts


def test_nothing_of_a_conflict_in_one_row_is_written_to_the_other(desk: Desk) -> None:
    desk.write(TWO)
    desk.import_readme()
    mark_pass(desk.store, [desk.id("2401.00001")], 3)
    desk.replace("| ✅ |", "| ✅ ✅ |")
    for _ in range(2):
        assert [found.field for found in desk.import_readme().conflicts] == ["passes"]
        assert not desk.export().is_written
    assert not desk.import_readme(prefer="library").conflicts
    desk.export()
    assert desk.read().count("| ✅ ✅ ✅ |") == 2


def test_of_two_rows_one_stays_when_the_paper_moves_where_there_is_no_section(desk: Desk) -> None:
    desk.write(f"# List\n\n## One\n\n{LINKED}\n## Two\n\n{AGAIN}")
    desk.import_readme()
    move_papers(desk.store, [desk.id("2401.00001")], ("Elsewhere",))
    (told,) = desk.export().refused
    assert "its row stays in Two" in told
    for _ in range(2):
        assert desk.read() == f"# List\n\n## One\n\n\n## Two\n\n{AGAIN}"
        assert not desk.import_readme().deleted
        assert not desk.export().is_written


def test_rows_whose_category_was_renamed_are_told_of_in_one_sentence(desk: Desk) -> None:
    desk.import_readme()
    change_path(desk.store, ("Serving",), ("Serving Models",))
    (told,) = desk.export().refused
    assert "3 papers are in Serving Models now" in told
    assert "their rows stay in Serving." in told
    assert not desk.export().refused
    desk.replace("## Serving", "## Serving Models")
    assert not desk.import_readme().conflicts
    assert not desk.export().has_changes


def test_an_open_conflict_in_passes_stays_open_where_marks_cannot_tell_them_all(
    desk: Desk,
) -> None:
    words = ("unread", "skimmed", "read")
    rows = [
        f"| [{w}](https://arxiv.org/abs/2401.0000{n}) | {w} |\n" for n, w in enumerate(words, 1)
    ]
    desk.write(f"# L\n\n## A\n\n| Paper | Status |\n|---|---|\n{''.join(rows)}")
    desk.import_readme()
    mark_pass(desk.store, [desk.id("2401.00001")], 3)
    desk.replace("| unread |", "| skimmed |")
    for _ in range(3):
        assert [found.field for found in desk.import_readme().conflicts] == ["passes"]
        assert [found.field for found in desk.export().conflicts] == ["passes"]
    assert desk.paper("2401.00001").passes_done == 3
    assert not desk.import_readme(prefer="library").conflicts
    assert desk.export().is_written
    assert desk.read().count("| read |") == 2
    assert not desk.import_readme().has_changes
    assert desk.paper("2401.00001").passes_done == 3


@pytest.mark.parametrize(("prefer", "names"), [("file", ["x", "y"]), ("library", ["x"])])
def test_a_decided_conflict_of_links_keeps_what_both_sides_agree_on(
    desk: Desk, prefer: str, names: list[str]
) -> None:
    desk.write(f"# List\n\n## One\n\n{LINKED}")
    desk.import_readme()
    paper = desk.id("2401.00001")
    edit_fields(desk.store, paper, parse_assignments(["code=https://github.com/x/x"]))
    both = "[[GitHub](https://github.com/x/x)] [[GitHub](https://github.com/x/y)]"
    desk.replace("[[GitHub](https://github.com/x/base)]", both)
    if prefer == "file":
        desk.import_readme(prefer="file")
    desk.export(prefer=prefer)
    for _ in range(2):
        urls = [link.url for link in desk.paper("2401.00001").facts.links if link.role == "code"]
        assert sorted(urls) == [f"https://github.com/x/{name}" for name in names]
        assert all(url in desk.read() for url in urls)
        assert desk.read().count("[[GitHub](") == len(names)
        assert not desk.import_readme().conflicts
        assert not desk.export().is_written


def test_a_new_empty_column_is_no_conflict_with_a_mark_that_waits(desk: Desk) -> None:
    row = "| [Some Paper](https://arxiv.org/abs/2401.00001) |{}\n"
    desk.write(f"# L\n\n## A\n\n| Paper |\n|---|\n{row.format('')}")
    desk.import_readme()
    mark_pass(desk.store, [desk.id("2401.00001")], 1)
    assert desk.export().refused
    desk.write(f"# L\n\n## A\n\n| Paper | Read |\n|---|---|\n{row.format('  |')}")
    assert not desk.export().conflicts
    assert "✅" in desk.read()
    assert not desk.import_readme().has_changes


TWO = """# L

## A

| Paper | Read |
|---|---|
| [Some Paper](https://arxiv.org/abs/2401.00001) | ✅ |

## B

| Paper | Read |
|---|---|
| [Some Paper](https://arxiv.org/abs/2401.00001) | ✅ |
"""


def test_a_mark_by_hand_in_one_row_of_a_paper_reaches_its_other_row(desk: Desk) -> None:
    desk.write(TWO)
    desk.import_readme()
    desk.replace("| ✅ |", "| ✅ ✅ |")
    assert not desk.import_readme().conflicts
    desk.export()
    assert desk.read() == TWO.replace("| ✅ |", "| ✅ ✅ |")
    assert not desk.import_readme().has_changes
    assert not desk.export().is_written


def test_what_was_refused_in_one_row_is_written_once_it_can_be(desk: Desk) -> None:
    without = TWO.replace(" Read |", "").replace("|---|---|", "|---|").replace(" ✅ |", "")
    second = without.split("## B")[1]
    desk.write(TWO.split("## B")[0].replace("✅", "") + "## B" + second)
    desk.import_readme()
    mark_pass(desk.store, [desk.id("2401.00001")], 1)
    assert desk.export().refused
    desk.write(desk.read().replace("✅", "✅ ✅"))
    desk.import_readme()
    desk.write(desk.read().split("## B")[0] + "## B" + TWO.split("## B")[1].replace("✅", ""))
    assert not desk.import_readme().conflicts
    desk.export()
    assert desk.read().count("✅ ✅") == 2


def test_a_column_that_was_dropped_takes_nothing_from_the_library(desk: Desk) -> None:
    row = "| [Some Paper]({}) | ✅ | 2024-01 | [GitHub](https://github.com/x/y) | NeurIPS |\n"
    head = "| Paper | Read | Date | Code | Venue |\n|---|---|---|---|---|\n"
    desk.write(f"# L\n\n## A\n\n{head}{row.format(URL)}")
    desk.import_readme()
    before = desk.paper("2401.00001")
    assert before.facts.venue == "NeurIPS"
    desk.write(f"# L\n\n## A\n\n| Paper |\n|---|\n| [Some Paper]({URL}) |\n")
    assert not desk.import_readme().conflicts
    after = desk.paper("2401.00001")
    assert (after.facts, after.passes_done) == (before.facts, 1)
    assert not desk.export().is_written
    desk.write(f"# L\n\n## A\n\n{head}{row.format(URL)}")
    assert not desk.import_readme().conflicts
    assert desk.paper("2401.00001").facts == before.facts
    assert not desk.export().is_written


def test_an_emptied_cell_of_a_column_that_stays_takes_the_link_away(desk: Desk) -> None:
    row = f"| [Some Paper]({URL}) | [GitHub](https://github.com/x/y) |"
    desk.write(f"# L\n\n## A\n\n| Paper | Code |\n|---|---|\n{row}\n")
    desk.import_readme()
    desk.replace(row, f"| [Some Paper]({URL}) |")
    desk.import_readme()
    assert not [link for link in desk.paper("2401.00001").facts.links if link.role == "code"]

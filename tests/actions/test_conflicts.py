"""Conflicts between README and library that are left open, or decided, lose nothing."""

import pytest

from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.organise import move_papers
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
    # The export wrote the library's link to the other row, so the file says both.
    urls = [link.url for link in links if link.role == "code"]
    assert urls == ["https://github.com/x/library", "https://github.com/x/file"]
    assert all(desk.read().count(url) == 1 for url in urls)


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

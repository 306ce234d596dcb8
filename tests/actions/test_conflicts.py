"""Conflicts between README and library that are left open, or decided, lose nothing."""

from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.organise import move_papers
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

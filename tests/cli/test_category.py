"""The reader's own categories: listed, made, renamed, ordered and removed by hand."""

import json
from pathlib import Path

import pytest

from tests.cli.commands import Command


def listed(papertrack: Command) -> dict[str, int]:
    ran = papertrack("category", "list", "--json")
    assert ran.code == 0, ran.err
    return {row["category"]: row["papers"] for row in json.loads(ran.out)}


@pytest.fixture
def tree(papertrack: Command, shelf: Path) -> Path:
    """The shelf, with two more categories beside the one that its papers are in."""
    papertrack("category", "add", "Systems/Training")
    papertrack("category", "add", "Survey")
    return shelf


def test_the_tree_is_listed_with_its_papers(papertrack: Command, tree: Path) -> None:
    assert listed(papertrack) == {
        "Systems": 0,
        "Systems/Serving": 3,
        "Systems/Training": 0,
        "Survey": 0,
    }
    assert papertrack("category", "list").out.splitlines()[1] == "Systems/Serving\t3"


def test_categories_and_topics_are_listed_by_their_command_alone(
    papertrack: Command, tree: Path
) -> None:
    for command in ("category", "topic"):
        assert papertrack(command) == papertrack(command, "list")
        assert papertrack(command).code == 0
    assert "topic add" in papertrack("topic").err
    assert papertrack("category", "nonsense").code == 2


def test_a_category_that_is_there_is_not_made_twice(papertrack: Command, tree: Path) -> None:
    before = listed(papertrack)
    ran = papertrack("category", "add", "Survey")
    assert (ran.code, ran.err) == (0, "Survey exists already.\n")
    assert listed(papertrack) == before


def test_what_is_in_a_category_moves_with_its_name(papertrack: Command, tree: Path) -> None:
    papertrack("topic", "add", "serving", "--query", "serving", "--category", "Systems/Serving")
    ran = papertrack("category", "rename", "Systems", "Survey/Machines", "--json")
    assert json.loads(ran.out)["topics"] == ["serving"]
    assert listed(papertrack) == {
        "Survey": 0,
        "Survey/Machines": 0,
        "Survey/Machines/Serving": 3,
        "Survey/Machines/Training": 0,
    }
    (topic,) = json.loads(papertrack("topic", "list", "--json").out)
    assert topic["category"] == "Survey/Machines/Serving"
    papertrack("undo")
    assert listed(papertrack)["Systems/Serving"] == 3
    (topic,) = json.loads(papertrack("topic", "list", "--json").out)
    assert topic["category"] == "Systems/Serving"


def test_a_renamed_heading_follows_a_renamed_category(papertrack: Command, shelf: Path) -> None:
    readme = shelf / "README.md"
    readme.write_text(
        "# Papers\n\n## Old Name\n\n"
        "| Title | Date | arXiv | Read |\n| :-- | :-- | :-- | :-- |\n"
        "| [Page Tables](https://arxiv.org/abs/2501.00001) | 2025/01 | | ✅ |\n"
    )
    papertrack("import", "README.md")
    ran = papertrack("category", "rename", "Old Name", "New Name")
    assert "Rename the heading in README.md too" in ran.err
    assert papertrack("export", "--md", "--check").code == 0
    readme.write_text(readme.read_text().replace("## Old", "## New"))
    assert papertrack("import", "README.md").code == 0
    assert papertrack("export", "--md", "--check").code == 0
    assert listed(papertrack) == {"Systems": 0, "Systems/Serving": 3, "New Name": 1}


@pytest.mark.parametrize(
    ("path", "where", "expected"),
    [
        ("Survey", ["--first"], "Survey Systems Systems/Serving Systems/Training"),
        ("Systems", ["--last"], "Survey Systems Systems/Serving Systems/Training"),
        ("Systems", ["--after", "Survey"], "Survey Systems Systems/Serving Systems/Training"),
        (
            "Systems/Training",
            ["--before", "Systems/Serving"],
            "Systems Systems/Training Systems/Serving Survey",
        ),
        ("Survey", ["--last"], "Systems Systems/Serving Systems/Training Survey"),
    ],
)
def test_the_order_is_made_by_hand(
    papertrack: Command, tree: Path, path: str, where: list[str], expected: str
) -> None:
    assert papertrack("category", "order", path, *where).code == 0
    assert " ".join(listed(papertrack)) == expected


def test_an_empty_category_is_removed_and_comes_back(papertrack: Command, tree: Path) -> None:
    assert papertrack("category", "rm", "Survey").code == 0
    assert "Survey" not in listed(papertrack)
    papertrack("undo")
    assert "Survey" in listed(papertrack)


REFUSED = [
    (("rm", "Systems/Serving"), 5, "has 3 papers"),
    (("rm", "Systems"), 5, "has 2 categories"),
    (("rm", "Survay"), 3, "Did you mean Survey?"),
    (("rename", "Survey", "Systems"), 5, "There is a category Systems already"),
    (("rename", "Systems", "Systems/Old"), 5, "into itself"),
    (("rename", "Survey", "a//b"), 2, "is not a category"),
    (("add", "zero\u200bwidth"), 2, "invisible"),
    (("order", "Survey"), 2, "--before PATH"),
    (("order", "Survey", "--first", "--last"), 2, "one of"),
    (("order", "Survey", "--before", "Systems/Serving"), 2, "not in the same category"),
    (("order", "Survey", "--after", "Survey"), 2, "not in the same category"),
]


def test_what_cannot_be_done_is_said_and_changes_nothing(papertrack: Command, tree: Path) -> None:
    for arguments, code, words in REFUSED:
        before = listed(papertrack)
        ran = papertrack("category", *arguments)
        assert ran.code == code, arguments
        assert words in ran.err, arguments
        assert listed(papertrack) == before, arguments


def test_a_category_that_a_topic_fills_is_not_removed(papertrack: Command, tree: Path) -> None:
    papertrack("topic", "add", "surveys", "--query", "survey", "--category", "Survey")
    ran = papertrack("category", "rm", "Survey")
    assert ran.code == 5
    assert "papertrack topic edit surveys --category" in ran.err
    assert "Survey" in listed(papertrack)


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", "New"),
        ("rename", "Survey", "Surveys"),
        ("order", "Survey", "--first"),
        ("rm", "Survey"),
    ],
)
def test_a_dry_run_leaves_the_tree_as_it_is(
    papertrack: Command, tree: Path, arguments: tuple[str, ...]
) -> None:
    before = list(listed(papertrack))
    ran = papertrack("category", *arguments, "--dry-run")
    assert ran.code == 0
    assert ran.err.startswith("Dry run, nothing changed: ")
    assert list(listed(papertrack)) == before


def test_a_new_category_without_a_heading_is_told_once(papertrack: Command, shelf: Path) -> None:
    told = "no README has such a heading yet"
    assert told not in papertrack("add", "2501.00002", "--category", "Before Any README").err
    (shelf / "README.md").write_text(
        "# Papers\n\n## Old\n\n- [P](https://arxiv.org/abs/2501.00001)\n"
    )
    papertrack("import", "README.md")
    assert told not in papertrack("add", "2501.00003", "--category", "Old").err
    assert f"Quite New is new: {told}" in papertrack("add", "2501.00004", "-c", "Quite New").err
    assert told not in papertrack("add", "2501.00005", "--category", "Quite New").err


def test_a_heading_within_another_is_named_when_it_was_meant(
    papertrack: Command, shelf: Path
) -> None:
    (shelf / "README.md").write_text(
        "# Papers\n\n## Old\n\n### Deep Ones\n\n- [P](https://arxiv.org/abs/2501.00001)\n"
    )
    papertrack("import", "README.md")
    told = papertrack("add", "2501.00004", "-c", "deep ones").err
    assert "Did you mean Old/Deep Ones?" in told
    assert "`papertrack move REF --category 'Old/Deep Ones'`" in told


def test_a_paper_in_no_category_is_told_to_get_no_row(papertrack: Command, shelf: Path) -> None:
    told = "gets no row in a README"
    assert told not in papertrack("add", "2501.00002", "--offline").err
    (shelf / "README.md").write_text("A list.\n\n- [P](https://arxiv.org/abs/2501.00001)\n")
    papertrack("import", "README.md")
    assert told in papertrack("add", "2501.00003", "--offline").err
    assert told not in papertrack("add", "2501.00003", "--offline").err
    assert told not in papertrack("add", "2501.00004", "--offline", "--inbox").err


def keys(papertrack: Command) -> list[str]:
    return [line.split("\t")[2] for line in papertrack("list", "--all").out.splitlines()]


def categories(papertrack: Command, citekey: str) -> list[str]:
    found: list[str] = json.loads(papertrack("show", citekey, "--json").out)["categories"]
    return found


def test_edit_puts_several_papers_into_a_category_and_takes_them_out(
    papertrack: Command, tree: Path
) -> None:
    first, second, third = keys(papertrack)
    ran = papertrack("edit", first, second, "category+=Survey", "rating=4")
    assert "set category, rating." in ran.err
    assert categories(papertrack, second) == ["Survey", "Systems/Serving"]
    assert listed(papertrack)["Survey"] == 2
    papertrack("edit", first, "category-=Systems/Serving")
    assert categories(papertrack, first) == ["Survey"]
    papertrack("edit", third, "category=Systems/Training")
    assert categories(papertrack, third) == ["Systems/Training"]
    for _ in range(3):
        papertrack("undo")
    assert listed(papertrack)["Systems/Serving"] == 3
    assert listed(papertrack)["Survey"] == 0


def test_a_category_that_no_paper_is_in_is_not_taken_from_it(
    papertrack: Command, tree: Path
) -> None:
    first = keys(papertrack)[0]
    ran = papertrack("edit", first, "category-=Survey")
    assert (ran.code, ran.err) == (3, "papertrack: The paper is not in the category Survey.\n")
    assert categories(papertrack, first) == ["Systems/Serving"]


def test_a_group_of_commands_alone_shows_its_help(papertrack: Command, tree: Path) -> None:
    ran = papertrack("pdf")
    assert ran.code == 2
    assert "papertrack pdf get 2309.06180\n" in ran.err

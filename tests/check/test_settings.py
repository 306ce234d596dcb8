"""What a reader sets about a README acts on what is read from it and written to it."""

import json
from pathlib import Path

import pytest

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.settings import check_setting
from papertrack.errors import UsageError
from tests.cli.commands import Command

HEAD = "# Reading\n\n## Serving\n\n"
ROWS = """\
| Title | Date | Status | Seen |
| :---- | :--- | :----- | :--- |
| [Attention](https://arxiv.org/abs/1706.03762) | 2017/06 | ✅ | |
| [PagedAttention](https://arxiv.org/abs/2309.06180) | 2023/09 | | |
| [DistServe](https://arxiv.org/abs/2401.09670) | 2024/01 | | |
"""


@pytest.fixture
def readme(papertrack: Command, home: Path) -> Path:
    """A README that a library feeds."""
    papertrack("init")
    path = home / "README.md"
    path.write_text(HEAD + ROWS, encoding="utf-8")
    papertrack("import", "README.md")
    return path


def lines_of(path: Path, word: str) -> str:
    (line,) = [line for line in path.read_text("utf-8").splitlines() if word in line]
    return line


def test_a_mark_that_is_set_is_written_and_read_back(papertrack: Command, readme: Path) -> None:
    assert papertrack("documents", "README.md", "--set", "mark=✔️", "--set", "separator=").code == 0
    papertrack("pass", "2309.06180", "2")
    assert papertrack("export", "--md").code == 0
    assert "| ✔️✔️ |" in lines_of(readme, "PagedAttention")
    assert "| ✅ |" in lines_of(readme, "Attention](https://arxiv.org/abs/1706")
    assert "nothing to do" in papertrack("import", "README.md").err
    assert papertrack("documents", "README.md", "--unset", "mark", "--unset", "separator").code == 0
    papertrack("pass", "2401.09670", "1")
    papertrack("export", "--md")
    assert "| ✅ |" in lines_of(readme, "DistServe")


def test_another_column_can_be_the_one_for_reading_marks(papertrack: Command, readme: Path) -> None:
    assert papertrack("documents", "README.md", "--set", "column.Seen=passes").code == 0
    assert json.loads(papertrack("show", "1706.03762", "--json").out)["passes_done"] == 0
    papertrack("pass", "2309.06180", "1")
    assert papertrack("export", "--md").code == 0
    assert lines_of(readme, "PagedAttention").endswith("| 2023/09 | | ✅ |")


def test_a_mark_that_is_said_to_mean_nothing_leaves_no_pass(
    papertrack: Command, readme: Path
) -> None:
    assert papertrack("documents", "README.md", "--set", "mark.✅=0").code == 0
    assert json.loads(papertrack("show", "1706.03762", "--json").out)["passes_done"] == 0
    papertrack("undo")
    papertrack("undo")
    assert json.loads(papertrack("show", "1706.03762", "--json").out)["passes_done"] == 1
    assert "nothing to do" in papertrack("import", "README.md").err


def test_checks_that_mean_something_else_are_no_passes(papertrack: Command, home: Path) -> None:
    papertrack("init")
    path = home / "README.md"
    path.write_text("## Serving\n\n- [DistServe](https://arxiv.org/abs/2401.09670) ✅\n", "utf-8")
    papertrack("import", "README.md")
    assert json.loads(papertrack("show", "2401.09670", "--json").out)["passes_done"] == 1
    papertrack("undo")
    papertrack("import", "README.md")
    before = path.read_bytes()
    assert papertrack("documents", "README.md", "--set", "checks=ignored").code == 0
    papertrack("pass", "2401.09670", "2")
    papertrack("export", "--md")
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("order", "added", "place"),
    [
        ("ascending", "2501.01005", -1),
        ("descending", "2501.01005", 0),
        ("none", "1910.02054", -1),
        (None, "2501.01005", -1),
    ],
)
def test_new_rows_are_sorted_as_set(
    papertrack: Command, readme: Path, order: str | None, added: str, place: int
) -> None:
    if order:
        assert papertrack("documents", "README.md", "--set", f"order={order}").code == 0
    papertrack("add", added, "--category", "Serving")
    papertrack("edit", added, "title=FlashInfer")
    assert papertrack("export", "--md").code == 0
    rows = readme.read_text("utf-8").splitlines()[6:]
    assert "FlashInfer" in rows[place]


def test_dates_and_ratings_are_written_as_set(papertrack: Command, home: Path) -> None:
    papertrack("init")
    path = home / "README.md"
    path.write_text(HEAD + ROWS.replace("Seen", "Rating"), encoding="utf-8")
    papertrack("import", "README.md")
    arguments = ("--set", "date-format=%b %Y", "--set", "rating=★")
    assert papertrack("documents", "README.md", *arguments).code == 0
    papertrack("add", "2501.01005", "--category", "Serving")
    papertrack("edit", "2501.01005", "title=FlashInfer", "rating=3")
    papertrack("export", "--md")
    assert "| Jan 2025 | | ★★★ |" in lines_of(path, "FlashInfer")


def test_constant_numbers_stay_so_when_set(papertrack: Command, home: Path) -> None:
    papertrack("init")
    path = home / "README.md"
    items = [f"{n}. [Paper {n}](https://arxiv.org/abs/230{n}.00001)\n" for n in (1, 2)]
    path.write_text("## Serving\n\n" + "".join(items), encoding="utf-8")
    papertrack("import", "README.md")
    papertrack("documents", "README.md", "--set", "numbering=constant")
    papertrack("add", "2212.00001", "--category", "Serving")
    papertrack("edit", "2212.00001", "title=Paper 0")
    papertrack("export", "--md")
    assert path.read_text("utf-8").count("2. ") == 1


def test_settings_are_shown_undone_and_only_tried(papertrack: Command, readme: Path) -> None:
    def settings() -> object:
        return json.loads(papertrack("documents", "README.md", "--json").out)["settings"]

    papertrack("documents", "README.md", "--set", "order=none", "--dry-run")
    assert settings() == {}
    papertrack("documents", "README.md", "--set", "order=none")
    assert settings() == {"order": "none"}
    assert "set by you     order=none" in papertrack("documents", "README.md").out
    again = papertrack("documents", "README.md", "--set", "order=none")
    assert "nothing to do" in again.err
    papertrack("undo")
    assert settings() == {}


def test_what_was_learnt_is_shown_in_words_without_a_library(
    papertrack: Command, home: Path
) -> None:
    (home / "README.md").write_text(HEAD + ROWS, encoding="utf-8")
    out = papertrack("documents", "README.md").out
    assert "reading marks  ✅, and ✅ ✅ ✅ for three passes\n" in out
    assert "sorted         ascending in 1 section\n" in out
    assert "table          Title (title), Date (date), Status (passes), Seen (other)\n" in out


def test_a_setting_without_effect_is_refused(papertrack: Command, readme: Path) -> None:
    for setting, told in (
        ("colour=red", "Choose from entry, entry.HEADING, title, "),
        ("order=sideways", "ascending or descending or none"),
        ("mark=x", "is not a valid mark"),
        ("mark=✅|", "is not a valid mark"),
        ("separator=, ", "is not a valid separator"),
        ("rating=9", "is not a valid rating"),
        ("date-format=%H:%M", "is not a valid date-format"),
        ("date-format=about %Y", "is not a valid date-format"),
        ("column.Nowhere=passes", "Choose from Title, Date, Status, Seen."),
        ("column.Seen=colour", "not something that a column can contain"),
        ("order", "write KEY=VALUE"),
    ):
        ran = papertrack("documents", "README.md", "--set", setting)
        assert ran.code == 2, setting
        assert told in ran.err


def test_settings_need_a_document(papertrack: Command, readme: Path) -> None:
    (readme.parent / "other.md").write_text(ROWS, encoding="utf-8")
    assert papertrack("documents", "other.md", "--set", "order=none").code == 3
    assert papertrack("documents", "--set", "order=none").code == 2
    assert papertrack("documents", "README.md", "--unset", "order").code == 2


def test_marks_that_are_words_or_boxes_have_no_sign_to_set() -> None:
    document = parse_document("- [ ] [A](https://arxiv.org/abs/2309.06180)\n")
    with pytest.raises(UsageError, match="boxes to tick"):
        check_setting(document, "mark", "✔")

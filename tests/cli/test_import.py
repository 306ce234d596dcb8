import json
import sqlite3
from contextlib import closing
from pathlib import Path

import click
import pytest

from tests.cli.commands import Command

README = """\
# Reading

## Serving

| Title | Date | arXiv | Read |
| :---- | :--- | :---- | :--- |
| [PagedAttention](https://arxiv.org/abs/2309.06180) | 2023/09 | x | ✅ |
| [DistServe](https://arxiv.org/abs/2401.09670) | 2024/01 | x | |

See [my page](https://example.org) for more.
"""


def test_a_readme_is_imported_once(papertrack: Command, home: Path) -> None:
    papertrack("init")
    (home / "README.md").write_text(README, encoding="utf-8")
    first = json.loads(papertrack("import", "README.md", "--json").out)
    assert {key: first[key] for key in ("papers_new", "papers_changed", "entries")} == {
        "papers_new": 2,
        "papers_changed": 0,
        "entries": 2,
    }
    again = papertrack("import", "README.md")
    assert again.code == 0
    assert "nothing to do" in again.err
    second = json.loads(papertrack("import", "README.md", "--json").out)
    assert (second["papers_new"], second["papers_unchanged"]) == (0, 2)


def test_what_was_not_understood_is_listed_with_its_line(papertrack: Command, home: Path) -> None:
    papertrack("init")
    (home / "README.md").write_text(README, encoding="utf-8")
    assert "README.md:10: " in papertrack("import", "README.md").err
    report = json.loads(papertrack("import", "README.md", "--json").out)
    (piece,) = report["skipped"]
    assert (piece["file"], piece["line"]) == ("README.md", 10)
    assert "my page" in piece["text"]
    assert piece["reason"]


def test_a_dry_run_imports_nothing(papertrack: Command, home: Path) -> None:
    papertrack("init")
    (home / "README.md").write_text(README, encoding="utf-8")
    report = json.loads(papertrack("import", "README.md", "--dry-run", "--json").out)
    assert report["papers_new"] == 2
    assert papertrack("list").out == ""


def test_a_change_on_both_sides_is_a_conflict_until_decided(
    papertrack: Command, home: Path
) -> None:
    papertrack("init")
    path = home / "README.md"
    path.write_text(README, encoding="utf-8")
    papertrack("import", "README.md")
    papertrack("pass", "2309.06180", "3")
    path.write_text(README.replace("| ✅ |", "| ✅ ✅ |"), encoding="utf-8")
    ran = papertrack("import", "README.md", "--json")
    assert ran.code == 5
    (conflict,) = json.loads(ran.out)["conflicts"]
    assert (conflict["field"], conflict["line"]) == ("passes", 7)
    assert (conflict["base"], conflict["file_value"], conflict["library_value"]) == (1, 2, 3)
    shown = papertrack("import", "README.md")
    assert "README.md:7: conflict in passes" in shown.err
    assert papertrack("import", "README.md", "--prefer", "file").code == 0
    assert json.loads(papertrack("show", "2309.06180", "--json").out)["passes_done"] == 2
    assert papertrack("import", "README.md").code == 0


def test_a_conflict_can_be_decided_when_asked(papertrack: Command, home: Path) -> None:
    papertrack("init")
    path = home / "README.md"
    path.write_text(README, encoding="utf-8")
    papertrack("import", "README.md")
    papertrack("pass", "2309.06180", "3")
    path.write_text(README.replace("| ✅ |", "| ✅ ✅ |"), encoding="utf-8")
    assert papertrack("import", "README.md", "--interactive", stdin="leave\n").code == 5
    assert papertrack("import", "README.md", "--interactive", stdin="library\n").code == 0
    assert json.loads(papertrack("show", "2309.06180", "--json").out)["passes_done"] == 3
    assert papertrack("import", "README.md", "-i", "--prefer", "file").code == 2


def test_nobody_waits_while_the_reader_thinks(
    papertrack: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question is asked outside of any transaction; what changed since is a new question."""
    papertrack("init")
    path = home / "README.md"
    path.write_text(README, encoding="utf-8")
    papertrack("import", "README.md")
    papertrack("pass", "2309.06180", "3")
    path.write_text(README.replace("| ✅ |", "| ✅ ✅ |"), encoding="utf-8")
    asked = []

    def think(text: str, **options: object) -> str:
        asked.append(text)
        with closing(sqlite3.connect(home / "data" / "papertrack.db", timeout=0)) as other:
            other.execute("BEGIN IMMEDIATE")
        if len(asked) == 1:
            path.write_text(README.replace("| ✅ |", "| |"), encoding="utf-8")
        return "file"

    monkeypatch.setattr(click, "prompt", think)
    ran = papertrack("import", "README.md", "-i")
    assert (ran.code, len(asked)) == (5, 1)
    assert "conflict in passes" in ran.err.splitlines()[-3]
    assert json.loads(papertrack("show", "2309.06180", "--json").out)["passes_done"] == 3
    assert papertrack("export", "--md", "-i").code == 0
    assert len(asked) == 2
    assert papertrack("import", "README.md", "-i").code == 0
    assert json.loads(papertrack("show", "2309.06180", "--json").out)["passes_done"] == 0


def test_readings_that_the_file_takes_back_are_told(papertrack: Command, home: Path) -> None:
    papertrack("init")
    path = home / "README.md"
    path.write_text(README, encoding="utf-8")
    papertrack("import", "README.md")
    papertrack("pass", "2309.06180", "2", "--minutes", "40", "--takeaway", "Pages, as in an OS.")
    papertrack("export", "--md")
    path.write_text(README, encoding="utf-8")
    assert papertrack("import", "README.md").code == 5
    ran = papertrack("import", "README.md", "--prefer", "file", "--json", "--dry-run")
    assert json.loads(ran.out)["taken_back"] == [
        {
            "file": "README.md",
            "citekey": "pagedattention2023",
            "pass": 2,
            "at": "2026-03-01T09:30:00+00:00",
            "minutes": 40,
            "version": None,
            "takeaway": "Pages, as in an OS.",
        }
    ]
    ran = papertrack("import", "README.md", "--prefer", "file")
    assert (
        "pass 2 (done 2026-03-01, 40 minutes, 'Pages, as in an OS.') is no longer marked" in ran.err
    )
    papertrack("undo")
    shown = json.loads(papertrack("show", "2309.06180", "--json").out)
    assert shown["readings"][-1]["takeaway"] == "Pages, as in an OS."


def test_a_readme_from_stdin_adds_its_papers_and_is_no_document(
    papertrack: Command, home: Path
) -> None:
    papertrack("init")
    ran = papertrack("import", "-", stdin=README)
    assert (ran.code, ran.err.splitlines()[-1]) == (
        0,
        "-: 2 new papers, 0 changed, 0 unchanged in 2 entries.",
    )
    assert json.loads(papertrack("documents", "--json").out) == []
    again = papertrack("import", "-", "--json", stdin=README)
    assert json.loads(again.out)["papers_new"] == 0
    assert papertrack("import", "-", stdin="\0").code == 1
    assert papertrack("export", "--md", "-").code == 3


def test_the_demo_is_a_library_to_play_with(papertrack: Command, home: Path) -> None:
    ran = papertrack("demo", "play")
    assert ran.code == 0
    assert "32 papers" in ran.err
    assert (home / "play" / "notes" / "zero.md").is_file()
    papers = json.loads(papertrack("--library", "play", "list", "--json").out)
    by_id = {paper["arxiv_id"]: paper for paper in papers}
    assert [sum(p["passes_done"] == n for p in papers) for n in range(4)] == [14, 9, 6, 3]
    shared = [p["arxiv_id"] for p in papers if p["notes"] == ["notes/speculative-decoding.md"]]
    assert sorted(shared) == ["2211.17192", "2302.01318", "2401.10774"]
    assert len([link for link in by_id["1910.02054"]["links"] if link["role"] == "code"]) == 2
    assert by_id["2506.03887"]["title"].startswith("Pre3:")
    for arxiv_id, paper in by_id.items():
        assert paper["submitted"] == f"20{arxiv_id[:2]}-{arxiv_id[2:4]}"
    # The categories are the README's sections in its order, also the empty one.
    found = json.loads(papertrack("--library", "play", "stats", "--json").out)["by_category"]
    readme = (home / "play" / "README.md").read_text(encoding="utf-8").splitlines()
    headings = [line.removeprefix("## 🔧 ") for line in readme if line.startswith("## ")]
    assert [row["category"] for row in found] == headings
    assert len(headings) == 11
    assert [row["category"] for row in found if not row["papers"]] == ["Fault Tolerance"]
    again = papertrack("demo", "play")
    assert again.code == 1
    assert "not empty" in again.err


def test_a_conflict_of_categories_is_told_in_words(papertrack: Command, home: Path) -> None:
    rows = "| Title | Link |\n|--|--|\n"
    row = "| [A](https://arxiv.org/abs/2309.06180) | x |\n"
    other = "| [B](https://arxiv.org/abs/2401.09670) | x |\n"
    text = f"## CPU/GPU\n\n{rows}{row}{other}\n## Two\n\n{rows}"
    papertrack("init")
    path = home / "README.md"
    path.write_text(text, encoding="utf-8")
    papertrack("import", "README.md")
    papertrack("move", "2309.06180", "-c", "Three", "--from", "CPU\\/GPU")
    path.write_text(text.replace(row, "") + row, encoding="utf-8")
    ran = papertrack("import", "README.md")
    assert ran.code == 5
    assert "the file says “Two”, the library says “Three”; it was “CPU\\/GPU”" in ran.err


def test_what_json_prints_as_a_category_is_what_commands_take(
    papertrack: Command, home: Path
) -> None:
    text = "## CPU/GPU\n\n- [A](https://arxiv.org/abs/2309.06180)\n"
    (home / "README.md").write_text(text, encoding="utf-8")
    papertrack("init")
    papertrack("import", "README.md")
    (paper,) = json.loads(papertrack("list", "--json").out)
    (category,) = paper["categories"]
    assert papertrack("add", "2401.09670", "-c", category, "--offline").code == 0
    papertrack("edit", "2401.09670", "title=Another Title")
    assert papertrack("export", "--md").code == 0
    added = (home / "README.md").read_text(encoding="utf-8").removeprefix(text)
    assert "2401.09670" in added
    found = json.loads(papertrack("list", f"category:{category}", "--json").out)
    assert len(found) == 2
    (row,) = json.loads(papertrack("category", "list", "--json").out)
    assert row["category"] == category


def test_a_long_list_of_papers_that_left_a_file_is_told_in_a_line(
    papertrack: Command, home: Path
) -> None:
    papertrack("init")
    row = "| [Paper {0}](https://arxiv.org/abs/2401.{0:05}) | ✅ |"
    head = ["# L", "", "| Title | Read |", "|---|---|"]
    rows = [row.format(number) for number in range(1, 31)]
    readme = home / "README.md"
    readme.write_text("\n".join([*head, *rows, ""]))
    papertrack("import", "README.md")
    readme.write_text("\n".join([*head, *rows[12:], ""]))

    gone = papertrack("import", "README.md").err
    readme.write_text("\n".join([*head, *rows[14:], ""]))
    two = papertrack("import", "README.md").err

    assert "12 papers (" in gone
    assert " and 9 more" in gone
    assert "papertrack -v import" in gone
    assert len(gone.splitlines()) == 2
    assert " are no longer in README.md." in two
    assert "more" not in two

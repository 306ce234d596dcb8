"""``papertrack check`` as a curator runs it before a commit."""

import json
from pathlib import Path

import pytest

from tests.cli.commands import Command

README = """\
# Reading

| Title | arXiv | Notes |
| :---- | :---- | :---- |
| [Attention](https://arxiv.org/abs/1706.03762) | x | [note](notes/attention.md) |
| [PagedAttention](https://arxiv.org/abs/2309.06180) | x | |
"""
TWICE = README + "| [PagedAttention](https://arxiv.org/abs/2309.06180) | x | |\n"


@pytest.fixture
def readme(home: Path) -> Path:
    """A README with its note, in a folder without a library."""
    (home / "notes").mkdir()
    (home / "notes" / "attention.md").write_text("# Attention\n", encoding="utf-8")
    path = home / "README.md"
    path.write_text(README, encoding="utf-8")
    return path


def test_a_file_is_checked_without_a_library(process: Command, readme: Path) -> None:
    before = sorted(readme.parent.rglob("*"))
    ran = process("check", "README.md")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "Nothing is wrong in 2 entries of 1 file.\n"
    assert sorted(readme.parent.rglob("*")) == before


def test_findings_are_shown_with_file_and_line(papertrack: Command, readme: Path) -> None:
    readme.write_text(TWICE, encoding="utf-8")
    ran = papertrack("check", "README.md")
    assert ran.code == 5
    assert ran.out.startswith("README.md:7: duplicate: “PagedAttention” is in line 6 already")
    assert ran.err == "1 finding in 3 entries of 1 file.\n"


def test_findings_come_as_json(papertrack: Command, readme: Path) -> None:
    readme.write_text(TWICE, encoding="utf-8")
    ran = papertrack("check", "README.md", "--json")
    told = json.loads(ran.out)
    assert ran.code == 5
    assert told["files"] == ["README.md"]
    assert [sorted(finding) for finding in told["findings"]] == [
        ["about", "file", "kind", "level", "line", "message", "other_line"]
    ]
    assert told["findings"][0]["line"] == 7
    assert told["findings"][0]["other_line"] == 6
    assert told["findings"][0]["about"] == "arxiv:2309.06180"
    assert told["findings"][0]["level"] == "error"
    readme.write_text(README, encoding="utf-8")
    assert json.loads(papertrack("check", "README.md", "--json").out)["findings"] == []


def test_a_note_that_is_not_there_is_found_beside_the_readme(
    papertrack: Command, readme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(readme.parent.parent)
    assert papertrack("check", readme).code == 0
    (readme.parent / "notes" / "attention.md").unlink()
    ran = papertrack("check", readme)
    assert ran.code == 5
    assert "README.md:5: missing-note: There is no file notes/attention.md." in ran.out


def test_a_kind_that_is_on_purpose_can_be_left_out(papertrack: Command, readme: Path) -> None:
    readme.write_text(TWICE, encoding="utf-8")
    assert papertrack("check", "README.md", "--ignore", "duplicate").code == 0
    assert papertrack("check", "README.md", "--ignore", "date").code == 5
    wrong = papertrack("check", "README.md", "--ignore", "duplicates")
    assert wrong.code == 2
    assert "Choose from duplicate, " in wrong.err


def test_without_a_file_all_registered_readmes_are_checked(
    papertrack: Command, readme: Path
) -> None:
    assert papertrack("check").code == 3
    papertrack("init")
    assert papertrack("check").err == "No file was checked.\n"
    papertrack("import", "README.md")
    (readme.parent / "other.md").write_text(TWICE, encoding="utf-8")
    assert papertrack("check").code == 0
    readme.write_text(TWICE, encoding="utf-8")
    assert papertrack("check").code == 5


def test_a_file_that_cannot_be_read_keeps_no_other_out(papertrack: Command, readme: Path) -> None:
    readme.write_text(TWICE, encoding="utf-8")
    ran = papertrack("check", "gone.md", "README.md")
    assert ran.code == 3
    assert "README.md:7: duplicate" in ran.out
    assert "There is no file gone.md" in ran.err


def test_what_a_readme_says_steers_no_terminal(papertrack: Command, readme: Path) -> None:
    title = "Evil \x1b]0;owned\x07\u202e Attention Mechanisms in Practice"
    row = f"| [{title}](https://arxiv.org/abs/2401.09670) | x | |\n"
    readme.write_text(README + row + row, encoding="utf-8")
    out = papertrack("check", "README.md").out
    assert out.count("\n") == 1
    assert not {"\x1b", "\x07", "\u202e"} & set(out)

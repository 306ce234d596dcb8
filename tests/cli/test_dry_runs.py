"""What a dry run says is what the run would do: its later parts see what its earlier ones did."""

import json
from pathlib import Path

from tests.cli.commands import Command

ONE, TWO, THREE = (f"https://arxiv.org/abs/2401.0000{number}" for number in (1, 2, 3))


def lists(home: Path, mark: str = "") -> None:
    (home / "A.md").write_text(f"# A\n\n## S\n\n- {mark}[One]({ONE})\n- [Two]({TWO})\n")
    (home / "B.md").write_text(f"# B\n\n## S\n\n- [One]({ONE})\n- [Three]({THREE})\n")


def test_a_paper_that_two_files_share_is_new_once(papertrack: Command, home: Path) -> None:
    papertrack("init")
    lists(home)
    tried = json.loads(papertrack("import", "A.md", "B.md", "-n", "--json").out)
    done = json.loads(papertrack("import", "A.md", "B.md", "--json").out)
    assert tried == done | {"dry_run": True}
    assert done["papers_new"] == 3


def test_a_dry_sync_writes_what_its_import_took(papertrack: Command, home: Path) -> None:
    papertrack("init")
    lists(home)
    papertrack("import", "A.md", "B.md")
    text = (home / "A.md").read_text()
    (home / "A.md").write_text(text.replace("- [", "- [ ] [").replace("[ ] [One", "[x] [One"))
    text = (home / "B.md").read_text().replace("- [", "- [ ] [")
    (home / "B.md").write_text(text)
    shown = papertrack("sync", "--diff")
    assert f"+- [x] [One]({ONE})\n" in shown.out
    assert (home / "B.md").read_text() == text
    papertrack("sync")
    assert f"- [x] [One]({ONE})\n" in (home / "B.md").read_text()


def test_a_dry_run_shows_the_state_after_it(papertrack: Command, home: Path) -> None:
    papertrack("init")
    lists(home)
    papertrack("import", "A.md")
    tried = json.loads(papertrack("tag", "2401.00001", "+moe", "-n", "--json").out)
    assert (tried["tags_before"], tried["tags"]) == ([], ["moe"])
    assert "Reading 1 of" in papertrack("queue", "2401.00001", "-n").err
    assert json.loads(papertrack("show", "2401.00001", "--json").out)["tags"] == []
    assert "Reading 1 of" not in papertrack("queue").err

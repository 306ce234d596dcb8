"""Folders, repositories and settings of strangers, whatever stands in place of a file."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.commands import Command

LIST = "# P\n\n- [A Title of Words](https://arxiv.org/abs/2001.00001)\n"


def git(*arguments: str) -> str:
    named = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    return subprocess.run(
        ["git", *named, *arguments], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_a_comparison_runs_no_program_that_a_repository_names(
    papertrack: Command, home: Path
) -> None:
    """What a partial clone lacks git fetches unasked, from an address that may be a command."""
    folder = home / "stranger"
    folder.mkdir()
    os.chdir(folder)
    git("init", "-q", "-b", "main", ".")
    Path("README.md").write_text(LIST)
    git("add", ".")
    git("commit", "-q", "-m", "one")
    git("checkout", "-q", "-b", "work")
    Path("README.md").write_text(LIST + "- [Other Words](https://arxiv.org/abs/2001.00002)\n")
    git("commit", "-q", "-a", "-m", "two")
    missing = git("rev-parse", "main:README.md")
    Path(f".git/objects/{missing[:2]}/{missing[2:]}").unlink()
    for key, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.url": f"ext::sh -c touch% {home}/owned",
        "remote.origin.promisor": "true",
        "protocol.ext.allow": "always",
    }.items():
        git("config", key, value)
    ran = papertrack("check", "--base", "main", "README.md")
    assert ran.code == 1
    assert "git cat-file" in ran.err
    assert not (home / "owned").exists()


DEEP = ["a = " + "[" * 5_000, "a = " + "{b=" * 5_000, ".".join("a" * 5_000) + " = 1"]
ODD = [*DEEP, "a = " + "1" * 5_000, "a = 1\nb", "[arxiv]\ntimeout = 'x'", "[share]\nprivate = 'x'"]


@pytest.mark.parametrize("odd", ODD)
def test_no_settings_file_is_an_internal_error(papertrack: Command, shelf: Path, odd: str) -> None:
    (shelf / "papertrack.toml").write_text(odd)
    for run in (("list",), ("rekey", "--dry-run"), ("config", "--trust"), ("config",)):
        ran = papertrack(*run)
        assert "internal error" not in ran.err, run
    assert ran.code == 2
    assert "papertrack.toml" in ran.err


@pytest.mark.parametrize("target", ["/dev/zero", "papertrack.toml", "pipe"])
def test_settings_that_are_no_file_are_refused(
    papertrack: Command, shelf: Path, target: str
) -> None:
    path = shelf / "papertrack.toml"
    path.unlink()
    if target == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(target)
    for run in (("list",), ("config",), ("rekey", "--dry-run")):
        ran = papertrack("--library", shelf, *run)
        assert "internal error" not in ran.err, run
        assert ran.code in (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("publication", 3), ("publication", {"evidence": "title"}), ("authors", [1])),
        *(("links", "x"), ("title", {"a": 1}), ("__class__", "x"), ("year", "x")),
    ],
)
def test_no_suggestion_in_a_file_is_anything_else_than_its_field(
    papertrack: Command, shelf: Path, field: str, value: object
) -> None:
    papertrack("export", "--json", "-o", "papers.json")
    told = json.loads(Path("papers.json").read_text())
    paper = told[0]
    others = {"source": "x", "at": "2026-01-01T00:00:00+00:00", "state": "open"}
    paper["suggestions"] = [{"field": field, "value": value, **others}]
    Path("papers.json").write_text(json.dumps(told))
    papertrack("init", "other")
    papertrack("--library", "other", "import", "papers.json")
    key = paper["citekey"]
    for run in (("suggestions",), ("show", key), ("check",), ("export", "--json", "-o", "-")):
        assert "internal error" not in papertrack("--library", "other", *run).err, run

"""What ``sync --git`` merges itself, and what it leaves to the user."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from papertrack.actions.lists.git import _refuse_special_files
from papertrack.actions.share import repository
from papertrack.cli.app import run
from papertrack.errors import PapertrackError
from tests.share.clones import PAPER, do, exchange, git, paper, push, record, shown

Captured = pytest.CaptureFixture[str]


def test_a_list_that_one_side_deleted_is_left_to_the_user(desktop: Path, laptop: Path) -> None:
    before = (laptop / "README.md").read_text().count("\n")
    git(desktop, "rm", "-q", "README.md")
    push(desktop)
    do(laptop, "pass", PAPER, "3")
    assert do(laptop, "sync", "--git") == 1
    assert (laptop / "README.md").read_text().count("\n") == before


@pytest.mark.parametrize(
    ("name", "error"),
    [("merge_record_files", KeyboardInterrupt), ("write_file", PapertrackError)],
)
def test_a_merge_that_ends_early_is_taken_back(
    desktop: Path,
    laptop: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    error: type[BaseException],
) -> None:
    for folder, tag in ((desktop, "+a"), (laptop, "+b")):
        do(folder, "tag", PAPER, tag)
    assert do(desktop, "sync", "--git") == 0

    def stop(*_: object, **__: object) -> None:
        raise error("stopped")

    with monkeypatch.context() as patched:
        patched.setattr(repository, name, stop)
        assert do(laptop, "sync", "--git") != 0
    assert do(laptop, "sync", "--git") == 0


def test_what_was_removed_stays_removed_over_several_bases(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    for folder, tag, branch in ((desktop, "+aa", "one"), (laptop, "+bb", "two")):
        do(folder, "tag", PAPER, tag)
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", tag)
        git(folder, "push", "-q", "origin", f"HEAD:{branch}")
    for folder, branch in ((desktop, "two"), (laptop, "one")):
        git(folder, "fetch", "-q")
        git(folder, "merge", "-q", "--no-edit", f"origin/{branch}")
        do(folder, "list")
        assert {"aa", "bb"} <= {*paper(folder, capfd)["tags"]}
    do(desktop, "tag", PAPER, "-aa", "-bb")
    push(desktop)
    do(laptop, "pass", PAPER, "3")
    assert do(laptop, "sync", "--git") == 0
    assert not {"aa", "bb"} & {*paper(laptop, capfd)["tags"]}


def test_a_record_that_both_repaired_has_what_both_wrote(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    text = record(desktop).read_text()
    record(desktop).write_text("title = 5 5\n" + text)
    push(desktop)
    do(laptop, "sync", "--git")
    record(desktop).write_text(text.replace("citekey", 'tags = ["theirs"]\ncitekey', 1))
    push(desktop)
    reading = "[readings.1a676e5b8c]\npass = 3\n\n[sources]"
    record(laptop).write_text(text.replace("[sources]", reading, 1))
    assert do(laptop, "sync", "--git") == 0
    merged = paper(laptop, capfd)
    assert ("theirs" in merged["tags"], merged["passes_done"]) == (True, 3)


def test_the_last_topic_stays_removed_where_another_is_added(desktop: Path, laptop: Path) -> None:
    alpha = ("alpha", "--query", "title:alpha", "--arxiv", "cs.LG")
    assert do(desktop, "topic", "add", *alpha) == 0
    assert do(desktop, "sync", "--git") == do(laptop, "sync", "--git") == 0
    do(laptop, "topic", "add", "beta", "--query", "title:beta", "--arxiv", "cs.LG")
    do(desktop, "topic", "edit", "alpha", "--remove")
    assert do(desktop, "sync", "--git") == do(laptop, "sync", "--git") == 0
    topics = (laptop / "topics.toml").read_text()
    assert ("alpha" in topics, "beta" in topics) == (False, True)


def test_a_topic_that_both_edited_is_a_conflict_until_somebody_edits_it(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    do(desktop, "topic", "add", "moe", "--query", "title:moe", "--arxiv", "cs.LG")
    exchange(desktop, laptop)
    for folder, query in ((desktop, "title:a"), (laptop, "title:b")):
        do(folder, "topic", "edit", "moe", "--query", query)
    exchange(desktop, laptop)
    do(laptop, "topic", "edit", "moe", "--arxiv", "cs.CL")
    exchange(laptop, desktop)
    for folder in (desktop, laptop):
        told = shown(folder, capfd, "share", "status")["contradictions"]
        fields = [("topics.moe.query", ["title:a", "title:b"])]
        assert [(one["field"], one["values"]) for one in told] == fields
    do(desktop, "topic", "edit", "moe", "--query", "title:a")
    exchange(desktop, laptop)
    assert do(laptop, "share", "status") == 0


def test_a_file_of_another_program_is_no_table_of_ours(tmp_path: Path, own_state: object) -> None:
    """A library in a folder of a repository, whose own ``watch.toml`` is something else."""
    hub, one, two = tmp_path / "hub.git", tmp_path / "one", tmp_path / "two"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(hub))
    one.mkdir()
    git(one, "init", "-q", "-b", "main")
    git(one, "remote", "add", "origin", str(hub))
    (one / "watch.toml").write_text("# Of another program.\n[job]\nevery = 1\n")
    push(one)
    assert do(one / "lib", "demo", str(one / "lib")) == 0
    assert do(one / "lib", "share", "on", "--private", "nothing") == 0
    assert do(one / "lib", "sync", "--git") == 0
    git(tmp_path, "clone", "-q", str(hub), "two")
    do(two / "lib", "trust", str(two / "lib"))
    assert do(two / "lib", "share", "on", "--private", "nothing") == 0
    (one / "watch.toml").write_text("# Of another program.\n[job]\nevery = 2\n")
    push(one)
    (two / "watch.toml").write_text("# Of another program, mine.\n[job]\nevery = 3\n")
    git(two, "commit", "-qam", "mine")
    assert do(two / "lib", "sync", "--git") == 1
    assert "mine" in (two / "watch.toml").read_text()


def test_a_socket_among_gits_files_keeps_nothing_waiting(
    desktop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """git's file watcher has one there."""
    _refuse_special_files.cache_clear()
    monkeypatch.chdir(desktop / ".git")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("fsmonitor--daemon.ipc")
        assert do(desktop, "sync", "--git") == 0


def test_folders_of_references_may_be_deep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "README.md").write_text("# L\n\n- [One](https://arxiv.org/abs/2401.00001)\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "one")
    dig = "import os\nos.chdir('.git/refs')\nfor _ in range(1500): os.mkdir('a'); os.chdir('a')"
    subprocess.run([sys.executable, "-c", dig], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    run(["check", "--base", "main", "README.md"])
    assert "internal" not in capfd.readouterr().err
    subprocess.run(["rm", "-rf", str(tmp_path / ".git")], check=True)
    shutil.rmtree(tmp_path / ".git", ignore_errors=True)


def test_a_day_that_no_calendar_has_is_named_and_left_alone(desktop: Path, capfd: Captured) -> None:
    text = record(desktop).read_text()
    lines = [line for line in text.splitlines() if not line.startswith("submitted")]
    record(desktop).write_text("\n".join(['submitted = "2022-02-30"', *lines, ""]))
    assert do(desktop, "list") == 0
    assert "submitted: Value error, day is out of range" in capfd.readouterr().err
    (desktop / "watch.toml").write_text('[days]\n\n"cs.LG" = "2026-02-30"\n')
    assert do(desktop, "list") == 0
    assert "watch.toml: days.cs.LG: Value error, day is out of range" in capfd.readouterr().err


@pytest.mark.parametrize("time", ["20260101T000000", "0001-01-01T00:00:00+14:00", "2026-W01-1"])
def test_a_time_in_another_form_is_named_and_left_alone(
    desktop: Path, capfd: Captured, time: str
) -> None:
    text = re.sub(
        r'added = "\d{4}-\d\d-\d\d[^"]*"', f'added = "{time}"', record(desktop).read_text()
    )
    record(desktop).write_text(text)
    assert do(desktop, "export", "--site", "site") == 0
    assert "added: " in capfd.readouterr().err
    assert record(desktop).read_text() == text

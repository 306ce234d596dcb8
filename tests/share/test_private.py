"""What stays on the device where it was noted: in no log, in no commit, and lost to nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.share.test_git import words
from tests.share.test_share import (
    PAPER,
    desktop,
    do,
    exchange,
    git,
    laptop,
    logs,
    own_state,
    shown,
)

__all__ = ["desktop", "laptop", "own_state"]

KINDS = "takeaways, minutes, notes, discards"


@pytest.fixture
def private(desktop: Path) -> Path:
    assert do(desktop, "config", "share.private", KINDS) == 0
    return desktop


def paper_in(folder: Path, capfd: pytest.CaptureFixture[str]) -> dict[str, Any]:
    paper = shown(folder, capfd, "show", PAPER)
    assert isinstance(paper, dict)
    return paper


def said(folder: Path) -> str:
    return "".join(log.read_text() for log in logs(folder))


def test_what_is_private_is_in_no_log_and_stays_here_whatever_others_do(
    private: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(private, "pass", PAPER, "1", "--minutes", "77", "--takeaway", "not for others")
    before = paper_in(private, capfd)
    exchange(private, laptop)
    do(laptop, "pass", PAPER, "3", "--takeaway", "theirs")
    do(laptop, "edit", PAPER, "venue=V")
    exchange(private, laptop)

    here, there = paper_in(private, capfd), paper_in(laptop, capfd)
    assert all(one in here["readings"] for one in before["readings"])
    assert "not for others" in [one["takeaway"] for one in here["readings"]]
    assert there["passes_done"] == here["passes_done"] == 3
    assert "not for others" not in said(private)
    assert '"minutes": 77' not in said(private)
    assert do(private, "share", "check") == do(laptop, "share", "check") == 0


def test_a_pass_that_another_device_undoes_and_does_again_keeps_what_is_private(
    private: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(private, "pass", PAPER, "2", "--takeaway", "mine alone")
    exchange(private, laptop)
    do(laptop, "tag", PAPER, "+moe")
    exchange(private, laptop)
    do(private, "undo")
    do(private, "redo")
    assert [one["takeaway"] for one in paper_in(private, capfd)["readings"]][-1] == "mine alone"
    assert do(private, "share", "check") == 0


def test_a_private_discard_leaves_the_paper_where_it_was_for_others(
    private: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    was = paper_in(laptop, capfd)["decision"]
    do(private, "discard", PAPER, "--reason", "dull")
    do(private, "tag", PAPER, "+seen")
    exchange(private, laptop)
    do(laptop, "pass", PAPER, "3")
    exchange(private, laptop)
    here, there = paper_in(private, capfd), paper_in(laptop, capfd)
    assert (here["decision"], here["decision_reason"]) == ("discarded", "dull")
    assert (there["decision"], there["tags"]) == (was, ["seen"])
    assert "dull" not in said(private)
    do(private, "save", PAPER)
    exchange(private, laptop)
    assert paper_in(laptop, capfd)["decision"] == "saved"


def test_what_was_told_before_stays_told(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(desktop, "pass", PAPER, "1", "--takeaway", "for all")
    do(desktop, "config", "share.private", "takeaways")
    do(desktop, "pass", PAPER, "2", "--takeaway", "for me")
    exchange(desktop, laptop)
    told = [one["takeaway"] for one in paper_in(laptop, capfd)["readings"]]
    assert ("for all" in told, "for me" in told) == (True, False)
    assert do(desktop, "share", "check") == 0


def test_private_notes_are_neither_told_nor_committed(private: Path) -> None:
    (private / "notes").mkdir(exist_ok=True)
    (private / "notes" / "mine.md").write_text("# Mine\n")
    assert do(private, "share", "on") == 0
    assert "notes/" in (private / ".gitignore").read_text().split()
    assert do(private, "trust", str(private)) == 0
    git(private, "rm", "-rq", "--cached", "--ignore-unmatch", "notes")
    git(private, "commit", "-q", "--allow-empty", "-am", "No notes")
    assert do(private, "sync", "--git") == 0
    assert "notes/mine.md" not in words(private, "ls-files")


def test_a_kind_that_there_is_none_of_is_refused_by_its_name(
    desktop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert do(desktop, "config", "share.private", "thoughts") == 2
    assert "share.private" in capfd.readouterr().err

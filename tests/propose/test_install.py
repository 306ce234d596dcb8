"""``papertrack propose --install-github``: the form, the workflow, and what it never does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.check.test_pull_requests import git
from tests.cli.commands import Command
from tests.propose.test_command import README

FORM = Path(".github/ISSUE_TEMPLATE/papertrack-propose.yml")
WORKFLOW = Path(".github/workflows/papertrack-propose.yml")


@pytest.fixture
def repository(home: Path) -> Path:
    git(home, "init")
    (home / "README.md").write_text(README, encoding="utf-8")
    return home


def install(papertrack: Command, *more: str) -> tuple[int, str]:
    ran = papertrack(
        "propose", "README.md", "--install-github", "--package", "papertrack-cli", *more
    )
    return ran.code, ran.err


def test_form_and_workflow_are_written_once_and_never_over_others(
    papertrack: Command, repository: Path
) -> None:
    assert install(papertrack, "--dry-run")[0] == 0
    assert not (repository / FORM).exists()
    assert install(papertrack)[0] == 0
    form = (repository / FORM).read_text(encoding="utf-8")
    assert '      options:\n        - "I do not know"\n        - "Serving"\n' in form
    assert "0 files written" in install(papertrack)[1]
    (repository / FORM).write_text("mine", encoding="utf-8")
    code, told = install(papertrack)
    assert (code, "was not written by papertrack" in told) == (2, True)


def test_no_word_of_a_stranger_is_in_a_script_and_what_reads_it_may_not_write(
    papertrack: Command, repository: Path
) -> None:
    install(papertrack)
    text = (repository / WORKFLOW).read_text(encoding="utf-8")
    scripts = [part.split("\n      - ")[0] for part in text.split("run: ")[1:]]
    assert len(scripts) == 3
    assert not [script for script in scripts if "${{" in script.partition("working-dir")[0]]
    read, _, write = text.partition("  write:\n")
    assert "contents: read" in read
    assert not re.search(r": write\b", read)
    assert "papertrack propose" not in write.replace("papertrack-propose", "")
    assert "event.issue.body" not in write

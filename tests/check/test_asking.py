"""``--interactive`` on a terminal: each conflict and each deleted entry is a question."""

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.commands import Command

README = """\
# Reading

## Serving

| Title | arXiv | Read |
| :---- | :---- | :--- |
| [PagedAttention](https://arxiv.org/abs/2309.06180) | x | |
| [DistServe](https://arxiv.org/abs/2401.09670) | x | |
| [FlashInfer](https://arxiv.org/abs/2501.01005) | x | |
"""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are POSIX's")


def answer(*arguments: str, answers: list[tuple[str, str]]) -> tuple[int, str]:
    """Run a command on a terminal, answer each question it ends a line with; code and screen."""
    import pty

    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "papertrack", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    screen, seen, waiting = "", 0, list(answers)
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        if not select.select([ours], [], [], 1)[0]:
            continue
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux says so when the other end is closed.
            break
        if not piece:
            break
        screen += piece.decode()
        if waiting and waiting[0][0] in screen[seen:] and screen.endswith(": "):
            seen = len(screen)
            os.write(ours, waiting.pop(0)[1].encode() + b"\n")
    os.close(ours)
    code = running.wait(timeout=600)
    assert not waiting, screen
    return code, screen


@pytest.fixture
def readme(papertrack: Command, home: Path) -> Path:
    papertrack("init")
    path = home / "README.md"
    path.write_text(README, encoding="utf-8")
    papertrack("import", "README.md")
    return path


def without(text: str, *words: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not any(word in line for word in words))


def decision(papertrack: Command, reference: str) -> str:
    return str(json.loads(papertrack("show", reference, "--json").out)["decision"])


@pytest.mark.parametrize("command", ["import", "sync"])
def test_each_deleted_entry_is_asked_about(papertrack: Command, readme: Path, command: str) -> None:
    readme.write_text(without(README, "PagedA", "DistS", "FlashI"), encoding="utf-8")
    questions = ("pagedattention", "discard"), ("distserve", "put-back"), ("flashinfer", "")
    code, screen = answer(command, "README.md", "--interactive", answers=list(questions))
    assert code == 0, screen
    assert decision(papertrack, "2309.06180") == "discarded"
    assert decision(papertrack, "2401.09670") == decision(papertrack, "2501.01005") == "saved"
    papertrack("export", "--md")
    text = readme.read_text("utf-8")
    assert [name in text for name in ("PagedA", "DistServe", "FlashI")] == [False, True, False]


def test_each_conflict_of_a_sync_is_asked_about(papertrack: Command, readme: Path) -> None:
    papertrack("pass", "2309.06180", "2")
    papertrack("pass", "2401.09670", "2")
    marked = README.replace("| x | |\n", "| x | ✅ |\n", 2)
    readme.write_text(marked, encoding="utf-8")
    questions = [("pagedattention", "file"), ("distserve", "library")]
    code, screen = answer("sync", "--interactive", answers=questions)
    assert code == 0, screen
    passes = [
        json.loads(papertrack("show", reference, "--json").out)["passes_done"]
        for reference in ("2309.06180", "2401.09670")
    ]
    assert passes == [1, 2]
    assert [line.count("✅") for line in readme.read_text("utf-8").splitlines()[6:8]] == [1, 2]


def test_what_is_said_beforehand_is_not_asked(papertrack: Command, readme: Path) -> None:
    readme.write_text(without(README, "PagedA"), encoding="utf-8")
    code, _ = answer("sync", "-i", "--on-deleted", "put-back", answers=[])
    assert code == 0
    assert readme.read_text("utf-8").count("PagedAttention") == 1


def test_a_question_that_is_not_answered_changes_nothing(papertrack: Command, readme: Path) -> None:
    text = without(README, "PagedA")
    readme.write_text(text, encoding="utf-8")
    code, screen = answer("sync", "-i", answers=[("pagedattention", "\x04")])
    assert code == 130, screen
    assert readme.read_text("utf-8") == text
    assert papertrack("log").out.count("\n") == 1

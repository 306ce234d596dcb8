"""A morning: 42 new papers, four wanted, in under 60 keys."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from papertrack.library import Library
from papertrack.store.lookup import get_paper
from papertrack.store.store import Store

from .conftest import Open

Fill = Callable[..., list[int]]

MORNING = [
    *("j", "j", "s"),  # the third paper is wanted
    *("x", *"old news", "enter"),
    *("j", "j", "s", "s"),
    *("j", "x", *"overview", "enter"),
    *("s", "u", "s"),  # one too fast, taken back, and then wanted after all
    *("k", "1", "t", *"fast", "enter"),
    *("D", "y"),
]
DIALOGS = {"x": "Discard, because", "1": "first pass of", "D": "Discard the rest"}
"""Keys that open a window, and what is written on it."""
VERDICTS = {
    at: 1 if key == "s" else -1
    for at, key in enumerate(MORNING)
    if key in ("s", "u") and MORNING[at - 1] in ("j", "s", "u", "enter")
}
"""Which keys save a paper, or take that back; other letters are text."""
WANTED, BECAUSE = (2, 6, 7, 10), {3: "old news", 9: "overview"}


def assert_morning_is_done(store: Store, ids: list[int]) -> None:
    papers = [get_paper(store, paper_id) for paper_id in ids]
    assert [n for n, paper in enumerate(papers) if paper.decision == "saved"] == list(WANTED)
    reasons = {n: p.decision_reason for n, p in enumerate(papers) if p.decision_reason}
    assert reasons == BECAUSE
    assert sum(paper.decision == "discarded" for paper in papers) == 38
    takeaways = {n: [r.takeaway for r in p.readings] for n, p in enumerate(papers) if p.readings}
    assert takeaways == {10: ["fast"]}


def test_the_morning_takes_under_60_keys() -> None:
    assert len(MORNING) < 60


async def test_a_morning_in_keys(open_tui: Open, fill: Fill) -> None:
    ids = fill(42)
    async with open_tui() as tui:
        await tui.press(*("space" if key == " " else key for key in MORNING))
        assert_morning_is_done(tui.store, ids)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_a_morning_in_a_real_terminal(library: Library, fill: Fill, store: Store) -> None:
    ids = fill(42)
    socket = f"papertrack-test-{os.getpid()}"
    command = [sys.executable, "-m", "papertrack", "--library", str(library.root)]

    def tmux(*arguments: str) -> str:
        run = ["tmux", "-L", socket, "-f", "/dev/null", *arguments]
        return subprocess.run(run, check=True, capture_output=True, text=True).stdout

    def wait_for(text: str, *, is_there: bool = True) -> None:
        for _ in range(600):
            if (text in tmux("capture-pane", "-p")) is is_there:
                return
            time.sleep(0.05)
        raise AssertionError(f"{text!r} is not on the screen:\n{tmux('capture-pane', '-p')}")

    tmux("new-session", "-d", "-x", "112", "-y", "30", shlex.join(command))
    try:
        wait_for("Inbox 42")
        saved = 0
        for at, key in enumerate(MORNING):
            tmux("send-keys", "-l", key) if len(key) == 1 else tmux("send-keys", "Enter")
            if at in VERDICTS:
                saved += VERDICTS[at]
                wait_for(f"First {saved} ")
            elif key in DIALOGS:
                wait_for(DIALOGS[key])
            elif key in ("enter", "y"):
                for title in DIALOGS.values():
                    wait_for(title, is_there=False)
        wait_for("Inbox 0")
        tmux("send-keys", "q")
        for _ in range(200):
            if subprocess.run(
                ["tmux", "-L", socket, "has-session"], capture_output=True
            ).returncode:
                break
            time.sleep(0.05)
        assert_morning_is_done(store, ids)
    finally:
        subprocess.run(["tmux", "-L", socket, "kill-server"], capture_output=True)


async def test_the_help_of_the_statistics_names_its_keys(open_tui: Open) -> None:
    async with open_tui() as tui:
        await tui.press("w", "question_mark")
        assert "All keys of this screen" in tui.text()

"""A morning: 42 new papers, four wanted, in under 60 keys."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable

import pytest

from papertrack.library import Library
from papertrack.store.lookup import get_paper
from papertrack.store.store import Store

from .conftest import Open
from .terminal import terminal

Fill = Callable[..., list[int]]

MORNING = [
    *("j", "j", "s"),  # the third paper is wanted
    *("x", *"old news", "enter"),
    *("j", "j", "s", "s"),
    *("j", "x", *"overview", "enter"),
    *("s", "u", "s"),  # one too fast, taken back, and then wanted after all
    *("k", "1", "t", *"fast", "enter", "enter"),  # the second one leaves the minutes empty
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


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_a_morning_in_a_real_terminal(library: Library, fill: Fill, store: Store) -> None:
    ids = fill(42)
    with terminal(papertrack_in(library), 112, 30) as shown:
        shown.wait_for("Inbox 42")
        saved = discarded = 0
        opened = ""
        for at, key in enumerate(MORNING):
            shown.press("Enter" if key == "enter" else key)
            if at in VERDICTS:
                saved += VERDICTS[at]
                shown.wait_for(f"First {saved} ")
            elif key in DIALOGS:
                opened = key
                shown.wait_for(DIALOGS[key])
            elif key in ("enter", "y") and MORNING[at + 1 : at + 2] != ["enter"]:
                for title in DIALOGS.values():
                    shown.wait_for(title, is_there=False)
                discarded += opened == "x" and key == "enter"
            if key != "y":
                # What was decided is done, and the next paper is the one that keys are about.
                shown.wait_for(f"Inbox {len(ids) - saved - discarded}")
        shown.wait_for("Inbox 0")
        shown.press("q")
        shown.wait_for_end()
        assert_morning_is_done(store, ids)


def papertrack_in(library: Library) -> list[str]:
    return [sys.executable, "-m", "papertrack", "--library", str(library.root)]


async def test_the_help_of_the_statistics_names_its_keys(open_tui: Open) -> None:
    async with open_tui() as tui:
        await tui.press("w", "question_mark")
        assert "All keys of this screen" in tui.text()

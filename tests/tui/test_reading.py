"""The abstract of the paper under the cursor is read whole, by one key, at every size."""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Callable
from functools import cache
from textwrap import wrap

import pytest

from papertrack.library import Library
from papertrack.store.lookup import get_paper
from papertrack.store.papers import add_paper
from papertrack.store.store import Store
from papertrack.store.watch.ranks import Rank, keep_ranks
from papertrack.store.watch.topics import add_topic, attach_topic

from .conftest import Open, facts_of
from .terminal import Terminal, terminal

Fill = Callable[..., list[int]]

WORDS = (
    "schedule gradient token latency bound estimator sampler routing tensor reward policy index "
    "schema corpus benchmark proof lattice spectrum voxel anchor residual kernel horizon prior"
).split()
# Lines of abstracts at 78 columns, as those of sixty announcements in a row were.
LINES = (
    *(17, 13, 22, 18, 19, 24, 11, 20, 16, 18, 21, 15, 19, 23, 17, 12, 20, 18, 14, 25),
    *(16, 19, 21, 18, 17, 20, 13, 22, 19, 15, 18, 24, 10, 20, 17, 19, 16, 21, 18, 14),
    *(23, 19, 17, 20, 15, 18, 22, 12, 19, 16, 21, 17, 24, 18, 13, 20, 19, 16, 18, 21),
)
SAVED = frozenset({3, 17, 28, 44, 59})
MOST_KEYS = 80
GOES_ON = "↓"


@cache
def abstract_of(number: int) -> str:
    """An invented abstract of so many lines; its first and last words are nobody else's."""
    choose = random.Random(number).choice
    text = f"Begin{number}"
    # A line is at least 66 characters long, for no word is longer than ten.
    while len(text) < 66 * (LINES[number] - 1) or len(wrap(text, 76)) < LINES[number]:
        text += f" {choose(WORDS)}"
    return f"{text.rpartition(' ')[0]} end{number}."


def title_of(number: int) -> str:
    choose = random.Random(-number - 1).choice
    length = 12 if number % 5 < 3 else 7
    return " ".join([f"T{number}", *(choose(WORDS) for _ in range(length))])


@pytest.fixture
def ids(store: Store) -> list[int]:
    """A morning's papers."""
    with store.action("morning"):
        facts = [
            facts_of(number, title=title_of(number), abstract=abstract_of(number))
            for number in range(len(LINES))
        ]
        return [add_paper(store, one, source="test", decision="inbox") for one in facts]


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_sixty_abstracts_are_read_whole_and_decided_in_80_keys_in_a_real_terminal(
    library: Library, ids: list[int], store: Store
) -> None:
    command = [sys.executable, "-m", "papertrack", "--library", str(library.root)]
    with terminal(command, 80, 24) as shown:
        shown.wait_for("Inbox 60")
        shown.press("a")
        keys = 1
        for number in range(len(ids)):
            keys += read_whole(shown, number)
            shown.press("s" if number in SAVED else "d")
            keys += 1
        shown.wait_for("All decided in")
        shown.press("q")
        shown.wait_for("Inbox 0")
        shown.press("q")
        shown.wait_for_end()
    assert keys <= MOST_KEYS
    papers = [get_paper(store, paper_id) for paper_id in ids]
    assert {n for n, paper in enumerate(papers) if paper.decision == "saved"} == SAVED
    assert sum(paper.decision == "discarded" for paper in papers) == len(ids) - len(SAVED)


def read_whole(shown: Terminal, number: int) -> int:
    """Look at an abstract from its first word to its last; return how many keys that took."""
    begin, end = f"Begin{number} ", f"end{number}."
    abstract = abstract_of(number)

    def is_drawn(text: str) -> bool:
        # A page may be half of this paper and half of the last one: a key sent then is too many.
        last = text.rstrip().rpartition("\n")[2]
        line = last.rstrip(f" {GOES_ON}").strip()
        goes_on = last.endswith(GOES_ON) and bool(line) and line in abstract
        return begin in text and (end in text or goes_on)

    seen = shown.wait_until(is_drawn)
    while (again := shown.wait_until(is_drawn)) != seen:
        seen = again  # It is still being drawn.
    keys = 0
    while end not in seen:
        shown.press(" ")
        keys += 1
        seen += shown.wait_for(end)
    assert set(abstract.split()) <= set(seen.split())
    return keys


@pytest.mark.parametrize("size", [(200, 50), (112, 30), (80, 24), (40, 12)])
async def test_space_alone_shows_all_of_an_abstract_and_goes_on(
    open_tui: Open, ids: list[int], size: tuple[int, int]
) -> None:
    async with open_tui(size=size) as tui:
        for number in range(3):
            seen = tui.text()
            while tui.cursor_id == ids[number]:
                seen += tui.text()
                await tui.press("space")
            assert set(abstract_of(number).split()) <= set(seen.split())


async def test_what_was_read_is_paged_back_and_by_halves(open_tui: Open, ids: list[int]) -> None:
    async with open_tui(size=(40, 12)) as tui:
        await tui.press("space")
        first = tui.text()
        await tui.press("space")
        second = tui.text()
        await tui.press("space", "backspace")
        assert tui.text() == second
        await tui.press("backspace")
        assert tui.text() == first
        await tui.press("ctrl+d")
        assert tui.text() not in (first, second)
        await tui.press("ctrl+u")
        assert tui.text() == first


@pytest.mark.parametrize("key", ["a", "escape", "q", "slash"])
async def test_the_list_comes_back(open_tui: Open, ids: list[int], key: str) -> None:
    async with open_tui(size=(80, 24)) as tui:
        before = tui.text()
        await tui.press("a")
        assert "Inbox" not in tui.text()
        await tui.press(key)
        if key == "slash":
            await tui.press("escape")
        assert tui.text() == before
        assert tui.cursor_id == ids[0]


async def test_deciding_goes_on_to_the_next_abstract(open_tui: Open, ids: list[int]) -> None:
    async with open_tui(size=(80, 24)) as tui:
        await tui.press("a", "s", "d")
        assert [tui.state(i)[0] for i in ids[:3]] == ["saved", "discarded", "inbox"]
        assert "Begin2 " in tui.text()
        assert "3 of 60 · 2 decided, about" in tui.text()


async def test_marks_are_told_where_the_abstract_has_the_room(
    open_tui: Open, ids: list[int]
) -> None:
    async with open_tui(size=(80, 24)) as tui:
        await tui.press("v", "j", "a")
        # The next verb is about another paper than the one that is read.
        assert "1 marked" in tui.text()
        await tui.press("v")
        assert "2 marked" in tui.text()
        await tui.press("escape")
        assert "marked" not in tui.text()


async def test_papers_stand_in_groups_by_rank_and_by_topic(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    first, second, third = fill(3)
    with store.action("topics"):
        for name, found in (("decoding", [first, third]), ("caches", [second])):
            topic = add_topic(store, name, name, arxiv_categories=("cs.LG",))
            for paper_id in found:
                attach_topic(store, paper_id, topic, reason=f"{name} (title)", score=1.0)
    with store.transaction():
        keep_ranks(store, [Rank(second, -1.0, (), ()), Rank(third, 2.5, ("drafts",), ())])
    async with open_tui(size=(80, 24)) as tui:
        assert tui.screen.papers.ids == [third, second, first]
        heads = [line.strip() for line in tui.text().splitlines() if "keep ·" in line]
        assert heads == ["More like what you keep · 1 paper", "Less like what you keep · 1 paper"]
        assert "Not ranked · 1 paper" in tui.text()
        assert "decoding: drafts" in tui.text()
        tui.screen.sort_by("topic")
        await tui.settle()
        assert tui.screen.papers.ids == [second, third, first]
        at = [tui.text().index(head) for head in ("caches · 1 paper", "decoding · 2 papers")]
        assert at == sorted(at)

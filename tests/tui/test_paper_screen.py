"""The screen of one paper: what it shows, and how it is read."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from textual.drivers.headless_driver import HeadlessDriver

from papertrack.actions import programs
from papertrack.library import Library
from papertrack.records import Link, Reading
from papertrack.store import listing, states
from papertrack.store.categories import put_in_category
from papertrack.store.listing import ListedPaper
from papertrack.store.lookup import get_paper
from papertrack.store.store import Store
from papertrack.tui import system
from papertrack.tui.screens import paper as paper_screen

from .conftest import Open

Fill = Callable[..., list[int]]
_PATIENCE_SECONDS = 300
_LOOK_SECONDS = 0.01


@pytest.fixture
def in_tokyo() -> Iterator[None]:
    """The reader's zone is not that of the store."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What became of the terminal, as of one that can be given to an editor."""
    seen: list[str] = []
    for name, what in (("suspend", "given away"), ("resume", "taken back")):
        monkeypatch.setattr(
            HeadlessDriver, f"{name}_application_mode", lambda _, what=what: seen.append(what)
        )
    monkeypatch.setattr(HeadlessDriver, "can_suspend", True)
    return seen


async def test_it_shows_passes_labels_links_history_and_related_papers(
    open_tui: Open, fill: Fill, store: Store, in_tokyo: None
) -> None:
    ids = fill(3, decision="saved", links=(Link("code", "https://github.com/a/b"),))
    other = fill(1, start=6)
    with store.action("read"):
        reading = Reading(1, "2026-01-05T08:14:00+00:00", 40, 1, "Overlap is the point.")
        states.record_pass(store, ids[0], reading)
        put_in_category(store, [ids[0]], ("LLM", "Serving"))
        states.add_tags(store, [ids[0]], ["moe"])
        store.connection.execute("UPDATE papers SET version = 3 WHERE id = ?", (ids[0],))
    async with open_tui(query="2601.04000", size=(120, 60)) as tui:
        await tui.press("enter")
        text = tui.text()
    for part in (
        "● first  2026-01-05 17:14 · 40 min · v1",
        "  “Overlap is the point.”",
        "v3 is out, you read v1",
        "LLM/Serving",
        "#moe",
        "https://github.com/a/b",
        "2026-01-09 17:00 read",
        get_paper(store, other[0]).citekey,
    ):
        assert part in text, part


async def test_no_key_waits_for_the_search_for_related_papers(
    open_tui: Open, fill: Fill, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = fill(8)
    may_search, find = threading.Event(), listing.related_papers

    def search(apart: Store, paper_id: int, *, limit: int) -> list[ListedPaper]:
        assert may_search.wait(_PATIENCE_SECONDS)
        return find(apart, paper_id, limit=limit)

    monkeypatch.setattr(listing, "related_papers", search)
    monkeypatch.setattr(paper_screen, "_RELATED_SECONDS", 0)
    async with open_tui(size=(120, 60)) as tui, asyncio.timeout(_PATIENCE_SECONDS):
        try:
            for key in ("enter", *"JJKK" * 5, "s", "K"):
                tui.type_ahead(key)
                await asyncio.sleep(_LOOK_SECONDS)  # So that a search may begin for each.
            while tui.app.is_busy or " 1 of 8" not in tui.text() or "★ saved" not in tui.text():
                await asyncio.sleep(_LOOK_SECONDS)
            assert "Related" not in tui.text()
        finally:
            may_search.set()
        await tui.settle()
        like_it = get_paper(store, ids[6]).citekey
        assert like_it in tui.text().partition("Related")[2]


async def test_next_and_previous_paper_read_along_the_list(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("enter", "J", "J", "K")
        assert tui.cursor_id == ids[1]
        assert " 2 of 6" in tui.text()
        await tui.press("q", "d")
        assert tui.state(ids[1]) == ("discarded", 0)


async def test_space_right_after_the_key_that_shows_a_paper_scrolls_it_and_never_skips_it(
    open_tui: Open, fill: Fill
) -> None:
    ids = fill(5, abstract="A sentence that is repeated. " * 200)
    async with open_tui(size=(80, 24)) as tui:
        for key in ("enter", "space", "J", "space", "J", "space"):
            tui.type_ahead(key)
        await tui.settle()
        text = tui.app.screen.query_one("#paper-text")
        assert (tui.cursor_id, text.scroll_y) == (ids[2], text.size.height - 1)


async def test_space_pages_to_the_end_and_then_to_the_next_paper(
    open_tui: Open, fill: Fill
) -> None:
    ids = fill(2, abstract="A sentence that is repeated. " * 200)
    async with open_tui(size=(80, 24)) as tui:
        await tui.press("enter", "space", "j", "k")
        assert tui.cursor_id == ids[0]
        for _ in range(20):
            await tui.press("space")
        assert tui.cursor_id == ids[1]


async def test_what_stands_beside_the_text_is_read_after_it(open_tui: Open, fill: Fill) -> None:
    ids = fill(2, abstract="A sentence that is repeated. " * 100)
    async with open_tui(size=(80, 24)) as tui:
        await tui.press("enter")
        text, side = (tui.app.screen.query_one(f"#paper-{part}") for part in ("text", "side"))
        assert text.max_scroll_y > 0
        assert side.max_scroll_y > 0
        for _ in range(text.max_scroll_y + side.max_scroll_y):
            tui.type_ahead("j")
        await tui.settle()
        assert (text.scroll_y, side.scroll_y) == (text.max_scroll_y, side.max_scroll_y)
        assert "History" in tui.text()
        for _ in range(side.max_scroll_y + 1):
            tui.type_ahead("k")
        await tui.settle()
        assert (text.scroll_y, side.scroll_y) == (text.max_scroll_y - 1, 0)
        await tui.press("j", "J")
        assert (tui.cursor_id, text.scroll_y) == (ids[1], 0)


async def test_math_is_readable_and_its_source_is_on_a_key(open_tui: Open, fill: Fill) -> None:
    fill(1, abstract=r"Costs $O(n^2 \log n)$ for $\alpha \le 1$.")
    async with open_tui() as tui:
        assert "Costs O(n² log n) for α ≤ 1." in tui.text()
        await tui.press("dollar_sign")
        assert r"$O(n^2 \log n)$" in tui.text()
        await tui.press("enter")
        assert r"$O(n^2 \log n)$" in tui.text()
        await tui.press("dollar_sign")
        assert "O(n² log n)" in tui.text()


async def test_links_go_to_the_browser_as_web_addresses_only(
    open_tui: Open, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(system, "open_in_browser", lambda url: opened.append(url) or True)
    fill(1, links=(Link("code", "https://github.com/a/b"),))
    fill(1, start=1, links=(Link("code", "javascript:alert(1)"),), identifiers=())
    async with open_tui() as tui:
        await tui.press("o", "O", "h", "c", "j", "c", "o", "O")
        assert opened == [
            "https://arxiv.org/abs/2601.04000",
            "https://arxiv.org/pdf/2601.04000",
            "https://arxiv.org/html/2601.04000",
            "https://github.com/a/b",
        ]
        assert tui.toasts() == [
            "The library knows no code link of this paper.",
            "The library knows no abs link of this paper.",
            "The library knows no pdf link of this paper.",
        ]


async def test_a_missing_browser_is_said_with_the_address(
    open_tui: Open, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "open_in_browser", lambda url: False)
    fill(1)
    async with open_tui() as tui:
        await tui.press("o")
        assert tui.toasts() == [
            "No browser could be started. The address: https://arxiv.org/abs/2601.04000"
        ]


@pytest.mark.parametrize(
    ("url", "is_web"),
    [
        ("https://arxiv.org/abs/1706.03762", True),
        ("http://example.org", True),
        ("javascript:alert(1)", False),
        ("file:///etc/passwd", False),
        ("https://", False),
        ("https://a/\x1b]52", False),
        ("//example.org", False),
        ("https://[", False),
    ],
)
def test_only_web_addresses_are_opened(url: str, is_web: bool) -> None:
    assert system.is_web_address(url) is is_web


async def test_the_note_is_edited_indexed_and_shown(
    open_tui: Open,
    fill: Fill,
    library: Library,
    terminal: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ids = fill(1)

    def edit(path: object, environ: object, *, is_terminal: bool) -> None:
        from pathlib import Path

        file = Path(str(path))
        text = file.read_text().replace("what type of paper is this?", "a measurement study")
        file.write_text(text + "\nIt hides the *zymurgy* well.\n")

    monkeypatch.setattr(programs, "run_editor", edit)
    async with open_tui(size=(120, 50)) as tui:
        await tui.press("enter", "e")
        assert terminal == ["given away", "taken back"]
        paper = get_paper(tui.store, ids[0])
        assert (library.root / paper.notes[0]).is_file()
        text = tui.text()
        assert "It hides the zymurgy well." in text
        assert "Category      a measurement study" in text
        await tui.press("q", "slash")
        await tui.type("zymurgy")
        assert tui.screen.papers.ids == ids


@pytest.mark.parametrize(
    ("editor", "fault"),
    [
        ("no-such-editor-here", "no-such-editor-here could not be started"),
        ("false", "false ended with code 1"),
        ("sh -c 'kill -INT $PPID $$'", "sh ended with code -2"),
        ("an 'unended quote", "cannot be started: No closing quotation"),
    ],
)
async def test_an_editor_that_fails_is_said_and_the_screen_comes_back(
    open_tui: Open, fill: Fill, terminal: list[str], editor: str, fault: str
) -> None:
    ids = fill(1)
    async with open_tui(environ={"EDITOR": editor}) as tui:
        await tui.press("e")
        assert fault in tui.toasts()[-1]
        assert terminal == ["given away", "taken back"]
        await tui.press("s")
        assert tui.state(ids[0]) == ("saved", 0)


async def test_what_is_muted_is_darker_than_the_text_on_a_dark_screen(
    open_tui: Open, fill: Callable[..., list[int]]
) -> None:
    fill()
    async with open_tui() as tui:
        drawn = {
            segment.text.strip(): segment.style.color.get_truecolor().red
            for strip in tui.app.screen._compositor.render_strips()
            for segment in strip
            if segment.style and segment.style.color
        }
        (muted,) = (red for text, red in drawn.items() if "Mei Sato" in text)
        (plain,) = (red for text, red in drawn.items() if text.startswith("We present"))
        assert muted < plain


async def test_what_ends_when_the_screen_has_lost_its_widgets_already_shows_nothing(
    open_tui: Open, fill: Fill
) -> None:
    fill(2)
    async with open_tui() as tui:
        await tui.press("enter")
        await tui.app.screen.query_children("*").remove()
        tui.app.screen.show_timer()  # type: ignore[attr-defined]
        await tui.press("q")
        assert tui.app.screen is tui.screen

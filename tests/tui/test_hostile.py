"""Text from strangers: never markup, never a command to the terminal, never a crooked column."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.cells import cell_len
from textual.events import Paste

from papertrack.records import Author, Link
from papertrack.store import states
from papertrack.store.categories import put_in_category
from papertrack.store.store import Store

from .conftest import Open

Fill = Callable[..., list[int]]

HOSTILE = {
    "markup": "[/] [b]bold[/i] [@click=app.quit]x[/] [link=file:///etc]y[/link] {BERT}",
    "escapes": "red \x1b[31m \x9b31m \x1b]52;c;aGk=\x07 \x1b]8;;http://x\x1b\\ bell\x07",
    "direction": "abc\u202edef\u2066ghi\u200b\u200f\ufeff",
    "long": "word " * 2_000,
    "unbroken": "x" * 10_000,
    "marks": "Z" + "\u0301" * 500 + " a\u0338b",
    "emoji": "👩‍👩‍👧 🏳️‍🌈 训练 大规模 模型 ｆｕｌｌ 🇨🇭",
    "tex": "{" * 500 + r"\frac\frac\hat$x^_$ $$$ \\",
    "empty": " ",
    "html": "<script>alert(1)</script> <b>x</b> &lt; | ` *",
}


WIDE = ("long", "unbroken", "marks", "emoji", "tex")
"""Those to which it matters how many columns there are."""


@pytest.mark.parametrize(
    ("size", "keys", "names"),
    [((112, 30), "enter q t escape 1 escape", (*HOSTILE,)), ((40, 12), "enter q t escape", WIDE)],
    ids=["wide", "tiny"],
)
async def test_hostile_text_is_harmless_on_every_screen(
    open_tui: Open,
    fill: Fill,
    store: Store,
    size: tuple[int, int],
    keys: str,
    names: tuple[str, ...],
) -> None:
    ids = fill_with_hostile(fill, store)
    async with open_tui(size=size) as tui:
        for name in names:
            tui.screen.papers.go_to(ids[name])
            for key in keys.split():
                await tui.press(key)
                assert_is_harmless(tui.app.screen, size, name)
        for key in ("w", "q", "S", "escape", "D", "n", "question_mark"):
            await tui.press(key)
            assert_is_harmless(tui.app.screen, size, key)


async def test_hostile_text_is_harmless_in_toasts(open_tui: Open, fill: Fill) -> None:
    fill(1)
    async with open_tui() as tui:
        for name, text in HOSTILE.items():
            tui.app.clear_notifications()
            tui.app.say(text)
            tui.screen.jump(text)
            await tui.settle()
            # Toasts are drawn some time after they are asked for.
            await tui.until(lambda: len(tui.app.screen.query("Toast")) > 0)
            await tui.settle()
            assert_is_harmless(tui.app.screen, (112, 30), name)


async def test_hostile_text_that_is_pasted_is_harmless_in_every_line(
    open_tui: Open, fill: Fill
) -> None:
    fill(2)
    mixture = "".join(HOSTILE[name] for name in ("escapes", "direction", "markup", "emoji", "tex"))
    async with open_tui(size=(80, 24)) as tui:
        for keys in ("x", "colon", "t", "slash", "1 t", "ctrl+p"):
            for text in (mixture, HOSTILE["unbroken"]):
                await tui.press(*keys.split())
                tui.app.post_message(Paste(text))
                await tui.settle()
                assert_is_harmless(tui.app.screen, (80, 24), keys)
                await tui.press("escape", *(["u"] if keys == "1 t" else []))
                assert_is_harmless(tui.app.screen, (80, 24), keys)
        await tui.press("colon")
        tui.app.post_message(Paste("2601.\x1b[31m03999\u202e"))
        await tui.press("enter")
        assert "2601.[31m03999" in tui.fault()


async def test_what_is_pasted_where_nothing_is_asked_for_is_let_go(
    open_tui: Open, fill: Fill
) -> None:
    fill(2)
    async with open_tui() as tui:
        for keys in ("escape", "D"):  # The list, which takes no text, and a question.
            await tui.press(keys)
            tui.app.post_message(Paste("2309.06180\x1b[31m"))
            await tui.settle()
        assert "undecided" in tui.question()
        await tui.press("escape", "s")
        assert tui.state(1)[0] == "saved"


async def test_columns_stay_aligned(open_tui: Open, fill: Fill) -> None:
    for n, text in enumerate(HOSTILE.values()):
        fill(1, start=2 * n, title=text)
        fill(1, start=2 * n + 1)
    async with open_tui() as tui:
        papers = tui.screen.papers
        for y in range(len(papers.ids) + 1):
            assert papers.render_line(y).cell_length == papers.size.width
            cells = [s.text for s in papers.render_line(y)]
            assert sum(map(cell_len, cells)) == papers.size.width


async def test_hostile_names_are_harmless_in_the_palette(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    ids = fill(1)
    with store.action("label"):
        states.add_tags(store, [ids[0]], [HOSTILE["markup"]])
    async with open_tui() as tui:
        await tui.press("ctrl+p")
        await tui.type("tag")
        assert_is_harmless(tui.app.screen, (112, 30), "markup")
        assert "[b]bold[/i]" in tui.text()


def fill_with_hostile(fill: Fill, store: Store) -> dict[str, int]:
    """A paper of each kind of text, by the kind's name."""
    ids = {}
    for n, (name, text) in enumerate(HOSTILE.items()):
        (ids[name],) = fill(
            1,
            start=n,
            title=text,
            abstract=text,
            comment=text,
            venue=text,
            authors=(Author(text),),
            links=(Link("code", "https://example.org/", text),),
        )
        with store.action("label"):
            # Past the cleaning at the border: what is in a library is cleaned when it is shown.
            states.add_tags(store, [ids[name]], [f"t{text}"])
            states.decide(store, ids[name], "inbox", text)
            if text.strip():
                put_in_category(store, [ids[name]], (text,))
    return ids


def assert_is_harmless(screen: object, size: tuple[int, int], name: str) -> None:
    strips = screen._compositor.render_strips()  # type: ignore[attr-defined]
    for strip in strips:
        text = "".join(segment.text for segment in strip)
        assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in text), (name, text)
        assert not any(c in text for c in "\u202e\u2066\u200b\u200f\ufeff"), repr(text)
        assert not any(s.style and (s.style.link or s.style.meta.get("@click")) for s in strip)
        assert strip.cell_length <= size[0]

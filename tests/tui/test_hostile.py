"""Text from strangers: never markup, never a command to the terminal, never a crooked column."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.cells import cell_len

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


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("size", [(112, 30), (40, 12)])
async def test_hostile_text_is_harmless_on_every_screen(
    open_tui: Open, fill: Fill, store: Store, name: str, size: tuple[int, int]
) -> None:
    text = HOSTILE[name]
    ids = fill(
        2,
        title=text,
        abstract=text,
        comment=text,
        venue=text,
        authors=(Author(text),),
        links=(Link("code", "https://example.org/", text),),
    )
    with store.action("label"):
        # Past the cleaning at the border: what is in a library is cleaned again when it is shown.
        states.add_tags(store, ids[0], [f"t{text}"])
        states.decide(store, ids[0], "inbox", text)
        if text.strip():
            put_in_category(store, ids[0], (text,))
    async with open_tui(size=size) as tui:
        for keys in (["j"], ["enter"], ["q"], ["t"], ["escape"], ["w"], ["q"], ["question_mark"]):
            await tui.press(*keys)
            assert_is_harmless(tui.app.screen, size)


@pytest.mark.parametrize("name", HOSTILE)
async def test_columns_stay_aligned(open_tui: Open, fill: Fill, name: str) -> None:
    fill(1, title=HOSTILE[name])
    fill(1, start=1)
    async with open_tui() as tui:
        papers = tui.screen.papers
        for y in range(3):
            assert papers.render_line(y).cell_length == papers.size.width
            cells = [s.text for s in papers.render_line(y)]
            assert sum(map(cell_len, cells)) == papers.size.width


async def test_hostile_names_are_harmless_in_the_palette(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    ids = fill(1)
    with store.action("label"):
        states.add_tags(store, ids[0], [HOSTILE["markup"]])
    async with open_tui() as tui:
        await tui.press("ctrl+p")
        await tui.type("tag")
        assert_is_harmless(tui.app.screen, (112, 30))
        assert "[b]bold[/i]" in tui.text()


def assert_is_harmless(screen: object, size: tuple[int, int]) -> None:
    strips = screen._compositor.render_strips()  # type: ignore[attr-defined]
    for strip in strips:
        text = "".join(segment.text for segment in strip)
        assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in text), repr(text)
        assert not any(c in text for c in "\u202e\u2066\u200b\u200f\ufeff"), repr(text)
        assert not any(s.style and (s.style.link or s.style.meta.get("@click")) for s in strip)
        assert strip.cell_length <= size[0]

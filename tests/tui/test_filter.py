"""The live filter: the one query language, open-ended at its last word."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from papertrack.store.store import Store
from papertrack.tui.filtering import complete

from .conftest import Open, Sitting

Fill = Callable[..., list[int]]


async def test_each_key_narrows_and_escape_clears(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("slash")
        await tui.type("spec")
        assert tui.screen.papers.ids == [ids[3]]
        assert "filter: spec · 1 found" in tui.text()
        await tui.press("escape")
        assert tui.screen.papers.ids == ids
        assert tui.cursor_id == ids[3]


async def test_enter_keeps_the_filter_and_gives_the_keys_back(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("slash")
        await tui.type("s")
        await tui.type("parse att")
        await tui.press("enter", "d")
        assert tui.state(ids[4]) == ("discarded", 0)
        assert sum(tui.state(i)[0] == "discarded" for i in ids) == 1


async def test_verbs_typed_into_the_filter_are_text(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("slash", "s", "d", "1", "u", "question_mark", "q", "escape")
        assert {tui.state(i) for i in ids} == {("inbox", 0)}


async def narrow(tui: Sitting, typed: str) -> None:
    """Type a filter, and keep it."""
    await tui.press("slash")
    tui.screen._filter.value = typed
    await tui.press("enter")


async def test_marks_outlive_a_filter_that_keeps_them_out_of_sight(
    open_tui: Open, fill: Fill
) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("v")
        await narrow(tui, "speculative")
        await tui.press("v")
        assert "1 marked · 1 marked but hidden" in tui.text()
        # A verb is about what the reader sees.
        await tui.press("s")
        assert [tui.state(i)[0] for i in ids[:4]] == ["inbox", "inbox", "inbox", "saved"]
        assert "1 marked but hidden" in tui.text()
        await tui.press("escape")
        assert tui.screen.papers.marked == {ids[0]}
        await tui.press("escape")
        assert not tui.screen.papers.marked


async def test_a_paper_is_merged_into_one_that_a_filter_finds(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("v")
        await narrow(tui, "speculative")
        await tui.press("M", "y")
        assert tui.screen.papers.ids == [ids[3]]
        assert "hidden" not in tui.text()
        await tui.press("escape")
        assert tui.screen.papers.ids == ids[1:]


async def test_the_query_language_works(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    async with open_tui() as tui:
        for typed, places in [
            ("author:sato NOT speculative", [0, 1, 2, 4, 5]),
            ('title:"roofline model"', [1]),
            ("2601.03998", [2]),
            ("pass:>0", []),
        ]:
            await narrow(tui, typed)
            assert tui.screen.papers.ids == [ids[place] for place in places], typed
        assert "No match for pass:>0 in Inbox." in " ".join(tui.text().split())


async def test_a_bad_query_is_explained_and_the_list_stays(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("slash")
        tui.screen._filter.value = "titel:moe"
        await tui.settle()
        assert "title" in tui.text()
        assert tui.screen._filter.has_class("-wrong")
        assert tui.screen.papers.ids == ids
        await tui.press("enter")
        assert tui.screen._filter.has_focus
        await tui.press("escape", "d")
        assert tui.state(ids[0]) == ("discarded", 0)


async def test_a_query_on_the_command_line_starts_with_all_papers(
    open_tui: Open, fill: Fill
) -> None:
    fill()
    saved = fill(1, decision="saved", start=7)
    async with open_tui(query="roofline is:saved") as tui:
        assert tui.screen.papers.ids == saved
        assert tui.screen.selection.view.name == "all"


async def test_found_words_are_shown_in_the_abstract(open_tui: Open, fill: Fill) -> None:
    fill(1)
    async with open_tui() as tui:
        await narrow(tui, "exchange")
        strips = tui.app.screen._compositor.render_strips()
        found = [
            segment.text
            for strip in strips
            for segment in strip
            if segment.style and segment.style.bold and "exchange" in segment.text
        ]
        assert "exchange" in found


async def test_a_fault_is_told_whole_and_makes_room_again(open_tui: Open, fill: Fill) -> None:
    fill()
    async with open_tui(size=(60, 24)) as tui:
        height = tui.screen.papers.size.height
        await tui.press("slash")
        await tui.type("pass:x")
        assert "pass: takes one such as" in " ".join(tui.text().split())
        await tui.press("escape")
        assert "no number" not in tui.text()
        assert tui.screen.papers.size.height == height


async def test_the_footer_names_the_keys_that_work_while_typing(open_tui: Open, fill: Fill) -> None:
    fill()
    async with open_tui() as tui:
        await tui.press("slash")
        await tui.pilot.pause()
        footer = tui.text().splitlines()[-1]
        assert "Keep" in footer
        assert "Clear" in footer
        assert "Filter" not in footer


async def test_help_stands_in_groups_and_is_searched(open_tui: Open) -> None:
    async with open_tui(size=(100, 60)) as tui:
        await tui.press("question_mark")
        names = [line.strip() for line in tui.text().splitlines()]
        assert names.index("Decide") < names.index("Read") < names.index("Find")
        await tui.press("slash", *"merge", "enter")
        assert "Merge it with" in tui.text()
        assert "Save for the next pass" not in tui.text()


NAMES = {"tag": ["moe", "mla", "kv-cache"], "category": ["LLM", "LLM/Speculative Decoding"]}


@pytest.mark.parametrize(
    ("typed", "completed", "fitting"),
    [
        ("tit", "title:", 1),
        ("ring -cat", "ring -category:", 1),
        ("tag:k", "tag:kv-cache", 1),
        ("tag:m", "tag:m", 2),
        ("tag:cache", "tag:kv-cache", 1),
        ("category:l", "category:LLM", 2),
        ("category:llm/s", 'category:"LLM/Speculative Decoding"', 1),
        ('(category:"LLM/Spec', '(category:"LLM/Speculative Decoding"', 1),
        ("is:sav", "is:saved", 1),
        ("tag:zebra", "tag:zebra", 0),
        ("nofield:x", "nofield:x", 0),
        ("", "", 0),
        ("done ", "done ", 0),
    ],
)
def test_the_last_word_of_a_filter_is_completed(typed: str, completed: str, fitting: int) -> None:
    found, fit = complete(typed, lambda field: NAMES.get(field, []))
    assert (found, len(fit)) == (completed, fitting)


async def test_tab_completes_the_filter_and_stays_in_the_view(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    ids = fill()
    with store.action("tag"):
        for tag in ("moe", "mla"):
            store.insert("tags (paper_id, tag)", (ids[0], tag))
    async with open_tui() as tui:
        view = tui.screen.selection.view
        await tui.press("slash", *"tag", "tab", *"m", "tab")
        assert tui.screen.selection.typed == "tag:m"
        assert sorted(tui.toasts()[-1].split(", ")) == ["mla", "moe"]
        await tui.press("o", "tab", "enter")
        assert tui.screen.selection.typed == "tag:moe"
        assert tui.screen.selection.view is view
        assert tui.screen.papers.ids == ids[:1]


async def test_parts_of_words_and_mistyped_words_find_what_is_meant(
    open_tui: Open, fill: Fill
) -> None:
    ids = fill()
    async with open_tui() as tui:
        for typed in ("ulati", "speculatvie", "specu decodnig", "specu dec ", "TITLE:ulativ"):
            await tui.press("slash")
            await tui.type(typed)
            assert tui.screen.papers.ids == [ids[3]], typed
            await tui.press("escape")
        # A word that begins others finds those alone.
        await tui.press("slash")
        await tui.type("specxyzw")
        assert tui.screen.papers.ids == []

"""Keys in the library → what the store says, and where the cursor is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from textual.widgets import Input

from papertrack.library.settings import Settings, Tui
from papertrack.store.lookup import get_paper
from papertrack.store.states import papers_in_hand
from papertrack.tui.keys import ALL_KEYS, check_keymap

from .conftest import Open

Fill = Callable[..., list[int]]


async def test_undo_brings_back_store_and_cursor_and_redo_does_it_again(
    open_tui: Open, fill: Fill
) -> None:
    """Of several papers at once, too; ``test_keymap.py`` undoes each verb of one."""
    ids = fill()
    async with open_tui() as tui:
        before = [get_paper(tui.store, i) for i in ids]
        for keys, place in [
            (["x", "o", "l", "d", "enter"], 1),
            (["1", "enter"], 1),
            (["v", "v", "s"], 3),
            (["D", "y"], 1),
            (["V", "1"], 1),
        ]:
            for key in ("g", "j", *keys):
                tui.type_ahead(key)
            await tui.settle()
            after = [get_paper(tui.store, i) for i in ids]
            assert after != before, keys
            await tui.press("u")
            assert [get_paper(tui.store, i) for i in ids] == before, keys
            assert tui.cursor_id == ids[place], keys
            await tui.press("U")
            assert [get_paper(tui.store, i) for i in ids] == after, keys
            await tui.press("u")
            assert [get_paper(tui.store, i) for i in ids] == before, keys


async def test_undo_leaves_what_another_sitting_did_and_names_it(
    open_tui: Open, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("papertrack.store.journal.current_session", lambda: "a timer")
        ids = fill()
    async with open_tui() as tui:
        await tui.press("u")
        assert tui.state(ids[0]) == ("inbox", 0)
        assert "what was done before it or elsewhere" in tui.question()
        assert ": fill" in tui.question()
        await tui.press("escape", "s", "u", "u", "n")
        assert [tui.state(paper_id) for paper_id in ids] == [("inbox", 0)] * len(ids)


async def test_undo_and_redo_say_when_there_is_nothing(open_tui: Open) -> None:
    async with open_tui() as tui:
        await tui.press("u", "U")
        undo, redo = tui.toasts()
        assert undo == "There is nothing to undo."
        assert redo.startswith("There is nothing to redo")


async def test_first_pass_then_save_are_two_keys(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("1", "s")
        assert tui.state(ids[0]) == ("saved", 1)
        assert tui.cursor_id == ids[1]


async def test_a_pass_takes_minutes_and_a_takeaway(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("1", "escape", "2", "t")
        await tui.type("it works")
        await tui.press("enter", "enter")
        readings = get_paper(tui.store, ids[0]).readings
        assert [(r.pass_number, r.minutes, r.takeaway, r.version) for r in readings] == [
            (1, None, None, 1),
            (2, None, "it works", 1),
        ]
        await tui.press("3", "m", "4", "0", "enter", "u")
        assert [r.pass_number for r in get_paper(tui.store, ids[0]).readings] == [1, 2]


async def test_enter_after_a_takeaway_asks_for_the_minutes(open_tui: Open, fill: Fill) -> None:
    (paper_id,) = fill(1)
    async with open_tui() as tui:
        await tui.press("1", "t", *"fine", "enter", *"25", "enter")
        (reading,) = get_paper(tui.store, paper_id).readings
        assert (reading.takeaway, reading.minutes) == ("fine", 25)
        assert tui.state(paper_id) == ("saved", 1) or tui.state(paper_id)[1] == 1


async def test_undo_and_redo_say_what_they_did(open_tui: Open, fill: Fill) -> None:
    (paper_id,) = fill(1)
    async with open_tui() as tui:
        citekey = get_paper(tui.store, paper_id).citekey
        await tui.press("s", "u")
        assert f"Undone: save: {citekey}." in tui.text()
        await tui.press("U")
        assert f"Redone: save: {citekey}." in tui.text()


async def test_the_line_of_keys_names_what_comes_next_in_each_view(
    open_tui: Open, fill: Fill
) -> None:
    fill(1)
    fill(1, decision="saved", start=1)
    async with open_tui(size=(80, 24)) as tui:
        assert tui.text().splitlines()[-1].startswith(" s Save  d Discard")
        await tui.press("]")
        assert "1 1st pass" in tui.text().splitlines()[-1]
        await tui.press("enter")
        assert tui.text().splitlines()[-1].startswith(" 1 1st pass")
        assert tui.text().splitlines()[-1].endswith("q Back  ? Help")
        assert "Next: first pass" in tui.text()
        await tui.press("q", "]")
        assert "R Fetch" in tui.text().splitlines()[-1]
        assert "s Save" not in tui.text().splitlines()[-1]


async def test_a_pass_of_one_marked_paper_asks_for_that_one_wherever_the_cursor_is(
    open_tui: Open, fill: Fill
) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("j", "1", "escape", "k", "v")
        assert tui.cursor_id == ids[1]
        await tui.press("1", "t")
        await tui.type("mine")
        citekey = get_paper(tui.store, ids[0]).citekey
        assert f"first pass of {citekey}" in tui.text()
        await tui.press("enter", "enter")
        assert [r.takeaway for r in get_paper(tui.store, ids[0]).readings] == ["mine"]
        assert [r.takeaway for r in get_paper(tui.store, ids[1]).readings] == [None]


async def test_the_timer_gives_a_pass_its_minutes(
    open_tui: Open, fill: Fill, clock: object
) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("m")
        clock.time += timedelta(minutes=25)
        await tui.press("1", "enter")
        assert [r.minutes for r in get_paper(tui.store, ids[0]).readings] == [25]
        assert tui.app.session.timer is None
        await tui.press("m", "m")
        assert tui.toasts()[-1].startswith("Timer stopped after 1 min")


async def test_discard_because_keeps_the_reason_and_escape_keeps_the_paper(
    open_tui: Open, fill: Fill
) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("x", "escape")
        assert tui.state(ids[0]) == ("inbox", 0)
        await tui.press("x")
        await tui.type("not mine")
        await tui.press("enter")
        assert get_paper(tui.store, ids[0]).decision_reason == "not mine"
        assert tui.cursor_id == ids[1]


async def test_discard_the_rest_asks_once_and_spares_what_was_decided(
    open_tui: Open, fill: Fill
) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("s", "D")
        assert "Discard 5 papers" in tui.text()
        await tui.press("n")
        assert tui.state(ids[1]) == ("inbox", 0)
        await tui.press("D", "y")
        assert tui.state(ids[0]) == ("saved", 0)
        assert {tui.state(i) for i in ids[1:]} == {("discarded", 0)}
        await tui.press("D")
        assert tui.toasts()[-1] == "Nothing here is undecided."


async def test_marked_papers_take_the_next_verb_together(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("v", "j", "v", "s")
        assert [tui.state(i)[0] for i in ids[:4]] == ["saved", "inbox", "saved", "inbox"]
        assert not tui.screen.papers.marked
        await tui.press("V", "escape", "d")
        assert sum(tui.state(i)[0] == "discarded" for i in ids) == 1


async def test_movement_reaches_every_row(open_tui: Open, fill: Fill) -> None:
    ids = fill(50)
    async with open_tui() as tui:
        for keys, place in [
            (["j"], 1),
            (["down", "k"], 1),
            (["G"], 49),
            (["j"], 49),
            (["g"], 0),
            (["up"], 0),
            (["end", "home"], 0),
            (["pagedown"], 11),
            (["ctrl+f", "ctrl+b", "pageup"], 0),
        ]:
            await tui.press(*keys)
            assert tui.cursor_id == ids[place], keys


async def test_next_undecided_skips_what_was_decided(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("j", "s", "s", "g", "n")
        assert tui.cursor_id == ids[3]
        await tui.press("p")
        assert tui.cursor_id == ids[0]
        await tui.press("p")
        assert tui.cursor_id == ids[0]
        assert tui.toasts()[-1] == "No other paper in this direction is undecided."


async def test_space_pages_the_abstract_then_goes_on(open_tui: Open, fill: Fill) -> None:
    ids = fill(3, abstract="A sentence that is repeated. " * 120)
    async with open_tui() as tui:
        await tui.press("space")
        assert tui.cursor_id == ids[0]
        for _ in range(10):
            await tui.press("space")
        assert tui.cursor_id != ids[0]


async def test_a_view_keeps_decided_papers_in_place_until_it_is_read_anew(
    open_tui: Open, fill: Fill
) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("s", "d")
        assert tui.screen.papers.ids == ids
        await tui.press("f5")
        assert tui.screen.papers.ids == ids[2:]


async def test_the_cursor_comes_back_to_its_place_in_each_view(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("j", "j", "]", "[")
        assert tui.cursor_id == ids[2]


async def test_sorting_by_title_and_the_same_again_reverses(open_tui: Open, fill: Fill) -> None:
    fill()
    async with open_tui() as tui:
        await tui.press("S", "down", "down")
        titles = []
        for _ in range(2):
            tui.app.screen.dismiss("title")
            await tui.settle()
            titles.append([get_paper(tui.store, i).facts.title for i in tui.screen.papers.ids])
            await tui.press("S")
        assert titles[0] == sorted(titles[0], key=lambda t: str(t).lower())
        assert titles[1] == titles[0][::-1]


async def test_jump_goes_to_a_paper_by_citekey_id_or_title(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    saved = fill(1, decision="saved", start=6)
    async with open_tui() as tui:
        for reference, paper_id in [
            (get_paper(tui.store, ids[3]).citekey, ids[3]),
            ("2601.03998", ids[2]),
            ("https://arxiv.org/abs/2601.03999v2", ids[1]),
            ("Checkpointing", ids[5]),
            ("2601.03994", saved[0]),
        ]:
            await tui.press("colon")
            tui.app.screen.query_one(Input).value = reference
            await tui.press("enter")
            assert tui.cursor_id == paper_id, reference
        await tui.press("colon", "q", "q", "q", "enter")
        assert "No paper is named" in tui.fault()


async def test_labels_are_toggled_and_made(open_tui: Open, fill: Fill) -> None:
    ids = fill()
    async with open_tui() as tui:
        await tui.press("t")
        await tui.type("LLM/Serving")
        await tui.press("enter", "v", "v", "t")
        await tui.press("down")
        await tui.type("#moe")
        await tui.press("down", "space", "enter")
        papers = [get_paper(tui.store, i) for i in ids[:2]]
        assert [p.categories for p in papers] == [(("LLM", "Serving"),), ()]
        assert [p.tags for p in papers] == [("moe",), ("moe",)]
        await tui.press("g", "t", "down", "home", "down", "space", "enter")
        assert get_paper(tui.store, ids[0]).categories == ()


async def test_the_sixth_paper_in_hand_is_asked_about_once(open_tui: Open, fill: Fill) -> None:
    ids = fill(8, decision="saved")
    async with open_tui() as tui:
        await tui.press(*("i j " * 5).split())
        assert len(papers_in_hand(tui.store)) == 5
        assert "reading 5/5" in tui.text()
        await tui.press("i", "n")
        assert len(papers_in_hand(tui.store)) == 5
        await tui.press("i", "y", "j", "i")
        assert len(papers_in_hand(tui.store)) == 7
        await tui.press("i")
        assert len(papers_in_hand(tui.store)) == 6
        assert len(ids) == 8


async def test_the_users_keymap_changes_a_key_in_footer_and_help(
    open_tui: Open, fill: Fill
) -> None:
    ids = fill()
    settings = Settings(tui=Tui(keys={"save": "f", "help": "f1"}))
    async with open_tui(settings=settings) as tui:
        await tui.press("s")
        assert tui.state(ids[0]) == ("inbox", 0)
        await tui.press("f")
        assert tui.state(ids[0]) == ("saved", 0)
        assert "f Save" in tui.text()
        await tui.press("f1")
        help = tui.text().splitlines()
        assert any(line.split()[:3] == ["f", "Save", "for"] for line in help)


async def test_faults_in_the_keymap_and_theme_are_said(open_tui: Open) -> None:
    settings = Settings(tui=Tui(theme="mauve", keys={"sve": "f"}))
    async with open_tui(settings=settings) as tui:
        assert any("did you mean save?" in text for text in tui.toasts())
        assert any("no theme mauve" in text for text in tui.toasts())


@pytest.mark.parametrize("key", ["f", "ö", "ü", "f7", "ctrl+s", "alt+left", "comma", "B, f9"])
def test_what_a_terminal_can_send_is_a_key(key: str) -> None:
    assert check_keymap({"statistics": key}) == []


@pytest.mark.parametrize("key", ["", "strg+s", "ctrl+zz", "f,", "a+", "[b]x\x1b[31m"])
def test_what_no_terminal_can_send_is_told(key: str) -> None:
    (fault,) = check_keymap({"statistics": key})
    assert fault.startswith("tui.keys.statistics: ")
    assert "is not a key. Write keys like f, F, f5, ctrl+s or left." in fault


def test_each_key_has_its_own_id_and_no_two_share_a_key() -> None:
    ids = [binding.id for binding in ALL_KEYS]
    assert len(ids) == len(set(ids))
    assert all(binding.tooltip for binding in ALL_KEYS)
    assert check_keymap({}) == []
    assert check_keymap({"save": "d"}) == [
        "tui.keys: d is for both save and discard. Give one of them another key."
    ]

"""Every key of the keymap, in every view where it is live: what it does, and that undo works."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass

import pytest
from textual.binding import Binding

from papertrack.actions import programs
from papertrack.records import Decision, Link, Reading
from papertrack.store import states
from papertrack.store.lookup import get_paper
from papertrack.store.store import Store
from papertrack.tui import system
from papertrack.tui.keys import (
    ALL_KEYS,
    APP_KEYS,
    DEED_KEYS,
    LIBRARY_KEYS,
    LIST_KEYS,
    PAPER_KEYS,
    VERB_KEYS,
)
from papertrack.tui.screens.paper import PaperScreen
from papertrack.tui.views import VIEWS
from tests.corpus import WHOLE

from .conftest import Open, Sitting

Fill = Callable[..., list[int]]

IN_EACH_VIEW = 2
STATES: tuple[tuple[Decision, int], ...] = (
    *(("inbox", 0), ("saved", 0), ("saved", 1), ("saved", 2), ("saved", 3), ("discarded", 1)),
)


@dataclass(frozen=True)
class Case:
    """Keys before and after the one in question, and what is so then of the first paper."""

    holds: Callable[[Sitting, int], bool]
    before: str = ""
    after: str = ""
    is_undone: bool = False
    """Whether it changes the library, and one undo brings back what was, the cursor included."""


def at(place: int) -> Callable[[Sitting, int], bool]:
    return lambda tui, _: tui.cursor_id == tui.screen.papers.ids[place]


def decided(decision: str, place: int = 1) -> Callable[[Sitting, int], bool]:
    return lambda tui, i: tui.state(i)[0] == decision and at(place)(tui, i)


def passed(number: int) -> Callable[[Sitting, int], bool]:
    """The pass is recorded, or taken back where it was."""

    def holds(tui: Sitting, paper_id: int) -> bool:
        numbers = {r.pass_number for r in get_paper(tui.store, paper_id).readings}
        return (number in numbers) != (number <= tui.passes_before)

    return holds


def shows(screen: str) -> Callable[[Sitting, int], bool]:
    return lambda tui, _: type(tui.app.screen).__name__ == screen


def says(text: str) -> Callable[[Sitting, int], bool]:
    return lambda tui, _: any(text in toast for toast in tui.toasts())


def view_is(by: int) -> Callable[[Sitting, int], bool]:
    def holds(tui: Sitting, _: int) -> bool:
        return tui.screen.selection.view is VIEWS[(len(VIEWS) - 1 + by) % len(VIEWS)]

    return holds


def opened(place: str) -> Callable[[Sitting, int], bool]:
    def holds(tui: Sitting, paper_id: int) -> bool:
        arxiv_id = get_paper(tui.store, paper_id).facts.identifier("arxiv")
        return tui.opened[-1] == place + str(arxiv_id)

    return holds


def is_undecided_or_said(tui: Sitting, paper_id: int) -> bool:
    is_another = tui.cursor_id is not None and tui.state(tui.cursor_id)[0] == "inbox"
    return is_another or says("No other paper in this direction")(tui, paper_id)


def is_in_hand_or_said(tui: Sitting, paper_id: int) -> bool:
    return states.papers_in_hand(tui.store) == [paper_id] or says("had all three passes")(
        tui, paper_id
    )


def scrolled(tui: Sitting, paper_id: int) -> bool:
    return tui.app.screen.query_one("#paper-text").scroll_offset.y == 1


def wished(wanted: str) -> Callable[[Sitting, int], bool]:
    wish = "SELECT wish FROM paper_states WHERE paper_id = ?"
    return lambda tui, i: tui.store.select_value(wish, (i,)) == wanted


def half_a_page_down(tui: Sitting, paper_id: int) -> bool:
    if isinstance(tui.app.screen, PaperScreen):
        return tui.app.screen.query_one("#paper-text").scroll_offset.y > 1
    return tui.screen._pane._top > 0


LABELLED = "t # a enter"
CASES = {
    "next-row": Case(at(1)),
    "previous-row": Case(at(0), before="j"),
    "first-row": Case(at(0), before="j"),
    "last-row": Case(at(-1)),
    "page-down": Case(lambda tui, i: tui.screen.papers.cursor > 1),
    "page-up": Case(
        lambda tui, i: tui.screen.papers.cursor < len(tui.screen.papers.ids) - 2, before="G"
    ),
    "save": Case(decided("saved"), is_undone=True),
    "discard": Case(decided("discarded"), is_undone=True),
    "discard-because": Case(
        lambda tui, i: get_paper(tui.store, i).decision_reason == "w",
        after="w enter",
        is_undone=True,
    ),
    "first-pass": Case(passed(1), after="enter", is_undone=True),
    "second-pass": Case(passed(2), after="enter", is_undone=True),
    "third-pass": Case(passed(3), after="enter", is_undone=True),
    "inbox": Case(decided("inbox", 0), is_undone=True),
    "undo": Case(lambda tui, i: get_paper(tui.store, i).tags == (), before=LABELLED),
    "redo": Case(
        lambda tui, i: get_paper(tui.store, i).tags == ("a",),
        before=f"{LABELLED} u",
        is_undone=True,
    ),
    "labels": Case(
        lambda tui, i: get_paper(tui.store, i).tags == ("a",), after="# a enter", is_undone=True
    ),
    "rate": Case(lambda tui, i: get_paper(tui.store, i).rating == 5, after="5", is_undone=True),
    "in-hand": Case(is_in_hand_or_said, is_undone=True),
    "note": Case(lambda tui, i: tui.opened[-1].endswith(get_paper(tui.store, i).notes[0])),
    "timer": Case(lambda tui, i: tui.app.session.timer is not None),
    "open-abs": Case(opened("https://arxiv.org/abs/")),
    "open-pdf": Case(opened("https://arxiv.org/pdf/")),
    "open-html": Case(opened("https://arxiv.org/html/")),
    "open-code": Case(lambda tui, i: tui.opened[-1] == "https://github.com/a/b"),
    "copy-link": Case(lambda tui, i: tui.app.clipboard.startswith("https://")),
    "copy-bibtex": Case(lambda tui, i: tui.app.clipboard.startswith("@misc{")),
    "copy-citekey": Case(lambda tui, i: tui.app.clipboard == get_paper(tui.store, i).citekey),
    "tex": Case(lambda tui, i: tui.app.session.is_tex),
    "open": Case(shows("PaperScreen")),
    "page": Case(lambda tui, i: tui.screen.is_reading),
    "read": Case(lambda tui, i: tui.screen.is_reading),
    "page-back": Case(at(0), before="j"),
    "half-down": Case(half_a_page_down),
    "half-up": Case(lambda tui, i: not half_a_page_down(tui, i), before="ctrl+d"),
    "switch-lines": Case(lambda tui, i: tui.screen.papers._row_height == 1),
    "next-undecided": Case(is_undecided_or_said),
    "previous-undecided": Case(is_undecided_or_said, before="G"),
    "next-view": Case(view_is(1)),
    "previous-view": Case(view_is(-1)),
    "filter": Case(lambda tui, i: tui.screen._filter.has_focus),
    "clear": Case(lambda tui, i: not tui.screen.papers.marked, before="V"),
    "mark": Case(lambda tui, i: tui.screen.papers.marked == {i} and at(1)(tui, i)),
    "mark-all": Case(lambda tui, i: tui.screen.papers.marked == {*tui.screen.papers.ids}),
    "discard-rest": Case(
        lambda tui, i: all(tui.state(i)[0] != "inbox" for i in tui.screen.papers.ids),
        after="y",
        is_undone=True,
    ),
    "sort": Case(shows("ChoiceDialog")),
    "jump": Case(shows("TextDialog")),
    "fetch": Case(says("T makes one")),
    "refresh": Case(
        lambda tui, i: i in tui.screen.papers.ids and not tui.screen.kept_ids,
        before=f"{LABELLED} u",
    ),
    "statistics": Case(shows("StatisticsScreen")),
    "back": Case(lambda tui, i: tui.app._exit),
    "next-paper": Case(at(1)),
    "previous-paper": Case(at(0), before="J"),
    "scroll-on": Case(lambda tui, i: tui.app.screen.query_one("#paper-text").scroll_offset.y > 1),
    "line-down": Case(scrolled),
    "line-up": Case(scrolled, before="j j"),
    "close": Case(shows("LibraryScreen")),
    "help": Case(shows("HelpScreen")),
    "add": Case(shows("TextDialog")),
    "edit-field": Case(shows("ChoiceDialog")),
    "merge": Case(shows("TextDialog")),
    "remove": Case(shows("AskDialog")),
    "suggestions": Case(says("Nothing is suggested")),
    "fetch-pdf": Case(lambda tui, i: tui.jobs_started[-1] == "pdf"),
    "log": Case(shows("TextScreen")),
    "related": Case(shows("ChoiceDialog")),
    "why": Case(shows("TextScreen")),
    "more-like-this": Case(wished("more"), is_undone=True),
    "fewer-like-this": Case(wished("less"), is_undone=True),
    "forget-word": Case(shows("TextDialog")),
    "due": Case(shows("ChoiceDialog")),
    "snooze": Case(
        lambda tui, i: get_paper(tui.store, i).snoozed_until == "2026-01-16",
        after="enter",
        is_undone=True,
    ),
    "queries": Case(says("There are no saved queries yet")),
    "topics": Case(shows("ChoiceDialog")),
    "suspend-process": Case(lambda tui, i: tui.opened[-1] == "suspended"),
    "cancel-jobs": Case(says("Nothing is running")),
}


def test_each_key_of_the_keymap_has_a_case() -> None:
    assert {binding.id for binding in ALL_KEYS} == {*CASES}


@pytest.mark.parametrize("view", [view.name for view in (VIEWS if WHOLE else VIEWS[::2])])
async def test_each_verb_changes_the_library_and_is_undone_in(
    view: str, open_tui: Open, a_paper_in_each_state: None
) -> None:
    async with open_tui(size=(80, 24)) as tui:
        await start_in(tui, view)
        await change_and_undo(tui, (*VERB_KEYS, *DEED_KEYS, *LIBRARY_KEYS))


async def test_each_verb_changes_the_library_and_is_undone_on_the_screen_of_a_paper(
    open_tui: Open, a_paper_in_each_state: None
) -> None:
    async with open_tui(size=(80, 24)) as tui:
        await start_in(tui, "second")
        await tui.press("enter")
        await change_and_undo(tui, (*VERB_KEYS, *DEED_KEYS, *PAPER_KEYS))
        assert shows("PaperScreen")(tui, 0)


async def test_each_other_key_does_its_work_in_the_library(
    open_tui: Open, a_paper_in_each_state: None, outside_world: list[str]
) -> None:
    async with open_tui(size=(80, 24)) as tui:
        await try_others(
            tui, (*LIST_KEYS, *VERB_KEYS, *DEED_KEYS, *LIBRARY_KEYS, *APP_KEYS), outside_world
        )


async def test_each_other_key_does_its_work_on_the_screen_of_a_paper(
    open_tui: Open, a_paper_in_each_state: None, outside_world: list[str]
) -> None:
    async with open_tui(size=(80, 24)) as tui:
        await try_others(
            tui, (*VERB_KEYS, *DEED_KEYS, *PAPER_KEYS, *APP_KEYS), outside_world, is_paper=True
        )


async def change_and_undo(tui: Sitting, bindings: tuple[Binding, ...]) -> None:
    """Press each key that changes something, and undo it: all is as it was, so is the cursor."""
    everything = [paper_id for (paper_id,) in tui.store.connection.execute("SELECT id FROM papers")]
    paper_id = tui.cursor_id
    assert paper_id is not None
    before = [get_paper(tui.store, i) for i in everything]
    tui.passes_before = tui.state(paper_id)[1]
    for binding in bindings:
        case = CASES[str(binding.id)]
        if not case.is_undone:
            continue
        key, *_ = binding.key.split(",")
        after = case.after.split()
        # A pass that is there already is taken back without a dialog.
        if "pass" in str(binding.id) and not passed_dialog(tui, binding):
            after = []
        for pressed in (*case.before.split(), key, *after):
            tui.type_ahead(pressed)
        await tui.settle()
        assert case.holds(tui, paper_id), (binding.id, tui.toasts())
        if [get_paper(tui.store, i) for i in everything] != before:
            await tui.press("u")
        else:
            tui.screen.papers.go_to(paper_id)
        assert [get_paper(tui.store, i) for i in everything] == before, binding.id
        assert tui.cursor_id == paper_id, binding.id


def passed_dialog(tui: Sitting, binding: Binding) -> bool:
    number = ("first-pass", "second-pass", "third-pass").index(str(binding.id)) + 1
    return number > tui.passes_before


async def try_others(
    tui: Sitting, bindings: tuple[Binding, ...], world: list[str], *, is_paper: bool = False
) -> None:
    """Press each key, under each of its names, that changes nothing or takes a way back itself."""
    tui.opened = world
    tui.app.suspend = nullcontext
    tui.jobs_started = []
    tui.app.start_job = lambda job, answer="": tui.jobs_started.append(job.name)
    tui.app.action_suspend_process = lambda: world.append("suspended")
    for binding in sorted(bindings, key=lambda binding: binding.id == "back"):
        case = CASES[str(binding.id)]
        # The other names of a key are bound alike on every screen.
        names = binding.key.split(",")[: 1 if is_paper else None]
        for key in () if case.is_undone and binding.id != "redo" else names:
            way = await start_in(tui, "all", is_paper=is_paper)
            paper_id = tui.cursor_id
            assert paper_id is not None
            for pressed in (*way, *case.before.split()):
                tui.type_ahead(pressed)
            if binding.id == "back":
                await tui.pilot.press(key)
            else:
                for pressed in (key, *case.after.split()):
                    tui.type_ahead(pressed)
                await tui.settle()
            assert case.holds(tui, paper_id), (binding.id, key, tui.toasts())
            if binding.id == "redo":
                await tui.press("u")


async def start_in(tui: Sitting, view: str, *, is_paper: bool = False) -> list[str]:
    """The view as at first: the cursor on the first paper, nothing marked, nothing open.

    Returns the keys to the paper's screen; one that is open stays so, for it is dear.
    """
    is_open = is_paper and any(isinstance(s, PaperScreen) for s in tui.app.screen_stack)
    while len(tui.app.screen_stack) > 1 + is_open:
        tui.app.pop_screen()
        await tui.settle()
    tui.app.session.timer, tui.app.session.is_tex = None, False
    tui.app.clear_notifications()
    tui.screen.papers.cursor = 0
    if is_open:
        return ["J", "K"]
    tui.screen._filter.close()
    if tui.screen.is_reading:
        tui.screen.action_read()
    tui.screen.papers._row_height = 2
    tui.screen._pane.go_home()
    tui.screen.papers.focus()
    tui.screen.papers.mark(())
    tui.screen.show_view(next(v for v in VIEWS if v.name == view))
    tui.screen.papers.cursor = 0
    await tui.settle()
    return ["enter"] if is_paper else []


@pytest.fixture
def a_paper_in_each_state(fill: Fill, store: Store) -> None:
    """Each view has some papers, and the first of each says the same to a browser."""
    for n, (decision, passes) in enumerate(STATES):
        ids = fill(
            IN_EACH_VIEW,
            start=n * IN_EACH_VIEW,
            decision=decision,
            abstract="A sentence that is repeated. " * 60,
            links=(Link("code", "https://github.com/a/b"),),
        )
        with store.action("read"):
            for paper_id in ids:
                for number in range(1, passes + 1):
                    states.record_pass(store, paper_id, Reading(number))


@pytest.fixture
def outside_world(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was given to the browser and to the editor."""
    seen: list[str] = []
    monkeypatch.setattr(system, "open_in_browser", lambda url: seen.append(url) or True)
    monkeypatch.setattr(
        programs, "run_editor", lambda path, environ, is_terminal: seen.append(str(path))
    )
    return seen

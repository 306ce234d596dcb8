"""What the command line can do, the terminal UI can: each by a key, and undone by one."""

from __future__ import annotations

from collections.abc import Callable

from papertrack.actions.proposals import propose_act
from papertrack.library.settings import Settings, Tui
from papertrack.records import Reading
from papertrack.store import states
from papertrack.store.lookup import find_by_citekey, get_paper
from papertrack.store.store import Store
from papertrack.store.suggestions import suggest
from papertrack.store.watch.topics import add_topic, attach_topic, list_topics
from papertrack.tui.screens.pages import TextScreen

from .conftest import Open

Fill = Callable[..., list[int]]


async def test_papers_are_added_and_removed_and_undo_brings_them_back(
    open_tui: Open, fill: Fill
) -> None:
    ids = fill(2)
    async with open_tui() as tui:
        await tui.press("A", *"2309.06180", "enter")
        # It is told, for the paper is not in sight.
        assert tui.toasts()[-1] == "add: 2309.06180"
        await tui.press("A", *"2309.06180", "enter")
        assert "has that already" in tui.toasts()[-1]
        assert "First 1" in tui.text()
        await tui.press("u")
        assert "First 0" in tui.text()
        await tui.press("delete", "n")
        assert tui.screen.papers.ids == ids
        await tui.press("delete", "y")
        assert tui.screen.papers.ids == ids[1:]
        await tui.press("u")
        assert set(tui.screen.papers.ids) == set(ids)


async def test_a_field_is_edited_from_what_it_says(open_tui: Open, fill: Fill) -> None:
    (paper_id,) = fill(1)
    async with open_tui() as tui:
        title = get_paper(tui.store, paper_id).facts.title
        await tui.press("E", "enter", "end", "!", "enter")
        assert get_paper(tui.store, paper_id).facts.title == f"{title}!"
        assert "of keys!" in tui.text()
        await tui.press("u")
        assert get_paper(tui.store, paper_id).facts.title == title


async def test_two_papers_become_one(open_tui: Open, fill: Fill) -> None:
    ids = fill(2)
    async with open_tui() as tui:
        await tui.press("j", "v", "k", "M", "y")
        assert tui.screen.papers.ids == ids[:1]
        assert len(get_paper(tui.store, ids[0]).facts.identifiers) == 2
        await tui.press("u")
        assert set(tui.screen.papers.ids) == set(ids)


async def test_a_suggestion_is_taken(open_tui: Open, fill: Fill, store: Store) -> None:
    (paper_id,) = fill(1)
    with store.action("enrich"):
        suggest(store, paper_id, "venue", "ICLR 2026", source="dblp")
    async with open_tui() as tui:
        await tui.press("=")
        assert "ICLR 2026 (dblp)" in tui.text()
        await tui.press("enter")
        assert get_paper(tui.store, paper_id).facts.venue == "ICLR 2026"
        await tui.press("=")
        assert tui.toasts()[-1] == "Nothing is suggested for this paper."


async def test_a_long_proposal_of_an_agent_is_read_to_its_end(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    (paper_id,) = fill(1)
    text = "\n".join(f"Line {number} of a note [b]that[/b] an agent wrote." for number in range(85))
    propose_act(store, "robot", "note", f"{text}\nThe end.", paper_id=paper_id)
    async with open_tui(size=(80, 24)) as tui:
        await tui.press("=")
        assert "read what agent:robot suggests" in tui.text()
        await tui.press("enter", "end")
        assert "The end." in tui.text()
        await tui.press("q", "=", "down", "enter")
        assert get_paper(tui.store, paper_id).notes


async def test_a_related_paper_is_named_with_its_words_and_opened(
    open_tui: Open, fill: Fill
) -> None:
    ids = fill(8)
    async with open_tui(size=(80, 30)) as tui:
        await tui.press("N")
        assert "(ring, attention, overlapped, exchange, keys)" in tui.text()
        await tui.press("enter")
        assert tui.cursor_id == ids[6]
        await tui.press("enter", "N", "enter")
        assert tui.cursor_id == ids[0]
        assert "Ring attention" in tui.text()


async def test_who_opens_a_related_paper_of_another_view_comes_back_to_where_it_was(
    open_tui: Open, fill: Fill
) -> None:
    ids = fill(3)
    (saved,) = fill(1, start=7, decision="saved")
    async with open_tui(size=(80, 30)) as tui:
        await tui.press("j", "enter", "N", "enter")
        assert tui.cursor_id == saved
        assert tui.screen is not tui.app.screen
        await tui.press("q")
        assert (tui.screen.selection.view.name, tui.cursor_id) == ("inbox", ids[1])
        # From the list it is left for All, and found again as it was left.
        await tui.press("N", "enter")
        assert (tui.screen.selection.view.name, tui.cursor_id) == ("all", saved)
        await tui.press("]")
        assert (tui.screen.selection.view.name, tui.cursor_id) == ("inbox", ids[1])


async def test_the_ranking_is_asked_and_told(open_tui: Open, fill: Fill) -> None:
    (paper_id,) = fill(1)
    async with open_tui() as tui:
        await tui.press("W")
        assert isinstance(tui.app.screen, TextScreen)
        assert "There are no decisions yet" in tui.text()
        await tui.press("q", "+")
        wish = "SELECT wish FROM paper_states WHERE paper_id = ?"
        assert tui.store.select_value(wish, (paper_id,)) == "more"
        await tui.press("-", "u", "u")
        assert tui.store.select_value(wish, (paper_id,)) is None
        await tui.press("F", *"ring", "enter", "L")
        assert "forget ring" not in tui.text()
        assert "fill" in tui.text()


async def test_topics_are_made_muted_tried_and_edited(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    ids = fill(2)
    with store.action("topic"):
        topic = add_topic(store, "rings", "ring", arxiv_categories=("cs.DC",))
        attach_topic(store, ids[0], topic, reason="ring (title)", score=1.0)
    async with open_tui() as tui:
        await tui.press("T", "enter", "enter")
        assert tui.screen.papers.ids == ids[:1]
        await tui.press("escape", "T", "enter", "down", "enter")
        assert isinstance(tui.app.screen, TextScreen)
        await tui.press("q", "T", "enter", "down", "down", "enter")
        assert list_topics(tui.store)[0].is_paused
        await tui.press("T", "enter", "end", "enter", *" OR moe", "enter")
        assert list_topics(tui.store)[0].query == "ring OR moe"
        await tui.press("T", "end", "enter", *"new: cache", "enter")
        assert [one.name for one in list_topics(tui.store)] == ["new", "rings"]
        await tui.press("u", "u", "u")
        assert [one.query for one in list_topics(tui.store)] == ["ring"]


async def test_what_waits_for_too_long_is_listed(open_tui: Open, fill: Fill, store: Store) -> None:
    (paper_id,) = fill(1, decision="saved")
    with store.action("read"):
        states.record_pass(store, paper_id, Reading(1, "2025-12-01T08:00:00+00:00"))
    (undecided,) = fill(1, start=1)
    async with open_tui() as tui:
        assert tui.screen.papers.ids == [undecided]
        await tui.press("I")
        assert "first pass done over two weeks ago (1)" in tui.text()
        await tui.press("down", "enter")
        assert tui.screen.papers.ids == [paper_id], "in whatever view it was asked"


async def test_what_is_due_is_put_off_until_a_day(open_tui: Open, fill: Fill, store: Store) -> None:
    (paper_id,) = fill(1, decision="saved")
    with store.action("read"):
        states.record_pass(store, paper_id, Reading(1, "2025-12-01T08:00:00+00:00"))
    async with open_tui() as tui:
        await tui.press("I", "down", "enter", "Z", "enter", "f5")
        assert tui.screen.papers.ids == []
        await tui.press("u", "f5")
        assert tui.screen.papers.ids == [paper_id]
        await tui.press("Z", "end", "up", "enter", *"2026-03-01", "enter")
        assert get_paper(tui.store, paper_id).snoozed_until == "2026-03-01"
        await tui.press("I", "end", "enter", "enter")
        assert "snoozed until 2026-03-01" in tui.text()
        await tui.press("Z", "end", "enter")
        assert get_paper(tui.store, paper_id).snoozed_until is None
        await tui.press("Z", "end", "up", "enter", *"soon", "enter")
        assert "'soon' is not a day" in tui.fault()


async def test_a_chosen_query_is_asked_of_all_where_the_view_has_none(
    open_tui: Open, fill: Fill, store: Store
) -> None:
    ids = fill(2)
    (saved,) = fill(1, decision="saved", start=2)
    with store.action("tag"):
        states.add_tags(store, [saved], ["old"])
        states.add_tags(store, [ids[0]], ["new"])
    async with open_tui() as tui:
        tui.screen.filter_by("tag:new")
        assert (tui.screen.selection.view.name, tui.screen.papers.ids) == ("inbox", ids[:1])
        tui.screen.filter_by("tag:old")
        assert (tui.screen.selection.view.name, tui.screen.papers.ids) == ("all", [saved])


async def test_the_readers_own_queries_are_asked_by_their_names(open_tui: Open, fill: Fill) -> None:
    ids = fill(3)
    settings = Settings(tui=Tui(queries={"rings": "title:ring", "bad": "a OR"}))
    async with open_tui(settings=settings) as tui:
        await tui.press("Q", "enter")
        assert tui.screen.selection.typed == "title:ring"
        assert len(tui.screen.papers.ids) == 1 < len(ids)
        await tui.press("escape", "Q", "down", "enter")
        assert "OR" in tui.text()
        await tui.press("escape")
        assert len(tui.screen.papers.ids) == len(ids)


async def test_an_error_is_told_and_changes_nothing(open_tui: Open, fill: Fill) -> None:
    (paper_id,) = fill(1)
    async with open_tui() as tui:
        before = get_paper(tui.store, paper_id)
        await tui.press("A", *"nonsense", "enter")
        assert "No arXiv id, DOI or address" in tui.fault()
        await tui.press("escape", "M", *"nobody", "enter", "escape", "T", "enter", *"x", "enter")
        assert find_by_citekey(tui.store, "nobody") is None
        assert get_paper(tui.store, paper_id) == before

"""Whatever was done, undoing all of it leads back to the start, and redoing all of it forward."""

import random
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.undo_redo import there_and_back
from papertrack.actions.add import add_references
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.organise import merge_two_papers, move_papers, remove_papers, tag_papers
from papertrack.actions.reading import mark_pass, next_paper, set_decision, set_rating
from papertrack.errors import PapertrackError
from papertrack.library import Library
from papertrack.store.journal import JOURNALLED
from papertrack.store.store import Store
from tests.actions.conftest import CHUNKED, ORCA, PAGED, README, Desk
from tests.corpus import WHOLE
from tests.fresh_store import fresh_store
from tests.search_index import indexed_words, words_indexed_anew
from tests.store.conftest import ticking_clock

REFERENCES = [f"24{month:02d}.0000{n}" for month in (1, 2) for n in (1, 2, 3)]
CATEGORIES = [("Serving",), ("Speculation",), ("New", "Deep"), ("New",)]

reference = st.sampled_from([*REFERENCES, "2309.10001", "2211.10002", "2207.10003"])
step = st.one_of(
    st.tuples(st.just("add"), reference, st.sampled_from(CATEGORIES)),
    st.tuples(st.just("pass"), reference, st.integers(1, 3)),
    st.tuples(st.just("decide"), reference, st.sampled_from(["saved", "discarded", "inbox"])),
    st.tuples(st.just("rate"), reference, st.integers(1, 5)),
    st.tuples(st.just("tag"), reference, st.sampled_from("abc")),
    st.tuples(st.just("move"), reference, st.sampled_from(CATEGORIES)),
    st.tuples(st.just("edit"), reference, st.sampled_from(["title=T", "venue=V", "code="])),
    st.tuples(st.just("rm"), reference, st.none()),
    st.tuples(st.just("merge"), reference, reference),
    st.tuples(st.just("next"), st.none(), st.none()),
    st.tuples(st.just("file"), st.sampled_from(["✅ ✅", "", "✅"]), st.none()),
    st.tuples(st.just("import"), st.none(), st.none()),
)


def everything(store: Store) -> dict[str, list[tuple[object, ...]]]:
    return {
        table: sorted(store.connection.execute(f"SELECT * FROM {table}"), key=repr)
        for table in JOURNALLED
    } | {"search": indexed_words(store)}


def perform(desk: Desk, verb: str, first: object, second: object) -> None:
    store = desk.store
    if verb == "next":
        next_paper(store, limit=5)
    elif verb == "file":
        lines = desk.read().splitlines(keepends=True)
        row = next(n for n, line in enumerate(lines) if "Chunked Prefills</u>" in line)
        lines[row] = lines[row].rsplit("|", 2)[0] + f"| {first} |\n"
        desk.write("".join(lines))
    elif verb == "import":
        desk.import_readme(prefer="file")
    elif verb == "add":
        add_references(store, [str(first)], category=second, tags=["new"])  # type: ignore[arg-type]
    else:
        paper = desk.id(str(first))
        if verb == "pass":
            mark_pass(store, [paper], int(str(second)))
        elif verb == "decide":
            set_decision(store, [paper], second)  # type: ignore[arg-type]
        elif verb == "rate":
            set_rating(store, [paper], int(str(second)))
        elif verb == "tag":
            tag_papers(store, [paper], add=[str(second)])
        elif verb == "move":
            move_papers(store, [paper], second)  # type: ignore[arg-type]
        elif verb == "edit":
            edit_fields(store, paper, parse_assignments([str(second)]))
        elif verb == "rm":
            remove_papers(store, [paper])
        elif verb == "merge":
            merge_two_papers(store, paper, desk.id(str(second)))


@settings(max_examples=10, suppress_health_check=list(HealthCheck))
@given(st.lists(step, max_size=12))
def test_undoing_everything_leads_to_the_start_and_redoing_back(
    steps: list[tuple[str, object, object]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        with fresh_store(root / "data" / "papertrack.db", now=ticking_clock()) as store:
            desk = Desk(store, Library(root), root / "README.md")
            desk.write(README)
            desk.import_readme()
            states = [everything(store)]
            for verb, first, second in steps:
                # A paper that is not there, or two that are one: nothing is done.
                with suppress(PapertrackError):
                    perform(desk, verb, first, second)
                if everything(store) != states[-1]:
                    states.append(everything(store))
            for state in reversed(states[:-1]):
                store.undo()
                assert everything(store) == state
            for state in states[1:]:
                store.redo()
                assert everything(store) == state
            assert indexed_words(store) == words_indexed_anew(store)


def test_an_undone_pass_stays_undone_when_an_older_import_is_undone_after_it(desk: Desk) -> None:
    desk.replace("[<u>Chunked Prefills</u>]", "[<u>Prefills in Chunks</u>]")
    desk.import_readme()
    desk.export()
    by_hand = desk.read()
    mark_pass(desk.store, [desk.id(CHUNKED)], 2)
    desk.export()
    desk.store.undo()
    desk.store.undo()
    assert desk.paper(CHUNKED).facts.title == "Chunked Prefills"
    desk.import_readme()
    desk.export()
    assert desk.read() == by_hand
    paper = desk.paper(CHUNKED)
    assert (paper.facts.title, paper.passes_done) == ("Prefills in Chunks", 0)


@pytest.mark.parametrize("seed", [100, 101, 103, 105] if WHOLE else [101, 105])
def test_files_that_were_exported_to_come_back_with_the_library(seed: int) -> None:
    assert there_and_back(random.Random(seed).sample(range(10**9), 10)) == []


ONCE_LOST = {
    # Of a merge and two titles with a bar, of which one has no place.
    "what an export left": (
        "426905959 447719590 676169003 207889483 452737874 246643318 719868520"
    ),
    # Of a merged paper that was then removed: no row would be what is left of its list.
    "a row whose removal was refused": (
        "156411172 827622808 422016667 375527103 465482582 859015427 791037716 51418831 "
        "246644101 900766735"
    ),
    # It has the title of others by then, and the link names it from then on.
    "a row that only its title named gets a link": (
        "714740397 680003423 637483942 785152952 311664706 235861242 906622039 89709215 555664927"
    ),
    # Though only they were looked at when the file was written.
    "entries whose paper was merged": (
        "764562135 124667285 525532389 614565700 491476152 114954349 196886914"
    ),
    "where a paper was held once": (
        "253454709 325664383 110773681 774400755 514191760 96744404 71420044 21278532 "
        "431205069 589915737 985646722 310714842 859479167"
    ),
    # Of two papers that were merged and then removed, with exports between.
    "entries that come back before a redo": (
        "497150363 286833407 726540503 6909588 964540103 649290419 86774069"
    ),
}


@pytest.mark.parametrize("acts", ONCE_LOST.values(), ids=ONCE_LOST)
def test_what_once_got_lost_on_the_way_back_and_forth_comes_back(acts: str) -> None:
    assert there_and_back([*map(int, acts.split())]) == []


def test_a_row_that_came_with_an_undone_move_goes_again_beside_another_that_stays(
    desk: Desk,
) -> None:
    add_references(desk.store, ["2402.00001"], category=("Elsewhere",))
    desk.edit("2402.00001", "title=A Stranger")
    mark_pass(desk.store, [desk.id(CHUNKED)], 2)
    desk.export()
    before = desk.read()
    mark_pass(desk.store, [desk.id(CHUNKED)], 3)
    move_papers(desk.store, [desk.id("2402.00001")], ("Serving",))
    desk.export()
    desk.store.undo()
    mark_pass(desk.store, [desk.id(ORCA)], 3)
    desk.export()
    assert "A Stranger" not in desk.read()
    desk.undo(2)
    assert desk.read() == before


def test_a_merge_is_done_again_with_rows_that_were_written_back_meanwhile(desk: Desk) -> None:
    merge_two_papers(desk.store, desk.id(PAGED), desk.id(ORCA))
    desk.export()
    merged = desk.read()
    remove_papers(desk.store, [desk.id(PAGED)])
    desk.export()
    desk.undo()
    assert desk.read() == merged
    desk.undo()
    assert desk.read() == README
    desk.redo()
    assert desk.read() == merged
    entries = "SELECT count(*) FROM entries WHERE paper_id = ?"
    assert desk.store.select_value(entries, (desk.id(PAGED),)) == 2


def test_what_has_no_place_in_a_file_waits_again_after_it_was_undone_and_done_again(
    desk: Desk,
) -> None:
    set_rating(desk.store, [desk.id(ORCA)], 4)
    desk.export()
    waiting = "SELECT about FROM told"
    told = desk.store.select_value(waiting)
    desk.undo()
    desk.redo()
    assert desk.store.select_value(waiting) == told


def test_an_item_without_a_link_is_known_by_a_title_that_others_have_got_too(
    new_desk: Callable[[str], Desk],
) -> None:
    text = (
        "# Papers\n\n- [Acting Twice](https://arxiv.org/abs/2310.10006) (2023)\n"
        "- Tables of Engines\n- [Paged Memory](https://arxiv.org/abs/2309.10001) (2023)\n"
    )
    desk = new_desk(text)
    desk.import_readme()
    for paper in desk.papers()[:2]:
        edit_fields(desk.store, paper.id, parse_assignments(["title=A & b | C"]))
    desk.export()
    written = desk.read()
    keys = desk.store.select_column("SELECT key FROM entries ORDER BY position")
    assert keys == ["arxiv:2310.10006", "title:abc", "arxiv:2309.10001"]
    for way, wanted in ((desk.store.undo, text), (desk.store.redo, written)):
        way()
        way()
        desk.export()
        assert desk.read() == wanted


def test_a_row_that_an_export_left_alone_is_there_when_all_is_done_again(desk: Desk) -> None:
    """The row of a paper that was discarded stays; of one that was so before none is written. What
    another paper became that is in no list, an export need not look at."""
    add_references(desk.store, ["2402.00002"])
    desk.export()
    add_references(desk.store, ["2402.00001"], category=("Serving",))
    desk.edit("2402.00001", "title=A Stranger")
    desk.export()
    written = desk.read()
    assert "2402.00001" in written
    set_decision(desk.store, [desk.id("2402.00001")], "discarded")
    desk.export()
    set_rating(desk.store, [desk.id("2402.00002")], 4)
    desk.export()
    assert desk.read() == written
    desk.undo(4)
    assert desk.read() == README
    desk.redo(4)
    assert desk.read() == written


def test_a_row_that_an_export_wrote_on_the_way_goes_when_all_is_done_again(desk: Desk) -> None:
    """A paper that was discarded before any export has no row, though it had one for a while."""
    add_references(desk.store, ["2402.00001"], category=("Serving",))
    desk.edit("2402.00001", "title=A Stranger")
    add_references(desk.store, ["2402.00002"])
    set_decision(desk.store, [desk.id("2402.00001")], "discarded")
    set_rating(desk.store, [desk.id("2402.00002")], 4)
    desk.export()
    assert desk.read() == README
    desk.undo(2)
    assert "A Stranger" in desk.read()
    desk.redo()
    desk.redo()
    assert desk.read() == README


LONG = (
    pytest.param(140, id="a paper with two rows was moved and removed"),
    pytest.param(109, id="a row could not move to a list"),
    pytest.param(255, id="an entry was elsewhere meanwhile under the same number"),
    pytest.param(308, id="a row was first of its paper's and then the second"),
)
"""Each takes seconds: `make test-whole` does them all."""


@pytest.mark.parametrize("seed", LONG if WHOLE else LONG[:1])
def test_no_row_is_lost_or_doubled_on_the_way_back(seed: int) -> None:
    assert there_and_back(random.Random(seed).sample(range(10**9), 30)) == []

"""What a change took out of a text is put back where it was, or not at all."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.hunks import (
    Hunk,
    Unit,
    apply_hunks,
    hunk_at,
)

names = st.sampled_from(["a", "b", "c", "d", ""])
"""Few, so that places look alike."""
texts = st.lists(names, max_size=40)
rows = st.integers(min_value=2, max_value=30)


def units(*words: str) -> list[Unit]:
    return [Unit(word, f"{word}\n") for word in words]


def numbered(count: int) -> list[Unit]:
    return units(*map(str, range(count)))


def put_back(left: list[Unit], *hunks: Hunk) -> list[Unit]:
    result, lost = apply_hunks(left, hunks)
    assert not lost
    return result


@given(texts, st.data())
def test_what_was_taken_out_step_by_step_comes_back_as_it_was(
    words: list[str], data: st.DataObject
) -> None:
    now, hunks = units(*words), []
    steps = data.draw(st.integers(0, 4))
    for step in range(steps):
        top = data.draw(st.integers(0, len(now)))
        bottom = data.draw(st.integers(top, min(top + 3, len(now))))
        hunks.append(hunk_at(now, (top, bottom), order=step))
        now = now[:top] + now[bottom:]
    result, lost = apply_hunks(now, hunks)
    # Where all that is left around it is blank, a place is not believed.
    assert lost or [unit.name for unit in result] == words


@given(rows, st.data())
def test_what_was_taken_out_at_once_comes_back_as_it_was(count: int, data: st.DataObject) -> None:
    before = numbered(count)
    gone = data.draw(st.sets(st.integers(0, count - 1)))
    hunks = [hunk_at(before, (number, number + 1), order=number) for number in sorted(gone)]
    left = [unit for number, unit in enumerate(before) if number not in gone]
    assert put_back(left, *hunks) == before


@given(rows, rows, st.data())
def test_a_change_elsewhere_hides_no_place(above: int, below: int, data: st.DataObject) -> None:
    before = numbered(above + 1 + below)
    hunk = hunk_at(before, (above, above + 1), order=0)
    upper, lower = before[:above], before[above + 1 :]
    new = [Unit("new", "new\n")]
    at = data.draw(st.integers(0, above - 2))
    upper = upper[:at] + data.draw(st.sampled_from([[], new])) + upper[at + 1 :]
    after = data.draw(st.integers(2, below))
    lower = lower[:after] + data.draw(st.sampled_from([[], new])) + lower[after + 1 :]
    assert put_back(upper + lower, hunk) == [*upper, before[above], *lower]


@given(st.permutations(range(8)))
def test_a_list_that_was_sorted_anew_has_it_beside_a_neighbour_or_not_at_all(
    order: list[int],
) -> None:
    before = numbered(9)
    hunk = hunk_at(before, (4, 5), order=0)
    left = [*before[:4], *before[5:]]
    result, lost = apply_hunks([left[number] for number in order], [hunk])
    if not lost:
        place = result.index(before[4])
        beside = result[max(place - 2, 0) : place] + result[place + 1 : place + 3]
        assert {unit.name for unit in beside} & set(hunk.before[:4] + hunk.after[:4])


@pytest.mark.parametrize(
    ("left", "wanted"),
    [
        ("ab de", "abcde"),
        ("b d", "bcd"),
        ("axde", "axcde"),
        ("abxe", "abcxe"),
        ("xb y", None),
        ("dy", None),
        ("", None),
        ("xy", None),
    ],
)
def test_two_neighbours_say_where_a_place_is_and_one_does_not(
    left: str, wanted: str | None
) -> None:
    before = units(*"-abcde-")
    hunk = hunk_at(before, (3, 4), order=0)
    now = units(*left.replace(" ", ""))
    result, lost = apply_hunks(now, [hunk])
    assert (None if lost else "".join(unit.name for unit in result)) == wanted
    assert lost == (() if wanted else (hunk,))


def test_blank_lines_alone_are_no_neighbours() -> None:
    hunk = hunk_at(units(*"abc", "", "", "X", "", "", *"def"), (5, 6), order=0)
    assert apply_hunks(units("x", "", "", "", "", "y"), [hunk])[1] == (hunk,)


def test_of_places_that_are_alike_the_one_where_it_was_is_its_own() -> None:
    pattern = list("ab" * 30)
    for number in range(len(pattern)):
        before = units(*pattern[:number], "X", *pattern[number:])
        hunk = hunk_at(before, (number, number + 1), order=0)
        assert put_back(units(*pattern), hunk) == before


def test_the_nearest_neighbour_counts_for_more_than_several_others() -> None:
    before = units("a", "b", "c", "d", "e", "X", "f")
    hunk = hunk_at(before, (5, 6), order=0)
    now = units("a", "b", "c", "d", "new", "e", "f")
    assert put_back(now, hunk) == units("a", "b", "c", "d", "new", "e", "X", "f")


def test_an_edge_of_the_text_is_a_place_of_its_own() -> None:
    for before in (units("X"), units("X", "a"), units("a", "X")):
        number = before.index(Unit("X", "X\n"))
        hunk = hunk_at(before, (number, number + 1), order=0)
        assert put_back([unit for unit in before if unit.name != "X"], hunk) == before
    hunk = hunk_at(units("X", "a", "b"), (0, 1), order=0)
    assert put_back(units("new"), hunk) == units("X", "new")


def test_what_was_put_there_goes_when_the_old_returns() -> None:
    before = units("a", "b", "old", "c", "d")
    hunk = hunk_at(before, (2, 3), order=0, gone=["new"])
    after = units("a", "b", "new", "c", "d")
    assert put_back(after, hunk) == before
    assert put_back(units("new", "x", "a", "b", "new", "c", "d"), hunk) == [
        *units("new", "x"),
        *before,
    ]
    # Something else by now: what was there before it does not come back.
    assert apply_hunks(units("a", "b", "newer", "c", "d"), [hunk])[1] == (hunk,)


def test_what_was_added_goes_and_what_is_no_longer_there_is_gone_already() -> None:
    hunk = hunk_at(units("a", "b", "c", "d"), (2, 2), order=0, gone=["new"])
    assert put_back(units("a", "b", "new", "c", "d"), hunk) == units("a", "b", "c", "d")
    assert put_back(units("a", "b", "c", "d"), hunk) == units("a", "b", "c", "d")
    # Another one of that name among other neighbours stays.
    assert put_back(units("b", "new", "x"), hunk) == units("b", "new", "x")
    assert put_back(units("new", "x", "y"), hunk) == units("new", "x", "y")


def test_what_a_text_may_hold_once_is_not_put_there_twice() -> None:
    sole = Unit("[1]", "[1]: x\n", is_sole=True)
    hunk = hunk_at([*units("a", "b"), sole, *units("c")], (2, 3), order=0)
    again = [*units("a", "b", "c"), replace(sole, text="[1]: other\n")]
    assert put_back(again, hunk) == again


def test_of_several_lines_those_that_are_not_there_again_come_back() -> None:
    soles = [Unit(f"[{n}]", f"[{n}]: x\n", is_sole=True) for n in range(3)]
    hunk = hunk_at([*units("a", "b"), *soles, *units("c")], (2, 5), order=0)
    by_hand = replace(soles[1], text="[1]: other\n")
    again = put_back([*units("a", "b", "c"), by_hand], hunk)
    assert again == [*units("a", "b"), soles[0], soles[2], *units("c"), by_hand]

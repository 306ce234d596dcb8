"""The lines of logs, and what they say together: whatever order they come in."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from papertrack.store.share.fold import Registers, apply, contradictions, is_present, resolve_all
from papertrack.store.share.lines import Act, Line, deliverable, parse_line, read_lines, to_text

VALUES = st.one_of(
    st.none(),
    st.text(),
    st.integers(),
    st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2),
    st.lists(st.text(max_size=3), max_size=2),
)
CELLS = st.sampled_from(
    ["papers/title", "paper_states/passes_done", "paper_states/rating", "tags/moe", "present"]
)
DEVICES = ("alice", "bob", "job")


def value_of(cell: str, number: int) -> Any:
    """Something that could stand in a cell; nothing now and then."""
    if number % 4 == 0:
        return None if cell != "paper_states/passes_done" else 0
    if cell == "present":
        return True
    return {"tag": "moe"} if cell == "tags/moe" else number


@st.composite
def histories(draw: st.DrawFn) -> list[Line]:
    """What three devices said of one thing, each knowing what it had read by then."""
    said: list[Line] = []
    known: dict[str, list[Line]] = {device: [] for device in DEVICES}
    steps = st.tuples(st.sampled_from(DEVICES), st.sampled_from(DEVICES), CELLS, st.integers(1, 9))
    for device, other, cell, number in draw(st.lists(steps, max_size=12)):
        if device != other:
            known[device] += [line for line in known[other] if line not in known[device]]
            continue
        saw: dict[str, int] = {}
        for line in known[device]:
            name = line.act.device
            saw[name] = max(saw.get(name, 0), line.act.number)
        act = Act(1 + max(saw.values(), default=0), device)
        changes = {cell: (None, value_of(cell, number))}
        line = Line(act, "2026-11-20T08:00:00Z", saw, "edit", "arxiv:1706.03762", changes)
        said.append(line)
        known[device].append(line)
    return said


def folded(lines: list[Line]) -> Registers:
    registers: Registers = {}
    saw = {line.act: line.saw for line in lines}
    for line in lines:
        apply(registers, line, lambda act: saw[act])
    return registers


@given(histories(), st.randoms())
def test_the_order_in_which_lines_come_never_matters(lines: list[Line], random: Any) -> None:
    shuffled = random.sample(lines, len(lines))
    ready, waiting = deliverable(shuffled, {})
    assert not waiting
    again = folded(ready)
    assert again == folded(sorted(lines, key=lambda line: line.act))
    # Any other order in which each comes after what its writer knew.
    left, other = list(shuffled), []
    reached: dict[str, int] = {}
    while left:
        line = next(x for x in left if all(reached.get(d, 0) >= n for d, n in x.saw.items()))
        left.remove(line)
        other.append(line)
        reached[line.act.device] = line.act.number
    assert folded(other) == again


@given(histories(), st.randoms())
def test_lines_that_come_twice_say_nothing_more(lines: list[Line], random: Any) -> None:
    once = folded(lines)
    again = folded(lines + [random.choice(lines) for _ in lines])
    assert again == once


@given(histories(), st.integers(0, 2000))
def test_a_cut_log_says_what_its_whole_lines_say(lines: list[Line], cut: int) -> None:
    data = "".join(map(to_text, lines)).encode()[:cut]
    read = read_lines(data)
    assert list(read.lines) == lines[: len(read.lines)]
    assert not read.unreadable
    assert data[read.length :].count(b"\n") == 0


@given(histories(), st.integers(0, 11))
def test_what_stands_on_a_missing_line_waits_for_it(lines: list[Line], place: int) -> None:
    missing = lines[place : place + 1]
    rest = [line for line in lines if line not in missing]
    ready, waiting = deliverable(rest, {})
    assert sorted([*ready, *waiting, *missing], key=lambda x: x.act) == sorted(
        lines, key=lambda x: x.act
    )
    for line in missing:
        assert all(not one.has_seen(line.act) for one in ready)
        assert all(one.has_seen(line.act) for one in waiting)


@given(
    st.dictionaries(st.text(min_size=1), st.tuples(VALUES, VALUES), max_size=3),
    st.text(),
    st.dictionaries(st.sampled_from(DEVICES), st.integers(1, 99)),
)
def test_a_line_is_read_as_it_was_written(
    changes: dict[str, tuple[Any, Any]], words: str, saw: dict[str, int]
) -> None:
    line = Line(Act(7, "bob"), "2026-11-20T08:00:00+01:00", saw, "pass", "doi:10.1/x", changes)
    text = to_text(line)
    assert text.count("\n") == 1
    assert text.endswith("\n")
    assert parse_line(text[:-1]) == line
    said = to_text(Line(Act(7, "bob"), line.at, saw, "pass", "doi:10.1/x", changes, words))
    assert parse_line(said[:-1]) is not None
    assert len(said.splitlines()) == 1


def test_what_is_no_line_is_told_and_stops_nothing() -> None:
    good = to_text(Line(Act(1, "bob"), "2026-11-20T08:00:00Z", {}, "tag", "arxiv:1", {}))
    found = read_lines(("<<<<<<< HEAD\n" + good + "=======\n{}\n" + good[:40] + "\n").encode())
    assert len(found.lines) == 1
    assert len(found.unreadable) == 4


def said_by(device: str, cell: str, value: Any, number: int = 2, **saw: int) -> Line:
    at = "2026-11-20T08:00:00Z"
    return Line(Act(number, device), at, {"start": 1, **saw}, "edit", "t", {cell: (None, value)})


START = Line(Act(1, "start"), "2026-11-20T08:00:00Z", {}, "add", "t", {"present": (None, True)})


def test_two_ratings_that_did_not_know_of_each_other_are_a_contradiction_until_settled() -> None:
    both = [
        START,
        said_by("alice", "paper_states/rating", 4),
        said_by("bob", "paper_states/rating", 2),
    ]
    registers = folded(both)
    assert contradictions(registers) == ["paper_states/rating"]
    settled = folded([*both, said_by("alice", "paper_states/rating", 4, 3, alice=2, bob=2)])
    assert contradictions(settled) == []
    assert resolve_all(settled)["paper_states/rating"] == 4


def test_the_highest_pass_of_both_sides_counts() -> None:
    registers = folded(
        [
            START,
            said_by("alice", "paper_states/passes_done", 3),
            said_by("bob", "paper_states/passes_done", 1),
        ]
    )
    assert resolve_all(registers)["paper_states/passes_done"] == 3
    assert contradictions(registers) == []


def test_what_was_worked_on_unseen_survives_its_removal() -> None:
    removed = said_by("alice", "present", None)
    assert not is_present(folded([START, removed]))
    worked_on = folded([START, removed, said_by("bob", "tags/moe", {"tag": "moe"})])
    assert is_present(worked_on)
    assert resolve_all(worked_on)["tags/moe"] == {"tag": "moe"}


def test_a_decision_counts_more_than_the_inbox() -> None:
    registers = folded(
        [
            START,
            said_by("alice", "paper_states/decision", "discarded"),
            said_by("job", "paper_states/decision", "inbox"),
        ]
    )
    assert resolve_all(registers)["paper_states/decision"] == "discarded"
    assert contradictions(registers) == []

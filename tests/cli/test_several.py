"""Commands on many papers: named, read from stdin, or found by a query; all in one action."""

import json
from pathlib import Path

import pytest

from tests.cli.commands import Command

IDS = ("2401.00001", "2401.00002", "2401.00003", "2401.00004")


@pytest.fixture
def shelf(papertrack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library with four papers, of which only the ids are known; one is discarded."""
    folder = tmp_path / "library"
    papertrack("init", folder)
    monkeypatch.chdir(folder)
    papertrack("add", "--offline", *IDS)
    papertrack("discard", IDS[3])
    return folder


def of_all(papertrack: Command, key: str) -> list[object]:
    papers = json.loads(papertrack("list", "--all", "--sort", "id", "--json").out)
    return [paper[key] for paper in papers]


def actions(papertrack: Command) -> int:
    return len(json.loads(papertrack("log", "--json").out))


CHANGES = {
    "tag": (("+few", "-old"), "tags", ["few"]),
    "move": (("--category", "Serving"), "categories", ["Serving"]),
    "pass": (("1",), "passes_done", 1),
    "save": ((), "decision", "saved"),
    "discard": ((), "decision", "discarded"),
}
"""Command → what follows the papers, and what each of them then has."""


def test_several_papers_are_changed_in_one_action(papertrack: Command, shelf: Path) -> None:
    for verb, (more, key, value) in CHANGES.items():
        before, done = of_all(papertrack, key), actions(papertrack)
        ran = papertrack(verb, *IDS[1:], *more, "--json")
        assert ran.code == 0, ran.err
        assert of_all(papertrack, key) == [before[0], value, value, value]
        assert actions(papertrack) == done + 1
        papertrack("undo")
        assert of_all(papertrack, key) == before


def test_papers_come_from_stdin_or_a_query_too(papertrack: Command, shelf: Path) -> None:
    for verb, (more, key, value) in CHANGES.items():
        before = of_all(papertrack, key)
        ran = papertrack(verb, "-", *more, stdin=f"{IDS[0]}\n\n{IDS[2]}\n")
        assert ran.code == 0, ran.err
        assert [of_all(papertrack, key)[n] for n in (0, 2)] == [value, value]
        if verb != "save":  # They are saved already.
            papertrack("undo")
        ran = papertrack(verb, "--query", "is:paper", "--yes", *more)
        assert ran.code == 0, ran.err
        assert of_all(papertrack, key) == [value, value, value, before[3]]
        if verb != "save":
            papertrack("undo")


def test_a_dry_run_asks_nothing_and_changes_nothing(papertrack: Command, shelf: Path) -> None:
    for verb in CHANGES:
        more, key, _ = CHANGES[verb]
        before = of_all(papertrack, key)
        ran = papertrack(verb, "--query", "is:paper", "--dry-run", "--json", *more)
        assert ran.code == 0, ran.err
        assert json.loads(ran.out)["dry_run"]
        assert of_all(papertrack, key) == before, verb


def test_nobody_to_ask_is_no_yes(papertrack: Command, shelf: Path) -> None:
    for verb in CHANGES:
        before = of_all(papertrack, CHANGES[verb][1])
        ran = papertrack(verb, "--query", "is:paper", *CHANGES[verb][0])
        assert ran.code == 2, verb
        assert "3 papers" in ran.err
        assert "-y" in ran.err
        assert of_all(papertrack, CHANGES[verb][1]) == before, verb


@pytest.mark.parametrize(("answer", "code"), [(True, 0), (False, 1)])
def test_a_query_is_shown_and_asked_about(
    papertrack: Command, shelf: Path, monkeypatch: pytest.MonkeyPatch, answer: bool, code: int
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("papertrack.cli.output.can_choose", lambda: True)
    monkeypatch.setattr("click.confirm", lambda text, **how: asked.append(text) or answer)
    ran = papertrack("save", "--query", "is:paper")
    assert ran.code == code
    assert IDS[0] in ran.out
    assert "3 papers" in asked[0]


def test_where_one_reference_is_wrong_none_is_changed_and_all_wrong_ones_are_named(
    papertrack: Command, shelf: Path
) -> None:
    for verb in CHANGES:
        more, key, _ = CHANGES[verb]
        before = of_all(papertrack, key)
        ran = papertrack(verb, IDS[0], "nobody2020one", IDS[1], "nobody2020two", *more)
        assert ran.code == 3, verb
        assert "'nobody2020one'" in ran.err
        assert "'nobody2020two'" in ran.err
        assert of_all(papertrack, key) == before, verb


def test_a_query_that_finds_nothing_is_nothing_to_do(papertrack: Command, shelf: Path) -> None:
    for verb in CHANGES:
        ran = papertrack(verb, "--query", "title:zebra", *CHANGES[verb][0])
        assert (ran.code, ran.err) == (0, "Nothing to do.\n")


def test_no_paper_at_all_is_a_mistake(papertrack: Command, shelf: Path) -> None:
    for verb in ["save", "discard", "pass"]:
        ran = papertrack(verb)
        assert ran.code == 2, verb
        assert "--query" in ran.err


def test_the_pass_that_is_due_is_each_papers_own(papertrack: Command, shelf: Path) -> None:
    papertrack("pass", IDS[0], "2")
    marks = json.loads(papertrack("pass", IDS[0], IDS[1], "--json").out)["papers"]
    assert [(mark["pass"], mark["passes_done"]) for mark in marks] == [(3, 3), (1, 1)]
    papertrack("pass", IDS[0], IDS[1], "--undo")
    assert of_all(papertrack, "passes_done")[:2] == [2, 0]
    assert papertrack("pass", IDS[0], IDS[1], "--undo").code == 2


def test_a_number_behind_papers_is_a_pass_and_nothing_else(
    papertrack: Command, shelf: Path
) -> None:
    ran = papertrack("pass", IDS[0], "4")
    assert ran.code == 2
    assert "no pass 4" in ran.err
    assert of_all(papertrack, "passes_done") == [0, 0, 0, 0]


def test_a_pass_of_no_paper_is_refused(papertrack: Command, shelf: Path) -> None:
    for number in ["1", "2", "3"]:
        ran = papertrack("pass", number)
        assert ran.code == 2, number
        assert f"papertrack pass REF {number}" in ran.err
        assert of_all(papertrack, "passes_done") == [0, 0, 0, 0]


def test_tags_without_a_sign_stand_behind_one_paper(papertrack: Command, shelf: Path) -> None:
    papertrack("tag", IDS[0], "few", "many")
    papertrack("tag", IDS[0], "-few", "more")
    assert of_all(papertrack, "tags")[:2] == [["many", "more"], []]


def test_leaving_a_category_that_one_is_not_in_moves_none(papertrack: Command, shelf: Path) -> None:
    papertrack("move", IDS[0], "--category", "Here")
    ran = papertrack("move", IDS[0], IDS[1], "--category", "There", "--from", "Here")
    assert ran.code == 3
    assert of_all(papertrack, "categories")[:2] == [["Here"], []]

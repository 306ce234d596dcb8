"""`undo` takes back what was done here; what was done elsewhere it names first."""

import json
import os
import pty
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from papertrack.actions import triage
from papertrack.queries.parser import parse_query
from papertrack.store.listing import find_ids
from papertrack.store.store import Store
from tests.cli.commands import Command

pytestmark = pytest.mark.usefixtures("shelf")
NOW = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)
SITTING = "papertrack.store.journal.current_session"


def tags(papertrack: Command) -> list[str]:
    return [one["tag"] for one in json.loads(papertrack("tag", "--json").out)]


@pytest.fixture
def elsewhere(papertrack: Command, shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something was done at another terminal."""
    with monkeypatch.context() as there:
        there.setattr(SITTING, lambda: "another")
        assert papertrack("tag", "zero", "+theirs").code == 0


def test_what_was_done_here_is_taken_back_at_once(papertrack: Command) -> None:
    papertrack("tag", "zero", "+mine")
    assert papertrack("undo").code == 0
    assert tags(papertrack) == []


@pytest.mark.usefixtures("elsewhere")
def test_without_a_terminal_what_was_done_elsewhere_is_named_and_left(
    papertrack: Command,
) -> None:
    ran = papertrack("undo")
    assert ran.code == 2
    assert "theirs" in ran.err
    number = json.loads(papertrack("log", "--json", "--limit", "1").out)[0]["id"]
    assert f"papertrack undo {number}" in ran.err
    assert tags(papertrack) == ["theirs"]
    # Neither asking by its number nor a dry run needs more words.
    assert papertrack("undo", "--dry-run").code == 0
    assert papertrack("undo", str(number)).code == 0
    assert tags(papertrack) == []


@pytest.mark.usefixtures("elsewhere")
def test_yes_takes_back_whoever_did_it(papertrack: Command) -> None:
    assert papertrack("undo", "--yes").code == 0
    assert tags(papertrack) == []


def test_what_the_terminal_ui_did_is_named_with_its_verb_once(
    papertrack: Command, shelf: Path
) -> None:
    with Store.open(shelf / "data" / "papertrack.db", now=lambda: NOW) as store:
        (zero,) = find_ids(store, parse_query("zero"), order="id")
        triage.decide(store, [zero], "discarded")
    assert "\tdiscard\tzero\n" in papertrack("log", "--limit", "1").out
    assert papertrack("undo", "--yes").err.startswith("Undone: discard zero (action ")


def test_scripts_take_back_what_they_did_days_ago(
    papertrack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    papertrack("tag", "zero", "+old")
    monkeypatch.setenv("PAPERTRACK_NOW", "2026-03-05T09:30:00+00:00")
    assert papertrack("undo").code == 0
    assert tags(papertrack) == []


@pytest.mark.parametrize(("answer", "left"), [(b"y\n", []), (b"n\n", ["theirs"])])
@pytest.mark.usefixtures("elsewhere")
def test_on_a_terminal_it_asks(papertrack: Command, answer: bytes, left: list[str]) -> None:
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "papertrack", "undo"]
    with subprocess.Popen(command, stdin=slave, stderr=subprocess.PIPE) as asked:
        os.close(slave)
        os.write(master, answer)
        _, told = asked.communicate(timeout=60)
    os.close(master)
    assert b"theirs" in told
    assert tags(papertrack) == left


def test_an_action_that_changed_nothing_leaves_no_sitting(papertrack: Command) -> None:
    papertrack("tag", "zero", "+a")
    papertrack("tag", "zero", "+a")
    assert papertrack("undo").code == 0
    assert Path("data/papertrack.db").exists()
    assert papertrack("doctor").code in (0, 5)

"""``papertrack doctor``: each damage is told in a sentence, and what is safe is repaired."""

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.commands import Command, Ran
from tests.cli.test_backup import DAMAGES, DATABASE

pytestmark = pytest.mark.usefixtures("shelf")


def parts(ran: Ran) -> list[str]:
    return [finding["part"] for finding in json.loads(ran.out)["findings"]]


def run_sql(*statements: str) -> None:
    with closing(sqlite3.connect(DATABASE, isolation_level=None)) as database:
        database.create_function("indexed_form", 1, str)
        for statement in statements:
            database.execute(statement)


def test_nothing_is_wrong_with_a_sound_library(papertrack: Command) -> None:
    ran = papertrack("doctor", "--json")
    assert (ran.code, parts(ran)) == (0, [])
    assert "nothing is wrong" in papertrack("doctor").err


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_every_damage_of_the_database_is_told_with_the_way_back(
    papertrack: Command, damage: Callable[[], None]
) -> None:
    papertrack("backup")
    damage()
    before = DATABASE.read_bytes() if DATABASE.exists() else None
    for arguments in (["doctor"], ["doctor", "--repair"]):
        ran = papertrack(*arguments, "--json")
        assert (ran.code, parts(ran)) == (5, ["database"]), ran.err
    assert before == (DATABASE.read_bytes() if DATABASE.exists() else None)
    assert papertrack("restore").code == 0
    assert papertrack("doctor").code == 0


@pytest.mark.parametrize(
    "harm",
    ["INSERT INTO search (search) VALUES ('delete-all')", "DELETE FROM search_data WHERE id > 10"],
    ids=["empty", "torn"],
)
def test_a_broken_search_index_is_made_anew(papertrack: Command, harm: str) -> None:
    run_sql(harm)
    assert parts(papertrack("doctor", "--json")) == ["search"]
    assert papertrack("doctor", "--repair", "--dry-run").code == 5
    assert papertrack("doctor", "--repair").code == 0
    assert "zero" in papertrack("list", "memory").out
    assert papertrack("doctor").code == 0


def test_a_planted_trigger_is_told(papertrack: Command) -> None:
    run_sql("CREATE TRIGGER evil AFTER UPDATE ON papers BEGIN DELETE FROM tags; END")
    ran = papertrack("doctor", "--repair", "--json")
    assert (ran.code, parts(ran)) == (5, ["database"])
    assert "trigger evil" in ran.out


def test_rows_of_papers_that_are_gone_are_told(papertrack: Command) -> None:
    run_sql(
        "UPDATE journal_state SET action_id = (SELECT max(id) FROM actions)",
        "INSERT INTO notes (paper_id, path) VALUES (999, 'x')",
        "UPDATE journal_state SET action_id = NULL",
    )
    ran = papertrack("doctor")
    assert ran.code == 5
    assert "Rows of notes" in ran.out


def test_a_document_that_is_lost_or_unreadable_is_told(papertrack: Command) -> None:
    Path("README.md").write_text("- [A paper](https://arxiv.org/abs/2401.00001)\n")
    Path("main.bib").write_text("@article{one, title = {One}}\n")
    papertrack("import", "README.md", "main.bib")
    assert papertrack("doctor").code == 0
    Path("README.md").write_bytes(b"\xff\xff\xff")
    Path("main.bib").unlink()
    assert parts(papertrack("doctor", "--json")) == ["document", "document"]


def test_a_lost_note_is_told(papertrack: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "true")
    papertrack("note", "zero")
    notes = list(Path("notes").iterdir())
    assert papertrack("doctor").code == 0
    for note in notes:
        note.unlink()
    assert parts(papertrack("doctor", "--json")) == ["note"] * len(notes) != []


def test_a_damaged_backup_is_told_and_that_there_is_none(papertrack: Command) -> None:
    os.utime("papertrack.toml", (0, 0))
    assert "There is no backup" in papertrack("doctor").out
    papertrack("backup")
    assert papertrack("doctor").code == 0
    (backup,) = Path("data/backups").iterdir()
    backup.write_bytes(backup.read_bytes()[:9999])
    assert parts(papertrack("doctor", "--json")) == ["backup"]


def test_what_killed_runs_left_is_told_and_removed(papertrack: Command) -> None:
    left = Path(".README.md.papertrack-999999999.abc")
    left.touch()
    assert parts(papertrack("doctor", "--json")) == ["leftover"]
    assert left.exists()
    assert papertrack("doctor", "--repair").code == 0
    assert not left.exists()

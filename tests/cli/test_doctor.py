"""``papertrack doctor``: each damage is told in a sentence, and what is safe is repaired."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.commands import Command, Ran
from tests.cli.test_backup import DATABASE

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


@pytest.mark.parametrize("wrong", ["CAST(x'5BFF42' AS TEXT)", "'[no list'"])
def test_a_wrong_letter_in_a_paper_is_told_and_nothing_is_repaired_by_it(
    papertrack: Command, wrong: str
) -> None:
    papertrack("backup")
    run_sql(
        "UPDATE journal_state SET last_paper_id = -1",
        f"UPDATE papers SET arxiv_categories = {wrong} WHERE id = 1",
    )
    before = DATABASE.read_bytes()
    for arguments in (["doctor"], ["doctor", "--repair"]):
        ran = papertrack(*arguments, "--json")
        assert (ran.code, parts(ran)) == (5, ["database"]), ran.err
        assert "papertrack backup --restore" in ran.out
    assert before == DATABASE.read_bytes()
    assert papertrack("restore").code == 0
    assert papertrack("doctor").code == 0


@pytest.mark.parametrize("wrong", ["CAST(x'5BFF42' AS TEXT)", "'[no list'"])
def test_a_backup_with_a_wrong_letter_is_not_put_back_while_an_older_one_can_be_read(
    papertrack: Command, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    for day, harm in enumerate(("arxiv_categories", wrong), 1):
        monkeypatch.setenv("PAPERTRACK_NOW", f"2026-03-0{day}T09:00:00+00:00")
        run_sql(
            "UPDATE journal_state SET last_paper_id = -1",
            f"UPDATE papers SET arxiv_categories = {harm} WHERE id = 1",
        )
        assert papertrack("backup").code == 0
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


def test_an_index_that_says_something_else_than_the_papers_is_told_and_made_anew(
    papertrack: Command,
) -> None:
    columns = "title, authors, abstract, takeaways, tags, notes"
    run_sql(f"INSERT INTO search (rowid, {columns}) VALUES (1, 'another', '', '', '', '', '')")
    assert parts(papertrack("doctor", "--json")) == ["search"]
    assert papertrack("doctor", "--repair").code == 0
    assert papertrack("list", "another").out == ""


def test_a_lost_note_comes_back_as_it_was_last_read(
    papertrack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "true")
    papertrack("note", "zero")
    note = Path("notes/zero.md")
    note.write_text("# Mine\n\nYears of precious remarks.\n")
    papertrack("note", "zero")
    kept = note.read_bytes()
    note.unlink()
    assert "--repair" in papertrack("doctor").out
    assert papertrack("doctor", "--repair").code == 0
    assert note.read_bytes() == kept
    note.unlink()
    assert papertrack("note", "zero").code == 0
    assert note.read_bytes().startswith(kept)


def test_an_unreadable_intent_is_told_then_kept_as_a_file(papertrack: Command) -> None:
    left = Path("data/intents/1234.intent")
    left.parent.mkdir(exist_ok=True)
    left.write_bytes(b"not an intent")
    assert parts(papertrack("doctor", "--json")) == ["interrupted"]
    assert papertrack("doctor", "--repair").code == 0
    (aside,) = left.parent.glob("1234.intent.*unreadable")
    assert aside.read_bytes() == b"not an intent"
    assert not left.exists()


def test_a_folder_named_like_an_unreadable_intent_stops_no_repair(papertrack: Command) -> None:
    planted = Path("data/intents/1234.intent")
    for name in ("1234.intent", "1234.intent.unreadable"):
        (planted.with_name(name) / "full").mkdir(parents=True)
    assert papertrack("doctor", "--repair").code == 0
    assert not planted.exists()


def test_an_old_copy_that_was_put_back_is_told(papertrack: Command) -> None:
    old = DATABASE.read_bytes()
    papertrack("tag", "zero", "+precious")
    papertrack("backup")
    assert papertrack("doctor").code == 0
    DATABASE.write_bytes(old)
    ran = papertrack("doctor")
    assert ran.code == 5
    assert "older than its backup" in ran.out
    assert papertrack("restore").code == 0
    assert papertrack("doctor").code == 0
    assert "precious" in papertrack("tag").out


def test_a_lost_database_is_told_with_both_ways_back(papertrack: Command) -> None:
    papertrack("backup")
    DATABASE.unlink()
    for command in ("list", "doctor"):
        ran = papertrack(command)
        assert ran.code in (3, 5)
        assert "papertrack backup --restore" in ran.out + ran.err
        assert "papertrack import" in ran.out + ran.err


def test_a_schedule_that_starts_what_is_gone_is_told(
    papertrack: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "shutil.which", lambda name, *_: "/usr/bin/systemctl" if name == "systemctl" else None
    )
    from papertrack.actions.watch import schedule as install

    monkeypatch.setattr(install, "run_program", lambda *_: "")
    assert papertrack("watch", "install", "--systemd", "--yes").code == 0
    (unit,) = (home / ".config/systemd/user").glob("*.service")
    unit.write_text(unit.read_text().replace("ExecStart=", 'ExecStart="/gone/papertrack" #'))
    ran = papertrack("doctor", "--json")
    assert parts(ran) == ["schedule"]
    assert "/gone/papertrack" in ran.out


def test_a_watch_that_came_to_no_end_or_could_not_look_is_told(papertrack: Command) -> None:
    run_sql(
        "INSERT INTO watch_runs (id, at, day) "
        "VALUES (1, '2026-02-27T04:00:00+00:00', '2026-02-27')",
        "INSERT INTO watch_looks (run_id, category, state, announced, unseen) "
        "VALUES (1, 'cs.LG', 'could-not-look', 0, 0)",
    )
    assert parts(papertrack("doctor", "--json")) == ["schedule", "schedule"]


def test_compacting_gives_back_what_nothing_uses_and_loses_nothing(papertrack: Command) -> None:
    run_sql(
        "CREATE TABLE refuse (text)",
        "INSERT INTO refuse SELECT hex(randomblob(2000)) FROM json_each(json_array(1, 2, 3, 4))",
        "DROP TABLE refuse",
    )
    before, listed = DATABASE.stat().st_size, papertrack("list", "--json").out
    tried = papertrack("doctor", "--compact", "--dry-run", "--json")
    assert DATABASE.stat().st_size == before
    ran = papertrack("doctor", "--compact", "--json")
    sizes = json.loads(ran.out)["compacted"]
    assert (ran.code, sizes["before"], sizes["after"]) == (0, before, DATABASE.stat().st_size)
    assert DATABASE.stat().st_size < before
    assert json.loads(tried.out)["compacted"] == sizes
    assert papertrack("list", "--json").out == listed
    assert papertrack("undo").code == papertrack("redo").code == 0
    assert papertrack("doctor").code == 0


def test_a_damaged_database_is_not_compacted(papertrack: Command) -> None:
    with DATABASE.open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 5000)
    before = DATABASE.read_bytes()
    ran = papertrack("doctor", "--compact", "--json")
    assert (ran.code, json.loads(ran.out)["compacted"]) == (5, None)
    assert DATABASE.read_bytes() == before

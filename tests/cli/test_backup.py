"""The way back from damage: a backup, and what is put back, whatever became of the database."""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from papertrack.store.store import SCHEMA_VERSION
from tests.cli.commands import Command

DATABASE = Path("data/papertrack.db")


def overwrite(start: int, end: int, value: bytes) -> Callable[[], None]:
    def damage() -> None:
        content = bytearray(DATABASE.read_bytes())
        content[start:end] = value * (end - start)
        DATABASE.write_bytes(content)

    return damage


def cut(keep: int) -> Callable[[], None]:
    return lambda: DATABASE.write_bytes(DATABASE.read_bytes()[:keep]) and None


def not_a_database() -> None:
    DATABASE.write_bytes(b"dear diary " * 999)


DAMAGES = {
    "a page of 0xff": overwrite(4096, 8192, b"\xff"),
    "four bad pages": overwrite(20480, 36864, b"\0"),
    "a bad header": overwrite(0, 40, b"x"),
    "cut in a page": cut(5000),
    "half a file": cut(100_000),
    "empty": cut(0),
    "not a database": not_a_database,
    "lost": DATABASE.unlink,
}
damaged = pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_each_damage_is_told_is_in_no_backup_and_goes_with_a_restore(
    papertrack: Command, shelf: Path, damage: Callable[[], None]
) -> None:
    before = papertrack("list", "--json").out
    made = json.loads(papertrack("backup", "--json").out)
    assert made["papers"] == 3
    content = Path(made["file"]).read_bytes()
    damage()
    left = DATABASE.read_bytes() if DATABASE.exists() else None
    for arguments in (["doctor"], ["doctor", "--repair"]):
        ran = papertrack(*arguments, "--json")
        found = [finding["part"] for finding in json.loads(ran.out)["findings"]]
        assert (ran.code, found) == (5, ["database"]), ran.err
    for arguments in (["backup"], ["backup", "copy.db"]):
        ran = papertrack(*arguments)
        assert ran.code in (1, 3)
        assert "internal error" not in ran.err
    assert [path.read_bytes() for path in Path("data/backups").iterdir()] == [content]
    assert not Path("copy.db").exists()
    assert left == (DATABASE.read_bytes() if DATABASE.exists() else None)
    done = papertrack("restore", "--json")
    assert done.code == 0, done.err
    restored = json.loads(done.out)
    assert restored["file"] == made["file"]
    assert (restored["kept"] is None) == (left is None)
    if left is not None:
        assert Path(restored["kept"]).read_bytes() == left
    assert papertrack("list", "--json").out == before
    assert papertrack("tag", "zero", "+few").code == 0
    assert papertrack("doctor").code == 0


def test_what_is_no_whole_library_is_not_restored(papertrack: Command, shelf: Path) -> None:
    papertrack("backup", "newer.db")
    with closing(sqlite3.connect("newer.db")) as newer:
        newer.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with closing(sqlite3.connect("songs.db")) as songs:
        songs.execute("CREATE TABLE songs (title TEXT)")
        songs.commit()
    papertrack("backup", "bad.db")
    bad = bytearray(Path("bad.db").read_bytes())
    bad[20480:36864] = bytes(16384)
    Path("bad.db").write_bytes(bad)
    Path("text.db").write_text("dear diary " * 99)
    Path("nothing.db").touch()
    before = DATABASE.read_bytes()
    for name in ("newer.db", "songs.db", "bad.db", "text.db", "nothing.db", "lost.db", "."):
        ran = papertrack("restore", name)
        assert ran.code in (1, 3), name
        assert "internal error" not in ran.err, name
    assert papertrack("restore", DATABASE).code == 2
    assert DATABASE.read_bytes() == before
    assert sorted(p.name for p in Path("data").iterdir() if "before" in p.name) == []


def test_a_backup_that_is_not_there_is_told_as_that(papertrack: Command, shelf: Path) -> None:
    ran = papertrack("restore", "latest")
    assert ran.code == 3
    assert "no file latest" in ran.err
    assert "data/backups" in ran.err


def test_a_damaged_newest_backup_is_passed_over_for_a_whole_one(
    papertrack: Command, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = json.loads(papertrack("backup", "--json").out)["file"]
    monkeypatch.setenv("PAPERTRACK_NOW", "2026-03-02T09:30:00+00:00")
    newest = Path(json.loads(papertrack("backup", "--json").out)["file"])
    newest.write_bytes(newest.read_bytes()[:9999])
    assert json.loads(papertrack("restore", "--json").out)["file"] == good


def test_without_a_backup_restore_says_so(papertrack: Command, shelf: Path) -> None:
    ran = papertrack("restore")
    assert ran.code == 3
    assert "no undamaged backup" in ran.err


def test_a_file_that_is_there_is_replaced_by_force_only(papertrack: Command, shelf: Path) -> None:
    Path("mine.db").write_text("mine")
    assert papertrack("backup", "mine.db").code == 5
    assert Path("mine.db").read_text() == "mine"
    assert papertrack("backup", "mine.db", "--force").code == 0
    assert papertrack("restore", "mine.db").code == 0
    for own in (DATABASE, "papertrack.toml"):
        assert papertrack("backup", own, "--force").code == 2


def test_a_dry_run_writes_nothing(papertrack: Command, shelf: Path) -> None:
    papertrack("backup", "copy.db")
    before = sorted(Path().rglob("*"))
    papertrack("backup", "--dry-run")
    assert "Dry run" in papertrack("restore", "copy.db", "--dry-run").err
    assert sorted(Path().rglob("*")) == before


def test_of_each_day_and_each_week_the_newest_backup_stays(
    papertrack: Command, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day in range(1, 31):
        for hour in ("08", "20") if day in (14, 20, 30) else ("20",):
            monkeypatch.setenv("PAPERTRACK_NOW", f"2026-06-{day:02}T{hour}:00:00+00:00")
            papertrack("backup")
    days = sorted(p.name[8:13] for p in Path("data/backups").iterdir())
    # Sundays are the 14th, 21st and 28th; the 24th to the 30th are the last days.
    assert days == [f"{day:02}T20" for day in (14, 21, *range(24, 31))]


def test_a_restore_waits_for_no_writer_and_changes_nothing_under_one(
    papertrack: Command, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papertrack.store.health.BUSY_TIMEOUT_SECONDS", 0)
    shutil.copy(DATABASE, "copy.db")
    before = DATABASE.read_bytes()
    with closing(sqlite3.connect(DATABASE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        ran = papertrack("restore", "copy.db")
        assert ran.code == 1
        assert "in use" in ran.err
        other.execute("ROLLBACK")
    assert DATABASE.read_bytes() == before


def test_who_has_the_old_database_open_writes_nothing_that_would_be_lost(
    papertrack: Command, shelf: Path
) -> None:
    papertrack("backup")
    with closing(sqlite3.connect(DATABASE)) as other:
        other.execute("SELECT count(*) FROM papers").fetchone()
        assert papertrack("restore").code == 0
        with pytest.raises(sqlite3.OperationalError):
            other.execute("PRAGMA user_version = 1")


def test_a_journal_that_a_killed_writer_left_is_not_played_into_what_is_restored(
    papertrack: Command, shelf: Path
) -> None:
    before = papertrack("list", "--json").out
    papertrack("backup")
    DATABASE.unlink()
    Path("data/papertrack.db-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" * 200)
    assert papertrack("restore").code == 0
    assert papertrack("list", "--json").out == before
    assert Path("data/papertrack.db.before-restore-1-journal").exists()


def backups() -> list[str]:
    return sorted(path.name for path in Path("data/backups").glob("*"))


def test_a_restore_after_a_killed_one_keeps_the_database_once(
    papertrack: Command, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papertrack("backup")
    with monkeypatch.context() as patch:
        patch.setattr("papertrack.actions.backups.write_file", _killed)
        assert papertrack("restore").code == 130
    assert papertrack("restore").code == 0
    assert len(list((shelf / "data").glob("*.before-restore-*"))) == 1


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_command_that_writes_makes_a_backup_a_day(
    papertrack: Command, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_at(day: str, *arguments: str) -> None:
        monkeypatch.setenv("PAPERTRACK_NOW", f"2026-03-{day}:00:00+00:00")
        assert papertrack(*arguments).code == 0

    os.utime("papertrack.toml", (1_772_352_000, 1_772_352_000))  # 2026-03-01T08:00:00Z
    run_at("02T07", "tag", "zero", "+few")
    run_at("02T09", "list")
    run_at("02T09", "tag", "zero", "+many", "--dry-run")
    assert backups() == []
    run_at("02T09", "tag", "zero", "+many")
    assert backups() == ["2026-03-02T090000Z.db"]
    run_at("03T08", "tag", "zero", "+more")
    assert len(backups()) == 1
    run_at("03T10", "tag", "zero", "+most")
    assert len(backups()) == 2


def test_a_large_library_is_backed_up_without_a_wait(
    papertrack: Command, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []
    monkeypatch.setattr("papertrack.actions.daily_backup._AT_ONCE", 1000)
    monkeypatch.setattr("subprocess.Popen", lambda command, **how: started.append(command))
    os.utime("papertrack.toml", (0, 0))
    papertrack("tag", "zero", "+few")
    assert backups() == []
    ((_, *command),) = started
    assert command == ["-P", "-m", "papertrack", "--library", str(Path.cwd()), "backup"]


def test_of_a_library_that_is_found_damaged_no_backup_is_made_and_the_reader_told(
    papertrack: Command, shelf: Path
) -> None:
    os.utime("papertrack.toml", (0, 0))
    with closing(sqlite3.connect(DATABASE)) as database:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'versions'"
        ((page,),) = database.execute(query).fetchall()
        ((size,),) = database.execute("PRAGMA page_size").fetchall()
    overwrite((page - 1) * size, page * size, b"\xff")()
    ran = papertrack("tag", "zero", "+few")
    assert ran.code == 0
    assert "No backup was made" in ran.err
    assert backups() == []


@pytest.mark.parametrize("table", ["papers", "paper_states", "authors", "identifiers", "search"])
def test_a_bad_page_never_ends_a_command_that_reads_in_an_internal_error(
    papertrack: Command, shelf: Path, table: str
) -> None:
    papertrack("backup")
    with closing(sqlite3.connect(DATABASE)) as database:
        ((size,),) = database.execute("PRAGMA page_size").fetchall()
        query = "SELECT rootpage FROM sqlite_schema WHERE tbl_name LIKE ? AND rootpage > 0"
        pages = [page for (page,) in database.execute(query, (f"{table}%",))]
    for page in pages:
        overwrite((page - 1) * size, page * size, b"\xff")()
    for line in ("list", "list --json", "show zero", "export --json -o -", "list memory"):
        ran = papertrack(*line.split())
        assert ran.code in (0, 1), line
        assert "internal error" not in ran.err, line
        if ran.code:
            assert "`papertrack backup --restore` restores its newest backup" in ran.err

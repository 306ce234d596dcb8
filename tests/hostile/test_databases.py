"""A stranger's database does no harm, whatever lies beside it (security.md, rows 2.1)."""

import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
from collections import namedtuple
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle
from pathlib import Path

import pytest

from papertrack.actions.make_library import open_library
from papertrack.errors import StoreError
from papertrack.importers import database
from papertrack.library import Library
from papertrack.library.surroundings import current_time
from tests.cli.commands import Command
from tests.corpus import in_turn
from tests.importers.zotero_library import make_desk, make_library

README = "# List\n\n- [x] [Paged Memory](https://arxiv.org/abs/2309.06180)\n"
MAGIC = bytes.fromhex("d9d505f920a163d7")


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file of the reader's."""
    path = tmp_path / "thesis.tex"
    path.write_text("years of work\n")
    return path


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of temporary files, in which nothing is left at the end."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    yield folder
    assert list(folder.glob("papertrack-*")) == []


def plant_journal(database: Path, victim: Path | None) -> Path:
    """Put a journal beside a database that SQLite plays back, and that names a file as its
    super-journal."""
    pages = database.stat().st_size // 4096
    head = MAGIC + struct.pack(">5I", 0, 0, pages, 512, 4096)
    journal = database.with_name(database.name + "-journal")
    name = os.fsencode(victim) if victim else b""
    end = struct.pack(">I", 0x40000000 // 4096 + 1) + name
    end += struct.pack(">2I", len(name), sum(name) & 0xFFFFFFFF) + MAGIC
    journal.write_bytes(head.ljust(512, b"\0") + (end if victim else b""))
    return journal


@pytest.fixture
def stranger(papertrack: Command, home: Path, tmp_path: Path) -> Path:
    """A library that was made elsewhere, in the current folder."""
    papertrack("init")
    (home / "README.md").write_text(README)
    assert papertrack("import", "README.md").code == 0
    clone = tmp_path / "clone"
    clone.mkdir()
    for name in ("papertrack.toml", "data", "README.md"):
        (home / name).rename(clone / name)
    os.chdir(clone)
    return clone / "data/papertrack.db"


def test_sqlite_deletes_what_such_a_journal_names(stranger: Path, victim: Path) -> None:
    """That the attack is one: without papertrack the file is gone."""
    plant_journal(stranger, victim)
    with closing(sqlite3.connect(stranger)) as connection:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    assert not victim.exists()


@in_turn(
    command=[
        *("list", "show 2309.06180", "pass 2309.06180 1", "pass 2309.06180 1 --dry-run"),
        *("doctor", "doctor --repair", "backup", "export --md", "restore", "init", "tag x +y"),
    ],
    is_trusted=[True, False],
)
def test_no_command_acts_on_the_journal_of_a_library(
    papertrack: Command, stranger: Path, victim: Path, command: str, is_trusted: bool
) -> None:
    if is_trusted:
        papertrack("trust")
    before = stranger.read_bytes()
    plant_journal(stranger, victim)
    ran = papertrack(*command.split())
    assert victim.exists()
    assert stranger.read_bytes() == before
    assert ran.code or command == "init", ran.err
    assert "Traceback" not in ran.err


def test_what_the_journal_names_is_said(papertrack: Command, stranger: Path, victim: Path) -> None:
    plant_journal(stranger, victim)
    ran = papertrack("list")
    assert "papertrack.db-journal names another file" in ran.err
    assert victim.name in ran.err


def test_the_terminal_ui_does_not_act_on_it(stranger: Path, victim: Path) -> None:
    plant_journal(stranger, victim)
    with pytest.raises(StoreError, match="names another file"):
        open_library(Library(stranger.parent.parent), now=lambda: current_time(os.environ))
    assert victim.exists()


@pytest.mark.parametrize("options", [[], ["--dry-run"]])
def test_an_import_does_not_act_on_it(
    papertrack: Command, tmp_path: Path, victim: Path, options: list[str]
) -> None:
    papertrack("init")
    zotero = make_desk(tmp_path / "Zotero")
    zotero.close()
    journal = plant_journal(zotero.folder / "zotero.sqlite", victim)
    ran = papertrack("import", zotero.folder, *options)
    assert victim.exists()
    assert ran.code == 1
    assert "names another file" in ran.err
    journal.unlink()
    assert papertrack("import", zotero.folder, *options).code == 0


@pytest.mark.parametrize("options", [[], ["--dry-run"]])
def test_a_restore_does_not_act_on_it(
    papertrack: Command, stranger: Path, victim: Path, tmp_path: Path, options: list[str]
) -> None:
    given = tmp_path / "given.db"
    shutil.copy(stranger, given)
    plant_journal(given, victim)
    ran = papertrack("restore", given, *options)
    assert victim.exists()
    assert ran.code == 1
    assert "names another file" in ran.err


def test_neither_do_restore_and_doctor_on_one_beside_a_backup(
    papertrack: Command, stranger: Path, victim: Path
) -> None:
    papertrack("backup")
    (backup,) = (stranger.parent / "backups").glob("*.db")
    plant_journal(backup, victim)
    assert "Remove it" in papertrack("doctor").out
    assert papertrack("restore").code
    assert victim.exists()


def test_an_import_takes_in_a_journal_that_names_nothing(
    papertrack: Command, tmp_path: Path
) -> None:
    papertrack("init")
    zotero = make_desk(tmp_path / "Zotero")
    zotero.connection.execute("PRAGMA cache_spill = 1")
    zotero.connection.execute("BEGIN")
    zotero.connection.execute("DELETE FROM items")
    database = zotero.folder / "zotero.sqlite"
    copy = tmp_path / "killed" / "zotero.sqlite"
    copy.parent.mkdir()
    # As a Zotero that is killed leaves both, when a part of what it wrote was in the file.
    zotero.connection.execute("PRAGMA cache_size = 1")
    zotero.connection.execute("CREATE TABLE filler AS SELECT randomblob(300000) AS x")
    for file in zotero.folder.glob("zotero.sqlite*"):
        shutil.copy(file, copy.with_name(file.name))
    assert copy.with_name("zotero.sqlite-journal").stat().st_size
    zotero.connection.execute("ROLLBACK")
    zotero.close()
    assert database.exists()
    before = {file.name: file.read_bytes() for file in copy.parent.iterdir()}
    report = json.loads(papertrack("import", copy, "--json").out)
    assert report["items"] == 19
    assert {file.name: file.read_bytes() for file in copy.parent.iterdir()} == before


def test_a_strangers_library_with_a_journal_is_read_as_a_copy_and_not_written(
    papertrack: Command, stranger: Path
) -> None:
    journal = plant_journal(stranger, None)
    before = stranger.read_bytes(), journal.read_bytes()
    ran = papertrack("list")
    assert "Paged Memory" in ran.out
    assert ran.code == 0
    ran = papertrack("pass", "2309.06180", "2")
    assert ran.code == 1
    assert "papertrack config --trust" in ran.err
    assert (stranger.read_bytes(), journal.read_bytes()) == before
    papertrack("trust")
    assert papertrack("pass", "2309.06180", "2").code == 0, "a killed run of one's own"
    assert not journal.exists()


@pytest.mark.parametrize("name", ["-journal", "-wal", "-shm"])
def test_what_lies_beside_is_no_link_or_pipe(
    papertrack: Command, stranger: Path, victim: Path, name: str
) -> None:
    beside = stranger.with_name(stranger.name + name)
    for make in (lambda: os.mkfifo(beside), lambda: beside.symlink_to(victim)):
        make()
        papertrack("trust")
        assert "not a plain file" in papertrack("pass", "2309.06180", "2").err
        papertrack("trust", "--forget")
        assert papertrack("pass", "2309.06180", "2").code == 1
        beside.unlink()
    assert victim.read_text() == "years of work\n"


def test_a_log_of_shared_memory_is_never_copied(papertrack: Command, tmp_path: Path) -> None:
    papertrack("init")
    zotero = make_desk(tmp_path / "Zotero")
    zotero.close()
    database = zotero.folder / "zotero.sqlite"
    with closing(sqlite3.connect(database)) as made:
        made.execute("PRAGMA journal_mode = WAL")
    # One that is full of nonsense; a log with nonsense is passed over, as SQLite does.
    database.with_name("zotero.sqlite-shm").write_bytes(b"\xff" * 32768)
    database.with_name("zotero.sqlite-wal").write_bytes(b"\xff" * 40000)
    assert json.loads(papertrack("import", database, "--json").out)["items"] == 19


def test_a_copy_is_bounded_by_what_is_free(
    papertrack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papertrack("init")
    zotero = make_desk(tmp_path / "Zotero")
    zotero.close()
    with (zotero.folder / "zotero.sqlite").open("r+b") as file:
        file.truncate(2**31)  # A file with a hole: it takes no room where it lies.
    monkeypatch.setattr("papertrack.foreign_database._free_space", lambda _: 2**32)
    ran = papertrack("import", zotero.folder)
    assert ran.code == 1
    assert "TMPDIR" in ran.err


@pytest.mark.parametrize("suffix", ["", "-journal", "-wal"])
def test_a_file_of_holes_is_not_copied(
    papertrack: Command, stranger: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.setattr("papertrack.foreign_database._free_space", lambda _: 2**40)
    shutil.copy(stranger, "given.db")
    beside = stranger.with_name(stranger.name + suffix)
    with (beside if suffix else Path("given.db")).open("ab") as file:
        file.truncate(2**33)
    monkeypatch.setattr("papertrack.foreign_database._copy_all", lambda *_: pytest.fail("copied"))
    ran = papertrack("list") if suffix else papertrack("backup", "--restore", "given.db")
    assert ran.code == 1
    assert "is larger than 4 GB" in ran.err


def test_a_database_that_says_it_is_enormous_is_refused(
    papertrack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papertrack("init")
    zotero = make_desk(tmp_path / "Zotero")
    zotero.close()
    usage = namedtuple("usage", "total used free")
    sizes = cycle([2**60, 1])
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(0, 0, next(sizes)))
    assert "pages" in papertrack("import", zotero.folder).err


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_a_copy_that_a_killed_run_left_is_removed(
    papertrack: Command, tmp_path: Path, temporary: Path
) -> None:
    papertrack("init")
    zotero = make_desk(tmp_path / "Zotero")
    zotero.close()
    database = zotero.folder / "zotero.sqlite"
    script = (
        "import os, sys; from pathlib import Path\n"
        "from papertrack.foreign_database import private_copy\n"
        "with private_copy(Path(sys.argv[1])):\n    os.kill(os.getpid(), 9)\n"
    )
    died = subprocess.run([sys.executable, "-c", script, database], check=False)
    assert died.returncode == -signal.SIGKILL
    assert len(list(temporary.glob("papertrack-copy-*"))) == 1
    assert papertrack("import", zotero.folder).code == 0


def test_nothing_in_a_schema_runs_or_fills_the_memory(papertrack: Command, tmp_path: Path) -> None:
    papertrack("init")
    zotero = make_desk(tmp_path / "Zotero")
    run = zotero.connection.execute
    run("DROP TABLE itemDataValues")
    run(
        "CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, "
        "value TEXT AS (hex(zeroblob(200000000))))"
    )
    run("INSERT INTO itemDataValues (valueID) VALUES (1), (2), (3)")
    zotero.close()
    ran = papertrack("import", zotero.folder)
    assert ran.code == 1
    assert "cannot be read" in ran.err


@pytest.mark.parametrize(
    "values",
    [
        "value TEXT AS (hex(zeroblob(50000000)))) -- ",
        "value TEXT DEFAULT (hex(zeroblob(1000000))))",
    ],
)
def test_a_small_database_that_answers_gigabytes_is_refused(
    papertrack: Command, tmp_path: Path, values: str
) -> None:
    """A value that is computed, or one that thousands of rows name."""
    papertrack("init")
    zotero = make_desk(tmp_path / "Zotero")
    run = zotero.connection.execute
    run("DROP TABLE itemDataValues")
    run(f"CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, {values}")
    run("INSERT INTO itemDataValues (valueID) VALUES (1)")
    run("UPDATE itemData SET valueID = 1")
    item, field = run("SELECT itemID, fieldID FROM itemData").fetchone()
    run("DROP TABLE itemData")
    run("CREATE TABLE itemData (itemID INT, fieldID INT, valueID)")
    run(
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000) "
        "INSERT INTO itemData SELECT ?, ?, 1 FROM n",
        (item, field),
    )
    zotero.close()
    ran = papertrack("import", zotero.folder)
    assert ran.code == 1
    assert "answers a query with" in ran.err


@pytest.mark.parametrize(
    "planted",
    [
        "CREATE VIEW papers AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
        "SELECT {columns} FROM n",
        "CREATE TABLE papers ({columns}, more AS (hex(zeroblob(60000000))))",
        "CREATE VIRTUAL TABLE papers USING fts5({columns}, content='endless', content_rowid='id')",
        "CREATE TABLE papers ({columns}, PRIMARY KEY (id)) WITHOUT ROWID",
        "CREATE TABLE papers ({columns}, CHECK (length(hex(zeroblob(60000000))) > 1))",
    ],
)
def test_a_library_whose_tables_are_not_papertracks_is_not_read(
    papertrack: Command, shelf: Path, planted: str
) -> None:
    papertrack("trust", "--forget")
    with sqlite3.connect(shelf / "data/papertrack.db") as db:
        names = [row[1] for row in db.execute("PRAGMA table_info(papers)")]
        db.execute("PRAGMA legacy_alter_table = ON")
        db.execute("DROP TABLE papers")
        is_view = "VIEW" in planted
        columns = ", ".join(f"x AS {name}" if is_view else name for name in names)
        db.execute(planted.format(columns=columns))
    db.close()
    for run in (("list",), ("show", "zero"), ("export", "--json", "-o", "-"), ("doctor",)):
        ran = papertrack(*run)
        assert "internal error" not in ran.err, run
        assert ran.code in (1, 5), run
        assert "papers" in ran.out + ran.err, run


@pytest.mark.parametrize(
    ("table", "planted"),
    [
        ("search", "CREATE VIRTUAL TABLE search USING fts5({columns}, tokenize = 'trigram')"),
        ("search_docsize", "CREATE VIEW search_docsize AS SELECT 1 AS id, 1 AS sz"),
        ("tags", "CREATE TABLE tags ({columns})"),
    ],
)
def test_a_search_index_or_table_of_another_form_is_not_read(
    papertrack: Command, shelf: Path, table: str, planted: str
) -> None:
    with closing(sqlite3.connect(shelf / "data/papertrack.db")) as db:
        columns = ", ".join(row[1] for row in db.execute(f"PRAGMA table_info({table})"))
        db.execute(f"DROP TABLE {table}")
        db.execute(planted.format(columns=columns))
        db.commit()
    for run in (("list", "word"), ("pass", "zero", "1"), ("doctor",), ("backup",)):
        ran = papertrack(*run)
        assert "internal error" not in ran.err, run
        assert ran.code in (1, 5), run
        assert f"holds {table} in another form" in ran.out + ran.err, run


@pytest.mark.parametrize(
    ("taken", "run"), [("INDEX papers_by_dates", ["list"]), ("TABLE tags", ["show", "zero"])]
)
def test_a_library_that_lacks_something_is_told_with_what_to_do(
    papertrack: Command, shelf: Path, taken: str, run: list[str]
) -> None:
    with closing(sqlite3.connect(shelf / "data/papertrack.db")) as db:
        db.execute(f"DROP {taken}")
    ran = papertrack(*run)
    assert ran.code in (1, 5)
    assert "internal error" not in ran.err
    assert f"no such {taken.lower().replace(' ', ': ')}" in ran.err
    assert "backup --restore" in ran.err


@pytest.mark.parametrize("options", [[], ["--dry-run"]])
def test_a_restore_names_the_files_outside_that_come_with_it(
    papertrack: Command, home: Path, tmp_path: Path, options: list[str]
) -> None:
    """Whoever made a database chose which files it feeds: the reader's own, perhaps."""
    mine = tmp_path / "mine.md"
    mine.write_text(README)
    papertrack("init")
    papertrack("import", mine)
    papertrack("backup", "given.db")
    papertrack("init", "other")
    ran = papertrack("--library", "other", "restore", "given.db", *options)
    assert ran.code == 0
    assert f"outside the library: {mine}" in ran.err
    ran = papertrack("--library", "other", "restore", "given.db", "--json", *options)
    assert json.loads(ran.out)["outside"] == [str(mine)]


@pytest.mark.parametrize("at", [18, 19, 21, 28, 44, 47, 52, 56, 59, 68])
def test_a_head_that_says_what_no_sqlite_reads_is_told(
    papertrack: Command, stranger: Path, at: int
) -> None:
    data = bytearray(stranger.read_bytes())
    data[at] = 9
    stranger.write_bytes(data)
    for run in (["list"], ["doctor"], ["backup", "--restore", str(stranger)]):
        assert "internal error" not in papertrack(*run).err, run


def test_no_name_in_a_database_gets_out_of_the_command_that_is_advised(
    papertrack: Command, stranger: Path
) -> None:
    name = "x\"'; touch owned; '"
    with closing(sqlite3.connect(stranger)) as planted:
        planted.execute(f'CREATE VIEW "{name.replace(chr(34), chr(34) * 2)}" AS SELECT 1')
        planted.commit()
    ran = papertrack("pass", "2309.06180", "2")
    (advised,) = re.findall(r"\(`(.+?)`\)", ran.err)
    program, file, sql = shlex.split(advised)
    assert (program, file) == ("sqlite3", str(stranger))
    with closing(sqlite3.connect(file)) as mended:
        mended.execute(sql)
    assert papertrack("pass", "2309.06180", "2").code == 0


def test_collections_and_groups_that_nest_too_deep_go_into_the_deepest_category_there_is(
    papertrack: Command, home: Path, tmp_path: Path
) -> None:
    """After a chain of a thousand, every command that shows categories was an internal error."""
    zotero, parent = make_library(tmp_path / "Zotero"), None
    for _ in range(1200):
        parent = zotero.collection("deep", parent)
    zotero.put(zotero.add("DEEP", title="At the End of a Chain"), parent or 0)
    zotero.close()
    groups = "".join(f"{n} StaticGroup:g{n}\\;0\\;1\\;\\;\\;\\;;\n" for n in range(1, 990))
    Path("x.bib").write_text(
        "@misc{k, title = {A Title}, groups = {g989}}\n"
        f"@comment{{jabref-meta: grouping:\n0 AllEntriesGroup:;\n{groups}}}\n"
    )
    papertrack("init")
    for name in 2 * (tmp_path / "Zotero", "x.bib"):
        assert papertrack("import", name).code == 0
        assert papertrack("category").code == 0
    assert papertrack("export", "--json", "-o", "papers.json").code == 0
    categories = {
        one["title"]: one["categories"] for one in json.loads(Path("papers.json").read_text())
    }
    chain = [f"g{n}" for n in range(1, 32)]
    assert categories == {
        "A Title": ["/".join([*chain, "g989"])],
        "At the End of a Chain": ["/".join(["deep"] * 32)],
    }


def test_a_join_of_endless_rows_without_text_is_refused(
    papertrack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_MAX_RESULT", 2**20)
    papertrack("init")
    zotero = make_desk(tmp_path / "Zotero")
    for table in ("itemData", "itemDataValues"):
        columns = [row[1] for row in zotero.connection.execute(f"PRAGMA table_info({table})")]
        zotero.connection.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
        zotero.connection.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
        for _ in range(150):
            values = ", ".join("1" if name.endswith("ID") else "''" for name in columns)
            zotero.connection.execute(f"INSERT INTO {table} VALUES ({values})")
    zotero.close()
    ran = papertrack("import", zotero.folder)
    assert ran.code == 1
    assert "answers a query with" in ran.err

"""Libraries as version 0.1.0 left them, at each schema it had, in the hands of today's code.

``fixtures/make.py`` tells how they were made. Beside the dump of each library lie the files it
feeds: as the last command left them, and (``before-``) as they were when two papers were still in.
"""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlite_utils import Database

from papertrack.cli.app import run
from papertrack.store.changes.images import read_images
from papertrack.store.changes.triggers import JOURNALLED
from papertrack.store.migrations import migrations
from papertrack.store.store import SCHEMA_VERSION, Store
from tests.store.fixtures import make

FIXTURES = Path(make.__file__).parent
ALL = sorted(folder.name for folder in FIXTURES.glob("schema*"))
WITH_FILES = [name for name in ALL if (FIXTURES / name / "README.md").exists()]
KEEPS_WHAT_IT_REMOVES = [name for name in WITH_FILES if name >= "schema5"]
"""Earlier code kept no text of removed rows: they come back as new ones, like those beside them."""
KEEPS_FORMER_TEXTS = [name for name in WITH_FILES if name >= "schema7"]
KEEPS_THEM_OF_BIB = [name for name in KEEPS_FORMER_TEXTS if name != "schema7early"]

Old = Callable[[str], Path]


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Old:
    """Put the old library of a name into a folder, which becomes the current one."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PAPERTRACK_ARXIV_OFFLINE", "true")
    monkeypatch.setenv("PAPERTRACK_NOW", "2026-11-22T09:30:00+00:00")

    def made(name: str) -> Path:
        library = tmp_path / "library"
        shutil.copytree(FIXTURES / name, library)
        (library / "papertrack.toml").touch()
        (library / "data").mkdir()
        database(library).write_bytes(bytes_of(name))
        monkeypatch.chdir(library)
        return library

    return made


@pytest.fixture
def upgraded(old: Old) -> Old:
    """Put there the library that today's code has made of it: for what comes after the upgrade."""

    def made(name: str) -> Path:
        library = old(name)
        database(library).write_bytes(bytes_of(name, is_upgraded=True))
        return library

    return made


@cache
def bytes_of(name: str, *, is_upgraded: bool = False) -> bytes:
    """The database of an old library; made once, for many tests would wait for it."""
    with TemporaryDirectory() as folder:
        library = Path(folder)
        (library / "data").mkdir()
        if is_upgraded:
            database(library).write_bytes(bytes_of(name))
            opened(library).close()
        else:
            with closing(sqlite3.connect(database(library))) as connection:
                script = FIXTURES / name / "library.sql"
                connection.executescript(script.read_text(encoding="utf-8"))
        return database(library).read_bytes()


def database(library: Path) -> Path:
    return library / "data" / "papertrack.db"


@pytest.fixture
def papertrack(capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def command(*arguments: str) -> str:
        code = run(list(arguments))
        out, err = capfd.readouterr()
        assert code == 0, f"{arguments}: {out}{err}"
        return out + err

    return command


def opened(library: Path) -> Store:
    return Store.open(database(library), now=lambda: datetime(2026, 11, 22, tzinfo=UTC))


def rows(path: Path, tables: Iterator[str] | list[str]) -> dict[str, list[dict[str, object]]]:
    """What the tables hold, each row by the names of its columns."""
    held = {}
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        for table in tables:
            found = [dict(row) for row in connection.execute(f"SELECT * FROM {table}")]
            held[table] = sorted(found, key=lambda row: sorted(map(str, row.items())))
    return held


def layout(path: Path) -> dict[str, set[tuple[object, ...]]]:
    """The columns of every table and the names of all else, whatever SQL text made them."""
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT type, name, tbl_name FROM sqlite_schema").fetchall()
        columns = {
            table: {
                tuple(column[1:]) for column in connection.execute(f"PRAGMA table_info('{table}')")
            }
            for kind, table, _ in names
            if kind == "table"
        }
    return {**columns, "": {tuple(name) for name in names}}


@pytest.mark.parametrize("name", ALL)
def test_an_old_library_is_upgraded_beside_a_verified_copy_of_it(old: Old, name: str) -> None:
    library = old(name)
    before = list(make.dump(database(library)))
    version = name.removeprefix("schema")[0]
    opened(library).close()
    copies = list((library / "data").glob("*.bak"))
    if int(version) == SCHEMA_VERSION:
        assert copies == []
        return
    assert [copy.name for copy in copies] == [f"papertrack.db.schema{version}.1.bak"]
    assert list(make.dump(copies[0])) == before


@pytest.mark.parametrize("name", ALL)
def test_an_old_library_gets_the_tables_of_a_new_one(old: Old, name: str, tmp_path: Path) -> None:
    library = old(name)
    opened(library).close()
    new = tmp_path / "new" / "papertrack.db"
    Store.create(new, now=lambda: datetime(2026, 11, 22, tzinfo=UTC)).close()
    assert layout(database(library)) == layout(new)


def test_released_migrations_go_on_to_make_what_they_made(tmp_path: Path, old: Old) -> None:
    """Word for word: a library that is new today must be the one that an upgrade leads to.

    All but the journal's triggers, which the last step makes anew.
    """
    texts = """SELECT type, name, trim(sql, char(10, 32)) FROM sqlite_schema
               WHERE name NOT LIKE 'journal\\_%\\_%' ESCAPE '\\' OR type <> 'trigger'"""
    released = old("schema8")
    with closing(sqlite3.connect(tmp_path / "new.db")) as connection:
        db = Database(connection, execute_plugins=False, recursive_triggers=False)
        migrations.apply(db, stop_before="m009_entry_states")
        made = set(connection.execute(texts))
    with closing(sqlite3.connect(database(released))) as connection:
        assert made == set(connection.execute(texts))


@pytest.mark.parametrize("name", ALL)
def test_what_the_reader_and_the_sources_said_is_there_as_it_was(old: Old, name: str) -> None:
    library = old(name)
    later = ("documents", "entries", "forgotten")  # Rewritten by a step, or made by a later one.
    reader = [table for table in JOURNALLED if table not in later]
    before = rows(database(library), [*reader, "actions"])
    opened(library).close()
    after = rows(database(library), [*reader, "actions"])
    for table, old_rows in before.items():
        known = old_rows[0].keys() if old_rows else set()
        kept = [{name: row[name] for name in known} for row in after[table]] if known else []
        assert kept == old_rows, table


@pytest.mark.parametrize("name", ALL)
def test_all_can_be_undone_to_the_start_and_redone_to_the_end(
    upgraded: Old, name: str, papertrack: Callable[..., str]
) -> None:
    library = upgraded(name)
    with opened(library) as store:
        while store.redo():
            pass
    reader = [table for table in JOURNALLED if table != "documents"]
    end = rows(database(library), reader)
    titles = papertrack("list", "--json")
    with opened(library) as store:
        steps = 0
        while store.undo():
            steps += 1
        assert steps >= 10
        assert store.connection.execute("SELECT count(*) FROM papers").fetchone() == (0,)
        while store.redo():
            steps -= 1
        assert steps == 0
    assert rows(database(library), reader) == end
    assert papertrack("list", "--json") == titles


@pytest.mark.parametrize("name", ALL)
def test_of_old_updates_the_journal_keeps_what_they_changed(upgraded: Old, name: str) -> None:
    with opened(upgraded(name)) as store:
        updates = store.execute(
            "SELECT old, new FROM changes WHERE operation = 'update'"
        ).fetchall()
    images = [read_images(old, new) for old, new in updates]
    assert images
    for old, new in images:
        assert old is not None
        assert new is not None
        assert old.keys() == new.keys()
        assert all(old[name] != new[name] for name in old)


@pytest.mark.parametrize("name", ALL)
def test_a_paper_can_be_read_found_and_marked(
    upgraded: Old, name: str, papertrack: Callable[..., str]
) -> None:
    upgraded(name)
    assert "Two Piles" in papertrack("show", "2402.01002")
    assert "Two Piles" in papertrack("list", "piles")
    papertrack("pass", "2402.01002", "3", "--takeaway", "Read by new code.")
    assert "Read by new code." in papertrack("show", "2402.01002")
    assert papertrack("cite", "2402.01002")


@pytest.mark.parametrize("name", WITH_FILES)
def test_a_sync_of_an_old_library_writes_nothing(
    old: Old, name: str, papertrack: Callable[..., str]
) -> None:
    library = old(name)
    papertrack("sync")
    for file in ("README.md", "main.bib"):
        if (library / file).exists():
            assert (library / file).read_bytes() == (FIXTURES / name / file).read_bytes()


@pytest.mark.parametrize("name", WITH_FILES)
def test_what_was_removed_is_exported_again_and_removed_again(
    upgraded: Old, name: str, papertrack: Callable[..., str]
) -> None:
    library = upgraded(name)
    for _ in range(3):
        papertrack("undo")
    papertrack("export", "--md")
    text = (library / "README.md").read_text(encoding="utf-8")
    assert "2404.01004" in text
    if name in KEEPS_WHAT_IT_REMOVES:
        assert text == (library / "before-README.md").read_text(encoding="utf-8")
    for _ in range(3):
        papertrack("redo")
    papertrack("export", "--md")
    assert (library / "README.md").read_bytes() == (FIXTURES / name / "README.md").read_bytes()


@pytest.mark.parametrize("name", KEEPS_THEM_OF_BIB)
def test_an_entry_of_a_bib_that_was_removed_comes_back_byte_for_byte(
    upgraded: Old, name: str, papertrack: Callable[..., str]
) -> None:
    library = upgraded(name)
    for _ in range(3):
        papertrack("undo")
    papertrack("export", "--bib", "main.bib")
    assert (library / "main.bib").read_bytes() == (library / "before-main.bib").read_bytes()
    for _ in range(3):
        papertrack("redo")
    papertrack("export", "--bib", "main.bib")
    assert (library / "main.bib").read_bytes() == (FIXTURES / name / "main.bib").read_bytes()


@pytest.mark.parametrize("name", KEEPS_FORMER_TEXTS)
def test_what_exports_had_written_is_taken_out_again_with_what_the_reader_takes_back(
    upgraded: Old, name: str, papertrack: Callable[..., str]
) -> None:
    library = upgraded(name)
    with opened(library) as store:
        while (step := store.undo()) and step.verb != "add":
            pass
    papertrack("export", "--md")
    papertrack("export", "--bib", "main.bib")
    original = make.README.replace(make.DELETED_BY_HAND, "")
    assert (library / "README.md").read_text(encoding="utf-8") == original
    if name in KEEPS_THEM_OF_BIB:
        assert (library / "main.bib").read_text(encoding="utf-8") == make.BIBTEX


def test_what_was_misread_is_read_better_and_nothing_is_lost(
    old: Old, papertrack: Callable[..., str]
) -> None:
    """``misread10`` was made by commit 642e037, which took the column of names for the titles; a
    pass, a tag and a title of the reader's own were given since."""
    readme = old("misread10") / "README.md"
    before = readme.read_bytes()
    marked = before.replace(b"2401.00011) | \xe2\x9c\x85 |", b"2401.00011) | " + DONE + b" |")
    titled = marked.replace(b"Basic Aspects of Zeros in Large Networks", b"Zeros, in My Words")
    papertrack("export", "--md")
    assert readme.read_bytes() in (marked, titled)
    said = papertrack("import", "README.md")
    assert "2 titles are read better than before: 'FOO' is 'Fast Orders" in said
    assert "read better" not in papertrack("import", "README.md")
    papertrack("export", "--md")
    assert readme.read_bytes() == titled
    (foo,) = json.loads(papertrack("list", "Fast Orders", "--json"))
    assert (foo["passes_done"], foo["tags"]) == (3, ["mine"])
    assert foo["readings"][-1]["takeaway"] == "It is in order."
    assert [p["title"] for p in json.loads(papertrack("list", "Zeros", "--json"))] == [
        "Zeros, in My Words"
    ]


DONE = " ".join("✅✅✅").encode()


@pytest.mark.parametrize("name", ALL)
def test_a_dry_run_on_an_old_library_upgrades_a_copy_alone(old: Old, name: str) -> None:
    library = old(name)
    before = database(library).read_bytes()
    store = Store.open_copy(database(library), now=lambda: datetime(2026, 11, 22, tzinfo=UTC))
    with store.action("add"):
        store.execute("DELETE FROM papers")
    assert store.select_value("SELECT count(*) FROM papers") == 0
    assert store.select_value("PRAGMA user_version") == SCHEMA_VERSION
    store.close()
    assert database(library).read_bytes() == before
    assert [path.name for path in (library / "data").iterdir()] == ["papertrack.db"]

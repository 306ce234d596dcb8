"""Opening a library: what is refused, what is upgraded, and that nothing is touched otherwise."""

import multiprocessing
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
import sqlite_utils

from papertrack.errors import NotFoundError, StoreError
from papertrack.store import migrations, schema
from papertrack.store.database import APPLICATION_ID, EARLY_APPLICATION_IDS, Database
from papertrack.store.journal import JOURNALLED, install_triggers
from papertrack.store.store import SCHEMA_VERSION, Store, readable_errors
from tests.store.conftest import PAGED_ATTENTION, add


def now() -> datetime:
    return datetime(2026, 1, 5, tzinfo=UTC)


def test_a_missing_library_is_not_made_by_looking(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="papertrack init"):
        Store.open(tmp_path / "papertrack.db", now=now)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "folder", ["a?b", "a#b", "100%", "%41", "a b&mode=ro", "ü", os.fsdecode(b"\xff"), "file:"]
)
def test_a_library_may_lie_in_a_folder_of_any_name(tmp_path: Path, folder: str) -> None:
    path = tmp_path / folder / "papertrack.db"
    with Store.create(path, now=now) as store:
        add(store, PAGED_ATTENTION)
    with Store.open(path, now=now) as store:
        assert store.select_value("SELECT count(*) FROM papers") == 1
    assert [entry.name for entry in tmp_path.iterdir()] == [folder]


def test_a_library_is_found_from_the_folder_that_it_lies_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store.create(tmp_path / "papertrack.db", now=now).close()
    monkeypatch.chdir(tmp_path)
    with Store.open(Path("papertrack.db"), now=now) as store:
        add(store, PAGED_ATTENTION)
    monkeypatch.chdir("/")
    assert [entry.name for entry in tmp_path.iterdir()] == ["papertrack.db"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"not a database at all, but long enough to hold a header" * 20, "not a library"),
    ],
)
def test_a_file_that_is_no_library_is_refused_unchanged(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "papertrack.db"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=message):
        Store.open(path, now=now)
    assert path.read_bytes() == content


def test_a_folder_in_place_of_the_library_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is not a file"):
        Store.open(tmp_path, now=now)


def test_a_database_of_another_program_is_refused_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        Store.open(path, now=now)
    assert path.read_bytes() == before


def test_a_library_from_a_newer_papertrack_is_refused_byte_for_byte(
    tmp_path: Path, store: Store
) -> None:
    store.connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    store.close()
    before = store.path.read_bytes()
    with pytest.raises(StoreError, match="newer papertrack"):
        Store.open(store.path, now=now)
    assert store.path.read_bytes() == before
    assert [p.name for p in store.path.parent.iterdir()] == ["papertrack.db"]


def read_everything(path: Path) -> None:
    with readable_errors(path), Store.open(path, now=now) as store:
        for table in (*JOURNALLED, "search"):
            store.connection.execute(f"SELECT * FROM {table}").fetchall()


@pytest.mark.parametrize("keep", [100, 4096, 20_000, 40_000])
def test_a_truncated_library_gives_a_sentence_and_stays_as_it_is(store: Store, keep: int) -> None:
    add(store, PAGED_ATTENTION)
    store.close()
    content = store.path.read_bytes()[:keep]
    store.path.write_bytes(content)
    with pytest.raises(StoreError, match=r"damaged or not a library"):
        read_everything(store.path)
    assert store.path.read_bytes() == content


def test_a_new_library_is_marked_as_ours(store: Store) -> None:
    assert store.connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert store.connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    assert store.connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
    assert store.connection.execute("PRAGMA synchronous").fetchone() == (3,)
    assert store.connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_the_schema_version_is_the_number_of_the_last_migration() -> None:
    assert len(migrations.migrations._migrations) == SCHEMA_VERSION


def test_a_damaged_library_names_its_newest_backup_if_there_is_one(store: Store) -> None:
    store.path.write_bytes(b"SQLite format 3\0" + b"damage" * 400)
    with pytest.raises(StoreError, match="There is no backup beside it"):
        Store.open(store.path, now=store.now)
    for number in (1, 2):
        copy = store.path.with_name(f"papertrack.db.schema1.{number}.bak")
        copy.touch()
        os.utime(copy, (number, number))
    with pytest.raises(StoreError, match=r"restore.*papertrack\.db\.schema1\.2\.bak, beside it"):
        Store.open(store.path, now=store.now)


def test_a_backup_holds_the_library_and_only_the_last_ones_are_kept(store: Store) -> None:
    add(store, PAGED_ATTENTION)
    copies = [migrations.back_up(store.path, version=1) for _ in range(5)]
    kept = sorted(store.path.parent.glob("*.bak"))
    assert kept == copies[-migrations.BACKUPS_KEPT :]
    with closing(sqlite3.connect(kept[0])) as copy:
        assert copy.execute("SELECT citekey FROM papers").fetchall() == [("kwon2023efficient",)]


def test_a_damaged_library_is_not_backed_up_over_good_copies(store: Store) -> None:
    add(store, PAGED_ATTENTION)
    good = [migrations.back_up(store.path, version=1) for _ in range(migrations.BACKUPS_KEPT)]
    store.close()
    content = bytearray(store.path.read_bytes())
    content[4096:8192] = b"\xff" * 4096
    store.path.write_bytes(content)
    with pytest.raises(StoreError, match=r"not upgraded"):
        migrations.back_up(store.path, version=1)
    assert sorted(store.path.parent.glob("*.bak*")) == good


def open_and_leave(path: Path, start: "multiprocessing.synchronize.Barrier") -> None:
    start.wait()
    Store.create(path, now=now).close()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let papertrack be one whose schema is one further, by a column."""
    more = sqlite_utils.Migrations("papertrack")
    more._migrations = [*migrations.migrations._migrations]

    @more()
    def m002_pages(opened: sqlite_utils.Database) -> None:
        opened.execute("ALTER TABLE papers ADD COLUMN pages TEXT")
        install_triggers(Database(opened.conn), ["papers"])

    (papers,) = schema.own_statements()["papers"]
    later = papers.replace("\n) STRICT", "\n, pages TEXT) STRICT")
    monkeypatch.setitem(schema.LATER_FORMS, "papers", (later,))
    monkeypatch.setattr(migrations, "migrations", more)
    monkeypatch.setattr("papertrack.store.store.SCHEMA_VERSION", SCHEMA_VERSION + 1)
    schema.own_statements.cache_clear()
    yield
    schema.own_statements.cache_clear()


def test_an_older_library_is_brought_up_to_date_beside_a_verified_copy(
    store: Store, request: pytest.FixtureRequest
) -> None:
    add(store, PAGED_ATTENTION)
    store.close()
    before = store.path.read_bytes()
    request.getfixturevalue("later")
    with Store.open(store.path, now=store.now) as upgraded:
        assert upgraded.select_value("PRAGMA user_version") == SCHEMA_VERSION + 1
        assert upgraded.select_column("SELECT pages FROM papers") == [None]
        assert upgraded.select_column("SELECT citekey FROM papers") == ["kwon2023efficient"]
    (copy,) = store.path.parent.glob("*.bak")
    assert copy.name == f"papertrack.db.schema{SCHEMA_VERSION}.1.bak"
    with closing(sqlite3.connect(copy)) as old, closing(sqlite3.connect(":memory:")) as was:
        was.deserialize(before)
        assert list(old.iterdump()) == list(was.iterdump())


def test_an_older_library_with_a_planted_trigger_is_not_brought_up_to_date(
    store: Store, later: None
) -> None:
    with closing(sqlite3.connect(store.path)) as stranger:
        stranger.execute("CREATE TRIGGER evil AFTER INSERT ON tags BEGIN SELECT 1; END")
        stranger.commit()
    store.close()
    before = store.path.read_bytes()
    with pytest.raises(StoreError, match="trigger evil"):
        Store.open(store.path, now=now)
    assert store.path.read_bytes() == before


SCHEMA_OF_ID = (0x70747270, "dae413312731178c")


def test_another_schema_has_another_application_id() -> None:
    """Until the first release, a library of another schema is refused by its id. Whoever changes
    ``schema.sql`` moves the id to the early ones, takes the next, and notes both here."""
    text = (Path(migrations.__file__).parent / "schema.sql").read_bytes()
    assert (APPLICATION_ID, sha256(text).hexdigest()[:16]) == SCHEMA_OF_ID
    assert APPLICATION_ID not in EARLY_APPLICATION_IDS


@pytest.mark.parametrize("early", EARLY_APPLICATION_IDS)
def test_a_library_of_an_early_papertrack_is_refused_with_the_way_to_come_over(
    store: Store, early: int
) -> None:
    store.connection.execute(f"PRAGMA application_id = {early}")
    store.connection.execute("PRAGMA user_version = 33")
    store.close()
    before = store.path.read_bytes()
    with pytest.raises(StoreError, match=r"`papertrack export --json -o papers\.json`"):
        Store.open(store.path, now=now)
    assert store.path.read_bytes() == before


@pytest.mark.parametrize("is_there", [False, True])
def test_four_processes_can_make_or_upgrade_the_same_library_at_once(
    tmp_path: Path, is_there: bool, request: pytest.FixtureRequest
) -> None:
    context = multiprocessing.get_context("fork")
    path = tmp_path / "data" / "papertrack.db"
    if is_there:
        Store.create(path, now=now).close()
        request.getfixturevalue("later")
    start = context.Barrier(4)
    workers = [context.Process(target=open_and_leave, args=(path, start)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
    assert [worker.exitcode for worker in workers] == [0, 0, 0, 0]
    with Store.open(path, now=now) as store:
        add(store, PAGED_ATTENTION)
    assert len(list(path.parent.glob("*.bak*"))) == is_there


def test_a_library_in_use_says_so_and_changes_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        store.connection.execute("PRAGMA busy_timeout = 20")
        with pytest.raises(StoreError, match="in use by another papertrack"):
            add(store, PAGED_ATTENTION)
        other.execute("ROLLBACK")
    assert store.connection.execute("SELECT count(*) FROM papers").fetchone() == (0,)

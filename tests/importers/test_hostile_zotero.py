"""What a stranger's Zotero library holds does no harm, and nothing of a broken one is taken."""

import json
import sqlite3
from pathlib import Path

import pytest

from tests.cli.commands import Command
from tests.importers.zotero_library import make_desk, make_library
from tests.timing import assert_seconds


@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.99])
def test_a_database_that_was_cut_off_is_refused(
    papertrack: Command, library: Path, tmp_path: Path, share: float
) -> None:
    zotero = make_desk(tmp_path / "Zotero")
    zotero.close()
    path = zotero.folder / "zotero.sqlite"
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    ran = papertrack("import", zotero.folder)
    assert ran.code == 1
    assert "Traceback" not in ran.err
    assert json.loads(papertrack("list", "--json").out) == []
    assert not (library / "notes/zotero").exists()


def test_triggers_and_views_run_nothing(papertrack: Command, library: Path, tmp_path: Path) -> None:
    zotero = make_desk(tmp_path / "Zotero")
    run = zotero.connection.execute
    run("CREATE TRIGGER a AFTER INSERT ON items BEGIN DELETE FROM items; END")
    run("CREATE VIEW v AS SELECT load_extension('evil'), writefile('x', 'y')")
    zotero.close()
    report = json.loads(papertrack("import", zotero.folder, "--json").out)
    assert report["items"] == 19


@pytest.mark.parametrize("kind", ["9e999", "'word'", "x'ff'", "NULL"])
def test_a_tag_of_an_odd_kind_is_a_tag(
    papertrack: Command, library: Path, tmp_path: Path, kind: str
) -> None:
    zotero = make_desk(tmp_path / "Zotero")
    zotero.connection.execute(f"UPDATE itemTags SET type = {kind}")
    zotero.close()
    report = json.loads(papertrack("import", zotero.folder, "--json").out)
    assert report["items"] == 19


def test_a_view_in_the_place_of_a_table_is_not_asked(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    zotero = make_library(tmp_path / "Zotero")
    run = zotero.connection.execute
    run("DROP TABLE items")
    run(
        "CREATE VIEW items AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
        "SELECT x AS itemID, 1 AS itemTypeID, 1 AS libraryID, x AS key, x AS dateAdded FROM n"
    )
    zotero.close()
    assert papertrack("import", zotero.folder).code == 1


def test_notes_run_nothing_and_load_nothing(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    zotero = make_library(tmp_path / "Zotero")
    item = zotero.add("LAMP2345", title="<script>x()</script>A <b>Lamp</b>\x1b[31m", DOI="10.1/x")
    zotero.note(
        "NOTE2345",
        "<p onclick='x()'>a &lt;script&gt;x()&lt;/script&gt; b<img src=x onerror=y()></p>"
        "<a href='javascript:x()'>link</a><iframe src='https://evil.example'></iframe>"
        "<style>*{}</style>" + "<div>" * 5000 + "deep",
        item,
    )
    zotero.close()
    assert papertrack("import", zotero.folder).code == 0
    (note,) = (library / "notes/zotero").iterdir()
    text = note.read_text()
    assert "a \\<script\\>x()" in text
    for trap in ("javascript:", "<iframe", "onerror", "evil.example", "<style", "\x1b"):
        assert trap not in text
    assert "\x1b" not in papertrack("list").out


@pytest.mark.parametrize(
    "path",
    [
        "storage:../../../secret.pdf",
        "storage:..\\..\\secret.pdf",
        "storage:/etc/passwd",
        "storage:link.pdf",
        "/etc/passwd",
        "attachments:x.pdf",
        "../secret.pdf",
        "storage:",
    ],
)
def test_attachments_lead_nowhere_outside(
    papertrack: Command, library: Path, tmp_path: Path, path: str
) -> None:
    (tmp_path / "secret.pdf").write_bytes(b"%PDF-1.5 secret")
    zotero = make_library(tmp_path / "Zotero")
    item = zotero.add("LAMP2345", title="A Lamp", DOI="10.1000/lamp")
    zotero.file("FILE2345", "x.pdf", item, path=path, content=None)
    place = zotero.folder / "storage" / "FILE2345"
    place.mkdir(parents=True)
    (place / "link.pdf").symlink_to(tmp_path / "secret.pdf")
    zotero.close()
    report = json.loads(papertrack("import", zotero.folder, "--copy", "--json").out)
    assert [one["item"] for one in report["skipped"]] == ["FILE2345"]
    assert not list((library / "pdfs").glob("*")) if (library / "pdfs").exists() else True


@pytest.mark.parametrize("link", ["storage", "storage/FILE2345"])
def test_a_folder_of_the_storage_that_is_a_link_leads_nowhere(
    papertrack: Command, library: Path, tmp_path: Path, link: str
) -> None:
    private = tmp_path / "files" / "private"
    private.mkdir(parents=True)
    (private / "key.pdf").write_bytes(b"%PDF-1.5 secret")
    zotero = make_library(tmp_path / "Zotero")
    item = zotero.add("LAMP2345", title="A Lamp", DOI="10.1000/lamp")
    key = "private" if link == "storage" else "FILE2345"
    zotero.file(key, "key.pdf", item, path="storage:key.pdf", content=None)
    (zotero.folder / link).parent.mkdir(exist_ok=True)
    (zotero.folder / link).symlink_to(private.parent if link == "storage" else private)
    zotero.close()
    report = json.loads(papertrack("import", zotero.folder, "--copy", "--json").out)
    assert [one["item"] for one in report["skipped"]] == [key]
    assert not list(library.rglob("*.pdf"))


def test_collections_in_collections_cost_in_proportion(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    zotero = make_library(tmp_path / "Zotero")
    inside = None
    for number in range(6_000):
        inside = zotero.collection(f"c{number}", inside)
    zotero.add("LAMP2345", title="A Lamp", DOI="10.1000/lamp")
    zotero.close()
    # With all those above it looked up for each, it took 38 s.
    assert_seconds(4, lambda: papertrack("import", zotero.folder, "--dry-run"))


@pytest.mark.parametrize("is_loop", [True, False])
def test_a_file_that_no_disk_can_have_stops_no_import(
    papertrack: Command, library: Path, tmp_path: Path, is_loop: bool
) -> None:
    zotero = make_library(tmp_path / "Zotero")
    item = zotero.add("LAMP2345", title="A Lamp", DOI="10.1000/lamp")
    name = "x.pdf" if is_loop else "題" * 120 + ".pdf"
    zotero.file("FILE2345", name, item, content=None)
    place = zotero.folder / "storage" / "FILE2345"
    place.parent.mkdir(exist_ok=True)
    place.symlink_to("FILE2345") if is_loop else place.mkdir()
    zotero.close()
    report = json.loads(papertrack("import", zotero.folder, "--json").out)
    assert [one["item"] for one in report["skipped"]] == ["FILE2345"]
    assert len(json.loads(papertrack("list", "--json").out)) == 1


def test_a_file_that_cannot_be_made_takes_everything_back(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    zotero = make_desk(tmp_path / "Zotero")
    zotero.close()
    (library / "pdfs").write_text("in the way")
    ran = papertrack("import", zotero.folder)
    assert ran.code == 1
    assert json.loads(papertrack("list", "--json").out) == []
    assert not list((library / "notes").rglob("*.md"))


def test_what_a_killed_import_left_is_taken_by_the_next_one(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    zotero = make_desk(tmp_path / "Zotero")
    zotero.close()
    papertrack("import", zotero.folder)
    notes = {path: path.read_bytes() for path in (library / "notes/zotero").iterdir()}
    database = library / "data/papertrack.db"
    with sqlite3.connect(database):
        papertrack("undo")
    for path, data in notes.items():
        path.write_bytes(data)
    papertrack("import", zotero.folder)
    assert set((library / "notes/zotero").iterdir()) == set(notes)

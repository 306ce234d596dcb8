"""What the reader does to files while an import runs is left alone, and an import that fails leaves
the files that it found."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from papertrack.actions.migrate import imported_files
from papertrack.errors import NotFoundError, StoreError
from tests.cli.commands import Command
from tests.importers.zotero_library import ZoteroLibrary, make_desk

NOTE = "notes/zotero/osei2021lamp-note2345.md"
Meanwhile = Callable[[Callable[[], object]], None]


@pytest.fixture
def zotero(tmp_path: Path) -> ZoteroLibrary:
    return make_desk(tmp_path / "Zotero")


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Does something once, when all is written and nothing has its place yet."""
    waiting: list[Callable[[], object]] = []
    sync = os.sync
    monkeypatch.setattr(os, "sync", lambda: (sync(), waiting and waiting.pop()()))
    return waiting.append


def edit_there(zotero: ZoteroLibrary, text: str) -> None:
    """Write another note in Zotero."""
    zotero.connection.execute(
        "UPDATE itemNotes SET note = ? WHERE itemID = ?", (text, zotero.keys["NOTE2345"])
    )
    zotero.connection.commit()


def files_in(library: Path) -> dict[str, bytes]:
    names = [path for path in (library / "notes").rglob("*") if path.is_file()]
    return {path.relative_to(library).as_posix(): path.read_bytes() for path in names}


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_note_of_the_readers_own_that_appears_meanwhile_is_never_replaced(
    papertrack: Command, library: Path, zotero: ZoteroLibrary, meanwhile: Meanwhile
) -> None:
    meanwhile(lambda: put(library / NOTE, "My own.\n"))
    ran = papertrack("import", zotero.folder)
    assert ran.code == 1
    assert NOTE in ran.err
    assert "Run the import again" in ran.err
    assert files_in(library) == {NOTE: b"My own.\n"}
    assert json.loads(papertrack("list", "--all", "--json").out) == []
    assert papertrack("import", zotero.folder).code == 0
    found = files_in(library)
    assert found.pop(NOTE) == b"My own.\n"
    assert any(b"bright" in data for data in found.values())


def test_a_note_that_the_reader_edits_meanwhile_stays(
    papertrack: Command, library: Path, zotero: ZoteroLibrary, meanwhile: Meanwhile
) -> None:
    papertrack("import", zotero.folder)
    edit_there(zotero, "<p>Other</p>")
    meanwhile(lambda: put(library / NOTE, "My own.\n"))
    ran = papertrack("import", zotero.folder)
    assert ran.code == 1
    assert "keeps your changes" in ran.err
    assert (library / NOTE).read_text() == "My own.\n"
    assert papertrack("import", zotero.folder).code == 0
    assert (library / NOTE).read_text() == "My own.\n"


def test_an_import_that_fails_leaves_alone_what_it_had_not_replaced(
    papertrack: Command,
    library: Path,
    zotero: ZoteroLibrary,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    papertrack("import", zotero.folder)
    edit_there(zotero, "<p>Other</p>")

    def fail() -> None:
        put(library / NOTE, "My own.\n")
        raise StoreError("The disk is full.")

    monkeypatch.setattr(os, "sync", fail)
    assert papertrack("import", zotero.folder).code == 1
    assert (library / NOTE).read_text() == "My own.\n"


def test_an_import_that_fails_gives_back_what_it_had_replaced(
    papertrack: Command,
    library: Path,
    zotero: ZoteroLibrary,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    papertrack("import", zotero.folder)
    before = files_in(library)
    edit_there(zotero, "<p>Other</p>")
    found: list[dict[str, bytes]] = []

    def fail_the_second_time() -> None:
        found.append(files_in(library))
        if len(found) == 2:
            raise StoreError("The disk is full.")

    monkeypatch.setattr(os, "sync", fail_the_second_time)
    assert papertrack("import", zotero.folder).code == 1
    assert b"Other" in found[1][NOTE]
    assert files_in(library) == before


def test_a_full_disk_is_told_also_when_a_note_is_written_anew(
    papertrack: Command,
    library: Path,
    zotero: ZoteroLibrary,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    papertrack("import", zotero.folder)
    before = files_in(library)
    edit_there(zotero, "<p>Other</p>")
    write = Path.write_bytes

    def refuse(path: Path, data: bytes) -> int:
        write(path, data[:4])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(imported_files, "write_new", refuse)
    ran = papertrack("import", zotero.folder)
    assert (ran.code, "No space left" in ran.err, "Make room" in ran.err) == (1, True, True)
    assert files_in(library) == before


def test_a_note_that_a_killed_import_wrote_anew_is_no_edit_of_the_readers(
    papertrack: Command, library: Path, zotero: ZoteroLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    papertrack("import", zotero.folder)
    edit_there(zotero, "<p>Other</p>")
    database = library / "data/papertrack.db"
    before = database.read_bytes()
    papertrack("import", zotero.folder)
    database.write_bytes(before)
    assert "your version here was kept" not in papertrack("import", zotero.folder).err
    edit_there(zotero, "<p>Third</p>")
    papertrack("import", zotero.folder)
    assert "Third" in (library / NOTE).read_text()


def test_a_file_that_cannot_be_copied_stops_no_other_and_is_tried_again(
    papertrack: Command, library: Path, zotero: ZoteroLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It went away meanwhile, may not be read, or is enormous."""
    read = imported_files.read_whole

    def refuse(path: Path) -> bytes:
        if path.suffix == ".pdf":
            raise NotFoundError(f"There is no file {path}. Check the name.")
        return read(path)

    with monkeypatch.context() as patch:
        patch.setattr(imported_files, "read_whole", refuse)
        report = json.loads(papertrack("import", zotero.folder, "--copy", "--json").out)
        assert "It was not copied; the next" in papertrack("import", zotero.folder, "--copy").err
    assert report["items"] == report["imported"] + report["merged"] + len(report["skipped"])
    lost = [one for one in report["skipped"] if "There is no file" in one["reason"]]
    assert lost
    assert list((library / "notes").rglob("*.md"))
    assert not list((library / "pdfs").glob("*.pdf"))
    again = json.loads(papertrack("import", zotero.folder, "--copy", "--json").out)
    assert len(again["skipped"]) == len(report["skipped"]) - len(lost)
    copies = list((library / "pdfs").glob("*.pdf"))
    assert [path.is_symlink() for path in copies] == [False] * len(lost)


def test_files_that_are_named_and_not_there_are_told_whatever_the_tool(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    info = "ref: osei2021\ntitle: A Lamp\nyear: 2021\nfiles: [lamp.pdf, gone.pdf]\n"
    put(tmp_path / "papis/osei/info.yaml", info)
    put(tmp_path / "papis/osei/lamp.pdf", "%PDF-1.5 x")
    ran = papertrack("import", tmp_path / "papis")
    assert "The files of 1 attachment are not available: gone.pdf." in ran.err

"""What entries were in a library of version 0.1.0 (schema 8) has names after its upgrade.

``entry_states`` was made by that version: a README and two .bib files were imported; a third pass
was exported to a README that tells read from unread, and a paper moved to a category that it has
no section for; an entry each was deleted in the README and in main.bib, and a further one there
with ``--on-deleted put-back``; other.bib claims the DOI of another paper; the last command is
``rm 2403.01003``.
"""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from papertrack.cli.app import run
from papertrack.store.documents import StoredEntry, read_documents, read_entries
from papertrack.store.store import Store

FIXTURE = Path(__file__).parent / "entry_states"

Run = Callable[..., str]


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PAPERTRACK_ARXIV_OFFLINE", "true")
    monkeypatch.setenv("PAPERTRACK_NOW", "2026-11-22T09:30:00+00:00")
    library = tmp_path / "library"
    shutil.copytree(FIXTURE, library)
    (library / "papertrack.toml").touch()
    (library / "data").mkdir()
    with closing(sqlite3.connect(library / "data" / "papertrack.db")) as connection:
        connection.executescript((library / "library.sql").read_text(encoding="utf-8"))
    monkeypatch.chdir(library)
    return library


@pytest.fixture
def papertrack(library: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    def command(*arguments: str, code: int = 0) -> str:
        found = run(list(arguments))
        out, err = capfd.readouterr()
        assert found == code, f"{arguments}: {out}{err}"
        return out + err

    return command


def opened(library: Path) -> Store:
    path = library / "data" / "papertrack.db"
    return Store.open(path, now=lambda: datetime(2026, 11, 22, tzinfo=UTC))


def entries(store: Store) -> dict[str, StoredEntry]:
    return {
        entry.key: entry
        for document in read_documents(store)
        for entry in read_entries(store, document.id)
    }


def test_each_entry_of_an_old_library_is_what_its_signs_said(library: Path) -> None:
    with opened(library) as store:
        found = entries(store)
    assert {key: entry.state for key, entry in found.items()} == {
        "arxiv:2401.01001": "linked",
        "arxiv:2402.01002": "linked",
        "arxiv:2403.01003": "removed",
        "arxiv:2405.01005": "linked",
        "arxiv:2406.01006": "unlinked",
        "url:https://example.org/drawer": "linked",
        "lamp05": "linked",
        "cards": "wanted",
        "shelves": "unlinked",
        "boxes": "unsettled",
    }
    assert found["arxiv:2401.01001"].refused == {"passes": 3}
    assert found["arxiv:2402.01002"].held_in == (("Elsewhere",),)
    assert not any({"said", "held_in"} & entry.library.keys() for entry in found.values())


def test_what_the_reader_was_told_before_the_upgrade_is_not_told_again(papertrack: Run) -> None:
    assert "third pass" not in papertrack("export", "--md", "--dry-run")
    assert "Elsewhere" not in papertrack("export", "--md", "--dry-run")


def test_an_open_conflict_is_asked_about_again(papertrack: Run) -> None:
    assert "conflict in doi of boxes" in papertrack("import", "other.bib", code=5)


def test_what_was_wanted_back_comes_back_and_what_was_removed_goes(
    library: Path, papertrack: Run
) -> None:
    papertrack("export", "--md")
    papertrack("export", "--bib", "main.bib")
    assert "2403.01003" not in (library / "README.md").read_text(encoding="utf-8")
    text = (library / "main.bib").read_text(encoding="utf-8")
    assert "{cards" in text
    assert "{shelves" not in text


def test_undo_of_what_was_done_before_the_upgrade_gives_each_entry_its_state_again(
    library: Path, papertrack: Run
) -> None:
    papertrack("undo")
    with opened(library) as store:
        found = entries(store)["arxiv:2403.01003"]
        assert (found.state, found.paper_id) == ("linked", 3)
    before = (library / "README.md").read_bytes()
    papertrack("export", "--md")
    assert (library / "README.md").read_bytes() == before
    with opened(library) as store:
        while step := store.undo():
            if step.verb == "import" and step.summary == "README.md":
                break
        states = {key: entry.state for key, entry in entries(store).items()}
        assert states["arxiv:2406.01006"] == "linked"
        assert states["cards"] == states["shelves"] == "linked"
        while store.redo():
            pass
        states = {key: entry.state for key, entry in entries(store).items()}
    assert states["arxiv:2403.01003"] == "removed"
    assert states["arxiv:2406.01006"] == states["shelves"] == "unlinked"
    assert (states["cards"], states["boxes"]) == ("wanted", "unsettled")


def test_a_paper_whose_adding_is_undone_leaves_its_file_with_the_next_export(
    library: Path, papertrack: Run
) -> None:
    papertrack("add", "2407.01007", "--category", "Sorting")
    papertrack("edit", "2407.01007", "title=Seven Keys to One Drawer")
    papertrack("export", "--md")
    assert "Seven Keys" in (library / "README.md").read_text(encoding="utf-8")
    papertrack("undo")
    papertrack("undo")
    papertrack("export", "--md")
    assert "Seven Keys" not in (library / "README.md").read_text(encoding="utf-8")

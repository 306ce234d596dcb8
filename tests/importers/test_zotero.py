"""A Zotero library is taken in with everything, each item accounted for, and stays as it is."""

import json
import re
import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from papertrack.actions.make_library import open_library
from papertrack.actions.undo import undo
from papertrack.library import Library
from papertrack.library.surroundings import current_time
from papertrack.store.store import Store
from tests.cli.commands import Command
from tests.importers.zotero_library import ZoteroLibrary, count_items, make_desk, make_library


@pytest.fixture
def zotero(tmp_path: Path) -> ZoteroLibrary:
    return make_desk(tmp_path / "Zotero")


def imported(papertrack: Command, *arguments: str | Path) -> dict[str, object]:
    ran = papertrack("import", *arguments, "--json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def papers_of(papertrack: Command) -> dict[str, dict[str, object]]:
    return {one["title"]: one for one in json.loads(papertrack("list", "--all", "--json").out)}


def state_of(folder: Path) -> dict[str, tuple[object, ...]]:
    """All that files are: their times, of which reading them would change one, and their bytes."""
    paths = sorted(folder.rglob("*"))
    states = [path.stat() for path in paths]
    times = [(one.st_mtime_ns, one.st_ctime_ns, one.st_size) for one in states]
    read = [path.read_bytes() if path.is_file() else b"" for path in paths]
    return {str(path): (*time, data) for path, time, data in zip(paths, times, read, strict=True)}


LAMP = "A Lamp for Lost Papers: 100% & more_than $5"


def test_everything_in_a_library_is_taken_in_once_and_stays_as_it_is_there(
    papertrack: Command, library: Path, zotero: ZoteroLibrary
) -> None:
    zotero.close()
    before = state_of(zotero.folder)
    report = imported(papertrack, zotero.folder / "zotero.sqlite")
    assert state_of(zotero.folder) == before
    assert report["items"] == count_items(zotero.folder) == 19
    assert report["items"] == report["imported"] + report["merged"] + len(report["skipped"])
    assert report["merged"] == 1
    reasons = {one["item"]: one["reason"] for one in report["skipped"]}
    assert set(reasons) == {
        *("BINN2345", "BINN3456", "FEED2345", "ORPH2345", "ORPH3456", "LOST2345")
    }
    assert "bin" in reasons["BINN2345"]
    assert "feed" in reasons["FEED2345"]

    papers = papers_of(papertrack)
    assert len(papers) == 6, "no part of an item becomes a paper"
    lamp = papers[LAMP]
    assert lamp["authors"] == ["Ama Osei", "Gabriel García Márquez", "World Lamp Society"]
    facts = (lamp["venue"], lamp["year"], lamp["doi"])
    assert facts == ("Journal of Lists", 2021, "10.1000/lamp.5")
    assert lamp["abstract"] == "What is lost & found."
    assert lamp["citekey"] == "osei2021lamp"
    assert lamp["added"] == "2024-02-03T04:05:06+00:00"
    assert lamp["passes_done"] == 2
    assert sorted(lamp["tags"]) == ["auto:Lighting", "lost & found"]
    assert sorted(lamp["categories"]) == ["Lamps/New", "Lamps/Old"]
    draft = papers["Drafting Ahead"]
    assert (draft["arxiv_id"], draft["primary_category"]) == ("2211.10002", "cs.LG")
    assert [one["url"] for one in draft["links"] if one["role"] == "related"] == [
        "https://doi.org/10.1000/lamp.5"
    ]
    # The tree of collections, also where names are equal.
    tree = json.loads(papertrack("category", "list", "--json").out)
    assert {one["category"] for one in tree} == {
        *("Lamps", "Lamps/Old", "Lamps/New", "Other", "Other/Old", "Reading Group"),
        "Reading Group/Shared",
    }

    again = imported(papertrack, zotero.folder)
    assert (again["imported"], again["papers_new"], again["papers_changed"]) == (0, 0, 0)
    assert again["items"] == again["merged"] + len(again["skipped"])
    assert papers_of(papertrack) == papers
    assert len(json.loads(papertrack("log", "--json").out)) == 1


def test_notes_and_annotations_become_markdown_in_which_nothing_runs(
    papertrack: Command, library: Path, zotero: ZoteroLibrary
) -> None:
    zotero.close()
    imported(papertrack, zotero.folder)
    texts = {path.name: path.read_text() for path in (library / "notes/zotero").iterdir()}
    note = texts["osei2021lamp-note2345.md"]
    assert "## Why" in note
    assert "**bright**" in note
    assert "x()" not in note
    marks = texts["osei2021lamp-file2345-annotations.md"]
    assert "> lost is\n> not gone" in marks
    assert "page 3, highlight, yellow" in marks
    assert marks.index("lost is") < marks.index("second")
    assert "Really?" in marks
    assert "Ask Mira" in texts["osei2021lamp-lamp2345-extra.md"]
    assert LAMP in papertrack("list", "Really", "--json").out


def test_annotations_follow_zotero_as_highlights_follow_a_pdf(
    papertrack: Command, library: Path, zotero: ZoteroLibrary
) -> None:
    papertrack("config", "highlights.yellow", "contribution")
    zotero.connection.commit()
    imported(papertrack, zotero.folder)
    note = library / "notes/zotero/osei2021lamp-file2345-annotations.md"
    written = note.read_text()
    assert re.findall(
        r"\*page (\d+), highlight, yellow: contribution\* <!-- \w{8}-\w{8} -->", written
    ) == (["3", "12"])
    mine = re.sub(
        r"\*page 12.*?second\n",
        "",
        written.replace("Really?\n", "Really?\n\nMine.\n"),
        flags=re.S,
    )
    note.write_text(mine)
    zotero.annotation("ANNO4567", zotero.keys["FILE2345"], "third", "", "5")
    zotero.connection.execute(
        "UPDATE itemAnnotations SET comment = 'Indeed.' WHERE text LIKE 'lost%'"
    )
    zotero.close()
    papertrack("config", "highlights.yellow", "clarity")
    imported(papertrack, zotero.folder)
    text = note.read_text()
    assert "not gone\n\nIndeed.\n\nMine.\n" in text
    assert "> third" in text
    assert "second" not in text
    assert text.count("yellow: clarity") == 2
    imported(papertrack, zotero.folder)
    assert note.read_text() == text
    papertrack("undo", "--yes")
    papertrack("undo", "--yes")
    assert "Mine." in note.read_text()


def test_files_are_linked_and_copied_when_asked(
    papertrack: Command, library: Path, zotero: ZoteroLibrary, tmp_path: Path
) -> None:
    zotero.close()
    imported(papertrack, zotero.folder)
    link = library / "pdfs/osei2021lamp.pdf"
    assert link.is_symlink()
    assert papertrack("open", "osei2021lamp", "--pdf", "--print").out.strip() == str(link)
    other = library / "pdfs/osei2021lamp-html2345.html"
    assert other.read_bytes() == b"<p>x</p>"
    shown = papertrack("show", "osei2021lamp").out
    assert str(link) in shown
    assert str(other) in shown
    papertrack("undo")
    assert not link.is_symlink()
    imported(papertrack, zotero.folder, "--copy")
    assert not link.is_symlink()
    assert link.read_bytes() == b"%PDF-1.5 x"


def test_what_is_only_in_the_log_of_a_locked_database_is_read(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "Zotero"
    make_library(folder).close()
    running = sqlite3.connect(folder / "zotero.sqlite", isolation_level=None)
    running.execute("PRAGMA journal_mode = WAL")
    running.execute("PRAGMA locking_mode = EXCLUSIVE")
    zotero = ZoteroLibrary(folder, running)
    zotero.add("LAST2345", title="Added a moment ago", DOI="10.1000/last")
    assert (folder / "zotero.sqlite-wal").stat().st_size
    before = state_of(folder)
    report = imported(papertrack, folder)
    assert report["imported"] == 1
    assert state_of(folder) == before
    running.close()


def test_a_later_import_takes_what_changed_and_leaves_what_the_reader_changed(
    papertrack: Command, library: Path, zotero: ZoteroLibrary
) -> None:
    imported(papertrack, zotero.folder)
    papertrack("edit", "osei2021lamp", "title=My own title")
    papertrack("tag", "osei2021lamp", "+mine", "-lost & found")
    papertrack("rm", "2211.10002")
    lamp = zotero.keys["LAMP2345"]
    zotero.set(lamp, "title", "Another title")
    zotero.set(lamp, "publicationTitle", "Journal of Lamps")
    zotero.tag(lamp, "seen")
    zotero.add("NEWW2345", title="A new one", DOI="10.1000/new")
    zotero.close()
    report = imported(papertrack, zotero.folder)
    papers = papers_of(papertrack)
    assert "A new one" in papers
    assert "Drafting Ahead" not in papers
    assert {one["item"]: one["reason"] for one in report["skipped"]}["PREP2345"] == (
        "you removed it here"
    )
    mine = papers["My own title"]
    assert mine["venue"] == "Journal of Lamps"
    assert sorted(mine["tags"]) == ["auto:Lighting", "mine", "seen"]
    assert report["items"] == report["imported"] + report["merged"] + len(report["skipped"])


@pytest.mark.parametrize("is_edited", [True, False])
def test_a_note_is_written_anew_unless_it_was_changed_here(
    papertrack: Command, library: Path, zotero: ZoteroLibrary, is_edited: bool
) -> None:
    imported(papertrack, zotero.folder)
    note = library / "notes/zotero/osei2021lamp-note2345.md"
    if is_edited:
        note.write_text(note.read_text() + "\nMy own line.\n")
    zotero.connection.execute(
        "UPDATE itemNotes SET note = '<p>Other</p>' WHERE itemID = ?", (zotero.keys["NOTE2345"],)
    )
    zotero.close()
    imported(papertrack, zotero.folder)
    text = note.read_text()
    assert ("My own line." in text, "bright" in text) == (is_edited, is_edited)
    assert is_edited or "Other" in text


def test_undo_takes_all_of_it_back_and_redo_brings_it_again(
    papertrack: Command, library: Path, zotero: ZoteroLibrary
) -> None:
    zotero.close()
    before = {path for path in library.rglob("*") if path.is_file()}
    imported(papertrack, zotero.folder)
    papers = papers_of(papertrack)
    files = {path: path.read_bytes() for path in (library / "notes").rglob("*.md")}
    papertrack("undo")
    assert papers_of(papertrack) == {}
    assert json.loads(papertrack("category", "list", "--json").out) == []
    left = {path for path in library.rglob("*") if path.is_file() or path.is_symlink()}
    assert {path for path in left - before if "data" not in path.parts} == set()
    papertrack("redo")
    assert papers_of(papertrack) == papers
    assert {path: path.read_bytes() for path in (library / "notes").rglob("*.md")} == files


def test_undo_takes_back_the_files_of_what_another_imports_meanwhile(
    papertrack: Command, library: Path, zotero: ZoteroLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    zotero.close()
    papertrack("category", "add", "lamps")
    begin, others = Store.transaction, iter([zotero.folder])

    def begin_later(store: Store) -> AbstractContextManager[None]:
        for folder in others:
            imported(papertrack, folder)
            assert (library / "pdfs/osei2021lamp.pdf").is_symlink()
        return begin(store)

    with open_library(Library(library), now=lambda: current_time({})) as store:
        monkeypatch.setattr(Store, "transaction", begin_later)
        undo(store, Library(library))
    assert papers_of(papertrack) == {}
    assert not (library / "pdfs/osei2021lamp.pdf").is_symlink()


def test_a_dry_run_shows_the_tree_and_the_words_and_writes_nothing(
    papertrack: Command, library: Path, zotero: ZoteroLibrary
) -> None:
    zotero.close()
    ran = papertrack("import", zotero.folder, "--dry-run")
    assert "  Lamps\n    New (2)\n    Old (1)\n" in ran.err
    assert "read (1) → pass 2" in ran.err
    assert "19 items: 12 imported, 1 merged, 6 skipped" in ran.err
    assert not (library / "notes/zotero").exists()
    assert papers_of(papertrack) == {}


def test_words_mean_what_the_reader_says(
    papertrack: Command, library: Path, zotero: ZoteroLibrary
) -> None:
    zotero.tag(zotero.keys["BOOK2345"], "To-Read")
    zotero.close()
    imported(papertrack, zotero.folder, "--map", "to read=inbox", "--map", "read=pass 3")
    papers = papers_of(papertrack)
    assert papers["Drawers"]["decision"] == "inbox"
    assert papers[LAMP]["passes_done"] == 3
    ran = papertrack("import", zotero.folder, "--map", "read=often")
    assert ran.code == 2
    assert "pass 1" in ran.err


def test_it_is_known_by_what_is_in_it(
    papertrack: Command, library: Path, zotero: ZoteroLibrary
) -> None:
    zotero.close()
    (zotero.folder / "zotero.sqlite").rename(library / "README.md")
    assert imported(papertrack, "README.md")["items"] == 19


def test_an_unknown_database_and_folder_are_refused_in_a_sentence(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    with sqlite3.connect(tmp_path / "other.sqlite") as connection:
        connection.execute("CREATE TABLE items (x)")
    (tmp_path / "empty").mkdir()
    for name in ("other.sqlite", "empty"):
        ran = papertrack("import", tmp_path / name)
        assert ran.code == 1
        assert ran.err.count("\n") == 1
        assert "Zotero" in ran.err


def test_a_known_work_is_merged_with_its_paper(
    papertrack: Command, library: Path, zotero: ZoteroLibrary
) -> None:
    zotero.close()
    papertrack("add", "2211.10002", "--offline")
    report = imported(papertrack, zotero.folder)
    assert report["merged"] == 2
    assert [one["item"] for one in report["merged_with"]] == ["PREP2345", "TWIN2345"]
    assert papers_of(papertrack)["Drafting Ahead"]["arxiv_id"] == "2211.10002"


def test_all_that_is_made_of_a_library_is_made_of_what_was_taken_in(
    papertrack: Command, library: Path, zotero: ZoteroLibrary
) -> None:
    zotero.close()
    imported(papertrack, zotero.folder)
    for name in ("out.bib", "out.md", "out.json", "out.ris"):
        ran = papertrack("export", f"--{name[4:]}", "-o", name)
        assert ran.code == 0, ran.err
        assert "Lamp" in (library / name).read_text()
    assert "@article{osei2021lamp," in (library / "out.bib").read_text()
    assert papertrack("cite", "osei2021lamp").code == 0
    (library / "main.tex").write_text("\\documentclass{article}\n\\cite{osei2021lamp}\n")
    assert papertrack("cite", "--tex", "main.tex", "-o", "refs.bib").code == 0

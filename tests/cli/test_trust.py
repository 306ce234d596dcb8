"""A library from a stranger, by the commands: nothing runs, nothing leaves, nothing is written
outside."""

import json
import os
import sqlite3
import sys
from pathlib import Path

import pytest

from papertrack.library import Library
from papertrack.library.trust import is_trusted
from tests.cli.commands import Command

README = "# List\n\n- [x] [Paged Memory](https://arxiv.org/abs/2309.06180)\n"


@pytest.fixture
def cloned(papertrack: Command, home: Path, tmp_path: Path) -> Path:
    """A library that was made elsewhere, in the current folder."""
    papertrack("init")
    (home / "README.md").write_text(README, encoding="utf-8")
    assert papertrack("import", "README.md").code == 0
    clone = tmp_path / "clone"
    clone.mkdir()
    for name in ("papertrack.toml", "data", "exports", "notes", "README.md"):
        (home / name).rename(clone / name)
    os.chdir(clone)
    return clone


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file of the reader's that nobody may write."""
    path = tmp_path / "bashrc"
    path.write_text("mine\n", encoding="utf-8")
    return path


def test_a_library_that_was_made_here_is_trusted(papertrack: Command, home: Path) -> None:
    papertrack("init")
    (home / "main.bib").symlink_to(home.parent / "shared.bib")
    (home.parent / "shared.bib").write_text("@misc{a, title={A Title}}\n", encoding="utf-8")
    assert papertrack("import", "main.bib").code == 0
    papertrack("edit", "a", "title=Another Title")
    assert papertrack("export", "--bib", "main.bib").code == 0
    assert "Another Title" in (home.parent / "shared.bib").read_text(encoding="utf-8")


def test_a_strangers_viewer_is_not_started(
    papertrack: Command, cloned: Path, tmp_path: Path
) -> None:
    started = tmp_path / "started"
    viewer = f"{sys.executable} -c \"open({str(started)!r}, 'w')\""
    (cloned / "papertrack.toml").write_text(f"pdf_viewer = '''{viewer}'''\n", encoding="utf-8")
    (cloned / "pdfs").mkdir()
    (cloned / "pdfs" / "paged.pdf").write_bytes(b"%PDF-1.4")
    papertrack("edit", "2309.06180", "citekey=paged")
    ran = papertrack("open", "--pdf", "paged")
    assert "pdf_viewer" in ran.err
    assert "papertrack config --trust" in ran.err
    assert not started.exists()
    assert viewer in papertrack("trust").out, "what is trusted is shown"
    papertrack("open", "--pdf", "paged")
    assert started.exists()


@pytest.mark.parametrize("name", ["README.md", "exports/references.bib", "exports", "data"])
def test_a_link_out_of_the_folder_is_not_written_through(
    papertrack: Command, cloned: Path, victim: Path, name: str
) -> None:
    link = cloned / name
    outside = victim
    if link.is_dir():
        outside = victim.with_name(name)
        link.rename(outside)
    elif link.exists():
        victim.write_bytes(link.read_bytes())
        link.unlink()
    link.symlink_to(outside)
    before = {
        path: path.read_bytes() for path in victim.parent.rglob("*") if _is_outside(path, cloned)
    }
    papertrack("pass", "2309.06180", "2")
    codes = [
        papertrack(*arguments).code
        for arguments in (
            ("export", "--md"),
            ("export", "--bib"),
            ("sync",),
            ("export", "--bib", "-o", "exports/references.bib", "--force"),
        )
    ]
    after = {
        path: path.read_bytes() for path in victim.parent.rglob("*") if _is_outside(path, cloned)
    }
    assert after == before
    assert any(codes), "it is said"


def _is_outside(path: Path, clone: Path) -> bool:
    is_state = {"state", "share", ".cache", "home"} & set(path.parts)
    return path.is_file() and not path.is_relative_to(clone) and not is_state


def test_a_document_that_the_database_names_outside_is_not_written(
    papertrack: Command, cloned: Path, victim: Path
) -> None:
    victim.write_text(README, encoding="utf-8")
    with sqlite3.connect(cloned / "data" / "papertrack.db") as planted:
        last = "(SELECT max(id) FROM papers)"
        planted.execute(f"UPDATE journal_state SET last_paper_id = -1, action_id = {last}")
        planted.execute("UPDATE documents SET path = '../bashrc'")
    planted.close()
    papertrack("pass", "2309.06180", "3")
    ran = papertrack("export", "--md")
    assert ran.code == 1
    assert "papertrack config --trust" in ran.err
    assert victim.read_text(encoding="utf-8") == README


def test_a_trigger_of_ours_that_was_altered_is_refused(papertrack: Command, cloned: Path) -> None:
    with sqlite3.connect(cloned / "data" / "papertrack.db") as connection:
        connection.execute("DROP TRIGGER journal_readings_insert")
        connection.execute(
            "CREATE TRIGGER journal_readings_insert AFTER INSERT ON readings "
            "BEGIN DELETE FROM papers; END"
        )
    connection.close()
    ran = papertrack("pass", "2309.06180", "2")
    assert ran.code == 1
    assert "journal_readings_insert" in ran.err


def test_trust_is_forgotten_and_told(papertrack: Command, cloned: Path) -> None:
    assert "is trusted" in papertrack("trust").err
    assert "already" in papertrack("trust", str(cloned)).err
    assert "no longer" in papertrack("trust", "--forget").err
    assert "not trusted" in papertrack("trust", "--forget").err
    assert papertrack("trust", "/").code == 3


def test_trust_is_forgotten_whatever_the_settings_have_become(
    papertrack: Command, home: Path
) -> None:
    papertrack("init")
    settings = home / "papertrack.toml"
    settings.write_text('[arxiv]\napi_url = "https://evil.example/api"\n', encoding="utf-8")
    assert "no longer" in papertrack("trust", "--forget").err
    assert not is_trusted(Library(home))


def test_the_library_that_an_option_names_is_trusted(
    papertrack: Command, cloned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert f"{cloned} is trusted" in papertrack("--library", str(cloned), "trust").err
    assert is_trusted(Library(cloned))


def test_own_settings_count_in_every_library(papertrack: Command, cloned: Path, home: Path) -> None:
    assert papertrack("config", "--mine", "pdf_viewer", "evince").code == 0
    assert papertrack("config", "pdf_viewer").out.strip() == "evince"
    rows = json.loads(papertrack("config", "--json").out)
    assert [row["origin"] for row in rows if row["key"] == "pdf_viewer"] == ["mine"]
    assert (
        "pdf_viewer" not in (cloned / "papertrack.toml").read_text(encoding="utf-8").split("#")[0]
    )
    assert papertrack("config", "--mine", "--unset", "pdf_viewer").code == 0
    assert papertrack("config", "pdf_viewer").out.strip() == "-"


def test_what_the_reader_sets_is_trusted_at_once(papertrack: Command, home: Path) -> None:
    papertrack("init")
    assert papertrack("config", "mail.host", "smtp.mine.example").code == 0
    ran = papertrack("config", "mail.host")
    assert ran.out.strip() == "smtp.mine.example"
    assert "ignored" not in ran.err

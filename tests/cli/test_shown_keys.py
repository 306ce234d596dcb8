"""A citekey that was printed or exported to be copied is frozen, by whatever way it was shown."""

import json
from pathlib import Path

import pytest

from papertrack.library.surroundings import current_time
from papertrack.store.citekeys import Citekeys
from papertrack.store.lookup import find_by_citekey
from papertrack.store.store import Store
from tests.cli.commands import Command
from tests.read_only import make_read_only

KEY = "arxiv2211.17192"


@pytest.fixture
def library(papertrack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library with one paper of which only the id is known."""
    folder = tmp_path / "library"
    papertrack("init", folder)
    monkeypatch.chdir(folder)
    papertrack("add", "2211.17192")
    return folder


def is_frozen(library: Path) -> bool:
    database = library / "data" / "papertrack.db"
    with Store.open(database, now=lambda: current_time({})) as store:
        paper_id = find_by_citekey(store, KEY)
        assert paper_id is not None
        return Citekeys(store).are_frozen([paper_id])


def test_a_key_that_is_shown_to_be_copied_is_frozen(papertrack: Command, library: Path) -> None:
    database = library / "data" / "papertrack.db"
    before = database.read_bytes()
    for command in (
        "cite 2211.17192",
        "cite 2211.17192 --latex",
        "cite 2211.17192 --bibtex",
        "cite 2211.17192 --json",
        "export --bib -o -",
        "export --csl -o -",
        "export --ris -o -",
        "export --json -o -",
        "export --csv -o -",
    ):
        database.write_bytes(before)
        assert not is_frozen(library)
        ran = papertrack(*command.split())
        assert ran.code == 0
        assert KEY in ran.out
        assert is_frozen(library), command


def test_looking_freezes_nothing(papertrack: Command, library: Path) -> None:
    for command in (
        "list",
        "show 2211.17192",
        "cite 2211.17192 --dry-run",
        "export --bib --dry-run",
    ):
        assert papertrack(*command.split()).code == 0
        assert not is_frozen(library), command


def test_freezing_is_nothing_to_undo(papertrack: Command, library: Path) -> None:
    papertrack("cite", "2211.17192")
    assert json.loads(papertrack("undo", "--dry-run", "--json").out)["action"]["verb"] == "add"
    papertrack("edit", "2211.17192", "venue=ICML")
    papertrack("undo")
    assert is_frozen(library)


def test_in_a_library_that_cannot_be_written_the_key_is_shown_and_said_to_be_open(
    papertrack: Command, library: Path
) -> None:
    make_read_only(library / "data" / "papertrack.db")
    for command in ("cite 2211.17192 --json", "export --bib -o -"):
        ran = papertrack(*command.split())
        assert ran.code == 0
        assert KEY in ran.out
        assert "cannot be written" in ran.err
        assert "not frozen" in ran.err
        assert not is_frozen(library)


def test_a_manuscript_is_served_from_a_library_that_cannot_be_written(
    papertrack: Command, library: Path
) -> None:
    (library / "paper.tex").write_text(f"\\cite{{{KEY}}}")
    make_read_only(library / "data" / "papertrack.db")
    ran = papertrack("cite", "--tex", "paper.tex")
    assert f"{{{KEY}," in ran.out
    assert "not frozen" in ran.err

"""What exports of version 0.1.0 (schema 8) changed is taken back by today's code, byte for byte.

``way_back`` was made by that version, from the files named ``before-``: papers were removed, one
and two at once, and one moved, in README.md; titles and links edited, some twice, in OTHER.md; an
entry edited twice and another removed in main.bib, with an export after each.
"""

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from papertrack.actions.documents import export_registered
from papertrack.library import Library
from papertrack.store.store import Store

FIXTURE = Path(__file__).parent / "way_back"
FILES = ("README.md", "OTHER.md", "main.bib")
STEPS = 12


def export(store: Store, library: Path) -> None:
    for kind in ("markdown", "bibtex"):
        export_registered(store, Library(library), kind)


@pytest.mark.parametrize("is_at_once", [True, False])
def test_what_exports_of_an_old_library_changed_comes_back_as_it_was(
    tmp_path: Path, is_at_once: bool
) -> None:
    library = tmp_path / "library"
    shutil.copytree(FIXTURE, library)
    (library / "data").mkdir()
    path = library / "data" / "papertrack.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((library / "library.sql").read_text(encoding="utf-8"))
    with Store.open(path, now=lambda: datetime(2026, 11, 22, tzinfo=UTC)) as store:
        export(store, library)
        assert all((library / n).read_bytes() == (FIXTURE / n).read_bytes() for n in FILES)
        for _ in range(STEPS):
            assert store.undo()
            if not is_at_once:
                export(store, library)
        export(store, library)
        for name in FILES:
            before = (FIXTURE / f"before-{name}").read_text(encoding="utf-8")
            assert (library / name).read_text(encoding="utf-8") == before
        for _ in range(STEPS):
            assert store.redo()
        export(store, library)
        assert "kwon:paged" not in (library / "main.bib").read_text(encoding="utf-8")

"""Faults of files, crashes and undo that were found by trying, each as it was found.

Most are tests where they belong: a killed export and its remarks in
``tests/actions/test_crash.py``; ``-o`` onto another's file in ``test_outputs.py``; a stranger's
folder in ``test_hostile_library.py`` and ``test_trust.py``; power cuts, kills, full and failing
disks (of ``watch`` too) and killed upgrades in ``tests/crash``; damage in
``test_backup.py`` and ``test_whole_library.py``; a killed ``init`` and Ctrl-C in
``test_interrupted.py``; signals in
``tests/tui/test_signals.py``; titles and merges of ``.bib`` files in
``tests/bibtex_actions/test_undoing.py``; random sequences in
``tests/actions/test_undo_everything.py``. Here is the rest.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.commands import Command

BARS = """\
# Models

<div class="bar">
<a href="https://arxiv.org/abs/2506.13771">
<b>LittleBit: Ultra Low-Bit</b>
</a>
</div>

<div class="bar">
<a href="https://arxiv.org/abs/2309.06180">
<b>Paged Attention</b>
</a>
</div>
"""
ROWS = """\
# Papers

## Serving

| Title | Code |
| :--- | :--- |
| [Paged Memory](https://arxiv.org/abs/2309.10001) | [paged][1] |
| [Chunked Prefills](https://arxiv.org/abs/2403.10004) | |

## Agents

| Title | Code |
| :--- | :--- |
| [Acting Twice](https://arxiv.org/abs/2310.10006) | [acting][2] |

[1]: https://github.com/example/paged
[2]: https://github.com/example/acting
"""


@pytest.fixture
def library(papertrack: Command, home: Path) -> Path:
    assert papertrack("init").code == 0
    return home


def imported(papertrack: Command, library: Path, text: str) -> Path:
    readme = library / "README.md"
    readme.write_text(text)
    assert papertrack("import", "README.md").code == 0
    return readme


def test_a_title_edit_leaves_the_tags_of_an_html_block(papertrack: Command, library: Path) -> None:
    readme = imported(papertrack, library, BARS)
    assert papertrack("edit", "2506.13771", "title=LittleBit").code == 0
    papertrack("export", "--md")
    assert readme.read_text() in (BARS, BARS.replace("LittleBit: Ultra Low-Bit", "LittleBit"))
    papertrack("undo", "--yes")
    papertrack("export", "--md")
    assert readme.read_text() == BARS


@pytest.mark.parametrize(
    "command",
    [
        "merge 2403.10004 2309.10001",
        "move 2403.10004 --category Agents",
        "rm 2309.10001",
        "edit 2309.10001 title=Pages",
    ],
)
def test_what_was_exported_between_is_undone_without_a_trace(
    papertrack: Command, library: Path, command: str
) -> None:
    readme = imported(papertrack, library, ROWS)
    papertrack("edit", "2309.10001", "code=https://github.com/example/other")
    assert papertrack(*command.split()).code == 0
    papertrack("export", "--md")
    written = readme.read_text()
    assert written != ROWS
    for way, wanted in (("undo", ROWS), ("redo", written)):
        for _ in range(2):
            assert papertrack(way, *(["--yes"] if way == "undo" else [])).code == 0
        papertrack("export", "--md")
        assert readme.read_text() == wanted


@pytest.mark.parametrize("folder", [".", "notes", "exports/digest"])
def test_what_a_killed_run_left_beside_a_file_is_cleaned_up(
    papertrack: Command, library: Path, folder: str
) -> None:
    (library / folder).mkdir(parents=True, exist_ok=True)
    left = library / folder / ".papertrack.toml.papertrack-999999.x"
    left.write_text("half a fi")
    assert papertrack("doctor", "--repair").code in (0, 5)
    assert not left.exists()


@pytest.mark.parametrize(
    "planted",
    [
        "CREATE TRIGGER planted AFTER UPDATE ON paper_states BEGIN DELETE FROM papers; END",
        "CREATE TRIGGER planted AFTER INSERT ON actions BEGIN SELECT RAISE(ABORT, 'no'); END",
        "CREATE VIEW planted AS SELECT * FROM papers",
        "CREATE TABLE planted (what)",
        "CREATE UNIQUE INDEX planted ON papers (citekey, id)",
    ],
)
def test_what_somebody_planted_in_the_database_is_refused_by_name(
    papertrack: Command, library: Path, planted: str
) -> None:
    imported(papertrack, library, ROWS)
    database = library / "data" / "papertrack.db"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(planted)
    before = database.read_bytes()
    ran = papertrack("pass", "2309.10001", "3")
    assert (ran.code, "planted" in ran.err, "internal" in ran.err) == (1, True, False)
    assert database.read_bytes() == before
    assert papertrack("list").code == 0, "what only reads goes on"


def test_a_paper_is_not_merged_with_itself(papertrack: Command, library: Path) -> None:
    imported(papertrack, library, ROWS)
    ran = papertrack("merge", "2309.10001", "https://arxiv.org/abs/2309.10001v2")
    assert ran.code == 2
    assert "itself" in ran.err


def test_the_personal_library_forgets_only_what_it_can(papertrack: Command) -> None:
    assert papertrack("init", "--personal").code == 0
    ran = papertrack("trust", "--forget")
    assert "stays trusted" in ran.err
    assert "settings that run programs" in ran.err


@pytest.mark.parametrize("held", [b"", b"hello", b"SQLite format 3\0 and no more"])
def test_a_damaged_backup_that_was_named_is_not_advised_again(
    papertrack: Command, library: Path, held: bytes
) -> None:
    imported(papertrack, library, ROWS)
    before = (library / "data" / "papertrack.db").read_bytes()
    (library / "copy.db").write_bytes(held)
    ran = papertrack("restore", "copy.db")
    assert (ran.code, "restore FILE" in ran.err, "Nothing was restored" in ran.err) == (1, 0, 1)
    assert (library / "data" / "papertrack.db").read_bytes() == before

"""Edits at random change only the lines of the papers edited, and undone they leave no trace."""

from pathlib import Path

import pytest

from benchmarks.documents_edits import edit_and_undo
from tests.corpus import files, some

FOLDER = Path(__file__).parents[1] / "documents/fixtures/golden"
GOLDEN = some(sorted(FOLDER.glob("*.md")), "edits", 32)
READMES = some(files("readmes/*.md"), "edits", 20)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_edits_of_a_small_list_are_undone_without_a_trace(path: Path) -> None:
    outcome = edit_and_undo(path.read_bytes(), edits=4, every=2, seed=len(path.stem))
    assert outcome.foreign == []
    assert outcome.is_back


@pytest.mark.corpus
@pytest.mark.parametrize("path", READMES, ids=lambda path: path.name)
def test_edits_of_a_real_list_are_undone_without_a_trace(path: Path) -> None:
    outcome = edit_and_undo(path.read_bytes(), edits=15, every=5, seed=12)
    assert outcome.foreign == []
    assert outcome.is_back

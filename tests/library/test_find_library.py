from pathlib import Path

import pytest

from papertrack.errors import NotFoundError, PapertrackError
from papertrack.library import SETTINGS_FILE, create_library, find_library


@pytest.fixture(autouse=True)
def personal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the personal library would be, so that the tester's own is never touched."""
    folder = tmp_path / "share" / "papertrack"
    monkeypatch.setattr("papertrack.library.personal_folder", lambda: folder)
    return folder


def make_library(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / SETTINGS_FILE).touch()
    return folder


def test_the_option_goes_before_everything(tmp_path: Path) -> None:
    chosen, named = make_library(tmp_path / "chosen"), make_library(tmp_path / "named")
    inside = make_library(tmp_path / "inside")
    environ = {"PAPERTRACK_LIBRARY": str(named)}
    assert find_library(chosen, environ, inside).root == chosen
    assert find_library(None, environ, inside).root == named
    assert find_library(None, {}, inside).root == inside


def test_a_relative_option_counts_from_the_folder(tmp_path: Path) -> None:
    chosen = make_library(tmp_path / "work" / "papers")
    assert find_library(Path("papers"), {}, tmp_path / "work").root == chosen


def test_the_nearest_parent_wins(tmp_path: Path) -> None:
    make_library(tmp_path / "outer")
    inner = make_library(tmp_path / "outer" / "inner")
    deep = inner / "a" / "b"
    deep.mkdir(parents=True)
    assert find_library(None, {}, deep).root == inner


def test_the_personal_library_is_the_last_resort(tmp_path: Path, personal: Path) -> None:
    make_library(personal)
    assert find_library(None, {}, tmp_path).root == personal


def test_without_a_library_the_error_names_init_and_nothing_is_created(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="papertrack init"):
        find_library(None, {}, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("how", ["option", "variable"])
def test_a_named_folder_that_is_no_library_is_no_reason_to_look_elsewhere(
    tmp_path: Path, how: str
) -> None:
    inside, empty = make_library(tmp_path / "inside"), tmp_path / "empty"
    chosen = empty if how == "option" else None
    environ = {"PAPERTRACK_LIBRARY": str(empty)} if how == "variable" else {}
    with pytest.raises(NotFoundError, match="is not a library"):
        find_library(chosen, environ, inside)


def test_a_new_library_is_made_once(tmp_path: Path) -> None:
    library, made = create_library(tmp_path / "papers")
    assert made
    library.settings_path.write_text("# mine\n")
    again, made = create_library(tmp_path / "papers")
    assert again.root == library.root == tmp_path / "papers"
    assert not made
    assert library.settings_path.read_text() == "# mine\n"


def test_a_library_cannot_be_made_where_a_file_is(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(PapertrackError, match="could not be made"):
        create_library(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "x"

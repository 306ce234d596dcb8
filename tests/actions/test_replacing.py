"""A file is replaced and remembered in one step, as far as a crash can tell."""

import errno
import os
from pathlib import Path

import pytest

from papertrack.actions.recover import recover
from papertrack.errors import ConflictError, PapertrackError
from papertrack.library import Library, files, intents_folder
from papertrack.library.intents import Intent, announce, pending
from papertrack.store.documents import register_document
from papertrack.store.store import Store
from papertrack.sync.document_export import replace_document
from tests.fresh_store import fresh_store
from tests.store.conftest import ticking_clock

OLD = b"# List\n\n- [One](https://arxiv.org/abs/2309.00001) read\n- [Two](https://arxiv.org/abs/2309.00002)\n"
NEW = OLD.replace(b" read", b" read twice")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return fresh_store(tmp_path / "data" / "papertrack.db", now=ticking_clock())


@pytest.fixture
def readme(tmp_path: Path) -> Path:
    path = tmp_path / "README.md"
    path.write_bytes(OLD)
    return path


def waiting(store: Store) -> list[Intent]:
    library = Library(store.path.parent.parent)
    return pending(library.intents, lambda name: library.root / name)


def cut_off(store: Store, readme: Path) -> None:
    """Leave what a run leaves that was killed after it had replaced the file."""
    with store.action("import"):
        register_document(store, "README.md", "markdown", title=None, digest="")
    announce(intents_folder(store.path), "README.md", readme, OLD, NEW)
    readme.write_bytes(NEW)


def test_what_was_written_and_remembered_stays(store: Store, readme: Path) -> None:
    with store.transaction():
        replace_document(store, "README.md", readme, OLD, NEW)
        assert len(waiting(store)) == 1
    assert readme.read_bytes() == NEW
    assert waiting(store) == []


def test_what_is_not_remembered_is_not_written(store: Store, readme: Path) -> None:
    def written_and_failed() -> None:
        with store.transaction():
            replace_document(store, "README.md", readme, OLD, NEW)
            assert readme.read_bytes() == NEW
            raise RuntimeError

    with pytest.raises(RuntimeError):
        written_and_failed()
    assert readme.read_bytes() == OLD
    assert waiting(store) == []


def test_a_file_that_changed_meanwhile_is_not_written(store: Store, readme: Path) -> None:
    readme.write_bytes(b"mine\n")
    with pytest.raises(ConflictError), store.transaction():
        replace_document(store, "README.md", readme, OLD, NEW)
    assert readme.read_bytes() == b"mine\n"
    assert waiting(store) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows needs no such sync")
def test_what_the_disk_does_not_confirm_goes_back_and_is_told_so(
    store: Store, readme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = files.sync_folder

    def refused(folder: Path) -> None:
        if folder == readme.parent:
            raise OSError(errno.EIO, "Input/output error")
        real(folder)

    monkeypatch.setattr("papertrack.library.files.sync_folder", refused)
    with pytest.raises(PapertrackError, match="the old content was restored"), store.transaction():
        replace_document(store, "README.md", readme, OLD, NEW)
    assert readme.read_bytes() == OLD


def test_where_no_intent_can_be_put_down_nothing_is_written(
    store: Store, readme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("papertrack.library.intents.replace_whole", full)
    with pytest.raises(PapertrackError, match="No space left"), store.transaction():
        replace_document(store, "README.md", readme, OLD, NEW)
    assert readme.read_bytes() == OLD


def test_what_a_killed_run_wrote_is_taken_back_and_told_once(store: Store, readme: Path) -> None:
    cut_off(store, readme)
    (file,) = recover(store, Library(store.path.parent.parent))
    assert "the old content was restored" in file.outcome
    assert readme.read_bytes() == OLD
    assert recover(store, Library(store.path.parent.parent)) == []


def test_a_planted_intent_for_a_file_that_is_no_document_writes_nothing(
    store: Store, readme: Path
) -> None:
    cut_off(store, readme)
    mine = readme.with_name("bashrc")
    mine.write_bytes(b"mine\n")
    for name in ("bashrc", "../bashrc"):
        announce(intents_folder(store.path), name, mine, b"evil\n", b"mine\n")
    assert len(recover(store, Library(store.path.parent.parent))) == 1
    assert mine.read_bytes() == b"mine\n"
    assert readme.read_bytes() == OLD
    assert waiting(store) == []


@pytest.mark.parametrize("is_dangling", [True, False])
def test_what_was_is_kept_through_no_planted_link(
    store: Store, readme: Path, is_dangling: bool
) -> None:
    cut_off(store, readme)
    edited = NEW.replace(b"read twice", b"read and loved")
    readme.write_bytes(edited)
    mine = readme.with_name("bashrc")
    if not is_dangling:
        mine.write_bytes(b"mine\n")
    (intent,) = intents_folder(store.path).iterdir()
    for end in (intent.stem, "1"):
        readme.with_name(f"README.md.before-{end}").symlink_to(mine)
    (file,) = recover(store, Library(store.path.parent.parent))
    assert (mine.read_bytes() if mine.exists() else b"") == (b"" if is_dangling else b"mine\n")
    assert "README.md.before-2" in file.outcome
    assert readme.with_name("README.md.before-2").read_bytes() == OLD


def test_edits_since_a_killed_run_stay(store: Store, readme: Path) -> None:
    cut_off(store, readme)
    readme.write_bytes(NEW + b"- [Three](https://arxiv.org/abs/2309.00003)\n")
    (file,) = recover(store, Library(store.path.parent.parent))
    assert "your edits kept" in file.outcome
    assert readme.read_bytes() == OLD + b"- [Three](https://arxiv.org/abs/2309.00003)\n"


def test_an_edit_in_the_very_place_is_left_alone_and_what_was_is_kept(
    store: Store, readme: Path
) -> None:
    cut_off(store, readme)
    edited = NEW.replace(b"read twice", b"read and loved")
    readme.write_bytes(edited)
    (file,) = recover(store, Library(store.path.parent.parent))
    (kept,) = readme.parent.glob("README.md.before-*")
    assert kept.name in file.outcome
    assert kept.read_bytes() == OLD
    assert readme.read_bytes() == edited
    assert recover(store, Library(store.path.parent.parent)) == []


def test_a_file_that_is_gone_since_stays_gone(store: Store, readme: Path) -> None:
    cut_off(store, readme)
    readme.unlink()
    assert recover(store, Library(store.path.parent.parent)) == []
    assert not readme.exists()
    assert waiting(store) == []


def test_what_cannot_be_taken_back_now_is_taken_back_later(
    store: Store, readme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_off(store, readme)
    with monkeypatch.context() as patch:
        patch.setattr("papertrack.sync.document_export.replace_file", _refused)
        (file,) = recover(store, Library(store.path.parent.parent))
        assert "no room" in file.outcome
    assert readme.read_bytes() == NEW
    assert len(recover(store, Library(store.path.parent.parent))) == 1
    assert readme.read_bytes() == OLD


def _refused(*_: object) -> None:
    raise PapertrackError("no room")


def test_a_dry_run_takes_nothing_back(store: Store, readme: Path) -> None:
    cut_off(store, readme)
    with store.trial():
        assert recover(store, Library(store.path.parent.parent)) == []
    assert readme.read_bytes() == NEW


def test_rubbish_among_the_intents_harms_nobody(store: Store, readme: Path) -> None:
    folder = intents_folder(store.path)
    folder.mkdir()
    for name, content in {
        "a.intent": b"",
        "b.intent": b"{}\n",
        "c.intent": b'{"name": 1, "path": "x", "old": "y", "new": 3}\nabc',
        "d.txt": b"notes",
    }.items():
        (folder / name).write_bytes(content)
    assert recover(store, Library(store.path.parent.parent)) == []
    assert readme.read_bytes() == OLD


@pytest.mark.skipif(os.name == "nt", reason="Windows tells not which processes are alive")
def test_what_killed_writers_left_goes_and_what_others_have_stays(tmp_path: Path) -> None:
    alive, mine = f".a.md.papertrack-{os.getppid()}.x", ".b.papertrack-notes"
    dead = f".a.md.papertrack-{_dead_process()}.xyz"
    for name in (alive, mine, dead):
        (tmp_path / name).write_bytes(b"")
    files.write_file(tmp_path / "other.md", b"text")
    assert {path.name for path in tmp_path.iterdir()} == {alive, mine, "other.md"}


def _dead_process() -> int:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return child


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="needs extended attributes")
def test_a_replaced_file_lends_nobody_its_owners_rights(tmp_path: Path) -> None:
    """Who can write to the old file could make the new one a program of this user."""
    path = tmp_path / "README.md"
    path.write_text("old")
    path.chmod(0o6755)
    files.write_file(path, b"new")
    assert path.stat().st_mode & 0o7777 == 0o755


def test_a_replaced_file_keeps_mode_and_attributes(tmp_path: Path) -> None:
    path = tmp_path / "list.md"
    path.write_bytes(b"old")
    path.chmod(0o640)
    try:
        os.setxattr(path, "user.mine", b"kept")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    files.write_file(path, b"new")
    assert path.stat().st_mode & 0o7777 == 0o640
    assert os.getxattr(path, "user.mine") == b"kept"


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="needs extended attributes")
def test_an_attribute_that_the_system_withholds_is_named_and_the_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, set_one = tmp_path / "list.md", os.setxattr
    path.write_bytes(b"old")
    try:
        for name in ("user.first", "user.mine"):
            set_one(path, name, b"kept")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    before = files.attributes_of(path)

    def withhold(file: Path, name: str, value: bytes) -> None:
        if name == "user.first":
            raise PermissionError(name)
        set_one(file, name, value)

    monkeypatch.setattr(os, "setxattr", withhold)
    files.write_file(path, b"new")
    assert os.getxattr(path, "user.mine") == b"kept"
    (told,) = files.attributes_lost(before, path)
    assert "user.first" in told
    assert "user.mine" not in told


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
def test_a_replaced_file_keeps_owner_and_group(tmp_path: Path) -> None:
    path = tmp_path / "list.md"
    path.write_bytes(b"old")
    os.chown(path, 12345, 23456)
    files.write_file(path, b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 23456)

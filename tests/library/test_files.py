import errno
import os
from pathlib import Path

import pytest

from papertrack.errors import ConflictError, NotFoundError, PapertrackError
from papertrack.library.files import (
    NotConfirmed,
    create_file,
    read_file,
    replace_file,
    write_file,
)


def test_a_written_file_keeps_its_mode_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_file(path, b"new\r\n")
    assert path.read_bytes() == b"new\r\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_usual_mode_and_its_folders_are_made(tmp_path: Path) -> None:
    write_file(tmp_path / "exports" / "a.bib", b"x")
    plain = tmp_path / "plain"
    plain.write_bytes(b"")
    assert (tmp_path / "exports" / "a.bib").stat().st_mode == plain.stat().st_mode


def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    target, link = tmp_path / "real.md", tmp_path / "README.md"
    target.write_bytes(b"old")
    link.symlink_to("real.md")
    write_file(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_bytes(b"theirs")
    with pytest.raises(ConflictError, match="changed while"):
        replace_file(path, b"seen", b"ours")
    assert path.read_bytes() == b"theirs"
    replace_file(path, b"theirs", b"ours")
    assert path.read_bytes() == b"ours"


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "README.md"

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PapertrackError, match=r"No space left.*Nothing was written: make room"):
        write_file(path, b"new")
    path.write_bytes(b"old")
    with pytest.raises(PapertrackError, match=r"No space left.*It was left as it is: make room"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_read_only_file_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(PapertrackError, match="read-only"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"missing\.md"):
        read_file(tmp_path / "missing.md")
    with pytest.raises(PapertrackError, match="is a folder"):
        read_file(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="no such files there")
def test_what_has_no_end_or_no_beginning_is_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "README.md"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(PapertrackError, match="is not a plain file"):
            read_file(path)


@pytest.mark.skipif(os.name == "nt", reason="Windows needs no such sync")
def test_a_disk_that_does_not_confirm_is_told_as_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(folder: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("papertrack.library.files.sync_folder", refused)
    path = tmp_path / "list.md"
    path.write_bytes(b"old")
    with pytest.raises(NotConfirmed, match="was written, but the disk did not confirm"):
        write_file(path, b"new")
    assert path.read_bytes() == b"new"


def test_a_new_file_is_whole_and_never_replaces_one(tmp_path: Path) -> None:
    path = tmp_path / "new.md"
    assert create_file(path, b"text")
    assert not create_file(path, b"another")
    assert (path.read_bytes(), [one.name for one in tmp_path.iterdir()]) == (b"text", ["new.md"])

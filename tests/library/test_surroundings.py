"""A sync program's copies and network disks are told of; everything else is left in peace."""

from __future__ import annotations

from pathlib import Path

import pytest

from papertrack.library import Library, create_library
from papertrack.library.surroundings import conflicting_copies, network_disk

MOUNTS = """\
/dev/sda1 / ext4 rw,relatime 0 0
server:/home /home/ada nfs4 rw,vers=4.2 0 0
/dev/sdb1 /home/ada/disk ext4 rw 0 0
//nas/my\\040papers /mnt/my\\040papers cifs rw 0 0
"""


@pytest.fixture
def library(tmp_path: Path) -> Library:
    library, _ = create_library(tmp_path / "library")
    library.database.parent.mkdir(exist_ok=True)
    library.database.touch()
    return library


@pytest.mark.parametrize(
    "name",
    [
        "papertrack (Ada's conflicted copy 2026-11-20).db",
        "papertrack (conflicted copy 2026-11-20 081500).db",
        "papertrack.sync-conflict-20261120-081500-ABCDEFG.db",
    ],
)
def test_a_second_version_of_a_sync_program_is_told_with_what_to_do(
    library: Library, name: str
) -> None:
    (library.database.parent / name).touch()
    (warning,) = conflicting_copies(library)
    assert name in warning
    assert "papertrack --library other log" in warning


@pytest.mark.parametrize("name", ["papertrack.db.schema7.1.bak", "conflict.db", "papertrack.db"])
def test_other_files_beside_a_library_are_no_second_version(library: Library, name: str) -> None:
    (library.database.parent / name).touch()
    assert conflicting_copies(library) == []


def test_a_library_whose_folder_is_gone_has_no_second_version(tmp_path: Path) -> None:
    assert conflicting_copies(Library(tmp_path / "gone")) == []


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/home/ada/papers", "nfs4"),
        ("/mnt/my papers/library", "cifs"),
        ("/home/ada/disk/papers", None),
        ("/srv/papers", None),
    ],
)
def test_the_disk_of_another_machine_is_told(folder: str, kind: str | None) -> None:
    warning = network_disk(Path(folder), MOUNTS)
    assert warning is None if kind is None else kind in (warning or "")


@pytest.mark.parametrize("mounts", ["", "\n", "rubbish", "a b"])
def test_mounts_that_say_nothing_warn_of_nothing(mounts: str) -> None:
    assert network_disk(Path("/home/ada"), mounts) is None

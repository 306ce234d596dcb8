"""Files with markers of a merge, taken apart; and put together by ``git merge-file`` before."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papertrack.documents.conflict_markers import split_conflicts

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"# T\n", b"=======\n", b"\n"]), max_size=8)


def torn_by_git(folder: Path, versions: tuple[bytes, bytes, bytes], *style: str) -> bytes:
    names = ("ours", "base", "theirs")
    for name, data in zip(names, versions, strict=True):
        (folder / name).write_bytes(data)
    command = ["git", "merge-file", "-p", *style, *names]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).stdout


@pytest.mark.parametrize("style", [(), ("--diff3",)])
def test_both_sides_of_a_file_that_git_tore_are_found_again(
    tmp_path: Path, style: tuple[str, ...]
) -> None:
    base = b"# List\n\n- a\n- b\n- c\n"
    ours, theirs = base.replace(b"- b", b"- ours"), base.replace(b"- b", b"- theirs\n- more")
    torn = split_conflicts(torn_by_git(tmp_path, (ours, base, theirs), *style))
    assert torn is not None
    assert (torn.ours, torn.theirs) == (ours, theirs)
    assert torn.base == (base if style else base.replace(b"- b\n", b""))
    assert [one.line for one in torn.conflicts] == [4]


def test_a_line_under_a_title_is_no_marker() -> None:
    assert split_conflicts(b"Title\n=======\n\ntext\n") is None


def test_markers_that_make_no_sense_are_left_alone() -> None:
    for data in (b"<<<<<<< a\nx\n", b"<<<<<<< a\n>>>>>>> b\n", b">>>>>>> b\n", b""):
        assert split_conflicts(data) is None


@given(LINES, LINES, LINES, LINES)
def test_what_stood_between_markers_comes_back(
    above: list[bytes], ours: list[bytes], theirs: list[bytes], below: list[bytes]
) -> None:
    ours, theirs = ([line for line in one if line != b"=======\n"] for one in (ours, theirs))
    parts = [*above, b"<<<<<<< HEAD\n", *ours, b"=======\n", *theirs, b">>>>>>> other\n", *below]
    torn = split_conflicts(b"".join(parts))
    assert torn is not None
    assert torn.ours == b"".join([*above, *ours, *below])
    assert torn.theirs == b"".join([*above, *theirs, *below])

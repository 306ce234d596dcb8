"""Records as nobody of sound mind writes them: named or read, and no command ends in an error."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.corpus import WHOLE
from tests.share.clones import OTHER, PAPER, Captured, do, paper, push, record

_START = 'added = "2026-01-01"\n\ncitekey = "odd"\n\n'


def _odd(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: record(folder, name).write_text(_START + text)


def _no_utf8(folder: Path) -> None:
    record(folder).write_bytes(record(folder).read_bytes().replace(b'title = "', b'title = "\xff'))


def _no_text_as_name(folder: Path) -> None:
    (folder / "papers" / os.fsdecode(b"\xff.toml")).write_text(_START)


def _deep_categories(folder: Path) -> None:
    entries = [f'[categories.c{n}]\nname = "c"\nparent = "c{n - 1}"\n' for n in range(1_500, 0, -1)]
    (folder / "categories.toml").write_text("\n".join(entries))


ODD: list[Callable[[Path], object]] = [
    _no_utf8,
    _no_text_as_name,
    lambda folder: record(folder, "\x1b[31mx\n").write_text(_START),
    lambda folder: record(folder, OTHER).rename(record(folder, "0000")),
    # Sides that leave nothing.
    lambda folder: record(folder, "sides").write_text(
        f"<<<<<<< a\n{_START}||||||| b\n{_START}=======\n>>>>>>> c\n"
    ),
    _odd("unnamed", 'categories = ["LLM/", "/", "a//b"]\n'),
    _odd("values", 'days = 5\norder = "x"\nforgotten = 3\nscore = [1]\n'),
    _odd("long-note", f'notes = ["{"n" * 300}.md"]\n'),
    # Sides that git left in a table, and what no merge knows.
    lambda folder: (folder / "watch.toml").write_text(
        'conflicts = {"days.cs.LG" = 5}\n[days]\n<<<<<<< a\n"cs.LG" = "2026-11-25"\n=======\n'
        '"cs.LG" = "2026-11-24"\n>>>>>>> b\n'
    ),
    lambda folder: record(folder, "torn").write_text(
        f"{_START}<<<<<<< a\n[days]\na = 1\n||||||| b\ndays = 'x'\n=======\n"
        "[days]\na = 2\n>>>>>>> c\n"
    ),
    _deep_categories,
]


@pytest.mark.parametrize("odd", [ODD[:-1], ODD[-1:]] if not WHOLE else [[one] for one in ODD])
def test_what_is_odd_stops_no_command(
    odd: Sequence[Callable[[Path], object]], desktop: Path, capfd: Captured
) -> None:
    for make in odd:
        make(desktop)
    run = f"sync/list/pass {PAPER} 1/undo/share status/doctor/sync --git"
    for command in run.split("/"):
        do(desktop, *command.split())
        said = capfd.readouterr()
        assert not re.search("internal error|The system refused", said.err), command
        assert "\x1b" not in said.out + said.err


def test_a_record_of_theirs_that_is_none_is_told_and_mine_stays(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    record(laptop).write_text("title = \n")
    push(laptop)
    assert do(desktop, "tag", PAPER, "+moe") == 0
    assert do(desktop, "sync", "--git") == 0
    assert f"papers/{PAPER}.toml that others pushed cannot be read" in capfd.readouterr().err
    assert paper(desktop, capfd)["tags"] == ["moe"]


def test_what_waits_for_a_word_is_not_said_to_lack_a_remote(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    for path in (laptop / "papers").glob("*.toml"):
        path.write_text("removed = true\n" + path.read_text())
    push(laptop)
    assert do(desktop, "sync", "--git") == 5
    said = capfd.readouterr().err
    assert "not pushed until you decide what is listed above" in said
    assert "no remote" not in said

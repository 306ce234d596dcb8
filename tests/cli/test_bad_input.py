"""Bad input ends in one clear sentence, the right exit code, and nothing changed."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import Command, Ran

ONE_LIST = "# Papers\n\n- [Attention](https://arxiv.org/abs/1706.03762)\n"
is_root = hasattr(os, "geteuid") and os.geteuid() == 0


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def assert_refused(ran: Ran, code: int, *words: str) -> None:
    assert ran.code == code, ran.err
    sentences = ran.err.strip().splitlines()
    assert len(sentences) in (1, 2), ran.err  # The second line of a usage error names the help.
    assert "Traceback" not in ran.err
    assert "internal error" not in ran.err
    for word in words:
        assert word in ran.err
    assert ran.out == ""


def test_a_missing_file(process: Command, shelf: Path) -> None:
    before = contents(shelf)
    assert_refused(process("import", "missing.md"), 3, "missing.md")
    assert contents(shelf) == before


def test_a_folder_instead_of_a_file(papertrack: Command, shelf: Path) -> None:
    before = contents(shelf)
    assert_refused(papertrack("import", "notes"), 1, "is a folder")
    assert contents(shelf) == before


def test_a_binary_file(papertrack: Command, shelf: Path) -> None:
    (shelf / "paper.md").write_bytes(b"%PDF-1.5\n\x00\x01\x02\xff\xfe" * 50)
    before = contents(shelf)
    assert_refused(papertrack("import", "paper.md"), 1, "paper.md")
    assert contents(shelf) == before


def test_one_bad_file_among_good_ones_is_named(papertrack: Command, shelf: Path) -> None:
    (shelf / "good.md").write_text(ONE_LIST)
    ran = papertrack("import", "missing.md", "good.md", "gone.md")
    assert ran.code == 3
    assert "missing.md" in ran.err
    assert "gone.md" in ran.err
    assert "good.md: 1 new paper" in ran.err


def test_an_unknown_id(papertrack: Command, shelf: Path) -> None:
    for command in [
        "show",
        "pass",
        "note",
        "open",
        "save",
        "discard",
        "rm",
        "cite",
        "log",
        "edit",
        "move",
    ]:
        more = {"edit": ["rating=1"], "move": ["-c", "X"]}.get(command, [])
        before = contents(shelf)
        assert_refused(papertrack(command, "2309.99999", *more), 3, "2309.99999")
        assert contents(shelf) == before


def test_a_bad_query(papertrack: Command, shelf: Path) -> None:
    for query in ["titel:x", '"open', "(a", "year:soon", "is:lost", "a OR", "pass:<x", "(" * 5000]:
        assert_refused(papertrack("list", query), 2, "query")


def test_an_impossible_value(papertrack: Command, shelf: Path) -> None:
    for assignment in [
        "rating=6",
        "year=soon",
        "titel=x",
        "no assignment",
        "doi=x",
        "url=javascript:x",
    ]:
        before = contents(shelf)
        assert_refused(papertrack("edit", "zero", assignment), 2)
        assert contents(shelf) == before


TOGETHER = [
    (("cite", "--serve", "--port", "99999"), "--port"),
    (("tui", "--serve", "--port", "0"), "--port"),
    (("cite", "--tex", "--pick", "a.tex"), "--pick"),
    (("cite", "--tex", "--latex", "a.tex"), "--latex"),
    (("cite", "--serve", "some"), "--serve"),
    (("cite", "--tex"), "manuscripts"),
    (("cite", "--watch", "a.tex"), "--watch"),
    (("cite", "some", "-o", "a.bib"), "--tex"),
    (("split", "REDME.md:7"), "REDME.md"),
    (("trust", "nosuch"), "no folder nosuch"),
    (("rank", "nosuch.jsonl"), "no file nosuch.jsonl"),
    (("config", "--unset"), "KEY"),
    (("config", "--mine"), "KEY"),
    (("config", "--mine", "pdf_viewer"), "VALUE"),
]


def test_what_does_not_go_together_is_refused(papertrack: Command, shelf: Path) -> None:
    for arguments, word in TOGETHER:
        ran = papertrack(*arguments)
        assert ran.code in (2, 3), arguments
        assert word in ran.err, arguments
        assert "key 'REDME" not in ran.err


def test_no_library(papertrack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    for arguments in (["list"], ["add", "2309.06180"], ["import", "x.md"], ["config"]):
        assert_refused(papertrack(*arguments), 3, "papertrack init")
    assert list(empty.iterdir()) == []


def test_a_library_without_its_database(papertrack: Command, shelf: Path) -> None:
    (shelf / "data" / "papertrack.db").unlink()
    assert_refused(papertrack("list"), 3, "papertrack init")
    assert not (shelf / "data" / "papertrack.db").exists()


@pytest.mark.skipif(is_root, reason="root may write everywhere")
def test_a_read_only_folder_can_be_read_and_is_not_written(
    papertrack: Command, shelf: Path
) -> None:
    for path in [*shelf.rglob("*"), shelf]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert papertrack("list").code == 0
        assert_refused(papertrack("pass", "zero", "1"), 1, "cannot be written")
    finally:
        for path in [shelf, *shelf.rglob("*")]:
            path.chmod(0o755)


def test_a_library_of_a_newer_papertrack(papertrack: Command, shelf: Path) -> None:
    database = shelf / "data" / "papertrack.db"
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    before = contents(shelf)
    for arguments in (["list"], ["pass", "zero", "1"]):
        assert_refused(papertrack(*arguments), 1, "newer papertrack")
    assert contents(shelf) == before


@pytest.mark.parametrize("damage", ["cut", "text", "empty", "folder", "other"])
def test_a_corrupt_database(papertrack: Command, shelf: Path, damage: str) -> None:
    database = shelf / "data" / "papertrack.db"
    whole = database.read_bytes()
    database.unlink()
    if damage == "cut":
        database.write_bytes(whole[: len(whole) // 2])
    elif damage == "text":
        database.write_bytes(b"these are not the rows you are looking for\n" * 200)
    elif damage == "empty":
        database.touch()
    elif damage == "folder":
        database.mkdir()
    else:
        with sqlite3.connect(database) as connection:
            connection.execute("CREATE TABLE other (x)")
        connection.close()
    before = contents(shelf)
    assert_refused(papertrack("list"), 1, str(database))
    assert_refused(papertrack("pass", "zero", "1"), 1, str(database))
    assert contents(shelf) == before


def test_settings_that_are_wrong_name_file_key_and_nearest(
    papertrack: Command, shelf: Path
) -> None:
    settings = shelf / "papertrack.toml"
    settings.write_text("[reading]\nin_hnd = 5\n")
    assert_refused(papertrack("next"), 2, str(settings), "reading.in_hnd", "reading.in_hand")
    assert papertrack("list").code == 0, "listing needs no settings"


def test_arguments_that_are_no_text(process: Command, shelf: Path) -> None:
    ran = process("show", os.fsdecode(b"\xff\xfe"))
    assert_refused(ran, 2, "UTF-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ("undo", "9" * 20),
        ("list", "--limit", "9" * 20),
        ("pass", "zero", "1", "--version", "9" * 20),
    ],
    ids=lambda arguments: arguments[0],
)
def test_numbers_that_no_database_holds(
    papertrack: Command, shelf: Path, arguments: tuple[str, ...]
) -> None:
    assert_refused(papertrack(*arguments), 2, "A number is too large")
    assert papertrack("show", "9" * 20).code == 3


def shell(command: str, **environ: str) -> Ran:
    """Run ``papertrack …`` inside a shell command."""
    done = subprocess.run(
        ["bash", "-c", f'papertrack() {{ "{sys.executable}" -m papertrack "$@"; }}; {command}'],
        capture_output=True,
        check=False,
        env={**os.environ, **environ},
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.skipif(os.name == "nt", reason="written for a POSIX shell")
def test_streams_that_are_closed_or_full(shelf: Path) -> None:
    assert shell("papertrack list >&-") == Ran(0, "", "")
    assert shell("papertrack list 2>&-").out.count("\n") == 3
    assert shell("papertrack show nothing 2>&-").code == 3
    assert shell("papertrack list <&-").code == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("command", ["list", "list --json", "export --json -o -"])
def test_output_that_cannot_be_written(shelf: Path, command: str) -> None:
    assert_refused(shell(f"papertrack {command} > /dev/full"), 1, "No space left on device")


def test_output_in_a_narrow_encoding(process: Command, shelf: Path) -> None:
    process("edit", "zero", "title=Näh 推测")
    narrow = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    assert "N?h" in process("list", **narrow).out
    assert "\\u63a8" in process("show", "zero", "--json", **narrow).out
    assert "Näh 推测" in process("export", "--json", "-o", "-", **narrow).out


def test_a_megabyte_of_argument(process: Command, shelf: Path) -> None:
    # As long as the system lets one argument be (128 KiB on Linux).
    assert_refused(process("show", "9" * 120_000), 3)
    assert_refused(process("list", "title:" + "x" * 120_000), 2)
    assert process("add", "-", stdin="1" * 1_000_000).code == 2


def test_a_copy_of_a_library_is_a_library(papertrack: Command, shelf: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(shelf, copy)
    assert papertrack("--library", copy, "list").out == papertrack("list").out

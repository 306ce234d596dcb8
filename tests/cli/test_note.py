import json
import sys
from pathlib import Path

import pytest

from tests.cli.commands import Command


@pytest.fixture
def editor(tmp_path: Path) -> str:
    """An editor that adds a line to the file."""
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys\nwith open(sys.argv[-1], 'a') as file:\n    file.write('quetzal\\n')\n"
    )
    return f"{sys.executable} {script}"


def test_a_note_is_made_opened_and_found_by_search(
    papertrack: Command, shelf: Path, editor: str
) -> None:
    assert papertrack("note", "zero", EDITOR=editor, VISUAL="").code == 0
    text = (shelf / "notes" / "zero.md").read_text()
    assert text.startswith("# ZeRO: Memory Optimizations\n")
    assert "Category" in text
    assert text.endswith("quetzal\n")
    assert "zero" in papertrack("list", "note:quetzal").out
    assert papertrack("open", "zero", "--note", "--print").out.strip() == str(
        shelf / "notes" / "zero.md"
    )


def test_visual_goes_before_editor(papertrack: Command, shelf: Path, editor: str) -> None:
    assert papertrack("note", "zero", VISUAL=editor, EDITOR="no-such-editor").code == 0
    ran = papertrack("note", "zero", VISUAL="", EDITOR="no-such-editor")
    assert ran.code == 1
    assert "no-such-editor" in ran.err


def test_without_an_editor_and_a_terminal_the_note_is_made_and_its_path_named(
    papertrack: Command, shelf: Path
) -> None:
    ran = papertrack("note", "zero", VISUAL="", EDITOR="")
    assert ran.code == 1
    assert str(shelf / "notes" / "zero.md") in ran.err


def test_on_a_terminal_the_editor_is_vi_when_none_is_named(
    papertrack: Command, shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vi = tmp_path / "bin" / "vi"
    vi.parent.mkdir()
    vi.write_text('#!/bin/sh\necho quetzal >> "$1"\n')
    vi.chmod(0o755)
    monkeypatch.setenv("PATH", str(vi.parent))
    monkeypatch.setenv("VISUAL", " ")
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    assert papertrack("note", "zero").code == 0
    assert (shelf / "notes" / "zero.md").read_text().endswith("quetzal\n")
    vi.unlink()
    ran = papertrack("note", "zero")
    assert ran.code == 1
    assert f"vi could not be started on {shelf / 'notes' / 'zero.md'}" in ran.err


@pytest.mark.parametrize("arguments", [("note", "zero"), ("open", "zero", "--note")])
def test_a_note_elsewhere_is_refused_in_a_sentence(
    papertrack: Command, shelf: Path, arguments: tuple[str, ...]
) -> None:
    papertrack("edit", "zero", "note=/etc/passwd")
    for options in ((), ("--print",)):
        ran = papertrack(*arguments, *options)
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.startswith("papertrack: The note /etc/passwd is outside the library")


def test_an_editor_that_no_shell_would_understand_is_named(
    papertrack: Command, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "ed 'unclosed")
    ran = papertrack("note", "zero")
    assert ran.code == 1
    assert ran.err == 'papertrack: "ed \'unclosed" cannot be started: No closing quotation.\n'


def test_a_dry_run_makes_no_note(papertrack: Command, shelf: Path) -> None:
    report = json.loads(papertrack("note", "zero", "--dry-run", "--json").out)
    assert report == {
        "path": "notes/zero.md",
        "is_new": True,
        "questions_for_pass": 1,
        "dry_run": True,
    }
    assert not (shelf / "notes" / "zero.md").exists()

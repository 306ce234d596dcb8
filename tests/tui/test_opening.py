"""Links are opened by the reader's own browser, which gets nothing of the terminal."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path

import pytest

from papertrack.tui.system import open_in_browser

URL = "https://arxiv.org/abs/2601.04000"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")


def choose(monkeypatch: pytest.MonkeyPatch, program: Path, script: str) -> None:
    """Let a program of this name be the browser that the reader has chosen."""
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    chosen = webbrowser.GenericBrowser(str(program))
    monkeypatch.setattr(webbrowser, "get", lambda: chosen)


def test_a_browser_that_python_does_not_know_opens_links_apart_from_the_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened = tmp_path / "opened"
    choose(
        monkeypatch,
        tmp_path / "wslview",
        f'test ! -t 0 && test ! -t 1 && printf %s "$1" > {opened}',
    )
    assert open_in_browser(URL)
    assert opened.read_text() == URL


@pytest.mark.parametrize(("name", "script"), [("w3m", "exit 0"), ("mine", "exit 3")])
def test_a_browser_for_the_terminal_or_one_that_fails_opens_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, script: str
) -> None:
    choose(monkeypatch, tmp_path / name, script)
    assert not open_in_browser(URL)


def test_a_browser_that_is_not_there_opens_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    missing = webbrowser.GenericBrowser(str(tmp_path / "missing"))
    monkeypatch.setattr(webbrowser, "get", lambda: missing)
    assert not open_in_browser(URL)

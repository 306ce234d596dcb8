"""Clones of one shared library, for the tests of sharing."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from papertrack.cli.app import run

PAPER = "2211.17192"
OTHER = "2309.06180"
Captured = pytest.CaptureFixture[str]


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def do(folder: Path, *arguments: str) -> int:
    return run(["--library", str(folder), *arguments])


def shown(folder: Path, capfd: Captured, *arguments: str) -> Any:
    capfd.readouterr()
    do(folder, *arguments, "--json")
    return json.loads(capfd.readouterr().out)


def paper(folder: Path, capfd: Captured, reference: str = PAPER) -> dict[str, Any]:
    found = shown(folder, capfd, "show", reference)
    return {name: value for name, value in found.items() if name != "id"}


def record(folder: Path, name: str = PAPER) -> Path:
    return folder / "papers" / f"{name}.toml"


def push(folder: Path, message: str = "By hand") -> None:
    """Commit all by hand, and push it."""
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)
    git(folder, "push", "-q", "origin", "HEAD:main")


def exchange(one: Path, other: Path) -> None:
    for folder in (one, other, one):
        assert do(folder, "sync", "--git") in (0, 5)

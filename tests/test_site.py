"""The documentation site and the man pages, and the project's files in YAML."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from papertrack.cli.app import COMMANDS

ROOT = Path(__file__).parent.parent
MADE = {"help.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}
"""Pages that docs/reference.py adds to the site."""


def pages_of(nav: Any) -> Iterator[str]:
    """Yield the files that a part of the navigation names."""
    if isinstance(nav, str):
        yield nav
    else:
        for part in nav.values() if isinstance(nav, dict) else nav:
            yield from pages_of(part)


def test_the_navigation_names_every_page_once() -> None:
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    pages = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert sorted(pages_of(nav)) == sorted(pages | MADE)


def test_the_site_is_built_and_its_links_lead_somewhere(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="the group docs is not installed (make docs)")
    ran = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", tmp_path],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert ran.returncode == 0, ran.stderr
    assert "papertrack pass" in (tmp_path / "help" / "index.html").read_text(encoding="utf-8")


def test_every_command_has_a_man_page(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "docs" / "reference.py", tmp_path], check=True)
    for name in COMMANDS:
        text = (tmp_path / f"papertrack-{name}.1").read_text(encoding="utf-8")
        assert text.startswith(f'.TH "PAPERTRACK-{name.upper()}" 1')
        assert "\n.SH OPTIONS\n" in text


def test_the_hooks_run_what_make_lint_runs() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    entries = [hook["entry"] for hook in hooks["repos"][0]["hooks"]]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    lint = makefile.partition("\nlint:")[2].partition("\n\n")[0].splitlines()[1:]
    assert [entry.replace(" --force-exclude", "") for entry in entries] == [
        line.strip().replace("$(BIN)", ".venv/bin") for line in lint
    ]


FILES = [
    *sorted((ROOT / ".github").rglob("*.yml")),
    *(ROOT / name for name in (".pre-commit-config.yaml", "CITATION.cff", "mkdocs.yml")),
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_projects_files_are_yaml(path: Path) -> None:
    assert isinstance(yaml.safe_load(path.read_text(encoding="utf-8")), dict)


def test_pictures_ask_nobody_and_are_small() -> None:
    pictures = sorted((ROOT / "docs" / "pictures").glob("*.svg"))
    assert len(pictures) > 12
    for picture in pictures:
        text = picture.read_text(encoding="utf-8")
        drawn = re.sub(r"(<text[^>]*>)[^<]*", r"\1", text)  # What a picture shows is not asked.
        assert drawn.count("http") == text.count('xmlns="http://www.w3.org/2000/svg"') == 1
        assert "<script" not in text
        assert len(text) < 300_000

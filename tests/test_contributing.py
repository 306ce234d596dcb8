"""The recipes of CONTRIBUTING.md, followed word for word in a copy of the package."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RECIPE = re.compile(
    r"^```(?:python|text) (?P<file>papertrack/\S+)(?: (?P<end_of>\w+))?\n(?P<lines>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
README = """# Papers

| Title | Link | Read |
| :--- | :--- | :--- |
| One Paper | [arXiv](https://arxiv.org/abs/2309.06180) | ⚀ |
| Another | [arXiv](https://arxiv.org/abs/2401.09670) |  |
"""
WORK = {"title": "A Title of Its Own", "abstract": "What it found.", "authors": ["Ada Byron"]}


class Checkout:
    """A copy of the package in which all recipes were followed, with a library."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.library = folder / "library"
        self.path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
        """Where programs look for modules: the copy goes before the project."""
        shutil.copytree(
            ROOT / "papertrack",
            folder / "papertrack",
            ignore=shutil.ignore_patterns("__pycache__"),
        )

    def follow(self, recipe: re.Match[str]) -> None:
        """Make the new module of a step, or put its lines at the end of what it names."""
        path = self.folder / recipe["file"]
        if recipe["end_of"] is None:
            assert not path.exists(), f"{path.name} is there already"
            path.write_text(recipe["lines"], encoding="utf-8")
            return
        source = path.read_text(encoding="utf-8")
        at = end_of(recipe["end_of"], source)
        lines = source.splitlines(keepends=True)
        path.write_text("".join([*lines[:at], recipe["lines"], *lines[at:]]), encoding="utf-8")

    def run(self, *arguments: str, **environ: str) -> str:
        ran = subprocess.run(
            [sys.executable, "-m", "papertrack", "--library", str(self.library), *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": self.path, "HOME": str(self.folder), **environ},
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout


def end_of(name: str, source: str) -> int:
    """Before which line (from 0) something goes that is to be the last of a list or class."""
    for node in reversed(ast.parse(source).body):
        end = node.end_lineno or 0
        if name == "import" and isinstance(node, ast.ImportFrom):
            return end
        if isinstance(node, ast.ClassDef) and node.name == name:
            return end
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return end - 1  # Before the line that closes it.
    raise AssertionError(f"there is no {name}")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    made = Checkout(tmp_path_factory.mktemp("checkout"))
    recipes = list(RECIPE.finditer((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    assert len(recipes) == 9
    for recipe in recipes:
        made.follow(recipe)
    made.run("init", str(made.library))
    (made.library / "README.md").write_text(README, encoding="utf-8")
    made.run("import", str(made.library / "README.md"))
    return made


@pytest.fixture
def anthology() -> Iterator[str]:
    """The address of a server that knows one work."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps(WORK).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_format_of_the_recipe_is_written(checkout: Checkout) -> None:
    assert "--keys" in checkout.run("export", "--help")
    keys = [paper["citekey"] for paper in json.loads(checkout.run("list", "--json"))]
    assert sorted(checkout.run("export", "--keys", "-o", "-").split()) == sorted(keys)


def test_the_mark_of_the_recipe_is_read_and_written(checkout: Checkout) -> None:
    papers = json.loads(checkout.run("list", "--json"))
    passes = {paper["arxiv_id"]: paper["passes_done"] for paper in papers}
    assert passes == {"2309.06180": 1, "2401.09670": 0}
    checkout.run("pass", "2309.06180", "2")
    checkout.run("export", "--md")
    text = (checkout.library / "README.md").read_text(encoding="utf-8")
    assert text == README.replace("⚀", "⚁")


def test_the_source_of_the_recipe_is_asked(checkout: Checkout, anthology: str) -> None:
    checkout.run("add", "https://aclanthology.org/2024.acl-long.1/", "--offline")
    checkout.run(
        "enrich",
        "id:2024.acl-long.1",
        PAPERTRACK_ARXIV_ANTHOLOGY_URL=anthology,
        PAPERTRACK_ARXIV_CONTACT="me@example.org",
    )
    (paper,) = json.loads(checkout.run("list", "id:2024.acl-long.1", "--json"))
    assert (paper["title"], paper["authors"]) == (WORK["title"], WORK["authors"])

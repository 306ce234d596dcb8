"""ARCHITECTURE.md and CONTRIBUTING.md name what there is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "papertrack"
MAPS = ("ARCHITECTURE.md", "CONTRIBUTING.md")
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+)`")
PLACE = re.compile(r"(?P<path>[a-z_]+(?:/[a-z_]+)*(?:/|\.py))(?::(?P<name>\w+))?")


def places(text: str) -> list[re.Match[str]]:
    """The folders, modules and names in modules that a text names."""
    found = (PLACE.fullmatch(span) for span in SPAN.findall(FENCE.sub("", text)))
    return [place for place in found if place]


def is_there(place: re.Match[str]) -> bool:
    """Whether there is such a folder or module, and such a name in it."""
    for root in (PACKAGE, ROOT):
        path = root / place["path"]
        if place["path"].endswith("/"):
            if path.is_dir():
                return True
        elif path.is_file():
            return place["name"] is None or place["name"] in names_in(path)
    return False


def names_in(path: Path) -> set[str]:
    """The functions, classes and values that a module makes."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


@pytest.mark.parametrize("name", MAPS)
def test_the_map_names_nothing_that_is_not_there(name: str) -> None:
    found = places((ROOT / name).read_text(encoding="utf-8"))
    assert len(found) > 15
    assert [place.group() for place in found if not is_there(place)] == []


def test_the_map_names_every_folder_of_the_package_and_what_lies_beside_them() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = {place["path"] for place in places(text)}
    folders = {path.parent for path in PACKAGE.rglob("*.py")} - {PACKAGE}
    there = {f"{path.relative_to(PACKAGE).as_posix()}/" for path in folders}
    there |= {path.name for path in PACKAGE.glob("[a-z]*.py")}
    assert there - named == set()


def test_the_map_fits_a_page() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120


def test_what_is_not_there_is_seen() -> None:
    invented = "`sync/nowhere.py`, `nowhere/`, `records.py:Nothing`, `records.py:Paper`"
    assert [is_there(place) for place in places(invented)] == [False, False, False, True]

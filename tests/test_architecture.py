"""The house: which part may import which (design section 3), held as data."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "papertrack"
VOCABULARY = {"errors", "identifiers", "records", "text", "latex", "queries"}

MAY_IMPORT = {
    "errors": set(),
    "records": {"errors"},
    "text": {"errors", "records"},
    "identifiers": {"errors", "records", "text"},
    "latex": {"errors", "text"},
    "queries": {"errors", "records", "identifiers", "text"},
    "library": VOCABULARY,
    "sources": VOCABULARY,
    "documents": VOCABULARY,
    "store": VOCABULARY,
    # A .bib file that is exported is made of the same new entries as one that is kept in step.
    "exporters": VOCABULARY | {"documents"},
    "sync": VOCABULARY | {"library", "documents", "store"},
    "actions": VOCABULARY | {"library", "sources", "documents", "store", "sync", "exporters"},
    "cli": VOCABULARY | {"library", "actions", "sync", "store", "exporters"},
    "tui": VOCABULARY | {"library", "actions", "sync", "store", "exporters"},
    "__main__": {"cli"},
    "__init__": set(),
}
# The command `papertrack tui` starts the other front end: the one place where they meet.
EXCEPTIONS = {("cli/read/tui.py", "tui")}


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_parts(path: Path) -> set[str]:
    parts = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            package, _, rest = name.partition(".")
            if package == "papertrack" and rest and rest != "__version__":
                parts.add(rest.split(".")[0])
    return parts


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: str(p.relative_to(PACKAGE))
)
def test_each_part_imports_only_what_the_house_allows(path: Path) -> None:
    part = part_of(path)
    assert part in MAY_IMPORT, f"{part} has no place in the house"
    allowed = MAY_IMPORT[part] | {part}
    relative = str(path.relative_to(PACKAGE))
    forbidden = {p for p in imported_parts(path) - allowed if (relative, p) not in EXCEPTIONS}
    assert not forbidden, f"{relative} may not import {sorted(forbidden)}"


def sql_calls(path: Path) -> list[int]:
    """The lines that hand SQL to a database."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr in ("execute", "executemany", "executescript")
    ]


def test_only_the_store_knows_sql() -> None:
    for path in PACKAGE.rglob("*.py"):
        if part_of(path) != "store":
            assert not sql_calls(path), path


def test_the_test_of_the_house_can_fail(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text(
        "from papertrack.store import papers\nimport papertrack.cli.main\n"
        "store.connection.execute('SELECT 1')\n"
    )
    assert imported_parts(planted) == {"store", "cli"}
    assert sql_calls(planted) == [3]

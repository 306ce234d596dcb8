"""The house: which part may import which (design section 3), held as data."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "papertrack"
VOCABULARY = {
    *("errors", "category_paths", "identifiers", "records", "text", "latex", "queries"),
    *("holdings", "differences", "foreign_database"),
    *("matching", "ranking", "pdfs"),
}

MAY_IMPORT = {
    "errors": set(),
    "records": {"errors"},
    "holdings": {"records"},
    "category_paths": {"errors"},
    "foreign_database": {"errors"},
    "differences": set(),
    "contract": {"records"},
    "text": {"errors", "records"},
    "identifiers": {"errors", "records", "text"},
    "latex": {"errors", "text"},
    "matching": {"records", "identifiers", "text", "latex", "differences"},
    "queries": {"errors", "records", "identifiers", "text"},
    "ranking": {"text"},
    "pdfs": {"errors", "text", "foreign_database"},
    "library": VOCABULARY,
    "sources": VOCABULARY,
    # What `export --json` wrote is read back by the model of what it writes.
    "documents": VOCABULARY | {"contract"},
    # What other tools keep is read into the same facts as a .bib file.
    "importers": VOCABULARY | {"documents"},
    "store": VOCABULARY,
    # A .bib file that is exported is made of the same new entries as one that is kept in step.
    "exporters": VOCABULARY | {"documents"},
    "sync": VOCABULARY | {"library", "documents", "store"},
    "actions": VOCABULARY
    | {"library", "sources", "documents", "store", "sync", "exporters", "importers"},
    "cli": VOCABULARY | {"contract", "library", "actions", "store", "exporters", "importers"},
    "tui": VOCABULARY | {"library", "actions", "store", "exporters"},
    "mcp": VOCABULARY | {"actions", "store", "documents", "exporters"},
    "__main__": {"cli"},
    "__init__": set(),
}
# `papertrack tui`, `cite --pick` and `mcp` start another front end: the places where they meet.
EXCEPTIONS = {("cli/looking.py", "tui"), ("cli/cite.py", "tui"), ("cli/library.py", "mcp")}


@cache
def tree_of(path: Path) -> ast.Module:
    """A module, which is read once for all that is asked of it."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree_of(path)))


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def imported_names(path: Path) -> frozenset[str]:
    """What a module imports anywhere, each name with its module."""
    names = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)


def imported_parts(path: Path) -> set[str]:
    parts = set()
    for name in imported_names(path):
        package, _, rest = name.partition(".")
        if package == "papertrack" and rest and rest != "__version__":
            parts.add(rest.split(".")[0])
    return parts


def test_each_part_imports_only_what_the_house_allows() -> None:
    paths = sorted(PACKAGE.rglob("*.py"))
    assert {part_of(path) for path in paths} <= MAY_IMPORT.keys(), "a part has no place"
    imports = {
        (str(path.relative_to(PACKAGE)), imported)
        for path in paths
        for imported in imported_parts(path) - MAY_IMPORT[part_of(path)] - {part_of(path)}
    }
    assert imports - {*EXCEPTIONS} == set()


def test_no_modules_import_each_other_in_a_circle() -> None:
    known = {module_of(path).removesuffix(".__init__"): path for path in PACKAGE.rglob("*.py")}
    graph = {
        module: {
            found
            for name in imported_names(path)
            if (found := name if name in known else name.rpartition(".")[0]) in known
        }
        for module, path in known.items()
    }
    TopologicalSorter(graph).prepare()


SQL_METHODS = {"execute", "executemany", "executescript", "insert_many"} | {
    f"select_{what}" for what in ("value", "column", "groups", "records")
}


def sql_calls(path: Path) -> list[int]:
    """The lines that hand SQL to a database."""
    return [
        node.lineno
        for node in nodes_of(path)
        if isinstance(node, ast.Attribute) and node.attr in SQL_METHODS
    ]


FOREIGN_DATABASES = PACKAGE / "foreign_database.py", PACKAGE / "importers" / "database.py"
"""Where copies of strangers' databases are asked; nothing writes to them."""


def test_only_the_store_knows_sql() -> None:
    for path in PACKAGE.rglob("*.py"):
        if part_of(path) != "store" and path not in FOREIGN_DATABASES:
            assert not sql_calls(path), path


MAY_ACT = {"actions", "sync"}
"""The parts that open an action of the store; all others leave the library as it is."""
FRONT_ENDS = {"cli", "tui", "__main__"}
WRITING_SQL = re.compile(
    r"\b(INSERT (OR \w+ )?INTO|UPDATE (OR \w+ )?\w+\s+SET|DELETE FROM|REPLACE INTO"
    r"|(CREATE|DROP|ALTER) (TABLE|INDEX|TRIGGER|VIEW))\b"
)
WRITING_METHODS = {"action", "transaction", "insert", "insert_many"} | {
    *("insert_all", "upsert", "upsert_all", "delete_where")
}
"""Methods of a store, and of sqlite-utils' tables, that write or open what writes."""
STORE_METHODS = {"action", "transaction", "undo", "redo", "create", "insert", "insert_many"}


def calls_of_a_store(path: Path, methods: set[str]) -> list[int]:
    """The lines that call one of these methods of something that is called a store."""
    found = []
    for node in nodes_of(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr not in methods:
                continue
            receiver = ast.unparse(node.func.value).lower()
            if receiver.removesuffix("()").endswith("store"):
                found.append(node.lineno)
    return found


def text_of(node: ast.AST) -> str:
    """The text of a literal, what is filled in as a word."""
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(value) for value in node.values)
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "x" if isinstance(node, ast.FormattedValue) else ""


def module_of(path: Path) -> str:
    return ".".join(("papertrack", *path.relative_to(PACKAGE).with_suffix("").parts))


def names_of_the_store(tree: ast.Module, module: str) -> dict[str, str]:
    """What the names in a module stand for, as far as they are the store's: dotted names."""
    own = {
        node.name: f"{module}.{node.name}"
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    imported = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("papertrack.store")
        for alias in node.names
    }
    return own | imported


def used_names(node: ast.AST, names: dict[str, str]) -> set[str]:
    """The dotted names that a piece of code uses: its functions, and those of its modules."""
    used = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id in names:
            used.add(names[part.id])
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            used |= {f"{names[part.value.id]}.{part.attr}"} if part.value.id in names else set()
    return used


def writes_itself(node: ast.AST) -> bool:
    return any(
        WRITING_SQL.search(text_of(part))
        or (isinstance(part, ast.Attribute) and part.attr in WRITING_METHODS)
        for part in ast.walk(node)
    )


@cache
def writers_of_the_store() -> set[str]:
    """The functions and classes of the store that write, by their SQL or by what they call.

    The class Store itself and what it is made of are none: it is opened for reading, too, and its
    methods are looked at by ``calls_of_a_store``.
    """
    store = {"papertrack.store.store.Store", "papertrack.store.database.Database"}
    uses: dict[str, set[str]] = {}
    writers = set()
    for path in (PACKAGE / "store").rglob("*.py"):
        tree, module = tree_of(path), module_of(path)
        names = names_of_the_store(tree, module)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                name = f"{module}.{node.name}"
                uses[name] = used_names(node, names)
                if writes_itself(node):
                    writers.add(name)
    while more := {n for n, used in uses.items() if used & (writers - store)} - writers:
        writers |= more
    return writers - store


def writers_used(path: Path, writers: set[str]) -> set[str]:
    """What a module outside of the store imports or calls of the store's writers."""
    tree = tree_of(path)
    names = names_of_the_store(tree, "")
    return (set(names.values()) | used_names(tree, names)) & writers


def test_only_actions_and_sync_open_an_action_of_the_store() -> None:
    for path in PACKAGE.rglob("*.py"):
        if part_of(path) not in MAY_ACT:
            assert not calls_of_a_store(path, {"action"}), path
        if part_of(path) not in {*MAY_ACT, "store"}:
            assert not calls_of_a_store(path, {"transaction"}), path


def test_no_front_end_writes() -> None:
    writers = writers_of_the_store()
    assert "papertrack.store.papers.edit_paper" in writers
    assert "papertrack.store.lookup.get_papers" not in writers
    for path in PACKAGE.rglob("*.py"):
        if part_of(path) in FRONT_ENDS:
            assert not calls_of_a_store(path, STORE_METHODS), path
            assert not writers_used(path, writers), path


@pytest.mark.parametrize(
    "line",
    [
        "with store.action('save'): pass",
        "with self.session.store.transaction(): pass",
        "with session.open_store() as store: store.undo(3)",
        "session.open_store().redo()",
        "Store.create(path, now=now)",
    ],
)
def test_the_test_of_the_writers_finds_calls_of_a_store(tmp_path: Path, line: str) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text(line)
    assert calls_of_a_store(planted, STORE_METHODS) == [1]


@pytest.mark.parametrize(
    "lines",
    [
        "from papertrack.store.papers import edit_paper",
        "def f():\n    from papertrack.store.citekeys import Citekeys as Keys",
        "from papertrack.store import states\nstates.decide(store, 1, 'saved')",
        "from papertrack.store.papers import merge_papers",  # It writes through others as well.
    ],
)
def test_the_test_of_the_writers_finds_imports_of_them(tmp_path: Path, lines: str) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text(lines)
    assert writers_used(planted, writers_of_the_store())


def test_the_test_of_the_writers_lets_readers_pass(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text(
        "from papertrack.store import journal\nfrom papertrack.store.lookup import get_paper\n"
        "from papertrack.store.store import Store\njournal.read_log(store)\nself.undo(store)\n"
    )
    assert not calls_of_a_store(planted, STORE_METHODS)
    assert not writers_used(planted, writers_of_the_store())


def test_the_test_of_the_house_can_fail(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text(
        "from papertrack.store import papers\nimport papertrack.cli.main\n"
        "store.connection.execute('SELECT 1')\n"
    )
    assert imported_parts(planted) == {"store", "cli"}
    assert sql_calls(planted) == [3]


SCRIPTS = sorted((PACKAGE.parent / "benchmarks").glob("*.py")) + sorted(
    (PACKAGE.parent / "data" / "pictures").glob("*.py")
)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.name)
def test_what_a_script_imports_of_the_package_is_there(path: Path) -> None:
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("papertrack"):
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                module = import_module(node.module or "")
                assert hasattr(module, alias.name) or find_spec(name), f"{path.name}: {name}"

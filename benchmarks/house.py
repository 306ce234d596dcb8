"""The sizes of the house: lines, modules, complexity, chains of imports, full folders, twins.

    python benchmarks/house.py [--worst N] [--part documents/markdown]

Prints each size beside its limit and exits with 1 when one is over it. The limits are what has been
reached: who makes the house smaller lowers them. Lines are counted without blanks, comments and
strings that stand alone; complexity is McCabe's as radon counts it, of all functions and methods
together (a mean would fall with each fragment and rise with each that is glued to its chapter); an
import counts wherever it stands, also within a function or for type checking only.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from radon.complexity import cc_visit
from radon.visitors import Function

PACKAGE = Path(__file__).parent.parent / "papertrack"
MAX_LINES = 62_000
MAX_FILES = 380
MAX_CHAIN = 27
MAX_COMPLEXITY = 25_050
MAX_SHARE_ABOVE_10 = 0.05
MAX_MODULES = 28
MAX_TWIN_LINES = 12


def modules() -> dict[str, Path]:
    """Each module's dotted name and its file."""
    return {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(
            ".__init__"
        ): path
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def texts_alone(tree: ast.AST) -> set[int]:
    """The lines of the strings that stand alone: docstrings, and what is said of names."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def source_lines(source: str, tree: ast.AST) -> set[int]:
    """The numbers of the lines that are neither blank nor comment nor a string alone."""
    said = texts_alone(tree)
    return {
        number
        for number, line in enumerate(source.splitlines(), start=1)
        if (text := line.strip()) and not text.startswith("#") and number not in said
    }


def imports_of(name: str, tree: ast.AST, known: dict[str, Path]) -> set[str]:
    """The modules of the package that a module imports anywhere."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in known else node.module)
    return {other for other in found if other in known and other != name}


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The sets of modules that import each other (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            circle = [stack.pop()]
            while circle[-1] != node:
                circle.append(stack.pop())
            if len(circle) > 1:
                found.append(circle)

    for node in graph:
        if node not in index:
            visit(node)
    return found


def longest_chain(graph: dict[str, set[str]]) -> list[str]:
    """The longest way from a module through its imports, of a graph without circles."""

    @cache
    def chain(node: str) -> tuple[str, ...]:
        return (node, *max((chain(other) for other in graph[node]), key=len, default=()))

    return list(max(map(chain, graph), key=len))


def complexities(source: str) -> Iterator[tuple[int, str, int]]:
    """Complexity, name and line of each function and method, with what is defined inside."""
    for block in cc_visit(source):
        if isinstance(block, Function):
            yield block.complexity, block.name, block.lineno


class _Shape(ast.NodeTransformer):
    """Leaves of a function only what it does, not with what names and values."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name("_", node.ctx), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return ast.copy_location(ast.Attribute(self.visit(node.value), "_", node.ctx), node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.copy_location(ast.Constant("_"), node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.copy_location(ast.arg("_"), node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        return ast.copy_location(ast.keyword("_", self.visit(node.value)), node)


def shape_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    shape = _Shape()
    parts = [shape.visit(statement) for statement in function.body]
    return f"{len(function.args.args)}:" + ";".join(ast.dump(part) for part in parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--worst", type=int, default=0, help="name the most complex functions")
    parser.add_argument("--part", default="", help="only modules below this, such as store")
    arguments = parser.parse_args()
    part = arguments.part.strip("/").replace("/", ".")
    known = modules()
    graph: dict[str, set[str]] = {}
    lines: Counter[str] = Counter()
    files = 0
    found: list[tuple[int, str]] = []
    shapes: dict[str, list[str]] = defaultdict(list)
    for name, path in known.items():
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        graph[name] = imports_of(name, tree, known)
        if part and not f"{name}.".startswith(f"papertrack.{part}."):
            continue
        relative = path.relative_to(PACKAGE)
        code = source_lines(source, tree)
        lines[relative.parts[0].removesuffix(".py")] += len(code)
        files += 1
        found += [(cc, f"{relative}:{line} {what}") for cc, what, line in complexities(source)]
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                own = code & set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
                if len(own) > MAX_TWIN_LINES:
                    shapes[shape_of(node)].append(f"{relative}:{node.lineno} {node.name}")
    round_ones = circles(graph)
    chain = [] if round_ones else longest_chain(graph)
    folders = Counter(str(path.parent.relative_to(PACKAGE)) for path in known.values())
    fullest, modules_there = folders.most_common(1)[0]
    twins = [places for places in shapes.values() if len(places) > 1]
    complexity = sum(cc for cc, _ in found)
    share = sum(cc > 10 for cc, _ in found) / len(found)
    checks = [
        (f"lines {sum(lines.values()):,}", f"{MAX_LINES:,}", sum(lines.values()) <= MAX_LINES),
        (f"modules {files}", f"{MAX_FILES}", files <= MAX_FILES),
        (f"import circles {len(round_ones)}", "0", not round_ones),
        (f"longest chain of imports {len(chain)}", f"{MAX_CHAIN}", len(chain) <= MAX_CHAIN),
        (f"complexity {complexity:,}", f"{MAX_COMPLEXITY:,}", complexity <= MAX_COMPLEXITY),
        (f"functions above 10: {share:.1%}", f"{MAX_SHARE_ABOVE_10:.0%}", share <= 0.05),
        (f"modules in {fullest}: {modules_there}", f"{MAX_MODULES}", modules_there <= MAX_MODULES),
        (f"twins {len(twins)}", "0", not twins),
    ]
    for what, limit, holds in checks:
        print(f"{'ok  ' if holds else 'OVER'} {what} (at most {limit})")
    print("parts: " + ", ".join(f"{part} {count:,}" for part, count in lines.most_common()))
    for circle in round_ones:
        print("circle: " + ", ".join(sorted(circle)))
    for places in twins:
        print("twins: " + ", ".join(places))
    if len(chain) > MAX_CHAIN:
        print("chain: " + " > ".join(name.removeprefix("papertrack.") for name in chain))
    for cc, where in sorted(found, reverse=True)[: arguments.worst]:
        print(f"{cc:3} {where}")
    return 0 if all(holds for _, _, holds in checks) else 1


if __name__ == "__main__":
    sys.exit(main())

"""How long a README takes, against markdown-it-py alone: ``python benchmarks/documents_speed.py``.

A list in the style of the collections with 210, 2,100 and 21,000 entries (4 MB), as table and as
bullets: seconds that markdown-it-py needs for its blocks, seconds for parsing into entries, their
ratio (at most 15), and peak memory. Cost must grow as the list does.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable

from markdown_it import MarkdownIt

from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.write.edits import apply_edits

SIZES = (210, 2_100, 21_000)


def table(rows: int) -> str:
    """Return a README with one table per 100 papers."""
    parts = ["# Papers\n"]
    for number in range(rows):
        if number % 100 == 0:
            parts.append(f"\n## Topic {number // 100}\n\n| Title | Date | arXiv | Code | Read |\n")
            parts.append("| :-- | :-- | :-- | :-- | :-- |\n")
        paper = f"{2001 + number // 8000}.{10000 + number % 80000}"
        parts.append(
            f"| [<u>A Paper on Serving Language Models, Number {number}</u>]"
            f"(https://arxiv.org/abs/{paper}) | 2020/01 | "
            f"[![arXiv](https://img.shields.io/badge/arXiv-b31b1b.svg)]"
            f"(https://arxiv.org/abs/{paper}) | [repo](https://github.com/a/r{number}) | ✅ |\n"
        )
    return "".join(parts)


def bullets(items: int) -> str:
    """Return a README with one list per 100 papers."""
    parts = ["# Papers\n"]
    for number in range(items):
        if number % 100 == 0:
            parts.append(f"\n## Topic {number // 100}\n\n")
        paper = f"{2001 + number // 8000}.{10000 + number % 80000}"
        parts.append(
            f"- [x] (2020-01) **A Paper on Serving Language Models, Number {number}** :star::star: "
            f"[[paper]](https://arxiv.org/abs/{paper}) [[code]](https://github.com/a/r{number})\n"
            "  - Ada Lovelace, Alan Turing, Grace Hopper\n"
        )
    return "".join(parts)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> int:
    worst = 0.0
    print(f"{'shape':8} {'entries':>8} {'MB':>6} {'blocks':>8} {'ours':>8} {'ratio':>6}")
    for make in (table, bullets):
        for size in SIZES:
            text = make(size)
            blocks = MarkdownIt("commonmark").enable("table")
            blocks.core.ruler.enableOnly(["normalize", "block"])
            alone = seconds(lambda md=blocks, t=text: md.parse(t))
            ours = seconds(lambda t=text: apply_edits(parse_document(t), []))
            worst = max(worst, ours / alone)
            megabytes = len(text.encode()) / 1e6
            print(
                f"{make.__name__:8} {size:8} {megabytes:6.1f} {alone:8.2f} {ours:8.2f} "
                f"{ours / alone:6.1f}"
            )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"worst ratio {worst:.1f}, peak memory {peak:.0f} MB")
    return 0 if worst <= 15 else 1


if __name__ == "__main__":
    sys.exit(main())

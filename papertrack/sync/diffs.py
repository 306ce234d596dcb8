"""What a document's export changes, as a unified diff."""

from __future__ import annotations

import difflib


def diff_of(name: str, old: str, new: str) -> tuple[str, int, int]:
    """A unified diff of two texts, and how many lines it adds and removes."""
    if old == new:
        return "", 0, 0
    lines = list(
        difflib.unified_diff(
            old.splitlines(keepends=True),
            new.splitlines(keepends=True),
            f"a/{name}",
            f"b/{name}",
        )
    )
    text = "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
    added = sum(line.startswith("+") for line in lines[2:])
    removed = sum(line.startswith("-") for line in lines[2:])
    return text, added, removed

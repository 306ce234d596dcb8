"""What is left in a new entry of parts that it does not have: labels with nothing behind them."""

from __future__ import annotations

import re

_INDENT = re.compile(r"[ \t>]*")
_LABEL_ALONE = re.compile(
    r"[ \t>]*(?:[-+*][ \t]+)?[*_`]{0,3}[^\W\d_][^\r\n:：()\[\]]{0,30}[:：][*_`]{0,3}\s*"
)
"""A line that says what would follow: ``- **Keyword:**``."""


def without_empty_labels(text: str) -> str:
    """Return an entry without the lines below its first that are a label of nothing: the next
    line is none of theirs."""
    lines = text.splitlines(keepends=True)
    kept = [
        line
        for number, line in enumerate(lines)
        if number == 0 or not _is_empty(line, lines[number + 1 : number + 2])
    ]
    return "".join(kept).rstrip("\r\n") if len(kept) < len(lines) else text


def _is_empty(line: str, following: list[str]) -> bool:
    """Whether a line is a label of nothing."""
    if not _LABEL_ALONE.fullmatch(line):
        return False
    return not any(_indent(other) > _indent(line) for other in following)


def _indent(line: str) -> int:
    match = _INDENT.match(line)
    return len(match.group().expandtabs(4)) if match else 0

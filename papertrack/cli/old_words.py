"""Translate old spellings of commands into current ones, before click sees the command line.

The table is ``OLD_WORDS``. Words after an old spelling stay as they were typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_Words = list[str]


def _digest(rest: _Words) -> _Words:
    return ["watch", "--no-look", *(re.sub("^--format(?==|$)", "--digest", word) for word in rest)]


def _backfill(rest: _Words) -> _Words:
    """Find the topic: the first word that is neither an option nor an option's value."""
    for index, word in enumerate(rest):
        is_value = index > 0 and rest[index - 1] in ("--since", "--library")
        if not (word.startswith("-") or is_value):
            return ["watch", "--topic", *rest[index : index + 1], *rest[:index], *rest[index + 1 :]]
    return ["watch", "--topic", *rest]


def _schema(rest: _Words) -> _Words:
    names = [word for word in rest if not word.startswith("-")]
    return [*modern([*names]), "--schema"] if names or not rest else rest


def _pdf(rest: _Words) -> _Words:
    from difflib import get_close_matches

    first = rest[0] if rest else "-h"
    # A mistyped command is passed to click, which names the nearest.
    is_new = first.startswith("-") or get_close_matches(first, ("get", "add", "index"))
    return ["pdf", *rest] if is_new else ["pdf", "get", *rest]


OLD_WORDS: dict[str, str | Callable[[_Words], _Words]] = {
    "backfill": _backfill,
    "category add": "category --add",
    "category list": "category",
    "category order": "category",
    "category rename": "category --rename",
    "category rm": "category --remove",
    "cited-by-mine": "published --cited",
    "completion": "config --completion",
    "demo": "init --demo",
    "digest": _digest,
    "duplicates": "merge",
    "next": "queue --next",
    "pdf": _pdf,
    "rank": "ranking --file",
    "ranking forget": "ranking --forget",
    "ranking less": "ranking --less",
    "ranking more": "ranking --more",
    "ranking show": "ranking",
    "restore": "backup --restore",
    "schema": _schema,
    "search-arxiv": "search --arxiv",
    "share status": "share",
    "snooze": "save --snooze",
    "split": "merge --undo",
    "topic backfill": _backfill,
    "topic list": "topic",
    "topic pause": "topic edit --pause",
    "topic preview": "topic add --try",
    "topic resume": "topic edit --resume",
    "topic rm": "topic edit --remove",
    "trust": "config --trust",
    "watch status": "watch --status",
    "watch uninstall": "watch install --remove",
    "why": "ranking",
}
"""The current words for old ones, or a function that makes them from all later words."""


def modern(arguments: Sequence[str]) -> list[str]:
    """Return a command line in current words."""
    start = _start_of_command(arguments)
    options, words = list(arguments[:start]), list(arguments[start:])
    for length in (2, 1):
        current = OLD_WORDS.get(" ".join(words[:length])) if len(words) >= length else None
        if isinstance(current, str):
            return [*options, *current.split(), *words[length:]]
        if current is not None:
            return [*options, *current(words[length:])]
    return list(arguments)


def _start_of_command(arguments: Sequence[str]) -> int:
    """Return the index of the first word that is not an option of ``papertrack`` itself."""
    index = 0
    while index < len(arguments) and arguments[index].startswith("-"):
        index += 2 if arguments[index] == "--library" else 1
    return index

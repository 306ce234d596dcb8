"""Changing one setting in the text of ``papertrack.toml``; comments and layout stay."""

from __future__ import annotations

from typing import Any

from papertrack.errors import UsageError


def set_value(text: str, key: str, value: object) -> str:
    """The text with the setting ``key`` (``arxiv.contact``) put to ``value``.

    ``text`` must be valid TOML and ``value`` one that TOML can hold.
    """
    import tomlkit

    tables = tomlkit.parse(text)
    *path, name = key.split(".")
    table: Any = tables
    for part in path:
        if part not in table:
            table[part] = tomlkit.table()
        table = table[part]
    table[name] = value
    return tomlkit.dumps(tables)


def unset_value(text: str, key: str) -> str:
    """The text without the setting ``key``. Raises UsageError when the text does not set it."""
    import tomlkit

    tables = tomlkit.parse(text)
    *path, name = key.split(".")
    table: Any = tables
    for part in path:
        table = table.get(part, {})
    if name not in table:
        raise UsageError(f"{key} is not set in the file: there is nothing to take out.")
    del table[name]
    return tomlkit.dumps(tables)

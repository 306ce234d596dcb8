"""The settings in force: those of all files and the environment, as far as they are trusted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from papertrack.library import Library, own_settings_path
from papertrack.library.setting_values import (
    check_settings,
    place,
    remove,
    value_at,
    value_of,
    variables,
)
from papertrack.library.settings import Settings, powerful_keys
from papertrack.library.settings_files import parse_settings, read_settings_text
from papertrack.library.trust import has_trusted


def load_settings(
    library: Library, environ: Mapping[str, str], tell: Callable[[str], None] | None = None
) -> Settings:
    """The settings in force: the environment goes before the library's file, that before the
    reader's own file, and that before defaults.

    Settings of a library that nobody trusted, and that would run programs, send secrets or name
    hosts, are left out, which ``tell`` is told in a sentence. Raises UsageError, naming the file
    (or variable), the key and the nearest valid key.
    """
    path = library.settings_path
    given = read_settings(path)
    if ignored := untrusted_keys(library, given):
        for key in ignored:
            remove(given, key)
        if tell is not None:
            tell(
                f"{path} sets {', '.join(ignored)}, which nobody has trusted on this machine: "
                "ignored. `papertrack config --trust` shows what that is, and takes it."
            )
    given = _over(read_settings(own_settings_path(environ)), given)
    for key, variable in variables().items():
        if text := environ.get(variable):
            place(given, key, value_of(key, text, source=variable))
    return check_settings(given, str(path))


def read_settings(path: Path) -> dict[str, Any]:
    """The tables of a settings file, checked. Raises UsageError for the first thing wrong."""
    given = parse_settings(read_settings_text(path), path)
    check_settings(given, str(path))
    return given


def powerful_settings(given: Mapping[str, Any]) -> dict[str, object]:
    """Of the tables of a settings file, those that run programs, send secrets or name hosts: by
    key."""
    found = {key: value_at(given, key) for key in powerful_keys()}
    return {key: value for key, value in found.items() if value is not None}


def untrusted_keys(library: Library, given: Mapping[str, Any]) -> list[str]:
    """The settings of the library's own file that are not used, as nobody trusted them."""
    powerful = powerful_settings(given)
    return [] if not powerful or has_trusted(library, powerful) else list(powerful)


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Two layers of tables as one: what the upper one sets goes first."""
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        both = isinstance(value, Mapping) and isinstance(under, Mapping)
        merged[key] = _over(under, value) if both and under is not None else value
    return merged

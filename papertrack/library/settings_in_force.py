"""The settings in force, from all files and the environment, if they are trusted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from papertrack.errors import NotFoundError, PapertrackError, UsageError
from papertrack.foreign_database import opened
from papertrack.library import Library, is_shared, own_settings_path
from papertrack.library.settings import Settings, powerful_keys, variables
from papertrack.text import parse_toml

_MAX_BYTES = 2**20
"""The largest settings file that is read."""


def load_settings(
    library: Library,
    environ: Mapping[str, str],
    warn: Callable[[str], None] | None = None,
    *,
    only: str | None = None,
) -> Settings:
    """Return the settings in force.

    The environment overrides the library's file, which overrides the user's own file, which
    overrides the defaults. With ``only``, the name of a table, no other table is checked if that
    one is not set, because checking takes longer than a short command. In a library that is not
    trusted, settings that run programs, send secrets or name hosts are ignored, and ``warn`` gets a
    message about them. Raises UsageError, with the file or variable, the key and the nearest valid
    key.
    """
    if not is_set(library, environ, only):
        return Settings()
    from papertrack.library.setting_values import check_settings, place, remove, value_of

    path = library.settings_path
    warn = warn or (lambda _: None)
    if is_shared(library):
        tables = _valid_tables(path, warn)
        if tables.pop("digests", None):
            warn(
                f"{path} sets digests, which are ignored because the file is shared. Set your "
                "own with `papertrack config --mine digests.NAME ADDRESS`."
            )
    else:
        tables = read_settings(path)
    if ignored := untrusted_keys(library, tables):
        for key in ignored:
            remove(tables, key)
        warn(
            f"{path} sets {', '.join(ignored)}, which are not trusted on this machine, and are "
            "ignored. `papertrack config --trust` shows and trusts them."
        )
    tables = _merge_tables(read_settings(own_settings_path(environ)), tables)
    for key, variable in variables().items():
        if text := environ.get(variable):
            place(tables, key, value_of(key, text, source=variable))
    return check_settings(tables, str(path))


def is_set(library: Library, environ: Mapping[str, str], table: str | None = None) -> bool:
    """Return whether anything is set, or anything that may concern one table.

    An unknown name may be a misspelled name of this table. Raises UsageError for unreadable files.
    """
    tables = {table_field.name for table_field in fields(Settings)}
    variables = "\n".join(["", *environ])
    tables_set = {name for name in tables if f"\nPAPERTRACK_{name.upper()}" in variables}
    for path in (library.settings_path, own_settings_path(environ)):
        try:
            tables_set |= parse_settings(read_settings_text(path), path).keys()
        except UsageError:
            if path != library.settings_path or not is_shared(library):
                raise
            return True
    return bool(tables_set if table is None else tables_set - (tables - {table}))


def read_settings(path: Path) -> dict[str, Any]:
    """Return the tables of a settings file, checked. Raises UsageError for the first error."""
    from papertrack.library.setting_values import check_settings

    tables = parse_settings(read_settings_text(path), path)
    check_settings(tables, str(path))
    return tables


def _valid_tables(path: Path, warn: Callable[[str], None]) -> dict[str, Any]:
    """Return the valid tables of a settings file; ``warn`` gets a message about each other."""
    from papertrack.library.setting_values import check_settings

    valid: dict[str, Any] = {}
    try:
        for name, table in parse_settings(read_settings_text(path), path).items():
            try:
                check_settings({name: table}, str(path))
                valid[name] = table
            except UsageError as error:
                warn(f"{error} `{name}` is ignored until this is corrected.")
    except UsageError as error:
        warn(f"{error} The file is ignored until this is corrected.")
    return valid


def powerful_settings(tables: Mapping[str, Any]) -> dict[str, object]:
    """Return the settings, by key, that run programs, send secrets or name hosts."""
    from papertrack.library.setting_values import value_at

    values = {key: value_at(tables, key) for key in powerful_keys()}
    return {key: value for key, value in values.items() if value is not None}


def untrusted_keys(library: Library, tables: Mapping[str, Any]) -> list[str]:
    """Return the settings in the library's file that are ignored, because they are not trusted."""
    from papertrack.library.trust import has_trusted

    powerful = powerful_settings(tables)
    return [] if not powerful or has_trusted(library, powerful) else list(powerful)


def _merge_tables(lower: Mapping[str, Any], upper: Mapping[str, Any]) -> dict[str, Any]:
    """Merge two layers of tables; the upper one takes precedence."""
    merged = dict(lower)
    for key, value in upper.items():
        old = merged.get(key)
        are_tables = isinstance(value, Mapping) and isinstance(old, Mapping)
        merged[key] = _merge_tables(old, value) if are_tables and old is not None else value
    return merged


def read_settings_text(path: Path) -> str:
    """Return the text of a settings file; empty if there is none."""
    try:
        with opened(path) as file:
            text = file.read(_MAX_BYTES + 1)
        if len(text) > _MAX_BYTES:
            raise PapertrackError("it is too large")
        return text.decode().replace("\r\n", "\n")
    except NotFoundError:
        return ""
    except (PapertrackError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} could not be read: {error}. Correct it and run again.") from error


def parse_settings(text: str, path: Path) -> dict[str, Any]:
    """Parse the tables of a settings file. Raises UsageError if it is not TOML."""
    # `papertrack init` writes only comments, which need no parser.
    if all(not line or line.startswith("#") for line in map(str.strip, text.split("\n"))):
        return {}
    try:
        return parse_toml(text)
    except (ValueError, RecursionError) as error:  # A number of 5,000 digits is also invalid.
        raise UsageError(f"{path} is not valid TOML: {error}.") from error

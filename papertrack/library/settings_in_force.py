"""The settings in force: those of all files and the environment, as far as they are trusted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from papertrack.errors import NotFoundError, PapertrackError, UsageError
from papertrack.foreign_database import opened
from papertrack.library import Library, is_shared, own_settings_path
from papertrack.library.settings import Settings, powerful_keys, variables

_MOST_BYTES = 2**20
"""Of a settings file."""


def load_settings(
    library: Library,
    environ: Mapping[str, str],
    tell: Callable[[str], None] | None = None,
    *,
    only: str | None = None,
) -> Settings:
    """The settings in force: the environment goes before the library's file, that before the
    reader's own file, and that before defaults.

    With ``only``, the name of a table, the others are not checked if nobody set anything in it:
    checking takes longer than a short command. In a library that is not trusted, settings that run
    programs, send secrets or name hosts are ignored, and ``tell`` gets a message about them.
    Raises UsageError, naming the file (or variable), the key and the nearest valid key.
    """
    if not is_set(library, environ, only):
        return Settings()
    from papertrack.library.setting_values import check_settings, place, remove, value_of

    path = library.settings_path
    tell = tell or (lambda _: None)
    if is_shared(library):
        given = _sound_tables(path, tell)
        if given.pop("digests", None):
            tell(
                f"{path} sets digests, which are ignored, as the file is shared. For your own: "
                "`papertrack config --mine digests.NAME ADDRESS`."
            )
    else:
        given = read_settings(path)
    if ignored := untrusted_keys(library, given):
        for key in ignored:
            remove(given, key)
        tell(
            f"{path} sets {', '.join(ignored)}, which are not trusted on this machine, and are "
            "ignored. `papertrack config --trust` shows and trusts them."
        )
    given = _over(read_settings(own_settings_path(environ)), given)
    for key, variable in variables().items():
        if text := environ.get(variable):
            place(given, key, value_of(key, text, source=variable))
    return check_settings(given, str(path))


def is_set(library: Library, environ: Mapping[str, str], table: str | None = None) -> bool:
    """Whether anybody set anything, or anything that may concern one table: a name that is no
    setting's may be this table's, misspelled. Raises UsageError for files that cannot be read."""
    tables = {one.name for one in fields(Settings)}
    named = {name for name in tables if _is_any_named(f"PAPERTRACK_{name.upper()}", environ)}
    for path in (library.settings_path, own_settings_path(environ)):
        try:
            named |= parse_settings(read_settings_text(path), path).keys()
        except UsageError:
            if path != library.settings_path or not is_shared(library):
                raise
            return True
    return bool(named if table is None else named - (tables - {table}))


def _is_any_named(start: str, environ: Mapping[str, str]) -> bool:
    return any(name.startswith(start) for name in environ)


def read_settings(path: Path) -> dict[str, Any]:
    """The tables of a settings file, checked. Raises UsageError for the first thing wrong."""
    from papertrack.library.setting_values import check_settings

    given = parse_settings(read_settings_text(path), path)
    check_settings(given, str(path))
    return given


def _sound_tables(path: Path, tell: Callable[[str], None]) -> dict[str, Any]:
    """The valid tables of a settings file; ``tell`` gets a message about each other one."""
    from papertrack.library.setting_values import check_settings

    sound: dict[str, Any] = {}
    try:
        for name, table in parse_settings(read_settings_text(path), path).items():
            try:
                check_settings({name: table}, str(path))
                sound[name] = table
            except UsageError as error:
                tell(f"{error} `{name}` is ignored until this is corrected.")
    except UsageError as error:
        tell(f"{error} The file is ignored until this is corrected.")
    return sound


def powerful_settings(given: Mapping[str, Any]) -> dict[str, object]:
    """Of the tables of a settings file, those that run programs, send secrets or name hosts: by
    key."""
    from papertrack.library.setting_values import value_at

    found = {key: value_at(given, key) for key in powerful_keys()}
    return {key: value for key, value in found.items() if value is not None}


def untrusted_keys(library: Library, given: Mapping[str, Any]) -> list[str]:
    """The settings of the library's own file that are not used, as nobody trusted them."""
    from papertrack.library.trust import has_trusted

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


def read_settings_text(path: Path) -> str:
    """The text of a settings file, empty when there is none."""
    try:
        with opened(path) as file:
            text = file.read(_MOST_BYTES + 1)
        if len(text) > _MOST_BYTES:
            raise PapertrackError("it is enormous")
        return text.decode().replace("\r\n", "\n")
    except NotFoundError:
        return ""
    except (PapertrackError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} could not be read: {error}. Correct it and run again.") from error


def parse_settings(text: str, path: Path) -> dict[str, Any]:
    """The tables of a settings file, as far as it is TOML. Raises UsageError when it is not."""
    # Most files have only comments, as `papertrack init` writes them: they need no parser.
    if all(not line or line.startswith("#") for line in map(str.strip, text.split("\n"))):
        return {}
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # A number of 5,000 digits is no value either.
        raise UsageError(f"{path} is not valid TOML: {error}.") from error

"""What the settings' files say, before it is checked: where none concerns a table, none is loaded.

Checking settings costs a tenth of a second (see ``settings``); who needs one that nobody set asks
here first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from papertrack.errors import UsageError
from papertrack.library import Library, own_settings_path

NAMES = (
    *("arxiv", "citekeys", "reading", "bibtex", "manuscripts", "check", "watch", "mail", "tui"),
    *("ranking", "share", "sources", "zotero", "pdf_viewer"),
)
"""What may stand at the top of a settings file; a test holds them to what ``Settings`` has."""
DEFAULT_IN_HAND = 5


class BibtexWishes(NamedTuple):
    """The table ``[bibtex]``, where it is all that is asked for."""

    protect: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()


class CheckWishes(NamedTuple):
    """The table ``[check]``, where it is all that is asked for."""

    ignore: tuple[str, ...] = ()
    fail_on: Literal["note", "warning", "error"] = "note"


def is_unset(library: Library, environ: Mapping[str, str], table: str) -> bool:
    """Whether nobody set anything in this table, so that its defaults are in force.

    A name that is no setting's may be this table's, misspelled: then the answer is no, and who
    loads the settings is told. Raises UsageError for files that cannot be read.
    """
    if _is_in_environment(environ, [table]):
        return False
    others = set(NAMES) - {table}
    paths = library.settings_path, own_settings_path(environ)
    return all(parse_settings(read_settings_text(path), path).keys() <= others for path in paths)


def is_any_set(library: Library, environ: Mapping[str, str]) -> bool:
    """Whether anybody set anything at all; of a file that cannot be read nobody knows."""
    paths = library.settings_path, own_settings_path(environ)
    try:
        return _is_in_environment(environ, NAMES) or any(
            parse_settings(read_settings_text(path), path) for path in paths
        )
    except UsageError:
        return True


def _is_in_environment(environ: Mapping[str, str], tables: Sequence[str]) -> bool:
    starts = tuple(f"PAPERTRACK_{table.upper()}_" for table in tables)
    return any(name.startswith(starts) for name in environ)


def read_settings_text(path: Path) -> str:
    """The text of a settings file, empty when there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path} could not be read: {error}. Put it right and run again."
        ) from error


def parse_settings(text: str, path: Path) -> dict[str, Any]:
    """The tables of a settings file, as far as it is TOML. Raises UsageError when it is not."""
    # Most files have only comments, as `papertrack init` writes them: they need no parser.
    if all(not line or line.startswith("#") for line in map(str.strip, text.split("\n"))):
        return {}
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not valid TOML: {error}.") from error

"""``papertrack config``."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from papertrack.cli.output import Columns, is_terminal, print_json, print_text
from papertrack.cli.session import Session, dry_run_option, json_option, pass_session
from papertrack.errors import NotFoundError, UsageError
from papertrack.library import Library, own_settings_path
from papertrack.library.files import read_file, replace_file, write_file
from papertrack.library.setting_values import (
    check_settings,
    nearest_key,
    set_value,
    unset_value,
    value_at,
    value_of,
    variables,
)
from papertrack.library.settings import setting_meanings
from papertrack.library.settings_in_force import (
    parse_settings,
    powerful_settings,
    read_settings,
    untrusted_keys,
)
from papertrack.library.trust import refuse_outside, trust
from papertrack.text import clean

COLUMNS: Columns = {
    "setting": "key",
    "value": lambda row: _shown(row["value"]),
    "from": "origin",
    "variable": "variable",
    "meaning": "meaning",
}


def _complete_key(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return [CompletionItem(key) for key in setting_meanings() if key.startswith(incomplete)]


@click.command
@click.argument("key", required=False, shell_complete=_complete_key)
@click.argument("value", required=False)
@click.option("--unset", is_flag=True, help="Take KEY out of the file: back to the default.")
@click.option("--mine", is_flag=True, help="Change your own settings, for all your libraries.")
@json_option
@dry_run_option
@pass_session
def config(session: Session, key: str | None, value: str | None, unset: bool, mine: bool) -> None:
    """Show or change the settings.

    Without KEY all settings are listed with what they mean; with KEY its value is printed; with
    VALUE it is changed in the library's papertrack.toml, whose comments stay, or with --mine in a
    file of your own that counts in every library that does not say otherwise. Lists are written
    with commas. Every setting but tui.keys and tui.queries can also come from the environment:
    reading.in_hand as PAPERTRACK_READING_IN_HAND.

    \b
    Examples:
      papertrack config
      papertrack config reading.in_hand
      papertrack config arxiv.contact me@example.org
      papertrack config bibtex.protect 'GPU, LoRA'
      papertrack config --mine pdf_viewer evince
    """
    if unset and key is None:
        raise UsageError("--unset goes with a KEY: name what is to be taken out.")
    if mine and not unset and value is None:
        raise UsageError("--mine goes with a KEY and a VALUE, or with --unset KEY.")
    if key is None:
        _list_settings(session)
    elif value is None and not unset:
        _print_setting(session, key)
    elif value is not None and unset:
        raise UsageError("Give a VALUE or --unset, not both.")
    else:
        _change_setting(session, key, value, is_own=mine)


def _settings_with_origins(session: Session) -> list[dict[str, object]]:
    library = session.library()
    in_force = asdict(session.settings())
    in_file, in_own = (
        read_settings(path) for path in (library.settings_path, own_settings_path(os.environ))
    )
    ignored = untrusted_keys(library, in_file)
    named = variables()
    rows: list[dict[str, object]] = []
    for key, meaning in setting_meanings().items():
        variable = named.get(key)
        files = {"file": None if key in ignored else in_file, "mine": in_own}
        origin = _origin(key, variable, files)
        value = value_at(in_force, key)
        rows.append(
            {"key": key, "value": value, "origin": origin, "variable": variable, "meaning": meaning}
        )
    return rows


def _origin(key: str, variable: str | None, files: Mapping[str, object]) -> str:
    """Where the value of a setting comes from."""
    if variable and os.environ.get(variable):
        return "environment"
    named = (name for name, tables in files.items() if value_at(tables, key) is not None)
    return next(named, "default")


def _list_settings(session: Session) -> None:
    rows = _settings_with_origins(session)
    if session.as_json or not is_terminal():
        session.print_records(rows, COLUMNS, flexible=1)
        return
    # Both the value and the meaning can be long: no columns, so that neither is cut.
    layout = click.HelpFormatter(width=shutil.get_terminal_size().columns)
    layout.write_dl([(_set_to(row), str(row["meaning"])) for row in rows], col_max=36)
    print_text(layout.getvalue())


def _set_to(row: Mapping[str, object]) -> str:
    """``reading.in_hand = 4 (file)``."""
    value = f" = {clean(_shown(row['value']))}" if row["value"] not in (None, (), {}) else ""
    origin = "" if row["origin"] == "default" else f" ({row['origin']})"
    return f"{row['key']}{value}{origin}"


def _print_setting(session: Session, key: str) -> None:
    row = next((row for row in _settings_with_origins(session) if row["key"] == key), None)
    if row is None:
        near = nearest_key(key)
        hint = f"did you mean {near}?" if near else "`papertrack config` lists all."
        raise NotFoundError(f"There is no setting {key}; {hint}")
    if session.as_json:
        print_json(row)
    else:
        click.echo(_shown(row["value"]))
        session.say(str(row["meaning"]))


def _change_setting(session: Session, key: str, value: str | None, *, is_own: bool) -> None:
    path = own_settings_path(os.environ) if is_own else session.library().settings_path
    given = read_settings(path)
    before = read_file(path) if path.exists() else b""
    text = before.decode("utf-8")
    if value is None:
        changed = unset_value(text, key)
    else:
        changed = set_value(text, key, value_of(key, value))
    after = parse_settings(changed, path)
    check_settings(after, str(path))
    what = f"{key} unset" if value is None else f"{key} = {value}"
    if changed == text:
        session.say(f"{what}: nothing to do.")
        return
    if not session.dry_run:
        if not is_own:
            refuse_outside(session.library(), path)
        _write(path, before, changed.encode("utf-8"))
        if not is_own:
            _keep_trusted(session.library(), given, after)
    session.say_done(f"{path}: {what}.")


def _write(path: Path, before: bytes, after: bytes) -> None:
    if path.exists():
        replace_file(path, before, after)
    else:
        write_file(path, after)


def _keep_trusted(library: Library, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """What the reader sets by this command they have trusted, unless the file holds a stranger's
    settings besides."""
    powerful = powerful_settings(after)
    if powerful and not untrusted_keys(library, before):
        trust(library, powerful)


def _shown(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{name}={text}" for name, text in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)

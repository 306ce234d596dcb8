"""``papertrack config``."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping

import click
from click.shell_completion import CompletionItem

from papertrack.cli.output import Columns, is_terminal, print_json, print_text
from papertrack.cli.session import Session, dry_run_option, json_option, pass_session
from papertrack.errors import NotFoundError, UsageError
from papertrack.library import settings
from papertrack.library.files import read_file, replace_file
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
    return [
        CompletionItem(key) for key in settings.setting_meanings() if key.startswith(incomplete)
    ]


@click.command
@click.argument("key", required=False, shell_complete=_complete_key)
@click.argument("value", required=False)
@click.option("--unset", is_flag=True, help="Take KEY out of the file: back to the default.")
@json_option
@dry_run_option
@pass_session
def config(session: Session, key: str | None, value: str | None, unset: bool) -> None:
    """Show or change the settings.

    Without KEY all settings are listed with what they mean; with KEY its value is printed; with
    VALUE it is changed in papertrack.toml, whose comments stay. Lists are written with commas.
    Every setting but tui.keys can also come from the environment: reading.in_hand as
    PAPERTRACK_READING_IN_HAND.

    \b
    Examples:
      papertrack config
      papertrack config reading.in_hand
      papertrack config arxiv.contact me@example.org
      papertrack config bibtex.protect 'GPU, LoRA'
    """
    if key is None:
        _list_settings(session)
    elif value is None and not unset:
        _print_setting(session, key)
    elif value is not None and unset:
        raise UsageError("Give a VALUE or --unset, not both.")
    else:
        _change_setting(session, key, value)


def _settings_with_origins(session: Session) -> list[dict[str, object]]:
    library = session.library()
    in_force = session.settings().model_dump(mode="json")
    in_file = settings.parse_settings(settings.read_settings_text(library), library.settings_path)
    named = settings.variables()
    rows: list[dict[str, object]] = []
    for key, meaning in settings.setting_meanings().items():
        variable = named.get(key)
        if variable and os.environ.get(variable):
            origin = "environment"
        else:
            origin = "default" if _at(in_file, key) is None else "file"
        value = _at(in_force, key)
        rows.append(
            {"key": key, "value": value, "origin": origin, "variable": variable, "meaning": meaning}
        )
    return rows


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
    value = f" = {clean(_shown(row['value']))}" if row["value"] not in (None, [], {}) else ""
    origin = "" if row["origin"] == "default" else f" ({row['origin']})"
    return f"{row['key']}{value}{origin}"


def _print_setting(session: Session, key: str) -> None:
    row = next((row for row in _settings_with_origins(session) if row["key"] == key), None)
    if row is None:
        near = settings.nearest_key(key)
        hint = f"did you mean {near}?" if near else "`papertrack config` lists all."
        raise NotFoundError(f"There is no setting {key}; {hint}")
    if session.as_json:
        print_json(row)
    else:
        click.echo(_shown(row["value"]))
        session.say(str(row["meaning"]))


def _change_setting(session: Session, key: str, value: str | None) -> None:
    path = session.library().settings_path
    before = read_file(path)
    text = before.decode("utf-8")
    source = str(path)
    settings.check_settings(settings.parse_settings(text, path), source)
    if value is None:
        changed = settings.unset_value(text, key)
    else:
        changed = settings.set_value(
            text, key, settings.value_of(key, value, source="papertrack config")
        )
    settings.check_settings(settings.parse_settings(changed, path), source)
    after = changed.encode("utf-8")
    what = f"{key} unset" if value is None else f"{key} = {value}"
    if after == before:
        session.say(f"{what}: nothing to do.")
        return
    if not session.dry_run:
        replace_file(path, before, after)
    session.say_done(f"{path}: {what}.")


def _at(tables: object, key: str) -> object:
    for part in key.split("."):
        if not isinstance(tables, dict) or part not in tables:
            return None
        tables = tables[part]
    return tables


def _shown(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{name}={text}" for name, text in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)

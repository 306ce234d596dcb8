"""``papertrack config``: settings, trust, and shell completion."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class

from papertrack.cli.output import Columns, is_terminal, print_text
from papertrack.cli.session import Session, command, flag, option, refuse_if, refuse_together
from papertrack.errors import NotFoundError, UsageError
from papertrack.library import Library, is_shared, own_settings_path
from papertrack.library.files import read_file, replace_file, write_file
from papertrack.library.setting_values import (
    check_settings,
    nearest_key,
    set_value,
    unset_value,
    value_at,
    value_of,
)
from papertrack.library.settings import Mail, setting_meanings, variables
from papertrack.library.settings_in_force import (
    parse_settings,
    powerful_settings,
    read_settings,
    untrusted_keys,
)
from papertrack.library.trust import distrust, has_trusted, is_trusted, refuse_outside, trust
from papertrack.text import clean

COLUMNS: Columns = {
    "setting": "key",
    "value": lambda row: _value_text(row.value),
    "from": "origin",
    "variable": "variable",
    "meaning": "meaning",
}


def _complete_key(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return [CompletionItem(key) for key in setting_meanings() if key.startswith(incomplete)]


SHELLS = ("bash", "zsh", "fish")


@command(writes=True)
@click.argument("key", required=False, shell_complete=_complete_key)
@click.argument("value", required=False)
@flag("--unset", help="Remove KEY from the file, back to its default.")
@flag("--mine", help="Change your own settings, for all your libraries.")
@flag("--trust", "is_trust", help="Trust the library, or the one in the folder KEY.")
@flag("--forget", help="With --trust: stop trusting it.")
@option("--completion", "Print the completion script for a shell.", type=click.Choice(SHELLS))
def config(
    session: Session,
    key: str | None,
    value: str | None,
    unset: bool,
    mine: bool,
    is_trust: bool,
    forget: bool,
    completion: str | None,
) -> Any:
    """Show or change the settings.

    Without KEY it lists all settings. With a table, such as tui, it lists that table; with the KEY
    of one setting, it prints its value. VALUE is written to the library's papertrack.toml, where
    your comments stay, or with --mine to a file for all your libraries. Separate the items of a
    list with commas. Every setting but digests, tui.keys and tui.queries can also come from the
    environment: PAPERTRACK_READING_IN_HAND for reading.in_hand.

    A library that was not made on this machine, for example a clone, may come from a stranger.
    Until you --trust it, papertrack writes only in its folder, and ignores its settings that run
    programs, send mail or name hosts. When one of those settings changes, you are asked again.

    With the completion script, <TAB> completes commands, options, citation keys, categories and
    tags.

    \b
    Examples:
      papertrack config
      papertrack config reading.in_hand
      papertrack config arxiv.contact me@example.org
      papertrack config bibtex.protect 'GPU, LoRA'
      papertrack config --mine pdf_viewer evince
      papertrack config --trust ~/papers-of-a-friend
      papertrack config --trust --forget ~/papers-of-a-friend
      papertrack config --completion bash > ~/.local/share/bash-completion/completions/papertrack
      papertrack config --completion zsh > ~/.zfunc/_papertrack
      papertrack config --completion fish > ~/.config/fish/completions/papertrack.fish
    """
    refuse_together(unset=unset, trust=is_trust, completion=completion)
    is_set = value is not None
    refuse_if(
        {
            "--trust takes one folder or none, and no --mine.": is_trust and any((is_set, mine)),
            "--forget needs --trust.": forget and not is_trust,
            "--unset needs a KEY: name the setting to remove.": unset and key is None,
            "--mine needs a KEY and a VALUE, or --unset KEY.": (mine and not any((unset, is_set))),
            "Give a VALUE or --unset, not both.": unset and is_set,
        }
    )
    if completion:
        _print_completion(completion)
    elif is_trust:
        return _trust(session, key, forget=forget)
    elif key is not None and any((unset, is_set)):
        _change_setting(session, key, value, is_own=mine)
    else:
        _show_settings(session, key)
    return None


@dataclass(frozen=True, slots=True)
class Setting:
    key: str
    value: Any
    origin: str
    """``default``, ``file`` (the library's), ``mine`` or ``environment``."""
    variable: str | None
    meaning: str


def _settings_with_origins(session: Session) -> list[Setting]:
    library = session.library()
    in_force = asdict(session.settings())
    in_file = read_settings(library.settings_path)
    ignored = untrusted_keys(library, in_file)
    in_own = read_settings(own_settings_path(os.environ))
    variable_names = variables()
    rows: list[Setting] = []
    for key, meaning in setting_meanings().items():
        files = {"file": None if key in ignored else in_file, "mine": in_own}
        variable = variable_names.get(key)
        origins = (name for name, tables in files.items() if value_at(tables, key) is not None)
        is_in_environment = bool(variable and os.environ.get(variable))
        origin = "environment" if is_in_environment else next(origins, "default")
        rows.append(Setting(key, value_at(in_force, key), origin, variable, meaning))
    return rows


def _show_settings(session: Session, key: str | None) -> None:
    """Print one setting's value, or list a table's settings or all."""
    rows = _settings_with_origins(session)
    setting = {row.key: row for row in rows}.get(key or "")
    if setting is None:
        _list_settings(session, key, rows)
    elif session.as_json:
        session.print_json(setting)
    else:
        click.echo(clean(_value_text(setting.value)))
        session.say(setting.meaning)


def _list_settings(session: Session, table: str | None, rows: Sequence[Setting]) -> None:
    matches = [row for row in rows if table is None or row.key.startswith(f"{table}.")]
    if not matches:
        suggestion = nearest_key(table or "")
        hint = f"did you mean {suggestion}?" if suggestion else "`papertrack config` lists all."
        raise NotFoundError(f"There is no setting {table}; {hint}")
    if session.as_json or not is_terminal():
        session.print_rows(matches, COLUMNS, flexible=1)
        return
    # Value and meaning can both be long, so they are not in columns, which would cut them.
    layout = click.HelpFormatter(width=shutil.get_terminal_size().columns)
    layout.write_dl([(_set_to(row), row.meaning) for row in matches], col_max=36)
    print_text(layout.getvalue())


def _set_to(row: Setting) -> str:
    """Return ``reading.in_hand = 4 (file)``."""
    value = f" = {clean(_value_text(row.value))}" if row.value not in (None, (), {}) else ""
    origin = "" if row.origin == "default" else f" ({row.origin})"
    return f"{row.key}{value}{origin}"


def _change_setting(session: Session, key: str, value: str | None, *, is_own: bool) -> None:
    path = _settings_file(session, key, is_own=is_own, is_set=value is not None)
    tables = read_settings(path)
    old_data = read_file(path) if path.exists() else b""
    text = old_data.decode("utf-8")
    changed = unset_value(text, key) if value is None else set_value(text, key, _parsed(key, value))
    new_tables = parse_settings(changed, path)
    check_settings(new_tables, str(path))
    change = f"{key} unset" if value is None else f"{key} = {value}"
    if changed == text:
        session.say(f"{change}: nothing to do.")
        return
    if not session.dry_run:
        library = None if is_own else session.library()
        _write(path, old_data, changed.encode("utf-8"), library)
        powerful = powerful_settings(new_tables)
        # What this command sets is trusted if the other settings are.
        if library is not None and powerful and not untrusted_keys(library, tables):
            trust(library, powerful)
    session.say_done(f"{path}: {change}.")


def _settings_file(session: Session, key: str, *, is_own: bool, is_set: bool) -> Path:
    """Return the file for a setting.

    Raises UsageError for a setting that stays on the user's machine, if the file is shared.
    """
    if is_own:
        return own_settings_path(os.environ)
    path = session.library().settings_path
    if is_set and key.startswith("digests.") and is_shared(session.library()):
        raise UsageError(
            f"{path} is shared with others, but the addresses of digests stay on your machine: "
            "add --mine."
        )
    return path


def _parsed(key: str, value: str) -> Any:
    """Return the value for a setting.

    Raises UsageError, also for a digest's destination that is neither an address nor a file.
    """
    result = value_of(key, value)
    if key.startswith("digests.") and isinstance(result, list):
        from papertrack.actions.watch.groups import check_groups

        check_groups({key.removeprefix("digests."): result}, Mail(), is_mailed=False)
    return result


def _write(path: Path, old_data: bytes, new_data: bytes, library: Library | None) -> None:
    """Write a settings file; a library's file only within its folder."""
    if library is not None:
        refuse_outside(library, path)
    if path.exists():
        replace_file(path, old_data, new_data)
    else:
        write_file(path, new_data)


def _value_text(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, (list, tuple)):
        return ", ".join(str(item) for item in value)
    if isinstance(value, dict):
        return "; ".join(f"{name}={_value_text(text)}" for name, text in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Trusted:
    """Whether a library is trusted."""

    library: str
    is_trusted: bool
    settings: dict[str, Any]
    """Settings that run programs, send secrets or name hosts."""
    message: str

    def sentences(self) -> Iterator[str]:
        yield self.message


def _trust(session: Session, folder: str | None, *, forget: bool) -> Trusted:
    """Trust a library, or stop trusting it."""
    library = _library_in(Path(folder)) if folder else session.library()
    powerful = powerful_settings(read_settings(library.settings_path))
    # --forget is about the folder, even if its settings have changed since.
    was_trusted = is_trusted(library) if forget else has_trusted(library, powerful)
    if forget:
        if was_trusted and not session.dry_run:
            distrust(library)
        message = _forgotten(library, was_trusted=was_trusted, dry_run=session.dry_run)
    else:
        if powerful and not session.as_json:
            print_text("".join(f"{key} = {clean(str(powerful[key]))}\n" for key in powerful))
        if not was_trusted and not session.dry_run:
            trust(library, powerful)
        settings_note = ", with the settings above" if powerful else ""
        message = f"trusted{' already' if was_trusted else ''}{settings_note}"
    is_now = was_trusted if session.dry_run else is_trusted(library)
    return Trusted(str(library.root), is_now, powerful, f"{library.root} is {message}.")


def _forgotten(library: Library, *, was_trusted: bool, dry_run: bool) -> str:
    """Return the result of no longer trusting a library; a personal one stays trusted."""
    if not dry_run and is_trusted(library):
        return (
            "your personal library, so its folder stays trusted; its settings that run programs, "
            "send mail or name hosts are not"
        )
    return f"{'no longer' if was_trusted else 'not'} trusted"


def _library_in(folder: Path) -> Library:
    if not folder.is_dir():
        # A library above it may be another one.
        raise NotFoundError(f"There is no folder {folder}. Check the name.")
    for parent in (folder.absolute(), *folder.absolute().parents):
        library = Library(parent)
        if library.settings_path.is_file():
            return library
    raise NotFoundError(f"There is no library in {folder} or above it. Name its folder.")


def _print_completion(shell: str) -> None:
    kind = get_completion_class(shell)
    assert kind is not None
    root = click.get_current_context().find_root().command
    script = kind(root, {}, "papertrack", "_PAPERTRACK_COMPLETE")
    # The bash class has its own `source`, which starts this machine's bash to ask for its version,
    # but the script may be for another machine.
    text = ShellComplete.source(script)
    if shell == "bash":
        # click's script would split "Serving in Parts" into three words on the command line.
        text = text.replace("COMPREPLY+=($value)", 'COMPREPLY+=("$(printf %q "$value")")')
    click.echo(text)

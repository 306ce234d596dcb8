"""The frame: help, names, exit codes, and what is imported when."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

from papertrack.cli import app
from papertrack.errors import ConflictError, NotFoundError, SourceUnavailableError
from tests.cli.commands import Command

HEAVY = (
    "arxiv",
    "bibtexparser",
    "feedparser",
    "ftfy",
    "lxml",
    "pyromark",
    "platformdirs",
    "pydantic",
    "rapidfuzz",
    "requests",
    "rich",
    "sqlite_utils",
    "textual",
    "tomlkit",
)


def imported_by(*arguments: str) -> set[str]:
    """The heavy libraries that a command line imports in a fresh process."""
    return {name for name in modules_of(*arguments) if name in HEAVY}


def modules_of(*arguments: str) -> set[str]:
    """All modules that a command line imports in a fresh process."""
    script = (
        "import json, sys\n"
        "from papertrack.cli.app import run\n"
        f"run({list(arguments)!r})\n"
        "print(json.dumps(list(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_no_heavy_library(option: str) -> None:
    assert imported_by(option) == set()


READING = "library.intents library.files store.journal identifiers"
"""What only those load that write, or that are told an identifier."""
EVERYDAY = {
    "list title:zero": READING,
    "show zero": f"{READING} ranking actions.ranking",
    "log": "",
    "queue": f"{READING} queries actions.backups",
    "pass zero 1": "ranking actions.ranking queries actions.backups",
    "undo": "documents queries",
    "add --offline 2601.00001": "queries actions.backups sources documents",
}
"""Commands, and modules that have nothing to do with them."""


@pytest.mark.parametrize(("command", "others"), EVERYDAY.items())
def test_everyday_commands_import_no_heavy_library(shelf: Path, command: str, others: str) -> None:
    modules = modules_of(*command.split())
    assert not modules & {*HEAVY}
    assert "papertrack.store.store" in modules
    for other in others.split():
        assert find_spec(f"papertrack.{other}")
        assert not {one for one in modules if f"{one}.".startswith(f"papertrack.{other}.")}


BIB = "@misc{one,\n  title = {A title},\n  doi = {10.1/one}\n}\n"


@pytest.mark.parametrize("arguments", [("import", "one.bib"), ("cite", "--tex", "one.tex")])
def test_bib_files_and_manuscripts_are_read_without_a_check_of_all_settings(
    shelf: Path, arguments: tuple[str, ...]
) -> None:
    (shelf / "one.bib").write_text(BIB)
    (shelf / "one.tex").write_text("\\documentclass{article}\\cite{zero}\n")
    modules = modules_of(*arguments)
    assert {"papertrack.actions.documents", "papertrack.actions.cite.manuscripts"} & modules
    assert not {"pydantic", "lxml"} & modules


def test_a_file_that_begins_as_no_other_tools_loads_no_importer(shelf: Path) -> None:
    (shelf / "one.bib").write_text(BIB)
    modules = {name for name in modules_of("import", "one.bib") if ".importers." in name}
    assert "papertrack.importers.registry" in modules
    assert not {
        f"papertrack.importers.{name}" for name in ("references", "html", "links", "zotero")
    } & {".".join(name.split(".")[:3]) for name in modules}


def test_a_readme_is_exported_without_the_rooms_of_bib_files(
    papertrack: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papertrack("demo", "play")
    monkeypatch.chdir(home / "play")
    papertrack("export", "--md")  # The first one after an import reads the file.
    reader = "papertrack.documents.markdown.read.document"
    assert reader not in modules_of("export", "--md")  # It is in step.
    papertrack("pass", "2407.08608", "3")
    modules = modules_of("export", "--md")
    assert reader in modules
    assert not {name for name in modules if ".bibtex" in name or ".ranking" in name}


def test_the_check_of_imports_can_fail(shelf: Path) -> None:
    assert "pydantic" in imported_by("config")


def test_help_fits_in_40_lines_and_lists_every_command(papertrack: Command) -> None:
    lines = papertrack("--help").out.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    shown = [word for line in lines for word in line.split()]
    assert all(name in shown for name in app.COMMANDS)


def test_there_are_at_most_45_commands() -> None:
    context = click.Context(app.papertrack)
    found = [app.papertrack.get_command(context, name) for name in app.COMMANDS]
    inner = [one.commands for one in found if isinstance(one, click.Group)]
    on_top = 4  # `pdf add`, `pdf index`, `mcp` and `table`.
    assert len(found) + sum(map(len, inner)) <= 45 + on_top


def test_the_daily_commands_help_is_their_own() -> None:
    for name, (_, text) in app.SECTIONS["Every day"].items():
        command = app.papertrack.get_command(click.Context(app.papertrack), name)
        assert command is not None
        assert command.get_short_help_str(limit=100) == text, name


def test_every_command_has_help_with_examples(papertrack: Command) -> None:
    for name in app.COMMANDS:
        shown = papertrack(name, "--help")
        assert shown.code == 0, name
        assert f"papertrack {name}" in shown.out
        assert "Example" in shown.out, name
    assert papertrack(name, "-h") == shown


def leaves(name: str, command: click.Command) -> Iterator[tuple[str, set[str]]]:
    """The commands that do something, each with its options."""
    if isinstance(command, click.Group) and command.commands:
        for inner, one in command.commands.items():
            yield from leaves(f"{name} {inner}", one)
    else:
        yield name, {option for param in command.params for option in param.opts}


SHOW_NO_DATA = {"open", "tui", "watch install", "mcp"}
CHANGE_NOTHING = {"list", "show", "open", "stats", "log", "tui", "audit", "pdf index", "mcp"}
"""But for what a program that they start, such as a browser, changes."""


def test_what_shows_data_shows_json_and_what_changes_something_can_be_tried() -> None:
    context = click.Context(app.papertrack)
    for name in app.COMMANDS:
        command = app.papertrack.get_command(context, name)
        assert command is not None
        for leaf, options in leaves(name, command):
            assert "--json" in options or leaf in SHOW_NO_DATA, leaf
            assert "--dry-run" in options or leaf in CHANGE_NOTHING, leaf


def test_without_a_command_the_commands_are_shown(papertrack: Command) -> None:
    ran = papertrack()
    assert ran.code == 0
    assert all(name in ran.out for name in app.COMMANDS)


@pytest.mark.parametrize(("typo", "meant"), [("confg", "config"), ("intt", "init")])
def test_a_typo_in_a_command_names_the_nearest(papertrack: Command, typo: str, meant: str) -> None:
    ran = papertrack(typo)
    assert ran.code == 2
    assert f"Did you mean {meant}?" in ran.err
    assert ran.out == ""


def test_a_word_of_other_tools_names_what_does_it_here(papertrack: Command) -> None:
    ran = papertrack("grep", "attention")
    assert ran.code == 2
    assert "Try `papertrack list WORDS`." in ran.err
    assert not app.OTHER_WORDS.keys() & app.COMMANDS.keys()
    named = {line.split()[0] for line in app.OTHER_WORDS.values()}
    assert named - {"--help", "--version"} <= app.COMMANDS.keys()


def test_an_unknown_option_is_a_usage_error_that_names_the_help(papertrack: Command) -> None:
    ran = papertrack("config", "--jsn")
    assert ran.code == 2
    assert "--json" in ran.err
    assert "papertrack config --help" in ran.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (NotFoundError("no such paper"), 3),
        (SourceUnavailableError("arXiv is away"), 4),
        (ConflictError("both changed"), 5),
        (KeyboardInterrupt(), 130),
    ],
)
def test_each_failure_has_its_exit_code_and_one_sentence(
    papertrack: Command, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("papertrack.cli.session.Session.library", fail)
    ran = papertrack("config")
    assert ran.code == code
    assert len(ran.err.strip().splitlines()) == 1
    assert ran.out == ""


def test_a_bug_asks_for_a_report_and_shows_its_place_only_when_asked(
    papertrack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("\x1b[2Jhostile")

    monkeypatch.setattr("papertrack.cli.session.Session.library", fail)
    ran = papertrack("config")
    assert ran.code == 1
    assert "internal error: ZeroDivisionError" in ran.err
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.err
    assert "Traceback" in papertrack("-v", "config").err


@pytest.mark.skipif(os.name == "nt", reason="no such signal there")
@pytest.mark.parametrize(
    "command", [["config"], ["config", "--json"], ["list"], ["list", "--json"], ["log"]]
)
def test_a_reader_that_has_had_enough_is_no_error(
    process: Command, shelf: Path, command: list[str]
) -> None:
    reader, writer = os.pipe()
    # `head` closes the pipe after one line; the signal's default would end us with -13.
    running = subprocess.Popen(
        [sys.executable, "-m", "papertrack", *command],
        stdout=writer,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL),
    )
    os.close(writer)
    os.close(reader)
    _, errors = running.communicate(timeout=600)
    assert (running.returncode, errors) == (0, b"")


def test_quiet_and_verbose_mean_the_same_after_the_command(
    papertrack: Command, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert papertrack("tag", "zero", "+a", "-q").err == ""
    assert papertrack("tag", "zero", "+b", "--", "-a").err == "zero: tags b.\n"
    assert papertrack("undo").err.startswith("Undone: ")
    assert json.loads(papertrack("redo", "--json").out)["action"]["state"] == "done"
    assert json.loads(papertrack("undo", "--json").out)["action"]["state"] == "undone"
    assert papertrack("undo", "-q").err == ""
    assert papertrack("topic", "list", "--quiet").code == 0

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("papertrack.cli.session.Session.library", fail)
    assert "Traceback" in papertrack("list", "-v").err


def test_every_command_says_less_or_more_when_asked() -> None:
    for name in app.COMMANDS:
        command = app.papertrack.get_command(click.Context(app.papertrack), name)
        assert command is not None
        for one in (command, *getattr(command, "commands", {}).values()):
            options = [option for param in one.params for option in param.opts]
            assert options.count("-q") == options.count("-v") == 1, one.name
            assert options.count("--library") == 1, one.name


def test_the_library_is_named_before_a_command_or_after_it(
    papertrack: Command, home: Path, tmp_path: Path
) -> None:
    place = tmp_path / "elsewhere"
    assert papertrack("init", "--library", place).code == 0
    assert not (home / "papertrack.toml").exists()
    assert papertrack("add", "2309.06180", "--offline", "--library", place).code == 0
    before = papertrack("--library", place, "list").out
    assert "2309.06180" in before
    assert papertrack("list", "--library", place).out == before
    assert papertrack("category", "list", "--library", place).code == 0


def test_quiet_says_nothing_but_errors(papertrack: Command, tmp_path: Path) -> None:
    assert papertrack("-q", "init", tmp_path / "a").err == ""
    assert papertrack("-q", "config", "--library", "nowhere").err != ""

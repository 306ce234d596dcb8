"""The command ``papertrack``: its subcommands, and how failures are reported.

Nothing here imports a subcommand before it is called, so that `--help` is fast.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack import __version__
from papertrack.cli.old_words import OLD_WORDS, modern
from papertrack.cli.session import LOUDNESS, Session, flag, option
from papertrack.errors import PapertrackError
from papertrack.text import clean_lines, visible

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "Every day": {
        "tui": ("looking", "Open the terminal UI, as `papertrack` alone does."),
        "list": ("looking", "List papers."),
        "show": ("looking", "Show everything about one paper."),
        "add": ("adding", "Add papers by arXiv id, DOI, address or title words."),
        "pass": ("reading", "Record that you have done a pass through papers."),
        "save": ("reading", "Save papers for later, or snooze them until a date."),
        "discard": ("reading", "Discard papers, so that they are never offered again."),
        "watch": ("watch", "Look for papers that arXiv announced for your topics."),
        "sync": ("sync", "Exchange changes with your files, and through git."),
        "cite": ("cite", "Cite papers, or write the .bib of a manuscript."),
    },
    "Read": {
        "queue": ("reading", "Papers you are reading"),
        "note": ("looking", "Write a paper's note"),
        "open": ("looking", "Open a paper or its PDF"),
        "pdf": ("pdf", "Fetch, add, index PDFs"),
        "table": ("export", "Make a table of papers"),
        "stats": ("looking", "Show reading progress"),
    },
    "Change": {
        "edit": ("changing", "Set fields of papers"),
        "tag": ("changing", "Add, remove, list tags"),
        "category": ("changing", "Your own categories"),
        "merge": ("changing", "Merge two papers"),
        "rm": ("changing", "Remove papers"),
        "log": ("looking", "Show what was done"),
        "undo": ("changing", "Undo an action"),
        "redo": ("changing", "Redo what was undone"),
    },
    "arXiv": {
        "topic": ("topic", "Your saved searches"),
        "search": ("adding", "Search PDFs or arXiv"),
        "ranking": ("ranking", "Why papers rank; tune it"),
        "enrich": ("enrich", "Complete metadata"),
        "suggestions": ("enrich", "Review metadata changes"),
        "published": ("published", "Find published versions"),
        "audit": ("published", "Verify references"),
    },
    "Files": {
        "import": ("import_", "Import lists, libraries"),
        "export": ("export", "Write README, BibTeX, …"),
        "check": ("check", "Find mistakes in files"),
        "propose": ("propose", "Add links to a README"),
        "documents": ("documents", "Files kept up to date"),
        "rekey": ("cite", "Make new citation keys"),
    },
    "Library": {
        "init": ("library", "Make a library"),
        "config": ("config", "Show or change settings"),
        "share": ("library", "Share through git"),
        "backup": ("library", "Back up, and restore"),
        "doctor": ("library", "Check for problems"),
        "mcp": ("library", "Let an agent propose"),
    },
}
"""Sections of the help, with the module and short description of each command.

So listing the commands imports none of them.
"""
HIDDEN = {"move": ("changing", ""), "merge-file": ("sync", "")}
"""Commands that the help does not list: a short form, and git's merge driver."""
COMMANDS = {name: module_and_text for c in SECTIONS.values() for name, module_and_text in c.items()}

OTHER_WORDS = {
    **dict.fromkeys(("find", "grep", "query", "filter"), "list WORDS"),
    **dict.fromkeys(("ls", "papers", "all"), "list"),
    **dict.fromkeys(("read", "done", "finish", "mark", "reading"), "pass REF"),
    **dict.fromkeys(("start", "begin", "todo", "current"), "queue"),
    **dict.fromkeys(("remove", "delete", "del"), "rm REF"),
    **dict.fromkeys(("rate", "star", "rating", "set"), "edit REF rating=4"),
    **dict.fromkeys(("view", "info", "get", "cat"), "show REF"),
    **dict.fromkeys(("reject", "skip", "ignore"), "discard REF"),
    **dict.fromkeys(("keep", "bookmark"), "save REF"),
    **dict.fromkeys(("new", "insert"), "add 2309.06180"),
    **dict.fromkeys(("bib", "bibtex"), "export --bib"),
    **dict.fromkeys(("md", "markdown", "readme", "write"), "export --md"),
    **dict.fromkeys(("update", "fetch", "refresh"), "enrich"),
    **dict.fromkeys(("inbox", "triage", "ui", "review"), "tui"),
    **dict.fromkeys(("tags", "label"), "tag"),
    **dict.fromkeys(("changing", "sections"), "category"),
    **dict.fromkeys(("topics", "subscribe", "follow"), "topic"),
    **dict.fromkeys(("history", "changes"), "log"),
    **dict.fromkeys(("dedupe", "dedup"), "merge"),
    **dict.fromkeys(("lint", "validate"), "check README.md"),
    **dict.fromkeys(("download",), "pdf get REF"),
    **dict.fromkeys(("rename",), "rekey REF"),
    **dict.fromkeys(("help",), "--help"),
    **dict.fromkeys(("version",), "--version"),
}
"""Words from other tools, and the commands here that do the same."""

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Commands(click.Group):
    """The subcommands, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if (entry := COMMANDS.get(cmd_name) or HIDDEN.get(cmd_name)) is None:
            return None
        module = import_module(f"papertrack.cli.{entry[0]}")
        word = cmd_name.replace("-", "_")
        # Some command names are Python keywords or built-ins.
        command: click.Command = getattr(module, f"{word}_", None) or getattr(module, word)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in {**COMMANDS, **HIDDEN} and not args[0].startswith("-"):
            ctx.fail(_unknown_command(args[0]))
        return super().resolve_command(ctx, args)

    @staticmethod
    def print_schema(command: str) -> None:
        """Print the JSON Schema of what a command prints with --json."""
        # Imported here because the models take longer to load than everything else.
        from papertrack.cli.contract import schema_of
        from papertrack.cli.output import print_json

        print_json(schema_of(command))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # click would exit with 1, but the reader, such as `head`, has got what it wanted.
            _discard_stdout()
            return 0

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Format the help in at most 40 lines, everyday commands first, others in two columns."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        formatter.write("\n")
        for title, commands in SECTIONS.items():
            formatter.write(f"{title}:\n")
            width, columns = (12, 1) if title == "Every day" else (38, 2)
            lines = [f"  {name:<11} {text}" for name, (_, text) in commands.items()]
            for index in range(0, len(lines), columns):
                row = "  ".join(line.ljust(width) for line in lines[index : index + columns])
                formatter.write(f"{row.rstrip()}\n")
        formatter.write(OPTIONS)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        names = [
            CompletionItem(name, help=text)
            for name, (_, text) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        # Skips click's own group, whose completion would import every command.
        return names + click.Command.shell_complete(self, ctx, incomplete)


OPTIONS = """\
Options: --library DIR  -q, --quiet  -v, --verbose  --version  -h, --help
Name a paper by its arXiv id, DOI, address, citation key or the start of its
title. `papertrack COMMAND --help` shows examples.
"""


@click.group(cls=Commands, invoke_without_command=True, context_settings=CONTEXT)
@option(
    "--library DIR",
    "The library to work on; else $PAPERTRACK_LIBRARY, the nearest parent folder that is "
    "one, or your personal one.",
    type=click.Path(path_type=str),
)
@flag("-q", "--quiet", help=LOUDNESS["quiet"])
@flag("-v", "--verbose", help=LOUDNESS["verbose"])
@flag("--schema", hidden=True, help="List the commands that print JSON.")
@click.version_option(__version__, message="papertrack %(version)s")
@click.pass_context
def papertrack(
    ctx: click.Context, library: str | None, quiet: bool, verbose: bool, schema: bool
) -> int:
    """Keep a curated list of papers: three passes, arXiv, README and BibTeX."""
    ctx.obj = Session([], chosen=library, quiet=quiet, verbose=verbose)
    if any(name.startswith("PAPERTRACK_") for name in os.environ):
        from papertrack.library.settings import misspelled_variables

        for sentence in misspelled_variables(os.environ):
            Session.warn(sentence)
    if ctx.invoked_subcommand is not None:
        return 0
    if schema:
        from papertrack.cli.contract import CONTRACT

        click.echo("\n".join(CONTRACT))
        return 0
    if sys.stdin.isatty() and sys.stdout.isatty():
        tui = papertrack.get_command(ctx, "tui")
        assert tui is not None
        return int(ctx.invoke(tui))
    click.echo(ctx.get_help())
    return 0


_COLOUR = r"\x1b\[(?:[0-2]|3[1-7])m"
"""What click writes to colour words."""
_interrupts: list[int] = []
"""The Ctrl-C signals received so far."""


def interrupt(signal: int, _frame: object) -> None:
    """Raise KeyboardInterrupt as Python does, and remember it.

    In C code, such as SQLite calling our function, C raises another exception instead.
    """
    _interrupts.append(signal)
    raise KeyboardInterrupt


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code.

    0 done, 1 failed, 2 usage, 3 not found, 4 source unreachable, 5 differences, 130 interrupted.
    """
    _make_streams_safe()
    if os.name == "nt":  # Else Windows prefers a git.exe in the current folder.
        os.environ["NODEFAULTCURRENTDIRECTORYINEXEPATH"] = "1"
    try:
        new_words = modern(arguments)
        if new_words != list(arguments) and sys.stderr.isatty():
            click.echo(f"This command is now: papertrack {shlex.join(new_words)}", err=True)
        # With standalone_mode off, click prints nothing itself and returns exit codes.
        result: Any = papertrack.main(new_words, prog_name="papertrack", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except (KeyboardInterrupt, click.Abort):
        return _say_interrupted()
    except BrokenPipeError:
        _discard_stdout()  # The same error, when the rest was flushed.
        return 0
    except Exception as error:
        return _say_interrupted() if _interrupts else _explain(error, arguments)
    return result if isinstance(result, int) else 0


def _say_interrupted() -> int:
    click.echo("Interrupted.", err=True)
    return 130


def _explain(error: Exception, arguments: Sequence[str]) -> int:
    """Print the error, and return the exit code."""
    match error:
        case click.ClickException():
            return _show_usage_error(error)
        case PapertrackError():
            Session.warn(str(error))
            return error.exit_code
        case OSError():
            _discard_stdout()
            _show_traceback(error, arguments)
            Session.warn(
                f"The system refused: {error.strerror or error} ({error.filename or 'output'})."
            )
            return 1
        case RuntimeError() if str(error).startswith("Symlink loop"):  # Before Python 3.13.
            Session.warn(f"A link leads to itself: {str(error).partition(' from ')[2]}.")
            return 1
        # Python represents bytes that are not UTF-8 in names and arguments as surrogates (PEP 383).
        case UnicodeEncodeError() if re.search("[\udc80-\udcff]", error.object):
            Session.warn(
                f"{error.object[:500]!a} is not UTF-8 text. Rename the file or folder, or type the "
                "argument again."
            )
            return 2
        # SQLite's integers have 64 bits.
        case OverflowError() if re.search("[0-9]{19}", " ".join(arguments)):
            Session.warn("A number is too large. Type a smaller one.")
            return 2
    return _show_bug(error, arguments)


def _make_streams_safe() -> None:
    """Make output streams safe to write to if they are closed, or have a narrow encoding."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # It stays open until the process ends.
            null = Path(os.devnull).open("r" if name == "stdin" else "w")  # noqa: SIM115
            setattr(sys, name, null)
        elif name != "stdin" and isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
            if stream.isatty():
                setattr(sys, name, Terminal(stream))


class Terminal:
    """An output stream to a terminal that lets only text and our colours through.

    Commands clean their texts; this holds where one of them did not.
    """

    def __init__(self, stream: TextIOWrapper) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        return self.stream.write(visible(text, allowed=_COLOUR))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def _discard_stdout() -> None:
    # Python flushes the rest when it ends, and would report the error again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unknown_command(name: str) -> str:
    if name in OTHER_WORDS:
        return f"There is no command {name!r}. Try `papertrack {OTHER_WORDS[name]}`."
    import difflib

    similar = difflib.get_close_matches(name, [*COMMANDS, *OLD_WORDS], n=1, cutoff=0.5)
    hint = f"Did you mean {similar[0]}?" if similar else "`papertrack --help` lists all."
    return f"There is no command {name!r}. {hint}"


def _show_usage_error(error: click.ClickException) -> int:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):  # A group without a subcommand.
        click.echo(error.format_message(), err=True)
        return error.exit_code
    Session.warn(error.format_message())
    if isinstance(error, click.UsageError) and error.ctx is not None:
        click.echo(f"Try `{error.ctx.command_path} --help`.", err=True)
    return error.exit_code


def _show_traceback(error: Exception, arguments: Sequence[str]) -> None:
    if {"-v", "--verbose"} & {*arguments} or os.environ.get("PAPERTRACK_DEBUG"):
        import traceback

        click.echo(clean_lines("".join(traceback.format_exception(error))), err=True)


def _show_bug(error: Exception, arguments: Sequence[str]) -> int:
    _show_traceback(error, arguments)
    Session.warn(
        f"internal error: {type(error).__name__}: {error}. This is a bug; please report it with "
        "what `papertrack -v …` prints."
    )
    return 1

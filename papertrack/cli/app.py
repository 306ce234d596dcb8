"""The command ``papertrack``: its subcommands by name, and how every failure ends.

Nothing here imports a subcommand before it is called: `--help` must cost no more than click.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papertrack import __version__
from papertrack.cli.session import Session, note_in_session
from papertrack.errors import PapertrackError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# Folder → command → help. The help is repeated here so that listing the commands imports none of
# them; a test keeps both the same.
SECTIONS: dict[str, dict[str, str]] = {
    "start": {
        "init": "Make a library in a folder.",
        "demo": "Make a sample library to play with.",
        "config": "Show or change the settings.",
        "trust": "Say that a library is to be trusted, such as one that you cloned.",
        "backup": "Make a checked copy of the library's database.",
        "restore": "Put a backup in the place of the library's database.",
        "doctor": "Look whether the library is whole, and say what to do where it is not.",
        "completion": "Print the completion script for a shell.",
        "schema": "Print the JSON Schema of what a command prints with --json, or list these "
        "commands.",
    },
    "look": {
        "list": "List papers.",
        "show": "Show one paper with all that is known of it.",
        "open": "Open a paper in the browser, or its PDF, code or note.",
        "stats": "Show how far the reading is, by category and by month.",
        "log": "Show what was done, newest first.",
    },
    "read": {
        "tui": "Open the terminal UI, as `papertrack` alone does on a terminal.",
        "queue": "Show the papers that you are reading now, or add some to them.",
        "next": "Say which paper to read next, and add it to those you are reading.",
        "pass": "Record that a pass through papers is done.",
        "snooze": "Put off papers that are due: they are not before a day.",
        "note": "Write the note of a paper in your editor.",
        "save": "Keep papers, to be read some day.",
        "discard": "Decide against papers; they stay known and are never offered again.",
    },
    "change": {
        "add": "Add papers by arXiv id, DOI, address or words of a title.",
        "edit": "Set fields of a paper; no source overwrites them any more.",
        "tag": "Give papers tags, take tags from them, or list all tags.",
        "move": "Put papers into another category of yours.",
        "category": "Your own categories: list them, and add, rename, order or remove one.",
        "rm": "Take papers out of the library; undo brings them back.",
        "merge": "Make two papers one: the first keeps its key and gets what the second has more.",
        "split": "Give a key that was joined to a paper a paper of its own again.",
        "undo": "Take back the last action, or the one named by its number.",
        "redo": "Redo what was undone last.",
    },
    "arxiv": {
        "enrich": "Complete papers: authors, abstract, categories, dates, versions.",
        "published": "Look whether preprints have been published, and propose where.",
        "audit": "Look whether references exist, and whether their fields are of one work.",
        "cited-by-mine": "List what your papers cite and you do not have, the most cited first.",
        "watch": "See what arXiv announced, and put what your topics want into the inbox.",
        "topic": "Standing queries: what `papertrack watch` looks for every night.",
        "digest": "Show what the topics found: by topic, best first, with the reasons.",
        "why": "Say why a paper ranks where it does.",
        "rank": "Rank records against the library, without adding them: best first.",
        "ranking": "How well the ranking knows you, and what it is to look for or forget.",
        "search-arxiv": "Search arXiv, newest first, and mark what the library has.",
        "pdf": "Fetch the PDF of a paper from arXiv, once, and print its path.",
        "suggestions": "List what sources say otherwise than you, or found in an abstract, and "
        "decide on it.",
    },
    "files": {
        "import": "Read curated READMEs and .bib files into the library, and keep feeding them.",
        "export": "Write READMEs, BibTeX and other formats from the library.",
        "sync": "Take what changed in your files, then write what changed in the library.",
        "propose": "Add links to a README in its own form, as a pull request would.",
        "check": "Look for what is wrong in READMEs and .bib files, before a commit.",
        "documents": "List the files that the library feeds, or show what was learnt about one.",
        "cite": "Print what to write to cite papers, or the .bib of what a manuscript cites.",
        "rekey": "Make new citekeys; the old ones still name their papers.",
        "duplicates": "List papers that may be one work, with the reasons.",
        "share": "Share a library through git, as text files.",
        "merge-file": "Merge two versions of a README or .bib file, entry by entry, as git merges "
        "lines.",
    },
}
TITLES = {"arxiv": "arXiv", "files": "READMEs and BibTeX"}
"""What help calls the sections that are not called as their folders."""
MODULES = {
    "demo": "init",
    "restore": "backup",
    "queue": "reading",
    "next": "reading",
    "pass": "reading",
    "save": "reading",
    "discard": "reading",
    "tag": "edit",
    "move": "category",
    "rm": "edit",
    "merge": "edit",
    "split": "edit",
    "redo": "undo",
    "digest": "watch",
    "why": "ranking",
    "rank": "ranking",
    "cited-by-mine": "cited",
    "search-arxiv": "search_arxiv",
    "pdf": "search_arxiv",
    "suggestions": "enrich",
    "import": "import_",
    "rekey": "cite",
    "merge-file": "merge_file",
}
"""The modules of the commands that are in no module of their own name."""
COMMANDS = {
    name: (f"{folder}.{MODULES.get(name, name)}", text)
    for folder, commands in SECTIONS.items()
    for name, text in commands.items()
}

OTHER_WORDS = {
    **dict.fromkeys(("search", "find", "grep", "query", "filter"), "list WORDS"),
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
    **dict.fromkeys(("categories", "sections"), "category"),
    **dict.fromkeys(("topics", "subscribe", "follow"), "topic"),
    **dict.fromkeys(("history", "changes"), "log"),
    **dict.fromkeys(("dedupe", "dedup"), "duplicates"),
    **dict.fromkeys(("lint", "validate"), "check README.md"),
    **dict.fromkeys(("download",), "pdf REF"),
    **dict.fromkeys(("rename",), "rekey REF"),
    **dict.fromkeys(("help",), "--help"),
    **dict.fromkeys(("version",), "--version"),
}
"""What people who know other tools try first, and what does it here."""
"""Command → its module in ``papertrack.cli``, and its help."""

LOUDNESS = {
    "quiet": "Say nothing but what was asked for.",
    "verbose": "Say more; show where a bug happened.",
}
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Commands(click.Group):
    """The subcommands, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"papertrack.cli.{COMMANDS[cmd_name][0]}")
        word = cmd_name.replace("-", "_")
        # Some of the words are Python's own.
        command: click.Command = getattr(module, word, None) or getattr(module, f"{word}_")
        _give_options_of_all(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(_unknown_command(args[0]))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # click would end with 1. The reader (`head`, say) has had enough, and got it.
            _let_go_of_stdout()
            return 0

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for folder, commands in SECTIONS.items():
            with formatter.section(TITLES.get(folder, folder.capitalize())):
                formatter.write_dl(list(commands.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        names = [
            CompletionItem(name, help=text)
            for name, (_, text) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        # Past click's own group, whose completion would import every command.
        return names + click.Command.shell_complete(self, ctx, incomplete)


def _options_of_all() -> list[click.Option]:
    """--library, -q and -v, which mean the same before a command and after it."""
    library = click.Option(
        ["--library", "chosen"], hidden=True, expose_value=False, callback=note_in_session
    )
    return [
        library,
        *(
            click.Option(
                [f"-{name[0]}", f"--{name}"],
                is_flag=True,
                expose_value=False,
                callback=note_in_session,
                help=text,
            )
            for name, text in LOUDNESS.items()
        ),
    ]


def _give_options_of_all(command: click.Command) -> None:
    if all(param.name != "quiet" for param in command.params):
        command.params += _options_of_all()
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            _give_options_of_all(inner)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings=CONTEXT,
    epilog="A paper is named by any spelling of its arXiv id, a DOI, a URL, its citekey or the "
    "start of its title. `papertrack COMMAND --help` shows examples.",
)
@click.option(
    "--library",
    type=click.Path(path_type=str),
    metavar="DIR",
    help="The library to work on; else $PAPERTRACK_LIBRARY, the nearest parent folder that is "
    "one, or your personal one.",
)
@click.option("-q", "--quiet", is_flag=True, help=LOUDNESS["quiet"])
@click.option("-v", "--verbose", is_flag=True, help=LOUDNESS["verbose"])
@click.version_option(__version__, message="papertrack %(version)s")
@click.pass_context
def papertrack(ctx: click.Context, library: str | None, quiet: bool, verbose: bool) -> int:
    """Keep a curated list of papers: three passes, arXiv, README and BibTeX."""
    ctx.obj = Session([], chosen=library, quiet=quiet, verbose=verbose)
    if ctx.invoked_subcommand is not None:
        return 0
    if sys.stdin.isatty() and sys.stdout.isatty():
        tui = papertrack.get_command(ctx, "tui")
        assert tui is not None
        return int(ctx.invoke(tui))
    click.echo(ctx.get_help())
    return 0


_interrupts: list[int] = []
"""The signals of Ctrl-C that came."""


def interrupt(signal: int, _frame: object) -> None:
    """Raise KeyboardInterrupt, as Python does, and remember it: where C called what it hit, such as
    a function of ours in SQLite, another exception comes of it."""
    _interrupts.append(signal)
    raise KeyboardInterrupt


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code.

    0 done, 1 failed, 2 usage, 3 not found, 4 source unreachable, 5 differences, 130 interrupted.
    """
    _make_streams_safe()
    try:
        # click writes nothing of its own with standalone_mode off, and hands exit codes back.
        result: Any = papertrack.main(
            list(arguments), prog_name="papertrack", standalone_mode=False
        )
        sys.stdout.flush()
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except (KeyboardInterrupt, click.Abort):
        return _say_interrupted()
    except BrokenPipeError:
        _let_go_of_stdout()  # The same, noticed when the rest was flushed.
        return 0
    except Exception as error:
        return _say_interrupted() if _interrupts else _explain(error, arguments)
    return result if isinstance(result, int) else 0


def _say_interrupted() -> int:
    click.echo("Interrupted.", err=True)
    return 130


def _explain(error: Exception, arguments: Sequence[str]) -> int:
    """Say what went wrong, and return the exit code."""
    match error:
        case click.ClickException():
            return _show_usage_error(error)
        case PapertrackError():
            Session.warn(str(error))
            return error.exit_code
        case OSError():
            _let_go_of_stdout()
            _show_traceback(error, arguments)
            Session.warn(
                f"The system refused: {error.strerror or error} ({error.filename or 'output'})."
            )
            return 1
        case UnicodeEncodeError() if any(map(_has_foreign_bytes, arguments)):
            Session.warn("An argument holds bytes that are not UTF-8 text. Type it again.")
            return 2
        case OverflowError() if any(map(_has_long_number, arguments)):
            Session.warn("A number is larger than any that is kept here. Type a smaller one.")
            return 2
    return _show_bug(error, arguments)


def _make_streams_safe() -> None:
    """Let no stream fail for what it is: closed by the caller, or of a narrow encoding."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # Open for as long as the process lasts.
            null = Path(os.devnull).open("r" if name == "stdin" else "w")  # noqa: SIM115
            setattr(sys, name, null)
        elif name != "stdin" and isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _let_go_of_stdout() -> None:
    # Python flushes what is left when it ends, and would complain once more.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unknown_command(name: str) -> str:
    if name in OTHER_WORDS:
        return f"There is no command {name!r}. Try `papertrack {OTHER_WORDS[name]}`."
    import difflib

    near = difflib.get_close_matches(name, COMMANDS, n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]}?" if near else "`papertrack --help` lists all."
    return f"There is no command {name!r}. {hint}"


def _has_foreign_bytes(argument: str) -> bool:
    """Whether Python had to smuggle bytes into the text (PEP 383)."""
    return any("\udc80" <= char <= "\udcff" for char in argument)


def _has_long_number(argument: str) -> bool:
    """Whether a number in it may be one that SQLite, whose integers have 64 bits, cannot hold."""
    return re.search("[0-9]{19}", argument) is not None


def _show_usage_error(error: click.ClickException) -> int:
    Session.warn(error.format_message())
    if isinstance(error, click.UsageError) and error.ctx is not None:
        click.echo(f"Try `{error.ctx.command_path} --help`.", err=True)
    return error.exit_code


def _show_traceback(error: Exception, arguments: Sequence[str]) -> None:
    if "-v" in arguments or "--verbose" in arguments or os.environ.get("PAPERTRACK_DEBUG"):
        import traceback

        traceback.print_exception(error)


def _show_bug(error: Exception, arguments: Sequence[str]) -> int:
    _show_traceback(error, arguments)
    Session.warn(
        f"internal error: {type(error).__name__}: {error}. This is a bug; please report it with "
        "what `papertrack -v …` prints."
    )
    return 1

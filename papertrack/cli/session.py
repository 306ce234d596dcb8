"""The state of one command, options that commands share, and how results are printed.

``command`` makes a command: its papers, --query, --json, --schema, -n and the store are ready when
the function is called. Its result is printed as JSON, or as its own sentences.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from functools import cache, partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from papertrack.category_paths import format_path
from papertrack.errors import NotFoundError, PapertrackError, StoreError, UsageError
from papertrack.library import Library, find_library, has_database, has_pending, is_shared
from papertrack.library.paths import path_of_name
from papertrack.library.surroundings import conflicting_copies, current_time
from papertrack.text import clean, clean_lines, plural

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from papertrack.cli.output import Columns
    from papertrack.library.settings import Settings
    from papertrack.store.documents import DocumentKind
    from papertrack.store.store import Store

WAITING = "papertrack.waiting"
"""Key in a command's context: removals by others wait for confirmation."""
Decorated = Callable[..., Any]
Completer = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]

_SUSPICIOUS = (
    *(AssertionError, AttributeError, LookupError, RecursionError, ZeroDivisionError),
    *(MemoryError, TypeError, ValueError, sqlite3.Error),
)
FILE_PATH = click.Path(path_type=Path)
flag = partial(click.option, is_flag=True)
"""Make an option that takes no value."""


class Session(NamedTuple):
    """The options that all commands share, and the library."""

    copies: list[Store]
    """The copy of the library for a dry run, once it is made."""
    chosen: str | None = None
    """The folder that ``--library`` names."""
    quiet: bool = False
    verbose: bool = False
    as_json: bool = False
    """Print JSON on stdout, for programs."""
    dry_run: bool = False
    """Show what would change, and change nothing."""
    confirms: bool = False
    """Confirm that others removed many papers."""

    def library(self) -> Library:
        """Return the library to work on. Raises NotFoundError."""
        chosen = None if self.chosen is None else Path(self.chosen)
        return find_library(chosen, os.environ, Path.cwd())

    def open_store(self) -> Store:
        """Return the library's store, for a ``with`` block. Raises NotFoundError and StoreError."""
        from papertrack.actions.make_library import open_library

        library = self.library()
        has_records = is_shared(library)
        if has_records or not library.holds_own_files():
            from papertrack.library.trust import refuse_links_out  # It imports much.

            refuse_links_out(library)
        if has_records and not has_database(library):
            from papertrack.actions.share.repository import rebuild

            self.say(*rebuild(library, self.now))
        store = self._copy() if self.dry_run else open_library(library, now=self.now)
        store.on_wait = lambda: self.say("Another papertrack is writing to this library. Waiting …")
        store.read_citekey_template = cache(
            lambda: self.settings(only="citekeys").citekeys.template
        )
        self.say(*conflicting_copies(library))
        if has_pending(library.intents):
            self._recover(store)
        if has_records:
            self._apply_shared_changes(store)
        if context := click.get_current_context(silent=True):
            context.call_on_close(lambda: self._back_up(store))
        return store

    @contextmanager
    def store_if_any(self) -> Iterator[Store | None]:
        """Yield the library's store, or None: commands on files need no library."""
        with ExitStack() as stack:
            store = None
            with suppress(NotFoundError, StoreError):
                store = stack.enter_context(self.open_store())
            yield store

    @contextmanager
    def suspicious_errors(self) -> Iterator[None]:
        """Raise StoreError instead of errors that only a bug can cause in a library of one's own.

        The database of another library may contain anything, also after it was trusted or restored.
        """
        try:
            yield
        except _SUSPICIOUS as error:
            from papertrack.actions.backups import damage_of
            from papertrack.library.trust import is_trusted

            library = self.library_if_any()
            if isinstance(error, UnicodeError) or library is None:
                raise
            damage = damage_of(library)
            if not damage and is_trusted(library):
                raise
            sentence = (
                f"{library.root} was not made on this machine, and contains data that papertrack "
                f"does not write ({type(error).__name__}: {error}). The command stopped there. "
                "If you know who made the library, ask for another copy."
            )
            raise StoreError(next(iter(damage), sentence)) from error

    def library_if_any(self) -> Library | None:
        """Return the library, if there is one."""
        with suppress(NotFoundError):
            return self.library()
        return None

    def _back_up(self, store: Store) -> None:
        """Make a backup after a command that wrote, if the newest is older than a day."""
        if not store.has_written:
            return
        from papertrack.actions.daily_backup import back_up_if_due

        try:
            back_up_if_due(self.library(), self.now())
        except PapertrackError as error:
            # The command itself has succeeded.
            self.warn(f"No backup was made. {error}")

    def _copy(self) -> Store:
        """Return a copy of the library, the same one for the whole command.

        So later steps see the changes of earlier ones.
        """
        from papertrack.store.store import Store

        if not self.copies:
            library = self.library()
            self.copies.append(Store.open_copy(library.database, now=self.now))
            self.copies[0].pdf_folders = library.pdf_folders
            click.get_current_context().call_on_close(self.copies[0].close)
        return self.copies[0]

    def _recover(self, store: Store) -> None:
        """Undo what a killed run left unfinished, and report it."""
        from papertrack.actions.recover import recover

        try:
            for finished in recover(store, self.library()):
                self.warn(finished.outcome)
        except PapertrackError as error:
            # Commands that only read can continue.
            self.warn(str(error))

    def _apply_shared_changes(self, store: Store) -> None:
        """Apply the changes in the records of others, before the command does anything.

        Raises PapertrackError for links where papertrack reads and writes.
        """
        from papertrack.actions.share import import_changes, inside_documents, refuse_links

        library = self.library()
        refuse_links(library, inside_documents(store))
        result = import_changes(store, library, os.environ, confirms=self.confirms)
        if result is None:
            return
        for message in result.messages:
            self.warn_once(message)
        if result.waiting and (context := click.get_current_context(silent=True)):
            context.find_root().meta[WAITING] = True
        if any((result.changed, result.added, result.removed)):
            self.say(f"Changes by others: {result.summary}.")

    def refuse_own_file(self, store: Store, target: Path) -> None:
        """Raise UsageError if ``target`` is part of the library, or a registered document."""
        from papertrack.store.documents import read_documents

        library = self.library()
        if not target.exists():
            return
        for own_file in (library.database, library.settings_path):
            if own_file.exists() and own_file.samefile(target):
                raise UsageError(f"{target} is a part of the library itself. Name another file.")
        for document in read_documents(store):
            path = path_of_name(library, document.path)
            if path.exists() and path.samefile(target):
                raise UsageError(
                    f"{target} is a registered document; this would replace all of it. "
                    "Name another file, or let `papertrack export` write what changed."
                )

    def write_output(
        self, store: Store, target: Path, data: bytes, *, is_forced: bool = False
    ) -> None:
        """Write a whole file, and report where a copy of the old one is; a dry run only checks.

        Raises the errors of ``check_output``: a file that papertrack did not write is replaced only
        if ``is_forced``; and UsageError for a part of the library or a registered document.
        """
        from papertrack.actions.outputs import check_output, write_output

        self.refuse_own_file(store, target)
        library = self.library()
        if self.dry_run:
            check_output(store, library, target, is_forced=is_forced)
        elif copy := write_output(store, library, target, data, is_forced=is_forced):
            self.say(f"{target}: the previous version is in {copy.name} beside it.")

    def documents(self, kind: DocumentKind | None = None) -> list[Path]:
        """Return the registered documents, of one kind or all."""
        from papertrack.store.documents import read_documents

        with self.open_store() as store:
            return [path_of_name(self.library(), d.path) for d in read_documents(store, kind)]

    def settings(self, *, only: str | None = None) -> Settings:
        """Return the settings in force; with ``only``, only that table is checked.

        Raises UsageError for an invalid setting.
        """
        from papertrack.library.settings_in_force import load_settings

        return load_settings(self.library(), os.environ, self.warn_once, only=only)

    def has_waiting(self) -> bool:
        """Return whether removals by others wait for confirmation."""
        context = click.get_current_context(silent=True)
        return bool(context and context.find_root().meta.get(WAITING))

    def now(self) -> datetime:
        return current_time(os.environ)

    def say(self, *messages: str) -> None:
        """Print a line to stderr; stdout is for data."""
        for message in messages if not self.quiet else ():
            click.echo(clean_lines(message), err=True)

    def say_waiting(self) -> None:
        """Report that another command must end first."""
        self.say("Another papertrack is enriching this library; waiting until it is done.")

    def say_done(self, message: str) -> None:
        """Report what was done; a dry run reports the same, and that nothing changed."""
        self.say(f"Dry run, nothing changed: {message}" if self.dry_run else message)

    def present(self, result: Any) -> int:
        """Print what a command returned, and return its exit code.

        A number is the code; a dataclass is printed as JSON or as its ``sentences()``.
        """
        if isinstance(result, int | None):
            return result or 0
        if self.as_json:
            self.print_json(result)
        else:
            message = "\n".join(map(clean, result.sentences())) or "Nothing to do."
            hint = "" if self.dry_run else getattr(result, "hint", "")
            self.say_done(f"{message} {hint}".rstrip())
        return int(getattr(result, "exit_code", 0))

    def print_json(self, value: object) -> None:
        """Print a result as JSON, with ``dry_run`` if the command has that option."""
        from papertrack.actions.results import plain
        from papertrack.cli.output import print_json

        data = plain(value)
        context = click.get_current_context(silent=True)
        options = [param.name for param in context.command.params] if context else []
        if isinstance(data, dict) and "dry_run" in options:
            data = {**data, "dry_run": self.dry_run}
        print_json(data)

    def print_rows(
        self,
        rows: Sequence[object],
        columns: Columns,
        *,
        flexible: int,
        right: Sequence[int] = (),
        empty: str = "",
    ) -> None:
        """Print results as a JSON array or a table; print ``empty`` if there are none."""
        from papertrack.cli.output import cells_of, print_table

        if self.as_json:
            self.print_json(rows)
            return
        cells = [cells_of(row, columns) for row in rows]
        print_table(list(columns), cells, flexible=flexible, right=right)
        if not rows and empty:
            self.say(empty)

    @staticmethod
    def warn(message: str) -> None:
        """Print a warning, even with --quiet, with any text in it cleaned."""
        click.echo(f"papertrack: {clean(message)}", err=True)

    @classmethod
    def warn_once(cls, message: str) -> None:
        """Print a warning, unless this command has printed it already."""
        context = click.get_current_context(silent=True)
        shown = context.find_root().meta.setdefault("papertrack.said", set()) if context else set()
        if message not in shown:
            shown.add(message)
            cls.warn(message)

    def raise_last(self, failures: Sequence[PapertrackError]) -> None:
        """Raise the last of several failures, after warning about the others.

        Each message is printed once.
        """
        different = list({str(failure): failure for failure in failures}.values())
        for failure in different[:-1]:
            self.warn(str(failure))
        if different:
            raise different[-1]


def note_in_session(ctx: click.Context, param: click.Parameter, value: bool | str | None) -> None:
    """Store an option in the session field of the same name; a callback for click."""
    # There is no session during completion.
    if value and isinstance(ctx.obj, Session) and param.name:
        ctx.obj = ctx.obj._replace(**{param.name: value})  # type: ignore[arg-type]


def _option(*names: str, help: str | None = None, **options: Any) -> click.Option:
    options = {"is_flag": True, **options}
    return click.Option(names, expose_value=False, callback=note_in_session, help=help, **options)


def _print_schema(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    root: Any = ctx.find_root().command
    root.print_schema(ctx.command_path.partition(" ")[2])
    ctx.exit()


LOUDNESS = {"quiet": "Print only results.", "verbose": "Print more; show where a bug happened."}


def options_of_all() -> list[click.Parameter]:
    """Return --library, -q and -v, which may also follow a command's name."""
    loud = [_option(f"-{name[0]}", f"--{name}", help=text) for name, text in LOUDNESS.items()]
    return [_option("--library", "chosen", is_flag=False, hidden=True), *loud]


Papers = Literal["one", "many", "any", "query"]
"""How a command names papers: REF; REF...; REF... or nothing; or also --query."""


def command(
    name: str | None = None,
    *,
    papers: Papers | None = None,
    writes: bool = False,
    json: bool = True,
    store: bool = False,
    within: click.Group | None = None,
    cls: type[click.Command] = click.Command,
    **attributes: Any,
) -> Callable[[Decorated], Any]:
    """Make a command from a function of the session and its options.

    With ``papers`` or ``store``, the function also gets the open store, and the ids of the papers
    or the id of one. A command that ``writes`` gets --dry-run, and one that shows data --json. The
    function's result is printed after the store is closed.
    """

    def decorate(function: Decorated) -> Any:
        @wraps(function)
        @click.pass_obj
        def run(session: Session, /, **given: Any) -> Any:
            with session.suspicious_errors():
                if not (papers or store):
                    return session.present(function(session, **given))
                with session.open_store() as opened:
                    ids = [_read_papers(session, opened, papers, given)] if papers else []
                    result = function(session, opened, *ids, **given)
                return session.present(result)

        wrapper: Decorated = query_options(run) if papers == "query" else run
        if papers is not None:
            is_required = papers in ("one", "many")
            wrapper = reference_argument(many=papers != "one", required=is_required)(wrapper)
        cmd = click.command(name, cls=cls, **attributes)(wrapper)
        if json:
            cmd.params.append(_option("--json", "as_json", help="Print JSON, for programs."))
            cmd.params.append(
                click.Option(
                    ["--schema"],
                    is_flag=True,
                    is_eager=True,
                    expose_value=False,
                    callback=_print_schema,
                    help="Print the JSON Schema of --json.",
                )
            )
        if writes:
            cmd.params.append(
                _option("-n", "--dry-run", help="Show what would change, and change nothing.")
            )
        cmd.params += options_of_all()
        if within is not None:
            within.add_command(cmd)
        return cmd

    return decorate


def _read_papers(session: Session, store: Store, papers: Papers, given: dict[str, Any]) -> Any:
    """Return the ids of the papers, or the id of one, and remove these options."""
    from papertrack.actions.references import resolve_reference, resolve_references

    if papers == "one":
        return resolve_reference(store, given.pop("reference"))
    if papers == "query":
        names = [given.pop(name) for name in ("references", "query", "is_sure")]
        return chosen_papers(session, store, *names)
    return resolve_references(store, list(words_from_stdin(given.pop("references"))))


_SHOWN = 20
"""How many papers a question lists."""


def query_options(command: Decorated) -> Decorated:
    """Add the options that choose papers by a query, which ``chosen_papers`` reads."""
    add_query = click.option(
        "--query",
        metavar="QUERY",
        help="All papers that `papertrack list QUERY` shows; asks first.",
    )
    return add_query(flag("-y", "--yes", "is_sure", help="Do not ask.")(command))


def are_several(references: Sequence[str], query: str | None) -> bool:
    """Return whether a command may name many papers."""
    return query is not None or len(references) != 1 or references[0] == "-"


def chosen_papers(
    session: Session, store: Store, references: Sequence[str], query: str | None, is_sure: bool
) -> list[int]:
    """Return the papers that are named, and those that the query finds, each once.

    Raises UsageError if nothing was named, or a question cannot be asked; the errors of
    ``resolve_references``; PapertrackError if the user says no.
    """
    from papertrack.actions.references import resolve_references

    if query is None and not references:
        raise UsageError("Name papers, or give --query.")
    named_ids = resolve_references(store, list(words_from_stdin(tuple(references))))
    if query is None:
        return named_ids
    # Without a query, its language is not imported.
    from papertrack.cli.output import shown_query
    from papertrack.store.listing import find_ids

    matching_ids = find_ids(store, shown_query(query))
    if matching_ids and not is_sure and not session.dry_run:
        _confirm_papers(session, store, matching_ids)
    return list(dict.fromkeys([*named_ids, *matching_ids]))


def _confirm_papers(session: Session, store: Store, ids: Sequence[int]) -> None:
    from papertrack.cli.output import can_choose, print_papers
    from papertrack.store.listing import read_rows

    papers = plural(len(ids), "paper")
    if session.as_json or not can_choose():
        raise UsageError(
            f"The query finds {papers}, and there is no terminal to ask on. Add -y to go on."
        )
    print_papers(read_rows(store, ids[:_SHOWN]))
    if len(ids) > _SHOWN:
        session.say(f"… and {len(ids) - _SHOWN} more.")
    if not click.confirm(f"Do this to {papers}?", err=True):
        raise PapertrackError("Nothing was changed.")


force_option = flag(
    "-f", "--force", help="Replace a file that papertrack did not write; a copy is kept beside it."
)


package_option = click.option(
    "--package",
    metavar="SOURCE",
    help="What pip installs there; default: the version installed here.",
)


def refuse_together(**options: object) -> None:
    """Raise UsageError if more than one of these options is used."""
    used = [f"--{name.replace('_', '-')}" for name, value in options.items() if value]
    if len(used) > 1:
        raise UsageError(f"{' and '.join(used)} cannot be combined: choose one of them.")


def refuse_if(wrong: Mapping[str, object]) -> None:
    """Raise UsageError with the first of these messages whose condition holds."""
    for message, is_wrong in wrong.items():
        if is_wrong:
            raise UsageError(message)


def completing(read: Callable[[Store, str], Iterable[tuple[str, str | None]]]) -> Completer:
    """Complete a word with the results of ``read`` that begin like it, each with a description.

    It reads the library that the unfinished command line names.
    """

    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        # During completion, click parses the words before the cursor but calls no command.
        session = Session([], chosen=ctx.find_root().params.get("library"))
        # A shell waits for this at every key, so a missing or locked library completes to nothing.
        try:
            with session.open_store() as store:
                words = read(store, incomplete)
        except PapertrackError:
            return []
        return [
            CompletionItem(clean(text), help=clean(help or "") or None)
            for text, help in words
            if text.lower().startswith(incomplete.lower())
        ]

    return complete


@completing
def complete_reference(store: Store, _: str) -> Iterable[tuple[str, str | None]]:
    """Return citation keys, with their titles."""
    from papertrack.store.lookup import all_names

    return sorted(all_names(store))


@completing
def complete_tag(store: Store, incomplete: str) -> Iterable[tuple[str, str | None]]:
    """Return tags, after a ``+`` or ``-`` if one was typed."""
    from papertrack.store.states import tag_counts

    sign = incomplete[:1] if incomplete[:1] in ("+", "-") else ""
    return [(sign + tag, None) for tag, _ in tag_counts(store)]


@completing
def complete_category(store: Store, _: str) -> Iterable[tuple[str, str | None]]:
    """Return category paths."""
    from papertrack.store.categories import ordered_paths

    return [(format_path(path), None) for path, _ in ordered_paths(store)]


def option(shown: str, help: str, *name: str, **how: Any) -> Decorated:
    """Make an option that takes a value, from its line in the help: ``-o, --output FILE``."""
    *short, long = shown.split(", ")
    long, _, metavar = long.partition(" ")
    return click.option(*short, long, *name, metavar=metavar or None, help=help, **how)


options = partial(option, multiple=True)
"""Make an option that may be repeated."""


def port_option(default: int) -> Decorated:
    """Make the option for the port of a server."""
    port = click.IntRange(1, 65535)
    return option("--port", "The port for --serve.", type=port, default=default, show_default=True)


def category_option(*names: str, **how: Any) -> Decorated:
    """Make an option that takes a category path."""
    return click.option(*names, metavar="PATH", shell_complete=complete_category, **how)


def choice_option(*names: str, of: Iterable[str], **how: Any) -> Decorated:
    """Make an option that takes one of these words, and shows its default."""
    return click.option(*names, type=click.Choice(list(of)), show_default=True, **how)


def limit_option(help: str, most: int | None = None, **how: Any) -> Decorated:
    """Make an option that limits the number of results."""
    return click.option("-l", "--limit", type=click.IntRange(1, most), help=help, **how)


def reference_argument(*, many: bool = False, required: bool = True) -> Decorated:
    """Make the argument REF (or REF...): papers, by identifier, citation key or title."""
    metavar = "REF" if required else "[REF]"
    return click.argument(
        "references" if many else "reference",
        metavar=f"{metavar}..." if many else metavar,
        nargs=-1 if many else 1,
        required=required,
        shell_complete=complete_reference,
    )


_MOST_OF_STDIN = 64 * 2**20


def read_stdin() -> bytes:
    """Return what is piped in. Raises UsageError if it is too large, or has no end."""
    data = sys.stdin.buffer.read(_MOST_OF_STDIN + 1)
    if len(data) > _MOST_OF_STDIN:
        raise UsageError(
            f"stdin has more than {_MOST_OF_STDIN // 2**20} MB, so it was not read. Name a file."
        )
    return data


def words_from_stdin(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the words, with each ``-`` replaced by the non-empty lines of stdin."""
    for word in words:
        if word == "-":
            lines = read_stdin().decode("utf-8", "replace").splitlines()
            yield from (line.strip() for line in lines if line.strip())
        else:
            yield word

"""The state of one command, options that commands share, and how results are printed.

``command`` makes a command: its papers, --query, --json, --schema, -n and the store are ready when
the function is called, and its result is printed: as JSON, or as its own sentences.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from functools import partial, wraps
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

flag = partial(click.option, is_flag=True)
"""Make an option that takes no value."""


class Session(NamedTuple):
    """The options that mean the same for every command, and the library."""

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
    """Accept that others removed many papers."""

    def library(self) -> Library:
        """Return the library to work on. Raises NotFoundError."""
        chosen = None if self.chosen is None else Path(self.chosen)
        return find_library(chosen, os.environ, Path.cwd())

    def open_store(self) -> Store:
        """Return the library's store, for a ``with`` block. Raises NotFoundError and StoreError."""
        from papertrack.actions.make_library import open_library

        library = self.library()
        if is_shared(library) or not library.holds_own_files():
            from papertrack.library.trust import refuse_links_out  # It loads what writes files.

            refuse_links_out(library)
        has_records = is_shared(library)
        if has_records and not has_database(library):
            from papertrack.actions.share.switch import rebuild

            self.say(*rebuild(library, self.now))
        store = self._copy() if self.dry_run else open_library(library, now=self.now)
        store.on_wait = lambda: self.say("Another papertrack is writing to this library. Waiting …")
        self.say(*conflicting_copies(library))
        if has_pending(library.intents):
            self._recover(store)
        if has_records:
            self._take_in(store)
        context = click.get_current_context(silent=True)
        if context is not None:
            context.call_on_close(lambda: self._back_up(store))
        return store

    @contextmanager
    def store_if_any(self) -> Iterator[Store | None]:
        """Return the library's store if there is a library; commands on files need none."""
        with ExitStack() as stack:
            store = None
            with suppress(NotFoundError, StoreError):
                store = stack.enter_context(self.open_store())
            yield store

    @contextmanager
    def doubting(self) -> Iterator[None]:
        """Raise StoreError for errors that only a bug can cause, if the library is a stranger's:
        its database may contain anything."""
        try:
            yield
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            from papertrack.library.trust import is_trusted

            library = self.library_if_any()
            if isinstance(error, UnicodeError) or library is None or is_trusted(library):
                raise
            raise StoreError(
                f"{library.root} was not made on this machine, and contains data that papertrack "
                f"does not write ({type(error).__name__}: {error}). The command stopped there. "
                "If you know who made the library, ask for another copy."
            ) from error

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
            # What the command did is done.
            self.warn(f"No backup was made. {error}")

    def _copy(self) -> Store:
        """Return a copy of the library, the same one for the whole command, so that later parts see
        the changes of earlier ones."""
        from papertrack.store.store import Store

        if not self.copies:
            library = self.library()
            self.copies.append(Store.open_copy(library.database, now=self.now))
            self.copies[0].pdf_folders = library.pdf_folders
            click.get_current_context().call_on_close(self.copies[0].close)
        return self.copies[0]

    def _recover(self, store: Store) -> None:
        """Take back what a killed run left unfinished, and report it."""
        from papertrack.actions.recover import recover

        try:
            for taken in recover(store, self.library()):
                self.warn(taken.told)
        except PapertrackError as error:
            # What only reads continues.
            self.warn(str(error))

    def _take_in(self, store: Store) -> None:
        """Read the records that others changed, before the command does anything. Raises
        PapertrackError for links where papertrack reads and writes."""
        from papertrack.actions.share.records import import_changes
        from papertrack.actions.share.repository import inside_documents, refuse_links

        library = self.library()
        refuse_links(library, inside_documents(store))
        taken = import_changes(store, library, os.environ, confirms=self.confirms)
        for told in taken.messages:
            self.warn_once(told)
        if taken.waiting and (context := click.get_current_context(silent=True)):
            context.find_root().meta[WAITING] = True
        if taken.changed or taken.added or taken.removed:
            self.say(f"Changes by others: {taken.summary}.")

    def refuse_own_file(self, store: Store, target: Path) -> None:
        """Raise UsageError if ``target`` is the library itself or a file that it feeds."""
        from papertrack.store.documents import read_documents

        library = self.library()
        if not target.exists():
            return
        for own in (library.database, library.settings_path):
            if own.exists() and own.samefile(target):
                raise UsageError(f"{target} is a part of the library itself. Name another file.")
        for document in read_documents(store):
            path = path_of_name(library, document.path)
            if path.exists() and path.samefile(target):
                raise UsageError(
                    f"{target} is a document that the library feeds; -o would replace all of it. "
                    "Name another file, or let `papertrack export` write what changed."
                )

    def write_output(
        self, store: Store, target: Path, data: bytes, *, is_forced: bool = False
    ) -> None:
        """Write a whole file, and report where a copy of the replaced one is; a dry run only
        checks.

        Raises the errors of ``check_output``: a file that papertrack did not write is replaced only
        if ``forced``.
        """
        from papertrack.actions.outputs import check_output, write_output

        library = self.library()
        if self.dry_run:
            check_output(store, library, target, is_forced=is_forced)
        elif copy := write_output(store, library, target, data, is_forced=is_forced):
            self.say(f"{target}: the previous version is in {copy.name} beside it.")

    def documents(self, kind: DocumentKind | None = None) -> list[Path]:
        """Return the files that the library feeds, of one kind or all."""
        from papertrack.store.documents import read_documents

        with self.open_store() as store:
            return [path_of_name(self.library(), one.path) for one in read_documents(store, kind)]

    def settings(self, *, only: str | None = None) -> Settings:
        """Return the settings in force; with ``only``, just that table is checked. Raises
        UsageError for an invalid setting."""
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
        """Say that another command must end first."""
        self.say("Another papertrack is enriching this library; waiting until it is done.")

    def say_done(self, message: str) -> None:
        """Report what was done; a dry run reports the same, and that nothing changed."""
        self.say(f"Dry run, nothing changed: {message}" if self.dry_run else message)

    def present(self, result: Any) -> int:
        """Print what a command returned, and return its exit code: a number is the code; a
        dataclass is printed as JSON or as its ``sentences()``."""
        if result is None or isinstance(result, int):
            return result or 0
        if self.as_json:
            self.print_json(result)
        else:
            message = "\n".join(map(clean, result.sentences())) or "Nothing to do."
            hint = "" if self.dry_run else getattr(result, "hint", "")
            self.say_done(f"{message} {hint}".rstrip())
        return int(getattr(result, "exit_code", 0))

    def print_json(self, value: object) -> None:
        """Print a result as JSON; commands with a dry run add whether it was one."""
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
        """Print results as a JSON array, or as a table of some values; ``empty`` is printed if
        there are none."""
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
        """Print a warning, even when quiet; the message may quote strangers."""
        click.echo(f"papertrack: {clean(message)}", err=True)

    @classmethod
    def warn_once(cls, message: str) -> None:
        """Print a warning, unless this command has printed it already."""
        context = click.get_current_context(silent=True)
        said = context.find_root().meta.setdefault("papertrack.said", set()) if context else set()
        if message not in said:
            said.add(message)
            cls.warn(message)

    def raise_last(self, failures: Sequence[PapertrackError]) -> None:
        """Raise the last of several failures, after warning about the others; each message is
        printed once."""
        different = list({str(failure): failure for failure in failures}.values())
        for failure in different[:-1]:
            self.warn(str(failure))
        if different:
            raise different[-1]


def note_in_session(ctx: click.Context, param: click.Parameter, value: bool | str | None) -> None:
    """Store an option in the session field of the same name; a callback for click."""
    # While completing, there is no session.
    if value and isinstance(ctx.obj, Session) and param.name:
        ctx.obj = ctx.obj._replace(**{param.name: value})  # type: ignore[arg-type]


def _noted(*names: str, help: str | None = None, **how: Any) -> click.Option:
    how = {"is_flag": True, **how}
    return click.Option(names, expose_value=False, callback=note_in_session, help=help, **how)


def _print_schema(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    root: Any = ctx.find_root().command
    root.print_schema(ctx.command_path.partition(" ")[2])
    ctx.exit()


LOUDNESS = {
    "quiet": "Print only results.",
    "verbose": "Print more; show where a bug happened.",
}


def options_of_all() -> list[click.Parameter]:
    """Add --library, -q and -v, which mean the same before and after a command's name."""
    loud = [_noted(f"-{name[0]}", f"--{name}", help=text) for name, text in LOUDNESS.items()]
    return [_noted("--library", "chosen", is_flag=False, hidden=True), *loud]


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
    """Make a command from a function of the session, the open store and the papers' ids, if it
    takes ``papers`` or the ``store`` (for one paper, its id), and its options.

    A command that ``writes`` gets --dry-run, one that shows data ``json``. The function's result is
    printed after the store is closed.
    """

    def decorate(function: Decorated) -> Any:
        @wraps(function)
        @click.pass_obj
        def run(session: Session, /, **given: Any) -> Any:
            with session.doubting():
                if not (papers or store):
                    return session.present(function(session, **given))
                with session.open_store() as opened:
                    found = [_given_papers(session, opened, papers, given)] if papers else []
                    result = function(session, opened, *found, **given)
                return session.present(result)

        asking: Decorated = query_options(run) if papers == "query" else run
        if papers is not None:
            is_required = papers in ("one", "many")
            asking = reference_argument(many=papers != "one", required=is_required)(asking)
        made = click.command(name, cls=cls, **attributes)(asking)
        if json:
            made.params.append(_noted("--json", "as_json", help="Print JSON, for programs."))
            made.params.append(
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
            made.params.append(
                _noted("-n", "--dry-run", help="Show what would change, and change nothing.")
            )
        made.params += options_of_all()
        if within is not None:
            within.add_command(made)
        return made

    return decorate


def _given_papers(session: Session, store: Store, papers: Papers, given: dict[str, Any]) -> Any:
    """Return the ids of the papers, or of the one paper, that a command names; removes these
    options."""
    from papertrack.actions.references import resolve_reference, resolve_references

    if papers == "one":
        return resolve_reference(store, given.pop("reference"))
    if papers == "query":
        which = [given.pop(name) for name in ("references", "query", "is_sure")]
        return chosen_papers(session, store, *which)
    return resolve_references(store, list(words_from_stdin(given.pop("references"))))


_SHOWN = 20
"""How many papers a question lists."""


def query_options(command: Decorated) -> Decorated:
    """Add the options that choose papers by a query; ``chosen_papers`` reads them."""
    found = click.option(
        "--query",
        metavar="QUERY",
        help="All papers that `papertrack list QUERY` shows; asks first.",
    )
    return found(flag("-y", "--yes", "is_sure", help="Do not ask.")(command))


def are_several(references: Sequence[str], query: str | None) -> bool:
    """Return whether a command may name many papers."""
    return query is not None or len(references) != 1 or references[0] == "-"


def chosen_papers(
    session: Session, store: Store, references: Sequence[str], query: str | None, is_sure: bool
) -> list[int]:
    """Return the papers that are named, and those that the query finds, each once.

    Raises UsageError when nothing was named, or nobody can be asked; the errors of
    ``resolve_references``; PapertrackError when the user says no.
    """
    from papertrack.actions.references import resolve_references

    if query is None and not references:
        raise UsageError("Name papers, or give --query.")
    named = resolve_references(store, list(words_from_stdin(tuple(references))))
    if query is None:
        return named
    # Whoever names papers does not wait for the language of queries.
    from papertrack.cli.output import shown_query
    from papertrack.store.listing import find_ids

    found = find_ids(store, shown_query(query))
    if found and not is_sure and not session.dry_run:
        _ask_about(session, store, found)
    return list(dict.fromkeys([*named, *found]))


def _ask_about(session: Session, store: Store, found: Sequence[int]) -> None:
    from papertrack.cli.output import can_choose, print_papers
    from papertrack.store.listing import read_rows

    papers = plural(len(found), "paper")
    if session.as_json or not can_choose():
        raise UsageError(
            f"The query finds {papers}, and there is no terminal to ask on. Add -y to go on."
        )
    print_papers(read_rows(store, found[:_SHOWN]))
    if len(found) > _SHOWN:
        session.say(f"… and {len(found) - _SHOWN} more.")
    if not click.confirm(f"Do this to {papers}?", err=True):
        raise PapertrackError("Nothing was changed.")


force_option = flag(
    "-f",
    "--force",
    help="Replace a file that papertrack did not write; a copy is kept beside it.",
)


package_option = click.option(
    "--package",
    metavar="SOURCE",
    help="What pip installs there; default: the version installed here.",
)


def refuse_together(**options: object) -> None:
    """Raise UsageError if more than one of these options is given, listing them."""
    given = [f"--{name.replace('_', '-')}" for name, value in options.items() if value]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} do not go together: choose one of them.")


def refuse_if(wrong: Mapping[str, object]) -> None:
    """Raise UsageError with the first of these messages whose condition holds."""
    for message, is_wrong in wrong.items():
        if is_wrong:
            raise UsageError(message)


def completing(read: Callable[[Store, str], Iterable[tuple[str, str | None]]]) -> Completer:
    """Complete a word with the results of ``read`` that start like it, each with a description.

    It reads the library that the unfinished command line names.
    """

    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        # While completing, click parses the words before the cursor but calls no command.
        session = Session([], chosen=ctx.find_root().params.get("library"))
        # A shell waits for this at every key: no library, or a busy one, completes to nothing.
        try:
            with session.open_store() as store:
                found = read(store, incomplete)
        except PapertrackError:
            return []
        return [
            CompletionItem(clean(text), help=clean(help or "") or None)
            for text, help in found
            if text.lower().startswith(incomplete.lower())
        ]

    return complete


@completing
def complete_reference(store: Store, _: str) -> Iterable[tuple[str, str | None]]:
    """Return citekeys, with their titles."""
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


def category_option(*names: str, **how: Any) -> Decorated:
    """Make an option that takes a category path."""
    return click.option(*names, metavar="PATH", shell_complete=complete_category, **how)


def choice_option(*names: str, of: Iterable[str], **how: Any) -> Decorated:
    """Make an option that takes one of these words, and shows its default."""
    return click.option(*names, type=click.Choice(list(of)), show_default=True, **how)


def limit_option(help: str, most: int | None = None, **how: Any) -> Decorated:
    """Make an option that limits the number of results."""
    return click.option("-l", "--limit", type=click.IntRange(1, most), help=help, **how)


def reference_argument(
    metavar: str = "REF", *, many: bool = False, required: bool = True
) -> Decorated:
    """Make the argument REF (or REF...): papers, by any identifier, key or title."""
    name = metavar.lower() if metavar != "REF" else "references" if many else "reference"
    metavar = metavar if required else f"[{metavar}]"
    return click.argument(
        name,
        metavar=f"{metavar}..." if many else metavar,
        nargs=-1 if many else 1,
        required=required,
        shell_complete=complete_reference,
    )


def words_from_stdin(words: tuple[str, ...]) -> Iterator[str]:
    """Return the words, with each ``-`` replaced by the non-empty lines of stdin."""
    for word in words:
        if word == "-":
            lines = sys.stdin.buffer.read().decode("utf-8", "replace").splitlines()
            yield from (line.strip() for line in lines if line.strip())
        else:
            yield word

"""What one run of the command line knows, and the options and arguments that commands share.

A session has the library and the clock, and tells what was done.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from papertrack.errors import PapertrackError, UsageError
from papertrack.library import Library, find_library, has_database, has_pending, is_shared
from papertrack.library.clock import current_time

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from papertrack.cli.output import Columns
    from papertrack.library.settings import Bibtex, Check, Settings
    from papertrack.store.documents import DocumentKind
    from papertrack.store.store import Store

WAITING = "papertrack.waiting"
"""What a command's context has when papers that others removed wait for a word."""
Decorated = Callable[..., Any]
Completer = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]


class Session(NamedTuple):
    """The options that mean the same for every command."""

    copies: list[Store]
    """The copy of the library that a dry run works on, or what could be read of a damaged one."""
    chosen: str | None = None
    """The folder that ``--library`` names."""
    quiet: bool = False
    verbose: bool = False
    as_json: bool = False
    """Print JSON on stdout, for programs."""
    dry_run: bool = False
    """Say what would change, and change nothing."""
    confirms: bool = False
    """Take in that others removed many papers."""

    def library(self) -> Library:
        """The library to work on. Raises NotFoundError."""
        chosen = None if self.chosen is None else Path(self.chosen)
        return find_library(chosen, os.environ, Path.cwd())

    def open_store(self) -> Store:
        """The library's store, for a ``with`` block. Raises NotFoundError and StoreError."""
        from papertrack.library.surroundings import conflicting_copies
        from papertrack.store.store import Store

        library = self.library()
        if is_shared(library) or not library.holds_own_files():
            from papertrack.library.trust import refuse_links_out

            refuse_links_out(library)
        has_records = is_shared(library)
        if has_records and not has_database(library):
            self._rebuild(library)
        is_copy = self.dry_run or bool(self.copies)
        store = self._copy() if is_copy else Store.open(library.database, now=self.now)
        self.say(*conflicting_copies(library))
        if has_pending(library.intents):
            self._recover(store)
        if has_records:
            self._take_in(store)
        context = click.get_current_context(silent=True)
        if context is not None:
            context.call_on_close(lambda: self._back_up(store))
        return store

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
        """A copy of the library, one for the whole command: its parts see what those before did."""
        from papertrack.store.store import Store

        if not self.copies:
            self.copies.append(Store.open_copy(self.library().database, now=self.now))
            click.get_current_context().call_on_close(self.copies[0].close)
        return self.copies[0]

    def _recover(self, store: Store) -> None:
        """Take back what a killed run left half done, and say so."""
        from papertrack.actions.recover import recover

        try:
            for taken in recover(store, self.library()):
                self.warn(taken.told)
        except PapertrackError as error:
            # What only reads goes on.
            self.warn(str(error))

    def _rebuild(self, library: Library) -> None:
        """Make the database of a library that was cloned."""
        from papertrack.actions.share.switch import rebuild

        self.say(*rebuild(library, self.now))

    def _take_in(self, store: Store) -> None:
        """Take in what others changed in the records, before this command does anything. Raises
        PapertrackError for links where papertrack reads and writes."""
        from papertrack.actions.share.records import take_in
        from papertrack.actions.share.repository import inside_documents, refuse_links

        library = self.library()
        refuse_links(library, inside_documents(store))
        taken = take_in(store, library, os.environ, confirms=self.confirms)
        for told in taken.told:
            self.warn_once(told)
        if taken.waiting and (context := click.get_current_context(silent=True)):
            context.find_root().meta[WAITING] = True
        if taken.changed or taken.added or taken.removed:
            self.say(f"Took in what others did: {taken.summary}.")

    def refuse_own_file(self, store: Store, target: Path) -> None:
        """Raise UsageError when ``target`` is the library itself or a file that it feeds."""
        from papertrack.library.paths import path_of_name
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
        """Write a file whole, and say where a copy is of what stood there; in a dry run only look.

        Raises what ``check_output`` does: nothing that papertrack did not write is replaced unless
        it is ``forced``.
        """
        from papertrack.actions.outputs import check_output, write_output

        library = self.library()
        if self.dry_run:
            check_output(store, library, target, is_forced=is_forced)
        elif copy := write_output(store, library, target, data, is_forced=is_forced):
            self.say(f"{target}: what it was is in {copy.name} beside it.")

    def documents(self, kind: DocumentKind | None = None) -> list[Path]:
        """The files that the library feeds, of one kind or all."""
        from papertrack.library.paths import path_of_name
        from papertrack.store.documents import read_documents

        with self.open_store() as store:
            return [path_of_name(self.library(), one.path) for one in read_documents(store, kind)]

    def settings(self, *, only: str | None = None) -> Settings:
        """The settings in force; of whom asks for ``only`` one table, the others count for nothing.
        Raises UsageError when one is wrong."""
        from papertrack.library.settings_in_force import load_settings

        return load_settings(self.library(), os.environ, self.warn_once, only=only)

    def most_in_hand(self) -> int:
        """How many papers may be read at one time. Raises UsageError when settings are wrong."""
        return self.settings(only="reading").reading.in_hand

    def bibtex(self) -> Bibtex:
        """How new BibTeX entries are written. Raises UsageError when settings are wrong."""
        return self.settings(only="bibtex").bibtex

    def citekey_template(self) -> str:
        """How new papers' keys are made. Raises UsageError when settings are wrong."""
        return self.settings(only="citekeys").citekeys.template

    def citing_commands(self) -> Sequence[str]:
        """The reader's own commands that cite. Raises UsageError when settings are wrong."""
        return self.settings(only="manuscripts").manuscripts.commands

    def check_wishes(self) -> Check:
        """What `check` leaves out, and fails on. Raises UsageError when settings are wrong."""
        return self.settings(only="check").check

    def has_waiting(self) -> bool:
        """Whether removals of others wait for the reader's word."""
        context = click.get_current_context(silent=True)
        return bool(context and context.find_root().meta.get(WAITING))

    def now(self) -> datetime:
        return current_time(os.environ)

    def say(self, *messages: str) -> None:
        """Narrate on stderr, a line each; stdout is for data."""
        for message in messages if not self.quiet else ():
            click.echo(message, err=True)

    def say_done(self, message: str) -> None:
        """Say what was done: a dry run says the same, and that it did not do it."""
        self.say(f"Dry run, nothing changed: {message}" if self.dry_run else message)

    def report(self, message: str, **data: object) -> None:
        """What a command did: a sentence on stderr, or one JSON object on stdout."""
        if self.as_json:
            self.print_result(**data)
        else:
            self.say_done(message)

    def print_result(self, **data: object) -> None:
        """What a command did as one JSON object, which says also whether it was a dry run."""
        from papertrack.cli.output import print_json

        print_json({**data, "dry_run": self.dry_run})

    def print_records(
        self,
        records: Sequence[Mapping[str, Any]],
        columns: Columns,
        *,
        flexible: int,
        right: Sequence[int] = (),
    ) -> None:
        """Records as a JSON array, or as a table of some of their values."""
        from papertrack.cli.output import cells_of, print_json, print_table

        if self.as_json:
            print_json(records)
            return
        rows = [cells_of(record, columns) for record in records]
        print_table(list(columns), rows, flexible=flexible, right=right)

    @staticmethod
    def warn(message: str) -> None:
        """Say what went wrong, also when quiet; the message may quote strangers."""
        from papertrack.text import clean

        click.echo(f"papertrack: {clean(message)}", err=True)

    @classmethod
    def warn_once(cls, message: str) -> None:
        """Say what went wrong, if this command has not said it yet."""
        context = click.get_current_context(silent=True)
        said = context.find_root().meta.setdefault("papertrack.said", set()) if context else set()
        if message not in said:
            said.add(message)
            cls.warn(message)

    def raise_last(self, failures: Sequence[PapertrackError]) -> None:
        """Raise the last of several failures, after a warning of each other; no word is said
        twice."""
        different = list({str(failure): failure for failure in failures}.values())
        for failure in different[:-1]:
            self.warn(str(failure))
        if different:
            raise different[-1]


pass_session = click.make_pass_decorator(Session)


def note_in_session(ctx: click.Context, param: click.Parameter, value: bool | str | None) -> None:
    """Note an option in the session, under its name: the callback of those that are its fields."""
    # While completing, there is no session.
    if value and isinstance(ctx.obj, Session) and param.name:
        ctx.obj = ctx.obj._replace(**{param.name: value})  # type: ignore[arg-type]


json_option = click.option(
    "--json",
    "as_json",
    is_flag=True,
    expose_value=False,
    callback=note_in_session,
    help="Print JSON, for programs.",
)
dry_run_option = click.option(
    "-n",
    "--dry-run",
    is_flag=True,
    expose_value=False,
    callback=note_in_session,
    help="Say what would change, and change nothing.",
)
force_option = click.option(
    "-f",
    "--force",
    is_flag=True,
    help="Replace a file that papertrack did not write; a copy is kept beside it.",
)


def reading(command: Decorated) -> Decorated:
    """A command that only reads: it takes --json, and is given the session."""
    return json_option(pass_session(command))


def changing(command: Decorated) -> Decorated:
    """A command that changes things: it also takes --dry-run."""
    return dry_run_option(reading(command))


def completing(read: Callable[[Store, str], Iterable[tuple[str, str | None]]]) -> Completer:
    """Complete a word by what ``read`` finds that starts like it, each with what helps to choose.

    It reads the library that the command line being completed names.
    """

    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        from papertrack.text import clean

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
    """Citekeys, with their titles."""
    from papertrack.store.lookup import all_names

    return sorted(all_names(store))


@completing
def complete_tag(store: Store, incomplete: str) -> Iterable[tuple[str, str | None]]:
    """Tags, after a ``+`` or ``-`` where one was typed."""
    from papertrack.store.states import tag_counts

    sign = incomplete[:1] if incomplete[:1] in ("+", "-") else ""
    return [(sign + tag, None) for tag, _ in tag_counts(store)]


@completing
def complete_category(store: Store, _: str) -> Iterable[tuple[str, str | None]]:
    """Paths of categories."""
    from papertrack.category_paths import format_path
    from papertrack.store.categories import ordered_paths

    return [(format_path(path), None) for path, _ in ordered_paths(store)]


def category_option(*names: str, **how: Any) -> Decorated:
    """An option that takes the path of a category."""
    return click.option(*names, metavar="PATH", shell_complete=complete_category, **how)


def choice_option(*names: str, of: Iterable[str], **how: Any) -> Decorated:
    """An option that takes one of these words, and says which it is when none is given."""
    return click.option(*names, type=click.Choice(list(of)), show_default=True, **how)


def limit_option(help: str, most: int | None = None, **how: Any) -> Decorated:
    """How many there may be, of what the help says."""
    return click.option("-l", "--limit", type=click.IntRange(1, most), help=help, **how)


def reference_argument(
    metavar: str = "REF", *, many: bool = False, required: bool = True
) -> Decorated:
    """The argument REF (or REF...): papers, named by any spelling of what names them."""
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
    """The words, with each ``-`` replaced by the non-empty lines of stdin."""
    for word in words:
        if word == "-":
            lines = sys.stdin.buffer.read().decode("utf-8", "replace").splitlines()
            yield from (line.strip() for line in lines if line.strip())
        else:
            yield word

"""Arguments that many commands share, with what the shell completes for them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from papertrack.cli.session import Session, note_in_session
from papertrack.errors import PapertrackError
from papertrack.text import clean

if TYPE_CHECKING:
    from papertrack.store.store import Store

Decorated = Callable[..., Any]
Found = TypeVar("Found")

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


def complete_reference(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Citekeys that start so, with their titles."""
    from papertrack.store.lookup import all_names

    return _items(sorted(read_for(ctx, all_names)), incomplete)


def complete_tag(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Tags that start so, after a ``+`` or ``-`` where one was typed."""
    sign = incomplete[:1] if incomplete[:1] in ("+", "-") else ""
    from papertrack.store.states import tag_counts

    return _items([(sign + tag, None) for tag, _ in read_for(ctx, tag_counts)], incomplete)


def complete_category(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Category paths that start so."""
    from papertrack.store.categories import format_path, ordered_paths

    paths = [(format_path(path), None) for path, _ in read_for(ctx, ordered_paths)]
    return _items(paths, incomplete)


def _items(texts: Iterable[tuple[str, str | None]], incomplete: str) -> list[CompletionItem]:
    """Those of the texts, each with what helps to choose, that start like what was typed."""
    return [
        CompletionItem(clean(text), help=clean(help or "") or None)
        for text, help in texts
        if text.lower().startswith(incomplete.lower())
    ]


def reference_argument(*, many: bool = False, required: bool = True) -> Decorated:
    """The argument REF (or REF...): papers, named by any spelling of what names them."""
    name = "references" if many else "reference"
    metavar = "REF" if required else "[REF]"
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


def read_for(ctx: click.Context, read: Callable[[Store], list[Found]]) -> list[Found]:
    """What ``read`` finds in the library that the command line being completed names."""
    # A shell waits for this at every key: no library, or a busy one, completes to nothing.
    try:
        with _session_of(ctx).open_store() as store:
            return read(store)
    except PapertrackError:
        return []


def _session_of(ctx: click.Context) -> Session:
    # While completing, click parses the words before the cursor but calls no command.
    return Session(chosen=ctx.find_root().params.get("library"))

"""The papers of a command on many: named, read from stdin, or found by a query, shown and asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from papertrack.actions.references import resolve_references
from papertrack.cli.display import can_choose, print_papers
from papertrack.cli.session import Decorated, Session, words_from_stdin
from papertrack.errors import PapertrackError, UsageError
from papertrack.store.listing import find_ids, read_rows
from papertrack.text import plural

if TYPE_CHECKING:
    from papertrack.store.store import Store

_SHOWN = 20
"""Papers that a question shows."""


def query_options(command: Decorated) -> Decorated:
    """The options that choose papers by a query; the command takes REF..., of which `-` is stdin,
    too, and hands all of them to ``chosen_papers``."""
    found = click.option(
        "--query",
        metavar="QUERY",
        help="The papers that `papertrack list QUERY` shows; you are asked about them.",
    )
    sure = click.option("-y", "--yes", "is_sure", is_flag=True, help="Do not ask about them.")
    return found(sure(command))


def are_several(references: Sequence[str], query: str | None) -> bool:
    """Whether a command was given papers in a way that may be many."""
    return query is not None or len(references) != 1 or references[0] == "-"


def chosen_papers(
    session: Session, store: Store, references: Sequence[str], query: str | None, is_sure: bool
) -> list[int]:
    """The papers that are named, and those that the query finds, each once.

    Raises UsageError when nothing was named, or nobody can be asked; what ``resolve_references``
    raises; PapertrackError when who was asked says no.
    """
    if query is None and not references:
        raise UsageError("Name papers, or give --query.")
    named = resolve_references(store, list(words_from_stdin(tuple(references))))
    if query is None:
        return named
    # Whoever names papers does not wait for the language of queries.
    from papertrack.cli.look.list import shown_query

    found = find_ids(store, shown_query(query))
    if found and not is_sure and not session.dry_run:
        _ask(session, store, found)
    return list(dict.fromkeys([*named, *found]))


def _ask(session: Session, store: Store, found: Sequence[int]) -> None:
    papers = plural(len(found), "paper")
    if session.as_json or not can_choose():
        raise UsageError(f"The query finds {papers}, and nobody can be asked. Say -y if it is so.")
    print_papers(read_rows(store, found[:_SHOWN]))
    if len(found) > _SHOWN:
        session.say(f"… and {len(found) - _SHOWN} more.")
    if not click.confirm(f"Is it meant of {papers}?", err=True):
        raise PapertrackError("Nothing was changed.")

"""Conflicts between a README and the library: shown with all three sides, or asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from papertrack.cli.session import Session
from papertrack.errors import UsageError
from papertrack.text import shorten

if TYPE_CHECKING:
    from papertrack.actions.threeway import Conflict, Fate, OnDeleted, Prefer, Side

prefer_option = click.option(
    "--prefer",
    type=click.Choice(["file", "library"]),
    help="Which side wins where both changed.",
)
interactive_option = click.option(
    "-i", "--interactive", is_flag=True, help="Ask about each conflict and each deleted entry."
)
on_deleted_option = click.option(
    "--on-deleted",
    type=click.Choice(["unlink", "discard", "put-back"]),
    help="What becomes of a paper whose entry is no longer in the file; unlink unless asked.",
)


def preference(prefer: Side | None, interactive: bool) -> Prefer:
    """Who decides conflicts. Raises UsageError when both options are given."""
    if prefer and interactive:
        raise UsageError("Give --prefer or --interactive, not both.")
    return _ask if interactive else prefer


def fate(on_deleted: Fate | None, interactive: bool) -> OnDeleted:
    """Who decides on papers whose entry was deleted; what is said beforehand is not asked."""
    return on_deleted or (_ask_fate if interactive else "unlink")


def say_conflicts(session: Session, conflicts: Sequence[Conflict]) -> None:
    """List what is left undecided, and how to decide it."""
    for conflict in conflicts:
        click.echo(_described(conflict), err=True)
    if conflicts:
        session.say("Decide with --prefer file, --prefer library or --interactive.")


def conflicts_to_json(conflicts: Sequence[Conflict]) -> list[dict[str, object]]:
    return [asdict(conflict) for conflict in conflicts]


def _ask(conflict: Conflict) -> Side | None:
    click.echo(_described(conflict), err=True)
    answer = click.prompt(
        "Keep the file's, the library's, or leave it?",
        type=click.Choice(["file", "library", "leave"]),
        default="leave",
        err=True,
    )
    side: dict[str, Side] = {"file": "file", "library": "library"}
    return side.get(answer)


def _ask_fate(citekey: str, file: str) -> Fate:
    click.echo(f"{citekey} is no longer in {file}.", err=True)
    answer: Fate = click.prompt(
        "Unlink it from the file, discard the paper, or put its entry back?",
        type=click.Choice(["unlink", "discard", "put-back"]),
        default="unlink",
        err=True,
    )
    return answer


def _described(conflict: Conflict) -> str:
    return (
        f"{conflict.file}:{conflict.line}: conflict in {conflict.field} of {conflict.citekey}: "
        f"file {_shown(conflict.file_value)}, library {_shown(conflict.library_value)}, "
        f"before {_shown(conflict.base)}"
    )


def _shown(value: Any) -> str:
    if value is None or value == [] or value == ():
        return "nothing"
    if isinstance(value, (list, tuple)):
        value = ", ".join(map(str, value))
    return repr(shorten(str(value), 80))

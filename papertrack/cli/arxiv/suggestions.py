"""``papertrack suggestions``."""

from __future__ import annotations

import click

from papertrack.actions.enrich.references import resolve_reference
from papertrack.actions.enrich.suggestions import (
    ShownSuggestion,
    answer_suggestions,
    open_suggestions,
    value_in_words,
)
from papertrack.cli.output import is_terminal, print_json, print_table
from papertrack.cli.session import Session, changing, reference_argument
from papertrack.errors import UsageError
from papertrack.text import truncate

HEAD = ("no.", "key", "field", "now", "suggested")


@click.command
@reference_argument(required=False)
@click.option("--accept", "accepted", type=int, multiple=True, metavar="NO", help="Take it over.")
@click.option("--reject", "rejected", type=int, multiple=True, metavar="NO", help="Never again.")
@click.option("--accept-all", is_flag=True, help="Take over all that would be listed.")
@click.option("--reject-all", is_flag=True, help="Reject all that would be listed.")
@changing
def suggestions(
    session: Session,
    reference: str | None,
    accepted: tuple[int, ...],
    rejected: tuple[int, ...],
    accept_all: bool,
    reject_all: bool,
) -> None:
    """List what sources say otherwise than you, or found in an abstract, and decide on it.

    What you accept counts as yours: no source overwrites it. Both answers can be undone.

    \b
    Examples:
      papertrack suggestions
      papertrack suggestions kwon2023efficient --accept-all
      papertrack suggestions --accept 3 --accept 5 --reject 4
    """
    if accept_all + reject_all + bool(accepted or rejected) > 1:
        raise UsageError("Say either which suggestions to decide on, or one decision for all.")
    with session.open_store() as store:
        paper_id = resolve_reference(store, reference) if reference else None
        listed = open_suggestions(store, paper_id)
        if accept_all or reject_all:
            numbers = tuple(one.id for one in listed)
            accepted, rejected = (numbers, ()) if accept_all else ((), numbers)
        elif not (accepted or rejected):
            _print(session, listed)
            return
        answered = answer_suggestions(
            store, accept=accepted, reject=rejected, dry_run=session.dry_run
        )
    session.report(
        f"{answered.summary}.",
        accepted=[_to_json(one) for one in answered.accepted],
        rejected=[_to_json(one) for one in answered.rejected],
    )


def _print(session: Session, listed: list[ShownSuggestion]) -> None:
    if session.as_json:
        print_json([_to_json(one) for one in listed])
        return
    rows = [
        (
            str(one.id),
            one.citekey,
            _field(one),
            _present_shown(value_in_words(one.present)),
            value_in_words(one.value),
        )
        for one in listed
    ]
    print_table(HEAD, rows, flexible=4, right=(0,))
    if not listed:
        session.say("No suggestions.")


def _present_shown(words: str) -> str:
    # On a terminal the suggestion needs the room more; a pipe gets the whole of both.
    return truncate(words, 40) if is_terminal() else words


def _field(one: ShownSuggestion) -> str:
    role = getattr(one.value, "role", None)
    return f"{role} link" if role else one.field


def _to_json(one: ShownSuggestion) -> dict[str, object]:
    return {
        "id": one.id,
        "paper": one.citekey,
        "field": _field(one),
        "present": value_in_words(one.present) or None,
        "suggested": value_in_words(one.value),
        "source": one.source,
    }

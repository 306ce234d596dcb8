"""Contradictions in a shared library: shown with all values, and decided by the reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from papertrack.cli.session import Session
from papertrack.text import clean, plural

if TYPE_CHECKING:
    from papertrack.actions.share.records import Contradiction


def settle_contradictions(session: Session) -> None:
    """Keep the values that are shown, wherever two sides set a field differently."""
    from papertrack.actions.share.records import settle_all

    with session.open_store() as store:
        count = settle_all(store, session.library())
    if count:
        session.say_done(f"Kept the value shown in {plural(count, 'contradiction')}.")


def left_contradictions(session: Session) -> list[Contradiction]:
    """What is to be decided yet, which is said, with how that is done."""
    from papertrack.actions.share.records import read_contradictions

    with session.open_store() as store:
        found = read_contradictions(store)
    say_contradictions(session, found)
    return found


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        return "'" + ", ".join(str(one) for name, one in value.items() if name != "at") + "'"
    if isinstance(value, list):
        return ", ".join(map(_in_words, value))
    return f"'{value}'"


def say_contradictions(session: Session, found: Sequence[Contradiction]) -> None:
    """List what two sides set differently."""
    for one in found:
        values = ", ".join(map(_in_words, one.values))
        shown = _in_words(one.shown)
        session.say(clean(f"{one.title}: {one.field} is {values}; {shown} is shown."))
    if found:
        session.say(
            "`papertrack sync --prefer library` keeps what is shown; `papertrack edit` sets it."
        )

"""Contradictions between devices: shown with all values, and settled by the reader's word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from papertrack.cli.session import Session
from papertrack.errors import UsageError
from papertrack.text import clean, plural

if TYPE_CHECKING:
    from papertrack.actions.documents import Side
    from papertrack.actions.share.contradictions import Contradiction
    from papertrack.store.store import Store

_SIDES: tuple[Side, ...] = ("file", "library")

prefer_option = click.option(
    "--prefer",
    "preferred",
    metavar="file|library|DEVICE",
    multiple=True,
    help="Which side wins where both changed: a file or the library, or a device.",
)


@dataclass(frozen=True, slots=True)
class Preferred:
    """Who wins: between a file and the library, and between devices."""

    side: Side | None
    devices: tuple[str, ...]
    """The first one that said something wins."""


def preferred_of(words: Sequence[str]) -> Preferred:
    """What --prefer says. Raises UsageError for both sides at once."""
    sides = [side for side in _SIDES if side in words]
    if len(sides) > 1:
        raise UsageError("Give --prefer file or --prefer library, not both.")
    devices = tuple(word for word in words if word not in _SIDES)
    return Preferred(sides[0] if sides else None, devices)


def settle_contradictions(session: Session, preferred: Preferred, *, is_asking: bool) -> None:
    """Settle what devices set differently, as far as the reader says who is right.

    Raises UsageError for a device that the library does not know.
    """
    if not (is_asking or preferred.devices):
        return
    from papertrack.actions.share.contradictions import read_contradictions, settle

    with session.open_store() as store:
        _refuse_unknown(store, session, preferred.devices)
        found = read_contradictions(store)
    # Nobody else waits while the reader thinks.
    answers = [(one, _asked(one) if is_asking else _wins(one, preferred.devices)) for one in found]
    with session.open_store() as store:
        count = settle(store, [(one, device) for one, device in answers if device])
    if count:
        session.say_done(f"Settled {plural(count, 'contradiction')} between devices.")


def left_contradictions(session: Session) -> list[Contradiction]:
    """What is to be settled yet, which is said, with how that is done."""
    from papertrack.actions.share.contradictions import read_contradictions

    with session.open_store() as store:
        found = read_contradictions(store)
    say_contradictions(session, found)
    return found


def say_contradictions(session: Session, found: Sequence[Contradiction]) -> None:
    """List what devices set differently."""
    for one in found:
        session.say(_described(one))
    if found:
        session.say("`papertrack sync --prefer DEVICE` or --interactive settles what is left.")


def _refuse_unknown(store: Store, session: Session, devices: Sequence[str]) -> None:
    from papertrack.actions.share.status import read_status

    known = [one.device for one in read_status(store, session.library())] if devices else []
    for device in devices:
        if device not in known:
            names = ", ".join(("file", "library", *known))
            raise UsageError(f"--prefer {device}: there is no such device. Say one of: {names}.")


def _described(one: Contradiction) -> str:
    said = ", ".join(f"{_in_words(value)} by {device}" for device, value in one.said)
    return clean(f"{one.title}: {one.field} is {said}; {one.said[-1][0]}'s counts for now.")


def _in_words(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_in_words(one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(_in_words, value)) or "nothing"
    return f"'{value}'" if isinstance(value, str) else str(value)


def _wins(one: Contradiction, devices: Sequence[str]) -> str | None:
    return next((device for device in devices if device in one.devices), None)


def _asked(one: Contradiction) -> str | None:
    click.echo(_described(one), err=True)
    answer: str = click.prompt(
        "Whose is right?",
        type=click.Choice([*one.devices, "leave"]),
        default="leave",
        err=True,
    )
    return None if answer == "leave" else answer

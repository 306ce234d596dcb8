"""The network, for one command: a door whose waits are shown as progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from papertrack.cli.progress import Progress
from papertrack.cli.session import Session

if TYPE_CHECKING:
    from papertrack.actions.online.network import Door


@contextmanager
def asking(session: Session, noun: str) -> Iterator[tuple[Door, Progress]]:
    """A door to the settings' addresses, and how far the asking for ``noun`` is.

    Raises SourceUnavailableError when the settings say that nothing is to be asked.
    """
    from papertrack.actions.online.network import open_door

    settings = session.settings().arxiv
    with Progress(session, noun) as progress:
        door = open_door(session.library(), settings, clock=session.now, on_wait=progress.wait)
        yield door, progress

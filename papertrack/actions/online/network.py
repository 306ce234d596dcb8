"""The door to the network, as the settings of a library want it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from papertrack import __version__
from papertrack.errors import SourceUnavailableError
from papertrack.library import Library, state_folder
from papertrack.library.settings import Arxiv
from papertrack.sources import registry
from papertrack.sources.endpoints import ARXIV, Endpoints
from papertrack.sources.source import SourceRecord
from papertrack.sources.transport import Door

__all__ = ["Door", "SourceRecord", "open_door"]


def open_door(
    library: Library,
    settings: Arxiv,
    *,
    clock: Callable[[], datetime],
    on_wait: Callable[[float, str], None] | None = None,
) -> Door:
    """A door to the addresses of the settings, or to arXiv's own; it asks nothing by itself.

    ``on_wait(seconds, why)`` is told before each wait. Raises UsageError as ``Door`` does, and
    SourceUnavailableError when the settings say that nothing is to be asked.
    """
    if settings.offline:
        raise SourceUnavailableError(
            "Nothing was asked: the setting arxiv.offline is on. "
            "`papertrack config arxiv.offline false` turns it off."
        )
    addresses = {**ARXIV, **{source.setting: source.url for source in registry.SOURCES}}
    chosen = {name: getattr(settings, name, None) or url for name, url in addresses.items()}
    endpoints = Endpoints(**chosen)
    return Door(
        # A rehearsal on this machine must neither slow down nor be slowed by the real thing.
        library.state_dir if endpoints.are_loopback else state_folder(),
        endpoints,
        contact=settings.contact,
        version=__version__,
        interval_seconds=settings.interval_seconds,
        clock=clock,
        on_wait=on_wait,
    )

"""The door to the network, as the settings of a library want it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from datetime import datetime

from papertrack import __version__
from papertrack.library import Library
from papertrack.library.settings import Arxiv
from papertrack.sources.endpoints import Endpoints
from papertrack.sources.transport import Door


def open_door(
    library: Library,
    settings: Arxiv,
    *,
    clock: Callable[[], datetime],
    on_wait: Callable[[float, str], None] | None = None,
) -> Door:
    """A door to the addresses of the settings, or to arXiv's own; it asks nothing by itself.

    ``on_wait(seconds, why)`` is told before each wait. Raises UsageError as ``Door`` does.
    """
    chosen = {setting.name: getattr(settings, setting.name) for setting in fields(Endpoints)}
    return Door(
        library.state_dir,
        Endpoints(**{name: url for name, url in chosen.items() if url is not None}),
        contact=settings.contact,
        version=__version__,
        interval_seconds=settings.interval_seconds,
        clock=clock,
        on_wait=on_wait,
    )

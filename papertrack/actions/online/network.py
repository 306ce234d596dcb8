"""The door to the network, as the settings of a library want it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlsplit

from papertrack import __version__
from papertrack.errors import SourceUnavailableError
from papertrack.identifiers.addresses import is_loopback
from papertrack.library import Library, state_folder
from papertrack.library.settings import Arxiv, Sources
from papertrack.sources import registry
from papertrack.sources.endpoints import ARXIV, Endpoints, host_of
from papertrack.sources.published.registry import WITNESSES
from papertrack.sources.source import SourceRecord
from papertrack.sources.transport import Door

__all__ = ["Door", "SourceRecord", "open_door"]


def open_door(
    library: Library,
    settings: Arxiv,
    *,
    clock: Callable[[], datetime],
    on_wait: Callable[[float, str], None] | None = None,
    services: Sources | None = None,
) -> Door:
    """A door to the addresses of the settings, or to arXiv's own; it asks nothing by itself.

    ``on_wait(seconds, why)`` is told before each wait; with ``services`` it leads to those who know
    publications too. A rehearsal, with arXiv on this machine, never leads to a service that is not
    on it. Raises UsageError as ``Door`` does, and SourceUnavailableError when the settings say that
    nothing is to be asked.
    """
    if settings.offline:
        raise SourceUnavailableError(
            "Nothing was asked: the setting arxiv.offline is on. "
            "`papertrack config arxiv.offline false` turns it off."
        )
    addresses = {**ARXIV, **{source.setting: source.url for source in registry.SOURCES}}
    chosen = {name: getattr(settings, name, None) or url for name, url in addresses.items()}
    is_rehearsal = Endpoints(**chosen).are_loopback
    others = _addresses(services, is_rehearsal) if services else {}
    endpoints = Endpoints(**chosen, **others)
    return Door(
        # A rehearsal on this machine must neither slow down nor be slowed by the real thing.
        library.state_dir if endpoints.are_loopback else state_folder(),
        endpoints,
        contact=settings.contact,
        version=__version__,
        interval_seconds=settings.interval_seconds,
        clock=clock,
        on_wait=on_wait,
        paces=_paces(endpoints, settings.interval_seconds if is_rehearsal else None),
    )


def _addresses(services: Sources, is_rehearsal: bool) -> dict[str, str]:
    """Where the services that know publications are, by the names of their settings."""
    told = {one.setting: getattr(services, one.setting) or one.url for one in WITNESSES}
    if not is_rehearsal:
        return told
    return {name: url for name, url in told.items() if is_loopback(urlsplit(url).hostname)}


def _paces(endpoints: Endpoints, rehearsed: float | None) -> dict[str, float]:
    """Host → the least seconds between two requests; all ``rehearsed`` where that is given."""
    asked = [one for one in WITNESSES if one.setting in endpoints]
    paces = ((host_of(endpoints[one.setting]), one.pace) for one in asked)
    return {host: pace if rehearsed is None else rehearsed for host, pace in paces}

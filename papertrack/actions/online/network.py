"""Open the network with a library's settings, and lock work that one process does at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from filelock import FileLock, Timeout

from papertrack import __version__
from papertrack.errors import PapertrackError, SourceUnavailableError, UsageError
from papertrack.identifiers.addresses import is_loopback
from papertrack.library import Library, state_folder
from papertrack.library.trust import accepted_hosts
from papertrack.sources import feeds, registry
from papertrack.sources.endpoints import ARXIV, Endpoints, host_of, is_private
from papertrack.sources.published.services import SERVICES
from papertrack.sources.source import SourceRecord as SourceRecord
from papertrack.sources.transport import Door as Door

if TYPE_CHECKING:
    from papertrack.library.settings import Arxiv, Sources


def open_door(
    library: Library,
    settings: Arxiv,
    *,
    clock: Callable[[], datetime],
    on_wait: Callable[[float, str], None] | None = None,
    services: Sources | None = None,
) -> Door:
    """Return a door to the addresses in the settings, by default arXiv's. Sends no request.

    The door calls ``on_wait(seconds, why)`` before each wait. ``services`` adds the sources of
    publications. If arXiv's address is on this machine, as in a test, other hosts are left out.
    Raises UsageError as ``Door`` does, and SourceUnavailableError if the settings forbid network
    access.
    """
    refuse_offline(settings)
    interval = settings.interval_seconds
    addresses = _addresses(settings, services)
    endpoints = Endpoints(**addresses)
    is_local = endpoints.are_loopback
    return Door(
        # Requests to this machine and real ones must not wait for each other.
        library.state_dir if is_local else state_folder(),
        endpoints,
        contact=settings.contact,
        version=__version__,
        interval_seconds=interval,
        clock=clock,
        on_wait=on_wait,
        paces={
            host_of(addresses[service.setting]): interval if is_local else service.pace
            for service in SERVICES
            if service.setting in addresses
        },
        feed_hosts=accepted_hosts(),
        keys=asdict(services) if services else {},
    )


def _addresses(settings: Arxiv, services: Sources | None) -> dict[str, str]:
    """Map settings to the addresses of arXiv, of other sources and, if named, of services."""
    own = {**ARXIV, **{source.setting: source.url for source in registry.SOURCES}}
    addresses = {name: getattr(settings, name, None) or url for name, url in own.items()}
    is_local = Endpoints(**addresses).are_loopback
    others = {feeds.SETTING: settings.biorxiv_url or feeds.URL}
    for service in SERVICES if services else ():
        others[service.setting] = getattr(services, service.setting) or service.url
    return addresses | {n: url for n, url in others.items() if not is_local or _is_local(url)}


def _is_local(url: str) -> bool:
    return is_loopback(urlsplit(url).hostname)


def is_rehearsal(settings: Arxiv) -> bool:
    """Return whether arXiv's address is on this machine, as in a test: then all services are."""
    return settings.api_url is not None and _is_local(settings.api_url)


def refuse_private(settings: Arxiv, feeds: Iterable[str]) -> None:
    """Raise UsageError for a feed that is never fetched, because it is not on the internet."""
    for feed in feeds:
        if is_private(urlsplit(feed).hostname or "") and not is_rehearsal(settings):
            raise UsageError(
                f"{feed} is on this machine or its network, from which "
                "papertrack fetches no feeds. Give the address of a feed on the internet."
            )


def refuse_offline(settings: Arxiv) -> None:
    """Raise SourceUnavailableError if the settings forbid network access."""
    if settings.offline:
        raise SourceUnavailableError(
            "No request was sent: the setting arxiv.offline is on. "
            "`papertrack config arxiv.offline false` turns it off."
        )


def lock_path(library: Library, name: str) -> Path:
    """Return the lock file for one kind of work, such as ``watch``."""
    return library.state_dir / f"{name}.lock"


def acquire_lock(library: Library, name: str, *, seconds: float) -> FileLock | None:
    """Acquire a lock; None if another process holds it for this long (-1: wait for ever).

    The caller releases it. Raises PapertrackError when the library's folder cannot be written.
    """
    lock = FileLock(lock_path(library, name))
    try:
        library.state_dir.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=seconds, poll_interval=0.02)
    except Timeout:
        return None
    except OSError as error:
        raise PapertrackError(
            f"{library.state_dir} could not be written: {error.strerror or error}. "
            "No request was sent. Check its permissions."
        ) from error
    return lock

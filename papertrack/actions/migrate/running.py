"""Import from a running Zotero, on this machine only."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

from papertrack import __version__
from papertrack.errors import SourceUnavailableError, UsageError
from papertrack.identifiers.addresses import is_loopback
from papertrack.importers.model import Source
from papertrack.importers.zotero import api
from papertrack.sources import zotero_api
from papertrack.sources.endpoints import ARXIV, Endpoints
from papertrack.sources.failures import Refused, SourceFailure
from papertrack.sources.transport import Door


def read_running(
    address: str | None,
    *,
    clock: Callable[[], datetime],
    report: Callable[[str], None] = lambda sentence: None,
) -> Source:
    """Return everything that the running Zotero has.

    Raises UsageError for an address on another machine, SourceUnavailableError when it does not
    answer.
    """
    base = zotero_api.base_of(address or zotero_api.DEFAULT)
    if not is_loopback(urlsplit(base).hostname):
        raise UsageError(
            f"zotero.api_url is {base!r}, but must be the address of Zotero on this machine."
        )
    endpoints = Endpoints(**dict.fromkeys(ARXIV, base), **{zotero_api.SETTING: base})
    try:
        # It is a local program, so requests need no pause, and a refusal no waiting.
        with tempfile.TemporaryDirectory(prefix="papertrack-") as folder:
            door = Door(
                Path(folder), endpoints, contact=None, version=__version__, interval_seconds=0,
                clock=clock,
            )  # fmt: skip
            answered = zotero_api.fetch_libraries(door, report)
    except Refused as error:
        raise SourceUnavailableError(
            f'Zotero answered, but refused the request ({error}). Switch on "Allow other '
            'applications on this computer to communicate with Zotero" in its settings, under '
            "Advanced."
        ) from error
    except SourceFailure as error:
        raise SourceUnavailableError(
            f"Zotero could not be reached: {error}. Start it, or import its folder: "
            "`papertrack import ~/Zotero`."
        ) from error
    source = api.read_libraries(
        [api.Library(row.number or 1, row.name, row.items, row.collections) for row in answered]
    )
    source.counts = source.counts or source.counted()
    return source

"""The current time of a command: read once at its start, and passed on as an argument."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from papertrack.errors import UsageError


def current_time(environ: Mapping[str, str]) -> datetime:
    """Return the current time with the local offset; ``PAPERTRACK_NOW`` (ISO 8601) overrides it.

    Raises UsageError if that variable is not a time.
    """
    fixed = environ.get("PAPERTRACK_NOW")
    if not fixed:
        return datetime.now().astimezone().replace(microsecond=0)
    try:
        moment = datetime.fromisoformat(fixed)
    except ValueError:
        raise UsageError(
            f"PAPERTRACK_NOW is {fixed!r}, which is not an ISO 8601 time. "
            "Write it like 2026-03-01T09:30:00+00:00, or unset it."
        ) from None
    return moment if moment.tzinfo else moment.astimezone()

"""A complete answer of a source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Response:
    """An answer that is complete and has a status that the caller expected."""

    status: int
    url: str
    """After redirects."""
    content_type: str
    """Without parameters, in lower case; empty when the server named none."""
    body: bytes
    """Decoded, complete, within the size asked for."""
    headers: Mapping[str, str]
    """With lower-case names."""

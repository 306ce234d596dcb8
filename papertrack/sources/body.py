"""The body of an answer, read within its limits of size, ratio and time."""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping
from typing import Protocol

from papertrack.sources.failures import BadAnswer, TimedOut, TooLarge

CHUNK_BYTES = 64 * 1024
MAX_RATIO = 100
"""Of decoded to received bytes. Feeds compress 3 to 10 times, a bomb a thousand times."""
RATIO_FLOOR_BYTES = 1024 * 1024
"""Below this size any ratio is harmless."""
GZIP_WINDOW = 31
"""zlib's window bits for a gzip header and trailer."""


class RawBody(Protocol):
    """What is used of urllib3's response."""

    def read1(self, amt: int, decode_content: bool) -> bytes: ...


def read_body(
    raw: RawBody,
    headers: Mapping[str, str],
    host: str,
    status: int,
    max_bytes: int,
    give_up_at: float,
) -> bytes:
    """The decoded body, read until its end.

    Raises TooLarge as soon as the decoded size passes ``max_bytes`` or the ratio is a bomb's,
    TimedOut when ``time.monotonic()`` passes ``give_up_at``, BadAnswer for a body that is cut
    short, followed by something else, or in a coding that was not asked for.
    """
    import urllib3

    coding = headers.get("content-encoding", "").strip().lower()
    if coding not in ("", "identity", "gzip", "x-gzip"):
        raise BadAnswer(
            f"answered {status} in the coding {coding[:40]!r}", host=host, status=status
        )
    inflater = zlib.decompressobj(GZIP_WINDOW) if "gzip" in coding else None
    body = bytearray()
    received = 0
    try:
        while chunk := raw.read1(CHUNK_BYTES, decode_content=False):
            received += len(chunk)
            # One byte more than allowed is enough to see that there is too much.
            body += inflater.decompress(chunk, max_bytes + 1 - len(body)) if inflater else chunk
            if len(body) > max_bytes:
                raise TooLarge(
                    f"answered {status} with more than {max_bytes // 1024} KB",
                    host=host,
                    status=status,
                )
            if len(body) > max(RATIO_FLOOR_BYTES, MAX_RATIO * received):
                raise TooLarge(
                    f"answered {status} with {len(body) // received} times what it sent",
                    host=host,
                    status=status,
                )
            # zlib keeps what follows the end of its stream, without any limit of size.
            if inflater and inflater.unused_data:
                raise BadAnswer(
                    f"answered {status} with more than its compressed body",
                    host=host,
                    status=status,
                )
            if time.monotonic() > give_up_at:
                raise TimedOut("did not finish its answer in time", host=host, status=status)
    except urllib3.exceptions.ReadTimeoutError:
        raise TimedOut("stopped in the middle of its answer", host=host, status=status) from None
    except (urllib3.exceptions.HTTPError, OSError, zlib.error) as error:
        raise BadAnswer(
            f"answered {status} and broke off after {received} bytes ({type(error).__name__})",
            host=host,
            status=status,
        ) from None
    finished = inflater is None or inflater.eof or not received
    if not finished or received != _promised_bytes(headers, received):
        raise BadAnswer(
            f"answered {status} and broke off after {received} bytes", host=host, status=status
        )
    return bytes(body)


def _promised_bytes(headers: Mapping[str, str], otherwise: int) -> int:
    """What Content-Length says, where it says anything."""
    length = headers.get("content-length", "")
    if "transfer-encoding" in headers or not (length.isascii() and length.isdigit()):
        return otherwise
    return int(length[:18])

"""The body of an answer, read within its limits of size, ratio and time."""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping
from typing import Protocol

from papertrack.sources.failures import BadAnswer, TimedOut, TooLarge, unexpected

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
    body = _Body(host, status, max_bytes, is_gzip="gzip" in coding)
    try:
        while chunk := raw.read1(CHUNK_BYTES, decode_content=False):
            body.take(chunk)
            if time.monotonic() > give_up_at:
                raise TimedOut("did not finish its answer in time", host=host, status=status)
    except urllib3.exceptions.ReadTimeoutError:
        raise TimedOut("stopped in the middle of its answer", host=host, status=status) from None
    except (urllib3.exceptions.HTTPError, OSError, zlib.error) as error:
        raise body.broken_off(f" ({type(error).__name__})") from None
    if not body.is_finished or body.received != _promised_bytes(headers, body.received):
        raise body.broken_off()
    return bytes(body.content)


class _Body:
    """The body of one answer, as far as it came."""

    def __init__(self, host: str, status: int, max_bytes: int, *, is_gzip: bool) -> None:
        self._host = host
        self._status = status
        self._max_bytes = max_bytes
        self._inflater = zlib.decompressobj(GZIP_WINDOW) if is_gzip else None
        self.content = bytearray()
        self.received = 0

    @property
    def is_finished(self) -> bool:
        return self._inflater is None or self._inflater.eof or not self.received

    def take(self, chunk: bytes) -> None:
        """Decode one part. Raises TooLarge, BadAnswer for what follows the end, and zlib.error."""
        self.received += len(chunk)
        if self._inflater is None:
            self.content += chunk
        else:
            # One byte more than allowed is enough to see that there is too much.
            room = self._max_bytes + 1 - len(self.content)
            self.content += self._inflater.decompress(chunk, room)
        self._check_size()
        # zlib keeps what follows the end of its stream, without any limit of size.
        if self._inflater and self._inflater.unused_data:
            raise unexpected("more than its compressed body", self._host, self._status)

    def _check_size(self) -> None:
        size = len(self.content)
        if size > self._max_bytes:
            what = f"more than {self._max_bytes // 1024} KB"
        elif size > max(RATIO_FLOOR_BYTES, MAX_RATIO * self.received):
            what = f"{size // self.received} times what it sent"
        else:
            return
        raise TooLarge(f"answered {self._status} with {what}", host=self._host, status=self._status)

    def broken_off(self, why: str = "") -> BadAnswer:
        return BadAnswer(
            f"answered {self._status} and broke off after {self.received} bytes{why}",
            host=self._host,
            status=self._status,
        )


def _promised_bytes(headers: Mapping[str, str], otherwise: int) -> int:
    """What Content-Length says, where it says anything."""
    length = headers.get("content-length", "")
    if "transfer-encoding" in headers or not (length.isascii() and length.isdigit()):
        return otherwise
    return int(length[:18])

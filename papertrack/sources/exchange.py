"""One request and its answer over a requests session: no retries, no redirects, no secrets."""

from __future__ import annotations

import contextlib
import time
import zlib
from collections.abc import Mapping, Sequence
from http.cookiejar import DefaultCookiePolicy
from typing import Protocol

import requests

from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import BadAnswer, TimedOut, TooLarge, Unreachable, unexpected
from papertrack.sources.response import Response

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


CONNECT_SECONDS = 10.0
READ_SECONDS = 60.0
"""The longest silence; arXiv was seen to send its 429 only after 124 s (September 2026)."""

MAX_REFUSAL_BYTES = 64 * 1024


class _Session(requests.Session):
    def get_redirect_target(self, resp: requests.Response) -> None:
        """None: otherwise requests would read the whole body of a redirect, without a limit."""


def new_session(user_agent: str, *, use_environment: bool) -> requests.Session:
    """A session that sends no cookie and no password, and takes proxies only if told so."""
    session = _Session()
    session.headers["User-Agent"] = user_agent
    # gzip is the only coding that `body` inflates within a limit.
    session.headers["Accept-Encoding"] = "gzip"
    session.trust_env = use_environment
    # Without an auth of its own, requests would look for a password in ~/.netrc.
    session.auth = lambda request: request
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return session


def exchange(
    session: requests.Session,
    url: str,
    accept: Sequence[str],
    max_bytes: int,
    give_up_at: float,
) -> Response:
    """The answer to one GET, with any status.

    ``give_up_at`` is a time of ``time.monotonic()``. Raises Unreachable, TimedOut, and what
    ``read_body`` raises.
    """
    host = host_of(url)
    left = give_up_at - time.monotonic()
    try:
        answer = session.get(
            url,
            headers={"Accept": ", ".join([*accept, "*/*;q=0.1"])},
            timeout=(CONNECT_SECONDS, min(READ_SECONDS, max(left, 0.001))),
            allow_redirects=False,
            stream=True,
        )
    except requests.exceptions.ReadTimeout:
        raise TimedOut("took the request and did not answer", host=host) from None
    except requests.exceptions.SSLError as error:
        raise Unreachable(f"did not prove who it is ({_cause(error)})", host=host) from None
    except requests.exceptions.RequestException as error:
        raise Unreachable(f"could not be reached ({_cause(error)})", host=host) from None
    with answer:
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return Response(
            status=answer.status_code,
            url=url,
            content_type=headers.get("content-type", "").partition(";")[0].strip().lower(),
            body=_read_body(answer, headers, host, max_bytes, give_up_at),
            headers=headers,
        )


def _read_body(
    answer: requests.Response,
    headers: Mapping[str, str],
    host: str,
    max_bytes: int,
    give_up_at: float,
) -> bytes:
    status = answer.status_code
    if status < 400:
        return read_body(answer.raw, headers, host, status, max_bytes, give_up_at)
    # That a host refuses, and for how long, counts even when its reasons do not come whole.
    with contextlib.suppress(BadAnswer, TooLarge):
        return read_body(answer.raw, headers, host, status, MAX_REFUSAL_BYTES, give_up_at)
    return b""


def _cause(error: BaseException) -> str:
    """The innermost reason of a chain of library errors, on one short line."""
    while True:
        inner = next((arg for arg in error.args if isinstance(arg, BaseException)), None)
        inner = inner or getattr(error, "reason", None)
        if not isinstance(inner, BaseException):
            # urllib3 says first whose fault it is: "HTTPSConnection(host='…', port=443): …".
            what = " ".join(str(error).split()).rpartition("): ")[2]
            return what[:120] or type(error).__name__
        error = inner

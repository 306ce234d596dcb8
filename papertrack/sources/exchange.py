"""One request and its response over a requests session: no retries, redirects or secrets."""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from requests.utils import select_proxy

from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import (
    BadAnswer,
    SourceFailure,
    TimedOut,
    TooLarge,
    Unreachable,
    unexpected,
)

if TYPE_CHECKING:
    from requests import PreparedRequest
    from urllib3.connectionpool import ConnectionPool

CHUNK_BYTES = 64 * 1024
GZIP_WINDOW = 31
"""zlib's window bits for a gzip header and trailer."""
CONNECT_SECONDS = 10.0
READ_SECONDS = 60.0
"""The longest silence; arXiv's 429 has taken 124 s to come (September 2026)."""

MAX_REFUSAL_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Response:
    """A complete response with an expected status."""

    status: int
    url: str
    """The address after redirects."""
    content_type: str
    """Without parameters, in lower case; empty if the server gave none."""
    body: bytes
    """The body: decoded, complete, within the size limit."""
    headers: Mapping[str, str]
    """With lower-case names."""
    moved_to: str | None = None
    """The address after permanent redirects, if all redirects were permanent."""


class _Session(requests.Session):
    def get_redirect_target(self, resp: requests.Response) -> None:
        """Return None: else requests would read a redirect's body without a limit."""


def new_session(user_agent: str, *, use_environment: bool) -> requests.Session:
    """Return a session that sends no cookie and no password, and uses proxies only on request."""
    session = _Session()
    session.headers["User-Agent"] = user_agent
    # gzip is the only coding that ``_Body`` decompresses within a limit.
    session.headers["Accept-Encoding"] = "gzip"
    session.trust_env = use_environment
    # Without an auth of its own, requests would look for a password in ~/.netrc.
    session.auth = lambda request: request
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return session


class PinnedAdapter(HTTPAdapter):
    """Connects to one checked IP address, because the name may resolve to another one later.

    Certificates are checked against the name. A proxy resolves names itself.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        super().__init__()

    def add_headers(self, request: PreparedRequest, **_: Any) -> None:
        """Add the host name, which the connection does not know."""
        request.headers["Host"] = urlsplit(request.url or "").netloc

    def get_connection_with_tls_context(
        self,
        request: PreparedRequest,
        verify: bool | str | None,
        proxies: Any = None,
        cert: Any = None,
    ) -> ConnectionPool:
        if select_proxy(request.url or "", proxies):
            return super().get_connection_with_tls_context(request, verify, proxies, cert)
        host, pool_settings = self.build_connection_pool_key_attributes(
            request, verify is None or verify, cert
        )
        keywords: dict[str, Any] = {**pool_settings}
        if host["scheme"] == "https":
            # urllib3 documents this for a name that is not the address (custom SNI hostname).
            keywords["server_hostname"] = keywords["assert_hostname"] = host["host"]
        pool: ConnectionPool = self.poolmanager.connection_from_host(
            self._address, host["port"], host["scheme"], pool_kwargs=keywords
        )
        return pool


class Question(NamedTuple):
    """A request: GET, or POST with a body."""

    url: str
    accept: tuple[str, ...] = ()
    """The content types that can be read; empty: any."""
    payload: bytes | None = None
    """The JSON to post; None means GET."""
    headers: tuple[tuple[str, str], ...] = ()
    """Further headers, such as a key, for this host only."""
    method: str = "GET"
    """Ignored with a payload, which is always posted."""


def exchange_at(
    session: requests.Session,
    places: Sequence[str],
    question: Question,
    max_bytes: int | None,
    give_up_at: float,
) -> Response:
    """Return the response from the first of a host's checked addresses that can be reached.

    Raises the errors of ``exchange``.
    """
    scheme = urlsplit(question.url).scheme
    for place in places[:-1]:
        session.mount(f"{scheme}://", PinnedAdapter(place))
        # A machine may not reach one of them, most often the one of IPv6.
        with suppress(Unreachable):
            return exchange(session, question, max_bytes, give_up_at)
    session.mount(f"{scheme}://", PinnedAdapter(places[-1]))
    return exchange(session, question, max_bytes, give_up_at)


def exchange(
    session: requests.Session, question: Question, max_bytes: int | None, give_up_at: float
) -> Response:
    """Return the response to one request, with any status.

    ``give_up_at`` is a time of ``time.monotonic()``; without ``max_bytes`` no body is read. Raises
    Unreachable, TimedOut, and the errors of ``_Body.read``.
    """
    url, accept, payload, own_headers, method = question
    host = host_of(url)
    kind = {"Content-Type": "application/json"} if payload is not None else {}
    seconds_left = give_up_at - time.monotonic()
    try:
        answer = session.request(
            method if payload is None else "POST",
            url,
            data=payload,
            headers={"Accept": ", ".join([*accept, "*/*;q=0.1"]), **kind, **dict(own_headers)},
            timeout=(CONNECT_SECONDS, min(READ_SECONDS, max(seconds_left, 0.001))),
            allow_redirects=False,
            stream=True,
        )
    except requests.exceptions.ReadTimeout:
        raise TimedOut("took the request and did not answer", host=host) from None
    except requests.exceptions.SSLError as error:
        raise Unreachable(f"could not prove its identity ({_cause(error)})", host=host) from None
    except requests.exceptions.RequestException as error:
        raise Unreachable(f"could not be reached ({_cause(error)})", host=host) from None
    status = answer.status_code
    headers = {name.lower(): value for name, value in answer.headers.items()}
    body = b""
    with answer:
        if max_bytes is not None:
            limit = max_bytes if status < 400 else MAX_REFUSAL_BYTES
            body = _read(_Body(host, status, headers, limit), answer, give_up_at)
    content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    return Response(status, url, content_type, body, headers)


def _read(body: _Body, answer: requests.Response, give_up_at: float) -> bytes:
    try:
        return body.read(answer, give_up_at)
    except (BadAnswer, TooLarge):
        # A refusal counts, with its Retry-After, even if its body is incomplete.
        if answer.status_code < 400:
            raise
        return b""


class _Body:
    """The body of one response while it is received."""

    def __init__(self, host: str, status: int, headers: Mapping[str, str], max_bytes: int) -> None:
        self._host = host
        self._status = status
        self._headers = headers
        self._max_bytes = max_bytes
        self._coding = headers.get("content-encoding", "").strip().lower()
        self._inflater = zlib.decompressobj(GZIP_WINDOW) if "gzip" in self._coding else None
        self._content = bytearray()
        self._received = 0

    def read(self, answer: requests.Response, give_up_at: float) -> bytes:
        """Return the whole decoded body.

        Raises TooLarge as soon as the decoded size exceeds the limit, whatever the compression
        ratio. Raises TimedOut when ``time.monotonic()`` passes ``give_up_at``, and BadAnswer for a
        body that is cut off, has data after its end, or is in a coding that was not requested.
        """
        import urllib3

        host, status = self._host, self._status
        if self._coding not in ("", "identity", "gzip", "x-gzip"):
            problem = f"answered {status} in the coding {self._coding[:40]!r}"
            raise BadAnswer(problem, host=host, status=status)
        try:
            while chunk := answer.raw.read1(CHUNK_BYTES, decode_content=False):
                self._add_chunk(chunk)
                if time.monotonic() > give_up_at:
                    raise TimedOut("did not finish its answer in time", host=host, status=status)
        except urllib3.exceptions.ReadTimeoutError:
            raise TimedOut(
                "stopped in the middle of its answer", host=host, status=status
            ) from None
        except (urllib3.exceptions.HTTPError, OSError, zlib.error) as error:
            raise self._cut_off(f" ({type(error).__name__})") from None
        is_finished = self._inflater is None or self._inflater.eof or not self._received
        if not is_finished or self._received != self._expected_bytes():
            raise self._cut_off()
        return bytes(self._content)

    def _add_chunk(self, chunk: bytes) -> None:
        """Decode one chunk. Raises TooLarge, zlib.error, and BadAnswer for data after the end."""
        self._received += len(chunk)
        if self._inflater is None:
            self._content += chunk
        else:
            # One byte above the limit is enough to detect a body that is too large.
            room = self._max_bytes + 1 - len(self._content)
            self._content += self._inflater.decompress(chunk, room)
        size = len(self._content)
        if size > self._max_bytes:
            raise self._unexpected(f"more than {self._max_bytes // 1024} KB", TooLarge)
        # zlib keeps the data after the end of its stream, without a size limit.
        if self._inflater and self._inflater.unused_data:
            raise self._unexpected("more than its compressed body")

    def _expected_bytes(self) -> int:
        """Return the Content-Length, or the bytes received if it does not apply.

        In a 304 it is the length of a body that is not sent.
        """
        length = self._headers.get("content-length", "") if self._status != 304 else ""
        if "transfer-encoding" in self._headers or not (length.isascii() and length.isdigit()):
            return self._received
        return int(length[:18])

    def _cut_off(self, why: str = "") -> BadAnswer:
        problem = f"answered {self._status} and broke off after {self._received} bytes{why}"
        return BadAnswer(problem, host=self._host, status=self._status)

    def _unexpected(self, content: str, kind: type[SourceFailure] = BadAnswer) -> SourceFailure:
        return unexpected(content, self._host, self._status, kind)


def _cause(error: BaseException) -> str:
    """Return the innermost reason of a chain of library errors, on one short line."""
    while True:
        inner = next((arg for arg in error.args if isinstance(arg, BaseException)), None)
        inner = inner or getattr(error, "reason", None)
        if not isinstance(inner, BaseException):
            # urllib3 begins with the connection: "HTTPSConnection(host='…', port=443): …".
            reason = " ".join(str(error).split()).rpartition("): ")[2]
            return reason[:120] or type(error).__name__
        error = inner

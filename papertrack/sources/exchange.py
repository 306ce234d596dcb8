"""One request and its answer over a requests session: no retries, no redirects, no secrets."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from http.cookiejar import DefaultCookiePolicy

import requests

from papertrack.sources.body import read_body
from papertrack.sources.endpoints import host_of
from papertrack.sources.failures import BadAnswer, TimedOut, TooLarge, Unreachable
from papertrack.sources.response import Response

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
    started = time.monotonic()
    try:
        answer = session.get(
            url,
            headers={"Accept": ", ".join([*accept, "*/*;q=0.1"])},
            timeout=(CONNECT_SECONDS, min(READ_SECONDS, max(give_up_at - started, 0.001))),
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
            elapsed=time.monotonic() - started,
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

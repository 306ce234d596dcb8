"""The single network client: every request of every source passes through a ``Door``.

A request waits for its rate limit (one at a time, one per interval, over all processes). It reaches
only hosts among the endpoints, and is limited in time and size. The result is a Response with an
expected status, or a SourceFailure.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urljoin, urlsplit

from papertrack.errors import UsageError
from papertrack.sources.endpoints import Endpoints, host_of, may_connect, origin_of, resolve
from papertrack.sources.failures import (
    BadAnswer,
    CoolingDown,
    Refused,
    TimedOut,
    Unreachable,
    WrongHost,
    unexpected,
)
from papertrack.sources.gate import RETRY_AFTER_MAX_SECONDS, Gate

if TYPE_CHECKING:
    import requests

    from papertrack.sources.exchange import Question, Response

T = TypeVar("T")


ARXIV_INTERVAL_SECONDS = 3.0
"""arXiv's terms (help/api/tou): one request per three seconds, one connection at a time."""
DEADLINE_SECONDS = 90.0
"""The limit of a whole request in real time, however slowly bytes arrive."""
MAX_BYTES = 20 * 1024 * 1024
"""The decoded size; a page of 2,000 entries, the largest that arXiv serves, has 5 MB."""
MAX_REDIRECTS = 3
MAX_PLACES = 4
"""Addresses of one host name that are tried."""
COOLING_STATUSES = frozenset({429, 502, 503, 504})
"""The server is overloaded, or limits us: arXiv answers 429 and 503 when it is busy."""
FORBIDDEN_COOLDOWN_SECONDS = 24 * 3600.0
"""All hosts of arXiv pause then: requests after a 403 "will be interpreted as an attack"."""
REDIRECTS = frozenset({301, 302, 303, 307, 308})
PERMANENT = frozenset({301, 308})
API_TYPES = ("application/json", "application/xml", "text/xml", "application/mods+xml")
"""The content types of data services."""
_Question = tuple[str, tuple[str, ...], bytes | None, tuple[tuple[str, str], ...]]
"""The fields of an ``exchange.Question``, whose module is slow to import."""


class Door:
    """Sends requests to the endpoints, one at a time and no faster than they allow.

    All processes of this user share ``state_dir``, which is created when first needed.
    ``on_wait(seconds, why)`` is called before each wait. ``clock`` returns the current aware time.
    ``paces`` are seconds between two requests, for hosts with their own rate limit. ``feed_hosts``
    are the hosts of feeds, which may be requested if they are public. ``keys`` are the API keys of
    services, by setting. Raises UsageError for an
    interval under three seconds (unless every endpoint is loopback), and for a contact that does
    not fit into a header.
    """

    def __init__(
        self,
        state_dir: Path,
        endpoints: Endpoints,
        *,
        contact: str | None,
        version: str,
        interval_seconds: float = ARXIV_INTERVAL_SECONDS,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        sleep: Callable[[float], None] = time.sleep,
        on_wait: Callable[[float, str], None] | None = None,
        chance: Callable[[], float] = random.random,
        paces: Mapping[str, float] | None = None,
        feed_hosts: Iterable[str] = (),
        keys: Mapping[str, str | None] | None = None,
    ) -> None:
        if not interval_seconds >= ARXIV_INTERVAL_SECONDS and not endpoints.are_loopback:
            raise UsageError(
                f"interval_seconds is {interval_seconds:g}: arXiv's terms ask for at least "
                f"{ARXIV_INTERVAL_SECONDS:g} seconds between two requests."
            )
        self.endpoints, self.keys = endpoints, keys or {}
        scheme = "http" if endpoints.are_loopback else "https"
        self._feed_origins = frozenset(f"{scheme}://{host}" for host in feed_hosts)
        host_paces = {host_of(origin): interval_seconds for origin in self._feed_origins} | {
            **(paces or {})
        }
        self._user_agent = user_agent(version, contact)
        self._clock = clock
        gate = partial(Gate, sleep=sleep, on_wait=on_wait, chance=chance)
        self._gate = gate(state_dir, interval_seconds)
        self._own_gates = {
            # A host name may have a colon, which is not allowed in file names everywhere.
            host: gate(state_dir / "sources" / host.replace(":", "-"), pace)
            for host, pace in host_paces.items()
        }

    def cooldown(self, host: str) -> datetime | None:
        """Return when this host (``host_of`` an endpoint) may be asked again; None if now."""
        return self._gate_of(host).cooldown(host, self._clock())

    def get(
        self,
        url: str,
        *,
        accept: Sequence[str] = (),
        max_bytes: int = MAX_BYTES,
        deadline: float = DEADLINE_SECONDS,
        expect: frozenset[int] = frozenset({200}),
        is_large: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Return the response to one GET, after at most three redirects.

        Redirects must stay among the endpoints, or among the hosts of feeds. ``accept`` lists the
        content types that the caller can read (empty: any), and ``expect`` the statuses.
        ``deadline`` is in seconds, for each redirect. A timeout of a response that ``is_large``
        does not pause the host: the network may be slow, not the host. Raises a SourceFailure; see
        ``failures`` for the causes. Nothing is tried twice here; callers do that later.
        """
        visited: set[str] = set()
        is_feed, extra = origin_of(url) in self._feed_origins, tuple((headers or {}).items())
        origins = self._feed_origins if is_feed else self.endpoints.origins
        is_permanent = True
        while url not in visited and len(visited) <= MAX_REDIRECTS:
            visited.add(url)
            response = self._ask((url, tuple(accept), None, extra), max_bytes, deadline, is_large)
            if response.status not in REDIRECTS:
                moved_to = url if is_permanent and len(visited) > 1 else None
                return replace(_expected(response, accept, expect), moved_to=moved_to)
            is_permanent = is_permanent and response.status in PERMANENT
            url = _redirect_target(response, origins)
        raise WrongHost(
            f"answered {response.status}: redirects in a circle, or more than {MAX_REDIRECTS}",
            host=host_of(response.url),
            status=response.status,
        )

    def ask_api(
        self,
        url: str,
        *,
        payload: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        expect: frozenset[int] = frozenset({200}),
    ) -> Response:
        """Return the JSON or XML response of an API to a GET, or to a POST with a payload.

        A web page instead is a check for robots or a network's login page: the host is paused, as
        after any refusal. No redirect is followed, so that a key in the headers stays with this
        host. Raises a SourceFailure.
        """
        question = url, API_TYPES, payload, tuple((headers or {}).items())
        return _expected(self._ask(question, is_api=True), API_TYPES, expect)

    def _ask(
        self,
        question: _Question,
        max_bytes: int = MAX_BYTES,
        deadline: float = DEADLINE_SECONDS,
        is_large: bool = False,
        is_api: bool = False,
    ) -> Response:
        url = question[0]
        if origin_of(url) not in self.endpoints.origins | self._feed_origins:
            raise WrongHost("is not a host that papertrack contacts", host=host_of(url))
        host = host_of(url)
        self._refuse_while_cooling(host)
        with self._gate_of(host).turn(host):
            # Another process may have been refused while this one waited for its turn.
            self._refuse_while_cooling(host)
            try:
                response = self._exchange_in_time(question, max_bytes, deadline)
            except TimedOut as error:
                if is_large:
                    raise
                until = self._gate_of(host).cool_down(host, self._clock())
                raise TimedOut(error.what, host=host, status=error.status, retry_at=until) from None
            self._check_refusal(host, response)
            if is_api and response.status == 200 and response.content_type not in API_TYPES:
                until = self._gate_of(host).cool_down(host, self._clock())
                problem = f"answered 200 with {response.content_type[:60]!r} instead of data"
                raise BadAnswer(problem, host=host, status=200, retry_at=until)
        return response

    def _gate_of(self, host: str) -> Gate:
        return self._own_gates.get(host, self._gate)

    def _refuse_while_cooling(self, host: str) -> None:
        until = self.cooldown(host)
        if until:
            raise CoolingDown("asked us earlier to wait", host=host, retry_at=until)

    def _check_refusal(self, host: str, response: Response) -> None:
        """Store whether the host refused the request; raise Refused if it did."""
        now = self._clock()
        if response.status == 403:
            until = max(
                self._gate_of(host).cool_down(owner_host, now, FORBIDDEN_COOLDOWN_SECONDS)
                for owner_host in self.endpoints.hosts_of_owner(host)
            )
        elif response.status in COOLING_STATUSES or _is_rate_notice(response.body):
            wait = retry_after_seconds(response.headers.get("retry-after", ""), now)
            until = self._gate_of(host).cool_down(host, now, wait)
        else:
            if response.status < 400:
                self._gate_of(host).warm_up(host)
            return
        raise _refusal(response, until)

    def _exchange_in_time(self, question: _Question, max_bytes: int, deadline: float) -> Response:
        """Do one exchange in a thread: nothing else limits name resolution and headers in time.

        An overdue thread closes its connection at the next byte.
        """
        # Importing requests takes a tenth of a second, and most commands send no request.
        from papertrack.sources.exchange import Question, exchange, new_session

        give_up_at = time.monotonic() + deadline
        is_of_feed = origin_of(question[0]) in self._feed_origins
        ask = self._exchange_in_public if is_of_feed else exchange
        use_environment = not self.endpoints.are_loopback
        with new_session(self._user_agent, use_environment=use_environment) as session:
            work = partial(ask, session, Question(*question), max_bytes, give_up_at)
            try:
                return in_time("papertrack-request", deadline, work)
            except TimeoutError:
                problem = f"did not answer within {deadline:g} seconds"
                raise TimedOut(problem, host=host_of(question[0])) from None

    def _exchange_in_public(
        self, session: requests.Session, question: Question, max_bytes: int, give_up_at: float
    ) -> Response:
        """Do one exchange with a host that a feed or list names.

        The host name is resolved once, so that the checked address is the one that is used.
        """
        from papertrack.sources.exchange import exchange_at

        host = host_of(question.url)
        try:
            places = resolve(str(urlsplit(question.url).hostname))[:MAX_PLACES]
        except OSError:
            raise Unreachable("could not be reached (its name is unknown)", host=host) from None
        if not may_connect(places, is_rehearsal=self.endpoints.are_loopback):
            raise WrongHost("is not a public address, and is not contacted", host=host)
        return exchange_at(session, places, question, max_bytes, give_up_at)


def in_time(name: str, seconds: float, work: Callable[[], T]) -> T:
    """Return or raise what ``work`` does; raise TimeoutError if it takes longer.

    The work runs in a thread with this name, which is left running if it is overdue.
    """
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=run, name=name, daemon=True).start()
    return outcome.result(timeout=seconds)


def _expected(response: Response, accept: Sequence[str], expect: frozenset[int]) -> Response:
    if response.status not in expect:
        raise _refusal(response)
    # A 404 may be a web page even if the source sends data otherwise.
    if response.status != 404 and accept and response.content_type not in accept:
        kind = response.content_type or "an unnamed type"
        content = f"{kind[:60]!r} instead of {accept[0]}"
        raise unexpected(content, host_of(response.url), response.status)
    return response


def _redirect_target(response: Response, origins: frozenset[str]) -> str:
    try:
        target = urljoin(response.url, response.headers.get("location", ""))
    except ValueError:
        target = ""
    secure = f"https://{target[7:]}" if target.startswith("http://") else target
    if origin_of(secure) in origins:
        return secure
    if origin_of(target) not in origins:
        failure = WrongHost(
            f"answered {response.status} and redirects to {host_of(target)}, which "
            "papertrack does not contact",
            host=host_of(response.url),
            status=response.status,
        )
        failure.target = target if origin_of(target) else None
        raise failure
    return target


def retry_after_seconds(value: str, now: datetime) -> float | None:
    """Return the seconds in a Retry-After header (RFC 9110 10.2.3), at most a day, or None.

    None stands for zero, the past and invalid values: arXiv's OAI sends 0 with a 503 that lasts.
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        # Nine digits are thirty years: longer numbers need no arithmetic.
        seconds = float(value[:9])
    else:
        when = parse_mail_date(value)
        seconds = (when - now).total_seconds() if when else 0.0
    return min(seconds, RETRY_AFTER_MAX_SECONDS) if seconds > 0 else None


def parse_mail_date(text: str) -> datetime | None:
    """Parse ``Mon, 14 Apr 2008 20:56:39 GMT``; without a zone it is UTC. None if invalid."""
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return when.replace(tzinfo=when.tzinfo or UTC)


def _is_rate_notice(body: bytes) -> bool:
    # arXiv's words for "too many requests", which also come with other statuses than 429.
    return body[:64].strip().lower().startswith(b"rate exceeded")


def _refusal(response: Response, retry_at: datetime | None = None) -> Refused:
    status = response.status
    reasons = {
        400: "the request is invalid",
        403: "forbidden",
        404: "no such thing",
        429: "too many requests",
        503: "busy",
    }
    reason = "rate exceeded" if _is_rate_notice(response.body) else reasons.get(status)
    problem = f"answered {status} ({reason})" if reason else f"answered {status}"
    return Refused(problem, host=host_of(response.url), status=status, retry_at=retry_at)


def user_agent(version: str, contact: str | None) -> str:
    about = "https://pypi.org/project/papertrack-cli/"
    if contact is None:
        return f"papertrack/{version} (+{about})"
    if not contact.isascii() or not contact.isprintable() or set(contact) & set("()<>;\\"):
        raise UsageError(
            f"The contact {contact!r} does not fit into a header: use a plain address."
        )
    return f"papertrack/{version} (+{about}; {contact})"

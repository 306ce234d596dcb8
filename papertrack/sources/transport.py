"""The one polite door to the network: every request of every source goes through it.

A request passes the gate (one at a time, one per interval, over all processes), reaches only
hosts among the endpoints, and ends in time and within its size. What comes back is a Response
whose status the caller expected, or a SourceFailure.
"""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urljoin

from filelock import BaseFileLock, FileLock, Timeout
from pydantic import BaseModel

from papertrack.errors import UsageError
from papertrack.sources.endpoints import Endpoints, host_of, origin_of
from papertrack.sources.failures import (
    CoolingDown,
    Refused,
    SourceFailure,
    TimedOut,
    WrongHost,
    unexpected,
)

if TYPE_CHECKING:
    import requests

    from papertrack.sources.exchange import Response

T = TypeVar("T")


MAX_TURN_WAIT_SECONDS = 300.0
"""How long to wait for other papertrack processes: a few requests at their full deadline."""
TURN_POLL_SECONDS = 0.05
COOLDOWN_START_SECONDS = 15 * 60.0
"""arXiv's 429 carries no Retry-After and was seen to last from minutes to hours (2026)."""
COOLDOWN_MAX_SECONDS = 12 * 3600.0
RETRY_AFTER_MAX_SECONDS = 24 * 3600.0
"""No host may send us away for longer than a day, whatever it says."""
COOLDOWN_FORGET_SECONDS = 24 * 3600.0
"""A new fault this long after the last cool-down starts at the first step again."""
JITTER = 0.1
"""Up to a tenth longer, so that many machines do not come back in the same second."""
CLOCK_TOLERANCE_SECONDS = 5.0


class _CoolDown(BaseModel):
    set_at: float
    until: float
    step: int


class _State(BaseModel):
    last_request: float = 0.0
    cooldowns: dict[str, _CoolDown] = {}


class Gate:
    """Politeness that outlives a process: whose turn it is, and which hosts asked us to wait.

    All papertrack processes of a user share one lock and one small file in ``state_dir``. The turn
    is kept by real time; cool-downs by the clock that the caller gives. A file that is damaged, or
    whose times cannot be true, counts as absent: the worst that a wrong clock costs is one
    interval.
    """

    def __init__(
        self,
        state_dir: Path,
        interval_seconds: float,
        *,
        sleep: Callable[[float], None] = time.sleep,
        on_wait: Callable[[float, str], None] | None = None,
        now: Callable[[], float] = time.time,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._lock_path = state_dir / "network.lock"
        self._state_path = state_dir / "network.json"
        self._interval = interval_seconds
        self._sleep = sleep
        self._on_wait = on_wait
        self._now = now
        self._chance = chance

    @contextlib.contextmanager
    def turn(self, host: str) -> Iterator[None]:
        """Hold the only connection: entered when no process has asked within the interval.

        The time is noted before the request and again when it is over, so that even a slow
        answer keeps the interval at the server and a killed process leaves its mark. Raises
        TimedOut when other processes keep the turn for too long.
        """
        lock = FileLock(self._lock_path, thread_local=False)
        try:
            self._lock_path.parent.mkdir(parents=True, exist_ok=True)
            self._acquire(lock, host)
        except OSError as error:
            raise self._no_pace(host, error) from error
        try:
            self._wait_for_interval()
            self._note_request(host)
            try:
                yield
            finally:
                # The answer stands: the time was noted before it.
                with contextlib.suppress(SourceFailure):
                    self._note_request(host)
        finally:
            lock.release()

    def cooldown(self, host: str, now: datetime) -> datetime | None:
        """Until when this host is left alone (UTC), or None."""
        cooldown = self._read().cooldowns.get(host)
        if cooldown is None or not _is_active(cooldown, now.timestamp()):
            return None
        return datetime.fromtimestamp(cooldown.until, UTC)

    def cool_down(self, host: str, now: datetime, seconds: float | None = None) -> datetime:
        """Leave this host alone from now on; call it within a turn. Returns until when.

        ``seconds`` is what the host asked for, at most a day; without it the time doubles with
        each fault in a row, from 15 minutes to 12 hours.
        """
        state = self._read()
        last = state.cooldowns.get(host)
        start = now.timestamp()
        in_a_row = (
            last is not None
            and last.set_at <= start + CLOCK_TOLERANCE_SECONDS
            and start - last.until < COOLDOWN_FORGET_SECONDS
        )
        step = last.step + 1 if last and in_a_row else 0
        if seconds is None:
            # The exponent is bounded before the power: a file may claim any step.
            seconds = min(COOLDOWN_START_SECONDS * 2 ** min(step, 10), COOLDOWN_MAX_SECONDS)
            seconds *= 1 + JITTER * self._chance()
        until = start + min(seconds, RETRY_AFTER_MAX_SECONDS)
        state.cooldowns[host] = _CoolDown(set_at=start, until=until, step=step)
        self._write(state, host)
        return datetime.fromtimestamp(until, UTC)

    def warm_up(self, host: str) -> None:
        """The host answered well: forget its faults. Call it within a turn."""
        state = self._read()
        if state.cooldowns.pop(host, None):
            self._write(state, host)

    def _acquire(self, lock: BaseFileLock, host: str) -> None:
        for attempt in range(int(MAX_TURN_WAIT_SECONDS / TURN_POLL_SECONDS)):
            try:
                lock.acquire(timeout=0)
                return
            except Timeout:
                if attempt == 0 and self._on_wait:
                    self._on_wait(self._interval, "another papertrack is asking")
                self._sleep(TURN_POLL_SECONDS)
        raise TimedOut("was not asked: another papertrack kept the network too long", host=host)

    def _wait_for_interval(self) -> None:
        since = self._now() - self._read().last_request
        if since >= self._interval:
            return
        # A request in the future means that the clock was set back: one whole interval is safe.
        wait = self._interval - since if since >= 0 else self._interval
        if self._on_wait:
            self._on_wait(wait, f"one request per {self._interval:g} seconds")
        self._sleep(wait)

    def _note_request(self, host: str) -> None:
        state = self._read()
        state.last_request = self._now()
        self._write(state, host)

    def _read(self) -> _State:
        try:
            return _State.model_validate_json(self._state_path.read_bytes())
        except (OSError, ValueError):
            return _State()

    def _write(self, state: _State, host: str) -> None:
        # Renamed into place, so that a reader without the lock never sees half a file. Only who
        # has the turn writes: one name will do, and a killed process leaves one file at most.
        new = self._state_path.with_suffix(".new")
        try:
            new.write_text(state.model_dump_json())
            new.replace(self._state_path)
        except OSError as error:
            with contextlib.suppress(OSError):
                new.unlink()
            raise self._no_pace(host, error) from error

    def _no_pace(self, host: str, error: OSError) -> SourceFailure:
        where = f"{self._state_path.parent} ({error.strerror})"
        return SourceFailure(f"is not asked: its pace cannot be kept in {where}", host=host)


def _is_active(cooldown: _CoolDown, now: float) -> bool:
    # A cool-down set in the future, or one longer than any we set, comes from a wrong clock.
    return (
        cooldown.set_at <= now + CLOCK_TOLERANCE_SECONDS
        and now < cooldown.until <= now + RETRY_AFTER_MAX_SECONDS
    )


ARXIV_INTERVAL_SECONDS = 3.0
"""arXiv's terms (help/api/tou): one request per three seconds, one connection at a time."""
DEADLINE_SECONDS = 90.0
"""For a whole request by the clock, however slowly bytes arrive."""
MAX_BYTES = 20 * 1024 * 1024
"""Decoded; a page of 2,000 entries, the largest that arXiv serves, has 5 MB."""
MAX_REDIRECTS = 3
COOLING_STATUSES = frozenset({429, 502, 503, 504})
"""The server has no room for us now: arXiv answers 429 and 503 when it is busy."""
FORBIDDEN_COOLDOWN_SECONDS = 24 * 3600.0
"""arXiv on robots: going on after a 403 "will be interpreted as an attack", so that all of its
hosts are left alone."""
REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Door:
    """Asks the endpoints, one request at a time and no faster than they allow.

    ``state_dir`` is where all processes of this user meet (created when first needed);
    ``on_wait(seconds, why)`` is told before each wait; ``clock`` returns the aware time now.
    Raises UsageError for an interval under three seconds (except when every endpoint is
    loopback) and for a contact that does not fit into a header.
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
    ) -> None:
        if not interval_seconds >= ARXIV_INTERVAL_SECONDS and not endpoints.are_loopback:
            raise UsageError(
                f"interval_seconds is {interval_seconds:g}: arXiv's terms ask for at least "
                f"{ARXIV_INTERVAL_SECONDS:g} seconds between two requests."
            )
        self.endpoints = endpoints
        self._user_agent = user_agent(version, contact)
        self._clock = clock
        self._gate = Gate(state_dir, interval_seconds, sleep=sleep, on_wait=on_wait, chance=chance)
        self._session: requests.Session | None = None

    def cooldown(self, host: str) -> datetime | None:
        """Until when this host (``host_of`` an endpoint) is left alone; None when it is not."""
        return self._gate.cooldown(host, self._clock())

    def get(
        self,
        url: str,
        *,
        accept: Sequence[str] = (),
        max_bytes: int = MAX_BYTES,
        deadline: float = DEADLINE_SECONDS,
        expect: frozenset[int] = frozenset({200}),
        is_large: bool = False,
    ) -> Response:
        """The answer to one GET, following at most three redirects between endpoints.

        ``accept`` lists the content types that the caller can read (empty: any), ``expect`` the
        statuses; ``deadline`` is in seconds and for each hop. After an answer that ``is_large`` and
        took too long the host is not left alone: the line may be slow, not the host. Raises a
        SourceFailure: see ``failures`` for the causes. It is never tried twice here: the caller
        decides, later.
        """
        for _ in range(MAX_REDIRECTS + 1):
            if origin_of(url) not in self.endpoints.origins:
                raise WrongHost("is not a host that papertrack asks", host=host_of(url))
            response = self._ask(url, accept, max_bytes, deadline, is_large)
            if response.status not in REDIRECTS:
                return _expected(response, accept, expect)
            url = _redirect_target(response, self.endpoints.origins)
        raise WrongHost(
            f"answered {response.status}: more than {MAX_REDIRECTS} redirects",
            host=host_of(response.url),
            status=response.status,
        )

    def _ask(
        self, url: str, accept: Sequence[str], max_bytes: int, deadline: float, is_large: bool
    ) -> Response:
        host = host_of(url)
        self._refuse_while_cooling(host)
        with self._gate.turn(host):
            # Another process may have been sent away while this one waited for its turn.
            self._refuse_while_cooling(host)
            try:
                response = self._exchange_in_time(url, accept, max_bytes, deadline)
            except TimedOut as error:
                if is_large:
                    raise
                until = self._gate.cool_down(host, self._clock())
                raise TimedOut(error.what, host=host, status=error.status, retry_at=until) from None
            self._settle(host, response)
        return response

    def _refuse_while_cooling(self, host: str) -> None:
        until = self.cooldown(host)
        if until:
            raise CoolingDown("asked us earlier to wait", host=host, retry_at=until)

    def _settle(self, host: str, response: Response) -> None:
        """Keep in mind what the host thinks of us; raise Refused when it sent us away."""
        now = self._clock()
        if response.status == 403:
            until = max(
                self._gate.cool_down(one, now, FORBIDDEN_COOLDOWN_SECONDS)
                for one in self.endpoints.hosts_of_owner(host)
            )
        elif response.status in COOLING_STATUSES or _is_rate_notice(response.body):
            wait = retry_after_seconds(response.headers.get("retry-after", ""), now)
            until = self._gate.cool_down(host, now, wait)
        else:
            if response.status < 400:
                self._gate.warm_up(host)
            return
        raise _refusal(response, until)

    def _exchange_in_time(
        self, url: str, accept: Sequence[str], max_bytes: int, deadline: float
    ) -> Response:
        """One exchange in a thread of its own: nothing else bounds name resolution or headers.

        One that is overdue closes its connection as soon as it moves.
        """
        # Importing requests takes a tenth of a second, and most commands never ask.
        from papertrack.sources.exchange import exchange, new_session

        give_up_at = time.monotonic() + deadline
        session = self._session or new_session(
            self._user_agent, use_environment=not self.endpoints.are_loopback
        )
        self._session = None
        try:
            response = in_time(
                "papertrack-request",
                deadline,
                lambda: exchange(session, url, accept, max_bytes, give_up_at),
            )
        except TimeoutError:
            what = f"did not answer within {deadline:g} seconds"
            raise TimedOut(what, host=host_of(url)) from None
        # Only a session whose exchange is over is used again.
        self._session = session
        return response


def in_time(name: str, seconds: float, work: Callable[[], T]) -> T:
    """What some work returns or raises, if it does so within the time; else TimeoutError.

    It is done in a thread of this name, which is left behind when it is overdue.
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
    if accept and response.content_type not in accept:
        kind = response.content_type or "an unnamed type"
        what = f"{kind[:60]!r} instead of {accept[0]}"
        raise unexpected(what, host_of(response.url), response.status)
    return response


def _redirect_target(response: Response, origins: frozenset[str]) -> str:
    try:
        target = urljoin(response.url, response.headers.get("location", ""))
    except ValueError:
        target = ""
    if origin_of(target) not in origins:
        raise WrongHost(
            f"answered {response.status} and redirects to {host_of(target)}, "
            "which papertrack does not ask",
            host=host_of(response.url),
            status=response.status,
        )
    return target


def retry_after_seconds(value: str, now: datetime) -> float | None:
    """Seconds from a Retry-After header (RFC 9110 10.2.3), at most a day; None if it says nothing.

    arXiv's OAI was seen to send 0 with a 503 that lasts: zero, the past and garbage say nothing.
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
    """The time of ``Mon, 14 Apr 2008 20:56:39 GMT``, in UTC if it names no zone."""
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return when.replace(tzinfo=when.tzinfo or UTC)


def _is_rate_notice(body: bytes) -> bool:
    # arXiv's words for "too many requests", also seen with other statuses than 429.
    return body[:64].strip().lower().startswith(b"rate exceeded")


def _refusal(response: Response, retry_at: datetime | None = None) -> Refused:
    status = response.status
    known = {
        400: "the request makes no sense to it",
        403: "forbidden",
        404: "no such thing",
        429: "too many requests",
        503: "busy",
    }
    reason = "rate exceeded" if _is_rate_notice(response.body) else known.get(status)
    what = f"answered {status} ({reason})" if reason else f"answered {status}"
    return Refused(what, host=host_of(response.url), status=status, retry_at=retry_at)


def user_agent(version: str, contact: str | None) -> str:
    about = "https://pypi.org/project/papertrack-cli/"
    if contact is None:
        return f"papertrack/{version} (+{about})"
    if not contact.isascii() or not contact.isprintable() or set(contact) & set("()<>;\\"):
        raise UsageError(f"The contact {contact!r} does not fit into a header: give an address.")
    return f"papertrack/{version} (+{about}; {contact})"

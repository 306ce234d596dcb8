"""Rate limits per host: which process may send a request, and until when a host is paused.

The state is on disk, shared by all papertrack processes of one user, and outlives them.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout
from pydantic import BaseModel

from papertrack.sources.failures import SourceFailure, TimedOut

MAX_TURN_WAIT_SECONDS = 300.0
"""How long to wait for other papertrack processes: a few requests at their full deadline."""
TURN_POLL_SECONDS = 0.05
COOLDOWN_START_SECONDS = 15 * 60.0
"""arXiv's 429 carries no Retry-After and was seen to last from minutes to hours (2026)."""
COOLDOWN_MAX_SECONDS = 12 * 3600.0
RETRY_AFTER_MAX_SECONDS = 24 * 3600.0
"""No host can pause us for longer than a day."""
COOLDOWN_FORGET_SECONDS = 24 * 3600.0
"""A failure this long after the last pause starts at the first step again."""
JITTER = 0.1
"""Pauses are up to a tenth longer, so that many machines do not return in the same second."""
CLOCK_TOLERANCE_SECONDS = 5.0


class _CoolDown(BaseModel):
    set_at: float
    until: float
    step: int


class _State(BaseModel):
    last_request: float = 0.0
    cooldowns: dict[str, _CoolDown] = {}


@dataclass(frozen=True)
class Gate:
    """Rate limits that outlive a process: turns, and hosts that asked us to wait.

    All papertrack processes of a user share one lock and one small file in ``state_dir``. Turns use
    real time; pauses use the caller's clock. A file that is damaged or has impossible times counts
    as missing: a wrong clock costs at most one interval.
    """

    state_dir: Path
    interval_seconds: float
    sleep: Callable[[float], None] = time.sleep
    on_wait: Callable[[float, str], None] | None = None
    """Called with the seconds and the reason before each wait."""
    now: Callable[[], float] = time.time
    chance: Callable[[], float] = random.random

    @property
    def _state_path(self) -> Path:
        return self.state_dir / "network.json"

    @contextlib.contextmanager
    def turn(self, host: str) -> Iterator[None]:
        """Hold the only connection, after the interval since the last request of any process.

        The time is stored before and after the request, so that a slow response still keeps the
        interval, and so does a killed process. Raises TimedOut if other processes keep the turn too
        long.
        """
        lock = FileLock(self.state_dir / "network.lock", thread_local=False)
        try:
            self.state_dir.mkdir(parents=True, exist_ok=True)
            self._acquire(lock, host)
        except OSError as error:
            raise self._no_pace(host, error) from error
        try:
            self._wait_for_interval()
            self._note_request(host)
            try:
                yield
            finally:
                # The response is still valid: the time was also stored before it.
                with contextlib.suppress(SourceFailure):
                    self._note_request(host)
        finally:
            lock.release()

    def cooldown(self, host: str, now: datetime) -> datetime | None:
        """Return until when this host is paused (UTC), or None."""
        cooldown, start = self._read().cooldowns.get(host), now.timestamp()
        if cooldown is None:
            return None
        # A pause in the future, or longer than the maximum, comes from a wrong clock.
        is_ours = cooldown.set_at <= start + CLOCK_TOLERANCE_SECONDS
        is_active = start < cooldown.until <= start + RETRY_AFTER_MAX_SECONDS
        return datetime.fromtimestamp(cooldown.until, UTC) if is_ours and is_active else None

    def cool_down(self, host: str, now: datetime, seconds: float | None = None) -> datetime:
        """Pause this host, and return until when. Call it within a turn.

        ``seconds`` is what the host asked for, at most a day. Without it, the pause doubles with
        each failure in a row, from 15 minutes to 12 hours.
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
            # The exponent has a limit first, because the file may contain any step.
            seconds = min(COOLDOWN_START_SECONDS * 2 ** min(step, 10), COOLDOWN_MAX_SECONDS)
            seconds *= 1 + JITTER * self.chance()
        until = start + min(seconds, RETRY_AFTER_MAX_SECONDS)
        state.cooldowns[host] = _CoolDown(set_at=start, until=until, step=step)
        self._write(state, host)
        return datetime.fromtimestamp(until, UTC)

    def warm_up(self, host: str) -> None:
        """Forget the host's failures after a good response. Call it within a turn."""
        state = self._read()
        if state.cooldowns.pop(host, None):
            self._write(state, host)

    def _acquire(self, lock: BaseFileLock, host: str) -> None:
        for attempt in range(int(MAX_TURN_WAIT_SECONDS / TURN_POLL_SECONDS)):
            try:
                lock.acquire(timeout=0)
                return
            except Timeout:
                if attempt == 0 and self.on_wait:
                    self.on_wait(self.interval_seconds, "another papertrack is asking")
                self.sleep(TURN_POLL_SECONDS)
        raise TimedOut(
            "was not contacted: another papertrack used the network for too long", host=host
        )

    def _wait_for_interval(self) -> None:
        since = self.now() - self._read().last_request
        if since >= self.interval_seconds:
            return
        # A last request in the future means that the clock was set back: wait one whole interval.
        wait = self.interval_seconds - since if since >= 0 else self.interval_seconds
        if self.on_wait:
            self.on_wait(wait, f"one request per {self.interval_seconds:g} seconds")
        self.sleep(wait)

    def _note_request(self, host: str) -> None:
        state = self._read()
        state.last_request = self.now()
        self._write(state, host)

    def _read(self) -> _State:
        try:
            return _State.model_validate_json(self._state_path.read_bytes())
        except (OSError, ValueError):
            return _State()

    def _write(self, state: _State, host: str) -> None:
        # Replaced atomically, so that a reader without the lock never sees half a file. Only the
        # holder of the turn writes, so one name is enough, and a killed process leaves at most one
        # file.
        new = self._state_path.with_suffix(".new")
        try:
            new.write_text(state.model_dump_json())
            new.replace(self._state_path)
        except OSError as error:
            with contextlib.suppress(OSError):
                new.unlink()
            raise self._no_pace(host, error) from error

    def _no_pace(self, host: str, error: OSError) -> SourceFailure:
        where = f"{self.state_dir} ({error.strerror})"
        return SourceFailure(
            f"is not contacted: the time of the last request cannot be stored in {where}", host=host
        )

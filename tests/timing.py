"""What may be said of how long something works, whatever else the machine does.

A busy machine adds to processor time, too: it makes one run slow, a bad algorithm makes all slow.
"""

import gc
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import _lru_cache_wrapper

import pytest

RUNS = 3
PATIENCE_SECONDS = 300
"""Of a test that fails: one that passes waits for a state, however busy the machine is."""


def until(is_so: Callable[[], object]) -> None:
    """Wait for a state that comes by itself. Raises TimeoutError if it does not."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError(f"it never came in {PATIENCE_SECONDS} seconds")
        time.sleep(0.005)


def is_listening(port: int) -> bool:
    """Whether somebody listens on a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def seconds_of(call: Callable[[], object]) -> float:
    """Return the processor time of one run."""
    started = time.process_time()
    call()
    return time.process_time() - started


@contextmanager
def _apart() -> Iterator[None]:
    """Leave what earlier tests made out of the search for garbage, which it would slow down.

    Caches are emptied: what one run learnt would make the next one look cheap. This takes longer
    than most measurements, so it is done only where the first one is too long.
    """
    for name in [name for name in sys.modules if name.startswith("papertrack")]:
        for value in vars(sys.modules[name]).values():
            if isinstance(value, _lru_cache_wrapper):
                value.cache_clear()
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def assert_at_most(most: float, measure: Callable[[], float]) -> None:
    """Fail unless one of three measurements is below this."""
    measured: list[float] = []
    for _ in range(RUNS):
        with _apart() if measured else nullcontext():
            measured.append(measure())
        if measured[-1] < most:
            return
    pytest.fail(f"it measures {min(measured):.3g}, which should be less than {most:.3g}")


def assert_seconds(most: float, call: Callable[[], object]) -> None:
    """Fail unless one of three runs takes less processor time than this."""
    assert_at_most(most, lambda: seconds_of(call))


def assert_ratio(
    most: float, small: Callable[[], object], large: Callable[[], object], *, floor: float = 0.02
) -> None:
    """Fail unless the large call takes at most so many times as long as the small one.

    The small one counts as the floor at least, in seconds: below it, times are noise.
    """
    assert_at_most(most, lambda: seconds_of(large) / max(seconds_of(small), floor))

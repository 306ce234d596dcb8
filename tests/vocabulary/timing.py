"""How long a call takes, undisturbed by what else the machine does."""

import time
from collections.abc import Callable


def best_seconds(call: Callable[[], object]) -> float:
    """The shortest of three runs."""

    def seconds() -> float:
        started = time.perf_counter()
        call()
        return time.perf_counter() - started

    return min(seconds() for _ in range(3))

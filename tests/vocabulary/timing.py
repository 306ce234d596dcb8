"""How long a call works, undisturbed by what else the machine does."""

import time
from collections.abc import Callable


def best_seconds(call: Callable[[], object]) -> float:
    """The processor time of the shortest of three runs."""

    def seconds() -> float:
        started = time.process_time()
        call()
        return time.process_time() - started

    return min(seconds() for _ in range(3))

"""The bench on which commands are killed, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.crash.runner import lacks
from tests.crash.trials import Bench, bench_in


@pytest.fixture(scope="package")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    if missing := lacks():
        pytest.skip(missing)
    with bench_in(tmp_path_factory.mktemp("crash")) as made:
        yield made

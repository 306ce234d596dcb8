"""A door to the fake arXiv, with a clock that the test turns and a sleep that costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from papertrack.sources.transport import Door, Endpoints
from tests.fake_arxiv import FakeArxiv


@dataclass
class Clock:
    """The time of a test: it moves only when told."""

    time: datetime = datetime(2026, 11, 20, 14, 0, tzinfo=UTC)
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **delta: float) -> None:
        self.time += timedelta(**delta)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_door(tmp_path: Path, fake_arxiv: FakeArxiv, clock: Clock) -> Callable[[], Door]:
    """A new door each time, all with the same state: as after a restart."""

    def open_() -> Door:
        return Door(
            tmp_path / "state",
            Endpoints(**fake_arxiv.urls),
            contact="mailto:reader@example.org",
            version="9.9",
            interval_seconds=0,
            clock=clock,
            sleep=clock.slept.append,
            chance=lambda: 0.5,
        )

    return open_


@pytest.fixture
def door(open_door: Callable[[], Door]) -> Door:
    return open_door()

"""A library with topics, a fake arXiv, and a clock that goes from night to night."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest

from papertrack.actions.watch.calendar import EASTERN
from papertrack.actions.watch.match import WatchPlan
from papertrack.actions.watch.run import WatchReport, run_watch
from papertrack.library import Library, create_library
from papertrack.sources import arxiv_daily
from papertrack.sources.arxiv_daily import AnnouncementBatch
from papertrack.sources.transport import Door, Endpoints
from papertrack.store.store import Store
from papertrack.store.watch.topics import add_topic
from tests.cli.conftest import home, papertrack
from tests.fake_arxiv import FakeArxiv
from tests.fresh_store import fresh_store

__all__ = ["home", "papertrack"]
"""Fixtures of the command line that the tests here use too."""

NIGHT = time(3, 17)
PLAN = WatchPlan(default_categories=("cs.LG",), keep_days=90)
_PARSED: dict[bytes, AnnouncementBatch] = {}
"""Most nights bring the same few days, and to parse these anew is most of a night's work."""


@dataclass
class Nights:
    """Runs of watch against the fake arXiv, each on the day it is told."""

    fake: FakeArxiv
    library: Library
    now: datetime = datetime(2026, 11, 15, 12, 0, tzinfo=EASTERN)
    plan: WatchPlan = PLAN
    slept: list[float] = field(default_factory=list)
    store: Store = field(init=False)

    def __post_init__(self) -> None:
        self.store = fresh_store(self.library.database, now=lambda: self.now)

    def door(self) -> Door:
        return Door(
            self.library.state_dir,
            Endpoints(**self.fake.urls),
            contact="mailto:reader@example.org",
            version="9.9",
            interval_seconds=0,
            clock=lambda: self.now,
            sleep=self.slept.append,
            chance=lambda: 0.5,
        )

    def topic(self, name: str, query: str, *categories: str, **options: object) -> int:
        with self.store.action("topic"):
            return add_topic(
                self.store,
                name,
                query,
                arxiv_categories=categories,
                **options,  # type: ignore[arg-type]
            )

    def run(self, day: date | None = None, **options: object) -> WatchReport:
        """The run of one night, at 03:17 in New York; without a day, once more a minute later."""
        if day is None:
            self.now += timedelta(minutes=1)
        else:
            self.now = datetime.combine(day, NIGHT, EASTERN)
            self.fake.calendar.today = day
        report = run_watch(self.store, self.door(), self.library, self.plan, **options)  # type: ignore[arg-type]
        assert report is not None, "another run is at work"
        return report

    def inbox(self) -> list[str]:
        """The arXiv ids in the inbox."""
        rows = self.store.connection.execute(
            """SELECT value FROM identifiers JOIN paper_states USING (paper_id)
               WHERE scheme = 'arxiv' AND decision = 'inbox' ORDER BY value"""
        )
        return [row[0] for row in rows]


@pytest.fixture(autouse=True)
def same_days_are_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parse = arxiv_daily.parse_announcements

    def parse_once(body: bytes, *, host: str) -> AnnouncementBatch:
        # Only errors name the host, whose port is another one in each test; they are not kept.
        if body not in _PARSED:
            _PARSED[body] = parse(body, host=host)
        return _PARSED[body]

    monkeypatch.setattr(arxiv_daily, "parse_announcements", parse_once)


@pytest.fixture
def nights(tmp_path: Path, fake_arxiv: FakeArxiv) -> Iterator[Nights]:
    library, _ = create_library(tmp_path / "library")
    found = Nights(fake_arxiv, library)
    with found.store:
        yield found

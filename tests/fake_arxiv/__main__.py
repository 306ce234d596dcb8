"""Run the fake arXiv alone: prints the settings that lead to it, then each request.

The days of arXiv are those of --today, which also sets the clock of papertrack: Monday to Friday
have a list of five works. Days on stdin change it: type 2026-11-19 and Enter for the next night,
and give papertrack the PAPERTRACK_NOW that is printed then.
"""

from __future__ import annotations

import argparse
import os
import select
import sys
from datetime import UTC, date, datetime, time
from pathlib import Path

from tests.fake_arxiv import FakeArxiv, Shelf, corpus_shelf
from tests.fake_arxiv.faults import FAULTS
from tests.fake_arxiv.server import SERVICES, Calendar

NIGHT = time(8, 17, tzinfo=UTC)
"""03:17 in New York in winter: the feeds are made, and it is the same day there."""


def main() -> None:
    options = _parser().parse_args()
    shelf = corpus_shelf(Path(options.corpus)) if options.corpus else Shelf()
    with FakeArxiv(shelf, options.port) as fake:
        fake.calendar = Calendar(
            options.today,
            feed_days=dict(options.stale),
            holidays=set(options.holiday),
            unreadable_days=set(options.unreadable),
            unknown_feeds=set(options.unknown),
        )
        for service in SERVICES if options.service is None else (options.service,):
            if options.fault:
                fake.fail(service, options.fault)
        for name, value in fake.environment.items():
            print(f"export {name}={value}")
        print("export PAPERTRACK_ARXIV_INTERVAL_SECONDS=0")
        _tell_time(options.today)
        try:
            _serve(fake)
        except KeyboardInterrupt:
            return


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fake_arxiv",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, default=8000, help="the first of five ports")
    parser.add_argument("--fault", choices=FAULTS, help="let every service misbehave")
    parser.add_argument("--service", choices=SERVICES, help="let only this service misbehave")
    parser.add_argument(
        "--corpus",
        default=os.environ.get("PAPERTRACK_CORPUS"),
        help="a folder with arxiv-metadata: serve its records",
    )
    calendar = parser.add_argument_group("calendar", "days are written 2026-11-18")
    day = date.fromisoformat
    calendar.add_argument(
        "--today", metavar="DAY", type=day, default=Calendar.today, help="the day at arXiv"
    )
    calendar.add_argument(
        "--holiday", metavar="DAY", type=day, action="append", default=[], help="has no list"
    )
    calendar.add_argument(
        "--unreadable",
        metavar="DAY",
        type=day,
        action="append",
        default=[],
        help="its catch-up page answers 400",
    )
    calendar.add_argument(
        "--stale",
        metavar="CATEGORY=DAY",
        type=_stale,
        action="append",
        default=[],
        help="its feed stands still on that day, under today's date",
    )
    calendar.add_argument(
        "--unknown",
        metavar="CATEGORY",
        action="append",
        default=[],
        help="its feed answers 400",
    )
    return parser


def _stale(text: str) -> tuple[str, date]:
    category, _, day = text.partition("=")
    return category, date.fromisoformat(day)


def _tell_time(today: date) -> None:
    print(f"export PAPERTRACK_NOW={datetime.combine(today, NIGHT).isoformat()}", flush=True)


def _serve(fake: FakeArxiv) -> None:
    """Tell each request, and take each day that is typed, until interrupted."""
    shown, sources = 0, [sys.stdin]
    while True:
        for _ in select.select(sources, [], [], 0.2)[0]:
            line = sys.stdin.readline()
            if not line:
                sources = []  # Nobody types: started in the background.
                continue
            try:
                fake.calendar.today = date.fromisoformat(line.strip())
            except ValueError:
                print(f"{line.strip()!r} is no day: type 2026-11-19", file=sys.stderr)
            else:
                _tell_time(fake.calendar.today)
        for request in fake.asked()[shown:]:
            shown += 1
            line = f"{request.at:12.3f}  {request.service:8}  {request.path}"
            print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

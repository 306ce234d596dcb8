"""The fake arXiv itself: it runs alone, knows any id, and misbehaves only when told."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from datetime import date
from pathlib import Path

import pytest

from tests.fake_arxiv import Announced, FakeArxiv, corpus_shelf, synthesise
from tests.fake_arxiv.faults import FAULTS
from tests.fake_arxiv.server import SERVICES

CORPUS = os.environ.get("PAPERTRACK_CORPUS")


def test_it_runs_alone_and_logs_each_request() -> None:
    command = [sys.executable, "-m", "tests.fake_arxiv", "--port", "0", "--corpus", ""]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent.parent.parent,
    ) as process:
        assert process.stdout and process.stderr  # noqa: PT018
        lines = [process.stdout.readline() for _ in range(8)]
        settings = dict(line.removeprefix("export ").strip().split("=", 1) for line in lines)
        url = f"{settings['PAPERTRACK_ARXIV_API_URL']}?id_list=2401.00007"
        with urllib.request.urlopen(url) as answer:
            assert b"2401.00007v2" in answer.read()
        assert "api" in process.stderr.readline()
        process.terminate()


def test_an_id_stands_for_the_same_work_every_time() -> None:
    assert synthesise("2309.06180") == synthesise("2309.06180")
    assert synthesise("2309.06180") != synthesise("2309.06181")
    assert synthesise("hep-th/9901002")
    assert synthesise("2309.00999") is None


def test_a_script_says_what_is_announced_on_which_day(fake_arxiv: FakeArxiv) -> None:
    calendar, shelf = fake_arxiv.calendar, fake_arxiv.shelf
    monday, tuesday = date(2026, 11, 16), date(2026, 11, 17)
    work = shelf.known["2401.00007"]
    calendar.script[monday, "cs.AI"] = [Announced(work, "replace", 2)]
    calendar.today = tuesday
    assert calendar.batch(monday, "cs.AI", shelf) == [Announced(work, "replace", 2)]
    assert calendar.batch(tuesday, "cs.AI", shelf) == ()
    assert calendar.latest("cs.AI", shelf) == monday


def test_without_a_script_weekdays_have_announcements(fake_arxiv: FakeArxiv) -> None:
    calendar, shelf = fake_arxiv.calendar, fake_arxiv.shelf
    calendar.holidays.add(date(2026, 11, 26))
    sizes = [len(calendar.batch(date(2026, 11, day), "cs.LG", shelf)) for day in range(20, 28)]
    assert sizes == [5, 0, 0, 5, 5, 5, 0, 5]


def test_an_unknown_fault_is_a_mistake_of_the_test(fake_arxiv: FakeArxiv) -> None:
    with pytest.raises(KeyError):
        fake_arxiv.fail("api", "no such fault")
    assert len(FAULTS) > 50
    assert len({fake_arxiv.host(service) for service in SERVICES}) == len(SERVICES)


def test_by_hand_it_serves_the_day_it_is_told_and_any_other_that_is_typed() -> None:
    command = [sys.executable, "-m", "tests.fake_arxiv", "--port", "0", "--corpus", ""]
    options = ["--today", "2026-11-18", "--holiday", "2026-11-19", "--stale", "cs.CL=2026-11-17"]
    with subprocess.Popen(
        [*command, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as server:
        assert server.stdin
        assert server.stdout
        lines = iter(server.stdout.readline, "")
        said = {}
        while "PAPERTRACK_NOW" not in said:
            name, _, value = next(lines).removeprefix("export ").strip().partition("=")
            said[name] = value
        assert said["PAPERTRACK_NOW"] == "2026-11-18T08:17:00+00:00"

        def announced(category: str) -> int:
            url = f"{said['PAPERTRACK_ARXIV_FEED_URL']}/{category}"
            return urllib.request.urlopen(url).read().count(b"<entry>")

        try:
            assert announced("cs.LG") == 5
            server.stdin.write("2026-11-19\n")
            server.stdin.flush()
            assert next(lines) == "export PAPERTRACK_NOW=2026-11-19T08:17:00+00:00\n"
            assert (announced("cs.LG"), announced("cs.CL")) == (0, 5)
        finally:
            server.terminate()


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS, reason="PAPERTRACK_CORPUS is not set")
def test_it_serves_the_real_records_where_there_are_some() -> None:
    shelf = corpus_shelf(Path(CORPUS or ""))
    assert len(shelf.known) > 10_000
    work = shelf.find("2109.05721")
    assert work
    assert work.title.startswith("ADNet")

"""The fake arXiv itself: it runs alone, and misbehaves only when told."""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.fake_arxiv import FakeArxiv
from tests.fake_arxiv.faults import FAULTS
from tests.fake_arxiv.server import SERVICES


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

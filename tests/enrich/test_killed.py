import json
import subprocess
import sys
from collections.abc import Callable

import pytest

from papertrack.library import Library
from papertrack.store.store import Store
from tests.cli.commands import ROOT
from tests.fake_arxiv import FakeArxiv


@pytest.mark.skipif(sys.platform == "win32", reason="forks, and kills by signal")
def test_killed_before_any_durable_step_the_next_run_comes_to_the_same(
    fake_arxiv: FakeArxiv, library: Library, store: Store, add: Callable[..., int]
) -> None:
    for arxiv_id in ("2401.00007", "2408.00031", "2301.00999"):
        add(arxiv_id)
    with store.action("add"):
        for number in range(1, 51):
            add(f"2301.{number:05}")
    store.close()
    done = subprocess.run(
        [sys.executable, "-m", "tests.enrich.killing", library.root, json.dumps(fake_arxiv.urls)],
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=600,
    )
    whole, *others = json.loads(done.stdout)
    assert len(whole["suggestions"]) == 4
    # Two requests with two notes of the pace each, and two commits, are six steps at least.
    assert len(others) > 6
    for number, other in enumerate(others, start=1):
        for table, rows in whole.items():
            assert other[table] == rows, f"killed before step {number}: {table}"

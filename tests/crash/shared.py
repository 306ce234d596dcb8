"""Commands at work on a library that is shared: what each did is in the records, too.

Names are drawn by lot there, so no two runs are alike: it is asked whether the records and the
database still say the same.
"""

from __future__ import annotations

import json
import shutil

from tests.crash.cases import CASES, DESK, Case
from tests.crash.trials import Bench


def shared(case: Case) -> Case:
    """The case, in a library that writes records."""
    return Case(
        case.command,
        before=("share on --private nothing", *case.before),
        back=case.back,
        start=case.start,
        by_hand=case.by_hand,
        now=case.now,
    )


SHARED = (
    Case("share on --private nothing", back=()),
    *(shared(case) for case in CASES if case.start[: len(DESK)] == DESK and case.verb != "restore"),
)
"""Every command that writes, where others share the library."""


def unlike(bench: Bench) -> list[str]:
    """What the library says and its records do not, or the other way round."""
    here = _papers(bench)
    inside = bench.library / ".git" / "papertrack"
    aside = bench.scratch / "aside"
    shutil.rmtree(aside, ignore_errors=True)
    if not inside.exists() or not (bench.library / "categories.toml").exists():
        return []  # Not shared yet.
    inside.rename(aside)
    there = _papers(bench)
    shutil.rmtree(inside)
    aside.rename(inside)
    return [f"{one} is on one side only" for one in sorted(here ^ there)]


def _papers(bench: Bench) -> set[str]:
    done = bench.run("list --all --json")
    assert done.code == 0, done
    papers = json.loads(done.out)
    # What was learnt is made anew.
    own = ("id", "rank")
    return {json.dumps({k: v for k, v in one.items() if k not in own}) for one in papers}

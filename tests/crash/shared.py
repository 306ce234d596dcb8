"""Commands at work on a library that is shared: what each did is a line of this device's log, too.

Names are drawn by lot there, so no two runs are alike: what differs between two that nothing
befell is compared by its being there, and the logs by whether they say what the library does.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from pathlib import Path

from tests.crash.cases import CASES, DESK, At, Case
from tests.crash.state import DATABASE, State, columns_by_lot, state_of
from tests.crash.trials import Trial

LOGS = "library/journal/"
_BY_LOT = (LOGS, "home/.local/state/papertrack/devices.json")
"""The logs, and where they were last seen: folders have other numbers each time."""


def shared(case: Case) -> Case:
    """The case, in a library whose acts are logged."""
    return Case(
        case.command,
        before=("share on", *case.before),
        back=case.back,
        start=case.start,
        by_hand=case.by_hand,
        now=case.now,
    )


_JANUARY = "2027-01-02T08:17:00+00:00"
COMPACTION = Case(
    "share compact --before 2027-01",
    before=(
        "share on",
        *("tag paged +kept", "tag paged -- -kept") * 2,
        At(_JANUARY, "tag paged +later"),
    ),
    back=(),
    now=_JANUARY,
)
"""A log that holds more than still counts."""
SHARED = (
    Case("share on", back=()),
    COMPACTION,
    *(shared(case) for case in CASES if case.start[: len(DESK)] == DESK and case.verb != "restore"),
)
"""Every command that writes, where others share the library. After a restore the next command
goes on as another device, whatever it is: test_shared.py looks at what that has."""


_SAID = ("share_acts", "share_lines", "share_logs", "share_outbox", "share_things")
"""What was said in which line: one run may say in one what two say in two."""


class SharedTrial(Trial):
    """A command in a shared library."""

    def prepare(self) -> None:
        self.by_lot: dict[str, set[str]] = defaultdict(set)
        for one, other in zip(self._databases(1), self._databases(2), strict=True):
            for table, columns in columns_by_lot(one, other).items():
                self.by_lot[table] |= columns

    def _databases(self, number: int) -> list[Path]:
        """What a run that nothing befalls leaves, and then the way back."""
        self.put_back()
        self.run()
        self.said = self._lines()
        done = self._kept(f"run{number}.db")
        self._go_back()
        return [done, self._kept(f"back{number}.db")]

    def _kept(self, name: str) -> Path:
        return shutil.copy(self.bench.folder / DATABASE, self.bench.scratch / name)

    def state(self) -> State:
        found = state_of(self.bench.folder, self.by_lot)
        files = {name: held for name, held in found.files.items() if not name.startswith(_BY_LOT)}
        tables = {name: rows for name, rows in found.tables.items() if name not in _SAID}
        return State(tables, files)

    def is_through(self, left: State) -> bool:
        return super().is_through(left) and self._lines() == self.said

    def beside(self) -> list[str]:
        told = []
        checked = self.bench.run("share check")
        if checked.code:
            told.append(f"share check ends with {checked.code}: {checked.out}{checked.err}")
        if len(devices := self._devices()) > 1:
            told.append(f"it has become several devices: {devices}")
        # A look at arXiv is said each time.
        if (said := self._lines()) not in (self.said, self.said + (self.case.verb == "watch")):
            told.append(f"{said} lines are in its log, and not {self.said}")
        return told

    def _devices(self) -> list[str]:
        logs = self.bench.folder / LOGS
        return [one.name for one in logs.iterdir() if one.is_dir()] if logs.exists() else []

    def _lines(self) -> int:
        logs = (self.bench.folder / LOGS).rglob("*.log")
        return sum(len(log.read_bytes().splitlines()) for log in logs)

"""Two curators and a job, who work on one library without knowing of each other, and then sync.

Whatever they do, and however their folders come together (by copying, ``git merge``, ``git rebase``
and as a forge merges), all libraries end up the same: nothing is lost, and nothing is there twice.
By hand: PAPERTRACK_HISTORIES=1000 pytest tests/share.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.cite.rekey import rekey_papers
from papertrack.actions.documents import import_file
from papertrack.actions.duplicates import call_different
from papertrack.actions.edit import edit_fields, parse_assignments
from papertrack.actions.make_library import make_library
from papertrack.actions.organise import (
    add_category,
    change_path,
    merge_two_papers,
    move_papers,
    order_category,
    remove_category,
    remove_papers,
    rename_tag_everywhere,
    tag_papers,
)
from papertrack.actions.reading import mark_pass, next_paper, set_decision, set_rating, unmark_pass
from papertrack.actions.share.switch import check, rebuild, share
from papertrack.actions.share.take import take_in_logs
from papertrack.actions.watch.topics import create_topic, delete_topic, edit_topic
from papertrack.errors import PapertrackError
from papertrack.library import Library
from papertrack.records import Decision
from papertrack.store.categories import ordered_paths
from papertrack.store.changes.triggers import NO_ACT
from papertrack.store.share.fold import PRESENT
from papertrack.store.share.lines import read_lines
from papertrack.store.share.names import Names
from papertrack.store.share.rows import Rows, Things
from papertrack.store.share.saying import everything, read_touched
from papertrack.store.share.taking import all_contradictions
from papertrack.store.store import Store
from papertrack.sync.threeway import Prefer
from tests.fresh_store import fresh_store
from tests.share.ways import WAYS, Folders, Way, copied
from tests.share.with_readme import NAME, README, bring_in_step, edit_by_hand
from tests.store.conftest import ticking_clock

HISTORIES = int(os.environ.get("PAPERTRACK_HISTORIES", "4"))
REFERENCES = [f"24{month:02d}.0000{n}" for month in (1, 2) for n in (1, 2, 3)]
POSTS = ["https://example.org/post/one", "https://example.org/post/two"]
PATHS = [("Serving",), ("Speculation",), ("New", "Deep"), ("New",), ("Serving", "Deep")]
MEETING = [("Both",), ("Both", "Deep"), ("Speculation",), ("New",)]
"""Paths to which several devices rename different categories."""
DECISIONS: list[Decision] = ["saved", "discarded", "inbox"]
WHY = [None, "why"]
EDITS = ["title=T", "title=U", "venue=V", "doi=10.1000/x", "code=https://github.com/a/b"]
NAMES = ("alice", "bob", "job")
ROUNDS = 8


UNSAID = {f"{table}/{name}" for table, columns in NO_ACT.items() for name in columns}
"""What nothing the reader did has changed: it is said with the next thing that they do."""


@dataclass
class Device:
    """A machine with its own copy of the library."""

    name: str
    library: Library
    store: Store
    takeaways: set[str]

    @property
    def environ(self) -> dict[str, str]:
        return {"PAPERTRACK_DEVICE": self.name}

    def look(self) -> Any:
        return take_in_logs(self.store, self.library, self.environ)

    @property
    def readme(self) -> Path:
        return self.library.root / NAME

    @property
    def list_text(self) -> str:
        return self.readme.read_text(encoding="utf-8") if self.readme.exists() else ""

    def sync_files(self, prefer: Prefer = None) -> None:
        """As ``papertrack sync`` does, once what others did was taken in."""
        with suppress(PapertrackError):
            bring_in_step(self.store, self.library, prefer)


def paper_of(store: Store, choose: random.Random) -> int:
    ids = store.select_column("SELECT id FROM papers ORDER BY id")
    if not ids:
        raise PapertrackError("There is no paper.")
    return int(choose.choice(ids))


def add(device: Device, choose: random.Random) -> None:
    decision: Decision = "inbox" if device.name == "job" else "saved"
    reference = choose.choice(REFERENCES + POSTS)
    add_references(device.store, [reference], category=choose.choice(PATHS), decision=decision)


def read(device: Device, choose: random.Random) -> None:
    takeaway = f"{device.name} {choose.random()}"
    paper, number = paper_of(device.store, choose), choose.randint(1, 3)
    mark_pass(device.store, [paper], number, takeaway=takeaway)
    device.takeaways.add(takeaway)


Verb = Callable[[Device, random.Random], Any]

VERBS: list[Verb] = [
    add,
    add,
    add,
    read,
    read,
    read,
    lambda d, r: unmark_pass(d.store, [paper_of(d.store, r)], r.randint(1, 3)),
    lambda d, r: set_decision(
        d.store, [paper_of(d.store, r)], r.choice(DECISIONS), reason=r.choice(WHY)
    ),
    lambda d, r: set_rating(d.store, [paper_of(d.store, r)], r.choice([None, 1, 3, 5])),
    lambda d, r: tag_papers(d.store, [paper_of(d.store, r)], add=[r.choice("abcD")]),
    lambda d, r: tag_papers(d.store, [paper_of(d.store, r)], remove=[r.choice("abcd")]),
    lambda d, r: rename_tag_everywhere(d.store, r.choice("abc"), r.choice("abcd")),
    lambda d, r: move_papers(d.store, [paper_of(d.store, r)], r.choice(PATHS)),
    lambda d, r: edit_fields(
        d.store,
        paper_of(d.store, r),
        parse_assignments([r.choice(EDITS)]),
    ),
    lambda d, r: remove_papers(d.store, [paper_of(d.store, r)]),
    lambda d, r: merge_two_papers(d.store, paper_of(d.store, r), paper_of(d.store, r)),
    lambda d, r: call_different(d.store, paper_of(d.store, r), paper_of(d.store, r)),
    lambda d, r: rekey_papers(d.store, None),
    lambda d, r: next_paper(d.store, limit=5),
    lambda d, r: add_category(d.store, r.choice([("New", "Other"), ("Else",)])),
    lambda d, r: change_path(d.store, r.choice(PATHS), (f"Renamed by {d.name}",)),
    lambda d, r: change_path(d.store, r.choice([*PATHS, *MEETING]), r.choice(MEETING)),
    lambda d, r: order_category(d.store, r.choice(PATHS), "first"),
    lambda d, r: remove_category(d.store, r.choice(PATHS)),
    lambda d, r: create_topic(
        d.store, r.choice(["Decoding", "Caches"]), r.choice(["moe", "cache"])
    ),
    lambda d, r: edit_topic(d.store, r.choice(["Decoding", "Caches"]), query=r.choice(["x", "y"])),
    lambda d, r: delete_topic(d.store, r.choice(["Decoding", "Caches"])),
    lambda d, r: d.store.undo(),
    lambda d, r: d.store.redo(),
]


def place(choose: random.Random) -> tuple[str, ...]:
    return choose.choice([*PATHS, *MEETING, ("Both", "Deep", "Deeper")])


PLACES: list[Verb] = [
    add,
    read,
    lambda d, r: move_papers(d.store, [paper_of(d.store, r)], place(r)),
    lambda d, r: move_papers(d.store, [paper_of(d.store, r)], place(r)),
    lambda d, r: change_path(d.store, place(r), place(r)),
    lambda d, r: change_path(d.store, place(r), place(r)),
    lambda d, r: change_path(d.store, place(r), place(r)),
    lambda d, r: add_category(d.store, place(r)),
    lambda d, r: order_category(d.store, place(r), "first"),
    lambda d, r: remove_category(d.store, place(r)),
    lambda d, r: remove_papers(d.store, [paper_of(d.store, r)]),
    lambda d, r: create_topic(d.store, r.choice("TU"), r.choice(["moe", "cache"])),
    lambda d, r: edit_topic(d.store, r.choice("TU"), new_name=r.choice("TUV")),
    lambda d, r: delete_topic(d.store, r.choice("TUV")),
    lambda d, r: d.store.undo(),
    lambda d, r: d.store.redo(),
]
"""What is done to categories and topics, so that many end up at one place, or in each other."""


BY_HAND: list[Verb] = [
    *VERBS,
    *[lambda d, r: edit_by_hand(d.readme, r)] * 8,
    *[lambda d, r: d.sync_files()] * 4,
]
"""What is done to a library and to its README."""


def state(store: Store) -> Things:
    found = read_touched(Rows(store, Names(store)), everything(store))
    return {
        thing: {cell: value for cell, value in cells.items() if cell not in UNSAID}
        for thing, cells in found.items()
    }


def folders_of(devices: Sequence[Device]) -> Folders:
    return {device.name: device.library.root for device in devices}


def turn_of(device: Device, devices: Sequence[Device], way: Way) -> list[str]:
    """Whose folders come together when one device syncs: git needs the others for nothing."""
    others = [one.name for one in devices if one is not device]
    return [device.name, *(others if way is copied else ())]


def sync(devices: list[Device], way: Way, choose: random.Random, prefer: Prefer = None) -> None:
    """Bring the folders together, and have each device look at what came."""
    for device in devices:
        device.sync_files(prefer)
    folders = folders_of(devices)
    way(folders, choose.sample(list(folders), len(folders)), choose)
    for device in choose.sample(devices, len(devices)):
        device.look()
        device.sync_files(prefer)


def history(folder: Path, seed: int) -> list[Device]:
    """What one history leaves: each way, with each kind of work."""
    choose = random.Random(seed)
    verbs = (VERBS, PLACES, BY_HAND)[(seed + seed // len(WAYS)) % 3]
    with patch("secrets.token_hex", lambda _: f"{choose.getrandbits(80):020x}"):
        return played(folder, verbs, WAYS[seed % len(WAYS)], choose)


def played(folder: Path, verbs: Sequence[Verb], way: Way, choose: random.Random) -> list[Device]:
    now = ticking_clock()
    devices = []
    for name in NAMES:
        library = make_library(folder / name, now=now)
        device = Device(name, library, Store.open(library.database, now=now), set())
        if verbs is BY_HAND and not devices:
            device.readme.write_text(README, encoding="utf-8")
            import_file(device.store, library, device.readme)
        share(device.store, library, device.environ)
        devices.append(device)
    if verbs is BY_HAND:
        sync(devices, way, choose)
    for _ in range(choose.randint(1, 3)):
        for device in devices:
            for _ in range(choose.randint(3, 20)):
                verb = choose.choice(verbs)
                with suppress(PapertrackError):
                    verb(device, choose)
        sync(choose.sample(devices, choose.choice([2, 3])), way, choose)
    sync_all(devices, way, choose)
    return devices


def sync_all(devices: list[Device], way: Way, choose: random.Random) -> None:
    """Sync, one after the other as ``sync --git`` does, until nobody has anything to say: what one
    says of what the others added to the same place they hear of in the next round."""
    for _ in range(ROUNDS):
        before = [(logs(device), device.list_text) for device in devices]
        for device in devices:
            who = turn_of(device, devices, way)
            way(folders_of(devices), who, choose)
            device.look()
            device.sync_files("library")
            way(folders_of(devices), who, choose)
        if before == [(logs(device), device.list_text) for device in devices]:
            return


def logs(device: Device) -> dict[str, bytes]:
    """All logs, as this device has them."""
    return {
        path.relative_to(device.library.journal).as_posix(): path.read_bytes()
        for path in device.library.journal.glob("*/*.log")
    }


def lost_takeaways(devices: Sequence[Device]) -> list[str]:
    """What was written, is not there, and was taken away by nobody."""
    lines = [line for log in logs(devices[0]).values() for line in read_lines(log).lines]
    gone = {line.thing for line in lines if line.changes.get(PRESENT, (None, True))[1] is None}
    there = str(state(devices[0].store))
    lost = []
    for takeaway in sorted(set().union(*(device.takeaways for device in devices))):
        said = [line for line in lines if takeaway in str(line.changes)]
        taken = any(takeaway in str(old) for line in said for old, _ in line.changes.values())
        if takeaway not in there and not taken and gone.isdisjoint(line.thing for line in said):
            lost.append(takeaway)
    return lost


def assert_alike(devices: Sequence[Device]) -> None:
    first, *others = devices
    for one in others:
        assert one.list_text == first.list_text
        assert logs(one) == logs(first)
        assert state(one.store) == state(first.store)
        assert all_contradictions(one.store) == all_contradictions(first.store)
        assert ordered_paths(one.store) == ordered_paths(first.store)
    twice = "SELECT takeaway FROM readings WHERE takeaway <> '' GROUP BY 1 HAVING count(*) > 1"
    assert first.store.select_column(twice) == []
    assert lost_takeaways(devices) == []
    # What they say is the same, and so are their logs.
    assert check(first.store, first.library) == []


@pytest.fixture(autouse=True)
def quick_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """A history makes ten libraries."""
    monkeypatch.setattr(Store, "create", fresh_store)


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_all_devices_end_up_with_the_same_library(tmp_path: Path, seed: int) -> None:
    devices = history(tmp_path, seed)
    assert_alike(devices)
    clone = Library(tmp_path / "clone")
    clone.root.mkdir()
    shutil.copytree(devices[0].library.journal, clone.journal)
    rebuild(clone, {"PAPERTRACK_DEVICE": "clone"}, ticking_clock())
    with Store.open(clone.database, now=ticking_clock()) as store:
        take_in_logs(store, clone, {"PAPERTRACK_DEVICE": "clone"})
        assert state(store) == state(devices[0].store)
    for device in devices:
        with suppress(PapertrackError):
            device.store.undo()
    sync_all(devices, WAYS[seed % len(WAYS)], random.Random(seed))
    assert_alike(devices)
    for device in devices:
        device.store.close()

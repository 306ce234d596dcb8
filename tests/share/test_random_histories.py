"""Two curators and a job, who work on one library without knowing of each other, and then sync.

Whatever they do, and however their folders come together (by copying, ``git merge``, ``git rebase``
and as a forge merges), all libraries end up the same: nothing is lost, and nothing is there twice.
By hand: PAPERTRACK_HISTORIES=0-1000 pytest tests/share.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from papertrack.actions.make_library import make_library
from papertrack.actions.share.switch import check, rebuild, share
from papertrack.errors import PapertrackError
from papertrack.exporters.json import to_json
from papertrack.library import Library
from papertrack.store.categories import ordered_paths
from papertrack.store.lookup import get_papers
from papertrack.store.share.fold import PRESENT
from papertrack.store.share.lines import Line, read_lines
from papertrack.store.share.names import Names
from papertrack.store.share.rows import Rows, Things
from papertrack.store.share.saying import everything, read_touched
from papertrack.store.share.taking import all_contradictions
from papertrack.store.store import Store
from papertrack.store.whole.reading import read_details, read_holdings
from papertrack.sync.threeway import Prefer
from tests.fresh_store import fresh_store
from tests.share.verbs import BY_HAND, KINDS, Device, Verb, begin_lists
from tests.share.ways import WAYS, Folders, Way, copied
from tests.store.conftest import ticking_clock

FIRST, _, LAST = os.environ.get("PAPERTRACK_HISTORIES", "0-4").rpartition("-")
HISTORIES = range(int(FIRST or 0), int(LAST))
NAMES = ("alice", "bob", "job")
ROUNDS = 8


def state(store: Store) -> Things:
    return read_touched(Rows(store, Names(store)), everything(store))


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
    verbs = KINDS[(seed + seed // len(WAYS)) % len(KINDS)]
    with patch("secrets.token_hex", lambda _: f"{choose.getrandbits(80):020x}"):
        return played(folder, verbs, WAYS[seed % len(WAYS)], choose)


def played(folder: Path, verbs: Sequence[Verb], way: Way, choose: random.Random) -> list[Device]:
    now = ticking_clock()
    devices = []
    for name in NAMES:
        library = make_library(folder / name, now=now)
        device = Device(name, library, Store.open(library.database, now=now))
        if verbs is BY_HAND and not devices:
            begin_lists(device)
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
    before = None
    for _ in range(ROUNDS):
        for device in devices:
            who = turn_of(device, devices, way)
            way(folders_of(devices), who, choose)
            device.look()
            device.sync_files("library")
            way(folders_of(devices), who, choose)
        now = [(logs(device), device.files) for device in devices]
        # The last one is heard of by the first only in another round.
        if now == before and all(one == now[0] for one in now):
            return
        before = now


def logs(device: Device) -> dict[str, bytes]:
    """All logs, as this device has them."""
    return {
        path.relative_to(device.library.journal).as_posix(): path.read_bytes()
        for path in device.library.journal.glob("*/*.log")
    }


def said_by(devices: Sequence[Device]) -> list[Line]:
    """All that was ever said, by who said it."""
    there = [line for log in logs(devices[0]).values() for line in read_lines(log).lines]
    return [*there, *(line for device in devices for line in device.left_out)]


def typed(devices: Sequence[Device]) -> set[str]:
    """All takeaways that were typed, each once."""
    return set().union(*(device.takeaways for device in devices))


def lost_takeaways(devices: Sequence[Device]) -> list[str]:
    """What was written, is not there, and was taken away by nobody."""
    lines = said_by(devices)
    gone = {line.thing for line in lines if line.changes.get(PRESENT, (None, True))[1] is None}
    there = str(state(devices[0].store))
    lost = []
    for takeaway in sorted(typed(devices)):
        said = [line for line in lines if takeaway in str(line.changes)]
        taken = any(takeaway in str(old) for line in said for old, _ in line.changes.values())
        if takeaway not in there and not taken and gone.isdisjoint(line.thing for line in said):
            lost.append(takeaway)
    return lost


def lost_things(devices: Sequence[Device]) -> list[str]:
    """What somebody worked on that is gone, though whoever removed it did not know of that."""
    lines, store = said_by(devices), devices[0].store
    there, names = state(store), Names(store)
    removals: dict[str, list[Line]] = {}
    for line in lines:
        if line.changes.get(PRESENT, (None, True))[1] is None:
            removals.setdefault(line.thing, []).append(line)
    return [
        f"{line.act} {line.thing}"
        for line in lines
        if line.thing not in there
        and not line.thing.startswith(("list:", "device:"))
        and names.row_of(line.thing) is None
        and not any(one.has_seen(line.act) or one == line for one in removals.get(line.thing, ()))
    ]


def whole(store: Store) -> list[dict[str, Any]]:
    """All that ``export --json --whole`` and the other commands print, without local numbers."""
    papers = get_papers(store, store.select_column("SELECT id FROM papers ORDER BY citekey"))
    details = read_details(store, [paper.id for paper in papers])
    found = json.loads(to_json(papers, details=details, holdings=read_holdings(store)))
    return [{name: value for name, value in paper.items() if name != "id"} for paper in found]


def assert_alike(devices: Sequence[Device]) -> None:
    first, *others = devices
    for one in others:
        assert one.files == first.files
        assert logs(one) == logs(first)
        assert state(one.store) == state(first.store)
        assert whole(one.store) == whole(first.store)
        assert all_contradictions(one.store) == all_contradictions(first.store)
        assert ordered_paths(one.store) == ordered_paths(first.store)
    # Of one file that two devices took in, each may have given the same to another paper.
    sql = "SELECT takeaway FROM readings GROUP BY takeaway HAVING count(*) > 1"
    assert typed(devices).isdisjoint(first.store.select_column(sql))
    for paper in whole(first.store):
        told = list(map(str, paper["readings"]))
        assert sorted(set(told)) == sorted(told)
    assert lost_takeaways(devices) == []
    assert lost_things(devices) == []
    # What they say is the same, and so are their logs.
    assert check(first.store, first.library) == []


def assert_clone_is_alike(library: Library, device: Device) -> None:
    """A fresh clone knows all that the device does, and leaves its lists as they are."""
    library.root.mkdir()
    shutil.copytree(device.library.journal, library.journal)
    for name, text in device.files.items():
        (library.root / name).parent.mkdir(exist_ok=True)
        (library.root / name).write_text(text, encoding="utf-8")
    rebuild(library, {"PAPERTRACK_DEVICE": "clone"}, ticking_clock())
    with Store.open(library.database, now=ticking_clock()) as store:
        clone = Device("clone", library, store)
        clone.look()
        assert state(store) == state(device.store)
        clone.sync_files()
        assert clone.files == device.files


@pytest.fixture(autouse=True)
def quick_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """A history makes ten libraries."""
    monkeypatch.setattr(Store, "create", fresh_store)


@pytest.mark.parametrize("seed", HISTORIES)
def test_all_devices_end_up_with_the_same_library(tmp_path: Path, seed: int) -> None:
    devices = history(tmp_path, seed)
    assert_alike(devices)
    assert_clone_is_alike(Library(tmp_path / "clone"), devices[0])
    for device in devices:
        with suppress(PapertrackError):
            device.store.undo()
    sync_all(devices, WAYS[seed % len(WAYS)], random.Random(seed))
    assert_alike(devices)
    for device in devices:
        device.store.close()

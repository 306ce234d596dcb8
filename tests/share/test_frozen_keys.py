"""A citekey that one device gave away is frozen on all, whatever is undone, in whatever order."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import permutations, product
from pathlib import Path

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.cite.rekey import rekey_papers
from papertrack.actions.cite.showing import papers_to_copy
from papertrack.actions.enrich.run import enrich_paper
from papertrack.actions.make_library import make_library
from papertrack.actions.share.switch import check, share
from papertrack.records import Author, Identifier, PaperFacts
from papertrack.sources.source import SourceRecord
from papertrack.store.citekeys import Citekeys
from papertrack.store.store import Store
from tests.fresh_store import fresh_store
from tests.share.test_random_histories import logs, state, whole
from tests.share.verbs import Device
from tests.share.ways import copied
from tests.store.conftest import ticking_clock

REFERENCE = "2402.00003"
STUB = f"arxiv{REFERENCE}"
FIRST = "anon2024"
"""What ``rekey`` makes of a paper of which neither authors nor title are known."""


def make_device(folder: Path, name: str) -> Device:
    now = ticking_clock()
    library = make_library(folder / name, now=now)
    device = Device(name, library, Store.open(library.database, now=now))
    share(device.store, library, device.environ)
    return device


def make_devices(folder: Path) -> list[Device]:
    """Three devices that know of a paper whose authors nobody knows."""
    devices = [make_device(folder, name) for name in ("alice", "bob", "job")]
    add_references(devices[0].store, [REFERENCE])
    exchange(devices)
    return devices


@pytest.fixture(autouse=True)
def quick_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "create", fresh_store)


@pytest.fixture
def devices(tmp_path: Path) -> list[Device]:
    return make_devices(tmp_path)


def exchange(devices: Sequence[Device]) -> None:
    folders = {device.name: device.library.root for device in devices}
    for _ in range(3):
        copied(folders, list(folders), random.Random(0))
        for device in devices:
            device.look()
    copied(folders, list(folders), random.Random(0))


def paper_of(device: Device) -> int:
    return int(device.store.select_value("SELECT id FROM papers"))


def key_of(device: Device) -> str:
    return str(device.store.select_value("SELECT citekey FROM papers"))


def show(device: Device) -> None:
    papers_to_copy(device.store, [paper_of(device)])


def rekey(device: Device) -> None:
    assert rekey_papers(device.store, None)


def learn_authors(device: Device) -> None:
    identifier = Identifier("arxiv", REFERENCE)
    facts = PaperFacts(title="On caches", authors=(Author("Ada Abara"),), identifiers=(identifier,))
    with device.store.action("enrich"):
        enrich_paper(device.store, paper_of(device), SourceRecord(identifier, facts, "arxiv-api"))


def are_frozen(devices: Sequence[Device]) -> list[bool]:
    return [Citekeys(one.store).are_frozen([paper_of(one)]) for one in devices]


def assert_alike(devices: Sequence[Device]) -> None:
    first, *others = devices
    assert check(first.store, first.library) == []
    for one in others:
        assert logs(one) == logs(first)
        assert state(one.store) == state(first.store)
        assert whole(one.store) == whole(first.store)


def test_a_key_given_away_stays_frozen_everywhere_when_another_device_takes_back_its_rekey(
    devices: list[Device],
) -> None:
    alice, bob, _ = devices
    rekey(alice)
    show(bob)
    exchange(devices)
    alice.store.undo()
    exchange(devices)
    assert [key_of(one) for one in devices] == [STUB] * 3
    assert are_frozen(devices) == [True] * 3
    assert_alike(devices)


def test_a_key_that_nobody_gave_away_improves_on_each_device_after_its_rekey_was_undone(
    devices: list[Device],
) -> None:
    alice, bob, _ = devices
    rekey(alice)
    exchange(devices)
    alice.store.undo()
    exchange(devices)
    assert are_frozen(devices) == [False] * 3
    learn_authors(bob)
    exchange(devices)
    assert [key_of(one) for one in devices] == ["abara2024caches"] * 3
    assert_alike(devices)


def test_rekey_works_again_after_undo_also_of_a_key_that_was_given_away(
    devices: list[Device],
) -> None:
    alice, bob, job = devices
    rekey(alice)
    show(bob)
    exchange(devices)
    alice.store.undo()
    exchange(devices)
    rekey(job)
    exchange(devices)
    assert [key_of(one) for one in devices] == [FIRST] * 3
    assert are_frozen(devices) == [True] * 3
    assert_alike(devices)


Step = tuple[int, Callable[[Device], object]]
STEPS: dict[str, Step] = {
    "rekey": (0, rekey),
    "undo": (0, lambda device: device.store.undo()),
    "show": (1, show),
}
ORDERS = [one for one in permutations(STEPS) if one.index("rekey") < one.index("undo")]


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
@pytest.mark.parametrize("heard", list(product([True, False], repeat=2)), ids=str)
def test_a_key_is_frozen_on_all_devices_or_on_none_in_whatever_order_they_heard(
    tmp_path: Path, order: tuple[str, ...], heard: tuple[bool, ...]
) -> None:
    devices = make_devices(tmp_path)
    stub_was_shown = False
    for name, is_heard in zip(order, (*heard, True), strict=True):
        who, what = STEPS[name]
        stub_was_shown |= name == "show" and key_of(devices[who]) == STUB
        what(devices[who])
        if is_heard:
            exchange(devices)
    assert [key_of(one) for one in devices] == [STUB] * 3
    assert are_frozen(devices) == [stub_was_shown] * 3
    assert_alike(devices)

"""Places where only one thing can be, which several devices gave to different ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.make_library import make_library
from papertrack.actions.organise import add_category, change_path
from papertrack.actions.share.switch import check, share
from papertrack.actions.watch.topics import create_topic, edit_topic
from papertrack.store.categories import Path as CategoryPath
from papertrack.store.categories import ordered_paths
from papertrack.store.store import Store
from papertrack.store.watch.topics import list_topics
from tests.share.test_random_histories import Device, state, sync
from tests.share.ways import copied
from tests.store.conftest import ticking_clock

Pair = tuple[Device, Device]


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[Pair]:
    """Two devices that know the same categories and topics."""
    alice, bob = (made(tmp_path / name) for name in ("alice", "bob"))
    for number, path in enumerate([("One",), ("Two",), ("One", "Deep"), ("Two", "Deep")], 1):
        add_references(alice.store, [f"2401.0000{number}"], category=path, decision="saved")
    create_topic(alice.store, "Decoding", "moe")
    create_topic(alice.store, "Caches", "cache")
    meet(alice, bob)
    yield alice, bob
    for device in (alice, bob):
        device.store.close()


def made(folder: Path) -> Device:
    now = ticking_clock()
    library = make_library(folder, now=now)
    device = Device(folder.name, library, Store.open(library.database, now=now), set())
    share(device.store, library, device.environ)
    return device


def meet(*devices: Device) -> list[str]:
    """Sync until all is said; return what was told meanwhile."""
    told = []
    for _ in range(3):
        copied(
            {one.name: one.library.root for one in devices},
            [one.name for one in devices],
            random.Random(0),
        )
        for device in devices:
            told += device.look().told
    assert state(devices[0].store) == state(devices[1].store)
    assert ordered_paths(devices[0].store) == ordered_paths(devices[1].store)
    for device in devices:
        assert check(device.store, device.library) == []
    return told


def paths(device: Device) -> dict[CategoryPath, int]:
    return dict(ordered_paths(device.store))


def test_two_categories_renamed_to_one_path_are_one_with_all_that_was_in_both(
    devices: Pair,
) -> None:
    alice, bob = devices
    change_path(alice.store, ("One",), ("Both",))
    change_path(bob.store, ("Two",), ("Both",))
    told = meet(alice, bob)
    assert paths(alice) == {("Both",): 2, ("Both", "Deep"): 2}
    assert any("called different categories Both" in one for one in told)


def test_three_categories_that_three_devices_called_the_same_are_one(devices: Pair) -> None:
    alice, bob = devices
    carol = made(alice.library.root.parent / "carol")
    meet(alice, bob, carol)
    add_category(alice.store, ("Zoo",))
    add_references(alice.store, ["2402.00007"], category=("Zoo",), decision="saved")
    change_path(bob.store, ("One",), ("Zoo",))
    change_path(carol.store, ("Two",), ("Zoo",))
    told = meet(alice, bob, carol)
    assert paths(alice) == {("Zoo",): 3, ("Zoo", "Deep"): 2}
    assert any("called different categories Zoo" in one for one in told)
    carol.store.close()


def test_a_category_that_passes_through_the_place_of_another_stays_itself(devices: Pair) -> None:
    alice, bob = devices
    change_path(alice.store, ("One",), ("Both",))
    change_path(alice.store, ("Both",), ("Mine",))
    change_path(bob.store, ("Two",), ("Both",))
    meet(alice, bob)
    assert paths(alice) == {
        **{("Mine",): 1, ("Mine", "Deep"): 1},
        **{("Both",): 1, ("Both", "Deep"): 1},
    }


def test_what_comes_into_a_category_that_was_made_one_with_another_is_in_that(
    devices: Pair,
) -> None:
    alice, bob = devices
    change_path(alice.store, ("One",), ("Both",))
    change_path(bob.store, ("Two",), ("Both",))
    carol = made(alice.library.root.parent / "carol")
    sync([alice, carol], copied, random.Random(0))
    sync([alice, bob], copied, random.Random(0))
    add_references(carol.store, ["2402.00009"], category=("Both",), decision="saved")
    add_references(carol.store, ["2402.00008"], category=("Two", "Deep"), decision="saved")
    meet(alice, bob, carol)
    assert paths(alice) == {("Both",): 3, ("Both", "Deep"): 3}
    carol.store.close()


def test_categories_that_were_put_into_each_other_are_both_there(devices: Pair) -> None:
    alice, bob = devices
    change_path(alice.store, ("One",), ("Two", "One"))
    change_path(bob.store, ("Two",), ("One", "Two"))
    meet(alice, bob)
    assert sorted(path[-1] for path in paths(alice)) == ["Deep", "Deep", "One", "Two"]
    assert sum(paths(alice).values()) == 4


def test_two_topics_of_one_name_are_both_kept(devices: Pair) -> None:
    alice, bob = devices
    edit_topic(alice.store, "Decoding", new_name="New")
    edit_topic(bob.store, "Caches", new_name="New")
    meet(alice, bob)
    assert {one.name: one.query for one in list_topics(alice.store)}.keys() == {"New", "New (2)"}
    assert {one.query for one in list_topics(alice.store)} == {"moe", "cache"}


def test_undo_takes_back_what_the_reader_did_not_what_came_of_it(devices: Pair) -> None:
    alice, bob = devices
    change_path(alice.store, ("One",), ("Both",))
    add_category(alice.store, ("Other",))
    change_path(bob.store, ("Two",), ("Both",))
    meet(alice, bob)
    assert ("Other",) in paths(alice)
    assert alice.store.undo() is not None
    meet(alice, bob)
    assert paths(bob) == {("Both",): 2, ("Both", "Deep"): 2}


def test_lines_that_wait_for_others_are_told_once_and_taken_in_when_those_come(
    devices: Pair,
) -> None:
    alice, bob = devices
    carol = made(alice.library.root.parent / "carol")
    add_category(bob.store, ("Late",))
    for device, told in ((bob, 1), (alice, 0)):
        copied(
            {"carol": carol.library.root, device.name: device.library.root},
            ["carol", device.name],
            random.Random(0),
        )
        assert len(carol.look().told) == told
        assert carol.look().told == []
        assert bool(paths(carol)) is (device is alice)
    assert paths(carol) == paths(bob)
    assert check(carol.store, carol.library) == []
    carol.store.close()


def test_a_topic_gets_its_name_when_another_that_had_it_gets_its_own(tmp_path: Path) -> None:
    alice, bob, carol = (made(tmp_path / name) for name in ("alice", "bob", "carol"))
    create_topic(alice.store, "U", "moe")
    create_topic(carol.store, "U", "moe")
    create_topic(bob.store, "T", "cache")
    edit_topic(alice.store, "U", new_name="T")
    edit_topic(bob.store, "T", new_name="V")
    sync([bob, carol], copied, random.Random(0))
    create_topic(bob.store, "T", "decoding")
    meet(alice, bob, carol)
    assert {one.name for one in list_topics(alice.store)} == {"T", "T (2)", "V"}
    for device in (alice, bob, carol):
        device.store.close()

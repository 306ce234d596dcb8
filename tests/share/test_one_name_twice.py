"""Two devices that have one name without knowing of it, as one that was restored from a backup has
the name of the one that it was: their acts have the same numbers, and none of them is lost."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.organise import tag_papers
from papertrack.actions.reading import mark_pass, set_rating
from papertrack.actions.share.switch import check, rebuild
from papertrack.library import Library
from papertrack.store.store import Store
from tests.share.test_places import made
from tests.share.test_random_histories import state
from tests.share.verbs import Device
from tests.store.conftest import ticking_clock

NAME = "job"
LOG = f"{NAME}/2026-01.log"
Three = tuple[Device, Device, Device]


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[Three]:
    """A device, and two others that are both called the same, which know of the same papers."""
    alice = made(tmp_path / "alice")
    add_references(alice.store, ["2401.00001", "2401.00002"], category=("One",))
    twins = [twin_of(alice, tmp_path / name) for name in ("first", "second")]
    tag(twins[0], "known")
    for other in (alice, twins[1]):
        put(other, (twins[0].library.journal / LOG).read_bytes())
        other.look()
    yield alice, twins[0], twins[1]
    for device in (alice, *twins):
        device.store.close()


def twin_of(device: Device, folder: Path) -> Device:
    folder.mkdir()
    library = Library(folder)
    shutil.copytree(device.library.journal, library.journal)
    rebuild(library, {"PAPERTRACK_DEVICE": NAME}, ticking_clock())
    twin = Device(NAME, library, Store.open(library.database, now=ticking_clock()))
    twin.look()
    return twin


def papers(device: Device) -> list[int]:
    return device.store.select_column("SELECT id FROM papers ORDER BY citekey")


def tag(device: Device, word: str, number: int = 0) -> None:
    tag_papers(device.store, [papers(device)[number]], add=[word])


def put(device: Device, log: bytes, path: str = LOG) -> None:
    target = device.library.journal / path
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(log)


def log_of(device: Device) -> bytes:
    return (device.library.journal / LOG).read_bytes()


def merged(devices: Three) -> bytes:
    """The log as git merges it that keeps the lines of both sides."""
    _, first, second = devices
    known = log_of(second).splitlines(keepends=True)
    return log_of(first) + b"".join(
        line for line in known if line not in log_of(first).splitlines(keepends=True)
    )


def assert_alike(devices: Sequence[Device]) -> None:
    for device in devices:
        device.look()
    for device in devices:
        for other in devices:
            for log in device.library.journal.glob("*/*.log"):
                put(other, log.read_bytes(), log.relative_to(device.library.journal).as_posix())
    for device in devices:
        device.look()
        assert state(device.store) == state(devices[0].store)
        assert check(device.store, device.library) == []


def tags(device: Device) -> set[str]:
    return set(device.store.select_column("SELECT tag FROM tags"))


def test_what_both_did_under_one_name_is_on_all_devices(devices: Three) -> None:
    alice, first, second = devices
    tag(first, "one")
    tag(second, "two")
    mark_pass(second.store, papers(second)[:1], 1, takeaway="of two")
    log = merged(devices)
    for device in devices:
        put(device, log)
    assert_alike(devices)
    assert tags(alice) == {"known", "one", "two"}
    assert alice.store.select_column("SELECT takeaway FROM readings") == ["of two"]


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_what_both_set_is_a_contradiction_in_whatever_order_it_comes(
    devices: Three, order: Sequence[int]
) -> None:
    alice, first, second = devices
    set_rating(first.store, papers(first)[:1], 2)
    set_rating(second.store, papers(second)[:1], 5)
    logs = [log_of(first), log_of(second), merged(devices)]
    for number in order:
        put(alice, logs[number])
        alice.look()
    for device in devices:
        put(device, merged(devices))
    assert_alike(devices)


def test_a_log_that_another_one_replaced_is_read_though_it_is_shorter(devices: Three) -> None:
    alice, first, second = devices
    mark_pass(first.store, papers(first)[:1], 1, takeaway="a long one " * 20)
    tag(second, "short")
    put(alice, log_of(first))
    alice.look()
    put(alice, log_of(second))
    (told,) = alice.look().told
    assert "is shorter than it was" in told
    assert tags(alice) == {"known", "short"}
    assert alice.store.select_column("SELECT count(*) FROM readings") == [1]

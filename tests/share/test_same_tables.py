"""The tables of all devices hold what the logs say, whatever was removed and came back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from papertrack.actions.make_library import make_library
from papertrack.actions.share.switch import check, share
from papertrack.store.papers import merge_papers
from papertrack.store.share import kept
from papertrack.store.share.fold import resolve_all
from papertrack.store.store import Store
from tests.fresh_store import fresh_store
from tests.share.test_random_histories import logs, state
from tests.share.verbs import Device
from tests.share.ways import copied
from tests.store.conftest import ticking_clock

ONE, OTHER, TOPIC = "arxiv:2402.00003", "arxiv:2401.00001", "topic:Caches"


@pytest.fixture
def devices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Device]:
    """Two devices that know of a topic and two papers."""
    monkeypatch.setattr(Store, "create", fresh_store)
    now, found = ticking_clock(), []
    for name in ("desktop", "laptop"):
        library = make_library(tmp_path / name, now=now)
        device = Device(name, library, Store.open(library.database, now=now))
        share(device.store, library, device.environ)
        found.append(device)
    add_topic(found[0])
    for name in (ONE, OTHER):
        add_paper(found[0], name)
    exchange(found)
    return found


def write(device: Device, *statements: str) -> None:
    with device.store.action("edit", "by hand"):
        for sql in statements:
            device.store.execute(sql)


def add_topic(device: Device) -> None:
    write(device, "INSERT INTO topics (name, query, added) VALUES ('Caches', 'moe', '2026-01-01')")


def add_paper(device: Device, name: str) -> None:
    key, value = name.replace(":", ""), name.partition(":")[2]
    write(
        device,
        f"""INSERT INTO papers (citekey, title, title_key, added)
            VALUES ('{key}', '{key}', '{key}', '2026-01-01')""",
        f"""INSERT INTO identifiers (paper_id, scheme, value, position)
            SELECT id, 'arxiv', '{value}', 0 FROM papers WHERE citekey = '{key}'""",
        f"INSERT INTO paper_states (paper_id) SELECT id FROM papers WHERE citekey = '{key}'",
    )


def find_for_topic(device: Device) -> None:
    write(
        device,
        """INSERT INTO paper_topics (paper_id, topic_id, reason, score, found_at)
           SELECT p.id, t.id, 'moe (title)', 1, '2026-01-01' FROM papers p, topics t
           WHERE p.citekey = 'arxiv2402.00003'""",
    )


def exchange(devices: list[Device]) -> None:
    folders = {device.name: device.library.root for device in devices}
    for _ in range(4):
        for device in devices:
            copied(folders, list(folders), random.Random(0))
            device.look()
    copied(folders, list(folders), random.Random(0))


def row_of(device: Device, name: str) -> int:
    sql = "SELECT row_id FROM share_names WHERE name = ?"
    return int(device.store.select_column(sql, (name,))[0])


def assert_same(devices: list[Device]) -> None:
    desktop, laptop = devices
    assert logs(desktop) == logs(laptop)
    assert state(desktop.store) == state(laptop.store)
    for device in devices:
        assert check(device.store, device.library) == []
        here = state(device.store)
        for thing in (ONE, OTHER):
            told = resolve_all(kept.load(device.store, thing))
            assert {cell: here.get(thing, {}).get(cell) for cell in told} == told
        device.store.close()


def test_what_was_found_for_a_topic_that_was_removed_and_came_back_is_on_all_devices(
    devices: list[Device],
) -> None:
    desktop, laptop = devices
    write(desktop, "DELETE FROM topics")
    add_topic(desktop)
    find_for_topic(laptop)
    exchange(devices)
    assert f"paper_topics/{TOPIC}" in state(desktop.store)[ONE]
    assert_same(devices)


def test_undo_of_a_topic_tells_the_papers_that_were_found_for_it_by_others(
    devices: list[Device],
) -> None:
    desktop, laptop = devices
    find_for_topic(laptop)
    exchange(devices)
    add = desktop.store.select_column("SELECT min(id) FROM actions")[0]
    desktop.store.undo(add)
    exchange(devices)
    add_topic(laptop)
    exchange(devices)
    assert f"paper_topics/{TOPIC}" not in state(laptop.store)[ONE]
    assert_same(devices)


def test_undo_of_a_merge_tells_the_paper_that_had_come_back_meanwhile(
    devices: list[Device],
) -> None:
    desktop, laptop = devices
    with desktop.store.action("merge", "two into one"):
        merge_papers(desktop.store, row_of(desktop, ONE), row_of(desktop, OTHER))
    write(laptop, f"UPDATE papers SET citekey = 'chen2024' WHERE id = {row_of(laptop, OTHER)}")
    exchange(devices)
    desktop.store.undo()
    exchange(devices)
    assert_same(devices)


def test_a_reading_stays_with_the_last_paper_that_it_was_merged_into(devices: list[Device]) -> None:
    desktop, laptop = devices
    third = "arxiv:2401.00002"
    add_paper(desktop, third)
    write(desktop, f"INSERT INTO readings (paper_id, pass) VALUES ({row_of(desktop, ONE)}, 2)")
    exchange(devices)
    with desktop.store.action("merge", "two into one"):
        merge_papers(desktop.store, row_of(desktop, third), row_of(desktop, ONE))
    desktop.store.undo()
    write(laptop, f"UPDATE papers SET citekey = 'chen2024' WHERE id = {row_of(laptop, ONE)}")
    find_for_topic(laptop)
    with laptop.store.action("merge", "two into one"):
        merge_papers(laptop.store, row_of(laptop, OTHER), row_of(laptop, ONE))
    exchange(devices)
    for one in devices:
        assert one.store.select_column("SELECT paper_id FROM readings") == [row_of(one, OTHER)]
    assert_same(devices)


def test_papers_that_are_different_are_so_when_one_of_them_was_gone_and_came_back(
    devices: list[Device],
) -> None:
    desktop, laptop = devices
    merged, other = row_of(laptop, ONE), row_of(laptop, OTHER)
    assert merged < other
    write(laptop, f"INSERT INTO different (paper_id, other_id) VALUES ({merged}, {other})")
    write(desktop, f"DELETE FROM papers WHERE id = {row_of(desktop, ONE)}")
    desktop.store.undo()
    exchange(devices)
    assert f"different/{ONE}" in state(desktop.store)[OTHER]
    assert_same(devices)


def test_a_name_that_got_free_again_is_the_same_for_who_reads_all_logs_at_once(
    devices: list[Device],
) -> None:
    desktop, laptop = devices
    deep_in = """INSERT INTO categories (parent_id, name, position)
        SELECT id, 'Deep', 0 FROM categories WHERE name = """
    for name in ("New", "Both"):
        write(desktop, f"INSERT INTO categories (name, position) VALUES ('{name}', 5)")
    write(desktop, deep_in + "'Both'")
    exchange(devices)
    # The one gives the name of what it removed to another; the other puts something into that.
    write(desktop, "DELETE FROM categories WHERE name = 'New'")
    write(desktop, "UPDATE categories SET name = 'New' WHERE name = 'Both'")
    write(laptop, deep_in + "'New'")
    exchange(devices)
    names = desktop.store.select_column("SELECT name FROM categories ORDER BY id")
    assert sorted(names) == ["Deep", "New"]
    assert state(desktop.store) == state(laptop.store)
    assert check(desktop.store, desktop.library) == []

"""Logs that are made shorter, once they are years long: nothing else changes, on no device."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from papertrack.actions.add import add_references
from papertrack.actions.make_library import make_library
from papertrack.actions.organise import tag_papers
from papertrack.actions.reading import mark_pass
from papertrack.actions.share.compact import Compacted, compact_logs
from papertrack.actions.share.status import read_status
from papertrack.actions.share.switch import check, rebuild
from papertrack.actions.share.take import take_in_logs
from papertrack.errors import ConflictError, PapertrackError, UsageError
from papertrack.library import Library
from papertrack.library.trust import distrust, trust
from papertrack.store.share import outbox
from papertrack.store.share.lines import Line, read_lines
from papertrack.store.share.rows import Things
from papertrack.store.store import Store
from tests.share.test_places import made
from tests.share.test_random_histories import Device, state
from tests.share.test_share import own_state
from tests.share.ways import copied, git
from tests.store.conftest import ticking_clock

__all__ = ["own_state"]

LATER = datetime(2027, 3, 4, tzinfo=UTC)


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[tuple[Device, Device]]:
    """Two devices, of which alice did much in January 2026 that counts no more."""
    alice, bob = (made(tmp_path / name) for name in ("alice", "bob"))
    add_references(alice.store, ["2401.00001"], category=("One",), decision="saved")
    paper = the_paper(alice)
    for _ in range(5):
        tag_papers(alice.store, [paper], add=["often"])
        tag_papers(alice.store, [paper], remove=["often"])
    mark_pass(alice.store, [paper], 2, takeaway="typed once")
    yield alice, bob
    for device in (alice, bob):
        device.store.close()


def the_paper(device: Device) -> int:
    return int(device.store.select_value("SELECT id FROM papers"))


def shorten(device: Device) -> Compacted | None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(device.store, "now", lambda: LATER)
        return compact_logs(device.store, device.library, None)


def meet(*devices: Device) -> list[str]:
    """Bring the folders together, and have each device look; what they were told."""
    folders = {device.name: device.library.root for device in devices}
    copied(folders, list(folders), random.Random(0))
    return [told for device in devices for told in device.look().told]


def logs(device: Device) -> list[str]:
    return sorted(path.name for path in (device.library.journal / device.name).iterdir())


def lines(device: Device) -> list[Line]:
    paths = (device.library.journal / device.name).glob("*.log")
    return [line for path in paths for line in read_lines(path.read_bytes()).lines]


def clone_of(device: Device, folder: Path) -> Device:
    library = Library(folder)
    shutil.copytree(device.library.journal, library.journal)
    rebuild(library, {"PAPERTRACK_DEVICE": "clone"}, ticking_clock())
    clone = Device("clone", library, Store.open(library.database, now=ticking_clock()))
    assert clone.look().told == []
    return clone


def state_of_clone(device: Device, tmp_path: Path) -> Things:
    """All that a fresh clone of a device's library knows."""
    with clone_of(device, tmp_path / "clone").store as store:
        return state(store)


def test_a_log_is_shorter_and_says_the_same(devices: tuple[Device, Device], tmp_path: Path) -> None:
    alice, _ = devices
    before, said = lines(alice), state(alice.store)
    done = shorten(alice)
    assert done
    assert logs(alice) == [Path(str(done.file)).name]
    assert (done.lines, done.kept) == (len(before), len(lines(alice)) - 1)
    assert done.kept < len(before) - 7
    assert check(alice.store, alice.library) == []
    assert state(alice.store) == said
    assert state_of_clone(alice, tmp_path) == said


def at(device: Device, moment: datetime, tag: str) -> None:
    """Tag the paper at another time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(device.store, "now", lambda: moment)
        tag_papers(device.store, [the_paper(device)], add=[tag])


def in_months(device: Device, year: int, *months: int) -> None:
    """Tag the paper once in each of these months."""
    for month in months:
        at(device, datetime(year, month, 1, tzinfo=UTC), f"month{month}")


def test_what_is_done_in_later_months_stays_where_it_is(
    devices: tuple[Device, Device], tmp_path: Path
) -> None:
    alice, _ = devices
    in_months(alice, 2027, 1, 2, 3)
    done = shorten(alice)
    assert done
    assert logs(alice) == [Path(str(done.file)).name, "2027-01.log", "2027-02.log", "2027-03.log"]
    tag_papers(alice.store, [the_paper(alice)], add=["after"])
    assert check(alice.store, alice.library) == []
    assert state_of_clone(alice, tmp_path) == state(alice.store)


def test_what_is_done_while_the_clock_is_set_back_is_in_the_log(
    devices: tuple[Device, Device], tmp_path: Path
) -> None:
    alice, _ = devices
    in_months(alice, 2027, 2, 3)
    at(alice, datetime(2020, 1, 1, tzinfo=UTC), "back")
    at(alice, datetime(2027, 3, 2, tzinfo=UTC), "again")
    assert state_of_clone(alice, tmp_path) == state(alice.store)


def test_what_a_log_tells_in_part_is_not_undone_where_it_was_not_done(
    devices: tuple[Device, Device], tmp_path: Path
) -> None:
    alice, _ = devices
    shorten(alice)
    tag_papers(alice.store, [the_paper(alice)], add=["later"])
    clone = clone_of(alice, tmp_path / "clone")
    undoable = "SELECT summary FROM actions WHERE can_undo AND verb <> 'settle'"
    assert len(clone.store.select_column(undoable)) == 1
    with pytest.raises(ConflictError, match=r"alice.* may have only a part.* Undo it there"):
        clone.store.undo(1)
    clone.store.close()


def test_nothing_that_counts_is_left_out(devices: tuple[Device, Device], tmp_path: Path) -> None:
    alice, _ = devices
    shorten(alice)
    assert sum("typed once" in str(line.changes) for line in lines(alice)) == 1


def test_other_devices_ask_nothing_and_take_nothing_in_twice(
    devices: tuple[Device, Device],
) -> None:
    alice, bob = devices
    meet(alice, bob)
    said, acts = state(bob.store), bob.store.select_column("SELECT id FROM actions")
    shorten(alice)
    assert meet(alice, bob) == []
    assert meet(alice, bob) == []
    assert state(bob.store) == said
    assert bob.store.select_column("SELECT id FROM actions") == acts


def test_a_device_that_stood_on_what_is_left_out_is_understood(
    devices: tuple[Device, Device], tmp_path: Path
) -> None:
    alice, bob = devices
    meet(alice, bob)
    tag_papers(bob.store, [the_paper(bob)], add=["bobs"])
    meet(alice, bob)
    tag_papers(alice.store, [the_paper(alice)], remove=["bobs"])
    shorten(alice)
    meet(alice, bob)
    assert state_of_clone(alice, tmp_path) == state(bob.store) == state(alice.store)


def test_a_device_that_was_away_meanwhile_catches_up(devices: tuple[Device, Device]) -> None:
    alice, bob = devices
    shorten(alice)
    tag_papers(alice.store, [the_paper(alice)], add=["later"])
    assert meet(alice, bob) == []
    assert state(bob.store) == state(alice.store)


def test_undo_goes_on_in_front_of_what_is_shorter(devices: tuple[Device, Device]) -> None:
    alice, bob = devices
    shorten(alice)
    alice.store.undo()
    meet(alice, bob)
    assert state(bob.store) == state(alice.store)
    assert bob.store.select_column("SELECT takeaway FROM readings") == []


def test_a_second_time_there_is_nothing_to_do(devices: tuple[Device, Device]) -> None:
    alice, _ = devices
    shorten(alice)
    before = {name: (alice.library.journal / "alice" / name).read_bytes() for name in logs(alice)}
    assert shorten(alice) is None
    after = {name: (alice.library.journal / "alice" / name).read_bytes() for name in logs(alice)}
    assert after == before


def test_a_log_of_which_everything_counts_stays_as_it_is(tmp_path: Path) -> None:
    alice = made(tmp_path / "alice")
    for number in (1, 2, 3):
        add_references(alice.store, [f"2401.0000{number}"], decision="saved")
    january = alice.library.journal / "alice" / "2026-01.log"
    before = january.read_bytes()
    count = len(lines(alice))
    assert shorten(alice) == Compacted((), None, count, count)
    assert logs(alice) == ["2026-01.log"]
    assert january.read_bytes() == before
    at(alice, datetime(2026, 2, 1, tzinfo=UTC), "kept")
    done = shorten(alice)
    assert done
    assert done.file is None
    assert logs(alice) == ["2026-01.log", "2026-02.log"]
    assert alice.look().told == []
    alice.store.close()


def test_what_is_left_out_is_in_git_before(devices: tuple[Device, Device]) -> None:
    alice, _ = devices
    root, january = alice.library.root, alice.library.journal / "alice" / "2026-01.log"
    trust(alice.library, {})
    git(root, "init", "-q")
    before = january.read_bytes()
    with pytest.raises(PapertrackError, match=r"journal/alice/2026-01\.log is committed"):
        shorten(alice)
    git(root, "add", "journal")
    git(root, "commit", "-q", "-m", "Logs")
    tag_papers(alice.store, [the_paper(alice)], add=["after"])
    with pytest.raises(PapertrackError, match="sync --git"):
        shorten(alice)
    assert january.read_bytes().startswith(before)
    git(root, "commit", "-q", "-a", "-m", "Logs")
    done = shorten(alice)
    assert done
    assert done.kept < done.lines


def test_logs_that_git_is_told_to_ignore_need_not_be_in_it(
    devices: tuple[Device, Device],
) -> None:
    alice, _ = devices
    trust(alice.library, {})
    git(alice.library.root, "init", "-q")
    (alice.library.root / ".gitignore").write_text("journal/\n")
    assert shorten(alice)


def test_git_is_not_run_in_a_library_that_is_not_trusted(devices: tuple[Device, Device]) -> None:
    alice, _ = devices
    distrust(alice.library)
    (alice.library.root / ".git").mkdir()
    with pytest.raises(PapertrackError, match="not trusted"):
        shorten(alice)
    assert logs(alice) == ["2026-01.log"]


def test_logs_that_a_kill_left_beside_the_shorter_one_go_with_the_next(
    devices: tuple[Device, Device],
) -> None:
    alice, bob = devices
    january = alice.library.journal / "alice" / "2026-01.log"
    former = january.read_bytes()
    shorten(alice)
    january.write_bytes(former)
    alice.look()
    assert shorten(alice)
    assert not january.exists()
    meet(alice, bob)
    assert state(bob.store) == state(alice.store)
    assert check(alice.store, alice.library) == []


def test_the_log_that_is_still_written_stays(devices: tuple[Device, Device]) -> None:
    alice, _ = devices
    assert compact_logs(alice.store, alice.library, None) is None
    for wrong in ("2027-05", "2026", "January", "2026-13"):
        with pytest.raises(UsageError, match="is no month until now"):
            compact_logs(alice.store, alice.library, wrong)
    assert logs(alice) == ["2026-01.log"]


def test_a_log_with_lines_that_cannot_be_read_stays_as_it_is(
    devices: tuple[Device, Device],
) -> None:
    alice, _ = devices
    january = alice.library.journal / "alice" / "2026-01.log"
    former = january.read_bytes().splitlines(keepends=True)
    january.write_bytes(b"".join([*former[:3], b"<<<<<<< HEAD\n", *former[3:]]))
    changed = january.read_bytes()
    with pytest.raises(PapertrackError, match=r"2026-01\.log: 1 line could not be read.* mend"):
        shorten(alice)
    assert january.read_bytes() == changed


def test_what_another_command_has_yet_to_write_is_no_cut(
    devices: tuple[Device, Device], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It writes its log after it has let the library go."""
    alice, _ = devices
    with monkeypatch.context() as patch:
        patch.setattr(outbox, "complete_log_of", lambda *_: None)
        at(alice, datetime(2026, 1, 9, tzinfo=UTC), "old")
        at(alice, LATER, "new")
    done = shorten(alice)
    assert done
    assert len(logs(alice)) == 2
    assert check(alice.store, alice.library) == []


def test_a_log_that_was_mended_is_asked_about_no_more(devices: tuple[Device, Device]) -> None:
    alice, bob = devices
    in_months(alice, 2026, 2, 3, 4)
    log = alice.library.journal / "alice" / "2026-01.log"
    before = log.read_text()
    log.write_text(f"<<<<<<< HEAD\n{before}")
    (told,) = alice.look().told
    assert "could not be read" in told
    log.write_text(before)
    assert (alice.look().told, alice.look().told) == ([], [])
    assert [one.unreadable for one in read_status(alice.store, alice.library)] == [0]
    done = shorten(alice)
    assert done
    meet(alice, bob)
    cut(bob.library.journal / str(done.file), "typed once")
    (told,) = bob.look().told
    assert "is shorter than it was" in told


def cut(log: Path, text: str) -> None:
    """Take the lines out of a log in which this stands."""
    kept = [line for line in log.read_text().splitlines(keepends=True) if text not in line]
    log.write_text("".join(kept))


@pytest.mark.parametrize(
    "damage",
    [
        Path.unlink,
        partial(cut, text="+once"),
        lambda log: log.write_text(log.read_text().replace("once", "none")),
    ],
    ids=["removed", "cut", "edited"],
)
def test_logs_that_lack_what_counts_are_not_made_shorter(
    devices: tuple[Device, Device], damage: Callable[[Path], None]
) -> None:
    """Nobody would be told any more, and no clone would ever know."""
    alice, _ = devices
    at(alice, datetime(2026, 2, 1, tzinfo=UTC), "once")
    in_months(alice, 2026, 3, 4)  # What it wrote last it would write again.
    february = alice.library.journal / "alice" / "2026-02.log"
    before = february.read_bytes()
    damage(february)
    with pytest.raises(PapertrackError, match=r"said of arxiv:2401\.00001 is in none of its logs"):
        shorten(alice)
    assert "2026-01.log" in logs(alice)
    february.write_bytes(before)
    assert shorten(alice)
    assert check(alice.store, alice.library) == []


def test_a_dry_run_says_how_much_and_changes_nothing(devices: tuple[Device, Device]) -> None:
    alice, _ = devices
    before = lines(alice)
    with alice.store.trial():
        done = shorten(alice)
    assert done
    assert done.kept < len(before)
    assert lines(alice) == before
    assert logs(alice) == ["2026-01.log"]


def test_a_library_that_is_not_shared_has_no_log_to_shorten(tmp_path: Path) -> None:
    library = make_library(tmp_path, now=ticking_clock())
    with (
        Store.open(library.database, now=ticking_clock()) as store,
        pytest.raises(UsageError, match="not shared"),
    ):
        compact_logs(store, library, None)


def test_a_copy_that_a_sync_program_made_may_be_removed(devices: tuple[Device, Device]) -> None:
    alice, bob = devices
    meet(alice, bob)
    folder = bob.library.journal / "alice"
    copy = folder / "2026-01.sync-conflict-20260105-080000-ABCDEF.log"
    shutil.copy(folder / "2026-01.log", copy)
    take_in_logs(bob.store, bob.library, bob.environ)
    copy.unlink()
    assert bob.look().told == []


def test_a_copy_that_held_more_than_the_log_is_asked_about(devices: tuple[Device, Device]) -> None:
    alice, bob = devices
    meet(alice, bob)
    folder = bob.library.journal / "alice"
    copy = folder / "2026-01.sync-conflict-20260105-080000-ABCDEF.log"
    tag_papers(alice.store, [the_paper(alice)], add=["only-there"])
    shutil.copy(alice.library.journal / "alice" / "2026-01.log", copy)
    bob.look()
    copy.unlink()
    (told,) = bob.look().told
    assert "is shorter than it was" in told

"""Sharing a library from the command line: two clones of one folder, and what can go wrong."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from papertrack.actions.reading import set_decision
from papertrack.cli.app import run
from papertrack.records import Identifier
from papertrack.store.citekeys import Citekeys
from papertrack.store.lookup import find_by_citekey, find_paper
from papertrack.store.store import Store

PAPER = "2211.17192"
OTHER = "lora2021low"


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for key in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        monkeypatch.setenv(key, "reader")
    for key in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(key, "reader@example.org")


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


def do(folder: Path, *arguments: str) -> int:
    return run(["--library", str(folder), *arguments])


@pytest.fixture
def desktop(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Path:
    folder = tmp_path / "desktop"
    assert run(["demo", str(folder)]) == 0
    assert do(folder, "share", "on") == 0
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "Share the library")
    capfd.readouterr()
    return folder


@pytest.fixture
def laptop(desktop: Path, tmp_path: Path) -> Path:
    git(tmp_path, "clone", "-q", str(desktop), "laptop")
    return tmp_path / "laptop"


def shown(folder: Path, capfd: pytest.CaptureFixture[str], *arguments: str) -> object:
    capfd.readouterr()
    do(folder, *arguments, "--json")
    return json.loads(capfd.readouterr().out)


def without_numbers(value: object) -> object:
    """What is said without the numbers of the database, which differ on each device."""
    if isinstance(value, dict):
        return {name: without_numbers(one) for name, one in value.items() if name != "id"}
    return [without_numbers(one) for one in value] if isinstance(value, list) else value


def exchange(one: Path, other: Path) -> None:
    """Commit on both sides, and merge both ways, as git does it by itself."""
    for folder in (one, other):
        git(folder, "add", ".")
        git(folder, "commit", "-q", "--allow-empty", "-m", "Work")
    git(other, "pull", "-q", "--no-rebase", "--no-edit", str(one), "main")
    git(one, "pull", "-q", "--no-rebase", "--no-edit", str(other), "main")


def logs(folder: Path) -> list[Path]:
    return sorted((folder / "journal").glob("*/*.log"))


def test_a_clone_says_what_the_library_said(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    there = without_numbers(shown(laptop, capfd, "list"))
    here = without_numbers(shown(desktop, capfd, "list"))
    assert isinstance(here, list)
    assert isinstance(there, list)
    assert sorted(here, key=str) == sorted(there, key=str)
    assert do(laptop, "share", "check") == 0


def test_a_citekey_that_one_device_showed_never_changes_by_itself_on_any(
    desktop: Path, laptop: Path
) -> None:
    def is_frozen(folder: Path) -> bool:
        database = folder / "data" / "papertrack.db"
        with Store.open(database, now=lambda: datetime.now(UTC)) as store:
            paper = find_by_citekey(store, OTHER)
            return paper is not None and Citekeys(store).are_frozen([paper])

    assert do(laptop, "log") == 0
    assert not is_frozen(laptop)
    assert do(desktop, "cite", OTHER) == 0
    exchange(desktop, laptop)
    assert do(laptop, "log") == 0
    assert is_frozen(laptop)
    assert is_frozen(desktop)
    assert do(laptop, "share", "check") == do(desktop, "share", "check") == 0


def test_a_library_is_shared_before_anything_is_in_it(tmp_path: Path) -> None:
    desktop, laptop = tmp_path / "desktop", tmp_path / "laptop"
    assert run(["init", "--shared", str(desktop)]) == 0
    git(desktop, "init", "-q", "-b", "main")
    git(desktop, "add", ".")
    git(desktop, "commit", "-q", "-m", "An empty library")
    git(tmp_path, "clone", "-q", str(desktop), "laptop")
    assert do(laptop, "list") == 0
    assert do(laptop, "add", "--offline", PAPER) == 0
    assert len(logs(laptop)) == 1
    assert do(laptop, "share", "check") == 0


def test_a_folder_of_the_readers_called_journal_shares_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "library"
    assert run(["demo", str(folder)]) == 0
    diary = folder / "journal" / "2026" / "november.log"
    diary.parent.mkdir(parents=True)
    diary.write_text("Read about caches.\n", encoding="utf-8")
    assert do(folder, "pass", PAPER, "3") == 0
    assert shown(folder, capfd, "share", "status") == {
        "devices": [],
        "contradictions": [],
        "dry_run": False,
    }
    assert [path for path in (folder / "journal").rglob("*") if path.is_file()] == [diary]
    assert do(folder, "share", "check") == 2


def test_a_log_that_is_lost_is_told_by_its_things_with_the_way_back(
    laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(laptop, "tag", PAPER, "+x")
    git(laptop, "rm", "-rq", "journal")
    capfd.readouterr()
    assert do(laptop, "share", "check") == 5
    said = capfd.readouterr()
    lines = said.out.splitlines()
    assert "arxiv:2309.06180 is in no log" in lines
    assert len(lines) < 60, "a line for each thing"
    assert "git checkout HEAD -- journal" in said.err


def test_share_alone_lists_the_devices(desktop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert do(desktop, "share") == 0
    assert "(this one)" in capfd.readouterr().out


def test_a_clone_writes_nothing_into_a_readme_that_is_in_step(desktop: Path, laptop: Path) -> None:
    assert do(laptop, "export", "--md") == 0
    assert (laptop / "README.md").read_bytes() == (desktop / "README.md").read_bytes()


def test_a_clone_writes_no_row_that_was_taken_out_by_hand(desktop: Path, tmp_path: Path) -> None:
    readme = desktop / "README.md"
    lines = readme.read_text().splitlines(keepends=True)
    rows = [line for line in lines if "via Speculative Decoding</u>" not in line]
    assert len(rows) == len(lines) - 1
    readme.write_text("".join(rows))
    assert do(desktop, "sync") == 0
    text = readme.read_text()
    git(desktop, "add", ".")
    git(desktop, "commit", "-q", "-m", "Work")
    git(tmp_path, "clone", "-q", str(desktop), "clone")
    for _ in range(2):
        assert do(tmp_path / "clone", "sync") == 0
        assert (tmp_path / "clone" / "README.md").read_text() == text


def test_a_clone_puts_no_paper_back_where_its_row_had_to_stay(
    desktop: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert do(desktop, "move", PAPER, "--category", "No Section") == 0
    assert do(desktop, "sync") == 0
    git(desktop, "add", ".")
    git(desktop, "commit", "-q", "-m", "Work")
    git(tmp_path, "clone", "-q", str(desktop), "clone")
    before = (desktop / "README.md").read_text()
    assert do(tmp_path / "clone", "sync") == 0
    assert (tmp_path / "clone" / "README.md").read_text() == before
    paper = shown(tmp_path / "clone", capfd, "show", PAPER)
    assert isinstance(paper, dict)
    assert paper["categories"] == ["No Section"]


@pytest.mark.parametrize("arxiv_id", [PAPER, "2501.00001"])
def test_a_clone_decides_nothing_by_the_lists_that_it_reads_first(
    desktop: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], arxiv_id: str
) -> None:
    bib = desktop / "refs.bib"
    bib.write_text("@misc{one, title={One}, eprint={2501.00001}, archiveprefix={arXiv}}\n")
    assert do(desktop, "import", str(bib)) == 0
    with Store.open(desktop / "data" / "papertrack.db", now=lambda: datetime.now(UTC)) as store:
        paper_id = find_paper(store, [Identifier("arxiv", arxiv_id)])
        assert paper_id is not None
        set_decision(store, [paper_id], "inbox")
    assert do(desktop, "sync") == 0
    git(desktop, "add", ".")
    git(desktop, "commit", "-q", "-m", "Work")
    git(tmp_path, "clone", "-q", str(desktop), "clone")
    assert do(tmp_path / "clone", "sync") == 0
    paper = shown(tmp_path / "clone", capfd, "show", arxiv_id)
    assert isinstance(paper, dict)
    assert paper["decision"] == "inbox"


def writes_a_row_of_its_own(clone: Path, capfd: pytest.CaptureFixture[str]) -> bool:
    """Whether a paper that is put into another category too gets its row there."""
    before = (clone / "README.md").read_text()
    papers: Any = shown(clone, capfd, "list")
    paper = next(one for one in papers if PAPER not in str(one))
    places = {place for one in papers for place in one["categories"]}
    other = min(places - set(paper["categories"]))
    assert do(clone, "move", paper["citekey"], "--category", other, "--also") == 0
    assert do(clone, "sync") == 0
    return (clone / "README.md").read_text().count("\n") == before.count("\n") + 1


def test_a_clone_writes_the_row_of_what_was_done_in_it_before_it_read_the_list(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert writes_a_row_of_its_own(laptop, capfd)


def test_a_clone_knows_its_own_work_though_other_devices_said_the_same_twice(
    desktop: Path, laptop: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for folder in (desktop, laptop):
        assert do(folder, "tag", PAPER, "+moe") == 0
    exchange(desktop, laptop)
    git(desktop, "add", ".")
    git(desktop, "commit", "-q", "--allow-empty", "-m", "Work")
    git(tmp_path, "clone", "-q", str(desktop), "clone")
    assert writes_a_row_of_its_own(tmp_path / "clone", capfd)
    with Store.open(tmp_path / "clone/data/papertrack.db", now=lambda: datetime.now(UTC)) as store:
        # What was said twice was done once.
        assert store.select_value("SELECT count(*) FROM share_acts WHERE action_id IS NULL") > 0


def test_the_passes_of_both_sides_with_their_takeaways_add_up(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(desktop, "pass", PAPER, "3", "--takeaway", "from the desktop", "--minutes", "120")
    do(laptop, "pass", PAPER, "2", "--takeaway", "from the laptop")
    do(laptop, "tag", PAPER, "+moe")
    exchange(desktop, laptop)
    papers = [without_numbers(shown(folder, capfd, "show", PAPER)) for folder in (desktop, laptop)]
    assert papers[0] == papers[1]
    text = json.dumps(papers[0])
    assert text.count("from the desktop") == text.count("from the laptop") == 1
    assert '"passes_done": 3' in text
    assert '"moe"' in text
    assert do(desktop, "share", "check") == do(laptop, "share", "check") == 0


def test_readings_of_one_day_are_one_only_where_all_that_they_say_is_the_same(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    # As from one file that both took in, whose readings have days, and no hours.
    for folder in (desktop, laptop):
        for takeaway in ("from the same file", f"of the {folder.name}"):
            do(folder, "pass", PAPER, "1", "--at", "2026-01-01", "--takeaway", takeaway)
    exchange(desktop, laptop)
    papers = [without_numbers(shown(folder, capfd, "show", PAPER)) for folder in (desktop, laptop)]
    assert papers[0] == papers[1]
    text = json.dumps(papers[0])
    for takeaway in ("from the same file", "of the desktop", "of the laptop"):
        assert text.count(takeaway) == 1
    assert do(desktop, "share", "check") == do(laptop, "share", "check") == 0


def test_of_two_days_that_a_paper_was_snoozed_to_the_later_one_counts(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(desktop, "snooze", PAPER, "--until", "2999-01-01")
    do(laptop, "snooze", PAPER, "--until", "2999-06-01")
    exchange(desktop, laptop)
    for folder in (desktop, laptop):
        assert '"snoozed_until": "2999-06-01"' in json.dumps(shown(folder, capfd, "show", PAPER))
        assert do(folder, "share", "status") == 0, "nothing to settle"
    do(laptop, "snooze", PAPER, "--back")
    exchange(desktop, laptop)
    assert '"snoozed_until": null' in json.dumps(shown(desktop, capfd, "show", PAPER))
    assert do(desktop, "share", "check") == do(laptop, "share", "check") == 0


def test_one_pass_adds_one_line(desktop: Path) -> None:
    (log,) = logs(desktop)
    before = log.read_bytes()
    do(desktop, "pass", PAPER, "3")
    after = log.read_bytes()
    assert after.startswith(before)
    assert after[len(before) :].count(b"\n") == 1


def test_two_reasons_are_named_until_one_is_given_again(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(desktop, "discard", PAPER, "--reason", "old")
    do(laptop, "discard", PAPER, "--reason", "dull")
    exchange(desktop, laptop)
    assert do(desktop, "share", "status") == do(laptop, "share", "status") == 5
    told = capfd.readouterr().err
    assert "'old' by" in told
    assert "'dull' by" in told
    do(desktop, "discard", PAPER, "--reason", "both")
    exchange(desktop, laptop)
    assert do(desktop, "share", "status") == do(laptop, "share", "status") == 0
    assert '"decision_reason": "both"' in json.dumps(shown(laptop, capfd, "show", PAPER))


def test_undo_takes_back_what_this_device_did_and_others_hear_of_it(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(desktop, "tag", PAPER, "+mine")
    do(laptop, "tag", PAPER, "+yours")
    exchange(desktop, laptop)
    do(desktop, "undo")
    exchange(desktop, laptop)
    for folder in (desktop, laptop):
        paper = shown(folder, capfd, "show", PAPER)
        assert isinstance(paper, dict)
        assert "yours" in paper["tags"]
        assert "mine" not in paper["tags"]


@pytest.mark.parametrize("is_first", [True, False], ids=["to another", "of another"])
def test_the_log_says_who_did_what_another_took_back(
    desktop: Path,
    laptop: Path,
    capfd: pytest.CaptureFixture[str],
    is_first: bool,
) -> None:
    """Whatever they are called."""
    do(laptop, "list")
    doer, other = (desktop, laptop) if is_first else (laptop, desktop)
    do(doer, "tag", PAPER, "+mine")
    exchange(desktop, laptop)
    assert undo_named(other, capfd, "+mine") == 0
    exchange(desktop, laptop)
    for folder in (desktop, laptop):
        actions = shown(folder, capfd, "log")
        assert isinstance(actions, list)
        (done,) = [one for one in actions if "+mine" in one["summary"] and one["verb"] == "tag"]
        assert done["device"] == device_of(doer, capfd)


def read_and_merge(desktop: Path, laptop: Path) -> None:
    """A reading that both have, of a paper that one of them makes one with another."""
    do(desktop, "pass", PAPER, "3", "--takeaway", "typed once")
    exchange(desktop, laptop)
    do(desktop, "merge", OTHER, PAPER)


def is_read_once(capfd: pytest.CaptureFixture[str], *folders: Path) -> None:
    for folder in folders:
        assert json.dumps(shown(folder, capfd, "list")).count("typed once") == 1
        assert do(folder, "share", "check") == 0


def test_a_reading_that_two_devices_bring_back_is_there_once(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(desktop, "pass", PAPER, "3")
    do(desktop, "pass", PAPER, "3", "--takeaway", "typed once")
    do(desktop, "pass", PAPER, "3", "--undo")
    exchange(desktop, laptop)
    for folder in (laptop, desktop):
        assert undo_named(folder, capfd, "taken back") == 0
        exchange(desktop, laptop)
    is_read_once(capfd, desktop, laptop)


def test_a_reading_that_a_merge_moved_does_not_come_back_where_it_was(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    read_and_merge(desktop, laptop)
    do(laptop, "pass", PAPER, "3", "--undo")
    exchange(desktop, laptop)
    do(desktop, "list")
    assert undo_named(laptop, capfd, "taken back") == 0
    exchange(desktop, laptop)
    is_read_once(capfd, desktop, laptop)
    assert do(laptop, "redo") == 0
    assert do(laptop, "share", "check") == 0


def test_a_reading_comes_back_under_the_name_that_it_had(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    read_and_merge(desktop, laptop)
    do(desktop, "pass", OTHER, "3", "--undo")
    do(laptop, "tag", PAPER, "+mine")
    exchange(desktop, laptop)
    assert undo_named(desktop, capfd, "taken back") == 0
    exchange(desktop, laptop)
    is_read_once(capfd, desktop, laptop)


def undo_named(folder: Path, capfd: pytest.CaptureFixture[str], words: str) -> int:
    """Take back the last act that is told in these words, whichever device did it."""
    done = shown(folder, capfd, "log")
    assert isinstance(done, list)
    number = next(one["id"] for one in done if words in one["summary"] and one["verb"] != "undo")
    return do(folder, "undo", str(number))


def test_the_log_says_which_device_did_it(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(laptop, "tag", PAPER, "+theirs")
    exchange(laptop, desktop)
    do(desktop, "tag", PAPER, "+mine")
    done = shown(desktop, capfd, "log", "--limit", "2")
    assert isinstance(done, list)
    own, other = (one["device"] for one in done)
    assert {own, other} == {log.parent.name for log in logs(desktop)}
    do(desktop, "log", "--limit", "1")
    assert capfd.readouterr().out.rstrip().endswith(own)


def test_a_copied_folder_writes_into_a_log_of_its_own(desktop: Path, tmp_path: Path) -> None:
    shutil.copytree(desktop, tmp_path / "copy")
    (log,) = logs(desktop)
    before = log.read_bytes()
    do(tmp_path / "copy", "tag", PAPER, "+copied")
    copied = logs(tmp_path / "copy")
    assert len(copied) == 2
    assert (tmp_path / "copy" / log.relative_to(desktop)).read_bytes() == before
    assert do(tmp_path / "copy", "share", "check") == 0


def test_a_lost_end_of_the_own_log_is_written_again(desktop: Path) -> None:
    do(desktop, "tag", PAPER, "+kept")
    (log,) = logs(desktop)
    whole = log.read_bytes()
    for length in (len(whole) - 1, len(whole) - 30, 0):
        log.write_bytes(whole[:length])
        assert do(desktop, "list") == 0
        assert log.read_bytes() == whole


def test_a_database_from_yesterday_gets_back_what_the_log_says(desktop: Path) -> None:
    database = desktop / "data" / "papertrack.db"
    shutil.copy(database, desktop / "yesterday.db")
    do(desktop, "tag", PAPER, "+today")
    shutil.copy(desktop / "yesterday.db", database)
    do(desktop, "tag", PAPER, "+tomorrow")
    assert do(desktop, "share", "check") == 0
    assert len(logs(desktop)) == 2


def test_a_backup_restored_under_a_given_name_gets_back_what_the_log_says(
    desktop: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAPERTRACK_DEVICE", "mine")
    do(desktop, "tag", PAPER, "+early")
    shutil.copy(desktop / "data" / "papertrack.db", desktop / "yesterday.db")
    do(desktop, "tag", PAPER, "+moe")
    shutil.copy(desktop / "yesterday.db", desktop / "data" / "papertrack.db")
    capfd.readouterr()
    do(desktop, "tag", PAPER, "+late")
    told = capfd.readouterr().err
    assert "What the log says is taken in" in told
    assert "From now on" not in told
    tags = {"early", "moe", "late"}
    assert tags <= set(shown(desktop, capfd, "show", PAPER)["tags"])  # type: ignore[index]
    assert do(desktop, "share", "check") == 0


def test_who_removed_a_paper_hears_that_another_device_brought_it_back(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(laptop, "list")
    do(desktop, "rm", PAPER)
    do(laptop, "pass", PAPER, "1", "--takeaway", "x")
    exchange(desktop, laptop)
    for folder, is_told in ((desktop, True), (laptop, False)):
        capfd.readouterr()
        assert do(folder, "show", PAPER) == 0
        assert ("is there again" in capfd.readouterr().err) == is_told


def test_a_database_that_is_damaged_is_made_anew_from_the_logs(
    desktop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(desktop, "pass", PAPER, "2", "--takeaway", "kept")
    before = without_numbers(shown(desktop, capfd, "show", PAPER))
    database = desktop / "data" / "papertrack.db"
    for backup in (desktop / "data").rglob("*.bak"):
        backup.unlink()
    shutil.rmtree(desktop / "data" / "backups", ignore_errors=True)
    damaged = database.read_bytes()[:100] + b"x" * 60_000
    database.write_bytes(damaged)
    assert do(desktop, "doctor", "--repair") == 0
    assert without_numbers(shown(desktop, capfd, "show", PAPER)) == before
    assert do(desktop, "share", "check") == 0
    assert [one.read_bytes() for one in database.parent.glob("*.damaged-*")] == [damaged]


def test_marks_of_a_merge_and_lines_of_a_newer_papertrack_stop_nothing(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(laptop, "list")
    do(desktop, "tag", PAPER, "+one")
    (log,) = logs(desktop)
    shutil.copy(log, laptop / log.relative_to(desktop))
    with (laptop / log.relative_to(desktop)).open("a") as file:
        file.write("<<<<<<< HEAD\nv2 of something else\n")
    capfd.readouterr()
    paper = shown(laptop, capfd, "show", PAPER)
    assert isinstance(paper, dict)
    assert "one" in paper["tags"]
    do(laptop, "share", "status", "--json")
    status = json.loads(capfd.readouterr().out)
    assert [device["unreadable"] for device in status["devices"]] == [0, 2]


def test_a_log_that_vanished_is_a_question(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(laptop, "list")
    shutil.rmtree(laptop / "journal" / logs(desktop)[0].parent.name)
    capfd.readouterr()
    assert do(laptop, "list") == 0
    assert "is shorter than it was" in capfd.readouterr().err


def test_a_library_that_is_not_shared_has_no_journal(tmp_path: Path) -> None:
    run(["demo", str(tmp_path / "alone")])
    do(tmp_path / "alone", "tag", PAPER, "+moe")
    assert not (tmp_path / "alone" / "journal").exists()
    assert not (tmp_path / "alone" / ".gitignore").exists()


@pytest.fixture
def undecided(desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]) -> tuple[Path, Path]:
    """Two devices that gave two reasons, and two titles, without knowing of each other."""
    for folder, word in ((desktop, "old"), (laptop, "dull")):
        do(folder, "discard", PAPER, "--reason", word)
        do(folder, "edit", PAPER, f"title=An {word} title")
    exchange(desktop, laptop)
    capfd.readouterr()
    return desktop, laptop


def device_of(folder: Path, capfd: pytest.CaptureFixture[str]) -> str:
    status = shown(folder, capfd, "share", "status")
    assert isinstance(status, dict)
    return next(str(one["device"]) for one in status["devices"] if one["is_this"])


def test_sync_shows_what_devices_set_differently(
    undecided: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    for folder in undecided:
        assert do(folder, "sync") == 5
        told = capfd.readouterr().err
        assert "'old' by" in told
        assert "'dull' by" in told
        synced = shown(folder, capfd, "sync")
        assert isinstance(synced, dict)
        assert [one["cell"] for one in synced["contradictions"]] == [
            "paper_states/decision_reason",
            "papers/title",
        ]


@pytest.mark.parametrize("right", ["desktop", "laptop"])
def test_the_device_that_is_preferred_settles_it_for_all(
    undecided: tuple[Path, Path], capfd: pytest.CaptureFixture[str], right: str
) -> None:
    desktop, laptop = undecided
    names = {"desktop": device_of(desktop, capfd), "laptop": device_of(laptop, capfd)}
    word = {"desktop": "old", "laptop": "dull"}[right]
    assert do(desktop, "sync", "--prefer", names[right]) == 0
    exchange(desktop, laptop)
    assert do(desktop, "sync") == do(laptop, "sync") == 0
    for folder in undecided:
        paper = shown(folder, capfd, "show", PAPER)
        assert isinstance(paper, dict)
        assert (paper["decision_reason"], paper["title"]) == (word, f"An {word} title")
        assert do(folder, "share", "check") == 0
        found = shown(folder, capfd, "list", f"title:{word}", "--all")
        assert isinstance(found, list)
        assert len(found) == 1


def test_a_dry_run_settles_nothing(
    undecided: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    desktop, _ = undecided
    name = device_of(desktop, capfd)
    before = [log.read_bytes() for log in logs(desktop)]
    assert do(desktop, "sync", "--prefer", name, "--dry-run") == 0
    assert [log.read_bytes() for log in logs(desktop)] == before
    assert do(desktop, "share", "status") == 5


def test_an_unknown_device_cannot_be_preferred(
    undecided: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    assert do(undecided[0], "sync", "--prefer", "nobody") == 2
    assert "there is no such device" in capfd.readouterr().err


def test_each_contradiction_can_be_asked_about(
    undecided: tuple[Path, Path],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desktop, _ = undecided
    status = shown(desktop, capfd, "share", "status")
    assert isinstance(status, dict)
    reasons = status["contradictions"][0]["said"]
    (device, earlier), (_, counting) = reasons
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{device}\nleave\n"))
    assert do(desktop, "sync", "--interactive") == 5
    paper = shown(desktop, capfd, "show", PAPER)
    assert isinstance(paper, dict)
    assert paper["decision_reason"] == earlier
    status = shown(desktop, capfd, "share", "status")
    assert isinstance(status, dict)
    assert [one["cell"] for one in status["contradictions"]] == ["papers/title"]
    assert do(desktop, "undo") == 0
    paper = shown(desktop, capfd, "show", PAPER)
    assert isinstance(paper, dict)
    assert paper["decision_reason"] == counting


@pytest.mark.parametrize("is_there", [False, True])
def test_a_library_can_be_made_shared(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], is_there: bool
) -> None:
    folder = tmp_path / "shared"
    if is_there:
        assert run(["init", str(folder)]) == 0
        do(folder, "add", "--offline", PAPER)
    assert run(["init", str(folder), "--shared", "--json"]) == 0
    made = json.loads(capfd.readouterr().out)
    assert made["is_new"] is not is_there
    assert made["device"] == device_of(folder, capfd)
    do(folder, "add", "--offline", "2309.06180")
    assert len(logs(folder)) == 1
    assert do(folder, "share", "check") == 0
    assert "data/" in (folder / ".gitignore").read_text().split()


def test_a_dry_run_of_init_shares_nothing(tmp_path: Path) -> None:
    run(["init", str(tmp_path / "dry")])
    assert run(["init", str(tmp_path / "dry"), "--shared", "--dry-run"]) == 0
    assert not (tmp_path / "dry" / "journal").exists()


def test_two_libraries_of_one_list_become_one_when_the_first_is_shared(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    # Two curators of one README, each with a database of years, of which git knows nothing.
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    (here / "README.md").write_text(
        "# L\n\n## X\n\n"
        "- [Attention Is All You Need](https://arxiv.org/abs/1706.03762)\n"
        "- [Adam: A Method for Stochastic Optimization](https://arxiv.org/abs/1412.6980)\n"
    )
    (here / ".gitignore").write_text("data/\npapertrack.toml\n")
    git(here, "init", "-q", "-b", "main")
    git(here, "add", ".")
    git(here, "commit", "-q", "-m", "A list")
    git(tmp_path, "clone", "-q", str(here), "there")
    for folder in (here, there):
        assert run(["init", str(folder)]) == 0
        assert do(folder, "import", str(folder / "README.md")) == 0
    assert do(here, "pass", "1706.03762", "--takeaway", "heads") == 0
    assert do(there, "pass", "1412.6980", "--takeaway", "moments") == 0
    assert do(there, "tag", "1706.03762", "classic") == 0
    assert do(here, "share", "on") == 0
    exchange(here, there)
    capfd.readouterr()

    assert do(there, "list") == 0
    told = capfd.readouterr().err
    exchange(here, there)

    lists = [without_numbers(shown(folder, capfd, "list")) for folder in (here, there)]
    assert lists[0] == lists[1]
    papers = {paper["arxiv_id"]: paper for paper in lists[0]}
    assert len(lists[0]) == 2
    assert [one["takeaway"] for one in papers["1412.6980"]["readings"]] == ["moments"]
    assert [one["takeaway"] for one in papers["1706.03762"]["readings"]] == ["heads"]
    assert papers["1706.03762"]["tags"] == ["classic"]
    assert {tuple(paper["categories"]) for paper in lists[0]} == {("X",)}
    assert "is shared from now on" in told
    assert [do(folder, "share", "check") for folder in (here, there)] == [0, 0]
    assert [do(folder, "sync") for folder in (here, there)] == [0, 0]


def test_compacting_says_that_everything_counts_and_what_is_to_be_committed_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "library"
    monkeypatch.setenv("PAPERTRACK_NOW", "2024-01-02T08:00:00+00:00")
    assert run(["demo", str(folder)]) == 0
    assert do(folder, "share", "on") == 0
    (log,) = logs(folder)
    before, count = log.read_bytes(), len(log.read_bytes().splitlines())
    monkeypatch.setenv("PAPERTRACK_NOW", "2026-01-02T08:00:00+00:00")
    assert do(folder, "share", "compact") == 0
    said = capfd.readouterr().err
    assert f"nothing to make shorter: {count} of {count} lines" in said
    assert shown(folder, capfd, "share", "compact") == {
        "replaced": [],
        "file": None,
        "lines": count,
        "kept": count,
        "dry_run": False,
    }
    assert (logs(folder), log.read_bytes()) == ([log], before)
    monkeypatch.setenv("PAPERTRACK_NOW", "2024-01-03T08:00:00+00:00")
    for tag in ("+x", "-x", "+x", "-x"):
        assert do(folder, "tag", PAPER, "--", tag) == 0
    git(folder, "init", "-q", "-b", "main")
    monkeypatch.setenv("PAPERTRACK_NOW", "2026-01-02T08:00:00+00:00")
    capfd.readouterr()
    assert do(folder, "share", "compact") == 1
    assert "`papertrack sync --git` commits it" in capfd.readouterr().err
    assert do(folder, "sync", "--git") == 0
    assert do(folder, "share", "compact") == 0
    assert logs(folder) != [log]
    assert do(folder, "share", "check") == 0

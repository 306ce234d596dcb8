"""``sync --git``: a bare repository, and two devices that work on it with the real git."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.share.test_share import PAPER, device_of, do, git, own_state, shown

__all__ = ["own_state"]


def words(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def desktop(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Path:
    folder = tmp_path / "desktop"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "hub.git")
    assert do(folder, "demo", str(folder)) == 0
    git(folder, "init", "-q", "-b", "main")
    git(folder, "remote", "add", "origin", str(tmp_path / "hub.git"))
    git(folder, "add", "README.md")
    git(folder, "commit", "-q", "-m", "A list")
    assert do(folder, "share", "on") == 0
    assert do(folder, "sync", "--git") == 0
    capfd.readouterr()
    return folder


@pytest.fixture
def laptop(desktop: Path, tmp_path: Path) -> Path:
    git(tmp_path, "clone", "-q", str(tmp_path / "hub.git"), "laptop")
    assert do(tmp_path / "laptop", "trust", str(tmp_path / "laptop")) == 0
    return tmp_path / "laptop"


def test_the_first_sync_commits_what_is_shared_and_pushes_it(desktop: Path) -> None:
    names = words(desktop, "ls-tree", "-r", "--name-only", "origin/main").split()
    assert {"README.md", ".gitignore", ".gitattributes", "papertrack.toml"} <= set(names)
    assert any(name.startswith("journal/") for name in names)
    assert not [name for name in names if name.startswith("data/")]
    assert words(desktop, "status", "--porcelain", "--", "journal", "README.md") == ""


def test_what_both_did_reaches_both_and_their_readmes_are_the_same(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(desktop, "pass", PAPER, "3", "--takeaway", "from the desktop")
    do(laptop, "tag", PAPER, "+moe")
    assert do(desktop, "sync", "--git") == 0
    synced = shown(laptop, capfd, "sync", "--git")
    assert isinstance(synced, dict)
    assert synced["git"]["pulled"] == 1
    assert synced["git"]["pushed"] is True
    assert do(desktop, "sync", "--git") == 0
    for folder in (desktop, laptop):
        paper = shown(folder, capfd, "show", PAPER)
        assert isinstance(paper, dict)
        assert (paper["passes_done"], paper["tags"]) == (3, ["moe"])
        assert do(folder, "share", "check") == 0
    assert (desktop / "README.md").read_bytes() == (laptop / "README.md").read_bytes()
    assert words(desktop, "rev-parse", "HEAD") == words(laptop, "rev-parse", "HEAD")


def test_a_commit_says_what_was_read(desktop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    do(desktop, "pass", PAPER, "3")
    do(desktop, "tag", PAPER, "+moe")
    do(desktop, "sync", "--git")
    subject, _, *body = words(desktop, "log", "-1", "--format=%B").strip().split("\n")
    assert subject == f"1 paper read, tag 1 ({device_of(desktop, capfd)})"
    assert [line.partition(":")[0] for line in body] == ["pass", "tag"]


def test_a_commit_counts_papers_not_what_was_written_of_them(
    desktop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(desktop, "pass", PAPER, "1")
    do(desktop, "pass", PAPER, "2")
    do(desktop, "add", "--offline", "2401.00001", "--category", "A new one")
    do(desktop, "tag", PAPER, "2309.06180", "+moe")
    do(desktop, "sync", "--git")
    subject = words(desktop, "log", "-1", "--format=%s").strip()
    assert subject == f"1 paper read, 1 paper added, tag 1 ({device_of(desktop, capfd)})"


def test_a_log_made_shorter_reaches_the_others_and_costs_no_words(
    desktop: Path,
    laptop: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for tag in ("+moe", "-moe", "+moe", "-moe"):
        do(desktop, "tag", PAPER, "--", tag)
    do(desktop, "sync", "--git")
    do(laptop, "sync", "--git")
    monkeypatch.setenv("PAPERTRACK_NOW", "2028-03-04T10:00:00+00:00")
    shortened = shown(desktop, capfd, "share", "compact")
    assert isinstance(shortened, dict)
    assert shortened["kept"] < shortened["lines"]
    do(desktop, "sync", "--git")
    device = device_of(desktop, capfd)
    assert words(desktop, "log", "-1", "--format=%s").strip() == f"Compact 1 ({device})"
    there = words(desktop, "ls-tree", "-r", "--name-only", "origin/main", f"journal/{device}/")
    assert there.split() == [f"journal/{shortened['file']}"]
    capfd.readouterr()
    assert do(laptop, "sync", "--git") == 0
    assert "shorter" not in capfd.readouterr().err
    assert do(laptop, "share", "check") == do(desktop, "share", "check") == 0
    assert do(desktop, "share", "compact") == 0
    assert "nothing to make shorter" in capfd.readouterr().err


def test_a_sync_with_nothing_new_makes_no_commit(desktop: Path) -> None:
    before = words(desktop, "rev-parse", "HEAD")
    assert do(desktop, "sync", "--git") == 0
    assert words(desktop, "rev-parse", "HEAD") == before


def test_who_is_overtaken_tries_again(
    desktop: Path, laptop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from papertrack.actions.share import repository

    do(desktop, "tag", PAPER, "+one")
    do(laptop, "tag", PAPER, "+two")
    pushed: list[repository.Repository] = []
    push = repository.push

    def overtaken(own: repository.Repository) -> bool:
        if not pushed:
            pushed.append(own)
            assert do(laptop, "sync", "--git") == 0
        return push(own)

    monkeypatch.setattr(repository, "push", overtaken)
    assert do(desktop, "sync", "--git") == 0
    assert words(desktop, "rev-parse", "HEAD") == words(desktop, "rev-parse", "origin/main")
    assert words(laptop, "rev-parse", "HEAD").strip() in words(desktop, "rev-list", "HEAD")


def test_nothing_of_git_runs_in_a_library_that_is_not_trusted(
    desktop: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    git(tmp_path, "clone", "-q", str(tmp_path / "hub.git"), "strange")
    strange, proof = tmp_path / "strange", tmp_path / "proof"
    git(strange, "config", "core.fsmonitor", f"touch {proof}")
    assert do(strange, "sync", "--git") == 1
    assert "papertrack trust" in capfd.readouterr().err
    assert not proof.exists()


def test_a_remote_that_cannot_be_reached_is_told_in_a_sentence(
    desktop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    git(desktop, "remote", "set-url", "origin", str(desktop / "nowhere"))
    do(desktop, "tag", PAPER, "+kept")
    assert do(desktop, "sync", "--git") == 1
    told = capfd.readouterr().err
    assert "`git fetch` failed" in told
    assert "run this again" in told
    assert "Traceback" not in told


def test_files_that_contradict_are_named_and_stay_as_they_are(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for folder in (desktop, laptop):
        (folder / "notes" / "both.md").write_text(f"# What {folder.name} thinks\n")
        code = do(folder, "sync", "--git")
    assert code == 1
    assert "notes/both.md contradicts what others pushed" in capfd.readouterr().err
    assert (laptop / "notes" / "both.md").read_text() == "# What laptop thinks\n"
    assert "rebase" not in words(laptop, "status")


def test_files_of_the_readers_own_are_not_committed(desktop: Path) -> None:
    (desktop / "draft.tex").write_text("mine")
    do(desktop, "tag", PAPER, "+x")
    assert do(desktop, "sync", "--git") == 0
    assert words(desktop, "status", "--porcelain") == "?? draft.tex\n"


def test_a_dry_run_pulls_commits_and_pushes_nothing(
    desktop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(desktop, "tag", PAPER, "+x")
    before = words(desktop, "rev-parse", "HEAD")
    synced = shown(desktop, capfd, "sync", "--git", "--dry-run")
    assert isinstance(synced, dict)
    assert synced["git"] is None
    assert words(desktop, "rev-parse", "HEAD") == before


def test_a_readme_that_both_wrote_is_merged_by_entries(desktop: Path, laptop: Path) -> None:
    attributes = (desktop / ".gitattributes").read_text().splitlines()
    assert "/README.md merge=papertrack" in attributes
    for folder, number in ((desktop, 2), (laptop, 3)):
        readme = folder / "README.md"
        lines = readme.read_text().splitlines(keepends=True)
        place = next(n for n, line in enumerate(lines) if "via Speculative Decoding</u>" in line)
        link = f"https://arxiv.org/abs/2211.0000{number}"
        lines.insert(place, f"| [<u>Work {number}</u>]({link}) | 2022/11 | | | | |\n")
        readme.write_text("".join(lines))
        assert do(folder, "sync", "--git") == 0
    assert do(desktop, "sync", "--git") == 0
    text = (desktop / "README.md").read_text()
    assert text == (laptop / "README.md").read_text()
    assert "<<<<<<<" not in text
    assert text.count("<u>Work 2</u>") == text.count("<u>Work 3</u>") == 1


def row(number: int, words: str = "") -> str:
    link = f"https://arxiv.org/abs/2211.0000{number}"
    return f"| [<u>Work {number}</u>]({link}) | 2022/11 | {words} | | | |\n"


def test_what_devices_set_differently_is_told_in_readers_words(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(laptop, "list")
    assert do(desktop, "edit", PAPER, "title=One") == 0
    assert do(laptop, "edit", PAPER, "title=Other") == 0
    assert do(desktop, "sync", "--git") == 0
    capfd.readouterr()
    assert do(laptop, "sync", "--git") == 5
    told = capfd.readouterr().err
    assert ": title is 'O" in told
    assert "'One' by " in told
    assert "'Other' by " in told
    assert "papers/" not in told


@pytest.mark.parametrize("is_noted", [False, True])
def test_a_rebase_that_was_killed_as_it_began_is_taken_back(laptop: Path, is_noted: bool) -> None:
    do(laptop, "list")
    git(laptop, "update-ref", "refs/papertrack/rebasing/main", "HEAD")
    state = laptop / ".git" / "rebase-merge"
    state.mkdir()
    if is_noted:
        (state / "orig-head").touch()  # What it is to hold was not written yet.
    assert do(laptop, "sync", "--git") == 0
    assert not state.exists()


def test_what_was_done_since_a_rebase_was_killed_stays(laptop: Path, desktop: Path) -> None:
    do(laptop, "tag", PAPER, "+before")
    assert do(laptop, "sync", "--git") == 0
    head = words(laptop, "rev-parse", "HEAD").strip()
    git(laptop, "update-ref", "refs/papertrack/rebasing/main", head)
    state = laptop / ".git" / "rebase-merge"
    state.mkdir()
    for name in ("orig-head", "onto"):
        (state / name).write_text(head + "\n")
    assert do(laptop, "tag", PAPER, "+since") == 0
    assert do(laptop, "sync", "--git") == 0
    assert not state.exists()
    assert do(desktop, "sync", "--git") == 0
    said = "".join(log.read_text() for log in desktop.glob("journal/*/*.log"))
    assert [said.count(f"tags/{tag}") for tag in ("before", "since")] == [1, 1]
    assert do(laptop, "share", "check") == 0


def write_rows(folder: Path, *rows: str) -> None:
    readme = folder / "README.md"
    lines = readme.read_text().splitlines(keepends=True)
    place = next(n for n, line in enumerate(lines) if "via Speculative Decoding</u>" in line)
    readme.write_text("".join([*lines[:place], *rows, *lines[place:]]))


def torn(desktop: Path, laptop: Path) -> Path:
    """The list of the laptop, as git leaves it that knows of no driver."""
    git(laptop, "add", ".")
    git(laptop, "commit", "-q", "-m", "Mine")
    assert do(desktop, "sync", "--git") == 0
    git(laptop, "fetch", "-q")
    merge = ["git", "-C", str(laptop), "-c", "merge.papertrack.driver=false", "merge"]
    without = laptop / ".git" / "info" / "attributes"
    without.write_text("README.md merge=text\n")
    assert subprocess.run([*merge, "origin/main"], capture_output=True).returncode == 1
    assert "<<<<<<<" in (laptop / "README.md").read_text()
    return laptop / "README.md"


def test_a_list_that_arrives_with_markers_is_finished_by_entries(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(laptop, "list")
    write_rows(desktop, row(2), row(4))
    write_rows(laptop, row(3))
    readme = torn(desktop, laptop)
    assert do(laptop, "sync") == 1  # It says two things.
    synced = shown(laptop, capfd, "sync", "--resolve")
    assert isinstance(synced, dict)
    assert [(one["conflicts"], one["left"]) for one in synced["resolved"]] == [(1, [])]
    text = readme.read_text()
    assert "<<<<<<<" not in text
    assert [text.count(f"<u>Work {number}</u>") for number in (2, 3, 4)] == [1, 1, 1]
    git(laptop, "add", "README.md")
    git(laptop, "commit", "-q", "--no-edit")
    assert do(laptop, "sync", "--git") == 0
    assert do(desktop, "sync", "--git") == 0
    assert (desktop / "README.md").read_bytes() == readme.read_bytes()


def test_what_contradicts_in_a_list_with_markers_is_told_and_stays(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(laptop, "list")
    write_rows(desktop, row(2), row(4, "good"))
    write_rows(laptop, row(3), row(4, "bad"))
    readme = torn(desktop, laptop)
    before = readme.read_bytes()
    assert do(laptop, "sync", "--resolve", "--dry-run") == 5
    assert readme.read_bytes() == before
    capfd.readouterr()
    assert do(laptop, "sync", "--resolve") == 5
    told = capfd.readouterr().err
    assert "bad" in told
    assert "good" in told
    text = readme.read_text()
    assert text.count("<<<<<<<") == 1
    assert [text.count(f"<u>Work {number}</u>") for number in (2, 3, 4)] == [1, 1, 2]


def test_what_stood_between_markers_comes_back_by_undo(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do(laptop, "list")
    write_rows(desktop, row(2), row(4, "good"))
    write_rows(laptop, row(3), row(4, "bad"))
    readme = torn(desktop, laptop)
    before = readme.read_bytes()
    assert do(laptop, "sync", "--resolve") == 5
    finished = readme.read_bytes()
    done = shown(laptop, capfd, "log", "--json")
    (number,) = (one["id"] for one in done if one["verb"] == "resolve")
    assert do(laptop, "undo", str(number)) == 0
    assert readme.read_bytes() == before
    assert do(laptop, "redo") == 0
    assert readme.read_bytes() == finished


def driver(folder: Path) -> str:
    command = ["git", "-C", str(folder), "config", "--get", "merge.papertrack.driver"]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()


def test_git_is_told_of_the_merge_by_entries_in_each_clone(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert "merge-file %O %A %B --path %P" in driver(desktop)
    assert driver(laptop) == ""
    capfd.readouterr()
    do(laptop, "list")
    assert "line by line" in capfd.readouterr().err
    do(laptop, "list")
    assert "line by line" not in capfd.readouterr().err
    health = shown(laptop, capfd, "doctor")
    assert isinstance(health, dict)
    assert [one["message"][:15] for one in health["findings"] if one["part"] == "sharing"] == [
        "git merges list"
    ]
    do(laptop, "doctor", "--repair")
    assert driver(laptop) == driver(desktop)
    git(laptop, "config", "merge.papertrack.driver", "gone")
    assert do(laptop, "share", "on") == 0
    assert driver(laptop) == driver(desktop)


def test_git_alone_merges_by_entries_once_it_was_told(desktop: Path, laptop: Path) -> None:
    assert do(laptop, "share", "on") == 0
    write_rows(desktop, row(2))
    write_rows(laptop, row(3))
    git(laptop, "commit", "-q", "-a", "-m", "Mine")
    assert do(desktop, "sync", "--git") == 0
    git(laptop, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    text = (laptop / "README.md").read_text()
    assert "<<<<<<<" not in text
    assert [text.count(f"<u>Work {number}</u>") for number in (2, 3)] == [1, 1]


def test_doctor_says_what_is_wrong_with_the_logs(
    desktop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def found() -> list[str]:
        health = shown(desktop, capfd, "doctor")
        assert isinstance(health, dict)
        return [one["message"] for one in health["findings"] if one["part"] == "sharing"]

    assert found() == []
    foreign = desktop / "journal" / "other" / "2026-11.log"
    foreign.parent.mkdir()
    foreign.write_text("<<<<<<< HEAD\n")
    assert ["could not be read" in one for one in found()] == [True]


def stopped(desktop: Path, laptop: Path) -> None:
    """A rebase of the laptop, as a kill leaves it."""
    do(desktop, "tag", PAPER, "+one")
    do(laptop, "tag", PAPER, "+two")
    git(laptop, "add", ".")
    git(laptop, "commit", "-q", "-m", "Mine")
    assert do(desktop, "sync", "--git") == 0
    git(laptop, "fetch", "-q")
    rebase = ["git", "-C", str(laptop), "rebase", "-q", "--exec", "false", "origin/main"]
    assert subprocess.run(rebase, capture_output=True).returncode == 1


def test_a_rebase_of_sync_that_was_killed_is_taken_back_by_the_next_one(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    stopped(desktop, laptop)
    git(laptop, "update-ref", "refs/papertrack/rebasing/main", "refs/heads/main")
    assert do(laptop, "sync", "--git") == 0
    assert do(desktop, "sync", "--git") == 0
    for folder in (desktop, laptop):
        paper = shown(folder, capfd, "show", PAPER)
        assert isinstance(paper, dict)
        assert paper["tags"] == ["one", "two"]
    assert words(laptop, "for-each-ref", "refs/papertrack") == ""
    assert words(laptop, "rev-parse", "HEAD") == words(desktop, "rev-parse", "HEAD")


@pytest.mark.parametrize("is_after_a_kill", [False, True])
def test_a_rebase_of_the_readers_own_is_left_alone(
    desktop: Path, laptop: Path, capfd: pytest.CaptureFixture[str], is_after_a_kill: bool
) -> None:
    if is_after_a_kill:  # One that had nothing to be taken back, but did not get to say so.
        git(laptop, "update-ref", "refs/papertrack/rebasing/main", "HEAD")
    stopped(desktop, laptop)
    before = words(laptop, "status")
    assert do(laptop, "sync", "--git") == 1
    assert "is not finished" in capfd.readouterr().err
    assert words(laptop, "status") == before

"""A library shared through git: what two clones do reaches both, as text that people can read."""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from papertrack.actions.share import connect, records, repository
from papertrack.library import Library
from papertrack.records import Identifier, PaperFacts
from papertrack.store.lookup import find_paper, get_paper
from papertrack.store.papers import add_links, add_papers, remove_link
from papertrack.store.records import name_records, read_papers, write_categories, write_papers
from papertrack.store.store import Store
from tests.share.clones import OTHER, PAPER, Captured, do, exchange, git, paper, push, record, shown

TITLE = "Fast Inference from Transformers via Speculative Decoding</u>"


def test_a_clone_says_what_the_library_said(desktop: Path, laptop: Path, capfd: Captured) -> None:
    here, there = (
        sorted(str({k: v for k, v in one.items() if k != "id"}) for one in shown(x, capfd, "list"))
        for x in (desktop, laptop)
    )
    assert here == there
    assert (desktop / "README.md").read_bytes() == (laptop / "README.md").read_bytes()
    assert git(laptop, "status", "--porcelain") == ""


def test_one_pass_changes_one_file_by_at_most_200_bytes(desktop: Path) -> None:
    size = record(desktop).stat().st_size
    assert do(desktop, "pass", PAPER, "3") == 0
    assert git(desktop, "status", "--porcelain").split() == ["M", f"papers/{PAPER}.toml"]
    assert record(desktop).stat().st_size - size <= 200


def test_naming_records_costs_twice_as_much_for_twice_as_many_papers(tmp_path: Path) -> None:
    def steps(count: int) -> int:
        identifiers = [Identifier("arxiv", f"2401.{number:05}") for number in range(1, count + 1)]
        papers = [PaperFacts(identifiers=(one,)) for one in identifiers]
        done: list[int] = []
        store = Store.create(tmp_path / f"{count}.db", now=lambda: datetime.now(UTC))
        with store, store.action("import"):
            ids = add_papers(store, papers, source="test", decision="saved")
            store.connection.set_progress_handler(lambda: done.append(1), 100)
            name_records(store, ids)
            store.connection.set_progress_handler(None, 0)
        return len(done)

    assert steps(400) < 3 * steps(200)


def test_filing_papers_costs_in_proportion(tmp_path: Path) -> None:
    """Each paper of a record's categories looked at every category of the library."""

    def steps(count: int) -> int:
        table = {f"c{number}": {"name": f"c{number}"} for number in range(20 * count)}
        done: list[int] = []
        store = Store.create(tmp_path / f"{count}.db", now=lambda: datetime.now(UTC))
        with store, store.action("import"):
            (paper_id,) = add_papers(store, [PaperFacts(title="A")], source="t", decision="saved")
            write_categories(store, table, {})
            (before,) = read_papers(store, [paper_id]).values()
            store.connection.set_progress_handler(lambda: done.append(1), 100)
            after = before | {"categories": [f"c{number}" for number in range(count)]}
            write_papers(store, {paper_id: (before, after)})
            store.connection.set_progress_handler(None, 0)
        return len(done)

    assert steps(200) < 3 * steps(100)


@pytest.mark.parametrize("moment", ["read_plain", "replace_whole"])
def test_what_another_process_does_while_a_record_is_written_stays(
    desktop: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    begun: list[subprocess.Popen[bytes]] = []
    real = getattr(records, moment)

    def slow(*arguments: Any) -> Any:
        found = real(*arguments) if moment == "read_plain" else None
        if not begun:
            command = [sys.executable, "-m", "papertrack", "--library", str(desktop)]
            begun.append(subprocess.Popen([*command, "tag", PAPER, "+theirs"]))
            with suppress(subprocess.TimeoutExpired):  # It may wait for its turn.
                begun[0].wait(3)
        return found if moment == "read_plain" else real(*arguments)

    monkeypatch.setattr(records, moment, slow)
    assert do(desktop, "tag", PAPER, "+mine") == 0
    assert [one.wait(30) for one in begun] == [0]
    assert {"mine", "theirs"} <= set(paper(desktop, capfd)["tags"])
    assert "theirs" in record(desktop).read_text()
    assert "share" not in [one["verb"] for one in shown(desktop, capfd, "log")]


def test_what_both_did_reaches_both(desktop: Path, laptop: Path, capfd: Captured) -> None:
    do(desktop, "pass", PAPER, "3", "--takeaway", "from the desktop", "--minutes", "120")
    do(laptop, "pass", PAPER, "2", "--takeaway", "from the laptop")
    do(laptop, "tag", PAPER, "+moe")
    do(laptop, "add", "--offline", "2405.04437", "--category", "Serving")
    exchange(desktop, laptop)
    here, there = paper(desktop, capfd), paper(laptop, capfd)
    assert here == there
    assert (here["passes_done"], here["tags"]) == (3, ["moe"])
    assert str(here["readings"]).count("from the") == 2
    assert paper(desktop, capfd, "2405.04437")["categories"] == ["Serving"]
    assert (desktop / "README.md").read_bytes() == (laptop / "README.md").read_bytes()


def test_an_edit_by_hand_and_a_plain_pull_are_taken_in_by_the_next_command(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    text = record(laptop).read_text()
    record(laptop).write_text(text.replace('submitted = "2022-11"', 'submitted = "2022-12"'))
    assert paper(laptop, capfd)["submitted"] == "2022-12"
    push(laptop)
    git(desktop, "pull", "-q", "--no-rebase", "origin", "main")
    assert paper(desktop, capfd)["submitted"] == "2022-12"


def test_what_contradicts_is_kept_until_somebody_decides(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    do(desktop, "edit", PAPER, "venue=ICML")
    do(laptop, "edit", PAPER, "venue=NeurIPS")
    assert do(desktop, "sync", "--git") == 0
    assert do(laptop, "sync", "--git") == 5
    assert do(desktop, "sync", "--git") == 5
    told = shown(desktop, capfd, "share", "status")["contradictions"]
    assert [(one["field"], one["values"]) for one in told] == [("venue", ["ICML", "NeurIPS"])]
    assert do(desktop, "edit", PAPER, "venue=ICML 2023") == 0
    exchange(desktop, laptop)
    for folder in (desktop, laptop):
        assert do(folder, "sync") == 0
        assert paper(folder, capfd)["venue"] == "ICML 2023"


def test_what_is_shown_can_be_kept(desktop: Path, laptop: Path, capfd: Captured) -> None:
    for folder, venue in ((desktop, "ICML"), (laptop, "NeurIPS")):
        do(folder, "edit", PAPER, f"venue={venue}")
        do(folder, "sync", "--git")
    shows = paper(laptop, capfd)["venue"]
    assert do(laptop, "sync", "--prefer", "library") == 0
    assert do(laptop, "share", "status") == 0
    assert paper(laptop, capfd)["venue"] == shows
    exchange(laptop, desktop)
    assert do(desktop, "share", "status") == 0


def test_papers_that_both_merge_crosswise_are_one_and_undo_parts_them(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    count = len(shown(desktop, capfd, "list", "--all"))
    do(desktop, "merge", PAPER, OTHER)
    do(laptop, "merge", OTHER, PAPER)
    do(laptop, "tag", PAPER, "+moe")
    exchange(desktop, laptop)
    here, there = (paper(folder, capfd) for folder in (desktop, laptop))
    assert here["tags"] == there["tags"] == ["moe"]
    for folder in (desktop, laptop):
        assert len(shown(folder, capfd, "list", "--all")) == count - 1
    assert record(desktop, OTHER).exists()
    assert record(desktop, PAPER).exists()


def test_links_of_a_merged_paper_stand_everywhere_in_one_order(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    do(desktop, "merge", PAPER, OTHER)
    library = Library(desktop)
    with Store.open(library.database, now=lambda: datetime.now(UTC)) as store:
        connect(store, library, {})
        number = find_paper(store, [Identifier("arxiv", PAPER)])
        assert number is not None
        first = get_paper(store, number).facts.links[0]
        with store.action("edit"):
            remove_link(store, number, first.role, first.url)
            add_links(store, number, [first])
    exchange(desktop, laptop)
    here, there = (paper(folder, capfd)["links"] for folder in (desktop, laptop))
    assert here == there
    assert len(here) > 1


def test_undo_of_a_merge_takes_the_link_out(desktop: Path, laptop: Path, capfd: Captured) -> None:
    count = len(shown(desktop, capfd, "list", "--all"))
    do(desktop, "merge", PAPER, OTHER)
    exchange(desktop, laptop)
    assert len(shown(laptop, capfd, "list", "--all")) == count - 1
    do(desktop, "undo")
    exchange(desktop, laptop)
    for folder in (desktop, laptop):
        assert len(shown(folder, capfd, "list", "--all")) == count
        assert paper(folder, capfd, OTHER)["arxiv_id"] == OTHER


@pytest.mark.parametrize(("gone", "left"), [(PAPER, OTHER), (OTHER, PAPER)])
def test_a_merged_paper_of_which_others_removed_a_part_stays_the_other(
    desktop: Path, laptop: Path, capfd: Captured, gone: str, left: str
) -> None:
    do(desktop, "merge", left, gone)
    exchange(desktop, laptop)
    number = shown(laptop, capfd, "show", left)["id"]
    do(desktop, "undo")
    do(desktop, "rm", gone)
    exchange(desktop, laptop)
    assert paper(desktop, capfd, left) == paper(laptop, capfd, left)
    assert shown(laptop, capfd, "show", left)["id"] == number
    assert do(laptop, "show", gone) == 3


def test_a_paper_filed_under_a_category_that_was_renamed_meanwhile_follows(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    do(desktop, "category", "rename", "Serving", "Serving LLMs")
    do(laptop, "add", "--offline", "2405.04437", "--category", "Serving")
    assert do(desktop, "sync", "--git") == 0
    do(laptop, "sync", "--git")
    do(desktop, "sync", "--git")
    for folder in (desktop, laptop):
        assert paper(folder, capfd, "2405.04437")["categories"] == ["Serving LLMs"]


def test_two_categories_that_get_one_name_are_one(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    do(desktop, "category", "rename", "Serving", "Systems")
    do(laptop, "category", "rename", "Long Context", "Systems")
    do(desktop, "sync", "--git")
    do(laptop, "sync", "--git")
    do(desktop, "sync", "--git")
    for folder in (desktop, laptop):
        names = [one["category"] for one in shown(folder, capfd, "category", "list")]
        assert names.count("Systems") == 1
        assert not {"Serving", "Long Context"} & set(names)
    do(desktop, "category", "rename", "Systems", "All of it")
    exchange(desktop, laptop)
    names = [one["category"] for one in shown(laptop, capfd, "category", "list")]
    assert ("All of it" in names, "Systems" in names) == (True, False)


def test_a_paper_that_one_removed_stays_if_the_other_worked_on_it(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    do(desktop, "rm", PAPER)
    do(desktop, "rm", OTHER)
    do(laptop, "tag", PAPER, "+moe")
    exchange(desktop, laptop)
    for folder in (desktop, laptop):
        assert paper(folder, capfd)["tags"] == ["moe"]
        assert do(folder, "show", OTHER) == 3
    assert "removed = true" in record(laptop, OTHER).read_text()


def test_a_paper_that_both_removed_stays_removed_whoever_worked_on_it(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    do(laptop, "tag", PAPER, "+moe")
    for folder in (desktop, laptop):
        do(folder, "rm", PAPER)
    exchange(desktop, laptop)
    for folder in (desktop, laptop):
        assert do(folder, "show", PAPER) == 3
        assert "removed = true" in record(folder).read_text()
        assert "conflicts" not in record(folder).read_text()


def test_a_merge_button_removes_no_paper_that_the_other_worked_on(
    desktop: Path, laptop: Path, tmp_path: Path, capfd: Captured
) -> None:
    """It merges records as text, so that the mark of a removal stands beside what is new."""
    do(desktop, "rm", PAPER)
    do(laptop, "tag", PAPER, "+moe")
    for folder, branch in ((laptop, "main"), (desktop, "request")):
        git(folder, "commit", "-q", "-am", "By hand")
        git(folder, "push", "-q", "origin", f"HEAD:refs/heads/{branch}")
    git(tmp_path, "clone", "-q", "hub.git", "forge")
    git(tmp_path / "forge", "merge", "-q", "--no-edit", "origin/request")
    git(tmp_path / "forge", "push", "-q", "origin", "HEAD:main")
    assert "removed = true" in record(tmp_path / "forge").read_text()
    exchange(desktop, laptop)
    for folder in (desktop, laptop):
        assert paper(folder, capfd)["tags"] == ["moe"]


def test_what_others_did_is_one_action_that_undo_takes_back_by_its_number(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    do(desktop, "tag", PAPER, "+moe")
    exchange(desktop, laptop)
    log = shown(laptop, capfd, "log")
    action = next(
        one for one in log if one["verb"] == "share" and "1 paper changed" in one["summary"]
    )
    assert do(laptop, "undo", str(action["id"])) == 0
    assert paper(laptop, capfd)["tags"] == []
    exchange(laptop, desktop)
    assert paper(desktop, capfd)["tags"] == []


def test_a_record_of_a_newer_papertrack_keeps_what_this_one_does_not_know(desktop: Path) -> None:
    text = record(desktop).read_text()
    start, _, readings = text.partition("[readings.")
    readings = readings.replace("pass = 2\n", 'pass = 2\nmood = "good"\n', 1)
    record(desktop).write_text('shelf = "top"\n\n' + start + "[readings." + readings)
    do(desktop, "tag", PAPER, "+moe")
    now = record(desktop).read_text()
    assert all(one in now for one in ('shelf = "top"', 'mood = "good"', '"moe"'))


def test_a_record_committed_with_markers_is_read_as_its_sides(
    desktop: Path, capfd: Captured
) -> None:
    text = record(desktop).read_text()
    both = '<<<<<<< ours\nvenue = "A"\n=======\nvenue = "B"\n>>>>>>> theirs\n\nidentifiers'
    record(desktop).write_text(text.replace("identifiers", both, 1))
    assert do(desktop, "sync") == 5
    assert paper(desktop, capfd)["venue"] == "B"
    assert "<<<<<<<" not in record(desktop).read_text()


def test_a_library_is_shared_before_anything_is_in_it(tmp_path: Path, capfd: Captured) -> None:
    desktop, laptop = tmp_path / "first", tmp_path / "second"
    assert do(desktop, "init", "--shared", str(desktop)) == 0
    git(desktop, "add", "-A")
    git(desktop, "commit", "-q", "-m", "An empty library")
    git(tmp_path, "clone", "-q", str(desktop), "second")
    assert do(laptop, "add", "--offline", PAPER) == 0
    assert len(list((laptop / "papers").glob("*.toml"))) == 1


def test_what_is_private_lies_in_gits_folder_and_comes_back(desktop: Path, capfd: Captured) -> None:
    assert not (desktop / "data").exists()
    assert (desktop / ".git" / "papertrack").is_dir()
    before = paper(desktop, capfd)
    assert do(desktop, "share", "off") == 0
    assert (desktop / "data" / "papertrack.db").is_file()
    assert not (desktop / "papers").exists()
    assert paper(desktop, capfd) == before
    assert do(desktop, "share", "on") == 0
    assert paper(desktop, capfd) == before


def test_worktrees_have_libraries_of_their_own(desktop: Path, tmp_path: Path) -> None:
    git(desktop, "worktree", "add", "-q", str(tmp_path / "branch"))
    own, other = Library(desktop).database, Library(tmp_path / "branch").database
    assert own != other
    common = desktop / ".git" / "papertrack"
    assert own.is_relative_to(common)
    assert other.is_relative_to(common)


def test_a_database_that_is_gone_is_made_from_the_records(desktop: Path, capfd: Captured) -> None:
    before = paper(desktop, capfd)
    shutil.rmtree(desktop / ".git" / "papertrack")
    after = paper(desktop, capfd)
    assert after == before


def test_a_record_that_was_deleted_is_written_again(desktop: Path, capfd: Captured) -> None:
    text = record(desktop).read_text()
    record(desktop).unlink()
    assert do(desktop, "list") == 0
    assert "deleted and restored" in capfd.readouterr().err
    assert record(desktop).read_text() == text


def test_a_clone_writes_no_row_that_was_taken_out_by_hand(desktop: Path, tmp_path: Path) -> None:
    readme = desktop / "README.md"
    lines = readme.read_text().splitlines(keepends=True)
    rows = [line for line in lines if TITLE not in line]
    assert len(rows) == len(lines) - 1
    readme.write_text("".join(rows))
    assert do(desktop, "sync", "--git") == 0
    git(tmp_path, "clone", "-q", str(tmp_path / "hub.git"), "clone")
    clone = tmp_path / "clone"
    do(clone, "trust", str(clone))
    assert do(clone, "share", "on", "--document", "README.md") == 0
    for _ in range(2):
        assert do(clone, "sync") == 0
        assert (clone / "README.md").read_text() == readme.read_text()


def test_any_day_that_a_command_takes_reaches_a_clone(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    assert do(desktop, "save", PAPER, "--until", "9999-12-31") == 0
    assert do(desktop, "pass", PAPER, "3", "--at", "0999-01-01") == 0
    assert do(desktop, "edit", OTHER, "submitted=0875") == 0
    exchange(desktop, laptop)
    for one in (PAPER, OTHER):
        assert paper(desktop, capfd, one) == paper(laptop, capfd, one)
    assert paper(laptop, capfd)["passes_done"] == 3


def test_git_alone_merges_records_by_fields(desktop: Path, laptop: Path, capfd: Captured) -> None:
    for folder, venue in ((desktop, "ICML"), (laptop, "NeurIPS")):
        do(folder, "edit", PAPER, f"venue={venue}")
        git(folder, "commit", "-q", "-am", "Work")
    git(desktop, "push", "-q", "origin", "main")
    git(laptop, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    assert '[conflicts.venue]\nvalues = ["ICML", "NeurIPS"]' in record(laptop).read_text()
    assert sys.executable in git(laptop, "config", "merge.papertrack.driver")


def test_a_sync_merges_all_files_without_a_program_for_each(
    desktop: Path, laptop: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "own_command", lambda: ["false"])
    for folder, tag in ((desktop, "theirs"), (laptop, "mine")):
        for name in (PAPER, OTHER):
            do(folder, "tag", name, f"+{tag}")
            do(folder, "pass", name, "3")
        assert do(folder, "sync", "--git") in (0, 5)
    for name in (PAPER, OTHER):
        assert {"mine", "theirs"} <= set(paper(laptop, capfd, name)["tags"])
    assert "<<<<<<<" not in (laptop / "README.md").read_text()


def test_a_command_with_nothing_new_does_not_load_what_reads_records(desktop: Path) -> None:
    assert do(desktop, "list") == 0  # The folder is a copy, whose files have other stamps.
    loaded = "import sys; from papertrack.cli.app import run; run(sys.argv[1:])"
    loaded += "; print(*sys.modules)"
    command = [sys.executable, "-c", loaded, "--library", str(desktop), "list"]
    modules = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "papertrack.actions.share" in modules
    assert not {"pydantic", "papertrack.documents.records", "requests"} & set(modules)


def test_a_readme_that_both_wrote_is_merged_by_entries(desktop: Path, laptop: Path) -> None:
    do(desktop, "pass", PAPER, "3")
    do(laptop, "pass", OTHER, "3")
    exchange(desktop, laptop)
    assert do(laptop, "sync", "--git") == 0
    text = (laptop / "README.md").read_text()
    assert (desktop / "README.md").read_text() == text
    assert "<<<<<<<" not in text


def test_an_entry_that_one_side_removed_and_the_other_changed_stays(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    do(desktop, "rm", PAPER)
    do(laptop, "pass", PAPER, "3")
    assert do(desktop, "sync", "--git") == 0
    assert TITLE not in (desktop / "README.md").read_text()
    assert do(laptop, "sync", "--git") == 0
    assert "one side removed and the other changed stays" in capfd.readouterr().err
    exchange(desktop, laptop)
    for folder in (desktop, laptop):
        assert paper(folder, capfd)["passes_done"] == 3
        text = (folder / "README.md").read_text()
        assert TITLE in text
        assert "https://arxiv.org/abs/2211.17192" in text
    assert (desktop / "README.md").read_bytes() == (laptop / "README.md").read_bytes()


def test_a_row_that_comes_back_files_its_paper_nowhere_else(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    """The list has no section for its category, so the row stood where it was."""
    do(desktop, "rm", PAPER)
    do(laptop, "move", PAPER, "--category", "Elsewhere")
    do(laptop, "pass", PAPER, "3")
    exchange(desktop, laptop)
    exchange(desktop, laptop)
    for folder in (desktop, laptop):
        assert TITLE in (folder / "README.md").read_text()
        assert paper(folder, capfd)["categories"] == ["Elsewhere"]


def test_a_row_that_comes_back_under_an_old_name_keeps_the_category(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    """Neither the old name nor the heading is a category of the paper any more."""
    (old,) = paper(desktop, capfd)["categories"]
    readme = laptop / "README.md"
    text = readme.read_text()
    readme.write_text("".join(row for row in text.splitlines(keepends=True) if TITLE not in row))
    exchange(laptop, desktop)
    do(desktop, "category", "rename", old, "New")
    readme.write_text(text)
    exchange(laptop, desktop)
    for folder in (desktop, laptop):
        assert TITLE in (folder / "README.md").read_text()
        assert paper(folder, capfd)["categories"] == ["New"]


def test_a_paper_of_no_category_is_filed_where_somebody_puts_its_row(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    do(laptop, "add", "--offline", "2405.04437")
    exchange(laptop, desktop)
    readme = desktop / "README.md"
    text = readme.read_text()
    row = next(line for line in text.splitlines(keepends=True) if TITLE in line)
    new = "| [<u>vAttention</u>](https://arxiv.org/abs/2405.04437) | 2024/05 | | | | |\n"
    readme.write_text(text.replace(row, row + new))
    exchange(desktop, laptop)
    category = paper(desktop, capfd)["categories"]
    for folder in (desktop, laptop):
        assert paper(folder, capfd, "2405.04437")["categories"] == category


def test_who_is_overtaken_tries_again(desktop: Path, laptop: Path, tmp_path: Path) -> None:
    do(desktop, "tag", PAPER, "+one")
    do(laptop, "tag", OTHER, "+two")
    hook = tmp_path / "hub.git" / "hooks" / "pre-receive"
    # The first push is refused, as by somebody who was faster.
    git(laptop, "commit", "-q", "-am", "By hand")
    hook.write_text(
        f"#!/bin/sh\n[ -e {tmp_path}/once ] && exit 0\ntouch {tmp_path}/once\n"
        f"unset GIT_DIR GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES\n"
        f"git -C {laptop} push -q origin HEAD:main || exit 3\nexit 1\n"
    )
    hook.chmod(0o755)
    assert do(desktop, "sync", "--git") == 0
    assert git(desktop, "rev-parse", "HEAD") == git(tmp_path / "hub.git", "rev-parse", "main")
    assert git(laptop, "rev-parse", "HEAD").strip() in git(desktop, "rev-list", "HEAD")


def test_nothing_of_git_runs_in_a_library_that_is_not_trusted(
    desktop: Path, tmp_path: Path, capfd: Captured
) -> None:
    git(tmp_path, "clone", "-q", str(tmp_path / "hub.git"), "strange")
    strange, proof = tmp_path / "strange", tmp_path / "proof"
    git(strange, "config", "core.fsmonitor", f"touch {proof}")
    assert do(strange, "list") == 0
    assert do(strange, "sync", "--git") == 1
    assert "papertrack config --trust" in capfd.readouterr().err
    assert not proof.exists()


def test_a_remote_that_cannot_be_reached_is_told_in_a_sentence(
    desktop: Path, capfd: Captured
) -> None:
    git(desktop, "remote", "set-url", "origin", str(desktop / "nowhere"))
    do(desktop, "tag", PAPER, "+kept")
    assert do(desktop, "sync", "--git") == 1
    assert "`git fetch` failed" in capfd.readouterr().err


def test_a_commit_says_what_was_done_and_takes_nothing_else(desktop: Path, capfd: Captured) -> None:
    first = git(desktop, "log", "--format=%s", "--", "papers").splitlines()[-1]
    assert first.startswith(f"{len([*desktop.glob('papers/*.toml')])} papers added"), first
    (desktop / "draft.tex").write_text("mine")
    do(desktop, "pass", PAPER, "3")
    do(desktop, "add", "--offline", "2401.00001")
    assert do(desktop, "sync", "--git") == 0
    assert git(desktop, "log", "-1", "--format=%s").strip() == "1 paper read, 1 paper added"
    assert git(desktop, "status", "--porcelain") == "?? draft.tex\n"
    before = git(desktop, "rev-parse", "HEAD")
    assert do(desktop, "sync", "--git") == 0
    do(desktop, "tag", PAPER, "+x")
    assert shown(desktop, capfd, "sync", "--git", "--dry-run")["git"] is None
    assert git(desktop, "rev-parse", "HEAD") == before


def test_a_dry_run_of_init_shares_nothing(tmp_path: Path) -> None:
    assert do(tmp_path / "new", "init", "--shared", "--dry-run") == 0
    assert not (tmp_path / "new").exists()


def test_a_folder_called_papers_shares_nothing(tmp_path: Path, capfd: Captured) -> None:
    folder = tmp_path / "library"
    assert do(folder, "demo", str(folder)) == 0
    (folder / "papers").mkdir()
    assert shown(folder, capfd, "share", "status")["is_shared"] is False
    assert do(folder, "pass", PAPER, "3") == 0
    assert not list((folder / "papers").iterdir())


def test_what_is_unanswered_is_private(desktop: Path, tmp_path: Path, capfd: Captured) -> None:
    git(tmp_path, "clone", "-q", str(tmp_path / "hub.git"), "clone")
    clone = tmp_path / "clone"
    do(clone, "trust", str(clone))
    # Whatever the shared settings say.
    (clone / "papertrack.toml").write_text("[share]\nprivate = []\n")
    do(clone, "pass", PAPER, "3", "--takeaway", "for me", "--minutes", "77")
    do(clone, "discard", OTHER, "--reason", "for me")
    (clone / "notes" / "mine.md").write_text("for me")
    assert do(clone, "sync", "--git") == 0
    pushed = git(clone, "log", "-p", "origin/main")
    assert "for me" not in pushed
    assert "minutes = 77" not in pushed
    assert paper(clone, capfd)["readings"][-1]["takeaway"] == "for me"
    assert paper(clone, capfd, OTHER)["decision_reason"] == "for me"
    private = shown(clone, capfd, "share", "status")["private"]
    assert {"takeaways", "minutes", "notes", "reasons"} <= {*private}


def test_settings_can_only_add_to_what_is_private(
    desktop: Path, capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert do(desktop, "config", "share.private", "takeaways") == 0
    do(desktop, "pass", PAPER, "3", "--takeaway", "for me")
    assert "for me" not in record(desktop).read_text()
    assert do(desktop, "config", "share.private", "thoughts") == 2
    assert do(desktop, "share", "on", "--private", "thoughts") == 2
    assert do(desktop, "config", "share.private", "notes") == 0
    (desktop / "notes").mkdir(exist_ok=True)
    (desktop / "notes" / "x.md").write_text("for me\n")
    assert do(desktop, "sync", "--git") == 0
    assert "notes/x.md" not in git(desktop, "ls-files")
    monkeypatch.setenv("PAPERTRACK_SHARE_PRIVATE", "takeaway")  # No kind of what may be private.
    assert do(desktop, "pass", OTHER, "3", "--takeaway", "for me") == 2
    assert "for me" not in record(desktop, OTHER).read_text()


def test_what_is_private_stays_here_whatever_others_do(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    assert do(desktop, "share", "on", "--private", "takeaways,discards") == 0
    do(desktop, "pass", PAPER, "1", "--takeaway", "for me")
    do(desktop, "discard", OTHER, "--reason", "dull")
    exchange(desktop, laptop)
    do(laptop, "pass", PAPER, "3", "--takeaway", "theirs")
    do(laptop, "tag", OTHER, "+seen")
    exchange(laptop, desktop)
    takeaways = [one["takeaway"] for one in paper(desktop, capfd)["readings"]]
    assert {"for me", "theirs"} <= {*takeaways}
    assert paper(desktop, capfd, OTHER)["decision"] == "discarded"
    assert paper(laptop, capfd, OTHER)["decision"] == "saved"
    assert "for me" not in str(paper(laptop, capfd))


def test_what_was_told_before_stays_told(desktop: Path) -> None:
    do(desktop, "pass", PAPER, "1", "--takeaway", "for all")
    do(desktop, "share", "on", "--private", "takeaways")
    do(desktop, "pass", PAPER, "2", "--takeaway", "for me")
    text = record(desktop).read_text()
    assert ("for all" in text, "for me" in text) == (True, False)


def test_a_record_that_cannot_be_read_here_costs_others_nothing(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    do(laptop, "pass", PAPER, "2", "--takeaway", "theirs")
    assert do(laptop, "sync", "--git") == 0
    text = record(desktop).read_text()
    record(desktop).write_text(text.replace('title = "', "title = "))
    assert do(desktop, "sync", "--git") == 1
    record(desktop).write_text(text)
    assert do(desktop, "sync", "--git") == 0
    assert "theirs" in str(paper(desktop, capfd))


def test_tables_keep_what_a_newer_papertrack_wrote(desktop: Path) -> None:
    tables = [desktop / name for name in ("topics.toml", "watch.toml", "categories.toml")]
    for table in tables:
        table.write_text("newer = 5\n\n" + table.read_text())
    with tables[0].open("a") as file:
        file.write('\n[topics.a]\nname = "a"\nquery = "moe"\nadded = "2026-01-01"\nnewer = 7\n')
    assert do(desktop, "sync") == 0
    assert do(desktop, "topic", "add", "speculative", "--query", "moe") == 0
    assert all("newer = 5" in table.read_text() for table in tables)
    assert "newer = 7" in tables[0].read_text()


def test_share_off_keeps_what_was_not_taken_in(desktop: Path) -> None:
    with record(desktop).open("a") as file:
        file.write("\n]] my own words\n")
    assert do(desktop, "share", "off") == 0
    assert "my own words" in record(desktop).read_text()
    assert not record(desktop, OTHER).exists()
    assert do(desktop, "list") == 0


def test_merging_all_papers_into_one_waits_for_the_readers_word(
    desktop: Path, capfd: Captured
) -> None:
    before = len(shown(desktop, capfd, "list"))
    records = sorted(desktop.glob("papers/*.toml"))
    for path in records[1:]:
        path.write_text(f'same_as = ["{records[0].stem}"]\n\n{path.read_text()}')
    assert do(desktop, "sync") == 5
    assert len(shown(desktop, capfd, "list")) == before
    capfd.readouterr()
    assert do(desktop, "sync", "--confirm") == 0
    assert f"{before - 1} merged" in capfd.readouterr().err


def test_exports_are_not_committed_while_anything_in_them_is_private(desktop: Path) -> None:
    do(desktop, "share", "on", "--private", "takeaways,discards")
    do(desktop, "pass", PAPER, "3", "--takeaway", "for me")
    do(desktop, "discard", OTHER)
    exports = desktop / "exports"
    for name in ("all.json", "all.JSON", "all", "papers.bib.txt"):
        assert do(desktop, "export", "--json", "-o", str(exports / name)) == 0
    assert do(desktop, "export", "--csv") == 0
    assert do(desktop, "table", "", "title,takeaway", "-o", str(exports / "table.md")) == 0
    assert do(desktop, "export", "--bib", "-o", str(exports / "all.bib")) == 0
    assert do(desktop, "sync", "--git") == 0
    committed = git(desktop, "log", "-p")
    assert "for me" not in committed
    assert "discarded" not in committed
    assert "exports/all.bib" in committed


def test_a_record_that_was_deleted_gets_what_was_done_meanwhile(desktop: Path) -> None:
    record(desktop).unlink()
    do(desktop, "tag", PAPER, "+moe")
    do(desktop, "list")
    assert "moe" in record(desktop).read_text()

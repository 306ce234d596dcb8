"""A co-curator who may push means harm: through `sync --git`, and through a plain `git pull`.

Nothing outside of the library is read, written or deleted, nothing private leaves, and no command
ends in an internal error.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree

import pytest

from papertrack.actions.share.repository import foreign_paths
from papertrack.library import Library
from tests.corpus import in_turn
from tests.share.clones import OTHER, PAPER, Captured, do, git, paper, push, record, shown

Bring = Callable[[Path], int]


def by_sync(folder: Path) -> int:
    return do(folder, "sync", "--git")


def by_pull(folder: Path) -> int:
    git(folder, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    return do(folder, "sync")


BOTH = [by_sync, by_pull]
WAYS = pytest.mark.parametrize("bring", BOTH)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.md"
    path.write_text("# Mine\n\n- [Private paper](https://arxiv.org/abs/2501.00001)\n")
    return path


def is_sound(folder: Path, capfd: Captured, secret: Path | None = None) -> None:
    """Whether each command works or says what is wrong, and nothing of the reader's left."""
    text = capfd.readouterr()
    assert "internal error" not in text.err
    for command in ("list", "log", "doctor", "share status", "sync", "export --md", "stats"):
        do(folder, *command.split())
        said = capfd.readouterr()
        assert "internal error" not in said.err, command
        assert "\x1b" not in said.out + said.err
    if secret is not None:
        assert secret.read_text().startswith("# Mine\n")
        assert "Private paper" not in git(folder, "log", "-p", "--all")
        records = [path for path in folder.glob("papers/*.toml") if not path.is_symlink()]
        assert "Private paper" not in "".join(path.read_text() for path in records)


@WAYS
def test_1_3_a_database_and_intents_that_are_pushed_are_nobodys(
    desktop: Path, laptop: Path, capfd: Captured, bring: Bring, secret: Path
) -> None:
    do(desktop, "pass", PAPER, "3", "--takeaway", "mine")
    for folder in ("data/backups", "data/intents", "pdfs"):
        (laptop / folder).mkdir(parents=True)
    (laptop / "data" / "papertrack.db").write_bytes(b"theirs")
    (laptop / "pdfs" / "x.pdf").write_bytes(b"theirs")
    intent = laptop / "data" / "intents" / "x.intent"
    intent.write_text(f'{{"path": "{secret}", "old": "theirs"}}')
    git(laptop, "add", "-f", "data", "pdfs")
    push(laptop)
    git(desktop, "commit", "-qam", "Work")
    assert bring(desktop) == 0
    assert paper(desktop, capfd)["readings"][-1]["takeaway"] == "mine"
    assert do(desktop, "undo") == 0
    is_sound(desktop, capfd, secret)


@WAYS
def test_2_links_and_files_in_place_of_private_folders_take_nothing(
    desktop: Path, laptop: Path, capfd: Captured, bring: Bring, tmp_path: Path
) -> None:
    (laptop / "data").symlink_to(tmp_path)
    (laptop / "pdfs").write_text("a file")
    git(laptop, "add", "-f", "data", "pdfs")
    push(laptop)
    database = Library(desktop).database
    size = database.stat().st_size
    assert bring(desktop) == 0
    assert database.stat().st_size >= size
    is_sound(desktop, capfd)


def test_a_library_that_others_remove_is_not_merged_away(
    desktop: Path, laptop: Path, capfd: Captured
) -> None:
    """Without papertrack.toml the folder would be no library, and no command would find it."""
    git(laptop, "rm", "-rq", ".")
    (laptop / "left.txt").write_text("a file")
    push(laptop)
    assert do(desktop, "sync", "--git") == 1
    assert "Others removed papertrack.toml" in capfd.readouterr().err
    assert (desktop / "README.md").exists()
    is_sound(desktop, capfd)


@WAYS
@pytest.mark.parametrize(
    "names",
    [
        (".gitattributes", "README.md", "topics.toml"),
        (f"papers/{PAPER}.toml", "papers/new.toml", "notes"),
        ("papers",),
    ],
)
def test_4_5_7_14_links_are_refused_by_name_and_never_followed(
    desktop: Path,
    laptop: Path,
    capfd: Captured,
    bring: Bring,
    secret: Path,
    names: tuple[str, ...],
) -> None:
    for path in (laptop / name for name in names):
        if path.is_dir():
            rmtree(path)
        path.unlink(missing_ok=True)
        path.symlink_to(secret)
    push(laptop)
    before = git(desktop, "rev-parse", "HEAD")
    code = bring(desktop)
    said = capfd.readouterr().err
    if bring is by_sync:
        assert code == 1
        assert [name for name in names if f"{name}, which is a link" not in said] == []
        assert git(desktop, "rev-parse", "HEAD") == before
    is_sound(desktop, capfd, secret)


ODD = [
    'notes = ["/etc/passwd"]',
    'notes = ["../../secret.md"]',
    'notes = [".git/config"]',
    'identifiers = ["arxiv:2401.00000"]',
    'rating = "three"',
    "rating = 9999999999999999999999",
    "venue = {a = 1}",
    'decision = { is = "maybe" }',
    'kind = "ghost"',
    'identifiers = ["nothing"]',
    'links = [{ role = "evil", url = "https://x" }]',
    "same_as = [1]",
    'added = "yesterday"',
    'citekey = "red }"',
    'citekey = "a b{}"',
    "year = 2025-01-01",
    'title = """' + "x" * 5_000 + '"""',
    "readings = 3",
    '[readings.x]\npass = "three"',
    "[readings.x]\npass = 1\nminutes = 999999999999",
    '[topics.x]\nreason = "r"\nscore = nan\nat = "2026-01-01T00:00:00+00:00"',
    "a = " + "[" * 3_000,
    'rejected = [{ field = "title", value = "no JSON", source = "x" }]',
    """rejected = [{ field = "authors", value = '[1]', source = "x" }]""",
    """rejected = [{ field = "publication", value = '3', source = "x" }]""",
    """rejected = [{ field = "__class__", value = '"x"', source = "x" }]""",
    "\x00",
]


@WAYS
def test_6_9_10_11_odd_records_are_named_skipped_and_kept(
    desktop: Path, laptop: Path, capfd: Captured, bring: Bring
) -> None:
    odd: dict[str, str] = {}
    names = sorted(path.stem for path in laptop.glob("papers/*.toml") if OTHER not in path.name)
    for name, line in zip(names, ODD, strict=False):
        own = line.partition(" = ")[0]
        facts = record(laptop, name).read_text().split("\n\n")
        kept = [fact for fact in facts if not fact.startswith(f"{own} = ")]
        odd[name] = "\n\n".join([line, *kept] if line[0] != "[" else [*kept, line]) + "\n"
        record(laptop, name).write_text(odd[name])
    assert len(odd) == len(ODD)
    other = record(laptop, OTHER)
    other.write_text('venue = "Fine"\n\n' + other.read_text())
    push(laptop)
    bring(desktop)
    said = capfd.readouterr().err
    assert [name for name in odd if f"papers/{name}.toml" not in said] == []
    assert paper(desktop, capfd, OTHER)["venue"] == "Fine"
    do(desktop, "tag", names[0], OTHER, "+works")
    for name, text in odd.items():
        assert record(desktop, name).read_text() == text
        assert paper(desktop, capfd, name)["arxiv_id"] == name
    is_sound(desktop, capfd)


@WAYS
def test_an_address_that_is_none_stops_no_command(
    desktop: Path, laptop: Path, capfd: Captured, bring: Bring
) -> None:
    told = 'links = [{ role = "code", url = "http://[" }, { role = "paper", url = "https://[::1" }]'
    facts = record(laptop, PAPER).read_text().split("\n\n")
    kept = [fact for fact in facts if not fact.startswith("links = ")]
    record(laptop, PAPER).write_text("\n\n".join([told, *kept]))
    push(laptop)
    assert bring(desktop) == 0
    is_sound(desktop, capfd)
    for command in ("check", "propose", f"show {PAPER} --json", "export --bib -o -"):
        do(desktop, *command.split())
        assert "internal error" not in capfd.readouterr().err, command


@WAYS
def test_10_odd_tables_are_named_skipped_and_kept(
    desktop: Path, laptop: Path, capfd: Captured, bring: Bring
) -> None:
    odd = "topics = 3\ncategories = 4\ndays = 5\n"
    tables = "topics.toml", "categories.toml", "watch.toml"
    for name in tables:
        (laptop / name).write_text(odd)
    push(laptop)
    bring(desktop)
    said = capfd.readouterr().err
    assert [name for name in tables if name not in said] == []
    do(desktop, "tag", OTHER, "+works")
    assert [(desktop / name).read_text() for name in tables] == [odd] * 3
    is_sound(desktop, capfd)


@WAYS
def test_12_removals_of_many_wait_until_they_are_confirmed(
    desktop: Path, laptop: Path, capfd: Captured, bring: Bring
) -> None:
    count = len(shown(desktop, capfd, "list", "--all"))
    for path in laptop.glob("papers/*.toml"):
        path.write_text("removed = true\n\n" + path.read_text())
    push(laptop)
    capfd.readouterr()
    assert bring(desktop) == 5
    assert f"Others removed or merged {count} papers of {count}" in capfd.readouterr().err
    assert len(shown(desktop, capfd, "list", "--all")) == count
    assert do(desktop, "sync", "--confirm") == 0
    assert shown(desktop, capfd, "list", "--all") == []
    log = [one for one in shown(desktop, capfd, "log") if one["verb"] == "share"]
    assert f"{count} removed" in log[0]["summary"]


@WAYS
def test_12_records_that_are_deleted_come_back(
    desktop: Path, laptop: Path, capfd: Captured, bring: Bring
) -> None:
    count = len(shown(desktop, capfd, "list", "--all"))
    git(laptop, "rm", "-rq", "papers")
    push(laptop)
    bring(desktop)
    assert len(shown(desktop, capfd, "list", "--all")) == count
    assert len(list(desktop.glob("papers/*.toml"))) == count
    is_sound(desktop, capfd)


@WAYS
def test_13_days_that_are_to_come_are_refused(
    desktop: Path, laptop: Path, capfd: Captured, bring: Bring
) -> None:
    (laptop / "watch.toml").write_text('[days]\n\n"cs.LG" = "2099-01-01"\n')
    push(laptop)
    bring(desktop)
    assert "in the future" in capfd.readouterr().err
    status = shown(desktop, capfd, "watch", "status")
    assert "2099" not in str(status)


@WAYS
def test_days_of_long_ago_cost_nothing(
    desktop: Path, laptop: Path, capfd: Captured, bring: Bring
) -> None:
    days = '"cs.LG" = "0001-01-01"\n"cs.CL" = "1995-03-01"\n"cs.AI" = "2026-01-02"\n'
    (laptop / "watch.toml").write_text(f"[days]\n\n{days}")
    push(laptop)
    bring(desktop)
    assert "internal error" not in capfd.readouterr().err
    with sqlite3.connect(Library(desktop).database) as database:
        assert database.execute("SELECT count(*) FROM announcement_days").fetchone()[0] < 500


def test_a_list_above_the_library_is_looked_at_too() -> None:
    listed = [("120000", "README.md"), ("100644", "lib/papers/x.toml")]
    assert foreign_paths(listed, "lib/", ["../README.md"]) == ["README.md, which is a link"]


@WAYS
def test_15_notes_that_became_private_stay_and_stop_no_pull(
    desktop: Path, laptop: Path, capfd: Captured, bring: Bring
) -> None:
    assert do(desktop, "share", "on", "--private", "notes") == 0
    assert "git rm -r --cached" in capfd.readouterr().err
    do(laptop, "tag", PAPER, "+moe")
    push(laptop)
    assert bring(desktop) == 0
    assert paper(desktop, capfd)["tags"] == ["moe"]


@WAYS
def test_submodules_and_links_elsewhere_are_left_alone(
    desktop: Path, laptop: Path, capfd: Captured, bring: Bring, secret: Path
) -> None:
    (laptop / "elsewhere").mkdir()
    (laptop / "elsewhere" / "link").symlink_to(secret)
    (laptop / ".gitattributes").write_text("* text=auto\n*.txt merge=papertrack filter=evil\n")
    (laptop / "a.txt").write_text("theirs\n")
    head = git(laptop, "rev-parse", "HEAD").strip()
    git(laptop, "update-index", "--add", "--cacheinfo", f"160000,{head},elsewhere/sub")
    git(laptop, "add", "elsewhere/link", "a.txt", ".gitattributes")
    git(laptop, "commit", "-qm", "By hand")
    git(laptop, "push", "-q", "origin", "HEAD:main")
    assert bring(desktop) == 0
    is_sound(desktop, capfd, secret)


def test_hooks_filters_and_drivers_of_others_do_not_run(
    desktop: Path, laptop: Path, tmp_path: Path
) -> None:
    proof = tmp_path / "proof"
    for name in ("pre-commit", "post-merge", "pre-push", "post-checkout"):
        hook = desktop / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {proof}\n")
        hook.chmod(0o755)
    for key in ("filter.evil.clean", "filter.evil.smudge", "merge.evil.driver"):
        git(desktop, "config", key, f"touch {proof}")
    for key in ("diff.evil.textconv", "diff.evil.command"):
        git(desktop, "config", key, f"touch {proof};cat")
    (laptop / ".gitattributes").write_text("* filter=evil merge=evil diff=evil\n")
    (laptop / "a.txt").write_text("theirs\n")
    push(laptop)
    for tag in ("+moe", "+cache"):  # The second is committed with what came of the first.
        do(desktop, "tag", PAPER, tag)
        assert do(desktop, "sync", "--git") == 0
    assert not proof.exists()


@WAYS
def test_names_that_collide_by_case_are_refused(
    desktop: Path, laptop: Path, capfd: Captured, bring: Bring
) -> None:
    text = record(laptop).read_text()
    (laptop / "papers" / "Twin.toml").write_text(text)
    (laptop / "Papers").mkdir()
    (laptop / "Papers" / "x.toml").write_text(text)
    push(laptop)
    code = bring(desktop)
    if bring is by_sync:
        assert code == 1
        assert "only in capitals" in capfd.readouterr().err
    is_sound(desktop, capfd)


def test_a_link_where_many_records_are_written_is_not_followed(desktop: Path, secret: Path) -> None:
    numbers = [f"2001.{number:05}" for number in range(1, 61)]
    for number in numbers:
        (desktop / "papers" / f".{number}.toml.new").symlink_to(secret)
    listed = desktop / "more.md"
    entries = [f"- [Paper {number}](https://arxiv.org/abs/{number})\n" for number in numbers]
    listed.write_text("# More\n\n" + "".join(entries))
    assert do(desktop, "import", str(listed)) == 0
    assert secret.read_text().startswith("# Mine\n")
    assert all((desktop / "papers" / f"{number}.toml").is_file() for number in numbers)
    assert not [*(desktop / "papers").glob(".*.new")]


@in_turn(
    bring=BOTH,
    odd=[
        "[arxiv]\nwrong = 1\n",
        "<<<<<<< HEAD\n",
        "a = " + "[" * 5_000,
        '[share]\nprivate = "all"\n',
    ],
)
def test_wrong_settings_stop_no_command_and_publish_nothing(
    desktop: Path, laptop: Path, capfd: Captured, bring: Bring, odd: str
) -> None:
    (laptop / "papertrack.toml").write_text(odd)
    push(laptop)
    assert bring(desktop) == 0
    assert do(desktop, "rekey", "--dry-run") == 0
    assert ("is ignored until this is corrected" in capfd.readouterr().err) == (odd[0] != "[")
    assert do(desktop, "pass", PAPER, "1", "--takeaway", "secret words") == 0
    assert do(desktop, "sync", "--git") == 0
    is_published = "secret words" in record(desktop, PAPER).read_text()
    assert is_published == ("arxiv" in odd), "what may be private stays here"
    is_sound(desktop, capfd)


@in_turn(bring=BOTH, encoding=["UTF-16", "IBM037", "UTF-16LE", "UTF-7"])
def test_attributes_of_others_write_no_list_in_another_encoding(
    desktop: Path, laptop: Path, bring: Bring, encoding: str
) -> None:
    before = (desktop / "README.md").read_text()
    (laptop / ".gitattributes").write_text(f"*.md working-tree-encoding={encoding} ident\n")
    git(laptop, "add", ".gitattributes")
    git(laptop, "commit", "-q", "-m", "Attributes")
    do(laptop, "pass", PAPER, "3")
    push(laptop)
    assert bring(desktop) == 0
    assert do(desktop, "pass", OTHER, "3") == 0
    for _ in range(2):
        assert do(desktop, "sync", "--git") == 0
    lines, changed = before.splitlines(), (desktop / "README.md").read_text().splitlines()
    assert len(lines) == len(changed)
    assert sum(old != new for old, new in zip(lines, changed, strict=True)) == 1


@WAYS
def test_attributes_of_others_write_no_record_in_another_way(
    desktop: Path, laptop: Path, capfd: Captured, bring: Bring
) -> None:
    (laptop / ".gitattributes").write_text(
        "papers/*.toml working-tree-encoding=UTF-16LE ident text eol=crlf\n"
    )
    do(laptop, "edit", PAPER, "venue=Lamps $Id$")
    push(laptop)
    assert bring(desktop) == 0
    assert b'venue = "Lamps $Id$"\n' in record(desktop, PAPER).read_bytes()
    assert paper(desktop, capfd, PAPER)["venue"] == "Lamps $Id$"

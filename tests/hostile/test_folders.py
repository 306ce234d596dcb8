"""Folders, repositories and settings of strangers, whatever stands in place of a file."""

import json
import os
import sqlite3
import subprocess
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from papertrack.actions.lists import git as lists_git
from papertrack.actions.lists.merge_files import merge_torn
from papertrack.actions.make_library import open_library
from papertrack.actions.migrate import imported_files
from papertrack.actions.watch.digest import make_digest, write_digest, write_inbox_feed
from papertrack.documents.encoding import decode_document
from papertrack.errors import DocumentError, PapertrackError
from papertrack.foreign_database import is_alive
from papertrack.library import Library
from papertrack.library.surroundings import current_time
from papertrack.store.migrations import back_up
from tests.cli.commands import Command
from tests.corpus import in_turn
from tests.pdfs.made import make_pdf
from tests.timing import until

LIST = "# P\n\n- [A Title of Words](https://arxiv.org/abs/2001.00001)\n"


def git(*arguments: str) -> str:
    named = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    return subprocess.run(
        ["git", *named, *arguments], capture_output=True, text=True, check=True
    ).stdout.strip()


def lose(missing: str, home: Path) -> None:
    """Take a file out of the repository, and name a command as where git gets it again."""
    Path(f".git/objects/{missing[:2]}/{missing[2:]}").unlink()
    for key, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.url": f"ext::sh -c touch% {home}/owned",
        "remote.origin.promisor": "true",
        "protocol.ext.allow": "always",
    }.items():
        git("config", key, value)


def begin_repository() -> None:
    """Make a repository of the current folder, with a list in it."""
    git("init", "-q", "-b", "main", ".")
    Path("README.md").write_text(LIST)
    git("add", ".")
    git("commit", "-q", "-m", "one")


def test_a_comparison_runs_no_program_that_a_repository_names(
    papertrack: Command, home: Path
) -> None:
    """What a partial clone lacks git fetches unasked, from an address that may be a command."""
    folder = home / "stranger"
    folder.mkdir()
    os.chdir(folder)
    begin_repository()
    git("checkout", "-q", "-b", "work")
    Path("README.md").write_text(LIST + "- [Other Words](https://arxiv.org/abs/2001.00002)\n")
    git("commit", "-q", "-a", "-m", "two")
    missing = git("rev-parse", "main:README.md")
    lose(missing, home)
    ran = papertrack("check", "--base", "main", "README.md")
    assert ran.code == 1
    assert "git cat-file" in ran.err
    assert not (home / "owned").exists()


@in_turn(
    name=["HEAD", "config", "commondir", "shallow", "refs/heads/main", "objects/info/alternates"],
    kind=["pipe", "link"],
)
def test_git_is_not_started_where_it_would_wait(
    papertrack: Command, home: Path, name: str, kind: str
) -> None:
    """An archive can hold a pipe, for which git waited for two minutes."""
    begin_repository()
    path = Path(".git", name)
    path.unlink(missing_ok=True)
    os.mkfifo(pipe := path if kind == "pipe" else home / "pipe")
    if kind == "link":
        path.symlink_to(pipe)
    ran = papertrack("check", "--base", "main", "README.md")
    assert (ran.code, "is not a plain file, so git was not started" in ran.err) == (1, True), ran


def test_a_workflow_of_others_is_read_whatever_it_holds(papertrack: Command, shelf: Path) -> None:
    """People who may push to a library may push this file, too."""
    git("init", "-q", str(shelf))
    workflow = shelf / ".github/workflows/papertrack-watch.yml"
    workflow.parent.mkdir(parents=True)
    workflow.write_bytes(b"\xff\xfe\x00")
    for run in (("doctor",), ("watch", "status"), ("watch", "uninstall", "-n")):
        assert "internal error" not in papertrack(*run).err, run


def test_a_list_that_git_packed_small_is_not_read() -> None:
    """A clone of 0.3 MB took 4 GB of memory."""
    with pytest.raises(DocumentError, match="larger than 16 MB"):
        decode_document(b"a\n" * 2**23 + b"a")


def test_a_tree_of_endless_names_is_not_listed(papertrack: Command, home: Path) -> None:
    """A few trees, each in ten places of another one, name more files than memory holds."""
    git("init", "-q", "-b", "main", ".")
    Path("README.md").write_text(LIST)
    listed = git("hash-object", "-w", "README.md")
    names, kind, entry = [f"{'x' * 200}{n}" for n in range(10)], "100644 blob", listed
    for _ in range(5):
        lines = "".join(f"{kind} {entry}\t{name}\n" for name in names)
        made = subprocess.run(["git", "mktree"], input=lines, text=True, stdout=-1, check=True)
        kind, entry = "040000 tree", made.stdout.strip()
    lines = f"100644 blob {listed}\tREADME.md\n040000 tree {entry}\tx\n"
    tree = subprocess.run(["git", "mktree"], input=lines, text=True, stdout=-1, check=True)
    git("update-ref", "HEAD", git("commit-tree", "-m", "one", tree.stdout.strip()))
    ran = papertrack("check", "--base", "main", "README.md")
    assert ran.code == 1
    assert "git printed more than 64 MB and was stopped" in ran.err


def test_a_merge_that_is_finished_runs_no_program_that_a_repository_names(
    papertrack: Command, home: Path
) -> None:
    """The reader's own library feeds a list in a stranger's folder, which git left with marks."""
    papertrack("init", "library")
    folder = home / "stranger"
    folder.mkdir()
    os.chdir(folder)
    begin_repository()
    missing = git("rev-parse", "main:README.md")
    papertrack("--library", "../library", "import", "README.md")
    stages = f"100644 {missing} 1\tREADME.md\n100644 {missing} 2\tREADME.md\n"
    subprocess.run(
        ["git", "update-index", "--index-info"], input=stages.encode(), cwd=folder, check=True
    )
    lose(missing, home)
    marks = "<<<<<<< a\n- [One](https://arxiv.org/abs/2001.00002)\n=======\n>>>>>>> b\n"
    Path("README.md").write_text(LIST + marks)
    merge_torn(Library(home / "library"), folder / "README.md")
    assert not (home / "owned").exists()


@pytest.mark.parametrize("of", ["backup", "tui"])
def test_papertrack_starts_itself_and_nothing_that_lies_in_the_folder(
    papertrack: Command, shelf: Path, monkeypatch: pytest.MonkeyPatch, of: str
) -> None:
    """python -m takes a module from the current folder before that which is installed."""
    started: list[Any] = []
    if of == "backup":
        monkeypatch.setattr("papertrack.actions.daily_backup._AT_ONCE", 0)
        monkeypatch.setattr(subprocess, "Popen", lambda command, **_: started.extend(command))
        os.utime("papertrack.toml", (1, 1))
        papertrack("tag", "zero", "+x")
    else:
        monkeypatch.setattr("papertrack.tui.app.serve", lambda c, **_: started.extend(c))
        papertrack("tui", "--serve")
    at = started.index("-m")
    assert started[at - 1 : at + 2] == ["-P", "-m", "papertrack"]


DEEP = ["a = " + "[" * 5_000, "a = " + "{b=" * 5_000, ".".join("a" * 5_000) + " = 1"]
ODD = [*DEEP, "a = " + "1" * 5_000, "a = 1\nb", "[arxiv]\ntimeout = 'x'", "[share]\nprivate = 'x'"]


@pytest.mark.parametrize("odd", ODD)
def test_no_settings_file_is_an_internal_error(papertrack: Command, shelf: Path, odd: str) -> None:
    (shelf / "papertrack.toml").write_text(odd)
    for run in (("list",), ("rekey", "--dry-run"), ("config", "--trust"), ("config",)):
        ran = papertrack(*run)
        assert "internal error" not in ran.err, run
    assert ran.code == 2
    assert "papertrack.toml" in ran.err


@pytest.mark.parametrize("target", ["/dev/zero", "papertrack.toml", "pipe"])
def test_settings_that_are_no_file_are_refused(
    papertrack: Command, shelf: Path, target: str
) -> None:
    path = shelf / "papertrack.toml"
    path.unlink()
    if target == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(target)
    for run in (("list",), ("config",), ("rekey", "--dry-run")):
        ran = papertrack("--library", shelf, *run)
        assert "internal error" not in ran.err, run
        assert ran.code in (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("publication", 3), ("publication", {"evidence": "title"}), ("authors", [1])),
        *(("links", "x"), ("title", {"a": 1}), ("__class__", "x"), ("year", "x")),
    ],
)
def test_no_suggestion_in_a_file_is_anything_else_than_its_field(
    papertrack: Command, shelf: Path, field: str, value: object
) -> None:
    papertrack("export", "--json", "-o", "papers.json")
    told = json.loads(Path("papers.json").read_text())
    paper = told[0]
    others = {"source": "x", "at": "2026-01-01T00:00:00+00:00", "state": "open"}
    paper["suggestions"] = [{"field": field, "value": value, **others}]
    Path("papers.json").write_text(json.dumps(told))
    papertrack("init", "other")
    papertrack("--library", "other", "import", "papers.json")
    key = paper["citekey"]
    for run in (("suggestions",), ("show", key), ("check",), ("export", "--json", "-o", "-")):
        assert "internal error" not in papertrack("--library", "other", *run).err, run


# What git keeps in the folder


@pytest.fixture
def cloned(papertrack: Command, home: Path) -> Path:
    """A clone of a stranger's library in git, with its database, in the current folder."""
    source = home / "source"
    papertrack("init", source)
    (source / "README.md").write_text(LIST)
    os.chdir(source)
    papertrack("import", "README.md")
    git("init", "-q", "-b", "main", ".")
    os.chdir(home)
    return source


def plant(library: Path, statement: str, *values: object) -> None:
    """Change a database as whoever makes it may: what its triggers write is no hindrance."""
    with sqlite3.connect(library / "data/papertrack.db") as db:
        rows = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in rows:
            db.execute(f"DROP TRIGGER {name}")
        db.execute(statement, values)
        for _, sql in rows:
            db.execute(sql)
    db.close()


def clone(source: Path) -> Path:
    here = Path.cwd()
    os.chdir(source)
    git("add", "-f", ".")
    git("commit", "-q", "-m", "one")
    os.chdir(here)
    git("clone", "-q", "source", "clone")
    os.chdir(here / "clone")
    return here / "clone"


@pytest.mark.parametrize("is_trusted", [False, True])
@pytest.mark.parametrize("name", [".git/config", "notes/../.git/config"])
def test_what_a_killed_run_left_is_not_written_into_gits_own(
    papertrack: Command, cloned: Path, name: str, is_trusted: bool
) -> None:
    """git's settings name programs, and they are in a clone's folder without being of it."""
    plant(
        cloned,
        "INSERT INTO documents (path, kind, title, settings, digest, synced_at)"
        " SELECT ?, kind, title, settings, digest, synced_at FROM documents",
        name,
    )
    old, new = b"[core]\n\tfsmonitor = touch owned;false\n\tbare = false\n", b"\tbare = false\n"
    head = {"name": name, "old": len(old), "new": len(new)}
    (cloned / "data/intents").mkdir(exist_ok=True)
    (cloned / "data/intents/a.intent").write_bytes(json.dumps(head).encode() + b"\n" + old + new)
    here = clone(cloned)
    before = (here / ".git/config").read_bytes()
    if is_trusted:
        papertrack("trust")
    for run in (("list",), ("export", "--md"), ("sync",), ("import", "README.md"), ("doctor",)):
        assert "internal error" not in papertrack(*run).err, run
    assert (here / ".git/config").read_bytes() == before
    assert "belongs to git" in papertrack("list").err


@pytest.mark.parametrize("name", [".git", ".GIT", ".g\u200cit", "git~1", ".hg", ".jj"])
def test_gits_own_is_known_in_any_spelling(tmp_path: Path, name: str) -> None:
    assert not Library(tmp_path).holds(tmp_path / name / "config")


@pytest.mark.parametrize("is_trusted", [False, True])
def test_undo_writes_nothing_into_gits_own(
    papertrack: Command, cloned: Path, is_trusted: bool
) -> None:
    plant(
        cloned,
        "INSERT INTO replaced_files (action_id, name, old, new)"
        " SELECT max(id), '.git/commondir', x'2e', x'' FROM actions",
    )
    here = clone(cloned)
    if is_trusted:
        papertrack("trust")
    ran = papertrack("undo", "--yes")
    assert ran.code == 5
    assert not (here / ".git/commondir").exists()


@pytest.mark.parametrize("target", ["commondir", "config"])
def test_no_link_leads_an_output_into_gits_own(
    papertrack: Command, cloned: Path, target: str
) -> None:
    links = cloned / "exports/references.bib", cloned / "notes/a.md"
    for link in links:
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(f"../.git/{target}")
    here = clone(cloned)
    before = (here / ".git/config").read_bytes()
    papertrack("edit", "2001.00001", "note=notes/a.md")
    for run in (
        ("export", "--bib"),
        ("export", "--bib", "-o", "exports/references.bib", "--force"),
        ("note", "2001.00001", "--print"),
    ):
        ran = papertrack(*run)
        assert ran.code in (1, 5), run
    assert (here / ".git/config").read_bytes() == before
    assert not (here / ".git/commondir").exists()


def test_no_link_under_the_name_of_an_unfinished_file_is_written_through(
    papertrack: Command, shelf: Path, home: Path
) -> None:
    """Their names hold the number of the process, and a tree has room for all numbers."""
    victim = home / "bashrc"
    victim.write_text("mine")
    for folder in (shelf / "site", shelf / "notes"):
        folder.mkdir(exist_ok=True)
        (folder / f".index.html.papertrack-{os.getpid()}").symlink_to(victim)
    assert papertrack("export", "--site", "site").code == 0
    assert victim.read_text() == "mine"
    assert (shelf / "site/index.html").is_file()
    beside = imported_files._written_beside(shelf / "notes/a.md", b"x")
    beside.unlink()
    beside.symlink_to(victim)
    assert imported_files._written_beside(shelf / "notes/a.md", b"x") == beside
    assert victim.read_text() == "mine"


def test_a_link_in_place_of_an_unfinished_copy_of_the_database_is_not_written_through(
    papertrack: Command, shelf: Path, home: Path
) -> None:
    victim = home / "places.sqlite"
    with sqlite3.connect(victim) as db:
        db.execute("CREATE TABLE mine (x)")
    db.close()
    before = victim.read_bytes()
    database = shelf / "data/papertrack.db"
    database.with_name("papertrack.db.schema1.1.bak.partial").symlink_to(victim)
    assert not back_up(database, version=1).is_symlink()
    assert victim.read_bytes() == before


@in_turn(
    is_shared=[False, True],
    place=["exports/digest/2026-03-01.md", "exports/inbox.atom", "exports"],
    target=["{library}/notes/mine.md", "{library}/../mine.md"],
)
def test_no_link_is_followed_to_a_file_that_papertrack_names_itself(
    papertrack: Command, home: Path, place: str, target: str, is_shared: bool
) -> None:
    """A clone has such links, and so has a library that others push to, after `git pull`."""
    library = Library(home / "library")
    papertrack("init", library.root)
    if is_shared:
        assert papertrack("--library", library.root, "share", "on").code == 0
    else:
        papertrack("trust", library.root, "--forget")
    victim = Path(target.format(library=library.root))
    victim.parent.mkdir(exist_ok=True)
    link = library.root / place
    if place == "exports":
        (library.root / "exports").rename(victim)
    else:
        victim.write_text("mine")
        link.parent.mkdir(exist_ok=True, parents=True)
    link.symlink_to(victim)
    with open_library(library, now=lambda: current_time(os.environ)) as store:
        day = current_time(os.environ).date()
        digest = make_digest(store, since=day, until=day, notes=["x"])
        for write in (
            lambda: write_digest(library, digest),
            lambda: write_inbox_feed(store, library),
        ):
            with suppress(PapertrackError):
                write()
    if place == "exports":
        assert list(victim.iterdir()) == []
    else:
        assert victim.read_text() == "mine"


def test_a_backup_is_written_through_no_link(papertrack: Command, shelf: Path) -> None:
    papertrack("trust", "--forget")
    Path("README.md").write_text(LIST)
    (shelf / "data/backups").mkdir(exist_ok=True)
    (shelf / "data/backups/2026-03-01T093000Z.db").symlink_to("../../README.md")
    assert papertrack("backup").code == 1
    assert Path("README.md").read_text() == LIST


def test_what_git_keeps_is_no_note(papertrack: Command, shelf: Path) -> None:
    """What a README calls a note is published with `export --site DIR --with notes`."""
    git("init", "-q", ".")
    git("config", "remote.origin.url", "https://me:secret@example.org/x")
    papertrack("edit", "zero", "note=.git/config")
    ran = papertrack("export", "--site", "site", "--with", "notes", "zero")
    assert ran.code == 0, ran
    for page in Path("site").rglob("*"):
        assert page.is_dir() or b"secret" not in page.read_bytes()
    assert papertrack("list", "secret").out == ""


@pytest.mark.parametrize(
    "name",
    ["papertrack.toml", "data/papertrack.db", "data/new.md", "link.md", ".env", ".Secret/x.md"],
)
def test_what_papertrack_keeps_is_no_note(papertrack: Command, shelf: Path, name: str) -> None:
    """It would be published, shown to agents, and written to by `note --highlights`."""
    (shelf / "link.md").symlink_to("data/papertrack.db")
    (shelf / ".Secret").mkdir()
    for hidden in (".env", ".Secret/x.md"):
        (shelf / hidden).write_text("PASSWORD=topsecret\n")
    settings = shelf / "papertrack.toml"
    settings.write_text(f'{settings.read_text()}\n[mail]\nto = ["topsecret@example.org"]\n')
    papertrack("pass", "1", "zero", "--takeaway", "topsecret")
    Path("README.md").write_text(f"{LIST.rstrip()} ([note]({name}))\n")
    assert papertrack("import", "README.md").code == 0
    papertrack("edit", "zero", f"note={name}")
    files = {path: path.read_bytes() for path in (settings, shelf / "data/papertrack.db")}
    for run in (("note", "zero", "--print"), ("open", "zero", "--note", "--print")):
        ran = papertrack(*run)
        assert (ran.code, "was not opened" in ran.err) == (1, True), ran
    assert {path: path.read_bytes() for path in files} == files
    assert not (shelf / "data/new.md").exists()
    assert papertrack("export", "--site", "site", "--with", "notes").code == 0
    assert papertrack("export", "--site", "site", "--with", "notes", "zero").code == 0
    for page in Path("site").rglob("*"):
        assert page.is_dir() or b"topsecret" not in page.read_bytes(), page


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs another user")
def test_a_git_folder_that_another_user_put_above_is_none(
    papertrack: Command, shelf: Path, home: Path
) -> None:
    """Anybody may make one in /tmp, and with it whoever works below would use its database."""
    (home / "common/mine").mkdir(parents=True)
    papertrack("init", "common/mine")
    planted = home / "common/.git"
    private = planted / "papertrack/main/at-mine"
    private.mkdir(parents=True)
    root = home / "common/mine"
    assert Library(root).private == private
    os.chown(planted, 12345, 12345)
    assert Library(root).private == root / "data"


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        *((".git/commondir", b"\xff\xfe"), (".git/commondir", b"a\0b"), (".git", b"gitdir: a\0b")),
        *((".git", b"gitdir: .git"), (".git/commondir", None), (".git", None)),
        *(("papertrack.toml", None), ("data/intents/a.intent", None)),
        ("data/intents/a.intent", b"[" * 100_000),
    ],
)
def test_a_file_that_is_damaged_or_enormous_stops_no_command(
    papertrack: Command, shelf: Path, name: str, holds: bytes | None
) -> None:
    """A file of nothing but holes takes no room in an archive, and all memory when it is read."""
    path = shelf / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(holds or b"")
    if holds is None:
        os.truncate(path, 2**40)
    for run in (("list",), ("config",), ("doctor",), ("sync",)):
        ran = papertrack("--library", shelf, *run)
        assert "internal error" not in ran.err, run


@pytest.mark.parametrize("kind", ["file", "pipe", "link to nothing", "link to itself"])
def test_what_stands_in_place_of_the_folder_of_the_database_is_named(
    papertrack: Command, shelf: Path, kind: str
) -> None:
    data = shelf / "data"
    data.rename(shelf / "away")
    if kind == "file":
        data.write_text("x")
    elif kind == "pipe":
        os.mkfifo(data)
    else:
        data.symlink_to("nowhere" if kind == "link to nothing" else "data")
    for run in (("list",), ("tag", "zero", "+x"), ("backup",), ("sync",), ("init",)):
        ran = papertrack(*run)
        is_told = f"{data} is not a folder" in ran.err or "a link" in ran.err
        assert (ran.code, is_told) == (1, True), ran
    ran = papertrack("doctor")
    assert (ran.code, f"{data} is not a folder" in ran.out) == (5, True), ran


@pytest.mark.parametrize("name", ["README.md", "refs.bib", "papers.json", "main.tex"])
def test_an_enormous_file_is_not_read(papertrack: Command, shelf: Path, name: str) -> None:
    path = shelf / name
    path.write_bytes(b"")
    os.truncate(path, 2**40)
    for run in (("import", name), ("check", name), ("cite", "--tex", name)):
        ran = papertrack(*run)
        assert ran.code in (1, 2), run
        assert "internal error" not in ran.err, run


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize(
    "run",
    [
        ("propose", "README.md", "2001.00002", "-o", "link"),
        ("propose", "README.md", "2001.00002", "--summary", "link"),
        ("check", "README.md", "--write-baseline", "link"),
        ("backup", "link", "--force"),
    ],
)
def test_a_link_with_the_name_of_an_output_is_not_written_through(
    papertrack: Command, tmp_path: Path, home: Path, run: tuple[str, ...], is_there: bool
) -> None:
    """Whoever made the folder may know which files its documents tell a reader to write."""
    clone = tmp_path / "clone"
    clone.mkdir()
    os.chdir(clone)
    if run[0] == "backup":
        papertrack("init")
    (clone / "README.md").write_text(LIST)
    mine = tmp_path / "mine"
    if is_there:
        mine.write_text("mine")
    (clone / "link").symlink_to(mine)
    ran = papertrack(*run)
    assert ran.code not in (0, None), ran
    assert mine.exists() is is_there
    assert not is_there or mine.read_text() == "mine"


@pytest.mark.parametrize(
    "packed",
    [zlib.compress(bytes(8 * 3_000_000)), zlib.compress(bytes(80))[:-5], b"no zlib"],
    ids=["endless", "torn", "other"],
)
def test_a_version_that_unpacks_to_millions_of_lines_is_told(
    papertrack: Command, shelf: Path, packed: bytes
) -> None:
    Path("README.md").write_text(LIST.replace("- ", "- [ ] "))
    papertrack("import", "README.md")
    papertrack("pass", "2001.00001", "1")
    papertrack("export", "--md")
    plant(shelf, "UPDATE versions SET lines = ?", packed)
    papertrack("undo", "--yes")
    ran = papertrack("export", "--md")
    assert ran.code == 1
    assert "earlier version of a document is damaged" in ran.err
    assert papertrack("list").code == 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE papers SET arxiv_categories = '5'",
        "UPDATE papers SET publication = '{\"a\": 5}'",
        "UPDATE entries SET category = '5'",
        "UPDATE documents SET settings = '5'",
        "UPDATE actions SET at = 'x'",
    ],
)
def test_a_value_that_papertrack_does_not_write_is_told_in_a_sentence(
    papertrack: Command, shelf: Path, statement: str
) -> None:
    Path("README.md").write_text(LIST)
    papertrack("import", "README.md")
    papertrack("trust", "--forget")
    plant(shelf, statement)
    Path("README.md").write_text(f"{LIST}\nWords, so that it is read again.\n")
    failed = []
    for run in (
        *(("list",), ("list", "--json"), ("show", "zero"), ("log",), ("stats",), ("sync",)),
        *(("export", "--json", "-o", "-"), ("export", "--bib", "-o", "-"), ("export", "--md")),
        *(("doctor",), ("import", "README.md")),
    ):
        ran = papertrack(*run)
        assert "internal error" not in ran.err, run
        if "does not write" in ran.err:
            failed.append(run)
            assert ran.code == 1
    assert failed
    assert len(papertrack("list").out.splitlines()) == 4, "nothing is lost"


@pytest.mark.parametrize(
    ("many", "parent"), [(2, "iif(id < 3, 3 - id, NULL)"), (1500, "nullif(id + 1, 1501)")]
)
def test_categories_in_a_circle_or_a_long_chain_stop_no_command(
    papertrack: Command, shelf: Path, many: int, parent: str
) -> None:
    Path("README.md").write_text(LIST.replace("# P", "# P\n\n## A\n\n## B"))
    papertrack("import", "README.md")
    plant(
        shelf,
        "INSERT OR IGNORE INTO categories (id, name, position) WITH RECURSIVE n(i) AS "
        "(SELECT 1 UNION SELECT i + 1 FROM n WHERE i < ?) SELECT i, 'c' || i, 0 FROM n",
        many,
    )
    plant(shelf, f"UPDATE categories SET parent_id = {parent}")
    for run in (
        *(("list",), ("show", "zero"), ("stats",), ("category",), ("list", "category:B")),
        *(("export", "--json", "-o", "-"), ("export", "--bib", "-o", "-"), ("export", "--md")),
        *(("doctor",), ("import", "README.md"), ("undo",)),
    ):
        assert papertrack(*run).code == 0, run


def test_letters_that_are_none_are_told_where_papertracks_functions_meet_them(
    papertrack: Command, shelf: Path
) -> None:
    """A database that was restored is the reader's own, whoever made it."""
    Path("README.md").write_text(LIST)
    papertrack("import", "README.md")
    plant(shelf, "UPDATE papers SET title = CAST(x'61ff62' AS TEXT)")
    for run in (("tag", "zero", "+x"), ("undo", "--yes"), ("sync",), ("export", "--md"), ("list",)):
        ran = papertrack(*run)
        assert "internal error" not in ran.err, run


def test_names_that_are_no_text_keep_nothing_else_out(
    papertrack: Command, shelf: Path, home: Path
) -> None:
    odd = home / "pdfs" / os.fsdecode(b"d\xfe")
    odd.mkdir(parents=True)
    for folder in (odd, home / "pdfs"):
        make_pdf(folder / "2001.00001.pdf", ["A Title of Words"])
    ran = papertrack("import", home / "pdfs")
    assert (ran.code, "1 imported, 0 merged, 1 skipped" in ran.err) == (0, True)
    (odd / "README.md").write_text(LIST)
    os.chdir(odd)
    ran = papertrack("--library", shelf, "import", "README.md")
    assert (ran.code, "Rename the file or folder" in ran.err) == (2, True)
    (home / "R\n::error::x.md").write_text(LIST)
    ran = papertrack("--library", shelf, "import", home / "R\n::error::x.md")
    assert (ran.code, "\n::error" in ran.err) == (2, False)


def test_a_restore_keeps_the_database_in_no_link_to_itself(
    papertrack: Command, shelf: Path
) -> None:
    database = shelf / "data/papertrack.db"
    papertrack("backup", "copy.db")
    papertrack("tag", "zero", "+mine")
    before, link = database.read_bytes(), database.with_name(f"{database.name}.before-restore-1")
    link.symlink_to(database.name)
    assert papertrack("backup", "--restore", "copy.db").code == 0
    kept = [one.read_bytes() for one in link.parent.glob(f"{database.name}.before-restore-*")]
    assert before in kept


def test_rows_of_no_paper_are_told_in_a_library_of_ones_own(
    papertrack: Command, shelf: Path
) -> None:
    """Its database may be restored from a stranger's copy."""
    Path("README.md").write_text("# P\n\n- [ZeRO](https://arxiv.org/abs/1910.02054)\n")
    papertrack("import", "README.md")
    plant(shelf, "DELETE FROM papers WHERE citekey = 'zero'")
    Path("README.md").write_text("# P\n\n- ✅ [ZeRO](https://arxiv.org/abs/1910.02054)\n")
    assert "belong to papers that no longer exist" in papertrack("doctor").out
    for run in (("sync",), ("export", "--md"), ("check",)):
        ran = papertrack(*run)
        assert (ran.code, "belong to papers that no longer exist" in ran.err) == (1, True), run


def test_a_strangers_suggestion_that_is_no_json_is_told(papertrack: Command, shelf: Path) -> None:
    papertrack("trust", "--forget")
    planted = "INSERT INTO suggestions VALUES (1, 1, 'venue', 'x', 'x', '2026-01-01', 'open')"
    plant(shelf, planted)
    Path("README.md").write_text(LIST)
    for run in (("check", "README.md"), ("suggestions",), ("export", "--json", "-o", "-")):
        assert "internal error" not in papertrack(*run).err, run


def test_an_error_keeps_no_database_locked(
    papertrack: Command, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """sync reads on after the first error, and waited for itself."""
    monkeypatch.setattr("papertrack.store.store.BUSY_TIMEOUT_SECONDS", 0)
    Path("README.md").write_text("# P\n\n- [ZeRO](https://arxiv.org/abs/1910.02054)\n")
    papertrack("import", "README.md")
    plant(shelf, "UPDATE papers SET arxiv_categories = '['")
    assert "in use by another" not in papertrack("sync").err


@in_turn(
    text=["none", "", "@comment{a}", "@string{a = 1}"],
    is_trusted=[False, True],
)
def test_an_entry_that_is_none_is_left_out(
    papertrack: Command, shelf: Path, is_trusted: bool, text: str
) -> None:
    """A file of papers could bring any text as an entry."""
    added = f"INSERT INTO originals (paper_id, source, text) VALUES (1, 'm.bib:a', '{text}')"
    plant(shelf, added)
    if not is_trusted:
        papertrack("trust", "--forget")
    ran = papertrack("export", "--bib", "-o", "-")
    assert (ran.code, "{kwon2023efficient," in ran.out) == (0, True), ran
    for run in (("cite", "kwon2023efficient"), ("show", "kwon2023efficient"), ("sync",)):
        ran = papertrack(*run)
        assert (ran.code, "internal error" in ran.err) == (0, False), ran


def test_a_folder_in_a_folder_a_thousand_times_is_no_internal_error(
    papertrack: Command, home: Path, tmp_path: Path
) -> None:
    """Some versions of Python cannot list it."""
    papertrack("init")
    folder = tmp_path / "papers"
    levels = [folder, *(folder / "/".join("d" * n) for n in range(1, 1_200))]
    for level in levels:
        level.mkdir()
    make_pdf(pdf := levels[2] / "2309.06180.pdf", ["Words of a paper."])
    try:
        ran = papertrack("import", str(folder))
        assert ran.code == 0 or "has too many levels of folders" in ran.err
    finally:
        pdf.unlink()
        for level in reversed(levels):
            level.rmdir()


def test_what_git_started_ends_with_it(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A helper of git's that waits for a silent server stayed for ever."""
    monkeypatch.setattr(lists_git, "SECONDS", 1)
    begin_repository()
    alias = f"alias.wait=!echo $$ > {tmp_path}/started; sleep 999"
    with pytest.raises(PapertrackError, match="timed out"):
        lists_git.ask_git(Path(), "-c", alias, "wait")
    started = int((tmp_path / "started").read_text())
    until(lambda: not is_alive(started))

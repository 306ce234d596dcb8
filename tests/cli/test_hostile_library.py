"""Every command in a library that a stranger made to do harm: no program of theirs starts, nothing
is written outside of it, and nobody of theirs is spoken to; once trusted it works as they meant.
"""

import shlex
import shutil
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import click
import pytest

from papertrack.cli.app import COMMANDS
from papertrack.cli.app import papertrack as app
from papertrack.cli.old_words import modern
from tests.cli.commands import Command

README = """\
# List

| Title | Note |
|---|---|
| [Paged Memory](https://arxiv.org/abs/2309.06180) | [note](../outside/note.md) |
"""
CONTEXT = click.Context(app)
INSTALL = "--package git+https://example.org/p"
RUNS: dict[str, list[str]] = {
    "init": ["init"],
    "demo": ["demo play"],
    "config": ["config reading.in_hand 3", "config"],
    "trust": [],  # It is what the others are tried without.
    "backup": ["backup"],
    "restore": ["restore"],
    "doctor": ["doctor", "doctor --repair", "doctor --compact"],
    "completion": ["completion bash"],
    "show": ["show paged", "show paged --raw"],
    "open": ["open paged --pdf", "open paged --note"],
    "tui": [],  # It needs a terminal, and has tests of its own.
    "pass": ["pass paged 1"],
    "note": ["note paged"],
    "save": ["save paged"],
    "discard": ["discard paged"],
    "add": ["add 2401.00001"],
    "edit": ["edit paged title=Another"],
    "tag": ["tag paged +x"],
    "move": ["move paged -c Elsewhere"],
    "category": [
        *("category add Other", "category list", "category order Other --first"),
        *("category rename Other Others", "category rm Others"),
    ],
    "rm": ["rm low"],
    "merge": ["merge paged 2401.00001"],
    "split": ["split arxiv2401.00001"],
    "topic": [
        *("topic add t --query memory --arxiv cs.LG", "topic preview memory", "topic list"),
        *("topic backfill t --since 7d", "topic edit t --query pages", "topic pause t"),
        *("topic resume t", "watch", "topic rm t"),
    ],
    "watch": [
        *("watch", "watch status", "watch --mail", "watch --digest md -o exports/papers.json"),
        *(f"watch install --github {INSTALL} --at 03:17 --yes", "watch uninstall --yes"),
    ],
    "digest": ["digest", "digest --mail", "digest -o exports/papers.json"],
    "why": ["why paged"],
    "rank": ["rank main.bib"],
    "ranking": [
        *("ranking", "ranking show", "ranking more paged", "ranking less paged"),
        "ranking forget memory",
    ],
    "search-arxiv": ["search-arxiv memory --add 1"],
    "pdf": ["pdf paged", "pdf add README.md", "pdf index"],
    "enrich": ["enrich"],
    "published": ["published", "published --refresh"],
    "audit": ["audit", "audit main.bib"],
    "import": ["import README.md", "import main.bib", "import notes"],
    "export": [
        *("export", "export --json", "export --csv", "export --md", "export --bib main.bib"),
        *("export --bib -o exports/own.bib", "export --json -o notes/evil.md"),
    ],
    "sync": ["sync", "sync --resolve", "sync --git"],
    "check": [
        *("check README.md", "check README.md --base HEAD", "check --links README.md"),
        f"check README.md --install-github {INSTALL}",
    ],
    "propose": [
        *("propose README.md 2401.00002", "propose README.md --remove 2309.06180 --write"),
        f"propose README.md --install-github {INSTALL}",
    ],
    "documents": ["documents", "documents README.md"],
    "cite": ["cite paged", "cite --tex main.tex -o exports/references.bib"],
    "rekey": ["rekey", "rekey --in main.tex --write"],
    "share": ["share on", "share", "share status", "share off", "sync --git"],
    "merge-file": ["merge-file README.md README.md README.md"],
}
"""What is tried of the commands that take something; all others are tried as they are."""


OWN = "data/state", "data/backups", "data/intents"
"""The library's own folders, which the stranger made links out of it."""


@dataclass
class Listener:
    """A server of the stranger's."""

    port: int
    heard: list[bytes] = field(default_factory=list)


@pytest.fixture
def listener() -> Iterator[Listener]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        listening = Listener(server.getsockname()[1])

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    listening.heard.append(b"")

        threading.Thread(target=serve, daemon=True).start()
        yield listening


@dataclass
class Trap:
    """The library, and what tells that it did harm."""

    library: Path
    outside: Path
    started: Path
    listener: Listener

    def harm(self) -> list[str]:
        """What has happened that should not have."""
        found = [f"started {self.started.read_text()}"] if self.started.exists() else []
        found += [f"spoke to port {self.listener.port}"] * bool(self.listener.heard)
        files = (path for path in self.outside.rglob("*") if path.is_file())
        changed = {path.name: path.read_bytes() for path in files}
        return found + [f"wrote {name}" for name, data in changed.items() if data != b"mine\n"]


@pytest.fixture
def trap(
    papertrack: Command,
    home: Path,
    tmp_path: Path,
    listener: Listener,
    monkeypatch: pytest.MonkeyPatch,
) -> Trap:
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in ("victim", "note.md", "victim.bib", "victim.pdf"):
        (outside / name).write_bytes(b"mine\n")
    canary, started = tmp_path / "canary", tmp_path / "started"
    canary.write_text(f'#!/bin/sh\necho "$0 $*" >> {shlex.quote(str(started))}\n')
    canary.chmod(0o755)
    made = tmp_path / "made"
    made.mkdir()
    (made / "README.md").write_text(README)
    (made / "main.bib").write_text("@misc{low, title = {Low}, year = 2020}\n")
    papertrack("init", made)
    for run in (("import", made / "README.md", made / "main.bib"), ("add", "2401.00001")):
        assert papertrack("--library", made, *run).code == 0
    papertrack("--library", made, "edit", "2309.06180", "citekey=paged")
    library = tmp_path / "cloned"
    made.rename(library)
    _set_traps(library, outside, canary, listener.port)
    own = home / "config" / "papertrack"
    own.mkdir(parents=True)
    # What is asked at all is asked of the reader's own, where nobody answers.
    (own / "papertrack.toml").write_text(_addresses("http://127.0.0.1:9"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("PAPERTRACK_MAIL_PASSWORD", "the reader's secret")
    monkeypatch.setenv("PAPERTRACK_ARXIV_INTERVAL_SECONDS", "0")
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.delenv("PAPERTRACK_ARXIV_OFFLINE")
    monkeypatch.chdir(library)
    return Trap(library, outside, started, listener)


def _addresses(host: str) -> str:
    names = ("api", "feed", "listing", "catchup", "oai", "datacite", "pdf")
    return "[arxiv]\n" + "".join(f'{name}_url = "{host}/"\n' for name in names)


def _set_traps(library: Path, outside: Path, canary: Path, port: int) -> None:
    (library / "papertrack.toml").write_text(
        f'pdf_viewer = "{canary}"\n{_addresses("https://evil.example")}\n'
        f'[mail]\nhost = "127.0.0.1"\nport = {port}\n'
        f'to = ["a@example.org"]\nuser = "a"\npassword_command = "{canary}"\n'
    )
    for name in ("exports", "notes", "pdfs"):
        (library / name).mkdir(exist_ok=True)
    for name in ("references.bib", "papers.json", "papers.csv", "inbox.atom", "digest"):
        (library / "exports" / name).symlink_to(outside / "victim")
    (library / "notes" / "evil.md").symlink_to(outside / "note.md")
    (library / "pdfs" / "paged.pdf").symlink_to(outside / "victim.pdf")
    (outside / ".github").mkdir()
    (library / ".github").symlink_to(outside / ".github")
    (library / "main.bib").unlink()
    (library / "main.bib").symlink_to(outside / "victim.bib")
    (library / "main.tex").write_text(
        "\\documentclass{article}\\bibliography{../outside/victim}\\input{../outside/victim}"
        "\\cite{paged}\\immediate\\write18{" + str(canary) + "}\n"
    )
    (library / ".git").mkdir()
    (library / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    for name in ("objects", "refs"):
        (library / ".git" / name).mkdir()
    (library / ".git" / "config").write_text(
        "[core]\n\trepositoryformatversion = 0\n"
        + "".join(
            f"\t{name} = {canary}\n" for name in ("fsmonitor", "sshCommand", "pager", "editor")
        )
        + f'[diff]\n\texternal = {canary}\n[remote "origin"]\n\turl = ext::{canary}\n'
        + f'[filter "evil"]\n\tclean = {canary}\n\tsmudge = {canary}\n\tprocess = {canary}\n'
        + f'[merge "papertrack"]\n\tdriver = {canary}\n[credential]\n\thelper = !{canary}\n'
        + f"[gpg]\n\tprogram = {canary}\n[commit]\n\tgpgSign = true\n"
    )
    (library / ".gitattributes").write_text("* filter=evil diff=evil\n*.md merge=papertrack\n")
    hooks = library / ".git" / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "post-commit", "post-checkout", "pre-rebase", "post-index-change"):
        (hooks / name).symlink_to(canary)
    for name in ("state", "backups", "intents"):
        own, away = library / "data" / name, outside / f"data-{name}"
        if own.exists():
            shutil.rmtree(own)
        away.mkdir()
        own.symlink_to(away)
    with closing(sqlite3.connect(library / "data" / "papertrack.db", isolation_level=None)) as db:
        db.create_function("indexed_form", 1, lambda text: text, deterministic=True)
        db.execute("UPDATE journal_state SET last_paper_id = -1")
        db.execute("UPDATE documents SET path = '../outside/victim' WHERE kind = 'bibtex'")
        db.execute("INSERT OR REPLACE INTO notes (paper_id, path) VALUES (1, 'notes/evil.md')")
        db.execute(f"UPDATE journal_state SET last_paper_id = {2**62}")


def every_run() -> list[tuple[str, ...]]:
    known = {modern([name])[0] for name in RUNS}
    lines = [line for some in RUNS.values() for line in some]
    lines += [name for name in COMMANDS if name not in known]
    return [tuple(shlex.split(line)) for line in lines]


def every_command(command: click.Command, *path: str) -> Iterator[tuple[str, ...]]:
    """Every command, with those below it."""
    if path and (not isinstance(command, click.Group) or command.invoke_without_command):
        yield path
    for name in command.list_commands(CONTEXT) if isinstance(command, click.Group) else ():
        below = command.get_command(CONTEXT, name) if isinstance(command, click.Group) else None
        yield from every_command(below, *path, name) if below else ()


def test_every_command_is_tried() -> None:
    runs = [tuple(modern(list(run))) for run in every_run()]
    commands = list(every_command(app))
    assert len(commands) > len(COMMANDS)
    untried = [one for one in commands if not any(run[: len(one)] == one for run in runs)]
    assert untried == [("tui",)]


def test_no_command_does_what_a_strangers_library_wants(papertrack: Command, trap: Trap) -> None:
    for name in OWN:
        (trap.library / name).unlink()
    (trap.library / "papers").symlink_to(trap.outside)
    (trap.library / "topics.toml").symlink_to(trap.outside / "victim")
    for arguments in every_run():
        ran = papertrack(*arguments)
        assert trap.harm() == [], (arguments, ran.err)
        assert "internal error" not in ran.err, (arguments, ran.err)
        # Otherwise the command itself was not tried.
        assert "--help`" not in ran.err, (arguments, ran.err)


def test_nothing_is_done_where_the_librarys_own_folders_lead_out_of_it(
    papertrack: Command, trap: Trap
) -> None:
    for arguments in every_run():
        ran = papertrack(*arguments)
        assert trap.harm() == [], (arguments, ran.err)
        assert "internal error" not in ran.err, (arguments, ran.err)


@pytest.mark.parametrize("kept", OWN)
def test_nothing_is_done_where_one_of_them_does(papertrack: Command, trap: Trap, kept: str) -> None:
    for name in OWN:
        if name != kept:
            (trap.library / name).unlink()
    for run in ("pass paged 1", "backup", "share on", "export --md"):
        ran = papertrack(*run.split())
        assert trap.harm() == [], (run, ran.err)
    assert "leads out of the library" in ran.err


def test_once_trusted_it_works_as_its_owner_meant(papertrack: Command, trap: Trap) -> None:
    assert papertrack("trust").code == 0
    papertrack("open", "paged", "--pdf")
    assert any(harm.startswith("started") for harm in trap.harm())

"""The workflow of a shared library, as a forge runs it: a fresh clone a night, and no database."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from io import StringIO
from pathlib import Path

import pytest

from papertrack.actions.watch.schedule import WORKFLOW, Schedule, github_workflow
from papertrack.cli.app import run
from tests.fake_arxiv import FakeArxiv
from tests.share.clones import git
from tests.watch.announced_days import announce, ordinary_day

DAYS = [date(2026, 11, day) for day in (16, 17, 18, 19)]
SUMMARY = "summary.md"

pytestmark = pytest.mark.skipif(
    not shutil.which("git") or not shutil.which("bash"), reason="needs git and bash"
)


@dataclass
class Forge:
    """A bare repository, and who works on it."""

    folder: Path
    environ: dict[str, str]
    day: date = DAYS[0]

    @property
    def hub(self) -> Path:
        return self.folder / "hub.git"

    def run(self, where: Path, *command: str, **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=where,
            env={**self.environ, **self.now, **environ},
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def now(self) -> dict[str, str]:
        return {"PAPERTRACK_NOW": f"{self.day}T03:17:00-05:00"}

    def papertrack(self, where: Path, *arguments: str) -> str:
        """Run a command of who is no runner, in this process."""
        with (
            pytest.MonkeyPatch.context() as patched,
            redirect_stdout(StringIO()) as out,
            redirect_stderr(StringIO()) as errors,
        ):
            patched.chdir(where)
            for name in list(os.environ):
                patched.delenv(name)
            for name, value in {**self.environ, **self.now}.items():
                patched.setenv(name, value)
            code = run(arguments)
        assert code == 0, out.getvalue() + errors.getvalue()
        return out.getvalue()

    def clone(self, name: str) -> Path:
        git(self.folder, "clone", "-q", str(self.hub), name)
        return self.folder / name

    def night(self, curator: Path, *, code: int = 0) -> str:
        """What the workflow does in a night; returns the summary of its run."""
        runner = self.clone(f"runner-{self.day}")
        own = {
            **{"HOME": str(runner / ".home"), "PAPERTRACK_LIBRARY": "."},
            "GITHUB_STEP_SUMMARY": str(self.folder / SUMMARY),
        }
        (self.folder / SUMMARY).write_text("")
        text = (runner / WORKFLOW).read_text()
        lines = text.split("run: |\n")[1].splitlines()
        script = "\n".join(line.removeprefix(" " * 10) for line in lines)
        ran = self.run(runner, "bash", "-e", "-c", script, **own)
        assert ran.returncode == code, ran.stdout + ran.stderr
        assert git(self.hub, "ls-tree", "-r", "--name-only", "main").count("data/") == 0
        shutil.rmtree(runner)
        return (self.folder / SUMMARY).read_text()


@pytest.fixture
def forge(tmp_path: Path, fake_arxiv: FakeArxiv, forked_papertrack: Path) -> Forge:
    program = tmp_path / "bin" / "papertrack"
    program.parent.mkdir()
    program.symlink_to(forked_papertrack)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PAPERTRACK_")}
    environ = {
        **kept,
        **fake_arxiv.environment,
        **{"PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(tmp_path / "home")},
        **{"PAPERTRACK_ARXIV_INTERVAL_SECONDS": "0", "GIT_CONFIG_NOSYSTEM": "1"},
        **{f"XDG_{name}_HOME": "" for name in ("STATE", "CONFIG", "DATA")},
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    (tmp_path / "home").mkdir()
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "hub.git")
    made = Forge(tmp_path, environ)
    for key, value in (("user.name", "reader"), ("user.email", "reader@example.org")):
        made.run(tmp_path, "git", "config", "--global", key, value)
    return made


@pytest.fixture
def curator(forge: Forge) -> Path:
    """A curator's clone of a library with a topic and the workflow."""
    folder = forge.folder / "curator"
    git(forge.folder, "init", "-q", "-b", "main", "curator")
    git(folder, "remote", "add", "origin", str(forge.hub))
    forge.papertrack(folder, "init", ".", "--shared")
    topic = ("decoding", "--query", "speculative OR languages", "--arxiv", "cs.LG,cs.CL")
    forge.papertrack(folder, "topic", "add", *topic)
    package = "git+https://example.org/papertrack"
    forge.papertrack(folder, "watch", "install", "--github", "--yes", "--package", package)
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "A shared library")
    forge.papertrack(folder, "sync", "--git")
    return folder


def papers(forge: Forge, folder: Path) -> dict[str, str]:
    listed = json.loads(forge.papertrack(folder, "list", "--all", "--json"))
    assert len(listed) == len({paper["arxiv_id"] for paper in listed})
    return {paper["arxiv_id"]: paper["decision"] for paper in listed}


def test_four_nights_of_a_runner_that_keeps_nothing_bring_every_announcement_once(
    forge: Forge, curator: Path, fake_arxiv: FakeArxiv
) -> None:
    wanted = []
    for number, day in enumerate(DAYS):
        announce(fake_arxiv.calendar, day, ordinary_day(day))
        fake_arxiv.calendar.today = forge.day = day
        new = [one.work for one in ordinary_day(day) if one.kind == "new"]
        wanted += [work.arxiv_id for work in new if "Spec" in work.title or "lang" in work.title]
        if number == 2:
            continue  # The runner is off: its list is read the night after.
        summary = forge.night(curator)
        assert f"Speculative decoding on day {day.day}" in summary
        if number == 0:
            assert forge.night(curator) is not None  # Started again by hand.
        forge.papertrack(curator, "sync", "--git")
        inbox = [key for key, decision in papers(forge, curator).items() if decision == "inbox"]
        assert sorted(inbox) == sorted(wanted[-2:] if number != 3 else wanted[-4:])
        forge.papertrack(curator, "save", inbox[0])
        forge.papertrack(curator, "discard", inbox[1], "--reason", "dull")
        if number == 1:
            forge.papertrack(curator, "rm", inbox[1])
            gone = inbox[1]
        for left in inbox[2:]:
            forge.papertrack(curator, "save", left)
        if day != DAYS[-1]:
            forge.papertrack(curator, "sync", "--git")
    assert sorted(papers(forge, curator)) == sorted({*wanted} - {gone})
    assert "inbox" not in papers(forge, curator).values()
    status = json.loads(forge.papertrack(curator, "watch", "status", "--json"))
    assert {one["complete_since"] for one in status["categories"]} == {str(DAYS[0])}


def test_a_runner_that_is_overtaken_loses_nothing(
    forge: Forge, curator: Path, fake_arxiv: FakeArxiv
) -> None:
    announce(fake_arxiv.calendar, forge.day, ordinary_day(forge.day))
    fake_arxiv.calendar.today = forge.day
    other = forge.clone("other")
    forge.papertrack(other, "trust", ".")
    # Somebody else pushes between the runner's fetch and its push.
    wrapper = forge.folder / "bin" / "git"
    wrapper.write_text(
        f"#!/bin/sh\ncase \" $* \" in *' push '*) [ -e {forge.folder}/once ] || {{\n"
        f"touch {forge.folder}/once; unset PAPERTRACK_LIBRARY\n"
        f"(export HOME={forge.folder}/home; cd {other} &&\n"
        "papertrack topic add caches --query cache --arxiv cs.LG && papertrack sync --git) >&2\n"
        f'}};; esac\nexec {shutil.which("git")} "$@"\n'
    )
    wrapper.chmod(0o755)
    forge.night(curator)
    forge.papertrack(curator, "sync", "--git")
    assert (forge.folder / "once").exists()
    assert len(papers(forge, curator)) == 2
    topics = json.loads(forge.papertrack(curator, "topic", "list", "--json"))
    assert {one["name"] for one in topics} == {"decoding", "caches"}


def test_the_workflow_keeps_a_silent_repository_awake(
    forge: Forge, curator: Path, fake_arxiv: FakeArxiv
) -> None:
    forge = replace(forge)
    old = {f"GIT_{who}_DATE": "2026-01-01T00:00:00Z" for who in ("AUTHOR", "COMMITTER")}
    forge.run(curator, "git", "commit", "--amend", "--no-edit", "--allow-empty", **old)
    git(curator, "push", "-q", "--force", "origin", "main")
    for service in ("feed", "site", "api", "oai"):
        fake_arxiv.fail(service, "rate")
    before = git(forge.hub, "rev-parse", "main")
    forge.night(curator, code=4)
    assert git(forge.hub, "rev-parse", "main") != before


@pytest.mark.parametrize(("days", "commits"), [(45, 1), (55, 2)])
def test_the_job_keeps_a_repository_awake_in_which_nothing_happens(
    tmp_path: Path, days: int, commits: int
) -> None:
    # A forge stops the schedule of one after sixty days.
    hub, work = tmp_path / "hub.git", tmp_path / "work"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(hub))
    git(tmp_path, "clone", "-q", str(hub), str(work))
    git(work, "switch", "-q", "-c", "main")
    when = (datetime.now(UTC) - timedelta(days=days)).isoformat()
    nightly = Schedule(work, ("papertrack",), time(3, 17))
    script = github_workflow(nightly, ".", "papertrack-cli", is_shared=True)
    lines = [line.strip() for line in script.splitlines()]
    start = next(number for number, line in enumerate(lines) if line.startswith("if [ -z "))
    keeping = "\n".join(lines[start : lines.index("fi", start) + 1])
    for command in (f"git commit -q --allow-empty -m Old --date '{when}'", keeping):
        environ = {
            **os.environ,
            **{f"GIT_{who}_NAME": "r" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "r@example.org" for who in ("AUTHOR", "COMMITTER")},
            **({} if command == keeping else {"GIT_COMMITTER_DATE": when}),
        }
        subprocess.run(["bash", "-ec", command], cwd=work, env=environ, check=True)
        git(work, "push", "-q", "origin", "main")
    assert git(hub, "rev-list", "--count", "main").strip() == str(commits)

"""``papertrack check --install-github``: the workflow, and what it never does."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.check.test_pull_requests import OLD, git
from tests.cli.commands import Command

SOURCE = "git+https://github.com/reader/papertrack"
WORKFLOW = Path(".github/workflows/papertrack-check.yml")


@pytest.fixture
def repository(home: Path) -> Path:
    git(home, "init")
    (home / "README.md").write_text(OLD, encoding="utf-8")
    return home


def install(papertrack: Command, *more: str, file: str = "README.md") -> tuple[int, str]:
    ran = papertrack("check", file, "--install-github", "--package", SOURCE, *more)
    return ran.code, ran.err


def test_the_workflow_is_written_once(papertrack: Command, repository: Path) -> None:
    assert install(papertrack, "-n")[0] == 0
    assert not (repository / WORKFLOW).exists()
    code, told = install(papertrack)
    assert (code, "is written." in told) == (0, True)
    text = (repository / WORKFLOW).read_text("utf-8")
    assert "on:\n  pull_request: {}\npermissions:\n  contents: read\n" in text
    assert "fetch-depth: 0" in text
    assert f'PAPERTRACK_PACKAGE: "{SOURCE}"' in text
    assert "is there already." in install(papertrack)[1]


def test_no_word_of_a_stranger_is_in_a_script(papertrack: Command, repository: Path) -> None:
    install(papertrack)
    text = (repository / WORKFLOW).read_text("utf-8")
    assert "pull_request_target" not in text
    _, *scripts = text.split("run:")
    assert [script for script in scripts if "${{" in script.partition("working-dir")[0]] == []


def test_what_is_said_at_installing_is_what_runs(papertrack: Command, repository: Path) -> None:
    (repository / "more lists.md").write_text(OLD, encoding="utf-8")
    install(papertrack, "--fail-on", "error", "--ignore", "date", file="more lists.md")
    text = (repository / WORKFLOW).read_text("utf-8")
    command = text.strip().rpartition("\n")[2].strip()
    assert command.endswith("--fail-on error --ignore date -- 'more lists.md'")


def test_the_command_of_the_workflow_runs(
    papertrack: Command, process: Command, repository: Path
) -> None:
    install(papertrack)
    git(repository, "add", "--all")
    git(repository, "commit", "--message=Begin")
    text = (repository / WORKFLOW).read_text("utf-8")
    command = text.strip().rpartition("\n")[2].strip().replace('"$BASE"', "HEAD")
    ran = process(*command.split()[1:])
    assert (ran.code, ran.out) == (0, "")
    with (repository / "README.md").open("a", encoding="utf-8") as file:
        file.write("- [New]()\n")
    assert process(*command.split()[1:]).out.startswith("::warning file=README.md,line=8,")


@pytest.mark.parametrize("there", ["name: mine\n", "edited"])
def test_a_file_of_somebody_else_is_not_overwritten(
    papertrack: Command, repository: Path, there: str
) -> None:
    install(papertrack)
    path = repository / WORKFLOW
    text = path.read_text("utf-8").replace("10", "20") if there == "edited" else there
    path.write_text(text, encoding="utf-8")
    code, told = install(papertrack, "--fail-on", "note")
    assert (code, "Move it away first" in told) == (2, True)
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize("links", [".github", ".github/workflows", str(WORKFLOW)])
def test_nothing_is_written_through_a_link(
    papertrack: Command, repository: Path, links: str
) -> None:
    target = repository / ".git" / ("commondir" if links == str(WORKFLOW) else "")
    before = sorted((repository / ".git").rglob("*"))
    (repository / links).parent.mkdir(parents=True, exist_ok=True)
    (repository / links).symlink_to(target)
    code, told = install(papertrack)
    assert (code, "is a link" in told) == (2, True)
    assert sorted((repository / ".git").rglob("*")) == before


def test_its_own_file_is_written_anew(papertrack: Command, repository: Path) -> None:
    install(papertrack)
    install(papertrack, "--fail-on", "note")
    assert "--fail-on note" in (repository / WORKFLOW).read_text("utf-8")


def test_what_no_workflow_can_hold_is_refused(papertrack: Command, repository: Path) -> None:
    evil = "${{ github.token }}.md"
    (repository / evil).write_text(OLD, encoding="utf-8")
    assert install(papertrack, file=evil)[0] == 2
    assert papertrack("check", "README.md", "--package", SOURCE).code == 2
    shutil.rmtree(repository / ".git")
    assert "not in a git repository" in install(papertrack)[1]


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="needs actionlint")
def test_a_linter_of_workflows_finds_nothing(papertrack: Command, repository: Path) -> None:
    install(papertrack)
    subprocess.run(["actionlint", str(repository / WORKFLOW)], check=True)

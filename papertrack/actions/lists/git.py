"""Run git without prompts, and write marked workflow files for GitHub.

Workflows have minimal permissions. They never run a stranger's text or put it into a script:

- Pull requests are checked on ``pull_request`` (never ``pull_request_target``), and only read.
- An issue's text reaches papertrack through the environment and stdin. The job that parses it can
  only read the repository. Another job writes the branch, from the edited file and the summary.
- The base of a pull request reaches the shell through the environment.
- pip runs outside the checkout, so that files of a pull request cannot influence it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

from papertrack.category_paths import format_path
from papertrack.documents.markdown.check.findings import Level
from papertrack.documents.markdown.model import Document
from papertrack.errors import PapertrackError, UsageError
from papertrack.library import git_folders, read_path
from papertrack.library.files import read_file, safe_path, write_file
from papertrack.library.paths import find_repository
from papertrack.sources.transport import in_time

SECONDS = 120
_MAX_BYTES = 256 * 2**20
"""The limit of output, since a small object can unpack to gigabytes."""
_MAX_MESSAGE = 2**20
_CHUNK = 2**16
_MAX_LISTING = 64 * 2**20
"""The limit of a listing, since a tree can contain another one many times.

For comparison, the listing of Chromium has 30 MB.
"""
_BATCH_MODE = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GIT_EDITOR": "true",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
}
"""No prompts, no editors, and no patterns in file names."""
OFFLINE = {"GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1"}
"""The environment for untrusted repositories, without network access.

Otherwise git would fetch missing objects of a partial clone with programs that the repository's
settings name.
"""


class GitResult(NamedTuple):
    """The result of a git command."""

    code: int
    output: bytes
    message: str

    @property
    def text(self) -> str:
        """Return the output without the last line end. File names keep their bytes."""
        return os.fsdecode(self.output).rstrip("\n")


def ask_git(folder: Path, *arguments: str, environ: Mapping[str, str] | None = None) -> GitResult:
    """Run git in a trusted repository, whose settings may name programs to start.

    ``environ`` overrides other variables.

    Raises PapertrackError when git is missing, takes too long or prints too much.
    """
    _refuse_special_files(folder.absolute())
    environ = {**os.environ, **_BATCH_MODE, **(environ or {})}
    if not environ.get("GIT_SSH_COMMAND"):
        environ["GIT_SSH_COMMAND"] = f"{environ.get('GIT_SSH') or 'ssh'} -o BatchMode=yes"
    try:
        return _run(["git", "-C", str(folder), *arguments], environ)
    except FileNotFoundError:
        raise PapertrackError(
            "This machine has no `git`. Install it, and run this again."
        ) from None
    except (OSError, subprocess.SubprocessError) as error:
        raise PapertrackError(f"git failed: {error}. Run it yourself to see why.") from None


@cache
def _refuse_special_files(folder: Path) -> None:
    """Raise PapertrackError for a pipe or device among git's own files, where git would wait."""
    git_dir = (git_folders(folder) or (folder, folder / ".git"))[1]
    places = {git_dir, git_dir / (read_path(git_dir / "commondir") or "")}
    folders = ("", "info", "objects/info", "objects/pack", "refs")
    pending = [(place / name, name) for place, name in product(places, folders)]
    while pending:
        folder, name = pending.pop()
        with suppress(OSError):
            for entry in os.scandir(folder):
                if entry.is_dir(follow_symlinks=False):
                    pending += [(folder / entry.name, name)] if name == "refs" else []
                elif not entry.is_file(follow_symlinks=False):
                    _refuse_pipe(folder / entry.name)


def _refuse_pipe(path: Path) -> None:
    """Raise PapertrackError for a pipe or device. Opening a socket, as fsmonitor has, fails."""
    with suppress(OSError):
        if any((path.is_fifo(), path.is_char_device(), path.is_block_device())):
            raise PapertrackError(
                f"{path} is not a plain file, so git was not started. Remove it, and try again."
            )


def _run(command: Sequence[str], environ: Mapping[str, str]) -> GitResult:
    """Run git, and kill it when it takes too long or prints too much.

    Raises OSError, TimeoutExpired and PapertrackError.
    """
    with (
        tempfile.TemporaryFile() as messages,
        subprocess.Popen(
            command,
            bufsize=0,  # Closing a buffer would wait for the thread that reads it.
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=messages,
            start_new_session=True,  # So that git's own children can be killed with it.
        ) as process,
    ):
        limit = _MAX_LISTING if "ls-tree" in command else _MAX_BYTES
        try:
            # A program that git started may keep the output open after git ends.
            out = in_time("papertrack-git", SECONDS, partial(_read, process, limit))
            code = process.wait(SECONDS)
        except TimeoutError:
            raise subprocess.TimeoutExpired(command, SECONDS) from None
        finally:
            if process.returncode is None:
                _kill(process)
        if len(out) > limit:
            raise PapertrackError(
                f"git printed more than {limit // 2**20} MB and was stopped. Look for large files "
                "in the repository with `git ls-tree`."
            )
        messages.seek(0)
        return GitResult(code, out, messages.read(_MAX_MESSAGE).decode("utf-8", "replace").strip())


def _read(process: subprocess.Popen[bytes], limit: int) -> bytes:
    """Return a process's output; kill the process when it prints more than ``limit`` bytes."""
    out = bytearray()
    while process.stdout and (chunk := process.stdout.read(_CHUNK)):
        out += chunk
        if len(out) > limit:
            _kill(process)
            break
    return bytes(out)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill git and what it started: a helper would wait for a silent server for ever."""
    process.kill()
    with suppress(ProcessLookupError, AttributeError):  # Windows has no groups of processes.
        os.killpg(process.pid, signal.SIGKILL)


def git_output(folder: Path, *arguments: str, advice: str) -> str:
    """Return git's output. Raises PapertrackError with git's message and advice if it fails."""
    run = ask_git(folder, *arguments)
    if run.code:
        reason = " ".join((run.message or run.text).split())[:300] or f"exit code {run.code}"
        subcommand = next((word for word in arguments if re.fullmatch("[a-z][a-z-]+", word)), "")
        raise PapertrackError(f"`git {subcommand}` failed: {reason.rstrip('.')}. {advice}")
    return run.text


CHECK_WORKFLOW = Path(".github/workflows/papertrack-check.yml")
PROPOSE_FORM = Path(".github/ISSUE_TEMPLATE/papertrack-propose.yml")
PROPOSE_WORKFLOW = Path(".github/workflows/papertrack-propose.yml")
UNKNOWN = "I do not know"
MAX_OPTIONS = 100
"""The most sections in a form's menu. With more sections the form has a text field."""
_TEMPLATES = Path(__file__).parent / "templates"
_MARK = re.compile(r"# Written by `papertrack (?P<command>[^`]+)` \((?P<digest>[0-9a-f]{16})\)")


def fill(template: str, **values: str) -> str:
    """Return the text of a template with ``<<name>>`` filled in."""
    text = (_TEMPLATES / template).read_text(encoding="utf-8")
    return re.sub(r"<<(\w+)>>", lambda match: values[match[1]], text)


@dataclass(frozen=True, slots=True)
class Installation:
    """A file to write."""

    path: Path
    text: str
    is_there: bool
    """Whether the file contains this text already."""

    def carry_out(self) -> None:
        """Write the file. Raises PapertrackError when that fails."""
        if not self.is_there:
            write_file(self.path, self.text.encode())


def path_in_repository(root: Path, name: Path) -> Path:
    """Return the path of a file in a repository.

    Raises UsageError if a link is in the path, which could lead to another file, such as git's own.
    """
    try:
        return safe_path(root, name.as_posix())
    except NotADirectoryError as error:
        raise UsageError(
            f"{error.filename} is a link, or not a plain file or folder. Nothing was written."
        ) from None


def plan_file(root: Path, name: Path, text: str, command: str) -> Installation:
    """Plan a file that a command writes into a repository, marked with its digest.

    Raises UsageError if the path has another file, or one edited by hand, or is outside the
    repository.
    """
    path = path_in_repository(root, name)
    mark = f"# Written by `papertrack {command}` ({_digest(text)}): run it again"
    marked = f"{mark} to change it.\n{text}"
    if not path.exists():
        return Installation(path, marked, is_there=False)
    present = read_file(path).decode("utf-8", "replace")
    first, _, rest = present.partition("\n")
    header = _MARK.match(first)
    if header is None or header["command"] != command or header["digest"] != _digest(rest):
        problem = "was not written by papertrack" if header is None else "was edited by hand"
        raise UsageError(f"{path} {problem}. Move it away first, or change it by hand.")
    return Installation(path, marked, is_there=present == marked)


def _digest(text: str) -> str:
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()[:16]


def name_in_repository(root: Path, file: Path) -> str:
    """Return a file's name in its repository.

    Raises UsageError for a file outside of it, or a name that cannot be written into a workflow.
    """
    resolved = file.absolute().parent.resolve() / file.name
    if not resolved.is_relative_to(root):
        raise UsageError(f"{file} is not in the repository {root}: GitHub cannot reach it.")
    return check_name(resolved.relative_to(root).as_posix())


def check_name(name: str) -> str:
    """Return a name that is to be written into a workflow.

    Raises UsageError for one that would leave its line, or in which GitHub would replace something.
    """
    if not name.isprintable() or "${{" in name:
        raise UsageError(f"{name!r} cannot be written into a workflow. Rename it.")
    return name


def plan_check(
    files: Sequence[Path], package: str, fail_on: Level, ignored: Sequence[str]
) -> Installation:
    """Plan the workflow that checks these files in pull requests.

    ``package`` is the requirement that pip installs there. Raises UsageError for files that are
    not in one repository, for names that cannot be written into a workflow, and if the
    workflow's path has another file or one edited by hand.
    """
    root = find_repository(files[0].absolute().parent.resolve())
    if root is None:
        raise UsageError(f"{files[0]} is not in a git repository: GitHub cannot check it.")
    names = [name_in_repository(root, file) for file in files]
    options = [word for kind in ignored for word in ("--ignore", kind)]
    command = ["--format", "github", "--fail-on", fail_on, *options, "--", *names]
    text = fill("check.yml", package=json.dumps(package), options=shlex.join(command))
    return plan_file(root, CHECK_WORKFLOW, text, "check --install-github")


def plan_proposals(file: Path, document: Document, package: str) -> tuple[Installation, ...]:
    """Plan an issue form for a list, and a workflow that turns issues into pull requests.

    ``package`` is the requirement that pip installs there. Raises UsageError for a file outside
    a repository, for a name that cannot be written into a workflow, and if the paths have other
    files or files edited by hand.
    """
    root = find_repository(file.absolute().parent.resolve())
    if root is None:
        raise UsageError(f"{file} is not in a git repository: GitHub cannot reach it.")
    name = name_in_repository(root, file)
    options = list(dict.fromkeys((UNKNOWN, *map(format_path, document.categories))))
    is_list = 1 < len(options) <= MAX_OPTIONS
    lines = ["      options:", *(f"        - {_yaml(option)}" for option in options)]
    form = fill(
        "propose_form.yml",
        description=_yaml(f"Papers missing from {name}. Your links become a pull request."),
        kind="dropdown" if is_list else "input",
        options="\n".join(lines) + "\n" if is_list else "",
    )
    workflow = fill("propose.yml", package=json.dumps(package), name=json.dumps(name))
    command = "propose --install-github"
    return (
        plan_file(root, PROPOSE_FORM, form, command),
        plan_file(root, PROPOSE_WORKFLOW, workflow, command),
    )


def _yaml(text: str) -> str:
    """Quote a text for YAML, which accepts JSON's strings."""
    return json.dumps(text, ensure_ascii=False)

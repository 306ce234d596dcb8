"""Git without prompts, and files for GitHub that papertrack writes and knows again as its own.

Workflows run with the least rights, and nothing of a stranger's is run or put into a script. A pull
request is checked on ``pull_request`` (never ``pull_request_target``): it is text that is read. An
issue reaches papertrack on stdin, from the environment; what reads it may read the repository only,
and another job, which sees nothing but the edited file and the summary, writes the branch. The base
of a pull request, too, reaches the shell through the environment; pip runs outside of the checkout,
where no file of a stranger can lead it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from papertrack.category_paths import format_path
from papertrack.documents.markdown.check.findings import Level
from papertrack.documents.markdown.model import Document
from papertrack.errors import PapertrackError, UsageError
from papertrack.library.files import read_file, write_file
from papertrack.library.paths import find_repository
from papertrack.sources.transport import in_time

SECONDS = 120
_MOST_BYTES = 256 * 2**20
"""Of output: a small object may unpack to gigabytes."""
_MOST_MESSAGES = 2**20
_PART = 2**16
_MOST_NAMES = 64 * 2**20
"""Of a listing: a tree may stand in many places of another one. Chromium's has 30 MB."""
_QUIET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GIT_EDITOR": "true",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
}
"""No questions, no editors, and file names are not patterns."""
OFFLINE = {"GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1"}
"""For repositories of strangers: otherwise git fetches what a partial clone lacks, by programs
that its settings name."""


class Ran(NamedTuple):
    """The result of a git command."""

    code: int
    out: bytes
    said: str

    @property
    def text(self) -> str:
        """Return its output without the last line end; file names are as they are."""
        return os.fsdecode(self.out).rstrip("\n")


def ask_git(folder: Path, *arguments: str, environ: Mapping[str, str] | None = None) -> Ran:
    """Run git in a trusted repository: it may start programs that the repository's settings
    name. ``environ`` overrides other variables.

    Raises PapertrackError when git is missing, takes too long or prints too much.
    """
    environ = {**os.environ, **_QUIET, **(environ or {})}
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


def _run(command: Sequence[str], environ: Mapping[str, str]) -> Ran:
    """Run git, and end it when it takes too long or prints too much. Raises OSError,
    TimeoutExpired and PapertrackError."""
    with (
        tempfile.TemporaryFile() as messages,
        subprocess.Popen(
            command,
            bufsize=0,  # A buffer could not be closed while something waits for it.
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=messages,
        ) as process,
    ):
        most = _MOST_NAMES if "ls-tree" in command else _MOST_BYTES
        try:
            # What git started may keep its output open for longer than git runs.
            out = in_time("papertrack-git", SECONDS, partial(_read, process, most))
            code = process.wait(SECONDS)
        except TimeoutError:
            raise subprocess.TimeoutExpired(command, SECONDS) from None
        finally:
            process.kill()
        if len(out) > most:
            raise PapertrackError(
                f"git printed more than {most // 2**20} MB and was stopped. No list needs that: "
                "look at what the repository has, with `git ls-tree`."
            )
        messages.seek(0)
        return Ran(code, out, messages.read(_MOST_MESSAGES).decode("utf-8", "replace").strip())


def _read(process: subprocess.Popen[bytes], most: int) -> bytes:
    """Return what a process prints, up to its end or a little more than ``most`` bytes."""
    out = bytearray()
    while process.stdout and (part := process.stdout.read(_PART)):
        out += part
        if len(out) > most:
            process.kill()
            break
    return bytes(out)


def need_git(folder: Path, *arguments: str, advice: str) -> str:
    """Return the output of git. Raises PapertrackError when it fails, with its message and
    advice."""
    ran = ask_git(folder, *arguments)
    if ran.code:
        words = " ".join((ran.said or ran.text).split())[:300] or f"exit code {ran.code}"
        verb = next((word for word in arguments if re.fullmatch("[a-z][a-z-]+", word)), "")
        raise PapertrackError(f"`git {verb}` failed: {words.rstrip('.')}. {advice}")
    return ran.text


CHECK_WORKFLOW = Path(".github/workflows/papertrack-check.yml")
PROPOSE_FORM = Path(".github/ISSUE_TEMPLATE/papertrack-propose.yml")
PROPOSE_WORKFLOW = Path(".github/workflows/papertrack-propose.yml")
UNKNOWN = "I do not know"
MAX_OPTIONS = 100
"""How many sections a form offers; beyond that, one types the name."""
_TEMPLATES = Path(__file__).parent / "templates"
_MARK = re.compile(r"# Written by `papertrack (?P<command>[^`]+)` \((?P<digest>[0-9a-f]{16})\)")


def fill(template: str, **values: str) -> str:
    """Return the text of a template with ``<<name>>`` filled in."""
    text = (_TEMPLATES / template).read_text(encoding="utf-8")
    return re.sub(r"<<(\w+)>>", lambda place: values[place[1]], text)


@dataclass(frozen=True, slots=True)
class Installation:
    """A file to be written."""

    path: Path
    text: str
    is_there: bool
    """Whether the file contains this text already."""

    def carry_out(self) -> None:
        """Write the file. Raises PapertrackError when that fails."""
        if not self.is_there:
            write_file(self.path, self.text.encode())


def path_in_repository(root: Path, name: Path) -> Path:
    """Return the path of a file in a repository. Raises UsageError if a link on the way leads
    out of it, as a stranger may have put there."""
    path = root / name
    if not (real := path.resolve()).is_relative_to(root.resolve()):
        raise UsageError(f"{path} leads out of the repository, to {real}. Nothing was written.")
    return path


def plan_file(root: Path, name: Path, text: str, command: str) -> Installation:
    """Plan a file that a command writes into a repository, with a mark.

    Raises UsageError if another file has its name, it was edited by hand, or it would be outside
    the repository.
    """
    path = path_in_repository(root, name)
    mark = f"# Written by `papertrack {command}` ({_digest(text)}): run it again"
    marked = f"{mark} to change it.\n{text}"
    if not path.exists():
        return Installation(path, marked, is_there=False)
    there = read_file(path).decode("utf-8", "replace")
    first, _, rest = there.partition("\n")
    known = _MARK.match(first)
    if known is None or known["command"] != command or known["digest"] != _digest(rest):
        whose = "was not written by papertrack" if known is None else "was edited by hand"
        raise UsageError(f"{path} {whose}. Move it away first, or change it by hand.")
    return Installation(path, marked, is_there=there == marked)


def _digest(text: str) -> str:
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()[:16]


def name_in_repository(root: Path, file: Path) -> str:
    """Return a file's name in its repository. Raises UsageError for a file outside of it, or a
    name that cannot be written into a workflow."""
    resolved = file.absolute().parent.resolve() / file.name
    if not resolved.is_relative_to(root):
        raise UsageError(f"{file} is not in the repository {root}: GitHub cannot reach it.")
    name = resolved.relative_to(root).as_posix()
    if not name.isprintable() or "${{" in name:
        raise UsageError(f"{name!r} cannot be written into a workflow. Rename the file.")
    return name


def plan_check(
    files: Sequence[Path], package: str, fail_on: Level, ignored: Sequence[str]
) -> Installation:
    """Plan the workflow that checks these files in pull requests.

    ``package`` is what pip installs there. Raises UsageError for files that are not in one
    repository, names that cannot be written into a workflow, and if another file has the
    workflow's name, or the workflow was edited by hand.
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
    """Plan the issue form for a list, and the workflow that turns its answers into pull
    requests; ``package`` is what pip installs there.

    Raises UsageError for a file outside a repository, a name that cannot be written into a
    workflow, and if other files have these names, or were edited by hand.
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
        description=_yaml(f"Papers that {name} lacks. A pull request is made of your links."),
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
    """A text in YAML: JSON's texts are."""
    return json.dumps(text, ensure_ascii=False)

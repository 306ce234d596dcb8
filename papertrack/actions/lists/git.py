"""Runs git without prompts: where it would wait for a password, it fails."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from papertrack.errors import PapertrackError

SECONDS = 120
_QUIET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GIT_EDITOR": "true",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
}
"""Neither questions nor editors, and names of files are no patterns."""
OFFLINE = {"GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1"}
"""For a repository that may be a stranger's: what a partial clone lacks git fetches unasked, and by
programs that its settings name."""


class Ran(NamedTuple):
    """What came of a git command."""

    code: int
    out: bytes
    said: str

    @property
    def text(self) -> str:
        """What it printed, without the end of the last line; names of files are as they are."""
        return os.fsdecode(self.out).rstrip("\n")


def ask_git(folder: Path, *arguments: str, environ: Mapping[str, str] | None = None) -> Ran:
    """Run git in a repository that is trusted: it may start programs that its settings name.
    ``environ`` goes before what else it is given.

    Raises PapertrackError when git is not there or takes too long.
    """
    environ = {**os.environ, **_QUIET, **(environ or {})}
    if not environ.get("GIT_SSH_COMMAND"):
        environ["GIT_SSH_COMMAND"] = f"{environ.get('GIT_SSH') or 'ssh'} -o BatchMode=yes"
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except FileNotFoundError:
        raise PapertrackError(
            "This machine has no `git`. Install it, and run this again."
        ) from None
    except (OSError, subprocess.SubprocessError) as error:
        raise PapertrackError(f"git failed: {error}. Run it yourself to see why.") from None
    return Ran(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip())


def need_git(folder: Path, *arguments: str, advice: str) -> str:
    """What git prints. Raises PapertrackError when it fails, with its words and what to do."""
    ran = ask_git(folder, *arguments)
    if ran.code:
        words = " ".join((ran.said or ran.text).split())[:300] or f"exit code {ran.code}"
        verb = next((word for word in arguments if re.fullmatch("[a-z][a-z-]+", word)), "")
        raise PapertrackError(f"`git {verb}` failed: {words.rstrip('.')}. {advice}")
    return ran.text

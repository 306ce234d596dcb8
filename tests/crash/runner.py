"""Commands in processes of their own, watched at each call by which they change the disk.

A server is started with ``calls.c`` before the C library and with all modules imported; it forks
for every command, so that one costs as little as its work. Linux and a C compiler are needed.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn, Self

from tests.forked import be_the_command, warm_up

SOURCE = Path(__file__).parent / "calls.c"
EVER = 10**9


def lacks() -> str | None:
    """What is missing on this machine to run commands so; None if nothing is."""
    if sys.platform != "linux":
        return "only Linux loads a library before its C library"
    return None if shutil.which("cc") else "there is no C compiler `cc`"


@dataclass(frozen=True)
class Fault:
    """What happens to a command, at which of its calls."""

    kill: int = 0
    """Killed before the call of this number; 0 is none."""
    first: int = 0
    last: int = 0
    """Refused are the calls from this number to that."""
    error: int = 0
    """With this error of the system."""
    is_full: bool = False
    """Refused are only those that need room on the disk."""


@dataclass(frozen=True)
class Done:
    """A command that ran."""

    code: int
    """Its exit code, or the signal that ended it, negative."""
    out: str
    err: str
    calls: int
    """How often it asked the disk for a change."""


class Runner:
    """A context manager: the server that runs commands, and what watches below one folder."""

    def __init__(self, scratch: Path, watched: Path) -> None:
        self.scratch = scratch
        self.watched = watched
        self._server: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        library = self.scratch / "calls.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True)
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.runner", library, self.scratch, self.watched],
            env=os.environ | {"LD_PRELOAD": str(library)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server
        assert self._server.stdin
        self._server.stdin.close()
        self._server.wait()

    def run(
        self,
        command: Sequence[str],
        folder: Path,
        environ: Mapping[str, str],
        fault: Fault | None = None,
        log: Path | None = None,
    ) -> Done:
        """Run ``papertrack`` with these arguments; its calls are written to ``log``."""
        assert self._server
        assert self._server.stdin
        assert self._server.stdout
        asked = {
            "command": list(command),
            "folder": str(folder),
            "environ": dict(environ),
            "fault": asdict(fault or Fault()),
            "log": str(log or ""),
        }
        self._server.stdin.write(json.dumps(asked) + "\n")
        self._server.stdin.flush()
        code, calls = json.loads(self._server.stdout.readline())
        out, err = ((self.scratch / name).read_text("utf-8", "replace") for name in ("out", "err"))
        return Done(code, out, err, calls)


def _serve(library: str, scratch: Path, watched: str) -> None:
    calls = ctypes.CDLL(library)
    warm_up()
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            _be_the_command(calls, scratch, watched, asked)
        _, status = os.waitpid(child, 0)
        counted = (scratch / "calls").read_text() if (scratch / "calls").exists() else "0"
        (scratch / "calls").unlink(missing_ok=True)
        print(json.dumps([os.waitstatus_to_exitcode(status), int(counted)]), flush=True)


def _be_the_command(
    calls: ctypes.CDLL, scratch: Path, watched: str, asked: dict[str, Any]
) -> NoReturn:
    """Be the process of the command, to its end."""
    writing = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    out, err = (os.open(scratch / name, writing) for name in ("out", "err"))
    fault = Fault(**asked["fault"])
    limits = map(ctypes.c_long, (fault.kill, fault.first, fault.last, fault.error, fault.is_full))
    calls.calls_watch(watched.encode(), str(asked["log"]).encode(), *limits)
    be_the_command(
        asked["command"],
        asked["folder"],
        asked["environ"],
        (os.open(os.devnull, os.O_RDONLY), out, err),
        lambda _: (scratch / "calls").write_text(str(calls.calls_seen())),
    )


if __name__ == "__main__":
    _serve(sys.argv[1], Path(sys.argv[2]), sys.argv[3])

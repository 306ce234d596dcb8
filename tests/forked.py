"""``papertrack`` as a program that starts at once, for the tests that run it from a shell.

A server with all modules imported forks for each command, which so costs as little as its work.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

import pytest

PROGRAM = """\
#!{python} -SE
import os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    names = [f"{{name}}={{value}}" for name, value in os.environ.items()]
    asked = "\\0".join([os.getcwd(), str(len(names)), *names, *sys.argv[1:]])
    socket.send_fds(server, [asked.encode("utf-8", "surrogateescape")], [0, 1, 2])
    server.shutdown(socket.SHUT_WR)
    sys.exit(int(server.recv(9) or 70))
"""
LATE = ("arxiv", "feedparser", "lxml.etree", "pyromark", "rapidfuzz", "sqlite_utils")
"""Packages that commands import when they need them."""


@pytest.fixture(scope="session")
def forked_papertrack() -> Iterator[Path]:
    """The program ``papertrack``, alone in a folder, whose commands a server of its own runs."""
    with TemporaryDirectory() as folder:
        address, program = f"{folder}/server", Path(folder) / "bin" / "papertrack"
        program.parent.mkdir()
        program.write_text(PROGRAM.format(python=sys.executable, address=address))
        program.chmod(0o755)
        command = [sys.executable, "-m", "tests.forked", address]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
            assert server.stdout
            assert server.stdout.readline() == b"ready\n"
            yield program
            server.terminate()


def warm_up() -> None:
    """Import what any command may need, except for the terminal UI, and run a few: what a process
    works out once, such as the words of a grammar, those that are forked from it need not."""
    import papertrack
    from papertrack.cli.app import run

    for module in pkgutil.walk_packages(papertrack.__path__, "papertrack."):
        if not module.name.startswith(("papertrack.tui", "papertrack.__main__")):
            importlib.import_module(module.name)
    for name in LATE:
        importlib.import_module(name)
    with TemporaryDirectory() as folder, open(os.devnull, "w") as nothing:  # noqa: PTH123
        own = dict.fromkeys(("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"), folder)
        os.environ |= own | {"PAPERTRACK_ARXIV_OFFLINE": "true"}
        with redirect_stdout(nothing), redirect_stderr(nothing):
            library = f"{folder}/library"
            assert run(["init", "--demo", library]) == 0
            assert run(["--library", library, "pass", "2211.17192", "3"]) == 0
            assert run(["--library", library, "export"]) == 0
    gc.collect()
    gc.freeze()


def be_the_command(
    arguments: Sequence[str],
    folder: str,
    environ: Mapping[str, str],
    streams: Sequence[int],
    end: Callable[[int], object],
) -> NoReturn:
    """Be the process of a command: run it on these files, call ``end`` with its code, and exit."""
    code = 70
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
        buffering = 1 if os.isatty(1) else -1
        sys.stdout = os.fdopen(1, "w", buffering, encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", 1, "utf-8", "backslashreplace", closefd=False)
        os.environ.clear()
        os.environ.update(environ)
        os.chdir(folder)
        sys.argv = ["papertrack", *arguments]
        from papertrack.cli import run_command

        code = run_command()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 0
    except BaseException:
        traceback.print_exc()
    finally:
        for opened in (sys.stdout, sys.stderr):
            opened.flush()
        end(code)
        os._exit(code)


def _serve(address: str) -> NoReturn:
    warm_up()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # Nobody asks how its children ended.
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        print("ready", flush=True)
        while True:
            asker, _ = listener.accept()
            if os.fork() == 0:
                _answer(asker)
            asker.close()


def _answer(asker: socket.socket) -> NoReturn:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    piece, streams, _, _ = socket.recv_fds(asker, 1 << 16, 3)
    asked = piece
    while piece := asker.recv(1 << 16):
        asked += piece
    folder, count, *rest = asked.decode("utf-8", "surrogateescape").split("\0")
    environ = dict(name.split("=", 1) for name in rest[: int(count)])
    arguments = rest[int(count) :]
    be_the_command(arguments, folder, environ, streams, lambda code: asker.send(b"%d" % code))


if __name__ == "__main__":
    _serve(sys.argv[1])

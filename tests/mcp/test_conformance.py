"""The official conformance tool of the protocol, from npm, at papertrack's tools over HTTP.

https://github.com/modelcontextprotocol/conformance. Most of its scenarios ask for tools, resources
and prompts of a server made for the test, and papertrack's has none of them: these are expected to
fail, and nothing else is.
"""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="needs the package mcp")

from papertrack.library import Library
from tests.cli.commands import Command
from tests.cli.conftest import home, papertrack
from tests.corpus import WHOLE
from tests.npm import install

__all__ = ["home", "papertrack"]
PASSED = {
    *("server-initialize", "ping", "tools-list", "tools-call-simple-text", "tools-call-error"),
    *("server-sse-multiple-streams", "resources-list", "prompts-list"),
    "dns-rebinding-protection",
}
_PACKAGES = ("node@22", "@modelcontextprotocol/conformance@0.1.16")
_SERVER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from papertrack.mcp.server import make_server
from papertrack.store.store import Store
path, port = Path(sys.argv[1]), int(sys.argv[2])
server = make_server(lambda: Store.open(path, now=lambda: datetime.now(UTC)))
server.run("streamable-http", port=port)
"""
"""Over HTTP for the tool alone, which speaks nothing else."""


def installed(folder: Path) -> list[str]:
    """The tool's command, with a Node that it accepts."""
    modules = install(folder, *_PACKAGES)
    tool = modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    return [str(modules / ".bin" / "node"), str(tool)]


@pytest.mark.skipif(not WHOLE, reason="installs a Node of its own; see `make test-whole`")
def test_the_official_tool_finds_no_fault_but_what_the_server_does_not_offer(
    papertrack: Command, home: Path, tmp_path: Path
) -> None:
    tool = installed(tmp_path)
    assert papertrack("init", "--demo", home).code == 0
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    arguments = [str(Library(home).database), str(port)]
    server = subprocess.Popen([sys.executable, "-c", _SERVER, *arguments])
    try:
        for _ in range(600):
            with socket.socket() as trial:
                if trial.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        ran = subprocess.run(
            [*tool, "server", "--url", f"http://127.0.0.1:{port}/mcp"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
    finally:
        server.terminate()
        server.wait()
    plain = re.sub(r"\x1b\[[0-9;]*m", "", ran.stdout)
    assert set(re.findall(r"✓ ([\w-]+): \d+ passed, 0 failed", plain)) == PASSED, plain

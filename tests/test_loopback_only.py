"""The tests and the processes that they start reach nothing but this machine."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

ELSEWHERE = "192.0.2.1"
"""Of RFC 5737: nobody's."""


@pytest.mark.parametrize("host", [ELSEWHERE, "export.arxiv.org", "2001:db8::1"])
def test_no_test_reaches_another_machine(host: str) -> None:
    # By its message: a worker has the guard from its own start, under another module's name.
    with pytest.raises(AssertionError, match="tried to reach"):
        socket.create_connection((host, 9), timeout=0.1)
    with socket.socket() as raw, pytest.raises(AssertionError, match="tried to reach"):
        raw.connect_ex((ELSEWHERE, 9))


def test_no_process_that_a_test_starts_reaches_another_machine() -> None:
    script = f"import socket; socket.create_connection(({ELSEWHERE!r}, 9), 0.1)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "LeftTheMachine" in done.stderr


def test_this_machine_can_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=5).close()

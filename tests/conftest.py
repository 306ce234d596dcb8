"""For all tests: no socket leaves this machine, and the fake arXiv is at hand."""

from __future__ import annotations

import ipaddress
import os
import socket
from typing import Any

import pytest
from hypothesis import settings

# A busy machine is not a failure: only what a property says counts, not how long it took. The same
# examples each time, so that a change is judged by itself; HYPOTHESIS_PROFILE=search tries others.
settings.register_profile("papertrack", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("search", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "papertrack"))

pytest_plugins = ["tests.fake_arxiv.fixtures"]


class LeftTheMachine(AssertionError):
    """A test tried to reach an address that is not loopback."""


def _must_be_loopback(host: object) -> None:
    if host in (None, "", "localhost", b"localhost"):
        return
    try:
        inside = ipaddress.ip_address(str(host).partition("%")[0]).is_loopback
    except ValueError:
        inside = False
    if not inside:
        raise LeftTheMachine(f"a test tried to reach {host!r}")


@pytest.fixture(autouse=True)
def no_network_but_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    connect, connect_ex, lookup = (
        socket.socket.connect,
        socket.socket.connect_ex,
        socket.getaddrinfo,
    )

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _must_be_loopback(address[0])
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _must_be_loopback(address[0])
        return connect_ex(self, address)

    def guarded_lookup(host: Any, *args: Any, **kwargs: Any) -> Any:
        _must_be_loopback(host)
        return lookup(host, *args, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_lookup)

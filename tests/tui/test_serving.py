"""In a browser the library is whoever's who has the address that was printed, and nobody else's."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests

from papertrack.library import Library, create_library
from papertrack.store.store import Store
from tests.timing import is_listening, until

from .conftest import START

aiohttp = pytest.importorskip("aiohttp", reason="needs textual-serve")


@dataclass(frozen=True)
class Served:
    """A server as its reader sees it."""

    port: int
    address: str
    """What was printed."""

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str, **headers: str) -> requests.Response:
        url = path if path.startswith("http") else f"{self.root}{path}"
        return requests.get(url, headers=headers, allow_redirects=False, timeout=60)

    @property
    def cookie(self) -> str:
        return self.get(self.address).headers["Set-Cookie"].partition(";")[0]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server of an empty library for all tests: none of them changes anything."""
    home = tmp_path_factory.mktemp("home")
    library, _ = create_library(home / "library")
    Store.create(library.database, now=lambda: START).close()
    with serve(library, home) as server:
        yield server


@contextmanager
def serve(library: Library, home: Path) -> Iterator[Served]:
    """A server of a library."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = subprocess.Popen(
        [
            *(sys.executable, "-m", "papertrack", "--library", str(library.root)),
            *("tui", "--serve", "--port", str(port)),
        ],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "HOME": str(home)},
    )
    try:
        assert running.stdout is not None
        for line in running.stdout:
            if found := re.search(r"http://\S+token=\S+", line):
                until(lambda: is_listening(port))
                yield Served(port, found[0])
                break
    finally:
        running.terminate()
        running.wait(60)
        assert running.stdout is not None
        running.stdout.close()


_ASK = """
import sys, urllib.request, urllib.error
request = urllib.request.Request(sys.argv[1], headers={"Cookie": sys.argv[2]})
try:
    print(urllib.request.urlopen(request).status)
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
"""


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or os.geteuid() != 0, reason="needs another user"
)
def test_the_cookie_lets_no_other_user_in(served: Served) -> None:
    """Browsers send it to every port of this machine, also to that of another user's program."""

    def ask(user: int | None) -> str:
        return subprocess.run(
            ["/usr/bin/env", "python3", "-c", _ASK, f"{served.root}/", served.cookie],
            **{"user": user, "cwd": "/", "env": {"PATH": "/usr/bin:/bin"}},
            capture_output=True,
            text=True,
            check=False,
        ).stdout

    if not (own := ask(None)):
        pytest.skip("no Python of the system's")
    assert own == "200\n"
    assert ask(65534).startswith("403 The request comes from another user")


def test_only_the_printed_address_lets_in(served: Served) -> None:
    for path in ("/", "/ws", "/static/js/textual.js", "/?token=", "/?token=wrong", "/download/x"):
        assert served.get(path).status_code == 403
    assert served.get("/", Cookie="papertrack=\u00ff").status_code == 403, "no UTF-8"
    cookie = served.get(served.address)
    assert cookie.status_code == 302
    assert cookie.headers["Location"] == "/", "the secret stays in no history"
    for word in ("HttpOnly", "SameSite=Strict"):
        assert word in cookie.headers["Set-Cookie"]
    page = served.get("/", Cookie=served.cookie)
    assert page.status_code == 200
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:{port}"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://["},
        {"Host": "["},
        {"Host": "a\u2100b".encode().decode("latin-1")},
    ],
    ids=str,
)
def test_no_other_page_or_name_is_answered(served: Served, headers: dict[str, str]) -> None:
    headers = {name: value.format(port=served.port) for name, value in headers.items()}
    for path in ("/", "/ws", served.address):
        answer = served.get(path, Cookie=served.cookie, **headers)
        assert answer.status_code == 403
        assert "Set-Cookie" not in answer.headers


def test_the_screen_comes_to_the_browser(served: Served) -> None:
    async def first_screen() -> str:
        headers = {"Cookie": served.cookie, "Origin": served.root}
        seen = ""
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{served.root}/ws?width=80&height=24", headers=headers) as screen,
        ):
            await screen.send_str(json.dumps(["resize", {"width": 80, "height": 24}]))
            async for message in screen:
                seen += message.data.decode("utf-8", "replace") if message.type == 2 else ""
                if "is empty" in seen:
                    break
        return seen

    assert "is empty" in asyncio.run(asyncio.wait_for(first_screen(), 120))

"""Servers answer the reader alone (security.md, rows 3.1, 3.3, 3.4 and 3.5)."""

import asyncio
import http.client
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from papertrack.actions.cite.better_bibtex import Answers
from papertrack.cli import cite_server
from papertrack.cli.cite_server import CiteServer, OwnerQuestion, owner_of, serve
from papertrack.cli.session import Session
from papertrack.library import Library
from papertrack.library.settings import Bibtex
from papertrack.store.store import Store
from tests.cli.commands import Command
from tests.store.conftest import ticking_clock
from tests.timing import is_listening, until

NOBODY = 65534
PROBE = "/better-bibtex/cayw?probe=true"
ASK = """
import http.client, sys
connection = http.client.HTTPConnection(sys.argv[3], int(sys.argv[1]), timeout=20)
connection.request("GET", sys.argv[2], headers={"Host": "localhost"})
answer = connection.getresponse()
print(answer.status, answer.read().decode())
"""


@pytest.fixture
def server(papertrack: Command, shelf: Path) -> Iterator[CiteServer]:
    @contextmanager
    def answering() -> Iterator[Answers]:
        with Store.open(Library(shelf).database, now=ticking_clock()) as store:
            yield Answers(store, name="library", settings=Bibtex())

    server = CiteServer(0, answering)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def send(server: CiteServer, request: bytes) -> bytes:
    """What a request of these bytes is answered with."""
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=20) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while data := connection.recv(65536):
            answer += data
    return answer


def post(server: CiteServer, body: bytes) -> Any:
    head = "POST /better-bibtex/json-rpc HTTP/1.0\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
    answer = send(server, (head % len(body)).encode() + body)
    assert answer.startswith(b"HTTP/1.0 200"), answer[:200]
    return json.loads(answer.partition(b"\r\n\r\n")[2])


def call(server: CiteServer, method: str, *parameters: object) -> Any:
    return post(server, json.dumps({"method": method, "params": parameters, "id": 1}).encode())


# Row 3.1: whose process asks


def ask(server: CiteServer, host: str, user: int | None = None) -> str:
    """What a program of a user gets."""
    return subprocess.run(
        ["/usr/bin/env", "python3", "-c", ASK, str(server.server_port), PROBE, host],
        user=user,
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin"},
        check=False,
        cwd="/",
    ).stdout.strip()


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or os.geteuid() != 0, reason="needs another user"
)
def test_another_user_of_this_machine_is_not_answered(server: CiteServer) -> None:
    if ask(server, "127.0.0.1") != "200 ready":
        pytest.skip("no Python of the system's")
    assert ask(server, "127.0.0.1", NOBODY).startswith("403 The request comes from another user")
    if ask(server, "::ffff:127.0.0.1"):
        assert ask(server, "::ffff:127.0.0.1", NOBODY).startswith(
            "403 The request comes from another user"
        )


@pytest.mark.parametrize("host", ["127.0.0.1", "::ffff:127.0.0.1"])
def test_ones_own_programs_are_answered(server: CiteServer, host: str) -> None:
    if not (answer := ask(server, host)):
        pytest.skip("no Python of the system's, or no IPv6")
    assert answer == "200 ready"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ("host: localhost", b"200"),
        ("HOST: localhost\r\norigin: http://localhost", b"200"),
        ("host: attacker.example", b"403"),
        ("host: localhost\r\norigin: https://attacker.example", b"403"),
        ("host: localhost\r\nsec-fetch-site: cross-site", b"403"),
        ("host: localhost\r\nhost: localhost", b"403"),
        ("host: localhost\r\nHost: attacker.example", b"403"),
        ("host: localhost\r\norigin: null\r\norigin: http://localhost", b"403"),
        ("host: localhost\r\nx y: z\r\norigin: https://attacker.example", b"403"),
    ],
)
def test_headers_may_be_spelled_in_any_case(
    server: CiteServer, headers: str, status: bytes
) -> None:
    request = f"GET {PROBE} HTTP/1.0\r\n{headers}\r\n\r\n".encode()
    assert send(server, request).startswith(b"HTTP/1.0 " + status)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc")
def test_a_connection_that_is_over_is_nobodys() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        client = socket.create_connection(listening.getsockname())
        ends = client.getsockname(), listening.getsockname()
        held, _ = listening.accept()
        assert owner_of(*ends) == os.geteuid()
        client.close()
        assert owner_of(*ends) is None
        held.close()


def test_where_there_is_no_proc_lsof_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        socket.create_connection(listening.getsockname()) as client,
        listening.accept()[0],
    ):
        ends = client.getsockname(), listening.getsockname()
        if cite_server.shutil.which("lsof"):
            assert owner_of(*ends) == os.geteuid()
        monkeypatch.setattr(cite_server.shutil, "which", lambda *_, **__: None)
        assert owner_of(*ends) is None


def test_where_nobody_can_tell_the_reader_is_asked_once(
    server: CiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cite_server, "owner_of", lambda *_: None)
    request = f"GET {PROBE} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode()
    assert send(server, request).startswith(b"HTTP/1.0 403"), "there is no terminal"
    server.can_pick = True
    questions: list[OwnerQuestion] = []

    def answer() -> None:
        question = server.requests.get(timeout=20)
        assert isinstance(question, OwnerQuestion)
        questions.append(question)
        question.answered.put(True)

    threading.Thread(target=answer, daemon=True).start()
    assert send(server, request).startswith(b"HTTP/1.0 200")
    assert send(server, request).startswith(b"HTTP/1.0 200")
    assert len(questions) == 1


@pytest.mark.parametrize("answer", ["y\n", "n\n"])
def test_it_is_asked_in_the_terminal_of_the_server(
    papertrack: Command, shelf: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setattr(cite_server, "owner_of", lambda *_: None)
    said: list[bool] = []
    servers: list[CiteServer] = []

    class Watched(CiteServer):
        def __init__(self, port: int, answering: Callable[[], Any]) -> None:
            super().__init__(0, answering)
            servers.append(self)

    def confirm(text: str, *, err: bool) -> bool:
        assert "cannot tell whether" in text
        said.append(err)
        return answer == "y\n"

    monkeypatch.setattr(cite_server, "CiteServer", Watched)
    monkeypatch.setattr(cite_server.click, "confirm", confirm)
    for stream in (sys.stdin, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)

    def serving() -> None:
        with suppress(BaseException):
            serve(Session([], chosen=str(shelf), quiet=True), 0, lambda: [])

    threading.Thread(target=serving, daemon=True).start()
    until(lambda: servers)
    request = f"GET {PROBE} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode()
    expected = b"HTTP/1.0 200" if answer == "y\n" else b"HTTP/1.0 403"
    assert send(servers[0], request).startswith(expected)
    assert send(servers[0], request).startswith(expected)
    assert said == [True]
    servers[0].shutdown()
    servers[0].server_close()


# Row 3.3: no request ends a connection with a traceback


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("item.search", ["\ud800"]),
        ("item.search", ["word " * 199_000]),
        ("item.search", [[["title", "contains", str(n)] for n in range(100)]]),
        ("item.search", [[["title", "contains", "\ud800"]]]),
        ("item.search", [{"a": 1}]),
        ("item.export", [["\ud800"], "biblatex"]),
        ("item.export", [[{"a": []}], "biblatex"]),
        ("item.export", [10**40, "\ud800"]),
        ("item.citationkey", [["\ud800", None, 10**30]]),
        ("item.citationkey", [{"a": 1}]),
        ("item.bibliography", [["\udfff"], {"contentType": "html"}]),
        ("item.collections", ["\ud800"]),
        ("item.notes", [["\x00"]]),
        ("item.attachments", ["\ud800"]),
        ("item.pandoc_filter", [["\ud800", []]]),
        ("\ud800", []),
    ],
)
def test_an_odd_call_is_answered(
    server: CiteServer,
    capsys: pytest.CaptureFixture[str],
    method: str,
    parameters: list[object],
) -> None:
    answer = call(server, method, *parameters)
    assert "error" in answer or "result" in answer
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "line",
    [
        *(b"GET //[ HTTP/1.0", b"GET http://[::1 HTTP/1.0", b"GET /\xff\xfe HTTP/1.0"),
        b"GET /better-bibtex/export/item?citationKeys=%ED%A0%80 HTTP/1.0",
        b"GET /better-bibtex/export/library?/1/x.%ED%A0%80 HTTP/1.0",
        b"GET /better-bibtex/export/collection?/1/%00.json HTTP/1.0",
        b"GET /better-bibtex/cayw?format=%ED%A0%80 HTTP/1.0",
        b"GET /better-bibtex/cayw?" + b"a&" * 20_000 + b"probe=1 HTTP/1.0",
        b"POST /better-bibtex/json-rpc HTTP/1.0\r\nContent-Length: " + b"9" * 5_000,
        b"POST /better-bibtex/json-rpc HTTP/1.0\r\nContent-Length: \xb2",
        b"POST /better-bibtex/json-rpc HTTP/1.0\r\nContent-Length: -1",
        b"POST //[ HTTP/1.0\r\nContent-Length: 0",
        b"PUT / HTTP/1.0",
        b"\x16\x03\x01\x02\x00",
    ],
)
def test_an_odd_request_is_answered(
    server: CiteServer, capsys: pytest.CaptureFixture[str], line: bytes
) -> None:
    answer = send(server, line + b"\r\nHost: localhost\r\n\r\n")
    assert re.search(rb"^HTTP/1.0 [2345]\d\d|Error code: 4\d\d", answer), answer[:200]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("body", [b"[" * 100_000, b"[1, null, {}]", b"\xff\xfe", b'{"id": 1e999}'])
def test_an_odd_body_is_answered(
    server: CiteServer, capsys: pytest.CaptureFixture[str], body: bytes
) -> None:
    post(server, body)
    assert capsys.readouterr().err == ""


def test_a_slow_connection_keeps_no_other_waiting(server: CiteServer) -> None:
    request = f"GET {PROBE} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", server.server_port)) as slow:
        slow.sendall(b"GET /bet")
        assert send(server, request).startswith(b"HTTP/1.0 200")


def held(server: CiteServer, count: int) -> list[socket.socket]:
    """Connections that say nothing."""
    return [socket.create_connection(("127.0.0.1", server.server_port)) for _ in range(count)]


def test_connections_that_wait_are_bounded(
    server: CiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cite_server, "owner_of", lambda *_: None)
    threads = threading.active_count()
    waiting = held(server, 200)
    until(lambda: len(select.select(waiting, [], [], 0.1)[0]) >= 136)
    assert len(select.select(waiting, [], [], 0.1)[0]) == 136
    assert threading.active_count() - threads <= 64
    for one in waiting:
        one.close()
    request = f"GET {PROBE} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode()
    answers = [b""]

    def is_answered() -> bool:
        with suppress(OSError):  # While the others leave, it may be refused.
            answers.append(send(server, request))
        return answers[-1] != b""

    until(is_answered)
    assert answers[-1].startswith(b"HTTP/1.0 403"), "nobody can tell whose it is"


def test_connections_of_another_user_keep_no_own_one_waiting(
    server: CiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cite_server, "owner_of", lambda *_: NOBODY)
    waiting = held(server, 200)
    until(lambda: len(select.select(waiting, [], [], 0.1)[0]) >= 196)
    monkeypatch.setattr(cite_server, "owner_of", lambda *_: os.geteuid())
    request = f"GET {PROBE} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode()
    assert send(server, request).startswith(b"HTTP/1.0 200")
    for one in waiting:
        one.close()


@pytest.mark.parametrize(
    "start", [b"", b"POST /better-bibtex/json-rpc HTTP/1.0\r\nContent-Length: 900000\r\n\r\n"]
)
def test_a_request_that_drips_ends(
    server: CiteServer, monkeypatch: pytest.MonkeyPatch, start: bytes
) -> None:
    monkeypatch.setattr(cite_server, "_REQUEST_SECONDS", 0.5)
    with socket.create_connection(("127.0.0.1", server.server_port)) as slow:
        slow.sendall(start)

        def is_ended() -> bool:
            with suppress(OSError):
                slow.sendall(b"a")
            return bool(select.select([slow], [], [], 0.1)[0])

        until(is_ended)


# Rows 3.4 and 3.5: the terminal UI in a browser


@pytest.fixture
def served(papertrack: Command, shelf: Path) -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    pytest.importorskip("textual_serve")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = subprocess.Popen(
        [sys.executable, "-m", "papertrack", "tui", "--serve", "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert running.stdout is not None
    try:
        for line in running.stdout:
            if found := re.search(r"token=(\S+)", line):
                until(lambda: is_listening(port))
                yield running, port, found[1]
                break
    finally:
        running.kill()
        running.wait(60)
        running.stdout.close()


def test_the_log_of_requests_does_not_hold_the_token(
    served: tuple[subprocess.Popen[str], int, str],
) -> None:
    running, port, token = served
    for path in (f"/?token={token}", "/", f"/x?token={token}"):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("GET", path)
        assert connection.getresponse().status in (302, 403)
        connection.close()
    running.terminate()
    assert running.stdout is not None
    assert token not in running.stdout.read()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_terminal_ui_ends_with_the_server_that_is_killed(
    served: tuple[subprocess.Popen[str], int, str],
) -> None:
    aiohttp = pytest.importorskip("aiohttp")
    running, port, token = served

    def children() -> set[int]:
        found = set()
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                command = (place / "cmdline").read_bytes().split(b"\0")
                environ = (place / "environ").read_bytes()
                if b"tui" in command and b"WebDriver" in environ:
                    found.add(int(place.name))
        return found

    before = children()

    async def look() -> set[int]:
        headers = {"Cookie": f"papertrack={token}", "Origin": f"http://127.0.0.1:{port}"}
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(
                f"http://127.0.0.1:{port}/ws?width=80&height=24", headers=headers
            ) as screen,
        ):
            await screen.send_str(json.dumps(["resize", {"width": 80, "height": 24}]))
            async for message in screen:
                if message.type == 2 and b"inbox" in message.data.lower():
                    break
            started = children() - before
            running.send_signal(signal.SIGKILL)
            return started

    started = asyncio.run(asyncio.wait_for(look(), 120))
    assert started
    until(lambda: not started & children())

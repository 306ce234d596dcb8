"""``papertrack cite --serve``: answer editors' requests for Zotero's and JabRef's servers.

It listens on this machine only, and answers only the user's own processes: no other user, and no
page in a browser from another origin or under another host name.
"""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BufferedReader
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

import click

from papertrack.errors import NotFoundError, PapertrackError, UsageError
from papertrack.exporters.citations import FORMATS, is_format, is_true
from papertrack.identifiers.addresses import is_loopback

if TYPE_CHECKING:
    from papertrack.actions.cite.better_bibtex import Answers
    from papertrack.cli.session import Session

Address = tuple[str, int]
_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
_LSOF_SECONDS = 5
_MAX_BODY = 1_000_000
_MAX_OWN = 64
"""How many connections are answered at once; an editor that waits for a pick has its own."""
_MAX_OTHERS = 4
"""The same for other users, whose requests are only refused and must not delay others."""
_REQUEST_SECONDS = 20
"""How long a request may take to arrive."""
_SINGLE_HEADERS = ("Host", "Origin", "Sec-Fetch-Site", "Content-Length")
_MAX_DIGITS = 18
_UNSURE = (
    "A program on this machine asks for data from the library, and papertrack cannot tell "
    "whether it is yours. Answer this request and all others until the server stops?"
)
_ROOT = "/better-bibtex"


@dataclass(slots=True)
class PickRequest:
    """A request of an editor that waits for a pick."""

    parameters: Mapping[str, str]
    picked: queue.Queue[Sequence[int]] = field(default_factory=lambda: queue.Queue(1))


@dataclass(slots=True)
class OwnerQuestion:
    """A request of an unknown user of this machine, which the user must allow."""

    answered: queue.Queue[bool] = field(default_factory=lambda: queue.Queue(1))


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a request."""

    status: int
    text: str
    type: str = "text/plain; charset=utf-8"


def refusal(headers: Message) -> str | None:
    """Return why a request is refused by its headers, or None."""
    if headers.defects or any(len(headers.get_all(name, ())) > 1 for name in _SINGLE_HEADERS):
        return "Its headers are ambiguous."
    host = _host_of(f"//{headers.get('Host', '')}")
    if not is_loopback(host):
        return "The request names a host that is not this machine."
    origin = headers.get("Origin")
    if origin is not None and not is_loopback(_host_of(origin)):
        return "The request comes from a page of another origin."
    if headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
        return "The request comes from a page of another site."
    return None


def _host_of(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


class CiteServer(HTTPServer):
    """The server; each request opens the library for itself."""

    request_queue_size = 128

    def __init__(self, port: int, answering: Callable[[], Any]) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.answering = answering
        """Opens the library: a context manager that yields its answers."""
        self.requests: queue.Queue[PickRequest | OwnerQuestion] = queue.Queue()
        self.can_pick = False
        self._own = threading.BoundedSemaphore(_MAX_OWN)
        self._others = threading.BoundedSemaphore(_MAX_OTHERS)
        self._question_lock = threading.Lock()
        self._answers_unknown: bool | None = None
        """The user's decision about requests of unknown users."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing: the terminal belongs to the picker, and the client is gone."""

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a connection in its own thread; close it if there are too many."""
        owner = owner_of(client_address[:2], request.getsockname()[:2])
        is_own = owner is None or owner == os.geteuid()
        slots = self._own if is_own else self._others
        if not slots.acquire(blocking=False):
            self.shutdown_request(request)
            return

        def answer() -> None:
            try:
                _Handler(owner, request, client_address, self)
            except Exception:
                self.handle_error(request, client_address)
            finally:
                self.shutdown_request(request)
                slots.release()

        threading.Thread(target=answer, daemon=True).start()

    def refusal(self, owner: int | None) -> str | None:
        """Return why a user's connection is refused, or None. Unknown users are ``None``."""
        if owner is not None:
            is_own = owner == os.geteuid()
            return None if is_own else "The request comes from another user of this machine."
        with self._question_lock:
            if self._answers_unknown is None and self.can_pick:
                question = OwnerQuestion()
                self.requests.put(question)
                self._answers_unknown = question.answered.get()
        if self._answers_unknown:
            return None
        return (
            "papertrack cannot tell which user sent the request. To allow it, start the server "
            "in a terminal and confirm it there."
        )

    def reply(self, path: str, query: str) -> Reply:
        """Answer a GET request."""
        parameters = dict(parse_qsl(query, keep_blank_values=True))
        if path == "/connector/ping":
            return Reply(200, "papertrack is running")
        if path == f"{_ROOT}/cayw":
            return self._cayw(parameters)
        if path == f"{_ROOT}/export" or path.startswith(f"{_ROOT}/export/"):
            with self.answering() as answers:
                return _export_reply(answers, path.removeprefix(f"{_ROOT}/export"), query)
        return Reply(404, f"There is nothing at {path}.")

    def _cayw(self, parameters: Mapping[str, str]) -> Reply:
        if parameters.get("probe"):
            return Reply(200, "ready")
        if not is_format(parameters.get("format", "latex")):
            return Reply(400, f"The formats are {', '.join(FORMATS)}.")
        if is_true(parameters, "selected"):
            return Reply(200, "")
        if not self.can_pick:
            return Reply(503, "papertrack has no terminal to pick in. Start it in one.")
        request = PickRequest(parameters)
        self.requests.put(request)
        ids = request.picked.get()
        with self.answering() as answers:
            return Reply(200, answers.cite(ids, parameters))

    def call(self, body: bytes) -> Reply:
        """Answer one JSON-RPC call, or several."""
        try:
            calls = json.loads(body)
        except (ValueError, RecursionError):
            return _as_json(_error(None, -32700, "This is not JSON."))
        with self.answering() as answers:
            if isinstance(calls, list):
                return _as_json([_call_reply(answers, call) for call in calls])
            return _as_json(_call_reply(answers, calls))


def _export_reply(answers: Answers, path: str, query: str) -> Reply:
    """Answer ``/library?/1/library.json``: the suffix of the address is the translator's name.

    The same holds for ``/collection?/1/NAME.biblatex``. ``/item`` has parameters.
    """
    parameters = dict(parse_qsl(query))
    if path == "/item":
        keys = parameters.get("citationKeys", parameters.get("citekeys", ""))
        translator = parameters.get("translator", "biblatex")
        return Reply(200, answers.export([key for key in keys.split(",") if key], translator))
    # Options may follow: library?/1/library.biblatex&exportNotes=true
    name_part, _, translator = unquote(query.partition("&")[0]).rpartition(".")
    if path == "/collection":
        name = re.sub(r"^/?(?:\d+/)?", "", name_part)
        return Reply(200, answers.export_category(name, translator))
    return Reply(200, answers.export(None, translator))


def _call_reply(answers: Answers, call: object) -> dict[str, object]:
    from papertrack.actions.cite.better_bibtex import UnknownMethod

    if not isinstance(call, dict) or not isinstance(call.get("method"), str):
        return _error(None, -32600, "This is not a JSON-RPC request.")
    number = call.get("id")
    try:
        result = answers.call(call["method"], call.get("params", []))
    except UnknownMethod as error:
        return _error(number, -32601, str(error))
    except PapertrackError as error:
        return _error(number, -32602, str(error))
    except Exception as error:
        return _error(number, -32603, f"{call['method'][:80]} failed ({type(error).__name__}).")
    return {"jsonrpc": "2.0", "result": result, "id": number}


def _error(number: object, code: int, message: str) -> dict[str, object]:
    return {"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": number}


def _as_json(data: object) -> Reply:
    return Reply(200, json.dumps(data, ensure_ascii=False), "application/json; charset=utf-8")


class _Incoming(socket.SocketIO):
    """Reads from a connection for as long as a request may take, however slowly it arrives."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__(connection, "r")
        self.connection = connection
        self.end = time.monotonic() + _REQUEST_SECONDS

    def readinto(self, buffer: Any) -> int | None:
        seconds_left = self.end - time.monotonic()
        if seconds_left <= 0:
            raise TimeoutError("The request took too long.")
        self.connection.settimeout(seconds_left)
        try:
            return super().readinto(buffer)
        finally:
            self.connection.settimeout(_REQUEST_SECONDS)


class _Handler(BaseHTTPRequestHandler):
    server: CiteServer
    server_version = "papertrack"
    sys_version = ""

    def __init__(self, owner: int | None, *where: Any) -> None:
        self.owner = owner
        super().__init__(*where)

    def setup(self) -> None:
        super().setup()
        self.rfile = BufferedReader(_Incoming(self.connection))

    def do_GET(self) -> None:
        def reply() -> Reply:
            address = urlsplit(self.path)
            return self.server.reply(address.path, address.query)

        self._answer(reply)

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        is_number = length.isdecimal() and len(length) < _MAX_DIGITS
        if not is_number or int(length) > _MAX_BODY:
            self._send(Reply(413, "The request is too long."))
            return
        body = self.rfile.read(int(length))

        def reply() -> Reply:
            if urlsplit(self.path).path == f"{_ROOT}/json-rpc":
                return self.server.call(body)
            return Reply(404, "There is nothing to post to.")

        self._answer(reply)

    def _answer(self, reply: Callable[[], Reply]) -> None:
        """Answer a request if it is allowed; failures are answered too."""
        try:
            reason = refusal(self.headers) or self.server.refusal(self.owner)
            answer = Reply(403, reason) if reason else reply()
        except NotFoundError as error:
            answer = Reply(404, str(error))
        except (PapertrackError, ValueError) as error:
            answer = Reply(400, str(error))
        except Exception as error:
            answer = Reply(500, f"The request could not be answered ({type(error).__name__}).")
        self._send(answer)

    def _send(self, reply: Reply) -> None:
        data = reply.text.encode("utf-8", "replace")
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.type)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing: the terminal belongs to the picker."""


def serve(session: Session, port: int, pick: Callable[[], Sequence[int]]) -> None:
    """Answer editors until interrupted; papers are picked in this terminal.

    Raises UsageError if the port is in use, for example by Zotero.
    """
    from papertrack.actions.cite.better_bibtex import Answers

    @contextmanager
    def answering() -> Any:
        with session.open_store() as store:
            settings = session.settings().bibtex
            yield Answers(store, name=session.library().root.name, settings=settings)

    try:
        server = CiteServer(port, answering)
    except OSError as error:
        raise UsageError(
            f"Port {port} cannot be opened: {error.strerror or error}. Is Zotero running? "
            "Name another with --port."
        ) from error
    server.can_pick = sys.stdin.isatty() and sys.stderr.isatty()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    session.say(f"Answering at http://127.0.0.1:{server.server_port}{_ROOT}; Ctrl-C stops it.")
    try:
        while True:
            request = server.requests.get()
            if isinstance(request, OwnerQuestion):
                request.answered.put(click.confirm(_UNSURE, err=True))
            else:
                request.picked.put(pick())
    except KeyboardInterrupt:
        session.say("Ended.")
    finally:
        server.shutdown()
        server.server_close()


def owner_of(client: Address, server: Address) -> int | None:
    """Return the user id of the process at the client's end of a local TCP connection, or None.

    Linux lists it in ``/proc/net/tcp`` (proc(5)). Elsewhere ``lsof`` knows at least the user's own
    processes. On Windows it is always unknown.
    """
    ends = _plain_address(*client), _plain_address(*server)
    if sys.platform.startswith("linux"):
        return next((user for pair, user in _linux_connections(client[1]) if pair == ends), None)
    return _ask_lsof(client, server)


def _plain_address(host: str, port: int) -> tuple[IPv4Address | IPv6Address, int]:
    address = ip_address(host)
    # An IPv6 program reaches 127.0.0.1 as ::ffff:127.0.0.1.
    return getattr(address, "ipv4_mapped", None) or address, port


def _linux_connections(port: int) -> Iterator[tuple[object, int]]:
    """Yield both ends and the user of each connection of a port that a process holds."""
    for table in _TABLES:
        with suppress(OSError):
            lines = Path(table).read_text(encoding="ascii").splitlines()[1:]
            # Others may have thousands of connections.
            for words in (line.split() for line in lines if f":{port:04X} " in line):
                # A closed connection has no inode, and root's number.
                if words[9] != "0":
                    yield (_linux_end(words[1]), _linux_end(words[2])), int(words[7])


def _linux_end(text: str) -> tuple[IPv4Address | IPv6Address, int]:
    """Parse ``0100007F:5B0F``: 32-bit words in the processor's byte order, and a port."""
    host, _, port = text.partition(":")
    words = (int(host[start : start + 8], 16) for start in range(0, len(host), 8))
    address = ip_address(b"".join(struct.pack("=I", word) for word in words))
    return _plain_address(str(address), int(port, 16))


def _ask_lsof(client: Address, server: Address) -> int | None:
    program = shutil.which("lsof", path=os.pathsep.join(("/usr/sbin", "/usr/bin", "/bin")))
    if program is None:
        return None
    (host, port), (own_host, own_port) = client, server
    try:
        result = subprocess.run(
            [program, "-nP", f"-iTCP@{host}:{port}", "-sTCP:ESTABLISHED", "-Fun"],
            capture_output=True,
            text=True,
            timeout=_LSOF_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    user = None
    for line in result.stdout.splitlines():
        if line.startswith("u") and line[1:].isdecimal():
            user = int(line[1:])
        elif line == f"n{host}:{port}->{own_host}:{own_port}":
            return user
    return None

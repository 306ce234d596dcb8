"""``papertrack cite --serve``: what editors ask Zotero's and JabRef's servers, answered here.

It listens on this machine alone, and answers no page of a browser: neither one of another origin
nor one that reaches it under another name.
"""

from __future__ import annotations

import json
import queue
import re
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from papertrack.errors import NotFoundError, PapertrackError, UsageError
from papertrack.exporters.cite_as_you_write import FORMATS, is_format, is_true
from papertrack.identifiers.addresses import is_loopback

if TYPE_CHECKING:
    from papertrack.actions.cite.better_bibtex import Answers
    from papertrack.cli.session import Session

_MAX_BODY = 1_000_000
_ROOT = "/better-bibtex"


@dataclass(slots=True)
class Wish:
    """An editor that waits for somebody to pick."""

    parameters: Mapping[str, str]
    picked: queue.Queue[Sequence[int]] = field(default_factory=lambda: queue.Queue(1))


@dataclass(frozen=True, slots=True)
class Reply:
    """What a request is answered with."""

    status: int
    text: str
    type: str = "text/plain; charset=utf-8"


def refusal(headers: Mapping[str, str]) -> str | None:
    """Why a request is not one of a program on this machine, as its headers tell; None if it is."""
    host = _host_of(f"//{headers.get('Host', '')}")
    if not is_loopback(host):
        return "It was asked for under a name that is not this machine's."
    origin = headers.get("Origin")
    if origin is not None and not is_loopback(_host_of(origin)):
        return "A page of another origin asked."
    if headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
        return "A page of another site asked."
    return None


def _host_of(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


class CiteServer(ThreadingHTTPServer):
    """The server: each request opens the library for itself."""

    daemon_threads = True

    def __init__(self, port: int, answering: Callable[[], Any]) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.answering = answering
        """Opens the library: a context manager that gives its answers."""
        self.wishes: queue.Queue[Wish] = queue.Queue()
        self.can_pick = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Tell nothing of an editor that went away while somebody picked for it."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def reply(self, path: str, query: str) -> Reply:
        """The answer to an address that is looked at."""
        parameters = dict(parse_qsl(query, keep_blank_values=True))
        if path == "/connector/ping":
            return Reply(200, "papertrack is running")
        if path == f"{_ROOT}/cayw":
            return self._cayw(parameters)
        if path == f"{_ROOT}/export" or path.startswith(f"{_ROOT}/export/"):
            with self.answering() as answers:
                return _exported(answers, path.removeprefix(f"{_ROOT}/export"), query)
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
        wish = Wish(parameters)
        self.wishes.put(wish)
        picked = wish.picked.get()
        with self.answering() as answers:
            return Reply(200, answers.cite(picked, parameters))

    def call(self, body: bytes) -> Reply:
        """The answer to a call of JSON-RPC, or to several at once."""
        try:
            asked = json.loads(body)
        except (ValueError, RecursionError):
            return _as_json(_error(None, -32700, "That is no JSON."))
        with self.answering() as answers:
            if isinstance(asked, list):
                return _as_json([_called(answers, one) for one in asked])
            return _as_json(_called(answers, asked))


def _exported(answers: Answers, path: str, query: str) -> Reply:
    """``/library?/1/library.json``: the ending of the address is the translator's name; so it is of
    ``/collection?/1/NAME.biblatex``. ``/item`` has parameters."""
    parameters = dict(parse_qsl(query))
    if path == "/item":
        keys = parameters.get("citationKeys", parameters.get("citekeys", ""))
        translator = parameters.get("translator", "biblatex")
        return Reply(200, answers.export([key for key in keys.split(",") if key], translator))
    # Options may follow: library?/1/library.biblatex&exportNotes=true
    named, _, translator = unquote(query.partition("&")[0]).rpartition(".")
    if path == "/collection":
        name = re.sub(r"^/?(?:\d+/)?", "", named)
        return Reply(200, answers.export_category(name, translator))
    return Reply(200, answers.export(None, translator))


def _called(answers: Answers, asked: object) -> dict[str, object]:
    from papertrack.actions.cite.better_bibtex import UnknownMethod

    if not isinstance(asked, dict) or not isinstance(asked.get("method"), str):
        return _error(None, -32600, "That is no request of JSON-RPC.")
    number = asked.get("id")
    try:
        result = answers.call(asked["method"], asked.get("params", []))
    except UnknownMethod as error:
        return _error(number, -32601, str(error))
    except PapertrackError as error:
        return _error(number, -32602, str(error))
    return {"jsonrpc": "2.0", "result": result, "id": number}


def _error(number: object, code: int, message: str) -> dict[str, object]:
    return {"jsonrpc": "2.0", "error": {"code": code, "message": message}, "id": number}


def _as_json(data: object) -> Reply:
    return Reply(200, json.dumps(data, ensure_ascii=False), "application/json; charset=utf-8")


class _Handler(BaseHTTPRequestHandler):
    server: CiteServer
    server_version = "papertrack"
    sys_version = ""
    timeout = 60

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        self._answer(lambda: self.server.reply(address.path, address.query))

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _MAX_BODY:
            self._send(Reply(413, "The request is too long."))
            return
        body = self.rfile.read(int(length))
        if urlsplit(self.path).path == f"{_ROOT}/json-rpc":
            self._answer(lambda: self.server.call(body))
        else:
            self._send(Reply(404, "There is nothing to post to."))

    def _answer(self, reply: Callable[[], Reply]) -> None:
        if why := refusal(dict(self.headers.items())):
            self._send(Reply(403, why))
            return
        try:
            self._send(reply())
        except NotFoundError as error:
            self._send(Reply(404, str(error)))
        except PapertrackError as error:
            self._send(Reply(400, str(error)))

    def _send(self, reply: Reply) -> None:
        data = reply.text.encode("utf-8", "replace")
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.type)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the terminal is the picker's."""


def serve(session: Session, port: int, pick: Callable[[], Sequence[int]]) -> None:
    """Answer editors until interrupted; what they want picked is picked in this terminal.

    Raises UsageError when the port is taken, by Zotero for example.
    """
    from contextlib import contextmanager

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
            f"Port {port} cannot be listened on: {error.strerror or error}. Is Zotero running? "
            "Name another with --port."
        ) from error
    server.can_pick = sys.stdin.isatty() and sys.stderr.isatty()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    session.say(f"Answering at http://127.0.0.1:{server.server_port}{_ROOT}; Ctrl-C ends it.")
    try:
        while True:
            wish = server.wishes.get()
            wish.picked.put(pick())
    except KeyboardInterrupt:
        session.say("Ended.")
    finally:
        server.shutdown()
        server.server_close()

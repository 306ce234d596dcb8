"""What servers on loopback have in common that stand for others in tests."""

from __future__ import annotations

from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class LoopbackServer(ThreadingHTTPServer):
    """A server whose clients may hang up."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what many tests are about."""


class LoopbackHandler(BaseHTTPRequestHandler):
    """One connection: kept alive, answered at once, and logged by the test alone."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def start(self, status: int, headers: Mapping[str, str], size: int) -> None:
        """Send all of an answer but its body."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(size))
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Tests keep logs of their own."""

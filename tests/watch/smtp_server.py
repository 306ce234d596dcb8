"""A small SMTP server on loopback: takes mail, asks for a login if told to, offers no encryption
unless it has a certificate (RFC 5321, 4954, 3207)."""

from __future__ import annotations

import base64
import io
import socketserver
import ssl
import threading
from dataclasses import dataclass, field


@dataclass
class Delivered:
    """One mail as it arrived."""

    sender: str
    recipients: list[str]
    data: bytes
    is_encrypted: bool
    user: str | None


@dataclass
class SmtpServer:
    """A context manager: a running server and what it was given."""

    login: tuple[str, str] | None = None
    """User and password that it asks for."""
    certificate: ssl.SSLContext | None = None
    """With one it offers STARTTLS."""
    refuses: str | None = None
    """A command that it answers with 451."""
    delivered: list[Delivered] = field(default_factory=list)

    def __enter__(self) -> SmtpServer:
        server = self

        class Handler(_Handler):
            smtp = server

        self._tcp = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._tcp.daemon_threads = True
        self.port = self._tcp.server_address[1]
        threading.Thread(target=self._tcp.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._tcp.shutdown()
        self._tcp.server_close()


class _Handler(socketserver.StreamRequestHandler):
    smtp: SmtpServer

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())

    def handle(self) -> None:
        self.user: str | None = None
        self.is_encrypted = False
        self.sender, self.recipients = "", []
        self.say("220 mail.example.org ready")
        while line := self.rfile.readline().decode().strip():
            verb = line.split()[0].upper()
            if verb == self.smtp.refuses:
                self.say("451 try again later")
            elif verb == "QUIT":
                self.say("221 bye")
                return
            else:
                getattr(self, f"on_{verb.lower()}", self.on_unknown)(line)

    def on_unknown(self, line: str) -> None:
        self.say("502 what?")

    def on_ehlo(self, line: str) -> None:
        self.say("250-mail.example.org")
        if self.smtp.certificate and not self.is_encrypted:
            self.say("250-STARTTLS")
        if self.smtp.login:
            self.say("250-AUTH PLAIN")
        self.say("250 8BITMIME")

    def on_starttls(self, line: str) -> None:
        assert self.smtp.certificate
        self.say("220 go on")
        try:
            self.connection = self.smtp.certificate.wrap_socket(self.request, server_side=True)
        except ssl.SSLError:
            self.rfile = io.BytesIO()  # The client did not trust us, and is gone.
            return
        self.rfile = self.connection.makefile("rb")
        self.wfile = self.connection.makefile("wb", 0)
        self.is_encrypted = True

    def on_auth(self, line: str) -> None:
        _, user, password = base64.b64decode(line.split()[2]).decode().split("\0")
        if (user, password) == self.smtp.login:
            self.user = user
            self.say("235 welcome")
        else:
            self.say("535 no")

    def on_mail(self, line: str) -> None:
        if self.smtp.login and not self.user:
            self.say("530 log in first")
            return
        self.sender = line.partition("<")[2].partition(">")[0]
        self.say("250 ok")

    def on_rcpt(self, line: str) -> None:
        self.recipients.append(line.partition("<")[2].partition(">")[0])
        self.say("250 ok")

    def on_rset(self, line: str) -> None:
        self.say("250 ok")

    def on_data(self, line: str) -> None:
        self.say("354 go on")
        data = b""
        while not data.endswith(b"\r\n.\r\n"):
            data += self.rfile.readline()
        self.smtp.delivered.append(
            Delivered(self.sender, self.recipients, data[:-5], self.is_encrypted, self.user)
        )
        self.say("250 taken")

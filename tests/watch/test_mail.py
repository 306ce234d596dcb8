"""Mail through a real SMTP server on loopback."""

from __future__ import annotations

import email
import email.policy
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from papertrack.actions.watch import digest
from papertrack.actions.watch.digest import (
    PASSWORD_VARIABLE,
    check_mail,
    find_password,
    make_message,
    send_digest,
)
from papertrack.errors import PapertrackError, SourceUnavailableError, UsageError
from papertrack.exporters.digest import Digest
from papertrack.library.settings import Mail
from tests.watch.smtp_server import SmtpServer, _Handler
from tests.watch.test_digest import HOSTILE, digest_of, paper

NOW = datetime(2026, 11, 16, 8, 17, tzinfo=UTC)


def settings(server: SmtpServer, **options: object) -> Mail:
    values: dict[str, object] = {
        "host": "127.0.0.1",
        "port": server.port,
        "security": "none",
        "sender": "papertrack <night@example.org>",
        "to": ("reader@example.org", "other@example.org"),
        **options,
    }
    return Mail(**values)  # type: ignore[arg-type]


def message_of(data: bytes) -> EmailMessage:
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def test_the_digest_arrives_as_text_and_html() -> None:
    with SmtpServer() as server:
        digest = digest_of(paper("Draft & verify: 推测"))
        send_digest(settings(server), digest, password=None, now=NOW)
    (mail,) = server.delivered
    assert mail.sender == "night@example.org"
    assert mail.recipients == ["reader@example.org", "other@example.org"]
    message = message_of(mail.data)
    assert message["Subject"] == "papertrack: 1 paper in 1 topic, 1 warning, 2026-11-16"
    assert message["Date"] == "Mon, 16 Nov 2026 08:17:00 +0000"
    assert message["Message-ID"].endswith("@example.org>")
    text, html = (part for part in message.iter_parts() if isinstance(part, EmailMessage))
    assert "Draft & verify: 推测" in text.get_content()
    assert "Draft &amp; verify: 推测" in html.get_content()


def test_the_subject_tells_nothing_new_from_could_not_look() -> None:
    def subject(*notes: str) -> str:
        digest = Digest("2026-11-16", "2026-11-16", (), (), notes)
        message = make_message(digest, sender="night@example.org", to=("me@example.org",), now=NOW)
        return str(message["Subject"])

    assert subject() == "papertrack: No new papers, 2026-11-16"
    assert subject("cs.CL: away.", "x") == "papertrack: No new papers, 2 warnings, 2026-11-16"


@pytest.mark.parametrize("title", HOSTILE)
def test_no_title_gets_into_the_headers(title: str) -> None:
    with SmtpServer() as server:
        digest = digest_of(paper(f"{title}\r\nBcc: all@example.org"), topic=f"x\r\nBcc: {title}")
        send_digest(settings(server), digest, password=None, now=NOW)
    message = message_of(server.delivered[0].data)
    assert message["Bcc"] is None
    assert set(message.keys()) == {
        "Subject",
        "From",
        "To",
        "Date",
        "Message-ID",
        "Auto-Submitted",
        "MIME-Version",
        "Content-Type",
    }


def test_it_logs_in_with_the_password() -> None:
    with SmtpServer(login=("night", "pass word")) as server:
        mail = settings(server, user="night")
        send_digest(mail, digest_of(paper("T")), password="pass word", now=NOW)
    assert server.delivered[0].user == "night"


@pytest.mark.parametrize("password", [None, ""])
def test_without_a_password_no_login_is_tried(password: str | None) -> None:
    mail = Mail(host="127.0.0.1", port=9, to=("me@example.org",), security="none", user="me")
    with pytest.raises(UsageError, match="there is no password"):
        send_digest(mail, digest_of(paper("T")), password=password, now=NOW)


def test_a_password_that_smtp_cannot_carry_is_refused_in_a_sentence() -> None:
    with SmtpServer(login=("night", "pässword")) as server:
        mail = settings(server, user="night")
        with pytest.raises(UsageError, match="beyond ASCII"):
            send_digest(mail, digest_of(paper("T")), password="pässword", now=NOW)


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A server's certificate for 127.0.0.1, which this process trusts."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("needs openssl to make a certificate")
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    subject = "-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
    new = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
    options = f"req -x509 {new} -days 2 {subject}".split()
    files = ["-keyout", str(key), "-out", str(cert)]
    subprocess.run([program, *options, *files], check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(cert))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context


def test_with_starttls_the_password_travels_encrypted(certificate: ssl.SSLContext) -> None:
    with SmtpServer(login=("night", "right"), certificate=certificate) as server:
        mail = settings(server, user="night", security="starttls")
        send_digest(mail, digest_of(paper("T")), password="right", now=NOW)
    assert [(one.is_encrypted, one.user) for one in server.delivered] == [(True, "night")]


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(
    certificate: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with SmtpServer(certificate=certificate) as server:
        mail = settings(server, security="starttls")
        with pytest.raises(SourceUnavailableError, match="certificate"):
            send_digest(mail, digest_of(paper("T")), password=None, now=NOW)
    assert server.delivered == []


def test_a_refused_login_names_the_user_and_never_the_password() -> None:
    with SmtpServer(login=("night", "right")) as server:
        mail = settings(server, user="night")
        with pytest.raises(PapertrackError, match="login of night") as caught:
            send_digest(mail, digest_of(paper("T")), password="wrong-secret", now=NOW)
    assert "wrong-secret" not in str(caught.value)
    assert server.delivered == []


def test_without_encryption_on_offer_nothing_is_sent_when_it_is_wanted() -> None:
    with SmtpServer(login=("night", "right")) as server:
        mail = settings(server, user="night", security="starttls")
        with pytest.raises(SourceUnavailableError, match="did not accept the mail"):
            send_digest(mail, digest_of(paper("T")), password="right", now=NOW)
    assert server.delivered == []


@pytest.mark.parametrize("verb", ["EHLO", "MAIL", "RCPT", "DATA"])
def test_a_server_that_refuses_is_named_and_the_way_out_said(verb: str) -> None:
    with SmtpServer(refuses=verb) as server, pytest.raises(SourceUnavailableError) as caught:
        # smtplib falls back to HELO, which this server does not know either.
        send_digest(settings(server), digest_of(paper("T")), password=None, now=NOW)
    assert f"127.0.0.1:{server.port}" in str(caught.value)
    assert "papertrack watch --no-look --mail" in str(caught.value)
    assert server.delivered == []


def test_no_server_at_all_is_a_sentence_too() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        mail = Mail(host="127.0.0.1", port=taken.getsockname()[1], security="none", to=("a@b.c",))
        with pytest.raises(SourceUnavailableError, match="did not accept the mail"):
            send_digest(mail, digest_of(paper("T")), password=None, now=NOW)


def _drip(listening: socket.socket, line: bytes) -> None:
    with listening.accept()[0] as caller, suppress(OSError):
        for _ in range(60):
            caller.sendall(line)
            time.sleep(0.1)


@pytest.mark.parametrize("line", [b"220-wait\r\n", b"2"])
def test_an_answer_without_end_is_given_up(line: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a greeting, any number of lines may come."""
    monkeypatch.setattr(digest, "DEADLINE_SECONDS", 1.0, raising=False)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=_drip, args=(listening, line), daemon=True).start()
        mail = Mail(
            host="127.0.0.1", port=listening.getsockname()[1], security="none", to=("a@b.c",)
        )
        start = time.monotonic()
        with pytest.raises(SourceUnavailableError, match="did not accept the mail"):
            send_digest(mail, digest_of(paper("T")), password=None, now=NOW)
        assert time.monotonic() - start < 4


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({}, r"mail\.host is set"),
        ({"host": "smtp.example.org", "to": ("nobody",)}, "'nobody'"),
        ({"host": "smtp.example.org", "to": ("a@b.c\r\nBcc: x@y.z",)}, "is not an address"),
        (
            {"host": "smtp.example.org", "to": ("a@b.c",), "user": "u", "security": "none"},
            "in the clear",
        ),
    ],
)
def test_settings_that_cannot_work_are_refused(values: dict[str, object], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        check_mail(Mail(**values))  # type: ignore[arg-type]


def test_the_password_comes_from_the_environment_or_a_command() -> None:
    command = f"{sys.executable} -c \"print('from command')\""
    mail = Mail(user="u", password_command=command)
    assert find_password(mail, {PASSWORD_VARIABLE: "from environment"}) == "from environment"
    assert find_password(mail, {}) == "from command"
    assert find_password(Mail(user="u"), {}) is None


def test_a_password_command_that_fails_is_named_without_its_output() -> None:
    command = f"{sys.executable} -c \"print('secret'); raise SystemExit(3)\""
    with pytest.raises(PapertrackError, match="password_command") as caught:
        find_password(Mail(user="u", password_command=command), {})
    assert "secret'" not in str(caught.value).replace(command, "")


def test_a_greeting_of_endless_lines_fills_no_memory() -> None:
    """Anybody on the way to the server can say it, before anything is encrypted."""
    sent = 0
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def greet() -> None:
            nonlocal sent
            with listening.accept()[0] as caller, suppress(OSError):
                while sent < 2**26:
                    sent += caller.send(b"220-wait\r\n" * 1000)

        threading.Thread(target=greet, daemon=True).start()
        mail = Mail(
            host="127.0.0.1", port=listening.getsockname()[1], security="none", to=("a@b.c",)
        )
        with pytest.raises(SourceUnavailableError, match="did not accept the mail"):
            send_digest(mail, digest_of(paper("T")), password=None, now=NOW)
    assert sent < 2**25


def test_a_challenge_that_is_none_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Handler, "on_ehlo", lambda self, line: self.say("250 AUTH CRAM-MD5"))
    monkeypatch.setattr(_Handler, "on_auth", lambda self, line: self.say("334 abc"))
    monkeypatch.setattr(_Handler, "on_unknown", lambda self, line: self.say("535 no"))
    with SmtpServer() as server:
        mail = settings(server, user="night")
        with pytest.raises(PapertrackError, match="did not accept the mail"):
            send_digest(mail, digest_of(paper("T")), password="p", now=NOW)

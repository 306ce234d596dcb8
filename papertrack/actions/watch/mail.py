"""Sending a digest by mail."""

from __future__ import annotations

import shlex
import smtplib
import ssl
import subprocess
from collections.abc import Mapping
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid, parseaddr

from papertrack.errors import PapertrackError, SourceUnavailableError, UsageError
from papertrack.exporters.digest import Digest, to_html, to_text
from papertrack.identifiers.addresses import is_loopback
from papertrack.library.settings import Mail
from papertrack.text import plural

PASSWORD_VARIABLE = "PAPERTRACK_MAIL_PASSWORD"
TIMEOUT_SECONDS = 30.0
"""For each step of talking to the server, and for the password command."""


def send_digest(settings: Mail, digest: Digest, *, password: str | None, now: datetime) -> None:
    """Send the digest, as plain text and HTML, to the addresses of the settings.

    Raises UsageError for settings that cannot work, SourceUnavailableError when the server does
    not take the mail, and PapertrackError when it does not take the login.
    """
    check_mail(settings)
    message = make_message(digest, sender=_sender(settings), to=settings.to, now=now)
    server = f"{settings.host}:{settings.port}"
    try:
        with _connect(settings) as connection:
            if settings.user:
                connection.login(settings.user, password or "")
            connection.send_message(message)
    except smtplib.SMTPAuthenticationError as error:
        raise PapertrackError(
            f"{server} does not accept the login of {settings.user} ({error.smtp_code}). "
            f"Check mail.user and ${PASSWORD_VARIABLE} or mail.password_command."
        ) from None
    except UnicodeEncodeError:
        raise UsageError(
            "The mail's user or password has a character beyond ASCII, which Python's SMTP login "
            "cannot send. Use another password, such as an app password."
        ) from None
    except (smtplib.SMTPException, OSError) as error:
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())[:200]
        raise SourceUnavailableError(
            f"{server} did not take the mail ({type(error).__name__}: {reason}). "
            "The digest is kept; send it again with `papertrack digest --mail`."
        ) from None


def check_mail(settings: Mail) -> None:
    """Raises UsageError, naming the setting, unless a mail could be sent with these settings."""
    examples = (("host", settings.host, "smtp.example.org"), ("to", settings.to, "me@example.org"))
    for key, value, example in examples:
        if not value:
            raise UsageError(
                f"No mail can be sent before mail.{key} is set: "
                f"`papertrack config mail.{key} {example}`."
            )
    for address in (_sender(settings), *settings.to):
        if "@" not in parseaddr(address)[1] or not address.isprintable():
            raise UsageError(f"{address!r} in the settings of mail is not an address.")
    if settings.security == "none" and settings.user and not is_loopback(settings.host):
        raise UsageError(
            "mail.security is 'none' and mail.user is set: the password would travel in the "
            "clear. Use 'starttls' or 'tls'."
        )


def find_password(settings: Mail, environ: Mapping[str, str]) -> str | None:
    """The password of ``settings.user``: from the environment, else from the command; or None.

    Raises PapertrackError when the command fails; its output is never shown.
    """
    if PASSWORD_VARIABLE in environ or not settings.password_command:
        return environ.get(PASSWORD_VARIABLE)
    try:
        done = subprocess.run(
            shlex.split(settings.password_command),
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=True,
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise PapertrackError(
            f"mail.password_command ({settings.password_command}) failed: {type(error).__name__}. "
            "Run it by hand to see why."
        ) from None
    return done.stdout.rstrip("\r\n")


def make_message(
    digest: Digest, *, sender: str, to: tuple[str, ...], now: datetime
) -> EmailMessage:
    """The mail: how many papers in the subject, the digest as text and as HTML in the body.

    The subject says also whether there are warnings: no news may be that nobody could look.
    """
    message = EmailMessage()
    warnings = [plural(len(digest.notes), "warning")] if digest.notes else []
    message["Subject"] = ", ".join((f"papertrack: {digest.summary}", *warnings, digest.until))
    message["From"] = sender
    message["To"] = ", ".join(to)
    message["Date"] = format_datetime(now)
    message["Message-ID"] = make_msgid(domain=parseaddr(sender)[1].rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(to_text(digest))
    message.add_alternative(to_html(digest), subtype="html")
    return message


def _sender(settings: Mail) -> str:
    return settings.sender or settings.to[0]


def _connect(settings: Mail) -> smtplib.SMTP:
    host = settings.host or ""
    if settings.security == "tls":
        context = ssl.create_default_context()
        return smtplib.SMTP_SSL(host, settings.port, timeout=TIMEOUT_SECONDS, context=context)
    connection = smtplib.SMTP(host, settings.port, timeout=TIMEOUT_SECONDS)
    if settings.security == "starttls":
        try:
            connection.starttls(context=ssl.create_default_context())
        except BaseException:
            connection.close()
            raise
    return connection

"""Make the digest of what the topics found, write it to files, and mail it."""

from __future__ import annotations

import shlex
import smtplib
import ssl
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid, parseaddr
from functools import partial
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from papertrack.actions.ranking import ENOUGH
from papertrack.actions.watch.calendar import EASTERN
from papertrack.errors import PapertrackError, SourceUnavailableError, UsageError
from papertrack.exporters import digest as digests
from papertrack.identifiers.addresses import is_loopback
from papertrack.library import Library
from papertrack.library.files import write_file
from papertrack.library.trust import refuse_planted
from papertrack.sources.transport import in_time
from papertrack.store.lookup import get_papers
from papertrack.store.store import Store
from papertrack.store.watch.announcements import replacements_since
from papertrack.store.watch.ranks import (
    Rank,
    count_decisions,
    has_sides,
    papers_outside_topics,
    read_ranks,
)
from papertrack.store.watch.topics import Found, found_since
from papertrack.text import group, moment_of, plural

if TYPE_CHECKING:
    from papertrack.library.settings import Mail

FEED_ENTRIES = 200
"""Only the newest ones: feed readers keep older entries."""
EVER = "0001-01-01"
"""A day before any match."""
UNEXPECTED = 2
"""How many unlikely papers are shown among the likely ones, at random. Otherwise the ranking
would only ever learn from what it chose itself."""
OUTSIDE = "Outside your topics"
LOT = "Unexpected: chosen at random"
BELOW = "Probably not for you"


def start_of(day: date) -> str:
    """Return when a day of arXiv's lists begins, in ISO 8601."""
    return datetime.combine(day, time(), EASTERN).isoformat()


def make_digest(
    store: Store, *, since: date, until: date, notes: Sequence[str] = ()
) -> digests.Digest:
    """Return what the topics found from a day on (as arXiv counts days).

    Discarded papers are left out.
    """
    start = start_of(since)
    matches = found_since(store, start)
    replaced = replacements_since(store, start)
    ranks = read_ranks(store)
    outside = papers_outside_topics(store, start)
    ids = {match.paper_id for match in matches} | {*replaced} | {*outside}
    papers = {paper.id: paper for paper in get_papers(store, sorted(ids))}

    def entry(match: Found) -> digests.DigestEntry:
        paper = papers[match.paper_id]
        is_known = moment_of(paper.added) < moment_of(match.found_at)
        return digests.DigestEntry(paper, match.reason, match.score, is_known)

    def entry_outside(paper_id: int) -> digests.DigestEntry:
        words = ranks[paper_id].words if paper_id in ranks else ()
        return digests.DigestEntry(papers[paper_id], ", ".join(words) or "rank", 0.0, False)

    topics = [
        digests.DigestTopic(name, tuple(map(entry, group)))
        for name, group in groupby(matches, key=attrgetter("topic"))
    ]
    line = Line(ranks, is_drawn=count_decisions(store) >= ENOUGH and has_sides(store))
    return digests.Digest(
        since.isoformat(),
        until.isoformat(),
        arrange(topics, list(map(entry_outside, outside)), line, until.isoformat()),
        tuple(digests.DigestReplacement(papers[of], version) for of, version in replaced.items()),
        tuple(notes),
    )


@dataclass(frozen=True, slots=True)
class Line:
    """The line between likely and unlikely papers: their ranks, and whether there are enough
    decisions to draw it."""

    ranks: Mapping[int, Rank]
    is_drawn: bool

    def is_below(self, entry: digests.DigestEntry) -> bool:
        """Return whether a paper is less like what the user keeps than like the rest."""
        rank = self.ranks.get(entry.paper.id)
        return self.is_drawn and rank is not None and rank.score <= 0

    def order(self, entry: digests.DigestEntry) -> tuple[float, float, int]:
        """Return a sort key: the best rank first, then the topic's score, then papers without a
        rank."""
        rank = self.ranks.get(entry.paper.id)
        return (-rank.score if rank else float("inf"), -entry.score, entry.paper.id)


def arrange(
    topics: Sequence[digests.DigestTopic],
    outside: Sequence[digests.DigestEntry],
    line: Line,
    day: str,
) -> tuple[digests.DigestTopic, ...]:
    """Split each topic's papers at the line between likely and unlikely ones.

    Returns the topics with the papers above the line, best first; the papers ``outside`` topics; a
    few papers from below the line, chosen at random but the same all day; and the rest.
    """
    likely, below = [], []
    for topic in topics:
        entries = sorted(topic.entries, key=line.order)
        likely.append(replace(topic, entries=tuple(e for e in entries if not line.is_below(e))))
        rest_of = (entry for entry in entries if line.is_below(entry))
        below += [replace(entry, reason=f"{topic.name}: {entry.reason}") for entry in rest_of]
    # Each paper once, with the first of its entries.
    once = {entry.paper.id: entry for entry in reversed(below)}.values()
    lots = sorted(once, key=lambda entry: sha256(f"{day} {entry.paper.citekey}".encode()).digest())
    parts = (
        *likely,
        digests.DigestTopic(OUTSIDE, tuple(sorted(outside, key=line.order)), "outside"),
        digests.DigestTopic(LOT, tuple(lots[:UNEXPECTED]), "unexpected"),
        digests.DigestTopic(BELOW, tuple(sorted(lots[UNEXPECTED:], key=line.order)), "unlikely"),
    )
    return tuple(part for part in parts if part.entries)


def write_digest(library: Library, digest: digests.Digest) -> Path | None:
    """Write ``exports/digest/DATE.md`` and return its path.

    Without content no file is written, and the result is None. An existing file of the day is
    updated in any case: a later run may have repaired what an earlier one reported.
    """
    path = library.exports / "digest" / f"{digest.until}.md"
    if not any((digest.topics, digest.replaced, digest.notes, path.exists())):
        return None
    refuse_planted(library, path)
    write_file(path, digests.to_markdown(digest).encode())
    return path


def write_inbox_feed(store: Store, library: Library) -> Path:
    """Write ``exports/inbox.atom``: the papers that wait for a decision, the newest first."""
    all_entries = feed_entries(store, found_since(store, EVER))
    entries = [entry for entry in all_entries if entry.paper.decision == "inbox"]
    path = library.exports / "inbox.atom"
    name, updated = str(library.root), store.stamp()
    # The address of the feed is not known, so links are relative to it (RFC 4287, 2).
    text = digests.to_atom(entries[:FEED_ENTRIES], name=name, updated=updated, place=path.name)
    refuse_planted(library, path)
    write_file(path, text.encode())
    return path


def feed_entries(store: Store, matches: Iterable[Found]) -> list[digests.FeedEntry]:
    """Return each paper once, with all its topics and reasons, the newest first."""
    by_paper = group((match.paper_id, match) for match in matches)
    entries = []
    for paper in get_papers(store, sorted(by_paper)):
        of_paper = by_paper[paper.id]
        reasons = "; ".join(dict.fromkeys(match.reason for match in of_paper))
        since = min((match.found_at for match in of_paper), key=moment_of)
        topics = tuple(match.topic for match in of_paper)
        entries.append(digests.FeedEntry(paper, topics, reasons, since))
    return sorted(entries, key=lambda e: (moment_of(e.updated), e.paper.id), reverse=True)


PASSWORD_VARIABLE = "PAPERTRACK_MAIL_PASSWORD"
TIMEOUT_SECONDS = 30.0
"""For each exchange with the server, and for the password command."""
DEADLINE_SECONDS = 60.0
"""For sending a whole mail, even to a server that responds very slowly."""


def send_digest(
    settings: Mail, digest: digests.Digest, *, password: str | None, now: datetime
) -> None:
    """Send the digest, as plain text and HTML, to the addresses in the settings.

    Raises UsageError for settings that cannot work, SourceUnavailableError when the server does not
    accept the mail, and PapertrackError when it rejects the login.
    """
    check_mail(settings)
    if settings.user and not password:
        raise UsageError(
            f"mail.user is set, but there is no password. Set ${PASSWORD_VARIABLE} or "
            "mail.password_command, or unset mail.user."
        )
    sender = settings.sender or settings.to[0]
    message = make_message(digest, sender=sender, to=settings.to, now=now)
    server = f"{settings.host}:{settings.port}"
    try:
        in_time("papertrack-mail", DEADLINE_SECONDS, partial(_send, settings, password, message))
    except smtplib.SMTPAuthenticationError as error:
        raise PapertrackError(
            f"{server} rejected the login of {settings.user} ({error.smtp_code}). Check "
            f"mail.user and ${PASSWORD_VARIABLE} or mail.password_command."
        ) from None
    except UnicodeEncodeError:
        raise UsageError(
            "The mail's user or password has a character beyond ASCII, which Python's SMTP login "
            "cannot send. Use another password, such as an app password."
        ) from None
    except (smtplib.SMTPException, OSError, ValueError) as error:  # A challenge may be no base64.
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())[:200]
        raise SourceUnavailableError(
            f"{server} did not accept the mail ({type(error).__name__}: {reason}). "
            "The digest is kept; send it again with `papertrack watch --no-look --mail`."
        ) from None


def check_mail(settings: Mail) -> None:
    """Raise UsageError, naming the setting, if no mail can be sent with these settings."""
    examples = (("host", settings.host, "smtp.example.org"), ("to", settings.to, "me@example.org"))
    for key, value, example in examples:
        if not value:
            raise UsageError(
                f"No mail can be sent until mail.{key} is set: "
                f"`papertrack config mail.{key} {example}`."
            )
    for address in (settings.sender or settings.to[0], *settings.to):
        if "@" not in parseaddr(address)[1] or not address.isprintable():
            raise UsageError(f"{address!r} in the settings of mail is not an address.")
    if settings.security == "none" and settings.user and not is_loopback(settings.host):
        raise UsageError(
            "mail.security is 'none' and mail.user is set: the password would travel in the "
            "clear. Use 'starttls' or 'tls'."
        )


def find_password(settings: Mail, environ: Mapping[str, str]) -> str | None:
    """Return the password of ``settings.user`` from the environment or the command, or None.

    Raises PapertrackError when the command fails; its output is never shown.
    """
    if PASSWORD_VARIABLE in environ or not settings.password_command:
        return environ.get(PASSWORD_VARIABLE)
    try:
        words = shlex.split(settings.password_command)
        output = subprocess.check_output(
            words, stderr=subprocess.PIPE, text=True, timeout=TIMEOUT_SECONDS
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise PapertrackError(
            f"mail.password_command ({settings.password_command}) failed: {type(error).__name__}. "
            "Run it by hand to see why."
        ) from None
    return output.rstrip("\r\n")


def make_message(
    digest: digests.Digest, *, sender: str, to: tuple[str, ...], now: datetime
) -> EmailMessage:
    """Return the mail, with the digest as text and as HTML in its body.

    The subject has the number of papers, and says whether there are warnings: without them, no news
    could also mean that nothing was fetched.
    """
    message = EmailMessage()
    warnings = [plural(len(digest.notes), "warning")] if digest.notes else []
    message["Subject"] = ", ".join((f"papertrack: {digest.summary}", *warnings, digest.until))
    message["From"] = sender
    message["To"] = ", ".join(to)
    message["Date"] = format_datetime(now)
    message["Message-ID"] = make_msgid(domain=parseaddr(sender)[1].rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(digests.to_text(digest))
    message.add_alternative(digests.to_html(digest), subtype="html")
    return message


class _Replies:
    """The replies of a mail server, a megabyte at most."""

    def __init__(self, file: BinaryIO) -> None:
        self.close, self._readline, self._left = file.close, file.readline, 2**20

    def readline(self, size: int) -> bytes:
        line = self._readline(min(size, self._left))
        self._left -= len(line)
        return line


class _Connection(smtplib.SMTP):
    def getreply(self) -> tuple[int, bytes]:
        self.file = self.file or (self.sock and _Replies(self.sock.makefile("rb")))
        return super().getreply()


class _TlsConnection(_Connection, smtplib.SMTP_SSL):
    pass


def _send(settings: Mail, password: str | None, message: EmailMessage) -> None:
    tls = ssl.create_default_context()
    connect = partial(_TlsConnection, context=tls) if settings.security == "tls" else _Connection
    with connect(settings.host or "", settings.port, timeout=TIMEOUT_SECONDS) as connection:
        if settings.security == "starttls":
            connection.starttls(context=tls)
        if settings.user:
            connection.login(settings.user, password or "")
        connection.send_message(message)

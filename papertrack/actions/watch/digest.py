"""The digest of what the topics found, as files that a nightly run leaves, and as mail."""

from __future__ import annotations

import shlex
import smtplib
import ssl
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid, parseaddr
from functools import partial
from hashlib import sha256
from itertools import groupby
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
from papertrack.text import plural

if TYPE_CHECKING:
    from papertrack.library.settings import Mail

FEED_ENTRIES = 200
"""The newest ones: feed readers keep the others."""
EVER = "0001-01-01"
"""The day from which everything that was ever found is new."""
UNEXPECTED = 2
"""So many of what is below the line are shown above it, whatever the ranking says: else it would
learn for ever from what it showed itself."""
OUTSIDE = "Outside your topics"
LOT = "Unexpected: chosen at random"
BELOW = "Probably not for you"


def start_of(day: date) -> str:
    """When a day of arXiv's lists begins: ISO 8601."""
    return datetime.combine(day, time(), EASTERN).isoformat()


def make_digest(
    store: Store, *, since: date, until: date, notes: Sequence[str] = ()
) -> digests.Digest:
    """What the topics found from a day on (as arXiv counts days), without what was discarded."""
    start = start_of(since)
    found = found_since(store, start)
    replaced = replacements_since(store, start)
    ranks = read_ranks(store)
    outside = papers_outside_topics(store, start)
    ids = {one.paper_id for one in found} | {*replaced} | {*outside}
    papers = {paper.id: paper for paper in get_papers(store, sorted(ids))}

    def entry(one: Found) -> digests.DigestEntry:
        paper = papers[one.paper_id]
        is_known = datetime.fromisoformat(paper.added) < datetime.fromisoformat(one.found_at)
        return digests.DigestEntry(paper, one.reason, one.score, is_known)

    def entry_outside(paper_id: int) -> digests.DigestEntry:
        words = ranks[paper_id].words if paper_id in ranks else ()
        return digests.DigestEntry(papers[paper_id], ", ".join(words) or "rank", 0.0, False)

    topics = [
        digests.DigestTopic(name, tuple(map(entry, group)))
        for name, group in groupby(found, key=lambda one: one.topic)
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
    """The ranks of the papers, and whether decisions are enough to draw a line by them."""

    ranks: Mapping[int, Rank]
    is_drawn: bool

    def is_below(self, entry: digests.DigestEntry) -> bool:
        """Whether a paper is less like what the reader keeps than like the rest."""
        rank = self.ranks.get(entry.paper.id)
        return self.is_drawn and rank is not None and rank.score <= 0

    def order(self, entry: digests.DigestEntry) -> tuple[float, float, int]:
        """Best first: by rank, then by what the topic says; what has no rank follows."""
        rank = self.ranks.get(entry.paper.id)
        return (-rank.score if rank else float("inf"), -entry.score, entry.paper.id)


def arrange(
    topics: Sequence[digests.DigestTopic],
    outside: Sequence[digests.DigestEntry],
    line: Line,
    day: str,
) -> tuple[digests.DigestTopic, ...]:
    """The topics with what is above the line, best first; then what came by rank alone, a few
    drawn by lot from below the line (the same all day), and the rest of that."""
    kept, below = [], []
    for topic in topics:
        entries = sorted(topic.entries, key=line.order)
        kept.append(replace(topic, entries=tuple(e for e in entries if not line.is_below(e))))
        rest_of = (one for one in entries if line.is_below(one))
        below += [replace(one, reason=f"{topic.name}: {one.reason}") for one in rest_of]
    # Each paper once, with the first of its entries.
    once = {one.paper.id: one for one in reversed(below)}.values()
    lots = sorted(once, key=lambda one: sha256(f"{day} {one.paper.citekey}".encode()).digest())
    parts = (
        *kept,
        digests.DigestTopic(OUTSIDE, tuple(sorted(outside, key=line.order)), "outside"),
        digests.DigestTopic(LOT, tuple(lots[:UNEXPECTED]), "unexpected"),
        digests.DigestTopic(BELOW, tuple(sorted(lots[UNEXPECTED:], key=line.order)), "unlikely"),
    )
    return tuple(part for part in parts if part.entries)


def write_digest(library: Library, digest: digests.Digest) -> Path | None:
    """Write ``exports/digest/DATE.md``; None, and no file, when there is nothing to tell.

    A file of the same day that is there is brought up to date all the same: a later run may have
    repaired what the earlier one complained of.
    """
    path = library.exports / "digest" / f"{digest.until}.md"
    if not any((digest.topics, digest.replaced, digest.notes, path.exists())):
        return None
    refuse_planted(library, path)
    write_file(path, digests.to_markdown(digest).encode())
    return path


def write_inbox_feed(store: Store, library: Library) -> Path:
    """Write ``exports/inbox.atom``: the papers that wait for a decision, the newest first."""
    every = feed_entries(store, found_since(store, EVER))
    entries = [entry for entry in every if entry.paper.decision == "inbox"][:FEED_ENTRIES]
    path = library.exports / "inbox.atom"
    updated = store.stamp()
    # Where it is served from nobody knows here: relative to itself (RFC 4287, 2).
    text = digests.to_atom(entries, name=str(library.root), updated=updated, place=path.name)
    refuse_planted(library, path)
    write_file(path, text.encode())
    return path


def feed_entries(store: Store, found: Iterable[Found]) -> list[digests.FeedEntry]:
    """Each paper once, with all its topics and reasons, the newest first."""
    by_paper = defaultdict[int, list[Found]](list)
    for one in found:
        by_paper[one.paper_id].append(one)
    entries = []
    for paper in get_papers(store, sorted(by_paper)):
        of_paper = by_paper[paper.id]
        reasons = "; ".join(dict.fromkeys(one.reason for one in of_paper))
        since = min((one.found_at for one in of_paper), key=datetime.fromisoformat)
        topics = tuple(one.topic for one in of_paper)
        entries.append(digests.FeedEntry(paper, topics, reasons, since))
    return sorted(
        entries, key=lambda one: (datetime.fromisoformat(one.updated), one.paper.id), reverse=True
    )


PASSWORD_VARIABLE = "PAPERTRACK_MAIL_PASSWORD"
TIMEOUT_SECONDS = 30.0
"""For each step of talking to the server, and for the password command."""
DEADLINE_SECONDS = 60.0
"""For sending a mail, however slowly the server's lines arrive, and however many."""


def send_digest(
    settings: Mail, digest: digests.Digest, *, password: str | None, now: datetime
) -> None:
    """Send the digest, as plain text and HTML, to the addresses of the settings.

    Raises UsageError for settings that cannot work, SourceUnavailableError when the server does
    not take the mail, and PapertrackError when it does not take the login.
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
    """Raises UsageError, naming the setting, unless a mail could be sent with these settings."""
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
    """The password of ``settings.user``: from the environment, else from the command; or None.

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
    message.set_content(digests.to_text(digest))
    message.add_alternative(digests.to_html(digest), subtype="html")
    return message


class _Replies:
    """What a server says; past a megabyte it ends."""

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

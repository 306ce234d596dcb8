"""Errors of network requests: one per cause, each with the host and the next try."""

from __future__ import annotations

from datetime import datetime

from papertrack.errors import SourceUnavailableError


class SourceFailure(SourceUnavailableError):
    """A request failed; its subclasses say why.

    The message has the host, what happened (with the HTTP status, if any) and when to try again.
    """

    def __init__(
        self, what: str, *, host: str, status: int | None = None, retry_at: datetime | None = None
    ) -> None:
        when = f"after {retry_at.astimezone():%Y-%m-%d %H:%M %Z}" if retry_at else "later"
        super().__init__(f"{host} {what}. Try again {when}.")
        self.what = what
        self.host = host
        self.status = status
        self.retry_at = retry_at
        """The earliest time of the next request to this host; None means now."""


class CoolingDown(SourceFailure):
    """No request was sent: the host asked us to wait, and the time is not over."""


class Refused(SourceFailure):
    """The host answered with an unexpected status, such as 403 or 429."""


class TimedOut(SourceFailure):
    """The host did not answer completely in time."""


class TooLarge(SourceFailure):
    """The response is larger than any valid one."""


class WrongHost(SourceFailure):
    """The address, or one that it redirects to, may not be requested."""

    target: str | None = None
    """The web address that it redirects to, if there is one."""


class Unreachable(SourceFailure):
    """No connection: no network, an unknown name, a reset, or an invalid certificate."""


class BadAnswer(SourceFailure):
    """The response is not what this source sends: cut short, HTML, wrong counts."""


class WebPage(BadAnswer):
    """A web page came instead of a feed."""

    feed: str | None = None
    """The address of the feed that the page links, if it does."""


class BrokenXML(BadAnswer):
    """The response has an error in the middle, such as an invalid character in one record."""


class UnknownCategory(BadAnswer):
    """arXiv has no feed for this category."""


def unexpected(
    content: str, host: str, status: int = 200, kind: type[SourceFailure] = BadAnswer
) -> SourceFailure:
    """Return the failure for a response with other content than requested."""
    return kind(f"answered {status} with {content}", host=host, status=status)

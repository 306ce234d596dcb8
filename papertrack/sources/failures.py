"""How a source on the network can fail: one error per cause, each naming the host and the next
try."""

from __future__ import annotations

from datetime import datetime

from papertrack.errors import SourceUnavailableError


class SourceFailure(SourceUnavailableError):
    """A request without a usable response; its subclasses say why.

    The message names the host, what it did (with its HTTP status, if any) and when it may be
    asked again.
    """

    def __init__(
        self, what: str, *, host: str, status: int | None = None, retry_at: datetime | None = None
    ) -> None:
        next_try = (
            f"The next try is possible from {retry_at.astimezone():%Y-%m-%d %H:%M %Z} on"
            if retry_at
            else "The next try is possible at once"
        )
        super().__init__(f"{host} {what}. {next_try}; what was already fetched is kept.")
        self.what = what
        self.host = host
        self.status = status
        self.retry_at = retry_at
        """The earliest time of the next request to this host; None when it may be at once."""


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
    """Where it redirects to, if it does and that is an address of the web."""


class Unreachable(SourceFailure):
    """No connection: no network, an unknown name, a reset, or an invalid certificate."""


class BadAnswer(SourceFailure):
    """The response is not what this source sends: cut short, HTML, wrong counts."""


class WebPage(BadAnswer):
    """A page for people came in the place of a feed."""

    feed: str | None = None
    """The address of the feed that the page names, if it names one."""


class BrokenXML(BadAnswer):
    """The response has an error in the middle, such as an invalid character in one record."""


class UnknownCategory(BadAnswer):
    """arXiv has no feed for this category."""


def unexpected(
    what: str, host: str, status: int = 200, kind: type[SourceFailure] = BadAnswer
) -> SourceFailure:
    """Return the failure for a response that contains something else than requested."""
    return kind(f"answered {status} with {what}", host=host, status=status)

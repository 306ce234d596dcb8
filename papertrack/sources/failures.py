"""How a source on the network can fail: one error per cause, each naming host and next try."""

from __future__ import annotations

from datetime import datetime

from papertrack.errors import SourceUnavailableError


class SourceFailure(SourceUnavailableError):
    """One request that brought nothing usable; its subclasses say why.

    The message names the host, what it did (with its HTTP status, where there was one) and
    when it may be asked again.
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
    """Nothing was asked: the host sent us away earlier and the time is not over."""


class Refused(SourceFailure):
    """The host answered with a status that is not what was asked for, such as 403 or 429."""


class TimedOut(SourceFailure):
    """The host was reached and did not answer completely in time."""


class TooLarge(SourceFailure):
    """The answer is larger than any honest answer."""


class WrongHost(SourceFailure):
    """The address, or one that it redirects to, is none that papertrack may ask."""

    target: str | None = None
    """Where it redirects to, if it does and that is an address of the web."""


class Unreachable(SourceFailure):
    """No connection: no network, no such name, a reset, or a certificate that proves nothing."""


class BadAnswer(SourceFailure):
    """The answer came, and is not what this source answers: cut short, HTML, lying counts."""


class WebPage(BadAnswer):
    """A page for people came in the place of a feed."""

    feed: str | None = None
    """The address of the feed that the page names, if it names one."""


class BrokenXML(BadAnswer):
    """The answer has a fault in its midst, as when one record has a letter that XML cannot have."""


class UnknownCategory(BadAnswer):
    """There is no feed for what was taken for a category of arXiv."""


def unexpected(
    what: str, host: str, status: int = 200, kind: type[SourceFailure] = BadAnswer
) -> SourceFailure:
    """The failure of an answer that came with something else than was asked for."""
    return kind(f"answered {status} with {what}", host=host, status=status)

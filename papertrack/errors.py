"""The one family of errors. Messages are written where the cause is known and say what to do."""

from __future__ import annotations


class PapertrackError(Exception):
    """A failure that the user can understand and act on; anything else that escapes is a bug.

    The message is one sentence or two: what happened, to what, what to do now.
    """

    exit_code = 1


class UsageError(PapertrackError):
    """What was asked for makes no sense: a malformed query, an impossible value."""

    exit_code = 2


class NotFoundError(PapertrackError):
    """What was named does not exist: a paper, a file, a library."""

    exit_code = 3


class SourceUnavailableError(PapertrackError):
    """A source on the network gave no usable answer. What was already fetched is kept."""

    exit_code = 4


class ConflictError(PapertrackError):
    """Two sides say different things and papertrack does not guess: nothing was changed."""

    exit_code = 5


class StoreError(PapertrackError):
    """The library's database cannot be read or written as asked. It was left as it is."""


class InUseError(StoreError):
    """Another process held the library for too long: nothing was done, and may be tried again."""


class DiskError(StoreError):
    """The disk is full or failing: what was to be written into the database is not there."""


class UnconfirmedError(DiskError):
    """It is there, but nobody knows whether it outlasts a power cut."""


class DamagedError(StoreError):
    """The library's database is damaged."""


class DocumentError(PapertrackError):
    """A README or .bib file cannot be read or kept byte for byte. It was left as it is."""

"""The family of errors. Messages are written where the cause is known and say what to do."""

from __future__ import annotations


class PapertrackError(Exception):
    """A failure that the user can understand and act on; any other exception is a bug.

    The message is one sentence or two: what happened, to what, what to do now.
    """

    exit_code = 1


class UsageError(PapertrackError):
    """An invalid request: a malformed query, an impossible value."""

    exit_code = 2


class NotFoundError(PapertrackError):
    """Something that the user named does not exist: a paper, a file, a library."""

    exit_code = 3


class SourceUnavailableError(PapertrackError):
    """A source on the network gave no usable answer. What was fetched before is kept."""

    exit_code = 4


class ConflictError(PapertrackError):
    """Two sides differ, and papertrack does not guess: nothing was changed."""

    exit_code = 5


class StoreError(PapertrackError):
    """The library's database cannot be read or written as requested. It was left as it is."""


class InUseError(StoreError):
    """Another process held the library for too long: nothing was done; it can be tried again."""


class DiskError(StoreError):
    """The disk is full or failing: the change was not written to the database."""


class UnconfirmedError(DiskError):
    """The change was written, but it is not known whether it survives a power cut."""


class DamagedError(StoreError):
    """The library's database is damaged."""


class DocumentError(PapertrackError):
    """A README or .bib file cannot be read or preserved byte for byte. It was left as it is."""

"""What the commands print that are about the devices of a shared library."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from papertrack.contract.shapes import Count, DryRun, Shape, Text


class Contradiction(Shape):
    """What devices set differently without knowing of each other."""

    thing: Text
    title: Text
    cell: Text
    said: list[tuple[Text, Any]]
    """Device and value; the last one counts until somebody sets it again."""


class Exchanged(Shape):
    """What `sync --git` did."""

    pulled: Count
    committed: list[Text]
    pushed: bool


class Shared(DryRun):
    """What `share on` did."""

    device: Text
    lines: Count
    """How many lines its log began with; none where the library was shared already."""
    files: list[Text]
    """Files of git that were made or added to."""
    has_driver: bool
    """Whether git was told now how it merges lists by entries in this clone."""


class Compacted(DryRun):
    """What `share compact` did; nothing of it where no log is older."""

    replaced: list[Text] = Field(default_factory=list)
    """The logs that are gone, by their paths in `journal/`."""
    file: Text | None = None
    """The one that is there in their place; null where it would be no shorter."""
    lines: Count = 0
    """How many lines they had."""
    kept: Count = 0
    """How many of those still count, and are in it."""


class Device(Shape):
    device: Text
    is_this: bool
    acts: Count
    last: Count
    """The number of its last act that is known here."""
    unread: Count
    """Bytes of its logs that stand on what has not come yet."""
    unreadable: Count


class ShareStatus(DryRun):
    devices: list[Device]
    contradictions: list[Contradiction]


class LogDifference(Shape):
    thing: Text
    cell: Text
    logs: Any
    library: Any


class ShareCheck(DryRun):
    differences: list[LogDifference]

"""What the commands print that make a library, and look after it."""

from __future__ import annotations

from typing import Any, Literal

from papertrack.contract.shapes import Count, DryRun, Shape, Text


class Setting(Shape):
    key: Text
    value: Any
    origin: Literal["default", "file", "mine", "environment"]
    variable: Text | None
    meaning: Text


class Init(DryRun):
    library: Text
    is_new: bool
    is_shared: bool
    """Whether it was shared now, with `--shared`."""


class Trusted(DryRun):
    library: Text
    is_trusted: bool
    settings: dict[str, Any]
    """Those that run programs, send secrets or name hosts."""


class BackedUp(DryRun):
    file: Text
    papers: Count
    removed: list[Text]
    """Older backups that made room."""


class Restored(DryRun):
    file: Text
    """The backup."""
    papers: Count
    kept: Text | None
    """Where the database is that was replaced; null if there was none."""


class HealthFinding(Shape):
    part: Literal[
        "database",
        "search",
        "document",
        "note",
        "backup",
        "interrupted",
        "leftover",
        "schedule",
        "sharing",
    ]
    message: Text
    is_repaired: bool


class Compacted(Shape):
    """Bytes of the database."""

    before: Count
    after: Count


class Health(DryRun):
    findings: list[HealthFinding]
    compacted: Compacted | None
    """Null where it was not asked for, or the database is damaged."""


class Demo(DryRun):
    library: Text
    papers_new: Count

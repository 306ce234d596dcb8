"""What the commands print that are about a library shared through git."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from papertrack.contract.shapes import Count, DryRun, Shape, Text


class Contradiction(Shape):
    """A field that two sides set differently."""

    file: Text
    """The record or table that keeps it."""
    title: Text
    field: Text
    shown: Any
    values: list[Any]


class Exchanged(Shape):
    """What `sync --git` did."""

    pulled: Count
    committed: list[Text]
    pushed: bool
    has_remote: bool
    unread: list[Text]


class Shared(DryRun):
    """What `share on` did."""

    papers: Count
    is_new: bool
    private: list[Text] = Field(default_factory=list)
    is_answered: bool = False
    told: list[Text] = Field(default_factory=list)
    """What of it was committed before."""


class NotShared(DryRun):
    """What `share off` did."""

    library: Text


class ShareStatus(DryRun):
    is_shared: bool
    private_folder: str
    """Where database, backups and PDFs lie; empty where there is none yet."""
    private: list[Text]
    """What stays on this machine."""
    is_answered: bool
    papers: Count
    unreadable: list[Text]
    contradictions: list[Contradiction]

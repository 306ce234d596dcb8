"""What the commands print that are about reading."""

from __future__ import annotations

from pydantic import Field

from papertrack.contract.shapes import Count, DryRun, OfPaper, PassesDone, PassNumber, Text
from papertrack.records import Decision


class QueuedPaper(OfPaper):
    title: Text | None
    author: Text | None
    arxiv_id: Text | None
    passes_done: PassesDone
    in_hand_since: Text | None


class Queue(DryRun):
    in_hand: list[QueuedPaper]
    limit: Count
    waiting: Count


class NextPaper(QueuedPaper, DryRun):
    pass_number: PassNumber = Field(alias="pass")
    is_taken: bool


class PassMarked(OfPaper):
    """What became of one paper."""

    pass_number: PassNumber = Field(alias="pass")
    passes_before: PassesDone
    passes_done: PassesDone


class PassMark(PassMarked, DryRun):
    pass


class PassMarks(DryRun):
    papers: list[PassMarked]


class Note(DryRun):
    path: Text
    is_new: bool
    questions_for_pass: PassNumber | None


class Snoozed(DryRun):
    snoozed_until: Text | None
    citekeys: list[Text]


class Decided(DryRun):
    decision: Decision
    papers_changed: Count
    papers_unchanged: Count
    citekeys: list[Text]

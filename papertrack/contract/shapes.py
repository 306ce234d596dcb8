"""What the models have in common, and values that many of them hold."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Text = Annotated[str, Field(min_length=1)]
"""Never empty: what is unknown is null."""
PassNumber = Annotated[int, Field(ge=1, le=3)]
PassesDone = Annotated[int, Field(ge=0, le=3)]
Count = Annotated[int, Field(ge=0)]


class Shape(BaseModel):
    """One JSON object with exactly these keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class DryRun(Shape):
    """What a command that changes things says; with ``dry_run`` it changed nothing."""

    dry_run: bool


class OfPaper(Shape):
    """What is about one paper, named by its key."""

    citekey: Text


class InFile(Shape):
    """What stands in a line of a file."""

    file: Text
    line: int

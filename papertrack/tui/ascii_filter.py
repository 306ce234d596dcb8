"""The last resort for terminals without Unicode: every drawn line in ASCII."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from papertrack.tui.glyphs import to_ascii


class AsciiFilter(LineFilter):
    """Replaces what is not ASCII, borders and titles alike, keeping every column's place."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(to_ascii(text), style, control) for text, style, control in segments]

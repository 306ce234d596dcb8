"""The symbols of the UI, its muted style, and their replacements without Unicode."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from papertrack.tui.colours import MUTED_TEXT

SAVED, DISCARDED, NEW = "★", "✗", "N"
DECISIONS = {"inbox": NEW, "saved": SAVED, "discarded": DISCARDED}
DONE, OPEN = "●", "○"
IN_HAND, OUTDATED, WITHDRAWN, TIMED = "◆", "↻", "†", "◷"
AT, MARKED = "▎", "▌"
BAR, PART = "█", "▏▎▍▌▋▊▉"
STEP, NO_STEP = "▰", "▱"

MUTED = f"${MUTED_TEXT}"
"""A style: quieter than the text around it."""
KEY = "bold $text-accent"
"""The style of a key wherever one is named."""

_ASCII = {
    **{SAVED: "*", DISCARDED: "x", DONE: "#", OPEN: ".", MARKED: ">", BAR: "#", "…": "~"},
    **{STEP: "#", NO_STEP: "."},
    **{IN_HAND: "+", OUTDATED: "^", WITHDRAWN: "!", TIMED: "@", "·": "-", "—": "-", "–": "-"},
    **dict.fromkeys(PART, "#"),
    "■": "#",
    **{"‘": "'", "’": "'", "“": '"', "”": '"', "×": "x", "→": ">", "←": "<", "↑": "^", "↓": "v"},
    **dict.fromkeys("─━▁▂▃▄▅▆▇▔▀═╌╍", "-"),
    **dict.fromkeys("│┃▏▕▎║╎", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛╔╗╚╝╸╺", "+"),
}


def passes(number: int) -> str:
    """Return ``●●○`` for two passes."""
    return DONE * number + OPEN * (3 - number)


class AsciiFilter(LineFilter):
    """The fallback for terminals without Unicode: every drawn line in ASCII.

    Borders and titles are replaced too; every column keeps its place.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(to_ascii(text), style, control) for text, style, control in segments]


def to_ascii(text: str) -> str:
    """Return the text with only ASCII characters, with the same width in cells."""
    return text if text.isascii() else "".join(map(_ascii_char, text))


@lru_cache(2048)
def _ascii_char(char: str) -> str:
    if char.isascii():
        return char
    if char in _ASCII:
        return _ASCII[char]
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return ""
    plain = unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode("ascii")
    width = 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return plain if len(plain) == width else "?" * width

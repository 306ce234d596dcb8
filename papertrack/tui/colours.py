"""Legible colours: each theme's own, moved towards black or white where they are too pale."""

from __future__ import annotations

from collections.abc import Mapping

from textual.color import Color, ColorParseError

LEAST_CONTRAST = 4.5
"""The contrast that WCAG 2 requires for text: https://www.w3.org/TR/WCAG22/#contrast-minimum"""
_STEPS = 20
BLACK, WHITE = Color(0, 0, 0), Color(255, 255, 255)
_MIDDLE = 0.18
"""From this luminance on, black stands out more than white."""
_NAMES = ("success", "warning", "accent", "primary", "error", "secondary")
READ = (*(f"text-{name}" for name in _NAMES), "foreground", "footer-key-foreground")
"""The theme variables that texts are drawn in."""
_BEHIND = ("background", "surface", "panel")
CURSOR, CURSOR_TEXT = "cursor", "cursor-text"
"""Our own variables: the background mixed with some ``primary``, and the text on it."""
FRAME = "frame"
"""Our own variable: the lines between panes, quieter than any text."""
MUTED_TEXT = "muted-text"
"""Our own variable for quiet but legible text. Textual's ``text-muted`` has no colour of its own:
it becomes white within a text, and is too pale on some themes' panels."""
OWN = (CURSOR, CURSOR_TEXT, FRAME, MUTED_TEXT)
_MUTED = 0.75
"""The share of the foreground in muted text."""
_CURSOR = 0.3
"""The share of ``primary`` in the cursor's background."""
_FRAME = 0.35
"""The share of the foreground in a frame."""


def legible_variables(variables: Mapping[str, str]) -> dict[str, str]:
    """Return a theme's variables, with texts that are legible on every background."""
    try:
        behind = [Color.parse(variables[name]) for name in _BEHIND]
        lights = [_luminance(one) for one in behind]
        text = WHITE if lights[0] < _MIDDLE else BLACK
        found = {
            name: _legible(Color.parse(variables[name]), lights, text).hex
            for name in READ
            if name in variables
        }
        foreground = Color.parse(found["foreground"])
        muted = behind[0].blend(foreground, _MUTED)
        found[MUTED_TEXT] = _legible(muted, lights, foreground).hex
        cursor = behind[0].blend(Color.parse(variables["primary"]), _CURSOR)
        found[CURSOR] = cursor.hex
        found[FRAME] = behind[0].blend(foreground, _FRAME).hex
        found[CURSOR_TEXT] = _legible(foreground, [_luminance(cursor)], text).hex
    except (ColorParseError, KeyError):
        own = {CURSOR: "$primary", CURSOR_TEXT: "auto", FRAME: "$panel", MUTED_TEXT: "auto 60%"}
        return {**variables, **own}
    # The terminal's own colours are not known, and what it shows is its reader's choice.
    if any(one.ansi is not None for one in behind):
        muted_text = f"{variables['foreground']} {_MUTED:.0%}"
        found = {CURSOR: variables["primary"], CURSOR_TEXT: variables["text"]}
        found |= {FRAME: muted_text, MUTED_TEXT: muted_text}
    return {**variables, **found}


def _legible(color: Color, behind: list[float], text: Color) -> Color:
    """Return the colour, or the first mixture with the other colour that is legible on all
    backgrounds, which are given by luminance."""
    for step in range(_STEPS + 1):
        mixed = color.blend(text, step / _STEPS)
        light = _luminance(mixed)
        if min(_ratio(light, one) for one in behind) >= _ENOUGH:
            return mixed
    return text


_ENOUGH = LEAST_CONTRAST + 0.1
"""Slightly more than required: drawn colours are rounded."""


def contrast(one: Color, other: Color) -> float:
    """Return the contrast of two colours, 1 to 21, as defined by WCAG 2."""
    return _ratio(_luminance(one), _luminance(other))


def _ratio(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def _luminance(color: Color) -> float:
    red, green, blue = map(_linear, color.normalized)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

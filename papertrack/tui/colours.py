"""Make a theme's colours legible: move those that are too pale towards black or white."""

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
TEXT_VARIABLES = (*(f"text-{name}" for name in _NAMES), "foreground")
"""The theme variables that texts are drawn in."""
_BACKGROUNDS = ("background", "surface", "panel")
CURSOR, CURSOR_TEXT = "cursor", "cursor-text"
"""Our own variables: the background mixed with some ``primary``, and the text on it."""
FRAME = "frame"
"""Our own variable: the lines between panes, quieter than any text."""
MUTED_TEXT = "muted-text"
"""Our own variable for quiet but legible text. Textual's ``text-muted`` has no colour of its own:
it becomes white within a text, and is too pale on some themes' panels."""
OWN_VARIABLES = (CURSOR, CURSOR_TEXT, FRAME, MUTED_TEXT)
_MUTED_SHARE = 0.75
"""The share of the foreground in muted text."""
_CURSOR_SHARE = 0.3
"""The share of ``primary`` in the cursor's background."""
_FRAME_SHARE = 0.35
"""The share of the foreground in a frame."""


def legible_variables(variables: Mapping[str, str]) -> dict[str, str]:
    """Return a theme's variables, with texts that are legible on every background."""
    try:
        backgrounds = [Color.parse(variables[name]) for name in _BACKGROUNDS]
        lights = [_luminance(background) for background in backgrounds]
        text = WHITE if lights[0] < _MIDDLE else BLACK
        colours = {
            name: _legible(Color.parse(variables[name]), lights, text).hex
            for name in TEXT_VARIABLES
            if name in variables
        }
        foreground = Color.parse(colours["foreground"])
        muted = backgrounds[0].blend(foreground, _MUTED_SHARE)
        colours[MUTED_TEXT] = _legible(muted, lights, foreground).hex
        cursor = backgrounds[0].blend(Color.parse(variables["primary"]), _CURSOR_SHARE)
        colours[CURSOR] = cursor.hex
        colours[FRAME] = backgrounds[0].blend(foreground, _FRAME_SHARE).hex
        # One accent for all that matters: keys, matched words, ranks.
        colours["footer-key-foreground"] = colours["text-accent"]
        colours[CURSOR_TEXT] = _legible(foreground, [_luminance(cursor)], text).hex
    except (ColorParseError, KeyError):
        default = {CURSOR: "$primary", CURSOR_TEXT: "auto", FRAME: "$panel", MUTED_TEXT: "auto 60%"}
        return {**variables, **default}
    # The terminal's own colours are unknown, and its user has chosen them.
    if any(background.ansi is not None for background in backgrounds):
        muted_text = f"{variables['foreground']} {_MUTED_SHARE:.0%}"
        colours = {CURSOR: variables["primary"], CURSOR_TEXT: variables["text"]}
        colours |= {FRAME: muted_text, MUTED_TEXT: muted_text}
    return {**variables, **colours}


def _legible(color: Color, backgrounds: list[float], text: Color) -> Color:
    """Return the first mixture of both colours that is legible on all backgrounds, by luminance."""
    for step in range(_STEPS + 1):
        mixed = color.blend(text, step / _STEPS)
        light = _luminance(mixed)
        if min(_ratio(light, background) for background in backgrounds) >= _MIN_CONTRAST:
            return mixed
    return text


_MIN_CONTRAST = LEAST_CONTRAST + 0.1
"""Slightly more than required: drawn colours are rounded."""


def contrast(left: Color, right: Color) -> float:
    """Return the contrast of two colours, 1 to 21, as defined by WCAG 2."""
    return _ratio(_luminance(left), _luminance(right))


def _ratio(left: float, right: float) -> float:
    return (max(left, right) + 0.05) / (min(left, right) + 0.05)


def _luminance(color: Color) -> float:
    red, green, blue = map(_linear, color.normalized)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

"""Annotations of PDFs as notes have them: where and how a text is marked, the quote, the comment.

Highlights of the library's own PDFs and those that another tool kept look the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from colorsys import rgb_to_hsv
from typing import NamedTuple

from papertrack.importers.html import escaped
from papertrack.text import clean, clean_block

_HUES = (
    *((12, "red"), (42, "orange"), (70, "yellow"), (165, "green"), (240, "blue")),
    *((290, "purple"), (346, "magenta"), (360, "red")),
)
"""Up to which degree of the colour circle a colour has a name."""
Meanings = Mapping[str, str | None]
"""What the reader means by colours, by their plain names."""
_PALE = 0.12
"""Less saturated colours are grey."""


class Annotation(NamedTuple):
    """One annotation, in a stranger's words but for the comment."""

    page: str
    kind: str
    colour: str
    """As ``#ffd400``."""
    text: str
    comment: str
    """As Markdown."""
    author: str = ""


def annotation_parts(one: Annotation, meanings: Meanings) -> list[str]:
    """The paragraphs of an annotation: page, kind and colour, with what this colour ``means`` to
    the reader; the quote; the comment."""
    page, colour = clean(one.page).strip(), colour_name(clean(one.colour).strip())
    meaning = meanings.get(colour)
    about = [
        f"page {escaped(page)}" if page else "",
        one.kind,
        f"{colour}: {escaped(clean(meaning))}" if meaning else colour,
        escaped(clean(one.author)),
    ]
    quote = clean_block(one.text).strip().splitlines()
    quoted = "\n".join(f"> {escaped(line)}".rstrip() for line in quote)
    return [part for part in (f"*{', '.join(filter(None, about))}*", quoted, one.comment) if part]


def colour_name(colour: str) -> str:
    """The plain name of a colour: ``#ffd400`` is yellow; nothing for what is no colour."""
    try:
        red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    except ValueError:
        return ""
    hue, saturation, value = rgb_to_hsv(red, green, blue)
    if value < 0.15:
        return "black"
    if saturation < _PALE:
        return "grey"
    return next(name for most, name in _HUES if hue * 360 <= most)

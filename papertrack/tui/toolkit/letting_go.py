"""Textual lets go of what is no longer seen.

It keeps some of that until garbage is looked for, which a key has to wait for, and some of it for
good: each line that is drawn as a part of itself, and, beside the colours of each widget, the
lines that the widget drew, a megabyte of every paper that was opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from textual._styles_cache import StylesCache
from textual.color import Color
from textual.screen import Screen
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

_divide = Strip.divide


def let_go() -> None:
    """Have Textual keep no line as its own part, and no widget's lines beside its colours. It
    offers no other place to say it."""
    for owner, name, method in _METHODS:
        setattr(owner, name, method)


def forget_lines(screen: Screen[object]) -> None:
    """Let go of all that a screen which was closed has drawn."""
    for widget in screen.walk_children(Widget):
        widget._styles_cache.clear()


def _divided(strip: Strip, cuts: Iterable[int]) -> Sequence[Strip]:
    cuts = tuple(cuts)
    return [strip] if cuts == (strip.cell_length,) else _divide(strip, cuts)


@lru_cache(1024)
def _colours_of(base_background: Color, background: Color) -> tuple[Style, Style]:
    return Style(background=base_background + background), Style(background=base_background)


def _colours(_: StylesCache, base_background: Color, background: Color) -> tuple[Style, Style]:
    """A widget's colours inside and outside of its border."""
    return _colours_of(base_background, background)


_METHODS: tuple[tuple[type, str, Callable[..., object]], ...] = (
    (Strip, "divide", _divided),
    (StylesCache, "get_inner_outer", _colours),
)

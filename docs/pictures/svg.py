"""Terminal screenshots as small SVG files: one screen, or several as an animation.

Textual and Rich export SVG with a web font and an element for each run of cells. This module keeps
the cells, drops the font, and draws a row once however many frames show it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape, unescape

CELL, LINE = 12.2, 24.4
MARGIN = 12
FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
STYLE = re.compile(r"\.(\S+-r\d+) \{ (.*?);? ?\}")
RECT = re.compile(r'<rect fill="(#\w+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"')
TEXT = re.compile(
    r'<text class="(\S+)" x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)".*?>(.*?)</text>'
)


@dataclass(frozen=True)
class Screen:
    """The rows of a terminal, each as SVG elements without their classes' prefix."""

    columns: int
    rows: tuple[str, ...]
    styles: dict[str, str] = field(default_factory=dict)
    """Class name to declarations; equal declarations have equal names in all screens."""


@dataclass(frozen=True)
class Frame:
    """A screen of an animation, how long it is shown, and the caption below it."""

    screen: Screen
    seconds: float
    key: str
    caption: str


def parse_screen(svg: str, columns: int, lines: int) -> Screen:
    """Read the cells of a screenshot that Textual or Rich has exported."""
    names = {name: _class_name(style) for name, style in STYLE.findall(svg)}
    styles = {names[name]: style for name, style in STYLE.findall(svg)}
    rows = [""] * lines
    for fill, x, y, width in RECT.findall(svg):
        rows[int(float(y) / LINE)] += f'<path fill="{fill}" d="M{x}-19h{width}v24.8H{x}z"/>'
    for name, x, y, length, text in TEXT.findall(svg):
        text = unescape(text)
        shown = text.rstrip("\u00a0 \n") if "underline" not in styles[names[name]] else text
        if shown.strip("\u00a0 \n"):
            width = round(float(length) - CELL * (len(text) - len(shown)), 1)
            rows[round((float(y) - 20) / LINE)] += (
                f'<text class="{names[name]}" x="{x}" textLength="{width:g}">'
                f"{escape(shown, quote=False)}</text>"
            )
    return Screen(columns, tuple(rows), styles)


def draw_screen(screen: Screen, *, background: str) -> str:
    """One screen as an SVG file."""
    rows = "".join(_place(row, number) for number, row in enumerate(screen.rows) if row)
    return _file(screen.columns, len(screen.rows), screen.styles, background, rows)


def draw_animation(frames: Sequence[Frame], *, background: str) -> str:
    """Screens of one size, shown one after another for ever; the first where nothing may move."""
    total = sum(frame.seconds for frame in frames)
    shown: dict[str, list[int]] = {}
    lines = max(len(frame.screen.rows) for frame in frames)
    for number, frame in enumerate(frames):
        caption = (
            f'<text class="key" x="0">{escape(frame.key)}</text>'
            f'<text class="caption" x="{CELL * (len(frame.key) + 2):g}">'
            f"{escape(frame.caption)}</text>"
        )
        rows = [_place(row, at) for at, row in enumerate(frame.screen.rows) if row]
        for row in (*rows, _place(caption, lines + 1)):
            shown.setdefault(row, []).append(number)
    groups: dict[tuple[int, ...], str] = {}
    for row, numbers in shown.items():
        groups[tuple(numbers)] = groups.get(tuple(numbers), "") + row
    styles: dict[str, str] = {}
    rules, body = [], []
    for frame in frames:
        styles |= frame.screen.styles
    starts = [sum(f.seconds for f in frames[:n]) / total * 100 for n in range(len(frames))]
    for index, (those, content) in enumerate(sorted(groups.items())):
        if len(those) == len(frames):
            body.append(content)
            continue
        steps = [
            f"{starts[n]:.2f}%{{opacity:{int(n in those)}}}"
            for n in range(len(frames))
            if n == 0 or (n in those) != (n - 1 in those)
        ]
        rules.append(
            f"#f{index}{{opacity:{int(0 in those)};"
            f"animation:f{index} {total:g}s step-end infinite}}"
            f"@keyframes f{index}{{{''.join(steps)}}}"
        )
        body.append(f'<g id="f{index}">{content}</g>')
    rules.append("@media(prefers-reduced-motion:reduce){g{animation:none!important}}")
    rules.append(".key{fill:#ffc473;font-weight:bold}.caption{fill:#c5c8c6}")
    text = "".join(body)
    return _file(frames[0].screen.columns, lines + 2, styles, background, text, "".join(rules))


def _file(
    columns: int, lines: int, styles: dict[str, str], background: str, body: str, rules: str = ""
) -> str:
    width, height = columns * CELL + 2 * MARGIN, lines * LINE + 2 * MARGIN
    classes = "".join(
        f".{name}{{{style.replace('; ', ';').replace(': ', ':')}}}"
        for name, style in sorted(styles.items())
        if f'class="{name}"' in body
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">'
        f"<style>text{{font-family:{FONT};font-size:20px;white-space:pre}}{classes}{rules}</style>"
        f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{background}"/>'
        f'<g transform="translate({MARGIN} {MARGIN})">{body}</g></svg>\n'
    )


def _place(row: str, number: int) -> str:
    return f'<g transform="translate(0 {number * LINE + 19:.1f})">{row}</g>\n'


def _class_name(style: str) -> str:
    """A name that depends on the declarations alone: ``c8c8ff-bold``, after an ``s``."""
    return "s" + "-".join(re.findall(r"\w+", style.partition("#")[2]))

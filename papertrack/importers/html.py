"""Convert other tools' HTML notes and annotations to Markdown without active content."""

from __future__ import annotations

import re
from collections.abc import Mapping
from colorsys import rgb_to_hsv
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree
from lxml import html as lxml_html

from papertrack.text import clean, clean_block, has_endless_tag, unescape

_DROPPED = frozenset(
    "script style iframe object embed head title meta link form input button select textarea svg "
    "math audio video canvas noscript template".split()
)
_BLOCKS = frozenset(
    "p div section article header footer main table tr ul ol dl dt dd hr figure address".split()
)
_INLINE = {"strong": "**", "b": "**", "em": "*", "i": "*", "code": "`", "del": "~~", "s": "~~"}
_OPENINGS = {
    "br": "  \n",
    "blockquote": "\n\n> ",
    "pre": "\n\n```\n",
    "a": "[",
    "td": " ",
    "th": " ",
}
_CLOSINGS = {"pre": "\n```\n\n", "blockquote": "\n\n"}
_SPECIAL = re.compile(r"([\\`*_\[\]<>|])")
_LINE_START = re.compile(r"^(\s*)(#{1,6}\s|[-+]\s|\d+[.)]\s|>|~~~|---)", re.M)
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+\n")
_SAFE = ("https://", "http://", "zotero://", "mailto:")
_MAX_LETTERS = 2_000_000
"""The most letters of a note that are read."""


def markdown_of(note: str) -> str:
    """Return a note in Markdown without scripts, frames, forms and pictures."""
    text = note[:_MAX_LETTERS]
    if "<" not in text:
        return escaped(clean_block(text)).strip()
    try:
        root = parse_html(f"<div>{text}</div>")
    except (etree.LxmlError, ValueError):
        return escaped(clean_block(unescape(re.sub(r"<[^<>]*>", " ", text)))).strip()
    writer = _MarkdownWriter()
    writer.write(root)
    return _BLANK_LINES.sub("\n\n", writer.text).strip()


def parse_html(text: str) -> etree._Element:
    """Return the root of HTML. Raises ValueError or LxmlError if it cannot be read in full."""
    if has_endless_tag(text):
        raise ValueError("a tag has thousands of attributes")
    parser = lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    root = lxml_html.document_fromstring(text.encode(), parser=parser)
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        raise ValueError("elements are nested too deep")  # libxml2 drops them.
    return root


def escaped(text: str) -> str:
    """Return text of unknown origin as Markdown that shows it literally."""
    return _LINE_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", text))


@dataclass(slots=True)
class _MarkdownWriter:
    """Writes one note; without recursion, because the note may be nested deeply."""

    parts: list[str] = field(default_factory=list)
    lists: list[int | None] = field(default_factory=list)
    """For each open list: the next number, or None if it is not numbered."""
    dropped_depth: int = 0
    """How many open elements are left out."""
    verbatim_depth: int = 0

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in "".join(self.parts).split("\n"))

    def write(self, root: etree._Element) -> None:
        """Write all of a tree."""
        for event, element in etree.iterwalk(root, events=("start", "end")):
            name = element.tag if isinstance(element.tag, str) else ""
            if event == "start":
                self._open(name, element)
                self._add_text(element.text)
            else:
                self._close(name, element)
                self._add_text(element.tail)

    def _open(self, name: str, element: etree._Element) -> None:
        """Write the Markdown that begins ``element``, unless it lies in a dropped one."""
        if name in _DROPPED:
            self.dropped_depth += 1
        if self.dropped_depth:
            return
        if name in ("ul", "ol"):
            self.lists.append(1 if name == "ol" else None)
        if name == "pre":
            self.verbatim_depth += 1
        self.parts.append(self._opening(name))

    def _close(self, name: str, element: etree._Element) -> None:
        """Write the Markdown that ends ``element``."""
        if not self.dropped_depth:
            self.parts.append(self._closing(name, element))
            if name in ("ul", "ol") and self.lists:
                self.lists.pop()
            if name == "pre":
                self.verbatim_depth -= 1
        if name in _DROPPED:
            self.dropped_depth -= 1

    def _add_text(self, text: str | None) -> None:
        if not text or self.dropped_depth:
            return
        if self.verbatim_depth:
            self.parts.append(clean_block(text).replace("```", "'''"))
            return
        words = re.sub(r"\s+", " ", text)
        markdown = escaped(clean(words))
        before = " " if words[0] == " " else ""
        after = " " if words[-1] == " " and words.strip() else ""
        self.parts.append(f"{before}{markdown}{after}")

    def _opening(self, name: str) -> str:
        if name == "li":
            return f"\n{'  ' * max(0, len(self.lists) - 1)}{self._bullet()} "
        if name in _OPENINGS:
            return _OPENINGS[name]
        if name in _INLINE:
            return _INLINE[name] if not self.verbatim_depth else ""
        if len(name) == 2 and name[0] == "h" and name[1] in "123456":
            return f"\n\n{'#' * int(name[1])} "
        return "\n\n" if name in _BLOCKS and not self.lists else ""

    def _bullet(self) -> str:
        number = self.lists[-1] if self.lists else None
        if number is None:
            return "-"
        self.lists[-1] = number + 1
        return f"{number}."

    def _closing(self, name: str, element: etree._Element) -> str:
        if name == "a":
            return _link_end(element.get("href") or "")
        if name in _INLINE:
            return _INLINE[name] if not self.verbatim_depth else ""
        is_heading = len(name) == 2 and name[0] == "h"
        is_block = name in _BLOCKS and not self.lists
        return _CLOSINGS.get(name) or ("\n\n" if is_block or is_heading else "")


def _link_end(address: str) -> str:
    """Return the end of a link, with its target if that is the web, mail or Zotero."""
    target = clean(address).strip().replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    is_safe = target.lower().startswith(_SAFE) and not set(target) & set("<>\"'`")
    return f"]({target})" if is_safe else "]"


# -- Annotations of PDFs in notes: where and how a text is marked, the quote, the comment.
# Highlights in the library's PDFs and those from other tools look the same.

_HUE_NAMES = (
    *((12, "red"), (42, "orange"), (70, "yellow"), (165, "green"), (240, "blue")),
    *((290, "purple"), (346, "magenta"), (360, "red")),
)
"""The name of a colour, by the highest degree on the colour circle."""
Meanings = Mapping[str, str | None]
"""What the user means by colours, by their plain names."""
_MIN_SATURATION = 0.12
"""Less saturated colours are grey."""


class Annotation(NamedTuple):
    """One annotation; all but the comment comes from a PDF of unknown origin."""

    page: str
    kind: str
    colour: str
    """The colour as ``#ffd400``."""
    text: str
    comment: str
    """The comment in Markdown."""
    author: str = ""


def annotation_parts(note: Annotation, meanings: Meanings) -> list[str]:
    """Return the paragraphs of an annotation.

    These are a line with page, kind, author, colour and what the colour means to the user, then the
    quote, then the comment.
    """
    page, colour = clean(note.page).strip(), colour_name(clean(note.colour).strip())
    meaning = meanings.get(colour)
    about = [
        f"page {escaped(page)}" if page else "",
        note.kind,
        escaped(clean(note.author)),
        f"{colour}: {escaped(clean(meaning))}" if meaning else colour,
    ]
    quote = clean_block(note.text).strip().splitlines()
    quoted = "\n".join(f"> {escaped(line)}".rstrip() for line in quote)
    return [part for part in (f"*{', '.join(filter(None, about))}*", quoted, note.comment) if part]


def quotes_of(annotations: Mapping[str, Annotation], meanings: Meanings) -> dict[str, str]:
    """Annotations by id, as ``note_highlights`` puts them into a note."""
    return {id: "\n\n".join(annotation_parts(a, meanings)) for id, a in annotations.items()}


def colour_name(colour: str) -> str:
    """Return the plain name of a colour: yellow for ``#ffd400``; empty for other texts."""
    try:
        red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    except ValueError:
        return ""
    hue, saturation, value = rgb_to_hsv(red, green, blue)
    if value < 0.15:
        return "black"
    if saturation < _MIN_SATURATION:
        return "grey"
    return next(name for limit, name in _HUE_NAMES if hue * 360 <= limit)

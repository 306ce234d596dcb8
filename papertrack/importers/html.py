"""Notes as HTML, and annotations, of other tools → Markdown in which nothing runs or loads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from colorsys import rgb_to_hsv
from dataclasses import dataclass, field
from html import unescape
from typing import NamedTuple

from lxml import etree
from lxml import html as lxml_html

from papertrack.text import clean, clean_block

_DROPPED = frozenset(
    "script style iframe object embed head title meta link form input button select textarea svg "
    "math audio video canvas noscript template".split()
)
_BLOCKS = frozenset(
    "p div section article header footer main table tr ul ol dl dt dd hr figure address".split()
)
_AROUND = {"strong": "**", "b": "**", "em": "*", "i": "*", "code": "`", "del": "~~", "s": "~~"}
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
_MOST = 2_000_000
"""Letters of a note that are read."""


def markdown_of(note: str) -> str:
    """The text of a note in Markdown. Programs, frames, forms and pictures in it are left out."""
    text = note[:_MOST]
    if "<" not in text:
        return escaped(clean_block(text)).strip()
    try:
        parser = lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
        root = lxml_html.document_fromstring(f"<div>{text}</div>".encode(), parser=parser)
        if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
            raise ValueError("libxml2 drops deeply nested elements, so the HTML is read as text.")
    except (etree.LxmlError, ValueError):
        return escaped(clean_block(unescape(re.sub(r"<[^>]*>", " ", text)))).strip()
    writing = _Writing()
    writing.write(root)
    return _BLANK_LINES.sub("\n\n", writing.text).strip()


def escaped(text: str) -> str:
    """A foreign text as Markdown that shows it letter by letter."""
    return _LINE_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", text))


@dataclass(slots=True)
class _Writing:
    """One note under way: without recursion, however deep it is nested."""

    parts: list[str] = field(default_factory=list)
    lists: list[int | None] = field(default_factory=list)
    """The lists that are open: the number of the next item of an ordered one."""
    dropped: int = 0
    """How many elements are open of which nothing is taken."""
    verbatim: int = 0

    @property
    def text(self) -> str:
        return "\n".join(one.rstrip() for one in "".join(self.parts).split("\n"))

    def write(self, root: etree._Element) -> None:
        """Take all of a tree."""
        for event, element in etree.iterwalk(root, events=("start", "end")):
            name = element.tag if isinstance(element.tag, str) else ""
            if event == "start":
                self._begin(name, element)
                self._say(element.text)
            else:
                self._finish(name, element)
                self._say(element.tail)

    def _begin(self, name: str, element: etree._Element) -> None:
        if name in _DROPPED:
            self.dropped += 1
        if self.dropped:
            return
        if name in ("ul", "ol"):
            self.lists.append(1 if name == "ol" else None)
        if name == "pre":
            self.verbatim += 1
        self.parts.append(self._opening(name))

    def _finish(self, name: str, element: etree._Element) -> None:
        if not self.dropped:
            self.parts.append(self._closing(name, element))
            if name in ("ul", "ol") and self.lists:
                self.lists.pop()
            if name == "pre":
                self.verbatim -= 1
        if name in _DROPPED:
            self.dropped -= 1

    def _say(self, text: str | None) -> None:
        if not text or self.dropped:
            return
        if self.verbatim:
            self.parts.append(clean_block(text).replace("```", "'''"))
            return
        words = re.sub(r"\s+", " ", text)
        shown = escaped(clean(words))
        before = " " if words[0] == " " else ""
        after = " " if words[-1] == " " and words.strip() else ""
        self.parts.append(f"{before}{shown}{after}")

    def _opening(self, name: str) -> str:
        if name == "li":
            return f"\n{'  ' * max(0, len(self.lists) - 1)}{self._bullet()} "
        if name in _OPENINGS:
            return _OPENINGS[name]
        if name in _AROUND:
            return _AROUND[name] if not self.verbatim else ""
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
        if name in _AROUND:
            return _AROUND[name] if not self.verbatim else ""
        is_heading = len(name) == 2 and name[0] == "h"
        is_block = name in _BLOCKS and not self.lists
        return _CLOSINGS.get(name) or ("\n\n" if is_block or is_heading else "")


def _link_end(address: str) -> str:
    """The end of a link: only to the web, a mailbox or the note's own program."""
    target = clean(address).strip().replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    is_safe = target.lower().startswith(_SAFE) and not set(target) & set("<>\"'`")
    return f"]({target})" if is_safe else "]"


# -- Annotations of PDFs as notes have them: where and how a text is marked, the quote, the
# comment.
#
# Highlights of the library's own PDFs and those that another tool kept look the same.

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


def quotes_of(annotations: Mapping[str, Annotation], meanings: Meanings) -> dict[str, str]:
    """Annotations by id, as ``note_highlights`` puts them into a note."""
    parts = {id: annotation_parts(one, meanings) for id, one in annotations.items()}
    return {id: "\n\n".join(several) for id, several in parts.items()}


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

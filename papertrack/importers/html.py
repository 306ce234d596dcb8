"""Notes that other tools keep as HTML → Markdown in which nothing runs, shows or loads."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

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
        # The tree is flat enough for any reader: libxml2 cuts what is nested hundreds deep.
        root = lxml_html.document_fromstring(f"<div>{text}</div>".encode(), parser=parser)
    except (etree.LxmlError, ValueError):
        return escaped(clean_block(re.sub(r"<[^>]*>", " ", text))).strip()
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
        self.parts.append(_edge(words[:1]) + shown + (_edge(words[-1:]) if words.strip() else ""))

    def _opening(self, name: str) -> str:
        if name == "li":
            return f"\n{'  ' * max(0, len(self.lists) - 1)}{self._bullet()} "
        openings: dict[str, Callable[[], str]] = {
            "br": lambda: "  \n",
            "blockquote": lambda: "\n\n> ",
            "pre": lambda: "\n\n```\n",
            "a": lambda: "[",
            "td": lambda: " ",
            "th": lambda: " ",
        }
        if name in openings:
            return openings[name]()
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
        if name == "pre":
            return "\n```\n\n"
        if name in _AROUND:
            return _AROUND[name] if not self.verbatim else ""
        is_heading = len(name) == 2 and name[0] == "h"
        is_block = name in _BLOCKS and not self.lists
        return "\n\n" if is_block or is_heading or name == "blockquote" else ""


def _edge(letter: str) -> str:
    return " " if letter == " " else ""


def _link_end(address: str) -> str:
    """The end of a link: only to the web, a mailbox or the note's own program."""
    target = clean(address).strip().replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    is_safe = target.lower().startswith(_SAFE) and not set(target) & set("<>\"'`")
    return f"]({target})" if is_safe else "]"

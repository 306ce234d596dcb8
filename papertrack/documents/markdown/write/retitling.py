"""A new title in the place of an old one, whose words that stay are written as they were."""

from __future__ import annotations

import re
from collections.abc import Sequence

from papertrack.documents.markdown.model import Entry
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.write.markup import as_entities, light_escape
from papertrack.text import clean

_HTML = ("html_row", "details")
_VOID = ("br", "img", "hr", "input", "wbr")
_TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9]*)(?=[\s/>])[^<>]*>")
_OPEN_TAG = re.compile(r"(?<!\\)<[A-Za-z/!]")
_BLANKS = re.compile(r"[ \t\r\n]+")


def retitled(text: str, title: str, entry: Entry) -> str:
    """Return a title for the place of an entry's in ``text``: the words at its start and end that
    the old one has too are the same characters, and of the others only markup is escaped.

    Whether it is read as the title there is for the caller to see; ``markup.escape_title`` is.
    """
    assert entry.anatomy.title is not None, "the caller asked for an entry that shows a title"
    source = text[slice(*entry.anatomy.title)]
    old, new = plain(source).split(" "), clean(title).split(" ")
    first = _common(old, new)
    last = _common(old[first:][::-1], new[first:][::-1])
    head, tail = _head(source, old[:first]), _tail(source, old[len(old) - last :])
    middle = new[first if head else 0 : len(new) - last if tail else len(new)]
    pieces = [head, _escaped(" ".join(middle), entry), tail]
    written = " ".join(filter(None, pieces))
    is_same = plain(written) == " ".join(new)
    return written if is_same else _escaped(" ".join(new), entry)


def is_text(source: str) -> bool:
    """Return whether words can take the place of a source: it says something, and holds no tag
    that is opened or closed elsewhere."""
    if _OPEN_TAG.search(_TAG.sub("", source)):
        return False
    tags = [*_TAG.finditer(source)]
    opened, closed = _names(tags, ""), _names(tags, "/")
    return [name for name in opened if name not in _VOID] == closed and bool(plain(source))


def _names(tags: Sequence[re.Match[str]], close: str) -> list[str]:
    """Return the names of the tags that open, or that close, sorted."""
    return sorted(tag["name"].lower() for tag in tags if tag["close"] == close)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words two titles begin with that are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _escaped(words: str, entry: Entry) -> str:
    if not words:
        return ""
    return as_entities(words) if entry.shape in _HTML else light_escape(words, entry.shape)


def _head(source: str, words: Sequence[str]) -> str:
    """Return what says just these words at the start of a source; nothing if emphasis or the like
    reaches beyond them."""
    ends = [*(match.start() for match in _BLANKS.finditer(source)), len(source)]
    said = " ".join(words)
    return next((source[:end] for end in ends if words and plain(source[:end]) == said), "")


def _tail(source: str, words: Sequence[str]) -> str:
    starts = [*(match.end() for match in _BLANKS.finditer(source)), 0]
    said = " ".join(words)
    return next((source[at:] for at in starts if words and plain(source[at:]) == said), "")

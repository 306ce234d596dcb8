"""Text and addresses escaped, so that Markdown shows them and nothing else."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from papertrack.documents.markdown.model import Entry
from papertrack.text import clean

_SPECIAL = re.compile(r"([\\`*_\[\]<>~|$])")
_ENTITY = re.compile(r"&(?=[A-Za-z0-9#]{1,32};)")
_ENTITY_CHARACTER = re.compile(r"[&<>\"'`*_\[\]\\~|$:]")
_EDGE_CHARACTER = re.compile(r"[-+.,:;/()#!?'\"@%={}^]")
_UNSAFE_IN_URL = re.compile(r"[\s<>()\[\]|\\`\"{}^\x00-\x1f\x7f]")
MARKER = re.compile(r"[ \t>]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]+")
LETTERS = re.compile(r"[^\W_]")
LABELLED = re.compile(r"[,;|·]?\s*(?P<word>[^\W\d_]{2,12})\s?[:：]\s*(?:\*\*|\[|\()?$")


def escape_text(text: str) -> str:
    """Return foreign text as Markdown that shows it and nothing else, on one line.

    ``plain(escape_text(text)) == clean(text)``. Pipes are escaped too, so that the result is safe
    in a table cell; an address in it makes no link.
    """
    escaped = _SPECIAL.sub(r"\\\1", clean(text))
    escaped = _ENTITY.sub("&amp;", escaped)
    return escaped.replace("://", "&#58;//")


def escape_title(text: str, title: str, entry: Entry) -> str:
    """Return a title as it can stand in the place of an entry's title in ``text``.

    In HTML blocks every special character is an entity; where the title is neither a link nor
    bold, punctuation at its ends is escaped, so that it is not taken for a separator.
    """
    if entry.shape in ("html_row", "details"):
        return _as_entities(clean(title))
    escaped = escape_text(title)
    if entry.shape == "row" or _is_wrapped(text, entry):
        return escaped
    if _EDGE_CHARACTER.match(escaped[-1:]) and escaped[-2:-1] != "\\":
        escaped = escaped[:-1] + "\\" + escaped[-1]
    return "\\" + escaped if _EDGE_CHARACTER.match(escaped) else escaped


def _as_entities(shown: str) -> str:
    edges = (shown[:1], shown[-1:])
    pieces = []
    for character in shown:
        is_edge = character in edges and _EDGE_CHARACTER.match(character)
        is_special = is_edge or _ENTITY_CHARACTER.match(character)
        pieces.append(f"&#{ord(character)};" if is_special else character)
    return "".join(pieces)


def _is_wrapped(text: str, entry: Entry) -> bool:
    """Whether the entry's title is a link, or bold."""
    span = entry.anatomy.title
    if span is None:
        return False
    is_bold = text.endswith("**", 0, span[0]) and text.startswith("**", span[1])
    return is_bold or entry.anatomy.title_link is not None


def escape_comment(text: str) -> str:
    """Return foreign text as the inside of an HTML comment, which it cannot end."""
    return re.sub(r"-(?=-)", "- ", clean(text)).replace(">", "›").strip("-")


def safe_url(url: str) -> str:
    """Return an address as it can stand in ``(…)`` or a definition; blanks, brackets encoded."""
    return _UNSAFE_IN_URL.sub(lambda match: quote(match.group(), safe=""), clean(url).strip())


def is_safe_target(url: str) -> bool:
    """Return whether an address may be written: http(s), or a relative path; never a script."""
    scheme = urlsplit(url).scheme.lower() if ":" in url.split("/")[0] else ""
    return scheme in ("", "http", "https")

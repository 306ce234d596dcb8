"""Text and addresses escaped, so that Markdown shows them and nothing else."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from papertrack.documents.markdown.model import Entry
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.values import Span
from papertrack.text import clean

_SPECIAL = re.compile(r"([\\`*_\[\]<>~|$])")
_ENTITY = re.compile(r"&(?=[A-Za-z0-9#]{1,32};)")
_ENTITY_CHARACTER = re.compile(r"[&<>\"'`*_\[\]\\~|$:]")
_LIGHT = r"\*|(?<![^\W_])_|_(?![^\W_])|\\(?=[!-/:-@\[-`{-~])|<(?=[A-Za-z/!?])|^>"
"""What Markdown takes for markup in the middle of words."""
_EDGE_CHARACTER = re.compile(r"[-+.,:;/()#!?'\"@%={}^]")
_UNSAFE_IN_URL = re.compile(r"[\s<>()\[\]|\\`\"{}^\x00-\x1f\x7f]")
_PAIRS = re.compile(r"[^()]*(?:\([^()]*\)[^()]*)*").fullmatch
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


def light_escape(text: str, shape: str, *, has_math: bool = False) -> str:
    """Return foreign text as people write it in an entry of a shape: only what Markdown would take
    for markup is escaped; of formulas nothing, where the list shows some (``has_math``)."""
    shown = clean(text)
    signs = _LIGHT if _is_balanced(shown) else f"{_LIGHT}|[\\[\\]]"
    pairs = "`~" if has_math else "`~$"
    signs += f"|[{pairs}]" if any(shown.count(sign) > 1 for sign in pairs) else ""
    signs += r"|\|" if shape == "row" else ""
    light = re.sub(signs, r"\\\g<0>", shown)
    light = _ENTITY.sub("&amp;", light).replace("://", "&#58;//")
    return light if plain(light) == shown else escape_text(text)


def _is_balanced(text: str) -> bool:
    """Whether the brackets of a text are pairs that make no link."""
    return bool(re.fullmatch(r"(?!\[)(?:[^\[\]]|\[[^\[\]]*\](?![(\[:]))*", text))


def escape_title(text: str, title: str, entry: Entry) -> str:
    """Return a title as it can stand in the place of an entry's title in ``text``.

    In HTML blocks every special character is an entity; where the title is neither a link nor
    bold, punctuation at its ends is escaped, so that it is not taken for a separator.
    """
    if entry.shape in ("html_row", "details"):
        return as_entities(clean(title))
    escaped = escape_text(title)
    if entry.shape == "row" or _is_wrapped(text, entry):
        return escaped
    if _EDGE_CHARACTER.match(escaped[-1:]) and escaped[-2:-1] != "\\":
        escaped = escaped[:-1] + "\\" + escaped[-1]
    return "\\" + escaped if _EDGE_CHARACTER.match(escaped) else escaped


def as_entities(shown: str) -> str:
    """Return text for an HTML block, in which every special character is an entity."""
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


def target_of(url: str) -> str:
    """Return an address as it can stand in ``(…)``: brackets that are pairs as they are."""
    safe = safe_url(url)
    return url if safe.replace("%28", "(").replace("%29", ")") == url and _PAIRS(url) else safe


def is_safe_target(url: str) -> bool:
    """Return whether an address may be written: http(s), or a relative path; never a script."""
    scheme = urlsplit(url).scheme.lower() if ":" in url.split("/")[0] else ""
    return scheme in ("", "http", "https")


WRAPPERS = (("**", "**"), ("(", ")"), ("[", "]"), ("*", "*"), ("`", "`"))
"""What may stand right around a link, a label or a title."""


def repository_name(url: str) -> str:
    """Return the last part of an address's path, ``vllm`` of ``github.com/vllm-project/vllm``."""
    path = urlsplit(url).path.rstrip("/")
    name = path.rpartition("/")[2].removesuffix(".git")
    return name or urlsplit(url).netloc or url


def wrapping(text: str, span: Span) -> tuple[str, str]:
    """Return the brackets and emphasis right around a link or a title: ``(…)``, ``**…**``."""
    start, end = span
    for opening, closing in WRAPPERS:
        if text.endswith(opening, 0, start) and text.startswith(closing, end):
            return opening, closing
    return "", ""

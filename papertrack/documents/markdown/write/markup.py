"""Escape text and addresses for Markdown, and join the gaps around pieces that are left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote, urlsplit

from papertrack.documents.markdown.model import Entry
from papertrack.documents.markdown.syntax import plain
from papertrack.documents.markdown.values import Span
from papertrack.text import clean

_SPECIAL = re.compile(r"([\\`*_\[\]<>~|$])")
_ENTITY = re.compile(r"&(?=[A-Za-z0-9#]{1,32};)")
_ENTITY_CHARACTER = re.compile(r"[&<>\"'`*_\[\]\\~|$:]")
_LIGHT = r"\*|(?<![^\W_])_|_(?![^\W_])|\\(?=[!-/:-@\[-`{-~])|<(?=[A-Za-z/!?])|^>"
"""Characters that Markdown reads as markup in the middle of words."""
_EDGE_CHARACTER = re.compile(r"[-+.,:;/()#!?'\"@%={}^]")
_UNSAFE_IN_URL = re.compile(r"[\s<>()\[\]|\\`\"{}^\x00-\x1f\x7f]")
_PAIRS = re.compile(r"[^()]*(?:\([^()]*\)[^()]*)*").fullmatch
MARKER = re.compile(r"[ \t>]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]+")
LETTERS = re.compile(r"[^\W_]")
LABELLED = re.compile(r"[,;|·]?\s*(?P<word>[^\W\d_]{2,12})\s?[:：]\s*(?:\*\*|\[|\()?$")


def escape_text(text: str) -> str:
    """Return any text as Markdown that shows exactly this text, on one line.

    ``plain(escape_text(text)) == clean(text)``. Pipes are escaped too, for table cells, and
    addresses do not become links.
    """
    escaped = _SPECIAL.sub(r"\\\1", clean(text))
    escaped = _ENTITY.sub("&amp;", escaped)
    return escaped.replace("://", "&#58;//")


HTML = ("html_row", "details")
"""The shapes of entries in HTML."""


def light_escape(text: str, shape: str, *, has_math: bool = False) -> str:
    """Return any text as people write it: only what Markdown would misread is escaped.

    In a list with TeX formulas (``has_math``), dollar signs are not escaped.
    """
    cleaned = clean(text)
    if shape in HTML:  # Escape only what starts a tag, an entity or an address.
        return _ENTITY.sub("&amp;", cleaned).replace("<", "&lt;").replace("://", "&#58;//")
    signs = _LIGHT if _is_balanced(cleaned) else f"{_LIGHT}|[\\[\\]]"
    pairs = "`~" if has_math else "`~$"
    signs += f"|[{pairs}]" if any(cleaned.count(sign) > 1 for sign in pairs) else ""
    signs += r"|\|" if shape == "row" else ""
    light = re.sub(signs, r"\\\g<0>", cleaned)
    light = _ENTITY.sub("&amp;", light).replace("://", "&#58;//")
    return light if plain(light) == cleaned else escape_text(text)


def _is_balanced(text: str) -> bool:
    """Return whether square brackets are in pairs that do not form a link."""
    return bool(re.fullmatch(r"(?!\[)(?:[^\[\]]|\[[^\[\]]*\](?![(\[:]))*", text))


def escape_title(text: str, title: str, entry: Entry) -> str:
    """Return a title, escaped for the place of an entry's title in ``text``.

    In HTML, special characters become entities. Unless the title is a link or bold, punctuation at
    its ends is escaped too, because it could be read as a separator.
    """
    if entry.shape in HTML:
        return as_entities(clean(title))
    escaped = escape_text(title)
    if entry.shape == "row" or _is_wrapped(text, entry):
        return escaped
    if _EDGE_CHARACTER.match(escaped[-1:]) and escaped[-2:-1] != "\\":
        escaped = escaped[:-1] + "\\" + escaped[-1]
    return "\\" + escaped if _EDGE_CHARACTER.match(escaped) else escaped


def as_entities(shown: str) -> str:
    """Return text for HTML, with special characters as entities."""
    edges = (shown[:1], shown[-1:])
    pieces = []
    for character in shown:
        is_edge = character in edges and _EDGE_CHARACTER.match(character)
        is_special = is_edge or _ENTITY_CHARACTER.match(character)
        pieces.append(f"&#{ord(character)};" if is_special else character)
    return "".join(pieces)


def _is_wrapped(text: str, entry: Entry) -> bool:
    """Return whether an entry's title is a link or bold."""
    span = entry.anatomy.title
    if span is None:
        return False
    is_bold = text.endswith("**", 0, span[0]) and text.startswith("**", span[1])
    return is_bold or entry.anatomy.title_link is not None


def escape_comment(text: str) -> str:
    """Return any text for an HTML comment, changed so that it cannot end the comment."""
    return re.sub(r"-(?=-)", "- ", clean(text)).replace(">", "›").strip("-")


def safe_url(url: str) -> str:
    """Return an address for ``(…)`` or a definition, with blanks and brackets encoded."""
    return _UNSAFE_IN_URL.sub(lambda match: quote(match.group(), safe=""), clean(url).strip())


def target_of(url: str) -> str:
    """Return an address for ``(…)``. Paired round brackets are not encoded."""
    safe = safe_url(url)
    return url if safe.replace("%28", "(").replace("%29", ")") == url and _PAIRS(url) else safe


def is_safe_target(url: str) -> bool:
    """Return whether an address may be written: http(s) or a relative path, never a script."""
    try:
        scheme = urlsplit(url).scheme.lower() if ":" in url.split("/")[0] else ""
    except ValueError:  # ``http://[`` has no host.
        return False
    return scheme in ("", "http", "https")


WRAPPERS = (("**", "**"), ("(", ")"), ("[", "]"), ("*", "*"), ("`", "`"))
"""Markup that may directly surround a link, a label or a title."""


def repository_name(url: str) -> str:
    """Return the last part of an address's path: ``vllm`` for ``github.com/vllm-project/vllm``."""
    host, _, path = url.rpartition("://")[2].partition("#")[0].partition("?")[0].partition("/")
    return path.rstrip("/").rpartition("/")[2].removesuffix(".git") or host or url


def wrapping(text: str, span: Span) -> tuple[str, str]:
    """Return the brackets or emphasis directly around a span: ``(…)``, ``**…**``."""
    start, end = span
    for opening, closing in WRAPPERS:
        if text.endswith(opening, 0, start) and text.startswith(closing, end):
            return opening, closing
    return "", ""


_CLOSERS = re.compile(
    r"(?:[.。](?=[)\]*_`\"”’]))?(?:[\])）】}>*_`\"”’]|</[a-z]+>|~~)*", re.IGNORECASE
)
_SEPARATORS = re.compile(
    r"(?:\s|[,;|·.:/&–—，；、。：-]|\*(?=[ \t])|\+(?=[ \t])|<br\s*/?>|\\\||\\(?=\n))*",
    re.IGNORECASE,
)
_PAIRED = re.compile(
    r"\*+|_+|`+|\"|<(?P<close>/?)(?P<tag>[a-z]+)[^<>]*>|[\[\](){}（）【】]", re.IGNORECASE
)
_OPENING = {"]": "[", ")": "(", "}": "{", "）": "（", "】": "【"}
_LINE_START = re.compile(
    r"[ \t>]*(?:(?:[-+*]|[0-9]*[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?(?:#{1,6}[ \t]+)?"
)
_WORDS_BEHIND = re.compile(r"(?<![ \t])[ \t]*[^\W\d_].*", re.DOTALL)
_MARKER = re.compile(r"(?m)^[ \t>]*[0-9]*[.)]")
_INDENT = re.compile(r"[ \t>]*")
_LABEL_ALONE = re.compile(
    r"[ \t>]*(?:[-+*][ \t]+)?[^\w\n]{0,8}[^\W\d_][^\r\n:：()\[\]]{0,30}[:：][*_`]{0,3}\s*"
)
"""A line with a label and nothing else: ``- **Keyword:**``."""


def join_gaps(gaps: Sequence[str], *, is_first: bool, is_last: bool) -> str:
    """Join several gaps into one, after the pieces between them were left out.

    The result closes the markup of the piece before, has one separator, and opens the markup of the
    piece after.
    """
    closing = (_LINE_START if is_first else _CLOSERS).match(gaps[0])
    closers = closing.group() if closing else ""
    separator, opener = "", gaps[0][len(closers) :]
    if not is_first:
        separator, opener = _at_start(opener)
    rest = _after_closers(opener + "".join(gaps[1:-1]), gaps[-1])
    if "\n" in separator and (is_last or "\n" in rest):  # All pieces of the line are left out.
        return closers + ("" if is_last else rest[rest.index("\n") :])
    behind, following = _at_start(rest)
    behind = _WORDS_BEHIND.sub(" ", behind)
    if closers[:1] in (".", "。"):
        behind = behind.lstrip(".。")
    if is_last:
        return closers + (behind.strip() if "\n" not in behind else "") + following
    if is_first:
        return closers + following
    is_broken = "\n" in separator and "\n" not in behind
    return closers + (separator if is_broken or not behind else behind) + following


def left_open(joints: Sequence[str]) -> bool:
    """Return whether the text around an entry's pieces leaves a bracket or quote open."""
    text = _MARKER.sub("", "".join(joints))
    pairs = (("[", "]"), ("(", ")"), ("【", "】"), ("（", "）"), ("“", "”"))
    return text.count('"') % 2 == 1 or any(text.count(a) != text.count(b) for a, b in pairs)


def _at_start(text: str) -> tuple[str, str]:
    """Split a text after the separator at its start."""
    separator = _SEPARATORS.match(text)
    end = separator.end() if separator else 0
    return text[:end], text[end:]


def _after_closers(opener: str, gap: str) -> str:
    """Return a gap without the signs that close brackets and emphasis opened in ``opener``."""
    opened: list[str] = []
    for match in _PAIRED.finditer(opener):
        _open_or_close(opened, match)
    end = 0
    for match in _PAIRED.finditer(gap):
        if not opened:
            break
        if _open_or_close(opened, match):
            end = match.end()
    return gap[end:] if end else gap


def _open_or_close(opened: list[str], match: re.Match[str]) -> bool:
    """Open or close a pair of brackets, emphasis or tags. Returns whether one was closed."""
    sign = match.group()
    if match["tag"]:
        sign, partner = f"<{match['tag'].lower()}>", f"<{match['tag'].lower()}>"
        closes = bool(match["close"])
        if sign in ("<br>", "<img>"):
            return False
    else:
        partner = _OPENING.get(sign, sign)
        closes = sign in _OPENING or (sign not in _OPENING.values() and sign in opened)
    if closes and partner in opened:
        while opened.pop() != partner:
            pass
        return True
    if not closes:
        opened.append(sign)
    return False


def without_empty_labels(text: str) -> str:
    """Return an entry without lines that are only a label, except its first line.

    A label above deeper lines is kept.
    """
    lines = text.splitlines(keepends=True)
    kept = [
        line
        for number, line in enumerate(lines)
        if number == 0 or not _is_empty(line, lines[number + 1 : number + 2])
    ]
    return "".join(kept).rstrip("\r\n") if len(kept) < len(lines) else text


def _is_empty(line: str, following: Sequence[str]) -> bool:
    if not _LABEL_ALONE.fullmatch(line):
        return False
    return not any(indent_of(other) > indent_of(line) for other in following)


def indent_of(text: str, at: int = 0) -> int:
    """Return the width of the blanks and quote signs at the start of a line."""
    match = _INDENT.match(text, at)
    return len(match.group().expandtabs(4)) if match else 0

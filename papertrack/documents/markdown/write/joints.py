"""What stands between two pieces of an entry when those between them are left out."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
    r"[ \t>]*(?:(?:[-+*]|[0-9]+[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?(?:#{1,6}[ \t]+)?"
)
_LEADING_WORDS = re.compile(r"\A[^\W_][\w ',-]*(?=[\[(<*_`\"“])")
"""Words that lead from one thing to the next, which need not fit another: *and in*."""
_WORDS_BEHIND = re.compile(r"[ \t]*[^\W\d_].*", re.DOTALL)
_MARKER = re.compile(r"(?m)^[ \t>]*[0-9]*[.)]")
_INDENT = re.compile(r"[ \t>]*")
_LABEL_ALONE = re.compile(
    r"[ \t>]*(?:[-+*][ \t]+)?[^\w\n]{0,8}[^\W\d_][^\r\n:：()\[\]]{0,30}[:：][*_`]{0,3}\s*"
)
"""A line that says what would follow: ``- **Keyword:**``."""


def joined(gaps: Sequence[str], *, is_first: bool, is_last: bool) -> str:
    """Return what stands in the place of several gaps whose pieces in between are gone: what closes
    the piece before them, one separator, and what opens the one behind them."""
    closers, separator, opener = _parted(gaps[0])
    if is_first:
        marker = _LINE_START.match(gaps[0])
        closers = marker.group() if marker else ""
        separator, opener = "", gaps[0][len(closers) :]
    rest = _behind(opener + "".join(gaps[1:-1]), gaps[-1])
    if "\n" in separator and (is_last or "\n" in rest):  # All of a line is gone.
        return closers + ("" if is_last else rest[rest.index("\n") :])
    behind, following = _at_start(rest)
    behind, following = _WORDS_BEHIND.sub(" ", behind), _LEADING_WORDS.sub("", following)
    if closers[:1] in (".", "。"):
        behind = behind.lstrip(".。")
    if is_last:
        return closers + (behind.strip() if "\n" not in behind else "") + following
    if is_first:
        return closers + following
    is_broken = "\n" in separator and "\n" not in behind
    return closers + (separator if is_broken or not behind else behind) + following


def left_open(joints: Sequence[str]) -> bool:
    """Return whether what is around the pieces of an entry leaves a bracket or a quote open."""
    text = _MARKER.sub("", "".join(joints))
    pairs = (("[", "]"), ("(", ")"), ("【", "】"), ("（", "）"), ("“", "”"))
    return text.count('"') % 2 == 1 or any(text.count(a) != text.count(b) for a, b in pairs)


def _parted(gap: str) -> tuple[str, str, str]:
    """Return what closes the piece before a gap, its separator, and the rest."""
    closing = _CLOSERS.match(gap)
    closers = closing.group() if closing else ""
    separator, rest = _at_start(gap[len(closers) :])
    return closers, separator, rest


def _at_start(text: str) -> tuple[str, str]:
    """Return the separator at the start of a text, and the rest."""
    found = _SEPARATORS.match(text)
    end = found.end() if found else 0
    return text[:end], text[end:]


def _behind(opener: str, gap: str) -> str:
    """Return what of a gap is left behind what closes the brackets and emphasis opened before."""
    opened: list[str] = []
    for match in _PAIRED.finditer(opener):
        _take(opened, match)
    end = 0
    for match in _PAIRED.finditer(gap):
        if not opened:
            break
        if _take(opened, match):
            end = match.end()
    return gap[end:] if end else gap


def _take(opened: list[str], match: re.Match[str]) -> bool:
    """Open or close a pair; return whether one was closed."""
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
    """Return an entry without the lines below its first that are a label of nothing: the next
    line is none of theirs."""
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
    return not any(_indent(other) > _indent(line) for other in following)


def _indent(line: str) -> int:
    match = _INDENT.match(line)
    return len(match.group().expandtabs(4)) if match else 0

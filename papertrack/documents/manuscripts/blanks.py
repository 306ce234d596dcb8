"""Text with blanks where nothing is cited, so that the offsets of all else stay."""

from __future__ import annotations

import re
from collections.abc import Callable

_VISIBLE = re.compile(r"[^\r\n]")


def blanked(text: str) -> str:
    """Blanks in the place of ``text``; its lines stay."""
    return _VISIBLE.sub(" ", text)


def without_spans(text: str, spans: list[tuple[int, int]]) -> str:
    """``text`` with blanks in these spans, which are in order and apart."""
    pieces: list[str] = []
    done = 0
    for start, end in spans:
        pieces += text[done:start], blanked(text[start:end])
        done = end
    return "".join([*pieces, text[done:]])


def without(text: str, starts: re.Pattern[str], end_of: Callable[[re.Match[str]], str]) -> str:
    """``text`` with blanks from each start to its end, which ``end_of`` gives as a pattern.

    A start without an end is ordinary text; so is one that ``end_of`` gives "" for. An end that
    was missing once is not looked for again.
    """
    spans: list[tuple[int, int]] = []
    missing = {""}
    at = 0
    while start := starts.search(text, at):
        at = start.end()
        wanted = end_of(start)
        if wanted in missing:
            continue
        end = re.compile(wanted, re.MULTILINE).search(text, at)
        if end is None:
            missing.add(wanted)
            continue
        spans.append((start.start(), end.end()))
        at = max(at, end.end())
    return without_spans(text, spans)

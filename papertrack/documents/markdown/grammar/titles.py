"""Separate a title from the text around it: ``🔥[Short] Real title (@Org)``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from papertrack.documents.markdown.grammar.likeness import people_in, role_among
from papertrack.documents.markdown.model import Part, PartRole
from papertrack.documents.markdown.roles import role_word
from papertrack.documents.markdown.syntax import inner_span, plain
from papertrack.documents.markdown.values import Span, stripped

_LEAD = re.compile(r"(?:\s|:[a-z0-9_+-]{1,40}:|[^\x00-\x7f\w\s“‘„«「『《【（])+")
"""Blanks, emoji and similar signs."""
_OPENING = re.compile(r"\[(?P<square>[^\[\]]{1,60})\](?![(\[])|【(?P<cjk>[^【】]{1,60})】")
_CLOSING = re.compile(
    r"(?<!\s)\s*(?:\((?P<round>[^()]{1,120})\)|\[(?P<square>[^\[\]]{1,120})\]|（(?P<cjk>[^（）]{1,120})）"
    r"|\s[—–]\s(?P<rest>[^—–]{1,300}))$"
)
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "『": "』", "《": "》"}
_BYLINE = re.compile(r"(?<!\s)\s+[-–—]\s*by\s+(?P<names>[^()\[\]]{3,200})\Z", re.IGNORECASE)
_HASHTAGS = re.compile(r"(?<!\s)(?:\s+#(?=[0-9]{0,4}[^\W\d_])[\w/-]{2,40}){1,20}\s*\Z")
_LABEL = re.compile(
    r"(?<=[\w*_?!])(?:[ ]?[(（](?P<label>[^\W\d_]{2,12})[)）]"
    r"|[ ]\((?:[a-z0-9-]{1,40}(?:\.[a-z0-9-]{1,40}){0,4}\.[a-z]{2,8}|from [A-Z][^()]{1,60})\)"
    r"|[ ]\\?[|·][ ](?:OpenReview|GitHub|YouTube|Medium|ScienceDirect|SpringerLink))\Z"
)
"""What follows a title without being part of it: brackets that may only name what it links to,
``(PPT)``; where it comes from, ``(from Hive Labs)``; the site, as browsers write it: ``(a.org)``,
``| OpenReview``."""
_CAPITALS = re.compile(r"[^\W\d_a-z]\S*(?:\s+[^\W\d_a-z]\S*){2,}")
"""Three or more capitalized words, as of names without commas."""
_SENTENCE = re.compile(r"(?P<name>\w*[a-z0-9][A-Z]\w*) is an? [a-z]")
"""A sentence about a tool instead of a title: ``TorchServe is a library for …``."""
_MOST_QUOTES = 2
"""How many nested pairs of quotes are removed."""
_LAST = re.compile(r"[,.;]\s+(?P<last>[^,.;]{2,60}?)\.?$")
_HONOURS = re.compile(
    r"(?:oral|spotlight|poster|highlight|award|best|notable|top|accepted|new|survey|review|demo|"
    r"short|long|code|withdrawn)\b.{0,40}",
    re.IGNORECASE,
)


def cut_title(text: str, span: Span) -> tuple[Span, list[Part]]:
    """Split a stretch with a work's title into the title and the parts around it."""
    rest, before = _cut_front(text, stripped(text, span))
    title, behind = _cut_behind(text, rest, _CLOSING)
    parts = before + behind
    return _without_quotes(text, stripped(text, title, " \t,;" if parts else None)), parts


def title_within(text: str, span: Span) -> Span:
    """Return a title without the markup, quotes, byline, hashtags or label around it.

    In ``A Title (slides) - by Ann Bee`` the label and the byline are left out.
    """
    for byline in _bylines(text, span):
        span = span[0], byline.start()
    if tags := _HASHTAGS.search(text, *span):  # Note programs write tags after a title.
        span = span[0], tags.start()
    label = _LABEL.search(text, *span)
    if label and (label["label"] is None or role_word(label["label"])):
        span = span[0], label.start()
    for _ in range(_MOST_QUOTES):
        span = _without_quotes(text, inner_span(text, span))
    return inner_span(text, span)


def tool_within(text: str, span: Span) -> Span:
    """Return the name of the tool that a sentence is about, or the whole span."""
    sentence = _SENTENCE.match(text, *span)
    return sentence.span("name") if sentence else span


def authors_within(text: str, span: Span) -> list[Part]:
    """Return the authors in a byline after a title: ``A Title - by Ann Bee``."""
    return [Part("authors", byline.span("names")) for byline in _bylines(text, span)]


def _bylines(text: str, span: Span) -> Iterator[re.Match[str]]:
    """Yield the byline at the end of a stretch, if it has one that names people."""
    byline = _BYLINE.search(text, *span)
    if (
        byline
        and (names := plain(byline["names"]))
        and (people_in(names) or _CAPITALS.fullmatch(names))
    ):
        yield byline


def _without_quotes(text: str, span: Span) -> Span:
    """Return the span inside quotes around the whole text."""
    start, end = span
    opening = text[start : start + 1]
    depth = 0
    for at in range(start, end) if opening in _QUOTES else ():
        if text[at] == _QUOTES[opening] and at > start:
            depth -= 1
        elif text[at] == opening:
            depth += 1
        if depth == 0:
            return (start + 1, at) if at == end - 1 else span
    return span


def cut_names(text: str, span: Span) -> tuple[Span, list[Part]]:
    """Split a stretch beside a title into its words, often names, and its venue and date.

    Example: ``A. One, B. Two (ICLR 2015)``.
    """
    rest, parts = _cut_behind(text, span, _CLOSING)
    words, others = _cut_behind(text, rest, _LAST)
    return stripped(text, words, " \t,;"), others + parts


def _cut_behind(text: str, span: Span, pattern: re.Pattern[str]) -> tuple[Span, list[Part]]:
    """Split parts off the end of a stretch."""
    parts: list[Part] = []
    start, end = span
    while match := pattern.search(text, max(start, end - 400), end):
        group = match.lastgroup or ""
        role = _role_behind(plain(match[group]), is_bracketed=group not in ("rest", "last"))
        if role is None or not _has_words(text, start, match.start()):
            break
        parts.append(Part(role, match.span(group)))
        end = match.start()
    return (start, end), parts


def _cut_front(text: str, span: Span) -> tuple[Span, list[Part]]:
    """Split parts off the start of a stretch: signs, numbers, names in brackets."""
    parts: list[Part] = []
    start, end = span
    while start < end:
        if sign := _LEAD.match(text, start, end):
            start = sign.end()
        elif (match := _OPENING.match(text, start, end)) and _has_words(text, match.end(), end):
            group = match.lastgroup or ""
            parts.append(Part(role_before(plain(match[group])), match.span(group)))
            start = match.end()
        else:
            break
    return (start, end), parts


def _has_words(text: str, start: int, end: int) -> bool:
    return any(map(str.isalnum, text[start:end]))


def role_before(words: str) -> PartRole:
    """Return the role of words in brackets before a title."""
    has_sign = any(char.isupper() or char.isdigit() for char in words[1:])
    roles: tuple[PartRole, ...] = ("number", "date", "venue", "name")
    return role_among(words, roles if has_sign else roles[:3]) or "tag"


def _role_behind(words: str, *, is_bracketed: bool) -> PartRole | None:
    """Return the role of words in brackets or after a dash that follow a title.

    None if they are part of the title.
    """
    if words.startswith("@"):
        return "details"
    is_honour = is_bracketed and _HONOURS.fullmatch(words) is not None
    return role_among(words, ("venue", "date", "authors")) or ("tag" if is_honour else None)

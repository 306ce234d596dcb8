"""Links, pictures and code spans of one stretch of Markdown, with exact offsets.

The stretch is a table cell, a paragraph or a list item as it stands in the file. The rules are
CommonMark 0.31 (sections 6.1, 6.3 to 6.6) with GFM's bare addresses, and ``<a>``, ``<img>`` and
``<br>`` of HTML. Everything is linear in the stretch's length.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from papertrack.documents.markdown.model import Definition, LinkForm
from papertrack.documents.markdown.values import Span
from papertrack.text import clean, strip_markup

_TOKEN = re.compile(r"\\.|`+|!\[|\[|\]|<!--|<|(?<![A-Za-z0-9])https?://", re.DOTALL)
_DESTINATION = re.compile(
    r"""\([ \t\n]{0,9}
        (?:<(?P<angled>[^<>\n]{0,2048})>
          |(?P<plain>(?:[^\s()\\<]|\\.|\((?:[^\s()\\]|\\.){0,512}+\)){0,2048}+))
        (?:[ \t\n]{1,9}(?:"(?:[^"\\]|\\.){0,512}+"|'(?:[^'\\]|\\.){0,512}+'|\([^()]{0,512}+\)))?
        [ \t\n]{0,9}\)""",
    re.VERBOSE | re.DOTALL,
)
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999}+)\]", re.DOTALL)
_AUTOLINK = re.compile(r"<(https?://[^\s<>]{1,2048})>")
_TAG = re.compile(
    r"""<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9-]{0,30}+)
        (?P<attributes>(?:[^<>"']|"[^"]{0,2048}+"|'[^']{0,2048}+'){0,2048}+)>""",
    re.VERBOSE | re.DOTALL,
)
_ATTRIBUTE = re.compile(
    r"""(?P<name>href|src|alt)\s{0,9}=\s{0,9}
        (?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'|(?P<bare>[^\s"'>]++))""",
    re.VERBOSE | re.IGNORECASE,
)
_BARE = re.compile(r"https?://[^\s<>|`\"\[\]（）【】，。、；：“”]{1,2048}")
_WHITESPACE = re.compile(r"\s+")

_WRAPPERS = (
    ("**", "**"),
    ("__", "__"),
    ("~~", "~~"),
    ("*", "*"),
    ("_", "_"),
    ("<u>", "</u>"),
    ("<b>", "</b>"),
    ("<strong>", "</strong>"),
    ("<em>", "</em>"),
    ("<i>", "</i>"),
)
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class InlineLink:
    """A link of the stretch; nothing is said yet about what it is for."""

    url: str
    span: Span
    label_span: Span
    url_span: Span
    form: LinkForm
    reference: str | None
    picture: str | None
    """The description of the picture, if the link shows only a picture (a badge)."""
    picture_url: str | None = None


@dataclass(frozen=True, slots=True)
class Inline:
    """What was found in a stretch."""

    links: tuple[InlineLink, ...] = ()
    codes: tuple[Span, ...] = ()
    """Code spans, backticks included."""
    pictures: tuple[Span, ...] = ()
    hidden: tuple[Span, ...] = ()
    """HTML comments."""


@dataclass(slots=True)
class _Opener:
    span: Span
    is_picture: bool


def normalise_label(label: str) -> str:
    """Return a definition's label in the form by which labels are compared (CommonMark 6.3)."""
    return _WHITESPACE.sub(" ", label.strip()).casefold()


def scan_inline(text: str, start: int, end: int, definitions: Mapping[str, Definition]) -> Inline:
    """Return what stands in ``text[start:end]``; definitions are by normalised label."""
    scan = _Scan(text, start, end, definitions)
    scan.run()
    links = sorted(scan.links, key=lambda link: link.span)
    return Inline(tuple(links), tuple(scan.codes), tuple(scan.pictures), tuple(scan.hidden))


class _Scan:
    """One pass over a stretch: the bracket stack and what was found so far."""

    def __init__(
        self, text: str, start: int, end: int, definitions: Mapping[str, Definition]
    ) -> None:
        self.text = text
        self.position = start
        self.end = end
        self.definitions = definitions
        self.links: list[InlineLink] = []
        self.codes: list[Span] = []
        self.pictures: list[Span] = []
        self.picture_urls: dict[Span, tuple[str, str]] = {}
        self.hidden: list[Span] = []
        self.openers: list[_Opener] = []
        self.dead_below = 0
        """Link openers below this depth cannot open any more: links hold no links."""
        self.anchors: list[tuple[Span, str, Span]] = []
        self.missing_runs: set[int] = set()

    def run(self) -> None:
        while match := _TOKEN.search(self.text, self.position, self.end):
            token = match.group()
            self.position = match.end()
            if token[0] == "`":
                self.code(match.start(), len(token))
            elif token in ("[", "!["):
                self.openers.append(_Opener(match.span(), token == "!["))
            elif token == "]":
                self.close(match.start())
            elif token == "<!--":
                self.comment(match.start())
            elif token == "<":
                self.angle(match.start())
            elif token[0] == "h":
                self.bare(match.start())

    def code(self, start: int, length: int) -> None:
        if length in self.missing_runs:
            return
        closing = re.compile(rf"(?<!`)`{{{length}}}(?!`)")
        found = closing.search(self.text, self.position, self.end)
        if found is None:
            self.missing_runs.add(length)
            return
        self.codes.append((start, found.end()))
        self.position = found.end()

    def comment(self, start: int) -> None:
        found = self.text.find("-->", self.position, self.end)
        if found >= 0:
            self.hidden.append((start, found + 3))
            self.position = found + 3

    def close(self, bracket: int) -> None:
        """End the link or picture that the ``]`` at ``bracket`` closes, if it is one."""
        if not self.openers:
            return
        opener = self.openers.pop()
        is_dead = len(self.openers) < self.dead_below and not opener.is_picture
        self.dead_below = min(self.dead_below, len(self.openers))
        if is_dead:
            return
        label = (opener.span[1], bracket)
        target = self.target(bracket + 1, label)
        if target is None:
            return
        end, url, url_span, form, reference = target
        self.position = end
        span = (opener.span[0], end)
        if opener.is_picture:
            self.pictures.append(span)
            self.picture_urls[span] = (self.text[slice(*label)], url)
            return
        self.dead_below = len(self.openers)
        self.add_link(span, label, url, url_span, form, reference)

    def add_link(
        self,
        span: Span,
        label: Span,
        url: str,
        url_span: Span,
        form: LinkForm,
        reference: str | None,
    ) -> None:
        while self.links and self.links[-1].span[0] >= span[0]:
            self.links.pop()  # A bare address inside the label is the label's text.
        picture, picture_url = self.sole_picture(label)
        self.links.append(
            InlineLink(url, span, label, url_span, form, reference, picture, picture_url)
        )

    def sole_picture(self, label: Span) -> tuple[str | None, str | None]:
        """Return description and address of the picture, if the label is nothing else."""
        inside = []
        for span in reversed(self.pictures):
            if span[0] < label[0]:
                break
            inside.append(span)
        if not inside:
            return None, None
        rest = len(self.text[slice(*label)].strip()) - sum(e - s for s, e in inside)
        return self.picture_urls[inside[-1]] if rest <= 0 else (None, None)

    def target(
        self, position: int, label: Span
    ) -> tuple[int, str, Span, LinkForm, str | None] | None:
        """Return (end, url, span of the url, form, reference) of what follows a ``]``."""
        follows = self.text[position : position + 1] if position < self.end else ""
        if follows == "(" and (match := _DESTINATION.match(self.text, position, self.end)):
            group = "angled" if match["angled"] is not None else "plain"
            return match.end(), match[group], match.span(group), "inline", None
        end = position
        reference = self.text[slice(*label)]
        if follows == "[" and (match := _LABEL.match(self.text, position, self.end)):
            end = match.end()
            reference = match[1] or reference
            if normalise_label(reference) not in self.definitions:
                return None
        if len(reference) > 999:
            return None
        definition = self.definitions.get(normalise_label(reference))
        if definition is None:
            return None
        return end, definition.url, definition.url_span, "reference", reference

    def angle(self, start: int) -> None:
        if match := _AUTOLINK.match(self.text, start, self.end):
            inner = match.span(1)
            self.position = match.end()
            self.links.append(
                InlineLink(match[1], match.span(), inner, inner, "autolink", None, None)
            )
        elif match := _TAG.match(self.text, start, self.end):
            self.position = match.end()
            self.tag(match)

    def tag(self, match: re.Match[str]) -> None:
        name = match["name"].lower()
        if name == "a" and not match["close"]:
            url, span = _attribute(match, "href")
            self.anchors.append((match.span(), url, span))
        elif name == "a" and self.anchors:
            opening, url, url_span = self.anchors.pop()
            self.add_link(
                (opening[0], match.end()),
                (opening[1], match.start()),
                url,
                url_span,
                "html",
                None,
            )
        elif name == "img":
            self.pictures.append(match.span())
            self.picture_urls[match.span()] = (
                _attribute(match, "alt")[0],
                _attribute(match, "src")[0],
            )

    def bare(self, start: int) -> None:
        match = _BARE.match(self.text, start, self.end)
        if match is None:
            return
        url = match.group()
        while url and (url[-1] in ".,;:!?*_~'" or (url[-1] == ")" and _has_spare_bracket(url))):
            url = url[:-1]
        span = (start, start + len(url))
        if len(url) > len("https://"):
            self.position = span[1]
            self.links.append(InlineLink(url, span, span, span, "bare", None, None))


def _has_spare_bracket(url: str) -> bool:
    return url.count(")") > url.count("(")


def _attribute(tag: re.Match[str], name: str) -> tuple[str, Span]:
    start, end = tag.span("attributes")
    for match in _ATTRIBUTE.finditer(tag.string, start, end):
        if match["name"].lower() == name:
            group = next(g for g in ("double", "single", "bare") if match[g] is not None)
            return match[group], match.span(group)
    return "", (start, start)


def inner_span(text: str, span: Span) -> Span:
    """Return a span without the blanks, emphasis and ``<u>`` around its text."""
    start, end = span
    while True:
        start, end = _without_blanks(text, start, end)
        inner = _unwrapped(text, start, end)
        if inner is None:
            return start, end
        start, end = inner


def _without_blanks(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _unwrapped(text: str, start: int, end: int) -> Span | None:
    """Return what the first wrapper that fits holds; None if none is around all of the text."""
    for opening, closing in _WRAPPERS:
        first, last = start + len(opening), end - len(closing)
        is_wrapped = text.startswith(opening, start, end) and text.endswith(closing, first, end)
        if is_wrapped and text.find(closing, first, end) == last:
            return first, last
    return None


def plain(markup: str) -> str:
    """Return Markdown as one line of clean plain text."""
    return clean(strip_markup(_SPACES.sub(" ", markup)))

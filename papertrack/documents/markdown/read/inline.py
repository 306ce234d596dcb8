"""Links, pictures and code spans of one stretch of Markdown, with exact offsets.

The stretch is a table cell, a paragraph or a list item as it stands in the file. The rules are
CommonMark 0.31 (sections 6.1, 6.3 to 6.6) with GFM's bare addresses, and ``<a>``, ``<img>`` and
``<br>`` of HTML. Everything is linear in the stretch's length.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from operator import attrgetter

from papertrack.documents.markdown.model import Definition, LinkForm, PlacedLink, Skip
from papertrack.documents.markdown.read.blocks import Context
from papertrack.documents.markdown.read.written import written_ids
from papertrack.documents.markdown.roles import (
    is_within_page,
    role_of,
    role_word,
    strong_identifier,
)
from papertrack.documents.markdown.values import Span, stripped
from papertrack.records import LinkRole
from papertrack.text import clean, strip_markup

_LABEL = re.compile(r"\[((?:[^\[\]\\\r\n]|\\.){1,999})\]")
_TOKEN = re.compile(r"\\.|`+|!\[|\[|\]|<!--|<|(?<![A-Za-z0-9])https?://", re.DOTALL)
_DESTINATION = re.compile(
    r"""\([ \t\n]{0,9}
        (?:<(?P<angled>[^<>\n]{0,2048})>
          |(?P<plain>(?:[^\s()\\<]|\\.|\((?:[^\s()\\]|\\.){0,512}+\)){0,2048}+))
        (?:[ \t\n]{1,9}(?:"(?:[^"\\]|\\.){0,512}+"|'(?:[^'\\]|\\.){0,512}+'|\([^()]{0,512}+\)))?
        [ \t\n]{0,9}\)""",
    re.VERBOSE | re.DOTALL,
)
_LINE_LABEL = re.compile(r"[ \t>]+(?:[-+*][ \t]+)?\W{0,3}(?P<word>[^\W\d_]{2,12})\W{0,3}[:：]\W*")
_LONGEST_LINE = 4000
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
_BLANKS = re.compile(r"\s+")
_MAY_LINK = re.compile(r"[\[<]|://")

_WRAPPERS = (
    *((sign, sign) for sign in ("**", "__", "~~", "*", "_")),
    *((f"<{name}>", f"</{name}>") for name in ("u", "b", "strong", "em", "i")),
)


def normalise_label(label: str) -> str:
    """Return a definition's label in the form by which labels are compared (CommonMark 6.3)."""
    # Most labels are numbers or a word, which hold no blanks.
    return (label if label.isalnum() else _BLANKS.sub(" ", label.strip())).casefold()


def labels_in(text: str) -> set[str]:
    """Return the labels, normalised, that a text may refer to."""
    return set(map(normalise_label, _LABEL.findall(text)))


def by_label(definitions: Sequence[Definition]) -> dict[str, Definition]:
    """Return the definitions by normalised label: of several the first counts."""
    return {normalise_label(found.label): found for found in reversed(definitions)}


def links_in(context: Context, span: Span) -> Sequence[PlacedLink]:
    """Return the links of a stretch, in-page ones left out."""
    found: Inline | None = context.inlines.get(span)
    if found is None and not _MAY_LINK.search(context.text, *span):
        return ()
    return inline_of(context, span).outward


def inline_of(context: Context, span: Span) -> Inline:
    """Return what was found in a stretch that is no table's cell."""
    inline: Inline | None = context.inlines.get(span)
    if inline is None:
        context.inlines[span] = inline = Inline(context.text, span, context.definitions)
    return inline


class Inline:
    """What was found in a stretch, in one pass over it with the stack of its open brackets.

    Definitions are by normalised label. Of a table's cell ``column`` is the role of its column.
    """

    def __init__(
        self,
        text: str,
        span: Span,
        definitions: Mapping[str, Definition],
        column: str | None = None,
        number: int | None = None,
    ) -> None:
        self.text, self.span = text, span
        self.position, self.end = span
        self.definitions = definitions
        self.column, self.number = column, number
        self.links: list[PlacedLink] = []
        self.codes: list[Span] = []
        """Code spans, backticks included."""
        self.pictures: dict[Span, tuple[str, str]] = {}
        """Where each picture stands: its description and address."""
        self.hidden: list[Span] = []
        """HTML comments."""
        self.openers: list[Span] = []
        self.dead_below = 0
        """Link openers below this depth cannot open any more: links hold no links."""
        self.anchors: list[tuple[Span, str, Span]] = []
        self.missing_runs: set[int] = set()
        self.run()
        self.links.sort(key=attrgetter("span"))
        self.outward = [link for link in self.links if not is_within_page(link.url)]
        """The links, those to a place on the same page (``#survey``) left out."""

    @cached_property
    def written(self) -> list[PlacedLink]:
        """The identifiers that are written out beside the links."""
        return written_ids(self.text, self.span, self.links)

    def skips(self, mark: Span | None = None) -> dict[int, Skip]:
        """Return what is no words or a link's, by where it starts; a reading mark is none."""
        skips: dict[int, Skip] = {link.span[0]: (link.span[1], link) for link in self.links}
        skips |= {start: (end, "code") for start, end in self.codes}
        skips |= {start: (end, None) for start, end in (*self.pictures, *self.hidden)}
        skips |= {one.span[0]: (one.span[1], one) for one in self.written}
        return skips | ({mark[0]: (mark[1], None)} if mark else {})

    def run(self) -> None:
        while match := _TOKEN.search(self.text, self.position, self.end):
            token = match.group()
            self.position = match.end()
            if token[0] == "`":
                self.code(match.start(), len(token))
            elif token in ("[", "!["):
                self.openers.append(match.span())
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
        if found := closing.search(self.text, self.position, self.end):
            self.codes.append((start, found.end()))
            self.position = found.end()
        else:
            self.missing_runs.add(length)

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
        is_picture = self.text[opener[0]] == "!"
        is_dead = len(self.openers) < self.dead_below and not is_picture
        self.dead_below = min(self.dead_below, len(self.openers))
        label = (opener[1], bracket)
        target = None if is_dead else self.target(bracket + 1, label)
        if target is None:
            return
        self.position, url, url_span, form, reference = target
        span = (opener[0], self.position)
        if is_picture:
            self.pictures[span] = (self.text[slice(*label)], url)
        else:
            self.dead_below = len(self.openers)
            self.add_link(span, label, url, url_span, form, reference)

    def add_link(
        self,
        span: Span,
        label_span: Span,
        url: str,
        url_span: Span,
        form: LinkForm,
        reference: str | None = None,
    ) -> None:
        while self.links and self.links[-1].span[0] >= span[0]:
            self.links.pop()  # A bare address inside the label is the label's text.
        picture = self.sole_picture(label_span)
        label = _badge_label(*picture) if picture else self.label(label_span)
        self.links.append(
            PlacedLink(
                role=self.said_on_line(span[0], url, label) or role_of(url, label, self.column),
                url=url,
                label=label,
                span=span,
                label_span=label_span,
                url_span=url_span,
                form=form,
                reference=reference,
                is_badge=picture is not None,
                column=self.number,
            )
        )

    def sole_picture(self, label: Span) -> tuple[str, str] | None:
        """Return description and address of the picture, if the label is nothing else."""
        if not self.pictures:
            return None
        inside = list(takewhile(lambda span: span[0] >= label[0], reversed(self.pictures)))
        taken = sum(end - start for start, end in inside)
        is_all = inside and len(self.text[slice(*label)].strip()) <= taken
        return self.pictures[inside[-1]] if is_all else None

    def label(self, span: Span) -> str:
        """Return the label of a link that is no badge."""
        label = plain(self.text[slice(*span)])
        if label[:1] == "[" and label[-1:] == "]":  # A link written [[pdf]](…).
            return label[1:-1].strip()
        return label

    def said_on_line(self, at: int, url: str, label: str) -> LinkRole | None:
        """Return what a line below an entry's own says its links are for, if this one names no work
        and the label of none but the first says otherwise: ``  - Dataset: [A](…), [B](…)``."""
        found = _LINE_LABEL.match(self.text, self.line_start(at), at)
        if found is None or self.column or strong_identifier(url) is not None:
            return None
        is_told = found.end() < at and role_word(label) is not None
        return None if is_told else role_word(found["word"])

    def line_start(self, at: int) -> int:
        """Return where the line of an offset starts, or at least where the last of it does that is
        looked at: a text may have no line end of one kind anywhere before."""
        start = max(at - _LONGEST_LINE, 0)
        for end in "\n\r":
            start = max(start, self.text.rfind(end, start, at) + 1)
        return start

    def target(
        self, position: int, label: Span
    ) -> tuple[int, str, Span, LinkForm, str | None] | None:
        """Return (end, url, span of the url, form, reference) of what follows a ``]``."""
        follows = self.text[position : position + 1] if position < self.end else ""
        if follows == "(" and (match := _DESTINATION.match(self.text, position, self.end)):
            group = "angled" if match["angled"] is not None else "plain"
            return match.end(), match[group], match.span(group), "inline", None
        end, reference = position, self.text[slice(*label)]
        if follows == "[" and (match := _LABEL.match(self.text, position, self.end)):
            end, reference = match.end(), match[1] or reference
        known = self.definitions if len(reference) <= 999 else {}
        definition = known.get(normalise_label(reference))
        if definition is None:
            return None
        return end, definition.url, definition.url_span, "reference", reference

    def angle(self, start: int) -> None:
        if match := _AUTOLINK.match(self.text, start, self.end):
            self.position = match.end()
            self.add_link(match.span(), match.span(1), match[1], match.span(1), "autolink")
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
            label = (opening[1], match.start())
            if url:  # Else it only names a place for others to lead to.
                self.add_link((opening[0], match.end()), label, url, url_span, "html")
        elif name == "img":
            self.pictures[match.span()] = (_attribute(match, "alt")[0], _attribute(match, "src")[0])

    def bare(self, start: int) -> None:
        match = _BARE.match(self.text, start, self.end)
        if match is None:
            return
        url = match.group()
        while url[-1] in ".,;:!?*_~'" or (url[-1] == ")" and url.count(")") > url.count("(")):
            url = url[:-1]
        span = (start, start + len(url))
        if len(url) > len("https://"):
            self.position = span[1]
            self.add_link(span, span, url, span, "bare")


def _badge_label(description: str, picture_url: str) -> str:
    """Return a badge's description, else the word that it shows: ``…/badge/arXiv-…`` → arXiv."""
    if label := clean(description):
        return label
    match = re.search(r"/badge/([A-Za-z]{2,20})", picture_url)
    return match[1] if match else ""


def _attribute(tag: re.Match[str], name: str) -> tuple[str, Span]:
    start, end = tag.span("attributes")
    for match in _ATTRIBUTE.finditer(tag.string, start, end):
        if match["name"].lower() == name:
            group = next(g for g in ("double", "single", "bare") if match[g] is not None)
            return match[group], match.span(group)
    return "", (start, start)


def inner_span(text: str, span: Span) -> Span:
    """Return a span without the blanks, emphasis and ``<u>`` around its text."""
    inner: Span | None = span
    while inner:
        start, end = stripped(text, inner)
        inner = _unwrapped(text, start, end)
    return start, end


def _unwrapped(text: str, start: int, end: int) -> Span | None:
    """Return what the first wrapper that fits holds; None if none is around all of the text."""
    if text[start : start + 1] not in "*_~<":
        return None
    for opening, closing in _WRAPPERS:
        first, last = start + len(opening), end - len(closing)
        is_wrapped = text.startswith(opening, start, end) and text.endswith(closing, first, end)
        if is_wrapped and text.find(closing, first, end) == last:
            return first, last
    return None


def plain(markup: str) -> str:
    """Return Markdown as one line of clean plain text."""
    if "  " in markup or not markup.isprintable():  # Of all blanks only the plain one is that.
        markup = _BLANKS.sub(" ", markup)
    return clean(strip_markup(markup))

r"""The syntax of a README: blocks, links and other inline markup, with exact positions.

pyromark (pulldown-cmark: CommonMark 0.31 with GFM tables) does the parsing. It reports positions in
UTF-8 bytes; ``_offsets`` converts them to characters, the unit of all spans in this package. Lines
are counted from 0 and end at ``\r\n``, ``\n`` or ``\r``.

This module also finds what pyromark does not report: link definitions and their lines (also
repeated ones, and those in lists), bare addresses, ``<a>`` and ``<img>``, links in HTML blocks and
in cells beyond the last column, and lists that are indented below an item without being nested by
CommonMark's rules.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, Literal, NamedTuple

import pyromark

from papertrack.documents.markdown.model import Definition, Lines, LinkForm, PlacedLink, Skip
from papertrack.documents.markdown.read.bare_identifiers import written_ids
from papertrack.documents.markdown.roles import (
    is_within_page,
    role_of,
    role_word,
    strong_identifier,
)
from papertrack.documents.markdown.values import Span, blanked, stripped
from papertrack.records import LinkRole
from papertrack.text import clean, strip_markup

BlockKind = Literal["heading", "paragraph", "list", "item", "table", "html", "quote", "rule"]
MarkupKind = Literal["link", "image", "code", "strong", "emphasis", "strike", "tag", "comment"]

LONGEST_LINE = 200_000
"""The longest line in characters. Longer ones are data rather than prose; they are skipped and
reported."""
DEEPEST = 40
"""How deep blocks may be nested. A list is one level, and its items are another.

Deeper lists and quotes are skipped and reported if they start on a line of their own. Any other
deeper block is read as part of the block around it.
"""
DETAILS = re.compile(r"<details\b", re.IGNORECASE)
DETAILS_END = re.compile(r"</details\b", re.IGNORECASE)

_OPTIONS = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH
_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\n|\r|\Z)")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_FRONT_MATTER = re.compile(r"---[ \t]*(?:\r\n|\n|\r)")
_FRONT_MATTER_END = re.compile(r"^(?:---|\.\.\.)[ \t]*$")
_MARKER = re.compile(r"[ \t>]*(?P<marker>[-+*]|[0-9]{1,9}[.)])(?P<gap>[ \t]+|$)")
_DEFINITION = re.compile(
    r" {0,3}\[(?P<label>(?:[^\[\]\\]|\\.){1,999}+)\]:[ \t]*"
    r"(?:<(?P<angled>[^<>\s]{0,4096})>|(?P<plain>[^\s<]\S{0,4095}))"
    r"""(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$"""
)
_TIGHT_HEADING = re.compile(r"#{2,6}(?=[^#\s\w!]*\w)")
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999}+)\]", re.DOTALL)
_ADDRESS_START = re.compile(r"[ \t\r\n]*<?")
_ADDRESS = re.compile(r"(?:[^\s\\()]|\\.|\((?:[^\s\\()]|\\.|\([^\s()]*\))*+\))*+|\S*")
_ANGLED = re.compile(r"[^<>\r\n]*")
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
_BARE = re.compile(
    r"(?<![A-Za-z0-9])https?://(?P<rest>[^\s<>|`\"\[\]（）【】，。、；：“”]{1,2048})"
)
_TASK = re.compile(r"\b(?:TODO|DOING|DONE|LATER|NOW|WAITING)\b")
_WIKI = re.compile(
    r"(?<![\w\[])\[\[(?P<target>[^\s\[\]|\\](?:[^\[\]|\r\n\\]{0,298}[^\s\[\]|\\])?)"
    r"(?:\\?\|(?P<label>[^\s\[\]][^\[\]\r\n]{0,299}))?\]\](?![(\[])"
)
"""A link to a note in Obsidian and Logseq: ``[[papers/lamps|Lamps Without Light]]``."""
_FOLDED = re.compile(
    r"<details\b[^<>]{0,200}>(?:\s*<summary\b.*?</summary>)?(?P<inner>.*?)</details>",
    re.IGNORECASE | re.DOTALL,
)
_PROPERTIES = re.compile(
    r"(?<=\n)[ \t]*+(?:[a-z][\w-]{0,30}::[ \t]|(?:SCHEDULED|DEADLINE): <|CLOCK: \["
    r"|:[A-Z]{2,30}:)[^\n]*"
)
"""Lines below an item with metadata of Logseq or Org."""
_BLANKS = re.compile(r"\s+")
_MAY_LINK = re.compile(r"[\[<]|://")
_LINE_LABEL = re.compile(
    r"(?:[ \t>]++(?:[-+*][ \t]+)?|[-+*][ \t]+)\W{0,3}(?P<word>[^\W\d_]{2,12})"
    r"(?:\([^()\n]{1,20}\))?\W{0,3}[:：]\W*"
)
_LONGEST_BEFORE = 4000
_WRAPPERS = (
    *((sign, sign) for sign in ("**", "__", "~~", "*", "_")),
    *((f"<{name}>", f"</{name}>") for name in ("u", "b", "strong", "em", "i")),
)


@dataclass(slots=True)
class Block:
    """A block and the blocks inside it."""

    kind: BlockKind
    first: int
    end: int
    """The line after its last non-blank line."""
    level: int = 0
    """The level of a heading, 1 to 6."""
    marker: str = ""
    """The marker of an item: ``-``, ``3.``."""
    start: int = 0
    """The offset where its content starts; for an item, after its marker."""
    children: list[Block] = field(default_factory=list)


class Markup(NamedTuple):
    """One piece of inline markup, as pyromark reports it."""

    start: int
    end: int
    kind: MarkupKind
    form: str = ""
    """pyromark's type of a link or picture: ``Inline``, ``Reference``, ``Autolink``, …"""
    url: str = ""
    label: str = ""
    """The definition's label, for a reference."""
    label_end: int = 0
    """The offset where the label of a link or picture ends."""


def cut_lines(text: str) -> Lines:
    """Split a text into lines. An empty text has one empty line."""
    # The last match is always empty.
    spans = [match.span(1) for match in _LINE.finditer(text)][:-1] or [(0, 0)]
    return Lines(text, tuple(start for start, _ in spans), tuple(end for _, end in spans))


def walk(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield every block, parents before children, in the order of the text."""
    waiting = list(reversed(blocks))
    while waiting:
        block = waiting.pop()
        yield block
        waiting += reversed(block.children)


def is_comment(lines: Lines, block: Block) -> bool:
    """Return whether a block is only an HTML comment."""
    line = lines.text[block.start : lines.ends[block.first]]
    return block.kind == "html" and line.lstrip(" \t>").startswith("<!--")


def is_too_long(lines: Lines, number: int) -> bool:
    """Return whether a line is too long to be parsed as Markdown."""
    return lines.ends[number] - lines.starts[number] > LONGEST_LINE


def normalise_label(label: str) -> str:
    """Normalize a definition's label for comparison (CommonMark 6.3)."""
    # Most labels are numbers or a single word.
    return (label if label.isalnum() else _BLANKS.sub(" ", label.strip())).casefold()


def labels_in(text: str) -> set[str]:
    """Return all normalized labels in a text that may refer to definitions."""
    return set(map(normalise_label, _LABEL.findall(text)))


def by_label(definitions: Sequence[Definition]) -> dict[str, Definition]:
    """Map normalized labels to definitions. Of several with one label, the first counts."""
    return {normalise_label(definition.label): definition for definition in reversed(definitions)}


def find_definitions(lines: Lines, hidden: Collection[int] = ()) -> list[Definition]:
    """Return the link definitions, in order, except in ``hidden`` lines."""
    definitions = []
    for number, start in enumerate(lines.starts):
        if lines.text.find("[", start, start + 4) < 0 or number in hidden:
            continue
        match = _DEFINITION.match(lines.line(number))
        if match and not match["label"].isspace():
            group = "angled" if match["angled"] is not None else "plain"
            url_span = (start + match.start(group), start + match.end(group))
            whole = (start, lines.line_start(number + 1))
            definitions.append(Definition(match["label"], match[group], whole, url_span, number))
    return definitions


@dataclass(frozen=True)
class Syntax(Lines):
    """A text with its parsed blocks and markup."""

    blocks: Sequence[Block] = field(repr=False)
    definitions: Sequence[Definition] = field(repr=False)
    """The link definitions in order, without those in comments and code."""
    markup: Sequence[Markup] = field(repr=False)
    """The inline markup, sorted by start. If two start together, the outer one comes first."""
    opaque: Sequence[Span] = field(repr=False)
    """Spans where pyromark finds no markup: HTML blocks, and cells beyond the last column."""
    too_deep: Sequence[Span] = field(repr=False)
    """The first and end lines of lists and quotes that are nested too deep."""
    inlines: dict[Span, Inline] = field(default_factory=dict, repr=False, kw_only=True)
    """A cache of ``inline`` by span, because several modules read the same item."""

    @cached_property
    def starts_of_markup(self) -> list[int]:
        return [markup.start for markup in self.markup]

    @cached_property
    def by_label(self) -> dict[str, Definition]:
        return by_label(self.definitions)

    def inline(self, span: Span) -> Inline:
        """Return the links and other inline markup of a span that is not a table cell."""
        if (inline := self.inlines.get(span)) is None:
            self.inlines[span] = inline = Inline(self, span)
        return inline

    def links_in(self, span: Span) -> Sequence[PlacedLink]:
        """Return the links in a span, without links within the page."""
        if span not in self.inlines and not _MAY_LINK.search(self.text, *span):
            return ()
        return self.inline(span).outward

    def markup_in(self, span: Span) -> list[Markup]:
        """Return the markup inside a span, in order."""
        start, end = span
        low = bisect_left(self.starts_of_markup, start)
        high = bisect_left(self.starts_of_markup, end, low)
        inline = [markup for markup in self.markup[low:high] if markup.end <= end]
        near = bisect_left(self.opaque, (start, start)) - 1
        opaque = []
        for first, last in self.opaque[max(near, 0) :]:
            if first >= end:
                break
            if last > start:
                opaque.append((max(first, start), min(last, end)))
        if not opaque:
            return inline
        inside = [markup for first, last in opaque for markup in _snippet(self, first, last)]
        inline = [markup for markup in inline if not any(a <= markup.start < b for a, b in opaque)]
        return sorted([*inline, *inside], key=lambda markup: (markup.start, -markup.end))


def parse_syntax(lines: Lines) -> Syntax:
    """Parse the blocks and inline markup of a text. Code blocks are left out."""
    all_defs = find_definitions(lines)
    parser = _Parser(lines, by_label(all_defs))
    parser.run()
    if too_deep := parser.found_too_deep:
        unread = {number for where in too_deep for number in range(*where)}
        parser = _Parser(lines, by_label(all_defs), unread)
        parser.run()
    for block in [*walk([parser.root])]:
        block.children = _as_indented(block.children, lines)
    blocks = parser.root.children
    comments = ((b.first, b.end) for b in walk(blocks) if is_comment(lines, b))
    hidden = {number for where in (*comments, *parser.code) for number in range(*where)}
    definitions = [item for item in all_defs if item.line not in hidden] if hidden else all_defs
    parser.markup.sort(key=lambda item: (item.start, -item.end))
    return Syntax(
        lines.text,
        lines.starts,
        lines.ends,
        blocks,
        definitions,
        parser.markup,
        parser.opaque,
        too_deep,
    )


_COUNTS = bytes(0 if 0x80 <= byte < 0xC0 else 1 for byte in range(256))
"""For each byte, 1 if it starts a character in UTF-8, else 0."""


def _offsets(text: str) -> Sequence[int]:
    """Map each byte of a text in UTF-8 to the offset of its character."""
    if text.isascii():
        return range(len(text) + 1)
    return array("I", accumulate(text.encode().translate(_COUNTS), initial=0))


_BLOCKS: dict[str, BlockKind] = {
    "Paragraph": "paragraph",
    "Heading": "heading",
    "HtmlBlock": "html",
    "Table": "table",
    "List": "list",
    "Item": "item",
    "BlockQuote": "quote",
}
_MARKUP: dict[str, MarkupKind] = {
    "Link": "link",
    "Image": "image",
    "Strong": "strong",
    "Emphasis": "emphasis",
    "Strikethrough": "strike",
}


class _Parser:
    """Builds blocks and markup from pyromark's events."""

    def __init__(
        self, lines: Lines, definitions: Mapping[str, Definition], unread: Collection[int] = ()
    ) -> None:
        """``unread`` are lines that are parsed as if they were blank."""
        self.lines = lines
        self.unread = unread
        self.definitions = definitions
        self.root = Block("quote", 0, len(lines.starts))
        self.stack = [self.root]
        self.too_deep = 0
        self.found_too_deep: list[Span] = []
        """The lines of lists and quotes that are nested too deep."""
        self.markup: list[Markup] = []
        self.opaque: list[Span] = []
        self.tight: Block | None = None
        """A paragraph for the text of a tight list item, for which pyromark reports none."""
        self.cell_end = 0
        self.in_code = 0
        self.code: list[Span] = []
        """The lines of each code block."""

    def run(self) -> None:
        shown = _readable(self.lines, self.unread)
        offsets = _offsets(shown)
        open_links: list[list[Any]] = []
        events: Iterable[tuple[Any, Any]] = pyromark.events_with_range(
            shown, options=_OPTIONS, broken_link_callback=self.defined
        )
        for event, where in events:
            start, end = offsets[where["start"]], offsets[where["end"]]
            if type(event) is str:
                if event == "Rule":
                    self.tight = None
                    self.add(Block("rule", *self.lines_of(start, end), start=start))
                else:
                    self.text(start, end)
                continue
            ((name, value),) = event.items()
            if name == "Start":
                kind, details = next(iter(value.items())) if type(value) is dict else (value, None)
                if kind in _MARKUP:
                    self.text(start, end)
                    open_links.append([kind, start, details, start + 1 + (kind == "Image")])
                else:
                    self.open(kind, details, start, end)
                continue
            if name == "End":
                kind = next(iter(value)) if type(value) is dict else value
                if kind in _MARKUP:
                    self.close_markup(open_links.pop(), end)
                else:
                    self.close(kind, end)
            elif name == "Code":
                self.markup.append(Markup(start, end, "code"))
                self.text(start, end)
            elif name == "InlineHtml":
                is_comment = self.lines.text.startswith("<!--", start)
                self.markup.append(Markup(start, end, "comment" if is_comment else "tag"))
                self.text(start, end)
            elif name == "Text" and not self.in_code:
                self.text(start, end)
            if open_links:
                open_links[-1][3] = max(open_links[-1][3], end)

    def defined(self, broken: Mapping[str, Any]) -> tuple[str, str] | None:
        """Resolve a reference whose definition CommonMark does not recognize."""
        definition = self.definitions.get(normalise_label(broken["reference"]))
        return (definition.url, "") if definition else None

    def close_markup(self, opened: list[Any], end: int) -> None:
        kind, start, details, inside = opened
        if details is None:
            self.markup.append(Markup(start, end, _MARKUP[kind]))
            return
        form = details["link_type"]
        label_end = self.lines.text.find("]", inside, end)
        if label_end < 0 and form != "Autolink":
            return
        self.markup.append(
            Markup(start, end, _MARKUP[kind], form, details["dest_url"], details["id"], label_end)
        )

    def lines_of(self, start: int, end: int) -> Span:
        """Return a block's first line, and the line after its last non-blank one."""
        first, last = self.lines.line_of(start) - 1, self.lines.line_of(max(end - 1, start))
        while last > first + 1 and last - 1 in self.unread:
            last -= 1
        return first, _end_of(self.lines, first, last)

    def text(self, start: int, end: int) -> None:
        """Add text directly inside a tight item to the item's paragraph."""
        if self.stack[-1].kind != "item" or self.in_code:
            return
        if self.tight and end <= self.lines.ends[self.tight.end - 1]:
            return  # In most cases, the paragraph has the line already.
        item = self.stack[-1]
        first, last = self.lines_of(start, end)
        if self.tight is None:
            is_first = first == item.first
            at = item.start if is_first else self.lines.starts[first]
            self.tight = Block("paragraph", first, last, start=at)
            item.children.append(self.tight)
        self.tight.end = max(self.tight.end, last)

    def open(self, name: str, details: Any, start: int, end: int) -> None:
        if name == "CodeBlock":
            self.in_code += 1
            self.code.append(self.lines_of(start, end))
            self.tight = None
            return
        if name == "TableCell":
            self.cell_end = end
        kind = _BLOCKS.get(name)
        if kind is None:
            return
        self.tight = None
        # After a tab, pyromark starts a nested list at the line end before it.
        blank = _BLANKS.match(self.lines.text, start, end)
        start = blank.end() if blank else start
        # A list needs one more level, for its items.
        if self.too_deep or len(self.stack) + (kind == "list") > DEEPEST:
            self.too_deep += 1
            first = self.lines.line_of(start) - 1
            deepest_end = self.found_too_deep[-1][1] if self.found_too_deep else 0
            if kind in ("list", "quote") and first >= max(deepest_end, self.stack[-1].first + 1):
                self.found_too_deep.append(self.lines_of(start, end))
            return
        first, last = self.lines_of(start, end)
        parent = self.stack[-1]
        at = parent.start if first == parent.first and parent.start else self.lines.starts[first]
        block = Block(kind, first, last, start=at)
        if kind == "heading":
            block.level = int(details["level"][1])
        elif kind == "item":
            match = _MARKER.match(self.lines.text, start, self.lines.ends[first])
            if match:
                block.marker, block.start = match["marker"], match.end()
        elif kind == "html":
            self.opaque.append((start, end))
        self.add(block)
        self.stack.append(block)

    def add(self, block: Block) -> None:
        if not self.too_deep:
            self.stack[-1].children += _parted(block, self.lines)

    def close(self, name: str, end: int) -> None:
        if name == "CodeBlock":
            self.in_code -= 1
        elif name == "TableRow":
            last = self.lines.ends[self.lines.line_of(max(end - 1, 0)) - 1]
            if self.cell_end + 1 < last and self.lines.text[self.cell_end + 1 : last].strip():
                self.opaque.append((self.cell_end, last))
        if name not in _BLOCKS:
            return
        self.tight = None
        if self.too_deep:
            self.too_deep -= 1
        else:
            self.stack.pop()


def _snippet(syntax: Syntax, start: int, end: int) -> list[Markup]:
    """Parse the markup in a span that pyromark treats as raw text.

    The span is parsed as one paragraph. A letter before it prevents it from starting another block.
    """
    shown = "x" + re.sub(r"[\r\n]", " ", syntax.text[start:end])
    lines = Lines(shown, (0,), (len(shown),))
    parser = _Parser(lines, syntax.by_label)
    parser.run()
    moved = start - 1
    return [
        tag._replace(start=tag.start + moved, end=tag.end + moved, label_end=tag.label_end + moved)
        for tag in parser.markup
    ]


def _readable(lines: Lines, unread: Collection[int]) -> str:
    """Return the text to pass to pyromark, without changing any offset.

    Front matter, overlong lines and unread lines are blanked. Lone surrogates, which UTF-8 cannot
    encode, are replaced.
    """
    text = lines.text.encode("utf-8", "replace").decode()
    front = front_matter_end(lines)
    numbers = range(len(lines.starts))
    hidden = [
        lines.line_span(n) for n in numbers if n < front or n in unread or is_too_long(lines, n)
    ]
    text = blanked(text, (0, len(text)), hidden)
    return _LONE_RETURN.sub("\n", text.replace("\0", "\ufffd"))


def front_matter_end(lines: Lines) -> int:
    """Return how many lines the YAML front matter has; 0 if there is none."""
    if not _FRONT_MATTER.match(lines.text):
        return 0
    numbers = range(1, min(len(lines.starts), 500))
    return next((n + 1 for n in numbers if _FRONT_MATTER_END.match(lines.line(n))), 0)


def _end_of(lines: Lines, first: int, end: int) -> int:
    """Return the line after the last non-blank line of a block."""
    while end > first + 1 and not lines.line(end - 1).strip(" \t>"):
        end -= 1
    return end


def _parted(block: Block, lines: Lines) -> list[Block]:
    """Split a block where CommonMark does not, and return its parts.

    ``##Title`` without a blank is a heading for many authors, so a paragraph is split after it.
    HTML that starts or ends ``<details>`` is split around each outermost one, because without blank
    lines CommonMark reads several of them as one block.
    """
    if block.kind == "paragraph" and _TIGHT_HEADING.match(lines.text, block.start):
        signs = lines.line(block.first).strip()
        level = len(signs) - len(signs.lstrip("#"))
        below = block.first + 1
        rest = Block("paragraph", below, block.end, start=lines.line_start(below))
        heading = Block("heading", block.first, below, level, start=block.start)
        return [heading, rest] if rest.first < rest.end else [heading]
    begins = lines.text[block.start : lines.ends[block.first]].lstrip(" \t>")
    if block.kind != "html" or not (DETAILS.match(begins) or DETAILS_END.match(begins)):
        return [block]
    cuts, depth = [block.first], 0
    for number in range(block.first, block.end):
        line = lines.line(number)
        opened, closed = len(DETAILS.findall(line)), len(DETAILS_END.findall(line))
        if opened and not depth:
            cuts.append(number)
        depth = max(0, depth + opened - closed)
        if closed and not depth:
            cuts.append(number + 1)
    edges = dict.fromkeys([*cuts, block.end])
    return [
        Block(
            "html", first, _end_of(lines, first, end), start=max(block.start, lines.starts[first])
        )
        for first, end in pairwise(edges)
    ]


def _as_indented(blocks: Sequence[Block], lines: Lines) -> list[Block]:
    """Move lists into the items that they are indented under.

    CommonMark requires more indentation: with it, ``  -`` below ``1.`` ends the numbered list.
    """
    kept: list[Block] = []
    below: Block | None = None
    for block in blocks:
        last = kept[-1] if kept and kept[-1].kind == block.kind == "list" else None
        if last and _is_numbered(last) > _is_numbered(block) and _is_deeper(lines, block, last):
            below = block
            last.children[-1].children.append(block)
        elif last and below and _is_numbered(block) and _is_deeper(lines, below, block):
            last.children += block.children
        else:
            kept.append(block)
            below = None
            continue
        last.end = last.children[-1].end = block.end
    return kept


def _is_numbered(block: Block) -> bool:
    return block.children[0].marker[:1].isdigit()


def _is_deeper(lines: Lines, block: Block, other: Block) -> bool:
    """Return whether a list is indented deeper than the last item of another list."""
    return _indent(lines, block.first) > _indent(lines, other.children[-1].first)


def _indent(lines: Lines, number: int) -> int:
    line = lines.line(number).expandtabs(4)
    return len(line) - len(line.lstrip(" >"))


class Inline:
    """The links, pictures, code spans and comments in a span."""

    def __init__(
        self, syntax: Syntax, span: Span, column: str | None = None, number: int | None = None
    ) -> None:
        """For a table cell, ``column`` is the role of its column and ``number`` its index."""
        self.syntax, self.text, self.span = syntax, syntax.text, span
        self.column, self.number = column, number
        self.links: list[PlacedLink] = []
        self.codes: list[Span] = []
        """Code spans, including backticks."""
        self.pictures: dict[Span, tuple[str, str]] = {}
        """The description and address of each picture, by its span."""
        self.picture_spans: list[Span] = []
        """The spans of the pictures, in the order of the text."""
        self.hidden: list[Span] = []
        """HTML comments."""
        self.markup = syntax.markup_in(span)
        self._read()
        self.links = _outermost(self.links)
        self.outward = [link for link in self.links if not is_within_page(link.url)]
        """The links, except those to a place on the same page (``#survey``)."""

    @cached_property
    def written(self) -> list[PlacedLink]:
        """Identifiers that are written outside of links, as links."""
        return written_ids(self.text, self.span, self.links)

    def skips(self, mark: Span | None = None) -> dict[int, Skip]:
        """Map the start of everything that is not plain words to its end and kind.

        This covers links, code spans, pictures, comments, identifiers and the reading ``mark``.
        """
        skips: dict[int, Skip] = {link.span[0]: (link.span[1], link) for link in self.links}
        skips |= {start: (end, "code") for start, end in self.codes}
        skips |= {start: (end, None) for start, end in (*self.pictures, *self.hidden)}
        skips |= {item.span[0]: (item.span[1], item) for item in self.written}
        return skips | ({mark[0]: (mark[1], None)} if mark else {})

    def _read(self) -> None:
        anchors: list[tuple[Span, str, Span]] = []
        links = []
        for markup in self.markup:
            span = (markup.start, markup.end)
            if markup.kind == "code":
                self.codes.append(span)
            elif markup.kind == "comment":
                self.hidden.append(span)
            elif markup.kind == "image":
                label = self.text[markup.start + 2 : markup.label_end]
                self._add_picture(span, label, self._target(markup))
            elif markup.kind == "link":
                links.append(markup)
            elif markup.kind == "tag" and (tag := _TAG.match(self.text, *span)):
                self._read_tag(tag, anchors)
        occupied = [*self.codes, *self.hidden, *self.pictures]
        for markup in links:
            self._add_markdown_link(markup)
        occupied += [link.span for link in self.links]
        occupied += [(markup.start, markup.end) for markup in self.markup if markup.kind == "tag"]
        if self.text.find("://", *self.span) >= 0:
            self._add_bare(sorted(occupied))
        if self.text.find("[[", *self.span) >= 0:
            self._add_notes(occupied)
        end = self.text.rfind("</details>", *self.span) if self.number is not None else -1
        if end >= 0:  # Links inside <details> in a cell belong to the link before it.
            folded = _FOLDED.finditer(self.text, self.span[0], end + len("</details>"))
            self._hide([markup.span("inner") for markup in folded])
        elif self.number is None and self.text.find("\n", *self.span) >= 0:
            self._hide([markup.span() for markup in _PROPERTIES.finditer(self.text, *self.span)])

    def _hide(self, spans: Sequence[Span]) -> None:
        """Hide the links in these spans, unless no link of the cell would be left."""
        self.hidden += spans
        visible = [
            link
            for link in self.links
            if not any(start <= link.span[0] < end for start, end in self.hidden)
        ]
        if visible or self.number is None or not self.links:
            self.links = visible
        else:
            del self.hidden[len(self.hidden) - len(spans) :]

    def _is_alone(self, match: re.Match[str]) -> bool:
        """Return whether a link to a note is a title.

        It is a title in a title column, or in a line without other links and without words before
        it.
        """
        if self.number is not None:
            return self.column in ("title", "paper")
        before = _TASK.sub("", self.text[self.span[0] : match.start()])
        return " " in match["target"] and not self.links and not any(map(str.isalpha, before))

    def _add_notes(self, used: Sequence[Span]) -> None:
        """Add links to notes: ``[[target|label]]``.

        Without a label, the target must be where titles are and have several words, unlike
        ``[[pdf]]``, ``[[Survey]]`` or ``see [[Home]]``.
        """
        for match in _WIKI.finditer(self.text, *self.span):
            where = match.span("label" if match["label"] else "target")
            label = self.text[slice(*where)]
            is_free = not any(span[0] < match.end() and match.start() < span[1] for span in used)
            is_title = match["label"] or self._is_alone(match)
            if is_free and is_title and any(map(str.isalpha, label)) and role_word(label) is None:
                self._add_link(match.span(), where, match["target"], match.span("target"), "wiki")

    def _read_tag(self, tag: re.Match[str], anchors: list[tuple[Span, str, Span]]) -> None:
        name = tag["name"].lower()
        if name == "a" and not tag["close"]:
            anchors.append((tag.span(), *_attribute(tag, "href")))
        elif name == "a" and anchors:
            opening, url, url_span = anchors.pop()
            if url:  # Without an address, it is only an anchor.
                label = (opening[1], tag.start())
                self._add_link((opening[0], tag.end()), label, url, url_span, "html")
        elif name == "img":
            source = _attribute(tag, "src")[0]
            self._add_picture(tag.span(), _attribute(tag, "alt")[0], source)

    def _target(self, markup: Markup) -> str:
        """Return the address of a picture."""
        if markup.form == "Inline":
            return self._address(markup)[0]
        definition = self.syntax.by_label.get(normalise_label(markup.label))
        return definition.url if definition else markup.url

    def _address(self, markup: Markup) -> tuple[str, Span]:
        """Return the address in a link's parentheses as written, and its span."""
        opening = _ADDRESS_START.match(self.text, markup.label_end + 2, markup.end - 1)
        at = opening.end() if opening else markup.label_end + 2
        is_angled = self.text[at - 1] == "<"
        match = (_ANGLED if is_angled else _ADDRESS).match(self.text, at, markup.end - 1)
        assert match is not None, "both patterns match nothing as well"
        return match.group(), match.span()

    def _add_markdown_link(self, markup: Markup) -> None:
        span = (markup.start, markup.end)
        if markup.form in ("Autolink", "Email"):
            inner = (markup.start + 1, markup.end - 1)
            if markup.form == "Autolink" and self.text.startswith("http", inner[0]):
                self._add_link(span, inner, self.text[slice(*inner)], inner, "autolink")
            return
        label = (markup.start + 1, markup.label_end)
        if markup.form == "Inline":
            url, where = self._address(markup)
            self._add_link(span, label, url, where, "inline")
        elif definition := self.syntax.by_label.get(normalise_label(markup.label)):
            written = self.text[markup.label_end + 2 : markup.end - 1] or self.text[slice(*label)]
            self._add_link(span, label, definition.url, definition.url_span, "reference", written)

    def _add_bare(self, occupied: Sequence[Span]) -> None:
        """Add bare addresses outside of the spans ``occupied``, which are sorted."""
        starts = [start for start, _ in occupied]
        ends = list(accumulate((end for _, end in occupied), max))
        for match in _BARE.finditer(self.text, *self.span):
            before = bisect_right(starts, match.start()) - 1
            if before >= 0 and match.start() < ends[before]:
                continue
            url = match.group()
            while url[-1] in ".,;:!?*_~'" or (url[-1] == ")" and url.count(")") > url.count("(")):
                url = url[:-1]
            if len(url) > len("https://"):
                span = (match.start(), match.start() + len(url))
                self._add_link(span, span, url, span, "bare")

    def _add_link(
        self,
        span: Span,
        label_span: Span,
        url: str,
        url_span: Span,
        form: LinkForm,
        reference: str | None = None,
    ) -> None:
        picture = self._sole_picture(label_span)
        label = _badge_label(*picture) if picture else self._label(label_span)
        self.links.append(
            PlacedLink(
                role=self._role_of_line(span[0], url, label) or role_of(url, label, self.column),
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

    def _add_picture(self, span: Span, label: str, source: str) -> None:
        self.pictures[span] = label, source
        self.picture_spans.append(span)

    def _sole_picture(self, label: Span) -> tuple[str, str] | None:
        """Return the description and address of the first picture, if a label has only pictures."""
        if not self.picture_spans:
            return None
        low, high = (bisect_left(self.picture_spans, (at, at)) for at in label)
        inside = [span for span in self.picture_spans[low:high] if span[1] <= label[1]]
        length = sum(end - start for start, end in inside)
        is_all = inside and len(self.text[slice(*label)].strip()) <= length
        return self.pictures[min(inside)] if is_all else None

    def _label(self, span: Span) -> str:
        """Return the text of a link's label, without the inner brackets of ``[[pdf]](…)``."""
        label = plain(self.text[slice(*span)])
        return label[1:-1].strip() if label[:1] == "[" and label[-1:] == "]" else label

    def _role_of_line(self, at: int, url: str, label: str) -> LinkRole | None:
        """Return the role that the label of a line gives to the links after it, or None.

        In ``  - Dataset: [A](…), [B](…)`` both links are data. A link with a work's identifier, or
        one after other text whose own label names a role, does not take the role of the line.
        """
        if self.column:
            return None
        start = max(at - _LONGEST_BEFORE, 0)
        for end in "\n\r":
            start = max(start, self.text.rfind(end, start, at) + 1)
        label_match = _LINE_LABEL.match(self.text, start, at)
        if label_match is None or strong_identifier(url) is not None:
            return None
        has_own = label_match.end() < at and role_word(label) is not None
        return None if has_own else role_word(label_match["word"])


def _outermost(links: Sequence[PlacedLink]) -> list[PlacedLink]:
    """Return the links in order, without links inside other links."""
    kept: list[PlacedLink] = []
    for link in sorted(links, key=lambda candidate: (candidate.span[0], -candidate.span[1])):
        if not kept or link.span[0] >= kept[-1].span[1]:
            kept.append(link)
    return kept


def _badge_label(description: str, picture_url: str) -> str:
    """Return a badge's description, or the first word in its address.

    ``…/badge/arXiv-2401.00001-red`` gives arXiv.
    """
    if label := clean(description):
        return label
    match = re.search(r"/badge/([A-Za-z]{2,20})", picture_url)
    return match[1] if match else ""


def _attribute(tag: re.Match[str], name: str) -> tuple[str, Span]:
    """Return the value of a tag's attribute and its span; empty if the tag lacks it."""
    start, end = tag.span("attributes")
    for match in _ATTRIBUTE.finditer(tag.string, start, end):
        if match["name"].lower() == name:
            group = match.lastgroup or 0
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
    """Return the span inside emphasis or a tag around the whole text; None without such markup."""
    if text[start : start + 1] not in "*_~<":
        return None
    for opening, closing in _WRAPPERS:
        first, last = start + len(opening), end - len(closing)
        is_wrapped = text.startswith(opening, start, end) and text.endswith(closing, first, end)
        if is_wrapped and text.find(closing, first, end) == last:
            return first, last
    return None


def plain(markup: str) -> str:
    """Return Markdown as clean plain text on one line."""
    if "  " in markup or not markup.isprintable():  # isprintable() allows no other blank.
        markup = _BLANKS.sub(" ", markup)
    return clean(strip_markup(markup))

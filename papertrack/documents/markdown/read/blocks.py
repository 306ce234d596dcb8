"""The block structure of a Markdown text: headings, lists, tables, paragraphs, HTML, with lines.

markdown-it-py says which lines are what (CommonMark and GFM tables); only its block rules run, and
tables stay one block each, because cells are split elsewhere with exact offsets. Lines are counted
from 0 and end at ``\\r\\n``, ``\\n`` or ``\\r``, as in CommonMark 2.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, Protocol

from papertrack.documents.markdown.model import Definition, Lines, Part, Said, Skip, Unit
from papertrack.documents.markdown.read.labelled import LabelledMarks
from papertrack.documents.markdown.values import Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

    from papertrack.documents.markdown.marks.kind import DocumentMarks

BlockKind = Literal["heading", "paragraph", "list", "item", "table", "html", "quote", "rule"]

LONGEST_LINE = 200_000
"""Characters. Longer lines are data, not prose; they are left alone and reported."""

_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\n|\r|\Z)")
_FRONT_MATTER = re.compile(r"---[ \t]*(?:\r\n|\n|\r)")
_FRONT_MATTER_END = re.compile(r"^(?:---|\.\.\.)[ \t]*$")
_MARKER = re.compile(r"[ \t>]*(?P<marker>[-+*]|[0-9]{1,9}[.)])(?P<gap>[ \t]+|$)")
_DEFINITION = re.compile(
    r" {0,3}\[(?P<label>(?:[^\[\]\\]|\\.){1,999}+)\]:[ \t]*"
    r"(?:<(?P<angled>[^<>\s]{0,4096})>|(?P<plain>[^\s<]\S{0,4095}))"
    r"""(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$"""
)


_PLAIN_DEFINITION = re.compile(
    r"\[\s*[^\[\]\\\s][^\[\]\\]*\]:[ \t]*https?://[^\x00-\x20\x7f()\\]+[ \t]*"
)
"""A link definition that is one whatever the line behind it holds, but for a title."""

DETAILS = re.compile(r"<details\b", re.IGNORECASE)
DETAILS_END = re.compile(r"</details\b", re.IGNORECASE)


@dataclass(slots=True)
class Block:
    """A block and what it holds."""

    kind: BlockKind
    first: int
    end: int
    """The line behind its last line that is not blank."""
    level: int = 0
    """Of a heading, 1 to 6."""
    marker: str = ""
    """Of an item: ``-``, ``3.``."""
    start: int = 0
    """The offset where its content starts: behind the marker of an item."""
    children: list[Block] = field(default_factory=list)


class ListGrammar(Protocol):
    """What was learnt of how a document writes its entries."""

    def said(self, text: str, span: Span, skips: Mapping[int, Skip]) -> Said:
        """Return what an entry's own text says. ``skips`` are by where they start: what is no
        words, or a link's."""

    def parts_of_detail(self, text: str, span: Span, skips: Mapping[int, Skip]) -> list[Part]:
        """Return what the words of a line below an entry say, which are no title."""


@dataclass(frozen=True)
class Context(Lines):
    """A text, and what the readers of its parts share."""

    definitions: Mapping[str, Definition]
    marks: DocumentMarks
    grammar: ListGrammar

    @cached_property
    def labelled_marks(self) -> LabelledMarks:
        """The marks on lines of their own, behind labels."""
        return LabelledMarks(self.text, self.marks)

    @cached_property
    def inlines(self) -> dict[Span, Any]:
        """What was found so far (``inline.inline_of``), by where it stands: several questions are
        asked of one item."""
        return {}

    @cached_property
    def units(self) -> dict[Span, Unit]:
        """What was read so far, by where it stands."""
        return {}


def cut_lines(text: str) -> Lines:
    """Return the lines of a text; a text without any character has one empty line."""
    # Behind the last line there is always a match of nothing.
    spans = [match.span(1) for match in _LINE.finditer(text)][:-1] or [(0, 0)]
    return Lines(text, tuple(start for start, _ in spans), tuple(end for _, end in spans))


def parse_blocks(lines: Lines) -> list[Block]:
    """Return the blocks of a text, nested. Fences, indented code and definitions are left out."""
    root = Block("quote", 0, len(lines.starts))
    stack = [root]
    for token in _markdown().parse("\n".join(_readable(lines))):
        _take(token, stack, lines)
    for block in [*walk([root])]:
        block.children = _as_indented(block.children, lines)
    return root.children


def find_definitions(lines: Lines, blocks: Sequence[Block]) -> list[Definition]:
    """Return the link definitions outside comments, in their order."""
    comments = [block for block in walk(blocks) if is_comment(lines, block)]
    hidden = {number for block in comments for number in range(block.first, block.end)}
    found = []
    for number, start in enumerate(lines.starts):
        if number in hidden or lines.text.find("[", start, start + 4) < 0:
            continue
        match = _DEFINITION.match(lines.line(number))
        if match and not match["label"].isspace():
            group = "angled" if match["angled"] is not None else "plain"
            url_span = (start + match.start(group), start + match.end(group))
            whole = (start, lines.line_start(number + 1))
            found.append(Definition(match["label"], match[group], whole, url_span, number))
    return found


def walk(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield every block, parents before children, in the order of the text."""
    for block in blocks:
        yield block
        yield from walk(block.children)


def is_comment(lines: Lines, block: Block) -> bool:
    """Return whether a block is an HTML comment and nothing else."""
    line = lines.text[block.start : lines.ends[block.first]]
    return block.kind == "html" and line.lstrip(" \t>").startswith("<!--")


def _front_matter_end(lines: Lines) -> int:
    """Return how many lines of YAML front matter the text starts with."""
    if not _FRONT_MATTER.match(lines.text):
        return 0
    numbers = range(1, min(len(lines.starts), 500))
    return next((n + 1 for n in numbers if _FRONT_MATTER_END.match(lines.line(n))), 0)


def is_too_long(lines: Lines, number: int) -> bool:
    """Return whether a line is too long to be read as Markdown."""
    return lines.ends[number] - lines.starts[number] > LONGEST_LINE


def _readable(lines: Lines) -> list[str]:
    """Return the lines as markdown-it shall see them: front matter and endless lines blanked."""
    numbers = range(len(lines.starts))
    shown = ["" if is_too_long(lines, number) else lines.line(number) for number in numbers]
    hidden = _front_matter_end(lines)
    shown[:hidden] = [""] * hidden
    return shown


_KINDS: dict[str, BlockKind] = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "html_block": "html",
    "table_open": "table",
    "hr": "rule",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "blockquote_open": "quote",
}


def _take(token: Token, stack: list[Block], lines: Lines) -> None:
    """Add a token's block to the tree; ``stack`` holds the open blocks."""
    if token.nesting < 0:
        stack.pop()
    kind = _KINDS.get(token.type)
    if kind is None or token.map is None:
        return
    parent, first = stack[-1], token.map[0]
    start = parent.start if first == parent.first and parent.start else lines.starts[first]
    block = Block(kind, first, _end_of(lines, *token.map), start=start)
    if kind == "heading":
        block.level = int(token.tag[1])
    elif kind == "item" and (match := _MARKER.match(lines.text, start, lines.ends[first])):
        block.marker = match["marker"]
        block.start = match.end()
    parent.children += _parted(block, lines) if kind == "html" else [block]
    if token.nesting > 0:
        stack.append(block)


def _parted(block: Block, lines: Lines) -> list[Block]:
    """Return a block that starts with a ``<details>`` cut before and behind each that no other one
    holds: without blank lines between them several are one block to CommonMark."""
    if not DETAILS.match(lines.text[block.start : lines.ends[block.first]].lstrip(" \t>")):
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
    """Return blocks with lists below the items that they are indented under: to CommonMark ``  -``
    below ``1.`` stands beside it, and ``   -`` below ``10.``, which ends the numbered list too."""
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
    """Whether a list is indented more than the last item of another."""
    return _indent(lines, block.first) > _indent(lines, other.children[-1].first)


def _indent(lines: Lines, number: int) -> int:
    line = lines.line(number).expandtabs(4)
    return len(line) - len(line.lstrip(" >"))


def _end_of(lines: Lines, first: int, end: int) -> int:
    """Return the line behind a block's last line that is not blank."""
    while end > first + 1 and not lines.line(end - 1).strip(" \t>"):
        end -= 1
    return end


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    """Return the block parser, made once: building its rules costs more than a small file."""
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import reference, table

    def definition(state: StateBlock, first: int, end: int, silent: bool) -> bool:
        """Take a link definition: long lists have two for each work, nearly all of one form, of
        which only the line is asked for."""
        if silent or not _is_plain_definition(state, first):
            return reference(state, first, end, silent)
        state.line = first + 1
        return True

    def whole_table(state: StateBlock, first: int, end: int, silent: bool) -> bool:
        """Take a GFM table as one block: the rows are those lines that ``table`` would take."""
        if not table(state, first, end, True):
            return False
        if silent:
            return True
        interrupts = state.md.block.ruler.getRules("blockquote")
        line = first + 2
        while (
            line < end
            and state.sCount[line] >= state.blkIndent
            and not state.isEmpty(line)
            and not state.is_code_block(line)
            and not any(rule(state, line, end, True) for rule in interrupts)
        ):
            line += 1
        state.push("table_open", "table", 1).map = [first, line]
        state.push("table_close", "table", -1)
        state.line = line
        return True

    class Blocks(MarkdownIt):
        """Of link definitions only the lines are asked for: their addresses stay as they are."""

        def normalizeLink(self, url: str) -> str:
            return url

    markdown = Blocks("commonmark")
    markdown.block.ruler.at("reference", definition)
    markdown.block.ruler.at("table", whole_table, {"alt": ["paragraph", "reference"]})
    markdown.block.ruler.enable("table")
    markdown.core.ruler.enableOnly(["normalize", "block"])
    return markdown


def _is_plain_definition(state: StateBlock, line: int) -> bool:
    """Whether a line that no other block holds is a link definition by itself: none whose title
    may stand on the next one."""
    start = state.bMarks[line] + state.tShift[line]
    if state.level or not state.src.startswith("[", start) or state.is_code_block(line):
        return False
    behind = state.bMarks[line + 1] + state.tShift[line + 1]
    has_title = line + 1 < state.lineMax and state.src[behind : behind + 1] in ('"', "'", "(")
    return not has_title and bool(_PLAIN_DEFINITION.fullmatch(state.src, start, state.eMarks[line]))

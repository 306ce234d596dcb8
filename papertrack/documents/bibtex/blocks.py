"""Split the text of a .bib file into blocks, and locate each part.

bibtexparser does the splitting. It gets a text in which braces, quotation marks and block heads
read as BibTeX reads them, and finds its way back to the places in the original text (``_Shown``).
"""

from __future__ import annotations

import logging
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from bibtexparser import model
from bibtexparser.splitter import Splitter

BlockKind = Literal["entry", "string", "preamble", "comment", "text", "broken"]
"""``text`` is outside of blocks; ``broken`` starts like a block but is none."""


class Field(NamedTuple):
    """One field of an entry, and its place in the entry's text."""

    name: str
    value: str
    """As written: with its delimiters, @string names and ``#``."""
    start: int
    """The start of the name."""
    value_start: int

    @property
    def end(self) -> int:
        """The end of the value."""
        return self.value_start + len(self.value)


class Block(NamedTuple):
    """One block and its place in the text."""

    kind: BlockKind
    start: int
    line: int
    """The line number, counted from 1."""
    raw: str
    type: str = ""
    """The type of an entry, in lower case."""
    key: str = ""
    """The key of an entry or a @string; empty if it has none."""
    key_start: int = 0
    """Where the key starts in ``raw``."""
    fields: tuple[Field, ...] = ()
    text: str = ""
    """The value of a @string as written, or a comment's text, or why the block is broken."""

    @property
    def end(self) -> int:
        """The offset after its last character."""
        return self.start + len(self.raw)


_KINDS: dict[type[model.Block], BlockKind] = {
    model.Entry: "entry",
    model.String: "string",
    model.Preamble: "preamble",
    model.ExplicitComment: "comment",
    model.ImplicitComment: "text",
}
_WHY = (
    ("Unexpectedly", "it has no end before the end of the file"),
    ("Unexpected block", "it has no end before the next block"),
    ("Expected comma", "its key is not followed by a comma"),
    ("Expected equals", "its name is not followed by ="),
    ("", "a field in it has no = or no value"),
)
"""How bibtexparser's reasons start, longer starts first, and our words for them."""
# Every repetition is possessive, so that matching takes linear time on any text.
_HEAD = r"@[ \t]*+([\w-]*+)\s*+"
_OPENING = re.compile(rf"{_HEAD}[{{(]")
_HEAD_OF_BLOCK = re.compile(rf"{_HEAD}(?=[{{(])")
# BibTeX reads a backslash as a letter, and non-ASCII blanks too.
_LETTERS = re.compile("[\\\\\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_WITHIN_VALUES = re.compile(r'[{}"@]')
_BETWEEN_FIELDS = re.compile(
    r'[{}"@]|(?<=[\s,}"])%|(?<=[}"0-9])\s(?=\s*+[A-Za-z][\w+-]*+\s*+=)'
    r"|=\s*+(\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\})"
)
"""The last alternative is a value in braces, with at most one further pair around any word."""
_LINE_END = re.compile(r"\n(?![^\S\n]*+@)")
_PLAIN_HEAD = re.compile(r"@(?!(?:comment|preamble|string)\w)\w*[ \t]*", re.IGNORECASE)
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # We report broken blocks ourselves.


def read_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks in order. Text outside of blocks comes only if it has an ``@``."""
    shown = _Shown(text)
    line_starts, shown_starts = map(_line_starts, (text, shown.text))
    at = 0
    for split in Splitter(shown.text).split().blocks:
        # bibtexparser wraps a block with a duplicate key or field in an error block.
        block = getattr(split, "ignore_error_block", None) or split
        as_shown = block.raw or ""
        at = shown.text.index(as_shown, max(at, shown_starts[block.start_line or 0]))
        start, raw = shown.source_of(at, len(as_shown))
        if type(block) is not model.ImplicitComment or "@" in as_shown:
            line = bisect_right(line_starts, start)
            yield _block(
                block, shown, at, Block(_KINDS.get(type(block), "broken"), start, line, raw)
            )
        at += 1 if isinstance(block, model.ParsingFailedBlock) else len(as_shown)


def reread_blocks(text: str, was: str, blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks of a text that was edited: ``was`` had these ``blocks``.

    Only the part that differs is read, from the start of one block to that of another. It reads
    the same alone if nothing that could open or close a block stands between blocks.
    """
    if not blocks or not _are_separate(was, blocks):
        return list(read_blocks(text))
    top = bisect_left(blocks, True, key=lambda block: not text.startswith(was[: block.start])) - 1
    start = blocks[top].start if top > 0 else 0
    moved = len(text) - len(was)
    first = start + max(0, -moved)
    """The first place of ``was`` that is not in the part above the change."""
    bottom = bisect_left(
        blocks, True, key=lambda one: one.start >= first and text.endswith(was[one.start :])
    )
    end = blocks[bottom].start + moved if bottom < len(blocks) else len(text)
    parts = (
        (blocks[: max(top, 0)], 0, 0),
        (read_blocks(text[start:end]), start, text.count("\n", 0, start)),
        (blocks[bottom:], moved, text.count("\n") - was.count("\n")),
    )
    read = [
        block._replace(start=block.start + by, line=block.line + lines) if by or lines else block
        for part, by, lines in parts
        for block in part
    ]
    return read if _are_separate(text, read) else list(read_blocks(text))


def _are_separate(text: str, blocks: Sequence[Block]) -> bool:
    """Return whether all blocks are whole and start a line, and no brace stands between them."""
    ends = [0, *(block.end for block in blocks)]
    starts = [*(block.start for block in blocks), len(text)]
    gaps = [text[end:start] for end, start in zip(ends, starts, strict=True)]
    is_whole = all(block.kind not in ("text", "broken") for block in blocks)
    start_lines = all(gap.endswith("\n") for gap in ["\n" + gaps[0], *gaps[1:-1]][: len(blocks)])
    return is_whole and start_lines and {"{", "}"}.isdisjoint("".join(gaps))


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def _block(block: model.Block, shown: _Shown, at: int, made: Block) -> Block:
    """Return the block that is shown at a place, with its parts."""
    if isinstance(block, model.ParsingFailedBlock):
        reason = getattr(block.error, "abort_reason", "")
        why = next(why for beginning, why in _WHY if reason.startswith(beginning))
        return made._replace(text=why)
    opening = _OPENING.match(made.raw)
    if opening is None:
        return made
    if not isinstance(block, model.Entry | model.String):
        return made._replace(text=made.raw[opening.end() : -1].strip())
    at = shown.text.index(block.key, at + opening.end())
    key_start, key = shown.source_of(at, len(block.key))
    key_start -= made.start
    at += len(block.key)
    if isinstance(block, model.String):
        at = shown.text.index("=", at) + 1
        text = made.raw[shown.origin(at) - made.start : -1].strip()
        return made._replace(key=key, key_start=key_start, text=text)
    fields: list[Field] = []
    for field in block.fields:
        left_out = shown.origin(at) - at - made.start
        name_at = shown.text.index(field.key, at)
        value_at = shown.text.index(
            field.value, shown.text.index("=", name_at + len(field.key)) + 1
        )
        at = value_at + len(field.value)
        start, value_start = name_at + left_out, value_at + left_out
        name = made.raw[start : start + len(field.key)]
        value = made.raw[value_start : shown.origin(at) - made.start]
        fields.append(Field(name, value, start, value_start))
    kind, start, line, raw, *_ = made
    return Block(kind, start, line, raw, opening[1].lower(), key, key_start, tuple(fields))


class _Shown:
    """A text as bibtexparser should see it.

    Signs that BibTeX does not read as such are replaced by letters. Only the depth of braces
    counts; a backslash escapes none. Inside a pair of braces within a block, quotation marks and
    block heads mean nothing. The next block ends an entry only if the entry's braces never balance.
    Between fields, a comment is blank, as in biber, and a comma that is missing is added. A value
    in braces is one letter, as bibtexparser would look at each of its characters.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        shown = _LETTERS.sub("_", source)
        closed: set[int] = set()
        signs = list(_signs(shown, closed))
        heads = [sign for sign in signs if sign.text[0] == "@"]
        heads = [sign for sign in heads if sign.starts_line or sign.brace not in closed]
        pairs = closed.difference(sign.end for sign in heads)
        letters = [
            (sign.start + 1, sign.end, _plain_head(sign.text[1:]))
            for sign in heads
            if not _PLAIN_HEAD.fullmatch(sign.text)
        ]
        self._ends, self._left_out = [0], [0]
        """Where values end in the shown text, and how many characters are left out until there."""
        for sign in signs:
            length = sign.end - sign.start
            if sign.text[0] == "=":
                letters.append((sign.start, sign.end, "_"))
                self._ends.append(sign.end - self._left_out[-1] - length + 1)
                self._left_out.append(self._left_out[-1] + length - 1)
            elif sign.text[0] not in '"@':
                letters.append((sign.start, sign.end, " " * length if sign.text == "%" else ","))
            elif sign.brace in pairs:
                letters.append((sign.start, sign.start + 1, "_"))
        self.text = _LINE_END.sub(" ", replaced(shown, letters))

    def origin(self, at: int) -> int:
        """Return the place in the source of a place in the shown text."""
        return at + self._left_out[bisect_right(self._ends, at) - 1]

    def source_of(self, at: int, length: int) -> tuple[int, str]:
        """Return the source of a shown part, after where it starts."""
        start = self.origin(at)
        return start, self.source[start : self.origin(at + length)]


class _Sign(NamedTuple):
    """A sign in a text: a quotation mark, a comment, a head, a blank, or ``=`` for a value."""

    text: str
    start: int
    end: int
    brace: int
    """Where the innermost open brace is, or -1."""
    starts_line: bool = False
    """Whether only blanks stand before it on its line."""


def _signs(shown: str, closed: set[int]) -> Iterator[_Sign]:
    """Yield the signs of a text, and add the braces that are closed to ``closed``.

    A comment ends with its line. It comes only between the fields of an entry, and so does a blank
    where a comma is missing.
    """
    opened, entries, quoted_in, at = [-1], set[int](), -1, 0
    while True:
        brace = opened[-1]
        is_between_fields = brace in entries and quoted_in != brace
        match = (_BETWEEN_FIELDS if is_between_fields else _WITHIN_VALUES).search(shown, at)
        if match is None:
            return
        text, before, at = match[0], at, match.end()
        if text == "{":
            opened.append(at - 1)
        elif text == "}" and brace >= 0:
            closed.add(opened.pop())
        elif text == "@":
            if (head := _HEAD_OF_BLOCK.match(shown, at - 1)) is None:
                continue
            _, line_end, line = shown[before : at - 1].rpartition("\n")
            is_at_line = line_end or shown[before - 1 : before] in ("\n", "")
            is_first = bool(is_at_line and not line.strip())
            # In an entry that is behind comment signs itself, they are not comments.
            entries.update([head.end()] if is_first and _PLAIN_HEAD.fullmatch(head[0]) else ())
            yield _Sign(head[0], at - 1, at := head.end(), brace, is_first)
        elif text[0] == "=":
            yield _Sign("=", *match.span(1), brace)
        elif text != "}":
            start = at - 1
            if text == '"':
                quoted_in = brace if is_between_fields else -1
            elif text == "%":
                at = (shown.find("\n", at) + 1 or len(shown) + 1) - 1
            yield _Sign(text, start, at, brace)


def _plain_head(written: str) -> str:
    """Return a type of the same length that bibtexparser reads as an ordinary entry."""
    word = written.strip()
    kept = word if word.lower() in ("comment", "preamble", "string") else ""
    return kept.ljust(len(written), "_")


def replaced(text: str, changes: list[tuple[int, int, str]]) -> str:
    """Replace the spans (start, end, new text) of a text."""
    pieces: list[str] = []
    done = 0
    for start, end, new in sorted(changes):
        pieces += text[done:start], new
        done = end
    return "".join((*pieces, text[done:]))

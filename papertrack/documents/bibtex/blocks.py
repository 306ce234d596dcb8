"""Split the text of a .bib file into blocks, and locate each part.

bibtexparser does the splitting. It gets a text of the same length in which braces, quotation marks
and block heads read as BibTeX reads them (``_shown``). Its offsets are then valid in the original
text.
"""

from __future__ import annotations

import logging
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal, NamedTuple

from bibtexparser import model
from bibtexparser.splitter import Splitter

BlockKind = Literal["entry", "string", "preamble", "comment", "text", "broken"]
"""``text`` is outside of blocks; ``broken`` starts like a block but is none."""


class Field(NamedTuple):
    """One field of an entry, and its place in the text."""

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
_BETWEEN_FIELDS = re.compile(r'[{}"@]|(?<=[\s,}"])%|(?<=[}"0-9])\s(?=\s*+[A-Za-z][\w+-]*+\s*+=)')
_PLAIN_HEAD = re.compile(r"@(?!(?:comment|preamble|string)\w)\w*[ \t]*", re.IGNORECASE)
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # We report broken blocks ourselves.


def read_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks in order. Text outside of blocks comes only if it has an ``@``."""
    shown = _shown(text)
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    at = 0
    for split in Splitter(shown).split().blocks:
        # bibtexparser wraps a block with a duplicate key or field in an error block.
        block = getattr(split, "ignore_error_block", None) or split
        as_shown = block.raw or ""
        start = shown.index(as_shown, max(at, line_starts[block.start_line or 0]))
        is_broken = isinstance(block, model.ParsingFailedBlock)
        at = start + (1 if is_broken else len(as_shown))
        if type(block) is not model.ImplicitComment or "@" in as_shown:
            line = bisect_right(line_starts, start)
            yield _block(block, start, line, text[start : start + len(as_shown)])


def _block(block: model.Block, start: int, line: int, raw: str) -> Block:
    shown = block.raw or ""
    kind = _KINDS.get(type(block), "broken")
    if isinstance(block, model.ParsingFailedBlock):
        reason = getattr(block.error, "abort_reason", "")
        why = next(why for beginning, why in _WHY if reason.startswith(beginning))
        return Block(kind, start, line, raw, text=why)
    opening = _OPENING.match(raw)
    if opening is None:
        return Block(kind, start, line, raw)
    if not isinstance(block, model.Entry | model.String):
        return Block(kind, start, line, raw, text=raw[opening.end() : -1].strip())
    at = shown.index(block.key, opening.end())
    key = raw[at : at + len(block.key)]
    if isinstance(block, model.String):
        text = raw[shown.index("=", at) + 1 : -1].strip()
        return Block(kind, start, line, raw, key=key, key_start=start + at, text=text)
    fields: list[Field] = []
    done = at + len(key)
    for field in block.fields:
        name_at = shown.index(field.key, done)
        equals = shown.index("=", name_at)
        value_at = shown.index(field.value, equals + 1)
        done = value_at + len(field.value)
        name, value = raw[name_at:equals].rstrip(), raw[value_at:done]
        fields.append(Field(name, value, start + name_at, start + value_at))
    entry_type = opening[1].lower()
    return Block(kind, start, line, raw, entry_type, key, start + at, tuple(fields))


def _shown(text: str) -> str:
    """Return the text as bibtexparser should see it, with the same length.

    Signs that BibTeX does not read as such are replaced by letters. Only the depth of braces
    counts; a backslash escapes none. Inside a pair of braces within a block, quotation marks and
    block heads mean nothing. The next block ends an entry only if the entry's braces never balance.
    Between fields, a comment is blank, as in biber, and a comma that is missing is added.
    """
    shown = _LETTERS.sub("_", text)
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
    for sign in signs:
        if sign.text[0] not in '"@':
            new = " " * (sign.end - sign.start) if sign.text == "%" else ","
            letters.append((sign.start, sign.end, new))
        elif sign.brace in pairs:
            letters.append((sign.start, sign.start + 1, "_"))
    return replaced(shown, letters)


class _Sign(NamedTuple):
    """A sign between or in blocks: a quotation mark, a comment, a head, or a blank."""

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

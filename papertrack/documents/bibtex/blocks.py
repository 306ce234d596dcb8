"""The text of a .bib file → its blocks, and where each part of them stands.

bibtexparser splits the text. It is shown one of the same length in which the braces, quotation
marks and heads of blocks are as BibTeX reads them (``_shown``); then the places that it names are
those of the text itself.
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
"""``text`` is what stands outside of blocks, ``broken`` what begins as a block and is none."""


class Field(NamedTuple):
    """One field of an entry, and where it stands in the text."""

    name: str
    value: str
    """As written: with its delimiters, @string names and ``#``."""
    start: int
    """Of the name."""
    value_start: int

    @property
    def end(self) -> int:
        """After the value."""
        return self.value_start + len(self.value)


class Block(NamedTuple):
    """One block and where it stands."""

    kind: BlockKind
    start: int
    line: int
    """Counted from 1."""
    raw: str
    type: str = ""
    """Of an entry, in small letters."""
    key: str = ""
    """Of an entry or a @string; empty if it has none."""
    key_start: int = 0
    fields: tuple[Field, ...] = ()
    text: str = ""
    """Of a @string its value as written, of a comment what it says, else why it is no block."""

    @property
    def end(self) -> int:
        """After its last character."""
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
"""How bibtexparser's reasons begin, the longer beginnings first, and our words for them."""
# Every repetition is possessive: the patterns are linear in whatever they are given.
_HEAD = r"@[ \t]*+([\w-]*+)\s*+"
_OPENING = re.compile(rf"{_HEAD}[{{(]")
# For BibTeX a backslash is a letter like others, and so are blanks that ASCII does not know.
_LETTERS = re.compile(r"\\|[^\S \t\n\r\f\v]")
_SIGNS = re.compile(rf'[{{}}"]|(^[^\S\n]*+)?({_HEAD})(?=[{{(])', re.MULTILINE)
_PLAIN_HEAD = re.compile(r"@(?!(?:comment|preamble|string)\w)\w*[ \t]*", re.IGNORECASE)
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # What is broken, we tell ourselves.


def read_blocks(text: str) -> Iterator[Block]:
    """The blocks in their order; the text outside of them only where it holds an ``@``."""
    shown = _shown(text)
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    at = 0
    for found in Splitter(shown).split().blocks:
        # A key or field that stands twice makes a block around the one that was read.
        block = getattr(found, "ignore_error_block", None) or found
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
        # A comment may be before the name, as biber allows.
        written = field.key.rpartition("\n")[2] if "%" in field.key else field.key
        name_at = shown.index(field.key, done) + len(field.key) - len(written)
        name_at += len(written) - len(written.lstrip())
        equals = shown.index("=", name_at)
        value_at = shown.index(field.value, equals + 1)
        done = value_at + len(field.value)
        name, value = raw[name_at:equals].rstrip(), raw[value_at:done]
        fields.append(Field(name, value, start + name_at, start + value_at))
    entry_type = opening[1].lower()
    return Block(kind, start, line, raw, entry_type, key, start + at, tuple(fields))


def _shown(text: str) -> str:
    """The text as bibtexparser is to see it: of the same length, with letters for what it reads
    otherwise than BibTeX.

    Only the depth of braces counts: none is escaped, and within a pair of braces inside a block
    neither a quotation mark nor the head of a block means anything. The next block ends an entry
    only where its braces never balance.
    """
    shown = _LETTERS.sub("_", text)
    opened: list[int] = []
    closed: set[int] = set()
    inside: list[tuple[int, int]] = []
    heads: list[tuple[int, re.Match[str]]] = []
    for sign in _SIGNS.finditer(shown):
        char, innermost = sign[0], opened[-1] if opened else -1
        if char == "{":
            opened.append(sign.start())
        elif char == "}":
            closed.update((opened.pop(),) if opened else ())
        elif char == '"':
            inside.append((innermost, sign.start()))
        else:
            inside.append((innermost, sign.start(2)))
            heads.append((innermost, sign))
    real = [sign for brace, sign in heads if brace not in closed or sign[1] is not None]
    pairs = closed.difference(sign.end() for sign in real)
    letters = [(at, at + 1, "_") for brace, at in inside if brace in pairs]
    for sign in real:
        if not _PLAIN_HEAD.fullmatch(sign[2]):
            letters.append((sign.start(2) + 1, sign.end(2), _plain_head(sign[2][1:])))
    return replaced(shown, letters)


def _plain_head(written: str) -> str:
    """A type that bibtexparser knows no block by, as one of the same length that it knows."""
    word = written.strip()
    kept = word if word.lower() in ("comment", "preamble", "string") else ""
    return kept.ljust(len(written), "_")


def replaced(text: str, changes: list[tuple[int, int, str]]) -> str:
    """The text with another one at each of these places."""
    pieces: list[str] = []
    done = 0
    for start, end, new in sorted(changes):
        pieces += text[done:start], new
        done = end
    return "".join((*pieces, text[done:]))

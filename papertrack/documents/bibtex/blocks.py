"""The text of a .bib file → its blocks: entries, @strings, comments, and what is none of them.

bibtexparser reads them all, at 30 µs for every field. Nearly all entries are plain, though: their
braces are in pairs without an escaped one, and nothing is joined with ``#``. One pattern reads
those at a fraction of the time, and says the same; ``tests/bibtex/test_blocks.py`` compares both.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple


class Field(NamedTuple):
    """One field of an entry."""

    name: str
    value: str
    is_text: bool
    """False where the value is still as written: with its delimiters, @string names and ``#``."""


class Block(NamedTuple):
    """One block and where it stands."""

    kind: str
    """bibtexparser's class: ``Entry``, ``String``, ``ExplicitComment``, ``ParsingFailedBlock``…"""
    start: int
    line: int
    """Counted from 1."""
    raw: str
    type: str = ""
    """Of an entry, in small letters."""
    key: str = ""
    """Of an entry or a @string; empty if it has none."""
    fields: tuple[Field, ...] = ()
    text: str = ""
    """Of a @string its value as written, of a comment what it says, else why it is no block."""


# At the start of a line bibtexparser begins a block with this in whatever is open, so that the
# text from one such place to the next is read alone as it is read in its file.
_START = re.compile(r"^[^\S\n]*(@\w*[ \t]*[{(])", re.MULTILINE)
_HEAD = re.compile(r"@(\w+)[ \t]*\{\s*([^\s{}\",=\\@()]+)\s*,\s*(?=[A-Za-z])")
_NO_ENTRIES = ("comment", "preamble", "string")


def _field_pattern(depth: int) -> re.Pattern[str]:
    """A plain field up to the next one or the closing brace, with braces in braces ``depth`` deep.

    Every repetition is possessive: the pattern is linear in whatever it is given.
    """
    text = r"[^{}\\]*+(?:\\(?![{}])[^{}\\]*+)*+"
    nested = text
    for _ in range(depth):
        nested = rf"{text}(?:\{{{nested}\}}{text})*+"
    return re.compile(
        rf"([A-Za-z][\w:+.-]*+)\s*+=\s*+(?:\{{({nested})\}}"
        # As in bibtexparser, {"} does not end what stands between quotation marks.
        r'|"([^"\\]*+(?:\\(?!")[^"\\]*+)*+)(?<!\{)"'
        r"|([\w:+./-]++))\s*+(?:,\s*+(?=[A-Za-z}])|(?=\}))"
    )


_FIELD = _field_pattern(depth=4)


def read_blocks(text: str) -> Iterator[Block]:
    """The blocks in their order; comments outside of blocks only where they hold an ``@``."""
    starts = [match.start(1) for match in _START.finditer(text)]
    line, counted = 1, 0
    unread = 0
    """From here on bibtexparser is to read."""
    for start, end in pairwise((*starts, len(text))):
        plain = _plain_entry(text, start, end)
        if plain is None:
            continue
        if text.find("@", unread, start) >= 0:
            line += text.count("\n", counted, unread)
            counted = unread
            yield from _read_slowly(text, unread, start, line)
        line += text.count("\n", counted, start)
        counted = start
        (entry_type, key, fields), after = plain
        yield Block("Entry", start, line, text[start:after], entry_type, key, fields)
        unread = end
    if text.find("@", unread) >= 0:
        line += text.count("\n", counted, unread)
        yield from _read_slowly(text, unread, len(text), line)


def _plain_entry(
    text: str, start: int, end: int
) -> tuple[tuple[str, str, tuple[Field, ...]], int] | None:
    """Type, key and fields of a plain entry with nothing else up to ``end``, and where it ends."""
    head = _HEAD.match(text, start, end)
    if head is None:
        return None
    entry_type, key = head.groups()
    entry_type = entry_type.casefold()
    if entry_type.startswith(_NO_ENTRIES):
        return None
    fields: list[Field] = []
    at = head.end()
    while match := _FIELD.match(text, at, end):
        name, braced, quoted, bare = match.groups()
        if bare is not None:
            fields.append(Field(name, bare, False))
        else:
            fields.append(Field(name, quoted if braced is None else braced, True))
        at = match.end()
        if text[at] == "}":
            is_alone = text.find("@", at, end) < 0
            return ((entry_type, key, tuple(fields)), at + 1) if is_alone else None
    return None


def _read_slowly(text: str, start: int, end: int, line: int) -> Iterator[Block]:
    """What bibtexparser reads from ``start`` to ``end``, where a plain entry begins or all ends.

    ``line`` is that of ``start``.
    """
    from bibtexparser.entrypoint import parse_string

    # What it warns about is reported as skipped, with its line, to whoever imports the file.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    part = text[start:end]
    following = _HEAD.match(text, end)
    if following:
        # A block that is open at the end must see that another one begins.
        part += f"@{following[1]}{{}}"
    blocks = parse_string(part, parse_stack=[]).blocks
    searched = counted = 0
    for block in blocks[:-1] if following else blocks:
        raw = block.raw or ""
        at = part.index(raw, searched)
        # A failed block may reach into the next one.
        searched = at + (1 if type(block).__name__ == "ParsingFailedBlock" else len(raw))
        line += part.count("\n", counted, at)
        counted = at
        # A repeated key or field makes a block around the entry that was read nevertheless.
        yield _block_of(getattr(block, "ignore_error_block", None) or block, start + at, line)


def field_name(text: str) -> str:
    """The name in the text before a field's ``=``, without the comment that biber allows there:
    of ``% see below⏎author`` it is ``author``."""
    return text.rpartition("\n")[2].strip() if "%" in text and "\n" in text else text


def _block_of(block: Any, start: int, line: int) -> Block:
    """A block of bibtexparser, which ships no types."""
    kind = type(block).__name__
    raw = block.raw or ""
    if kind == "Entry":
        fields = tuple(Field(field_name(field.key), field.value, False) for field in block.fields)
        return Block(kind, start, line, raw, block.entry_type.casefold(), block.key, fields)
    if kind == "String":
        return Block(kind, start, line, raw, key=block.key, text=block.value)
    if kind == "ParsingFailedBlock":
        reason = getattr(block.error, "abort_reason", None) or str(block.error)
        return Block(kind, start, line, raw, text=reason)
    return Block(kind, start, line, raw, text=getattr(block, "comment", ""))

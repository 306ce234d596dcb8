"""The text of a .bib file → its blocks, and where each part of them stands: the one reader of both.

Blocks end and fail as in bibtexparser, which stops a block that is open where a line begins another
one; ``tests/bibtex/test_scan.py`` compares the two. They begin as BibTeX and biber have it, which
know more types of entries than bibtexparser. Nearly every field is plain: one piece
in braces or quotation marks, or a bare word. One pattern reads those; the others are walked from
mark to mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Literal, NamedTuple

from papertrack.text import line_counter

BlockKind = Literal["entry", "string", "preamble", "comment", "text", "broken"]
"""``text`` is what stands outside of blocks, ``broken`` what begins as a block and is none."""


class Field(NamedTuple):
    """One field of an entry, and where it stands in the text."""

    name: str
    value: str
    """As written: with its delimiters, @string names and ``#``."""
    is_plain: bool
    """Whether the value is one piece between two delimiters: they need not be looked for again."""
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


# Blanks may stand behind the @, also line ends before the brace; a type may have a hyphen.
_HEAD = r"@[ \t]*+[\w-]*+\s*+(?=[{(])"
_OPENING = re.compile(r"@[ \t]*+([\w-]*+)\s*+([{(])")
_AT_LINE_START = re.compile(rf"\n[^\S\n]*+(?={_HEAD})")
_CLOSING = {"{": "}", "(": ")"}
# What is looked at between the pieces of a block; after a backslash it is a character.
_MARKS = {
    "}": re.compile(rf'(?<!\\)[{{}}",=]|{_HEAD}'),
    ")": re.compile(rf'(?<!\\)[{{}}",=)]|{_HEAD}'),
}


# Made when first used: what only writes entries loads this module too.
# Every repetition is possessive: the patterns are linear in whatever they are given.
_NAMED = r"\s*+([A-Za-z][\w:+.-]*+)\s*+=\s*+"


@cache
def _named() -> re.Pattern[str]:
    """What stands before the value of a field."""
    return re.compile(_NAMED)


@cache
def _plain_field(closing: str) -> re.Pattern[str]:
    """A plain field up to its comma or the closing delimiter."""
    value = rf"({_delimited()}|[\w:+./-]++)"
    return re.compile(rf"{_NAMED}{value}\s*+(?=[,{re.escape(closing)}])")


@cache
def _lone_entry(names: frozenset[str]) -> re.Pattern[str]:
    """An entry of plain fields of which none has one of these names, or that of a @string as its
    value."""
    name = rf"(?!(?i:{'|'.join(names)})\b)[A-Za-z][\w:+.-]*+"
    return re.compile(
        r"@(?!(?i:comment|preamble|string)(?![\w-]))([\w-]++)[ \t]*+\{\s*+([^\s{}(),=\"@\\]++)\s*+"
        rf"(?:,\s*+{name}\s*+=\s*+(?:{_delimited()}|[0-9]++)\s*+)*+,?+\s*+\}}"
    )


def _delimited(depth: int = 4) -> str:
    """A value of one piece, with braces ``depth`` deep."""
    text = r"[^{}\\]*+(?:\\(?![{}])[^{}\\]*+)*+"
    nested = text
    for _ in range(depth):
        nested = rf"{text}(?:\{{{nested}\}}{text})*+"
    # As in bibtexparser, {"} does not end what stands between quotation marks.
    return rf'\{{{nested}\}}|"[^"\\]*+(?:\\(?!")[^"\\]*+)*+(?<!\{{)"'


_QUOTE = re.compile(r'(?<!\\)"')


class _Broken(Exception):
    """The block is none, as is seen at ``stop``; reading goes on at ``after``."""

    def __init__(self, reason: str, stop: int, after: int) -> None:
        super().__init__(reason)
        self.stop = stop
        self.after = after


def read_blocks(text: str) -> Iterator[Block]:
    """The blocks in their order; the text outside of them only where it holds an ``@``."""
    line_of = line_counter(text)
    at = limit = 0
    while opening := _OPENING.search(text, at):
        if text.find("@", at, opening.start()) >= 0:
            yield _outside(text, at, opening.start(), line_of)
        if limit <= opening.start():
            limit = _next_line_start(text, opening.end())
        line = line_of(opening.start())
        try:
            block = _BlockReader(text, opening, limit).block(line)
            at = block.start + len(block.raw)
        except _Broken as broken:
            raw = text[opening.start() : broken.stop]
            block = Block("broken", opening.start(), line, raw, text=str(broken))
            at = broken.after
        yield block
    if text.find("@", at) >= 0:
        yield _outside(text, at, len(text), line_of)


def lone_entry(text: str, names: frozenset[str]) -> Block | None:
    """The entry that the text is, without its fields, if it has no fields of these ``names`` and
    needs no @strings; None if it may be otherwise.

    Of most entries that is all that has to be known, and told in a fifth of the time.
    """
    if text.find("@", 1) >= 0 or (found := _lone_entry(names).fullmatch(text)) is None:
        return None
    return Block("entry", 0, 1, text, found[1].lower(), found[2], found.start(2))


def _outside(text: str, start: int, end: int, line_of: Callable[[int], int]) -> Block:
    outside = text[start:end]
    start += len(outside) - len(outside.lstrip())
    return Block("text", start, line_of(start), outside.strip())


def _next_line_start(text: str, at: int) -> int:
    """Where, after blanks at most, a line begins a block; the end of the text if nowhere."""
    found = _AT_LINE_START.search(text, at)
    return found.end() if found else len(text)


class _BlockReader:
    """Reads the block that begins with ``opening``, up to ``limit`` at most."""

    def __init__(self, text: str, opening: re.Match[str], limit: int) -> None:
        self._text = text
        self._opening, self._start = opening, opening.start()
        self._limit = limit
        self._closing = _CLOSING[opening[2]]
        self._marks = _MARKS[self._closing]
        # Braces must be in pairs everywhere; a parenthesis between quotation marks is none.
        self._quote = '"' if self._closing == ")" else ""

    def block(self, line: int) -> Block:
        """Raises _Broken where its form is that of no block."""
        name = self._opening[1].lower()
        # Only these words: @commentary is a type of entries.
        match name:
            case "comment" | "preamble":
                return self._free_block(name, line)
            case "string":
                return self._string(line)
        return self._entry(name, line)

    def _free_block(self, kind: BlockKind, line: int) -> Block:
        end = self._free_end(self._opening.end(), quote="" if kind == "comment" else self._quote)
        said = self._text[self._opening.end() : end].strip()
        return Block(kind, self._start, line, self._text[self._start : end + 1], text=said)

    def _string(self, line: int) -> Block:
        equals = self._next_mark(self._opening.end())
        if equals.group() != "=":
            raise self._broken_at(equals, "its name is not followed by =")
        key, key_start = self._stripped(self._opening.end(), equals.start())
        end = self._free_end(equals.end(), quote=self._quote)
        value = self._text[equals.end() : end].strip()
        raw = self._text[self._start : end + 1]
        return Block("string", self._start, line, raw, key=key, key_start=key_start, text=value)

    def _entry(self, entry_type: str, line: int) -> Block:
        mark = self._next_mark(self._opening.end())
        if mark.group() not in (",", self._closing):
            raise self._broken_at(mark, "its key is not followed by a comma")
        key, key_start = self._stripped(self._opening.end(), mark.start())
        fields: list[Field] = []
        text, limit, at = self._text, self._limit, mark.start()
        name_of_field, plain_field = _named(), _plain_field(self._closing)
        while text[at] == ",":
            named = name_of_field.match(text, at + 1, limit)
            if named and (end := self._lone_end(start := named.end())):
                fields.append(Field(named[1], text[start:end], True, named.start(1), start))
                at = end
            elif plain := plain_field.match(text, at + 1, limit):
                name, value = plain.groups()
                fields.append(Field(name, value, value[0] in '{"', plain.start(1), plain.start(2)))
                at = plain.end()
            else:
                at = self._odd_field(at + 1, fields)
        raw = text[self._start : at + 1]
        return Block("entry", self._start, line, raw, entry_type, key, key_start, tuple(fields))

    def _lone_end(self, at: int) -> int:
        """Past the value in braces that begins at ``at``, if no other brace and no backslash is in
        it and nothing behind it; else 0. The pattern has the same, in five times as long for an
        abstract."""
        text, limit = self._text, self._limit
        end = text.find("}", at, limit) + 1 if text.startswith("{", at) else 0
        if not 0 < end < limit or text[end] not in (",", self._closing):
            return 0
        has_more = text.find("{", at + 1, end) >= 0 or text.find("\\", at, end) >= 0
        return 0 if has_more else end

    def _odd_field(self, at: int, fields: list[Field]) -> int:
        """Where the comma or closing delimiter stands after what begins at ``at``: a field that is
        not plain, or nothing after a last comma."""
        equals = self._next_mark(at)
        name, start = self._stripped(at, equals.start())
        if equals.group() == self._closing and not name:
            return equals.start()
        if equals.group() != "=":
            raise self._broken_at(equals, "a field in it has no value")
        # A comment may stand before the name, as biber allows.
        if "%" in name and "\n" in name:
            after_comment = name.rindex("\n") + 1
            name, start = self._stripped(start + after_comment, start + len(name))
        end = self._value_end(equals.end())
        value, value_start = self._stripped(equals.end(), end)
        fields.append(Field(name, value, False, start, value_start))
        return end

    def _value_end(self, at: int) -> int:
        """Where the comma or the closing delimiter stands that ends the value from ``at`` on."""
        depth = 0
        while mark := self._marks.search(self._text, at, self._limit):
            sign, at = mark.group(), mark.end()
            if sign == '"' and depth == 0:
                at = self._after_quotes(at)
            elif sign == "{":
                depth += 1
            elif sign == "}" and depth:
                depth -= 1
            elif sign in (",", self._closing) and depth == 0:
                return mark.start()
        raise self._unfinished()

    def _after_quotes(self, at: int) -> int:
        """Past the mark that ends what stands between quotation marks, of which {"} is none."""
        for quote in _QUOTE.finditer(self._text, at, self._limit):
            around = self._text[quote.start() - 1 : quote.start() + 2]
            if around != '{"}' or quote.start() + 2 == len(self._text):
                return quote.end()
        raise self._unfinished()

    def _free_end(self, at: int, *, quote: str) -> int:
        """Where the closing delimiter stands of a block that holds no fields, outside of ``quote``
        marks."""
        depth = 0
        is_quoted = False
        for mark in self._marks.finditer(self._text, at, self._limit):
            sign = mark.group()
            if sign == self._closing and depth == 0 and not is_quoted:
                return mark.start()
            if sign == "{":
                depth += 1
            elif sign == "}":
                depth = max(depth - 1, 0)
            elif sign == quote and depth == 0:
                is_quoted = not is_quoted
        raise self._unfinished()

    def _next_mark(self, at: int) -> re.Match[str]:
        mark = self._marks.search(self._text, at, self._limit)
        if mark is None:
            raise self._unfinished()
        return mark

    def _stripped(self, start: int, end: int) -> tuple[str, int]:
        """The text between without the blanks around it, and where it begins."""
        piece = self._text[start:end]
        kept = piece.strip()
        return kept, start + piece.find(kept)

    def _broken_at(self, mark: re.Match[str], reason: str) -> _Broken:
        # Another block may begin at the mark; any other one is passed over.
        is_opening = mark.group().startswith("@")
        return _Broken(reason, mark.end(), mark.start() if is_opening else mark.end())

    def _unfinished(self) -> _Broken:
        where = "the next block" if self._limit < len(self._text) else "the end of the file"
        return _Broken(f"it does not end before {where}", self._limit, self._limit)

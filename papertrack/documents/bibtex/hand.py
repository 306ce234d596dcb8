"""How a .bib file, or one of its entries, is written: what is new in it is written so, too.

Each part of a hand is as most entries have it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import NamedTuple, TypeVar

from bibtexparser import model
from bibtexparser.library import Library
from bibtexparser.writer import BibtexFormat, write

from papertrack.documents.bibtex.blocks import Block
from papertrack.documents.bibtex.values import MONTHS, delimited_as

_Value = TypeVar("_Value")
_TYPE = re.compile(r"@[ \t]*([\w-]*)")
_SEPARATOR = re.compile(r"\s*,\s*")
_CASES: dict[str, Callable[[str], str]] = {
    "lower": str,  # Ours are in small letters, but for archivePrefix and its like.
    "upper": str.upper,
    "title": lambda word: word[:1].upper() + word[1:],
}


class Gaps(NamedTuple):
    """The blanks around the ``=`` of a field; columns count from the start of its name."""

    before: int = 1
    equals_at: int = 14
    """The column of the ``=``, for ``archivePrefix`` and what is shorter; 0 for none."""
    after: int = 1
    value_at: int = 0
    """The column of the value; 0 for none."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand; papertrack's own where nothing else is known."""

    indent: str = "  "
    is_on_one_line: bool = False
    gaps: Gaps = field(default_factory=Gaps)
    delimiter: str = "{"
    are_numbers_bare: bool = False
    has_last_comma: bool = True
    closing: str = "\n"
    """What is before the last brace of an entry."""
    case_of_names: str = "lower"
    case_of_types: str = "lower"
    words: Mapping[str, str] = field(default_factory=dict)
    """Names of fields, and types with an ``@``, in small letters, and as they are written."""

    def entry(self, entry_type: str, key: str, said: Iterable[tuple[str, str]]) -> str:
        """An entry of these fields, with values without delimiters, ending in a line end."""
        layout = BibtexFormat()
        layout.indent, layout.trailing_comma = self.indent, self.has_last_comma
        written = [self.field(name, value) for name, value in said]
        # bibtexparser has no blanks behind the "=" to choose, so it lays out signs for the fields.
        signs = [model.Field(f"\0{number}\0", "") for number in range(len(written))]
        entry_type = self._word("@" + entry_type, self.case_of_types)[1:]
        text = write(Library([model.Entry(entry_type, key, signs)]), layout)
        text = text.removesuffix("\n}\n") + self.closing + "}\n"
        if self.is_on_one_line:
            text = text.replace(f"\n{self.indent}", " ")
        for number, one in enumerate(written):
            text = text.replace(f"\0{number}\0 = ", one, 1)
        return text

    def field(self, name: str, value: str) -> str:
        """A field with its value in delimiters."""
        return self.before_value(name) + self.delimited(name, value)

    def before_value(self, name: str) -> str:
        """The name of a field, its ``=``, and the blanks around that."""
        gaps = self.gaps
        name = self._word(name, self.case_of_names)
        start = name.ljust(max(gaps.equals_at, len(name) + gaps.before)) + "="
        after = max(gaps.value_at - len(start), gaps.after)
        return start + " " * after

    def delimited(self, name: str, value: str) -> str:
        """The value in delimiters, if it has any."""
        is_number = self.are_numbers_bare and value.isdecimal()
        if is_number or (name.casefold() == "month" and value in MONTHS):
            return value
        return delimited_as(value, self.delimiter)

    def _word(self, word: str, case: str) -> str:
        start = int(word[:1] == "@")
        return self.words.get(word.casefold(), word[:start] + _CASES[case](word[start:]))


def hand_of(blocks: Iterable[Block]) -> Hand:
    """The hand of most of these entries."""
    entries = [block for block in blocks if block.kind == "entry" and block.fields]
    if not (hands := [_hand_of_one(block) for block in entries]):
        return Hand()
    parts = {one.name: _most([getattr(h, one.name) for h in hands]) for one in fields(Hand)[:-1]}
    written: dict[str, list[str]] = {}
    for word in (word for block in entries for word in _words(block)):
        written.setdefault(word.casefold(), []).append(word)
    return Hand(**parts, words={lower: _most(several) for lower, several in written.items()})


def _hand_of_one(block: Block) -> Hand:
    values = [one.value for one in block.fields]
    entry_type, *names = _words(block)
    separators = separators_of(block)
    # A comma that leads a line is no blank.
    indents = [text.rpartition("\n")[2].replace(",", "") for text in separators if "\n" in text]
    end = block.raw[block.fields[-1].end - block.start : -1].replace("\r\n", "\n")
    return Hand(
        indent=_most(indents or ["  "]),
        is_on_one_line=len(indents) * 2 < len(separators),
        gaps=_gaps_of(block),
        delimiter='"' if sum(value[:1] == '"' for value in values) * 2 > len(values) else "{",
        are_numbers_bare=any(map(str.isdigit, values)),
        has_last_comma="," in end,
        closing="\n" if end.strip(", \n\t") else end.replace(",", ""),
        case_of_names=_most([_case_of(name) for name in names]),
        case_of_types=_case_of(entry_type[1:]),
    )


def _most(found: Sequence[_Value]) -> _Value:
    return Counter(found).most_common(1)[0][0]


def _words(block: Block) -> list[str]:
    """Its type with an ``@``, and the names of its fields."""
    head = _TYPE.match(block.raw)
    return ["@" + head[1] if head else "@", *(one.name for one in block.fields)]


def _case_of(word: str) -> str:
    if word.isupper():
        return "upper"
    return "title" if word[:1].isupper() else "lower"


def separators_of(block: Block) -> list[str]:
    """What is between its key and its fields."""
    starts = [block.key_start + len(block.key), *(one.end for one in block.fields)]
    texts = (
        block.raw[start - block.start : one.start - block.start]
        for start, one in zip(starts, block.fields, strict=False)
    )
    return [text for text in texts if _SEPARATOR.fullmatch(text)]


def _gaps_of(block: Block) -> Gaps:
    equals, values = [], []
    for one in block.fields:
        at = block.raw.index("=", one.start - block.start + len(one.name))
        equals.append(at - one.start + block.start)
        values.append(one.value_start - one.start)
    before = {at - len(one.name) for at, one in zip(equals, block.fields, strict=True)}
    after = {value - at - 1 for at, value in zip(equals, values, strict=True)}
    # Unequal gaps put the signs, or the values, in one column.
    is_even, is_even_after = len(before) == 1, len(after) == 1
    return Gaps(
        min(before) if is_even else 1,
        0 if is_even else _most(equals),
        min(after) if is_even_after else 1,
        0 if is_even_after else _most(values),
    )

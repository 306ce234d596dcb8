"""Tables that papertrack keeps in a README, between two lines that their curator writes:

    <!-- papertrack table: category:Serving pass:>1 | title,year,takeaway -->
    <!-- /papertrack table -->

What stands between them is no entry of the list. It is made anew as long as it is what papertrack
wrote, which a digest in its first line tells; the words of anybody else stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import NamedTuple

from papertrack.documents.markdown.model import Lines
from papertrack.documents.markdown.syntax import Block, cut_lines, parse_syntax, walk
from papertrack.documents.markdown.values import Span
from papertrack.errors import UsageError
from papertrack.records import Skipped
from papertrack.text import shorten

_BEGIN = re.compile(r" {0,3}<!-- papertrack table:([^\r\n]*)-->[ \t]*")
_END_LINE = "<!-- /papertrack table -->"
_END = re.compile(rf" {{0,3}}{_END_LINE}[ \t]*")
_IS_IN = re.compile(r"<!-- /?papertrack table")
_WRITTEN = re.compile(r"<!-- written by papertrack, ([0-9a-f]{8}) -->")
_MOST = 50
"""Tables of one README that are kept up to date: each is a search."""


class KeptTable(NamedTuple):
    """A place for a table."""

    line: int
    """Of its first marker, from 1."""
    asked: str
    """What the marker asks for."""
    span: Span
    """What stands between the markers, in whole lines."""
    eol: str


class FoundTables(NamedTuple):
    """The tables of a text, and markers that make none."""

    tables: list[KeptTable]
    problems: list[Skipped]
    hidden: list[Span]
    """What is no part of the list: what tables hold, also where a marker is missing."""


def marker_lines(asked: str, eol: str) -> str:
    """The two lines between which a table is kept."""
    return f"<!-- papertrack table: {asked} -->{eol}{_END_LINE}{eol}"


def find_tables(text: str) -> FoundTables:
    """Find the places for tables in a README; a marker in a code block is none."""
    found = FoundTables([], [], [])
    if not _IS_IN.search(text):
        return found
    lines = cut_lines(text)
    blocks = parse_syntax(lines).blocks

    def report(line: int, reason: str, beside: Sequence[Block] = ()) -> None:
        found.problems.append(Skipped(line + 1, reason, shorten(lines.line(line).strip())))
        # The rows beside a marker are no entries though the other one is gone.
        near = next((block for block in beside if block.kind != "html"), None)
        if near and near.kind == "table":
            found.hidden.append(lines.span(near.first, near.end))

    def report_open(at: int) -> None:
        report(blocks[at].first, f"This table has no end: add {_END_LINE}.", blocks[at + 1 :])

    opened: int | None = None
    for at, block in enumerate(blocks):
        line = lines.line(block.first) if block.kind == "html" else ""
        if _BEGIN.fullmatch(line):
            if opened is not None:
                report_open(opened)
            opened = at
        elif _END.fullmatch(line) and opened is None:
            report(block.first, "No table begins above this line.", blocks[:at][::-1])
        elif _END.fullmatch(line) and opened is not None:
            found.tables.append(_table(lines, blocks[opened].first, block.first))
            found.hidden.append(found.tables[-1].span)
            opened = None
    if opened is not None:
        report_open(opened)
    firsts = {block.first for block in blocks}
    for block in walk(blocks):
        for number in range(block.first, block.end) if block.kind == "html" else ():
            if number not in firsts and _BEGIN.fullmatch(lines.line(number).lstrip(" >")):
                report(number, "A table begins below a blank line, outside of lists and quotes.")
    return found


def _table(lines: Lines, first: int, end: int) -> KeptTable:
    begin = _BEGIN.fullmatch(lines.line(first))
    assert begin is not None, "the line is a marker"
    span = lines.starts[first + 1], lines.starts[end]
    return KeptTable(first + 1, begin[1], span, lines.text[lines.ends[first] : span[0]])


def without_tables(text: str) -> tuple[str, list[Skipped]]:
    """A text with blanks in place of what tables hold, and markers that make no table."""
    found = find_tables(text)
    for start, end in found.hidden:
        text = text[:start] + re.sub(r"[^\r\n]", " ", text[start:end]) + text[end:]
    return text, found.problems


def fill_tables(
    text: str,
    make: Callable[[str], str],
    may_replace: Callable[[KeptTable, str, str], bool],
) -> tuple[str, list[str]]:
    """A text with its tables made anew, and sentences about those that could not be.

    ``make`` returns the Markdown of what a marker asks for, or raises UsageError. What papertrack
    did not write is only replaced if one ``may_replace`` it: the table, what it holds, what it
    would.
    """
    refused = []
    tables = find_tables(text).tables
    for number, table in reversed([*enumerate(tables)]):  # The places of those above stay so.
        start, end = table.span
        there = text[start:end].replace("\r\n", "\n").strip()
        try:
            if number >= _MOST:
                raise UsageError(f"At most {_MOST} tables of a README are kept up to date.")
            made = make(table.asked).strip()
        except UsageError as error:
            refused.append(f"Line {table.line}: {error}")
            continue
        lines = [f"<!-- written by papertrack, {_digest(made)} -->", "", *made.split("\n"), ""]
        wanted = "".join(f"{line}{table.eol}" for line in lines)
        is_same = wanted == text[start:end]
        if not is_same and (_is_own(there, made) or may_replace(table, there, made)):
            text = text[:start] + wanted + text[end:]
    return text, refused[::-1]


def _is_own(there: str, made: str) -> bool:
    """Whether papertrack wrote this, or would: nothing of the reader's is in it."""
    head, _, body = there.partition("\n")
    written = _WRITTEN.fullmatch(head)
    return there in ("", made) or bool(written and written[1] == _digest(body.strip()))


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:8]

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

_END_LINE = "<!-- /papertrack table -->"
_BEGIN = re.compile(r" *<!-- papertrack table:([^\r\n]*)-->[ \t]*")
_MARKER = re.compile(rf"{_BEGIN.pattern}| *{_END_LINE}[ \t]*")
_WRITTEN = re.compile(r"<!-- written by papertrack, ([0-9a-f]{8}) -->")


_MOST = 20
"""Tables of a README that are made: each is a search, and a stranger may ask for it."""


class KeptTable(NamedTuple):
    """A place for a table, or a marker that makes none."""

    line: int
    """Of the marker, from 1."""
    asked: str
    """What the marker asks for."""
    span: Span
    """What stands between the markers, in whole lines; beside a single one, the table there."""
    eol: str = ""
    problem: str = ""
    """Why this is no place for a table; empty where it is one."""


def in_markers(asked: str, made: str, eol: str = "\n") -> str:
    """A table as it is kept in a README."""
    return f"<!-- papertrack table: {asked} -->{eol}{_written(made, eol)}{_END_LINE}{eol}"


def _written(made: str, eol: str) -> str:
    lines = [f"<!-- written by papertrack, {_digest(made)} -->", "", *made.split("\n"), ""]
    return "".join(f"{line}{eol}" for line in lines)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def find_tables(text: str) -> list[KeptTable]:
    """Find the places for tables in a README; a marker in a code block is none."""
    if "papertrack table" not in text:
        return []
    lines = cut_lines(text)
    blocks = parse_syntax(lines).blocks
    found = []
    markers = [
        (at, _BEGIN.fullmatch(line))
        for at, block in enumerate(blocks)
        if block.kind == "html" and _MARKER.fullmatch(line := lines.line(block.first))
    ]
    for before, (at, begin), after in zip(
        [None, *markers], markers, [*markers[1:], None], strict=False
    ):
        first = blocks[at].first
        if begin and after and not after[1]:
            span = lines.starts[first + 1], lines.starts[blocks[after[0]].first]
            eol = text[lines.ends[first] : span[0]]
            found.append(KeptTable(first + 1, begin[1], span, eol))
        elif begin:
            span = _table_in(lines, blocks[at + 1 :])
            found.append(KeptTable(first + 1, begin[1], span, problem=f"has no {_END_LINE} below"))
        elif before is None or not before[1]:
            span = _table_in(lines, blocks[:at][::-1])
            found.append(KeptTable(first + 1, "", span, problem="ends no table"))
    tops = {block.first for block in blocks}
    for block in walk(blocks):
        for number in range(block.first, block.end) if block.kind == "html" else ():
            if number not in tops and _MARKER.fullmatch(lines.line(number).lstrip(" >")):
                problem = "stands in a list, a quote or other HTML"
                found.append(KeptTable(number + 1, "", (0, 0), problem=problem))
    return found


def _table_in(lines: Lines, blocks: Sequence[Block]) -> Span:
    """The table beside a marker: its rows are no entries though the other marker is gone."""
    near = next((block for block in blocks if block.kind != "html"), None)
    return lines.span(near.first, near.end) if near and near.kind == "table" else (0, 0)


def without_tables(text: str) -> tuple[str, list[Skipped]]:
    """A text with blanks in place of what tables hold, and the markers that make no table."""
    problems = []
    for table in find_tables(text):
        start, end = table.span
        text = text[:start] + re.sub(r"[^\r\n]", " ", text[start:end]) + text[end:]
        if table.problem:
            reason = f"This marker of a table {table.problem}."
            problems.append(Skipped(table.line, reason, table.asked.strip()))
    return text, problems


def fill_tables(
    text: str, make: Callable[[str], str], may_replace: Callable[[KeptTable, str, str], bool]
) -> tuple[str, list[str]]:
    """A text with its tables made anew, and sentences about those that could not be.

    ``make`` returns the Markdown of what a marker asks for, or raises UsageError. What papertrack
    did not write is only replaced if one ``may_replace`` it: the table, what it holds, what it
    would.
    """
    tables = [table for table in find_tables(text) if not table.problem]
    refused = [f"Line {one.line}: one table too many, of {_MOST}." for one in tables[_MOST:]]
    for table in tables[:_MOST][::-1]:  # The places of those above stay so.
        start, end = table.span
        there = text[start:end].replace("\r\n", "\n").strip()
        try:
            made = make(table.asked).strip()
        except UsageError as error:
            refused.append(f"Line {table.line}: {error}")
            continue
        wanted = _written(made, table.eol)
        is_free = there in ("", made) or _is_own(there)
        if wanted != text[start:end] and (is_free or may_replace(table, there, made)):
            text = text[:start] + wanted + text[end:]
    return text, refused[::-1]


def with_tables_of(text: str, other: str) -> str:
    """A text with the tables of another version of it, where papertrack wrote both: nobody's words
    differ there, and the next export makes them anew."""
    theirs = {one.asked: one for one in find_tables(other) if not one.problem}
    for table in find_tables(text)[::-1]:
        if found := theirs.get(table.asked):
            (start, end), same = table.span, other[slice(*found.span)]
            if _is_own(text[start:end]) and _is_own(same):
                text = text[:start] + same + text[end:]
    return text


def _is_own(there: str) -> bool:
    """Whether this is what papertrack wrote."""
    head, _, body = there.replace("\r\n", "\n").strip().partition("\n")
    written = _WRITTEN.fullmatch(head)
    return written is not None and written[1] == _digest(body.strip())

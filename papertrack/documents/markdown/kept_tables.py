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
from itertools import chain
from typing import NamedTuple

from papertrack.documents.encoding import decode_document
from papertrack.documents.markdown.model import Lines
from papertrack.documents.markdown.syntax import Block, cut_lines, parse_syntax, walk
from papertrack.documents.markdown.values import Span
from papertrack.errors import UsageError
from papertrack.records import Skipped

_END_LINE = "<!-- /papertrack table -->"
_MARKER = re.compile(rf"[ >]*(?:[-*+] +)?(?:<!-- papertrack table:([^\r\n]*)-->|{_END_LINE})[ \t]*")
_SINGLE = (
    "This marker of a table has no partner: a table is between a line with its query and columns "
    f"and the line {_END_LINE}, both below a blank line and outside of lists and other HTML."
)
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
    is_single: bool = False
    """Whether its other marker is missing, or stands where no table can."""


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
    markers = _markers_of(lines, blocks)
    found, is_closed = [], False
    for (line, asked, at), after in zip(markers, [*markers[1:], (0, "", None)], strict=False):
        is_open = None not in (asked, at, after[2]) and after[1] is None
        if is_open:
            span = lines.starts[line + 1], lines.starts[after[0]]
            eol = text[lines.ends[line] : span[0]]
            found.append(KeptTable(line + 1, asked or "", span, eol))
        elif not is_closed:
            span = _table_beside(lines, blocks, at, -1 if asked is None else 1)
            found.append(KeptTable(line + 1, asked or "", span, is_single=True))
        is_closed = is_open
    return found


def _markers_of(lines: Lines, blocks: Sequence[Block]) -> list[tuple[int, str | None, int | None]]:
    """The lines that are markers, with what one asks for that begins a table, and which of the
    blocks it is; None where it is none of them."""
    numbers = {block.first: at for at, block in enumerate(blocks)}
    html = (block for block in walk(blocks) if block.kind == "html")
    return [
        (line, match[1], numbers.get(line))
        for line in chain.from_iterable(range(block.first, block.end) for block in html)
        if (match := _MARKER.fullmatch(lines.line(line)))
    ]


def _table_beside(lines: Lines, blocks: Sequence[Block], at: int | None, step: int) -> Span:
    """The table beside a marker: its rows are no entries though the other marker is gone."""
    if at is None:
        return 0, 0
    beside = blocks[at + 1 :] if step > 0 else blocks[:at][::-1]
    near = next((block for block in beside if block.kind != "html"), None)
    return lines.span(near.first, near.end) if near and near.kind == "table" else (0, 0)


def without_tables(text: str) -> tuple[str, list[Skipped]]:
    """A text with blanks in place of what tables hold, and the markers that make no table."""
    problems = []
    for table in find_tables(text):
        start, end = table.span
        text = text[:start] + re.sub(r"[^\r\n]", " ", text[start:end]) + text[end:]
        if table.is_single:
            problems.append(Skipped(table.line, _SINGLE, table.asked.strip() or _END_LINE))
    return text, problems


def fill_tables(
    text: str, make: Callable[[str], str], may_replace: Callable[[KeptTable, str, str], bool]
) -> tuple[str, list[str]]:
    """A text with its tables made anew, and sentences about those that could not be.

    ``make`` returns the Markdown of what a marker asks for, or raises UsageError. What papertrack
    did not write is only replaced if one ``may_replace`` it: the table, what it holds, what it
    would.
    """
    tables = [table for table in find_tables(text) if not table.is_single]
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


def are_current(data: bytes, make: Callable[[str], str]) -> bool:
    """Whether an export would change no table of this README, and has nothing to say of any. Raises
    DocumentError for one that cannot be read."""
    text, _ = decode_document(data)
    return fill_tables(text, make, lambda *_: True) == (text, [])


def with_tables_of(text: str, other: str) -> str:
    """A text with the tables of another version of it, where papertrack wrote both: nobody's words
    differ there, and the next export makes them anew."""
    theirs = {one.asked: one for one in find_tables(other) if not one.is_single}
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

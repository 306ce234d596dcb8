"""Tables that papertrack generates in a README, between two markers that the user writes:

    <!-- papertrack table: category:Serving pass:>1 | title,year,takeaway -->
    <!-- /papertrack table -->

Rows between the markers are not entries of the list. An export replaces them only if they match the
digest in their first line, that is, if papertrack wrote them. Text that a person wrote there is
kept.
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
"""How many tables of a README are filled. Each one is a search, and anybody may request it in a
README that others import."""


class KeptTable(NamedTuple):
    """A place for a table, or a marker whose partner is missing."""

    line: int
    """The line of the marker, counted from 1."""
    request: str
    """The query and columns in the marker."""
    span: Span
    """The whole lines between the markers. For a single marker, the table next to it."""
    eol: str = ""
    is_single: bool = False
    """Whether the other marker is missing or misplaced."""


def with_markers(request: str, made: str, eol: str = "\n") -> str:
    """Return a generated table with its digest and markers, as it is written to a README."""
    return f"<!-- papertrack table: {request} -->{eol}{_written(made, eol)}{_END_LINE}{eol}"


def _written(made: str, eol: str) -> str:
    """Return a generated table with its digest, as it is written between the markers."""
    lines = [f"<!-- written by papertrack, {_digest(made)} -->", "", *made.split("\n"), ""]
    return "".join(f"{line}{eol}" for line in lines)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def find_tables(text: str) -> list[KeptTable]:
    """Return the places for tables in a README. Markers in code blocks are ignored."""
    if "papertrack table" not in text:
        return []
    lines = cut_lines(text)
    blocks = parse_syntax(lines).blocks
    markers = _markers_of(lines, blocks)
    tables, is_closed = [], False
    for (line, request, at), after in zip(markers, [*markers[1:], (0, "", None)], strict=False):
        is_open = None not in (request, at, after[2]) and after[1] is None
        if is_open:
            span = lines.starts[line + 1], lines.starts[after[0]]
            eol = text[lines.ends[line] : span[0]]
            tables.append(KeptTable(line + 1, request or "", span, eol))
        elif not is_closed:
            span = _table_beside(lines, blocks, at, -1 if request is None else 1)
            tables.append(KeptTable(line + 1, request or "", span, is_single=True))
        is_closed = is_open
    return tables


def _markers_of(lines: Lines, blocks: Sequence[Block]) -> list[tuple[int, str | None, int | None]]:
    """Return the lines that are markers, each with its request and the index of its block.

    The request is None for an end marker; the index is None for a marker inside another block.
    """
    numbers = {block.first: at for at, block in enumerate(blocks)}
    html = (block for block in walk(blocks) if block.kind == "html")
    return [
        (line, match[1], numbers.get(line))
        for line in chain.from_iterable(range(block.first, block.end) for block in html)
        if (match := _MARKER.fullmatch(lines.line(line)))
    ]


def _table_beside(lines: Lines, blocks: Sequence[Block], at: int | None, step: int) -> Span:
    """Return the span of the table next to a single marker, which probably belongs to it.

    ``step`` is 1 to look below the marker, -1 to look above it.
    """
    if at is None:
        return 0, 0
    beside = blocks[at + 1 :] if step > 0 else blocks[:at][::-1]
    near = next((block for block in beside if block.kind != "html"), None)
    return lines.span(near.first, near.end) if near and near.kind == "table" else (0, 0)


def without_tables(text: str) -> tuple[str, list[Skipped]]:
    """Return a text with the content of generated tables blanked, and reports of single markers."""
    problems = []
    for table in find_tables(text):
        start, end = table.span
        text = text[:start] + re.sub(r"[^\r\n]", " ", text[start:end]) + text[end:]
        if table.is_single:
            problems.append(Skipped(table.line, _SINGLE, table.request.strip() or _END_LINE))
    return text, problems


def fill_tables(
    text: str, make: Callable[[str], str], may_replace: Callable[[KeptTable, str, str], bool]
) -> tuple[str, list[str]]:
    """Return a text with its tables generated again, and messages about those that failed.

    ``make`` returns the table for a request as Markdown, or raises UsageError. Text between markers
    that papertrack did not write is only replaced if ``may_replace`` returns True for the place,
    its present text and the new table.
    """
    tables = [table for table in find_tables(text) if not table.is_single]
    refused = [f"Line {t.line}: not filled, the limit is {_MOST} tables." for t in tables[_MOST:]]
    # From the last to the first, because replacing a table moves those below it.
    for table in tables[:_MOST][::-1]:
        start, end = table.span
        there = text[start:end].replace("\r\n", "\n").strip()
        try:
            made = make(table.request).strip()
        except UsageError as error:
            refused.append(f"Line {table.line}: {error}")
            continue
        wanted = _written(made, table.eol)
        is_free = there in ("", made) or _is_unchanged(there)
        if wanted != text[start:end] and (is_free or may_replace(table, there, made)):
            text = text[:start] + wanted + text[end:]
    return text, refused[::-1]


def are_current(data: bytes, make: Callable[[str], str]) -> bool:
    """Return whether filling the tables of a README would change nothing and report no error.

    Raises DocumentError if the README cannot be decoded.
    """
    text, _ = decode_document(data)
    return fill_tables(text, make, lambda *_: True) == (text, [])


def with_tables_of(text: str, other: str) -> str:
    """Return a text with the tables of another version, where papertrack wrote both.

    A merge need not compare them, because the next export generates them again.
    """
    theirs = {item.request: item for item in find_tables(other) if not item.is_single}
    for table in find_tables(text)[::-1]:
        if match := theirs.get(table.request):
            (start, end), same = table.span, other[slice(*match.span)]
            if _is_unchanged(text[start:end]) and _is_unchanged(same):
                text = text[:start] + same + text[end:]
    return text


def _is_unchanged(there: str) -> bool:
    """Return whether papertrack wrote this text, and nobody changed it since."""
    head, _, body = there.replace("\r\n", "\n").strip().partition("\n")
    written = _WRITTEN.fullmatch(head)
    return written is not None and written[1] == _digest(body.strip())

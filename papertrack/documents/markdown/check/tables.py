"""What is wrong with a document's tables: rows with other than their header's number of cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from papertrack.documents.markdown.check.types import Finding
from papertrack.documents.markdown.read.blocks import Block, Lines, walk
from papertrack.documents.markdown.read.columns import split_row


def check_tables(lines: Lines, blocks: Sequence[Block]) -> Iterator[Finding]:
    """Yield ragged rows; where most rows have the same number of cells, ragged is the header."""
    for block in walk(blocks):
        if block.kind == "table":
            yield from _check_table(lines, block)


def _check_table(lines: Lines, block: Block) -> Iterator[Finding]:
    wanted = _width(lines, block.first)
    widths = {number: _width(lines, number) for number in range(block.first + 2, block.end)}
    common, count = next(iter(Counter(widths.values()).most_common(1)), (wanted, 0))
    if common != wanted and count > 1 and count * 2 > len(widths):
        message = f"The header has {wanted} cells, but {count} of {len(widths)} rows have {common}"
        yield Finding(block.first + 1, "ragged-row", f"{message}.{_hidden(common, wanted)}")
        wanted = common
    for number, width in widths.items():
        if width != wanted:
            message = f"The row has {width} cells, but its table has {wanted} columns."
            yield Finding(number + 1, "ragged-row", message + _hidden(width, wanted))


def _width(lines: Lines, number: int) -> int:
    return len(split_row(lines.text, lines.starts[number], lines.ends[number]))


def _hidden(width: int, wanted: int) -> str:
    """GFM shows no cell that its table has no column for."""
    return " What is behind the last column is not shown." if width > wanted else ""

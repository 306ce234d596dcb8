"""The arXiv papers that a page shows, but that no entry is about: named with their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from papertrack.documents.markdown.model import Definition, Entry
from papertrack.documents.markdown.read.blocks import Block, Lines, is_comment, walk
from papertrack.identifiers import find_arxiv_ids
from papertrack.records import Skipped
from papertrack.text import shorten

_NUMBER = re.compile(r"[0-9]{4}\.[0-9]{4,5}|(?<=/)[0-9]{7}")
_LEAVES = ("heading", "paragraph", "table", "html")


def find_left_out(
    lines: Lines,
    blocks: Sequence[Block],
    definitions: Sequence[Definition],
    entries: Sequence[Entry],
    reported: Sequence[Skipped],
) -> Iterator[Skipped]:
    """Yield each visible arXiv id that no entry has or mentions, once, where it stands first.

    Code, comments and link definitions are not seen on the page. Of a line that
    was ``reported`` already nothing more is said.
    """
    held = _arxiv_ids(entries)
    # Nearly always there is none: each number that could be an id is known.
    if {*_NUMBER.findall(lines.text)} <= {value.rpartition("/")[2] for value in held}:
        return
    passed_over = {definition.line for definition in definitions}
    passed_over |= {skipped.line - 1 for skipped in reported}
    for number in _shown(lines, blocks):
        line = "" if number in passed_over else lines.line(number)
        for paper in find_arxiv_ids(line):
            if paper.id not in held:
                held.add(paper.id)
                yield Skipped(number + 1, f"arXiv:{paper.id} belongs to no entry.", shorten(line))


def _arxiv_ids(entries: Sequence[Entry]) -> set[str]:
    """Return the arXiv ids that entries have or mention."""
    named = (found for entry in entries for found in (*entry.identifiers, *entry.fields.related))
    return {identifier.value for identifier in named if identifier.scheme == "arxiv"}


def _shown(lines: Lines, blocks: Sequence[Block]) -> Iterator[int]:
    """Yield the lines that the page shows, counted from 0."""
    for block in walk(blocks):
        if block.kind in _LEAVES and not (block.kind == "html" and is_comment(lines, block)):
            yield from range(block.first, block.end)

"""A README as text → what it holds. Start here: ``parse_document``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from papertrack.documents.markdown.marks.registry import marks_mean_read
from papertrack.documents.markdown.model import Definition, Document, Entry, Lines
from papertrack.documents.markdown.read.blocks import (
    Block,
    Context,
    cut_lines,
    find_definitions,
    is_comment,
    parse_blocks,
    walk,
)
from papertrack.documents.markdown.read.inline import by_label
from papertrack.documents.markdown.read.style import learn_other_marks, learn_style, with_places
from papertrack.documents.markdown.read.walk import Walk
from papertrack.documents.markdown.settings import apply_settings, apply_to_marks, column_settings
from papertrack.identifiers import find_arxiv_ids
from papertrack.records import Skipped
from papertrack.text import shorten

_NUMBER = re.compile(r"[0-9]{4}\.[0-9]{4,5}|(?<=/)[0-9]{7}")
_LEAVES = ("heading", "paragraph", "table", "html")


def parse_document(text: str, settings: Mapping[str, str] | None = None) -> Document:
    """Return what a README holds. Never fails: what is not understood is in ``skipped``.

    ``settings`` is what the reader says about the document (see ``settings``).
    """
    settings = settings or {}
    lines = cut_lines(text)
    blocks = parse_blocks(lines)
    definitions = find_definitions(lines, blocks)
    checks = settings.get("checks")
    is_mark = marks_mean_read(text) if checks is None else checks == "read"
    context = Context(text, lines.starts, lines.ends, by_label(definitions), is_mark)
    reader = Walk(context, blocks, column_settings(settings))
    reader.visit_all(blocks)
    entries = _number(reader.entries)
    sections = reader.finish(entries)
    learnt = learn_style(lines, entries, reader.tables, sections, definitions)
    style = apply_settings(learnt, settings)
    others = {
        group: apply_to_marks(marks, settings)
        for group, marks in learn_other_marks(text, entries, learnt.marks).items()
    }
    left_out = _find_left_out(lines, blocks, definitions, entries, reader.skipped)
    return Document(
        text=text,
        starts=lines.starts,
        ends=lines.ends,
        title=reader.title,
        sections=sections,
        entries=with_places(entries, style.marks, others),
        tables=tuple(reader.tables),
        definitions=tuple(definitions),
        style=style,
        skipped=tuple(sorted((*reader.skipped, *left_out), key=attrgetter("line"))),
        parse=parse_document,
        settings=settings,
        other_marks=others,
    )


def _number(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the entries in the order of the text, each with its index and a key of its own."""
    seen: dict[str, int] = {}
    numbered = []
    for index, entry in enumerate(sorted(entries, key=attrgetter("span"))):
        count = seen[entry.key] = seen.get(entry.key, 0) + 1
        key = entry.key if count == 1 else f"{entry.key}#{count}"
        numbered.append(replace(entry, index=index, key=key))
    return tuple(numbered)


def _find_left_out(
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
    named = (found for entry in entries for found in (*entry.identifiers, *entry.fields.related))
    held = {identifier.value for identifier in named if identifier.scheme == "arxiv"}
    # Nearly always there is none: each number that could be an id is known.
    if {*_NUMBER.findall(lines.text)} <= {value.rpartition("/")[2] for value in held}:
        return
    leaves = [b for b in walk(blocks) if b.kind in _LEAVES and not is_comment(lines, b)]
    shown = {number for block in leaves for number in range(block.first, block.end)}
    shown -= {definition.line for definition in definitions}
    shown -= {skipped.line - 1 for skipped in reported}
    for number in sorted(shown):
        line = lines.line(number)
        for paper in find_arxiv_ids(line):
            if paper.id not in held:
                held.add(paper.id)
                yield Skipped(number + 1, f"arXiv:{paper.id} belongs to no entry.", shorten(line))

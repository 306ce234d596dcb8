"""A README as text → what it holds. Start here: ``parse_document``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from papertrack.documents.markdown.marks.registry import marks_mean_read
from papertrack.documents.markdown.model import Definition, Document, Entry
from papertrack.documents.markdown.read.blocks import (
    Block,
    Context,
    Lines,
    cut_lines,
    find_definitions,
    is_comment,
    parse_blocks,
    walk,
)
from papertrack.documents.markdown.read.inline import normalise_label
from papertrack.documents.markdown.read.left_out import find_left_out
from papertrack.documents.markdown.read.places import with_places
from papertrack.documents.markdown.read.style import learn_other_marks, learn_style
from papertrack.documents.markdown.read.walk import Walk
from papertrack.documents.markdown.settings import apply_settings, apply_to_marks, column_settings


def parse_document(text: str, settings: Mapping[str, str] | None = None) -> Document:
    """Return what a README holds. Never fails: what is not understood is in ``skipped``.

    ``settings`` is what the reader says about the document (see ``settings``).
    """
    settings = settings or {}
    lines = cut_lines(text)
    blocks = parse_blocks(lines)
    definitions, by_label = _definitions(lines, blocks)
    checks = settings.get("checks")
    is_mark = marks_mean_read(text) if checks is None else checks == "read"
    reader = Walk(Context(lines, by_label, is_mark), blocks, column_settings(settings))
    reader.visit_all(blocks)
    entries = number_entries(reader.entries)
    sections = reader.finish(entries)
    learnt = learn_style(lines, entries, reader.tables, sections, definitions)
    style = apply_settings(learnt, settings)
    others = {
        group: apply_to_marks(marks, settings)
        for group, marks in learn_other_marks(text, entries, learnt.marks).items()
    }
    left_out = find_left_out(lines, blocks, definitions, entries, reader.skipped)
    return Document(
        text=text,
        title=reader.title,
        sections=sections,
        entries=with_places(entries, style.marks, others),
        tables=tuple(reader.tables),
        definitions=tuple(definitions),
        style=style,
        skipped=tuple(sorted((*reader.skipped, *left_out), key=attrgetter("line"))),
        line_starts=lines.starts,
        parse=parse_document,
        settings=settings,
        other_marks=others,
    )


def number_entries(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the entries in the order of the text, each with its index and a key of its own."""
    seen: dict[str, int] = {}
    numbered = []
    for index, entry in enumerate(sorted(entries, key=lambda entry: entry.span)):
        count = seen[entry.key] = seen.get(entry.key, 0) + 1
        key = entry.key if count == 1 else f"{entry.key}#{count}"
        numbered.append(replace(entry, index=index, key=key))
    return tuple(numbered)


def _definitions(
    lines: Lines, blocks: Sequence[Block]
) -> tuple[list[Definition], dict[str, Definition]]:
    """Return the link definitions outside comments, and those that count by their labels."""
    hidden = [
        (block.first, block.end)
        for block in walk(blocks)
        if block.kind == "html" and is_comment(lines, block)
    ]
    definitions = find_definitions(lines, hidden)
    by_label: dict[str, Definition] = {}
    for definition in definitions:
        by_label.setdefault(normalise_label(definition.label), definition)
    return definitions, by_label

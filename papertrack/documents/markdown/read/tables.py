"""All tables of a document, before any is read: those with the same headers are read alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from papertrack.documents.markdown.grammar.cells import Cell
from papertrack.documents.markdown.grammar.columns import SAMPLE, TableGrammar, learn_table
from papertrack.documents.markdown.grammar.works import works_column
from papertrack.documents.markdown.read.columns import split_row
from papertrack.documents.markdown.read.context import Context
from papertrack.documents.markdown.syntax import Block, walk
from papertrack.text import fold


def learn_tables(
    context: Context, blocks: Sequence[Block], chosen: Mapping[str, str]
) -> dict[int, TableGrammar]:
    """Return how each table is written, by the line of its header.

    ``chosen`` is what the reader said of columns: folded header → role.
    """
    alike: dict[tuple[str, ...], list[Block]] = defaultdict(list)
    for block in walk(blocks):
        if block.kind == "table":
            header = split_row(context.text, *context.line_span(block.first))
            alike[tuple(fold(context.text[slice(*cell)]) for cell in header)].append(block)
    learnt: dict[int, TableGrammar] = {}
    for tables in alike.values():
        grammar = _learn(context, tables, chosen)
        learnt |= {block.first: grammar for block in tables}
    return learnt


def _learn(context: Context, tables: Sequence[Block], chosen: Mapping[str, str]) -> TableGrammar:
    """Return how tables with the same headers are written."""
    lines = [number for block in tables for number in range(block.first + 2, block.end)]
    step = -(-len(lines) // SAMPLE) or 1
    rows = [_row(context, number) for number in lines[::step]]
    header = split_row(context.text, *context.line_span(tables[0].first))
    headers = [context.text[slice(*cell)] for cell in header]
    grammar = learn_table(headers, rows, chosen)
    return replace(grammar, works=works_column(grammar.columns, rows))


def _row(context: Context, number: int) -> list[Cell]:
    """Return the cells of a row that is looked at to learn from it."""
    return [Cell(context, cell) for cell in split_row(context.text, *context.line_span(number))]

"""The grammar of a document as new entries are written by it: learnt once, of entries alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from papertrack.documents.markdown.grammar.cuts import Cut, cut_entries
from papertrack.documents.markdown.grammar.formats import Formats
from papertrack.documents.markdown.grammar.template import Template
from papertrack.documents.markdown.model import Document, Entry, Shape, Table

_MOST = 400
"""Entries that teach: of more, those nearest to the new one and others spread over the rest."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """How some entries of a document are written."""

    cuts: tuple[Cut, ...]
    template: Template
    formats: Formats


class Grammars:
    """The grammars of a document while edits are made."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._learnt: dict[object, Grammar] = {}

    def of_items(self, shape: Shape, near: Sequence[Entry]) -> Grammar:
        """Return how entries of a shape are written, above all ``near`` ones."""
        alike = [entry for entry in self.document.entries if entry.shape == shape]
        return self._of((shape, near[0].group if near else None), alike, near)

    def of_rows(self, table: Table, near: Sequence[Entry]) -> Grammar:
        """Return how the rows of a table are written, and those of tables with columns alike."""
        names = {column.header for column in table.columns}
        alike = [
            entry
            for other in self.document.tables
            if names & {column.header for column in other.columns}
            for entry in self.document.rows_of(other)[-_MOST:]
        ]
        return self._of(table.index, alike, near)

    def _of(self, key: object, alike: Sequence[Entry], near: Sequence[Entry]) -> Grammar:
        if key not in self._learnt:
            cuts = cut_entries(self.document, _spread(alike, near))
            flat = tuple(cut for of_entry in cuts for cut in of_entry)
            template = Template(self.document.text, flat)
            self._learnt[key] = Grammar(flat, template, Formats(self.document, flat))
        return self._learnt[key]


def _spread(alike: Sequence[Entry], near: Sequence[Entry]) -> list[Entry]:
    """Return the near entries, and of all others so many that it is enough."""
    if len(alike) <= 2 * _MOST:
        return list(alike)
    chosen = {entry.index: entry for entry in near[-_MOST:]}
    step = len(alike) // _MOST + 1
    chosen |= {entry.index: entry for entry in alike[::step]}
    return [chosen[index] for index in sorted(chosen)]

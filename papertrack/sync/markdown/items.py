"""The entries of a README as items of the engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from papertrack.documents.markdown.model import Document, Entry
from papertrack.library import Library
from papertrack.records import Identifier, PaperFacts
from papertrack.sync.format import Item
from papertrack.sync.markdown.values import entry_facts, entry_values
from papertrack.sync.threeway import Values


@dataclass
class MarkdownItem(Item):
    """A row or item of a list."""

    entry: Entry
    library: Library
    path: Path
    """Of the document, from which links to notes are seen."""

    @cached_property
    def values(self) -> Values:
        return entry_values(self.entry, self.library, self.path)

    @cached_property
    def facts(self) -> PaperFacts:
        return entry_facts(self.entry)

    @property
    def title(self) -> str | None:
        return self.entry.fields.title

    @property
    def identifiers(self) -> tuple[Identifier, ...]:
        return self.entry.identifiers

    @property
    def name(self) -> str:
        return self.entry.fields.title

    @property
    def read_at(self) -> str | None:
        return self.entry.fields.read_at


def items_of(document: Document, library: Library, path: Path) -> list[MarkdownItem]:
    """The entries of a document at ``path``."""
    return [
        MarkdownItem(
            number=number,
            key=entry.key,
            line=entry.line,
            category=entry.category,
            text=document.text[slice(*entry.span)],
            entry=entry,
            library=library,
            path=path,
        )
        for number, entry in enumerate(document.entries)
    ]

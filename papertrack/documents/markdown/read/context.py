"""What the readers of a document's parts share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from papertrack.documents.markdown.model import Part, Said, Skip, Unit
from papertrack.documents.markdown.syntax import Syntax
from papertrack.documents.markdown.values import Span

if TYPE_CHECKING:
    from papertrack.documents.markdown.marks.document_marks import DocumentMarks


class ListGrammar(Protocol):
    """What was learnt of how a document writes its entries."""

    def said(self, text: str, span: Span, skips: Mapping[int, Skip]) -> Said:
        """Return what an entry's own text says. ``skips`` are by where they start: what is no
        words, or a link's."""

    def parts_of_detail(self, text: str, span: Span, skips: Mapping[int, Skip]) -> list[Part]:
        """Return what the words of a line below an entry say, which are no title."""


@dataclass(frozen=True)
class Context(Syntax):
    """A text that was parsed, with its marks and how its lists are written."""

    marks: DocumentMarks = field(repr=False)
    grammar: ListGrammar = field(repr=False)

    @cached_property
    def units(self) -> dict[Span, Unit]:
        """What was read so far, by where it stands."""
        return {}

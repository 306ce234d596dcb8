"""The data that all modules need to read a document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from papertrack.documents.markdown.model import ParsedText, Part, Skip, Unit
from papertrack.documents.markdown.syntax import Syntax
from papertrack.documents.markdown.values import Span

if TYPE_CHECKING:
    from papertrack.documents.markdown.marks.document_marks import DocumentMarks


class ListGrammar(Protocol):
    """What was learnt about how a document writes its entries."""

    wrap_width: int
    """The width at which lines of items are wrapped; 0 if their ends separate what they say."""

    def parse(self, text: str, span: Span, skips: Mapping[int, Skip]) -> ParsedText:
        """Return the parts of an entry's own text.

        ``skips`` maps offsets to the links, code spans and texts without words that start there.
        """

    def parts_of_detail(self, text: str, span: Span, skips: Mapping[int, Skip]) -> list[Part]:
        """Return the parts of a line below an entry, which has no title."""


@dataclass(frozen=True)
class Context(Syntax):
    """A parsed text with its marks and the learnt grammar."""

    marks: DocumentMarks = field(repr=False)
    grammar: ListGrammar = field(repr=False)

    @cached_property
    def units(self) -> dict[Span, Unit]:
        """A cache of the units, by span."""
        return {}

"""Reading marks behind a label on a line of their own: ``Status: done``, ``- Read: ✅``."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from papertrack.documents.markdown.headers import role_of_header
from papertrack.documents.markdown.marks.kind import DocumentMarks, Mark
from papertrack.documents.markdown.values import Span
from papertrack.text import fold

_LINE = re.compile(
    r"^[ \t>]*(?:[-+*][ \t]+)?[*_]{0,2}(?P<label>[^\W\d_][^\n|:：*_]{0,20}?)[*_]{0,2}"
    r"[ ]?[:：][*_]{0,2}[ \t]*(?P<value>[^\s:：](?:[^\n:：]{0,40}[^\s:：])?)[ \t\r]*$",
    re.MULTILINE,
)


class LabelledMarks:
    """Those of a document. What a label says is what it would say above a column."""

    def __init__(self, text: str, marks: DocumentMarks) -> None:
        lines = _LINE.finditer(text) if marks.mean_read else ()
        spans = [one.span("value") for one in lines if _is_of_passes(one["label"])]
        read = marks.cell_reader([text[slice(*span)] for span in spans])
        found = (read(text, span) for span in spans)
        self.marks = [replace(mark, is_placed=True) for mark in found if mark]
        self.starts = [mark.span[0] for mark in self.marks]

    def first_in(self, spans: Sequence[Span]) -> Mark | None:
        """Return the first mark in these stretches."""
        for start, end in spans:
            at = bisect_left(self.starts, start)
            if at < len(self.marks) and self.marks[at].span[1] <= end:
                return self.marks[at]
        return None


def _is_of_passes(label: str) -> bool:
    return role_of_header(fold(label), label) == "passes"

"""What a document itself says is on purpose: ``<!-- papertrack: ignore duplicate, date -->``.

The comment stands in the line of the finding, or in a line of its own directly above it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from papertrack.documents.markdown.check.findings import Finding
from papertrack.documents.markdown.model import Document

_COMMENT = re.compile(r"<!--\s{0,9}papertrack:\s{0,9}ignore\b(?P<kinds>[^<>]{0,400}?)-->", re.I)
_ALONE = re.compile(r"[\s>]*(?:<!--(?:(?!-->).)*-->\s*)+$")
ALL = "all"
"""Accepts each kind: a comment that names none."""


def read_accepted(document: Document) -> dict[int, frozenset[str]]:
    """Return the kinds that are accepted in each line, counted from 1."""
    accepted: dict[int, frozenset[str]] = {}
    for match in _COMMENT.finditer(document.text):
        kinds = frozenset(re.findall(r"[a-z-]{3,}", match["kinds"].lower())) or frozenset({ALL})
        line = document.line_of(match.start())
        is_alone = _ALONE.match(document.line(line - 1)) is not None
        for number in (line, line + 1) if is_alone else (line,):
            accepted[number] = accepted.get(number, frozenset()) | kinds
    return accepted


def is_accepted(finding: Finding, accepted: Mapping[int, frozenset[str]]) -> bool:
    """Return whether the document accepts a finding; one about two things, at either."""
    lines = (finding.line, finding.other_line or finding.line)
    return any({finding.kind, ALL} & accepted.get(line, frozenset()) for line in lines)

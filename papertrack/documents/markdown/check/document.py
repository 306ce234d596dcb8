"""Checking one document by itself. Start here: ``check_document``."""

from __future__ import annotations

from collections.abc import Iterator

from papertrack.documents.markdown.check.entries import (
    entries_without_link,
    listed,
    ragged_rows,
    wrong_dates,
)
from papertrack.documents.markdown.check.findings import Finding, read_accepted
from papertrack.documents.markdown.check.links import check_links, check_references, running_text
from papertrack.documents.markdown.check.repeats import repeated_works
from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.syntax import parse_syntax, walk


def check_document(document: Document, before: Document | None = None) -> tuple[Finding, ...]:
    """Return what is wrong within a document, in the order of its lines, each thing once.

    ``before`` is an older version of it: of two entries for one work the finding is then at the
    one that is new. What the document itself accepts is left out.
    """
    accepted = read_accepted(document)
    found = {
        one
        for one in _all_findings(document, before)
        if accepted.isdisjoint([(one.line, one.kind), (one.other_line or 0, one.kind)])
    }
    return tuple(sorted(found, key=lambda one: (one.line, one.kind, one.message)))


def _all_findings(document: Document, before: Document | None) -> Iterator[Finding]:
    syntax = parse_syntax(document)
    stretches = list(running_text(syntax))
    broken = [*check_links(document, stretches)]
    for table in (block for block in walk(syntax.blocks) if block.kind == "table"):
        broken += ragged_rows(document, table)
    told = {one.line for one in broken}
    entries = listed(document)
    yield from broken
    yield from check_references(document, stretches)
    yield from repeated_works(document, entries, before)
    yield from wrong_dates(entries)
    yield from (one for one in entries_without_link(document, entries) if one.line not in told)

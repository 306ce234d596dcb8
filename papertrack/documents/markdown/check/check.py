"""What a curator wants to know about a document before a commit. Start here: ``check_document``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from papertrack.documents.markdown.check.entries import check_entries
from papertrack.documents.markdown.check.links import check_links, is_broken
from papertrack.documents.markdown.check.tables import check_tables
from papertrack.documents.markdown.check.types import Finding
from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.read.blocks import cut_lines, parse_blocks
from papertrack.documents.markdown.roles import is_web

_NOTE_FILE = re.compile(r"\.(?:md|markdown|ipynb|txt|rst|org|pdf)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file beside the document that an entry links to."""

    line: int
    path: str
    """Relative to the document's folder, with ``/``."""


def check_document(document: Document) -> tuple[Finding, ...]:
    """Return what is wrong within a document, in the order of its lines, each thing once."""
    lines = cut_lines(document.text)
    blocks = parse_blocks(lines)
    links = tuple(check_links(document, lines, blocks))
    unaddressed = {finding.line for finding in links if finding.kind == "empty-link"}
    entries = (
        finding
        for finding in check_entries(document)
        if finding.kind != "no-link" or finding.line not in unaddressed
    )
    found = {*links, *entries, *check_tables(lines, blocks)}
    return tuple(sorted(found, key=lambda finding: (finding.line, finding.kind, finding.message)))


def local_files(document: Document) -> Iterator[LocalFile]:
    """Yield the notes and other texts beside the document that its entries link to.

    A path from the root of a repository is left out: where that is, the document does not say.
    """
    for entry in document.entries:
        for link in entry.anatomy.links:
            if not link.url or is_web(link.url) or is_broken(link.url):
                continue
            try:
                parts = urlsplit(link.url)
            except ValueError:
                continue
            path = unquote(parts.path)
            is_text = link.role == "note" or _NOTE_FILE.search(path)
            if is_text and path and not (parts.scheme or parts.netloc or path.startswith("/")):
                yield LocalFile(document.line_of(link.span[0]), path)

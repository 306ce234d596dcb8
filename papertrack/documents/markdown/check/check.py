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
            path = _path_beside(link.url)
            if path and (link.role == "note" or _NOTE_FILE.search(path)):
                yield LocalFile(document.line_of(link.span[0]), path)


def _path_beside(url: str) -> str | None:
    """Return the path that an address gives from the document's folder; None for any other."""
    if not url or is_web(url) or is_broken(url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    path = unquote(parts.path)
    return None if parts.scheme or parts.netloc or path.startswith("/") else path

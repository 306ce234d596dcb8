"""Reading a document from its file, and finding the registered ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from papertrack.documents.encoding import decode_document
from papertrack.documents.markdown.model import Document
from papertrack.documents.markdown.read.document import parse_document
from papertrack.documents.markdown.repair import find_damage, repair_encoding
from papertrack.errors import DocumentError
from papertrack.library.files import read_file
from papertrack.records import Skipped


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A file as it was read, and what it holds."""

    path: Path
    data: bytes
    encoding: str
    """As ``decode_document`` names it."""
    document: Document
    damage: tuple[Skipped, ...]
    """Lines that look mis-decoded, or, after a repair, that could not be repaired."""


def read_document(
    path: Path,
    settings: Mapping[str, str] | None = None,
    *,
    is_repaired: bool = False,
    data: bytes | None = None,
) -> ReadDocument:
    """Read and parse a Markdown file; ``is_repaired`` parses its text with the encoding repaired.

    ``settings`` is what the reader set about it (see ``documents.settings``). ``data`` is taken for
    what the file holds.
    Raises NotFoundError, PapertrackError or DocumentError, naming the file, when it is not there,
    cannot be read, or could not be kept byte for byte.
    """
    data = read_file(path) if data is None else data
    try:
        text, encoding = decode_document(data)
    except DocumentError as error:
        raise DocumentError(f"{path}: {error}") from error
    if is_repaired:
        repaired = repair_encoding(text)
        text, damage = repaired.text, repaired.beyond_repair
    else:
        damage = find_damage(text)
    return ReadDocument(path, data, encoding, parse_document(text, settings), damage)

"""A .bib file → its entries as facts, and small changes to its text.

Pure: bytes and text come in as arguments.
"""

from papertrack.documents.bibtex.edit import (
    AddEntry,
    BibEdit,
    RemoveEntry,
    RemoveField,
    ReplaceEntry,
    SetField,
    SetKey,
    SetType,
    apply_bib_edits,
)
from papertrack.documents.bibtex.model import BibEntry, BibLibrary
from papertrack.documents.bibtex.parse import parse_bibtex
from papertrack.documents.bibtex.units import deleted_hunk, removed_hunk, with_hunks
from papertrack.documents.encoding import decode_bib, encode_bib

__all__ = [
    "AddEntry",
    "BibEdit",
    "BibEntry",
    "BibLibrary",
    "RemoveEntry",
    "RemoveField",
    "ReplaceEntry",
    "SetField",
    "SetKey",
    "SetType",
    "apply_bib_edits",
    "decode_bib",
    "deleted_hunk",
    "encode_bib",
    "parse_bibtex",
    "removed_hunk",
    "with_hunks",
]

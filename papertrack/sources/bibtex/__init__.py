"""A .bib file → its entries as facts. Pure: bytes and text come in as arguments."""

from papertrack.sources.bibtex.encoding import decode_bib, encode_bib
from papertrack.sources.bibtex.model import BibEntry, BibLibrary
from papertrack.sources.bibtex.parse import parse_bibtex

__all__ = ["BibEntry", "BibLibrary", "decode_bib", "encode_bib", "parse_bibtex"]

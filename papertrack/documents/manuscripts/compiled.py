"""What LaTeX and biblatex wrote of a manuscript: .aux and .bcf files."""

from __future__ import annotations

import re
from html import unescape

from papertrack.documents.manuscripts.model import Citation, Defined, Found, Inclusion
from papertrack.text import line_counter

_AUX_CITATION = re.compile(r"^\\(?:citation|abx@aux@cite(?:\{[0-9]+\})?)\{([^{}]*)\}", re.MULTILINE)
_AUX_INCLUSION = re.compile(r"^\\@input\{([^{}\n]+)\}", re.MULTILINE)
_BCF_CITEKEY = re.compile(r"<bcf:citekey\b[^>]*>([^<]*)</bcf:citekey>")
_KEY = re.compile(r"[^,\s](?:[^,]*[^,\s])?")


def scan_aux(text: str, defined: Defined) -> Found:
    """The citations and further files that an .aux file lists."""
    line_of = line_counter(text)
    inclusions = [
        Inclusion("@input", found[1], line_of(found.start()), (found[1],))
        for found in _AUX_INCLUSION.finditer(text)
    ]
    return Found(_keys(_AUX_CITATION, text), tuple(inclusions))


def scan_bcf(text: str, defined: Defined) -> Found:
    """The citations that biblatex hands to biber."""
    line_of = line_counter(text)
    return Found(
        tuple(
            Citation(unescape(found[1].strip()), line_of(found.start()), *found.span(1))
            for found in _BCF_CITEKEY.finditer(text)
        )
    )


def _keys(lists: re.Pattern[str], text: str) -> tuple[Citation, ...]:
    line_of = line_counter(text)
    return tuple(
        Citation(" ".join(key.group().split()), line_of(key.start()), *key.span())
        for found in lists.finditer(text)
        for key in _KEY.finditer(text, *found.span(1))
    )

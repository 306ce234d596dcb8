"""Papers as RIS, which EndNote, Mendeley, Zotero and Papers import.

Tags are those of the format's specification by Research Information Systems (2011).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from papertrack.identifiers.derived import address_of, parts_of, type_of, year_of
from papertrack.records import Author, Paper
from papertrack.text import clean

_TYPES = {
    "article": "JOUR",
    "inproceedings": "CPAPER",
    "conference": "CPAPER",
    "incollection": "CHAP",
    "inbook": "CHAP",
    "book": "BOOK",
    "proceedings": "CONF",
    "phdthesis": "THES",
    "mastersthesis": "THES",
    "thesis": "THES",
    "techreport": "RPRT",
    "report": "RPRT",
    "unpublished": "UNPB",
    "software": "COMP",
    "dataset": "DATA",
    "online": "ELEC",
}
_TAGS = {
    "volume": "VL",
    "number": "IS",
    "issue": "IS",
    "publisher": "PB",
    "address": "CY",
    "location": "CY",
    "series": "T3",
    "edition": "ET",
    "isbn": "SN",
    "issn": "SN",
}
"""BibTeX field → RIS tag."""


def to_ris(papers: Iterable[Paper]) -> str:
    """One record per paper in the order of the citekeys, lines ended by CR and LF, as RIS asks."""
    ordered = sorted(papers, key=lambda paper: paper.citekey)
    records = ("".join(f"{tag}  - {text}\r\n" for tag, text in _record(paper)) for paper in ordered)
    return "\r\n".join(records)


def _record(paper: Paper) -> Iterator[tuple[str, str]]:
    """Tag and text of each line. Cleaned text has no line end, so none begins a tag of its own."""
    facts = paper.facts
    arxiv_id = facts.identifier("arxiv")
    year = year_of(paper)
    lines = [
        ("TY", _TYPES.get(type_of(paper) or "", "GEN" if arxiv_id is not None else "ELEC")),
        ("ID", paper.citekey),
        ("TI", facts.title),
        *(("AU", _name(author)) for author in facts.authors),
        ("PY", str(year) if year is not None else None),
        ("T2", facts.venue),
        *((_TAGS[name], text) for name, text in facts.publication if name in _TAGS),
        *_pages(paper),
        ("DO", facts.identifier("doi")),
        ("UR", address_of(paper)),
        ("M1", f"arXiv:{arxiv_id}" if arxiv_id is not None else None),
        ("AB", facts.abstract),
        *(("KW", tag) for tag in paper.tags),
    ]
    for tag, text in lines:
        if text and (line := clean(text)):
            yield tag, line
    yield "ER", ""


def _pages(paper: Paper) -> Iterator[tuple[str, str]]:
    pages = dict(paper.facts.publication).get("pages", "").replace("--", "–").replace("-", "–")
    first, _, last = pages.partition("–")
    yield "SP", first
    yield "EP", last


def _name(author: Author) -> str:
    """``Last, First, Suffix``, as RIS writes authors."""
    family, given, suffix = parts_of(author)
    return ", ".join(part for part in (family, given, suffix) if part)

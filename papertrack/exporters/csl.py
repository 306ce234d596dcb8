"""Papers as CSL-JSON, the input of citeproc, Pandoc, Quarto and Zotero.

Types and variables are those of CSL 1.0.2 (https://docs.citationstyles.org, appendices III, IV).
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from papertrack.identifiers.derived import address_of, parts_of, type_of, year_of
from papertrack.records import Author, Paper
from papertrack.text import clean

_TYPES = {
    "article": "article-journal",
    "inproceedings": "paper-conference",
    "conference": "paper-conference",
    "proceedings": "book",
    "incollection": "chapter",
    "inbook": "chapter",
    "book": "book",
    "collection": "book",
    "booklet": "pamphlet",
    "phdthesis": "thesis",
    "mastersthesis": "thesis",
    "thesis": "thesis",
    "techreport": "report",
    "report": "report",
    "manual": "report",
    "unpublished": "manuscript",
    "software": "software",
    "dataset": "dataset",
    "online": "webpage",
}
_VARIABLES = {
    "volume": "volume",
    "number": "issue",
    "issue": "issue",
    "pages": "page",
    "publisher": "publisher",
    "address": "publisher-place",
    "location": "publisher-place",
    "series": "collection-title",
    "edition": "edition",
    "isbn": "ISBN",
    "issn": "ISSN",
}
"""BibTeX field → CSL variable."""


def to_csl_json(papers: Iterable[Paper]) -> str:
    """An array of items with the citekey as ``id``, in the order of the keys."""
    items = [_item(paper) for paper in sorted(papers, key=lambda paper: paper.citekey)]
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


def _item(paper: Paper) -> dict[str, object]:
    facts = paper.facts
    arxiv_id = facts.identifier("arxiv")
    entry_type = type_of(paper)
    item: dict[str, object | None] = {
        "id": paper.citekey,
        # CSL's word for a preprint is "article"; a page without one is a web page.
        "type": _TYPES.get(entry_type or "", "article" if arxiv_id is not None else "webpage"),
        "title": facts.title and clean(facts.title),
        "author": [_name(author) for author in facts.authors] or None,
        "issued": _issued(paper),
        "container-title": facts.venue and clean(facts.venue),
        "DOI": facts.identifier("doi"),
        "URL": address_of(paper),
        "abstract": facts.abstract,
    }
    for name, text in facts.publication:
        if name in _VARIABLES:
            item.setdefault(_VARIABLES[name], clean(text))
    if arxiv_id is not None:
        item["number"] = f"arXiv:{arxiv_id}"
        item["archive"] = "arXiv"
        item["archive_location"] = arxiv_id
    return {name: value for name, value in item.items() if value is not None}


def _name(author: Author) -> dict[str, str]:
    """Family and given names; a name that has no parts is ``literal``."""
    family, given, suffix = parts_of(author)
    if not given:
        return {"literal": family}
    return {"family": family, "given": given, **({"suffix": suffix} if suffix else {})}


def _issued(paper: Paper) -> dict[str, list[list[int]]] | None:
    year = year_of(paper)
    if year is None:
        return None
    submitted = paper.facts.submitted or ""
    parts = [int(part) for part in submitted[:10].split("-")] if submitted else [year]
    return {"date-parts": [parts if parts[0] == year else [year]]}

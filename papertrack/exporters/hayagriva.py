"""Papers as Hayagriva, the format of Typst's bibliographies.

Types, fields and their values are those of its description
(https://github.com/typst/hayagriva/blob/main/docs/file-format.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from papertrack.exporters.yaml import Data, to_yaml
from papertrack.identifiers.derived import address_of, parts_of, type_of, year_of
from papertrack.records import Author, Paper
from papertrack.text import clean

_TYPES: dict[str, tuple[str, str | None]] = {
    "article": ("article", "periodical"),
    **dict.fromkeys(("inproceedings", "conference"), ("article", "proceedings")),
    "incollection": ("anthos", "anthology"),
    "inbook": ("chapter", "book"),
    **dict.fromkeys(("book", "booklet"), ("book", None)),
    "collection": ("anthology", None),
    "proceedings": ("proceedings", None),
    **dict.fromkeys(("phdthesis", "mastersthesis", "thesis"), ("thesis", None)),
    **dict.fromkeys(("techreport", "report"), ("report", None)),
    "manual": ("reference", None),
    "unpublished": ("manuscript", None),
    **dict.fromkeys(("software", "dataset"), ("repository", None)),
    "online": ("web", None),
}
"""BibTeX's type → Hayagriva's, and that of what it appeared in."""
_NUMBERS = ("isbn", "issn")
_OF_THE_WHOLE = {
    "volume": "volume",
    **dict.fromkeys(("number", "issue"), "issue"),
    "publisher": "publisher",
    **dict.fromkeys(("address", "location"), "location"),
    "edition": "edition",
}
"""BibTeX's field → Hayagriva's, of what the work appeared in if it did."""
_VOLUME = re.compile(r"\d{1,9}(?:\s*-+\s*\d{1,9})?")
_PAGES = re.compile(r"\s*(\d{1,9})\s*(?:(?:-+|–|—)\s*(\d{1,9})\s*)?")
_CAPITALS = re.compile(r"(?<!\\)\b\w*\w[A-Z]\w*|\b[A-Z]\b(?=[-+*])")
_SPECIAL = re.compile(r"[\\{}$]")


def to_hayagriva(papers: Iterable[Paper]) -> str:
    """A mapping from citekey to work, in the order of the keys."""
    ordered = sorted(papers, key=lambda paper: paper.citekey)
    return to_yaml({paper.citekey: dict(_work(paper)) for paper in ordered})


def _work(paper: Paper) -> Iterator[tuple[str, Data]]:
    facts = paper.facts
    kind, parent_kind = _type_of(paper)
    yield "type", kind
    if facts.title:
        yield "title", _cased(facts.title)
    if facts.authors:
        yield "author", [_person(author) for author in facts.authors]
    if date := _date(paper):
        yield "date", date
    whole = dict(_of_the_whole(paper))
    if parent_kind and facts.venue:
        name: Data = {"value": _formattable(facts.venue), "verbatim": True}
        yield "parent", {"type": parent_kind, "title": name, **whole}
    else:
        # A thesis or report names in the place of a venue who gave it out.
        yield from ({"organization": clean(facts.venue), **whole} if facts.venue else whole).items()
    yield from _of_itself(paper)


def _type_of(paper: Paper) -> tuple[str, str | None]:
    known = _TYPES.get(type_of(paper) or "")
    if known:
        return known
    return ("article" if paper.facts.identifier("arxiv") is not None else "web"), None


def _of_the_whole(paper: Paper) -> Iterator[tuple[str, Data]]:
    for name, text in paper.facts.publication:
        # A volume that is no number would make the whole file one that Typst refuses.
        if name in _OF_THE_WHOLE and (name != "volume" or _VOLUME.fullmatch(text.strip())):
            is_text = name in ("publisher", "address", "location")
            yield _OF_THE_WHOLE[name], _formattable(text) if is_text else clean(text)


def _of_itself(paper: Paper) -> Iterator[tuple[str, Data]]:
    facts = paper.facts
    said = dict(facts.publication)
    if pages := _PAGES.fullmatch(said.get("pages", "")):
        yield "page-range", "-".join(filter(None, pages.groups()))
    if address := address_of(paper):
        yield "url", address
    arxiv_id = facts.identifier("arxiv")
    numbers = {
        "doi": facts.identifier("doi"),
        "arxiv": arxiv_id,
        **{name: said.get(name) for name in _NUMBERS},
    }
    if known := {name: clean(value) for name, value in numbers.items() if value}:
        yield "serial-number", known
    if arxiv_id is not None and not facts.venue:
        yield "archive", "arXiv"
    if facts.abstract:
        yield "abstract", _formattable(facts.abstract)
    if note := said.get("note"):
        yield "note", _formattable(note)


def _date(paper: Paper) -> str | None:
    """As precise as it is known: the day of submission says none of another year's publication."""
    year = year_of(paper)
    if year is None or not 0 <= year <= 9999:
        return None
    submitted = (paper.facts.submitted or "")[:10]
    return submitted if submitted.startswith(f"{year:04}-") else f"{year:04}"


def _person(author: Author) -> dict[str, Data]:
    family, given, suffix = parts_of(author)
    parts = {"name": family, "given-name": given, "suffix": suffix}
    return {name: clean(part) for name, part in parts.items() if part}


def _cased(text: str) -> str:
    """Text that a style may change the case of, but for words with capitals of their own."""
    return _CAPITALS.sub(r"{\g<0>}", _formattable(text))


def _formattable(text: str) -> str:
    """Text in which what would begin something else is escaped."""
    return _SPECIAL.sub(r"\\\g<0>", clean(text))

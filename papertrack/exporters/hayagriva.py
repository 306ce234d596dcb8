"""Papers as Hayagriva, the format of Typst's bibliographies.

Types, fields and their values are those of its description
(https://github.com/typst/hayagriva/blob/main/docs/file-format.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from papertrack.exporters.bibtex import OwnEntries
from papertrack.exporters.csl import Item, csl_items, iso_date
from papertrack.exporters.yaml import Data, to_yaml
from papertrack.records import Paper
from papertrack.text import clean

_TYPES: dict[str, tuple[str, str | None]] = {
    "article": ("article", None),
    "article-journal": ("article", "periodical"),
    "article-magazine": ("article", "periodical"),
    "article-newspaper": ("article", "newspaper"),
    "book": ("book", None),
    "chapter": ("chapter", "book"),
    "dataset": ("repository", None),
    "entry-encyclopedia": ("entry", "reference"),
    "graphic": ("artwork", None),
    "legal_case": ("case", None),
    "legislation": ("legislation", None),
    "manuscript": ("manuscript", None),
    "motion_picture": ("video", None),
    "pamphlet": ("book", None),
    "paper-conference": ("article", "proceedings"),
    "patent": ("patent", None),
    "report": ("report", None),
    "software": ("repository", None),
    "song": ("audio", None),
    "thesis": ("thesis", None),
    "webpage": ("web", None),
}
"""CSL's type → Hayagriva's, and that of what it appeared in; ``misc`` for any other."""
_OF_THE_WHOLE = {
    "volume": "volume",
    "issue": "issue",
    "publisher": "publisher",
    "publisher-place": "location",
    "edition": "edition",
}
"""CSL's variable → Hayagriva's field, of what the work appeared in if it did."""
_GIVEN_OUT_BY = ("thesis", "report")
"""Types whose publisher is an organisation."""
_NUMBERS = {"DOI": "doi", "archive_location": "arxiv", "ISBN": "isbn", "ISSN": "issn"}
_VOLUME = re.compile(r"\d{1,9}(?:\s*-+\s*\d{1,9})?")
_PAGES = re.compile(r"\s*(\d{1,9})\s*(?:(?:-+|–|—)\s*(\d{1,9})\s*)?")
_CAPITALS = re.compile(r"(?<!\\)\b\w*\w[A-Z]\w*|\b[A-Z]\b(?=[-+*])")
_SPECIAL = re.compile(r"[\\{}$]")


def to_hayagriva(papers: Iterable[Paper], *, own: OwnEntries | None = None) -> str:
    """Return a mapping from key to work, in the order of the keys."""
    return to_yaml({item["id"]: dict(_work(item)) for item in csl_items(papers, own)})


def _work(item: Item) -> Iterator[tuple[str, Data]]:
    kind, parent_kind = _TYPES.get(item["type"], ("misc", None))
    if item["type"] == "chapter" and "editor" in item:
        kind, parent_kind = "anthos", "anthology"
    yield "type", kind
    if title := item.get("title"):
        # A style may change the case of all but words with capitals of their own.
        yield "title", _CAPITALS.sub(r"{\g<0>}", _formattable(title))
    if authors := item.get("author"):
        yield "author", list(map(_person, authors))
    if date := iso_date(item.get("issued")):
        yield "date", date
    whole = dict(_of_the_whole(item, kind))
    venue = item.get("container-title")
    if parent_kind and venue:
        name: Data = {"value": _formattable(venue), "verbatim": True}
        yield "parent", {"type": parent_kind, "title": name, **whole}
    else:
        yield from ({"organization": clean(venue), **whole} if venue else whole).items()
    yield from _of_itself(item)


def _of_the_whole(item: Item, kind: str) -> Iterator[tuple[str, Data]]:
    if editors := item.get("editor"):
        yield "editor", list(map(_person, editors))
    for variable, field in _OF_THE_WHOLE.items():
        text = item.get(variable, "")
        if field == "publisher" and kind in _GIVEN_OUT_BY:
            field = "organization"
        # A volume that is no number would make the whole file one that Typst refuses.
        if text and (field != "volume" or _VOLUME.fullmatch(text.strip())):
            yield field, _formattable(text) if field in ("publisher", "location") else clean(text)


def _of_itself(item: Item) -> Iterator[tuple[str, Data]]:
    if pages := _PAGES.fullmatch(item.get("page", "")):
        yield "page-range", "-".join(filter(None, pages.groups()))
    if address := item.get("URL"):
        visited = iso_date(item.get("accessed"))
        yield "url", {"value": address, "date": visited} if visited else address
    numbers = {field: clean(item[name]) for name, field in _NUMBERS.items() if name in item}
    if "number" in item and "archive" not in item:
        numbers["serial"] = clean(item["number"])
    if numbers:
        yield "serial-number", numbers
    if "archive" in item and "container-title" not in item:
        yield "archive", item["archive"]
    if translators := item.get("translator"):
        names = list(map(_person, translators))
        yield "affiliated", [{"role": "translator", "names": names}]
    if language := item.get("language"):
        yield "language", language
    for name in ("genre", "abstract", "note"):
        if text := item.get(name):
            yield name, _formattable(text)


def _person(name: Mapping[str, str]) -> dict[str, Data]:
    parts = {
        "name": name.get("family") or name.get("literal", ""),
        "given-name": name.get("given", ""),
        "suffix": name.get("suffix", ""),
    }
    return {field: clean(part) for field, part in parts.items() if part}


def _formattable(text: str) -> str:
    """Return text in which what would begin something else is escaped."""
    return _SPECIAL.sub(r"\\\g<0>", clean(text))

"""Papers as lists of references: CSL-JSON and CSL-YAML, for citeproc, Pandoc, Quarto and Zotero;
RIS, for EndNote, Mendeley, Zotero and Papers; Hayagriva, for Typst."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

import yaml

from papertrack.exporters.bibtex import OwnEntries
from papertrack.exporters.csl import Item, csl_item, csl_items, iso_date
from papertrack.records import Paper
from papertrack.text import clean

Data = str | bool | int | Mapping[str, "Data"] | Sequence["Data"]

# Words that YAML 1.1 reads as truth values are not among them.
_PLAIN_NAME = re.compile(r"(?!(?i:y|n|yes|no|on|off|true|false|null)$)[a-zA-Z][a-zA-Z_-]*")
_NOT_MARKDOWN = {"id", "type", "DOI", "URL", "issued"}
_MARKUP = re.compile(r"[\\`*_{}\[\]<>$@~^#|&!]|-(?=-)|\.(?=\.\.)")


def to_csl(papers: Iterable[Paper], *, own: OwnEntries | None = None) -> str:
    """Return an array of items with the citekey as ``id``, one for each key, in order."""
    return json.dumps(csl_items(papers, own), ensure_ascii=False, indent=2) + "\n"


def to_csl_yaml(papers: Iterable[Paper], *, own: OwnEntries | None = None) -> str:
    """Return the CSL-JSON items as Pandoc and Quarto read them: under ``references``, as
    Markdown."""
    items = csl_items(papers, own)
    for item in items:
        for name in set(item) - _NOT_MARKDOWN:
            item[name] = _as_markdown(item[name])
    return to_yaml({"references": items})


def _as_markdown(value: Any) -> Any:
    """Return texts with backslashes before what Markdown would interpret."""
    if isinstance(value, dict):
        return {name: _as_markdown(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_as_markdown(part) for part in value]
    return _MARKUP.sub(r"\\\g<0>", value) if isinstance(value, str) else value


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Writes texts in quotes, except simple words: YAML 1.1 and 1.2 read some texts differently."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _represent_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = None if _PLAIN_NAME.fullmatch(text) else '"'
    node: yaml.ScalarNode = dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)
    return node


_Dumper.add_representer(str, _represent_text)


def to_yaml(data: Mapping[str, Data]) -> str:
    """Return plain data as a YAML document with a final newline."""
    how = {"allow_unicode": True, "sort_keys": False, "width": 2**31 - 1}
    return str(yaml.dump(data, Dumper=_Dumper, **how))


# RIS, by its specification of Research Information Systems (2011).

_RIS_TYPES = {
    "article": "GEN",
    "article-journal": "JOUR",
    "article-magazine": "MGZN",
    "article-newspaper": "NEWS",
    "book": "BOOK",
    "chapter": "CHAP",
    "dataset": "DATA",
    "entry-encyclopedia": "ENCYC",
    "graphic": "ART",
    "legal_case": "CASE",
    "legislation": "STAT",
    "manuscript": "UNPB",
    "motion_picture": "MPCT",
    "pamphlet": "PAMP",
    "paper-conference": "CPAPER",
    "patent": "PAT",
    "personal_communication": "PCOMM",
    "report": "RPRT",
    "software": "COMP",
    "song": "SOUND",
    "standard": "STAND",
    "thesis": "THES",
    "webpage": "ELEC",
}
"""CSL type → RIS type; ``GEN`` for any other."""
_RIS_TAGS = {
    "container-title": "T2",
    "collection-title": "T3",
    "volume": "VL",
    "issue": "IS",
    "publisher": "PB",
    "publisher-place": "CY",
    "edition": "ET",
    "ISBN": "SN",
    "ISSN": "SN",
    "first-page": "SP",
    "last-page": "EP",
    "DOI": "DO",
    "URL": "UR",
    "number": "M1",
    "genre": "M3",
    "language": "LA",
    "title-short": "ST",
    "note": "N1",
    "abstract": "AB",
}
"""CSL variable → RIS tag; the first and last page have separate tags."""
_RIS_NAMES = (("author", "AU"), ("editor", "ED"), ("translator", "A4"))


def to_ris(papers: Iterable[Paper], *, own: OwnEntries | None = None) -> str:
    """Return a record for each paper in the order of their keys, lines ended by CR and LF, as
    RIS requires. Programs that import it make keys of their own: further keys would duplicate
    papers."""
    ordered = sorted(papers, key=attrgetter("citekey"))
    items = ((csl_item(paper, own or {}), paper.tags) for paper in ordered)
    return "\r\n".join("".join(_ris_lines(*parts)) for parts in items)


def _ris_lines(item: Item, tags: Iterable[str]) -> Iterator[str]:
    """Yield a line for each tag. Cleaned text contains no line end, so it cannot begin a tag."""
    first, _, last = item.get("page", "").partition("–")
    fields = {**item, "first-page": first, "last-page": last}
    dates = (iso_date(item.get(name)) or "" for name in ("issued", "accessed"))
    issued, accessed = (date.replace("-", "/") for date in dates)
    lines = [
        ("TY", _RIS_TYPES.get(item["type"], "GEN")),
        ("ID", item["id"]),
        ("TI", item.get("title")),
        *((tag, _ris_name(name)) for role, tag in _RIS_NAMES for name in item.get(role, ())),
        ("PY", issued.partition("/")[0]),
        ("DA", issued if "/" in issued else ""),
        ("Y2", accessed),
        *((tag, fields.get(name)) for name, tag in _RIS_TAGS.items()),
        *(("KW", tag) for tag in tags),
    ]
    for tag, text in lines:
        if tag and text and (line := clean(text)):
            yield f"{tag}  - {line}\r\n"
    yield "ER  - \r\n"


def _ris_name(name: dict[str, str]) -> str:
    """Return ``Last, First, Suffix``."""
    parts = (name.get(part) for part in ("family", "given", "suffix", "literal"))
    return ", ".join(filter(None, parts))


# Hayagriva, by its description (https://github.com/typst/hayagriva/blob/main/docs/file-format.md).

_HAYAGRIVA_TYPES: dict[str, tuple[str, str | None]] = {
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
"""CSL type → Hayagriva type, and the type of its parent; ``misc`` for any other."""
_OF_THE_WHOLE = ("volume", "issue", "publisher", "publisher-place", "edition")
"""CSL variables of the parent, if the work has one."""
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
    kind, parent_kind = _HAYAGRIVA_TYPES.get(item["type"], ("misc", None))
    if item["type"] == "chapter" and "editor" in item:
        kind, parent_kind = "anthos", "anthology"
    yield "type", kind
    if title := item.get("title"):
        # Styles may change the case of all words except those with inner capitals.
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
    for field in _OF_THE_WHOLE:
        text = item.get(field, "")
        field = "location" if field == "publisher-place" else field
        if field == "publisher" and kind in _GIVEN_OUT_BY:
            field = "organization"
        # Typst rejects a whole file if one volume is not a number.
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
    """Return text with Hayagriva's markup escaped."""
    return _SPECIAL.sub(r"\\\g<0>", clean(text))

"""Paperlib's own JSON, and the CSV that Zotero exports."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from papertrack.importers.fields import facts_from, line, organisation, people, person, words_of
from papertrack.importers.found import Found
from papertrack.importers.html import escaped, markdown_of
from papertrack.importers.model import Item, ItemNote, Source
from papertrack.records import Author

_PAPERLIB = frozenset(("title", "authors", "pubTime", "publication"))
_PUB_TYPES = {0: "article", 1: "inproceedings", 2: "misc", 3: "book"}
"""Paperlib's numbers of kinds."""
_ZOTERO_CSV = frozenset(("Key", "Item Type", "Title", "Author", "Publication Title", "Date Added"))
_TYPES = {
    "journalArticle": "article",
    "conferencePaper": "inproceedings",
    "book": "book",
    "bookSection": "incollection",
    "thesis": "phdthesis",
    "report": "techreport",
    "webpage": "online",
    "blogPost": "online",
    "computerProgram": "software",
}


def is_paperlib(found: Found) -> bool:
    """Whether it is an array of papers as Paperlib has them."""
    return bool(_papers(found)) and all(one.keys() >= _PAPERLIB for one in _papers(found)[:20])


def read_paperlib(found: Found) -> Source:
    """The papers of such a file."""
    papers = _papers(found)
    source = Source("paperlib", len(papers))
    for number, one in enumerate(papers, start=1):
        source.take(_paper(str(_id_of(one.get("_id")) or _id_of(one.get("id")) or number), one))
    source.categories = list(dict.fromkeys(at for one in source.items for at in one.categories))
    return source


def is_zotero_csv(found: Found) -> bool:
    """Whether its first row has the names of the columns that Zotero exports."""
    first = found.text.partition("\n")[0]
    return first.startswith('"Key"') and set(_rows(first)[0]) >= _ZOTERO_CSV


def read_zotero_csv(found: Found) -> Source:
    """The rows of such a file: it has no collections, which Zotero does not write there."""
    names, *rows = _rows(found.text)
    source = Source("zotero-csv", len(rows))
    for row in rows:
        told = dict(zip(names, row, strict=False))
        source.take(_row(told))
    source.notices.append("a CSV of Zotero's has no collections: its folder has them")
    return source


def _rows(text: str) -> list[list[str]]:
    csv.field_size_limit(2**27)
    try:
        return [row for row in csv.reader(io.StringIO(text)) if row] or [[]]
    except csv.Error:
        return [[]]


def _papers(found: Found) -> Sequence[Mapping[str, Any]]:
    told = found.json
    if isinstance(told, dict):
        told = told.get("papers") or told.get("PaperEntity")
    is_list = isinstance(told, list) and all(isinstance(one, dict) for one in told)
    return told if is_list else ()


def _id_of(told: Any) -> str:
    if isinstance(told, dict):
        told = told.get("$oid") or told.get("oid")
    return line(str(told)) if isinstance(told, str | int) else ""


def _paper(key: str, one: Mapping[str, Any]) -> Item:
    told = {name: str(value) for name, value in one.items() if isinstance(value, str | int)}
    kind = one.get("pubType")
    type_ = _PUB_TYPES.get(kind, "misc") if isinstance(kind, int) else "misc"
    named = {
        **{
            name: told.get(name, "") for name in ("title", "volume", "pages", "number", "publisher")
        },
        "abstract": told.get("abstract", ""),
        "doi": told.get("doi", ""),
        "eprint": told.get("arxiv", "").removeprefix("arXiv:"),
        "archiveprefix": "arXiv",
        "date": told.get("pubTime", ""),
        "journal" if type_ == "article" else "booktitle": told.get("publication", ""),
    }
    authors = [line(name) for name in told.get("authors", "").replace(";", ",").split(",")]
    note = markdown_of(told.get("note", ""))
    title = line(named["title"]) or key
    rating = one.get("rating")
    return Item(
        key=key,
        type=type_,
        facts=facts_from(type_, named, tuple(Author(name) for name in authors if name)),
        categories=tuple((name,) for name in _names(one.get("folders"))),
        tags=tuple(_names(one.get("tags"))),
        notes=(ItemNote(key, f"# {escaped(title)}\n\n{note}\n"),) if note else (),
        rating=rating if isinstance(rating, int) and 1 <= rating <= 5 else None,
        added=told.get("addTime") if "T" in told.get("addTime", "") else None,
    )


def _names(told: Any) -> list[str]:
    """The names of tags or folders, told as texts or as objects."""
    if isinstance(told, str):
        return list(words_of(told))
    found = told if isinstance(told, list) else []
    names = [one.get("name") if isinstance(one, dict) else one for one in found]
    return list(dict.fromkeys(filter(None, (line(str(name or "")) for name in names))))


def _row(told: Mapping[str, str]) -> Item:
    type_ = _TYPES.get(told.get("Item Type", ""), "misc")
    named = {
        "title": told.get("Title", ""),
        "journal" if type_ == "article" else "booktitle": told.get("Publication Title", ""),
        "doi": told.get("DOI", ""),
        "url": told.get("Url", ""),
        "abstract": told.get("Abstract Note", ""),
        "date": told.get("Date", "") or told.get("Publication Year", ""),
        "pages": told.get("Pages", ""),
        "number": told.get("Issue", ""),
        "volume": told.get("Volume", ""),
        "publisher": told.get("Publisher", ""),
        "isbn": told.get("ISBN", ""),
        "issn": told.get("ISSN", ""),
    }
    authors = people(map(_inverted, told.get("Author", "").split(";")))
    note = markdown_of(told.get("Notes", ""))
    key = line(told.get("Key", ""))
    title = line(named["title"]) or key
    added = told.get("Date Added", "").replace(" ", "T")
    return Item(
        key=key,
        type=type_,
        facts=facts_from(type_, named, authors),
        tags=words_of(f"{told.get('Manual Tags', '')};"),
        automatic_tags=words_of(f"{told.get('Automatic Tags', '')};"),
        notes=(ItemNote(f"{key}-notes", f"# {escaped(title)}\n\n{note}\n"),) if note else (),
        added=f"{added}+00:00" if len(added) == 19 else None,
    )


def _inverted(name: str) -> Author | None:
    family, comma, given = line(name).partition(",")
    return person(given, family) if comma else organisation(family)

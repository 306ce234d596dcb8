"""Mendeley's database, as long as it was not encrypted (before version 1.19)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from papertrack.identifiers.citekeys import is_citekey
from papertrack.importers.database import ForeignDatabase
from papertrack.importers.fields import facts_from, line, month_of, people, person
from papertrack.importers.files import read_head
from papertrack.importers.found import Found
from papertrack.importers.html import escaped, markdown_of
from papertrack.importers.model import Category, Item, ItemFile, ItemNote, Source
from papertrack.records import Author
from papertrack.text import clean_block

_NEEDED = ("Documents", "DocumentContributors", "DocumentFolders", "Folders")
_TYPES = {
    "JournalArticle": "article",
    "MagazineArticle": "article",
    "NewspaperArticle": "article",
    "ConferenceProceedings": "inproceedings",
    "Book": "book",
    "BookSection": "incollection",
    "EncyclopediaArticle": "incollection",
    "Thesis": "phdthesis",
    "Report": "techreport",
    "WorkingPaper": "techreport",
    "WebPage": "online",
    "ComputerProgram": "software",
}
_FIELDS = {
    "title": "title",
    "abstract": "abstract",
    "doi": "doi",
    "arxivId": "eprint",
    "volume": "volume",
    "issue": "number",
    "pages": "pages",
    "publisher": "publisher",
    "city": "address",
    "edition": "edition",
    "series": "series",
    "isbn": "isbn",
    "issn": "issn",
    "institution": "institution",
}


def is_mendeley(found: Found) -> bool:
    """Whether it is a database with Mendeley's tables."""
    return found.database is not None and found.database.has(*_NEEDED)


def read_mendeley(found: Found) -> Source:
    """All documents of a database. Raises DocumentError for one that is damaged."""
    assert found.database is not None
    reading = _Reading(found.database)
    source = Source("mendeley", len(reading.documents))
    for told in reading.documents:
        key = line(str(told.get("uuid") or told["id"])).strip("{}")
        if str(told.get("deletionPending")).lower() in ("true", "1"):
            source.leave_out(key, line(str(told.get("title") or "")), "it is in Mendeley's bin")
        else:
            source.take(reading.item(key, told))
    source.categories = list(dict.fromkeys(reading.paths.values()))
    return source


class _Reading:
    """The tables, by document."""

    def __init__(self, database: ForeignDatabase) -> None:
        self.database = database
        self.documents = self._records("Documents")
        self.people = self._by_document("DocumentContributors")
        self.tags = self._by_document("DocumentTags")
        self.words = self._by_document("DocumentKeywords")
        self.urls = self._by_document("DocumentUrls")
        self.notes = self._by_document("DocumentNotes")
        self.inside = self._by_document("DocumentFolders")
        self.files = self._by_document("DocumentFiles")
        self.places = {str(one["hash"]): str(one["localUrl"]) for one in self._records("Files")}
        folders = {one["id"]: one for one in self._records("Folders")}
        self.paths = {number: path for number in folders if (path := _path(number, folders))}

    def _records(self, table: str) -> list[dict[str, Any]]:
        """The rows of a table; none of one that this version does not have."""
        columns = sorted(self.database.columns(table))
        if not columns:
            return []
        names = ", ".join('"' + name.replace('"', '""') + '"' for name in columns)
        rows = self.database.rows(f"SELECT {names} FROM {table}")
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def _by_document(self, table: str) -> Mapping[Any, list[dict[str, Any]]]:
        found: dict[Any, list[dict[str, Any]]] = defaultdict(list)
        for record in self._records(table):
            found[record.get("documentId")].append(record)
        return found

    def item(self, key: str, told: Mapping[str, Any]) -> Item:
        """One document."""
        number = told["id"]
        type_ = _TYPES.get(str(told.get("type")), "misc")
        citekey = str(told.get("citationKey") or "")
        facts = facts_from(type_, self._fields(type_, told), self._authors(number))
        is_read = str(told.get("read")).lower() in ("true", "1")
        return Item(
            key=key,
            type=type_,
            facts=facts,
            citekeys=(citekey,) if is_citekey(citekey) else (),
            categories=self._categories(number),
            tags=self._tags(number),
            notes=tuple(self._notes(key, number, told, facts.title or key)),
            files=tuple(self._files(key, number)),
            statuses=("read",) if is_read else (),
            added=_moment(told.get("added")),
        )

    def _fields(self, type_: str, told: Mapping[str, Any]) -> dict[str, str]:
        """What a document says, under the names that .bib files have for it."""
        named = {ours: str(told[name]) for name, ours in _FIELDS.items() if told.get(name)}
        if named.get("eprint"):
            named["archiveprefix"] = "arXiv"
        if told.get("publication"):
            named["journal" if type_ == "article" else "booktitle"] = str(told["publication"])
        parts = [told.get("year"), told.get("month"), told.get("day")]
        date = "-".join(f"{part:02}" for part in parts if isinstance(part, int))
        url = next((str(one.get("url") or "") for one in self.urls[told["id"]]), "")
        return named | {"date": date, "month": month_of(date), "url": url}

    def _authors(self, number: Any) -> tuple[Author, ...]:
        return people(
            person(str(one.get("firstNames") or ""), str(one.get("lastName") or ""))
            for one in self.people[number]
            if "editor" not in str(one.get("contribution") or "").lower()
        )

    def _categories(self, number: Any) -> tuple[Category, ...]:
        folders = (one.get("folderId") for one in self.inside[number])
        return tuple(self.paths[at] for at in folders if at in self.paths)

    def _tags(self, number: Any) -> tuple[str, ...]:
        words = [*self.tags[number], *self.words[number]]
        tags = (line(str(one.get("tag") or one.get("keyword") or "")) for one in words)
        return tuple(dict.fromkeys(filter(None, tags)))

    def _notes(
        self, key: str, number: Any, told: Mapping[str, Any], title: str
    ) -> Iterator[ItemNote]:
        texts = [*(one.get("text") for one in self.notes[number]), told.get("note")]
        for at, text in enumerate(texts):
            body = markdown_of(clean_block(str(text or "")))
            if body:
                yield ItemNote(f"{key}-{at}", f"# {escaped(title)}\n\n{body}\n")

    def _files(self, key: str, number: Any) -> Iterator[ItemFile]:
        for at, one in enumerate(self.files[number]):
            place = self.places.get(str(one.get("hash")), "")
            path = Path(unquote(urlsplit(place).path)) if place.startswith("file://") else None
            is_there = path is not None and path.is_file()
            is_pdf = is_there and path is not None and read_head(path, 5) == b"%PDF-"
            name = line(path.name if path else place) or key
            problem = "" if is_pdf else "its file is not there, or no PDF"
            yield ItemFile(f"{key}-{at}", path if is_pdf else None, name, problem)


def _path(number: Any, folders: Mapping[Any, Mapping[str, Any]]) -> Category:
    """The names of a folder and those above it; empty where it lies in itself."""
    names: list[str] = []
    seen: set[Any] = set()
    while number in folders and number not in seen:
        seen.add(number)
        names.insert(0, line(str(folders[number].get("name") or "")) or "…")
        number = folders[number].get("parentId")
    return () if number in seen else tuple(names)


def _moment(told: Any) -> str | None:
    """Milliseconds since 1970."""
    if not isinstance(told, int) or not 0 < told < 10**14:
        return None
    return datetime.fromtimestamp(told / 1000, UTC).isoformat(timespec="seconds")

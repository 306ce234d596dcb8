"""Real libraries: each item accounted for, and the fields of each work, as an independent look at
the source tells them."""

import html
import json
import re
import shutil
import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import bibtexparser
import pytest
import yaml

from tests.cli.commands import Command
from tests.corpus import files, needs_corpus

pytestmark = [needs_corpus, pytest.mark.corpus]
Work = dict[str, Any]
"""title, names (of families), year, venue, doi, abstract: as the source has them, or nothing."""


def bare(text: object) -> str:
    """Letters and digits alone: markup, TeX, accents and blanks are written in many ways."""
    plain = html.unescape(re.sub(r"<[^<>]*>", "", str(text or "")))
    plain = re.sub(r"\\aa\b", "a", plain)
    plain = re.sub(r"\\[a-zA-Z]+ ?|[{}\\$]", "", plain)
    ascii_ = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]", "", ascii_)


def differences(work: Work, paper: Mapping[str, Any]) -> Iterator[str]:
    """The fields of a work that the paper does not have."""
    if bare(work["title"]) != bare(paper["title"]):
        yield "title"
    names, authors = [bare(one) for one in work["names"]], list(map(bare, paper["authors"]))
    if names and (len(names) != len(authors) or any(map(lacks, authors, names))):
        yield "people"
    year = re.search(r"(?<!\d)\d{4}(?!\d)", str(work["year"] or ""))
    if year and year[0] not in (str(paper["year"]), str(paper["submitted"])[:4]):
        yield "year"
    # A preprint server is no venue, and the DOI that arXiv gives is its id.
    venue = work["venue"] or ""
    if "arxiv" not in venue.lower() and bare(venue) not in ("", bare(paper["venue"])):
        yield "venue"
    doi = re.search(r"10\.[0-9]{4,}/.+", str(work["doi"] or "").lower())
    if doi and "arxiv" not in doi[0] and doi[0] != (paper["doi"] or "").lower():
        yield "doi"
    if work["abstract"] and not bare(work["abstract"]).startswith(bare(paper["abstract"])[:80]):
        yield "abstract"


def lacks(author: str, name: str) -> bool:
    return name not in author


def fields_of_zotero(path: Path, copy: Path) -> Iterator[Work]:
    """The works of a database, by plain tables."""
    shutil.copy(path, copy)
    with closing(sqlite3.connect(copy)) as database:
        gone = {row[0] for row in database.execute("SELECT itemID FROM deletedItems")}
        of_feeds = "SELECT itemID FROM items JOIN libraries USING (libraryID) WHERE type = 'feed'"
        feeds = {row[0] for row in database.execute(of_feeds)}
        said: dict[int, dict[str, str]] = {}
        for item, name, value in database.execute(
            """SELECT itemID, fieldName, value FROM itemData JOIN fields USING (fieldID)
               JOIN itemDataValues USING (valueID) JOIN items USING (itemID)
               JOIN itemTypes USING (itemTypeID)
               WHERE typeName NOT IN ('note', 'attachment', 'annotation')"""
        ):
            said.setdefault(item, {})[name] = value
        names: dict[int, list[str]] = {}
        for item, name in database.execute(
            """SELECT itemID, lastName FROM itemCreators JOIN creators USING (creatorID)
               JOIN creatorTypes USING (creatorTypeID) WHERE creatorType = 'author'
               ORDER BY itemID, orderIndex"""
        ):
            names.setdefault(item, []).append(name)
    for item, one in said.items():
        if item not in gone | feeds and one.get("title"):
            venue = (one.get(n) for n in ("publicationTitle", "proceedingsTitle", "bookTitle"))
            yield {
                "title": one["title"],
                "names": names.get(item, ()),
                "year": one.get("date"),
                "venue": next(filter(None, venue), None),
                "doi": one.get("DOI"),
                "abstract": one.get("abstractNote"),
            }


def asked(database: sqlite3.Connection, sql: str) -> list[Any]:
    try:
        return database.execute(sql).fetchall()
    except sqlite3.OperationalError:  # A table that this schema has not yet.
        return []


def independent_counts(path: Path, copy: Path) -> dict[str, int]:
    """Counts by set arithmetic over plain tables, in none of the importer's words."""
    shutil.copy(path, copy)
    with closing(sqlite3.connect(copy)) as database:
        items = dict(asked(database, "SELECT itemID, libraryID FROM items"))
        feeds = {row[0] for row in asked(
            database, "SELECT libraryID FROM libraries WHERE type = 'feed'")}  # fmt: skip
        gone = {row[0] for row in asked(database, "SELECT itemID FROM deletedItems")}
        parents = dict(asked(database, "SELECT itemID, parentItemID FROM itemNotes"))
        parents |= dict(asked(database, "SELECT itemID, parentItemID FROM itemAttachments"))
        parents |= dict(asked(database, "SELECT itemID, parentItemID FROM itemAnnotations"))
        files = {row[0] for row in asked(database, "SELECT itemID FROM itemAttachments")}
        notes = {row[0] for row in asked(database, "SELECT itemID FROM itemNotes")} - files
        marks = {row[0] for row in asked(database, "SELECT itemID FROM itemAnnotations")}
        named = {row[0] for row in asked(database, "SELECT itemID FROM itemData")}

        def is_there(item: int | None) -> bool:
            while item is not None:
                if item in gone or item not in items or items[item] in feeds:
                    return False
                if parents.get(item) is None:
                    return item not in notes | files | marks and item in named
                item = parents[item]
            return False

        there = {item for item in items if is_there(item)}
        members = asked(database, "SELECT collectionID, itemID FROM collectionItems")
        tags = asked(database, "SELECT itemID, type FROM itemTags")
        works = there - notes - files - marks
        return {
            "all": len(items),
            "works": len(works),
            "collections": len(asked(database, "SELECT 1 FROM collections")),
            "memberships": sum(item in works for _, item in members),
            "tags": sum(item in works and kind != 1 for item, kind in tags),
            "automatic_tags": sum(item in works and kind == 1 for item, kind in tags),
            "notes": len(there & notes),
            "annotations": len(there & marks),
            "attachments": len(there & files),
        }


@pytest.mark.parametrize("path", files("zotero/*.sqlite"), ids=lambda path: path.stem)
def test_a_zotero_library_keeps_each_item_and_the_fields_of_each_work(
    papertrack: Command, library: Path, tmp_path: Path, path: Path
) -> None:
    status = path.stat()
    report = json.loads(papertrack("import", path, "--json").out)
    counts = independent_counts(path, tmp_path / "copy.sqlite")
    assert report["items"] == counts.pop("all")
    assert report["items"] == report["imported"] + report["merged"] + len(report["skipped"])
    assert {name: report["counts"][name] for name in counts} == counts
    again = path.stat()
    assert (again.st_mtime_ns, again.st_size) == (status.st_mtime_ns, status.st_size)
    papers = json.loads(papertrack("list", "--all", "--json").out)
    assert len(papers) == report["papers_new"] <= counts["works"]
    merged = {one["citekey"] for one in report["merged_with"]}
    titled: dict[str, list[dict[str, Any]]] = {}
    for paper in papers:
        if paper["citekey"] not in merged:
            titled.setdefault(bare(paper["title"]), []).append(paper)
    works = list(fields_of_zotero(path, tmp_path / "copy.sqlite"))
    assert works
    for work in works:
        alike = titled.get(bare(work["title"]), [])
        told = [list(differences(work, paper)) for paper in alike]
        assert not told or min(told, key=len) == [], work["title"]
    assert sum(bare(work["title"]) in titled for work in works) >= len(works) - 2 * len(merged)


def test_a_papis_library_keeps_each_item_and_the_fields_of_each_work(
    papertrack: Command, library: Path
) -> None:
    folder = files("papis/library")[0]
    infos = sorted(folder.rglob("info.yaml"))
    report = json.loads(papertrack("import", folder, "--json").out)
    assert report["items"] == len(infos)
    assert report["items"] == report["imported"] + report["merged"] + len(report["skipped"])
    merged = {one["citekey"] for one in report["merged_with"]}
    papers = json.loads(papertrack("list", "--all", "--json").out)
    by_key = {key: one for one in papers for key in (one["citekey"], *one["citekey_aliases"])}
    found = {}
    for path in infos:
        told = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        paper = by_key.get(str(told.get("ref")))
        if paper is None or paper["citekey"] in merged or not told.get("title"):
            continue
        people = [one for one in told.get("author_list") or () if isinstance(one, dict)]
        work = {
            "title": told["title"],
            "names": [one.get("family") for one in people],
            "year": told.get("year"),
            "venue": told.get("journal"),
            "doi": told.get("doi"),
            "abstract": told.get("abstract"),
        }
        found[told["ref"]] = list(differences(work, paper))
    assert len(found) > 220
    assert {key: told for key, told in found.items() if told} == {}


@pytest.mark.parametrize("path", files("jabref/*.bib"), ids=lambda path: path.stem)
def test_each_entry_of_a_jabref_library_keeps_its_fields(
    papertrack: Command, library: Path, path: Path
) -> None:
    shutil.copy(path, library / "mine.bib")
    papertrack("import", "mine.bib")
    papers = json.loads(papertrack("list", "--all", "--json").out)
    by_key = {key: one for one in papers for key in (one["citekey"], *one["citekey_aliases"])}
    found = {}
    entries = bibtexparser.parse_string(path.read_text(encoding="utf-8-sig")).entries
    dois = Counter(doi_of(entry) for entry in entries)
    for entry in entries:
        said = {field.key.lower(): field.value for field in entry.fields}
        paper = by_key.get(entry.key)
        if paper is None or "title" not in said:
            continue
        work = {
            "title": said["title"],
            "names": [*families(str(said.get("author") or ""))],
            "year": said.get("year") or said.get("date"),
            "venue": said.get("journal") or said.get("journaltitle") or said.get("booktitle"),
            # That of two entries is reported, and one's alone.
            "doi": said.get("doi") if dois[doi_of(entry)] == 1 else None,
            "abstract": said.get("abstract"),
        }
        if told := list(differences(work, paper)):
            found[entry.key] = told
    assert found == {}


def doi_of(entry: Any) -> str:
    field = entry.fields_dict.get("doi")
    return str(field.value).lower() if field else ""


def families(author: str) -> Iterator[str]:
    """The family names of an ``author`` field: before the comma, or the last word."""
    for name in re.split(r"\s+and\s+", author.strip()):
        if name and name != "others":
            yield name.partition(",")[0] if "," in name else name.split()[-1]

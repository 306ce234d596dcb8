"""Mendeley's database, Paperlib's JSON and Zotero's CSV are taken in with what the reader noted."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import Command

# ruff: noqa: E501  # Rows are one line each.

MENDELEY = """
CREATE TABLE Documents (id INTEGER PRIMARY KEY, uuid TEXT, citationKey TEXT, title TEXT, type TEXT,
    publication TEXT, year INT, month INT, day INT, doi TEXT, arxivId TEXT, abstract TEXT, note TEXT,
    read INT, added INT, deletionPending TEXT);
CREATE TABLE DocumentContributors (id INTEGER PRIMARY KEY, documentId INT, contribution TEXT,
    firstNames TEXT, lastName TEXT);
CREATE TABLE Folders (id INTEGER PRIMARY KEY, name TEXT, parentId INT);
CREATE TABLE DocumentFolders (documentId INT, folderId INT);
CREATE TABLE DocumentTags (documentId INT, tag TEXT);
CREATE TABLE DocumentFiles (documentId INT, hash TEXT);
CREATE TABLE Files (hash TEXT, localUrl TEXT);
INSERT INTO Documents VALUES (1, '{abc}', 'Osei2021', 'A Lamp', 'JournalArticle', 'Journal of Lists',
    2021, 5, 3, '10.1000/lamp.5', NULL, 'Lost.', '<b>Mine</b>', 1, 1700000000000, 'false');
INSERT INTO Documents VALUES (2, '{def}', NULL, 'Gone', 'Book', NULL, NULL, NULL, NULL, NULL, NULL,
    NULL, NULL, 0, NULL, 'true');
INSERT INTO DocumentContributors VALUES (1, 1, 'DocumentAuthor', 'Ama', 'Osei');
INSERT INTO DocumentContributors VALUES (2, 1, 'DocumentEditor', 'Per', 'Lind');
INSERT INTO Folders VALUES (1, 'Lamps', -1), (2, 'Old', 1), (3, 'Circle', 4), (4, 'Circle', 3);
INSERT INTO DocumentFolders VALUES (1, 2), (1, 3);
INSERT INTO DocumentTags VALUES (1, 'light');
INSERT INTO DocumentFiles VALUES (1, 'h');
"""
PAPERLIB = [
    {
        "_id": {"$oid": "5f"},
        "title": "A Lamp",
        "authors": "Ama Osei, Per Lind",
        "publication": "Journal of Lists",
        "pubTime": "2021",
        "pubType": 0,
        "doi": "10.1000/lamp.5",
        "arxiv": "",
        "tags": [{"name": "light"}],
        "folders": [{"name": "Lamps"}],
        "rating": 4,
        "note": "Mine",
    },
    {"title": "", "authors": "", "publication": "", "pubTime": ""},
]
CSV = (
    '\ufeff"Key","Item Type","Publication Year","Author","Title","Publication Title","DOI","Url",'
    '"Abstract Note","Date","Date Added","Notes","Manual Tags","Automatic Tags"\n'
    '"LAMP2345","journalArticle","2021","Osei, Ama; World Lamp Society","A Lamp","Journal of Lists",'
    '"10.1000/lamp.5","","Lost,\nand found","2021-05","2024-02-03 04:05:06","<p>Mine</p>","light; a",'
    '"Lighting"\n'
)


def imported(papertrack: Command, path: Path | str) -> tuple[dict[str, Any], dict[str, Any]]:
    report = json.loads(papertrack("import", path, "--json").out)
    assert report["items"] == report["imported"] + report["merged"] + len(report["skipped"])
    again = json.loads(papertrack("import", path, "--json").out)
    assert (again["imported"], again["papers_changed"]) == (0, 0)
    return report, json.loads(papertrack("show", "10.1000/lamp.5", "--json").out)


def test_mendeley(papertrack: Command, library: Path, tmp_path: Path) -> None:
    path, pdf = tmp_path / "me@example.org@www.mendeley.com.sqlite", tmp_path / "a lamp.pdf"
    pdf.write_bytes(b"%PDF-1.5")
    with closing(sqlite3.connect(path)) as database:
        database.executescript(MENDELEY)
        place = f"file://{str(pdf).replace(' ', '%20')}"
        database.execute("INSERT INTO Files VALUES ('h', ?)", (place,))
        database.commit()
    report, lamp = imported(papertrack, path)
    assert (report["items"], report["imported"]) == (2, 1)
    assert (lamp["authors"], lamp["categories"]) == (["Ama Osei"], ["Lamps/Old"])
    assert (lamp["passes_done"], lamp["tags"], lamp["year"]) == (2, ["light"], 2021)
    assert lamp["citekey"] == "Osei2021"
    assert "**Mine**" in (library / lamp["notes"][0]).read_text()
    assert (library / "pdfs/osei2021-abc-0.pdf").exists() or list((library / "pdfs").iterdir())


def test_paperlib(papertrack: Command, library: Path) -> None:
    (library / "paperlib.json").write_text(json.dumps(PAPERLIB))
    report, lamp = imported(papertrack, "paperlib.json")
    assert (report["items"], report["imported"], len(report["skipped"])) == (2, 1, 1)
    assert (lamp["authors"], lamp["categories"]) == (["Ama Osei", "Per Lind"], ["Lamps"])
    assert (lamp["rating"], lamp["tags"], lamp["year"]) == (4, ["light"], 2021)


def test_zotero_csv(papertrack: Command, library: Path) -> None:
    (library / "My Library.csv").write_text(CSV, encoding="utf-8")
    _, lamp = imported(papertrack, "My Library.csv")
    assert lamp["authors"] == ["Ama Osei", "World Lamp Society"]
    assert sorted(lamp["tags"]) == ["a", "auto:Lighting", "light"]
    assert lamp["abstract"] == "Lost,\nand found"
    assert lamp["added"] == "2024-02-03T04:05:06+00:00"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_a_bib_file_in_utf_16_is_a_document_and_no_binary_file(
    papertrack: Command, library: Path, encoding: str
) -> None:
    entry = "@article{doe20,\n  title = {Lamps of the North},\n  author = {Doe, Jane},\n}\n"
    (library / "old.bib").write_bytes(entry.encode(encoding))
    assert "1 new paper" in papertrack("import", "old.bib").err
    (library / "noise.bib").write_bytes(bytes(range(256)) * 8)
    refused = papertrack("import", "noise.bib")
    assert refused.code == 1
    assert "noise.bib is no text" in refused.err

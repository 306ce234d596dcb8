"""Zotero's CSV is taken in with what the reader noted; what is not read is answered with how."""

import json
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import Command

CSV = (
    '\ufeff"Key","Item Type","Publication Year","Author","Title","Publication Title","DOI","Url",'
    '"Abstract Note","Date","Date Added","Notes","Manual Tags","Automatic Tags"\n'
    '"LAMP2345","journalArticle","2021","Osei, Ama; World Lamp Society","A Lamp",'
    '"Journal of Lists","10.1000/lamp.5","","Lost,\nand found","2021-05","2024-02-03 04:05:06",'
    '"<p>Mine</p>","light; a","Lighting"\n'
)


def imported(papertrack: Command, path: Path | str) -> tuple[dict[str, Any], dict[str, Any]]:
    report = json.loads(papertrack("import", path, "--json").out)
    assert report["items"] == report["imported"] + report["merged"] + len(report["skipped"])
    again = json.loads(papertrack("import", path, "--json").out)
    assert (again["imported"], again["papers_changed"]) == (0, 0)
    return report, json.loads(papertrack("show", "10.1000/lamp.5", "--json").out)


PAPERLIB = {"title": "A Lamp", "authors": "Osei", "publication": "Lists", "pubTime": "2021"}
ITEM = {"itemType": "book", "title": "A Lamp", "itemKey": "LAMP2345"}


@pytest.mark.parametrize(
    ("told", "tool"),
    [
        ([PAPERLIB], "Paperlib's JSON"),
        ({"config": {}, "items": [ITEM], "collections": {}}, "Better BibTeX's JSON"),
        ([{"key": "LAMP2345", "data": ITEM}], "Better BibTeX's JSON"),
    ],
)
def test_json_of_tools_that_export_bibtex_is_answered_with_how(
    papertrack: Command, library: Path, told: Any, tool: str
) -> None:
    (library / "all.json").write_text(json.dumps(told))
    refused = papertrack("import", "all.json")
    assert refused.code == 1
    assert tool in refused.err
    assert "Export BibTeX or RIS there and import that file" in refused.err
    assert json.loads(papertrack("list", "--json").out) == []


def test_mendeleys_database_is_answered_with_how(
    papertrack: Command, library: Path, tmp_path: Path
) -> None:
    path = tmp_path / "me@example.org@www.mendeley.com.sqlite"
    with closing(sqlite3.connect(path)) as database:
        for table in ("Documents", "DocumentContributors", "DocumentFolders", "Folders"):
            database.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY)")
        database.commit()
    refused = papertrack("import", path)
    assert refused.code == 1
    assert "Mendeley's database" in refused.err
    assert "Export BibTeX or RIS there and import that file" in refused.err


def test_zotero_csv(papertrack: Command, library: Path) -> None:
    (library / "My Library.csv").write_text(CSV, encoding="utf-8")
    _, lamp = imported(papertrack, "My Library.csv")
    assert lamp["authors"] == ["Ama Osei", "World Lamp Society"]
    assert sorted(lamp["tags"]) == ["a", "auto:Lighting", "light"]
    assert lamp["abstract"] == "Lost,\nand found"
    assert lamp["added"] == "2024-02-03T04:05:06+00:00"


@pytest.mark.parametrize(
    "date",
    ["2020-99-99 99:99:99", "AAAA-BB-CC DD:EE:FF", "0001-01-01 00:00:00", "2020-01-01 xx:00:00"],
)
def test_a_date_that_is_none_is_no_date(papertrack: Command, library: Path, date: str) -> None:
    (library / "Odd.csv").write_text(CSV.replace("2024-02-03 04:05:06", date), encoding="utf-8")
    _, lamp = imported(papertrack, "Odd.csv")
    assert datetime.fromisoformat(lamp["added"]).year > 2024
    assert papertrack("export", "--site", "site").code == 0
    assert papertrack("export", "--json").code == 0
    papertrack("init", "other")
    again = papertrack("import", library / "exports/papers.json", "--library", "other")
    assert again.code == 0, again.err


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
    assert "noise.bib is not a text file" in refused.err

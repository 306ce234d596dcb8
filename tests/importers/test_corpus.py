"""Real libraries: each item accounted for, with counts as an independent look at the source."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.commands import Command
from tests.corpus import files, needs_corpus

pytestmark = [needs_corpus, pytest.mark.corpus]


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
def test_counts_of_a_zotero_library(
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


def test_fields_of_a_papis_library(papertrack: Command, library: Path) -> None:
    folder = files("papis/library")[0]
    told = [
        yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        for path in sorted(folder.rglob("info.yaml"))
    ]
    report = json.loads(papertrack("import", folder, "--json").out)
    assert report["items"] == len(told)
    assert report["items"] == report["imported"] + report["merged"] + len(report["skipped"])
    papers = json.loads(papertrack("list", "--all", "--json").out)
    by_key = {key: one for one in papers for key in (one["citekey"], *one["citekey_aliases"])}
    compared = 0
    for one in told:
        paper = by_key.get(one["ref"])
        if paper is None or "\\" in str(one.get("title")) or "{" in str(one.get("title")):
            continue
        compared += 1
        if paper["title"] != one.get("title"):
            assert paper["citekey"] in {two["citekey"] for two in report["merged_with"]}
    assert compared > len(told) * 0.8
